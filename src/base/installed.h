/* Text files below the kernel folder, such as models.  Installed ones are found by name, users' own by path.
 * Internal. */
#ifndef MW_BASE_INSTALLED_H
#define MW_BASE_INSTALLED_H

#include "base/base.h"

/* A kind of such files. */
struct mw_installed {
    const char *what, *file;    /* words for messages: "model", "a model file" */
    const char *suffix;         /* of file names */
    const char *const *folders; /* `folder_count` folders below the kernel folder */
    size_t folder_count;
    enum mw_status malformed; /* the status for a file of another kind */
};

/* A file that was read. */
struct mw_installed_file {
    char *path, *text;
    bool installed; /* found by name */
};
/* Reads a file by name, or by path if that has a '/' or the suffix.  Errors: MW_EINVAL (no such name; the message lists
 * the names), MW_EIO, MW_ELIMIT (more than 1 MiB), `malformed`. */
int mw_installed_read(const struct mw_installed *kind, const char *name_or_path, const char *kernel_path,
                      struct mw_installed_file *file);
/* Frees the path and the text of a file. */
void mw_installed_file_clear(struct mw_installed_file *file);
/* Makes a list of the names of installed files, sorted in each folder and ended by NULL. Free it by
 * mw_installed_names_free. */
int mw_installed_names(const struct mw_installed *kind, const char *kernel_path, char ***names);
void mw_installed_names_free(char **names);

#endif
/* SPDX-License-Identifier: MIT */

/* Text files below the kernel folder, such as models.  Installed ones are found by name, users' own by path.
 * Internal. */
#ifndef MW_BASE_INSTALLED_H
#define MW_BASE_INSTALLED_H

#include "base/base.h"

struct mw_installed {
    const char *what, *file; /* "model", "a model file" */
    const char *suffix;
    const char *const *folders;
    size_t folder_count;
    enum mw_status malformed; /* the status for a file of another kind */
};

struct mw_installed_file {
    char *path, *text;
    bool installed; /* found by name */
};
/* Reads a file by name, or by path if that has a '/' or the suffix.  Errors: MW_EINVAL (no such name; the message lists
 * the names), MW_EIO, MW_ELIMIT (more than 1 MiB), `malformed`. */
int mw_installed_read(const struct mw_installed *kind, const char *name_or_path, const char *kernel_path,
                      struct mw_installed_file *file);
void mw_installed_file_clear(struct mw_installed_file *file);
/* Lists the names, sorted in each folder and terminated by NULL. */
int mw_installed_names(const struct mw_installed *kind, const char *kernel_path, char ***names);
void mw_installed_names_free(char **names);

#endif
/* SPDX-License-Identifier: MIT */

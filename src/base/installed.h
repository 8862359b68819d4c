/* Text files that are installed in folders below that of the kernels, such as models: found by name, or a user's own by
 * path.  Internal. */
#ifndef MW_BASE_INSTALLED_H
#define MW_BASE_INSTALLED_H

#include "base/base.h"

struct mw_installed {
    const char *what, *file;     /* "model", "a model file" */
    const char *suffix;
    const char *const *folders;
    size_t folder_count;
    enum mw_status malformed;    /* what a file that cannot be one fails with */
};

struct mw_installed_file {
    char *path, *text;
    bool installed;              /* it was found by its name */
};
/* Reads one: a name, or a path, which has a '/' or the suffix.  Errors: MW_EINVAL (none is called so; the reason lists
 * those that are), MW_EIO, MW_ELIMIT (more than 1 MiB), `malformed`. */
int mw_installed_read(const struct mw_installed *kind, const char *name_or_path, const char *kernel_path,
                      struct mw_installed_file *file);
void mw_installed_file_clear(struct mw_installed_file *file);
/* Their names, NULL-ended, sorted in each folder. */
int mw_installed_names(const struct mw_installed *kind, const char *kernel_path, char ***names);
void mw_installed_names_free(char **names);

#endif
/* SPDX-License-Identifier: MIT */

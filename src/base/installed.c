/* Finds installed text files by name, and users' own by path. */
#include "base/installed.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (1u << 20)

static bool ends_in(const char *s, const char *suffix)
{
    const size_t n = strlen(s), end = strlen(suffix);
    return n > end && strcmp(s + n - end, suffix) == 0;
}

static int none_of_that_name(const struct mw_installed *kind, const char *name, const char *kernel_path)
{
    struct mw_text list = { 0 };
    char **names = NULL;
    int rc = mw_installed_names(kind, kernel_path, &names);
    if (rc != 0)
        return mw_fail_in(rc, "%s %s", kind->what, name);
    for (char **n = names; *n; n++)
        mw_text_add(&list, "%s%s", n == names ? "" : ", ", *n);
    rc = mw_text_ok(&list);
    if (rc == 0)
        rc = mw_fail(MW_EINVAL, "no %s is called %s; there are: %s (or give the path of %s)", kind->what, name,
                     list.data ? list.data : "none", kind->file);
    mw_text_free(&list);
    mw_installed_names_free(names);
    return rc;
}

/* Returns the path of an installed file. */
static int installed_find(const struct mw_installed *kind, const char *name, const char *kernel_path, char **path)
{
    struct mw_text file = { 0 };
    int rc = MW_EINVAL;
    for (size_t i = 0; i < kind->folder_count && rc != 0 && rc != MW_ENOMEM; i++) {
        mw_text_free(&file);
        mw_text_add(&file, "%s/%s%s", kind->folders[i], name, kind->suffix);
        TRY(mw_text_ok(&file));
        rc = mw_kernel_file(kernel_path, file.data, path);
    }
    TRY(rc == 0 || rc == MW_ENOMEM ? rc : none_of_that_name(kind, name, kernel_path));
out:
    mw_text_free(&file);
    return rc;
}

int mw_installed_read(const struct mw_installed *kind, const char *name_or_path, const char *kernel_path,
                      struct mw_installed_file *file)
{
    const bool installed = !strchr(name_or_path, '/') && !ends_in(name_or_path, kind->suffix);
    char *path = NULL, *text = NULL;
    size_t n;
    int rc;
    TRY(installed ? installed_find(kind, name_or_path, kernel_path, &path) : mw_strdup(name_or_path, &path));
    TRY(mw_file_read(path, FILE_BYTES_MAX, &text, &n));
    if (strlen(text) != n) {
        rc = mw_fail(kind->malformed, "%s contains a NUL byte: it is not %s", path, kind->file);
        goto out;
    }
    /* Some editors write a byte order mark before UTF-8. */
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        memmove(text, text + 3, n - 2);
    *file = (struct mw_installed_file){ path, text, installed };
    path = text = NULL;
out:
    free(path);
    free(text);
    return rc;
}

void mw_installed_file_clear(struct mw_installed_file *file)
{
    free(file->path);
    free(file->text);
}

static int installed_by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Appends the names in one folder to the list. */
static int add_names(const char *root, const char *below, const char *suffix, char ***list, size_t *length)
{
    struct dirent **entries = NULL;
    char *folder = NULL, **longer;
    const size_t first = *length;
    int count = 0, rc;
    TRY(mw_path_join(root, below, &folder));
    count = scandir(folder, &entries, NULL, NULL);
    if (count < 0) {
        rc = mw_fail(errno == ENOMEM ? MW_ENOMEM : MW_EIO,
                     "%s: %s; set MESHWORK_KERNEL_PATH or `kernel_path` to the kernel folder", folder, strerror(errno));
        goto out;
    }
    longer = realloc(*list, (first + (size_t)count + 1) * sizeof **list);
    if (!longer) {
        rc = mw_fail(MW_ENOMEM, "out of memory for the names in %s", folder);
        goto out;
    }
    *list = longer;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (name[0] == '.' || !ends_in(name, suffix))
            continue;
        longer[*length] = NULL;
        TRY(mw_strdup(name, &longer[*length]));
        longer[*length][strlen(name) - strlen(suffix)] = 0;
        longer[++*length] = NULL;
    }
    qsort(longer + first, *length - first, sizeof *longer, installed_by_name);
out:
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(folder);
    return rc;
}

int mw_installed_names(const struct mw_installed *kind, const char *kernel_path, char ***names)
{
    char *root = NULL, **list = NULL;
    size_t length = 0;
    int rc;
    TRY(mw_kernel_folder(kernel_path, &root));
    TRY(mw_new(1, sizeof *list, &list));
    for (size_t i = 0; i < kind->folder_count; i++)
        TRY(add_names(root, kind->folders[i], kind->suffix, &list, &length));
    *names = MW_PASS(list);
out:
    free(root);
    mw_installed_names_free(list);
    return rc;
}

void mw_installed_names_free(char **names)
{
    for (char **n = names; names && *n; n++)
        free(*n);
    free(names);
}
/* SPDX-License-Identifier: MIT */

/* Models on disk: by name from the kernel folder, or a user's own by path. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static const char *const folders[] = { [MW_MODEL_FIELD] = "models/field", [MW_MODEL_SPIN] = "models/spin" };
#define SUFFIX ".cl"
#define MODEL_BYTES_MAX (1u << 20)

static bool is_path(const char *s)
{
    const size_t n = strlen(s), suffix = strlen(SUFFIX);
    return strchr(s, '/') || (n > suffix && strcmp(s + n - suffix, SUFFIX) == 0);
}

static int no_such_model(const char *name, const char *kernel_path)
{
    struct mw_text list = { 0 };
    char **names = NULL;
    int rc = mw_model_names(kernel_path, MW_MODEL_ANY, &names);
    if (rc != 0)
        return mw_fail_in(rc, "model %s", name);
    for (char **n = names; *n; n++)
        mw_text_add(&list, "%s%s", n == names ? "" : ", ", *n);
    rc = mw_text_ok(&list);
    if (rc == 0)
        rc = mw_fail(MW_EINVAL, "no model is called %s; there are: %s (or give the path of a model file)", name,
                     list.data ? list.data : "none");
    mw_text_free(&list);
    mw_model_names_free(names);
    return rc;
}

/* The path of an installed model's file. */
static int find_installed(const char *name, const char *kernel_path, char **path)
{
    struct mw_text file = { 0 };
    int rc = MW_EINVAL;
    for (size_t kind = 0; kind < MW_COUNT(folders) && rc != 0 && rc != MW_ENOMEM; kind++) {
        mw_text_free(&file);
        mw_text_add(&file, "%s/%s%s", folders[kind], name, SUFFIX);
        TRY(mw_text_ok(&file));
        rc = mw_kernel_file(kernel_path, file.data, path);
    }
    TRY(rc == 0 || rc == MW_ENOMEM ? rc : no_such_model(name, kernel_path));
out:
    mw_text_free(&file);
    return rc;
}

int mw_model_load(const char *name_or_path, const char *kernel_path, struct mw_model **model)
{
    const bool installed = !is_path(name_or_path);
    char *path = NULL, *text = NULL;
    size_t n;
    int rc;

    TRY(installed ? find_installed(name_or_path, kernel_path, &path) : mw_strdup(name_or_path, &path));
    TRY(mw_file_read(path, MODEL_BYTES_MAX, &text, &n));
    if (strlen(text) != n) {
        rc = mw_fail(MW_EBUILD, "%s: a NUL byte stands in it: this is not a model file", path);
        goto out;
    }
    /* Some editors set a mark before UTF-8. */
    TRY(mw_model_parse(path, strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text, model));
    (*model)->info.installed = installed;
out:
    free(path);
    free(text);
    return rc;
}

static int is_model(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name), suffix = strlen(SUFFIX);
    return entry->d_name[0] != '.' && n > suffix && strcmp(entry->d_name + n - suffix, SUFFIX) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the names of a kind to the list, which grows. */
static int add_names(const char *root, const char *kind, char ***list, size_t *length)
{
    struct dirent **entries = NULL;
    char *folder = NULL, **longer;
    const size_t first = *length;
    int count = 0, rc;

    TRY(mw_path_join(root, kind, &folder));
    count = scandir(folder, &entries, is_model, NULL);
    if (count < 0) {
        rc = mw_fail(errno == ENOMEM ? MW_ENOMEM : MW_EIO, "%s: %s; say where the kernels are with --kernel-path or "
                     "MESHWORK_KERNEL_PATH", folder, strerror(errno));
        goto out;
    }
    longer = realloc(*list, (first + (size_t)count + 1) * sizeof **list);
    if (!longer) {
        rc = mw_fail(MW_ENOMEM, "not enough memory for the names of models");
        goto out;
    }
    *list = longer;
    for (int i = 0; i < count; i++) {
        longer[*length] = NULL;
        TRY(mw_strdup(entries[i]->d_name, &longer[*length]));
        longer[*length][strlen(longer[*length]) - strlen(SUFFIX)] = 0;
        longer[++*length] = NULL;
    }
    qsort(longer + first, *length - first, sizeof *longer, by_name);
out:
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(folder);
    return rc;
}

int mw_model_names(const char *kernel_path, enum mw_model_kind kind, char ***names)
{
    char *root = NULL, **list = NULL;
    size_t length = 0;
    int rc;

    TRY(mw_kernel_folder(kernel_path, &root));
    TRY(mw_new(1, sizeof *list, &list));
    for (size_t i = 0; i < MW_COUNT(folders); i++)
        if (kind == MW_MODEL_ANY || kind == (enum mw_model_kind)i)
            TRY(add_names(root, folders[i], &list, &length));
    *names = list;
    list = NULL;
out:
    free(root);
    mw_model_names_free(list);
    return rc;
}

void mw_model_names_free(char **names)
{
    for (char **n = names; names && *n; n++)
        free(*n);
    free(names);
}

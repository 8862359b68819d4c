/* Paths: joining names, clearing folders, the cache folder, the kernel folder. */
#include "base/base.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CLEAR_TRIES 1000
#ifndef SHARED_CACHE
#define SHARED_CACHE "" /* none */
#endif

int mw_path_join(const char *folder, const char *name, char **path)
{
    size_t length = strlen(folder);
    const char *between = length > 0 && name[0] != '\0' && folder[length - 1] != '/' ? "/" : "";
    struct mw_text joined = { 0 };
    int rc;
    mw_text_add(&joined, "%s%s%s", folder, between, name);
    if (joined.data == NULL && !joined.failed)
        return mw_strdup("", path);
    TRY(mw_text_ok(&joined));
    *path = MW_PASS(joined.data);
out:
    mw_text_free(&joined);
    return rc;
}

/* Returns the next path of a chain of links in *next, which stays NULL at the end. */
static int follow(const char *path, char **next)
{
    const char *slash = strrchr(path, '/');
    char to[4096];
    const ssize_t n = readlink(path, to, sizeof to - 1);
    struct mw_text text = { 0 };
    int rc;
    if (n < 0)
        return 0;
    to[n] = '\0';
    mw_text_add(&text, "%.*s%s", slash != NULL && to[0] != '/' ? (int)(slash - path + 1) : 0, path, to);
    TRY(mw_text_ok(&text));
    *next = MW_PASS(text.data);
out:
    mw_text_free(&text);
    return rc;
}

int mw_path_target(const char *path, char **target)
{
    enum { LINKS_MAX = 40 }; /* the kernel's own limit */
    char *at = realpath(path, NULL), *next;
    int rc = 0;

    if (at == NULL && errno != ENOENT)
        return mw_fail_write("", path, errno);
    if (at == NULL)
        TRY(mw_strdup(path, &at));
    for (int i = 0; i < LINKS_MAX; i++) {
        next = NULL;
        TRY(follow(at, &next));
        if (next == NULL)
            break;
        free(at);
        at = next;
    }
    *target = MW_PASS(at);
out:
    free(at);
    return rc;
}

/* The errno of the first file that this thread could not remove, or 0: nftw passes no context to its callback. */
static _Thread_local int why_it_stays;

static int remove_visited(const char *path, const struct stat *st, int type, struct FTW *where)
{
    if (where->level > 0 && remove(path) != 0 && errno != ENOENT)
        why_it_stays = errno;
    return 0;
}

bool mw_folder_clear(const char *path)
{
    struct stat st;
    int walked, tries = 0;
    /* nftw ends early if another process removes a folder that it is about to enter. */
    do {
        why_it_stays = 0;
        walked = nftw(path, remove_visited, 16, FTW_DEPTH | FTW_PHYS);
    } while (walked != 0 && errno == ENOENT && stat(path, &st) == 0 && ++tries < CLEAR_TRIES);
    if (walked != 0)
        return false;
    errno = why_it_stays;
    return why_it_stays == 0;
}

/* Returns whether a name is relative and cannot lead out of its folder. */
static bool stays_below(const char *name)
{
    if (name[0] == '/')
        return false;
    while (*name != '\0') {
        size_t part = strcspn(name, "/");
        if (part == 2 && name[0] == '.' && name[1] == '.')
            return false;
        name += part;
        name += strspn(name, "/");
    }
    return true;
}

/* Returns the value of an environment variable, or NULL if it is unset or empty. */
static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* Returns the path of the cache folder without creating it. */
static int cache_path(char **path)
{
    const char *ours = setting("MESHWORK_CACHE_DIR"), *xdg = setting("XDG_CACHE_HOME"), *home = setting("HOME");
    if (ours != NULL)
        return mw_strdup(ours, path);
    if (xdg != NULL && xdg[0] == '/')
        return mw_path_join(xdg, "meshwork", path);
    if (home != NULL && home[0] == '/')
        return mw_path_join(home, ".cache/meshwork", path);
    return mw_fail(MW_EIO, "there is no cache folder: neither MESHWORK_CACHE_DIR, XDG_CACHE_HOME nor HOME is set; "
                           "set MESHWORK_CACHE_DIR to a folder of your own");
}

/* Creates a folder and its missing parents.  `path` is modified temporarily. */
static int make_folders(char *path)
{
    for (char *c = path + 1;; c++) {
        char kept = *c;
        struct stat st;
        int made, reason;
        if (kept != '/' && kept != '\0')
            continue;
        *c = '\0';
        made = mkdir(path, 0700);
        reason = errno;
        /* For an existing parent mkdir may fail with EACCES or EROFS. */
        if (made != 0 && stat(path, &st) != 0) {
            mw_fail(MW_EIO, "cannot make the cache folder %s: %s; set MESHWORK_CACHE_DIR to a folder of your own", path,
                    strerror(reason));
            *c = kept;
            return MW_EIO;
        }
        *c = kept;
        if (kept == '\0')
            return 0;
    }
}

static int refuse(const char *path, const char *why)
{
    return mw_fail(MW_EIO, "cannot use the cache folder %s: %s", path, why);
}

/* Returns whether a path is a symbolic link that another user could have made. */
static bool is_foreign_link(const struct stat *st)
{
    return S_ISLNK(st->st_mode) && st->st_uid != geteuid() && st->st_uid != 0;
}

/* Cached programs run with this process's rights, so no other user may write to the folder. `shared`: it may belong to
 * root. */
static int check_folder(const char *path, int rights, bool shared)
{
    struct stat st;
    int rc = 0, folder = -1;
    if (lstat(path, &st) != 0)
        TRY(refuse(path, strerror(errno)));
    if (is_foreign_link(&st))
        TRY(refuse(path, "it is a symbolic link of another user; remove it"));
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || fstat(folder, &st) != 0)
        TRY(refuse(path, errno == ENOTDIR ? "it is not a folder; remove it" : strerror(errno)));
    if (st.st_uid != geteuid() && !(shared && st.st_uid == 0))
        TRY(refuse(path, "it belongs to another user; set MESHWORK_CACHE_DIR to a folder of your own"));
    if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        TRY(refuse(path, "other users may write to it; run chmod go-w on it"));
    if (faccessat(AT_FDCWD, path, rights, AT_EACCESS) != 0)
        TRY(refuse(path, strerror(errno)));
out:
    if (folder >= 0)
        close(folder);
    return rc;
}

static int cache_folder(const char *below, int rights, char **path)
{
    char *top = NULL, *whole = NULL;
    int rc;
    if (!stays_below(below))
        return mw_fail(MW_EINVAL, "\"%s\" is not a name inside the cache folder: it is absolute or has \"..\"", below);
    TRY(cache_path(&top));
    TRY(make_folders(top));
    TRY(check_folder(top, rights, false));
    TRY(mw_path_join(top, below, &whole));
    if (below[0] != '\0' && ((rights & W_OK) != 0 || access(whole, F_OK) == 0)) {
        TRY(make_folders(whole));
        TRY(check_folder(whole, rights, false));
    }
    *path = MW_PASS(whole);
out:
    free(top);
    free(whole);
    return rc;
}

int mw_cache_folder(const char *below, char **path) { return cache_folder(below, R_OK | W_OK | X_OK, path); }

int mw_cache_folder_look(const char *below, char **path) { return cache_folder(below, R_OK | X_OK, path); }

int mw_cache_shared_file(const char *below, const char *name, char **path)
{
    const char *top = getenv("MESHWORK_SHARED_CACHE_DIR");
    char *folder = NULL, *file = NULL;
    struct stat st;
    int rc;
    top = top ? top : SHARED_CACHE;
    if (top[0] != '/')
        return mw_fail(MW_EIO, "there is no shared cache folder: MESHWORK_SHARED_CACHE_DIR must be an absolute path");
    TRY(check_folder(top, R_OK | X_OK, true));
    TRY(mw_path_join(top, below, &folder));
    TRY(check_folder(folder, R_OK | X_OK, true));
    TRY(mw_path_join(folder, name, &file));
    if (lstat(file, &st) != 0 || !S_ISREG(st.st_mode))
        TRY(mw_fail(MW_EIO, "the shared cache has no file %s", file));
    *path = MW_PASS(file);
out:
    free(folder);
    free(file);
    return rc;
}

int mw_cache_file(const char *below, const char *name, char **path)
{
    char *folder = NULL, *file = NULL;
    struct stat st;
    int rc = 0;
    if (mw_cache_folder(below, &folder) != 0)
        TRY(mw_cache_folder_look(below, &folder));
    TRY(mw_path_join(folder, name, &file));
    if (lstat(file, &st) == 0 && is_foreign_link(&st))
        TRY(mw_fail(MW_EIO, "%s is not used: it is a symbolic link of another user; remove it", file));
    *path = MW_PASS(file);
out:
    free(folder);
    free(file);
    return rc;
}

/* Finds the kernels of a moved installation, relative to the library.  Sets *path to NULL if they do not exist. */
static int moved_kernels(char **path)
{
    char *found = NULL;
    int rc = 0;
#ifdef LIBDIR
    static const char libraries[] = LIBDIR, data[] = PKGDATADIR "/cl";
    struct mw_text text = { 0 };
    struct stat st;
    Dl_info library;
    size_t same = 0;

    if (dladdr((const void *)libraries, &library) == 0 || !library.dli_fname || !strchr(library.dli_fname, '/'))
        goto out;
    for (size_t i = 0; libraries[i] != 0 && libraries[i] == data[i]; i++)
        if (libraries[i] == '/')
            same = i;
    mw_text_add(&text, "%.*s", (int)(strrchr(library.dli_fname, '/') - library.dli_fname), library.dli_fname);
    for (const char *up = libraries + same; up; up = strchr(up + 1, '/'))
        mw_text_add(&text, "/..");
    mw_text_add(&text, "%s", data + same);
    TRY(mw_text_ok(&text));
    if (stat(text.data, &st) == 0 && S_ISDIR(st.st_mode))
        TRY(mw_path_target(text.data, &found));
out:
    mw_text_free(&text);
#endif
    *path = found;
    return rc;
}

/* The kernel folder and its origin, for messages. */
static int kernel_folder(const char *folder, const char **named_by, char **path)
{
    const char *environment = setting("MESHWORK_KERNEL_PATH");
    char *moved = NULL;
    int rc;
    if (folder != NULL) {
        *named_by = "as given";
        return mw_strdup(folder, path);
    }
    if (environment != NULL) {
        *named_by = "from MESHWORK_KERNEL_PATH";
        return mw_strdup(environment, path);
    }
    *named_by = "where meshwork was installed";
    if ((rc = moved_kernels(&moved)) == 0 && !moved)
        rc = mw_strdup(PKGDATADIR "/cl", &moved);
    if (rc == 0)
        *path = moved;
    return rc;
}

int mw_kernel_folder(const char *folder, char **path)
{
    const char *named_by;
    return kernel_folder(folder, &named_by, path);
}

int mw_kernel_file(const char *folder, const char *name, char **path)
{
    const char *named_by;
    char *place = NULL, *found = NULL;
    struct stat st;
    int rc;
    if (name[0] == '\0' || !stays_below(name))
        return mw_fail(MW_EINVAL, "\"%s\" is not a kernel file's name: it is empty, absolute or has \"..\"", name);
    TRY(kernel_folder(folder, &named_by, &place));
    TRY(mw_path_join(place, name, &found));
    if (stat(found, &st) != 0)
        TRY(mw_fail(MW_EIO,
                    "kernel file %s not found in %s (%s): %s; set MESHWORK_KERNEL_PATH or `kernel_path` to the "
                    "folder",
                    name, place, named_by, strerror(errno)));
    if (!S_ISREG(st.st_mode))
        TRY(mw_fail(MW_EIO, "kernel file %s in %s (%s) is not a regular file", name, place, named_by));
    *path = MW_PASS(found);
out:
    free(place);
    free(found);
    return rc;
}
/* SPDX-License-Identifier: MIT */

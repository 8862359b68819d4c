/* A temporary folder for the files of a test, and functions on files. */
#ifndef MW_TESTS_SCRATCH_H
#define MW_TESTS_SCRATCH_H

#include <dirent.h>
#include <ftw.h>

#include "tests/check.h"

static char folder[] = "/tmp/meshwork-test-XXXXXX";

static inline int remove_visited(const char *path, const struct stat *st, int type, struct FTW *where)
{
    return remove(path);
}

/* Make and remove the folder with its contents: group functions of cmocka. */
static inline int make_scratch(void **state) { return mkdtemp(folder) ? 0 : -1; }

static inline int remove_scratch(void **state) { return nftw(folder, remove_visited, 16, FTW_DEPTH | FTW_PHYS); }

/* Returns the path of a file in the folder; only the last few results are valid. */
static inline const char *in(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

static inline void put_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* Returns the number of files in a folder, and calls a function (NULL: none) for each. */
static inline int each_file(const char *path, void (*call)(const char *path))
{
    int count = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *d; (d = readdir(dir));) {
        char file[1024];
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        snprintf(file, sizeof(file), "%s/%s", path, d->d_name);
        if (call)
            call(file);
        count++;
    }
    closedir(dir);
    return count;
}

/* Changes a byte in the middle of a file. */
static inline void flip_middle(const char *path)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long middle = ftell(file) / 2;
    assert_int_equal(fseek(file, middle, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, middle, SEEK_SET), 0);
    assert_true(fputc(byte ^ 0x40, file) != EOF);
    assert_int_equal(fclose(file), 0);
}

#endif
/* SPDX-License-Identifier: MIT */

/* Common parts of tests of native kernels compiled at run time: a device, and folders for the cache and temporary
 * files. */
#ifndef MW_TESTS_JIT_H
#define MW_TESTS_JIT_H

#include "dev/native/compiler.h"

#include <sys/stat.h>

#include "tests/scratch.h"

static char cache[64], temporary[64];
static struct mw_device *serial;

static inline int files_left(void) { return each_file(temporary, NULL); }

/* Libraries made by this process. */
static inline int mappings(void)
{
    char line[600];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof(line), maps))
        count += strstr(line, "memfd:meshwork") != NULL || strstr(line, "object.so") != NULL;
    fclose(maps);
    return count;
}

/* Skips the test if there is no C compiler. */
static inline bool is_without_compiler(void)
{
    struct mw_compiler compiler;
    unsetenv("MESHWORK_CC");
    if (mw_compiler_find(&compiler) != 0) {
        printf("SKIP: %s\n", mw_errmsg());
        return true;
    }
    mw_compiler_free(&compiler);
    return false;
}

static inline int open_serial(void)
{
    const char *path = getenv("MESHWORK_KERNEL_PATH"), *srcdir = getenv("srcdir");
    char ours[1024];
    snprintf(ours, sizeof(ours), "%s/cl", srcdir ? srcdir : ".");
    const struct mw_device_options options = { .size = sizeof options, .kernel_path = path ? path : ours };
    return mw_device_open_by_name("native:serial", &options, &serial);
}

/* Group functions for cmocka. */
static inline int prepare(void **state)
{
    seed_random();
    if (!mkdtemp(folder))
        return -1;
    snprintf(cache, sizeof(cache), "%s/cache", folder);
    snprintf(temporary, sizeof(temporary), "%s/tmp", folder);
    if (mkdir(temporary, 0700) != 0)
        return -1;
    setenv("MESHWORK_CACHE_DIR", cache, 1);
    setenv("TMPDIR", temporary, 1);
    return open_serial();
}

static inline int remove_all(void **state)
{
    mw_device_close(serial);
    return remove_scratch(state);
}

#endif
/* SPDX-License-Identifier: MIT */

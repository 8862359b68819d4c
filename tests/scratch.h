/* A folder for a test's own files, removed with all that is in it. */
#ifndef MW_TESTS_SCRATCH_H
#define MW_TESTS_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/meshwork-test-XXXXXX";

static inline int remove_visited(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st;
    (void)type;
    (void)where;
    return remove(path);
}

/* As group functions of cmocka. */
static inline int make_scratch(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_scratch(void **state)
{
    (void)state;
    return nftw(folder, remove_visited, 16, FTW_DEPTH | FTW_PHYS);
}

#endif

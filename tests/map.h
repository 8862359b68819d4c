/* Index maps from text, for tests. */
#ifndef MW_TESTS_MAP_H
#define MW_TESTS_MAP_H

#include <meshwork/transform.h>

#include "base/base.h"

#include "tests/check.h"

/* Makes the index map of operations, separated by spaces, on a mesh of these lengths. */
static inline struct mw_map *map_of(unsigned dims, const size_t *length, const char *operations)
{
    struct mw_map *map = NULL;
    char text[256], *word = text, *next;
    OK(mw_map_new(dims, length, &map));
    mw_copy_string(text, sizeof text, operations);
    for (; word && *word; word = next) {
        if ((next = strchr(word, ' ')))
            *next++ = 0;
        if (mw_map_parse(map, word) != 0)
            fail_msg("%s: %s", operations, mw_errmsg());
    }
    return map;
}

#endif
/* SPDX-License-Identifier: MIT */

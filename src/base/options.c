/* Converts options and results between versions of the library, whose structs have different sizes. */
#include "base/base.h"

#include <string.h>

#define BYTES_MAX 4096 /* no struct will be larger; a larger size was not initialised */

static int bad_size(const char *name, size_t size)
{
    return mw_fail(MW_EINVAL,
                   "struct %s has size %zu: set `size` to sizeof(struct %s) and unused members to 0, as "
                   "MW_INIT does",
                   name, size, name);
}

static bool all_zero(const unsigned char *byte, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (byte[i] != 0)
            return false;
    return true;
}

int mw_options_take(const char *name, const void *given, size_t first, void *taken, size_t bytes)
{
    size_t size = sizeof size;
    memset(taken, 0, bytes);
    if (given != NULL) {
        memcpy(&size, given, sizeof size);
        if (size == 0) {
            if (!all_zero(given, sizeof size, first))
                return bad_size(name, size);
            size = sizeof size;
        }
        if (size < sizeof size || size > BYTES_MAX)
            return bad_size(name, size);
        if (!all_zero(given, bytes, size))
            return mw_fail(
                MW_ENOTSUP,
                "struct %s has an option that version %s of libmeshwork does not support: the program needs a later "
                "version of the library",
                name, mw_version());
        memcpy(taken, given, size < bytes ? size : bytes);
    }
    memcpy(taken, &bytes, sizeof bytes);
    return 0;
}

int mw_result_give(const char *name, const void *known, size_t first, size_t bytes, void *given)
{
    unsigned char *const to = given;
    size_t size;

    if (given == NULL)
        return 0;
    memcpy(&size, given, sizeof size);
    if (size < first || size > BYTES_MAX)
        return bad_size(name, size);
    if (known != NULL) {
        const size_t both = size < bytes ? size : bytes;
        memcpy(to + sizeof size, (const unsigned char *)known + sizeof size, both - sizeof size);
        memset(to + both, 0, size - both);
    }
    return 0;
}

void mw_result_clear(void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size > sizeof size && size <= BYTES_MAX)
        memset((unsigned char *)given + sizeof size, 0, size - sizeof size);
}
/* SPDX-License-Identifier: MIT */

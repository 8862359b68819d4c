/* Options, whichever version of their struct a program was compiled with. */
#include "base/base.h"

#include <string.h>

#define BYTES_MAX 4096 /* of a struct, however many members it will have: a size above is one that nobody set */

int mw_options_take(const char *name, const void *given, size_t first, void *taken, size_t bytes)
{
    const unsigned char *const byte = given;
    size_t size = first;

    memset(taken, 0, bytes);
    if (given != NULL) {
        memcpy(&size, given, sizeof size);
        if (size == 0)
            size = first;
        if (size < sizeof size || size > BYTES_MAX)
            return mw_fail(MW_EINVAL, "struct %s with a size of %zu: set it to sizeof(struct %s), and the members that "
                           "are not given to 0", name, size, name);
        for (size_t i = bytes; i < size; i++)
            if (byte[i] != 0)
                return mw_fail(MW_ENOTSUP, "struct %s has an option that version %s of libmeshwork does not know: the "
                               "program was compiled with a later one, and needs it", name, mw_version());
        memcpy(taken, given, size < bytes ? size : bytes);
    }
    memcpy(taken, &bytes, sizeof bytes);
    return 0;
}
/* SPDX-License-Identifier: MIT */

/* What every file of the command stands on: leaving a function at a failure, memory, the clock. */
#ifndef TOOLS_BASE_H
#define TOOLS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <meshwork/status.h>

#include "base/ascii.h"

/* A call that fails ends the function: where something is to be freed by way of `out:`, with the status in `rc`; else
 * at once. */
#define TRY(e) do { if ((rc = (e)) != 0) goto out; } while (0)
#define TRY_RETURN(e) do { const int status_ = (e); if (status_ != 0) return status_; } while (0)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Zeroed memory for n things of a size, freed by free(); of nothing a pointer as well.  Errors: MW_ENOMEM. */
static inline int allocate(size_t n, size_t size, void *pointer_to_pointer)
{
    void *memory = calloc(n ? n : 1, size ? size : 1);

    if (!memory)
        return mw_fail(MW_ENOMEM, "not enough memory for %zu times %zu bytes", n, size);
    memcpy(pointer_to_pointer, &memory, sizeof(memory));
    return 0;
}

/* Monotonic seconds. */
static inline double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
/* SPDX-License-Identifier: MIT */

/* A device's primitives, for tests of code built on them. */
#ifndef MW_TESTS_PRIM_H
#define MW_TESTS_PRIM_H

#include <meshwork/prim.h>

#include "dev/core/traits.h"
#include "tests/device/device.h"

static struct mw_prim *prim;

/* Returns whether groups may wait for each other: if the device declares it, or if a simulator or threads run groups
 * one at a time to their end. */
static inline bool groups_may_wait(void)
{
    return !native && (info->traits->groups_progress || info->traits->has_cores || slow);
}

/* Group functions for cmocka. */
static inline int open_prim(void **state)
{
    if (open_device(state) != 0)
        return -1;
    OK(mw_prim_new(device, &prim));
    return 0;
}

static inline int close_prim(void **state)
{
    mw_prim_free(prim);
    return close_device(state);
}

#endif
/* SPDX-License-Identifier: MIT */

/* A device's primitives, for tests of what is built on them. */
#ifndef MW_TESTS_PRIM_H
#define MW_TESTS_PRIM_H

#include <meshwork/prim.h>

#include "tests/device/device.h"

static struct mw_prim *prim;

/* As group functions of cmocka. */
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

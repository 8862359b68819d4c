/* What the library may change in its process. */
#include <stdatomic.h>

#include "dev/host/host.h"

static atomic_uint asked;

void mw_process_prepare(unsigned changes)
{
    atomic_fetch_or(&asked, changes);
}

bool mw_process_may(enum mw_process_change change)
{
    return atomic_load(&asked) & (unsigned)change;
}
/* SPDX-License-Identifier: MIT */

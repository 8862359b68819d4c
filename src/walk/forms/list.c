/* The form with a list of accessible sites, outwards, and a table of neighbours: the kernels of cl/walk/list.cl. */
#include "walk/walk_internal.h"
#include "kernels/native.h"
#include "kernels/walk/list.h"

static int forms_list_make(struct mw_walk_device *p, void **first)
{
    static mw_walk_native native = MW_WALK_NATIVE(list);
    TRY_RETURN(mw_walk_device_build(p, &kernels_walk_list, native, NULL, 0, 0));
    TRY_RETURN(mw_walk_device_send(p, 0, p->neighbours, 2 * p->whole->sites.dims * p->own * sizeof *p->neighbours));
    p->cells = p->all + 2; /* plus the two places to which the table refers if there is no site */
    return 0;
}

static int forms_list_step(struct mw_walk_device *p, size_t n, uint64_t distance, unsigned steps)
{
    int64_t each;
    const struct mw_range range = mw_walk_range(p, n, MW_WALK_EACH, &each);
    return launch_walk_list(p->set, range, p->state[p->turn], p->state[1 - p->turn], p->tables[0], (int64_t)p->own,
                            (int32_t)p->all, (int64_t)n, each);
}

static double forms_list_bytes(const struct mw_walk_size *size)
{
    return size->sites * (2.0 * (double)size->real_bytes + 8.0 * size->dims);
}

const struct mw_walk_form mw_walk_list = { .make = forms_list_make,
                                           .step = forms_list_step,
                                           .bytes = forms_list_bytes };
/* SPDX-License-Identifier: MIT */

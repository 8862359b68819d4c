/* Carpets: generators as they are read, and the arithmetic that hosts and devices share.  Internal. */
#ifndef MW_WALK_CARPET_INTERNAL_H
#define MW_WALK_CARPET_INTERNAL_H

#include <stdatomic.h>

#include <meshwork/carpet.h>

#include "base/base.h"
#include "walk/carpet.clh"

/* More is beyond 32 bits for any generator of two sites a dimension or more. */
enum { MW_CARPET_LEVEL_MAX = 31 };

/* Immutable, so that threads share it; freed with its last reference. */
struct mw_carpet {
    struct mw_carpet_info info;
    atomic_uint references;      /* those that there are beside the first */
    char *name, *about, *path;   /* storage behind the info's */
    struct carpet view;          /* as kernels have it */
    uint32_t *generators;        /* view.words each */
    size_t open;                 /* accessible sites of all generators together */
};

/* Another reference to a carpet, to be freed by mw_carpet_free as the first. */
struct mw_carpet *mw_carpet_hold(const struct mw_carpet *carpet);
/* MW_EINVAL: no walk can start there. */
int mw_carpet_check_start(const struct mw_carpet *carpet, const int64_t *start);

/* generators.c: reads a file's text into a carpet: generators, side, dims, about and level.  MW_EDATA: file:line. */
int mw_generators_read(const char *path, const char *text, struct mw_carpet *carpet);

#endif
/* SPDX-License-Identifier: MIT */

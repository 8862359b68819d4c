/* Carpets: generators as read from files, and arithmetic shared with the kernels.  Internal. */
#ifndef MW_WALK_CARPET_INTERNAL_H
#define MW_WALK_CARPET_INTERNAL_H

#include <stdatomic.h>

#include <meshwork/carpet.h>

#include "base/base.h"
#include "walk/carpet.clh"

/* Higher levels exceed 32 bits for any generator of two or more sites per dimension. */
enum { MW_CARPET_LEVEL_MAX = 31 };

/* Immutable, so that threads can share it; freed with its last reference. */
struct mw_carpet {
    struct mw_carpet_info info;
    atomic_uint references;    /* additional references to the first */
    char *name, *about, *path; /* storage of the strings in `info` */
    struct carpet view;        /* the members that kernels use */
    uint32_t *generators;      /* view.words words per generator */
    size_t open;               /* accessible sites in all generators */
};

/* Adds a reference to a carpet; mw_carpet_free releases it. */
struct mw_carpet *mw_carpet_hold(const struct mw_carpet *carpet);
/* Returns MW_EINVAL if the site is not accessible. */
int mw_carpet_check_start(const struct mw_carpet *carpet, const int64_t *start);

/* generators.c: reads generators, side, dims, about and level from the text of a file.  MW_EDATA: names file and
 * line. */
int mw_generators_read(const char *path, const char *text, struct mw_carpet *carpet);

#endif
/* SPDX-License-Identifier: MIT */

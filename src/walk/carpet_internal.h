/* Carpets: generators as read from files, and arithmetic shared with the kernels.  Internal. */
#ifndef MW_WALK_CARPET_INTERNAL_H
#define MW_WALK_CARPET_INTERNAL_H

#include <stdatomic.h>

#include <meshwork/carpet.h>

#include "base/base.h"
#include "walk/carpet.clh"

/* Largest level of a carpet: with two or more sites per dimension of a generator, coordinates of a higher level exceed
 * 32 bits. */
enum { MW_CARPET_LEVEL_MAX = 31 };

/* A carpet. Immutable, so that threads can share it; freed with its last reference. */
struct mw_carpet {
    struct mw_carpet_info info;
    atomic_uint references;    /* number of references, minus 1 */
    char *name, *about, *path; /* storage of the strings in `info` */
    struct carpet view;        /* the parameters of kernels */
    uint32_t *generators;      /* view.words words per generator: one bit per site, set if it is accessible */
    size_t open;               /* number of accessible sites in all generators */
};

/* Adds a reference to a carpet and returns it; mw_carpet_free releases it. */
struct mw_carpet *mw_carpet_hold(const struct mw_carpet *carpet);
/* Checks that a walk can start at a site, given by its coordinates. MW_EINVAL: the site is not accessible. */
int mw_carpet_check_start(const struct mw_carpet *carpet, const int64_t *start);

/* Reads generators, side, dims, about and level from the text of the file `path` (generators.c). MW_EDATA: the text is
 * malformed; the message names file and line. */
int mw_generators_read(const char *path, const char *text, struct mw_carpet *carpet);

#endif
/* SPDX-License-Identifier: MIT */

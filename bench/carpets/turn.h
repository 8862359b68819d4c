/* A walk by a variant on a device, as a contender; and what bench/walk is asked for. */
#ifndef TURN_H
#define TURN_H

#include "bench/common/contest.h"
#include "walk/walk_internal.h"

enum { WALK_VARIANTS = 12 };

struct walk_asked {
    bool fp64;
    uint64_t steps;              /* 0: all numbers of them */
    const char *variants[WALK_VARIANTS];
    size_t variant_count;        /* 0: those that a bench has by itself */
};
/* The variants that take part on a device: those that are asked for, or else all that `has` names. */
size_t walk_variants(const struct walk_asked *asked, const struct mw_device *device,
                     bool (*has)(const struct mw_device *device, const char *variant),
                     const char *names[WALK_VARIANTS]);

struct walk_turn {
    struct mw_device *device;
    const struct mw_carpet *carpet;
    struct mw_walk_options options;
    struct mw_walk *walk;
    double made;                 /* seconds */
    double moved;                /* bytes */
};

/* A carpet, and a site where walks begin. */
struct mw_carpet *walk_carpet(const char *name, int64_t *start);
struct bench_contender walk_contender(struct walk_turn *turn);
/* Those that look at places without a site as well. */
bool walk_is_papers(const char *variant);

#endif
/* SPDX-License-Identifier: MIT */

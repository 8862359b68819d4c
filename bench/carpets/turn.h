/* A walk with a variant on a device, as a contender; and the options of bench/walk. */
#ifndef TURN_H
#define TURN_H

#include "bench/common/contest.h"
#include "walk/walk_internal.h"

enum { WALK_VARIANTS = 12 };

struct walk_asked {
    bool fp64;
    uint64_t steps; /* 0: the default lengths */
    const char *variants[WALK_VARIANTS];
    size_t variant_count; /* 0: the bench's default */
};
/* Stores the variants for a device: those of the command line, or all accepted by `has`. */
size_t walk_variants(const struct walk_asked *asked, const struct mw_device *device,
                     bool (*has)(const struct mw_device *device, const char *variant),
                     const char *names[WALK_VARIANTS]);

struct walk_turn {
    struct mw_device *device;
    const struct mw_carpet *carpet;
    struct mw_walk_options options;
    struct mw_walk *walk;
    double made;  /* seconds */
    double moved; /* bytes */
};

/* Makes a carpet, and stores the site where walks start. */
struct mw_carpet *walk_carpet(const char *name, int64_t *start);
struct bench_contender walk_contender(struct walk_turn *turn);
/* Returns whether a variant also visits places without a site. */
bool walk_is_papers(const char *variant);

#endif
/* SPDX-License-Identifier: MIT */

/* What the files of `meshwork rng` share: rng.c its course, write.c where numbers go, report.c what it says. */
#ifndef TOOLS_RNG_H
#define TOOLS_RNG_H

#include <meshwork/rng.h>

#include "tools/cli/memory.h"
#include "tools/cli/passes.h"
#include "tools/machine/team.h"

#define CHUNK_TO_WRITE ((size_t)1 << 20)
#define CHUNK_TO_VERIFY ((size_t)1 << 20)
#define CHECKED_NUMBERS ((uint64_t)1 << 20)

enum { FORMAT_RAW, FORMAT_FLOAT, FORMAT_TEXT };

struct rng_settings {
    const char *generator, *variant, *output;
    uint64_t samples, first, seed, stream, streams, table, below, repeat;
    double probability;
    int format, distribution, interval;
    bool verify, dry_run;
    struct device_settings device;
};

struct rng {
    const struct rng_settings *set;
    const char *output;                  /* NULL: numbers stay on the device */
    bool endless;
    struct mw_random_draw draw;
    const char *distribution;            /* its name */
    size_t bytes, chunk;                 /* of a number; numbers that are made at once */
    struct team devices;
    struct mw_random *random;
    struct passes passes;
    uint64_t made;                       /* numbers of a pass, or written */
    uint64_t checked, checksum;          /* numbers at the beginning, and theirs */
    double start, build, verify, write;
};

/* Options of the generator that was asked for. */
struct mw_random_options rng_options(const struct rng_settings *set, const char *variant);

/* ---- write.c ---- */

/* Makes numbers and writes them, chunk by chunk, until all are there or nobody reads any more; fills in the one pass
 * and how many there were. */
int rng_write(struct rng *r);

/* ---- report.c ---- */

int rng_summary(const struct rng *r);
int rng_plan(const struct rng *r);
/* Refuses what --memory-limit leaves no room for.  MW_ELIMIT. */
int rng_check_memory(const struct rng *r);

#endif
/* SPDX-License-Identifier: MIT */

/* Shared by the files of `meshwork rng`: rng.c controls it, write.c writes numbers, report.c prints. */
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
    struct workflow flow;
    const struct rng_settings *set;
    const char *output; /* NULL: numbers stay on the device */
    bool endless;
    struct mw_random_draw draw;
    const char *distribution; /* name of the distribution */
    size_t bytes, chunk;      /* bytes per number; numbers per call */
    struct team devices;
    struct mw_random *random;
    struct passes passes;
    uint64_t made;              /* numbers per pass, or in all */
    uint64_t checked, checksum; /* the first numbers, and how many they are */
    double build, write;        /* seconds */
};

/* ---- write.c ---- */

/* Makes and writes numbers in chunks until all are written or the reader has ended.  Stores the time as a single pass,
 * and the count. */
int rng_write(struct rng *r);

/* ---- report.c ---- */

int rng_summary(void *task);
int rng_plan(void *task);
/* Rejects work that exceeds --memory-limit.  MW_ELIMIT. */
int rng_check_memory(const struct rng *r);

#endif
/* SPDX-License-Identifier: MIT */

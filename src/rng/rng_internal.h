/* Random numbers: what the files of this folder share. */
#ifndef MW_RNG_INTERNAL_H
#define MW_RNG_INTERNAL_H

#include <meshwork/rng.h>

#include "base/base.h"
#include "dev/kernel_set.h"
#include "rng/fill.clh"

#define STREAMED_BYTES ((size_t)8 << 20) /* results from here on are stored past the caches */

/* Who makes words. */
enum mw_random_source { MW_SOURCE_PHILOX, MW_SOURCE_THREEFRY, MW_SOURCE_STORED, MW_SOURCES };
enum mw_random_way { MW_WAY_BLOCKS, MW_WAY_SERIAL, MW_WAY_LANES, MW_WAY_TABLES, MW_WAY_STREAM };

/* The lagged Fibonacci generator's tables, which stand before a round. */
struct mw_ranmar {
    size_t streams, table, width;
    uint64_t round;
    bool started;
    struct mw_kernel_set *sets[2];       /* numbers, reals */
    struct mw_buffer *tables;            /* of MW_WAY_SERIAL `host` instead */
    uint32_t *host;
    struct mw_buffer *numbers;           /* of one round, where less is asked for */
    bool holds, holds_reals;
    uint64_t held;                       /* whose */
};

struct mw_random {
    struct mw_device *device;
    enum mw_random_source source;
    enum mw_random_way way;
    uint64_t seed;
    uint32_t stream;
    struct mw_kernel_set *sets[MW_SOURCES][2];   /* single, double */
    struct mw_ranmar ranmar;
    struct mw_buffer *stored;            /* numbers to be made into others */
    struct mw_random_parts *parts;       /* of the first device's: all devices, this one among them */
};

/* ---- rng.c ---- */

/* Those of one device; its options and draws are whole structs. */
int mw_random_one_new(struct mw_device *device, const struct mw_random_options *options, struct mw_random **random);
void mw_random_one_free(struct mw_random *random);
int mw_random_one_fill(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                       struct mw_buffer *to, size_t at);
/* Whether such numbers can be drawn; into a buffer, or where that is NULL to the host. */
int mw_random_check(const struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                    const struct mw_buffer *to, size_t at);

/* ---- fill.c ---- */

/* Numbers of a source into a buffer; those of the lagged Fibonacci generator stand in `numbers`, and become words as
 * `how` says. */
int mw_random_launch(struct mw_random *random, enum mw_random_source source, const struct mw_random_draw *draw,
                     uint64_t first, size_t count, struct mw_buffer *to, size_t at, struct mw_buffer *numbers,
                     uint32_t how);

/* ---- ranmar.c ---- */

/* Checks and completes what is asked for. */
int mw_ranmar_options(struct mw_random *random, const struct mw_random_options *options);
/* Its numbers of 24 bits, or of these singles in [0, 1). */
int mw_ranmar_fill(struct mw_random *random, bool reals, uint64_t first, size_t count, struct mw_buffer *to,
                   size_t at);
void mw_ranmar_free(struct mw_ranmar *ranmar);

#endif
/* SPDX-License-Identifier: MIT */

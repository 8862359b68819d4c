/* Random numbers: declarations shared by the files of this folder.  Internal. */
#ifndef MW_RNG_INTERNAL_H
#define MW_RNG_INTERNAL_H

#include <meshwork/rng.h>

#include "base/base.h"
#include "dev/own.h"
#include "rng/fill.clh"

#define STREAMED_BYTES ((size_t)8 << 20) /* results of this size or more bypass the caches */

/* Source of the words: a counter-based generator, or stored numbers of ranmar; MW_SOURCES is their number. */
enum mw_random_source { MW_SOURCE_PHILOX, MW_SOURCE_THREEFRY, MW_SOURCE_STORED, MW_SOURCES };
/* Variants, in the order of mw_random_variants. */
enum mw_random_way { MW_WAY_BLOCKS, MW_WAY_SERIAL, MW_WAY_LANES, MW_WAY_TABLES, MW_WAY_STREAM };

/* State of the lagged Fibonacci generator. A round makes one table's length of numbers of each stream. */
struct mw_ranmar {
    size_t streams, table, width;  /* streams; length of a table; streams that alternate: at most 32 */
    uint64_t round;                /* next round of the tables */
    bool started;                  /* the tables are valid */
    struct mw_kernel_set *sets[2]; /* integers, reals */
    struct mw_buffer *tables;      /* on the device; MW_WAY_SERIAL uses `host` instead */
    uint32_t *host;
    struct mw_buffer *numbers; /* one round, for requests of parts of a round */
    bool holds, holds_reals;   /* `numbers` is valid; has reals */
    uint64_t held;             /* round of `numbers` */
};

/* A generator on one device or several. */
struct mw_random {
    struct mw_owner owner; /* frees kernels, buffers and arrays */
    struct mw_device *device;
    enum mw_random_source source;
    enum mw_random_way way;
    uint64_t seed;
    uint32_t stream;
    struct mw_kernel_set *sets[MW_SOURCES][2]; /* single, double */
    struct mw_ranmar ranmar;
    struct mw_buffer *stored;      /* numbers of ranmar to be converted */
    struct mw_random_parts *parts; /* set for the first device: all devices, including this one */
};

/* ---- rng.c ---- */

/* Makes a generator on one device, as mw_random_new does; `options` must be a complete struct. */
int mw_random_one_new(struct mw_device *device, const struct mw_random_options *options, struct mw_random **random);
/* Frees a generator of mw_random_one_new. */
void mw_random_one_free(struct mw_random *random);
/* Queues writing numbers as mw_random_fill does, on one device; `draw` must be a complete struct. */
int mw_random_one_fill(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                       struct mw_buffer *to, size_t at);
/* Checks the arguments of mw_random_fill, or, if `to` is NULL, of mw_random_fill_host. */
int mw_random_check(const struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                    const struct mw_buffer *to, size_t at);

/* ---- fill.c ---- */

/* Queues a launch that writes numbers of a source to a buffer. For MW_SOURCE_STORED, `numbers` has numbers of ranmar,
 * and `how` (rng/fill.clh) is the way to convert them to words. */
int mw_random_launch(struct mw_random *random, enum mw_random_source source, const struct mw_random_draw *draw,
                     uint64_t first, size_t count, struct mw_buffer *to, size_t at, struct mw_buffer *numbers,
                     uint32_t how);

/* ---- ranmar.c ---- */

/* Sets the number of streams and the length of the table from the options or the variant's defaults, and checks them.
 * MW_EINVAL. */
int mw_ranmar_options(struct mw_random *random, const struct mw_random_options *options);
/* Writes numbers `first` to below first + count of ranmar to a buffer, from its element `at` on: integers of 24 bits,
 * or (`reals`) these as floats in [0, 1). */
int mw_ranmar_fill(struct mw_random *random, bool reals, uint64_t first, size_t count, struct mw_buffer *to, size_t at);

#endif
/* SPDX-License-Identifier: MIT */

/* Random numbers: declarations shared by the files of this folder.  Internal. */
#ifndef MW_RNG_INTERNAL_H
#define MW_RNG_INTERNAL_H

#include <meshwork/rng.h>

#include "base/base.h"
#include "dev/kernel_set.h"
#include "rng/fill.clh"

#define STREAMED_BYTES ((size_t)8 << 20) /* results of this size or more bypass the caches */

/* Source of the words: a counter-based generator, or stored numbers of ranmar. */
enum mw_random_source { MW_SOURCE_PHILOX, MW_SOURCE_THREEFRY, MW_SOURCE_STORED, MW_SOURCES };
enum mw_random_way { MW_WAY_BLOCKS, MW_WAY_SERIAL, MW_WAY_LANES, MW_WAY_TABLES, MW_WAY_STREAM };

/* State of the lagged Fibonacci generator: its tables, before a round. */
struct mw_ranmar {
    size_t streams, table, width;
    uint64_t round;
    bool started;
    struct mw_kernel_set *sets[2]; /* integers, reals */
    struct mw_buffer *tables;      /* MW_WAY_SERIAL uses `host` instead */
    uint32_t *host;
    struct mw_buffer *numbers; /* one round, for requests of parts of a round */
    bool holds, holds_reals;
    uint64_t held; /* round of `numbers` */
};

struct mw_random {
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

/* As the public calls, for one device; options and draws must be complete structs. */
int mw_random_one_new(struct mw_device *device, const struct mw_random_options *options, struct mw_random **random);
void mw_random_one_free(struct mw_random *random);
int mw_random_one_fill(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                       struct mw_buffer *to, size_t at);
/* Checks a request.  `to` is the buffer, or NULL for host memory. */
int mw_random_check(const struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                    const struct mw_buffer *to, size_t at);

/* ---- fill.c ---- */

/* Fills a buffer with numbers of a source.  Numbers of ranmar are in `numbers`, and are converted to words by `how`. */
int mw_random_launch(struct mw_random *random, enum mw_random_source source, const struct mw_random_draw *draw,
                     uint64_t first, size_t count, struct mw_buffer *to, size_t at, struct mw_buffer *numbers,
                     uint32_t how);

/* ---- ranmar.c ---- */

/* Checks the options and sets the defaults. */
int mw_ranmar_options(struct mw_random *random, const struct mw_random_options *options);
/* Fills with numbers of 24 bits, or (`reals`) with these as floats in [0, 1). */
int mw_ranmar_fill(struct mw_random *random, bool reals, uint64_t first, size_t count, struct mw_buffer *to, size_t at);
void mw_ranmar_free(struct mw_ranmar *ranmar);

#endif
/* SPDX-License-Identifier: MIT */

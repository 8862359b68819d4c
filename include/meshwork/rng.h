/* Streams of random numbers on devices.
 *
 * Number k of a stream depends only on the generator, the seed, the stream and k.  It has the same bits on every device
 * and for every division into calls.
 *
 * `philox` (Philox4x32-10) and `threefry` (Threefry4x32-20; both Salmon, Moraes, Dror, Shaw 2011) are counter-based: a
 * number at any position costs the same.  The four 32-bit words 4 b to 4 b + 3 have the counter (b, b >> 32, stream, 0)
 * and the key (seed, seed >> 32).  The words of Philox are those of cuRAND for the same seed and stream.
 *
 * `ranmar` is the lagged Fibonacci generator of Marsaglia, Zaman and Tsang 1990, with 24-bit integers.
 *   - Table: 97 entries, or another prime number.
 *   - Seeds: stream s has the authors' seeds ij = n / 30082 and kl = n % 30082, where
 *     n = (seed + 582459323 s) mod 942438978.  All streams of a seed begin differently.
 *   - Several streams form one sequence.  Up to 32 streams alternate number by number.  More streams are in groups of
 *     32: the sequence has one table length of numbers from group 0, then as many from group 1, and so on.
 *   - Position: a number is reached by computing all earlier ones; a call continues at the end of the last call.
 *   - Words: four numbers make three 32-bit words, lower bits first.
 *
 * Threads: a generator belongs to the thread of its devices (device.h). */
#ifndef MESHWORK_RNG_H
#define MESHWORK_RNG_H

#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of generator: philox, threefry or ranmar. */
struct mw_random_generator { /* the library's, may grow */
    const char *name, *description;
};
/* Returns kind of generator number i, or NULL beyond the last one. */
MW_API const struct mw_random_generator *mw_random_generators(size_t i);
/* Returns row i of the table of variants: a name, a description and an alias.  Returns NULL beyond the last row.  All
 * variants of a generator make the same numbers, with the same streams and table. */
MW_API const struct mw_variant *mw_random_variants(size_t i);

/* The generator, its seed, and its streams. */
struct mw_random_options {
    size_t size;           /* sizeof the struct: see status.h */
    const char *generator; /* name of the kind of generator; NULL: philox */
    const char *variant;   /* NULL or "auto": chosen by generator, streams, table and device */
    uint64_t seed;
    uint32_t stream; /* for philox and threefry: number of the stream */
    size_t streams;  /* for ranmar: number of streams, 1 to 32, or a multiple of 32 below 2^29; 0: 24 with
                              * variant `lanes`, 8192 with variant `tables`, otherwise 1 */
    size_t table;    /* for ranmar: length of the table, a prime from 5 to 2^24; 0: 92153 with variant `stream`,
                              * otherwise 97 */
};

/* Distributions of numbers, with their C type.  Numbers are made from 32-bit words of the generator. */
enum mw_random_kind {
    MW_RANDOM_BITS,           /* uint32_t: a word */
    MW_RANDOM_FLOATS,         /* float, uniform, a multiple of 2^-24: from the upper bits of a word, or from a
                                * number of ranmar */
    MW_RANDOM_DOUBLES,        /* double, uniform, a multiple of 2^-53: from two words, lower bits first */
    MW_RANDOM_NORMAL_FLOATS,  /* float, normal with mean 0 and variance 1: from a word */
    MW_RANDOM_NORMAL_DOUBLES, /* double, normal with mean 0 and variance 1: from two words */
    MW_RANDOM_BELOW,          /* uint32_t, uniform from 0 to n - 1: from a word; a rejected word is replaced by one
                                * of Philox, for every generator */
    MW_RANDOM_BERNOULLI,      /* uint32_t: each bit is 1 with probability p / 2^32; philox and threefry only */
    MW_RANDOM_NUMBERS         /* uint32_t below 2^24: a number of ranmar, or the upper bits of a word */
};
MW_API const char *mw_random_kind_name(int value); /* Name, see status.h: "bits", "float", "double", ... */
MW_API int mw_random_kind_find(const char *name, enum mw_random_kind *value);

/* Intervals of uniform reals. */
enum mw_random_interval {
    MW_RANDOM_INTERVAL_LOWER, /* [0, 1): includes 0 */
    MW_RANDOM_INTERVAL_UPPER, /* (0, 1]: includes 1 */
    MW_RANDOM_INTERVAL_OPEN   /* (0, 1): includes neither */
};
MW_API const char *mw_random_interval_name(int value); /* Name, see status.h: "lower", "upper", "open" */
MW_API int mw_random_interval_find(const char *name, enum mw_random_interval *value);

/* A distribution with its parameters. */
struct mw_random_draw {
    size_t size; /* sizeof the struct: see status.h */
    enum mw_random_kind kind;
    enum mw_random_interval interval;
    uint64_t below;       /* n of MW_RANDOM_BELOW, from 1 to 2^32 */
    uint32_t probability; /* p of MW_RANDOM_BERNOULLI */
};
/* Returns the size in bytes of one number of a kind: 4 or 8. */
MW_API size_t mw_random_bytes(enum mw_random_kind kind);

/* A generator on one device or several. */
struct mw_random;
/* Makes a generator on one device or several.  The devices must outlive it.  Its kernels are built at their first use.
 *
 * Each of several devices has a thread of its own.
 *   - philox, threefry: the devices make pieces of one stream, which is the same as on one device.
 *   - ranmar: each device has its own tables.  Of N devices, device n mod N makes piece n.  Device 0 has the seed of
 *     the options.  The seed of device d > 0 is words 0 (lower) and 1 of Philox with counter (d, 0, 0, 1) and key
 *     (seed, seed >> 32).
 * Errors: MW_EINVAL (unknown generator or variant, invalid streams or table, a device given twice), MW_ENOTSUP (the
 * variant does not support the generator or the device), MW_ENOMEM. */
MW_API int mw_random_new(struct mw_device *const *devices, size_t count, const struct mw_random_options *options,
                         struct mw_random **random);
MW_API void mw_random_free(struct mw_random *random);
/* Returns the name of the chosen variant. */
MW_API const char *mw_random_variant(const struct mw_random *random);
/* Returns the number of streams of ranmar; 1 for other generators. */
MW_API size_t mw_random_streams(const struct mw_random *random);
/* Returns the length of ranmar's table; 0 for other generators. */
MW_API size_t mw_random_table(const struct mw_random *random);
/* Returns the length in numbers of the pieces by which ranmar alternates between several devices; 0 for other
 * generators, and on one device. */
MW_API size_t mw_random_piece(const struct mw_random *random);

/* Writes numbers first, ..., first + count - 1 of the stream to a buffer of the first device, from its element `at` on;
 * does not wait.  After a failure the generator can still be used.
 * Errors: MW_EINVAL (`draw` is invalid, or the buffer is too small), MW_ELIMIT (`first` or `count` beyond 2^60),
 * MW_ENOTSUP (doubles on a device without double precision; MW_RANDOM_BERNOULLI with ranmar; ranmar on several
 * devices), those of mw_program_new and mw_launch.
 * Cost: ranmar restarts at number 0 if `first` is before the end of the last call, or the C type differs. */
MW_API int mw_random_fill(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                          struct mw_buffer *to, size_t at);
/* Writes numbers of the stream to host memory; waits.  `to` NULL: the numbers stay on the devices, to measure the
 * speed.  The generator keeps its memory on the devices for the next call.  Errors: those of mw_random_fill and
 * mw_buffer_read; ranmar may be on several devices. */
MW_API int mw_random_fill_host(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first,
                               size_t count, void *to);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

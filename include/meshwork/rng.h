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

/* Names and describes a kind of generator: philox, threefry or ranmar. */
struct mw_random_generator { /* the library's, may grow */
    const char *name, *description;
};
/* Returns row i of the table of kinds of generators.  Returns NULL beyond the last row. */
MW_API const struct mw_random_generator *mw_random_generators(size_t i);
/* Returns row i of the table of variants: a name, a description and an alias.  Returns NULL beyond the last row.  All
 * variants of a kind of generator make the same numbers, if the options `streams` and `table` are equal. */
MW_API const struct mw_variant *mw_random_variants(size_t i);

/* Options of mw_random_new: they select the kind of generator, its seed, and its stream or streams. */
struct mw_random_options {
    size_t size;           /* sizeof the struct: see status.h */
    const char *generator; /* name of the kind of generator; NULL: philox */
    const char *variant;   /* name in mw_random_variants; NULL or "auto": chosen by the other options and device */
    uint64_t seed;         /* seed: any number */
    uint32_t stream;       /* only for philox and threefry: selects one of 2^32 streams */
    /* Only for ranmar: number of streams that form the sequence.  Must be 1 to 32, or a multiple of 32 below 2^29; 1
     * for variant `stream`.  0: 24 with variant `lanes`, 8192 with variant `tables`, otherwise 1. */
    size_t streams;
    /* Only for ranmar: number of entries of each stream's table, a prime from 5 to 2^24.  0: 92153 with variant
     * `stream`, otherwise 97. */
    size_t table;
};

/* Distributions of numbers.  Each comment has the C type of a number, then the 32-bit words of the generator from which
 * it is made. */
enum mw_random_kind {
    MW_RANDOM_BITS,           /* uint32_t: a word */
    MW_RANDOM_FLOATS,         /* float, uniform, a multiple of 2^-24: from the upper bits of a word, or from a
                                * number of ranmar */
    MW_RANDOM_DOUBLES,        /* double, uniform, a multiple of 2^-53: from two words, lower bits first */
    MW_RANDOM_NORMAL_FLOATS,  /* float, normal with mean 0 and variance 1: from a word */
    MW_RANDOM_NORMAL_DOUBLES, /* double, normal with mean 0 and variance 1: from two words */
    MW_RANDOM_BELOW,          /* uint32_t, uniform from 0 to n - 1 (member `below`): from a word; a word that would
                                * bias the result is replaced by words of Philox, for every generator */
    MW_RANDOM_BERNOULLI,      /* uint32_t: each of its 32 bits is 1 with probability p / 2^32 (member `probability`);
                                * philox and threefry only */
    MW_RANDOM_NUMBERS         /* uint32_t below 2^24: a number of ranmar, or the upper bits of a word */
};
MW_API const char *mw_random_kind_name(int value); /* Name, see status.h: "bits", "float", "double", ... */
MW_API int mw_random_kind_find(const char *name, enum mw_random_kind *value);

/* Intervals of MW_RANDOM_FLOATS and MW_RANDOM_DOUBLES. */
enum mw_random_interval {
    MW_RANDOM_INTERVAL_LOWER, /* [0, 1): includes 0 */
    MW_RANDOM_INTERVAL_UPPER, /* (0, 1]: includes 1 */
    MW_RANDOM_INTERVAL_OPEN   /* (0, 1): includes neither */
};
MW_API const char *mw_random_interval_name(int value); /* Name, see status.h: "lower", "upper", "open" */
MW_API int mw_random_interval_find(const char *name, enum mw_random_interval *value);

/* Selects a distribution and its parameters, for mw_random_fill and mw_random_fill_host. */
struct mw_random_draw {
    size_t size;                      /* sizeof the struct: see status.h */
    enum mw_random_kind kind;         /* distribution */
    enum mw_random_interval interval; /* interval of MW_RANDOM_FLOATS and MW_RANDOM_DOUBLES */
    uint64_t below;                   /* n of MW_RANDOM_BELOW, from 1 to 2^32 */
    uint32_t probability;             /* p of MW_RANDOM_BERNOULLI */
};
/* Returns the size in bytes of one number of a distribution: 8 for the two of doubles, otherwise 4. */
MW_API size_t mw_random_bytes(enum mw_random_kind kind);

/* Handle of a generator of random numbers, on one device or several. */
struct mw_random;
/* Makes a generator.  Its kernels are built at their first use.  The devices must outlive the generator.
 *
 * On several devices, mw_random_fill_host uses one thread per device:
 *   - philox, threefry: each device makes pieces of the stream.  The numbers are the same as on one device.
 *   - ranmar: each device has its own tables and seed, so the sequence is another one than on one device.  Pieces have
 *     mw_random_piece numbers, and device n mod N makes piece n (N: number of devices).  Device 0 has the seed of the
 *     options.  Device d > 0 has a seed from Philox with counter (d, 0, 0, 1) and key (seed, seed >> 32): word 0 is its
 *     lower half, word 1 its upper half.
 * Errors: MW_EINVAL (unknown generator or variant, invalid streams or table, a device given twice), MW_ENOTSUP (the
 * variant does not support the generator or the device), MW_ENOMEM. */
MW_API int mw_random_new(struct mw_device *const *devices, size_t count, const struct mw_random_options *options,
                         struct mw_random **random);
MW_API void mw_random_free(struct mw_random *random);
/* Returns the name of the chosen variant. */
MW_API const char *mw_random_variant(const struct mw_random *random);
/* Returns the number of streams of ranmar; 1 for other generators. */
MW_API size_t mw_random_streams(const struct mw_random *random);
/* Returns the number of entries of a table of ranmar; 0 for other generators. */
MW_API size_t mw_random_table(const struct mw_random *random);
/* Returns how many consecutive numbers of the sequence ranmar takes from one of several devices before the next device
 * continues.  Returns 0 for other generators, and on one device. */
MW_API size_t mw_random_piece(const struct mw_random *random);

/* Queues writing numbers of the stream to a buffer of the first device.  Only ranmar may wait: with variant `serial`,
 * and when it starts at number 0.  After a failure the generator can still be used.
 *   - draw: distribution of the numbers.
 *   - first: position in the stream of the first number, from 0 on.
 *   - count: how many consecutive numbers are written; may be 0.
 *   - to: buffer that receives them.
 *   - at: index in `to` of the first number; unit: numbers, not bytes.
 * Errors: MW_EINVAL (`draw` is invalid, or the buffer is too small); MW_ELIMIT (`first` or `count` is above 2^60);
 * MW_ENOTSUP (doubles on a device without double precision; MW_RANDOM_BERNOULLI with ranmar; ranmar on several
 * devices); those of mw_program_new and mw_launch.
 * Cost: ranmar is fast only if each call continues at the end of the last one, with the same C type.  Otherwise it may
 * compute all numbers from 0 to `first` again. */
MW_API int mw_random_fill(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                          struct mw_buffer *to, size_t at);
/* Writes numbers of the stream to host memory, by all devices of the generator; waits.
 *   - draw, first, count: as in mw_random_fill.
 *   - to: receives the numbers.  NULL: they stay on the devices, so that a program can measure the speed.
 * The generator keeps the memory on the devices for later calls.  Errors: those of mw_random_fill and mw_buffer_read,
 * except that ranmar is supported on several devices. */
MW_API int mw_random_fill_host(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first,
                               size_t count, void *to);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

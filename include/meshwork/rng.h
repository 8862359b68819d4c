/* Streams of random numbers on devices.
 *
 * Number k of a stream is a function of generator, seed, stream and k alone: the same bits on all devices, for all
 * threads, in whichever pieces it is asked for.
 *
 * `philox` (Philox4x32-10) and `threefry` (Threefry4x32-20; both Salmon, Moraes, Dror, Shaw 2011) compute words from
 * their position: any number costs the same. Words 4 b to 4 b + 3 belong to the counter (b, b >> 32, stream, 0) and the
 * key (seed, seed >> 32). Philox's words are those of cuRAND for (seed, stream).
 *
 * `ranmar` is the lagged Fibonacci generator of Marsaglia, Zaman and Tsang 1990, in integers of 24 bits.  Its table has
 * 97 or another prime number of entries.  Its stream s begins with its authors' seeds ij = n / 30082 and kl = n % 30082
 * of n =
 * (seed + 582459323 s) mod 942438978.  Seed ij * 30082 + kl is therefore theirs, and no two of as many streams begin
 * equally.  Several streams form one sequence: up to 32 alternate, number by number.  More are in groups of 32: first a
 * table's length of numbers from group 0, within which streams alternate, then as many from group 1, and so on.  A
 * position is reached by computing all earlier numbers; calls continue where the last one ended.  Four numbers make
 * three words, lower bits first.
 *
 * Threads: a generator belongs to its device's thread (device.h). */
#ifndef MESHWORK_RNG_H
#define MESHWORK_RNG_H

#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A generator of random numbers. */
struct mw_random_generator { /* the library's, may grow */
    const char *name, *description;
};
/* Returns generator i, or NULL beyond the last one. */
MW_API const struct mw_random_generator *mw_random_generators(size_t i);
/* Returns row i of the table of variants, which describes each; NULL beyond the last one. All variants of a generator
 * make the same numbers. */
MW_API const struct mw_variant *mw_random_variants(size_t i);

struct mw_random_options {
    size_t size;           /* sizeof the struct: see status.h */
    const char *generator; /* NULL: philox */
    const char *variant;   /* NULL or "auto": what suits generator, streams and device, with the same numbers */
    uint64_t seed;
    uint32_t stream; /* philox, threefry */
    size_t streams;  /* ranmar: 1 to 32, or a multiple of 32 below 2^29; 0: 1; where a variant is asked for,
                              * its own (24 of `lanes`, 8192 of `tables`) */
    size_t table;    /* ranmar: length of the table, a prime from 5 to 2^24; 0: 97, of `stream` 92153 */
};

/* Distributions of numbers, with their C type. */
enum mw_random_kind {
    MW_RANDOM_BITS,           /* uint32_t: a word */
    MW_RANDOM_FLOATS,         /* float, uniform: multiples of 2^-24, from a word's upper bits, or a number of ranmar */
    MW_RANDOM_DOUBLES,        /* double, uniform: multiples of 2^-53, from two words, the upper one second */
    MW_RANDOM_NORMAL_FLOATS,  /* float, normal with mean 0 and variance 1: from a word */
    MW_RANDOM_NORMAL_DOUBLES, /* double, from two words */
    MW_RANDOM_BELOW,          /* uint32_t below n, all equally often: a word, of which a few are drawn again, by
                                * Philox whatever the generator */
    MW_RANDOM_BERNOULLI,      /* uint32_t: each bit is 1 with probability p / 2^32; philox and threefry only */
    MW_RANDOM_NUMBERS         /* uint32_t: the numbers of 24 bits of ranmar, of others a word's upper bits */
};
MW_API const char *mw_random_kind_name(int value); /* status.h: "bits", "float", "double", ... */
MW_API int mw_random_kind_find(const char *name, enum mw_random_kind *value);

/* Intervals of uniform reals: [0, 1); (0, 1]; (0, 1), which are odd multiples. */
enum mw_random_interval { MW_RANDOM_INTERVAL_LOWER, MW_RANDOM_INTERVAL_UPPER, MW_RANDOM_INTERVAL_OPEN };
MW_API const char *mw_random_interval_name(int value); /* status.h: "lower", "upper", "open" */
MW_API int mw_random_interval_find(const char *name, enum mw_random_interval *value);

/* A distribution with its parameters. */
struct mw_random_draw {
    size_t size; /* sizeof the struct: see status.h */
    enum mw_random_kind kind;
    enum mw_random_interval interval;
    uint64_t below;       /* for MW_RANDOM_BELOW: n, from 1 to 2^32 */
    uint32_t probability; /* for MW_RANDOM_BERNOULLI: p of p / 2^32 */
};
/* Returns the bytes of one number of a kind. */
MW_API size_t mw_random_bytes(enum mw_random_kind kind);

/* A generator on one device or several. */
struct mw_random;
/* Makes a generator on one device or several, which must outlive it. Its kernels are built when they are first needed.
 *
 * Several devices have a thread each.  With philox and threefry they make the same stream as one device, in pieces, as
 * fast as each can.  With ranmar each has its own tables, and they alternate: piece n is the next one of device n mod N
 * of N devices.  The first one's seed is that of the options.  The seed of device d > 0 is words 0 (lower)
 * and 1 of Philox's counter (d, 0, 0, 1) and key (seed, seed >> 32).
 * Errors: MW_EINVAL (unknown generator, streams or table; a device twice), MW_ENOTSUP (a variant that the generator or
 * the device lacks), MW_ENOMEM. */
MW_API int mw_random_new(struct mw_device *const *devices, size_t count, const struct mw_random_options *options,
                         struct mw_random **random);
MW_API void mw_random_free(struct mw_random *random);
/* Returns the name of the chosen variant. */
MW_API const char *mw_random_variant(const struct mw_random *random);
/* Returns the number of streams of ranmar; 1 for other generators. */
MW_API size_t mw_random_streams(const struct mw_random *random);
/* Returns the length of ranmar's table; 0 for other generators. */
MW_API size_t mw_random_table(const struct mw_random *random);
/* Returns the length of the pieces by which ranmar alternates between several devices; 0 if the numbers do not depend
 * on the devices. */
MW_API size_t mw_random_piece(const struct mw_random *random);

/* Queues writing numbers `first` to below first + count into a buffer of the first device, from its element `at` on.
 * Errors: MW_EINVAL, MW_ELIMIT (numbers beyond 2^60), MW_ENOTSUP (doubles on a device without them; Bernoulli bits of
 * ranmar; ranmar on several devices), those of mw_program_new and mw_launch. After a failure it may be called again.
 * With ranmar, earlier numbers and numbers of another C type are reached from number 0 on. */
MW_API int mw_random_fill(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                          struct mw_buffer *to, size_t at);
/* Makes numbers as mw_random_fill does, into host memory, through memory of the devices, which is kept; waits. With
 * `to` NULL, numbers stay on the devices, to measure the speed. Errors: those of mw_random_fill and mw_buffer_read. */
MW_API int mw_random_fill_host(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first,
                               size_t count, void *to);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

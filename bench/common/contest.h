/* A contest: contenders take turns in rounds, and their times are compared.
 *
 * Machines drift, and the place of a buffer in memory changes its bandwidth.  Contenders therefore allocate once and
 * take turns in every round; ratios are taken within a round, and medians are printed. */
#ifndef CONTEST_H
#define CONTEST_H

#include "bench/common/bench.h"

#define BENCH_SLOW 1.0 /* seconds: slower contenders have one turn */
#define BENCH_LONG                                                                                                     \
    5.0 /* seconds by its own clock, and limit of expected times: slower contenders are
                                          * left out */

/* A contender.  Its functions get `of`, and return 0 or a status. */
struct bench_contender {
    const char *name; /* name in lines, if it differs */
    void *of;
    int (*prepare)(void *of);         /* called before all turns; MW_ENOTSUP: does not take part.  May be NULL */
    int (*run)(void *of, int passes); /* timed: runs several passes; one without a stretch */
    double (*seconds)(void *of);      /* instead of `run`: returns the seconds of a pass by its own clock; NaN: does
                                          * not take part */
    int (*check)(void *of);           /* checks the result of its first pass.  May be NULL */
    void (*finish)(void *of);         /* called after all turns, also if it does not take part.  May be NULL */
    struct mw_device *device;         /* a turn ends when its queue is empty; may be NULL */
    double moved;                     /* minimum bytes read and written per pass */
    bool warm;                        /* each turn starts with an untimed pass, to refill caches and wake threads */

    bool out; /* does not take part */
    int passes, rounds;
    double second[BENCH_ROUNDS_MAX]; /* seconds per pass, by round */
};

/* `stretch`: seconds per turn, reached by several passes; 0: one pass per turn, to test a bench. */
struct bench_contest {
    const char *name;
    double stretch;
};

/* Prepares the contenders, runs and checks each twice, then lets them take turns: one warm-up round (fresh memory is
 * slower), then the requested rounds.  Prints lines if requested. */
void bench_contest(const struct bench *bench, const struct bench_contest *contest, struct bench_contender *contenders,
                   size_t count);

/* ---- results; NaN for a contender that did not take part ---- */

struct bench_spread {
    double median, least, most;
};
struct bench_spread bench_seconds(const struct bench_contender *c);
/* Returns a quantile of the turns' seconds; part: 0 to 1. */
double bench_quantile(const struct bench_contender *c, double part);
/* Returns the ratio of a's seconds to b's. */
struct bench_spread bench_ratio(const struct bench_contender *a, const struct bench_contender *b);
/* Returns the ratio of a's bandwidth to b's, from the bytes moved by both. */
struct bench_spread bench_bandwidth(const struct bench_contender *a, const struct bench_contender *b);

/* ---- common contenders ---- */

/* A copy from one buffer to another on a device, as a contender. */
struct bench_copy {
    struct mw_device *device;
    size_t bytes;
    struct mw_buffer *from, *to; /* NULL: allocates its own */
    bool own;
};
struct bench_contender bench_copier(struct bench_copy *copy);

/* Another library; the script runs one line for it. */
struct bench_rival {
    struct python *python;
    const char *name;
    char line[512];
};
struct bench_contender bench_rival(struct bench_rival *rival);

/* Returns a placeholder that does not take part. */
struct bench_contender bench_nobody(const char *name);

/* The last time of a contender for tasks of one kind; a kind's text after a comma is ignored. */
struct bench_past {
    const char *kind;
    double size, seconds;
};
/* Returns whether a contender is to be left out at a size: its last time exceeds BENCH_SLOW, or the expected time
 * BENCH_LONG.  Time is assumed to grow with the square of the size. */
bool bench_takes_long(const struct bench_past *past, const char *kind, double size);

#endif
/* SPDX-License-Identifier: MIT */

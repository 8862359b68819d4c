/* A contest: contenders that take turns in rounds, and what their times come to.
 *
 * Machines drift, and a buffer's place in memory alone moves a bandwidth between levels: so contenders allocate once,
 * take turns one behind the other in every round, and ratios are of the same round; what is printed are medians. */
#ifndef CONTEST_H
#define CONTEST_H

#include "bench/common/bench.h"

#define BENCH_SLOW 1.0                   /* seconds: so slow a contender has one turn */
#define BENCH_LONG 5.0                   /* the same by its own clock; and so slow a one is not to be tried */

/* What takes part: the calls get `of`, and give 0 or a status. */
struct bench_contender {
    const char *name;                    /* for lines: another one than those of its contest have */
    void *of;
    int (*prepare)(void *of);            /* before all turns; MW_ENOTSUP: it does not take part.  May be NULL */
    int (*run)(void *of, int passes);    /* what is timed: some passes one behind the other; one without a stretch */
    double (*seconds)(void *of);         /* instead of `run`: a pass by its own clock; NaN: it does not take part */
    int (*check)(void *of);              /* of the result of its first pass.  May be NULL */
    void (*finish)(void *of);            /* behind all turns, also of one that does not take part.  May be NULL */
    struct mw_device *device;            /* whose queue has to be empty for a turn to be over; may be NULL */
    double moved;                        /* bytes that a pass has to read and write at least */
    bool warm;                           /* each turn has an untimed pass first: caches and threads come back */

    bool out;                            /* it did not take part */
    int passes, rounds;
    double second[BENCH_ROUNDS_MAX];     /* of a pass, by round */
};

/* `stretch`: seconds of a turn, of as many passes; 0: a turn is one pass, as where a bench is only tried. */
struct bench_contest { const char *name; double stretch; };

/* Prepares the contenders, has each run twice and checked, and lets them take turns in
 * one round to warm up (fresh memory is slower) and in those that are asked for.  Where lines are wanted, prints
 * them. */
void bench_contest(const struct bench *bench, const struct bench_contest *contest, struct bench_contender *contenders,
                   size_t count);

/* ---- what it came to; NaN of one that did not take part ---- */

struct bench_spread { double median, least, most; };
struct bench_spread bench_seconds(const struct bench_contender *c);
/* What a part of the turns stays below, 0 to 1. */
double bench_quantile(const struct bench_contender *c, double part);
/* Of a's seconds to b's. */
struct bench_spread bench_ratio(const struct bench_contender *a, const struct bench_contender *b);
/* Of a's bandwidth to b's, by the bytes that both move. */
struct bench_spread bench_bandwidth(const struct bench_contender *a, const struct bench_contender *b);

/* ---- who takes part in many contests ---- */

/* A plain copy on a device. */
struct bench_copy {
    struct mw_device *device;
    size_t bytes;
    struct mw_buffer *from, *to;         /* NULL: buffers of its own */
    bool own;
};
struct bench_contender bench_copier(struct bench_copy *copy);

/* Another library, which a line asks the script for. */
struct bench_rival { struct python *python; const char *name; char line[512]; };
struct bench_contender bench_rival(struct bench_rival *rival);

/* One who does not take part, in the place of somebody. */
struct bench_contender bench_nobody(const char *name);

/* What a contender took last, by words for what it did; those behind a comma do not count.  Rounds grow at most as
 * sizes do, or are as many as there are components: time grows at most as their square. */
struct bench_past { const char *kind; double size, seconds; };
bool bench_takes_long(const struct bench_past *past, const char *kind, double size);

#endif
/* SPDX-License-Identifier: MIT */

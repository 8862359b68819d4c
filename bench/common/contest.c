#include "bench/common/contest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double turn(struct bench_contender *c, int passes)
{
    if (c->seconds)
        return c->seconds(c->of);
    if (c->warm && (c->run(c->of, 1) != 0 || (c->device && mw_device_finish(c->device) != 0)))
        bench_die(c->name);
    const double start = mw_now();
    if (c->run(c->of, passes) != 0 || (c->device && mw_device_finish(c->device) != 0))
        bench_die(c->name);
    return mw_now() - start;
}

static void prepare(struct bench_contender *c, double stretch)
{
    const int rc = c->prepare ? c->prepare(c->of) : 0;
    c->out = rc == MW_ENOTSUP;
    c->passes = 1;
    if (c->out)
        return;
    if (rc != 0)
        bench_die(c->name);
    double one = turn(c, 1); /* some drivers compile only now, so the time does not count */
    if (c->check && !isnan(one) && c->check(c->of) != 0)
        bench_die(c->name);
    if (!isnan(one))
        one = c->seconds || stretch == 0 ? turn(c, 1) : turn(c, 2) / 2;
    c->out = isnan(one);
    if (one < stretch && !c->seconds)
        c->passes = (int)fmin(stretch / one, 1e9);
    for (int r = 0; r < BENCH_ROUNDS_MAX; r++)
        c->second[r] = one;
}

static bool has_one_turn(const struct bench_contender *c)
{
    return c->out || c->second[0] > (c->run ? BENCH_SLOW : BENCH_LONG);
}

void bench_contest(const struct bench *bench, const struct bench_contest *contest, struct bench_contender *contenders,
                   size_t count)
{
    bool once[count + 1];
    for (size_t i = 0; i < count; i++) {
        prepare(&contenders[i], bench->small ? 0 : contest->stretch);
        once[i] = has_one_turn(&contenders[i]);
        contenders[i].rounds = bench->rounds;
    }
    for (int r = -1; r < bench->rounds; r++)
        for (size_t i = 0; i < count; i++)
            if (!once[i])
                contenders[i].second[r < 0 ? 0 : r] = turn(&contenders[i], contenders[i].passes) / contenders[i].passes;
    for (size_t i = 0; i < count; i++) {
        struct bench_contender *c = &contenders[i];
        if (bench->lines && !c->out)
            printf("%s %s: %s\t%.9g\n", program_invocation_short_name, contest->name, c->name, bench_seconds(c).median);
        if (c->finish)
            c->finish(c->of);
    }
    fflush(stdout);
}

/* ---- results ---- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort(const double *values, int n, double sorted[BENCH_ROUNDS_MAX])
{
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
}

static struct bench_spread spread(const double *values, int n)
{
    double sorted[BENCH_ROUNDS_MAX];
    sort(values, n, sorted);
    return (struct bench_spread){ sorted[n / 2], sorted[0], sorted[n - 1] };
}

struct bench_spread bench_seconds(const struct bench_contender *c)
{
    return c->out ? (struct bench_spread){ NAN, NAN, NAN } : spread(c->second, c->rounds);
}

double bench_quantile(const struct bench_contender *c, double part)
{
    double sorted[BENCH_ROUNDS_MAX];
    if (c->out)
        return NAN;
    sort(c->second, c->rounds, sorted);
    return sorted[(int)fmin(part * c->rounds, c->rounds - 1)];
}

/* Returns the ratio of a's seconds to b's, times a factor. */
static struct bench_spread quotient(const struct bench_contender *a, const struct bench_contender *b, double times)
{
    double ratio[BENCH_ROUNDS_MAX];
    if (a->out || b->out)
        return (struct bench_spread){ NAN, NAN, NAN };
    for (int r = 0; r < a->rounds; r++)
        ratio[r] = times * a->second[r] / b->second[r];
    return spread(ratio, a->rounds);
}

struct bench_spread bench_ratio(const struct bench_contender *a, const struct bench_contender *b)
{
    return quotient(a, b, 1);
}

struct bench_spread bench_bandwidth(const struct bench_contender *a, const struct bench_contender *b)
{
    return quotient(b, a, a->moved / b->moved);
}

/* ---- common contenders ---- */

static int copy_prepare(void *of)
{
    struct bench_copy *copy = of;
    int rc = 0;
    if (copy->from)
        return 0;
    copy->own = true;
    TRY(mw_buffer_new(copy->device, copy->bytes, &copy->from));
    TRY(mw_buffer_new(copy->device, copy->bytes, &copy->to));
    TRY(mw_buffer_fill(copy->from, 0, copy->bytes, 0));
    TRY(mw_buffer_fill(copy->to, 0, copy->bytes, 0));
out:
    return rc;
}

static int copy_run(void *of, int passes)
{
    const struct bench_copy *copy = of;
    int rc = 0;
    for (int i = 0; i < passes && rc == 0; i++) {
        struct mw_event *done = NULL; /* needed, otherwise the call would block */
        rc = mw_buffer_copy(copy->from, 0, copy->to, 0, copy->bytes, &done);
        mw_event_free(done);
    }
    return rc;
}

static void copy_finish(void *of)
{
    struct bench_copy *copy = of;
    if (!copy->own)
        return;
    mw_buffer_free(copy->from);
    mw_buffer_free(copy->to);
    copy->from = copy->to = NULL;
    copy->own = false;
}

struct bench_contender bench_copier(struct bench_copy *copy)
{
    return (struct bench_contender){ .name = "copy",
                                     .of = copy,
                                     .prepare = copy_prepare,
                                     .run = copy_run,
                                     .finish = copy_finish,
                                     .device = copy->device,
                                     .moved = 2 * (double)copy->bytes,
                                     .warm = true };
}

static double rival_seconds(void *of)
{
    struct bench_rival *rival = of;
    return python_seconds(rival->python, rival->line, NULL, 0);
}

struct bench_contender bench_rival(struct bench_rival *rival)
{
    return (struct bench_contender){ .name = rival->name, .of = rival, .seconds = rival_seconds };
}

static int stays_out(void *of) { return MW_ENOTSUP; }

struct bench_contender bench_nobody(const char *name)
{
    return (struct bench_contender){ .name = name, .prepare = stays_out };
}

bool bench_takes_long(const struct bench_past *past, const char *kind, double size)
{
    const size_t n = strcspn(kind, ",");
    if (!past->kind || strcspn(past->kind, ",") != n || strncmp(past->kind, kind, n) != 0)
        return false;
    const double larger = size / past->size;
    return past->seconds > BENCH_SLOW || past->seconds * larger * larger > BENCH_LONG;
}
/* SPDX-License-Identifier: MIT */

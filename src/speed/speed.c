/* Measures the speed of a device. */
#include <meshwork/speed.h>

#include "dev/core/backend.h"
#include "dev/core/given.h"
#include "kernels/native.h"
#include "kernels/speed/speed.h"
#include "prim/prim_internal.h"
#include "speed/sizes.clh"

enum { TURNS = 5 };
#define STRETCH 0.02 /* target seconds per round */
#define PASSES_MOST 100000
#define BUFFER_MOST ((size_t)256 << 20) /* larger than all caches */
#define BUFFER_LEAST ((size_t)4096)     /* divides into whole vectors for any number of parts */
#define MANY_WORDS ((uint32_t)1 << 16)
#define ITEMS_A_UNIT 8192 /* for arithmetic kernels on GPUs; the next one on CPU cores */
#define ITEMS_A_CORE 64

static const struct mw_prim_program single = { &kernels_speed_speed, "", mw_native_speed_f32, false, true, NULL };
static const struct mw_prim_program twice = {
    &kernels_speed_speed, "#define REAL_DOUBLE 1\n", mw_native_speed_f64, true, true, NULL
};

struct meter {
    struct mw_owner owner; /* frees the primitives and the buffers */
    struct mw_device *device;
    struct mw_prim *prim;
    const struct mw_prim_program *program;
    struct mw_buffer *a, *b, *c;
    char *host; /* host memory of transfers */
    size_t bytes, items;
    uint32_t mask;
};

/* ---- timing ---- */

typedef int pass_fn(struct meter *m);

static int seconds_of(struct meter *m, pass_fn *pass, bool waits, int passes, double *seconds)
{
    const double start = mw_now();
    for (int i = 0; i < passes; i++) {
        TRY_RETURN(pass(m));
        if (waits)
            TRY_RETURN(mw_device_finish(m->device));
    }
    TRY_RETURN(mw_device_finish(m->device));
    *seconds = (mw_now() - start) / passes;
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median of TURNS rounds, each of enough passes for STRETCH seconds.  Passes are queued one after another,
 * or each is waited for.  Before that, one warm-up pass, in which drivers compile, and two passes that give the time of
 * a pass. */
static int speed_measure(struct meter *m, pass_fn *pass, bool waits, double *seconds)
{
    double turn[TURNS], one;
    int passes;
    TRY_RETURN(seconds_of(m, pass, waits, 1, &one));
    TRY_RETURN(seconds_of(m, pass, waits, 2, &one));
    passes = one * PASSES_MOST < STRETCH ? PASSES_MOST : one < STRETCH ? (int)(STRETCH / one) : 1;
    for (int i = 0; i < TURNS; i++)
        TRY_RETURN(seconds_of(m, pass, waits, passes, &turn[i]));
    qsort(turn, TURNS, sizeof *turn, by_value);
    *seconds = turn[TURNS / 2];
    return 0;
}

/* Computes the rate for passes that each do `work`. */
static int rate(struct meter *m, pass_fn *pass, bool waits, double work, double *result)
{
    double seconds;
    TRY_RETURN(speed_measure(m, pass, waits, &seconds));
    *result = work / seconds;
    return 0;
}

/* ---- passes ---- */

static int speed_copy(struct meter *m)
{
    struct mw_event *done = NULL; /* requested, so that the call does not wait */
    const int rc = mw_buffer_copy(m->b, 0, m->a, 0, m->bytes, &done);
    mw_event_free(done);
    return rc;
}

static int triad(struct meter *m)
{
    struct mw_prim_run run;
    TRY_RETURN(mw_prim_run(m->prim, m->program, m->bytes / sizeof(float), sizeof(float), &run));
    return launch_speed_triad(run.set, run.range, m->b, m->c, m->a, 3.0, run.n, run.each);
}

static int arithmetic(struct meter *m)
{
    const struct mw_kernel_set *set;
    TRY_RETURN(mw_prim_set(m->prim, m->program, &set));
    return launch_speed_arithmetic(set, mw_parts(set, m->items / set->group), m->a, 0.5, 1.0);
}

static int atomics(struct meter *m)
{
    const struct mw_kernel_set *set;
    TRY_RETURN(mw_prim_set(m->prim, m->program, &set));
    return launch_speed_atomics(set, mw_parts(set, m->items / set->group), m->a, m->mask);
}

static int nothing(struct meter *m)
{
    const struct mw_kernel_set *set;
    TRY_RETURN(mw_prim_set(m->prim, m->program, &set));
    return launch_speed_nothing(set, mw_parts(set, 1), m->a);
}

static int to_device(struct meter *m) { return mw_buffer_write(m->a, 0, m->bytes, m->host, NULL); }
static int from_device(struct meter *m) { return mw_buffer_read(m->a, 0, m->bytes, m->host, NULL); }

/* ---- parts ---- */

static int measure_memory(struct meter *m, unsigned parts, struct mw_speed *s)
{
    m->program = &single;
    if (parts & MW_SPEED_COPY)
        TRY_RETURN(rate(m, speed_copy, false, 2.0 * (double)m->bytes, &s->copy));
    if (parts & MW_SPEED_TRIAD)
        TRY_RETURN(rate(m, triad, false, 3.0 * (double)m->bytes, &s->triad));
    return 0;
}

/* Each work-item of a pass computes with `lanes` lanes. */
static int measure_precision(struct meter *m, const struct mw_prim_program *program, double lanes, double *result)
{
    m->program = program;
    return rate(m, arithmetic, false, 2.0 * SPEED_CHAINS * SPEED_ROUNDS * lanes * (double)m->items, result);
}

static int measure_arithmetic(struct meter *m, struct mw_speed *s)
{
    /* Native programs have 8 lanes; others have what prim.c chose. */
    const bool wide = m->device->backend->compiles && mw_device_info(m->device)->vector_width >= 16;
    const double lanes = m->prim->cores ? (wide ? 16 : 8) : 1;
    TRY_RETURN(measure_precision(m, &single, lanes, &s->single));
    if (mw_device_info(m->device)->fp64)
        TRY_RETURN(measure_precision(m, &twice, m->prim->cores ? lanes / 2 : 1, &s->twice));
    return 0;
}

static int measure_atomics(struct meter *m, struct mw_speed *s)
{
    const double additions = (double)m->items * SPEED_ADDITIONS;
    m->program = &single;
    m->mask = 0;
    TRY_RETURN(rate(m, atomics, false, additions, &s->atomics_one));
    m->mask = MANY_WORDS - 1;
    return rate(m, atomics, false, additions, &s->atomics_many);
}

static int measure_launches(struct meter *m, struct mw_speed *s)
{
    m->program = &single;
    TRY_RETURN(speed_measure(m, nothing, false, &s->launch));
    return speed_measure(m, nothing, true, &s->launch_waited);
}

static int measure_transfers(struct meter *m, struct mw_speed *s)
{
    struct mw_staging *staging = NULL;
    const double bytes = (double)m->bytes;
    char *memory = NULL;
    int rc;
    TRY(mw_new(m->bytes, 1, &memory));
    memset(memory, 1, m->bytes); /* otherwise all pages would be the same page of zeros */
    m->host = memory;
    TRY(rate(m, to_device, false, bytes, &s->to_device));
    TRY(rate(m, from_device, false, bytes, &s->from_device));
    TRY(mw_staging_new(m->device, m->bytes, &staging));
    m->host = mw_staging_memory(staging);
    memset(m->host, 1, m->bytes);
    TRY(rate(m, to_device, false, bytes, &s->to_device_staged));
    TRY(rate(m, from_device, false, bytes, &s->from_device_staged));
out:
    mw_staging_free(staging);
    free(memory);
    return rc;
}

static size_t usual_bytes(const struct mw_device *device)
{
    const uint64_t part = mw_memory_left(device) / 8, largest = mw_device_info(device)->max_alloc_bytes;
    const uint64_t fits = largest && largest < part ? largest : part;
    return (size_t)(fits < BUFFER_MOST ? fits : BUFFER_MOST);
}

static int speed_make(struct meter *m, size_t bytes)
{
    m->bytes = (bytes ? bytes : usual_bytes(m->device)) / BUFFER_LEAST * BUFFER_LEAST;
    if (m->bytes == 0)
        return mw_fail(MW_EINVAL, "speed: buffers of %zu bytes are too small (at least %zu)", bytes, BUFFER_LEAST);
    TRY_RETURN(mw_own_prim(&m->owner, m->device, &m->prim));
    m->items = m->prim->units * (m->prim->cores ? ITEMS_A_CORE : ITEMS_A_UNIT);
    TRY_RETURN(mw_own_buffer(&m->owner, m->device, m->bytes, &m->b));
    TRY_RETURN(mw_own_buffer(&m->owner, m->device, m->bytes, &m->c));
    /* Large enough for the results of arithmetic kernels: one vector per work-item, or many words. */
    TRY_RETURN(mw_own_buffer(&m->owner, m->device,
                             m->bytes + m->items * 16 * sizeof(double) + MANY_WORDS * sizeof(uint32_t), &m->a));
    TRY_RETURN(mw_buffer_fill(m->a, 0, mw_buffer_bytes(m->a), 0));
    TRY_RETURN(mw_buffer_fill(m->b, 0, m->bytes, 0));
    return mw_buffer_fill(m->c, 0, m->bytes, 0);
}

int mw_speed_measure(struct mw_device *device, unsigned parts, size_t bytes, struct mw_speed *speed)
{
    struct meter m = { 0 };
    struct mw_speed s = MW_INIT(s);
    int rc;
    TRY(MW_RESULT_GIVE(mw_speed, NULL, from_device_staged, speed));
    if (parts & ~(unsigned)MW_SPEED_ALL)
        return mw_fail(MW_EINVAL, "invalid parts %#x of a measurement of speed (see enum mw_speed_parts)", parts);
    TRY(mw_device_given(&device));
    m.device = device;
    TRY(speed_make(&m, bytes));
    TRY(measure_memory(&m, parts, &s));
    if (parts & MW_SPEED_ARITHMETIC)
        TRY(measure_arithmetic(&m, &s));
    if (parts & MW_SPEED_ATOMICS)
        TRY(measure_atomics(&m, &s));
    if (parts & MW_SPEED_LAUNCHES)
        TRY(measure_launches(&m, &s));
    if (parts & MW_SPEED_TRANSFERS)
        TRY(measure_transfers(&m, &s));
    TRY(MW_RESULT_GIVE(mw_speed, &s, from_device_staged, speed));
out:
    mw_owner_drop(&m.owner);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Dynamic load balancing: shares of a field in proportion to the speed of its parts, measured in timed rounds. */
#include <math.h>

#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

#define ROUNDS_NEEDED 4    /* timed rounds per part before speeds are used */
#define CHUNK_SECONDS 0.25 /* duration of steps between two checks of the balance, */
#define CHUNK_GROWTH 4     /* which grows at most by this factor each time */
#define WINDOW 1.0         /* minimum seconds between two moves, after the first; doubled by each move up to */
#define WINDOW_MAX 60.0
#define WORTH_MOVING 1.05 /* expected gain */

/* ---- shares ---- */

/* Scales weights to shares of `slabs`, none above its limit; the excess goes to the others. */
static int limit_shares(size_t count, double slabs, const double *most, double *shares)
{
    for (bool again = true; again;) {
        double free_weight = 0, rest = slabs;
        again = false;
        for (size_t i = 0; i < count; i++)
            if (most && shares[i] >= most[i])
                rest -= most[i];
            else
                free_weight += shares[i];
        if (rest > 0 && free_weight <= 0)
            return mw_fail(
                MW_ELIMIT,
                "the devices together have too little memory for the field: reduce its size or use more devices");
        for (size_t i = 0; i < count; i++) {
            const bool full = most && shares[i] >= most[i];
            shares[i] = full ? most[i] : shares[i] / free_weight * rest;
            again = again || (!full && most && shares[i] >= most[i]);
        }
    }
    return 0;
}

int mw_balance_shares(size_t count, int slabs, int least, const double *weights, const double *most, int *shares)
{
    double *share = NULL, sum = 0;
    int *end = NULL, rc;
    TRY(mw_new(count, sizeof *share, &share));
    TRY(mw_new(count, sizeof *end, &end));
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    for (size_t i = 0; i < count; i++)
        share[i] = weights[i] / sum * slabs;
    TRY(limit_shares(count, slabs, most, share));
    sum = 0;
    for (size_t i = 0; i < count; i++) {
        const int lowest = (i > 0 ? end[i - 1] : 0) + least, highest = slabs - (int)(count - 1 - i) * least;
        sum += share[i];
        end[i] = i + 1 == count ? slabs : (int)(sum + 0.5);
        end[i] = end[i] < lowest ? lowest : end[i] > highest ? highest : end[i];
    }
    for (size_t i = 0; i < count; i++)
        shares[i] = end[i] - (i > 0 ? end[i - 1] : 0);
out:
    free(share);
    free(end);
    return rc;
}

int mw_balance_slabs(const struct mw_part *p) { return p->stream ? p->stream->slabs : p->array.place.own; }

void mw_balance_limits(const struct mw_field *f, double *most)
{
    const double state = (double)f->bytes / f->slabs;
    for (size_t i = 0; i < f->count; i++) {
        const struct mw_field_array *a = &f->parts[i].array;
        const double used = (double)a->device->allocated - mw_place_slabs(&a->place) * f->slab_memory;
        most[i] = f->slabs;
        if (f->streams)
            continue;
        if (a->device->info.memory_bytes)
            most[i] = fmin(most[i], ((double)a->device->info.memory_bytes - used) / f->slab_memory - 2 * f->halo);
        if (a->device->info.max_alloc_bytes)
            most[i] = fmin(most[i], (double)a->device->info.max_alloc_bytes / state - 2 * f->halo);
        most[i] = fmax(most[i], 0);
    }
}

void mw_balance_places(const struct mw_field *f, const int *shares, struct mw_place *places)
{
    const bool ring = f->count > 1 && f->problem.boundary[f->problem.dims - 1] == MW_BOUNDARY_PERIODIC;
    int slab = 0;
    for (size_t i = 0; i < f->count; i++) {
        places[i] = (struct mw_place){ ring || i > 0 ? f->halo : 0, shares[i], ring || i + 1 < f->count ? f->halo : 0,
                                       slab, f->slabs };
        slab += shares[i];
    }
}

static int move_parts(struct mw_field *f, const int *shares, char *cells)
{
    struct mw_place *places = NULL;
    int rc;
    TRY(mw_new(f->count, sizeof *places, &places));
    mw_balance_places(f, shares, places);
    for (size_t i = 0; i < f->count; i++)
        TRY(mw_part_read(&f->parts[i], f->parts[i].state, mw_field_all(f), cells));
    for (size_t i = 0; i < f->count; i++)
        TRY(mw_part_place(&f->parts[i], &places[i]));
    for (size_t i = 0; i < f->count; i++)
        TRY(mw_part_write(&f->parts[i], mw_field_all(f), cells));
out:
    free(places);
    return rc;
}

int mw_balance_move(struct mw_field *f, const int *shares)
{
    char *cells = NULL;
    int rc;
    TRY(mw_new_aligned(1, f->bytes, &cells));
    TRY(f->streams ? mw_stream_move(f, shares, cells) : move_parts(f, shares, cells));
    mw_exchange_restart(f->exchange);
    f->elapsed = 0;
out:
    if (rc != 0 && cells)
        mw_exchange_break(f->exchange);
    free(cells);
    return rc;
}

/* ---- balance ---- */

static void print_shares(const struct mw_field *f, const int *shares)
{
    struct mw_text t = { 0 };
    for (size_t i = 0; i < f->count; i++)
        mw_text_add(&t, "%s%s %.1f %%", i ? ", " : "", mw_device_info(f->parts[i].array.device)->id,
                    100.0 * shares[i] / f->slabs);
    mw_log(MW_LOG_INFO, "parts move: %s", t.data ? t.data : "");
    mw_text_free(&t);
}

/* Computes the slabs per second of each part; returns false if too few rounds were timed. */
static bool measured_speeds(const struct mw_field *f, double *speed)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct mw_part_speed *s = &f->parts[i].speed;
        if (s->timed_rounds < ROUNDS_NEEDED || s->seconds <= 0)
            return false;
        speed[i] = mw_balance_slabs(&f->parts[i]) * s->timed_steps / s->seconds;
    }
    return true;
}

/* Returns whether the slowest part would be faster by a factor of WORTH_MOVING with these shares. */
static bool is_worth_moving(const struct mw_field *f, const double *speed, const int *shares)
{
    double now = 0, then = 0;
    for (size_t i = 0; i < f->count; i++) {
        now = fmax(now, mw_balance_slabs(&f->parts[i]) / speed[i]);
        then = fmax(then, shares[i] / speed[i]);
    }
    return now > then * WORTH_MOVING;
}

static int balance(struct mw_field *f)
{
    double *speed = NULL, *most = NULL;
    int *shares = NULL, rc;
    TRY(mw_new(f->count, sizeof *speed, &speed));
    TRY(mw_new(f->count, sizeof *most, &most));
    TRY(mw_new(f->count, sizeof *shares, &shares));
    if (!measured_speeds(f, speed))
        goto out;
    mw_balance_limits(f, most);
    /* If too little device memory is left, parts keep their slabs. */
    if (mw_balance_shares(f->count, f->slabs, mw_least_share(f), speed, most, shares) == 0 &&
        is_worth_moving(f, speed, shares) && (!f->streams || mw_stream_can_move(f, shares))) {
        print_shares(f, shares);
        TRY(mw_balance_move(f, shares));
        f->window = f->window < WINDOW ? WINDOW : fmin(2 * f->window, WINDOW_MAX);
    } else {
        /* Halve the weight of past rounds, so that changes of speed are noticed. */
        for (size_t i = 0; i < f->count; i++) {
            f->parts[i].speed.seconds /= 2;
            f->parts[i].speed.timed_steps /= 2;
        }
        f->window = fmax(f->window, WINDOW);
    }
    f->elapsed = 0;
out:
    free(speed);
    free(most);
    free(shares);
    return rc;
}

/* ---- advancing ---- */

struct stretch {
    double dt;
    uint64_t steps;
};

/* Reports a failure to the part's neighbours, which would otherwise wait for it. */
static int balance_advance(void *part, void *context)
{
    struct mw_part *p = part;
    const struct stretch *stretch = context;
    const int rc =
        p->stream ? mw_stream_advance(p, stretch->dt, stretch->steps) : mw_part_advance(p, stretch->dt, stretch->steps);
    if (rc != 0)
        mw_exchange_break(p->borders.port.exchange);
    return rc;
}

int mw_balance_advance(struct mw_field *f, uint64_t steps)
{
    const unsigned each = f->round_steps;
    TRY_RETURN(mw_exchange_check(f->exchange));
    for (uint64_t done = 0, n; done < steps; done += n) {
        const double start = mw_work_now();
        n = steps - done < f->chunk * each ? steps - done : f->chunk * each;
        TRY_RETURN(mw_team_run(f->team, balance_advance, &(struct stretch){ f->options.dt, n }));
        const double took = mw_work_now() - start, wanted = took > 0 ? CHUNK_SECONDS / took * (double)n / each : 1;
        f->elapsed += took;
        const double most = CHUNK_GROWTH * (double)f->chunk;
        f->chunk = wanted > most ? CHUNK_GROWTH * f->chunk : wanted > 1 ? (uint64_t)wanted : 1;
        if (!f->kept && f->elapsed >= f->window)
            TRY_RETURN(balance(f));
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */

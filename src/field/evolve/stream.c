/* Fields larger than device memory.  The state is in host memory; windows of it visit the device, for several time
 * steps per visit (temporal blocking).
 *
 * Visits are double-buffered.  One buffer is computed on while the other is stored and loaded, in a separate queue of
 * transfers:
 *
 *     work:       window 1            window 2            window 3
 *     transfers:  store 0, load 2     store 1, load 3     store 2, load 4
 *
 * The state on the host is updated in place, so the order of transfers matters:
 *   - A window is loaded before its lower neighbour is stored, and so gets that neighbour's slabs before their update.
 *   - A sweep's last window is the lower neighbour of its first one, which is stored long before.  The first window's
 *     lowest slabs are therefore kept until the last window is loaded.
 *   - Each sweep begins one window further on than the previous one.  With at least four windows, its first window's
 *     slabs have been stored by then, and transfers need not wait for the previous sweep's last window.
 *
 * With several devices, each sweeps over the windows of its own share, and a round is a sweep.  Borders of the first
 * and last windows are copied to blocks (dev/memory/exchange.h) when these windows are stored.  A part posts its own
 * blocks of a round before it waits for others, which excludes deadlocks. */
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

#define WINDOWS_APART 4 /* minimum windows for loading a sweep's first window before the last one is stored */
#define TIMED_APART 2.0 /* seconds between timed calls, after the first sweeps */
#define TIMED_FIRST 8   /* sweeps that are always timed, after the first one, in which drivers compile */

static size_t slab_bytes(const struct mw_part *p) { return mw_field_array_slab_bytes(&p->array); }

/* ---- neighbours ---- */

static int slabs_of(const struct mw_part *p, int side)
{
    const struct mw_stream *s = p->stream;
    const struct mw_place *place = &s->windows[side == MW_LOWER ? 0 : s->count - 1].place;
    const int slabs = side == MW_LOWER ? place->lower : place->upper;
    return slabs < p->borders.slabs ? slabs : p->borders.slabs;
}

/* Returns whether the slabs beyond one side of a window belong to another part. */
static bool is_of_other(const struct mw_part *p, size_t window, int side)
{
    return p->borders.port.exchange && window == (side == MW_LOWER ? 0 : p->stream->count - 1) && slabs_of(p, side) > 0;
}

static bool is_at_end(const struct mw_part *p, size_t window)
{
    return is_of_other(p, window, MW_LOWER) || is_of_other(p, window, MW_UPPER);
}

/* Posts the borders of a window at an end of the share, for the round that needs them. */
static int post(struct mw_part *p, size_t window, uint64_t round)
{
    struct mw_borders *b = &p->borders;
    struct mw_window *w = &p->stream->windows[window];
    const size_t bytes = (size_t)b->slabs * slab_bytes(p);
    if (!is_at_end(p, window))
        return 0;
    if (w->stored)
        TRY_RETURN(mw_event_wait(w->stored));
    for (int side = 0; side < MW_SIDES; side++) {
        if (!is_of_other(p, window, side))
            continue;
        for (size_t i = 0; i < p->array.layers; i++)
            memcpy(mw_exchange_block(b->port.exchange, b->send[side], round) + i * bytes,
                   mw_stream_slabs(p, window, i, side == MW_LOWER ? 0 : w->place.own - b->slabs), bytes);
        mw_exchange_post(b->port.exchange, b->send[side], round);
    }
    return 0;
}

/* Waits for the block beyond one end.  In timed calls the device finishes first, so that waiting is measured alone. */
static int wait_for(struct mw_part *p, int side)
{
    struct mw_stream *s = p->stream;
    double start = 0;
    if (s->timed) {
        TRY_RETURN(mw_device_finish(p->array.device));
        start = mw_work_now();
    }
    TRY_RETURN(mw_exchange_wait(p->borders.port.exchange, p->borders.receive[side], p->borders.port.round));
    if (s->timed)
        s->waited += mw_work_now() - start;
    return 0;
}

/* ---- transfers ---- */

/* Queues a write to the second buffer.  The order of transfers, and a join with work, make later operations wait for
 * it. */
static int send(const struct mw_part *p, size_t layer, int to, int slabs, const void *from)
{
    struct mw_event *event = NULL;
    int rc = 0;
    if (slabs > 0)
        rc = mw_second_write(p->stream->spare, mw_field_array_at(&p->array, layer, to), (size_t)slabs * slab_bytes(p),
                             from, &event);
    mw_event_free(event);
    return rc;
}

/* How to load a window: number of halo slabs; whether it is a sweep's last one, which needs the first one's slabs
 * before their update; whether it is only observed, without updates. */
struct wanted {
    int halo;
    bool last, look;
};

/* Returns the slabs beyond one side of a window: the last `slabs` of the lower neighbour, or the first of the upper
 * one. */
static const char *beyond(const struct mw_part *p, size_t window, size_t layer, int side, int slabs,
                          const struct wanted *wanted)
{
    const struct mw_stream *s = p->stream;
    const struct mw_borders *b = &p->borders;
    const struct mw_part *of = p;
    const size_t rest = side == MW_LOWER ? (size_t)(b->slabs - slabs) : 0, slab = slab_bytes(p);
    size_t neighbour = (window + (side == MW_LOWER ? s->count - 1 : 1)) % s->count;
    if (is_of_other(p, window, side)) {
        if (!wanted->look)
            return (char *)mw_exchange_block(b->port.exchange, b->receive[side], b->port.round) +
                   (layer * (size_t)b->slabs + rest) * slab;
        of = b->neighbour[side];
        neighbour = side == MW_LOWER ? of->stream->count - 1 : 0;
    } else if (wanted->last && side == MW_UPPER) {
        return s->kept[s->sweep & 1] + layer * (size_t)b->slabs * slab;
    }
    return mw_stream_slabs(of, neighbour, layer,
                           side == MW_LOWER ? of->stream->windows[neighbour].place.own - slabs : 0);
}

/* Queues the load of a window into the second buffer. */
static int stream_load(struct mw_part *p, size_t window, const struct wanted *wanted)
{
    const struct mw_place *place = &p->stream->windows[window].place;
    const int lower = wanted->halo < place->lower ? wanted->halo : place->lower;
    const int upper = wanted->halo < place->upper ? wanted->halo : place->upper;
    for (int side = 0; side < MW_SIDES && !wanted->look; side++)
        if (is_of_other(p, window, side))
            TRY_RETURN(wait_for(p, side));
    for (size_t i = 0; i < p->array.layers; i++) {
        if (lower > 0)
            TRY_RETURN(send(p, i, place->lower - lower, lower, beyond(p, window, i, MW_LOWER, lower, wanted)));
        TRY_RETURN(send(p, i, place->lower, place->own, mw_stream_slabs(p, window, i, 0)));
        if (upper > 0)
            TRY_RETURN(send(p, i, place->lower + place->own, upper, beyond(p, window, i, MW_UPPER, upper, wanted)));
    }
    return 0;
}

/* Queues the copy of a window's results from the second buffer to the host. */
static int store(struct mw_part *p, size_t window)
{
    struct mw_window *w = &p->stream->windows[window];
    for (size_t i = 0; i < p->array.layers; i++) {
        mw_event_free(w->stored);
        w->stored = NULL;
        TRY_RETURN(mw_second_read(p->stream->spare, mw_field_array_at(&p->array, i, w->place.lower),
                                  (size_t)w->place.own * slab_bytes(p), mw_stream_slabs(p, window, i, 0), &w->stored));
    }
    return 0;
}

/* Keeps the lowest slabs of a sweep's first window before they are overwritten.  There are two buffers, since the
 * previous sweep's slabs may still be in transfer.  The sweep before that is complete: this window came back after
 * it. */
static int stream_keep(struct mw_part *p, size_t first)
{
    struct mw_stream *s = p->stream;
    const size_t bytes = (size_t)p->borders.slabs * slab_bytes(p);
    if (s->windows[first].stored)
        TRY_RETURN(mw_event_wait(s->windows[first].stored));
    for (size_t i = 0; i < p->array.layers; i++)
        memcpy(s->kept[s->sweep & 1] + i * bytes, mw_stream_slabs(p, first, i, 0), bytes);
    return 0;
}

/* Swaps the buffers: the loaded window becomes the part's state. */
static int swap_windows(struct mw_part *p, size_t window)
{
    mw_buffer_swap(&p->state, &p->stream->spare);
    p->array.place = p->stream->windows[window].place;
    p->maps_are_shared = false;
    TRY_RETURN(mw_second_after_first(p->array.device));
    return mw_first_after_second(p->array.device);
}

/* ---- sweeps ---- */

#define NONE SIZE_MAX

/* State of a sweep: the window whose results are in the part's state, and the window loaded ahead. */
struct sweeps {
    struct mw_part *part;
    double dt;
    size_t computed, ahead;
};

static int put_back(struct sweeps *sweeps)
{
    struct mw_part *p = sweeps->part;
    if (sweeps->computed == NONE)
        return 0;
    mw_buffer_swap(&p->state, &p->stream->spare);
    TRY_RETURN(mw_second_after_first(p->array.device));
    TRY_RETURN(store(p, sweeps->computed));
    sweeps->computed = NONE;
    return 0;
}

/* Computes a window's steps while the previous window is copied back. */
static int stream_visit(struct sweeps *sweeps, size_t window, uint64_t step, unsigned steps)
{
    struct mw_part *p = sweeps->part;
    TRY_RETURN(swap_windows(p, window));
    p->array.step = step;
    TRY_RETURN(mw_part_round(p, sweeps->dt, steps));
    TRY_RETURN(mw_device_flush(p->array.device));
    if (sweeps->computed != NONE)
        TRY_RETURN(store(p, sweeps->computed));
    sweeps->computed = window;
    sweeps->ahead = NONE;
    return 0;
}

static int send_ahead(struct sweeps *sweeps, size_t window, unsigned steps, bool last)
{
    const struct wanted wanted = { .halo = mw_round_halo(sweeps->part->array.problem, steps), .last = last };
    sweeps->ahead = window;
    return stream_load(sweeps->part, window, &wanted);
}

/* Begins a sweep; loads its first window unless it was loaded ahead. */
static int stream_begin(struct sweeps *sweeps, size_t first, unsigned steps)
{
    struct mw_part *p = sweeps->part;
    const size_t back = sweeps->computed;
    const bool waits = sweeps->ahead == NONE;
    if (waits) {
        TRY_RETURN(put_back(sweeps));
        if (back != NONE)
            TRY_RETURN(post(p, back, p->borders.port.round));
    }
    TRY_RETURN(stream_keep(p, first));
    if (waits)
        TRY_RETURN(send_ahead(sweeps, first, steps, false));
    return 0;
}

/* Updates each window once by `steps`.  If another sweep follows whose first window needs no blocks of other parts,
 * loads that window ahead. */
static int stream_sweep(struct sweeps *sweeps, uint64_t step, unsigned steps, unsigned next_steps)
{
    struct mw_part *p = sweeps->part;
    struct mw_stream *s = p->stream;
    const uint64_t round = p->borders.port.round;
    const size_t first = s->sweep % s->count, next_first = (first + 1) % s->count;
    TRY_RETURN(stream_begin(sweeps, first, steps));
    for (size_t i = 0; i < s->count; i++) {
        const size_t window = (first + i) % s->count, before = sweeps->computed;
        TRY_RETURN(stream_visit(sweeps, window, step, steps));
        /* The previous sweep's last window belongs to this round. */
        if (before != NONE && (i == 0 || next_steps > 0))
            TRY_RETURN(post(p, before, i == 0 ? round : round + 1));
        if (i + 1 < s->count)
            TRY_RETURN(send_ahead(sweeps, (window + 1) % s->count, steps, i + 2 == s->count));
        else if (next_steps > 0 && s->count >= WINDOWS_APART && !is_at_end(p, next_first))
            TRY_RETURN(send_ahead(sweeps, next_first, next_steps, false));
    }
    s->sweep++;
    p->borders.port.round++;
    return 0;
}

static int stream_advance(struct mw_part *p, double dt, uint64_t steps)
{
    const uint64_t start = p->array.step, each = p->round_steps;
    struct sweeps sweeps = { p, dt, NONE, NONE };
    TRY_RETURN(post(p, 0, p->borders.port.round));
    TRY_RETURN(post(p, p->stream->count - 1, p->borders.port.round));
    for (uint64_t done = 0; done < steps; done += each) {
        const uint64_t left = steps - done, n = left < each ? left : each, next = left - n < each ? left - n : each;
        TRY_RETURN(stream_sweep(&sweeps, start + done, (unsigned)n, (unsigned)next));
        p->speed.rounds++;
    }
    TRY_RETURN(put_back(&sweeps));
    return mw_device_flush(p->array.device);
}

static bool is_timed(const struct mw_part_speed *s)
{
    return s->rounds > 0 && (s->rounds <= TIMED_FIRST || mw_work_now() - s->timed_at >= TIMED_APART);
}

int mw_stream_advance(struct mw_part *p, double dt, uint64_t steps)
{
    struct mw_part_speed *speed = &p->speed;
    struct mw_stream *s = p->stream;
    const uint64_t before = speed->rounds;
    double start = 0;
    if (steps == 0)
        return 0;
    s->timed = p->borders.port.exchange && is_timed(speed);
    s->waited = 0;
    if (s->timed) {
        TRY_RETURN(mw_device_finish(p->array.device));
        start = mw_work_now();
    }
    TRY_RETURN(stream_advance(p, dt, steps));
    if (s->timed) {
        TRY_RETURN(mw_device_finish(p->array.device));
        speed->timed_at = mw_work_now();
        speed->seconds += speed->timed_at - start - s->waited;
        speed->timed_steps += (double)steps;
        speed->timed_rounds += speed->rounds - before;
    }
    return 0;
}

static int show(struct mw_part *p, mw_stream_job *job, void *context)
{
    const struct wanted wanted = { .halo = p->borders.slabs, .look = true };
    for (size_t i = 0; i < p->stream->count; i++) {
        if (i == 0)
            TRY_RETURN(stream_load(p, 0, &wanted));
        TRY_RETURN(swap_windows(p, i));
        if (i + 1 < p->stream->count)
            TRY_RETURN(stream_load(p, i + 1, &wanted));
        TRY_RETURN(job(p, context));
    }
    return 0;
}

int mw_stream_show(struct mw_field *f, mw_stream_job *job, void *context)
{
    for (size_t i = 0; i < f->count; i++)
        TRY_RETURN(mw_device_finish(f->parts[i].array.device));
    for (size_t i = 0; i < f->count; i++)
        TRY_RETURN(show(&f->parts[i], job, context));
    return 0;
}
/* SPDX-License-Identifier: MIT */

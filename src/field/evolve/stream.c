/* Fields larger than their device's memory: the state lies in the host's, and visits the device window by window.
 *
 * Of a visit, one buffer is computed with while another is read and filled, in the order of transfers that runs beside
 * all other work:
 *
 *     work:       window 1            window 2            window 3
 *     transfers:  0 back, 2 there     1 back, 3 there     2 back, 4 there
 *
 * States are overwritten in place: a window is on its way to the device before its lower neighbour comes back, so that
 * it gets the neighbour's slabs as they were; a sweep's first window comes back long before its lower neighbour, which
 * is the sweep's last, goes, and has its lowest slabs kept for that.  The next sweep begins a window further on; from
 * four windows on, what that needs has come back by then, and transfers do not wait for a sweep's last window. */
#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "dev/host/host.h"
#include "field/evolve/evolve.h"

#define MEMORY_OF(left) ((left) / 8 * 7)     /* for windows; the rest is for what else there is on a device */
#define WINDOWS_LEAST 2
#define WINDOWS_APART 4                      /* from so many on, a sweep can begin before the last one has come back */
#define ROOM_LEAST ((uint64_t)1 << 20)       /* beside a field that fits, */
#define ROOM_PART 64                         /* or such a part of a device's memory: sums take a little */

/* ---- windows ---- */

static uint64_t memory_left(const struct mw_device *device)
{
    const uint64_t all = device->info.memory_bytes ? device->info.memory_bytes : UINT64_MAX;
    return all > device->allocated ? all - device->allocated : 0;
}

bool mw_stream_may_help(const struct mw_field *f, const struct mw_device *device)
{
    const double all = f->slab_memory * f->slabs, largest = (double)device->info.max_alloc_bytes;
    return all > (double)MEMORY_OF(memory_left(device)) || (largest > 0 && all > largest);
}

int mw_stream_check_room(const struct mw_device *device)
{
    const uint64_t part = device->info.memory_bytes / ROOM_PART, least = part < ROOM_LEAST ? part : ROOM_LEAST;
    return memory_left(device) >= least ? 0
         : mw_fail(MW_ELIMIT, "%s (%s) has too little memory left beside the field: make it smaller, or take another "
                   "device", device->info.id, device->info.name);
}

/* Slabs that an array may have. */
static int slabs_that_fit(const struct mw_field *f, const struct mw_device *device)
{
    const double state = (double)f->bytes / f->slabs, largest = (double)device->info.max_alloc_bytes;
    const double room = (double)MEMORY_OF(memory_left(device)) / (f->slab_memory + state);
    const double most = largest > 0 && largest / state < room ? largest / state : room;
    return most < f->slabs ? (int)most : f->slabs;
}

/* Windows for visits of so many steps; 0: the device has no memory for them. */
static size_t window_count(const struct mw_field *f, int fitting, int halo)
{
    const int own = fitting - 2 * halo;
    if (own < halo)
        return 0;
    const int wanted = (f->slabs + own - 1) / own, count = wanted > WINDOWS_LEAST ? wanted : WINDOWS_LEAST;
    return f->slabs / count >= halo ? (size_t)count : 0;
}

static struct mw_place place_of(const struct mw_field *f, size_t window, size_t count)
{
    const int slabs = f->slabs, first = (int)((size_t)slabs * window / count);
    const int end = (int)((size_t)slabs * (window + 1) / count);
    const int all = (int)(((size_t)slabs + count - 1) / count) + 2 * f->halo;
    int lower = f->halo;
    if (f->problem.boundary[f->problem.dims - 1] != MW_BOUNDARY_PERIODIC) {
        /* An array ends where the mesh does. */
        const int begin = first > lower ? first - lower : 0;
        lower = first - (begin < slabs - all ? begin : slabs - all);
    }
    return (struct mw_place){ lower, end - first, all - lower - (end - first), first, slabs };
}

static int too_little(const struct mw_field *f, const struct mw_device *device)
{
    const double state = (double)f->bytes / f->slabs;
    const int least = 3 * mw_round_halo(&f->problem, 1);
    return mw_fail(MW_ELIMIT, "%s (%s) has %s of memory left, too little for the field and for windows of it, of at "
                   "least %d of its %d slabs each, which take %s: make it smaller, or take another device",
                   device->info.id, device->info.name, mw_amount(memory_left(device)).text, least, f->slabs,
                   mw_amount((uint64_t)((f->slab_memory + state) * least / 7 * 8) + 1).text);
}

static int check_host(const struct mw_field *f, const struct mw_device *device)
{
    const uint64_t all = mw_host_bytes(), beside = device->info.shares_host_memory ? device->allocated : 0;
    if (all && f->bytes > all - (beside < all ? beside : all))
        return mw_fail(MW_ELIMIT, "neither %s (%s) nor this machine has memory for the field's %s: make it smaller",
                       device->info.id, device->info.name, mw_amount(f->bytes).text);
    return 0;
}

int mw_stream_new(struct mw_field *f, const struct mw_device *device)
{
    const int fitting = slabs_that_fit(f, device);
    struct mw_stream *s;
    size_t count = 0;
    int rc;
    TRY(check_host(f, device));
    TRY(mw_new(1, sizeof *f->stream, &f->stream));
    s = f->stream;
    s->steps = mw_visit_steps(&f->problem, fitting, device->info.kind == MW_DEVICE_GPU);
    for (; s->steps > 0 && count == 0; s->steps /= count ? 1 : 2)
        count = window_count(f, fitting, mw_round_halo(&f->problem, s->steps));
    if (count == 0) {
        rc = too_little(f, device);
        goto out;
    }
    f->halo = mw_round_halo(&f->problem, s->steps);
    TRY(mw_new(count, sizeof *s->windows, &s->windows));
    s->count = count;
    for (size_t i = 0; i < count; i++)
        s->windows[i].place = place_of(f, i, count);
out:
    return rc;
}

int mw_stream_fill(struct mw_field *f)
{
    struct mw_part *p = f->parts;
    struct mw_stream *s = f->stream;
    const size_t slab = mw_field_array_slab_bytes(&p->array), fields = f->model->info.field_count;
    int rc;
    for (size_t i = 0; i < MW_COUNT(s->kept); i++)
        TRY(mw_new((size_t)f->halo * fields, slab, &s->kept[i]));
    TRY(mw_buffer_new(p->array.device, p->array.bytes, &s->beside));
    for (size_t i = 0; i < s->count; i++) {
        struct mw_window *w = &s->windows[i];
        const size_t bytes = (size_t)w->place.own * slab;
        TRY(mw_staging_new(p->array.device, bytes * fields, &w->cells));
        p->array.place = w->place;
        TRY(mw_field_noisy_start(&p->array, p->state));
        for (size_t k = 0; k < fields; k++)
            TRY(mw_buffer_read(p->state, mw_field_array_at(&p->array, k, w->place.lower), bytes,
                               (char *)mw_staging_memory(w->cells) + k * bytes, NULL));
    }
    mw_log(MW_LOG_NOTICE, "the field is larger than the memory of %s: it streams through it in %zu windows, %u step%s "
           "a visit", mw_device_info(p->array.device)->id, s->count, s->steps, s->steps > 1 ? "s" : "");
out:
    return rc;
}

void mw_stream_free(struct mw_stream *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++) {
        mw_event_free(s->windows[i].stored);
        mw_staging_free(s->windows[i].cells);
    }
    mw_buffer_free(s->beside);
    free(s->windows);
    for (size_t i = 0; i < MW_COUNT(s->kept); i++)
        free(s->kept[i]);
    free(s);
}

/* ---- transfers ---- */

/* A field's slabs in the host's memory, from a window's `from` on. */
static char *slabs_at(const struct mw_field *f, size_t window, size_t field, int from)
{
    const struct mw_window *w = &f->stream->windows[window];
    const size_t slab = mw_field_array_slab_bytes(&f->parts->array);
    return (char *)mw_staging_memory(w->cells) + (field * (size_t)w->place.own + (size_t)from) * slab;
}

/* Nobody waits for them: what follows in the order of transfers, or in that of work after a join, finds them there. */
static int send(const struct mw_field *f, size_t field, int to, int slabs, const void *from)
{
    const struct mw_field_array *a = &f->parts->array;
    struct mw_event *event = NULL;
    int rc = 0;
    if (slabs > 0)
        rc = mw_beside_write(f->stream->beside, mw_field_array_at(a, field, to),
                             (size_t)slabs * mw_field_array_slab_bytes(a), from, &event);
    mw_event_free(event);
    return rc;
}

/* A window of a sweep, to the buffer beside, with so many of its neighbours' slabs; `last` of the sweep finds those of
 * the first as they were. */
static int load(struct mw_field *f, size_t window, int halo, bool last)
{
    struct mw_stream *s = f->stream;
    const struct mw_place *place = &s->windows[window].place;
    const size_t below = (window + s->count - 1) % s->count, above = (window + 1) % s->count;
    const size_t slab = mw_field_array_slab_bytes(&f->parts->array);
    const int lower = halo < place->lower ? halo : place->lower, upper = halo < place->upper ? halo : place->upper;
    int rc = 0;
    for (size_t i = 0; i < f->model->info.field_count; i++) {
        TRY(send(f, i, place->lower - lower, lower, slabs_at(f, below, i, s->windows[below].place.own - lower)));
        TRY(send(f, i, place->lower, place->own, slabs_at(f, window, i, 0)));
        TRY(send(f, i, place->lower + place->own, upper,
                 last ? s->kept[s->sweep & 1] + i * (size_t)f->halo * slab : slabs_at(f, above, i, 0)));
    }
out:
    return rc;
}

/* What work has made of a window so far, from the buffer beside. */
static int store(struct mw_field *f, size_t window)
{
    struct mw_window *w = &f->stream->windows[window];
    const struct mw_field_array *a = &f->parts->array;
    const size_t bytes = (size_t)w->place.own * mw_field_array_slab_bytes(a);
    int rc = 0;
    for (size_t i = 0; i < f->model->info.field_count; i++) {
        mw_event_free(w->stored);
        w->stored = NULL;
        TRY(mw_beside_read(f->stream->beside, mw_field_array_at(a, i, w->place.lower), bytes,
                           slabs_at(f, window, i, 0), &w->stored));
    }
out:
    return rc;
}

/* The lowest slabs of a sweep's first window, before it is overwritten.  What was kept for the last sweep may still be
 * on its way to the device.  What was kept for the one before is not: this window came back after that. */
static int keep(struct mw_field *f, size_t first)
{
    struct mw_stream *s = f->stream;
    const size_t bytes = (size_t)f->halo * mw_field_array_slab_bytes(&f->parts->array);
    int rc = 0;
    if (s->windows[first].stored)
        TRY(mw_event_wait(s->windows[first].stored));
    for (size_t i = 0; i < f->model->info.field_count; i++)
        memcpy(s->kept[s->sweep & 1] + i * bytes, slabs_at(f, first, i, 0), bytes);
out:
    return rc;
}

/* The buffer beside becomes the part's state, a window's, and the other way round. */
static int turn(struct mw_field *f, size_t window)
{
    struct mw_part *p = f->parts;
    int rc;
    mw_buffer_swap(&p->state, &f->stream->beside);
    p->array.place = f->stream->windows[window].place;
    TRY(mw_beside_fork(p->array.device));
    TRY(mw_beside_join(p->array.device));
out:
    return rc;
}

/* ---- sweeps ---- */

#define NONE SIZE_MAX

/* Where a sweep stands: the window whose results are the part's state, and the one that was sent ahead. */
struct sweeps { struct mw_field *field; size_t computed, ahead; };

static int put_back(struct sweeps *sweeps)
{
    struct mw_field *f = sweeps->field;
    int rc = 0;
    if (sweeps->computed == NONE)
        goto out;
    mw_buffer_swap(&f->parts->state, &f->stream->beside);
    TRY(mw_beside_fork(f->parts->array.device));
    TRY(store(f, sweeps->computed));
    sweeps->computed = NONE;
out:
    return rc;
}

/* A window's visit; meanwhile the one before it comes back. */
static int visit(struct sweeps *sweeps, size_t window, uint64_t step, unsigned steps)
{
    struct mw_field *f = sweeps->field;
    struct mw_part *p = f->parts;
    int rc;
    TRY(turn(f, window));
    p->array.step = step;
    TRY(mw_part_round(p, f->options.dt, steps));
    TRY(mw_device_flush(p->array.device));
    if (sweeps->computed != NONE)
        TRY(store(f, sweeps->computed));
    sweeps->computed = window;
    sweeps->ahead = NONE;
out:
    return rc;
}

static int send_ahead(struct sweeps *sweeps, size_t window, unsigned steps, bool last)
{
    sweeps->ahead = window;
    return load(sweeps->field, window, mw_round_halo(&sweeps->field->problem, steps), last);
}

/* Every window once, so many steps each; and the first one's way to the device where another sweep follows. */
static int sweep(struct sweeps *sweeps, uint64_t step, unsigned steps, unsigned next_steps)
{
    struct mw_stream *s = sweeps->field->stream;
    const size_t first = s->sweep % s->count, next_first = (first + 1) % s->count;
    int rc = 0;
    if (sweeps->ahead == NONE)
        TRY(put_back(sweeps));
    TRY(keep(sweeps->field, first));
    if (sweeps->ahead == NONE)
        TRY(send_ahead(sweeps, first, steps, false));
    for (size_t i = 0; i < s->count; i++) {
        TRY(visit(sweeps, (first + i) % s->count, step, steps));
        if (i + 1 < s->count)
            TRY(send_ahead(sweeps, (first + i + 1) % s->count, steps, i + 2 == s->count));
        else if (next_steps > 0 && s->count >= WINDOWS_APART)
            TRY(send_ahead(sweeps, next_first, next_steps, false));
    }
    s->sweep++;
out:
    return rc;
}

int mw_stream_advance(struct mw_field *f, uint64_t steps)
{
    const uint64_t start = f->parts->array.step, each = f->stream->steps;
    struct sweeps sweeps = { f, NONE, NONE };
    int rc = 0;
    for (uint64_t done = 0; done < steps; done += each) {
        const uint64_t left = steps - done, n = left < each ? left : each, next = left - n < each ? left - n : each;
        TRY(sweep(&sweeps, start + done, (unsigned)n, (unsigned)next));
    }
    TRY(put_back(&sweeps));
    TRY(mw_device_flush(f->parts->array.device));
out:
    return rc;
}

int mw_stream_show(struct mw_field *f, mw_stream_job *job, void *context)
{
    struct mw_stream *s = f->stream;
    int rc = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (i == 0)
            TRY(load(f, 0, f->halo, false));
        TRY(turn(f, i));
        if (i + 1 < s->count)
            TRY(load(f, i + 1, f->halo, false));
        TRY(job(f->parts, context));
    }
out:
    return rc;
}

/* ---- to and from the user ---- */

/* A window's field, in its place in the whole's. */
static char *in_whole(const struct mw_field *f, size_t window, size_t field, void *whole)
{
    const size_t slab = mw_field_array_slab_bytes(&f->parts->array);
    return (char *)whole + (field * (size_t)f->slabs + (size_t)f->stream->windows[window].place.slab) * slab;
}

int mw_stream_copy(struct mw_field *f, void *whole, bool to_whole)
{
    const size_t slab = mw_field_array_slab_bytes(&f->parts->array);
    int rc;
    TRY(mw_device_finish(f->parts->array.device));
    for (size_t w = 0; w < f->stream->count; w++)
        for (size_t i = 0; i < f->model->info.field_count; i++) {
            const size_t bytes = (size_t)f->stream->windows[w].place.own * slab;
            if (to_whole)
                memcpy(in_whole(f, w, i, whole), slabs_at(f, w, i, 0), bytes);
            else
                memcpy(slabs_at(f, w, i, 0), in_whole(f, w, i, whole), bytes);
        }
out:
    return rc;
}

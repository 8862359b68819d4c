/* Windows of fields larger than device memory: how many each share has, where they are, and their cells in host memory.
 * stream.c moves them through the devices. */
#include <limits.h>

#include "dev/core/backend.h"
#include "dev/host/host.h"
#include "field/evolve/evolve.h"

#define MEMORY_OF(left) ((left) / 8 * 7) /* for windows; the rest is for other uses of the device */
#define WINDOWS_LEAST 2
#define ROOM_LEAST ((uint64_t)1 << 20) /* minimum memory left after a field is allocated: this, */
#define ROOM_PART 64                   /* or this fraction of the device's memory; reductions need little */

/* ---- number of windows ---- */

bool mw_stream_may_help(const struct mw_field *f, struct mw_device *const *devices)
{
    double room = 0;
    for (size_t i = 0; i < f->count; i++) {
        const double left = (double)MEMORY_OF(mw_memory_left(devices[i]));
        const double largest = (double)devices[i]->info.max_alloc_bytes;
        room += largest > 0 && largest < left ? largest : left;
    }
    const int copies = f->count > 1 ? 2 * f->halo * (int)f->count : 0;
    return f->slab_memory * (f->slabs + copies) > room;
}

static int nobody_has(const struct mw_field *f, const struct mw_device *device)
{
    return mw_fail(MW_ELIMIT, "neither %s (%s) nor this machine has enough memory for the field (%s): reduce its size",
                   device->info.id, device->info.name, mw_amount(f->bytes).text);
}

int mw_stream_check_size(const struct mw_field *f, struct mw_device *const *devices)
{
    const uint64_t all = mw_host_bytes();
    return all > 0 && f->bytes > all && mw_stream_may_help(f, devices) ? nobody_has(f, devices[0]) : 0;
}

int mw_stream_check_room(const struct mw_device *device)
{
    const uint64_t part = device->info.memory_bytes / ROOM_PART, least = part < ROOM_LEAST ? part : ROOM_LEAST;
    return mw_memory_left(device) >= least
               ? 0
               : mw_fail(MW_ELIMIT,
                         "%s (%s) has too little memory left after the field is allocated: reduce its size or use "
                         "another device",
                         device->info.id, device->info.name);
}

/* Returns the largest number of slabs in an array. */
static int slabs_that_fit(const struct mw_field *f, const struct mw_device *device)
{
    const double state = (double)f->bytes / f->slabs, largest = (double)device->info.max_alloc_bytes;
    const double room = (double)MEMORY_OF(mw_memory_left(device)) / (f->slab_memory + state);
    const double most = largest > 0 && largest / state < room ? largest / state : room;
    return most < f->slabs ? (int)most : f->slabs;
}

/* Returns the number of windows of a share whose visits need `halo` slabs; 0: too little device memory. */
static size_t window_count(int share, int fitting, int halo)
{
    const int own = fitting - 2 * halo;
    if (own < halo || own < 1)
        return 0;
    const int wanted = (share + own - 1) / own, count = wanted > WINDOWS_LEAST ? wanted : WINDOWS_LEAST;
    return share / count >= (halo > 0 ? halo : 1) ? (size_t)count : 0;
}

/* Sets the number of windows of all parts; returns false if one does not fit. */
static bool count_windows(struct mw_field *f, const int *shares, int halo)
{
    for (size_t i = 0; i < f->count; i++) {
        struct mw_stream *s = f->parts[i].stream;
        s->count = window_count(shares[i], s->fitting, halo);
        if (s->count == 0)
            return false;
    }
    return true;
}

/* ---- places ---- */

static struct mw_place windows_place_of(const struct mw_field *f, const struct mw_stream *s, size_t window)
{
    const size_t share = (size_t)s->slabs, all = (share + s->count - 1) / s->count + 2 * (size_t)f->halo;
    const int first = s->slab + (int)(share * window / s->count);
    const int end = s->slab + (int)(share * (window + 1) / s->count);
    int lower = f->halo;
    if (f->problem.boundary[f->problem.dims - 1] != MW_BOUNDARY_PERIODIC && !mw_field_has_systems(&f->problem)) {
        /* An array never extends beyond the mesh. */
        const int begin = first > lower ? first - lower : 0, last = f->slabs - (int)all;
        lower = first - (begin < last ? begin : last);
    }
    return (struct mw_place){ lower, end - first, (int)all - lower - (end - first), first, f->slabs };
}

static void drop_windows(struct mw_stream *s)
{
    for (size_t i = 0; i < s->count && s->windows; i++) {
        mw_event_free(s->windows[i].stored);
        mw_staging_free(s->windows[i].cells);
    }
    free(s->windows);
    s->spare = NULL;
    s->windows = NULL;
}

/* Places the windows of all shares, whose numbers are set, allocates their cells, and places each part at its first
 * window. */
static int make_windows(struct mw_field *f, const int *shares)
{
    int slab = 0;
    for (size_t i = 0; i < f->count; slab += shares[i++]) {
        struct mw_part *p = &f->parts[i];
        struct mw_stream *s = p->stream;
        s->slab = slab;
        s->slabs = shares[i];
        s->sweep = 0;
        p->round_steps = f->round_steps;
        p->borders.slabs = f->halo;
        TRY_RETURN(mw_new(s->count, sizeof *s->windows, &s->windows));
        for (size_t w = 0; w < s->count; w++)
            s->windows[w].place = windows_place_of(f, s, w);
        TRY_RETURN(mw_part_place(p, &s->windows[0].place));
        TRY_RETURN(mw_own_buffer(&p->placed, p->array.device, p->array.bytes, &s->spare));
        for (size_t w = 0; w < s->count; w++)
            TRY_RETURN(
                mw_staging_new(p->array.device,
                               (size_t)s->windows[w].place.own * f->layers * mw_field_array_slab_bytes(&p->array),
                               &s->windows[w].cells));
    }
    return 0;
}

static int too_little(const struct mw_field *f)
{
    const double state = (double)f->bytes / f->slabs;
    const int halo = mw_round_halo(&f->problem, 1), least = halo ? 3 * halo : 1;
    const struct mw_device *device = f->parts[0].array.device;
    for (size_t i = 1; i < f->count; i++)
        if (f->parts[i].stream->fitting < least)
            device = f->parts[i].array.device;
    return mw_fail(MW_ELIMIT,
                   "%s (%s) has %s of memory left, too little for %s and for windows of at least %d of its %d "
                   "slabs (%s): reduce its size or use %s",
                   device->info.id, device->info.name, mw_amount(mw_memory_left(device)).text,
                   f->count > 1 ? "its part of the field" : "the field", least, f->slabs,
                   mw_amount((uint64_t)((f->slab_memory + state) * least / 7 * 8) + 1).text,
                   f->count > 1 ? "other devices" : "another device");
}

/* Returns whether the host has `bytes` of memory left, beyond the memory of devices that share it. */
static bool host_has(const struct mw_field *f, uint64_t bytes)
{
    const uint64_t all = mw_host_bytes();
    uint64_t used = 0;
    for (size_t i = 0; i < f->count; i++)
        used += f->parts[i].array.device->info.shares_host_memory ? f->parts[i].array.device->allocated : 0;
    return all == 0 || bytes <= all - (used < all ? used : all);
}

int mw_stream_new(struct mw_field *f, const int *shares)
{
    unsigned steps = UINT_MAX;
    if (!host_has(f, f->bytes))
        return nobody_has(f, f->parts[0].array.device);
    for (size_t i = 0; i < f->count; i++) {
        const struct mw_device *of = f->parts[i].array.device;
        TRY_RETURN(mw_new(1, sizeof *f->parts[i].stream, &f->parts[i].stream));
        f->parts[i].stream->fitting = slabs_that_fit(f, of);
        const unsigned most = mw_visit_steps(&f->problem, f->parts[i].stream->fitting, of->info.kind == MW_DEVICE_GPU);
        steps = most < steps ? most : steps;
    }
    while (steps > 0 && !count_windows(f, shares, mw_round_halo(&f->problem, steps)))
        steps /= 2;
    if (steps == 0)
        return too_little(f);
    f->round_steps = steps;
    f->halo = mw_round_halo(&f->problem, steps);
    return make_windows(f, shares);
}

static int windows_fill(struct mw_field *f, struct mw_part *p)
{
    const struct mw_stream *s = p->stream;
    const size_t slab = mw_field_array_slab_bytes(&p->array);
    for (size_t i = 0; i < s->count; i++) {
        const struct mw_window *w = &s->windows[i];
        const size_t bytes = (size_t)w->place.own * slab;
        p->array.place = w->place;
        TRY_RETURN(mw_field_noisy_start(&p->array, p->state));
        for (size_t k = 0; k < f->layers; k++)
            TRY_RETURN(mw_buffer_read(p->state, mw_field_array_at(&p->array, k, w->place.lower), bytes,
                                      mw_stream_slabs(p, i, k, 0), NULL));
    }
    return 0;
}

int mw_stream_fill(struct mw_field *f)
{
    struct mw_text names = { 0 };
    unsigned steps;
    int rc = 0;
    for (size_t i = 0; i < f->count; i++) {
        struct mw_part *p = &f->parts[i];
        for (size_t k = 0; k < MW_COUNT(p->stream->kept); k++)
            TRY(mw_new((size_t)f->halo * f->layers, mw_field_array_slab_bytes(&p->array), &p->stream->kept[k]));
        TRY(windows_fill(f, p));
        mw_text_add(&names, "%s%s", i ? " and " : "", mw_device_info(p->array.device)->id);
    }
    const size_t windows = mw_field_windows(f, &steps);
    mw_log(MW_LOG_NOTICE,
           "the field is larger than the memory of %s: it streams through it in %zu windows, %u step%s "
           "a visit",
           names.data ? names.data : "", windows, steps, MW_S(steps));
out:
    mw_text_free(&names);
    return rc;
}

void mw_stream_free(struct mw_stream *s)
{
    if (!s)
        return;
    drop_windows(s);
    for (size_t i = 0; i < MW_COUNT(s->kept); i++)
        free(s->kept[i]);
    free(s);
}

/* ---- cells ---- */

char *mw_stream_slabs(const struct mw_part *p, size_t window, size_t layer, int from)
{
    const struct mw_window *w = &p->stream->windows[window];
    const size_t slab = mw_field_array_slab_bytes(&p->array);
    return (char *)mw_staging_memory(w->cells) + (layer * (size_t)w->place.own + (size_t)from) * slab;
}

/* Copies a window's cells to their position in the whole, or from it. */
static void copy_window(const struct mw_part *p, size_t window, struct mw_quantities which, char *whole, bool to_whole)
{
    const struct mw_place *place = &p->stream->windows[window].place;
    const struct mw_stretch own = { .slab = place->slab, .count = place->own };
    for (size_t i = 0; i < mw_field_array_pieces(&p->array, which, own.count); i++) {
        const struct mw_piece piece = mw_field_array_piece(&p->array, which, i, &own, own.count);
        char *there = whole + piece.whole, *here = mw_stream_slabs(p, window, 0, 0) + piece.at;
        memcpy(to_whole ? there : here, to_whole ? here : there, piece.bytes);
    }
}

int mw_stream_copy(struct mw_field *f, struct mw_quantities which, void *whole, bool to_whole)
{
    for (size_t i = 0; i < f->count; i++) {
        TRY_RETURN(mw_device_finish(f->parts[i].array.device));
        for (size_t w = 0; w < f->parts[i].stream->count; w++)
            copy_window(&f->parts[i], w, which, whole, to_whole);
    }
    return 0;
}

bool mw_stream_can_move(const struct mw_field *f, const int *shares)
{
    bool can = host_has(f, 3 * (uint64_t)f->bytes); /* windows, buffers for moving, and new windows */
    for (size_t i = 0; i < f->count; i++)
        can = can && window_count(shares[i], f->parts[i].stream->fitting, f->halo) > 0;
    return can;
}

int mw_stream_move(struct mw_field *f, const int *shares, void *whole)
{
    TRY_RETURN(mw_stream_copy(f, mw_field_all(f), whole, true));
    for (size_t i = 0; i < f->count; i++)
        drop_windows(f->parts[i].stream);
    (void)count_windows(f, shares, f->halo);
    TRY_RETURN(make_windows(f, shares));
    return mw_stream_copy(f, mw_field_all(f), whole, false);
}
/* SPDX-License-Identifier: MIT */

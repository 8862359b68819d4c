/* Estimates the memory of walks from samples of the carpet around their start, before anything is allocated. */
#include <math.h>

#include "dev/host/host.h"
#include "walk/walk_internal.h"

#define SAMPLES 8192
#define MORE 1.05 /* margin for the sites of rows, and for chance */

/* Estimates the accessible fraction of a box of that length around an accessible site: each level of iterators that
 * fits into the box contributes a factor. */
static double density(const struct mw_carpet_info *info, double length)
{
    const double levels = info->side > 1 ? log(length) / log((double)info->side) : 0;
    const double part = info->level > 0 ? pow(info->occupancy, 1.0 / info->level) : 1;
    return pow(part, levels < info->level ? levels : info->level);
}

/* Estimates the accessible fraction of the places within `reach` steps of the start and inside the carpet.  Samples are
 * multiples of irrational numbers, which are evenly distributed (Roberts's sequence). */
static double part_around(const struct mw_carpet *carpet, const int64_t *start, double reach)
{
    static const double step[MW_CARPET_DIMS_MAX] = { 0.8191725133961645, 0.6710436067037893, 0.5497004779019703 };
    const struct mw_carpet_info *info = mw_carpet_info(carpet);
    size_t inside = 0, open = 0;
    if (!mw_carpet_accessible(carpet, start))
        return density(info, 2 * reach + 1);
    for (unsigned i = 1; i <= SAMPLES; i++) {
        int64_t at[MW_CARPET_DIMS_MAX] = { 0 };
        double distance = 0;
        bool within = true;
        for (unsigned d = 0; d < info->dims; d++) {
            const double x = floor((2 * reach + 1) * fmod(i * step[d], 1)) - reach;
            distance += fabs(x);
            at[d] = start[d] + (int64_t)x;
            within = within && (!info->extent[d] || (at[d] >= 0 && (uint64_t)at[d] < info->extent[d] * info->period));
        }
        if (!within || distance > reach)
            continue;
        inside++;
        open += mw_carpet_accessible(carpet, at);
    }
    return inside ? (double)open / (double)inside : 1;
}

/* `whole`: includes sites with negligible probabilities. */
static struct mw_walk_size size_of(const struct mw_carpet *carpet, const struct mw_walk_options *o, bool whole,
                                   uint64_t steps)
{
    const struct mw_carpet_info *info = mw_carpet_info(carpet);
    const double reach = (double)(whole ? steps : mw_walk_reach(steps, !o->single)), side = 2 * reach + 1;
    struct mw_walk_size size = { .dims = info->dims, .real_bytes = o->single ? sizeof(float) : sizeof(double) };
    double inside = 1,
           around = info->dims == 2 ? (side * side + 1) / 2 : (4 * reach * reach + 6 * reach + 8) * reach / 3 + 1;
    size.box = pow(2 * (double)steps + 3, info->dims);
    for (unsigned d = 0; d < info->dims; d++) {
        const double length = (double)info->extent[d] * (double)info->period;
        inside *= info->extent[d] > 0 && length < side ? length : side;
    }
    around = around < inside ? around : inside;
    size.sites = around * part_around(carpet, o->start, fmin(reach, INT32_MAX)) * MORE + 64;
    size.sites = size.sites < around ? size.sites : around;
    size.in_row = density(info, o->single ? WALK_ROW_SINGLE : WALK_ROW_DOUBLE);
    return size;
}

/* Places, neighbours and numbers of sites, and keys of the last levels. */
static double walk_plan_host_bytes(const struct mw_walk_size *size)
{
    return size->sites * (4.0 * size->dims + 8.0 * size->dims + 8) + 2 * size->sites * (double)size->real_bytes;
}

/* Estimates the bytes on all devices together, and on the host. */
static void walk_plan_bytes_of(const struct mw_carpet *carpet, const struct mw_walk_options *o,
                               const struct mw_walk_variant *variant, uint64_t steps, double *device, double *host)
{
    const struct mw_walk_size size = size_of(carpet, o, variant->whole, steps);
    *device = variant->form->bytes(&size);
    *host = walk_plan_host_bytes(&size) + (variant->form->host_bytes ? variant->form->host_bytes(&size) : 0);
}

static uint64_t whole_bytes(double bytes) { return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX; }

int mw_walk_bytes(const struct mw_carpet *carpet, const struct mw_walk_options *options, struct mw_walk_memory *memory)
{
    const struct mw_walk_variant *variant;
    struct mw_walk_options o;
    double device = 0, host = 0;
    TRY_RETURN(MW_OPTIONS_TAKE(mw_walk_options, options, variant, &o));
    TRY_RETURN(mw_walk_variant_find(NULL, 0, o.variant, &variant));
    for (size_t i = 0; mw_walk_variants(i); i++) {
        const struct mw_walk_variant *other = mw_walk_variant_row(i);
        double on_device, on_host;
        if (mw_walk_by_hand(&o) ? other != variant : !other->chosen)
            continue;
        walk_plan_bytes_of(carpet, &o, other, o.steps, &on_device, &on_host);
        device = fmax(device, on_device);
        host = fmax(host, on_host);
    }
    const struct mw_walk_size size = size_of(carpet, &o, false, o.steps);
    const struct mw_walk_memory found = { .size = sizeof found,
                                          .device = whole_bytes(device),
                                          .host = whole_bytes(host),
                                          .state = whole_bytes(size.sites * (double)size.real_bytes) };
    return MW_RESULT_GIVE(mw_walk_memory, &found, state, memory);
}

/* ---- available memory ---- */

struct room {
    double host, device;
    bool shared;
    size_t devices;
};

static struct room room_of(struct mw_device *const *devices, size_t count)
{
    struct room room = { .host = (double)mw_host_bytes(), .device = INFINITY, .devices = count };
    if (room.host <= 0)
        room.host = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *info = mw_device_info(devices[i]);
        room.shared |= info->shares_host_memory;
        if (info->memory_bytes > 0 && (double)info->memory_bytes < room.device)
            room.device = (double)info->memory_bytes;
    }
    return room;
}

static bool walk_plan_fits(const struct mw_walk *w, const struct room *room, uint64_t steps)
{
    double device, host;
    walk_plan_bytes_of(w->carpet, &w->options, w->variant, steps, &device, &host);
    return device / (double)room->devices <= room->device && host + (room->shared ? device : 0) <= room->host;
}

int mw_walk_plan(const struct mw_walk *w, struct mw_device *const *devices, size_t count)
{
    const struct room room = room_of(devices, count);
    uint64_t fitting = 0, beyond = w->options.steps;
    double device, host;
    if (walk_plan_fits(w, &room, w->options.steps))
        return 0;
    while (beyond - fitting > 1) {
        const uint64_t middle = fitting + (beyond - fitting) / 2;
        if (walk_plan_fits(w, &room, middle))
            fitting = middle;
        else
            beyond = middle;
    }
    walk_plan_bytes_of(w->carpet, &w->options, w->variant, w->options.steps, &device, &host);
    return mw_fail(MW_ELIMIT, "a walk of %llu steps needs about %s on %s and %s on the host; at most %llu steps fit",
                   (unsigned long long)w->options.steps, mw_amount(whole_bytes(device)).text,
                   mw_device_info(devices[0])->id, mw_amount(whole_bytes(host)).text, (unsigned long long)fitting);
}
/* SPDX-License-Identifier: MIT */

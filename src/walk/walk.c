/* Public calls for walks: creation, steps and queries. */
#include "base/progress.h"
#include "walk/carpet_internal.h"
#include "walk/walk_internal.h"

/* ---- construction ---- */

static int walk_describe(struct mw_walk *w, struct mw_device *const *devices, size_t count,
                         const struct mw_carpet *carpet, const struct mw_walk_options *options)
{
    struct mw_walk_options *o = &w->options;
    TRY_RETURN(MW_OPTIONS_TAKE(mw_walk_options, options, variant, o));
    TRY_RETURN(mw_walk_variant_find(devices, count, o->variant, &w->variant));
    w->by_hand = mw_walk_by_hand(o);
    o->variant = NULL;
    w->carpet = mw_carpet_hold(carpet);
    w->real_bytes = o->single ? sizeof(float) : sizeof(double);
    TRY_RETURN(mw_walk_plan(w, devices, count));
    return mw_walk_sites_find(carpet, o->start, w->variant->whole ? o->steps : mw_walk_reach(o->steps, !o->single),
                              &w->sites);
}

/* Makes a channel between every two parts; only those between neighbours are used. */
static int join_neighbours(struct mw_walk *w)
{
    struct mw_channel *channels = NULL;
    int rc;
    TRY(mw_new(w->count * w->count, sizeof *channels, &channels));
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < w->count; k++)
            channels[i * w->count + k] = (struct mw_channel){ w->parts[i].device, w->parts[k].device, 0, false };
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < w->parts[i].neighbour_count; k++)
            channels[w->parts[i].neighbour[k].send].bytes = w->parts[i].neighbour[k].count * w->real_bytes;
    TRY(mw_exchange_new(channels, w->count * w->count, "the walk", &w->exchange));
    for (size_t i = 0; i < w->count; i++)
        w->parts[i].port = (struct mw_port){ .exchange = w->exchange, .device = w->parts[i].device };
out:
    free(channels);
    return rc;
}

static int make_parts(struct mw_walk *w, struct mw_device *const *devices, size_t count)
{
    w->count = w->sites.count < count ? w->sites.count : count;
    if (w->count < count)
        mw_log(MW_LOG_NOTICE, "the walk has fewer sites than the %zu devices: using %zu", count, w->count);
    TRY_RETURN(mw_new(w->count, sizeof *w->parts, &w->parts));
    TRY_RETURN(mw_walk_split(w));
    if (count == 1 && !w->by_hand)
        TRY_RETURN(mw_walk_choose(w, devices[0]));
    for (size_t i = 0; i < w->count; i++)
        TRY_RETURN(mw_walk_device_new(w, devices[i], &w->parts[i]));
    if (w->count > 1) {
        TRY_RETURN(join_neighbours(w));
        TRY_RETURN(mw_team_new(w->parts, sizeof *w->parts, w->count, &w->team));
    }
    return 0;
}

int mw_walk_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                const struct mw_walk_options *options, struct mw_walk **walk)
{
    const double one = 1;
    const float single = 1;
    struct mw_walk *w = NULL;
    int rc;
    TRY(mw_team_devices(&devices, &count, "a walk"));
    TRY(mw_new(1, sizeof *w, &w));
    TRY(walk_describe(w, devices, count, carpet, options));
    TRY(make_parts(w, devices, count));
    TRY(mw_walk_put(w, 0, w->options.single ? (const void *)&single : &one));
    *walk = w;
    w = NULL;
out:
    mw_walk_free(w);
    return rc;
}

void mw_walk_free(struct mw_walk *w)
{
    if (!w)
        return;
    mw_team_free(w->team);
    /* Transfers of the last step may still use the channels' blocks. */
    for (size_t i = 0; w->exchange && i < w->count; i++)
        (void)mw_device_finish(w->parts[i].device);
    for (size_t i = 0; w->parts && i < w->count; i++)
        mw_walk_device_clear(&w->parts[i]);
    free(w->parts);
    mw_exchange_free(w->exchange);
    mw_walk_sites_clear(&w->sites);
    mw_carpet_free(w->carpet);
    free(w);
}

int mw_walk_check(const struct mw_walk *w)
{
    if (w->failed)
        return mw_fail(MW_EDEVICE, "an earlier call failed on a device of this walk: create a new one");
    return 0;
}

/* ---- running ---- */

/* A part that fails breaks the exchange, so that its neighbours do not wait for it. */
static int advance_part(void *part, void *context)
{
    struct mw_walk_device *p = part;
    const uint64_t end = p->whole->step + *(const uint64_t *)context;
    int rc = 0;
    for (uint64_t step = p->whole->step, done; step < end; step += done)
        TRY(mw_walk_device_step(p, step, end - step, &done));
    if (p->port.exchange)
        TRY(mw_device_flush(p->device));
out:
    if (rc != 0 && p->port.exchange)
        mw_exchange_break(p->port.exchange);
    return rc;
}

static int walk_advance(void *walk, uint64_t steps)
{
    struct mw_walk *w = walk;
    int rc;
    TRY(w->team ? mw_team_run(w->team, advance_part, &steps) : advance_part(&w->parts[0], &steps));
    w->step += steps;
out:
    w->failed |= rc != 0;
    return rc;
}

static int walk_sync(void *walk) { return mw_walk_sync(walk); }

int mw_walk_advance(struct mw_walk *w, uint64_t steps)
{
    TRY_RETURN(mw_walk_check(w));
    if (steps > w->options.steps - w->step)
        return mw_fail(MW_EINVAL, "the walk was created for %llu steps; %llu steps from step %llu are beyond these",
                       (unsigned long long)w->options.steps, (unsigned long long)steps, (unsigned long long)w->step);
    return mw_progress_steps(w, steps, walk_advance, walk_sync);
}

int mw_walk_sync(struct mw_walk *w)
{
    int rc = 0;
    for (size_t i = 0; i < w->count && rc == 0; i++)
        rc = mw_device_finish(w->parts[i].device);
    w->failed |= rc != 0;
    return rc;
}

/* ---- queries ---- */

uint64_t mw_walk_step(const struct mw_walk *w) { return w->step; }

size_t mw_walk_sites(const struct mw_walk *w, uint64_t steps)
{
    return mw_walk_reached(w, steps < w->options.steps ? steps : w->options.steps);
}

int mw_walk_places(const struct mw_walk *w, size_t n, int32_t *places)
{
    if (n > mw_walk_sites(w, w->options.steps))
        return mw_fail(MW_EINVAL, "requested the places of %zu sites; the walk has %zu", n,
                       mw_walk_sites(w, w->options.steps));
    memcpy(places, w->sites.places, n * w->sites.dims * sizeof *places);
    return 0;
}

const char *mw_walk_variant(const struct mw_walk *w) { return w->variant->variant.name; }

size_t mw_walk_parts(const struct mw_walk *w, size_t max, struct mw_walk_part *parts)
{
    for (size_t i = 0; i < w->count && i < max; i++)
        parts[i] = (struct mw_walk_part){ .device = w->parts[i].device,
                                          .share = (double)w->parts[i].own / (double)w->sites.count };
    return w->count;
}
/* SPDX-License-Identifier: MIT */

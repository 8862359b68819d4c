/* Random walkers: parts on devices, steps and measures. */
#include <meshwork/run.h>
#include <meshwork/walkers.h>

#include <inttypes.h>
#include <math.h>

#include "base/progress.h"
#include "dev/core/team.h"
#include "dev/own.h"
#include "io/array.h"
#include "walk/carpet_internal.h"
#include "walk/walkers.clh"
#include "kernels/native.h"
#include "kernels/walk/walkers.h"

/* Some drivers stop the loops of a work-item after 65535 iterations, and some systems stop long launches. */
#define LAUNCH_STEPS 4096
#define FAR ((int64_t)1 << 30)

struct part {
    struct mw_owner owner; /* frees the kernels and buffers */
    const struct mw_walkers *whole;
    struct mw_device *device;
    size_t first, count; /* walkers */
    struct mw_kernel_set *set;
    struct mw_buffer *places, *generators;
};

struct mw_walkers {
    struct mw_carpet *carpet;
    struct mw_walkers_options options;
    uint64_t step;
    size_t count;
    struct part *parts;
    struct mw_team *team;
    bool failed; /* a device failed, and the parts no longer match */
};

static size_t walkers_bytes_of(const struct mw_walkers *w, size_t walkers)
{
    return walkers * w->carpet->info.dims * sizeof(int32_t);
}

/* ---- construction ---- */

static int make_part(struct mw_walkers *w, struct mw_device *device, struct part *part)
{
    const struct mw_kernel_options options = { .native = mw_native_walk_walkers, .takes = MW_GROUP_ANY };
    const struct mw_carpet *c = w->carpet;
    const size_t bytes = (size_t)c->view.generators * (size_t)c->view.words * sizeof(uint32_t);
    part->whole = w;
    part->device = device;
    TRY_RETURN(mw_own_kernels(&part->owner, device, &kernels_walk_walkers, &options, &part->set));
    TRY_RETURN(mw_own_buffer(&part->owner, device, bytes, &part->generators));
    TRY_RETURN(mw_buffer_write(part->generators, 0, bytes, c->generators, NULL));
    TRY_RETURN(mw_own_buffer(&part->owner, device, walkers_bytes_of(w, part->count), &part->places));
    TRY_RETURN(mw_buffer_fill(part->places, 0, walkers_bytes_of(w, part->count), 0));
    return mw_device_finish(device);
}

static int walkers_check(const struct mw_carpet *carpet, const struct mw_walkers_options *o)
{
    if (o->walkers == 0)
        return mw_fail(MW_EINVAL, "number of walkers is 0 (must be 1 or more)");
    if (o->walkers > INT32_MAX)
        return mw_fail(MW_ELIMIT, "%zu walkers are not supported (at most 2^31 - 1)", o->walkers);
    for (unsigned d = 0; d < carpet->info.dims; d++)
        if (o->start[d] < -FAR || o->start[d] > FAR)
            return mw_fail(MW_ELIMIT, "start coordinate %" PRId64 " of walkers is out of range (-2^30 to 2^30)",
                           o->start[d]);
    return mw_carpet_check_start(carpet, o->start);
}

int mw_walkers_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                   const struct mw_walkers_options *given, struct mw_walkers **walkers)
{
    struct mw_walkers *w = NULL;
    struct mw_walkers_options o;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_walkers_options, given, start, &o));
    TRY(mw_team_devices(&devices, &count, "walkers"));
    TRY(walkers_check(carpet, &o));
    count = count < o.walkers ? count : o.walkers;
    TRY(mw_new(1, sizeof *w, &w));
    w->options = o;
    w->carpet = mw_carpet_hold(carpet);
    TRY(mw_new(count, sizeof *w->parts, &w->parts));
    w->count = count;
    for (size_t i = 0; i < count; i++) {
        struct part *part = &w->parts[i];
        part->first = o.walkers / count * i + (i < o.walkers % count ? i : o.walkers % count);
        part->count = o.walkers / count + (i < o.walkers % count);
        TRY(make_part(w, devices[i], part));
    }
    TRY(mw_team_new(w->parts, sizeof *w->parts, count, &w->team));
    *walkers = w;
    w = NULL;
out:
    mw_walkers_free(w);
    return rc;
}

void mw_walkers_free(struct mw_walkers *w)
{
    if (!w)
        return;
    mw_team_free(w->team);
    for (size_t i = 0; w->parts && i < w->count; i++)
        mw_owner_drop(&w->parts[i].owner);
    free(w->parts);
    mw_carpet_free(w->carpet);
    free(w);
}

/* ---- steps ---- */

static int part_advance(void *of, void *context)
{
    struct part *part = of;
    const struct mw_walkers *w = part->whole;
    const uint64_t steps = *(const uint64_t *)context;
    struct walkers view = { .seed = w->options.seed, .first = part->first, .count = (int32_t)part->count };
    for (unsigned d = 0; d < w->carpet->info.dims; d++)
        view.start[d] = (int32_t)w->options.start[d];
    for (uint64_t done = 0; done < steps; done += (uint64_t)view.steps) {
        view.step = w->step + done;
        view.steps = (int32_t)(steps - done < LAUNCH_STEPS ? steps - done : LAUNCH_STEPS);
        TRY_RETURN(launch_walk_walkers(part->set, mw_items(part->count), part->places, part->generators,
                                       &w->carpet->view, &view));
    }
    return w->count > 1 ? mw_device_finish(part->device) : mw_device_flush(part->device);
}

static int check_whole(const struct mw_walkers *w)
{
    return w->failed ? mw_fail(MW_EDEVICE, "an earlier call failed on a device of these walkers: create new ones") : 0;
}

/* Keeps coordinates within 32 bits: starts are within 2^30, too. */
static int check_step(uint64_t step)
{
    return step >= (uint64_t)FAR ? mw_fail(MW_ELIMIT, "too many steps of walkers (must be fewer than 2^30)") : 0;
}

static int walkers_advance(void *walkers, uint64_t steps)
{
    struct mw_walkers *w = walkers;
    const int rc = mw_team_run(w->team, part_advance, &steps);
    w->failed = rc != 0;
    w->step += steps;
    return rc;
}

static int walkers_sync(void *walkers) { return mw_walkers_sync(walkers); }

int mw_walkers_advance(struct mw_walkers *w, uint64_t steps)
{
    TRY_RETURN(check_whole(w));
    TRY_RETURN(check_step(steps < (uint64_t)FAR ? w->step + steps : steps));
    return mw_progress_steps(w, steps, walkers_advance, walkers_sync);
}

int mw_walkers_sync(struct mw_walkers *w)
{
    int rc = 0;
    TRY_RETURN(check_whole(w));
    for (size_t i = 0; i < w->count && rc == 0; i++)
        rc = mw_device_finish(w->parts[i].device);
    w->failed = rc != 0;
    return rc;
}

uint64_t mw_walkers_step(const struct mw_walkers *w) { return w->step; }

/* ---- places ---- */

int mw_walkers_get_into(struct mw_walkers *w, struct mw_array *places)
{
    const size_t length[] = { w->carpet->info.dims, w->options.walkers };
    TRY_RETURN(check_whole(w));
    TRY_RETURN(mw_array_check(places, "places of walkers", MW_TYPE_I32, 2, length));
    for (size_t i = 0; i < w->count; i++)
        TRY_RETURN(mw_buffer_read(w->parts[i].places, 0, walkers_bytes_of(w, w->parts[i].count),
                                  (char *)places->data + walkers_bytes_of(w, w->parts[i].first), NULL));
    return 0;
}

int mw_walkers_get(struct mw_walkers *w, struct mw_array *places)
{
    const size_t length[] = { w->carpet->info.dims, w->options.walkers };
    struct mw_array array = { 0 };
    int rc;
    TRY(mw_array_new(MW_TYPE_I32, 2, length, &array));
    TRY(mw_walkers_get_into(w, &array));
    *places = array;
    array.data = NULL;
out:
    mw_array_free(&array);
    return rc;
}

/* Checks that a walker can reach the place within `step` steps. */
static int check_place(const struct mw_walkers *w, uint64_t step, const int32_t *place, size_t n)
{
    int64_t site[MW_CARPET_DIMS_MAX];
    uint64_t distance = 0;
    for (unsigned d = 0; d < w->carpet->info.dims; d++) {
        site[d] = w->options.start[d] + place[d];
        distance += (uint64_t)llabs((int64_t)place[d]);
    }
    if (distance > step)
        return mw_fail(MW_EINVAL, "the place of walker %zu is more than %" PRIu64 " steps from the start", n, step);
    if (!mw_carpet_accessible(w->carpet, site))
        return mw_fail(MW_EINVAL, "the place of walker %zu is not accessible", n);
    return 0;
}

int mw_walkers_set(struct mw_walkers *w, uint64_t step, const struct mw_array *places)
{
    const unsigned dims = w->carpet->info.dims;
    TRY_RETURN(check_whole(w));
    TRY_RETURN(check_step(step));
    if (places->type != MW_TYPE_I32 || places->dims != 2 || places->length[0] != dims ||
        places->length[1] != w->options.walkers)
        return mw_fail(MW_EINVAL, "places of %zu walkers must be an int32 array with %u numbers per walker",
                       w->options.walkers, dims);
    for (size_t n = 0; n < w->options.walkers; n++)
        TRY_RETURN(check_place(w, step, (const int32_t *)places->data + n * dims, n));
    w->failed = true; /* until all parts have their places */
    for (size_t i = 0; i < w->count; i++)
        TRY_RETURN(mw_buffer_write(w->parts[i].places, 0, walkers_bytes_of(w, w->parts[i].count),
                                   (const char *)places->data + walkers_bytes_of(w, w->parts[i].first), NULL));
    w->failed = false;
    w->step = step;
    return mw_walkers_sync(w);
}

int mw_walkers_measure(struct mw_walkers *w, struct mw_walkers_measures *measures)
{
    const size_t walkers = w->options.walkers, dims = w->carpet->info.dims;
    struct mw_array places = { 0 };
    struct mw_statistics s;
    double *squares = NULL;
    int rc;
    TRY(MW_RESULT_GIVE(mw_walkers_measures, NULL, error, measures));
    TRY(mw_walkers_get(w, &places));
    TRY(mw_new(walkers, sizeof *squares, &squares));
    for (size_t n = 0; n < walkers; n++)
        for (size_t d = 0; d < dims; d++) {
            const double x = ((const int32_t *)places.data)[n * dims + d];
            squares[n] += x * x;
        }
    TRY(mw_values_statistics(squares, true, walkers, &s));
    const struct mw_walkers_measures found = { .size = sizeof found,
                                               .square_displacement = s.mean,
                                               .error = walkers > 1 ? sqrt(s.variance / (double)(walkers - 1)) : NAN };
    TRY(MW_RESULT_GIVE(mw_walkers_measures, &found, error, measures));
out:
    free(squares);
    mw_array_free(&places);
    return rc;
}
/* SPDX-License-Identifier: MIT */

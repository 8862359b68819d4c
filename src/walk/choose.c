/* Chooses the fastest variant.  On GPUs it is measured, since it depends on the time of a launch relative to that of a
 * step. */
#include <math.h>
#include <stdio.h>

#include <meshwork/tune.h>

#include "walk/walk_internal.h"

/* Walks of fewer steps end before a measurement pays; steps per measurement; seconds for all measurements. */
enum { STEPS_LEAST = 5000, TIMED = 64 };
#define BUDGET 1.0
/* A site with its neighbours takes 32 bytes of a core's cache.  Up to this many sites, `near` is faster than `rows` on
 * all installed carpets, by 5 % to a factor of 2. */
enum { SITES_OF_CACHE = 8192 };

/* Times steps in the middle of the walk, after as many warm-up steps.  The state is all zeros: its values do not
 * matter. */
static int time_steps(struct mw_walk_device *part, double *seconds)
{
    const uint64_t first = part->whole->options.steps / 2;
    double start = 0;
    for (uint64_t step = 0, done; step < 2 * TIMED; step += done) {
        if (step == TIMED) {
            TRY_RETURN(mw_device_finish(part->device));
            start = mw_work_now();
        }
        TRY_RETURN(mw_walk_device_step(part, first, TIMED - step % TIMED, &done));
    }
    TRY_RETURN(mw_device_finish(part->device));
    *seconds = (mw_work_now() - start) / TIMED;
    return 0;
}

static int walk_choose_measure(void *walk, const struct mw_shape *shape, double *seconds)
{
    struct mw_walk *const w = walk;
    const struct mw_walk_variant *const before = w->variant;
    struct mw_walk_device trial = w->parts[0];
    int rc;
    TRY(mw_walk_variant_find(&trial.device, 1, shape->variant, &w->variant));
    rc = mw_walk_device_new(w, trial.device, &trial);
    if (rc == 0)
        rc = time_steps(&trial, seconds);
    mw_walk_device_clear(&trial);
out:
    w->variant = before;
    return rc;
}

/* Walks share an entry if they have the same dimensions and precision and about the same size (within a power of
 * two). */
static void write_key(const struct mw_walk *w, char *key, size_t room)
{
    snprintf(key, room, "walk %u %s %d", w->sites.dims, w->options.single ? "single" : "double",
             ilogb((double)mw_walk_reached(w, w->options.steps / 2) + 1));
}

/* Computes a hash of the kernels' text, so that results of other texts are ignored. */
static int sign(const struct mw_device *device, uint64_t *signature)
{
    static const char *const files[] = { "walk/list.cl", "walk/blocks.cl" };
    struct mw_text flat = { 0 };
    int rc = 0;
    for (size_t i = 0; i < MW_COUNT(files); i++)
        TRY(mw_flatten(device->kernel_path, &(struct mw_source){ .size = sizeof(struct mw_source), .file = files[i] },
                       &flat));
    *signature = mw_hash64(flat.data, flat.length, 0);
out:
    mw_text_free(&flat);
    return rc;
}

static bool is_among(const struct mw_shape *shapes, size_t count, const char *variant)
{
    size_t i = 0;
    while (i < count && strcmp(shapes[i].variant, variant) != 0)
        i++;
    return i < count;
}

int mw_walk_choose(struct mw_walk *w, struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    const struct mw_shape shapes[] = { { .variant = "near" }, { .variant = "blocks" } };
    const struct mw_tuning tuning = { .size = sizeof tuning,
                                      .candidates = shapes,
                                      .count = MW_COUNT(shapes),
                                      .budget = BUDGET,
                                      .measure = walk_choose_measure,
                                      .context = w };
    struct mw_shape best;
    uint64_t signature;
    double seconds;
    char key[64];
    if (info->traits->has_cores)
        return w->sites.count <= SITES_OF_CACHE ? mw_walk_variant_find(&device, 1, "near", &w->variant) : 0;
    if (w->options.steps < STEPS_LEAST)
        return 0;
    write_key(w, key, sizeof key);
    w->parts[0].device = device;
    TRY_RETURN(sign(device, &signature));
    if (!mw_tune_get(info, key, signature, &best) || !is_among(shapes, MW_COUNT(shapes), best.variant)) {
        TRY_RETURN(mw_tune(&tuning, &best, &seconds, NULL));
        if (mw_tune_put(info, key, signature, &best, seconds) != 0)
            mw_log(MW_LOG_INFO, "cannot cache the variant of walks: %s", mw_errmsg());
    }
    TRY_RETURN(mw_walk_variant_find(&device, 1, best.variant, &w->variant));
    mw_log(MW_LOG_INFO, "%s: variant %s", info->id, best.variant);
    return 0;
}
/* SPDX-License-Identifier: MIT */

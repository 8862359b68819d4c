#include "bench/carpets/turn.h"

#include <math.h>
#include <string.h>

bool walk_is_papers(const char *variant) { return strcmp(variant, "square") == 0 || strcmp(variant, "diamond") == 0; }

size_t walk_variants(const struct walk_asked *asked, const struct mw_device *device,
                     bool (*has)(const struct mw_device *device, const char *variant), const char *names[WALK_VARIANTS])
{
    size_t count = 0;
    for (size_t i = 0; i < asked->variant_count; i++)
        names[count++] = asked->variants[i];
    for (size_t i = 0; asked->variant_count == 0 && mw_walk_variants(i) && count < WALK_VARIANTS; i++)
        if (has(device, mw_walk_variants(i)->name))
            names[count++] = mw_walk_variants(i)->name;
    return count;
}

struct mw_carpet *walk_carpet(const char *name, int64_t *start)
{
    const struct mw_carpet_options options = { .size = sizeof options, .generators = name, .level = 3, .seed = 1 };
    struct mw_carpet *carpet;
    if (mw_carpet_new(&options, &carpet) != 0 || mw_carpet_random_site(carpet, 0, start) != 0)
        bench_die(name);
    return carpet;
}

/* Returns the bytes of all updates of a walk; NaN for variants that also visit places without a site. */
static double moved_by(const struct walk_turn *t)
{
    const struct mw_walk_sites *sites = &t->walk->sites;
    const bool whole = t->walk->variant->whole, fp64 = !t->options.single;
    const double each = 2.0 * (fp64 ? sizeof(double) : sizeof(float)) + 2.0 * sites->dims * sizeof(int32_t);
    double updates = 0;
    if (walk_is_papers(mw_walk_variant(t->walk)))
        return NAN;
    for (uint64_t step = 1; step <= t->options.steps; step++)
        updates += (double)mw_walk_sites_within(sites, whole ? step : mw_walk_reach(step, fp64));
    return updates * each;
}

static int prepare(void *of)
{
    struct walk_turn *t = of;
    const double start = mw_now(), built = mw_build_seconds();
    const int rc = mw_walk_new(&t->device, 1, t->carpet, &t->options, &t->walk);
    t->made = mw_now() - start - (mw_build_seconds() - built);
    t->moved = rc == 0 ? moved_by(t) : NAN;
    return rc;
}

static double seconds(void *of)
{
    struct walk_turn *t = of;
    const size_t one = 1;
    struct mw_array state;
    if (mw_array_new(t->options.single ? MW_TYPE_F32 : MW_TYPE_F64, 1, &one, &state) != 0)
        bench_die("a state");
    if (!t->options.single)
        *(double *)state.data = 1;
    else
        *(float *)state.data = 1;
    if (mw_walk_set(t->walk, 0, &state) != 0)
        bench_die("a state");
    mw_array_free(&state);
    const double start = mw_now();
    if (mw_walk_advance(t->walk, t->options.steps) != 0 || mw_walk_sync(t->walk) != 0)
        bench_die("a walk");
    return mw_now() - start;
}

static int check(void *of)
{
    struct walk_turn *t = of;
    struct mw_walk_measures measures = MW_INIT(measures);
    if (mw_walk_measure(t->walk, &measures) != 0)
        bench_die("a walk");
    if (!(fabs(measures.total - 1) < (t->options.single ? 1e-4 : 1e-12)))
        bench_wrong("variant %s: the total probability is %.17g", mw_walk_variant(t->walk), measures.total);
    return 0;
}

static void finish(void *of)
{
    struct walk_turn *t = of;
    mw_walk_free(t->walk);
    t->walk = NULL;
}

struct bench_contender walk_contender(struct walk_turn *turn)
{
    return (struct bench_contender){ .name = turn->options.variant,
                                     .of = turn,
                                     .prepare = prepare,
                                     .seconds = seconds,
                                     .check = check,
                                     .finish = finish };
}
/* SPDX-License-Identifier: MIT */

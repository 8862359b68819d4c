/* Length of strips along the slowest dimension; a strip is the share of one work-item or group.
 *
 * Groups that roll in registers (cl/field/registers) occupy a device in waves: few groups run at once, and a turn with
 * some of them takes nearly as long as with all that fit.  Cahn-Hilliard at 8192 x 8192 on an H100, us per turn with 1,
 * 3, 5 and 6 groups per unit: 0.57, 0.74, 0.79, 0.85; at 2048 x 2048, which stays in the cache, with 3, 4, 5 and 6:
 * 0.52, 0.54, 0.77, 0.76.  An incomplete last wave thus costs nearly as much as a complete one (tail effect).  For
 * shape.rows 0 the length of strips is chosen so that launches consist of complete waves (4096 x 4096: 354 G
 * cell-steps/s; strips of 128 rows: 286).
 *
 * The model: a turn's time depends on the groups per unit.  A strip takes as many turns as its length plus two leads.
 * `find_strip` tries each number of strips and takes the least estimate. */
#include <math.h>

#include "dev/core/registers.h"
#include "field/program/program.h"

#define STRIPS_A_UNIT 4            /* strips per compute unit, for balance between units */
#define MARGINS_A_STRIP 16         /* on cores, where strips recompute cells beyond their ends */
#define STRIP_CELLS ((size_t)1024) /* minimum cells per strip on cores: starting a core takes as long */

/* A turn's time with very few groups, relative to a turn with all groups that fit.  It grows linearly with the groups.
 * If states stay in the device's cache, it is instead proportional to the warps of the busiest scheduler, but at least
 * LATENCY_CACHED. */
#define LATENCY 0.65
#define LATENCY_CACHED 0.5
#define CACHED_BYTES ((size_t)24 << 20)
#define WAVES_MOST 8 /* with more waves the last one has little effect */
#define ROWS 128     /* for an unknown number of concurrent groups */

/* If the number of concurrent groups is unknown, assume a unit of NVIDIA's GPUs of this capability.  A work-item takes
 * OTHER_REGISTERS in addition to its rings (12 to 28 in six models).  This guess allows 6, 6 and 8 groups where
 * NVIDIA's compiler allows 8, 6 and 8 (Cahn-Hilliard, the same in double precision, heat).  A wrong number makes strips
 * slower.  Cahn-Hilliard at 8192 x 8192, where 8 fit: 452 G cell-steps/s; with strips for 7 groups: 405; with the best
 * strips in the mean of 6 to 12 groups: 370. */
#define GUESSED_CAPABILITY 80
#define OTHER_REGISTERS 24
#define GUESS_RANGE 2

static size_t systems_of(const struct mw_field_array *a, const struct mw_field_plan *p)
{
    return mw_field_has_systems(a->problem) ? (size_t)p->batch : 1;
}

/* Returns the wanted number of strips (or blocks next to each other): some per unit.  On cores it is smaller for small
 * meshes, and 1 if there are systems for all cores. */
static size_t strips_wanted(const struct mw_field_array *a, const struct mw_field_plan *p, size_t places)
{
    const size_t units = mw_field_units(a), systems = systems_of(a, p);
    const size_t strips = mw_ceil_div(STRIPS_A_UNIT * units, systems);
    const size_t margin = p->variant.ringed ? (size_t)(p->rings.levels * a->problem->reach->reach) : 0;
    if (!mw_device_info(a->device)->traits->has_cores)
        return strips;
    if (systems > 1)
        return 1;
    const size_t long_ones = mw_max(units, places / (MARGINS_A_STRIP * mw_max(margin, 1)));
    return mw_max(1, mw_min(a->cells / STRIP_CELLS, mw_min(strips, margin ? long_ones : strips)));
}

size_t mw_field_strip_share(const struct mw_field_array *a, const struct mw_field_plan *p, size_t places)
{
    return mw_ceil_div(places, strips_wanted(a, p, places));
}

int mw_field_strip_length(const struct mw_field_array *a, const struct mw_field_plan *p, size_t places, size_t wanted)
{
    const size_t columns = mw_device_info(a->device)->kind == MW_DEVICE_NATIVE ? 1 : p->columns;
    const size_t strips = mw_ceil_div(strips_wanted(a, p, places), columns);
    return (int)mw_min(wanted, mw_max(1, mw_ceil_div(places, strips)));
}

/* ---- groups that roll in registers ---- */

static int lead_of(const struct mw_field_array *a, const struct mw_field_plan *p)
{
    return p->rings.levels * a->problem->reach->reach;
}

/* Rounds a strip's length up to whole rounds of a ring, and to at least its lead: shorter strips would mostly compute
 * other strips' slices. */
static int whole_rounds(const struct mw_field_array *a, const struct mw_field_plan *p, size_t strip)
{
    const int lead = lead_of(a, p), ring = p->rings.field_ring;
    const int turns = ((int)strip > lead ? (int)strip : lead) + 2 * lead;
    return (turns + ring - 1) / ring * ring - 2 * lead;
}

/* Returns the warps of the busiest scheduler of a unit with these groups. */
static size_t warps_of(const struct mw_field_plan *p, size_t groups)
{
    return mw_ceil_div(groups * mw_ceil_div(p->shape.group[0] * p->shape.group[1], MW_WARP), MW_SCHEDULERS);
}

/* Returns a turn's time with `groups` per unit, relative to a turn with all `resident` groups that fit. */
static double turn_time(const struct mw_field_array *a, const struct mw_field_plan *p, size_t groups, size_t resident)
{
    if (groups == 0)
        return 0;
    if (a->bytes >= CACHED_BYTES)
        return LATENCY + (1 - LATENCY) * (double)groups / (double)resident;
    return fmax(LATENCY_CACHED, (double)warps_of(p, groups) / (double)warps_of(p, resident));
}

/* Estimates the time for strips of this length, with `groups` next to each other: a mean over all possible numbers of
 * concurrent groups.  A turn of a complete wave counts as many as its groups. */
static double strips_time(const struct mw_field_array *a, const struct mw_field_plan *p, size_t slabs, int strip,
                          size_t groups)
{
    const size_t all = groups * mw_ceil_div(slabs, (size_t)strip), units = mw_field_units(a);
    double time = 0;
    for (size_t resident = p->waves->least; resident <= p->waves->most; resident++) {
        const size_t wave = resident * units;
        const double rest = turn_time(a, p, mw_ceil_div(all % wave, units), resident);
        time += ((double)(all / wave) + rest) * (double)resident;
    }
    return time / (double)(p->waves->most - p->waves->least + 1) * (strip + 2 * lead_of(a, p));
}

/* Returns the best strip length.  Tries each number of groups per unit, which gives a number of strips. */
static int find_strip(const struct mw_field_array *a, const struct mw_field_plan *p, size_t slabs)
{
    const size_t groups = p->columns * systems_of(a, p);
    const size_t units = mw_field_units(a), whole = mw_max(p->waves->most, mw_ceil_div(groups, units));
    double least_time = HUGE_VAL;
    size_t before = 0;
    int best = 0;
    for (size_t each = 1; each <= WAVES_MOST * whole; each++) {
        const size_t strips = mw_max(1, each * units / groups);
        if (strips == before)
            continue;
        before = strips;
        const int strip = whole_rounds(a, p, mw_ceil_div(slabs, strips));
        const double time = strips_time(a, p, slabs, strip, groups);
        if (time < least_time)
            best = strip;
        least_time = fmin(time, least_time);
    }
    return best;
}

int mw_field_strip_of_waves(const struct mw_field_array *a, const struct mw_field_plan *p, size_t slabs)
{
    struct mw_known_strip *known = &p->waves->known[slabs % MW_COUNT(p->waves->known)];
    if (known->strip == 0 || known->slabs != slabs)
        *known = (struct mw_known_strip){ slabs, find_strip(a, p, slabs) };
    return known->strip;
}

/* Returns a low estimate of the concurrent groups per unit, at least 1. */
static size_t guess(const struct mw_field_array *a, const struct mw_field_plan *p, size_t items)
{
    const size_t words = p->rings.registers * mw_problem_real_bytes(a->problem) / 4 + OTHER_REGISTERS;
    return mw_max(1, mw_unit_groups(mw_unit_room(GUESSED_CAPABILITY), words, 0, items));
}

int mw_field_waves_new(const struct mw_field_array *a, const struct mw_field_plan *p, size_t told,
                       struct mw_waves **waves)
{
    const struct mw_device_info *device = mw_device_info(a->device);
    const size_t items = p->shape.group[0] * p->shape.group[1];
    /* If a driver truncates long loops, strips cannot have any length. */
    const bool to_guess =
        device->kind == MW_DEVICE_GPU && !device->traits->lanes_load_alone && !device->traits->loop_rounds;
    struct mw_waves *made = NULL;
    if (!p->variant.registers || p->shape.rows > 0 || p->rings.flat || (told == 0 && !to_guess))
        return 0;
    TRY_RETURN(mw_new(1, sizeof *made, &made));
    made->least = made->most = told;
    if (told == 0) {
        const size_t room = mw_max(1, mw_unit_groups(mw_unit_room(GUESSED_CAPABILITY), 1, 0, items));
        made->least = guess(a, p, items);
        made->most = mw_min(room, GUESS_RANGE * made->least);
    }
    *waves = made;
    return 0;
}

int mw_field_strip(const struct mw_field_array *a, const struct mw_field_plan *p, size_t slabs)
{
    if (p->rings.flat)
        return p->block_1;
    if (mw_field_is_alone(&p->shape))
        return (int)slabs;
    if (p->waves)
        return mw_field_strip_of_waves(a, p, slabs);
    const bool tall = a->problem->dims == 3 && !p->variant.tiled && !p->variant.registers;
    const int strip = mw_field_strip_length(a, p, slabs, tall ? slabs : mw_field_rows(&p->shape));
    return p->variant.registers ? whole_rounds(a, p, (size_t)strip) : strip;
}

unsigned mw_field_rows(const struct mw_shape *shape) { return shape->rows ? shape->rows : ROWS; }
/* SPDX-License-Identifier: MIT */

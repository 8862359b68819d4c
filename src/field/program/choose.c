/* Candidates for tuning: the shapes to try for a problem on a device, the rule's choice first, then by expected
 * speed. */
#include <math.h>

#include "field/program/program.h"

/* Above this number of cells read per update, compiling variant fused takes minutes, and other variants are faster. */
#define FUSED_LOOKS_MAX 150
#define FUSED_DIMS_MAX 3

/* Rings should stay in a core's second-level cache. */
#define RING_BYTES (640 << 10)

/* Bytes of a work-item's registers for rings: a GPU's work-item has at most 255 registers of four bytes, some of which
 * hold other values. */
#define REGISTER_BYTES 800
#define MATH_STEPS_MOST 2   /* most steps if the model calls functions */
#define RING_BYTES_MOST 400 /* per field or stage: launches with more do too many steps */
#define LANE_BYTES 288      /* for CPU lanes: above, compiling takes 10 s, and memory is as fast */

bool mw_problem_can_roll(const struct mw_problem *p) { return p->dims == 2 || p->dims == 3; }

bool mw_problem_can_be_temporal(const struct mw_problem *p)
{
    return mw_problem_can_roll(p) && mw_problem_is_endless(p) && !mw_problem_is_single(p) &&
           (p->integrator == MW_INTEGRATOR_EULER || p->integrator == MW_INTEGRATOR_RK2);
}

static bool can_fuse(const struct mw_problem *p)
{
    return !p->model->stage_count ||
           (!p->model->domain && p->reach->looks <= FUSED_LOOKS_MAX && p->dims <= FUSED_DIMS_MAX);
}

/* Returns whether functions in nested stages make kernels that evaluate stages for several rows or steps too long:
 * NVRTC compiles flory-huggins in 47 s to 369 KB as registers, in 1.2 s to 25 KB as tile. */
static bool has_long_stages(const struct mw_problem *p) { return p->model->has_math && p->model->stage_count > 1; }

/* Returns whether a variant is worth trying.  On cores, compiling fused with stages takes many seconds, and it is
 * fastest only in one dimension. */
static bool is_worth(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_field_variant *v)
{
    const bool stages = p->model->stage_count > 0;
    if (v->images && (!device->images || mw_field_has_systems(p)))
        return false;
    if ((v->images || v->async) && mw_problem_is_edged(p))
        return false;
    if (v->temporal)
        return mw_problem_can_be_temporal(p);
    if (v->registers)
        return p->dims <= 3 && p->reach->radius > 0 && !has_long_stages(p);
    if (v->ringed)
        return mw_problem_can_roll(p) && (v->together || stages);
    if (v->staged)
        return stages;
    return can_fuse(p) && !has_long_stages(p) && !(device->traits->has_cores && stages && p->dims > 1);
}

/* ---- candidates ---- */

static unsigned program_choose_place_of(const struct mw_device_info *device)
{
    return device->traits->has_cores               ? MW_ON_CORES
           : device->traits->lanes_load_alone      ? MW_ON_LANES
           : device->kind == MW_DEVICE_GPU         ? MW_ON_GPUS
           : device->kind == MW_DEVICE_ACCELERATOR ? MW_ON_ACCELERATORS
                                                   : MW_ON_OTHERS;
}

/* Returns the default number of lanes; accelerators with local memory but no caches get at least four. */
static unsigned lanes_of(const struct mw_device_info *device, const struct mw_problem *p)
{
    if (device->traits->has_cores)
        return MW_NATIVE_LANES(p->fp64);
    return device->vector_width >= 16 ? 16 : device->vector_width >= 8 ? 8 : 4;
}

static void shape_of(const struct mw_device_info *device, const struct mw_problem *p,
                     const struct mw_field_candidate *c, struct mw_shape *shape)
{
    const unsigned vec = c->vec ? c->vec : lanes_of(device, p);
    const unsigned lanes = vec * (c->vec || !c->group[0] ? 1 : (unsigned)c->group[0]);
    *shape = (struct mw_shape){ .vec = vec,
                                .per_item = c->cells / lanes,
                                .rows = c->rows,
                                .steps = c->steps,
                                .group = { c->group[0], c->group[1] } };
    mw_copy_string(shape->variant, sizeof shape->variant, c->variant);
}

/* Adapts a shape of variant registers to the problem: 16 bytes per vector, but at least the model's radius in cells.
 * Rectangles, which lose cells to borders on all sides, get half the work-items instead. */
static void fit_registers(const struct mw_problem *p, struct mw_shape *shape)
{
    if (p->fp64 && shape->group[1] > 1 && mw_field_is_rectangle(p, shape))
        shape->group[1] /= 2;
    else if (p->fp64 && p->reach->radius <= 2)
        shape->vec = 2;
    if (shape->steps > 0 && (!mw_problem_keeps_images(p) || mw_problem_is_single(p)))
        shape->steps = 0;
    if (p->steps_most && shape->steps > p->steps_most)
        shape->steps = p->steps_most;
}

size_t mw_field_ring_bytes(const struct mw_problem *p, const struct mw_shape *shape)
{
    struct mw_rings rings;
    mw_problem_rings(p, shape, &rings);
    return rings.cells * mw_problem_real_bytes(p);
}

bool mw_field_owns_enough(const struct mw_problem *p, const struct mw_shape *shape)
{
    const unsigned radius = (unsigned)p->reach->radius;
    if (shape->vec > 4 || shape->vec < radius)
        return false;
    const bool rows = p->dims == 3 || (p->dims == 2 && shape->group[1] > 1);
    return rows ? shape->per_item >= (radius ? radius : 1) && shape->per_item <= 16
                : shape->per_item == 1 && shape->group[1] == 1;
}

static size_t most_registers(const struct mw_device_info *device)
{
    return device->traits->lanes_load_alone ? LANE_BYTES : REGISTER_BYTES;
}

/* Returns whether rings fit in their memory, and the device supports the group. */
static bool program_choose_fits(const struct mw_device_info *device, const struct mw_problem *p,
                                const struct mw_field_variant *v, const struct mw_shape *shape)
{
    const size_t local = device->kind == MW_DEVICE_NATIVE || !device->local_bytes ? SIZE_MAX : device->local_bytes;
    const size_t bytes = mw_field_ring_bytes(p, shape), items = shape->group[0] * shape->group[1];
    if (!v->ringed)
        return true;
    if (!v->together)
        return bytes <= local && bytes <= RING_BYTES;
    if (v->registers) {
        struct mw_rings rings;
        mw_problem_rings(p, shape, &rings);
        if (p->reach->reach == 0 || !mw_field_owns_enough(p, shape) || rings.block_x <= 0 || rings.block_1 <= 0 ||
            rings.field_ring > MW_RING_MOST || rings.registers * mw_problem_real_bytes(p) > most_registers(device))
            return false;
    }
    return bytes > 0 && bytes <= device->local_bytes && shape->per_item > 0 &&
           (!device->max_group || items <= device->max_group);
}

static bool is_twice(const struct mw_shape *shapes, size_t last)
{
    for (size_t i = 0; i < last; i++)
        if (memcmp(&shapes[i], &shapes[last], sizeof *shapes) == 0)
            return true;
    return false;
}

static bool is_for_small(const struct mw_problem *p, const struct mw_shape *shape)
{
    return mw_field_is_rectangle(p, shape) || mw_field_is_alone(shape);
}

/* Finds the candidates that fit, of a variant or of all (NULL).  Without `anywhere`, only candidates for the device and
 * mesh. */
static size_t program_choose_find(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                                  const char *variant, bool anywhere, struct mw_shape *shapes)
{
    const struct mw_field_candidate *c;
    size_t n = 0;
    for (size_t i = 0; n < MW_SHAPES_MAX && (c = mw_field_candidate(i)) != NULL; i++) {
        struct mw_field_variant v;
        if ((variant && strcmp(variant, c->variant) != 0) || (c->dims != MW_ANY_DIMS && c->dims != p->dims) ||
            (!anywhere && !(c->devices & program_choose_place_of(device))) || mw_field_variant(c->variant, &v) != 0)
            continue;
        shape_of(device, p, c, &shapes[n]);
        if (v.registers)
            fit_registers(p, &shapes[n]);
        if (is_twice(shapes, n))
            continue;
        if (anywhere || (is_worth(device, p, &v) &&
                         (!is_for_small(p, &shapes[n]) || mw_field_small_is_worth(device, p, length, &shapes[n]))))
            n += program_choose_fits(device, p, &v, &shapes[n]);
    }
    return n;
}

/* ---- the rule's choice ---- */

static void move_to(struct mw_shape *shapes, size_t from, size_t to)
{
    const struct mw_shape moved = shapes[from];
    memmove(shapes + to + 1, shapes + to, (from - to) * sizeof *shapes);
    shapes[to] = moved;
}

/* Moves shapes for small meshes to the front, in the order of expected time.  Returns their number. */
static size_t put_small_first(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                              struct mw_shape *shapes, size_t count)
{
    size_t placed = 0;
    for (size_t i = 0; i < count; i++) {
        size_t to = 0;
        if (!is_for_small(p, &shapes[i]))
            continue;
        const double seconds = mw_field_small_seconds(device, p, length, &shapes[i]);
        if (seconds == HUGE_VAL)
            continue;
        while (to < placed && mw_field_small_seconds(device, p, length, &shapes[to]) <= seconds)
            to++;
        move_to(shapes, i, to);
        placed++;
    }
    return placed;
}

/* Returns whether more than 60 % of the cells that a group computes are its own. */
static bool is_mostly_own(const struct mw_problem *p, const struct mw_shape *shape, const struct mw_rings *rings)
{
    const double columns = (double)shape->group[0] * shape->vec, rows = (double)shape->group[1] * shape->per_item;
    return rings->block_x / columns * (p->dims == 3 ? rings->block_1 / rows : 1) > 0.6;
}

/* Moves the most promising shape of variant registers to the front: the one that does most work per launch, unless
 * rings are long (measured on an H100: heat with 8 steps has 0.83 times the speed of 4 steps; gray-scott and wave with
 * 4 have 1.2 and 1.3 times the speed of 2).  With functions, roots or quotients, 4 steps have 0.82 to 0.92 times the
 * speed of 2 (one field at 8192 x 8192 on an H200).  Whole steps are preferred to parts of a step, whatever the number
 * of registers (RK4 of Cahn-Hilliard at 8192 x 8192 on an H200: 132 G cell-steps/s with 192 registers, 42 with one
 * update per launch). */
static void put_promising_first(const struct mw_problem *p, struct mw_shape *shapes, size_t count)
{
    const bool plane = p->dims == 2;
    size_t most = 0, at = 0;
    bool whole = false;
    for (size_t i = 0; i < count; i++) {
        struct mw_rings rings;
        mw_problem_rings(p, &shapes[i], &rings);
        const size_t bytes = rings.registers * mw_problem_real_bytes(p);
        const bool promising = bytes <= RING_BYTES_MOST * (mw_model_quantities(p->model) + p->model->stage_count) &&
                               !(plane && p->model->has_math && shapes[i].steps > MATH_STEPS_MOST);
        const bool better = promising ? bytes > most && !(plane && whole && shapes[i].steps == 0)
                                      : plane && !whole && shapes[i].steps == 1;
        if (!better || !is_mostly_own(p, &shapes[i], &rings))
            continue;
        most = promising ? bytes : 0;
        whole = whole || shapes[i].steps > 0;
        at = i;
    }
    move_to(shapes, at, 0);
}

size_t mw_field_candidates(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                           struct mw_shape *shapes)
{
    const size_t count = program_choose_find(device, p, length, NULL, false, shapes);
    if (count > 0 && put_small_first(device, p, length, shapes, count) == 0)
        put_promising_first(p, shapes, count);
    return count;
}

int mw_field_shape_by_hand(const struct mw_device_info *device, const struct mw_problem *p, const char *name,
                           struct mw_shape *shape)
{
    const unsigned vec = device->kind == MW_DEVICE_NATIVE ? MW_NATIVE_LANES(p->fp64)
                         : device->vector_width >= 4      ? 4
                                                          : 1;
    struct mw_shape found[MW_SHAPES_MAX];
    struct mw_field_variant v;
    size_t n = 0;
    TRY_RETURN(mw_field_variant(name, &v));
    if (v.together && device->kind != MW_DEVICE_NATIVE)
        n = program_choose_find(device, p, NULL, name, true, found);
    if (n > 0) {
        *shape = found[0];
    } else if (v.registers) {
        const bool volume = p->dims == 3;
        *shape = (struct mw_shape){
            .vec = 4, .per_item = volume ? 2 : 1, .rows = 64, .group = { volume ? 16 : 64, volume ? 8 : 1 }
        };
        mw_copy_string(shape->variant, sizeof shape->variant, name);
    } else if (v.images && device->kind == MW_DEVICE_GPU) {
        *shape = (struct mw_shape){ .vec = 1, .per_item = 1, .rows = 1, .group = { 32, 4 } };
        mw_copy_string(shape->variant, sizeof shape->variant, name);
    } else {
        *shape = (struct mw_shape){
            .vec = v.images ? 1 : vec, .per_item = v.ringed ? 256 / vec : 0, .rows = 16, .group = { 1, 1 }
        };
        mw_copy_string(shape->variant, sizeof shape->variant, name);
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */

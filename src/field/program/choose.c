/* Which shapes are worth trying for a problem on a device: the rule's choice first, then the others by expectation. */
#include <math.h>
#include <string.h>

#include "field/program/program.h"

/* Above this many looks at cells, compilers take minutes over the fused variant, and it has lost by then. */
#define FUSED_LOOKS_MAX 150
#define FUSED_DIMS_MAX 3
#define FUSED_LOOKS_BOUND 10000          /* beyond it is refused also by hand */

/* Rings should stay in a core's second cache. */
#define RING_BYTES (640 << 10)

/* Bytes of an item's registers that rings may take: a GPU's items have 255 of four bytes, some of which are for other
 * values. */
#define REGISTER_BYTES 800
#define RING_BYTES_MOST 400      /* of each ring: with more, a launch does too many steps */
#define LANE_BYTES 288           /* where lanes are a CPU's: beyond, compilers take 10 s, and memory is as fast */
#define REGISTERS_MOST 2048      /* beyond them compilers do not come to an end */
#define RING_MOST 13             /* turns that are written out: cl/field/registers/roll.clh */

static bool can_roll(const struct mw_problem *p)
{
    return p->dims == 2 || p->dims == 3;
}

static bool can_be_temporal(const struct mw_problem *p)
{
    return can_roll(p) && mw_problem_is_endless(p) && p->integrator != MW_INTEGRATOR_RK4;
}

static bool can_fuse(const struct mw_problem *p)
{
    return !p->model->stage_count || (p->reach->looks <= FUSED_LOOKS_MAX && p->dims <= FUSED_DIMS_MAX);
}

/* Whether a variant is worth trying.  On cores, fused with stages takes compilers many seconds and has won in one
 * dimension alone. */
static bool is_worth(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_field_variant *v)
{
    const bool stages = p->model->stage_count > 0;
    if (v->images && (!device->images || mw_field_has_systems(p)))
        return false;
    if (v->temporal)
        return can_be_temporal(p);
    if (v->registers)
        return p->dims <= 3 && p->reach->radius > 0;
    if (v->ringed)
        return can_roll(p) && (v->together || stages);
    if (v->staged)
        return stages;
    return can_fuse(p) && !(device->traits.has_cores && stages && p->dims > 1);
}

/* ---- candidates ---- */

static unsigned place_of(const struct mw_device_info *device)
{
    return device->traits.has_cores                ? MW_ON_CORES
           : device->traits.lanes_load_alone       ? MW_ON_LANES
           : device->kind == MW_DEVICE_GPU         ? MW_ON_GPUS
           : device->kind == MW_DEVICE_ACCELERATOR ? MW_ON_ACCELERATORS
                                                   : MW_ON_OTHERS;
}

/* Lanes by default; accelerators with local memory but no caches have vectors of four at least. */
static unsigned lanes_of(const struct mw_device_info *device, const struct mw_problem *p)
{
    if (device->traits.has_cores)
        return MW_NATIVE_LANES(p->fp64);
    return device->vector_width >= 16 ? 16 : device->vector_width >= 8 ? 8 : 4;
}

static void shape_of(const struct mw_device_info *device, const struct mw_problem *p,
                     const struct mw_field_candidate *c, struct mw_shape *shape)
{
    const unsigned vec = c->vec ? c->vec : lanes_of(device, p);
    const unsigned lanes = vec * (c->vec || !c->group[0] ? 1 : (unsigned)c->group[0]);
    *shape = (struct mw_shape){ .vec = vec, .per_item = c->cells / lanes, .rows = c->rows, .steps = c->steps,
                                .group = { c->group[0], c->group[1] } };
    mw_copy_string(shape->variant, sizeof shape->variant, c->variant);
}

/* Sixteen bytes a lane, but no fewer cells than are looked at.  Rectangles, which borders on all sides leave less of,
 * have half the items instead. */
static void fit_registers(const struct mw_problem *p, struct mw_shape *shape)
{
    if (p->fp64 && shape->group[1] > 1 && mw_field_is_rectangle(p, shape))
        shape->group[1] /= 2;
    else if (p->fp64 && p->reach->radius <= 2)
        shape->vec = 2;
    if (shape->steps > 0 && !mw_problem_keeps_images(p))
        shape->steps = 0;
    if (p->steps_most && shape->steps > p->steps_most)
        shape->steps = p->steps_most;
}

static size_t ring_bytes(const struct mw_problem *p, const struct mw_shape *shape)
{
    struct mw_rings rings;
    mw_problem_rings(p, shape, &rings);
    return rings.cells * mw_problem_real_bytes(p);
}

/* Whether items of `registers` own as many cells as are looked at to either side, from neighbours alone. */
static bool owns_enough(const struct mw_problem *p, const struct mw_shape *shape)
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
    return device->traits.lanes_load_alone ? LANE_BYTES : REGISTER_BYTES;
}

/* Whether rings fit where they are, and the group is one that the device takes. */
static bool fits(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_field_variant *v,
                 const struct mw_shape *shape)
{
    const size_t local = device->kind == MW_DEVICE_NATIVE || !device->local_bytes ? SIZE_MAX : device->local_bytes;
    const size_t bytes = ring_bytes(p, shape), items = shape->group[0] * shape->group[1];
    if (!v->ringed)
        return true;
    if (!v->together)
        return bytes <= local && bytes <= RING_BYTES;
    if (v->registers) {
        struct mw_rings rings;
        mw_problem_rings(p, shape, &rings);
        if (p->reach->reach == 0 || !owns_enough(p, shape) || rings.block_x <= 0 || rings.block_1 <= 0 ||
            rings.field_ring > RING_MOST ||
            rings.registers * mw_problem_real_bytes(p) > most_registers(device))
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

/* The candidates of a variant, of all for NULL, that fit; only those for the device and mesh unless `anywhere`. */
static size_t find(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                   const char *variant, bool anywhere, struct mw_shape *shapes)
{
    const struct mw_field_candidate *c;
    size_t n = 0;
    for (size_t i = 0; n < MW_SHAPES_MAX && (c = mw_field_candidate(i)) != NULL; i++) {
        struct mw_field_variant v;
        if ((variant && strcmp(variant, c->variant) != 0) || (c->dims != MW_ANY_DIMS && c->dims != p->dims) ||
            (!anywhere && !(c->devices & place_of(device))) || mw_field_variant(c->variant, &v) != 0)
            continue;
        shape_of(device, p, c, &shapes[n]);
        if (v.registers)
            fit_registers(p, &shapes[n]);
        if (is_twice(shapes, n))
            continue;
        if (anywhere || (is_worth(device, p, &v) && (!is_for_small(p, &shapes[n]) ||
                                                     mw_field_small_is_worth(device, p, length, &shapes[n]))))
            n += fits(device, p, &v, &shapes[n]);
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

/* Shapes for small meshes in the order of what they are expected to take, before all else.  Returns how many come
 * first. */
static size_t put_small_first(const struct mw_device_info *device, const struct mw_problem *p,
                                   const size_t *length, struct mw_shape *shapes, size_t count)
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

/* Most of what a group computes is its own. */
static bool is_mostly_own(const struct mw_problem *p, const struct mw_shape *shape, const struct mw_rings *rings)
{
    const double columns = (double)shape->group[0] * shape->vec, rows = (double)shape->group[1] * shape->per_item;
    return rings->block_x / columns * (p->dims == 3 ? rings->block_1 / rows : 1) > 0.6;
}

/* First the one of `registers` whose launches do as much as fits, unless rings are long (measured on an H100: heat with
 * 8 steps is 0.83 times as fast as with 4, gray-scott and wave with 4 are 1.2 and 1.3 times as fast as with 2); but
 * rather a whole step than a part of one, however many registers that takes (RK4 of Cahn-Hilliard at 8192 x 8192 on an
 * H200: 132 G cell-steps/s in 192 registers, 42 by updates). */
static void put_promising_first(const struct mw_problem *p, struct mw_shape *shapes, size_t count)
{
    const bool plane = p->dims == 2;
    size_t most = 0, at = 0;
    bool whole = false;
    for (size_t i = 0; i < count; i++) {
        struct mw_rings rings;
        mw_problem_rings(p, &shapes[i], &rings);
        const size_t bytes = rings.registers * mw_problem_real_bytes(p);
        const bool promising = bytes <= RING_BYTES_MOST * (p->model->info.field_count + p->model->stage_count);
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
    const size_t count = find(device, p, length, NULL, false, shapes);
    if (count > 0 && put_small_first(device, p, length, shapes, count) == 0)
        put_promising_first(p, shapes, count);
    return count;
}

int mw_field_shape_by_hand(const struct mw_device_info *device, const struct mw_problem *p, const char *name,
                           struct mw_shape *shape)
{
    const unsigned vec = device->kind == MW_DEVICE_NATIVE ? MW_NATIVE_LANES(p->fp64)
                         : device->vector_width >= 4      ? 4 : 1;
    struct mw_shape found[MW_SHAPES_MAX];
    struct mw_field_variant v;
    size_t n = 0;
    TRY_RETURN(mw_field_variant(name, &v));
    if (v.together && device->kind != MW_DEVICE_NATIVE)
        n = find(device, p, NULL, name, true, found);
    if (n > 0) {
        *shape = found[0];
    } else if (v.registers) {
        const bool volume = p->dims == 3;
        *shape = (struct mw_shape){ .vec = 4, .per_item = volume ? 2 : 1, .rows = 64,
                                    .group = { volume ? 16 : 64, volume ? 8 : 1 } };
        mw_copy_string(shape->variant, sizeof shape->variant, name);
    } else {
        *shape = (struct mw_shape){ .vec = v.images ? 1 : vec, .per_item = v.ringed ? 256 / vec : 0, .rows = 16,
                                    .group = { 1, 1 } };
        mw_copy_string(shape->variant, sizeof shape->variant, name);
    }
    return 0;
}

/* ---- shapes given by hand, or remembered ---- */

/* CPU drivers keep the variables of all items of a group on the stack of one thread: with more lanes than this in a
 * group PoCL crashes (measured: it does with twice as many). */
#define CPU_GROUP_LANES_MAX 4096

/* Dimensions that a compiler unrolls: items have rows of cells in registers, or evaluate the stages of all cells that
 * they look at, of which there are about as many with another dimension. */
static unsigned unrolled_dims(const struct mw_problem *p, const struct mw_field_variant *v)
{
    return v->registers ? p->dims : p->model->stage_count > 0 && !v->staged && !v->ringed ? p->dims - 1 : 0;
}

static int check_variant(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                         struct mw_field_variant *variant)
{
    TRY_RETURN(mw_field_variant(shape->variant, variant));
    if (variant->staged && p->model->stage_count == 0)
        return mw_fail(MW_EINVAL, "variant %s needs a model with stages, and %s has none; use fused", shape->variant,
                       p->model->info.name);
    if ((variant->ringed || variant->images) && !can_roll(p) && !(variant->registers && p->dims == 1))
        return mw_fail(MW_EINVAL, "variant %s is for %s and 3 dimensions; use fused or staged", shape->variant,
                       variant->registers ? "1, 2" : "2");
    if (device->kind == MW_DEVICE_NATIVE && (variant->together || variant->images))
        return mw_fail(MW_ENOTSUP, "variant %s is for OpenCL devices, and %s is none: use rolling or temporal",
                       shape->variant, device->id);
    if (device->traits.unrolled_dims && unrolled_dims(p, variant) > device->traits.unrolled_dims)
        return mw_fail(MW_ELIMIT, "variant %s does not end compiling in %u dimensions on %s (%s): use %sstaged",
                       shape->variant, p->dims, device->id, device->name, variant->registers ? "fused or " : "");
    if (variant->images && !device->images)
        return mw_fail(MW_ENOTSUP, "variant %s reads images, and %s has none: use another variant", shape->variant,
                       device->id);
    if (variant->images && mw_field_has_systems(p))
        return mw_fail(MW_EINVAL, "variant %s reads images of one system, and there are %zu: use another variant",
                       shape->variant, p->systems);
    if (!variant->staged && !variant->ringed && p->model->stage_count > 0 && p->reach->looks > FUSED_LOOKS_BOUND)
        return mw_fail(MW_EINVAL, "variant %s evaluates the stages of %s in place, which are %.3g looks at cells for "
                       "each: compilers do not come to an end; use %s", shape->variant, p->model->info.name,
                       p->reach->looks, can_roll(p) ? "rolling or staged" : "staged");
    if (variant->temporal && !can_be_temporal(p))
        return mw_fail(MW_EINVAL, "variant temporal is for periodic boundaries and the integrators euler and rk2; use "
                       "rolling");
    return 0;
}

/* Whether items have rings of their own. */
static bool rolls_alone(const struct mw_field_variant *v)
{
    return v->ringed && !v->together;
}

/* Items own vectors that they look no further than, rows of them in space. */
static int check_registers(const struct mw_problem *p, const struct mw_shape *shape)
{
    struct mw_rings rings;
    if (p->reach->reach == 0)
        return mw_fail(MW_EINVAL, "variant registers is for models that look at neighbours, and %s does not: use fused",
                       p->model->info.name);
    if (!owns_enough(p, shape))
        return mw_fail(MW_EINVAL, "vec=%u,per_item=%u,group=%zux%zu: in variant registers items own a vector of 1, 2 "
                       "or 4 cells, in space and in rectangles up to 16 rows of it, of no fewer than %s looks at to "
                       "either side (%d); in groups of one row, as in one dimension, they own one", shape->vec,
                       shape->per_item, shape->group[0], shape->group[1], p->model->info.name, p->reach->radius);
    if (shape->steps > 0 && !mw_problem_keeps_images(p))
        return mw_fail(MW_EINVAL, "steps=%u: %s looks to one side, so that beyond a mirror it is another model: use "
                       "steps=0", shape->steps, p->model->info.name);
    mw_problem_rings(p, shape, &rings);
    if (rings.field_ring > RING_MOST)
        return mw_fail(MW_EINVAL, "variant registers has rings of at most %d slices, and %s looks at %d: use another "
                       "variant%s", RING_MOST, p->model->info.name, rings.field_ring,
                       shape->steps ? ", or steps=0" : "");
    return rings.registers <= REGISTERS_MOST ? 0
           : mw_fail(MW_EINVAL, "steps=%u,per_item=%u: %zu numbers an item are more than compilers keep in registers "
                     "(%d)", shape->steps, shape->per_item, rings.registers, REGISTERS_MOST);
}

static int check_group(const struct mw_shape *shape, const struct mw_field_variant *v)
{
    const size_t most = 4096;
    if (shape->per_item == 0 || shape->group[0] == 0 || shape->group[0] > most || shape->group[1] > most ||
        shape->per_item > most || shape->rows > most || (v->async && shape->group[1] != 1))
        return mw_fail(MW_EINVAL, "per_item=%u,rows=%u,group=%zux%zu: variant %s takes 1 to %zu vectors and rows an "
                       "item%s, and groups of that many items%s", shape->per_item, shape->rows, shape->group[0],
                       shape->group[1], shape->variant, most,
                       v->registers ? " (rows=0: as many as suit the device)" : "", v->async ? " by 1" : " a side");
    return 0;
}

/* What a group does together: its block must be more than its border. */
static int check_border(const struct mw_problem *p, const struct mw_shape *shape, const struct mw_field_variant *v)
{
    struct mw_rings rings;
    mw_problem_rings(p, shape, &rings);
    if (rings.block_x <= 0 || rings.block_1 <= 0)
        return mw_fail(MW_EINVAL, "group=%zux%zu: the border of %d cells of %s leaves nothing of this work-group: "
                       "choose a larger one%s", shape->group[0], shape->group[1], rings.levels * p->reach->reach,
                       p->model->info.name,
                       v->registers ? ", or fewer steps" : p->dims == 2 ? ", or one of a single row" : "");
    return 0;
}

static int check_counts(const struct mw_shape *shape, const struct mw_field_variant *v)
{
    if (shape->vec == 0 || shape->vec > 16 || (shape->vec & (shape->vec - 1)))
        return mw_fail(MW_EINVAL, "vec=%u: a vector has 1, 2, 4, 8 or 16 lanes", shape->vec);
    if (shape->steps > 0 && !v->registers && !v->temporal)
        return mw_fail(MW_EINVAL, "steps=%u: only variants registers and temporal take whole steps by one launch",
                       shape->steps);
    if (shape->steps > 1000)
        return mw_fail(MW_EINVAL, "steps=%u: a launch takes at most 1000", shape->steps);
    if ((shape->rows == 0 && !v->registers) || shape->rows > 1u << 20)
        return mw_fail(MW_EINVAL, "rows=%u: an item owns 1 to 1048576 rows%s", shape->rows,
                       v->registers ? ", or 0 for as many as suit the device" : "");
    if (shape->per_item > 1u << 20)
        return mw_fail(MW_EINVAL, "per_item=%u: an item owns at most 1048576 vectors%s", shape->per_item,
                       rolls_alone(v) ? "" : ", or 0 for the whole row");
    if (v->images && shape->vec != 1)
        return mw_fail(MW_EINVAL, "vec=%u: variant %s has single cells (1)", shape->vec, shape->variant);
    if (rolls_alone(v) && shape->per_item == 0)
        return mw_fail(MW_EINVAL, "per_item=0: variant %s takes a number of vectors", shape->variant);
    if ((shape->group[0] == 0) != (shape->group[1] == 0))
        return mw_fail(MW_EINVAL, "group=%zux%zu: give both sides, or 0x0 for the rule's choice", shape->group[0],
                       shape->group[1]);
    if (rolls_alone(v) && (shape->group[0] != 1 || shape->group[1] != 1))
        return mw_fail(MW_EINVAL, "group=%zux%zu: in variant %s each item is a group of its own (1x1)",
                       shape->group[0], shape->group[1], shape->variant);
    return 0;
}

static int check_device(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                        const struct mw_field_variant *v)
{
    size_t lanes;
    if (device->kind == MW_DEVICE_NATIVE && shape->vec != MW_NATIVE_LANES(p->fp64))
        return mw_fail(MW_EINVAL, "vec=%u: %s has %u lanes", shape->vec, device->id, MW_NATIVE_LANES(p->fp64));
    if (device->kind == MW_DEVICE_NATIVE && !rolls_alone(v) && shape->per_item != 0)
        return mw_fail(MW_EINVAL, "per_item=%u: %s takes whole rows (per_item=0)", shape->per_item, device->id);
    if (device->kind == MW_DEVICE_CPU &&
        (!mw_mul(shape->group[0], shape->group[1], &lanes) || !mw_mul(lanes, shape->vec, &lanes) ||
         lanes > CPU_GROUP_LANES_MAX))
        return mw_fail(MW_ELIMIT, "group=%zux%zu: with vec=%u a work-group has at most %u items on %s: choose a "
                       "smaller work-group", shape->group[0], shape->group[1], shape->vec,
                       CPU_GROUP_LANES_MAX / shape->vec, device->id);
    if (device->kind != MW_DEVICE_NATIVE && device->local_bytes && ring_bytes(p, shape) > device->local_bytes)
        return mw_fail(MW_ELIMIT, "variant %s takes %zu bytes of local memory in this shape, and %s has %llu: choose a "
                       "smaller %s", shape->variant, ring_bytes(p, shape), device->id,
                       (unsigned long long)device->local_bytes,
                       v->registers  ? "work-group, per_item or steps"
                       : v->together ? "work-group, per_item or rows" : p->dims == 3 ? "per_item or rows" : "per_item");
    return 0;
}

/* What a driver would do wrong, and not say. */
static int check_traits(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                        const struct mw_field_variant *v, const size_t *length)
{
    const size_t vectors = shape->per_item ? shape->per_item : (length[0] + shape->vec - 1) / shape->vec + 4;
    const size_t own_rows = mw_field_is_alone(shape) ? shape->steps * length[p->dims - 1] : mw_field_rows(shape);
    const size_t rows = own_rows + 2 * (size_t)p->reach->max_lead, loops = 1 + p->model->stage_count;
    const size_t rolling = v->ringed ? 8 : 1;
    const struct mw_device_traits *traits = &device->traits;
    if (v->async && traits->copy_lanes && shape->group[0] > 1 && shape->group[0] % traits->copy_lanes != 0)
        return mw_fail(MW_ELIMIT, "group=%zux1: variant %s has groups of 1 or a multiple of %u items on %s (%s)",
                       shape->group[0], shape->variant, traits->copy_lanes, device->id, device->name);
    if (traits->loop_rounds && vectors * rows * loops * rolling > traits->loop_rounds)
        return mw_fail(MW_ELIMIT, "%s (%s) ends loops of more than %u rounds: give its items fewer rows or vectors",
                       device->id, device->name, traits->loop_rounds);
    return 0;
}

/* Borders, and what lies beside a window, go as deep as a round; a launch's steps are all of one. */
static int check_steps(const struct mw_problem *p, const struct mw_shape *shape)
{
    if (p->steps_most && shape->steps > p->steps_most)
        return mw_fail(MW_EINVAL, "steps=%u: in the parts that this mesh is cut into a launch takes at most %u",
                       shape->steps, p->steps_most);
    return 0;
}

int mw_field_check_shape(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                         const struct mw_shape *shape)
{
    struct mw_field_variant variant;
    TRY_RETURN(check_variant(device, p, shape, &variant));
    TRY_RETURN(check_counts(shape, &variant));
    if (variant.together)
        TRY_RETURN(check_group(shape, &variant));
    if (variant.registers)
        TRY_RETURN(check_registers(p, shape));
    if (mw_field_is_alone(shape))
        TRY_RETURN(mw_field_check_alone(p, length, shape));
    TRY_RETURN(check_steps(p, shape));
    if (variant.together)
        TRY_RETURN(check_border(p, shape, &variant));
    TRY_RETURN(check_device(device, p, shape, &variant));
    return check_traits(device, p, shape, &variant, length);
}
/* SPDX-License-Identifier: MIT */

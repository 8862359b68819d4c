/* Whether a shape that was given by hand, or remembered, is for a problem and a device. */
#include "field/program/program.h"

#define FUSED_LOOKS_BOUND 10000 /* beyond it compilers do not come to an end */
#define REGISTERS_MOST 2048     /* nor beyond these */

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
    if ((variant->ringed || variant->images) && !mw_problem_can_roll(p) && !(variant->registers && p->dims == 1))
        return mw_fail(MW_EINVAL, "variant %s is for %s and 3 dimensions; use fused or staged", shape->variant,
                       variant->registers ? "1, 2" : "2");
    if (device->kind == MW_DEVICE_NATIVE && (variant->together || variant->images))
        return mw_fail(MW_ENOTSUP,
                       "variant %s needs a device with work-groups (OpenCL or CUDA); %s is native: use "
                       "rolling or temporal",
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
        return mw_fail(MW_EINVAL,
                       "variant %s evaluates the stages of %s in place, which are %.3g looks at cells for "
                       "each: compilers do not come to an end; use %s",
                       shape->variant, p->model->info.name, p->reach->looks,
                       mw_problem_can_roll(p) ? "rolling or staged" : "staged");
    if (variant->temporal && !mw_problem_can_be_temporal(p))
        return mw_fail(MW_EINVAL, "variant temporal is for periodic boundaries and the integrators euler and rk2; use "
                                  "rolling");
    return 0;
}

/* Whether items have rings of their own. */
static bool rolls_alone(const struct mw_field_variant *v) { return v->ringed && !v->together; }

/* Items own vectors that they look no further than, rows of them in space. */
static int check_registers(const struct mw_problem *p, const struct mw_shape *shape)
{
    struct mw_rings rings;
    if (p->reach->reach == 0)
        return mw_fail(MW_EINVAL, "variant registers is for models that look at neighbours, and %s does not: use fused",
                       p->model->info.name);
    if (!mw_field_owns_enough(p, shape))
        return mw_fail(MW_EINVAL,
                       "vec=%u,per_item=%u,group=%zux%zu: in variant registers items own a vector of 1, 2 "
                       "or 4 cells, in space and in rectangles up to 16 rows of it, of no fewer than %s looks at to "
                       "either side (%d); in groups of one row, as in one dimension, they own one",
                       shape->vec, shape->per_item, shape->group[0], shape->group[1], p->model->info.name,
                       p->reach->radius);
    if (shape->steps > 0 && !mw_problem_keeps_images(p))
        return mw_fail(MW_EINVAL,
                       "steps=%u: %s looks to one side, so that beyond a mirror it is another model: use "
                       "steps=0",
                       shape->steps, p->model->info.name);
    mw_problem_rings(p, shape, &rings);
    if (rings.field_ring > MW_RING_MOST)
        return mw_fail(MW_EINVAL,
                       "variant registers has rings of at most %d slices, and %s looks at %d: use another "
                       "variant%s",
                       MW_RING_MOST, p->model->info.name, rings.field_ring, shape->steps ? ", or steps=0" : "");
    return rings.registers <= REGISTERS_MOST
               ? 0
               : mw_fail(MW_EINVAL,
                         "steps=%u,per_item=%u: %zu numbers an item are more than compilers keep in registers "
                         "(%d)",
                         shape->steps, shape->per_item, rings.registers, REGISTERS_MOST);
}

static int check_group(const struct mw_shape *shape, const struct mw_field_variant *v)
{
    const size_t most = 4096;
    if (shape->per_item == 0 || shape->group[0] == 0 || shape->group[0] > most || shape->group[1] > most ||
        shape->per_item > most || shape->rows > most || (v->async && shape->group[1] != 1))
        return mw_fail(MW_EINVAL,
                       "per_item=%u,rows=%u,group=%zux%zu: variant %s takes 1 to %zu vectors and rows an "
                       "item%s, and groups of that many items%s",
                       shape->per_item, shape->rows, shape->group[0], shape->group[1], shape->variant, most,
                       v->registers ? " (rows=0: as many as suit the device)" : "", v->async ? " by 1" : " a side");
    return 0;
}

/* What a group does together: its block must be more than its border. */
static int check_border(const struct mw_problem *p, const struct mw_shape *shape, const struct mw_field_variant *v)
{
    struct mw_rings rings;
    mw_problem_rings(p, shape, &rings);
    if (rings.block_x <= 0 || rings.block_1 <= 0)
        return mw_fail(MW_EINVAL,
                       "group=%zux%zu: the border of %d cells of %s leaves nothing of this work-group: "
                       "choose a larger one%s",
                       shape->group[0], shape->group[1], rings.levels * p->reach->reach, p->model->info.name,
                       v->registers   ? ", or fewer steps"
                       : p->dims == 2 ? ", or one of a single row"
                                      : "");
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
        return mw_fail(MW_EINVAL, "group=%zux%zu: in variant %s each item is a group of its own (1x1)", shape->group[0],
                       shape->group[1], shape->variant);
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
    if (device->kind == MW_DEVICE_CPU && (!mw_mul(shape->group[0], shape->group[1], &lanes) ||
                                          !mw_mul(lanes, shape->vec, &lanes) || lanes > CPU_GROUP_LANES_MAX))
        return mw_fail(MW_ELIMIT,
                       "group=%zux%zu: with vec=%u a work-group has at most %u items on %s: choose a "
                       "smaller work-group",
                       shape->group[0], shape->group[1], shape->vec, CPU_GROUP_LANES_MAX / shape->vec, device->id);
    if (device->kind != MW_DEVICE_NATIVE && device->local_bytes && mw_field_ring_bytes(p, shape) > device->local_bytes)
        return mw_fail(MW_ELIMIT,
                       "variant %s takes %zu bytes of local memory in this shape, and %s has %llu: choose a "
                       "smaller %s",
                       shape->variant, mw_field_ring_bytes(p, shape), device->id,
                       (unsigned long long)device->local_bytes,
                       v->registers   ? "work-group, per_item or steps"
                       : v->together  ? "work-group, per_item or rows"
                       : p->dims == 3 ? "per_item or rows"
                                      : "per_item");
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

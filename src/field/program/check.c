/* Checks whether a shape from options or from the tuning cache suits a problem and a device.  The checks prevent wrong
 * results, crashes of drivers, and compilations that take minutes. */
#include "field/program/program.h"

#define FUSED_LOOKS_BOUND 10000 /* cells read per update: above, compilation takes too long */
#define REGISTERS_MOST 2048     /* numbers per work-item: above, compilation takes too long */

/* CPU drivers store the variables of all work-items of a group on one thread's stack.  PoCL crashes with twice as many
 * lanes per group as this limit. */
#define CPU_GROUP_LANES_MAX 4096

/* Returns the number of dimensions over which a compiler unrolls loops: over rows of cells in registers, or over the
 * cells at which stages are evaluated in place. */
static unsigned unrolled_dims(const struct mw_problem *p, const struct mw_field_variant *v)
{
    return v->registers ? p->dims : p->model->stage_count > 0 && !v->staged && !v->ringed ? p->dims - 1 : 0;
}

static int check_variant(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                         struct mw_field_variant *variant)
{
    TRY_RETURN(mw_field_variant(shape->variant, variant));
    if (variant->staged && p->model->stage_count == 0)
        return mw_fail(MW_EINVAL, "variant %s needs a model with stages, model %s has no stages: use fused",
                       shape->variant, p->model->info.name);
    if (variant->images && !variant->ringed && p->dims < 2)
        return mw_fail(MW_EINVAL, "variant %s requires 2 or more dimensions: use fused or staged", shape->variant);
    if (variant->ringed && !mw_problem_can_roll(p) && !(variant->registers && p->dims == 1))
        return mw_fail(MW_EINVAL, "variant %s requires %s or 3 dimensions: use fused or staged", shape->variant,
                       variant->registers ? "1, 2" : "2");
    if (device->kind == MW_DEVICE_NATIVE && (variant->together || variant->images))
        return mw_fail(MW_ENOTSUP, "variant %s needs a device with work-groups (OpenCL or CUDA); %s is native: use %s",
                       shape->variant, device->id, mw_problem_can_roll(p) ? "rolling or temporal" : "fused or staged");
    if (device->traits->unrolled_dims && unrolled_dims(p, variant) > device->traits->unrolled_dims)
        return mw_fail(MW_ELIMIT,
                       "variant %s cannot be compiled in reasonable time in %u dimensions on %s (%s): use %sstaged",
                       shape->variant, p->dims, device->id, device->name, variant->registers ? "fused or " : "");
    if (variant->images && !device->images)
        return mw_fail(MW_ENOTSUP, "variant %s requires images, which device %s does not support: use another variant",
                       shape->variant, device->id);
    if (variant->images && mw_field_has_systems(p))
        return mw_fail(MW_EINVAL, "variant %s supports one system, but there are %zu: use another variant",
                       shape->variant, p->systems);
    if (!variant->staged && !variant->ringed && p->model->stage_count > 0 && p->reach->looks > FUSED_LOOKS_BOUND)
        return mw_fail(
            MW_EINVAL,
            "variant %s evaluates the stages of %s in place, which reads %.3g cells per update: this takes too long "
            "to compile; use %s",
            shape->variant, p->model->info.name, p->reach->looks,
            mw_problem_can_roll(p) ? "rolling or staged" : "staged");
    if (!variant->staged && !variant->ringed && p->model->stage_count > 0 && p->model->domain)
        return mw_fail(MW_EINVAL,
                       "variant %s evaluates the stages of %s in place, which takes too long to compile with a domain: "
                       "use staged",
                       shape->variant, p->model->info.name);
    if (variant->temporal && mw_problem_is_single(p))
        return mw_fail(MW_EINVAL,
                       "variant temporal makes several updates per launch: use rolling for integrators that choose "
                       "their steps, and for models that depend on the time or have boundary conditions");
    if ((variant->images || variant->async) && mw_problem_is_edged(p))
        return mw_fail(MW_EINVAL, "variant %s does not support boundary conditions of fields: use another variant",
                       shape->variant);
    if (variant->temporal && !mw_problem_can_be_temporal(p))
        return mw_fail(MW_EINVAL,
                       "variant temporal requires periodic boundaries and integrator euler or rk2: use rolling");
    return 0;
}

/* Returns whether each work-item has its own rings. */
static bool rolls_alone(const struct mw_field_variant *v) { return v->ringed && !v->together; }

/* Checks the number of cells per work-item: neighbours' cells must all belong to adjacent work-items. */
static int check_registers(const struct mw_problem *p, const struct mw_shape *shape)
{
    struct mw_rings rings;
    if (p->reach->reach == 0)
        return mw_fail(MW_EINVAL,
                       "variant \"registers\" cannot run model %s, which reads no neighbours: use variant fused",
                       p->model->info.name);
    if (!mw_field_owns_enough(p, shape))
        return mw_fail(
            MW_EINVAL,
            "vec=%u,per_item=%u,group=%zux%zu: variant registers requires vec=1, 2 or 4, and not less than the "
            "radius of model %s, which is %d; in 3 dimensions, and for groups of several rows, per_item must be "
            "from that radius to 16; otherwise 1",
            shape->vec, shape->per_item, shape->group[0], shape->group[1], p->model->info.name, p->reach->radius);
    if (shape->steps > 0 && !mw_problem_keeps_images(p))
        return mw_fail(
            MW_EINVAL,
            "steps=%u: model %s is not symmetric, which mirror boundaries require for several updates per launch: "
            "use steps=0",
            shape->steps, p->model->info.name);
    mw_problem_rings(p, shape, &rings);
    if (rings.field_ring > MW_RING_MOST)
        return mw_fail(MW_EINVAL, "variant registers keeps at most %d slices, model %s needs %d: use another variant%s",
                       MW_RING_MOST, p->model->info.name, rings.field_ring, shape->steps ? ", or steps=0" : "");
    return rings.registers <= REGISTERS_MOST
               ? 0
               : mw_fail(MW_EINVAL,
                         "steps=%u,per_item=%u: each work-item keeps %zu numbers in registers (must be at most "
                         "%d): use fewer steps or a smaller per_item",
                         shape->steps, shape->per_item, rings.registers, REGISTERS_MOST);
}

static int check_group(const struct mw_shape *shape, const struct mw_field_variant *v)
{
    const size_t most = 4096;
    if (shape->per_item == 0 || shape->group[0] == 0 || shape->group[0] > most || shape->group[1] > most ||
        shape->per_item > most || shape->rows > most || (v->async && shape->group[1] != 1))
        return mw_fail(
            MW_EINVAL,
            "per_item=%u,rows=%u,group=%zux%zu: variant %s requires per_item, rows and each side of the group to be "
            "1 to %zu%s%s",
            shape->per_item, shape->rows, shape->group[0], shape->group[1], shape->variant, most,
            v->registers ? "; rows=0 selects a value for the device" : "",
            v->async ? "; the second side must be 1" : "");
    return 0;
}

/* Checks that a group's block is larger than its border. */
static int check_border(const struct mw_problem *p, const struct mw_shape *shape, const struct mw_field_variant *v)
{
    struct mw_rings rings;
    mw_problem_rings(p, shape, &rings);
    if (rings.block_x <= 0 || rings.block_1 <= 0)
        return mw_fail(
            MW_EINVAL,
            "group=%zux%zu: the work-group must be larger than its border of %d cells for model %s: use a larger "
            "work-group%s",
            shape->group[0], shape->group[1], rings.levels * p->reach->reach, p->model->info.name,
            v->registers   ? ", or fewer steps"
            : p->dims == 2 ? ", or a single row"
                           : "");
    return 0;
}

static int check_counts(const struct mw_shape *shape, const struct mw_field_variant *v)
{
    if (shape->vec == 0 || shape->vec > 16 || (shape->vec & (shape->vec - 1)))
        return mw_fail(MW_EINVAL, "vec=%u: must be 1, 2, 4, 8 or 16", shape->vec);
    if (shape->steps > 0 && !v->registers && !v->temporal)
        return mw_fail(MW_EINVAL, "steps=%u: must be 0 except in variants registers and temporal", shape->steps);
    if (shape->steps > 1000)
        return mw_fail(MW_EINVAL, "steps=%u: must be at most 1000", shape->steps);
    if ((shape->rows == 0 && !v->registers) || shape->rows > 1u << 20)
        return mw_fail(MW_EINVAL, "rows=%u: must be 1 to 1048576%s", shape->rows,
                       v->registers ? ", or 0 for the device's default" : "");
    if (shape->per_item > 1u << 20)
        return mw_fail(MW_EINVAL, "per_item=%u: must be at most 1048576%s", shape->per_item,
                       rolls_alone(v) ? "" : ", or 0 for whole rows");
    if (v->images && shape->vec != 1)
        return mw_fail(MW_EINVAL, "vec=%u: must be 1 in variant %s", shape->vec, shape->variant);
    if (rolls_alone(v) && shape->per_item == 0)
        return mw_fail(MW_EINVAL, "per_item=0: must be at least 1 in variant %s", shape->variant);
    if ((shape->group[0] == 0) != (shape->group[1] == 0))
        return mw_fail(MW_EINVAL, "group=%zux%zu: both sides must be positive, or 0x0 for the default", shape->group[0],
                       shape->group[1]);
    if (rolls_alone(v) && (shape->group[0] != 1 || shape->group[1] != 1))
        return mw_fail(MW_EINVAL, "group=%zux%zu: must be 1x1 in variant %s", shape->group[0], shape->group[1],
                       shape->variant);
    return 0;
}

static int check_device(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                        const struct mw_field_variant *v)
{
    size_t lanes;
    if (device->kind == MW_DEVICE_NATIVE && shape->vec != MW_NATIVE_LANES(p->fp64))
        return mw_fail(MW_EINVAL, "vec=%u: device %s requires vec=%u", shape->vec, device->id,
                       MW_NATIVE_LANES(p->fp64));
    if (device->kind == MW_DEVICE_NATIVE && !rolls_alone(v) && shape->per_item != 0)
        return mw_fail(MW_EINVAL, "per_item=%u: device %s requires whole rows (per_item=0)", shape->per_item,
                       device->id);
    if (device->kind == MW_DEVICE_CPU && (!mw_mul(shape->group[0], shape->group[1], &lanes) ||
                                          !mw_mul(lanes, shape->vec, &lanes) || lanes > CPU_GROUP_LANES_MAX))
        return mw_fail(MW_ELIMIT, "group=%zux%zu: with vec=%u a work-group must have at most %u work-items on %s",
                       shape->group[0], shape->group[1], shape->vec, CPU_GROUP_LANES_MAX / shape->vec, device->id);
    if (device->kind != MW_DEVICE_NATIVE && device->local_bytes && mw_field_ring_bytes(p, shape) > device->local_bytes)
        return mw_fail(
            MW_ELIMIT,
            "variant %s needs %zu bytes of local memory with this shape, device %s has %llu: use a smaller %s",
            shape->variant, mw_field_ring_bytes(p, shape), device->id, (unsigned long long)device->local_bytes,
            v->registers   ? "work-group, per_item or steps"
            : v->together  ? "work-group, per_item or rows"
            : p->dims == 3 ? "per_item or rows"
                           : "per_item");
    return 0;
}

/* Checks shapes for which a driver returns wrong results without an error. */
static int check_traits(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                        const struct mw_field_variant *v, const size_t *length)
{
    const size_t vectors = shape->per_item ? shape->per_item : (length[0] + shape->vec - 1) / shape->vec + 4;
    const size_t own_rows = mw_field_is_alone(shape) ? shape->steps * length[p->dims - 1] : mw_field_rows(shape);
    const size_t rows = own_rows + 2 * (size_t)p->reach->max_lead, loops = 1 + p->model->stage_count;
    const size_t rolling = v->ringed ? 8 : 1;
    const struct mw_device_traits *traits = device->traits;
    if (v->async && traits->copy_lanes && shape->group[0] > 1 && shape->group[0] % traits->copy_lanes != 0)
        return mw_fail(MW_ELIMIT,
                       "group=%zux1: variant %s requires work-groups of 1 or a multiple of %u work-items on %s (%s)",
                       shape->group[0], shape->variant, traits->copy_lanes, device->id, device->name);
    if (traits->loop_rounds && vectors * rows * loops * rolling > traits->loop_rounds)
        return mw_fail(MW_ELIMIT,
                       "the driver of %s (%s) truncates loops after %u iterations: use a smaller rows or per_item",
                       device->id, device->name, traits->loop_rounds);
    return 0;
}

/* Checks the number of steps per launch: halos are only as deep as a round's steps need. */
static int check_steps(const struct mw_problem *p, const struct mw_shape *shape)
{
    if (shape->steps > 0 && (mw_problem_is_adaptive(p) || mw_problem_is_spectral(p)))
        return mw_fail(MW_EINVAL, "steps=%u: integrator %s evaluates rates one by one: use steps=0", shape->steps,
                       mw_integrator_name((int)p->integrator));
    if (shape->steps > 0 && mw_problem_is_single(p))
        return mw_fail(MW_EINVAL,
                       "steps=%u: model %s depends on the time, on means or on boundary conditions of its own: use "
                       "steps=0",
                       shape->steps, p->model->info.name);
    if (p->steps_most && shape->steps > p->steps_most)
        return mw_fail(MW_EINVAL, "steps=%u: must be at most %u for the parts into which this mesh is split",
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

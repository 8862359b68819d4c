/* Which shapes are worth trying for a field on a device: the rule's choice first, then the others by expectation. */
#include <string.h>

#include "field/field_internal.h"

/* Above this many looks at cells, compilers take minutes over the fused variant, and it has lost by then. */
#define FUSED_LOOKS_MAX 100

static void add(struct mw_shape *shapes, size_t *n, enum mw_field_how how, unsigned vec, unsigned per_item,
                unsigned rows, size_t group_x, size_t group_y)
{
    struct mw_shape s = { .vec = vec, .per_item = per_item, .rows = rows, .group = { group_x, group_y } };
    if (*n == MW_SHAPES_MAX)
        return;
    mw_copy_string(s.variant, sizeof s.variant, mw_field_variants[how].name);
    shapes[(*n)++] = s;
}

/* CPU drivers keep the variables of all items of a group on the stack of one thread: with more lanes than this in a
 * group PoCL crashes (measured: it does with twice as many). */
#define CPU_GROUP_LANES_MAX 4096

/* Processors with large caches and explicit vectors: an item owns whole rows, and a group is one item. */
static size_t cpu_candidates(const struct mw_model *model, unsigned lanes, bool fixed_lanes, struct mw_shape *shapes)
{
    size_t n = 0;
    for (unsigned vec = lanes; vec >= lanes / 2 && vec >= 2; vec /= 2) {
        if (model->stage_count) {
            add(shapes, &n, MW_HOW_ROLLING, vec, 0, 64, 1, 1);
            add(shapes, &n, MW_HOW_ROLLING, vec, 0, 256, 1, 1);
            add(shapes, &n, MW_HOW_ROLLING, vec, 0, 16, 1, 1);
        }
        if (model->looks <= FUSED_LOOKS_MAX)
            add(shapes, &n, MW_HOW_FUSED, vec, 0, 16, 1, 1);
        if (model->stage_count)
            add(shapes, &n, MW_HOW_STAGED, vec, 0, 16, 1, 1);
        if (fixed_lanes)
            break;
    }
    return n;
}

/* Devices that hide latency by many items: one vector of few lanes each.  A group of zeros is the occupancy rule's. */
static size_t gpu_candidates(const struct mw_model *model, struct mw_shape *shapes)
{
    size_t n = 0;
    if (model->looks <= FUSED_LOOKS_MAX) {
        add(shapes, &n, MW_HOW_FUSED, 1, 1, 1, 0, 0);
        add(shapes, &n, MW_HOW_FUSED, 1, 1, 1, 32, 4);
        add(shapes, &n, MW_HOW_FUSED, 1, 1, 4, 64, 1);
        add(shapes, &n, MW_HOW_FUSED, 2, 1, 1, 32, 4);
        add(shapes, &n, MW_HOW_FUSED, 4, 1, 1, 32, 4);
    }
    if (model->stage_count) {
        add(shapes, &n, MW_HOW_STAGED, 1, 1, 1, 0, 0);
        add(shapes, &n, MW_HOW_STAGED, 4, 1, 1, 32, 4);
    }
    return n;
}

unsigned mw_field_lanes(const struct mw_device_info *device, const struct mw_model *model, const struct mw_shape *shape,
                        size_t nx)
{
    unsigned vec = shape->vec;
    if (device->kind != MW_KIND_NATIVE)
        while (vec > 1 && (vec > nx || vec < (unsigned)model->reach))
            vec = vec > nx ? vec / 2 : 1;
    return vec;
}

size_t mw_field_candidates(const struct mw_device_info *device, const struct mw_model *model,
                           const struct mw_field_options *options, struct mw_shape *shapes)
{
    const unsigned widest = MW_NATIVE_LANES(options->fp64);
    if (device->kind == MW_KIND_NATIVE)
        return cpu_candidates(model, widest, true, shapes);
    /* A CPU driver that prefers single lanes makes its own vectors out of neighbouring items. */
    if (device->kind == MW_KIND_CPU && device->vector_width >= 4)
        return cpu_candidates(model, widest, false, shapes);
    return gpu_candidates(model, shapes);
}

int mw_field_check_shape(const struct mw_device_info *device, const struct mw_model *model, bool fp64,
                         const struct mw_shape *shape)
{
    enum mw_field_how how;
    const bool native = device->kind == MW_KIND_NATIVE;
    size_t lanes;
    int rc = mw_field_how(shape->variant, &how);
    if (rc != 0)
        return rc;
    if (how != MW_HOW_FUSED && model->stage_count == 0)
        return mw_fail(MW_EINVAL, "variant %s needs a model with stages, and %s has none; use fused", shape->variant,
                       model->info.name);
    if (shape->vec == 0 || shape->vec > 16 || (shape->vec & (shape->vec - 1)))
        return mw_fail(MW_EINVAL, "vec=%u: a vector has 1, 2, 4, 8 or 16 lanes", shape->vec);
    if (native && shape->vec != MW_NATIVE_LANES(fp64))
        return mw_fail(MW_EINVAL, "vec=%u: %s was built for %u lanes", shape->vec, device->id, MW_NATIVE_LANES(fp64));
    if (shape->rows == 0 || shape->rows > 1u << 20)
        return mw_fail(MW_EINVAL, "rows=%u: an item owns 1 to 1048576 rows", shape->rows);
    if (shape->per_item > 1u << 20)
        return mw_fail(MW_EINVAL, "per_item=%u: an item owns at most 1048576 vectors, or 0 for the whole row",
                       shape->per_item);
    if ((how == MW_HOW_ROLLING || native) && shape->per_item != 0)
        return mw_fail(MW_EINVAL, "per_item=%u: %s takes whole rows (per_item=0)", shape->per_item,
                       native ? device->id : "variant rolling");
    if ((shape->group[0] == 0) != (shape->group[1] == 0))
        return mw_fail(MW_EINVAL, "group=%zux%zu: give both sides, or 0x0 for the rule's choice", shape->group[0],
                       shape->group[1]);
    if (device->kind == MW_KIND_CPU &&
        (!mw_mul(shape->group[0], shape->group[1], &lanes) || !mw_mul(lanes, shape->vec, &lanes) ||
         lanes > CPU_GROUP_LANES_MAX))
        return mw_fail(MW_ELIMIT, "group=%zux%zu: with vec=%u a work-group has at most %u items on %s: choose a "
                       "smaller work-group", shape->group[0], shape->group[1], shape->vec,
                       CPU_GROUP_LANES_MAX / shape->vec, device->id);
    return 0;
}

/* llvmpipe (Mesa 22.3) ends the loops of an item after 65535 rounds in all, and says nothing. */
#define LLVMPIPE_ROUNDS 60000

int mw_field_check_loops(const struct mw_device_info *device, const struct mw_model *model,
                         const struct mw_shape *shape, size_t nx)
{
    const size_t vectors = shape->per_item ? shape->per_item : (nx + shape->vec - 1) / shape->vec + 4;
    const size_t rows = shape->rows + 2 * (size_t)model->max_lead, loops = 1 + model->stage_count;
    if (strcmp(device->platform, "rusticl") == 0 && vectors * rows * loops > LLVMPIPE_ROUNDS)
        return mw_fail(MW_ELIMIT, "%s (%s) ends loops of more than %d rounds: give its items fewer rows or vectors",
                       device->id, device->name, LLVMPIPE_ROUNDS);
    return 0;
}

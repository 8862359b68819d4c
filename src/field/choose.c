/* Which shapes are worth trying for a problem on a device: the rule's choice first, then the others by expectation. */
#include <string.h>

#include "field/field_internal.h"

/* Above this many looks at cells, compilers take minutes over the fused variant, and it has lost by then. */
#define FUSED_LOOKS_MAX 150
#define FUSED_DIMS_MAX 3

/* Rings should stay in a core's second cache. */
#define RING_BYTES (640 << 10)

static void add(struct mw_shape *shapes, size_t *n, const char *variant, unsigned vec, unsigned per_item,
                unsigned rows, size_t group_x, size_t group_y)
{
    struct mw_shape s = { .vec = vec, .per_item = per_item, .rows = rows, .group = { group_x, group_y } };
    if (*n == MW_SHAPES_MAX)
        return;
    mw_copy_string(s.variant, sizeof s.variant, variant);
    shapes[(*n)++] = s;
}

/* ---- processors with large caches and explicit vectors: an item owns many cells, and a group is one item ---- */

static bool can_roll(const struct mw_problem *p)
{
    return p->dims == 2 || p->dims == 3;
}

static bool can_be_temporal(const struct mw_problem *p, enum mw_integrator integrator)
{
    return can_roll(p) && mw_problem_is_endless(p) && integrator != MW_RK4;
}

static bool can_fuse(const struct mw_problem *p)
{
    return !p->model->stage_count || (p->reach->looks <= FUSED_LOOKS_MAX && p->dims <= FUSED_DIMS_MAX);
}

static size_t ring_bytes(const struct mw_problem *p, const struct mw_shape *shape)
{
    struct mw_rings rings;
    mw_problem_rings(p, shape, &rings);
    return rings.cells * (p->fp64 ? 8 : 4);
}

static void add_rolling(const struct mw_device_info *device, const struct mw_problem *p, const char *variant,
                        unsigned vec, struct mw_shape *shapes, size_t *n)
{
    static const struct { unsigned cells, rows; } plane[] = { { 1024, 128 }, { 2048, 128 }, { 512, 128 }, { 4096, 128 },
                                                              { 1024, 32 } },
        volume[] = { { 256, 32 }, { 256, 16 }, { 128, 32 }, { 128, 16 }, { 64, 16 } };
    const size_t local = device->kind == MW_KIND_NATIVE || !device->local_bytes ? SIZE_MAX : device->local_bytes;
    for (size_t i = 0; i < MW_COUNT(plane); i++) {
        const unsigned cells = p->dims == 2 ? plane[i].cells : volume[i].cells;
        const size_t before = *n;
        add(shapes, n, variant, vec, cells / vec, p->dims == 2 ? plane[i].rows : volume[i].rows, 1, 1);
        const size_t bytes = *n > before ? ring_bytes(p, &shapes[before]) : 0;
        if (bytes > RING_BYTES || bytes > local)
            *n = before;
    }
}

static size_t cpu_candidates(const struct mw_device_info *device, const struct mw_problem *p,
                             enum mw_integrator integrator, struct mw_shape *shapes)
{
    const unsigned vec = MW_NATIVE_LANES(p->fp64);
    size_t n = 0;
    if (can_be_temporal(p, integrator))
        add_rolling(device, p, "temporal", vec, shapes, &n);
    if (can_roll(p) && p->model->stage_count)
        add_rolling(device, p, "rolling", vec, shapes, &n);
    if (can_fuse(p))
        add(shapes, &n, "fused", vec, 0, 16, 1, 1);
    if (p->model->stage_count)
        add(shapes, &n, "staged", vec, 0, 16, 1, 1);
    return n;
}

/* ---- devices that hide latency by many items: one vector of few lanes each; a group of zeros is the rule's ---- */

static size_t gpu_candidates(const struct mw_problem *p, struct mw_shape *shapes)
{
    size_t n = 0;
    if (can_fuse(p)) {
        add(shapes, &n, "fused", 1, 1, 1, 0, 0);
        add(shapes, &n, "fused", 1, 1, 1, 32, 4);
        add(shapes, &n, "fused", 1, 1, 4, 64, 1);
        add(shapes, &n, "fused", 2, 1, 1, 32, 4);
        add(shapes, &n, "fused", 4, 1, 1, 32, 4);
    }
    if (p->model->stage_count) {
        add(shapes, &n, "staged", 1, 1, 1, 0, 0);
        add(shapes, &n, "staged", 4, 1, 1, 32, 4);
    }
    return n;
}

size_t mw_field_candidates(const struct mw_device_info *device, const struct mw_problem *p,
                           enum mw_integrator integrator, struct mw_shape *shapes)
{
    /* A CPU driver that prefers single lanes makes its own vectors out of neighbouring items. */
    if (device->kind == MW_KIND_NATIVE || (device->kind == MW_KIND_CPU && device->vector_width >= 4))
        return cpu_candidates(device, p, integrator, shapes);
    return gpu_candidates(p, shapes);
}

/* ---- shapes given by hand, or remembered ---- */

/* CPU drivers keep the variables of all items of a group on the stack of one thread: with more lanes than this in a
 * group PoCL crashes (measured: it does with twice as many). */
#define CPU_GROUP_LANES_MAX 4096
/* llvmpipe (Mesa 22.3) ends the loops of an item after 65535 rounds in all, and says nothing. */
#define LLVMPIPE_ROUNDS 60000

static int check_variant(const struct mw_problem *p, enum mw_integrator integrator, const struct mw_shape *shape,
                         struct mw_field_variant *variant)
{
    int rc;
    TRY(mw_field_variant(shape->variant, variant));
    if (variant->how == MW_STAGED && p->model->stage_count == 0)
        return mw_fail(MW_EINVAL, "variant %s needs a model with stages, and %s has none; use fused", shape->variant,
                       p->model->info.name);
    if (variant->how == MW_ROLLING && !can_roll(p))
        return mw_fail(MW_EINVAL, "variant %s is for 2 and 3 dimensions; use fused or staged", shape->variant);
    if (variant->temporal && !can_be_temporal(p, integrator))
        return mw_fail(MW_EINVAL, "variant temporal is for periodic boundaries and the integrators euler and rk2; use "
                       "rolling");
out:
    return rc;
}

static int check_counts(const struct mw_shape *shape, enum mw_how how)
{
    if (shape->vec == 0 || shape->vec > 16 || (shape->vec & (shape->vec - 1)))
        return mw_fail(MW_EINVAL, "vec=%u: a vector has 1, 2, 4, 8 or 16 lanes", shape->vec);
    if (shape->rows == 0 || shape->rows > 1u << 20)
        return mw_fail(MW_EINVAL, "rows=%u: an item owns 1 to 1048576 rows", shape->rows);
    if (shape->per_item > 1u << 20)
        return mw_fail(MW_EINVAL, "per_item=%u: an item owns at most 1048576 vectors%s", shape->per_item,
                       how == MW_ROLLING ? "" : ", or 0 for the whole row");
    if (how == MW_ROLLING && shape->per_item == 0)
        return mw_fail(MW_EINVAL, "per_item=0: variant %s takes a number of vectors", shape->variant);
    if ((shape->group[0] == 0) != (shape->group[1] == 0))
        return mw_fail(MW_EINVAL, "group=%zux%zu: give both sides, or 0x0 for the rule's choice", shape->group[0],
                       shape->group[1]);
    if (how == MW_ROLLING && (shape->group[0] != 1 || shape->group[1] != 1))
        return mw_fail(MW_EINVAL, "group=%zux%zu: in variant %s each item is a group of its own (1x1)",
                       shape->group[0], shape->group[1], shape->variant);
    return 0;
}

static int check_device(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                        enum mw_how how)
{
    size_t lanes;
    if (device->kind == MW_KIND_NATIVE && shape->vec != MW_NATIVE_LANES(p->fp64))
        return mw_fail(MW_EINVAL, "vec=%u: %s has %u lanes", shape->vec, device->id, MW_NATIVE_LANES(p->fp64));
    if (device->kind == MW_KIND_NATIVE && how != MW_ROLLING && shape->per_item != 0)
        return mw_fail(MW_EINVAL, "per_item=%u: %s takes whole rows (per_item=0)", shape->per_item, device->id);
    if (device->kind == MW_KIND_CPU &&
        (!mw_mul(shape->group[0], shape->group[1], &lanes) || !mw_mul(lanes, shape->vec, &lanes) ||
         lanes > CPU_GROUP_LANES_MAX))
        return mw_fail(MW_ELIMIT, "group=%zux%zu: with vec=%u a work-group has at most %u items on %s: choose a "
                       "smaller work-group", shape->group[0], shape->group[1], shape->vec,
                       CPU_GROUP_LANES_MAX / shape->vec, device->id);
    if (how == MW_ROLLING && device->kind != MW_KIND_NATIVE && device->local_bytes &&
        ring_bytes(p, shape) > device->local_bytes)
        return mw_fail(MW_ELIMIT, "the rings of variant %s take %zu bytes of local memory, and %s has %llu: choose a "
                       "smaller per_item%s", shape->variant, ring_bytes(p, shape), device->id,
                       (unsigned long long)device->local_bytes, p->dims == 3 ? " or rows" : "");
    return 0;
}

/* Rounds of all loops of an item. */
static int check_loops(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                       enum mw_how how, size_t nx)
{
    const size_t vectors = shape->per_item ? shape->per_item : (nx + shape->vec - 1) / shape->vec + 4;
    const size_t rows = shape->rows + 2 * (size_t)p->reach->max_lead, loops = 1 + p->model->stage_count;
    const size_t rolling = how == MW_ROLLING ? 8 : 1;
    if (strcmp(device->platform, "rusticl") == 0 && vectors * rows * loops * rolling > LLVMPIPE_ROUNDS)
        return mw_fail(MW_ELIMIT, "%s (%s) ends loops of more than %d rounds: give its items fewer rows or vectors",
                       device->id, device->name, LLVMPIPE_ROUNDS);
    return 0;
}

int mw_field_check_shape(const struct mw_device_info *device, const struct mw_problem *p,
                         enum mw_integrator integrator, const size_t *length, const struct mw_shape *shape)
{
    struct mw_field_variant variant;
    int rc;
    TRY(check_variant(p, integrator, shape, &variant));
    TRY(check_counts(shape, variant.how));
    TRY(check_device(device, p, shape, variant.how));
    TRY(check_loops(device, p, shape, variant.how, length[0]));
out:
    return rc;
}

/* Which shapes are worth trying for a problem on a device: the rule's choice first, then the others by expectation. */
#include <string.h>

#include "dev/backend.h"
#include "field/program/program.h"

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

static bool can_be_temporal(const struct mw_problem *p)
{
    return can_roll(p) && mw_problem_is_endless(p) && p->integrator != MW_INTEGRATE_RK4;
}

static bool can_fuse(const struct mw_problem *p)
{
    return !p->model->stage_count || (p->reach->looks <= FUSED_LOOKS_MAX && p->dims <= FUSED_DIMS_MAX);
}

static size_t ring_bytes(const struct mw_problem *p, const struct mw_shape *shape)
{
    struct mw_rings rings;
    mw_problem_rings(p, shape, &rings);
    return rings.cells * mw_problem_real_bytes(p);
}

static void add_rolling(const struct mw_device_info *device, const struct mw_problem *p, const char *variant,
                        unsigned vec, struct mw_shape *shapes, size_t *n)
{
    static const struct { unsigned cells, rows; } plane[] = { { 1024, 128 }, { 2048, 128 }, { 512, 128 }, { 4096, 128 },
                                                              { 1024, 32 } },
        volume[] = { { 256, 32 }, { 256, 16 }, { 128, 32 }, { 128, 16 }, { 64, 16 } };
    const size_t local = device->kind == MW_DEVICE_NATIVE || !device->local_bytes ? SIZE_MAX : device->local_bytes;
    for (size_t i = 0; i < MW_COUNT(plane); i++) {
        const unsigned cells = p->dims == 2 ? plane[i].cells : volume[i].cells;
        const size_t before = *n;
        add(shapes, n, variant, vec, cells / vec, p->dims == 2 ? plane[i].rows : volume[i].rows, 1, 1);
        const size_t bytes = *n > before ? ring_bytes(p, &shapes[before]) : 0;
        if (bytes > RING_BYTES || bytes > local)
            *n = before;
    }
}

static size_t cpu_candidates(const struct mw_device_info *device, const struct mw_problem *p, struct mw_shape *shapes)
{
    const unsigned vec = MW_NATIVE_LANES(p->fp64);
    size_t n = 0;
    if (can_be_temporal(p))
        add_rolling(device, p, "temporal", vec, shapes, &n);
    if (can_roll(p) && p->model->stage_count)
        add_rolling(device, p, "rolling", vec, shapes, &n);
    /* In three dimensions it takes compilers many seconds, and has never won on a CPU. */
    if (can_fuse(p) && (p->dims < 3 || !p->model->stage_count))
        add(shapes, &n, "fused", vec, 0, 16, 1, 1);
    if (p->model->stage_count)
        add(shapes, &n, "staged", vec, 0, 16, 1, 1);
    return n;
}

/* ---- devices that hide latency by many items: one vector of few lanes each; a group of zeros is the rule's ---- */

struct tile { unsigned vec, rows; size_t group_x, group_y; };
/* Rectangles, and in the plane strips: groups of a row of items that roll along y.  Two lanes halve the work of finding
 * cells; with four, items of a warp meet in the banks of local memory. */
static const struct tile plane_tiles[] = { { 2, 4, 32, 8 }, { 2, 64, 64, 1 }, { 2, 2, 16, 16 }, { 1, 1, 16, 16 } },
    volume_tiles[] = { { 2, 32, 16, 16 }, { 1, 32, 16, 16 } };

static void add_tiles(const struct mw_device_info *device, const struct mw_problem *p, const char *variant, size_t most,
                      struct mw_shape *shapes, size_t *n)
{
    const struct tile *tiles = p->dims == 2 ? plane_tiles : volume_tiles;
    const size_t count = p->dims == 2 ? MW_COUNT(plane_tiles) : MW_COUNT(volume_tiles);
    for (size_t i = 0; i < count && i < most; i++) {
        const size_t before = *n;
        const bool tile = strcmp(variant, "tile") == 0;
        add(shapes, n, variant, tile ? tiles[i].vec : 1, tile ? 1 : tiles[i].vec, tiles[i].rows, tiles[i].group_x,
            tiles[i].group_y);
        const size_t bytes = *n > before ? ring_bytes(p, &shapes[before]) : 0;
        const size_t items = tiles[i].group_x * tiles[i].group_y;
        if (bytes == 0 || bytes > device->local_bytes || (device->max_group && items > device->max_group))
            *n = before;
    }
}

/* The variants that papers on GPUs tell of. */
static void add_memories(const struct mw_device_info *device, const struct mw_problem *p, struct mw_shape *shapes,
                         size_t *n)
{
    if (!can_roll(p))
        return;
    add_tiles(device, p, "tile", MW_SHAPES_MAX, shapes, n);
    if (device->images) {
        if (can_fuse(p))
            add(shapes, n, "image", 1, 1, 1, 32, 4);
        add_tiles(device, p, "image-tile", 1, shapes, n);
    }
}

/* Vectors of four lanes by default: what processors with local memory but no caches have. */
static void add_async(const struct mw_device_info *device, const struct mw_problem *p, struct mw_shape *shapes,
                      size_t *n)
{
    const unsigned vec = device->vector_width >= 16 ? 16 : device->vector_width >= 8 ? 8 : 4;
    const unsigned rows = p->dims == 2 ? 64 : 8;
    for (unsigned items = 1; items <= 8; items *= 8)
        for (unsigned cells = p->dims == 2 ? 512 : 128; cells >= 64; cells /= 2) {
            const size_t before = *n;
            if (cells < vec * items)
                continue;
            add(shapes, n, "async", vec, cells / (vec * items), rows, items, 1);
            if (*n == before || ring_bytes(p, &shapes[before]) <= device->local_bytes)
                break;
            *n = before;
        }
}

static size_t gpu_candidates(const struct mw_device_info *device, const struct mw_problem *p, struct mw_shape *shapes)
{
    size_t n = 0;
    if (can_fuse(p))
        add(shapes, &n, "fused", 1, 1, 1, 0, 0);
    /* Early, so that it is reached in a second's tuning: on large GPUs it is the fastest. */
    if (device->kind == MW_DEVICE_GPU && can_roll(p))
        add_tiles(device, p, "tile", 1, shapes, &n);
    if (can_fuse(p)) {
        add(shapes, &n, "fused", 1, 1, 1, 32, 4);
        add(shapes, &n, "fused", 1, 1, 4, 64, 1);
        add(shapes, &n, "fused", 2, 1, 1, 32, 4);
        add(shapes, &n, "fused", 4, 1, 1, 32, 4);
    }
    if (p->model->stage_count) {
        add(shapes, &n, "staged", 1, 1, 1, 0, 0);
        add(shapes, &n, "staged", 4, 1, 1, 32, 4);
    }
    if (device->kind == MW_DEVICE_GPU)
        add_memories(device, p, shapes, &n);
    if (device->kind == MW_DEVICE_ACCELERATOR && can_roll(p))
        add_async(device, p, shapes, &n);
    return n;
}

size_t mw_field_candidates(const struct mw_device_info *device, const struct mw_problem *p, struct mw_shape *shapes)
{
    if (mw_has_cores(device))
        return cpu_candidates(device, p, shapes);
    return gpu_candidates(device, p, shapes);
}

int mw_field_shape_by_hand(const struct mw_device_info *device, const struct mw_problem *p, const char *name,
                           struct mw_shape *shape)
{
    const unsigned vec = device->kind == MW_DEVICE_NATIVE ? MW_NATIVE_LANES(p->fp64)
                         : device->vector_width >= 4      ? 4 : 1;
    struct mw_shape found[MW_SHAPES_MAX] = { 0 };
    struct mw_field_variant variant;
    size_t n = 0;
    int rc;
    TRY(mw_field_variant(name, &variant));
    if (device->kind != MW_DEVICE_NATIVE && can_roll(p)) {
        if (variant.how == MW_TILE || variant.how == MW_IMAGE_TILE)
            add_tiles(device, p, name, MW_SHAPES_MAX, found, &n);
        else if (variant.how == MW_ASYNC)
            add_async(device, p, found, &n);
    }
    if (n == 0)
        add(found, &n, name, mw_how_has_images(variant.how) ? 1 : vec,
            mw_how_has_rings(variant.how) ? 256 / vec : 0, 16, 1, 1);
    *shape = found[0];
out:
    return rc;
}

/* ---- shapes given by hand, or remembered ---- */

/* CPU drivers keep the variables of all items of a group on the stack of one thread: with more lanes than this in a
 * group PoCL crashes (measured: it does with twice as many). */
#define CPU_GROUP_LANES_MAX 4096

static int check_variant(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                         struct mw_field_variant *variant)
{
    int rc;
    TRY(mw_field_variant(shape->variant, variant));
    if (variant->how == MW_STAGED && p->model->stage_count == 0)
        return mw_fail(MW_EINVAL, "variant %s needs a model with stages, and %s has none; use fused", shape->variant,
                       p->model->info.name);
    if (variant->how > MW_STAGED && !can_roll(p))
        return mw_fail(MW_EINVAL, "variant %s is for 2 and 3 dimensions; use fused or staged", shape->variant);
    if (device->kind == MW_DEVICE_NATIVE && (mw_how_is_together(variant->how) || mw_how_has_images(variant->how)))
        return mw_fail(MW_ENOTSUP, "variant %s is for OpenCL devices, and %s is none: use rolling or temporal",
                       shape->variant, device->id);
    if (mw_how_has_images(variant->how) && !device->images)
        return mw_fail(MW_ENOTSUP, "variant %s reads images, and %s has none: use another variant", shape->variant,
                       device->id);
    if (variant->temporal && !can_be_temporal(p))
        return mw_fail(MW_EINVAL, "variant temporal is for periodic boundaries and the integrators euler and rk2; use "
                       "rolling");
out:
    return rc;
}

/* What a group does together: its block must be more than its border. */
static int check_group(const struct mw_problem *p, const struct mw_shape *shape, enum mw_how how)
{
    const size_t most = 4096;
    struct mw_rings rings;
    if (shape->per_item == 0 || shape->group[0] == 0 || shape->group[0] > most || shape->group[1] > most ||
        shape->per_item > most || shape->rows > most ||
        (how == MW_ASYNC && shape->group[1] != 1))
        return mw_fail(MW_EINVAL, "per_item=%u,rows=%u,group=%zux%zu: variant %s takes 1 to %zu vectors and rows an "
                       "item, and groups of that many items%s", shape->per_item, shape->rows, shape->group[0],
                       shape->group[1], shape->variant, most, how == MW_ASYNC ? " by 1" : " a side");
    mw_problem_rings(p, shape, &rings);
    if (rings.block_x <= 0 || rings.block_1 <= 0)
        return mw_fail(MW_EINVAL, "group=%zux%zu: the border of %d cells of %s leaves nothing of this work-group: "
                       "choose a larger one%s", shape->group[0], shape->group[1], p->reach->reach, p->model->info.name,
                       p->dims == 2 ? ", or one of a single row" : "");
    return 0;
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
    if (mw_how_has_images(how) && shape->vec != 1)
        return mw_fail(MW_EINVAL, "vec=%u: variant %s has single cells (1)", shape->vec, shape->variant);
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
    if (device->kind == MW_DEVICE_NATIVE && shape->vec != MW_NATIVE_LANES(p->fp64))
        return mw_fail(MW_EINVAL, "vec=%u: %s has %u lanes", shape->vec, device->id, MW_NATIVE_LANES(p->fp64));
    if (device->kind == MW_DEVICE_NATIVE && how != MW_ROLLING && shape->per_item != 0)
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
                       mw_how_is_together(how) ? "work-group, per_item or rows"
                       : p->dims == 3          ? "per_item or rows"
                                               : "per_item");
    return 0;
}

/* What a driver would do wrong, and not say. */
static int check_traits(const struct mw_device_info *device, const struct mw_problem *p, const struct mw_shape *shape,
                        enum mw_how how, size_t nx)
{
    const size_t vectors = shape->per_item ? shape->per_item : (nx + shape->vec - 1) / shape->vec + 4;
    const size_t rows = shape->rows + 2 * (size_t)p->reach->max_lead, loops = 1 + p->model->stage_count;
    const size_t rolling = mw_how_has_rings(how) ? 8 : 1;
    const struct mw_device_traits *traits = &device->traits;
    if (how == MW_ASYNC && traits->copy_lanes && shape->group[0] > 1 && shape->group[0] % traits->copy_lanes != 0)
        return mw_fail(MW_ELIMIT, "group=%zux1: variant %s has groups of 1 or a multiple of %u items on %s (%s)",
                       shape->group[0], shape->variant, traits->copy_lanes, device->id, device->name);
    if (traits->loop_rounds && vectors * rows * loops * rolling > traits->loop_rounds)
        return mw_fail(MW_ELIMIT, "%s (%s) ends loops of more than %u rounds: give its items fewer rows or vectors",
                       device->id, device->name, traits->loop_rounds);
    return 0;
}

int mw_field_check_shape(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                         const struct mw_shape *shape)
{
    struct mw_field_variant variant;
    int rc;
    TRY(check_variant(device, p, shape, &variant));
    TRY(check_counts(shape, variant.how));
    if (mw_how_is_together(variant.how))
        TRY(check_group(p, shape, variant.how));
    TRY(check_device(device, p, shape, variant.how));
    TRY(check_traits(device, p, shape, variant.how, length[0]));
out:
    return rc;
}

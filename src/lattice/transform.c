/* Transforms on a device: choice of the variant, program, plan and launch. */
#include <inttypes.h>

#include <meshwork/image.h>

#include "dev/core/team.h"
#include "lattice/transform_internal.h"

#include "kernels/lattice/blocks.h"
#include "kernels/lattice/cells.h"
#include "kernels/lattice/local.h"
#include "kernels/lattice/points.h"
#include "kernels/lattice/rows.h"
#include "kernels/lattice/swap.h"
#include "kernels/lattice/tiles.h"
#include "kernels/native.h"

/* Native programs by the size of elements: 1, 2, 4, 8, 16 bytes. */
enum { SIZES = 5 };
#define NATIVE(name)                                                                                                   \
    {                                                                                                                  \
        mw_native_##name##_1, mw_native_##name##_2, mw_native_##name##_4, mw_native_##name##_8, mw_native_##name##_16  \
    }

struct variant {
    struct mw_variant shown;
    const struct mw_kernel_list *kernels;
    int (*launch)(const struct mw_kernel_set *set, struct mw_range range, struct mw_buffer *to, struct mw_buffer *from,
                  struct mw_buffer *plan, struct mw_arg fill, int64_t count, int64_t each);
    const struct mw_native_kernel *native[SIZES];
    int (*plan)(struct mw_plan *plan, bool stream);
    bool (*fits)(const struct mw_plan *plan); /* NULL: any plan */
    const char *refusal;                      /* message if it does not fit */
    bool fixed;                               /* a program is built for one plan, except on native devices */
    bool shares;                              /* work-items share local memory, which native devices lack */
    /* For cells.cl, one cell per work-item: more defines; NULL: another kernel.  Without a native program, the variant
     * needs an OpenCL or CUDA device. */
    const char *moves;
    bool plane, image; /* work-items are in two dimensions; cells are read from an image */
};

static bool is_transposition(const struct mw_plan *plan) { return mw_plan_source_loop(plan) != 0; }
static bool runs_backwards(const struct mw_plan *plan) { return plan->loop[0].stride == -1 && !plan->loop[0].table; }

static int launch_cells(const struct mw_kernel_set *set, struct mw_range range, struct mw_buffer *to,
                        struct mw_buffer *from, struct mw_buffer *plan, struct mw_arg fill, int64_t count, int64_t each)
{
    return launch_transform_cells(set, range, to, from, plan, count, each, NULL, 0);
}

enum { ROWS, TILES, POINTS, BLOCKS, LOCAL };
/* clang-format off */
static const struct variant table[] = {
    [ROWS] = { { "rows", "rows of the result by vectors: contiguous, strided or interleaved; best on CPUs", NULL },
               .kernels = &kernels_lattice_rows, .launch = launch_transform_rows,
               .native = NATIVE(transform_rows), .plan = mw_plan_rows },
    [TILES] = { { "tiles", "tiles transposed in registers; transpositions, best on CPUs", NULL },
                .kernels = &kernels_lattice_tiles, .launch = launch_transform_tiles,
                .native = NATIVE(transform_tiles), .plan = mw_plan_tiles,
                .fits = is_transposition, .refusal = "supports only transpositions (use rows)" },
    [POINTS] = { { "points", "single cells by their k-indices; best on GPUs", NULL },
                 .kernels = &kernels_lattice_points, .launch = launch_transform_points,
                 .native = NATIVE(transform_points), .plan = mw_plan_points, .fixed = true },
    [BLOCKS] = { { "blocks",
        "blocks of rows reversed in local memory (Hawick, Playne); flips along x, devices with work-groups", NULL },
                 .kernels = &kernels_lattice_blocks, .launch = launch_transform_blocks, .plan = mw_plan_blocks,
                 .fixed = true, .shares = true, .fits = runs_backwards,
                 .refusal = "supports only maps that reverse rows (use points)" },
    [LOCAL] = { { "local",
        "tiles transposed in local memory; transpositions, devices with work-groups, best on GPUs", NULL },
                .kernels = &kernels_lattice_local, .launch = launch_transform_local, .plan = mw_plan_local,
                .fixed = true, .shares = true, .fits = is_transposition,
                .refusal = "supports only transpositions (use points)" },
    { { "lengths", "single cells by k-indices of any lengths (Hawick, Playne: A); flips, shifts and crinkles", "a" },
      .kernels = &kernels_lattice_cells, .launch = launch_cells, .native = NATIVE(transform_cells),
      .plan = mw_plan_cells, .moves = "", .fits = mw_plan_moves_cells,
      .refusal = "supports only flips, shifts, crinkles and uncrinkles (use points)" },
    { { "powers", "as lengths, by masks (B); lengths and steps of powers of two, OpenCL and CUDA devices", "b" },
      .kernels = &kernels_lattice_cells, .launch = launch_cells, .plan = mw_plan_cells,
      .moves = "#define LATTICE_BITS 1\n", .fits = mw_plan_moves_bits,
      .refusal = "supports only flips, shifts and crinkles whose lengths and steps are powers of two (use lengths)" },
    { { "plane", "as lengths, by coordinates of the launch (C); two dimensions, OpenCL and CUDA devices", "c" },
      .kernels = &kernels_lattice_cells, .launch = launch_cells, .plan = mw_plan_cells,
      .moves = "#define CELLS_PLANE 1\n", .plane = true, .fits = mw_plan_moves_plane,
      .refusal = "supports only flips, shifts and crinkles in two dimensions (use lengths)" },
    { { "plane-image", "as plane, reads an image; elements of 1 to 8 bytes, devices with images", NULL },
      .kernels = &kernels_lattice_cells, .launch = launch_cells, .plan = mw_plan_cells,
      .moves = "#define CELLS_PLANE 1\n#define USE_IMAGE 1\n", .plane = true, .image = true,
      .fits = mw_plan_moves_plane,
      .refusal = "supports only flips, shifts and crinkles in two dimensions (use lengths)" },
};
/* clang-format on */

const struct mw_variant *mw_transform_variants(size_t i) { return i < MW_COUNT(table) ? &table[i].shown : NULL; }
static const struct variant swap = {
    .kernels = &kernels_lattice_swap, .native = NATIVE(transform_swap), .plan = mw_plan_points, .fixed = true
};

/* A plan on the device and the kernels that execute it. */
struct mover {
    struct mw_kernel_set *set;
    struct mw_buffer *plan;
    struct mw_image *image; /* source cells, for variants that read an image */
    size_t plane[2];        /* lengths of a launch in two dimensions; otherwise 0 */
    int64_t count, each;    /* segments, tiles, cells or work-groups; number per work-item */
    int64_t at_once;        /* cells that a work-item processes at once */
    size_t group;           /* work-items per work-group; 0: chosen at the launch */
    bool shares, fixed;     /* as in the variant; native programs are not fixed */
};

struct mw_transform {
    struct mw_device *device;
    size_t element_bytes, cells, source_cells;
    unsigned variant;
    struct mover mover;
    struct mover swap;                /* in place; made on first use */
    struct mw_plan points;            /* plan for `swap`; without words once that is made or impossible */
    struct mw_transform_parts *parts; /* several devices; NULL: one */
};

/* ---- choice of the variant ---- */

/* On CPU cores rows are best for strides that vectors can pick and for short loops, which stay in the L1 cache.  GPUs
 * coalesce the cells of a line in any order, so local memory pays only for transpositions. */
static unsigned rule(const struct mw_device *device, const struct mw_plan *plan)
{
    const unsigned along = mw_plan_source_loop(plan);
    const int64_t stride = llabs(plan->loop[0].stride);
    if (!mw_device_info(device)->traits->has_cores)
        return mw_device_info(device)->kind != MW_DEVICE_CPU && mw_plan_suits_local(plan) ? LOCAL : POINTS;
    return along && stride > MW_PLAN_PICKED && plan->loop[along].length >= MW_PLAN_TILED &&
                   plan->loop[0].length > MW_PLAN_PICKED
               ? TILES
               : ROWS;
}

static int lattice_transform_choose(const struct mw_device *device, const struct mw_plan *plan, const char *name,
                                    unsigned *variant)
{
    size_t v = rule(device, plan);
    if (name && strcmp(name, "auto") != 0) {
        TRY_RETURN(mw_variant_find(mw_transform_variants, name, &v));
        if (table[v].shares && mw_device_info(device)->kind == MW_DEVICE_NATIVE)
            return mw_fail(MW_EINVAL,
                           "variant %s needs a device with work-groups (OpenCL or CUDA): use rows, tiles or points",
                           name);
        if (table[v].moves && !table[v].native[0] && mw_device_info(device)->kind == MW_DEVICE_NATIVE)
            return mw_fail(MW_EINVAL, "variant %s needs an OpenCL or CUDA device: use lengths", name);
        if (table[v].fits && !table[v].fits(plan))
            return mw_fail(MW_EINVAL, "variant %s %s", name, table[v].refusal);
        if (table[v].image && plan->cells && mw_image_check(device, 2, plan->map->length, plan->element_bytes) != 0)
            return mw_fail(
                MW_EINVAL,
                "variant %s needs a device with images of this size, and elements of 1 to 8 bytes: use plane", name);
    }
    *variant = (unsigned)v;
    return 0;
}

/* ---- construction ---- */

/* Returns the index of an element size; SIZES: unsupported. */
static unsigned size_number(size_t element_bytes)
{
    unsigned number = 0;
    while (number < SIZES && (size_t)1 << number != element_bytes)
        number++;
    return number;
}

static void mover_free(struct mover *m)
{
    mw_buffer_free(m->plan);
    mw_image_free(m->image);
    mw_kernel_set_free(m->set);
    *m = (struct mover){ 0 };
}

static int lattice_transform_build(struct mw_device *device, const struct variant *v, const struct mw_plan *plan,
                                   struct mover *m)
{
    struct mw_text defines = { 0 };
    struct mw_kernel_options options = { .native = v->native[size_number(plan->element_bytes)] };
    int rc;
    mw_text_add(&defines, "#define ELEMENT_BYTES %zu\n", plan->element_bytes);
    if (m->fixed) {
        mw_text_add(&defines, "#define AT_ONCE %" PRId64 "\n#define ROUNDS %" PRId64 "\n", m->at_once,
                    m->each / m->at_once);
        TRY(mw_plan_macros(plan, &defines));
    } else if (v->moves && mw_device_info(device)->kind != MW_DEVICE_NATIVE) {
        mw_text_add(&defines, "%s", v->moves);
        TRY(mw_cell_macros(plan, &defines));
    } else if (!mw_device_info(device)->traits->has_cores) {
        mw_text_add(&defines, "#define NO_CORES 1\n");
    }
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    TRY(mw_kernel_set_new(device, v->kernels, &options, &m->set));
out:
    mw_text_free(&defines);
    return rc;
}

/* Divides the work of the plan.  On CPU cores a work-item gets about 64 KiB, so that many small rows are cheap.  It is
 * a work-group of its own, so that no core waits for the last group of another. */
static void lattice_transform_share_out(const struct mw_device *device, const struct variant *v,
                                        const struct mw_plan *plan, struct mover *m)
{
    const bool compiled = v->moves && mw_device_info(device)->kind != MW_DEVICE_NATIVE;
    const bool cores = !compiled && mw_device_info(device)->traits->has_cores;
    m->fixed = v->fixed && mw_device_info(device)->kind != MW_DEVICE_NATIVE;
    m->shares = v->shares;
    m->count = plan->count;
    m->group = v->shares ? plan->group : cores ? 1 : 0;
    m->at_once = v->fixed && !v->shares && !cores ? (int64_t)mw_plan_at_once(plan->element_bytes) : 1;
    m->plane[0] = v->plane ? plan->map->length[0] : 0;
    m->plane[1] = v->plane ? plan->map->length[1] : 0;
    m->each = cores && !v->shares && plan->unit_bytes < 65536 ? 65536 / (int64_t)plan->unit_bytes : m->at_once;
}

/* Makes a mover from a written plan.  After an error the caller frees what it contains. */
static int mover_make(struct mw_device *device, const struct variant *v, const struct mw_plan *plan, struct mover *m)
{
    const size_t bytes = plan->words * sizeof *plan->word;
    lattice_transform_share_out(device, v, plan, m);
    TRY_RETURN(lattice_transform_build(device, v, plan, m));
    if (v->image)
        TRY_RETURN(mw_image_new(device, 2, m->plane, plan->element_bytes, &m->image));
    TRY_RETURN(mw_buffer_new(device, bytes, &m->plan));
    return mw_buffer_write(m->plan, 0, bytes, plan->word, NULL);
}

/* Returns the work-group size for local memory: a power of two up to the limit. */
static size_t group_within(size_t limit)
{
    size_t group = 256;
    while (group > 1 && group > limit)
        group /= 2;
    return group;
}

static int lattice_transform_make(struct mw_transform *t, const struct mw_plan *loops, size_t group)
{
    const struct variant *v = &table[t->variant];
    struct mw_plan plan = *loops;
    int rc;
    plan.group = v->shares ? group : 0;
    TRY(v->plan(&plan, mw_device_info(t->device)->traits->has_cores));
    TRY(mover_make(t->device, v, &plan, &t->mover));
out:
    mw_plan_free(&plan);
    return rc;
}

/* Uses the largest work-group of the device; if the kernel supports only smaller ones, builds it again for those. */
static int make_variant(struct mw_transform *t, const struct mw_plan *loops)
{
    const struct mw_device_info *info = mw_device_info(t->device);
    const size_t along = info->max_group_dims[0];
    size_t group = group_within(along && along < info->max_group ? along : info->max_group);
    for (;;) {
        TRY_RETURN(lattice_transform_make(t, loops, group));
        if (!t->mover.shares || mw_kernel_set_group(t->mover.set, group) == group)
            break;
        group = mw_kernel_set_group(t->mover.set, group);
        mover_free(&t->mover);
    }
    return 0;
}

/* Several devices.  Variants that compute indices from coordinates of the whole array have no parts. */
static int lattice_transform_divide(struct mw_transform *t, struct mw_device *const *devices, size_t count,
                                    const struct mw_map *map, const char *variant)
{
    size_t v = 0;
    if (variant && strcmp(variant, "auto") != 0)
        TRY_RETURN(mw_variant_find(mw_transform_variants, variant, &v));
    if (table[v].moves)
        return mw_fail(MW_EINVAL, "variant %s needs a single device (use points)", table[v].shown.name);
    return mw_transform_parts_new(devices, count, map, t->element_bytes, variant, &t->parts);
}

int mw_transform_new(struct mw_device *const *devices, size_t count, const struct mw_map *map, size_t element_bytes,
                     const char *variant, struct mw_transform **result)
{
    TRY_RETURN(mw_team_devices(&devices, &count, "a transform"));
    return mw_transform_new_within(devices, mw_transform_part_count(map, count), map, element_bytes, variant, NULL,
                                   result);
}

int mw_transform_new_within(struct mw_device *const *devices, size_t count, const struct mw_map *map,
                            size_t element_bytes, const char *variant, const struct mw_transform_limits *limits,
                            struct mw_transform **result)
{
    struct mw_device *const device = devices[0];
    struct mw_transform *t = NULL;
    struct mw_plan plan;
    size_t bytes;
    int rc;
    mw_plan_make(map, element_bytes, &plan);
    if (limits)
        plan.stream_bytes = limits->stream_bytes;
    TRY(mw_new(1, sizeof *t, &t));
    t->device = device;
    t->element_bytes = element_bytes;
    t->cells = plan.cells;
    t->source_cells = plan.source_cells;
    if (size_number(element_bytes) == SIZES)
        TRY(mw_fail(MW_EINVAL, "elements have %zu bytes (must be 1, 2, 4, 8 or 16)", element_bytes));
    if (!mw_mul(t->cells, element_bytes, &bytes) || !mw_mul(t->source_cells, element_bytes, &bytes)) {
        rc = mw_fail(MW_ELIMIT, "the array exceeds the address space: use a smaller map or smaller elements");
        goto out;
    }
    if (count > 1)
        TRY(lattice_transform_divide(t, devices, count, map, variant));
    else
        TRY(lattice_transform_choose(device, &plan, variant, &t->variant));
    if (t->cells > 0 && count == 1) {
        TRY(make_variant(t, &plan));
        /* The map may be freed before the transform. */
        if (t->cells == t->source_cells) {
            t->points = plan;
            TRY(mw_plan_points(&t->points, false));
        }
    }
    *result = t;
    t = NULL;
out:
    mw_transform_free(t);
    return rc;
}

void mw_transform_free(struct mw_transform *transform)
{
    if (!transform)
        return;
    mover_free(&transform->mover);
    mover_free(&transform->swap);
    mw_plan_free(&transform->points);
    mw_transform_parts_free(transform->parts);
    free(transform);
}

const char *mw_transform_variant(const struct mw_transform *transform)
{
    return transform->parts ? mw_transform_parts_variant(transform->parts) : table[transform->variant].shown.name;
}

/* ---- execution ---- */

/* In-place transforms use single cells, independently of the variant. */
static int make_swap(struct mw_transform *t)
{
    int rc = 0;
    if (t->swap.plan)
        return 0;
    if (!t->points.word || !mw_plan_is_involution(&t->points)) {
        mw_plan_free(&t->points);
        return mw_fail(MW_EINVAL, "in place: this map is not its own inverse (use a separate buffer for the result)");
    }
    TRY(mover_make(t->device, &swap, &t->points, &t->swap));
    mw_plan_free(&t->points);
out:
    if (rc != 0)
        mover_free(&t->swap);
    return rc;
}

static struct mw_range range_of(const struct mover *m)
{
    const size_t items = (size_t)((m->count + m->each - 1) / m->each);
    if (m->plane[0])
        return (struct mw_range){ .dims = 2, .global = { m->plane[0], m->plane[1] } };
    return (struct mw_range){ .dims = 1, .global = { m->shares ? items * m->group : items }, .group = { m->group } };
}

/* Copies the source to the image, and launches. */
static int run_image(struct mw_transform *t, struct mw_buffer *from, struct mw_buffer *to)
{
    const struct mover *m = &t->mover;
    const struct mw_arg image = mw_arg_image(m->image);
    struct mw_event *queued = NULL;
    TRY_RETURN(mw_image_copy_from(m->image, from, 0, &queued));
    mw_event_free(queued);
    return launch_transform_cells(m->set, range_of(m), to, from, m->plan, m->count, m->each, &image, 1);
}

int mw_transform_run(struct mw_transform *t, struct mw_buffer *from, struct mw_buffer *to, const void *fill)
{
    _Alignas(16) unsigned char value[16] = { 0 };
    if (mw_buffer_bytes(from) < t->source_cells * t->element_bytes || mw_buffer_bytes(to) < t->cells * t->element_bytes)
        return mw_fail(MW_EINVAL, "transform: a buffer is smaller than its array: make it larger");
    if (t->cells == 0)
        return 0;
    if (t->parts)
        return from != to
                   ? mw_transform_parts_run(t->parts, from, to, fill)
                   : mw_fail(MW_EINVAL, "in place: a transform on several devices needs a separate buffer for the "
                                        "result");
    if (from == to) {
        TRY_RETURN(make_swap(t));
        TRY_RETURN(
            launch_transform_swap(t->swap.set, range_of(&t->swap), to, t->swap.plan, t->swap.count, t->swap.each));
    } else if (t->mover.image) {
        TRY_RETURN(run_image(t, from, to));
    } else {
        if (fill)
            memcpy(value, fill, t->element_bytes);
        TRY_RETURN(table[t->variant].launch(t->mover.set, range_of(&t->mover), to, from, t->mover.plan,
                                            mw_arg_struct(value, t->element_bytes), t->mover.count, t->mover.each));
    }
    return 0;
}

/* Transforms values of the host on one device. */
static int transform_whole(struct mw_transform *t, const struct mw_array *from, struct mw_array *to, double *seconds)
{
    struct mw_buffer *source = NULL, *result = NULL;
    double start;
    int rc;
    TRY(mw_buffer_new(t->device, from->count * t->element_bytes, &source));
    TRY(mw_buffer_new(t->device, to->count * t->element_bytes, &result));
    TRY(mw_buffer_write(source, 0, from->count * t->element_bytes, from->data, NULL));
    TRY(mw_transform_run(t, source, result, NULL));
    if (seconds) {
        TRY(mw_device_finish(t->device));
        start = mw_work_now();
        TRY(mw_transform_run(t, source, result, NULL));
        TRY(mw_device_finish(t->device));
        *seconds = mw_work_now() - start;
    }
    TRY(mw_buffer_read(result, 0, to->count * t->element_bytes, to->data, NULL));
out:
    mw_buffer_free(source);
    mw_buffer_free(result);
    return rc;
}

int mw_transform_array(struct mw_device *const *devices, size_t count, const struct mw_map *map,
                       const struct mw_array *array, const char *variant, struct mw_array *result, double *seconds)
{
    struct mw_transform *t = NULL;
    struct mw_array made = { 0 };
    double taken;
    int rc;
    TRY(mw_transform_new(devices, count, map, mw_type_bytes(array->type), variant, &t));
    if (array->count != t->source_cells)
        TRY(mw_fail(MW_EINVAL, "the array has %zu cells, but the map needs %zu", array->count, t->source_cells));
    TRY(mw_array_new(array->type, map->dims, map->length, &made));
    if (t->parts)
        TRY(mw_transform_parts_array(t->parts, array->data, made.data, seconds ? &taken : NULL));
    else
        TRY(transform_whole(t, array, &made, seconds ? &taken : NULL));
    if (seconds)
        *seconds = taken;
    *result = made;
    made = (struct mw_array){ 0 };
out:
    mw_transform_free(t);
    mw_array_free(&made);
    return rc;
}
/* SPDX-License-Identifier: MIT */

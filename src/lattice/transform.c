/* From a map to a plan, and its execution on a device. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lattice/transform_internal.h"

struct variant {
    const char *kernel;
    int (*plan)(struct mw_plan *plan, bool stream);
    bool (*fits)(const struct mw_plan *plan);  /* NULL: any */
    const char *refusal;                       /* where it does not fit */
};

static bool is_transposition(const struct mw_plan *plan) { return mw_plan_source_loop(plan) != 0; }

enum { ROWS, TILES, POINTS, VARIANTS };
const struct mw_variant mw_transform_variants[] = {
    [ROWS] = { "rows", "a row of the result at a time, by vectors: contiguous, strided or woven; for CPUs" },
    [TILES] = { "tiles", "tiles that are transposed in registers; for transpositions on CPUs" },
    [POINTS] = { "points", "a cell an item, by its k-index; for GPUs, and for any map" },
    [VARIANTS] = { NULL, NULL },
};
static const struct variant variants[] = {
    [ROWS] = { "transform_rows", mw_plan_rows, NULL, NULL },
    [TILES] = { "transform_tiles", mw_plan_tiles, is_transposition,
                "is for transpositions, and this map is none; use rows" },
    [POINTS] = { "transform_points", mw_plan_points, NULL, NULL },
};

struct mw_transform {
    struct mw_device *device;
    size_t element_bytes, cells, source_cells;
    unsigned variant;
    int64_t count, each;         /* segments, tiles or cells; of one item */
    struct mw_program *program;
    struct mw_kernel *kernel, *swap;
    struct mw_buffer *plan, *swap_plan;
};

/* ---- the variant ---- */

/* Cores that run an item's loop at full speed; the others want many small items.  (llvmpipe even ends an item's loops
 * after 65535 rounds in all, and says nothing.) */
static bool has_cores(const struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    return info->kind == MW_KIND_NATIVE || (info->kind == MW_KIND_CPU && info->vector_width >= 4);
}

/* Strides that vectors pick stay rows; so do those of short loops, whose lines stay in the first cache. */
static unsigned rule(const struct mw_device *device, const struct mw_plan *plan)
{
    if (!has_cores(device))
        return POINTS;
    const unsigned along = mw_plan_source_loop(plan);
    const int64_t stride = llabs(plan->loop[0].stride);
    return along && stride > MW_PLAN_PICKED && plan->loop[along].length >= MW_PLAN_TILED &&
           plan->loop[0].length > MW_PLAN_PICKED ? TILES : ROWS;
}

static int choose(const struct mw_device *device, const struct mw_plan *plan, const char *name, unsigned *variant)
{
    *variant = rule(device, plan);
    if (!name || strcmp(name, "auto") == 0)
        return 0;
    for (unsigned v = 0; v < VARIANTS; v++) {
        if (strcmp(name, mw_transform_variants[v].name) != 0)
            continue;
        *variant = v;
        if (variants[v].fits && !variants[v].fits(plan))
            return mw_fail(MW_EINVAL, "variant %s %s", name, variants[v].refusal);
        return 0;
    }
    return mw_fail(MW_EINVAL, "no variant is called '%s'; there are rows, tiles, points and auto", name);
}

/* ---- making ---- */

static const struct { size_t bytes; const struct mw_native_kernel *native; } sizes[] = {
    { 1, mw_native_transform_1 }, { 2, mw_native_transform_2 },   { 4, mw_native_transform_4 },
    { 8, mw_native_transform_8 }, { 16, mw_native_transform_16 },
};

static int build(struct mw_transform *t)
{
    struct mw_text defines = { 0 };
    struct mw_source source = { .file = "lattice/transform.cl" };
    int rc;
    mw_text_add(&defines, "#define ELEMENT_BYTES %zu\n", t->element_bytes);
    TRY(mw_text_ok(&defines));
    source.defines = defines.data;
    for (size_t i = 0; i < MW_COUNT(sizes); i++)
        if (sizes[i].bytes == t->element_bytes)
            source.native = sizes[i].native;
    if (!source.native) {
        rc = mw_fail(MW_EINVAL, "elements of %zu bytes: transforms move elements of 1, 2, 4, 8 or 16",
                     t->element_bytes);
        goto out;
    }
    TRY(mw_program_new(t->device, &source, &t->program));
    TRY(mw_kernel_new(t->program, variants[t->variant].kernel, &t->kernel));
    TRY(mw_kernel_new(t->program, "transform_swap", &t->swap));
out:
    mw_text_free(&defines);
    return rc;
}

static int upload(struct mw_device *device, const struct mw_plan *plan, struct mw_buffer **buffer)
{
    const size_t bytes = plan->words * sizeof *plan->word;
    int rc;
    TRY(mw_buffer_new(device, bytes, buffer));
    TRY(mw_buffer_write(*buffer, 0, bytes, plan->word, NULL));
out:
    return rc;
}

int mw_transform_new(struct mw_device *device, const struct mw_map *map, size_t element_bytes, const char *variant,
                     struct mw_transform **result)
{
    struct mw_transform *t = NULL;
    struct mw_plan plan;
    size_t bytes;
    int rc;

    mw_plan_make(map, element_bytes, &plan);
    TRY(mw_new(1, sizeof *t, &t));
    t->device = device;
    t->element_bytes = element_bytes;
    t->cells = plan.cells;
    t->source_cells = plan.source_cells;
    if (!mw_mul(t->cells, element_bytes, &bytes) || !mw_mul(t->source_cells, element_bytes, &bytes)) {
        rc = mw_fail(MW_ELIMIT, "the array is larger than this machine can address");
        goto out;
    }
    TRY(choose(device, &plan, variant, &t->variant));
    TRY(build(t));
    if (t->cells > 0) {
        /* Exchanges in place go by the cells as they are, before the variant has its way with the loops. */
        TRY(mw_plan_points(&plan, false));
        TRY(upload(device, &plan, &t->swap_plan));
        TRY(variants[t->variant].plan(&plan, has_cores(device)));
        TRY(upload(device, &plan, &t->plan));
        t->count = plan.count;
        /* On cores about 64 KiB an item, so that launches of many small rows are cheap. */
        t->each = has_cores(device) && plan.unit_bytes < 65536 ? 65536 / (int64_t)plan.unit_bytes : 1;
    }
    *result = t;
    t = NULL;
out:
    mw_plan_free(&plan);
    mw_transform_free(t);
    return rc;
}

void mw_transform_free(struct mw_transform *transform)
{
    if (!transform)
        return;
    mw_buffer_free(transform->plan);
    mw_buffer_free(transform->swap_plan);
    mw_kernel_free(transform->kernel);
    mw_kernel_free(transform->swap);
    mw_program_free(transform->program);
    free(transform);
}

const char *mw_transform_variant(const struct mw_transform *transform)
{
    return mw_transform_variants[transform->variant].name;
}

/* ---- running ---- */

/* The fill value as the kernel's argument: elements of 16 bytes are structs. */
static struct mw_arg fill_arg(size_t bytes, const void *fill)
{
    static const _Alignas(16) unsigned char zeros[16];
    return mw_arg_struct(fill ? fill : zeros, bytes);
}

int mw_transform_run(struct mw_transform *t, struct mw_buffer *from, struct mw_buffer *to, const void *fill)
{
    const bool in_place = from == to;
    const int64_t count = in_place ? (int64_t)t->cells : t->count, each = !in_place ? t->each : has_cores(t->device) ? 4096 : 1;
    if (mw_buffer_bytes(from) < t->source_cells * t->element_bytes ||
        mw_buffer_bytes(to) < t->cells * t->element_bytes)
        return mw_fail(MW_EINVAL, "a buffer is smaller than the transform's array");
    if (t->cells == 0)
        return 0;
    /* What cores do at a time is large: a group of one, so that no core has to wait for another's last group. */
    const size_t group = has_cores(t->device) ? 1 : 0;
    const struct mw_range range = { 1, { (size_t)((count + each - 1) / each), 1, 1 }, { group, group, group } };
    const struct mw_arg args[] = { mw_arg_buffer(to), mw_arg_buffer(from),
                                   mw_arg_buffer(in_place ? t->swap_plan : t->plan),
                                   fill_arg(t->element_bytes, fill), mw_arg_i64(count), mw_arg_i64(each) };
    return mw_launch(in_place ? t->swap : t->kernel, &range, args, MW_COUNT(args), NULL);
}

int mw_transform_array(struct mw_device *device, const struct mw_map *map, const struct mw_array *array,
                       const char *variant, struct mw_array *result, double *seconds)
{
    const size_t bytes = mw_type_bytes(array->type);
    struct mw_transform *t = NULL;
    struct mw_buffer *from = NULL, *to = NULL;
    struct mw_array made = { 0 };
    double start;
    int rc;

    TRY(mw_transform_new(device, map, bytes, variant, &t));
    if (array->count != t->source_cells) {
        rc = mw_fail(MW_EINVAL, "the array has %zu cells, and the map takes %zu", array->count, t->source_cells);
        goto out;
    }
    TRY(mw_array_new(array->type, map->dims, map->length, &made));
    TRY(mw_buffer_new(device, array->count * bytes, &from));
    TRY(mw_buffer_new(device, made.count * bytes, &to));
    TRY(mw_buffer_write(from, 0, array->count * bytes, array->data, NULL));
    TRY(mw_transform_run(t, from, to, NULL));
    TRY(mw_device_finish(device));
    start = mw_now();
    TRY(mw_transform_run(t, from, to, NULL));
    TRY(mw_device_finish(device));
    *seconds = mw_now() - start;
    TRY(mw_buffer_read(to, 0, made.count * bytes, made.data, NULL));
    *result = made;
    made = (struct mw_array){ 0 };
out:
    mw_transform_free(t);
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_array_free(&made);
    return rc;
}

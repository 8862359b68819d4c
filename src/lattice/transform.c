/* From a map to a plan, and its execution on a device. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lattice/transform_internal.h"

/* The layout of a plan: as in cl/lattice/transform.clh. */
enum { PLAN_AXES, PLAN_BASE, PLAN_SEGMENT, PLAN_RUNS, PLAN_RUN_COUNT, PLAN_TILE_0, PLAN_TILE_1, PLAN_FIRST_AXIS = 8 };
enum { AXIS_LENGTH, AXIS_STRIDE, AXIS_TABLE, AXIS_TO, AXIS_WORDS };
#define RUN_WORDS 4
#define SEGMENT 16384            /* cells of a row at a time: long rows are shared by threads */
#define SHORT_RUN 8              /* cells a run on average, below which a row goes by its table */
#define STRIDED_ROW 16           /* strides up to here are read as rows: their lines stay in the first cache */

enum variant { ROWS, TILES, POINTS, VARIANTS };
const struct mw_variant mw_transform_variants[] = {
    [ROWS] = { "rows", "a row of the result at a time, in contiguous or strided runs: for CPUs" },
    [TILES] = { "tiles", "tiles that are transposed in registers: for transpositions and weaves on CPUs" },
    [POINTS] = { "points", "a cell an item, by its k-index: for GPUs, and for any map" },
    [VARIANTS] = { NULL, NULL },
};
static const char *const kernel_names[] = { [ROWS] = "transform_rows", [TILES] = "transform_tiles",
                                            [POINTS] = "transform_points" };

struct mw_transform {
    struct mw_device *device;
    size_t element_bytes;
    size_t cells, source_cells;
    bool involution;
    enum variant variant;
    int64_t count, each;         /* segments, tiles or cells; of one item */
    struct mw_program *program;
    struct mw_kernel *kernel, *swap;
    struct mw_buffer *plan;
};

/* ---- axes: as few as possible ---- */

/* An axis with its stride in the result. */
struct loop { size_t length; int64_t stride, to; const int64_t *table; };

static bool table_is_affine(const struct loop *l, int64_t *stride)
{
    *stride = 0;
    if (l->table[0] == MW_OUTSIDE || (l->length > 1 && l->table[1] == MW_OUTSIDE))
        return false;
    if (l->length > 1)
        *stride = l->table[1] - l->table[0];
    for (size_t x = 0; x < l->length; x++)
        if (l->table[x] == MW_OUTSIDE || l->table[x] - l->table[0] != (int64_t)x * *stride)
            return false;
    return true;
}

/* The map's digits without those of length 1, tables that are affine as such, and neighbours that continue each other
 * as one. */
static unsigned collect(const struct mw_map *m, struct loop *loops, int64_t *base)
{
    unsigned n = 0, all = 0;
    int64_t to = 1;
    *base = m->base;
    for (unsigned d = 0; d < m->dims; d++)
        all += m->axis_count[d];
    for (unsigned a = 0; a < all; a++) {
        struct loop l = { m->axis[a].length, m->axis[a].stride, to, m->axis[a].table };
        to *= (int64_t)l.length;
        if (l.table && table_is_affine(&l, &l.stride)) {
            *base += l.table[0];
            l.table = NULL;
        }
        if (l.length == 1 && !l.table)
            continue;
        struct loop *last = n ? &loops[n - 1] : NULL;
        if (last && !last->table && !l.table && l.stride == last->stride * (int64_t)last->length)
            last->length *= l.length;
        else
            loops[n++] = l;
    }
    if (n == 0)
        loops[n++] = (struct loop){ 1, 1, 1, NULL };
    return n;
}

/* ---- the variant ---- */

/* The axis along which the source is contiguous; 0 if it is the result's too, or there is none. */
static unsigned source_axis(const struct loop *loops, unsigned n)
{
    for (unsigned a = 0; a < n; a++)
        if (!loops[a].table && (loops[a].stride == 1 || loops[a].stride == -1))
            return a;
    return 0;
}

/* Cores that run an item's loop at full speed; the others want many small items.  (llvmpipe even ends an item's loops
 * after 65535 rounds in all, and says nothing.) */
static bool has_cores(const struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    return info->kind == MW_KIND_NATIVE || (info->kind == MW_KIND_CPU && info->vector_width >= 4);
}

static enum variant rule(const struct mw_device *device, const struct loop *loops, unsigned n)
{
    if (!has_cores(device))
        return POINTS;
    const unsigned along = source_axis(loops, n);
    const int64_t stride = loops[0].stride < 0 ? -loops[0].stride : loops[0].stride;
    if (loops[0].table || along == 0)
        return ROWS;
    /* A crinkle by a small power of two is unwoven by vectors. */
    const bool weaves = stride == (int64_t)loops[along].length && (stride == 2 || stride == 4 || stride == 8);
    return stride > STRIDED_ROW || weaves ? TILES : ROWS;
}

static int choose(const struct mw_device *device, const struct loop *loops, unsigned n, const char *name,
                  enum variant *variant)
{
    *variant = rule(device, loops, n);
    if (!name || strcmp(name, "auto") == 0)
        return 0;
    for (int v = 0; v < VARIANTS; v++)
        if (strcmp(name, mw_transform_variants[v].name) == 0) {
            *variant = (enum variant)v;
            if (v == TILES && (loops[0].table || source_axis(loops, n) == 0))
                return mw_fail(MW_EINVAL, "variant tiles is for transpositions, and this map is none; use rows");
            return 0;
        }
    return mw_fail(MW_EINVAL, "no variant is called '%s'; there are rows, tiles, points and auto", name);
}

/* ---- the plan ---- */

struct plan { int64_t *word; size_t length, room; };

static int plan_add(struct plan *p, const int64_t *words, size_t n)
{
    if (p->length + n > p->room) {
        const size_t room = 2 * (p->length + n) + 64;
        int64_t *larger = realloc(p->word, room * sizeof *larger);
        if (!larger)
            return mw_fail(MW_ENOMEM, "out of memory for the plan of a transform");
        p->word = larger;
        p->room = room;
    }
    memcpy(p->word + p->length, words, n * sizeof *words);
    p->length += n;
    return 0;
}

/* Cuts row x of axis 0 into runs of one stride, or of the fill value. */
static size_t next_run(const struct loop *l, size_t x, int64_t *run)
{
    size_t end = x + 1;
    if (!l->table) {
        memcpy(run, (int64_t[]){ 0, (int64_t)l->length, 0, l->stride }, RUN_WORDS * sizeof *run);
        return l->length;
    }
    const int64_t start = l->table[x];
    int64_t stride = 1;
    if (start == MW_OUTSIDE) {
        while (end < l->length && l->table[end] == MW_OUTSIDE)
            end++;
    } else if (end < l->length && l->table[end] != MW_OUTSIDE) {
        stride = l->table[end] - start;
        while (end < l->length && l->table[end] != MW_OUTSIDE && l->table[end] - l->table[end - 1] == stride)
            end++;
    }
    memcpy(run, (int64_t[]){ (int64_t)x, (int64_t)(end - x), start, stride }, RUN_WORDS * sizeof *run);
    return end;
}

static int add_runs(struct plan *p, const struct loop *l)
{
    const size_t start = p->length;
    int64_t run[RUN_WORDS], count = 0;
    int rc = 0;
    for (size_t x = 0; x < l->length; count++) {
        x = next_run(l, x, run);
        TRY(plan_add(p, run, RUN_WORDS));
    }
    if (l->table && (size_t)count * SHORT_RUN > l->length) {
        p->length = start;
    } else {
        p->word[PLAN_RUNS] = (int64_t)start;
        p->word[PLAN_RUN_COUNT] = count;
    }
out:
    return rc;
}

/* Tiles are longer along the source: reading waits, writing does not.  Where one side is short, the other makes up for
 * it. */
static void tile_sides(const struct loop *loops, size_t element_bytes, size_t *side)
{
    const size_t usual[2] = { 64, 1024 / element_bytes < 64 ? 64 : 1024 / element_bytes };
    for (int a = 0; a < 2; a++)
        side[a] = loops[a].length < usual[a] ? loops[a].length : usual[a];
    for (int a = 0; a < 2; a++) {
        const size_t room = usual[0] * usual[1] / side[!a];
        if (side[!a] < 16)
            side[a] = loops[a].length < room ? loops[a].length : room;
    }
}

static int make_plan(const struct loop *loops, unsigned n, int64_t base, enum variant variant, size_t element_bytes,
                     struct plan *p)
{
    int64_t head[PLAN_FIRST_AXIS] = { [PLAN_AXES] = n, [PLAN_BASE] = base, [PLAN_SEGMENT] = SEGMENT };
    size_t side[2] = { 1, 1 };
    int rc;
    if (variant == TILES)
        tile_sides(loops, element_bytes, side);
    head[PLAN_TILE_0] = (int64_t)side[0];
    head[PLAN_TILE_1] = (int64_t)side[1];
    TRY(plan_add(p, head, PLAN_FIRST_AXIS));
    for (unsigned a = 0; a < n; a++) {
        const int64_t axis[AXIS_WORDS] = { (int64_t)loops[a].length, loops[a].stride, 0, loops[a].to };
        TRY(plan_add(p, axis, AXIS_WORDS));
    }
    if (variant == ROWS)
        TRY(add_runs(p, &loops[0]));
    for (unsigned a = 0; a < n; a++) {
        if (!loops[a].table)
            continue;
        p->word[PLAN_FIRST_AXIS + a * AXIS_WORDS + AXIS_TABLE] = (int64_t)p->length;
        TRY(plan_add(p, loops[a].table, loops[a].length));
    }
out:
    return rc;
}

/* How many segments, tiles or cells there are, and how many of them make an item. */
static void count_work(struct mw_transform *t, const struct loop *loops)
{
    size_t count = t->cells, item_bytes = t->element_bytes;
    if (t->variant == ROWS) {
        count = t->cells / loops[0].length * ((loops[0].length + SEGMENT - 1) / SEGMENT);
        item_bytes = (loops[0].length < SEGMENT ? loops[0].length : SEGMENT) * t->element_bytes;
    } else if (t->variant == TILES) {
        size_t side[2];
        tile_sides(loops, t->element_bytes, side);
        count = t->cells / loops[0].length / loops[1].length * ((loops[0].length + side[0] - 1) / side[0]) *
                ((loops[1].length + side[1] - 1) / side[1]);
        item_bytes = side[0] * side[1] * t->element_bytes;
    }
    /* On cores about 64 KiB an item, so that launches of many small rows are cheap. */
    const size_t each = has_cores(t->device) && item_bytes < 65536 ? 65536 / item_bytes : 1;
    t->count = (int64_t)count;
    t->each = (int64_t)(each ? each : 1);
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
    TRY(mw_kernel_new(t->program, kernel_names[t->variant], &t->kernel));
    TRY(mw_kernel_new(t->program, "transform_swap", &t->swap));
out:
    mw_text_free(&defines);
    return rc;
}

/* The map as loops; `dense` becomes a table that the map owns. */
static unsigned loops_of(const struct mw_map *map, struct loop *loops, int64_t *base)
{
    if (!map->dense)
        return collect(map, loops, base);
    *base = 0;
    loops[0] = (struct loop){ map->cells, 0, 1, map->dense };
    return 1;
}

int mw_transform_new(struct mw_device *device, const struct mw_map *map, size_t element_bytes, const char *variant,
                     struct mw_transform **result)
{
    struct mw_transform *t = NULL;
    struct loop loops[MW_AXES_MAX];
    struct plan plan = { 0 };
    size_t bytes;
    int64_t base;
    unsigned n;
    int rc;

    TRY(mw_new(1, sizeof *t, &t));
    t->device = device;
    t->element_bytes = element_bytes;
    t->cells = map->cells;
    t->source_cells = 1;
    for (unsigned d = 0; d < map->source_dims; d++)
        t->source_cells *= map->source_length[d];
    if (!mw_mul(t->cells, element_bytes, &bytes) || !mw_mul(t->source_cells, element_bytes, &bytes)) {
        rc = mw_fail(MW_ELIMIT, "the array is larger than this machine can address");
        goto out;
    }
    n = loops_of(map, loops, &base);
    TRY(choose(device, loops, n, variant, &t->variant));
    if (t->variant == TILES) {
        const unsigned a = source_axis(loops, n);
        const struct loop along = loops[a];
        memmove(&loops[2], &loops[1], (a - 1) * sizeof *loops);
        loops[1] = along;
    }
    TRY(build(t));
    if (t->cells == 0)
        goto done;
    TRY(make_plan(loops, n, base, t->variant, element_bytes, &plan));
    TRY(mw_buffer_new(device, plan.length * sizeof *plan.word, &t->plan));
    TRY(mw_buffer_write(t->plan, 0, plan.length * sizeof *plan.word, plan.word, NULL));
    count_work(t, loops);
done:
    *result = t;
    t = NULL;
out:
    free(plan.word);
    mw_transform_free(t);
    return rc;
}

void mw_transform_free(struct mw_transform *transform)
{
    if (!transform)
        return;
    mw_buffer_free(transform->plan);
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
    const struct mw_range range = { 1, { (size_t)((count + each - 1) / each), 1, 1 }, { 0 } };
    const struct mw_arg args[] = { mw_arg_buffer(to), mw_arg_buffer(from), mw_arg_buffer(t->plan),
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

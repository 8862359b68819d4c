/* Components: each array is computed by the primitives when it is first requested. */
#include <meshwork/components.h>

#include <stdlib.h>

#include "components/components_internal.h"
#include "prim/prim_internal.h"

#include "kernels/components/components.h"
#include "kernels/native.h"

#define RANGES_MOST 8                  /* each reads all labels */
#define COUNTED_MOST ((size_t)1 << 19) /* labels and sizes that the host counts as fast as a CPU driver compiles */
#define PARTS (MW_COMPONENTS_SIZE_NUMBERS + 1)

/* clang-format off */
const struct mw_prim_program mw_components_32 = { &kernels_components_components, "", mw_native_components_i32, false,
                                                  false, NULL };
static const struct mw_prim_program labels_64 = { &kernels_components_components, "#define LABEL_64 1\n",
                                                  mw_native_components_i64, false, false, NULL };

struct mw_components {
    struct mw_prim *prim;
    struct mw_buffer *labels;
    size_t n, count;
    enum mw_type type;
    const struct mw_prim_program *program;
    struct mw_components_totals totals; /* known once the sizes are */
    struct mw_owner owner;              /* frees the arrays on the device */
    struct part { struct mw_buffer *buffer; uint32_t *array; size_t count; } parts[PARTS];
};
/* clang-format on */

static unsigned bits_of(size_t most)
{
    unsigned bits = 0;
    while (bits < 64 && most >> bits)
        bits++;
    return bits;
}

/* LAUNCH(keys, n, ...) launches kernel components_keys over n elements, with these arguments before the last two. */
#define LAUNCH(kernel, count_, ...)                                                                                    \
    do {                                                                                                               \
        struct mw_prim_run run_;                                                                                       \
        TRY_RETURN(mw_prim_run(c->prim, c->program, count_, sizeof(uint32_t), &run_));                                 \
        TRY_RETURN(launch_components_##kernel(run_.set, run_.range, __VA_ARGS__, run_.n, run_.each));                  \
    } while (0)

/* ---- arrays: `own` frees temporary ones ---- */

static int new_array(struct mw_components *c, struct mw_owner *own, size_t n, struct mw_buffer **array)
{
    return mw_own_buffer(own, c->prim->device, n * sizeof(uint32_t), array);
}

/* Computes the component of each cell, from 0; background is `count`. */
static int make_keys(struct mw_components *c, struct mw_owner *own, struct mw_buffer **keys)
{
    TRY_RETURN(new_array(c, own, c->n, keys));
    if (c->n > 0)
        LAUNCH(keys, c->n, c->labels, *keys, (uint32_t)c->count);
    return 0;
}

static int make_sizes(struct mw_components *c, struct mw_owner *own)
{
    struct mw_buffer *made, *keys;
    TRY_RETURN(new_array(c, &c->owner, c->count, &made));
    if (c->type == MW_TYPE_I32 && c->count > 0 && mw_prim_on_host(c->prim, c->n + c->count, COUNTED_MOST)) {
        TRY_RETURN(mw_components_count(c->labels, c->n, c->count, made, &c->totals));
    } else if (c->type == MW_TYPE_I32) {
        TRY_RETURN(mw_prim_histogram_from(c->prim, c->labels, c->n, 1, c->count, made));
        TRY_RETURN(mw_components_totals(c->prim, made, c->count, &c->totals));
    } else {
        TRY_RETURN(make_keys(c, own, &keys));
        TRY_RETURN(mw_prim_histogram(c->prim, keys, c->n, c->count, made));
        TRY_RETURN(mw_components_totals(c->prim, made, c->count, &c->totals));
    }
    c->parts[MW_COMPONENTS_SIZES] = (struct part){ .buffer = made, .count = c->count };
    return 0;
}

static int make_offsets(struct mw_components *c, struct mw_owner *own)
{
    struct mw_buffer *made;
    TRY_RETURN(new_array(c, &c->owner, c->count, &made));
    TRY_RETURN(mw_prim_scan(c->prim, c->parts[MW_COMPONENTS_SIZES].buffer, made, c->count, MW_TYPE_U32, false, NULL));
    c->parts[MW_COMPONENTS_OFFSETS] = (struct part){ .buffer = made, .count = c->count };
    return 0;
}

/* Sorts 0, 1, 2, ... by `keys`, which have `bits` significant bits. */
static int sort_places(struct mw_components *c, struct mw_buffer *keys, unsigned bits, size_t n,
                       struct mw_buffer *places)
{
    if (n == 0)
        return 0;
    LAUNCH(places, n, places);
    return mw_prim_sort(c->prim, keys, MW_TYPE_U32, bits, places, sizeof(uint32_t), n);
}

/* On groups: sorts the cells. Background has the largest key, and is last. */
static int sort_cells(struct mw_components *c, struct mw_owner *own, struct mw_buffer **cells)
{
    struct mw_buffer *keys;
    TRY_RETURN(make_keys(c, own, &keys));
    TRY_RETURN(new_array(c, &c->owner, c->n, cells));
    return sort_places(c, keys, bits_of(c->count), c->n, *cells);
}

/* On cores: places the cells directly, each core those of a range of components. Needs no memory per cell except the
 * result. */
static int place_cells(struct mw_components *c, struct mw_owner *own, struct mw_buffer **cells)
{
    const size_t ranges = c->prim->units < RANGES_MOST ? c->prim->units : RANGES_MOST;
    struct mw_buffer *next;
    const struct mw_kernel_set *set;
    if (!c->parts[MW_COMPONENTS_OFFSETS].buffer)
        TRY_RETURN(make_offsets(c, own));
    TRY_RETURN(new_array(c, own, c->count, &next));
    TRY_RETURN(new_array(c, &c->owner, c->totals.cells, cells));
    TRY_RETURN(mw_prim_set(c->prim, c->program, &set));
    if (c->totals.cells == 0)
        return 0;
    TRY_RETURN(mw_buffer_copy(c->parts[MW_COMPONENTS_OFFSETS].buffer, 0, next, 0, c->count * sizeof(uint32_t), NULL));
    return launch_components_cells(set, mw_parts(set, ranges), c->labels, next, *cells, (uint32_t)c->count,
                                   (uint32_t)ranges, (int64_t)c->n);
}

static int make_cells(struct mw_components *c, struct mw_owner *own)
{
    struct mw_buffer *made;
    TRY_RETURN(c->prim->cores ? place_cells(c, own, &made) : sort_cells(c, own, &made));
    c->parts[MW_COMPONENTS_CELLS] = (struct part){ .buffer = made, .count = c->totals.cells };
    return 0;
}

/* Computes the order and the two arrays of sizes, which all need sorted sizes: keys in decreasing order. Flags mark the
 * first of equal sizes. */
static int make_order(struct mw_components *c, struct mw_owner *own)
{
    struct mw_buffer *keys, *order, *flags, *heads, *sizes, *numbers;
    size_t runs = 0;
    TRY_RETURN(new_array(c, own, c->count, &keys));
    TRY_RETURN(new_array(c, &c->owner, c->count, &order));
    TRY_RETURN(mw_own_buffer(own, c->prim->device, c->count, &flags));
    TRY_RETURN(new_array(c, own, c->count, &heads));
    if (c->count > 0) {
        LAUNCH(size_keys, c->count, c->parts[MW_COMPONENTS_SIZES].buffer, keys, c->totals.largest);
        TRY_RETURN(sort_places(c, keys, bits_of(c->totals.largest), c->count, order));
        LAUNCH(mark_runs, c->count, keys, flags);
    }
    TRY_RETURN(mw_prim_select(c->prim, flags, c->count, heads, &runs));
    TRY_RETURN(new_array(c, &c->owner, runs, &sizes));
    TRY_RETURN(new_array(c, &c->owner, runs, &numbers));
    if (runs > 0) {
        LAUNCH(measure_runs, runs, keys, heads, sizes, numbers, c->totals.largest, (uint32_t)c->count);
        LAUNCH(labels, c->count, order);
    }
    c->parts[MW_COMPONENTS_ORDER] = (struct part){ .buffer = order, .count = c->count };
    c->parts[MW_COMPONENTS_SIZE_VALUES] = (struct part){ .buffer = sizes, .count = runs };
    c->parts[MW_COMPONENTS_SIZE_NUMBERS] = (struct part){ .buffer = numbers, .count = runs };
    return 0;
}

static int (*const makers[PARTS])(struct mw_components *c, struct mw_owner *own) = {
    [MW_COMPONENTS_SIZES] = make_sizes,       [MW_COMPONENTS_OFFSETS] = make_offsets,
    [MW_COMPONENTS_CELLS] = make_cells,       [MW_COMPONENTS_ORDER] = make_order,
    [MW_COMPONENTS_SIZE_VALUES] = make_order, [MW_COMPONENTS_SIZE_NUMBERS] = make_order,
};

/* Computes an array; all others depend on the sizes. */
static int need(struct mw_components *c, enum mw_components_part part)
{
    struct mw_owner own = { 0 };
    int rc = 0;
    if (!c->labels)
        return mw_fail(MW_EINVAL, "components: the labels were overwritten by a selection: create new components");
    if (!c->parts[MW_COMPONENTS_SIZES].buffer)
        TRY(make_sizes(c, &own));
    if (!c->parts[part].buffer)
        TRY(makers[part](c, &own));
out:
    mw_owner_drop(&own);
    return rc;
}

/* ---- interface ---- */

int mw_components_new(struct mw_prim *prim, struct mw_buffer *labels, size_t n, enum mw_type type, size_t count,
                      struct mw_components **components)
{
    struct mw_components *c = NULL;
    if (type != MW_TYPE_I32 && type != MW_TYPE_I64)
        return mw_fail(MW_EINVAL, "components: labels of type %s are not supported: use int32 or int64",
                       mw_type_name(type));
    if (n > UINT32_MAX || count >= UINT32_MAX)
        return mw_fail(MW_ELIMIT,
                       "components: %zu cells and %zu components exceed 32-bit counts: use one part "
                       "of the mesh at a time",
                       n, count);
    if (n > 0)
        TRY_RETURN(mw_prim_check(prim, "components", "labels", labels, n, mw_type_bytes(type)));
    TRY_RETURN(mw_new(1, sizeof *c, &c));
    *c = (struct mw_components){ .prim = prim, .labels = labels, .n = n, .count = count, .type = type };
    c->program = type == MW_TYPE_I32 ? &mw_components_32 : &labels_64;
    *components = c;
    return 0;
}

void mw_components_view(const struct mw_components *c, struct mw_components_view *view)
{
    *view = (struct mw_components_view){ c->labels, c->n, c->count, c->type };
}

void mw_components_free(struct mw_components *components)
{
    if (!components)
        return;
    mw_owner_drop(&components->owner);
    for (size_t i = 0; i < PARTS; i++)
        free(components->parts[i].array);
    free(components);
}

int mw_components_buffer(struct mw_components *components, enum mw_components_part part, struct mw_buffer **buffer,
                         size_t *count)
{
    if ((unsigned)part >= PARTS)
        return mw_fail(MW_EINVAL, "components: invalid part %d: see enum mw_components_part", (int)part);
    TRY_RETURN(need(components, part));
    *buffer = components->parts[part].buffer;
    *count = components->parts[part].count;
    return 0;
}

int mw_components_array(struct mw_components *components, enum mw_components_part part, const uint32_t **array,
                        size_t *count)
{
    struct mw_buffer *buffer = NULL;
    uint32_t *copy = NULL;
    size_t n = 0;
    int rc;
    TRY(mw_components_buffer(components, part, &buffer, &n));
    if (!components->parts[part].array) {
        TRY(mw_new(n, sizeof *copy, &copy));
        if (n > 0)
            TRY(mw_buffer_read(buffer, 0, n * sizeof *copy, copy, NULL));
        components->parts[part].array = MW_PASS(copy);
    }
    *array = components->parts[part].array;
    *count = n;
out:
    free(copy);
    return rc;
}

int mw_components_array_into(struct mw_components *components, enum mw_components_part part, uint32_t *array,
                             size_t count)
{
    struct mw_buffer *buffer;
    size_t n;
    TRY_RETURN(mw_components_buffer(components, part, &buffer, &n));
    if (count != n)
        return mw_fail(MW_EINVAL, "components: the result has %zu elements, but the array has %zu: pass an equal one",
                       n, count);
    return n > 0 ? mw_buffer_read(buffer, 0, n * sizeof *array, array, NULL) : 0;
}

int mw_components_summarise(struct mw_components *c, struct mw_components_summary *summary)
{
    struct mw_components_summary found = MW_INIT(found);
    TRY_RETURN(MW_RESULT_GIVE(mw_components_summary, NULL, largest_below, summary));
    TRY_RETURN(need(c, MW_COMPONENTS_SIZES));
    mw_components_summary_of(c->count, &c->totals, &found);
    return MW_RESULT_GIVE(mw_components_summary, &found, largest_below, summary);
}

/* ---- first cells ---- */

/* Finds the first cell of each component; all bits are set for an empty one. in_order: labels are in the order of these
 * cells. */
static int find_first(struct mw_components *c, struct mw_owner *own, bool in_order, struct mw_buffer **first)
{
    TRY_RETURN(new_array(c, own, c->count, first));
    TRY_RETURN(mw_buffer_fill(*first, 0, c->count * sizeof(uint32_t), 0xff));
    LAUNCH(first, c->n, c->labels, *first, (uint32_t)c->count, in_order);
    return 0;
}

static int gather_elements(struct mw_components *c, struct mw_owner *own, struct mw_buffer *from, size_t bytes,
                           void *elements)
{
    struct mw_buffer *first, *made;
    TRY_RETURN(find_first(c, own, true, &first));
    TRY_RETURN(mw_own_buffer(own, c->prim->device, c->count * bytes, &made));
    LAUNCH(elements, c->count, from, first, made, (int32_t)bytes);
    return mw_buffer_read(made, 0, c->count * bytes, elements, NULL);
}

int mw_components_first_elements(struct mw_components *c, struct mw_buffer *from, size_t bytes, void *elements)
{
    struct mw_owner own = { 0 };
    const int rc = c->count > 0 ? gather_elements(c, &own, from, bytes, elements) : 0;
    mw_owner_drop(&own);
    return rc;
}

/* ---- keeping components ---- */

static uint32_t at_most_32(size_t n) { return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n; }

/* Sorts the kept components by their first cells. */
static int order_kept(struct mw_components *c, struct mw_owner *own, struct mw_buffer *kept, size_t count)
{
    struct mw_buffer *first, *keys;
    TRY_RETURN(find_first(c, own, false, &first));
    TRY_RETURN(new_array(c, own, count, &keys));
    LAUNCH(gather, count, first, kept, keys);
    return mw_prim_sort(c->prim, keys, MW_TYPE_U32, bits_of(c->n), kept, sizeof(uint32_t), count);
}

/* Computes the new label of each component; 0 if it is not kept. */
static int number_kept(struct mw_components *c, struct mw_owner *own, uint32_t least, uint32_t most,
                       struct mw_buffer *new_label, size_t *count)
{
    struct mw_buffer *flags, *kept;
    TRY_RETURN(mw_own_buffer(own, c->prim->device, c->count, &flags));
    TRY_RETURN(new_array(c, own, c->count, &kept));
    TRY_RETURN(mw_buffer_fill(new_label, 0, c->count * sizeof(uint32_t), 0));
    LAUNCH(mark_sizes, c->count, c->parts[MW_COMPONENTS_SIZES].buffer, flags, least, most);
    TRY_RETURN(mw_prim_select(c->prim, flags, c->count, kept, count));
    if (*count == 0)
        return 0;
    TRY_RETURN(order_kept(c, own, kept, *count));
    LAUNCH(number, *count, kept, new_label);
    return 0;
}

static int keep(struct mw_components *c, struct mw_owner *own, uint32_t least, uint32_t most, struct mw_buffer *to,
                size_t *count)
{
    struct mw_buffer *new_label;
    TRY_RETURN(new_array(c, own, c->count, &new_label));
    if (c->count > 0)
        TRY_RETURN(number_kept(c, own, least, most, new_label, count));
    if (c->n > 0)
        LAUNCH(relabel, c->n, c->labels, new_label, to, (uint32_t)c->count);
    return 0;
}

int mw_components_keep(struct mw_components *c, size_t least, size_t most, struct mw_buffer *to, size_t *kept)
{
    struct mw_owner own = { 0 };
    size_t count = 0;
    int rc;
    if (c->n > 0)
        TRY(mw_prim_check(c->prim, "components", "kept labels", to, c->n, mw_type_bytes(c->type)));
    TRY(need(c, MW_COMPONENTS_SIZES));
    TRY(keep(c, &own, at_most_32(least ? least : 1), at_most_32(most), to, &count));
    if (to == c->labels)
        c->labels = NULL;
    *kept = count;
out:
    mw_owner_drop(&own);
    return rc;
}
/* SPDX-License-Identifier: MIT */

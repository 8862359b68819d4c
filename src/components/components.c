/* Components: each array is computed by the primitives when it is first requested. */
#include <meshwork/components.h>

#include <stdlib.h>

#include "components/components_internal.h"
#include "prim/prim_internal.h"

#include "kernels/components/components.h"
#include "kernels/native.h"

#define RANGES_MOST 8 /* each reads all labels */
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
        TRY(mw_prim_run(c->prim, c->program, count_, sizeof(uint32_t), &run_));                                        \
        TRY(launch_components_##kernel(run_.set, run_.range, __VA_ARGS__, run_.n, run_.each));                         \
    } while (0)

/* ---- arrays ---- */

/* Computes the component of each cell, from 0; background is `count`. */
static int make_keys(struct mw_components *c, struct mw_buffer **keys)
{
    struct mw_buffer *made = NULL;
    int rc = 0;
    TRY(mw_buffer_new(c->prim->device, c->n * sizeof(uint32_t), &made));
    if (c->n > 0)
        LAUNCH(keys, c->n, c->labels, made, (uint32_t)c->count);
    *keys = made;
    made = NULL;
out:
    mw_buffer_free(made);
    return rc;
}

static int make_sizes(struct mw_components *c)
{
    struct part *sizes = &c->parts[MW_COMPONENTS_SIZES];
    struct mw_buffer *made = NULL, *keys = NULL;
    int rc;
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &made));
    if (c->type == MW_TYPE_I32) {
        TRY(mw_prim_histogram_from(c->prim, c->labels, c->n, 1, c->count, made));
    } else {
        TRY(make_keys(c, &keys));
        TRY(mw_prim_histogram(c->prim, keys, c->n, c->count, made));
    }
    TRY(mw_components_totals(c->prim, made, c->count, &c->totals));
    *sizes = (struct part){ .buffer = made, .count = c->count };
    made = NULL;
out:
    mw_buffer_free(keys);
    mw_buffer_free(made);
    return rc;
}

static int make_offsets(struct mw_components *c)
{
    struct mw_buffer *made = NULL;
    int rc;
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &made));
    TRY(mw_prim_scan(c->prim, c->parts[MW_COMPONENTS_SIZES].buffer, made, c->count, MW_TYPE_U32, false, NULL));
    c->parts[MW_COMPONENTS_OFFSETS] = (struct part){ .buffer = made, .count = c->count };
    made = NULL;
out:
    mw_buffer_free(made);
    return rc;
}

/* Sorts 0, 1, 2, ... by `keys`, which have `bits` significant bits. */
static int sorted_places(struct mw_components *c, struct mw_buffer *keys, unsigned bits, size_t n,
                         struct mw_buffer **places)
{
    struct mw_buffer *made = NULL;
    int rc;
    TRY(mw_buffer_new(c->prim->device, n * sizeof(uint32_t), &made));
    if (n > 0) {
        LAUNCH(places, n, made);
        TRY(mw_prim_sort(c->prim, keys, MW_TYPE_U32, bits, made, sizeof(uint32_t), n));
    }
    *places = made;
    made = NULL;
out:
    mw_buffer_free(made);
    return rc;
}

/* On groups: sorts the cells. Background has the largest key, and is last. */
static int sort_cells(struct mw_components *c, struct mw_buffer **cells)
{
    struct mw_buffer *keys = NULL;
    int rc;
    TRY(make_keys(c, &keys));
    TRY(sorted_places(c, keys, bits_of(c->count), c->n, cells));
out:
    mw_buffer_free(keys);
    return rc;
}

/* On cores: places the cells directly, each core those of a range of components. Needs no memory per cell except the
 * result. */
static int place_cells(struct mw_components *c, struct mw_buffer **cells)
{
    const size_t ranges = c->prim->units < RANGES_MOST ? c->prim->units : RANGES_MOST;
    struct mw_buffer *next = NULL, *made = NULL;
    const struct mw_kernel_set *set;
    int rc;
    if (!c->parts[MW_COMPONENTS_OFFSETS].buffer)
        TRY(make_offsets(c));
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &next));
    TRY(mw_buffer_new(c->prim->device, c->totals.cells * sizeof(uint32_t), &made));
    TRY(mw_prim_set(c->prim, c->program, &set));
    if (c->totals.cells > 0) {
        TRY(mw_buffer_copy(c->parts[MW_COMPONENTS_OFFSETS].buffer, 0, next, 0, c->count * sizeof(uint32_t), NULL));
        TRY(launch_components_cells(set, mw_parts(set, ranges), c->labels, next, made, (uint32_t)c->count,
                                    (uint32_t)ranges, (int64_t)c->n));
    }
    *cells = made;
    made = NULL;
out:
    mw_buffer_free(next);
    mw_buffer_free(made);
    return rc;
}

static int make_cells(struct mw_components *c)
{
    struct mw_buffer *made;
    TRY_RETURN(c->prim->cores ? place_cells(c, &made) : sort_cells(c, &made));
    c->parts[MW_COMPONENTS_CELLS] = (struct part){ .buffer = made, .count = c->totals.cells };
    return 0;
}

/* Sorts sizes in decreasing order, as keys; `order` has the components in this order. */
static int sort_sizes(struct mw_components *c, struct mw_buffer **keys, struct mw_buffer **order)
{
    struct mw_buffer *made = NULL;
    int rc;
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &made));
    if (c->count > 0)
        LAUNCH(size_keys, c->count, c->parts[MW_COMPONENTS_SIZES].buffer, made, c->totals.largest);
    TRY(sorted_places(c, made, bits_of(c->totals.largest), c->count, order));
    *keys = made;
    made = NULL;
out:
    mw_buffer_free(made);
    return rc;
}

/* Finds the indices of set flags; stores them in a new buffer, and their number. */
static int select_places(struct mw_components *c, struct mw_buffer *flags, size_t n, struct mw_buffer **places,
                         size_t *count)
{
    struct mw_buffer *made = NULL;
    size_t found;
    int rc;
    TRY(mw_buffer_new(c->prim->device, n * sizeof(uint32_t), &made));
    TRY(mw_prim_select(c->prim, flags, n, made, &found));
    *places = made;
    *count = found;
    made = NULL;
out:
    mw_buffer_free(made);
    return rc;
}

/* Computes the order and the two arrays of sizes, which all need sorted sizes. */
static int make_order(struct mw_components *c)
{
    struct mw_buffer *keys = NULL, *order = NULL, *flags = NULL, *heads = NULL, *sizes = NULL, *numbers = NULL;
    size_t runs = 0;
    int rc;
    TRY(sort_sizes(c, &keys, &order));
    TRY(mw_buffer_new(c->prim->device, c->count, &flags));
    if (c->count > 0)
        LAUNCH(mark_runs, c->count, keys, flags);
    TRY(select_places(c, flags, c->count, &heads, &runs));
    TRY(mw_buffer_new(c->prim->device, runs * sizeof(uint32_t), &sizes));
    TRY(mw_buffer_new(c->prim->device, runs * sizeof(uint32_t), &numbers));
    if (runs > 0) {
        LAUNCH(measure_runs, runs, keys, heads, sizes, numbers, c->totals.largest, (uint32_t)c->count);
        LAUNCH(labels, c->count, order);
    }
    c->parts[MW_COMPONENTS_ORDER] = (struct part){ .buffer = order, .count = c->count };
    c->parts[MW_COMPONENTS_SIZE_VALUES] = (struct part){ .buffer = sizes, .count = runs };
    c->parts[MW_COMPONENTS_SIZE_NUMBERS] = (struct part){ .buffer = numbers, .count = runs };
    order = sizes = numbers = NULL;
out:
    mw_buffer_free(keys);
    mw_buffer_free(order);
    mw_buffer_free(flags);
    mw_buffer_free(heads);
    mw_buffer_free(sizes);
    mw_buffer_free(numbers);
    return rc;
}

static int (*const makers[PARTS])(struct mw_components *c) = {
    [MW_COMPONENTS_SIZES] = make_sizes,       [MW_COMPONENTS_OFFSETS] = make_offsets,
    [MW_COMPONENTS_CELLS] = make_cells,       [MW_COMPONENTS_ORDER] = make_order,
    [MW_COMPONENTS_SIZE_VALUES] = make_order, [MW_COMPONENTS_SIZE_NUMBERS] = make_order,
};

/* Computes an array; all others depend on the sizes. */
static int need(struct mw_components *c, enum mw_components_part part)
{
    if (!c->labels)
        return mw_fail(MW_EINVAL, "components: the labels were overwritten by a selection: create new components");
    if (!c->parts[MW_COMPONENTS_SIZES].buffer)
        TRY_RETURN(make_sizes(c));
    if (!c->parts[part].buffer)
        TRY_RETURN(makers[part](c));
    return 0;
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
    for (size_t i = 0; i < PARTS; i++) {
        mw_buffer_free(components->parts[i].buffer);
        free(components->parts[i].array);
    }
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
        components->parts[part].array = copy;
        copy = NULL;
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

/* Finds the first cell of each component; all bits are set for an empty one. The caller frees the buffer. in_order:
 * labels are in the order of these cells. */
static int find_first(struct mw_components *c, bool in_order, struct mw_buffer **first)
{
    struct mw_buffer *made = NULL;
    int rc;
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &made));
    TRY(mw_buffer_fill(made, 0, c->count * sizeof(uint32_t), 0xff));
    LAUNCH(first, c->n, c->labels, made, (uint32_t)c->count, in_order);
    *first = made;
    made = NULL;
out:
    mw_buffer_free(made);
    return rc;
}

int mw_components_first_elements(struct mw_components *c, struct mw_buffer *from, size_t bytes, void *elements)
{
    struct mw_buffer *first = NULL, *made = NULL;
    int rc = 0;
    if (c->count == 0)
        goto out;
    TRY(find_first(c, true, &first));
    TRY(mw_buffer_new(c->prim->device, c->count * bytes, &made));
    LAUNCH(elements, c->count, from, first, made, (int32_t)bytes);
    TRY(mw_buffer_read(made, 0, c->count * bytes, elements, NULL));
out:
    mw_buffer_free(first);
    mw_buffer_free(made);
    return rc;
}

/* ---- keeping components ---- */

static uint32_t at_most_32(size_t n) { return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n; }

/* Sorts the kept components by their first cells. */
static int order_kept(struct mw_components *c, struct mw_buffer *kept, size_t count)
{
    struct mw_buffer *first = NULL, *keys = NULL;
    int rc;
    TRY(find_first(c, false, &first));
    TRY(mw_buffer_new(c->prim->device, count * sizeof(uint32_t), &keys));
    LAUNCH(gather, count, first, kept, keys);
    TRY(mw_prim_sort(c->prim, keys, MW_TYPE_U32, bits_of(c->n), kept, sizeof(uint32_t), count));
out:
    mw_buffer_free(first);
    mw_buffer_free(keys);
    return rc;
}

/* Computes the new label of each component; 0 if it is not kept. */
static int number_kept(struct mw_components *c, uint32_t least, uint32_t most, struct mw_buffer *new_label,
                       size_t *count)
{
    struct mw_buffer *flags = NULL, *kept = NULL;
    int rc;
    TRY(mw_buffer_new(c->prim->device, c->count, &flags));
    TRY(mw_buffer_fill(new_label, 0, c->count * sizeof(uint32_t), 0));
    LAUNCH(mark_sizes, c->count, c->parts[MW_COMPONENTS_SIZES].buffer, flags, least, most);
    TRY(select_places(c, flags, c->count, &kept, count));
    if (*count > 0) {
        TRY(order_kept(c, kept, *count));
        LAUNCH(number, *count, kept, new_label);
    }
out:
    mw_buffer_free(flags);
    mw_buffer_free(kept);
    return rc;
}

int mw_components_keep(struct mw_components *c, size_t least, size_t most, struct mw_buffer *to, size_t *kept)
{
    struct mw_buffer *new_label = NULL;
    size_t count = 0;
    int rc;
    if (c->n > 0)
        TRY(mw_prim_check(c->prim, "components", "kept labels", to, c->n, mw_type_bytes(c->type)));
    TRY(need(c, MW_COMPONENTS_SIZES));
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &new_label));
    if (c->count > 0)
        TRY(number_kept(c, at_most_32(least ? least : 1), at_most_32(most), new_label, &count));
    if (c->n > 0)
        LAUNCH(relabel, c->n, c->labels, new_label, to, (uint32_t)c->count);
    if (to == c->labels)
        c->labels = NULL;
    *kept = count;
out:
    mw_buffer_free(new_label);
    return rc;
}
/* SPDX-License-Identifier: MIT */

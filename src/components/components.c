/* Components: each part is made from others by the primitives, when it is first asked for. */
#include <meshwork/components.h>

#include <stdlib.h>

#include "components/components_internal.h"
#include "components/sizes.clh"
#include "prim/prim_internal.h"

#include "kernels/components/components.h"
#include "kernels/native.h"

#define PARTS (MW_COMPONENTS_SIZE_NUMBERS + 1)

static const struct mw_prim_program labels_32 = { &kernels_components_components, "", mw_native_components_i32, false,
                                                  false, NULL };
static const struct mw_prim_program labels_64 = { &kernels_components_components, "#define LABEL_64 1\n",
                                                  mw_native_components_i64, false, false, NULL };

struct mw_components {
    struct mw_prim *prim;
    struct mw_buffer *labels;
    size_t n, count;
    enum mw_type type;
    const struct mw_prim_program *program;
    struct mw_buffer *keys;      /* of each cell, from 0; background is `count` */
    struct mw_components_totals totals; /* known with the sizes */
    struct part { struct mw_buffer *buffer; uint32_t *array; size_t count; } parts[PARTS];
};

static unsigned bits_of(size_t most)
{
    unsigned bits = 0;
    while (bits < 64 && most >> bits)
        bits++;
    return bits;
}

/* LAUNCH(keys, n, ...): kernel components_keys over n elements; what follows are its arguments but the last two. */
#define LAUNCH(kernel, count_, ...)                                                                                  \
    do {                                                                                                             \
        struct mw_prim_run run_;                                                                                     \
        TRY(mw_prim_run(c->prim, c->program, count_, sizeof(uint32_t), &run_));                                      \
        TRY(launch_components_##kernel(run_.set, run_.range, __VA_ARGS__, run_.n, run_.each));                       \
    } while (0)

/* ---- the parts ---- */

static int need_keys(struct mw_components *c)
{
    struct mw_buffer *keys = NULL;
    int rc = 0;
    if (c->keys)
        goto out;
    TRY(mw_buffer_new(c->prim->device, c->n * sizeof(uint32_t), &keys));
    if (c->n > 0)
        LAUNCH(keys, c->n, c->labels, keys, (uint32_t)c->count);
    c->keys = keys;
    keys = NULL;
out:
    mw_buffer_free(keys);
    return rc;
}

/* Parts tell of theirs, upwards. */
static struct mw_components_totals join_totals(const uint32_t *told, size_t parts)
{
    struct mw_components_totals all = { 0 };
    for (size_t i = 0; i < parts; i++) {
        const uint32_t *part = told + i * TOTALS;
        all.cells += part[TOTAL_CELLS];
        if (part[TOTAL_LARGEST] > all.largest) {
            all.largest = part[TOTAL_LARGEST];
            all.first = part[TOTAL_FIRST];
        }
    }
    return all;
}

/* Parts tell, and `also`, if there is any, in the last of `words`. */
static int launch_totals(struct mw_prim *prim, struct mw_buffer *sizes, size_t count, struct mw_buffer *also,
                         size_t also_at, struct mw_buffer **told, size_t *words)
{
    struct mw_prim_run run;
    int rc;
    TRY(mw_prim_run(prim, &labels_32, count, sizeof(uint32_t), &run));
    *words = mw_prim_parts(count, (size_t)run.each) * TOTALS + (also ? 1 : 0);
    TRY(mw_prim_reserve(prim, MW_PRIM_GUEST_1, *words, sizeof(uint32_t), told));
    TRY(launch_components_totals(run.set, run.range, sizes, *told, also, (int64_t)also_at, run.n, run.each));
out:
    return rc;
}

int mw_components_told_reserve(struct mw_prim *prim, size_t count, struct mw_components_told *told)
{
    struct mw_prim_run run;
    int rc = 0;
    if (count == 0)
        goto out;
    TRY(mw_prim_run(prim, &labels_32, count, sizeof(uint32_t), &run));
    const size_t words = mw_prim_parts(count, (size_t)run.each) * TOTALS + 1;
    if (told->room >= words)
        goto out;
    mw_components_told_free(told);
    TRY(mw_staging_new(prim->device, words * sizeof(uint32_t), &told->staging));
    told->room = words;
out:
    return rc;
}

int mw_components_totals_tell(struct mw_prim *prim, struct mw_buffer *sizes, size_t count, struct mw_buffer *also,
                              size_t also_at, struct mw_components_told *told)
{
    struct mw_buffer *buffer;
    size_t words;
    int rc;
    told->words = 0;
    if (count == 0)
        return 0;
    TRY(launch_totals(prim, sizes, count, also, also_at, &buffer, &words));
    TRY(mw_buffer_read(buffer, 0, words * sizeof(uint32_t), mw_staging_memory(told->staging), &told->event));
    told->words = words;
out:
    return rc;
}

int mw_components_told_wait(struct mw_components_told *told)
{
    const int rc = told->event ? mw_event_wait(told->event) : 0;
    mw_event_free(told->event);
    told->event = NULL;
    return rc;
}

int mw_components_totals_hear(struct mw_components_told *told, struct mw_components_totals *totals, uint32_t *word)
{
    int rc = 0;
    *totals = (struct mw_components_totals){ 0 };
    if (told->words == 0)
        goto out;
    TRY(mw_components_told_wait(told));
    const uint32_t *const words = mw_staging_memory(told->staging);
    *totals = join_totals(words, told->words / TOTALS);
    if (told->words % TOTALS)
        *word = words[told->words - 1];
out:
    return rc;
}

void mw_components_told_free(struct mw_components_told *told)
{
    (void)mw_components_told_wait(told);
    mw_staging_free(told->staging);
    *told = (struct mw_components_told){ 0 };
}

static int find_totals(struct mw_components *c, struct mw_buffer *sizes)
{
    struct mw_buffer *buffer;
    uint32_t *told = NULL;
    size_t words;
    int rc = 0;
    if (c->count == 0)
        goto out;
    TRY(launch_totals(c->prim, sizes, c->count, NULL, 0, &buffer, &words));
    TRY(mw_new(words, sizeof *told, &told));
    TRY(mw_buffer_read(buffer, 0, words * sizeof *told, told, NULL));
    c->totals = join_totals(told, words / TOTALS);
out:
    free(told);
    return rc;
}

static int make_sizes(struct mw_components *c)
{
    struct part *sizes = &c->parts[MW_COMPONENTS_SIZES];
    struct mw_buffer *made = NULL;
    int rc;
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &made));
    if (c->type == MW_TYPE_I32) {
        TRY(mw_prim_histogram_from(c->prim, c->labels, c->n, 1, c->count, made));
    } else {
        TRY(need_keys(c));
        TRY(mw_prim_histogram(c->prim, c->keys, c->n, c->count, made));
    }
    TRY(find_totals(c, made));
    *sizes = (struct part){ .buffer = made, .count = c->count };
    made = NULL;
out:
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

/* 0, 1, 2, ... to be sorted by `keys`, of which it needs the lowest `bits`. */
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

/* Background has the largest key, and stands behind the cells that count. */
static int make_cells(struct mw_components *c)
{
    struct mw_buffer *keys = NULL, *made = NULL;
    struct mw_event *done = NULL;
    int rc;
    TRY(need_keys(c));
    TRY(mw_buffer_new(c->prim->device, c->n * sizeof(uint32_t), &keys));
    if (c->n > 0)
        TRY(mw_buffer_copy(c->keys, 0, keys, 0, c->n * sizeof(uint32_t), &done));
    TRY(sorted_places(c, keys, bits_of(c->count), c->n, &made));
    c->parts[MW_COMPONENTS_CELLS] = (struct part){ .buffer = made, .count = c->totals.cells };
out:
    mw_event_free(done);
    mw_buffer_free(keys);
    return rc;
}

/* Sizes from the largest down, as keys; and the components' numbers in this order. */
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

/* The places where flags are set, in a buffer of their number. */
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

/* Order and the two arrays of sizes together: all come from sorted sizes. */
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
    [MW_COMPONENTS_SIZES] = make_sizes,
    [MW_COMPONENTS_OFFSETS] = make_offsets,
    [MW_COMPONENTS_CELLS] = make_cells,
    [MW_COMPONENTS_ORDER] = make_order,
    [MW_COMPONENTS_SIZE_VALUES] = make_order,
    [MW_COMPONENTS_SIZE_NUMBERS] = make_order,
};

/* All others are made from the sizes. */
static int need(struct mw_components *c, enum mw_components_part part)
{
    int rc = 0;
    if (!c->parts[MW_COMPONENTS_SIZES].buffer)
        TRY(make_sizes(c));
    if (!c->parts[part].buffer)
        TRY(makers[part](c));
out:
    return rc;
}

/* ---- what callers see ---- */

int mw_components_new(struct mw_prim *prim, struct mw_buffer *labels, size_t n, enum mw_type type, size_t count,
                      struct mw_components **components)
{
    struct mw_components *c = NULL;
    int rc;
    if (type != MW_TYPE_I32 && type != MW_TYPE_I64)
        return mw_fail(MW_EINVAL, "components: labels of %s are not taken: make them int32 or int64",
                       mw_type_name(type));
    if (n > UINT32_MAX || count >= UINT32_MAX)
        return mw_fail(MW_ELIMIT, "components: %zu cells and %zu components are more than 32 bits count: take a part "
                       "of the mesh at a time", n, count);
    if (n > 0)
        TRY(mw_prim_check(prim, "components", "labels", labels, n, mw_type_bytes(type)));
    TRY(mw_new(1, sizeof *c, &c));
    *c = (struct mw_components){ .prim = prim, .labels = labels, .n = n, .count = count, .type = type };
    c->program = type == MW_TYPE_I32 ? &labels_32 : &labels_64;
    *components = c;
out:
    return rc;
}

void mw_components_free(struct mw_components *components)
{
    if (!components)
        return;
    for (size_t i = 0; i < PARTS; i++) {
        mw_buffer_free(components->parts[i].buffer);
        free(components->parts[i].array);
    }
    mw_buffer_free(components->keys);
    free(components);
}

int mw_components_buffer(struct mw_components *components, enum mw_components_part part, struct mw_buffer **buffer,
                         size_t *count)
{
    int rc;
    if ((unsigned)part >= PARTS)
        return mw_fail(MW_EINVAL, "components: there is no part %d: take one of enum mw_components_part", (int)part);
    TRY(need(components, part));
    *buffer = components->parts[part].buffer;
    *count = components->parts[part].count;
out:
    return rc;
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

void mw_components_summary_of(size_t count, const struct mw_components_totals *totals,
                              struct mw_components_summary *summary)
{
    *summary = (struct mw_components_summary){ .components = count, .cells = totals->cells,
                                               .largest_size = totals->largest };
    if (count > 0) {
        summary->largest_label = (size_t)totals->first + 1;
        summary->mean_size = (double)totals->cells / (double)count;
    }
}

int mw_components_summarise(struct mw_components *c, struct mw_components_summary *summary)
{
    int rc;
    TRY(need(c, MW_COMPONENTS_SIZES));
    mw_components_summary_of(c->count, &c->totals, summary);
out:
    return rc;
}

/* ---- keeping some ---- */

static uint32_t at_most_32(size_t n)
{
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* The numbers of the components that are kept, by their first cells. */
static int order_kept(struct mw_components *c, struct mw_buffer *kept, size_t count)
{
    struct mw_buffer *first = NULL, *keys = NULL;
    int rc;
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &first));
    TRY(mw_buffer_new(c->prim->device, count * sizeof(uint32_t), &keys));
    TRY(mw_buffer_fill(first, 0, c->count * sizeof(uint32_t), 0xff));
    LAUNCH(first, c->n, c->keys, first, (uint32_t)c->count);
    LAUNCH(gather, count, first, kept, keys);
    TRY(mw_prim_sort(c->prim, keys, MW_TYPE_U32, bits_of(c->n), kept, sizeof(uint32_t), count));
out:
    mw_buffer_free(first);
    mw_buffer_free(keys);
    return rc;
}

/* The new label of each component, 0 of those that are not kept. */
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
    if (to == c->labels) {
        rc = mw_fail(MW_EINVAL, "components: labels to be kept cannot go to the buffer that they come from: give "
                     "another");
        goto out;
    }
    TRY(need(c, MW_COMPONENTS_SIZES));
    TRY(need_keys(c));
    TRY(mw_buffer_new(c->prim->device, c->count * sizeof(uint32_t), &new_label));
    if (c->count > 0)
        TRY(number_kept(c, at_most_32(least ? least : 1), at_most_32(most), new_label, &count));
    if (c->n > 0)
        LAUNCH(relabel, c->n, c->keys, new_label, to, (uint32_t)c->count);
    *kept = count;
out:
    mw_buffer_free(new_label);
    return rc;
}
/* SPDX-License-Identifier: MIT */

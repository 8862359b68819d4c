/* Builds a range on cores: arcs are scattered into bins, large bins are split again, and each bin is sorted by a
 * work-item. */
#include <stdlib.h>
#include <string.h>

#include "graph/build/builder.h"

#include "graph/build/build_plan.clh"
#include "kernels/graph/build/build.h"

#define PARTS_PER_UNIT 4
#define FEW ((uint64_t)16 << 10) /* so many edges or fewer are one part */
#define TASKS_PER_UNIT 16        /* so that no bin delays the others */
#define STREAMED_BYTES ((size_t)8 << 20)

struct task {
    uint64_t word[TASK_WORDS];
};
struct tasks {
    struct task *task;
    size_t count;
};

struct cores {
    struct mw_graph_job *job;
    const struct mw_graph_range *range;
    struct mw_device *device;
    const struct mw_kernel_set *set;
    struct mw_graph_edges_on on;
    uint64_t words[RANGE_WORDS];
    uint64_t each; /* edges or keys per part */
    size_t rows;   /* parts of all edges */
    size_t bins, key_bytes;
    bool native;
    uint32_t *count; /* per row and bin */
    uint64_t *start;
    struct tasks tasks, large; /* to be sorted, and to be split again */
    struct mw_buffer *plan, *keys[2], *counts, *starts, *largest, *list, *scratch, *found, *heads, *moved, *offsets;
    struct mw_buffer own_heads, own_offsets;
};

static uint64_t parts_of(uint64_t n, uint64_t each) { return each ? (n + each - 1) / each : 0; }

/* Returns the elements per part for n elements. */
static uint64_t share_of(const struct cores *c, uint64_t n)
{
    const uint64_t parts = PARTS_PER_UNIT * c->job->builder->units;
    return n <= FEW ? n : parts_of(n, parts);
}

/* ---- bins ---- */

/* Chooses the number of bins so that each has some thousand arcs and vertices, or the most bins if keys then fit into
 * 32 bits. */
static void choose_bins(struct cores *c)
{
    const struct mw_graph_range *b = c->range;
    const uint64_t much = b->arcs > b->vertices ? b->arcs : b->vertices, last = b->hi - 1;
    uint64_t wanted = 1, shift = 0;
    while (wanted < BUILD_BINS && wanted * (c->job->builder->limits.task_arcs / 2 + 1) < much)
        wanted *= 2;
    if ((last >> 32) - (b->lo >> 32) < BUILD_BINS && (last >> 32) - (b->lo >> 32) >= wanted)
        wanted = BUILD_BINS;
    while ((last >> shift) - (b->lo >> shift) >= wanted)
        shift++;
    mw_graph_plan_words(c->job, b, c->words);
    c->words[RANGE_SHIFT] = shift;
    c->words[RANGE_BASE] = b->lo >> shift << shift;
    c->words[RANGE_BINS] = (last >> shift) - (b->lo >> shift) + 1;
    c->bins = (size_t)c->words[RANGE_BINS];
    c->key_bytes = shift > 32 ? 8 : 4;
}

static int build_cores_make_buffers(struct cores *c)
{
    const struct mw_edges *edges = c->job->edges;
    const uint64_t chunks = parts_of(edges->count, c->job->chunk);
    const size_t arcs = (size_t)c->range->arcs;
    c->each = share_of(c, c->job->chunk);
    c->rows = (size_t)(chunks * parts_of(c->job->chunk, c->each));
    TRY_RETURN(mw_graph_edges_open(c->job, &c->on));
    TRY_RETURN(mw_new(c->rows * c->bins, sizeof *c->count, &c->count));
    TRY_RETURN(mw_new(c->rows * c->bins, sizeof *c->start, &c->start));
    TRY_RETURN(mw_buffer_new(c->device, sizeof c->words, &c->plan));
    TRY_RETURN(mw_buffer_write(c->plan, 0, sizeof c->words, c->words, NULL));
    TRY_RETURN(mw_buffer_new(c->device, arcs * c->key_bytes, &c->keys[0]));
    TRY_RETURN(mw_buffer_new(c->device, c->rows * c->bins * sizeof *c->count, &c->counts));
    TRY_RETURN(mw_buffer_new(c->device, c->rows * c->bins * sizeof *c->start, &c->starts));
    return mw_buffer_new(c->device, c->rows * sizeof(uint32_t), &c->largest);
}

static int count_edges(struct cores *c)
{
    const struct mw_edges *edges = c->job->edges;
    uint32_t *largest = NULL;
    uint64_t row = 0;
    int rc;
    TRY(mw_new(c->rows, sizeof *largest, &largest));
    for (uint64_t e = 0; e < edges->count; e += c->on.count) {
        TRY(mw_graph_edges_load(c->job, &c->on, e));
        const uint64_t parts = parts_of(c->on.count, c->each);
        TRY(launch_build_count(c->set, mw_parts(c->set, parts), c->on.buffer, (int64_t)c->on.count, (int64_t)c->each,
                               (int64_t)row, c->plan, c->counts, c->largest));
        row += parts;
    }
    c->rows = (size_t)row;
    TRY(mw_buffer_read(c->largest, 0, c->rows * sizeof *largest, largest, NULL));
    for (size_t i = 0; i < c->rows; i++)
        if (largest[i] >= edges->vertices) {
            rc = mw_graph_bad_edge(edges);
            goto out;
        }
    TRY(mw_buffer_read(c->counts, 0, c->rows * c->bins * sizeof *c->count, c->count, NULL));
out:
    free(largest);
    return rc;
}

/* Converts the counts of each row's bins to the place where each row begins in each bin, from `begin` on. */
static void scan_counts(struct cores *c, size_t rows, size_t bins, uint64_t begin)
{
    for (size_t d = 0; d < bins; d++)
        for (size_t row = 0; row < rows; row++) {
            c->start[row * bins + d] = begin;
            begin += c->count[row * bins + d];
        }
}

static int scatter_edges(struct cores *c)
{
    const struct mw_edges *edges = c->job->edges;
    const int32_t stream = c->range->arcs * c->key_bytes >= STREAMED_BYTES;
    uint64_t row = 0;
    TRY_RETURN(mw_buffer_write(c->starts, 0, c->rows * c->bins * sizeof *c->start, c->start, NULL));
    for (uint64_t e = 0; e < edges->count; e += c->on.count) {
        TRY_RETURN(mw_graph_edges_load(c->job, &c->on, e));
        const uint64_t parts = parts_of(c->on.count, c->each);
        TRY_RETURN(launch_build_scatter(c->set, mw_parts(c->set, parts), c->on.buffer, (int64_t)c->on.count,
                                        (int64_t)c->each, (int64_t)row, c->plan, c->starts, c->keys[0], stream));
        row += parts;
    }
    return 0;
}

/* ---- tasks ---- */

static int push(struct tasks *tasks, const struct task *task)
{
    TRY_RETURN(mw_grow(tasks->count, sizeof *tasks->task, &tasks->task));
    tasks->task[tasks->count++] = *task;
    return 0;
}

/* Returns the number of arcs above which a bin is split again. */
static uint64_t task_limit(const struct cores *c)
{
    const uint64_t share = c->range->arcs / (TASKS_PER_UNIT * c->job->builder->units);
    const uint64_t least = c->job->builder->limits.task_arcs;
    return least > share ? least : share;
}

/* Returns the first vertex whose keys are all at least `key`. */
static uint64_t vertex_from(const struct cores *c, uint64_t key)
{
    return key == 0 ? 0 : ((key - 1) >> c->job->bits) + 1;
}

static int add_task(struct cores *c, uint64_t lo, uint64_t shift, uint64_t begin, uint64_t count, unsigned side)
{
    const struct mw_graph_range *b = c->range;
    const uint64_t hi = lo + ((uint64_t)1 << shift);
    const struct task task = { { [TASK_LO] = lo,
                                 [TASK_SHIFT] = shift,
                                 [TASK_BEGIN] = begin,
                                 [TASK_COUNT] = count,
                                 [TASK_SIDE] = side,
                                 [TASK_FIRST] = vertex_from(c, lo > b->lo ? lo : b->lo),
                                 [TASK_END] = vertex_from(c, hi < b->hi ? hi : b->hi) } };
    if (count == 0 && task.word[TASK_FIRST] >= task.word[TASK_END])
        return 0;
    return push(count > task_limit(c) && shift > 0 ? &c->large : &c->tasks, &task);
}

static int add_bins(struct cores *c)
{
    const uint64_t shift = c->words[RANGE_SHIFT], base = c->words[RANGE_BASE];
    for (size_t d = 0; d < c->bins; d++) {
        const uint64_t begin = c->start[d], end = d + 1 < c->bins ? c->start[d + 1] : c->range->arcs;
        TRY_RETURN(add_task(c, base + ((uint64_t)d << shift), shift, begin, end - begin, 0));
    }
    return 0;
}

/* Scatters a large bin by its next bits into the other buffer. */
static int split_task(struct cores *c, const struct task *task)
{
    const uint64_t *w = task->word, n = w[TASK_COUNT], begin = w[TASK_BEGIN], each = share_of(c, n);
    const unsigned side = (unsigned)w[TASK_SIDE], other = 1 - side;
    uint64_t shift = 0;
    while ((((uint64_t)1 << w[TASK_SHIFT]) - 1) >> shift >= BUILD_BINS)
        shift++;
    const size_t bins = (size_t)1 << (w[TASK_SHIFT] - shift), rows = (size_t)parts_of(n, each), cells = rows * bins;
    const int32_t stream = n * c->key_bytes >= STREAMED_BYTES;
    TRY_RETURN(launch_build_count_again(c->set, mw_parts(c->set, rows), c->keys[side], (int64_t)begin, (int64_t)n,
                                        (int64_t)each, (uint32_t)shift, (int32_t)bins, c->counts));
    TRY_RETURN(mw_buffer_read(c->counts, 0, cells * sizeof *c->count, c->count, NULL));
    scan_counts(c, rows, bins, begin);
    TRY_RETURN(mw_buffer_write(c->starts, 0, cells * sizeof *c->start, c->start, NULL));
    TRY_RETURN(launch_build_scatter_again(c->set, mw_parts(c->set, rows), c->keys[side], (int64_t)begin, (int64_t)n,
                                          (int64_t)each, (uint32_t)shift, (int32_t)bins, c->starts, c->keys[other],
                                          stream));
    for (size_t d = 0; d < bins; d++) {
        const uint64_t from = c->start[d], end = d + 1 < bins ? c->start[d + 1] : begin + n;
        TRY_RETURN(add_task(c, w[TASK_LO] + ((uint64_t)d << shift), shift, from, end - from, other));
    }
    return 0;
}

/* Makes buffers for splitting bins: the buffers for all edges may be too small. */
static int make_split_buffers(struct cores *c)
{
    const size_t cells = PARTS_PER_UNIT * c->job->builder->units * BUILD_BINS;
    mw_buffer_free(c->counts);
    mw_buffer_free(c->starts);
    free(c->count);
    free(c->start);
    c->counts = c->starts = NULL;
    c->count = NULL;
    c->start = NULL;
    TRY_RETURN(mw_new(cells, sizeof *c->count, &c->count));
    TRY_RETURN(mw_new(cells, sizeof *c->start, &c->start));
    TRY_RETURN(mw_buffer_new(c->device, cells * sizeof *c->count, &c->counts));
    TRY_RETURN(mw_buffer_new(c->device, cells * sizeof *c->start, &c->starts));
    return mw_buffer_new(c->device, (size_t)c->range->arcs * c->key_bytes, &c->keys[1]);
}

static int split_large(struct cores *c)
{
    if (c->large.count > 0)
        TRY_RETURN(make_split_buffers(c));
    while (c->large.count > 0) {
        const struct task task = c->large.task[--c->large.count];
        TRY_RETURN(split_task(c, &task));
    }
    return 0;
}

/* ---- sorting and results ---- */

/* Makes the result buffers. On native devices, heads are written directly to the job's memory, unless some will be
 * removed. */
static int make_results(struct cores *c)
{
    struct mw_graph_job *job = c->job;
    const size_t bytes = (size_t)c->range->arcs * sizeof *job->heads;
    if (c->native) {
        c->own_heads = mw_buffer_borrow(c->device, job->heads + job->arcs, bytes);
        c->own_offsets =
            mw_buffer_borrow(c->device, job->offsets + c->range->first, c->range->vertices * sizeof *job->offsets);
        c->offsets = &c->own_offsets;
        c->moved = &c->own_heads;
    } else {
        TRY_RETURN(mw_buffer_new(c->device, c->range->vertices * sizeof *job->offsets, &c->offsets));
        c->moved = c->keys[0];
    }
    if (c->native && !(job->flags & BUILD_REMOVES))
        c->heads = &c->own_heads;
    else
        TRY_RETURN(mw_buffer_new(c->device, bytes, &c->heads));
    return 0;
}

static int sort_tasks(struct cores *c, size_t items)
{
    const size_t n = c->tasks.count, scratch = c->native ? c->job->builder->units : items;
    uint64_t length = 1;
    for (size_t i = 0; i < n; i++)
        if (c->tasks.task[i].word[TASK_SHIFT] > 0 && c->tasks.task[i].word[TASK_COUNT] > length)
            length = c->tasks.task[i].word[TASK_COUNT];
    length = (length + 15) / 16 * 16;
    TRY_RETURN(mw_buffer_new(c->device, scratch * 2 * (size_t)length * c->key_bytes, &c->scratch));
    TRY_RETURN(mw_buffer_new(c->device, n * sizeof *c->tasks.task, &c->list));
    TRY_RETURN(mw_buffer_new(c->device, n * FOUND_WORDS * sizeof(uint64_t), &c->found));
    TRY_RETURN(mw_buffer_write(c->list, 0, n * sizeof *c->tasks.task, c->tasks.task, NULL));
    TRY_RETURN(mw_buffer_fill(c->found, 0, mw_buffer_bytes(c->found), 0));
    return launch_build_sort(c->set, mw_parts(c->set, items), c->list, (int64_t)n, c->plan, c->keys[0], c->keys[1],
                             c->scratch, (int64_t)length, c->heads, c->offsets, c->found, (int64_t)items);
}

/* Adds up the tasks' counts, and closes the gaps left by removed arcs. */
static int close_gaps(struct cores *c, size_t items)
{
    const size_t n = c->tasks.count, bytes = n * FOUND_WORDS * sizeof(uint64_t);
    uint64_t *found = NULL, kept = 0;
    int rc;
    TRY(mw_new(n * FOUND_WORDS, sizeof *found, &found));
    TRY(mw_buffer_read(c->found, 0, bytes, found, NULL));
    for (size_t i = 0; i < n; i++)
        for (size_t word = 0; word < FOUND_WORDS; word++)
            c->job->found[word] += found[i * FOUND_WORDS + word];
    if (c->job->flags & BUILD_REMOVES) {
        for (size_t i = 0; i < n; i++) {
            c->tasks.task[i].word[TASK_TO] = kept;
            kept += found[i * FOUND_WORDS + FOUND_KEPT];
        }
        TRY(mw_buffer_write(c->list, 0, n * sizeof *c->tasks.task, c->tasks.task, NULL));
        TRY(launch_build_move(c->set, mw_parts(c->set, items), c->list, (int64_t)n, c->plan, c->found, c->heads,
                              c->moved, c->offsets, (int64_t)items));
    } else {
        kept = c->range->arcs;
        c->moved = c->heads;
    }
    if (!c->native) {
        TRY(mw_buffer_read(c->moved, 0, (size_t)kept * sizeof *c->job->heads, c->job->heads + c->job->arcs, NULL));
        TRY(mw_buffer_read(c->offsets, 0, c->range->vertices * sizeof *c->job->offsets,
                           c->job->offsets + c->range->first, NULL));
    }
    c->job->arcs += kept;
out:
    free(found);
    return rc;
}

static int by_place(const void *a, const void *b)
{
    const struct task *left = a, *right = b;
    const uint64_t l = left->word[TASK_LO], r = right->word[TASK_LO];
    return l < r ? -1 : l > r;
}

static void cores_free(struct cores *c)
{
    struct mw_buffer *const buffers[] = { c->plan,    c->keys[0], c->keys[1], c->counts, c->starts,
                                          c->largest, c->list,    c->scratch, c->found };
    for (size_t i = 0; i < MW_COUNT(buffers); i++)
        mw_buffer_free(buffers[i]);
    if (c->heads != &c->own_heads)
        mw_buffer_free(c->heads);
    if (c->offsets != &c->own_offsets)
        mw_buffer_free(c->offsets);
    mw_graph_edges_close(&c->on);
    free(c->count);
    free(c->start);
    free(c->tasks.task);
    free(c->large.task);
}

int mw_graph_cores_range(struct mw_graph_job *job, const struct mw_graph_range *range)
{
    struct cores c = { .job = job, .range = range, .device = job->builder->device };
    size_t items;
    int rc;
    c.native = mw_device_info(c.device)->kind == MW_DEVICE_NATIVE;
    choose_bins(&c);
    TRY(mw_graph_builder_set(job->builder, c.key_bytes == 8 ? MW_BUILD_64 : MW_BUILD_32, &c.set));
    TRY(build_cores_make_buffers(&c));
    TRY(count_edges(&c));
    scan_counts(&c, c.rows, c.bins, 0);
    TRY(scatter_edges(&c));
    TRY(add_bins(&c));
    TRY(split_large(&c));
    /* large bins were split last */
    qsort(c.tasks.task, c.tasks.count, sizeof *c.tasks.task, by_place);
    /* Unused work-items would still need scratch memory. */
    items = PARTS_PER_UNIT * job->builder->units;
    items = c.native || c.tasks.count < items ? c.tasks.count : items;
    TRY(make_results(&c));
    TRY(sort_tasks(&c, items));
    TRY(close_gaps(&c, items));
out:
    cores_free(&c);
    return rc;
}
/* SPDX-License-Identifier: MIT */

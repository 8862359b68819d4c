/* Watts-Strogatz small worlds: targets are drawn and conflicts found on the device (rewire.clh). The few edges that
 * gave way are drawn again on the host, one after the other. */
#include "graph/generate/generate_internal.h"

#include <stdlib.h>
#include <string.h>

#include "graph/generate/rewire.clh"
#include "kernels/graph/generate/generate.h"

#define DRAWS 64               /* attempts per edge before it returns to its place on the ring */
#define WINDOW ((size_t)16384) /* targets of a vertex checked in one launch: drivers limit a work-item's loops */
#define NOWHERE UINT32_MAX
#define SCAN ((size_t)4096) /* edges tested at once for marks */

/* ---- on the device ---- */

struct work {
    struct mw_generation *g;
    struct rewire rewire;
    const struct mw_kernel_set *set;
    struct mw_buffer *targets, *ends;
    uint32_t rows;   /* capacity of `targets` in vertices */
    uint32_t drawn;  /* first vertex of `targets`; NOWHERE: none */
    uint32_t window; /* targets of a vertex checked in one launch */
    size_t chunk;
};

/* Sizes the buffers: targets take at most a fourth of the device's memory. */
static void share_memory(struct work *w)
{
    const struct mw_device_info *info = mw_device_info(w->g->device);
    const uint64_t row = sizeof(uint32_t) * (uint64_t)w->rewire.side;
    uint64_t bytes = info->memory_bytes ? info->memory_bytes / 4 : UINT64_MAX;
    if (info->max_alloc_bytes && info->max_alloc_bytes < bytes)
        bytes = info->max_alloc_bytes;
    if (w->g->chunk)
        bytes = w->g->chunk * sizeof(uint32_t);
    w->rows = bytes / row == 0 ? 1 : bytes / row < w->rewire.n ? (uint32_t)(bytes / row) : w->rewire.n;
    w->window = (uint32_t)(w->g->chunk && w->g->chunk < WINDOW ? w->g->chunk : WINDOW);
    w->chunk = mw_generate_chunk(w->g);
}

static int draw_targets(struct work *w, uint32_t begin, uint32_t end)
{
    const uint64_t count = (uint64_t)(end - begin) * w->rewire.side;
    const uint32_t each = mw_generate_each(w->g, count);
    if (w->drawn != begin)
        TRY_RETURN(launch_generate_targets(w->set, mw_generate_range(count, each), w->targets,
                                           (uint64_t)begin * w->rewire.side, count, each, &w->rewire, w->g->seed));
    w->drawn = begin;
    return 0;
}

/* Checks a chunk of edges against all targets, of as many vertices at a time as fit. */
static int check_chunk(struct work *w, uint64_t first, size_t count)
{
    const uint32_t each = mw_generate_each(w->g, count);
    struct rewire_window s = { .first = 1 };
    for (s.begin = 0; s.begin < w->rewire.n; s.begin = s.end) {
        s.end = w->rewire.n - s.begin > w->rows ? s.begin + w->rows : w->rewire.n;
        TRY_RETURN(draw_targets(w, s.begin, s.end));
        for (s.from = 0; s.from < w->rewire.side; s.from = s.to) {
            s.to = w->rewire.side - s.from > w->window ? s.from + w->window : w->rewire.side;
            TRY_RETURN(launch_generate_ws(w->set, mw_generate_range(count, each), w->ends, first, count, each,
                                          w->targets, &w->rewire, &s, w->g->seed));
            s.first = 0;
        }
    }
    return 0;
}

static int rewire_on_device(struct mw_generation *g, const struct rewire *rewire)
{
    struct work w = { .g = g, .rewire = *rewire, .drawn = NOWHERE };
    const uint64_t all = g->edges->count;
    int rc;
    share_memory(&w);
    TRY(mw_generate_set(g, &w.set));
    TRY(mw_buffer_new(g->device, (size_t)w.rows * rewire->side * sizeof(uint32_t), &w.targets));
    TRY(mw_buffer_new(g->device, 8 * w.chunk, &w.ends));
    for (uint64_t first = 0; first < all; first += w.chunk) {
        const size_t count = all - first < w.chunk ? (size_t)(all - first) : w.chunk;
        TRY(check_chunk(&w, first, count));
        TRY(mw_buffer_read(w.ends, 0, 8 * count, g->edges->ends + 2 * first, NULL));
    }
out:
    mw_buffer_free(w.ends);
    mw_buffer_free(w.targets);
    return rc;
}

/* ---- on the host ---- */

struct ring {
    const struct rewire *rewire;
    uint32_t *ends;
    uint64_t count;
};

/* Finds the marked edges in a range, in increasing order; `list` may be NULL. Returns their number. */
static uint64_t marked_among(const uint32_t *ends, uint64_t first, uint64_t end, uint64_t *list)
{
    uint64_t found = 0;
    for (uint64_t e = first; e < end; e++)
        if (ends[2 * e + 1] & REWIRE_MARK) {
            if (list)
                list[found] = e;
            found++;
        }
    return found;
}

static uint64_t find_marked(const struct ring *r, uint64_t *list)
{
    uint64_t found = 0;
    for (uint64_t first = 0; first < r->count; first += SCAN) {
        const uint64_t end = r->count - first < SCAN ? r->count : first + SCAN;
        uint32_t any = 0;
        for (uint64_t e = first; e < end; e++)
            any |= r->ends[2 * e + 1];
        if (any & REWIRE_MARK)
            found += marked_among(r->ends, first, end, list ? list + found : NULL);
    }
    return found;
}

/* Returns the edge between two vertices, or `count`. */
static uint64_t edge_between(const struct ring *r, uint32_t i, uint32_t t)
{
    const uint64_t side = r->rewire->side, of_i = i * side, of_t = t * side;
    for (uint64_t k = 0; k < side; k++) {
        if (r->ends[2 * (of_i + k) + 1] == t)
            return of_i + k;
        if (r->ends[2 * (of_t + k) + 1] == i)
            return of_t + k;
    }
    return r->count;
}

/* Returns an edge to its place on the ring; an edge that occupies it is reset as well. This ends because places on the
 * ring are distinct. */
static void go_home(const struct ring *r, uint64_t e)
{
    while (e < r->count) {
        const uint32_t i = (uint32_t)(e / r->rewire->side);
        const uint32_t home = rewire_home(i, (uint32_t)(e % r->rewire->side), r->rewire->n);
        const uint64_t other = edge_between(r, i, home);
        r->ends[2 * e + 1] = home;
        e = other;
    }
}

static void draw_again(const struct ring *r, uint64_t e, uint64_t seed)
{
    const uint32_t i = (uint32_t)(e / r->rewire->side);
    const uint32_t home = rewire_home(i, (uint32_t)(e % r->rewire->side), r->rewire->n);
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        const struct philox word = draw_words(e, draw, DRAW_REWIRE_AGAIN, seed);
        const uint32_t t = rewire_target(word.word[0], word.word[1], i, home, r->rewire->n);
        if (edge_between(r, i, t) == r->count) {
            r->ends[2 * e + 1] = t;
            return;
        }
    }
    go_home(r, e);
}

static int settle(const struct ring *r, uint64_t seed)
{
    const uint64_t marked = find_marked(r, NULL);
    uint64_t *list = NULL;
    int rc = 0;
    if (marked == 0)
        goto out;
    TRY(mw_new((size_t)marked, sizeof *list, &list));
    find_marked(r, list);
    for (uint64_t m = 0; m < marked; m++)
        r->ends[2 * list[m] + 1] = NOWHERE;
    for (uint64_t m = 0; m < marked; m++)
        draw_again(r, list[m], seed);
out:
    free(list);
    return rc;
}

int mw_generate_ws(struct mw_generation *g)
{
    const double share = g->values[2] * 4294967296.0 + 0.5;
    const struct rewire rewire = { .n = (uint32_t)g->values[0],
                                   .side = (uint32_t)g->values[1] / 2,
                                   .threshold = share < 4294967295.0 ? (uint32_t)share : UINT32_MAX,
                                   .always = share >= 4294967296.0 };
    const struct ring ring = { &rewire, g->edges->ends, g->edges->count };
    if (g->edges->count == 0)
        return 0;
    if (rewire.threshold == 0)
        return mw_generate_ring(g);
    TRY_RETURN(rewire_on_device(g, &rewire));
    return settle(&ring, g->seed);
}
/* SPDX-License-Identifier: MIT */

/* Generators whose edges are functions of their number: launches by chunk, and their tables. */
#include "graph/generate/generate_internal.h"

#include <stdio.h>

#include "graph/generate/generate.clh"
#include "graph/generate/rewire.clh"
#include "kernels/graph/generate/generate.h"
#include "kernels/native.h"

#define RUN_LEAST 256 /* edges per work-item, on cores */
#define RUN_MOST 4096 /* some drivers end a work-item's loops after 65535 iterations */
#define RUNS 64       /* parts of a chunk per core */
#define TILE_OF_CORES 16
#define CHUNK_OF_CORES ((size_t)1 << 19) /* edges: fit into the caches until they are copied */
#define CHUNK ((size_t)1 << 22)

/* ---- launches ---- */

int mw_generate_set(struct mw_generation *g, const struct mw_kernel_set **set)
{
    char defines[40] = "";
    const struct mw_kernel_options options = { .defines = defines, .native = mw_native_generate };
    if (mw_device_info(g->device)->traits->has_cores)
        snprintf(defines, sizeof defines, "#define TILE %d\n", TILE_OF_CORES);
    if (!g->set)
        TRY_RETURN(mw_kernel_set_new(g->device, &kernels_graph_generate_generate, &options, &g->set));
    *set = g->set;
    return 0;
}

uint32_t mw_generate_each(const struct mw_generation *g, uint64_t count)
{
    const struct mw_device_info *info = mw_device_info(g->device);
    const uint64_t share = count / RUNS / (info->compute_units ? info->compute_units : 1);
    if (!info->traits->has_cores)
        return 1;
    return share < RUN_LEAST ? RUN_LEAST : share > RUN_MOST ? RUN_MOST : (uint32_t)share;
}

struct mw_range mw_generate_range(uint64_t count, uint32_t each)
{
    return mw_items((size_t)(count / each + (count % each != 0)));
}

size_t mw_generate_chunk(const struct mw_generation *g)
{
    const struct mw_device_info *info = mw_device_info(g->device);
    size_t chunk = g->chunk ? g->chunk : info->traits->has_cores ? CHUNK_OF_CORES : CHUNK;
    while (chunk > 1 && ((info->max_alloc_bytes && chunk > info->max_alloc_bytes / 8) ||
                         (info->memory_bytes && chunk > info->memory_bytes / 32)))
        chunk /= 2;
    return chunk < g->edges->count ? chunk : (size_t)g->edges->count;
}

int mw_generate_edges(struct mw_generation *g, mw_generate_launch *launch, const void *context)
{
    const uint64_t all = g->edges->count;
    const size_t most = mw_generate_chunk(g);
    struct mw_edge_chunk c = { .seed = g->seed, .context = context };
    struct mw_buffer *ends = NULL;
    int rc = 0;
    if (all == 0)
        goto out;
    TRY(mw_generate_set(g, &c.set));
    TRY(mw_buffer_new(g->device, 8 * most, &ends));
    c.ends = ends;
    for (; c.first < all; c.first += most) {
        c.count = all - c.first < most ? all - c.first : most;
        c.each = mw_generate_each(g, c.count);
        c.range = mw_generate_range(c.count, c.each);
        TRY(launch(&c));
        TRY(mw_buffer_read(ends, 0, 8 * (size_t)c.count, g->edges->ends + 2 * c.first, NULL));
    }
out:
    mw_buffer_free(ends);
    return rc;
}

int mw_generate_weights(struct mw_device *device, uint64_t seed, size_t chunk, uint32_t most, struct mw_edges *edges)
{
    struct mw_generation g = { .device = device, .seed = seed, .chunk = chunk, .edges = edges };
    const uint64_t all = edges->count;
    const struct mw_kernel_set *set;
    struct mw_buffer *weights = NULL;
    int rc;
    TRY(mw_new((size_t)all, sizeof *edges->weights, &edges->weights));
    if (all == 0)
        goto out;
    chunk = mw_generate_chunk(&g);
    TRY(mw_generate_set(&g, &set));
    TRY(mw_buffer_new(device, sizeof *edges->weights * chunk, &weights));
    for (uint64_t first = 0; first < all; first += chunk) {
        const uint64_t count = all - first < chunk ? all - first : chunk;
        const uint32_t each = mw_generate_each(&g, count);
        TRY(launch_generate_weights(set, mw_generate_range(count, each), weights, first, count, each, most, seed));
        TRY(mw_buffer_read(weights, 0, sizeof *edges->weights * (size_t)count, edges->weights + first, NULL));
    }
out:
    mw_buffer_free(weights);
    mw_kernel_set_free(g.set);
    return rc;
}

/* Parameters of a kernel with a table, which is sent to the device first. */
struct with_table {
    uint32_t number[2];
    struct mw_buffer *table;
};

static int edges_by_table(struct mw_generation *g, mw_generate_launch *launch, const uint32_t *words, size_t count,
                          struct with_table *with)
{
    int rc;
    TRY(mw_buffer_new(g->device, count * sizeof *words, &with->table));
    TRY(mw_buffer_write(with->table, 0, count * sizeof *words, words, NULL));
    TRY(mw_generate_edges(g, launch, with));
out:
    mw_buffer_free(with->table);
    return rc;
}

/* Draws words that are the same for the whole graph. */
static void draw_keys(uint64_t seed, uint32_t *keys, size_t count)
{
    for (size_t k = 0; k < count; k++)
        keys[k] = draw_words(k / 4, 0, DRAW_KEYS, seed).word[k % 4];
}

/* ---- line, ring, grid ---- */

static int launch_line(const struct mw_edge_chunk *c)
{
    return launch_generate_line(c->set, c->range, c->ends, c->first, c->count, c->each);
}

int mw_generate_line(struct mw_generation *g) { return mw_generate_edges(g, launch_line, NULL); }

static int launch_ring(const struct mw_edge_chunk *c)
{
    const double *values = c->context;
    return launch_generate_ring(c->set, c->range, c->ends, c->first, c->count, c->each, (uint32_t)values[0],
                                (uint32_t)values[1] / 2);
}

int mw_generate_ring(struct mw_generation *g) { return mw_generate_edges(g, launch_ring, g->values); }

int mw_generate_grid_links(const double *values, uint32_t links[3])
{
    double vertices = 1.0;
    for (int d = 0; d < 3; d++) {
        vertices *= values[d];
        /* If periodic, a length of 2 would give double edges, and a length of 1 self-loops. */
        links[d] = (uint32_t)values[d] - !(values[3] != 0.0 && values[d] > 2.0);
    }
    if (vertices > (double)MW_VERTICES_MAX)
        return mw_fail(MW_ELIMIT,
                       "grid: %.0f x %.0f x %.0f vertices are too many (at most %zu are supported): use a smaller mesh",
                       values[0], values[1], values[2], MW_VERTICES_MAX);
    return 0;
}

static int launch_grid(const struct mw_edge_chunk *c)
{
    return launch_generate_grid(c->set, c->range, c->ends, c->first, c->count, c->each, c->context);
}

int mw_generate_grid(struct mw_generation *g)
{
    struct grid grid;
    for (int d = 0; d < 3; d++)
        grid.length[d] = (uint32_t)g->values[d];
    TRY_RETURN(mw_generate_grid_links(g->values, grid.links));
    return mw_generate_edges(g, launch_grid, &grid);
}

/* ---- er ---- */

static int launch_er(const struct mw_edge_chunk *c)
{
    const struct with_table *with = c->context;
    return launch_generate_er(c->set, c->range, c->ends, c->first, c->count, c->each, with->number[0], with->table);
}

int mw_generate_er(struct mw_generation *g)
{
    struct with_table with = { .number = { (uint32_t)g->values[0] } };
    uint32_t keys[ER_KEYS];
    draw_keys(g->seed, keys, ER_KEYS);
    return edges_by_table(g, launch_er, keys, ER_KEYS, &with);
}

/* ---- rmat ---- */

/* Computes the probabilities of the cells as parts of 2^32; the largest gets the rounding remainder. */
static void cell_weights(double a, double b, double c, uint64_t weight[RMAT_CELLS])
{
    const double quadrant[4] = { a, b, c, a + b + c < 1.0 ? 1.0 - a - b - c : 0.0 };
    uint64_t left = (uint64_t)1 << 32;
    size_t largest = 0;
    for (size_t cell = 0; cell < RMAT_CELLS; cell++) {
        double share = 4294967296.0;
        for (size_t level = RMAT_LEVELS; level-- > 0;)
            share *= quadrant[(cell >> (level + 4) & 1) << 1 | (cell >> level & 1)];
        weight[cell] = share < (double)left ? (uint64_t)share : left;
        left -= weight[cell];
        largest = weight[cell] > weight[largest] ? cell : largest;
    }
    weight[largest] += left;
}

/* The alias method in integers (Vose 1991): each column has 2^24, filled by its own cell and by one cell that has too
 * much. */
static void alias_table(uint64_t weight[RMAT_CELLS], uint32_t *table)
{
    const uint64_t column = (uint64_t)1 << 24;
    size_t low[RMAT_CELLS], high[RMAT_CELLS], lows = 0, highs = 0;
    for (size_t cell = 0; cell < RMAT_CELLS; cell++)
        if (weight[cell] < column)
            low[lows++] = cell;
        else
            high[highs++] = cell;
    while (lows > 0) {
        const size_t poor = low[--lows], rich = high[highs - 1];
        table[poor] = (uint32_t)(weight[poor] << 8 | rich);
        weight[rich] -= column - weight[poor];
        if (weight[rich] < column) {
            highs--;
            low[lows++] = rich;
        }
    }
    while (highs > 0) {
        const size_t full = high[--highs];
        table[full] = (uint32_t)full;
    }
}

static int launch_rmat(const struct mw_edge_chunk *c)
{
    const struct with_table *with = c->context;
    return launch_generate_rmat(c->set, c->range, c->ends, c->first, c->count, c->each, with->number[0],
                                with->number[1], with->table, c->seed);
}

int mw_generate_rmat(struct mw_generation *g)
{
    struct with_table with = { .number = { (uint32_t)g->values[0], g->values[5] != 0.0 } };
    uint64_t weight[RMAT_CELLS];
    uint32_t table[RMAT_TABLE];
    cell_weights(g->values[2], g->values[3], g->values[4], weight);
    alias_table(weight, table);
    draw_keys(g->seed, table + RMAT_CELLS, 2 * RMAT_ROUNDS);
    for (size_t k = 0; k < RMAT_ROUNDS; k++)
        table[RMAT_CELLS + 2 * k] |= 1; /* factors must be odd */
    return edges_by_table(g, launch_rmat, table, RMAT_TABLE, &with);
}
/* SPDX-License-Identifier: MIT */

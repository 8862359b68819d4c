/* Generators whose edges are functions of their numbers alone: launches, chunk by chunk, and the tables they need. */
#include "graph/generate/generate_internal.h"

#include <stdio.h>

#include "graph/generate/generate.clh"

#define RUN_LEAST 256            /* edges of an item, on cores */
#define RUN_MOST 4096            /* some drivers end an item's loops after 65535 rounds */
#define RUNS 64                  /* shares of a chunk for each core */
#define TILE_OF_CORES 16
#define CHUNK_OF_CORES ((size_t)1 << 19) /* edges: stays in the caches until it is copied */
#define CHUNK ((size_t)1 << 22)

extern const struct mw_native_kernel mw_native_generate[];

/* ---- launches ---- */

int mw_generate_kernel(struct mw_generation *g, const char *name, struct mw_kernel **kernel)
{
    char defines[40] = "";
    const struct mw_source source = { .file = "graph/generate/generate.cl", .defines = defines,
                                      .native = mw_native_generate };
    int rc = 0;
    if (mw_has_cores(mw_device_info(g->device)))
        snprintf(defines, sizeof defines, "#define TILE %d\n", TILE_OF_CORES);
    if (!g->program)
        TRY(mw_program_new(g->device, &source, &g->program));
    TRY(mw_kernel_new(g->program, name, kernel));
out:
    return rc;
}

uint32_t mw_generate_each(const struct mw_generation *g, uint64_t count)
{
    const struct mw_device_info *info = mw_device_info(g->device);
    const uint64_t share = count / RUNS / (info->compute_units ? info->compute_units : 1);
    if (!mw_has_cores(info))
        return 1;
    return share < RUN_LEAST ? RUN_LEAST : share > RUN_MOST ? RUN_MOST : (uint32_t)share;
}

int mw_generate_launch(struct mw_kernel *kernel, uint64_t count, uint32_t each, const struct mw_arg *args,
                       size_t arg_count)
{
    const struct mw_range range = { .dims = 1, .global = { (size_t)(count / each + (count % each != 0)) } };
    return mw_launch(kernel, &range, args, arg_count, NULL);
}

size_t mw_generate_chunk(const struct mw_generation *g)
{
    const struct mw_device_info *info = mw_device_info(g->device);
    size_t chunk = g->chunk ? g->chunk : mw_has_cores(info) ? CHUNK_OF_CORES : CHUNK;
    while (chunk > 1 && ((info->max_alloc_bytes && chunk > info->max_alloc_bytes / 8) ||
                         (info->memory_bytes && chunk > info->memory_bytes / 32)))
        chunk /= 2;
    return chunk < g->edges->count ? chunk : (size_t)g->edges->count;
}

int mw_generate_edges(struct mw_generation *g, const char *name, const struct mw_arg *more, size_t more_count)
{
    const uint64_t all = g->edges->count;
    const size_t chunk = mw_generate_chunk(g);
    struct mw_arg args[4 + MW_GENERATE_MORE_MAX];
    struct mw_kernel *kernel = NULL;
    struct mw_buffer *ends = NULL;
    int rc = 0;
    if (all == 0)
        goto out;
    TRY(mw_generate_kernel(g, name, &kernel));
    TRY(mw_buffer_new(g->device, 8 * chunk, &ends));
    for (size_t i = 0; i < more_count; i++)
        args[4 + i] = more[i];
    for (uint64_t first = 0; first < all; first += chunk) {
        const size_t count = all - first < chunk ? (size_t)(all - first) : chunk;
        const uint32_t each = mw_generate_each(g, count);
        args[0] = mw_arg_buffer(ends);
        args[1] = mw_arg_u64(first);
        args[2] = mw_arg_u64(count);
        args[3] = mw_arg_u32(each);
        TRY(mw_generate_launch(kernel, count, each, args, 4 + more_count));
        TRY(mw_buffer_read(ends, 0, 8 * count, g->edges->ends + 2 * first, NULL));
    }
out:
    mw_buffer_free(ends);
    mw_kernel_free(kernel);
    return rc;
}

/* With a table, which goes to the device first; `more[at]` is its argument. */
static int edges_by_table(struct mw_generation *g, const char *kernel, const uint32_t *table, size_t words,
                          struct mw_arg *more, size_t more_count, size_t at)
{
    struct mw_buffer *buffer = NULL;
    int rc;
    TRY(mw_buffer_new(g->device, words * sizeof *table, &buffer));
    TRY(mw_buffer_write(buffer, 0, words * sizeof *table, table, NULL));
    more[at] = mw_arg_buffer(buffer);
    TRY(mw_generate_edges(g, kernel, more, more_count));
out:
    mw_buffer_free(buffer);
    return rc;
}

/* Words that the seed makes once for a graph. */
static void draw_keys(uint64_t seed, uint32_t *keys, size_t count)
{
    for (size_t k = 0; k < count; k++)
        keys[k] = draw_words(k / 4, 0, DRAW_KEYS, seed).word[k % 4];
}

/* ---- line, ring, grid ---- */

int mw_generate_line(struct mw_generation *g)
{
    return mw_generate_edges(g, "generate_line", NULL, 0);
}

int mw_generate_ring(struct mw_generation *g)
{
    const struct mw_arg more[] = { mw_arg_u32((uint32_t)g->values[0]), mw_arg_u32((uint32_t)g->values[1] / 2) };
    return mw_generate_edges(g, "generate_ring", more, MW_COUNT(more));
}

int mw_generate_grid_links(const double *values, uint32_t links[3])
{
    double vertices = 1.0;
    for (int d = 0; d < 3; d++) {
        vertices *= values[d];
        /* Joined, the ends of a line of two would have two edges, and those of one an edge to itself. */
        links[d] = (uint32_t)values[d] - !(values[3] != 0.0 && values[d] > 2.0);
    }
    if (vertices > (double)MW_VERTICES_MAX)
        return mw_fail(MW_ELIMIT, "grid: %.0f x %.0f x %.0f vertices are more than the %zu that can be numbered: take "
                       "a smaller mesh", values[0], values[1], values[2], MW_VERTICES_MAX);
    return 0;
}

int mw_generate_grid(struct mw_generation *g)
{
    struct grid grid;
    const struct mw_arg more = mw_arg_struct(&grid, sizeof grid);
    int rc;
    for (int d = 0; d < 3; d++)
        grid.length[d] = (uint32_t)g->values[d];
    TRY(mw_generate_grid_links(g->values, grid.links));
    TRY(mw_generate_edges(g, "generate_grid", &more, 1));
out:
    return rc;
}

/* ---- er ---- */

int mw_generate_er(struct mw_generation *g)
{
    struct mw_arg more[] = { mw_arg_u32((uint32_t)g->values[0]), mw_arg_buffer(NULL) };
    uint32_t keys[ER_KEYS];
    draw_keys(g->seed, keys, ER_KEYS);
    return edges_by_table(g, "generate_er", keys, ER_KEYS, more, MW_COUNT(more), 1);
}

/* ---- rmat ---- */

/* The cells' shares of 2^32, in whole numbers that add up to it: what rounding down leaves goes to the largest. */
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

/* The alias method in whole numbers (Vose 1991): each column has 2^24, which its own cell does not fill and a cell with
 * too much fills up. */
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

int mw_generate_rmat(struct mw_generation *g)
{
    struct mw_arg more[] = { mw_arg_u32((uint32_t)g->values[0]), mw_arg_u32(g->values[5] != 0.0), mw_arg_buffer(NULL),
                             mw_arg_u64(g->seed) };
    uint64_t weight[RMAT_CELLS];
    uint32_t table[RMAT_TABLE];
    cell_weights(g->values[2], g->values[3], g->values[4], weight);
    alias_table(weight, table);
    draw_keys(g->seed, table + RMAT_CELLS, 2 * RMAT_ROUNDS);
    for (size_t k = 0; k < RMAT_ROUNDS; k++)
        table[RMAT_CELLS + 2 * k] |= 1; /* factors are odd */
    return edges_by_table(g, "generate_rmat", table, RMAT_TABLE, more, MW_COUNT(more), 2);
}

/* Several steps of bits in one launch (cl/spin/bits_tile.cl), and a cost model that decides when it is faster. */
#include "spin/spin_internal.h"
#include "kernels/spin/bits_tile.h"

enum { GROUP_LEAST = 32, GROUP_MOST = 1024, STEPS = 16, TURNS = 4 };

/* Costs, in updates of a vector of four words on a fully occupied compute unit, measured on an NVIDIA H200:
 * - LAUNCH: from one launch to the next
 * - START: from a launch to its first update
 * - COPY: copy of one vector
 * - UPDATE: minimum time of an update of all tiles on a unit
 * - VECTOR: additional time per vector when there are too few to occupy the unit */
#define LAUNCH 750.0
#define START 350.0
#define COPY 0.1
#define UPDATE 185.0
#define VECTOR 0.6

static double most(double a, double b) { return a > b ? a : b; }
static int64_t over(int64_t a, int64_t b) { return (a - 1) / b + 1; }

static int32_t vectors_of(const struct mw_spin_device *p) { return p->mesh.length[0] / 64 / p->vec; }

/* A vector of four words takes twice as long as one word. */
static double weight_of(const struct mw_spin_device *p) { return (2 + p->vec) / 6.0; }

/* Extra rows of a tile on either side. */
static int32_t edge_cells(const struct mw_spin_device *p, const struct mw_spin_tile *tile)
{
    return tile->rows >= p->mesh.length[1] ? 0 : 2 * tile->steps;
}

/* Cost of one step. */
static double cost_of(const struct mw_spin_device *p, const struct mw_spin_tile *tile)
{
    const unsigned units = mw_device_info(p->device)->compute_units;
    const int64_t groups = (int64_t)p->systems * over(p->mesh.length[1], tile->rows);
    const int64_t each = over(groups, units ? units : 1), fit = GROUP_MOST / (int64_t)tile->group;
    const int64_t together = each < fit ? each : fit;
    const int32_t edge = edge_cells(p, tile);
    double all = START + COPY * 2 * (tile->rows + edge) * vectors_of(p);
    for (int32_t update = 0; update < 2 * tile->steps; update++) {
        const double vectors = weight_of(p) * vectors_of(p) * (tile->rows + (edge ? 2 * update : 0)) * (double)together;
        all += most(UPDATE + VECTOR * vectors, vectors);
    }
    return most(LAUNCH, all * (double)over(each, together)) / tile->steps;
}

static double cost_of_plain(const struct mw_spin_device *p)
{
    const unsigned units = mw_device_info(p->device)->compute_units;
    return 2 * most(LAUNCH, START + weight_of(p) * vectors_of(p) * (double)p->rows / (units ? units : 1));
}

/* Returns whether the tile fits into a work-group's local memory; sets the work-group size. */
static bool tile_fits(const struct mw_spin_device *p, struct mw_spin_tile *tile)
{
    const struct mw_device_info *info = mw_device_info(p->device);
    const int64_t vectors = vectors_of(p), edge = edge_cells(p, tile);
    const int64_t updated = (tile->rows + (edge ? 2 * edge - 2 : 0)) * vectors;
    tile->group = GROUP_LEAST;
    while (tile->group < GROUP_MOST && (int64_t)tile->group < updated)
        tile->group *= 2;
    while (info->max_group && tile->group > info->max_group)
        tile->group /= 2;
    return (uint64_t)(2 * (tile->rows + 2 * edge) * vectors * p->vec) * sizeof(uint32_t) <= info->local_bytes;
}

/* Tries as many tiles as a multiple of the compute units, and a whole system per tile. */
void mw_spin_tile_choose(struct mw_spin_device *p)
{
    const struct mw_device_info *info = mw_device_info(p->device);
    const int64_t units = info->compute_units ? info->compute_units : 1, length = p->mesh.length[1];
    double least = cost_of_plain(p);
    p->tile = (struct mw_spin_tile){ 0 };
    if (info->traits->has_cores || p->mesh.dims != 2 || p->mesh.halo || !BITS_SHAPE_WHOLE(p->shape))
        return;
    for (int64_t turns = 0; turns <= TURNS; turns++)
        for (int32_t steps = 1; steps <= STEPS; steps++) {
            const int64_t tiles = units * turns / (int64_t)p->systems;
            struct mw_spin_tile tile = { (int32_t)(tiles > 1 ? over(length, tiles) : length), steps, 0 };
            if (!tile_fits(p, &tile) || cost_of(p, &tile) >= least)
                continue;
            least = cost_of(p, &tile);
            p->tile = tile;
        }
    mw_log(MW_LOG_INFO, "%s: tiles of %d rows, %d steps per launch", info->id, p->tile.rows, p->tile.steps);
}

int mw_spin_tile_build(struct mw_spin_device *p)
{
    struct mw_kernel_options options = { .group = p->tile.group, .takes = MW_GROUP_ANY };
    struct mw_kernel_set *set = NULL;
    struct mw_text defines = { 0 };
    int rc = 0;
    if (p->tile.steps == 0)
        goto out;
    mw_text_add(&defines,
                "#define VEC %d\n#define BITS_SHAPE %d\n#define BITS_LANES 1\n#define TILE_VECTORS %d\n"
                "#define TILE_LENGTH %d\n#define TILE_ROWS %d\n#define TILE_STEPS %d\n",
                p->vec, p->shape, vectors_of(p), p->mesh.length[1], p->tile.rows, p->tile.steps);
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    TRY(mw_kernel_set_new(p->device, &kernels_spin_bits_tile, &options, &set));
    if (!p->beyond)
        TRY(mw_own_buffer(&p->owner, p->device, p->rows * p->row_bytes, &p->beyond));
    mw_kernel_set_free(p->tiles);
    p->tiles = set;
    set = NULL;
out:
    mw_kernel_set_free(set);
    mw_text_free(&defines);
    return rc;
}

int mw_spin_tile_steps(struct mw_spin_device *p, uint64_t step, uint64_t most_steps, uint64_t *done)
{
    const uint64_t steps = most_steps < (uint64_t)p->tile.steps ? most_steps : (uint64_t)p->tile.steps;
    struct mw_buffer *from = p->cells;
    if (!p->tiles)
        return 0;
    TRY_RETURN(
        launch_bits_tile(p->tiles, mw_parts(p->tiles, p->systems * (size_t)over(p->mesh.length[1], p->tile.rows)), from,
                         p->beyond, p->rule, p->plan, (int32_t)p->rows, (int32_t)steps, p->whole->options.seed, step));
    p->cells = p->beyond;
    p->beyond = from;
    *done = steps;
    return 0;
}
/* SPDX-License-Identifier: MIT */

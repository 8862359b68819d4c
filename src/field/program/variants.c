/* The variants of updates, and their shapes that are worth trying.
 *
 *   fused        one launch per update; each cell recomputes the stages that it reads
 *   staged       one launch per stage, which is stored in memory with ghost cells
 *   rolling      sweeps a strip row by row, in three dimensions slice by slice; rings hold the last rows of fields and
 *                stages, so that a strip computes each once (streaming as in 2.5-D blocking, Nguyen et al. 2010)
 *   temporal     rolling with rings of two levels: two updates per sweep (temporal blocking)
 *   tile         rolling by a work-group, with rings in local memory; blocks of groups overlap by their borders
 *   image        fused, reading images
 *   image-tile   tile, loading images
 *   async        rolling in local memory, with asynchronous copies of rows and double buffers
 *   registers    rolling with rings in registers; work-items exchange edges in local memory; one or several updates
 *                per launch, with blocks that overlap by the border of all updates (overlapped temporal blocking,
 *                Holewinski et al. 2012) */
#include "field/program/program.h"

static const struct {
    struct mw_variant shown;
    struct mw_field_variant is;
} table[] = {
    { { "fused", "computes stages in registers, again wherever one is needed: no memory traffic for stages", NULL },
      { 0 } },
    { { "staged", "writes each stage to memory by a launch of its own: least arithmetic; models with stages", NULL },
      { .staged = true } },
    { { "rolling",
        "computes stages row by row into rings of rows in the cache (Nguyen et al. 2010); 2 or 3 "
        "dimensions, best on CPUs",
        NULL },
      { .ringed = true } },
    { { "temporal",
        "as rolling, two updates per pass over memory; 2 or 3 periodic dimensions, with euler or rk2, best on CPUs",
        NULL },
      { .ringed = true, .temporal = true } },
    { { "tile",
        "as rolling, in tiles of local memory that a work-group shares; 2 or 3 dimensions, devices "
        "with work-groups",
        NULL },
      { .ringed = true, .together = true, .tiled = true } },
    { { "image",
        "as fused, reads fields as images through the texture cache; 2 or more dimensions, devices with images", NULL },
      { .images = true } },
    { { "image-tile", "as tile, fills tiles from images; 2 or 3 dimensions, devices with images", NULL },
      { .ringed = true, .together = true, .tiled = true, .images = true } },
    { { "async",
        "as rolling, copies rows to and from local memory during the computation; 2 or 3 "
        "dimensions, devices with work-groups",
        NULL },
      { .ringed = true, .together = true, .async = true } },
    { { "registers",
        "as rolling in registers, several updates per launch (Holewinski et al. 2012); 1 to 3 "
        "dimensions, devices with work-groups",
        NULL },
      { .ringed = true, .together = true, .registers = true, .draws = true } },
};

/* Integrators, indexed by enum mw_integrator. */
static const struct mw_variant integrators[] = {
    [MW_INTEGRATOR_RK2] = { "rk2", "midpoint method, second order: the default; two evaluations of the rates per step",
                            NULL },
    [MW_INTEGRATOR_EULER] = { "euler", "Euler's method, first order: noise, and fast previews", NULL },
    [MW_INTEGRATOR_RK4] = { "rk4", "classical Runge-Kutta, fourth order: waves, and small errors at a constant step",
                            NULL },
    [MW_INTEGRATOR_BS3] = { "bs3",
                            "Bogacki-Shampine 3(2), chooses its steps: unknown or changing time scales, and usual "
                            "tolerances",
                            NULL },
    [MW_INTEGRATOR_DP5] = { "dp5", "Dormand-Prince 5(4), chooses its steps: smooth solutions and small tolerances",
                            NULL },
    [MW_INTEGRATOR_ETD2] = { "etd2",
                             "exponential time differencing, second order: stiff linear terms, if a "
                             "few per cent suffice",
                             NULL },
    [MW_INTEGRATOR_ETD4] = { "etd4",
                             "exponential time differencing, fourth order: stiff linear terms, such "
                             "as phase separation, stripes and crystals",
                             NULL },
    [MW_INTEGRATOR_STRANG] = { "strang",
                               "Strang splitting, second order: dispersive waves and viscous flows, with "
                               "smaller errors than etd2; moves steady states",
                               NULL },
};

const struct mw_variant *mw_integrators(size_t i) { return i < MW_COUNT(integrators) ? &integrators[i] : NULL; }
const char *mw_integrator_name(int value)
{
    return value >= 0 && (size_t)value < MW_COUNT(integrators) ? integrators[value].name : NULL;
}
MW_ENUM_FIND(integrator, "integrator")
MW_ENUM_NAMES(laplacian, "Laplacian", [MW_LAPLACIAN_SECOND] = "second", [MW_LAPLACIAN_FOURTH] = "fourth",
              [MW_LAPLACIAN_ISOTROPIC] = "isotropic")

const struct mw_variant *mw_field_variants(size_t i) { return i < MW_COUNT(table) ? &table[i].shown : NULL; }

int mw_field_variant(const char *name, struct mw_field_variant *variant)
{
    size_t row;
    TRY_RETURN(mw_variant_find(mw_field_variants, name, &row));
    *variant = table[row].is;
    return 0;
}

enum {
    GPUS = MW_ON_GPUS,
    CORES = MW_ON_CORES,
    ITEMS = MW_ON_GPUS | MW_ON_ACCELERATORS | MW_ON_OTHERS,
    ACCELERATORS = MW_ON_ACCELERATORS,
    LANES = MW_ON_LANES
};

/* On devices with cores, work-items own many cells and form groups of one.  Temporal with steps processes a small mesh
 * as a whole.  On other devices many work-items of one short vector hide latency.  A group of zeros selects the rule's.
 *
 * Registers: each work-item owns `cells` / `vec` rows along x: one, except in three dimensions and in rectangles, which
 * are only for small meshes.  In three dimensions, groups of 34 and 18 items along x own 128 and 64 cells if the radius
 * is at most one vector; usual lengths are multiples.  Strips of 0 rows make whole waves of groups (strips.c).  If the
 * number of concurrent groups is a guess, measuring candidates that differ only in rows is more reliable, and needs no
 * compilation.
 *
 * Tiles are rectangles; in two dimensions strips: groups of one row of items that roll along y.  Vectors of two lanes
 * halve the work of indexing; with four, items of a warp have bank conflicts in local memory.  The first tile is early
 * in the table, so that it is reached within the tuning budget: it is the fastest on large GPUs.
 *
 * CPU lanes as work-items (llvmpipe, six models): variants that keep cells in registers are 3 to 6 times as fast as
 * fused, and long strips of few items faster than rectangles.  In three dimensions they take too long to compile. */
static const struct mw_field_candidate candidates[] = {
    { "temporal", CORES, 2, 0, 1024, 128, { 1, 1 }, 0 },
    { "temporal", CORES, 2, 0, 1024, 128, { 1, 1 }, 16 },
    { "temporal", CORES, 2, 0, 2048, 128, { 1, 1 }, 0 },
    { "temporal", CORES, 2, 0, 512, 128, { 1, 1 }, 0 },
    { "temporal", CORES, 2, 0, 4096, 128, { 1, 1 }, 0 },
    { "temporal", CORES, 2, 0, 1024, 32, { 1, 1 }, 0 },
    { "temporal", CORES, 3, 0, 256, 32, { 1, 1 }, 0 },
    { "temporal", CORES, 3, 0, 64, 32, { 1, 1 }, 16 },
    { "temporal", CORES, 3, 0, 256, 16, { 1, 1 }, 0 },
    { "temporal", CORES, 3, 0, 128, 32, { 1, 1 }, 0 },
    { "temporal", CORES, 3, 0, 128, 16, { 1, 1 }, 0 },
    { "temporal", CORES, 3, 0, 64, 16, { 1, 1 }, 0 },
    { "rolling", CORES, 2, 0, 1024, 128, { 1, 1 }, 0 },
    { "rolling", CORES, 2, 0, 2048, 128, { 1, 1 }, 0 },
    { "rolling", CORES, 2, 0, 512, 128, { 1, 1 }, 0 },
    { "rolling", CORES, 2, 0, 4096, 128, { 1, 1 }, 0 },
    { "rolling", CORES, 2, 0, 1024, 32, { 1, 1 }, 0 },
    { "rolling", CORES, 3, 0, 256, 32, { 1, 1 }, 0 },
    { "rolling", CORES, 3, 0, 256, 16, { 1, 1 }, 0 },
    { "rolling", CORES, 3, 0, 128, 32, { 1, 1 }, 0 },
    { "rolling", CORES, 3, 0, 128, 16, { 1, 1 }, 0 },
    { "rolling", CORES, 3, 0, 64, 16, { 1, 1 }, 0 },
    { "fused", CORES, MW_ANY_DIMS, 0, 0, 16, { 1, 1 }, 0 },
    { "staged", CORES, MW_ANY_DIMS, 0, 0, 16, { 1, 1 }, 0 },

    { "registers", GPUS, 2, 4, 4, 0, { 64, 1 }, 2 },
    { "registers", GPUS, 2, 4, 4, 128, { 64, 1 }, 2 },
    { "registers", GPUS, 2, 4, 4, 256, { 64, 1 }, 2 },
    { "registers", GPUS, 2, 4, 4, 0, { 64, 1 }, 1 },
    { "registers", GPUS, 2, 4, 4, 0, { 64, 1 }, 4 },
    { "registers", GPUS, 2, 4, 4, 256, { 64, 1 }, 4 },
    { "registers", GPUS, 2, 4, 4, 0, { 64, 1 }, 8 },
    { "registers", GPUS, 2, 4, 4, 190, { 64, 1 }, 2 },
    { "registers", GPUS, 2, 4, 4, 380, { 64, 1 }, 2 },
    { "registers", GPUS, 2, 4, 4, 64, { 64, 1 }, 2 },
    { "registers", GPUS, 2, 4, 4, 0, { 64, 1 }, 0 },
    { "registers", GPUS, 2, 4, 16, 1, { 16, 16 }, 4 },
    { "registers", GPUS, 2, 4, 12, 1, { 16, 16 }, 4 },
    { "registers", GPUS, 2, 4, 20, 1, { 16, 16 }, 3 },
    { "registers", GPUS, 2, 4, 16, 1, { 16, 16 }, 6 },
    { "registers", GPUS, 2, 4, 16, 1, { 16, 16 }, 2 },
    { "registers", GPUS, 2, 4, 16, 1, { 16, 16 }, 1 },
    { "registers", GPUS, 2, 4, 8, 1, { 16, 16 }, 2 },
    { "registers", GPUS, 2, 4, 8, 1, { 16, 16 }, 1 },
    { "registers", GPUS, 2, 4, 16, 1, { 12, 12 }, 4 },
    { "registers", GPUS, 1, 4, 4, 1, { 256, 1 }, 16 },
    { "registers", GPUS, 1, 4, 4, 1, { 256, 1 }, 32 },
    { "registers", GPUS, 1, 4, 4, 1, { 256, 1 }, 8 },
    { "registers", GPUS, 1, 4, 4, 1, { 256, 1 }, 64 },
    { "registers", GPUS, 1, 4, 4, 1, { 128, 1 }, 16 },
    { "registers", GPUS, 1, 4, 4, 1, { 128, 1 }, 8 },
    { "registers", GPUS, 1, 4, 4, 1, { 128, 1 }, 4 },
    { "registers", GPUS, 1, 4, 4, 1, { 256, 1 }, 0 },
    { "registers", GPUS, 3, 4, 12, 128, { 34, 5 }, 0 },
    { "registers", GPUS, 3, 4, 8, 64, { 32, 8 }, 0 },
    { "registers", GPUS, 3, 4, 8, 64, { 16, 16 }, 1 },
    { "registers", GPUS, 3, 4, 8, 64, { 18, 14 }, 1 },
    { "registers", GPUS, 3, 4, 8, 64, { 16, 8 }, 1 },
    { "registers", GPUS, 3, 4, 8, 64, { 32, 8 }, 1 },
    { "registers", GPUS, 3, 4, 8, 64, { 16, 16 }, 2 },
    { "registers", GPUS, 3, 4, 8, 64, { 16, 12 }, 0 },
    { "registers", GPUS, 3, 4, 4, 64, { 16, 16 }, 0 },
    { "fused", ITEMS, MW_ANY_DIMS, 1, 1, 1, { 0, 0 }, 0 },
    { "tile", GPUS, 2, 2, 2, 4, { 32, 8 }, 0 },
    { "tile", GPUS, 3, 2, 2, 32, { 16, 16 }, 0 },
    { "fused", ITEMS, MW_ANY_DIMS, 1, 1, 1, { 32, 4 }, 0 },
    { "fused", ITEMS, MW_ANY_DIMS, 1, 1, 4, { 64, 1 }, 0 },
    { "fused", ITEMS, MW_ANY_DIMS, 2, 2, 1, { 32, 4 }, 0 },
    { "fused", ITEMS, MW_ANY_DIMS, 4, 4, 1, { 32, 4 }, 0 },
    { "staged", ITEMS, MW_ANY_DIMS, 1, 1, 1, { 0, 0 }, 0 },
    { "staged", ITEMS, MW_ANY_DIMS, 4, 4, 1, { 32, 4 }, 0 },
    { "tile", GPUS, 2, 2, 2, 64, { 64, 1 }, 0 },
    { "tile", GPUS, 2, 2, 2, 2, { 16, 16 }, 0 },
    { "tile", GPUS, 2, 1, 1, 1, { 16, 16 }, 0 },
    { "tile", GPUS, 3, 1, 1, 32, { 16, 16 }, 0 },
    { "image", GPUS, 2, 1, 1, 1, { 32, 4 }, 0 },
    { "image", GPUS, 3, 1, 1, 1, { 32, 4 }, 0 },
    { "image-tile", GPUS, 2, 1, 2, 4, { 32, 8 }, 0 },
    { "image-tile", GPUS, 3, 1, 2, 32, { 16, 16 }, 0 },
    { "async", ACCELERATORS, 2, 0, 512, 64, { 1, 1 }, 0 },
    { "async", ACCELERATORS, 2, 0, 256, 64, { 1, 1 }, 0 },
    { "async", ACCELERATORS, 2, 0, 512, 64, { 8, 1 }, 0 },
    { "async", ACCELERATORS, 2, 0, 256, 64, { 8, 1 }, 0 },
    { "async", ACCELERATORS, 2, 0, 64, 64, { 1, 1 }, 0 },
    { "async", ACCELERATORS, 3, 0, 128, 8, { 1, 1 }, 0 },
    { "async", ACCELERATORS, 3, 0, 64, 8, { 1, 1 }, 0 },
    { "async", ACCELERATORS, 3, 0, 128, 8, { 8, 1 }, 0 },

    { "registers", LANES, 2, 4, 4, 128, { 32, 1 }, 1 },
    { "registers", LANES, 2, 4, 4, 256, { 32, 1 }, 1 },
    { "registers", LANES, 2, 4, 4, 128, { 24, 1 }, 1 },
    { "registers", LANES, 2, 4, 4, 128, { 32, 1 }, 0 },
    { "registers", LANES, 1, 4, 4, 1, { 32, 1 }, 1 },
    { "staged", LANES, MW_ANY_DIMS, 1, 1, 16, { 32, 1 }, 0 },
    { "staged", LANES, MW_ANY_DIMS, 1, 1, 1, { 0, 0 }, 0 },
    { "fused", LANES, MW_ANY_DIMS, 1, 1, 16, { 32, 1 }, 0 },
    { "fused", LANES, MW_ANY_DIMS, 1, 1, 1, { 0, 0 }, 0 },
    { "tile", LANES, 2, 1, 4, 4, { 8, 4 }, 0 },
};

const struct mw_field_candidate *mw_field_candidate(size_t i)
{
    return i < MW_COUNT(candidates) ? &candidates[i] : NULL;
}
/* SPDX-License-Identifier: MIT */

/* The variants of updates: what each does, and the shapes of it that are worth trying. */
#include "field/program/program.h"

static const struct {
    struct mw_variant shown;
    struct mw_field_variant is;
} table[] = {
    { { "fused", "stages in registers, recomputed where needed; least memory traffic", NULL }, { 0 } },
    { { "staged", "each stage stored in memory by its own launch; least arithmetic", NULL }, { .staged = true } },
    { { "rolling", "stages row by row in rings of rows that stay in the cache; for CPUs", NULL }, { .ringed = true } },
    { { "temporal", "as rolling, through two updates at once; half its memory traffic; for CPUs", NULL },
      { .ringed = true, .temporal = true } },
    { { "tile", "fields and stages in tiles of local memory, filled by the work-group; for GPUs", NULL },
      { .ringed = true, .together = true, .tiled = true } },
    { { "image", "as fused, with fields read through images and their cache; for GPUs", NULL }, { .images = true } },
    { { "image-tile", "as tile, with tiles filled from images; for GPUs", NULL },
      { .ringed = true, .together = true, .tiled = true, .images = true } },
    { { "async", "as rolling, with rows copied to and from local memory during the computation; for accelerators",
        NULL },
      { .ringed = true, .together = true, .async = true } },
    { { "registers", "as rolling, in registers, several updates per launch, edges in local memory; for GPUs", NULL },
      { .ringed = true, .together = true, .registers = true, .draws = true } },
};

MW_ENUM_NAMES(integrator,
              "integrator", [MW_INTEGRATOR_RK2] = "rk2", [MW_INTEGRATOR_EULER] = "euler", [MW_INTEGRATOR_RK4] = "rk4")
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

/* On processors with large caches and explicit vectors an item owns many cells, and a group is one item; with steps,
 * the whole of a small mesh.  Elsewhere many items hide latency, of one vector of few lanes each.  A group of zeros is
 * the rule's.
 *
 * In registers rows of cells along x are `cells` / `vec`: one, but in space and in rectangles, which small meshes alone
 * are cut into.  In space 34 and 18 items along x leave 128 and 64 cells of their own where no more than a vector to
 * either side is looked at, and usual lengths are multiples of that.  Strips of 0 rows fill a device with whole waves
 * of groups (strips.c); where it had to guess how many groups there are at once, measuring says it better, and costs no
 * compiling.
 *
 * Tiles are rectangles, and in the plane strips: groups of a row of items that roll along y.  Two lanes halve the work
 * of finding cells; with four, items of a warp meet in the banks of local memory.  The first of them comes early, so
 * that it is reached in a second's tuning: on large GPUs it is the fastest.
 *
 * Where lanes load one by one, what keeps cells in registers is 3 to 6 times as fast as fused, and long strips of few
 * items are better than rectangles (llvmpipe, six models); in space compilers do not come to an end with that. */
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

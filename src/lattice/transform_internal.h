/* Transforms: what plan.c, plan_macros.c and transform.c share. */
#ifndef MW_TRANSFORM_INTERNAL_H
#define MW_TRANSFORM_INTERNAL_H

#include <meshwork/transform.h>

#include "lattice/map_internal.h"

/* A loop over the cells of a result: its length, its strides in source and result, or a table of contributions to the
 * source index (the map's). */
struct mw_loop { size_t length; int64_t stride, to; const int64_t *table; };

/* A map as few loops, fastest first, made ready for one kind of kernel. */
struct mw_plan {
    size_t cells, source_cells, element_bytes;
    unsigned loops;
    struct mw_loop loop[MW_AXES_MAX];
    int64_t from, to;            /* source and result index of cell 0 */
    unsigned runs, streams;      /* rows: parts that loop[0] is known to have; 0: to be found in its table */
    int64_t part[32];            /* the runs, or the starts of the streams */
    size_t tile[2];
    size_t group;                /* items of a work-group, a power of two, where they share local memory */
    int64_t count;               /* segments of rows, tiles, cells or work-groups */
    size_t unit_bytes;           /* of the result, in one of those */
    int64_t *word;               /* as kernels read it (cl/lattice/plan.clh); owned */
    size_t words, capacity;
    size_t stream_bytes;         /* source and result together, from which on results are written past the caches */
};

/* The map's loops; the map stays until the plan is written.  The plan is valid, and to be freed, after any result. */
void mw_plan_make(const struct mw_map *map, size_t element_bytes, struct mw_plan *plan);
void mw_plan_free(struct mw_plan *plan);
/* The loop along which the source is contiguous, if it is not the result's own (loop 0) and that is no table: then the
 * map is a transposition, which tiles suit.  0: there is none. */
unsigned mw_plan_source_loop(const struct mw_plan *plan);
/* The row's greatest stride that vectors pick, and the length from which a loop is worth a tile. */
enum { MW_PLAN_PICKED = 8, MW_PLAN_TILED = 16 };
/* Prepares the plan for rows, tiles, single cells, or work-groups of plan->group items that turn blocks of rows round
 * or transpose tiles, and writes its words.  `stream`: results larger than caches are written past them.  Errors:
 * MW_ENOMEM. */
int mw_plan_rows(struct mw_plan *plan, bool stream);
int mw_plan_tiles(struct mw_plan *plan, bool stream);
int mw_plan_points(struct mw_plan *plan, bool stream);
int mw_plan_blocks(struct mw_plan *plan, bool stream);
int mw_plan_local(struct mw_plan *plan, bool stream);
/* Whether a GPU gains from the latter: not where a tile would stay half empty, nor where all that is transposed is
 * smaller than half a tile, so that caches hold it (measured on an H200). */
bool mw_plan_suits_local(const struct mw_plan *plan);
/* Cells that an item of a GPU has under way at a time, so that memory is busy. */
size_t mw_plan_at_once(size_t element_bytes);

/* Of a plan written for single cells.  Whether doing it twice changes nothing: found from the axes where each of them
 * changes places with another, up to its direction; else looked up, a few nanoseconds a cell. */
bool mw_plan_is_involution(const struct mw_plan *plan);

/* The macros by which cl/lattice/plan.clh knows a written plan that has cells: INDEX_64 where source or result need it,
 * FIXED_CELLS, FIXED_FROM, FIXED_TO, FIXED_EACH, FIXED_LAST, and TILE_0, TILE_1, GROUP where it has groups.
 * Errors: MW_ENOMEM. */
int mw_plan_macros(const struct mw_plan *plan, struct mw_text *macros);

/* mw_transform_new with other limits than the usual ones: for tests. */
struct mw_transform_limits { size_t stream_bytes; };
int mw_transform_new_within(struct mw_device *device, const struct mw_map *map, size_t element_bytes,
                            const char *variant, const struct mw_transform_limits *limits,
                            struct mw_transform **transform);

#endif
/* SPDX-License-Identifier: MIT */

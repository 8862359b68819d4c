/* Transforms: declarations shared by plan.c, parts.c and transform.c.  Internal. */
#ifndef MW_TRANSFORM_INTERNAL_H
#define MW_TRANSFORM_INTERNAL_H

#include <meshwork/transform.h>

#include "lattice/map_internal.h"

/* A loop over cells of the result: its length, and its strides in source and result.  With a table (owned by the map)
 * its entries replace the stride in the source. */
struct mw_loop {
    size_t length;
    int64_t stride, to;
    const int64_t *table;
};

/* A map as few loops, fastest first, prepared for one kind of kernel. */
struct mw_plan {
    const struct mw_map *map;                  /* its loops and operations; valid until the words are written */
    size_t cells, source_cells, element_bytes; /* of result and source; size of an element */
    unsigned loops;
    struct mw_loop loop[MW_AXES_MAX];
    int64_t from, to;       /* source and result index of cell 0 */
    unsigned runs, streams; /* for rows: parts of loop[0]; 0: to be found in its table */
    int64_t part[32];       /* the runs, or the starts of the streams */
    size_t tile[2];         /* lengths of a tile, for tiles and work-groups */
    size_t group;           /* work-items per work-group, a power of two, if they share local memory */
    int64_t count;          /* segments of rows, tiles, cells or work-groups */
    size_t unit_bytes;      /* bytes of the result per segment, tile, cell or work-group */
    int64_t *word;          /* the plan as kernels read it (cl/lattice/plan.clh); owned */
    size_t words, capacity; /* number of `word`, and room */
    size_t stream_bytes;    /* size of source and result from which on results bypass the caches */
};

/* Makes a plan with the loops of a map, which must remain valid until the plan's words are written.  The plan must be
 * freed, even after an error of a later call. */
void mw_plan_make(const struct mw_map *map, size_t element_bytes, struct mw_plan *plan);
void mw_plan_free(struct mw_plan *plan);
/* Returns the loop along which the source is contiguous, if it is not loop 0 and loop 0 has no table.  The map is then
 * a transposition, for which tiles are suited.  Otherwise returns 0. */
unsigned mw_plan_source_loop(const struct mw_plan *plan);
enum {
    MW_PLAN_PICKED = 8, /* largest stride at which vectors pick elements of a row */
    MW_PLAN_TILED = 16  /* smallest length of a loop for which tiles are faster */
};
/* Prepares a plan for the kernel that copies rows, and writes its words.  `stream`: results larger than caches bypass
 * them.  Errors: MW_ENOMEM. */
int mw_plan_rows(struct mw_plan *plan, bool stream);
/* Prepares a plan for the kernel that transposes tiles, one per work-item, as mw_plan_rows does for rows. */
int mw_plan_tiles(struct mw_plan *plan, bool stream);
/* Prepares a plan for the kernel that copies single cells.  `stream` is ignored.  Errors: MW_ENOMEM. */
int mw_plan_points(struct mw_plan *plan, bool stream);
/* Prepares a plan for work-groups of plan->group items that reverse blocks of rows.  `stream` is ignored.
 * Errors: MW_ENOMEM. */
int mw_plan_blocks(struct mw_plan *plan, bool stream);
/* Prepares a plan for work-groups of plan->group items that transpose tiles in local memory.  `stream` is ignored.
 * Errors: MW_ENOMEM. */
int mw_plan_local(struct mw_plan *plan, bool stream);
/* Returns whether mw_plan_local is faster on a GPU. It is not if a tile would be half empty.  It is not if the
 * transposed data are smaller than half a tile, and so stay in caches (measured on an H200). */
bool mw_plan_suits_local(const struct mw_plan *plan);
/* Returns the cells that a work-item of a GPU loads at once, to keep memory busy. */
size_t mw_plan_at_once(size_t element_bytes);

/* Returns whether a plan for single cells is its own inverse.  This is derived from the axes if each exchanges places
 * with another; otherwise all cells are checked, at a few nanoseconds per cell. */
bool mw_plan_is_involution(const struct mw_plan *plan);

/* Appends the macros that describe a plan with cells to cl/lattice/plan.clh.  These are INDEX_64 if source or result
 * need it, FIXED_CELLS, FIXED_FROM, FIXED_TO, FIXED_EACH, FIXED_LAST; with work-groups also TILE_0, TILE_1, GROUP.
 * Errors: MW_ENOMEM. */
int mw_plan_macros(const struct mw_plan *plan, struct mw_text *macros);

/* cells.c: maps that are only flips, shifts, crinkles and uncrinkles, as variants lengths, powers and plane need them.
 * Returns whether a plan is of such a map: of any lengths; with lengths and steps that are powers of two; in two
 * dimensions. */
bool mw_plan_moves_cells(const struct mw_plan *plan);
bool mw_plan_moves_bits(const struct mw_plan *plan);
bool mw_plan_moves_plane(const struct mw_plan *plan);
/* Prepares such a plan for cl/lattice/cells.cl, on native devices. `stream` is ignored.  Errors: MW_ENOMEM. */
int mw_plan_cells(struct mw_plan *plan, bool stream);
/* Appends the macros that describe such a plan to cl/lattice/cells.cl on other devices.  Errors: MW_ENOMEM. */
int mw_cell_macros(const struct mw_plan *plan, struct mw_text *macros);

/* Limits that tests change. */
struct mw_transform_limits {
    size_t stream_bytes; /* see struct mw_plan */
};
/* Makes a transform as mw_transform_new does, with other limits, for tests. */
int mw_transform_new_within(struct mw_device *const *devices, size_t count, const struct mw_map *map,
                            size_t element_bytes, const char *variant, const struct mw_transform_limits *limits,
                            struct mw_transform **transform);

/* ---- parts.c: transforms on several devices ---- */

/* The parts of a transform. */
struct mw_transform_parts;
/* Returns the number of parts of a map's result: one per device, but at most one per slab, and at least one. */
size_t mw_transform_part_count(const struct mw_map *map, size_t devices);
/* Makes a part for each of the first `count` devices. */
int mw_transform_parts_new(struct mw_device *const *devices, size_t count, const struct mw_map *map,
                           size_t element_bytes, const char *variant, struct mw_transform_parts **parts);
void mw_transform_parts_free(struct mw_transform_parts *parts);
/* Returns the variant of the first part. */
const char *mw_transform_parts_variant(const struct mw_transform_parts *parts);
/* Transforms a buffer of the first device into another one; waits. */
int mw_transform_parts_run(struct mw_transform_parts *parts, struct mw_buffer *from, struct mw_buffer *to,
                           const void *fill);
/* Transforms an array in host memory, with a fill value of zero.  `seconds` is as for mw_transform_array. */
int mw_transform_parts_array(struct mw_transform_parts *parts, const void *from, void *to, double *seconds);

#endif
/* SPDX-License-Identifier: MIT */

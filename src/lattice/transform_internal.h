/* Transforms: what plan.c, transform.c and the native kernels share. */
#ifndef MW_TRANSFORM_INTERNAL_H
#define MW_TRANSFORM_INTERNAL_H

#include "lattice/map_internal.h"

/* The native kernels, by element size 1, 2, 4, 8, 16 (native-BYTES.c from native.inc). */
extern const struct mw_native_kernel mw_native_transform_1[], mw_native_transform_2[], mw_native_transform_4[],
    mw_native_transform_8[], mw_native_transform_16[];

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
    int64_t count;               /* segments of rows, tiles or cells */
    size_t unit_bytes;           /* of the result, in one of those */
    int64_t *word;               /* as kernels read it (cl/lattice/plan.clh); owned */
    size_t words, room;
};

/* The map's loops; the map stays until the plan is written.  The plan is valid, and to be freed, after any result. */
void mw_plan_make(const struct mw_map *map, size_t element_bytes, struct mw_plan *plan);
void mw_plan_free(struct mw_plan *plan);
/* The loop along which the source is contiguous, if it is not the result's own (loop 0) and that is no table: then the
 * map is a transposition, which tiles suit.  0: there is none. */
unsigned mw_plan_source_loop(const struct mw_plan *plan);
/* The row's greatest stride that vectors pick, and the length from which a loop is worth a tile. */
enum { MW_PLAN_PICKED = 8, MW_PLAN_TILED = 16 };
/* Prepares the plan for rows, tiles or single cells, and writes its words.  `stream`: results larger than caches are
 * written past them, source and result together from mw_plan_stream_bytes on (tests change it).
 * Errors: MW_ENOMEM. */
extern size_t mw_plan_stream_bytes;
int mw_plan_rows(struct mw_plan *plan, bool stream);
int mw_plan_tiles(struct mw_plan *plan, bool stream);
int mw_plan_points(struct mw_plan *plan, bool stream);

#endif

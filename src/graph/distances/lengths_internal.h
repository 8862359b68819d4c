/* What the variants of distances between all vertices share.  Internal. */
#ifndef MW_GRAPH_LENGTHS_INTERNAL_H
#define MW_GRAPH_LENGTHS_INTERNAL_H

#include "graph/distances/distances_internal.h"

__extension__ typedef __int128 mw_i128;

/* What one thread has found. */
struct mw_length_tally { uint64_t pairs; mw_i128 sum; int64_t longest; };

struct mw_length_job {
    struct mw_distance_job search;   /* of the whole; `from` and `distance` are each thread's own */
    struct mw_length_tally *tally;   /* of each thread of search.executor */
    struct mw_graph_lengths *found;
};

/* The distances of all vertices from one of them, MW_NO_DISTANCE where there is no path; for several threads. */
void mw_length_add(struct mw_length_job *job, unsigned worker, uint32_t from, const int64_t *distance);

struct mw_length_variant {
    const char *(*refuses)(const struct mw_length_job *job);
    int (*run)(struct mw_length_job *job);
};
/* each.c, tiles.c. */
extern const struct mw_length_variant mw_length_tiles, mw_length_delta, mw_length_piles, mw_length_dijkstra;

/* ---- piles.c: searches one after the other ---- */

struct mw_piles;
int mw_piles_new(const struct mw_distance_job *job, struct mw_piles **piles);
/* From job->from. */
int mw_piles_search(struct mw_distance_job *job, struct mw_piles *piles);
void mw_piles_free(struct mw_piles *piles);

#endif

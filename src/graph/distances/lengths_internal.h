/* What the variants of distances between all vertices share.  Internal. */
#ifndef MW_GRAPH_LENGTHS_INTERNAL_H
#define MW_GRAPH_LENGTHS_INTERNAL_H

#include "graph/distances/distances_internal.h"
#include "graph/targets/targets.h"

/* What one thread has found.  Of each vertex, NULL unless wanted: the targets that it reaches, the longest distance to
 * one of them, their sum. */
struct mw_length_tally {
    bool any;
    int64_t longest;
    uint32_t *reached;
    int64_t *farthest;
    mw_i128 *near;
};

struct mw_length_job {
    const struct mw_graph *graph;
    const struct mw_graph *searched; /* from the targets: of a directed graph `made`, which is turned round */
    struct mw_graph made;
    struct mw_graph_lengths_options options;
    struct mw_targets targets;
    size_t share_count;
    struct mw_length_share *share;
};

/* One device at work. */
struct mw_length_share {
    struct mw_target_share share;
    struct mw_length_job *of;
    const struct mw_length_variant *variant;
    const char *name;                /* of the variant */
    struct mw_distance_job search;   /* of the whole; `from` and `distance` are each search's own */
    struct mw_length_tally *tally;   /* of each thread of search.executor */
    pthread_mutex_t lock;            /* of the groups of targets */
    void *state;                     /* the variant's own */
};

/* The distances of all vertices from target number `target`, MW_NO_DISTANCE where there is no path; for several
 * threads. */
void mw_length_add(struct mw_length_share *share, unsigned worker, size_t target, const int64_t *distance);
/* The next rows, where they are wanted. */
static inline int mw_length_give(struct mw_length_share *share, size_t first, size_t count, const int64_t *distances)
{
    struct mw_target_rows *rows = share->of->targets.rows;
    return rows ? mw_target_rows_give(rows, first, count, distances) : 0;
}

/* A variant: one row of a table.  `refuses` gives the reason why it cannot work on a share's device as the end of a
 * sentence, or NULL; the others are as those of struct mw_target_calls. */
struct mw_length_variant {
    const char *(*refuses)(const struct mw_length_share *share);
    int (*make)(struct mw_length_share *share, size_t *at_once);
    int (*run)(struct mw_length_share *share, size_t first, size_t count);
    void (*drop)(struct mw_length_share *share);
};
/* each.c, tiles.c. */
extern const struct mw_length_variant mw_length_tiles, mw_length_delta, mw_length_piles, mw_length_dijkstra,
    mw_length_rounds;

/* tiles.c: whether a device has room for the matrix. */
bool mw_tiles_fit(const struct mw_distance_job *job);

/* choose.c: the number of the variant in the table of lengths.c that a share's device is for. */
enum mw_length_number { MW_LENGTH_TILES, MW_LENGTH_DELTA, MW_LENGTH_PILES, MW_LENGTH_DIJKSTRA, MW_LENGTH_ROUNDS };
enum mw_length_number mw_length_choose(const struct mw_length_share *share);

/* ---- searches one after the other, which keep what they have on the device: piles.c, rounds.c ---- */

int mw_piles_new(const struct mw_distance_job *job, void **search);
int mw_piles_search(struct mw_distance_job *job, void *search); /* from job->from */
void mw_piles_free(void *search);
int mw_rounds_search_new(const struct mw_distance_job *job, void **search);
int mw_rounds_search_from(struct mw_distance_job *job, void *search);
void mw_rounds_search_free(void *search);

#endif
/* SPDX-License-Identifier: MIT */

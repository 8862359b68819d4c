/* Shared by the variants of weighted distances between all vertices. Internal. */
#ifndef MW_GRAPH_LENGTHS_INTERNAL_H
#define MW_GRAPH_LENGTHS_INTERNAL_H

#include "graph/distances/distances_internal.h"
#include "graph/targets/targets.h"

/* Results of one thread. Per vertex, unless NULL: the number of targets that it reaches, the longest distance to one,
 * and the sum of these distances. */
struct mw_length_tally {
    bool any;
    int64_t longest;
    uint32_t *reached;
    int64_t *farthest;
    mw_i128 *near;
};

struct mw_length_job {
    const struct mw_graph *graph;
    const struct mw_graph *searched; /* searched from the targets: the reversed graph `made` if directed */
    struct mw_graph made;
    struct mw_graph_lengths_options options;
    struct mw_targets targets;
    size_t share_count;
    struct mw_length_share *share;
};

/* One device's share. */
struct mw_length_share {
    struct mw_target_share share;
    struct mw_length_job *of;
    const struct mw_length_variant *variant;
    const char *name;              /* the variant's name */
    struct mw_distance_job search; /* template of a search, which sets `from` and `distance` */
    struct mw_length_tally *tally; /* per thread of search.executor */
    pthread_mutex_t lock;          /* protects the groups of targets */
    void *state;                   /* the variant's own state */
};

/* Adds the distances of all vertices from target number `target` (MW_NO_DISTANCE: no path). Thread-safe for different
 * workers. */
void mw_length_add(struct mw_length_share *share, unsigned worker, size_t target, const int64_t *distance);
/* Passes on the next rows, if rows are wanted. */
static inline int mw_length_give(struct mw_length_share *share, size_t first, size_t count, const int64_t *distances)
{
    struct mw_target_rows *rows = share->of->targets.rows;
    return rows ? mw_target_rows_give(rows, first, count, distances) : 0;
}

/* A variant: one row of a table. `refuses` returns NULL, or why the variant cannot use the share's device, as the end
 * of a sentence. The others are as in struct mw_target_calls. */
struct mw_length_variant {
    const char *(*refuses)(const struct mw_length_share *share);
    int (*make)(struct mw_length_share *share, size_t *at_once);
    int (*run)(struct mw_length_share *share, size_t first, size_t count);
    void (*drop)(struct mw_length_share *share);
};
/* each.c, tiles.c. */
extern const struct mw_length_variant mw_length_tiles, mw_length_delta, mw_length_near_far, mw_length_dijkstra,
    mw_length_rounds;

/* tiles.c: returns whether the matrix fits into the device's memory. */
bool mw_tiles_fit(const struct mw_distance_job *job);

/* choose.c: returns the best variant for a share's device, as its number in the table of lengths.c. */
enum mw_length_number { MW_LENGTH_TILES, MW_LENGTH_DELTA, MW_LENGTH_NEAR_FAR, MW_LENGTH_DIJKSTRA, MW_LENGTH_ROUNDS };
enum mw_length_number mw_length_choose(const struct mw_length_share *share);

/* ---- repeated searches that keep their buffers: near_far.c, rounds.c ---- */

int mw_near_far_new(const struct mw_distance_job *job, void **search);
int mw_near_far_search(struct mw_distance_job *job, void *search); /* from job->from */
void mw_near_far_free(void *search);
int mw_rounds_search_new(const struct mw_distance_job *job, void **search);
int mw_rounds_search_from(struct mw_distance_job *job, void *search);
void mw_rounds_search_free(void *search);

#endif
/* SPDX-License-Identifier: MIT */

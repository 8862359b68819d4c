/* What searches for distances between all vertices share, by numbers of arcs and by weights: the targets, which devices
 * take from one counter, what was found for groups of them, and distances as rows of a matrix.  Internal. */
#ifndef MW_GRAPH_TARGETS_H
#define MW_GRAPH_TARGETS_H

#include <pthread.h>
#include <stdatomic.h>

#include "graph/graph_internal.h"

__extension__ typedef __int128 mw_i128;

/* Targets that follow each other and are counted together, so that there is an interval for the mean of a sample; how
 * many groups it takes; and as many targets as a device takes at least. */
enum { MW_TARGET_GROUP = 8, MW_TARGET_GROUPS_LEAST = 16, MW_TARGET_TURN = 64 };
struct mw_target_group { uint64_t pairs; mw_i128 sum; };

struct mw_targets {
    const uint32_t *list;
    size_t count;
    uint32_t *all;               /* where all vertices are targets, which then are the list */
    struct mw_target_group *group; /* by target / MW_TARGET_GROUP: each is one device's to write */
    atomic_size_t next;          /* the first target that no device has taken yet */
    size_t shares;
    struct mw_target_rows *rows; /* NULL unless wanted */
    void (*progress)(void *context, uint64_t taken, uint64_t targets);
    void *progress_context;
};
/* `given` NULL: all vertices.  MW_EINVAL: a target that is no vertex.  What is zero is legal to be dropped. */
int mw_targets_make(const struct mw_graph *graph, const uint32_t *given, size_t count, struct mw_targets *targets);
void mw_targets_drop(struct mw_targets *targets);
/* Pairs of a target, and the sum of their distances. */
static inline void mw_target_add(struct mw_targets *targets, size_t target, uint64_t pairs, mw_i128 sum)
{
    targets->group[target / MW_TARGET_GROUP].pairs += pairs;
    targets->group[target / MW_TARGET_GROUP].sum += sum;
}

/* All groups together; as struct mw_graph_paths has it. */
struct mw_target_sums { uint64_t pairs, unreachable; mw_i128 sum; double mean, half_width; };
struct mw_target_sums mw_targets_sum(const struct mw_targets *targets, size_t vertices);

/* ---- several devices: shares.c ---- */

/* One device's part, with which the struct of its variant's own begins.  `make` and `drop` are about one share, `drop`
 * also after a make that failed half-way; `make` leaves nothing to be compiled later, and says how many targets `run`
 * takes at once, all or a multiple of MW_TARGET_TURN.  `finish` is called once behind the last run. */
struct mw_target_share { struct mw_targets *of; size_t at_once; };
struct mw_target_calls {
    int (*make)(void *share, size_t *at_once);
    int (*run)(void *share, size_t first, size_t count);
    int (*finish)(void *share);
    void (*drop)(void *share);
};
/* `count` shares of `size` bytes each; *began: when all were made. */
int mw_targets_run(struct mw_targets *targets, void *shares, size_t size, size_t count,
                   const struct mw_target_calls *calls, double *began);

/* ---- rows: rows.c ---- */

/* Who takes distances as rows, in order of their sources. */
struct mw_target_rows {
    int (*give)(void *context, size_t first, size_t count, const void *distances);
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t taken;
    size_t next;                 /* source whose turn it is */
    bool failed;
};
#define MW_TARGET_ROWS(give, context)                                                                                \
    { (give), (context), PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false }
/* Gives rows from source number `first` on, when those before are taken. */
int mw_target_rows_give(struct mw_target_rows *rows, size_t first, size_t count, const void *distances);

#endif
/* SPDX-License-Identifier: MIT */

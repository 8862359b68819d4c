/* Shared by searches for distances between all vertices, weighted or not: targets that devices take from a shared
 * counter, sums per group of targets, and distances as rows of a matrix. Internal. */
#ifndef MW_GRAPH_TARGETS_H
#define MW_GRAPH_TARGETS_H

#include <pthread.h>
#include <stdatomic.h>

#include "graph/graph_internal.h"

__extension__ typedef __int128 mw_i128;

/* Consecutive targets that are counted together, to estimate the error of a sample's mean; the fewest groups for that;
 * the fewest targets that a device takes. */
enum { MW_TARGET_GROUP = 8, MW_TARGET_GROUPS_LEAST = 16, MW_TARGET_TURN = 64 };
struct mw_target_group {
    uint64_t pairs;
    mw_i128 sum;
};

struct mw_targets {
    const uint32_t *list;
    size_t count;
    uint32_t *all;                 /* the list of all vertices, if these are the targets */
    struct mw_target_group *group; /* by target / MW_TARGET_GROUP; each is written by one device only */
    atomic_size_t next;            /* first target not yet taken */
    size_t shares;
    struct mw_target_rows *rows; /* NULL unless wanted */
};
/* Makes the targets; `given` NULL: all vertices. MW_EINVAL: a target is not a vertex. mw_targets_drop accepts a zeroed
 * struct. */
int mw_targets_make(const struct mw_graph *graph, const uint32_t *given, size_t count, struct mw_targets *targets);
void mw_targets_drop(struct mw_targets *targets);
/* Adds pairs of a target, and the sum of their distances. */
static inline void mw_target_add(struct mw_targets *targets, size_t target, uint64_t pairs, mw_i128 sum)
{
    targets->group[target / MW_TARGET_GROUP].pairs += pairs;
    targets->group[target / MW_TARGET_GROUP].sum += sum;
}

/* Sums over all groups, as in struct mw_graph_paths. */
struct mw_target_sums {
    uint64_t pairs, unreachable;
    mw_i128 sum;
    double mean, half_width;
};
struct mw_target_sums mw_targets_sum(const struct mw_targets *targets, size_t vertices);

/* ---- several devices: shares.c ---- */

/* One device's share: the first member of the variant's own struct. `make` and `drop` handle one share; `drop` must
 * accept a share whose `make` failed. `make` compiles everything, and stores the number of targets that `run` takes at
 * once: all, or a multiple of MW_TARGET_TURN. `finish` is called once after the last run. */
struct mw_target_share {
    struct mw_targets *of;
    size_t at_once;
};
struct mw_target_calls {
    int (*make)(void *share, size_t *at_once);
    int (*run)(void *share, size_t first, size_t count);
    int (*finish)(void *share);
    void (*drop)(void *share);
};
/* Runs `count` shares of `size` bytes each; stores in *began the time after all `make` calls. */
int mw_targets_run(struct mw_targets *targets, void *shares, size_t size, size_t count,
                   const struct mw_target_calls *calls, double *began);

/* ---- rows: rows.c ---- */

/* Receiver of distances as rows, in the order of the sources. */
struct mw_target_rows {
    int (*give)(void *context, size_t first, size_t count, const void *distances);
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t taken;
    size_t next; /* source of the next row */
    bool failed;
};
#define MW_TARGET_ROWS(give, context)                                                                                  \
    {                                                                                                                  \
        (give), (context), PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false                               \
    }
/* Passes on rows from source number `first` on; waits until all earlier rows have been passed on. */
int mw_target_rows_give(struct mw_target_rows *rows, size_t first, size_t count, const void *distances);

#endif
/* SPDX-License-Identifier: MIT */

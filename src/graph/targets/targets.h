/* Shared by searches for distances from all vertices to some targets, weighted or not. Devices take targets from a
 * shared counter. Results are sums per group of targets, and the distances as rows of a matrix. Internal. */
#ifndef MW_GRAPH_TARGETS_H
#define MW_GRAPH_TARGETS_H

#include <pthread.h>

#include "dev/core/team.h"
#include "graph/graph_internal.h"

__extension__ typedef __int128 mw_i128;

/* ---- worth.c: how many of several devices take part in a call ---- */

/* Estimated work of a call. A visit is an access to a vertex along an arc. */
struct mw_worth {
    const char *what; /* the task, for messages */
    double visits,    /* visits that the devices share */
        repeated,     /* visits that each device makes */
        waits,        /* number of times that devices wait for each other */
        bytes;        /* bytes that are moved for each device after the first */
    size_t batches;   /* indivisible parts, which devices take from a counter; 0: devices have equal shares */
};
/* Returns how many of the devices take part, from the first on: the fewest that are predicted to be the fastest. Logs
 * the number if it is not `count`. With MESHWORK_ALL_DEVICES=1 in the environment, all take part. */
size_t mw_devices_worth(struct mw_device *const *devices, size_t count, const struct mw_worth *work);
/* Returns whether all given devices take part in any case. */
bool mw_devices_all(void);

/* ---- targets.c ---- */

/* Sizes of sets of targets. */
enum {
    MW_TARGET_GROUP = 8,         /* consecutive targets whose distances are summed, to estimate a mean's error */
    MW_TARGET_GROUPS_LEAST = 16, /* fewest groups for such an estimate */
    MW_TARGET_TURN = 64          /* a device's targets per run are a multiple of this, unless it runs all at once */
};
/* Sums over a group of consecutive targets. */
struct mw_target_group {
    uint64_t pairs; /* pairs of a vertex and a target that it reaches */
    mw_i128 sum;    /* sum of the distances of these pairs */
};

/* The targets of searches, the counter from which devices take them, and sums of distances. */
struct mw_targets {
    const uint32_t *list; /* `count` vertices */
    size_t count;
    uint32_t *all;                 /* the list of all vertices, if these are the targets; otherwise NULL */
    struct mw_target_group *group; /* by target number / MW_TARGET_GROUP; each is written by one device only */
    struct mw_team_units left;     /* target numbers not yet taken; see mw_targets_deal */
    struct mw_target_rows *rows;   /* receiver of the distances; NULL unless wanted */
};
/* Makes the targets from a list of vertices, which must outlive them; `given` NULL: all vertices. The owner frees their
 * memory. MW_EINVAL: a target is not a vertex. */
int mw_targets_make(struct mw_owner *own, const struct mw_graph *graph, const uint32_t *given, size_t count,
                    struct mw_targets *targets);
/* Returns how many devices search from the targets, and prepares dealing the targets to these. `visits`: visits of a
 * batch (worth.c). `batch`: targets that take as long as one; a device's targets are a multiple of it, except the last
 * ones. */
size_t mw_targets_deal(struct mw_targets *targets, struct mw_device *const *devices, size_t count, double visits,
                       size_t batch);
/* Adds `pairs` pairs of target number `target`, and the sum of their distances, to the target's group. */
static inline void mw_target_add(struct mw_targets *targets, size_t target, uint64_t pairs, mw_i128 sum)
{
    targets->group[target / MW_TARGET_GROUP].pairs += pairs;
    targets->group[target / MW_TARGET_GROUP].sum += sum;
}

/* Sums over all targets, and the mean distance. */
struct mw_target_sums {
    uint64_t pairs,  /* pairs of a vertex and a target, another vertex, with a path */
        unreachable; /* pairs of a vertex and a target, another vertex, without a path */
    mw_i128 sum;     /* sum of the distances of `pairs` */
    double mean,     /* mean distance of `pairs`; 0 without pairs */
        half_width;  /* half of the mean's 95 % confidence interval; 0: all vertices are targets; NaN: unknown */
};
/* Returns the sums over all groups of the targets, in a graph with so many vertices. */
struct mw_target_sums mw_targets_sum(const struct mw_targets *targets, size_t vertices);

/* ---- several devices: shares.c ---- */

/* One device's share of the searches: the first member of the caller's own struct. */
struct mw_target_share {
    struct mw_targets *of;
    size_t at_once; /* targets per run, at most; stored by `make` */
};
/* Operations on one share, a struct that begins with a struct mw_target_share. */
struct mw_target_calls {
    /* Compiles all kernels, and stores the most targets per run: all, or a multiple of MW_TARGET_TURN. */
    int (*make)(void *share, size_t *at_once);
    /* Searches from `count` targets, from number `first` on. */
    int (*run)(void *share, size_t first, size_t count);
    /* Adds results that are still on the device; called once after the last run. */
    int (*finish)(void *share);
};
/* Searches from all targets on the devices of `count` shares, each on a thread of its own, which the owner ends.
 * `shares` is an array with elements of `size` bytes. Stores the time after all `make` calls in *began. */
int mw_targets_run(struct mw_owner *own, struct mw_targets *targets, void *shares, size_t size, size_t count,
                   const struct mw_target_calls *calls, double *began);

/* ---- rows: rows.c ---- */

/* A receiver of distances: a row per target, in the order of the targets. */
struct mw_target_rows {
    /* Receives `count` rows from target number `first` on; called by one thread at a time. */
    int (*give)(void *context, size_t first, size_t count, const void *distances);
    void *context;        /* passed to `give` */
    pthread_mutex_t lock; /* protects the members below */
    pthread_cond_t taken; /* signalled after each call of `give` */
    size_t next;          /* target number of the next row */
    bool failed;          /* no more rows are received, because a device or `give` failed */
};
/* Initialises a struct mw_target_rows with the function `give` and its context. */
#define MW_TARGET_ROWS(give, context)                                                                                  \
    {                                                                                                                  \
        (give), (context), PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false                               \
    }
/* Calls rows->give with `count` rows from target number `first` on, after all earlier rows. Returns its result, or
 * MW_ESTOPPED if earlier rows failed. */
int mw_target_rows_give(struct mw_target_rows *rows, size_t first, size_t count, const void *distances);

#endif
/* SPDX-License-Identifier: MIT */

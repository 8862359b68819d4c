/* What the variants of shortest paths share.  Internal. */
#ifndef MW_GRAPH_PATHS_INTERNAL_H
#define MW_GRAPH_PATHS_INTERNAL_H

#include <meshwork/graph_paths.h>

#include <pthread.h>
#include <stdatomic.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"
#include "graph/paths/bits_plan.clh"
#include "graph/paths/queue_plan.clh"
#include "graph/paths/sums.clh"

/* Of PATHS_WORD targets that follow each other: their pairs, and the sum of these pairs' distances. */
struct mw_path_group { uint64_t pairs; mw_u128 sum; };

/* What one device has found. */
struct mw_path_tally {
    uint64_t *histogram;         /* by distance, `capacity` of them, zero beyond `longest` */
    size_t longest, capacity;
    uint32_t *reached, *farthest; /* of each vertex, NULL unless wanted */
    uint64_t *near, *inverse;    /* inverse distances in units of which mw_path_unit says how many are 1 */
};

struct mw_path_job;

/* One device at work. */
struct mw_path_share {
    struct mw_path_job *of;
    struct mw_arc_worker on;
    struct mw_path_tally tally;
    size_t at_once;              /* targets that it takes */
    void *state;                 /* the variant's own */
};

/* Who takes distances as rows, in order of their sources. */
struct mw_path_rows {
    mw_graph_rows_fn *take;
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t taken;
    size_t next;                     /* source whose turn it is */
    bool failed;
};
/* rows.c: gives rows from source number `first` on, when those before are taken. */
int mw_path_rows_give(struct mw_path_rows *rows, size_t first, size_t count, const int32_t *distances);
/* Nobody waits for rows any more. */
void mw_path_rows_fail(struct mw_path_rows *rows);

struct mw_path_job {
    const struct mw_graph *graph;    /* arcs lead towards the targets */
    const struct mw_graph *reversed; /* ... away from them: of an undirected graph the same, of a directed one `made` */
    struct mw_graph made;
    struct mw_graph_paths_options options; /* targets: all of them are named, by `all` if need be */
    uint32_t *all;
    const struct mw_arc_limits *limits;
    const struct mw_path_variant *variant;
    struct mw_path_group *group;     /* by target / PATHS_WORD: each is one device's to write */
    atomic_size_t next;              /* the first target that no device has taken yet */
    size_t share_count;
    struct mw_path_share *share;
    struct mw_path_rows *rows;       /* NULL unless wanted */
};

/* A variant: one row of a table. `refuses` gives the reason why it cannot work on this graph and device as the end
 * of a sentence, or NULL. `make` and `drop` are about one share, `drop` also after a make that failed half-way;
 * `make` leaves nothing to be compiled later, and says how many targets `run` takes at once, all or a multiple of
 * PATHS_WORD. `run` adds what it finds to the share's tally and the job's groups, and waits; `finish` (NULL:
 * nothing) is called once behind the last run. Threads: a share is one thread's at a time. */
struct mw_path_variant {
    bool reversed;               /* needs that graph */
    const char *(*refuses)(const struct mw_path_share *share);
    int (*make)(struct mw_path_share *share, size_t *at_once);
    int (*run)(struct mw_path_share *share, size_t first, size_t count);
    int (*finish)(struct mw_path_share *share);
    void (*drop)(struct mw_path_share *share);
};
/* bits.c, queue.c, frontier.c, floyd.c. */
extern const struct mw_path_variant mw_path_bits, mw_path_queue, mw_path_frontier, mw_path_counter, mw_path_local,
    mw_path_fours, mw_path_sorted, mw_path_update, mw_path_private, mw_path_floyd;

/* paths.c: by what a job has for `graph`, `reversed`, `limits` and `rows`. */
int mw_path_find(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count,
                 const struct mw_graph_paths_options *options, struct mw_graph_paths *paths);

/* choose.c: whether variant queue is better than bits. */
int mw_path_choose(const struct mw_path_job *job, struct mw_device *const *devices, size_t device_count, bool *queue);

/* ---- tally.c ---- */

int mw_path_tally_make(struct mw_path_tally *tally, size_t vertices, bool by_vertex);
void mw_path_tally_drop(struct mw_path_tally *tally);
/* Adds the sums for each vertex. */
void mw_path_tally_add(struct mw_path_tally *to, const struct mw_path_tally *from, size_t vertices);
/* Room for pairs at this distance. */
int mw_path_tally_reach(struct mw_path_tally *tally, size_t distance);
/* `pairs` of the target number `target` at a distance that there is room for. */
static inline void mw_path_add(struct mw_path_share *share, size_t target, size_t distance, uint64_t pairs)
{
    struct mw_path_group *group = &share->of->group[target / PATHS_WORD];
    group->pairs += pairs;
    group->sum += (mw_u128)pairs * distance;
    share->tally.histogram[distance] += pairs;
    if (pairs > 0 && share->tally.longest < distance)
        share->tally.longest = distance;
}
/* Sums over all pairs of a target. */
static inline void mw_path_add_target_sum(struct mw_path_share *share, size_t target, uint64_t pairs, uint64_t sum)
{
    share->of->group[target / PATHS_WORD].pairs += pairs;
    share->of->group[target / PATHS_WORD].sum += sum;
}
/* The distances of all vertices to a target, MW_NO_PATH where there is none. */
int mw_path_add_target(struct mw_path_share *share, size_t target, const int32_t *distances);
/* 1 as a sum of inverse distances: a power of two, so that n of them are at most 2^63. */
uint64_t mw_path_unit(size_t vertices);
/* ---- what variants share: shares.c ---- */

/* Sums for each vertex, `slots` times, on a device; without by_vertex there are none.  MW_PATH_SUMS(&sums) stands for
 * the parameters that PATH_SUMS stands for in kernels. */
struct mw_path_sums {
    struct mw_buffer *reached, *farthest, *near, *inverse;
    size_t slots;
};
#define MW_PATH_SUMS(sums) (sums)->reached, (sums)->farthest, (sums)->near, (sums)->inverse
/* Bytes of a slot. */
uint64_t mw_path_sums_bytes(size_t vertices, bool by_vertex);
int mw_path_sums_make(struct mw_path_share *share, size_t slots, struct mw_path_sums *sums);
/* Adds all slots' to the share's tally. */
int mw_path_sums_add(struct mw_path_share *share, const struct mw_path_sums *sums);
void mw_path_sums_drop(struct mw_path_sums *sums);
/* Bytes of a device that searches may take. */
uint64_t mw_path_budget(const struct mw_path_share *share);
/* The arcs of a graph as one block that stays on the device; MW_ENOTSUP where it does not hold them. */
int mw_path_arcs(struct mw_path_share *share, const struct mw_graph *graph, struct mw_arc_blocks *arcs);

/* All shares' together. */
int mw_path_result(struct mw_path_job *job, struct mw_graph_paths *paths);

/* For tests: with other limits. */
int mw_graph_paths_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_paths *paths);

#endif

/* What the variants of shortest paths share.  Internal. */
#ifndef MW_GRAPH_PATHS_INTERNAL_H
#define MW_GRAPH_PATHS_INTERNAL_H

#include <meshwork/graph_paths.h>

#include <stdatomic.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"
#include "graph/paths/bits_plan.clh"

__extension__ typedef unsigned __int128 mw_u128;

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
/* bits.c, frontier.c, floyd.c. */
extern const struct mw_path_variant mw_path_bits, mw_path_frontier, mw_path_counter, mw_path_local, mw_path_fours,
    mw_path_sorted, mw_path_update, mw_path_private, mw_path_floyd;

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
/* The distances of all vertices to a target, MW_NO_PATH where there is none. */
#define MW_NO_PATH 0x7f7f7f7f /* so that a buffer can be filled with it */
int mw_path_add_target(struct mw_path_share *share, size_t target, const int32_t *distances);
/* 1 as a sum of inverse distances: a power of two, so that n of them are at most 2^63; and 1 / distance. */
uint64_t mw_path_unit(size_t vertices);
static inline uint64_t mw_path_inverse(uint64_t unit, uint64_t distance) { return (unit + distance / 2) / distance; }
/* All shares' together. */
int mw_path_result(struct mw_path_job *job, struct mw_graph_paths *paths);

/* For tests: with other limits. */
int mw_graph_paths_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_paths *paths);

#endif

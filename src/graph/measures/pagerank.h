/* PageRank: its shares, one per device, and their rounds. Internal. */
#ifndef MW_GRAPH_PAGERANK_H
#define MW_GRAPH_PAGERANK_H

#include <meshwork/graph_measures.h>

#include "dev/core/team.h"
#include "graph/arcs/arcs.h"
#include "graph/measures/pagerank_plan.clh"

/* Maximum number of rounds between two looks at the totals. */
enum { PAGERANK_ROUNDS_MOST = 64 };

/* Acceleration of rounds on an undirected graph. All numbers are parts of 2^64 except `factor`. */
struct acceleration {
    uint64_t radius; /* errors are assumed to shrink to this part or less in a plain round */
    uint64_t factor; /* in units of 2^-62, 1 to 2: step length of the next round from the last rank but
                                  * one */
    size_t rounds;   /* since the radius was set */
};

/* One device's share: the ranks of a range of vertices. */
struct pagerank_share {
    struct pagerank *of;
    struct mw_vertex_share range; /* its part of the reversed graph */
    struct mw_owner owner;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks blocks;
    struct mw_buffer *ranks, *before, *sums, *factors, *totals;
    struct mw_buffer *passed;      /* ranks that all vertices pass on */
    struct mw_buffer *places;      /* form for groups */
    bool is_placed;                /* see mw_pagerank_place */
    struct mw_buffer *next_passed; /* NULL: arcs come in blocks, or the form for groups is used */
    struct pagerank_round round;
    uint32_t found[PAGERANK_TOTALS]; /* totals of its vertices in the last round */
};

struct pagerank {
    struct mw_owner own; /* frees shares, graphs and arrays */
    const struct mw_graph *graph, *reversed;
    struct mw_graph made;
    struct mw_graph_pagerank_options options;
    struct pagerank_share *share;
    size_t count;
    struct mw_team *team;
    struct pagerank_round round;
    uint64_t damping; /* a part of 2^64 */
    bool steady;      /* rounds are accelerated, and `before` is another buffer than `ranks` */
    struct acceleration ahead;
    size_t rounds, rounds_most;
    uint64_t change;
    int64_t *units; /* final ranks, in units */
    double *ranks;  /* unless the caller gave memory */
    /* Several devices: ranks passed on in the last round, and room for those of this one; totals of the last round. */
    uint64_t *passed, *next_passed;
    uint32_t totals[PAGERANK_TOTALS];
};

/* Stores a 64-bit number of the totals; reads one. */
static inline void mw_pagerank_put(uint32_t *halves, uint64_t value)
{
    halves[0] = (uint32_t)value;
    halves[1] = (uint32_t)(value >> 32);
}
static inline uint64_t mw_pagerank_get(const uint32_t *halves) { return (uint64_t)halves[1] << 32 | halves[0]; }

/* Returns the change of a round's totals. */
static inline uint64_t mw_pagerank_change_of(const uint32_t *totals)
{
    return pagerank_change(mw_pagerank_get(totals + 2), mw_pagerank_get(totals + 4));
}

/* Makes the kernels and buffers of a share: a job of the team. */
int mw_pagerank_share_make(void *share, void *unused);
/* One device in the form for groups that holds all arcs: vertex v passes on its rank in element place[v] of `passed`
 * from now on. */
int mw_pagerank_place(struct pagerank_share *share, const uint32_t *place);
/* Computes `batch` rounds, or at least those until ranks converge. Stores the totals of round r, from 1 on, in
 * totals[r]. */
int mw_pagerank_batch(struct pagerank *p, size_t batch, uint32_t (*totals)[PAGERANK_TOTALS]);

#endif
/* SPDX-License-Identifier: MIT */

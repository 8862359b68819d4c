/* Benches of networks: every variant of an algorithm that a device can run, on a table of networks, beside other
 * libraries.  Columns are
 *
 *   ms, least, most   of the algorithm, by its own clock, or with the graph on the device already
 *   with all          of all that belongs to one call: programs from the cache, memory, sending the graph
 *   the rate          as below
 *   igraph ...        ms as a fraction of that library's time (below 1: ours is faster)
 *   iter              the rounds that it took, where a task counts them
 *
 * What needs more than a second with all, or five by itself, has one turn; a variant that took more than a second has
 * none at the test's further graphs, nor where it would need more than five.  All variants' results are compared with
 * the first one's before. */
#ifndef NETWORK_TASK_H
#define NETWORK_TASK_H

#include <stddef.h>

#include "bench/common/networks.h"

/* Who is to do it, with what. */
struct network_turn {
    const char *variant;
    struct mw_device *device;
    const struct mw_graph *graph;
    uint32_t hub;                        /* the first vertex with the most arcs: where searches begin */
};

enum network_rate {
    NETWORK_EDGES,                       /* millions of edges a second */
    NETWORK_TARGETS,                     /* thousands of millions of edges times vertices */
    NETWORK_BANDWIDTH                    /* of reading the adjacency and writing a number for each vertex, as a fraction
                                          * of a plain copy's (above 1 where most arcs are never looked at) */
};

struct network_task {
    const char *name, *title;            /* for lines and --only, and for people; NULL: a bench's only task */
    const struct network *rows;
    size_t row_count;
    struct network_form form;
    enum network_rate rate;
    const char *words;                   /* for the script */
    size_t rivals;                       /* the first so many of network_rivals; 0: NETWORK_RIVALS */

    mw_variant_table *variants;          /* NULL: there are none; it is called as the task */
    size_t bytes;                        /* of what is found; all zero before the first run */
    /* Finds it once more, in the place of what the run before found.  MW_ENOTSUP: the variant does not take part. */
    int (*run)(const struct network_turn *turn, void *found);
    bool (*same)(const struct network_turn *turn, const void *found, const void *expected);
    void (*free)(void *found);           /* also where no run was */
    size_t seconds;                      /* the offset of a run's own seconds, a double */

    /* Instead of these seconds: what is timed is `again`, once it is prepared.  Both NULL, or none. */
    int (*prepare)(const struct network_turn *turn, void *found);
    int (*again)(const struct network_turn *turn, void *found);
    size_t rounds;                       /* the offset of what `iter` shows, a size_t; 0: no such column */
};

/* The whole program, whose tasks are done one after the other on each device. */
int network_bench(int argc, char **argv, const char *title, const struct network_task *tasks, size_t count);

#endif
/* SPDX-License-Identifier: MIT */

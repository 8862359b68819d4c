/* Benches of networks: every variant of an algorithm that a device can run, on a table of networks, next to other
 * libraries.  Columns:
 *
 *   ms, least, most   the algorithm, by its own clock, or with the graph already on the device
 *   with all          a whole call: loading programs, allocation, sending the graph
 *   the rate          see below
 *   igraph ...        ms as a fraction of the library's time (below 1: ours is faster)
 *   iter              rounds of the algorithm, for tasks that count them
 *
 * A contender that needs more than a second with all, or five alone, has one turn.  A variant that took more than a
 * second, or is expected to need more than five, is omitted from the test's further graphs.  The results of all
 * variants are first compared with the first one's. */
#ifndef NETWORK_TASK_H
#define NETWORK_TASK_H

#include <stddef.h>

#include "bench/common/networks.h"

/* The input of a run. */
struct network_turn {
    const char *variant;
    struct mw_device *device;
    const struct mw_graph *graph;
    uint32_t hub; /* the first vertex with the most arcs, where searches start */
};

enum network_rate {
    NETWORK_EDGES,    /* millions of edges per second */
    NETWORK_TARGETS,  /* thousand millions of edges times vertices */
    NETWORK_BANDWIDTH /* bandwidth of reading the adjacency and writing a number per vertex, as a
                                          * fraction of a copy's (above 1 if most arcs are skipped) */
};

struct network_task {
    const char *name, *title; /* name in lines and --only; title for people; NULL: the bench's only task */
    const struct network *rows;
    size_t row_count;
    struct network_form form;
    enum network_rate rate;
    const char *words; /* request for the script */
    size_t rivals;     /* number of network_rivals used; 0: NETWORK_RIVALS */

    mw_variant_table *variants; /* NULL: none; the task's name is used */
    size_t bytes;               /* size of the result, all zero before the first run */
    /* Computes the result again, replacing the previous one.  MW_ENOTSUP: the variant does not take part. */
    int (*run)(const struct network_turn *turn, void *found);
    bool (*same)(const struct network_turn *turn, const void *found, const void *expected);
    void (*free)(void *found); /* also called without a run */
    size_t seconds;            /* offset of the run's own seconds in the result, a double */

    /* Alternative to `seconds`: times `again` after `prepare`.  Both or neither are NULL. */
    int (*prepare)(const struct network_turn *turn, void *found);
    int (*again)(const struct network_turn *turn, void *found);
    size_t rounds; /* offset of the value of `iter` in the result, a size_t; 0: no such column */
};

/* Runs the program: all tasks in sequence on each device. */
int network_bench(int argc, char **argv, const char *title, const struct network_task *tasks, size_t count);

#endif
/* SPDX-License-Identifier: MIT */

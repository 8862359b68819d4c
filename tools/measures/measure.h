/* Subcommands of `meshwork graph` that compute a value per vertex. */
#ifndef TOOLS_MEASURE_H
#define TOOLS_MEASURE_H

#include "tools/graph/course.h"

/* The options of such a subcommand; the first member of its settings. */
struct measure_settings {
    struct course_settings course;
    const char *vertices;
    uint64_t top;
};
extern const struct option measure_options[];
/* Option groups of such a subcommand. */
#define MEASURE_GROUPS(devices) { "Graph", measure_options, 0 }, COURSE_GROUPS(devices)

/* Results of one pass. */
struct measured {
    double *reals;             /* a value per vertex; NULL: `counts` has the values */
    uint32_t *counts, *pairs;  /* a whole number per vertex; pairs of vertices, NULL: none */
    size_t pair_count;         /* number of pairs */
    uint64_t counted[3];       /* further numbers of the subcommand */
    double preparing, seconds; /* seconds before the computation; of the computation */
    size_t rounds;             /* iterations until convergence, if the algorithm counts them */
    const char *variant;       /* the variant that was used */
};

/* Describes a subcommand that computes a value per vertex. */
struct measure {
    const char *name;                  /* name of the values: key in JSON and column in files */
    bool shares;                       /* several devices share the arcs; otherwise each holds all */
    unsigned vertex_bytes, core_bytes; /* device memory other than arcs: per vertex; on CPUs, per vertex and core */
    unsigned share_bytes;              /* the same per vertex of a device's share */
    unsigned weighted_core_bytes;      /* the same per vertex and core, for weighted paths */
    mw_variant_table *variants;        /* NULL: no variants */
    enum weights_use (*weights)(const void *settings); /* returns the use of weights; NULL: WEIGHTS_UNUSED */
    /* Computes the values with a variant on the devices of the team; *found is empty before. */
    int (*compute)(const void *settings, const char *variant, const struct team *team, const struct mw_graph *graph,
                   struct measured *found);
    /* Puts further results; NULL: none. */
    void (*report)(const void *settings, const struct mw_graph *graph, const struct measured *found, struct node *to);
    /* Writes further files; NULL: none. */
    int (*write)(const void *settings, const struct mw_graph *graph, const struct measured *found);
};

/* Reads the graph, computes, verifies, writes and reports.  The settings must begin with measure_settings. */
int measure_run(struct command *command, const struct measure *measure);

#endif
/* SPDX-License-Identifier: MIT */

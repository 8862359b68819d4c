/* Subcommands of `meshwork graph` that compute a value per vertex. */
#ifndef TOOLS_MEASURE_H
#define TOOLS_MEASURE_H

#include "tools/graph/course.h"

/* The first member of the subcommand's settings, for the groups MEASURE_GROUPS and, if it has variants,
 * VARIANT_OPTION. */
struct measure_settings {
    struct course_settings course;
    const char *vertices;
    uint64_t top;
};
extern const struct option measure_options[];
#define MEASURE_GROUPS(devices) { "Graph", measure_options, 0 }, COURSE_GROUPS(devices)

/* Results of one pass: a value per vertex, of one of the two types; optionally pairs of vertices and counts. */
struct measured {
    double *reals;
    uint32_t *counts, *pairs;
    size_t pair_count;
    uint64_t counted[3];
    double preparing, seconds;
    size_t rounds;
    const char *variant;
};

/* Describes a subcommand.  `variants`: NULL without variants.  `compute` fills an empty struct with a variant, on all
 * devices unless `single`.  `say` (or NULL) puts further results, `write` (or NULL) writes further files.  The bytes
 * estimate the device memory besides the arcs. */
struct measure {
    const char *name;                  /* name of the values: key in JSON and column in files */
    bool single;                       /* for one device */
    unsigned vertex_bytes, core_bytes; /* per vertex; on CPUs, per vertex and core */
    unsigned weighted_core_bytes;      /* the same for weighted paths */
    mw_variant_table *variants;
    enum weights_use (*weights)(const void *settings); /* NULL: unused */
    int (*compute)(const void *settings, const char *variant, const struct team *team, const struct mw_graph *graph,
                   struct measured *found);
    void (*report)(const void *settings, const struct mw_graph *graph, const struct measured *found, struct node *to);
    int (*write)(const void *settings, const struct mw_graph *graph, const struct measured *found);
};

/* Reads the graph, computes, verifies, writes and reports.  The settings must begin with measure_settings. */
int measure_run(struct command *command, const struct measure *measure);

#endif
/* SPDX-License-Identifier: MIT */

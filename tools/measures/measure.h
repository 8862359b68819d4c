/* Subcommands of `meshwork graph` that give each vertex a value. */
#ifndef TOOLS_MEASURE_H
#define TOOLS_MEASURE_H

#include "tools/graph/course.h"

/* What such a subcommand's settings begin with: the groups MEASURE_GROUPS, and where it has variants VARIANT_OPTION. */
struct measure_settings { struct course_settings course; const char *vertices; uint64_t top; };
extern const struct option measure_options[];
#define MEASURE_GROUPS(devices) \
    { "Graph", measure_options, 0 }, COURSE_GROUPS(devices)

/* What is found in one pass: a value for each vertex, either kind; of some subcommands pairs of vertices, and numbers
 * of their own. */
struct measured {
    double *reals;
    uint32_t *counts, *pairs;
    size_t pair_count;
    uint64_t counted[3];
    double preparing, seconds;
    size_t rounds;
    const char *variant;
};

/* What a subcommand is.  `variants`: NULL where it has none.  `compute` fills what is empty, by that variant, on all
 * devices unless `single`; `say` (NULL: nothing) puts what else is to be said of it, `write` (likewise) writes files of
 * its own.  The bytes are about what it takes of a device's memory beside the arcs. */
struct measure {
    const char *name;                    /* of the values, a key of the JSON and a column of the files */
    bool single;                         /* for one device */
    unsigned vertex_bytes, core_bytes;   /* for each vertex; and on CPUs for each vertex and core */
    unsigned weighted_core_bytes;        /* the same by weights */
    mw_variant_table *variants;
    enum weights_use (*weights)(const void *settings); /* NULL: unused */
    int (*compute)(const void *settings, const char *variant, const struct team *team,
                   const struct mw_graph *graph, struct measured *found);
    void (*say)(const void *settings, const struct mw_graph *graph, const struct measured *found, struct node *to);
    int (*write)(const void *settings, const struct mw_graph *graph, const struct measured *found);
};

/* Reads the graph, computes, verifies, writes and reports.  The command's settings begin with measure_settings. */
int measure_run(struct command *command, const struct measure *measure);

#endif
/* SPDX-License-Identifier: MIT */

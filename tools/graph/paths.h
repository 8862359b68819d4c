/* Shared by the files of `meshwork graph paths`. */
#ifndef TOOLS_PATHS_H
#define TOOLS_PATHS_H

#include <meshwork/file.h>
#include <meshwork/graph_paths.h>
#include <meshwork/io.h>

#include "tools/graph/course.h"
#include "tools/graph/vertices.h"

struct paths_settings {
    struct course_settings course;
    const char *vertices, *matrix, *from, *to, *output;
    bool hops;
    uint64_t sample, sample_seed;
};

struct finding;
typedef int finding_fill(const struct finding *f, struct mw_file *file);

/* The functions for one kind of distance. */
struct finding_way {
    int (*begin)(const struct finding *f);           /* checks the graph before the passes; NULL: none */
    int (*pass)(struct finding *f, double *seconds); /* computes the distances, and stores f->totals and the time */
    /* Compares the result with another variant on this device.  MW_EVERIFY. */
    int (*verify)(const struct finding *f, struct mw_device *serial);
    const struct mw_vertex_column *columns; /* the columns of files with one line per vertex, and their values */
    void (*cells)(const void *finding, size_t vertex, char text[MW_VERTEX_CELLS]);
    enum mw_type type;                                            /* the type of elements of --matrix */
    finding_fill *fill;                                           /* writes the elements into its file */
    void (*put_longest)(const struct finding *f, struct node *o); /* puts the longest distance */
    void (*put_rest)(const struct finding *f, struct node *o);    /* puts results that only this kind has */
    uint64_t (*checksum)(const struct finding *f);                /* returns the checksum of the result */
};
/* Distances in numbers of edges, and as sums of weights. */
extern const struct finding_way finding_by_edges, finding_by_weights;

/* Results that both kinds of distances have. */
struct finding_totals {
    uint64_t pairs, unreachable;
    double mean, half_width, preparing;
    const char *variant;
    size_t targets;
};

struct finding {
    struct course t;
    const struct paths_settings *set;
    const struct finding_way *way;
    uint32_t *targets; /* NULL: all vertices */
    size_t target_count;
    struct mw_graph_paths paths;     /* distances in edges, or ... */
    struct mw_graph_lengths lengths; /* ... with weights */
    struct finding_totals totals;
};

/* Runs the command with --from: computes the distances from one vertex (distances/from.c). */
int paths_from(const struct command *command);

/* Returns variant i for distances between all vertices; NULL past the end (paths.c). */
const struct mw_variant *finding_variants(size_t i);

#endif
/* SPDX-License-Identifier: MIT */

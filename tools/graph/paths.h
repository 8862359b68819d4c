/* Shared by the files of `meshwork graph paths`. */
#ifndef TOOLS_PATHS_H
#define TOOLS_PATHS_H

#include <meshwork/file.h>
#include <meshwork/graph_paths.h>
#include <meshwork/io.h>

#include "tools/graph/course.h"

struct paths_settings {
    struct course_settings course;
    const char *vertices, *matrix, *from, *to, *output;
    bool hops;
    uint64_t sample, sample_seed;
};

struct finding;

/* Distances in edges, or with weights.  `pass` stores the totals; `put_longest` and `put_rest` add their own results to
 * the summary. */
struct finding_way {
    int (*begin)(const struct finding *f); /* NULL: none */
    int (*pass)(struct finding *f, double *seconds);
    int (*verify)(const struct finding *f, struct mw_device *serial);
    int (*write)(const struct finding *f); /* writes one line per vertex */
    int (*write_matrix)(const struct finding *f);
    void (*put_longest)(const struct finding *f, struct node *o);
    void (*put_rest)(const struct finding *f, struct node *o);
    uint64_t (*checksum)(const struct finding *f);
};
extern const struct finding_way finding_by_edges, finding_by_weights;

/* Results of both. */
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

/* distances/from.c: --from. */
int paths_from(const struct command *command);

/* paths.c: the variants for distances between all vertices. */
const struct mw_variant *finding_variants(size_t i);

/* paths_report.c: functions of struct course_kind. */
void finding_plan(const void *course, const struct team_plan *team, struct node *to);
int finding_report(const void *course, struct node *to);
/* Makes the matrix of --matrix; `fill` writes into it. */
typedef int finding_fill(const struct finding *f, struct mw_file *file);
int finding_write_rows(const struct finding *f, enum mw_type type, finding_fill *fill);

#endif
/* SPDX-License-Identifier: MIT */

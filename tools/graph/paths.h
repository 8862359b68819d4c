/* What the files of `meshwork graph paths` share. */
#ifndef TOOLS_PATHS_H
#define TOOLS_PATHS_H

#include <meshwork/file.h>
#include <meshwork/graph_paths.h>
#include <meshwork/io.h>

#include "tools/graph/graph.h"

struct paths_settings {
    const char *vertices, *matrix, *variant, *from, *to, *output;
    bool hops, verify, dry_run;
    uint64_t sample, sample_seed, block_arcs, repeat;
    struct graph_settings graph;
    struct device_settings device;
};

struct finding;

/* Distances by numbers of edges, or by weights.  `find` fills the totals, once for each pass; `put_longest` and
 * `put_rest` add to the summary what they alone know of. */
struct finding_way {
    int (*find)(struct finding *f);
    int (*verify)(struct finding *f);
    int (*write)(const struct finding *f);       /* a line for each vertex */
    int (*write_matrix)(const struct finding *f);
    void (*put_longest)(const struct finding *f, struct node *o);
    void (*put_rest)(const struct finding *f, struct node *o);
    uint64_t (*checksum)(const struct finding *f);
};
extern const struct finding_way finding_by_edges, finding_by_weights;

/* What both find. */
struct finding_totals {
    uint64_t pairs, unreachable;
    double mean, half_width, preparing;
    const char *variant;
    size_t targets;
};

struct finding {
    const struct paths_settings *set;
    const struct finding_way *way;
    struct network n;
    struct team team;
    uint32_t *targets;                   /* NULL: all vertices */
    size_t target_count;
    struct mw_graph_paths paths;         /* by numbers of edges, or ... */
    struct mw_graph_lengths lengths;     /* ... by weights */
    struct finding_totals totals;
    struct passes passes;
    double open, verify, output;
};

/* distances/from.c: --from, and what has to hold between options. */
int finding_from_check(const struct finding *f);
int finding_from(struct finding *f);

/* paths.c: the variants for distances between all vertices. */
const struct mw_variant *finding_variants(size_t i);

/* paths_report.c */
int finding_plan(struct finding *f);
int finding_summary(const struct finding *f);
/* Makes the matrix of --matrix, which `fill` writes into. */
typedef int finding_fill(const struct finding *f, struct mw_file *file);
int finding_write_rows(const struct finding *f, enum mw_type type, finding_fill *fill);

#endif
/* SPDX-License-Identifier: MIT */

/* What the files of `meshwork graph paths` share. */
#ifndef TOOLS_PATHS_H
#define TOOLS_PATHS_H

#include <meshwork/graph_paths.h>

#include "tools/cli/passes.h"
#include "tools/graph/graph.h"
#include "tools/machine/team.h"

struct paths_settings {
    const char *vertices, *matrix, *variant, *from, *to, *output;
    bool hops, verify, dry_run;
    uint64_t sample, sample_seed, block_arcs, repeat;
    struct graph_settings graph;
    struct device_settings device;
};

struct finding {
    const struct paths_settings *set;
    struct network n;
    struct team team;
    uint32_t *targets;                   /* NULL: all vertices */
    size_t target_count;
    struct mw_graph_paths paths;
    struct passes passes;
    double open, verify, output;
};

/* distances/from.c: --from, and what has to hold between options. */
int finding_from_check(const struct finding *f);
int finding_from(struct finding *f);
/* distances/lengths.c: between all vertices of a graph with weights. */
int finding_lengths(struct finding *f);

/* paths_report.c */
int finding_plan(struct finding *f);
int finding_summary(const struct finding *f);
/* A line for each vertex. */
int finding_write(const struct finding *f);
/* The matrix of distances. */
int finding_write_matrix(const struct finding *f);

#endif

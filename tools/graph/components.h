/* What the files of `meshwork graph components` share. */
#ifndef TOOLS_COMPONENTS_H
#define TOOLS_COMPONENTS_H

#include <meshwork/components.h>
#include <meshwork/graph_components.h>

#include "tools/graph/graph.h"

struct components_settings {
    const char *output, *output_format, *largest, *variant;
    bool strong, sizes, verify, dry_run;
    uint64_t block_arcs, repeat;
    struct graph_settings graph;
    struct device_settings device;
};

struct grouping {
    const struct components_settings *set;
    struct network n;
    struct team team;
    struct mw_graph_labelling *labelling; /* NULL: strong components */
    const char *variant;                 /* that was taken */
    struct mw_prim *prim;
    struct mw_buffer *roots, *numbers;   /* of each vertex the smallest one, and its component's number from 1 on */
    struct mw_components *components;
    struct mw_components_summary summary;
    struct mw_array labels;              /* the roots, int32 */
    size_t largest_root, iterations;
    struct passes passes;
    double open, build, verify, output;
};

/* components_write.c: where labels and the largest component go: MW_EINVAL, MW_EIO. */
int grouping_check_outputs(const struct grouping *g);
int grouping_write(struct grouping *g);
/* Compares the labels with those of a union-find on the host.  MW_EVERIFY. */
int grouping_verify(struct grouping *g);
/* Likewise with those of one depth-first search. */
int grouping_verify_strong(struct grouping *g);

/* components_report.c */
int grouping_plan(struct grouping *g);
int grouping_summary(const struct grouping *g);

#endif
/* SPDX-License-Identifier: MIT */

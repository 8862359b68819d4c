/* What the files of `meshwork graph components` share. */
#ifndef TOOLS_COMPONENTS_H
#define TOOLS_COMPONENTS_H

#include <meshwork/components.h>
#include <meshwork/graph_components.h>

#include "tools/graph/course.h"

struct components_settings {
    struct course_settings course;
    const char *output, *output_format, *largest;
    bool strong, sizes;
};

struct grouping {
    struct course t;
    const struct components_settings *set;
    struct mw_graph_labelling *labelling; /* NULL: strong components */
    struct mw_graph_strong strong;
    const char *variant;                 /* that was taken */
    struct mw_prim *prim;
    struct mw_buffer *roots, *numbers;   /* of each vertex the smallest one, and its component's number from 1 on */
    struct mw_components *components;
    struct mw_components_summary summary;
    struct mw_array labels;              /* the roots, int32 */
    size_t largest_root, iterations;
};

/* components_write.c: where labels and the largest component go: MW_EINVAL, MW_EIO. */
int grouping_check_outputs(const struct grouping *g);
/* Of struct course_kind: the labels are compared with those of a union-find on the host, or of a depth-first search. */
int grouping_write(void *course);
int grouping_verify(void *course, struct mw_device *serial);
int grouping_verify_strong(void *course, struct mw_device *serial);

/* components_report.c: of struct course_kind. */
void grouping_plan(const void *course, const struct team_plan *team, struct node *to);
int grouping_say(const void *course, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

/* Shared by the files of `meshwork graph clustering`. */
#ifndef TOOLS_CLUSTERING_H
#define TOOLS_CLUSTERING_H

#include <meshwork/graph_measures.h>

#include "tools/graph/course.h"

struct clustering_settings {
    struct course_settings course;
    const char *vertices, *arcs;
    bool local;
};

struct clustering {
    struct course t;
    const struct clustering_settings *set;
    struct mw_graph_triangles found;
};

/* Puts the plan: `plan` of struct course_kind (report.c). */
void clustering_plan(const void *course, const struct team_plan *team, struct node *to);
/* Writes the files of values per vertex and per arc: `write` of struct course_kind (report.c). */
int clustering_write(void *course);
/* Puts the results: `report` of struct course_kind (report.c). */
int clustering_report(const void *course, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

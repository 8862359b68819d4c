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

/* report.c: functions of struct course_kind. */
void clustering_plan(const void *course, const struct team_plan *team, struct node *to);
int clustering_write(void *course);
int clustering_report(const void *course, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

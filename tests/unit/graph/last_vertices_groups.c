/* The form for groups, item by item, as C. */
#define GROUP 256
#include "graph/components/components.clh"

#include "last_vertices.h"

enum { PART = 1024 };

void link_in_groups(const struct last_vertices *l)
{
    const struct arcs g = LAST_ARCS(l);
    const i32 begin = (l->vertices - 1) / PART * PART;
    for (i32 item = 0; item < GROUP; item++)
        graph_first(l->parents, l->next, &g, 1, begin + item, l->vertices, GROUP);
    for (i32 item = 0; item < GROUP; item++)
        graph_second(l->parents, l->next, &g, begin + item, l->vertices, GROUP);
    for (i32 item = 0; item < GROUP; item++)
        graph_link(l->parents, &g, begin + item, l->vertices, GROUP);
}
/* SPDX-License-Identifier: MIT */

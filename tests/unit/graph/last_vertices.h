/* The loops of components.clh at the last vertices that a graph may have, in the form for cores and in the one for
 * groups. */
#ifndef MW_TESTS_LAST_VERTICES_H
#define MW_TESTS_LAST_VERTICES_H

#include <stdint.h>

/* A line of `linked` vertices at the end; all others have no arcs. */
struct last_vertices {
    int32_t vertices, linked;
    int32_t *parents, *next;
    uint64_t *offsets;
    uint32_t *heads;
};
#define LAST_ARCS(l)                                                                                                   \
    {                                                                                                                  \
        (l)->offsets, (l)->heads, 0, (l)->offsets[(l)->vertices], 0, (l)->vertices, 0                                  \
    }
void link_on_cores(const struct last_vertices *g);
void link_in_groups(const struct last_vertices *g);

#endif
/* SPDX-License-Identifier: MIT */

/* Lists of edges: what reading and writing agree on.  Internal. */
#ifndef MW_GRAPH_FILE_LIST_LIST_H
#define MW_GRAPH_FILE_LIST_LIST_H

/* Begins the comment that names a vertex, for those without edges.  Other programs pass over it. */
#define MW_LIST_VERTEX "# meshwork vertex "

#endif
/* SPDX-License-Identifier: MIT */

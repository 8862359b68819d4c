/* Edge lists: shared by reading and writing. Internal. */
#ifndef MW_GRAPH_FILE_LIST_LIST_H
#define MW_GRAPH_FILE_LIST_LIST_H

/* Begins the comment with the name of a vertex without edges. Other programs ignore it. */
#define MW_LIST_VERTEX "# meshwork vertex "

#endif
/* SPDX-License-Identifier: MIT */

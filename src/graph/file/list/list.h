/* Edge lists: shared by reading and writing. Internal. */
#ifndef MW_GRAPH_FILE_LIST_LIST_H
#define MW_GRAPH_FILE_LIST_LIST_H

/* Beginning of a line that names a vertex without edges. To other programs, the line is a comment. */
#define MW_LIST_VERTEX "# meshwork vertex "

#endif
/* SPDX-License-Identifier: MIT */

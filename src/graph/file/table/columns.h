/* The columns of a table that are an edge.  Internal. */
#ifndef MW_GRAPH_FILE_TABLE_COLUMNS_H
#define MW_GRAPH_FILE_TABLE_COLUMNS_H

#include "graph/file/table/record.h"

struct mw_columns { size_t source, target, weight; bool has_weight, has_titles; };
/* Chooses them by the first row, and tells whether that has titles, as graph_file.h says.  `asked`: their titles or
 * numbers from 1 on, "source,target[,weight]"; NULL: by the usual titles, else the first two.  Notices name the columns
 * that are not read where none were asked for, and say for what the first row is taken where that is in doubt. */
int mw_columns_choose(const struct mw_input *input, const struct mw_record *first, const char *asked,
                      struct mw_columns *columns);

#endif
/* SPDX-License-Identifier: MIT */

/* Choice of a table's columns for edges. Internal. */
#ifndef MW_GRAPH_FILE_TABLE_COLUMNS_H
#define MW_GRAPH_FILE_TABLE_COLUMNS_H

#include "graph/file/table/record.h"

struct mw_columns {
    size_t source, target, weight;
    bool has_weight, has_titles;
};
/* Chooses the columns by the first row, and whether that is a header, as described in graph_file.h. `asked`: titles or
 * numbers (from 1 on), "source,target[,weight]"; NULL: the usual titles, otherwise the first two columns. Notices list
 * the ignored columns unless `asked`, and how an ambiguous first row is read. */
int mw_columns_choose(const struct mw_input *input, const struct mw_record *first, const char *asked,
                      struct mw_columns *columns);

#endif
/* SPDX-License-Identifier: MIT */

/* Choice of a table's columns for edges. Internal. */
#ifndef MW_GRAPH_FILE_TABLE_COLUMNS_H
#define MW_GRAPH_FILE_TABLE_COLUMNS_H

#include "graph/file/table/record.h"

/* The columns of a table that are read, counted from 0. */
struct mw_columns {
    size_t source, target, weight; /* `weight` is valid if has_weight */
    bool has_weight, has_titles;   /* has_titles: the first row is a header, not an edge */
};
/* Chooses the columns by the table's first row, and whether that row is a header, as described in graph_file.h.
 * `asked`: "source,target[,weight]" as titles or numbers from 1 on; NULL: the usual titles, or else the first columns.
 * Logs notices on ignored columns (unless `asked`), and on how an ambiguous first row is read. MW_EDATA: the row has
 * one column. */
int mw_columns_choose(const struct mw_input *input, const struct mw_record *first, const char *asked,
                      struct mw_columns *columns);

#endif
/* SPDX-License-Identifier: MIT */

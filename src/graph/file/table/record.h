/* Rows of text tables (RFC 4180), with any separator, and the choice of columns for edges. Internal. */
#ifndef MW_GRAPH_FILE_TABLE_RECORD_H
#define MW_GRAPH_FILE_TABLE_RECORD_H

#include "graph/file/input.h"

/* A field of a row: `length` bytes of the row's text from index `start` on. */
struct mw_field {
    size_t start, length;
};
/* A row of a table. Its memory is reused for the next row. */
struct mw_record {
    char separator;          /* ',', ';' or a tab; 0: not yet chosen, by the first row */
    bool prefers_tabs;       /* chooses a tab if the first row has any */
    size_t line;             /* line where the row begins, counted from 1 */
    char *text;              /* contents of all fields, each ended by a NUL */
    size_t length, capacity; /* bytes of `text`; bytes for which it has room */
    struct mw_field *field;
    size_t fields, field_capacity; /* number of fields; fields for which there is room */
};
/* Reads the next nonempty row; record->fields is 0 after the last one. Before the first row, skips lines that begin
 * with # or %. Removes spaces around a field, and its quotes. */
int mw_record_read(struct mw_input *input, struct mw_record *record);
/* Returns the contents of a field, counted from 0, which end with a NUL. */
static inline const char *mw_record_text(const struct mw_record *record, size_t field)
{
    return record->text + record->field[field].start;
}
/* Frees the memory of a row. */
void mw_record_free(struct mw_record *record);

/* ---- columns.c ---- */

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

/* Rows of text tables (RFC 4180), with any separator. Internal. */
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

#endif
/* SPDX-License-Identifier: MIT */

/* Rows of tables of text (RFC 4180), with any separator.  Internal. */
#ifndef MW_GRAPH_FILE_TABLE_RECORD_H
#define MW_GRAPH_FILE_TABLE_RECORD_H

#include "graph/file/input.h"

struct mw_field { size_t start, length; };
struct mw_record {
    char separator;              /* ',', ';' or a tabulator; 0: the first row tells */
    bool prefers_tabs;           /* where it is to tell */
    size_t line;                 /* where the row begins, counted from 1 */
    char *text;                  /* of all fields, each ended by a NUL */
    size_t length, capacity;
    struct mw_field *field;
    size_t fields, field_capacity;
};
/* The next row that is not empty; fields is 0 after the last one.  Before the first row, lines that begin with # or %
 * are passed over.  Blanks about a field are no part of it unless it is in quotes. */
int mw_record_read(struct mw_input *input, struct mw_record *record);
static inline const char *mw_record_text(const struct mw_record *record, size_t field)
{
    return record->text + record->field[field].start;
}
void mw_record_free(struct mw_record *record);

#endif
/* SPDX-License-Identifier: MIT */

/* Rows of text tables (RFC 4180), with any separator. Internal. */
#ifndef MW_GRAPH_FILE_TABLE_RECORD_H
#define MW_GRAPH_FILE_TABLE_RECORD_H

#include "graph/file/input.h"

struct mw_field {
    size_t start, length;
};
struct mw_record {
    char separator;    /* ',', ';' or a tab; 0: found in the first row */
    bool prefers_tabs; /* if it is to be found */
    size_t line;       /* line where the row begins, counted from 1 */
    char *text;        /* all fields, each ended by a NUL */
    size_t length, capacity;
    struct mw_field *field;
    size_t fields, field_capacity;
};
/* Reads the next nonempty row; fields is 0 after the last one. Before the first row, lines that begin with # or % are
 * skipped. Blanks around a field are removed unless it is quoted. */
int mw_record_read(struct mw_input *input, struct mw_record *record);
static inline const char *mw_record_text(const struct mw_record *record, size_t field)
{
    return record->text + record->field[field].start;
}
void mw_record_free(struct mw_record *record);

#endif
/* SPDX-License-Identifier: MIT */

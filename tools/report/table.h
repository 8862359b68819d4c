/* Text in columns. */
#ifndef TOOLS_TABLE_H
#define TOOLS_TABLE_H

#include "tools/report/output.h"

struct table_cell {
    char *text;
    enum colour colour;
};
struct table {
    const char *titles;
    size_t columns, count;
    struct table_cell *cells;
    bool failed; /* memory ran out */
};
/* Starts a table.  `titles` are separated by |.  A title starting with > aligns right, with ~ may be truncated on a
 * narrow terminal, with / (last column) is wrapped like --help.  Empty titles are not printed. */
void table_start(struct table *table, const char *titles);
/* Adds the next cell, row by row; escapes it as in output.h. */
void table_add(struct table *table, enum colour colour, const char *text);
/* Prints the table and frees it.  MW_ENOMEM. */
int table_print(struct table *table, FILE *stream);

#endif
/* SPDX-License-Identifier: MIT */

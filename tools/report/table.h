/* Columns of text. */
#ifndef TOOLS_TABLE_H
#define TOOLS_TABLE_H

#include "tools/report/output.h"

/* Columns in one text separated by |, with > before a title for alignment to the right, ~ for the column that gives way
 * when a terminal is too narrow, and / for a last one whose words are wrapped as those of --help.  Titles that are all
 * empty are not printed. */
struct table_cell { char *text; enum colour colour; };
struct table { const char *titles; size_t columns, count; struct table_cell *cells; bool failed; };
void table_start(struct table *table, const char *titles);
/* The next cell, from left to right and row by row; written as output.h says. */
void table_add(struct table *table, enum colour colour, const char *text);
/* Also frees it.  MW_ENOMEM. */
int table_print(struct table *table, FILE *stream);

#endif
/* SPDX-License-Identifier: MIT */

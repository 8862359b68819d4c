/* Text files of lines, separated by commas (RFC 4180) or otherwise. */
#ifndef TOOLS_CSV_H
#define TOOLS_CSV_H

#include "tools/cli/text.h"

/* Appends the lines of one element. */
typedef void csv_lines_fn(const void *context, size_t element, struct mw_text *text);
/* Writes a title line (NULL: none) and the lines that `add` appends for each element.  The file is written completely
 * or not at all.  The path - is standard output. */
int csv_write(const char *path, const char *titles, size_t elements, csv_lines_fn *add, const void *context);
/* Appends a name as a cell.  Quotes it if it has commas, quotes or line ends; adds a leading ' if a spreadsheet would
 * evaluate it as a formula (OWASP). */
void csv_cell(struct mw_text *text, const char *cell);
/* Appends a comma and a number; only the comma if it is not finite. */
void csv_real(struct mw_text *text, double value);
/* Appends a vertex name as a cell, then `after`. */
struct mw_names;
void csv_vertex(struct mw_text *text, const struct mw_names *names, size_t vertex, const char *after);

#endif
/* SPDX-License-Identifier: MIT */

/* Files of lines, with commas between (RFC 4180) or otherwise. */
#ifndef TOOLS_CSV_H
#define TOOLS_CSV_H

#include "tools/cli/text.h"

/* Appends the lines of an element. */
typedef void csv_lines_fn(const void *context, size_t element, struct mw_text *text);
/* Writes a line of titles (NULL: none) and what `add` appends for each element: all or nothing, unless the path is -,
 * which is standard output. */
int csv_write(const char *path, const char *titles, size_t elements, csv_lines_fn *add, const void *context);
/* Appends a name as a cell: in quotes where it has commas, quotes or ends of lines; in quotes and after a ' where a
 * spreadsheet would take it for a formula, as OWASP advises. */
void csv_cell(struct mw_text *text, const char *cell);
/* A comma and a number, or where it is not finite nothing. */
void csv_real(struct mw_text *text, double value);
/* The name of a vertex as a cell, before `after`. */
struct mw_names;
void csv_vertex(struct mw_text *text, const struct mw_names *names, size_t vertex, const char *after);

#endif
/* SPDX-License-Identifier: MIT */

/* Prints reports as text. */
#include <string.h>

#include "base/base.h"
#include "tools/report/report_internal.h"
#include "tools/report/table.h"

/* Consecutive rows share their columns.  They are printed when another kind of node follows. */
struct writer {
    FILE *to;
    struct table rows;
    bool has_rows, indented, printed;
};

static int end_rows(struct writer *w)
{
    if (w->has_rows)
        TRY_RETURN(table_print(&w->rows, w->to));
    w->printed |= w->has_rows;
    w->has_rows = false;
    return 0;
}

static void report_text_add_row(struct writer *w, const struct node *node)
{
    if (!w->has_rows)
        table_start(&w->rows, w->indented ? "||" : "|");
    w->has_rows = true;
    if (w->indented)
        table_add(&w->rows, PLAIN, "");
    table_add(&w->rows, DIM, node->title);
    table_add(&w->rows, PLAIN, node->words);
}

/* ---- tables ---- */

static void add_rows(struct table *table, const struct node *list);

static void add_cells(struct table *table, const struct node *row)
{
    for (const struct node *cell = row->first; cell; cell = cell->next)
        if (cell->manner == SAYS_CELL)
            table_add(table, cell->colour, cell->words);
    for (const struct node *child = row->first; child; child = child->next)
        if (child->titles)
            add_rows(table, child);
}

/* Returns whether a child is a row of the table; other children follow the table. */
static bool is_row(const struct node *node) { return node->kind != NODE_WORDS; }

static void add_rows(struct table *table, const struct node *list)
{
    size_t count = 0, i = 0;
    for (const struct node *row = list->first; row; row = row->next)
        count += is_row(row);
    for (const struct node *row = list->first; row && is_row(row); row = row->next, i++) {
        const size_t first = list->most / 2, last = list->most - first - 1;
        const bool hidden = list->most && count > list->most && i >= first && i < count - last;
        if (hidden && i == first)
            for (size_t c = 0; c < table->columns; c++)
                table_add(table, PLAIN, "...");
        if (!hidden)
            add_cells(table, row);
    }
}

static int write_node(struct writer *w, const struct node *node);

static int write_table(struct writer *w, const struct node *node)
{
    struct table table;
    TRY_RETURN(end_rows(w));
    if (node->first && is_row(node->first)) {
        table_start(&table, node->titles);
        add_rows(&table, node);
        if (w->printed)
            fputc('\n', w->to);
        TRY_RETURN(table_print(&table, w->to));
        w->printed = true;
    }
    for (const struct node *child = node->first; child; child = child->next)
        if (!is_row(child))
            TRY_RETURN(write_node(w, child));
    return 0;
}

/* ---- nodes ---- */

static int write_lines(struct writer *w, const struct node *node)
{
    TRY_RETURN(end_rows(w));
    fputs(colour_on(w->to, node->colour), w->to);
    put_printable(node->words, w->to);
    fputs(colour_off(w->to, node->colour), w->to);
    w->printed = true;
    return 0;
}

static int write_node(struct writer *w, const struct node *node)
{
    if (node->titles)
        return write_table(w, node);
    if (node->manner == SAYS_ROW)
        report_text_add_row(w, node);
    if (node->manner == SAYS_SECTION) {
        TRY_RETURN(end_rows(w));
        fputc('\n', w->to);
        TRY_RETURN(write_lines(w, node));
        fputc('\n', w->to);
        w->indented = true;
    }
    if (node->manner == SAYS_LINES)
        TRY_RETURN(write_lines(w, node));
    for (const struct node *child = node->first; child; child = child->next)
        TRY_RETURN(write_node(w, child));
    if (node->manner == SAYS_SECTION) {
        TRY_RETURN(end_rows(w));
        w->indented = false;
    }
    return 0;
}

int report_print_text(const struct node *root)
{
    struct writer w = { .to = results() };
    TRY_RETURN(write_node(&w, root));
    return end_rows(&w);
}
/* SPDX-License-Identifier: MIT */

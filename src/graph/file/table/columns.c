/* Choice of a table's columns for edges: by titles, by number, or the first two. */
#include "graph/file/table/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "graph/file/edge_pieces.h"

#define NONE SIZE_MAX
#define NAMED_MOST 3 /* most columns named in a notice */

static bool is_number(const struct mw_record *row, size_t field)
{
    const char *text = mw_record_text(row, field), *end;
    mw_decimal value;
    return (end = mw_decimal_read(text, &value)) != NULL && *end == '\0';
}

/* Returns the column of a title, exact or else ignoring case. */
static size_t find_title(const struct mw_record *row, const char *title, size_t length)
{
    for (int either_case = 0; either_case < 2; either_case++)
        for (size_t i = 0; i < row->fields; i++) {
            const char *text = mw_record_text(row, i);
            if (row->field[i].length == length &&
                (either_case ? mw_same_start(text, title, length) : memcmp(text, title, length) == 0))
                return i;
        }
    return NONE;
}

/* ---- notices about columns ---- */

/* Lists the marked columns, such as: "a", "b" and 4 more. Numbers replace missing titles. */
static void name_columns(const struct mw_record *row, const bool *marked, bool has_titles, char *text, size_t capacity)
{
    size_t marks = 0, named = 0, length = 0;
    for (size_t i = 0; i < row->fields; i++)
        marks += marked[i];
    for (size_t i = 0; i < row->fields && named < NAMED_MOST && length < capacity; i++) {
        char quoted[MW_QUOTE_CAPACITY];
        const char *comma = named == 0 ? "" : named + 1 == marks ? " and " : ", ";
        if (!marked[i])
            continue;
        named++;
        mw_quote_text(mw_record_text(row, i), row->field[i].length, quoted);
        if (has_titles && *quoted)
            length += (size_t)snprintf(text + length, capacity - length, "%s\"%s\"", comma, quoted);
        else
            length += (size_t)snprintf(text + length, capacity - length, "%s%zu", comma, i + 1);
    }
    if (marks > named && length < capacity)
        snprintf(text + length, capacity - length, " and %zu more", marks - named);
}

/* Logs how the first row is read if it could be a header or an edge. */
static int print_first_row(const struct mw_input *input, const struct mw_record *row, const struct mw_columns *c,
                           bool is_asked)
{
    bool *marked = NULL;
    char text[4 * MW_QUOTE_CAPACITY];
    int rc;
    TRY(mw_new(row->fields, sizeof *marked, &marked));
    marked[c->source] = marked[c->target] = true;
    name_columns(row, marked, true, text, sizeof text);
    if (!c->has_titles)
        mw_log(
            MW_LOG_NOTICE,
            "%s:%zu: the first line is read as an edge, between %s: if it has titles, select columns by their titles",
            input->name, row->line, text);
    else if (is_asked)
        mw_log(MW_LOG_NOTICE, "%s:%zu: the first line is read as titles, since the weight's column has no number there",
               input->name, row->line);
    else
        mw_log(MW_LOG_NOTICE,
               "%s:%zu: the first line is read as titles, and edges are between the columns %s: select "
               "others, or number them if the line is an edge",
               input->name, row->line, text);
out:
    free(marked);
    return rc;
}

static int print_unread(const struct mw_input *input, const struct mw_record *row, const struct mw_columns *c)
{
    bool *marked = NULL;
    char text[4 * MW_QUOTE_CAPACITY];
    size_t unread = 0;
    int rc;
    TRY(mw_new(row->fields, sizeof *marked, &marked));
    for (size_t i = 0; i < row->fields; i++) {
        marked[i] = i != c->source && i != c->target && !(c->has_weight && i == c->weight);
        unread += marked[i];
    }
    if (unread > 0) {
        name_columns(row, marked, c->has_titles, text, sizeof text);
        mw_log(MW_LOG_NOTICE, "%s:%zu: %s %s %s ignored", input->name, row->line, unread > 1 ? "columns" : "column",
               text, unread > 1 ? "are" : "is");
    }
out:
    free(marked);
    return rc;
}

/* ---- the choice ---- */

/* Finds a requested column by title or number. */
static int find_column(const struct mw_input *input, const struct mw_record *row, const char *word, size_t length,
                       bool *is_title, size_t *column)
{
    uint64_t number;
    bool *all = NULL;
    char text[4 * MW_QUOTE_CAPACITY], quoted[MW_QUOTE_CAPACITY];
    int rc = 0;
    *column = find_title(row, word, length);
    *is_title = *column != NONE && !is_number(row, *column);
    if (*column != NONE)
        return 0;
    if (mw_plain_number(word, length, &number) && number >= 1 && number <= row->fields) {
        *column = (size_t)number - 1;
        return 0;
    }
    TRY(mw_new(row->fields, sizeof *all, &all));
    memset(all, true, row->fields);
    name_columns(row, all, true, text, sizeof text);
    mw_quote_text(word, length, quoted);
    rc = mw_fail(MW_EINVAL, "%s:%zu: there is no column \"%s\": choose from %s", input->name, row->line, quoted, text);
out:
    free(all);
    return rc;
}

static int choose_asked(const struct mw_input *input, const struct mw_record *row, const char *asked,
                        struct mw_columns *c, bool *by_title)
{
    size_t column[3], count = 0;
    bool is_title;
    for (const char *at = asked;; at++) {
        const char *comma = strchr(at, ','), *end = comma ? comma : at + strlen(at);
        if (count == MW_COUNT(column))
            return mw_fail(MW_EINVAL, "columns \"%.60s\": expected only a source, a target and a weight", asked);
        TRY_RETURN(find_column(input, row, at, (size_t)(end - at), &is_title, &column[count++]));
        *by_title = *by_title || is_title;
        at = end;
        if (!comma)
            break;
    }
    if (count < 2 || column[0] == column[1] || (count > 2 && (column[2] == column[0] || column[2] == column[1])))
        return mw_fail(MW_EINVAL,
                       "columns \"%.60s\": expected a source, a target and optionally a weight, all different", asked);
    c->source = column[0];
    c->target = column[1];
    c->has_weight = count > 2;
    c->weight = count > 2 ? column[2] : 0;
    return 0;
}

/* Returns whether titles name the endpoints of edges. */
static bool choose_titled(const struct mw_record *row, struct mw_columns *c)
{
    for (size_t i = 0; mw_edge_titles[i].tail; i++) {
        c->source = find_title(row, mw_edge_titles[i].tail, strlen(mw_edge_titles[i].tail));
        c->target = find_title(row, mw_edge_titles[i].head, strlen(mw_edge_titles[i].head));
        if (c->source != NONE && c->target != NONE)
            return true;
    }
    c->source = 0;
    c->target = 1;
    return false;
}

int mw_columns_choose(const struct mw_input *input, const struct mw_record *row, const char *asked,
                      struct mw_columns *columns)
{
    struct mw_columns c = { 0 };
    bool is_known, has_number = false, by_title = false;
    if (row->fields < 2)
        return mw_input_malformed(input, row->line,
                                  "the row has one column, but an edge needs two: separate them by commas, semicolons "
                                  "or tabs");
    for (size_t i = 0; i < row->fields; i++)
        has_number = has_number || is_number(row, i);
    is_known = choose_titled(row, &c);
    if (asked) {
        TRY_RETURN(choose_asked(input, row, asked, &c, &by_title));
        c.has_titles = by_title || (!has_number && (is_known || (c.has_weight && row->field[c.weight].length > 0)));
    } else {
        c.has_titles = is_known || !has_number;
        if (c.has_titles)
            c.weight = find_title(row, "weight", strlen("weight"));
        else
            c.weight = row->fields > 2 && is_number(row, 2) ? 2 : NONE;
        c.has_weight = c.weight != NONE && c.weight != c.source && c.weight != c.target;
    }
    if (!by_title && is_known == has_number)
        TRY_RETURN(print_first_row(input, row, &c, asked != NULL));
    if (!asked)
        TRY_RETURN(print_unread(input, row, &c));
    *columns = c;
    return 0;
}
/* SPDX-License-Identifier: MIT */

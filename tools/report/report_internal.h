/* Nodes of a report's tree, for the two renderers. */
#ifndef TOOLS_REPORT_INTERNAL_H
#define TOOLS_REPORT_INTERNAL_H

#include "tools/report/report.h"

enum node_kind { NODE_WORDS, NODE_TEXT, NODE_COUNT, NODE_REAL, NODE_FLAG, NODE_NONE, NODE_OBJECT, NODE_LIST };
enum unit { UNIT_NONE, UNIT_BYTES, UNIT_SECONDS };
enum manner { SAYS_NOTHING, SAYS_ROW, SAYS_CELL, SAYS_LINES, SAYS_SECTION };

struct node {
    enum node_kind kind;
    enum unit unit;
    char *key; /* NULL: in a list, or without a value */
    union {
        char *text;
        uint64_t count;
        double real;
        bool flag;
    } value;
    enum manner manner;
    enum colour colour;
    char *title, *words;
    const char *titles;               /* titles of a table; NULL: not a table */
    size_t most;                      /* row limit of a table; 0: all rows */
    struct node *first, *last, *next; /* children; next child of the parent */
};

int report_print_text(const struct node *root);
int report_print_json(const struct node *root);
/* Copies a text as valid UTF-8 for JSON: other bytes become "?".  NULL: out of memory. */
struct json_t *report_json_text(const char *text);

#endif
/* SPDX-License-Identifier: MIT */

/* Reports: building the tree. */
#include "tools/report/report.h"

#include <stdarg.h>
#include <stdio.h>

#include "tools/cli/text.h"
#include "tools/report/report_internal.h"

static bool is_json;
/* Replaces any node that could not be allocated.  Values put into it are dropped, and the report is not printed. */
static struct node forgotten;
static bool lost;

void report_as_json(bool json) { is_json = json; }

bool report_is_json(void) { return is_json; }

/* ---- the tree ---- */

static char *copied(const char *text)
{
    char *copy = NULL;
    lost |= mw_strdup(text, &copy) != 0;
    return copy;
}

static struct node *node_new(enum node_kind kind)
{
    struct node *node = NULL;
    if (mw_new(1, sizeof(*node), &node) != 0) {
        lost = true;
        return &forgotten;
    }
    node->kind = kind;
    return node;
}

static struct node *put(struct node *to, const char *key, enum node_kind kind)
{
    struct node *node = to == &forgotten ? to : node_new(kind);
    if (node == &forgotten)
        return node;
    node->key = key ? copied(key) : NULL;
    *(to->last ? &to->last->next : &to->first) = node;
    to->last = node;
    return node;
}

struct node *report_object(void) { return node_new(NODE_OBJECT); }
struct node *report_list(void) { return node_new(NODE_LIST); }

struct node *report_table(const char *titles)
{
    struct node *table = node_new(NODE_LIST);
    table->titles = titles;
    return table;
}

void report_free(struct node *root)
{
    if (!root || root == &forgotten)
        return;
    for (struct node *child = root->first, *next; child; child = next) {
        next = child->next;
        report_free(child);
    }
    if (root->kind == NODE_TEXT)
        free(root->value.text);
    free(root->key);
    free(root->title);
    free(root->words);
    free(root);
}

/* ---- notes ---- */

static void put_notes(struct node *root)
{
    struct node *notes = NULL;
    if (root == &forgotten || root->kind != NODE_OBJECT)
        return;
    for (size_t i = 0; output_note(i); i++) {
        notes = notes ? notes : put_list(root, "notes");
        put_text(notes, NULL, output_note(i));
    }
}

int report_end(struct node *root, int rc)
{
    if (rc == 0 && root)
        return report_print(root);
    report_free(root);
    return rc;
}

int report_print(struct node *root)
{
    int rc;
    if (is_json)
        put_notes(root);
    rc = lost ? mw_fail(MW_ENOMEM, "out of memory for a report") : 0;
    if (!rc)
        rc = is_json ? report_print_json(root) : report_print_text(root);
    report_free(root);
    return rc;
}

/* ---- values ---- */

struct node *put_text(struct node *to, const char *key, const char *value)
{
    struct node *node = put(to, key, NODE_TEXT);
    if (node != &forgotten)
        node->value.text = copied(value);
    return node;
}

struct node *put_count(struct node *to, const char *key, uint64_t value)
{
    struct node *node = put(to, key, NODE_COUNT);
    node->value.count = value;
    return node;
}

struct node *put_bytes(struct node *to, const char *key, uint64_t value)
{
    struct node *node = put_count(to, key, value);
    node->unit = UNIT_BYTES;
    return node;
}

struct node *put_real(struct node *to, const char *key, double value)
{
    struct node *node = put(to, key, NODE_REAL);
    node->value.real = value;
    return node;
}

struct node *put_seconds(struct node *to, const char *key, double value)
{
    struct node *node = put_real(to, key, value);
    node->unit = UNIT_SECONDS;
    return node;
}

struct node *put_flag(struct node *to, const char *key, bool value)
{
    struct node *node = put(to, key, NODE_FLAG);
    node->value.flag = value;
    return node;
}

struct node *put_checksum(struct node *to, const char *key, uint64_t value)
{
    return put_text(to, key, checksum_text(value).text);
}

struct node *put_seed(struct node *to, uint64_t seed)
{
    struct node *number = put_count(to, "seed", seed);
    put_checksum(to, "seed_hex", seed);
    return number;
}

struct node *put_none(struct node *to, const char *key) { return put(to, key, NODE_NONE); }
struct node *put_object(struct node *to, const char *key) { return put(to, key, NODE_OBJECT); }
struct node *put_list(struct node *to, const char *key) { return put(to, key, NODE_LIST); }
struct node *put_words(struct node *to) { return put(to, NULL, NODE_WORDS); }

struct node *put_table(struct node *to, const char *key, const char *titles)
{
    struct node *table = put_list(to, key);
    table->titles = titles;
    return table;
}

struct node *put_keyed_table(struct node *to, const char *key, const char *titles)
{
    struct node *table = put_object(to, key);
    table->titles = titles;
    return table;
}

void table_shows(struct node *table, size_t most) { table->most = most; }

/* ---- words ---- */

static void MW_PRINTF(4, 0)
    set_words(struct node *node, enum manner manner, enum colour colour, const char *format, va_list ap)
{
    char *words = NULL;
    if (node == &forgotten)
        return;
    if (vasprintf(&words, format, ap) < 0) {
        words = NULL;
        lost = true;
    }
    free(node->words);
    node->words = words;
    node->manner = words ? manner : SAYS_NOTHING;
    node->colour = colour;
}

/* clang-format off */
#define SET_WORDS(node, manner, colour) \
    do { va_list ap; va_start(ap, format); set_words(node, manner, colour, format, ap); va_end(ap); } while (0)
/* clang-format on */

struct node *put_section(struct node *to, const char *format, ...)
{
    struct node *node = put_words(to);
    SET_WORDS(node, SAYS_SECTION, BOLD);
    return node;
}

static void set_title(struct node *node, const char *title)
{
    if (node == &forgotten)
        return;
    free(node->title);
    node->title = copied(title);
    if (!node->title)
        node->manner = SAYS_NOTHING;
}

void show_row(struct node *node, const char *title, const char *format, ...)
{
    SET_WORDS(node, SAYS_ROW, PLAIN);
    set_title(node, title);
}

void show_cell(struct node *node, enum colour colour, const char *format, ...) { SET_WORDS(node, SAYS_CELL, colour); }

void show_lines(struct node *node, enum colour colour, const char *format, ...) { SET_WORDS(node, SAYS_LINES, colour); }

void show_value_cell(struct node *node, enum colour colour)
{
    const unsigned long long count = node->value.count;

    if (node->kind == NODE_TEXT)
        show_cell(node, colour, "%s", node->value.text ? node->value.text : "");
    else if (node->kind == NODE_COUNT && node->unit == UNIT_BYTES)
        show_cell(node, colour, "%s", bytes_text(count).text);
    else if (node->kind == NODE_COUNT)
        show_cell(node, colour, "%llu", count);
    else if (node->kind == NODE_REAL && node->unit == UNIT_SECONDS)
        show_cell(node, colour, "%s", seconds_text(node->value.real).text);
    else if (node->kind == NODE_REAL)
        show_cell(node, colour, "%g", node->value.real);
    else if (node->kind == NODE_FLAG)
        show_cell(node, colour, "%s", node->value.flag ? "yes" : "no");
}

void show_value(struct node *node, const char *title)
{
    show_value_cell(node, PLAIN);
    node->manner = SAYS_ROW;
    set_title(node, title);
}
/* SPDX-License-Identifier: MIT */

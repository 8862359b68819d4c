/* Text in columns. */
#include "tools/report/table.h"

#include <stdlib.h>
#include <string.h>

#include "tools/cli/text.h"

void table_start(struct table *table, const char *titles)
{
    *table = (struct table){ .titles = titles, .columns = 1 };
    for (const char *c = titles; *c; c++)
        table->columns += *c == '|';
}

void table_add(struct table *table, enum colour colour, const char *text)
{
    char *copy = NULL;
    if (mw_grow(table->count, sizeof(*table->cells), &table->cells) != 0) {
        table->failed = true;
        return;
    }
    table->failed |= text_printable(text, &copy) != 0;
    table->cells[table->count++] = (struct table_cell){ copy, colour };
}

/* Counts the characters of UTF-8 text: bytes that are not continuation bytes. */
static size_t characters(const char *text, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

/* Prints one cell in its column, truncated if the column is narrower. */
static void print_cell(FILE *stream, const char *text, size_t bytes, size_t width, bool right, bool last,
                       enum colour colour)
{
    size_t n = characters(text, bytes), pad;
    bool cut = n > width && width > 3;
    while (cut && characters(text, bytes) > width - 3)
        bytes--;
    n = cut ? width : n;
    pad = n < width ? width - n : 0;
    fprintf(stream, "%*s%s%.*s%s%s%*s%s", right ? (int)pad : 0, "", colour_on(stream, colour), (int)bytes, text,
            cut ? "..." : "", colour_off(stream, colour), right || last ? 0 : (int)pad, "", last ? "\n" : "  ");
}

struct column {
    const char *title;
    size_t bytes, width;
    bool right, gives_way, wraps;
};

/* Prints the last column wrapped, to the right of the others. */
static int print_wrapped(const struct table *table, const struct column *columns, const char *words, FILE *stream)
{
    struct mw_text text = { 0 };
    size_t indent = 0;
    int rc;
    for (size_t i = 0; i + 1 < table->columns; i++)
        indent += columns[i].width + 2;
    text_wrap(&text, indent, indent, help_width(), words);
    TRY(mw_text_ok(&text));
    fputs(text.data, stream);
out:
    mw_text_free(&text);
    return rc;
}

static void print_titles(const struct table *table, const struct column *columns, FILE *stream)
{
    size_t last = table->columns - 1;
    bool titled = false;
    for (size_t i = 0; i < table->columns; i++)
        titled |= columns[i].bytes != 0;
    if (columns[last].wraps && !columns[last].bytes)
        last--;
    for (size_t i = 0; titled && i <= last; i++)
        print_cell(stream, columns[i].title, columns[i].bytes, columns[i].width, columns[i].right, i == last, BOLD);
}

static int print_rows(const struct table *table, const struct column *columns, FILE *stream)
{
    print_titles(table, columns, stream);
    for (size_t i = 0; i < table->count; i++) {
        const struct column *c = &columns[i % table->columns];
        const char *text = table->cells[i].text;
        if (c->wraps)
            TRY_RETURN(print_wrapped(table, columns, text, stream));
        else
            print_cell(stream, text, strlen(text), c->width, c->right, (i + 1) % table->columns == 0,
                       table->cells[i].colour);
    }
    return 0;
}

static void read_titles(const char *title, struct column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct column *c = &columns[i];
        for (; *title && strchr(">~/", *title); title++)
            *(*title == '>' ? &c->right : *title == '~' ? &c->gives_way : &c->wraps) = true;
        c->title = title;
        c->bytes = strcspn(title, "|");
        c->width = c->bytes;
        title += c->bytes + 1;
    }
}

/* Narrows the flexible columns until the table fits. */
static void make_fit(struct column *columns, size_t count, size_t room)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += columns[i].width + 2;
    total -= 2;
    for (size_t i = 0; i < count && total > room; i++)
        if (columns[i].gives_way) {
            size_t least = columns[i].width < 12 ? columns[i].width : 12, over = total - room;
            size_t less = columns[i].width - least < over ? columns[i].width - least : over;
            columns[i].width -= less;
            total -= less;
        }
}

static void table_free(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    *table = (struct table){ 0 };
}

int table_print(struct table *table, FILE *stream)
{
    struct column *columns = NULL;
    int rc;
    TRY(mw_new(table->columns, sizeof(*columns), &columns));
    if (table->failed)
        TRY(mw_fail(MW_ENOMEM, "out of memory for a table"));
    read_titles(table->titles, columns, table->columns);
    for (size_t i = 0; i < table->count; i++) {
        struct column *c = &columns[i % table->columns];
        size_t n = characters(table->cells[i].text, strlen(table->cells[i].text));
        c->width = n > c->width ? n : c->width;
    }
    make_fit(columns, table->columns, terminal_width(stream, SIZE_MAX));
    TRY(print_rows(table, columns, stream));
out:
    free(columns);
    table_free(table);
    return rc;
}
/* SPDX-License-Identifier: MIT */

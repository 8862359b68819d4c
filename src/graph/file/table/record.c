/* Rows of text tables (RFC 4180): fields between separators. A quoted field may contain separators and newlines, and a
 * quote written as two. */
#include "graph/file/table/record.h"

#include "base/formula.h"

#include <stdlib.h>
#include <string.h>

static int add_text(const struct mw_input *input, struct mw_record *r, const char *text, size_t length)
{
    if (length > MW_LINE_MAX || r->length > MW_LINE_MAX)
        return mw_input_malformed(input, r->line, "a row has more than %zu bytes", MW_LINE_MAX);
    TRY_RETURN(mw_reserve(r->length, length, 1, &r->capacity, &r->text));
    if (length > 0) /* text may still be NULL */
        memcpy(r->text + r->length, text, length);
    r->length += length;
    return 0;
}

/* Removes the apostrophe before a quoted name that a spreadsheet would otherwise evaluate (base/formula.h). */
static int unmark(const struct mw_input *input, struct mw_record *r)
{
    const size_t start = r->field[r->fields].start;
    TRY_RETURN(add_text(input, r, "", 1));
    r->length--;
    if (r->text[start] == '\'' && mw_is_formula(r->text + start)) {
        memmove(r->text + start, r->text + start + 1, r->length - start);
        r->length--;
    }
    return 0;
}

static int end_field(const struct mw_input *input, struct mw_record *r)
{
    r->field[r->fields].length = r->length - r->field[r->fields].start;
    r->fields++;
    return add_text(input, r, "", 1);
}

/* Takes a quoted field, from after the opening quote to after the closing one, which may be in a later line. */
static int take_quoted(struct mw_input *input, struct mw_record *r, const char **at, const char **end)
{
    for (const char *s = *at;;) {
        const char *quote = memchr(s, '"', (size_t)(*end - s));
        TRY_RETURN(add_text(input, r, s, (size_t)((quote ? quote : *end) - s)));
        if (quote && quote + 1 < *end && quote[1] == '"') {
            TRY_RETURN(add_text(input, r, "\"", 1));
            s = quote + 2;
        } else if (quote) {
            *at = quote + 1;
            break;
        } else {
            TRY_RETURN(add_text(input, r, "\n", 1));
            TRY_RETURN(mw_input_line(input, &s, end));
            if (!s)
                return mw_input_malformed(input, r->line, "a quoted field has no closing quote");
        }
    }
    return 0;
}

/* Takes a field; *at becomes the separator after it, or the end. */
static int take_field(struct mw_input *input, struct mw_record *r, const char **at, const char **end)
{
    const char *s = *at;
    TRY_RETURN(mw_reserve(r->fields, 1, sizeof *r->field, &r->field_capacity, &r->field));
    r->field[r->fields].start = r->length;
    while (s < *end && *s == ' ')
        s++;
    if (s < *end && *s == '"') {
        s++;
        TRY_RETURN(take_quoted(input, r, &s, end));
        TRY_RETURN(unmark(input, r));
        while (s < *end && *s == ' ')
            s++;
        if (s < *end && *s != r->separator)
            return mw_input_malformed(input, input->lines,
                                      "a separator must follow a quoted field; a quote in it is written as two");
    } else {
        const char *separator = memchr(s, r->separator, (size_t)(*end - s)), *last = separator ? separator : *end;
        *at = last;
        while (last > s && last[-1] == ' ')
            last--;
        TRY_RETURN(add_text(input, r, s, (size_t)(last - s)));
        s = *at;
    }
    *at = s;
    return end_field(input, r);
}

/* Returns the most frequent separator in the first row, outside of quotes. */
static char find_separator(const struct mw_record *r, const char *at, const char *end)
{
    size_t commas = 0, semicolons = 0, tabs = 0;
    bool quoted = false;
    for (; at < end; at++) {
        quoted ^= *at == '"';
        commas += !quoted && *at == ',';
        semicolons += !quoted && *at == ';';
        tabs += !quoted && *at == '\t';
    }
    if (tabs > 0 && (r->prefers_tabs || (tabs >= commas && tabs >= semicolons)))
        return '\t';
    return semicolons > commas ? ';' : ',';
}

int mw_record_read(struct mw_input *input, struct mw_record *r)
{
    const char *at, *end, *s;
    r->fields = r->length = 0;
    for (;;) {
        TRY_RETURN(mw_input_line(input, &at, &end));
        if (!at)
            return 0;
        for (s = at; s < end && (*s == ' ' || *s == '\t');)
            s++;
        if (s < end && (r->separator || (*s != '#' && *s != '%')))
            break;
    }
    r->line = input->lines;
    if (!r->separator)
        r->separator = find_separator(r, at, end);
    for (;; at++) {
        TRY_RETURN(take_field(input, r, &at, &end));
        if (at >= end)
            break;
    }
    return 0;
}

void mw_record_free(struct mw_record *record)
{
    free(record->text);
    free(record->field);
    *record = (struct mw_record){ 0 };
}
/* SPDX-License-Identifier: MIT */

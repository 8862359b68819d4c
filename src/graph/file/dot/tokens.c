/* Tokens of the DOT language (graphviz.org/doc/info/lang.html). */
#include "graph/file/dot/tokens.h"

#include <string.h>

/* Skips a comment after its first character, a slash. */
static int skip_comment(struct mw_scan *s)
{
    int c = mw_scan_peek(s), last = 0;
    if (c == '/') {
        mw_scan_skip_line(s);
        return 0;
    }
    if (c != '*')
        return mw_scan_wrong(s, "expected a comment, found \"/\"");
    mw_scan_take(s);
    while ((c = mw_scan_take(s)) >= 0 && !(last == '*' && c == '/'))
        last = c;
    return c < 0 ? mw_scan_wrong(s, "expected the comment's end, found the end of the file") : 0;
}

/* Skips blanks and comments. A line that begins with # is one, too: the C preprocessor writes these. */
static int skip_blanks(struct mw_scan *s)
{
    for (int c; (c = mw_scan_peek(s)) == ' ' || (c >= '\t' && c <= '\r') || c == '/' || (c == '#' && s->column == 1);) {
        const size_t line = s->text_line, column = s->text_column;
        if (c == '#') {
            mw_scan_skip_line(s);
            continue;
        }
        s->text_line = s->line;
        s->text_column = s->column;
        mw_scan_take(s);
        if (c == '/')
            TRY_RETURN(skip_comment(s));
        s->text_line = line;
        s->text_column = column;
    }
    return s->status;
}

/* Appends a text in quotes. The escape \" is a quote; a backslash before a line's end joins the lines. */
static int take_quoted(struct mw_scan *s)
{
    int c;
    mw_scan_take(s);
    while ((c = mw_scan_take(s)) >= 0 && c != '"') {
        const int after = c == '\\' ? mw_scan_peek(s) : 0;
        if (after == '\n') {
            mw_scan_take(s);
            continue;
        }
        mw_scan_add(s, after == '"' ? mw_scan_take(s) : c);
        if (after == '\\')
            mw_scan_add(s, mw_scan_take(s));
    }
    return c < 0 ? mw_scan_wrong(s, "expected the text's closing quote, found the end of the file") : 0;
}

/* Takes texts in quotes that + concatenates. */
static int take_quoted_sum(struct mw_scan *s)
{
    while (true) {
        TRY_RETURN(take_quoted(s));
        TRY_RETURN(skip_blanks(s));
        if (mw_scan_peek(s) != '+')
            return 0;
        mw_scan_take(s);
        TRY_RETURN(skip_blanks(s));
        if (mw_scan_peek(s) != '"')
            return mw_scan_wrong(s, "expected a text in quotes after +");
    }
}

static int take_html(struct mw_scan *s)
{
    size_t depth = 0;
    do {
        const int c = mw_scan_take(s);
        if (c < 0)
            return mw_scan_wrong(s, "expected the closing > of HTML, found the end of the file");
        depth += c == '<';
        depth -= c == '>';
        mw_scan_add(s, c);
    } while (depth > 0);
    return 0;
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80 || (c >= '0' && c <= '9');
}

/* Takes a word, or a number, which may have a sign and a point. Words that begin with a digit are accepted. */
static int take_word(struct mw_scan *s, int *token)
{
    static const char *const keywords[] = { "graph", "digraph", "subgraph", "node", "edge", "strict" };
    const int first = mw_scan_peek(s);
    const bool is_number = first == '-' || first == '.' || (first >= '0' && first <= '9');
    int c;
    if (first == '-')
        mw_scan_add(s, mw_scan_take(s));
    if (first == '-' && ((c = mw_scan_peek(s)) == '-' || c == '>')) {
        mw_scan_add(s, mw_scan_take(s));
        *token = c == '-' ? MW_DOT_LINE : MW_DOT_TO;
        return 0;
    }
    while (is_letter(c = mw_scan_peek(s)) || (is_number && c == '.'))
        mw_scan_add(s, mw_scan_take(s));
    *token = MW_DOT_ID;
    for (size_t i = 0; i < MW_COUNT(keywords); i++)
        if (s->length == strlen(keywords[i]) && mw_same_start(s->text, keywords[i], s->length))
            *token = MW_DOT_GRAPH + (int)i;
    return 0;
}

int mw_dot_next(struct mw_scan *s, int *token)
{
    int c;
    TRY_RETURN(skip_blanks(s));
    mw_scan_begin(s);
    c = mw_scan_peek(s);
    *token = MW_DOT_ID;
    if (c == '"')
        return take_quoted_sum(s);
    if (c == '<')
        return take_html(s);
    if (is_letter(c) || c == '-' || c == '.')
        return take_word(s, token);
    if (c > ' ' && c < 0x7f && strchr("{}[];,=:", c)) {
        *token = c;
        mw_scan_add(s, mw_scan_take(s));
        return 0;
    }
    *token = MW_DOT_END;
    return c < 0 ? s->status
                 : mw_scan_wrong(s, "expected a name or one of {}[];,=:, found the byte 0x%02x", (unsigned)c);
}
/* SPDX-License-Identifier: MIT */

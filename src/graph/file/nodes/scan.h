/* Characters and texts of formats that are not line-based. Internal. */
#ifndef MW_GRAPH_FILE_NODES_SCAN_H
#define MW_GRAPH_FILE_NODES_SCAN_H

#include "graph/file/text.h"

/* The characters of an input, with the position of the next one for messages. */
struct mw_scan {
    struct mw_input *input;
    char *buffer;        /* characters read; NULL before mw_scan_start */
    size_t at, have;     /* index of the next character; number of characters in `buffer` */
    bool ended;          /* `buffer` has the last characters of the input */
    size_t line, column; /* position of the next character, counted from 1 */
    int status;          /* failure of reading the input, or 0; after it, the characters end */
    char *text;          /* the last text taken, ended by a NUL; has at most MW_NAME_MAX + 1 characters of it */
    size_t length;       /* number of characters in `text` */
    size_t text_line, text_column; /* position of its first character */
};
/* Begins to read the characters of an input. The caller calls mw_scan_free, also after a failure. */
int mw_scan_start(struct mw_input *input, struct mw_scan *scan);
/* Frees the memory of a scan. */
void mw_scan_free(struct mw_scan *scan);
/* Reads more characters; returns the next one as mw_scan_peek does. */
int mw_scan_fill(struct mw_scan *scan);
/* Returns the next character without taking it, or -1 at the end of the input. */
static inline int mw_scan_peek(struct mw_scan *scan)
{
    return scan->at < scan->have ? (unsigned char)scan->buffer[scan->at] : mw_scan_fill(scan);
}
/* Takes the next character, and returns it, or -1 at the end of the input. */
static inline int mw_scan_take(struct mw_scan *scan)
{
    const int c = mw_scan_peek(scan);
    if (c < 0)
        return c;
    scan->at++;
    scan->column = c == '\n' ? 1 : scan->column + 1;
    scan->line += c == '\n';
    return c;
}
/* Begins a text at the next character. */
void mw_scan_begin(struct mw_scan *scan);
/* Appends a character to the text. Characters beyond MW_NAME_MAX + 1 are dropped. */
static inline void mw_scan_add(struct mw_scan *scan, int c)
{
    if (scan->length > MW_NAME_MAX)
        return;
    scan->text[scan->length++] = (char)c;
    scan->text[scan->length] = '\0';
}
/* Reports that the file is malformed at the begin of the last text, or the failure of reading the input. Returns its
 * status. */
int mw_scan_wrong(const struct mw_scan *scan, const char *format, ...) MW_PRINTF(2, 3);
/* Reports that `what` was expected instead of the last text, or, if `ended`, of the end of the file. */
int mw_scan_expected(const struct mw_scan *scan, const char *what, bool ended);
/* Takes the rest of the line. */
void mw_scan_skip_line(struct mw_scan *scan);

#endif
/* SPDX-License-Identifier: MIT */

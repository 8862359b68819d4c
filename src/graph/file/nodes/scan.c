/* Characters and texts of formats that are not line-based. */
#include "graph/file/nodes/scan.h"

#include <stdio.h>
#include <stdlib.h>

#define BUFFER ((size_t)65536)

int mw_scan_start(struct mw_input *input, struct mw_scan *scan)
{
    *scan = (struct mw_scan){ .input = input, .line = 1, .column = 1, .text_line = 1, .text_column = 1 };
    TRY_RETURN(mw_new(BUFFER, 1, &scan->buffer));
    return mw_new(MW_NAME_MAX + 2, 1, &scan->text);
}

void mw_scan_free(struct mw_scan *scan)
{
    free(scan->buffer);
    free(scan->text);
    *scan = (struct mw_scan){ 0 };
}

int mw_scan_fill(struct mw_scan *scan)
{
    if (scan->ended)
        return -1;
    scan->at = scan->have = 0;
    scan->status = mw_input_read(scan->input, scan->buffer, BUFFER, &scan->have);
    scan->have = scan->status ? 0 : scan->have;
    scan->ended = scan->have < BUFFER;
    return scan->have ? (unsigned char)scan->buffer[0] : -1;
}

void mw_scan_begin(struct mw_scan *scan)
{
    scan->length = 0;
    scan->text[0] = '\0';
    scan->text_line = scan->line;
    scan->text_column = scan->column;
}

int mw_scan_wrong(const struct mw_scan *scan, const char *format, ...)
{
    char reason[200];
    va_list args;
    if (scan->status)
        return scan->status;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return mw_fail(MW_EDATA, "%s:%zu:%zu: %s", scan->input->name, scan->text_line, scan->text_column, reason);
}

int mw_scan_expected(const struct mw_scan *scan, const char *what, bool ended)
{
    char quoted[MW_QUOTE_CAPACITY];
    return ended ? mw_scan_wrong(scan, "expected %s, found the end of the file", what)
                 : mw_scan_wrong(scan, "expected %s, found \"%s\"", what,
                                 mw_quote_text(scan->text, scan->length, quoted));
}

void mw_scan_skip_line(struct mw_scan *scan)
{
    while (mw_scan_peek(scan) >= 0 && mw_scan_take(scan) != '\n')
        continue;
}
/* SPDX-License-Identifier: MIT */

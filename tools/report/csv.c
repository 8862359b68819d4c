/* CSV files. */
#include "tools/report/csv.h"

#include <meshwork/file.h>
#include <meshwork/graph.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/formula.h"
#include "tools/report/files.h"
#include "tools/report/numbers.h"
#include "tools/report/output.h"

#define BLOCK_BYTES ((size_t)1 << 20)

/* Writes the appended text; without a file, to standard output, which is checked when the command ends. */
static int put_block(struct mw_text *text, struct mw_file *file)
{
    TRY_RETURN(mw_text_ok(text));
    if (file && text->length)
        TRY_RETURN(mw_file_write(file, text->data, text->length));
    else if (text->length && isatty(STDOUT_FILENO))
        put_printable(text->data, stdout);
    else if (text->length)
        fwrite(text->data, 1, text->length, stdout);
    text->length = 0;
    return 0;
}

int csv_write(const char *path, const char *titles, size_t elements, csv_lines_fn *add, const void *context)
{
    struct mw_file *file = NULL;
    struct mw_text text = { 0 };
    int rc = 0;
    if (strcmp(path, "-") != 0)
        TRY(mw_file_create(path, true, &file));
    if (titles)
        mw_text_add(&text, "%s\n", titles);
    for (size_t i = 0; i < elements; i++) {
        add(context, i, &text);
        if (text.length >= BLOCK_BYTES)
            TRY(put_block(&text, file));
    }
    TRY(put_block(&text, file));
    if (file)
        rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    mw_text_free(&text);
    return rc;
}

void csv_cell(struct mw_text *text, const char *cell)
{
    const bool formula = mw_is_formula(cell);
    if (!formula && !cell[strcspn(cell, ",\"\r\n")]) {
        mw_text_append(text, cell, strlen(cell));
        return;
    }
    mw_text_add(text, formula ? "\"'" : "\"");
    for (; *cell; cell++)
        mw_text_add(text, *cell == '"' ? "\"\"" : "%c", *cell);
    mw_text_add(text, "\"");
}

void csv_real(struct mw_text *text, double value)
{
    mw_text_add(text, ",%s", isfinite(value) ? real_text(value).text : "");
}

void csv_vertex(struct mw_text *text, const struct mw_names *names, size_t vertex, const char *after)
{
    char own[MW_NAME_CAPACITY];
    csv_cell(text, mw_name(names, vertex, own));
    mw_text_append(text, after, strlen(after));
}
/* SPDX-License-Identifier: MIT */

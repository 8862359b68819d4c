/* Files of lines with commas between. */
#include "tools/report/csv.h"

#include <meshwork/file.h>

#include <string.h>

#include "tools/report/files.h"

#define BLOCK_BYTES ((size_t)1 << 20)

int csv_writable(const char *option, const char *path)
{
    if (path && !text_ends_in(path, ".csv"))
        return mw_fail(MW_EINVAL, "--%s: '%s' does not end in .csv", option, path);
    return path ? file_writable(path) : 0;
}

int csv_write(const char *path, const char *titles, size_t elements, csv_lines_fn *add, const void *context)
{
    struct mw_file *file = NULL;
    struct text text = { 0 };
    int rc;

    TRY(mw_file_create(path, false, &file));
    text_add(&text, "%s\n", titles);
    for (size_t i = 0; i < elements; i++) {
        add(context, i, &text);
        TRY(text_ok(&text));
        if (text.length < BLOCK_BYTES)
            continue;
        TRY(mw_file_write(file, text.data, text.length));
        text.length = 0;
    }
    TRY(text_ok(&text));
    TRY(mw_file_write(file, text.data, text.length));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    text_free(&text);
    return rc;
}

void csv_cell(struct text *text, const char *cell)
{
    if (!cell[strcspn(cell, ",\"\r\n")]) {
        text_append(text, cell, strlen(cell));
        return;
    }
    text_add(text, "\"");
    for (; *cell; cell++)
        text_add(text, *cell == '"' ? "\"\"" : "%c", *cell);
    text_add(text, "\"");
}

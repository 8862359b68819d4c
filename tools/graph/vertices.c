/* Files of results per vertex.  The subcommands make the values of a vertex as text. */
#include "tools/graph/vertices.h"

#include <meshwork/io.h>

#include <math.h>

#include "base/base.h"
#include "tools/cli/text.h"
#include "tools/report/csv.h"
#include "tools/report/files.h"

struct table {
    const struct mw_graph *graph;
    const struct mw_vertex_data *data;
};

static bool is_graphml(const char *path) { return text_ends_in(path, ".graphml") || text_ends_in(path, ".graphml.gz"); }

int vertices_writable(const char *option, const char *path)
{
    if (!path || !strcmp(path, "-") || text_ends_in(path, ".csv"))
        return file_kind_writable(option, path, ".csv");
    if (text_ends_in(path, ".npy"))
        return file_kind_writable(option, path, ".npy");
    if (!is_graphml(path))
        return mw_fail(MW_EINVAL,
                       "--%s: '%s' must end in .csv, .npy, .graphml or .graphml.gz, or be -, a table on "
                       "standard output",
                       option, path);
    return file_writable(path);
}

static void add_row(const void *context, size_t v, struct mw_text *text)
{
    const struct table *t = context;
    char cells[MW_VERTEX_CELLS];
    const char *at = cells;
    t->data->cells(t->data->context, v, cells);
    csv_vertex(text, t->graph->names, v, "");
    for (size_t i = 0; t->data->column[i].name; i++) {
        const size_t length = strcspn(at, ",");
        mw_text_append(text, ",", 1);
        if (length && t->data->column[i].kind == MW_VERTEX_NAME)
            csv_vertex(text, t->graph->names, (size_t)strtoull(at, NULL, 10), "");
        else
            mw_text_append(text, at, length);
        at += length + (at[length] == ',');
    }
    mw_text_append(text, "\n", 1);
}

static int write_rows(const char *path, const struct table *t)
{
    struct mw_text titles = { 0 };
    int rc;
    mw_text_add(&titles, "vertex");
    for (size_t i = 0; t->data->column[i].name; i++)
        mw_text_add(&titles, ",%s", t->data->column[i].name);
    TRY(mw_text_ok(&titles));
    TRY(csv_write(path, titles.data, t->graph->vertices, add_row, t));
out:
    mw_text_free(&titles);
    return rc;
}

static int write_array(const char *path, const struct table *t)
{
    size_t columns = 0;
    struct mw_array array = { 0 };
    int rc;
    while (t->data->column[columns].name)
        columns++;
    TRY(columns == 1 ? mw_array_new(MW_TYPE_F64, 1, &t->graph->vertices, &array)
                     : mw_array_new(MW_TYPE_F64, 2, (const size_t[]){ columns, t->graph->vertices }, &array));
    for (size_t v = 0; v < t->graph->vertices; v++) {
        char cells[MW_VERTEX_CELLS];
        const char *at = cells;
        t->data->cells(t->data->context, v, cells);
        for (size_t i = 0; i < columns; i++) {
            const size_t length = strcspn(at, ",");
            ((double *)array.data)[v * columns + i] = length ? strtod(at, NULL) : NAN;
            at += length + (at[length] == ',');
        }
    }
    TRY(mw_npy_write(path, &array));
out:
    mw_array_free(&array);
    return rc;
}

int vertices_write(const char *path, const struct mw_graph *graph, const struct mw_vertex_data *data)
{
    const struct table t = { graph, data };
    const struct mw_graph_file_options options = { .size = sizeof options, .format = "graphml", .vertex_data = data };
    if (text_ends_in(path, ".npy"))
        return write_array(path, &t);
    return is_graphml(path) ? mw_graph_write(graph, path, &options) : write_rows(path, &t);
}
/* SPDX-License-Identifier: MIT */

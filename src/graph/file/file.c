/* Graph files: the table of formats, and detection of a file's format. */
#include "graph/file/formats.h"
#include "graph/file/text.h"

#include <string.h>

MW_ENUM_NAMES(
    vertex_kind,
    "kind of values of vertices", [MW_VERTEX_COUNT] = "count", [MW_VERTEX_REAL] = "real", [MW_VERTEX_NAME] = "name")

#define FORMAT_NAMES "edges, mtx, metis, graphml, gml, pajek, dot, npz, csv, tsv or binary"
#define WRITTEN_NAMES "edges, mtx, metis, graphml, gml, npz, csv, tsv or binary"

/* clang-format off */
static const struct format {
    struct mw_variant shown;
    const char *suffixes[3];
    const char *begins[2];       /* first bytes that identify the format, ignoring case */
    bool is_text;                /* may be compressed, and begin with blanks */
    mw_edges_reader *read;
    mw_graph_writer *write;
} formats[] = {
    { { "edges", "edge list: two names per line, # and % begin comments (SNAP)", NULL },
      { ".el", ".txt", ".edges" }, { NULL }, true, mw_edges_read_list, mw_graph_write_list },
    { { "mtx", "Matrix Market, coordinate format", NULL },
      { ".mtx" }, { "%%MatrixMarket" }, true, mw_edges_read_mtx, mw_graph_write_mtx },
    { { "metis", "METIS: a line of neighbours per vertex", NULL },
      { ".graph", ".metis" }, { NULL }, true, mw_edges_read_metis, mw_graph_write_metis },
    { { "graphml", "GraphML", NULL },
      { ".graphml", ".xml" }, { "<?xml", "<graphml" }, true, mw_edges_read_graphml, mw_graph_write_graphml },
    { { "gml", "GML", NULL }, { ".gml" }, { NULL }, true, mw_edges_read_gml, mw_graph_write_gml },
    { { "pajek", "Pajek (reading only)", NULL },
      { ".net", ".paj" }, { "*Vertices", "*Network" }, true, mw_edges_read_pajek, NULL },
    { { "dot", "DOT, Graphviz's language (reading only)", NULL },
      { ".dot", ".gv" }, { NULL }, true, mw_edges_read_dot, NULL },
    { { "npz", "sparse matrix of SciPy (csr, csc, coo)", NULL },
      { ".npz" }, { "PK\3\4" }, false, mw_edges_read_npz, mw_graph_write_npz },
    { { "csv", "table with columns separated by commas, semicolons or tabs", NULL },
      { ".csv" }, { NULL }, true, mw_edges_read_csv, mw_graph_write_csv },
    { { "tsv", "such a table, written with tabs", NULL },
      { ".tsv", ".tab" }, { NULL }, true, mw_edges_read_tsv, mw_graph_write_tsv },
    { { "binary", "meshwork's own: compressed adjacency, mapped into memory", NULL },
      { ".mwg" }, { MW_BINARY_MAGIC }, false, mw_edges_read_binary, mw_graph_write_binary },
};
/* clang-format on */

#define SAVE_AS "save it as GraphML or as an edge list with the program that made it"

/* Formats of other programs, by suffix. As edge lists, these would be misread or rejected at some line. */
/* clang-format off */
static const struct { const char *suffix, *name, *remedy; } foreign[] = {
    { ".gexf", "GEXF", SAVE_AS }, { ".gdf", "GDF", SAVE_AS }, { ".json", "JSON", SAVE_AS },
    { ".g6", "graph6", SAVE_AS }, { ".s6", "sparse6", SAVE_AS }, { ".gr", "the format of DIMACS", SAVE_AS },
    { ".col", "the format of DIMACS", SAVE_AS }, { ".dimacs", "the format of DIMACS", SAVE_AS },
    { ".adjlist", "a list of neighbours", SAVE_AS },
    { ".mat", "MATLAB's format", "save it as Matrix Market, as by scipy.io.mmwrite" },
    { ".npy", "NumPy's format", "save edges as text, as by numpy.savetxt with fmt=\"%d\"" },
    { ".bz2", "compressed by bzip2", "give it on standard input, decompressed" },
    { ".xz", "compressed by xz", "give it on standard input, decompressed" },
    { ".zst", "compressed by zstd", "give it on standard input, decompressed" },
    { ".zip", "an archive", "unpack it first" },
};
/* clang-format on */

const struct mw_variant *mw_graph_formats(size_t i) { return i < MW_COUNT(formats) ? &formats[i].shown : NULL; }

static int file_by_name(const char *name, const struct format **format)
{
    for (size_t i = 0; i < MW_COUNT(formats); i++)
        if (strcmp(name, formats[i].shown.name) == 0) {
            *format = &formats[i];
            return 0;
        }
    return mw_fail(MW_EINVAL, "there is no graph format \"%.40s\": use " FORMAT_NAMES, name);
}

static bool ends_with(const char *path, size_t length, const char *suffix)
{
    const size_t n = strlen(suffix);
    return length > n && memcmp(path + length - n, suffix, n) == 0;
}

static bool is_compressed(const char *path) { return ends_with(path, strlen(path), ".gz"); }

/* Returns the format of a suffix, or NULL. */
static const struct format *by_suffix(const char *path)
{
    const size_t length = strlen(path) - (is_compressed(path) ? 3 : 0);
    for (size_t i = 0; i < MW_COUNT(formats); i++)
        for (size_t k = 0; k < MW_COUNT(formats[i].suffixes) && formats[i].suffixes[k]; k++)
            if (ends_with(path, length, formats[i].suffixes[k]))
                return &formats[i];
    return NULL;
}

static int check_foreign(const char *path)
{
    const size_t length = strlen(path) - (is_compressed(path) ? 3 : 0);
    for (size_t i = 0; i < MW_COUNT(foreign); i++)
        if (ends_with(path, length, foreign[i].suffix))
            return mw_fail(MW_ENOTSUP,
                           "cannot read %s: by its suffix it is %s: %s, or choose the format: " FORMAT_NAMES, path,
                           foreign[i].name, foreign[i].remedy);
    return 0;
}

/* Returns the format of the first bytes, or NULL. */
static const struct format *by_contents(const struct mw_input *input)
{
    const char *start = input->buffer + input->at, *end = input->buffer + input->have, *text = start;
    while (text < end && (mw_is_blank(*text) || *text == '\n' || *text == '\r'))
        text++;
    for (size_t i = 0; i < MW_COUNT(formats); i++)
        for (size_t k = 0; k < MW_COUNT(formats[i].begins) && formats[i].begins[k]; k++) {
            const char *at = formats[i].is_text ? text : start, *begins = formats[i].begins[k];
            if ((size_t)(end - at) >= strlen(begins) && mw_same_start(at, begins, strlen(begins)))
                return &formats[i];
        }
    return NULL;
}

int mw_edges_read_within(const char *path, const struct mw_graph_file_options *options,
                         const struct mw_file_limits *limits, struct mw_edges *edges)
{
    struct mw_graph_file_options o;
    struct mw_input input = { .descriptor = -1 };
    const struct format *format = NULL;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_graph_file_options, options, no_weights, &o));
    if (o.format)
        TRY(file_by_name(o.format, &format));
    TRY(mw_input_open(path, limits, &input));
    if (!format)
        format = by_contents(&input);
    if (!format)
        format = by_suffix(path);
    if (!format)
        TRY(check_foreign(path));
    format = format ? format : &formats[0];
    if (o.columns && format->read != mw_edges_read_csv && format->read != mw_edges_read_tsv)
        TRY(mw_fail(MW_EINVAL, "columns \"%.60s\" are for tables, but %s is read as %s: choose format csv or tsv",
                    o.columns, input.name, format->shown.name));
    TRY(format->read(&input, &o, edges));
out:
    mw_input_close(&input);
    return rc;
}

int mw_edges_read(const char *path, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    return mw_edges_read_within(path, options, &mw_file_limits_usual, edges);
}

int mw_graph_load(struct mw_device *device, const char *path, const struct mw_graph_file_options *options,
                  struct mw_graph *graph)
{
    struct mw_graph_file_options o;
    struct mw_edges edges = { 0 };
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_graph_file_options, options, no_weights, &o));
    if (o.format ? strcmp(o.format, "binary") == 0 : mw_graph_is_binary(path))
        return mw_graph_map(path, graph);
    TRY(mw_edges_read(path, &o, &edges));
    TRY(mw_graph_new(device, &edges, NULL, graph, NULL));
out:
    mw_edges_free(&edges);
    return rc;
}

/* Finds the format for writing a file. */
static int for_output(const char *path, const char *name, const struct format **format)
{
    *format = by_suffix(path);
    if (name && file_by_name(name, format) != 0)
        return MW_EINVAL;
    if (!*format)
        return mw_fail(MW_EINVAL, "cannot write %s: its suffix is not one of a graph format: choose " WRITTEN_NAMES,
                       path);
    if (!(*format)->write)
        return mw_fail(MW_ENOTSUP, "cannot write %s: format %s is only read: choose " WRITTEN_NAMES, path,
                       (*format)->shown.name);
    if (!(*format)->is_text && is_compressed(path))
        return mw_fail(MW_ENOTSUP, "cannot write %s: format %s cannot be compressed: write it without .gz", path,
                       (*format)->shown.name);
    return 0;
}

int mw_graph_write_check(const char *path, const struct mw_graph_file_options *options)
{
    const struct format *format;
    struct mw_graph_file_options o;
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_file_options, options, no_weights, &o));
    return for_output(path, o.format, &format);
}

int mw_graph_write_within(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options,
                          const struct mw_file_limits *limits)
{
    struct mw_graph_file_options o;
    const struct format *format;
    struct mw_writing writing;
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_file_options, options, no_weights, &o));
    TRY_RETURN(for_output(path, o.format, &format));
    if (o.vertex_data && format->write != mw_graph_write_graphml)
        return mw_fail(MW_EINVAL, "cannot write %s: values of vertices are for GraphML, not for format %s", path,
                       format->shown.name);
    TRY_RETURN(mw_writing_start(graph, path, is_compressed(path), o.threads, limits, &writing));
    writing.data = o.vertex_data;
    return mw_writing_end(&writing, format->write(&writing));
}

int mw_graph_write(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options)
{
    return mw_graph_write_within(graph, path, options, &mw_file_limits_usual);
}
/* SPDX-License-Identifier: MIT */

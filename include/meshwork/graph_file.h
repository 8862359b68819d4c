/* Reads and writes files of networks.
 *
 *   name      suffixes           contents
 *   edges     .el .txt .edges    one edge per line: two names, and optionally a weight; # and % begin comments (SNAP)
 *   mtx       .mtx               Matrix Market coordinate format: general is directed, symmetric is undirected
 *   metis     .graph .metis      METIS: one line per vertex, with its neighbours
 *   graphml   .graphml .xml      GraphML: nodes and edges; edgedefault is directed or undirected
 *   csv       .csv               table: one row per edge; columns separated by commas, semicolons or tabs
 *   tsv       .tsv .tab          the same table; written with tabs
 *   binary    .mwg               format of meshwork: compressed adjacency as in memory, to be mapped
 *
 * All formats except binary may be compressed with gzip. Writing compresses if the name ends in .gz; reading detects
 * gzip by the first bytes. Several threads read texts in pieces and write them in blocks. Lines end by LF or CRLF; the
 * last line may also end with the file.
 *
 * Weights of edges are read and written in the unit of graph.h. A notice reports whether weights were rounded, and how
 * many became 0. Numbers of 10^280 and above are not weights, because sums of them would overflow doubles.
 * - Edge list: every line has a weight after the two names: a number, weight=NUMBER, or a dictionary as written by
 *   NetworkX, {'weight': NUMBER}, whose other keys are ignored. If only some lines have a weight, all weights are
 *   ignored, and a notice names the first line without one. Another notice quotes the first ignored text.
 * - Table: the column titled weight, or the selected column. Every row that is an edge needs a weight.
 * - Matrix Market: the values of an integer or real matrix, general or symmetric. Values of other matrices are ignored,
 *   with a notice.
 * - METIS: weights of edges, which must be equal at both ends. Weights of vertices are ignored.
 * - GraphML: the attribute named weight. An edge without it has the default of the key, or without a default 1, with a
 *   notice.
 *
 * Names in an edge list are words of up to 65535 bytes, separated by blanks, that do not end in a comma. Texts in
 * quotes are names as well; in these, "" means one quote. Names in text files contain no control characters, such as
 * tabs and line ends. Names are numbers if all of them are integers below 2^64 in normal form (no sign, no leading
 * zeros), and otherwise texts.
 * - If the numbers are exactly 0 to n - 1, they are the vertex numbers.
 * - If the numbers are exactly 1 to n, and always in Matrix Market and METIS, vertex v has the name v + 1.
 * - All other names are stored in mw_edges.names. Their vertices are numbered in the order of first occurrence.
 * In GraphML, the name of a node is the first of these attributes that is unique for every node: the text attribute
 * name, the text attribute label, the text of yEd (NodeLabel). Otherwise it is the id, with a notice if one of these
 * attributes exists.
 * A vertex without edges is the comment "# meshwork vertex NAME" in an edge list, and a row with an empty target in a
 * table. Edge lists, tables, GraphML and binary keep names; Matrix Market and METIS lose them, with a notice.
 *
 * Tables (RFC 4180). A field may be in quotes, in which "" means one quote. Blanks around other fields are dropped.
 * Lines before the first row that begin with # or % are skipped.
 * - The endpoints are the columns titled source and target, from and to, or similar, in upper or lower case. Without
 *   these, they are the first two columns.
 * - The first row has titles if it has such a pair, or if none of its fields is a number. Without titles, the third
 *   column is the weight if it is a number. A notice names the columns that are not read.
 * - If columns are selected by title, the first row has titles. If they are selected by number only, the first row is
 *   usually an edge. It has titles if none of its fields is a number, and it also has such a pair or a text as its
 *   weight.
 * - A notice reports how the first row is read in two cases, if no title is selected: it has such a pair and a number,
 *   or neither.
 *
 * Rejected are:
 * - an edge list that begins with a line of titles, such as "from to" (upper or lower case, both words in quotes or
 *   neither);
 * - a matrix that is not square, or a symmetric one with entries above the diagonal;
 * - a METIS file with an edge in only one direction;
 * - GraphML with hyperedges, graphs inside nodes, or directed edges among undirected ones.
 *
 * Threads: any. */
#ifndef MESHWORK_GRAPH_FILE_H
#define MESHWORK_GRAPH_FILE_H

#include <meshwork/graph.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns row `i` of the table of formats, in the order above; NULL beyond the last one. Reading GraphML needs a
 * meshwork built with expat, and gzip needs one built with zlib. */
MW_API const struct mw_variant *mw_graph_formats(size_t i);

/* Options of reading and writing; all zero is the default. */
struct mw_graph_file_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of the format. NULL, writing: by the suffix. NULL, reading: by the first bytes if these identify the format,
     * otherwise by the suffix, otherwise an edge list. Suffixes of formats of other programs, such as .gml, are
     * rejected. */
    const char *format;
    bool directed;    /* reading an edge list or table, which does not say: its edges are directed */
    unsigned threads; /* number of threads; 0: one per core */
    bool no_weights;  /* reading: ignore weights */
    /* Reading a table: "source,target[,weight]", each the title of a column or its number from 1 on; NULL: the usual
     * titles, see above. Must be NULL for other formats. */
    const char *columns;
};

/* Reads edges, in the order of the file. Path "-" is standard input. `options` NULL: all zero. The caller frees `edges`
 * by mw_edges_free.
 * Errors: MW_EIO (the file cannot be read), MW_EDATA (malformed: "PATH:LINE: error"; a header with wrong numbers;
 * truncated compressed data), MW_ELIMIT (too many vertices), MW_ENOTSUP (a format that is not built in; a suffix of
 * another program's format), MW_EINVAL (no such format; `columns` for a format without columns), MW_ENOMEM.
 * Cost: about two bytes of memory per byte of text, in addition to the result; more if names are texts. */
MW_API int mw_edges_read(const char *path, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads a graph from a file of any format. A binary file is mapped (mw_graph_map). Of other formats, the edges are
 * read, and the graph is built on the device. The caller frees it by mw_graph_free. Errors: those of mw_edges_read,
 * mw_graph_map and mw_graph_new. */
MW_API int mw_graph_load(struct mw_device *device, const char *path, const struct mw_graph_file_options *options,
                         struct mw_graph *graph);
/* Writes a graph; each undirected edge is written once. The file is written completely or not at all. Path "-" is
 * standard output, which needs options->format. Blocks of compressed text are separate gzip members.
 * Errors: MW_EIO, MW_EINVAL (no such format), MW_EDATA (a mapped graph with heads out of range), MW_ENOMEM, and
 * MW_ENOTSUP for:
 * - METIS: directed graphs, self-edges, multiple edges, weights that are not integers above 0;
 * - edge lists and tables: names with control characters;
 * - GraphML: names with characters that XML does not allow;
 * - binary: compression. */
MW_API int mw_graph_write(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options);
/* Checks that a graph can be written to a path in some format, by the suffix or options->format only. Does not open
 * the file. Errors: MW_EINVAL (no such format), MW_ENOTSUP (a compressed binary file). */
MW_API int mw_graph_write_check(const char *path, const struct mw_graph_file_options *options);

/* Maps a file of the binary format as a graph, read-only and without copying. The graph is available at once,
 * whatever its size, and its memory is shared between processes. Header and offsets are checked at once, heads at
 * their first use. Names are copied. The file may be removed or replaced while it is mapped; truncating it in place
 * ends the program by a signal. A pipe is read completely instead. The caller frees the graph by mw_graph_free.
 * Errors: those of mw_edges_read. */
MW_API int mw_graph_map(const char *path, struct mw_graph *graph);
/* Returns whether the first bytes of a file identify the binary format; false if it cannot be read. */
MW_API bool mw_graph_is_binary(const char *path);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

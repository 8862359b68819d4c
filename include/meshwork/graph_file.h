/* Files of networks.
 *
 *   name      suffixes           what
 *   edges     .el .txt .edges    one edge per line: two names, a weight or not; # and % begin comments (SNAP)
 *   mtx       .mtx               Matrix Market coordinate: general is directed, symmetric is not
 *   metis     .graph .metis      METIS: a line of neighbours for each vertex
 *   graphml   .graphml .xml      GraphML: nodes and edges, edgedefault directed or undirected
 *   csv       .csv               a table: one row per edge, with columns between commas, semicolons or tabulators
 *   tsv       .tsv .tab          such a table, written with tabulators
 *   binary    .mwg               our own: compressed adjacency as in memory, to be mapped
 *
 * All but the last may be compressed with gzip (a further suffix .gz; on reading, by the first bytes).
 * Texts are read in pieces by several threads, and written in blocks; lines end by LF or CRLF, the last one also by the
 * end of the file.
 *
 * Weights. Weights of edges are read and written in the unit that graph.h describes. A notice reports rounding, and how
 * many became 0. Numbers of 10^280 and more are not weights: their sums would exceed doubles.
 *   - An edge list has weights if every line has one after the names: a number, weight=NUMBER, or a dictionary as
 *     NetworkX writes it, {'weight': NUMBER}, whose other keys are ignored. If only some lines have one, weights are
 *     ignored, and a notice names the first line without. A notice quotes the first ignored text.
 *   - A table: the column named weight, or the selected one, in every row of an edge.
 *   - Matrix Market: the values of matrices that are integer or real, general or symmetric; others are ignored with a
 *     notice.
 *   - METIS: weights of edges, which must be equal at both ends; weights of vertices are ignored.
 *   - GraphML: the attribute named weight; an edge without it has the key's default, or otherwise 1 with a notice.
 *
 * Names.  An edge list's names are words of up to 65535 bytes that do not end in a comma, separated by blanks.  Texts
 * in quotes are names as well; "" is a quote in them.  Names in text files have no control characters, such as
 * tabulators and ends of
 * lines.  Names are numbers if all of them are whole numbers below 2^64 in normal form (no sign, no leading zeros),
 * otherwise texts.
 *   - If the numbers are exactly 0 to n - 1, vertices have them.
 *   - If they are exactly 1 to n, and in Matrix Market and METIS, they count from 0 internally, and from 1 in results.
 *   - All other names, texts or numbers with gaps, are numbered in the order of their first occurrence, and stored in
 *     mw_edges.names.
 * GraphML's names are the first of these that is unique for every node: the text attribute name, label, or yEd's text
 * (NodeLabel). Otherwise they are the ids, with a notice if one of these exists. In an edge list, a vertex without
 * edges is the comment "# meshwork vertex NAME"; in a table it is a row with an empty target. Edge lists,
 * tables, GraphML and the binary format keep names; Matrix Market and METIS lose them, with a notice.
 *
 * Tables (RFC 4180).  A field may be in quotes, in which "" is a quote; blanks around other fields are dropped.  Lines
 * before the first row that begin with # or % are skipped.  The endpoints of edges are the columns source and target,
 * from and to, or the like, in either case; otherwise the first two.  The first row has titles if it has such a pair,
 * or if none of its fields is a number.  Without titles, the third column is the weight if it is a number.  A notice
 * names the columns that are not read.  If columns are selected by title, the first row has titles.  If they are
 * selected by numbers only, it is an edge.  It has titles, however, if none of its fields is a number, and it has such
 * a pair or a text as its weight.  If no title is selected, and the first row has such a pair and a number, or neither,
 * a notice reports how it is read.
 *
 * Refused are edge lists that begin with a line of titles, such as "from to" (in either case, both words in quotes or
 * neither); matrices that are not square, or symmetric with entries above the diagonal; lists of METIS with an edge in
 * only one direction; GraphML with hyperedges, graphs in nodes, or directed among undirected edges.
 *
 * Threads: any. */
#ifndef MESHWORK_GRAPH_FILE_H
#define MESHWORK_GRAPH_FILE_H

#include <meshwork/graph.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns row i of the table of formats, in the order above; NULL beyond the last one. Reading GraphML requires expat,
 * and gzip requires zlib, when meshwork is built. */
MW_API const struct mw_variant *mw_graph_formats(size_t i);

struct mw_graph_file_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *format;  /* NULL: by the first bytes where these leave no doubt, else by the suffix, and on
                                  * reading without one an edge list; of suffixes of others' formats, as .gml, none is
                                  * an edge list */
    bool directed;       /* for reading an edge list, which does not contain it */
    unsigned threads;    /* 0: one a core */
    bool no_weights;     /* reading: leaves weights out */
    const char *columns; /* reading a table: "source,target[,weight]", titles of columns, or their numbers from
                                  * 1 on; NULL: by the usual titles, see above.  MW_EINVAL for other formats */
};

/* Reads edges, in the order of the file. path "-": standard input. options NULL: all 0. Cost: about two bytes of memory
 * per byte of a list's text, in addition to the result; more for texts as names. Errors: MW_EIO; MW_EDATA (malformed,
 * "PATH:LINE: error"; a header with wrong numbers; truncated compressed data); MW_ELIMIT (too many vertices);
 * MW_ENOTSUP (a format that is not built in, or a suffix of other formats), MW_EINVAL (no such format), MW_ENOMEM. */
MW_API int mw_edges_read(const char *path, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads a graph of any format: maps the binary one, and reads the edges of others and builds the graph on the device.
 * Errors: those of mw_edges_read, mw_graph_map and mw_graph_new. */
MW_API int mw_graph_load(struct mw_device *device, const char *path, const struct mw_graph_file_options *options,
                         struct mw_graph *graph);
/* Writes a graph, undirected edges once. A file is written completely or not at all; path "-": standard output, which
 * needs options->format. Blocks of compressed text are separate gzip members. Errors: MW_EIO; MW_EINVAL (no such
 * format); MW_ENOTSUP (METIS: directed graphs, self-edges, multiple edges, or weights that are not whole numbers above
 * 0; edge lists and tables: names with control characters; XML: names with characters outside of XML); MW_EDATA (a
 * mapped graph with heads out of range), MW_ENOMEM. */
MW_API int mw_graph_write(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options);
/* Checks that a format exists for that path, by the name only.
 * Errors: MW_EINVAL, MW_ENOTSUP, as mw_graph_write. */
MW_API int mw_graph_write_check(const char *path, const struct mw_graph_file_options *options);

/* Maps a graph of the binary format, read-only and without copying: it is available at once for any size, and shared
 * between processes. Its header and offsets are checked; heads are checked at their first use. Names are copied. The
 * file may be removed or replaced while mapped; truncating it in place ends the program. A pipe is read completely.
 * Errors: those of mw_edges_read. */
MW_API int mw_graph_map(const char *path, struct mw_graph *graph);
/* Returns whether a file begins like the binary format. */
MW_API bool mw_graph_is_binary(const char *path);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

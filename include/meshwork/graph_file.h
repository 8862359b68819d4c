/* Files of networks.
 *
 *   name      suffixes           what
 *   edges     .el .txt .edges    an edge a line: two names, a weight or not; # and % begin comments (SNAP)
 *   mtx       .mtx               Matrix Market coordinate: general is directed, symmetric is not
 *   metis     .graph .metis      METIS: a line of neighbours for each vertex
 *   graphml   .graphml .xml      GraphML: nodes and edges, edgedefault directed or undirected
 *   csv       .csv               a table: a row an edge, with columns between commas, semicolons or tabulators
 *   tsv       .tsv .tab          such a table, written with tabulators
 *   binary    .mwg               our own: compressed adjacency as it stands in memory, to be mapped
 *
 * All but the last may be compressed with gzip (.gz behind the suffix; on reading by the first bytes).
 * Texts are read in pieces by several threads, and written in blocks; lines end by LF or CRLF, the last one also by the
 * end of the file.
 *
 * Weights.  Those of edges are read and written in the unit that graph.h describes; if they had to be rounded for it,
 * a notice says so, and how many became 0.  Numbers of 10^280 and more are none: sums of them would be no doubles.
 *   - An edge list has weights where every line has one after the names: a number, weight=NUMBER, or a dictionary as
 *     NetworkX writes it, {'weight': NUMBER}, whose other keys are not read.  Where only some lines have one, there are
 *     no weights, and a notice names the first line without.  A notice quotes the first text that is not read.
 *   - A table: the column that is called weight or is asked for, in every row of an edge.
 *   - Matrix Market: the values of matrices that are integer or real, general or symmetric; of others there are none,
 *     and a notice.
 *   - METIS: those of edges, which both ends have to have alike; those of vertices are left alone.
 *   - GraphML: the attribute that is called weight; an edge that does not say has the key's default or, without one, 1,
 *     and a notice.
 *
 * Names.  An edge list's names are words of up to 65535 bytes that do not end in a comma, with blanks between, or stand
 * in quotes, in which "" is a quote.  No name of a text file has control characters: tabulators, ends of lines.  Names
 * are numbers where all of them are whole numbers below 2^64 as they would be written (no sign, no zeros in front),
 * else texts.
 *   - Where the numbers are 0 to n - 1 and none of them is missing, vertices have them.
 *   - Where they are 1 to n and none is missing, and in Matrix Market and METIS, they count from 0 inside, and from 1
 *     in results.
 *   - All other names, texts, or numbers of which even one is missing, get numbers in the order in which the file first
 *     has them, and stand in mw_edges.names.
 * GraphML's names are the nodes' text attribute name, else label, else the text that yEd shows (NodeLabel): the first
 * of these of which each node has one of its own; otherwise their ids, with a notice if there is one of these.
 * A vertex without edges stands in an edge list as the comment "# meshwork vertex NAME", and in a table as a row whose
 * target is empty.  Names go back into edge lists, tables, GraphML and the binary format; Matrix Market and METIS have
 * none, and a notice says so.
 *
 * Tables (RFC 4180).  A field may stand in quotes, in which "" is a quote; blanks around other fields are dropped.
 * Lines before the first row that begin with # or % are skipped.  The ends of edges are the columns source and target,
 * from and to, or the like, in either case; otherwise the first two.  The first row has titles if it has such a pair,
 * or if none of its fields is a number.  Without titles, the third column is the weight if it is a number.  A notice
 * names the columns that are not read.
 * Where columns are asked for, the first row has titles if one of these is asked for; by numbers alone, it is an edge
 * unless none of its fields is a number and it has such a pair or a text where the weight is asked for.
 * A notice says for what the first row is taken where it has such a pair and a number, or neither of them, and no title
 * is asked for.
 *
 * Refused are edge lists that begin with a line of titles ("from to", "source target" and the like, in either case,
 * both words in quotes or neither);
 * matrices that are not square, or symmetric with entries above the diagonal; lists of METIS with an edge that only one
 * of its ends has; GraphML with hyperedges, graphs in nodes, or directed among undirected edges.
 *
 * Threads: any. */
#ifndef MESHWORK_GRAPH_FILE_H
#define MESHWORK_GRAPH_FILE_H

#include <meshwork/graph.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The formats, in the order above: row i; NULL beyond the last one.  Reading GraphML needs that meshwork
 * was built with expat, gzip that it was built with zlib. */
MW_API const struct mw_variant *mw_graph_formats(size_t i);

struct mw_graph_file_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *format;  /* NULL: by the first bytes where these leave no doubt, else by the suffix, and on
                                  * reading without one an edge list; of suffixes of others' formats, as .gml, none is
                                  * an edge list */
    bool directed;       /* reading a format that does not say: an edge list */
    unsigned threads;    /* 0: one a core */
    bool no_weights;     /* reading: leaves weights out */
    const char *columns; /* reading a table: "source,target[,weight]", titles of columns, or their numbers from
                                  * 1 on; NULL: by the usual titles, see above.  MW_EINVAL for other formats */
};

/* Reads edges, in the order of the file.  path "-": standard input.  options NULL: all as 0.
 * Cost: about two bytes of memory for each of a list's text, beside the result; more for texts as names.
 * Errors: MW_EIO; MW_EDATA (malformed: "PATH:LINE: what is wrong there"; a header that promises other numbers than
 * follow; truncated compressed data); MW_ELIMIT (too many vertices); MW_ENOTSUP (a format that is not built in,
 * or by the suffix one of others), MW_EINVAL (no such format), MW_ENOMEM. */
MW_API int mw_edges_read(const char *path, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads a graph of any format: maps the binary one, and reads the edges of others and builds the graph on the device.
 * Errors: those of mw_edges_read, mw_graph_map and mw_graph_new. */
MW_API int mw_graph_load(struct mw_device *device, const char *path, const struct mw_graph_file_options *options,
                         struct mw_graph *graph);
/* Writes a graph: edges of undirected ones once.  A file appears whole or not at all; path "-": standard output, which
 * needs options->format.  Blocks of compressed text are gzip members of their own.
 * Errors: MW_EIO; MW_EINVAL (no such format); MW_ENOTSUP (METIS has no directed graphs, self-edges, multiple
 * edges, or weights but whole ones above 0, edge lists and tables no names with control characters, XML only names of
 * its own characters); MW_EDATA (a mapped graph whose heads are no vertices), MW_ENOMEM. */
MW_API int mw_graph_write(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options);
/* Whether there is a format for a graph of that path, before there is a graph: looks at the name alone.
 * Errors: MW_EINVAL, MW_ENOTSUP, as mw_graph_write. */
MW_API int mw_graph_write_check(const char *path, const struct mw_graph_file_options *options);

/* Maps a graph of the binary format, read-only and without copying: it is there at once however large it is, and
 * shared between processes.  Its header and offsets are checked; heads are checked where they are first used.  Names
 * are copied.  The file may be removed or replaced meanwhile; who cuts it in place ends the program.  A pipe is read
 * whole.
 * Errors: as mw_edges_read. */
MW_API int mw_graph_map(const char *path, struct mw_graph *graph);
/* Whether a file's first bytes are those of the binary format. */
MW_API bool mw_graph_is_binary(const char *path);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

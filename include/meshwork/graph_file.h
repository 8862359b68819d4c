/* Reads and writes files of networks.
 *
 *   name      suffixes           contents
 *   edges     .el .txt .edges    one edge per line: two names, and optionally a weight; # and % begin comments (SNAP)
 *   mtx       .mtx               Matrix Market coordinate format: general is directed, symmetric is undirected
 *   metis     .graph .metis      METIS: one line per vertex, with its neighbours
 *   graphml   .graphml .xml      GraphML: nodes and edges; edgedefault is directed or undirected
 *   gml       .gml               GML: a tree of keys and values
 *   pajek     .net .paj          Pajek: vertices with labels, then arcs or edges; only read
 *   dot       .dot .gv           DOT, Graphviz's language: names, and the attribute weight; only read
 *   npz       .npz               sparse matrix of SciPy (save_npz): csr, csc or coo; written as csr
 *   csv       .csv               table: one row per edge; columns separated by commas, semicolons or tabs
 *   tsv       .tsv .tab          the same table; written with tabs
 *   binary    .mwg               format of meshwork: compressed adjacency as in memory, to be mapped
 *
 * All formats except npz and binary are text formats, and may be compressed with gzip. Writing compresses if the path
 * ends in .gz; reading detects gzip by the first bytes. Several threads read and write a text file in parts; GML, Pajek
 * and DOT are read by one thread. Lines end by LF or CRLF; the last line may also end with the file.
 *
 * Weights of edges are read and written in the unit of graph.h. If weights are rounded, a notice reports it, and how
 * many became 0. Notices are messages for mw_log_to (status.h). Weights must be below 10^280, so that doubles can hold
 * their sums.
 * - Edge list: every line has a weight after the two names. It is a number, weight=NUMBER, or a dictionary as written
 *   by NetworkX, {'weight': NUMBER}. Other keys of the dictionary are ignored. If only some lines have a weight, all
 *   weights are ignored, and a notice names the first line without one. Another notice quotes the first ignored
 * text.
 * - Table: the column titled weight, or the selected column. Every row that is an edge needs a weight.
 * - Matrix Market: the values of an integer or real matrix, general or symmetric. Values of other matrices are ignored,
 *   with a notice.
 * - METIS: weights of edges, which must be equal at both ends. Weights of vertices are ignored.
 * - GraphML: the attribute named weight. An edge without it has the default of the key. If the key has no default, the
 *   weight is 1, and a notice reports it.
 * - GML: the key weight, otherwise a number with the key value. Pajek: the third number of a line. DOT: the attribute
 *   weight. An edge without it has the weight 1 if others have one, and a notice reports it.
 * - npz: the values. If all are 1, the graph has no weights.
 *
 * Names in an edge list are words of up to 65535 bytes that do not end in a comma. Blanks separate them. Texts in
 * quotes are names as well; in these, "" means one quote. Names in text files contain no control characters, such as
 * tabs and line ends. Names are numbers if all of them are integers below 2^64 in normal form (no sign, no leading
 * zeros), and otherwise texts.
 * - If the numbers are exactly 0 to n - 1, they are the vertex numbers.
 * - If the numbers are exactly 1 to n, and always in Matrix Market and METIS, vertex v has the name v + 1.
 * - All other names are stored in mw_edges.names. Their vertices are numbered in the order of first occurrence.
 * In GraphML, the name of a node is the first of these attributes that is unique for every node: the text attribute
 * name, the text attribute label, the text of yEd (NodeLabel). Otherwise it is the id, with a notice if one of these
 * attributes exists.
 * In GML, the name is the key name or label by the same rule. In Pajek it is the label if each vertex has its own,
 * otherwise the number, with a notice. In DOT it is the id of a node.
 * A vertex without edges is the comment "# meshwork vertex NAME" in an edge list, and a row with an empty target in a
 * table. Edge lists, tables, GraphML, GML and binary store names. Matrix Market, METIS and npz do not; a notice reports
 * the loss. Vertices of npz are numbered from 0.
 *
 * A matrix in npz is undirected if its additional array `directed`, which meshwork writes and SciPy ignores, is false.
 * Without that array it is undirected if it equals its transpose and options->directed is false.
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
 * - If no title is selected, a notice reports how the first row is read in two cases: it has such a pair and also a
 *   number; it has neither.
 *
 * Rejected are:
 * - an edge list that begins with a line of titles, such as "from to" (upper or lower case, both words in quotes or
 *   neither);
 * - a matrix that is not square, or a symmetric one with entries above the diagonal;
 * - a METIS file with an edge in only one direction;
 * - GraphML with hyperedges, graphs inside nodes, or directed edges among undirected ones;
 * - a Pajek file with both arcs and edges, or with a matrix;
 * - several graphs in one file.
 *
 * Threads: any. */
#ifndef MESHWORK_GRAPH_FILE_H
#define MESHWORK_GRAPH_FILE_H

#include <meshwork/graph.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns row `i` of the table of formats, in the order above, with name and description; NULL beyond the last one.
 * GraphML can be read only if meshwork was built with expat, and gzip files only if it was built with zlib. */
MW_API const struct mw_variant *mw_graph_formats(size_t i);

/* Kinds of values of vertices. */
enum mw_vertex_kind {
    MW_VERTEX_COUNT, /* a whole number */
    MW_VERTEX_REAL,  /* a real number */
    MW_VERTEX_NAME   /* the number of a vertex, for which files have its name */
};
MW_API const char *mw_vertex_kind_name(int value); /* Name, see status.h: "count", "real", "name" */
/* Finds the kind of a name. Errors: MW_EINVAL. */
MW_API int mw_vertex_kind_find(const char *name, enum mw_vertex_kind *value);
/* Size of the text of all values of a vertex, with its NUL. */
#define MW_VERTEX_CELLS 256
/* Values of vertices that a file of a graph contains next to their names. */
struct mw_vertex_data { /* a fixed value */
    const struct mw_vertex_column {
        const char *name; /* ASCII letters, digits and underscores; not "weight" */
        enum mw_vertex_kind kind;
    } * column; /* ends with an element whose name is NULL */
    /* Writes the values of a vertex as text, as many as columns, separated by commas; an empty text is a missing value.
     * Several threads call it at once. */
    void (*cells)(const void *context, size_t vertex, char text[MW_VERTEX_CELLS]);
    const void *context;
};

/* Options of reading and writing files; all zero is the default. */
struct mw_graph_file_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of the format. NULL:
     * - writing: chosen by the suffix of the path
     * - reading: chosen by the first bytes of the file, if these identify a format; otherwise by the suffix; otherwise
     *   an edge list. Suffixes of other programs' formats, such as .gexf, are then rejected. */
    const char *format;
    bool directed;    /* reading an edge list or a table: its edges are directed; files of these formats do not say */
    unsigned threads; /* number of threads; 0: one per core */
    bool no_weights;  /* reading: ignore weights; the result has none */
    /* Reading a table: the columns "source,target" or "source,target,weight". Each is the title of a column, or its
     * number, counted from 1. NULL: the usual titles, see above. Must be NULL for other formats. */
    const char *columns;
    /* Writing GraphML: values of vertices, which become attributes of nodes. NULL: none. Must be NULL for other
     * formats. */
    const struct mw_vertex_data *vertex_data;
};

/* Reads the edges of a file, in their order in the file. Path "-" is standard input. `options` NULL: all zero. The
 * caller frees `edges` by mw_edges_free.
 * Errors:
 * - MW_EIO: the file cannot be read
 * - MW_EDATA: the contents are malformed ("PATH:LINE: error"), a header has wrong numbers, or compressed data are
 *   truncated
 * - MW_ELIMIT: too many vertices
 * - MW_ENOTSUP: the format is not built in; the suffix is that of another program's format; a binary file has the other
 *   byte order or a newer version
 * - MW_EINVAL: no such format; `columns` for a format without columns
 * - MW_ENOMEM
 * Cost: about two bytes of memory per byte of text, in addition to the result; more if names are texts. */
MW_API int mw_edges_read(const char *path, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads a graph from a file of any format. A binary file is mapped, as by mw_graph_map. From other formats, the edges
 * are read, and the graph is built on the device. `options` NULL: all zero. The caller frees the graph by
 * mw_graph_free. Errors: those of mw_edges_read, mw_graph_map and mw_graph_new. */
MW_API int mw_graph_load(struct mw_device *device, const char *path, const struct mw_graph_file_options *options,
                         struct mw_graph *graph);
/* Writes a graph to a file. Each undirected edge is written once. The file is written completely or not at all; after
 * a failure, an old file is unchanged. Path "-" is standard output, for which options->format must be set. Compressed
 * text consists of several gzip members. `options` NULL: all zero.
 * Errors: MW_EIO, MW_EDATA (a head out of range), MW_ENOMEM. MW_EINVAL: no such format, the suffix is not that of a
 * format, or vertex_data for a format other than GraphML. MW_ENOTSUP for:
 * - METIS: directed graphs, self-edges, multiple edges, weights that are not integers above 0
 * - edge lists and tables: names with control characters
 * - GraphML and GML: names with characters that XML does not allow
 * - pajek, dot: writing
 * - npz: more than 3e8 arcs
 * - binary, npz: compression
 * - other formats: compression without zlib */
MW_API int mw_graph_write(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options);
/* Checks that a graph format can be written to a path, by options->format and the suffix of the path. Does not look at
 * the file or a graph. `options` NULL: all zero. Errors: MW_EINVAL (no such format, or the suffix is not that of a
 * format), MW_ENOTSUP (a format that is only read; compression of binary or npz). */
MW_API int mw_graph_write_check(const char *path, const struct mw_graph_file_options *options);

/* Maps a file of the binary format as a graph, read-only. Heads and weights are read from the file only when they are
 * used, and processes that map the same file share the memory. Names are copied. The header and the offsets are checked
 * at once, heads at their first use. The caller frees the graph by mw_graph_free.
 * The file may be removed or replaced while it is mapped. If it is truncated in place, the next access ends the program
 * by a signal. A pipe is not mapped, but read completely.
 * Errors: those of mw_edges_read. */
MW_API int mw_graph_map(const char *path, struct mw_graph *graph);
/* Returns whether the first bytes of a file are those of the binary format; false if the file cannot be read. */
MW_API bool mw_graph_is_binary(const char *path);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

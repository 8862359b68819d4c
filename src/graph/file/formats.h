/* The formats of file.c's table, and functions of file.c for tests. Internal. */
#ifndef MW_GRAPH_FILE_FORMATS_H
#define MW_GRAPH_FILE_FORMATS_H

#include <meshwork/graph_file.h>

#include "graph/file/input.h"
#include "graph/file/output.h"

/* ---- readers: each stores the edges of an opened file of its format; the caller frees them ---- */

/* Reads the edges of an edge list: a pair of names per line. */
int mw_edges_read_list(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a Matrix Market file: an entry of the matrix is an edge. */
int mw_edges_read_mtx(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a METIS graph file: a line per vertex with its neighbours. */
int mw_edges_read_metis(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a GraphML file, which is XML. */
int mw_edges_read_graphml(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a GML file: a tree of keys and values. */
int mw_edges_read_gml(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a Pajek file: sections of lines. */
int mw_edges_read_pajek(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a file in Graphviz's language. */
int mw_edges_read_dot(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a sparse matrix of SciPy: an entry is an arc. */
int mw_edges_read_npz(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a table, one per row, whose separator is found in the first row. */
int mw_edges_read_csv(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a table, one per row, whose columns are separated by tabs if the first row has any. */
int mw_edges_read_tsv(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
/* Reads the edges of a file in meshwork's binary format. */
int mw_edges_read_binary(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);

/* ---- writers: each writes the graph of a file that mw_writing_start began ---- */

/* Writes an edge list. */
int mw_graph_write_list(struct mw_writing *writing);
/* Writes a Matrix Market file. */
int mw_graph_write_mtx(struct mw_writing *writing);
/* Writes a METIS graph file. */
int mw_graph_write_metis(struct mw_writing *writing);
/* Writes a GraphML file. */
int mw_graph_write_graphml(struct mw_writing *writing);
/* Writes a GML file. */
int mw_graph_write_gml(struct mw_writing *writing);
/* Writes a sparse matrix of SciPy. */
int mw_graph_write_npz(struct mw_writing *writing);
/* Writes a table with commas between its columns. */
int mw_graph_write_csv(struct mw_writing *writing);
/* Writes a table with tabs between its columns. */
int mw_graph_write_tsv(struct mw_writing *writing);
/* Writes a file of meshwork's binary format. */
int mw_graph_write_binary(struct mw_writing *writing);

/* First bytes of a binary file. Like PNG's, they reveal a transfer that changed line ends or the eighth bit. */
#define MW_BINARY_MAGIC "\x89MWG\r\n\x1a\n"
#define MW_BINARY_MAGIC_BYTES 8 /* length of MW_BINARY_MAGIC without its NUL */

/* ---- file.c ---- */

/* Reads edges as mw_edges_read does, with limits of the caller. */
int mw_edges_read_within(const char *path, const struct mw_graph_file_options *options,
                         const struct mw_file_limits *limits, struct mw_edges *edges);
/* Writes a graph as mw_graph_write does, with limits of the caller. */
int mw_graph_write_within(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options,
                          const struct mw_file_limits *limits);

#endif
/* SPDX-License-Identifier: MIT */

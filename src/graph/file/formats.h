/* The formats of file.c's table, and functions of file.c for tests. Internal. */
#ifndef MW_GRAPH_FILE_FORMATS_H
#define MW_GRAPH_FILE_FORMATS_H

#include <meshwork/graph_file.h>

#include "graph/file/input.h"
#include "graph/file/output.h"

/* Reads the edges of an opened file of one format. The caller frees them. */
typedef int mw_edges_reader(struct mw_input *input, const struct mw_graph_file_options *options,
                            struct mw_edges *edges);
/* The readers of the formats. A table's separator is found in its first row; mw_edges_read_tsv prefers tabs. */
mw_edges_reader mw_edges_read_list, mw_edges_read_mtx, mw_edges_read_metis, mw_edges_read_graphml, mw_edges_read_gml,
    mw_edges_read_pajek, mw_edges_read_dot, mw_edges_read_npz, mw_edges_read_csv, mw_edges_read_tsv,
    mw_edges_read_binary;

/* Writes the graph of a file that mw_writing_start began. */
typedef int mw_graph_writer(struct mw_writing *writing);
/* The writers of the formats. Tables have commas between columns, or tabs. */
mw_graph_writer mw_graph_write_list, mw_graph_write_mtx, mw_graph_write_metis, mw_graph_write_graphml,
    mw_graph_write_gml, mw_graph_write_npz, mw_graph_write_csv, mw_graph_write_tsv, mw_graph_write_binary;

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

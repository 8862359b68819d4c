/* The formats of file.c's table, and functions of file.c for tests. Internal. */
#ifndef MW_GRAPH_FILE_FORMATS_H
#define MW_GRAPH_FILE_FORMATS_H

#include <meshwork/graph_file.h>

#include "graph/file/input.h"
#include "graph/file/output.h"

int mw_edges_read_list(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_mtx(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_metis(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_graphml(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_csv(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_tsv(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_binary(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);

int mw_graph_write_list(struct mw_writing *writing);
int mw_graph_write_mtx(struct mw_writing *writing);
int mw_graph_write_metis(struct mw_writing *writing);
int mw_graph_write_graphml(struct mw_writing *writing);
int mw_graph_write_csv(struct mw_writing *writing);
int mw_graph_write_tsv(struct mw_writing *writing);
int mw_graph_write_binary(struct mw_writing *writing);

#define MW_BINARY_MAGIC "\x89MWG\r\n\x1a\n"
#define MW_BINARY_MAGIC_BYTES 8

/* ---- file.c ---- */

/* mw_edges_read and mw_graph_write with limits of the caller. */
int mw_edges_read_within(const char *path, const struct mw_graph_file_options *options,
                         const struct mw_file_limits *limits, struct mw_edges *edges);
int mw_graph_write_within(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options,
                          const struct mw_file_limits *limits);

#endif
/* SPDX-License-Identifier: MIT */

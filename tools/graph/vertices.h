/* Files of results per vertex: tables, arrays, and graphs with attributes of nodes. */
#ifndef TOOLS_VERTICES_H
#define TOOLS_VERTICES_H

#include <meshwork/graph_file.h>

/* Names of the files, for the help of options. */
#define VERTICES_FILE "FILE.csv|npy|graphml"

/* Checks the file of an option, which must end in .csv, .npy, .graphml or .graphml.gz, or be -, a table on standard
 * output.  NULL is accepted. */
int vertices_writable(const char *option, const char *path);
/* Writes the values of all vertices to a file, in the format of its suffix:
 * - a table, with the name of each vertex before its values
 * - an array of float64 in the order of vertices: a row per vertex, NaN for missing values, numbers for vertices
 * - the graph as GraphML, with the values as attributes of nodes. */
int vertices_write(const char *path, const struct mw_graph *graph, const struct mw_vertex_data *data);

#endif
/* SPDX-License-Identifier: MIT */

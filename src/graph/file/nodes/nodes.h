/* Collects the nodes and edges of formats in which nodes have ids. Internal. */
#ifndef MW_GRAPH_FILE_NODES_NODES_H
#define MW_GRAPH_FILE_NODES_NODES_H

#include "graph/file/edge_pieces.h"
#include "graph/file/nodes/names.h"

/* The nodes and edges found so far. The caller sets `input`, and zeroes the others. */
struct mw_nodes {
    struct mw_input *input;
    struct mw_edge_piece edges; /* endpoints are numbers of ids in edges.words */
    struct mw_id {
        uint32_t node; /* number of the node in the order of the file; MW_NODE_NONE: only edges have the id */
        size_t line;   /* line of its first occurrence */
    } * id;
    size_t nodes;  /* number of nodes */
    bool weighted; /* an edge has a weight */
    struct mw_node_names names[MW_NAMINGS];
};
#define MW_NODE_NONE UINT32_MAX
/* Stores the number of an id. MW_EDATA: the id cannot be a name. `line` is the current line, for messages. */
int mw_nodes_id(struct mw_nodes *nodes, const char *text, size_t length, size_t line, uint32_t *number);
/* Adds a node, unless there is one with this id; then, stores true in *known if that is not NULL. */
void mw_nodes_add(struct mw_nodes *nodes, uint32_t id, bool *known);
/* Adds an edge between ids; MW_DECIMAL_NONE: without weight. MW_ENOMEM. */
int mw_nodes_join(struct mw_nodes *nodes, uint32_t tail, uint32_t head, mw_decimal weight);
/* Keeps one edge of those between the same ids, the last one, for graphs that state so. */
int mw_nodes_merge(struct mw_nodes *nodes, bool directed);
/* Sets missing weights of edges to 1, with a notice. */
void mw_nodes_fill_weights(struct mw_nodes *nodes);
/* Names the vertices of *edges by words of a dictionary, from which it takes the bytes. start[v]: index of a vertex's
 * word. Takes over `start`, also on failure. */
int mw_nodes_name(struct mw_dictionary *words, size_t *start, struct mw_edges *edges);
/* Makes the edges: numbers the vertices as described in graph_file.h, names them, and weighs the edges. MW_EDATA: an
 * edge's endpoint is not a node. */
int mw_nodes_finish(struct mw_nodes *nodes, bool directed, struct mw_edges *edges);
/* Frees all memory of the collection. */
void mw_nodes_free(struct mw_nodes *nodes);

#endif
/* SPDX-License-Identifier: MIT */

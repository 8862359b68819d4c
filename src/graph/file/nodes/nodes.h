/* Collects the nodes and edges of formats in which nodes have ids. Internal. */
#ifndef MW_GRAPH_FILE_NODES_NODES_H
#define MW_GRAPH_FILE_NODES_NODES_H

#include "graph/file/edge_pieces.h"

/* ---- names.c: names other than ids: an attribute, or a displayed label ---- */

/* The names of all nodes by one attribute. Zeroed if the file does not declare the attribute. */
struct mw_node_names {
    char *key;                  /* id of the attribute, by which nodes refer to it; NULL: not declared */
    char *text;                 /* name of the current node so far; MW_NAME_MAX bytes of memory */
    size_t length;              /* bytes of `text`; more than MW_NAME_MAX if the name is too long */
    struct mw_dictionary words; /* names in the order of nodes */
    uint64_t nodes;             /* nodes begun so far */
    bool unfit;                 /* not usable: a node has no valid name, or the same one as another node */
    bool trims;                 /* trailing blanks are not part of a name */
    size_t *start;              /* per vertex: index of its name in words.bytes */
};
/* Attributes by which nodes can be named, in order of preference. */
enum mw_naming {
    MW_NAMED_BY_NAME,  /* attribute "name" (igraph) */
    MW_NAMED_BY_LABEL, /* attribute "label" (NetworkX, Gephi) */
    MW_NAMED_AS_SHOWN, /* label that yEd displays */
    MW_NAMINGS         /* number of these */
};
/* Starts collecting names if `name` is the title of such an attribute and was not declared before; `id` is its key. */
int mw_node_names_offer(struct mw_node_names names[MW_NAMINGS], const char *name, const char *id);
/* Returns the names by the attribute with this key, or NULL. Never returns yEd's labels. */
struct mw_node_names *mw_node_names_of(struct mw_node_names names[MW_NAMINGS], const char *key);
/* Appends text to the current node's name. */
void mw_node_names_add(struct mw_node_names *names, const char *text, size_t length);
/* Ends the current node's name, and adds it to the dictionary. Sets names->unfit if it is invalid or not unique. */
int mw_node_names_end(struct mw_node_names *names);
/* Returns the names by the first attribute that is unique among all nodes. Without such an attribute, returns NULL,
 * with a notice if some nodes have names. `file`: the file's name for the notice. */
struct mw_node_names *mw_node_names_choose(struct mw_node_names names[MW_NAMINGS], const char *file);
/* Replaces the names of the vertices by these, which it takes over. names->start must be set. */
int mw_node_names_use(struct mw_node_names *names, struct mw_edges *edges);
/* Frees the memory of the names by one attribute. */
void mw_node_names_free(struct mw_node_names *names);

/* ---- nodes.c ---- */

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

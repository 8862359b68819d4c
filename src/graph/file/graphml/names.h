/* Names of nodes beside their ids: the attribute that programs call name.  Internal. */
#ifndef MW_GRAPH_FILE_GRAPHML_NAMES_H
#define MW_GRAPH_FILE_GRAPHML_NAMES_H

#include "graph/file/text.h"
#include "graph/graph_internal.h"

/* Zeroed: the file has no such attribute. */
struct mw_node_names {
    char *key;                   /* its id; NULL: there is none */
    char *text;                  /* the name at hand: room for MW_NAME_MAX bytes */
    size_t length;               /* more than that where it is too long */
    struct mw_dictionary words;  /* names in the order of the nodes */
    uint64_t nodes;              /* that began */
    bool unfit;                  /* a node has none, or another's */
    size_t *start;               /* of each vertex: where its name begins */
};
int mw_node_names_start(const char *key, struct mw_node_names *names);
void mw_node_names_add(struct mw_node_names *names, const char *text, size_t length);
/* Takes the name that was added since the node began. */
int mw_node_names_end(struct mw_node_names *names);
/* Whether each node has a name of its own; where there is the attribute and it is not so, a notice tells.  `file`: for
 * it. */
bool mw_node_names_fit(const struct mw_node_names *names, const char *file);
/* Gives the vertices, of which names->start is set, these names in place of theirs. */
int mw_node_names_use(struct mw_node_names *names, struct mw_edges *edges);
void mw_node_names_free(struct mw_node_names *names);

#endif
/* SPDX-License-Identifier: MIT */

/* Names of nodes other than their ids: an attribute, or what a program shows.  Internal. */
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
    bool trims;                  /* blanks at its end are no part of a name */
    size_t *start;               /* of each vertex: where its name begins */
};
/* What nodes may be called by, in order of preference: the attributes name (igraph) and label (NetworkX, Gephi), and
 * what yEd shows. */
enum mw_naming { MW_NAMED_BY_NAME, MW_NAMED_BY_LABEL, MW_NAMED_AS_SHOWN, MW_NAMINGS };
/* Starts the names that are called so, if there are such and they have not begun; their key is `id`. */
int mw_node_names_offer(struct mw_node_names names[MW_NAMINGS], const char *name, const char *id);
/* Those of a key; NULL: there are none. */
struct mw_node_names *mw_node_names_of(struct mw_node_names names[MW_NAMINGS], const char *key);
void mw_node_names_add(struct mw_node_names *names, const char *text, size_t length);
/* Takes the name that was added since the node began. */
int mw_node_names_end(struct mw_node_names *names);
/* The first of several names of which each node has one of its own; NULL: there are none, with a notice about the file
 * if some nodes have names. */
struct mw_node_names *mw_node_names_choose(struct mw_node_names names[MW_NAMINGS], const char *file);
/* Gives the vertices, of which names->start is set, these names in place of theirs. */
int mw_node_names_use(struct mw_node_names *names, struct mw_edges *edges);
void mw_node_names_free(struct mw_node_names *names);

#endif
/* SPDX-License-Identifier: MIT */

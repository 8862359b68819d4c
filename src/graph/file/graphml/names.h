/* Names of nodes other than their ids: an attribute, or a displayed label. Internal. */
#ifndef MW_GRAPH_FILE_GRAPHML_NAMES_H
#define MW_GRAPH_FILE_GRAPHML_NAMES_H

#include "graph/file/text.h"
#include "graph/graph_internal.h"

/* Zeroed if the file has no such attribute. */
struct mw_node_names {
    char *key;                  /* id of the attribute; NULL: none */
    char *text;                 /* current name, capacity MW_NAME_MAX bytes */
    size_t length;              /* larger if the name is too long */
    struct mw_dictionary words; /* names in the order of nodes */
    uint64_t nodes;             /* nodes begun so far */
    bool unfit;                 /* a node has no name, or the same as another */
    bool trims;                 /* trailing blanks are not part of a name */
    size_t *start;              /* per vertex: where its name begins */
};
/* Possible names, in order of preference: the attributes name (igraph) and label (NetworkX, Gephi), and the label shown
 * by yEd. */
enum mw_naming { MW_NAMED_BY_NAME, MW_NAMED_BY_LABEL, MW_NAMED_AS_SHOWN, MW_NAMINGS };
/* Starts collecting names if the attribute is one of these and was not offered before; their key is `id`. */
int mw_node_names_offer(struct mw_node_names names[MW_NAMINGS], const char *name, const char *id);
/* Returns the names of a key, or NULL. */
struct mw_node_names *mw_node_names_of(struct mw_node_names names[MW_NAMINGS], const char *key);
void mw_node_names_add(struct mw_node_names *names, const char *text, size_t length);
/* Ends the current node's name. */
int mw_node_names_end(struct mw_node_names *names);
/* Returns the first kind of names that is unique per node. Otherwise returns NULL, with a notice if some nodes have
 * names. */
struct mw_node_names *mw_node_names_choose(struct mw_node_names names[MW_NAMINGS], const char *file);
/* Replaces the names of the vertices; names->start must be set. */
int mw_node_names_use(struct mw_node_names *names, struct mw_edges *edges);
void mw_node_names_free(struct mw_node_names *names);

#endif
/* SPDX-License-Identifier: MIT */

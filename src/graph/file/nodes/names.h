/* Names of nodes other than their ids: an attribute, or a displayed label. Internal. */
#ifndef MW_GRAPH_FILE_NODES_NAMES_H
#define MW_GRAPH_FILE_NODES_NAMES_H

#include "graph/file/text.h"
#include "graph/graph_internal.h"

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
/* Returns the first attribute's names of which each node has a unique one. Otherwise returns NULL, with a notice if
 * some nodes have names. `file`: the file's name for the notice. */
struct mw_node_names *mw_node_names_choose(struct mw_node_names names[MW_NAMINGS], const char *file);
/* Replaces the names of the vertices by these, which it takes over. names->start must be set. */
int mw_node_names_use(struct mw_node_names *names, struct mw_edges *edges);
/* Frees the memory of the names by one attribute. */
void mw_node_names_free(struct mw_node_names *names);

#endif
/* SPDX-License-Identifier: MIT */

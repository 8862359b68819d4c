/* Writes edge lists. A vertex without edges is written as a comment. */
#include "graph/file/edge_pieces.h"
#include "graph/file/formats.h"
#include "graph/file/list/attributes.h"
#include "graph/file/text.h"

#include <string.h>

static bool needs_quotes(const char *name, size_t length)
{
    return strchr("#%\"", *name) || name[length - 1] == ',' || *mw_skip_word(name) != '\0';
}

/* Returns whether an edge looks like a header line, and could be the first line: no earlier vertex has arcs. */
static bool is_like_titles(const struct mw_writing *w, size_t tail, size_t head)
{
    char text[2][MW_NAME_CAPACITY];
    return w->has_texts && w->graph->offsets[tail] == 0 &&
           mw_are_edge_titles(mw_name(w->graph->names, tail, text[0]), mw_name(w->graph->names, head, text[1]));
}

static void put_name(const struct mw_writing *w, size_t vertex, bool in_quotes, char after,
                     struct mw_output_block *block)
{
    char text[MW_NAME_CAPACITY];
    const char *name = w->has_texts ? mw_name(w->graph->names, vertex, text) : NULL;
    const size_t length = name ? strlen(name) : MW_NUMBER_CAPACITY;
    char *to = mw_output_block_reserve(block, 2 * length + 3);
    if (!to)
        return;
    if (name && (in_quotes || needs_quotes(name, length)))
        to = mw_put_quoted(to, name);
    else if (name)
        to = (char *)memcpy(to, name, length) + length;
    else
        to = mw_put_number(to, mw_written_number(w, vertex));
    *to++ = after;
    block->length = (size_t)(to - block->data);
}

static void put_edge(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc, struct mw_output_block *block)
{
    const struct mw_graph *graph = w->graph;
    put_name(w, tail, is_like_titles(w, tail, head), '\t', block);
    put_name(w, head, false, graph->weights ? '\t' : '\n', block);
    mw_write_weight(graph, arc, block);
}

static void put_vertex(const struct mw_writing *w, size_t vertex, struct mw_output_block *block)
{
    char *to;
    if (!w->isolated || !w->isolated[vertex] || !(to = mw_output_block_reserve(block, sizeof MW_LIST_VERTEX)))
        return;
    memcpy(to, MW_LIST_VERTEX, sizeof MW_LIST_VERTEX - 1);
    block->length += sizeof MW_LIST_VERTEX - 1;
    put_name(w, vertex, false, '\n', block);
}

int mw_graph_write_list(struct mw_writing *w)
{
    static const struct mw_writer writer = { .vertex = put_vertex, .edge = put_edge };
    TRY_RETURN(mw_writing_check_names(w, "an edge list"));
    TRY_RETURN(mw_writing_find_isolated(w));
    TRY_RETURN(mw_write_text(w, "# %s graph\n# Nodes: %zu Edges: %llu\n# FromNodeId\tToNodeId%s\n",
                             w->graph->directed ? "Directed" : "Undirected", w->graph->vertices,
                             (unsigned long long)w->edges, w->graph->weights ? "\tWeight" : ""));
    return mw_write_graph(w, &writer);
}
/* SPDX-License-Identifier: MIT */

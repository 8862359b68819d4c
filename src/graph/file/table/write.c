/* Writes tables of edges (RFC 4180). A vertex without edges is a row with only a source. */
#include "graph/file/formats.h"
#include "graph/file/text.h"

#include "base/formula.h"

#include <string.h>

static bool needs_quotes(const struct mw_writing *w, const char *name, size_t length)
{
    return memchr(name, w->separator, length) || memchr(name, '"', length) || *name == ' ' || name[length - 1] == ' ';
}

/* Writes a name in quotes, with an apostrophe before it. */
static char *put_marked(char *to, const char *name)
{
    char *end = mw_put_quoted(to, name);
    memmove(to + 2, to + 1, (size_t)(end - to - 1));
    to[1] = '\'';
    return end + 1;
}

static void put_name(const struct mw_writing *w, size_t vertex, char after, struct mw_output_block *block)
{
    char text[MW_NAME_CAPACITY];
    const char *name = w->has_texts ? mw_name(w->graph->names, vertex, text) : NULL;
    const size_t length = name ? strlen(name) : MW_NUMBER_CAPACITY;
    char *to = mw_output_block_reserve(block, 2 * length + 4);
    if (!to)
        return;
    if (name && mw_is_formula(name))
        to = put_marked(to, name);
    else if (name && needs_quotes(w, name, length))
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
    put_name(w, tail, w->separator, block);
    put_name(w, head, graph->weights ? w->separator : '\n', block);
    mw_write_weight(graph, arc, block);
}

static void put_vertex(const struct mw_writing *w, size_t vertex, struct mw_output_block *block)
{
    char *to;
    if (!w->isolated || !w->isolated[vertex])
        return;
    put_name(w, vertex, w->separator, block);
    if (!(to = mw_output_block_reserve(block, 2)))
        return;
    if (w->graph->weights)
        *to++ = w->separator;
    *to++ = '\n';
    block->length = (size_t)(to - block->data);
}

static int write_table(struct mw_writing *w, char separator)
{
    static const struct mw_writer writer = { .vertex = put_vertex, .edge = put_edge };
    w->separator = separator;
    TRY_RETURN(mw_writing_check_names(w, "a table"));
    TRY_RETURN(mw_writing_find_isolated(w));
    TRY_RETURN(w->graph->weights ? mw_write_text(w, "source%ctarget%cweight\n", separator, separator)
                                 : mw_write_text(w, "source%ctarget\n", separator));
    return mw_write_graph(w, &writer);
}

int mw_graph_write_csv(struct mw_writing *w) { return write_table(w, ','); }
int mw_graph_write_tsv(struct mw_writing *w) { return write_table(w, '\t'); }
/* SPDX-License-Identifier: MIT */

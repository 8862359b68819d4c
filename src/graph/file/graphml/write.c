/* Writes graphs as GraphML, which needs no library. */
#include "graph/file/formats.h"
#include "graph/file/text.h"
#include "graph/weights.h"

#include <stdlib.h>
#include <string.h>

static void put_text(struct mw_output_block *block, const char *text)
{
    const size_t length = strlen(text);
    char *to = mw_output_block_reserve(block, length);
    if (!to)
        return;
    memcpy(to, text, length);
    block->length += length;
}

static void put_name(const struct mw_writing *w, size_t vertex, struct mw_output_block *block)
{
    char text[MW_NUMBER_CAPACITY], *to;
    if (!w->has_texts) {
        *mw_put_number(text, mw_written_number(w, vertex)) = '\0';
        put_text(block, text);
        return;
    }
    for (const char *name = mw_name(w->graph->names, vertex, text); *name; name++) {
        const char *escape = mw_xml_escape(*name);
        if (escape) {
            put_text(block, escape);
        } else if ((to = mw_output_block_reserve(block, 1)) != NULL) {
            *to = *name;
            block->length++;
        }
    }
}

static void put_value(const struct mw_writing *w, const struct mw_vertex_column *column, const char *value,
                      struct mw_output_block *block)
{
    put_text(block, "<data key=\"");
    put_text(block, column->name);
    put_text(block, "\">");
    if (column->kind == MW_VERTEX_NAME)
        put_name(w, (size_t)strtoull(value, NULL, 10), block);
    else
        put_text(block, value);
    put_text(block, "</data>");
}

static void put_node(const struct mw_writing *w, size_t vertex, struct mw_output_block *block)
{
    char cells[MW_VERTEX_CELLS], *at = cells;
    put_text(block, "<node id=\"");
    put_name(w, vertex, block);
    if (!w->data) {
        put_text(block, "\"/>\n");
        return;
    }
    put_text(block, "\">");
    w->data->cells(w->data->context, vertex, cells);
    for (const struct mw_vertex_column *column = w->data->column; column->name; column++) {
        const size_t length = strcspn(at, ",");
        const bool is_last = at[length] == '\0';
        at[length] = '\0';
        if (length > 0)
            put_value(w, column, at, block);
        at += length + !is_last;
    }
    put_text(block, "</node>\n");
}

static void put_edge(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc, struct mw_output_block *block)
{
    char weight[MW_WEIGHT_CAPACITY];
    put_text(block, "<edge source=\"");
    put_name(w, tail, block);
    put_text(block, "\" target=\"");
    put_name(w, head, block);
    if (!w->graph->weights) {
        put_text(block, "\"/>\n");
        return;
    }
    put_text(block, "\"><data key=\"weight\">");
    put_text(block, mw_weight_text(w->graph->weights[arc], w->graph->decimals, weight));
    put_text(block, "</data></edge>\n");
}

#define KEY(type) "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"" type "\"/>\n"

int mw_graph_write_graphml(struct mw_writing *w)
{
    static const char *const types[] = {
        [MW_VERTEX_COUNT] = "long", [MW_VERTEX_REAL] = "double", [MW_VERTEX_NAME] = "string"
    };
    static const struct mw_writer nodes = { .vertex = put_node }, edges = { .edge = put_edge };
    TRY_RETURN(mw_writing_check_letters(w, "XML"));
    TRY_RETURN(mw_write_text(w,
                             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
                             "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n%s",
                             !w->graph->weights        ? ""
                             : w->graph->decimals != 0 ? KEY("double")
                                                       : KEY("long")));
    for (const struct mw_vertex_column *column = w->data ? w->data->column : NULL; column && column->name; column++)
        TRY_RETURN(mw_write_text(w, "<key id=\"%.100s\" for=\"node\" attr.name=\"%.100s\" attr.type=\"%s\"/>\n",
                                 column->name, column->name, types[column->kind]));
    TRY_RETURN(mw_write_text(w, "<graph edgedefault=\"%s\">\n", w->graph->directed ? "directed" : "undirected"));
    TRY_RETURN(mw_write_graph(w, &nodes));
    TRY_RETURN(mw_write_graph(w, &edges));
    return mw_write_text(w, "</graph>\n</graphml>\n");
}
/* SPDX-License-Identifier: MIT */

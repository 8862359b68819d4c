/* Writes graphs as GML. Ids are the numbers of vertices, labels are their names. Characters outside ASCII are written
 * as entities, since GML is ASCII. */
#include "graph/file/formats.h"
#include "graph/file/text.h"
#include "graph/weights.h"

#include <stdio.h>
#include <string.h>

/* Most bytes of a name's character: "&#1114111;". */
#define LETTER_CAPACITY 12

static char *put_text(char *to, const char *text)
{
    const size_t length = strlen(text);
    return (char *)memcpy(to, text, length) + length;
}

/* Writes the character of `bytes` bytes at `s`. */
static char *put_letter(char *to, const unsigned char *s, size_t bytes)
{
    unsigned long letter = bytes == 1 ? *s : *s & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++)
        letter = letter << 6 | (s[i] & 0x3f);
    if (letter == '"' || letter == '&')
        return put_text(to, letter == '"' ? "&quot;" : "&amp;");
    if (bytes == 1) {
        *to = (char)letter;
        return to + 1;
    }
    return to + sprintf(to, "&#%lu;", letter);
}

static void put_node(const struct mw_writing *w, size_t vertex, struct mw_output_block *block)
{
    char text[MW_NAME_CAPACITY], *to;
    const char *name = w->has_texts ? mw_name(w->graph->names, vertex, text) : NULL;
    to = mw_output_block_reserve(block, 64 + 2 * MW_NUMBER_CAPACITY + (name ? LETTER_CAPACITY * strlen(name) : 0));
    if (!to)
        return;
    to = put_text(to, "  node [\n    id ");
    to = mw_put_number(to, vertex);
    to = put_text(to, "\n    label \"");
    if (!name)
        to = mw_put_number(to, mw_written_number(w, vertex));
    for (size_t bytes; name && *name; name += bytes) {
        bytes = mw_letter_bytes((const unsigned char *)name);
        to = put_letter(to, (const unsigned char *)name, bytes);
    }
    to = put_text(to, "\"\n  ]\n");
    block->length = (size_t)(to - block->data);
}

static void put_gml_edge(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc,
                         struct mw_output_block *block)
{
    char *to = mw_output_block_reserve(block, 96 + 2 * MW_NUMBER_CAPACITY + MW_WEIGHT_CAPACITY);
    if (!to)
        return;
    to = put_text(to, "  edge [\n    source ");
    to = mw_put_number(to, tail);
    to = put_text(to, "\n    target ");
    to = mw_put_number(to, head);
    if (w->graph->weights) {
        to = put_text(to, "\n    weight ");
        to = mw_weight_put(to, w->graph->weights[arc], w->graph->decimals);
    }
    to = put_text(to, "\n  ]\n");
    block->length = (size_t)(to - block->data);
}

int mw_graph_write_gml(struct mw_writing *w)
{
    static const struct mw_writer nodes = { .vertex = put_node }, edges = { .edge = put_gml_edge };
    TRY_RETURN(mw_writing_check_letters(w, "GML"));
    TRY_RETURN(mw_write_text(w, "graph [\n  directed %d\n", w->graph->directed));
    TRY_RETURN(mw_write_graph(w, &nodes));
    TRY_RETURN(mw_write_graph(w, &edges));
    return mw_write_text(w, "]\n");
}
/* SPDX-License-Identifier: MIT */

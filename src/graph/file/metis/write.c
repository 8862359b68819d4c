/* Writes METIS graphs; see metis/read.c for the format. */
#include "graph/file/formats.h"
#include "graph/file/text.h"
#include "graph/weights.h"

#include <inttypes.h>

static void put_neighbour(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc,
                          struct mw_output_block *block)
{
    char *to = mw_output_block_reserve(block, MW_NUMBER_CAPACITY + MW_WEIGHT_CAPACITY + 2);
    if (!to)
        return;
    if (arc > w->graph->offsets[tail])
        *to++ = ' ';
    to = mw_put_number(to, head + 1);
    if (w->graph->weights) {
        *to++ = ' ';
        to = mw_weight_put(to, w->graph->weights[arc], w->graph->decimals);
    }
    block->length = (size_t)(to - block->data);
}

static void put_end(const struct mw_writing *w, size_t vertex, struct mw_output_block *block)
{
    char *to = mw_output_block_reserve(block, 1);
    if (!to)
        return;
    *to = '\n';
    block->length++;
}

int mw_graph_write_metis(struct mw_writing *w)
{
    static const struct mw_writer writer = { .arcs = true, .edge = put_neighbour, .end = put_end };
    struct mw_graph_summary summary = MW_INIT(summary);
    char text[MW_WEIGHT_CAPACITY];
    if (w->graph->directed)
        return mw_fail(MW_ENOTSUP, "cannot write %s: METIS has no directed graphs: make it undirected first", w->path);
    TRY_RETURN(mw_graph_summarise(w->graph, &summary));
    if (summary.self > 0 || summary.multiple > 0)
        return mw_fail(MW_ENOTSUP,
                       "cannot write %s: METIS allows neither self-loops, of which there are %" PRIu64
                       ", nor multiple edges, %" PRIu64 ": remove them first",
                       w->path, summary.self, summary.multiple);
    for (uint64_t i = 0; w->graph->weights && i < w->graph->arcs; i++)
        if (w->graph->weights[i] <= 0 || !mw_weight_is_whole(w->graph->weights[i], w->graph->decimals))
            return mw_fail(MW_ENOTSUP, "cannot write %s: METIS weights must be whole numbers above 0, but there is %s",
                           w->path, mw_weight_text(w->graph->weights[i], w->graph->decimals, text));
    mw_writing_warn_nameless(w, 1);
    TRY_RETURN(mw_write_text(w, "%zu %" PRIu64 "%s\n", w->graph->vertices, w->edges, w->graph->weights ? " 001" : ""));
    return mw_write_graph(w, &writer);
}
/* SPDX-License-Identifier: MIT */

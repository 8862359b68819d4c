/* Vertices with many arcs, split into pieces that several work-items share. */
#include "graph/arcs/arcs.h"

#include <stdlib.h>

#include "graph/arcs/sizes.clh"

static const struct mw_split_class usual[] = {
    { ARCS_WHOLE_MOST, 512, 16 },
    { 512, 4096, 256 },
};

static size_t cut_vertex(uint32_t vertex, uint64_t begin, uint64_t end, uint64_t arcs, uint32_t *to)
{
    size_t count = 0;
    for (; begin < end; begin += arcs, count++) {
        if (!to)
            continue;
        *to++ = vertex;
        *to++ = (uint32_t)begin;
        *to++ = (uint32_t)(end - begin < arcs ? end : begin + arcs);
    }
    return count;
}

/* Makes the pieces of all vertices of a class, and returns their number; to may be NULL. */
static size_t cut_block(const struct mw_split *h, const struct mw_graph *graph, const struct mw_arc_block *block,
                        size_t kind, uint32_t *to)
{
    const uint64_t above = h->classes[kind].above;
    const uint64_t most = kind + 1 < h->class_count ? h->classes[kind + 1].above : UINT64_MAX;
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        uint64_t begin = graph->offsets[block->first + i], end = graph->offsets[block->first + i + 1];
        begin = begin > block->low ? begin : block->low;
        end = end < block->high ? end : block->high;
        if (begin < end && end - begin > above && end - begin <= most)
            count += cut_vertex((uint32_t)(block->first + i), begin - block->low, end - block->low,
                                h->classes[kind].arcs, to ? to + count * ARCS_PIECE : NULL);
    }
    return count;
}

/* An upper bound: vertices with fewer arcs have no pieces. */
size_t mw_split_bytes(const struct mw_arc_worker *worker, uint64_t arcs)
{
    return worker->cores ? 0 : ((size_t)arcs / ARCS_WHOLE_MOST + 1) * ARCS_PIECE * sizeof(uint32_t);
}

static int send_pieces(const struct mw_arc_worker *on, const struct mw_split *h, const struct mw_graph *graph,
                       const struct mw_arc_block *block, size_t kind, struct mw_split_pieces *p)
{
    const size_t bytes = p->count * ARCS_PIECE * sizeof(uint32_t);
    uint32_t *words = NULL;
    int rc;
    TRY(mw_new(bytes, 1, &words));
    cut_block(h, graph, block, kind, words);
    TRY(mw_arc_copy(on, bytes, words, &p->buffer));
out:
    free(words);
    return rc;
}

int mw_split_make_by(const struct mw_arc_blocks *blocks, const struct mw_split_class *classes, size_t class_count,
                     struct mw_split *h)
{
    const struct mw_arc_worker *on = &blocks->on;
    *h = (struct mw_split){ .classes = classes, .class_count = class_count };
    if (on->cores)
        return 0;
    TRY_RETURN(mw_arc_new(on, blocks->count * class_count, sizeof *h->pieces, &h->pieces));
    for (size_t i = 0; i < blocks->count * class_count; i++) {
        const struct mw_arc_block *block = &blocks->block[i / class_count];
        const size_t kind = i % class_count;
        struct mw_split_pieces *p = &h->pieces[i];
        p->count = cut_block(h, blocks->graph, block, kind, NULL);
        h->largest = mw_max(p->count, h->largest);
        if (!blocks->sent && p->count > 0)
            TRY_RETURN(send_pieces(on, h, blocks->graph, block, kind, p));
        if (!blocks->sent)
            continue;
        TRY_RETURN(mw_arc_new(on, p->count * ARCS_PIECE, sizeof *p->words, &p->words));
        cut_block(h, blocks->graph, block, kind, p->words);
    }
    return blocks->sent ? mw_arc_buffer(on, h->largest * ARCS_PIECE * sizeof(uint32_t), &h->sent) : 0;
}

int mw_split_make(const struct mw_arc_blocks *blocks, struct mw_split *split)
{
    return mw_split_make_by(blocks, usual, MW_COUNT(usual), split);
}

int mw_split_each(const struct mw_split *split, size_t block, const struct mw_arc_view *view, mw_split_fn *launch,
                  void *context)
{
    for (size_t kind = 0; split->pieces && kind < split->class_count; kind++) {
        const struct mw_split_pieces *all = &split->pieces[block * split->class_count + kind];
        const struct mw_arc_pieces pieces = { split->sent ? split->sent : all->buffer, (uint32_t)all->count,
                                              split->classes[kind].width };
        if (all->count == 0)
            continue;
        if (split->sent)
            TRY_RETURN(mw_buffer_write(split->sent, 0, all->count * ARCS_PIECE * sizeof *all->words, all->words, NULL));
        TRY_RETURN(launch(context, view, &pieces));
    }
    return 0;
}

struct mw_range mw_split_range(const struct mw_kernel_set *set, const struct mw_arc_pieces *p)
{
    return (struct mw_range){ .dims = 1, .global = { (size_t)p->count * p->width }, .group = { set->group } };
}
/* SPDX-License-Identifier: MIT */

/* Components by the papers' CPU algorithm (section 4.2, algorithm 1), on one thread of a native device.
 *
 * The paper's procedure calls itself for a neighbour with a smaller new label. Here, vertices with unfinished arcs are
 * on a stack, each once. If a call would process a vertex that is on the stack already, that vertex restarts its arcs
 * instead, with the same result. */
#include "graph/components/shares.h"

#include <stdlib.h>

struct reference {
    uint64_t *next; /* next arc of each vertex on the stack */
    uint32_t *stack;
    unsigned char *stacked;
};

static const char *reference_refuses(const struct mw_graph_labelling *labelling)
{
    if (labelling->share_count > 1)
        return "runs on one device only: use afforest";
    return mw_device_info(labelling->share[0].on.device)->kind == MW_DEVICE_NATIVE
               ? NULL
               : "needs a native device: use afforest";
}

static int reference_make(struct mw_component_share *share)
{
    const size_t n = share->of->graph.vertices;
    struct reference *s;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = s;
    TRY_RETURN(mw_arc_new(&share->on, n, sizeof *s->next, &s->next));
    TRY_RETURN(mw_arc_new(&share->on, n, sizeof *s->stack, &s->stack));
    return mw_arc_new(&share->on, n, sizeof *s->stacked, &s->stacked);
}

static void process(const struct mw_graph *g, struct reference *s, int32_t *label, unsigned char *waiting,
                    uint32_t vertex)
{
    size_t depth = 0;
    s->stack[depth++] = vertex;
    s->next[vertex] = g->offsets[vertex];
    s->stacked[vertex] = 1;
    while (depth > 0) {
        const uint32_t i = s->stack[depth - 1];
        waiting[i] = 0;
        if (s->next[i] == g->offsets[i + 1]) {
            s->stacked[i] = 0;
            depth--;
            continue;
        }
        const uint32_t j = g->heads[s->next[i]++];
        if (label[i] > label[j]) {
            label[i] = label[j];
            s->next[i] = g->offsets[i];
        } else if (label[i] < label[j]) {
            label[j] = label[i];
            s->next[j] = g->offsets[j];
            if (!s->stacked[j]) {
                s->stacked[j] = 1;
                s->stack[depth++] = j;
            }
        }
    }
}

static int reference_run(struct mw_graph_labelling *labelling, size_t *iterations)
{
    const struct mw_component_share *share = labelling->share;
    const struct mw_graph *g = &labelling->graph;
    int32_t *label = NULL;
    unsigned char *waiting = NULL;
    int rc;
    TRY(mw_new(g->vertices, sizeof *label, &label));
    TRY(mw_new(g->vertices, sizeof *waiting, &waiting));
    for (size_t v = 0; v < g->vertices; v++) {
        label[v] = (int32_t)v;
        waiting[v] = 1;
    }
    for (size_t v = 0; v < g->vertices; v++)
        if (waiting[v])
            process(g, share->state, label, waiting, (uint32_t)v);
    TRY(mw_buffer_write(share->labels, 0, g->vertices * sizeof *label, label, NULL));
    *iterations = 1;
out:
    free(label);
    free(waiting);
    return rc;
}

const struct mw_component_variant mw_component_reference = { true, reference_refuses, reference_make, reference_run,
                                                             NULL };
/* SPDX-License-Identifier: MIT */

/* Induced subgraphs, and the checksum of a graph. */
#include "dev/core/given.h"
#include "graph/graph_internal.h"

#include <stdlib.h>
#include <string.h>

uint64_t mw_graph_checksum(const struct mw_graph *graph)
{
    const uint64_t head[] = { graph->vertices, graph->arcs, graph->directed };
    struct mw_hasher hasher;
    mw_hasher_start(&hasher, 0);
    mw_hasher_add_words(&hasher, head, MW_COUNT(head), sizeof(head[0]));
    mw_hasher_add_words(&hasher, graph->offsets, graph->vertices + 1, sizeof(*graph->offsets));
    mw_hasher_add_words(&hasher, graph->heads, (size_t)graph->arcs, sizeof(*graph->heads));
    if (graph->weights) {
        const uint64_t decimals = (uint64_t)graph->decimals;
        mw_hasher_add_words(&hasher, &decimals, 1, sizeof(decimals));
        mw_hasher_add_words(&hasher, graph->weights, (size_t)graph->arcs, sizeof(*graph->weights));
    }
    return mw_hasher_end(&hasher);
}

/* Makes the names of the kept vertices: their numbers, or a copy of their texts. */
static int name_kept(const struct mw_names *names, const uint32_t *kept, size_t count, struct mw_names **result)
{
    struct mw_text text = { 0 };
    uint64_t *number = NULL;
    size_t *start = NULL;
    char digits[MW_NAME_CAPACITY];
    uint64_t first;
    int rc;
    if (mw_names_are_counted(names, &first)) {
        TRY(mw_new(count, sizeof(*number), &number));
        for (size_t i = 0; i < count; i++)
            number[i] = first + kept[i];
        rc = mw_names_of_numbers(number, count, result);
        number = NULL;
        goto out;
    }
    TRY(mw_new(count, sizeof(*start), &start));
    for (size_t i = 0; i < count; i++) {
        const char *name = mw_name(names, kept[i], digits);
        start[i] = text.length;
        mw_text_append(&text, name, strlen(name) + 1);
    }
    TRY(mw_text_ok(&text));
    rc = mw_names_of_texts(text.data, start, count, result);
    text = (struct mw_text){ 0 };
    start = NULL;
out:
    mw_text_free(&text);
    free(number);
    free(start);
    return rc;
}

/* Fills renamed[v] with the new number of vertex v, or MW_NO_VERTEX if it is removed. */
static int rename_vertices(const struct mw_graph *graph, const uint32_t *kept, size_t count, uint32_t **renamed)
{
    uint32_t *made = NULL;
    int rc;
    TRY(mw_new(graph->vertices, sizeof(*made), &made));
    memset(made, 0xff, graph->vertices * sizeof(*made));
    for (size_t i = 0; i < count; i++) {
        if (kept[i] >= graph->vertices || (i > 0 && kept[i] <= kept[i - 1])) {
            rc = mw_fail(MW_EINVAL, "vertex %lu at index %zu of the list: vertices must be below %zu and increase",
                         (unsigned long)kept[i], i, graph->vertices);
            goto out;
        }
        made[kept[i]] = (uint32_t)i;
    }
    *renamed = MW_PASS(made);
out:
    free(made);
    return rc;
}

static void keep_edges(struct mw_edges *edges, const uint32_t *renamed)
{
    uint64_t count = 0;
    for (uint64_t e = 0; e < edges->count; e++) {
        const uint32_t tail = renamed[edges->ends[2 * e]], head = renamed[edges->ends[2 * e + 1]];
        if (tail == MW_NO_VERTEX || head == MW_NO_VERTEX)
            continue;
        if (edges->weights)
            edges->weights[count] = edges->weights[e];
        edges->ends[2 * count] = tail;
        edges->ends[2 * count++ + 1] = head;
    }
    edges->count = count;
}

int mw_graph_induced(struct mw_device *device, const struct mw_graph *graph, const uint32_t *kept, size_t count,
                     struct mw_graph *induced)
{
    struct mw_edges edges = { 0 };
    struct mw_names *names = NULL;
    uint32_t *renamed = NULL;
    int rc;
    TRY(mw_device_given(&device));
    TRY(mw_graph_check_heads(graph, mw_graph_threads(device)));
    TRY(rename_vertices(graph, kept, count, &renamed));
    TRY(mw_graph_edges(graph, &edges));
    keep_edges(&edges, renamed);
    TRY(name_kept(graph->names, kept, count, &names));
    mw_names_free(edges.names);
    edges.names = names;
    edges.vertices = count;
    TRY(mw_graph_new(device, &edges, NULL, induced, NULL));
out:
    mw_edges_free(&edges);
    free(renamed);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Builds a small network, and prints its components and their sizes.
 *
 *   cc components.c $(pkg-config --cflags --libs meshwork) -o components && ./components
 *
 * A graph is made from a list of edges, and one call finds its components on a device: $MESHWORK_DEVICE, or the default
 * one.  Every call returns 0, or a negative status with the reason in mw_errmsg(). */
#include <meshwork.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((call) != 0)                                                                                               \
            goto failed;                                                                                               \
    } while (0)

/* Two triangles that share a corner, a pair, and a vertex by itself. */
static const uint32_t ends[] = { 0, 1, 1, 2, 2, 0, 2, 3, 3, 4, 4, 2, 6, 7 };
enum { VERTICES = 8, EDGES = sizeof ends / sizeof ends[0] / 2 };

int main(void)
{
    struct mw_device *device = NULL;
    struct mw_graph graph = { 0 };
    int32_t label[VERTICES];
    uint32_t *sizes;
    size_t count;
    TRY(mw_device_open_by_name(getenv("MESHWORK_DEVICE"), NULL, &device));
    TRY(mw_graph_from_edges(device, VERTICES, ends, EDGES, false, NULL, &graph));
    printf("%zu vertices, %" PRIu64 " edges\n", graph.vertices, graph.arcs / 2);

    TRY(mw_graph_components(&device, 1, &graph, label, &sizes, &count));
    for (size_t c = 0; c < count; c++)
        printf("component %zu: %" PRIu32 " vertices\n", c + 1, sizes[c]);
    for (size_t v = 0; v < VERTICES; v++)
        printf("vertex %zu is in component %" PRId32 "\n", v, label[v]);

    free(sizes);
    mw_graph_free(&graph);
    mw_device_close(device);
    return 0;
failed:
    fprintf(stderr, "components: %s\n", mw_errmsg());
    return 1; /* the end of the process frees the rest */
}
/* SPDX-License-Identifier: MIT */

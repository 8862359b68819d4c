/* A network in a C program: the parts of a small one, and their sizes.
 *
 *   cc components.c $(pkg-config --cflags --libs meshwork) -o components && ./components
 *
 * Edges go into a list, the list becomes a graph, its vertices get labels on a device (here the fastest that there is,
 * or the one that $MESHWORK_DEVICE names), and components.h keeps the books.  Every call returns 0, or a negative
 * status and leaves the reason in mw_errmsg(). */
#include <meshwork.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call) do { if ((call) != 0) goto failed; } while (0)

/* Two triangles that share a corner, a pair, and a vertex by itself. */
static const uint32_t ends[][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 2, 3 }, { 3, 4 }, { 4, 2 }, { 6, 7 } };
enum { VERTICES = 8, EDGES = sizeof ends / sizeof ends[0] };

int main(void)
{
    struct mw_device *device = NULL;
    struct mw_edges edges = { 0 };
    struct mw_graph graph = { 0 };
    struct mw_graph_labelling *labelling = NULL;
    struct mw_buffer *labels = NULL, *numbers = NULL;
    struct mw_prim *prim = NULL;
    struct mw_components *components = NULL;
    const uint32_t *sizes;
    int32_t number[VERTICES];
    size_t count;

    TRY(mw_device_open_by_name(getenv("MESHWORK_DEVICE"), NULL, &device));
    TRY(mw_edges_new(VERTICES, EDGES, false, &edges));
    for (size_t e = 0; e < EDGES; e++)
        for (int end = 0; end < 2; end++)
            edges.ends[2 * e + end] = ends[e][end];
    TRY(mw_graph_new(device, &edges, NULL, &graph, NULL));
    printf("%zu vertices, %" PRIu64 " edges\n", graph.vertices, graph.arcs / 2);

    /* Each vertex gets the smallest vertex of its component, and from that the component's number, from 1 on. */
    TRY(mw_graph_labelling_new(&device, 1, &graph, NULL, &labelling));
    TRY(mw_buffer_new(device, VERTICES * sizeof(int32_t), &labels));
    TRY(mw_buffer_new(device, VERTICES * sizeof(int32_t), &numbers));
    TRY(mw_graph_labelling_run(labelling, labels, NULL));
    TRY(mw_prim_new(device, &prim));
    TRY(mw_components_number(prim, labels, VERTICES, MW_TYPE_I32, numbers, MW_TYPE_I32, &count));

    TRY(mw_components_new(prim, numbers, VERTICES, MW_TYPE_I32, count, &components));
    TRY(mw_components_array(components, MW_COMPONENTS_SIZES, &sizes, &count));
    for (size_t c = 0; c < count; c++)
        printf("component %zu: %" PRIu32 " vertices\n", c + 1, sizes[c]);
    TRY(mw_buffer_read(numbers, 0, sizeof number, number, NULL));
    for (size_t v = 0; v < VERTICES; v++)
        printf("vertex %zu is in component %" PRId32 "\n", v, number[v]);

    mw_components_free(components);
    mw_prim_free(prim);
    mw_buffer_free(labels);
    mw_buffer_free(numbers);
    mw_graph_labelling_free(labelling);
    mw_graph_free(&graph);
    mw_edges_free(&edges);
    mw_device_close(device);
    return 0;
failed:
    fprintf(stderr, "components: %s\n", mw_errmsg());
    return 1; /* the end of the process frees the rest */
}

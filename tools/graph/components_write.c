/* meshwork graph components: what is written of the components, and whether they are right. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "graph/graph_internal.h"

#define BLOCK_BYTES ((size_t)1 << 20)

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);

    return n > m && !strcasecmp(path + n - m, suffix);
}

int grouping_check_outputs(const struct grouping *g)
{
    const struct settings *set = g->n.set;
    const char *path = set->output;
    int rc = 0;

    if (path && !strcmp(path, "-"))
        output_results_to_stderr();
    else if (path && !ends_in(path, ".npy") && !ends_in(path, ".txt"))
        return mw_fail(MW_EINVAL, "'%s' is no file for labels: its name ends in .npy or .txt, or it is -", path);
    else if (path)
        TRY(output_writable(path));
    if (set->largest && !strcmp(set->largest, "-"))
        return mw_fail(MW_EINVAL, "--largest: give the name of a file, whose suffix tells the format");
    if (set->largest)
        TRY(network_writable(set->largest, NULL, "largest"));
out:
    return rc;
}

/* ---- labels as text ---- */

static int put_block(struct mw_text *text, struct mw_file *file)
{
    int rc;

    TRY(mw_text_ok(text));
    if (!text->length)
        return 0;
    if (file)
        TRY(mw_file_write(file, text->data, text->length));
    else
        fwrite(text->data, 1, text->length, stdout);
    text->length = 0;
out:
    return rc;
}

static int write_lines(const struct grouping *g, struct mw_file *file)
{
    const struct mw_names *names = g->n.graph.names;
    const int32_t *root = g->labels.data;
    char own[MW_NAME_CAPACITY], smallest[MW_NAME_CAPACITY];
    struct mw_text text = { 0 };
    int rc = 0;

    for (size_t v = 0; v < g->labels.count; v++) {
        const char *name = mw_name(names, v, own), *label = mw_name(names, (size_t)root[v], smallest);
        mw_text_append(&text, name, strlen(name));
        mw_text_append(&text, "\t", 1);
        mw_text_append(&text, label, strlen(label));
        mw_text_append(&text, "\n", 1);
        if (text.length >= BLOCK_BYTES)
            TRY(put_block(&text, file));
    }
    TRY(put_block(&text, file));
out:
    mw_text_free(&text);
    return rc;
}

static int write_text(const struct grouping *g)
{
    struct mw_file *file = NULL;
    int rc;

    if (!strcmp(g->n.set->output, "-"))
        return write_lines(g, NULL);
    TRY(mw_file_create(g->n.set->output, false, &file));
    TRY(write_lines(g, file));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    return rc;
}

/* ---- the largest component ---- */

/* The names of the vertices kept: their numbers, or a copy of their texts. */
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

/* Leaves the edges of one component, with its vertices numbered anew in their order. */
static int keep_edges(const struct grouping *g, struct mw_edges *edges)
{
    const int32_t *root = g->labels.data;
    const size_t n = g->labels.count;
    uint32_t *renamed = NULL, *kept = NULL;
    struct mw_names *names = NULL;
    uint64_t count = 0;
    size_t vertices = 0;
    int rc;

    TRY(mw_new(n, sizeof(*renamed), &renamed));
    TRY(mw_new(g->summary.largest_size, sizeof(*kept), &kept));
    for (size_t v = 0; v < n; v++)
        if ((size_t)root[v] == g->largest_root) {
            renamed[v] = (uint32_t)vertices;
            kept[vertices++] = (uint32_t)v;
        }
    for (uint64_t e = 0; e < edges->count; e++)
        if ((size_t)root[edges->ends[2 * e]] == g->largest_root) {
            edges->ends[2 * count] = renamed[edges->ends[2 * e]];
            edges->ends[2 * count++ + 1] = renamed[edges->ends[2 * e + 1]];
        }
    TRY(name_kept(edges->names, kept, vertices, &names));
    mw_names_free(edges->names);
    edges->names = names;
    edges->vertices = vertices;
    edges->count = count;
out:
    free(renamed);
    free(kept);
    return rc;
}

static int write_largest(const struct grouping *g)
{
    const struct mw_graph_options options = { 0 };
    struct mw_device *device, *opened = NULL;
    struct mw_edges edges = { 0 };
    struct mw_graph graph = { 0 };
    int rc;

    TRY(mw_graph_edges(&g->n.graph, &edges));
    TRY(keep_edges(g, &edges));
    TRY(network_device(g->n.set, g->team.device[0], &device, &opened));
    TRY(mw_graph_new(device, &edges, &options, &graph, NULL));
    TRY(network_write(&graph, g->n.set->largest, NULL));
out:
    mw_graph_free(&graph);
    mw_edges_free(&edges);
    mw_device_close(opened);
    return rc;
}

int grouping_write(struct grouping *g)
{
    const struct settings *set = g->n.set;
    const double start = mw_now();
    int rc = 0;

    if (set->output)
        TRY(ends_in(set->output, ".npy") ? mw_npy_write(set->output, &g->labels) : write_text(g));
    if (set->largest)
        TRY(write_largest(g));
    g->output = mw_now() - start;
out:
    return rc;
}

/* ---- verification ---- */

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* The smaller root becomes the other's parent, so that each tree's root is its smallest vertex. */
static void unite_all(const struct mw_graph *graph, uint32_t *parent)
{
    for (size_t v = 0; v < graph->vertices; v++)
        parent[v] = (uint32_t)v;
    for (size_t v = 0; v < graph->vertices; v++)
        for (uint64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            const uint32_t a = root_of(parent, (uint32_t)v), b = root_of(parent, graph->heads[i]);
            parent[a > b ? a : b] = a < b ? a : b;
        }
}

int grouping_verify(struct grouping *g)
{
    const struct mw_graph *graph = &g->n.graph;
    const int32_t *root = g->labels.data;
    const double start = mw_now();
    uint32_t *parent = NULL;
    size_t components = 0, largest = 0, differing = 0, first = 0, *size = NULL;
    int rc;

    TRY(mw_new(graph->vertices, sizeof(*parent), &parent));
    TRY(mw_new(graph->vertices, sizeof(*size), &size));
    unite_all(graph, parent);
    for (size_t v = 0; v < graph->vertices; v++) {
        const uint32_t expected = root_of(parent, (uint32_t)v);
        components += expected == v;
        largest = ++size[expected] > largest ? size[expected] : largest;
        if ((uint32_t)root[v] != expected && differing++ == 0)
            first = v;
    }
    if (differing || components != g->summary.components || largest != g->summary.largest_size)
        rc = mw_fail(MW_EVERIFY, "verification failed: %zu components on %s, the largest of %zu vertices, and %zu with "
                     "%zu by a union-find; %zu of %zu labels differ, the first at vertex %zu: please report this with "
                     "`meshwork devices -v`", g->summary.components, mw_device_info(g->team.device[0])->id,
                     g->summary.largest_size, components, largest, differing, graph->vertices, first);
    g->verify = mw_now() - start;
out:
    free(parent);
    free(size);
    return rc;
}

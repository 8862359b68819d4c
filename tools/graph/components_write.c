/* meshwork graph components: output files, and verification. */
#include "tools/graph/components.h"
#include "tools/graph/vertices.h"
#include "tools/report/csv.h"
#include "tools/report/files.h"

int grouping_check_outputs(const struct grouping *g)
{
    const struct components_settings *set = g->set;
    const char *path = set->output;
    int rc;
    if (path && !strcmp(path, "-"))
        TRY_RETURN(file_to_standard_output(false));
    else if (path && text_ends_in(path, ".txt"))
        TRY_RETURN(file_writable(path));
    else if (path && (rc = vertices_writable("output", path)) != 0)
        return rc != MW_EINVAL ? rc
                               : mw_fail(rc,
                                         "cannot write labels to '%s': the name must end in .txt, .csv, .npy or "
                                         ".graphml, or be -",
                                         path);
    if (set->output_format && !set->largest)
        return mw_fail(MW_EINVAL, "--output-format requires --largest: leave it out");
    if (set->largest)
        TRY_RETURN(network_writable(set->largest, set->output_format));
    return 0;
}

/* ---- labels as text ---- */

static void add_label(const void *grouping, size_t v, struct mw_text *text)
{
    const struct grouping *g = grouping;
    const struct mw_names *names = g->t.n.graph.names;
    const int32_t *root = g->labels.data;
    char own[MW_NAME_CAPACITY], smallest[MW_NAME_CAPACITY];
    const char *name = mw_name(names, v, own), *label = mw_name(names, (size_t)root[v], smallest);
    mw_text_append(text, name, strlen(name));
    mw_text_append(text, "\t", 1);
    mw_text_append(text, label, strlen(label));
    mw_text_append(text, "\n", 1);
}

static void label_cells(const void *grouping, size_t v, char text[MW_VERTEX_CELLS])
{
    const struct grouping *g = grouping;
    snprintf(text, MW_VERTEX_CELLS, "%ld", (long)((const int32_t *)g->labels.data)[v]);
}

static int write_labels(const struct grouping *g, const char *path)
{
    static const struct mw_vertex_column columns[] = { { "component", MW_VERTEX_NAME }, { 0 } };
    const struct mw_vertex_data data = { columns, label_cells, g };
    if (text_ends_in(path, ".npy"))
        return mw_npy_write(path, &g->labels);
    if (!strcmp(path, "-") || text_ends_in(path, ".txt"))
        return csv_write(path, NULL, g->labels.count, add_label, g);
    return vertices_write(path, &g->t.n.graph, &data);
}

/* ---- the largest component ---- */

static int write_largest(const struct grouping *g)
{
    const int32_t *root = g->labels.data;
    struct mw_graph largest = { 0 };
    uint32_t *kept = NULL;
    size_t count = 0;
    int rc;
    TRY(mw_new(g->summary.largest_size, sizeof(*kept), &kept));
    for (size_t v = 0; v < g->labels.count; v++)
        if ((size_t)root[v] == g->largest_root)
            kept[count++] = (uint32_t)v;
    TRY(mw_graph_induced(g->t.team.device[0], &g->t.n.graph, kept, count, &largest));
    TRY(network_write(&largest, g->set->largest, g->set->output_format));
out:
    mw_graph_free(&largest);
    free(kept);
    return rc;
}

int grouping_write(void *course)
{
    const struct grouping *g = course;
    const struct components_settings *set = g->set;
    if (set->output)
        TRY_RETURN(write_labels(g, set->output));
    return set->largest ? write_largest(g) : 0;
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

/* The smaller root becomes the parent, so the root of a tree is its smallest vertex. */
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

int grouping_verify(void *course, struct mw_device *serial)
{
    const struct grouping *g = course;
    const struct mw_graph *graph = &g->t.n.graph;
    const int32_t *root = g->labels.data;
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
        rc = mw_fail(MW_EVERIFY,
                     "verification failed: %zu components on %s, the largest of %zu vertices, and %zu with "
                     "%zu by a union-find; %zu of %zu labels differ, the first at vertex %zu: please report this with "
                     "`meshwork devices -v`",
                     g->summary.components, mw_device_info(g->t.team.device[0])->id, g->summary.largest_size,
                     components, largest, differing, graph->vertices, first);
out:
    free(parent);
    free(size);
    return rc;
}

int grouping_verify_strong(void *course, struct mw_device *serial)
{
    const struct grouping *g = course;
    const struct mw_graph_strong_options options = { .size = sizeof options, .variant = "tarjan" };
    struct mw_graph_strong expected = MW_INIT(expected);
    int rc;
    TRY(mw_graph_strong(&serial, 1, &g->t.n.graph, &options, &expected));
    if (expected.vertices && memcmp(expected.roots, g->labels.data, expected.vertices * sizeof(*expected.roots)))
        rc = mw_fail(
            MW_EVERIFY,
            "verification failed: the labels differ from those of a depth-first search: please report this with "
            "`meshwork devices -v`");
out:
    mw_graph_strong_free(&expected);
    return rc;
}
/* SPDX-License-Identifier: MIT */

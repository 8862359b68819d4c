/* meshwork graph info: measures that fit into the time budget. */
#include <meshwork/graph_components.h>
#include <meshwork/graph_measures.h>
#include <meshwork/graph_paths.h>

#include <math.h>

#include "tools/cli/passes.h"
#include "tools/info/info.h"

#define TARGETS_FIRST 512 /* a batch that searches efficiently */
#define TARGETS_GROUP 64  /* groups for the error of the mean */
/* Rough seconds on two cores: per arc for components, triangles and a search; per step along a neighbour list, with
 * marks in the first cache, or beyond it for more vertices. */
#define COMPONENT_SECONDS 1e-8
#define TRIANGLE_SECONDS 6e-8
#define SEARCH_SECONDS 2e-8
#define STEP_SECONDS 1.8e-9
#define FAR_STEP_SECONDS 9e-9
#define NEAR_VERTICES (1 << 17)

static uint64_t degree(const struct mw_graph *g, size_t v) { return g->offsets[v + 1] - g->offsets[v]; }

static int measure_components(const struct mw_graph *graph, struct mw_device *device, struct info_measures *m)
{
    uint32_t *sizes = NULL;
    int rc;
    TRY(mw_graph_components(&device, 1, graph, NULL, &sizes, &m->components));
    for (size_t c = 0; c < m->components; c++)
        m->largest = sizes[c] > m->largest ? sizes[c] : m->largest;
    m->has_components = true;
out:
    free(sizes);
    return rc;
}

/* Orients an arc towards the end with more arcs; at a tie, towards the larger number. */
static bool leads_up(const struct mw_graph *g, size_t v, uint32_t head)
{
    const uint64_t own = degree(g, v), other = degree(g, head);
    return own != other ? own < other : v < head;
}

/* For each upward arc, the upward neighbour list of its head is scanned. */
static int triangle_seconds(const struct mw_graph *g, double *seconds)
{
    const double of_step = g->vertices > NEAR_VERTICES ? FAR_STEP_SECONDS : STEP_SECONDS;
    uint32_t *list = NULL;
    uint64_t steps = 0;
    int rc;
    TRY(mw_new(g->vertices, sizeof(*list), &list));
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t at = g->offsets[v]; at < g->offsets[v + 1]; at++)
            list[v] += leads_up(g, v, g->heads[at]);
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t at = g->offsets[v]; at < g->offsets[v + 1]; at++)
            steps += leads_up(g, v, g->heads[at]) ? list[g->heads[at]] : 0;
    *seconds = (double)g->arcs * TRIANGLE_SECONDS + (double)steps * of_step;
out:
    free(list);
    return rc;
}

static int measure_clustering(const struct mw_graph *graph, struct mw_device *device, struct info_measures *m)
{
    struct mw_graph_triangles t = MW_INIT(t);
    TRY_RETURN(mw_graph_triangles(&device, 1, graph, NULL, &t));
    m->triangles = t.triangles;
    m->clustering = t.triples.low || t.triples.high ? t.clustering : NAN;
    m->has_clustering = true;
    mw_graph_triangles_free(&t);
    return 0;
}

/* Measures distances to all vertices or to a random sample. */
static int measure_distances(const struct mw_graph *graph, struct mw_device *device, size_t count,
                             struct info_measures *m)
{
    struct mw_graph_paths_options how = { .size = sizeof how, .target_count = count };
    struct mw_graph_paths paths = MW_INIT(paths);
    uint32_t *targets = NULL;
    int rc = 0;
    if (count < graph->vertices) {
        TRY(mw_new(count, sizeof(*targets), &targets));
        TRY(mw_graph_sample(graph->vertices, count, 0, targets));
        how.targets = targets;
    }
    TRY(mw_graph_paths(&device, 1, graph, &how, &paths));
    m->targets = paths.targets;
    m->longest = paths.longest;
    m->pairs = paths.pairs;
    m->mean_distance = paths.pairs ? paths.mean : NAN;
    m->half_width = paths.half_width;
    m->has_distances = true;
    mw_graph_paths_free(&paths);
out:
    free(targets);
    return rc;
}

/* Searches from a few vertices first and predicts from their time how many fit into half of the remaining time. */
static int sample_distances(const struct mw_graph *graph, struct mw_device *device, double end, struct info_measures *m)
{
    const size_t n = graph->vertices, first = n < TARGETS_FIRST ? n : TARGETS_FIRST;
    const double start = mw_now();
    double now, most;
    TRY_RETURN(measure_distances(graph, device, first, m));
    if (first == n)
        return 0;
    now = mw_now();
    most = (double)first * (end - now) / (2 * (now - start));
    if (most >= (double)n)
        TRY_RETURN(measure_distances(graph, device, n, m));
    else if (most > 2 * (double)first)
        TRY_RETURN(measure_distances(graph, device, (size_t)most / TARGETS_GROUP * TARGETS_GROUP, m));
    return 0;
}

int info_measure(const struct mw_graph *graph, struct mw_device *device, double budget, struct info_measures *found)
{
    const double start = mw_now(), end = start + budget;
    const struct phase phase = phase_begin();
    struct info_measures m = { 0 };
    double triangles = 0, built = 0;
    TRY_RETURN(mw_graph_assortativity(device, graph, &m.assortativity));
    if (graph->vertices == 0) { /* there are no components, triangles or paths, nor means of them */
        m.has_components = m.has_clustering = m.has_distances = true;
        m.clustering = m.mean_distance = m.half_width = NAN;
        goto done;
    }
    if (mw_now() + (double)graph->arcs * COMPONENT_SECONDS < end)
        TRY_RETURN(measure_components(graph, device, &m));
    if (mw_now() + (double)graph->arcs * SEARCH_SECONDS < end)
        TRY_RETURN(sample_distances(graph, device, end, &m));
    if (mw_now() < end)
        TRY_RETURN(triangle_seconds(graph, &triangles));
    if (mw_now() + triangles < end)
        TRY_RETURN(measure_clustering(graph, device, &m));
done:
    m.seconds = phase_end(&phase, &built);
    *found = m;
    return 0;
}

/* ---- report ---- */

static void report_distances(const struct info_measures *m, const struct mw_graph *graph, struct node *to)
{
    struct node *mean = put_real(to, "mean_distance", m->mean_distance), *longest;
    const bool all = m->targets >= graph->vertices;
    const char *unit = graph->weights ? " edges" : "";
    if (m->pairs == 0)
        show_row(mean, "mean distance", "none: there are no paths");
    else if (all)
        show_row(mean, "mean distance", "%.10g%s", m->mean_distance, unit);
    else if (m->half_width == 0)
        show_row(mean, "mean distance", "%.6g%s to each of %zu equivalent vertices", m->mean_distance, unit,
                 m->targets);
    else
        show_row(mean, "mean distance", "%.6g +- %.2g%s, by distances to %zu vertices", m->mean_distance, m->half_width,
                 unit, m->targets);
    put_real(to, "mean_distance_error", m->half_width);
    put_count(to, "distance_targets", m->targets);
    longest = put_count(to, "diameter", m->longest);
    show_row(longest, "diameter", "%s%lu", all ? "" : "at least ", (unsigned long)m->longest);
    put_flag(to, "diameter_exact", all);
}

/* Puts null for a measure that did not fit into the time budget. */
static void put_unmeasured(const char *const *keys, size_t count, struct node *to)
{
    for (size_t i = 0; i < count; i++)
        put_none(to, keys[i]);
}

static void report_missing(const struct info_measures *m, double budget, struct node *to)
{
    static const char *const components[] = { "components", "largest" };
    static const char *const clustering[] = { "triangles", "clustering" };
    static const char *const distances[] = { "mean_distance", "mean_distance_error", "distance_targets", "diameter",
                                             "diameter_exact" };
    const struct {
        bool there;
        const char *name;
        const char *const *keys;
        size_t count;
    } parts[] = { { m->has_components, "components", components, MW_COUNT(components) },
                  { m->has_clustering, "clustering", clustering, MW_COUNT(clustering) },
                  { m->has_distances, "distances", distances, MW_COUNT(distances) } };
    struct node *skipped = put_list(to, "skipped");
    struct mw_text names = { 0 };

    for (size_t i = 0; i < MW_COUNT(parts); i++) {
        if (parts[i].there)
            continue;
        put_unmeasured(parts[i].keys, parts[i].count, to);
        put_text(skipped, NULL, parts[i].name);
        mw_text_add(&names, "%s%s", names.length ? ", " : "", parts[i].name);
    }
    if (names.length)
        ROW(to, "not measured", "%s: not within %g s (--budget)", names.data, budget);
    mw_text_free(&names);
}

void info_measures_report(const struct info_measures *m, const struct mw_graph *graph, double budget, struct node *to)
{
    const double n = (double)graph->vertices, pairs = n * (n - 1) / (graph->directed ? 1 : 2);
    const double density = pairs > 0 ? (double)network_edges(graph) / pairs : NAN;
    struct node *node = put_real(to, "density", density);
    if (pairs > 0)
        show_row(node, "density", "%.6g", density);
    node = put_real(to, "assortativity", m->assortativity);
    if (isfinite(m->assortativity))
        show_row(node, "assortativity", "%.6g", m->assortativity);
    if (m->has_components) {
        show_row(put_count(to, "components", m->components), "components", "%zu, the largest of %s", m->components,
                 COUNTED(m->largest, "vertex|vertices"));
        put_count(to, "largest", m->largest);
    }
    if (m->has_clustering) {
        put_count(to, "triangles", m->triangles);
        node = put_real(to, "clustering", m->clustering);
        if (isnan(m->clustering))
            show_row(node, "clustering", "none: no vertex has two neighbours");
        else
            show_row(node, "clustering", "%.6g, %s", m->clustering, COUNTED(m->triangles, "triangle"));
    }
    if (m->has_distances)
        report_distances(m, graph, to);
    report_missing(m, budget, to);
}
/* SPDX-License-Identifier: MIT */

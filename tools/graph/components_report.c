/* meshwork graph components: the plan and the summary, for people and as JSON. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* Heads of 4 bytes; offsets, labels and what variants work with, 4 bytes a vertex each. */
static uint64_t memory_bytes(const struct mw_graph *graph)
{
    return 4 * graph->arcs + 16 * (uint64_t)graph->vertices;
}

static double rate(const struct grouping *g)
{
    const double seconds = passes_median(&g->passes);

    return seconds > 0 ? (double)network_edges(&g->n.graph) / seconds : 0;
}

/* ---- JSON ---- */

static void devices_json(const struct team *team, struct json *json)
{
    const struct mw_device_info *first = mw_device_info(team->device[0]);
    struct json *devices;

    js_text(json, "device", first->id);
    js_text(json, "device_name", first->name);
    if (team->count < 2)
        return;
    devices = js_array();
    for (size_t i = 0; i < team->count; i++) {
        const struct mw_device_info *device = mw_device_info(team->device[i]);
        struct json *one = js_object();
        js_text(one, "device", device->id);
        js_text(one, "device_name", device->name);
        js_put(devices, NULL, one);
    }
    js_put(json, "devices", devices);
}

/* Sizes that occur, upwards, and how many components have each. */
static int list_sizes(const struct grouping *g, struct occurrence **sizes, size_t *count)
{
    const uint32_t *values, *numbers;
    struct occurrence *made;
    size_t n;
    int rc;

    TRY(mw_components_array(g->components, MW_COMPONENTS_SIZE_VALUES, &values, &n));
    TRY(mw_components_array(g->components, MW_COMPONENTS_SIZE_NUMBERS, &numbers, &n));
    TRY(mw_new(n, sizeof(*made), &made));
    for (size_t i = 0; i < n; i++)
        made[i] = (struct occurrence){ values[i], numbers[i] };
    *sizes = made;
    *count = n;
out:
    return rc;
}

static int put_sizes(const struct grouping *g, struct json *json)
{
    struct occurrence *sizes = NULL;
    size_t count;
    int rc;

    TRY(list_sizes(g, &sizes, &count));
    occurrences_json(json, "sizes", sizes, count);
out:
    free(sizes);
    return rc;
}

static int summary_json(const struct grouping *g)
{
    const struct timing timings[] = {
        { "minimum", g->passes.seconds[0] }, { "maximum", g->passes.seconds[g->passes.count - 1] },
        { "open", g->open }, { "read", g->n.reading }, { "graph", g->n.building }, { "build", g->build },
        { "compute", passes_median(&g->passes) }, { "sizes", g->sizing },
        { "download", g->download }, { "verify", g->verify }, { "output", g->output },
        { "total", mw_now() - g->n.start } };
    const struct mw_components_summary *s = &g->summary;
    struct json *o = js_object();
    char sum[20], digits[MW_NAME_CAPACITY];
    int rc = 0;

    snprintf(sum, sizeof(sum), "%016llx", (unsigned long long)mw_array_checksum(&g->labels));
    network_json(&g->n, o);
    devices_json(&g->team, o);
    js_text(o, "variant", mw_graph_labelling_variant(g->labelling));
    js_count(o, "repeat", g->passes.count);
    js_real(o, "seconds", passes_median(&g->passes));
    js_real(o, "edges_per_second", rate(g));
    js_count(o, "iterations", g->iterations);
    js_count(o, "components", s->components);
    js_count(o, "largest", s->largest_size);
    if (s->components)
        js_text(o, "largest_label", mw_name(g->n.graph.names, g->largest_root, digits));
    js_real(o, "mean_size", s->mean_size);
    if (g->n.set->sizes)
        TRY(put_sizes(g, o));
    js_text(o, "checksum", sum);
    if (g->n.set->verify)
        js_flag(o, "verified", true);
    timings_json(o, timings, MW_COUNT(timings));
    rc = js_print(o);
    o = NULL;
out:
    js_free(o);
    return rc;
}

/* ---- tables ---- */

static void devices_rows(const struct team *team, struct table *table)
{
    for (size_t i = 0; i < team->count; i++) {
        const struct mw_device_info *device = mw_device_info(team->device[i]);
        ROW(i ? "" : team->count > 1 ? "devices" : "device", "%s  %s", device->id, device->name);
    }
}

static void add_times(const struct grouping *g, struct table *table)
{
    ROW("seconds", "%.4g", passes_median(&g->passes));
    if (g->passes.count > 1)
        ROW("", "median of %zu, between %s and %s", g->passes.count, seconds_text(g->passes.seconds[0]).text,
            seconds_text(g->passes.seconds[g->passes.count - 1]).text);
    ROW("", "%s %s, graph %s, build %s, sizes %s, download %s, output %s, total %s",
        g->n.generator ? "generate" : "read", seconds_text(g->n.reading).text, seconds_text(g->n.building).text,
        seconds_text(g->build).text, seconds_text(g->sizing).text, seconds_text(g->download).text,
        seconds_text(g->output).text, seconds_text(mw_now() - g->n.start).text);
    ROW("rate", "%.4g Medge/s", rate(g) / 1e6);
}

static void add_components(const struct grouping *g, struct table *table)
{
    const struct mw_components_summary *s = &g->summary;
    const struct settings *set = g->n.set;
    char digits[MW_NAME_CAPACITY];

    ROW("components", "%zu", s->components);
    if (s->components) {
        ROW("largest", "%zu vertices, label %s", s->largest_size, mw_name(g->n.graph.names, g->largest_root, digits));
        ROW("mean size", "%.6g vertices", s->mean_size);
    }
    if (output_verbose()) {
        ROW("iterations", "%zu", g->iterations);
        ROW("memory", "about %s", bytes_text(memory_bytes(&g->n.graph)).text);
    }
    ROW("checksum", "%016llx", (unsigned long long)mw_array_checksum(&g->labels));
    if (set->verify)
        ROW("verified", "each label is that of a union-find, in %s", seconds_text(g->verify).text);
    if (set->output)
        ROW("written", "%s", strcmp(set->output, "-") ? set->output : "to standard output");
    if (set->largest)
        ROW("largest in", "%s", set->largest);
}

static int print_sizes(const struct grouping *g)
{
    struct occurrence *sizes = NULL;
    size_t count;
    int rc;

    TRY(list_sizes(g, &sizes, &count));
    TRY(occurrences_print(">size|>components", sizes, count, output_verbose()));
out:
    free(sizes);
    return rc;
}

static int summary_table(const struct grouping *g)
{
    struct table rows, *table = &rows;
    int rc;

    table_start(table, "|");
    TRY(network_rows(&g->n, table));
    devices_rows(&g->team, table);
    ROW("variant", "%s", mw_graph_labelling_variant(g->labelling));
    add_times(g, table);
    add_components(g, table);
    TRY(table_print(table, results()));
    if (g->n.set->sizes)
        TRY(print_sizes(g));
out:
    table_free(table);
    return rc;
}

int grouping_summary(const struct grouping *g)
{
    return g->n.set->json ? summary_json(g) : summary_table(g);
}

/* ---- the plan ---- */

static int plan_json(const struct grouping *g, const struct team_plan *team, uint64_t bytes)
{
    struct json *o = js_object();

    network_json(&g->n, o);
    js_text(o, "device", team->first.id);
    js_count(o, "devices", team->count);
    js_text(o, "variant", g->n.set->variant);
    js_count(o, "memory_bytes", bytes);
    js_count(o, "device_memory_bytes", team->memory_bytes);
    return js_print(o);
}

static int plan_table(const struct grouping *g, const struct team_plan *team, uint64_t bytes)
{
    const bool in_blocks = team->memory_bytes && bytes > team->memory_bytes;
    struct table rows, *table = &rows;
    int rc;

    table_start(table, "|");
    TRY(network_rows(&g->n, table));
    if (team->count > 1)
        ROW("devices", "%zu: %s", team->count, g->n.set->device);
    else
        ROW("device", "%s  %s", team->first.id, team->first.name);
    ROW("variant", "%s", g->n.set->variant);
    ROW("memory", "about %s for arcs and labels, of %s%s", bytes_text(bytes).text,
        bytes_text(team->memory_bytes).text, in_blocks ? ": arcs are sent in blocks" : "");
    TRY(table_print(table, results()));
out:
    table_free(table);
    return rc;
}

/* --dry-run: the graph is read, as it tells what is needed; none of the devices is opened. */
int grouping_plan(struct grouping *g)
{
    const struct mw_device_options options = { .threads = (unsigned)g->n.set->threads };
    struct mw_device *device = NULL;
    struct team_plan team;
    uint64_t bytes;
    int rc;

    TRY(team_plan(g->n.set, &team));
    TRY(mw_device_open_by_name("native", &options, &device));
    TRY(network_open(&g->n, device));
    bytes = memory_bytes(&g->n.graph);
    TRY(g->n.set->json ? plan_json(g, &team, bytes) : plan_table(g, &team, bytes));
out:
    mw_device_close(device);
    return rc;
}

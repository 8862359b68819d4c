/* meshwork graph info: properties of a graph. */
#include "tools/cli/subcommands.h"
#include "tools/info/info.h"
#include "tools/report/files.h"

struct info_settings {
    bool degrees;
    const char *plot;
    double budget;
    struct graph_settings graph;
    struct device_settings device;
};

#define AT(member) offsetof(struct info_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "degrees", .type = OPTION_FLAG, .target = AT(degrees),
      .help = "print the degree histogram (-v: untruncated)" },
    { .name = "plot", .type = OPTION_FILE, .target = AT(plot), .value = "FILE.png|svg|pdf",
      .help = "plot the degree distribution, with logarithmic bins and its cumulative curve; needs gnuplot" },
    { .name = "budget", .type = OPTION_SECONDS, .target = AT(budget), .value = "TIME", .fallback = "3s",
      .help = "time for components, clustering and distances; what does not fit is left out, and distances are "
              "sampled; 0: none of them" },
    { 0 }
};
/* clang-format on */

struct description {
    struct network n;
    struct mw_graph_summary summary;
    uint64_t *degrees; /* number of vertices of each degree; NULL: not requested */
    size_t degree_count;
    struct info_measures measures;
    double summarising;
};

/* Use of weights, directions, loops and multi-edges by the measures.  doc/networks.md has the same table;
 * tests/cli/graph/takes.sh compares both with the results of the measures. */
enum { WEIGHTS = 1, DIRECTIONS = 2, LOOPS = 4, MULTIPLE = 8 };
static const struct {
    const char *name;
    unsigned takes;
} measures[] = {
    { "degrees", DIRECTIONS | LOOPS | MULTIPLE },
    { "assortativity", DIRECTIONS | LOOPS | MULTIPLE },
    { "mean distance", DIRECTIONS },
    { "components", 0 },
    { "components --strong", DIRECTIONS },
    { "clustering", DIRECTIONS },
    { "paths", WEIGHTS | DIRECTIONS },
    { "pagerank", DIRECTIONS | LOOPS | MULTIPLE },
    { "cores", LOOPS | MULTIPLE },
    { "bridges", MULTIPLE },
    { "betweenness", WEIGHTS | DIRECTIONS | MULTIPLE },
};

static void takes_say(unsigned what, const char *title, struct node *to)
{
    struct mw_text names = { 0 };
    for (size_t i = 0; i < MW_COUNT(measures); i++)
        if (measures[i].takes & what)
            mw_text_add(&names, "%s%s", names.length ? ", " : "", measures[i].name);
    ROW(to, title, "%s", names.data ? names.data : "");
    mw_text_free(&names);
}

static void info_takes_report(const struct mw_graph_summary *summary, bool directed, struct node *to)
{
    if (summary->weighted)
        takes_say(WEIGHTS, "by weights", to);
    if (directed)
        takes_say(DIRECTIONS, "by directions", to);
    if (summary->self)
        takes_say(LOOPS, "loops count in", to);
    if (summary->multiple)
        takes_say(MULTIPLE, "multi-edges in", to);
}

static int info_report(const struct description *d, const struct info_settings *set,
                       const struct mw_device_info *device)
{
    const struct timing timings[] = {
        { "read", d->n.reading },      { "graph", d->n.building },          { "build", d->n.build },
        { "summary", d->summarising }, { "measures", d->measures.seconds }, { "total", mw_now() - d->n.start }
    };
    struct node *o = report_object(), *degrees, *on;
    int rc;
    TRY(network_report(&d->n, o));
    graph_summary_report(&d->summary, d->n.graph.directed, o);
    info_measures_report(&d->measures, &d->n.graph, set->budget, o);
    info_takes_report(&d->summary, d->n.graph.directed, o);
    show_value(put_checksum(o, "checksum", mw_graph_checksum(&d->n.graph)), "checksum");
    on = put_text(o, "device", device->id);
    put_text(o, "device_name", device->name);
    if (output_verbose())
        show_row(on, "device", "%s  %s", device->id, device->name);
    put_seconds(o, "seconds", d->summarising + d->measures.seconds);
    ROW(o, "seconds", "%s %s, graph %s, summary %s, measures %s, total %s", d->n.generator ? "generate" : "read",
        seconds_text(d->n.reading).text, seconds_text(d->n.building).text, seconds_text(d->summarising).text,
        seconds_text(d->measures.seconds).text, seconds_text(mw_now() - d->n.start).text);
    show_written(o, "plot", set->plot);
    put_timings(o, timings, MW_COUNT(timings));
    if (set->degrees) {
        degrees = put_occurrences(o, "degrees", ">degree|>vertices");
        for (size_t degree = 0; degree < d->degree_count; degree++)
            if (d->degrees[degree])
                put_occurrence(degrees, degree, d->degrees[degree]);
    }
out:
    return report_end(o, rc);
}

static int info_run(struct command *command)
{
    const struct info_settings *set = command->settings;
    struct description d = { .n = network_of(command, &set->graph, &set->device) };
    struct mw_device *device = NULL;
    double start;
    int rc;
    d.n.weights = WEIGHTS_UNUSED;
    if (set->graph.generate && !strcmp(set->graph.generate, "list"))
        return generators_list();
    TRY(network_choose(&d.n, &command->operands));
    TRY(plot_check(set->plot, "--degrees"));
    TRY(network_device(&set->device, &device));
    TRY(network_open(&d.n, device));
    start = mw_now();
    d.summary.size = sizeof d.summary;
    TRY(mw_graph_summarise(&d.n.graph, &d.summary));
    if (set->degrees || set->plot)
        TRY(mw_graph_degrees(&d.n.graph, &d.degrees, &d.degree_count));
    d.summarising = mw_now() - start;
    TRY(info_measure(&d.n.graph, device, set->budget, &d.measures));
    if (set->plot)
        TRY(info_plot_degrees(set->plot, d.degrees, d.degree_count, d.n.graph.directed));
    TRY(info_report(&d, set, mw_device_info(device)));
out:
    network_free(&d.n);
    device_give_back(device);
    free(d.degrees);
    return rc;
}

static const struct option_group groups[] = { { "Graph", options, 0 },
                                              GRAPH_GROUPS(struct info_settings, DEVICE_GROUPS),
                                              { 0 } };

const struct subcommand graph_info_subcommand = {
    .name = "graph info",
    .operands = "[FILE]",
    .summary = "print properties of a graph: size, degrees, components, clustering, distances",
    .description =
        "Counts vertices, edges, loops (edges from a vertex to itself), repeated edges between two vertices, and "
        "vertices without edges. Gives the range of degrees, and the correlation of the degrees at both ends of "
        "edges (assortativity). Within the time budget (--budget) also components, clustering, mean distance and "
        "diameter, the last two by a sample for large graphs. Names the measures that use weights, directions, "
        "loops and multi-edges, if the graph has them. " WEIGHTS_UNUSED_HELP GRAPH_FILES ".",
    .groups = groups,
    .settings_bytes = sizeof(struct info_settings),
    .most_operands = 1,
    .run = info_run,
};
/* SPDX-License-Identifier: MIT */

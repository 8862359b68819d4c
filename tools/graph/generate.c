/* meshwork graph generate: makes a graph of a model. */
#include <math.h>

#include "tools/cli/memory.h"
#include "tools/cli/passes.h"
#include "tools/cli/subcommands.h"
#include "tools/graph/graph.h"
#include "tools/report/files.h"

struct generate_settings {
    struct generator_settings generator;
    const char *output, *output_format;
    bool list, verify, dry_run;
    uint64_t repeat;
    struct device_settings device;
};

#define AT(member) offsetof(struct generate_settings, member)

static const struct option options[] = {
    GENERATOR_OPTIONS(struct generate_settings),
    { .name = "output",
      .letter = 'o',
      .type = OPTION_FILE,
      .target = AT(output),
      .value = "FILE",
      .help = "write the graph; - is standard output, with the summary on standard error" },
    OUTPUT_FORMAT_OPTION("output-format", struct generate_settings, "format of that file (default: by its suffix)"),
    OUTPUT_FORMAT_OPTION("format", struct generate_settings, NULL),
    { .name = "list", .type = OPTION_FLAG, .target = AT(list), .help = "list the generators and their parameters" },
    PASS_OPTIONS(struct generate_settings,
                 "time N passes and report the median; with N above 1, or if a driver compiles, after one warm-up pass",
                 "compare with the edges that native:serial makes"),
    { 0 }
};

struct generation {
    struct workflow flow;
    const struct generate_settings *set;
    const struct mw_generator *generator;
    struct mw_value *values; /* one per parameter */
    uint64_t seed;           /* the seed that made the graph */
    struct mw_device *device;
    struct mw_edges edges;
    struct mw_graph graph;
    struct mw_graph_summary summary;
    struct passes passes;
    double build, building; /* seconds */
};

static int graph_generate_prepare(void *task)
{
    struct generation *g = task;
    const struct command *command = g->flow.command;
    const struct generate_settings *set = g->set;
    if (command->operands.count == 0)
        return mw_fail(MW_EINVAL, "missing operand: meshwork graph generate KIND (`meshwork graph generate list` lists "
                                  "the kinds)");
    TRY_RETURN(generator_find(command->operands.item[0], &g->generator));
    TRY_RETURN(generator_values(g->generator, &set->generator.params, &g->values));
    if (set->output_format && !set->output)
        return mw_fail(MW_EINVAL, "--output-format requires --output: leave it out");
    if (set->output)
        TRY_RETURN(network_writable(set->output, set->output_format));
    return passes_new(set->repeat, &g->passes);
}

/* ---- memory ---- */

static bool has_weights(const struct generation *g)
{
    for (size_t i = 0; i < g->generator->parameter_count; i++)
        if (!strcmp(g->values[i].name, "weights"))
            return g->values[i].value > 0;
    return false;
}

/* Building the graph needs the most memory.  Host: edges, arcs and offsets.  Device: keys of arcs, and copies of all of
 * these unless it addresses the host's memory.  Weighted graphs are built on the host. */
static void add_phases(const struct generation *g, const struct mw_device_info *device, double vertices, double edges,
                       struct memory_plan *memory)
{
    const bool native = device->kind == MW_DEVICE_NATIVE, weighted = has_weights(g);
    const double made = (weighted ? 12 : 8) * edges, arcs = 2 * edges, offsets = 8 * (vertices + 1);
    const double host = made + (weighted ? 8 : 4) * arcs + offsets;
    /* Two vertex numbers per key.  On cores 32 bits of them suffice, next to the number of one of 1024 bins. */
    const double last = vertices * exp2(ceil(log2(fmax(vertices, 2)))), bins = last / 0x1p32;
    const double key = memory_has_cores(device) && bins < 1024 ? 4 : 8;
    /* Space per thread or group for two copies of the largest share of the keys. */
    const double units = fmax(device->compute_units, 1), share = fmin(arcs, fmax(0x1p16, arcs / (16 * units)));
    const double room = memory_has_cores(device) ? (native ? 1 : 4) * units * 2 * share * key : 0;
    if (weighted)
        memory_phase(memory, host + 8 * arcs + 2 * offsets, 0);
    else if (native)
        memory_phase(memory, host, key * arcs + room);
    else
        memory_phase(memory, host, (key + 4) * arcs + 8 * edges + offsets + room);
}

static int plan_memory(const struct generation *g, const struct mw_device_info *device, size_t *vertices,
                       uint64_t *edges, struct memory_plan *memory)
{
    TRY_RETURN(mw_generate_size(g->generator->name, g->values, g->generator->parameter_count, vertices, edges));
    add_phases(g, device, (double)*vertices, (double)*edges, memory);
    return 0;
}

static int check_memory(const struct generation *g)
{
    struct memory_plan memory = { 0 };
    uint64_t edges;
    size_t vertices;
    memory_give_back_early();
    TRY_RETURN(plan_memory(g, mw_device_info(g->device), &vertices, &edges, &memory));
    return memory_check_limit(&g->set->device, mw_device_info(g->device), &memory);
}

/* ---- generation ---- */

static int make_once(struct generation *g, struct mw_device *device, struct mw_edges *edges)
{
    mw_edges_free(edges);
    return generator_make(&g->set->generator, g->generator, g->values, device, &g->seed, edges);
}

static int graph_generate_make(struct generation *g)
{
    const double start = mw_now();
    TRY_RETURN(device_find(&g->set->device, &g->device));
    TRY_RETURN(check_memory(g));
    /* Drivers compile during the first pass. */
    if (g->set->repeat > 1 || mw_device_info(g->device)->kind != MW_DEVICE_NATIVE)
        TRY_RETURN(make_once(g, g->device, &g->edges));
    g->build = mw_now() - start;
    for (size_t i = 0; i < g->passes.count; i++) {
        const struct phase pass = phase_begin();
        TRY_RETURN(make_once(g, g->device, &g->edges));
        g->passes.seconds[i] = phase_end(&pass, &g->build);
    }
    passes_sort(&g->passes);
    return 0;
}

static int graph_generate_verify(void *task)
{
    struct generation *g = task;
    const struct mw_device_options options = { .size = sizeof options,
                                               .threads = 1,
                                               .kernel_path = g->set->device.kernel_path };
    struct mw_device *serial = NULL;
    struct mw_edges edges = { 0 };
    uint64_t first = 0;
    int rc;
    TRY(mw_device_open_by_name("native:serial", &options, &serial));
    TRY(make_once(g, serial, &edges));
    if (edges.count != g->edges.count || edges.vertices != g->edges.vertices)
        TRY(mw_fail(MW_EVERIFY,
                    "verification failed: %zu vertices and %llu edges on %s, %zu and %llu on "
                    "native:serial: please report this with `meshwork devices -v`",
                    g->edges.vertices, (unsigned long long)g->edges.count, mw_device_info(g->device)->id,
                    edges.vertices, (unsigned long long)edges.count));
    while (first < edges.count && !memcmp(edges.ends + 2 * first, g->edges.ends + 2 * first, 2 * sizeof(*edges.ends)))
        first++;
    if (first < edges.count)
        rc = mw_fail(MW_EVERIFY,
                     "verification failed: edge %llu on %s differs from native:serial: please report this "
                     "with `meshwork devices -v`",
                     (unsigned long long)first, mw_device_info(g->device)->id);
out:
    mw_edges_free(&edges);
    device_give_back(serial);
    return rc;
}

/* The adjacency, for the degrees and the output file. */
static int summarise(struct generation *g)
{
    const struct mw_graph_options options = MW_INIT(options);
    const struct phase phase = phase_begin();
    TRY_RETURN(mw_graph_new(g->device, &g->edges, &options, &g->graph, NULL));
    g->summary.size = sizeof g->summary;
    TRY_RETURN(mw_graph_summarise(&g->graph, &g->summary));
    g->building = phase_end(&phase, &g->build);
    return 0;
}

static int graph_generate_write(void *task)
{
    struct generation *g = task;
    return g->set->output ? network_write(&g->graph, g->set->output, g->set->output_format) : 0;
}

/* ---- results ---- */

static int report_summary(void *task)
{
    const struct generation *g = task;
    const struct passes *passes = &g->passes;
    const struct timing timings[] = { { "minimum", passes->seconds[0] },
                                      { "maximum", passes->seconds[passes->count - 1] },
                                      { "build", g->build },
                                      { "graph", g->building },
                                      { "verify", g->flow.verify },
                                      { "output", g->flow.output },
                                      { "total", mw_now() - g->flow.start } };
    struct node *o = report_object();
    int rc;
    TRY(generator_report(g->generator, g->values, g->seed, o));
    put_device(o, mw_device_info(g->device));
    put_count(o, "repeat", passes->count);
    passes_report(passes, o);
    ROW(o, "", "build %s, graph %s, output %s, total %s", seconds_text(g->build).text, seconds_text(g->building).text,
        seconds_text(g->flow.output).text, seconds_text(mw_now() - g->flow.start).text);
    put_rate(o, passes_rate(passes, (double)g->edges.count), "edges/s");
    show_value(put_count(o, "vertices", g->summary.vertices), "vertices");
    show_value(put_count(o, "edges", g->summary.edges), "edges");
    graph_summary_report(&g->summary, g->graph.directed, o);
    show_value(put_checksum(o, "checksum", mw_graph_checksum(&g->graph)), "checksum");
    put_verified(o, g->set->verify, g->flow.verify, "each edge is that of native:serial");
    show_written(o, "written", g->set->output);
    put_timings(o, timings, MW_COUNT(timings));
out:
    return report_end(o, rc);
}

/* --dry-run opens no device.  With too little device memory, arcs are processed in parts. */
static int report_plan(void *task)
{
    const struct generation *g = task;
    struct memory_plan memory = { 0 };
    struct mw_device_info device;
    struct node *o = report_object();
    uint64_t edges;
    size_t vertices;
    int rc;
    TRY(device_planned(&g->set->device, &device));
    TRY(plan_memory(g, &device, &vertices, &edges, &memory));
    TRY(generator_report(g->generator, g->values, g->set->generator.seed, o));
    put_device(o, &device);
    show_value(put_count(o, "vertices", vertices), "vertices");
    show_value(put_count(o, "edges", edges), "edges");
    memory_put(&memory, &device, o);
    rc = report_print(o);
    o = NULL;
    TRY(rc);
    TRY(host_holds(memory_is_shared(&device) ? memory.both : memory.host, "a smaller graph"));
out:
    report_free(o);
    return rc;
}

static int graph_generate_compute(void *task)
{
    TRY_RETURN(graph_generate_make(task));
    return summarise(task);
}

static void graph_generate_free(void *task)
{
    struct generation *g = task;
    mw_graph_free(&g->graph);
    mw_edges_free(&g->edges);
    device_give_back(g->device);
    free(g->passes.seconds);
    free(g->values);
}

static const struct workflow_kind generate_kind = { graph_generate_prepare, report_plan,
                                                    graph_generate_compute, graph_generate_verify,
                                                    graph_generate_write,   report_summary,
                                                    graph_generate_free };

static int graph_generate_run(struct command *command)
{
    struct generation g = { .flow.command = command, .set = command->settings };
    const struct words *operands = &command->operands;
    if (g.set->list || (operands->count && !strcmp(operands->item[0], "list")))
        return generators_list();
    return workflow_run(&g, &generate_kind, g.set->dry_run, g.set->verify);
}

static const struct option_group groups[] = { { "Graph", options, 0 },
                                              DEVICE_GROUPS(struct generate_settings, device),
                                              { 0 } };

const struct subcommand graph_generate_subcommand = {
    .name = "graph generate",
    .operands = "KIND",
    .summary = "make a graph with a generator",
    .description =
        "Makes a graph, prints its basic properties, and with -o writes it. `meshwork graph generate list` lists "
        "the kinds and their parameters. A graph depends only on its parameters and the seed.",
    .groups = groups,
    .settings_bytes = sizeof(struct generate_settings),
    .most_operands = 1,
    .run = graph_generate_run,
};
/* SPDX-License-Identifier: MIT */

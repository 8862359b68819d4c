/* meshwork graph components: labels of vertices and properties of components. */
#include <meshwork/io.h>

#include "tools/cli/subcommands.h"
#include "tools/graph/components.h"

#define AT(member) offsetof(struct components_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE",
      .help = "write labels: .npy has the number of the smallest vertex of each vertex's component, counted from 0; "
              ".txt and .csv have one line per vertex with its name and that of the smallest one; .graphml "
              "has it as an attribute; - is text on standard output, "
              "with the summary on standard error" },
    { .name = "strong", .type = OPTION_FLAG, .target = AT(strong),
      .help = "find strong components, in which each vertex has a directed path to all others" },
    { .name = "sizes", .type = OPTION_FLAG, .target = AT(sizes),
      .help = "print the component size histogram (-v: untruncated)" },
    { .name = "largest", .type = OPTION_FILE, .target = AT(largest), .value = "FILE",
      .help = "write the largest component as a graph; - is standard output" },
    OUTPUT_FORMAT_OPTION("output-format", struct components_settings, "format of that graph (default: by its suffix)"),
    VARIANT_OPTION(struct course_settings,
                   "variant that finds components; auto chooses for the device and the graph"),
    BLOCK_ARCS_OPTION,
    PASS_OPTIONS(struct course_settings, "time N passes after one warm-up pass; report the median",
                 "compare with a union-find on the host, strong components with a depth-first search; single-threaded"),
    { 0 }
};
/* clang-format on */

static int graph_components_prepare(void *course)
{
    const struct grouping *g = course;
    const char *variant = g->t.set->variant;
    if (g->set->strong)
        TRY_RETURN(variant_check_among(variant, mw_graph_strong_variants, mw_graph_component_variants,
                                       "does not find strong components", "leave out --strong, or "));
    else
        TRY_RETURN(variant_check_among(variant, mw_graph_component_variants, mw_graph_strong_variants,
                                       "only finds strong components", "add --strong, or "));
    return grouping_check_outputs(g);
}

static int graph_components_pass(void *course, double *seconds)
{
    struct grouping *g = course;
    const double start = mw_now();
    TRY_RETURN(mw_graph_labelling_run(g->labelling, g->roots, &g->iterations));
    *seconds = mw_now() - start;
    return 0;
}

/* Measures the memory of the devices, or ends that. */
static void time_memory(struct grouping *g, bool on)
{
    for (size_t d = 0; d < g->t.team.count; d++)
        mw_device_time_memory(g->t.team.device[d], on ? &g->memory : NULL);
}

/* Before the timed passes: builds programs, transfers arcs to the devices, and runs a warm-up pass. */
static int graph_components_begin(void *course)
{
    struct grouping *g = course;
    const struct mw_graph_labelling_options options = { .size = sizeof options,
                                                        .variant = g->t.set->variant,
                                                        .block_arcs = g->t.set->block_arcs };
    const struct team *team = &g->t.team;
    const double start = mw_now();
    double first;
    int rc;
    time_memory(g, true);
    TRY(mw_graph_labelling_new(team->device, team->count, &g->t.n.graph, &options, &g->labelling));
    TRY(mw_buffer_new(team->device[0], g->t.n.graph.vertices * sizeof(int32_t), &g->roots));
    g->variant = mw_graph_labelling_variant(g->labelling);
    TRY(graph_components_pass(g, &first));
    g->t.build = g->t.n.build + mw_now() - start - g->memory.allocate - g->memory.upload;
    network_took(&g->t.n, "allocate", g->memory.allocate);
    network_took(&g->t.n, "upload", g->memory.upload);
out:
    time_memory(g, false);
    return rc;
}

static int pass_strong(void *course, double *seconds)
{
    struct grouping *g = course;
    const struct mw_graph_strong_options options = { .size = sizeof options,
                                                     .variant = g->t.set->variant,
                                                     .block_arcs = g->t.set->block_arcs };
    mw_graph_strong_free(&g->strong);
    g->strong.size = sizeof g->strong;
    TRY_RETURN(mw_graph_strong(g->t.team.device, g->t.team.count, &g->t.n.graph, &options, &g->strong));
    *seconds = g->strong.seconds;
    g->t.build = g->t.n.build + g->strong.preparing;
    return 0;
}

static int upload_strong(struct grouping *g)
{
    const size_t bytes = g->strong.vertices * sizeof(int32_t);
    g->variant = g->strong.variant;
    g->iterations = g->strong.rounds;
    TRY_RETURN(mw_buffer_new(g->t.team.device[0], bytes, &g->roots));
    return bytes ? mw_buffer_write(g->roots, 0, bytes, g->strong.roots, NULL) : 0;
}

static int size_up(struct grouping *g)
{
    const size_t n = g->t.n.graph.vertices;
    const struct phase phase = phase_begin();
    size_t count;
    TRY_RETURN(mw_prim_new(g->t.team.device[0], &g->prim));
    TRY_RETURN(mw_buffer_new(g->t.team.device[0], n * sizeof(int32_t), &g->numbers));
    TRY_RETURN(mw_components_number(g->prim, g->roots, n, MW_TYPE_I32, g->numbers, MW_TYPE_I32, &count));
    TRY_RETURN(mw_components_new(g->prim, g->numbers, n, MW_TYPE_I32, count, &g->components));
    g->summary.size = sizeof g->summary;
    TRY_RETURN(mw_components_summarise(g->components, &g->summary));
    network_took(&g->t.n, "sizes", phase_end(&phase, &g->t.build));
    return 0;
}

/* Finds the vertex of a label: the root with that many smaller ones. */
static size_t root_of(const struct mw_array *labels, size_t number)
{
    const int32_t *root = labels->data;
    size_t v = 0;
    for (size_t roots = 0; v < labels->count; v++) {
        roots += (size_t)root[v] == v;
        if (roots == number)
            break;
    }
    return v;
}

static int download(struct grouping *g)
{
    const size_t n = g->t.n.graph.vertices;
    const double start = mw_now();
    TRY_RETURN(mw_array_new(MW_TYPE_I32, 1, &n, &g->labels));
    if (n)
        TRY_RETURN(mw_buffer_read(g->roots, 0, n * sizeof(int32_t), g->labels.data, NULL));
    network_took(&g->t.n, "download", mw_now() - start);
    g->largest_root = root_of(&g->labels, g->summary.largest_label);
    return 0;
}

/* Frees the arcs and the labels on the devices, which the report does not need. */
static void release(struct grouping *g)
{
    g->memory.free = 0;
    time_memory(g, true);
    mw_graph_labelling_free(g->labelling);
    mw_buffer_free(g->roots);
    time_memory(g, false);
    g->labelling = NULL;
    g->roots = NULL;
    network_took(&g->t.n, "free", g->memory.free);
}

static int end(void *course)
{
    struct grouping *g = course;
    if (g->set->strong)
        TRY_RETURN(upload_strong(g));
    TRY_RETURN(size_up(g));
    TRY_RETURN(download(g));
    if (!g->set->strong)
        release(g);
    return 0;
}

/* ---- the summary ---- */

/* Heads of 4 bytes; offsets, labels and work space, 4 bytes per vertex each. */
static uint64_t memory_bytes(const struct mw_graph *graph) { return 4 * graph->arcs + 16 * (uint64_t)graph->vertices; }

/* Puts the memory of the papers' kernels, if one device with so much memory (0: unknown) holds all arcs. Returns
 * whether it does. */
static bool put_exact_memory(const struct grouping *g, size_t devices, uint64_t room, struct node *o)
{
    struct mw_graph_footprint memory = MW_INIT(memory);
    if (g->set->strong || devices > 1 || g->t.set->block_arcs ||
        mw_graph_labelling_memory(&g->t.n.graph, g->t.set->variant, &memory) != 0 ||
        (room && memory.vertices + memory.arcs + memory.rest > room))
        return false;
    graph_memory_put(&memory, &g->t.n.graph, o);
    return true;
}

static void put_components(const struct grouping *g, struct node *o)
{
    const struct mw_components_summary *s = &g->summary;
    char digits[MW_NAME_CAPACITY];
    show_value(put_count(o, "components", s->components), "components");
    put_count(o, "largest", s->largest_size);
    if (s->components) {
        const char *label = mw_name(g->t.n.graph.names, g->largest_root, digits);
        show_row(put_text(o, "largest_vertex", label), "largest", "%s, label %s",
                 COUNTED(s->largest_size, "vertex|vertices"), label);
        ROW(o, "mean size", "%.6g vertices", s->mean_size);
    } else {
        put_none(o, "largest_vertex");
    }
    put_real(o, "mean_size", s->mean_size);
    put_count(o, "iterations", g->iterations);
    if (output_verbose())
        ROW(o, "iterations", "%zu", g->iterations);
    if (!put_exact_memory(g, g->t.team.count, mw_device_info(g->t.team.device[0])->memory_bytes, o) && output_verbose())
        ROW(o, "memory", "about %s", bytes_text(memory_bytes(&g->t.n.graph)).text);
    show_value(put_checksum(o, "checksum", mw_array_checksum(&g->labels)), "checksum");
    course_report_verified(&g->t, o, "each label is that of a %s",
                           g->set->strong ? "depth-first search" : "union-find");
    show_written(o, "written", g->set->output);
    show_written(o, "largest in", g->set->largest);
}

static int grouping_report(const void *course, struct node *o)
{
    const struct grouping *g = course;
    const struct mw_graph *graph = &g->t.n.graph;
    course_report_variant(g->variant, o);
    course_report_passes(&g->t, o);
    course_report_rate(&g->t, 1, "edges/s", o);
    put_least_bytes(o, 4.0 * ((double)graph->arcs + 2.0 * (double)graph->vertices));
    put_components(g, o);
    return g->set->sizes ? put_component_sizes(o, g->components) : 0;
}

/* ---- the plan ---- */

static void grouping_plan(const void *course, const struct team_plan *team, struct node *o)
{
    const struct grouping *g = course;
    const uint64_t bytes = memory_bytes(&g->t.n.graph);
    put_bytes(o, "device_memory_bytes", team->memory_bytes);
    if (put_exact_memory(g, team->count, team->memory_bytes, o))
        return;
    show_row(put_bytes(o, "memory_bytes", bytes), "memory", "about %s for arcs and labels, of %s%s",
             bytes_text(bytes).text, bytes_text(team->memory_bytes).text,
             team->memory_bytes && bytes > team->memory_bytes ? ": arcs are sent in blocks" : "");
}

static void grouping_free(void *course)
{
    struct grouping *g = course;
    mw_components_free(g->components);
    mw_prim_free(g->prim);
    mw_graph_labelling_free(g->labelling);
    mw_graph_strong_free(&g->strong);
    mw_buffer_free(g->roots);
    mw_buffer_free(g->numbers);
    mw_array_free(&g->labels);
}

static const struct course_kind connected = { .prepare = graph_components_prepare,
                                              .plan = grouping_plan,
                                              .begin = graph_components_begin,
                                              .pass = graph_components_pass,
                                              .end = end,
                                              .verify = grouping_verify,
                                              .write = grouping_write,
                                              .report = grouping_report,
                                              .free = grouping_free };
static const struct course_kind strong = { .prepare = graph_components_prepare,
                                           .plan = grouping_plan,
                                           .pass = pass_strong,
                                           .end = end,
                                           .verify = grouping_verify_strong,
                                           .write = grouping_write,
                                           .report = grouping_report,
                                           .free = grouping_free };

static int graph_components_run(struct command *command)
{
    const struct components_settings *set = command->settings;
    struct grouping g = { .t = course_of(command, set->strong ? &strong : &connected,
                                         set->strong ? mw_graph_strong_variants : mw_graph_component_variants,
                                         WEIGHTS_UNUSED),
                          .set = set };
    return course_run(&g.t);
}

static const struct option_group groups[] = { { "Components", options, 0 },
                                              COURSE_GROUPS(DEVICES_SHAPE_GROUPS),
                                              { 0 } };

const struct subcommand graph_components_subcommand = {
    .name = "graph components",
    .operands = "[FILE]",
    .summary = "find the connected components of a graph",
    .description =
        "Finds the connected components of a graph, and prints their number and sizes. In a directed graph arcs "
        "count in both directions, unless strong components are requested. A component's label is its smallest "
        "vertex. " WEIGHTS_UNUSED_HELP GRAPH_FILES ".",
    .groups = groups,
    .settings_bytes = sizeof(struct components_settings),
    .most_operands = 1,
    .run = graph_components_run,
};
/* SPDX-License-Identifier: MIT */

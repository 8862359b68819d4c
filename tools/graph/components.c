/* meshwork graph components: from a graph to the labels of its vertices, and what there is of components. */
#include "tools/cli/subcommands.h"
#include "tools/graph/components.h"

#define AT(member) offsetof(struct components_settings, member)

static const struct option options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE",
      .help = "write the labels: .npy, of each vertex the number of the smallest vertex of its component, from 0 on; "
              ".txt, a line for each vertex, its name and that of the smallest one; - is text on standard output, and "
              "the summary then goes to standard error" },
    { .name = "strong", .type = OPTION_FLAG, .target = AT(strong),
      .help = "find strong components, in which ways lead along arcs from each vertex to all others; on one device" },
    { .name = "sizes", .type = OPTION_FLAG, .target = AT(sizes),
      .help = "say how many components have which size; with -v, where there are many, all of them" },
    { .name = "largest", .type = OPTION_FILE, .target = AT(largest), .value = "FILE",
      .help = "write the largest component as a graph; - is standard output" },
    OUTPUT_FORMAT_OPTION("output-format", struct components_settings, "format of that graph (default: by its suffix)"),
    VARIANT_OPTION(struct components_settings,
                   "how components are found; auto takes what suits the device and the graph"),
    { .name = "block-arcs", .type = OPTION_COUNT, .target = AT(block_arcs), .value = "N", .least = 1,
      .help = "arcs on a device at once (default: as many as it takes)" },
    { .name = "repeat", .type = OPTION_COUNT, .target = AT(repeat), .value = "N", .fallback = "1", .least = 1,
      .most = 1000000, .help = "time N passes behind one that is not timed, and give their median" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compare with a union-find on the host, strong components with a depth-first search, by one thread" },
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run), .help = "show the plan, and compute nothing" },
    { 0 }
};

static mw_variant_table *variants_of(const struct components_settings *set)
{
    return set->strong ? mw_graph_strong_variants : mw_graph_component_variants;
}

static int prepare(struct grouping *g)
{
    const struct components_settings *set = g->set;

    if (set->strong)
        TRY_RETURN(variant_check_among(set->variant, mw_graph_strong_variants, mw_graph_component_variants,
                                       "is not for strong components", "leave out --strong, or "));
    else
        TRY_RETURN(variant_check_among(set->variant, mw_graph_component_variants, mw_graph_strong_variants,
                                       "is for strong components", "add --strong, or "));
    TRY_RETURN(network_choose(&g->n, &g->n.command->operands));
    TRY_RETURN(grouping_check_outputs(g));
    return passes_new(set->repeat, &g->passes);
}

static int time_pass(struct grouping *g, double *seconds)
{
    const double start = mw_now();

    TRY_RETURN(mw_graph_labelling_run(g->labelling, g->roots, &g->iterations));
    *seconds = mw_now() - start;
    return 0;
}

/* Before the passes that are timed: programs, arcs on their way to the devices, and a first pass. */
static int find(struct grouping *g)
{
    const struct components_settings *set = g->set;
    const struct mw_graph_labelling_options options = { .variant = set->variant, .block_arcs = set->block_arcs };
    const double start = mw_now();
    double first;

    TRY_RETURN(mw_graph_labelling_new(g->team.device, g->team.count, &g->n.graph, &options, &g->labelling));
    TRY_RETURN(mw_buffer_new(g->team.device[0], g->n.graph.vertices * sizeof(int32_t), &g->roots));
    g->variant = mw_graph_labelling_variant(g->labelling);
    TRY_RETURN(time_pass(g, &first));
    g->build = g->n.build + mw_now() - start;
    for (size_t i = 0; i < g->passes.count; i++)
        TRY_RETURN(time_pass(g, &g->passes.seconds[i]));
    passes_sort(&g->passes);
    return 0;
}

static int find_strong(struct grouping *g)
{
    const struct components_settings *set = g->set;
    const struct mw_graph_strong_options options = { .variant = set->variant, .block_arcs = set->block_arcs };
    struct mw_graph_strong strong = { 0 };
    int rc = 0;

    for (size_t i = 0; i < g->passes.count; i++) {
        mw_graph_strong_free(&strong);
        TRY(mw_graph_strong(g->team.device[0], &g->n.graph, &options, &strong));
        g->passes.seconds[i] = strong.seconds;
        g->build = g->n.build + strong.preparing;
    }
    passes_sort(&g->passes);
    g->variant = strong.variant;
    g->iterations = strong.rounds;
    TRY(mw_buffer_new(g->team.device[0], strong.vertices * sizeof(int32_t), &g->roots));
    if (strong.vertices)
        TRY(mw_buffer_write(g->roots, 0, strong.vertices * sizeof(int32_t), strong.roots, NULL));
out:
    mw_graph_strong_free(&strong);
    return rc;
}

static int size_up(struct grouping *g)
{
    const size_t n = g->n.graph.vertices;
    const struct phase phase = phase_begin();
    size_t count;

    TRY_RETURN(mw_prim_new(g->team.device[0], &g->prim));
    TRY_RETURN(mw_buffer_new(g->team.device[0], n * sizeof(int32_t), &g->numbers));
    TRY_RETURN(mw_components_number(g->prim, g->roots, n, MW_TYPE_I32, g->numbers, MW_TYPE_I32, &count));
    TRY_RETURN(mw_components_new(g->prim, g->numbers, n, MW_TYPE_I32, count, &g->components));
    TRY_RETURN(mw_components_summarise(g->components, &g->summary));
    network_took(&g->n, "sizes", phase_end(&phase, &g->build));
    return 0;
}

/* The vertex whose number is a label: the root that so many come before. */
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
    const size_t n = g->n.graph.vertices;
    const double start = mw_now();

    TRY_RETURN(mw_array_new(MW_TYPE_I32, 1, &n, &g->labels));
    if (n)
        TRY_RETURN(mw_buffer_read(g->roots, 0, n * sizeof(int32_t), g->labels.data, NULL));
    network_took(&g->n, "download", mw_now() - start);
    g->largest_root = root_of(&g->labels, g->summary.largest_label);
    return 0;
}

static void grouping_free(struct grouping *g)
{
    mw_components_free(g->components);
    mw_prim_free(g->prim);
    mw_graph_labelling_free(g->labelling);
    mw_buffer_free(g->roots);
    mw_buffer_free(g->numbers);
    team_close(&g->team);
    mw_array_free(&g->labels);
    network_free(&g->n);
    free(g->passes.seconds);
}

static int run(struct command *command)
{
    const struct components_settings *set = command->settings;
    struct grouping g = { .set = set, .n = network_of(command, &set->graph, &set->device) };
    int rc;

    g.n.weights = WEIGHTS_UNUSED;
    g.n.single = set->strong ? "graph components --strong" : NULL;
    if (!strcmp(set->variant, "list"))
        return variant_list(variants_of(set));
    if (set->graph.generate && !strcmp(set->graph.generate, "list"))
        return generators_list();
    TRY(prepare(&g));
    if (set->dry_run) {
        TRY(grouping_plan(&g));
        goto out;
    }
    TRY(network_open_on(&g.n, &g.team, &g.open));
    TRY(set->strong ? find_strong(&g) : find(&g));
    TRY(size_up(&g));
    TRY(download(&g));
    if (set->verify)
        TRY(set->strong ? grouping_verify_strong(&g) : grouping_verify(&g));
    TRY(grouping_write(&g));
    TRY(grouping_summary(&g));
out:
    grouping_free(&g);
    return rc;
}

static const struct option_group groups[] = {
    { "Components", options, 0 }, GRAPH_GROUPS(struct components_settings, DEVICES_GROUPS), { 0 } };

const struct subcommand graph_components_subcommand = {
    "graph components", "[FILE]", "find the connected components of a graph",
    "Finds the connected components of a graph (of a directed one as if each arc led both ways, or strong ones) and "
    "says how many there are and how large. A component's label is its smallest vertex. " WEIGHTS_UNUSED_HELP
    GRAPH_FILES ".", groups, sizeof(struct components_settings), 0, 1, run, NULL };
/* SPDX-License-Identifier: MIT */

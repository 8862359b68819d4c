/* meshwork graph paths: distances between all vertices of a graph, and what follows from them. */
#include "tools/cli/subcommands.h"
#include "tools/graph/paths.h"
#include "tools/report/csv.h"
#include "tools/report/files.h"

#define AT(member) offsetof(struct paths_settings, member)

static const struct option options[] = {
    { .name = "from", .type = OPTION_TEXT, .target = AT(from), .value = "VERTEX",
      .help = "distances from this vertex, as the file calls it, instead of between all" },
    { .name = "to", .type = OPTION_TEXT, .target = AT(to), .value = "VERTEX",
      .help = "with --from: a shortest path to that vertex" },
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE.csv",
      .help = "with --from: write a line for each vertex: its distance, and the vertex before it on a shortest path" },
    HOPS_OPTION(struct paths_settings),
    { .name = "sample", .type = OPTION_COUNT, .target = AT(sample), .value = "N", .least = 1,
      .help = "distances to N vertices chosen at random instead of all; from 128 on, with an interval for the mean of "
              "all" },
    { .name = "sample-seed", .type = OPTION_COUNT, .target = AT(sample_seed), .value = "N", .fallback = "0",
      .help = "seed of that choice" },
    { .name = "vertices", .type = OPTION_FILE, .target = AT(vertices), .value = "FILE.csv",
      .help = "write a line for each vertex: how many others it reaches, its eccentricity, closeness and harmonic "
              "centrality" },
    { .name = "matrix", .type = OPTION_FILE, .target = AT(matrix), .value = "FILE.npy",
      .help = "write the matrix of distances, row by row: from vertex i to vertex j; 32-bit integers, or -1; by "
              "weights 64-bit reals, or infinity" },
    VARIANT_OPTION(struct paths_settings, "how distances are found"),
    { .name = "block-arcs", .type = OPTION_COUNT, .target = AT(block_arcs), .value = "N", .least = 1,
      .help = "arcs on a device at once (default: as many as it takes)" },
    { .name = "repeat", .type = OPTION_COUNT, .target = AT(repeat), .value = "N", .fallback = "1", .least = 1,
      .most = 1000000, .help = "search N times, and give the median of the seconds" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compare with another variant on native:serial" },
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run), .help = "show the plan, and compute nothing" },
    { 0 }
};

/* By numbers of edges, then by weights: which of both it is, is known when the graph is. */
const struct mw_variant *finding_variants(size_t i)
{
    size_t count = 0;

    while (mw_graph_path_variants(count))
        count++;
    return i < count ? mw_graph_path_variants(i) : mw_graph_length_variants(i - count);
}

static int prepare(struct finding *f)
{
    const struct paths_settings *set = f->set;

    TRY_RETURN(network_choose(&f->n, &f->n.command->operands));
    TRY_RETURN(finding_from_check(f));
    if (!set->from)
        TRY_RETURN(variant_check_among(set->variant, finding_variants, mw_graph_distance_variants,
                                       "is for distances from one vertex", "add --from, or "));
    TRY_RETURN(file_kind_writable("vertices", set->vertices, ".csv"));
    if (set->matrix && set->sample)
        return mw_fail(MW_EINVAL, "--matrix has the distances between all vertices: leave out --sample");
    TRY_RETURN(file_kind_writable("matrix", set->matrix, ".npy"));
    return passes_new(set->repeat, &f->passes);
}

static int choose_targets(struct finding *f)
{
    const size_t n = f->n.graph.vertices;

    if (!f->set->sample || f->set->sample >= n)
        return 0;
    f->target_count = f->set->sample;
    TRY_RETURN(mw_new(f->target_count, sizeof(*f->targets), &f->targets));
    return mw_graph_sample(n, f->target_count, f->set->sample_seed, f->targets);
}

/* By weights where there are any, unless edges are to be counted. */
static int choose_way(struct finding *f)
{
    const bool by_weights = network_is_weighed(&f->n);

    f->way = by_weights ? &finding_by_weights : &finding_by_edges;
    if (by_weights)
        return variant_check_among(f->set->variant, mw_graph_length_variants, mw_graph_path_variants,
                                   "counts edges, and this graph has weights", "add --hops, or ");
    return variant_check_among(f->set->variant, mw_graph_path_variants, mw_graph_length_variants,
                               f->n.graph.weights ? "goes by weights, which --hops leaves out"
                                                  : "goes by weights, and this graph has none", "");
}

static void finding_free(struct finding *f)
{
    mw_graph_paths_free(&f->paths);
    mw_graph_lengths_free(&f->lengths);
    team_close(&f->team);
    network_free(&f->n);
    free(f->targets);
    free(f->passes.seconds);
}

static int run(struct command *command)
{
    const struct paths_settings *set = command->settings;
    struct finding f = { .set = set, .n = network_of(command, &set->graph, &set->device) };
    double start;
    int rc;

    f.n.weights = set->hops ? WEIGHTS_LEFT_OUT : WEIGHTS_USED;
    if (!strcmp(set->variant, "list"))
        return variant_list(set->from ? mw_graph_distance_variants : finding_variants);
    if (set->graph.generate && !strcmp(set->graph.generate, "list"))
        return generators_list();
    TRY(prepare(&f));
    if (set->dry_run) {
        TRY(finding_plan(&f));
        goto out;
    }
    TRY(network_open_on(&f.n, &f.team, &f.open));
    if (set->from) {
        TRY(finding_from(&f));
        goto out;
    }
    TRY(choose_way(&f));
    TRY(choose_targets(&f));
    TRY(f.way->find(&f));
    passes_sort(&f.passes);
    if (set->verify)
        TRY(f.way->verify(&f));
    start = mw_now();
    if (set->vertices)
        TRY(f.way->write(&f));
    if (set->matrix)
        TRY(f.way->write_matrix(&f));
    f.output = mw_now() - start;
    TRY(finding_summary(&f));
out:
    finding_free(&f);
    return rc;
}

static const struct option_group groups[] = {
    { "Paths", options, 0 }, GRAPH_GROUPS(struct paths_settings, DEVICES_GROUPS), { 0 } };

const struct subcommand graph_paths_subcommand = {
    "graph paths", "[FILE]", "measure the distances between all vertices of a graph",
    "Finds the distances between all pairs of vertices of a graph, as sums of weights where edges have such, else in "
    "numbers of edges (of a directed graph arcs, along their direction), and says what their mean is, the largest, "
    "and, of edges, how many pairs have which. Pairs without a path are counted apart. With --from distances from one "
    "vertex, and the path to another. " GRAPH_FILES ".", groups, sizeof(struct paths_settings), 0, 1, run, NULL };
/* SPDX-License-Identifier: MIT */

/* meshwork graph paths: distances between all vertices of a graph, and what follows from them. */
#include "tools/cli/subcommands.h"
#include "tools/graph/paths.h"
#include "tools/report/files.h"
#include "tools/report/progress.h"

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
    VARIANT_OPTION(struct course_settings, "how distances are found"),
    BLOCK_ARCS_OPTION,
    PASS_OPTIONS(struct course_settings, "search N times, and give the median of the seconds",
                 "compare with another variant on native:serial"),
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

static int prepare(void *course)
{
    const struct finding *f = course;
    const struct paths_settings *set = f->set;

    if (set->to || set->output)
        return mw_fail(MW_EINVAL, "--%s is for distances from one vertex: give --from as well",
                       set->to ? "to" : "output");
    TRY_RETURN(variant_check_among(f->t.set->variant, finding_variants, mw_graph_distance_variants,
                                   "is for distances from one vertex", "add --from, or "));
    TRY_RETURN(file_kind_writable("vertices", set->vertices, ".csv"));
    if (set->matrix && set->sample)
        return mw_fail(MW_EINVAL, "--matrix has the distances between all vertices: leave out --sample");
    return file_kind_writable("matrix", set->matrix, ".npy");
}

static int choose_targets(struct finding *f)
{
    const size_t n = f->t.n.graph.vertices;

    if (!f->set->sample || f->set->sample >= n)
        return 0;
    f->target_count = f->set->sample;
    TRY_RETURN(mw_new(f->target_count, sizeof(*f->targets), &f->targets));
    return mw_graph_sample(n, f->target_count, f->set->sample_seed, f->targets);
}

/* By weights where there are any, unless edges are to be counted. */
static int choose_way(struct finding *f)
{
    const bool by_weights = network_is_weighed(&f->t.n);

    f->way = by_weights ? &finding_by_weights : &finding_by_edges;
    if (by_weights)
        return variant_check_among(f->t.set->variant, mw_graph_length_variants, mw_graph_path_variants,
                                   "counts edges, and this graph has weights", "add --hops, or ");
    return variant_check_among(f->t.set->variant, mw_graph_path_variants, mw_graph_length_variants,
                               f->t.n.graph.weights ? "goes by weights, which --hops leaves out"
                                                  : "goes by weights, and this graph has none", "");
}

static int begin(void *course)
{
    struct finding *f = course;

    TRY_RETURN(choose_way(f));
    TRY_RETURN(choose_targets(f));
    return f->way->begin ? f->way->begin(f) : 0;
}

static int pass(void *course, double *seconds)
{
    struct finding *f = course;
    int rc;

    progress_start("paths", 0, NULL);
    rc = f->way->pass(f, seconds);
    progress_end();
    f->t.build = f->totals.preparing;
    return rc;
}

static int verify(void *course, struct mw_device *serial)
{
    const struct finding *f = course;
    int rc;

    progress_start("verify", 0, NULL);
    rc = f->way->verify(f, serial);
    progress_end();
    return rc;
}

static int write(void *course)
{
    const struct finding *f = course;

    if (f->set->vertices)
        TRY_RETURN(f->way->write(f));
    return f->set->matrix ? f->way->write_matrix(f) : 0;
}

static void finding_free(void *course)
{
    struct finding *f = course;

    mw_graph_paths_free(&f->paths);
    mw_graph_lengths_free(&f->lengths);
    free(f->targets);
}

static const struct course_kind kind = {
    .prepare = prepare, .plan = finding_plan, .begin = begin, .pass = pass, .verify = verify, .write = write,
    .say = finding_say, .free = finding_free };

static int run(struct command *command)
{
    const struct paths_settings *set = command->settings;
    struct finding f = { .t = course_of(command, &kind, finding_variants, set->hops ? WEIGHTS_LEFT_OUT : WEIGHTS_USED),
                         .set = set };

    return set->from ? paths_from(command) : course_run(&f.t);
}

static const struct option_group groups[] = {
    { "Paths", options, 0 }, COURSE_GROUPS(DEVICES_GROUPS), { 0 } };

const struct subcommand graph_paths_subcommand = {
    "graph paths", "[FILE]", "measure the distances between all vertices of a graph",
    "Finds the distances between all pairs of vertices of a graph, as sums of weights where edges have such, else in "
    "numbers of edges (of a directed graph arcs, along their direction), and says what their mean is, the largest, "
    "and, of edges, how many pairs have which. Pairs without a path are counted apart. With --from distances from one "
    "vertex, and the path to another. " GRAPH_FILES ".", groups, sizeof(struct paths_settings), 0, 1, run, NULL };
/* SPDX-License-Identifier: MIT */

/* meshwork graph paths: distances between all vertices of a graph. */
#include "tools/cli/subcommands.h"
#include "tools/graph/paths.h"
#include "tools/report/files.h"
#include "tools/report/progress.h"

#define AT(member) offsetof(struct paths_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "from", .type = OPTION_TEXT, .target = AT(from), .value = "VERTEX",
      .help = "compute distances from this vertex (by its name) instead of between all vertices" },
    { .name = "to", .type = OPTION_TEXT, .target = AT(to), .value = "VERTEX",
      .help = "with --from: find a shortest path to this vertex" },
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = VERTICES_FILE,
      .help = "with --from: write for each vertex its distance and the previous vertex on a shortest path" },
    HOPS_OPTION(struct paths_settings),
    { .name = "sample", .type = OPTION_COUNT, .target = AT(sample), .value = "N", .least = 1,
      .help = "sample the distances to N random vertices; from 128 on the mean has a confidence interval" },
    { .name = "sample-seed", .type = OPTION_COUNT, .target = AT(sample_seed), .value = "N", .fallback = "0",
      .help = "seed of the sample" },
    { .name = "vertices", .type = OPTION_FILE, .target = AT(vertices), .value = VERTICES_FILE,
      .help = "write for each vertex: number of reached vertices, eccentricity, closeness, harmonic centrality" },
    { .name = "matrix", .type = OPTION_FILE, .target = AT(matrix), .value = "FILE.npy",
      .help = "write the distance matrix, rows from each vertex i: 32-bit integers, or -1; with weights 64-bit reals, "
              "or infinity" },
    VARIANT_OPTION(struct course_settings, "variant that finds distances"),
    BLOCK_ARCS_OPTION,
    PASS_OPTIONS(struct course_settings, "time N passes and report the median",
                 "compare with another variant on native:serial"),
    { 0 }
};
/* clang-format on */

/* Distances in edges, then with weights; the choice is known when the graph has been read. */
const struct mw_variant *finding_variants(size_t i)
{
    size_t count = 0;
    while (mw_graph_path_variants(count))
        count++;
    return i < count ? mw_graph_path_variants(i) : mw_graph_length_variants(i - count);
}

static int graph_paths_prepare(void *course)
{
    const struct finding *f = course;
    const struct paths_settings *set = f->set;
    if (set->to || set->output)
        return mw_fail(MW_EINVAL, "--%s requires --from", set->to ? "to" : "output");
    TRY_RETURN(variant_check_among(f->t.set->variant, finding_variants, mw_graph_distance_variants,
                                   "requires distances from one vertex", "add --from, or "));
    TRY_RETURN(vertices_writable("vertices", set->vertices));
    if (set->matrix && set->sample)
        return mw_fail(MW_EINVAL, "--matrix needs the distances between all vertices: leave out --sample");
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

/* Uses weights if the graph has them, unless --hops is given. */
static int choose_way(struct finding *f)
{
    const bool by_weights = network_is_weighed(&f->t.n);
    f->way = by_weights ? &finding_by_weights : &finding_by_edges;
    if (by_weights)
        return variant_check_among(f->t.set->variant, mw_graph_length_variants, mw_graph_path_variants,
                                   "counts edges, but this graph has weights", "add --hops, or ");
    return variant_check_among(f->t.set->variant, mw_graph_path_variants, mw_graph_length_variants,
                               f->t.n.graph.weights ? "uses weights, but --hops ignores them"
                                                    : "uses weights, but this graph has no weights",
                               "");
}

static int graph_paths_begin(void *course)
{
    struct finding *f = course;
    TRY_RETURN(choose_way(f));
    TRY_RETURN(choose_targets(f));
    return f->way->begin ? f->way->begin(f) : 0;
}

static int graph_paths_pass(void *course, double *seconds)
{
    struct finding *f = course;
    int rc;
    progress_start("paths", 0, NULL);
    mw_progress_to(progress_show, NULL);
    rc = f->way->pass(f, seconds);
    mw_progress_to(NULL, NULL);
    progress_end();
    f->t.build = f->totals.preparing;
    return rc;
}

static int graph_paths_verify(void *course, struct mw_device *serial)
{
    const struct finding *f = course;
    int rc;
    progress_start("verify", 0, NULL);
    mw_progress_to(progress_show, NULL);
    rc = f->way->verify(f, serial);
    mw_progress_to(NULL, NULL);
    progress_end();
    return rc;
}

static int graph_paths_write(void *course)
{
    const struct finding *f = course;
    const struct mw_vertex_data data = { f->way->columns, f->way->cells, f };
    if (f->set->vertices)
        TRY_RETURN(vertices_write(f->set->vertices, &f->t.n.graph, &data));
    return f->set->matrix ? finding_write_matrix(f) : 0;
}

static void finding_free(void *course)
{
    struct finding *f = course;
    mw_graph_paths_free(&f->paths);
    mw_graph_lengths_free(&f->lengths);
    free(f->targets);
}

static const struct course_kind kind = { .prepare = graph_paths_prepare,
                                         .plan = finding_plan,
                                         .begin = graph_paths_begin,
                                         .pass = graph_paths_pass,
                                         .verify = graph_paths_verify,
                                         .write = graph_paths_write,
                                         .report = finding_report,
                                         .free = finding_free };

static int graph_paths_run(struct command *command)
{
    const struct paths_settings *set = command->settings;
    struct finding f = { .t = course_of(command, &kind, finding_variants, set->hops ? WEIGHTS_LEFT_OUT : WEIGHTS_USED),
                         .set = set };
    return set->from ? paths_from(command) : course_run(&f.t);
}

static const struct option_group groups[] = { { "Paths", options, 0 }, COURSE_GROUPS(DEVICES_SHAPE_GROUPS), { 0 } };

const struct subcommand graph_paths_subcommand = {
    .name = "graph paths",
    .operands = "[FILE]",
    .summary = "measure the distances between all vertices of a graph",
    .description =
        "Computes the distances between all pairs of vertices: sums of weights, or without weights numbers of "
        "edges, along the arcs of a directed graph. Prints their mean and maximum and, for numbers of edges, a "
        "histogram. Pairs without a path are counted separately. With --from, computes distances from one vertex, "
        "and the path to another. " GRAPH_FILES ".",
    .groups = groups,
    .settings_bytes = sizeof(struct paths_settings),
    .most_operands = 1,
    .run = graph_paths_run,
};
/* SPDX-License-Identifier: MIT */

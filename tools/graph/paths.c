/* meshwork graph paths: distances between all vertices of a graph. */
#include <math.h>

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

/* ---- the matrix ---- */

static int finding_write_matrix(const struct finding *f)
{
    const size_t n = f->t.n.graph.vertices;
    struct mw_array shape = { .type = f->way->type, .dims = 2, .length = { n, n }, .count = n * n };
    struct mw_file *file = NULL;
    int rc;
    TRY(mw_npy_create(f->set->matrix, &shape, &file));
    TRY(f->way->fill(f, file));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    return rc;
}

/* ---- the summary ---- */

/* Operations of variants on a matrix: a sum and a comparison per triple of vertices.  Searches have few. */
static double operations(const struct finding *f)
{
    const bool matrix = !strcmp(f->totals.variant, "floyd") || !strcmp(f->totals.variant, "tiles");
    return matrix ? 2 * pow((double)f->t.n.graph.vertices, 3) : NAN;
}

static void put_mean(const struct finding *f, struct node *o)
{
    const struct finding_totals *t = &f->totals;
    struct node *mean = put_real(o, "mean_distance", t->pairs ? t->mean : NAN);
    if (!t->pairs)
        show_row(mean, "mean distance", "none: there are no paths");
    else if (!f->targets)
        show_row(mean, "mean distance", "%.10g", t->mean);
    else if (isnan(t->half_width))
        show_row(mean, "mean distance", "%.6g in the sample, which is too small for an interval: use 128 or more",
                 t->mean);
    else if (t->half_width == 0)
        show_row(mean, "mean distance", "%.6g, equal for the whole sample, which gives no interval", t->mean);
    else
        show_row(mean, "mean distance", "%.6g +- %.2g, which contains the mean of all pairs for 95 of 100 samples",
                 t->mean, t->half_width);
    if (f->set->sample)
        put_real(o, "mean_distance_error", f->targets ? t->half_width : t->pairs ? 0 : NAN);
    f->way->put_longest(f, o);
    show_row(put_count(o, "pairs", t->pairs), "pairs", "%llu with a path, %llu without", (unsigned long long)t->pairs,
             (unsigned long long)t->unreachable);
    put_count(o, "unreachable_pairs", t->unreachable);
}

/* Puts the memory of the papers' kernels. Returns whether the variant is one of them. */
static bool put_exact_memory(const struct finding *f, struct node *o)
{
    struct mw_graph_footprint memory = MW_INIT(memory);
    if (network_is_weighed(&f->t.n) || f->t.set->block_arcs ||
        mw_graph_paths_memory(&f->t.n.graph, f->t.set->variant, &memory) != 0)
        return false;
    graph_memory_put(&memory, &f->t.n.graph, o);
    return true;
}

static int finding_report(const void *course, struct node *o)
{
    const struct finding *f = course;
    course_report_variant(f->totals.variant, o);
    put_count(o, "targets", f->totals.targets);
    if (f->targets)
        ROW(o, "sample", "distances to %zu of the vertices", f->target_count);
    course_report_passes(&f->t, o);
    /* Arcs followed if each target is searched. */
    course_report_rate(&f->t, (double)f->totals.targets, "edge-targets/s", o);
    put_operations(o, operations(f));
    put_exact_memory(f, o);
    put_mean(f, o);
    show_value(put_checksum(o, "checksum", f->way->checksum(f)), "checksum");
    course_report_verified(&f->t, o, "as by another variant on native:serial");
    show_written(o, "written", f->set->vertices);
    show_written(o, f->set->vertices ? "" : "written", f->set->matrix);
    f->way->put_rest(f, o);
    return 0;
}

/* ---- the plan ---- */

/* Variants on a matrix of all distances need memory for it.  With weights auto may choose one, but only if the matrix
 * fits. */
static void put_memory(const struct finding *f, const struct mw_device_info *device, struct node *o)
{
    const uint64_t n = f->t.n.graph.vertices, weighted = network_is_weighed(&f->t.n);
    const uint64_t arcs = (weighted ? 8 : 4) * f->t.n.graph.arcs, matrix = 4 * n * n;
    const uint64_t search = weighted ? 28 * n : mw_graph_paths_bytes(device, n, f->set->vertices);
    if (put_exact_memory(f, o))
        return;
    if (!strcmp(f->t.set->variant, "floyd"))
        show_row(put_bytes(o, "memory_bytes", matrix), "memory", "about %s for the matrix of distances",
                 bytes_text(matrix).text);
    else if (!strcmp(f->t.set->variant, "tiles"))
        show_row(put_bytes(o, "memory_bytes", matrix), "memory",
                 "about %s for the matrix of distances, twice that where paths may be longer than 2^29 units",
                 bytes_text(matrix).text);
    else
        show_row(put_bytes(o, "memory_bytes", arcs + search), "memory",
                 "about %s for arcs, and %s for each search at once", bytes_text(arcs).text, bytes_text(search).text);
}

static void finding_plan(const void *course, const struct team_plan *team, struct node *o)
{
    const struct finding *f = course;
    const size_t n = f->t.n.graph.vertices, targets = f->set->sample && f->set->sample < n ? f->set->sample : n;
    show_row(put_count(o, "targets", targets), "targets", "%zu", targets);
    put_memory(f, &team->first, o);
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

/* meshwork graph paths: the plan, the summary, and the matrix. */
#include <math.h>

#include "tools/graph/paths.h"

/* ---- the matrix ---- */

int finding_write_matrix(const struct finding *f)
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

int finding_report(const void *course, struct node *o)
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

void finding_plan(const void *course, const struct team_plan *team, struct node *o)
{
    const struct finding *f = course;
    const size_t n = f->t.n.graph.vertices, targets = f->set->sample && f->set->sample < n ? f->set->sample : n;
    show_row(put_count(o, "targets", targets), "targets", "%zu", targets);
    put_memory(f, &team->first, o);
}
/* SPDX-License-Identifier: MIT */

/* meshwork graph paths --from: distances from one vertex, and the path to another. */
#include <meshwork/graph_paths.h>

#include <math.h>
#include <stdio.h>

#include "tools/graph/paths.h"
#include "tools/report/files.h"

struct search {
    struct course t;
    const struct paths_settings *set;
    struct mw_graph_distances distances;
    uint32_t *path;
    size_t count, from, to;
    double tracing; /* seconds for predecessors in the last pass */
};

static int from_prepare(void *course)
{
    static const char *const others[] = { "sample", "sample-seed", "vertices", "matrix", "dry-run" };
    const struct search *s = course;
    for (size_t i = 0; i < MW_COUNT(others); i++)
        if (option_is_given(s->t.n.command, others[i]))
            return mw_fail(MW_EINVAL, "--%s requires distances between all vertices: leave it out with --from",
                           others[i]);
    TRY_RETURN(variant_check_among(s->t.set->variant, mw_graph_distance_variants, finding_variants,
                                   "requires distances between all vertices", "leave out --from, or "));
    return vertices_writable("output", s->set->output);
}

static const char *name_of(const struct search *s, size_t vertex, char text[MW_NAME_CAPACITY])
{
    return mw_name(s->t.n.graph.names, vertex, text);
}

static const char *length_of(const struct search *s, size_t vertex, char text[MW_WEIGHT_CAPACITY])
{
    return mw_weight_text(s->distances.distance[vertex], s->distances.decimals, text);
}

/* ---- each vertex ---- */

static void from_cells(const void *search, size_t v, char text[MW_VERTEX_CELLS])
{
    const struct search *s = search;
    const struct mw_graph_distances *d = &s->distances;
    char length[MW_WEIGHT_CAPACITY], before[24] = "";
    if (d->predecessor[v] != MW_NO_VERTEX)
        snprintf(before, sizeof before, "%lu", (unsigned long)d->predecessor[v]);
    snprintf(text, MW_VERTEX_CELLS, "%s,%s", d->distance[v] == MW_NO_DISTANCE ? "" : length_of(s, v, length), before);
}

static int from_write(void *course)
{
    const struct search *s = course;
    static const struct mw_vertex_column columns[] = { { "distance", MW_VERTEX_REAL },
                                                       { "predecessor", MW_VERTEX_NAME },
                                                       { 0 } };
    const struct mw_vertex_data data = { columns, from_cells, s };
    return s->set->output ? vertices_write(s->set->output, &s->t.n.graph, &data) : 0;
}

/* ---- the summary ---- */

static int put_path(const struct search *s, struct node *o)
{
    struct node *path = put_list(o, "path");
    struct mw_text words = { 0 };
    char name[MW_NAME_CAPACITY], length[MW_WEIGHT_CAPACITY];
    int rc;
    for (size_t i = 0; i < s->count; i++) {
        put_text(path, NULL, name_of(s, s->path[i], name));
        mw_text_add(&words, "%s%s", i ? " " : "", name_of(s, s->path[i], name));
    }
    TRY(mw_text_ok(&words));
    if (s->count == 0) {
        show_row(put_real(o, "distance", NAN), "distance", "there is no path");
        goto out;
    }
    length_of(s, s->to, length);
    show_row(put_real(o, "distance", strtod(length, NULL)), "distance", "%s", length);
    show_value(put_count(o, "path_edges", s->count - 1), s->t.n.graph.directed ? "arcs on path" : "edges on path");
    ROW(o, "path", "%s", words.data);
out:
    mw_text_free(&words);
    return rc;
}

static int from_report(const void *course, struct node *o)
{
    const struct search *s = course;
    const struct mw_graph_distances *d = &s->distances;
    const struct numbers numbers = { d->distance, d->vertices };
    char name[MW_NAME_CAPACITY], longest[MW_WEIGHT_CAPACITY];
    course_report_variant(d->variant, o);
    course_report_passes(&s->t, o);
    if (d->delta)
        show_row(put_count(o, "delta", d->delta), "delta", "%s",
                 mw_weight_text((int64_t)d->delta, d->decimals, longest));
    show_value(put_text(o, "from", name_of(s, s->from, name)), "from");
    mw_weight_text(d->longest, d->decimals, longest);
    show_row(put_count(o, "reached", d->reached), "reached", "%zu of %zu other vertices", d->reached, d->vertices - 1);
    show_row(put_real(o, "longest", strtod(longest, NULL)), "longest", "%s", longest);
    if (s->set->to) {
        show_value(put_text(o, "to", name_of(s, s->to, name)), "to");
        TRY_RETURN(put_path(s, o));
    }
    show_value(put_checksum(o, "checksum", numbers_checksum(&numbers, 1)), "checksum");
    course_report_verified(&s->t, o, "as by %s on native:serial",
                           d->delta ? "Dijkstra's algorithm" : "rounds over all arcs");
    show_written(o, "written", s->set->output);
    return 0;
}

/* ---- the search ---- */

static int find_name(const struct search *s, const char *option, const char *name, size_t *vertex)
{
    const struct mw_graph *g = &s->t.n.graph;
    if (mw_name_find(g->names, g->vertices, name, vertex) != 0)
        return mw_fail(MW_EINVAL, "--%s: the graph has no vertex '%s'", option, name);
    return 0;
}

static int from_begin(void *course)
{
    struct search *s = course;
    if (s->t.team.count > 1)
        return mw_fail(MW_EINVAL, "--from: a search from one vertex runs on one device: give one");
    TRY_RETURN(find_name(s, "from", s->set->from, &s->from));
    return s->set->to ? find_name(s, "to", s->set->to, &s->to) : 0;
}

static int from_pass(void *course, double *seconds)
{
    struct search *s = course;
    const struct mw_graph_distances_options how = { .size = sizeof how,
                                                    .variant = s->t.set->variant,
                                                    .hops = s->set->hops,
                                                    .block_arcs = s->t.set->block_arcs,
                                                    .no_predecessors = s->t.pass + 1 < s->t.passes.count };
    const double start = mw_now();
    mw_graph_distances_free(&s->distances);
    s->distances.size = sizeof s->distances;
    TRY_RETURN(mw_graph_distances(s->t.team.device[0], &s->t.n.graph, (uint32_t)s->from, &how, &s->distances));
    *seconds = s->distances.seconds;
    s->t.build = s->distances.preparing;
    s->tracing = mw_now() - start - *seconds - s->t.build;
    return 0;
}

static int end(void *course)
{
    struct search *s = course;
    network_took(&s->t.n, "predecessors", s->tracing);
    return s->set->to ? mw_graph_path(&s->distances, (uint32_t)s->to, &s->path, &s->count) : 0;
}

static int from_verify(void *course, struct mw_device *serial)
{
    const struct search *s = course;
    const struct mw_graph_distances_options how = { .size = sizeof how,
                                                    .variant = s->distances.delta > 0 ? "dijkstra" : "rounds",
                                                    .hops = s->set->hops };
    struct mw_graph_distances expected = MW_INIT(expected);
    const size_t n = s->distances.vertices;
    int rc;
    TRY(mw_graph_distances(serial, &s->t.n.graph, (uint32_t)s->from, &how, &expected));
    if (memcmp(expected.distance, s->distances.distance, n * sizeof(*expected.distance)) != 0 ||
        memcmp(expected.predecessor, s->distances.predecessor, n * sizeof(*expected.predecessor)) != 0)
        rc = mw_fail(MW_EVERIFY,
                     "verification failed: the distances differ from those of native:serial: please report this with "
                     "`meshwork devices -v`");
out:
    mw_graph_distances_free(&expected);
    return rc;
}

static void release(void *course)
{
    struct search *s = course;
    mw_graph_distances_free(&s->distances);
    free(s->path);
}

int paths_from(const struct command *command)
{
    static const struct course_kind kind = { .prepare = from_prepare,
                                             .begin = from_begin,
                                             .pass = from_pass,
                                             .end = end,
                                             .verify = from_verify,
                                             .write = from_write,
                                             .report = from_report,
                                             .free = release };
    const struct paths_settings *set = command->settings;
    struct search s = { .t = course_of(command, &kind, mw_graph_distance_variants,
                                       set->hops ? WEIGHTS_LEFT_OUT : WEIGHTS_USED),
                        .set = set };
    return course_run(&s.t);
}
/* SPDX-License-Identifier: MIT */

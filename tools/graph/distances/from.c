/* meshwork graph paths --from: distances from one vertex, and the path to another. */
#include <meshwork/graph_paths.h>

#include <math.h>
#include <stdlib.h>

#include "tools/graph/paths.h"
#include "tools/report/csv.h"
#include "tools/report/files.h"

struct search {
    struct finding *f;
    struct mw_graph_distances distances;
    uint32_t *path;
    size_t count, from, to;
};

int finding_from_check(const struct finding *f)
{
    static const char *const others[] = { "sample", "sample-seed", "vertices", "matrix", "dry-run" };
    const struct paths_settings *set = f->set;

    if (!set->from) {
        if (set->to || set->output)
            return mw_fail(MW_EINVAL, "--%s is for distances from one vertex: give --from as well",
                           set->to ? "to" : "output");
        return 0;
    }
    for (size_t i = 0; i < MW_COUNT(others); i++)
        if (option_is_given(f->n.command, others[i]))
            return mw_fail(MW_EINVAL, "--%s is for distances between all vertices: leave it out with --from",
                           others[i]);
    TRY_RETURN(variant_check_among(set->variant, mw_graph_distance_variants, finding_variants,
                                   "is for distances between all vertices", "leave out --from, or "));
    return file_kind_writable("output", set->output, ".csv");
}

static const char *name_of(const struct search *s, size_t vertex, char text[MW_NAME_CAPACITY])
{
    return mw_name(s->f->n.graph.names, vertex, text);
}

static const char *length_of(const struct search *s, size_t vertex, char text[MW_WEIGHT_CAPACITY])
{
    return mw_weight_text(s->distances.distance[vertex], s->distances.decimals, text);
}

/* ---- each vertex ---- */

static void add_vertex(const void *search, size_t v, struct mw_text *text)
{
    const struct search *s = search;
    const struct mw_graph_distances *d = &s->distances;
    char own[MW_NAME_CAPACITY], before[MW_NAME_CAPACITY], length[MW_WEIGHT_CAPACITY];

    csv_cell(text, name_of(s, v, own));
    mw_text_add(text, ",%s,", d->distance[v] == MW_NO_DISTANCE ? "" : length_of(s, v, length));
    csv_cell(text, d->predecessor[v] == MW_NO_VERTEX ? "" : name_of(s, d->predecessor[v], before));
    mw_text_add(text, "\n");
}

static int write_vertices(const struct search *s)
{
    return csv_write(s->f->set->output, "vertex,distance,predecessor", s->distances.vertices, add_vertex, s);
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
        say_row(put_real(o, "distance", NAN), "distance", "there is no path");
        goto out;
    }
    length_of(s, s->to, length);
    say_row(put_real(o, "distance", strtod(length, NULL)), "distance", "%s", length);
    say_value(put_count(o, "path_edges", s->count - 1), s->f->n.graph.directed ? "arcs on path" : "edges on path");
    ROW(o, "path", "%s", words.data);
out:
    mw_text_free(&words);
    return rc;
}

static int report(const struct search *s)
{
    const struct finding *f = s->f;
    const struct network_seconds seconds = { f->open, s->distances.preparing, f->verify, f->output };
    struct node *o = report_object();
    char name[MW_NAME_CAPACITY], longest[MW_WEIGHT_CAPACITY];
    int rc;

    TRY(network_report_on(&f->n, &f->team, s->distances.variant, o));
    network_passes_say(&f->n, &f->passes, &seconds, o);
    if (s->distances.delta)
        say_row(put_count(o, "delta", s->distances.delta), "delta", "%s",
                mw_weight_text((int64_t)s->distances.delta, s->distances.decimals, longest));
    say_value(put_text(o, "from", name_of(s, s->from, name)), "from");
    mw_weight_text(s->distances.longest, s->distances.decimals, longest);
    say_row(put_count(o, "reached", s->distances.reached), "reached", "%zu of %zu other vertices",
            s->distances.reached, s->distances.vertices - 1);
    say_row(put_real(o, "longest", strtod(longest, NULL)), "longest", "%s", longest);
    if (f->set->to) {
        say_value(put_text(o, "to", name_of(s, s->to, name)), "to");
        TRY(put_path(s, o));
    }
    say_value(put_checksum(o, "checksum", numbers_checksum(&(struct numbers){ s->distances.distance,
                                                                              f->n.graph.vertices }, 1)), "checksum");
    if (f->set->verify)
        say_row(put_flag(o, "verified", true), "verified", "as by %s on native:serial, in %s",
                s->distances.delta ? "Dijkstra's algorithm" : "rounds over all arcs", seconds_text(f->verify).text);
    if (f->set->output)
        ROW(o, "written", "%s", file_words(f->set->output));
    network_timings(&f->n, &f->passes, &seconds, o);
    rc = report_print(o);
    o = NULL;
out:
    report_free(o);
    return rc;
}

/* ---- the search ---- */

static int find_name(const struct search *s, const char *option, const char *name, size_t *vertex)
{
    const struct mw_graph *g = &s->f->n.graph;

    if (mw_name_find(g->names, g->vertices, name, vertex) != 0)
        return mw_fail(MW_EINVAL, "--%s: the graph has no vertex '%s'", option, name);
    return 0;
}

static int find(struct search *s)
{
    struct finding *f = s->f;
    struct mw_graph_distances_options how = { .variant = f->set->variant, .hops = f->set->hops,
                                              .block_arcs = f->set->block_arcs };
    double tracing = 0;

    for (size_t i = 0; i < f->passes.count; i++) {
        const double start = mw_now();
        mw_graph_distances_free(&s->distances);
        how.no_predecessors = i + 1 < f->passes.count;
        TRY_RETURN(mw_graph_distances(f->team.device[0], &f->n.graph, (uint32_t)s->from, &how, &s->distances));
        f->passes.seconds[i] = s->distances.seconds;
        tracing = mw_now() - start - s->distances.seconds - s->distances.preparing;
    }
    passes_sort(&f->passes);
    network_took(&f->n, "predecessors", tracing);
    if (f->set->to)
        TRY_RETURN(mw_graph_path(&s->distances, (uint32_t)s->to, &s->path, &s->count));
    return 0;
}

static int verify(struct search *s)
{
    struct finding *f = s->f;
    const bool weighted = s->distances.delta > 0;
    const struct mw_graph_distances_options how = { .variant = weighted ? "dijkstra" : "rounds",
                                                    .hops = f->set->hops };
    struct mw_graph_distances expected = { 0 };
    struct mw_device *serial = NULL;
    const double start = mw_now();
    size_t n = s->distances.vertices;
    int rc;

    TRY(mw_device_open_by_name("native:serial", NULL, &serial));
    TRY(mw_graph_distances(serial, &f->n.graph, (uint32_t)s->from, &how, &expected));
    f->verify = mw_now() - start;
    if (memcmp(expected.distance, s->distances.distance, n * sizeof(*expected.distance)) != 0 ||
        memcmp(expected.predecessor, s->distances.predecessor, n * sizeof(*expected.predecessor)) != 0)
        rc = mw_fail(MW_EVERIFY, "verification failed: the distances are not those of native:serial");
out:
    mw_graph_distances_free(&expected);
    mw_device_close(serial);
    return rc;
}

int finding_from(struct finding *f)
{
    struct search s = { .f = f };
    double start;
    int rc;

    if (f->team.count > 1)
        return mw_fail(MW_EINVAL, "--from: a search from one vertex runs on one device: give one");
    TRY(find_name(&s, "from", f->set->from, &s.from));
    if (f->set->to)
        TRY(find_name(&s, "to", f->set->to, &s.to));
    TRY(find(&s));
    if (f->set->verify)
        TRY(verify(&s));
    start = mw_now();
    if (f->set->output)
        TRY(write_vertices(&s));
    f->output = mw_now() - start;
    TRY(report(&s));
out:
    mw_graph_distances_free(&s.distances);
    free(s.path);
    return rc;
}
/* SPDX-License-Identifier: MIT */

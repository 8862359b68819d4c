/* meshwork graph clustering: the plan, the summary, and values of vertices and arcs. */
#include <math.h>
#include <stdio.h>

#include "tools/graph/clustering/clustering.h"
#include "tools/graph/vertices.h"
#include "tools/report/csv.h"

/* ---- values per vertex and arc ---- */

static void clustering_cells(const void *clustering, size_t v, char text[MW_VERTEX_CELLS])
{
    const struct clustering *c = clustering;
    const struct mw_graph_triangles *t = &c->found;
    snprintf(text, MW_VERTEX_CELLS, "%llu,%llu,%s", (unsigned long long)t->of_vertex[v],
             (unsigned long long)t->triples_of_vertex[v], real_text(t->local[v]).text);
}

/* Visits each edge of an undirected graph once, from its smaller end. */
static void add_arcs(const void *clustering, size_t v, struct mw_text *text)
{
    const struct clustering *c = clustering;
    const struct mw_graph *g = &c->t.n.graph;
    for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
        if (!g->directed && g->heads[i] <= v)
            continue;
        csv_vertex(text, g->names, v, ",");
        csv_vertex(text, g->names, g->heads[i], ",");
        mw_text_add(text, "%lu\n", (unsigned long)c->found.of_arc[i]);
    }
}

int clustering_write(void *course)
{
    static const struct mw_vertex_column columns[] = {
        { "triangles", MW_VERTEX_COUNT }, { "triples", MW_VERTEX_COUNT }, { "coefficient", MW_VERTEX_REAL }, { 0 }
    };
    const struct clustering *c = course;
    const size_t n = c->found.vertices;
    const struct mw_vertex_data data = { columns, clustering_cells, c };
    if (c->set->vertices)
        TRY_RETURN(vertices_write(c->set->vertices, &c->t.n.graph, &data));
    return c->set->arcs ? csv_write(c->set->arcs, "tail,head,triangles", n, add_arcs, c) : 0;
}

/* ---- the summary ---- */

/* Puts a ratio with words; NULL: undefined. */
static void put_ratio(struct node *o, const char *key, const char *title, double ratio, const char *words)
{
    struct node *node = put_real(o, key, words ? ratio : NAN);
    if (words)
        show_row(node, title, "%.10g%s", ratio, words);
    else
        show_row(node, title, "none: no vertex has two neighbours");
}

/* Puts an integer if JSON numbers can hold it. */
static void put_counts(const struct clustering *c, struct node *o)
{
    const struct mw_graph_triangles *t = &c->found;
    const double triples = (double)t->triples.high * 18446744073709551616.0 + (double)t->triples.low;
    char of[80];
    show_row(put_count(o, "triangles", t->triangles), "triangles", "%llu", (unsigned long long)t->triangles);
    if (t->triples.high)
        show_row(put_real(o, "triples", triples), "triples", "%.17g", triples);
    else
        show_row(put_count(o, "triples", t->triples.low), "triples", "%llu", (unsigned long long)t->triples.low);
    put_ratio(o, "clustering", "clustering", t->clustering, triples > 0 ? "" : NULL);
    if (!t->of_vertex)
        return;
    snprintf(of, sizeof(of), ", the mean of %s with triples", COUNTED(t->local_vertices, "vertex|vertices"));
    put_ratio(o, "mean_local_clustering", "local", t->mean_local, t->local_vertices ? of : NULL);
    put_count(o, "local_vertices", t->local_vertices);
}

static uint64_t clustering_report_checksum(const struct clustering *c)
{
    const struct mw_graph_triangles *t = &c->found;
    const uint64_t counts[] = { t->triangles, t->triples.low, t->triples.high };
    return numbers_checksum(&(struct numbers){ counts, MW_COUNT(counts) }, 1);
}

int clustering_report(const void *course, struct node *o)
{
    const struct clustering *c = course;
    course_report_variant(c->found.variant, o);
    course_report_passes(&c->t, o);
    course_report_rate(&c->t, 1, "edges/s", o);
    put_counts(c, o);
    show_value(put_checksum(o, "checksum", clustering_report_checksum(c)), "checksum");
    course_report_verified(&c->t, o, "as counted on native:serial");
    show_written(o, "written", c->set->vertices);
    show_written(o, "written", c->set->arcs);
    return 0;
}

/* ---- the plan ---- */

/* Memory of variant oriented: arcs and their lists, for directed graphs in both directions.  Without cores, further
 * tables per arc and vertex. */
static uint64_t memory_of(const struct mw_graph *g, bool has_cores)
{
    const uint64_t n = g->vertices, kinds = g->directed ? 2 : 1;
    if (has_cores)
        return kinds * (8 * g->arcs + 12 * n) + 4 * n;
    return g->directed ? 21 * g->arcs + 28 * n : 12 * g->arcs + 40 * n;
}

void clustering_plan(const void *course, const struct team_plan *team, struct node *o)
{
    const struct clustering *c = course;
    const uint64_t bytes = memory_of(&c->t.n.graph, team->first.cores);
    show_row(put_bytes(o, "memory_bytes", bytes), "memory", "about %s for arcs and lists of them",
             bytes_text(bytes).text);
}
/* SPDX-License-Identifier: MIT */

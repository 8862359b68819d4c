/* meshwork graph clustering: triangles and clustering coefficients, by vertex and by arc. */
#include <math.h>
#include <stdio.h>

#include <meshwork/graph_measures.h>

#include "tools/cli/subcommands.h"
#include "tools/graph/course.h"
#include "tools/graph/vertices.h"
#include "tools/report/csv.h"
#include "tools/report/files.h"

struct clustering_settings {
    struct course_settings course;
    const char *vertices, *arcs;
    bool local;
};

struct clustering {
    struct course t;
    const struct clustering_settings *set;
    struct mw_graph_triangles found;
};

#define AT(member) offsetof(struct clustering_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "local", .type = OPTION_FLAG, .target = AT(local),
      .help = "also compute the mean of the coefficients of vertices" },
    { .name = "vertices", .type = OPTION_FILE, .target = AT(vertices), .value = VERTICES_FILE,
      .help = "write the values of each vertex: triangles, triples, coefficient" },
    { .name = "arcs", .type = OPTION_FILE, .target = AT(arcs), .value = "FILE.csv",
      .help = "write one line per edge (directed: per arc): its ends and triangles; undirected loops are left out" },
    VARIANT_OPTION(struct course_settings, "variant that counts triangles"),
    BLOCK_ARCS_OPTION,
    PASS_OPTIONS(struct course_settings, "time N passes and report the median",
                 "compare with walking along all arcs on native:serial; for values of vertices or arcs, with counting"),
    { 0 }
};
/* clang-format on */

static int clustering_prepare(void *course)
{
    const struct clustering *c = course;
    TRY_RETURN(variant_check(c->t.set->variant, mw_graph_triangle_variants));
    TRY_RETURN(vertices_writable("vertices", c->set->vertices));
    return file_kind_writable("arcs", c->set->arcs, ".csv");
}

static struct mw_graph_triangles_options options_of(const struct clustering *c)
{
    return (struct mw_graph_triangles_options){ .size = sizeof(struct mw_graph_triangles_options),
                                                .variant = c->t.set->variant,
                                                .by_vertex = c->set->local || c->set->vertices,
                                                .by_arc = c->set->arcs != NULL,
                                                .block_arcs = c->t.set->block_arcs };
}

static int count(void *course, double *seconds)
{
    struct clustering *c = course;
    const struct mw_graph_triangles_options how = options_of(c);
    mw_graph_triangles_free(&c->found);
    c->found.size = sizeof c->found;
    TRY_RETURN(mw_graph_triangles(c->t.team.device, c->t.team.count, &c->t.n.graph, &how, &c->found));
    *seconds = c->found.seconds;
    c->t.build = c->found.preparing;
    return 0;
}

static bool clustering_same(const struct mw_graph_triangles *a, const struct mw_graph_triangles *b, uint64_t arcs)
{
    const size_t n = a->vertices;
    bool equal = a->triangles == b->triangles && a->triples.low == b->triples.low && a->triples.high == b->triples.high;
    if (equal && a->of_vertex && n)
        equal = !memcmp(a->of_vertex, b->of_vertex, n * sizeof(*a->of_vertex)) &&
                !memcmp(a->local, b->local, n * sizeof(*a->local));
    if (equal && a->of_arc && arcs)
        equal = !memcmp(a->of_arc, b->of_arc, (size_t)arcs * sizeof(*a->of_arc));
    return equal;
}

static int clustering_verify(void *course, struct mw_device *serial)
{
    struct clustering *c = course;
    struct mw_graph_triangles_options how = options_of(c);
    struct mw_graph_triangles expected = MW_INIT(expected);
    int rc;
    how.variant = how.by_vertex || how.by_arc || !strcmp(c->found.variant, "vertices") ? "oriented" : "vertices";
    how.block_arcs = 0;
    TRY(mw_graph_triangles(&serial, 1, &c->t.n.graph, &how, &expected));
    if (!clustering_same(&c->found, &expected, c->t.n.graph.arcs))
        rc = mw_fail(MW_EVERIFY,
                     "verification failed: the triangles differ from those of native:serial (%llu instead of %llu): "
                     "please report this with `meshwork devices -v`",
                     (unsigned long long)c->found.triangles, (unsigned long long)expected.triangles);
out:
    mw_graph_triangles_free(&expected);
    return rc;
}

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

static int clustering_write(void *course)
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

static int clustering_report(const void *course, struct node *o)
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

static void clustering_plan(const void *course, const struct team_plan *team, struct node *o)
{
    const struct clustering *c = course;
    const uint64_t bytes = memory_of(&c->t.n.graph, team->first.cores);
    show_row(put_bytes(o, "memory_bytes", bytes), "memory", "about %s for arcs and lists of them",
             bytes_text(bytes).text);
}

static void clustering_free(void *course) { mw_graph_triangles_free(&((struct clustering *)course)->found); }

static const struct course_kind kind = { .prepare = clustering_prepare,
                                         .plan = clustering_plan,
                                         .pass = count,
                                         .verify = clustering_verify,
                                         .write = clustering_write,
                                         .report = clustering_report,
                                         .free = clustering_free };

static int clustering_run(struct command *command)
{
    struct clustering c = { .t = course_of(command, &kind, mw_graph_triangle_variants, WEIGHTS_UNUSED),
                            .set = command->settings };
    return course_run(&c.t);
}

static const struct option_group groups[] = { { "Clustering", options, 0 },
                                              COURSE_GROUPS(DEVICES_SHAPE_GROUPS),
                                              { 0 } };

const struct subcommand graph_clustering_subcommand = {
    .name = "graph clustering",
    .operands = "[FILE]",
    .summary = "count the triangles of a graph and compute its clustering coefficient",
    .description =
        "Counts triangles and triples (paths of two edges), and computes Newman's clustering coefficient: the "
        "fraction of triples with joined ends. In a directed graph triangles are cycles of three arcs, and triples "
        "paths of two arcs. Loops and repeated edges are ignored. " WEIGHTS_UNUSED_HELP GRAPH_FILES ".",
    .groups = groups,
    .settings_bytes = sizeof(struct clustering_settings),
    .most_operands = 1,
    .run = clustering_run,
};
/* SPDX-License-Identifier: MIT */

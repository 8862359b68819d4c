/* meshwork graph clustering: triangles and clustering coefficients. */
#include "tools/cli/subcommands.h"
#include "tools/graph/clustering/clustering.h"
#include "tools/graph/vertices.h"
#include "tools/report/files.h"

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

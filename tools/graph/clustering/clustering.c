/* meshwork graph clustering: the triangles of a graph, and what follows from them. */
#include "tools/cli/subcommands.h"
#include "tools/graph/clustering/clustering.h"
#include "tools/report/files.h"

#define AT(member) offsetof(struct clustering_settings, member)

static const struct option options[] = {
    { .name = "local", .type = OPTION_FLAG, .target = AT(local),
      .help = "the coefficients of vertices as well: their mean" },
    { .name = "vertices", .type = OPTION_FILE, .target = AT(vertices), .value = "FILE.csv",
      .help = "write a line for each vertex: its triangles, its triples, its coefficient" },
    { .name = "arcs", .type = OPTION_FILE, .target = AT(arcs), .value = "FILE.csv",
      .help = "write a line for each edge, of a directed graph for each arc: its ends, its triangles; none for loops "
              "of undirected graphs" },
    VARIANT_OPTION(struct clustering_settings, "how triangles are counted"),
    { .name = "block-arcs", .type = OPTION_COUNT, .target = AT(block_arcs), .value = "N", .least = 1,
      .help = "arcs on a device at once (default: as many as it takes)" },
    { .name = "repeat", .type = OPTION_COUNT, .target = AT(repeat), .value = "N", .fallback = "1", .least = 1,
      .most = 1000000, .help = "count N times, and give the median of the seconds" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compare with walking along all arcs on native:serial; what vertices or arcs have, with counting" },
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run), .help = "show the plan, and compute nothing" },
    { 0 }
};

static int prepare(struct clustering *c)
{
    const struct clustering_settings *set = c->set;

    TRY_RETURN(variant_check(set->variant, mw_graph_triangle_variants));
    TRY_RETURN(network_choose(&c->n, &c->n.command->operands));
    TRY_RETURN(file_kind_writable("vertices", set->vertices, ".csv"));
    TRY_RETURN(file_kind_writable("arcs", set->arcs, ".csv"));
    return passes_new(set->repeat, &c->passes);
}

static struct mw_graph_triangles_options options_of(const struct clustering *c)
{
    return (struct mw_graph_triangles_options){
        .variant = c->set->variant, .by_vertex = c->set->local || c->set->vertices, .by_arc = c->set->arcs != NULL,
        .block_arcs = c->set->block_arcs };
}

static int count(struct clustering *c)
{
    const struct mw_graph_triangles_options how = options_of(c);

    for (size_t i = 0; i < c->passes.count; i++) {
        mw_graph_triangles_free(&c->found);
        TRY_RETURN(mw_graph_triangles(c->team.device, c->team.count, &c->n.graph, &how, &c->found));
        c->passes.seconds[i] = c->found.seconds;
    }
    passes_sort(&c->passes);
    return 0;
}

static bool same(const struct mw_graph_triangles *a, const struct mw_graph_triangles *b, uint64_t arcs)
{
    const size_t n = a->vertices;
    bool equal = a->triangles == b->triangles && a->triples.low == b->triples.low &&
                 a->triples.high == b->triples.high;

    if (equal && a->of_vertex && n)
        equal = !memcmp(a->of_vertex, b->of_vertex, n * sizeof(*a->of_vertex)) &&
                !memcmp(a->local, b->local, n * sizeof(*a->local));
    if (equal && a->of_arc && arcs)
        equal = !memcmp(a->of_arc, b->of_arc, (size_t)arcs * sizeof(*a->of_arc));
    return equal;
}

static int verify(struct clustering *c)
{
    struct mw_graph_triangles_options how = options_of(c);
    struct mw_graph_triangles expected = { 0 };
    struct mw_device *serial = NULL;
    const double start = mw_now();
    int rc;

    how.variant = how.by_vertex || how.by_arc || !strcmp(c->found.variant, "vertices") ? "oriented" : "vertices";
    how.block_arcs = 0;
    TRY(mw_device_open_by_name("native:serial", NULL, &serial));
    TRY(mw_graph_triangles(&serial, 1, &c->n.graph, &how, &expected));
    c->verify = mw_now() - start;
    if (!same(&c->found, &expected, c->n.graph.arcs))
        rc = mw_fail(MW_EVERIFY, "verification failed: the triangles are not those of native:serial (%llu instead of "
                     "%llu)", (unsigned long long)c->found.triangles, (unsigned long long)expected.triangles);
out:
    mw_graph_triangles_free(&expected);
    mw_device_close(serial);
    return rc;
}

static void clustering_free(struct clustering *c)
{
    mw_graph_triangles_free(&c->found);
    team_close(&c->team);
    network_free(&c->n);
    free(c->passes.seconds);
}

static int run(struct command *command)
{
    const struct clustering_settings *set = command->settings;
    struct clustering c = { .set = set, .n = network_of(command, &set->graph, &set->device) };
    double start;
    int rc;

    c.n.weights = WEIGHTS_UNUSED;
    if (!strcmp(set->variant, "list"))
        return variant_list(mw_graph_triangle_variants);
    if (set->graph.generate && !strcmp(set->graph.generate, "list"))
        return generators_list();
    TRY(prepare(&c));
    if (set->dry_run) {
        TRY(clustering_plan(&c));
        goto out;
    }
    TRY(network_open_on(&c.n, &c.team, &c.open));
    TRY(count(&c));
    if (set->verify)
        TRY(verify(&c));
    start = mw_now();
    if (set->vertices)
        TRY(clustering_write_vertices(&c));
    if (set->arcs)
        TRY(clustering_write_arcs(&c));
    c.output = mw_now() - start;
    TRY(clustering_summary(&c));
out:
    clustering_free(&c);
    return rc;
}

static const struct option_group groups[] = {
    { "Clustering", options, 0 }, GRAPH_GROUPS(struct clustering_settings, DEVICES_GROUPS), { 0 } };

const struct subcommand graph_clustering_subcommand = {
    "graph clustering", "[FILE]", "count the triangles of a graph: how clustered is it?",
    "Counts the triangles of a graph and its triples, which are paths of two edges, and gives Newman's clustering "
    "coefficient: the part of the triples whose ends are joined. In a directed graph, triangles are arcs that lead "
    "round, and triples two arcs one behind the other. Loops count for nothing, nor do edges beyond the first between "
    "two vertices. " WEIGHTS_UNUSED_HELP GRAPH_FILES ".", groups, sizeof(struct clustering_settings), 0, 1, run, NULL };
/* SPDX-License-Identifier: MIT */

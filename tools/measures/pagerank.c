/* meshwork graph pagerank: how often a random walk visits each vertex. */
#include <meshwork/graph_measures.h>

#include "tools/cli/subcommands.h"
#include "tools/measures/measure.h"

struct pagerank_settings {
    struct measure_settings measure;
    double damping, tolerance;
};

#define AT(member) offsetof(struct pagerank_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "damping", .type = OPTION_REAL, .target = AT(damping), .value = "X", .fallback = "0.85",
      .help = "probability that the walk follows an arc; otherwise it jumps to a random vertex" },
    { .name = "tolerance", .type = OPTION_REAL, .target = AT(tolerance), .value = "X", .fallback = "1e-10",
      .help = "stop when the sum of the changes of all ranks is at most X" },
    { 0 }
};
/* clang-format on */

static int measures_pagerank_compute(const void *settings, const char *variant, const struct team *team,
                                     const struct mw_graph *graph, struct measured *found)
{
    const struct pagerank_settings *set = settings;
    const struct mw_graph_pagerank_options how = { .size = sizeof how,
                                                   .damping = set->damping,
                                                   .tolerance = set->tolerance };
    struct mw_graph_pagerank p = MW_INIT(p);
    (void)variant; /* there is only one */
    TRY_RETURN(mw_graph_pagerank(team->device, team->count, graph, &how, &p));
    *found = (struct measured){ .reals = p.ranks, .preparing = p.preparing, .seconds = p.seconds, .rounds = p.rounds };
    return 0;
}

static void measures_pagerank_report(const void *settings, const struct mw_graph *graph, const struct measured *found,
                                     struct node *to)
{
    const struct pagerank_settings *set = settings;
    show_value(put_real(to, "damping", set->damping), "damping");
    show_row(put_count(to, "iterations", found->rounds), "rounds", "%zu", found->rounds);
}

static const struct measure pagerank = { .name = "pagerank",
                                         .shares = true,
                                         .vertex_bytes = 16,
                                         .share_bytes = 32,
                                         .compute = measures_pagerank_compute,
                                         .report = measures_pagerank_report };

static int measures_pagerank_run(struct command *command) { return measure_run(command, &pagerank); }

static const struct option_group groups[] = { { "PageRank", options, 0 }, MEASURE_GROUPS(DEVICES_GROUPS), { 0 } };

const struct subcommand graph_pagerank_subcommand = {
    .name = "graph pagerank",
    .operands = "[FILE]",
    .summary = "rank the vertices of a graph by a random walk (PageRank)",
    .description =
        "Computes how often a random walk visits each vertex. A step follows a random arc of the current vertex, or "
        "jumps to a random vertex. Repeated edges count each. " WEIGHTS_UNUSED_HELP GRAPH_FILES ".",
    .groups = groups,
    .settings_bytes = sizeof(struct pagerank_settings),
    .most_operands = 1,
    .run = measures_pagerank_run,
};
/* SPDX-License-Identifier: MIT */

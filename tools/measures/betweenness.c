/* meshwork graph betweenness: the fraction of shortest paths through each vertex. */
#include <meshwork/graph_measures.h>
#include <meshwork/graph_paths.h>

#include "tools/cli/subcommands.h"
#include "tools/measures/measure.h"

struct betweenness_settings {
    struct measure_settings measure;
    uint64_t sample, sample_seed;
    bool hops;
};

#define AT(member) offsetof(struct betweenness_settings, member)

/* clang-format off */
static const struct option options[] = {
    HOPS_OPTION(struct betweenness_settings),
    { .name = "sample", .type = OPTION_COUNT, .target = AT(sample), .value = "N", .least = 1,
      .help = "sample N random source vertices instead of all, and scale the values" },
    { .name = "sample-seed", .type = OPTION_COUNT, .target = AT(sample_seed), .value = "N", .fallback = "0",
      .help = "seed of the sample" },
    VARIANT_OPTION(struct course_settings, "variant that counts paths"),
    { 0 }
};
/* clang-format on */

static int measures_betweenness_compute(const void *settings, const char *variant, const struct team *team,
                                        const struct mw_graph *graph, struct measured *found)
{
    const struct betweenness_settings *set = settings;
    const bool sampled = set->sample && set->sample < graph->vertices;
    struct mw_graph_betweenness_options how = { .size = sizeof how, .variant = variant, .hops = set->hops };
    struct mw_graph_betweenness b = MW_INIT(b);
    uint32_t *sources = NULL;
    int rc = 0;
    if (sampled) {
        TRY(mw_new(set->sample, sizeof(*sources), &sources));
        TRY(mw_graph_sample(graph->vertices, set->sample, set->sample_seed, sources));
        how.sources = sources;
        how.source_count = set->sample;
    }
    TRY(mw_graph_betweenness(team->device, team->count, graph, &how, &b));
    *found = (struct measured){ .reals = b.betweenness,
                                .preparing = b.preparing,
                                .seconds = b.seconds,
                                .rounds = b.sources,
                                .variant = b.variant };
out:
    free(sources);
    return rc;
}

static enum weights_use weights(const void *settings)
{
    return ((const struct betweenness_settings *)settings)->hops ? WEIGHTS_LEFT_OUT : WEIGHTS_USED;
}

static void measures_betweenness_report(const void *settings, const struct mw_graph *graph,
                                        const struct measured *found, struct node *to)
{
    const double searched = (double)network_edges(graph) * (double)found->rounds / found->seconds;
    put_count(to, "sources", found->rounds);
    if (found->rounds < graph->vertices)
        ROW(to, "sample", "paths from %zu of the vertices", found->rounds);
    put_rate(to, searched, "edge-sources/s");
}

static const struct measure betweenness = { .name = "betweenness",
                                            .core_bytes = 187,
                                            .weighted_core_bytes = 44,
                                            .weights = weights,
                                            .variants = mw_graph_betweenness_variants,
                                            .compute = measures_betweenness_compute,
                                            .report = measures_betweenness_report };

static int measures_betweenness_run(struct command *command) { return measure_run(command, &betweenness); }

static const struct option_group groups[] = { { "Betweenness", options, 0 }, MEASURE_GROUPS(DEVICES_GROUPS), { 0 } };

const struct subcommand graph_betweenness_subcommand = {
    .name = "graph betweenness",
    .operands = "[FILE]",
    .summary = "compute the betweenness centrality of the vertices of a graph",
    .description =
        "The betweenness of a vertex is the fraction of shortest paths through it, summed over all pairs of other "
        "vertices. The length of a path is the sum of its weights, or without weights its number of edges. In a "
        "directed graph pairs are ordered. Repeated edges between two vertices count as separate paths. " GRAPH_FILES
        ".",
    .groups = groups,
    .settings_bytes = sizeof(struct betweenness_settings),
    .most_operands = 1,
    .run = measures_betweenness_run,
};
/* SPDX-License-Identifier: MIT */

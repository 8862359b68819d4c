/* meshwork graph cores: the core number of each vertex. */
#include <meshwork/graph_measures.h>

#include "tools/cli/subcommands.h"
#include "tools/measures/measure.h"

static const struct option options[] = { VARIANT_OPTION(struct course_settings, "variant that finds cores"), { 0 } };

static int measures_cores_compute(const void *settings, const char *variant, const struct team *team,
                                  const struct mw_graph *graph, struct measured *found)
{
    const struct mw_graph_cores_options how = { .size = sizeof how, .variant = variant };
    struct mw_graph_cores c = MW_INIT(c);
    TRY_RETURN(mw_graph_cores(team->device, team->count, graph, &how, &c));
    *found = (struct measured){
        .counts = c.cores, .preparing = c.preparing, .seconds = c.seconds, .rounds = c.rounds, .variant = c.variant
    };
    return 0;
}

static void measures_cores_report(const void *settings, const struct mw_graph *graph, const struct measured *found,
                                  struct node *to)
{
    size_t in_largest = 0;
    uint32_t largest = 0;
    for (size_t v = 0; v < graph->vertices; v++) {
        if (found->counts[v] > largest)
            in_largest = 0;
        largest = found->counts[v] > largest ? found->counts[v] : largest;
        in_largest += found->counts[v] == largest;
    }
    put_count(to, "largest", largest);
    show_row(put_count(to, "in_largest", in_largest), "largest", "core %lu, of %s", (unsigned long)largest,
             COUNTED(in_largest, "vertex|vertices"));
}

static const struct measure cores = { .name = "core",
                                      .shares = true,
                                      .vertex_bytes = 4,
                                      .share_bytes = 5,
                                      .variants = mw_graph_core_variants,
                                      .compute = measures_cores_compute,
                                      .report = measures_cores_report };

static int measures_cores_run(struct command *command) { return measure_run(command, &cores); }

static const struct option_group groups[] = { { "Cores", options, 0 }, MEASURE_GROUPS(DEVICES_GROUPS), { 0 } };

const struct subcommand graph_cores_subcommand = {
    .name = "graph cores",
    .operands = "[FILE]",
    .summary = "compute the core number of each vertex of a graph",
    .description =
        "In a k-core, each vertex has at least k neighbours in the core. The core number of a vertex is the largest "
        "k of its cores. Repeated edges count each, and arcs count at both ends. " WEIGHTS_UNUSED_HELP GRAPH_FILES ".",
    .groups = groups,
    .settings_bytes = sizeof(struct measure_settings),
    .most_operands = 1,
    .run = measures_cores_run,
};
/* SPDX-License-Identifier: MIT */

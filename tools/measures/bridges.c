/* meshwork graph bridges: edges and vertices whose removal disconnects a graph. */
#include <meshwork/graph_components.h>

#include "tools/cli/subcommands.h"
#include "tools/measures/measure.h"
#include "tools/report/csv.h"
#include "tools/report/files.h"

struct bridges_settings {
    struct measure_settings measure;
    const char *bridges;
};

static const struct option options[] = { { .name = "bridges",
                                           .type = OPTION_FILE,
                                           .target = offsetof(struct bridges_settings, bridges),
                                           .value = "FILE.csv",
                                           .help = "write one line per bridge with its two vertices" },
                                         VARIANT_OPTION(struct course_settings, "variant that finds them"),
                                         { 0 } };

/* Indices of the counts. */
enum { COMPONENTS, LARGEST, ARTICULATIONS };

static int measures_bridges_compute(const void *settings, const char *variant, const struct team *team,
                                    const struct mw_graph *graph, struct measured *found)
{
    const struct mw_graph_bridges_options how = { .size = sizeof how, .variant = variant };
    struct mw_graph_bridges b = MW_INIT(b);
    TRY_RETURN(mw_graph_bridges(team->device, team->count, graph, &how, &b));
    *found = (struct measured){ .counts = b.memberships,
                                .pairs = b.ends,
                                .pair_count = b.bridges,
                                .counted = { b.components, b.largest, b.articulations },
                                .preparing = b.preparing,
                                .seconds = b.seconds,
                                .variant = b.variant };
    return 0;
}

static void measures_bridges_report(const void *settings, const struct mw_graph *graph, const struct measured *found,
                                    struct node *to)
{
    const struct bridges_settings *set = settings;
    show_value(put_count(to, "bridges", found->pair_count), "bridges");
    show_row(put_count(to, "articulation_points", found->counted[ARTICULATIONS]), "articulation", "%s",
             COUNTED(found->counted[ARTICULATIONS], "vertex|vertices"));
    show_row(put_count(to, "biconnected_components", found->counted[COMPONENTS]), "components", "%llu biconnected",
             (unsigned long long)found->counted[COMPONENTS]);
    show_row(put_count(to, "largest", found->counted[LARGEST]), "largest", "%s",
             COUNTED(found->counted[LARGEST], "vertex|vertices"));
    show_written(to, "written", set->bridges);
}

struct bridge_lines {
    const struct mw_graph *graph;
    const uint32_t *ends;
};

static void add_bridge(const void *lines, size_t bridge, struct mw_text *text)
{
    const struct bridge_lines *l = lines;
    csv_vertex(text, l->graph->names, l->ends[2 * bridge], ",");
    csv_vertex(text, l->graph->names, l->ends[2 * bridge + 1], "\n");
}

static int write_bridges(const void *settings, const struct mw_graph *graph, const struct measured *found)
{
    const struct bridges_settings *set = settings;
    const struct bridge_lines lines = { graph, found->pairs };
    return set->bridges ? csv_write(set->bridges, "vertex,other", found->pair_count, add_bridge, &lines) : 0;
}

static const struct measure bridges = { .name = "components",
                                        .shares = true,
                                        .vertex_bytes = 60,
                                        .variants = mw_graph_bridge_variants,
                                        .compute = measures_bridges_compute,
                                        .report = measures_bridges_report,
                                        .write = write_bridges };

static int measures_bridges_run(struct command *command)
{
    const struct bridges_settings *set = command->settings;
    TRY_RETURN(file_kind_writable("bridges", set->bridges, ".csv"));
    return measure_run(command, &bridges);
}

static const struct option_group groups[] = { { "Bridges", options, 0 }, MEASURE_GROUPS(DEVICES_GROUPS), { 0 } };

const struct subcommand graph_bridges_subcommand = {
    .name = "graph bridges",
    .operands = "[FILE]",
    .summary = "find bridges, articulation points and biconnected components of a graph",
    .description =
        "Bridges are edges, and articulation points vertices, whose removal disconnects a graph. No removal of a "
        "single vertex disconnects a biconnected component. Gives the number of biconnected components of each "
        "vertex; articulation points are in more than one. Arcs count as edges. " WEIGHTS_UNUSED_HELP GRAPH_FILES ".",
    .groups = groups,
    .settings_bytes = sizeof(struct bridges_settings),
    .most_operands = 1,
    .run = measures_bridges_run,
};
/* SPDX-License-Identifier: MIT */

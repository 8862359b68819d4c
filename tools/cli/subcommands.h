/* The list of subcommands.  Each is defined in a file of its own. */
#ifndef TOOLS_SUBCOMMANDS_H
#define TOOLS_SUBCOMMANDS_H

#include "tools/cli/options.h"

/* X(NAME) for each NAME_subcommand, in the order of help; then those of `graph`. */
/* clang-format off */
#define SUBCOMMANDS(X) \
    X(devices) X(doctor) X(models) X(run) X(sweep) X(walk) X(transform) X(label) X(graph) X(rng) X(compare) X(advise) \
    X(bench) X(report) X(repeat) X(speed) X(tune) X(cache) X(worker) X(tables)
#define GRAPH_SUBCOMMANDS(X) \
    X(graph_generate) X(graph_info) X(graph_convert) X(graph_components) X(graph_paths) \
    X(graph_clustering) X(graph_pagerank) X(graph_cores) \
    X(graph_betweenness) X(graph_bridges)
/* clang-format on */

#define DECLARE_SUBCOMMAND(name) extern const struct subcommand name##_subcommand;
SUBCOMMANDS(DECLARE_SUBCOMMAND)
GRAPH_SUBCOMMANDS(DECLARE_SUBCOMMAND)

/* Finds the subcommand named by the first words, such as "graph paths".  MW_EINVAL: not found. */
int subcommand_find(const char *const *words, size_t count, const struct subcommand **found, size_t *named);
/* Returns whether a subcommand's name is in `words`, or is "graph" and a word of `of_graph`. */
bool subcommand_is_one(const struct subcommand *subcommand, const char *words, const char *of_graph);
/* Runs a command line without the program's name.  Returns the exit code; mw_errmsg has the reason. */
int command_run(int argc, char **argv);

#endif
/* SPDX-License-Identifier: MIT */

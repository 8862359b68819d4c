/* The subcommands, each of which stands with its options and settings in a file of its own. */
#ifndef TOOLS_SUBCOMMANDS_H
#define TOOLS_SUBCOMMANDS_H

#include "tools/cli/options.h"

extern const struct subcommand devices_subcommand, doctor_subcommand, models_subcommand, run_subcommand,
    transform_subcommand, label_subcommand, graph_generate_subcommand, graph_info_subcommand, graph_convert_subcommand,
    graph_components_subcommand, tune_subcommand, cache_subcommand;

#endif

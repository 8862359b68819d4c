/* meshwork graph convert: writes a graph in another format. */
#include "tools/cli/subcommands.h"
#include "tools/graph/graph.h"
#include "tools/report/files.h"

struct convert_settings {
    const char *output_format;
    struct graph_settings graph;
    struct device_settings device;
};

#define FORMAT_OPTION(word, words)                                                                                     \
    {                                                                                                                  \
        .name = word, .type = OPTION_TEXT, .target = offsetof(struct convert_settings, graph.format),                  \
        .value = GRAPH_FORMATS, .help = words                                                                          \
    }

static const struct option options[] = {
    FORMAT_OPTION("format", "format of A (default: by its suffix, or without one by its contents)"),
    OUTPUT_FORMAT_OPTION("output-format", struct convert_settings, "format of B (default: by its suffix)"),
    FORMAT_OPTION("from", NULL),
    OUTPUT_FORMAT_OPTION("to", struct convert_settings, NULL),
    { 0 }
};

static int convert_report(const struct network *n, const char *path, double output)
{
    const struct timing timings[] = { { "read", n->reading },
                                      { "graph", n->building },
                                      { "build", n->build },
                                      { "output", output },
                                      { "total", mw_now() - n->start } };
    struct node *o = report_object();
    int rc;
    TRY(network_report(n, o));
    show_value(put_checksum(o, "checksum", mw_graph_checksum(&n->graph)), "checksum");
    put_seconds(o, "seconds", n->building);
    ROW(o, "seconds", "read %s, graph %s, output %s, total %s", seconds_text(n->reading).text,
        seconds_text(n->building).text, seconds_text(output).text, seconds_text(mw_now() - n->start).text);
    show_row(put_text(o, "output", path), "written", "%s", file_words(path));
    put_timings(o, timings, MW_COUNT(timings));
out:
    return report_end(o, rc);
}

static int convert_run(struct command *command)
{
    const struct convert_settings *set = command->settings;
    struct network n = network_of(command, &set->graph, &set->device);
    const char *path = command->operands.item[1];
    struct mw_device *device = NULL;
    double start;
    int rc;
    n.rewrites = true;
    TRY(network_choose(&n, &command->operands));
    TRY(network_writable(path, set->output_format));
    TRY(network_device(&set->device, &device));
    TRY(network_open(&n, device));
    start = mw_now();
    TRY(network_write(&n.graph, path, set->output_format));
    TRY(convert_report(&n, path, mw_now() - start));
out:
    network_free(&n);
    device_give_back(device);
    return rc;
}

static const struct option_group groups[] = { { "Graph", options, 0 },
                                              { "Graph", graph_input_options,
                                                offsetof(struct convert_settings, graph) },
                                              DEVICE_GROUPS(struct convert_settings, device),
                                              { 0 } };

const struct subcommand graph_convert_subcommand = {
    .name = "graph convert",
    .operands = "A B",
    .summary = "write a graph in another format",
    .description =
        "Reads the graph A and writes it as B, with the names of its vertices. " GRAPH_FILES ", or as B standard "
        "output.",
    .groups = groups,
    .settings_bytes = sizeof(struct convert_settings),
    .least_operands = 2,
    .most_operands = 2,
    .run = convert_run,
};
/* SPDX-License-Identifier: MIT */

/* Shared by the subcommands of `meshwork graph`: reading, making and reporting graphs. */
#ifndef TOOLS_GRAPH_H
#define TOOLS_GRAPH_H

#include <meshwork/graph.h>

#include "tools/cli/groups.h"
#include "tools/cli/passes.h"
#include "tools/graph/generator.h"
#include "tools/machine/team.h"
#include "tools/report/report.h"

#define GRAPH_FORMATS "edges|mtx|metis|graphml|csv|tsv|binary"
/* The format of an output graph; help NULL: an old name of the option, hidden in --help. */
#define OUTPUT_FORMAT_OPTION(word, settings, words)                                                                    \
    {                                                                                                                  \
        .name = word, .type = OPTION_FILE, .target = offsetof(settings, output_format), .value = GRAPH_FORMATS,        \
        .help = words                                                                                                  \
    }
#define GRAPH_FILES                                                                                                    \
    "Graphs are files of edges (.el, .txt, .edges), Matrix Market (.mtx), METIS (.graph, .metis), "                    \
    "GraphML (.graphml, .xml) or tables (.csv, .tsv); each also compressed (.gz), or of the binary format (.mwg); "    \
    "- is standard input"

/* Source and treatment of a graph: graph_source_options if generators are accepted as well, and graph_input_options. */
enum { EDGES_KEEP, EDGES_REMOVE };
struct graph_settings {
    struct generator_settings generator;
    const char *generate, *format, *columns;
    bool directed, undirected;
    int self, multi, weights;
};
extern const struct option graph_source_options[], graph_input_options[];
/* These groups and those of devices (DEVICE_GROUPS or DEVICES_GROUPS), for settings with members `graph` and
 * `device`. */
#define GRAPH_GROUPS(settings, devices)                                                                                \
    { "Graph", graph_source_options, offsetof(settings, graph) },                                                      \
        { "Graph", graph_input_options, offsetof(settings, graph) }, devices(settings, device)

/* Use of weights by a subcommand: it measures nothing; it uses them if present; never; not on request. */
enum weights_use { WEIGHTS_CARRIED, WEIGHTS_USED, WEIGHTS_UNUSED, WEIGHTS_LEFT_OUT };
#define WEIGHTS_UNUSED_HELP "Weights are not used. "
#define HOPS_OPTION(settings)                                                                                          \
    {                                                                                                                  \
        .name = "hops", .type = OPTION_FLAG, .target = offsetof(settings, hops),                                       \
        .help = "count edges even if they have weights"                                                                \
    }

/* A graph, its source, and the times of its phases. */
enum { NETWORK_OTHERS = 2 };
struct network {
    const struct graph_settings *set;
    const struct device_settings *on;
    const struct command *command;
    const char *single; /* thing that needs a single device; NULL: none */
    const char *path;   /* NULL: generated */
    bool rewrites;      /* the output is the same graph: its file may be replaced after reading */
    const struct mw_generator *generator;
    struct mw_value *values; /* one per parameter */
    struct mw_graph graph;
    enum weights_use weights;
    uint64_t removed;                       /* edges removed by --self and --multi */
    double start, reading, building, build; /* seconds: of reading edges; of making the graph; of building programs */
    struct timing others[NETWORK_OTHERS];   /* phases between computation and output */
    size_t other_count;
};

/* ---- graph.c ---- */

/* Returns a network without a source. */
struct network network_of(const struct command *command, const struct graph_settings *set,
                          const struct device_settings *on);
/* Chooses the file named first in `words`, or --generate; checks options, not the file.  MW_EINVAL. */
int network_choose(struct network *n, const struct words *words);
/* Checks the number of devices.  MW_EINVAL. */
int network_check_count(const struct network *n, size_t devices);
/* Reads or makes the graph on a device. */
int network_open(struct network *n, struct mw_device *device);
void network_free(struct network *n);
uint64_t network_edges(const struct mw_graph *graph);
/* Returns whether weights are used; valid once the graph is open. */
static inline bool network_is_weighed(const struct network *n)
{
    return n->weights == WEIGHTS_USED && n->graph.weights;
}
/* Opens the device that makes graphs if nothing else is computed: that of -d, otherwise the native one, which needs no
 * driver.  The caller closes it. */
int network_device(const struct device_settings *settings, struct mw_device **device);
/* Checks, without writing, that a graph can be written there.  Standard output needs --output-format, and sends
 * results to standard error. */
int network_writable(const char *path, const char *format);
int network_write(const struct mw_graph *graph, const char *path, const char *format);

/* ---- report.c ---- */

/* Puts the source and the size of a graph. */
int network_report(const struct network *n, struct node *to);
/* For a plan: reads the graph, which determines the memory, and describes devices without opening them.  `variant`:
 * NULL without variants. */
int network_plan(struct network *n, const char *variant, struct team_plan *team, struct node *to);
/* Adds a phase between computation and output. */
void network_took(struct network *n, const char *phase, double seconds);
/* Puts degrees, loops and similar numbers. */
void graph_summary_report(const struct mw_graph_summary *summary, bool directed, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

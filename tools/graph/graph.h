/* What the subcommands of `meshwork graph` share: the graphs that they work on, and what is said of them. */
#ifndef TOOLS_GRAPH_H
#define TOOLS_GRAPH_H

#include <meshwork/graph.h>

#include "tools/cli/groups.h"
#include "tools/cli/passes.h"
#include "tools/graph/generator.h"
#include "tools/machine/team.h"
#include "tools/report/report.h"

#define GRAPH_FORMATS "edges|mtx|metis|graphml|csv|tsv|binary"
/* The format of a graph that is written; help NULL: an earlier name of the option, which --help leaves out. */
#define OUTPUT_FORMAT_OPTION(word, settings, words) \
    { .name = word, .type = OPTION_FILE, .target = offsetof(settings, output_format), .value = GRAPH_FORMATS, \
      .help = words }
#define GRAPH_FILES "Graphs are files of edges (.el, .txt, .edges), Matrix Market (.mtx), METIS (.graph, .metis), " \
    "GraphML (.graphml, .xml) or tables (.csv, .tsv), each also compressed (.gz), or of the binary format (.mwg); " \
    "- is standard input"

/* Where a graph comes from, and what is to be made of it: graph_source_options, where generators will do as well, and
 * graph_input_options. */
enum { EDGES_KEEP, EDGES_REMOVE };
struct graph_settings {
    struct generator_settings generator;
    const char *generate, *format, *columns;
    bool directed, undirected;
    int self, multi, weights;
};
extern const struct option graph_source_options[], graph_input_options[];
/* These, and those of devices, which are DEVICE_GROUPS or DEVICES_GROUPS, of settings with members `graph` and
 * `device`. */
#define GRAPH_GROUPS(settings, devices) \
    { "Graph", graph_source_options, offsetof(settings, graph) }, \
    { "Graph", graph_input_options, offsetof(settings, graph) }, devices(settings, device)

/* Whether a subcommand measures by weights: it measures nothing, it does where there are weights, it never does, it was
 * asked not to. */
enum weights_use { WEIGHTS_CARRIED, WEIGHTS_USED, WEIGHTS_UNUSED, WEIGHTS_LEFT_OUT };
#define WEIGHTS_UNUSED_HELP "Weights are not used. "
#define HOPS_OPTION(settings) \
    { .name = "hops", .type = OPTION_FLAG, .target = offsetof(settings, hops), \
      .help = "count edges, whatever their weights" }

/* A graph, where it comes from, and what took its time. */
enum { NETWORK_OTHERS = 2 };
struct network {
    const struct graph_settings *set;
    const struct device_settings *on;
    const struct command *command;
    const char *single;                  /* what is for one device alone; NULL: nothing */
    const char *path;                    /* NULL: made by the generator */
    bool rewrites;                       /* the same graph is written: its file may be replaced, as it has been read */
    const struct mw_generator *generator;
    struct mw_value *values;   /* of all its parameters */
    struct mw_graph graph;
    enum weights_use weights;
    uint64_t removed;                    /* edges, by --self and --multi */
    double start, reading, building, build;  /* seconds: of the edges; from edges to the graph; building programs */
    struct timing others[NETWORK_OTHERS]; /* between computing and what is written of it */
    size_t other_count;
};

/* ---- graph.c ---- */

/* Still to be chosen. */
struct network network_of(const struct command *command, const struct graph_settings *set,
                          const struct device_settings *on);
/* The file that `words` names first, or --generate; looks at the options, not at the file.  MW_EINVAL. */
int network_choose(struct network *n, const struct words *words);
/* Whether it may run on so many devices.  MW_EINVAL. */
int network_check_count(const struct network *n, size_t devices);
/* Reads or makes the graph on a device. */
int network_open(struct network *n, struct mw_device *device);
void network_free(struct network *n);
uint64_t network_edges(const struct mw_graph *graph);
/* Whether it is measured by weights, once it is open. */
static inline bool network_is_weighed(const struct network *n)
{
    return n->weights == WEIGHTS_USED && n->graph.weights;
}
/* The device on which graphs are made of edges where nothing else is computed: that of -d, else the threads of this
 * machine, which need no driver.  It is to be closed. */
int network_device(const struct device_settings *settings, struct mw_device **device);
/* Whether a graph can be written there, as far as that can be known before; standard output, which needs the format of
 * --output-format, sends results to standard error. */
int network_writable(const char *path, const char *format);
int network_write(const struct mw_graph *graph, const char *path, const char *format);

/* ---- report.c ---- */

/* Where a graph comes from, and how large it is. */
int network_report(const struct network *n, struct node *to);
/* For a plan: reads the graph, as it tells what is needed, and reports all that of devices that stay closed.
 * `variant`: NULL where there are none. */
int network_plan(struct network *n, const char *variant, struct team_plan *team, struct node *to);
/* One more phase between computing and writing. */
void network_took(struct network *n, const char *phase, double seconds);
/* Degrees, loops and the like. */
void graph_summary_report(const struct mw_graph_summary *summary, bool directed, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

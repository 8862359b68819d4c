/* Shared by the subcommands of `meshwork graph`: reading, making and reporting graphs. */
#ifndef TOOLS_GRAPH_H
#define TOOLS_GRAPH_H

#include <meshwork/graph.h>

#include "tools/cli/groups.h"
#include "tools/cli/passes.h"
#include "tools/graph/generator.h"
#include "tools/machine/team.h"
#include "tools/report/report.h"

#define GRAPH_FORMATS "edges|mtx|metis|graphml|gml|pajek|dot|npz|csv|tsv|binary"
/* The format of an output graph; help NULL: an old name of the option, hidden in --help. */
#define OUTPUT_FORMAT_OPTION(word, settings, words)                                                                    \
    {                                                                                                                  \
        .name = word, .type = OPTION_FILE, .target = offsetof(settings, output_format), .value = GRAPH_FORMATS,        \
        .help = words                                                                                                  \
    }
#define GRAPH_FILES                                                                                                    \
    "Graphs are files: edge lists (.el, .txt, .edges), Matrix Market (.mtx), METIS (.graph, .metis), "                 \
    "GraphML (.graphml, .xml), GML (.gml), Pajek (.net), DOT (.dot, .gv) or tables (.csv, .tsv). They may be "         \
    "compressed (.gz). Sparse matrices of SciPy (.npz) and the binary format (.mwg) are graphs, too; "                 \
    "- is standard input"

/* Values of --self and --multi: what to do with loops and multi-edges. */
enum { EDGES_KEEP, EDGES_REMOVE };
/* Options for the source of a graph and for changes to it on reading. */
struct graph_settings {
    struct generator_settings generator;
    const char *generate, *format, *columns;
    bool directed, undirected;
    int self, multi, weights;
};
/* graph_source_options: of generators, for subcommands that accept them.  graph_input_options: of files. */
extern const struct option graph_source_options[], graph_input_options[];
/* Option groups of a subcommand that reads or makes a graph.  Its settings have members `graph` and `device`; devices:
 * DEVICE_GROUPS or DEVICES_GROUPS. */
#define GRAPH_GROUPS(settings, devices)                                                                                \
    { "Graph", graph_source_options, offsetof(settings, graph) },                                                      \
        { "Graph", graph_input_options, offsetof(settings, graph) }, devices(settings, device)

/* What a subcommand does with weights. */
enum weights_use {
    WEIGHTS_CARRIED, /* keeps them; it measures nothing */
    WEIGHTS_USED,    /* uses them if the graph has any */
    WEIGHTS_UNUSED,  /* never uses them */
    WEIGHTS_LEFT_OUT /* does not use them, on request */
};
#define WEIGHTS_UNUSED_HELP "Weights are not used. "
#define HOPS_OPTION(settings)                                                                                          \
    {                                                                                                                  \
        .name = "hops", .type = OPTION_FLAG, .target = offsetof(settings, hops),                                       \
        .help = "count edges even if they have weights"                                                                \
    }

/* Maximum number of further phases in struct network. */
enum { NETWORK_OTHERS = 5 };
/* A graph, its source, and the times of its phases. */
struct network {
    const struct graph_settings *set;
    const struct device_settings *on;
    const struct command *command;
    const char *path; /* NULL: generated */
    bool rewrites;    /* the output is the same graph: its file may be replaced after reading */
    const struct mw_generator *generator;
    struct mw_value *values; /* one per parameter */
    uint64_t seed;           /* the seed that made the graph */
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
/* Reads the graph, or generates it, on a device. */
int network_open(struct network *n, struct mw_device *device);
/* Frees the graph and the parameters of its generator. */
void network_free(struct network *n);
/* Returns the number of edges; of a directed graph, of arcs. */
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
/* Writes a graph to a file, in a format of --output-format (NULL: by the file's name). */
int network_write(const struct mw_graph *graph, const char *path, const char *format);

/* ---- report.c ---- */

/* Puts the source and the size of a graph. */
int network_report(const struct network *n, struct node *to);
/* Puts the common part of a plan: reads the graph, which determines the memory, and describes the devices without
 * opening them.  variant: NULL if the subcommand has none. */
int network_plan(struct network *n, const char *variant, struct team_plan *team, struct node *to);
/* Puts the memory of a variant on a device that holds all arcs, in all and per vertex and arc. */
void graph_memory_put(const struct mw_graph_footprint *memory, const struct mw_graph *graph, struct node *to);
/* Records the seconds of a phase between computation and output, for the report. */
void network_took(struct network *n, const char *phase, double seconds);
/* Puts degrees, loops and similar numbers. */
void graph_summary_report(const struct mw_graph_summary *summary, bool directed, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

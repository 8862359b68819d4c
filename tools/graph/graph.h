/* What the files of `meshwork graph` share: graph.c the graphs that it works on, graph_generate.c, graph_info.c (which
 * converts as well) and graph_components*.c its subcommands, graph_report.c what they say alike. */
#ifndef GRAPH_H
#define GRAPH_H

#include <meshwork/generate.h>
#include <meshwork/graph.h>
#include <meshwork/graph_components.h>
#include <meshwork/graph_file.h>

#include "tools/cli/command.h"
#include "tools/cli/team.h"

/* A graph, and where it comes from. */
struct network {
    const struct settings *set;
    const struct command *command;
    const char *path;                    /* NULL: made by the generator */
    const struct mw_generator *generator;
    struct mw_generator_value *values;   /* of all its parameters */
    struct mw_graph graph;
    uint64_t removed;                    /* edges, by --self and --multi */
    double start, reading, building;     /* seconds: of the edges; from edges to the graph */
};

/* `meshwork graph components`. */
struct grouping {
    struct network n;
    struct team team;
    struct mw_graph_labelling *labelling;
    struct mw_prim *prim;
    struct mw_buffer *roots, *numbers;   /* of each vertex the smallest one, and its component's number from 1 on */
    struct mw_components *components;
    struct mw_components_summary summary;
    struct mw_array labels;              /* the roots, int32 */
    size_t largest_root, iterations;
    struct passes passes;
    double open, build, sizing, download, verify, output;
};

/* ---- graph.c ---- */

/* The file that `words` names first, or --generate; looks at the options, not at the file.  MW_EINVAL. */
int network_choose(struct network *n, const struct words *words);
/* Reads or makes the graph on a device. */
int network_open(struct network *n, struct mw_device *device);
void network_free(struct network *n);
uint64_t network_edges(const struct mw_graph *graph);
/* Of two files with the same graph, whatever their formats, these are the same: adjacency, without names. */
uint64_t network_checksum(const struct mw_graph *graph);
/* The device on which graphs are made of edges: that of -d, else `otherwise` if it has memory of its own, else the
 * threads of this machine, which need no kernels built.  `opened` is to be closed, NULL where it is `otherwise`. */
int network_device(const struct settings *set, struct mw_device *otherwise, struct mw_device **device,
                   struct mw_device **opened);
/* MW_EINVAL where `format`, the value of an option, is none; NULL is legal. */
int network_format(const char *option, const char *format);
/* Whether a graph can be written there, as far as that can be known before; standard output sends results to standard
 * error.  `option` says what to give where the format is open. */
int network_writable(const char *path, const char *format, const char *option);
int network_write(const struct mw_graph *graph, const char *path, const char *format);

/* ---- graph_generate.c ---- */

int generators_list(const struct settings *set);
int generator_find(const char *name, const struct mw_generator **generator);
/* The values of the generator's parameters, in its order: its own, then those of words NAME=VALUE.  From malloc, the
 * caller's, also after a failure. */
int generator_values(const struct mw_generator *generator, const struct words *words,
                     struct mw_generator_value **values);

/* ---- graph_components_write.c ---- */

/* Where labels and the largest component go: MW_EINVAL, MW_EIO. */
int grouping_check_outputs(const struct grouping *g);
int grouping_write(struct grouping *g);
/* Compares the labels with those of a union-find on the host.  MW_EVERIFY. */
int grouping_verify(struct grouping *g);

/* ---- graph_components_report.c ---- */

int grouping_plan(struct grouping *g);
int grouping_summary(const struct grouping *g);

/* ---- graph_report.c ---- */

/* Rows for a table of two columns, the variable `table`. */
#define ROW(title, ...) (table_add(table, DIM, "%s", title), table_add(table, PLAIN, __VA_ARGS__))

int generator_row(const struct mw_generator *generator, const struct mw_generator_value *values, uint64_t seed,
                  struct table *table);
void generator_json(const struct mw_generator *generator, const struct mw_generator_value *values, uint64_t seed,
                    struct json *json);
/* Where a graph comes from, and how large it is. */
int network_rows(const struct network *n, struct table *table);
void network_json(const struct network *n, struct json *json);
/* Degrees, loops and the like. */
void graph_summary_rows(const struct mw_graph_summary *summary, bool directed, struct table *table);
void graph_summary_json(const struct mw_graph_summary *summary, struct json *json);
/* Values that occur, upwards, and how often. */
struct occurrence { uint64_t value, number; };
/* Prints a table behind an empty line, of many values without `all` the smallest and the largest. */
int occurrences_print(const char *titles, const struct occurrence *occurrences, size_t count, bool all);
void occurrences_json(struct json *json, const char *key, const struct occurrence *occurrences, size_t count);
/* Puts an object "timings" of names and seconds. */
struct timing { const char *name; double seconds; };
void timings_json(struct json *json, const struct timing *timings, size_t count);

#endif

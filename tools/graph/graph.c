/* meshwork graph: reads or makes the graphs of its subcommands. */
#include "tools/graph/graph.h"

#include <meshwork/graph_file.h>

#include "tools/cli/names.h"
#include "tools/cli/passes.h"
#include "tools/report/files.h"

#define AT(member) offsetof(struct graph_settings, member)

/* clang-format off */
const struct option graph_source_options[] = {
    { .name = "generate", .type = OPTION_TEXT, .target = AT(generate), .value = "KIND|list",
      .help = "make a graph as `meshwork graph generate` does, instead of reading a file" },
    GENERATOR_OPTIONS(struct graph_settings),
    { .name = "format", .type = OPTION_TEXT, .target = AT(format), .value = GRAPH_FORMATS,
      .help = "format of the file (default: by its suffix, or without one by its contents)" },
    { 0 }
};

const struct option graph_input_options[] = {
    { .name = "columns", .type = OPTION_TEXT, .target = AT(columns), .value = "SOURCE,TARGET[,WEIGHT]",
      .help = "columns of a table (csv, tsv) by title, or by number from 1 on (default: source, target and weight; "
              "from and to; or the first two)" },
    { .name = "directed", .type = OPTION_FLAG, .target = AT(directed),
      .help = "read each line of an edge list as an arc from the first vertex to the second" },
    { .name = "undirected", .type = OPTION_FLAG, .target = AT(undirected),
      .help = "turn arcs into edges, opposite ones into a single edge, if the file declares a directed graph" },
    { .name = "self", .type = OPTION_CHOICE, .target = AT(self), .value = "keep|remove", .fallback = "keep",
      .help = "loops: edges from a vertex to itself" },
    { .name = "multi", .type = OPTION_CHOICE, .target = AT(multi), .value = "keep|remove", .fallback = "keep",
      .help = "repeated edges between two vertices; if weighted, the smallest weight is kept" },
    { .name = "weights", .type = OPTION_CHOICE, .target = AT(weights), .value = "keep|remove", .fallback = "keep",
      .help = "weights of edges, if the graph has them" },
    { 0 }
};
/* clang-format on */

/* ---- options ---- */

/* MW_EINVAL: `format` is not a format; NULL is allowed. */
static int check_format(const char *option, const char *format)
{
    const struct mw_variant *f;
    struct nearest nearest = { .word = format ? format : "" };
    struct mw_text names = { 0 };
    int rc = 0;
    if (!format)
        return 0;
    for (size_t i = 0; (f = mw_graph_formats(i)) != NULL; i++) {
        if (!strcmp(format, f->name))
            goto out;
        nearest_offer(&nearest, f->name);
        mw_text_add(&names, "%s%s", i ? ", " : "", f->name);
    }
    TRY(mw_text_ok(&names));
    rc = nearest.best ? mw_fail(MW_EINVAL, "--%s: unknown format '%s': did you mean %s?", option, format, nearest.best)
                      : mw_fail(MW_EINVAL, "--%s: unknown format '%s': must be one of %s", option, format, names.data);
out:
    mw_text_free(&names);
    return rc;
}

static int choose_generator(struct network *n, const struct words *words)
{
    static const char *const only_file[] = { "format", "columns", "directed", "undirected" };
    if (words->count)
        return mw_fail(MW_EINVAL, "--generate %s replaces a file: leave out '%s'", n->set->generate, words->item[0]);
    for (size_t i = 0; i < MW_COUNT(only_file); i++)
        if (option_is_given(n->command, only_file[i]))
            return mw_fail(MW_EINVAL, "--%s requires a file: leave it out with --generate", only_file[i]);
    n->seed = n->set->generator.seed;
    TRY_RETURN(generator_find(n->set->generate, &n->generator));
    return generator_values(n->generator, &n->set->generator.params, &n->values);
}

static int choose_file(struct network *n, const struct words *words)
{
    static const char *const only_generator[] = { "param", "seed", "connected" };
    if (words->count == 0)
        return mw_fail(MW_EINVAL, "missing operand: meshwork %s FILE, or --generate KIND",
                       n->command->subcommand->name);
    for (size_t i = 0; i < MW_COUNT(only_generator); i++)
        if (option_is_given(n->command, only_generator[i]))
            return mw_fail(MW_EINVAL, "--%s requires --generate: leave it out", only_generator[i]);
    n->path = words->item[0];
    return n->rewrites ? 0 : file_stays(n->path);
}

struct network network_of(const struct command *command, const struct graph_settings *set,
                          const struct device_settings *on)
{
    return (struct network){ .set = set, .on = on, .command = command, .start = mw_now() };
}

int network_choose(struct network *n, const struct words *words)
{
    if (n->set->directed && n->set->undirected)
        return mw_fail(MW_EINVAL, "--directed and --undirected exclude each other: give one of them");
    TRY_RETURN(check_format("format", n->set->format));
    return n->set->generate ? choose_generator(n, words) : choose_file(n, words);
}

int network_device(const struct device_settings *settings, struct mw_device **device)
{
    const struct device_settings chosen = { .selector = settings->selector ? settings->selector : "native",
                                            .kernel_path = settings->kernel_path,
                                            .threads = settings->threads };
    return device_find(&chosen, device);
}

/* ---- reading and making ---- */

uint64_t network_edges(const struct mw_graph *graph) { return graph->directed ? graph->arcs : graph->arcs / 2; }

static bool is_binary(const struct network *n)
{
    const char *format = n->set->format;
    return strcmp(n->path, "-") != 0 && (format ? !strcmp(format, "binary") : mw_graph_is_binary(n->path));
}

static int read_edges(struct network *n, struct mw_device *device, struct mw_edges *edges)
{
    const struct mw_graph_file_options options = { .size = sizeof(options),
                                                   .format = n->set->format,
                                                   .columns = n->set->columns,
                                                   .directed = n->set->directed,
                                                   .threads = (unsigned)n->on->threads,
                                                   .no_weights = n->set->weights == EDGES_REMOVE };
    if (n->generator)
        return generator_make(&n->set->generator, n->generator, n->values, device, &n->seed, edges);
    return mw_edges_read(n->path, &options, edges);
}

static int make_graph(struct network *n, struct mw_device *device)
{
    const struct graph_settings *set = n->set;
    const struct mw_graph_options options = { .size = sizeof options,
                                              .remove_self = set->self == EDGES_REMOVE,
                                              .remove_multiple = set->multi == EDGES_REMOVE };
    struct mw_edges edges = { 0 };
    struct phase phase = phase_begin();
    int rc;
    TRY(read_edges(n, device, &edges));
    if (set->weights == EDGES_REMOVE) {
        free(edges.weights);
        edges.weights = NULL;
    }
    n->reading = phase_end(&phase, &n->build);
    phase = phase_begin();
    TRY(mw_graph_new(device, &edges, &options, &n->graph, NULL));
    n->removed = edges.count - network_edges(&n->graph);
    n->building = phase_end(&phase, &n->build);
out:
    mw_edges_free(&edges);
    return rc;
}

static int make_undirected(struct network *n, struct mw_device *device)
{
    struct mw_graph undirected = { 0 };
    const struct phase phase = phase_begin();
    TRY_RETURN(mw_graph_undirected(device, &n->graph, &undirected));
    mw_graph_free(&n->graph);
    n->graph = undirected;
    n->building += phase_end(&phase, &n->build);
    return 0;
}

/* A binary file from which nothing is removed is memory-mapped. */
int network_open(struct network *n, struct mw_device *device)
{
    const struct graph_settings *set = n->set;
    const double start = mw_now();
    if (n->path && is_binary(n) && set->self == EDGES_KEEP && set->multi == EDGES_KEEP) {
        TRY_RETURN(mw_graph_map(n->path, &n->graph));
        if (set->weights == EDGES_REMOVE)
            n->graph.weights = NULL;
        n->reading = mw_now() - start;
    } else {
        TRY_RETURN(make_graph(n, device));
    }
    if (set->directed && !n->graph.directed)
        return mw_fail(MW_EINVAL, "--directed: %s declares an undirected graph: leave it out",
                       strcmp(n->path, "-") ? n->path : "standard input");
    if (set->undirected && n->graph.directed)
        TRY_RETURN(make_undirected(n, device));
    return 0;
}

void network_free(struct network *n)
{
    mw_graph_free(&n->graph);
    free(n->values);
}

/* ---- writing ---- */

int network_writable(const char *path, const char *format)
{
    TRY_RETURN(check_format("output-format", format));
    if (strcmp(path, "-") != 0) {
        TRY_RETURN(mw_graph_write_check(path, &(struct mw_graph_file_options){
                                                  .size = sizeof(struct mw_graph_file_options), .format = format }));
        return file_writable(path);
    }
    if (!format)
        return mw_fail(MW_EINVAL, "standard output has no suffix for the format: give --output-format");
    return file_to_standard_output(!strcmp(format, "binary"));
}

int network_write(const struct mw_graph *graph, const char *path, const char *format)
{
    const struct mw_graph_file_options options = { .size = sizeof options, .format = format };
    return mw_graph_write(graph, path, &options);
}
/* SPDX-License-Identifier: MIT */

/* meshwork graph: the options of its subcommands, and the graphs that they work on: from files or generators. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(member) offsetof(struct settings, member)

#define PARAMETER { .name = "param", .letter = 'p', .type = OPTION_WORDS, .target = AT(params), \
      .value = "NAME=VALUE", .help = "set a parameter of the generator; may be given several times" }
#define SEED { .name = "seed", .type = OPTION_COUNT, .target = AT(seed), .value = "N", .fallback = "0", \
      .help = "seed of the generator" }
#define REPEAT { .name = "repeat", .type = OPTION_COUNT, .target = AT(repeat), .value = "N", .fallback = "1", \
      .least = 1, .most = 1000000, .help = "time N passes behind one that is not timed, and give their median" }
#define DRY_RUN { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run), \
      .help = "show the plan, and compute nothing" }
#define FORMATS "edges|mtx|metis|graphml|binary"

const struct option graph_generate_options[] = {
    PARAMETER, SEED,
    { .name = "output", .letter = 'o', .type = OPTION_TEXT, .target = AT(output), .value = "FILE",
      .help = "write the graph; - is standard output, and the summary then goes to standard error" },
    { .name = "format", .type = OPTION_TEXT, .target = AT(format), .value = FORMATS,
      .help = "format of that file (default: by its suffix)" },
    { .name = "list", .type = OPTION_FLAG, .target = AT(list), .help = "list the kinds and their parameters" },
    { .name = "repeat", .type = OPTION_COUNT, .target = AT(repeat), .value = "N", .fallback = "1", .least = 1,
      .most = 1000000,
      .help = "time N passes and give their median; if N is above 1, behind one that is not timed" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compare with the edges that native:serial makes" },
    DRY_RUN,
    { 0 }
};

const struct option graph_source_options[] = {
    { .name = "generate", .type = OPTION_TEXT, .target = AT(generate), .value = "KIND|list",
      .help = "make a graph instead of reading a file, as `meshwork graph generate` does" },
    PARAMETER, SEED,
    { .name = "format", .type = OPTION_TEXT, .target = AT(format), .value = FORMATS,
      .help = "format of the file (default: by its suffix, without one by what it holds)" },
    { 0 }
};

const struct option graph_input_options[] = {
    { .name = "directed", .type = OPTION_FLAG, .target = AT(directed),
      .help = "take each line of a list of edges for an arc, from the first vertex to the second" },
    { .name = "undirected", .type = OPTION_FLAG, .target = AT(undirected),
      .help = "make edges of arcs, of opposite ones a single edge, where the file says that its graph is directed" },
    { .name = "self", .type = OPTION_CHOICE, .target = AT(self), .value = "keep|remove", .fallback = "keep",
      .help = "loops, that is edges from a vertex to itself" },
    { .name = "multi", .type = OPTION_CHOICE, .target = AT(multi), .value = "keep|remove", .fallback = "keep",
      .help = "edges beyond the first between two vertices" },
    { 0 }
};

const struct option graph_info_options[] = {
    { .name = "degrees", .type = OPTION_FLAG, .target = AT(degrees),
      .help = "say how many vertices have which degree; with -v, where there are many, all of them" },
    { 0 }
};

const struct option graph_convert_options[] = {
    { .name = "from", .type = OPTION_TEXT, .target = AT(from), .value = FORMATS,
      .help = "format of A (default: by its suffix, without one by what it holds)" },
    { .name = "to", .type = OPTION_TEXT, .target = AT(to), .value = FORMATS,
      .help = "format of B (default: by its suffix)" },
    { 0 }
};

const struct option graph_components_options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_TEXT, .target = AT(output), .value = "FILE",
      .help = "write the labels: .npy, of each vertex the number of the smallest vertex of its component, from 0 on; "
              ".txt, a line for each vertex, its name and that of the smallest one; - is text on standard output, and "
              "the summary then goes to standard error" },
    { .name = "sizes", .type = OPTION_FLAG, .target = AT(sizes),
      .help = "say how many components have which size; with -v, where there are many, all of them" },
    { .name = "largest", .type = OPTION_TEXT, .target = AT(largest), .value = "FILE",
      .help = "write the largest component as a graph, its format by the suffix" },
    { .name = "variant", .type = OPTION_TEXT, .target = AT(variant), .value = "NAME|auto|list", .fallback = "auto",
      .help = "how components are found; auto takes what suits the device and the graph" },
    { .name = "block-arcs", .type = OPTION_COUNT, .target = AT(block_arcs), .value = "N", .least = 1,
      .help = "arcs on a device at once (default: as many as it takes)" },
    REPEAT,
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compare with a union-find on the host, by one thread" },
    DRY_RUN,
    { 0 }
};

/* ---- what is asked for ---- */

int network_format(const char *option, const char *format)
{
    struct nearest nearest = { .word = format ? format : "" };
    struct mw_text names = { 0 };
    const struct mw_variant *f;
    int rc;

    if (!format)
        return 0;
    for (size_t i = 0; (f = mw_graph_formats(i)) != NULL; i++) {
        if (!strcmp(format, f->name))
            return 0;
        nearest_offer(&nearest, f->name);
        mw_text_add(&names, "%s%s", i ? ", " : "", f->name);
    }
    TRY(mw_text_ok(&names));
    rc = nearest.best ? mw_fail(MW_EINVAL, "--%s: there is no format '%s': did you mean %s?", option, format,
                                nearest.best)
                      : mw_fail(MW_EINVAL, "--%s: there is no format '%s': they are %s", option, format, names.data);
out:
    mw_text_free(&names);
    return rc;
}

static bool is_given(const struct network *n, const char *option)
{
    return options_origin(n->command, option) == FROM_OPTION;
}

static int choose_generator(struct network *n, const struct words *words)
{
    static const char *const only_file[] = { "format", "directed", "undirected" };
    int rc;

    if (words->count)
        return mw_fail(MW_EINVAL, "--generate %s stands for a file: leave out '%s'", n->set->generate, words->item[0]);
    for (size_t i = 0; i < MW_COUNT(only_file); i++)
        if (is_given(n, only_file[i]))
            return mw_fail(MW_EINVAL, "--%s is for files: leave it out with --generate", only_file[i]);
    TRY(generator_find(n->set->generate, &n->generator));
    TRY(generator_values(n->generator, &n->set->params, &n->values));
out:
    return rc;
}

static int choose_file(struct network *n, const struct words *words)
{
    static const char *const only_generator[] = { "param", "seed" };

    if (words->count == 0)
        return mw_fail(MW_EINVAL, "an operand is missing: meshwork %s FILE, or --generate KIND",
                       n->command->subcommand->name);
    for (size_t i = 0; i < MW_COUNT(only_generator); i++)
        if (is_given(n, only_generator[i]))
            return mw_fail(MW_EINVAL, "--%s belongs to --generate: leave it out", only_generator[i]);
    n->path = words->item[0];
    return 0;
}

int network_choose(struct network *n, const struct words *words)
{
    int rc;

    if (n->set->directed && n->set->undirected)
        return mw_fail(MW_EINVAL, "--directed and --undirected exclude each other: leave one out");
    TRY(network_format("format", n->set->format));
    TRY(network_format("from", n->set->from));
    TRY(n->set->generate ? choose_generator(n, words) : choose_file(n, words));
out:
    return rc;
}

int network_device(const struct settings *set, struct mw_device *otherwise, struct mw_device **device,
                   struct mw_device **opened)
{
    const struct mw_device_options options = { .threads = (unsigned)set->threads, .kernel_path = set->kernel_path,
                                               .profile = set->verbose };
    const enum mw_device_kind kind = otherwise ? mw_device_info(otherwise)->kind : MW_DEVICE_CPU;
    int rc = 0;

    *opened = NULL;
    if (otherwise && (set->device || kind != MW_DEVICE_CPU)) {
        *device = otherwise;
        return 0;
    }
    if (set->device)
        TRY(device_find(set, opened));
    else
        TRY(mw_device_open_by_name("native", &options, opened));
    *device = *opened;
out:
    return rc;
}

/* ---- reading and making ---- */

uint64_t network_checksum(const struct mw_graph *graph)
{
    const uint64_t head[] = { graph->vertices, graph->arcs, graph->directed };
    struct mw_hasher hasher;

    mw_hasher_start(&hasher, 0);
    mw_hasher_add(&hasher, head, sizeof(head));
    mw_hasher_add(&hasher, graph->offsets, (graph->vertices + 1) * sizeof(*graph->offsets));
    mw_hasher_add(&hasher, graph->heads, (size_t)graph->arcs * sizeof(*graph->heads));
    return mw_hasher_end(&hasher);
}

uint64_t network_edges(const struct mw_graph *graph)
{
    return graph->directed ? graph->arcs : graph->arcs / 2;
}

static bool is_binary(const struct network *n)
{
    const char *format = n->set->from ? n->set->from : n->set->format;

    return strcmp(n->path, "-") != 0 && (format ? !strcmp(format, "binary") : mw_graph_is_binary(n->path));
}

static int read_edges(struct network *n, struct mw_device *device, struct mw_edges *edges)
{
    const struct mw_graph_file_options options = {
        .format = n->set->from ? n->set->from : n->set->format, .directed = n->set->directed,
        .threads = (unsigned)n->set->threads };

    if (n->generator)
        return mw_generate(device, n->generator->name, n->values, n->generator->parameter_count, n->set->seed, edges);
    return mw_edges_read(n->path, &options, edges);
}

static int make_graph(struct network *n, struct mw_device *device)
{
    const struct settings *set = n->set;
    const struct mw_graph_options options = {
        .remove_self = set->self == EDGES_REMOVE, .remove_multiple = set->multi == EDGES_REMOVE };
    struct mw_edges edges = { 0 };
    double start = mw_now();
    int rc;

    TRY(read_edges(n, device, &edges));
    n->reading = mw_now() - start;
    start = mw_now();
    TRY(mw_graph_new(device, &edges, &options, &n->graph, NULL));
    n->removed = edges.count - network_edges(&n->graph);
    n->building = mw_now() - start;
out:
    mw_edges_free(&edges);
    return rc;
}

static int make_undirected(struct network *n, struct mw_device *device)
{
    struct mw_graph undirected = { 0 };
    const double start = mw_now();
    int rc;

    TRY(mw_graph_undirected(device, &n->graph, &undirected));
    mw_graph_free(&n->graph);
    n->graph = undirected;
    n->building += mw_now() - start;
out:
    return rc;
}

/* A binary file of which nothing is to be removed is mapped as it stands. */
int network_open(struct network *n, struct mw_device *device)
{
    const struct settings *set = n->set;
    const double start = mw_now();
    int rc;

    if (n->path && is_binary(n) && set->self == EDGES_KEEP && set->multi == EDGES_KEEP) {
        TRY(mw_graph_map(n->path, &n->graph));
        n->reading = mw_now() - start;
    } else {
        TRY(make_graph(n, device));
    }
    if (set->directed && !n->graph.directed)
        return mw_fail(MW_EINVAL, "--directed: %s says that its graph is undirected: leave it out",
                       strcmp(n->path, "-") ? n->path : "standard input");
    if (set->undirected && n->graph.directed)
        TRY(make_undirected(n, device));
out:
    return rc;
}

void network_free(struct network *n)
{
    mw_graph_free(&n->graph);
    free(n->values);
}

/* ---- writing ---- */

int network_writable(const char *path, const char *format, const char *option)
{
    int rc;

    TRY(network_format(option, format));
    if (strcmp(path, "-") != 0) {
        TRY(mw_graph_write_check(path, &(struct mw_graph_file_options){ .format = format }));
        return output_writable(path);
    }
    if (!format)
        return mw_fail(MW_EINVAL, "standard output has no suffix that tells a format: give --%s", option);
    if (!strcmp(format, "binary") && isatty(STDOUT_FILENO))
        return mw_fail(MW_EINVAL, "standard output is a terminal: send a binary graph to a file or a program");
    output_results_to_stderr();
out:
    return rc;
}

int network_write(const struct mw_graph *graph, const char *path, const char *format)
{
    const struct mw_graph_file_options options = { .format = format };

    return mw_graph_write(graph, path, &options);
}

/* meshwork: chooses the subcommand, and turns what went wrong into a line and an exit code. */
#include "command.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define GENERAL { "General", general_options }, { NULL, NULL }
#define DEVICE  { "Device", device_options }, { "Device", kernel_options }

static const struct option_group devices_groups[] = { { "Device", device_options }, GENERAL };
static const struct option_group models_groups[] = { { "Models", kernel_options }, GENERAL };
static const struct option_group run_groups[] = {
    { "Simulation", run_options }, { "Simulation", mesh_options }, DEVICE, GENERAL };
static const struct option_group doctor_groups[] = { { "Device", doctor_options }, DEVICE, GENERAL };
static const struct option_group tune_groups[] = {
    { "Tuning", tune_options }, { "Tuning", mesh_options }, DEVICE, GENERAL };
static const struct option_group cache_groups[] = { { "Kernels of warm", mesh_options }, DEVICE, GENERAL };
static const struct option_group transform_groups[] = { { "Transform", transform_options }, DEVICE, GENERAL };
static const struct option_group label_groups[] = { { "Label", label_options }, DEVICE, GENERAL };
static const struct option_group generate_groups[] = { { "Graph", graph_generate_options }, DEVICE, GENERAL };
static const struct option_group info_groups[] = {
    { "Graph", graph_info_options }, { "Graph", graph_source_options }, { "Graph", graph_input_options }, DEVICE,
    GENERAL };
static const struct option_group convert_groups[] = {
    { "Graph", graph_convert_options }, { "Graph", graph_input_options }, DEVICE, GENERAL };
static const struct option_group components_groups[] = {
    { "Components", graph_components_options }, { "Graph", graph_source_options }, { "Graph", graph_input_options },
    DEVICE, GENERAL };
static const struct option_group whole_groups[] = { GENERAL };
static const struct option_group top_groups[] = { DEVICE, GENERAL };

static int no_part_run(struct command *command);

#define GRAPH_FILES "Graphs are files of edges (.el, .txt, .edges), Matrix Market (.mtx), METIS (.graph, .metis) or " \
    "GraphML (.graphml, .xml), each also compressed (.gz), or of the binary format (.mwg); - is standard input"

static const struct subcommand graph_parts[] = {
    { "graph generate", "KIND", "make a graph of one of several models",
      "Makes a graph of a kind that `meshwork graph generate list` shows with its parameters, says what it is like, "
      "and with -o writes it. A graph depends on its parameters and the seed alone.", generate_groups, 0, 1,
      graph_generate_run, NULL },
    { "graph info", "[FILE]", "say how large a graph is, and what degrees it has",
      "Counts the vertices and edges of a graph, loops (edges from a vertex to itself), edges beyond the first between "
      "two vertices, and vertices without edges, and gives the range of degrees. " GRAPH_FILES ".", info_groups, 0, 1,
      graph_info_run, NULL },
    { "graph convert", "A B", "write a graph in another format",
      "Reads the graph A and writes it as B, with the names of its vertices. " GRAPH_FILES ", and as "
      "B standard output.", convert_groups, 2, 2, graph_convert_run, NULL },
    { "graph components", "[FILE]", "find the connected components of a graph",
      "Finds the connected components of a graph (of a directed one as if each arc led both ways) and says how many "
      "there are and how large. A component's label is its smallest vertex. " GRAPH_FILES ".", components_groups, 0, 1,
      graph_components_run, NULL },
    { 0 }
};

static const struct subcommand subcommands[] = {
    { "devices", "", "list the devices",
      "Lists the devices of this machine, each id exactly as -d takes it. With -d, marks the device which that "
      "selector chooses; with -v, says more of each.", devices_groups, 0, 0, devices_run, NULL },
    { "doctor", "", "check the installation, and say what to do",
      "Checks drivers, kernels, caches and limits, and that every device (or the one that -d chooses) computes a small "
      "simulation to the same bits. A line that warns or fails ends with a remedy. Exits with 1 if a check failed.",
      doctor_groups, 0, 0, doctor_run, NULL },
    { "models", "[MODEL...]", "list the models, or show their parameters",
      "Lists the models that `meshwork run` knows; of those named, shows equation, parameters and fields.",
      models_groups, 0, SIZE_MAX, models_run, NULL },
    { "run", "MODEL", "evolve a field",
      "Evolves a model, a name that `meshwork models` lists or the path of a model file, from a noisy start (or "
      "--input), and prints a summary.", run_groups, 1, 1, run_run, NULL },
    { "transform", "OP... IN", "rearrange an array or a picture",
      "Rearranges the cells of an array (.npy) or a picture (.png) by operations that take effect one after the other "
      "and are computed as one. Dimensions count from 0, which is x, the contiguous one.\n\n"
      "flip=DIM,...\nshift=BY,... (one amount a dimension, x first)\n"
      "crinkle=DIM:STEP,... (every STEP-th cell, then their neighbours) and uncrinkle\n"
      "permute=DIM,... (all of them, in their new order)\npad=DIM:BEFORE:AFTER,...\ncrop=DIM:FIRST:COUNT,...\n"
      "split=DIM:RADIX,... (into two dimensions)\nmerge=DIM,... (with the next one)\n"
      "tile=LENGTH,... (one a dimension: cells of a tile stand together)\n"
      "reverse=DIM,... (the digits of its index)\nmorton (interleaves the bits of all dimensions)",
      transform_groups, 0, SIZE_MAX, transform_run, NULL },
    { "label", "[FILE]", "label connected components",
      "Gives each connected component of an image or a volume a number: 1, 2, ... in the order of their first cells, "
      "and 0 to background. FILE is .npy, .png, .pgm, or anything else as raw elements, with --size and --type; - is "
      ".npy (with --type raw elements) on standard input. Integers, pictures and booleans: cells of equal value "
      "connect, and 0 (of colours black) is background. Reals: cells above the threshold connect.",
      label_groups, 0, 1, label_run, NULL },
    { "graph", "SUBCOMMAND", "make, measure, convert and label networks",
      "Works on graphs, from files or of generators.", whole_groups, 0, SIZE_MAX, no_part_run, graph_parts },
    { "tune", "[MODEL...]", "measure what is fastest on a device, and remember it",
      "Measures the variants and shapes of the models (default: all of them) on the device, and remembers the fastest "
      "for later runs of that size and precision.", tune_groups, 0, SIZE_MAX, tune_run, NULL },
    { "cache", "list|clear|warm", "list, clear or fill the cache of built kernels",
      "list: how many built kernels are kept, and where. clear: removes them. warm: builds the kernels of all models "
      "for the device, so that a later run starts at once.", cache_groups, 1, 1, cache_run, NULL },
    { 0 }
};

static const struct subcommand top = {
    "", "SUBCOMMAND", "", "Runs data-parallel simulations on any OpenCL device and on plain CPU threads: one kernel "
    "source, one command line, the same bits everywhere.", top_groups, 0, SIZE_MAX, no_part_run, subcommands };

/* Neither `meshwork` nor a subcommand that has others below it does anything by itself. */
static int no_part_run(struct command *command)
{
    const char *name = command->subcommand->name, *space = *name ? " " : "";

    if (command->operands.count)
        return mw_fail(MW_EINVAL, "options stand behind the subcommand: meshwork%s%s %s [options]", space, name,
                       command->operands.item[0]);
    return mw_fail(MW_EINVAL, "no subcommand%s%s: `meshwork%s%s --help` lists them", *name ? " of " : "", name, space,
                   name);
}

static const char top_examples[] =
    "meshwork devices\n"
    "meshwork run cahn-hilliard --size 1024x1024 --steps 2000 --png field.png\n"
    "meshwork run cahn-hilliard -d native --every 100 --png 'frame-%06d.png'\n"
    "meshwork transform flip=1 crinkle=0:8 in.png -o out.png\n"
    "meshwork label in.png -o labels.npy --png coloured.png --sizes\n"
    "meshwork graph components network.txt --sizes\n";

/* The one place where a status becomes an exit code. */
static const struct { int status, code; } exit_codes[] = {
    { MW_OK, 0 },
    { MW_ENOMEM, 1 }, { MW_EIO, 1 }, { MW_EDEVICE, 1 }, { MW_ELIMIT, 1 }, { MW_EDATA, 1 },
    { MW_EINVAL, 2 }, { MW_ENOTSUP, 2 },
    { MW_ENODEV, 3 }, { MW_EBUILD, 4 }, { MW_ESTOPPED, 5 }, { MW_EVERIFY, 6 },
};
static const char exit_help[] = "0 done, 1 failed while running, 2 wrong usage, 3 no such device, 4 a kernel did not "
    "build, 5 stopped early by a signal or time limit, 6 a verification failed";

static int exit_code(int status)
{
    for (size_t i = 0; i < MW_COUNT(exit_codes); i++)
        if (exit_codes[i].status == status)
            return exit_codes[i].code;
    return 1;
}

/* What a subcommand is called behind the one that it belongs to. */
static const char *last_word(const struct subcommand *sub)
{
    const char *space = strrchr(sub->name, ' ');

    return space ? space + 1 : sub->name;
}

static void list_parts(const struct subcommand *sub, struct mw_text *text)
{
    size_t width = 0;

    for (const struct subcommand *p = sub->parts; p->name; p++)
        width = strlen(last_word(p)) > width ? strlen(last_word(p)) : width;
    mw_text_add(text, "\n%sSubcommands%s (each with its own --help):\n", colour_on(stdout, BOLD),
                colour_off(stdout, BOLD));
    for (const struct subcommand *p = sub->parts; p->name; p++)
        mw_text_add(text, "  %-*s %s\n", (int)width, last_word(p), p->summary);
}

static int print_help(const struct command *command)
{
    const char *on = colour_on(stdout, BOLD), *off = colour_off(stdout, BOLD), *line = top_examples;
    const struct subcommand *sub = command->subcommand;
    struct mw_text text = { 0 }, *t = &text;
    int rc;

    options_usage(sub, t);
    if (sub->parts)
        list_parts(sub, t);
    if (sub == &top) {
        mw_text_add(t, "\n%sExamples:%s\n", on, off);
        for (; *line; line += strcspn(line, "\n") + 1)
            mw_text_add(t, "  %.*s\n", (int)strcspn(line, "\n"), line);
    }
    options_help(sub, t);
    if (sub == &top) {
        mw_text_add(t, "\n%sExit codes:%s\n  ", on, off);
        text_wrap(t, 2, 2, help_width(), exit_help);
    }
    TRY(mw_text_ok(t));
    fputs(text.data, stdout);
out:
    mw_text_free(&text);
    return rc;
}

static int find_part(const struct subcommand *whole, const char *word, const struct subcommand **found)
{
    const char *name = whole->name, *space = *name ? " " : "";
    struct nearest nearest = { .word = word };
    char where[80];

    for (const struct subcommand *p = whole->parts; p->name; p++) {
        if (!strcmp(word, last_word(p))) {
            *found = p;
            return 0;
        }
        nearest_offer(&nearest, last_word(p));
    }
    snprintf(where, sizeof(where), "`meshwork%s%s --help` lists them", space, name);
    return mw_fail(MW_EINVAL, "unknown subcommand '%s%s%s': %s", name, space, word,
                   nearest_advice(&nearest, where).text);
}

static int dispatch(struct command *command, int argc, char **argv)
{
    const struct settings *set = &command->settings;
    int at = argc > 0, rc;

    command->subcommand = &top;
    for (; command->subcommand->parts && at < argc && argv[at][0] != '-'; at++)
        TRY(find_part(command->subcommand, argv[at], &command->subcommand));
    TRY(options_parse(command, argc - at, argv + at));
    output_set(set->quiet, set->verbose);
    if (set->help)
        TRY(print_help(command));
    else if (set->version)
        printf("meshwork %s\n", mw_version());
    else if (set->print_config)
        TRY(config_print(command));
    else
        TRY(command->subcommand->run(command));
out:
    return rc;
}

/* With standard output or error closed, the next file opened would take its place and our words would end up in it.
 * A descriptor that cannot be written to keeps the place, and the loss is reported. */
static void keep_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            _exit(1);
}

static void report_failure(int status)
{
    char line[1400];
    const char *log = status == MW_EBUILD ? mw_build_log() : "";

    snprintf(line, sizeof(line), "%s%s", mw_errmsg(),
             *log && !output_verbose() ? " (-v shows the compiler's whole log)" : "");
    say_error(line);
    if (*log && output_verbose())
        fprintf(stderr, "%s%s", log, log[strlen(log) - 1] == '\n' ? "" : "\n");
}

int main(int argc, char **argv)
{
    struct command command = { 0 };
    int rc, lost;

    keep_descriptors();
    output_start();
    if (getauxval(AT_SECURE)) {
        say_error("meshwork does not run with the rights of another user: remove its setuid bit or capabilities");
        return 1;
    }
    mw_process_prepare(MW_PROCESS_ENVIRONMENT | MW_PROCESS_QUIET);
    signals_start();
    rc = dispatch(&command, argc, argv);
    if (rc)
        report_failure(rc);
    if ((lost = output_end()) != 0 && !rc) {
        rc = lost;
        report_failure(rc);
    }
    options_free(&command);
    return exit_code(rc);
}

/* The meshwork command: chooses the subcommand; turns a failure into a message and an exit code. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifdef HAVE_HDF5
#include <hdf5.h>
#endif

#include <meshwork/program.h>

#include "base/words.h"
#include "tools/advise/advise.h"
#include "tools/cli/groups.h"
#include "tools/cli/names.h"
#include "tools/cli/signals.h"
#include "tools/cli/subcommands.h"
#include "tools/result/envelope.h"
#include "tools/report/files.h"
#include "tools/report/report.h"

static int no_part_run(struct command *command);

#define ENTRY(name) &name##_subcommand,
static const struct subcommand *const graph_parts[] = { GRAPH_SUBCOMMANDS(ENTRY) NULL };
static const struct option_group no_groups[] = { { 0 } };
/* clang-format off */
const struct subcommand graph_subcommand = {
    "graph", "SUBCOMMAND", "make, measure and convert networks",
    "Works on graphs read from files or made by generators.", no_groups, 0, 0, SIZE_MAX, no_part_run, graph_parts };
/* clang-format on */

static const struct subcommand *const subcommands[] = { SUBCOMMANDS(ENTRY) NULL };
struct top_settings {
    struct device_settings device;
};
static const struct option_group top_groups[] = { DEVICE_GROUPS(struct top_settings, device), { 0 } };
/* clang-format off */
static const struct subcommand top = {
    "", "SUBCOMMAND", "", "Runs simulations on meshes and analyses networks, on GPUs and CPUs by OpenCL or CUDA, and "
    "on plain CPU threads. Results have the same bits on every device.", top_groups, sizeof(struct top_settings), 0,
    SIZE_MAX, no_part_run, subcommands };
/* clang-format on */

/* Fails: `meshwork`, or a subcommand with parts, was called without a subcommand. */
static int no_part_run(struct command *command)
{
    const char *name = command->subcommand->name, *space = *name ? " " : "";
    if (command->operands.count)
        return mw_fail(MW_EINVAL, "put options after the subcommand: meshwork%s%s %s [options]", space, name,
                       command->operands.item[0]);
    return mw_fail(MW_EINVAL, "missing subcommand%s%s: `meshwork%s%s --help` lists them", *name ? " of " : "", name,
                   space, name);
}

/* Maps each status to its exit code and its name in JSON. */
static const struct {
    int status, code;
    const char *name;
} exit_codes[] = {
    { MW_OK, 0, "MW_OK" },           { MW_ENOMEM, 1, "MW_ENOMEM" },     { MW_EIO, 1, "MW_EIO" },
    { MW_EDEVICE, 1, "MW_EDEVICE" }, { MW_ELIMIT, 1, "MW_ELIMIT" },     { MW_EDATA, 1, "MW_EDATA" },
    { MW_EINVAL, 2, "MW_EINVAL" },   { MW_ENOTSUP, 2, "MW_ENOTSUP" },   { MW_ENODEV, 3, "MW_ENODEV" },
    { MW_EBUILD, 4, "MW_EBUILD" },   { MW_ESTOPPED, 5, "MW_ESTOPPED" }, { MW_EVERIFY, 6, "MW_EVERIFY" },
};
static const char exit_help[] = "0 success, 1 failure while running, 2 wrong usage, 3 device not found, 4 kernel build "
                                "failed; 5 stopped early by a signal or time limit, 6 verification failed";

/* A status without a row counts as a failure while running. */
static size_t exit_row(int status)
{
    size_t i = MW_COUNT(exit_codes) - 1;
    while (i > 0 && exit_codes[i].status != status)
        i--;
    return i > 0 || status == MW_OK ? i : 1;
}

static int exit_code(int status) { return exit_codes[exit_row(status)].code; }

/* Subcommands that a signal stops cleanly, with partial results. */
static const struct subcommand *const stopping[] = { &run_subcommand,     &walk_subcommand,   &sweep_subcommand,
                                                     &compare_subcommand, &advise_subcommand, &bench_subcommand };

static bool stops(const struct subcommand *sub)
{
    bool found = false;
    for (size_t i = 0; i < MW_COUNT(stopping); i++)
        found = found || stopping[i] == sub;
    return found;
}

/* Returns the last word of a subcommand's name. */
static const char *last_word(const struct subcommand *sub)
{
    const char *space = strrchr(sub->name, ' ');
    return space ? space + 1 : sub->name;
}

static void list_parts(const struct subcommand *sub, struct mw_text *text)
{
    size_t width = 0;
    for (const struct subcommand *const *p = sub->parts; *p; p++)
        if ((*p)->summary)
            width = strlen(last_word(*p)) > width ? strlen(last_word(*p)) : width;
    mw_text_add(text, "\n%sSubcommands%s (details: `meshwork help %s%sSUBCOMMAND`):\n", colour_on(stdout, BOLD),
                colour_off(stdout, BOLD), sub->name, *sub->name ? " " : "");
    for (const struct subcommand *const *p = sub->parts; *p; p++)
        if ((*p)->summary)
            mw_text_add(text, "  %-*s %s\n", (int)width, last_word(*p), (*p)->summary);
}

static int print_help(const struct command *command)
{
    const char *on = colour_on(stdout, BOLD), *off = colour_off(stdout, BOLD);
    const struct subcommand *sub = command->subcommand;
    struct mw_text text = { 0 }, *t = &text;
    int rc;
    help_usage(sub, t);
    if (sub->parts)
        list_parts(sub, t);
    help_options(sub, t);
    if (sub == &top) {
        mw_text_add(t, "\n%sExit codes:%s\n  ", on, off);
        text_wrap(t, 2, 2, help_width(), exit_help);
    }
    help_end(sub, t);
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
    for (const struct subcommand *const *p = whole->parts; *p; p++) {
        if (!strcmp(word, last_word(*p))) {
            *found = *p;
            return 0;
        }
        if ((*p)->summary)
            nearest_offer(&nearest, last_word(*p));
    }
    nearest_offer(&nearest, "help");
    snprintf(where, sizeof(where), "`meshwork%s%s --help` lists them", space, name);
    return mw_fail(MW_EINVAL, "unknown subcommand '%s%s%s': %s", name, space, word,
                   nearest_advice(&nearest, where).text);
}

int subcommand_find(const char *const *words, size_t count, const struct subcommand **found, size_t *named)
{
    size_t at = 0;
    for (*found = &top; (*found)->parts && at < count && words[at][0] != '-'; at++)
        TRY_RETURN(find_part(*found, words[at], found));
    *named = at;
    return 0;
}

bool subcommand_is_one(const struct subcommand *subcommand, const char *words, const char *of_graph)
{
    const char *name = subcommand->name; /* empty for the command itself */
    return strncmp(name, "graph ", 6) ? *name && mw_word_in(words, name) : mw_word_in(of_graph, name + 6);
}

/* The words of a command line without the words of the subcommand's name.  Options of all subcommands may precede its
 * name; `help` before or after it means --help. */
struct line {
    const char **word;
    size_t count;
    const struct subcommand *subcommand;
};

static int arrange(int argc, char **argv, struct line *line)
{
    const char *const *words = (const char *const *)argv;
    const size_t count = (size_t)argc;
    bool help = false;
    size_t at = 0;
    TRY_RETURN(mw_new(count + 1, sizeof(*line->word), &line->word));
    for (line->subcommand = &top; line->subcommand->parts && at < count;) {
        const size_t before = options_before(&top, count - at, words + at);
        if (!before && words[at][0] == '-')
            break;
        for (size_t end = at + before; at < end; at++)
            line->word[line->count++] = words[at];
        if (before)
            continue;
        if (!strcmp(words[at], "help"))
            help = true;
        else
            TRY_RETURN(find_part(line->subcommand, words[at], &line->subcommand));
        at++;
    }
    if (help)
        line->word[line->count++] = "--help";
    for (; at < count; at++)
        line->word[line->count++] = words[at];
    return 0;
}

/* Runs the subcommand.  MESHWORK_DEVICE is easily forgotten, so a device that it names and that is missing gives an
 * error that mentions it. */
static int run_chosen(struct command *command)
{
    const int rc = command->subcommand->run(command);
    const bool by_variable = option_is_set(command, "device") && !option_is_given(command, "device");
    return rc == MW_ENODEV && by_variable ? mw_fail_in(rc, "environment variable MESHWORK_DEVICE") : rc;
}

/* Parses and runs a command line.  The caller frees `line`. */
static int dispatch(struct command *command, int argc, char **argv, struct line *line)
{
    const struct general *set = &command->general;
    TRY_RETURN(arrange(argc, argv, line));
    command->subcommand = line->subcommand;
    TRY_RETURN(options_parse(command, (int)line->count, (char **)line->word));
    output_set(set->quiet, set->verbose);
    report_as_json(set->json);
    if (stops(command->subcommand))
        signals_before_loop();
    if (!set->help && !set->version)
        TRY_RETURN(advice_follow(command));
    if (set->help)
        TRY_RETURN(print_help(command));
    else if (set->version)
        printf("meshwork %s\n", mw_version());
    else if (set->print_config)
        TRY_RETURN(config_print(command));
    else
        TRY_RETURN(run_chosen(command));
    return 0;
}

/* Opens /dev/null for closed standard streams.  Otherwise the next opened file would take the place of standard output,
 * and messages would end up in it.  /dev/null is opened for reading, so that lost output is still reported. */
static void keep_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            _exit(1);
}

static const char *build_log(int status) { return status == MW_EBUILD ? mw_build_log() : ""; }

static void report_failure(int status)
{
    char line[1400];
    const char *log = build_log(status), *reason = mw_errmsg();
    snprintf(line, sizeof(line), "%s%s%s%s",
             status == MW_ENOMEM && !strstr(reason, "out of memory") ? "out of memory: " : "", reason,
             status == MW_ENODEV ? "; `meshwork doctor` lists what is missing" : "",
             *log && !output_verbose() ? " (-v shows the full compiler log)" : "");
    print_error(line);
    if (*log && output_verbose()) {
        put_printable(log, stderr);
        fputs(log[strlen(log) - 1] == '\n' ? "" : "\n", stderr);
    }
}

/* With --json a command prints one document, also when it fails.  Returns the status, or the status of printing. */
static int print_document(const struct command *command, int argc, char **argv, const struct line *line, int status)
{
    const struct failure failure = { exit_codes[exit_row(status)].name, mw_errmsg(), build_log(status),
                                     exit_code(status) };
    int rc;
    if (!command->general.json && !(status && envelope_is_asked(argc, argv)))
        return status;
    if (command->subcommand)
        rc = envelope_print(command, line->count, line->word, status ? &failure : NULL);
    else
        rc = envelope_print(command, (size_t)argc, (const char *const *)argv, status ? &failure : NULL);
    return status ? status : rc;
}

int command_run(int argc, char **argv)
{
    struct command command = { 0 };
    struct line line = { 0 };
    int rc;
    files_forget();
    rc = print_document(&command, argc, argv, &line, dispatch(&command, argc, argv, &line));
    options_free(&command);
    free(line.word);
    return exit_code(rc);
}

int main(int argc, char **argv)
{
    struct command command = { 0 };
    struct line line = { 0 };
    int rc, lost;
    keep_descriptors();
#ifdef HAVE_HDF5
    (void)H5dont_atexit(); /* all files are closed; after failed writes, the library's end prints lines or crashes */
#endif
    output_start();
    if (getauxval(AT_SECURE)) {
        print_error("meshwork does not run with the rights of another user: remove its setuid bit or its capabilities");
        return 1;
    }
    mw_process_prepare(MW_PROCESS_ENVIRONMENT | MW_PROCESS_QUIET | MW_PROCESS_TRIAL);
    signals_start();
    argv += argc > 0;
    argc -= argc > 0;
    rc = dispatch(&command, argc, argv, &line);
    if (rc)
        report_failure(rc);
    lost = print_document(&command, argc, argv, &line, rc);
    if (lost && !rc) {
        rc = lost;
        report_failure(rc);
    }
    if ((lost = output_end()) != 0 && !rc) {
        rc = lost;
        report_failure(rc);
    }
    options_free(&command);
    free(line.word);
    return exit_code(rc);
}
/* SPDX-License-Identifier: MIT */

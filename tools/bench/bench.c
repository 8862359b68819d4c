/* meshwork bench: repeats the papers' figures within a time budget. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/bench/bench.h"
#include "tools/cli/names.h"
#include "tools/cli/signals.h"
#include "tools/cli/subcommands.h"
#include "tools/report/files.h"
#include "tools/report/progress.h"

#include <meshwork/device.h>

#define AT(member) offsetof(struct bench_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE.json",
      .help = "write results to FILE.json after each size; an existing file is continued" },
    { .name = "budget", .type = OPTION_SECONDS, .target = AT(budget), .value = "TIME", .least = 1, .fallback = "5m",
      .help = "time for all figures together; decides the sizes, not the rounds; sizes that do not fit are listed" },
    { .name = "full", .type = OPTION_FLAG, .target = AT(full),
      .help = "also run the papers' sizes; without --budget all of them, whatever the time" },
    { .name = "compare", .type = OPTION_TEXT, .target = AT(with), .value = "FILE.json",
      .help = "report what became faster or slower since these results" },
    { .name = "devices", .type = OPTION_TEXT, .target = AT(compare.series.devices), .value = "LIST",
      .once = true,
      .help = "devices that run the papers' kernels, separated by commas, as in compare (default: a GPU, otherwise an "
              "OpenCL device, otherwise native:pthreads)" },
    { .name = "rounds", .type = OPTION_COUNT, .target = AT(compare.rounds), .value = "N", .fallback = "5", .least = 1,
      .most = ROUNDS_MAX, .help = "timed rounds per row" },
    { .name = "limit", .type = OPTION_SECONDS, .target = AT(compare.limit), .value = "TIME", .least = 1,
      .help = "time limit of a run, four times as long while drivers may compile; slower rows have no time and are not "
              "tried at larger sizes (default: 5 s; without a budget 10 min)" },
    { 0 }
};
/* clang-format on */

#ifdef HAVE_JANSSON
#define STRETCH 0.01 /* minimum seconds per round */
#define LIMIT 5.0    /* seconds per run */
#define LIMIT_FULL 600.0

/* ---- all figures ---- */

/* Returns whether to run a figure: one of these names, or with a marked case. */
static bool is_wanted(const struct bench *b, const struct figure *figure, const struct words *names)
{
    const size_t sizes = figure_sizes(figure);
    for (size_t i = 0; b->again && i < sizes; i++)
        if (document_is_marked(b->document, figure, figure->sizes[i].x))
            return true;
    return !b->again && figure_is_wanted(figure, names);
}

static int run_figures(struct bench *b, const struct words *names)
{
    const struct figure *f;
    int rc = 0;
    for (size_t i = 0; (f = figure_at(i)) != NULL; i++)
        b->figures += is_wanted(b, f, names);
    if (b->figures && b->unlimited && !b->again)
        print_note("%s with all sizes of the papers: may take hours", COUNTED(b->figures, "figure"));
    else if (b->figures && !b->again)
        print_note("%s, about %s", COUNTED(b->figures, "figure"), seconds_text(b->set->budget).text);
    progress_start("bench", 0, NULL);
    for (size_t i = 0; (f = figure_at(i)) != NULL && !b->stopped; i++)
        if (is_wanted(b, f, names)) {
            TRY(bench_figure(b, f, b->figures - b->number));
            b->number++;
        }
    if (b->stopped)
        rc = mw_fail(MW_ESTOPPED, "stopped%s%s", b->set->output ? ": the same command continues " : "",
                     b->set->output ? b->set->output : "");
    else if (b->verdict)
        rc = mw_fail(MW_EVERIFY, "verification failed: results differ in some rows: see the table");
out:
    progress_end();
    return rc;
}

/* Measures cases again that differ from the earlier results, in new processes: some tasks have another speed in each
 * process, which the rounds of one do not show. */
static int repeat_changes(struct bench *b, const struct words *names)
{
    size_t count;
    TRY_RETURN(document_mark_changes(b->document, b->set->with, &count));
    if (!count)
        return 0;
    print_note("%s changed since %s: measuring again", COUNTED(count, "row"), b->set->with);
    workers_end(&b->workers);
    b->workers.keep = true;
    b->again = true;
    b->number = b->figures = 0;
    return run_figures(b, names);
}

/* ---- devices ---- */

/* Finds the GPUs, and the devices for the papers' kernels if --devices is not given. */
static int find_devices(struct bench *b)
{
    struct mw_device_list *list = NULL;
    struct mw_text gpus = { 0 };
    const char *opencl = NULL, *gpu = NULL, *chosen = b->set->compare.series.devices;
    int rc;
    TRY(mw_device_list_new(&list));
    for (size_t i = 0; i < mw_device_list_count(list); i++) {
        const struct mw_device_info *info = mw_device_list_info(list, i);
        if (info->kind == MW_DEVICE_GPU) {
            gpu = gpu ? gpu : info->id;
            mw_text_add(&gpus, "%s%s", b->gpus++ ? "+" : "", info->id);
        } else if (info->kind == MW_DEVICE_NATIVE) {
            b->has_tbb |= !strcmp(info->id, "native:tbb");
        } else {
            opencl = opencl ? opencl : info->id;
        }
    }
    TRY(mw_text_ok(&gpus));
    if (b->gpus > 1)
        TRY(mw_strdup(gpus.data, &b->all_gpus));
    TRY(mw_strdup(chosen ? chosen : gpu ? gpu : opencl ? opencl : "native:pthreads", &b->devices));
out:
    mw_text_free(&gpus);
    mw_device_list_free(list);
    return rc;
}

/* ---- the subcommand ---- */

static int bench_report(const struct bench *b)
{
    struct node *o = NULL;
    int rc = 0;
    if (report_is_json())
        TRY(document_print(b->document));
    if (!b->set->with)
        goto out;
    o = report_object();
    TRY(document_changes(b->document, b->set->with, o));
out:
    return report_end(o, rc);
}

static int bench_run(struct command *command)
{
    const struct bench_settings *set = command->settings;
    struct bench b = { .set = set, .compare = set->compare, .end = mw_now() + set->budget };
    int rc, reported;
    if (command->operands.count == 1 && !strcmp(command->operands.item[0], "list"))
        return figures_list();
    TRY(figures_check_names(&command->operands));
    if (set->with && report_is_json())
        return mw_fail(MW_EINVAL, "--compare prints the changes as text: leave out --json");
    if (set->with)
        TRY(document_check(set->with));
    if (set->output)
        TRY(file_writable(set->output));
    b.unlimited = set->full && !option_is_given(command, "budget");
    b.compare.stretch = STRETCH;
    b.compare.limit = set->compare.limit > 0 ? set->compare.limit : b.unlimited ? LIMIT_FULL : LIMIT;
    b.workers.keep = true;
    setenv("MESHWORK_ALL_DEVICES", "1", true); /* lines of several GPUs measure all of them, even where one is faster */
    signals_stop_loop();
    TRY(find_devices(&b));
    TRY(document_open(set->output, b.devices, set->compare.rounds, &b.workers, &b.document));
    if (figures_want_stream(&command->operands))
        TRY(document_speeds(b.document, set->output, &b.workers));
    rc = run_figures(&b, &command->operands);
    if (!rc && set->with)
        rc = repeat_changes(&b, &command->operands);
    reported = bench_report(&b);
    rc = rc ? rc : reported;
out:
    if (b.file)
        unlink(b.file);
    free(b.file);
    free(b.devices);
    free(b.all_gpus);
    document_free(b.document);
    workers_end(&b.workers);
    return rc;
}

#else
#define bench_run run_without_json
#endif

static const struct option_group groups[] = { { "Bench", options, 0 }, { 0 } };

const struct subcommand bench_subcommand = {
    .name = "bench",
    .operands = "SUITE[/FIGURE]...",
    .summary = "repeat the papers' experiments on this machine",
    .description =
        "Repeats figures and tables of the papers on which meshwork builds: all, those of a suite, or single ones "
        "(`meshwork bench list` lists them). Each line of a figure runs as in the paper: programs for one core on "
        "native:serial, kernels on the devices. One more line is what meshwork chooses by itself today. `meshwork "
        "report` makes a page of the results.",
    .groups = groups,
    .settings_bytes = sizeof(struct bench_settings),
    .least_operands = 1,
    .most_operands = SIZE_MAX,
    .run = bench_run,
};
/* SPDX-License-Identifier: MIT */

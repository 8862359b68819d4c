/* meshwork compare: runs a task on several devices and variants. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "tools/compare/compare.h"

#include "tools/cli/signals.h"
#include "tools/cli/subcommands.h"
#include "tools/report/report.h"

#define AT(member) offsetof(struct compare_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "devices", .type = OPTION_TEXT, .target = AT(series.devices), .value = "LIST", .fallback = "all",
      .once = true,
      .help = "devices, separated by commas; + joins devices that share the work of one row, as in "
              "gpu,native,gpu+native; all: every device, native:serial first" },
    { .name = "variants", .type = OPTION_TEXT, .target = AT(series.variants), .value = "LIST", .fallback = "auto",
      .once = true,
      .help = "variants of the task, separated by commas; all: auto and every variant" },
    { .name = "rounds", .type = OPTION_COUNT, .target = AT(rounds), .value = "N", .fallback = "5", .least = 1,
      .most = ROUNDS_MAX, .help = "timed rounds per row, after one untimed run; rows alternate" },
    { .name = "limit", .type = OPTION_SECONDS, .target = AT(limit), .value = "TIME", .least = 1, .fallback = "5m",
      .help = "time limit of a run, four times as long while drivers may compile; a row that exceeds it has no time" },
    { .name = "agree", .type = OPTION_REAL, .target = AT(agree), .value = "X", .fallback = "0.001",
      .help = "relative tolerance for numbers with --fast-math, where bits differ" },
    { 0 }
};
/* clang-format on */

#ifdef HAVE_JANSSON
/* If no row succeeds, fails with the reason of the first. */
static int check_any(const struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].answer)
            return 0;
    if (c->stopped || !c->rows[0].reason)
        return mw_fail(MW_ESTOPPED, "stopped before the first comparison");
    return mw_fail(MW_EINVAL, "no row of the comparison succeeds; the first, on %s: %s", c->rows[0].devices,
                   c->rows[0].reason);
}

/* Sets the exit code if results differ or the comparison was stopped. */
static int verdict(const struct comparison *c)
{
    if (c->stopped)
        return mw_fail(MW_ESTOPPED, "stopped: some rows have fewer rounds than --rounds");
    for (size_t i = 0; i < c->count; i++)
        TRY_RETURN(row_verdict(&c->rows[i]));
    return 0;
}

static int compare_report(const struct comparison *c)
{
    struct node *o = report_object();
    put_count(o, "rounds", c->set->rounds);
    comparison_put(c, o);
    return report_print(o);
}

static int compare_run(struct command *command)
{
    struct workers workers = { 0 };
    struct speeds speeds = { 0 };
    const struct compare_settings *set = command->settings;
    struct comparison c = { .set = set,
                            .arguments = &command->operands,
                            .series = &set->series,
                            .series_count = 1,
                            .workers = &workers,
                            .speeds = &speeds };
    int rc;
    signals_stop_loop();
    TRY(comparison_plan(&c));
    TRY(comparison_run(&c));
    TRY(check_any(&c));
    TRY(compare_report(&c));
    TRY(verdict(&c));
out:
    comparison_free(&c);
    speeds_free(&speeds);
    workers_end(&workers);
    return rc;
}
#else
#define compare_run run_without_json
#endif

static const struct option_group groups[] = { { "Comparison", options, 0 }, { 0 } };

const struct subcommand compare_subcommand = {
    .name = "compare",
    .operands = "TASK [ARGUMENTS]",
    .summary = "run the same task on several devices and variants",
    .description =
        "Runs a task on each device with each variant, alternating between them, and compares times and results. A "
        "task is another subcommand with its arguments. Seconds are the time of the task alone; seconds with all "
        "include loading kernels, memory, transfers and files. Each device has a process of its own, so a crash of "
        "a driver ends one row. Arguments that are not options of compare belong to the task: meshwork compare run "
        "cahn-hilliard --size 1024x1024 --steps 200 --devices all.",
    .groups = groups,
    .settings_bytes = sizeof(struct compare_settings),
    .least_operands = 1,
    .most_operands = ANOTHERS_WORDS,
    .run = compare_run,
};
/* SPDX-License-Identifier: MIT */

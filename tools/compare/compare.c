/* meshwork compare: the same task on several devices, by several variants. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "tools/compare/compare.h"

#include "tools/cli/signals.h"
#include "tools/cli/subcommands.h"
#include "tools/report/report.h"

#define AT(member) offsetof(struct compare_settings, member)

static const struct option options[] = {
    { .name = "devices", .type = OPTION_TEXT, .target = AT(devices), .value = "LIST", .fallback = "all",
      .once = true,
      .help = "devices as -d takes each, with commas; + between those that share the work in one row, as in "
              "gpu,native,gpu+native; all: every device, native:serial first" },
    { .name = "variants", .type = OPTION_TEXT, .target = AT(variants), .value = "LIST", .fallback = "auto",
      .once = true,
      .help = "variants of the task, with commas; all: auto and every one that it has" },
    { .name = "rounds", .type = OPTION_COUNT, .target = AT(rounds), .value = "N", .fallback = "5", .least = 1,
      .most = ROUNDS_MAX, .help = "time each row N times, by turns, behind a run that is not timed" },
    { .name = "limit", .type = OPTION_SECONDS, .target = AT(limit), .value = "TIME", .least = 1, .fallback = "5m",
      .help = "end a run that takes longer, or four times as long where drivers may compile; its row then has no "
              "time" },
    { .name = "agree", .type = OPTION_REAL, .target = AT(agree), .value = "X", .fallback = "0.001",
      .help = "with --fast-math, for which bits differ: numbers agree that differ by this part of the larger" },
    { 0 }
};

#ifdef HAVE_JANSSON
/* Where none succeeds, the first one's reason is the comparison's. */
static int check_any(const struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].answer)
            return 0;
    if (c->stopped || !c->rows[0].reason)
        return mw_fail(MW_ESTOPPED, "stopped before anything was compared");
    return mw_fail(MW_EINVAL, "no row of the comparison succeeds; the first, on %s: %s", c->rows[0].devices,
                   c->rows[0].reason);
}

/* The exit code says when results differ. */
static int verdict(const struct comparison *c)
{
    if (c->stopped)
        return mw_fail(MW_ESTOPPED, "stopped: rows have fewer rounds than asked for");
    for (size_t i = 0; i < c->count; i++)
        TRY_RETURN(row_verdict(&c->rows[i]));
    return 0;
}

static int report(const struct comparison *c)
{
    struct node *o = report_object();

    put_count(o, "rounds", c->set->rounds);
    comparison_put(c, o);
    return report_print(o);
}

static int run(struct command *command)
{
    struct workers workers = { 0 };
    struct speeds speeds = { 0 };
    struct comparison c = { .set = command->settings, .arguments = &command->operands, .workers = &workers,
                            .speeds = &speeds };
    int rc;

    signals_stop_loop();
    TRY(comparison_plan(&c));
    TRY(comparison_run(&c));
    TRY(check_any(&c));
    TRY(report(&c));
    TRY(verdict(&c));
out:
    comparison_free(&c);
    speeds_free(&speeds);
    workers_end(&workers);
    return rc;
}
#else
#define run run_without_json
#endif

static const struct option_group groups[] = { { "Comparison", options, 0 }, { 0 } };

const struct subcommand compare_subcommand = {
    "compare", "TASK [ARGUMENTS]", "run the same task on several devices and by several variants",
    "Runs a task, which is another subcommand with its arguments, on each of the devices by each of the variants, and "
    "shows how long each takes and whether all find the same. Seconds are the device's for the task alone; those with "
    "all are those of the whole task: kernels from the cache, memory, transfers, files. Each device's runs are done by "
    "a process of its own, so that a driver that crashes ends one row. Arguments that are no options of compare are "
    "the task's: meshwork compare run cahn-hilliard --size 1024x1024 --steps 200 --devices all.",
    groups, sizeof(struct compare_settings), 1, ANOTHERS_WORDS, run, NULL };
/* SPDX-License-Identifier: MIT */

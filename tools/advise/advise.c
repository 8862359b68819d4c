/* meshwork advise: measures the fastest device for a task at several sizes. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "tools/advise/advise.h"

#include <math.h>

#include "tools/cli/signals.h"
#include "tools/cli/subcommands.h"
#include "tools/compare/compare.h"
#include "tools/report/report.h"

struct advise_settings {
    struct compare_settings compare;
    double budget;
};

#define AT(member) offsetof(struct advise_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "devices", .type = OPTION_TEXT, .target = AT(compare.series.devices), .value = "LIST", .fallback = "all",
      .once = true,
      .help = "devices, separated by commas, as in compare" },
    { .name = "budget", .type = OPTION_SECONDS, .target = AT(budget), .value = "TIME", .least = 1, .fallback = "1m",
      .help = "time limit: start no size that is expected to exceed it" },
    { .name = "rounds", .type = OPTION_COUNT, .target = AT(compare.rounds), .value = "N", .fallback = "3", .least = 1,
      .most = ROUNDS_MAX, .help = "timed rounds per device and size; devices alternate" },
    { .name = "limit", .type = OPTION_SECONDS, .target = AT(compare.limit), .value = "TIME", .least = 1,
      .fallback = "5s",
      .help = "time limit of a run, four times as long while drivers may compile; slower rows are not tried at larger "
              "sizes" },
    { 0 }
};
/* clang-format on */

static int advise_clear(void)
{
    TRY_RETURN(knowledge_clear());
    print_note("removed all measurements");
    return 0;
}

static int list(void)
{
    struct node *table = report_table("task|>size|device|>without steps|>per step");
    struct knowledge *knowledge = NULL;
    const struct known *known;
    int rc;
    TRY(knowledge_open(&knowledge));
    for (size_t i = 0; (known = knowledge_at(knowledge, i)) != NULL; i++) {
        struct node *row = put_object(table, NULL);
        show_value_cell(put_text(row, "task", known->task), PLAIN);
        show_cell(put_real(row, "amount", known->size), PLAIN, "%.15g", known->size);
        show_value_cell(put_text(row, "device", known->device), PLAIN);
        show_value_cell(put_seconds(row, "but_steps", known->whole_but_steps), PLAIN);
        show_value_cell(put_seconds(row, "step", known->step), PLAIN);
    }
out:
    rc = report_end(table, rc);
    knowledge_free(knowledge);
    return rc;
}

/* Returns whether the word is an action of advise, not a task. */
static bool is_own(const char *word) { return !strcmp(word, "list") || !strcmp(word, "clear"); }

static int run_own(const struct command *command)
{
    const char **words = command->operands.item;
    if (command->operands.count > 1)
        return mw_fail(MW_EINVAL, "unexpected operand '%s': `meshwork advise %s` takes none", words[1], words[0]);
    return *words[0] == 'l' ? list() : advise_clear();
}

#ifdef HAVE_JANSSON
enum { SIZES_MOST = 8 };
#define GROWTH 4.0
#define SIZE_LEAST 64.0 /* smaller sizes would measure only launches */

struct advise {
    const struct advise_settings *set;
    struct compare_settings compare;
    struct command task;
    const struct words *arguments;
    struct workers workers;
    struct knowledge *knowledge;
    struct pasts pasts;
    struct node *report, *table;
    char *last;           /* the fastest device at the previous size */
    struct mw_text words; /* summary: the fastest device from each size on */
    int verdict;
    bool stopped;
};

/* ---- one size ---- */

static const struct row *fastest(const struct comparison *c, const struct row *but)
{
    const struct row *best = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct row *row = &c->rows[i];
        if (row != but && row->answer && row->rounds && row_verdict(row) == 0 &&
            (!best || row_whole(row).median < row_whole(best).median))
            best = row;
    }
    return best;
}

/* Stores the median over the rounds of each row. */
static int advise_keep(struct advise *a, const struct work *work, const struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct row *row = &c->rows[i];
        const double seconds = row->rounds ? row_seconds(row).median : 0;
        if (!row->answer || !row->rounds || row_verdict(row) != 0)
            continue;
        TRY_RETURN(knowledge_add(a->knowledge, &(struct known){ work->key.data, row->devices, work->size,
                                                                fmax(row_whole(row).median - seconds, 0) +
                                                                    (work->steps > 1 ? 0 : seconds),
                                                                work->steps > 1 ? seconds / work->steps : 0 }));
    }
    return 0;
}

static void put_rows(const struct comparison *c, struct node *to)
{
    struct node *rows = put_list(to, "rows");
    for (size_t i = 0; i < c->count; i++) {
        const struct row *row = &c->rows[i];
        struct node *o = put_object(rows, NULL);
        put_text(o, "device", row->devices);
        if (row->answer && row->rounds) {
            put_real(o, "whole", row_whole(row).median);
            put_real(o, "seconds", row_seconds(row).median);
        } else {
            put_text(o, "reason", row->reason ? row->reason : "stopped before its turn");
        }
    }
}

static void put_size(struct advise *a, const struct work *work, const struct comparison *c)
{
    const struct row *best = fastest(c, NULL), *second = fastest(c, best);
    struct node *o = put_object(a->table, NULL);
    show_cell(put_real(o, "amount", work->size), PLAIN, "%.15g", work->size);
    put_rows(c, o);
    if (!best) {
        for (int i = 0; i < 4; i++)
            CELL(o, "%s", i ? "" : "no device");
        return;
    }
    const bool changes = !a->last || strcmp(a->last, best->devices) != 0;
    if (changes && a->words.length)
        mw_text_add(&a->words, ", from %.15g on %s", work->size, best->devices);
    else if (changes)
        mw_text_add(&a->words, "%s", best->devices);
    show_value_cell(put_text(o, "fastest", best->devices), changes && a->last ? BOLD : PLAIN);
    CELL(o, "%s", seconds_text(row_whole(best).median).text);
    CELL(o, "%s", seconds_text(row_seconds(best).median).text);
    if (second)
        CELL(o, "%s, %.3g times as long", second->devices, row_whole(second).median / row_whole(best).median);
    else
        CELL(o, "%s", "");
}

static int advise_measure(struct advise *a, unsigned times, double growth)
{
    struct words words = { 0 };
    struct command smaller = { .subcommand = a->task.subcommand };
    struct comparison c = {
        .set = &a->compare, .arguments = &words, .series = &a->compare.series, .series_count = 1, .workers = &a->workers
    };
    struct work work = { 0 };
    const struct row *best;
    size_t named;
    int rc;
    TRY(work_smaller(&a->task, a->arguments, times, &words));
    TRY(subcommand_find(words.item, words.count, &smaller.subcommand, &named));
    TRY(options_parse(&smaller, (int)(words.count - named), (char **)words.item + named));
    TRY(work_of(&smaller, &work));
    TRY(comparison_plan(&c));
    TRY(pasts_leave_out(&a->pasts, growth, &c));
    TRY(comparison_run(&c));
    TRY(pasts_take(&c, &a->pasts));
    a->stopped = c.stopped;
    if (c.stopped)
        goto out;
    TRY(advise_keep(a, &work, &c));
    put_size(a, &work, &c);
    best = fastest(&c, NULL);
    free(a->last);
    a->last = NULL;
    TRY(best ? mw_strdup(best->devices, &a->last) : 0);
    for (size_t i = 0; i < c.count && !a->verdict; i++)
        if ((a->verdict = row_verdict(&c.rows[i])) != 0)
            print_error(mw_errmsg());
    if (!best && c.count && c.rows[0].reason && !times)
        rc = mw_fail(MW_EINVAL, "no device can run this; the first, %s: %s", c.rows[0].devices, c.rows[0].reason);
out:
    work_free(&work);
    comparison_free(&c);
    options_free(&smaller);
    smaller_free(&words);
    return rc;
}

/* ---- all sizes ---- */

/* Returns the number of sizes below the requested one. */
static unsigned sizes_below(const struct work *work)
{
    unsigned times = 0;
    while (work->grows && times + 1 < SIZES_MOST && work->size / pow(GROWTH, times + 1) >= SIZE_LEAST)
        times++;
    return times;
}

static int measure_all(struct advise *a, unsigned below)
{
    const double end = mw_now() + a->set->budget;
    double last = 0;
    for (unsigned times = below + 1; times-- > 0 && !a->stopped;) {
        const double begun = mw_now();
        if (times < below && begun + last > end) {
            report_note("no time for larger sizes: give --budget above %g", a->set->budget);
            break;
        }
        TRY_RETURN(advise_measure(a, times, times < below ? GROWTH : 1));
        last = mw_now() - begun;
    }
    return 0;
}

static int advise(struct advise *a)
{
    struct work work = { 0 };
    size_t named;
    int rc;
    TRY(subcommand_find(a->arguments->item, a->arguments->count, &a->task.subcommand, &named));
    TRY(options_parse(&a->task, (int)(a->arguments->count - named), (char **)a->arguments->item + named));
    if (work_of(&a->task, &work) != 0)
        TRY(mw_fail(MW_EINVAL, "cannot measure this task: %s", mw_errmsg()));
    TRY(knowledge_open(&a->knowledge));
    TRY(knowledge_forget(a->knowledge, work.key.data));
    a->report = report_object();
    show_value(put_text(a->report, "task", work.key.data), "task");
    show_row(put_text(a->report, "unit", work.unit), "size", "in %s; without -d the task uses the fastest", work.unit);
    a->table = put_table(a->report, "sizes", ">size|the fastest|>with all|>alone|the next");
    TRY(measure_all(a, sizes_below(&work)));
    if (a->stopped)
        TRY(mw_fail(MW_ESTOPPED, "stopped: measurements of this call are discarded, those of earlier calls are kept"));
    TRY(knowledge_save(a->knowledge));
    TRY(mw_text_ok(&a->words));
    if (a->words.length)
        ROW(a->report, "the fastest", "%s", a->words.data);
    rc = report_print(a->report);
    a->report = NULL;
    rc = rc           ? rc
         : a->verdict ? mw_fail(MW_EVERIFY, "verification failed: results differ in some rows: see the table")
                      : 0;
out:
    work_free(&work);
    return rc;
}

static int advise_run(struct command *command)
{
    const struct advise_settings *set = command->settings;
    struct advise a = { .set = set, .compare = set->compare, .arguments = &command->operands };
    const char *word = command->operands.item[0];
    int rc;
    if (is_own(word))
        return run_own(command);
    a.compare.series.variants = "auto";
    signals_stop_loop();
    rc = advise(&a);
    report_free(a.report);
    free(a.last);
    mw_text_free(&a.words);
    pasts_free(&a.pasts);
    knowledge_free(a.knowledge);
    options_free(&a.task);
    workers_end(&a.workers);
    return rc;
}
#else
static int advise_run(struct command *command)
{
    const char *word = command->operands.item[0];
    if (is_own(word))
        return run_own(command);
    return run_without_json(command);
}
#endif

static const struct option_group groups[] = { { "Advice", options, 0 }, { 0 } };

const struct subcommand advise_subcommand = {
    .name = "advise",
    .operands = "TASK [ARGUMENTS] | list | clear",
    .summary = "measure the fastest device for a task, and store it",
    .description =
        "Runs a task, as compare does, on each device at sizes up to the given one, each four times the previous "
        "one. Reports the fastest device for each range of sizes, by total time: with memory, transfers and files. "
        "The result is stored: the same task at a similar size without -d then uses that device. list: list the "
        "stored measurements. clear: remove them.",
    .groups = groups,
    .settings_bytes = sizeof(struct advise_settings),
    .least_operands = 1,
    .most_operands = ANOTHERS_WORDS,
    .run = advise_run,
};
/* SPDX-License-Identifier: MIT */

/* meshwork bench: runs suites within a time budget. */
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

struct bench_settings {
    struct compare_settings compare;
    double budget;
    bool full;
    const char *output, *with;
};

#define AT(member) offsetof(struct bench_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE.json",
      .help = "write results to FILE.json after each case; an existing file is continued" },
    { .name = "budget", .type = OPTION_SECONDS, .target = AT(budget), .value = "TIME", .least = 1, .fallback = "5m",
      .help = "time for all suites together; the first three sizes of each suite are always measured, larger ones "
              "while its share lasts" },
    { .name = "full", .type = OPTION_FLAG, .target = AT(full),
      .help = "also run the largest sizes, as in the papers" },
    { .name = "compare", .type = OPTION_TEXT, .target = AT(with), .value = "FILE.json",
      .help = "report what became faster or slower since these results" },
    { .name = "devices", .type = OPTION_TEXT, .target = AT(compare.devices), .value = "LIST", .fallback = "all",
      .once = true,
      .help = "devices, separated by commas, as in compare" },
    { .name = "rounds", .type = OPTION_COUNT, .target = AT(compare.rounds), .value = "N", .fallback = "1", .least = 1,
      .most = ROUNDS_MAX, .help = "timed rounds per row" },
    { .name = "limit", .type = OPTION_SECONDS, .target = AT(compare.limit), .value = "TIME", .least = 1,
      .fallback = "5s",
      .help = "time limit of a run, four times as long while drivers may compile; slower rows have no time and are not "
              "tried at larger sizes" },
    { 0 }
};
/* clang-format on */

#ifdef HAVE_JANSSON
#define STRETCH 0.03     /* minimum seconds per turn: short, for there are over a thousand rows */
#define TASK_LIMIT 300.0 /* seconds for tasks that are not measured */

/* The current state. */
struct bench {
    const struct bench_settings *set;
    struct compare_settings compare;
    struct workers workers;
    struct speeds speeds; /* the document's, and other devices' */
    struct document *document;
    char *file;                           /* file prepared for cases; NULL: none yet */
    double end;                           /* end of the budget */
    size_t suites, suite, cases, of_case; /* totals, and the current ones */
    const char *what;                     /* name of the suite */
    int verdict;                          /* MW_EVERIFY: rows have different results */
    bool stopped;
};

/* ---- progress ---- */

static int show_progress(void *context, uint64_t done, uint64_t all)
{
    const struct bench *b = context;
    const double cases = (double)b->of_case + (all ? (double)done / (double)all : 0), left = b->end - mw_now();
    char words[160];
    snprintf(words, sizeof(words), "%s, suite %zu/%zu, size %zu, run %llu/%llu  %s%s", b->what, b->suite + 1, b->suites,
             b->of_case + 1, (unsigned long long)done, (unsigned long long)all,
             left > 0 && !b->set->full ? seconds_text(left).text : "",
             b->set->full ? ""
             : left > 0   ? " of the budget left"
                          : "the budget is used up");
    progress_part(((double)b->suite + cases / (double)b->cases) / (double)b->suites, words);
    return 0;
}

/* Returns the number of sizes that a suite may reach. */
static size_t count_cases(const struct bench *b, const struct suite *suite)
{
    size_t count = 0;
    while (count < CASES_MOST && suite->cases[count].words && (b->set->full || !suite->cases[count].full))
        count++;
    return count;
}

/* ---- one case ---- */

static void words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free((char *)words->item[i]);
    free(words->item);
    *words = (struct words){ 0 };
}

/* Makes the arguments of a case; the file's name may contain spaces. */
static int task_words(const char *task, const struct suite_case *of, const char *file, struct words *words)
{
    char *copy = NULL, *word, *next;
    int rc;
    TRY(mw_strdup(task, &copy));
    TRY(mw_new(strlen(task) + 2, sizeof(*words->item), &words->item));
    for (word = strtok_r(copy, " ", &next); word; word = strtok_r(NULL, " ", &next)) {
        char *made;
        TRY(suite_word(word, of, file, &made));
        words->item[words->count++] = made;
    }
out:
    free(copy);
    return rc;
}

/* Runs a task of a suite natively, without measuring it. *reason: the cause of a failure, which the caller frees. */
static int run_task(struct bench *b, const char *task, const struct suite_case *of, const char *file, char **reason)
{
    struct words words = { 0 };
    struct outcome outcome = { 0 };
    struct mw_text whole = { 0 };
    int rc;
    *reason = NULL;
    mw_text_add(&whole, "%s --quiet --device native:serial", task);
    TRY(mw_text_ok(&whole));
    TRY(task_words(whole.data, of, file, &words));
    TRY(workers_run(&b->workers, "native:serial", words.item, TASK_LIMIT, &outcome));
    if (outcome.code && !signals_stopped())
        TRY(mw_strdup(outcome.reason, reason));
out:
    mw_text_free(&whole);
    outcome_free(&outcome);
    words_free(&words);
    return rc;
}

/* Prepares the file read by the suite's task. */
static int bench_prepare(struct bench *b, const struct suite *suite, const struct suite_case *of)
{
    char *reason = NULL;
    int rc = 0;
    if (!suite->prepare)
        return 0;
    if (!b->file)
        TRY(bench_file(".npy", &b->file));
    TRY(run_task(b, suite->prepare, of, b->file, &reason));
    if (reason)
        rc = mw_fail(MW_EIO, "cannot prepare %s: %s", suite->name, reason);
out:
    free(reason);
    return rc;
}

/* Adds the picture of a suite.  If its task fails, the bench continues without. */
static int make_picture(struct bench *b, const struct suite *suite)
{
    const size_t length = suite->picture ? strcspn(suite->picture, "%") - strlen(" --png ") : 0;
    char *path = NULL, *png = NULL, *reason = NULL, *task = NULL;
    int rc = 0;
    if (b->stopped || document_has_picture(b->document, suite))
        return 0;
    TRY(bench_file(".png", &path));
    TRY(run_task(b, suite->picture, &suite->cases[0], path, &reason));
    if (reason || signals_stopped())
        goto out;
    TRY(bench_base64(path, &png));
    TRY(mw_strdup(suite->picture, &task));
    task[length] = 0;
    if (png)
        TRY(document_add_picture(b->document, b->set->output, suite, task, png));
out:
    if (path)
        unlink(path);
    free(path);
    free(png);
    free(reason);
    free(task);
    return rc;
}

static void print_case(const struct suite *suite, const struct suite_case *of, const struct comparison *c)
{
    struct node *o;
    if (report_is_json())
        return;
    o = report_object();
    comparison_put(c,
                   put_section(o, "%s: %s, %.*s%s%s", suite->name, suite->title, (int)strcspn(of->words, " "),
                               of->words, strchr(of->words, 'x') ? "" : " ", strchr(of->words, 'x') ? "" : suite->x));
    report_print(o);
    fflush(stdout);
}

static int run_case(struct bench *b, const struct suite *suite, const struct suite_case *of, double growth,
                    struct pasts *pasts)
{
    struct words words = { 0 };
    struct comparison c = { .set = &b->compare,
                            .arguments = &words,
                            .workers = &b->workers,
                            .speeds = &b->speeds,
                            .progress = show_progress,
                            .progress_context = b };
    struct node *results = NULL;
    const double begun = mw_now();
    int rc;
    TRY(bench_prepare(b, suite, of));
    c.file = b->file;
    TRY(task_words(suite->task, of, b->file, &words));
    b->compare.variants = suite->variants;
    show_progress(b, 0, 1);
    TRY(comparison_plan(&c));
    TRY(pasts_leave_out(pasts, growth, &c));
    TRY(comparison_run(&c));
    TRY(pasts_take(&c, pasts));
    b->stopped = c.stopped;
    if (c.stopped)
        goto out;
    print_case(suite, of, &c);
    results = report_object();
    put_real(results, "x", of->x);
    put_real(results, "took", mw_now() - begun);
    comparison_put(&c, results);
    TRY(document_add(b->document, b->set->output, suite, results));
    for (size_t i = 0; i < c.count && !b->verdict; i++)
        if ((b->verdict = row_verdict(&c.rows[i])) != 0)
            print_error(mw_errmsg());
out:
    report_free(results);
    comparison_free(&c);
    words_free(&words);
    return rc;
}

/* ---- a suite ---- */

/* Runs the cases of a suite.  The time of the next case is predicted in proportion to its size. */
static int run_suite(struct bench *b, const struct suite *suite, size_t left)
{
    const double start = mw_now(), share = (b->end - start) / (double)left;
    struct pasts pasts = { 0 };
    double last = 0;
    int rc = 0;
    b->what = suite->name;
    b->cases = count_cases(b, suite);
    for (size_t i = 0; i < b->cases && !b->stopped; i++) {
        const struct suite_case *of = &suite->cases[i];
        const double growth = i > 0 ? of->x / suite->cases[i - 1].x : 1;
        const double took = document_took(b->document, suite, of->x), begun = mw_now();
        if (!b->set->full && i >= CASES_LEAST && begun + last * growth > start + share)
            break;
        b->of_case = i;
        if (isnan(took))
            TRY(run_case(b, suite, of, growth, &pasts));
        last = isnan(took) ? mw_now() - begun : took;
    }
    TRY(make_picture(b, suite));
out:
    pasts_free(&pasts);
    return rc;
}

/* ---- choice of suites ---- */

/* The rates of devices are part of all results; as a suite they are printed. */
static const struct suite stream = {
    .name = "stream", .title = "Rates of devices, as in `meshwork speed`", .x = "", .source = ""
};

static void put_suite(const struct suite *s, struct node *table)
{
    struct node *row = put_object(table, NULL);
    show_value_cell(put_text(row, "name", s->name), BOLD);
    show_value_cell(put_text(row, "grows", s->x), PLAIN);
    show_value_cell(put_text(row, "source", s->source), PLAIN);
    show_value_cell(put_text(row, "title", s->title), PLAIN);
}

static int list(void)
{
    struct node *table = report_table("suite|grows|papers|~");
    put_suite(&stream, table);
    for (const struct suite *s = suites; s->name; s++)
        put_suite(s, table);
    return report_print(table);
}

static bool is_wanted(const struct words *names, const struct suite *suite)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->item[i], "all") || !strcmp(names->item[i], suite->name))
            return true;
    return false;
}

static int check_names(const struct words *names)
{
    for (size_t i = 0; i < names->count; i++) {
        struct nearest nearest = { .word = names->item[i] };
        const struct suite *s = suites;
        if (strcmp(names->item[i], stream.name) == 0)
            continue;
        nearest_offer(&nearest, stream.name);
        for (; s->name && strcmp(s->name, names->item[i]) != 0; s++)
            nearest_offer(&nearest, s->name);
        if (!s->name && strcmp(names->item[i], "all") != 0)
            return mw_fail(MW_EINVAL, "unknown suite '%s': %s", names->item[i],
                           nearest_advice(&nearest, "`meshwork bench list` lists them").text);
    }
    return 0;
}

static int run_suites(struct bench *b, const struct words *names)
{
    int rc = 0;
    for (const struct suite *s = suites; s->name; s++)
        b->suites += is_wanted(names, s);
    progress_start("bench", 0, NULL);
    for (const struct suite *s = suites; s->name && !b->stopped; s++)
        if (is_wanted(names, s)) {
            TRY(run_suite(b, s, b->suites - b->suite));
            b->suite++;
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
        return list();
    TRY(check_names(&command->operands));
    if (set->with && report_is_json())
        return mw_fail(MW_EINVAL, "--compare prints the changes as text: leave out --json");
    if (set->with)
        TRY(document_check(set->with));
    if (set->output)
        TRY(file_writable(set->output));
    b.compare.stretch = STRETCH;
    signals_stop_loop();
    TRY(document_open(set->output, set->compare.devices, &b.workers, &b.document));
    TRY(document_speeds(b.document, &b.speeds));
    if (is_wanted(&command->operands, &stream))
        TRY(document_keep_speeds(b.document, set->output));
    rc = run_suites(&b, &command->operands);
    reported = bench_report(&b);
    rc = rc ? rc : reported;
out:
    if (b.file)
        unlink(b.file);
    free(b.file);
    document_free(b.document);
    speeds_free(&b.speeds);
    workers_end(&b.workers);
    return rc;
}

#else
#define run run_without_json
#endif

static const struct option_group groups[] = { { "Bench", options, 0 }, { 0 } };

const struct subcommand bench_subcommand = {
    "bench",
    "SUITE...",
    "repeat the papers' experiments on this machine",
    "Runs suites (all, or those given; `meshwork bench list` lists them). A suite is a task of one of the papers on "
    "which meshwork builds. It runs at several sizes on each device with each variant. `meshwork report` makes a page "
    "of the results.",
    groups,
    sizeof(struct bench_settings),
    1,
    SIZE_MAX,
    bench_run,
    NULL
};
/* SPDX-License-Identifier: MIT */

/* Measures a figure: its sizes within a share of the budget, each as a comparison of its lines. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/bench/bench.h"
#include "tools/cli/signals.h"
#include "tools/report/progress.h"

#define TASK_LIMIT 300.0 /* seconds for tasks that are not measured */
#define LIMIT_LEAST 0.5  /* the same with a short budget; drivers may compile four times as long */
#define GROWTH 1.5       /* assumed exponent of the time of a size before two sizes are measured */

/* ---- progress ---- */

static int show_progress(void *context, uint64_t done, uint64_t all)
{
    const struct bench *b = context;
    const double cases = (double)b->of_case + (all ? (double)done / (double)all : 0), left = b->end - mw_now();
    char words[160];
    snprintf(words, sizeof(words), "%s, %s, figure %zu/%zu, size %zu, run %llu/%llu  %s%s", b->figure->suite,
             b->figure->name, b->number + 1, b->figures, b->of_case + 1, (unsigned long long)done,
             (unsigned long long)all, left > 0 && !b->unlimited ? seconds_text(left).text : "",
             b->unlimited ? ""
             : left > 0   ? " of the budget left"
                          : "the budget is used up");
    progress_part(((double)b->number + cases / fmax((double)b->cases, 1)) / (double)b->figures, words);
    return 0;
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
static int task_words(const char *task, const struct figure_size *of, const char *file, const char *picture,
                      struct words *words)
{
    char *copy = NULL, *word, *next;
    int rc;
    TRY(mw_strdup(task, &copy));
    TRY(mw_new(strlen(task) + 2, sizeof(*words->item), &words->item));
    for (word = strtok_r(copy, " ", &next); word; word = strtok_r(NULL, " ", &next)) {
        char *made;
        TRY(figure_word(word, of, file, picture, &made));
        words->item[words->count++] = made;
    }
out:
    free(copy);
    return rc;
}

/* Runs a task of a figure natively, without measuring it. *reason: the cause of a failure, which the caller frees. */
static int run_task(struct bench *b, const char *task, const struct figure_size *of, const char *picture, char **reason)
{
    struct words words = { 0 };
    struct outcome outcome = { 0 };
    struct mw_text whole = { 0 };
    int rc;
    *reason = NULL;
    mw_text_add(&whole, "%s --quiet --device native:serial", task);
    TRY(mw_text_ok(&whole));
    TRY(task_words(whole.data, of, b->file, picture, &words));
    TRY(workers_run(&b->workers, "native:serial", words.item, TASK_LIMIT, &outcome));
    if (outcome.code && !signals_stopped())
        TRY(mw_strdup(outcome.reason, reason));
out:
    mw_text_free(&whole);
    outcome_free(&outcome);
    words_free(&words);
    return rc;
}

/* Prepares the file read by the figure's task. */
static int bench_prepare(struct bench *b, const struct figure *figure, const struct figure_size *of)
{
    char *reason = NULL;
    int rc = 0;
    if (!figure->prepare)
        return 0;
    if (!b->file)
        TRY(bench_file(".npy", &b->file));
    TRY(run_task(b, figure->prepare, of, NULL, &reason));
    if (reason)
        rc = mw_fail(MW_EIO, "cannot prepare %s, %s: %s", figure->suite, figure->name, reason);
out:
    free(reason);
    return rc;
}

/* Adds the words of a task as in a shell, without those of its picture. */
static int add_task(const char *task, struct mw_text *to)
{
    static const struct figure_size none = { 0, "", false };
    struct words words = { 0 };
    int rc;
    TRY(task_words(task, &none, "FILE.npy", NULL, &words));
    for (size_t i = 0; i < words.count && strcmp(words.item[i], "--png") != 0; i++) {
        mw_text_add(to, "%s", i ? " " : "");
        text_shell_word(to, words.item[i]);
    }
    TRY(mw_text_ok(to));
out:
    words_free(&words);
    return rc;
}

/* Adds the picture of a figure.  If its task fails, the bench continues without. */
static int make_picture(struct bench *b, const struct figure *figure)
{
    static const struct figure_size none = { 0, "", false };
    struct mw_text task = { 0 };
    char *path = NULL, *png = NULL, *reason = NULL;
    int rc = 0;
    if (b->stopped || document_has_picture(b->document, figure))
        return 0;
    TRY(bench_file(".png", &path));
    if (!figure->task && figure->prepare && bench_prepare(b, figure, &none) != 0) {
        print_error(mw_errmsg());
        goto out;
    }
    TRY(run_task(b, figure->picture, &none, path, &reason));
    if (reason)
        (void)mw_fail(MW_EIO, "no picture of %s, %s: %s", figure->suite, figure->name, reason);
    if (reason && !signals_stopped())
        print_error(mw_errmsg());
    if (reason || signals_stopped())
        goto out;
    TRY(bench_base64(path, &png));
    if (!figure->task && figure->prepare) {
        TRY(add_task(figure->prepare, &task));
        mw_text_add(&task, " && meshwork ");
    }
    TRY(add_task(figure->picture, &task));
    if (png)
        TRY(document_add_picture(b->document, b->set->output, figure, task.data, png));
out:
    if (path)
        unlink(path);
    free(path);
    free(png);
    free(reason);
    mw_text_free(&task);
    return rc;
}

static void print_case(const struct figure *figure, const struct figure_size *of, const struct comparison *c)
{
    struct node *o;
    if (report_is_json())
        return;
    o = report_object();
    comparison_put(c, put_section(o, "%s, %s: %s, %s %.*s", figure->suite, figure->name, figure->title, figure->x,
                                  (int)strcspn(of->words, " "), of->words));
    report_print(o);
    fflush(stdout);
}

/* ---- the lines of a figure ---- */

enum { MORE_MOST = 12 };

/* The series of a figure, with their words. */
struct rows {
    struct series series[LINES_MOST + 1];
    char *copy[LINES_MOST + 1]; /* owns the words of `more` */
    const char *more[LINES_MOST + 1][MORE_MOST + 1];
    size_t count;
};

static void rows_free(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->copy[i]);
}

static int add_line(const struct bench *b, const struct figure *figure, const struct line *line, struct rows *rows)
{
    const size_t i = rows->count++;
    struct series *series = &rows->series[i];
    char *next, *word;
    size_t n = 0;
    *series = (struct series){ .name = line->name,
                               .variants = line->variant ? line->variant : "auto",
                               .value = line->value ? line->value : figure->value,
                               .own_input = figure->own_inputs };
    switch (line->where) {
    case ON_CORE: series->devices = "native:serial"; break;
    case ON_THREADS: series->devices = "native:pthreads"; break;
    case ON_TBB:
        series->devices = "native:tbb";
        series->missing = b->has_tbb ? NULL : "built without TBB";
        break;
    case ON_DEVICES: series->devices = b->devices; break;
    case ON_GPUS:
        series->devices = b->all_gpus ? b->all_gpus : "gpu+gpu";
        series->missing = b->all_gpus ? NULL : b->gpus ? "only one GPU here" : "no GPU here";
        break;
    }
    if (!line->more)
        return 0;
    TRY_RETURN(mw_strdup(line->more, &rows->copy[i]));
    for (word = strtok_r(rows->copy[i], " ", &next); word && n < MORE_MOST; word = strtok_r(NULL, " ", &next))
        rows->more[i][n++] = word;
    series->more = rows->more[i];
    return 0;
}

/* Makes the series of all lines.  Timed figures get one more: what meshwork chooses by itself today. */
static int make_rows(const struct bench *b, const struct figure *figure, struct rows *rows)
{
    const struct line today = { .name = LINE_TODAY, .where = ON_DEVICES, .more = figure->today };
    for (const struct line *line = figure->lines; line->name; line++)
        TRY_RETURN(add_line(b, figure, line, rows));
    return figure->value ? 0 : add_line(b, figure, &today, rows);
}

/* Returns the seconds that a case takes once everything is compiled. */
static double warm_seconds(const struct comparison *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].rounds) {
            const struct row *row = &c->rows[i];
            const double repeats = row->repeat > 1 ? (double)(row->repeat - 1) * row_seconds(row).median : 0;
            sum += (double)(row->rounds + 1) * (row_whole(row).median + repeats);
        }
    return sum;
}

static int run_case(struct bench *b, const struct figure *figure, const struct figure_size *of, double growth,
                    struct pasts *pasts, double *warm)
{
    struct words words = { 0 };
    struct rows rows = { 0 };
    struct comparison c = { .set = &b->compare,
                            .arguments = &words,
                            .workers = &b->workers,
                            .seeds = figure->samples > 0,
                            .divisor = figure->divisor,
                            .progress = show_progress,
                            .progress_context = b };
    struct node *results = NULL;
    int rc;
    TRY(bench_prepare(b, figure, of));
    c.file = b->file;
    TRY(task_words(figure->task, of, b->file, NULL, &words));
    TRY(make_rows(b, figure, &rows));
    c.series = rows.series;
    c.series_count = rows.count;
    show_progress(b, 0, 1);
    TRY(comparison_plan(&c));
    TRY(pasts_leave_out(pasts, growth, &c));
    TRY(comparison_run(&c));
    TRY(pasts_take(&c, pasts));
    b->stopped = c.stopped;
    if (c.stopped)
        goto out;
    print_case(figure, of, &c);
    results = report_object();
    put_real(results, "x", of->x);
    *warm = warm_seconds(&c);
    put_real(results, "took", *warm);
    comparison_put(&c, results);
    TRY(document_add(b->document, b->set->output, figure, results));
    for (size_t i = 0; i < c.count && !b->verdict && !figure->value; i++)
        if ((b->verdict = row_verdict(&c.rows[i])) != 0)
            print_error(mw_errmsg());
out:
    report_free(results);
    comparison_free(&c);
    rows_free(&rows);
    words_free(&words);
    return rc;
}

/* ---- a figure ---- */

/* Predicts the seconds of the next size from those of the last two. */
static double expected(double last, double before, double growth, double growth_before)
{
    const double measured = last > 0 && before > 0 ? log(last / before) / log(growth_before) : GROWTH;
    return last * pow(growth, fmax(measured, 1));
}

/* Measures the marked sizes of a figure again. */
static int repeat_figure(struct bench *b, const struct figure *figure)
{
    struct pasts pasts = { 0 };
    double warm;
    int rc = 0;
    b->figure = figure;
    for (b->of_case = 0; b->of_case < b->cases && !b->stopped; b->of_case++)
        if (document_is_marked(b->document, figure, figure->sizes[b->of_case].x))
            TRY(run_case(b, figure, &figure->sizes[b->of_case], 1, &pasts, &warm));
out:
    pasts_free(&pasts);
    return rc;
}

static void say_left_out(const struct figure *figure, const double *x, size_t count)
{
    struct mw_text list = { 0 };
    for (size_t i = 0; i < count; i++)
        mw_text_add(&list, "%s%.9g", i ? ", " : "", x[i]);
    if (mw_text_ok(&list) == 0)
        print_note("%s, %s: left out for the budget: %s %s", figure->suite, figure->name, figure->x, list.data);
    mw_text_free(&list);
}

int bench_figure(struct bench *b, const struct figure *figure, size_t left)
{
    const double start = mw_now(), share = (b->end - start) / (double)left;
    const size_t samples = b->set->full ? figure->samples : 0;
    struct pasts pasts = { 0 };
    double last = 0, before = 0, growth = 1, growth_before = 2, skipped[SIZES_MOST];
    size_t count = 0;
    int rc = 0;
    b->cases = figure_sizes(figure);
    if (b->again)
        return repeat_figure(b, figure);
    b->figure = figure;
    b->of_case = 0;
    b->compare.rounds = b->set->compare.rounds > samples ? b->set->compare.rounds : samples;
    if (!b->unlimited)
        b->compare.limit = fmin(b->compare.limit, fmax(share / 4, LIMIT_LEAST));
    for (size_t i = 0; i < b->cases && !b->stopped; i++) {
        const struct figure_size *of = &figure->sizes[i];
        const double took = document_took(b->document, figure, of->x);
        double warm = took;
        growth = i > 0 ? of->x / figure->sizes[i - 1].x : 1;
        if (isnan(took) && !b->unlimited &&
            ((of->full && !b->set->full) || count ||
             mw_now() + expected(last, before, growth, growth_before) > start + share)) {
            skipped[count++] = of->x;
            continue;
        }
        b->of_case = i;
        if (isnan(took))
            TRY(run_case(b, figure, of, growth, &pasts, &warm));
        before = last;
        growth_before = growth > 1 ? growth : 2;
        last = warm;
    }
    if (b->unlimited || mw_now() < b->end)
        TRY(make_picture(b, figure));
    if (count && !b->unlimited && !b->stopped)
        say_left_out(figure, skipped, count);
    if (!b->stopped)
        TRY(document_leave_out(b->document, b->set->output, figure, skipped, count));
out:
    pasts_free(&pasts);
    return rc;
}
/* SPDX-License-Identifier: MIT */

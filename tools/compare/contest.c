/* Rows alternate: machines drift, so only times of the same round are compared. */
#include <math.h>
#include <stdio.h>

#include "tools/cli/passes.h"
#include "tools/cli/signals.h"
#include "tools/compare/compare.h"
#include "tools/report/progress.h"

#define TURNS 20.0  /* total seconds of a row's turns; at least one turn is taken */
#define STRETCH 0.1 /* seconds; see struct compare_settings */
#define REPEAT_MOST 1000
#define FIRST 4 /* factor of the time limit for first runs, in which drivers compile */

/* ---- one run ---- */

static int run_row(struct comparison *c, const struct row *row, size_t round, struct outcome *outcome)
{
    const char *more[7] = { NULL };
    char repeat[24], seed[24];
    size_t n = 0;
    if (c->seeds) {
        snprintf(seed, sizeof(seed), "%zu", round + 1);
        more[n++] = "--seed";
        more[n++] = seed;
    }
    if (task_has(c, "variant")) {
        more[n++] = "--variant";
        more[n++] = row->variant;
    }
    if (row->repeat) {
        snprintf(repeat, sizeof(repeat), "%llu", (unsigned long long)row->repeat);
        more[n++] = "--repeat";
        more[n++] = repeat;
    }
    return task_run(c, row->devices, row->series->more, more, c->set->limit * (row->answer ? 1 : FIRST), outcome);
}

/* A run that fails because the comparison is stopped is not the row's failure. */
static int fail_row(struct row *row, const char *reason)
{
    if (signals_stopped())
        return 0;
    answer_free(row->answer);
    row->answer = NULL;
    return mw_strdup(reason && *reason ? reason : "no reason given", &row->reason);
}

/* First run of a row.  Drivers compile and variants are tuned in it, so only its results count, not its time. */
static int first_run(struct comparison *c, struct row *row)
{
    struct outcome outcome = { 0 };
    double seconds;
    int rc;
    TRY(run_row(c, row, 0, &outcome));
    row->code = outcome.code;
    if (outcome.code != 0) {
        rc = fail_row(row, outcome.reason);
        goto out;
    }
    TRY(answer_read(outcome.out, &row->answer));
    seconds = answer_number(row->answer, "seconds");
    if (isnan(seconds)) {
        rc = fail_row(row, "it reports no time");
        goto out;
    }
    if (task_has(c, "repeat"))
        row->repeat =
            (uint64_t)fmin(fmax(ceil((c->set->stretch > 0 ? c->set->stretch : STRETCH) / fmax(seconds, 1e-9)), 1),
                           REPEAT_MOST);
out:
    outcome_free(&outcome);
    return rc;
}

static int timed_run(struct comparison *c, struct row *row)
{
    struct outcome outcome = { 0 };
    struct answer *answer = NULL;
    int rc;
    TRY(run_row(c, row, row->rounds, &outcome));
    if (outcome.code != 0) {
        rc = fail_row(row, outcome.reason);
        goto out;
    }
    TRY(answer_read(outcome.out, &answer));
    row->spent += outcome.seconds;
    row->second[row->rounds] = answer_number(answer, "seconds");
    row->value[row->rounds] = row->series->value ? answer_number(answer, row->series->value) : NAN;
    row->divisor[row->rounds] = c->divisor ? answer_number(answer, c->divisor) : NAN;
    /* The task counts one pass of a repeated run.  Subtracting the others at the median can give less than one pass, if
     * the median exceeds the mean. */
    row->whole[row->rounds] =
        fmax(outcome.seconds - (double)(row->repeat > 1 ? row->repeat - 1 : 0) * row->second[row->rounds],
             row->second[row->rounds]);
    row->rounds++;
    if ((!c->seeds || row->rounds == 1) && !row->differs.length &&
        !answer_agrees(answer, row->answer, c->tolerance, &row->differs))
        row->changes = true;
out:
    answer_free(answer);
    outcome_free(&outcome);
    return rc;
}

/* ---- agreement of rows ---- */

/* Returns whether two rows have the same input and random numbers. */
static bool are_alike(const struct row *a, const struct row *b)
{
    if (a->series != b->series && (a->series->own_input || b->series->own_input))
        return false;
    const char *draws = answer_text(a->answer, "draws"), *others = answer_text(b->answer, "draws");
    return draws && others ? !strcmp(draws, others) : draws == others;
}

static int compare_rows(struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct row *row = &c->rows[i];
        for (size_t k = 0; row->answer && k < i && !row->with; k++)
            if (c->rows[k].answer && !c->rows[k].with && are_alike(row, &c->rows[k]))
                row->with = &c->rows[k];
        if (row->with)
            answer_agrees(row->answer, row->with->answer, c->tolerance, &row->differs);
        if (mw_text_ok(&row->differs) != 0)
            return MW_ENOMEM;
    }
    return 0;
}

/* ---- rounds ---- */

static bool goes_on(void) { return !signals_stopped(); }

/* Returns whether another turn of average length fits into the row's time. */
static bool has_turn(const struct row *row)
{
    return row->answer && (row->rounds == 0 || row->spent * (1 + 1 / (double)row->rounds) < TURNS);
}

/* Divides the seconds of each round by its divisor, and multiplies them by the mean of divisors. */
static void normalise(struct row *row)
{
    double sum = 0;
    for (size_t i = 0; i < row->rounds; i++)
        sum += row->divisor[i];
    for (size_t i = 0; i < row->rounds; i++)
        row->second[i] *= sum / (double)row->rounds / row->divisor[i];
}

static int take_turns(struct comparison *c)
{
    const uint64_t all = c->count * (c->set->rounds + 1);
    uint64_t done = 0;
    for (size_t i = 0; i < c->count && goes_on(); i++) {
        if (!c->rows[i].reason)
            TRY_RETURN(first_run(c, &c->rows[i]));
        c->progress(c->progress_context, ++done, all);
    }
    TRY_RETURN(compare_rows(c));
    TRY_RETURN(comparison_measure_speeds(c));
    for (size_t round = 0; round < c->set->rounds && goes_on(); round++)
        for (size_t i = 0; i < c->count && goes_on(); i++) {
            struct row *row = &c->rows[i];
            if (has_turn(row))
                TRY_RETURN(timed_run(c, row));
            c->progress(c->progress_context, ++done, all);
        }
    for (size_t i = 0; i < c->count && c->divisor; i++)
        normalise(&c->rows[i]);
    return 0;
}

int comparison_run(struct comparison *c)
{
    const bool alone = !c->progress;
    int rc;
    if (alone) {
        c->progress = progress_show;
        progress_start("comparing", 0, NULL);
    }
    rc = take_turns(c);
    if (alone)
        progress_end();
    c->stopped = signals_stopped();
    return rc;
}

/* ---- results ---- */

int row_verdict(const struct row *row)
{
    if (row->changes)
        return mw_fail(MW_EVERIFY, "%s, %s: results differ between runs, in %s", row->devices, row->variant,
                       row->differs.data);
    if (row->differs.length)
        return mw_fail(MW_EVERIFY, "%s, %s: results differ from %s, %s, in %s", row->devices, row->variant,
                       row->with->devices, row->with->variant, row->differs.data);
    return 0;
}

/* Interpolates between sorted values. */
static double quartile_of(const double *sorted, size_t n, double share)
{
    const double at = share * (double)(n - 1);
    const size_t below = (size_t)at;
    return below + 1 < n ? sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]) : sorted[below];
}

struct spread spread_of(const double *values, size_t n)
{
    double sorted[ROUNDS_MAX], median;
    if (n == 0)
        return (struct spread){ NAN, NAN, NAN, NAN, NAN };
    memcpy(sorted, values, n * sizeof(*values));
    median = reals_median(sorted, n);
    return (struct spread){ median, quartile_of(sorted, n, 0.25), quartile_of(sorted, n, 0.75), sorted[0],
                            sorted[n - 1] };
}

struct spread row_seconds(const struct row *row) { return spread_of(row->second, row->rounds); }

struct spread row_value(const struct row *row) { return spread_of(row->value, row->rounds); }

struct spread row_whole(const struct row *row) { return spread_of(row->whole, row->rounds); }

double row_speedup(const struct row *row, const struct row *than)
{
    const size_t n = row->rounds < than->rounds ? row->rounds : than->rounds;
    double ratio[ROUNDS_MAX];
    for (size_t i = 0; i < n; i++)
        ratio[i] = than->second[i] / row->second[i];
    return spread_of(ratio, n).median;
}
/* SPDX-License-Identifier: MIT */

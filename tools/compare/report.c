/* The table of a comparison. */
#include <math.h>

#include "tools/compare/compare.h"
#include "tools/report/report.h"

enum { TIMES = 8 };       /* cells of a timed row */
enum { WRONG_USAGE = 2 }; /* exit code: the task cannot run on the device */

/* The first successful row: the baseline of the speed-ups. */
static const struct row *first_row(const struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].answer && c->rows[i].rounds)
            return &c->rows[i];
    return NULL;
}

/* "auto" becomes "auto: temporal". */
static void put_variant(const struct row *row, struct node *to)
{
    const char *chosen = row->answer ? answer_text(row->answer, "variant") : NULL;
    if (chosen && strcmp(chosen, row->variant) != 0)
        show_cell(put_text(to, "variant", row->variant), PLAIN, "%s: %s", row->variant, chosen);
    else
        show_value_cell(put_text(to, "variant", row->variant), PLAIN);
    if (chosen)
        put_text(to, "chosen", chosen);
    if (row->answer && answer_text(row->answer, "draws"))
        put_text(to, "draws", answer_text(row->answer, "draws"));
}

static void put_row_rate(const struct row *row, double seconds, struct node *to)
{
    const double timed = answer_number(row->answer, "seconds");
    const double rate = answer_number(row->answer, "rate") * timed / seconds;
    const char *unit = answer_text(row->answer, "rate_unit");
    if (!isfinite(rate) || !unit) {
        CELL(to, "%s", "");
        return;
    }
    show_cell(put_real(to, "rate", rate), PLAIN, "%s", rate_text(rate, unit).text);
    put_text(to, "rate_unit", unit);
}

/* Puts the task's work as a fraction of the device's rate.  Compared with a copy it counts the minimum traffic, so
 * caches and several steps per pass can make it exceed 1. */
static void put_fraction(double work, double seconds, double rate, const char *key, struct node *to)
{
    const double fraction = work / seconds / rate;
    if (isfinite(fraction))
        show_cell(put_real(to, key, fraction), PLAIN, "%.2f", fraction);
    else
        show_cell(put_none(to, key), PLAIN, "%s", "");
}

static void put_agreement(const struct comparison *c, const struct row *row, struct node *to)
{
    if (row->changes) {
        show_cell(put_flag(to, "agrees", false), RED, "no, differs between runs: %s", row->differs.data);
        put_text(to, "differs", row->differs.data);
        return;
    }
    if (!row->with && row != first_row(c)) {
        show_cell(put_none(to, "agrees"), DIM, "%s", "only row with its input and random numbers");
        return;
    }
    if (!row->with) {
        show_cell(put_flag(to, "agrees", true), DIM, "%s", "the first");
        return;
    }
    const bool agrees = row->differs.length == 0;
    struct node *value = put_flag(to, "agrees", agrees);
    if (!agrees)
        show_cell(value, RED, "no: %s", row->differs.data);
    else if (c->tolerance > 0)
        show_cell(value, GREEN, "to %g, for --fast-math", c->tolerance);
    else
        show_cell(value, GREEN, "%s", "the same");
    if (!agrees)
        put_text(to, "differs", row->differs.data);
}

static void put_samples(const char *key, const double *samples, size_t count, struct node *to)
{
    struct node *list = put_list(to, key);
    for (size_t i = 0; i < count; i++)
        put_real(list, NULL, samples[i]);
}

static void put_value(const struct row *row, struct node *to)
{
    const struct spread value = row_value(row);
    put_real(to, "value", value.median);
    put_real(to, "value_min", value.least);
    put_real(to, "value_max", value.most);
    put_real(to, "value_lower", value.lower);
    put_real(to, "value_upper", value.upper);
    put_samples("values", row->value, row->rounds, to);
}

static void put_times(const struct comparison *c, const struct row *row, struct node *to)
{
    const struct spread seconds = row_seconds(row), whole = row_whole(row);
    const double speedup = row_speedup(row, first_row(c));
    show_cell(put_real(to, "seconds", seconds.median), BOLD, "%s", seconds_text(seconds.median).text);
    show_cell(put_real(to, "seconds_min", seconds.least), DIM, "%s", seconds_text(seconds.least).text);
    show_cell(put_real(to, "seconds_max", seconds.most), DIM, "%s", seconds_text(seconds.most).text);
    put_real(to, "seconds_lower", seconds.lower);
    put_real(to, "seconds_upper", seconds.upper);
    show_cell(put_real(to, "whole", whole.median), PLAIN, "%s", seconds_text(whole.median).text);
    if (isfinite(speedup))
        show_cell(put_real(to, "speedup", speedup), PLAIN, "%.2f", speedup);
    else
        show_cell(put_none(to, "speedup"), PLAIN, "%s", "");
    put_row_rate(row, seconds.median, to);
    put_fraction(answer_number(row->answer, "least_bytes"), seconds.median, row->copy, "bandwidth_fraction", to);
    put_fraction(answer_number(row->answer, "operations"), seconds.median, row->arithmetic, "arithmetic_fraction", to);
}

static void put_row(const struct comparison *c, const struct row *row, struct node *table)
{
    struct node *to = put_object(table, NULL);
    if (row->series->name)
        show_value_cell(put_text(to, "series", row->series->name), PLAIN);
    show_value_cell(put_text(to, "device", row->devices), PLAIN);
    put_variant(row, to);
    if (row->answer && row->rounds) {
        put_times(c, row, to);
        put_agreement(c, row, to);
        put_samples("seconds_each", row->second, row->rounds, to);
        if (row->series->value)
            put_value(row, to);
        return;
    }
    for (int i = 0; i < TIMES; i++)
        CELL(to, "%s", "");
    show_cell(put_text(to, "reason", row->reason ? row->reason : "stopped before its turn"), DIM, "%s",
              row->reason ? row->reason : "stopped before its turn");
    put_none(to, "agrees");
}

/* With --variants all, variants that cannot run on a device appear only in JSON.  The text has one line for them. */
static void put_refused(const struct row *row, struct node *table)
{
    struct node *to = put_object(table, NULL);
    if (row->series->name)
        put_text(to, "series", row->series->name);
    put_text(to, "device", row->devices);
    put_text(to, "variant", row->variant);
    put_text(to, "reason", row->reason);
    put_none(to, "agrees");
}

static bool is_left_out(const struct row *row)
{
    return row->code == WRONG_USAGE && !row->answer && !strcmp(row->series->variants, "all");
}

static void print_refused(const struct comparison *c, struct node *to)
{
    struct mw_text text = { 0 };
    bool first = true;
    for (size_t i = 0; i < c->count; i++) {
        const struct row *row = &c->rows[i];
        const bool last = i + 1 == c->count || strcmp(row->devices, row[1].devices) != 0;
        if (is_left_out(row))
            mw_text_add(&text, "%s%s", text.length ? ", " : "", row->variant);
        if (!last || !text.length)
            continue;
        ROW(to, first ? "without" : "", "%s: %s", row->devices, text.data);
        first = false;
        mw_text_free(&text);
    }
    mw_text_free(&text);
}

static void put_task(const struct comparison *c, struct node *to)
{
    struct mw_text text = { 0 };
    for (size_t i = 0; i < c->arguments->count; i++) {
        mw_text_add(&text, "%s", i ? " " : "");
        text_shell_word(&text, c->file && !strcmp(c->arguments->item[i], c->file) ? "FILE" : c->arguments->item[i]);
    }
    show_value(put_text(to, "task", text.data ? text.data : ""), "task");
    mw_text_free(&text);
}

/* Reports the baseline and the rounds per median; rows of long runs have fewer rounds. */
static void print_rounds(const struct comparison *c, const struct row *first, struct node *to)
{
    struct mw_text text = { 0 };
    mw_text_add(&text, "relative to %s, %s; medians of %s", first->devices, first->variant,
                COUNTED(c->set->rounds, "round"));
    for (size_t i = 0; i < c->count; i++) {
        const struct row *row = &c->rows[i];
        if (row->answer && row->rounds > 0 && row->rounds < c->set->rounds)
            mw_text_add(&text, ", %zu of %s, %s", row->rounds, row->devices, row->variant);
    }
    ROW(to, "speed-up", "%s", text.data ? text.data : "");
    mw_text_free(&text);
}

void comparison_put(const struct comparison *c, struct node *to)
{
    const struct row *first = first_row(c);
    struct node *table;
    put_task(c, to);
    if (first)
        print_rounds(c, first, to);
    table = put_table(to, "rows",
                      c->series->name
                          ? "series|device|variant|>seconds|>least|>most|>with all|>speed-up|>rate|"
                            ">of a copy|>of arithmetic|~results"
                          : "device|variant|>seconds|>least|>most|>with all|>speed-up|>rate|>of a copy|>of arithmetic|"
                            "~results");
    for (size_t i = 0; i < c->count; i++)
        is_left_out(&c->rows[i]) ? put_refused(&c->rows[i], table) : put_row(c, &c->rows[i], table);
    print_refused(c, to);
}
/* SPDX-License-Identifier: MIT */

/* meshwork sweep: the table as a file. */
#include <math.h>

#include "tools/report/csv.h"
#include "tools/spin/spin.h"
#include "tools/sweep/sweep.h"

/* What is not known is left empty. */
static void add_real(struct text *text, double value)
{
    text_add(text, ",%s", isfinite(value) ? real_text(value).text : "");
}

static void add_row(const void *context, size_t row, struct text *text)
{
    const struct sweep *s = context;
    const struct sweep_size *z = &s->sizes[row / s->point_count];
    const size_t point = row % s->point_count;
    struct text reason = { 0 };

    text_add(text, "%s", size_text(&z->size, "x").text);
    add_real(text, s->points[point].value);
    for (size_t c = 0; c < sweep_column_count; c++) {
        const struct mw_spin_estimate e = sweep_estimate(s, row, c);
        add_real(text, e.value);
        add_real(text, e.error);
    }
    text_add(text, ",%zu", z->measured[point] * s->copies);
    if (sweep_is_measured(s, row))
        text_add(text, ",%d\n", spin_settled(sweep_settling(s, row), &reason));
    else
        text_add(text, ",\n");
    text_free(&reason);
}

int sweep_write(const struct sweep *s)
{
    struct text titles = { 0 };
    int rc;

    text_add(&titles, "size,%s", s->over);
    for (size_t c = 0; c < sweep_column_count; c++)
        text_add(&titles, ",%s,%s_error", sweep_columns[c].name, sweep_columns[c].name);
    text_add(&titles, ",samples,equilibrium");
    TRY(text_ok(&titles));
    TRY(csv_write(s->set->output, titles.data, sweep_rows(s), add_row, s));
out:
    text_free(&titles);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* meshwork sweep: the table as a file. */
#include <math.h>

#include "tools/report/csv.h"
#include "tools/spin/spin.h"
#include "tools/sweep/sweep.h"

static void sweep_write_add_row(const void *context, size_t row, struct mw_text *text)
{
    const struct sweep *s = context;
    const struct sweep_size *z = &s->sizes[row / s->point_count];
    const size_t point = row % s->point_count;
    struct mw_text reason = { 0 };
    mw_text_add(text, "%s", size_text(&z->size, "x").text);
    csv_real(text, s->points[point].value);
    if (s->set->fraction)
        csv_real(text, s->points[point].fraction);
    for (size_t c = 0; c < sweep_columns_of(s); c++) {
        const struct mw_spin_estimate e = sweep_estimate(s, row, c);
        csv_real(text, e.value);
        csv_real(text, e.error);
    }
    mw_text_add(text, ",%zu", z->measured[point] * s->copies);
    if (sweep_is_measured(s, row))
        mw_text_add(text, ",%d\n", spin_settled(sweep_settling(s, row), &reason));
    else
        mw_text_add(text, ",\n");
    mw_text_free(&reason);
}

int sweep_write(const struct sweep *s)
{
    struct mw_text titles = { 0 };
    int rc;
    mw_text_add(&titles, "size,%s%s", s->over, s->set->fraction ? ",fraction" : "");
    for (size_t c = 0; c < sweep_columns_of(s); c++)
        mw_text_add(&titles, ",%s,%s_error", sweep_columns[c].name, sweep_columns[c].name);
    mw_text_add(&titles, ",samples,equilibrium");
    TRY(mw_text_ok(&titles));
    TRY(csv_write(s->set->output, titles.data, sweep_rows(s), sweep_write_add_row, s));
out:
    mw_text_free(&titles);
    return rc;
}
/* SPDX-License-Identifier: MIT */

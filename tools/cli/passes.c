/* Timed passes. */
#include "tools/cli/passes.h"

#include <meshwork/program.h>

struct phase phase_begin(void) { return (struct phase){ mw_now(), mw_build_seconds() }; }

double phase_end(const struct phase *phase, double *build)
{
    const double built = mw_build_seconds() - phase->built;
    *build += built;
    return mw_now() - phase->start - built;
}

int passes_new(size_t count, struct passes *passes)
{
    passes->count = count;
    return mw_new(count, sizeof(*passes->seconds), &passes->seconds);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double reals_median(double *values, size_t n)
{
    qsort(values, n, sizeof(*values), by_value);
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

void passes_sort(struct passes *passes) { reals_median(passes->seconds, passes->count); }

double passes_median(const struct passes *passes)
{
    return 0.5 * (passes->seconds[(passes->count - 1) / 2] + passes->seconds[passes->count / 2]);
}

double passes_rate(const struct passes *passes, double work)
{
    const double seconds = passes_median(passes);
    return seconds > 0 ? work / seconds : 0;
}

void passes_report(const struct passes *passes, struct node *to)
{
    show_row(put_seconds(to, "seconds", passes_median(passes)), "seconds", "%.4g", passes_median(passes));
    if (passes->count > 1)
        ROW(to, "", "median of %zu, range %s to %s", passes->count, seconds_text(passes->seconds[0]).text,
            seconds_text(passes->seconds[passes->count - 1]).text);
}

/* ---- the common course ---- */

static int workflow_compute(void *task, const struct workflow_kind *kind, bool verify)
{
    struct workflow *t = task;
    TRY_RETURN(kind->compute(task));
    double start = mw_now();
    if (verify) {
        TRY_RETURN(kind->verify(task));
        t->verify = mw_now() - start;
    }
    start = mw_now();
    if (kind->write)
        TRY_RETURN(kind->write(task));
    t->output = mw_now() - start;
    return kind->report(task);
}

int workflow_run(void *task, const struct workflow_kind *kind, bool dry_run, bool verify)
{
    ((struct workflow *)task)->start = mw_now();
    int rc = kind->prepare(task);
    if (rc == 0)
        rc = dry_run ? kind->plan(task) : workflow_compute(task, kind, verify);
    kind->free(task);
    return rc;
}
/* SPDX-License-Identifier: MIT */

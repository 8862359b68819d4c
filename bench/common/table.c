#include "bench/common/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Prints a cell's text with a prefix and a suffix. */
static void cell(struct bench_table *t, const char *text)
{
    const int width = t->columns[t->at].width;
    bench_say(t->bench, "%s%*s", t->at ? " " : "", width, text);
    if (++t->at == t->count) {
        bench_say(t->bench, "\n");
        t->at = 0;
    }
}

struct bench_table bench_table(const struct bench *bench, const struct bench_column *columns, size_t count)
{
    struct bench_table t = { bench, columns, count, 0 };
    for (size_t i = 0; i < count; i++)
        cell(&t, columns[i].title);
    return t;
}

void bench_text(struct bench_table *table, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cell(table, text);
}

void bench_number(struct bench_table *table, double value)
{
    char text[64] = "";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.*f", table->columns[table->at].digits, value);
    cell(table, text);
}

void bench_spread_cells(struct bench_table *table, struct bench_spread spread, double times)
{
    bench_number(table, spread.median * times);
    bench_number(table, spread.least * times);
    bench_number(table, spread.most * times);
}

void bench_times(struct bench_table *table, const struct bench_contender *c)
{
    bench_spread_cells(table, bench_seconds(c), 1e3);
}

void bench_rates(struct bench_table *table, const struct bench_contender *c, double each)
{
    const struct bench_spread s = bench_seconds(c);
    const struct bench_spread rates = { each / s.median, each / s.most, each / s.least };
    bench_spread_cells(table, rates, 1e-6);
}
/* SPDX-License-Identifier: MIT */

/* Prints tables with aligned columns, cell by cell, as results become available. */
#ifndef TABLE_H
#define TABLE_H

#include "bench/common/contest.h"

/* A column.  Negative width: text, left-aligned; otherwise numbers with this many decimals.  0: text of any length at
 * the end of a row. */
struct bench_column {
    const char *title;
    int width, digits;
};

struct bench_table {
    const struct bench *bench;
    const struct bench_column *columns;
    size_t count, at;
};

/* Prints the titles.  Prints no table at all if lines are requested. */
struct bench_table bench_table(const struct bench *bench, const struct bench_column *columns, size_t count);
#define BENCH_TABLE(bench, columns) bench_table(bench, columns, MW_COUNT(columns))

/* Prints the next cell of the row. */
void bench_text(struct bench_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* NaN: leaves the cell empty. */
void bench_number(struct bench_table *table, double value);

/* Prints three cells: median, least and most, times a factor. */
void bench_spread_cells(struct bench_table *table, struct bench_spread spread, double times);
#define BENCH_SPREAD(title, width, digits)                                                                             \
    { title, width, digits }, { "least", width, digits }, { "most", width, digits }
/* Columns for a contender's milliseconds. */
#define BENCH_TIMES BENCH_SPREAD("ms", 9, 3)
/* Prints a contender's milliseconds in the three cells of BENCH_TIMES. */
void bench_times(struct bench_table *table, const struct bench_contender *c);
/* Prints millions per second, for `each` per pass. */
void bench_rates(struct bench_table *table, const struct bench_contender *c, double each);

#endif
/* SPDX-License-Identifier: MIT */

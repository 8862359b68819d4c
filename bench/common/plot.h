/* A plot of lines over logarithmic axes, drawn as the command draws its own. */
#ifndef PLOT_H
#define PLOT_H

#include <stdbool.h>
#include <stddef.h>

#define BENCH_POINTS_MAX 16

struct bench_line {
    char who[80], how[32]; /* `who` determines colour and point type, `how` the dash; each is in the key once */
    bool thin;             /* reference line: gray, without points */
    size_t count;
    double x[BENCH_POINTS_MAX], y[BENCH_POINTS_MAX]; /* above 0; y is NaN if unknown */
};
struct bench_plot {
    const char *title, *x, *y;
    const struct bench_line *lines;
    size_t count;
};

/* Exits if the file (.png, .svg or .pdf) cannot be drawn. */
void bench_plot_check(const char *file);
void bench_plot_draw(const char *file, const struct bench_plot *plot);

#endif
/* SPDX-License-Identifier: MIT */

/* meshwork report: a page of what `meshwork bench` measured. */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/cli/text.h"

enum { NAMES_MOST = 64 };        /* devices and variants of a suite */

/* ---- results.c: what a file of results holds; texts belong to its JSON ---- */

struct timed { double median, least, most; };
struct result {
    size_t device, variant;      /* their places in the suite's lists */
    const char *chosen, *draws;  /* by which variant; which random numbers; NULL: none */
    const char *reason, *differs, *unit;             /* NULL: none; a reason: it has no times */
    struct timed seconds;
    double whole, speedup, rate, fraction, arithmetic;       /* NaN: not known */
    bool agrees, alone;          /* alone: there is nothing that it could agree with */
};
struct sized {
    double x;
    double steps;                /* of the task, whose numbers differ from size to size; 1: it has none */
    const char *task;
    struct result *item;
    size_t count;
};
struct measured {
    const char *name, *title, *source, *x;
    const char *devices[NAMES_MOST], *variants[NAMES_MOST];
    size_t device_count, variant_count;
    const char *picture, *picture_task;  /* a PNG in base64, and what made it; NULL: none */
    bool has_steps;              /* seconds of different sizes are compared for a step */
    struct sized *cases;         /* from small to large */
    size_t count;
};
struct results {
    json_t *root;
    const char *version;
    struct measured *suites;
    size_t count;
};
/* MW_EDATA: it is not what `meshwork bench` writes, and where not. */
int results_read(const char *path, struct results *results);
void results_free(struct results *results);
/* NULL: it has not been tried, or has no times. */
const struct result *result_of(const struct sized *of, size_t device, size_t variant);
/* The seconds of a result, of the task alone or with all. */
double result_seconds(const struct result *result, bool whole);
/* The fastest of a size, of those that `is_meant` says; NULL: none. */
typedef bool result_is_meant(const struct measured *suite, const struct result *result, const void *context);
const struct result *fastest_of(const struct measured *suite, const struct sized *of, bool whole,
                                result_is_meant *is_meant, const void *context);

/* ---- html.c ---- */

/* Appends a text with all that HTML and XML would read as their own escaped. */
void html_text(struct mw_text *to, const char *text);
/* Cells of a table's row; of a number. */
void html_cell(struct mw_text *to, const char *format, ...) MW_PRINTF(2, 3);
void html_number(struct mw_text *to, const char *format, ...) MW_PRINTF(2, 3);
/* A size: "1 048 576". */
struct digits { char text[64]; };
struct digits digits_text(double x);
void html_begin(struct mw_text *to, const char *title);
void html_end(struct mw_text *to);

/* ---- parts of the page ---- */

void page_machine(const struct results *results, struct mw_text *to);
/* A table of all suites, each with where it stands. */
void page_contents(const struct results *results, struct mw_text *to);
int page_suite(const struct measured *suite, size_t number, bool plots, struct mw_text *to);
/* "native:serial by runs" */
void page_name(const struct measured *suite, const struct result *result, struct mw_text *to);
/* How good what auto chose is, over all suites. */
void page_choices(const struct results *results, struct mw_text *to);
/* Which device is the fastest from which size on; exponents of power laws; what the papers state, and what is here. */
void page_fastest(const struct measured *suite, struct mw_text *to);
int page_slopes(const struct measured *suite, struct mw_text *to);
int page_papers(const struct measured *suite, struct mw_text *to);
/* An exponent of seconds over sizes; NaN: of fewer than three sizes. */
int slope_of(const struct measured *suite, size_t device, size_t variant, double *exponent, double *error);
/* What a plot shows: the task alone by the first variant of each device, which is auto's, or by all; and the first with
 * all of the work. */
enum plot_kind { PLOT_FIRST, PLOT_VARIANTS, PLOT_WHOLE };
/* Appends a plot as SVG; `number` makes names in it unique in the page. */
int page_plot(const struct measured *suite, size_t number, enum plot_kind kind, struct mw_text *to);

#endif
/* SPDX-License-Identifier: MIT */

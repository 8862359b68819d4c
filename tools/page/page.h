/* meshwork report: a page of results of `meshwork bench`. */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/cli/text.h"

enum { NAMES_MOST = 64 }; /* maximum devices, and variants, of a suite */

/* ---- results.c: the contents of a results file; texts belong to its JSON ---- */

/* Seconds over the rounds of a measurement. */
struct timed {
    double median, least, most;
};
/* The result of one device and variant at one size. */
struct result {
    size_t device, variant;              /* indices in the suite's lists */
    const char *chosen, *draws;          /* variant chosen by auto; name of the random numbers; NULL: none */
    const char *reason, *differs, *unit; /* NULL: none; with a reason there are no times */
    struct timed seconds;
    double whole, speedup, rate, fraction, arithmetic; /* NaN: unknown */
    bool agrees, alone;                                /* alone: no other row to agree with */
};
/* The results at one size of a suite. */
struct sized {
    double x;     /* the size */
    double steps; /* steps of the task, if they differ between sizes; otherwise 1 */
    const char *task;
    struct result *item;
    size_t count;
};
/* A suite with its results. */
struct measured {
    const char *name, *title, *source, *x;
    const char *devices[NAMES_MOST], *variants[NAMES_MOST];
    size_t device_count, variant_count;
    const char *picture, *picture_task; /* PNG in base64, and its task; NULL: none */
    bool has_steps;                     /* sizes are compared by seconds per step */
    struct sized *cases;                /* in ascending order */
    size_t count;
};
/* The contents of a results file. */
struct results {
    json_t *root;
    const char *version;
    struct measured *suites;
    size_t count;
};
/* Reads a results file.  MW_EDATA: the message gives the invalid place. */
int results_read(const char *path, struct results *results);
void results_free(struct results *results);
/* Returns the result of a device and a variant, indices in the suite's lists, at a size; NULL: not run, or without
 * times. */
const struct result *result_of(const struct sized *of, size_t device, size_t variant);
/* Returns the median seconds of a result: of the task alone, or with `whole` of the whole run. */
double result_seconds(const struct result *result, bool whole);
/* Returns whether fastest_of is to consider a result. */
typedef bool result_is_meant(const struct measured *suite, const struct result *result, const void *context);
/* Returns the fastest result at a size among those accepted by `is_meant`; NULL: none. */
const struct result *fastest_of(const struct measured *suite, const struct sized *of, bool whole,
                                result_is_meant *is_meant, const void *context);

/* ---- html.c ---- */

/* Appends a text, escaped for HTML and XML. */
void html_text(struct mw_text *to, const char *text);
/* Appends a table cell with escaped text. */
void html_cell(struct mw_text *to, const char *format, ...) MW_PRINTF(2, 3);
/* Appends a table cell for a number, aligned right. */
void html_number(struct mw_text *to, const char *format, ...) MW_PRINTF(2, 3);
struct digits {
    char text[64];
};
/* Formats a size with groups of three digits: "1 048 576". */
struct digits digits_text(double x);
/* Appends the start of a page, with its head. */
void html_begin(struct mw_text *to, const char *title);
/* Appends the end of a page. */
void html_end(struct mw_text *to);

/* ---- parts of the page ---- */

/* Appends a section on the machine and its devices. */
void page_machine(const struct results *results, struct mw_text *to);
/* Appends a table of all suites with their fastest results. */
void page_contents(const struct results *results, struct mw_text *to);
/* Appends the section of suite `number`: its tables, and its plots if `plots`. */
int page_suite(const struct measured *suite, size_t number, bool plots, struct mw_text *to);
/* Appends the device and variant of a result, as in "native:serial by runs". */
void page_name(const struct measured *suite, const struct result *result, struct mw_text *to);
/* Appends the quality of auto's choices over all suites. */
void page_choices(const struct results *results, struct mw_text *to);
/* Appends the fastest device per size. */
void page_fastest(const struct measured *suite, struct mw_text *to);
/* Appends the exponents of power laws of seconds over sizes. */
int page_slopes(const struct measured *suite, struct mw_text *to);
/* Appends a table of numbers stated in the papers next to our results. */
int page_papers(const struct measured *suite, struct mw_text *to);
/* Fits the exponent of a power law of seconds over sizes, and its error; NaN: too few sizes. */
int slope_of(const struct measured *suite, size_t device, size_t variant, double *exponent, double *error);
/* What a plot shows. */
enum plot_kind {
    PLOT_FIRST,    /* seconds of the task alone, with the first variant (auto) of each device */
    PLOT_VARIANTS, /* seconds of the task alone, with all variants */
    PLOT_WHOLE     /* seconds of the whole run, with the first variant of each device */
};
/* Appends a plot as SVG; `number` makes its names unique in the page. */
int page_plot(const struct measured *suite, size_t number, enum plot_kind kind, struct mw_text *to);

#endif
/* SPDX-License-Identifier: MIT */

/* meshwork report: a page of results of `meshwork bench`. */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/cli/text.h"

enum { NAMES_MOST = 64 }; /* maximum devices, and variants, of a suite */

/* ---- results.c: the contents of a results file; texts belong to its JSON ---- */

struct timed {
    double median, least, most;
};
struct result {
    size_t device, variant;              /* indices in the suite's lists */
    const char *chosen, *draws;          /* variant chosen by auto; name of the random numbers; NULL: none */
    const char *reason, *differs, *unit; /* NULL: none; with a reason there are no times */
    struct timed seconds;
    double whole, speedup, rate, fraction, arithmetic; /* NaN: unknown */
    bool agrees, alone;                                /* alone: no other row to agree with */
};
struct sized {
    double x;
    double steps; /* steps of the task, if they differ between sizes; otherwise 1 */
    const char *task;
    struct result *item;
    size_t count;
};
struct measured {
    const char *name, *title, *source, *x;
    const char *devices[NAMES_MOST], *variants[NAMES_MOST];
    size_t device_count, variant_count;
    const char *picture, *picture_task; /* PNG in base64, and its task; NULL: none */
    bool has_steps;                     /* sizes are compared by seconds per step */
    struct sized *cases;                /* in ascending order */
    size_t count;
};
struct results {
    json_t *root;
    const char *version;
    struct measured *suites;
    size_t count;
};
/* Reads a results file.  MW_EDATA: the message gives the invalid place. */
int results_read(const char *path, struct results *results);
void results_free(struct results *results);
/* Returns a result; NULL: not run, or without times. */
const struct result *result_of(const struct sized *of, size_t device, size_t variant);
/* Returns the seconds of a result: of the task alone, or the total. */
double result_seconds(const struct result *result, bool whole);
/* Returns the fastest result of a size among those accepted by `is_meant`; NULL: none. */
typedef bool result_is_meant(const struct measured *suite, const struct result *result, const void *context);
const struct result *fastest_of(const struct measured *suite, const struct sized *of, bool whole,
                                result_is_meant *is_meant, const void *context);

/* ---- html.c ---- */

/* Appends a text, escaped for HTML and XML. */
void html_text(struct mw_text *to, const char *text);
/* Append a table cell, and a cell of a number. */
void html_cell(struct mw_text *to, const char *format, ...) MW_PRINTF(2, 3);
void html_number(struct mw_text *to, const char *format, ...) MW_PRINTF(2, 3);
/* Formats a size: "1 048 576". */
struct digits {
    char text[64];
};
struct digits digits_text(double x);
void html_begin(struct mw_text *to, const char *title);
void html_end(struct mw_text *to);

/* ---- parts of the page ---- */

void page_machine(const struct results *results, struct mw_text *to);
/* Appends a table of all suites with their fastest results. */
void page_contents(const struct results *results, struct mw_text *to);
int page_suite(const struct measured *suite, size_t number, bool plots, struct mw_text *to);
/* Appends "native:serial by runs". */
void page_name(const struct measured *suite, const struct result *result, struct mw_text *to);
/* Appends the quality of auto's choices over all suites. */
void page_choices(const struct results *results, struct mw_text *to);
/* Append the fastest device per size; exponents of power laws; statements of the papers next to results. */
void page_fastest(const struct measured *suite, struct mw_text *to);
int page_slopes(const struct measured *suite, struct mw_text *to);
int page_papers(const struct measured *suite, struct mw_text *to);
/* Fits an exponent of seconds over sizes; NaN: fewer than three sizes. */
int slope_of(const struct measured *suite, size_t device, size_t variant, double *exponent, double *error);
/* Plots: the task alone with the first variant (auto) of each device, or with all variants; the total time with the
 * first variant. */
enum plot_kind { PLOT_FIRST, PLOT_VARIANTS, PLOT_WHOLE };
/* Appends a plot as SVG; `number` makes its names unique in the page. */
int page_plot(const struct measured *suite, size_t number, enum plot_kind kind, struct mw_text *to);

#endif
/* SPDX-License-Identifier: MIT */

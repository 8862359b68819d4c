/* meshwork report: a page of results of `meshwork bench`. */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/figures.h"
#include "tools/cli/text.h"
#include "tools/report/numbers.h"

/* ---- results.c: the contents of a results file; texts belong to its JSON ---- */

enum { CURVES_MOST = 64 };

/* Measured numbers of one kind over the rounds of a row. */
struct timed {
    double median, lower, upper, least, most; /* lower, upper: quartiles */
};
/* A curve of a figure: a line on a device with a variant. */
struct curve {
    const char *line, *device, *variant;
    bool several_devices, several_variants; /* the line has curves on other devices, by other variants */
};
/* The result of a curve at one size. */
struct result {
    size_t curve;
    const char *chosen, *draws;          /* variant chosen by auto; name of the random numbers; NULL: none */
    const char *reason, *differs, *unit; /* NULL: none; with a reason there are no numbers */
    struct timed shown;                  /* seconds, or seconds per step, or the value that the figure shows */
    double *each;                        /* per round; owned */
    size_t rounds;
    double rate, fraction, arithmetic; /* NaN: unknown */
    bool agrees, alone;                /* alone: no other row to agree with */
};
/* The results at one size of a figure. */
struct sized {
    double x;
    const char *task;
    struct result *item;
    size_t count;
};
/* A figure with its results. */
struct measured {
    const char *suite, *name, *title, *paper, *x, *shows;
    const struct figure *known; /* its statements; NULL: unknown to this version */
    bool values;                /* shows values, not seconds */
    struct curve curves[CURVES_MOST];
    size_t curve_count;
    const char *picture, *picture_task; /* PNG in base64, and its task; NULL: none */
    bool has_steps;                     /* seconds are per step */
    struct sized *cases;                /* in ascending order */
    size_t count;
    const json_t *left_out;
};
/* The contents of a results file. */
struct results {
    json_t *root;
    const char *version;
    struct measured *figures;
    size_t count;
};
/* Reads a results file.  MW_EDATA: the message gives the invalid place. */
int results_read(const char *path, struct results *results);
void results_free(struct results *results);
/* Returns the result of a curve at a size; NULL: not run, or without numbers. */
const struct result *result_of(const struct sized *of, size_t curve);
/* Returns whether a device, or the first of several, is a GPU. */
bool is_gpu(const struct results *results, const char *names);

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
/* Appends the list of figures. */
void page_contents(const struct results *results, struct mw_text *to);
/* Appends the section of figure `number`: its tables, and its plot if `plots`. */
int page_figure(const struct results *results, size_t number, bool plots, struct mw_text *to);
/* Appends the quality of auto's choices over all figures. */
void page_choices(const struct results *results, struct mw_text *to);
/* Returns "factor", "exponent" and so on. */
const char *claim_kind_name(enum claim_kind kind);
/* Appends our counterpart of a number stated in the paper as plain text: from the lines that it names, and by what
 * meshwork chooses today (only factors; otherwise nothing). */
int claim_ours(const struct results *results, const struct measured *figure, const struct claim *claim,
               struct mw_text *to);
int claim_today(const struct results *results, const struct measured *figure, const struct claim *claim,
                struct mw_text *to);
/* Appends a table of numbers stated in the paper next to our results. */
int page_claims(const struct results *results, const struct measured *figure, struct mw_text *to);
/* Appends the exponents of power laws of all curves. */
int page_exponents(const struct measured *figure, struct mw_text *to);
/* Fits the exponent of a power law to all rounds at sizes of a range, and its error from the scatter.  NaN: fewer than
 * five sizes, or fewer than three rounds. */
int exponent_of(const struct measured *figure, size_t curve, double from, double to, double *exponent, double *error);
/* Returns the label of a curve: its line, and its device and variant if the line has several. */
struct label {
    char text[120];
};
struct label curve_label(const struct measured *figure, size_t curve);
/* Formats a number that a figure shows. */
struct short_text shown_text(const struct measured *figure, double value);
/* Appends a plot as SVG; `number` makes its names unique in the page. */
int page_plot(const struct measured *figure, size_t number, struct mw_text *to);

#endif
/* SPDX-License-Identifier: MIT */

/* meshwork bench: the experiments of the papers, one suite each, as comparisons over several sizes. */
#ifndef TOOLS_BENCH_H
#define TOOLS_BENCH_H

#include "tools/bench/figures.h"
#include "tools/compare/compare.h"
#include "tools/report/report.h"

struct bench_settings {
    struct compare_settings compare;
    double budget;
    bool full;
    const char *output, *with;
};

struct document;
struct pair;

/* The current state. */
struct bench {
    const struct bench_settings *set;
    struct compare_settings compare;
    struct workers workers;
    struct document *document;
    char *devices; /* selector of the devices for lines ON_DEVICES */
    bool has_tbb;
    size_t gpus;                            /* number of GPUs */
    char *all_gpus;                         /* selector of all GPUs together; NULL: fewer than two */
    char *file;                             /* file prepared for cases; NULL: none yet */
    bool unlimited;                         /* no budget */
    bool again;                             /* measure marked cases only */
    double end;                             /* end of the budget */
    size_t figures, number, cases, of_case; /* totals, and the current ones */
    const struct figure *figure;
    int verdict; /* MW_EVERIFY: rows have different results */
    bool stopped;
};

/* ---- measure.c ---- */

/* Runs the sizes of a figure that fit into its share of the budget: a part of the time that is left for `left`
 * figures. */
int bench_figure(struct bench *b, const struct figure *figure, size_t left);

/* ---- choice.c: operands ---- */

/* Prints all figures with their networks, sizes and lines. */
int figures_list(void);
/* MW_EINVAL: no suite or figure of that name. */
int figures_check_names(const struct words *names);
bool figure_is_wanted(const struct figure *figure, const struct words *names);
/* Returns whether the rates of the devices are wanted. */
bool figures_want_stream(const struct words *names);

/* ---- document.c: results as JSON, written to disk after every case ---- */

/* Opens a results file to continue it; a missing file or NULL starts a new document with the machine and its devices,
 * listed by workers.  MW_EINVAL: results of another version or of other devices. */
int document_open(const char *path, const char *devices, uint64_t rounds, struct workers *workers,
                  struct document **document);
/* Reads a JSON file.  MW_EIO, MW_EDATA. */
int document_read(const char *path, struct json_t **root);
/* Returns a text member of an object; "" if missing. */
const char *text_at(const struct json_t *root, const char *key);
/* MW_EDATA: the file has no results. */
int document_check(const char *path);
void document_free(struct document *document);
/* Measures the missing rates of devices; prints all and writes the file (NULL: none). */
int document_speeds(const struct document *document, const char *path, struct workers *workers);
/* Returns whether a figure has its picture or needs none; adds one: its task, and a PNG in base64. */
bool document_has_picture(const struct document *document, const struct figure *figure);
int document_add_picture(struct document *document, const char *path, const struct figure *figure, const char *task,
                         const char *png);
/* Marks a pair's case, which is then measured again. */
int document_mark(struct document *document, const struct pair *pair);
bool document_is_marked(const struct document *document, const struct figure *figure, double x);
/* Returns the time that a case took; NaN: not measured. */
double document_took(const struct document *document, const struct figure *figure, double x);
/* Adds a case with its results and writes the file (NULL: none). If the case is there, only the times of its rows are
 * added, for comparisons, and its mark is removed. */
int document_add(struct document *document, const char *path, const struct figure *figure, const struct node *results);
/* Replaces the list of sizes that were left out, and writes the file. */
int document_leave_out(struct document *document, const char *path, const struct figure *figure, const double *x,
                       size_t count);
/* Prints the document as the result. */
int document_print(const struct document *document);
/* A row contained in two documents: its seconds in both. */
struct pair {
    const char *suite, *figure, *series, *device;
    double x, now[ROUNDS_MAX], before[ROUNDS_MAX];
    size_t now_count, before_count;
};
typedef int document_pair(struct pair *pair, void *context);
int document_each_pair(const struct document *document, const char *path, document_pair *visit, void *context);

/* ---- files.c: files of the figures' tasks ---- */

/* Makes an empty temporary file with this suffix.  The caller frees *path. */
int bench_file(const char *suffix, char **path);
/* Reads a file as base64; NULL: missing, or too large for a page. */
int bench_base64(const char *path, char **text);

/* ---- changes.c ---- */

/* Marks the cases with rows that became faster or slower since other results, beyond the scatter of both; counts these
 * rows. */
int document_mark_changes(struct document *document, const char *path, size_t *count);
/* Reports such rows. */
int document_changes(struct document *document, const char *path, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

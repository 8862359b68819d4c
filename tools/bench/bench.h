/* meshwork bench: the papers' experiments, a suite each, as comparisons over several sizes. */
#ifndef TOOLS_BENCH_H
#define TOOLS_BENCH_H

#include "tools/compare/compare.h"
#include "tools/report/report.h"

/* ---- suites.c ---- */

enum { CASES_MOST = 8, CASES_LEAST = 3 };        /* sizes of a suite; those that every budget has time for */

/* A size: what grows, and what stands in the task for %1, %2 ..., as words behind one another. */
struct suite_case { double x; const char *words; bool full; /* the papers' own, too large for a short bench */ };
/* What a paper states as numbers, and what of our results stands beside it: how many times as fast as native:serial the
 * fastest is, a device is by a variant, native:pthreads, several devices are together; how many times as long a device
 * takes by a variant as by another; the exponents of power laws; the fastest rate. */
enum figure_kind { FIGURE_SPEEDUP, FIGURE_THREADS, FIGURE_TOGETHER, FIGURE_RATIO, FIGURE_SLOPES, FIGURE_RATE };
struct suite_figure {
    const char *words, *source;
    enum figure_kind kind;
    const char *variant, *than;  /* NULL: any; of FIGURE_RATIO both */
};
enum { FIGURES_MOST = 5 };

struct suite {
    const char *name, *title;
    const char *source;          /* the paper's figures and tables */
    const char *x;               /* what grows, with its unit */
    const char *variants;        /* as --variants */
    const char *prepare;         /* a task before each case, which makes the file %F; NULL: none */
    const char *task;
    struct suite_case cases[CASES_MOST + 1];
    struct suite_figure figures[FIGURES_MOST + 1];
    const char *picture;         /* a task that writes a picture %F of what the suite computes; NULL: none */
};
extern const struct suite suites[];              /* ended by one without a name */
/* A word of a task with what stands in it for a case, and the file's name for %F; the caller's to free. */
int suite_word(const char *word, const struct suite_case *of, const char *file, char **made);

/* ---- document.c: results as JSON, on disk after every case ---- */

struct document;
/* Reads a file of results to go on with, or where there is none (or path is NULL) starts with the machine's, whose
 * devices workers measure.  MW_EINVAL: it is of another version of meshwork, or of other devices. */
int document_open(const char *path, const char *devices, struct workers *workers, struct document **document);
/* Reads a file as JSON.  MW_EIO, MW_EDATA. */
int document_read(const char *path, struct json_t **root);
/* A text of an object; "": there is none. */
const char *text_at(const struct json_t *root, const char *key);
/* MW_EDATA: there are no results in a file. */
int document_check(const char *path);
void document_free(struct document *document);
/* Adds what its devices can do; prints it and writes the file (NULL: none). */
int document_speeds(const struct document *document, struct speeds *speeds);
int document_keep_speeds(const struct document *document, const char *path);
/* Whether a suite has a picture, or needs none; and adds one: a task, and a PNG in base64. */
bool document_has_picture(const struct document *document, const struct suite *suite);
int document_add_picture(struct document *document, const char *path, const struct suite *suite, const char *task,
                         const char *png);
/* How long a case of a suite took; NaN: it has none of that size. */
double document_took(const struct document *document, const struct suite *suite, double x);
/* Adds a case with its results, and writes the file (NULL: none). */
int document_add(struct document *document, const char *path, const struct suite *suite, const struct node *results);
/* Prints it as results. */
int document_print(const struct document *document);
/* Rows that it has in common with other results: their seconds. */
struct pair {
    const char *suite, *device, *variant;
    double x, now[ROUNDS_MAX], before[ROUNDS_MAX];
    size_t now_count, before_count;
};
typedef int document_pair(struct pair *pair, void *context);
int document_each_pair(const struct document *document, const char *path, document_pair *visit, void *context);

/* ---- files.c: what suites' tasks write ---- */

/* Makes an empty file with this suffix in the folder for temporary ones; the name is the caller's. */
int bench_file(const char *suffix, char **path);
/* What a file holds, in base64; NULL: there is none, or it is larger than a page should have. */
int bench_base64(const char *path, char **text);

/* ---- changes.c ---- */

/* Says what got faster or slower since other results, beyond what the samples of both vary by. */
int document_changes(const struct document *document, const char *path, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

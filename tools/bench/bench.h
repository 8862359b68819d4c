/* meshwork bench: the experiments of the papers, one suite each, as comparisons over several sizes. */
#ifndef TOOLS_BENCH_H
#define TOOLS_BENCH_H

#include "tools/compare/compare.h"
#include "tools/report/report.h"

/* ---- suites.c ---- */

enum { CASES_MOST = 8, CASES_LEAST = 3 }; /* maximum number of sizes; number measured with any budget */

/* A size: its value, and the words that replace %1, %2 and so on in the task. */
struct suite_case {
    double x;
    const char *words;
    bool full; /* size of the paper, too large for a short bench */
};
/* A number stated in a paper, and the kind of our result for comparison.  Speed-ups over native:serial: of the fastest
 * device (or by a variant), of native:pthreads, of several devices together.  Ratio of two variants on a device;
 * exponents of power laws; the fastest rate. */
enum figure_kind { FIGURE_SPEEDUP, FIGURE_THREADS, FIGURE_TOGETHER, FIGURE_RATIO, FIGURE_SLOPES, FIGURE_RATE };
struct suite_figure {
    const char *words, *source;
    enum figure_kind kind;
    const char *variant, *than; /* NULL: any; FIGURE_RATIO needs both */
};
enum { FIGURES_MOST = 5 };

struct suite {
    const char *name, *title;
    const char *source;   /* figures and tables of the paper */
    const char *x;        /* the growing quantity with its unit */
    const char *variants; /* in the form of --variants */
    const char *prepare;  /* a task that makes the file %F before each case; NULL: none */
    const char *task;
    struct suite_case cases[CASES_MOST + 1];
    struct suite_figure figures[FIGURES_MOST + 1];
    const char *picture; /* a task that writes a picture %F of the suite's subject; NULL: none */
};
extern const struct suite suites[]; /* ends with an unnamed one */
/* Replaces %1, %2 and %F in a word of a task.  The caller frees *made. */
int suite_word(const char *word, const struct suite_case *of, const char *file, char **made);

/* ---- document.c: results as JSON, written to disk after every case ---- */

struct document;
/* Opens a results file to continue it; a missing file or NULL starts a new document with the machine and its devices,
 * listed by workers.  MW_EINVAL: results of another version or of other devices. */
int document_open(const char *path, const char *devices, struct workers *workers, struct document **document);
/* Reads a JSON file.  MW_EIO, MW_EDATA. */
int document_read(const char *path, struct json_t **root);
/* Returns a text member of an object; "" if missing. */
const char *text_at(const struct json_t *root, const char *key);
/* MW_EDATA: the file has no results. */
int document_check(const char *path);
void document_free(struct document *document);
/* Measures the rates of the devices; prints them and writes the file (NULL: none). */
int document_speeds(const struct document *document, struct speeds *speeds);
int document_keep_speeds(const struct document *document, const char *path);
/* Returns whether a suite has its picture or needs none; adds one: its task, and a PNG in base64. */
bool document_has_picture(const struct document *document, const struct suite *suite);
int document_add_picture(struct document *document, const char *path, const struct suite *suite, const char *task,
                         const char *png);
/* Returns the time that a case took; NaN: not measured. */
double document_took(const struct document *document, const struct suite *suite, double x);
/* Adds a case with its results and writes the file (NULL: none). */
int document_add(struct document *document, const char *path, const struct suite *suite, const struct node *results);
/* Prints the document as the result. */
int document_print(const struct document *document);
/* A row contained in two documents: its seconds in both. */
struct pair {
    const char *suite, *device, *variant;
    double x, now[ROUNDS_MAX], before[ROUNDS_MAX];
    size_t now_count, before_count;
};
typedef int document_pair(struct pair *pair, void *context);
int document_each_pair(const struct document *document, const char *path, document_pair *visit, void *context);

/* ---- files.c: files of the suites' tasks ---- */

/* Makes an empty temporary file with this suffix.  The caller frees *path. */
int bench_file(const char *suffix, char **path);
/* Reads a file as base64; NULL: missing, or too large for a page. */
int bench_base64(const char *path, char **text);

/* ---- changes.c ---- */

/* Reports rows that became faster or slower since other results, beyond the scatter of both. */
int document_changes(const struct document *document, const char *path, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

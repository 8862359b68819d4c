/* SPDX-License-Identifier: MIT */
/* The papers' figures and tables as experiments: each is a task at several sizes, with one series per line of the
 * figure.  Suites are groups of figures with the same subject. */
#ifndef TOOLS_FIGURES_H
#define TOOLS_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/report/numbers.h"

struct paper {
    const char *authors, *title, *doi; /* doi: NULL: unknown */
    int year;
};

enum { SIZES_MOST = 20, LINES_MOST = 14, CLAIMS_MOST = 10 };

/* Where a line of a figure runs: on native:serial, as the papers' programs for one core; on native:pthreads; on
 * native:tbb; on each device of --devices; on all GPUs together. */
enum where { ON_CORE, ON_THREADS, ON_TBB, ON_DEVICES, ON_GPUS };

struct line {
    const char *name; /* as in the paper */
    enum where where;
    const char *variant; /* in the form of --variant; NULL: auto */
    const char *more;    /* further words of the task; NULL: none */
    const char *value;   /* key of the result that this line shows; NULL: the figure's */
};
/* A line of a variant alone; one with all members. */
#define LINE(name, where, variant) LINE_OF(name, where, variant, NULL, NULL)
#define LINE_OF(name, where, variant, more, value)                                                                     \
    {                                                                                                                  \
        name, where, variant, more, value                                                                              \
    }

/* A size: its value, and the words that replace %1, %2 and so on in the task. */
struct figure_size {
    double x;
    const char *words;
    bool full; /* only with --full */
};

/* A size whose word is its number; of a square mesh; of one with a number of steps; with further words.  FULL: only
 * with --full. */
#define SIZE_OF(x, words, full)                                                                                        \
    {                                                                                                                  \
        x, words, full                                                                                                 \
    }
#define SIZE(n) SIZE_OF(n, #n, false)
#define FULL(n) SIZE_OF(n, #n, true)
#define SQUARE(n) SIZE_OF(n, #n "x" #n, false)
#define FULL_SQUARE(n) SIZE_OF(n, #n "x" #n, true)
#define PLANE(n, steps) SIZE_OF(n, #n "x" #n " " #steps, false)
#define FULL_PLANE(n, steps) SIZE_OF(n, #n "x" #n " " #steps, true)
#define WITH(n, words) SIZE_OF(n, #n " " words, false)
#define FULL_WITH(n, words) SIZE_OF(n, #n " " words, true)

/* A number stated in the paper, and how ours is made from the lines:
 * - CLAIM_FACTOR: seconds of `than` divided by those of `of`, at the largest size of the range;
 * - CLAIM_EXPONENT: the exponent of a power law of `of` over the sizes of the range;
 * - CLAIM_CHANGE: per cent by which `of` takes longer than `than`, at the largest size of the range;
 * - CLAIM_CUBE: 1e9 times a, for seconds a x^3 fitted by least squares over the range;
 * - CLAIM_SECONDS: seconds of `of` at the largest size of the range;
 * - CLAIM_VALUE: the value of `of` at the largest size of the range. */
enum claim_kind { CLAIM_FACTOR, CLAIM_CHANGE, CLAIM_EXPONENT, CLAIM_CUBE, CLAIM_SECONDS, CLAIM_VALUE };
#define NO_LIMIT 1e300
struct claim {
    const char *words, *place; /* the statement, and where the paper makes it */
    enum claim_kind kind;
    const char *of, *than; /* names of lines; than: only for CLAIM_FACTOR and CLAIM_CHANGE */
    double from, to;       /* range of sizes; to = 0: unbounded */
    double least, most;    /* the paper's number, or its range (most may be NO_LIMIT); both 0: it prints none */
};
#define CLAIM_OF(words, place, kind, of, than, from, to, least, most)                                                  \
    {                                                                                                                  \
        words, place, kind, of, than, from, to, least, most                                                            \
    }
/* The exponent of a line from a size on. */
#define EXPONENT(place, of, from, number)                                                                              \
    CLAIM_OF("exponent " #number ": " of, place, CLAIM_EXPONENT, of, NULL, from, 0, number, number)

/* The name of a last line, which timed figures get: the variant that meshwork chooses. */
#define LINE_TODAY "meshwork today"

struct figure {
    const char *suite, *name; /* as in "components", "figure 15" */
    const struct paper *paper;
    const char *title;
    const char *x;       /* the growing quantity */
    const char *value;   /* key of the result that the figure shows; NULL: seconds */
    const char *shows;   /* its name for people */
    const char *divisor; /* equation 3 of Leist et al.: seconds are divided by this key of the result and multiplied by
                          * its mean; NULL: none */
    bool own_inputs;     /* lines differ in their inputs: results are not compared between lines */
    unsigned samples;    /* number of seeds, one per round; 0: all rounds have the same input */
    const char *prepare; /* a task that makes the file %F, which task or picture reads; NULL: none */
    const char *task;    /* NULL: the figure is a picture only, without lines and sizes */
    const char *picture; /* a task that writes a picture %P of the subject; NULL: none */
    const char *remark;  /* differences from the paper; NULL: none */
    const char *today;   /* further words of the line of today; NULL: none */
    struct line lines[LINES_MOST + 1];
    struct figure_size sizes[SIZES_MOST + 1];
    struct claim claims[CLAIMS_MOST + 1];
};

/* The figures of a paper; the last has no suite. */
extern const struct figure figures_exploiting[], figures_carpets[], figures_labelling[], figures_mixing[],
    figures_storage[];
/* Returns figure i of all papers; NULL past the end. */
const struct figure *figure_at(size_t i);
/* Returns a figure; NULL: no such figure. */
const struct figure *figure_find(const char *suite, const char *name);
/* Makes "components/figure-16-p=1" of "components" and "figure 16, p=1". */
struct short_text figure_id(const char *suite, const char *name);
/* Returns the number of sizes of a figure. */
size_t figure_sizes(const struct figure *figure);
/* Returns a line of a figure; NULL: no such line. */
const struct line *figure_line(const struct figure *figure, const char *name);

/* Replaces %1, %2, %F (file) and %P (picture) in a word of a task.  The caller frees *made. */
int figure_word(const char *word, const struct figure_size *of, const char *file, const char *picture, char **made);

#endif

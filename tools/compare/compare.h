/* meshwork compare: runs a task on several devices and variants. */
#ifndef TOOLS_COMPARE_H
#define TOOLS_COMPARE_H

#include "tools/cli/options.h"
#include "tools/compare/worker.h"

#define ROUNDS_MAX 99

/* A series of a comparison: devices and variants in the form of --devices and --variants, and further words of the
 * task.  Each of its devices with each of its variants makes a row. */
struct series {
    const char *name; /* NULL: none */
    const char *devices, *variants;
    const char *const *more; /* NULL-terminated; NULL: none */
    const char *value;       /* key of a result to record, such as "timings.total"; NULL: none */
    bool own_input;          /* its words change the input: it is not compared with other series */
    const char *missing;     /* reason of exclusion if the machine has no such device; NULL: it has one */
};

struct compare_settings {
    struct series series; /* options --devices and --variants */
    uint64_t rounds;
    double limit, agree;
    double stretch; /* minimum seconds per turn, reached by repeated passes; 0: 0.1 */
};

/* ---- answer.c: JSON output of a run ---- */

struct answer;
/* Parses the output of a run.  MW_EDATA: it is not JSON. */
int answer_read(const char *text, struct answer **answer);
void answer_free(struct answer *answer);
/* Returns the number with this key, or of nested objects with keys joined by dots; NaN: missing. */
double answer_number(const struct answer *answer, const char *key);
/* Returns the text with this key; NULL: missing. */
const char *answer_text(const struct answer *answer, const char *key);
/* Returns entry i of a list of variants; NULL past the end. */
const char *answer_name(const struct answer *answer, size_t i);
/* Returns whether two results agree, without times and device choices.  Numbers agree within `tolerance`, relative to
 * the larger; 0: exactly, and texts as well.  Appends the keys that differ. */
bool answer_agrees(const struct answer *answer, const struct answer *with, double tolerance, struct mw_text *differs);

/* ---- plan.c: rows ---- */

/* A row of a comparison: the task on some devices with one variant. */
struct row {
    const struct series *series;
    char *devices; /* in the form of -d */
    char *variant;
    struct answer *answer;   /* from the first run; NULL: failed */
    char *reason;            /* reason of exclusion; NULL: none.  A row excluded before comparison_run is not run */
    int code;                /* exit code of the first run; -1: killed */
    const struct row *with;  /* the first row with the same input and random numbers; NULL: this row */
    struct mw_text differs;  /* keys that differ from `with`, or from its own first run */
    bool changes;            /* later runs of this row differ from its own first run */
    uint64_t repeat;         /* passes per run; 0: the task has no --repeat */
    double copy, arithmetic; /* rates of the device per second: bytes copied, additions and multiplications in the
                                  * task's precision; NaN: unknown, or several devices */
    double spent;            /* total seconds of its timed runs */
    double second[ROUNDS_MAX], whole[ROUNDS_MAX];  /* per round: seconds of the task alone; of the whole run */
    double value[ROUNDS_MAX], divisor[ROUNDS_MAX]; /* per round: the comparison's keys of the result */
    size_t rounds;                                 /* timed rounds: at least one; fewer than --rounds for long runs */
};

/* Measured rates of a device per second: bytes copied, additions and multiplications.  NaN: not measured yet, 0: not
 * measurable. */
struct speed {
    char *device;
    double copy, single, twice;
};
struct speeds {
    struct mw_owner owner; /* frees the names */
    struct speed *item;
    size_t count;
};

/* A comparison: a task and its rows. */
struct comparison {
    const struct compare_settings *set;
    const struct subcommand *task;
    const struct words *arguments; /* operands and options of the task */
    const char *file;              /* a word replaced by FILE in the output, for a temporary file; NULL: none */
    const struct series *series;
    size_t series_count;
    struct row *rows;
    size_t count;
    struct workers *workers;  /* by devices; the caller's */
    bool seeds;               /* every round has a seed of its own: 1, 2 ... */
    const char *divisor;      /* key by which seconds are divided, then multiplied by its mean; NULL: none */
    double tolerance;         /* within which numbers are to agree; 0: all bits */
    mw_progress_fn *progress; /* progress of runs; NULL: a bar of its own */
    void *progress_context;
    struct speeds *speeds; /* measured so far; NULL: measure nothing */
    bool stopped;
};
/* Finds the task named by the arguments and makes its rows.  The caller sets the other members. */
int comparison_plan(struct comparison *c);
void comparison_free(struct comparison *c);
/* Returns whether the task has an option. */
bool task_has(const struct comparison *c, const char *option);
/* Runs the task on devices for at most `limit` seconds.  `more` and `others` are words after its own, NULL-terminated
 * (NULL: none). */
int task_run(struct comparison *c, const char *devices, const char *const *more, const char *const *others,
             double limit, struct outcome *outcome);

/* ---- speeds.c ---- */

void speeds_free(struct speeds *speeds);
/* Measures the devices of rows that report their traffic or operations, unless already measured. */
int comparison_measure_speeds(struct comparison *c);

/* ---- contest.c: turns ---- */

/* Runs every row once and compares it with the first; then times the successful rows in rounds. */
int comparison_run(struct comparison *c);
/* Returns 0 if the row's results agree; MW_EVERIFY: they differ from those of row->with, or between its runs. */
int row_verdict(const struct row *row);
/* Median, quartiles, minimum and maximum of some values. */
struct spread {
    double median, lower, upper, least, most;
};
/* Returns the spread of up to ROUNDS_MAX values; NaN without values. */
struct spread spread_of(const double *values, size_t n);
/* Returns the spread of a successful row's seconds of the task alone. */
struct spread row_seconds(const struct row *row);
/* Returns the spread of the recorded values of a successful row. */
struct spread row_value(const struct row *row);
/* Returns the spread of a successful row's seconds of whole runs. */
struct spread row_whole(const struct row *row);
/* Returns the speed of a row relative to another. */
double row_speedup(const struct row *row, const struct row *than);

/* ---- past.c ---- */

/* Times of rows at the previous size, without overhead; infinite: killed. */
struct past {
    char *devices, *variant;
    double seconds;
};
struct pasts {
    struct mw_owner owner;
    struct past *item;
    size_t count;
};
void pasts_free(struct pasts *pasts);
/* Replaces the stored times by those of a finished comparison. */
int pasts_take(const struct comparison *c, struct pasts *pasts);
/* Excludes rows that would exceed the limit at a size `growth` times as large.  Times are assumed to grow with the
 * square of the size: some variants need as many rounds as components are long. */
int pasts_leave_out(const struct pasts *pasts, double growth, struct comparison *c);

/* ---- report.c ---- */

struct node;
/* Puts "task" and the table "rows". */
void comparison_put(const struct comparison *c, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

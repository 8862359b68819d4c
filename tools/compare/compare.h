/* meshwork compare: the same task on several devices and by several variants. */
#ifndef TOOLS_COMPARE_H
#define TOOLS_COMPARE_H

#include "tools/cli/options.h"
#include "tools/compare/worker.h"

#define ROUNDS_MAX 99

struct compare_settings {
    const char *devices, *variants;
    uint64_t rounds;
    double limit, agree;
    double stretch;              /* seconds that are timed in a turn, by repeating what is shorter; 0: a tenth */
};

/* ---- answer.c: what a run printed as JSON ---- */

struct answer;
/* MW_EDATA: it is no JSON. */
int answer_read(const char *text, struct answer **answer);
void answer_free(struct answer *answer);
/* NaN, NULL: there is none. */
double answer_number(const struct answer *answer, const char *key);
const char *answer_text(const struct answer *answer, const char *key);
/* The i-th name of a list of variants; NULL behind the last. */
const char *answer_name(const struct answer *answer, size_t i);
/* Whether results agree: all that is no time and no choice of the device; numbers to within a part of the larger one,
 * 0: exactly, texts then as well.  Appends the keys of what differs. */
bool answer_agrees(const struct answer *answer, const struct answer *with, double tolerance, struct mw_text *differs);

/* ---- plan.c: rows ---- */

struct row {
    char *devices;               /* as -d takes them */
    char *variant;
    struct answer *answer;       /* of the first run; NULL: it failed */
    char *reason;                /* why it takes no part, or NULL; set before comparison_run, it is not tried */
    int code;                    /* exit code of the first run; -1: it was ended */
    const struct row *with;      /* the first row that draws the same random numbers; NULL: itself */
    struct mw_text differs;         /* what differs from that, or from its own first run */
    bool changes;                /* the latter */
    uint64_t repeat;             /* passes of a run; 0: the task has no such option */
    double copy, arithmetic;     /* what the device copies, and adds and multiplies in the task's precision, a second;
                                  * NaN: not known, or several */
    double spent;                /* seconds of its timed runs, with all */
    double second[ROUNDS_MAX], whole[ROUNDS_MAX];
    size_t rounds;               /* at least one; fewer than asked for where runs take long */
};

/* What devices can do a second, measured: bytes of a copy, additions and multiplications; NaN: not measured yet, 0: it
 * cannot be. */
struct speed { char *device; double copy, single, twice; };
struct speeds { struct speed *item; size_t count; };

struct comparison {
    const struct compare_settings *set;
    const struct subcommand *task;
    const struct words *arguments;       /* the task's words, operands and options */
    const char *file;                    /* a word of these that is said as FILE: a temporary one; NULL: none */
    struct row *rows;
    size_t count;
    struct workers *workers;             /* by devices; the caller's */
    double tolerance;                    /* within which numbers are to agree; 0: all bits */
    void (*progress)(void *context, uint64_t done, uint64_t all);    /* of runs; NULL: a bar of its own */
    void *progress_context;
    struct speeds *speeds;               /* of devices that were measured before; NULL: nothing is measured */
    bool stopped;
};
/* The task that the arguments name, and its rows.  The rest is the caller's. */
int comparison_plan(struct comparison *c);
void comparison_free(struct comparison *c);
/* Whether the task has an option of that name. */
bool task_has(const struct comparison *c, const char *option);
/* Runs the task on devices with these words behind its own, which end with NULL. */
int task_run(struct comparison *c, const char *devices, const char *const *more, double limit,
             struct outcome *outcome);

/* ---- speeds.c ---- */

/* Adds a device, whose name is copied. */
int speeds_add(struct speeds *speeds, const struct speed *speed);
void speeds_free(struct speeds *speeds);
/* Measures what those devices can do whose rows say how many bytes they have to move, or how many operations to do,
 * unless that is known. */
int comparison_measure_speeds(struct comparison *c);

/* ---- contest.c: turns ---- */

/* Every row once, which is compared with the first; then all that succeed take turns in rounds. */
int comparison_run(struct comparison *c);
/* MW_EVERIFY: it has other results than the row that it is compared with, or than it had before. */
int row_verdict(const struct row *row);
/* Of a row that has succeeded, by rounds. */
struct spread { double median, least, most; };
struct spread spread_of(const double *values, size_t n);    /* at most ROUNDS_MAX; NaN of none */
struct spread row_seconds(const struct row *row);
struct spread row_whole(const struct row *row);
/* How many times as fast as another. */
double row_speedup(const struct row *row, const struct row *than);

/* ---- past.c ---- */

/* What a row took at the size before, for the task alone; infinite: it was ended. */
struct past { char *devices, *variant; double seconds; };
struct pasts { struct past *item; size_t count; };
void pasts_free(struct pasts *pasts);
/* Those of a comparison that is over, instead of the ones before. */
int pasts_take(const struct comparison *c, struct pasts *pasts);
/* Rows that would take longer than the limit at a size that is `growth` times as large are not tried: some variants
 * take as many rounds as components are long, and so grow as the square of sizes. */
int pasts_leave_out(const struct pasts *pasts, double growth, struct comparison *c);

/* ---- report.c ---- */

struct node;
/* Puts "task" and the table "rows". */
void comparison_put(const struct comparison *c, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

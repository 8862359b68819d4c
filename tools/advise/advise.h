/* What was measured of tasks: which device for what, and the choice of a device by it where none is asked for. */
#ifndef TOOLS_ADVISE_H
#define TOOLS_ADVISE_H

#include "tools/cli/options.h"

/* ---- work.c: what a command computes, and how much ---- */

/* A task as measurements of it are kept: all that its time depends on but for its size, and its size. */
struct work {
    struct mw_text key;             /* "run cahn-hilliard integrator=euler dimensions=2" */
    const char *unit;            /* of the size: "cells" */
    double size, steps;          /* steps 1: it has none */
    bool grows;                  /* false: of a file, which has one size */
};
/* Of a command whose options are read.  MW_ENOTSUP: none that is measured.  Freed by work_free in every case. */
int work_of(const struct command *command, struct work *work);
void work_free(struct work *work);
/* Its arguments with a size that is 4 to the power of `times` smaller; strings and list are the caller's, by
 * smaller_free.  MW_ENOTSUP: it cannot be smaller than this. */
int work_smaller(const struct command *command, const struct words *arguments, unsigned times, struct words *smaller);
void smaller_free(struct words *smaller);

/* ---- knowledge.c: a file in the folder of caches ---- */

/* What a device takes for a task of a size: for all but its steps, and for a step. */
struct known { const char *task, *device; double size, whole_but_steps, step; };
struct knowledge;
/* What is known of this version on this machine as it is.  `known` of nothing: there is no file, or it is of another
 * machine.  Lists devices where there is a file.  Errors: MW_ENOMEM. */
int knowledge_open(struct knowledge **knowledge);
void knowledge_free(struct knowledge *knowledge);
/* NULL behind the last. */
const struct known *knowledge_at(const struct knowledge *knowledge, size_t i);
/* Forgets a task; adds to what is known; writes the file.  Texts are copied. */
int knowledge_forget(struct knowledge *knowledge, const char *task);
int knowledge_add(struct knowledge *knowledge, const struct known *known);
int knowledge_save(const struct knowledge *knowledge);
/* Removes the file. */
int knowledge_clear(void);
/* The device that is expected to be the fastest; NULL: none was measured at sizes like this.  Between sizes times are
 * interpolated by their logarithms; up to four times as large or small as what was measured counts as like it. */
const char *knowledge_fastest(const struct knowledge *knowledge, const struct work *work);

/* ---- choose.c ---- */

/* Where a task asks for no device, sets that which was measured to be the fastest; nothing where nobody measured. */
int advice_follow(struct command *command);

#endif
/* SPDX-License-Identifier: MIT */

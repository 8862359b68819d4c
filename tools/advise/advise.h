/* Measurements of tasks: stores the times of devices and chooses the device of a task without -d. */
#ifndef TOOLS_ADVISE_H
#define TOOLS_ADVISE_H

#include "tools/cli/options.h"

/* ---- work.c: the kind and size of a task ---- */

/* A task: a key of everything but the size that affects its time, and its size. */
struct work {
    struct mw_text key; /* "run cahn-hilliard integrator=euler dimensions=2" */
    const char *unit;   /* unit of the size: "cells" */
    double size, steps; /* steps 1: the task has no steps */
    bool grows;         /* false: it reads a file, so it has one size */
};
/* Describes a command after options_parse.  MW_ENOTSUP: not a measured task.  Call work_free in every case. */
int work_of(const struct command *command, struct work *work);
void work_free(struct work *work);
/* Copies the arguments, with a size divided by 4 to the power of `times`.  Free them with smaller_free.  MW_ENOTSUP: it
 * cannot be that small. */
int work_smaller(const struct command *command, const struct words *arguments, unsigned times, struct words *smaller);
void smaller_free(struct words *smaller);

/* ---- knowledge.c: a file in the cache folder ---- */

/* Measured seconds of a device for a task at a size: everything but the steps, and one step. */
struct known {
    const char *task, *device;
    double size, whole_but_steps, step;
};
struct knowledge;
/* Opens the measurements of this version on this machine with its current devices.  Other measurements, or a missing
 * file, give an empty set.  Lists the devices if there is a file.  Errors: MW_ENOMEM. */
int knowledge_open(struct knowledge **knowledge);
void knowledge_free(struct knowledge *knowledge);
/* Returns measurement i; NULL past the end. */
const struct known *knowledge_at(const struct knowledge *knowledge, size_t i);
/* Removes the measurements of a task. */
int knowledge_forget(struct knowledge *knowledge, const char *task);
/* Adds a measurement; copies its texts. */
int knowledge_add(struct knowledge *knowledge, const struct known *known);
/* Writes the measurements to the file. */
int knowledge_save(const struct knowledge *knowledge);
/* Removes the file of all measurements. */
int knowledge_clear(void);
/* Returns the device expected to be the fastest; NULL: no device was measured at a similar size.  Interpolates times
 * between sizes on a logarithmic scale.  Up to four times beyond the measured sizes counts as similar. */
const char *knowledge_fastest(const struct knowledge *knowledge, const struct work *work);

/* ---- choose.c ---- */

/* Sets the device of a task without -d to the fastest measured one.  Does nothing without a measurement. */
int advice_follow(struct command *command);

#endif
/* SPDX-License-Identifier: MIT */

/* What the files of `meshwork doctor` share. */
#ifndef TOOLS_DOCTOR_H
#define TOOLS_DOCTOR_H

#include <meshwork/device.h>

#include "tools/cli/groups.h"
#include "tools/report/report.h"

struct doctor_settings { const char *answer; struct device_settings device; };

enum verdict { FINE, NONE, WARN, FAIL };      /* NONE: there is nothing to check */

struct doctor {
    const struct doctor_settings *set;
    struct mw_device_list *list;
    struct node *checks;
    bool linker, kernels;
    bool memory_lost;            /* a check failed for want of memory, and says nothing of the machine */
    size_t count[4];             /* of each verdict */
};

/* doctor_say.c: says a line at once, as some checks take their time, unless the report is JSON.  The remedy may be
 * "". */
void doctor_say(struct doctor *d, enum verdict verdict, const char *name, const char *remedy, const char *format, ...)
    MW_PRINTF(5, 6);

/* For a call that has failed: its reason, noted where it is want of memory. */
const char *doctor_reason(struct doctor *d, int status);

/* doctor_checks.c: files, programs, folders and limits. */
typedef void doctor_check(struct doctor *d);
extern doctor_check *const doctor_checks[];      /* ended by NULL */

/* doctor_answer.c: a small simulation, whose bits are known; or whether a library is a driver, for "driver:LIBRARY". */
#define DOCTOR_DRIVER "driver:"
int doctor_print_answer(const struct doctor_settings *set);
/* Asks a process of its own for the answer of a device, or of a library, within so many seconds.  0: it stands in
 * `text`; else why there is none. */
int doctor_ask(const struct doctor_settings *set, const char *id, int patience, char *text, size_t size);

#endif
/* SPDX-License-Identifier: MIT */

/* Shared by the files of `meshwork doctor`. */
#ifndef TOOLS_DOCTOR_H
#define TOOLS_DOCTOR_H

#include <meshwork/device.h>

#include "tools/cli/groups.h"
#include "tools/report/report.h"

struct doctor_settings {
    const char *answer;
    struct device_settings device;
};

enum verdict { FINE, NONE, WARN, FAIL }; /* NONE: nothing to check */

struct doctor {
    const struct doctor_settings *set;
    struct mw_device_list *list;
    struct node *checks;
    bool linker, kernels;
    bool memory_lost; /* a check ran out of memory, which does not concern the installation */
    size_t count[4];  /* per verdict */
};

/* Reports the result of a check: prints a line at once, since some checks are slow; as JSON at the end.  `remedy` is
 * advice for the user; it may be "". */
void doctor_report(struct doctor *d, enum verdict verdict, const char *name, const char *remedy, const char *format,
                   ...) MW_PRINTF(5, 6);

/* Returns the reason of a failed call; notes a lack of memory. */
const char *doctor_reason(struct doctor *d, int status);

/* Checks one property of the installation and calls doctor_report. */
typedef void doctor_check(struct doctor *d);
extern doctor_check *const doctor_checks[]; /* NULL-terminated */

/* Precedes the path of a library that is to be tried as an OpenCL driver, in place of a device. */
#define DOCTOR_DRIVER "driver:"
/* Gets the answer of a device or library from a separate process, within `patience` seconds.  0: `text` has the
 * answer.  Otherwise the message has the reason. */
int doctor_ask(const struct doctor_settings *set, const char *id, int patience, char *text, size_t size);

#endif
/* SPDX-License-Identifier: MIT */

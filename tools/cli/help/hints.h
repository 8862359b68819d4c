/* Messages about unknown options and operands, with suggestions. */
#ifndef TOOLS_HINTS_H
#define TOOLS_HINTS_H

#include "tools/cli/options.h"

/* Reports an unknown option: MW_EINVAL.  `next` is the following word, NULL at the end. */
int hint_option(struct command *command, const char *argument, const char *next);
/* If a list of devices is separated by spaces, its later words become operands.  MW_EINVAL: this operand looks like one
 * of them. */
int hint_device(const struct command *command, const char *operand);

#endif
/* SPDX-License-Identifier: MIT */

/* What is said of options and operands that a subcommand does not take: what was meant, perhaps. */
#ifndef TOOLS_HINTS_H
#define TOOLS_HINTS_H

#include "tools/cli/options.h"

/* MW_EINVAL: there is no such option; `next` is the word behind it, NULL: none. */
int hint_option(struct command *command, const char *argument, const char *next);
/* Where a list of devices has blanks for commas, the word that follows the first becomes an operand.  MW_EINVAL: this
 * one looks like that. */
int hint_device(const struct command *command, const char *operand);

#endif
/* SPDX-License-Identifier: MIT */

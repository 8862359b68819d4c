/* The document of --json: a result, with what every result has around it.
 *
 * A result is held until the command ends, since it may still fail: standard output has one document.  An object gets
 * the keys that tell how it was made, and of a command that failed "error"; a list is printed as it is. */
#ifndef TOOLS_ENVELOPE_H
#define TOOLS_ENVELOPE_H

#include <stdbool.h>

#include "tools/cli/options.h"

/* The version of the format: doc/schema/result.schema.json. */
#define ENVELOPE_SCHEMA "meshwork-1"

struct json_t;
/* Takes the result over.  A second one adds its keys. */
int envelope_hold(struct json_t *result);
/* What is held, which is the caller's then; NULL: nothing. */
struct json_t *envelope_take(void);

/* Reads a file of JSON; `what` should be in it ("results of ...").  MW_EIO; MW_EDATA: names `what` and the line. */
int result_read(const char *path, const char *what, struct json_t **root);

/* Why a command failed; log: of a compiler, "" if there is none. */
struct failure { const char *status, *message, *log; int exit_code; };
/* Whether a command line asks for JSON, as far as that can be known of one that is refused. */
bool envelope_is_asked(int argc, char **argv);
/* Prints what is held, with the command and its failure (NULL: it has not failed).  rest: the arguments without those
 * that name the subcommand. */
int envelope_print(const struct command *command, size_t count, const char *const *rest, const struct failure *failure);

#endif
/* SPDX-License-Identifier: MIT */

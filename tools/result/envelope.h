/* The document of --json: a result with the members that every result has.
 *
 * A result is held until the command ends, since the command may still fail: standard output gets one document.  An
 * object gets members about its origin, and "error" if the command failed.  A list is printed as it is. */
#ifndef TOOLS_ENVELOPE_H
#define TOOLS_ENVELOPE_H

#include "tools/cli/options.h"

/* The format version: doc/schema/result.schema.json. */
#define ENVELOPE_SCHEMA "meshwork-1"

struct json_t;
/* Takes ownership of the result.  A second result adds its members. */
int envelope_hold(struct json_t *result);
/* Returns the held result, which the caller then owns; NULL: none. */
struct json_t *envelope_take(void);

/* Reads a JSON file; `what` describes the expected contents ("results of ...").  MW_EIO; MW_EDATA: the message has
 * `what` and the line. */
int result_read(const char *path, const char *what, struct json_t **root);

/* The failure of a command; log: of a compiler, or "". */
struct failure {
    const char *status, *message, *log;
    int exit_code;
};
/* Returns whether a rejected command line asked for JSON, as well as that can be decided. */
bool envelope_is_asked(int argc, char **argv);
/* Prints the held result with the command and its failure (NULL: none). rest: the arguments without the subcommand's
 * name. */
int envelope_print(const struct command *command, size_t count, const char *const *rest, const struct failure *failure);

#endif
/* SPDX-License-Identifier: MIT */

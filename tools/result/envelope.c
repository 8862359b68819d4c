/* The document of --json: common parts of all results. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "tools/result/envelope.h"

#include "tools/report/report_internal.h"

bool envelope_is_asked(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--json"))
            return true;
    return false;
}

#ifdef HAVE_JANSSON
#include <jansson.h>
#include <unistd.h>

static json_t *held;

/* Control characters are escaped on a terminal. */
static size_t manner(void) { return JSON_INDENT(2) | (isatty(fileno(results())) ? JSON_ENSURE_ASCII : 0); }

static int lost(void) { return mw_fail(MW_ENOMEM, "out of memory for the JSON of the results"); }

int result_read(const char *path, const char *what, json_t **root)
{
    json_error_t error;
    *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!*root && error.line < 0)
        return mw_fail(MW_EIO, "%s", error.text); /* it could not be opened */
    if (!*root)
        return mw_fail(MW_EDATA, "%s holds no %s: line %d is no JSON, %s", path, what, error.line, error.text);
    return 0;
}

int envelope_hold(json_t *result)
{
    const int failed = held && json_is_object(result) ? json_object_update(held, result) : 0;
    if (held)
        json_decref(result);
    else
        held = result;
    return failed || !held ? lost() : 0;
}

json_t *envelope_take(void)
{
    json_t *result = held;
    held = NULL;
    return result;
}

/* ---- the arguments ---- */

static int add_word(json_t *words, const char *word)
{
    return json_array_append_new(words, report_json_text(word)) == 0 ? 0 : lost();
}

/* Adds an option set by the environment or a measurement as if it were given. */
static int add_option(struct command *command, const struct placed *placed, void *words)
{
    const enum origin origin = command->origin[placed->number];
    struct mw_text value = { 0 }, word = { 0 };
    int rc = 0;
    if (origin != FROM_ENVIRONMENT && origin != FROM_MEASUREMENT)
        return 0;
    value_format(placed, &value);
    mw_text_add(&word, "--%s=%s", placed->option->name, value.data ? value.data : "");
    TRY(mw_text_ok(&value));
    TRY(mw_text_ok(&word));
    TRY(add_word(words, word.data));
out:
    mw_text_free(&value);
    mw_text_free(&word);
    return rc;
}

/* Returns the words of the subcommand's name: "graph paths" has two. */
static int add_name(const char *name, json_t *words)
{
    struct mw_text word = { 0 };
    int rc = 0;
    for (size_t length; *name; name += length + (name[length] == ' ')) {
        length = strcspn(name, " ");
        mw_text_append(&word, name, length);
        TRY(mw_text_ok(&word));
        TRY(add_word(words, word.data));
        mw_text_free(&word);
    }
out:
    mw_text_free(&word);
    return rc;
}

/* Adds the subcommand, options set otherwise, and the given arguments. */
static int add_command(const struct command *command, size_t count, const char *const *rest, json_t *document)
{
    json_t *words = json_array();
    TRY_RETURN(json_object_set_new(document, "command", words) == 0 ? 0 : lost());
    if (command->subcommand)
        TRY_RETURN(add_name(command->subcommand->name, words));
    if (command->settings)
        TRY_RETURN(options_each((struct command *)command, add_option, words));
    for (size_t i = 0; i < count; i++)
        TRY_RETURN(add_word(words, rest[i]));
    return 0;
}

/* ---- the document ---- */

static int add_head(const struct command *command, size_t count, const char *const *rest, json_t *document)
{
    const char *name = command->subcommand ? command->subcommand->name : "";
    bool failed = json_object_set_new(document, "schema", json_string(ENVELOPE_SCHEMA)) != 0;
    const bool *plan = NULL;
    failed |= json_object_set_new(document, "version", json_string(mw_version())) != 0;
    if (*name)
        failed |= json_object_set_new(document, "subcommand", json_string(name)) != 0;
    TRY_RETURN(failed ? lost() : 0);
    TRY_RETURN(add_command(command, count, rest, document));
    if (command->settings)
        plan = option_target(command, "dry-run");
    if (plan && *plan)
        TRY_RETURN(json_object_set_new(document, "dry_run", json_true()) == 0 ? 0 : lost());
    return 0;
}

static int add_failure(const struct failure *failure, json_t *document)
{
    json_t *error = json_pack("{s:s, s:i, s:o}", "status", failure->status, "exit_code", failure->exit_code, "message",
                              report_json_text(failure->message));
    if (error && *failure->log && json_object_set_new(error, "log", report_json_text(failure->log)) != 0)
        return lost();
    return json_object_set_new(document, "error", error) == 0 ? 0 : lost();
}

int envelope_print(const struct command *command, size_t count, const char *const *rest, const struct failure *failure)
{
    json_t *result = envelope_take(), *document = json_object();
    int rc = 0;
    if (!result && !failure)
        goto out;
    if (json_is_array(result) && !failure) {
        TRY(json_dumpf(result, results(), manner()) == 0 ? 0 : lost());
    } else {
        TRY(add_head(command, count, rest, document));
        if (json_is_object(result))
            TRY(json_object_update(document, result) == 0 ? 0 : lost());
        if (failure)
            TRY(add_failure(failure, document));
        TRY(json_dumpf(document, results(), manner()) == 0 || ferror(results()) ? 0 : lost());
    }
    fputc('\n', results());
out:
    json_decref(document);
    json_decref(result);
    return rc;
}
#else
int envelope_print(const struct command *command, size_t count, const char *const *rest, const struct failure *failure)
{
    return 0;
}
#endif
/* SPDX-License-Identifier: MIT */

/* meshwork repeat: repeats the command of a --json result and compares the checksums.
 *
 * Results may come from other people.  A result can therefore only name a computing subcommand.  Options that write
 * files are dropped, and the kernels are those of this installation.  Model files are programs: they are rejected
 * unless the user allows them. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/file.h>

#include "tools/cli/groups.h"
#include "tools/cli/names.h"
#include "tools/cli/subcommands.h"
#include "tools/report/files.h"
#include "tools/report/report.h"
#include "tools/result/envelope.h"

struct repeat_settings {
    bool allow_code;
    struct device_settings device;
};

static const struct option options[] = { { .name = "allow-code",
                                           .type = OPTION_FLAG,
                                           .target = offsetof(struct repeat_settings, allow_code),
                                           .help = "allow the model file of the result to run: it is a program" },
                                         { 0 } };

#ifdef HAVE_JANSSON
#include <jansson.h>

struct repeat {
    struct command *command;
    const char *path;
    json_t *before, *now;
    char **words; /* arguments of the result, which owns the texts */
    size_t word_count;
    struct command task;
};

static const char *text_of(const json_t *result, const char *key)
{
    return json_string_value(json_object_get(result, key));
}

/* ---- the result ---- */

static int is_no_result(const struct repeat *r, const char *why)
{
    return mw_fail(MW_EDATA, "cannot repeat the result %s: %s", r->path, why);
}

static int check_result(const struct repeat *r)
{
    const char *schema = text_of(r->before, "schema");
    if (!schema)
        return is_no_result(r, "it has no schema, unlike output of --json");
    if (strcmp(schema, ENVELOPE_SCHEMA) != 0)
        return is_no_result(r, "its format is not " ENVELOPE_SCHEMA);
    if (json_is_true(json_object_get(r->before, "stopped")))
        return is_no_result(r, "the run was stopped, which depends on time");
    if (json_object_get(r->before, "error"))
        return is_no_result(r, "the command failed");
    if (json_is_true(json_object_get(r->before, "dry_run")))
        return is_no_result(r, "it is the plan of a dry run");
    if (json_object_get(r->before, "restart"))
        return is_no_result(r, "it resumed from a checkpoint: repeat the run from its start");
    if (!text_of(r->before, "checksum"))
        return is_no_result(r, "it has no checksum");
    return 0;
}

static int read_result(struct repeat *r)
{
    const json_t *command, *word;
    size_t i;
    TRY_RETURN(result_read(r->path, "result printed by meshwork with --json", &r->before));
    TRY_RETURN(check_result(r));
    command = json_object_get(r->before, "command");
    TRY_RETURN(mw_new(json_array_size(command) + 1, sizeof(*r->words), &r->words));
    json_array_foreach(command, i, word)
    {
        if (!json_is_string(word))
            return is_no_result(r, "an argument is not a text");
        r->words[r->word_count++] = (char *)json_string_value(word);
    }
    return 0;
}

/* ---- the task ---- */

/* Devices come from this command line; kernels never come from the result. */
static void set_machine(struct repeat *r)
{
    static const char *const names[] = { "device", "threads", "memory-limit", "kernel-path" };
    options_forget(&r->task, "kernel-path");
    for (size_t i = 0; i < MW_COUNT(names); i++)
        if (option_is_set(r->command, names[i]))
            options_copy(&r->task, r->command, names[i]);
}

/* Invalid arguments are reported as errors of the file. */
static int in_result(const struct repeat *r, int status)
{
    return status && status != MW_ENOMEM ? mw_fail_in(MW_EDATA, "%s", r->path) : status;
}

static int read_task(struct repeat *r)
{
    const struct general *set = &r->task.general;
    size_t named;
    TRY_RETURN(
        in_result(r, subcommand_find((const char *const *)r->words, r->word_count, &r->task.subcommand, &named)));
    /* The results of these are determined by their arguments. */
    if (!subcommand_is_one(r->task.subcommand, "run sweep walk label transform rng",
                           "generate info components paths clustering pagerank cores betweenness bridges"))
        return is_no_result(r, "repeat accepts results of run, sweep, walk, label, transform, rng and graph");
    TRY_RETURN(in_result(r, options_parse(&r->task, (int)(r->word_count - named), r->words + named)));
    if (set->help || set->version || set->print_config)
        return is_no_result(r, "its arguments compute nothing");
    options_forget_outputs(&r->task);
    set_machine(r);
    return 0;
}

/* Checks before a long computation that the input file is unchanged. */
static int check_input(const struct repeat *r)
{
    const char *path = text_of(r->before, "input"), *before = text_of(r->before, "input_checksum");
    uint64_t checksum;
    if (!path)
        return 0;
    if (!before)
        return is_no_result(r, "its input was a pipe: give it a file");
    TRY_RETURN(mw_file_checksum(path, &checksum));
    if (strcmp(checksum_text(checksum).text, before) != 0)
        return mw_fail(MW_EDATA, "%s is not the input of %s: its checksum is %s instead of %s", path, r->path,
                       checksum_text(checksum).text, before);
    return 0;
}

static int run_task(struct repeat *r)
{
    int rc;
    report_as_json(true);
    files_forbid(true);
    model_files_forbid(!((const struct repeat_settings *)r->command->settings)->allow_code);
    rc = r->task.subcommand->run(&r->task);
    model_files_forbid(false);
    files_forbid(false);
    report_as_json(r->command->general.json);
    r->now = envelope_take();
    TRY_RETURN(rc);
    if (!text_of(r->now, "checksum"))
        return mw_fail(MW_EVERIFY, "the repeated command gave no checksum, so its results cannot be compared");
    return 0;
}

/* ---- comparison ---- */

static bool repeat_same(const struct repeat *r, const char *key)
{
    return json_equal(json_object_get(r->before, key), json_object_get(r->now, key));
}

static void put_both(const struct repeat *r, const char *key, const char *before_key, struct node *o)
{
    const char *now = text_of(r->now, key), *before = text_of(r->before, key);
    if (!now || !before)
        return;
    show_row(put_text(o, key, now), key, repeat_same(r, key) ? "%s, as before" : "%s, before it was %s", now, before);
    put_text(o, before_key, before);
}

static int repeat_report(const struct repeat *r)
{
    const double now = json_number_value(json_object_get(r->now, "seconds"));
    const double before = json_number_value(json_object_get(r->before, "seconds"));
    const char *version = text_of(r->before, "version");
    struct node *o = report_object();
    struct mw_text task = { 0 };
    for (size_t i = 0; i < r->word_count; i++)
        mw_text_add(&task, "%s%s", i ? " " : "", r->words[i]);
    ROW(o, "result", "%s", r->path);
    put_file(o, "input", r->path);
    show_value(put_text(o, "task", task.data ? task.data : ""), "task");
    put_both(r, "checksum", "checksum_before", o);
    put_both(r, "device", "device_before", o);
    show_row(put_seconds(o, "seconds", now), "seconds", "%.4g, before %.4g", now, before);
    put_seconds(o, "seconds_before", before);
    if (version && strcmp(version, mw_version()) != 0)
        ROW(o, "version", "%s, before %s", mw_version(), version);
    put_text(o, "version_before", version ? version : "");
    put_flag(o, "agrees", repeat_same(r, "checksum"));
    mw_text_free(&task);
    return report_print(o);
}

static int verdict(const struct repeat *r)
{
    static const char *const premises[] = { "model_hash", "carpet_hash" };
    for (size_t i = 0; i < MW_COUNT(premises); i++)
        if (text_of(r->before, premises[i]) && text_of(r->now, premises[i]) && !repeat_same(r, premises[i]))
            return mw_fail(MW_EVERIFY, "the %.*s differs from the one of %s: its hash is %s instead of %s",
                           (int)strcspn(premises[i], "_"), premises[i], r->path, text_of(r->now, premises[i]),
                           text_of(r->before, premises[i]));
    if (!repeat_same(r, "checksum"))
        return mw_fail(MW_EVERIFY, "the results differ: the checksum is %s, but %s has %s", text_of(r->now, "checksum"),
                       r->path, text_of(r->before, "checksum"));
    return 0;
}

static int repeat_run(struct command *command)
{
    struct repeat r = { .command = command, .path = command->operands.item[0] };
    int rc;
    TRY(read_result(&r));
    TRY(read_task(&r));
    TRY(check_input(&r));
    TRY(run_task(&r));
    TRY(repeat_report(&r));
    TRY(verdict(&r));
out:
    options_free(&r.task);
    free(r.words);
    json_decref(r.before);
    json_decref(r.now);
    return rc;
}
#else
#define repeat_run run_without_json
#endif

static const struct option_group groups[] = { { "Repeat", options, 0 },
                                              DEVICES_GROUPS(struct repeat_settings, device),
                                              { 0 } };

const struct subcommand repeat_subcommand = {
    .name = "repeat",
    .operands = "RESULT.json",
    .summary = "repeat the computation of a result, and compare the checksums",
    .description =
        "Reads the output of another subcommand with --json, repeats its computation on any device, and compares "
        "the checksums (exit code 6 if they differ). Writes no files: output options are left out.",
    .groups = groups,
    .settings_bytes = sizeof(struct repeat_settings),
    .least_operands = 1,
    .most_operands = 1,
    .run = repeat_run,
};
/* SPDX-License-Identifier: MIT */

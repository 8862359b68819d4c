/* meshwork run: what goes into a checkpoint beside the state, and going on from one. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <meshwork/file.h>

#include "tools/cli/names.h"
#include "tools/run/simulation.h"

#define SETTINGS_MORE 16

void setting_add(struct setting_list *list, bool may_differ, const char *name, const char *format, ...)
{
    char *own_name = NULL, *value = NULL;
    va_list ap;

    if (list->rc)
        return;
    if (list->count % SETTINGS_MORE == 0) {
        /* One more, without a name, ends the list. */
        struct mw_setting *item = realloc(list->item, (list->count + SETTINGS_MORE + 1) * sizeof(*item));
        if (!item) {
            list->rc = mw_fail(MW_ENOMEM, "not enough memory for the settings of a run");
            return;
        }
        list->item = item;
        item[list->count] = (struct mw_setting){ 0 };
    }
    va_start(ap, format);
    if (vasprintf(&value, format, ap) < 0) {
        value = NULL;
        list->rc = mw_fail(MW_ENOMEM, "not enough memory for the settings of a run");
    }
    va_end(ap);
    if (!list->rc && (list->rc = text_copy(name, &own_name)) == 0) {
        list->item[list->count++] = (struct mw_setting){ own_name, value, may_differ };
        list->item[list->count] = (struct mw_setting){ 0 };
        value = NULL;
    }
    free(value);
}

void setting_add_param(struct setting_list *list, const char *name, double value)
{
    char setting[128];

    snprintf(setting, sizeof(setting), "parameter %s", name);
    setting_add(list, false, setting, "%s", real_text(value).text);
}

int run_params(const struct run *r, const char *model, const struct mw_model_param *params, size_t count,
               double **values)
{
    double *v = NULL;
    int rc;

    TRY(allocate(count, sizeof(*v), &v));
    for (size_t i = 0; i < count; i++) {
        const char *theirs;
        char setting[128];
        snprintf(setting, sizeof(setting), "parameter %s", params[i].name);
        theirs = r->restart ? mw_checkpoint_setting(r->restart, setting) : NULL;
        v[i] = theirs ? strtod(theirs, NULL) : params[i].value;
    }
    TRY(parameters_set(model, params, count, &r->set->params, v));
    *values = v;
    v = NULL;
out:
    free(v);
    return rc;
}

void settings_free(struct setting_list *list)
{
    for (struct mw_setting *s = list->item; s && s->name; s++) {
        free((char *)s->name);
        free((char *)s->value);
    }
    free(list->item);
    *list = (struct setting_list){ 0 };
}

/* What a restarted run goes on to write, and when; of other kinds that which they have. */
static bool is_output(const char *name)
{
    static const char *const names[] = {
        "every", "label-every", "checkpoint-every", "series", "output", "png", "colours", "vtk", "correlation",
        "correlation-range", "csv", "plot", "carpet-png" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Whether a path cannot leave the current folder, unless by a link there. */
static bool stays_here(const char *path)
{
    if (*path == '/')
        return false;
    for (const char *at = path; *at; at += strcspn(at, "/"), at += strspn(at, "/"))
        if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2]))
            return false;
    return true;
}

/* Takes an option over that the checkpoint has under its name.  A checkpoint may come from others: it decides about
 * files in the current folder alone, and never about settings of the machine, which have a variable of the environment:
 * kernels are programs. */
static int take_over(struct command *command, const struct placed *placed, void *context)
{
    const struct mw_checkpoint *checkpoint = context;
    const bool is_file = placed->option->type == OPTION_FILE;
    const char *name = placed->option->name, *value = mw_checkpoint_setting(checkpoint, name);
    int rc;

    if (!value || option_is_given(command, name) || placed->option->environment || (is_file && !is_output(name)))
        return 0;
    if (is_file && !stays_here(value))
        return mw_fail(MW_EINVAL, "checkpoint %s names --%s %s, which may be outside the current folder: give --%s "
                       "FILE, or --%s none", mw_checkpoint_path(checkpoint), name, value, name, name);
    rc = options_assign(command, name, value);
    return rc ? mw_fail_in(rc, "checkpoint %s: %s", mw_checkpoint_path(checkpoint), name) : 0;
}

/* Checkpoints of run and of walk look alike, but each has names of its own for what it is of. */
static int check_subcommand(const struct run *r)
{
    const char *here = r->command->subcommand->name, *theirs = mw_checkpoint_setting(r->restart, RUN_SUBCOMMAND);

    if (!theirs || !strcmp(theirs, here))
        return 0;
    return mw_fail(MW_EINVAL, "checkpoint %s is of meshwork %s, and this is meshwork %s: go on with that",
                   mw_checkpoint_path(r->restart), theirs, here);
}

/* A run that was killed while it wrote one has the one before. */
static bool checkpoint_exists(const char *path)
{
    char old[4096];

    if (access(path, F_OK) == 0 || errno != ENOENT)
        return true;
    return snprintf(old, sizeof(old), "%s.old", path) < (int)sizeof(old) && access(old, F_OK) == 0;
}

int restart_decide(struct run *r)
{
    struct run_settings *set = r->set;

    if (!set->restart_or_start)
        return 0;
    if (set->restart)
        return mw_fail(MW_EINVAL, "--restart and --restart-or-start contradict each other: leave out one of them");
    if (checkpoint_exists(set->restart_or_start)) {
        set->restart = set->restart_or_start;
        set->input = NULL;
    } else {
        report_note("there is no checkpoint %s: starting", set->restart_or_start);
    }
    return 0;
}

int restart_open(struct run *r)
{
    const struct run_settings *set = r->set;
    int rc = 0;

    r->checkpoint = set->checkpoint ? set->checkpoint : set->restart ? set->restart : set->restart_or_start;
    if (r->set->restart) {
        TRY(mw_checkpoint_open(r->set->restart, &r->restart));
        if (report_is_json())
            TRY(mw_file_checksum(mw_checkpoint_path(r->restart), &r->restart_checksum));
        TRY(check_subcommand(r));
    }
    r->model_is_kept = !r->model;
    if (!r->model && r->restart)
        r->model = mw_checkpoint_setting(r->restart, RUN_MODEL_AS_GIVEN);
    if (!r->model && r->restart)
        r->model = mw_checkpoint_setting(r->restart, "model");
    if (!r->model && r->restart)
        return mw_fail(MW_EINVAL, "checkpoint %s does not say which model it is of: give that one",
                       mw_checkpoint_path(r->restart));
    if (!r->model)
        return mw_fail(MW_EINVAL, "an operand is missing: meshwork run MODEL, or --restart FILE");
    setting_add(&r->settings, true, RUN_MODEL_AS_GIVEN, "%s", r->model);
    setting_add(&r->settings, true, RUN_SUBCOMMAND, "%s", r->command->subcommand->name);
out:
    return rc;
}

/* `none` in the place of a file: there is none, nor in the checkpoints from here on. */
static int drop_output(struct command *command, const struct placed *placed, void *context)
{
    const struct option *option = placed->option;
    const char **file = placed->target;

    (void)command;
    if (option->type != OPTION_FILE || !is_output(option->name) || !*file || strcmp(*file, "none") != 0)
        return 0;
    setting_add(context, true, option->name, "none");
    *file = NULL;
    return 0;
}

static int add_output(struct command *command, const struct placed *placed, void *context)
{
    struct text value = { 0 };
    int rc = 0;

    (void)command;
    if (!is_output(placed->option->name))
        return 0;
    value_format(placed, &value);
    TRY(text_ok(&value));
    if (value.length && strcmp(value.data, "-") && !strchr(value.data, '\n'))     /* which settings do not hold */
        setting_add(context, true, placed->option->name, "%s", value.data);
out:
    text_free(&value);
    return rc;
}

int restart_take_over(struct run *r)
{
    int rc = 0;

    /* Of another model, by what has been added so far, nothing can be taken over. */
    for (const struct mw_setting *s = r->settings.item; r->restart && s && s->name; s++) {
        const char *theirs = mw_checkpoint_setting(r->restart, s->name);
        if (!s->may_differ && (!theirs || strcmp(theirs, s->value) != 0))
            return mw_fail(MW_EINVAL, "checkpoint %s belongs to another run: %s %s (here %s)",
                           mw_checkpoint_path(r->restart), s->name, theirs ? theirs : "none", s->value);
    }
    if (r->restart)
        TRY(options_each(r->command, take_over, r->restart));
    TRY(options_each(r->command, drop_output, &r->settings));
    r->colours = r->set->colours ? r->set->colours : "coolwarm";
out:
    return rc;
}

int restart_compare(struct run *r)
{
    struct setting_list *list = &r->settings;
    int rc;

    r->kind->settings(r, list);
    setting_add(list, true, "steps", "%llu", (unsigned long long)r->set->steps);
    TRY(options_each(r->command, add_output, list));
    setting_add(list, true, "meshwork", "%s", mw_version());
    TRY(list->rc);
    if (r->restart)
        TRY(mw_checkpoint_compare(r->restart, list->item));
    if (r->restart && mw_checkpoint_step(r->restart) > r->set->steps)
        rc = mw_fail(MW_EINVAL, "checkpoint %s is at step %llu, beyond --steps %llu, which counts from the start: ask "
                     "for more", mw_checkpoint_path(r->restart), (unsigned long long)mw_checkpoint_step(r->restart),
                     (unsigned long long)r->set->steps);
out:
    return rc;
}
/* SPDX-License-Identifier: MIT */

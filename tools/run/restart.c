/* meshwork run: checkpoint contents other than the state, and resuming. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <meshwork/file.h>

#include "tools/cli/names.h"
#include "tools/report/files.h"
#include "tools/run/simulation.h"

void setting_add(struct setting_list *list, bool may_differ, const char *name, const char *format, ...)
{
    char *own_name = NULL, *value = NULL;
    va_list ap;
    /* An element without a name ends the list. */
    for (size_t more = 0; more < 2 && !list->rc; more++)
        list->rc = mw_grow(list->count + more, sizeof(*list->item), &list->item);
    if (list->rc)
        return;
    list->item[list->count] = (struct mw_setting){ 0 };
    va_start(ap, format);
    if (vasprintf(&value, format, ap) < 0) {
        value = NULL;
        list->rc = mw_fail(MW_ENOMEM, "out of memory for the settings of a run");
    }
    va_end(ap);
    if (!list->rc && (list->rc = mw_strdup(name, &own_name)) == 0) {
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
    TRY(mw_new(count, sizeof(*v), &v));
    for (size_t i = 0; i < count; i++) {
        const char *theirs;
        char setting[128];
        snprintf(setting, sizeof(setting), "parameter %s", params[i].name);
        theirs = r->resume.from ? mw_checkpoint_setting(r->resume.from, setting) : NULL;
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

/* Outputs that a resumed run continues, and their intervals.  `begins`: the first bytes of such files, to recognise
 * them; a series checks its file itself. */
static const struct output {
    const char *name, *begins;
} outputs[] = { { "every", NULL },
                { "label-every", NULL },
                { "checkpoint-every", NULL },
                { "series", NULL },
                { "output", "\x93NUMPY" },
                { "png", "\x89PNG" },
                { "colours", NULL },
                { "range", NULL },
                { "slice", NULL },
                { "scale", NULL },
                { "show", NULL },
                { "figure", "<?xml" },
                { "contours", NULL },
                { "vtk", "<?xml" },
                { "hdf5", "\x89HDF" },
                { "correlation", "distance," },
                { "correlation-range", NULL },
                { "csv", "step,msd," },
                { "plot", "<?xml" },
                { "carpet-png", "\x89PNG" } };

static const struct output *find_output(const char *name)
{
    for (size_t i = 0; i < MW_COUNT(outputs); i++)
        if (!strcmp(outputs[i].name, name))
            return &outputs[i];
    return NULL;
}

/* Returns the folder of a file with links resolved; NULL: none.  The caller frees it. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct mw_text folder = { 0 };
    char *real;
    mw_text_add(&folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    real = mw_text_ok(&folder) == 0 ? realpath(folder.data, NULL) : NULL;
    mw_text_free(&folder);
    return real;
}

/* Returns whether a file's folder is, or is below, that of another file. */
static bool is_below(const char *path, const char *other)
{
    char *inner = folder_of(path), *outer = folder_of(other);
    const size_t n = outer ? strlen(outer) : 0;
    const bool below = inner && outer && !strncmp(inner, outer, n) &&
                       (inner[n] == '/' || !inner[n] || n == 1); /* / ends with a slash */
    free(inner);
    free(outer);
    return below;
}

/* Returns whether a path stays in the current folder, unless by a link in it. */
static bool stays_here(const char *path)
{
    if (*path == '/')
        return is_below(path, ".");
    for (const char *at = path; *at; at += strcspn(at, "/"), at += strspn(at, "/"))
        if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2]))
            return false;
    return true;
}

/* Returns whether a file has these first bytes, or is empty. */
static bool file_begins(int folder, const char *name, const char *begins)
{
    /* Opening a pipe would wait for its writer. */
    const int file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char there[16];
    struct stat status;
    ssize_t n = -1;
    if (file < 0)
        return errno == ENOENT;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        n = read(file, there, strlen(begins));
    close(file);
    return n == 0 || (n == (ssize_t)strlen(begins) && memcmp(there, begins, (size_t)n) == 0);
}

bool restart_begins(const char *path, const char *begins) { return file_begins(AT_FDCWD, path, begins); }

#define TIFF_BEGINS (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "MM" : "II")

/* Returns the first bytes of a file by its suffix, if the suffix has other ones than the output's first format. */
static const char *first_bytes(const struct output *output, const char *path)
{
    static const char *const known[][2] = {
        { ".png", "\x89PNG" },   { ".pdf", "%PDF" },       { ".npz", "PK" },
        { ".tif", TIFF_BEGINS }, { ".tiff", TIFF_BEGINS }, { ".nrrd", "NRRD" },
        { ".nhdr", "NRRD" },     { ".mha", "ObjectType" }, { ".mhd", "ObjectType" }
    };
    for (size_t i = 0; output->begins && i < MW_COUNT(known); i++)
        if (text_ends_in(path, known[i][0]))
            return known[i][1];
    return output->begins;
}

/* Returns whether the second file of a format is missing, or its header exists. */
static bool is_companion_replaceable(const char *path)
{
    const struct mw_array_format *format;
    struct mw_text other = { 0 };
    bool fine = true;
    if (mw_array_format_find(path, true, &format) != 0 || !format->companion || access(path, F_OK) == 0)
        return true;
    mw_text_add(&other, "%.*s%s", (int)(strlen(path) - strlen(format->suffix)), path, format->companion);
    fine = mw_text_ok(&other) == 0 && access(other.data, F_OK) != 0;
    mw_text_free(&other);
    return fine;
}

/* Returns whether all files that an output could replace, at any step, are of its kind. */
static bool is_replaceable(const struct output *output, const char *path)
{
    const char *begins = first_bytes(output, path);
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *folder = begins ? folder_of(path) : NULL;
    DIR *names = folder ? opendir(folder) : NULL;
    bool fine = !begins || names || !file_has_number(path);
    if (begins && fine)
        fine = file_begins(AT_FDCWD, path, begins) && is_companion_replaceable(path);
    for (struct dirent *e; names && fine && (e = readdir(names)) != NULL;)
        if (file_is_of_series(base, UINT64_MAX - 1, e->d_name))
            fine = file_begins(dirfd(names), e->d_name, begins);
    if (names)
        closedir(names);
    free(folder);
    return fine;
}

/* Checkpoints may come from other people.  Their output files must be in their folder or the current one, and may only
 * replace files of the same kind. */
static int check_file(const struct mw_checkpoint *checkpoint, const struct output *output, const char *file)
{
    const char *path = mw_checkpoint_path(checkpoint);
    if (!stays_here(file) && !(*file == '/' && is_below(file, path)))
        return mw_fail(MW_EINVAL,
                       "checkpoint %s names --%s %s, which may be outside the current folder and the checkpoint's: "
                       "give --%s FILE, or --%s none",
                       path, output->name, file, output->name, output->name);
    if (!is_replaceable(output, file))
        return mw_fail(MW_EINVAL, "checkpoint %s names --%s %s, which has other contents: give --%s FILE, or --%s none",
                       path, output->name, file, output->name, output->name);
    return 0;
}

/* Takes an option from the checkpoint.  Machine settings, which have an environment variable, and kernels, which are
 * programs, are not taken. */
static int take_over(struct command *command, const struct placed *placed, void *context)
{
    const struct mw_checkpoint *checkpoint = context;
    const struct output *output = find_output(placed->option->name);
    const bool is_file = placed->option->type == OPTION_FILE;
    const char *name = placed->option->name, *value = mw_checkpoint_setting(checkpoint, name);
    int rc;
    if (!value || option_is_given(command, name) || placed->option->environment || (is_file && !output))
        return 0;
    if (is_file && strcmp(value, "none") != 0)
        TRY_RETURN(check_file(checkpoint, output, value));
    if ((rc = options_assign(command, name, value)) != 0)
        return mw_fail_in(rc, "checkpoint %s: %s", mw_checkpoint_path(checkpoint), name);
    return 0;
}

/* Checkpoints of run and walk have the same form, but different setting names. */
static int check_subcommand(const struct run *r)
{
    const char *here = r->command->subcommand->name, *theirs = mw_checkpoint_setting(r->resume.from, RUN_SUBCOMMAND);
    if (!theirs || !strcmp(theirs, here))
        return 0;
    return mw_fail(MW_EINVAL, "checkpoint %s belongs to meshwork %s, not meshwork %s: resume it with the former",
                   mw_checkpoint_path(r->resume.from), theirs, here);
}

/* If a run was killed while writing a checkpoint, the previous one is next to the target of the links. */
static int checkpoint_exists(const char *path, bool *exists)
{
    struct mw_text old = { 0 };
    char *target = NULL;
    int rc = 0;
    *exists = access(path, F_OK) == 0 || errno != ENOENT;
    if (*exists)
        return 0;
    TRY(file_target(path, &target));
    mw_text_add(&old, "%s.old", target);
    TRY(mw_text_ok(&old));
    *exists = access(old.data, F_OK) == 0;
out:
    free(target);
    mw_text_free(&old);
    return rc;
}

int restart_decide(struct run *r)
{
    struct run_settings *set = r->set;
    bool exists;
    if (!set->restart_or_start)
        return 0;
    if (set->restart)
        return mw_fail(MW_EINVAL, "--restart and --restart-or-start exclude each other: give one of them");
    TRY_RETURN(checkpoint_exists(set->restart_or_start, &exists));
    if (exists) {
        set->restart = set->restart_or_start;
        set->input = NULL;
    } else if (!r->model.name && !strcmp(r->command->subcommand->name, "run")) {
        return mw_fail(MW_EINVAL, "checkpoint %s does not exist, and there is no MODEL to start with",
                       set->restart_or_start);
    } else {
        report_note("checkpoint %s does not exist: starting from the beginning", set->restart_or_start);
    }
    return 0;
}

int restart_open(struct run *r)
{
    const struct run_settings *set = r->set;
    r->resume.to = set->checkpoint ? set->checkpoint : set->restart ? set->restart : set->restart_or_start;
    if (r->set->restart) {
        TRY_RETURN(mw_checkpoint_open(r->set->restart, &r->resume.from));
        if (report_is_json())
            TRY_RETURN(mw_file_checksum(mw_checkpoint_path(r->resume.from), &r->resume.checksum));
        TRY_RETURN(check_subcommand(r));
    }
    r->resume.model_is_kept = !r->model.name;
    if (!r->model.name && r->resume.from)
        r->model.name = mw_checkpoint_setting(r->resume.from, RUN_MODEL_AS_GIVEN);
    if (!r->model.name && r->resume.from)
        r->model.name = mw_checkpoint_setting(r->resume.from, "model");
    if (!r->model.name && r->resume.from)
        return mw_fail(MW_EINVAL, "checkpoint %s does not name its model: give MODEL",
                       mw_checkpoint_path(r->resume.from));
    if (!r->model.name)
        return mw_fail(MW_EINVAL, "missing operand: meshwork run MODEL, or --restart FILE");
    /* The generators of a walk are not a program. */
    if (r->resume.model_is_kept && !r->kind && model_is_file(r->model.name) && !stays_here(r->model.name))
        return mw_fail(MW_EINVAL,
                       "checkpoint %s has model %s, a program that may be outside the current folder: read it, then "
                       "name it: meshwork run FILE --restart %s",
                       mw_checkpoint_path(r->resume.from), r->model.name, r->set->restart);
    setting_add(&r->resume.settings, true, RUN_MODEL_AS_GIVEN, "%s", r->model.name);
    setting_add(&r->resume.settings, true, RUN_SUBCOMMAND, "%s", r->command->subcommand->name);
    return 0;
}

/* With `none` for a file, this and later checkpoints have no such file. */
static int drop_output(struct command *command, const struct placed *placed, void *context)
{
    const struct option *option = placed->option;
    const char **file = placed->target;
    if (option->type != OPTION_FILE || !find_output(option->name) || !*file || strcmp(*file, "none") != 0)
        return 0;
    setting_add(context, true, option->name, "none");
    *file = NULL;
    return 0;
}

/* Standard output belongs to this run only: later runs continue the previous file. */
static int add_output(struct command *command, const struct placed *placed, void *context)
{
    const char *name = placed->option->name, *kept;
    struct mw_text value = { 0 };
    struct run *r = context;
    int rc = 0;
    if (!find_output(name))
        return 0;
    const struct words *words = placed->target;
    if (placed->option->type != OPTION_WORDS)
        value_format(placed, &value);
    else if (words->count) /* pictures show the first one */
        mw_text_add(&value, "%s", words->item[0]);
    TRY(mw_text_ok(&value));
    kept = value.data;
    if (value.length && (!strcmp(kept, "-") || strchr(kept, '\n'))) /* settings cannot contain a line break */
        kept = r->resume.from ? mw_checkpoint_setting(r->resume.from, name) : NULL;
    if (value.length && kept)
        setting_add(&r->resume.settings, true, name, "%s", kept);
out:
    mw_text_free(&value);
    return rc;
}

int restart_take_over(struct run *r)
{
    /* Nothing can be taken from the checkpoint of another model, judged by the settings so far. */
    for (const struct mw_setting *s = r->resume.settings.item; r->resume.from && s && s->name; s++) {
        const char *theirs = mw_checkpoint_setting(r->resume.from, s->name);
        if (!s->may_differ && (!theirs || strcmp(theirs, s->value) != 0))
            return mw_fail(MW_EINVAL, "checkpoint %s belongs to another run: %s %s (here %s)",
                           mw_checkpoint_path(r->resume.from), s->name, theirs ? theirs : "none", s->value);
    }
    if (r->resume.from)
        TRY_RETURN(options_each(r->command, take_over, r->resume.from));
    TRY_RETURN(options_each(r->command, drop_output, &r->resume.settings));
    return 0;
}

int restart_compare(struct run *r)
{
    struct setting_list *list = &r->resume.settings;
    r->kind->model.settings(r, list);
    setting_add(list, true, "steps", "%llu", (unsigned long long)r->set->steps);
    TRY_RETURN(options_each(r->command, add_output, r));
    setting_add(list, true, "meshwork", "%s", mw_version());
    TRY_RETURN(list->rc);
    if (r->resume.from)
        TRY_RETURN(mw_checkpoint_compare(r->resume.from, list->item));
    if (r->resume.from && mw_checkpoint_step(r->resume.from) > r->set->steps)
        return mw_fail(MW_EINVAL,
                       "checkpoint %s is at step %llu, beyond --steps %llu (counted from the start): give more --steps",
                       mw_checkpoint_path(r->resume.from), (unsigned long long)mw_checkpoint_step(r->resume.from),
                       (unsigned long long)r->set->steps);
    return 0;
}
/* SPDX-License-Identifier: MIT */

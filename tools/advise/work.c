/* The kind and size of a task, which determine its time. */
#include "tools/advise/advise.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

/* How a task grows: by a list of lengths, a count, or parameters of a generator. */
enum growth { LENGTHS, NUMBER, VERTICES };

/* Tasks: the option that grows, its unit, and the option that replaces the file operand. */
static const struct kind {
    const char *name;
    enum growth growth;
    const char *option, *unit;
    const char *instead; /* with this option there is no file; "": there always is one; NULL: never */
} kinds[] = {
    { "run", LENGTHS, "size", "cells", NULL },
    { "walk", NUMBER, "steps", "steps", NULL },
    { "rng", NUMBER, "samples", "numbers", NULL },
    { "label", LENGTHS, "size", "cells", "pattern" },
    { "transform", LENGTHS, NULL, "cells", "" },
    { "graph components", VERTICES, "param", "vertices", "generate" },
    { "graph paths", VERTICES, "param", "vertices", "generate" },
    { "graph clustering", VERTICES, "param", "vertices", "generate" },
    { "graph pagerank", VERTICES, "param", "vertices", "generate" },
    { "graph cores", VERTICES, "param", "vertices", "generate" },
    { "graph betweenness", VERTICES, "param", "vertices", "generate" },
    { "graph bridges", VERTICES, "param", "vertices", "generate" },
};

/* Options that affect a task's time; omitted from the key at their defaults. */
static const char *const matters[] = { "precision", "integrator", "laplacian", "boundary",  "fast-math",    "variant",
                                       "systems",   "update",     "lattice",   "generator", "distribution", "format",
                                       "pattern",   "density",    "type",      "generate",  "connectivity", "wide",
                                       "carpet",    "level",      "extent",    "runs",      "method",       "walkers",
                                       "from",      "to",         "sources" };
/* Tasks with one of these options are not measured: their work or device is not known in advance. */
static const char *const unknown[] = { "restart", "restart-or-start", "threads", "memory-limit", "dry-run" };

static const struct kind *work_kind_of(const struct command *command)
{
    for (size_t i = 0; i < MW_COUNT(kinds); i++)
        if (!strcmp(kinds[i].name, command->subcommand->name))
            return &kinds[i];
    return NULL;
}

static bool has_file(const struct command *command, const struct kind *kind)
{
    return kind->instead && !(*kind->instead && option_is_set(command, kind->instead));
}

/* ---- sizes ---- */

static double size_of_lengths(const struct command *command, const struct kind *kind, struct work *work)
{
    const struct size *size = option_target(command, kind->option);
    double cells = 1;
    for (unsigned i = 0; i < size->dims; i++)
        cells *= (double)size->length[i];
    if (size->dims != 2)
        mw_text_add(&work->key, " dimensions=%u", size->dims);
    return cells;
}

/* Returns whether a parameter grows, and stores its value. */
static bool grows(const char *word, double *value)
{
    char *end;
    if ((word[0] != 'n' && word[0] != 'm') || word[1] != '=')
        return false;
    *value = strtod(word + 2, &end);
    return end != word + 2;
}

/* Returns the last -p n=; other parameters belong to the key. */
static double size_of_graph(const struct command *command, const struct kind *kind, struct work *work)
{
    const struct words *words = option_target(command, kind->option);
    double vertices = NAN, value;
    for (size_t i = 0; i < words->count; i++)
        if (!grows(words->item[i], &value))
            mw_text_add(&work->key, " %s", words->item[i]);
        else if (words->item[i][0] == 'n')
            vertices = value;
    return vertices;
}

static double size_of_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (double)status.st_size : NAN;
}

static double size_of(const struct command *command, const struct kind *kind, struct work *work)
{
    if (has_file(command, kind))
        return command->operands.count ? size_of_file(command->operands.item[command->operands.count - 1]) : NAN;
    switch (kind->growth) {
    case LENGTHS: return size_of_lengths(command, kind, work);
    case NUMBER: return (double)*(const uint64_t *)option_target(command, kind->option);
    case VERTICES: return size_of_graph(command, kind, work);
    }
    return NAN;
}

/* ---- the task ---- */

static void add_options(const struct command *command, struct mw_text *key)
{
    for (size_t i = 0; i < MW_COUNT(matters); i++)
        if (option_is_set(command, matters[i])) {
            mw_text_add(key, " %s=", matters[i]);
            option_format(command, matters[i], key);
        }
}

int work_of(const struct command *command, struct work *work)
{
    const struct kind *kind = work_kind_of(command);
    bool known = kind != NULL;
    size_t operands = command->operands.count;
    *work = (struct work){ .steps = 1 };
    for (size_t i = 0; i < MW_COUNT(unknown); i++)
        known = known && !option_is_set(command, unknown[i]);
    if (!known)
        return mw_fail(MW_ENOTSUP, "the fastest device is not measured for this task: choose devices with -d");
    work->grows = !has_file(command, kind);
    operands -= !work->grows && operands;
    mw_text_add(&work->key, "%s", kind->name);
    for (size_t i = 0; i < operands; i++)
        mw_text_add(&work->key, " %s", command->operands.item[i]);
    mw_text_add(&work->key, "%s", work->grows ? "" : " FILE");
    add_options(command, &work->key);
    work->unit = work->grows ? kind->unit : "bytes";
    work->size = size_of(command, kind, work);
    if (!strcmp(kind->name, "run"))
        work->steps = fmax((double)*(const uint64_t *)option_target(command, "steps"), 1);
    for (char *c = work->key.data; c && *c; c++)
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    if (!(work->size >= 1))
        return mw_fail(MW_EINVAL, "the size of '%s' is unknown: give %s", kind->name,
                       kind->growth == VERTICES ? "--generate KIND with -p n=VERTICES, or a file" : "a file");
    return mw_text_ok(&work->key);
}

void work_free(struct work *work) { mw_text_free(&work->key); }

/* ---- smaller sizes ---- */

static int work_append(struct words *words, const char *word)
{
    char *copy;
    const int rc = mw_strdup(word, &copy);
    if (!rc)
        words->item[words->count++] = copy;
    return rc;
}

/* Halves two lengths each time, in turn. */
static void smaller_lengths(const struct size *size, unsigned times, struct mw_text *text)
{
    struct size half = *size;
    for (unsigned i = 0; i < 2 * times; i++)
        half.length[i % size->dims] = (half.length[i % size->dims] + 1) / 2;
    mw_text_add(text, "%s", size_text(&half, "x").text);
}

static int smaller_graph(const struct words *params, unsigned times, struct words *to)
{
    double value;
    char word[64];
    for (size_t i = 0; i < params->count; i++) {
        if (!grows(params->item[i], &value))
            continue;
        /* A small m is the number of edges per new vertex, not of all edges. */
        snprintf(word, sizeof(word), "%c=%.0f", params->item[i][0],
                 params->item[i][0] == 'm' && value < 100 ? value : floor(value / pow(4, times)));
        TRY_RETURN(work_append(to, "--param"));
        TRY_RETURN(work_append(to, word));
    }
    return 0;
}

/* Appends the option again: the last one counts. */
static int add_smaller(const struct command *command, const struct kind *kind, unsigned times, struct words *to)
{
    const void *target = option_target(command, kind->option);
    struct mw_text value = { 0 }, name = { 0 };
    int rc;
    if (kind->growth == VERTICES)
        return smaller_graph(target, times, to);
    if (kind->growth == LENGTHS)
        smaller_lengths(target, times, &value);
    else
        mw_text_add(&value, "%.0f", floor((double)*(const uint64_t *)target / pow(4, times)));
    mw_text_add(&name, "--%s", kind->option);
    TRY(mw_text_ok(&value));
    TRY(mw_text_ok(&name));
    TRY(work_append(to, name.data));
    TRY(work_append(to, value.data));
out:
    mw_text_free(&name);
    mw_text_free(&value);
    return rc;
}

int work_smaller(const struct command *command, const struct words *arguments, unsigned times, struct words *smaller)
{
    const struct kind *kind = work_kind_of(command);
    *smaller = (struct words){ 0 };
    /* Each parameter adds two words, and there are at most as many parameters as arguments. */
    TRY_RETURN(mw_new(3 * arguments->count + 3, sizeof(*smaller->item), &smaller->item));
    for (size_t i = 0; i < arguments->count; i++)
        TRY_RETURN(work_append(smaller, arguments->item[i]));
    if (times)
        TRY_RETURN(add_smaller(command, kind, times, smaller));
    return 0;
}

void smaller_free(struct words *smaller)
{
    for (size_t i = 0; i < smaller->count; i++)
        free((char *)smaller->item[i]);
    free(smaller->item);
    *smaller = (struct words){ 0 };
}
/* SPDX-License-Identifier: MIT */

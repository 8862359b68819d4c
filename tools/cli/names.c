/* Suggestions for misspelt words; models and their parameters by name. */
#include "tools/cli/names.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Edit distance: insertions, deletions, substitutions and swaps of neighbours; case is ignored. */
static unsigned distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    unsigned row[3][LONGEST + 1];
    size_t n = strlen(a), m = strlen(b);

    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            unsigned *now = row[i % 3], best;
            if (!i || !j) {
                now[j] = (unsigned)(i + j);
                continue;
            }
            const unsigned *above = row[(i - 1) % 3];
            best = above[j - 1] + (mw_lower(a[i - 1]) != mw_lower(b[j - 1]));
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && row[(i - 2) % 3][j - 2] + 1 < best)
                best = row[(i - 2) % 3][j - 2] + 1;
            now[j] = best;
        }
    return row[n % 3][m];
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->word);
    unsigned limit = length < 3 ? 1 : length < 6 ? 2 : 3;
    unsigned d = distance(nearest->word, candidate);
    if (length >= 3 && !strncmp(candidate, nearest->word, length))
        d = 1; /* a prefix counts as one slip */
    if (d <= limit && d < length && (!nearest->best || d < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = d;
    }
}

struct advice nearest_advice(const struct nearest *nearest, const char *otherwise)
{
    struct advice advice;
    snprintf(advice.text, sizeof(advice.text), nearest->best ? "did you mean %s?" : "%s",
             nearest->best ? nearest->best : otherwise);
    return advice;
}

/* ---- models ---- */

/* Reports an unknown model.  Suggests a file of that name in the current folder, or the nearest model. */
static int no_such_model(const char *name, char *const *names)
{
    static const char *const suffixes[] = { ".cl", "" };
    struct nearest nearest = { .word = name };
    struct stat status;
    char file[160];
    for (size_t i = 0; i < MW_COUNT(suffixes); i++) {
        const int n = snprintf(file, sizeof(file), "./%s%s", name, suffixes[i]);
        if (n < (int)sizeof(file) && stat(file, &status) == 0 && S_ISREG(status.st_mode))
            return mw_fail(MW_EINVAL, "unknown model '%s': did you mean the file %s?", name, file);
    }
    for (; *names; names++)
        nearest_offer(&nearest, *names);
    return mw_fail(MW_EINVAL, "unknown model '%s': %s", name,
                   nearest_advice(&nearest, "`meshwork models` lists the models; give your own file as a path with a /")
                       .text);
}

/* Reports a missing file.  Suggests the model nearest to its name without folder and suffix. */
static int no_such_file(const char *path, char *const *names)
{
    const char *slash = strrchr(path, '/');
    char word[64];
    struct nearest nearest = { .word = word };
    mw_copy_string(word, sizeof(word), slash ? slash + 1 : path);
    if (text_ends_in(word, ".cl"))
        word[strlen(word) - 3] = 0;
    for (; *names; names++)
        nearest_offer(&nearest, *names);
    return mw_fail(MW_EIO, "no such file: %s: %s", path,
                   nearest_advice(&nearest, "`meshwork models` lists the installed models").text);
}

static bool model_files_are_forbidden;

void model_files_forbid(bool forbidden) { model_files_are_forbidden = forbidden; }

bool model_is_file(const char *name) { return strchr(name, '/') || text_ends_in(name, ".cl"); }

static const char defined_name[] = "equations";
static char *defined_text;

int model_define(const char *text, const char **name)
{
    free(defined_text);
    defined_text = NULL;
    *name = defined_name;
    return mw_strdup(text, &defined_text);
}

int model_find(const char *name, const char *kernel_path, struct mw_model **model)
{
    if (defined_text && !strcmp(name, defined_name))
        return mw_model_from_text(name, defined_text, model);
    if (!strcmp(name, defined_name) && !defined_text)
        return mw_fail(MW_EINVAL, "the model was given by -e: repeat MODEL, -e and -p as at the start, or save it by "
                                  "--save-model and give the file");
    const bool path = model_is_file(name);
    char **names = NULL;
    bool known = false;
    int rc = 0;
    if (path && model_files_are_forbidden)
        return mw_fail(MW_EINVAL, "the model is the file %s, which is a program: read it, then give --allow-code",
                       name);
    if (!path || (access(name, F_OK) != 0 && errno == ENOENT)) {
        TRY(mw_model_names(kernel_path, MW_MODEL_ANY, &names));
        for (char **n = names; *n && !path; n++)
            known |= !strcmp(*n, name);
        if (!known)
            TRY(path ? no_such_file(name, names) : no_such_model(name, names));
    }
    TRY(mw_model_load(name, kernel_path, model));
out:
    mw_model_names_free(names);
    return rc;
}

/* ---- parameters of models ---- */

int parameter_split(const char *word, char name[64], const char **value)
{
    const char *first = word + strspn(word, " ");
    const size_t end = strcspn(first, "="), length = strcspn(first, " =");
    if (!first[end] || !length || length + strspn(first + length, " ") != end)
        return mw_fail(MW_EINVAL, "-p: expected NAME=VALUE, found '%s'", word);
    mw_copy_string(name, length < 64 ? length + 1 : 64, first);
    *value = first + end + 1;
    *value += strspn(*value, " ");
    return 0;
}

int parameter_number(const char *name, const char *text, double *value)
{
    char *end;
    const double v = strtod(text, &end);
    if (end == text || *end || !isfinite(v))
        return mw_fail(MW_EINVAL, "-p %s: '%s' is not a number", name, text);
    *value = v;
    return 0;
}

void nearest_meaning(struct nearest *nearest, const char *candidate, const char *help)
{
    const size_t length = strlen(nearest->word);
    for (const char *at = strstr(help, nearest->word); at && length > 2; at = strstr(at + 1, nearest->word))
        if ((at == help || at[-1] == ' ') && !nearest->best) {
            nearest->best = candidate;
            nearest->distance = (unsigned)length;
        }
}

static int set_parameter(const char *model, const struct mw_model_param *params, size_t count, const char *word,
                         double *values)
{
    char name[64];
    const char *text = NULL;
    struct nearest nearest = { .word = name };
    TRY_RETURN(parameter_split(word, name, &text));
    for (size_t i = 0; i < count; i++) {
        nearest_offer(&nearest, params[i].name);
        if (!strcmp(params[i].name, name))
            return parameter_number(name, text, &values[i]);
    }
    for (size_t i = 0; i < count; i++)
        nearest_meaning(&nearest, params[i].name, params[i].help);
    return mw_fail(MW_EINVAL, "model %s has no parameter '%s': %s", model, name,
                   nearest_advice(&nearest, "`meshwork models NAME` lists its parameters").text);
}

int parameters_set(const char *model, const struct mw_model_param *params, size_t count, const struct words *words,
                   double *values)
{
    for (size_t i = 0; i < words->count; i++)
        TRY_RETURN(set_parameter(model, params, count, words->item[i], values));
    return 0;
}
/* SPDX-License-Identifier: MIT */

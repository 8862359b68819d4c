/* Models from the command line: -e, and --save-model. */
#include <stdlib.h>
#include <string.h>

#include "tools/cli/names.h"
#include "tools/report/files.h"
#include "tools/run/over.h"
#include "tools/run/simulation.h"

/* Reads NAME=VALUE of a parameter that -p or --over sets.  Of several values the first is the default. */
static int read_param(const char *word, char name[64], struct mw_value *param)
{
    char number[64];
    const char *text;
    TRY_RETURN(parameter_split(word, name, &text));
    const size_t n = strcspn(text, ":,");
    mw_copy_string(number, n < sizeof number ? n + 1 : sizeof number, text);
    param->name = name;
    return parameter_number(name, number, &param->value);
}

/* Returns whether a word of -p sets a map: its value is no number. */
static bool is_map(const char *word, char name[64])
{
    const char *text;
    double number;
    return parameter_split(word, name, &text) == 0 && parameter_number(name, text, &number) != 0;
}

/* Returns whether an equation is map(NAME) = ... */
static bool defines_map(const char *equation, const char *name)
{
    const size_t n = strlen(name);
    const char *at = equation + strspn(equation, " ");
    if (strncmp(at, "map", 3) != 0)
        return false;
    at += 3 + strspn(at + 3, " (");
    return !strncmp(at, name, n) && strchr(" )", at[n]);
}

/* Copies the equations, and adds a definition of each map that only -p sets. */
static int with_maps(const struct words *equations, const struct words *params, char **all, size_t *count)
{
    char name[64];
    for (size_t i = 0; i < equations->count; i++)
        TRY_RETURN(mw_strdup(equations->item[i], &all[(*count)++]));
    for (size_t i = 0; i < params->count; i++) {
        struct mw_text text = { 0 };
        bool known = !is_map(params->item[i], name);
        for (size_t k = 0; k < *count && !known; k++)
            known = defines_map(all[k], name);
        if (known)
            continue;
        mw_text_add(&text, "map(%s) = 0", name);
        TRY_RETURN(mw_text_ok(&text));
        all[(*count)++] = text.data;
    }
    return 0;
}

static int make_model(struct run *r, const char *over, struct mw_model **model)
{
    const struct words *params = &r->set->params, *equations = &r->set->equations;
    struct mw_value *values = NULL;
    char(*names)[64] = NULL, **all = NULL;
    size_t count = 0, all_count = 0;
    int rc;
    TRY(mw_new(params->count + 1, sizeof *values, &values));
    TRY(mw_new(params->count + 1, sizeof *names, &names));
    TRY(mw_new(params->count + equations->count, sizeof *all, &all));
    TRY(with_maps(equations, params, all, &all_count));
    for (size_t i = 0; i <= params->count; i++) {
        const char *word = i < params->count ? params->item[i] : over;
        size_t known = 0;
        if (!word || (i < params->count && is_map(word, names[count])))
            continue;
        TRY(read_param(word, names[count], &values[count]));
        while (strcmp(values[known].name, names[count]) != 0)
            known++;
        values[known].value = values[count].value; /* the last counts */
        count += known == count;
    }
    rc = mw_model_from_equations((const char *const *)all, all_count, values, count, model);
out:
    for (size_t i = 0; i < all_count; i++)
        free(all[i]);
    free(all);
    free(values);
    free(names);
    return rc;
}

/* Adds definitions to the text of an installed model or a file. */
static int extend_model(struct run *r, struct mw_model **model)
{
    const struct words *more = &r->set->equations;
    struct mw_model *plain = NULL;
    int rc;
    TRY(model_find(r->model.name, r->set->device.kernel_path, &plain));
    if (mw_model_info(plain)->kind != MW_MODEL_FIELD) {
        rc = mw_fail(MW_EINVAL, "-e requires a model of fields, but %s has spins: leave it out", r->model.name);
        goto out;
    }
    rc = mw_model_extend(plain, more->item, more->count, model);
out:
    mw_model_free(plain);
    return rc;
}

int equations_take(struct run *r, const char *over)
{
    struct mw_model *model = NULL;
    int rc = 0;
    if (r->set->equations.count > 0) {
        TRY(r->model.name ? extend_model(r, &model) : make_model(r, over, &model));
        TRY(model_define(mw_model_info(model)->text, &r->model.name));
    }
    if (!r->set->save_model)
        goto out;
    if (!r->model.name) {
        rc = mw_fail(MW_EINVAL, "--save-model requires -e or a MODEL");
        goto out;
    }
    if (!model)
        TRY(model_find(r->model.name, r->set->device.kernel_path, &model));
    rc = file_write(r->set->save_model, true, mw_model_info(model)->text, strlen(mw_model_info(model)->text));
out:
    mw_model_free(model);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Models from the command line: -e, and --save-model. */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
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

/* The definitions of -e and of maps that only -p sets; the parameters that -p declares; MODEL, or NULL. */
struct equations {
    const struct words *given, *params;
    const struct mw_model *plain;
    char **text;
    size_t count, value_count;
    struct mw_value *values;
    char (*names)[64];
};

/* Returns whether MODEL has a parameter or a map with this name, or -e defines such a map. */
static bool is_known(const struct equations *e, const char *name)
{
    const struct mw_model_info *info = e->plain ? mw_model_info(e->plain) : NULL;
    for (size_t i = 0; info && i < info->param_count; i++)
        if (!strcmp(info->params[i].name, name))
            return true;
    for (size_t i = 0; info && i < info->map_count; i++)
        if (!strcmp(info->maps[i].name, name))
            return true;
    for (size_t i = 0; i < e->count; i++)
        if (defines_map(e->text[i], name))
            return true;
    return false;
}

static bool is_used(const struct equations *e, const char *name)
{
    for (size_t i = 0; i < e->given->count; i++)
        if (mw_word_in(e->given->item[i], name))
            return true;
    return false;
}

/* Copies the equations, and adds a definition of each map that only -p sets.  Names that nothing uses are left to the
 * check of MODEL's parameters. */
static int take_maps(struct equations *e)
{
    char name[64];
    for (size_t i = 0; i < e->given->count; i++)
        TRY_RETURN(mw_strdup(e->given->item[i], &e->text[e->count++]));
    for (size_t i = 0; i < e->params->count; i++) {
        struct mw_text text = { 0 };
        if (!is_map(e->params->item[i], name) || is_known(e, name))
            continue;
        if (!is_used(e, name) && e->plain)
            continue;
        if (!is_used(e, name))
            return mw_fail(MW_EINVAL, "map '%s' is in none of the equations", name);
        mw_text_add(&text, "map(%s) = 0", name);
        TRY_RETURN(mw_text_ok(&text));
        e->text[e->count++] = text.data;
    }
    return 0;
}

static int take_params(struct equations *e, const char *over)
{
    for (size_t i = 0; i <= e->params->count; i++) {
        const char *word = i < e->params->count ? e->params->item[i] : over;
        char *name = e->names[e->value_count];
        struct mw_value *value = &e->values[e->value_count];
        size_t known = 0;
        if (!word || (i < e->params->count && is_map(word, name)))
            continue;
        TRY_RETURN(read_param(word, name, value));
        if (is_known(e, name) || (e->plain && !is_used(e, name)))
            continue;
        while (strcmp(e->values[known].name, name) != 0)
            known++;
        e->values[known].value = value->value; /* the last counts */
        e->value_count += known == e->value_count;
    }
    return 0;
}

/* Makes a model of -e, or adds definitions to the text of an installed model or a file. */
static int make_model(struct run *r, const char *over, struct mw_model **model)
{
    struct equations e = { .given = &r->set->equations, .params = &r->set->params };
    struct mw_model *plain = NULL;
    int rc;
    if (r->model.name) {
        TRY(model_find(r->model.name, r->set->device.kernel_path, &plain));
        if (mw_model_info(plain)->kind != MW_MODEL_FIELD) {
            rc = mw_fail(MW_EINVAL, "-e requires a model of fields, but %s has spins: leave it out", r->model.name);
            goto out;
        }
    }
    e.plain = plain;
    TRY(mw_new(e.params->count + 1, sizeof *e.values, &e.values));
    TRY(mw_new(e.params->count + 1, sizeof *e.names, &e.names));
    TRY(mw_new(e.params->count + e.given->count, sizeof *e.text, &e.text));
    TRY(take_maps(&e));
    TRY(take_params(&e, over));
    const char *const *text = (const char *const *)e.text;
    rc = plain ? mw_model_extend(plain, text, e.count, e.values, e.value_count, model)
               : mw_model_from_equations(text, e.count, e.values, e.value_count, model);
    if (rc == 0)
        r->model.given_sided = plain ? mw_model_info(*model)->added_sided : mw_model_info(*model)->sided;
out:
    for (size_t i = 0; i < e.count; i++)
        free(e.text[i]);
    free(e.text);
    free(e.values);
    free(e.names);
    mw_model_free(plain);
    return rc;
}

int equations_take(struct run *r, const char *over)
{
    struct mw_model *model = NULL;
    int rc = 0;
    if (r->set->equations.count > 0) {
        TRY(make_model(r, over, &model));
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

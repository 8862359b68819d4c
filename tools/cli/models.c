/* meshwork models: the equations there are, and their parameters. */
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int model_find(const char *name, const char *kernel_path, struct mw_model **model)
{
    struct nearest nearest = { .word = name };
    size_t length = strlen(name);
    char **names = NULL;
    bool known = false;
    int rc = 0;

    if (!strchr(name, '/') && !(length > 3 && !strcmp(name + length - 3, ".cl"))) {
        TRY(mw_model_names(kernel_path, &names));
        for (char **n = names; *n; n++) {
            known |= !strcmp(*n, name);
            nearest_offer(&nearest, *n);
        }
        if (!known) {
            rc = mw_fail(MW_EINVAL, "there is no model '%s': %s", name,
                         nearest_advice(&nearest, "`meshwork models` lists them, and a file of your own is given by a "
                                        "path with a /").text);
            goto out;
        }
    }
    TRY(mw_model_load(name, kernel_path, model));
out:
    mw_model_names_free(names);
    return rc;
}

static int set_param(const struct mw_model_info *m, const char *word, double *params)
{
    size_t length = strcspn(word, "=");
    char name[64], *end;
    struct nearest nearest = { .word = name };

    mw_copy_string(name, length < sizeof(name) ? length + 1 : sizeof(name), word);
    if (!word[length] || !length)
        return mw_fail(MW_EINVAL, "-p: '%s' is not of the form NAME=VALUE", word);
    for (size_t i = 0; i < m->param_count; i++) {
        nearest_offer(&nearest, m->params[i].name);
        if (strcmp(m->params[i].name, name) != 0)
            continue;
        double value = strtod(word + length + 1, &end);
        if (end == word + length + 1 || *end || !isfinite(value))
            return mw_fail(MW_EINVAL, "-p %s: '%s' is not a number", name, word + length + 1);
        params[i] = value;
        return 0;
    }
    return mw_fail(MW_EINVAL, "model %s has no parameter '%s': %s", m->name, name,
                   nearest_advice(&nearest, "`meshwork models NAME` shows its parameters").text);
}

int model_params(const struct mw_model_info *m, const struct words *words, double **params)
{
    double *values = NULL;
    int rc;

    TRY(mw_new(m->param_count, sizeof(*values), &values));
    for (size_t i = 0; i < m->param_count; i++)
        values[i] = m->params[i].value;
    for (size_t i = 0; i < words->count; i++)
        TRY(set_param(m, words->item[i], values));
    *params = values;
    values = NULL;
out:
    free(values);
    return rc;
}

static struct json *model_json(const struct mw_model_info *m)
{
    struct json *o = js_object(), *fields = js_array(), *params = js_array();

    js_text(o, "name", m->name);
    js_text(o, "equation", m->equation);
    js_text(o, "path", m->path);
    js_real(o, "dt", m->dt);
    for (size_t i = 0; i < m->field_count; i++) {
        struct json *f = js_object();
        js_text(f, "name", m->fields[i].name);
        js_real(f, "noise", m->fields[i].noise);
        js_real(f, "mean", m->fields[i].mean);
        js_flag(f, "conserved", m->fields[i].conserved);
        js_put(fields, NULL, f);
    }
    for (size_t i = 0; i < m->param_count; i++) {
        struct json *p = js_object();
        js_text(p, "name", m->params[i].name);
        js_real(p, "value", m->params[i].value);
        js_text(p, "help", m->params[i].help);
        js_put(params, NULL, p);
    }
    js_put(o, "fields", fields);
    js_put(o, "params", params);
    return o;
}

static int print_model(const struct mw_model_info *m)
{
    FILE *out = results();
    struct table table;
    int rc;

    fprintf(out, "%s%s%s\n  %s\n\n", colour_on(out, BOLD), m->name, colour_off(out, BOLD), m->equation);
    table_start(&table, "parameter|>default|~");
    for (size_t i = 0; i < m->param_count; i++) {
        table_add(&table, PLAIN, "%s", m->params[i].name);
        table_add(&table, PLAIN, "%.15g", m->params[i].value);
        table_add(&table, PLAIN, "%s", m->params[i].help);
    }
    TRY(table_print(&table, out));
    fputc('\n', out);
    table_start(&table, "field|>mean|>noise|");
    for (size_t i = 0; i < m->field_count; i++) {
        table_add(&table, PLAIN, "%s", m->fields[i].name);
        table_add(&table, PLAIN, "%g", m->fields[i].mean);
        table_add(&table, PLAIN, "%g", m->fields[i].noise);
        table_add(&table, PLAIN, "%s", m->fields[i].conserved ? "conserved" : "");
    }
    TRY(table_print(&table, out));
    fprintf(out, "\ntime step  %g\nfile       %s\n", m->dt, m->path);
out:
    return rc;
}

static void add_row(struct table *table, const struct mw_model_info *m)
{
    struct mw_text names = { 0 };

    for (size_t i = 0; i < m->param_count; i++)
        mw_text_add(&names, "%s%s", i ? " " : "", m->params[i].name);
    table_add(table, PLAIN, "%s", m->name);
    table_add(table, PLAIN, "%s", m->equation);
    table_add(table, PLAIN, "%s", names.data ? names.data : "");
    mw_text_free(&names);
}

/* Only the wanted models, or all; a broken installed file is an error as much as a broken file of the user's. */
int models_run(struct command *command)
{
    const struct words *wanted = &command->operands;
    const struct settings *set = &command->settings;
    struct mw_model *model = NULL;
    struct json *json = NULL;
    struct table table;
    char **names = NULL;
    size_t count = wanted->count;
    int rc;

    table_start(&table, "model|~equation|parameters");
    if (!count) {
        TRY(mw_model_names(set->kernel_path, &names));
        while (names[count])
            count++;
    }
    if (set->json)
        json = js_array();
    for (size_t i = 0; i < count; i++) {
        TRY(names ? mw_model_load(names[i], set->kernel_path, &model)
                  : model_find(wanted->item[i], set->kernel_path, &model));
        if (set->json)
            js_put(json, NULL, model_json(mw_model_info(model)));
        else if (!names)
            TRY(print_model(mw_model_info(model)));
        else
            add_row(&table, mw_model_info(model));
        mw_model_free(model);
        model = NULL;
    }
    rc = set->json ? js_print(json) : names ? table_print(&table, results()) : 0;
    json = NULL;
out:
    js_free(json);
    table_free(&table);
    mw_model_free(model);
    mw_model_names_free(names);
    return rc;
}

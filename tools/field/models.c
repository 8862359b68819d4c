/* meshwork models: lists the models and their parameters. */
#include <math.h>
#include <stdio.h>

#include "tools/cli/names.h"
#include "tools/cli/subcommands.h"
#include "tools/field/model.h"
#include "tools/report/report.h"

struct models_settings {
    struct device_settings device;
};

int mesh_of_field(const struct mesh_settings *mesh, struct mw_field_options *field)
{
    if (mesh->integrator == INTEGRATOR_LIST)
        return mw_fail(MW_EINVAL, "--integrator list is an option of meshwork run: name an integrator here");
    *field = (struct mw_field_options){ .size = sizeof(struct mw_field_options),
                                        .dims = mesh->size.dims,
                                        .integrator = (enum mw_integrator)mesh->integrator,
                                        .laplacian = (enum mw_laplacian)mesh->laplacian,
                                        .fp64 = mesh->precision == PRECISION_DOUBLE,
                                        .fast_math = mesh->fast_math };
    memcpy(field->length, mesh->size.length, sizeof(mesh->size.length));
    return mesh_boundaries(mesh, field->boundary);
}

static void put_parameters(struct node *o, const char *key, const struct mw_model_param *params, size_t count,
                           bool in_full)
{
    const char *columns = strcmp(key, "maps") ? "parameter|>default|~" : "map|>default|~";
    struct node *list = in_full ? put_table(o, key, columns) : put_list(o, key);
    for (size_t i = 0; i < count; i++) {
        struct node *p = put_object(list, NULL);
        show_value_cell(put_text(p, "name", params[i].name), PLAIN);
        show_cell(put_real(p, "value", params[i].value), PLAIN, "%.15g", params[i].value);
        show_value_cell(put_text(p, "help", params[i].help), PLAIN);
    }
}

static void put_fields(struct node *o, const struct mw_model_info *m, bool in_full)
{
    struct node *fields = in_full ? put_table(o, "fields", "field|>mean|>noise|") : put_list(o, "fields");
    for (size_t i = 0; i < m->field_count; i++) {
        struct node *f = put_object(fields, NULL);
        show_value_cell(put_text(f, "name", m->fields[i].name), PLAIN);
        show_value_cell(put_real(f, "mean", m->fields[i].mean), PLAIN);
        show_value_cell(put_real(f, "noise", m->fields[i].noise), PLAIN);
        show_cell(put_flag(f, "conserved", m->fields[i].conserved), PLAIN, "%s",
                  m->fields[i].conserved ? "conserved" : "");
    }
    put_real(o, "dt", m->dt);
    if (in_full)
        show_lines(put_words(o), PLAIN, "\ntime step  %g", m->dt);
}

static const char *bound_text(const struct mw_model_number *bound, char text[32])
{
    snprintf(text, 32, "%.15g", bound->value);
    return bound->param ? bound->param : text;
}

static void put_spin(struct node *o, const struct mw_model_info *m, bool in_full)
{
    const struct mw_model_spin *spin = &m->spin;
    char least[32], most[32], text[160];
    bound_text(&spin->least, least);
    bound_text(&spin->most, most);
    switch (spin->values) {
    case MW_SPIN_VALUES_SIGNS: snprintf(text, sizeof(text), "-1 or 1"); break;
    case MW_SPIN_VALUES_WHOLE:
        snprintf(text, sizeof(text), "%s to %s", bound_text(&spin->least, least), bound_text(&spin->most, most));
        break;
    case MW_SPIN_VALUES_LABELS: snprintf(text, sizeof(text), "one of %s kinds", bound_text(&spin->most, most)); break;
    case MW_SPIN_VALUES_CLOCK:
        snprintf(text, sizeof(text), "one of %s directions", bound_text(&spin->most, most));
        break;
    case MW_SPIN_VALUES_ANGLE: snprintf(text, sizeof(text), "a direction in the plane, in turns"); break;
    case MW_SPIN_VALUES_VECTOR: snprintf(text, sizeof(text), "a unit vector in space"); break;
    }
    put_text(o, "spin", spin->name);
    put_text(o, "values", text);
    if (in_full)
        show_lines(put_words(o), PLAIN, "\na spin     %s", text);
}

/* Prints tables for a single model, one line each for several. */
static void put_model(struct node *o, const struct mw_model_info *m, bool in_full)
{
    put_text(o, "name", m->name);
    put_text(o, "kind", mw_model_kind_name(m->kind));
    put_text(o, "equation", m->equation);
    put_text(o, "about", m->about);
    put_text(o, "file", m->path);
    if (in_full) {
        show_lines(put_words(o), BOLD, "%s", m->name);
        show_lines(put_words(o), PLAIN, "\n  %s\n", m->equation);
    }
    put_parameters(o, "parameters", m->params, m->param_count, in_full);
    if (m->map_count)
        put_parameters(o, "maps", m->maps, m->map_count, in_full);
    (m->kind == MW_MODEL_SPIN ? put_spin : put_fields)(o, m, in_full);
    if (in_full)
        show_lines(put_words(o), PLAIN, "\nfile       %s\n", m->path);
}

/* Adds a row to the table of all models. */
static int put_line(struct node *table, const struct mw_model_info *m)
{
    struct mw_text names = { 0 };
    struct node *row;
    int rc;
    for (size_t i = 0; i < m->param_count; i++)
        mw_text_add(&names, "%s%s", i ? " " : "", m->params[i].name);
    TRY(mw_text_ok(&names));
    row = put_object(table, NULL);
    CELL(row, "%s", m->name);
    CELL(row, "%s", m->equation);
    CELL(row, "%s", names.data ? names.data : "");
    put_model(row, m, false);
out:
    mw_text_free(&names);
    return rc;
}

static int list_all(const char *kernel_path, struct node **report)
{
    struct mw_model *model = NULL;
    char **names = NULL;
    int rc;
    TRY(mw_model_names(kernel_path, MW_MODEL_ANY, &names));
    *report = report_table("model|~equation|parameters");
    for (char **name = names; *name; name++) {
        TRY(mw_model_load(*name, kernel_path, &model));
        TRY(put_line(*report, mw_model_info(model)));
        mw_model_free(model);
        model = NULL;
    }
out:
    mw_model_free(model);
    mw_model_names_free(names);
    return rc;
}

/* Loads the requested models, or all.  A broken installed file is an error, like a broken file of the user. */
static int field_models_run(struct command *command)
{
    const char *kernel_path = ((const struct models_settings *)command->settings)->device.kernel_path;
    const struct words *wanted = &command->operands;
    struct mw_model *model = NULL;
    struct node *report = NULL, *o;
    int rc = 0;
    if (!wanted->count)
        TRY(list_all(kernel_path, &report));
    else
        report = report_list();
    for (size_t i = 0; i < wanted->count; i++) {
        TRY(model_find(wanted->item[i], kernel_path, &model));
        o = put_object(report, NULL);
        put_model(o, mw_model_info(model), true);
        if (i + 1 < wanted->count)
            show_lines(put_words(o), PLAIN, "\n");
        mw_model_free(model);
        model = NULL;
    }
out:
    rc = report_end(report, rc);
    mw_model_free(model);
    return rc;
}

static const struct option_group groups[] = { { "Models", kernel_options, offsetof(struct models_settings, device) },
                                              { 0 } };

const struct subcommand models_subcommand = {
    "models",
    "[MODEL...]",
    "list the models, or show their parameters",
    "Lists the installed models. With MODEL, a name or the path of a model file, shows its equation, parameters and "
    "fields.",
    groups,
    sizeof(struct models_settings),
    0,
    SIZE_MAX,
    field_models_run,
    NULL
};
/* SPDX-License-Identifier: MIT */

/* meshwork tune: measures the fastest variants and shapes on a device; shows or removes the stored results. */
#include <meshwork/field.h>

#include "tools/cli/groups.h"
#include "tools/cli/names.h"
#include "tools/cli/subcommands.h"
#include "tools/field/model.h"
#include "tools/machine/team.h"
#include "tools/report/report.h"

struct tune_settings {
    double budget;
    bool list, clear;
    struct mesh_settings mesh;
    struct device_settings device;
};

#define AT(member) offsetof(struct tune_settings, member)

static const struct option options[] = {
    { .name = "budget",
      .type = OPTION_SECONDS,
      .target = AT(budget),
      .value = "TIME",
      .least = 1,
      .fallback = "30s",
      .help = "maximum time per model" },
    { .name = "list", .type = OPTION_FLAG, .target = AT(list), .help = "show the stored results without measuring" },
    { .name = "clear", .type = OPTION_FLAG, .target = AT(clear), .help = "remove the stored results" },
    { 0 }
};

struct listing {
    struct node *table;
    size_t count;
};

static void on_entry(void *context, const char *device, const char *key, const struct mw_shape *shape, double seconds)
{
    struct listing *list = context;
    struct node *row = put_object(list->table, NULL);
    char text[MW_SHAPE_TEXT];
    list->count++;
    mw_shape_format(shape, text);
    show_value_cell(put_text(row, "device", device), PLAIN);
    show_value_cell(put_text(row, "key", key), PLAIN);
    show_value_cell(put_text(row, "shape", text), PLAIN);
    show_value_cell(put_seconds(row, "seconds", seconds), PLAIN);
}

static int list_entries(void)
{
    struct listing list = { .table = report_table("~device|what|shape|>a pass") };
    int rc;
    TRY(mw_tune_each(on_entry, &list));
    if (!list.count)
        show_lines(put_words(list.table), PLAIN, "no stored results\n");
    rc = report_print(list.table);
    list.table = NULL;
out:
    report_free(list.table);
    return rc;
}

static int tune_model(const struct tune_settings *set, struct mw_device *device, const char *name, struct node *table)
{
    const double start = mw_now();
    struct mw_field_options field_options;
    struct mw_model *model = NULL;
    struct mw_field *field = NULL;
    struct mw_shape shape;
    char text[MW_SHAPE_TEXT];
    struct node *row;
    const char *how;
    int rc;
    TRY(mesh_of_field(&set->mesh, &field_options));
    field_options.tune_budget = set->budget;
    field_options.retune = true;
    TRY(model_find(name, set->device.kernel_path, &model));
    TRY(mw_field_new(&device, 1, model, &field_options, &field));
    mw_field_shape(field, &shape, &how);
    mw_shape_format(&shape, text);
    row = put_object(table, NULL);
    show_value_cell(put_text(row, "model", mw_model_info(model)->name), PLAIN);
    show_value_cell(put_text(row, "device", mw_device_info(device)->id), PLAIN);
    show_value_cell(put_text(row, "variant", shape.variant), BOLD);
    show_value_cell(put_text(row, "shape", text), PLAIN);
    show_value_cell(put_seconds(row, "seconds", mw_now() - start), PLAIN);
out:
    mw_field_free(field);
    mw_model_free(model);
    return rc;
}

static int tune_device(const struct command *command, struct mw_device *device, char **names, struct node *table)
{
    const struct words *operands = &command->operands;
    for (size_t i = 0; i < operands->count; i++)
        TRY_RETURN(tune_model(command->settings, device, operands->item[i], table));
    for (char **name = names; name && *name; name++)
        TRY_RETURN(tune_model(command->settings, device, *name, table));
    return 0;
}

/* Tunes devices separately, even if a run would use them together. */
static int tune_models(const struct command *command)
{
    const struct tune_settings *set = command->settings;
    struct node *o = report_object(), *table = put_table(o, "rows", "model|device|variant|shape|>measured for");
    struct team team = { 0 };
    char **names = NULL;
    int rc;
    TRY(team_open(&set->device, &team));
    if (!command->operands.count)
        TRY(mw_model_names(set->device.kernel_path, MW_MODEL_FIELD, &names));
    for (size_t i = 0; i < team.count; i++)
        TRY(tune_device(command, team.device[i], names, table));
out:
    rc = report_end(o, rc);
    mw_model_names_free(names);
    team_close(&team);
    return rc;
}

static int machine_tune_run(struct command *command)
{
    const struct tune_settings *set = command->settings;
    if ((set->list || set->clear) && command->operands.count)
        return mw_fail(MW_EINVAL, "--list and --clear apply to all models: leave out '%s'", command->operands.item[0]);
    if (set->clear)
        TRY_RETURN(mw_tune_clear());
    if (set->list)
        return list_entries();
    if (!set->clear)
        return tune_models(command);
    print_note("removed the stored results");
    return 0;
}

static const struct option_group groups[] = { { "Tuning", options, 0 },
                                              { "Tuning", mesh_options, offsetof(struct tune_settings, mesh) },
                                              DEVICES_GROUPS(struct tune_settings, device),
                                              { 0 } };

const struct subcommand tune_subcommand = {
    .name = "tune",
    .operands = "[MODEL...]",
    .summary = "measure the fastest variants on a device, and store the result",
    .description =
        "Measures the variants and shapes of models (default: all models) on the device, or on each of several, and "
        "stores the fastest for later runs of the same size and precision.",
    .groups = groups,
    .settings_bytes = sizeof(struct tune_settings),
    .most_operands = SIZE_MAX,
    .run = machine_tune_run,
};
/* SPDX-License-Identifier: MIT */

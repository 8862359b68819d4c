/* meshwork tune: measures on the device at hand what is fastest, and shows or forgets what is remembered. */
#include "command.h"

#include <string.h>

#define AT(member) offsetof(struct settings, member)

const struct option tune_options[] = {
    { .name = "budget", .type = OPTION_REAL, .target = AT(budget), .value = "SECONDS", .fallback = "30",
      .help = "time to spend on each model at most" },
    { .name = "list", .type = OPTION_FLAG, .target = AT(list), .help = "show what is remembered, and measure nothing" },
    { .name = "clear", .type = OPTION_FLAG, .target = AT(clear), .help = "forget what is remembered" },
    { 0 }
};

struct listing { struct table table; struct json *json; size_t count; };

static void on_entry(void *context, const char *device, const char *key, const struct mw_shape *shape, double seconds)
{
    struct listing *list = context;
    char text[MW_SHAPE_TEXT];

    mw_shape_format(shape, text);
    list->count++;
    if (list->json) {
        struct json *o = js_object();
        js_text(o, "device", device);
        js_text(o, "key", key);
        js_text(o, "shape", text);
        js_real(o, "seconds", seconds);
        js_put(list->json, NULL, o);
        return;
    }
    table_add(&list->table, PLAIN, "%s", device);
    table_add(&list->table, PLAIN, "%s", key);
    table_add(&list->table, PLAIN, "%s", text);
    table_add(&list->table, PLAIN, "%s", seconds_text(seconds).text);
}

static int list_entries(const struct settings *set)
{
    struct listing list = { .json = set->json ? js_array() : NULL };
    int rc;

    table_start(&list.table, "~device|what|shape|>a pass");
    TRY(mw_tune_each(on_entry, &list));
    if (list.json) {
        rc = js_print(list.json);
        list.json = NULL;
    } else if (list.count) {
        rc = table_print(&list.table, results());
    } else {
        fprintf(results(), "nothing is remembered yet\n");
    }
out:
    js_free(list.json);
    table_free(&list.table);
    return rc;
}

static int tune_model(const struct settings *set, struct mw_device *device, const char *name, struct listing *list)
{
    struct mw_field_options options;
    struct mw_model *model = NULL;
    struct mw_field *field = NULL;
    struct mw_shape shape;
    char text[MW_SHAPE_TEXT];
    double start = mw_now();
    const char *how;
    int rc;

    TRY(field_settings(set, &options));
    options.retune = true;
    TRY(model_find(name, set->kernel_path, &model));
    TRY(mw_field_new(device, model, &options, &field));
    mw_field_shape(field, &shape, &how);
    mw_shape_format(&shape, text);
    if (list->json) {
        struct json *o = js_object();
        js_text(o, "model", mw_model_info(model)->name);
        js_text(o, "device", mw_device_info(device)->id);
        js_text(o, "variant", shape.variant);
        js_text(o, "shape", text);
        js_real(o, "seconds", mw_now() - start);
        js_put(list->json, NULL, o);
    } else {
        table_add(&list->table, PLAIN, "%s", mw_model_info(model)->name);
        table_add(&list->table, PLAIN, "%s", mw_device_info(device)->id);
        table_add(&list->table, BOLD, "%s", shape.variant);
        table_add(&list->table, PLAIN, "%s", text);
        table_add(&list->table, PLAIN, "%s", seconds_text(mw_now() - start).text);
    }
out:
    mw_field_free(field);
    mw_model_free(model);
    return rc;
}

static int tune_models(const struct command *command)
{
    const struct settings *set = &command->settings;
    struct listing list = { .json = set->json ? js_array() : NULL };
    struct mw_device *device = NULL;
    char **names = NULL;
    int rc;

    table_start(&list.table, "model|device|variant|shape|>measured for");
    TRY(device_find(set, &device));
    for (size_t i = 0; i < command->operands.count; i++)
        TRY(tune_model(set, device, command->operands.item[i], &list));
    if (!command->operands.count) {
        TRY(mw_model_names(set->kernel_path, &names));
        for (char **name = names; *name; name++)
            TRY(tune_model(set, device, *name, &list));
    }
    rc = list.json ? js_print(list.json) : table_print(&list.table, results());
    list.json = NULL;
out:
    js_free(list.json);
    table_free(&list.table);
    mw_model_names_free(names);
    mw_device_close(device);
    return rc;
}

int tune_run(struct command *command)
{
    const struct settings *set = &command->settings;
    int rc = 0;

    if ((set->list || set->clear) && command->operands.count)
        return mw_fail(MW_EINVAL, "--list and --clear stand for all models: leave out '%s'", command->operands.item[0]);
    if (set->clear)
        TRY(mw_tune_clear());
    if (set->list)
        return list_entries(set);
    if (!set->clear)
        return tune_models(command);
    say_note("forgot what was remembered");
out:
    return rc;
}

/* meshwork cache: the built kernels that are kept on disk. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"

static int list_programs(const struct settings *set)
{
    struct mw_cache_stats stats;
    struct table table;
    char *folder = NULL;
    int rc;

    table_start(&table, "|");
    TRY(mw_cache_folder("", &folder));
    TRY(mw_cache_stats(&stats));
    if (set->json) {
        struct json *o = js_object();
        js_text(o, "folder", folder);
        js_count(o, "entries", stats.entries);
        js_count(o, "bytes", stats.bytes);
        TRY(js_print(o));
        goto out;
    }
    table_add(&table, DIM, "folder");
    table_add(&table, PLAIN, "%s", folder);
    table_add(&table, DIM, "built kernels");
    table_add(&table, PLAIN, "%zu", stats.entries);
    table_add(&table, DIM, "size");
    table_add(&table, PLAIN, "%s", bytes_text(stats.bytes).text);
    TRY(table_print(&table, results()));
out:
    table_free(&table);
    free(folder);
    return rc;
}

static int clear_programs(const struct settings *set)
{
    struct mw_cache_stats before, after;
    int rc;

    TRY(mw_cache_stats(&before));
    TRY(mw_cache_clear());
    TRY(mw_cache_stats(&after));
    if (after.entries > before.entries || after.bytes > before.bytes)
        after = before;                          /* another process fills it meanwhile */
    if (set->json) {
        struct json *o = js_object();
        js_count(o, "removed", before.entries - after.entries);
        return js_print(o);
    }
    fprintf(results(), "removed %zu built kernels, %s\n", before.entries - after.entries,
            bytes_text(before.bytes - after.bytes).text);
out:
    return rc;
}

/* A step is run as well: some drivers compile for a work-group only when a kernel is launched. */
static int warm_model(const struct settings *set, struct mw_device *device, const char *name)
{
    struct mw_field_options options;
    struct mw_model *model = NULL;
    struct mw_field *field = NULL;
    int rc;

    TRY(field_settings(set, &options));
    TRY(mw_model_load(name, set->kernel_path, &model));
    TRY(mw_field_new(device, model, &options, &field));
    TRY(mw_field_advance(field, 1));
    TRY(mw_field_sync(field));
out:
    mw_field_free(field);
    mw_model_free(model);
    return rc ? mw_fail_in(rc, "model %s", name) : 0;
}

static int warm_programs(const struct settings *set)
{
    struct mw_device *device = NULL;
    struct json *o;
    char **names = NULL;
    double start = mw_now();
    size_t count = 0;
    int rc;

    TRY(device_find(set, &device));
    TRY(mw_model_names(set->kernel_path, &names));
    for (; names[count]; count++)
        TRY(warm_model(set, device, names[count]));
    if (set->json) {
        o = js_object();
        js_text(o, "device", mw_device_info(device)->id);
        js_count(o, "models", count);
        js_real(o, "seconds", mw_now() - start);
        TRY(js_print(o));
        goto out;
    }
    fprintf(results(), "kernels of %zu model%s are ready on %s, in %s\n", count, count == 1 ? "" : "s",
            mw_device_info(device)->id, seconds_text(mw_now() - start).text);
out:
    mw_model_names_free(names);
    mw_device_close(device);
    return rc;
}

int cache_run(struct command *command)
{
    static const struct { const char *name; int (*run)(const struct settings *set); } actions[] = {
        { "list", list_programs }, { "clear", clear_programs }, { "warm", warm_programs } };
    const char *word = command->operands.item[0];

    for (size_t i = 0; i < MW_COUNT(actions); i++)
        if (!strcmp(word, actions[i].name))
            return actions[i].run(&command->settings);
    return mw_fail(MW_EINVAL, "'%s' is nothing that the cache can do: list, clear or warm", word);
}

/* meshwork devices: what there is to compute on. */
#include "command.h"

#include <string.h>

const char *kind_name(enum mw_device_kind kind)
{
    static const char *const names[] = { "gpu", "accelerator", "cpu", "native" };

    return names[kind];
}

static struct json *device_json(const struct mw_device_info *d, size_t position, bool chosen)
{
    struct json *o = js_object();

    js_count(o, "index", position);
    js_text(o, "id", d->id);
    js_text(o, "name", d->name);
    js_text(o, "type", kind_name(d->kind));
    js_text(o, "backend", d->backend);
    js_text(o, "platform", d->platform);
    js_text(o, "vendor", d->vendor);
    js_text(o, "driver", d->driver);
    js_text(o, "version", d->version);
    js_text(o, "uuid", d->uuid);
    js_text(o, "pci", d->pci);
    js_count(o, "memory_bytes", d->memory_bytes);
    js_count(o, "max_alloc_bytes", d->max_alloc_bytes);
    js_count(o, "local_bytes", d->local_bytes);
    js_count(o, "compute_units", d->compute_units);
    js_count(o, "max_group", d->max_group);
    js_count(o, "vector_width", d->vector_width);
    js_flag(o, "fp64", d->fp64);
    js_flag(o, "images", d->images);
    js_flag(o, "default", chosen);
    return o;
}

static int print_json(const struct mw_device_list *list, size_t chosen)
{
    struct json *array = js_array();

    for (size_t i = 0; i < mw_device_list_count(list); i++)
        js_put(array, NULL, device_json(mw_device_list_info(list, i), i, i == chosen));
    return js_print(array);
}

static int print_table(const struct mw_device_list *list, size_t chosen)
{
    struct table table;

    table_start(&table, "|>index|id|kind|~name|>memory|>units|fp64|images|~driver");
    for (size_t i = 0; i < mw_device_list_count(list); i++) {
        const struct mw_device_info *d = mw_device_list_info(list, i);
        table_add(&table, GREEN, "%s", i == chosen ? "*" : "");
        table_add(&table, PLAIN, "%zu", i);
        table_add(&table, i == chosen ? GREEN : PLAIN, "%s", d->id);
        table_add(&table, PLAIN, "%s", kind_name(d->kind));
        table_add(&table, PLAIN, "%s", d->name);
        table_add(&table, PLAIN, "%s", bytes_text(d->memory_bytes).text);
        table_add(&table, PLAIN, "%u", d->compute_units);
        table_add(&table, d->fp64 ? PLAIN : DIM, "%s", d->fp64 ? "yes" : "no");
        table_add(&table, d->images ? PLAIN : DIM, "%s", d->images ? "yes" : "no");
        table_add(&table, PLAIN, "%s", d->driver);
    }
    return table_print(&table, results());
}

/* What -v adds: a block a device. */
static int print_details(const struct mw_device_list *list)
{
    int rc = 0;

    for (size_t i = 0; i < mw_device_list_count(list) && !rc; i++) {
        const struct mw_device_info *d = mw_device_list_info(list, i);
        const struct { const char *title; const char *value; } rows[] = {
            { "platform", d->platform }, { "vendor", d->vendor }, { "version", d->version }, { "driver", d->driver },
            { "uuid", d->uuid }, { "pci", d->pci } };
        struct table table;
        fprintf(results(), "\n%s%s  %s%s\n", colour_on(stdout, BOLD), d->id, d->name, colour_off(stdout, BOLD));
        table_start(&table, "||");
        for (size_t j = 0; j < MW_COUNT(rows); j++)
            if (*rows[j].value) {
                table_add(&table, PLAIN, "%s", "");
                table_add(&table, DIM, "%s", rows[j].title);
                table_add(&table, PLAIN, "%s", rows[j].value);
            }
        table_add(&table, PLAIN, "%s", "");
        table_add(&table, DIM, "memory");
        table_add(&table, PLAIN, "%s, largest buffer %s, local %s%s", bytes_text(d->memory_bytes).text,
                  bytes_text(d->max_alloc_bytes).text, bytes_text(d->local_bytes).text,
                  d->shares_host_memory ? ", shared with the host" : "");
        table_add(&table, PLAIN, "%s", "");
        table_add(&table, DIM, "work-group");
        table_add(&table, PLAIN, "up to %zu items, vectors of %u", d->max_group, d->vector_width);
        rc = table_print(&table, results());
    }
    return rc;
}

int devices_run(struct command *command)
{
    struct mw_device_list *list = NULL;
    size_t chosen = 0, count = 0;
    const char *notes;
    int rc;

    TRY(mw_device_list_new(&list));
    rc = mw_device_select(list, command->settings.device, 1, &chosen, &count);
    if (rc && options_origin(command, "device") == FROM_OPTION)
        goto out;
    if (rc) {
        say_note("%s", mw_errmsg());             /* a stale variable is when the list is needed most */
        chosen = SIZE_MAX;
    }
    for (notes = mw_device_list_notes(list); *notes; notes += strcspn(notes, "\n"), notes += *notes == '\n')
        say_note("%.*s", (int)strcspn(notes, "\n"), notes);
    if (command->settings.json) {
        TRY(print_json(list, chosen));
        goto out;
    }
    TRY(print_table(list, chosen));
    if (command->settings.verbose)
        TRY(print_details(list));
    if (*colour_on(stdout, BOLD))
        fprintf(results(), "\n* the device that %s\n",
                command->settings.device ? "this selector chooses" : "is used without -d");
out:
    mw_device_list_free(list);
    return rc;
}

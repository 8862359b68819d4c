/* meshwork devices: lists the devices. */
#include <meshwork/device.h>

#include "tools/cli/groups.h"
#include "tools/cli/subcommands.h"
#include "tools/report/report.h"

struct devices_settings {
    struct device_settings device;
};

static void put_one(struct node *table, const struct mw_device_info *d, size_t position, bool chosen)
{
    const enum colour colour = chosen ? GREEN : PLAIN;
    struct node *row = put_object(table, NULL);
    show_cell(put_words(row), GREEN, "%s", chosen ? "*" : "");
    show_value_cell(put_count(row, "index", position), PLAIN);
    show_value_cell(put_text(row, "id", d->id), colour);
    put_text(row, "also", d->also);
    show_value_cell(put_text(row, "type", mw_device_kind_name(d->kind)), PLAIN);
    show_value_cell(put_text(row, "name", d->name), PLAIN);
    put_text(row, "backend", d->backend);
    put_text(row, "platform", d->platform);
    put_text(row, "vendor", d->vendor);
    put_text(row, "version", d->version);
    put_text(row, "uuid", d->uuid);
    put_text(row, "pci", d->pci);
    show_value_cell(put_bytes(row, "memory_bytes", d->memory_bytes), PLAIN);
    put_bytes(row, "max_alloc_bytes", d->max_alloc_bytes);
    put_bytes(row, "local_bytes", d->local_bytes);
    show_value_cell(put_count(row, "compute_units", d->compute_units), PLAIN);
    put_count(row, "max_group", d->max_group);
    put_count(row, "vector_width", d->vector_width);
    show_value_cell(put_flag(row, "fp64", d->fp64), d->fp64 ? PLAIN : DIM);
    show_value_cell(put_flag(row, "images", d->images), d->images ? PLAIN : DIM);
    show_value_cell(put_text(row, "driver", d->driver), PLAIN);
    put_flag(row, "default", chosen);
}

/* Puts the details of -v: one section per device. */
static void put_details(struct node *to, const struct mw_device_info *d)
{
    const struct {
        const char *title;
        const char *value;
    } rows[] = { { "also", d->also },       { "platform", d->platform }, { "vendor", d->vendor },
                 { "version", d->version }, { "driver", d->driver },     { "uuid", d->uuid },
                 { "pci", d->pci } };
    struct node *section = put_section(to, "%s  %s", d->id, d->name);

    for (size_t j = 0; j < MW_COUNT(rows); j++)
        if (*rows[j].value)
            ROW(section, rows[j].title, "%s", rows[j].value);
    ROW(section, "memory", "%s, largest buffer %s, local %s%s", bytes_text(d->memory_bytes).text,
        bytes_text(d->max_alloc_bytes).text, bytes_text(d->local_bytes).text,
        d->shares_host_memory ? ", shared with the host" : "");
    ROW(section, "work-group", "up to %zu items, vectors of %u", d->max_group, d->vector_width);
}

static int devices_report(const struct mw_device_list *list, size_t chosen, const char *selector)
{
    struct node *table = report_table("|>index|id|kind|~name|>memory|>units|fp64|images|~driver");
    const size_t count = mw_device_list_count(list);
    for (size_t i = 0; i < count; i++)
        put_one(table, mw_device_list_info(list, i), i, i == chosen);
    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *d = mw_device_list_info(list, i);
        if (*d->also)
            show_lines(put_words(table), PLAIN, "%s is also %s\n", d->id, d->also);
    }
    for (size_t i = 0; i < count && output_verbose(); i++)
        put_details(table, mw_device_list_info(list, i));
    if (*colour_on(stdout, BOLD))
        show_lines(put_words(table), PLAIN, "\n* the device that %s\n",
                   selector ? "this selector chooses" : "is the default");
    return report_print(table);
}

static int devices_run(struct command *command)
{
    const char *selector = ((const struct devices_settings *)command->settings)->device.selector;
    struct mw_device_list *list = NULL;
    size_t chosen = 0, count = 0;
    int rc;
    TRY(mw_device_list_new(&list));
    rc = mw_device_select(list, selector, 1, &chosen, &count);
    if (rc && option_is_given(command, "device"))
        goto out;
    if (rc) {
        print_note("%s", mw_errmsg()); /* with an outdated variable the user needs the list */
        chosen = SIZE_MAX;
    }
    device_notes(list, "");
    TRY(devices_report(list, chosen, selector));
out:
    mw_device_list_free(list);
    return rc;
}

static const struct option_group groups[] = { { "Device", device_options, offsetof(struct devices_settings, device) },
                                              { 0 } };

const struct subcommand devices_subcommand = {
    .name = "devices",
    .summary = "list the devices",
    .description =
        "Lists the devices of this machine with their ids for -d. With -d, marks the selected device; with -v, "
        "prints details.",
    .groups = groups,
    .settings_bytes = sizeof(struct devices_settings),
    .run = devices_run,
};
/* SPDX-License-Identifier: MIT */

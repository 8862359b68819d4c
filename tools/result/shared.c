/* Parts of reports shared by many subcommands. */
#include <meshwork/components.h>
#include <meshwork/device.h>
#include <meshwork/file.h>
#include <meshwork/io.h>
#include <meshwork/model.h>

#include <math.h>
#include <stdio.h>

#include "tools/cli/text.h"
#include "tools/report/files.h"
#include "tools/report/report.h"

#define TABLE_LINES 21 /* longer tables are cut to ten rows, "..." and ten rows */

void put_verified(struct node *to, bool is_verified, double seconds, const char *format, ...)
{
    char by[160];
    va_list ap;
    if (!is_verified)
        return;
    va_start(ap, format);
    vsnprintf(by, sizeof(by), format, ap);
    va_end(ap);
    show_row(put_flag(to, "verified", true), "verified", "%s, in %s", by, seconds_text(seconds).text);
}

void show_written(struct node *to, const char *title, const char *path)
{
    if (path)
        ROW(to, title, "%s", file_words(path));
}

void put_timings(struct node *to, const struct timing *timings, size_t count)
{
    struct node *times = put_object(to, "timings");
    for (size_t i = 0; i < count; i++)
        if (timings[i].name)
            put_seconds(times, timings[i].name, timings[i].seconds);
}

void put_lengths(struct node *to, const char *key, unsigned dims, const size_t *length)
{
    struct node *list = put_list(to, key);
    for (unsigned i = 0; i < dims; i++)
        put_count(list, NULL, length[i]);
}

struct node *put_occurrences(struct node *to, const char *key, const char *titles)
{
    struct node *table = put_table(to, key, titles);
    table_shows(table, output_verbose() ? 0 : TABLE_LINES);
    return table;
}

void put_occurrence(struct node *occurrences, uint64_t value, uint64_t number)
{
    struct node *pair = put_list(occurrences, NULL);
    show_value_cell(put_count(pair, NULL, value), PLAIN);
    show_value_cell(put_count(pair, NULL, number), PLAIN);
}

int put_component_sizes(struct node *to, struct mw_components *components)
{
    struct node *sizes = put_occurrences(to, "sizes", ">size|>components");
    const uint32_t *values, *numbers;
    size_t count;
    TRY_RETURN(mw_components_array(components, MW_COMPONENTS_SIZE_VALUES, &values, &count));
    TRY_RETURN(mw_components_array(components, MW_COMPONENTS_SIZE_NUMBERS, &numbers, &count));
    for (size_t i = 0; i < count; i++)
        put_occurrence(sizes, values[i], numbers[i]);
    return 0;
}

void put_device(struct node *to, const struct mw_device_info *device)
{
    show_row(put_text(to, "device", device->id), "device", "%s  %s", device->id, device->name);
    put_text(to, "device_name", device->name);
}

struct node *put_file(struct node *to, const char *key, const char *path)
{
    struct node *file = put_text(to, key, path);
    char checksum_key[64];
    uint64_t checksum;
    if (!report_is_json()) /* large files take time */
        return file;
    snprintf(checksum_key, sizeof(checksum_key), "%s_checksum", key);
    if (mw_file_checksum(path, &checksum) == 0)
        put_checksum(to, checksum_key, checksum);
    else
        put_none(to, checksum_key);
    return file;
}

uint64_t numbers_checksum(const struct numbers *numbers, size_t count)
{
    uint64_t sums[8];
    struct mw_array array = { .type = MW_TYPE_U64, .dims = 1 };
    for (size_t i = 0; i < count; i++) {
        array.count = array.length[0] = numbers[i].count;
        array.data = (void *)numbers[i].item;
        sums[i] = mw_array_checksum(&array);
    }
    if (count == 1)
        return sums[0];
    array.count = array.length[0] = count;
    array.data = sums;
    return mw_array_checksum(&array);
}

struct node *put_params(struct node *to, const struct mw_model_param *params, const double *values, size_t count,
                        const char *but)
{
    struct node *object = put_object(to, "params");
    for (size_t i = 0; i < count; i++)
        if (!but || strcmp(params[i].name, but) != 0)
            put_real(object, params[i].name, values[i]);
    return object;
}

void put_rate(struct node *to, double rate, const char *unit)
{
    static const struct {
        const char *unit, *key;
    } also[] = { { "cell-steps/s", "cell_steps_per_second" }, { "spin-steps/s", "cell_steps_per_second" },
                 { "site-steps/s", "cell_steps_per_second" }, { "walker-steps/s", "cell_steps_per_second" },
                 { "numbers/s", "samples_per_second" },       { "B/s", "bytes_per_second" } };

    show_row(put_real(to, "rate", rate), "rate", "%s", rate_text(rate, unit).text);
    put_text(to, "rate_unit", unit);
    for (size_t i = 0; i < MW_COUNT(also); i++)
        if (!strcmp(also[i].unit, unit))
            put_real(to, also[i].key, rate);
}

void put_operations(struct node *to, double operations)
{
    if (isfinite(operations))
        put_real(to, "operations", operations);
}

void put_least_bytes(struct node *to, double bytes) { put_real(to, "least_bytes", bytes); }
/* SPDX-License-Identifier: MIT */

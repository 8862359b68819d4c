/* meshwork label: the plan and the summary, for people and as JSON. */
#include "label.h"

#include <string.h>

#define SIZE_ROWS 20

static double rate(const struct label *l)
{
    return passes_median(&l->passes) > 0 ? (double)l->source.count / passes_median(&l->passes) : 0;
}

static const char *cell_name(const struct label *l)
{
    const bool is_deep = l->source.type == MW_TYPE_U64;

    return l->is_colour ? is_deep ? "16-bit colours" : "colours" : mw_type_name(l->source.type);
}

static struct size mesh_size(const struct label *l)
{
    struct size size = { .dims = l->options.dims };

    memcpy(size.length, l->options.length, sizeof(size.length));
    return size;
}

/* The values' bytes and the labels', on the device. */
static uint64_t memory_bytes(const struct label *l)
{
    const bool is_wide = l->set->wide || l->source.count > INT32_MAX;
    const bool drops = l->set->min_size || l->set->max_size;

    return (uint64_t)l->source.count * (mw_type_bytes(l->source.type) + (is_wide ? 8 : 4) * (drops ? 2 : 1));
}

/* ---- words ---- */

static void add_background(const struct label *l, struct mw_text *text)
{
    const struct settings *set = l->set;

    if (!l->options.has_background)
        mw_text_add(text, ", no background");
    else if (l->options.join == MW_JOIN_EQUAL)
        mw_text_add(text, ", background %s", set->background ? set->background : l->is_colour ? "black" : "0");
}

/* What makes neighbours one component. */
static void add_join(const struct label *l, struct mw_text *text)
{
    const struct mw_label_options *o = &l->options;

    switch (o->join) {
    case MW_JOIN_EQUAL: mw_text_add(text, "equal values"); break;
    case MW_JOIN_THRESHOLD:
        mw_text_add(text, o->has_background ? "values above %g" : "values on the same side of %g", o->threshold);
        break;
    case MW_JOIN_TOLERANCE: mw_text_add(text, "values that differ by at most %g", o->tolerance); break;
    }
    add_background(l, text);
}

struct short_text label_axis(unsigned dim)
{
    struct short_text axis;

    snprintf(axis.text, sizeof(axis.text), dim < 3 ? "%c" : "%d", dim < 3 ? "xyz"[dim] : (int)dim);
    return axis;
}

static unsigned neighbours(const struct label *l)
{
    const struct mw_label_options *o = &l->options;
    unsigned all = 1;

    if (o->lattice != MW_LATTICE_HYPERCUBIC)
        return mw_lattice_kinds(o->lattice)->coordination;
    for (unsigned i = 0; i < o->dims; i++)
        all *= 3;
    return o->connectivity == MW_CONNECT_ALL ? all - 1 : 2 * o->dims;
}

static void add_connectivity(const struct label *l, struct mw_text *text)
{
    const struct mw_label_options *o = &l->options;
    const char *before = ", periodic along ";

    mw_text_add(text, "%s, %u neighbours", o->lattice != MW_LATTICE_HYPERCUBIC ? mw_lattice_kinds(o->lattice)->name
                : o->connectivity == MW_CONNECT_ALL ? "all" : "faces", neighbours(l));
    for (unsigned i = 0; i < o->dims; i++) {
        if (!o->periodic[i])
            continue;
        mw_text_add(text, "%s%s", before, label_axis(i).text);
        before = ", ";
    }
}

/* ---- JSON ---- */

/* What a plan and a summary have in common. */
static int start_json(const struct label *l, const struct mw_device_info *device, const char *variant,
                      struct json **json)
{
    const struct mw_label_options *o = &l->options;
    struct mw_text join = { 0 };
    struct json *j, *size, *periodic;
    int rc;

    add_join(l, &join);
    TRY(mw_text_ok(&join));
    j = js_object();
    size = js_array();
    periodic = js_array();
    for (unsigned i = 0; i < o->dims; i++) {
        js_count(size, NULL, o->length[i]);
        js_flag(periodic, NULL, o->periodic[i]);
    }
    js_text(j, l->input ? "input" : "pattern", l->input ? l->input : l->pattern->name);
    if (l->pattern && l->pattern->has_density) {
        js_real(j, "density", l->density);
        js_count(j, "seed", l->set->seed);
    }
    js_put(j, "size", size);
    js_text(j, "cells", cell_name(l));
    js_text(j, "join", join.data);
    js_text(j, "connectivity", o->connectivity == MW_CONNECT_ALL ? "all" : "faces");
    js_text(j, "lattice", mw_lattice_kinds(o->lattice)->name);
    js_put(j, "periodic", periodic);
    js_text(j, "device", device->id);
    js_text(j, "device_name", device->name);
    js_text(j, "variant", variant);
    *json = j;
out:
    mw_text_free(&join);
    return rc;
}

/* Sizes that occur, upwards, and how many components have each; they belong to the components. */
static int list_sizes(const struct label *l, const uint32_t **values, const uint32_t **numbers, size_t *count)
{
    int rc;

    TRY(mw_components_array(l->components, MW_COMPONENTS_SIZE_VALUES, values, count));
    TRY(mw_components_array(l->components, MW_COMPONENTS_SIZE_NUMBERS, numbers, count));
out:
    return rc;
}

static int put_sizes(const struct label *l, struct json *json)
{
    const uint32_t *values, *numbers;
    struct json *sizes;
    size_t count;
    int rc;

    TRY(list_sizes(l, &values, &numbers, &count));
    sizes = js_array();
    for (size_t i = 0; i < count; i++) {
        struct json *pair = js_array();
        js_count(pair, NULL, values[i]);
        js_count(pair, NULL, numbers[i]);
        js_put(sizes, NULL, pair);
    }
    js_put(json, "sizes", sizes);
out:
    return rc;
}

/* For each dimension how many components span it, and the label of the first. */
static void put_spanning(const struct label *l, struct json *json)
{
    struct json *spanning = js_array();

    for (unsigned i = 0; i < l->options.dims; i++) {
        struct json *pair = js_array();
        js_count(pair, NULL, l->spanning[i].count);
        js_count(pair, NULL, l->spanning[i].first);
        js_put(spanning, NULL, pair);
    }
    js_put(json, "spanning", spanning);
}

static int summary_json(const struct label *l)
{
    const struct mw_components_summary *s = &l->summary;
    const struct { const char *name; double value; } timings[] = {
        { "minimum", l->passes.seconds[0] }, { "maximum", l->passes.seconds[l->passes.count - 1] }, { "build", l->build },
        { "upload", l->upload }, { "sizes", l->sizing }, { "shapes", l->measuring },
        { "download", l->download }, { "verify", l->verify },
        { "output", l->output }, { "total", mw_now() - l->start } };
    struct json *o = NULL, *times;
    char checksum[20];
    int rc;

    snprintf(checksum, sizeof(checksum), "%016llx", (unsigned long long)mw_array_checksum(&l->labels));
    TRY(start_json(l, mw_device_info(l->device), mw_labelling_variant(l->labelling), &o));
    js_text(o, "labels", mw_type_name(l->labels.type));
    js_count(o, "repeat", l->set->repeat);
    js_real(o, "seconds", passes_median(&l->passes));
    js_real(o, "cells_per_second", rate(l));
    js_count(o, "iterations", l->iterations);
    js_count(o, "found", l->found);
    js_count(o, "components", s->components);
    js_count(o, "labelled_cells", s->cells);
    js_count(o, "largest", s->largest_size);
    js_count(o, "largest_label", s->largest_label);
    js_real(o, "mean_size", s->mean_size);
    if (l->set->sizes)
        TRY(put_sizes(l, o));
    if (l->geometry)
        put_spanning(l, o);
    js_text(o, "checksum", checksum);
    if (l->set->verify)
        js_flag(o, "verified", true);
    times = js_object();
    for (size_t i = 0; i < MW_COUNT(timings); i++)
        js_real(times, timings[i].name, timings[i].value);
    js_put(o, "timings", times);
    rc = js_print(o);
    o = NULL;
out:
    js_free(o);
    return rc;
}

/* ---- tables ---- */

#define ROW(title, ...) (table_add(table, DIM, "%s", title), table_add(table, PLAIN, __VA_ARGS__))

/* The rows that a plan has as well. */
static int start_table(const struct label *l, const struct mw_device_info *device, const char *variant,
                       struct table *table)
{
    struct mw_text join = { 0 }, connectivity = { 0 };
    const struct size size = mesh_size(l);
    int rc;

    add_join(l, &join);
    add_connectivity(l, &connectivity);
    TRY(mw_text_ok(&join));
    TRY(mw_text_ok(&connectivity));
    if (l->input)
        ROW("file", "%s", strcmp(l->input, "-") ? l->input : "standard input");
    else if (l->pattern->has_density)
        ROW("pattern", "%s, density %g, seed %llu", l->pattern->name, l->density, (unsigned long long)l->set->seed);
    else
        ROW("pattern", "%s", l->pattern->name);
    ROW("size", "%s cells, %s", size_text(&size, " x ").text, cell_name(l));
    ROW("joined", "%s", join.data);
    ROW("connectivity", "%s", connectivity.data);
    ROW("device", "%s  %s", device->id, device->name);
    ROW("variant", "%s", variant);
out:
    mw_text_free(&join);
    mw_text_free(&connectivity);
    return rc;
}

static void add_times(const struct label *l, struct table *table)
{
    ROW("seconds", "%.4g", passes_median(&l->passes));
    if (l->set->repeat > 1)
        ROW("", "median of %llu, between %s and %s", (unsigned long long)l->set->repeat,
            seconds_text(l->passes.seconds[0]).text, seconds_text(l->passes.seconds[l->passes.count - 1]).text);
    ROW("", "build %s, upload %s, sizes %s, download %s, output %s, total %s", seconds_text(l->build).text,
        seconds_text(l->upload).text, seconds_text(l->sizing).text, seconds_text(l->download).text,
        seconds_text(l->output).text, seconds_text(mw_now() - l->start).text);
    ROW("rate", "%.4g Mcell/s", rate(l) / 1e6);
}

static void add_spanning(const struct label *l, struct table *table)
{
    for (unsigned i = 0; i < l->options.dims; i++)
        if (l->spanning[i].count == 0)
            ROW(i ? "" : "spanning", "%s: none", label_axis(i).text);
        else
            ROW(i ? "" : "spanning", "%s: %zu component%s, first label %zu", label_axis(i).text, l->spanning[i].count,
                l->spanning[i].count > 1 ? "s" : "", l->spanning[i].first);
}

static void add_components(const struct label *l, struct table *table)
{
    const struct mw_components_summary *s = &l->summary;

    if (l->kept)
        ROW("components", "%zu of the %zu found", s->components, l->found);
    else
        ROW("components", "%zu", s->components);
    if (s->components) {
        ROW("largest", "%zu cells, label %zu", s->largest_size, s->largest_label);
        ROW("mean size", "%.6g cells", s->mean_size);
    }
    if (l->geometry)
        add_spanning(l, table);
    if (output_verbose()) {
        ROW("background", "%zu cells of %zu", l->source.count - s->cells, l->source.count);
        ROW("iterations", "%zu", l->iterations);
        ROW("labels", "%s", mw_type_name(l->labels.type));
        ROW("memory", "%s for values and labels", bytes_text(memory_bytes(l)).text);
    }
    ROW("checksum", "%016llx", (unsigned long long)mw_array_checksum(&l->labels));
    if (l->set->verify)
        ROW("verified", "each label is that of a flood fill, in %s", seconds_text(l->verify).text);
    if (l->set->save_pattern)
        ROW("pattern in", "%s", l->set->save_pattern);
    if (l->set->output)
        ROW("written", "%s", strcmp(l->set->output, "-") ? l->set->output : "to standard output");
    if (l->set->png)
        ROW("picture", "%s", l->set->png);
    if (l->set->components)
        ROW("table", "%s", l->set->components);
    if (l->set->cells)
        ROW("cells", "%s", l->set->cells);
}

/* At most SIZE_ROWS rows: of more sizes the smallest and the largest. */
static int print_sizes(const struct label *l)
{
    const uint32_t *values, *numbers;
    struct table table;
    size_t count;
    int rc;

    table_start(&table, ">size|>components");
    TRY(list_sizes(l, &values, &numbers, &count));
    for (size_t i = 0; i < count; i++) {
        if (count > SIZE_ROWS && i == SIZE_ROWS / 2) {
            table_add(&table, PLAIN, "...");
            table_add(&table, PLAIN, "...");
            i = count - SIZE_ROWS / 2;
            continue;
        }
        table_add(&table, PLAIN, "%lu", (unsigned long)values[i]);
        table_add(&table, PLAIN, "%lu", (unsigned long)numbers[i]);
    }
    if (count) {
        fputc('\n', results());
        TRY(table_print(&table, results()));
    }
out:
    table_free(&table);
    return rc;
}

static int summary_table(const struct label *l)
{
    struct table table;
    int rc;

    table_start(&table, "|");
    TRY(start_table(l, mw_device_info(l->device), mw_labelling_variant(l->labelling), &table));
    add_times(l, &table);
    add_components(l, &table);
    TRY(table_print(&table, results()));
    if (l->set->sizes)
        TRY(print_sizes(l));
out:
    table_free(&table);
    return rc;
}

int label_summary(const struct label *l)
{
    return l->set->json ? summary_json(l) : summary_table(l);
}

/* --dry-run: nothing is opened but the input, nothing is written. */
int label_plan(struct label *l)
{
    const uint64_t bytes = memory_bytes(l);
    const struct mw_device_info *device;
    struct mw_device_list *list = NULL;
    struct json *o;
    struct table table;
    size_t chosen, count;
    int rc;

    table_start(&table, "|");
    TRY(mw_device_list_new(&list));
    TRY(mw_device_select(list, l->set->device, 1, &chosen, &count));
    device = mw_device_list_info(list, chosen);
    if (l->set->json) {
        TRY(start_json(l, device, l->set->variant, &o));
        js_count(o, "memory_bytes", bytes);
        js_count(o, "device_memory_bytes", device->memory_bytes);
        TRY(js_print(o));
    } else {
        TRY(start_table(l, device, l->set->variant, &table));
        table_add(&table, DIM, "memory");
        table_add(&table, PLAIN, "%s for values and labels, of %s", bytes_text(bytes).text,
                  bytes_text(device->memory_bytes).text);
        TRY(table_print(&table, results()));
    }
    if (device->memory_bytes && bytes > device->memory_bytes)
        rc = mw_fail(MW_ELIMIT, "%s has %s of memory and this takes %s: choose another device", device->id,
                     bytes_text(device->memory_bytes).text, bytes_text(bytes).text);
out:
    table_free(&table);
    mw_device_list_free(list);
    return rc;
}

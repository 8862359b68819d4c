/* meshwork graph generate: graphs by models, and the list of these. */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table of generators ---- */

int generator_find(const char *name, const struct mw_generator **generator)
{
    struct nearest nearest = { .word = name };
    const struct mw_generator *g;

    for (size_t i = 0; (g = mw_generators(i)) != NULL; i++) {
        if (!strcmp(name, g->name)) {
            *generator = g;
            return 0;
        }
        nearest_offer(&nearest, g->name);
    }
    return mw_fail(MW_EINVAL, "there is no generator '%s': %s", name,
                   nearest_advice(&nearest, "`meshwork graph generate list` shows them").text);
}

static int check_value(const struct mw_generator_parameter *p, const char *text, double value)
{
    if (p->whole && value != floor(value))
        return mw_fail(MW_EINVAL, "-p %s: '%s' is not a whole number", p->name, text);
    if (value < p->least || value > p->most)
        return mw_fail(MW_EINVAL, "-p %s: '%s' is out of range: the value lies between %.15g and %.15g", p->name, text,
                       p->least, p->most);
    return 0;
}

static int set_value(const struct mw_generator *generator, const char *word, struct mw_generator_value *values)
{
    const size_t length = strcspn(word, "=");
    const char *text = word + length + 1;
    char name[64], *end;
    struct nearest nearest = { .word = name };

    if (!word[length] || !length)
        return mw_fail(MW_EINVAL, "-p: '%s' is not of the form NAME=VALUE", word);
    mw_copy_string(name, length < sizeof(name) ? length + 1 : sizeof(name), word);
    for (size_t i = 0; i < generator->parameter_count; i++) {
        nearest_offer(&nearest, generator->parameters[i].name);
        if (strcmp(generator->parameters[i].name, name) != 0)
            continue;
        values[i].value = strtod(text, &end);
        if (end == text || *end || !isfinite(values[i].value))
            return mw_fail(MW_EINVAL, "-p %s: '%s' is not a number", name, text);
        return check_value(&generator->parameters[i], text, values[i].value);
    }
    return mw_fail(MW_EINVAL, "generator %s has no parameter '%s': %s", generator->name, name,
                   nearest_advice(&nearest, "`meshwork graph generate list` shows them").text);
}

int generator_values(const struct mw_generator *generator, const struct words *words,
                     struct mw_generator_value **values)
{
    int rc;

    TRY(mw_new(generator->parameter_count, sizeof(**values), values));
    for (size_t i = 0; i < generator->parameter_count; i++)
        (*values)[i] = (struct mw_generator_value){ generator->parameters[i].name, generator->parameters[i].value };
    for (size_t i = 0; i < words->count; i++)
        TRY(set_value(generator, words->item[i], *values));
out:
    return rc;
}

static struct json *listed_json(const struct mw_generator *g)
{
    struct json *o = js_object(), *parameters = js_array();

    js_text(o, "name", g->name);
    js_text(o, "description", g->description);
    for (size_t i = 0; i < g->parameter_count; i++) {
        const struct mw_generator_parameter *p = &g->parameters[i];
        struct json *parameter = js_object();
        js_text(parameter, "name", p->name);
        js_real(parameter, "value", p->value);
        js_real(parameter, "least", p->least);
        js_real(parameter, "most", p->most);
        js_flag(parameter, "whole", p->whole);
        js_text(parameter, "help", p->help);
        js_put(parameters, NULL, parameter);
    }
    js_put(o, "parameters", parameters);
    return o;
}

struct widths { size_t kind, parameter, value; };

static size_t wider(size_t width, size_t other)
{
    return other > width ? other : width;
}

static struct widths list_widths(void)
{
    struct widths w = { strlen("kind"), strlen("parameter"), strlen("default") };
    const struct mw_generator *g;
    char value[40];

    for (size_t number = 0; (g = mw_generators(number)) != NULL; number++) {
        w.kind = wider(w.kind, strlen(g->name));
        for (size_t i = 0; i < g->parameter_count; i++) {
            const struct mw_generator_parameter *p = &g->parameters[i];
            w.parameter = wider(w.parameter, strlen(p->name));
            w.value = wider(w.value, (size_t)snprintf(value, sizeof(value), "%.15g", p->value));
        }
    }
    return w;
}

static void list_line(struct mw_text *text, const struct widths *w, const char *kind, const char *parameter,
                      const char *value, const char *help)
{
    const size_t indent = w->kind + w->parameter + w->value + 6;

    mw_text_add(text, "%-*s  %-*s  %*s  ", (int)w->kind, kind, (int)w->parameter, parameter, (int)w->value, value);
    text_wrap(text, indent, indent, help_width(), help);
}

/* A table whose last column is wrapped, as that of --help is. */
static int list_text(void)
{
    const struct widths w = list_widths();
    const struct mw_generator *g;
    struct mw_text text = { 0 };
    char value[40];
    int rc;

    mw_text_add(&text, "%s%-*s  %-*s  %*s%s\n", colour_on(stdout, BOLD), (int)w.kind, "kind", (int)w.parameter,
                "parameter", (int)w.value, "default", colour_off(stdout, BOLD));
    for (size_t number = 0; (g = mw_generators(number)) != NULL; number++) {
        list_line(&text, &w, g->name, "", "", g->description);
        for (size_t i = 0; i < g->parameter_count; i++) {
            snprintf(value, sizeof(value), "%.15g", g->parameters[i].value);
            list_line(&text, &w, "", g->parameters[i].name, value, g->parameters[i].help);
        }
    }
    TRY(mw_text_ok(&text));
    fputs(text.data, stdout);
out:
    mw_text_free(&text);
    return rc;
}

int generators_list(const struct settings *set)
{
    const struct mw_generator *g;
    struct json *json;

    if (!set->json)
        return list_text();
    json = js_array();
    for (size_t number = 0; (g = mw_generators(number)) != NULL; number++)
        js_put(json, NULL, listed_json(g));
    return js_print(json);
}

/* ---- making one ---- */

struct generation {
    const struct settings *set;
    const struct mw_generator *generator;
    struct mw_generator_value *values;   /* of all its parameters */
    struct mw_device *device;
    struct mw_edges edges;
    struct mw_graph graph;
    struct mw_graph_summary summary;
    struct passes passes;
    double start, build, building, verify, output;
};

static int prepare(struct generation *g, const struct command *command)
{
    const struct settings *set = g->set;
    int rc;

    if (command->operands.count == 0)
        return mw_fail(MW_EINVAL, "an operand is missing: meshwork graph generate KIND, of which `meshwork graph "
                       "generate list` shows all");
    TRY(generator_find(command->operands.item[0], &g->generator));
    TRY(generator_values(g->generator, &set->params, &g->values));
    if (set->format && !set->output)
        return mw_fail(MW_EINVAL, "--format is for the file of --output: leave it out");
    if (set->output)
        TRY(network_writable(set->output, set->format, "format"));
    TRY(passes_new(set->repeat, &g->passes));
out:
    return rc;
}

static int make_once(struct generation *g, struct mw_device *device, struct mw_edges *edges)
{
    mw_edges_free(edges);
    return mw_generate(device, g->generator->name, g->values, g->generator->parameter_count, g->set->seed, edges);
}

static int make(struct generation *g)
{
    double start = mw_now();
    int rc;

    TRY(device_find(g->set, &g->device));
    if (g->set->repeat > 1)
        TRY(make_once(g, g->device, &g->edges));
    g->build = mw_now() - start;
    for (size_t i = 0; i < g->passes.count; i++) {
        start = mw_now();
        TRY(make_once(g, g->device, &g->edges));
        g->passes.seconds[i] = mw_now() - start;
    }
    passes_sort(&g->passes);
out:
    return rc;
}

static int verify(struct generation *g)
{
    const struct mw_device_options options = { .threads = 1, .kernel_path = g->set->kernel_path };
    const double start = mw_now();
    struct mw_device *serial = NULL;
    struct mw_edges edges = { 0 };
    uint64_t first = 0;
    int rc;

    TRY(mw_device_open_by_name("native:serial", &options, &serial));
    TRY(make_once(g, serial, &edges));
    if (edges.count != g->edges.count || edges.vertices != g->edges.vertices) {
        rc = mw_fail(MW_EVERIFY, "verification failed: %zu vertices and %llu edges on %s, %zu and %llu on "
                     "native:serial: please report this with `meshwork devices -v`", g->edges.vertices,
                     (unsigned long long)g->edges.count, mw_device_info(g->device)->id, edges.vertices,
                     (unsigned long long)edges.count);
        goto out;
    }
    while (first < edges.count && !memcmp(edges.ends + 2 * first, g->edges.ends + 2 * first, 2 * sizeof(*edges.ends)))
        first++;
    if (first < edges.count)
        rc = mw_fail(MW_EVERIFY, "verification failed: edge %llu on %s is not that of native:serial: please report "
                     "this with `meshwork devices -v`", (unsigned long long)first, mw_device_info(g->device)->id);
    g->verify = mw_now() - start;
out:
    mw_edges_free(&edges);
    mw_device_close(serial);
    return rc;
}

/* Adjacency, of which degrees are known, and which is written. */
static int summarise(struct generation *g)
{
    const struct mw_graph_options options = { 0 };
    const double start = mw_now();
    struct mw_device *device, *opened = NULL;
    int rc;

    TRY(network_device(g->set, g->device, &device, &opened));
    TRY(mw_graph_new(device, &g->edges, &options, &g->graph, NULL));
    TRY(mw_graph_summarise(&g->graph, &g->summary));
    g->building = mw_now() - start;
out:
    mw_device_close(opened);
    return rc;
}

static int write_output(struct generation *g)
{
    const double start = mw_now();
    int rc;

    TRY(network_write(&g->graph, g->set->output, g->set->format));
    g->output = mw_now() - start;
out:
    return rc;
}

/* ---- what it came to ---- */

static double rate(const struct generation *g)
{
    return passes_median(&g->passes) > 0 ? (double)g->edges.count / passes_median(&g->passes) : 0;
}

static struct json *start_json(const struct generation *g, const struct mw_device_info *device)
{
    struct json *o = js_object();

    generator_json(g->generator, g->values, g->set->seed, o);
    js_text(o, "device", device->id);
    js_text(o, "device_name", device->name);
    return o;
}

static int summary_json(const struct generation *g)
{
    const struct timing timings[] = {
        { "minimum", g->passes.seconds[0] }, { "maximum", g->passes.seconds[g->passes.count - 1] },
        { "build", g->build }, { "graph", g->building }, { "verify", g->verify }, { "output", g->output },
        { "total", mw_now() - g->start } };
    struct json *o = start_json(g, mw_device_info(g->device));
    char sum[20];

    snprintf(sum, sizeof(sum), "%016llx", (unsigned long long)network_checksum(&g->graph));
    js_count(o, "repeat", g->passes.count);
    js_real(o, "seconds", passes_median(&g->passes));
    js_real(o, "edges_per_second", rate(g));
    js_count(o, "vertices", g->summary.vertices);
    js_count(o, "edges", g->summary.edges);
    graph_summary_json(&g->summary, o);
    js_text(o, "checksum", sum);
    if (g->set->verify)
        js_flag(o, "verified", true);
    timings_json(o, timings, MW_COUNT(timings));
    return js_print(o);
}

static int summary_table(const struct generation *g)
{
    const struct mw_device_info *device = mw_device_info(g->device);
    struct table rows, *table = &rows;
    int rc;

    table_start(table, "|");
    TRY(generator_row(g->generator, g->values, g->set->seed, table));
    ROW("device", "%s  %s", device->id, device->name);
    ROW("seconds", "%.4g", passes_median(&g->passes));
    if (g->passes.count > 1)
        ROW("", "median of %zu, between %s and %s", g->passes.count, seconds_text(g->passes.seconds[0]).text,
            seconds_text(g->passes.seconds[g->passes.count - 1]).text);
    ROW("", "build %s, graph %s, output %s, total %s", seconds_text(g->build).text, seconds_text(g->building).text,
        seconds_text(g->output).text, seconds_text(mw_now() - g->start).text);
    ROW("rate", "%.4g Medge/s", rate(g) / 1e6);
    ROW("vertices", "%zu", g->summary.vertices);
    ROW("edges", "%llu", (unsigned long long)g->summary.edges);
    graph_summary_rows(&g->summary, g->graph.directed, table);
    ROW("checksum", "%016llx", (unsigned long long)network_checksum(&g->graph));
    if (g->set->verify)
        ROW("verified", "each edge is that of native:serial, in %s", seconds_text(g->verify).text);
    if (g->set->output)
        ROW("written", "%s", strcmp(g->set->output, "-") ? g->set->output : "to standard output");
    TRY(table_print(table, results()));
out:
    table_free(table);
    return rc;
}

/* --dry-run: no device is opened. */
static int plan(const struct generation *g)
{
    struct mw_device_list *list = NULL;
    const struct mw_device_info *device;
    struct table rows, *table = &rows;
    size_t chosen, count;
    int rc;

    table_start(table, "|");
    TRY(mw_device_list_new(&list));
    TRY(mw_device_select(list, g->set->device, 1, &chosen, &count));
    device = mw_device_list_info(list, chosen);
    if (g->set->json) {
        TRY(js_print(start_json(g, device)));
    } else {
        TRY(generator_row(g->generator, g->values, g->set->seed, table));
        ROW("device", "%s  %s", device->id, device->name);
        TRY(table_print(table, results()));
    }
out:
    table_free(table);
    mw_device_list_free(list);
    return rc;
}

int graph_generate_run(struct command *command)
{
    struct generation g = { .set = &command->settings, .start = mw_now() };
    const struct words *operands = &command->operands;
    int rc;

    if (g.set->list || (operands->count && !strcmp(operands->item[0], "list")))
        return generators_list(g.set);
    TRY(prepare(&g, command));
    if (g.set->dry_run) {
        TRY(plan(&g));
        goto out;
    }
    TRY(make(&g));
    if (g.set->verify)
        TRY(verify(&g));
    TRY(summarise(&g));
    if (g.set->output)
        TRY(write_output(&g));
    TRY(g.set->json ? summary_json(&g) : summary_table(&g));
out:
    mw_graph_free(&g.graph);
    mw_edges_free(&g.edges);
    mw_device_close(g.device);
    free(g.passes.seconds);
    free(g.values);
    return rc;
}

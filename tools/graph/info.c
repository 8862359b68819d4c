/* meshwork graph info and convert: what a graph is like, and the same graph in another file. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- info ---- */

struct description {
    struct network n;
    struct mw_graph_summary summary;
    struct occurrence *degrees;
    size_t degree_count;
    double summarising;
};

static int count_degrees(struct description *d)
{
    uint64_t *counts = NULL;
    size_t count;
    int rc;

    TRY(mw_graph_degrees(&d->n.graph, &counts, &count));
    TRY(mw_new(count, sizeof(*d->degrees), &d->degrees));
    for (size_t degree = 0; degree < count; degree++)
        if (counts[degree])
            d->degrees[d->degree_count++] = (struct occurrence){ degree, counts[degree] };
out:
    free(counts);
    return rc;
}

static int info_json(const struct description *d, const struct mw_device_info *device)
{
    const struct timing timings[] = { { "read", d->n.reading }, { "graph", d->n.building },
                                      { "summary", d->summarising }, { "total", mw_now() - d->n.start } };
    struct json *o = js_object();
    char sum[20];

    snprintf(sum, sizeof(sum), "%016llx", (unsigned long long)network_checksum(&d->n.graph));
    network_json(&d->n, o);
    graph_summary_json(&d->summary, o);
    if (d->n.set->degrees)
        occurrences_json(o, "degrees", d->degrees, d->degree_count);
    js_text(o, "checksum", sum);
    js_text(o, "device", device->id);
    timings_json(o, timings, MW_COUNT(timings));
    return js_print(o);
}

static int info_table(const struct description *d, const struct mw_device_info *device)
{
    struct table rows, *table = &rows;
    int rc;

    table_start(table, "|");
    TRY(network_rows(&d->n, table));
    graph_summary_rows(&d->summary, d->n.graph.directed, table);
    ROW("checksum", "%016llx", (unsigned long long)network_checksum(&d->n.graph));
    if (output_verbose())
        ROW("device", "%s  %s", device->id, device->name);
    ROW("seconds", "%s %s, graph %s, summary %s, total %s", d->n.generator ? "generate" : "read",
        seconds_text(d->n.reading).text, seconds_text(d->n.building).text, seconds_text(d->summarising).text,
        seconds_text(mw_now() - d->n.start).text);
    TRY(table_print(table, results()));
    if (d->n.set->degrees)
        TRY(occurrences_print(">degree|>vertices", d->degrees, d->degree_count, output_verbose()));
out:
    table_free(table);
    return rc;
}

int graph_info_run(struct command *command)
{
    struct description d = { .n = { .set = &command->settings, .command = command, .start = mw_now() } };
    struct mw_device *device, *opened = NULL;
    double start;
    int rc;

    if (d.n.set->generate && !strcmp(d.n.set->generate, "list"))
        return generators_list(d.n.set);
    TRY(network_choose(&d.n, &command->operands));
    TRY(network_device(d.n.set, NULL, &device, &opened));
    TRY(network_open(&d.n, device));
    start = mw_now();
    TRY(mw_graph_summarise(&d.n.graph, &d.summary));
    if (d.n.set->degrees)
        TRY(count_degrees(&d));
    d.summarising = mw_now() - start;
    TRY(d.n.set->json ? info_json(&d, mw_device_info(device)) : info_table(&d, mw_device_info(device)));
out:
    network_free(&d.n);
    mw_device_close(opened);
    free(d.degrees);
    return rc;
}

/* ---- convert ---- */

static int convert_json(const struct network *n, const char *path, double output)
{
    const struct timing timings[] = { { "read", n->reading }, { "graph", n->building }, { "output", output },
                                      { "total", mw_now() - n->start } };
    struct json *o = js_object();
    char sum[20];

    snprintf(sum, sizeof(sum), "%016llx", (unsigned long long)network_checksum(&n->graph));
    network_json(n, o);
    js_text(o, "output", path);
    js_text(o, "checksum", sum);
    timings_json(o, timings, MW_COUNT(timings));
    return js_print(o);
}

static int convert_table(const struct network *n, const char *path, double output)
{
    struct table rows, *table = &rows;
    int rc;

    table_start(table, "|");
    TRY(network_rows(n, table));
    ROW("checksum", "%016llx", (unsigned long long)network_checksum(&n->graph));
    ROW("seconds", "read %s, graph %s, output %s, total %s", seconds_text(n->reading).text,
        seconds_text(n->building).text, seconds_text(output).text, seconds_text(mw_now() - n->start).text);
    ROW("written", "%s", strcmp(path, "-") ? path : "to standard output");
    TRY(table_print(table, results()));
out:
    table_free(table);
    return rc;
}

int graph_convert_run(struct command *command)
{
    struct network n = { .set = &command->settings, .command = command, .start = mw_now() };
    const char *path = command->operands.item[1];
    struct mw_device *device, *opened = NULL;
    double start;
    int rc;

    TRY(network_choose(&n, &command->operands));
    TRY(network_writable(path, n.set->to, "to"));
    TRY(network_device(n.set, NULL, &device, &opened));
    TRY(network_open(&n, device));
    start = mw_now();
    TRY(network_write(&n.graph, path, n.set->to));
    start = mw_now() - start;
    TRY(n.set->json ? convert_json(&n, path, start) : convert_table(&n, path, start));
out:
    network_free(&n);
    mw_device_close(opened);
    return rc;
}

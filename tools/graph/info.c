/* meshwork graph info and convert: what a graph is like, and the same graph in another file. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- info ---- */

struct look {
    struct network n;
    struct mw_graph_info info;
    struct occurrence *degrees;
    size_t degree_count;
    double looking;
};

static int count_degrees(struct look *l)
{
    uint64_t *counts = NULL;
    size_t count;
    int rc;

    TRY(mw_graph_degrees(&l->n.graph, &counts, &count));
    TRY(mw_new(count, sizeof(*l->degrees), &l->degrees));
    for (size_t degree = 0; degree < count; degree++)
        if (counts[degree])
            l->degrees[l->degree_count++] = (struct occurrence){ degree, counts[degree] };
out:
    free(counts);
    return rc;
}

static int info_json(const struct look *l, const struct mw_device_info *device)
{
    const struct timing timings[] = { { "read", l->n.reading }, { "graph", l->n.building }, { "look", l->looking },
                                      { "total", mw_now() - l->n.start } };
    struct json *o = js_object();
    char sum[20];

    snprintf(sum, sizeof(sum), "%016llx", (unsigned long long)network_checksum(&l->n.graph));
    network_json(&l->n, o);
    graph_info_json(&l->info, o);
    if (l->n.set->degrees)
        occurrences_json(o, "degrees", l->degrees, l->degree_count);
    js_text(o, "checksum", sum);
    js_text(o, "device", device->id);
    timings_json(o, timings, MW_COUNT(timings));
    return js_print(o);
}

static int info_table(const struct look *l, const struct mw_device_info *device)
{
    struct table rows, *table = &rows;
    int rc;

    table_start(table, "|");
    TRY(network_rows(&l->n, table));
    graph_info_rows(&l->info, l->n.graph.directed, table);
    ROW("checksum", "%016llx", (unsigned long long)network_checksum(&l->n.graph));
    if (output_verbose())
        ROW("device", "%s  %s", device->id, device->name);
    ROW("seconds", "%s %s, graph %s, look %s, total %s", l->n.generator ? "generate" : "read",
        seconds_text(l->n.reading).text, seconds_text(l->n.building).text, seconds_text(l->looking).text,
        seconds_text(mw_now() - l->n.start).text);
    TRY(table_print(table, results()));
    if (l->n.set->degrees)
        TRY(occurrences_print(">degree|>vertices", l->degrees, l->degree_count, output_verbose()));
out:
    table_free(table);
    return rc;
}

int graph_info_run(struct command *command)
{
    struct look l = { .n = { .set = &command->settings, .command = command, .start = mw_now() } };
    struct mw_device *device, *opened = NULL;
    double start;
    int rc;

    if (l.n.set->generate && !strcmp(l.n.set->generate, "list"))
        return generators_list(l.n.set);
    TRY(network_choose(&l.n, &command->operands));
    TRY(network_device(l.n.set, NULL, &device, &opened));
    TRY(network_open(&l.n, device));
    start = mw_now();
    TRY(mw_graph_look(&l.n.graph, &l.info));
    if (l.n.set->degrees)
        TRY(count_degrees(&l));
    l.looking = mw_now() - start;
    TRY(l.n.set->json ? info_json(&l, mw_device_info(device)) : info_table(&l, mw_device_info(device)));
out:
    network_free(&l.n);
    mw_device_close(opened);
    free(l.degrees);
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

/* meshwork graph: what its subcommands say alike, for people and as JSON. */
#include "graph.h"

#include <string.h>

#define OCCURRENCE_ROWS 20

/* ---- where a graph comes from ---- */

int generator_row(const struct mw_generator *generator, const struct mw_generator_value *values, uint64_t seed,
                  struct table *table)
{
    struct mw_text text = { 0 };
    int rc;

    mw_text_add(&text, "%s", generator->name);
    for (size_t i = 0; i < generator->parameter_count; i++)
        mw_text_add(&text, ", %s %.15g", values[i].name, values[i].value);
    TRY(mw_text_ok(&text));
    ROW("generator", "%s, seed %llu", text.data, (unsigned long long)seed);
out:
    mw_text_free(&text);
    return rc;
}

void generator_json(const struct mw_generator *generator, const struct mw_generator_value *values, uint64_t seed,
                    struct json *json)
{
    struct json *parameters = js_object();

    for (size_t i = 0; i < generator->parameter_count; i++) {
        const struct mw_generator_parameter *p = &generator->parameters[i];
        if (p->whole && values[i].value >= 0)
            js_count(parameters, p->name, (uint64_t)values[i].value);
        else
            js_real(parameters, p->name, values[i].value);
    }
    js_text(json, "generator", generator->name);
    js_put(json, "parameters", parameters);
    js_count(json, "seed", seed);
}

int network_rows(const struct network *n, struct table *table)
{
    int rc = 0;

    if (n->generator)
        TRY(generator_row(n->generator, n->values, n->set->seed, table));
    else
        ROW("file", "%s", strcmp(n->path, "-") ? n->path : "standard input");
    ROW("graph", "%s", n->graph.directed ? "directed" : "undirected");
    ROW("vertices", "%zu", n->graph.vertices);
    ROW(n->graph.directed ? "arcs" : "edges", "%llu", (unsigned long long)network_edges(&n->graph));
    if (n->set->self == EDGES_REMOVE || n->set->multi == EDGES_REMOVE)
        ROW("removed", "%llu", (unsigned long long)n->removed);
out:
    return rc;
}

void network_json(const struct network *n, struct json *json)
{
    if (n->generator)
        generator_json(n->generator, n->values, n->set->seed, json);
    else
        js_text(json, "input", n->path);
    js_flag(json, "directed", n->graph.directed);
    js_count(json, "vertices", n->graph.vertices);
    js_count(json, "edges", network_edges(&n->graph));
    if (n->set->self == EDGES_REMOVE || n->set->multi == EDGES_REMOVE)
        js_count(json, "removed", n->removed);
}

/* ---- what it is like ---- */

void graph_summary_rows(const struct mw_graph_summary *summary, bool directed, struct table *table)
{
    ROW(directed ? "out-degrees" : "degrees", "%llu to %llu, mean %.6g", (unsigned long long)summary->degree_min,
        (unsigned long long)summary->degree_max, summary->degree_mean);
    ROW("isolated", "%zu", summary->isolated);
    ROW("loops", "%llu", (unsigned long long)summary->self);
    ROW("multi-edges", "%llu", (unsigned long long)summary->multiple);
}

void graph_summary_json(const struct mw_graph_summary *summary, struct json *json)
{
    js_count(json, "degree_min", summary->degree_min);
    js_real(json, "degree_mean", summary->degree_mean);
    js_count(json, "degree_max", summary->degree_max);
    js_count(json, "isolated", summary->isolated);
    js_count(json, "loops", summary->self);
    js_count(json, "multi_edges", summary->multiple);
}

int occurrences_print(const char *titles, const struct occurrence *occurrences, size_t count, bool all)
{
    const size_t half = OCCURRENCE_ROWS / 2;
    struct table table;
    int rc = 0;

    if (!count)
        return 0;
    table_start(&table, titles);
    for (size_t i = 0; i < count; i++) {
        if (!all && count > OCCURRENCE_ROWS && i == half) {
            table_add(&table, PLAIN, "...");
            table_add(&table, PLAIN, "...");
            i = count - half;
        }
        table_add(&table, PLAIN, "%llu", (unsigned long long)occurrences[i].value);
        table_add(&table, PLAIN, "%llu", (unsigned long long)occurrences[i].number);
    }
    fputc('\n', results());
    TRY(table_print(&table, results()));
out:
    table_free(&table);
    return rc;
}

void occurrences_json(struct json *json, const char *key, const struct occurrence *occurrences, size_t count)
{
    struct json *all = js_array();

    for (size_t i = 0; i < count; i++) {
        struct json *pair = js_array();
        js_count(pair, NULL, occurrences[i].value);
        js_count(pair, NULL, occurrences[i].number);
        js_put(all, NULL, pair);
    }
    js_put(json, key, all);
}

void timings_json(struct json *json, const struct timing *timings, size_t count)
{
    struct json *times = js_object();

    for (size_t i = 0; i < count; i++)
        js_real(times, timings[i].name, timings[i].seconds);
    js_put(json, "timings", times);
}

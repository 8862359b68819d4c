/* Graph generators by name, and their parameters. */
#include "tools/graph/generator.h"

#include <math.h>

#include "tools/cli/names.h"

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
    return mw_fail(MW_EINVAL, "unknown generator '%s': %s", name,
                   nearest_advice(&nearest, "`meshwork graph generate list` lists them").text);
}

static int check_value(const struct mw_generator_parameter *p, const char *text, double value)
{
    if (p->whole && value != floor(value))
        return mw_fail(MW_EINVAL, "-p %s: '%s' is not a whole number", p->name, text);
    if (value < p->least || value > p->most)
        return mw_fail(MW_EINVAL, "-p %s: '%s' is out of range: must be %.15g to %.15g", p->name, text, p->least,
                       p->most);
    return 0;
}

static int set_value(const struct mw_generator *generator, const char *word, struct mw_value *values)
{
    char name[64];
    const char *text;
    struct nearest nearest = { .word = name };
    TRY_RETURN(parameter_split(word, name, &text));
    for (size_t i = 0; i < generator->parameter_count; i++) {
        nearest_offer(&nearest, generator->parameters[i].name);
        if (strcmp(generator->parameters[i].name, name) != 0)
            continue;
        TRY_RETURN(parameter_number(name, text, &values[i].value));
        return check_value(&generator->parameters[i], text, values[i].value);
    }
    for (size_t i = 0; i < generator->parameter_count; i++)
        nearest_meaning(&nearest, generator->parameters[i].name, generator->parameters[i].help);
    return mw_fail(MW_EINVAL, "generator %s has no parameter '%s': %s", generator->name, name,
                   nearest_advice(&nearest, "`meshwork graph generate list` lists them").text);
}

int generator_values(const struct mw_generator *generator, const struct words *words, struct mw_value **values)
{
    TRY_RETURN(mw_new(generator->parameter_count, sizeof(**values), values));
    for (size_t i = 0; i < generator->parameter_count; i++)
        (*values)[i] = (struct mw_value){ generator->parameters[i].name, generator->parameters[i].value };
    for (size_t i = 0; i < words->count; i++)
        TRY_RETURN(set_value(generator, words->item[i], *values));
    return 0;
}

/* ---- connected graphs ---- */

enum { DRAWS_MOST = 100 };

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    for (; parent[v] != v; v = parent[v])
        parent[v] = parent[parent[v]];
    return v;
}

/* Counts components by a union-find on the host. */
static int count_components(const struct mw_edges *edges, size_t *components)
{
    uint32_t *parent = NULL;
    TRY_RETURN(mw_new(edges->vertices, sizeof(*parent), &parent));
    for (size_t v = 0; v < edges->vertices; v++)
        parent[v] = (uint32_t)v;
    *components = edges->vertices;
    for (uint64_t e = 0; e < edges->count; e++) {
        const uint32_t a = root_of(parent, edges->ends[2 * e]), b = root_of(parent, edges->ends[2 * e + 1]);
        *components -= a != b;
        parent[a > b ? a : b] = a > b ? b : a;
    }
    free(parent);
    return 0;
}

int generator_make(const struct generator_settings *settings, const struct mw_generator *generator,
                   const struct mw_value *values, struct mw_device *device, uint64_t *seed, struct mw_edges *edges)
{
    size_t components = 1;
    for (uint64_t draw = 0; draw < DRAWS_MOST; draw++) {
        *seed = settings->seed + (draw << 32);
        mw_edges_free(edges);
        TRY_RETURN(mw_generate(device, generator->name, values, generator->parameter_count, *seed, edges));
        if (settings->connected)
            TRY_RETURN(count_components(edges, &components));
        if (components <= 1)
            return 0;
    }
    return mw_fail(MW_EDATA,
                   "no connected graph in %d draws; the last one has %zu components: add edges, or leave out "
                   "--connected",
                   DRAWS_MOST, components);
}

/* ---- reports ---- */

/* The printed table has a generator and its parameters in the same columns. */
static void list_one(struct node *table, const struct mw_generator *g)
{
    struct node *row = put_object(table, NULL), *parameters;
    show_value_cell(put_text(row, "name", g->name), PLAIN);
    CELL(row, "%s", "");
    CELL(row, "%s", "");
    show_value_cell(put_text(row, "description", g->description), PLAIN);
    parameters = put_table(row, "parameters", "");
    for (size_t i = 0; i < g->parameter_count; i++) {
        const struct mw_generator_parameter *p = &g->parameters[i];
        struct node *parameter = put_object(parameters, NULL);
        CELL(parameter, "%s", "");
        show_value_cell(put_text(parameter, "name", p->name), PLAIN);
        show_cell(put_real(parameter, "value", p->value), PLAIN, "%.15g", p->value);
        put_real(parameter, "least", p->least);
        put_real(parameter, "most", p->most);
        put_flag(parameter, "is_whole", p->whole);
        show_value_cell(put_text(parameter, "help", p->help), PLAIN);
    }
}

int generators_list(void)
{
    struct node *table = report_table("kind|parameter|>default|/");
    const struct mw_generator *g;
    for (size_t i = 0; (g = mw_generators(i)) != NULL; i++)
        list_one(table, g);
    return report_print(table);
}

int generator_report(const struct mw_generator *generator, const struct mw_value *values, uint64_t seed,
                     struct node *to)
{
    struct mw_text text = { 0 };
    struct node *parameters;
    int rc;
    mw_text_add(&text, "%s", generator->name);
    for (size_t i = 0; i < generator->parameter_count; i++)
        mw_text_add(&text, ", %s %.15g", values[i].name, values[i].value);
    TRY(mw_text_ok(&text));
    show_row(put_text(to, "generator", generator->name), "generator", "%s, seed %llu", text.data,
             (unsigned long long)seed);
    parameters = put_object(to, "params");
    for (size_t i = 0; i < generator->parameter_count; i++) {
        const struct mw_generator_parameter *p = &generator->parameters[i];
        if (p->whole && values[i].value >= 0)
            put_count(parameters, p->name, (uint64_t)values[i].value);
        else
            put_real(parameters, p->name, values[i].value);
    }
    put_seed(to, seed);
out:
    mw_text_free(&text);
    return rc;
}
/* SPDX-License-Identifier: MIT */

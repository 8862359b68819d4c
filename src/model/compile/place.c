/* Values that depend on the place or on the time only, evaluated on the host in double precision: starts of fields, and
 * parts of rates that are the same in all cells. */
#include <math.h>

#include "model/compile/compile.h"

/* Returns the name of a field or map in the definition of its start. */
static int start_name(const struct mw_compiler *c, int field)
{
    int name = 0;
    for (size_t i = 0; i < c->definition_count; i++) {
        const struct mw_definition *d = &c->definitions[i];
        if (d->kind == MW_DEFINE_START && (d->field == field || (d->of_complex && d->field + 1 == field)))
            name = d->name;
    }
    return name;
}

/* Checks that a start reads no fields, and a map not the time, not by named values either.  Notes the parameters and
 * noise that it reads. */
static int check_start(struct mw_compiler *c, size_t field)
{
    const int root = c->start_root[field];
    const bool map = field >= c->model->info.field_count;
    bool *needed = NULL;
    int rc = 0;
    TRY(mw_new((size_t)root + 1, sizeof *needed, &needed));
    mw_node_mark(c->nodes, root, needed);
    for (int i = root; i >= 0; i--) {
        if (needed[i] && c->nodes[i].kind == MW_NODE_PARAM)
            c->model->starts->params |= (uint64_t)1 << c->nodes[i].a;
        if (needed[i] && c->nodes[i].kind == MW_NODE_PLACE && c->nodes[i].a == MW_PLACE_NOISE)
            c->model->starts->noisy |= (uint64_t)1 << field;
        if (needed[i] && (c->nodes[i].kind == MW_NODE_OPERATOR || c->nodes[i].kind == MW_NODE_MEAN)) {
            rc = mw_compile_wrong(c, start_name(c, (int)field),
                                  "'%.*s': a start or map cannot read fields, maps or noise, directly or by a name");
            break;
        }
        if (needed[i] && map && c->nodes[i].kind == MW_NODE_PLACE && c->nodes[i].a == MW_PLACE_TIME) {
            rc = mw_compile_wrong(c, start_name(c, (int)field),
                                  "'%.*s': a map cannot depend on the time: multiply it by the time in the rate");
            break;
        }
    }
out:
    free(needed);
    return rc;
}

int mw_compile_starts(struct mw_compiler *c)
{
    struct mw_model *m = c->model;
    bool any = false;
    TRY_RETURN(mw_compile_graph(c));
    for (size_t i = 0; i < mw_model_quantities(m); i++)
        any = any || c->start_root[i] >= 0;
    if (!any)
        return 0;
    TRY_RETURN(mw_own_new(&m->owner, 1, sizeof *m->starts, &m->starts));
    memcpy(m->starts->root, c->start_root, sizeof m->starts->root);
    m->starts->exact = c->exact_starts;
    for (size_t i = 0; i < mw_model_quantities(m); i++)
        if (c->start_root[i] >= 0)
            TRY_RETURN(check_start(c, i));
    return 0;
}

bool mw_model_start_is_noisy(const struct mw_model *m, size_t field)
{
    return m->fields[field].noise != 0 && !(m->starts && (m->starts->exact | m->starts->noisy) >> field & 1);
}

bool mw_model_start_reads_noise(const struct mw_model *m, size_t quantity)
{
    return m->starts && m->starts->noisy >> quantity & 1;
}

bool mw_model_has_start(const struct mw_model *m, size_t quantity)
{
    return m->starts && m->starts->root[quantity] >= 0;
}

/* ---- evaluation ---- */

double mw_model_place_value(const struct mw_model_row *row, int what, size_t i)
{
    const bool length = what >= MW_PLACE_LENGTH_X;
    const unsigned d = (unsigned)(length ? what - MW_PLACE_LENGTH_X : what);
    double volume = 1;
    if (what == MW_PLACE_TIME)
        return row->time;
    for (unsigned k = 0; what == MW_PLACE_VOLUME && k < row->dims; k++)
        volume *= (double)row->length[k] * row->spacing[k];
    if (what == MW_PLACE_VOLUME)
        return volume;
    if (what == MW_PLACE_NOISE)
        return row->noise ? row->noise[i] : 0;
    if (d >= row->dims)
        return 0;
    return (double)(length ? row->length[d] : d == 0 ? i : row->at[d]) * row->spacing[d];
}

/* Computes a node for a row of cells. */
static void node_row(const struct mw_node *n, const struct mw_model_row *row, double *const *value, double *to)
{
    const bool nodes = n->kind >= MW_NODE_ADD;
    const double *a = nodes && n->kind != MW_NODE_FUNCTION && n->a >= 0 ? value[n->a] : NULL;
    const double *b = nodes && n->b >= 0 ? value[n->b] : NULL, *c = nodes && n->c >= 0 ? value[n->c] : NULL;
#define EACH(result)                                                                                                   \
    for (size_t x = 0; x < row->cells; x++)                                                                            \
        to[x] = (result);                                                                                              \
    break
    switch (n->kind) {
    case MW_NODE_CONSTANT: EACH(n->value);
    case MW_NODE_PARAM: EACH(row->params[n->a]);
    case MW_NODE_DIMS: EACH(row->dims);
    case MW_NODE_PLACE: EACH(mw_model_place_value(row, n->a, x));
    case MW_NODE_MEAN: EACH(row->means[n->a]);
    case MW_NODE_ADD: EACH(a[x] + b[x]);
    case MW_NODE_SUBTRACT: EACH(a[x] - b[x]);
    case MW_NODE_MULTIPLY: EACH(a[x] * b[x]);
    case MW_NODE_DIVIDE: EACH(a[x] / b[x]);
    case MW_NODE_NEGATE: EACH(-a[x]);
    case MW_NODE_FUNCTION: mw_model_function_row(mw_model_functions[n->a].call, row->cells, b, c, to); break;
    case MW_NODE_SELECT: EACH(a[x] != 0 ? b[x] : c[x]);
    case MW_NODE_NUMBER: EACH(a[x]);
    case MW_NODE_LESS: EACH(a[x] < b[x]);
    case MW_NODE_LESS_EQUAL: EACH(a[x] <= b[x]);
    case MW_NODE_EQUAL: EACH(a[x] == b[x]);
    case MW_NODE_AND: EACH(a[x] != 0 && b[x] != 0);
    case MW_NODE_OR: EACH(a[x] != 0 || b[x] != 0);
    case MW_NODE_NOT: EACH(a[x] == 0);
    case MW_NODE_OPERATOR: break; /* not in starts */
    }
#undef EACH
}

/* Computes a node for `rows` rows of cells. */
static int root_rows(const struct mw_model *m, int root, struct mw_model_row row, size_t rows, mw_model_take_row *take,
                     void *context)
{
    const struct mw_node *nodes = m->graph->nodes;
    double *storage = NULL, **value = NULL;
    bool *needed = NULL;
    size_t used = 0;
    int rc;
    TRY(mw_new((size_t)root + 1, sizeof *needed, &needed));
    TRY(mw_new((size_t)root + 1, sizeof *value, &value));
    TRY(mw_new(mw_node_mark(nodes, root, needed) * row.cells, sizeof *storage, &storage));
    for (int i = 0; i <= root; i++)
        value[i] = needed[i] ? storage + row.cells * used++ : NULL;
    for (size_t r = 0; r < rows; r++) {
        size_t rest = r;
        for (unsigned d = 1; d < row.dims; rest /= row.length[d++])
            row.at[d] = rest % row.length[d];
        for (int i = 0; i <= root; i++)
            if (needed[i])
                node_row(&nodes[i], &row, value, value[i]);
        take(context, r, value[root]);
        row.noise += row.noise ? row.length[0] : 0;
    }
out:
    free(storage);
    free(value);
    free(needed);
    return rc;
}

int mw_model_start_rows(const struct mw_model *m, size_t field, struct mw_model_row row, size_t rows,
                        mw_model_take_row *take, void *context)
{
    row.cells = row.length[0];
    return root_rows(m, m->starts->root[field], row, rows, take, context);
}

static void take_value(void *context, size_t row, const double *values)
{
    (void)row;
    *(double *)context = *values;
}

int mw_model_timed(const struct mw_model *m, struct mw_model_row row, double *values)
{
    row.cells = 1;
    for (size_t i = 0; i < m->timed_count; i++)
        TRY_RETURN(root_rows(m, m->timed[i], row, 1, take_value, &values[i]));
    return 0;
}
/* SPDX-License-Identifier: MIT */

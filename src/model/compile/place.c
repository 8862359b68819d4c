/* Values that depend on the place only, such as starts of fields, evaluated on the host in double precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compile/compile.h"

/* Checks that a start reads no fields, not by named values either. */
static int check_start(struct mw_compiler *c, size_t field)
{
    const int root = c->start_root[field];
    bool *needed = NULL;
    int rc = 0;
    TRY(mw_new((size_t)root + 1, sizeof *needed, &needed));
    mw_node_mark(c->nodes, root, needed);
    for (int i = root; i >= 0; i--) {
        if (needed[i] && c->nodes[i].kind == MW_NODE_OPERATOR) {
            rc = mw_compile_wrong(c, c->nodes[i].token, "a start cannot read fields or noise, before '%.*s'");
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
    for (size_t i = 0; i < m->info.field_count; i++)
        if (c->start_root[i] >= 0) {
            TRY_RETURN(check_start(c, i));
            any = true;
        }
    if (!any)
        return 0;
    TRY_RETURN(mw_new(1, sizeof *m->starts, &m->starts));
    TRY_RETURN(mw_new(c->node_count, sizeof *m->starts->nodes, &m->starts->nodes));
    m->starts->count = c->node_count;
    for (size_t i = 0; i < MW_MODEL_NAMES_MAX; i++)
        m->starts->root[i] = i < m->info.field_count ? c->start_root[i] : -1;
    for (size_t i = 0; i < c->node_count; i++) {
        m->starts->nodes[i] = c->nodes[i];
        m->starts->nodes[i].number = NULL; /* the compiler's */
    }
    return 0;
}

bool mw_model_has_start(const struct mw_model *m, size_t field) { return m->starts && m->starts->root[field] >= 0; }

bool mw_model_start_uses(const struct mw_model *m, size_t param)
{
    bool needed[MW_NODES_MAX];
    for (size_t f = 0; m->starts && f < m->info.field_count; f++) {
        const int root = m->starts->root[f];
        memset(needed, 0, sizeof needed);
        if (root >= 0)
            (void)mw_node_mark(m->starts->nodes, root, needed);
        for (int i = 0; i <= root; i++)
            if (needed[i] && m->starts->nodes[i].kind == MW_NODE_PARAM && m->starts->nodes[i].a == (int)param)
                return true;
    }
    return false;
}

/* ---- evaluation ---- */

/* Returns x, y, z, r, or the mesh's length along x, y or z. */
static double place_value(const struct mw_model_row *row, int what, size_t i)
{
    double at[3] = { 0 };
    for (unsigned d = 0; d < row->dims && d < 3; d++)
        at[d] = (double)(d == 0 ? i : row->at[d]) * row->spacing[d];
    if (what < 3)
        return at[what];
    if (what == MW_PLACE_R)
        return sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    const unsigned d = (unsigned)(what - MW_PLACE_LENGTH_X);
    return d < row->dims ? (double)row->length[d] * row->spacing[d] : 0;
}

static double node_value(const struct mw_node *n, const struct mw_model_row *row, const double *const *value, size_t i)
{
    const double a = n->a >= 0 && n->kind >= MW_NODE_ADD && n->kind != MW_NODE_FUNCTION ? value[n->a][i] : 0;
    const double b = n->b >= 0 && n->kind >= MW_NODE_ADD ? value[n->b][i] : 0;
    const double c = n->c >= 0 && n->kind >= MW_NODE_ADD ? value[n->c][i] : 0;
    switch (n->kind) {
    case MW_NODE_CONSTANT: return n->value;
    case MW_NODE_PARAM: return row->params[n->a];
    case MW_NODE_DIMS: return row->dims;
    case MW_NODE_PLACE: return place_value(row, n->a, i);
    case MW_NODE_ADD: return a + b;
    case MW_NODE_SUBTRACT: return a - b;
    case MW_NODE_MULTIPLY: return a * b;
    case MW_NODE_DIVIDE: return a / b;
    case MW_NODE_NEGATE: return -a;
    case MW_NODE_FUNCTION: return mw_model_function_value(mw_model_functions[n->a].call, b, c);
    case MW_NODE_SELECT: return a != 0 ? b : c;
    case MW_NODE_NUMBER: return a;
    case MW_NODE_LESS: return a < b;
    case MW_NODE_LESS_EQUAL: return a <= b;
    case MW_NODE_EQUAL: return a == b;
    case MW_NODE_AND: return a != 0 && b != 0;
    case MW_NODE_OR: return a != 0 || b != 0;
    case MW_NODE_NOT: return a == 0;
    case MW_NODE_OPERATOR: break; /* not in starts */
    }
    return NAN;
}

int mw_model_start_row(const struct mw_model *m, size_t field, const struct mw_model_row *row, double *values)
{
    const size_t n = row->length[0];
    const int root = m->starts->root[field];
    double *storage = NULL, **value = NULL;
    bool *needed = NULL;
    size_t used = 0;
    int rc;
    TRY(mw_new((size_t)root + 1, sizeof *needed, &needed));
    TRY(mw_new((size_t)root + 1, sizeof *value, &value));
    const size_t count = mw_node_mark(m->starts->nodes, root, needed);
    TRY(mw_new(count * n, sizeof *storage, &storage));
    for (int i = 0; i <= root; i++) {
        if (!needed[i])
            continue;
        value[i] = storage + n * used++;
        for (size_t x = 0; x < n; x++)
            value[i][x] = node_value(&m->starts->nodes[i], row, (const double *const *)value, x);
    }
    for (size_t x = 0; x < n; x++)
        values[x] = value[root][x];
out:
    free(storage);
    free(value);
    free(needed);
    return rc;
}
/* SPDX-License-Identifier: MIT */

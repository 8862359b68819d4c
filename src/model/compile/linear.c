/* The linear part of the rates: small waves on a uniform state.
 *
 * A linear operator multiplies a wave exp(i k x) by a number.  Operators of a uniform state are 0, except its value and
 * its average.  The derivative of a node by the wave's amplitude is thus a sum of derivatives of its operands.  The
 * state determines the factors, which are computed once.  The sums are computed per wave vector. */
#include <math.h>

#include "model/compile/compile.h"

int mw_compile_graph(struct mw_compiler *c)
{
    struct mw_model *m = c->model;
    struct mw_model_graph *g;
    TRY_RETURN(mw_own_new(&m->owner, 1, sizeof *m->graph, &m->graph));
    g = m->graph;
    TRY_RETURN(mw_own_new(&m->owner, c->node_count, sizeof *g->nodes, &g->nodes));
    memcpy(g->rate_root, c->rate_root, sizeof g->rate_root);
    memcpy(g->stage_root, c->stage_root, sizeof g->stage_root);
    g->energy_root = c->energy_root;
    for (size_t i = 0; i < c->node_count; i++) {
        g->nodes[i] = c->nodes[i];
        g->nodes[i].number = NULL; /* the compiler's */
    }
    return 0;
}

/* The derivative of node `to`: factor[0] times that of node a plus factor[1] times that of node b; or with an operator
 * (what >= 0) its symbol times factor[0] times the wave in field `field`, or the derivative of node a (field -1). */
struct linear_step {
    int to, a, b, what, field;
    double factor[2];
};
struct mw_model_linear {
    const struct mw_model_graph *graph;
    size_t fields, step_count;
    struct linear_step *steps;
    double *value; /* per node */
    size_t room;   /* derivatives: one per node and field */
};

void mw_model_linear_free(struct mw_model_linear *l)
{
    if (!l)
        return;
    free(l->steps);
    free(l->value);
    free(l);
}

/* ---- values ---- */

static double function_of(int function, double x, double y)
{
    double value;
    mw_model_function_row(mw_model_functions[function].call, 1, &x, &y, &value);
    return value;
}

/* Returns the quantity's node, or -1 for fields and noise. */
static int quantity_node(const struct mw_model_graph *g, int quantity)
{
    return quantity >= MW_FIRST_STAGE ? g->stage_root[quantity - MW_FIRST_STAGE] : -1;
}

static double operator_value(const struct mw_model_linear *l, const struct mw_node *n, const double *state)
{
    const int node = quantity_node(l->graph, n->b);
    if (n->a != MW_OP_AT && n->a != MW_OP_AVG)
        return 0;
    return node >= 0 ? l->value[node] : n->b < MW_FIRST_NOISE ? state[n->b] : 0;
}

static double node_value(const struct mw_model_linear *l, const struct mw_node *n, const struct mw_model_row *row,
                         const double *state)
{
    int operand[3];
    double v[3];
    mw_node_operands(n, operand);
    for (int i = 0; i < 3; i++)
        v[i] = operand[i] >= 0 ? l->value[operand[i]] : 0;
    switch (n->kind) {
    case MW_NODE_CONSTANT: return n->value;
    case MW_NODE_PARAM: return row->params[n->a];
    case MW_NODE_DIMS: return row->dims;
    case MW_NODE_PLACE: return mw_model_place_value(row, n->a, 0);
    case MW_NODE_MEAN: return 0; /* the rest of the rates contains what this leaves out */
    case MW_NODE_OPERATOR: return operator_value(l, n, state);
    case MW_NODE_ADD: return v[0] + v[1];
    case MW_NODE_SUBTRACT: return v[0] - v[1];
    case MW_NODE_MULTIPLY: return v[0] * v[1];
    case MW_NODE_DIVIDE: return v[0] / v[1];
    case MW_NODE_NEGATE: return -v[0];
    case MW_NODE_FUNCTION: return function_of(n->a, v[1], v[2]);
    case MW_NODE_SELECT: return v[0] != 0 ? v[1] : v[2];
    case MW_NODE_NUMBER: return v[0];
    case MW_NODE_LESS: return v[0] < v[1];
    case MW_NODE_LESS_EQUAL: return v[0] <= v[1];
    case MW_NODE_EQUAL: return v[0] == v[1];
    case MW_NODE_AND: return v[0] != 0 && v[1] != 0;
    case MW_NODE_OR: return v[0] != 0 || v[1] != 0;
    case MW_NODE_NOT: return v[0] == 0;
    }
    return 0;
}

/* ---- derivatives ---- */

/* Returns the derivative of a function by its first or second argument, by central differences: exact enough, since
 * the nonlinear part contains the difference. */
static double function_slope(int function, double x, double y, int of)
{
    const double at = of ? y : x, step = 1e-5 * (fabs(at) > 1 ? fabs(at) : 1);
    const double above = function_of(function, of ? x : x + step, of ? y + step : y);
    const double below = function_of(function, of ? x : x - step, of ? y - step : y);
    return (above - below) / (2 * step);
}

/* Sets an operator's step. Products of gradients are 0 to first order. */
static void operator_step(const struct mw_model_linear *l, const struct mw_node *n, struct linear_step *s)
{
    const bool flux = n->a == MW_OP_DIV_GRAD;
    const int quantity = flux ? n->c : n->b, mobility = quantity_node(l->graph, n->b);
    s->what = n->a;
    s->a = quantity_node(l->graph, quantity);
    s->field = s->a < 0 ? quantity : -1;
    s->factor[0] = n->a == MW_OP_GRAD2 || n->a == MW_OP_DOT_GRAD || s->field >= MW_FIRST_NOISE ? 0 : 1;
    if (flux)
        s->factor[0] *= mobility >= 0 ? l->value[mobility] : 0;
}

/* Sets the step of a node. Returns false if its derivative is 0. */
static bool node_step(const struct mw_model_linear *l, int at, const double *state, struct linear_step *s)
{
    const struct mw_node *n = &l->graph->nodes[at];
    const double *v = l->value;
    int operand[3];
    mw_node_operands(n, operand);
    *s = (struct linear_step){ .to = at, .a = operand[0], .b = operand[1], .what = -1 };
    switch (n->kind) {
    case MW_NODE_OPERATOR:
        operator_step(l, n, s);
        if (n->a == MW_OP_DIV_GRAD && n->b < MW_FIRST_NOISE) /* the mobility is a field */
            s->factor[0] = state[n->b];
        break;
    case MW_NODE_ADD:
    case MW_NODE_SUBTRACT:
        s->factor[0] = 1;
        s->factor[1] = n->kind == MW_NODE_ADD ? 1 : -1;
        break;
    case MW_NODE_MULTIPLY:
        s->factor[0] = v[s->b];
        s->factor[1] = v[s->a];
        break;
    case MW_NODE_DIVIDE:
        s->factor[0] = 1 / v[s->b];
        s->factor[1] = -v[s->a] / (v[s->b] * v[s->b]);
        break;
    case MW_NODE_NEGATE: s->factor[0] = -1; break;
    case MW_NODE_FUNCTION:
        s->a = operand[1];
        s->b = operand[2];
        for (int i = 0; i < 2; i++)
            if ((i ? s->b : s->a) >= 0 && l->graph->nodes[i ? s->b : s->a].cells)
                s->factor[i] = function_slope(n->a, v[s->a], s->b >= 0 ? v[s->b] : 0, i);
        break;
    case MW_NODE_SELECT:
        s->a = v[operand[0]] != 0 ? operand[1] : operand[2];
        s->factor[0] = 1;
        break;
    default: return false;
    }
    return s->factor[0] != 0 || s->factor[1] != 0;
}

int mw_model_linear_new(const struct mw_model *m, const struct mw_model_row *row, const double *state,
                        struct mw_model_linear **result)
{
    const struct mw_model_graph *g = m->graph;
    struct mw_model_linear *l = NULL;
    int last = g->energy_root, rc;
    TRY(mw_new(1, sizeof *l, &l));
    l->graph = g;
    l->fields = m->info.field_count;
    for (size_t f = 0; f < l->fields; f++)
        last = g->rate_root[f] > last ? g->rate_root[f] : last;
    TRY(mw_new((size_t)last + 1, sizeof *l->steps, &l->steps));
    TRY(mw_new((size_t)last + 1, sizeof *l->value, &l->value));
    l->room = ((size_t)last + 1) * l->fields;
    /* Stages are older than the nodes that read them. */
    for (int i = 0; i <= last; i++) {
        l->value[i] = node_value(l, &g->nodes[i], row, state);
        l->step_count += node_step(l, i, state, &l->steps[l->step_count]);
    }
    *result = l;
    l = NULL;
out:
    mw_model_linear_free(l);
    return rc;
}

static void add_product(double *to, const double *a, const double *b)
{
    to[0] += a[0] * b[0] - a[1] * b[1];
    to[1] += a[0] * b[1] + a[1] * b[0];
}

size_t mw_model_linear_room(const struct mw_model_linear *l) { return l->room; }

/* Computes the derivatives by `fields` fields: a constant makes loops straight code. */
static inline void derive(const struct mw_model_linear *l, size_t fields, double (*symbols)[2], double (*room)[2])
{
    for (size_t i = 0; i < l->step_count; i++) {
        const struct linear_step *s = &l->steps[i];
        double(*const to)[2] = room + (size_t)s->to * fields;
        const double by[2] = { s->what >= 0 ? s->factor[0] * symbols[s->what][0] : s->factor[0],
                               s->what >= 0 ? s->factor[0] * symbols[s->what][1] : 0 };
        for (size_t f = 0; f < fields; f++) {
            double sum[2] = { 0, 0 };
            if (s->what >= 0 && s->field >= 0) {
                sum[0] = f == (size_t)s->field ? by[0] : 0;
                sum[1] = f == (size_t)s->field ? by[1] : 0;
            } else {
                if (s->factor[0] != 0)
                    add_product(sum, room[(size_t)s->a * fields + f], by);
                if (s->factor[1] != 0)
                    add_product(sum, room[(size_t)s->b * fields + f], (double[2]){ s->factor[1], 0 });
            }
            to[f][0] = sum[0];
            to[f][1] = sum[1];
        }
    }
}

void mw_model_linear_at(const struct mw_model_linear *l, double (*symbols)[2], double (*room)[2], double *matrix)
{
    const size_t fields = l->fields;
    if (fields == 1)
        derive(l, 1, symbols, room);
    else
        derive(l, fields, symbols, room);
    for (size_t f = 0; f < fields; f++)
        memcpy(matrix + 2 * f * fields, room[(size_t)l->graph->rate_root[f] * fields], 2 * fields * sizeof *matrix);
}

double mw_model_linear_energy(const struct mw_model_linear *l)
{
    return l->graph->energy_root >= 0 ? l->value[l->graph->energy_root] : NAN;
}
/* SPDX-License-Identifier: MIT */

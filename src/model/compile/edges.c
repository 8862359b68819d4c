/* Boundary conditions of fields: boundary(FIELD, SIDE) = value(V), slope(S) or outside(V).
 *
 * A condition determines the values beyond a side.  With m the value of the mirror image inside, d their distance and
 * the face halfway between them:
 *   value(V)      (m + beyond) / 2 = V at the face:  beyond = 2 V - m
 *   slope(S)      (beyond - m) / d = S:              beyond = m + d S, where S points outwards
 *   slope(S + K u), with u = (m + beyond) / 2 (Robin's condition):
 *                 beyond = (m (1 + d K / 2) + d S) / (1 - d K / 2)
 *   outside(V)    beyond = V
 * At the edge of the domain, m is the value of the cell for which an operator reads beyond. */
#include "model/compile/compile.h"

#define ALL_SIDES 63 /* along x, y and z */

static const struct {
    const char *name;
    int sides;
} side_names[] = { { "x_low", 1 }, { "x_high", 2 }, { "x", 3 },       { "y_low", 4 }, { "y_high", 8 },
                   { "y", 12 },    { "z_low", 16 }, { "z_high", 32 }, { "z", 48 },    { "hole", 1 << MW_SIDE_HOLE } };

static const struct {
    const char *name;
    enum mw_edge_kind kind;
} kind_names[] = { { "value", MW_EDGE_VALUE }, { "slope", MW_EDGE_SLOPE }, { "outside", MW_EDGE_OUTSIDE } };

/* ---- reading ---- */

static int read_side(struct mw_compiler *c, struct mw_definition *d)
{
    size_t i = 0;
    d->sides = ALL_SIDES;
    if (!mw_token_take(c, ","))
        return 0;
    while (i < MW_COUNT(side_names) && !mw_token_is(c, c->at, side_names[i].name))
        i++;
    if (i == MW_COUNT(side_names))
        return mw_compile_wrong(c, c->at,
                                "'%.*s' is not a side: expected x_low, x_high, x (both), and so for y and z, "
                                "or hole");
    d->sides = side_names[i].sides;
    c->at++;
    return 0;
}

/* Checks that nothing follows the parenthesis that begins at a token. */
static int end_condition(struct mw_compiler *c, int token)
{
    int depth = 0;
    do {
        depth += mw_token_is(c, token, "(") - mw_token_is(c, token, ")");
        if (mw_token_is(c, token, ";") || c->tokens[token].kind == MW_TOKEN_END)
            return 0; /* reported where the value is read */
        token++;
    } while (depth > 0);
    if (mw_token_is(c, token, ";") || c->tokens[token].kind == MW_TOKEN_END)
        return 0;
    return mw_compile_wrong(c, token, "a boundary condition ends with its parenthesis, found '%.*s'");
}

int mw_edge_begin(struct mw_compiler *c, struct mw_definition *d)
{
    const struct mw_token *t = &c->tokens[c->at];
    size_t i = 0;
    d->name = c->at;
    const int pair = t->kind == MW_TOKEN_NAME ? mw_model_find_complex(c->model, t->at, t->n) : -1;
    d->of_complex = pair >= 0;
    d->field = pair >= 0 || t->kind != MW_TOKEN_NAME ? pair : mw_model_find_field(c->model, t->at, t->n);
    if (d->field < 0)
        return mw_compile_wrong(c, d->name, "no //@ field line declares '%.*s'");
    c->at++;
    TRY_RETURN(read_side(c, d));
    TRY_RETURN(mw_token_expect(c, ")"));
    TRY_RETURN(mw_token_expect(c, "="));
    while (i < MW_COUNT(kind_names) && !mw_token_is(c, c->at, kind_names[i].name))
        i++;
    if (i == MW_COUNT(kind_names) || !mw_token_is(c, c->at + 1, "("))
        return mw_compile_wrong(c, c->at, "expected value(V), slope(S) or outside(V), found '%.*s'");
    d->edge = kind_names[i].kind;
    if (d->sides >> MW_SIDE_HOLE && d->edge == MW_EDGE_SLOPE)
        return mw_compile_wrong(c, c->at, "expected value(V) or outside(V) at a hole (default: no flux), found '%.*s'");
    return end_condition(c, ++c->at);
}

/* ---- the value ---- */

/* The parts of an expression rest + factor * field: nodes; -1: 0.  done: they are computed. */
struct division_parts {
    int rest, factor;
    bool done;
};
/* An expression that is divided. */
struct division {
    struct mw_compiler *c;
    int token, field;             /* token: the field's name, for messages */
    bool *depends;                /* per node: reads the field */
    struct division_parts *parts; /* per node */
};

/* Finds the nodes that read the field, and refuses other reads. */
static int find_reads(struct division *v, int root, bool slope)
{
    struct mw_compiler *c = v->c;
    bool *needed = NULL;
    int operand[3], rc = 0;
    TRY(mw_new((size_t)root + 1, sizeof *needed, &needed));
    mw_node_mark(c->nodes, root, needed);
    for (int i = 0; i <= root; i++) {
        const struct mw_node *n = &c->nodes[i];
        if (!needed[i])
            continue;
        v->depends[i] = n->kind == MW_NODE_OPERATOR;
        if (v->depends[i] && !(slope && n->a == MW_OP_AT && n->b == v->field)) {
            rc = mw_compile_wrong(c, v->token,
                                  "a boundary condition of '%.*s' cannot read fields or noise; its slope may be linear "
                                  "in the field itself");
            break;
        }
        mw_node_operands(n, operand);
        for (int k = 0; k < 3; k++)
            v->depends[i] = v->depends[i] || (operand[k] >= 0 && v->depends[operand[k]]);
    }
out:
    free(needed);
    return rc;
}

static int divide_node(struct division *v, int node, int *rest, int *factor);

/* Divides a node that reads the field. */
static int divide_dependent(struct division *v, int node, int *rest, int *factor)
{
    struct mw_compiler *c = v->c;
    const struct mw_node n = c->nodes[node];
    int other_rest = -1, other_factor = -1;
    TRY_RETURN(mw_compile_enter(c));
    if (n.kind == MW_NODE_OPERATOR) {
        *rest = -1;
        *factor = mw_node_constant(c, 1, NULL, 0);
    } else if (n.kind == MW_NODE_NEGATE || n.kind == MW_NODE_ADD || n.kind == MW_NODE_SUBTRACT) {
        TRY_RETURN(divide_node(v, n.a, rest, factor));
        if (n.kind == MW_NODE_NEGATE) {
            *rest = mw_node_negate(c, *rest);
            *factor = mw_node_negate(c, *factor);
        } else {
            const bool minus = n.kind == MW_NODE_SUBTRACT;
            TRY_RETURN(divide_node(v, n.b, &other_rest, &other_factor));
            *rest = mw_node_sum(c, *rest, minus ? mw_node_negate(c, other_rest) : other_rest);
            *factor = mw_node_sum(c, *factor, minus ? mw_node_negate(c, other_factor) : other_factor);
        }
    } else if ((n.kind == MW_NODE_MULTIPLY && v->depends[n.a] != v->depends[n.b]) ||
               (n.kind == MW_NODE_DIVIDE && !v->depends[n.b])) {
        const int of = v->depends[n.a] ? n.a : n.b, by = v->depends[n.a] ? n.b : n.a;
        TRY_RETURN(divide_node(v, of, rest, factor));
        *rest = *rest < 0 ? *rest : mw_node_new(c, n.kind, *rest, by, -1);
        *factor = mw_node_new(c, n.kind, *factor, by, -1);
    } else {
        return mw_compile_wrong(c, v->token, "the slope of '%.*s' at a boundary must be linear in the field");
    }
    c->nesting--;
    return 0;
}

/* Divides each node once, however many others use it. */
static int divide_node(struct division *v, int node, int *rest, int *factor)
{
    struct division_parts *parts = &v->parts[node];
    if (!parts->done && v->depends[node])
        TRY_RETURN(divide_dependent(v, node, &parts->rest, &parts->factor));
    else if (!parts->done)
        *parts = (struct division_parts){ .rest = node, .factor = -1 };
    parts->done = true;
    *rest = parts->rest;
    *factor = parts->factor;
    return 0;
}

/* Stores a condition of one field, at sides that have none or one that gives way: a definition of the text above
 * //@ replace to one below, otherwise one for more sides to one for fewer. */
static int store_edge(struct mw_compiler *c, const struct mw_definition *d, int field, struct mw_edge edge)
{
    edge.replaces = mw_definition_replaces(c, &c->tokens[d->name]);
    for (int s = 0; s < MW_SIDES_MAX; s++)
        edge.sides += d->sides >> s & 1;
    for (int s = 0; s < MW_SIDES_MAX; s++) {
        struct mw_edge *at = &c->edges[field][s];
        const bool same = at->kind != MW_EDGE_NONE && at->replaces == edge.replaces;
        if (!(d->sides >> s & 1) || at->replaces > edge.replaces || (same && at->sides < edge.sides))
            continue;
        if (same && at->sides == edge.sides)
            return mw_compile_wrong(c, d->name, "a second boundary condition of '%.*s' at the same side");
        *at = edge;
        c->model->info.bounded |= s == MW_SIDE_HOLE ? 0 : 1u << (s / 2);
    }
    return 0;
}

static int finish_part(struct mw_compiler *c, const struct mw_definition *d, int field, int node)
{
    struct division v = { .c = c, .token = d->name, .field = field };
    struct mw_edge edge = { .kind = d->edge, .root = node, .factor = -1 };
    int rc;
    TRY(mw_new((size_t)node + 1, sizeof *v.depends, &v.depends));
    TRY(mw_new((size_t)node + 1, sizeof *v.parts, &v.parts));
    TRY(find_reads(&v, node, d->edge == MW_EDGE_SLOPE));
    TRY(divide_node(&v, node, &edge.root, &edge.factor));
    if (edge.root < 0)
        edge.root = mw_node_constant(c, 0, NULL, 0);
    c->model->info.is_open = c->model->info.is_open || edge.kind != MW_EDGE_SLOPE || edge.factor >= 0 ||
                             c->nodes[edge.root].kind != MW_NODE_CONSTANT || c->nodes[edge.root].value != 0;
    rc = store_edge(c, d, field, edge);
out:
    free(v.depends);
    free(v.parts);
    return rc;
}

/* Notes the dimensions along which a condition names sides. */
static void note_sides(struct mw_compiler *c, const struct mw_definition *d)
{
    struct mw_model_info *info = &c->model->info;
    for (unsigned k = 0; k < 3 && d->sides != ALL_SIDES; k++) {
        const unsigned named = (unsigned)((d->sides >> 2 * k & 3) != 0) << k;
        info->sided |= named;
        info->added_sided |= c->p->last_replace && c->tokens[d->name].at > c->p->last_replace ? named : 0;
    }
}

int mw_edge_finish(struct mw_compiler *c, const struct mw_definition *d)
{
    const struct mw_model_value *value = &d->value;
    const int zero = mw_node_constant(c, 0, NULL, 0);
    int node;
    note_sides(c, d);
    if (d->of_complex && value->kind == MW_VALUE_COMPLEX) {
        TRY_RETURN(finish_part(c, d, d->field, value->re < 0 ? zero : value->re));
        return finish_part(c, d, d->field + 1, value->im < 0 ? zero : value->im);
    }
    TRY_RETURN(mw_value_to_real(c, d->name, *value, &node));
    TRY_RETURN(finish_part(c, d, d->field, node));
    return d->of_complex ? finish_part(c, d, d->field + 1, zero) : 0;
}
/* SPDX-License-Identifier: MIT */

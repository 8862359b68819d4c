/* Writes the compiled model as kernel functions, in the words of cl/field/view.clh and cl/math.clh.  A node that is
 * used several times is stored in a variable.  Values that are the same in all cells are scalars, others are
 * vectors.  Values that depend on the time, on means or on the volume of the mesh are computed by the host, and become
 * parameters. */
#include <math.h>

#include "model/compile/compile.h"

struct writer {
    struct mw_compiler *c;
    struct mw_text text;
    int *uses; /* per node, in the current function */
    int face;  /* number of the side whose boundary condition is written; otherwise -1 */
};

/* ---- expressions ---- */

/* Returns whether the host computes a node: it is timed, and the same in all cells. */
static bool is_timed(const struct writer *w, int i) { return w->c->nodes[i].timed && !w->c->nodes[i].varies; }

static bool is_vector(const struct writer *w, int i) { return w->c->nodes[i].cells && !is_timed(w, i); }

static bool is_stored(const struct writer *w, int i)
{
    const struct mw_node *n = &w->c->nodes[i];
    return n->kind >= MW_NODE_PLACE && !is_timed(w, i) &&
           (w->uses[i] > 1 || (n->kind > MW_NODE_OPERATOR && n->depth == 0));
}

static size_t timed_number(const struct mw_model *m, int i)
{
    size_t k = 0;
    while (k < m->timed_count && m->timed[k] != i)
        k++;
    return k;
}

/* Writes the parameter whose value the host computes from a node. */
static void write_timed(struct writer *w, int i)
{
    const size_t k = timed_number(w->c->model, i);
    const bool truth = w->c->nodes[i].truth;
    mw_text_add(&w->text, "%sP(" MW_KERNEL_TIMED ")%s", truth ? "(" : "", k, truth ? " != R(0.0))" : "");
}

static void write_operation(struct writer *w, int i);

/* Writes a node, or its variable; as a vector if `cells`. */
static void write_node(struct writer *w, int i, bool cells)
{
    const struct mw_node *n = &w->c->nodes[i];
    const bool convert = cells && !is_vector(w, i);
    if (convert && n->truth)
        mw_text_add(&w->text, "math_true(splat(");
    else if (convert)
        mw_text_add(&w->text, "splat(");
    if (is_timed(w, i))
        write_timed(w, i);
    else if (is_stored(w, i))
        mw_text_add(&w->text, "t%d", i);
    else
        write_operation(w, i);
    if (convert)
        mw_text_add(&w->text, n->truth ? " ? R(1.0) : R(0.0)))" : ")");
}

/* Writes NAME(a, b, c) with vectors; c or b may be absent. */
static void write_call(struct writer *w, const char *name, int a, int b, int third)
{
    mw_text_add(&w->text, "%s(", name);
    write_node(w, a, true);
    for (int i = 0; i < 2; i++) {
        const int next = i ? third : b;
        if (next >= 0) {
            mw_text_add(&w->text, ", ");
            write_node(w, next, true);
        }
    }
    mw_text_add(&w->text, ")");
}

static void write_infix(struct writer *w, int a, const char *sign, int b)
{
    mw_text_add(&w->text, "(");
    write_node(w, a, false);
    mw_text_add(&w->text, " %s ", sign);
    write_node(w, b, false);
    mw_text_add(&w->text, ")");
}

/* Writes the choice by a condition that is the same in all cells. */
static void write_choice(struct writer *w, const struct mw_node *n)
{
    mw_text_add(&w->text, "(");
    write_node(w, n->a, false);
    mw_text_add(&w->text, " ? ");
    write_node(w, n->b, n->cells);
    mw_text_add(&w->text, " : ");
    write_node(w, n->c, n->cells);
    mw_text_add(&w->text, ")");
}

static void write_quantity(struct writer *w, int quantity)
{
    const struct mw_model *m = w->c->model;
    if (quantity >= MW_FIRST_STAGE)
        mw_text_add(&w->text, MW_KERNEL_STAGE, m->stages[quantity - MW_FIRST_STAGE].name);
    else if (quantity >= MW_FIRST_NOISE)
        mw_text_add(&w->text, MW_KERNEL_NOISE, m->noises[quantity - MW_FIRST_NOISE].name);
    else
        mw_text_add(&w->text, MW_KERNEL_FIELD, m->fields[quantity].name);
}

static void write_operator(struct writer *w, const struct mw_node *n)
{
    mw_text_add(&w->text, "%s(", mw_operators[n->a].name);
    write_quantity(w, n->b);
    if (n->c >= 0) {
        mw_text_add(&w->text, ", ");
        write_quantity(w, n->c);
    }
    mw_text_add(&w->text, ")");
}

/* Operations of truths and their vector forms, by kind. */
static const struct {
    const char *sign, *call;
} truth_operations[] = {
    [MW_NODE_LESS] = { "<", "math_less" },    [MW_NODE_LESS_EQUAL] = { "<=", "math_less_equal" },
    [MW_NODE_EQUAL] = { "==", "math_equal" }, [MW_NODE_AND] = { "&&", "math_and" },
    [MW_NODE_OR] = { "||", "math_or" },
};

static void write_scalar_number(struct writer *w, int truth)
{
    mw_text_add(&w->text, "(");
    write_node(w, truth, false);
    mw_text_add(&w->text, " ? R(1.0) : R(0.0))");
}

/* Writes a coordinate or a length.  In a boundary condition, the coordinate across the side is that of its face. */
static void write_place(struct writer *w, int what)
{
    const int d = what % 3;
    if (w->face / 2 == d && w->face >= 0 && what < MW_PLACE_LENGTH_X)
        mw_text_add(&w->text, "splat(FACE(%d, %d))", d, w->face % 2);
    else
        mw_text_add(&w->text, "%s_%c", what < MW_PLACE_LENGTH_X ? "PLACE" : "EXTENT", 'X' + d);
}

static void write_operation(struct writer *w, int i)
{
    const struct mw_node n = w->c->nodes[i];
    switch (n.kind) {
    case MW_NODE_CONSTANT: mw_text_add(&w->text, "R(%s)", n.number); break;
    case MW_NODE_PARAM: mw_text_add(&w->text, "P(" MW_KERNEL_PARAM ")", w->c->model->params[n.a].name); break;
    case MW_NODE_DIMS: mw_text_add(&w->text, "(real)DIMS"); break;
    case MW_NODE_PLACE: write_place(w, n.a); break;
    case MW_NODE_OPERATOR: write_operator(w, &n); break;
    case MW_NODE_ADD: write_infix(w, n.a, "+", n.b); break;
    case MW_NODE_SUBTRACT: write_infix(w, n.a, "-", n.b); break;
    case MW_NODE_MULTIPLY: write_infix(w, n.a, "*", n.b); break;
    case MW_NODE_DIVIDE: write_call(w, "math_divide", n.a, n.b, -1); break;
    case MW_NODE_NEGATE:
        mw_text_add(&w->text, "(-");
        write_node(w, n.a, false);
        mw_text_add(&w->text, ")");
        break;
    case MW_NODE_FUNCTION: write_call(w, mw_model_functions[n.a].call, n.b, n.c, -1); break;
    case MW_NODE_SELECT:
        if (is_vector(w, n.a))
            write_call(w, "math_select", n.a, n.b, n.c);
        else
            write_choice(w, &n);
        break;
    case MW_NODE_NUMBER:
        if (n.cells)
            write_call(w, "math_number", n.a, -1, -1);
        else
            write_scalar_number(w, n.a);
        break;
    case MW_NODE_NOT:
        if (n.cells) {
            write_call(w, "math_not", n.a, -1, -1);
        } else {
            mw_text_add(&w->text, "!");
            write_node(w, n.a, false);
        }
        break;
    default:
        if (n.cells)
            write_call(w, truth_operations[n.kind].call, n.a, n.b, -1);
        else
            write_infix(w, n.a, truth_operations[n.kind].sign, n.b);
    }
}

/* ---- functions ---- */

/* Counts how often the function with these roots uses each node; `second` may be -1. */
static void count_uses(struct writer *w, int root, int second)
{
    int operand[3];
    memset(w->uses, 0, w->c->node_count * sizeof *w->uses);
    w->uses[root]++;
    if (second >= 0)
        w->uses[second]++;
    for (int i = root > second ? root : second; i >= 0; i--) {
        mw_node_operands(&w->c->nodes[i], operand);
        for (int k = 0; k < 3 && w->uses[i] > 0 && !is_timed(w, i); k++)
            if (operand[k] >= 0)
                w->uses[operand[k]]++;
    }
}

/* Writes the variables of a function: nodes below `end`. */
static void write_variables(struct writer *w, int end)
{
    mw_text_add(&w->text, "\n{\n");
    for (int i = 0; i < end; i++) {
        const struct mw_node *n = &w->c->nodes[i];
        if (w->uses[i] == 0 || !is_stored(w, i))
            continue;
        mw_text_add(&w->text, "    const %s t%d = ",
                    n->truth   ? (n->cells ? "lanesv" : "int")
                    : n->cells ? "realv"
                               : "real",
                    i);
        write_operation(w, i);
        mw_text_add(&w->text, ";\n");
    }
}

/* `masked`: 0 outside the domain. */
static void write_body(struct writer *w, int root, bool masked)
{
    write_variables(w, root);
    mw_text_add(&w->text, "    return %s", masked ? "IN_DOMAIN(" : "");
    if (is_vector(w, root)) {
        write_operation(w, root);
    } else {
        w->uses[root] = 1;
        write_node(w, root, true);
    }
    mw_text_add(&w->text, "%s;\n}\n", masked ? ")" : "");
}

/* ---- what a function uses ---- */

static int add_use(struct mw_compiler *c, int by, int quantity, int what)
{
    struct mw_model *m = c->model;
    const bool stage = quantity >= MW_FIRST_STAGE;
    if (m->use_count == MW_USES_MAX)
        return mw_compile_wrong(c, (int)c->token_count - 1, "too many operators at '%.*s' (at most 1024)");
    m->uses[m->use_count++] =
        (struct mw_model_use){ (short)by, (short)(stage ? quantity - MW_FIRST_STAGE : MW_OF_FIELD), (short)what };
    if (stage)
        c->p->stage_used[quantity - MW_FIRST_STAGE] = true;
    return 0;
}

static int note_node(struct writer *w, int i, int by)
{
    struct mw_model *m = w->c->model;
    const struct mw_node *n = &w->c->nodes[i];
    const bool arithmetic = n->kind >= MW_NODE_ADD && n->kind <= MW_NODE_DIVIDE;
    if (is_timed(w, i)) {
        const size_t k = timed_number(m, i);
        if (k == MW_MODEL_NAMES_MAX)
            return mw_compile_wrong(w->c, n->token, "too many expressions of the time, before '%.*s' (at most 64)");
        m->timed[k] = i;
        m->timed_count += k == m->timed_count;
        return 0;
    }
    m->has_places = m->has_places || (n->kind == MW_NODE_PLACE && n->a != MW_PLACE_TIME);
    if (n->kind == MW_NODE_OPERATOR) {
        TRY_RETURN(add_use(w->c, by, n->b, n->a));
        if (n->c >= 0)
            TRY_RETURN(add_use(w->c, by, n->c, n->a));
        if (m->domain && mw_operators[n->a].radius[0] > 0) /* the mask is read with its neighbours */
            TRY_RETURN(add_use(w->c, by, m->domain, n->a));
    }
    m->has_math = m->has_math || n->kind == MW_NODE_FUNCTION || n->kind == MW_NODE_DIVIDE ||
                  (n->kind >= MW_NODE_SELECT && n->cells);
    if (by != MW_BY_ENERGY)
        m->operations += n->kind == MW_NODE_FUNCTION ? mw_model_functions[n->a].operations
                         : n->kind >= MW_NODE_SELECT ? 1u
                                                     : arithmetic;
    return 0;
}

static int note_nodes(struct writer *w, int last, int by)
{
    for (int i = 0; i <= last; i++)
        if (w->uses[i] > 0)
            TRY_RETURN(note_node(w, i, by));
    return 0;
}

/* Writes the function of a field or stage; quantity -1: of the energy. */
static int write_function(struct writer *w, const char *head, int quantity, int root, int by)
{
    const bool masked = w->c->model->domain && by < 0;
    count_uses(w, root, -1);
    TRY_RETURN(note_nodes(w, root, by));
    if (masked)
        TRY_RETURN(add_use(w->c, by, w->c->model->domain, MW_OP_AT));
    mw_text_add(&w->text, "%s(", head);
    if (quantity >= 0)
        write_quantity(w, quantity);
    mw_text_add(&w->text, ")");
    write_body(w, root, masked);
    return 0;
}

static int write_density(struct writer *w, unsigned i)
{
    const int root = w->c->density_root[i];
    count_uses(w, root, -1);
    TRY_RETURN(note_nodes(w, root, MW_BY_ENERGY));
    mw_text_add(&w->text, "DENSITY(%u)", i);
    write_body(w, root, w->c->model->domain > 0);
    return 0;
}

/* Writes the values of a field beyond a side. */
static int write_edge(struct writer *w, int field, int side)
{
    const bool hole = side == MW_SIDE_HOLE;
    const struct mw_edge *e = &w->c->edges[field][side];
    const char *name = w->c->model->fields[field].name;
    const int last = e->root > e->factor ? e->root : e->factor;
    if (hole)
        mw_text_add(&w->text, "BEYOND_HOLE(" MW_KERNEL_FIELD ")", name);
    else
        mw_text_add(&w->text, "BEYOND_SIDE(" MW_KERNEL_FIELD ", %d, %d)", name, side / 2, side % 2);
    if (e->kind == MW_EDGE_NONE && hole) {
        mw_text_add(&w->text, " { return INNER; }\n");
        return 0;
    }
    if (e->kind == MW_EDGE_NONE) {
        mw_text_add(&w->text, " { return SIDE_USUAL(%d, " MW_KERNEL_FIELD "); }\n", side / 2, name);
        return 0;
    }
    w->face = hole ? -1 : side;
    count_uses(w, e->root, e->factor);
    TRY_RETURN(note_nodes(w, last, MW_BY_ENERGY));
    write_variables(w, last + 1);
    mw_text_add(&w->text, "    return %s(",
                e->kind == MW_EDGE_VALUE     ? "SIDE_VALUE"
                : e->kind == MW_EDGE_OUTSIDE ? "SIDE_OUTSIDE"
                : e->factor >= 0             ? "SIDE_MIXED"
                                             : "SIDE_SLOPE");
    write_node(w, e->root, true);
    if (e->factor >= 0) {
        w->c->model->has_math = true; /* a division */
        mw_text_add(&w->text, ", ");
        write_node(w, e->factor, true);
    }
    mw_text_add(&w->text, ");\n}\n");
    w->face = -1;
    return 0;
}

static int write_edges(struct writer *w)
{
    const struct mw_model *m = w->c->model;
    for (size_t i = 0; i < mw_model_quantities(m) && m->domain; i++)
        TRY_RETURN(write_edge(w, (int)i, MW_SIDE_HOLE));
    for (int side = 0; side < MW_SIDE_HOLE && m->info.bounded; side++) {
        mw_text_add(&w->text, "#if EDGED_%d\n", side / 2);
        for (size_t i = 0; i < mw_model_quantities(m); i++)
            TRY_RETURN(write_edge(w, (int)i, side));
        mw_text_add(&w->text, "#endif\n");
    }
    return 0;
}

int mw_compile_emit(struct mw_compiler *c)
{
    struct mw_model *m = c->model;
    struct writer w = { .c = c, .face = -1 };
    int rc;
    TRY(mw_new(c->node_count + 1, sizeof *w.uses, &w.uses));
    for (size_t s = 0; s < m->stage_count; s++)
        TRY(write_function(&w, "STAGE", MW_FIRST_STAGE + (int)s, c->stage_root[s], (int)s));
    for (size_t i = 0; i < m->info.field_count; i++)
        if (c->rate_root[i] >= 0)
            TRY(write_function(&w, "RATE", (int)i, c->rate_root[i], MW_BY_RATES));
    for (size_t i = 0; i < m->info.map_count; i++)
        mw_text_add(&w.text, "RATE(" MW_KERNEL_FIELD ")\n{\n    return splat(R(0.0));\n}\n", m->maps[i].name);
    if (c->energy_root >= 0)
        TRY(write_function(&w, "ENERGY", -1, c->energy_root, MW_BY_ENERGY));
    TRY(write_edges(&w));
    for (unsigned i = 0; i < m->density_count; i++)
        TRY(write_density(&w, i));
    TRY(mw_compile_check_uses(c));
    mw_text_add(&w.text, "/* %s */\n", m->info.name ? m->info.name : "");
    TRY(mw_text_ok(&w.text));
    free(m->text);
    m->text = w.text.data;
    w.text.data = NULL;
out:
    mw_text_free(&w.text);
    free(w.uses);
    return rc;
}
/* SPDX-License-Identifier: MIT */

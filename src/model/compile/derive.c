/* The functional derivative of the energy, by reverse differentiation of its graph.
 *
 * The energy E is the sum of its density over all cells.  If the density has the derivative g by an operator L of a
 * field, the field's value in a cell changes E through all cells that L reads it from.  The sum of these is the adjoint
 * of L, applied to g.  On a periodic mesh the adjoints are
 *
 *   AT  AT      LAP  LAP      BIHARM  LAP LAP      AVG  AVG      GRAD_d  -GRAD_d      D_dd  D_dd      D_de  D_de
 *
 * With mirrors, those of GRAD_d and D_de are exact only where g is the same beyond the mirror but for its sign, as in
 * GRAD2 and dot.  By the chain rule GRAD2(f) gives -sum_d GRAD_d(2 g GRAD_d(f)), and dot(grad(f), grad(h)) the same
 * with each of the two.  The derivative is thus that of the discrete sum, exactly but for rounding. */
#include <stdio.h>

#include "model/compile/compile.h"

struct reverse {
    struct mw_compiler *c;
    int token;
    bool *depends;                    /* per node: on the field */
    int *adjoint;                     /* per node; -1: 0 */
    int of_stage[MW_MODEL_NAMES_MAX]; /* the derivative by a stage's value; -1: 0 */
    int field, result;                /* -1: 0 */
};

static void add_adjoint(struct reverse *r, int *sum, int node) { *sum = mw_node_sum(r->c, *sum, node); }

/* Returns g times or over a value.  If g is 0 unless a condition holds, so is the result, also where the value is not
 * finite, as in the branch that an energy does not take. */
static int chain(struct reverse *r, enum mw_node_kind kind, int g, int value)
{
    const struct mw_node n = r->c->nodes[g];
    for (int i = 0; i < 2 && n.kind == MW_NODE_SELECT; i++) {
        const int other = i ? n.b : n.c, taken = i ? n.c : n.b;
        const struct mw_node *zero = &r->c->nodes[other];
        if (zero->kind == MW_NODE_CONSTANT && zero->value == 0) {
            const int made = chain(r, kind, taken, value);
            return mw_node_new(r->c, MW_NODE_SELECT, n.a, i ? other : made, i ? made : other);
        }
    }
    return kind == MW_NODE_DIVIDE ? mw_node_new(r->c, kind, g, value, -1) : mw_node_product(r->c, g, value);
}

/* ---- adjoints of operators ---- */

/* Returns whether a quantity is the field, or a stage that depends on it. */
static bool quantity_depends(const struct reverse *r, int quantity)
{
    return quantity == r->field ||
           (quantity >= MW_FIRST_STAGE && r->depends[r->c->stage_root[quantity - MW_FIRST_STAGE]]);
}

/* Finds the nodes that depend on the field.  A stage's expression is older than the nodes that read the stage. */
static void find_dependent(struct reverse *r)
{
    int operand[3];
    for (size_t i = 0; i < r->c->node_count; i++) {
        const struct mw_node *n = &r->c->nodes[i];
        mw_node_operands(n, operand);
        r->depends[i] =
            n->kind == MW_NODE_OPERATOR && (quantity_depends(r, n->b) || (n->c >= 0 && quantity_depends(r, n->c)));
        for (int k = 0; k < 3; k++)
            r->depends[i] = r->depends[i] || (operand[k] >= 0 && r->depends[operand[k]]);
    }
}

/* Adds the derivative by the value of a quantity. */
static void add_to_quantity(struct reverse *r, int quantity, int node)
{
    if (quantity >= MW_FIRST_STAGE)
        add_adjoint(r, &r->of_stage[quantity - MW_FIRST_STAGE], node);
    else if (quantity == r->field)
        add_adjoint(r, &r->result, node);
}

/* -sum_d GRAD_d(g GRAD_d(h)), where h is a quantity. */
static int add_gradients(struct reverse *r, int quantity, int g, int h)
{
    if (!quantity_depends(r, quantity))
        return 0;
    for (int d = MW_OP_GRAD_X; d <= MW_OP_GRAD_Z; d++) {
        int node;
        const int flux = mw_node_product(r->c, g, mw_node_operator(r->c, (enum mw_operator_number)d, h, -1));
        TRY_RETURN(mw_operator_apply(r->c, r->token, (enum mw_operator_number)d, flux, -1, &node));
        add_to_quantity(r, quantity, mw_node_negate(r->c, node));
    }
    return 0;
}

static int add_operator(struct reverse *r, const struct mw_node *n, int g)
{
    struct mw_compiler *c = r->c;
    const enum mw_operator_number what = (enum mw_operator_number)n->a;
    const int two = mw_node_constant(c, 2, NULL, 0);
    int node = g;
    switch (what) {
    case MW_OP_AT: break;
    case MW_OP_LAP:
    case MW_OP_AVG:
    case MW_OP_DIFFERENCES:
    case MW_OP_D_XX:
    case MW_OP_D_YY:
    case MW_OP_D_ZZ:
    case MW_OP_D_XY:
    case MW_OP_D_XZ:
    case MW_OP_D_YZ: TRY_RETURN(mw_operator_apply(c, r->token, what, g, -1, &node)); break;
    case MW_OP_BIHARM:
        TRY_RETURN(mw_operator_apply(c, r->token, MW_OP_LAP, g, -1, &node));
        TRY_RETURN(mw_operator_apply(c, r->token, MW_OP_LAP, node, -1, &node));
        break;
    case MW_OP_GRAD_X:
    case MW_OP_GRAD_Y:
    case MW_OP_GRAD_Z:
        TRY_RETURN(mw_operator_apply(c, r->token, what, g, -1, &node));
        node = mw_node_negate(c, node);
        break;
    case MW_OP_GRAD2: return add_gradients(r, n->b, mw_node_product(r->c, two, g), n->b);
    case MW_OP_DOT_GRAD: TRY_RETURN(add_gradients(r, n->b, g, n->c)); return add_gradients(r, n->c, g, n->b);
    default: return mw_compile_wrong(c, r->token, "'%.*s': the energy has an operator without a known derivative");
    }
    add_to_quantity(r, n->b, node);
    return 0;
}

/* ---- derivatives of operations ---- */

static int function_derivative(struct reverse *r, const struct mw_node *n, int y, int *derivative)
{
    struct mw_compiler *c = r->c;
    const char *name = mw_model_functions[n->a].name;
    const int one = mw_node_constant(c, 1, NULL, 0), two = mw_node_constant(c, 2, NULL, 0), x = n->b;
#define IS(word) (strcmp(name, word) == 0)
#define CALL(word) mw_node_new(c, MW_NODE_FUNCTION, mw_model_function_find(word, strlen(word), 1), x, -1)
    if (IS("exp"))
        *derivative = y;
    else if (IS("log"))
        *derivative = mw_node_new(c, MW_NODE_DIVIDE, one, x, -1);
    else if (IS("sin"))
        *derivative = CALL("cos");
    else if (IS("cos"))
        *derivative = mw_node_negate(c, CALL("sin"));
    else if (IS("tanh"))
        *derivative = mw_node_new(c, MW_NODE_SUBTRACT, one, mw_node_product(r->c, y, y), -1);
    else if (IS("sinh"))
        *derivative = CALL("cosh");
    else if (IS("cosh"))
        *derivative = CALL("sinh");
    else if (IS("tan"))
        *derivative = mw_node_new(c, MW_NODE_ADD, one, mw_node_product(r->c, y, y), -1);
    else if (IS("atan"))
        *derivative =
            mw_node_new(c, MW_NODE_DIVIDE, one, mw_node_new(c, MW_NODE_ADD, one, mw_node_product(r->c, x, x), -1), -1);
    else if (IS("sqrt"))
        *derivative = mw_node_new(c, MW_NODE_DIVIDE, one, mw_node_product(r->c, two, y), -1);
    else if (IS("abs"))
        *derivative = CALL("sign");
    else {
        char wrong[64];
        snprintf(wrong, sizeof wrong, "'%%.*s': the derivative of %s in the energy is unknown", name);
        return mw_compile_wrong(c, r->token, wrong);
    }
#undef IS
#undef CALL
    return 0;
}

/* x^y by x, where y does not depend on the field. */
static int power_derivative(struct reverse *r, const struct mw_node *n, int *derivative)
{
    struct mw_compiler *c = r->c;
    if (r->depends[n->c])
        return mw_compile_wrong(c, r->token, "'%.*s': the energy has a power whose exponent depends on the field");
    const int less = mw_node_new(c, MW_NODE_SUBTRACT, n->c, mw_node_constant(c, 1, NULL, 0), -1);
    *derivative = mw_node_product(r->c, n->c, mw_node_new(c, MW_NODE_FUNCTION, n->a, n->b, less));
    return 0;
}

/* Adds the derivative g of min(a, b) or max(a, b) to the operand that is the result. */
static void add_extreme(struct reverse *r, const struct mw_node *n, int g)
{
    struct mw_compiler *c = r->c;
    const bool least = strcmp(mw_model_functions[n->a].name, "min") == 0;
    const int zero = mw_node_constant(c, 0, NULL, 0);
    const int first = mw_node_new(c, MW_NODE_LESS, least ? n->b : n->c, least ? n->c : n->b, -1);
    if (r->depends[n->b])
        add_adjoint(r, &r->adjoint[n->b], mw_node_new(c, MW_NODE_SELECT, first, g, zero));
    if (r->depends[n->c])
        add_adjoint(r, &r->adjoint[n->c], mw_node_new(c, MW_NODE_SELECT, first, zero, g));
}

/* Adds what a node's derivative g gives to its operands. */
static int reverse_node(struct reverse *r, int at, int g)
{
    struct mw_compiler *c = r->c;
    const struct mw_node n = c->nodes[at];
    int derivative = -1;
    switch (n.kind) {
    case MW_NODE_OPERATOR: return add_operator(r, &n, g);
    case MW_NODE_SUBTRACT:
    case MW_NODE_ADD:
        add_adjoint(r, &r->adjoint[n.a], g);
        add_adjoint(r, &r->adjoint[n.b], n.kind == MW_NODE_ADD ? g : mw_node_negate(c, g));
        return 0;
    case MW_NODE_MULTIPLY:
        if (r->depends[n.a])
            add_adjoint(r, &r->adjoint[n.a], chain(r, n.kind, g, n.b));
        if (r->depends[n.b])
            add_adjoint(r, &r->adjoint[n.b], chain(r, n.kind, g, n.a));
        return 0;
    case MW_NODE_DIVIDE:
        derivative = chain(r, n.kind, g, n.b);
        add_adjoint(r, &r->adjoint[n.a], derivative);
        if (r->depends[n.b])
            add_adjoint(r, &r->adjoint[n.b], mw_node_negate(c, chain(r, MW_NODE_MULTIPLY, derivative, at)));
        return 0;
    case MW_NODE_NEGATE: add_adjoint(r, &r->adjoint[n.a], mw_node_negate(c, g)); return 0;
    case MW_NODE_SELECT:
        derivative = mw_node_constant(c, 0, NULL, 0);
        add_adjoint(r, &r->adjoint[n.b], mw_node_new(c, MW_NODE_SELECT, n.a, g, derivative));
        add_adjoint(r, &r->adjoint[n.c], mw_node_new(c, MW_NODE_SELECT, n.a, derivative, g));
        return 0;
    case MW_NODE_FUNCTION:
        if (mw_word_in("min max", mw_model_functions[n.a].name)) {
            add_extreme(r, &n, g);
            return 0;
        }
        if (strcmp(mw_model_functions[n.a].name, "pow") == 0)
            TRY_RETURN(power_derivative(r, &n, &derivative));
        else
            TRY_RETURN(function_derivative(r, &n, at, &derivative));
        add_adjoint(r, &r->adjoint[n.b], chain(r, MW_NODE_MULTIPLY, g, derivative));
        return 0;
    default: return 0; /* numbers, and truths, whose derivative is 0 where it exists */
    }
}

/* Goes back through one expression, whose value has the derivative g. */
static int reverse_expression(struct reverse *r, int root, int g)
{
    for (int i = 0; i < root; i++)
        r->adjoint[i] = -1;
    r->adjoint[root] = g;
    for (int i = root; i >= 0; i--)
        if (r->adjoint[i] >= 0 && r->depends[i])
            TRY_RETURN(reverse_node(r, i, r->adjoint[i]));
    return 0;
}

int mw_compile_variation(struct mw_compiler *c, int token, int root, int field, int *node)
{
    struct reverse r = { .c = c, .token = token, .field = field, .result = -1 };
    const size_t stages = c->model->stage_count; /* the derivative may add stages that the energy does not read */
    int rc;
    TRY(mw_new(MW_NODES_MAX, sizeof *r.adjoint, &r.adjoint));
    TRY(mw_new(MW_NODES_MAX, sizeof *r.depends, &r.depends));
    find_dependent(&r);
    for (size_t s = 0; s < MW_MODEL_NAMES_MAX; s++)
        r.of_stage[s] = -1;
    TRY(reverse_expression(&r, root, mw_node_constant(c, 1, NULL, 0)));
    for (size_t s = stages; s-- > 0;)
        if (r.of_stage[s] >= 0)
            TRY(reverse_expression(&r, c->stage_root[s], r.of_stage[s]));
    *node = r.result >= 0 ? r.result : mw_node_constant(c, 0, NULL, 0);
    rc = mw_compile_full(c) ? mw_compile_wrong(c, token, "the derivative of the energy is too large at '%.*s'") : 0;
out:
    free(r.adjoint);
    free(r.depends);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Functions that are made of operations and operators: selections, complex numbers, and sums of gradients. */
#include "model/compile/compile.h"

static int make_select(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    int condition;
    TRY_RETURN(mw_value_to_truth(c, token, a[0], &condition));
    return mw_value_select(c, token, condition, a[1], a[2], value);
}

static int make_step(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    int x;
    TRY_RETURN(mw_value_to_real(c, token, a[0], &x));
    const int holds = mw_node_new(c, MW_NODE_LESS_EQUAL, mw_node_constant(c, 0, NULL, 0), x, -1);
    *value = mw_value_real(mw_node_new(c, MW_NODE_NUMBER, holds, -1, -1));
    return 0;
}

static int make_same(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    *value = mw_value_real(-1);
    return mw_value_to_real(c, token, a[0], &value->re);
}

/* Replaces an expression by its mean over all cells, which the host computes before each update. */
static int constructs_mean(struct mw_compiler *c, int token, int *node)
{
    unsigned k = 0;
    if (!c->nodes[*node].varies)
        return 0;
    if (c->in_energy)
        return mw_compile_wrong(c, token, "'%.*s' cannot be part of an energy");
    while (k < c->model->density_count && c->density_root[k] != *node)
        k++;
    if (k == MW_DENSITIES_MAX)
        return mw_compile_wrong(c, token, "too many means and integrals at '%.*s' (at most 16)");
    c->density_root[k] = *node;
    c->model->density_count += k == c->model->density_count;
    *node = mw_node_new(c, MW_NODE_MEAN, (int)k, -1, -1);
    return 0;
}

static int make_mean(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    *value = a[0];
    if (a[0].kind != MW_VALUE_COMPLEX) {
        *value = mw_value_real(-1);
        TRY_RETURN(mw_value_to_real(c, token, a[0], &value->re));
    }
    if (value->re >= 0)
        TRY_RETURN(constructs_mean(c, token, &value->re));
    return value->im >= 0 ? constructs_mean(c, token, &value->im) : 0;
}

static int make_integral(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    TRY_RETURN(make_mean(c, token, a, value));
    const int volume = mw_node_new(c, MW_NODE_PLACE, MW_PLACE_VOLUME, -1, -1);
    value->re = value->re < 0 ? -1 : mw_node_product(c, volume, value->re);
    value->im = value->im < 0 ? -1 : mw_node_product(c, volume, value->im);
    return 0;
}

static int make_square(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    return mw_value_power(c, token, a[0], mw_value_of_number(c, 2), value);
}

static int part_of(struct mw_compiler *c, int token, const struct mw_model_value *a, bool imaginary,
                   struct mw_model_value *value)
{
    int node = imaginary ? a->im : a->re; /* -1: 0 */
    if (a->kind != MW_VALUE_COMPLEX) {
        TRY_RETURN(mw_value_to_real(c, token, *a, &node));
        node = imaginary ? -1 : node;
    }
    *value = mw_value_real(node < 0 ? mw_node_constant(c, 0, NULL, 0) : node);
    return 0;
}

static int make_re(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    return part_of(c, token, a, false, value);
}

static int make_im(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    return part_of(c, token, a, true, value);
}

static int make_conj(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    *value = a[0];
    if (a[0].kind != MW_VALUE_COMPLEX)
        return make_same(c, token, a, value);
    value->im = mw_node_negate(c, a[0].im);
    return 0;
}

static int make_abs2(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    struct mw_model_value re, im;
    TRY_RETURN(make_re(c, token, a, &re));
    TRY_RETURN(make_square(c, token, &re, value));
    if (a[0].kind != MW_VALUE_COMPLEX || a[0].im < 0)
        return 0;
    TRY_RETURN(make_im(c, token, a, &im));
    TRY_RETURN(make_square(c, token, &im, &im));
    *value = mw_value_real(mw_node_new(c, MW_NODE_ADD, value->re, im.re, -1));
    return 0;
}

static int call(struct mw_compiler *c, const char *function, int a, int b, struct mw_model_value *value)
{
    const int found = mw_model_function_find(function, strlen(function), b < 0 ? 1 : 2);
    *value = mw_value_real(mw_node_new(c, MW_NODE_FUNCTION, found, a, b));
    return 0;
}

static int make_abs(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    int node;
    if (a[0].kind == MW_VALUE_COMPLEX) {
        TRY_RETURN(make_abs2(c, token, a, value));
        return call(c, "sqrt", value->re, -1, value);
    }
    TRY_RETURN(mw_value_to_real(c, token, a[0], &node));
    return call(c, "abs", node, -1, value);
}

/* The angle of a complex number, between -pi and pi. */
static int make_phase(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    struct mw_model_value re, im;
    TRY_RETURN(make_re(c, token, a, &re));
    TRY_RETURN(make_im(c, token, a, &im));
    return call(c, "atan2", im.re, re.re, value);
}

static int make_grad(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    int node;
    TRY_RETURN(mw_value_to_real(c, token, a[0], &node));
    *value = (struct mw_model_value){ .kind = MW_VALUE_VECTOR, .re = -1, .im = -1, .terms = 1 };
    value->term[0].factor = -1;
    value->term[0].of = node;
    return 0;
}

static int make_div(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    int sum = -1, node;
    if (a[0].kind != MW_VALUE_VECTOR)
        return mw_compile_wrong(c, token, "'%.*s' takes a vector: grad(f), m * grad(f), or a sum of these");
    for (unsigned i = 0; i < a[0].terms; i++) {
        const int factor = a[0].term[i].factor, of = a[0].term[i].of;
        TRY_RETURN(factor < 0 ? mw_operator_apply(c, token, MW_OP_LAP, of, -1, &node)
                              : mw_operator_apply(c, token, MW_OP_DIV_GRAD, factor, of, &node));
        sum = mw_node_sum(c, sum, node);
    }
    *value = mw_value_real(sum);
    return 0;
}

static int make_dot(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    int sum = -1, node;
    if (a[0].kind != MW_VALUE_VECTOR || a[1].kind != MW_VALUE_VECTOR)
        return mw_compile_wrong(c, token, "'%.*s' takes two vectors: grad(f), m * grad(f), or sums of these");
    for (unsigned i = 0; i < a[0].terms; i++)
        for (unsigned k = 0; k < a[1].terms; k++) {
            TRY_RETURN(mw_operator_apply(c, token, MW_OP_DOT_GRAD, a[0].term[i].of, a[1].term[k].of, &node));
            node = mw_node_product(c, a[0].term[i].factor, mw_node_product(c, a[1].term[k].factor, node));
            sum = mw_node_sum(c, sum, node);
        }
    *value = mw_value_real(sum);
    return 0;
}

/* curl(u, v) = d_x v - d_y u */
static int make_curl(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    int u, v;
    TRY_RETURN(mw_value_to_real(c, token, a[0], &u));
    TRY_RETURN(mw_value_to_real(c, token, a[1], &v));
    TRY_RETURN(mw_operator_apply(c, token, MW_OP_GRAD_X, v, -1, &v));
    TRY_RETURN(mw_operator_apply(c, token, MW_OP_GRAD_Y, u, -1, &u));
    *value = mw_value_real(mw_node_new(c, MW_NODE_SUBTRACT, v, u, -1));
    return 0;
}

/* The difference towards the side from which a velocity comes, times the velocity. */
static int upwind(struct mw_compiler *c, int token, unsigned d, const struct mw_model_value *a,
                  struct mw_model_value *value)
{
    int v, f, low, high;
    TRY_RETURN(mw_value_to_real(c, token, a[0], &v));
    TRY_RETURN(mw_value_to_real(c, token, a[1], &f));
    TRY_RETURN(mw_operator_apply(c, token, (enum mw_operator_number)(MW_OP_LOW_X + d), f, -1, &low));
    TRY_RETURN(mw_operator_apply(c, token, (enum mw_operator_number)(MW_OP_HIGH_X + d), f, -1, &high));
    const int forward = mw_node_new(c, MW_NODE_LESS, mw_node_constant(c, 0, NULL, 0), v, -1);
    const int difference = mw_node_new(c, MW_NODE_SELECT, forward, low, high);
    *value = mw_value_real(mw_node_new(c, MW_NODE_MULTIPLY, v, difference, -1));
    return 0;
}

static int make_upwind_x(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    return upwind(c, token, 0, a, value);
}

static int make_upwind_y(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    return upwind(c, token, 1, a, value);
}

static int make_upwind_z(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value)
{
    return upwind(c, token, 2, a, value);
}

int mw_compile_noise_fluxes(struct mw_compiler *c, int token, int p, int q, int s, struct mw_model_value *value)
{
    const int root = mw_model_function_find("sqrt", 4, 1);
    int factor = mw_node_constant(c, 0.70710678118654752, NULL, 0), of_p, of_q;
    if (s >= 0 && c->nodes[s].cells) {
        s = mw_node_new(c, MW_NODE_FUNCTION, root, s, -1);
        p = mw_node_new(c, MW_NODE_MULTIPLY, s, p, -1);
        q = mw_node_new(c, MW_NODE_MULTIPLY, s, q, -1);
    } else if (s >= 0) {
        factor = mw_node_new(c, MW_NODE_MULTIPLY, factor, s, -1);
    }
    TRY_RETURN(mw_operator_apply(c, token, MW_OP_DIFFERENCES, p, -1, &of_p));
    TRY_RETURN(mw_operator_apply(c, token, MW_OP_DIFFERENCES, q, -1, &of_q));
    const int one = mw_node_new(c, MW_NODE_MULTIPLY, p, of_q, -1), two = mw_node_new(c, MW_NODE_MULTIPLY, q, of_p, -1);
    const int sum = mw_node_new(c, MW_NODE_SUBTRACT, one, two, -1);
    *value = mw_value_real(mw_node_new(c, MW_NODE_MULTIPLY, factor, sum, -1));
    return 0;
}

const struct mw_construct mw_constructs[] = {
    { "select", 3, make_select },
    { "step", 1, make_step },
    { "squared", 1, make_square },
    { "splat", 1, make_same },
    { "R", 1, make_same },
    { "mean", 1, make_mean },
    { "integral", 1, make_integral },
    { "re", 1, make_re },
    { "im", 1, make_im },
    { "conj", 1, make_conj },
    { "abs2", 1, make_abs2 },
    { "abs", 1, make_abs },
    { "phase", 1, make_phase },
    { "grad", 1, make_grad },
    { "div", 1, make_div },
    { "dot", 2, make_dot },
    { "curl", 2, make_curl },
    { "upwind_x", 2, make_upwind_x },
    { "upwind_y", 2, make_upwind_y },
    { "upwind_z", 2, make_upwind_z },
    { NULL, 0, NULL },
};
/* SPDX-License-Identifier: MIT */

/* Functions and operators of the language.  An operator reads neighbours of a field or a stage; its argument becomes a
 * stage if it is another expression. */
#include <stdio.h>

#include "model/compile/compile.h"

const struct mw_model_function mw_model_functions[] = {
    { "exp", "math_exp", 1, 20 },     { "log", "math_log", 1, 25 },    { "sin", "math_sin", 1, 25 },
    { "cos", "math_cos", 1, 25 },     { "tan", "math_tan", 1, 35 },    { "atan", "math_atan", 1, 25 },
    { "atan2", "math_atan2", 2, 30 }, { "tanh", "math_tanh", 1, 30 },  { "sinh", "math_sinh", 1, 30 },
    { "cosh", "math_cosh", 1, 30 },   { "sqrt", "math_sqrt", 1, 10 },  { "pow", "math_pow", 2, 60 },
    { "abs", "math_abs", 1, 1 },      { "min", "math_min", 2, 2 },     { "max", "math_max", 2, 2 },
    { "sign", "math_sign", 1, 2 },    { "floor", "math_floor", 1, 2 }, { NULL, NULL, 0, 0 },
};

int mw_model_function_find(const char *name, size_t n, unsigned arguments)
{
    for (int i = 0; mw_model_functions[i].name; i++)
        if (mw_word_is(name, n, mw_model_functions[i].name) && mw_model_functions[i].arguments == arguments)
            return i;
    return -1;
}

/* ---- operators ---- */

/* Returns the stage with this expression, which is made if there is none; -1 and an error if there are too many. */
static int stage_for(struct mw_compiler *c, int token, int root)
{
    struct mw_model *m = c->model;
    char name[32];
    for (size_t s = 0; s < m->stage_count; s++)
        if (c->stage_root[s] == root)
            return (int)s;
    if (m->stage_count == MW_MODEL_NAMES_MAX) {
        mw_compile_wrong(c, token, "too many operators of expressions at '%.*s' (at most 64)");
        return -1;
    }
    const int s = (int)m->stage_count++;
    snprintf(name, sizeof name, "%d", s);
    m->stages[s] = (struct mw_model_stage){ mw_model_keep(c->p, name, strlen(name)), c->tokens[token].line };
    c->stage_root[s] = root;
    return s;
}

/* Finds the quantity with the values of an expression: a field, or a stage. */
static int quantity_of(struct mw_compiler *c, int token, int node, int *quantity)
{
    const struct mw_node *n = &c->nodes[node];
    if (n->kind == MW_NODE_OPERATOR && n->a == MW_OP_AT) {
        *quantity = n->b;
        return 0;
    }
    const int stage = stage_for(c, token, node);
    *quantity = MW_FIRST_STAGE + stage;
    return stage < 0 ? MW_EBUILD : 0;
}

/* Applies DIV_GRAD or DOT_GRAD; numbers have no gradient, and a number is a factor of a divergence. */
static int apply_second(struct mw_compiler *c, int token, enum mw_operator_number what, int first, int second,
                        int *node)
{
    int factor[2], rest[2], quantity[2], made;
    mw_node_factor(c, first, &factor[0], &rest[0]);
    mw_node_factor(c, second, &factor[1], &rest[1]);
    if (!c->nodes[second].cells || (what == MW_OP_DOT_GRAD && !c->nodes[first].cells)) {
        *node = mw_node_constant(c, 0, NULL, 0);
        return 0;
    }
    if (!c->nodes[first].cells) {
        TRY_RETURN(mw_operator_apply(c, token, MW_OP_LAP, second, -1, node));
        *node = mw_node_product(c, first, *node);
        return 0;
    }
    TRY_RETURN(quantity_of(c, token, rest[0], &quantity[0]));
    TRY_RETURN(quantity_of(c, token, rest[1], &quantity[1]));
    if (what == MW_OP_DOT_GRAD && quantity[0] == quantity[1])
        made = mw_node_operator(c, MW_OP_GRAD2, quantity[0], -1);
    else
        made = mw_node_operator(c, what, quantity[0], quantity[1]);
    *node = mw_node_product(c, factor[0], mw_node_product(c, factor[1], made));
    return 0;
}

int mw_operator_apply(struct mw_compiler *c, int token, enum mw_operator_number what, int first, int second, int *node)
{
    int factor = -1, rest = first, quantity;
    if (second >= 0)
        return apply_second(c, token, what, first, second, node);
    if (!c->nodes[first].cells || what == MW_OP_AT) {
        *node = what == MW_OP_AT || what == MW_OP_AVG ? first : mw_node_constant(c, 0, NULL, 0);
        return 0;
    }
    if (what != MW_OP_GRAD2)
        mw_node_factor(c, first, &factor, &rest);
    TRY_RETURN(quantity_of(c, token, rest, &quantity));
    *node = mw_node_product(c, factor, mw_node_operator(c, what, quantity, -1));
    return 0;
}

int mw_operator_find(const char *name, size_t n)
{
    for (int i = 0; i < MW_OP_COUNT; i++) {
        const char *known = mw_operators[i].name;
        bool upper = strlen(known) == n, lower = upper;
        for (size_t k = 0; k < n && (upper || lower); k++) {
            upper = upper && name[k] == known[k];
            lower = lower && name[k] == (mw_is_upper(known[k]) ? (char)(known[k] - 'A' + 'a') : known[k]);
        }
        if (upper || lower)
            return i;
    }
    if (n == 3 && memcmp(name, "d_", 2) == 0 && name[2] >= 'x' && name[2] <= 'z')
        return MW_OP_GRAD_X + (name[2] - 'x');
    return -1;
}

/* ---- calls ---- */

/* Compiles arguments in parentheses. */
static int read_arguments(struct mw_compiler *c, struct mw_model_value *values, unsigned *count)
{
    *count = 0;
    TRY_RETURN(mw_token_expect(c, "("));
    if (mw_token_take(c, ")"))
        return 0;
    do {
        if (*count == MW_ARGUMENTS_MAX)
            return mw_compile_wrong(c, c->at, "too many arguments at '%.*s' (at most 8)");
        TRY_RETURN(mw_compile_expression(c, &values[(*count)++]));
    } while (mw_token_take(c, ","));
    return mw_token_expect(c, ")");
}

/* Reads the name of a noise term, and makes NOISE or RANDOM of it. */
static int read_noise(struct mw_compiler *c, int token, enum mw_operator_number what, int *node)
{
    const struct mw_token *name = &c->tokens[c->at];
    const int noise = name->kind == MW_TOKEN_NAME ? mw_model_find_noise(c->model, name->at, name->n) : -1;
    if (noise < 0)
        return mw_compile_wrong(c, c->at, "no //@ noise line declares '%.*s'");
    if (c->in_energy)
        return mw_compile_wrong(c, token, "an energy cannot contain noise: '%.*s'");
    c->at++;
    c->p->noise_used[noise] = true;
    *node = mw_node_operator(c, what, MW_FIRST_NOISE + noise, -1);
    return 0;
}

/* Compiles noise(NAME) and random(NAME). */
static int call_noise(struct mw_compiler *c, int token, enum mw_operator_number what, struct mw_model_value *value)
{
    *value = mw_value_real(-1);
    TRY_RETURN(mw_token_expect(c, "("));
    TRY_RETURN(read_noise(c, token, what, &value->re));
    return mw_token_expect(c, ")");
}

/* Compiles div_noise(NAME, NAME) and div_noise(NAME, NAME, s). */
static int call_div_noise(struct mw_compiler *c, int token, struct mw_model_value *value)
{
    struct mw_model_value strength;
    int p, q, s = -1;
    TRY_RETURN(mw_token_expect(c, "("));
    TRY_RETURN(read_noise(c, token, MW_OP_NOISE, &p));
    TRY_RETURN(mw_token_expect(c, ","));
    const int second = c->at;
    TRY_RETURN(read_noise(c, token, MW_OP_RANDOM, &q));
    if (c->nodes[q].b == c->nodes[p].b)
        return mw_compile_wrong(c, second, "div_noise takes two different noise terms, not '%.*s' twice");
    if (mw_token_take(c, ",")) {
        TRY_RETURN(mw_compile_expression(c, &strength));
        TRY_RETURN(mw_value_to_real(c, token, strength, &s));
    }
    TRY_RETURN(mw_token_expect(c, ")"));
    return mw_compile_noise_fluxes(c, token, p, q, s, value);
}

/* Applies an operator to a value; complex values by their parts. */
static int call_operator(struct mw_compiler *c, int token, enum mw_operator_number what, const struct mw_model_value *a,
                         unsigned count, struct mw_model_value *value)
{
    const bool two = mw_operators[what].two;
    int node[2] = { -1, -1 };
    if (count != (two ? 2u : 1u))
        return mw_compile_wrong(c, token, two ? "'%.*s' takes two arguments" : "'%.*s' takes one argument");
    if (a[0].kind == MW_VALUE_COMPLEX && !two && what != MW_OP_GRAD2) {
        *value = a[0];
        if (a[0].re >= 0)
            TRY_RETURN(mw_operator_apply(c, token, what, a[0].re, -1, &value->re));
        if (a[0].im >= 0)
            TRY_RETURN(mw_operator_apply(c, token, what, a[0].im, -1, &value->im));
        return 0;
    }
    for (unsigned i = 0; i < count; i++)
        TRY_RETURN(mw_value_to_real(c, token, a[i], &node[i]));
    *value = mw_value_real(-1);
    return mw_operator_apply(c, token, what, node[0], node[1], &value->re);
}

static int call_reals(struct mw_compiler *c, int token, int function, const struct mw_model_value *a,
                      struct mw_model_value *value)
{
    int node[2] = { -1, -1 };
    for (unsigned i = 0; i < mw_model_functions[function].arguments; i++)
        TRY_RETURN(mw_value_to_real(c, token, a[i], &node[i]));
    *value = mw_value_real(mw_node_new(c, MW_NODE_FUNCTION, function, node[0], node[1]));
    return 0;
}

/* Compiles P(NAME) and variation(FIELD), whose arguments are names. */
static int call_named(struct mw_compiler *c, int token, struct mw_model_value *value)
{
    TRY_RETURN(mw_token_expect(c, "("));
    const struct mw_token *name = &c->tokens[c->at];
    const int place = c->at;
    int field = mw_model_find_field(c->model, name->at, name->n);
    const int pair = mw_model_find_complex(c->model, name->at, name->n);
    const int param = mw_model_find_param(c->model, name->at, name->n);
    *value = mw_value_real(-1);
    c->at += name->kind != MW_TOKEN_END;
    if (mw_token_is(c, token, "P")) {
        if (param < 0)
            return mw_compile_wrong(c, place, "no //@ param line declares '%.*s'");
        value->re = mw_node_new(c, MW_NODE_PARAM, param, -1, -1);
        return mw_token_expect(c, ")");
    }
    if (field < 0 && pair < 0)
        return mw_compile_wrong(c, place, "variation takes the name of a field, not '%.*s'");
    TRY_RETURN(mw_token_expect(c, ")"));
    TRY_RETURN(mw_definition_energy(c, token));
    if (pair < 0)
        return mw_compile_variation(c, token, c->energy_root, field, &value->re);
    /* By the conjugate of psi: half of the derivative by its real part, plus i times half of the other. */
    const int half = mw_node_constant(c, 0.5, NULL, 0);
    value->kind = MW_VALUE_COMPLEX;
    TRY_RETURN(mw_compile_variation(c, token, c->energy_root, pair, &value->re));
    TRY_RETURN(mw_compile_variation(c, token, c->energy_root, pair + 1, &value->im));
    value->re = mw_node_new(c, MW_NODE_MULTIPLY, half, value->re, -1);
    value->im = mw_node_new(c, MW_NODE_MULTIPLY, half, value->im, -1);
    return 0;
}

/* min and max take two values or more. */
static int call_least(struct mw_compiler *c, int token, const struct mw_model_value *a, unsigned count,
                      struct mw_model_value *value)
{
    const struct mw_token *t = &c->tokens[token];
    struct mw_model_value pair[2] = { a[0] };
    for (unsigned i = 1; i < count; i++) {
        pair[1] = a[i];
        TRY_RETURN(call_reals(c, token, mw_model_function_find(t->at, t->n, 2), pair, &pair[0]));
    }
    *value = pair[0];
    return 0;
}

int mw_compile_function(struct mw_compiler *c, int token, bool *known, struct mw_model_value *value)
{
    const struct mw_token t = c->tokens[token];
    const int what = mw_operator_find(t.at, t.n);
    struct mw_model_value a[MW_ARGUMENTS_MAX];
    size_t row = 0;
    unsigned count;
    char wrong[64];
    *known = true;
    const bool fluxes = mw_token_is(c, token, "div_noise");
    if (c->in_start && (what >= 0 || fluxes || mw_token_is(c, token, "variation")))
        return mw_compile_wrong(c, token, "'%.*s': a start or map cannot read fields, maps or noise");
    if (mw_token_is(c, token, "P") || mw_token_is(c, token, "variation"))
        return call_named(c, token, value);
    if (what >= 0 && mw_operators[what].of_noise)
        return call_noise(c, token, (enum mw_operator_number)what, value);
    if (fluxes)
        return call_div_noise(c, token, value);
    while (mw_constructs[row].name && !mw_word_is(t.at, t.n, mw_constructs[row].name))
        row++;
    const struct mw_construct *made = mw_constructs[row].name ? &mw_constructs[row] : NULL;
    const int one = mw_model_function_find(t.at, t.n, 1), two = mw_model_function_find(t.at, t.n, 2);
    if (what < 0 && !made && one < 0 && two < 0) {
        *known = false;
        return 0;
    }
    TRY_RETURN(read_arguments(c, a, &count));
    if (what >= 0)
        return call_operator(c, token, (enum mw_operator_number)what, a, count, value);
    if (made && count == made->arguments)
        return made->make(c, token, a, value);
    if (!made && (mw_token_is(c, token, "min") || mw_token_is(c, token, "max")) && count >= 2)
        return call_least(c, token, a, count, value);
    if (!made && count == (one >= 0 ? 1u : 2u))
        return call_reals(c, token, one >= 0 ? one : two, a, value);
    const unsigned takes = made ? made->arguments : one >= 0 ? 1 : 2;
    snprintf(wrong, sizeof wrong, "'%%.*s' takes %u argument%s, not %u", takes, MW_S(takes), count);
    return mw_compile_wrong(c, token, wrong);
}
/* SPDX-License-Identifier: MIT */

/* Expressions, by recursive descent; one function per level of precedence. */
#include <math.h>

#include "model/compile/compile.h"

static int read_ternary(struct mw_compiler *c, struct mw_model_value *value);

/* ---- names ---- */

static int value_of_field(struct mw_compiler *c, int field) { return mw_node_operator(c, MW_OP_AT, field, -1); }

static int unknown_name(const struct mw_compiler *c, int token, bool call)
{
    const struct mw_token *t = &c->tokens[token];
    if (call)
        return mw_compile_wrong(c, token, "no function has the name '%.*s'");
    if (mw_model_function_find(t->at, t->n, 1) >= 0 || mw_model_function_find(t->at, t->n, 2) >= 0)
        return mw_compile_wrong(c, token, "'%.*s' is a function: give its arguments in parentheses");
    if (mw_model_find_noise(c->model, t->at, t->n) >= 0)
        return mw_compile_wrong(c, token, "'%.*s' is a noise term: write noise(NAME) or random(NAME)");
    return mw_compile_wrong(c, token, "unknown name '%.*s': not a field, map, stage, parameter or variable");
}

/* Coordinates, lengths and the time. */
static int place_of_word(const struct mw_compiler *c, int token)
{
    static const char *const names[] = { "x", "y", "z", "length_x", "length_y", "length_z", "time" };
    for (int i = 0; i < (int)MW_COUNT(names); i++)
        if (mw_token_is(c, token, names[i]))
            return i;
    return -1;
}

/* Returns the distance from the first cell. */
static int distance_node(struct mw_compiler *c)
{
    int sum = -1;
    for (int d = MW_PLACE_X; d <= MW_PLACE_Z; d++) {
        const int x = mw_node_new(c, MW_NODE_PLACE, d, -1, -1);
        sum = mw_node_sum(c, sum, mw_node_product(c, x, x));
    }
    return mw_node_new(c, MW_NODE_FUNCTION, mw_model_function_find("sqrt", 4, 1), sum, -1);
}

/* The names of values that the language has: dims, energy, i, pi, r and places. */
static int value_of_word(struct mw_compiler *c, int token, struct mw_model_value *value)
{
    const int place = place_of_word(c, token);
    if (!c->in_start && mw_token_is(c, token, "energy")) {
        TRY_RETURN(mw_definition_energy(c, token));
        *value = mw_value_real(c->energy_root);
        return 0;
    }
    if (place >= 0)
        *value = mw_value_real(mw_node_new(c, MW_NODE_PLACE, place, -1, -1));
    else if (mw_token_is(c, token, "r"))
        *value = mw_value_real(distance_node(c));
    else if (c->in_start && mw_token_is(c, token, "noise"))
        *value = mw_value_real(mw_node_new(c, MW_NODE_PLACE, MW_PLACE_NOISE, -1, -1));
    else if (mw_token_is(c, token, "dims") || mw_token_is(c, token, "DIMS"))
        *value = mw_value_real(mw_node_new(c, MW_NODE_DIMS, -1, -1, -1));
    else if (mw_token_is(c, token, "pi"))
        *value = mw_value_of_number(c, 3.14159265358979323846);
    else if (mw_token_is(c, token, "i"))
        *value = (struct mw_model_value){ .kind = MW_VALUE_COMPLEX, .re = -1, .im = mw_node_constant(c, 1, NULL, 0) };
    else
        return unknown_name(c, token, false);
    return 0;
}

static int value_of_name(struct mw_compiler *c, int token, struct mw_model_value *value)
{
    const struct mw_token *t = &c->tokens[token];
    const struct mw_local *local = mw_local_find(c, token);
    const int field = mw_model_find_quantity(c->model, t->at, t->n),
              pair = mw_model_find_complex(c->model, t->at, t->n);
    const int param = mw_model_find_param(c->model, t->at, t->n);
    struct mw_definition *d = mw_definition_find(c, t->at, t->n);
    if (local) {
        *value = local->value;
        return value->kind == MW_VALUE_NONE ? mw_compile_wrong(c, token, "'%.*s' has no value yet") : 0;
    }
    if (c->in_start && (field >= 0 || pair >= 0))
        return mw_compile_wrong(c, token, "'%.*s': a start or map cannot read fields or maps");
    if (field >= 0) {
        *value = mw_value_real(value_of_field(c, field));
    } else if (pair >= 0) {
        *value = (struct mw_model_value){ .kind = MW_VALUE_COMPLEX,
                                          .re = value_of_field(c, pair),
                                          .im = value_of_field(c, pair + 1) };
    } else if (param >= 0) {
        *value = mw_value_real(mw_node_new(c, MW_NODE_PARAM, param, -1, -1));
    } else if (d && d->kind != MW_DEFINE_FUNCTION) {
        TRY_RETURN(mw_definition_build(c, token, d));
        *value = d->value;
    } else {
        return d ? mw_compile_wrong(c, token, "'%.*s' is a function: give its arguments in parentheses")
                 : value_of_word(c, token, value);
    }
    return 0;
}

static int read_value_name(struct mw_compiler *c, struct mw_model_value *value)
{
    const int token = c->at++;
    const struct mw_token *t = &c->tokens[token];
    const bool call = mw_token_is(c, c->at, "(");
    bool known;
    if (!call)
        return value_of_name(c, token, value);
    struct mw_definition *d = mw_definition_find(c, t->at, t->n);
    if (d && d->kind == MW_DEFINE_FUNCTION)
        return mw_compile_call(c, token, d, value);
    TRY_RETURN(mw_compile_function(c, token, &known, value));
    return known ? 0 : unknown_name(c, token, true);
}

/* ---- levels, from the strongest ---- */

static int read_primary(struct mw_compiler *c, struct mw_model_value *value)
{
    const struct mw_token *t = &c->tokens[c->at];
    if (t->kind == MW_TOKEN_NAME)
        return read_value_name(c, value);
    if (t->kind == MW_TOKEN_NUMBER) {
        const size_t n = t->n - (t->at[t->n - 1] == 'f' || t->at[t->n - 1] == 'F');
        const double number = mw_number_read(t->at, NULL);
        if (!isfinite(number))
            return mw_compile_wrong(c, c->at, "the number '%.*s' is too large");
        *value = mw_value_real(mw_node_constant(c, number, t->at, n));
        c->at++;
        return 0;
    }
    if (c->at > 0 && mw_token_is(c, c->at, "*") && mw_token_is(c, c->at - 1, "*"))
        return mw_compile_wrong(c, c->at, "a power is written a ^ b, not with two '%.*s'");
    if (!mw_token_take(c, "("))
        return mw_compile_wrong(c, c->at, "expected a value, found '%.*s'");
    TRY_RETURN(read_ternary(c, value));
    return mw_token_expect(c, ")");
}

static int read_unary(struct mw_compiler *c, struct mw_model_value *value);

/* A power binds more strongly than a sign before it, and is grouped from the right. */
static int read_power(struct mw_compiler *c, struct mw_model_value *value)
{
    struct mw_model_value exponent;
    TRY_RETURN(read_primary(c, value));
    const int token = c->at;
    if (!mw_token_take(c, "^"))
        return 0;
    TRY_RETURN(mw_compile_enter(c));
    TRY_RETURN(read_unary(c, &exponent));
    c->nesting--;
    return mw_value_power(c, token, *value, exponent, value);
}

static int read_unary(struct mw_compiler *c, struct mw_model_value *value)
{
    const int token = c->at;
    int node;
    if (!mw_token_take(c, "-") && !mw_token_take(c, "+") && !mw_token_take(c, "!"))
        return read_power(c, value);
    TRY_RETURN(mw_compile_enter(c));
    TRY_RETURN(read_unary(c, value));
    c->nesting--;
    if (mw_token_is(c, token, "-"))
        return mw_value_negate(c, token, value);
    if (mw_token_is(c, token, "+"))
        return 0;
    TRY_RETURN(mw_value_to_truth(c, token, *value, &node));
    *value = (struct mw_model_value){ .kind = MW_VALUE_TRUTH, .re = mw_node_new(c, MW_NODE_NOT, node, -1, -1) };
    return 0;
}

/* Binary operations from the weakest level to the strongest. */
static const char *const levels[][5] = {
    { "||" }, { "&&" }, { "==", "!=" }, { "<", "<=", ">", ">=" }, { "+", "-" }, { "*", "/" },
};

static bool is_of_level(const struct mw_compiler *c, size_t level)
{
    for (const char *const *sign = levels[level]; *sign; sign++)
        if (mw_token_is(c, c->at, *sign))
            return true;
    return false;
}

static int read_level(struct mw_compiler *c, size_t level, struct mw_model_value *value)
{
    struct mw_model_value right;
    if (level == MW_COUNT(levels))
        return read_unary(c, value);
    TRY_RETURN(read_level(c, level + 1, value));
    for (bool compared = false; is_of_level(c, level); compared = true) {
        const int token = c->at++;
        if (compared && (level == 2 || level == 3))
            return mw_compile_wrong(c, token, "join comparisons by &&: a < b && b < c, not a < b '%.*s' c");
        TRY_RETURN(read_level(c, level + 1, &right));
        TRY_RETURN(mw_value_binary(c, token, *value, right, value));
    }
    return 0;
}

static int read_ternary(struct mw_compiler *c, struct mw_model_value *value)
{
    struct mw_model_value yes, no;
    int condition;
    TRY_RETURN(mw_compile_enter(c));
    TRY_RETURN(read_level(c, 0, value));
    const int token = c->at;
    if (mw_token_take(c, "?")) {
        TRY_RETURN(mw_value_to_truth(c, token, *value, &condition));
        TRY_RETURN(read_ternary(c, &yes));
        TRY_RETURN(mw_token_expect(c, ":"));
        TRY_RETURN(read_ternary(c, &no));
        TRY_RETURN(mw_value_select(c, token, condition, yes, no, value));
    }
    c->nesting--;
    return mw_compile_full(c) ? mw_compile_wrong(c, c->at, "the model is too large at '%.*s'") : 0;
}

int mw_compile_expression(struct mw_compiler *c, struct mw_model_value *value) { return read_ternary(c, value); }
/* SPDX-License-Identifier: MIT */

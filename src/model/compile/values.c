/* Arithmetic of values.  Complex numbers are pairs of nodes; vectors are sums of factors times gradients. */
#include <math.h>

#include "model/compile/compile.h"

struct mw_model_value mw_value_real(int node)
{
    return (struct mw_model_value){ .kind = MW_VALUE_REAL, .re = node, .im = -1 };
}

struct mw_model_value mw_value_of_number(struct mw_compiler *c, double number)
{
    return mw_value_real(mw_node_constant(c, number, NULL, 0));
}

/* ---- nodes that may be absent, as zeros of complex numbers are ---- */

static int value_subtract(struct mw_compiler *c, int a, int b)
{
    return a < 0 ? mw_node_negate(c, b) : b < 0 ? a : mw_node_new(c, MW_NODE_SUBTRACT, a, b, -1);
}

static int value_multiply(struct mw_compiler *c, int a, int b)
{
    return a < 0 || b < 0 ? -1 : mw_node_product(c, a, b);
}

static int value_divide(struct mw_compiler *c, int a, int b)
{
    return a < 0 ? a : mw_node_new(c, MW_NODE_DIVIDE, a, b, -1);
}

/* ---- conversions ---- */

int mw_value_to_real(struct mw_compiler *c, int token, struct mw_model_value value, int *node)
{
    if (value.kind == MW_VALUE_REAL) {
        *node = value.re;
        return 0;
    }
    if (value.kind == MW_VALUE_TRUTH) {
        *node = mw_node_new(c, MW_NODE_NUMBER, value.re, -1, -1);
        return 0;
    }
    return mw_compile_wrong(c, token,
                            value.kind == MW_VALUE_COMPLEX
                                ? "expected a real value at '%.*s': use re(z), im(z) or abs2(z)"
                            : value.kind == MW_VALUE_VECTOR ? "expected a value at '%.*s', not a vector: use div or dot"
                                                            : "'%.*s' has no value yet");
}

int mw_value_to_truth(struct mw_compiler *c, int token, struct mw_model_value value, int *node)
{
    int zero;
    if (value.kind == MW_VALUE_TRUTH) {
        *node = value.re;
        return 0;
    }
    TRY_RETURN(mw_value_to_real(c, token, value, node));
    zero = mw_node_constant(c, 0, NULL, 0);
    *node = mw_node_new(c, MW_NODE_NOT, mw_node_new(c, MW_NODE_EQUAL, *node, zero, -1), -1, -1);
    return 0;
}

static int to_complex(struct mw_compiler *c, int token, struct mw_model_value *value)
{
    if (value->kind == MW_VALUE_COMPLEX)
        return 0;
    TRY_RETURN(mw_value_to_real(c, token, *value, &value->re));
    *value = (struct mw_model_value){ .kind = MW_VALUE_COMPLEX, .re = value->re, .im = -1 };
    return 0;
}

/* ---- vectors ---- */

static int scale_vector(struct mw_compiler *c, int token, struct mw_model_value vector, struct mw_model_value by,
                        enum mw_node_kind kind, struct mw_model_value *result)
{
    int node = -1;
    TRY_RETURN(mw_value_to_real(c, token, by, &node));
    for (unsigned i = 0; i < vector.terms; i++) {
        int *factor = &vector.term[i].factor;
        if (kind == MW_NODE_DIVIDE)
            *factor = value_divide(c, *factor < 0 ? mw_node_constant(c, 1, NULL, 0) : *factor, node);
        else
            *factor = *factor < 0 ? node : value_multiply(c, node, *factor);
    }
    *result = vector;
    return 0;
}

static int add_vectors(struct mw_compiler *c, int token, struct mw_model_value a, struct mw_model_value b,
                       struct mw_model_value *result)
{
    if (a.kind != MW_VALUE_VECTOR || b.kind != MW_VALUE_VECTOR)
        return mw_compile_wrong(c, token, "'%.*s' of a vector and a value");
    if (a.terms + b.terms > MW_TERMS_MAX)
        return mw_compile_wrong(c, token, "too many gradients in one sum at '%.*s'");
    if (mw_token_is(c, token, "-"))
        TRY_RETURN(mw_value_negate(c, token, &b));
    memcpy(a.term + a.terms, b.term, b.terms * sizeof *b.term);
    a.terms += b.terms;
    *result = a;
    return 0;
}

static int vector_binary(struct mw_compiler *c, int token, struct mw_model_value a, struct mw_model_value b,
                         struct mw_model_value *result)
{
    if (mw_token_is(c, token, "+") || mw_token_is(c, token, "-"))
        return add_vectors(c, token, a, b, result);
    if (mw_token_is(c, token, "/") && a.kind == MW_VALUE_VECTOR)
        return scale_vector(c, token, a, b, MW_NODE_DIVIDE, result);
    if (mw_token_is(c, token, "*") && a.kind == MW_VALUE_VECTOR)
        return scale_vector(c, token, a, b, MW_NODE_MULTIPLY, result);
    if (mw_token_is(c, token, "*"))
        return scale_vector(c, token, b, a, MW_NODE_MULTIPLY, result);
    return mw_compile_wrong(c, token, "'%.*s' is not defined for vectors");
}

/* ---- complex numbers ---- */

static struct mw_model_value complex_multiply(struct mw_compiler *c, struct mw_model_value a, struct mw_model_value b)
{
    struct mw_model_value r = { .kind = MW_VALUE_COMPLEX };
    r.re = value_subtract(c, value_multiply(c, a.re, b.re), value_multiply(c, a.im, b.im));
    r.im = mw_node_sum(c, value_multiply(c, a.re, b.im), value_multiply(c, a.im, b.re));
    return r;
}

static struct mw_model_value complex_square(struct mw_compiler *c, struct mw_model_value a)
{
    struct mw_model_value r = { .kind = MW_VALUE_COMPLEX };
    r.re = value_subtract(c, value_multiply(c, a.re, a.re), value_multiply(c, a.im, a.im));
    const int half = value_multiply(c, a.re, a.im);
    r.im = mw_node_sum(c, half, half);
    return r;
}

static int complex_binary(struct mw_compiler *c, int token, struct mw_model_value a, struct mw_model_value b,
                          struct mw_model_value *r)
{
    TRY_RETURN(to_complex(c, token, &a));
    TRY_RETURN(to_complex(c, token, &b));
    r->kind = MW_VALUE_COMPLEX;
    if (mw_token_is(c, token, "+")) {
        r->re = mw_node_sum(c, a.re, b.re);
        r->im = mw_node_sum(c, a.im, b.im);
    } else if (mw_token_is(c, token, "-")) {
        r->re = value_subtract(c, a.re, b.re);
        r->im = value_subtract(c, a.im, b.im);
    } else if (mw_token_is(c, token, "*")) {
        *r = complex_multiply(c, a, b);
    } else if (mw_token_is(c, token, "/") && b.im < 0) {
        r->re = value_divide(c, a.re, b.re);
        r->im = value_divide(c, a.im, b.re);
    } else if (mw_token_is(c, token, "/")) {
        const int size = mw_node_sum(c, value_multiply(c, b.re, b.re), value_multiply(c, b.im, b.im));
        r->re = value_divide(c, mw_node_sum(c, value_multiply(c, a.re, b.re), value_multiply(c, a.im, b.im)), size);
        r->im = value_divide(c, value_subtract(c, value_multiply(c, a.im, b.re), value_multiply(c, a.re, b.im)), size);
    } else {
        return mw_compile_wrong(c, token, "'%.*s' is not defined for complex values");
    }
    return 0;
}

/* ---- operations ---- */

/* Operations of reals.  `swapped`: b before a; `denied`: the result is negated. */
static const struct {
    const char *sign;
    enum mw_node_kind kind;
    bool swapped, denied;
} real_operations[] = {
    { "+", MW_NODE_ADD, false, false },      { "-", MW_NODE_SUBTRACT, false, false },
    { "*", MW_NODE_MULTIPLY, false, false }, { "/", MW_NODE_DIVIDE, false, false },
    { "<", MW_NODE_LESS, false, false },     { "<=", MW_NODE_LESS_EQUAL, false, false },
    { ">", MW_NODE_LESS, true, false },      { ">=", MW_NODE_LESS_EQUAL, true, false },
    { "==", MW_NODE_EQUAL, false, false },   { "!=", MW_NODE_EQUAL, false, true },
};

static int truth_binary(struct mw_compiler *c, int token, struct mw_model_value a, struct mw_model_value b,
                        struct mw_model_value *result)
{
    const enum mw_node_kind kind = mw_token_is(c, token, "&&") ? MW_NODE_AND : MW_NODE_OR;
    int x = -1, y = -1;
    TRY_RETURN(mw_value_to_truth(c, token, a, &x));
    TRY_RETURN(mw_value_to_truth(c, token, b, &y));
    *result = (struct mw_model_value){ .kind = MW_VALUE_TRUTH, .re = mw_node_new(c, kind, x, y, -1), .im = -1 };
    return 0;
}

int mw_value_binary(struct mw_compiler *c, int token, struct mw_model_value a, struct mw_model_value b,
                    struct mw_model_value *result)
{
    size_t i = 0;
    int x = -1, y = -1;
    if (mw_token_is(c, token, "&&") || mw_token_is(c, token, "||"))
        return truth_binary(c, token, a, b, result);
    if (a.kind == MW_VALUE_VECTOR || b.kind == MW_VALUE_VECTOR)
        return vector_binary(c, token, a, b, result);
    if (a.kind == MW_VALUE_COMPLEX || b.kind == MW_VALUE_COMPLEX)
        return complex_binary(c, token, a, b, result);
    TRY_RETURN(mw_value_to_real(c, token, a, &x));
    TRY_RETURN(mw_value_to_real(c, token, b, &y));
    while (i + 1 < MW_COUNT(real_operations) && !mw_token_is(c, token, real_operations[i].sign))
        i++;
    const enum mw_node_kind kind = real_operations[i].kind;
    const bool swapped = real_operations[i].swapped;
    *result = mw_value_real(mw_node_new(c, kind, swapped ? y : x, swapped ? x : y, -1));
    if (real_operations[i].denied)
        result->re = mw_node_new(c, MW_NODE_NOT, result->re, -1, -1);
    if (kind >= MW_NODE_LESS)
        result->kind = MW_VALUE_TRUTH;
    return 0;
}

int mw_value_negate(struct mw_compiler *c, int token, struct mw_model_value *value)
{
    if (value->kind == MW_VALUE_VECTOR)
        return scale_vector(c, token, *value, mw_value_of_number(c, -1), MW_NODE_MULTIPLY, value);
    if (value->kind != MW_VALUE_COMPLEX) {
        int node = -1;
        TRY_RETURN(mw_value_to_real(c, token, *value, &node));
        *value = mw_value_real(node);
    }
    value->re = mw_node_negate(c, value->re);
    value->im = mw_node_negate(c, value->im);
    return 0;
}

int mw_value_select(struct mw_compiler *c, int token, int condition, struct mw_model_value a, struct mw_model_value b,
                    struct mw_model_value *result)
{
    int re[2] = { -1, -1 }, im[2];
    if (a.kind == MW_VALUE_VECTOR || b.kind == MW_VALUE_VECTOR)
        return mw_compile_wrong(c, token, "'%.*s' cannot choose between vectors");
    if (a.kind != MW_VALUE_COMPLEX && b.kind != MW_VALUE_COMPLEX) {
        TRY_RETURN(mw_value_to_real(c, token, a, &re[0]));
        TRY_RETURN(mw_value_to_real(c, token, b, &re[1]));
        *result = mw_value_real(re[0] == re[1] ? re[0] : mw_node_new(c, MW_NODE_SELECT, condition, re[0], re[1]));
        return 0;
    }
    TRY_RETURN(to_complex(c, token, &a));
    TRY_RETURN(to_complex(c, token, &b));
    const int zero = mw_node_constant(c, 0, NULL, 0);
    re[0] = a.re < 0 ? zero : a.re, re[1] = b.re < 0 ? zero : b.re;
    im[0] = a.im < 0 ? zero : a.im, im[1] = b.im < 0 ? zero : b.im;
    *result = (struct mw_model_value){ .kind = MW_VALUE_COMPLEX,
                                       .re = mw_node_new(c, MW_NODE_SELECT, condition, re[0], re[1]),
                                       .im = mw_node_new(c, MW_NODE_SELECT, condition, im[0], im[1]) };
    return 0;
}

/* Multiplies a value by itself n times, n > 0, by repeated squares. */
static int whole_power(struct mw_compiler *c, int node, int n)
{
    int power = -1;
    for (int square = node; n > 0; n /= 2) {
        if (n % 2)
            power = power < 0 ? square : mw_node_new(c, MW_NODE_MULTIPLY, power, square, -1);
        if (n > 1)
            square = mw_node_new(c, MW_NODE_MULTIPLY, square, square, -1);
    }
    return power;
}

static struct mw_model_value complex_power(struct mw_compiler *c, struct mw_model_value base, int n)
{
    struct mw_model_value power = { .kind = MW_VALUE_NONE };
    for (struct mw_model_value square = base; n > 0; n /= 2) {
        if (n % 2)
            power = power.kind == MW_VALUE_NONE ? square : complex_multiply(c, power, square);
        if (n > 1)
            square = complex_square(c, square);
    }
    return power;
}

#define WHOLE_POWER_MAX 64

int mw_value_power(struct mw_compiler *c, int token, struct mw_model_value base, struct mw_model_value exponent,
                   struct mw_model_value *result)
{
    int x = -1, y = -1;
    if (base.kind == MW_VALUE_COMPLEX) {
        const double whole = exponent.kind == MW_VALUE_REAL ? c->nodes[exponent.re].value : 0;
        if (!(whole >= 1 && whole <= WHOLE_POWER_MAX && whole == floor(whole)))
            return mw_compile_wrong(c, token,
                                    "'%.*s': the exponent of a complex value must be a whole number, 1 to 64");
        *result = complex_power(c, base, (int)whole);
        return 0;
    }
    TRY_RETURN(mw_value_to_real(c, token, base, &x));
    TRY_RETURN(mw_value_to_real(c, token, exponent, &y));
    const double n = c->nodes[y].value, size = fabs(n);
    if (c->nodes[y].kind != MW_NODE_CONSTANT || size > WHOLE_POWER_MAX || (size != floor(size) && size != 0.5)) {
        *result = mw_value_real(mw_node_new(c, MW_NODE_FUNCTION, mw_model_function_find("pow", 3, 2), x, y));
        return 0;
    }
    const int one = mw_node_constant(c, 1, NULL, 0);
    const int power = size == 0     ? one
                      : size == 0.5 ? mw_node_new(c, MW_NODE_FUNCTION, mw_model_function_find("sqrt", 4, 1), x, -1)
                                    : whole_power(c, x, (int)size);
    *result = mw_value_real(n < 0 ? mw_node_new(c, MW_NODE_DIVIDE, one, power, -1) : power);
    return 0;
}
/* SPDX-License-Identifier: MIT */

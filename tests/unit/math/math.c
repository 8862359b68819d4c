/* Elementary functions (cl/math.clh), compiled as C: errors in units in the last place (ulp) against the C library in a
 * wider format.  With $MESHWORK_TEST_ALL, all numbers of single precision and 10^8 of double precision. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "tests/check.h"
#include "tests/unit/math/functions.h"

enum { BLOCK = 1024 };
typedef long double reference;

static reference divide(reference x, reference y) { return x / y; }

/* clang-format off */
static reference (*const of_one[])(reference) = { expl, logl, sinl, cosl, tanl, atanl, tanhl,
                                                  sinhl, coshl, sqrtl, floorl };
static double (*const of_one_in_double[])(double) = { exp, log, sin, cos, tan, atan, tanh, sinh, cosh, sqrt, floor };
static reference (*const of_two[])(reference, reference) = { powl, atan2l, divide };
/* clang-format on */
enum { ONES = sizeof of_one / sizeof *of_one, TWOS = sizeof of_two / sizeof *of_two };

static const double specials[] = { 0,      1,        0.5,       2,      3,      10,     88,       104,
                                   709,    745,      1e10,      1e-5,   1e-38,  1e-40,  1e-45,    1e300,
                                   5e-324, 0x1p-126, 0x1p-1022, 0x1p20, 0x1p10, 0x1p60, INFINITY, NAN };
enum { SPECIALS = 2 * sizeof specials / sizeof *specials };
static double special(size_t k) { return k & 1 ? -specials[k / 2] : specials[k / 2]; }

static double as_double(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static float as_single(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Returns the error in ulp, which is infinite if one value is NaN, infinite or a zero of other sign than the other. */
static double error_of(double got, reference value, bool wide)
{
    const int digits = wide ? 53 : 24, least = wide ? -1074 : -149;
    const double rounded = wide ? (double)value : (double)(float)value;
    int exponent;
    if (isnan(value) || isnan(got))
        return isnan(value) && isnan(got) ? 0 : INFINITY;
    if (value == 0 || isinf(rounded) || isinf(got))
        return rounded == got && !signbit(rounded) == !signbit(got) ? 0 : INFINITY;
    (void)frexpl(value, &exponent);
    exponent -= digits;
    return (double)ldexpl(fabsl(got - value), -(exponent < least ? least : exponent));
}

/* Quotients, roots and integers are correctly rounded; long double rounds them once more. */
static double bound_of(const char *name)
{
    return strcmp(name, "floor") == 0 ? 0 : strcmp(name, "sqrt") == 0 || strcmp(name, "divide") == 0 ? 0.5005 : 1;
}

/* A pair of arguments: pairs of special values, then random bits and values of ordinary size. */
static void draw(size_t i, bool wide, double *x, double *y)
{
    double *const to[2] = { x, y };
    for (int k = 0; k < 2; k++) {
        const uint64_t word = random_word();
        if (i < SPECIALS * SPECIALS)
            *to[k] = special(k ? i / SPECIALS : i % SPECIALS);
        else if ((i >> (2 * k) & 3) == 0)
            *to[k] = wide ? as_double(word) : (double)as_single((uint32_t)word);
        else
            *to[k] = (double)(int64_t)word * 0x1p-63 * (i >> (2 * k) & 1 ? 20 : i >> (2 * k) & 4 ? 1 : 800);
        if (!wide)
            *to[k] = (double)(float)*to[k];
    }
    if ((i & 0xe0) == 0xe0) {
        *x = fabs(*x); /* powers of positive numbers */
        *y = wide || isnan(*x) ? *y : (double)(float)*y;
    }
}

/* The largest error of a function, with its arguments. */
struct worst {
    double error, x, y, got;
};

static void check_block(const struct math_function *function, size_t f, bool wide, const double *x, const double *y,
                        struct worst *worst)
{
    float x4[BLOCK], y4[BLOCK], to4[BLOCK];
    double to8[BLOCK];
    for (size_t i = 0; !wide && i < BLOCK; i++) {
        x4[i] = (float)x[i];
        y4[i] = (float)y[i];
    }
    function[f].run(wide ? (void *)to8 : to4, wide ? (const void *)x : x4, wide ? (const void *)y : y4, BLOCK);
    for (size_t i = 0; i < BLOCK; i++) {
        const double got = wide ? to8[i] : (double)to4[i];
        const reference value = f >= ONES ? of_two[f - ONES](x[i], y[i])
                                : wide    ? of_one[f](x[i])
                                          : (reference)of_one_in_double[f](x[i]);
        const double error = error_of(got, value, wide);
        if (error > worst->error)
            *worst = (struct worst){ error, x[i], y[i], got };
    }
}

static void report(const struct math_function *function, bool wide, unsigned lanes, const struct worst *worst)
{
    print_message("%s, %s, %u lanes: %.4f ulp at (%a, %a)\n", function->name, wide ? "double" : "single", lanes,
                  worst->error, worst->x, worst->y);
    if (!(worst->error <= bound_of(function->name)))
        fail_msg("%s(%a, %a) is %a: %g ulp", function->name, worst->x, worst->y, worst->got, worst->error);
}

static void check(const struct math_function *functions, bool wide, unsigned lanes)
{
    const bool all = getenv("MESHWORK_TEST_ALL");
    double x[BLOCK], y[BLOCK];
    for (size_t f = 0; f < ONES + TWOS; f++) {
        struct worst worst = { 0 };
        for (size_t i = 0; i < (all ? 100000000 : 100000); i += BLOCK) {
            for (size_t k = 0; k < BLOCK; k++)
                draw(i + k, wide, &x[k], &y[k]);
            check_block(functions, f, wide, x, y, &worst);
        }
        /* All numbers of single precision, or each 997th. */
        for (uint64_t word = 0; !wide && f < ONES && word < (uint64_t)1 << 32;) {
            for (size_t k = 0; k < BLOCK; k++, word += all ? 1 : 997)
                x[k] = y[k] = (double)as_single((uint32_t)word);
            check_block(functions, f, wide, x, y, &worst);
        }
        report(&functions[f], wide, lanes, &worst);
    }
}

/* fma has the bits of the C library's, whether the hardware or cl/math/fused.clh computes it. */
static void check_fma(const struct math_function *functions, bool wide)
{
    float x4[BLOCK], y4[BLOCK], to4[BLOCK];
    double x[BLOCK], y[BLOCK], to[BLOCK];
    for (size_t i = 0; i < 100 * BLOCK; i += BLOCK)
        for (size_t f = ONES + TWOS; f < ONES + TWOS + 2; f++) {
            for (size_t k = 0; k < BLOCK; k++) {
                x[k] = ldexp((double)(int64_t)random_word(), (int)random_below(60) - 90);
                y[k] = k % 8 == 0 ? 0 : ldexp((double)(int64_t)random_word(), (int)random_below(60) - 90);
                x4[k] = (float)x[k];
                y4[k] = k % 16 == 0 ? -0.0F : (float)y[k];
            }
            functions[f].run(wide ? (void *)to : to4, wide ? (void *)x : x4, wide ? (void *)y : y4, BLOCK);
            for (size_t k = 0; k < BLOCK; k++) {
                const bool rest = f > ONES + TWOS;
                const double value = fma(x[k], y[k], rest ? -(x[k] * y[k]) : x[k] - y[k]);
                const float single = fmaf(x4[k], y4[k], rest ? -(x4[k] * y4[k]) : x4[k] - y4[k]);
                if (wide ? memcmp(&to[k], &value, sizeof value) != 0 : memcmp(&to4[k], &single, sizeof single) != 0)
                    fail_msg("%s of %a and %a is %a instead of %a", functions[f].name, wide ? x[k] : (double)x4[k],
                             wide ? y[k] : (double)y4[k], wide ? to[k] : (double)to4[k], wide ? value : (double)single);
            }
        }
}

static void fma_is_rounded_once(void **unused)
{
    check_fma(math_single_1, false);
    check_fma(math_single_16, false);
    check_fma(math_double_1, true);
    check_fma(math_double_8, true);
}

static void single_lanes(void **unused) { check(math_single_1, false, 1); }
static void single_vectors(void **unused) { check(math_single_16, false, 16); }

static void double_lanes(void **unused)
{
    if (LDBL_MANT_DIG < 64)
        skip();
    check(math_double_1, true, 1);
}

static void double_vectors(void **unused)
{
    if (LDBL_MANT_DIG < 64)
        skip();
    check(math_double_8, true, 8);
}

static int seed_group(void **unused)
{
    seed_random();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fma_is_rounded_once), cmocka_unit_test(single_lanes),   cmocka_unit_test(single_vectors),
        cmocka_unit_test(double_lanes),        cmocka_unit_test(double_vectors),
    };
    return cmocka_run_group_tests(tests, seed_group, NULL);
}
/* SPDX-License-Identifier: MIT */

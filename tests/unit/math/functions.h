/* Elementary functions (cl/math.clh) of arrays, of one precision and number of lanes.  A file that defines VEC, and
 * REAL_DOUBLE for double precision, includes this after a definition of TABLE, the name of its table. */
#ifndef MW_TESTS_MATH_FUNCTIONS_H
#define MW_TESTS_MATH_FUNCTIONS_H

#include <stddef.h>

/* X(name) of functions of x, and of x and y. */
#define FUNCTIONS_OF_ONE(X) X(exp) X(log) X(sin) X(cos) X(tan) X(atan) X(tanh) X(sinh) X(cosh) X(sqrt) X(floor)
#define FUNCTIONS_OF_TWO(X) X(pow) X(atan2) X(divide)

/* Computes a function of n numbers, a multiple of the number of lanes. */
typedef void math_fn(void *to, const void *x, const void *y, size_t n);
struct math_function {
    const char *name;
    math_fn *run;
};
/* The functions, in the order of the lists, then fma(x, y, x - y) and fma(x, y, -x y), by precision and number of
 * lanes. */
extern const struct math_function math_single_1[], math_single_16[], math_double_1[], math_double_8[];

#ifdef TABLE
#include "math.clh"

/* Defines NAME_of, which computes `value` of each lane. */
#define DEFINE(name, value)                                                                                            \
    static void name##_of(void *to, const void *xs, const void *ys, size_t n)                                          \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i += VEC) {                                                                          \
            const realv x = gather_lanes((const real *)xs + i), y = gather_lanes((const real *)ys + i);                \
            scatter_lanes(value, (real *)to + i);                                                                      \
            (void)y;                                                                                                   \
        }                                                                                                              \
    }
#define OF_ONE(name) DEFINE(name, math_##name(x))
#define OF_TWO(name) DEFINE(name, math_##name(x, y))
FUNCTIONS_OF_ONE(OF_ONE)
FUNCTIONS_OF_TWO(OF_TWO)
DEFINE(fma, math_fma(x, y, x - y))
DEFINE(rest, math_fma(x, y, -(x *y)))
#define ROW(name) { #name, name##_of },
const struct math_function TABLE[] = { FUNCTIONS_OF_ONE(ROW) FUNCTIONS_OF_TWO(ROW) ROW(fma) ROW(rest) };
#endif

#endif
/* SPDX-License-Identifier: MIT */

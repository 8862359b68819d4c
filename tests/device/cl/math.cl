/* The kernel for the test of math.clh: applies function number `which` to n arguments, a multiple of VEC. */
#include "prelude.clh"
#include "math.clh"

#define CASE(number, value) case number: return value;
INLINE realv apply(const u32 which, const realv x, const realv y)
{
    switch (which) {
    CASE(0, math_exp(x))
    CASE(1, math_log(x))
    CASE(2, math_sin(x))
    CASE(3, math_cos(x))
    CASE(4, math_tan(x))
    CASE(5, math_atan(x))
    CASE(6, math_tanh(x))
    CASE(7, math_sinh(x))
    CASE(8, math_cosh(x))
    CASE(9, math_sqrt(x))
    CASE(10, math_abs(x))
    CASE(11, math_sign(x))
    CASE(12, math_floor(x))
    CASE(13, math_pow(x, y))
    CASE(14, math_atan2(y, x))
    CASE(15, math_divide(x, y))
    CASE(16, math_min(x, y))
    CASE(17, math_max(x, y))
    CASE(18, math_select(math_and(math_less(x, y), math_not(math_equal(x, y))), x, y))
    CASE(19, math_number(math_less(x, y)) + math_number(math_less_equal(x, y)) * R(2.0) +
             math_number(math_equal(x, y)) * R(4.0))
    CASE(20, math_number(math_true(x)) + math_number(math_or(math_less(x, y), math_true(y))) * R(2.0))
    }
    return x;
}

__kernel void take(__global real *to, __global const real *from, __global const real *second, const u32 n,
                   const u32 which)
{
    const size_t i = get_global_id(0) * VEC;
    if (i < n)
        store_lanes(apply(which, load_lanes(from + i), load_lanes(second + i)), to + i);
}
/* SPDX-License-Identifier: MIT */

/* Linear combinations of the rates of a time step, and the error of the step: k0 to k5 are rates of all fields, w0 to
 * w5 their weights.  The first `count` are used.  The order of additions is fixed.  A work-item processes `each` of the
 * `cells` numbers of a state. */
#include "math/quotient.clh"
#include "field/part.clh"

NATIVE_PROGRAM(field_combine_single, VEC=16)
NATIVE_PROGRAM(field_combine_double, VEC=8 REAL_DOUBLE)

/* ADD(i) adds rate i to `sum`; cells from x1 on are left out at an edge. */
#define ADD(i)                                                  \
    if (count > i)                                              \
        sum += w##i * load_part(k##i + first, edge, x, x1);
#define ADD_ALL ADD(1) ADD(2) ADD(3) ADD(4) ADD(5)

/* Combines VEC cells from x on. */
#define COMBINE_VECTOR(is_edge)                                                                   \
    {                                                                                             \
        const int edge = is_edge;                                                                 \
        realv sum = w0 * load_part(k0 + first, edge, x, x1);                                      \
        ADD_ALL                                                                                   \
        store_part(load_part(base + first, edge, x, x1) + sum, out + first, edge, x, x1, 0);      \
        store_part(splat(R(0.0)), clear + first, edge, x, x1, 0);                                 \
    }

/* Computes the scaled error of VEC cells from x on. */
#define ERROR_VECTOR(is_edge)                                                                     \
    {                                                                                             \
        const int edge = is_edge;                                                                 \
        const realv before = math_abs(load_part(base + first, edge, x, x1));                      \
        const realv after = math_abs(load_part(next + first, edge, x, x1));                       \
        const realv scale = absolute + relative * math_max(before, after);                        \
        realv sum = w0 * load_part(k0 + first, edge, x, x1);                                      \
        ADD_ALL                                                                                   \
        store_part(math_divide(math_abs(sum), scale), out + first, edge, x, x1, 0);               \
    }

/* Executes VECTOR for all vectors of the item. */
#define EACH_VECTOR(VECTOR)                                                                       \
    for (u64 item = get_global_id(0); item < ITEMS_END(0) && item * each < cells; item++) {       \
        const u64 first = item * each, left = cells - first;                                      \
        const int x1 = left < each ? (int)left : (int)each;                                       \
        int x = 0;                                                                                \
        for (; x + VEC <= x1; x += VEC)                                                           \
            VECTOR(0)                                                                             \
        if (x < x1)                                                                               \
            VECTOR(1)                                                                             \
    }

/* Stores base + the sum of weighted rates in `out`, and 0 in `clear`. */
__kernel SHARES void field_combine(__global real *out, __global real *clear, const __global real *base,
                                   const __global real *k0, const __global real *k1, const __global real *k2,
                                   const __global real *k3, const __global real *k4, const __global real *k5,
                                   const real w0, const real w1, const real w2, const real w3, const real w4,
                                   const real w5, const u32 count, const u32 each, const u64 cells)
{
    EACH_VECTOR(COMBINE_VECTOR)
}

/* Stores |the sum of weighted rates| / (absolute + relative max(|base|, |next|)) in `out`, which may be a rate. */
__kernel SHARES void field_error(__global real *out, const __global real *base, const __global real *next,
                                 const __global real *k0, const __global real *k1, const __global real *k2,
                                 const __global real *k3, const __global real *k4, const __global real *k5,
                                 const real w0, const real w1, const real w2, const real w3, const real w4,
                                 const real w5, const real absolute, const real relative, const u32 count,
                                 const u32 each, const u64 cells)
{
    EACH_VECTOR(ERROR_VECTOR)
}
/* SPDX-License-Identifier: MIT */

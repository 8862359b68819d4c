/* Rates of devices: each kernel measures one of them. */
#include "hints.clh"
#include "prim/groups.clh"
#include "speed/sizes.clh"

NATIVE_PROGRAM(speed_f32, VEC=8)
NATIVE_PROGRAM(speed_f64, REAL_DOUBLE VEC=4)

/* Computes the triad of STREAM (McCalpin).  On cores n and an item's part are multiples of VEC. */
__kernel void speed_triad(const __global real *b, const __global real *c, __global real *a, const real s, const i64 n,
                          const i64 each)
{
    const i64 begin = PART_NUMBER * each, end = least_i64(n, begin + each);
#ifdef GROUP
    for (i64 i = begin + ITEM; i < end; i += GROUP)
        a[i] = b[i] + s * c[i];
#else
    for (i64 i = begin; i < end; i += VEC)
        store_lanes(load_lanes(b + i) + s * load_lanes(c + i), a + i);
#endif
}

#define BEGIN_SUM(k) realv sum_##k = load_lanes(to) + (real)k;
#define CONTINUE_SUM(k) sum_##k = sum_##k * factor + more;
#define PLUS_SUM(k) + sum_##k

/* Makes VEC * SPEED_CHAINS * SPEED_ROUNDS multiplications, and as many additions, in registers. */
__kernel void speed_arithmetic(__global real *to, const real factor, const real more)
{
    SPEED_EACH_CHAIN(BEGIN_SUM)
    for (int r = 0; r < SPEED_ROUNDS; r++) {
        SPEED_EACH_CHAIN(CONTINUE_SUM)
    }
    store_lanes(splat(R(0.0)) SPEED_EACH_CHAIN(PLUS_SUM), to + VEC * get_global_id(0));
}

/* Adds to one word (mask 0), or to pseudo-random ones of mask + 1 words. */
__kernel void speed_atomics(volatile __global u32 *to, const u32 mask)
{
    u32 at = (u32)get_global_id(0);
    for (int i = 0; i < SPEED_ADDITIONS; i++) {
        (void)ATOMIC_ADD_32(to + (at & mask), 1);
        at = at * 1664525 + 1013904223;
    }
}

/* Does nothing, to measure the time of a launch. */
__kernel void speed_nothing(__global real *to)
{
    if (get_global_id(0) == (size_t)-1)
        to[0] = R(0.0);
}
/* SPDX-License-Identifier: MIT */

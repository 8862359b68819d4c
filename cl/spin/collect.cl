/* Adds up the sums of work-items to sums of systems. */
#include "prelude.clh"

NATIVE_PROGRAM(spin_collect, )

/* A system has `count` contiguous numbers and `each` work-items; a work-item adds every `each`-th number. */
__kernel void spin_collect(const __global i64 *spins, const __global i64 *pairs, __global i64 *sums, const i64 count,
                           const i32 systems, const i32 each)
{
    const i32 item = (i32)get_global_id(0), system = (i32)get_global_id(1);
    i64 sum = 0, products = 0;
    if (item >= each || system >= systems)
        return;
    for (i64 i = item; i < count; i += each) {
        sum += spins[system * count + i];
        products += pairs[system * count + i];
    }
    sums[2 * ((i64)system * each + item)] = sum;
    sums[2 * ((i64)system * each + item) + 1] = products;
}
/* SPDX-License-Identifier: MIT */

/* Native: stores a byte per cell, 1 if it is above the threshold, as values for the serial algorithms.  For one
 * work-item. */
#include "label/joining.clh"
#include "label/plan.clh"

NATIVE_PROGRAM(kinds, )

#if defined(MW_HOST)

#define JOINING struct label_joining

__kernel void label_kinds(const __global unsigned char *from, __global unsigned char *kinds, const __global i64 *plan,
                          const JOINING joining)
{
    const i64 cells = plan[PLAN_ROWS] * plan[PLAN_LENGTH];
    for (i64 k = 0; k < cells; k += 64) {
        const i64 n = cells - k < 64 ? cells - k : 64;
        i64 other = -1;
        u64 bits;
        joining.of->classify(from, k, n, joining.value, plan[PLAN_BACKGROUND] != 0, plan[PLAN_ALL] != 0, &other, &bits);
        for (i64 i = 0; i < n; i++)
            kinds[k + i] = bits >> i & 1;
    }
}

#endif
/* SPDX-License-Identifier: MIT */

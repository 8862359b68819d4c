/* Sets an exact number of spins up, at random places: the cells that a permutation puts first. */
#include "spin/fraction.clh"

NATIVE_PROGRAM(spin_fraction, )

/* Sets `count` bytes after the first `halo` ones: the cells from `first` on of all systems.  A system has n cells, and
 * n - 1 has `bits` bits.  A work-item sets `each` cells. */
__kernel void spin_fraction(__global signed char *cells, const __global struct spin_fraction *systems, const i64 first,
                            const i64 halo, const i64 count, const i64 n, const i32 bits, const i32 up,
                            const i32 down, const i32 each)
{
    const i64 begin = (i64)get_global_id(0) * each, end = begin + each < count ? begin + each : count;
    i64 system = (first + begin) / n, cell = (first + begin) % n;
    const i64 own = first / n;   /* the part's first system */
    for (i64 i = begin; i < end; i++) {
        const __global struct spin_fraction *of = systems + (system - own);
        cells[halo + i] = (signed char)((i64)permute((u64)cell, (u64)n, bits, of->key) < of->up ? up : down);
        if (++cell == n) {
            cell = 0;
            system++;
        }
    }
}
/* SPDX-License-Identifier: MIT */

/* Several steps of a walk per launch, for blocks of sites with a border.
 *
 * A work-group holds a block and its border in local memory: rings of sites at increasing distance.  After each step
 * the outermost ring is no longer valid; after the last step the block's own sites are.  Neighbouring blocks thus
 * compute some sites twice, from the same numbers.  Each block writes only its own sites. */
#include "hints.clh"
#include "walk/step.clh"

NATIVE_PROGRAM(walk_blocks_2, WALK_DIMS=2 BLOCK_ROOM=4096)
NATIVE_PROGRAM(walk_blocks_3, WALK_DIMS=3 BLOCK_ROOM=4096)
NATIVE_PROGRAM(walk_blocks_2_double, WALK_DIMS=2 REAL_DOUBLE BLOCK_ROOM=4096)
NATIVE_PROGRAM(walk_blocks_3_double, WALK_DIMS=3 REAL_DOUBLE BLOCK_ROOM=4096)

/* BLOCK_ROOM: places for a block with its border and a final 0; at most 4096.  A work-item of a work-group keeps the
 * packed neighbours of its sites in registers. */
#ifdef GROUP
#define BLOCK_ITEM ITEM
#define BLOCK_ITEMS GROUP
#define BLOCK_EACH(n) (BLOCK_ROOM / GROUP)
#define BLOCK_LOOP UNROLL
#define BLOCK_MEMORY SHARED
#define IN_BLOCK IN_LOCAL
#define BLOCK_WAIT barrier(CLK_LOCAL_MEM_FENCE)
#define BLOCK_WORD(e, w) kept[(e) * WALK_DIMS + (w)]
#else
#define BLOCK_ITEM 0
#define BLOCK_ITEMS 1
#define BLOCK_EACH(n) (n)
#define BLOCK_LOOP
#define BLOCK_MEMORY
#define IN_BLOCK __private
#define BLOCK_WAIT
#define BLOCK_WORD(e, w) words[(w) * updated + (e)]
#endif

/* Updates site i of a block.  `sides` also has the number of inaccessible neighbours, in bits 12 to 15. */
INLINE real block_next(const IN_BLOCK real *now, const i32 i, const u32 sides, const u32 rows, const u32 planes)
{
    real sum = (now[sides & 4095] + now[sides >> 16]) + (now[rows & 0xffff] + now[rows >> 16]);
#if WALK_DIMS == 3
    sum += now[planes & 0xffff] + now[planes >> 16];
#endif
    return walk_next(sum, (real)(sides >> 12 & 15) * now[i]);
}

/* Updates the first blocks, one per work-group. */
__kernel SHARES void walk_blocks(const __global real *from, __global real *to, const __global u32 *tables,
                                 const __global i32 *blocks, const __global i32 *around, const i32 steps)
{
    BLOCK_MEMORY real room[2 * BLOCK_ROOM];
#ifdef GROUP
    u32 kept[BLOCK_EACH(0) * WALK_DIMS];
#endif
    for (i64 b = PART_NUMBER, stop = PARTS_END; b < stop; b++) { /* uniform: one block per work-group */
        const __global i32 *block = blocks + b * WALK_BLOCK, *within = block + WALK_BLOCK_WITHIN;
        const __global u32 *words = tables + block[1];
        const __global i32 *border = around + block[2];
        const i32 updated = block[3], own = within[0], all = within[steps];
#ifdef GROUP
        BLOCK_LOOP for (i32 e = 0; e < BLOCK_EACH(0); e++)
            for (i32 w = 0; w < WALK_DIMS; w++)
                kept[e * WALK_DIMS + w] = e * GROUP + ITEM < updated ? words[w * updated + e * GROUP + ITEM] : 0;
#endif
        for (i32 i = BLOCK_ITEM; i < all; i += BLOCK_ITEMS)
            room[i] = from[i < own ? block[0] + i : border[i - own]];
        if (BLOCK_ITEM == 0)
            room[BLOCK_ROOM - 1] = room[2 * BLOCK_ROOM - 1] = R(0.0);
        BLOCK_WAIT;
        for (i32 step = 1; step <= steps; step++) { /* uniform */
            const i32 n = within[steps - step], next = step % 2 * BLOCK_ROOM;
            const IN_BLOCK real *now = room + BLOCK_ROOM - next;
            BLOCK_LOOP for (i32 e = 0; e < BLOCK_EACH(n); e++) {
                const i32 i = e * BLOCK_ITEMS + BLOCK_ITEM;
                if (i < n)
                    room[next + i] = block_next(now, i, BLOCK_WORD(e, 0), BLOCK_WORD(e, 1),
                                                BLOCK_WORD(e, WALK_DIMS - 1));
            }
            BLOCK_WAIT;
        }
        for (i32 i = BLOCK_ITEM; i < own; i += BLOCK_ITEMS)
            to[block[0] + i] = room[steps % 2 * BLOCK_ROOM + i];
    }
}
/* SPDX-License-Identifier: MIT */

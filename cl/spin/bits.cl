/* Updates of one colour of spins of one bit (bits.clh), compiled for a shape; bits_state.cl has all other kernels. */
#include "spin/bits.clh"

NATIVE_PROGRAM(spin_bits_1, VEC=1)
NATIVE_PROGRAM(spin_bits_4, VEC=4)
NATIVE_PROGRAM(spin_bits_16, VEC=16)
NATIVE_PROGRAM(spin_bits_16_plane, VEC=16 BITS_SHAPE=BITS_PLANE)
NATIVE_PROGRAM(spin_bits_16_space, VEC=16 BITS_SHAPE=BITS_SPACE)
NATIVE_PROGRAM(spin_bits_rows, VEC=16 BITS_ROWS)
NATIVE_PROGRAM(spin_bits_rows_plane, VEC=16 BITS_ROWS BITS_SHAPE=BITS_PLANE)
NATIVE_PROGRAM(spin_bits_rows_space, VEC=16 BITS_ROWS BITS_SHAPE=BITS_SPACE)

/* Updates one colour in `each` words (a multiple of VEC) of `tall` rows per work-item.  The part has `rows` rows
 * without its halo.  The launch covers rows from row `first` of column `first_column` (bits_row_find) to `stop` - 1,
 * counting rows of the halo.  On CPU cores the second dimension has all these rows.  On GPUs, where divisions are
 * expensive, it has the rows of a column, and the third dimension has the columns.  `shape` is used only if BITS_SHAPE
 * is undefined. */
__kernel void bits_sweep(__global u32 *words, const __global u32 *tables, const __global struct spin_mesh *mesh,
                         const i32 rows, const i32 first, const i32 first_column, const i32 stop, const i32 column,
                         const i32 each, const i32 tall, const i32 shape, const i32 colour, const u64 seed,
                         const u64 step)
{
    const i64 begin = (i64)get_global_id(0) * each;
    const i32 row_words = bits_row_words(mesh);
#ifdef BITS_LANES
    const i32 of_column = first_column + (i32)get_global_id(2), left = stop - of_column * column;
    const i32 last = left < column ? left : column;
    const i64 top = first + (i64)get_global_id(1) * tall;
#else
    const i32 last = stop;
    const i64 top = first_column * column + first + (i64)get_global_id(1) * tall;
    i32 system = -1;
#endif
    struct bits_frame frame;
    struct bits_rule rule;           /* set in the first iteration, which gcc does not see */
    struct bits_draws draws;
    struct bits_row r;
#ifdef MW_HOST
    __builtin_memset(&rule, 0, sizeof rule);
#endif
    if (begin >= row_words || top >= last)
        return;
    const i32 end = begin + each < row_words ? (i32)begin + each : row_words;
    const i32 bottom = top + tall < last ? (i32)top + tall : last;
    bits_frame_make(mesh, rows, &frame);
    bits_counter_make(&draws.counter, (u32)(frame.stride < VEC ? frame.stride : VEC));
    draws.step = step;
    draws.seed = seed;
    draws.colour = (u32)colour;
#ifdef BITS_LANES
    /* A column is within one system. */
    const i32 system = BITS_SEVERAL(shape) && mesh->rows ? of_column * column / mesh->rows : 0;
    if (BITS_WHOLE(shape))
        bits_rule_find(tables + system * SPIN_RULE(BITS_DIMS(shape)), 0, shape, &rule);
#endif
    for (i32 y = (i32)top; y < bottom; y += BITS_ROWS_OF(frame.stride)) {
#ifdef BITS_LANES
        bits_row_find(mesh, words, rows, y, column, of_column, colour, shape, &r);
        if (!BITS_WHOLE(shape))
            bits_rule_find(tables + system * SPIN_RULE(BITS_DIMS(shape)), r.absent, shape, &rule);
#else
        bits_row_find(mesh, words, rows, y % column, column, y / column, colour, shape, &r);
        if (!BITS_WHOLE(shape) || r.system != system)
            bits_rule_find(tables + r.system * SPIN_RULE(BITS_DIMS(shape)), r.absent, shape, &rule);
        system = r.system;
#endif
        for (i32 w = (i32)begin; w < end; w += VEC)
            bits_update(words, mesh, &rule, &r, &frame, &draws, w, shape);
    }
}
/* SPDX-License-Identifier: MIT */

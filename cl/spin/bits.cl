/* Spins of one bit (bits.clh): a random start, from and to bytes, updates of one colour, and what is measured.  Items
 * of the first dimension share a row, those of the second have a row each. */
#include "spin/bits.clh"

NATIVE_PROGRAM(spin_bits_1, VEC=1)
NATIVE_PROGRAM(spin_bits_4, VEC=4)
NATIVE_PROGRAM(spin_bits_16, VEC=16)
NATIVE_PROGRAM(spin_bits_16_plane, VEC=16 BITS_SHAPE=BITS_PLANE)
NATIVE_PROGRAM(spin_bits_16_space, VEC=16 BITS_SHAPE=BITS_SPACE)
NATIVE_PROGRAM(spin_bits_rows, VEC=16 BITS_ROWS)
NATIVE_PROGRAM(spin_bits_rows_plane, VEC=16 BITS_ROWS BITS_SHAPE=BITS_PLANE)
NATIVE_PROGRAM(spin_bits_rows_space, VEC=16 BITS_ROWS BITS_SHAPE=BITS_SPACE)

/* Every other bit, from the lowest on. */
INLINE u32 every_other(u64 v)
{
    v &= 0x5555555555555555ul;
    v = (v | v >> 1) & 0x3333333333333333ul;
    v = (v | v >> 2) & 0x0F0F0F0F0F0F0F0Ful;
    v = (v | v >> 4) & 0x00FF00FF00FF00FFul;
    v = (v | v >> 8) & 0x0000FFFF0000FFFFul;
    return (u32)(v | v >> 16);
}

/* The words of both colours for the cells from 64 w on, of which bit x says that x is up. */
INLINE void put_words(__global u32 *words, const __global struct spin_mesh *mesh, const i32 rows,
                      const __private struct spin_row *row, const i32 w, const u64 up)
{
    for (i32 colour = 0; colour < 2; colour++)
        words[bits_at(mesh, rows, row->at, colour) + w] = every_other(up >> ((row->turn + colour) & 1)) &
                                                          bits_valid(mesh->length[0] / 2, w);
}

/* The same start as spins of one byte have. */
__kernel void bits_start(__global u32 *words, const __global struct spin_mesh *mesh, const i32 rows, const u64 seed)
{
    const i32 w = (i32)get_global_id(0), mine = (i32)get_global_id(1);
    struct spin_row row;
    if (mine >= rows || w >= bits_row_words(mesh))
        return;
    spin_row_find(mesh, mine, &row);
    const struct philox r = philox4x32_10((u32)w / 2u, (u32)row.number, 0u, SPIN_DRAW_START, (u32)seed,
                                          (u32)(seed >> 32));
    put_words(words, mesh, rows, &row, w, w & 1 ? (u64)r.word[3] << 32 | r.word[2] : (u64)r.word[1] << 32 | r.word[0]);
}

/* `cells` holds the rows as bytes, behind as many as the halo has. */
__kernel void bits_pack(__global u32 *words, const __global spin *cells, const __global struct spin_mesh *mesh,
                        const i32 rows)
{
    const i32 w = (i32)get_global_id(0), mine = (i32)get_global_id(1), length = mesh->length[0];
    struct spin_row row;
    u64 up = 0;
    if (mine >= rows || w >= bits_row_words(mesh))
        return;
    spin_row_find(mesh, mine, &row);
    for (i32 x = 0; x < 64 && 64 * w + x < length; x++)
        up |= (u64)(cells[(i64)(mine + mesh->halo) * length + 64 * w + x] > 0) << x;
    put_words(words, mesh, rows, &row, w, up);
}

__kernel void bits_unpack(const __global u32 *words, __global spin *cells, const __global struct spin_mesh *mesh,
                          const i32 rows)
{
    const i32 w = (i32)get_global_id(0), mine = (i32)get_global_id(1), length = mesh->length[0];
    struct spin_row row;
    if (mine >= rows || w >= bits_row_words(mesh))
        return;
    spin_row_find(mesh, mine, &row);
    for (i32 x = 0; x < 64 && 64 * w + x < length; x++) {
        const i32 colour = (row.turn + x) & 1;
        const u32 word = words[bits_at(mesh, rows, row.at, colour) + w];
        cells[(i64)(mine + mesh->halo) * length + 64 * w + x] = word >> x / 2 & 1u ? 1 : -1;
    }
}

/* Updates a colour in `each` words, a multiple of VEC, of `tall` rows.  Items of the second dimension have all rows of
 * the part; where items are lanes, to which divisions are dear, those of a column (bits_row_find), and the third has
 * columns.  `shape` is for programs that know none. */
__kernel void bits_sweep(__global u32 *words, const __global u32 *tables, const __global struct spin_mesh *mesh,
                         const i32 rows, const i32 column, const i32 each, const i32 tall, const i32 shape,
                         const i32 colour, const u64 seed, const u64 step)
{
    const i64 begin = (i64)get_global_id(0) * each, top = (i64)get_global_id(1) * tall;
    const i32 row_words = bits_row_words(mesh);
#ifdef BITS_LANES
    const i32 of_column = (i32)get_global_id(2), last = column;
    if ((i64)of_column * column >= rows)
        return;
#else
    const i32 last = rows;
    i32 system = -1;
#endif
    struct bits_frame frame;
    struct bits_rule rule;           /* found for the first row, which gcc does not see */
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
    /* A column is of one system. */
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

INLINE i32 ones(const u32 v)
{
#if defined(MW_OPENCL)
    return (i32)popcount(v);
#elif defined(MW_CUDA)
    return __popc(v);
#else
    return __builtin_popcount(v);
#endif
}

/* The neighbours along x of one word of a row that are not the same bit of the other colour; `end` is the spin whose
 * one is beyond the end, as `edge` of struct bits_row has it. */
INLINE u32 word_across(const __global u32 *other, const i32 odd, const u32 end, const i32 edge, const i32 w,
                       const i32 row_words)
{
    const u32 across = odd ? word_down(other[w], w + 1 < row_words ? other[w + 1] : 0u)
                           : word_up(other[w], w > 0 ? other[w - 1] : 0u);
    return edge > 0 ? across | end : across & ~end;
}

/* The sum of the spins of a word of both colours. */
INLINE i32 word_sum(const u32 word, const u32 valid) { return 2 * ones(word & valid) - ones(valid); }

/* For each item the sum of its spins and that of the products of the pairs that begin with them: all neighbours of
 * spins of colour 0, and what is outside of others.  `each` items share a row. */
__kernel void bits_measure(const __global u32 *words, __global i64 *spins, __global i64 *pairs,
                           const __global struct spin_mesh *mesh, const i32 rows, const i32 each)
{
    const i32 item = (i32)get_global_id(0), mine = (i32)get_global_id(1);
    const i32 n = mesh->length[0] / 2, row_words = bits_row_words(mesh);
    struct spin_row row;
    i64 all = 0, products = 0;
    if (mine >= rows || item >= each)
        return;
    spin_row_find(mesh, mine, &row);
    const __global u32 *own = words + bits_at(mesh, rows, row.at, 0), *other = words + bits_at(mesh, rows, row.at, 1);
    const i32 odd = row.turn & 1, edge = bits_edge(mesh, words, bits_at(mesh, rows, row.at, 1), odd, row.fixed);
    for (i32 w = item; w < row_words; w += each) {
        const u32 valid = bits_valid(n, w), up = own[w];
        const u32 end = bits_single(odd ? n - 1 : 0, w), single = bits_single(odd ? 0 : n - 1, w);
        const i32 sum = word_sum(up, valid) + word_sum(other[w], valid);
        all += sum;
        products += sum * row.outside + word_sum(~(up ^ other[w]), valid) +
                    word_sum(~(up ^ word_across(other, odd, end, edge, w, row_words)), edge < 0 ? valid & ~end : valid);
        for (i32 b = 0; b < row.beside; b++)
            products += word_sum(~(up ^ words[bits_at(mesh, rows, row.row[b], 1) + w]), valid);
        if (mesh->boundary[0] == BOUNDARY_FIXED)
            products += word_sum(other[w], single) * row.fixed;
    }
    spins[(i64)mine * each + item] = all;
    pairs[(i64)mine * each + item] = products;
}

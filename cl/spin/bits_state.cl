/* Spins of one bit (bits.clh): random start, conversion from and to bytes, and measures, in one program for all shapes.
 * Work-items of the first dimension share a row; the second dimension has the rows. */
#include "rng.clh"
#include "spin/bits_rows.clh"

NATIVE_PROGRAM(spin_bits_state, )

/* Extracts every other bit, from the lowest on. */
INLINE u32 every_other(u64 v)
{
    v &= 0x5555555555555555ul;
    v = (v | v >> 1) & 0x3333333333333333ul;
    v = (v | v >> 2) & 0x0F0F0F0F0F0F0F0Ful;
    v = (v | v >> 4) & 0x00FF00FF00FF00FFul;
    v = (v | v >> 8) & 0x0000FFFF0000FFFFul;
    return (u32)(v | v >> 16);
}

/* Stores the words of both colours for the cells from 64 w on; bit x of `up` is 1 if cell 64 w + x is up. */
INLINE void put_words(__global u32 *words, const __global struct spin_mesh *mesh, const i32 rows,
                      const __private struct spin_row *row, const i32 w, const u64 up)
{
    for (i32 colour = 0; colour < 2; colour++)
        words[bits_at(mesh, rows, row->at, colour) + w] = every_other(up >> ((row->turn + colour) & 1)) &
                                                          bits_valid(mesh->length[0] / 2, w);
}

/* Sets the same start as for spins of one byte. */
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

/* `cells` has the rows as bytes, after as many rows as the halo has. */
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

/* Returns the neighbours along x that are not the same bit of the other colour, for one word of a row.  `end` marks the
 * spin with its neighbour beyond the end of the row, and `edge` (struct bits_row) is that neighbour. */
INLINE u32 word_across(const __global u32 *other, const i32 odd, const u32 end, const i32 edge, const i32 w,
                       const i32 row_words)
{
    const u32 across = odd ? word_down(other[w], w + 1 < row_words ? other[w + 1] : 0u)
                           : word_up(other[w], w > 0 ? other[w - 1] : 0u);
    return edge > 0 ? across | end : across & ~end;
}

/* Returns the sum of the valid spins of a word. */
INLINE i32 word_sum(const u32 word, const u32 valid) { return 2 * ones(word & valid) - ones(valid); }

/* Computes, for each work-item, the sum of its spins and the sum of products of pairs: all pairs of spins of colour 0,
 * and those of the other colour with the outside.  `each` work-items share a row. */
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
        for (i32 b = 0; b < row.adjacent; b++)
            products += word_sum(~(up ^ words[bits_at(mesh, rows, row.row[b], 1) + w]), valid);
        if (mesh->boundary[0] == BOUNDARY_FIXED)
            products += word_sum(other[w], single) * row.fixed;
    }
    spins[(i64)mine * each + item] = all;
    pairs[(i64)mine * each + item] = products;
}
/* SPDX-License-Identifier: MIT */

/* Spins of one bit (bits.clh): a random start, from and to bytes, updates of one colour, and what is measured.  Items
 * of the first dimension share a row, those of the second have a row each. */
#include "spin/bits.clh"

NATIVE_PROGRAM(spin_bits_1, VEC=1)
NATIVE_PROGRAM(spin_bits_4, VEC=4)
NATIVE_PROGRAM(spin_bits_16, VEC=16)

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
INLINE void put_words(__global u32 *words, const __global struct spin_mesh *mesh, const __private struct spin_row *row,
                      const i32 w, const u64 up)
{
    const i32 odd = row->turn & 1;   /* cells of colour 0 */
    words[row->at + w] = every_other(up >> odd) & bits_valid(mesh->length[0] / 2, w);
    words[row->at + mesh->pitch / 2 + w] = every_other(up >> (1 - odd)) & bits_valid(mesh->length[0] / 2, w);
}

/* The same start as spins of one byte have. */
__kernel void bits_start(__global u32 *words, const __global struct spin_mesh *mesh, const i32 rows, const u64 seed)
{
    const i32 w = (i32)get_global_id(0), mine = (i32)get_global_id(1);
    struct spin_row row;
    if (mine >= rows || w >= (mesh->length[0] / 2 + 31) / 32)
        return;
    spin_row_find(mesh, mine, &row);
    const struct philox r = philox4x32_10((u32)w / 2u, (u32)row.number, 0u, SPIN_DRAW_START, (u32)seed,
                                          (u32)(seed >> 32));
    put_words(words, mesh, &row, w, w & 1 ? (u64)r.word[3] << 32 | r.word[2] : (u64)r.word[1] << 32 | r.word[0]);
}

/* `cells` holds the rows as bytes, behind as many as the halo has. */
__kernel void bits_pack(__global u32 *words, const __global spin *cells, const __global struct spin_mesh *mesh,
                        const i32 rows)
{
    const i32 w = (i32)get_global_id(0), mine = (i32)get_global_id(1), length = mesh->length[0];
    struct spin_row row;
    u64 up = 0;
    if (mine >= rows || w >= (length / 2 + 31) / 32)
        return;
    spin_row_find(mesh, mine, &row);
    for (i32 x = 0; x < 64 && 64 * w + x < length; x++)
        up |= (u64)(cells[(i64)(mine + mesh->halo) * length + 64 * w + x] > 0) << x;
    put_words(words, mesh, &row, w, up);
}

__kernel void bits_unpack(const __global u32 *words, __global spin *cells, const __global struct spin_mesh *mesh,
                          const i32 rows)
{
    const i32 w = (i32)get_global_id(0), mine = (i32)get_global_id(1), length = mesh->length[0];
    struct spin_row row;
    if (mine >= rows || w >= (length / 2 + 31) / 32)
        return;
    spin_row_find(mesh, mine, &row);
    for (i32 x = 0; x < 64 && 64 * w + x < length; x++) {
        const i32 colour = (row.turn + x) & 1;
        const u32 word = words[row.at + colour * (mesh->pitch / 2) + w];
        cells[(i64)(mine + mesh->halo) * length + 64 * w + x] = word >> x / 2 & 1u ? 1 : -1;
    }
}

/* Updates `each` words, a multiple of VEC, of a colour; `signs` of the rule: cl/spin/bits.clh. */
__kernel void bits_sweep(__global u32 *words, const __global u32 *rule, const __global struct spin_mesh *mesh,
                         const i32 rows, const i32 each, const i32 signs, const i32 colour, const u64 seed,
                         const u64 step)
{
    const i32 mine = (i32)get_global_id(1);
    const i64 begin = (i64)get_global_id(0) * each;
    struct spin_row row;
    if (mine >= rows || begin >= (mesh->length[0] / 2 + 31) / 32)
        return;
    spin_row_find(mesh, mine, &row);
    const struct bits_row r = bits_row_of(mesh, &row, words, colour);
    const i32 end = begin + each < r.words ? (i32)begin + each : r.words;
    for (i32 w = (i32)begin; w < end; w += VEC)
        bits_update(words, rule + row.system * SPIN_RULE(mesh->dims), &row, &r, w, mesh->dims, signs, row.fixed,
                    (1 - colour) * (mesh->pitch / 2), (u32)colour, seed, step);
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

/* The neighbours along x of one word that are not the same bit of the other colour. */
INLINE u32 word_across(const __global u32 *words, const __private struct bits_row *r, const i32 w)
{
    const __global u32 *other = words + r->other;
    const u32 end = bits_single(r->end, w);
    const u32 across = r->odd ? word_down(other[w], w + 1 < r->words ? other[w + 1] : 0u)
                              : word_up(other[w], w > 0 ? other[w - 1] : 0u);
    return r->edge > 0 ? across | end : across & ~end;
}

/* The sum of the spins of a word of both colours. */
INLINE i32 word_sum(const u32 word, const u32 valid) { return 2 * ones(word & valid) - ones(valid); }

/* For each item the sum of its spins and that of the products of the pairs that begin with them: all neighbours of
 * spins of colour 0, and what is outside of others.  `each` items share a row. */
__kernel void bits_measure(const __global u32 *words, __global i64 *spins, __global i64 *pairs,
                           const __global struct spin_mesh *mesh, const i32 rows, const i32 each)
{
    const i32 item = (i32)get_global_id(0), mine = (i32)get_global_id(1);
    struct spin_row row;
    i64 all = 0, products = 0;
    if (mine >= rows || item >= each)
        return;
    spin_row_find(mesh, mine, &row);
    const struct bits_row r = bits_row_of(mesh, &row, words, 0), o = bits_row_of(mesh, &row, words, 1);
    for (i32 w = item; w < r.words; w += each) {
        const u32 valid = bits_valid(r.n, w), up = words[r.own + w];
        const u32 end = bits_single(r.end, w), single = bits_single(o.end, w);
        const i32 sum = word_sum(up, valid) + word_sum(words[r.other + w], valid);
        all += sum;
        products += sum * row.outside + word_sum(~(up ^ words[r.other + w]), valid) +
                    word_sum(~(up ^ word_across(words, &r, w)), r.edge < 0 ? valid & ~end : valid);
        for (i32 b = 0; b < row.beside; b++)
            products += word_sum(~(up ^ words[row.row[b] + mesh->pitch / 2 + w]), valid);
        if (mesh->boundary[0] == BOUNDARY_FIXED)
            products += word_sum(words[o.own + w], single) * row.fixed;
    }
    spins[(i64)mine * each + item] = all;
    pairs[(i64)mine * each + item] = products;
}

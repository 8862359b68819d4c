/* Direct union-find on blocks of two cells a dimension, where all 3^dims - 1 neighbours count: then a block's cells of
 * one kind are neighbours of each other, and are of one component from the start.  They are named by the first of them,
 * their lead; so that there may be any number of kinds.
 *
 * Parents and roots are k-indices, -1 of background.  Cells join transitively here: they are equal, or on one side of a
 * threshold.  An item has a block. */
#include "label/mesh.clh"
#include "components/union_find.clh"
#include "label/chain.clh"

#define BLOCK_CELLS (1 << LATTICE_DIMS)

/* The coordinates of a block's first cell, and of the next block in dimension i. */
INLINE void block_x(kindex block, __private kindex *x)
{
#define BLOCK_X(i, length, stride, offset)                                                                           \
    x[i] = block % (length - length / 2) * 2;                                                                        \
    block /= length - length / 2;
    LATTICE_EACH(BLOCK_X)
}

#define N_BLOCKS_OF(i, length, stride, offset) * (u64)(length - length / 2)
#define N_BLOCKS (1 LATTICE_EACH(N_BLOCKS_OF))

/* The k-index of cell c of the block at x, which has a bit for each dimension; -1 where the mesh ends before. */
INLINE kindex block_cell(const __private kindex *x, const i32 c)
{
    kindex k = 0;
#define BLOCK_CELL(i, length, stride, offset)                                                                        \
    if (x[i] + (c >> i & 1) >= length)                                                                               \
        return -1;                                                                                                   \
    k += k_place(x[i] + (c >> i & 1), stride);
    LATTICE_EACH(BLOCK_CELL)
    return k;
}

/* The k-indices of a block's cells, their values, and the number of their lead in the block, -1 of background and
 * beyond the mesh. */
struct block { kindex k[BLOCK_CELLS]; element value[BLOCK_CELLS]; i32 lead[BLOCK_CELLS]; };

INLINE void block_load(__private struct block *b, const __global element *from, const __private kindex *x)
{
    for (i32 c = 0; c < BLOCK_CELLS; c++) {
        b->k[c] = block_cell(x, c);
        b->value[c] = from[b->k[c] < 0 ? b->k[0] : b->k[c]];
        b->lead[c] = b->k[c] < 0 || IS_BACKGROUND(b->value[c]) ? -1 : c;
        for (i32 lead = c - 1; lead >= 0; lead--)
            if (b->lead[c] >= 0 && b->lead[lead] == lead && JOINED(b->value[lead], b->value[c]))
                b->lead[c] = lead;
    }
}

/* The block that step j leads to: the first of the cells in which it meets the block at x, and for each dimension
 * whether it meets it with one cell (bit of `narrow`) or with two.  0 where there is none. */
INLINE i32 next_block(const __private kindex *x, const i32 j, __private kindex *to, __private i32 *narrow)
{
    *narrow = 0;
#define NEXT_BLOCK(i, length, stride, offset)                                                                        \
    to[i] = x[i] + (mesh_step(j, i) > 0 ? 2 : mesh_step(j, i));                                                      \
    if (mesh_step(j, i) != 0)                                                                                        \
        *narrow |= 1 << i;                                                                                           \
    if (to[i] < 0 || to[i] >= length) {                                                                              \
        if (!(PERIODIC >> i & 1))                                                                                    \
            return 0;                                                                                                \
        to[i] = to[i] < 0 ? length - 1 : 0;                                                                          \
    }
    LATTICE_EACH(NEXT_BLOCK)
    return 1;
}

/* Whether cell c of the block at x meets the block that step j leads to: the first cells do by steps down, and the last
 * ones of those that there are by steps up. */
INLINE i32 meets(const __private kindex *x, const i32 c, const i32 j)
{
#define MEETS(i, length, stride, offset)                                                                             \
    if ((mesh_step(j, i) < 0 && (c >> i & 1) != 0) ||                                                                \
        (mesh_step(j, i) > 0 && (c >> i & 1) == 0 && x[i] + 1 < length))                                             \
        return 0;
    LATTICE_EACH(MEETS)
    return 1;
}

/* A cell of the block that step j leads to which the kind of `lead` joins, -1 where there is none. */
INLINE kindex joined_cell(const __global element *from, const __private struct block *b, const __private kindex *x,
                          const i32 lead, const i32 j)
{
    kindex to[LATTICE_DIMS];
    i32 narrow, touches = 0;
    for (i32 c = lead; c < BLOCK_CELLS; c++)
        touches = touches || (b->lead[c] == lead && meets(x, c, j));
    if (!touches || !next_block(x, j, to, &narrow))
        return -1;
    for (i32 there = 0; there < BLOCK_CELLS; there++) {
        const kindex n = there & narrow ? -1 : block_cell(to, there);
        if (n >= 0 && JOINED(b->value[lead], from[n]))
            return n;
    }
    return -1;
}

/* The step to the earlier block below whose cells a kind starts, -1 of none, and the cell there. */
INLINE i32 first_joined(const __global element *from, const __private struct block *b, const __private kindex *x,
                        const i32 lead, __private kindex *first)
{
    for (i32 j = 0; j < N_EARLIER; j++) {
        const kindex n = is_cut(x, j) ? -1 : joined_cell(from, b, x, lead, j);
        if (n >= 0 && n < b->k[lead]) {
            *first = n;
            return j;
        }
    }
    *first = b->k[lead];
    return -1;
}

/* Every cell under its block's lead of its kind, and leads under a cell of an earlier block, if there is one that they
 * join. */
__kernel void label_block_first(__global label *parents, const __global element *from)
{
    kindex x[LATTICE_DIMS], first;
    struct block b;
    if ((u64)get_global_id(0) >= N_BLOCKS)
        return;
    block_x((kindex)get_global_id(0), x);
    block_load(&b, from, x);
    for (i32 c = 0; c < BLOCK_CELLS; c++) {
        if (b.lead[c] == c) {
            first_joined(from, &b, x, c, &first);
            parents[b.k[c]] = first;
        } else if (b.k[c] >= 0) {
            parents[b.k[c]] = b.lead[c] < 0 ? -1 : b.k[b.lead[c]];
        }
    }
}

/* The other earlier blocks that a block's kinds join. */
__kernel void label_block_merge(shared_parents parents, const __global element *from)
{
    kindex x[LATTICE_DIMS], first;
    struct block b;
    if ((u64)get_global_id(0) >= N_BLOCKS)
        return;
    block_x((kindex)get_global_id(0), x);
    block_load(&b, from, x);
    for (i32 lead = 0; lead < BLOCK_CELLS; lead++) {
        if (b.lead[lead] != lead)
            continue;
        const i32 m = first_joined(from, &b, x, lead, &first);
        for (i32 j = 0; j < N_EARLIER; j++) {
            const kindex n = j == m ? -1 : joined_cell(from, &b, x, lead, j);
            if (n >= 0)
                unite(parents, b.k[lead], n);
        }
    }
}

#include "label/compress.clh"

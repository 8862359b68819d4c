/* Labels move from cell to cell until nothing changes: kernels A to C of Hawick, Leist and Playne.
 *
 * Labels are k-indices; -1: background.  A cell's label only decreases, to that of a connected cell.  Round r is
 * skipped if changed[r], set by the previous round, is 0; it sets changed[r + 1] to 1 if it changes a label.
 * Work-items never read what others write in the same launch: labels move from `in` to `out`, which are equal at the
 * end, or a work-item owns a line of cells.
 *
 *   TILE_ITEMS  for label_propagate_tile: cells of a tile and work-items of a work-group
 *   TILE_EACH(X) X(i, bits, offset, tiles) for each dimension: a tile is 2^bits cells long, its coordinate is in the
 *               bits of the work-item's number from `offset` on, and the mesh has `tiles` tiles
 *   SWEEPS      for label_sweep */
#include "label/mesh.clh"

/* Each cell gets a label of its own. */
__kernel void label_start(__global kindex *labels, VALUES from)
{
    const u64 k = get_global_id(0);
    if (k < LATTICE_CELLS)
        labels[k] = IS_BACKGROUND(VALUE_AT(from, k)) ? -1 : (kindex)k;
}

/* Returns the smallest label of a cell, which is not background, and its neighbours. */
INLINE kindex least_around(const __global kindex *labels, VALUES from, const __private kindex *x, const element value,
                           const kindex mine)
{
    kindex least = mine;
    for (i32 j = 0; j < N_NEIGHBOURS; j++) {
        const kindex n = mesh_neighbour(x, j);
        if (n >= 0 && mesh_joined(from, value, n) && labels[n] < least)
            least = labels[n];
    }
    return least;
}

/* Neighbour propagation, kernel A: each cell takes the smallest label of its neighbours. */
__kernel void label_propagate(__global kindex *out, const __global kindex *in, VALUES from, __global i32 *changed,
                              const i32 r)
{
    const u64 k = get_global_id(0);
    if (k >= LATTICE_CELLS || !changed[r])
        return;
    kindex label = in[k];
    if (label >= 0) {
        kindex x[LATTICE_DIMS];
        mesh_x((kindex)k, x);
        const kindex least = least_around(in, from, x, VALUE_AT(from, k), label);
        if (least < label) {
            changed[r + 1] = 1;
            label = least;
        }
    }
    out[k] = label;
}

#ifdef TILE_ITEMS

/* Iterations in local memory.  Some drivers stop the loops of a work-item after 65535 iterations in all; the next
 * launch does the rest. */
#define TILE_ROUNDS (32768 / N_NEIGHBOURS + 1)

/* Returns the work-item with neighbour j of the cell of work-item `id` at coordinates x; -1: outside the tile or the
 * mesh. */
INLINE i32 neighbour_in_tile(const i32 id, const __private kindex *x, const i32 j)
{
    i32 to = 0, at;
    kindex cell;
#define TILE_STEP(i, bits, offset, tiles)                                                                            \
    at = (id >> offset & ((1 << bits) - 1)) + mesh_step(j, i);                                                       \
    cell = x[i] + mesh_step(j, i);                                                                                   \
    if (at < 0 || at >= 1 << bits || cell >= lattice_length(i))                                                      \
        return -1;                                                                                                   \
    to |= at << offset;
    TILE_EACH(TILE_STEP)
    return to;
}

/* Local neighbour propagation, kernel B: the same, repeated in local memory until the tile is stable. */
__kernel OF_ITEMS(TILE_ITEMS, 1)
void label_propagate_tile(__global kindex *out, const __global kindex *in, VALUES from, __global i32 *changed,
                          const i32 r)
{
    SHARED kindex labels[TILE_ITEMS];
    SHARED element values[TILE_ITEMS];
    SHARED i32 moved[2];
    const i32 id = (i32)get_local_id(0), work = changed[r];
    kindex tile = (kindex)(get_global_id(0) / TILE_ITEMS), x[LATTICE_DIMS], k = 0, before = -1, label = -1;
    i32 inside = 1;
#define TILE_X(i, bits, offset, tiles)                                                                               \
    x[i] = (tile % (tiles) << bits) + (id >> offset & ((1 << bits) - 1));                                            \
    tile /= tiles;                                                                                                   \
    inside = inside && x[i] < lattice_length(i);
    TILE_EACH(TILE_X)
    if (inside)
        k = lattice_k(x);
    const element value = VALUE_AT(from, k);
    if (work && inside) {
        before = label = in[k];
        if (label >= 0)
            label = least_around(in, from, x, value, label);
    }
    values[id] = value;
    if (id == 0)
        moved[0] = 0;
    i32 again = work;
    for (i32 round = 0; round < TILE_ROUNDS && again; round++) { /* uniform: `again` is that of the work-group */
        labels[id] = label;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id == 0)
            moved[(round + 1) & 1] = 0;
        if (label >= 0) {
            kindex least = label;
            for (i32 j = 0; j < N_NEIGHBOURS; j++) {
                const i32 n = neighbour_in_tile(id, x, j);
                if (n >= 0 && JOINED(value, values[n]) && labels[n] < least)
                    least = labels[n];
            }
            if (least < label) {
                moved[round & 1] = 1;
                label = least;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        again = moved[round & 1];
    }
    if (work && inside) {
        if (label < before)
            changed[r + 1] = 1;
        out[k] = label;
    }
}

#endif

#ifdef SWEEPS

/* Directional propagation, kernel C: moves along a line of cells, over `cell_count` cells from `first_cell` on.  Copies
 * the label of a cell to the next one if they join.  `way` 1 or -1: up or down; cells count from the end
 * where it starts.  In periodic dimensions the last cell precedes the first. */
__kernel void label_sweep(__global kindex *labels, VALUES from, __global i32 *changed, const i32 r,
                          const i64 line_length, const i64 line_stride, const i64 first_cell, const i64 cell_count,
                          const i32 way, const i32 periodic)
{
    const kindex length = (kindex)line_length, stride = (kindex)line_stride;
    const kindex first = (kindex)first_cell, count = (kindex)cell_count;
    const kindex line = (kindex)get_global_id(0);
    if ((u64)get_global_id(0) >= (u64)LATTICE_CELLS / (u64)length || !changed[r])
        return;
    const kindex start = line / stride * stride * length + line % stride + (way < 0 ? (length - 1) * stride : 0);
    const kindex step = way * stride;
    const kindex last = first > 0 ? first - 1 : length - 1;
    kindex carried = first > 0 || periodic ? labels[start + last * step] : -1;
    element value = VALUE_AT(from, start + last * step);
    i32 moved = 0;
    for (kindex i = first; i < first + count; i++) {
        const kindex k = start + i * step, label = labels[k];
        const element next = VALUE_AT(from, k);
        if (label >= 0 && carried >= 0 && carried < label && JOINED(value, next)) {
            labels[k] = carried;
            moved = 1;
        } else {
            carried = label;
        }
        value = next;
    }
    if (moved)
        changed[r + 1] = 1;
}

#endif
/* SPDX-License-Identifier: MIT */

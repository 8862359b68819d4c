/* Labelling by words of bits: the passes of src/label/bits.c.
 *
 *   bits_tile    a tile's nodes are joined in local memory; each learns its root there, and roots at the tile's border,
 *                its edges, become their own parents: by k-indices, in `parents`, nobody else has one
 *   bits_hook    edges go under smaller ones that they join across borders, and where the mesh wraps around; which
 *                pairs these are is listed ...
 *   bits_flatten ... and these under their roots, so that chains through many tiles are short for ...
 *   bits_join    ... this, which unites what still is apart
 *   bits_settle  edges learn their roots in the mesh; of each row of a tile: which roots are left, and how many
 *   bits_write   roots' numbers, by how many stand before them, to nodes, and from these to cells
 *
 * Of a tile stand together: `segments` and `roots` of its segments; in `tops`, in the order of nodes, their roots in
 * the tile, as segment * 32 + cell, or NO_ROOT of background; `edges`, likewise, in any order, and in `edge_roots` the
 * k-indices of what are their roots in the mesh. */
#define UNION_FIND_LOCAL 1
#include "label/bits/borders.clh"
#include "label/bits/nodes.clh"

GROUP_SCAN(scan_items, u32)

/* ---- tiles ---- */

/* What an item reads of its segment. */
INLINE struct segment segment_read(const __global element *from, const struct place here)
{
    struct segment s;
    struct place up = here;
    s.here = here;
    const i32 cells = place_cells(here), has_up = STEPS > 0 && place_step(here, 0, &up) == INSIDE;
    s.up = word_meets(from, here, up, has_up);
    s.left = s.up.left, s.none = s.up.none;
    s.starts = cells > 0 ? (~s.left & up_to(cells - 1)) | 1 : 0;
    s.ends = cells > 0 ? s.starts >> 1 | 1u << (cells - 1) : 0;
    s.joins_before = cells > 0 ? s.left & ~s.none & 1 : 0;
    return s;
}

/* The segment's roots, which become their own parents where they are at the border. */
INLINE u32 roots_tell(const struct segment *s, IN_LOCAL i32 *nodes, const struct segment_nodes own,
                      __global label *parents, __global unsigned short *edges, volatile IN_LOCAL u32 *edge_count)
{
    const kindex k = place_cell(s->here);
    u32 bits = s->alone & ~s->none, roots = 0;
    EACH_BIT(end, bits) {
        const i32 node = node_of(own, end), above = nodes[node];
        if (above == node || above == AT_BORDER) {
            const i32 c = first_of(s->starts, end);
            roots |= 1u << c;
            nodes[node] = FIRST_CELL(ITEM, c);
            if (above == AT_BORDER) {
                edges[ATOMIC_ADD_32(edge_count, 1u)] = (unsigned short)(ITEM * 32 + c);
                parents[k + c] = (label)(k + c);
            }
        }
    }
    return roots;
}

__kernel void bits_tile(const __global element *from, __global label *parents, __global struct segment_nodes *segments,
                        __global struct segment_roots *roots, __global unsigned short *tops,
                        __global unsigned short *edges, __global struct tile_counts *tiles)
{
    SHARED i32 nodes[TILE_NODES < 2 * GROUP ? 2 * GROUP : TILE_NODES]; /* at first of the scan */
    SHARED struct segment_nodes own[GROUP];
    SHARED u32 edge_count;
    const kindex tile = (kindex)PART_NUMBER;
    struct segment s = segment_read(from, place_in_tile(tile, ITEM));
    struct segment_nodes mine;
    struct segment_roots result;
    u32 count;
    if (ITEM == 0)
        edge_count = 0;
    mine.before = (i32)scan_items((IN_LOCAL u32 *)nodes, (u32)ones(s.starts), &count) - 1;
    mine.cuts = s.starts & ~(s.left & 1);
    own[ITEM] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    nodes_touch(&s, from, own);
    nodes_start(&s, nodes, own);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 i = 0; i < SWEEPS; i++)
        nodes_rise(nodes, (i32)count);
    nodes_join(&s, nodes, own);
    barrier(CLK_LOCAL_MEM_FENCE);
    nodes_finish(&s, nodes, mine, (i32)count);
    barrier(CLK_LOCAL_MEM_FENCE);
    result.roots = roots_tell(&s, nodes, mine, parents, edges + (i64)tile * EDGES, &edge_count);
    result.before = 0;
    segments[tile * GROUP + ITEM] = mine;
    roots[tile * GROUP + ITEM] = result;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 x = ITEM; x < (i32)count; x += GROUP) {
        const i32 above = nodes[x];
        tops[(i64)tile * TILE_NODES + x] = TOP_OF(above >= 0 ? nodes[above] : above);
    }
    if (ITEM == 0) {
        tiles[tile].edges = edge_count;
        tiles[tile].nodes = count;
    }
}

/* ---- borders ---- */

__kernel void bits_hook(const __global element *from, shared_parents parents,
                        const __global struct segment_nodes *segments, const __global unsigned short *tops,
                        __global struct pair *pairs, __global unsigned char *listed)
{
    const u64 item = get_global_id(0);
    struct joiner j;
    j.from = from, j.parents = parents, j.segments = segments, j.tops = tops, j.whole = 0;
    if (!join_takes(&j, pairs, item))
        return;
    join_item(&j, item);
    listed[item] = (unsigned char)(j.found <= j.room ? j.found : TOO_MANY);
}

/* has_lists: whether bits_hook has been there. */
__kernel void bits_join(const __global element *from, shared_parents parents,
                        const __global struct segment_nodes *segments, const __global unsigned short *tops,
                        __global struct pair *pairs, const __global unsigned char *listed, const i32 has_lists)
{
    const u64 item = get_global_id(0);
    struct joiner j;
    j.from = from, j.parents = parents, j.segments = segments, j.tops = tops, j.whole = 1;
    if (!join_takes(&j, pairs, item))
        return;
    const i32 count = has_lists ? (i32)listed[item] : TOO_MANY;
    if (count == TOO_MANY)
        join_item(&j, item);
    else
        for (i32 i = 0; i < count; i++)
            join_roots(&j, j.pairs[i * j.stride].a, j.pairs[i * j.stride].b);
}

/* An edge's root, while all others look for theirs: each puts itself under what is above its parent, so that chains
 * may become shorter by half each time.  Nobody but its own item stores an edge's parent. */
INLINE label edge_root(shared_parents parents, const label k)
{
    label above = LABEL_LOOK(parents + k), next = LABEL_LOOK(parents + above);
    while (next != above) {
        LABEL_STORE(parents + k, next);
        above = next;
        next = LABEL_LOOK(parents + above);
    }
    return above;
}

/* The k-index of a cell of a tile, by segment * 32 + cell. */
INLINE label tile_cell(const kindex tile, const i32 cell)
{
    return (label)(place_cell(place_in_tile(tile, cell >> 5)) + (cell & 31));
}

__kernel void bits_flatten(shared_parents parents, const __global unsigned short *edges,
                           const __global struct tile_counts *tiles)
{
    const kindex tile = (kindex)PART_NUMBER;
    const i32 count = (i32)tiles[tile].edges;
    for (i32 i = ITEM; i < count; i += GROUP)
        edge_root(parents, tile_cell(tile, edges[(i64)tile * EDGES + i]));
}

/* ---- numbers ---- */

/* Where the counts of a tile's rows stand, in the order of the mesh. */
INLINE kindex place_count(const struct place p) { return place_row(p) * TILES_X + (p.x >> TILE_X); }

__kernel void bits_settle(shared_parents parents, __global struct segment_roots *roots,
                          const __global unsigned short *edges, __global label *edge_roots,
                          const __global struct tile_counts *tiles, __global label *counts)
{
    SHARED u32 lost[GROUP], left[GROUP];
    const kindex tile = (kindex)PART_NUMBER;
    const i32 count = (i32)tiles[tile].edges;
    const struct place here = place_in_tile(tile, ITEM);
    struct segment_roots mine = roots[tile * GROUP + ITEM];
    lost[ITEM] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 i = ITEM; i < count; i += GROUP) {
        const i32 cell = edges[(i64)tile * EDGES + i];
        const label k = tile_cell(tile, cell), root = edge_root(parents, k);
        edge_roots[(i64)tile * EDGES + i] = root;
        if (root != k)
            ATOMIC_OR_32((volatile IN_LOCAL u32 *)lost + (cell >> 5), 1u << (cell & 31));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine.roots &= ~lost[ITEM];
    left[ITEM] = (u32)ones(mine.roots);
    barrier(CLK_LOCAL_MEM_FENCE);
    mine.before = 0;
    for (i32 i = ITEM >> TILE_X << TILE_X; i < ITEM; i++)
        mine.before += left[i];
    roots[tile * GROUP + ITEM] = mine;
    if ((ITEM + 1 & ((1 << TILE_X) - 1)) == 0 && here.y < LENGTH_Y && here.z < LENGTH_Z)
        counts[place_count(here)] = (label)(mine.before + left[ITEM]);
}

/* The number of a root of the mesh. */
INLINE label number_of(const __global struct segment_roots *roots, const __global label *counts, const label k)
{
    const struct place p = place_of_cell((kindex)k);
    const struct segment_roots is = roots[place_word(p)];
    return counts[place_count(p)] + (label)is.before + (label)ones(is.roots & up_to((i32)(k % LENGTH_X & 31)));
}

/* Labels of four cells at once, where all rows begin at multiples of 16 bytes. */
#if defined(LABELS_64) || defined(LABEL_64)
#define WRITTEN 1
#else
#define WRITTEN (LENGTH_X % 4 == 0 ? 4 : 1)
#endif

INLINE void labels_store(__global written_label *to, const __private label *four)
{
#if defined(LABELS_64) || defined(LABEL_64)
    *to = four[0];
#else
    if (WRITTEN == 4) {
        uint4 all;
        all.x = (u32)four[0], all.y = (u32)four[1], all.z = (u32)four[2], all.w = (u32)four[3];
        *(__global uint4 *)to = all;
    } else {
        *to = four[0];
    }
#endif
}

/* Roots first; other nodes look theirs up, and cells their nodes. */
__kernel void bits_write(__global written_label *labels, const __global struct segment_nodes *segments,
                         const __global struct segment_roots *roots, const __global unsigned short *tops,
                         const __global unsigned short *edges, const __global label *edge_roots,
                         const __global struct tile_counts *tiles, const __global label *counts)
{
    SHARED label numbers[TILE_NODES];
    SHARED struct segment_nodes own[GROUP];
    SHARED kindex begins[GROUP];
    SHARED i32 filled[GROUP];
    const kindex tile = (kindex)PART_NUMBER;
    const struct tile_counts count = tiles[tile];
    const struct place here = place_in_tile(tile, ITEM);
    const struct segment_nodes mine = segments[tile * GROUP + ITEM];
    const struct segment_roots is = roots[tile * GROUP + ITEM];
    own[ITEM] = mine;
    begins[ITEM] = place_cell(here);
    filled[ITEM] = place_cells(here);
    u32 bits = is.roots;
    if (bits) {
        label number = counts[place_count(here)] + (label)is.before;
        EACH_BIT(c, bits)
            numbers[node_of(mine, c)] = ++number;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 i = ITEM; i < (i32)count.edges; i += GROUP) {
        const i32 cell = edges[(i64)tile * EDGES + i];
        const label root = edge_roots[(i64)tile * EDGES + i];
        if (root != tile_cell(tile, cell))
            numbers[node_of(own[cell >> 5], cell & 31)] = number_of(roots, counts, root);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 x = ITEM; x < (i32)count.nodes; x += GROUP) {
        const u32 top = tops[(i64)tile * TILE_NODES + x];
        if (top == NO_ROOT) {
            numbers[x] = 0;
        } else {
            const i32 root = node_of(own[top >> 5], (i32)(top & 31));
            if (root != x)
                numbers[x] = numbers[root];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 at = ITEM * WRITTEN; at < 32 * GROUP; at += GROUP * WRITTEN) {
        const i32 item = at >> 5, c = at & 31;
        if (c < filled[item]) {
            const struct segment_nodes of = own[item];
            i32 node = node_of(of, c);
            label four[WRITTEN];
            four[0] = numbers[node];
            UNROLL_ALL
            for (i32 i = 1; i < WRITTEN; i++) {
                node += (i32)(of.cuts >> (c + i) & 1);
                four[i] = numbers[node];
            }
            labels_store(labels + begins[item] + c, four);
        }
    }
}
/* SPDX-License-Identifier: MIT */

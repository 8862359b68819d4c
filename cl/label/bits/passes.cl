/* Labelling with words of bits: the passes of src/label/bits.c.
 *
 *   bits_tile        joins the nodes of a tile in local memory and finds their roots.  Edges, which are the roots at
 *                    the tile's border, become their own parents in `parents`, by k-index; no other cells have parents
 *   bits_hook        hooks edges to the smallest edge they join across borders and periodic ends; lists the pairs
 *   bits_flatten     hooks edges to their roots, so that chains through many tiles are short
 *   bits_hook_roots  (with large components) hooks roots to the smallest root they join; then flattened again
 *   bits_join        unites the remaining pairs
 *   bits_settle      finds the roots of edges in the mesh; counts the remaining roots of each row of a tile
 *   bits_write       numbers roots by the counts before them; copies numbers to nodes, then to cells
 *   bits_sizes       instead of it, if only sizes are needed: adds the cells of nodes to their roots, then to numbers
 *
 * Arrays are stored tile by tile:
 * - `segments`: its segments
 * - `kinds`: which cells are above the threshold, or which are background if there is one
 * - `roots`: which nodes are roots, of the tile, finally of the mesh
 * - `roots_before`: the number of roots before the segment in the tile's row
 * - `tops`: the roots of nodes within the tile, as segment * 32 + cell
 * - `edges`: in the same form, in any order; `edge_roots`: k-indices of their roots in the mesh
 * - `end_values` and `end_roots`: the first and last cell of each of its rows, and their roots within the tile */
#define UNION_FIND_LOCAL 1
#include "label/bits/borders.clh"
#include "label/bits/nodes.clh"

GROUP_SCAN(scan_items, u32)

/* ---- tiles ---- */

/* Reads a work-item's segment. */
INLINE struct segment segment_read(const struct tile_cells cells, const struct place here)
{
    struct segment s;
    struct place up = here;
    s.here = here;
    const i32 count = place_cells(here), has_up = STEPS > 0 && place_step(here, 0, &up) == INSIDE;
    s.up = tile_meets(cells, here, has_up ? up : here, has_up ? ITEM + step_items(0) : ITEM);
    const u32 all = count > 0 ? up_to(count - 1) : 0;
    s.left = s.up.left, s.none = s.up.none;
    s.inside = s.left & ~s.none & all & ~1u;
    s.starts = all & ((~s.none & ~s.inside) | 1);
    s.ends = all & ~s.none & ~(s.inside >> 1);
    s.joins_before = s.left & ~s.none & all & 1;
    return s;
}

/* Finds the roots of the segment; those at the border become their own parents. */
INLINE u32 roots_tell(const struct segment *s, IN_LOCAL i32 *nodes, volatile IN_LOCAL u32 *at_border,
                      const struct segment_nodes own, __global label *parents, __global unsigned short *edges,
                      volatile IN_LOCAL u32 *edge_count)
{
    const kindex k = place_cell(s->here);
    u32 bits = s->alone, roots = 0;
    if (segment_begins_empty(s))
        nodes[own.before + 1] = FIRST_CELL(ITEM, 0);
    EACH_BIT(end, bits) {
        const i32 node = node_of(own, end);
        if (nodes[node] == node) {
            const i32 c = first_of(s->starts, end);
            roots |= 1u << c;
            nodes[node] = FIRST_CELL(ITEM, c);
            if (node_is_marked(at_border, node)) {
                edges[ATOMIC_ADD_32(edge_count, 1u)] = (unsigned short)(ITEM * 32 + c);
                parents[k + c] = (label)(k + c);
            }
        }
    }
    return roots;
}

/* Returns the root of a node in the form of `tops`. */
INLINE unsigned short node_top(const IN_LOCAL i32 *nodes, const i32 x)
{
    const i32 above = nodes[x];
    return CELL_OF(above >= 0 ? nodes[above] : above);
}

/* Stores the cells at the tile's ends along x. */
INLINE void ends_tell(const struct segment *s, const IN_LOCAL i32 *nodes, const struct segment_nodes own,
                      const __global element *from, __global element *values, __global unsigned short *roots)
{
    const i32 cells = place_cells(s->here);
    const kindex k = place_cell(s->here), tile_x = s->here.x >> TILE_X, row = place_row(s->here);
    if (SIDES == 0 || cells == 0)
        return;
    if (!place_has_before(s->here)) {
        values[end_at(0, tile_x, row)] = from[k];
        roots[end_at(0, tile_x, row)] = node_top(nodes, own.before + 1);
    }
    if (!place_has_after(s->here)) {
        values[end_at(1, tile_x, row)] = from[k + cells - 1];
        roots[end_at(1, tile_x, row)] = node_top(nodes, own.before + ones(s->starts));
    }
}

__kernel void bits_tile(const __global element *from, __global label *parents, __global struct segment_nodes *segments,
                        __global u32 *kinds, __global u32 *roots, __global unsigned short *tops,
                        __global unsigned short *edges, __global struct tile_counts *tiles,
                        __global element *end_values, __global unsigned short *end_roots)
{
    SHARED i32 nodes[TILE_NODES < 2 * GROUP ? 2 * GROUP : TILE_NODES]; /* used by the scan first */
    SHARED struct segment_nodes own[GROUP];
    SHARED u32 at_border[NODE_WORDS], edge_count, pair_count, above[TILE_KINDS];
    const kindex tile = (kindex)PART_NUMBER;
    struct tile_cells cells;
    cells.from = from, cells.kinds = above;
#if JOIN == JOIN_THRESHOLD
    tile_above(from, tile, above);
#endif
    struct segment s = segment_read(cells, place_in_tile(tile, ITEM));
    struct segment_nodes mine;
    struct node_pairs pairs;
    u32 count;
    if (ITEM == 0)
        edge_count = pair_count = 0;
    for (i32 i = ITEM; i < NODE_WORDS; i += GROUP)
        at_border[i] = 0;
    mine.before = (i32)scan_items((IN_LOCAL u32 *)nodes, (u32)ones(s.starts), &count) - 1;
    mine.cuts = s.starts & ~s.joins_before;
    own[ITEM] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    pairs.at = nodes + count, pairs.room = TILE_NODES - (i32)count, pairs.end = &pair_count;
    nodes_touch(&s, cells, own);
    nodes_start(&s, nodes, own);
    nodes_at_border(&s, at_border, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 i = 0; i < SWEEPS; i++)
        nodes_rise(nodes, (i32)count);
    const i32 has_no_room = nodes_list(&s, nodes, own, pairs);
    barrier(CLK_LOCAL_MEM_FENCE);
    nodes_join_listed(nodes, own, pairs);
    if (has_no_room)
        pairs_take_all(&s, pairs, 0, nodes, own, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    nodes_finish(nodes, at_border, (i32)count);
    barrier(CLK_LOCAL_MEM_FENCE);
    roots[tile * GROUP + ITEM] = roots_tell(&s, nodes, at_border, mine, parents, edges + (i64)tile * EDGES,
                                            &edge_count);
    segments[tile * GROUP + ITEM] = mine;
    if (HAS_KINDS)
        kinds[tile * GROUP + ITEM] = KIND_OF(cells, s.none);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 x = ITEM; x < (i32)count; x += GROUP)
        tops[(i64)tile * TILE_NODES + x] = node_top(nodes, x);
    ends_tell(&s, nodes, mine, from, end_values, end_roots);
    if (ITEM == 0) {
        tiles[tile].edges = edge_count;
        tiles[tile].nodes = count;
    }
}

/* ---- borders ---- */

__kernel void bits_hook(const __global element *from, const __global u32 *kinds, shared_parents parents,
                        const __global struct segment_nodes *segments, const __global unsigned short *tops,
                        const __global element *end_values, const __global unsigned short *end_roots,
                        __global struct pair *pairs, __global unsigned char *listed)
{
    const u64 item = get_global_id(0);
    struct joiner j;
    j.cells.from = from, j.cells.kinds = kinds, j.parents = parents, j.segments = segments, j.tops = tops;
    j.end_values = end_values, j.end_roots = end_roots, j.does = LIST;
    if (!join_takes(&j, pairs, item))
        return;
    join_item(&j, item);
    listed[item] = (unsigned char)(j.found <= j.room ? j.found : TOO_MANY);
}

/* With listed pairs a segment has a work-item per PAIRS_AT_ONCE pairs. */
#define JOIN_TURNS (SEGMENT_PAIRS / PAIRS_AT_ONCE)
INLINE i32 join_turn(const u64 number, const i32 turns)
{
    return number < turns * BORDER_SEGMENTS ? (i32)(number / SEGMENTS_OR_ONE) : turns - 1;
}

/* After bits_flatten the parent of each edge is a root.  Work-items with too many pairs are left to bits_join. */
__kernel void bits_hook_roots(shared_parents parents, __global struct pair *pairs,
                              const __global unsigned char *listed)
{
    const u64 number = get_global_id(0);
    const i32 turn = join_turn(number, JOIN_TURNS);
    const u64 item = number - (u64)turn * BORDER_SEGMENTS;
    struct joiner j;
    j.parents = parents, j.does = HOOK;
    if (join_takes(&j, pairs, item) && listed[item] != TOO_MANY)
        join_listed(&j, item < BORDER_SEGMENTS ? turn * PAIRS_AT_ONCE : 0, listed[item]);
}

/* has_lists: whether bits_hook has run. */
__kernel void bits_join(const __global element *from, const __global u32 *kinds, shared_parents parents,
                        const __global struct segment_nodes *segments, const __global unsigned short *tops,
                        const __global element *end_values, const __global unsigned short *end_roots,
                        __global struct pair *pairs, const __global unsigned char *listed, const i32 has_lists)
{
    const u64 number = get_global_id(0);
    const i32 turn = join_turn(number, has_lists ? JOIN_TURNS : 1);
    const u64 item = number - (u64)turn * BORDER_SEGMENTS;
    struct joiner j;
    j.cells.from = from, j.cells.kinds = kinds, j.parents = parents, j.segments = segments, j.tops = tops;
    j.end_values = end_values, j.end_roots = end_roots, j.does = UNITE;
    if (!join_takes(&j, pairs, item))
        return;
    const i32 count = has_lists ? (i32)listed[item] : TOO_MANY;
    const i32 is_side = item >= BORDER_SEGMENTS;
    if (count != TOO_MANY)
        join_listed(&j, is_side ? 0 : turn * PAIRS_AT_ONCE, count);
    else if (is_side || turn == 0)
        join_item(&j, item);
}

/* Finds the root of an edge while others do the same: moves the edge to its grandparent, which may halve chains each
 * time.  Only its own work-item stores the parent of an edge. */
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

/* Returns the k-index of a cell of a tile, given as segment * 32 + cell. */
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

/* Index of the counts of a tile's row, in the order of the mesh. */
INLINE kindex place_count(const struct place p) { return place_row(p) * TILES_X + (p.x >> TILE_X); }

/* sizes: `room` elements, cleared for bits_sizes; NULL: none. */
__kernel void bits_settle(shared_parents parents, __global u32 *roots, __global unsigned short *roots_before,
                          const __global unsigned short *edges, __global label *edge_roots,
                          const __global struct tile_counts *tiles, __global label *counts, __global u32 *sizes,
                          const u32 room)
{
    SHARED u32 lost[GROUP], left[GROUP];
    const kindex tile = (kindex)PART_NUMBER;
    for (u64 i = (u64)tile * GROUP + ITEM; i < room; i += (u64)TILES_X * TILES_Y * TILES_Z * GROUP)
        sizes[i] = 0;
    const i32 count = (i32)tiles[tile].edges;
    u32 mine = roots[tile * GROUP + ITEM], before = 0;
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
    if (lost[ITEM]) {
        mine &= ~lost[ITEM];
        roots[tile * GROUP + ITEM] = mine;
    }
    left[ITEM] = (u32)ones(mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 i = ITEM >> TILE_X << TILE_X; i < ITEM; i++)
        before += left[i];
    roots_before[tile * GROUP + ITEM] = (unsigned short)before;
    const struct place here = place_in_tile(tile, ITEM);
    if ((ITEM + 1 & ((1 << TILE_X) - 1)) == 0 && here.y < LENGTH_Y && here.z < LENGTH_Z)
        counts[place_count(here)] = (label)(before + left[ITEM]);
}

/* Returns the number of a root of the mesh. */
INLINE label number_of(const __global u32 *roots, const __global unsigned short *roots_before,
                       const __global label *counts, const label k)
{
    const struct place p = place_of_cell((kindex)k);
    const kindex word = place_word(p);
    return counts[place_count(p)] + (label)roots_before[word] +
           (label)ones(roots[word] & up_to((i32)(k % LENGTH_X & 31)));
}

/* Stores the labels of four cells at once if all rows start at multiples of 16 bytes. */
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

/* Nodes looked up at once. */
#define TOPS_AT_ONCE 4

/* Copies numbers from roots to nodes. */
INLINE void numbers_spread(__private const u32 *top, IN_LOCAL label *numbers,
                           const IN_LOCAL struct segment_nodes *own, const i32 first, const i32 count)
{
    UNROLL_ALL
    for (i32 i = 0; i < TOPS_AT_ONCE; i++) {
        const i32 x = first + i * GROUP;
        if (x < count) {
            const i32 root = node_of(own[top[i] >> 5], (i32)(top[i] & 31));
            if (root != x)
                numbers[x] = numbers[root];
        }
    }
}

/* Numbers roots first; then nodes get the numbers of their roots, and cells those of their nodes. */
__kernel void bits_write(__global written_label *labels, const __global struct segment_nodes *segments,
                         const __global u32 *kinds, const __global u32 *roots,
                         const __global unsigned short *roots_before, const __global unsigned short *tops,
                         const __global unsigned short *edges, const __global label *edge_roots,
                         const __global struct tile_counts *tiles, const __global label *counts)
{
    SHARED label numbers[TILE_NODES];
    SHARED struct segment_nodes own[GROUP];
    SHARED u32 none[GROUP];
    SHARED kindex begins[GROUP];
    SHARED i32 filled[GROUP];
    const kindex tile = (kindex)PART_NUMBER;
    const struct tile_counts count = tiles[tile];
    const struct place here = place_in_tile(tile, ITEM);
    const struct segment_nodes mine = segments[tile * GROUP + ITEM];
    u32 bits = roots[tile * GROUP + ITEM];
    own[ITEM] = mine;
    none[ITEM] = NONE_OF(kinds[tile * GROUP + ITEM]);
    begins[ITEM] = place_cell(here);
    filled[ITEM] = place_cells(here);
    if (bits) {
        label number = counts[place_count(here)] + (label)roots_before[tile * GROUP + ITEM];
        EACH_BIT(c, bits)
            numbers[node_of(mine, c)] = ++number;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 i = ITEM; i < (i32)count.edges; i += GROUP) {
        const i32 cell = edges[(i64)tile * EDGES + i];
        const label root = edge_roots[(i64)tile * EDGES + i];
        if (root != tile_cell(tile, cell))
            numbers[node_of(own[cell >> 5], cell & 31)] = number_of(roots, roots_before, counts, root);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 x = ITEM; x < (i32)count.nodes; x += TOPS_AT_ONCE * GROUP) {
        u32 top[TOPS_AT_ONCE];
        UNROLL_ALL
        for (i32 i = 0; i < TOPS_AT_ONCE; i++)
            top[i] = x + i * GROUP < (i32)count.nodes ? tops[(i64)tile * TILE_NODES + x + i * GROUP] : 0;
        numbers_spread(top, numbers, own, x, (i32)count.nodes);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 at = ITEM * WRITTEN; at < 32 * GROUP; at += GROUP * WRITTEN) {
        const i32 item = at >> 5, c = at & 31;
        if (c < filled[item]) {
            const struct segment_nodes of = own[item];
            const u32 no_cell = none[item] >> c;
            i32 node = node_of(of, c);
            label four[WRITTEN];
            four[0] = no_cell & 1 ? 0 : numbers[node];
            UNROLL_ALL
            for (i32 i = 1; i < WRITTEN; i++) {
                node += (i32)(of.cuts >> (c + i) & 1);
                four[i] = no_cell >> i & 1 ? 0 : numbers[node];
            }
            labels_store(labels + begins[item] + c, four);
        }
    }
}

/* ---- sizes ---- */

/* Cells of a tile's nodes: two counts per word, since a tile has fewer than 2^16 cells. */
#define SIZE_WORDS ((TILE_NODES + 1) / 2)

INLINE void size_add(volatile IN_LOCAL u32 *in_tile, const i32 node, const u32 cells)
{
    (void)ATOMIC_ADD_32(in_tile + (node >> 1), cells << (node & 1) * 16);
}

/* Adds the cells of a node to number `number` (from 1), if that is within `room`; the size is negative if bit c
 * of `kinds` is 0 (not above the threshold). */
INLINE void size_tell(volatile __global u32 *sizes, const IN_LOCAL u32 *in_tile, const i32 node, const label number,
                      const u32 room, const __global u32 *kinds, const i32 c)
{
    const u32 cells = in_tile[node >> 1] >> (node & 1) * 16 & 0xffff;
    if ((u64)number <= room)
        (void)ATOMIC_ADD_32(sizes + (number - 1), JOIN == JOIN_THRESHOLD && !(*kinds >> c & 1) ? 0 - cells : cells);
}

/* Adds the cells of a segment to the roots of its nodes in the tile; adjacent nodes with one root at once. */
INLINE void sizes_add_segment(const u32 cells, const struct segment_nodes mine, const __global unsigned short *tops,
                              const IN_LOCAL struct segment_nodes *own, volatile IN_LOCAL u32 *in_tile)
{
    u32 bits = mine.cuts | 1, sum = 0;
    i32 node = mine.before, root = 0;
    EACH_BIT(c, bits) {
        const u32 after = bits & ~(1u << c), to_next = after ? (after & (0 - after)) - 1 : ~0u;
        const u32 count = (u32)ones(cells & to_next & ~0u << c);
        node++;
        if (count > 0) {
            const i32 top = tops[node], at = node_of(own[top >> 5], top & 31);
            if (at != root && sum > 0) {
                size_add(in_tile, root, sum);
                sum = 0;
            }
            root = at;
            sum += count;
        }
    }
    if (sum > 0)
        size_add(in_tile, root, sum);
}

/* Computes sizes, which must be 0 at first; numbers beyond `room` are skipped. */
__kernel void bits_sizes(volatile __global u32 *sizes, const __global struct segment_nodes *segments,
                         const __global u32 *kinds, const __global u32 *roots,
                         const __global unsigned short *roots_before, const __global unsigned short *tops,
                         const __global unsigned short *edges, const __global label *edge_roots,
                         const __global struct tile_counts *tiles, const __global label *counts, const u32 room)
{
    SHARED u32 in_tile[SIZE_WORDS];
    SHARED struct segment_nodes own[GROUP];
    const kindex tile = (kindex)PART_NUMBER;
    const struct tile_counts count = tiles[tile];
    const struct place here = place_in_tile(tile, ITEM);
    const struct segment_nodes mine = segments[tile * GROUP + ITEM];
    const i32 filled = place_cells(here);
    u32 bits = roots[tile * GROUP + ITEM];
    own[ITEM] = mine;
    for (i32 i = ITEM; i < SIZE_WORDS; i += GROUP)
        in_tile[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (filled > 0)
        sizes_add_segment(up_to(filled - 1) & ~NONE_OF(kinds[tile * GROUP + ITEM]), mine,
                          tops + (i64)tile * TILE_NODES, own, in_tile);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (bits) {
        label number = counts[place_count(here)] + (label)roots_before[tile * GROUP + ITEM];
        EACH_BIT(c, bits)
            size_tell(sizes, in_tile, node_of(mine, c), ++number, room, kinds + tile * GROUP + ITEM, c);
    }
    for (i32 i = ITEM; i < (i32)count.edges; i += GROUP) {
        const i32 cell = edges[(i64)tile * EDGES + i];
        const label root = edge_roots[(i64)tile * EDGES + i];
        if (root != tile_cell(tile, cell))
            size_tell(sizes, in_tile, node_of(own[cell >> 5], cell & 31), number_of(roots, roots_before, counts, root),
                      room, kinds + tile * GROUP + (cell >> 5), cell & 31);
    }
}
/* SPDX-License-Identifier: MIT */

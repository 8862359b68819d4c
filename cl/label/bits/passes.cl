/* Labelling by words of bits: the passes of src/label/bits.c.
 *
 *   bits_tile    a tile's nodes are joined in local memory; each learns its root there, and roots at the tile's border
 *                become their own parents: by k-indices, in `parents`, nobody else has one
 *   bits_join    these are united across borders, and where the mesh wraps around
 *   bits_count   of each chunk of segments, in the order of the mesh: which roots are left, and how many.  Roots at
 *                borders get the complement of what is their root now for a parent
 *   bits_write   roots' numbers, by how many stand before them, to nodes, and from these to cells
 *
 * `tops` has a plane for each number that a node can have in its segment, with a word for each segment: the root in the
 * tile, as segment * 32 + cell, or NO_ROOT of background.  So neighbouring items write and read neighbouring words. */
#define UNION_FIND_LOCAL 1
#include "label/bits/cells.clh"
#include "prim/groups.clh"

#define NO_ROOT 65535u

#define CHUNK (GROUP * COUNT_EACH)

GROUP_SCAN(scan_items, u32)

/* ---- tiles ---- */

/* Nodes in local memory: items, which go from bit to bit together, have theirs in different banks.  Numbers go up with
 * k-indices, so that a root is its first cell in the tile. */
#define NODE(item, bit) ((item) * 33 + (bit))
#define NODES (33 * GROUP)

/* The node that a cell belongs to, from its segment's cuts. */
INLINE i32 node_of(const u32 cuts, const i32 item, const i32 c) { return NODE(item, first_of(cuts, c)); }

/* An item's nodes that touch a row each go under the first that they touch there, but for those that have a parent:
 * `rooted`.  Gives the pairs that are left. */
INLINE u32 nodes_under(IN_LOCAL i32 *parents, const IN_LOCAL u32 *cuts, u32 same, const i32 there,
                       __private u32 *rooted)
{
    u32 rest = 0;
    EACH_BIT(c, same) {
        const i32 first = first_of(cuts[ITEM], c);
        if (*rooted >> first & 1) {
            rest |= 1u << c;
        } else {
            *rooted |= 1u << first;
            parents[NODE(ITEM, first)] = node_of(cuts[there], there, c);
        }
    }
    return rest;
}

/* Pairs of the item's cells c with the cells c + dx beside segment `there`. */
INLINE void nodes_unite(local_parents parents, const IN_LOCAL u32 *cuts, u32 pairs, const i32 there, const i32 dx)
{
    EACH_BIT(c, pairs) {
        const i32 to = there + ((c + dx) >> 5);
        local_unite(parents, node_of(cuts[ITEM], ITEM, c), node_of(cuts[to], to, (c + dx) & 31));
    }
}

/* The root of a node, while roots at the border are marked, by path halving: columns are chains. */
#define AT_BORDER (-2)
INLINE i32 node_root(local_parents parents, i32 x)
{
    i32 above = ATOMIC_LOAD_32(parents + x);
    while (above >= 0 && above != x) {
        const i32 next = ATOMIC_LOAD_32(parents + above);
        if (next < 0 || next == above)
            return above;
        ATOMIC_STORE_32(parents + x, next);
        x = next;
        above = ATOMIC_LOAD_32(parents + x);
    }
    return x;
}

/* What an item knows of its segment while nodes are joined; `up` is read together with it, as all of the mesh is that
 * a plane has; `touch` is what is left to do. */
struct segment {
    struct place here;
    struct meeting up;
    u32 starts, left, none, joins_before; /* nodes, and, bit 0, whether the first of them joins the segment before */
    struct touch touch[STEPS + 1];
    i32 there[STEPS + 1];
};

/* Each node by itself; background has none. */
INLINE void nodes_alone(const struct segment *s, IN_LOCAL i32 *nodes)
{
    u32 bits = s->starts;
    EACH_BIT(c, bits)
        nodes[NODE(ITEM, c)] = s->none >> c & 1 ? -1 : NODE(ITEM, c);
}

/* Nodes under the first earlier ones that they touch. */
INLINE void nodes_start(__private struct segment *s, const __global element *from, IN_LOCAL i32 *nodes,
                        const IN_LOCAL u32 *cuts)
{
    u32 rooted = 0;
    UNROLL_ALL
    for (i32 j = 0; j < STEPS; j++) {
        struct place to;
        s->there[j] = 0;
        s->touch[j] = no_touch();
        if (s->starts != 0 && place_step(s->here, j, &to) == INSIDE) {
            s->there[j] = place_item(to);
            s->touch[j] = touch_of(j == 0 ? s->up : word_meets(from, s->here, to, 1), s->left, ~cuts[s->there[j]],
                                   s->none);
            if (j > STEP_BACK)
                touch_less(&s->touch[j], s->touch[STEP_BACK].straight);
            s->joins_before &= ~s->touch[j].told;
            s->touch[j].same = nodes_under(nodes, cuts, s->touch[j].same, s->there[j], &rooted);
        }
    }
    if (s->joins_before && !(rooted & 1)) {
        nodes[NODE(ITEM, 0)] = node_of(cuts[ITEM - 1], ITEM - 1, 31);
        s->joins_before = 0;
    }
}

/* And with what else they touch. */
INLINE void nodes_join(const struct segment *s, IN_LOCAL i32 *nodes, const IN_LOCAL u32 *cuts)
{
    UNROLL_ALL
    for (i32 j = 0; j < STEPS; j++) {
        nodes_unite(nodes, cuts, s->touch[j].same, s->there[j], 0);
        nodes_unite(nodes, cuts, s->touch[j].before, s->there[j], -1);
        nodes_unite(nodes, cuts, s->touch[j].behind, s->there[j], 1);
    }
    nodes_unite(nodes, cuts, s->joins_before, ITEM, -1);
}

/* Tells nodes' roots, marks those that are at the border, and gives the segment's own. */
INLINE u32 nodes_finish(const struct segment *s, IN_LOCAL i32 *nodes, __global unsigned short *tops, i64 top)
{
    const i32 at_border = place_is_at_border(s->here), last = highest(s->starts);
    const i32 has_before = place_has_before(s->here), has_behind = place_has_behind(s->here);
    u32 bits = s->starts, roots = 0;
    EACH_BIT(c, bits) {
        const i32 root = s->none >> c & 1 ? -1 : node_root(nodes, NODE(ITEM, c));
        tops[top] = root < 0 ? NO_ROOT : (unsigned short)(root / 33 * 32 + root % 33);
        top += WORDS;
        if (root == NODE(ITEM, c))
            roots |= 1u << c;
        if (root >= 0 && (at_border || (c == 0 && !has_before) || (c == last && !has_behind)))
            ATOMIC_STORE_32((local_parents)nodes + root, AT_BORDER);
    }
    return roots;
}

__kernel void bits_tile(const __global element *from, __global label *parents, __global struct word_bits *words,
                        __global unsigned short *tops)
{
    SHARED i32 nodes[NODES];
    SHARED u32 cuts[GROUP];
    const kindex word = (kindex)get_global_id(0);
    struct segment s;
    struct place up = place_in_tile(word / GROUP, ITEM);
    struct word_bits result;
    s.here = up;
    const i32 cells = place_cells(s.here);
    const kindex k = place_cell(s.here);
    const i32 has_up = STEPS > 0 && place_step(s.here, 0, &up) == INSIDE;
    s.up = word_meets(from, s.here, up, has_up);
    s.left = s.up.left, s.none = s.up.none;
    result.cuts = cells > 0 ? ~s.left & up_to(cells - 1) : 0;
    s.starts = cells > 0 ? result.cuts | 1 : 0;
    s.joins_before = s.left & ~s.none & 1;
    cuts[ITEM] = result.cuts;
    nodes_alone(&s, nodes);
    barrier(CLK_LOCAL_MEM_FENCE);
    nodes_start(&s, from, nodes, cuts);
    barrier(CLK_LOCAL_MEM_FENCE);
    nodes_join(&s, nodes, cuts);
    barrier(CLK_LOCAL_MEM_FENCE);
    result.roots = nodes_finish(&s, nodes, tops, word);
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 bits = result.roots;
    result.border = 0;
    EACH_BIT(c, bits)
        if (nodes[NODE(ITEM, c)] == AT_BORDER) {
            result.border |= 1u << c;
            parents[k + c] = (label)(k + c);
        }
    result.before = 0;
    words[word] = result;
}

/* ---- borders ---- */

/* The root that a segment's cell has in its tile. */
INLINE label cell_root(const __global struct word_bits *words, const __global unsigned short *tops,
                       const struct place p, const i32 c)
{
    const kindex word = place_word(p);
    const i32 number = ones((words[word].cuts | 1) & up_to(c)) - 1;
    const i32 root = tops[(i64)number * WORDS + word];
    return (label)(place_cell(place_in_tile(place_tile(p), root >> 5)) + (root & 31));
}

/* Pairs of cells c of a segment with cells c + dx beside another one. */
INLINE void cells_unite(shared_parents parents, const __global struct word_bits *words,
                        const __global unsigned short *tops, u32 pairs, const struct place p, const struct place there,
                        const i32 dx)
{
    EACH_BIT(c, pairs) {
        struct place to = there;
        to.x += (c + dx) >> 5;
        unite(parents, cell_root(words, tops, p, c), cell_root(words, tops, to, (c + dx) & 31));
    }
}

/* A segment with the rows that steps lead to beyond its tile's border. */
INLINE void join_rows(const __global element *from, shared_parents parents, const __global struct word_bits *words,
                      const __global unsigned short *tops, const struct place here)
{
    struct place to;
    u32 straight_back = 0;
    i32 beyond = 0;
    for (i32 j = 0; j < STEPS; j++)
        beyond |= place_step(here, j, &to) == BEYOND;
    if (!beyond)
        return;
    const struct meeting self = word_meets(from, here, here, 0);
    for (i32 turn = 0; turn < STEPS; turn++) {
        /* Straight back first, which may tell of those aslant, also where it stays in the tile. */
#if STEPS > STEP_BACK
        const i32 j = turn == 0 ? STEP_BACK : turn == STEP_BACK ? 0 : turn;
#else
        const i32 j = turn;
#endif
        const i32 where = place_step(here, j, &to);
        if (where == NOWHERE || (where == INSIDE && j != STEP_BACK))
            continue;
        struct touch touch = touch_of(word_meets(from, here, to, 1), self.left, ~words[place_word(to)].cuts, self.none);
        if (j == STEP_BACK)
            straight_back = touch.straight;
        if (j > STEP_BACK)
            touch_less(&touch, straight_back);
        if (where == INSIDE)
            continue;
        cells_unite(parents, words, tops, touch.same, here, to, 0);
        cells_unite(parents, words, tops, touch.before, here, to, -1);
        cells_unite(parents, words, tops, touch.behind, here, to, 1);
    }
}

INLINE label side_root(const __global struct word_bits *words, const __global unsigned short *tops, struct place p,
                       const struct place row, const i32 c)
{
    p.y = row.y, p.z = row.z;
    return cell_root(words, tops, p, c);
}

/* In a row, a tile's first cell with the last one of the tile before, or of the row, and both with those in other rows
 * that are beyond this border too. */
INLINE void join_sides(const __global element *from, shared_parents parents, const __global struct word_bits *words,
                       const __global unsigned short *tops, const kindex row, const kindex x)
{
    const kindex x_before = x > 0 ? x - 1 : LENGTH_X - 1;
    const i32 c = 0, c_before = (i32)(x_before & 31);
    struct place here, before, to;
    here.x = x >> 5, here.y = row % LENGTH_Y, here.z = row / LENGTH_Y;
    before = here, before.x = x_before >> 5;
    const element a = from[row * LENGTH_X + x], b = from[row * LENGTH_X + x_before];
    i32 joined = JOINED(a, b) && !IS_BACKGROUND(a);
    for (i32 j = 0; j < STEPS; j++) {
        if (place_step(here, j, &to) == NOWHERE)
            continue;
        const kindex row_there = place_row(to);
        const element a_there = from[row_there * LENGTH_X + x], b_there = from[row_there * LENGTH_X + x_before];
        const i32 by_a = JOINED(a, a_there), by_b = JOINED(b, b_there), there = JOINED(a_there, b_there);
#ifdef NEIGHBOURS_ALL
        const i32 here_too = JOINED(a, b);
        if (JOINED(a, b_there) && !IS_BACKGROUND(a) && !(by_a && there) && !(here_too && by_b))
            unite(parents, cell_root(words, tops, here, c), side_root(words, tops, before, to, c_before));
        if (JOINED(b, a_there) && !IS_BACKGROUND(b) && !(by_b && there) && !(here_too && by_a))
            unite(parents, cell_root(words, tops, before, c_before), side_root(words, tops, here, to, c));
#endif
        if (row_there < row && by_a && by_b && there)
            joined = 0;
    }
    if (joined)
        unite(parents, cell_root(words, tops, here, c), cell_root(words, tops, before, c_before));
}

/* First an item for each segment, then, in each row, one for each border across it. */
__kernel void bits_join(const __global element *from, shared_parents parents, const __global struct word_bits *words,
                        const __global unsigned short *tops)
{
    const u64 item = get_global_id(0), segments = STEPS > 0 ? (u64)ROWS * WORDS_X : 0;
    if (item < segments) {
        join_rows(from, parents, words, tops, place_of((kindex)item));
    } else if (item - segments < (u64)ROWS * SIDES) {
        const kindex side = (kindex)(item - segments), border = side / ROWS + !(PERIODIC & 1);
        join_sides(from, parents, words, tops, side % ROWS, border << (5 + TILE_X));
    }
}

/* ---- numbers ---- */

/* The root of a root at a border, where some already have the complement of theirs. */
INLINE label settled_root(shared_parents parents, label k)
{
    label above = LABEL_LOAD(parents + k);
    while (above >= 0 && above != k) {
        k = above;
        above = LABEL_LOAD(parents + k);
    }
    return above < 0 ? ~above : k;
}

__kernel void bits_count(shared_parents parents, __global struct word_bits *words, __global label *counts)
{
    SHARED u32 scanned[2 * GROUP];
    const kindex first = (kindex)PART_NUMBER * CHUNK + ITEM * COUNT_EACH;
    u32 mine = 0, before[COUNT_EACH], total;
    for (i32 i = 0; i < COUNT_EACH; i++) {
        before[i] = mine;
        if (first + i >= ROWS * WORDS_X)
            continue;
        const struct place p = place_of(first + i);
        __global struct word_bits *word = words + place_word(p);
        u32 roots = word->roots, border = word->border;
        EACH_BIT(c, border) {
            const label k = (label)(place_cell(p) + c), root = settled_root(parents, k);
            if (root != k)
                roots &= ~(1u << c);
            LABEL_STORE(parents + k, ~root);
        }
        word->roots = roots;
        mine += (u32)ones(roots);
    }
    const u32 earlier = scan_items(scanned, mine, &total);
    for (i32 i = 0; i < COUNT_EACH; i++)
        if (first + i < ROWS * WORDS_X)
            words[place_word(place_of(first + i))].before = earlier + before[i];
    if (ITEM == 0)
        counts[PART_NUMBER] = (label)total;
}

/* The number of a root that is one of the mesh. */
INLINE label number_of(const __global struct word_bits *words, const __global label *counts, const struct place p,
                       const i32 c)
{
    const __global struct word_bits *word = words + place_word(p);
    return counts[(place_row(p) * WORDS_X + p.x) / CHUNK] + (label)word->before +
           (label)ones(word->roots & up_to(c));
}

/* Roots first; other nodes look theirs up, and cells their nodes. */
__kernel void bits_write(__global written_label *labels, const __global label *parents,
                         const __global struct word_bits *words, const __global unsigned short *tops,
                         const __global label *counts)
{
    SHARED label numbers[NODES];
    SHARED u32 cuts[GROUP], filled[GROUP];
    SHARED kindex begins[GROUP];
    const kindex word = (kindex)get_global_id(0);
    const struct place here = place_in_tile(word / GROUP, ITEM);
    const i32 cells = place_cells(here);
    const kindex k = place_cell(here);
    const struct word_bits is = words[word];
    u32 bits = is.roots | is.border;
    EACH_BIT(c, bits) {
        if (is.border >> c & 1) {
            const kindex root = (kindex)~parents[k + c];
            numbers[NODE(ITEM, c)] = number_of(words, counts, place_of_cell(root), (i32)(root % LENGTH_X & 31));
        } else {
            numbers[NODE(ITEM, c)] = number_of(words, counts, here, c);
        }
    }
    begins[ITEM] = k;
    cuts[ITEM] = is.cuts;
    filled[ITEM] = cells > 0 ? up_to(cells - 1) : 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* `labels` may be `parents` */
    i64 top = word;
    bits = cells > 0 ? is.cuts | 1 : 0;
    EACH_BIT(c, bits) {
        const u32 root = tops[top];
        top += WORDS;
        if (!((is.roots | is.border) >> c & 1))
            numbers[NODE(ITEM, c)] = root == NO_ROOT ? 0 : numbers[NODE(root >> 5, root & 31)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 at = ITEM; at < 32 * GROUP; at += GROUP) {
        const i32 item = at >> 5, c = at & 31;
        if (filled[item] >> c & 1)
            labels[begins[item] + c] = numbers[node_of(cuts[item], item, c)];
    }
}

/* Variant bits: see bits.clh. Row r of `counts` describes the previous level. It has the number of changed rows, then
 * the number of bits set per piece of each word of each search. The latter are in `slots` partial sums that fit into 32
 * bits. If no row changed, a level does nothing. */
#include "graph/paths/bits.clh"

NATIVE_PROGRAM(graph_paths_bits, )

#define COUNTS_WORD(level, part, search, word)                                                                       \
    (((level).r + 1) * (i64)(level).stride + 1 +                                                                     \
     (((part) % (level).slots * (i64)(level).searches + (search)) * PATHS_WORDS + (word)) * PATHS_PIECES)

/* Clears all rows. If a search has fewer targets than bits, the other bits are set. */
__kernel SHARES void bits_start(__global u64 *rows, __global flag *active, __global flag *changed,
                                __global flag *marked, __global flag *home, const i32 vertices, const i32 targets,
                                const i64 n, const i64 each)
{
    for (i64 at = PART_FIRST(each), end = PART_END(n, each); at < end; at += PART_STEP) {
        const i64 first = at / vertices * PATHS_WORDS;
        active[at] = changed[at] = marked[at] = home[at] = 0;
        for (int w = 0; w < PATHS_WORDS; w++) {
            const i64 left = targets - (first + w) * PATHS_WORD;
            rows[at * PATHS_WORDS + w] = left >= PATHS_WORD ? 0 : left <= 0 ? ~(u64)0 : ~(u64)0 << left;
        }
    }
}

/* One work-item per word of the searches. */
__kernel void bits_targets(__global u64 *rows, __global flag *active, const __global u32 *targets,
                           const i32 vertices, const i32 count, const i32 words)
{
    const i32 word = (i32)get_global_id(0);
    if (word >= words)
        return;
    const i64 first = (i64)(word / PATHS_WORDS) * vertices;
    for (i32 t = 0, at = word * PATHS_WORD; t < PATHS_WORD && at < count; t++, at++) {
        const i64 row = first + targets[at];
        rows[row * PATHS_WORDS + word % PATHS_WORDS] |= (u64)1 << t;
        FLAG_SET(active + row);
    }
}

/* Marks the neighbours of rows that changed, if these are few. The arcs lead from a row to the rows that read it. */
__kernel SHARES void bits_mark(const __global flag *active, __global flag *marked, ARCS,
                               const __global u32 *counts, const struct bits_level given)
{
    const struct bits_level level = given;
    const struct arcs g = ARCS_HERE;
    const u32 active_rows = counts[level.r * (i64)level.stride];
    if (active_rows == 0 || active_rows > level.sparse)
        return;
#ifdef GROUP
    const i32 items = PATHS_WORDS, teams = GROUP / PATHS_WORDS, item = ITEM % items, team = ITEM / items;
#else
    const i32 items = 1, teams = 1, item = 0, team = 0;
#endif
    for (i64 part = PART_NUMBER, stop = PARTS_END; part < stop; part++) {
        const i64 row0 = part / level.parts * level.vertices + g.first, begin = part % level.parts * level.each;
        const i64 end = least_i64(g.count, begin + level.each);
        for (i64 i = begin + team; i < end; i += teams) {
            if (!active[row0 + i])
                continue;
            for (place at = arcs_begin(&g, (i32)i) + item; at < arcs_end(&g, (i32)i); at += items)
                FLAG_SET(marked + (row0 - g.first + g.heads[at]));
        }
    }
}

/* Stores the flags of row v after a level. A vertex with arcs in several blocks is processed once per block. */
#define LEVEL_OF_ROW(v, i, of_row)                                                                                   \
    do {                                                                                                             \
        if (of_row || !(i == 0 && level.continued))                                                                  \
            s.changed[v] = of_row != 0;                                                                              \
        if (sparse && !(i == g.count - 1 && g.cut))                                                                  \
            s.marked[v] = 0;                                                                                         \
        if (of_row) {                                                                                                \
            rows_changed++;                                                                                          \
            if (level.by_vertex)                                                                                     \
                sums_add(&sums, v, of_row, level.distance, level.inverse);                                             \
        }                                                                                                            \
    } while (0)

#define BITS_ROWS(search)                                                                                            \
    { (const __global lanes *)now + (search) * vertices * (PATHS_WORDS / PATHS_LANES),                               \
      (__global lanes *)next + (search) * vertices * (PATHS_WORDS / PATHS_LANES), active + (search) * vertices,      \
      changed + (search) * vertices, marked + (search) * vertices, home + (search) * vertices }

/* A level of all searches, for the vertices of a block. */
__kernel SHARES void bits_gather(const __global u64 *now, __global u64 *next, const __global flag *active,
                                 __global flag *changed, __global flag *marked, __global flag *home, ARCS,
                                 __global u32 *counts, PATH_SUMS, const struct bits_level given)
{
    const struct bits_level level = given; /* llvmpipe loads parameters in loops, and miscompiles this */
    const struct arcs g = ARCS_HERE;
    const i64 vertices = level.vertices;
    const u32 active_rows = counts[level.r * (i64)level.stride];
    const int sparse = active_rows <= level.sparse;
#ifndef GROUP
    const i32 word = 0;
#else
    SHARED u32 found_of[GROUP]; /* per team: new bits in the lower half, full words in the upper half */
    const i32 word = ITEM % PATHS_WORDS, team = ITEM / PATHS_WORDS, teams = GROUP / PATHS_WORDS;
#endif
    if (active_rows == 0)
        return;
    for (i64 part = PART_NUMBER, stop = PARTS_END; part < stop; part++) { /* uniform: one part per group */
        const i64 search = part / level.parts;
        const struct rows s = BITS_ROWS(search);
        const struct path_sums sums = PATH_SUMS_FROM(search * vertices);
        const i64 begin = part % level.parts * level.each, end = least_i64(g.count, begin + level.each);
        struct news news = { { 0 }, { 0 }, 0 };
        u32 rows_changed = 0;
#ifdef GROUP
        for (i64 first = begin; first < end; first += teams) { /* uniform */
            const i64 i = first + team, v = g.first + i;
            const int inside = i < end;
            u64 seen = 0, found = 0;
            if (word == 0)
                found_of[team] = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (inside && !rows_idle(&s, v, sparse)) {
                seen = s.home[v] == level.turn ? s.now[v * PATHS_WORDS + word] : s.next[v * PATHS_WORDS + word];
                found = rows_gather(&s, &g, (i32)i, ~seen, word);
                const u32 of_item = BITS_OF(found) + (LANES_FULL(seen | found) ? (u32)1 << 16 : 0);
                if (of_item)
                    (void)ATOMIC_ADD_32(found_of + team, of_item);
                news_add(&news, 0, found, level.by_piece);
                news_end_row(&news);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            const u32 of_row = found_of[team] & 0xffff, full = found_of[team] >> 16;
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (of_row)
                s.next[v * PATHS_WORDS + word] = seen | found;
            if (inside && word == 0 && of_row)
                s.home[v] = full == PATHS_WORDS ? HOME_FULL : (flag)(1 - level.turn);
            if (inside && word == 0)
                LEVEL_OF_ROW(v, i, of_row);
        }
#else
        for (i64 i = begin; i < end; i++) {
            const i64 v = g.first + i;
            const u32 of_row = rows_idle(&s, v, sparse) ? 0 : row_level(&s, &g, (i32)i, &level, &news);
            LEVEL_OF_ROW(v, i, of_row);
        }
#endif
        if (rows_changed)
            (void)ATOMIC_ADD_32(counts + (level.r + 1) * (i64)level.stride, rows_changed);
        news_count(&news, counts + COUNTS_WORD(level, part, search, word));
    }
}
/* SPDX-License-Identifier: MIT */

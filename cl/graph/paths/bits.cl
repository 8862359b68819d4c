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

/* Index in `alive` of a row's first half, `ahead` levels after this one. */
#define ALIVE_WORD(level, ahead, search, word)                                                                       \
    ((((level).distance + (ahead)) % PATHS_ALIVE * (i64)(level).searches + (search)) * PATHS_WORDS + (word)) * 2

#ifdef GROUP
#define TEAMS (GROUP / PATHS_WORDS)
#define TEAM (ITEM / PATHS_WORDS)
#define WORD (ITEM % PATHS_WORDS)
/* Loops over the lists of a group in local memory: `chunk` counts the chunks of GROUP adjacent rows. */
#define FOR_CHUNKS(chunk)                                                                                            \
    for (i64 chunk = part % level.parts, chunks = (g.count - 1) / GROUP + 1; chunk < chunks; chunk += level.parts)
/* Returns whether a team gathers the row of the block's vertex i, which has arcs. */
INLINE int row_is_whole(const __private struct arcs *g, const i64 i, const i32 whole)
{
    const place begin = arcs_begin(g, (i32)i), end = arcs_end(g, (i32)i);
    return end > begin && end - begin <= (place)whole;
}
/* Returns whether the arcs of the block's vertex i are split into pieces. */
INLINE int row_is_split(const __private struct arcs *g, const i64 i, const i32 whole)
{
    return arcs_end(g, (i32)i) - arcs_begin(g, (i32)i) > (place)whole;
}
/* A piece of the search `search`, for a team. Kernels on pieces have a team per piece and search. */
struct team_piece { i64 search, piece; i32 vertex; struct arc_list arcs; };
/* Returns the piece of a team. Teams after the last piece get search -1. */
INLINE struct team_piece team_piece_here(const __global u32 *heads, ARC_PIECES, const i64 searches)
{
    const i64 team = (i64)(get_global_id(0) / width);
    struct team_piece p = { -1, 0, 0, { heads, 0, 0 } };
    if (team < searches * piece_count) {
        p.search = team / piece_count;
        p.piece = team % piece_count;
        p.vertex = (i32)pieces[ARCS_PIECE * p.piece];
        p.arcs.at = pieces[ARCS_PIECE * p.piece + 1];
        p.arcs.end = pieces[ARCS_PIECE * p.piece + 2];
    }
    return p;
}
#endif

/* Marks the neighbours of rows that changed, if these are few. The arcs lead from a row to the rows that read it. */
__kernel SHARES void bits_mark(const __global flag *active, __global flag *marked, ARCS,
                               const __global u32 *counts, const struct bits_level given)
{
    const struct bits_level level = given;
    const struct arcs g = ARCS_HERE;
    const u32 active_rows = counts[level.r * (i64)level.stride];
    /* No return before barriers, here and below: PoCL would miscompile them. */
    const int none = active_rows == 0 || active_rows > level.sparse;
#ifdef GROUP
    SHARED u32 listed, list[GROUP];
#endif
    /* One part per group. */
    for (i64 part = PART_NUMBER, stop = none ? part : PARTS_END; part < stop; part++) { /* uniform */
        const i64 row0 = part / level.parts * level.vertices;
#ifdef GROUP
        FOR_CHUNKS(chunk) { /* uniform */
            const i64 i = chunk * GROUP + ITEM;
            if (ITEM == 0)
                listed = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (i < g.count && active[row0 + g.first + i] && row_is_whole(&g, i, level.whole))
                list[ATOMIC_ADD_32(&listed, 1u)] = (u32)i;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (u32 k = TEAM; k < listed; k += TEAMS)
                for (place at = arcs_begin(&g, (i32)list[k]) + WORD; at < arcs_end(&g, (i32)list[k]); at += PATHS_WORDS)
                    FLAG_SET(marked + (row0 + g.heads[at]));
            barrier(CLK_LOCAL_MEM_FENCE);
        }
#else
        const i64 begin = part % level.parts * level.each, end = least_i64(g.count, begin + level.each);
        for (i64 i = begin; i < end; i++) {
            if (!active[row0 + g.first + i])
                continue;
            for (place at = arcs_begin(&g, (i32)i); at < arcs_end(&g, (i32)i); at++)
                FLAG_SET(marked + (row0 + g.heads[at]));
        }
#endif
    }
}

#ifdef GROUP
/* The same for pieces of the longest rows. */
__kernel void bits_mark_split(const __global flag *active, __global flag *marked, ARCS, ARC_PIECES,
                              const __global u32 *counts, const i64 searches, const struct bits_level given)
{
    const struct bits_level level = given;
    const u32 active_rows = counts[level.r * (i64)level.stride];
    const struct team_piece p = team_piece_here(heads, pieces, piece_count, width, searches);
    if (active_rows == 0 || active_rows > level.sparse || p.search < 0)
        return;
    const i64 row0 = p.search * level.vertices;
    if (!active[row0 + p.vertex])
        return;
    for (place at = p.arcs.at + (place)(get_global_id(0) % width); at < p.arcs.end; at += width)
        FLAG_SET(marked + (row0 + heads[at]));
}
#endif

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
                                 __global u32 *counts, volatile __global u32 *alive, PATH_SUMS,
                                 const struct bits_level given)
{
    const struct bits_level level = given; /* llvmpipe loads parameters in loops, and miscompiles this */
    const struct arcs g = ARCS_HERE;
    const i64 vertices = level.vertices;
    const u32 active_rows = counts[level.r * (i64)level.stride];
    const int sparse = active_rows <= level.sparse;
#ifndef GROUP
    const i32 word = 0, team = 0;
#else
    const i32 word = WORD, team = TEAM;
    SHARED u32 of_team[TEAMS], listed, list[GROUP];
#endif
    for (i64 part = PART_NUMBER, stop = active_rows == 0 ? part : PARTS_END; part < stop; part++) { /* uniform */
        const i64 search = part / level.parts;
        const struct rows s = BITS_ROWS(search);
        const struct path_sums sums = PATH_SUMS_FROM(search * vertices);
        const lanes dead = ~lanes_load(alive + ALIVE_WORD(level, 0, search, word));
        lanes all = dead ^ dead; /* new bits of all rows */
        struct news news = { { 0 }, { 0 }, 0 };
        u32 rows_changed = 0;
        if (part % level.parts == 0 && team == 0)
            lanes_clear(alive + ALIVE_WORD(level, 2, search, word));
#ifdef GROUP
        FOR_CHUNKS(chunk) { /* uniform */
            const i64 at = chunk * GROUP + ITEM, row = g.first + at;
            if (ITEM == 0)
                listed = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (at < g.count && row_is_whole(&g, at, level.whole) && !rows_idle(&s, row, sparse))
                list[ATOMIC_ADD_32(&listed, 1u)] = (u32)at;
            else if (at < g.count && !row_is_split(&g, at, level.whole))
                LEVEL_OF_ROW(row, at, 0);
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            for (u32 k = 0; k < listed; k += TEAMS) { /* uniform */
                const int inside = k + (u32)team < listed;
                const i64 i = inside ? list[k + (u32)team] : 0, v = g.first + i;
                const u64 seen = inside ? row_word(&s, v, word, level.turn, dead) : 0;
                const u64 found = inside ? rows_gather(&s, arcs_of(&g, (i32)i), v, ~seen, word) : 0;
                const u32 of_row = row_store(&s, v, word, seen, found, level.turn, inside, of_team + team);
                all |= found;
                news_add_row(&news, found, level.by_piece);
                if (inside && word == 0)
                    LEVEL_OF_ROW(v, i, of_row);
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
#else
        const i64 begin = part % level.parts * level.each, end = least_i64(g.count, begin + level.each);
        for (i64 i = begin; i < end; i++) {
            const i64 v = g.first + i;
            const u32 of_row = rows_idle(&s, v, sparse) ? 0 : row_level(&s, &g, (i32)i, &level, dead, &news, &all);
            LEVEL_OF_ROW(v, i, of_row);
        }
#endif
        if (rows_changed)
            (void)ATOMIC_ADD_32(counts + (level.r + 1) * (i64)level.stride, rows_changed);
        news_count(&news, counts + COUNTS_WORD(level, part, search, word));
        lanes_or_into(alive + ALIVE_WORD(level, 1, search, word), &all);
    }
}

#ifdef GROUP
/* Gathers pieces of the longest rows. The bits of a row are merged in `merged`, in the words of its first piece. */
#define MERGED_WORD(p, begin, word)                                                                                  \
    (((p).search * piece_count + (p).piece - ((p).arcs.at - (begin)) / (place)level.whole) * PATHS_WORDS + (word)) * 2
__kernel void bits_gather_split(const __global u64 *now, __global u64 *next, const __global flag *active,
                                __global flag *changed, __global flag *marked, __global flag *home, ARCS, ARC_PIECES,
                                const __global u32 *counts, volatile __global u32 *alive,
                                volatile __global u32 *merged, const i64 searches, const struct bits_level given)
{
    const struct bits_level level = given;
    const struct arcs g = ARCS_HERE;
    const i64 vertices = level.vertices;
    const u32 active_rows = counts[level.r * (i64)level.stride];
    const struct team_piece p = team_piece_here(heads, pieces, piece_count, width, searches);
    const i32 word = WORD;
    if (active_rows == 0 || p.search < 0)
        return;
    const struct rows s = BITS_ROWS(p.search);
    if (rows_idle(&s, p.vertex, active_rows <= level.sparse))
        return;
    volatile __global u32 *to = merged + MERGED_WORD(p, arcs_begin(&g, p.vertex - g.first), word);
    const u64 dead = ~lanes_load(alive + ALIVE_WORD(level, 0, p.search, word));
    const u64 missing = ~row_word(&s, p.vertex, word, level.turn, dead) & ~lanes_load(to);
    const u64 found = rows_gather(&s, p.arcs, p.vertex, missing, word);
    lanes_or_into(to, &found);
}

/* Ends a level of the longest rows, and clears `merged`. Only the team of a row's first piece has work. */
__kernel void bits_merge(const __global u64 *now, __global u64 *next, const __global flag *active,
                         __global flag *changed, __global flag *marked, __global flag *home, ARCS, ARC_PIECES,
                         __global u32 *counts, volatile __global u32 *alive, __global u32 *merged, PATH_SUMS,
                         const i64 searches, const struct bits_level given)
{
    const struct bits_level level = given;
    const struct arcs g = ARCS_HERE;
    const i64 vertices = level.vertices;
    const u32 active_rows = counts[level.r * (i64)level.stride];
    const int sparse = active_rows <= level.sparse;
    const struct team_piece p = team_piece_here(heads, pieces, piece_count, width, searches);
    const i32 word = WORD;
    SHARED u32 of_team[TEAMS];
    const i64 search = p.search < 0 ? 0 : p.search, v = p.vertex, i = v - g.first;
    const struct rows s = BITS_ROWS(search);
    const struct path_sums sums = PATH_SUMS_FROM(search * vertices);
    const int leads = active_rows && p.search >= 0 && p.arcs.at == arcs_begin(&g, (i32)i);
    const int inside = leads && !rows_idle(&s, v, sparse);
    u32 rows_changed = 0;
    u64 seen = 0, found = 0;
    if (inside) {
        __global u32 *from = merged + MERGED_WORD(p, p.arcs.at, word);
        const u64 dead = ~lanes_load(alive + ALIVE_WORD(level, 0, search, word));
        seen = row_word(&s, v, word, level.turn, dead);
        found = lanes_load(from);
        from[0] = from[1] = 0;
    }
    const u32 of_row = row_store(&s, v, word, seen, found, level.turn, inside, of_team + TEAM);
    if (leads && word == 0)
        LEVEL_OF_ROW(v, i, of_row);
    if (rows_changed)
        (void)ATOMIC_ADD_32(counts + (level.r + 1) * (i64)level.stride, rows_changed);
    if (!found)
        return;
    struct news news = { { 0 }, { 0 }, 0 };
    news_add_row(&news, found, level.by_piece);
    news_count(&news, counts + COUNTS_WORD(level, p.piece, search, word));
    lanes_or_into(alive + ALIVE_WORD(level, 1, search, word), &found);
}
#endif
/* SPDX-License-Identifier: MIT */

/* Variant bits: many breadth-first searches at once, one bit per target, backwards from the targets (MS-BFS: Then et
 * al., PVLDB 8 (2014) 449). For one level see cl/graph/paths/bits.clh. */
#include <stdlib.h>

#include "graph/arcs/sizes.clh"
#include "graph/paths/paths_internal.h"
#include "kernels/graph/paths/bits.h"
#include "kernels/native.h"

enum { GROUP = 64 };                          /* work-items, at most */
enum { LEVELS_MOST = 64, LEVELS_FIRST = 6 };  /* levels queued between two reads of the device */
enum { PARTS_PER_UNIT = 4, PART_LEAST = 64 }; /* on cores: parts per unit, rows per part */
enum { GROUPS_PER_UNIT = 64 };                /* in the form for groups */
/* For all searches at once: many more than a unit runs, since a vertex with very many arcs delays its whole search. */
enum { ITEMS_PER_UNIT = 1 << 20 };
enum { ROWS_OF_SLOT = 1 << 25 }; /* a word's count over so many rows fits into 32 bits */
enum { FLAG_ARRAYS = 4 };

struct bits {
    struct mw_kernel_set *set;
    struct mw_arc_blocks towards, from; /* arcs of the graph; of the reversed graph, if that is another */
    struct mw_split_class longest;      /* form for groups: rows with so many arcs are split into pieces */
    struct mw_split split, split_from;  /* pieces of `towards`; of `from` */
    bool marks;                         /* rows that are next to few changed ones can be marked */
    size_t words, searches;             /* words per row; concurrent searches */
    size_t slots, stride;
    size_t expected; /* expected number of levels */
    struct mw_buffer *rows[2], *flags[2], *marked, *home, *targets, *counts;
    struct mw_buffer *alive;  /* see cl/graph/paths/bits.clh */
    struct mw_buffer *merged; /* bits of rows that were split: a row per piece and search */
    struct mw_path_sums sums;
    uint32_t *found; /* host copy of `counts` */
};

/* ---- number of searches ---- */

/* Returns the bytes of one search: rows before and after a level, flags, sums per vertex. */
static uint64_t bytes_of_search(size_t vertices, size_t words, bool by_vertex)
{
    return (uint64_t)vertices * (2 * words * sizeof(uint64_t) + FLAG_ARRAYS) + mw_path_sums_bytes(vertices, by_vertex);
}

uint64_t mw_graph_paths_bytes(const struct mw_device_info *device, size_t vertices, bool by_vertex)
{
    return bytes_of_search(vertices, device->traits->has_cores ? PATHS_CORE_WORDS : PATHS_GROUP_WORDS(GROUP),
                           by_vertex);
}

/* Chooses as many searches as keep the device busy and fit into its memory. */
static int choose_searches(struct mw_path_share *share, struct bits *s)
{
    /* A row that is split has at most two pieces for each `whole` arcs. */
    const struct mw_path_job *job = share->of;
    const struct mw_device_info *info = mw_device_info(share->on.device);
    const size_t n = job->graph->vertices, row = s->words * sizeof(uint64_t), of_search = s->words * PATHS_WORD;
    const size_t all = (job->options.target_count + of_search - 1) / of_search;
    const size_t units = mw_max(info->compute_units, 1);
    const size_t busy = share->on.cores ? units : units * ITEMS_PER_UNIT / (n * s->words) + 1;
    const uint64_t budget = mw_path_budget(job, share->on.device);
    const uint64_t merged = share->on.cores ? 0 : 2 * (job->graph->arcs / s->longest.arcs + 1) * row;
    uint64_t each = bytes_of_search(n, s->words, job->options.by_vertex);
    if (each + merged <= budget)
        each += merged;
    else
        s->longest = (struct mw_split_class){ INT32_MAX, INT32_MAX, (uint32_t)s->words }; /* no row is split */
    const uint64_t largest = info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX;
    const uint64_t fit = mw_min(budget / each, largest / ((uint64_t)n * row));
    if (fit == 0)
        return mw_fail(MW_ELIMIT,
                       "%s: a search of %zu vertices needs %.3g GB, but the limit is %.3g GB: raise the "
                       "limit, or use another device",
                       info->id, n, (double)each / 1e9, (double)budget / 1e9);
    s->searches = mw_min(mw_min(all, busy), mw_min(fit, UINT32_MAX / n));
    return 0;
}

/* ---- life ---- */

static int paths_bits_make_buffers(struct mw_path_share *share, struct bits *s)
{
    const struct mw_arc_worker *on = &share->on;
    const size_t rows = s->searches * share->of->graph->vertices, bytes = rows * s->words * sizeof(uint64_t);
    for (size_t i = 0; i < MW_COUNT(s->rows); i++) {
        TRY_RETURN(mw_arc_buffer(on, bytes, &s->rows[i]));
        TRY_RETURN(mw_arc_buffer(on, rows, &s->flags[i]));
    }
    TRY_RETURN(mw_arc_buffer(on, rows, &s->marked));
    TRY_RETURN(mw_arc_buffer(on, rows, &s->home));
    TRY_RETURN(mw_arc_buffer(on, s->searches * s->words * PATHS_WORD * sizeof(uint32_t), &s->targets));
    TRY_RETURN(mw_arc_buffer(on, PATHS_ALIVE * s->searches * s->words * sizeof(uint64_t), &s->alive));
    TRY_RETURN(mw_arc_buffer(on, (LEVELS_MOST + 1) * s->stride * sizeof(uint32_t), &s->counts));
    TRY_RETURN(mw_arc_new(on, (LEVELS_MOST + 1) * s->stride, sizeof *s->found, &s->found));
    return mw_path_sums_make(share, s->searches, &s->sums);
}

static int make_pieces(struct mw_path_share *share, struct bits *s)
{
    size_t bytes;
    TRY_RETURN(mw_split_make_by(&s->towards, &s->longest, 1, &s->split));
    if (s->from.block)
        TRY_RETURN(mw_split_make_by(&s->from, &s->longest, 1, &s->split_from));
    bytes = s->searches * s->split.largest * s->words * sizeof(uint64_t);
    if (bytes == 0)
        return 0;
    return mw_arc_zeros(&share->on, bytes, &s->merged);
}

/* Sends the arcs, after the rows are allocated. Marks also need the reversed arcs, and do not pay if blocks must be
 * sent. */
static int paths_bits_make_arcs(struct mw_path_share *share, struct bits *s)
{
    const struct mw_path_job *job = share->of;
    const uint64_t arcs = job->graph->arcs, block_arcs = job->options.block_arcs;
    const uint64_t pieces = share->on.cores ? 0 : 2 * (arcs / s->longest.arcs + 1);
    const uint64_t others = pieces * (s->searches * s->words * sizeof(uint64_t) + 2 * ARCS_PIECE * sizeof(uint32_t));
    TRY_RETURN(mw_arc_blocks_make(&share->on, job->graph, 0, arcs, block_arcs, 0, others, &s->towards));
    s->marks = !s->towards.sent;
    if (s->marks && job->reversed != job->graph) {
        TRY_RETURN(mw_arc_blocks_make(&share->on, job->reversed, 0, arcs, block_arcs, 0, others, &s->from));
        s->marks = !s->from.sent;
    }
    return make_pieces(share, s);
}

/* ---- levels ---- */

/* Divides `searches` times `rows` rows into parts; sets the level's rows per part and parts per search. */
static struct mw_range range_of(const struct mw_path_share *share, const struct bits *s, size_t rows, size_t searches,
                                struct bits_level *level)
{
    const size_t units = mw_max(mw_device_info(share->on.device)->compute_units, 1);
    size_t each, parts;
    if (share->on.cores)
        each = mw_min(mw_max(rows * searches / (units * PARTS_PER_UNIT) + 1, PART_LEAST), mw_max(rows, 1));
    else
        each = s->set->group;
    parts = (rows + each - 1) / each;
    /* An odd number: numbers of vertices with many arcs may have a power of two as a common divisor. */
    if (!share->on.cores)
        parts = mw_min(parts, (units * GROUPS_PER_UNIT / searches + 1) | 1);
    level->each = (int64_t)each;
    level->parts = (int32_t)parts;
    return mw_parts(s->set, (size_t)level->parts * searches);
}

/* The arguments of a level's launches. */
struct launch {
    struct bits *s;
    size_t searches;
    struct bits_level level;
};

/* A team per piece and search. */
static struct mw_range range_of_pieces(const struct launch *l, const struct mw_arc_pieces *p)
{
    struct mw_range range = mw_split_range(l->s->set, p);
    range.global[0] *= l->searches;
    return range;
}

static int mark_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct launch *l = context;
    const struct bits *s = l->s;
    return launch_bits_mark_split(s->set, range_of_pieces(l, p), s->flags[l->level.turn], s->marked, MW_ARCS(view),
                                  MW_ARC_PIECES(p), s->counts, (int64_t)l->searches, &l->level);
}

static int gather_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct launch *l = context;
    const struct bits *s = l->s;
    const int now = l->level.turn, next = 1 - now;
    const struct mw_range range = range_of_pieces(l, p);
    TRY_RETURN(launch_bits_gather_split(s->set, range, s->rows[now], s->rows[next], s->flags[now], s->flags[next],
                                        s->marked, s->home, MW_ARCS(view), MW_ARC_PIECES(p), s->counts, s->alive,
                                        s->merged, (int64_t)l->searches, &l->level));
    return launch_bits_merge(s->set, range, s->rows[now], s->rows[next], s->flags[now], s->flags[next], s->marked,
                             s->home, MW_ARCS(view), MW_ARC_PIECES(p), s->counts, s->alive, s->merged,
                             MW_PATH_SUMS(&s->sums), (int64_t)l->searches, &l->level);
}

/* Marks the neighbours of rows that changed in the previous level, if these are few. */
static int paths_bits_mark(struct mw_path_share *share, size_t searches, struct bits_level level)
{
    struct bits *s = share->state;
    struct mw_arc_blocks *arcs = s->from.block ? &s->from : &s->towards;
    struct mw_arc_view view;
    for (size_t b = 0; s->marks && b < arcs->count; b++) {
        TRY_RETURN(mw_arc_block_take(arcs, b, &view));
        const struct mw_range range = range_of(share, s, arcs->block[b].count, searches, &level);
        TRY_RETURN(launch_bits_mark(s->set, range, s->flags[level.turn], s->marked, MW_ARCS(&view), s->counts, &level));
        struct launch pieces = { s, searches, level };
        TRY_RETURN(mw_split_each(s->from.block ? &s->split_from : &s->split, b, &view, mark_split, &pieces));
    }
    return 0;
}

static int gather(struct mw_path_share *share, size_t searches, struct bits_level level)
{
    struct bits *s = share->state;
    const int now = level.turn, next = 1 - now;
    struct mw_arc_view view;
    for (size_t b = 0; b < s->towards.count; b++) {
        TRY_RETURN(mw_arc_block_take(&s->towards, b, &view));
        const struct mw_range range = range_of(share, s, s->towards.block[b].count, searches, &level);
        level.continued = b > 0 && s->towards.block[b - 1].cut;
        TRY_RETURN(launch_bits_gather(s->set, range, s->rows[now], s->rows[next], s->flags[now], s->flags[next],
                                      s->marked, s->home, MW_ARCS(&view), s->counts, s->alive, MW_PATH_SUMS(&s->sums),
                                      &level));
        struct launch pieces = { s, searches, level };
        TRY_RETURN(mw_split_each(&s->split, b, &view, gather_split, &pieces));
    }
    return 0;
}

/* Adds a level's new bits to the results; returns false without new bits. */
static bool add_level(struct mw_path_share *share, const uint32_t *found, size_t first, size_t count, size_t distance)
{
    const struct bits *s = share->state;
    const size_t pieces = (count + PATHS_WORD - 1) / PATHS_WORD * PATHS_PIECES;
    if (found[0] == 0)
        return false;
    for (size_t p = 0; p < pieces; p++) {
        uint64_t bits = 0;
        for (size_t slot = 0; slot < s->slots; slot++)
            bits += found[1 + slot * s->searches * s->words * PATHS_PIECES + p];
        if (bits > 0) /* no group has targets after the last */
            mw_path_add(share, first + p * MW_TARGET_GROUP, distance, bits);
    }
    return true;
}

/* Runs level after level until one finds nothing. */
static int paths_bits_search(struct mw_path_share *share, size_t first, size_t count)
{
    struct bits *s = share->state;
    const struct mw_graph *g = share->of->graph;
    const size_t n = g->vertices, searches = (count + s->words * PATHS_WORD - 1) / (s->words * PATHS_WORD);
    const uint64_t unit = mw_path_unit(share->of);
    const double mean = (double)g->arcs / (double)n;
    struct bits_level level = {
        .vertices = (int32_t)n,
        .stride = (int32_t)s->stride,
        .slots = (int32_t)s->slots,
        .searches = (int32_t)s->searches,
        .whole = (int32_t)s->longest.arcs,
        .by_vertex = share->of->options.by_vertex,
        .by_piece = share->of->targets.list != share->of->targets.all,
        .sparse = s->marks ? (uint32_t)((double)(n * searches) / (2 + mean)) : 0,
    };
    uint32_t rows = (uint32_t)mw_min(count, UINT32_MAX);
    for (size_t distance = 0, queued = mw_min(s->expected, LEVELS_MOST);; queued = mw_min(2 * queued, LEVELS_MOST)) {
        const size_t bytes = (queued + 1) * s->stride * sizeof *s->found;
        TRY_RETURN(mw_buffer_fill(s->counts, 0, bytes, 0));
        TRY_RETURN(mw_buffer_write(s->counts, 0, sizeof rows, &rows, NULL));
        for (size_t r = 0; r < queued; r++) {
            level.r = (int32_t)r;
            level.distance = (uint32_t)(distance + r + 1);
            level.inverse = path_inverse(unit, level.distance);
            TRY_RETURN(paths_bits_mark(share, searches, level));
            TRY_RETURN(gather(share, searches, level));
            level.turn = 1 - level.turn;
        }
        TRY_RETURN(mw_buffer_read(s->counts, 0, bytes, s->found, NULL));
        TRY_RETURN(mw_path_tally_reach(&share->tally, distance + queued));
        for (size_t r = 0; r < queued; r++) {
            if (!add_level(share, s->found + (r + 1) * s->stride, first, count, ++distance)) {
                s->expected = distance;
                return 0;
            }
        }
        rows = s->found[queued * s->stride];
    }
    return 0;
}

static int paths_bits_start(struct mw_path_share *share, size_t first, size_t count)
{
    struct bits *s = share->state;
    const size_t n = share->of->graph->vertices, of_search = s->words * PATHS_WORD;
    const size_t searches = (count + of_search - 1) / of_search, words = searches * s->words;
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, s->set, searches * n, &each);
    const size_t row = s->searches * s->words * sizeof(uint64_t); /* a row of `alive` */
    TRY_RETURN(mw_buffer_fill(s->alive, 0, PATHS_ALIVE * row, 0));
    TRY_RETURN(mw_buffer_fill(s->alive, 1 % PATHS_ALIVE * row, row, 0xff)); /* all targets, at distance 1 */
    TRY_RETURN(mw_buffer_write(s->targets, 0, count * sizeof(uint32_t), share->of->options.targets + first, NULL));
    TRY_RETURN(launch_bits_start(s->set, range, s->rows[0], s->flags[0], s->flags[1], s->marked, s->home, (int32_t)n,
                                 (int32_t)count, (int64_t)(searches * n), each));
    return launch_bits_targets(s->set, mw_items(words), s->rows[0], s->flags[0], s->targets, (int32_t)n, (int32_t)count,
                               (int32_t)words);
}

static int paths_bits_run(struct mw_path_share *share, size_t first, size_t count)
{
    TRY_RETURN(paths_bits_start(share, first, count));
    return paths_bits_search(share, first, count);
}

/* Runs a level in which no row has changed: some drivers compile kernels at the first launch. */
static int warm_up(struct mw_path_share *share)
{
    struct bits *s = share->state;
    const struct bits_level level = {
        .vertices = (int32_t)share->of->graph->vertices,
        .stride = (int32_t)s->stride,
        .slots = 1,
        .searches = 1,
        .whole = (int32_t)s->longest.arcs,
    };
    TRY_RETURN(mw_buffer_fill(s->counts, 0, s->stride * sizeof *s->found, 0));
    TRY_RETURN(paths_bits_start(share, 0, 1));
    TRY_RETURN(paths_bits_mark(share, 1, level));
    TRY_RETURN(gather(share, 1, level));
    return mw_buffer_read(s->counts, 0, sizeof *s->found, s->found, NULL);
}

static int paths_bits_make(struct mw_path_share *share, size_t *at_once)
{
    const size_t n = share->of->graph->vertices;
    struct bits *s;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = s;
    TRY_RETURN(mw_arc_set_new(&share->on, &kernels_graph_paths_bits,
                              &(struct mw_kernel_options){ .native = mw_native_graph_paths_bits, .group = GROUP },
                              &s->set));
    s->words = share->on.cores ? PATHS_CORE_WORDS : PATHS_GROUP_WORDS(s->set->group);
    const uint64_t whole = mw_min(PATHS_WHOLE_MOST, share->of->limits->vertex_most);
    s->longest = (struct mw_split_class){ whole, whole, (uint32_t)s->words };
    TRY_RETURN(choose_searches(share, s));
    s->slots = n / ROWS_OF_SLOT + 1;
    s->stride = 1 + s->slots * s->searches * s->words * PATHS_PIECES;
    s->expected = LEVELS_FIRST;
    TRY_RETURN(paths_bits_make_buffers(share, s));
    TRY_RETURN(paths_bits_make_arcs(share, s));
    if (mw_device_info(share->on.device)->kind != MW_DEVICE_NATIVE)
        TRY_RETURN(warm_up(share));
    *at_once = s->searches * s->words * PATHS_WORD;
    return 0;
}

/* ---- sums per vertex ---- */

static int paths_bits_finish(struct mw_path_share *share)
{
    const struct bits *s = share->state;
    return mw_path_sums_add(share, &s->sums);
}

const struct mw_path_variant mw_path_bits = { true, NULL, paths_bits_make, paths_bits_run, paths_bits_finish, NULL };
/* SPDX-License-Identifier: MIT */

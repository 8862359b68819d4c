/* Variant lanes of betweenness: many sources at once, level by level; with weights, first the lengths, then depth by
 * depth. */
#include <stdlib.h>

#include "graph/measures/betweenness.h"
#include "kernels/graph/measures/betweenness.h"
#include "kernels/native.h"

enum { LEVELS_FIRST = 6, LEVELS_MOST = 64 }; /* levels queued between two reads of the device */
enum { LANES_OF_CORES = 8, LANES_OF_GROUPS = 32, LANES_MOST = 1024, ELEMENTS = 1 << 22 };
/* A vertex with very many arcs delays each run: a run then has more lanes, so that there are fewer runs. */
enum { HUB_LEAST = 4096, LANES_WITH_HUBS = 128 };

struct lanes {
    size_t lanes;
    struct mw_buffer *distances, *paths, *shares, *sums, *counts;
    struct mw_buffer *lengths[2]; /* with weights */
    uint32_t found[LEVELS_MOST + 1];
};

static bool has_hubs(const struct mw_graph *g)
{
    for (size_t v = 0; v < g->vertices; v++)
        if (g->offsets[v + 1] - g->offsets[v] >= HUB_LEAST)
            return true;
    return false;
}

/* Chooses enough elements to keep the device busy, within its memory. */
static int choose_lanes(struct mw_between_share *share, size_t *lanes)
{
    const struct mw_device_info *info = mw_device_info(share->on.device);
    const size_t n = share->of->graph->vertices, sources = share->of->options.source_count;
    const size_t lengths = share->of->by_weights ? 2 * sizeof(int64_t) : 0;
    const size_t each = sizeof(int32_t) + 2 * MW_NUMBER_BYTES + sizeof(uint64_t) + lengths, by_size = ELEMENTS / n;
    const uint64_t largest = info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX;
    uint64_t fit = mw_between_budget(share) / (each * n);
    fit = fit < largest / (n * MW_NUMBER_BYTES) ? fit : largest / (n * MW_NUMBER_BYTES);
    if (fit == 0)
        return mw_fail(MW_ELIMIT,
                       "%s: a search of %zu vertices needs %.3g GB: raise the memory limit, or use another device",
                       info->id, n, (double)(each * n) / 1e9);
    if (share->on.cores)
        *lanes = LANES_OF_CORES;
    else
        *lanes = mw_max(by_size, has_hubs(share->of->graph) ? LANES_WITH_HUBS : LANES_OF_GROUPS);
    *lanes = *lanes < LANES_MOST ? *lanes : LANES_MOST;
    *lanes = *lanes < fit ? *lanes : (size_t)fit;
    *lanes = *lanes < sources ? *lanes : sources;
    return 0;
}

static int betweenness_lanes_make(struct mw_between_share *share)
{
    struct lanes *s;
    size_t elements;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = s;
    TRY_RETURN(choose_lanes(share, &s->lanes));
    share->at_once = s->lanes;
    elements = s->lanes * share->of->graph->vertices;
    TRY_RETURN(mw_arc_buffer(&share->on, elements * sizeof(int32_t), &s->distances));
    TRY_RETURN(mw_arc_buffer(&share->on, elements * MW_NUMBER_BYTES, &s->paths));
    TRY_RETURN(mw_arc_buffer(&share->on, elements * MW_NUMBER_BYTES, &s->shares));
    TRY_RETURN(mw_arc_zeros(&share->on, elements * sizeof(uint64_t), &s->sums));
    TRY_RETURN(mw_arc_buffer(&share->on, sizeof s->found, &s->counts));
    for (size_t i = 0; share->of->by_weights && i < MW_COUNT(s->lengths); i++)
        TRY_RETURN(mw_arc_buffer(&share->on, elements * sizeof(int64_t), &s->lengths[i]));
    return 0;
}

static int betweenness_lanes_start(struct mw_between_share *share, size_t first, size_t count)
{
    const struct lanes *s = share->state;
    const size_t elements = s->lanes * share->of->graph->vertices;
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, share->set, elements, &each);
    TRY_RETURN(launch_betweenness_start(share->set, range, s->distances, s->paths, s->shares, (int64_t)elements, each));
    const struct mw_range of_sources = share->on.cores ? mw_parts(share->set, count) : mw_items(count);
    TRY_RETURN(launch_betweenness_sources(share->set, of_sources, s->distances, s->paths, share->sources,
                                          (int32_t)first, (int32_t)count, (int32_t)s->lanes));
    if (!share->of->by_weights)
        return 0;
    TRY_RETURN(mw_buffer_fill(s->lengths[0], 0, elements * sizeof(int64_t), (int)(LENGTH_NONE & 0xff)));
    return launch_betweenness_near(share->set, of_sources, s->lengths[0], share->sources, (int32_t)first,
                                   (int32_t)count, (int32_t)s->lanes);
}

/* Launches a round over all arcs that lead to vertices. */
static int lengthen(struct mw_between_share *share, struct betweenness_level level)
{
    struct lanes *s = share->state;
    struct mw_arc_blocks *in = mw_between_in(share);
    struct mw_arc_view view;
    bool cut = false;
    for (size_t b = 0; b < in->count; b++) {
        TRY_RETURN(mw_arc_block_take(in, b, &view));
        const struct mw_range range = mw_arc_range(&share->on, share->set, in->block[b].count * s->lanes, &level.each);
        TRY_RETURN(launch_betweenness_lengths(share->set, range, s->lengths[0], s->lengths[1], MW_ARCS(&view),
                                              view.weights, cut, s->counts, &level));
        cut = in->block[b].cut;
    }
    mw_buffer_swap(&s->lengths[0], &s->lengths[1]);
    return 0;
}

static int level_out(struct mw_between_share *share, struct betweenness_level level)
{
    const struct lanes *s = share->state;
    struct mw_arc_blocks *in = mw_between_in(share);
    struct mw_arc_view view;
    for (size_t b = 0; b < in->count; b++) {
        TRY_RETURN(mw_arc_block_take(in, b, &view));
        const struct mw_range range = mw_arc_range(&share->on, share->set, in->block[b].count * s->lanes, &level.each);
        if (share->of->by_weights)
            TRY_RETURN(launch_betweenness_deeper(share->set, range, s->lengths[0], s->distances, s->paths,
                                                 MW_ARCS(&view), view.weights, s->counts, share->too_many, &level));
        else
            TRY_RETURN(launch_betweenness_out(share->set, range, s->distances, s->paths, MW_ARCS(&view), s->counts,
                                              share->too_many, &level));
    }
    return 0;
}

static int level_back(struct mw_between_share *share, struct betweenness_level level)
{
    const struct lanes *s = share->state;
    struct mw_arc_view view;
    for (size_t b = 0; b < share->out.count; b++) {
        TRY_RETURN(mw_arc_block_take(&share->out, b, &view));
        const struct mw_range range =
            mw_arc_range(&share->on, share->set, share->out.block[b].count * s->lanes, &level.each);
        if (share->of->by_weights)
            TRY_RETURN(launch_betweenness_shallower(share->set, range, s->lengths[0], s->distances, s->paths, s->shares,
                                                    s->sums, MW_ARCS(&view), view.weights, &level));
        else
            TRY_RETURN(launch_betweenness_back(share->set, range, s->distances, s->paths, s->shares, s->sums,
                                               MW_ARCS(&view), &level));
    }
    return 0;
}

/* Runs rounds until one finds nothing; stores how many found something. level.level is the level of the sources. */
typedef int round_fn(struct mw_between_share *share, struct betweenness_level level);
static int all_out(struct mw_between_share *share, round_fn *round, struct betweenness_level level, int32_t *longest)
{
    struct lanes *s = share->state;
    for (int32_t batch = LEVELS_FIRST;; batch = batch < LEVELS_MOST / 2 ? 2 * batch : LEVELS_MOST) {
        const size_t bytes = ((size_t)batch + 1) * sizeof *s->found;
        for (int32_t r = 0; r <= batch; r++)
            s->found[r] = r == 0;
        TRY_RETURN(mw_buffer_write(s->counts, 0, bytes, s->found, NULL));
        for (level.r = 0; level.r < batch; level.r++, level.level++)
            TRY_RETURN(round(share, level));
        TRY_RETURN(mw_buffer_read(s->counts, 0, bytes, s->found, NULL));
        for (int32_t r = 0; r < batch; r++)
            if (!s->found[r + 1]) {
                *longest = level.level - batch + r;
                return 0;
            }
    }
    return 0;
}

static int betweenness_lanes_run(struct mw_between_share *share, size_t first, size_t count)
{
    const struct lanes *s = share->state;
    struct betweenness_level level = { .vertices = (int32_t)share->of->graph->vertices,
                                       .lanes = (int32_t)s->lanes,
                                       .bits = share->of->bits };
    int32_t longest;
    TRY_RETURN(betweenness_lanes_start(share, first, count));
    if (share->of->by_weights)
        TRY_RETURN(all_out(share, lengthen, level, &longest));
    TRY_RETURN(all_out(share, level_out, level, &longest));
    for (level.level = longest; level.level > 0; level.level--)
        TRY_RETURN(level_back(share, level));
    return 0;
}

static int betweenness_lanes_finish(struct mw_between_share *share)
{
    const struct lanes *s = share->state;
    const size_t n = share->of->graph->vertices;
    struct mw_buffer *totals = NULL;
    int64_t each;
    int rc;
    TRY(mw_buffer_new(share->on.device, n * sizeof *share->sums, &totals));
    const struct mw_range range = mw_arc_range(&share->on, share->set, n, &each);
    TRY(launch_betweenness_total(share->set, range, s->sums, totals, (int64_t)n, (int32_t)s->lanes, each));
    TRY(mw_buffer_read(totals, 0, n * sizeof *share->sums, share->sums, NULL));
out:
    mw_buffer_free(totals);
    return rc;
}

#define KERNEL(name) (UINT64_C(1) << KERNEL_BETWEENNESS_##name)
const struct mw_between_variant mw_between_lanes = { .list = &kernels_graph_measures_betweenness,
                                                     .native = mw_native_graph_betweenness,
                                                     .kernels = KERNEL(START) | KERNEL(SOURCES) | KERNEL(OUT) |
                                                                KERNEL(BACK) | KERNEL(TOTAL),
                                                     .make = betweenness_lanes_make,
                                                     .run = betweenness_lanes_run,
                                                     .finish = betweenness_lanes_finish };
const struct mw_between_variant mw_between_depths = { .list = &kernels_graph_measures_betweenness,
                                                      .native = mw_native_graph_betweenness,
                                                      .kernels = KERNEL(START) | KERNEL(SOURCES) | KERNEL(NEAR) |
                                                                 KERNEL(LENGTHS) | KERNEL(DEEPER) | KERNEL(SHALLOWER) |
                                                                 KERNEL(TOTAL),
                                                      .make = betweenness_lanes_make,
                                                      .run = betweenness_lanes_run,
                                                      .finish = betweenness_lanes_finish };
/* SPDX-License-Identifier: MIT */

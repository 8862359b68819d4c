/* Variants frontier to private: breadth-first search from one target after the other, by the papers' kernels 1 to 7
 * (cl/graph/paths/frontier.clh). */
#include <stdlib.h>
#include <string.h>

#include "graph/paths/paths_internal.h"
#include "kernels/graph/paths/frontier.h"
#include "kernels/native.h"

enum { OF_FOUR = 4 };

/* The optimisations of a kernel, as macros of frontier.clh. */
struct ideas {
    const char *defines;
    const struct mw_native_kernel *native;
    bool counter, fours, sorted, update;
};

#define DEFINES(counter, local, private, fours, sorted, update)                                                        \
    "#define COUNTER " #counter "\n#define LOCAL " #local                                                              \
    "\n#define PRIVATE " #private "\n#define FOURS " #fours "\n#define SORTED " #sorted "\n#define UPDATE " #update    \
                                  "\n"
static const struct ideas kernel_1 = { DEFINES(0, 0, 0, 0, 0, 0), mw_native_graph_paths_1, false, false, false, false };
static const struct ideas kernel_2 = { DEFINES(1, 0, 0, 0, 0, 0), mw_native_graph_paths_2, true, false, false, false };
static const struct ideas kernel_3 = { DEFINES(1, 1, 0, 0, 0, 0), mw_native_graph_paths_3, true, false, false, false };
static const struct ideas kernel_4 = { DEFINES(1, 1, 0, 1, 0, 0), mw_native_graph_paths_4, true, true, false, false };
static const struct ideas kernel_5 = { DEFINES(1, 1, 0, 1, 1, 0), mw_native_graph_paths_5, true, true, true, false };
static const struct ideas kernel_6 = { DEFINES(0, 0, 0, 1, 1, 1), mw_native_graph_paths_6, false, true, true, true };
static const struct ideas kernel_7 = { DEFINES(1, 1, 1, 1, 1, 0), mw_native_graph_paths_7, true, true, true, false };

struct frontier {
    const struct ideas *ideas;
    struct mw_kernel_set *set;
    struct mw_buffer *distances, *now, *next, *counter;
    struct mw_arc_blocks arcs; /* a single block */
    struct mw_buffer *lists, *fours, *sorted;
    int32_t *on_host; /* distances or frontier */
};

/* ---- structures ---- */

/* Returns the groups of a vertex with so many arcs. */
static size_t groups_of(const struct ideas *ideas, uint64_t arcs)
{
    return (size_t)((arcs + (ideas->sorted ? 0 : 1) + OF_FOUR - 1) / OF_FOUR);
}

/* Makes the groups of four arcs. The number of arcs precedes them, or, if vertices are sorted, follows their start in
 * `lists`. */
static int make_fours(struct mw_path_share *share, struct frontier *s)
{
    const struct mw_graph *g = share->of->reversed;
    const size_t n = g->vertices, words = s->ideas->sorted ? 2 : 1, before = s->ideas->sorted ? 0 : 1;
    uint32_t *lists = NULL, *fours = NULL;
    size_t groups = 0;
    int rc;
    for (size_t v = 0; v < n; v++)
        groups += groups_of(s->ideas, g->offsets[v + 1] - g->offsets[v]);
    if (groups > UINT32_MAX)
        return mw_fail(MW_ELIMIT, "variant %s: more than 2^32 groups of arcs: use bits", share->of->options.variant);
    TRY(mw_new(n * words, sizeof *lists, &lists));
    TRY(mw_new(groups * OF_FOUR, sizeof *fours, &fours));
    for (size_t v = 0, group = 0; v < n; v++) {
        const uint64_t arcs = g->offsets[v + 1] - g->offsets[v];
        lists[v * words] = (uint32_t)group;
        if (s->ideas->sorted)
            lists[v * words + 1] = (uint32_t)arcs;
        else
            fours[group * OF_FOUR] = (uint32_t)arcs;
        memcpy(fours + group * OF_FOUR + before, g->heads + g->offsets[v], arcs * sizeof *fours);
        group += groups_of(s->ideas, arcs);
    }
    TRY(mw_arc_copy(&share->on, n * words * sizeof *lists, lists, &s->lists));
    TRY(mw_arc_copy(&share->on, groups * OF_FOUR * sizeof *fours, fours, &s->fours));
out:
    free(lists);
    free(fours);
    return rc;
}

static int make_sorted(struct mw_path_share *share, struct frontier *s)
{
    const struct mw_graph *g = share->of->reversed;
    uint32_t *sorted = NULL, *rank = NULL;
    int rc;
    TRY(mw_new(g->vertices, sizeof *sorted, &sorted));
    TRY(mw_new(g->vertices, sizeof *rank, &rank));
    TRY(mw_graph_rank_vertices(g->offsets, g->vertices, sorted, rank));
    TRY(mw_arc_copy(&share->on, g->vertices * sizeof *sorted, sorted, &s->sorted));
out:
    free(sorted);
    free(rank);
    return rc;
}

/* ---- life ---- */

/* ---- a search ---- */

static int frontier_step(struct mw_path_share *share)
{
    struct frontier *s = share->state;
    const size_t n = share->of->graph->vertices;
    struct mw_arc_view view;
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, s->set, n, &each);
    if (s->ideas->fours)
        return launch_frontier_fours(s->set, range, s->distances, s->now, s->next, s->counter, s->lists, s->fours,
                                     s->sorted ? s->sorted : s->lists, (int32_t)n, each);
    TRY_RETURN(mw_arc_block_take(&s->arcs, 0, &view));
    return launch_frontier_arcs(s->set, range, s->distances, s->now, s->next, s->counter, MW_ARCS(&view), each);
}

/* Reads back the data that shows whether the frontier is empty. */
static int frontier_look(const struct mw_path_share *share, bool *more)
{
    const struct frontier *s = share->state;
    const size_t n = share->of->graph->vertices;
    uint32_t count = 0;
    if (s->ideas->counter || s->ideas->update) {
        TRY_RETURN(mw_buffer_read(s->counter, 0, sizeof count, &count, NULL));
    } else {
        TRY_RETURN(mw_buffer_read(s->now, 0, n * sizeof *s->on_host, s->on_host, NULL));
        for (size_t v = 0; v < n && count == 0; v++)
            count = s->on_host[v] != 0;
    }
    *more = count > 0;
    return 0;
}

/* Makes the next frontier the current one, and clears the other. */
static int swap_frontiers(struct mw_path_share *share)
{
    struct frontier *s = share->state;
    struct mw_buffer *before = s->now;
    s->now = s->next;
    s->next = before;
    TRY_RETURN(mw_buffer_fill(s->next, 0, mw_buffer_bytes(s->next), 0));
    return mw_buffer_fill(s->counter, 0, sizeof(uint32_t), 0);
}

static int frontier_start(struct mw_path_share *share, uint32_t from)
{
    static const int32_t zero = 0, one = 1;
    const struct frontier *s = share->state;
    const size_t bytes = share->of->graph->vertices * sizeof(int32_t);
    TRY_RETURN(mw_buffer_fill(s->distances, 0, bytes, MW_NO_PATH & 0xff));
    TRY_RETURN(mw_buffer_fill(s->now, 0, bytes, 0));
    TRY_RETURN(mw_buffer_fill(s->next, 0, mw_buffer_bytes(s->next), 0));
    TRY_RETURN(mw_buffer_write(s->distances, from * sizeof zero, sizeof zero, &zero, NULL));
    TRY_RETURN(mw_buffer_write(s->now, from * sizeof one, sizeof one, &one, NULL));
    return mw_buffer_write(s->counter, 0, sizeof one, s->ideas->counter ? &one : &zero, NULL);
}

static int frontier_make(struct mw_path_share *share, const struct ideas *ideas, size_t *at_once)
{
    const struct mw_arc_worker *on = &share->on;
    const size_t n = share->of->graph->vertices, bytes = n * sizeof(int32_t);
    const uint64_t wanted = UINT64_C(1) << (ideas->fours ? KERNEL_FRONTIER_FOURS : KERNEL_FRONTIER_ARCS);
    struct frontier *s;
    bool more;
    TRY_RETURN(mw_arc_new(on, 1, sizeof *s, &s));
    share->state = s;
    s->ideas = ideas;
    TRY_RETURN(mw_arc_set_new(on, &kernels_graph_paths_frontier,
                              &(struct mw_kernel_options){
                                  .native = ideas->native, .wanted = wanted, .defines = ideas->defines },
                              &s->set));
    TRY_RETURN(mw_arc_buffer(on, bytes, &s->distances));
    TRY_RETURN(mw_arc_buffer(on, bytes, &s->now));
    TRY_RETURN(mw_arc_buffer(on, ideas->update ? bytes : sizeof(int32_t), &s->next));
    TRY_RETURN(mw_arc_buffer(on, sizeof(uint32_t), &s->counter));
    TRY_RETURN(mw_arc_new(on, n, sizeof *s->on_host, &s->on_host));
    if (ideas->fours)
        TRY_RETURN(make_fours(share, s));
    else
        TRY_RETURN(mw_path_arcs(share, share->of->reversed, &s->arcs));
    if (ideas->sorted)
        TRY_RETURN(make_sorted(share, s));
    /* Runs a step without a frontier: some drivers compile kernels at the first launch. */
    TRY_RETURN(mw_buffer_fill(s->now, 0, bytes, 0));
    TRY_RETURN(frontier_step(share));
    TRY_RETURN(frontier_look(share, &more));
    *at_once = PATHS_WORD;
    return 0;
}

static int frontier_run(struct mw_path_share *share, size_t first, size_t count)
{
    const struct frontier *s = share->state;
    const size_t n = share->of->graph->vertices;
    for (size_t t = first; t < first + count; t++) {
        bool more = true;
        TRY_RETURN(frontier_start(share, share->of->options.targets[t]));
        while (more) {
            TRY_RETURN(frontier_step(share));
            TRY_RETURN(frontier_look(share, &more));
            if (s->ideas->update)
                TRY_RETURN(swap_frontiers(share));
        }
        TRY_RETURN(mw_buffer_read(s->distances, 0, n * sizeof *s->on_host, s->on_host, NULL));
        TRY_RETURN(mw_path_add_target(share, t, s->on_host));
    }
    return 0;
}

/* ---- memory ---- */

/* Searches follow the arcs of the reversed graph. */
static int count_groups(const struct ideas *ideas, const struct mw_graph *g, uint64_t *groups)
{
    uint32_t *arrive = NULL;
    int rc = 0;
    *groups = 0;
    if (g->directed) {
        TRY(mw_new(g->vertices, sizeof *arrive, &arrive));
        for (uint64_t a = 0; a < g->arcs; a++)
            arrive[g->heads[a]]++;
    }
    for (size_t v = 0; v < g->vertices; v++)
        *groups += groups_of(ideas, arrive ? arrive[v] : g->offsets[v + 1] - g->offsets[v]);
out:
    free(arrive);
    return rc;
}

/* Distances, frontiers, and the arcs: a list with offsets, or groups with their starts, and the order of vertices. */
static int frontier_memory(const struct ideas *ideas, const struct mw_graph *g, struct mw_graph_footprint *memory)
{
    const uint64_t word = sizeof(uint32_t), lists = ideas->sorted ? 3 : 1;
    uint64_t groups = 0;
    if (ideas->fours)
        TRY_RETURN(count_groups(ideas, g, &groups));
    memory->vertices = (2 + (ideas->update ? 1 : 0) + lists) * word * g->vertices;
    memory->arcs = ideas->fours ? groups * OF_FOUR * word : g->arcs * word;
    memory->rest = (1 + (ideas->update ? 0 : 1) + (ideas->fours ? 0 : 1)) * word;
    return 0;
}

#define VARIANT(name, ideas)                                                                                           \
    static int prepare_##name(struct mw_path_share *share, size_t *at_once)                                            \
    {                                                                                                                  \
        return frontier_make(share, &ideas, at_once);                                                                  \
    }                                                                                                                  \
    static int memory_##name(const struct mw_graph *graph, struct mw_graph_footprint *memory)                          \
    {                                                                                                                  \
        return frontier_memory(&ideas, graph, memory);                                                                 \
    }                                                                                                                  \
    const struct mw_path_variant mw_path_##name = { true, NULL, prepare_##name, frontier_run, NULL, memory_##name }
VARIANT(frontier, kernel_1);
VARIANT(counter, kernel_2);
VARIANT(local, kernel_3);
VARIANT(fours, kernel_4);
VARIANT(sorted, kernel_5);
VARIANT(update, kernel_6);
VARIANT(private, kernel_7);
/* SPDX-License-Identifier: MIT */

/* Variant queue: breadth-first searches with queues, one per slot at a time. For one search see
 * cl/graph/paths/queue.clh. */
#include <stdlib.h>

#include "graph/paths/paths_internal.h"
#include "kernels/graph/paths/queue.h"
#include "kernels/native.h"

enum { GROUP = 64, SLOTS_PER_UNIT = 512, TARGETS_PER_UNIT = 8 };

struct queue {
    struct mw_kernel_set *set;
    struct mw_arc_blocks arcs; /* a single block; arcs lead away from the targets */
    struct queue_plan plan;    /* without `targets` */
    struct mw_buffer *distances, *queues, *ends, *histograms, *longest, *targets, *reached_of, *sums_of;
    struct mw_path_sums sums;
    uint32_t *reached_on_host; /* per target of a run */
    uint64_t *sums_on_host;
    int32_t *rows; /* a row per slot, if rows are wanted */
};

static size_t words_up(size_t targets) { return (targets + PATHS_WORD - 1) / PATHS_WORD * PATHS_WORD; }

/* ---- life ---- */

/* Returns the bytes of one slot. */
static uint64_t slot_bytes(const struct mw_path_job *job)
{
    const size_t n = job->graph->vertices;
    return (uint64_t)n * (sizeof(int32_t) + sizeof(uint32_t) + sizeof(uint64_t)) +
           mw_path_sums_bytes(n, job->options.by_vertex);
}

/* Returns whether a search fits the loop limit of the driver: some drivers silently end a work-item's loops. A search
 * takes up to about eight iterations per vertex and one per ARCS_TURN arcs. */
static bool loops_fit(const struct mw_path_job *job, const struct mw_device_info *info)
{
    const double rounds = 9 * (double)job->graph->vertices + (double)job->graph->arcs / ARCS_TURN;
    return info->traits->loop_rounds == 0 || rounds <= info->traits->loop_rounds;
}

static const char *queue_refuses(const struct mw_path_share *share)
{
    return loops_fit(share->of, mw_device_info(share->on.device))
               ? NULL
               : "needs longer loops than this driver runs: use bits, or for the matrix another device";
}

static size_t units_of(const struct mw_device_info *info) { return info->compute_units ? info->compute_units : 1; }

/* Returns the targets of one run. */
static size_t count_at_once(const struct mw_path_job *job, const struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    const size_t of_unit = info->traits->has_cores ? TARGETS_PER_UNIT : SLOTS_PER_UNIT;
    return mw_min(words_up(job->options.target_count), words_up(units_of(info) * of_unit));
}

/* On cores there is one slot per unit, which processes several targets. On GPUs, and for rows, there is one slot per
 * target of a run. */
size_t mw_path_queue_slots(const struct mw_path_job *job, const struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    if (!loops_fit(job, info))
        return 0;
    const uint64_t most = info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX;
    const uint64_t fit = mw_min(mw_path_budget(job, device) / slot_bytes(job),
                                most / ((uint64_t)job->graph->vertices * sizeof(uint64_t)));
    return mw_min(mw_min(count_at_once(job, device), fit),
                  info->traits->has_cores && !job->targets.rows ? units_of(info) : INT32_MAX);
}

static int choose_slots(struct mw_path_share *share, struct queue *s, size_t *at_once)
{
    const struct mw_path_job *job = share->of;
    const struct mw_device *device = share->on.device;
    const size_t slots = mw_path_queue_slots(job, device);
    *at_once = count_at_once(job, device);
    s->plan.slots = (int32_t)slots;
    if (slots == 0)
        return mw_fail(MW_ELIMIT,
                       "%s: a search of %zu vertices needs %.3g GB, but the limit is %.3g GB: raise the "
                       "limit, or use another device",
                       mw_device_info(device)->id, job->graph->vertices, (double)slot_bytes(job) / 1e9,
                       (double)mw_path_budget(job, device) / 1e9);
    return 0;
}

static int queue_make_buffers(struct mw_path_share *share, struct queue *s, size_t targets)
{
    const struct mw_arc_worker *on = &share->on;
    const size_t n = share->of->graph->vertices, slots = (size_t)s->plan.slots, rows = slots * n;
    TRY_RETURN(mw_arc_buffer(on, rows * sizeof(int32_t), &s->distances));
    TRY_RETURN(mw_arc_buffer(on, rows * sizeof(uint32_t), &s->queues));
    TRY_RETURN(mw_arc_buffer(on, slots * sizeof(uint32_t), &s->ends));
    TRY_RETURN(mw_arc_buffer(on, rows * sizeof(uint64_t), &s->histograms));
    TRY_RETURN(mw_arc_buffer(on, slots * sizeof(uint32_t), &s->longest));
    TRY_RETURN(mw_arc_buffer(on, targets * sizeof(uint32_t), &s->targets));
    TRY_RETURN(mw_arc_buffer(on, targets * sizeof(uint32_t), &s->reached_of));
    TRY_RETURN(mw_arc_buffer(on, targets * sizeof(uint64_t), &s->sums_of));
    TRY_RETURN(mw_arc_new(on, targets, sizeof *s->reached_on_host, &s->reached_on_host));
    TRY_RETURN(mw_arc_new(on, targets, sizeof *s->sums_on_host, &s->sums_on_host));
    TRY_RETURN(mw_buffer_fill(s->distances, 0, rows * sizeof(int32_t), MW_NO_PATH & 0xff));
    TRY_RETURN(mw_buffer_fill(s->ends, 0, slots * sizeof(uint32_t), 0));
    TRY_RETURN(mw_buffer_fill(s->histograms, 0, rows * sizeof(uint64_t), 0));
    TRY_RETURN(mw_buffer_fill(s->longest, 0, slots * sizeof(uint32_t), 0));
    TRY_RETURN(mw_path_sums_make(share, slots, &s->sums));
    return share->of->targets.rows ? mw_arc_new(on, rows, sizeof *s->rows, &s->rows) : 0;
}

/* ---- searches ---- */

static int queue_search(struct mw_path_share *share, size_t count)
{
    struct queue *s = share->state;
    struct queue_plan plan = s->plan;
    struct mw_arc_view view;
    plan.targets = (int32_t)count;
    TRY_RETURN(mw_arc_block_take(&s->arcs, 0, &view));
    return launch_queue_search(s->set, mw_parts(s->set, ((size_t)plan.slots - 1) / (size_t)plan.each + 1), s->distances,
                               s->queues, s->ends, s->histograms, s->longest, s->targets, s->reached_of, s->sums_of,
                               MW_ARCS(&view), MW_PATH_SUMS(&s->sums), &plan);
}

static int join_by(struct mw_path_share *share, struct queue_join plan)
{
    const struct queue *s = share->state;
    const struct mw_range range = mw_arc_range(&share->on, s->set, (size_t)plan.elements, &plan.each);
    return launch_queue_join(s->set, range, s->histograms, MW_PATH_SUMS(&s->sums), &plan);
}

/* Sums up the slots' counts in the first slot, on the device: there may be as many slots as vertices. */
static int queue_join(struct mw_path_share *share, size_t distances)
{
    const struct queue *s = share->state;
    const size_t n = share->of->graph->vertices, slots = (size_t)s->plan.slots;
    struct queue_join plan = { .slots = s->plan.slots,
                               .vertices = (int64_t)n,
                               .distances = (int32_t)distances,
                               .by_vertex = s->plan.by_vertex,
                               .width = (int64_t)(s->plan.by_vertex ? n : distances) };
    for (size_t step = 1; step < slots; step *= QUEUE_JOINED) {
        plan.step = (int64_t)step;
        plan.elements = (int64_t)((slots - 1) / (step * QUEUE_JOINED) + 1) * plan.width;
        TRY_RETURN(join_by(share, plan));
    }
    return 0;
}

static int queue_make(struct mw_path_share *share, size_t *at_once)
{
    struct queue *s;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = s;
    TRY_RETURN(mw_arc_set_new(&share->on, &kernels_graph_paths_queue,
                              &(struct mw_kernel_options){ .native = mw_native_graph_paths_queue, .group = GROUP },
                              &s->set));
    s->plan = (struct queue_plan){ .unit = mw_path_unit(share->of),
                                   .each = share->on.cores ? 1 : (int64_t)s->set->group,
                                   .by_vertex = share->of->options.by_vertex };
    TRY_RETURN(choose_slots(share, s, at_once));
    TRY_RETURN(queue_make_buffers(share, s, *at_once));
    TRY_RETURN(mw_path_arcs(share, share->of->reversed, &s->arcs));
    /* Some drivers compile kernels at the first launch: run without targets, and join a single slot. */
    if (mw_device_info(share->on.device)->kind != MW_DEVICE_NATIVE) {
        TRY_RETURN(queue_search(share, 0));
        TRY_RETURN(join_by(share, (struct queue_join){ .step = s->plan.slots,
                                                       .slots = s->plan.slots,
                                                       .width = 1,
                                                       .elements = 1,
                                                       .distances = 1,
                                                       .vertices = (int64_t)share->of->graph->vertices }));
        TRY_RETURN(mw_buffer_read(s->ends, 0, sizeof *s->reached_on_host, s->reached_on_host, NULL));
    }
    return 0;
}

/* Passes on the rows of the last search, one per slot. */
static int give_rows(struct mw_path_share *share, size_t first, size_t count)
{
    const struct queue *s = share->state;
    const size_t distances = count * share->of->graph->vertices;
    TRY_RETURN(mw_buffer_read(s->distances, 0, distances * sizeof *s->rows, s->rows, NULL));
    for (size_t i = 0; i < distances; i++)
        s->rows[i] = s->rows[i] == MW_NO_PATH ? -1 : s->rows[i];
    return mw_target_rows_give(share->of->targets.rows, first, count, s->rows);
}

static int run_some(struct mw_path_share *share, size_t first, size_t count)
{
    const struct queue *s = share->state;
    TRY_RETURN(mw_buffer_write(s->targets, 0, count * sizeof(uint32_t), share->of->options.targets + first, NULL));
    TRY_RETURN(queue_search(share, count));
    TRY_RETURN(mw_buffer_read(s->reached_of, 0, count * sizeof(uint32_t), s->reached_on_host, NULL));
    TRY_RETURN(mw_buffer_read(s->sums_of, 0, count * sizeof(uint64_t), s->sums_on_host, NULL));
    for (size_t t = 0; t < count; t++)
        mw_target_add(&share->of->targets, first + t, s->reached_on_host[t] - 1, (mw_i128)s->sums_on_host[t]);
    return s->rows ? give_rows(share, first, count) : 0;
}

static int queue_run(struct mw_path_share *share, size_t first, size_t count)
{
    const struct queue *s = share->state;
    /* On GPUs, each work-item makes one search per launch, which takes long enough. */
    const size_t some = s->rows || !share->on.cores ? (size_t)s->plan.slots : count;
    for (size_t done = 0; done < count; done += some)
        TRY_RETURN(run_some(share, first + done, mw_min(some, count - done)));
    return 0;
}

/* Finds the largest distance in any slot. */
static int find_longest(const struct queue *s, uint32_t *longest)
{
    uint32_t *of_slots = NULL;
    int rc;
    TRY(mw_new((size_t)s->plan.slots, sizeof *of_slots, &of_slots));
    TRY(mw_buffer_read(s->longest, 0, (size_t)s->plan.slots * sizeof *of_slots, of_slots, NULL));
    *longest = 0;
    for (size_t i = 0; i < (size_t)s->plan.slots; i++)
        *longest = of_slots[i] > *longest ? of_slots[i] : *longest;
out:
    free(of_slots);
    return rc;
}

static int queue_finish(struct mw_path_share *share)
{
    struct queue *s = share->state;
    struct mw_path_tally *t = &share->tally;
    uint64_t *histogram = NULL;
    uint32_t longest;
    int rc;
    TRY(find_longest(s, &longest));
    TRY(queue_join(share, (size_t)longest + 1));
    s->sums.slots = 1;
    TRY(mw_new((size_t)longest + 1, sizeof *histogram, &histogram));
    TRY(mw_buffer_read(s->histograms, 0, ((size_t)longest + 1) * sizeof *histogram, histogram, NULL));
    TRY(mw_path_tally_reach(t, longest));
    for (size_t d = 1; d <= longest; d++)
        t->histogram[d] += histogram[d];
    t->longest = t->longest < longest ? longest : t->longest;
    TRY(mw_path_sums_add(share, &s->sums));
out:
    free(histogram);
    return rc;
}

const struct mw_path_variant mw_path_queue = { true, queue_refuses, queue_make, queue_run, queue_finish, NULL };
/* SPDX-License-Identifier: MIT */

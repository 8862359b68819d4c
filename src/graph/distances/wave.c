/* Frontiers of breadth-first searches, in lists per thread. */
#include <stdlib.h>

#include "base/progress.h"
#include "graph/distances/distances_internal.h"

enum { GRAIN = 64 };

int mw_wave_make(struct mw_executor *executor, struct mw_wave *wave)
{
    struct mw_wave made = { .executor = executor, .threads = mw_executor_threads(executor) };
    int rc;
    TRY(mw_new(made.threads, sizeof *made.next, &made.next));
    TRY(mw_new(made.threads, sizeof *made.now, &made.now));
    TRY(mw_new(made.threads + 1, sizeof *made.begin, &made.begin));
    *wave = MW_PASS(made);
out:
    mw_wave_drop(&made);
    return rc;
}

void mw_wave_drop(struct mw_wave *wave)
{
    for (unsigned t = 0; t < wave->threads && wave->next && wave->now; t++) {
        free(wave->next[t].vertex);
        free(wave->now[t].vertex);
    }
    free(wave->next);
    free(wave->now);
    free(wave->begin);
    *wave = (struct mw_wave){ 0 };
}

bool mw_wave_grow(struct mw_wave_list *list)
{
    list->failed |=
        mw_reserve(list->count, list->capacity ? 1 : 1024, sizeof *list->vertex, &list->capacity, &list->vertex) != 0;
    return !list->failed;
}

int mw_wave_turn(struct mw_wave *wave, size_t *count)
{
    struct mw_wave_list *done = wave->now;
    TRY_RETURN(mw_progress_look());
    wave->now = wave->next;
    wave->next = done;
    for (unsigned t = 0; t < wave->threads; t++) {
        if (wave->now[t].failed)
            return mw_fail(MW_ENOMEM, "out of memory for the frontier of a search");
        wave->next[t].count = 0;
        wave->begin[t + 1] = wave->begin[t] + wave->now[t].count;
    }
    *count = wave->begin[wave->threads];
    return 0;
}

struct running {
    struct mw_wave *wave;
    mw_wave_visit *visit;
    void *context;
};

static void run_range(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct running *r = context;
    const struct mw_wave *wave = r->wave;
    for (unsigned t = 0; t < wave->threads && begin < end; t++)
        for (; begin < end && begin < wave->begin[t + 1]; begin++)
            r->visit(r->context, wave->now[t].vertex[begin - wave->begin[t]], worker);
}

void mw_wave_run(struct mw_wave *wave, mw_wave_visit *visit, void *context)
{
    struct running running = { wave, visit, context };
    mw_parallel_for(wave->executor, wave->begin[wave->threads], GRAIN, run_range, &running);
}
/* SPDX-License-Identifier: MIT */

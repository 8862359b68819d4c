/* Totals of components' sizes, and their copy to the host. */
#include <stdlib.h>

#include "components/components_internal.h"
#include "components/sizes.clh"
#include "prim/prim_internal.h"

#include "kernels/components/components.h"

enum { COUNTED_AT_ONCE = 16384 }; /* labels, on the stack */

/* Combines the totals of the parts, in increasing order. */
static struct mw_components_totals join_totals(const uint32_t *told, size_t parts)
{
    struct mw_components_totals all = { 0 };
    for (size_t i = 0; i < parts; i++) {
        const uint32_t *part = told + i * TOTALS;
        all.cells += part[TOTAL_CELLS];
        all.side += part[TOTAL_SIDE];
        if (mw_max(part[TOTAL_ABOVE], part[TOTAL_BELOW]) > mw_max(all.above, all.below))
            all.first = part[TOTAL_FIRST];
        all.above = mw_max(all.above, part[TOTAL_ABOVE]);
        all.below = mw_max(all.below, part[TOTAL_BELOW]);
    }
    all.largest = mw_max(all.above, all.below);
    return all;
}

/* Computes the totals of few sizes, as find_totals of cl/components/components.clh does. */
static struct mw_components_totals totals_of(const uint32_t *sizes, size_t count)
{
    struct mw_components_totals all = { 0 };
    for (size_t i = 0; i < count; i++) {
        all.cells += sizes[i];
        if (sizes[i] > all.largest)
            all.first = (uint32_t)i;
        all.largest = mw_max(all.largest, sizes[i]);
    }
    all.above = all.largest;
    all.side = all.cells;
    return all;
}

int mw_components_count(struct mw_buffer *labels, size_t n, size_t count, struct mw_buffer *sizes,
                        struct mw_components_totals *totals)
{
    uint32_t some[COUNTED_AT_ONCE], *size = NULL;
    int rc;
    TRY(mw_new(count, sizeof *size, &size));
    for (size_t first = 0, last; first < n; first += last) {
        last = mw_min(n - first, COUNTED_AT_ONCE);
        TRY(mw_buffer_read(labels, first * sizeof *some, last * sizeof *some, some, NULL));
        for (size_t i = 0, end; i < last; i = end) {
            for (end = i + 1; end < last && some[end] == some[i]; end++)
                continue;
            if (some[i] - 1 < count)
                size[some[i] - 1] += (uint32_t)(end - i);
        }
    }
    *totals = totals_of(size, count);
    TRY(mw_buffer_write(sizes, 0, count * sizeof *size, size, NULL));
out:
    free(size);
    return rc;
}

/* Launches the totals of all parts. The last of `words` is also[also_at], unless also is NULL. Values above `positive`
 * are negative sizes. */
static int launch_totals(struct mw_prim *prim, struct mw_buffer *sizes, size_t count, uint32_t positive,
                         struct mw_buffer *also, size_t also_at, struct mw_buffer **told, size_t *words)
{
    struct mw_prim_run run;
    TRY_RETURN(mw_prim_run(prim, &mw_components_32, count, sizeof(uint32_t), &run));
    *words = mw_prim_parts(count, (size_t)run.each) * TOTALS + (also ? 1 : 0);
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_GUEST_1, *words, sizeof(uint32_t), told));
    return launch_components_totals(run.set, run.range, sizes, *told, also, (int64_t)also_at, positive, run.n,
                                    run.each);
}

int mw_components_told_reserve(struct mw_prim *prim, size_t count, struct mw_components_told *told)
{
    struct mw_prim_run run;
    if (count == 0)
        return 0;
    TRY_RETURN(mw_prim_run(prim, &mw_components_32, count, sizeof(uint32_t), &run));
    const size_t words = mw_prim_parts(count, (size_t)run.each) * TOTALS + 1;
    if (told->room >= words)
        return 0;
    mw_components_told_free(told);
    TRY_RETURN(mw_staging_new(prim->device, words * sizeof(uint32_t), &told->staging));
    told->room = words;
    return 0;
}

int mw_components_totals_read(struct mw_prim *prim, struct mw_buffer *sizes, size_t count, struct mw_buffer *also,
                              size_t also_at, struct mw_components_told *told)
{
    struct mw_buffer *buffer;
    size_t words;
    told->words = 0;
    if (count == 0)
        return 0;
    TRY_RETURN(launch_totals(prim, sizes, count, INT32_MAX, also, also_at, &buffer, &words));
    TRY_RETURN(mw_buffer_read(buffer, 0, words * sizeof(uint32_t), mw_staging_memory(told->staging), &told->event));
    told->words = words;
    return 0;
}

int mw_components_told_wait(struct mw_components_told *told)
{
    const int rc = told->event ? mw_event_wait(told->event) : 0;
    mw_event_free(told->event);
    told->event = NULL;
    return rc;
}

int mw_components_totals_hear(struct mw_components_told *told, struct mw_components_totals *totals, uint32_t *word)
{
    *totals = (struct mw_components_totals){ 0 };
    if (told->words == 0)
        return 0;
    TRY_RETURN(mw_components_told_wait(told));
    const uint32_t *const words = mw_staging_memory(told->staging);
    *totals = join_totals(words, told->words / TOTALS);
    if (told->words % TOTALS)
        *word = words[told->words - 1];
    return 0;
}

void mw_components_told_free(struct mw_components_told *told)
{
    (void)mw_components_told_wait(told);
    mw_staging_free(told->staging);
    *told = (struct mw_components_told){ 0 };
}

int mw_components_totals(struct mw_prim *prim, struct mw_buffer *sizes, size_t count,
                         struct mw_components_totals *totals)
{
    uint32_t few[MW_PRIM_FEW], *told = NULL;
    struct mw_buffer *buffer;
    size_t words;
    int rc = 0;
    if (count == 0)
        goto out;
    if (mw_prim_on_host(prim, count, MW_PRIM_FEW)) {
        TRY(mw_buffer_read(sizes, 0, count * sizeof few[0], few, NULL));
        *totals = totals_of(few, count);
        goto out;
    }
    TRY(launch_totals(prim, sizes, count, UINT32_MAX, NULL, 0, &buffer, &words));
    TRY(mw_new(words, sizeof *told, &told));
    TRY(mw_buffer_read(buffer, 0, words * sizeof *told, told, NULL));
    *totals = join_totals(told, words / TOTALS);
out:
    free(told);
    return rc;
}

void mw_components_summary_of(size_t count, const struct mw_components_totals *totals,
                              struct mw_components_summary *summary)
{
    *summary = (struct mw_components_summary){
        .size = sizeof *summary, .components = count, .cells = totals->cells, .largest_size = totals->largest
    };
    if (count > 0) {
        summary->largest_label = (size_t)totals->first + 1;
        summary->mean_size = (double)totals->cells / (double)count;
    }
}
/* SPDX-License-Identifier: MIT */

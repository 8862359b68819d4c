/* Histograms. */
#include "prim/prim_internal.h"
#include "prim/sizes.clh"
#include "kernels/native.h"
#include "kernels/prim/histogram.h"

static const struct mw_prim_program program = { &kernels_prim_histogram, "", mw_native_histogram, false, false, NULL };

#define TABLE_SHARE 4 /* tables take at most a fourth of the keys' memory, or little memory */
#define FEW_BINS ((size_t)4096)

/* On cores: returns how many tables are worth their memory and the time to add them up; 0: none. */
static size_t tables_of(const struct mw_prim *prim, size_t n, size_t bins, size_t parts)
{
    const size_t most = bins <= FEW_BINS ? parts : n / TABLE_SHARE / bins;
    return parts <= 1 || prim->units == 1 ? 1 : most < prim->units ? 0 : most < parts ? most : parts;
}

static int by_tables(struct mw_prim *prim, struct mw_buffer *keys, size_t n, uint32_t first, size_t bins,
                     struct mw_buffer *counts, size_t tables)
{
    const size_t each = (n + tables - 1) / tables, parts = mw_prim_parts(n, each);
    const size_t bins_each = mw_prim_each(prim, bins, 4 * parts);
    const struct mw_kernel_set *set;
    struct mw_buffer *all = counts;
    TRY_RETURN(mw_prim_set(prim, &program, &set));
    if (parts > 1)
        TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_COUNTS, parts * bins, sizeof(uint32_t), &all));
    TRY_RETURN(
        launch_histogram_parts(set, mw_parts(set, parts), keys, all, (int64_t)n, (int64_t)each, first, (uint32_t)bins));
    if (parts > 1)
        TRY_RETURN(launch_histogram_join(set, mw_parts(set, mw_prim_parts(bins, bins_each)), all, counts,
                                         (int64_t)parts, (int64_t)bins, (int64_t)bins_each));
    return 0;
}

/* Counts in a single table, by atomic additions. */
static int by_additions(struct mw_prim *prim, struct mw_buffer *keys, size_t n, uint32_t first, size_t bins,
                        struct mw_buffer *counts)
{
    struct mw_prim_run run;
    TRY_RETURN(mw_buffer_fill(counts, 0, bins * sizeof(uint32_t), 0));
    TRY_RETURN(mw_prim_run(prim, &program, n, sizeof(uint32_t), &run));
    return (!prim->cores && bins <= HISTOGRAM_LOCAL_BINS
                ? launch_histogram_parts
                : launch_histogram_shared)(run.set, run.range, keys, counts, run.n, run.each, first, (uint32_t)bins);
}

int mw_prim_histogram(struct mw_prim *prim, struct mw_buffer *keys, size_t n, size_t bins, struct mw_buffer *counts)
{
    return mw_prim_histogram_from(prim, keys, n, 0, bins, counts);
}

int mw_prim_histogram_from(struct mw_prim *prim, struct mw_buffer *keys, size_t n, uint32_t first, size_t bins,
                           struct mw_buffer *counts)
{
    size_t tables;
    if (bins == 0)
        return 0;
    if (n > UINT32_MAX || bins > UINT32_MAX)
        return mw_fail(MW_ELIMIT, "histogram: %zu keys in %zu bins exceed 32-bit counts: use one part at a time", n,
                       bins);
    TRY_RETURN(mw_prim_check(prim, "histogram", "counts", counts, bins, sizeof(uint32_t)));
    if (n == 0)
        return mw_buffer_fill(counts, 0, bins * sizeof(uint32_t), 0);
    TRY_RETURN(mw_prim_check(prim, "histogram", "keys", keys, n, sizeof(uint32_t)));
    tables = prim->cores ? tables_of(prim, n, bins, 4 * prim->units < n / 4096 ? 4 * prim->units : n / 4096) : 0;
    return tables > 0 ? by_tables(prim, keys, n, first, bins, counts, tables)
                      : by_additions(prim, keys, n, first, bins, counts);
}
/* SPDX-License-Identifier: MIT */

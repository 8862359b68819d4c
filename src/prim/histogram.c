/* Histograms. */
#include "prim/prim_internal.h"

#define TABLE_SHARE 4            /* tables take at most a fourth of the keys' memory, or what is little anyway */
#define FEW_BINS ((size_t)4096)

/* Cores: how many tables are worth their memory, and the time to add them up; 0: none. */
static size_t tables_of(const struct mw_prim *prim, size_t n, size_t bins, size_t parts)
{
    const size_t most = bins <= FEW_BINS ? parts : n / TABLE_SHARE / bins;
    return parts <= 1 || prim->units == 1 ? 1 : most < prim->units ? 0 : most < parts ? most : parts;
}

static int by_tables(struct mw_prim *prim, struct mw_buffer *keys, size_t n, size_t bins, struct mw_buffer *counts,
                     size_t tables)
{
    const size_t each = (n + tables - 1) / tables, parts = mw_prim_parts(n, each);
    const size_t bins_each = mw_prim_each(prim, bins, 4 * parts);
    struct mw_buffer *room = counts;
    int rc = 0;
    if (parts > 1)
        TRY(mw_prim_room(prim, MW_PRIM_COUNTS, parts * bins, sizeof(uint32_t), &room));
    const struct mw_arg count[] = { mw_arg_buffer(keys), mw_arg_buffer(room), mw_arg_i64((int64_t)n),
                                    mw_arg_i64((int64_t)each), mw_arg_u32((uint32_t)bins) };
    const struct mw_arg join[] = { mw_arg_buffer(room), mw_arg_buffer(counts), mw_arg_i64((int64_t)parts),
                                   mw_arg_i64((int64_t)bins), mw_arg_i64((int64_t)bins_each) };
    TRY(mw_prim_launch(prim, MW_PRIM_HISTOGRAM, MW_HISTOGRAM_PARTS, parts, count, MW_COUNT(count)));
    if (parts > 1)
        TRY(mw_prim_launch(prim, MW_PRIM_HISTOGRAM, MW_HISTOGRAM_JOIN, mw_prim_parts(bins, bins_each), join,
                           MW_COUNT(join)));
out:
    return rc;
}

/* Into the one table, by atomic additions. */
static int by_additions(struct mw_prim *prim, struct mw_buffer *keys, size_t n, size_t bins, struct mw_buffer *counts)
{
    const unsigned kernel = !prim->cores && bins <= MW_HISTOGRAM_LOCAL ? MW_HISTOGRAM_PARTS : MW_HISTOGRAM_SHARED;
    const size_t each = mw_prim_each(prim, n, sizeof(uint32_t));
    const struct mw_arg args[] = { mw_arg_buffer(keys), mw_arg_buffer(counts), mw_arg_i64((int64_t)n),
                                   mw_arg_i64((int64_t)each), mw_arg_u32((uint32_t)bins) };
    int rc;
    TRY(mw_buffer_fill(counts, 0, bins * sizeof(uint32_t), 0));
    TRY(mw_prim_launch(prim, MW_PRIM_HISTOGRAM, kernel, mw_prim_parts(n, each), args, MW_COUNT(args)));
out:
    return rc;
}

int mw_prim_histogram(struct mw_prim *prim, struct mw_buffer *keys, size_t n, size_t bins, struct mw_buffer *counts)
{
    size_t tables;
    int rc = 0;
    if (bins == 0)
        return 0;
    if (n > UINT32_MAX || bins > UINT32_MAX)
        return mw_fail(MW_ELIMIT, "histogram: %zu keys in %zu bins are more than 32 bits count: do a part at a time", n,
                       bins);
    TRY(mw_prim_check(prim, "histogram", "counts", counts, bins, sizeof(uint32_t)));
    if (n == 0) {
        TRY(mw_buffer_fill(counts, 0, bins * sizeof(uint32_t), 0));
        goto out;
    }
    TRY(mw_prim_check(prim, "histogram", "keys", keys, n, sizeof(uint32_t)));
    tables = prim->cores ? tables_of(prim, n, bins, 4 * prim->units < n / 4096 ? 4 * prim->units : n / 4096) : 0;
    if (tables > 0)
        TRY(by_tables(prim, keys, n, bins, counts, tables));
    else
        TRY(by_additions(prim, keys, n, bins, counts));
out:
    return rc;
}

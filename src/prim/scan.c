/* Scans and selections: the sum before each part is known before the part is written. */
#include <string.h>

#include "prim/prim_internal.h"
#include "prim/sizes.clh"
#include "kernels/native.h"
#include "kernels/prim/once/scan.h"
#include "kernels/prim/once/select.h"
#include "kernels/prim/scan.h"
#include "kernels/prim/select.h"

static const struct mw_prim_program scan_32 = { &kernels_prim_scan, "", mw_native_scan_u32, false, false, NULL };
static const struct mw_prim_program scan_64 = {
    &kernels_prim_scan, "#define ELEMENT_64 1\n", mw_native_scan_u64, false, false, NULL
};
static const struct mw_prim_program once_32 = { &kernels_prim_once_scan, "", NULL, false, false, NULL };
static const struct mw_prim_program once_64 = {
    &kernels_prim_once_scan, "#define ELEMENT_64 1\n", NULL, false, false, NULL
};
static const struct mw_prim_program selection_once = { &kernels_prim_once_select, "", NULL, false, false, NULL };
static const struct mw_prim_program selection = { &kernels_prim_select, "", mw_native_select, false, false, NULL };

#define WINDOW_BYTES ((size_t)512 << 10) /* per core: read twice, the second time from its cache */
#define PART_BYTES ((size_t)64 << 10)    /* per work-item, on cores */
#define FEW ((size_t)16 << 10)           /* elements that are a single part */
#define ALONE 8                          /* tiles that one group scans as fast as several groups */
#define STREAMED_BYTES ((size_t)8 << 20) /* larger results are stored past the caches */

/* Division into windows, on cores: `count` windows of `length` elements, in parts of `each`. */
struct windows {
    size_t n, each, length, count;
};

static struct windows windows_of(const struct mw_prim *prim, size_t n, size_t bytes)
{
    struct windows w = { .n = n, .each = PART_BYTES / bytes, .length = WINDOW_BYTES / bytes * prim->units };
    if (n <= FEW)
        w.each = w.length = n;
    w.count = mw_prim_parts(n, w.length);
    return w;
}

/* Returns the end of a window's elements. */
static size_t window_end(const struct windows *w, size_t window)
{
    return w->n - window * w->length < w->length ? w->n : (window + 1) * w->length;
}

/* ---- scan ---- */

static int scan_windows(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t bytes,
                        const struct mw_prim_program *program, bool inclusive, void *total)
{
    const struct windows w = windows_of(prim, n, bytes);
    const bool stream = from != to && n * bytes >= STREAMED_BYTES;
    const struct mw_kernel_set *set;
    struct mw_buffer *sums, *carry;
    TRY_RETURN(mw_prim_set(prim, program, &set));
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_PARTS, mw_prim_parts(w.length, w.each), bytes, &sums));
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_CARRY, w.count + 1, bytes, &carry));
    for (size_t i = 0; i < w.count; i++) {
        const size_t first = i * w.length, end = window_end(&w, i), parts = mw_prim_parts(end - first, w.each);
        if (parts > 1)
            TRY_RETURN(launch_scan_sums(set, mw_parts(set, parts - 1), from, sums, (int64_t)first, (int64_t)end,
                                        (int64_t)w.each));
        TRY_RETURN(launch_scan_parts(set, mw_parts(set, parts), from, to, sums, carry, (int64_t)first, (int64_t)end,
                                     (int64_t)w.each, (int64_t)i, inclusive, stream));
    }
    return total ? mw_buffer_read(carry, w.count * bytes, bytes, total, NULL) : 0;
}

/* Returns whether to use a single launch. With many elements, two passes without waiting are faster (on an H200, 2^27
 * words: 0.41 ms by two, 0.50 by one; 2^24: 0.068 and 0.075); with few, launches dominate. */
#define ONCE_MOST ((size_t)1 << 22)
static bool takes_once(const struct mw_prim *prim, size_t n) { return prim->once && n <= ONCE_MOST; }

/* One launch, if groups may wait for earlier ones. */
static int scan_once(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t bytes,
                     struct mw_buffer *all, bool inclusive)
{
    const struct mw_kernel_set *set;
    struct mw_prim_once once;
    size_t tiles;
    TRY_RETURN(mw_prim_set(prim, bytes == 4 ? &once_32 : &once_64, &set));
    tiles = mw_prim_parts(n, set->group * SCAN_ITEM_BYTES / bytes);
    TRY_RETURN(mw_prim_once(prim, tiles, bytes, &once));
    return mw_prim_once_done(prim, &once,
                             launch_scan_once(set, mw_parts(set, tiles), from, to, once.words, all, (int64_t)n,
                                              inclusive, once.call, once.first));
}

static int scan_tiles(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t bytes,
                      const struct mw_prim_program *program, struct mw_buffer *all, bool inclusive)
{
    const struct mw_kernel_set *set;
    struct mw_buffer *sums;
    size_t tiles;
    TRY_RETURN(mw_prim_set(prim, program, &set));
    tiles = mw_prim_parts(n, set->group * SCAN_ITEM_BYTES / bytes);
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_PARTS, tiles, bytes, &sums));
    /* One group scans few tiles, or the sums of many, in place if from == to; the total goes to `all`. */
    if (tiles <= ALONE) {
        TRY_RETURN(launch_scan_alone(set, mw_parts(set, 1), from, to, all, (int64_t)n, inclusive));
    } else {
        TRY_RETURN(launch_scan_tile_sums(set, mw_parts(set, tiles), from, sums, (int64_t)n));
        TRY_RETURN(launch_scan_alone(set, mw_parts(set, 1), sums, sums, all, (int64_t)tiles, false));
        TRY_RETURN(launch_scan_tiles(set, mw_parts(set, tiles), from, to, sums, (int64_t)n, inclusive));
    }
    return 0;
}

static int scan_groups(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t bytes,
                       const struct mw_prim_program *program, bool inclusive, void *total)
{
    struct mw_buffer *all;
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_CARRY, 1, bytes, &all));
    TRY_RETURN(takes_once(prim, n) ? scan_once(prim, from, to, n, bytes, all, inclusive)
                                   : scan_tiles(prim, from, to, n, bytes, program, all, inclusive));
    return total ? mw_buffer_read(all, 0, bytes, total, NULL) : 0;
}

/* Scans few elements without a program. */
static int scan_on_host(struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t bytes, bool inclusive,
                        void *total)
{
    union {
        uint32_t narrow[MW_PRIM_FEW];
        uint64_t wide[MW_PRIM_FEW];
    } x;
    uint64_t sum = 0;
    TRY_RETURN(mw_buffer_read(from, 0, n * bytes, &x, NULL));
    for (size_t i = 0; i < n; i++) {
        const uint64_t before = sum;
        sum += bytes == 4 ? x.narrow[i] : x.wide[i];
        if (bytes == 4)
            x.narrow[i] = (uint32_t)(inclusive ? sum : before);
        else
            x.wide[i] = inclusive ? sum : before;
    }
    const uint32_t narrow = (uint32_t)sum;
    memcpy(total, bytes == 4 ? (const void *)&narrow : &sum, bytes);
    return mw_buffer_write(to, 0, n * bytes, &x, NULL);
}

int mw_prim_scan(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, enum mw_type type,
                 bool inclusive, void *total)
{
    const bool taken = type == MW_TYPE_I32 || type == MW_TYPE_U32 || type == MW_TYPE_I64 || type == MW_TYPE_U64;
    const size_t bytes = mw_type_bytes(type);
    /* signs are irrelevant modulo the range */
    const struct mw_prim_program *program = bytes == 4 ? &scan_32 : &scan_64;
    if (!taken)
        return mw_fail(MW_EINVAL, "scan: elements of type %s are not supported: use integers of 32 or 64 bits",
                       mw_type_name(type));
    if (n == 0) {
        if (total)
            memset(total, 0, bytes);
        return 0;
    }
    TRY_RETURN(mw_prim_check(prim, "scan", "elements", from, n, bytes));
    TRY_RETURN(mw_prim_check(prim, "scan", "sums", to, n, bytes));
    if (total && mw_prim_on_host(prim, n, MW_PRIM_FEW)) /* a total is waited for in any case */
        return scan_on_host(from, to, n, bytes, inclusive, total);
    return (prim->cores ? scan_windows : scan_groups)(prim, from, to, n, bytes, program, inclusive, total);
}

/* ---- select ---- */

static int select_windows(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                          uint32_t capacity, uint32_t *count)
{
    const struct windows w = windows_of(prim, n, 1);
    const struct mw_kernel_set *set;
    struct mw_buffer *counts, *carry;
    TRY_RETURN(mw_prim_set(prim, &selection, &set));
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_PARTS, mw_prim_parts(w.length, w.each), sizeof *count, &counts));
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_CARRY, w.count + 1, sizeof *count, &carry));
    for (size_t i = 0; i < w.count; i++) {
        const size_t first = i * w.length, end = window_end(&w, i), parts = mw_prim_parts(end - first, w.each);
        TRY_RETURN(launch_select_count(set, mw_parts(set, parts), flags, counts, (int64_t)first, (int64_t)end,
                                       (int64_t)w.each));
        TRY_RETURN(launch_select_write(set, mw_parts(set, parts), flags, places, counts, carry, (int64_t)first,
                                       (int64_t)end, (int64_t)w.each, (int64_t)i, capacity));
    }
    return mw_buffer_read(carry, w.count * sizeof *count, sizeof *count, count, NULL);
}

static int select_once(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                       uint32_t capacity, struct mw_buffer *found)
{
    const struct mw_kernel_set *set;
    struct mw_prim_once once;
    size_t tiles;
    TRY_RETURN(mw_prim_set(prim, &selection_once, &set));
    tiles = mw_prim_parts(n, set->group * SELECT_EACH);
    TRY_RETURN(mw_prim_once(prim, tiles, sizeof(uint32_t), &once));
    return mw_prim_once_done(prim, &once,
                             launch_select_once(set, mw_parts(set, tiles), flags, places, once.words, found, (int64_t)n,
                                                capacity, once.call, once.first));
}

static int select_tiles(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                        uint32_t capacity, struct mw_buffer *found)
{
    const struct mw_kernel_set *set, *scan;
    struct mw_buffer *counts;
    size_t tiles;
    TRY_RETURN(mw_prim_set(prim, &selection, &set));
    TRY_RETURN(mw_prim_set(prim, &scan_32, &scan));
    tiles = mw_prim_parts(n, set->group * SELECT_EACH);
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_PARTS, tiles, sizeof(uint32_t), &counts));
    TRY_RETURN(launch_select_tile_counts(set, mw_parts(set, tiles), flags, counts, (int64_t)n));
    TRY_RETURN(launch_scan_alone(scan, mw_parts(scan, 1), counts, counts, found, (int64_t)tiles, false));
    return launch_select_tiles(set, mw_parts(set, tiles), flags, places, counts, (int64_t)n, capacity);
}

static int select_groups(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                         uint32_t capacity, uint32_t *count)
{
    struct mw_buffer *found;
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_CARRY, 1, sizeof *count, &found));
    TRY_RETURN((takes_once(prim, n) ? select_once : select_tiles)(prim, flags, n, places, capacity, found));
    return mw_buffer_read(found, 0, sizeof *count, count, NULL);
}

int mw_prim_select(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places, size_t *count)
{
    const size_t capacity = mw_buffer_bytes(places) / sizeof(uint32_t);
    uint32_t found = 0;
    if (n > UINT32_MAX)
        return mw_fail(MW_ELIMIT,
                       "select: places among %zu flags do not fit into 32 bits: select from a part at a time", n);
    if (n > 0) {
        TRY_RETURN(mw_prim_check(prim, "select", "flags", flags, n, 1));
        TRY_RETURN((prim->cores ? select_windows : select_groups)(prim, flags, n, places,
                                                                  (uint32_t)(capacity < n ? capacity : n), &found));
    }
    if (found > capacity)
        return mw_fail(MW_EINVAL, "select on %s: %u places were found, but the buffer has room for %zu: make it larger",
                       mw_device_info(prim->device)->id, found, capacity);
    *count = found;
    return 0;
}
/* SPDX-License-Identifier: MIT */

/* Scans and selections: what comes before each part is known before the part is written. */
#include <string.h>

#include "prim/prim_internal.h"

#define WINDOW_BYTES ((size_t)512 << 10) /* of a core: read twice, the second time from its cache */
#define PART_BYTES ((size_t)64 << 10)    /* of an item, on cores */
#define FEW ((size_t)16 << 10)           /* elements that are one part */
#define ALONE 16                         /* tiles that one group scans as fast as many do */
#define STREAMED_BYTES ((size_t)8 << 20) /* results from here on are stored past the caches */

/* Cores: all elements by windows, each with `first` launches of the first kernel and `second` of the second. */
struct windows { size_t n, each, length, count; };

static struct windows windows_of(const struct mw_prim *prim, size_t n, size_t bytes)
{
    struct windows w = { .n = n, .each = PART_BYTES / bytes, .length = WINDOW_BYTES / bytes * prim->units };
    if (n <= FEW)
        w.each = w.length = n;
    w.count = mw_prim_parts(n, w.length);
    return w;
}

/* The part of the range that a window has. */
static size_t window_end(const struct windows *w, size_t window)
{
    return w->n - window * w->length < w->length ? w->n : (window + 1) * w->length;
}

/* ---- scan ---- */

static int scan_windows(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t bytes,
                        enum mw_prim_program program, bool inclusive, void *total)
{
    const struct windows w = windows_of(prim, n, bytes);
    const bool stream = from != to && n * bytes >= STREAMED_BYTES;
    struct mw_buffer *sums, *carry;
    int rc;
    TRY(mw_prim_room(prim, MW_PRIM_PARTS, mw_prim_parts(w.length, w.each), bytes, &sums));
    TRY(mw_prim_room(prim, MW_PRIM_CARRY, w.count + 1, bytes, &carry));
    for (size_t i = 0; i < w.count; i++) {
        const size_t first = i * w.length, end = window_end(&w, i), parts = mw_prim_parts(end - first, w.each);
        const struct mw_arg sum[] = { mw_arg_buffer(from), mw_arg_buffer(sums), mw_arg_i64((int64_t)first),
                                      mw_arg_i64((int64_t)end), mw_arg_i64((int64_t)w.each) };
        const struct mw_arg scan[] = { mw_arg_buffer(from), mw_arg_buffer(to), mw_arg_buffer(sums),
                                       mw_arg_buffer(carry), mw_arg_i64((int64_t)first), mw_arg_i64((int64_t)end),
                                       mw_arg_i64((int64_t)w.each), mw_arg_i64((int64_t)i), mw_arg_i32(inclusive),
                                       mw_arg_i32(stream) };
        if (parts > 1)
            TRY(mw_prim_launch(prim, program, MW_SCAN_SUMS, parts - 1, sum, MW_COUNT(sum)));
        TRY(mw_prim_launch(prim, program, MW_SCAN_PARTS, parts, scan, MW_COUNT(scan)));
    }
    if (total)
        TRY(mw_buffer_read(carry, w.count * bytes, bytes, total, NULL));
out:
    return rc;
}

/* By one group, in place or not; the sum of all goes to `total`. */
static int scan_alone(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, struct mw_buffer *total,
                      size_t n, enum mw_prim_program program, bool inclusive)
{
    const struct mw_arg args[] = { mw_arg_buffer(from), mw_arg_buffer(to), mw_arg_buffer(total), mw_arg_i64((int64_t)n),
                                   mw_arg_i32(inclusive) };
    return mw_prim_launch(prim, program, MW_SCAN_ALONE, 1, args, MW_COUNT(args));
}

static int scan_groups(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t bytes,
                       enum mw_prim_program program, bool inclusive, void *total)
{
    struct mw_buffer *sums, *all;
    size_t group, tiles;
    int rc;
    TRY(mw_prim_build(prim, program, &group));
    tiles = mw_prim_parts(n, group * MW_SCAN_EACH);
    TRY(mw_prim_room(prim, MW_PRIM_PARTS, tiles, bytes, &sums));
    TRY(mw_prim_room(prim, MW_PRIM_CARRY, 1, bytes, &all));
    const struct mw_arg sum[] = { mw_arg_buffer(from), mw_arg_buffer(sums), mw_arg_i64((int64_t)n) };
    const struct mw_arg scan[] = { mw_arg_buffer(from), mw_arg_buffer(to), mw_arg_buffer(sums), mw_arg_i64((int64_t)n),
                                   mw_arg_i32(inclusive) };
    if (tiles <= ALONE) {
        TRY(scan_alone(prim, from, to, all, n, program, inclusive));
    } else {
        TRY(mw_prim_launch(prim, program, MW_SCAN_SUMS, tiles, sum, MW_COUNT(sum)));
        TRY(scan_alone(prim, sums, sums, all, tiles, program, false));
        TRY(mw_prim_launch(prim, program, MW_SCAN_PARTS, tiles, scan, MW_COUNT(scan)));
    }
    if (total)
        TRY(mw_buffer_read(all, 0, bytes, total, NULL));
out:
    return rc;
}

int mw_prim_scan(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, enum mw_type type,
                 bool inclusive, void *total)
{
    const bool taken = type == MW_TYPE_I32 || type == MW_TYPE_U32 || type == MW_TYPE_I64 || type == MW_TYPE_U64;
    const size_t bytes = mw_type_bytes(type);
    /* Modulo the range, signs make no difference. */
    const enum mw_prim_program program = bytes == 4 ? MW_PRIM_SCAN_U32 : MW_PRIM_SCAN_U64;
    int rc;
    if (!taken)
        return mw_fail(MW_EINVAL, "scan: elements of %s are not taken: convert them to integers of 32 or 64 bits",
                       mw_type_name(type));
    if (n == 0) {
        if (total)
            memset(total, 0, bytes);
        return 0;
    }
    TRY(mw_prim_check(prim, "scan", "elements", from, n, bytes));
    TRY(mw_prim_check(prim, "scan", "sums", to, n, bytes));
    TRY((prim->cores ? scan_windows : scan_groups)(prim, from, to, n, bytes, program, inclusive, total));
out:
    return rc;
}

/* ---- select ---- */

static int select_windows(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                          uint32_t room, uint32_t *count)
{
    const struct windows w = windows_of(prim, n, 1);
    struct mw_buffer *counts, *carry;
    int rc;
    TRY(mw_prim_room(prim, MW_PRIM_PARTS, mw_prim_parts(w.length, w.each), sizeof *count, &counts));
    TRY(mw_prim_room(prim, MW_PRIM_CARRY, w.count + 1, sizeof *count, &carry));
    for (size_t i = 0; i < w.count; i++) {
        const size_t first = i * w.length, end = window_end(&w, i), parts = mw_prim_parts(end - first, w.each);
        const struct mw_arg sum[] = { mw_arg_buffer(flags), mw_arg_buffer(counts), mw_arg_i64((int64_t)first),
                                      mw_arg_i64((int64_t)end), mw_arg_i64((int64_t)w.each) };
        const struct mw_arg write[] = { mw_arg_buffer(flags), mw_arg_buffer(places), mw_arg_buffer(counts),
                                        mw_arg_buffer(carry), mw_arg_i64((int64_t)first), mw_arg_i64((int64_t)end),
                                        mw_arg_i64((int64_t)w.each), mw_arg_i64((int64_t)i), mw_arg_u32(room) };
        TRY(mw_prim_launch(prim, MW_PRIM_SELECT, MW_SELECT_COUNT, parts, sum, MW_COUNT(sum)));
        TRY(mw_prim_launch(prim, MW_PRIM_SELECT, MW_SELECT_WRITE, parts, write, MW_COUNT(write)));
    }
    TRY(mw_buffer_read(carry, w.count * sizeof *count, sizeof *count, count, NULL));
out:
    return rc;
}

static int select_groups(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                         uint32_t room, uint32_t *count)
{
    struct mw_buffer *counts, *all;
    size_t group, tiles;
    int rc;
    TRY(mw_prim_build(prim, MW_PRIM_SELECT, &group));
    tiles = mw_prim_parts(n, group * MW_SELECT_EACH);
    TRY(mw_prim_room(prim, MW_PRIM_PARTS, tiles, sizeof *count, &counts));
    TRY(mw_prim_room(prim, MW_PRIM_CARRY, 1, sizeof *count, &all));
    const struct mw_arg sum[] = { mw_arg_buffer(flags), mw_arg_buffer(counts), mw_arg_i64((int64_t)n) };
    const struct mw_arg write[] = { mw_arg_buffer(flags), mw_arg_buffer(places), mw_arg_buffer(counts),
                                    mw_arg_i64((int64_t)n), mw_arg_u32(room) };
    TRY(mw_prim_launch(prim, MW_PRIM_SELECT, MW_SELECT_COUNT, tiles, sum, MW_COUNT(sum)));
    TRY(scan_alone(prim, counts, counts, all, tiles, MW_PRIM_SCAN_U32, false));
    TRY(mw_prim_launch(prim, MW_PRIM_SELECT, MW_SELECT_WRITE, tiles, write, MW_COUNT(write)));
    TRY(mw_buffer_read(all, 0, sizeof *count, count, NULL));
out:
    return rc;
}

int mw_prim_select(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places, size_t *count)
{
    const size_t room = mw_buffer_bytes(places) / sizeof(uint32_t);
    uint32_t found = 0;
    int rc = 0;
    if (n > UINT32_MAX)
        return mw_fail(MW_ELIMIT, "select: places among %zu flags do not fit into 32 bits: select from a part at a "
                       "time", n);
    if (n > 0) {
        TRY(mw_prim_check(prim, "select", "flags", flags, n, 1));
        TRY((prim->cores ? select_windows : select_groups)(prim, flags, n, places,
                                                               (uint32_t)(room < n ? room : n), &found));
    }
    if (found > room) {
        rc = mw_fail(MW_EINVAL, "select on %s: %u places were found, and the buffer has room for %zu: make it larger",
                     mw_device_info(prim->device)->id, found, room);
        goto out;
    }
    *count = found;
out:
    return rc;
}

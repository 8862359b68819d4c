/* Radix sort, least significant digit first. For each digit, parts count the keys, the counts are scanned, and the keys
 * scattered. If groups may wait for each other, all digits are counted at once, and one launch per digit moves the
 * keys. */
#include "prim/prim_internal.h"
#include "prim/sizes.clh"
#include "kernels/native.h"
#include "kernels/prim/once/sort.h"
#include "kernels/prim/sort.h"

/* Wide: 64-bit counts, as on cores. */
#define KEY_32 ""
#define KEY_64 "#define KEY_64 1\n"
#define WIDE "#define COUNT_64 1\n"
static const struct mw_prim_program cores[] = {
    { &kernels_prim_sort, WIDE, mw_native_sort_u32, false, false, NULL },
    { &kernels_prim_sort, KEY_64 WIDE, mw_native_sort_u64, false, false, NULL },
};
/* Returns the local memory of a group. Moving keys needs a tile, two sums per work-item, and the counts of each digit;
 * bits and counts of sub-groups reuse the tile's memory. Counting needs one table per digit. */
static size_t local_bytes(size_t group)
{
    const size_t moving = group * (SORT_ITEM_BYTES + 2 * sizeof(uint32_t)) + SORT_DIGITS * sizeof(uint64_t);
    const size_t counting = sizeof(uint64_t) * SORT_DIGITS * sizeof(uint32_t);
    return moving > counting ? moving : counting;
}
/* By the sizes of keys and values; narrow and wide. */
#define ROW(list, defines)                                                                                             \
    {                                                                                                                  \
        { list, defines, NULL, false, false, local_bytes }, { list, defines WIDE, NULL, false, false, local_bytes }    \
    }
#define ROWS(list, keys)                                                                                               \
    {                                                                                                                  \
        ROW(list, keys "#define VALUE_BYTES 0\n"), ROW(list, keys "#define VALUE_BYTES 4\n"),                          \
            ROW(list, keys "#define VALUE_BYTES 8\n")                                                                  \
    }
static const struct mw_prim_program groups[2][3][2] = { ROWS(&kernels_prim_sort, KEY_32),
                                                        ROWS(&kernels_prim_sort, KEY_64) };
static const struct mw_prim_program groups_once[2][3][2] = { ROWS(&kernels_prim_once_sort, KEY_32),
                                                             ROWS(&kernels_prim_once_sort, KEY_64) };

#define FEW ((size_t)16 << 10) /* keys that are a single part, on cores */
#define PARTS_PER_UNIT 4
#define GROUPS_PER_UNIT 8 /* groups that count: each adds its tables to the result */
#define STREAMED_BYTES ((size_t)8 << 20)
#define NARROW ((uint64_t)1 << 30) /* smaller counts fit into one word */

struct sort {
    size_t n, each, parts, key_bytes, value_bytes;
    unsigned bits, digits, digit_bits;
    const struct mw_kernel_set *set;
    bool wide;   /* 64-bit counts */
    bool alone;  /* fits into one group */
    bool stream; /* results are larger than the caches */
    struct mw_buffer *counts;
    /* Moves alternate between [0] and [1]. */
    struct mw_buffer *keys[2], *values[2];
};

static const struct mw_prim_program *program_of(const struct mw_prim *prim, const struct sort *s, bool once)
{
    if (prim->cores)
        return &cores[s->key_bytes == 8];
    return &(once ? groups_once : groups)[s->key_bytes == 8][s->value_bytes / 4][s->wide];
}

/* Finds whether one group of the kernel that sorts in place has room for all keys. */
static int find_alone(struct mw_prim *prim, struct sort *s, size_t item_bytes)
{
    const size_t each = SORT_ITEM_BYTES / item_bytes;
    const struct mw_kernel_set *set;
    if (prim->cores || s->n > prim->group * each)
        return 0;
    TRY_RETURN(mw_prim_set(prim, program_of(prim, s, false), &set));
    s->alone = s->n <= set->group * each;
    return 0;
}

static int sort_share_out(struct mw_prim *prim, struct sort *s)
{
    const size_t parts = PARTS_PER_UNIT * prim->units;
    const size_t item_bytes = s->value_bytes > s->key_bytes ? s->value_bytes : s->key_bytes;
    s->wide = prim->cores || prim->wide || s->n >= NARROW;
    TRY_RETURN(find_alone(prim, s, item_bytes));
    if (s->alone)
        return 0;
    TRY_RETURN(mw_prim_set(prim, program_of(prim, s, prim->once), &s->set));
    s->each = !prim->cores  ? s->set->group * (SORT_ITEM_BYTES / item_bytes)
              : s->n <= FEW ? s->n
                            : (s->n + parts - 1) / parts;
    s->parts = mw_prim_parts(s->n, s->each);
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_KEYS, s->n, s->key_bytes, &s->keys[1]));
    s->stream = s->n * s->key_bytes >= STREAMED_BYTES;
    s->values[1] = NULL;
    return s->value_bytes ? mw_prim_reserve(prim, MW_PRIM_VALUES, s->n, s->value_bytes, &s->values[1]) : 0;
}

/* Sorts in place, in one group. */
static int sort_alone(struct mw_prim *prim, const struct sort *s)
{
    const struct mw_kernel_set *set;
    TRY_RETURN(mw_prim_set(prim, program_of(prim, s, false), &set));
    return launch_sort_alone(set, mw_parts(set, 1), s->keys[0], s->values[0], (int64_t)s->n, s->bits, s->digit_bits);
}

/* Returns the mask of a digit; the last one may have fewer bits. */
static uint32_t mask_of(const struct sort *s, unsigned digit)
{
    const unsigned left = s->bits - digit * s->digit_bits;
    return (1u << (left < s->digit_bits ? left : s->digit_bits)) - 1;
}

/* ---- counts per digit ---- */

static int sort_digit(struct mw_prim *prim, const struct sort *s, unsigned digit)
{
    const unsigned from = digit % 2, to = 1 - from, shift = digit * s->digit_bits;
    const struct mw_range parts = mw_parts(s->set, s->parts);
    const uint32_t mask = mask_of(s, digit);
    TRY_RETURN(launch_sort_count(s->set, parts, s->keys[from], s->counts, (int64_t)s->n, (int64_t)s->each, shift, mask,
                                 (int64_t)s->parts));
    TRY_RETURN(mw_prim_scan(prim, s->counts, s->counts, s->parts * SORT_DIGITS, s->wide ? MW_TYPE_U64 : MW_TYPE_U32,
                            false, NULL));
    return launch_sort_scatter(s->set, parts, s->keys[from], s->keys[to], s->values[from], s->values[to], s->counts,
                               (int64_t)s->n, (int64_t)s->each, shift, mask, (int64_t)s->parts, (int32_t)s->value_bytes,
                               s->stream);
}

static int sort_by_counts(struct mw_prim *prim, struct sort *s)
{
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_COUNTS, s->parts * SORT_DIGITS,
                               s->wide ? sizeof(uint64_t) : sizeof(uint32_t), &s->counts));
    for (unsigned digit = 0; digit < s->digits; digit++)
        TRY_RETURN(sort_digit(prim, s, digit));
    return 0;
}

/* ---- counts of all digits ---- */

static int count_all(struct mw_prim *prim, const struct sort *s, struct mw_buffer *starts)
{
    const size_t least = mw_prim_each(prim, s->n, s->key_bytes), groups_wanted = GROUPS_PER_UNIT * prim->units;
    const size_t times = (mw_prim_parts(s->n, least) + groups_wanted - 1) / groups_wanted, each = times * least;
    const uint64_t sorted_by = s->bits < 64 ? ((uint64_t)1 << s->bits) - 1 : UINT64_MAX;
    TRY_RETURN(launch_sort_histogram(s->set, mw_parts(s->set, mw_prim_parts(s->n, each)), s->keys[0], s->counts,
                                     (int64_t)s->n, (int64_t)each, s->digit_bits, s->digits, sorted_by));
    return launch_sort_starts(s->set, mw_parts(s->set, 1), s->counts, starts, (int64_t)s->n, s->digits);
}

static int sort_once(struct mw_prim *prim, struct sort *s)
{
    const size_t count_words = s->wide ? 2 : 1;
    const size_t words = ONCE_HEAD + (s->digits + s->parts) * SORT_DIGITS * count_words;
    struct mw_buffer *starts;
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_COUNTS, words, sizeof(uint32_t), &s->counts));
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_PARTS, s->digits * SORT_DIGITS, count_words * sizeof(uint32_t), &starts));
    TRY_RETURN(mw_buffer_fill(s->counts, 0, words * sizeof(uint32_t), 0));
    TRY_RETURN(count_all(prim, s, starts));
    for (unsigned digit = 0; digit < s->digits; digit++) {
        const unsigned from = digit % 2, to = 1 - from;
        TRY_RETURN(launch_sort_once(s->set, mw_parts(s->set, s->parts), s->keys[from], s->keys[to], s->values[from],
                                    s->values[to], s->counts, starts, (int64_t)s->n, digit * s->digit_bits,
                                    mask_of(s, digit), digit, s->digits));
    }
    return 0;
}

static int copy_back(struct mw_buffer *from, struct mw_buffer *to, size_t bytes)
{
    struct mw_event *done = NULL; /* requesting an event makes the call asynchronous */
    const int rc = bytes ? mw_buffer_copy(from, 0, to, 0, bytes, &done) : 0;
    mw_event_free(done);
    return rc;
}

static int sort_check(struct mw_prim *prim, struct mw_buffer *keys, enum mw_type type, unsigned bits,
                      struct mw_buffer *values, size_t value_bytes, size_t n)
{
    const size_t bytes = mw_type_bytes(type);
    if (type != MW_TYPE_U32 && type != MW_TYPE_U64)
        return mw_fail(MW_EINVAL, "sort: keys of type %s are not supported: use unsigned integers of 32 or 64 bits",
                       mw_type_name(type));
    if (bits > 8 * bytes)
        return mw_fail(MW_EINVAL, "sort: keys of %s do not have %u bits: sort by at most %zu", mw_type_name(type), bits,
                       8 * bytes);
    if (value_bytes != 0 && value_bytes != 4 && value_bytes != 8)
        return mw_fail(MW_EINVAL, "sort: values of %zu bytes are not supported: use 4, 8, or 0 for none", value_bytes);
    if ((value_bytes != 0) != (values != NULL))
        return mw_fail(MW_EINVAL, "sort: values of %zu bytes and %s of them: give both or neither", value_bytes,
                       values ? "a buffer" : "no buffer");
    if (n == 0)
        return 0;
    TRY_RETURN(mw_prim_check(prim, "sort", "keys", keys, n, bytes));
    return values ? mw_prim_check(prim, "sort", "values", values, n, value_bytes) : 0;
}

int mw_prim_sort(struct mw_prim *prim, struct mw_buffer *keys, enum mw_type type, unsigned bits,
                 struct mw_buffer *values, size_t value_bytes, size_t n)
{
    struct sort s = { .n = n,
                      .bits = bits,
                      .key_bytes = mw_type_bytes(type),
                      .value_bytes = value_bytes,
                      .keys = { keys },
                      .values = { values } };
    TRY_RETURN(sort_check(prim, keys, type, bits, values, value_bytes, n));
    if (n < 2 || bits == 0)
        return 0;
    /* Bits are divided evenly: the fewer values a digit has, the longer are a part's runs. */
    s.digits = (bits + SORT_DIGIT_BITS - 1) / SORT_DIGIT_BITS;
    s.digit_bits = prim->cores ? SORT_DIGIT_BITS : (bits + s.digits - 1) / s.digits;
    TRY_RETURN(sort_share_out(prim, &s));
    if (s.alone)
        return sort_alone(prim, &s);
    TRY_RETURN((prim->once ? sort_once : sort_by_counts)(prim, &s));
    if (s.digits % 2) {
        TRY_RETURN(copy_back(s.keys[1], keys, n * s.key_bytes));
        TRY_RETURN(copy_back(s.values[1], values, n * value_bytes));
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */

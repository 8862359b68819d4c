/* Radix sort, the least digit first: each digit is counted by parts, the counts are scanned, the keys scattered. */
#include "prim/prim_internal.h"
#include "prim/sizes.clh"
#include "kernels/native.h"
#include "kernels/prim/sort.h"

/* By the bytes of keys; wide: with counts of 64 bits, as on cores. */
static const struct mw_prim_program keys_32 = { &kernels_prim_sort, "", NULL, false, false };
static const struct mw_prim_program keys_64 = { &kernels_prim_sort, "#define KEY_64 1\n", NULL, false, false };
static const struct mw_prim_program keys_32_wide = { &kernels_prim_sort, "#define COUNT_64 1\n", mw_native_sort_u32,
                                                     false, false };
static const struct mw_prim_program keys_64_wide = { &kernels_prim_sort, "#define KEY_64 1\n#define COUNT_64 1\n",
                                                     mw_native_sort_u64, false, false };

#define FEW ((size_t)16 << 10)           /* keys that are one part, on cores */
#define PARTS_PER_UNIT 4
#define STREAMED_BYTES ((size_t)8 << 20)

struct sort {
    size_t n, each, parts, key_bytes, value_bytes;
    const struct mw_kernel_set *set;
    enum mw_type count_type;
    bool stream;                         /* results are larger than the caches */
    struct mw_buffer *counts;
    /* From the first to the second, and back. */
    struct mw_buffer *keys[2], *values[2];
};

static int share_out(struct mw_prim *prim, struct sort *s)
{
    const bool wide = prim->cores || prim->wide || s->n > UINT32_MAX;
    const size_t parts = PARTS_PER_UNIT * prim->units;
    const struct mw_prim_program *program = s->key_bytes == 4 ? (wide ? &keys_32_wide : &keys_32)
                                                              : (wide ? &keys_64_wide : &keys_64);
    int rc;
    s->count_type = wide ? MW_TYPE_U64 : MW_TYPE_U32;
    TRY(mw_prim_set(prim, program, &s->set));
    s->each = !prim->cores ? s->set->group * SORT_EACH : s->n <= FEW ? s->n : (s->n + parts - 1) / parts;
    s->parts = mw_prim_parts(s->n, s->each);
    TRY(mw_prim_reserve(prim, MW_PRIM_COUNTS, s->parts * SORT_DIGITS, mw_type_bytes(s->count_type), &s->counts));
    TRY(mw_prim_reserve(prim, MW_PRIM_KEYS, s->n, s->key_bytes, &s->keys[1]));
    s->stream = s->n * s->key_bytes >= STREAMED_BYTES;
    s->values[1] = NULL;
    if (s->value_bytes)
        TRY(mw_prim_reserve(prim, MW_PRIM_VALUES, s->n, s->value_bytes, &s->values[1]));
out:
    return rc;
}

static int sort_digit(struct mw_prim *prim, const struct sort *s, unsigned digit, unsigned bits)
{
    const unsigned from = digit % 2, to = 1 - from, shift = digit * SORT_DIGIT_BITS;
    const struct mw_range parts = mw_parts(s->set, s->parts);
    const uint32_t mask = bits - shift < SORT_DIGIT_BITS ? (1u << (bits - shift)) - 1 : SORT_DIGITS - 1;
    int rc;
    TRY(launch_sort_count(s->set, parts, s->keys[from], s->counts, (int64_t)s->n, (int64_t)s->each, shift, mask,
                          (int64_t)s->parts));
    TRY(mw_prim_scan(prim, s->counts, s->counts, s->parts * SORT_DIGITS, s->count_type, false, NULL));
    TRY(launch_sort_scatter(s->set, parts, s->keys[from], s->keys[to], s->values[from], s->values[to], s->counts,
                            (int64_t)s->n, (int64_t)s->each, shift, mask, (int64_t)s->parts, (int32_t)s->value_bytes,
                            s->stream));
out:
    return rc;
}

static int copy_back(struct mw_buffer *from, struct mw_buffer *to, size_t bytes)
{
    struct mw_event *done = NULL;        /* asked for, or the call would wait */
    const int rc = bytes ? mw_buffer_copy(from, 0, to, 0, bytes, &done) : 0;
    mw_event_free(done);
    return rc;
}

static int check(struct mw_prim *prim, struct mw_buffer *keys, enum mw_type type, unsigned bits,
                 struct mw_buffer *values, size_t value_bytes, size_t n)
{
    const size_t bytes = mw_type_bytes(type);
    int rc = 0;
    if (type != MW_TYPE_U32 && type != MW_TYPE_U64)
        return mw_fail(MW_EINVAL, "sort: keys of %s are not taken: make them unsigned, of 32 or 64 bits",
                       mw_type_name(type));
    if (bits > 8 * bytes)
        return mw_fail(MW_EINVAL, "sort: keys of %s have no %u bits: sort by %zu at most", mw_type_name(type), bits,
                       8 * bytes);
    if (value_bytes != 0 && value_bytes != 4 && value_bytes != 8)
        return mw_fail(MW_EINVAL, "sort: values of %zu bytes are not taken: give 4, 8, or 0 and none", value_bytes);
    if ((value_bytes != 0) != (values != NULL))
        return mw_fail(MW_EINVAL, "sort: values of %zu bytes and %s of them: give both or neither", value_bytes,
                       values ? "a buffer" : "no buffer");
    if (n == 0)
        return 0;
    TRY(mw_prim_check(prim, "sort", "keys", keys, n, bytes));
    if (values)
        TRY(mw_prim_check(prim, "sort", "values", values, n, value_bytes));
out:
    return rc;
}

int mw_prim_sort(struct mw_prim *prim, struct mw_buffer *keys, enum mw_type type, unsigned bits,
                 struct mw_buffer *values, size_t value_bytes, size_t n)
{
    struct sort s = { .n = n, .key_bytes = mw_type_bytes(type), .value_bytes = value_bytes, .keys = { keys },
                      .values = { values } };
    const unsigned digits = (bits + SORT_DIGIT_BITS - 1) / SORT_DIGIT_BITS;
    int rc;
    TRY(check(prim, keys, type, bits, values, value_bytes, n));
    if (n < 2)
        goto out;
    TRY(share_out(prim, &s));
    for (unsigned digit = 0; digit < digits; digit++)
        TRY(sort_digit(prim, &s, digit, bits));
    if (digits % 2) {
        TRY(copy_back(s.keys[1], keys, n * s.key_bytes));
        TRY(copy_back(s.values[1], values, n * value_bytes));
    }
out:
    return rc;
}

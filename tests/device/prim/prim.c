/* Scans, selections, histograms and sorts on one device, $MESHWORK_TEST_DEVICE, compared with plain C: random sizes,
 * all types, a guard after every result. */
#include "tests/device/prim/forms.h"

#include "prim/sizes.clh"

/* ---- scan ---- */

#define SCAN(name, type)                                                                                               \
    static type name(type *x, size_t n, bool inclusive)                                                                \
    {                                                                                                                  \
        type sum = 0;                                                                                                  \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const type before = sum;                                                                                   \
            sum += x[i];                                                                                               \
            x[i] = inclusive ? sum : before;                                                                           \
        }                                                                                                              \
        return sum;                                                                                                    \
    }
SCAN(plain_scan_32, uint32_t)
SCAN(plain_scan_64, uint64_t)

static void check_scan(enum mw_type type, size_t n, bool inclusive, bool in_place, bool with_total)
{
    const size_t bytes = mw_type_bytes(type);
    uint64_t total[2] = { 7, 7 }, expected[2] = { 7, 7 };
    void *data = random_bytes(n * bytes), *got;
    char what[80];
    struct mw_buffer *from = guarded(data, n * bytes), *to = in_place ? from : guarded(data, n * bytes);
    OK(mw_prim_scan(prim, from, to, n, type, inclusive, with_total ? total : NULL));
    snprintf(what, sizeof what, "%s scan%s of %s", inclusive ? "inclusive" : "exclusive", in_place ? " in place" : "",
             mw_type_name(type));
    if (!in_place) {
        got = taken(from);
        same("a scan's source", n, got, data, n, bytes);
        free(got);
    }
    got = taken(to);
    const uint64_t sum = bytes == 4 ? plain_scan_32(data, n, inclusive) : plain_scan_64(data, n, inclusive);
    same(what, n, got, data, n, bytes);
    if (with_total)
        memcpy(expected, bytes == 4 ? (const void *)&(uint32_t){ (uint32_t)sum } : &sum, bytes);
    assert_memory_equal(total, expected, sizeof total);
    free(got);
    free(data);
}

static void scans_are_those_of_plain_loops(void **unused)
{
    static const enum mw_type types[] = { MW_TYPE_U32, MW_TYPE_U64, MW_TYPE_I32, MW_TYPE_I64 };
    for (size_t i = 0; i < size_count(2000); i++) {
        const uint64_t choice = random_word();
        check_scan(types[choice % 4], size_at(i), choice & 8, choice & 16, choice & 32);
    }
    struct mw_buffer *buffer = guarded(NULL, 0);
    assert_int_equal(mw_prim_scan(prim, buffer, buffer, 1, MW_TYPE_F32, true, NULL), MW_EINVAL);
    assert_int_equal(mw_prim_scan(prim, buffer, buffer, GUARD, MW_TYPE_U32, true, NULL), MW_EINVAL);
    free(taken(buffer));
}

/* ---- select ---- */

static void check_select(size_t n, unsigned one_in)
{
    unsigned char *flags = random_bytes(n);
    uint32_t *expected = room(n, sizeof *expected), *got;
    size_t count = 0, found = 7;
    for (size_t i = 0; i < n; i++) {
        flags[i] = random_below(one_in) == 0 ? flags[i] | 1 << random_below(8) : 0;
        if (flags[i])
            expected[count++] = (uint32_t)i;
    }
    /* Room for exactly the places that are found; old contents are overwritten, so that no place is right by chance. */
    struct mw_buffer *from = guarded(flags, n), *places = guarded(expected, count * sizeof *expected);
    if (count)
        OK(mw_buffer_fill(places, 0, count * sizeof *expected, 0xff));
    OK(mw_prim_select(prim, from, n, places, &found));
    assert_int_equal(found, count);
    if (count > GUARD / sizeof *expected) {
        struct mw_buffer *small = guarded(NULL, 0);
        size_t untouched = 7;
        assert_int_equal(mw_prim_select(prim, from, n, small, &untouched), MW_EINVAL);
        assert_int_equal(untouched, 7);
        mw_buffer_free(small);
    }
    got = taken(places);
    same("a selection", n, got, expected, count, sizeof *got);
    free(got);
    free(taken(from));
    free(expected);
    free(flags);
}

static void selections_are_those_of_a_plain_loop(void **unused)
{
    static const unsigned one_in[] = { 2, 1, 10, 1000 };
    for (size_t i = 0; i < size_count(1000); i++)
        check_select(size_at(i), one_in[random_below(MW_COUNT(one_in))]);
}

/* ---- calls of groups that wait ---- */

/* Words that groups published in other calls are not used: calls with more or fewer parts, with other sums, and after
 * the numbers of calls start again. */
static void calls_do_not_meet(void **unused)
{
    if (!prim->once)
        skip();
    check_scan(MW_TYPE_U32, 5000, true, false, true);
    prim->calls = ONCE_CALLS - 3;
    for (size_t i = 0; i < 8; i++) {
        check_scan(i % 2 ? MW_TYPE_U64 : MW_TYPE_U32, 1 + random_below(slow ? 9000 : 300000), true, false, true);
        check_select(1 + random_below(slow ? 9000 : 300000), 3);
    }
    assert_in_range(prim->calls, 1, 100);
}

/* ---- histogram ---- */

static void check_histogram(size_t n, size_t bins, size_t range, bool runs)
{
    uint32_t *keys = room(n, sizeof *keys), *expected = calloc(bins + 1, sizeof *expected), *got;
    assert_non_null(expected);
    for (size_t i = 0; i < n; i++) {
        keys[i] = runs && i > 0 && random_below(50) ? keys[i - 1] : (uint32_t)random_below(range);
        if (random_below(5000) == 0)
            keys[i] = UINT32_MAX;
        if (keys[i] < bins)
            expected[keys[i]]++;
    }
    struct mw_buffer *from = guarded(keys, n * sizeof *keys), *counts = guarded(expected, bins * sizeof *expected);
    if (bins)
        OK(mw_buffer_fill(counts, 0, bins * sizeof *expected, 0xee));
    OK(mw_prim_histogram(prim, from, n, bins, counts));
    got = taken(counts);
    same("a histogram", n, got, expected, bins, sizeof *got);
    free(got);
    free(taken(from));
    free(keys);
    free(expected);
}

static void histograms_are_those_of_a_plain_loop(void **unused)
{
    for (size_t i = 0; i < size_count(600); i++) {
        const size_t n = size_at(i), kind = random_below(5);
        const size_t bins = kind == 0   ? random_below(300)
                            : kind == 1 ? 1 + random_below(4200)
                            : kind == 2 ? 1 + random_below(n / 2 + 1)
                            : kind == 3 ? 1 + random_below(2 * n + 1)
                                        : 1;
        check_histogram(n, bins, 1 + random_below(bins + bins / 8 + 1), random_below(2));
    }
}

/* ---- sort ---- */

struct pair {
    uint64_t key, value;
};

static int by_key(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->value > y->value) - (x->value < y->value);
}

/* Random keys; sorted upwards or downwards; all equal, or equal in some digits. */
enum { RANDOM, UPWARDS, DOWNWARDS, ALIKE, ALIKE_BELOW, ORDERS };

static uint64_t key_in(int order, size_t i, size_t n, uint64_t range)
{
    const uint64_t key = range ? random_word() % range : random_word();
    switch (order) {
    case UPWARDS: return i;
    case DOWNWARDS: return n - i;
    case ALIKE: return range;
    case ALIKE_BELOW: return key << 16 | 0x5a5a;
    default: return key;
    }
}

/* Values are places, so that sorting pairs by key and value is a stable sort by key. */
static void check_sort(size_t n, enum mw_type type, unsigned bits, size_t value_bytes, uint64_t range, int order)
{
    const size_t bytes = mw_type_bytes(type);
    const uint64_t sorted_by = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    struct pair *pairs = room(n, sizeof *pairs);
    uint64_t *original = room(n, sizeof *original);
    unsigned char *keys = room(n, bytes), *values = room(n, 8);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_in(order, i, n, range);
        const uint64_t value = (uint64_t)i | (value_bytes == 8 ? (uint64_t)i << 40 : 0);
        original[i] = key = bytes == 4 ? (uint32_t)key : key;
        pairs[i] = (struct pair){ key & sorted_by, i };
        memcpy(keys + i * bytes, &key, bytes);
        memcpy(values + i * value_bytes, &value, value_bytes);
    }
    struct mw_buffer *key_buffer = guarded(keys, n * bytes);
    struct mw_buffer *value_buffer = value_bytes ? guarded(values, n * value_bytes) : NULL;
    OK(mw_prim_sort(prim, key_buffer, type, bits, value_buffer, value_bytes, n));
    qsort(pairs, n, sizeof *pairs, by_key);
    for (size_t i = 0; i < n; i++) {
        const uint64_t value = pairs[i].value | (value_bytes == 8 ? pairs[i].value << 40 : 0);
        memcpy(keys + i * bytes, &original[pairs[i].value], bytes);
        memcpy(values + i * value_bytes, &value, value_bytes);
    }
    unsigned char *got = taken(key_buffer);
    same("sorted keys", n, got, keys, n, bytes);
    free(got);
    if (value_buffer) {
        got = taken(value_buffer);
        same("sorted values", n, got, values, n, value_bytes);
        free(got);
    }
    free(pairs);
    free(original);
    free(keys);
    free(values);
}

/* In the forms for groups, each pair of types is a program: on drivers, a run tests one type of values for each type of
 * keys. */
static void sorts_are_stable_and_right(void **unused)
{
    const size_t of_run[] = { 4 * random_below(3), 4 * random_below(3) };
    const bool all = native || getenv("MESHWORK_TEST_ALL");
    for (size_t i = 0; i < size_count(600); i++) {
        const size_t n = size_at(i) > 1100000 ? 100 : size_at(i);
        /* Drivers of CPUs take long for groups. */
        if (left_out(3) && n > (slow ? 3000U : info->traits->has_cores && !prim->cores ? 70000U : SIZE_MAX_TESTED))
            continue;
        const enum mw_type type = random_below(2) ? MW_TYPE_U32 : MW_TYPE_U64;
        const unsigned most = type == MW_TYPE_U32 ? 32 : 64;
        const uint64_t range = random_below(3) == 0 ? 0 : 1 + random_below(random_below(2) ? 300 : 1000000);
        const unsigned bits = random_below(4) == 0 ? most : (unsigned)random_below(most + 1);
        check_sort(n, type, bits, all ? 4 * random_below(3) : of_run[type == MW_TYPE_U64], range,
                   random_below(2) ? RANDOM : (int)(i % ORDERS));
    }
}

static void impossible_sorts_are_refused(void **unused)
{
    struct mw_buffer *buffer = guarded(NULL, 0);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_I32, 32, NULL, 0, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U32, 33, NULL, 0, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U32, 32, buffer, 0, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U32, 32, NULL, 4, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U32, 32, buffer, 2, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U64, 64, NULL, 0, GUARD), MW_EINVAL);
    free(taken(buffer));
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_are_those_of_plain_loops),
        cmocka_unit_test(selections_are_those_of_a_plain_loop),
        cmocka_unit_test(calls_do_not_meet),
        cmocka_unit_test(histograms_are_those_of_a_plain_loop),
        cmocka_unit_test(sorts_are_stable_and_right),
        cmocka_unit_test(impossible_sorts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) { return run_forms(run); }
/* SPDX-License-Identifier: MIT */

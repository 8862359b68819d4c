/* Primitives on one device, $MESHWORK_TEST_DEVICE, against plain C: random sizes, all types, behind every result a
 * guard that nothing may write to.  Each in the form that the device gets, and on OpenCL CPUs, which get the one for
 * cores, also in the one for groups. */
#include "dev/backend.h"
#include "prim/prim_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/check.h"

#define GUARD 64                 /* bytes behind the data */
#define GUARD_BYTE 0xa5
#define SIZE_MAX_TESTED ((1u << 22) + 5)

static struct mw_device *device;
static struct mw_prim *prim;
static bool slow, fast, fp64;
static unsigned seed;

/* ---- sizes ---- */

static const size_t edges[] = { 0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 63, 64, 65, 127, 251, 255, 256, 257, 509, 1023,
                                1024, 1025, 2039, 2047, 2048, 2049, 4091, 4095, 4096, 4097, 8191, 8192, 8193 };
static const size_t large_edges[] = { 16383, 16384, 16385, 32749, 65536, 131071, 262144, 524287, 1048573, 1048576,
                                      1048579, 2097152, 3000017, SIZE_MAX_TESTED };

/* How many sizes there are, of which `random` are random ones; and the i-th. */
static size_t size_count(size_t random)
{
    const size_t known = slow ? MW_COUNT(edges) / 2 : MW_COUNT(edges) + MW_COUNT(large_edges);
    return known + (slow ? random / 100 : fast ? random : random / 10);
}

static size_t size_at(size_t i)
{
    if (slow)
        return i < MW_COUNT(edges) / 2 ? edges[2 * i + 1] : random_below(3000);
    if (i < MW_COUNT(edges))
        return edges[i];
    if (i < MW_COUNT(edges) + MW_COUNT(large_edges))
        return large_edges[i - MW_COUNT(edges)];
    return random_below(random_below(30) == 0 ? 100000 : random_below(3) == 0 ? 20000 : 600);
}

/* ---- buffers with guards ---- */

static struct mw_buffer *guarded(const void *data, size_t bytes)
{
    struct mw_buffer *buffer;
    unsigned char guard[GUARD];
    memset(guard, GUARD_BYTE, sizeof guard);
    OK(mw_buffer_new(device, bytes + GUARD, &buffer));
    if (bytes)
        OK(mw_buffer_write(buffer, 0, bytes, data, NULL));
    OK(mw_buffer_write(buffer, bytes, GUARD, guard, NULL));
    return buffer;
}

/* What the buffer holds (to be freed), after a look at its guard; and frees the buffer. */
static void *taken(struct mw_buffer *buffer)
{
    const size_t bytes = mw_buffer_bytes(buffer);
    unsigned char *data = malloc(bytes);
    assert_non_null(data);
    OK(mw_buffer_read(buffer, 0, bytes, data, NULL));
    for (size_t i = bytes - GUARD; i < bytes; i++)
        if (data[i] != GUARD_BYTE)
            fail_msg("byte %zu behind the end of %zu was written (seed %u)", i - (bytes - GUARD), bytes - GUARD, seed);
    mw_buffer_free(buffer);
    return data;
}

static void same(const char *what, size_t n, const void *got, const void *expected, size_t count, size_t bytes)
{
    const unsigned char *a = got, *b = expected;
    for (size_t i = 0; i < count; i++)
        if (memcmp(a + i * bytes, b + i * bytes, bytes) != 0)
            fail_msg("%s of %zu elements: element %zu is wrong (seed %u)", what, n, i, seed);
}

static void *random_bytes(size_t bytes)
{
    unsigned char *p = room(bytes + 8, 1);
    for (size_t i = 0; i < bytes; i += 8)
        memcpy(p + i, &(uint64_t){ random_word() }, 8);
    return p;
}

/* ---- reduce ---- */

/* The sum of reals as prim.h and cl/prim/reduce.clh describe it. */
#define TREE(name, type)                                                                                             \
    static type name(const type *x, size_t n)                                                                        \
    {                                                                                                                \
        const size_t blocks = (n + 4095) / 4096;                                                                     \
        type *sums = calloc(blocks + 1, sizeof *sums), lane[256], sum;                                               \
        assert_non_null(sums);                                                                                       \
        for (size_t b = 0; b < blocks; b++) {                                                                        \
            memset(lane, 0, sizeof lane);                                                                            \
            for (size_t i = 4096 * b; i < n && i < 4096 * (b + 1); i++)                                              \
                lane[i % 256] += x[i];                                                                               \
            for (size_t width = 128; width > 0; width /= 2)                                                          \
                for (size_t l = 0; l < width; l++)                                                                   \
                    lane[l] += lane[l + width];                                                                      \
            sums[b] = lane[0];                                                                                       \
        }                                                                                                            \
        sum = blocks > 1 ? name(sums, blocks) : sums[0];                                                             \
        free(sums);                                                                                                  \
        return sum;                                                                                                  \
    }
TREE(tree_single, float)
TREE(tree_double, double)

/* Plain loops, for integers. */
#define REDUCE(name, type, wide)                                                                                     \
    static void name(const void *data, size_t n, enum mw_reduction operation, void *result)                          \
    {                                                                                                                \
        const type *x = data;                                                                                        \
        type best = x[0];                                                                                            \
        wide sum = 0;                                                                                                \
        for (size_t i = 0; i < n; i++) {                                                                             \
            sum = (wide)((uint64_t)sum + (uint64_t)(wide)x[i]);                                                      \
            if (operation == MW_REDUCE_MIN ? x[i] < best : x[i] > best)                                              \
                best = x[i];                                                                                         \
        }                                                                                                            \
        if (operation == MW_REDUCE_SUM)                                                                              \
            memcpy(result, &sum, sizeof sum);                                                                        \
        else                                                                                                         \
            memcpy(result, &best, sizeof best);                                                                      \
    }
REDUCE(plain_i32, int32_t, int64_t)
REDUCE(plain_u32, uint32_t, uint64_t)
REDUCE(plain_i64, int64_t, int64_t)
REDUCE(plain_u64, uint64_t, uint64_t)

/* And for reals, by comparison as IEEE 754 has it for minimum and maximum: -0.0 is less than 0.0. */
#define REDUCE_REALS(name, type, tree)                                                                               \
    static void name(const void *data, size_t n, enum mw_reduction operation, void *result)                          \
    {                                                                                                                \
        const type *x = data;                                                                                        \
        type best = x[0];                                                                                            \
        for (size_t i = 0; i < n; i++) {                                                                             \
            const bool less = x[i] < best || (x[i] == best && (signbit(x[i]) && !signbit(best)));                      \
            const bool more = x[i] > best || (x[i] == best && (!signbit(x[i]) && signbit(best)));                      \
            best = isnan(best) || !(isnan(x[i]) || (operation == MW_REDUCE_MIN ? less : more)) ? best : x[i];          \
        }                                                                                                            \
        if (operation == MW_REDUCE_SUM)                                                                              \
            best = tree(x, n);                                                                                       \
        memcpy(result, &best, sizeof best);                                                                          \
    }
REDUCE_REALS(plain_f32, float, tree_single)
REDUCE_REALS(plain_f64, double, tree_double)

static const struct {
    enum mw_type type;
    void (*plain)(const void *data, size_t n, enum mw_reduction operation, void *result);
} reducible[] = {
    { MW_TYPE_I32, plain_i32 }, { MW_TYPE_U32, plain_u32 }, { MW_TYPE_I64, plain_i64 },
    { MW_TYPE_U64, plain_u64 }, { MW_TYPE_F32, plain_f32 }, { MW_TYPE_F64, plain_f64 },
};

/* Numbers of all kinds of size; the sums of reals are then rounded at every step. */
static void *random_elements(enum mw_type type, size_t n)
{
    void *data = random_bytes(n * mw_type_bytes(type));
    for (size_t i = 0; i < n; i++) {
        const double x = ((double)(random_word() >> 11) / 0x1p52 - 1) * exp2((double)random_below(20));
        if (type == MW_TYPE_F32)
            ((float *)data)[i] = (float)x;
        else if (type == MW_TYPE_F64)
            ((double *)data)[i] = x;
    }
    return data;
}

static void check_reduce(size_t row, const void *data, size_t n, enum mw_reduction operation)
{
    const enum mw_type type = reducible[row].type;
    const size_t bytes = operation == MW_REDUCE_SUM && type <= MW_TYPE_U64 ? 8 : mw_type_bytes(type);
    unsigned char got[16], expected[16];
    char what[64];
    struct mw_buffer *from = guarded(data, n * mw_type_bytes(type));
    memset(got, GUARD_BYTE, sizeof got);
    memset(expected, GUARD_BYTE, sizeof expected);
    reducible[row].plain(data, n, operation, expected);
    /* Of NaNs, only that they are. */
    if (type == MW_TYPE_F32 && isnan(*(float *)expected))
        memcpy(expected, &(uint32_t){ 0x7fc00000 }, 4);
    if (type == MW_TYPE_F64 && isnan(*(double *)expected))
        memcpy(expected, &(uint64_t){ 0x7ff8000000000000 }, 8);
    OK(mw_prim_reduce(prim, from, n, type, operation, got));
    snprintf(what, sizeof what, "reduction %d of %s (%zu bytes)", (int)operation, mw_type_name(type), bytes);
    same(what, n, got, expected, 1, sizeof got);
    free(taken(from));
}

static void reductions_are_those_of_plain_loops(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < size_count(1500); i++) {
        const size_t n = size_at(i), row = i % MW_COUNT(reducible), operation = i / MW_COUNT(reducible) % 3;
        if (n == 0 || (reducible[row].type == MW_TYPE_F64 && !fp64))
            continue;
        void *data = random_elements(reducible[row].type, n);
        check_reduce(row, data, n, (enum mw_reduction)operation);
        if (n < 100 || reducible[row].type == MW_TYPE_F32)
            check_reduce(row, data, n, MW_REDUCE_SUM);
        free(data);
    }
}

static void reductions_of_special_reals(void **unused)
{
    static const float special[] = { -0.0f, 0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e38f, -1e38f };
    (void)unused;
    for (size_t round = 0; round < (slow ? 20u : 300u); round++) {
        /* Few kinds at a time, or nearly all would have a NaN. */
        const size_t n = 1 + random_below(slow ? 600 : 9000), first = random_below(MW_COUNT(special));
        const size_t kinds = 1 + random_below(MW_COUNT(special) - first);
        float *single = room(n, sizeof *single);
        double *twice = room(n, sizeof *twice);
        for (size_t i = 0; i < n; i++)
            twice[i] = single[i] = special[first + random_below(kinds)];
        for (int operation = MW_REDUCE_SUM; operation <= MW_REDUCE_MAX; operation++) {
            check_reduce(4, single, n, (enum mw_reduction)operation);
            if (fp64)
                check_reduce(5, twice, n, (enum mw_reduction)operation);
        }
        free(single);
        free(twice);
    }
}

static void reductions_of_nothing(void **unused)
{
    struct mw_buffer *from = guarded(NULL, 0);
    uint64_t sum = 1;
    float real = 1;
    (void)unused;
    OK(mw_prim_reduce(prim, from, 0, MW_TYPE_I32, MW_REDUCE_SUM, &sum));
    assert_true(sum == 0);
    OK(mw_prim_reduce(prim, from, 0, MW_TYPE_F32, MW_REDUCE_SUM, &real));
    assert_true(real == 0 && !signbit(real));
    assert_int_equal(mw_prim_reduce(prim, from, 0, MW_TYPE_U64, MW_REDUCE_MIN, &sum), MW_EINVAL);
    assert_int_equal(mw_prim_reduce(prim, from, GUARD, MW_TYPE_U64, MW_REDUCE_MIN, &sum), MW_EINVAL);
    assert_int_equal(mw_prim_reduce(prim, from, 1, MW_TYPE_U8, MW_REDUCE_SUM, &sum), MW_EINVAL);
    free(taken(from));
}

/* ---- scan ---- */

#define SCAN(name, type)                                                                                             \
    static type name(type *x, size_t n, bool inclusive)                                                              \
    {                                                                                                                \
        type sum = 0;                                                                                                \
        for (size_t i = 0; i < n; i++) {                                                                             \
            const type before = sum;                                                                                 \
            sum += x[i];                                                                                             \
            x[i] = inclusive ? sum : before;                                                                         \
        }                                                                                                            \
        return sum;                                                                                                  \
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
    (void)unused;
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
    /* Room for what is found, and no more: but what is there, nobody can know before. */
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
    (void)unused;
    for (size_t i = 0; i < size_count(1000); i++)
        check_select(size_at(i), one_in[random_below(MW_COUNT(one_in))]);
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
    (void)unused;
    for (size_t i = 0; i < size_count(600); i++) {
        const size_t n = size_at(i), kind = random_below(5);
        const size_t bins = kind == 0 ? random_below(300) : kind == 1 ? 1 + random_below(4200)
                          : kind == 2 ? 1 + random_below(n / 2 + 1) : kind == 3 ? 1 + random_below(2 * n + 1) : 1;
        check_histogram(n, bins, 1 + random_below(bins + bins / 8 + 1), random_below(2));
    }
}

/* ---- sort ---- */

struct pair { uint64_t key, value; };

static int by_key(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->value > y->value) - (x->value < y->value);
}

/* Values are places, so that sorting pairs by key and value is a stable sort by key. */
static void check_sort(size_t n, enum mw_type type, unsigned bits, size_t value_bytes, uint64_t range)
{
    const size_t bytes = mw_type_bytes(type);
    const uint64_t sorted_by = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    struct pair *pairs = room(n, sizeof *pairs);
    uint64_t *original = room(n, sizeof *original);
    unsigned char *keys = room(n, bytes), *values = room(n, 8);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = range ? random_word() % range : random_word();
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

static void sorts_are_stable_and_right(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < size_count(600); i++) {
        const size_t n = size_at(i) > 1100000 ? 100 : size_at(i);
        const enum mw_type type = random_below(2) ? MW_TYPE_U32 : MW_TYPE_U64;
        const unsigned most = type == MW_TYPE_U32 ? 32 : 64;
        const uint64_t range = random_below(3) == 0 ? 0 : 1 + random_below(random_below(2) ? 300 : 1000000);
        check_sort(n, type, random_below(4) == 0 ? most : (unsigned)random_below(most + 1), 4 * random_below(3), range);
    }
}

static void impossible_sorts_are_refused(void **unused)
{
    struct mw_buffer *buffer = guarded(NULL, 0);
    (void)unused;
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_I32, 32, NULL, 0, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U32, 33, NULL, 0, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U32, 32, buffer, 0, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U32, 32, NULL, 4, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U32, 32, buffer, 2, 1), MW_EINVAL);
    assert_int_equal(mw_prim_sort(prim, buffer, MW_TYPE_U64, 64, NULL, 0, GUARD), MW_EINVAL);
    free(taken(buffer));
}

/* ---- main ---- */

static int run(const char *what, bool cores, size_t group, bool wide)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_are_those_of_plain_loops),
        cmocka_unit_test(reductions_of_special_reals),
        cmocka_unit_test(reductions_of_nothing),
        cmocka_unit_test(scans_are_those_of_plain_loops),
        cmocka_unit_test(selections_are_those_of_a_plain_loop),
        cmocka_unit_test(histograms_are_those_of_a_plain_loop),
        cmocka_unit_test(sorts_are_stable_and_right),
        cmocka_unit_test(impossible_sorts_are_refused),
    };
    print_message("form for %s, seed %u\n", what, seed);
    random_state = seed;
    if (mw_prim_new_form(device, cores, group, &prim) != 0) {
        fprintf(stderr, "%s\n", mw_errmsg());
        return 1;
    }
    prim->wide = wide;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mw_prim_free(prim);
    return failed;
}

int main(void)
{
    const char *const wanted = getenv("MESHWORK_TEST_SEED");
    int failed;
    if (mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &device) != 0) {
        fprintf(stderr, "%s\n", mw_errmsg());
        return 1;
    }
    const struct mw_device_info *info = mw_device_info(device);
    seed = wanted ? (unsigned)strtoul(wanted, NULL, 10) : (unsigned)time(NULL);
    fast = info->kind == MW_DEVICE_NATIVE;
    slow = strstr(info->name, "Oclgrind") != NULL;
    fp64 = info->fp64;
    print_message("%s: %s\n", info->id, info->name);
    const bool cores = mw_has_cores(mw_device_info(device));
    failed = run(cores ? "cores" : "groups", cores, 256, false);
    if (cores && !fast)
        failed += run("groups", false, 64, true);
    mw_device_close(device);
    return failed;
}

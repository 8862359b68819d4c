/* Random numbers on $MESHWORK_TEST_DEVICE against independent generators and distributions. */
#include <math.h>

#include <meshwork/rng.h>

#include "dev/core/traits.h"
#include "tests/device/device.h"
#include "tests/device/rng/expected.h"

static struct mw_random *made;

static struct mw_random *generator(const char *name, uint64_t key, uint32_t stream)
{
    const struct mw_random_options o = { .size = sizeof o, .generator = name, .seed = key, .stream = stream };
    mw_random_free(made);
    made = NULL;
    OK(mw_random_new(&device, 1, &o, &made));
    return made;
}

static int end(void **state)
{
    mw_random_free(made);
    return close_device(state);
}

/* ---- counter-based generators ---- */

static uint32_t expected_word(bool threefry, uint64_t key, uint32_t stream, uint64_t k, uint32_t again)
{
    uint32_t four[4] = { (uint32_t)(k / 4), (uint32_t)(k / 4 >> 32), stream, again };
    if (threefry)
        threefry_words(four, (uint32_t[]){ (uint32_t)key, (uint32_t)(key >> 32), 0, 0 });
    else
        philox_words(four, (uint32_t[]){ (uint32_t)key, (uint32_t)(key >> 32) });
    return four[k % 4];
}

static void words_are_those_of_their_places(void **unused)
{
    const struct mw_random_draw bits = { .size = sizeof bits, .kind = MW_RANDOM_BITS };
    for (int round = 0; round < (slow ? 4 : 40); round++) {
        const bool threefry = round % 2;
        const uint64_t key = random_word(), first = round < 20 ? random_below(1000) : random_word() >> 4;
        const uint32_t stream = (uint32_t)random_word();
        const size_t n = slow ? 300 : 1 + random_below(20000);
        uint32_t *words = room(n, sizeof *words);
        generator(threefry ? "threefry" : "philox", key, stream);
        OK(mw_random_fill_host(made, &bits, first, n, words));
        for (size_t i = 0; i < n; i++)
            if (words[i] != expected_word(threefry, key, stream, first + i, 0))
                fail_msg("word %zu from %llu on", i, (unsigned long long)first);
        free(words);
    }
}

static void uniform_numbers_are_multiples(void **unused)
{
    enum { N = 500 };
    float single[N];
    double twice[N];
    for (int interval = 0; interval < 3; interval++) {
        struct mw_random_draw draw = { .size = sizeof draw, .interval = (enum mw_random_interval)interval };
        const uint64_t key = random_word(), first = random_below(77);
        generator("philox", key, 3);
        draw.kind = MW_RANDOM_FLOATS;
        OK(mw_random_fill_host(made, &draw, first, N, single));
        draw.kind = MW_RANDOM_DOUBLES;
        if (info->fp64)
            OK(mw_random_fill_host(made, &draw, first, N, twice));
        else
            FAILS(MW_ENOTSUP, "double", mw_random_fill_host(made, &draw, first, N, twice));
        for (size_t i = 0; i < N; i++) {
            const uint32_t word = expected_word(false, key, 3, first + i, 0);
            const uint64_t both = (uint64_t)expected_word(false, key, 3, 2 * (first + i) + 1, 0) << 32 |
                                  expected_word(false, key, 3, 2 * (first + i), 0);
            const double s = interval == 2 ? 2.0 * (word >> 9) + 1 : (double)(word >> 8) + interval;
            const double d = interval == 2 ? 2.0 * (double)(both >> 12) + 1 : (double)(both >> 11) + interval;
            assert_true((double)single[i] == ldexp(s, -24));
            assert_true(!info->fp64 || twice[i] == ldexp(d, -53));
        }
    }
}

static void whole_numbers_below_are_drawn_again(void **unused)
{
    static const uint64_t below[] = { 1, 2, 6, 1000003, 0x80000001, 0xc0000000, 0xffffffff, (uint64_t)1 << 32 };
    enum { N = 700 };
    uint32_t found[N], again_most = 0;
    for (size_t b = 0; b < sizeof below / sizeof *below; b++) {
        const struct mw_random_draw draw = { .size = sizeof draw, .kind = MW_RANDOM_BELOW, .below = below[b] };
        const uint64_t key = random_word(), first = random_below(50), least = ((uint64_t)1 << 32) % below[b];
        generator("philox", key, 9);
        OK(mw_random_fill_host(made, &draw, first, N, found));
        for (size_t i = 0; i < N; i++) {
            uint32_t again = 0;
            uint64_t product;
            do
                product = expected_word(false, key, 9, first + i, again++) * below[b];
            while ((product & 0xffffffff) < least);
            again_most = again > again_most ? again : again_most;
            assert_int_equal(found[i], product >> 32);
            assert_true(found[i] < below[b]);
        }
    }
    assert_true(again_most > 2);
}

/* Each bit has a uniform 32-bit number: bit i of the words of successive draws. */
static void bernoulli_bits_are_comparisons(void **unused)
{
    const uint32_t p[] = { 0, 1, 0x80000000, 0x40000000, 0xffffffff, (uint32_t)random_word() };
    enum { N = 200 };
    uint32_t found[N];
    for (size_t c = 0; c < sizeof p / sizeof *p; c++) {
        const struct mw_random_draw draw = { .size = sizeof draw, .kind = MW_RANDOM_BERNOULLI, .probability = p[c] };
        const uint64_t key = random_word(), first = random_below(50);
        generator("philox", key, 2);
        OK(mw_random_fill_host(made, &draw, first, N, found));
        for (size_t i = 0; i < N; i++) {
            uint32_t number[32] = { 0 };
            for (uint32_t turn = 0; turn < 32; turn++) {
                const uint32_t word = expected_word(false, key, 2, first + i, turn);
                for (int bit = 0; bit < 32; bit++)
                    number[bit] |= (word >> bit & 1) << (31 - turn);
            }
            for (int bit = 0; bit < 32; bit++)
                assert_int_equal(found[i] >> bit & 1, number[bit] < p[c]);
        }
    }
}

/* ---- normals ---- */

/* Returns the distance of a value from that with tail probability t / 2, relative to the value or to 1. */
static double distance(double value, long double t)
{
    long double z = fabsl((long double)value) / sqrtl(2);
    for (int k = 0; k < 8; k++)
        z += (erfcl(z) - t) / (1.12837916709551257390L * expl(-z * z));
    const long double exact = z * sqrtl(2), size = exact > 1 ? exact : 1;
    return (double)(fabsl(fabsl((long double)value) - exact) / size);
}

static void normals_are_the_inverse(void **unused)
{
    enum { N = 3000 };
    struct mw_random_draw draw = { .size = sizeof draw, .kind = MW_RANDOM_NORMAL_FLOATS };
    const size_t n = slow ? 200 : N;
    const uint64_t key = random_word();
    float single[N];
    double twice[N], worst = 0;
    generator("philox", key, 0);
    OK(mw_random_fill_host(made, &draw, 5, n, single));
    for (size_t i = 0; i < n; i++) {
        const uint32_t word = expected_word(false, key, 0, 5 + i, 0);
        worst = fmax(worst, distance((double)single[i], ((word & 0x7fffffff) + 0.5L) / 0x1p31L));
        assert_int_equal(single[i] < 0, word >> 31);
    }
    print_message("singles: error up to %.2g\n", worst);
    assert_true(worst < 5e-7);
    if (!info->fp64)
        return;
    draw.kind = MW_RANDOM_NORMAL_DOUBLES;
    OK(mw_random_fill_host(made, &draw, 5, n, twice));
    worst = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t high = expected_word(false, key, 0, 2 * (5 + i) + 1, 0);
        const uint64_t low = expected_word(false, key, 0, 2 * (5 + i), 0);
        worst = fmax(worst, distance(twice[i], ((long double)(high & 0x7fffffff) * 0x1p32L + (low + 0.5L)) / 0x1p63L));
        assert_int_equal(twice[i] < 0, high >> 31);
    }
    print_message("doubles: error up to %.2g\n", worst);
    assert_true(worst < 2e-15);
}

/* ---- the lagged Fibonacci generator ---- */

/* Returns number n of several streams, in the order given in rng.h. */
static uint32_t expected_number(struct lagged *streams, size_t count, size_t table, uint64_t n)
{
    const size_t width = count < 32 ? count : 32, group = n / (table * width) % (count / width);
    return lagged_next(&streams[group * width + n % width]);
}

static void check_lagged(const char *variant, size_t streams, size_t table, size_t n)
{
    const uint64_t key = random_word();
    const struct mw_random_options o = {
        .size = sizeof o, .generator = "ranmar", .variant = variant, .seed = key, .streams = streams, .table = table
    };
    const struct mw_random_draw numbers = { .size = sizeof numbers, .kind = MW_RANDOM_NUMBERS };
    const struct mw_random_draw floats = { .size = sizeof floats, .kind = MW_RANDOM_FLOATS };
    struct lagged *expected = room(streams, sizeof *expected);
    uint32_t *found = room(n, sizeof *found), *again = room(n, sizeof *again);
    float *reals = room(n, sizeof *reals);
    size_t half = n / 3;
    for (size_t s = 0; s < streams; s++)
        lagged_start(&expected[s], table, (key % 942438978 + s % 942438978 * 582459323) % 942438978);
    mw_random_free(made);
    made = NULL;
    OK(mw_random_new(&device, 1, &o, &made));
    OK(mw_random_fill_host(made, &numbers, 0, n, found));
    for (size_t i = 0; i < n; i++)
        if (found[i] != expected_number(expected, streams, table, i))
            fail_msg("%s, %zu streams, table %zu: number %zu", variant, streams, table, i);
    /* From the start again, and in two pieces; then as reals. */
    OK(mw_random_fill_host(made, &numbers, 0, half, again));
    OK(mw_random_fill_host(made, &numbers, half, n - half, again + half));
    assert_memory_equal(found, again, n * sizeof *found);
    OK(mw_random_fill_host(made, &floats, 1, n - 1, reals + 1));
    for (size_t i = 1; i < n; i++)
        assert_true(reals[i] == (float)found[i] * 0x1p-24f);
    for (size_t s = 0; s < streams; s++)
        free(expected[s].u);
    free(expected);
    free(found);
    free(again);
    free(reals);
}

static void lagged_streams_are_serial_ones(void **unused)
{
    for (size_t v = 0; mw_random_variants(v); v++) {
        const char *name = mw_random_variants(v)->name;
        if (!strcmp(name, "blocks") || (!strcmp(name, "lanes") && !info->traits->has_cores))
            continue;
        check_lagged(name, 1, 97, slow ? 300 : 1000);
        check_lagged(name, 1, 5, 64);
        if (!slow)
            check_lagged(name, 1, 1009, 5000);
        if (!strcmp(name, "stream"))
            continue;
        check_lagged(name, 24, 97, slow ? 24 * 100 : 24 * 500 + 7);
        check_lagged(name, 96, 13, 96 * 13 * 3 + 100);
    }
}

static void marsaglia_finds_his_numbers(void **unused)
{
    static const uint32_t known[6] = { 6533892, 14220222, 7275067, 6172232, 8354498, 10633180 };
    const struct mw_random_draw numbers = { .size = sizeof numbers, .kind = MW_RANDOM_NUMBERS };
    const struct mw_random_draw bits = { .size = sizeof bits, .kind = MW_RANDOM_BITS };
    static const char *const ways[] = { "serial", "tables", "stream" };
    for (size_t w = 0; w < (slow ? 1 : 3); w++) {
        const struct mw_random_options o = { .size = sizeof o,
                                             .generator = "ranmar",
                                             .variant = ways[w],
                                             .seed = 1802 * 30082 + 9373,
                                             .streams = 1,
                                             .table = 97 };
        uint32_t found[6], words[3];
        mw_random_free(made);
        made = NULL;
        OK(mw_random_new(&device, 1, &o, &made));
        OK(mw_random_fill_host(made, &numbers, 20000, 6, found));
        assert_memory_equal(found, known, sizeof known);
        OK(mw_random_fill_host(made, &bits, 15000, 3, words));
        assert_int_equal(words[0], (known[0] | known[1] << 24) & 0xffffffff);
        assert_int_equal(words[1], known[1] >> 8 | (known[2] & 0xffff) << 16);
        assert_int_equal(words[2], known[2] >> 16 | known[3] << 8);
    }
}

/* ---- errors ---- */

/* ---- several devices ---- */

static void several_devices_make_one_stream(void **unused)
{
    const struct mw_random_options o = { .size = sizeof o, .seed = 11, .stream = 2 };
    const struct mw_random_draw draw = { .size = sizeof draw, .kind = MW_RANDOM_BITS };
    const size_t n = slow ? 1000 : 300000;
    uint32_t *found = room(n, sizeof *found), *expected = room(n, sizeof *expected);
    struct mw_device *devices[2] = { device };
    struct mw_random *team;
    OK(mw_device_open_by_name("native:serial", NULL, &devices[1]));
    OK(mw_random_new(devices, 2, &o, &team));
    assert_int_equal(mw_random_piece(team), 0);
    generator("philox", 11, 2);
    for (uint64_t first = 0; first < 8; first += 7) {
        OK(mw_random_fill_host(team, &draw, first, n, found));
        OK(mw_random_fill_host(made, &draw, first, n, expected));
        assert_memory_equal(found, expected, n * sizeof *found);
    }
    OK(mw_random_fill_host(team, &draw, 0, n, NULL));
    mw_random_free(team);
    mw_device_close(devices[1]);
    free(found);
    free(expected);
}

/* Across the ends of the first two devices' first turns. */
static void devices_with_tables_take_turns(void **unused)
{
    enum { N = 2000, TABLE = 131101 };
    struct mw_random_options o = { .size = sizeof o, .generator = "ranmar", .seed = 5, .streams = 32, .table = TABLE };
    const struct mw_random_draw draw = { .size = sizeof draw, .kind = MW_RANDOM_NUMBERS };
    static uint32_t found[N], expected[N];
    struct mw_device *devices[2] = { device };
    struct mw_random *team;
    struct mw_random *own[2];
    uint32_t second[4] = { 1, 0, 0, 1 };
    if (slow)
        skip();
    philox_words(second, (uint32_t[]){ 5, 0 });
    OK(mw_device_open_by_name("native:serial", NULL, &devices[1]));
    OK(mw_random_new(devices, 2, &o, &team));
    OK(mw_random_new(&device, 1, &o, &own[0]));
    o.seed = (uint64_t)second[1] << 32 | second[0];
    OK(mw_random_new(&devices[1], 1, &o, &own[1]));
    const uint64_t piece = mw_random_piece(team);
    assert_int_equal(piece, 32 * TABLE);
    OK(mw_random_fill_host(team, &draw, piece - N / 2, N, found));
    OK(mw_random_fill_host(own[0], &draw, piece - N / 2, N / 2, expected));
    OK(mw_random_fill_host(own[1], &draw, 0, N / 2, expected + N / 2));
    assert_memory_equal(found, expected, sizeof found);
    OK(mw_random_fill_host(team, &draw, 2 * piece - N / 2, N, found));
    OK(mw_random_fill_host(own[1], &draw, piece - N / 2, N / 2, expected));
    OK(mw_random_fill_host(own[0], &draw, piece, N / 2, expected + N / 2));
    assert_memory_equal(found, expected, sizeof found);
    mw_random_free(team);
    mw_random_free(own[0]);
    mw_random_free(own[1]);
    mw_device_close(devices[1]);
}

/* With only a seed: the stream of its authors on every device. */
static void a_seed_is_all_that_ranmar_needs(void **unused)
{
    static const uint32_t published[] = { 6533892, 14220222, 7275067, 6172232, 8354498, 10633180 };
    const struct mw_random_options o = { .size = sizeof o, .generator = "ranmar", .seed = 1802 * 30082 + 9373 };
    const struct mw_random_draw numbers = { .size = sizeof numbers, .kind = MW_RANDOM_NUMBERS };
    uint32_t found[6];
    mw_random_free(made);
    made = NULL;
    OK(mw_random_new(&device, 1, &o, &made));
    OK(mw_random_fill_host(made, &numbers, 20000, 6, found));
    assert_memory_equal(found, published, sizeof found);
}

static void nonsense_is_refused(void **unused)
{
    struct mw_device *twice[] = { device, device };
    struct mw_random *team = NULL;
    FAILS(MW_EINVAL, "given twice", mw_random_new(twice, 2, NULL, &team));
    struct mw_random_options o = { .size = sizeof o, .generator = "dice" };
    struct mw_random_draw draw = { .size = sizeof draw, .kind = MW_RANDOM_BELOW };
    struct mw_random *random = NULL;
    struct mw_buffer *buffer;
    uint32_t word;
    FAILS(MW_EINVAL, "known: philox", mw_random_new(&device, 1, &o, &random));
    o = (struct mw_random_options){ .size = sizeof o, .generator = "ranmar", .table = 96 };
    FAILS(MW_EINVAL, "prime", mw_random_new(&device, 1, &o, &random));
    o = (struct mw_random_options){ .size = sizeof o, .generator = "ranmar", .streams = 33 };
    FAILS(MW_EINVAL, "multiple of 32", mw_random_new(&device, 1, &o, &random));
    o = (struct mw_random_options){ .size = sizeof o, .generator = "ranmar", .variant = "blocks" };
    FAILS(MW_ENOTSUP, "does not support this generator", mw_random_new(&device, 1, &o, &random));
    assert_null(random);
    generator("ranmar", 0, 0);
    FAILS(MW_EINVAL, "below 0", mw_random_fill_host(made, &draw, 0, 1, &word));
    draw.kind = MW_RANDOM_BERNOULLI;
    FAILS(MW_ENOTSUP, "counter-based", mw_random_fill_host(made, &draw, 0, 1, &word));
    draw.kind = MW_RANDOM_BITS;
    OK(mw_buffer_new(device, 16, &buffer));
    FAILS(MW_EINVAL, "buffer of 4", mw_random_fill(made, &draw, 0, 4, buffer, 1));
    mw_buffer_free(buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_their_places),
        cmocka_unit_test(uniform_numbers_are_multiples),
        cmocka_unit_test(whole_numbers_below_are_drawn_again),
        cmocka_unit_test(bernoulli_bits_are_comparisons),
        cmocka_unit_test(normals_are_the_inverse),
        cmocka_unit_test(lagged_streams_are_serial_ones),
        cmocka_unit_test(marsaglia_finds_his_numbers),
        cmocka_unit_test(several_devices_make_one_stream),
        cmocka_unit_test(devices_with_tables_take_turns),
        cmocka_unit_test(a_seed_is_all_that_ranmar_needs),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, end);
}
/* SPDX-License-Identifier: MIT */

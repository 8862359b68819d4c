/* Distributions of random numbers on $MESHWORK_TEST_DEVICE: frequencies in bins, and moments.  Seeds are fixed, so
 * results are reproducible.  Correct generators exceed each bound for about one in a million seeds. */
#include "tests/device/device.h"

#include <math.h>

#include <meshwork/rng.h>

enum { MOST_BINS = 1024 };

static const uint64_t keys[] = { 1, 20260731 };
static const char *const generators[] = { "philox", "threefry", "ranmar" };
static size_t n;       /* numbers of a sample */
static char what[120]; /* name of the sample */

/* ---- bounds ---- */

/* Laurent and Massart 2000 ("Adaptive estimation of a quadratic functional by model selection", lemma 1): chi-square
 * with d degrees of freedom is above d + 2 sqrt(d x) + 2 x with probability exp(-x) at most; so is the probability of
 * less than d - 2 sqrt(d x). */
static void check_chi_square(const char *of, const uint32_t *count, const double *expected, size_t bins, double freedom)
{
    const double x = 14.5;
    double sum = 0;
    for (size_t i = 0; i < bins; i++)
        sum += (count[i] - expected[i]) * (count[i] - expected[i]) / expected[i];
    if (!(sum < freedom + 2 * sqrt(freedom * x) + 2 * x && sum > freedom - 2 * sqrt(freedom * x)))
        fail_msg("%s, %s: chi-square is %g, of %g degrees of freedom", what, of, sum, freedom);
}

static void check_bins(const char *of, const uint32_t *count, size_t bins)
{
    double expected[MOST_BINS];
    for (size_t i = 0; i < bins; i++)
        expected[i] = (double)n / (double)bins;
    check_chi_square(of, count, expected, bins, (double)bins - 1);
}

/* Compares the mean of `number` values with the given mean and variance: five standard deviations. */
static void check_mean(const char *of, double sum, double number, double mean, double variance)
{
    if (!(fabs(sum / number - mean) < 5 * sqrt(variance / number)))
        fail_msg("%s, %s: the mean is %g instead of %g, of %g numbers", what, of, sum / number, mean, number);
}

/* ---- samples ---- */

static void sample(const char *generator, uint64_t key, const struct mw_random_draw *draw, void *to)
{
    const struct mw_random_options o = { .size = sizeof o, .generator = generator, .seed = key };
    struct mw_random *random;
    OK(mw_random_new(&device, 1, &o, &random));
    OK(mw_random_fill_host(random, draw, 0, n, to));
    mw_random_free(random);
}

/* Calls `check` for each generator and seed with n numbers of this kind, `bytes` each.  The bits are those of all other
 * devices (rng.c), so with drivers only some of the programs are compiled. */
static void each_sample(const char *name, struct mw_random_draw draw, void (*check)(const void *numbers, double p),
                        double p)
{
    void *numbers = room(n, mw_random_bytes(draw.kind));
    draw.size = sizeof draw;
    for (size_t g = 0; g < 3; g++) {
        if (left_out(3))
            continue;
        for (size_t s = 0; s < 2 && !(draw.kind == MW_RANDOM_BERNOULLI && g == 2); s++) {
            snprintf(what, sizeof what, "%s of %s, seed %llu", name, generators[g], (unsigned long long)keys[s]);
            sample(generators[g], keys[s], &draw, numbers);
            check(numbers, p);
        }
    }
    free(numbers);
}

/* ---- properties ---- */

static double value_at(const void *numbers, double p, size_t i)
{
    return p == 8 ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

/* Numbers of `bytes` bytes: bins, first moments, and covariance of neighbours. */
static void check_uniform(const void *numbers, double bytes)
{
    enum { BINS = 256 };
    uint32_t count[BINS] = { 0 };
    double sum = 0, squares = 0, products = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = value_at(numbers, bytes, i);
        count[(int)(x * BINS)]++;
        sum += x;
        squares += x * x;
        products += i ? (x - 0.5) * (value_at(numbers, bytes, i - 1) - 0.5) : 0;
    }
    check_bins("256 bins", count, BINS);
    check_mean("values", sum, (double)n, 0.5, 1.0 / 12);
    check_mean("squares", squares, (double)n, 1.0 / 3, 4.0 / 45);
    check_mean("products of neighbours", products, (double)n - 1, 0, 1.0 / 144);
}

/* Bins of equal probability, by the distribution function. */
static void check_normal(const void *numbers, double bytes)
{
    enum { BINS = 128 };
    static const double mean[5] = { 0, 0, 1, 0, 3 }, variance[5] = { 0, 1, 2, 15, 96 };
    static const char *const of[5] = { "", "values", "squares", "cubes", "fourth powers" };
    uint32_t count[BINS] = { 0 };
    double sum[5] = { 0 }, products = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = value_at(numbers, bytes, i), below = 0.5 * erfc(-x * sqrt(0.5));
        double power = 1;
        for (int k = 1; k <= 4; k++)
            sum[k] += power *= x;
        count[below < 1 ? (int)(below * BINS) : BINS - 1]++;
        products += i ? x * value_at(numbers, bytes, i - 1) : 0;
    }
    check_bins("128 bins", count, BINS);
    for (int k = 1; k <= 4; k++)
        check_mean(of[k], sum[k], (double)n, mean[k], variance[k]);
    check_mean("products of neighbours", products, (double)n - 1, 0, 1);
}

static void check_below(const void *numbers, double most)
{
    const uint32_t *number = numbers;
    uint32_t count[MOST_BINS] = { 0 };
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(number[i] < most);
        count[number[i]]++;
        sum += number[i];
    }
    check_bins("each number", count, (size_t)most);
    check_mean("values", sum, (double)n, (most - 1) / 2, (most * most - 1) / 12);
}

/* Bits, in total and by position; pairs of adjacent bits. */
static void check_bits(const void *numbers, double p)
{
    const uint32_t *word = numbers;
    double sum[32] = { 0 }, all = 0, pairs = 0, chi_square = 0;
    for (size_t i = 0; i < n; i++) {
        for (int bit = 0; bit < 32; bit++)
            sum[bit] += word[i] >> bit & 1;
        for (uint32_t both = word[i] & word[i] >> 1; both; both &= both - 1)
            pairs++;
    }
    for (int bit = 0; bit < 32; bit++) {
        const double more = sum[bit] - p * (double)n;
        all += sum[bit];
        chi_square += more * more / (p * (1 - p) * (double)n);
    }
    check_mean("bits", all, 32 * (double)n, p, p * (1 - p));
    /* 31 pairs per word; adjacent pairs share a bit. */
    check_mean("pairs of bits", pairs, (double)n, 31 * p * p, 31 * p * p * (1 - p * p) + 60 * p * p * p * (1 - p));
    if (!(chi_square < 32 + 2 * sqrt(32 * 14.5) + 2 * 14.5 && chi_square > 32 - 2 * sqrt(32 * 14.5)))
        fail_msg("%s: chi-square of places in a word is %g", what, chi_square);
}

/* ---- tests ---- */

static void uniform_numbers_fill_their_interval(void **unused)
{
    each_sample("singles", (struct mw_random_draw){ .size = sizeof(struct mw_random_draw), .kind = MW_RANDOM_FLOATS },
                check_uniform, 4);
    if (info->fp64)
        each_sample("doubles",
                    (struct mw_random_draw){ .size = sizeof(struct mw_random_draw), .kind = MW_RANDOM_DOUBLES },
                    check_uniform, 8);
}

static void normals_have_their_bins_and_moments(void **unused)
{
    each_sample("normals",
                (struct mw_random_draw){ .size = sizeof(struct mw_random_draw), .kind = MW_RANDOM_NORMAL_FLOATS },
                check_normal, 4);
    if (info->fp64)
        each_sample("double normals",
                    (struct mw_random_draw){ .size = sizeof(struct mw_random_draw), .kind = MW_RANDOM_NORMAL_DOUBLES },
                    check_normal, 8);
}

static void whole_numbers_are_equally_often(void **unused)
{
    static const uint64_t below[] = { 2, 6, 97, 1000 };
    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
        each_sample("whole numbers",
                    (struct mw_random_draw){
                        .size = sizeof(struct mw_random_draw), .kind = MW_RANDOM_BELOW, .below = below[i] },
                    check_below, (double)below[i]);
}

static void bits_are_as_often_as_they_should(void **unused)
{
    static const uint32_t p[] = { 0x80000000, 0x40000000, 1288490189, 42949673 };
    each_sample("words", (struct mw_random_draw){ .size = sizeof(struct mw_random_draw), .kind = MW_RANDOM_BITS },
                check_bits, 0.5);
    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        each_sample("Bernoulli bits",
                    (struct mw_random_draw){
                        .size = sizeof(struct mw_random_draw), .kind = MW_RANDOM_BERNOULLI, .probability = p[i] },
                    check_bits, p[i] * 0x1p-32);
}

static int open_with_size(void **state)
{
    const int rc = open_device(state);
    n = slow ? 2000 : (size_t)1 << 18;
    print_message("seeds %llu, %llu\n", (unsigned long long)keys[0], (unsigned long long)keys[1]);
    return rc;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_numbers_fill_their_interval),
        cmocka_unit_test(normals_have_their_bins_and_moments),
        cmocka_unit_test(whole_numbers_are_equally_often),
        cmocka_unit_test(bits_are_as_often_as_they_should),
    };
    return cmocka_run_group_tests(tests, open_with_size, close_device);
}
/* SPDX-License-Identifier: MIT */

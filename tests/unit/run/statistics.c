/* Statistics of states against plain definitions, and domains of shapes with known sizes. */
#include <meshwork/field.h>
#include <meshwork/run.h>

#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/check.h"

static double uniform(void) { return rand() / (double)RAND_MAX; }

static int new_seed(void **state)
{
    seed_random();
    return 0;
}

/* Random values with a large mean: sums of squares would lose the variance. */
static void moments_are_those_of_the_definition(void **state)
{
    for (int round = 0; round < 40; round++) {
        const bool fp64 = round % 2;
        const size_t n = 1 + (size_t)rand() % 20000;
        const double mean = 1000 * (uniform() - 0.5), width = pow(10, -3 * uniform());
        struct mw_array a = { 0 };
        struct mw_statistics s;
        long double sum = 0, squares = 0;
        double least = INFINITY, most = -INFINITY, field_mean;

        assert_int_equal(mw_array_new(fp64 ? MW_TYPE_F64 : MW_TYPE_F32, 1, &n, &a), 0);
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < n; i++) {
                double v = mean + width * (uniform() - 0.5);
                if (pass == 0) {
                    if (fp64)
                        ((double *)a.data)[i] = v;
                    else
                        ((float *)a.data)[i] = (float)v;
                }
                v = fp64 ? ((double *)a.data)[i] : ((float *)a.data)[i];
                if (pass == 0)
                    sum += v;
                else
                    squares += (v - sum / n) * (v - sum / n);
                least = v < least ? v : least;
                most = v > most ? v : most;
            }
        assert_int_equal(mw_values_statistics(a.data, fp64, n, &s), 0);
        assert_true(fabs(s.mean - (double)(sum / n)) <= 1e-12 * fabs(mean) + 1e-15);
        assert_true(fabs(s.variance - (double)(squares / n)) <= 1e-9 * (double)(squares / n) + 1e-20);
        assert_true(s.least == least && s.most == most);
        assert_int_equal(mw_field_means(&a, 1, &field_mean), 0);
        assert_memory_equal(&s.mean, &field_mean, sizeof field_mean);
        mw_array_free(&a);
    }
}

enum { BLOCK = 4096 };

/* The sum of a block: lane l of 256 has numbers l, l + 256, ..., and halves of the lanes are added to each other. */
static double block_sum(const double *v, size_t n)
{
    double lane[256] = { 0 };
    for (size_t i = 0; i < n; i++)
        lane[i % 256] += v[i];
    for (size_t half = 128; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++)
            lane[l] += lane[half + l];
    return lane[0];
}

/* The tree of sums by definition: a node of `height` joins two of the height below; a leaf is a block. */
static double tree_sum(const double *v, size_t n, size_t first, unsigned height)
{
    const size_t half = (size_t)1 << height >> 1, at = first * BLOCK;
    double sum;
    if (height == 0)
        sum = block_sum(v + at, n - at < BLOCK ? n - at : BLOCK);
    else
        sum = tree_sum(v, n, first, height - 1);
    if (height > 0 && (first + half) * BLOCK < n)
        sum += tree_sum(v, n, first + half, height - 1);
    return sum;
}

static void sums_follow_the_tree(void **state)
{
    enum { MOST = 40 * BLOCK };
    double *v = malloc(MOST * sizeof *v), *squares = malloc(MOST * sizeof *v);

    assert_true(v != NULL && squares != NULL);
    for (int round = 0; round < 60; round++) {
        const size_t n = round < 40 ? (size_t)round * BLOCK + 1 : 1 + (size_t)rand() % MOST;
        struct mw_statistics s;
        double mean;
        for (size_t i = 0; i < n; i++)
            v[i] = (uniform() - 0.5) * pow(2, rand() % 40);
        assert_int_equal(mw_values_statistics(v, true, n, &s), 0);
        mean = tree_sum(v, n, 0, 6) / (double)n;
        assert_memory_equal(&s.mean, &mean, sizeof mean);
        for (size_t i = 0; i < n; i++)
            squares[i] = (v[i] - mean) * (v[i] - mean);
        assert_true(s.variance == tree_sum(squares, n, 0, 6) / (double)n);
        assert_int_equal(mw_field_means(&(struct mw_array){ .type = MW_TYPE_F64,
                                                            .dims = 1,
                                                            .length = { n },
                                                            .count = n,
                                                            .data = v },
                                        1, &mean),
                         0);
        assert_memory_equal(&s.mean, &mean, sizeof mean);
    }
    free(v);
    free(squares);
}

static void of_nothing_all_is_zero(void **state)
{
    struct mw_statistics s = { 1, 1, 1, 1 };
    double means[2] = { 1, 1 };
    assert_int_equal(mw_field_means(&(struct mw_array){ .type = MW_TYPE_F64, .dims = 1 }, 2, means), 0);
    assert_true(means[0] == 0 && means[1] == 0);
    assert_int_equal(mw_values_statistics(NULL, true, 0, &s), 0);
    assert_true(s.mean == 0 && s.variance == 0 && s.least == 0 && s.most == 0);
    assert_int_equal(mw_values_not_finite(NULL, false, 0), 0);
}

static void the_first_value_that_is_no_number_is_found(void **state)
{
    static const double bad[] = { INFINITY, -INFINITY, NAN };
    enum { N = 5000 };
    static float f[N];
    static double d[N];

    for (size_t i = 0; i < N; i++) {
        f[i] = i % 3 == 0 ? 3.4e38f : -1e-40f;
        d[i] = i % 3 == 0 ? -1.7e308 : 5e-324;
    }
    assert_int_equal(mw_values_not_finite(f, false, N), N);
    assert_int_equal(mw_values_not_finite(d, true, N), N);
    for (int round = 0; round < 500; round++) {
        const size_t at = (size_t)rand() % N, later = at + (size_t)rand() % (N - at);
        const float f_kept[] = { f[at], f[later] };
        const double d_kept[] = { d[at], d[later] };
        f[later] = (float)bad[rand() % 3];
        f[at] = (float)bad[rand() % 3];
        d[later] = bad[rand() % 3];
        d[at] = bad[rand() % 3];
        assert_int_equal(mw_values_not_finite(f, false, N), at);
        assert_int_equal(mw_values_not_finite(d, true, N), at);
        f[later] = f_kept[1];
        f[at] = f_kept[0];
        d[later] = d_kept[1];
        d[at] = d_kept[0];
    }
}

/* The definition: pairs of neighbours, one at a time. */
static double domain_size_of_pairs(const double *v, unsigned dims, const size_t *length,
                                   const enum mw_boundary *boundary)
{
    size_t cells = 1, area = 0, wide = 0;
    for (unsigned d = 0; d < dims; d++)
        cells *= length[d];
    for (unsigned d = 0; d < dims; d++)
        wide += length[d] > 1;
    for (size_t i = 0; i < cells; i++) {
        size_t stride = 1;
        for (unsigned d = 0; d < dims; stride *= length[d++]) {
            const size_t x = i / stride % length[d];
            if (length[d] < 2 || (x + 1 == length[d] && boundary[d] > MW_BOUNDARY_PERIODIC))
                continue;
            const size_t j = x + 1 < length[d] ? i + stride : i - x * stride;
            area += (v[i] < 0) != (v[j] < 0);
        }
    }
    return area > 0 ? (double)wide * (double)cells / (double)area : INFINITY;
}

static void domains_of_random_meshes(void **state)
{
    for (int round = 0; round < 300; round++) {
        const unsigned dims = 1 + (unsigned)rand() % 5;
        const double bias = uniform();
        size_t length[MW_DIMS_MAX] = { 0 }, cells = 1;
        enum mw_boundary boundary[MW_DIMS_MAX] = { 0 };
        double *v, expected;
        float *f;
        for (unsigned d = 0; d < dims; d++) {
            length[d] = 1 + (size_t)rand() % 7;
            boundary[d] = (enum mw_boundary)(rand() % 4);
            cells *= length[d];
        }
        v = malloc(cells * sizeof *v);
        f = malloc(cells * sizeof *f);
        assert_true(v != NULL && f != NULL);
        for (size_t i = 0; i < cells; i++) {
            v[i] = rand() % 9 == 0 ? (rand() % 2 ? 0.0 : -0.0) : uniform() - bias;
            f[i] = (float)v[i];
        }
        expected = domain_size_of_pairs(v, dims, length, boundary);
        assert_true(mw_values_domain_size(v, true, dims, length, boundary) == expected);
        assert_true(mw_values_domain_size(f, false, dims, length, boundary) == expected);
        free(v);
        free(f);
    }
}

static void domains_of_known_shapes(void **state)
{
    const size_t length[] = { 24, 24 };
    float v[24 * 24];
    for (size_t w = 1; w <= 12; w++) {
        if (24 % (2 * w))
            continue;
        for (size_t i = 0; i < 24 * 24; i++) /* a checkerboard of squares of w cells */
            v[i] = (i % 24 / w + i / 24 / w) % 2 ? -1 : 1;
        assert_true(mw_values_domain_size(v, false, 2, length, NULL) == (double)w);
        for (size_t i = 0; i < 24 * 24; i++) /* stripes of w cells: only the lines across them are cut */
            v[i] = i % 24 / w % 2 ? -1 : 1;
        assert_true(mw_values_domain_size(v, false, 2, length, NULL) == 2.0 * (double)w);
        assert_true(mw_values_domain_size(v, false, 1, length, NULL) == (double)w);
    }
    for (size_t i = 0; i < 24 * 24; i++)
        v[i] = 1;
    assert_true(isinf(mw_values_domain_size(v, false, 2, length, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_those_of_the_definition),
        cmocka_unit_test(sums_follow_the_tree),
        cmocka_unit_test(of_nothing_all_is_zero),
        cmocka_unit_test(the_first_value_that_is_no_number_is_found),
        cmocka_unit_test(domains_of_random_meshes),
        cmocka_unit_test(domains_of_known_shapes),
    };

    return cmocka_run_group_tests(tests, new_seed, NULL);
}
/* SPDX-License-Identifier: MIT */

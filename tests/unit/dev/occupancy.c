/* The work-group chosen by rule: within all limits for any device, kernel and range, and reasonable on real devices. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/base.h"

#include <meshwork/tune.h>

#include "tests/check.h"

/* clang-format off */
static const struct mw_device_info nvidia = { .kind = MW_DEVICE_GPU, .compute_units = 132, .max_group = 1024,
    .max_group_dims = { 1024, 1024, 64 }, .local_bytes = 49152 };
static const struct mw_kernel_limits nvidia_kernel = { .size = sizeof nvidia_kernel, .max_group = 1024,
                                                       .group_multiple = 32 };
/* The GTX 280 of the paper's table 2. */
static const struct mw_device_info gtx280 = { .kind = MW_DEVICE_GPU, .compute_units = 30, .max_group = 512,
    .max_group_dims = { 512, 512, 64 }, .local_bytes = 16384 };
static const struct mw_kernel_limits gtx280_kernel = { .size = sizeof gtx280_kernel, .max_group = 512,
                                                       .group_multiple = 32 };
static const struct mw_device_info amd = { .kind = MW_DEVICE_GPU, .compute_units = 64, .max_group = 256,
    .max_group_dims = { 256, 256, 256 }, .local_bytes = 65536 };
static const struct mw_kernel_limits amd_kernel = { .size = sizeof amd_kernel, .max_group = 256, .group_multiple = 64 };
static const struct mw_device_info pocl = { .kind = MW_DEVICE_CPU, .compute_units = 2, .max_group = 4096,
    .max_group_dims = { 4096, 4096, 4096 }, .local_bytes = 524288 };
static const struct mw_kernel_limits pocl_kernel = { .size = sizeof pocl_kernel, .max_group = 4096,
                                                     .group_multiple = 8 };
static const struct mw_device_info llvmpipe = { .kind = MW_DEVICE_CPU, .compute_units = 2, .max_group = 1024,
    .max_group_dims = { 1024, 1024, 1024 }, .local_bytes = 32768 };
static const struct mw_kernel_limits llvmpipe_kernel = { .size = sizeof llvmpipe_kernel, .max_group = 1024,
                                                         .group_multiple = 8 };

static const struct { const struct mw_device_info *device; const struct mw_kernel_limits *kernel; } machines[] = {
    { &nvidia, &nvidia_kernel }, { &gtx280, &gtx280_kernel }, { &amd, &amd_kernel }, { &pocl, &pocl_kernel },
    { &llvmpipe, &llvmpipe_kernel },
};
/* clang-format on */

static struct mw_range choose(const struct mw_device_info *device, const struct mw_kernel_limits *kernel, size_t x,
                              size_t y, size_t z)
{
    struct mw_range range = { .dims = z ? 3 : y ? 2 : 1, .global = { x, y, z }, .group = { 99, 99, 99 } };
    mw_group_by_rule(device, kernel, &range);
    return range;
}

static size_t items(const struct mw_range *range) { return range->group[0] * range->group[1] * range->group[2]; }

static size_t groups(const struct mw_range *range)
{
    size_t n = 1;
    for (unsigned d = 0; d < range->dims; d++)
        n *= (range->global[d] + range->group[d] - 1) / range->group[d];
    return n;
}

static void assert_group(const struct mw_range *range, size_t x, size_t y, size_t z)
{
    if (range->group[0] != x || range->group[1] != y || range->group[2] != z)
        fail_msg("group %zux%zux%zu, expected %zux%zux%zu", range->group[0], range->group[1], range->group[2], x, y, z);
}

/* Each field of a device and a kernel may have any value, including unknown (0). */
static void test_never_beyond_limits(void **state)
{
    static const size_t multiples[] = { 0, 1, 3, 8, 16, 24, 32, 64, 4096 };
    seed_random();
    for (int i = 0; i < 10000; i++) {
        struct mw_device_info device = { .kind = (enum mw_device_kind)random_below(4) };
        struct mw_kernel_limits kernel = { .size = sizeof kernel,
                                           .group_multiple = multiples[random_below(MW_COUNT(multiples))] };
        struct mw_range range = { .dims = 1 + (unsigned)random_below(3) };
        device.compute_units = (unsigned)random_below(200);
        device.max_group = random_below(2) ? (size_t)1 << random_below(17) : random_below(2000);
        device.local_bytes = random_below(3) ? 32768 : 0;
        kernel.max_group = random_below(2) ? (size_t)1 << random_below(17) : random_below(2000);
        kernel.local_bytes = random_below(3) ? random_below(40000) : 0;
        for (unsigned d = 0; d < 3; d++) {
            device.max_group_dims[d] = random_below(2) ? random_below(1025) : 0;
            range.global[d] = random_below(4) ? random_below(2000) : random_below((size_t)1 << 40);
        }
        mw_group_by_rule(&device, &kernel, &range);

        for (unsigned d = 0; d < 3; d++) {
            assert_true(range.group[d] >= 1);
            assert_true(d < range.dims || range.group[d] == 1);
            assert_true(!device.max_group_dims[d] || range.group[d] <= device.max_group_dims[d]);
            assert_true(range.group[d] == 1 || range.group[d] / 2 < range.global[d] ||
                        range.group[d] == kernel.group_multiple);
        }
        assert_true(items(&range) == 1 || !device.max_group || items(&range) <= device.max_group);
        assert_true(items(&range) == 1 || !kernel.max_group || items(&range) <= kernel.max_group);
    }
}

static void test_occupancy_of_listing_1(void **state)
{
    struct mw_kernel_limits kernel = gtx280_kernel;
    /* 32 warps and many blocks: the sizes listed as full are full */
    assert_true(mw_occupancy(&gtx280, &kernel, 512, 10000) == 1.0);
    assert_true(mw_occupancy(&gtx280, &kernel, 256, 10000) == 1.0);
    assert_true(mw_occupancy(&gtx280, &kernel, 128, 10000) == 1.0);
    assert_true(mw_occupancy(&gtx280, &kernel, 384, 10000) == 0.75); /* 2 blocks of 12 warps */
    assert_true(mw_occupancy(&gtx280, &kernel, 32, 10000) == 0.5);   /* limited by the number of blocks */
    assert_true(mw_occupancy(&gtx280, &kernel, 1, 10000) == 16.0 / 1024);
    /* shared memory: 3 blocks fit, then 1 */
    kernel.local_bytes = 5000;
    assert_true(mw_occupancy(&gtx280, &kernel, 256, 10000) == 0.75);
    kernel.local_bytes = 16384;
    assert_true(mw_occupancy(&gtx280, &kernel, 256, 10000) == 0.25);
    kernel.local_bytes = 16385;
    assert_true(mw_occupancy(&gtx280, &kernel, 256, 10000) == 0.0);
    /* registers: 320 items fit at a time */
    kernel =
        (struct mw_kernel_limits){ .size = sizeof(struct mw_kernel_limits), .max_group = 320, .group_multiple = 32 };
    assert_true(mw_occupancy(&gtx280, &kernel, 320, 10000) == 320.0 / 1024);
    assert_true(mw_occupancy(&gtx280, &kernel, 256, 10000) == 256.0 / 1024);
    assert_true(mw_occupancy(&gtx280, &kernel, 64, 10000) == 320.0 / 1024);
    assert_true(mw_occupancy(&gtx280, &kernel, 321, 10000) == 0.0);
    /* too few blocks for the units */
    assert_true(mw_occupancy(&gtx280, &gtx280_kernel, 512, 30) == 0.5);
    assert_true(mw_occupancy(&gtx280, &gtx280_kernel, 512, 15) == 0.25);
    assert_true(mw_occupancy(&gtx280, &gtx280_kernel, 0, 100) == 0.0);
    assert_true(mw_occupancy(&gtx280, &gtx280_kernel, 64, 0) == 0.0);
}

static void test_occupancy_of_cpu(void **state)
{
    assert_true(mw_occupancy(&pocl, &pocl_kernel, 8, 1) == 0.5);
    assert_true(mw_occupancy(&pocl, &pocl_kernel, 8, 2) == 1.0);
    assert_true(mw_occupancy(&pocl, &pocl_kernel, 4096, 1000) == 1.0);
    assert_true(mw_occupancy(&pocl, &pocl_kernel, 4097, 1000) == 0.0);
}

static void test_large_ranges(void **state)
{
    struct mw_range r;
    for (size_t m = 0; m < MW_COUNT(machines); m++) {
        const struct mw_device_info *device = machines[m].device;
        size_t expected = device->max_group < 256 ? device->max_group : 256;
        r = choose(device, machines[m].kernel, 1 << 24, 0, 0);
        assert_group(&r, expected, 1, 1);
        r = choose(device, machines[m].kernel, 2048, 2048, 0);
        assert_group(&r, expected, 1, 1);
        r = choose(device, machines[m].kernel, 256, 256, 256);
        assert_group(&r, expected, 1, 1);
        r = choose(device, machines[m].kernel, 64, 1 << 20, 0);
        assert_group(&r, 64, expected / 64, 1);
        r = choose(device, machines[m].kernel, 1000003, 0, 0); /* prime */
        assert_group(&r, expected, 1, 1);
    }
}

/* A prime number of columns: little padding, and neighbours stay together. */
static void test_prime_rows(void **state)
{
    for (size_t m = 0; m < MW_COUNT(machines); m++) {
        size_t warp = machines[m].kernel->group_multiple;
        struct mw_range r = choose(machines[m].device, machines[m].kernel, 257, 4093, 0);
        size_t padded = (257 + r.group[0] - 1) / r.group[0] * r.group[0];
        assert_true(r.group[0] >= warp && r.group[0] % warp == 0);
        assert_true(padded <= 257 + warp);
        assert_true(items(&r) >= 128);
    }
}

/* With a small range all units get work before groups grow.  A CPU unit gets at least three groups, where four would
 * leave warps partly empty. */
static void test_small_ranges(void **state)
{
    struct mw_range r;
    r = choose(&nvidia, &nvidia_kernel, 64, 64, 0);
    assert_int_equal(items(&r), 32);
    assert_int_equal(groups(&r), 128);
    r = choose(&nvidia, &nvidia_kernel, 132 * 2048, 0, 0);
    assert_group(&r, 256, 1, 1);
    r = choose(&nvidia, &nvidia_kernel, 5, 0, 0);
    assert_group(&r, 8, 1, 1);
    r = choose(&pocl, &pocl_kernel, 64, 0, 0);
    assert_group(&r, 8, 1, 1);
    r = choose(&pocl, &pocl_kernel, 128, 0, 0);
    assert_group(&r, 16, 1, 1);
    for (size_t n = 8; n <= 4096; n++) {
        r = choose(&pocl, &pocl_kernel, n, 0, 0);
        if (groups(&r) < 6)
            fail_msg("%zu items in only %zu groups of %zu", n, groups(&r), r.group[0]);
        r = choose(&llvmpipe, &llvmpipe_kernel, 16, n, 0);
        if (groups(&r) < 6)
            fail_msg("16x%zu items in only %zu groups of %zux%zu", n, groups(&r), r.group[0], r.group[1]);
    }
    r = choose(&pocl, &pocl_kernel, 1, 0, 0);
    assert_group(&r, 1, 1, 1);
    r = choose(&amd, &amd_kernel, 1, 1, 1);
    assert_group(&r, 1, 1, 1);
}

static void test_degenerate(void **state)
{
    const struct mw_device_info unknown = { .kind = MW_DEVICE_GPU };
    const struct mw_device_info native = { .kind = MW_DEVICE_NATIVE, .max_group = 1 << 20, .compute_units = 8 };
    const struct mw_kernel_limits nothing = MW_INIT(nothing);
    struct mw_kernel_limits greedy = nvidia_kernel;
    struct mw_range r;
    r = choose(&unknown, &nothing, 1000, 1000, 0);
    assert_group(&r, 1, 1, 1);
    r = choose(&native, &nvidia_kernel, 1000, 1000, 1000);
    assert_group(&r, 1, 1, 1);
    r = (struct mw_range){ .dims = 2, .global = { 0, 100 }, .group = { 0, 0, 0 } };
    mw_group_by_rule(&nvidia, &nvidia_kernel, &r);
    assert_group(&r, 1, 1, 1);
    r = choose(&nvidia, &nvidia_kernel, SIZE_MAX, SIZE_MAX, SIZE_MAX);
    assert_int_equal(items(&r), 256);
    greedy.local_bytes = 1 << 20; /* more than available: the launch will report it */
    r = choose(&nvidia, &greedy, 4096, 0, 0);
    assert_in_range(items(&r), 1, 256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_beyond_limits), cmocka_unit_test(test_occupancy_of_listing_1),
        cmocka_unit_test(test_occupancy_of_cpu),    cmocka_unit_test(test_large_ranges),
        cmocka_unit_test(test_prime_rows),          cmocka_unit_test(test_small_ranges),
        cmocka_unit_test(test_degenerate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

/* How many devices take part in calls on graphs: GPUs of the size of an H100, and CPUs that share cores. */
#include "graph/targets/targets.h"

#include "dev/core/backend.h"
#include "dev/host/host.h"
#include "tests/check.h"

static const struct mw_device_traits of_gpu, of_cpu = { .has_cores = true };

static struct mw_device gpu(void) { return (struct mw_device){ .info = { .compute_units = 132, .traits = &of_gpu } }; }

static struct mw_device cpu(void)
{
    return (struct mw_device){ .info = { .compute_units = mw_core_count(), .traits = &of_cpu } };
}

static size_t of_two(struct mw_device a, struct mw_device b, const struct mw_worth *work)
{
    struct mw_device *const devices[] = { &a, &b };
    return mw_devices_worth(devices, 2, work);
}

/* Two H100s, R-MAT graphs with 2^20 vertices and 2^25 arcs, small worlds with 200,000 vertices and 10^7 arcs. */
static void gpus_take_part_in_large_tasks(void **unused)
{
    const double n = 1 << 20, arcs = 1 << 25, visits = 3 * (2e5 + 1e7);
    const struct mw_worth components = { "components", arcs / 8, n, 1, 4 * n, 0 },
                          paths = { "paths", 8 * visits, 0, 0, 0, 8 }, few_paths = { "paths", visits, 0, 0, 0, 1 },
                          ranks = { "ranks", 40 * (arcs + n), 0, 40, 40 * 8 * n, 0 },
                          triangles = { "triangles", 6.5e10 / 2048, arcs, 2, 0.3 * arcs, 0 };
    assert_int_equal(of_two(gpu(), gpu(), &components), 1); /* 0.4 ms on one */
    assert_int_equal(of_two(gpu(), gpu(), &paths), 2);      /* 19 ms */
    assert_int_equal(of_two(gpu(), gpu(), &few_paths), 1);  /* one search */
    assert_int_equal(of_two(gpu(), gpu(), &triangles), 1);  /* 5 ms, half of it for lists */
    assert_int_equal(of_two(gpu(), gpu(), &ranks), 1);      /* each round goes through the host */
}

static void slow_devices_are_left_out(void **unused)
{
    const struct mw_worth shared = { "ranks", 1e9, 0, 1, 8, 0 }, dealt = { "paths", 1e9, 0, 0, 0, 8 },
                          finely_dealt = { "paths", 1e9, 0, 0, 0, 1000000 };
    struct mw_device slow = gpu();
    slow.info.compute_units = 40;
    assert_int_equal(of_two(gpu(), slow, &shared), 1);
    assert_int_equal(of_two(gpu(), slow, &dealt), 1); /* its only batch would take longer than all on the other */
    assert_int_equal(of_two(gpu(), slow, &finely_dealt), 2);
}

static void cpus_share_the_cores(void **unused)
{
    const struct mw_worth work = { "ranks", 1e9, 0, 0, 0, 0 };
    struct mw_device half = cpu();
    assert_int_equal(of_two(cpu(), cpu(), &work), 1);
    half.info.compute_units /= 2;
    if (mw_core_count() % 2 == 0)
        assert_int_equal(of_two(half, half, &work), 2);
}

static void all_take_part_if_asked(void **unused)
{
    const struct mw_worth work = { "ranks", 1, 0, 1, 1, 1 };
    assert_int_equal(setenv("MESHWORK_ALL_DEVICES", "1", 1), 0);
    assert_true(mw_devices_all());
    assert_int_equal(of_two(gpu(), cpu(), &work), 2);
    assert_int_equal(unsetenv("MESHWORK_ALL_DEVICES"), 0);
    assert_false(mw_devices_all());
    assert_int_equal(of_two(gpu(), cpu(), &work), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_take_part_in_large_tasks),
        cmocka_unit_test(slow_devices_are_left_out),
        cmocka_unit_test(cpus_share_the_cores),
        cmocka_unit_test(all_take_part_if_asked),
    };
    unsetenv("MESHWORK_ALL_DEVICES");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

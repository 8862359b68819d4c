/* Selectors on artificial machines, and listing of each piece of hardware once. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/core/backend.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* clang-format off */
static const struct mw_device_info machine[] = {
    { .id = "opencl:0.0", .name = "pthread-AMD EPYC", .kind = MW_DEVICE_CPU,
      .platform = "Portable Computing Language" },
    { .id = "opencl:1.0", .name = "GeForce RTX 3070", .kind = MW_DEVICE_GPU, .platform = "NVIDIA CUDA",
      .uuid = "0123456789abcdef0123456789abcdef", .pci = "0000:01:00.0" },
    { .id = "opencl:1.1", .name = "GeForce GTX 1080", .kind = MW_DEVICE_GPU, .platform = "NVIDIA CUDA",
      .uuid = "ffffffffffffffffffffffffffffffff", .pci = "0001:02:00.0" },
    { .id = "opencl:2.0", .name = "FPGA board", .kind = MW_DEVICE_ACCELERATOR, .platform = "Boards" },
    { .id = "native:tbb", .name = "AMD EPYC", .kind = MW_DEVICE_NATIVE, .platform = "TBB" },
    { .id = "native:pthreads", .name = "AMD EPYC", .kind = MW_DEVICE_NATIVE, .platform = "threads" },
    { .id = "native:serial", .name = "AMD EPYC", .kind = MW_DEVICE_NATIVE, .platform = "one thread" },
};
/* clang-format on */
enum { CPU, GPU, GPU_2, FPGA, TBB, PTHREADS, SERIAL, COUNT };

/* Makes a list of the devices with a set bit. */
static struct mw_device_list *list_of(unsigned bits)
{
    struct mw_device_list *list = NULL;
    assert_int_equal(mw_device_list_empty(&list), 0);
    for (size_t i = 0; i < COUNT; i++) {
        if (bits & 1u << i)
            assert_int_equal(mw_device_list_add(list, mw_backends[0], &machine[i], NULL), 0);
    }
    return list;
}

static const struct {
    const char *selector;
    size_t count, chosen[COUNT];
} good[] = {
    { NULL, 1, { GPU } },
    { "", 1, { GPU } },
    { "gpu", 1, { GPU } },
    { "GPU", 1, { GPU } },
    { "cpu", 1, { CPU } },
    { "accelerator", 1, { FPGA } },
    { "native", 1, { PTHREADS } },
    { "native:serial", 1, { SERIAL } },
    { "all", 5, { CPU, GPU, GPU_2, FPGA, PTHREADS } },
    { "0", 1, { CPU } },
    { "6", 1, { SERIAL } },
    { "2,0", 2, { GPU_2, CPU } },
    { "opencl:1.1", 1, { GPU_2 } },
    { "OpenCL:1.1", 1, { GPU_2 } },
    { "pci:0000:01:00.0", 1, { GPU } },
    { "pci:01:00.0", 1, { GPU } },
    { "pci:0001:02:00.0", 1, { GPU_2 } },
    { "uuid:0123456789ABCDEF0123456789abcdef", 1, { GPU } },
    { "uuid:GPU-ffffffff-ffff-ffff-ffff-ffffffffffff", 1, { GPU_2 } },
    { "gtx", 1, { GPU_2 } },
    { "geforce", 1, { GPU } },
    { "RTX 3070", 1, { GPU } },
    { "portable", 1, { CPU } },
    { "opencl", 1, { CPU } },
    { "pthreads", 1, { PTHREADS } },
    { "tbb", 1, { TBB } },
    { "epyc", 1, { CPU } },
    { "gpu,gpu", 1, { GPU } },
    { "gpu,1,opencl:1.0,geforce,cpu", 2, { GPU, CPU } },
    { "cpu,all", 5, { CPU, GPU, GPU_2, FPGA, PTHREADS } },
    { "all,native:serial", 6, { CPU, GPU, GPU_2, FPGA, PTHREADS, SERIAL } },
    { " gpu , cpu ", 2, { GPU, CPU } },
};

static void selectors_choose(void **state)
{
    struct mw_device_list *list = list_of(~0u);
    for (size_t i = 0; i < MW_COUNT(good); i++) {
        size_t chosen[COUNT] = { 0 }, count = 0;
        if (mw_device_select(list, good[i].selector, COUNT, chosen, &count) != 0)
            fail_msg("'%s': %s", good[i].selector, mw_errmsg());
        if (count != good[i].count || memcmp(chosen, good[i].chosen, count * sizeof(*chosen)) != 0)
            fail_msg("'%s': %zu devices, first %zu", good[i].selector, count, chosen[0]);
    }
    mw_device_list_free(list);
}

/* clang-format off */
static const struct { const char *selector; int status; const char *words; } bad[] = {
    { "xyz", MW_ENODEV, "'xyz'" }, { "7", MW_ENODEV, "'7'" }, { "307", MW_ENODEV, "'307'" },
    { "99999999999999999999999", MW_ENODEV, "native:serial" }, { "-1", MW_ENODEV, "'-1'" },
#ifdef HAVE_OPENCL /* otherwise it is part of a name */
    { "opencl:1", MW_ENODEV, "'opencl:1'" },
#endif
    { "opencl:9.9", MW_ENODEV, "opencl:1.1 (GeForce GTX 1080)" },
    { "native:cuda", MW_ENODEV, "'native:cuda'" }, { "pci:", MW_ENODEV, "'pci:'" },
    { "pci:02:00.0", MW_ENODEV, "pci:02:00.0" }, { "uuid:", MW_ENODEV, "'uuid:'" },
    { "uuid:0123", MW_ENODEV, "'uuid:0123'" }, { "uuid:GPU-", MW_ENODEV, "uuid:GPU-" },
    { ",", MW_EINVAL, "empty" }, { "gpu,", MW_EINVAL, "'gpu,'" }, { ",gpu", MW_EINVAL, "empty" },
    { "gpu,,cpu", MW_EINVAL, "empty" }, { " ", MW_EINVAL, "empty" }, { "gpu,nothing", MW_ENODEV, "'nothing'" },
};
/* clang-format on */

static void wrong_selectors_are_refused(void **state)
{
    struct mw_device_list *list = list_of(~0u);
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        size_t chosen[COUNT], count = 77;
        int rc = mw_device_select(list, bad[i].selector, COUNT, chosen, &count);
        if (rc != bad[i].status || count != 77 || !strstr(mw_errmsg(), bad[i].words))
            fail_msg("'%s': %d, %s", bad[i].selector, rc, mw_errmsg());
    }
    char longest[400];
    size_t chosen[1], count;
    memset(longest, 'x', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    assert_int_equal(mw_device_select(list, longest, 1, chosen, &count), MW_ENODEV);
    mw_device_list_free(list);
}

static void without_a_wish_threads_come_before_a_cpu_driver(void **state)
{
    static const struct {
        unsigned bits;
        size_t expected;
    } cases[] = {
        { ~0u, GPU },
        { 1u << CPU | 1u << GPU_2 | 1u << SERIAL, GPU_2 },
        { 1u << CPU | 1u << FPGA | 1u << SERIAL, FPGA },
        { 1u << CPU | 1u << TBB | 1u << PTHREADS | 1u << SERIAL, PTHREADS },
        { 1u << CPU | 1u << SERIAL, SERIAL },
        { 1u << CPU, CPU },
        { 1u << SERIAL, SERIAL },
    };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_device_list *list = list_of(cases[i].bits);
        size_t chosen, count;
        assert_int_equal(mw_device_select(list, NULL, 1, &chosen, &count), 0);
        assert_int_equal(count, 1);
        assert_string_equal(mw_device_list_info(list, chosen)->id, machine[cases[i].expected].id);
        mw_device_list_free(list);
    }
    struct mw_device_list *nothing = list_of(0);
    size_t chosen, count;
    assert_int_equal(mw_device_select(nothing, NULL, 1, &chosen, &count), MW_ENODEV);
    assert_int_equal(mw_device_select(nothing, "all", 1, &chosen, &count), MW_ENODEV);
    mw_device_list_free(nothing);
}

static void no_more_are_written_than_fit(void **state)
{
    struct mw_device_list *list = list_of(~0u);
    size_t chosen[3] = { 99, 99, 99 }, count = 0;
    assert_int_equal(mw_device_select(list, "all", 2, chosen, &count), 0);
    assert_int_equal(count, 2);
    assert_int_equal(chosen[0], CPU);
    assert_int_equal(chosen[1], GPU);
    assert_int_equal(chosen[2], 99);
    mw_device_list_free(list);
}

static void hardware_is_listed_once(void **state)
{
    static const struct mw_device_info infos[] = {
        { .id = "opencl:0.0", .name = "a", .uuid = "aa", .pci = "0000:01:00.0" },
        { .id = "opencl:0.1", .name = "b", .uuid = "bb", .pci = "0000:01:00.0" }, /* a part of one card: its own UUID */
        { .id = "opencl:0.2", .name = "c", .uuid = "aa" },                        /* within one platform: as reported */
        { .id = "opencl:1.0", .name = "d", .uuid = "aa", .pci = "0000:09:00.0" }, /* by UUID the first */
        { .id = "opencl:1.1", .name = "e", .pci = "0000:01:00.0" },               /* by address */
        { .id = "opencl:1.2", .name = "f" },
        { .id = "opencl:10.0", .name = "g" },                                     /* nothing known: another one */
        { .id = "opencl:2.0", .name = "h", .uuid = "cc", .pci = "0000:01:00.0" }, /* another UUID takes precedence */
    };
    static const char *const expected[] = { "opencl:0.0", "opencl:0.1",  "opencl:0.2",
                                            "opencl:1.2", "opencl:10.0", "opencl:2.0" };
    struct mw_device_list *list = list_of(0);
    assert_string_equal(mw_device_list_notes(list), "");
    for (size_t i = 0; i < MW_COUNT(infos); i++)
        assert_int_equal(mw_device_list_add(list, mw_backends[0], &infos[i], NULL), 0);
    assert_int_equal(mw_device_list_count(list), MW_COUNT(expected));
    for (size_t i = 0; i < MW_COUNT(expected); i++)
        assert_string_equal(mw_device_list_info(list, i)->id, expected[i]);
    assert_null(mw_device_list_info(list, MW_COUNT(expected)));
    assert_non_null(strstr(mw_device_list_notes(list), "opencl:1.0 (d)"));
    assert_non_null(strstr(mw_device_list_notes(list), "\nopencl:1.1 (e)"));
    mw_device_list_free(list);
    mw_device_list_free(NULL);
}

/* A device of two backends is listed once, at its first place, and found by both ids. */
static void hardware_of_two_backends_has_two_ids(void **state)
{
    static const struct mw_device_info infos[] = {
        { .id = "opencl:0.0", .name = "a", .uuid = "aa", .kind = MW_DEVICE_GPU },
        { .id = "opencl:0.1", .name = "b", .uuid = "bb", .kind = MW_DEVICE_GPU },
        { .id = "other:0", .name = "b", .uuid = "bb", .kind = MW_DEVICE_GPU },
        { .id = "other:1", .name = "c", .uuid = "cc", .kind = MW_DEVICE_GPU },
        { .id = "other:2", .name = "b", .uuid = "bb", .kind = MW_DEVICE_GPU },
    };
    for (int preferred = 0; preferred < 2; preferred++) {
        const struct mw_backend one = { .name = "opencl", .priority = 1 },
                                other = { .name = "other", .priority = 1 + preferred };
        struct mw_device_list *list = list_of(0);
        size_t chosen[8], count;
        for (size_t i = 0; i < MW_COUNT(infos); i++)
            assert_int_equal(mw_device_list_add(list, infos[i].id[1] == 'p' ? &one : &other, &infos[i], NULL), 0);
        assert_int_equal(mw_device_list_count(list), 3);
        assert_string_equal(mw_device_list_info(list, 1)->id, infos[preferred ? 2 : 1].id);
        assert_string_equal(mw_device_list_info(list, 1)->also, infos[preferred ? 1 : 2].id);
        assert_string_equal(mw_device_list_info(list, 1)->backend, preferred ? "other" : "opencl");
        assert_string_equal(mw_device_list_info(list, 2)->also, "");
        for (size_t i = 1; i < 3; i++) {
            assert_int_equal(mw_device_select(list, infos[i].id, 8, chosen, &count), 0);
            assert_string_equal(mw_device_list_info(list, chosen[0])->id, infos[i].id);
            assert_ptr_equal(mw_device_listed(list, chosen[0])->backend, i == 1 ? &one : &other);
        }
        assert_int_equal(mw_device_select(list, "all", 8, chosen, &count), 0);
        assert_int_equal(count, 3);
        assert_int_equal(mw_device_select(list, "uuid:bb", 8, chosen, &count), 0);
        assert_int_equal(chosen[0], 1);
        assert_int_equal(mw_device_select(list, "3", 8, chosen, &count), MW_ENODEV);
        assert_null(mw_device_list_info(list, 4));
        assert_non_null(strstr(mw_device_list_notes(list), "other:2 (b)"));
        mw_device_list_free(list);
    }
}

static int forks;

static void count_fork(void) { forks++; }

/* Drivers set variables of their own, so the test checks only ours. */
static void listing_changes_nothing_unless_asked(void **state)
{
    static const char *const ours[] = { "POCL_CACHE_DIR", "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT" };
    struct mw_device_list *list = NULL;
    struct stat before, after;
    for (size_t i = 0; i < MW_COUNT(ours); i++)
        unsetenv(ours[i]);
    assert_int_equal(fstat(STDERR_FILENO, &before), 0);
    assert_int_equal(pthread_atfork(count_fork, NULL, NULL), 0);
    assert_int_equal(mw_device_list_new(&list), 0);
    mw_device_list_free(list);
    assert_int_equal(forks, 0);
    for (size_t i = 0; i < MW_COUNT(ours); i++)
        assert_null(getenv(ours[i]));
    assert_int_equal(fstat(STDERR_FILENO, &after), 0);
    assert_true(before.st_dev == after.st_dev && before.st_ino == after.st_ino);
#ifdef HAVE_OPENCL
    setenv(ours[2], "1", 1);
    mw_process_prepare(MW_PROCESS_ENVIRONMENT);
    assert_int_equal(mw_device_list_new(&list), 0);
    mw_device_list_free(list);
    assert_non_null(getenv(ours[0]));
    assert_non_null(getenv(ours[1]));
    assert_string_equal(getenv(ours[2]), "1"); /* user settings are kept */
#endif
}

static void drivers_have_their_traits(void **state)
{
    /* clang-format off */
    static const struct { struct mw_device_info info; struct mw_device_traits traits; } cases[] = {
        { { .kind = MW_DEVICE_NATIVE }, { .has_cores = true } },
        { { .kind = MW_DEVICE_CPU, .vector_width = 8, .platform = "Intel(R) OpenCL" }, { .has_cores = true } },
        { { .kind = MW_DEVICE_CPU, .vector_width = 16, .platform = "Portable Computing Language" },
          { .has_cores = true, .links_with_ld = true } },
        { { .kind = MW_DEVICE_CPU, .vector_width = 1, .platform = "Oclgrind", .name = "Oclgrind Simulator" },
          { .strict_atomics = true, .one_thread = true } },
        { { .kind = MW_DEVICE_GPU, .vector_width = 1, .name = "Oclgrind Simulator" },
          { .strict_atomics = true, .one_thread = true } },
        { { .kind = MW_DEVICE_CPU, .vector_width = 1, .platform = "rusticl",
            .name = "llvmpipe (LLVM 15.0.6, 256 bits)", .local_bytes = 32768 },
          { .items_are_lanes = true, .lanes_load_alone = true, .keeps_copies = true,
            .forgets_flushed = true, .counts_local_twice = true,
            .loop_rounds = 60000, .copy_lanes = 8, .unrolled_dims = 2 } },
        { { .kind = MW_DEVICE_GPU, .vector_width = 1, .platform = "rusticl", .name = "AMD Radeon (radeonsi)" },
          { .items_are_lanes = true, .keeps_copies = true, .forgets_flushed = true, .counts_local_twice = true,
            .loop_rounds = 60000 } },
        { { .kind = MW_DEVICE_GPU, .vector_width = 1, .platform = "NVIDIA CUDA", .local_bytes = 49152 },
          { .items_are_lanes = true, .groups_progress = true } },
        { { .kind = MW_DEVICE_CPU, .vector_width = 8, .platform = "AMD Accelerated Parallel Processing" },
          { .has_cores = true } },
        { { .kind = MW_DEVICE_GPU, .vector_width = 1, .platform = "AMD Accelerated Parallel Processing" },
          { .items_are_lanes = true } },
    };
    /* clang-format on */
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_device_info info = cases[i].info;
        mw_traits_detect(&info);
        const struct mw_device_traits *t = info.traits, *expected = &cases[i].traits;
        assert_true(t->has_cores == expected->has_cores && t->items_are_lanes == expected->items_are_lanes);
        assert_true(t->strict_atomics == expected->strict_atomics && t->links_with_ld == expected->links_with_ld);
        assert_true(t->one_thread == expected->one_thread && t->groups_progress == expected->groups_progress);
        assert_true(t->keeps_copies == expected->keeps_copies && t->forgets_flushed == expected->forgets_flushed);
        assert_true(t->loop_rounds == expected->loop_rounds && t->copy_lanes == expected->copy_lanes);
        assert_true(t->counts_local_twice == expected->counts_local_twice);
        assert_true(t->lanes_load_alone == expected->lanes_load_alone);
        assert_int_equal(t->unrolled_dims, expected->unrolled_dims);
        assert_true(info.cores == expected->has_cores && !info.calls == !expected->links_with_ld);
        assert_true(info.in_host_memory == (info.kind >= MW_DEVICE_CPU && !expected->items_are_lanes));
        assert_true(info.local_bytes == cases[i].info.local_bytes / (t->counts_local_twice ? 2 : 1));
    }
    assert_non_null(strstr(mw_traits_remedy("rusticl"), "RUSTICL_ENABLE"));
    assert_null(mw_traits_remedy("Clover"));
}

/* The native executors are found without loading any driver. */
static void native_devices_open_by_name(void **state)
{
    static const char *const names[] = { "native:serial", "native" }, *const ids[] = { "native:serial",
                                                                                       "native:pthreads" };
    struct mw_device *device = NULL;
    unsetenv("POCL_CACHE_DIR");
    mw_process_prepare(MW_PROCESS_ENVIRONMENT);
    for (size_t i = 0; i < MW_COUNT(names); i++) {
        assert_int_equal(mw_device_open_by_name(names[i], NULL, &device), 0);
        assert_string_equal(mw_device_info(device)->id, ids[i]);
        mw_device_close(device);
    }
    struct mw_device_list *native = NULL;
    assert_int_equal(mw_device_list_for(" native:serial,NATIVE ", &native), 0);
    assert_int_equal(mw_device_list_info(native, 0)->kind, MW_DEVICE_NATIVE);
    mw_device_list_free(native);
    assert_null(getenv("POCL_CACHE_DIR")); /* set before the first call of a driver */
    device = NULL;
    assert_int_equal(mw_device_open_by_name("native:serial,native:pthreads", NULL, &device), MW_EINVAL);
    struct mw_device_list *all = NULL;
    char last[40];
    assert_int_equal(mw_device_list_new(&all), 0);
    const size_t count = mw_device_list_count(all);
    snprintf(last, sizeof(last), "%zu: %s", count - 1, mw_device_list_info(all, count - 1)->id);
    mw_device_list_free(all);
    assert_int_equal(mw_device_open_by_name("native:nonsense", NULL, &device), MW_ENODEV);
    assert_non_null(strstr(mw_errmsg(), last)); /* under its index among all devices */
    assert_null(device);
    mw_device_close(NULL);
}

/* The errors documented in the header except MW_EDEVICE, which needs a driver: tests/fault/drivers.sh. */
static void wrong_openings_are_refused(void **state)
{
    const struct mw_device_options many = { .size = sizeof many, .threads = MW_THREADS_MAX + 1 };
    struct {
        struct mw_device_options known;
        long later;
    } future = { { .size = sizeof(future) }, 1 };
    struct mw_device_list *list = NULL;
    struct mw_device *device = NULL;
    assert_int_equal(mw_device_list_for("native", &list), 0);
    assert_int_equal(mw_device_open(list, 99, NULL, &device), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "99"));
    assert_int_equal(mw_device_open(list, 0, &many, &device), MW_ELIMIT);
    assert_int_equal(mw_device_open(list, 0, &future.known, &device), MW_ENOTSUP);
    setenv("MESHWORK_THREADS", "two", 1);
    assert_int_equal(mw_device_open(list, 0, NULL, &device), MW_EINVAL);
    unsetenv("MESHWORK_THREADS");
    assert_null(device);
    mw_device_list_free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selectors_choose),
        cmocka_unit_test(wrong_selectors_are_refused),
        cmocka_unit_test(without_a_wish_threads_come_before_a_cpu_driver),
        cmocka_unit_test(no_more_are_written_than_fit),
        cmocka_unit_test(hardware_is_listed_once),
        cmocka_unit_test(hardware_of_two_backends_has_two_ids),
        cmocka_unit_test(drivers_have_their_traits),
        cmocka_unit_test(listing_changes_nothing_unless_asked),
        cmocka_unit_test(native_devices_open_by_name),
        cmocka_unit_test(wrong_openings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

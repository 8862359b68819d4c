/* Concurrent groups per NVIDIA multiprocessor by registers: from build logs, and from the CUDA driver. */
#include <stdlib.h>
#include <string.h>

#include "cl/cuda.clh"
#include "dev/kernel_set.h"
#include "dev/core/registers.h"

#include "tests/check.h"

static void build_logs_are_read(void **unused)
{
    static const struct {
        const char *log, *told;
    } cases[] = {
        { "", "" },
        { "<kernel>:3:1: warning: Used 3 registers\n", "" },
        { "ptxas info    : Compiling entry function 'field_steps' for 'sm_90a'\n", "" },
        { "(): Warning: Function a is a kernel\n\nptxas info    : 0 bytes gmem\n"
          "ptxas info    : Compiling entry function 'a' for 'sm_90a'\nptxas info    : Function properties for a\n"
          "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
          "ptxas info    : Used 128 registers, used 1 barriers, 8196 bytes smem\n"
          "ptxas info    : Compile time = 18.522 ms\n"
          "ptxas info    : Compiling entry function 'a_b' for 'sm_90a'\nptxas info    : Used 40 registers",
          "a 128\na_b 40\n" },
        { "ptxas info    : Compiling entry function 'a", "" },
        { "ptxas info    : Compiling entry function 'a' for\nptxas info    : Used\nptxas info    : Used 7 registers\n"
          "ptxas info    : Used 8 registers\n",
          "a 7\n" },
    };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        char *told = NULL;
        OK(mw_registers_read(cases[i].log, &told));
        assert_string_equal(told, cases[i].told);
        free(told);
    }
}

static void kernels_are_found_by_name(void **unused)
{
    static const char told[] = "a_b 40\na 128\nb 7\n";
    assert_int_equal(mw_registers_of(told, "a"), 128);
    assert_int_equal(mw_registers_of(told, "a_b"), 40);
    assert_int_equal(mw_registers_of(told, "b"), 7);
    assert_int_equal(mw_registers_of(told, "a_"), 0);
    assert_int_equal(mw_registers_of(told, "c"), 0);
    assert_int_equal(mw_registers_of("", "a"), 0);
}

static void capabilities_stand_in_for_later_ones(void **unused)
{
    assert_null(mw_unit_room(61));
    assert_int_equal(mw_unit_room(70)->capability, 70);
    assert_int_equal(mw_unit_room(72)->capability, 70);
    assert_int_equal(mw_unit_room(90)->capability, 90);
    assert_int_equal(mw_unit_room(103)->capability, 90);
    assert_int_equal(mw_unit_room(999)->capability, 120);
}

static void kernels_know_the_same_items(void **unused)
{
    for (int capability = 70; capability < 130; capability++)
        assert_int_equal(MW_UNIT_ITEMS(10 * capability), MW_WARP * mw_unit_room(capability)->warps);
}

/* Results of cuOccupancyMaxActiveBlocksPerMultiprocessor on an H100. */
static void groups_are_those_that_cuda_counts(void **unused)
{
    static const struct {
        unsigned registers, local;
        size_t items;
        unsigned groups;
    } cases[] = {
        { 14, 0, 32, 32 },      { 32, 0, 256, 8 },     { 32, 0, 1024, 2 },     { 20, 16384, 128, 13 },
        { 24, 8192, 64, 25 },   { 32, 7184, 32, 28 },  { 32, 18564, 128, 11 }, { 40, 19208, 1024, 1 },
        { 40, 19208, 256, 6 },  { 40, 19208, 32, 11 }, { 48, 0, 1024, 1 },     { 48, 0, 512, 2 },
        { 48, 0, 256, 5 },      { 48, 0, 128, 10 },    { 96, 44032, 512, 1 },  { 96, 44032, 128, 5 },
        { 168, 44032, 128, 3 }, { 168, 44032, 32, 5 },
    };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_kernel_limits limits = { .size = sizeof limits, .max_group = 1024 };
        mw_registers_limit(mw_unit_room(90), cases[i].registers, cases[i].local, &limits);
        if (mw_resident_groups(&limits, cases[i].items) != cases[i].groups)
            fail_msg("%u registers, %u bytes, %zu items: %zu groups, not %u", cases[i].registers, cases[i].local,
                     cases[i].items, mw_resident_groups(&limits, cases[i].items), cases[i].groups);
    }
}

/* Computed by hand by the rules of NVIDIA's occupancy calculator: each scheduler's warps share 512 registers per lane
 * in units of eight.  Before capability 8.0 local memory is allocated in units of 256 bytes. */
static void groups_of_other_units(void **unused)
{
    assert_int_equal(mw_unit_groups(mw_unit_room(75), 32, 0, 256), 4);
    assert_int_equal(mw_unit_groups(mw_unit_room(75), 16, 0, 32), 16);
    assert_int_equal(mw_unit_groups(mw_unit_room(75), 32, 6500, 32), 9);
    assert_int_equal(mw_unit_groups(mw_unit_room(86), 40, 0, 256), 6);
    assert_int_equal(mw_unit_groups(mw_unit_room(86), 33, 0, 1024), 1);
    assert_int_equal(mw_unit_groups(mw_unit_room(86), 255, 0, 64), 4);
    assert_int_equal(mw_unit_groups(mw_unit_room(89), 16, 0, 32), 24);
    assert_int_equal(mw_unit_groups(mw_unit_room(90), 64, 8192, 64), 16);
    assert_int_equal(mw_unit_groups(mw_unit_room(90), 16, 8192, 32), 25);
    assert_int_equal(mw_unit_groups(mw_unit_room(90), 16, 8196, 32), 24);
    assert_int_equal(mw_unit_groups(mw_unit_room(90), 600, 0, 1024), 0);
}

static void nothing_is_known_without_registers(void **unused)
{
    struct mw_kernel_limits limits = { .size = sizeof limits, .max_group = 96, .resident_groups = { 1, 2, 3 } };
    mw_registers_limit(mw_unit_room(90), 0, 0, &limits);
    for (size_t i = 0; i < MW_COUNT(limits.resident_groups); i++)
        assert_int_equal(limits.resident_groups[i], 0);
    mw_registers_limit(mw_unit_room(90), 1u << 31, 0, &limits);
    assert_int_equal(limits.resident_groups[0], 0);
    /* The last size is the largest group itself. */
    mw_registers_limit(mw_unit_room(90), 32, 0, &limits);
    assert_int_equal(limits.resident_groups[6], 32);
    assert_int_equal(limits.resident_groups[7], 21);
    assert_int_equal(limits.resident_groups[8], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(build_logs_are_read),
        cmocka_unit_test(kernels_are_found_by_name),
        cmocka_unit_test(capabilities_stand_in_for_later_ones),
        cmocka_unit_test(kernels_know_the_same_items),
        cmocka_unit_test(groups_are_those_that_cuda_counts),
        cmocka_unit_test(groups_of_other_units),
        cmocka_unit_test(nothing_is_known_without_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

/* Generators on one device, $MESHWORK_TEST_DEVICE: they make the same edges as one thread of the host, which
 * tests/unit/graph/generate.c compares with plain implementations; as a whole and by chunks, also with small windows of
 * targets. */
#include "graph/generate/generate_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/device/device.h"

static struct mw_device *host;

static void check(const char *generator, const double *values, size_t chunk)
{
    const uint64_t key = random_word();
    struct mw_edges expected, made;
    const uint32_t most = 1 + (uint32_t)random_below(random_below(2) ? 300 : INT32_MAX);
    OK(mw_generate_values(host, generator, values, key, 0, &expected));
    OK(mw_generate_values(device, generator, values, key, chunk, &made));
    OK(mw_generate_weights(host, key, 0, most, &expected));
    OK(mw_generate_weights(device, key, chunk, most, &made));
    assert_int_equal(made.vertices, expected.vertices);
    assert_int_equal(made.count, expected.count);
    for (uint64_t e = 0; e < made.count; e++)
        if (made.ends[2 * e] != expected.ends[2 * e] || made.ends[2 * e + 1] != expected.ends[2 * e + 1])
            fail_msg("%s %g %g %g, chunks of %zu: edge %" PRIu64 " of %" PRIu64 " is %u-%u, but must be %u-%u "
                     "(seed %u)",
                     generator, values[0], values[1], values[2], chunk, e, made.count, made.ends[2 * e],
                     made.ends[2 * e + 1], expected.ends[2 * e], expected.ends[2 * e + 1], seed);
    if (made.count > 0)
        assert_memory_equal(made.weights, expected.weights, (size_t)made.count * sizeof *made.weights);
    for (uint64_t e = 0; e < made.count; e++)
        assert_in_range(made.weights[e], 1, most);
    mw_edges_free(&made);
    mw_edges_free(&expected);
}

/* clang-format off */
static const struct graph { const char *generator; double values[6]; } graphs[] = {
    { "line", { 1 } },                   { "line", { 5000 } },             { "ring", { 1001, 2 } },
    { "ring", { 700, 14 } },             { "grid", { 17, 13, 11, 0 } },    { "grid", { 19, 2, 7, 1 } },
    { "grid", { 4000, 1, 1, 1 } },       { "er", { 2, 1 } },               { "er", { 101, 5050 } },
    { "er", { 1000, 3333 } },            { "er", { 2147483647, 999 } },    { "rmat", { 0, 5, 0.5, 0.1, 0.1, 1 } },
    { "rmat", { 9, 7, 0.57, 0.19, 0.19, 1 } }, { "rmat", { 8, 11, 0.1, 0.5, 0.3, 0 } },
    { "rmat", { 11, 2, 0.25, 0.25, 0.25, 1 } }, { "disjoint", { 2000, 1, 3000 } }, { "disjoint", { 999, 100, 3001 } },
    { "disjoint", { 1500, 1400, 3000 } }, { "ws", { 600, 10, 0.01 } },     { "ws", { 601, 10, 1 } },
    { "ws", { 80, 70, 0.9 } },           { "ws", { 31, 30, 1 } },          { "ws", { 3, 2, 1 } },
    { "ba", { 900, 4 } },                { "alpha", { 300, 10, 3, 1e-5, 1 } },
};
/* clang-format on */

/* The first graph of each generator is always made. */
static bool is_left_out(size_t i)
{
    const bool again = i > 0 && strcmp(graphs[i].generator, graphs[i - 1].generator) == 0;
    return left_out(3) && slow && again;
}

static void edges_are_those_of_the_host(void **state)
{
    for (size_t i = 0; i < MW_COUNT(graphs); i++)
        if (!is_left_out(i))
            check(graphs[i].generator, graphs[i].values, 0);
}

static void blocks_do_not_matter(void **state)
{
    for (size_t i = 0; i < MW_COUNT(graphs); i++)
        if (!is_left_out(i))
            check(graphs[i].generator, graphs[i].values, 200 + random_below(1000));
    check("ws", (const double[]){ 60, 20, 0.8 }, 7); /* fewer edges than one vertex has */
}

/* Large enough for several chunks by the usual rule, for 2^30 vertices, and for many shares. */
static void large_graphs_are_the_same(void **state)
{
    /* clang-format off */
    static const struct graph large[] = {
        { "line", { 1e6 } }, { "ring", { 1e5, 20 } }, { "grid", { 300, 200, 10, 1 } }, { "er", { 1e6, 1.5e6 } },
        { "rmat", { 17, 9, 0.57, 0.19, 0.19, 1 } }, { "rmat", { 30, 0, 0.57, 0.19, 0.19, 1 } },
        { "disjoint", { 3e5, 1e5, 1e6 } }, { "ws", { 2e5, 10, 1 } }, { "ws", { 3000, 600, 0.5 } },
    };
    /* clang-format on */
    if (slow)
        skip();
    for (size_t i = 0; i < MW_COUNT(large); i++)
        check(large[i].generator, large[i].values, 0);
}

/* Requests for more memory than the device has are refused before anything is allocated. */
static void too_much_is_refused(void **state)
{
    struct mw_edges untouched = { .vertices = 77 };
    const uint64_t memory = device->info.memory_bytes;
    const double values[] = { 1e6, 1e3, 10 };
    device->info.memory_bytes = 4 << 20;
    const int rc = mw_generate_values(device, "disjoint", values, 1, 0, &untouched);
    device->info.memory_bytes = memory;
    if (rc != MW_ELIMIT)
        fail_msg("a million vertices in 4 MiB: %d (%s)", rc, rc ? mw_errmsg() : "no error");
    assert_true(untouched.vertices == 77 && !untouched.ends);
}

/* A device with little memory makes ws by windows of targets, and others by small chunks. */
static void little_memory_is_enough(void **state)
{
    const uint64_t memory = device->info.memory_bytes;
    device->info.memory_bytes = slow ? 8 << 10 : 256 << 10;
    check("ws", slow ? (const double[]){ 500, 10, 1 } : (const double[]){ 20000, 10, 1 }, 0);
    check("er", slow ? (const double[]){ 500, 1000 } : (const double[]){ 20000, 100000 }, 0);
    device->info.memory_bytes = memory;
}

static int open_devices(void **state)
{
    if (open_device(state) != 0)
        return -1;
    OK(mw_device_open_by_name("native:serial", NULL, &host));
    return 0;
}

static int close_devices(void **state)
{
    mw_device_close(host);
    return close_device(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_those_of_the_host), cmocka_unit_test(blocks_do_not_matter),
        cmocka_unit_test(large_graphs_are_the_same),   cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(little_memory_is_enough),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
/* SPDX-License-Identifier: MIT */

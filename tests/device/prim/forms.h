/* Shared by tests of primitives: the forms of kernels, sizes, and buffers with a guard that nothing may write to. */
#ifndef MW_TESTS_FORMS_H
#define MW_TESTS_FORMS_H

#include "prim/prim_internal.h"

#include "tests/device/prim.h"

#define GUARD 64 /* bytes after the data */
#define GUARD_BYTE 0xa5
#define SIZE_MAX_TESTED ((1u << 22) + 5)

/* ---- sizes ---- */

static const size_t edges[] = { 0,    1,    2,    3,    5,    7,    8,    15,   16,   17,   31,   63,
                                64,   65,   127,  251,  255,  256,  257,  509,  1023, 1024, 1025, 2039,
                                2047, 2048, 2049, 4091, 4095, 4096, 4097, 8191, 8192, 8193 };
static const size_t large_edges[] = { 16383,  16384,   16385,   32749,   65536,   131071,  262144,
                                      524287, 1048573, 1048576, 1048579, 2097152, 3000017, SIZE_MAX_TESTED };

/* Returns the number of sizes to test, `random` of them random (fewer on slow devices). */
static inline size_t size_count(size_t random)
{
    const size_t known = slow ? MW_COUNT(edges) / 2 : MW_COUNT(edges) + MW_COUNT(large_edges);
    return known + (slow ? random / 100 : native ? random : random / 20);
}

static inline size_t size_at(size_t i)
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

static inline struct mw_buffer *guarded(const void *data, size_t bytes)
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

/* Returns the contents of a buffer (to be freed) after a check of its guard, and frees the buffer. */
static inline void *taken(struct mw_buffer *buffer)
{
    const size_t bytes = mw_buffer_bytes(buffer);
    unsigned char *data = malloc(bytes);
    assert_non_null(data);
    OK(mw_buffer_read(buffer, 0, bytes, data, NULL));
    for (size_t i = bytes - GUARD; i < bytes; i++)
        if (data[i] != GUARD_BYTE)
            fail_msg("byte %zu after the end of %zu was written (seed %u)", i - (bytes - GUARD), bytes - GUARD, seed);
    mw_buffer_free(buffer);
    return data;
}

static inline void same(const char *what, size_t n, const void *got, const void *expected, size_t count, size_t bytes)
{
    const unsigned char *a = got, *b = expected;
    for (size_t i = 0; i < count; i++)
        if (memcmp(a + i * bytes, b + i * bytes, bytes) != 0)
            fail_msg("%s of %zu elements: element %zu is wrong (seed %u)", what, n, i, seed);
}

static inline void *random_bytes(size_t bytes)
{
    unsigned char *p = room(bytes + 8, 1);
    for (size_t i = 0; i < bytes; i += 8)
        memcpy(p + i, &(uint64_t){ random_word() }, 8);
    return p;
}

/* ---- forms ---- */

struct form {
    const char *what;
    bool cores;
    size_t group;
    bool wide, once;
};

static inline int run_form(const struct form *form, int (*tests)(void))
{
    print_message("form for %s, %zu items%s\n", form->what, form->group, form->wide ? ", wide" : "");
    random_state = seed;
    if (mw_prim_new_form(device, form->cores, form->group, &prim) != 0) {
        print_error("%s\n", mw_errmsg());
        return 1;
    }
    prim->wide = form->wide;
    prim->once = form->once;
    const int failed = tests();
    mw_prim_free(prim);
    return failed;
}

/* Runs tests in the form that the device uses. On OpenCL CPUs, which use the form for cores, it also runs the forms for
 * groups. If groups may wait for each other, it runs that form too. */
static inline int run_forms(int (*tests)(void))
{
    int failed;
    if (open_device(NULL) != 0)
        return 1;
    const struct mw_device_traits *traits = info->traits;
    failed =
        run_form(&(struct form){ traits->has_cores ? "cores" : "groups", traits->has_cores, 256, false, false }, tests);
    if (traits->has_cores && !native)
        failed += run_form(&(struct form){ "groups", false, 64, true, false }, tests);
    if (groups_may_wait())
        failed +=
            run_form(&(struct form){ "groups that wait", false, (size_t)16 << random_below(5), random_below(2), true },
                     tests);
    close_device(NULL);
    return failed;
}

#endif
/* SPDX-License-Identifier: MIT */

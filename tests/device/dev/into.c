/* Results in arrays of the caller by functions that end in _into, on $MESHWORK_TEST_DEVICE: the same elements as in a
 * new array, nothing beyond them, and an array of another type or other lengths is refused and unchanged. */
#include <meshwork.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/device.h"

enum { CANARY = 0x5a, CANARIES = 64 };

static void all_canaries(const void *bytes, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        assert_int_equal(((const unsigned char *)bytes)[i], CANARY);
}

/* Compares what `call` writes to `into`, an array like `expected`. */
#define CHECK(expected, call)                                                                                          \
    do {                                                                                                               \
        const size_t bytes = (expected).count * mw_type_bytes((expected).type);                                        \
        struct mw_array into = (expected);                                                                             \
        into.data = malloc(bytes + CANARIES);                                                                          \
        assert_non_null(into.data);                                                                                    \
        memset(into.data, CANARY, bytes + CANARIES);                                                                   \
        into.type = (expected).type == MW_TYPE_I8 ? MW_TYPE_U8 : MW_TYPE_I8;                                           \
        FAILS(MW_EINVAL, "type", call);                                                                                \
        into.type = (expected).type;                                                                                   \
        into.length[0]++;                                                                                              \
        FAILS(MW_EINVAL, "length", call);                                                                              \
        into.length[0]--;                                                                                              \
        all_canaries(into.data, 0, bytes + CANARIES);                                                                  \
        OK(call);                                                                                                      \
        assert_memory_equal(into.data, (expected).data, bytes);                                                        \
        all_canaries(into.data, bytes, bytes + CANARIES);                                                              \
        free(into.data);                                                                                               \
    } while (0)

static void walks(void **unused)
{
    struct mw_carpet *carpet;
    struct mw_array state, places;
    struct mw_walk *walk;
    struct mw_walkers *walkers;
    OK(mw_carpet_new(NULL, &carpet));
    OK(mw_walk_new(&device, 1, carpet, GIVEN(mw_walk_options, .steps = 9, .single = true), &walk));
    OK(mw_walkers_new(&device, 1, carpet, GIVEN(mw_walkers_options, .walkers = 7, .seed = 1), &walkers));
    OK(mw_walk_advance(walk, 9));
    OK(mw_walkers_advance(walkers, 9));
    OK(mw_walk_get(walk, &state));
    OK(mw_walkers_get(walkers, &places));
    CHECK(state, mw_walk_get_into(walk, &into));
    CHECK(places, mw_walkers_get_into(walkers, &into));
    mw_array_free(&state);
    mw_array_free(&places);
    mw_walk_free(walk);
    mw_walkers_free(walkers);
    mw_carpet_free(carpet);
}

static void labels(void **unused)
{
    struct mw_array image, label;
    size_t count, again;
    OK(mw_array_new(MW_TYPE_U8, 2, (const size_t[]){ 21, 13 }, &image));
    for (size_t i = 0; i < image.count; i++)
        ((uint8_t *)image.data)[i] = (uint8_t)random_below(3);
    OK(mw_label_array(&device, 1, NULL, &image, &label, NULL, &count));
    CHECK(label, mw_label_array_into(&device, 1, NULL, &image, &into, NULL, &again));
    assert_int_equal(count, again);
    mw_array_free(&image);
    mw_array_free(&label);
}

static void an_array_needs_memory(void **unused)
{
    struct mw_array image, none = { .type = MW_TYPE_I32, .dims = 1, .length = { 5 }, .count = 5 };
    OK(mw_array_new(MW_TYPE_U8, 1, (const size_t[]){ 5 }, &image));
    FAILS(MW_EINVAL, "has no memory", mw_label_array_into(&device, 1, NULL, &image, &none, NULL, NULL));
    mw_array_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks),
        cmocka_unit_test(labels),
        cmocka_unit_test(an_array_needs_memory),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

/* Philox4x32-10 and Threefry4x32-20 against the known answers published with Random123. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rng.clh"
#include "rng/threefry.clh"

/* Digits of pi, and all bits 0 or 1. */
#define ONES 0xffffffff
/* clang-format off */
static const struct { uint32_t counter[4], key[4], philox[4], threefry[4]; } known[] = {
    { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
      { 0x9c6ca96a, 0xe17eae66, 0xfc10ecd4, 0x5256a7d8 } },
    { { ONES, ONES, ONES, ONES }, { ONES, ONES, ONES, ONES }, { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
      { 0x2a881696, 0x57012287, 0xf6c7446e, 0xa16a6732 } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }, { 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89 },
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 }, { 0x59cd1dbb, 0xb8879579, 0x86b5d00c, 0xac8b6d84 } },
};
/* clang-format on */

static void philox_gives_the_known_answers(void **unused)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const uint32_t *c = known[i].counter, *k = known[i].key;
        const struct philox r = philox4x32_10(c[0], c[1], c[2], c[3], k[0], k[1]);
        for (int w = 0; w < 4; w++)
            assert_int_equal(r.word[w], known[i].philox[w]);
    }
}

static void threefry_gives_the_known_answers(void **unused)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct threefry c, k;
        for (int w = 0; w < 4; w++) {
            c.word[w] = known[i].counter[w];
            k.word[w] = known[i].key[w];
        }
        c = threefry4x32_20(c, k);
        for (int w = 0; w < 4; w++)
            assert_int_equal(c.word[w], known[i].threefry[w]);
    }
}

static void uniform_numbers_reach_their_ends(void **unused)
{
    const struct philox low = { { 0, 0, 0, 0 } }, high = { { ONES, ONES, 0, 0 } };
    assert_true(symmetric_uniform(low) == -1.0f);
    assert_true(symmetric_uniform(high) == 1.0f - 0x1p-23f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(threefry_gives_the_known_answers),
        cmocka_unit_test(uniform_numbers_reach_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

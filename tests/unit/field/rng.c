/* Philox4x32-10 against the known answers that its authors publish with Random123. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rng.clh"

static const struct { uint32_t counter[4], key[2], answer[4]; } known[] = {
    { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
    { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff }, { 0xffffffff, 0xffffffff },
      { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }, { 0xa4093822, 0x299f31d0 },
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
};

static void philox_gives_the_known_answers(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const uint32_t *c = known[i].counter, *k = known[i].key;
        const struct philox r = philox4x32_10(c[0], c[1], c[2], c[3], k[0], k[1]);
        for (int w = 0; w < 4; w++)
            assert_int_equal(r.word[w], known[i].answer[w]);
    }
}

static void uniform_numbers_reach_their_ends(void **unused)
{
    (void)unused;
    const struct philox low = { { 0, 0, 0, 0 } }, high = { { 0xffffffff, 0xffffffff, 0, 0 } };
    assert_true(symmetric_uniform(low) == -1.0f);
    assert_true(symmetric_uniform(high) == 1.0f - 0x1p-23f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(uniform_numbers_reach_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

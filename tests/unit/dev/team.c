/* Units of work that parts take: each exactly once, equal turns of equally fast parts, decreasing turns of others. Set
 * $MESHWORK_TEST_SEED to repeat a run. */
#include "dev/core/team.h"

#include "tests/check.h"

enum { PARTS_MOST = 5, TURNS_MOST = 100000 };

static struct mw_team_units random_units(void)
{
    return (struct mw_team_units){ .all = random_below(3000),
                                   .parts = 1 + random_below(PARTS_MOST),
                                   .least = 1 + random_below(20),
                                   .alike = random_below(2) };
}

static void each_unit_is_taken_once(void **unused)
{
    for (int round = 0; round < 2000; round++) {
        struct mw_team_units units = random_units();
        const size_t most = units.least * (1 + random_below(100));
        size_t next = 0, first, count, before = SIZE_MAX;
        for (;;) {
            OK(mw_team_take(&units, most, &first, &count));
            if (count == 0)
                break;
            assert_int_equal(first, next);
            assert_true(count <= most || units.parts == 1);
            assert_true(count % units.least == 0 || first + count == units.all);
            assert_true(count <= before); /* turns do not grow */
            before = count;
            next += count;
        }
        assert_int_equal(next, units.all);
    }
}

/* Equally fast parts take turns as few times as their limit allows, and one turn each if they can. */
static void equal_parts_have_equal_turns(void **unused)
{
    for (int round = 0; round < 2000; round++) {
        struct mw_team_units units = random_units();
        const size_t most = units.least * (1 + random_below(100)), of_turn = units.parts * most;
        const size_t turns = (units.all + of_turn - 1) / of_turn * units.parts;
        size_t taken = 0, first, count, largest = 0;
        units.alike = true;
        for (; taken < TURNS_MOST; taken++) {
            OK(mw_team_take(&units, most, &first, &count));
            if (count == 0)
                break;
            largest = count > largest ? count : largest;
        }
        assert_true(taken <= turns);
        if (units.all > 0 && units.parts > 1) {
            assert_true(largest * turns >= units.all);
            assert_true(largest < units.all / turns + 1 + units.least);
        }
    }
}

static void nothing_is_left_after_a_stop(void **unused)
{
    struct mw_team_units units = { .all = 100, .parts = 2, .least = 1 };
    size_t first, count;
    OK(mw_team_take(&units, 10, &first, &count));
    assert_int_equal(count, 10);
    mw_team_stop(&units);
    OK(mw_team_take(&units, 10, &first, &count));
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_is_taken_once),
        cmocka_unit_test(equal_parts_have_equal_turns),
        cmocka_unit_test(nothing_is_left_after_a_stop),
    };
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

/* Shares of a field's devices: in proportion to their weights, within their limits. */
#include "field/evolve/evolve.h"

#include <math.h>

#include "tests/check.h"

static void shares_are_in_proportion(void **unused)
{
    seed_random();
    for (int round = 0; round < 20000; round++) {
        double weights[8], most[8], sum = 0, room = 0;
        int shares[8], total = 0;
        const size_t count = 1 + (size_t)(rand() % 8);
        const int least = 1 + rand() % 8, slabs = (int)count * least + rand() % 1000;
        const bool limited = rand() % 2;
        for (size_t i = 0; i < count; i++) {
            weights[i] = pow(10, rand() % 3000 / 1000.0);
            most[i] = least + rand() % 500;
            sum += weights[i];
            room += most[i];
        }
        const int rc = mw_balance_shares(count, slabs, least, weights, limited ? most : NULL, shares);
        if (limited && room < slabs - 1e-6) {
            assert_int_equal(rc, MW_ELIMIT);
            continue;
        }
        assert_int_equal(rc, 0);
        bool any_is_least = false;
        for (size_t i = 0; i < count; i++) {
            total += shares[i];
            assert_true(shares[i] >= least);
            any_is_least = any_is_least || shares[i] == least;
        }
        assert_int_equal(total, slabs);
        for (size_t i = 0; i < count && !any_is_least; i++)
            if (limited)
                assert_true(shares[i] < most[i] + 1.001);
            else
                assert_true(fabs(shares[i] - weights[i] / sum * slabs) < 1.001);
    }
}

static void rounds_are_longer_where_borders_are_small(void **unused)
{
    static const struct mw_reach reach = { .reach = 2 };
    const struct mw_model model = { 0 };
    struct mw_problem p = { .model = &model, .reach = &reach, .integrator = MW_INTEGRATOR_RK2 };
    assert_int_equal(mw_round_halo(&p, 3), 12);
    for (size_t cells = 1; cells < 1 << 24; cells *= 3)
        for (int share = 1; share < 100000; share *= 3) {
            const unsigned gpus = mw_round_steps(&p, cells, share, true);
            const unsigned others = mw_round_steps(&p, cells, share, false);
            assert_true(others >= 1 && others <= gpus);
            assert_true(gpus == 1 || mw_round_halo(&p, gpus) <= share / 4);
            assert_true(mw_round_steps(&p, 3 * cells, share, true) <= gpus);
        }
    assert_true(mw_round_steps(&p, 8192, 4096, true) > 4);
    assert_int_equal(mw_round_steps(&p, 1 << 24, 4096, true), 1);
    p.integrator = MW_INTEGRATOR_EULER;
    for (int share = 16; share < 100; share++)
        assert_int_equal(mw_round_steps(&p, 16, share, true) % 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_in_proportion),
        cmocka_unit_test(rounds_are_longer_where_borders_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

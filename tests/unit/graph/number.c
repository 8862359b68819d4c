/* Double-precision numbers in integer arithmetic (cl/graph/measures/number.clh), compared with the machine's own. Set
 * $MESHWORK_TEST_SEED to repeat a run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph/measures/number.clh"

#include "tests/check.h"

static double as_double(number bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static number as_number(double value)
{
    number bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Numbers of any size, of about the same size, whole ones, and numbers with few digits, whose sums lie half-way between
 * two doubles. */
static double any(void)
{
    const uint64_t digits = random_word() >> 12 & ~(random_below(2) ? (UINT64_C(1) << random_below(52)) - 1 : 0);
    const int exponent = random_below(2) ? (int)random_below(900) - 450 : (int)random_below(110) - 55;
    if (random_below(50) == 0)
        return 0;
    return random_below(8) == 0 ? (double)random_below(1000) : ldexp(1 + ldexp((double)digits, -52), exponent);
}

static void numbers_are_those_of_the_machine(void **unused)
{
    seed_random();
    for (int round = 0; round < 3000000; round++) {
        const double a = any(), b = any();
        const number x = as_number(a), y = as_number(b);
        assert_true(as_double(number_add(x, y)) == a + b);
        assert_true(as_double(number_multiply(x, y)) == a * b);
        if (b > 0)
            assert_true(as_double(number_divide(x, y)) == a / b);
        assert_int_equal(number_is_at_least(x, y), a >= b);
    }
}

static void large_numbers_are_infinite(void **unused)
{
    const number large = number_power(1000);
    assert_true(as_double(large) == ldexp(1, 1000));
    assert_true(isinf(as_double(number_multiply(large, large))));
    assert_true(isinf(as_double(number_add(number_multiply(large, large), NUMBER_ONE))));
    assert_true(as_double(NUMBER_EXACT) == ldexp(1, 53));
}

static void units_are_rounded_to_the_nearest(void **unused)
{
    for (int round = 0; round < 1000000; round++) {
        const int bits = (int)random_below(60);
        const double a = ldexp(any(), -(int)random_below(20));
        if (a * ldexp(1, bits) >= ldexp(1, 61))
            continue;
        assert_int_equal(number_units(as_number(a), bits), ((uint64_t)(ldexp(a, bits) * 2) + 1) >> 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_the_machine),
        cmocka_unit_test(large_numbers_are_infinite),
        cmocka_unit_test(units_are_rounded_to_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

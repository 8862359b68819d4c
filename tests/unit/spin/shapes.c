/* Shapes of programs for spins of one bit: no more classes of spins than the rule needs. */
#include "spin/spin_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/check.h"

static struct mw_device *device;
static struct mw_model *ising;

static struct mw_spins *make(const struct mw_spin_options *o)
{
    struct mw_spins *spins;
    OK(mw_spins_new(&device, 1, ising, o, &spins));
    return spins;
}

static void shapes_are_those_of_the_rules(void **unused)
{
    double params[] = { 2, 1, 0, 0 };
    struct mw_spin_options plane = { .size = sizeof plane, .dims = 2, .length = { 1024, 4 } };
    struct mw_spin_options space = { .size = sizeof space, .dims = 3, .length = { 1024, 2, 2 } };
    struct mw_spin_options heat_bath = {
        .size = sizeof heat_bath, .dims = 2, .length = { 1024, 4 }, .update = MW_SPIN_UPDATE_HEAT_BATH
    };
    struct mw_spins *spins = make(&plane);
    assert_int_equal(spins->parts[0].shape, BITS_SHAPE_OF(2, 3, 4, 1, 0, 0, 1, 0));
    params[0] = 0; /* also without temperature */
    OK(mw_spins_set_params(spins, 0, params));
    OK(mw_spins_advance(spins, 1));
    assert_int_equal(spins->parts[0].shape, BITS_SHAPE_OF(2, 3, 4, 1, 0, 0, 1, 0));
    params[0] = 2;
    params[2] = -0.25; /* and with a field */
    OK(mw_spins_set_params(spins, 0, params));
    OK(mw_spins_advance(spins, 1));
    assert_int_equal(spins->parts[0].shape, BITS_SHAPE_OF(2, 2, 4, 2, 0, 1, 1, 0));
    mw_spins_free(spins);
    spins = make(&space);
    assert_int_equal(spins->parts[0].shape, BITS_SHAPE_OF(3, 4, 6, 1, 0, 0, 1, 0));
    mw_spins_free(spins);
    spins = make(&heat_bath);
    assert_int_equal(spins->parts[0].shape, BITS_SHAPE_OF(2, 0, 4, 1, 0, 0, 1, 0));
    mw_spins_free(spins);
}

static int set_up(void **unused)
{
    OK(mw_device_open_by_name("native:serial", NULL, &device));
    OK(mw_model_load("ising", NULL, &ising));
    return 0;
}

static int tear_down(void **unused)
{
    mw_model_free(ising);
    mw_device_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(shapes_are_those_of_the_rules) };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
/* SPDX-License-Identifier: MIT */

/* Names of enumerators: each value's name maps back to it, and other words map to none. */
#include <meshwork.h>

#include "tests/check.h"

/* `last`: the largest value.  Names are words, for options and files. */
#define CHECK_NAMES(noun, last)                                                                                        \
    do {                                                                                                               \
        enum mw_##noun found;                                                                                          \
        for (int i = 0; i <= (int)(last); i++) {                                                                       \
            assert_non_null(mw_##noun##_name(i));                                                                      \
            OK(mw_##noun##_find(mw_##noun##_name(i), &found));                                                         \
            assert_int_equal(found, i);                                                                                \
        }                                                                                                              \
        assert_null(mw_##noun##_name((int)(last) + 1));                                                                \
        assert_null(mw_##noun##_name(-1));                                                                             \
        FAILS(MW_EINVAL, mw_##noun##_name(last), mw_##noun##_find("no such name", &found));                            \
        assert_int_equal(mw_##noun##_find("", &found), MW_EINVAL);                                                     \
    } while (0)

static void names_lead_back(void **state)
{
    CHECK_NAMES(boundary, MW_BOUNDARY_FIXED);
    CHECK_NAMES(lattice_kind, MW_LATTICE_TRIANGULAR);
    CHECK_NAMES(join, MW_JOIN_TOLERANCE);
    CHECK_NAMES(connectivity, MW_CONNECTIVITY_ALL);
    CHECK_NAMES(integrator, MW_INTEGRATOR_STRANG);
    CHECK_NAMES(laplacian, MW_LAPLACIAN_ISOTROPIC);
    CHECK_NAMES(spin_update, MW_SPIN_UPDATE_WOLFF);
    CHECK_NAMES(spin_start, MW_SPIN_START_FRACTION);
    CHECK_NAMES(spin_values, MW_SPIN_VALUES_VECTOR);
    CHECK_NAMES(random_kind, MW_RANDOM_NUMBERS);
    CHECK_NAMES(random_interval, MW_RANDOM_INTERVAL_OPEN);
    CHECK_NAMES(png_kind, MW_PNG_RGBA);
    CHECK_NAMES(device_kind, MW_DEVICE_NATIVE);
    CHECK_NAMES(model_kind, MW_MODEL_ANY);
    CHECK_NAMES(unsettled, MW_UNSETTLED_FROZEN);
}

static void names_are_those_of_the_command(void **state)
{
    enum mw_boundary boundary = MW_BOUNDARY_FIXED;
    enum mw_integrator integrator = MW_INTEGRATOR_EULER;
    assert_string_equal(mw_boundary_name(MW_BOUNDARY_MIRROR), "mirror");
    assert_string_equal(mw_spin_update_name(MW_SPIN_UPDATE_SWENDSEN_WANG), "swendsen-wang");
    assert_string_equal(mw_lattice_kind_name(MW_LATTICE_FACE_CENTRED), "fcc");
    OK(mw_integrator_find("rk4", &integrator));
    assert_int_equal(integrator, MW_INTEGRATOR_RK4);
    FAILS(MW_EINVAL, "no boundary is called 'mirrors': there are default, periodic, mirror, fixed",
          mw_boundary_find("mirrors", &boundary));
    assert_int_equal(boundary, MW_BOUNDARY_FIXED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_back),
        cmocka_unit_test(names_are_those_of_the_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

/* Parameters of models, by name and in order. */
#include "tests/unit/model/parse.h"

#define HEAD "//@ model test \"equation\"\n//@ field c\n"

static void parameters_have_names(void **unused)
{
    static const double order[] = { 5, 6 };
    static const struct mw_value given[] = { { "b", 7 }, { "b", 8 } }, unknown = { "c", 1 };
    struct mw_model *m = parse(HEAD "//@ param a 1 \"\"\n//@ param b 2 \"\"\nRATE(c) { return P(a) * P(b); }");
    double values[2] = { 0 };
    size_t param = 9;
    OK(mw_model_param_find(m, "b", &param));
    assert_int_equal(param, 1);
    FAILS(MW_EINVAL, "model test has no parameter 'c'; its parameters: a, b", mw_model_param_find(m, "c", &param));
    assert_int_equal(param, 1);
    OK(mw_model_values(m, NULL, NULL, 0, values));
    assert_true(values[0] == 1 && values[1] == 2);
    OK(mw_model_values(m, NULL, given, 2, values));
    assert_true(values[0] == 1 && values[1] == 8);
    OK(mw_model_values(m, order, given, 1, values));
    assert_true(values[0] == 5 && values[1] == 7);
    FAILS(MW_EINVAL, "'c'", mw_model_values(m, NULL, &unknown, 1, values));
    mw_model_free(m);
    m = parse(HEAD "RATE(c) { return AT(c); }");
    FAILS(MW_EINVAL, "its parameters: none", mw_model_param_find(m, "a", &param));
    mw_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(parameters_have_names) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

/* Arrays and the types of their elements. */
#include <meshwork/io.h>

#include "tests/check.h"

static void types_are_numpys(void **state)
{
    (void)state;
    assert_string_equal(mw_type_name(MW_TYPE_F32), "float32");
    assert_string_equal(mw_type_name(MW_TYPE_C128), "complex128");
    assert_string_equal(mw_type_name((enum mw_type)99), "unknown");
    assert_int_equal(mw_type_bytes(MW_TYPE_BOOL), 1);
    assert_int_equal(mw_type_bytes(MW_TYPE_C128), 16);
    assert_int_equal(mw_type_bytes((enum mw_type)99), 0);
}

static void arrays_are_made(void **state)
{
    struct mw_array a = { 0 };

    (void)state;
    assert_int_equal(mw_array_new(MW_TYPE_F64, 3, (size_t[]){ 2, 3, 5 }, &a), 0);
    assert_int_equal(a.count, 30);
    for (int i = 0; i < 30; i++)
        assert_true(((double *)a.data)[i] == 0);
    mw_array_free(&a);
    assert_null(a.data);
    assert_int_equal(a.count + a.dims, 0);
    mw_array_free(NULL);
    assert_int_equal(mw_array_new(MW_TYPE_U8, 0, NULL, &a), 0);
    assert_int_equal(a.count, 1);
    mw_array_free(&a);
    assert_int_equal(mw_array_new(MW_TYPE_U8, 3, (size_t[]){ SIZE_MAX, 0, SIZE_MAX }, &a), 0);
    assert_int_equal(a.count, 0);
    assert_non_null(a.data);
    mw_array_free(&a);
    assert_int_equal(mw_array_new(MW_TYPE_U8, 2, (size_t[]){ SIZE_MAX, 2 }, &a), MW_ELIMIT);
    assert_int_equal(mw_array_new(MW_TYPE_F64, 1, (size_t[]){ SIZE_MAX / 4 }, &a), MW_ELIMIT);
    assert_int_equal(mw_array_new(MW_TYPE_F64, 9, (size_t[9]){ 0 }, &a), MW_EINVAL);
    assert_int_equal(mw_array_new((enum mw_type)99, 0, NULL, &a), MW_EINVAL);
    assert_null(a.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_numpys),
        cmocka_unit_test(arrays_are_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

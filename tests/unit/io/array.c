/* Arrays and element types. */
#include <meshwork/io.h>

#include "base/base.h"
#include "tests/check.h"
#include "tests/scratch.h"

static void types_are_numpys(void **state)
{
    assert_string_equal(mw_type_name(MW_TYPE_F32), "float32");
    assert_string_equal(mw_type_name(MW_TYPE_C128), "complex128");
    assert_string_equal(mw_type_name((enum mw_type)99), "unknown");
    for (int type = 0; type <= MW_TYPE_C128; type++) {
        enum mw_type found = (enum mw_type)99;
        OK(mw_type_find(mw_type_name((enum mw_type)type), &found));
        assert_int_equal(found, type);
    }
    assert_int_equal(mw_type_find("float31", &(enum mw_type){ 0 }), MW_EINVAL);
    assert_int_equal(mw_type_bytes(MW_TYPE_BOOL), 1);
    assert_int_equal(mw_type_bytes(MW_TYPE_C128), 16);
    assert_int_equal(mw_type_bytes((enum mw_type)99), 0);
}

static void arrays_are_made(void **state)
{
    struct mw_array a = { 0 };
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

/* The suffix determines the format; errors name the file. */
static void formats_go_by_suffix(void **state)
{
    static const char *const both[] = { "a.npy", "a.png", "a.npz", "a.tif", "a.nrrd", "a.mhd" },
                             *const no_input[] = { "a.vti", "a.txt", "npy", ".npy" },
                             *const no_output[] = { "a.pgm", "a.h5", "a.h5:b", "a.txt", "a" };
    struct mw_array made = { 0 }, again = { 0 };
    const struct mw_array_format *format;
    OK(mw_array_new(MW_TYPE_U8, 2, (size_t[]){ 5, 3 }, &made));
    for (size_t i = 0; i < made.count; i++)
        ((uint8_t *)made.data)[i] = (uint8_t)(17 * i);
    for (size_t i = 0; i < MW_COUNT(both); i++) {
        const int rc = mw_array_save(in(both[i]), &made);
        if (rc == MW_ENOTSUP)
            continue; /* without libpng */
        OK(rc);
        OK(mw_array_load(in(both[i]), &again));
        assert_int_equal(again.type, MW_TYPE_U8);
        assert_int_equal(again.dims, 2);
        assert_memory_equal(again.data, made.data, made.count);
        mw_array_free(&again);
    }
    OK(mw_array_save(in("a.vti"), &made));
    for (size_t i = 0; i < MW_COUNT(no_input); i++)
        FAILS(MW_EINVAL, ".npy, .npz, .png, .pgm, .pbm", mw_array_load(no_input[i], &again));
    for (size_t i = 0; i < MW_COUNT(no_output); i++)
        FAILS(MW_EINVAL, ".npy, .npz, .png, .tif", mw_array_save(no_output[i], &made));
    for (made.count = 0; made.count < 20; made.count += 14)
        for (size_t i = 0; i < MW_COUNT(both); i++)
            FAILS(MW_EINVAL, "not the product of its lengths", mw_array_save(in(both[i]), &made));
    OK(mw_array_format_find("x.npz:b", false, &format));
    assert_string_equal(format->suffix, ".npz");
    OK(mw_array_format_find("-", true, &format));
    assert_string_equal(format->suffix, ".npy");
    assert_null(mw_array_formats(99));
    mw_array_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_numpys),
        cmocka_unit_test(arrays_are_made),
        cmocka_unit_test(formats_go_by_suffix),
    };

    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

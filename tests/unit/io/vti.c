/* VTK image data: contents of files, read by the rules of the format. */
#include <meshwork/io.h>

#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"

static char folder[] = "/tmp/meshwork-vti-XXXXXX", *file;

static int setup(void **state)
{
    seed_random();
    return mkdtemp(folder) == NULL || mw_path_join(folder, "a.vti", &file) != 0;
}

static int teardown(void **state)
{
    unlink(file);
    free(file);
    return rmdir(folder);
}

static const struct {
    enum mw_type type;
    const char *name;
} types[] = {
    { MW_TYPE_BOOL, "UInt8" }, { MW_TYPE_I8, "Int8" },     { MW_TYPE_U8, "UInt8" },    { MW_TYPE_I16, "Int16" },
    { MW_TYPE_U16, "UInt16" }, { MW_TYPE_I32, "Int32" },   { MW_TYPE_U32, "UInt32" },  { MW_TYPE_I64, "Int64" },
    { MW_TYPE_U64, "UInt64" }, { MW_TYPE_F32, "Float32" }, { MW_TYPE_F64, "Float64" },
};

static void random_array(enum mw_type type, unsigned dims, size_t fields, struct mw_array *a)
{
    size_t length[MW_DIMS_MAX] = { 0 };
    for (unsigned d = 0; d < dims; d++)
        length[d] = 1 + (size_t)rand() % 6;
    length[dims] = fields;
    assert_int_equal(mw_array_new(type, dims + (fields > 1), length, a), 0);
    for (size_t i = 0; i < a->count * mw_type_bytes(type); i++)
        ((unsigned char *)a->data)[i] = (unsigned char)rand();
}

/* Finds text after `at`; returns its end. */
static const char *after(const char *at, const char *text)
{
    const char *found = strstr(at, text);
    if (found == NULL)
        fail_msg("no '%s' in the file", text);
    return found + strlen(text);
}

static void check_file(const struct mw_array *a, size_t type, unsigned dims, size_t fields, double moment)
{
    size_t n, extent[6], each = a->count / fields * mw_type_bytes(a->type);
    char *bytes = NULL, expected[200];
    const char *at, *data;
    assert_int_equal(mw_file_read(file, SIZE_MAX, &bytes, &n), 0);
    at = after(bytes, "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"");
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    at = after(at, "LittleEndian\" header_type=\"UInt64\">");
#endif
    for (int place = 0; place < 2; place++) {
        at = after(at, place == 0 ? "<ImageData WholeExtent=\"" : "<Piece Extent=\"");
        assert_int_equal(sscanf(at, "%zu %zu %zu %zu %zu %zu\"", &extent[0], &extent[1], &extent[2], &extent[3],
                                &extent[4], &extent[5]),
                         6);
        for (unsigned d = 0; d < 3; d++) {
            assert_int_equal(extent[2 * d], 0);
            assert_int_equal(extent[2 * d + 1], d < dims ? a->length[d] - 1 : 0);
        }
        if (place == 0 && isfinite(moment)) {
            at = after(at, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
            assert_true(strtod(at, NULL) == moment);
        }
    }
    if (!isfinite(moment))
        assert_null(strstr(bytes, "TimeValue"));
    data = after(after(at, "<AppendedData encoding=\"raw\">"), "_");
    for (size_t i = 0; i < fields; i++) {
        uint64_t length;
        snprintf(expected, sizeof expected,
                 "<DataArray type=\"%s\" Name=\"f%zu&lt;&amp;\" format=\"appended\" "
                 "offset=\"%zu\"/>",
                 types[type].name, i, i * (each + 8));
        at = after(at, expected);
        assert_true((size_t)(data - bytes) + (i + 1) * (each + 8) <= n);
        memcpy(&length, data + i * (each + 8), 8);
        assert_int_equal(length, each);
        assert_memory_equal(data + i * (each + 8) + 8, (char *)a->data + i * each, each);
    }
    assert_string_equal(data + fields * (each + 8), "\n  </AppendedData>\n</VTKFile>\n");
    free(bytes);
}

static void arrays_are_written_as_they_are(void **state)
{
    static const char *const names[] = { "f0<&", "f1<&", "f2<&" };
    for (size_t t = 0; t < MW_COUNT(types); t++)
        for (unsigned dims = 0; dims <= 3; dims++)
            for (size_t fields = 1; fields <= 3; fields++) {
                const double moment = rand() % 2 ? rand() / 3.0 : NAN;
                struct mw_array a = { 0 };
                random_array(types[t].type, dims, fields, &a);
                if (mw_vti_write(file, &a, names, fields, moment, NULL) != 0)
                    fail_msg("%s", mw_errmsg());
                check_file(&a, t, dims, fields, moment);
                mw_array_free(&a);
            }
}

static void what_does_not_fit_is_refused(void **state)
{
    static const char *const names[] = { "a", "b", "c" };
    struct mw_array a = { 0 };
    unlink(file);
    for (unsigned dims = 4; dims < MW_DIMS_MAX; dims++)
        for (size_t fields = 1; fields <= 2; fields++) {
            random_array(MW_TYPE_F32, dims, fields, &a);
            assert_int_equal(mw_vti_write(file, &a, names, fields, 0, NULL), MW_EINVAL);
            assert_non_null(strstr(mw_errmsg(), "3 dimensions"));
            mw_array_free(&a);
        }
    for (enum mw_type type = MW_TYPE_C64; type <= MW_TYPE_C128; type++) {
        random_array(type, 2, 1, &a);
        assert_int_equal(mw_vti_write(file, &a, names, 1, 0, NULL), MW_EINVAL);
        assert_non_null(strstr(mw_errmsg(), "complex"));
        mw_array_free(&a);
    }
    random_array(MW_TYPE_F32, 2, 2, &a);
    assert_int_equal(mw_vti_write(file, &a, names, 3, 0, NULL), MW_EINVAL);
    assert_int_equal(mw_vti_write(file, &a, names, 0, 0, NULL), MW_EINVAL);
    mw_array_free(&a);
    assert_int_equal(mw_array_new(MW_TYPE_F32, 2, (size_t[]){ 0, 4 }, &a), 0);
    assert_int_equal(mw_vti_write(file, &a, names, 1, 0, NULL), MW_EINVAL);
    mw_array_free(&a);
    assert_int_equal(access(file, F_OK), -1);
    random_array(MW_TYPE_F32, 2, 1, &a);
    assert_int_equal(mw_vti_write("/nowhere/a.vti", &a, names, 1, 0, NULL), MW_EIO);
    mw_array_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_written_as_they_are),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
/* SPDX-License-Identifier: MIT */

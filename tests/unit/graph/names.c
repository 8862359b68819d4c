/* Names of vertices: none, counted, numbers and texts, and the lookup of vertices by name. */
#include "graph/graph_internal.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/check.h"

static void vertices_without_names_have_numbers(void **unused)
{
    char text[MW_NAME_CAPACITY];
    size_t v = 99;
    assert_string_equal(mw_name(NULL, 0, text), "0");
    assert_string_equal(mw_name(NULL, MW_VERTICES_MAX - 1, text), "2147483646");
    OK(mw_name_find(NULL, 10, "7", &v));
    assert_int_equal(v, 7);
    static const char *const wrong[] = { "10",
                                         "",
                                         "-1",
                                         "+1",
                                         " 1",
                                         "1 ",
                                         "1x",
                                         "x",
                                         "1.0",
                                         "007",
                                         "00",
                                         "18446744073709551616",
                                         "18446744073709551626",
                                         "99999999999999999999999" };
    for (size_t i = 0; i < MW_COUNT(wrong); i++) {
        assert_int_equal(mw_name_find(NULL, 10, wrong[i], &v), MW_EINVAL);
        assert_int_equal(v, 7);
    }
    assert_int_equal(mw_name_find(NULL, 0, "0", &v), MW_EINVAL);
    assert_int_equal(v, 7);
    assert_null(mw_names_share(NULL));
    mw_names_free(NULL);
}

static void counted_names(void **unused)
{
    static const struct {
        uint64_t first;
        const char *name[3];
    } of[] = {
        { 0, { "0", "1", "2" } },
        { 1, { "1", "2", "3" } },
        { UINT64_MAX - 2, { "18446744073709551613", "18446744073709551614", "18446744073709551615" } },
    };
    for (size_t i = 0; i < MW_COUNT(of); i++) {
        struct mw_names *names;
        char text[MW_NAME_CAPACITY];
        uint64_t first = 77;
        size_t v = 99;
        OK(mw_names_counted(of[i].first, &names));
        assert_true(mw_names_are_counted(names, &first));
        assert_int_equal(first, of[i].first);
        for (size_t k = 0; k < 3; k++) {
            assert_string_equal(mw_name(names, k, text), of[i].name[k]);
            OK(mw_name_find(names, 3, of[i].name[k], &v));
            assert_int_equal(v, k);
        }
        assert_int_equal(mw_name_find(names, 2, of[i].name[2], &v), MW_EINVAL);
        assert_int_equal(mw_name_find(names, 3, i == 0 ? "3" : "0", &v), MW_EINVAL);
        assert_int_equal(v, 2);
        mw_names_free(names);
    }
}

/* As the step is odd, the numbers differ, also modulo 2^64. */
static void names_of_numbers(void **unused)
{
    static const size_t counts[] = { 1, 2, 3, 4, 5, 1000, 20000 };
    for (size_t i = 0; i < MW_COUNT(counts); i++) {
        const size_t n = counts[i];
        const uint64_t base = random_word(), step = random_word() | 1;
        uint64_t *number = room(n, sizeof *number), first;
        struct mw_names *names;
        char text[MW_NAME_CAPACITY], expected[MW_NAME_CAPACITY];
        size_t v = 0;
        for (size_t k = 0; k < n; k++)
            number[k] = base + k * step;
        OK(mw_names_of_numbers(number, n, &names));
        assert_false(mw_names_are_counted(names, &first));
        for (size_t k = 0; k < n; k++) {
            snprintf(expected, sizeof expected, "%" PRIu64, base + k * step);
            assert_string_equal(mw_name(names, k, text), expected);
            OK(mw_name_find(names, n, expected, &v));
            assert_int_equal(v, k);
        }
        snprintf(expected, sizeof expected, "%" PRIu64, base + n * step);
        assert_int_equal(mw_name_find(names, n, expected, &v), MW_EINVAL);
        assert_int_equal(mw_name_find(names, n, "one", &v), MW_EINVAL);
        assert_int_equal(mw_name_find(names, n - 1, text, &v), MW_EINVAL);
        mw_names_free(names);
    }
}

/* Texts of all kinds; every seventh vertex has the name of another one, which is found. */
static void names_of_texts(void **unused)
{
    static const char *const odd[] = {
        "", " ", "0", "00", "Valjean", "Valjean ", "\xc3\xa9t\xc3\xa9", "a\tb", "-", "x"
    };
    const size_t n = 5000 + random_below(100);
    struct mw_text bytes = { 0 };
    size_t *start = room(n, sizeof *start), *expected = room(n, sizeof *expected), v;
    struct mw_names *names, *shared;
    char text[MW_NAME_CAPACITY];
    for (size_t i = 0; i < n; i++) {
        start[i] = bytes.length;
        expected[i] = i % 7 == 6 ? i - 6 : i;
        if (expected[i] < MW_COUNT(odd))
            mw_text_append(&bytes, odd[expected[i]], strlen(odd[expected[i]]) + 1);
        else
            mw_text_add(&bytes, "vertex %*zu%c", (int)(expected[i] % 50), expected[i], '\0');
    }
    OK(mw_text_ok(&bytes));
    const char *kept = bytes.data;
    OK(mw_names_of_texts(bytes.data, start, n, &names));
    shared = mw_names_share(names);
    assert_ptr_equal(shared, names);
    mw_names_free(names);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(mw_name(shared, i, text), kept + start[i]);
        OK(mw_name_find(shared, n, kept + start[i], &v));
        assert_int_equal(v, expected[i]);
    }
    v = 4321;
    assert_int_equal(mw_name_find(shared, n, "Cosette", &v), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "Cosette"));
    assert_int_equal(v, 4321);
    mw_names_free(shared);
    free(expected);
}

static void no_names_at_all(void **unused)
{
    struct mw_names *names;
    size_t v;
    OK(mw_names_of_numbers(room(0, 8), 0, &names));
    assert_int_equal(mw_name_find(names, 0, "1", &v), MW_EINVAL);
    mw_names_free(names);
    OK(mw_names_of_texts(room(0, 1), room(0, sizeof(size_t)), 0, &names));
    assert_int_equal(mw_name_find(names, 0, "a", &v), MW_EINVAL);
    mw_names_free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_without_names_have_numbers),
        cmocka_unit_test(counted_names),
        cmocka_unit_test(names_of_numbers),
        cmocka_unit_test(names_of_texts),
        cmocka_unit_test(no_names_at_all),
    };
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

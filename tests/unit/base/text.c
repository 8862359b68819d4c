/* Growing strings. */
#include "base/base.h"

#include <ctype.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/scratch.h"

static void an_empty_text_has_no_data(void **state)
{
    struct mw_text t = { 0 };
    mw_text_append(&t, "", 0);
    mw_text_add(&t, "%s", "");
    assert_null(t.data);
    assert_int_equal(t.length, 0);
    assert_int_equal(mw_text_ok(&t), 0);
    mw_text_free(&t);
    mw_text_free(NULL);
}

/* Makes and sets a locale, since few machines have it installed. */
static bool take_locale(const char *name)
{
    char command[4200], path[32];
    snprintf(path, sizeof path, "%s.UTF-8", name);
    snprintf(command, sizeof command, "localedef -i %s -f UTF-8 '%s/%s' 2>&1", name, folder, path);
    setenv("LOCPATH", folder, 1);
    return system(command) >= 0 && setlocale(LC_ALL, path);
}

static void letters_are_those_of_ascii_in_every_locale(void **state)
{
    if (!take_locale("tr_TR"))
        skip();
    assert_int_not_equal(tolower('I'), 'i');
    assert_true(mw_same_word("COORDINATE INTEGER", "coordinate integer"));
    assert_true(mw_same_word("", "") && !mw_same_word("a", "ab") && !mw_same_word("ab", "a"));
    assert_true(mw_same_start("Integer", "int", 3) && !mw_same_start("in", "int", 3));
    assert_string_equal(mw_find_word("pocl: FATAL INTERNAL", "internal"), "INTERNAL");
    assert_null(mw_find_word("abc", "abcd"));
    for (int c = 0; c < 256; c++) {
        assert_int_equal(mw_lower((char)c), (char)(c >= 'A' && c <= 'Z' ? c + 32 : c));
        assert_int_equal(mw_upper((char)c), (char)(c >= 'a' && c <= 'z' ? c - 32 : c));
        assert_int_equal(mw_is_space((char)c), c > 0 && strchr(" \t\n\v\f\r", c) != NULL);
        assert_int_equal(mw_is_control((char)c), c < 32 || c == 127);
    }
    setlocale(LC_ALL, "C");
}

static void numbers_have_a_point_in_every_locale(void **state)
{
    struct mw_text t = { 0 };
    char *end, here[8];
    if (!take_locale("de_DE"))
        skip(); /* localedef and the source of de_DE are in Debian's libc-bin and locales */
    mw_text_add(&t, "%.2f %g %s", 0.25, 1e-7, "1,5");
    assert_string_equal(t.data, "0.25 1e-07 1,5");
    assert_true(mw_number_read("2.5,7", &end) == 2.5);
    assert_string_equal(end, ",7");
    snprintf(here, sizeof here, "%.1f", 0.5);
    assert_string_equal(here, "0,5"); /* the program's locale is unchanged */
    setlocale(LC_ALL, "C");
    mw_text_free(&t);
}

static void text_formats_and_keeps_nul_bytes(void **state)
{
    struct mw_text t = { 0 };
    mw_text_add(&t, "%d+%s", 12, "x");
    assert_string_equal(t.data, "12+x");
    mw_text_append(&t, "\0y", 2);
    mw_text_add(&t, "!");
    assert_int_equal(t.length, 7);
    assert_memory_equal(t.data, "12+x\0y!", 8);
    mw_text_free(&t);
    assert_null(t.data);
    assert_int_equal(t.length + t.capacity, 0);
    mw_text_add(&t, "again");
    assert_string_equal(t.data, "again");
    mw_text_free(&t);
}

/* Random pieces of lengths around the sizes at which the text grows, compared with one plain array. */
static void text_equals_the_sum_of_its_pieces(void **state)
{
    enum { MOST = 1 << 18 };
    struct mw_text t = { 0 };
    char *wanted = NULL, piece[300];
    size_t length = 0;

    seed_random();
    assert_int_equal(mw_new(MOST, 1, &wanted), 0);
    while (length + sizeof piece < MOST) {
        size_t n = (size_t)rand() % (sizeof piece - 1);
        for (size_t i = 0; i < n; i++)
            piece[i] = (char)('a' + rand() % 26);
        piece[n] = '\0';
        if (rand() % 2)
            mw_text_append(&t, piece, n);
        else
            mw_text_add(&t, "%s", piece);
        memcpy(wanted + length, piece, n);
        length += n;
        if (length > 0)
            assert_int_equal(t.data[t.length], '\0');
    }
    assert_int_equal(mw_text_ok(&t), 0);
    assert_int_equal(t.length, length);
    assert_memory_equal(t.data, wanted, length);
    free(wanted);
    mw_text_free(&t);
}

static void a_failed_append_is_remembered(void **state)
{
    struct mw_text t = { 0 };
    mw_text_append(&t, "abc", 3);
    mw_text_append(&t, "abc", SIZE_MAX - 3); /* the size overflows: nothing is read */
    assert_int_equal(mw_text_ok(&t), MW_ENOMEM);
    mw_text_append(&t, "def", 3);
    mw_text_add(&t, "%d", 1);
    assert_int_equal(mw_text_ok(&t), MW_ENOMEM);
    assert_string_equal(t.data, "abc");
    mw_text_free(&t);
    assert_int_equal(mw_text_ok(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_text_has_no_data),
        cmocka_unit_test(text_formats_and_keeps_nul_bytes),
        cmocka_unit_test(letters_are_those_of_ascii_in_every_locale),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
        cmocka_unit_test(text_equals_the_sum_of_its_pieces),
        cmocka_unit_test(a_failed_append_is_remembered),
    };

    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

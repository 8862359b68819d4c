/* Graymaps, bitmaps and raw elements: PGM and PBM as Netpbm describes them. */
#include <meshwork/io.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"
#include "tests/scratch.h"

#define BYTES(text) (text), sizeof(text) - 1

static const char *store(const char *bytes, size_t n)
{
    const char *path = in("file.pgm");
    put_bytes(path, bytes, n);
    return path;
}

static unsigned pixel(const struct mw_array *a, size_t k)
{
    return a->type == MW_TYPE_U16 ? ((const uint16_t *)a->data)[k] : ((const uint8_t *)a->data)[k];
}

/* ---- valid files ---- */

static const struct {
    const char *bytes;
    size_t count, width, height;
    enum mw_type type;
    unsigned pixels[6];
} good[] = {
    { BYTES("P2\n3 2\n255\n0 1 2\n253 254 255\n"), 3, 2, MW_TYPE_U8, { 0, 1, 2, 253, 254, 255 } },
    { BYTES("P2 3 2 255 0 1 2 253 254 255"), 3, 2, MW_TYPE_U8, { 0, 1, 2, 253, 254, 255 } },
    { BYTES("P2# a\n#b\r\n3#c\n2\r\n#\n7# d\n0 1# e\n2 5\t\v\f6 007 # the end"),
      3,
      2,
      MW_TYPE_U8,
      { 0, 1, 2, 5, 6, 7 } },
    { BYTES("P2 2 1 65535 65535 256"), 2, 1, MW_TYPE_U16, { 65535, 256 } },
    { BYTES("P2 1 2 256 256 0"), 1, 2, MW_TYPE_U16, { 256, 0 } },
    { BYTES("P5\n3 2\n255\n\000\001\002\375\376\377"), 3, 2, MW_TYPE_U8, { 0, 1, 2, 253, 254, 255 } },
    { BYTES("P5 3 2 255 #\n \n\r "), 3, 2, MW_TYPE_U8, { '#', '\n', ' ', '\n', '\r', ' ' } },
    { BYTES("P5 3 2 255# gray\nabcdef"), 3, 2, MW_TYPE_U8, { 'a', 'b', 'c', 'd', 'e', 'f' } },
    { BYTES("P5\n# 9 9\n 3\n# 9\n2 255\nabcdef\n"), 3, 2, MW_TYPE_U8, { 'a', 'b', 'c', 'd', 'e', 'f' } },
    { BYTES("P5 2 1 1000\n\001\000\003\350"), 2, 1, MW_TYPE_U16, { 256, 1000 } },
    { BYTES("P5 1 1 1\n\001"), 1, 1, MW_TYPE_U8, { 1 } },
};

static void graymaps_are_read(void **state)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct mw_array a = { 0 };
        if (mw_pgm_read(store(good[i].bytes, good[i].count), &a) != 0)
            fail_msg("graymap %zu: %s", i, mw_errmsg());
        assert_int_equal(a.dims, 2);
        assert_int_equal(a.length[0], good[i].width);
        assert_int_equal(a.length[1], good[i].height);
        assert_int_equal(a.count, good[i].width * good[i].height);
        assert_int_equal(a.type, good[i].type);
        for (size_t k = 0; k < a.count; k++)
            if (pixel(&a, k) != good[i].pixels[k])
                fail_msg("graymap %zu: pixel %zu is %u", i, k, pixel(&a, k));
        mw_array_free(&a);
    }
}

/* Any image is read back unchanged, plain or raw, with 8 or 16 bits. */
static void random_graymaps_come_back(void **state)
{
    seed_random();
    for (int round = 0; round < 300; round++) {
        static char text[40000];
        unsigned values[1600];
        const unsigned width = 1 + (unsigned)rand() % 40, height = 1 + (unsigned)rand() % 40;
        const unsigned most = 1 + (unsigned)rand() % (rand() % 2 ? 255 : 65535);
        const bool plain = rand() % 2;
        size_t n = (size_t)sprintf(text, "P%c%s%u %u\n%u\n", plain ? '2' : '5', rand() % 2 ? "\n# made\n" : "\n", width,
                                   height, most);
        for (unsigned k = 0; k < width * height; k++) {
            values[k] = (unsigned)rand() % (most + 1);
            if (plain)
                n += (size_t)sprintf(text + n, "%u%s", values[k], rand() % 9 ? " " : "\n");
            if (!plain && most > 255)
                text[n++] = (char)(values[k] >> 8);
            if (!plain)
                text[n++] = (char)values[k];
        }
        struct mw_array a = { 0 };
        if (mw_pgm_read(store(text, n), &a) != 0)
            fail_msg("round %d: %s", round, mw_errmsg());
        assert_int_equal(a.length[0], width);
        assert_int_equal(a.length[1], height);
        for (unsigned k = 0; k < width * height; k++)
            assert_int_equal(pixel(&a, k), values[k]);
        mw_array_free(&a);
        /* A truncated file is refused, unless only blanks are missing. */
        const size_t cut = (size_t)rand() % n;
        const int rc = mw_pgm_read(store(text, cut), &a);
        if (rc == 0) {
            assert_true(plain && cut + 6 >= n);
            assert_int_equal(a.count, width * height);
            mw_array_free(&a);
        } else {
            assert_int_equal(rc, MW_EDATA);
        }
    }
}

/* ---- errors ---- */

static const struct {
    const char *bytes;
    size_t count;
    const char *reason;
} bad[] = {
    { BYTES(""), "does not begin with P1, P2, P4 or P5" },
    { BYTES("P"), "does not begin with P1, P2, P4 or P5" },
    { BYTES("PNG"), "does not begin with P1, P2, P4 or P5" },
    { BYTES("P8 1 1 1 1"), "does not begin with P1, P2, P4 or P5" },
    { BYTES("P6 1 1 255 abc"), "convert it to PGM" },
    { BYTES("P1 1 1 2"), "not 0 or 1" },
    { BYTES("P4 9 2 \377"), "valid PBM file: the header gives 9x2 pixels" },
    { BYTES("P41 1 a"), "valid PBM file: expected a blank after P1 or P4" },
    { BYTES("P4 0 2 a"), "valid PBM file: width and height" },
    { BYTES("P51 1 255 a"), "expected a blank after" },
    { BYTES("P5"), "width and height" },
    { BYTES("P5 # 3 2 255"), "width and height" },
    { BYTES("P5 0 2 255 "), "width and height" },
    { BYTES("P5 3 0 255 "), "width and height" },
    { BYTES("P5 -3 2 255 abcdef"), "width and height" },
    { BYTES("P5 3x 2 255 abcdef"), "width and height" },
    { BYTES("P5 3.0 2 255 abcdef"), "width and height" },
    { BYTES("P5 18446744073709551617 2 255 abcdef"), "width and height" },
    { BYTES("P5 3 2 0 abcdef"), "largest value" },
    { BYTES("P5 3 2 65536 abcdef"), "largest value" },
    { BYTES("P5 3 2 abcdef"), "largest value" },
    { BYTES("P5 3 2"), "largest value" },
    { BYTES("P5 3 2 255"), "unexpected end in the header" },
    { BYTES("P5 3 2 255 abcde"), "gives 3x2 pixels, too many for 5 bytes" },
    { BYTES("P5 3 2 256 abcdefghijk"), "gives 3x2 pixels, too many for 11 bytes" },
    { BYTES("P5 1000000000 1000000000 255 abcdef"), "gives 1000000000x1000000000 pixels" },
    { BYTES("P5 1073741824 1073741824 65535 abcdef"), "too many for" },
    { BYTES("P2 1073741824 1073741824 255 1 2 3"), "too many for" },
    { BYTES("P2 3 2 255 1 2 3 4 5"), "gives 3x2 pixels, too many for 9 bytes" },
    { BYTES("P2 3 2 255 100 200 3 4 5"), "pixel 5 of 6 is missing" },
    { BYTES("P2 3 2 255 1 2 3 4 5 x"), "pixel 5 of 6 is not a whole number" },
    { BYTES("P2 3 2 255 1 2 3 4 5 6x"), "pixel 5 of 6 is not a whole number" },
    { BYTES("P2 3 2 255 1 2 -3 4 5 6"), "pixel 2 of 6 is not a whole number" },
    { BYTES("P2 3 2 255 1 2 99999999999999999999999999 4 5 6"), "pixel 2 of 6 is not a whole number" },
    { BYTES("P2 3 2 255 1 2 256 4 5 6"), "pixel 2 is 256, but the header gives 255" },
    { BYTES("P2 3 2 255 1 2 3 4 5 6 7"), "unexpected data after" },
    { BYTES("P5 3 2 100 abcdef"), "pixel 4 is 101, but the header gives 100" },
    { BYTES("P5 3 2 15\t#\n \014\012\015"), "pixel 0 is 35, but" },
    { BYTES("P5 2 1 256 \001\001\000\000"), "pixel 0 is 257, but" },
    { BYTES("P5 3 2 255 abcdefg"), "unexpected data after" },
    { BYTES("P5 3 2 255 abcdef\nP5 3 2 255 abcdef"), "unexpected data after" },
};

static void others_are_refused(void **state)
{
    static const struct mw_array untouched = { .type = MW_TYPE_C128, .dims = 7, .count = 99 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mw_array a = untouched;
        const char *path = store(bad[i].bytes, bad[i].count);
        if (mw_pgm_read(path, &a) != MW_EDATA)
            fail_msg("'%s' is read", bad[i].bytes);
        if (!strstr(mw_errmsg(), bad[i].reason) || strncmp(mw_errmsg(), path, strlen(path)) != 0)
            fail_msg("'%s': \"%s\" instead of \"%s\"", bad[i].bytes, mw_errmsg(), bad[i].reason);
        assert_memory_equal(&a, &untouched, sizeof a);
    }
    struct mw_array a = untouched;
    assert_int_equal(mw_pgm_read(in("absent.pgm"), &a), MW_EIO);
    assert_memory_equal(&a, &untouched, sizeof a);
}

/* ---- raw elements ---- */

static void raw_elements_are_read(void **state)
{
    const uint16_t values[] = { 1, 2, 65535, 4, 5, 6 };
    const size_t length[] = { 3, 1, 2 };
    struct mw_array a = { 0 };
    assert_int_equal(mw_raw_read(store((const char *)values, sizeof values), MW_TYPE_U16, 3, length, &a), 0);
    assert_int_equal(a.dims, 3);
    assert_memory_equal(a.length, length, sizeof length);
    assert_int_equal(a.count, 6);
    assert_memory_equal(a.data, values, sizeof values);
    mw_array_free(&a);
    assert_int_equal(mw_raw_read(store("\0\1\7", 3), MW_TYPE_BOOL, 1, length, &a), 0);
    assert_memory_equal(a.data, "\0\1\1", 3);
    mw_array_free(&a);
}

static void wrong_lengths_are_refused(void **state)
{
    static const size_t fine[] = { 3, 2 }, empty[] = { 3, 0 }, huge[] = { SIZE_MAX / 2, 3 },
                        large[] = { SIZE_MAX / 8, 1 };
    static const struct {
        enum mw_type type;
        unsigned dims;
        const size_t *length;
        int rc;
        const char *reason;
    } cases[] = {
        { MW_TYPE_U8, 1, fine, MW_EDATA, "more than 3 bytes, but 3 of uint8 needs 3" },
        { MW_TYPE_U16, 2, fine, MW_EDATA, "has 6 bytes, but 3x2 of uint16 needs 12" },
        { MW_TYPE_U8, 2, empty, MW_EINVAL, "length 1 is 0" },
        { MW_TYPE_U8, 0, fine, MW_EINVAL, "1 to 8 lengths" },
        { MW_TYPE_U8, MW_DIMS_MAX + 1, fine, MW_EINVAL, "1 to 8 lengths" },
        { (enum mw_type)99, 2, fine, MW_EINVAL, "element type" },
        { MW_TYPE_U8, 2, huge, MW_ELIMIT, "address" },
        { MW_TYPE_F64, 2, large, MW_ELIMIT, "address" },
        { MW_TYPE_U8, 2, large, MW_EDATA, "needs" },
    };
    const char *path = store(BYTES("abcdef"));

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mw_array a = { .count = 99 };
        const int rc = mw_raw_read(path, cases[i].type, cases[i].dims, cases[i].length, &a);
        if (rc != cases[i].rc || !strstr(mw_errmsg(), cases[i].reason))
            fail_msg("case %zu: %d, \"%s\"", i, rc, mw_errmsg());
        assert_int_equal(a.count, 99);
        assert_null(a.data);
    }
    struct mw_array a = { .count = 99 };
    assert_int_equal(mw_raw_read(in("absent.raw"), MW_TYPE_U8, 2, fine, &a), MW_EIO);
    assert_int_equal(a.count, 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graymaps_are_read),         cmocka_unit_test(random_graymaps_come_back),
        cmocka_unit_test(others_are_refused),        cmocka_unit_test(raw_elements_are_read),
        cmocka_unit_test(wrong_lengths_are_refused),
    };

    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

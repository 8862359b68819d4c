/* Colour maps and images; written files are read back by libpng. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

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

#include "tests/scratch.h"

static void assert_colour(const unsigned char *colour, int r, int g, int b)
{
    if (colour[0] != r || colour[1] != g || colour[2] != b)
        fail_msg("%d,%d,%d instead of %d,%d,%d", colour[0], colour[1], colour[2], r, g, b);
}

enum { COLOURS = 256 };

/* Returns the status of the colours of 0 to 255. */
static int table_of(const char *map, unsigned char table[COLOURS][3])
{
    double values[COLOURS];
    const struct mw_array all = { MW_TYPE_F64, 1, { COLOURS }, COLOURS, values };
    for (int i = 0; i < COLOURS; i++)
        values[i] = i;
    return mw_colour_pixels(&all, map, 0, COLOURS - 1, table[0]);
}

static void maps_have_their_ends(void **state)
{
    unsigned char table[COLOURS][3];

    assert_int_equal(table_of("viridis", table), 0);
    assert_colour(table[0], 68, 1, 84);
    assert_colour(table[17], 72, 26, 108);
    assert_colour(table[255], 253, 231, 37);
    assert_int_equal(table_of("coolwarm", table), 0);
    assert_colour(table[0], 59, 76, 192);
    assert_colour(table[255], 180, 4, 38);
    assert_int_equal(table_of("gray", table), 0);
    for (int i = 0; i < COLOURS; i++)
        assert_colour(table[i], i, i, i);
    assert_int_equal(table_of("kinds", table), 0);
    for (int i = 1; i < COLOURS; i++) /* ten colours of equal widths */
        assert_true((memcmp(table[i], table[i - 1], 3) == 0) == (i * 10 / COLOURS == (i - 1) * 10 / COLOURS));
    assert_int_equal(table_of("jet", table), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "viridis, cividis, magma, coolwarm, hue, kinds, gray, gray16"));
    assert_int_equal(table_of(NULL, table), MW_EINVAL);
}

/* Neighbouring colours are similar, and the lightness of maps of amounts increases. */
static void maps_are_smooth(void **state)
{
    unsigned char table[COLOURS][3];

    for (size_t map = 0; mw_colour_maps(map) != NULL; map++) {
        const char *name = mw_colour_maps(map);
        double last = -1;
        if (strcmp(name, "kinds") == 0)
            continue;
        assert_int_equal(table_of(name, table), 0);
        for (int i = 1; i < COLOURS; i++)
            for (int c = 0; c < 3; c++)
                assert_in_range(abs(table[i][c] - table[i - 1][c]), 0, 5);
        for (int i = 0; i < COLOURS && strcmp(name, "coolwarm") != 0 && strcmp(name, "hue") != 0; i += 5) {
            double light = 0.2126 * table[i][0] + 0.7152 * table[i][1] + 0.0722 * table[i][2];
            assert_true(light > last);
            last = light;
        }
        if (strcmp(name, "hue") == 0)
            assert_memory_equal(table[0], table[COLOURS - 1], sizeof table[0]);
    }
}

#ifdef HAVE_LIBPNG
#include <png.h>

static bool gray; /* whether the image that was read last is */

/* Reads an image as RGB; the caller frees it. */
static unsigned char *read_png(const char *path, unsigned width, unsigned height)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    unsigned char *pixels;

    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s", path, image.message);
    assert_true(image.format == PNG_FORMAT_RGB || image.format == PNG_FORMAT_GRAY ||
                image.format == PNG_FORMAT_RGB_COLORMAP);
    gray = image.format == PNG_FORMAT_GRAY;
    image.format = PNG_FORMAT_RGB;
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    return pixels;
}

static void values_run_through_the_map(void **state)
{
    float values[6] = { 0, 255, 128, NAN, -7, INFINITY };
    struct mw_array a = { MW_TYPE_F32, 2, { 3, 2 }, 6, values };
    unsigned char *p;

    assert_int_equal(mw_png_write(in("a.png"), &a, "gray", 0, 255), 0);
    p = read_png(in("a.png"), 3, 2);
    assert_colour(p, 0, 0, 0);
    assert_colour(p + 3, 255, 255, 255);
    assert_colour(p + 6, 128, 128, 128);
    assert_colour(p + 9, 255, 0, 255);
    assert_colour(p + 12, 0, 0, 0);
    assert_colour(p + 15, 255, 0, 255);
    assert_false(gray);
    free(p);
    assert_int_equal(mw_png_write(in("a.png"), &a, "gray", 255, 0), 0); /* upside down */
    p = read_png(in("a.png"), 3, 2);
    assert_colour(p, 255, 255, 255);
    assert_colour(p + 3, 0, 0, 0);
    free(p);
    assert_int_equal(mw_png_write(in("a.png"), &a, "gray", 1, 1), 0); /* its own range: -7 to 255 */
    p = read_png(in("a.png"), 3, 2);
    assert_colour(p, 7, 7, 7);
    assert_colour(p + 3, 255, 255, 255);
    assert_colour(p + 12, 0, 0, 0);
    free(p);
}

static void extreme_values_are_drawn(void **state)
{
    double values[4] = { -1.7e308, 1.7e308, 0, NAN };
    struct mw_array a = { MW_TYPE_F64, 2, { 4, 1 }, 4, values };
    unsigned char *p;

    assert_int_equal(mw_png_write(in("b.png"), &a, "gray", 0, 0), 0);
    p = read_png(in("b.png"), 4, 1);
    assert_colour(p, 0, 0, 0);
    assert_colour(p + 3, 255, 255, 255);
    assert_colour(p + 6, 128, 128, 128);
    free(p);
    values[0] = values[1] = values[2]; /* one value: the middle */
    assert_int_equal(mw_png_write(in("b.png"), &a, "gray", 0, 0), 0);
    p = read_png(in("b.png"), 4, 1);
    assert_colour(p, 128, 128, 128);
    assert_colour(p + 9, 255, 0, 255);
    free(p);
    values[0] = values[1] = values[2] = NAN;
    assert_int_equal(mw_png_write(in("b.png"), &a, "gray", 0, 0), 0);
    p = read_png(in("b.png"), 4, 1);
    assert_colour(p, 255, 0, 255);
    free(p);
}

static void gray_levels_have_16_bits(void **state)
{
    float values[5] = { 0, 1, 0.25f, 1.0f / 65535, 7 };
    const uint16_t levels[5] = { 0, 65535, 16384, 1, 65535 };
    struct mw_array a = { MW_TYPE_F32, 2, { 5, 1 }, 5, values }, pixels;
    enum mw_png_kind kind;
    assert_int_equal(mw_png_write(in("deep.png"), &a, "gray16", 0, 1), 0);
    assert_int_equal(mw_png_read(in("deep.png"), &pixels, &kind), 0);
    assert_int_equal(kind, MW_PNG_GRAY);
    assert_int_equal(pixels.type, MW_TYPE_U16);
    assert_memory_equal(pixels.data, levels, sizeof levels);
    mw_array_free(&pixels);
    values[2] = NAN; /* in colours */
    assert_int_equal(mw_png_write(in("deep.png"), &a, "gray16", 0, 1), 0);
    free(read_png(in("deep.png"), 5, 1));
    assert_false(gray);
}

/* Two cells of each real type, the smaller and the larger; any number of dimensions. */
static void all_real_types_are_drawn(void **state)
{
    /* clang-format off */
    union { int8_t i8[2]; uint8_t u8[2]; int16_t i16[2]; uint16_t u16[2]; int32_t i32[2]; uint32_t u32[2];
            int64_t i64[2]; uint64_t u64[2]; float f32[2]; double f64[2]; } v;
    /* clang-format on */

    for (int type = MW_TYPE_BOOL; type <= MW_TYPE_C128; type++) {
        struct mw_array a = { (enum mw_type)type, 1, { 2 }, 2, &v };
        unsigned char *p;
        /* clang-format off */
        switch (type) {
        case MW_TYPE_BOOL: v.u8[0] = 0; v.u8[1] = 1; break;
        case MW_TYPE_I8: v.i8[0] = -128; v.i8[1] = 127; break;
        case MW_TYPE_U8: v.u8[0] = 127; v.u8[1] = 128; break;
        case MW_TYPE_I16: v.i16[0] = -1; v.i16[1] = 1; break;
        case MW_TYPE_U16: v.u16[0] = 1; v.u16[1] = 65535; break;
        case MW_TYPE_I32: v.i32[0] = INT32_MIN; v.i32[1] = 0; break;
        case MW_TYPE_U32: v.u32[0] = 0; v.u32[1] = UINT32_MAX; break;
        case MW_TYPE_I64: v.i64[0] = INT64_MIN; v.i64[1] = -1; break;
        case MW_TYPE_U64: v.u64[0] = 1; v.u64[1] = UINT64_MAX; break;
        case MW_TYPE_F32: v.f32[0] = -1e-40f; v.f32[1] = 1e-40f; break;
        case MW_TYPE_F64: v.f64[0] = -1e-300; v.f64[1] = 1e-300; break;
        /* clang-format on */
        default: assert_int_equal(mw_png_write(in("t.png"), &a, "gray", 0, 0), MW_EINVAL); continue;
        }
        assert_int_equal(mw_png_write(in("t.png"), &a, "gray", 0, 0), 0);
        p = read_png(in("t.png"), 2, 1);
        assert_colour(p, 0, 0, 0);
        assert_colour(p + 3, 255, 255, 255);
        assert_true(gray);
        free(p);
    }
}

static void a_plane_of_a_volume_is_the_first(void **state)
{
    uint8_t values[12] = { 0, 50, 100, 150, 200, 250 };
    struct mw_array a = { MW_TYPE_U8, 3, { 3, 2, 2 }, 12, values };
    struct mw_array point = { MW_TYPE_U8, 0, { 0 }, 1, values };
    unsigned char *p;

    assert_int_equal(mw_png_write(in("v.png"), &a, "gray", 0, 255), 0);
    p = read_png(in("v.png"), 3, 2);
    for (int i = 0; i < 6; i++)
        assert_colour(p + 3 * i, values[i], values[i], values[i]);
    free(p);
    assert_int_equal(mw_png_write(in("v.png"), &point, "gray", 0, 255), 0);
    free(read_png(in("v.png"), 1, 1));
}

static void the_same_picture_has_the_same_bytes(void **state)
{
    struct mw_array a = { 0 };
    char *first = NULL, *second = NULL;
    size_t n = 0, m = 0;
    assert_int_equal(mw_array_new(MW_TYPE_F32, 2, (size_t[]){ 300, 200 }, &a), 0);
    for (size_t i = 0; i < a.count; i++)
        ((float *)a.data)[i] = sinf((float)i * 0.013f);
    assert_int_equal(mw_png_write(in("one.png"), &a, "coolwarm", 0, 0), 0);
    sleep(1); /* a time stamp would differ */
    assert_int_equal(mw_png_write(in("two.png"), &a, "coolwarm", 0, 0), 0);
    assert_int_equal(mw_file_read(in("one.png"), SIZE_MAX, &first, &n), 0);
    assert_int_equal(mw_file_read(in("two.png"), SIZE_MAX, &second, &m), 0);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
    free(first);
    free(second);
    mw_array_free(&a);
}

static void bad_calls_are_refused(void **state)
{
    uint8_t values[4] = { 0 };
    struct mw_array a = { MW_TYPE_U8, 2, { 2, 2 }, 4, values }, none = { MW_TYPE_U8, 2, { 0, 2 }, 0, values };
    struct mw_array wide = { MW_TYPE_U8, 1, { 1000001 }, 1000001, values };
    assert_int_equal(mw_png_write(in("x.png"), &a, "rainbow", 0, 1), MW_EINVAL);
    assert_int_equal(mw_png_write(in("x.png"), &a, "gray", 0, NAN), MW_EINVAL);
    assert_int_equal(mw_png_write(in("x.png"), &a, "gray", -INFINITY, 0), MW_EINVAL);
    assert_int_equal(mw_png_write(in("x.png"), &none, "gray", 0, 1), MW_EINVAL);
    assert_int_equal(mw_png_write(in("x.png"), &wide, "gray", 0, 1), MW_ELIMIT);
    assert_int_equal(mw_png_write(in("nowhere/x.png"), &a, "gray", 0, 1), MW_EIO);
    assert_int_not_equal(access(in("x.png"), F_OK), 0);
    if (access("/dev/full", W_OK) == 0) {
        struct mw_array noise = { 0 };
        assert_int_equal(mw_array_new(MW_TYPE_U8, 2, (size_t[]){ 512, 512 }, &noise), 0);
        for (size_t i = 0; i < noise.count; i++)
            ((uint8_t *)noise.data)[i] = (uint8_t)(i * i >> 5);
        /* the error occurs within libpng */
        assert_int_equal(mw_png_write("/dev/full", &noise, "gray", 0, 255), MW_EIO);
        assert_non_null(strstr(mw_errmsg(), "No space left"));
        mw_array_free(&noise);
    }
}
#else
static void without_libpng_it_is_said(void **state)
{
    uint8_t value = 0;
    struct mw_array a = { MW_TYPE_U8, 0, { 0 }, 1, &value };
    assert_int_equal(mw_png_write(in("x.png"), &a, "gray", 0, 1), MW_ENOTSUP);
    assert_non_null(strstr(mw_errmsg(), "libpng"));
    assert_int_not_equal(access(in("x.png"), F_OK), 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_have_their_ends),
        cmocka_unit_test(maps_are_smooth),
#ifdef HAVE_LIBPNG
        cmocka_unit_test(values_run_through_the_map),
        cmocka_unit_test(gray_levels_have_16_bits),
        cmocka_unit_test(extreme_values_are_drawn),
        cmocka_unit_test(all_real_types_are_drawn),
        cmocka_unit_test(a_plane_of_a_volume_is_the_first),
        cmocka_unit_test(the_same_picture_has_the_same_bytes),
        cmocka_unit_test(bad_calls_are_refused),
#else
        cmocka_unit_test(without_libpng_it_is_said),
#endif
    };

    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

/* Pixels of images: written files are read back; others were written by libpng, or are no images. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/io.h>

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"
#include "tests/scratch.h"

#ifndef FUZZ_ROUNDS
#define FUZZ_ROUNDS 400
#endif

/* Gray pixels are unchanged; others are unpacked to channels in one more dimension, and packed again. */
static void channels_come_and_go(void **state)
{
    uint8_t rgba[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    static const uint8_t alpha[8] = { 1, 4, 5, 8, 9, 12, 13, 16 };
    static const uint8_t rgb[12] = { 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15 };
    static const struct {
        enum mw_png_kind kind;
        size_t count;
        const uint8_t *channels;
    } cases[] = { { MW_PNG_GRAY_ALPHA, 2, alpha }, { MW_PNG_RGB, 3, rgb } };
    struct mw_array pixels = { MW_TYPE_U32, 2, { 2, 2 }, 4, rgba }, channels = { 0 }, back = { 0 };
    struct mw_array gray = { MW_TYPE_U16, 2, { 4, 2 }, 8, rgba }, volume = { MW_TYPE_U8, 3, { 5, 1, 1 }, 5, rgba };
    struct mw_array flat = { MW_TYPE_U16, 1, { 8 }, 8, rgba };
    enum mw_png_kind kind;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(mw_png_to_channels(&pixels, cases[i].kind, &channels), 0);
        assert_int_equal(channels.type, MW_TYPE_U8);
        assert_int_equal(channels.dims, 3);
        assert_int_equal(channels.length[0], cases[i].count);
        assert_int_equal(channels.length[1] * channels.length[2], 4);
        assert_memory_equal(channels.data, cases[i].channels, 4 * cases[i].count);
        assert_int_equal(mw_png_from_channels(&channels, &back, &kind), 0);
        assert_int_equal(kind, cases[i].kind);
        assert_int_equal(back.type, MW_TYPE_U32);
        assert_int_equal(back.dims, 2);
        mw_array_free(&channels);
        assert_int_equal(mw_png_to_channels(&back, kind, &channels), 0);
        assert_memory_equal(channels.data, cases[i].channels, 4 * cases[i].count);
        mw_array_free(&channels);
        mw_array_free(&back);
    }
    assert_int_equal(mw_png_to_channels(&gray, MW_PNG_GRAY, &channels), 0);
    assert_int_equal(channels.dims, 2);
    assert_int_equal(channels.type, MW_TYPE_U16);
    assert_memory_equal(channels.data, rgba, 16);
    mw_array_free(&channels);
    assert_int_equal(mw_png_from_channels(&flat, &back, &kind), 0);
    assert_int_equal(kind, MW_PNG_GRAY);
    assert_int_equal(back.dims, 1);
    assert_memory_equal(back.data, rgba, 16);
    mw_array_free(&back);
    assert_int_equal(mw_png_from_channels(&volume, &back, &kind), MW_EINVAL); /* 5 channels */
    assert_int_equal(mw_png_from_channels(&pixels, &back, &kind), MW_EINVAL); /* uint32 */
    assert_int_equal(mw_png_to_channels(&pixels, MW_PNG_GRAY, &channels), MW_EINVAL);
    assert_int_equal(mw_png_to_channels(&gray, MW_PNG_RGB, &channels), MW_EINVAL);
    assert_int_equal(mw_png_to_channels(&gray, (enum mw_png_kind)9, &channels), MW_EINVAL);
    assert_null(channels.data);
    assert_null(back.data);
}

#ifdef HAVE_LIBPNG
#include <png.h>

/* A file in one of PNG's encodings, with rows as libpng expects them. */
struct file {
    unsigned width, height;
    int depth, colours, interlaced;
    const unsigned char *rows;
    size_t row_bytes;
    int palette_size, alpha_size;
    png_color palette[4];
    unsigned char alpha[4]; /* the palette's first colours */
    int transparent[3];     /* a gray or a colour, if alpha_size is -1 */
};

static void write_png(const char *path, const struct file *f)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_color_16 transparent = { .gray = (png_uint_16)f->transparent[0],
                                 .red = (png_uint_16)f->transparent[0],
                                 .green = (png_uint_16)f->transparent[1],
                                 .blue = (png_uint_16)f->transparent[2] };
    FILE *stream = fopen(path, "wb");

    assert_non_null(stream);
    png_init_io(png, stream);
    png_set_IHDR(png, info, f->width, f->height, f->depth, f->colours,
                 f->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (f->palette_size > 0)
        png_set_PLTE(png, info, f->palette, f->palette_size);
    if (f->alpha_size != 0)
        png_set_tRNS(png, info, f->alpha, f->alpha_size > 0 ? f->alpha_size : 0,
                     f->alpha_size < 0 ? &transparent : NULL);
    png_write_info(png, info);
    for (int passes = png_set_interlace_handling(png); passes > 0; passes--)
        for (unsigned y = 0; y < f->height; y++)
            png_write_row(png, f->rows + y * f->row_bytes);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(stream);
}

/* Reads a file and compares its pixels with the expected channels of their kind. */
static void assert_reads(const char *path, const struct file *f, enum mw_png_kind kind, enum mw_type type,
                         const void *expected)
{
    struct mw_array pixels = { 0 }, channels = { 0 };
    enum mw_png_kind found = (enum mw_png_kind) - 1;
    write_png(path, f);
    if (mw_png_read(path, &pixels, &found) != 0)
        fail_msg("%s", mw_errmsg());
    assert_int_equal(found, kind);
    assert_int_equal(pixels.dims, 2);
    assert_int_equal(pixels.length[0], f->width);
    assert_int_equal(pixels.length[1], f->height);
    assert_int_equal(mw_png_to_channels(&pixels, kind, &channels), 0);
    assert_int_equal(channels.type, type);
    assert_memory_equal(channels.data, expected, channels.count * mw_type_bytes(type));
    mw_array_free(&channels);
    mw_array_free(&pixels);
}

/* Eight pixels of two bits. */
static const unsigned char twos[2] = { 0x1B, 0xE4 };

static void all_grays_are_read(void **state)
{
    static const unsigned char bits[2] = { 0xB0, 0x40 }, fours[4] = { 0x0F, 0x8C, 0x10, 0x3A };
    static const unsigned char keyed[2] = { 0x10, 0xB0 };
    static const unsigned char gray16[8] = { 0x12, 0x34, 0x00, 0xFF, 0xFF, 0x00, 0xAB, 0xCD };
    static const unsigned char bits_read[8] = { 255, 0, 255, 255, 0, 255, 0, 0 };
    static const unsigned char twos_read[8] = { 0, 85, 170, 255, 255, 170, 85, 0 };
    static const unsigned char fours_read[8] = { 0, 255, 136, 204, 17, 0, 51, 170 };
    static const uint16_t gray16_read[4] = { 0x1234, 0x00FF, 0xFF00, 0xABCD };
    static const unsigned char keyed_read[8] = { 0, 255, 85, 0, 170, 255, 255, 255 };
    /* clang-format off */
    static const struct { struct file file; enum mw_png_kind kind; enum mw_type type; const void *read; } grays[] = {
        { { .width = 4, .height = 2, .depth = 1, .rows = bits, .row_bytes = 1 }, MW_PNG_GRAY, MW_TYPE_U8, bits_read },
        { { .width = 4, .height = 2, .depth = 2, .rows = twos, .row_bytes = 1 }, MW_PNG_GRAY, MW_TYPE_U8, twos_read },
        { { .width = 4, .height = 2, .depth = 4, .rows = fours, .row_bytes = 2 }, MW_PNG_GRAY, MW_TYPE_U8, fours_read },
        { { .width = 2, .height = 2, .depth = 16, .rows = gray16, .row_bytes = 4 }, MW_PNG_GRAY, MW_TYPE_U16,
          gray16_read },
        /* One gray is transparent. */
        { { .width = 2, .height = 2, .depth = 2, .rows = keyed, .row_bytes = 1, .alpha_size = -1,
            .transparent = { 1 } }, MW_PNG_GRAY_ALPHA, MW_TYPE_U8, keyed_read },
    };
    /* clang-format on */

    for (size_t i = 0; i < 2 * MW_COUNT(grays); i++) {
        struct file f = grays[i / 2].file;
        f.interlaced = i % 2;
        assert_reads(in("e.png"), &f, grays[i / 2].kind, grays[i / 2].type, grays[i / 2].read);
    }
}

static void all_colours_are_read(void **state)
{
    static const unsigned char colours[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    static const uint16_t rgb16_read[2][3] = { { 0x0102, 0x0304, 0x0506 }, { 0x0708, 0x090A, 0x0B0C } };
    static const unsigned char keyed_read[4][4] = {
        { 1, 2, 3, 255 }, { 4, 5, 6, 0 }, { 7, 8, 9, 255 }, { 10, 11, 12, 255 }
    };

    for (int interlaced = 0; interlaced < 2; interlaced++) {
        struct file f = { .width = 1,
                          .height = 2,
                          .depth = 16,
                          .colours = PNG_COLOR_TYPE_RGB,
                          .rows = colours,
                          .row_bytes = 6,
                          .interlaced = interlaced };
        assert_reads(in("e.png"), &f, MW_PNG_RGB, MW_TYPE_U16, rgb16_read);
        f.width = 2;
        f.depth = 8;
        assert_reads(in("e.png"), &f, MW_PNG_RGB, MW_TYPE_U8, colours);
        f.alpha_size = -1; /* one colour is transparent */
        memcpy(f.transparent, (int[]){ 4, 5, 6 }, sizeof f.transparent);
        assert_reads(in("e.png"), &f, MW_PNG_RGBA, MW_TYPE_U8, keyed_read);
    }
}

static void palettes_are_read(void **state)
{
    static const unsigned char palette_read[8][3] = { { 1, 2, 3 },    { 4, 5, 6 }, { 7, 8, 9 }, { 10, 11, 12 },
                                                      { 10, 11, 12 }, { 7, 8, 9 }, { 4, 5, 6 }, { 1, 2, 3 } };
    /* clang-format off */
    static const unsigned char alpha_read[8][4] = {
        { 1, 2, 3, 9 }, { 4, 5, 6, 8 }, { 7, 8, 9, 255 }, { 10, 11, 12, 255 },
        { 10, 11, 12, 255 }, { 7, 8, 9, 255 }, { 4, 5, 6, 8 }, { 1, 2, 3, 9 } };

    for (int interlaced = 0; interlaced < 2; interlaced++) {
        struct file f = { .width = 4, .height = 2, .depth = 2, .colours = PNG_COLOR_TYPE_PALETTE, .rows = twos,
                          .row_bytes = 1, .palette_size = 4, .interlaced = interlaced };
        for (int i = 0; i < 4; i++)
            f.palette[i] = (png_color){ (png_byte)(3 * i + 1), (png_byte)(3 * i + 2), (png_byte)(3 * i + 3) };
        assert_reads(in("e.png"), &f, MW_PNG_RGB, MW_TYPE_U8, palette_read);
        f.alpha_size = 2;
        f.alpha[0] = 9;
        f.alpha[1] = 8;
        assert_reads(in("e.png"), &f, MW_PNG_RGBA, MW_TYPE_U8, alpha_read);
    }
    /* clang-format on */
}

static void pixels_survive_a_file(void **state)
{
    static const enum mw_type types[2][2] = { { MW_TYPE_U8, MW_TYPE_U16 }, { MW_TYPE_U32, MW_TYPE_U64 } };
    seed_random();
    for (int i = 0; i < 40; i++) {
        const enum mw_png_kind kind = (enum mw_png_kind)(i % 4);
        const size_t length[2] = { 1 + random_below(70), 1 + random_below(20) };
        struct mw_array pixels = { 0 }, back = { 0 }, a = { 0 }, b = { 0 };
        enum mw_png_kind found;
        assert_int_equal(mw_array_new(types[kind != MW_PNG_GRAY][i / 4 % 2], 2, length, &pixels), 0);
        for (size_t k = 0; k < pixels.count * mw_type_bytes(pixels.type); k++)
            ((unsigned char *)pixels.data)[k] = (unsigned char)random_below(256);
        assert_int_equal(mw_png_write_pixels(in("p.png"), &pixels, kind), 0);
        assert_int_equal(mw_png_read(in("p.png"), &back, &found), 0);
        assert_int_equal(found, kind);
        assert_int_equal(back.type, pixels.type);
        assert_memory_equal(back.length, pixels.length, 2 * sizeof(size_t));
        assert_int_equal(mw_png_to_channels(&pixels, kind, &a), 0);
        assert_int_equal(mw_png_to_channels(&back, kind, &b), 0);
        assert_memory_equal(a.data, b.data, a.count * mw_type_bytes(a.type));
        if (kind == MW_PNG_RGB) /* a pixel without alpha is opaque */
            assert_int_equal(((unsigned char *)back.data)[mw_type_bytes(back.type) - 1], 255);
        for (struct mw_array *each[] = { &pixels, &back, &a, &b, NULL }, **e = each; *e; e++)
            mw_array_free(*e);
    }
}

/* ---- damaged and manipulated files ---- */

static void put_32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* Corrects the checksum of each chunk, so that a change gets past the first check. */
static void seal(unsigned char *bytes, size_t n)
{
    for (size_t at = 8; at + 12 <= n;) {
        const size_t length = (size_t)bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
        uint32_t crc = UINT32_MAX;
        if (length > n - at - 12)
            return;
        for (size_t i = at + 4; i < at + 8 + length; i++) {
            crc ^= bytes[i];
            for (int bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        }
        put_32(bytes + at + 8 + length, ~crc);
        at += length + 12;
    }
}

/* Reads any file: the result is well-formed, or an error without side effects. */
static int read_anything(const char *path)
{
    unsigned char before;
    struct mw_array pixels = { .data = &before };
    enum mw_png_kind kind = (enum mw_png_kind)7;
    int rc = mw_png_read(path, &pixels, &kind);

    if (rc != 0) {
        assert_int_equal(kind, 7);
        assert_ptr_equal(pixels.data, &before);
        assert_non_null(strstr(mw_errmsg(), path));
        assert_null(strchr(mw_errmsg(), '\n'));
        return rc;
    }
    assert_in_range(kind, MW_PNG_GRAY, MW_PNG_RGBA);
    assert_int_equal(pixels.count, pixels.length[0] * pixels.length[1]);
    mw_array_free(&pixels);
    return 0;
}

/* clang-format off */
static const struct file samples[] = {
    { .width = 9, .height = 5, .depth = 8, .colours = PNG_COLOR_TYPE_RGB, .interlaced = 1, .row_bytes = 27 },
    { .width = 33, .height = 4, .depth = 1, .colours = PNG_COLOR_TYPE_PALETTE, .row_bytes = 5, .palette_size = 2,
      .alpha_size = 1 },
    { .width = 7, .height = 6, .depth = 16, .colours = PNG_COLOR_TYPE_GRAY_ALPHA, .row_bytes = 28 },
    { .width = 10, .height = 3, .depth = 4, .colours = PNG_COLOR_TYPE_GRAY, .row_bytes = 5, .alpha_size = -1,
      .transparent = { 3, 3, 3 } },
};
/* clang-format on */

/* Returns the bytes of a sample with random pixels; the caller frees them. */
static unsigned char *sample(size_t i, size_t *n)
{
    unsigned char rows[256];
    struct file f = samples[i % (sizeof samples / sizeof *samples)];
    char *bytes;

    for (size_t k = 0; k < sizeof rows; k++)
        rows[k] = (unsigned char)random_below(256);
    f.rows = rows;
    write_png(in("s.png"), &f);
    assert_int_equal(mw_file_read(in("s.png"), SIZE_MAX, &bytes, n), 0);
    return (unsigned char *)bytes;
}

static void what_ends_early_is_refused(void **state)
{
    seed_random();
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        size_t n;
        unsigned char *bytes = sample(i, &n);
        for (size_t left = 0; left < n; left++) {
            put_bytes(in("cut.png"), bytes, left);
            assert_int_equal(read_anything(in("cut.png")), MW_EDATA);
        }
        put_bytes(in("cut.png"), bytes, n);
        assert_int_equal(read_anything(in("cut.png")), 0);
        free(bytes);
    }
}

static void what_lies_is_refused(void **state)
{
    size_t n;
    unsigned char *bytes;

    seed_random();
    bytes = sample(0, &n);
    put_32(bytes + 16, 1000000); /* a terabyte, by its header */
    put_32(bytes + 20, 1000000);
    seal(bytes, n);
    put_bytes(in("lie.png"), bytes, n);
    assert_int_equal(read_anything(in("lie.png")), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "more pixels than the file can contain"));
    put_32(bytes + 16, 1000001);
    put_32(bytes + 20, 1);
    seal(bytes, n);
    put_bytes(in("lie.png"), bytes, n);
    assert_int_equal(read_anything(in("lie.png")), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "width"));
    put_32(bytes + 16, 9);
    put_32(bytes + 20, 6); /* one row more than there is */
    seal(bytes, n);
    put_bytes(in("lie.png"), bytes, n);
    assert_int_equal(read_anything(in("lie.png")), MW_EDATA);
    bytes[0] = 'P';
    put_bytes(in("lie.png"), bytes, n);
    assert_int_equal(read_anything(in("lie.png")), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "begin"));
    free(bytes);
    assert_int_equal(read_anything(in("absent.png")), MW_EIO);
    assert_int_equal(read_anything(folder), MW_EIO);
}

/* Changes one to four bytes, and sometimes the end; in most rounds it corrects the checksums. */
static void no_file_does_harm(void **state)
{
    unsigned refused = 0;
    seed_random();
    for (unsigned round = 0; round < FUZZ_ROUNDS; round++) {
        size_t n;
        unsigned char *bytes = sample(round, &n);
        for (unsigned changes = 1 + random_below(4); changes > 0; changes--) {
            unsigned char *byte = &bytes[random_below(n)];
            *byte = random_below(2) ? (unsigned char)random_below(256) : *byte ^ (unsigned char)(1 << random_below(8));
        }
        if (random_below(8) == 0)
            n = 1 + random_below(n);
        if (random_below(4) != 0)
            seal(bytes, n);
        put_bytes(in("fuzz.png"), bytes, n);
        int rc = read_anything(in("fuzz.png"));
        if (rc != 0 && rc != MW_EDATA)
            fail_msg("%d instead of MW_EDATA: %s", rc, mw_errmsg());
        refused += rc != 0;
        free(bytes);
    }
    assert_in_range(refused, FUZZ_ROUNDS / 8, FUZZ_ROUNDS - 1);
}

static void bad_pixels_are_refused(void **state)
{
    uint32_t values[8] = { 0 };
    struct mw_array a = { MW_TYPE_U32, 2, { 2, 2 }, 4, values }, volume = { MW_TYPE_U8, 3, { 2, 2, 2 }, 8, values };
    struct mw_array none = { MW_TYPE_U8, 2, { 2, 0 }, 0, values }, field = { MW_TYPE_F32, 2, { 2, 2 }, 4, values };
    struct mw_array tall = { MW_TYPE_U8, 2, { 1, 1000001 }, 1000001, values };
    assert_int_equal(mw_png_write_pixels(in("y.png"), &a, MW_PNG_GRAY), MW_EINVAL);
    assert_int_equal(mw_png_write_pixels(in("y.png"), &a, (enum mw_png_kind)4), MW_EINVAL);
    assert_int_equal(mw_png_write_pixels(in("y.png"), &volume, MW_PNG_GRAY), MW_EINVAL);
    assert_int_equal(mw_png_write_pixels(in("y.png"), &volume, MW_PNG_RGB), MW_EINVAL);
    assert_int_equal(mw_png_write_pixels(in("y.png"), &none, MW_PNG_GRAY), MW_EINVAL);
    assert_int_equal(mw_png_write_pixels(in("y.png"), &field, MW_PNG_RGBA), MW_EINVAL);
    assert_int_equal(mw_png_write_pixels(in("y.png"), &tall, MW_PNG_GRAY), MW_ELIMIT);
    assert_int_equal(mw_png_write_pixels(in("nowhere/y.png"), &a, MW_PNG_RGBA), MW_EIO);
    assert_int_not_equal(access(in("y.png"), F_OK), 0);
}
#else
static void without_libpng_it_is_said(void **state)
{
    uint8_t value = 0;
    struct mw_array a = { MW_TYPE_U8, 0, { 0 }, 1, &value };
    enum mw_png_kind kind;
    assert_int_equal(mw_png_write_pixels(in("x.png"), &a, MW_PNG_GRAY), MW_ENOTSUP);
    assert_non_null(strstr(mw_errmsg(), "libpng"));
    assert_int_equal(mw_png_read(in("x.png"), &a, &kind), MW_ENOTSUP);
    assert_int_not_equal(access(in("x.png"), F_OK), 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_come_and_go),
#ifdef HAVE_LIBPNG
        cmocka_unit_test(all_grays_are_read),         cmocka_unit_test(all_colours_are_read),
        cmocka_unit_test(palettes_are_read),          cmocka_unit_test(pixels_survive_a_file),
        cmocka_unit_test(what_ends_early_is_refused), cmocka_unit_test(what_lies_is_refused),
        cmocka_unit_test(no_file_does_harm),          cmocka_unit_test(bad_pixels_are_refused),
#else
        cmocka_unit_test(without_libpng_it_is_said),
#endif
    };

    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

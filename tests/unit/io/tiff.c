/* TIFF: files that libtiff wrote, in strips and tiles, compressed, with palettes and colours, are read. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/io.h>

#include "base/base.h"
#include "tests/check.h"
#include "tests/scratch.h"

#ifdef HAVE_TIFF
#include <tiffio.h>

/* How a page is stored. */
struct stored {
    uint16_t bits, format, samples, photometric, planar, compression;
    uint32_t width, height, tile; /* tile: side of tiles, or 0 for strips of 3 rows */
};

/* Returns sample s of pixel (x, y) on a page: any value of its bits. */
static uint64_t sample_at(const struct stored *f, size_t page, size_t x, size_t y, unsigned s)
{
    const uint64_t word = (x * 0x9e3779b97f4a7c15 + y * 0xbf58476d1ce4e5b9 + 7919 * page + 104729 * s) >> 7;
    return f->bits < 64 ? word & ((1ull << f->bits) - 1) : word;
}

static void put_sample(const struct stored *f, unsigned char *row, size_t i, uint64_t value)
{
    if (f->bits >= 8)
        memcpy(row + i * f->bits / 8, &value, f->bits / 8); /* the host of this test is little-endian, or skips it */
    else
        row[i * f->bits / 8] |= (unsigned char)(value << (8 - f->bits - i * f->bits % 8));
}

static void write_page(TIFF *t, const struct stored *f, size_t page)
{
    const bool separate = f->planar == PLANARCONFIG_SEPARATE;
    const unsigned each = separate ? 1 : f->samples;
    uint16_t map[3][256], extra = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, f->width);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, f->height);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, f->bits);
    TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, f->format);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, f->samples);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, f->photometric);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, f->planar);
    TIFFSetField(t, TIFFTAG_COMPRESSION, f->compression);
    if (f->samples % 2 == 0)
        TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &extra);
    for (size_t i = 0; i < 256; i++)
        for (size_t c = 0; c < 3; c++)
            map[c][i] = (uint16_t)(256 * ((i * 7 + c * 31) % 256));
    if (f->photometric == PHOTOMETRIC_PALETTE)
        TIFFSetField(t, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    if (f->tile) {
        TIFFSetField(t, TIFFTAG_TILEWIDTH, f->tile);
        TIFFSetField(t, TIFFTAG_TILELENGTH, f->tile);
    } else {
        TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 3);
    }
    const size_t width = f->tile ? f->tile : f->width, height = f->tile ? f->tile : 1;
    const size_t row_bytes = f->tile ? (size_t)TIFFTileRowSize(t) : (size_t)TIFFScanlineSize(t);
    unsigned char *bytes = room(height, row_bytes);
    for (unsigned plane = 0; plane < (separate ? f->samples : 1u); plane++)
        for (size_t y0 = 0; y0 < f->height; y0 += height)
            for (size_t x0 = 0; x0 < f->width; x0 += width) {
                memset(bytes, 0, height * row_bytes);
                for (size_t y = y0; y < y0 + height && y < f->height; y++)
                    for (size_t x = x0; x < x0 + width && x < f->width; x++)
                        for (unsigned s = 0; s < each; s++)
                            put_sample(f, bytes + (y - y0) * row_bytes, (x - x0) * each + s,
                                       sample_at(f, page, x, y, plane + s));
                if (f->tile)
                    assert_true(TIFFWriteTile(t, bytes, (uint32_t)x0, (uint32_t)y0, 0, (uint16_t)plane) > 0);
                else
                    assert_true(TIFFWriteScanline(t, bytes, (uint32_t)y0, (uint16_t)plane) > 0);
            }
    assert_true(TIFFWriteDirectory(t));
    free(bytes);
}

static void write_tiff(const struct stored *f, size_t pages, const char *mode)
{
    TIFF *t = TIFFOpen(in("a.tif"), mode);
    assert_non_null(t);
    for (size_t page = 0; page < pages; page++)
        write_page(t, f, page);
    TIFFClose(t);
}

/* Returns the pixel that mw_array_load should give. */
static uint64_t expected(const struct stored *f, size_t page, size_t x, size_t y)
{
    const unsigned deep = f->bits == 16 ? 16 : 8;
    uint64_t pixel = 0;
    if (f->photometric == PHOTOMETRIC_PALETTE) {
        const uint64_t i = sample_at(f, page, x, y, 0);
        for (unsigned c = 0; c < 3; c++)
            pixel |= (i * 7 + c * 31) % 256 << 8 * c;
        return pixel | 255ull << 24;
    }
    if (f->samples == 1)
        return sample_at(f, page, x, y, 0);
    for (unsigned s = 0; s < f->samples; s++)
        pixel |= sample_at(f, page, x, y, s) << deep * (f->samples == 2 && s ? 3 : s);
    return f->samples == 3 ? pixel | ((1ull << deep) - 1) << 3 * deep : pixel;
}

static void check_tiff(const struct stored *f, size_t pages, enum mw_type type, enum mw_png_kind kind)
{
    struct mw_array a = { 0 };
    enum mw_png_kind found;
    OK(mw_array_load_pixels(in("a.tif"), NULL, &a, &found));
    assert_int_equal(found, kind);
    assert_int_equal(a.type, type);
    assert_int_equal(a.dims, pages > 1 ? 3 : 2);
    assert_int_equal(a.length[0], f->width);
    assert_int_equal(a.length[1], f->height);
    assert_int_equal(a.count, f->width * f->height * pages);
    for (size_t i = 0; i < a.count; i++) {
        const size_t page = i / (f->width * f->height), y = i / f->width % f->height;
        const uint64_t want = expected(f, page, i % f->width, y);
        if (memcmp((char *)a.data + i * mw_type_bytes(type), &want, mw_type_bytes(type)) != 0)
            fail_msg("element %zu differs: %d bits, %d samples, tile %u", i, f->bits, f->samples, f->tile);
    }
    mw_array_free(&a);
}

static const struct kind {
    uint16_t bits, format, samples, photometric;
    enum mw_type type;
    enum mw_png_kind kind;
} kinds[] = {
    { 1, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISWHITE, MW_TYPE_U8, MW_PNG_GRAY },
    { 2, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISBLACK, MW_TYPE_U8, MW_PNG_GRAY },
    { 4, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISBLACK, MW_TYPE_U8, MW_PNG_GRAY },
    { 8, SAMPLEFORMAT_INT, 1, PHOTOMETRIC_MINISBLACK, MW_TYPE_I8, MW_PNG_GRAY },
    { 16, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISBLACK, MW_TYPE_U16, MW_PNG_GRAY },
    { 32, SAMPLEFORMAT_INT, 1, PHOTOMETRIC_MINISBLACK, MW_TYPE_I32, MW_PNG_GRAY },
    { 32, SAMPLEFORMAT_IEEEFP, 1, PHOTOMETRIC_MINISBLACK, MW_TYPE_F32, MW_PNG_GRAY },
    { 64, SAMPLEFORMAT_IEEEFP, 1, PHOTOMETRIC_MINISBLACK, MW_TYPE_F64, MW_PNG_GRAY },
    { 8, SAMPLEFORMAT_UINT, 2, PHOTOMETRIC_MINISBLACK, MW_TYPE_U32, MW_PNG_GRAY_ALPHA },
    { 16, SAMPLEFORMAT_UINT, 2, PHOTOMETRIC_MINISBLACK, MW_TYPE_U64, MW_PNG_GRAY_ALPHA },
    { 8, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_RGB, MW_TYPE_U32, MW_PNG_RGB },
    { 8, SAMPLEFORMAT_UINT, 4, PHOTOMETRIC_RGB, MW_TYPE_U32, MW_PNG_RGBA },
    { 16, SAMPLEFORMAT_UINT, 3, PHOTOMETRIC_RGB, MW_TYPE_U64, MW_PNG_RGB },
    { 16, SAMPLEFORMAT_UINT, 4, PHOTOMETRIC_RGB, MW_TYPE_U64, MW_PNG_RGBA },
    { 4, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, MW_TYPE_U32, MW_PNG_RGB },
    { 8, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_PALETTE, MW_TYPE_U32, MW_PNG_RGB },
};

static void files_of_libtiff_are_read(void **state)
{
    static const uint16_t compressions[] = { COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_PACKBITS,
                                             COMPRESSION_ADOBE_DEFLATE };
    static const char *const modes[] = { "w", "wb", "w8", "w8b" };
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        skip();
    for (size_t i = 0; i < 12 * MW_COUNT(kinds); i++) {
        const struct kind *k = &kinds[i % MW_COUNT(kinds)];
        const size_t pages = 1 + random_below(3);
        const struct stored f = { k->bits,
                                  k->format,
                                  k->samples,
                                  k->photometric,
                                  k->samples > 1 && random_below(2) ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG,
                                  compressions[random_below(MW_COUNT(compressions))],
                                  (uint32_t)(1 + random_below(70)),
                                  (uint32_t)(1 + random_below(40)),
                                  random_below(2) ? 16 : 0 };
        if (!TIFFIsCODECConfigured(f.compression))
            continue;
        write_tiff(&f, pages, modes[random_below(MW_COUNT(modes))]);
        check_tiff(&f, pages, k->type, k->kind);
    }
}

#define GRAY(bits, width)                                                                                              \
    {                                                                                                                  \
        bits, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISBLACK, PLANARCONFIG_CONTIG, COMPRESSION_NONE, width, 7, 0         \
    }

static void other_files_are_refused(void **state)
{
    const struct stored gray = GRAY(8, 9), wider = GRAY(8, 10), odd = GRAY(24, 9);
    struct stored many = GRAY(8, 9), lab = GRAY(8, 9);
    struct mw_array a = { 0 };
    TIFF *t = TIFFOpen(in("a.tif"), "w");
    write_page(t, &gray, 0);
    write_page(t, &wider, 0);
    TIFFClose(t);
    FAILS(MW_EDATA, "page 1 has 10x7", mw_array_load(in("a.tif"), &a));
    write_tiff(&odd, 1, "w");
    FAILS(MW_EDATA, "24 bits", mw_array_load(in("a.tif"), &a));
    many.samples = 5;
    write_tiff(&many, 1, "w");
    FAILS(MW_EDATA, "5 channels", mw_array_load(in("a.tif"), &a));
    lab.samples = 3;
    lab.photometric = PHOTOMETRIC_CIELAB;
    write_tiff(&lab, 1, "w");
    FAILS(MW_EDATA, "photometric interpretation 8", mw_array_load(in("a.tif"), &a));
    put_bytes(in("a.tif"), "no picture", 10);
    FAILS(MW_EDATA, "is not a valid TIFF file", mw_array_load(in("a.tif"), &a));
    FAILS(MW_EIO, "cannot read", mw_array_load(in("missing.tif"), &a));
}

/* A small file with sizes of 3.6 GB is refused before memory is allocated. */
static void sizes_are_compared_with_the_file(void **state)
{
    enum { WIDTH = 34, ENTRY = 12, ROWS_PER_STRIP = 7 }; /* positions in the first directory, after 16 bytes of data */
    uint8_t values[15] = { 0 };
    struct mw_array a = { MW_TYPE_U8, 2, { 5, 3 }, 15, values };
    const uint32_t side = 60000;
    char *bytes = NULL;
    size_t n;
    OK(mw_array_save(in("s.tif"), &a));
    OK(mw_file_read(in("s.tif"), SIZE_MAX, &bytes, &n));
    memcpy(bytes + WIDTH, &side, sizeof side);
    memcpy(bytes + WIDTH + ENTRY, &side, sizeof side);
    memcpy(bytes + WIDTH + ROWS_PER_STRIP * ENTRY, &side, sizeof side);
    put_bytes(in("s.tif"), bytes, n);
    FAILS(MW_EDATA, "the sizes of its pages exceed the file", mw_array_load(in("s.tif"), &a));
    free(bytes);
}

/* Truncated files are refused; no damage is worse than other elements. */
static void damage_is_survived(void **state)
{
    for (size_t i = 0; i < MW_COUNT(kinds); i++) {
        const struct kind *k = &kinds[i];
        const struct stored f = { k->bits,
                                  k->format,
                                  k->samples,
                                  k->photometric,
                                  PLANARCONFIG_CONTIG,
                                  i % 2 ? COMPRESSION_LZW : COMPRESSION_NONE,
                                  20,
                                  5,
                                  i % 3 ? 0 : 16 };
        struct mw_array a = { 0 };
        char *bytes = NULL;
        size_t n;
        write_tiff(&f, 2, i % 2 ? "w" : "w8");
        OK(mw_file_read(in("a.tif"), SIZE_MAX, &bytes, &n));
        for (size_t round = 0; round < 300; round++) {
            const size_t at = random_below(n);
            const char kept = bytes[at];
            if (round % 2) {
                bytes[at] = (char)random_word();
                put_bytes(in("b.tif"), bytes, n);
                bytes[at] = kept;
            } else {
                put_bytes(in("b.tif"), bytes, at);
            }
            const int rc = mw_array_load(in("b.tif"), &a);
            if (rc && (strchr(mw_errmsg(), '\n') || rc == MW_ENOMEM))
                fail_msg("%d: %s", rc, mw_errmsg());
            mw_array_free(&a);
        }
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(files_of_libtiff_are_read),
                                        cmocka_unit_test(other_files_are_refused),
                                        cmocka_unit_test(sizes_are_compared_with_the_file),
                                        cmocka_unit_test(damage_is_survived) };
    TIFFSetWarningHandler(NULL);
    seed_random();
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

#else

static void reading_needs_libtiff(void **state)
{
    FAILS(MW_ENOTSUP, "without libtiff", mw_array_load("a.tif", &(struct mw_array){ 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(reading_needs_libtiff) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
/* SPDX-License-Identifier: MIT */

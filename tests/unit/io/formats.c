/* Formats of arrays: random arrays survive a round trip through each format that can hold them; damaged files are
 * refused. */
#include <meshwork/io.h>

#include "base/base.h"
#include "tests/check.h"
#include "tests/scratch.h"

#ifndef FORMAT_ROUNDS
#define FORMAT_ROUNDS 500
#endif

/* Makes an array of random elements, with random lengths that may be 0. */
static void make_random(struct mw_array *array)
{
    const enum mw_type type = (enum mw_type)random_below(MW_TYPE_C128 + 1);
    const unsigned dims = (unsigned)random_below(MW_DIMS_MAX + 1);
    size_t length[MW_DIMS_MAX], left = 4096;
    for (unsigned d = 0; d < dims; d++) {
        length[d] = random_below(200) == 0 ? 0 : 1 + random_below(dims < 3 ? 60 : left < 9 ? left : 9);
        left = length[d] ? mw_ceil_div(left, length[d]) : left;
    }
    OK(mw_array_new(type, dims, length, array));
    for (size_t i = 0; i < array->count * mw_type_bytes(type); i++)
        ((unsigned char *)array->data)[i] = (unsigned char)(random_word() & (type == MW_TYPE_BOOL ? 1 : 255));
}

static bool is_numpys(const struct mw_array_format *f) { return strncmp(f->suffix, ".np", 3) == 0; }

static bool is_tiff(const struct mw_array_format *f) { return strncmp(f->suffix, ".tif", 4) == 0; }

/* Returns whether a format can hold an array, by the rules of its specification. */
static bool can_hold(const struct mw_array_format *f, const struct mw_array *a)
{
    if (f->is_picture)
        return (a->type == MW_TYPE_U8 || a->type == MW_TYPE_U16) && a->dims <= 2 && a->count;
    return is_numpys(f) || (a->count && a->type < MW_TYPE_C64 && (!is_tiff(f) || a->dims <= 3));
}

/* Compares an array with its original.  Formats without bool have uint8; TIFF and PNG have at least two
 * dimensions and no third one of length 1, NRRD and MetaImage at least one. */
static void compare(const struct mw_array_format *f, const struct mw_array *made, const struct mw_array *again)
{
    const bool plane = is_tiff(f) || f->is_picture;
    const unsigned least = is_numpys(f) ? 0 : plane ? 2 : 1;
    const unsigned had = is_tiff(f) && made->dims == 3 && made->length[2] == 1 ? 2 : made->dims;
    assert_int_equal(again->type, made->type == MW_TYPE_BOOL && !is_numpys(f) ? MW_TYPE_U8 : made->type);
    assert_int_equal(again->dims, had < least ? least : had);
    for (unsigned d = 0; d < again->dims; d++)
        assert_int_equal(again->length[d], d < made->dims ? made->length[d] : 1);
    assert_int_equal(again->count, made->count);
    assert_memory_equal(again->data, made->data, made->count * mw_type_bytes(made->type));
}

static const char *name_of(const struct mw_array_format *f)
{
    static char name[32];
    snprintf(name, sizeof name, "a%s", f->suffix);
    return in(name);
}

static void arrays_survive_round_trips(void **state)
{
    size_t held = 0;
    for (size_t i = 0; i < FORMAT_ROUNDS; i++) {
        struct mw_array made = { 0 }, again = { 0 };
        const struct mw_array_format *f;
        make_random(&made);
        for (size_t k = 0; (f = mw_array_formats(k)) != NULL; k++) {
            const char *path = name_of(f);
            if (!f->reads || !f->writes)
                continue;
            if (!can_hold(f, &made)) {
                if (!f->is_picture) /* these convert numbers to colours */
                    FAILS(MW_EINVAL, "cannot write", mw_array_save(path, &made));
                continue;
            }
            int rc = mw_array_save_spaced(path, &made, (const double[MW_DIMS_MAX]){ 0.5, 2 });
            if (rc == 0)
                rc = mw_array_load(path, &again);
            if (rc == MW_ENOTSUP)
                continue; /* built without a library */
            if (rc)
                fail_msg("%s: %s", path, mw_errmsg());
            compare(f, &made, &again);
            mw_array_free(&again);
            held++;
        }
        mw_array_free(&made);
    }
    print_message("%zu files\n", held);
    assert_true(held > 4 * FORMAT_ROUNDS);
}

static void archives_have_several_arrays(void **state)
{
    float first[6] = { 1, 2, 3, 4, 5, 6 };
    int64_t second[2] = { -1, INT64_MAX };
    const struct mw_array arrays[] = { { MW_TYPE_F32, 2, { 3, 2 }, 6, first }, { MW_TYPE_I64, 1, { 2 }, 2, second } };
    struct mw_array again = { 0 };
    char named[600];
    OK(mw_npz_write(in("several.npz"), arrays, (const char *const[]){ "u", "weights" }, 2));
    snprintf(named, sizeof named, "%s:weights", in("several.npz"));
    OK(mw_array_load(named, &again));
    assert_int_equal(again.type, MW_TYPE_I64);
    assert_memory_equal(again.data, second, sizeof second);
    mw_array_free(&again);
    OK(mw_array_load(in("several.npz"), &again));
    assert_memory_equal(again.data, first, sizeof first);
    mw_array_free(&again);
    snprintf(named, sizeof named, "%s:v", in("several.npz"));
    FAILS(MW_EDATA, "u, weights", mw_array_load(named, &again));
    FAILS(MW_EINVAL, "two arrays", mw_npz_write(in("b.npz"), arrays, (const char *const[]){ "u", "u" }, 2));
    FAILS(MW_EINVAL, "no slashes", mw_npz_write(in("b.npz"), arrays, (const char *const[]){ "../u", "v" }, 2));
    OK(mw_npz_write(in("b.npz"), NULL, NULL, 0));
    FAILS(MW_EDATA, "no arrays", mw_array_load(in("b.npz"), &again));
}

/* Loads a damaged file: it is refused by one line, or unharmed. */
static void load_damaged(const char *path, const struct mw_array *made, bool truncated)
{
    struct mw_array again = { 0 };
    const int rc = mw_array_load(path, &again);
    if (rc && (strchr(mw_errmsg(), '\n') || strlen(mw_errmsg()) < 20 || rc == MW_ENOMEM))
        fail_msg("%s: %d: %s", path, rc, mw_errmsg());
    if (rc == 0 && truncated) {
        assert_int_equal(again.count, made->count);
        assert_memory_equal(again.data, made->data, made->count * mw_type_bytes(made->type));
    }
    mw_array_free(&again);
}

static void damaged_files_are_refused(void **state)
{
    struct mw_array made = { 0 };
    const struct mw_array_format *f;
    OK(mw_array_new(MW_TYPE_U16, 2, (size_t[]){ 5, 3 }, &made));
    for (size_t i = 0; i < made.count; i++)
        ((uint16_t *)made.data)[i] = (uint16_t)random_word();
    for (size_t k = 0; (f = mw_array_formats(k)) != NULL; k++) {
        const char *path = name_of(f);
        char *bytes = NULL;
        size_t n;
        if (!f->reads || !f->writes || mw_array_save(path, &made) != 0)
            continue;
        OK(mw_file_read(path, SIZE_MAX, &bytes, &n));
        for (size_t length = 0; length < n; length++) {
            put_bytes(path, bytes, length);
            load_damaged(path, &made, true);
        }
        for (size_t i = 0; i < 8 * n; i++) {
            bytes[i / 8] ^= (char)(1 << i % 8);
            put_bytes(path, bytes, n);
            load_damaged(path, &made, false);
            bytes[i / 8] ^= (char)(1 << i % 8);
        }
        free(bytes);
    }
    mw_array_free(&made);
}

static void load_text(const char *name, const char *text, size_t n, struct mw_array *array)
{
    put_bytes(in(name), text, n);
    OK(mw_array_load(in(name), array));
}

#define LOAD(name, text, array) load_text(name, text, sizeof(text) - 1, array)
#define REFUSES(name, text, words)                                                                                     \
    do {                                                                                                               \
        put_bytes(in(name), text, sizeof(text) - 1);                                                                   \
        FAILS(MW_EDATA, words, mw_array_load(in(name), &(struct mw_array){ 0 }));                                      \
    } while (0)

/* Headers as other programs write them. */
static void headers_of_others_are_read(void **state)
{
    static const unsigned char packed[] = { 0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
                                            0xff, 0x63, 0x64, 0x62, 0x66, 0x61, 0x05, 0x00, 0xf4,
                                            0x99, 0x0b, 0x47, 0x05, 0x00, 0x00, 0x00 }; /* 1 2 3 4 5 */
    char text[256];
    struct mw_array a = { 0 };
    LOAD("o.nrrd",
         "NRRD0005\r\n# Complete NRRD file\r\ncontent:=x\r\nTYPE: unsigned short\r\nDimension: 1\r\nsizes: 2\r\n"
         "spacings: nan\r\nendian: big\r\nencoding: RAW\r\n\r\n\1\2\3\4",
         &a);
    assert_int_equal(a.type, MW_TYPE_U16);
    assert_int_equal(((uint16_t *)a.data)[0], 0x0102);
    assert_int_equal(((uint16_t *)a.data)[1], 0x0304);
    mw_array_free(&a);
    put_bytes(in("d.bin"), "head\1\2\3\4", 8);
    LOAD("o.nhdr", "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 2 2\nencoding: raw\nbyte skip: -1\ndata file: d.bin\n",
         &a);
    assert_memory_equal(a.data, "\1\2\3\4", 4);
    mw_array_free(&a);
    const int n = snprintf(text, sizeof text, "NRRD0004\ntype: uint8\ndimension: 1\nsizes: 5\nencoding: gzip\n\n");
    memcpy(text + n, packed, sizeof packed);
    put_bytes(in("z.nrrd"), text, (size_t)n + sizeof packed);
    const int rc = mw_array_load(in("z.nrrd"), &a);
    if (rc != MW_ENOTSUP) {
        OK(rc);
        assert_memory_equal(a.data, "\1\2\3\4\5", 5);
        mw_array_free(&a);
    }
    LOAD("o.mha",
         "ObjectType = Image\nNDims = 2\nBinaryData = True\nBinaryDataByteOrderMSB = True\nOffset = 0 0\n"
         "ElementNumberOfChannels = 3\nDimSize = 2 1\nElementType = MET_SHORT\nElementDataFile = LOCAL\n"
         "\0\1\0\2\0\3\377\377\0\5\0\6",
         &a);
    assert_int_equal(a.dims, 3);
    assert_int_equal(a.length[0], 3);
    assert_int_equal(((int16_t *)a.data)[2], 3);
    assert_int_equal(((int16_t *)a.data)[3], -1);
    mw_array_free(&a);
    LOAD("o.mhd", "NDims = 1\nDimSize = 2\nElementType = MET_USHORT\nHeaderSize = 4\nElementDataFile = d.bin\n", &a);
    assert_memory_equal(a.data, "\1\2\3\4", 4);
    mw_array_free(&a);
}

static void wrong_headers_are_refused(void **state)
{
#define NRRD "NRRD0004\ntype: uint8\ndimension: 1\n"
    REFUSES("w.nrrd", "NRRX0004\n", "does not begin with NRRD000");
    REFUSES("w.nrrd", NRRD "sizes: 4\nencoding: bzip2\n\n1234", "encoding 'bzip2'");
    REFUSES("w.nrrd", NRRD "sizes: 4\nencoding: raw\nline skip: 2\n\n1234", "line skip");
    REFUSES("w.nrrd", NRRD "sizes: 4 4\nencoding: raw\n\n1234", "as many sizes");
    REFUSES("w.nrrd", NRRD "sizes: 0\nencoding: raw\n\n", "as many sizes");
    REFUSES("w.nrrd", NRRD "sizes: 99999999999999999999\nencoding: raw\n\n", "as many sizes");
    REFUSES("w.nrrd", NRRD "sizes: 4\nencoding: raw\n\n123", "needs 4");
    REFUSES("w.nrrd", NRRD "sizes: 4\nencoding: raw\n\n12345", "needs 4");
    REFUSES("w.nrrd", NRRD "sizes: 9999999999999\nencoding: gzip\n\n12345", "exceed the compressed data");
    REFUSES("w.nrrd", NRRD "sizes: 4\n\n1234", "lacks");
    REFUSES("w.nrrd", NRRD "sizes: 4\nencoding: raw\ndata file: x%03d.raw 1 9 1\n", "several data files");
    REFUSES("w.nrrd", "NRRD0004\ntype: block\n", "type 'block'");
    REFUSES("w.nrrd", "NRRD0004\ndimension: 9\n", "must be 1 to 8");
    REFUSES("w.nrrd", "NRRD0004\ntype: int16\ndimension: 1\nsizes: 1\nencoding: raw\n\n12", "lacks endian");
    REFUSES("w.nrrd", "NRRD0004\nno colon\n", "FIELD: VALUE");
#define PACKED META "DimSize = 4\nCompressedData = True\nElementDataFile = LOCAL\n1234"
#define META "NDims = 1\nElementType = MET_UCHAR\n"
    REFUSES("w.mha", META "DimSize = 4\nElementDataFile = LOCAL\n123", "needs 4");
    REFUSES("w.mha", META "ElementDataFile = LOCAL\n1234", "lacks DimSize");
    REFUSES("w.mha", META "DimSize = 4\nElementDataFile = LIST\n1234", "several data files");
    REFUSES("w.mha", META "DimSize = 4\nBinaryData = False\nElementDataFile = LOCAL\n1 2 3 4", "as text");
    put_bytes(in("w.mha"), PACKED, sizeof PACKED - 1);
    const int rc = mw_array_load(in("w.mha"), &(struct mw_array){ 0 });
    assert_true(rc == MW_ENOTSUP || (rc == MW_EDATA && strstr(mw_errmsg(), "damaged compressed data")));
    REFUSES("w.mha", "DimSize = 4\n", "after these");
    REFUSES("w.mha", "NDims = 1\nElementType = MET_STRING\n", "MET_STRING");
    REFUSES("w.mha", "what\n", "KEY = VALUE");
    FAILS(MW_EIO, "cannot read", mw_array_load(in("missing.nrrd"), &(struct mw_array){ 0 }));
    FAILS(MW_EIO, "cannot read", mw_array_load(in("missing.mha"), &(struct mw_array){ 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_survive_round_trips), cmocka_unit_test(archives_have_several_arrays),
        cmocka_unit_test(damaged_files_are_refused),  cmocka_unit_test(headers_of_others_are_read),
        cmocka_unit_test(wrong_headers_are_refused),
    };

    mw_file_sync_later(true); /* thousands of files */
    seed_random();
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

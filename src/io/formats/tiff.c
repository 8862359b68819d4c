/* Writes TIFF 6.0, or BigTIFF if the file would have 4 GiB: all elements in one strip per page, then the directories of
 * the pages.  This layout needs no seek, so that files are written completely or not at all. */
#include "io/formats.h"

#include "base/base.h"
#include "io/order.h"

#include <string.h>

#define CLASSIC_MOST 0xFF000000u /* leaves room for directories */
#define SIDE_MAX 0x7FFFFFFF
enum { SHORT = 3, LONG = 4, LONG8 = 16 };        /* types of entries */
enum { UNSIGNED = 1, SIGNED = 2, FLOATING = 3 }; /* sample formats */

/* Sizes of the two forms of the format. */
struct tiff_form {
    bool big;
    unsigned header, count, entry, word; /* bytes of the header, the count of entries, an entry and an offset */
};

static void tiff_put(struct mw_text *to, uint64_t value, unsigned bytes)
{
    const char *at = (const char *)&value; /* in the byte order of the host, which the header names */
    mw_text_append(to, MW_BIG_HOST ? at + sizeof value - bytes : at, bytes);
}

/* Short values are at the start of an entry's word, in both byte orders. */
static void put_entry(struct mw_text *to, const struct tiff_form *f, unsigned tag, unsigned type, uint64_t value)
{
    const unsigned bytes = type == SHORT ? 2 : type == LONG ? 4 : 8;
    tiff_put(to, tag, 2);
    tiff_put(to, type, 2);
    tiff_put(to, 1, f->word);
    tiff_put(to, value, bytes);
    tiff_put(to, 0, f->word - bytes);
}

static unsigned sample_format(enum mw_type type)
{
    static const unsigned char formats[] = {
        [MW_TYPE_BOOL] = UNSIGNED, [MW_TYPE_I8] = SIGNED,    [MW_TYPE_U8] = UNSIGNED,  [MW_TYPE_I16] = SIGNED,
        [MW_TYPE_U16] = UNSIGNED,  [MW_TYPE_I32] = SIGNED,   [MW_TYPE_U32] = UNSIGNED, [MW_TYPE_I64] = SIGNED,
        [MW_TYPE_U64] = UNSIGNED,  [MW_TYPE_F32] = FLOATING, [MW_TYPE_F64] = FLOATING
    };
    return (size_t)type < MW_COUNT(formats) ? formats[type] : 0;
}

static void put_page(struct mw_text *to, const struct tiff_form *f, const struct mw_array *array, uint64_t offset,
                     uint64_t bytes, uint64_t next)
{
    const unsigned word = f->big ? LONG8 : LONG;
    const size_t width = array->dims > 0 ? array->length[0] : 1, height = array->dims > 1 ? array->length[1] : 1;
    const struct {
        unsigned tag, type;
        uint64_t value;
    } entries[] = { { 256, LONG, width },
                    { 257, LONG, height },
                    { 258, SHORT, 8 * mw_type_bytes(array->type) },
                    { 259, SHORT, 1 },
                    { 262, SHORT, 1 },
                    { 273, word, offset },
                    { 277, SHORT, 1 },
                    { 278, LONG, height },
                    { 279, word, bytes },
                    { 339, SHORT, sample_format(array->type) } };
    tiff_put(to, MW_COUNT(entries), f->count);
    for (size_t i = 0; i < MW_COUNT(entries); i++)
        put_entry(to, f, entries[i].tag, entries[i].type, entries[i].value);
    tiff_put(to, next, f->word);
}

static void put_header(struct mw_text *to, const struct tiff_form *f, uint64_t first)
{
    mw_text_append(to, MW_BIG_HOST ? "MM" : "II", 2);
    tiff_put(to, f->big ? 43 : 42, 2);
    if (f->big) {
        tiff_put(to, f->word, 2);
        tiff_put(to, 0, 2);
    }
    tiff_put(to, first, f->word);
}

static int tiff_check(const char *path, const struct mw_array *array)
{
    if (array->count == 0 || array->data == NULL)
        return mw_fail(MW_EINVAL, "cannot write %s: the array has no values", path);
    if (sample_format(array->type) == 0)
        return mw_fail(MW_EINVAL, "cannot write %s: TIFF files do not support %s (write a .npy file instead)", path,
                       mw_type_name(array->type));
    if (array->dims > 3)
        return mw_fail(MW_EINVAL,
                       "cannot write %s: TIFF files have at most 3 dimensions, this array has %u (write a .npy file "
                       "instead)",
                       path, array->dims);
    for (unsigned d = 0; d < array->dims; d++)
        if (array->length[d] > SIDE_MAX)
            return mw_fail(MW_ELIMIT, "cannot write %s: TIFF files have at most %d elements per side", path, SIDE_MAX);
    return 0;
}

int mw_tiff_write(const char *path, const struct mw_array *array)
{
    static const struct tiff_form classic = { false, 8, 2, 12, 4 }, big = { true, 16, 8, 20, 8 };
    struct mw_text text = { 0 };
    struct mw_file *file = NULL;
    int rc;
    TRY(tiff_check(path, array));
    const size_t pages = array->dims > 2 ? array->length[2] : 1, bytes = array->count * mw_type_bytes(array->type);
    const struct tiff_form *f =
        bytes < CLASSIC_MOST && pages < CLASSIC_MOST / 1024 && bytes + 200 * pages < CLASSIC_MOST ? &classic : &big;
    const uint64_t each = bytes / pages, first = f->header + bytes + bytes % 2; /* directories begin at even offsets */
    put_header(&text, f, first);
    TRY(mw_text_ok(&text));
    const uint64_t directory = f->count + 10 * f->entry + f->word;
    TRY(mw_file_create(path, true, &file));
    TRY(mw_file_write(file, text.data, text.length));
    TRY(mw_file_write(file, array->data, bytes));
    if (bytes % 2)
        TRY(mw_file_write(file, "", 1));
    for (size_t page = 0; page < pages; page++) {
        text.length = 0;
        put_page(&text, f, array, f->header + page * each, each, page + 1 < pages ? first + (page + 1) * directory : 0);
        TRY(mw_text_ok(&text));
        TRY(mw_file_write(file, text.data, text.length));
    }
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    mw_text_free(&text);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Netpbm's graymaps (PGM, "P2" or "P5") and bitmaps (PBM, "P1" or "P4").
 *
 * After the magic number come width, height and, in graymaps, the largest value: decimal numbers, separated by blanks
 * and comments.  Pixels of graymaps are decimal numbers or bytes; two bytes, the higher first, if the largest value
 * needs them.  Pixels of bitmaps are digits or bits; 1 is black. */
#include <meshwork/io.h>

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MAX_BYTES ((size_t)1 << 30)
#define VALUE_MAX 65535

struct reading {
    const char *path;
    const unsigned char *at, *end;
    bool plain, bits;
    size_t width, height, most;
    struct mw_array gray;
};

static const char *pgm_kind_of(const struct reading *r) { return r->bits ? "PBM" : "PGM"; }

static int pgm_malformed(const struct reading *r, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid %s file: %s", r->path, pgm_kind_of(r), what);
}

static bool is_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_comment(struct reading *r)
{
    while (r->at < r->end && *r->at != '\n' && *r->at != '\r')
        r->at++;
}

static void skip_blanks(struct reading *r)
{
    for (; r->at < r->end && (is_blank(*r->at) || *r->at == '#'); r->at += r->at < r->end)
        if (*r->at == '#')
            skip_comment(r);
}

/* Takes a number between blanks, comments or the end; returns false without a number, or if it exceeds `most`. */
static bool pgm_take_number(struct reading *r, size_t most, size_t *number)
{
    const unsigned char *start;
    size_t value = 0;

    skip_blanks(r);
    for (start = r->at; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        value = 10 * value + (size_t)(*r->at - '0');
        if (value > most)
            return false;
    }
    if (r->at == start || (r->at < r->end && !is_blank(*r->at) && *r->at != '#'))
        return false;
    *number = value;
    return true;
}

static int pgm_read_header(struct reading *r)
{
    if (r->end - r->at < 2 || r->at[0] != 'P' || !memchr("1245", r->at[1], 4))
        return r->end - r->at >= 2 && r->at[0] == 'P' && r->at[1] >= '1' && r->at[1] <= '7'
                   ? mw_fail(MW_EDATA,
                             "%s is a P%c file of Netpbm (convert it to PGM, as in `ppmtopgm in.ppm >out.pgm`)",
                             r->path, r->at[1])
                   : mw_fail(MW_EDATA,
                             "%s is not a valid PGM or PBM file: the file does not begin with P1, P2, P4 or P5",
                             r->path);
    r->plain = r->at[1] <= '2';
    r->bits = r->at[1] == '1' || r->at[1] == '4';
    r->at += 2;
    if (r->at < r->end && !is_blank(*r->at) && *r->at != '#')
        return pgm_malformed(r, r->bits ? "expected a blank after P1 or P4" : "expected a blank after P2 or P5");
    /* A file of at most 1 GiB has no more pixels along a side. */
    if (!pgm_take_number(r, FILE_MAX_BYTES, &r->width) || r->width == 0 ||
        !pgm_take_number(r, FILE_MAX_BYTES, &r->height) || r->height == 0)
        return pgm_malformed(r, "width and height must be 1 to 2^30");
    r->most = 1;
    if (!r->bits && (!pgm_take_number(r, VALUE_MAX, &r->most) || r->most == 0))
        return pgm_malformed(r, "the largest value must be 1 to 65535");
    if (r->at < r->end && *r->at == '#')
        skip_comment(r);
    if (r->at == r->end)
        return pgm_malformed(r, "unexpected end in the header");
    r->at++; /* only one blank: the next byte may be a pixel */
    return 0;
}

/* Compares the minimum size of the pixels with the rest of the file before it allocates the array. */
static int make_array(struct reading *r)
{
    const size_t length[] = { r->width, r->height }, left = (size_t)(r->end - r->at);
    const size_t each = r->plain || r->most > UINT8_MAX ? 2 : 1;
    size_t count, least;
    const size_t row = r->bits && !r->plain ? (r->width + 7) / 8 : r->width;
    if (!mw_mul(r->width, r->height, &count) || !mw_mul(row * r->height, r->bits ? 1 : each, &least) ||
        least - (r->plain && !r->bits) > left)
        return mw_fail(MW_EDATA, "%s is not a valid %s file: the header gives %zux%zu pixels, too many for %zu byte%s",
                       r->path, pgm_kind_of(r), r->width, r->height, left, MW_S(left));
    return mw_array_new(r->most > UINT8_MAX ? MW_TYPE_U16 : MW_TYPE_U8, 2, length, &r->gray);
}

/* Rows of bits start at a byte; digits need no blanks between them. */
static int read_bits(struct reading *r)
{
    uint8_t *to = r->gray.data;
    for (size_t y = 0; y < r->height; y++) {
        for (size_t x = 0; x < r->width; x++, to++) {
            if (r->plain)
                skip_blanks(r);
            if (r->plain && (r->at == r->end || (*r->at != '0' && *r->at != '1')))
                return pgm_malformed(r, "a pixel is not 0 or 1");
            *to = r->plain ? *r->at++ == '1' : r->at[x / 8] >> (7 - x % 8) & 1;
        }
        r->at += r->plain ? 0 : (r->width + 7) / 8;
    }
    return 0;
}

static int read_numbers(struct reading *r)
{
    const bool deep = r->gray.type == MW_TYPE_U16;
    for (size_t i = 0; i < r->gray.count; i++) {
        size_t value;
        if (r->plain) {
            if (!pgm_take_number(r, SIZE_MAX / 16, &value))
                return mw_fail(MW_EDATA, "%s is not a valid PGM file: pixel %zu of %zu is %s", r->path, i,
                               r->gray.count, r->at == r->end ? "missing" : "not a whole number");
        } else {
            value = deep ? (size_t)r->at[0] << 8 | r->at[1] : r->at[0];
            r->at += deep ? 2 : 1;
        }
        if (value > r->most)
            return mw_fail(MW_EDATA,
                           "%s is not a valid PGM file: pixel %zu is %zu, but the header gives %zu as largest value",
                           r->path, i, value, r->most);
        if (deep)
            ((uint16_t *)r->gray.data)[i] = (uint16_t)value;
        else
            ((uint8_t *)r->gray.data)[i] = (uint8_t)value;
    }
    return 0;
}

static int read_pixels(struct reading *r)
{
    int rc;
    TRY(r->bits ? read_bits(r) : read_numbers(r));
    if (r->plain)
        skip_blanks(r);
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
    if (r->at != r->end)
        rc = pgm_malformed(r, "unexpected data after the pixels (must be one image per file)");
out:
    return rc;
}

int mw_pgm_read(const char *path, struct mw_array *gray)
{
    struct reading r = { .path = path };
    char *bytes = NULL;
    size_t count;
    int rc;
    if (strcmp(path, "-") == 0)
        r.path = "standard input";
    TRY(mw_file_read(strcmp(path, "-") ? path : "/dev/stdin", FILE_MAX_BYTES, &bytes, &count));
    r.at = (const unsigned char *)bytes;
    r.end = r.at + count;
    TRY(pgm_read_header(&r));
    TRY(make_array(&r));
    TRY(read_pixels(&r));
    *gray = r.gray;
    r.gray.data = NULL;
out:
    mw_array_free(&r.gray);
    free(bytes);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Netpbm's graymaps (PGM) and bitmaps (PBM): "P2" or "P5", and "P1" or "P4"; width, height, and of graymaps the largest
 * value, all in decimal with blanks and comments between, then the pixels: decimal numbers, or bytes, two of them, the
 * higher one first, where the largest value needs them; of bitmaps digits, or bits, of which 1 is black. */
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

static const char *kind_of(const struct reading *r) { return r->bits ? "PBM" : "PGM"; }

static int malformed(const struct reading *r, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid %s file: %s", r->path, kind_of(r), what);
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

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

/* A number behind blanks, and before a blank, a comment or the end; false: there is none, or it is above `most`. */
static bool take_number(struct reading *r, size_t most, size_t *number)
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

static int read_header(struct reading *r)
{
    if (r->end - r->at < 2 || r->at[0] != 'P' || !memchr("1245", r->at[1], 4))
        return r->end - r->at >= 2 && r->at[0] == 'P' && r->at[1] >= '1' && r->at[1] <= '7'
            ? mw_fail(MW_EDATA, "%s is a P%c file of Netpbm: convert it to PGM, as in `ppmtopgm in.ppm >out.pgm`",
                      r->path, r->at[1])
            : mw_fail(MW_EDATA, "%s is not a valid PGM or PBM file: it does not begin with P1, P2, P4 or P5", r->path);
    r->plain = r->at[1] <= '2';
    r->bits = r->at[1] == '1' || r->at[1] == '4';
    r->at += 2;
    if (r->at < r->end && !is_blank(*r->at) && *r->at != '#')
        return malformed(r, r->bits ? "no blank follows its P1 or P4" : "no blank follows its P2 or P5");
    /* A file of at most 1 GiB has no more pixels along a side. */
    if (!take_number(r, FILE_MAX_BYTES, &r->width) || r->width == 0 ||
        !take_number(r, FILE_MAX_BYTES, &r->height) || r->height == 0)
        return malformed(r, "its width and height are not whole numbers from 1 to 2^30");
    r->most = 1;
    if (!r->bits && (!take_number(r, VALUE_MAX, &r->most) || r->most == 0))
        return malformed(r, "its largest value is not a whole number from 1 to 65535");
    if (r->at < r->end && *r->at == '#')
        skip_comment(r);
    if (r->at == r->end)
        return malformed(r, "it ends within its header");
    r->at++;                             /* one blank: the next byte may be a pixel that looks like one */
    return 0;
}

/* The least that so many pixels take is compared with what is there before anything of that size is allocated. */
static int make_array(struct reading *r)
{
    const size_t length[] = { r->width, r->height }, left = (size_t)(r->end - r->at);
    const size_t each = r->plain || r->most > UINT8_MAX ? 2 : 1;
    size_t count, least;

    const size_t row = r->bits && !r->plain ? (r->width + 7) / 8 : r->width;

    if (!mw_mul(r->width, r->height, &count) || !mw_mul(row * r->height, r->bits ? 1 : each, &least) ||
        least - (r->plain && !r->bits) > left)
        return mw_fail(MW_EDATA, "%s is not a valid %s file: its header promises %zux%zu pixels, and %zu byte%s "
                       "cannot hold them", r->path, kind_of(r), r->width, r->height, left, MW_S(left));
    return mw_array_new(r->most > UINT8_MAX ? MW_TYPE_U16 : MW_TYPE_U8, 2, length, &r->gray);
}

/* Rows of bits begin at a byte; digits need no blanks between. */
static int read_bits(struct reading *r)
{
    uint8_t *to = r->gray.data;

    for (size_t y = 0; y < r->height; y++) {
        for (size_t x = 0; x < r->width; x++, to++) {
            if (r->plain)
                skip_blanks(r);
            if (r->plain && (r->at == r->end || (*r->at != '0' && *r->at != '1')))
                return malformed(r, "a pixel is neither 0 nor 1");
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
            if (!take_number(r, SIZE_MAX / 16, &value))
                return mw_fail(MW_EDATA, "%s is not a valid PGM file: pixel %zu of %zu is %s", r->path, i,
                               r->gray.count, r->at == r->end ? "not there" : "no whole number");
        } else {
            value = deep ? (size_t)r->at[0] << 8 | r->at[1] : r->at[0];
            r->at += deep ? 2 : 1;
        }
        if (value > r->most)
            return mw_fail(MW_EDATA, "%s is not a valid PGM file: pixel %zu is %zu, above the largest value of its "
                           "header, %zu", r->path, i, value, r->most);
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
        rc = malformed(r, "something follows its pixels: give one picture a file");
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
    TRY(read_header(&r));
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

/* Reads PNG images as pixels, by libpng. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/io.h>

#include "dev/host/host.h"
#include "io/formats/deflate.h"
#include "io/order.h"
#include "io/png_internal.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBPNG

#include <png.h>
#include <setjmp.h>

#define FILE_MAX_BYTES ((size_t)1 << 30)
#define CHUNK_MAX_BYTES 8000000
#define CHUNKS_MAX 100

struct reading {
    const char *path;
    char *bytes; /* the whole file: its length bounds the pixels it can contain */
    size_t count, at;
    png_structp png;
    png_infop info;
    struct mw_array pixels;
    enum mw_png_kind kind;
    char warning[80]; /* last warning: for invalid headers more precise than the error after it */
    int rc;
};

static int png_read_malformed(const struct reading *r, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid PNG file: %s", r->path, what);
}

static void on_read(png_structp png, png_bytep to, size_t n)
{
    struct reading *r = png_get_io_ptr(png);
    if (n > r->count - r->at) {
        r->rc = png_read_malformed(r, "unexpected end of file");
        png_longjmp(png, 1);
    }
    memcpy(to, r->bytes + r->at, n);
    r->at += n;
}

static void on_read_warning(png_structp png, png_const_charp message)
{
    struct reading *r = png_get_error_ptr(png);
    mw_copy_string(r->warning, sizeof r->warning, message);
}

static void on_read_error(png_structp png, png_const_charp message)
{
    struct reading *r = png_get_error_ptr(png);
    r->rc = LACKS_MEMORY(message)
                ? mw_fail(MW_ENOMEM, "out of memory: cannot read %s", r->path)
                : mw_fail(MW_EDATA, "%s is not a valid PNG file: libpng reports \"%s\"%s%s%s", r->path, message,
                          *r->warning ? " after \"" : "", r->warning, *r->warning ? "\"" : "");
    png_longjmp(png, 1);
}

static void set_limits(struct reading *r)
{
    png_set_user_limits(r->png, SIDE_MAX, SIDE_MAX);
    png_set_chunk_malloc_max(r->png, CHUNK_MAX_BYTES);
    png_set_chunk_cache_max(r->png, CHUNKS_MAX);
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
    /* Skips all chunks but pixels (text, profiles, times) unread; -1 means all known ones. */
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
#endif
}

/* Sets the kind, the array and libpng's conversions of rows from the header. */
static int png_read_prepare(struct reading *r)
{
    static const enum mw_type types[2][2] = { { MW_TYPE_U8, MW_TYPE_U16 }, { MW_TYPE_U32, MW_TYPE_U64 } };
    const size_t length[] = { png_get_image_width(r->png, r->info), png_get_image_height(r->png, r->info) };
    const size_t packed = png_get_rowbytes(r->png, r->info); /* bytes of a row; not more than after expansion */
    const int colours = png_get_color_type(r->png, r->info);
    const bool deep = png_get_bit_depth(r->png, r->info) == 16, colour = colours & PNG_COLOR_MASK_COLOR;
    const bool alpha = (colours & PNG_COLOR_MASK_ALPHA) || png_get_valid(r->png, r->info, PNG_INFO_tRNS);
    size_t bytes;
    r->kind = colour ? (alpha ? MW_PNG_RGBA : MW_PNG_RGB) : alpha ? MW_PNG_GRAY_ALPHA : MW_PNG_GRAY;
    const enum mw_type type = types[r->kind != MW_PNG_GRAY][deep];
    if (!mw_mul(length[0], length[1], &bytes) || !mw_mul(bytes, mw_type_bytes(type), &bytes) ||
        packed * length[1] / MW_DEFLATE_RATIO > r->count)
        return png_read_malformed(r, "the header gives more pixels than the file can contain");
    if (mw_host_takes_unpacked(r->path, r->count, bytes, 0) != 0)
        return MW_ELIMIT;
    png_set_expand(r->png); /* palettes, 1 to 4 bits, a transparent colour */
    if (r->kind != MW_PNG_GRAY && !colour)
        png_set_gray_to_rgb(r->png);
    if (r->kind == MW_PNG_RGB)
        png_set_filler(r->png, deep ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
    if (deep && !MW_BIG_HOST)
        png_set_swap(r->png);
    return mw_array_new(type, 2, length, &r->pixels);
}

/* All calls that can jump.  Values that change in between are in *r, since local variables would be lost. */
static int read_picture(struct reading *r)
{
    int passes, rc;
    if (setjmp(png_jmpbuf(r->png)) != 0)
        return r->rc;
    png_set_read_fn(r->png, r, on_read);
    set_limits(r);
    png_read_info(r->png, r->info);
    if ((rc = png_read_prepare(r)) != 0)
        return rc;
    passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    const size_t row = r->pixels.length[0] * mw_type_bytes(r->pixels.type);
    if (png_get_rowbytes(r->png, r->info) != row)
        return png_read_malformed(r, "rows have an unexpected length");
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < r->pixels.length[1]; y++)
            png_read_row(r->png, (png_bytep)r->pixels.data + y * row, NULL);
    png_read_end(r->png, NULL);
    return 0;
}

int mw_png_read(const char *path, struct mw_array *pixels, enum mw_png_kind *kind)
{
    struct reading r = { .path = path };
    int rc;
    TRY(mw_file_read(path, FILE_MAX_BYTES, &r.bytes, &r.count));
    if (r.count < 8 || png_sig_cmp((png_const_bytep)r.bytes, 0, 8) != 0)
        TRY(png_read_malformed(&r, "the file does not begin with \\x89PNG"));
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_read_error, on_read_warning);
    r.info = r.png != NULL ? png_create_info_struct(r.png) : NULL;
    if (r.info == NULL)
        TRY(mw_fail(MW_ENOMEM, "out of memory: cannot read %s", path));
    TRY(read_picture(&r));
    *pixels = r.pixels;
    *kind = r.kind;
    r.pixels.data = NULL;
out:
    png_destroy_read_struct(&r.png, &r.info, NULL);
    mw_array_free(&r.pixels);
    free(r.bytes);
    return rc;
}

#else

int mw_png_read(const char *path, struct mw_array *pixels, enum mw_png_kind *kind)
{
    return mw_fail(MW_ENOTSUP, "cannot read %s: " WITHOUT_LIBPNG, path);
}

#endif
/* SPDX-License-Identifier: MIT */

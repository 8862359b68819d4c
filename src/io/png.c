/* PNG images by libpng: of fields through a colour map, and of pixels. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/io.h>

#include "base/base.h"
#include "io/order.h"
#include "io/png_internal.h"

#include <stdlib.h>
#include <string.h>

#define CHANNELS_MAX 4

MW_ENUM_NAMES(png_kind, "kind of pixels", [MW_PNG_GRAY] = "gray", [MW_PNG_GRAY_ALPHA] = "gray and alpha",
              [MW_PNG_RGB] = "RGB", [MW_PNG_RGBA] = "RGBA")

/* Number of channels of each kind, and their places in an RGBA element. */
static const struct {
    unsigned channels, at[CHANNELS_MAX];
} kinds[] = {
    [MW_PNG_GRAY] = { 1, { 0 } },
    [MW_PNG_GRAY_ALPHA] = { 2, { 0, 3 } },
    [MW_PNG_RGB] = { 3, { 0, 1, 2 } },
    [MW_PNG_RGBA] = { 4, { 0, 1, 2, 3 } },
};

/* Returns the bytes per channel; 0: pixels of this kind cannot have this type. */
static size_t channel_bytes(enum mw_type type, enum mw_png_kind kind)
{
    /* clang-format off */
    static const struct { enum mw_type gray, colour; size_t bytes; } depths[] = {
        { MW_TYPE_U8, MW_TYPE_U32, 1 }, { MW_TYPE_U16, MW_TYPE_U64, 2 } };
    /* clang-format on */

    for (size_t i = 0; i < MW_COUNT(depths); i++)
        if (type == (kind == MW_PNG_GRAY ? depths[i].gray : depths[i].colour))
            return depths[i].bytes;
    return 0;
}

static int check_pixels(const struct mw_array *pixels, enum mw_png_kind kind, size_t *bytes)
{
    if ((size_t)kind >= MW_COUNT(kinds))
        return mw_fail(MW_EINVAL, "invalid kind of pixels %d (see enum mw_png_kind)", (int)kind);
    *bytes = channel_bytes(pixels->type, kind);
    if (*bytes == 0)
        return mw_fail(MW_EINVAL, "pixels of kind %s must be %s, not %s", mw_png_kind_name(kind),
                       kind == MW_PNG_GRAY ? "uint8 or uint16" : "uint32 or uint64", mw_type_name(pixels->type));
    return 0;
}

static inline void copy_channel(char *to, const char *from, size_t bytes)
{
    to[0] = from[0];
    if (bytes == 2)
        to[1] = from[1];
}

/* Packs the channels of n pixels. */
static void unpack(const char *pixels, char *channels, size_t n, enum mw_png_kind kind, size_t bytes)
{
    const size_t count = kinds[kind].channels, pixel = (kind == MW_PNG_GRAY ? 1 : CHANNELS_MAX) * bytes;
    for (size_t i = 0; i < n; i++, pixels += pixel)
        for (size_t c = 0; c < count; c++, channels += bytes)
            copy_channel(channels, pixels + kinds[kind].at[c] * bytes, bytes);
}

int mw_png_to_channels(const struct mw_array *pixels, enum mw_png_kind kind, struct mw_array *channels)
{
    size_t length[MW_DIMS_MAX + 1] = { 0 }, bytes = 0;
    unsigned dims = 0;
    TRY_RETURN(check_pixels(pixels, kind, &bytes));
    if (kind != MW_PNG_GRAY)
        length[dims++] = kinds[kind].channels;
    for (unsigned i = 0; i < pixels->dims; i++)
        length[dims++] = pixels->length[i];
    TRY_RETURN(mw_array_new(bytes == 1 ? MW_TYPE_U8 : MW_TYPE_U16, dims, length, channels));
    unpack(pixels->data, channels->data, pixels->count, kind, bytes);
    return 0;
}

int mw_png_from_channels(const struct mw_array *channels, struct mw_array *pixels, enum mw_png_kind *kind)
{
    static const enum mw_png_kind by_count[] = { MW_PNG_GRAY, MW_PNG_GRAY, MW_PNG_GRAY_ALPHA, MW_PNG_RGB, MW_PNG_RGBA };
    const bool gray = channels->dims == 1 || channels->dims == 2;
    const size_t count = channels->dims == 3 ? channels->length[0] : gray ? 1 : 0;
    size_t bytes = mw_type_bytes(channels->type);
    struct mw_array made = { 0 };
    const char *from = channels->data;
    char *to;
    if (count < 1 || count > CHANNELS_MAX || (channels->type != MW_TYPE_U8 && channels->type != MW_TYPE_U16))
        return mw_fail(MW_EINVAL,
                       "an array of %s with %u dimension%s is not an image (must be uint8 or uint16, of "
                       "shape (height, width) or (height, width, channels) with at most 4 channels)",
                       mw_type_name(channels->type), channels->dims, MW_S(channels->dims));
    TRY_RETURN(mw_array_new(count == 1   ? channels->type
                            : bytes == 1 ? MW_TYPE_U32
                                         : MW_TYPE_U64,
                            channels->dims - !gray, channels->length + !gray, &made));
    to = made.data;
    for (size_t i = 0; i < made.count; i++, to += mw_type_bytes(made.type))
        for (size_t c = 0; c < count; c++, from += bytes)
            copy_channel(to + kinds[by_count[count]].at[c] * bytes, from, bytes);
    *pixels = made;
    *kind = by_count[count];
    return 0;
}

#ifdef HAVE_LIBPNG
#include "io/colour.h"
#include <png.h>
#include <setjmp.h>

struct picture;

/* How rows are drawn and compressed. */
struct style {
    int (*draw)(const struct picture *p, size_t y);
    int compression, filters;
};

struct picture {
    const char *path;
    const struct mw_array *array; /* NULL: the caller supplies rows */
    int (*make_row)(void *context, size_t y, void *row);
    void *context;
    const struct style *style;
    size_t width, height, channel_bytes;
    enum mw_png_kind kind;
    struct mw_colour_scale scale;
    bool has_palette; /* gray levels are indices of scale.table */
    unsigned char *row;
    struct mw_file *file;
    png_structp png;
    png_infop info;
    int rc; /* status of the error that ended the writing */
};

static int draw_row(const struct picture *p, size_t y)
{
    mw_colour_elements(&p->scale, p->array, y * p->width, p->width, p->row);
    return 0;
}

static int draw_pixels(const struct picture *p, size_t y)
{
    const size_t bytes = p->width * mw_type_bytes(p->array->type);
    unpack((const char *)p->array->data + y * bytes, (char *)p->row, p->width, p->kind, p->channel_bytes);
    return 0;
}

static int take_row(const struct picture *p, size_t y) { return p->make_row(p->context, y, p->row); }

/* Pixels have few colours, which filters (differences of pixels) would hide.  Measured on fields, against libpng's
 * defaults (level 6, all filters): a sixth of the time and two thirds of the size. */
static const struct style by_map = { draw_row, 1, PNG_FILTER_NONE };
/* Measured on a photograph, against the defaults: a ninth of the time, and a fifth more bytes. */
static const struct style as_they_are = { draw_pixels, 1, PNG_ALL_FILTERS };
static const struct style as_they_come = { take_row, 1, PNG_FILTER_NONE };

static void on_write(png_structp png, png_bytep bytes, size_t n)
{
    struct picture *p = png_get_io_ptr(png);
    if ((p->rc = mw_file_write(p->file, bytes, n)) != 0)
        png_longjmp(png, 1);
}

static void on_flush(png_structp png) { (void)png; /* done by mw_file_commit */ }

static void on_error(png_structp png, png_const_charp message)
{
    struct picture *p = png_get_error_ptr(png);
    p->rc = LACKS_MEMORY(message) ? mw_fail(MW_ENOMEM, "out of memory: cannot write %s", p->path)
                                  : mw_fail(MW_EIO, "cannot write %s: libpng reports \"%s\"", p->path, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message; /* concerns metadata at most; libpng would print it */
}

/* All calls that can jump.  Values that change in between are in *p, since local variables would be lost. */
static int write_picture(struct picture *p)
{
    static const int colour_types[] = { [MW_PNG_GRAY] = PNG_COLOR_TYPE_GRAY,
                                        [MW_PNG_GRAY_ALPHA] = PNG_COLOR_TYPE_GRAY_ALPHA,
                                        [MW_PNG_RGB] = PNG_COLOR_TYPE_RGB,
                                        [MW_PNG_RGBA] = PNG_COLOR_TYPE_RGB_ALPHA };
    png_color colours[MW_COLOURS];
    for (size_t i = 0; i < MW_COLOURS; i++)
        colours[i] = (png_color){ p->scale.table[i][0], p->scale.table[i][1], p->scale.table[i][2] };
    if (setjmp(png_jmpbuf(p->png)) != 0)
        return p->rc;
    png_set_write_fn(p->png, p, on_write, on_flush);
    png_set_compression_level(p->png, p->style->compression);
    png_set_filter(p->png, PNG_FILTER_TYPE_BASE, p->style->filters);
    png_set_IHDR(p->png, p->info, (png_uint_32)p->width, (png_uint_32)p->height, 8 * (int)p->channel_bytes,
                 p->has_palette ? PNG_COLOR_TYPE_PALETTE : colour_types[p->kind], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (p->has_palette)
        png_set_PLTE(p->png, p->info, colours, MW_COLOURS);
    png_write_info(p->png, p->info);
    if (p->channel_bytes == 2 && !MW_BIG_HOST) /* 16-bit channels of PNG are big-endian */
        png_set_swap(p->png);
    for (size_t y = 0; y < p->height; y++) {
        if ((p->rc = p->style->draw(p, y)) != 0)
            png_longjmp(p->png, 1);
        png_write_row(p->png, p->row);
    }
    png_write_end(p->png, p->info);
    return 0;
}

static int check_sides(const struct picture *p)
{
    if (p->width == 0 || p->height == 0 || (p->array && p->array->data == NULL))
        return mw_fail(MW_EINVAL, "cannot draw %s: the array has no cells", p->path);
    if (p->width > SIDE_MAX || p->height > SIDE_MAX)
        return mw_fail(MW_ELIMIT, "cannot draw %s: %zux%zu cells (at most %d pixels per side)", p->path, p->width,
                       p->height, SIDE_MAX);
    return 0;
}

static int write_file(struct picture *p)
{
    int rc;
    TRY(mw_new(p->width, kinds[p->kind].channels * p->channel_bytes, &p->row));
    TRY(mw_file_create(p->path, true, &p->file));
    p->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, p, on_error, on_warning);
    p->info = p->png != NULL ? png_create_info_struct(p->png) : NULL;
    if (p->info == NULL)
        TRY(mw_fail(MW_ENOMEM, "out of memory: cannot draw %s", p->path));
    TRY(write_picture(p));
    rc = mw_file_commit(p->file);
    p->file = NULL;
out:
    png_destroy_write_struct(&p->png, &p->info);
    mw_file_abandon(p->file);
    free(p->row);
    return rc;
}

static struct picture picture_of(const char *path, const struct mw_array *array, const struct style *style)
{
    return (struct picture){ .path = path,
                             .array = array,
                             .style = style,
                             .kind = MW_PNG_RGB,
                             .channel_bytes = 1,
                             .width = array->dims > 0 ? array->length[0] : 1,
                             .height = array->dims > 1 ? array->length[1] : 1 };
}

int mw_png_write(const char *path, const struct mw_array *array, const char *colour_map, double lo, double hi)
{
    struct picture p = picture_of(path, array, &by_map);
    int rc;
    TRY_RETURN(check_sides(&p));
    rc = mw_colour_scale_make(&p.scale, array, p.width * p.height, colour_map, lo, hi);
    if (rc != 0)
        return mw_fail_in(rc, "cannot draw %s", path);
    p.has_palette = p.scale.bytes == 1 && !p.scale.is_gray;
    p.kind = p.scale.bytes < 3 ? MW_PNG_GRAY : MW_PNG_RGB;
    p.channel_bytes = p.scale.bytes == 2 ? 2 : 1;
    return write_file(&p);
}

int mw_png_write_pixels(const char *path, const struct mw_array *pixels, enum mw_png_kind kind)
{
    struct picture p = picture_of(path, pixels, &as_they_are);
    int rc;
    p.kind = kind;
    TRY(check_sides(&p));
    if ((rc = check_pixels(pixels, kind, &p.channel_bytes)) != 0)
        return mw_fail_in(rc, "cannot draw %s", path);
    if (pixels->dims > 2)
        return mw_fail(MW_EINVAL, "cannot draw %s: the pixels have %u dimensions (at most 2)", path, pixels->dims);
    TRY(write_file(&p));
out:
    return rc;
}

int mw_png_write_rows(const char *path, size_t width, size_t height, int (*row)(void *context, size_t y, void *rgb),
                      void *context)
{
    struct picture p = { .path = path,
                         .make_row = row,
                         .context = context,
                         .style = &as_they_come,
                         .kind = MW_PNG_RGB,
                         .channel_bytes = 1,
                         .width = width,
                         .height = height };
    TRY_RETURN(check_sides(&p));
    return write_file(&p);
}

#else

static int without_libpng(const char *path) { return mw_fail(MW_ENOTSUP, "cannot draw %s: " WITHOUT_LIBPNG, path); }

int mw_png_write(const char *path, const struct mw_array *array, const char *colour_map, double lo, double hi)
{
    return without_libpng(path);
}

int mw_png_write_pixels(const char *path, const struct mw_array *pixels, enum mw_png_kind kind)
{
    return without_libpng(path);
}

int mw_png_write_rows(const char *path, size_t width, size_t height, int (*row)(void *context, size_t y, void *rgb),
                      void *context)
{
    return without_libpng(path);
}

#endif
/* SPDX-License-Identifier: MIT */

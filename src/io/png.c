/* Pictures of arrays. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/io.h>

#ifdef HAVE_LIBPNG

#include "base/base.h"
#include "io/colour.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MAX 1000000 /* libpng's readers refuse more unless told otherwise */
/* The pixels are one of 256 colours each, and a filter, which takes differences, hides that.  Measured on fields:
 * against libpng's defaults (level 6, all filters) a sixth of the time and two thirds of the size. */
#define COMPRESSION 1
#define FILTERS PNG_FILTER_NONE

struct picture {
    const char *path;
    const struct mw_array *array;
    size_t width, height;
    double lo, hi;
    unsigned char colours[MW_COLOURS][3];
    unsigned char *row;
    struct mw_file *file;
    png_structp png;
    png_infop info;
    int rc; /* of the failure that ended the writing */
};

static double element(const struct mw_array *array, size_t i)
{
    switch (array->type) {
    case MW_TYPE_BOOL: return ((const unsigned char *)array->data)[i] != 0;
    case MW_TYPE_I8: return ((const int8_t *)array->data)[i];
    case MW_TYPE_U8: return ((const uint8_t *)array->data)[i];
    case MW_TYPE_I16: return ((const int16_t *)array->data)[i];
    case MW_TYPE_U16: return ((const uint16_t *)array->data)[i];
    case MW_TYPE_I32: return ((const int32_t *)array->data)[i];
    case MW_TYPE_U32: return ((const uint32_t *)array->data)[i];
    case MW_TYPE_I64: return (double)((const int64_t *)array->data)[i];
    case MW_TYPE_U64: return (double)((const uint64_t *)array->data)[i];
    case MW_TYPE_F32: return ((const float *)array->data)[i];
    case MW_TYPE_F64: return ((const double *)array->data)[i];
    default: return NAN;
    }
}

/* The range of the plane's finite values. */
static void own_range(struct picture *p)
{
    double lo = INFINITY, hi = -INFINITY;

    for (size_t i = 0; i < p->width * p->height; i++) {
        double v = element(p->array, i);
        if (isfinite(v)) {
            lo = v < lo ? v : lo;
            hi = v > hi ? v : hi;
        }
    }
    if (lo <= hi) {
        p->lo = lo;
        p->hi = hi;
    }
}

static void draw_row(const struct picture *p, size_t y)
{
    static const unsigned char magenta[3] = { 255, 0, 255 };
    /* Halves: the difference of two doubles may not fit into one. */
    double half_lo = 0.5 * p->lo, half_range = 0.5 * p->hi - half_lo;

    for (size_t x = 0; x < p->width; x++) {
        double v = element(p->array, y * p->width + x);
        const unsigned char *colour = magenta;
        if (isfinite(v)) {
            double t = half_range != 0 ? (0.5 * v - half_lo) / half_range : 0.5;
            t = t > 0 ? (t < 1 ? t : 1) : 0;
            colour = p->colours[(size_t)(t * (MW_COLOURS - 1) + 0.5)];
        }
        memcpy(p->row + 3 * x, colour, 3);
    }
}

static void on_write(png_structp png, png_bytep bytes, size_t n)
{
    struct picture *p = png_get_io_ptr(png);

    p->rc = mw_file_write(p->file, bytes, n);
    if (p->rc != 0)
        png_longjmp(png, 1);
}

static void on_flush(png_structp png)
{
    (void)png; /* mw_file_commit does */
}

static void on_error(png_structp png, png_const_charp message)
{
    struct picture *p = png_get_error_ptr(png);

    p->rc = mw_fail(MW_EIO, "cannot write %s: libpng says \"%s\"", p->path, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png; /* about the picture's metadata at most; libpng would print it */
    (void)message;
}

/* All that can jump.  Whatever changes meanwhile is in *p, so that no local variable is lost. */
static int write_picture(struct picture *p)
{
    if (setjmp(png_jmpbuf(p->png)) != 0)
        return p->rc;
    png_set_write_fn(p->png, p, on_write, on_flush);
    png_set_compression_level(p->png, COMPRESSION);
    png_set_filter(p->png, PNG_FILTER_TYPE_BASE, FILTERS);
    png_set_IHDR(p->png, p->info, (png_uint_32)p->width, (png_uint_32)p->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(p->png, p->info);
    for (size_t y = 0; y < p->height; y++) {
        draw_row(p, y);
        png_write_row(p->png, p->row);
    }
    png_write_end(p->png, p->info);
    return 0;
}

static int check(const struct picture *p)
{
    const struct mw_array *a = p->array;

    if (mw_type_bytes(a->type) == 0 || a->type == MW_TYPE_C64 || a->type == MW_TYPE_C128)
        return mw_fail(MW_EINVAL, "cannot draw %s: a picture shows real numbers, not %s", p->path,
                       mw_type_name(a->type));
    if (a->count == 0 || a->data == NULL)
        return mw_fail(MW_EINVAL, "cannot draw %s: the array has no cells", p->path);
    if (!isfinite(p->lo) || !isfinite(p->hi))
        return mw_fail(MW_EINVAL, "cannot draw %s: the range from %g to %g is not finite", p->path, p->lo, p->hi);
    if (p->width > SIDE_MAX || p->height > SIDE_MAX)
        return mw_fail(MW_ELIMIT, "cannot draw %s: %zux%zu cells, and a picture has at most %d pixels a side", p->path,
                       p->width, p->height, SIDE_MAX);
    return 0;
}

int mw_png_write(const char *path, const struct mw_array *array, const char *colour_map, double lo, double hi)
{
    struct picture p = { .path = path, .array = array, .lo = lo, .hi = hi,
                         .width = array->dims > 0 ? array->length[0] : 1,
                         .height = array->dims > 1 ? array->length[1] : 1 };
    int rc;

    TRY(check(&p));
    TRY(mw_colour_table(colour_map, p.colours));
    if (lo == hi)
        own_range(&p);
    TRY(mw_new(p.width, 3, &p.row));
    TRY(mw_file_create(path, false, &p.file));
    p.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &p, on_error, on_warning);
    p.info = p.png != NULL ? png_create_info_struct(p.png) : NULL;
    if (p.info == NULL)
        TRY(mw_fail(MW_ENOMEM, "out of memory: cannot draw %s", path));
    TRY(write_picture(&p));
    rc = mw_file_commit(p.file);
    p.file = NULL;
out:
    png_destroy_write_struct(&p.png, &p.info);
    mw_file_abandon(p.file);
    free(p.row);
    return rc;
}

#else

#include "base/base.h"

int mw_png_write(const char *path, const struct mw_array *array, const char *colour_map, double lo, double hi)
{
    (void)array;
    (void)colour_map;
    (void)lo;
    (void)hi;
    return mw_fail(MW_ENOTSUP, "cannot draw %s: meshwork was built without libpng; install libpng-dev and build again",
                   path);
}

#endif

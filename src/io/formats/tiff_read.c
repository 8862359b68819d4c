/* Reads TIFF by libtiff: pages in strips or tiles of any compression that libtiff decodes. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/formats.h"

#include "base/base.h"

#ifdef HAVE_TIFF
#include <tiffio.h>

#include "dev/host/host.h"
#include "io/npy_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TILE_SPARE ((size_t)16 << 20) /* tiles may be larger than a small page */

/* Description of a page, equal for all pages of a volume. */
struct page {
    uint32_t width, height, tile_width, tile_height;
    uint16_t bits, format, samples, photometric, planar, compression;
};

struct tiff_reading {
    const char *path;
    TIFF *tiff;
    char why[160]; /* libtiff's first error */
    uint64_t bytes;
    struct page page;
    enum mw_png_kind kind;
    enum mw_type type;
    bool half; /* 16-bit floats */
    struct mw_array array;
    unsigned char *piece; /* a strip or tile */
    size_t piece_bytes;
};

static int on_tiff_error(TIFF *tiff, void *context, const char *module, const char *format, va_list ap)
{
    struct tiff_reading *r = context;
    if (!r->why[0])
        vsnprintf(r->why, sizeof r->why, format, ap);
    return 1; /* nothing is printed */
}

static int on_tiff_warning(TIFF *tiff, void *context, const char *module, const char *format, va_list ap) { return 1; }

static int tiff_malformed(const struct tiff_reading *r, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid TIFF file: %s", r->path, r->why[0] ? r->why : what);
}

/* ---- pages ---- */

static bool is_thumbnail(TIFF *tiff)
{
    uint32_t subfile = 0;
    TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &subfile);
    return subfile & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK);
}

static void look_at_page(TIFF *tiff, struct page *page)
{
    memset(page, 0, sizeof *page); /* pages are compared as bytes */
    page->photometric = PHOTOMETRIC_MINISBLACK;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page->height);
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &page->photometric);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &page->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &page->format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &page->planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &page->compression);
    if (page->photometric == PHOTOMETRIC_MINISWHITE)
        page->photometric = PHOTOMETRIC_MINISBLACK; /* values are not changed */
    if (TIFFIsTiled(tiff)) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &page->tile_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &page->tile_height);
    }
}

/* Finds the element type of gray pages; false: none. */
static bool find_type(struct tiff_reading *r)
{
    static const struct {
        uint16_t format, bits;
        enum mw_type type;
    } types[] = { { SAMPLEFORMAT_UINT, 1, MW_TYPE_U8 },     { SAMPLEFORMAT_UINT, 2, MW_TYPE_U8 },
                  { SAMPLEFORMAT_UINT, 4, MW_TYPE_U8 },     { SAMPLEFORMAT_UINT, 8, MW_TYPE_U8 },
                  { SAMPLEFORMAT_UINT, 16, MW_TYPE_U16 },   { SAMPLEFORMAT_UINT, 32, MW_TYPE_U32 },
                  { SAMPLEFORMAT_UINT, 64, MW_TYPE_U64 },   { SAMPLEFORMAT_INT, 8, MW_TYPE_I8 },
                  { SAMPLEFORMAT_INT, 16, MW_TYPE_I16 },    { SAMPLEFORMAT_INT, 32, MW_TYPE_I32 },
                  { SAMPLEFORMAT_INT, 64, MW_TYPE_I64 },    { SAMPLEFORMAT_IEEEFP, 32, MW_TYPE_F32 },
                  { SAMPLEFORMAT_IEEEFP, 64, MW_TYPE_F64 }, { SAMPLEFORMAT_IEEEFP, 16, MW_TYPE_U16 } };
    const uint16_t format = r->page.format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : r->page.format;
    for (size_t i = 0; i < MW_COUNT(types); i++)
        if (types[i].format == format && types[i].bits == r->page.bits) {
            r->type = types[i].type;
            r->half = format == SAMPLEFORMAT_IEEEFP && r->page.bits == 16;
            return true;
        }
    return false;
}

/* Chooses the kind of pixels and the type of the array. */
static int choose_kind(struct tiff_reading *r)
{
    const struct page *p = &r->page;
    const bool gray = p->photometric == PHOTOMETRIC_MINISBLACK, palette = p->photometric == PHOTOMETRIC_PALETTE;
    if (!find_type(r))
        return mw_fail(MW_EDATA, "%s has elements of %d bits in sample format %d, which is not supported", r->path,
                       p->bits, p->format);
    r->kind = MW_PNG_GRAY;
    if (gray && p->samples == 1)
        return 0;
    if (!gray && !palette && p->photometric != PHOTOMETRIC_RGB)
        return mw_fail(MW_EDATA,
                       "%s has colours of photometric interpretation %d, which is not supported (convert it, as in "
                       "`magick in.tif out.png`)",
                       r->path, p->photometric);
    if ((gray && p->samples > 2) || (palette && (p->samples > 1 || p->bits > 8)) ||
        (!gray && !palette && (p->samples < 3 || p->samples > 4)) || (!palette && p->bits != 8 && p->bits != 16) ||
        (r->type != MW_TYPE_U8 && r->type != MW_TYPE_U16) || r->half)
        return mw_fail(MW_EDATA,
                       "%s has pixels of %d channels with %d bits, which are not supported (write one channel per "
                       "file)",
                       r->path, p->samples, p->bits);
    r->kind = gray ? MW_PNG_GRAY_ALPHA : p->samples == 4 ? MW_PNG_RGBA : MW_PNG_RGB;
    r->type = r->type == MW_TYPE_U8 ? MW_TYPE_U32 : MW_TYPE_U64;
    return 0;
}

/* JPEG data of YCbCr are converted by libtiff. */
static int read_page_head(struct tiff_reading *r, struct page *page)
{
    look_at_page(r->tiff, page);
    if (page->photometric == PHOTOMETRIC_YCBCR && page->compression == COMPRESSION_JPEG) {
        TIFFSetField(r->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        page->photometric = PHOTOMETRIC_RGB;
    }
    return page->width && page->height ? 0 : tiff_malformed(r, "a page has no elements");
}

/* Counts the pages, and checks that they have equal descriptions. */
static int count_pages(struct tiff_reading *r, size_t *pages)
{
    struct page page;
    *pages = 0;
    do {
        if (is_thumbnail(r->tiff))
            continue;
        TRY_RETURN(read_page_head(r, &page));
        if (*pages == 0)
            r->page = page;
        else if (memcmp(&page, &r->page, sizeof page) != 0)
            return mw_fail(MW_EDATA,
                           "%s has pages of different kinds: page %zu has %ux%u elements of %d bits, page 0 %ux%u of "
                           "%d bits (write one page per file)",
                           r->path, *pages, page.width, page.height, page.bits, r->page.width, r->page.height,
                           r->page.bits);
        ++*pages;
    } while (TIFFReadDirectory(r->tiff));
    if (r->why[0] || *pages == 0)
        return tiff_malformed(r, "it has no pages");
    return TIFFSetDirectory(r->tiff, 0) ? 0 : tiff_malformed(r, "the first page is gone");
}

/* Compares the pages with the size of the file before it allocates the array. */
static int allocate_pages(struct tiff_reading *r, size_t pages)
{
    const struct page *p = &r->page;
    const size_t length[] = { p->width, p->height, pages };
    const tmsize_t piece = p->tile_width ? TIFFTileSize(r->tiff) : TIFFStripSize(r->tiff);
    size_t count, bytes, bits;
    if (!mw_mul((size_t)p->width * p->height, pages, &count) || !mw_mul(count, mw_type_bytes(r->type), &bytes) ||
        !mw_mul(count, (size_t)p->bits * p->samples, &bits))
        return tiff_malformed(r, "the sizes of its pages exceed the address space");
    if (p->compression == COMPRESSION_NONE && bits / 8 > r->bytes)
        return tiff_malformed(r, "the sizes of its pages exceed the file");
    TRY_RETURN(mw_host_takes_unpacked(r->path, r->bytes, bytes, 0));
    if (piece <= 0 || (size_t)piece / 4 > bytes / pages + TILE_SPARE)
        return tiff_malformed(r, "a tile is far larger than a page");
    r->piece_bytes = (size_t)piece;
    TRY_RETURN(mw_new(r->piece_bytes, 1, &r->piece));
    return mw_array_new(r->type, pages > 1 ? 3 : 2, length, &r->array);
}

/* ---- elements ---- */

/* A rectangle of a page, which libtiff has decoded to r->piece. */
struct part {
    size_t x, y, width, height, row_bytes;
    unsigned first, samples; /* which samples of a pixel it has */
};

/* Returns the channel of a sample in pixels R, G, B, A. */
static unsigned channel_of(const struct tiff_reading *r, unsigned sample)
{
    return r->kind == MW_PNG_GRAY_ALPHA && sample == 1 ? 3 : sample;
}

/* Copies a part to its page.  Samples of less than 8 bits begin at the highest bit of a byte. */
static void place(const struct tiff_reading *r, const struct part *part, char *page)
{
    const unsigned bits = r->page.bits;
    const bool palette = r->page.photometric == PHOTOMETRIC_PALETTE;
    const size_t pixel = mw_type_bytes(r->type), each = bits < 8 ? 1 : bits / 8;
    for (size_t y = 0; y < part->height; y++) {
        const unsigned char *from = r->piece + y * part->row_bytes;
        char *to = page + ((part->y + y) * r->page.width + part->x) * pixel;
        if (bits >= 8 && r->kind == MW_PNG_GRAY) {
            memcpy(to, from, part->width * pixel);
            continue;
        }
        for (size_t i = 0; i < part->width * part->samples; i++) {
            const unsigned channel = palette ? 0 : channel_of(r, part->first + (unsigned)(i % part->samples));
            char *at = to + i / part->samples * pixel + channel * each;
            if (bits >= 8)
                memcpy(at, from + i * each, each);
            else
                *(unsigned char *)at = from[i * bits / 8] >> (8 - bits - i * bits % 8) & ((1u << bits) - 1);
        }
    }
}

static int read_parts(struct tiff_reading *r, char *page)
{
    const struct page *p = &r->page;
    const bool separate = p->planar == PLANARCONFIG_SEPARATE && p->samples > 1;
    uint32_t rows = p->height;
    struct part part = { .samples = separate ? 1 : p->samples };
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    const size_t width = p->tile_width ? p->tile_width : p->width;
    const size_t height = p->tile_width ? p->tile_height : rows < p->height ? rows : p->height;
    const tmsize_t row = p->tile_width ? TIFFTileRowSize(r->tiff) : TIFFScanlineSize(r->tiff);
    if (height == 0 || width == 0 || row <= 0 || (size_t)row * height > r->piece_bytes)
        return tiff_malformed(r, "a strip or tile has an impossible size");
    part.row_bytes = (size_t)row;
    if (part.row_bytes < (width * part.samples * p->bits + 7) / 8)
        return tiff_malformed(r, "rows have an impossible size");
    uint32_t index = 0;
    for (part.first = 0; part.first < (separate ? p->samples : 1u); part.first++)
        for (part.y = 0; part.y < p->height; part.y += height)
            for (part.x = 0; part.x < p->width; part.x += width, index++) {
                part.width = mw_min(width, p->width - part.x);
                part.height = mw_min(height, p->height - part.y);
                const size_t needed = p->tile_width ? part.row_bytes * height : part.row_bytes * part.height;
                const tmsize_t got = p->tile_width ? TIFFReadEncodedTile(r->tiff, index, r->piece, (tmsize_t)needed)
                                                   : TIFFReadEncodedStrip(r->tiff, index, r->piece, (tmsize_t)needed);
                if (got < 0 || (size_t)got < needed)
                    return tiff_malformed(r, "unexpected end of a strip or tile");
                place(r, &part, page);
            }
    return 0;
}

/* Replaces indices by their colours; sets the alpha of pixels without one. */
static int tiff_finish_page(struct tiff_reading *r, char *page)
{
    const size_t count = (size_t)r->page.width * r->page.height;
    uint16_t *maps[3] = { NULL };
    if (r->kind == MW_PNG_GRAY || r->kind == MW_PNG_GRAY_ALPHA)
        return 0;
    if (r->page.photometric == PHOTOMETRIC_PALETTE) {
        if (!TIFFGetField(r->tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]))
            return tiff_malformed(r, "it has no palette");
        for (size_t i = 0; i < count; i++) {
            unsigned char *pixel = (unsigned char *)page + 4 * i;
            const unsigned colour = pixel[0] & ((1u << r->page.bits) - 1);
            for (unsigned c = 0; c < 3; c++)
                pixel[c] = (unsigned char)(maps[c][colour] >> 8);
        }
    }
    for (size_t i = 0; r->kind == MW_PNG_RGB && i < count; i++)
        if (r->type == MW_TYPE_U32)
            ((unsigned char *)page)[4 * i + 3] = UINT8_MAX;
        else
            ((uint16_t *)page)[4 * i + 3] = UINT16_MAX;
    return 0;
}

static int read_pages(struct tiff_reading *r)
{
    size_t pages, page_bytes;
    char *page;
    TRY_RETURN(count_pages(r, &pages));
    TRY_RETURN(choose_kind(r));
    struct page first;
    TRY_RETURN(read_page_head(r, &first)); /* sets the conversion of the page that sizes are taken from */
    TRY_RETURN(allocate_pages(r, pages));
    page = r->array.data;
    page_bytes = r->array.count / pages * mw_type_bytes(r->type);
    do {
        if (is_thumbnail(r->tiff))
            continue;
        TRY_RETURN(read_page_head(r, &first));
        TRY_RETURN(read_parts(r, page));
        TRY_RETURN(tiff_finish_page(r, page));
        page += page_bytes;
        pages--;
    } while (pages > 0 && TIFFReadDirectory(r->tiff));
    if (pages > 0)
        return tiff_malformed(r, "unexpected end of the pages");
    if (r->half) {
        TRY_RETURN(mw_npy_widen(r->array.count, &r->array.data));
        r->array.type = MW_TYPE_F32;
    }
    return 0;
}

static int open_tiff(struct tiff_reading *r, int *fd)
{
    TIFFOpenOptions *options;
    struct stat status;
    *fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (*fd < 0 || fstat(*fd, &status) != 0)
        return mw_fail(MW_EIO, "cannot read %s: %s", r->path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return mw_fail(MW_EDATA, "%s is not a valid TIFF file: not a regular file", r->path);
    r->bytes = (uint64_t)status.st_size;
    options = TIFFOpenOptionsAlloc();
    if (!options)
        return mw_fail(MW_ENOMEM, "out of memory: cannot read %s", r->path);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_tiff_error, r);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_tiff_warning, r);
    r->tiff = TIFFFdOpenExt(*fd, "libtiff", "rm", options); /* m: a file that shrinks cannot end the process */
    TIFFOpenOptionsFree(options);
    return r->tiff ? 0 : tiff_malformed(r, "the file does not begin with II or MM");
}

int mw_tiff_read(const char *path, struct mw_array *array, enum mw_png_kind *kind)
{
    struct tiff_reading r = { .path = path };
    int fd, rc;
    TRY(open_tiff(&r, &fd));
    TRY(read_pages(&r));
    *array = r.array;
    *kind = r.kind;
    r.array.data = NULL;
out:
    if (r.tiff)
        TIFFCleanup(r.tiff); /* TIFFClose also closes the descriptor */
    if (fd >= 0)
        close(fd);
    mw_array_free(&r.array);
    free(r.piece);
    return rc;
}

#else

int mw_tiff_read(const char *path, struct mw_array *array, enum mw_png_kind *kind)
{
    return mw_fail(MW_ENOTSUP,
                   "cannot read %s: meshwork was built without libtiff (install libtiff-dev and build it again)", path);
}

#endif
/* SPDX-License-Identifier: MIT */

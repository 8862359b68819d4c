/* meshwork label: reads input files, recognised by name or by their first bytes. */
#include <stdio.h>
#include <sys/stat.h>

#include "tools/cli/names.h"
#include "tools/label/label.h"
#include "tools/report/files.h"

#define HEAD_BYTES 512

/* ---- pictures ---- */

/* For pixels R, G, B, A of one size: returns whether all are gray and either opaque or fully transparent; stores
 * whether some are transparent. */
static bool are_gray(const struct mw_array *pixels, bool *has_clear)
{
    const size_t bytes = mw_type_bytes(pixels->type) / 4;
    const unsigned char *p = pixels->data;
    bool gray = true;

    for (size_t i = 0; i < pixels->count; i++, p += 4 * bytes) {
        const bool clear = p[3 * bytes] == 0 && p[4 * bytes - 1] == 0;
        const bool opaque = p[3 * bytes] == 255 && p[4 * bytes - 1] == 255;
        const bool alike = !memcmp(p, p + bytes, bytes) && !memcmp(p, p + 2 * bytes, bytes);
        gray = gray && (clear || (opaque && alike));
        *has_clear = *has_clear || clear;
    }
    return gray;
}

/* Keeps one of four channels in place; transparent pixels become 0. */
static void make_gray(struct label *l)
{
    const size_t bytes = mw_type_bytes(l->source.type) / 4;
    unsigned char *to = l->source.data;
    const unsigned char *p = l->source.data;

    for (size_t i = 0; i < l->source.count; i++, p += 4 * bytes, to += bytes) {
        const bool clear = p[3 * bytes] == 0;
        for (size_t b = 0; b < bytes; b++)
            to[b] = clear ? 0 : p[b];
    }
    l->source.type = bytes == 1 ? MW_TYPE_U8 : MW_TYPE_U16;
    l->is_colour = l->has_clear = false;
}

static void note_reading(struct label *l)
{
    struct stat status;
    l->is_picture = true;
    if (stat(l->input, &status) == 0 && S_ISREG(status.st_mode))
        l->reading_bytes = (uint64_t)status.st_size + l->source.count * mw_type_bytes(l->source.type);
}

/* Pixels with colour or alpha become integers, with opaque black as 0.  A gray picture stored with channels becomes
 * gray.  Exceptions: its background is given as a colour, or is given while some pixels are transparent. */
static void take_colours(struct label *l)
{
    const char *background = l->set->background;
    unsigned char *channel = l->source.data;
    const size_t bytes = mw_type_bytes(l->source.type);

    l->is_colour = true;
    if (are_gray(&l->source, &l->has_clear) && !(background && (*background == '#' || l->has_clear))) {
        make_gray(l);
        return;
    }
    for (size_t i = 0; i < l->source.count; i++, channel += bytes)
        for (size_t b = bytes - bytes / 4; b < bytes; b++)
            channel[b] = (unsigned char)~channel[b];
}

/* Reads a file of a format of the library, named by its suffix. */
static int read_format(struct label *l, const char *suffix)
{
    const struct mw_array_format *format;
    enum mw_png_kind kind;
    TRY_RETURN(mw_array_load_pixels(l->input, suffix, &l->source, &kind));
    for (size_t i = 0; (format = mw_array_formats(i)) != NULL; i++)
        if (!strcmp(format->suffix, suffix) && (format->is_picture || kind != MW_PNG_GRAY))
            note_reading(l);
    if (kind != MW_PNG_GRAY)
        take_colours(l);
    return 0;
}

void label_clear_pixels(struct label *l)
{
    const size_t bytes = mw_type_bytes(l->source.type), alpha = bytes / 4;
    unsigned char *p = l->source.data;

    if (!l->has_clear || l->options.no_background)
        return;
    for (size_t i = 0; i < l->source.count; i++, p += bytes)
        if (p[bytes - alpha] == 255 && p[bytes - 1] == 255)
            memcpy(p, l->background, bytes);
}

/* ---- raw elements ---- */

/* Parses a type: NumPy's name, optionally followed by "le" or "be", or its short form such as >u2. */
static int parse_type(const char *text, enum mw_type *type, bool *big_endian)
{
    static const char *const short_names[] = {
        [MW_TYPE_BOOL] = "b1", [MW_TYPE_I8] = "i1",  [MW_TYPE_U8] = "u1",  [MW_TYPE_I16] = "i2",
        [MW_TYPE_U16] = "u2",  [MW_TYPE_I32] = "i4", [MW_TYPE_U32] = "u4", [MW_TYPE_I64] = "i8",
        [MW_TYPE_U64] = "u8",  [MW_TYPE_F32] = "f4", [MW_TYPE_F64] = "f8"
    };
    const bool big_host = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const char *name = text + strspn(text, "<>=|");
    struct nearest nearest = { .word = name };
    const size_t length = strlen(name);
    const char *order = length > 2 ? name + length - 2 : "";
    *big_endian = name == text + 1 && *text == '>' ? true : name == text + 1 && *text == '<' ? false : big_host;
    for (*type = MW_TYPE_BOOL; mw_type_bytes(*type) && name - text <= 1; (*type)++) {
        const char *whole = mw_type_name(*type);
        const bool ordered = name == text && length == strlen(whole) + 2 && !strncmp(name, whole, length - 2) &&
                             (!strcmp(order, "be") || !strcmp(order, "le"));
        if (ordered)
            *big_endian = *order == 'b';
        if (ordered || !strcmp(name, whole) ||
            ((size_t)*type < MW_COUNT(short_names) && !strcmp(name, short_names[*type])))
            return 0;
        nearest_offer(&nearest, whole);
    }
    return mw_fail(MW_EINVAL, "--type: unknown type '%s': %s", text,
                   nearest_advice(&nearest, "must be a NumPy type such as bool, uint8, int16, float32 or >u2").text);
}

static int fail_unknown(const char *path)
{
    const struct mw_array_format *format;
    struct mw_text known = { 0 };
    int rc;
    for (size_t i = 0; (format = mw_array_formats(i)) != NULL; i++)
        if (format->reads)
            mw_text_add(&known, "%s%s", i ? ", " : "", format->suffix);
    TRY(mw_text_ok(&known));
    rc = mw_fail(MW_EINVAL,
                 "%s has an unknown format (known: %s): if it has raw elements, give their lengths and type, as in "
                 "--size 64x64x64 --type uint8",
                 path, known.data);
out:
    mw_text_free(&known);
    return rc;
}

static int read_raw(struct label *l)
{
    const struct size *size = &l->set->size;
    bool big_endian;
    enum mw_type type;
    if (!size->dims || !l->set->type)
        return fail_unknown(l->input);
    TRY_RETURN(parse_type(l->set->type, &type, &big_endian));
    return mw_raw_read_after(l->input, (size_t)l->set->offset, big_endian, type, size->dims, size->length, &l->source);
}

/* ---- recognition ---- */

/* First bytes of the supported formats, and of others with a command that converts them. */
static const struct format {
    size_t at;
    const char *bytes;
    size_t length;
    const char *name, *advice; /* advice NULL: supported */
    const char *suffix;        /* names the format in mw_array_formats */
} formats[] = {
#define BYTES(text) text, sizeof(text) - 1
#define BY_PYTHON(module, call)                                                                                        \
    "convert it, as in `python3 -c 'import numpy, " module "; numpy.save(\"out.npy\", " call ")'`"
    { 0, BYTES("\x93NUMPY"), "an .npy file", NULL, ".npy" },
    { 0, BYTES("\x89PNG\r\n\x1a\n"), "a PNG file", NULL, ".png" },
    { 0, BYTES("P1\n"), "a PBM file", NULL, ".pbm" },
    { 0, BYTES("P2\n"), "a PGM file", NULL, ".pgm" },
    { 0, BYTES("P4\n"), "a PBM file", NULL, ".pbm" },
    { 0, BYTES("P5\n"), "a PGM file", NULL, ".pgm" },
    { 0, BYTES("P3\n"), "a PPM file", "convert it, as in `pnmtopng in.ppm >out.png`", NULL },
    { 0, BYTES("P6\n"), "a PPM file", "convert it, as in `pnmtopng in.ppm >out.png`", NULL },
    { 0, BYTES("P7\n"), "a PAM file", "convert it, as in `pamtopng in.pam >out.png`", NULL },
    { 0, BYTES("II*\0"), "a TIFF file", NULL, ".tif" },
    { 0, BYTES("MM\0*"), "a TIFF file", NULL, ".tif" },
    { 0, BYTES("II+\0"), "a BigTIFF file", NULL, ".tif" },
    { 0, BYTES("MM\0+"), "a BigTIFF file", NULL, ".tif" },
    { 0, BYTES("NRRD"), "an NRRD file", NULL, ".nrrd" },
    { 0, BYTES("\xff\xd8\xff"), "a JPEG file", "convert it, as in `djpeg -pnm -grayscale in.jpg >out.pgm`", NULL },
    { 0, BYTES("GIF8"), "a GIF file", "convert it, as in `magick in.gif[0] out.png`", NULL },
    { 0, BYTES("BM"), "a BMP file", "convert it, as in `magick in.bmp out.png`", NULL },
    { 0, BYTES("\x89HDF\r\n\x1a\n"), "an HDF5 file", NULL, ".h5" },
    { 344, BYTES("n+1\0"), "a NIfTI file", BY_PYTHON("nibabel", "nibabel.load(\"in.nii\").dataobj.get_unscaled().T"),
      NULL },
    { 128, BYTES("DICM"), "a DICOM file", BY_PYTHON("pydicom", "pydicom.dcmread(\"in.dcm\").pixel_array"), NULL },
    { 208, BYTES("MAP "), "an MRC file", BY_PYTHON("mrcfile", "mrcfile.read(\"in.mrc\")"), NULL },
    { 8, BYTES("WEBP"), "a WebP file", "convert it, as in `dwebp in.webp -o out.png`", NULL },
    { 0, BYTES("\x1f\x8b"), "compressed by gzip", "decompress it by `gunzip`", NULL },
    { 0, BYTES("PK\3\4"), "a ZIP archive", "if it is NumPy's, its name ends in .npz", NULL },
};

static const struct format *format_of(const char *path)
{
    char head[HEAD_BYTES];
    struct stat status;
    FILE *file;
    size_t n;
    if (stat(path, &status) || !S_ISREG(status.st_mode) || !(file = fopen(path, "rbe")))
        return NULL;
    n = fread(head, 1, sizeof(head), file);
    fclose(file);
    for (size_t i = 0; i < MW_COUNT(formats); i++)
        if (n >= formats[i].at + formats[i].length &&
            !memcmp(head + formats[i].at, formats[i].bytes, formats[i].length))
            return &formats[i];
    return NULL;
}

int label_read_file(struct label *l)
{
    const struct label_settings *set = l->set;
    const bool is_raw = set->type || set->size.dims, is_file = strcmp(l->input, "-") != 0;
    const struct format *begins = is_raw || !is_file ? NULL : format_of(l->input);
    const struct mw_array_format *named = NULL;
    const char *suffix = NULL;
    if ((is_file || !set->type) && mw_array_format_find(l->input, false, &named) == 0)
        suffix = named->suffix;
    if (begins && begins->advice && !(suffix && !strcmp(suffix, ".npz") && !strncmp(begins->bytes, "PK", 2)))
        return mw_fail(MW_EDATA, "%s is %s, which meshwork does not read: %s", l->input, begins->name, begins->advice);
    if (begins && !suffix)
        suffix = begins->suffix;
    if (suffix && (is_raw || set->offset))
        return mw_fail(MW_EINVAL, "--%s is for raw elements: leave it out, %s specifies them itself",
                       set->type     ? "type"
                       : set->offset ? "offset"
                                     : "size",
                       is_file ? l->input : "the .npy on standard input");
    return suffix ? read_format(l, suffix) : read_raw(l);
}
/* SPDX-License-Identifier: MIT */

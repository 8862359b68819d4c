/* Files of arrays and pictures.  A file to be written at path "-" is standard output.
 *
 * Threads: any; an array belongs to one thread at a time. */
#ifndef MESHWORK_IO_H
#define MESHWORK_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/file.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MW_DIMS_MAX 8 /* maximum number of dimensions of arrays and meshes */
/* Element types that files hold. */
enum mw_type {
    MW_TYPE_BOOL,
    MW_TYPE_I8,
    MW_TYPE_U8,
    MW_TYPE_I16,
    MW_TYPE_U16,
    MW_TYPE_I32,
    MW_TYPE_U32,
    MW_TYPE_I64,
    MW_TYPE_U64,
    MW_TYPE_F32,
    MW_TYPE_F64,
    MW_TYPE_C64,
    MW_TYPE_C128
};
MW_API size_t mw_type_bytes(enum mw_type type);     /* bytes of an element; 0 for an unknown type */
MW_API const char *mw_type_name(enum mw_type type); /* NumPy's: "float32" */
/* Finds a type by its name. Errors: MW_EINVAL (unknown name). */
MW_API int mw_type_find(const char *name, enum mw_type *type);

/* An array in host memory, copied and made of a program's own memory, hence a fixed value.  length[0] is x, the
 * contiguous dimension: the reverse of NumPy's shape. */
struct mw_array { /* a fixed value */
    enum mw_type type;
    unsigned dims; /* 0 (one element) to MW_DIMS_MAX */
    size_t length[MW_DIMS_MAX];
    size_t count; /* product of the lengths */
    void *data;   /* malloc'ed */
};
/* Makes an array of zeros; `length` holds `dims` lengths. Errors: MW_EINVAL (dims, type), MW_ELIMIT (more bytes than
 * can be counted), MW_ENOMEM. */
MW_API int mw_array_new(enum mw_type type, unsigned dims, const size_t *length, struct mw_array *array);
MW_API void mw_array_free(struct mw_array *array); /* frees data and zeroes the struct */
/* A format of array files:
 *   .npy .npz   NumPy's, read and written; of .npz the first array, or FILE.npz:NAME, read only
 *   .png        pixels (mw_png_read); written of uint8, uint16, uint32 and uint64 pixels, and of other types by a
 *               colour map
 *   .pgm .pbm   Netpbm's graymaps and bitmaps, read only
 *   .vti        VTK image data, written only, of a field called "values" */
struct mw_array_format { /* the library's, may grow */
    const char *suffix, *description;
    bool reads, writes;
};
/* Returns format i of array files; NULL beyond the last one. */
MW_API const struct mw_array_format *mw_array_formats(size_t i);
/* Finds the format of a file's name; "-" is .npy. MW_EINVAL: unknown suffix; the message lists all formats. */
MW_API int mw_array_format_find(const char *path, bool writes, const struct mw_array_format **format);
/* Reads a new array in the format of the file's name.  Errors: those of mw_array_format_find and of the format's own
 * functions below. */
MW_API int mw_array_load(const char *path, struct mw_array *array);
/* Writes an array in the format of the file's name.  Errors: those of mw_array_format_find and of the format's own
 * functions below. */
MW_API int mw_array_save(const char *path, const struct mw_array *array);
/* Returns the XXH64 hash of an array's bytes in file order, little-endian. */
MW_API uint64_t mw_array_checksum(const struct mw_array *array);
/* The hash of an array that comes in pieces. */
struct mw_checksum;
/* Begins a hash without elements.  Errors: MW_ENOMEM. */
MW_API int mw_checksum_new(struct mw_checksum **checksum);
/* Adds the next elements of the array. */
MW_API void mw_checksum_add(struct mw_checksum *checksum, enum mw_type type, const void *elements, size_t count);
/* Returns the hash of all added elements, equal to mw_array_checksum of the array. */
MW_API uint64_t mw_checksum_value(const struct mw_checksum *checksum);
MW_API void mw_checksum_free(struct mw_checksum *checksum);

/* NumPy .npy, format versions 1 to 3 (numpy.lib.format): reads C and Fortran order and either byte order into C order
 * and the host's; writes version 1, C order, little-endian.  A header over 64 KiB, a shape that overflows, or fewer
 * bytes than the shape needs is MW_EDATA, before anything of that size is allocated.  "-" is standard input or output.
 * Elements of 16-bit floating point become float32.  In an archive (.npz, stored or deflated members) FILE.npz is the
 * first array, FILE.npz:NAME the one of that name; the archive must be a file, not a stream.  Files are written
 * completely or not at all.  Reading makes a new array.  Errors: also MW_EDATA (elements of another type), MW_EIO,
 * MW_ENOMEM, MW_ENOTSUP (deflated members, built without zlib). */
MW_API int mw_npy_read(const char *path, struct mw_array *array);
/* Writes an array as a .npy file, version 1. Errors: those of mw_npy_read that apply to writing. */
MW_API int mw_npy_write(const char *path, const struct mw_array *array);
/* Begins a .npy file that is written in pieces: writes the header of an array, whose data are not read. The caller adds
 * the elements by mw_npy_append, and ends the file by mw_file_commit (file.h).  Errors: those of mw_npy_write. */
MW_API int mw_npy_create(const char *path, const struct mw_array *array, struct mw_file **file);
/* Adds the next elements to a file of mw_npy_create.  Errors: those of mw_npy_write. */
MW_API int mw_npy_append(struct mw_file *file, enum mw_type type, const void *elements, size_t count);

/* Returns the name of colour map i: "viridis", "coolwarm" (diverging, for fields about zero), "hue" (cyclic, for
 * angles), "gray"; NULL beyond the last one. */
MW_API const char *mw_colour_maps(size_t i);

/* Writes a 2D array of real type (a plane of a higher one: the first) as an 8-bit RGB PNG, y downwards as in the array.
 * Values from lo to hi run through the colour map; lo == hi: from the array's own range; values that are not finite are
 * drawn magenta.  Errors: MW_ENOTSUP (built without libpng), MW_EINVAL (no such map, fewer than 1 cell), MW_ELIMIT,
 * MW_EIO. */
MW_API int mw_png_write(const char *path, const struct mw_array *array, const char *colour_map, double lo, double hi);

/* Writes an array of real type as VTK image data for ParaView and similar programs: values at points of spacing 1. The
 * file (.vti) is XML, followed by lengths of 8 bytes and raw values in the host's byte order. `count` fields each have
 * a name; if there are several, they are the slowest dimension, as in a .npy file. The mesh has 0 to 3 further
 * dimensions. `time` is shown by viewers; NAN: none. Completely or not at all. Errors: MW_EINVAL (dimensions, complex,
 * no values), MW_EIO. */
MW_API int mw_vti_write(const char *path, const struct mw_array *array, const char *const *names, size_t count,
                        double time);

/* Pictures whose pixels are moved, not computed with: a pixel is one element. Gray is MW_TYPE_U8. Pictures with colour
 * or alpha are MW_TYPE_U32, the bytes R, G, B, A in the order of memory (alpha 255 if absent). 16 bits per channel are
 * kept: MW_TYPE_U16, and MW_TYPE_U64 with channels of 16 bits in the host's order. The kind contains the channels of
 * the file. */
enum mw_png_kind { MW_PNG_GRAY, MW_PNG_GRAY_ALPHA, MW_PNG_RGB, MW_PNG_RGBA };
MW_API const char *mw_png_kind_name(int value); /* status.h: "gray", "gray and alpha", "RGB", "RGBA" */
MW_API int mw_png_kind_find(const char *name, enum mw_png_kind *value);

/* Reads a PNG of any kind as a 2D array: 1, 2 and 4 bits of gray become 8, a palette becomes RGB, a transparent colour
 * becomes alpha.  Text, colour profiles and other data are ignored.  Errors: MW_ENOTSUP (built without libpng); MW_EIO;
 * MW_EDATA (malformed, truncated, over a million pixels per side, or a size that the file's bytes cannot hold, which is
 * checked before allocation); MW_ELIMIT (a file of more than 1 GiB); MW_ENOMEM. */
MW_API int mw_png_read(const char *path, struct mw_array *pixels, enum mw_png_kind *kind);
/* Writes pixels of these types, in at most 2 dimensions, as a PNG of that kind; completely or not at all. Errors:
 * MW_ENOTSUP, MW_EINVAL (another type, more dimensions, no pixels), MW_ELIMIT (over a million per side), MW_EIO. */
MW_API int mw_png_write_pixels(const char *path, const struct mw_array *pixels, enum mw_png_kind kind);
/* Writes a picture of 8-bit RGB whose rows are made one by one, from the top: `row` fills the 3 * width bytes of row y,
 * and returns 0 or an error, which ends the writing.  Errors: those of mw_png_write_pixels, and those of `row`. */
MW_API int mw_png_write_rows(const char *path, size_t width, size_t height,
                             int (*row)(void *context, size_t y, void *rgb), void *context);
/* Makes an array of the channels, uint8 or uint16, of pixels in any number of dimensions. Except for gray, it has an
 * additional dimension, the contiguous one. Does not need libpng. Errors: MW_EINVAL (no pixels), MW_ENOMEM. */
MW_API int mw_png_to_channels(const struct mw_array *pixels, enum mw_png_kind kind, struct mw_array *channels);
/* Makes an array of pixels from their channels, uint8 or uint16: 1 or 2 dimensions are gray, and the first of 3 counts
 * the 1 to 4 channels. Does not need libpng. Errors: MW_EINVAL (no channels), MW_ENOMEM. */
MW_API int mw_png_from_channels(const struct mw_array *channels, struct mw_array *pixels, enum mw_png_kind *kind);

/* Reads a graymap (PGM, plain P2 or raw P5) or a bitmap (PBM, P1 or P4, whose 1 is black) of Netpbm as a 2D array:
 * MW_TYPE_U8, or MW_TYPE_U16 if its largest value is above 255. Values are not scaled. "-" is standard input.
 * Errors: MW_EIO; MW_EDATA (malformed, truncated, a value above the largest, more than one picture, or a size that the
 * file's bytes cannot hold, which is checked before allocation); MW_ELIMIT (a file of more than 1 GiB); MW_ENOMEM. */
MW_API int mw_pgm_read(const char *path, struct mw_array *gray);

/* Reads elements without a header, x first, in the host's byte order; `dims` is 1 to MW_DIMS_MAX and no length is 0.
 * "-" is standard input.
 * Errors: MW_EDATA (the file has not exactly the bytes that these lengths need), MW_EIO, MW_EINVAL, MW_ELIMIT (lengths
 * that overflow), MW_ENOMEM. */
MW_API int mw_raw_read(const char *path, enum mw_type type, unsigned dims, const size_t *length,
                       struct mw_array *array);
/* Reads raw elements as mw_raw_read does, after a header of `offset` bytes, in big-endian or little-endian order. */
MW_API int mw_raw_read_after(const char *path, size_t offset, bool big_endian, enum mw_type type, unsigned dims,
                             const size_t *length, struct mw_array *array);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

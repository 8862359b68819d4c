/* Reads and writes files of arrays and pictures. Path "-" is standard output when writing.
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
/* Element types of arrays. C64 and C128: complex numbers of two F32 or two F64. */
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
MW_API size_t mw_type_bytes(enum mw_type type);     /* returns the bytes of an element; 0: unknown type */
MW_API const char *mw_type_name(enum mw_type type); /* returns the name in NumPy: "float32" */
/* Finds a type by its name. Errors: MW_EINVAL (unknown name). */
MW_API int mw_type_find(const char *name, enum mw_type *type);

/* Array in host memory. A program may copy this struct, and make it from its own memory. length[0] is x, the
 * contiguous dimension; the shape in NumPy has the reverse order. */
struct mw_array {      /* a fixed value */
    enum mw_type type; /* type of the elements */
    unsigned dims;     /* number of dimensions, 0 to MW_DIMS_MAX; 0: one element */
    size_t length[MW_DIMS_MAX];
    size_t count; /* number of elements: the product of the lengths */
    void *data;   /* the elements; allocated by malloc if mw_array_free frees them */
};
/* Makes an array of zeros with `dims` lengths. The caller frees it by mw_array_free. Errors: MW_EINVAL (dims, type),
 * MW_ELIMIT (the size overflows), MW_ENOMEM. */
MW_API int mw_array_new(enum mw_type type, unsigned dims, const size_t *length, struct mw_array *array);
MW_API void mw_array_free(struct mw_array *array); /* frees data, zeroes the struct */
/* Format of array files, by the suffix of the name:
 *   .npy .npz   NumPy, read and written; of .npz only reading: FILE.npz is the first array, FILE.npz:NAME the named one
 *   .png        reading gives pixels (mw_png_read). Writing uint8, uint16, uint32 and uint64 gives pixels; other types
 *               use a colour map
 *   .pgm .pbm   graymaps and bitmaps of Netpbm, only read
 *   .vti        VTK image data, only written; the field is called "values" */
struct mw_array_format {              /* the library's, may grow */
    const char *suffix, *description; /* suffix: with its dot, ".npy" */
    bool reads, writes;               /* supports reading; supports writing */
};
/* Returns format `i` of array files; NULL beyond the last one. */
MW_API const struct mw_array_format *mw_array_formats(size_t i);
/* Finds the format of a path by its suffix, for writing if `writes`, otherwise for reading; "-" is .npy. Errors:
 * MW_EINVAL (unknown suffix; the message lists all formats). */
MW_API int mw_array_format_find(const char *path, bool writes, const struct mw_array_format **format);
/* Reads a new array, in the format of the suffix. The caller frees it by mw_array_free. Errors: those of
 * mw_array_format_find and of the functions for that format below. */
MW_API int mw_array_load(const char *path, struct mw_array *array);
/* Writes an array, in the format of the suffix. Errors: those of mw_array_format_find and of the functions for that
 * format below. */
MW_API int mw_array_save(const char *path, const struct mw_array *array);
/* Returns the XXH64 hash of the bytes of all elements in file order, little-endian. It does not depend on the
 * lengths. */
MW_API uint64_t mw_array_checksum(const struct mw_array *array);
/* Handle of a hash of an array that is given in pieces. */
struct mw_checksum;
/* Begins a hash, of no elements yet. The caller frees it by mw_checksum_free. Errors: MW_ENOMEM. */
MW_API int mw_checksum_new(struct mw_checksum **checksum);
/* Adds the next `count` elements of the array. */
MW_API void mw_checksum_add(struct mw_checksum *checksum, enum mw_type type, const void *elements, size_t count);
/* Returns the hash of all elements added so far. After the last one, it equals mw_array_checksum of the array. */
MW_API uint64_t mw_checksum_value(const struct mw_checksum *checksum);
/* Frees a hash; NULL is allowed. */
MW_API void mw_checksum_free(struct mw_checksum *checksum);

/* Reads a NumPy file (.npy, format versions 1 to 3; specification: numpy.lib.format) as a new array, which the caller
 * frees by mw_array_free. C and Fortran order and both byte orders are converted to C order and the byte order of the
 * host. 16-bit floating-point elements become float32. "-" is standard input.
 * In an archive (.npz, stored or deflated members), FILE.npz is the first array, and FILE.npz:NAME is the array of that
 * name. The archive must be a file, not a stream.
 * Errors: MW_EDATA (unsupported element type, a header over 64 KiB, a shape that overflows, fewer bytes than the
 * shape needs; all checked before allocation), MW_EIO, MW_ENOMEM, MW_ENOTSUP (deflated members, built without zlib). */
MW_API int mw_npy_read(const char *path, struct mw_array *array);
/* Writes an array as a .npy file: version 1, C order, little-endian. The file is written completely or not at all.
 * Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_npy_write(const char *path, const struct mw_array *array);
/* Begins a .npy file that is written in pieces: writes the header for `array`, whose data are not read. Add the
 * elements by mw_npy_append, and end the file by mw_file_commit (file.h). Errors: those of mw_npy_write. */
MW_API int mw_npy_create(const char *path, const struct mw_array *array, struct mw_file **file);
/* Adds the next `count` elements to a file begun by mw_npy_create. Errors: those of mw_npy_write. */
MW_API int mw_npy_append(struct mw_file *file, enum mw_type type, const void *elements, size_t count);

/* Returns the name of colour map `i`; NULL beyond the last one. The maps are "viridis", "coolwarm" (diverging: for
 * fields around 0), "hue" (cyclic: for angles) and "gray". */
MW_API const char *mw_colour_maps(size_t i);

/* Writes a 2D array of real type as an 8-bit RGB PNG; y increases downwards. Of an array with more dimensions, the
 * first plane is written. The colour map extends from the value `lo` to `hi`. lo == hi: the range of the array.
 * Non-finite values are magenta. The file is written completely or not at all.
 * Errors: MW_ENOTSUP (built without libpng), MW_EINVAL (no such map, complex elements, no cells), MW_ELIMIT (too
 * large), MW_EIO. */
MW_API int mw_png_write(const char *path, const struct mw_array *array, const char *colour_map, double lo, double hi);

/* Writes an array of real type as VTK image data (.vti) for ParaView and similar programs. The file is XML, followed by
 * the lengths (8 bytes each) and the raw values in the byte order of the host. It is written completely or not at all.
 * - `count` is the number of fields. Several fields are the slowest dimension of the array. The mesh has 0 to 3 other
 *   dimensions.
 * - `names` holds one name per field.
 * - `time` is shown by viewers; NAN: none.
 * - `spacing` holds the distance of neighbouring values per dimension of the mesh; NULL: 1.
 * Errors: MW_EINVAL (number of dimensions, complex elements, no values), MW_EIO, MW_ENOMEM. */
MW_API int mw_vti_write(const char *path, const struct mw_array *array, const char *const *names, size_t count,
                        double time, const double *spacing);

/* Kinds of PNG pictures whose pixels are kept as they are: one element of an array per pixel.
 * - Gray is MW_TYPE_U8 or, with 16 bits per channel, MW_TYPE_U16.
 * - Gray with alpha, RGB and RGBA are MW_TYPE_U32: the bytes R, G, B, A in the order of memory; alpha is 255 if absent.
 * - With 16 bits per channel these are MW_TYPE_U64: 16-bit channels in the byte order of the host.
 * The kind records which channels the file has. */
enum mw_png_kind { MW_PNG_GRAY, MW_PNG_GRAY_ALPHA, MW_PNG_RGB, MW_PNG_RGBA };
MW_API const char *mw_png_kind_name(int value); /* "gray", "gray and alpha", "RGB", "RGBA": see status.h */
/* Finds the kind of a name. Errors: MW_EINVAL. */
MW_API int mw_png_kind_find(const char *name, enum mw_png_kind *value);

/* Reads a PNG of any kind as a new 2D array; the caller frees it by mw_array_free. Gray of 1, 2 and 4 bits becomes 8
 * bits, a palette becomes RGB, and a transparent colour becomes alpha. Text, colour profiles and other data are
 * ignored.
 * Errors: MW_ENOTSUP (built without libpng); MW_EIO; MW_EDATA (malformed or truncated; more than a million pixels
 * per side; a size that the bytes of the file cannot hold, checked before allocation); MW_ELIMIT (a file of more
 * than 1 GiB); MW_ENOMEM. */
MW_API int mw_png_read(const char *path, struct mw_array *pixels, enum mw_png_kind *kind);
/* Writes an array of pixels (enum mw_png_kind), with at most 2 dimensions, as a PNG of kind `kind`, completely or
 * not at all. Errors: MW_ENOTSUP (built without libpng), MW_EINVAL (another type, more dimensions, no pixels),
 * MW_ELIMIT (more than a million pixels per side), MW_EIO. */
MW_API int mw_png_write_pixels(const char *path, const struct mw_array *pixels, enum mw_png_kind kind);
/* Writes an 8-bit RGB picture whose rows are made one by one, from the top. The function `row` gets `context`. It
 * fills the 3 * width bytes of row y at `rgb`, and returns 0, or a negative status to stop writing. Errors: those of
 * mw_png_write_pixels, and the status that `row` returns. */
MW_API int mw_png_write_rows(const char *path, size_t width, size_t height,
                             int (*row)(void *context, size_t y, void *rgb), void *context);
/* Makes an array of the channels, uint8 or uint16, of pixels in any number of dimensions. Except for gray, the array
 * has an additional dimension for the channels, the contiguous one. The caller frees it by mw_array_free. Does not
 * need libpng. Errors: MW_EINVAL (not pixels of that kind), MW_ENOMEM. */
MW_API int mw_png_to_channels(const struct mw_array *pixels, enum mw_png_kind kind, struct mw_array *channels);
/* Makes an array of pixels from their channels, uint8 or uint16. An array of 1 or 2 dimensions is gray. In an array
 * of 3 dimensions, the first one counts the 1 to 4 channels. The caller frees `pixels` by mw_array_free. Does not
 * need libpng. Errors: MW_EINVAL (not channels), MW_ENOMEM. */
MW_API int mw_png_from_channels(const struct mw_array *channels, struct mw_array *pixels, enum mw_png_kind *kind);

/* Reads a Netpbm graymap (PGM: plain P2 or raw P5) or bitmap (PBM: P1 or P4, where 1 is black) as a new 2D array, which
 * the caller frees by mw_array_free. The type is MW_TYPE_U8, or MW_TYPE_U16 if the largest value in the header is above
 * 255. Values are not scaled. "-" is standard input.
 * Errors: MW_EIO; MW_EDATA (malformed or truncated; a value above the largest; more than one picture; a size that
 * the bytes of the file cannot hold, checked before allocation); MW_ELIMIT (a file of more than 1 GiB); MW_ENOMEM. */
MW_API int mw_pgm_read(const char *path, struct mw_array *gray);

/* Reads a file of elements without a header as a new array, which the caller frees by mw_array_free. The elements are
 * in the byte order of the host, x fastest. `dims` is 1 to MW_DIMS_MAX, and all lengths are above 0. "-" is standard
 * input.
 * Errors: MW_EDATA (the size of the file does not match the lengths), MW_EIO, MW_EINVAL, MW_ELIMIT (the size
 * overflows), MW_ENOMEM. */
MW_API int mw_raw_read(const char *path, enum mw_type type, unsigned dims, const size_t *length,
                       struct mw_array *array);
/* Reads elements as mw_raw_read does, but skips a header of `offset` bytes, and reads big-endian elements if
 * `big_endian` is true, otherwise little-endian ones. Errors: those of mw_raw_read. */
MW_API int mw_raw_read_after(const char *path, size_t offset, bool big_endian, enum mw_type type, unsigned dims,
                             const size_t *length, struct mw_array *array);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

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
MW_API size_t mw_type_bytes(enum mw_type type);     /* returns the bytes of an element; 0: no such type */
MW_API const char *mw_type_name(enum mw_type type); /* returns NumPy's name: "float32"; "unknown": no such type */
/* Finds a type by its name. Errors: MW_EINVAL (unknown name). */
MW_API int mw_type_find(const char *name, enum mw_type *type);

/* Array in host memory. A program may copy this struct, and make it from its own memory. length[0] is x, the
 * contiguous dimension; the shape in NumPy has the reverse order. */
struct mw_array {               /* a fixed value */
    enum mw_type type;          /* type of the elements */
    unsigned dims;              /* number of dimensions, 0 to MW_DIMS_MAX; 0: one element */
    size_t length[MW_DIMS_MAX]; /* lengths in elements, x first */
    size_t count;               /* number of elements: the product of the lengths */
    void *data;                 /* the elements; allocated by malloc if mw_array_free frees them */
};
/* Makes an array of zeros with `dims` dimensions. The caller frees it by mw_array_free. Errors: MW_EINVAL (invalid
 * type, more than MW_DIMS_MAX dimensions), MW_ELIMIT (the size overflows), MW_ENOMEM. */
MW_API int mw_array_new(enum mw_type type, unsigned dims, const size_t *length, struct mw_array *array);
MW_API void mw_array_free(struct mw_array *array); /* frees `data`, zeroes the struct; NULL is allowed */
/* Kinds of PNG pictures: which channels the file has. Pixels are stored without a change of their values, one element
 * of an array per pixel:
 * - Gray with 8 bits: MW_TYPE_U8.
 * - Gray with 16 bits: MW_TYPE_U16.
 * - All other kinds, 8 bits per channel: MW_TYPE_U32, the bytes R, G, B, A in the order of memory.
 * - All other kinds, 16 bits per channel: MW_TYPE_U64, R, G, B, A as 16-bit numbers in the byte order of the host.
 * Gray with alpha uses only R and A. RGB does not use A, which mw_png_read sets to the maximum. */
enum mw_png_kind { MW_PNG_GRAY, MW_PNG_GRAY_ALPHA, MW_PNG_RGB, MW_PNG_RGBA };

/* Format of array files, by the suffix of the name, in lower or upper case:
 *   .npy .npz   NumPy. FILE.npz:NAME is the array of that name; without a name, the first array when reading, and an
 *               array called "arr_0" when writing
 *   .png        reading gives pixels (mw_png_read). Writing uint8, uint16, uint32 and uint64 gives pixels; other types
 *               use a colour map
 *   .pgm .pbm   graymaps and bitmaps of Netpbm, only read
 *   .tif .tiff  TIFF of integers and floating-point numbers; a volume has one page per plane. Reading needs libtiff;
 *               colours become pixels (mw_png_read). Files are written uncompressed
 *   .nrrd .nhdr NRRD, raw or compressed by gzip, with the elements in the file or in the file that .nhdr names
 *   .mha .mhd   MetaImage of ITK, raw or compressed, with the elements in the file or in the file that .mhd names
 *   .h5         HDF5, only read, if the library was built with it: FILE.h5:/DATASET; without
 *               a name the only dataset, or the only one with the most dimensions
 *   .vti        VTK image data, only written; the field is called "values"
 * Formats without a type for bool hold uint8. .nhdr and .mhd are written with the elements in FILE.raw, the same name
 * with another suffix. */
struct mw_array_format {              /* the library's, may grow */
    const char *suffix, *description; /* suffix: with its dot, ".npy" */
    bool reads, writes;               /* supports reading; supports writing */
    bool is_picture;                  /* contains pixels, whose values have a range of 8 or 16 bits */
    const char *companion;            /* suffix of a second file that is written; NULL: none */
};
/* Returns format `i` of array files; NULL beyond the last one. */
MW_API const struct mw_array_format *mw_array_formats(size_t i);
/* Finds the format of a path by its suffix. If `writes` is true, finds a format that can be written, otherwise one
 * that can be read. Path "-" has format .npy. Errors: MW_EINVAL (unknown suffix; the message lists the suffixes). */
MW_API int mw_array_format_find(const char *path, bool writes, const struct mw_array_format **format);
/* Reads a file as a new array, in the format of its suffix. Path "-" is a .npy file from standard input. The caller
 * frees the array by mw_array_free. Errors: those of mw_array_format_find and of the reading function below. */
MW_API int mw_array_load(const char *path, struct mw_array *array);
/* Reads a file as mw_array_load does.
 * - suffix: format of the file, a suffix of mw_array_formats; NULL: that of the path.
 * - kind: receives the kind of the pixels of a picture or TIFF file (enum mw_png_kind), and MW_PNG_GRAY for arrays.
 * Errors: those of mw_array_load. */
MW_API int mw_array_load_pixels(const char *path, const char *suffix, struct mw_array *array, enum mw_png_kind *kind);
/* Writes an array to a file, in the format of its suffix. Path "-" is a .npy file to standard output. Errors: those of
 * mw_array_format_find and of the writing function below; MW_EINVAL (`count` is not the product of the lengths). */
MW_API int mw_array_save(const char *path, const struct mw_array *array);
/* Writes an array as mw_array_save does, with the distance of neighbouring elements along each of its dimensions: 0 for
 * dimensions that are not of space. Formats without it ignore it. `spacing` NULL: not known. */
MW_API int mw_array_save_spaced(const char *path, const struct mw_array *array, const double *spacing);
/* Returns the XXH64 hash of the bytes of all elements, in the order of memory and little-endian. Arrays of the same
 * elements with other lengths have the same hash. */
MW_API uint64_t mw_array_checksum(const struct mw_array *array);
/* Handle of a computation of the hash of mw_array_checksum, for an array that is given in pieces. */
struct mw_checksum;
/* Begins a hash without elements. The caller frees it by mw_checksum_free. Errors: MW_ENOMEM. */
MW_API int mw_checksum_new(struct mw_checksum **checksum);
/* Adds the next `count` elements of the array. */
MW_API void mw_checksum_add(struct mw_checksum *checksum, enum mw_type type, const void *elements, size_t count);
/* Returns the hash of all elements added so far. After the last one, it equals mw_array_checksum of the array. */
MW_API uint64_t mw_checksum_value(const struct mw_checksum *checksum);
/* Frees a hash; NULL is allowed. */
MW_API void mw_checksum_free(struct mw_checksum *checksum);

/* Reads a NumPy file (.npy, format versions 1 to 3; specification: numpy.lib.format) as a new array, which the caller
 * frees by mw_array_free. C and Fortran order and both byte orders are converted to C order and the byte order of the
 * host. 16-bit floating-point elements become float32. Path "-" is standard input.
 * In an archive (.npz, stored or deflated members), FILE.npz is the first array, and FILE.npz:NAME is the array of that
 * name. The archive must be a file, not a stream.
 * Errors:
 * - MW_EDATA: malformed file, unsupported element type, a header of more than 65536 bytes, a shape that overflows,
 *   fewer bytes than the shape needs. Except for streams, the size is checked before memory is allocated.
 * - MW_ELIMIT: a deflated member that is far larger than its compressed size and than half of the host's memory.
 * - MW_ENOTSUP: deflated members, if the library was built without zlib.
 * - MW_EIO, MW_ENOMEM. */
MW_API int mw_npy_read(const char *path, struct mw_array *array);
/* Writes an array as a .npy file: version 1, C order, little-endian. The file is written completely or not at all.
 * Errors: MW_EINVAL (no data, too many dimensions), MW_EIO, MW_ENOMEM. */
MW_API int mw_npy_write(const char *path, const struct mw_array *array);
/* Begins a .npy file that is written in pieces. Writes the header from the type and lengths of `array`; its data are
 * not read. The caller adds all elements by mw_npy_append, and ends the file by mw_file_commit or mw_file_abandon
 * (file.h).
 * Errors: those of mw_npy_write. */
MW_API int mw_npy_create(const char *path, const struct mw_array *array, struct mw_file **file);
/* Adds the next `count` elements to a file of mw_npy_create. `type` must be the type of its array; this is not checked.
 * Errors: MW_EIO. */
MW_API int mw_npy_append(struct mw_file *file, enum mw_type type, const void *elements, size_t count);

/* Writes arrays as members of an archive of NumPy (.npz), deflated if the library was built with zlib and otherwise
 * stored. The file is written completely or not at all.
 * - arrays, names: `count` arrays and their names in the archive.
 * Errors: MW_EINVAL (a name that is empty, repeated, or has a slash; no data), MW_EIO, MW_ENOMEM. */
MW_API int mw_npz_write(const char *path, const struct mw_array *arrays, const char *const *names, size_t count);

/* Returns the name of colour map `i`; NULL beyond the last one. The maps are "viridis", "cividis", "magma", "coolwarm"
 * (diverging: for fields around 0), "hue" (cyclic: for angles), "kinds" (ten colours: for labels), "gray" and
 * "gray16". */
MW_API const char *mw_colour_maps(size_t i);
/* Writes the colours of all elements of an array of real type to `rgb`, as 3 bytes each: red, green and blue.
 * - colour_map: name of mw_colour_maps.
 * - lo, hi: values of the first and the last colour. Values beyond them get the nearer of these colours, and non-finite
 *   values are magenta. lo == hi: the range of the finite values.
 * Errors: MW_EINVAL (no such map, complex elements, non-finite `lo` or `hi`). */
MW_API int mw_colour_pixels(const struct mw_array *array, const char *colour_map, double lo, double hi,
                            unsigned char *rgb);

/* Writes a 2D array of real type as a PNG; y increases downwards. A pixel is an index in a palette of 256 colours, with
 * "gray" a level of 8 bits, with "gray16" of 16 bits. If some values are not finite, pixels are RGB. An index or level
 * is the place of the value between `lo` and `hi`, rounded. If there are more dimensions, only the first plane (x and
 * y) is written. The file is written completely or not at all. `colour_map`, `lo` and `hi` are those of
 * mw_colour_pixels.
 * Errors: those of mw_colour_pixels; MW_ENOTSUP (built without libpng), MW_EINVAL (no cells), MW_ELIMIT (more than a
 * million pixels per side), MW_EIO. */
MW_API int mw_png_write(const char *path, const struct mw_array *array, const char *colour_map, double lo, double hi);

/* Writes an array of real type as VTK image data (.vti) for ParaView and similar programs. The file is XML, followed by
 * the lengths (8 bytes each) and the raw values in the byte order of the host. It is written completely or not at all.
 * - array: one or several fields. Several fields are its slowest dimension; the 0 to 3 other dimensions are the mesh.
 * - names: one name per field.
 * - count: number of fields.
 * - time: simulated time, which viewers show; not finite: none.
 * - spacing: distance of neighbouring values along each dimension of the mesh; NULL: 1.
 * Errors: MW_EINVAL (number of dimensions or fields, complex elements, no values), MW_EIO, MW_ENOMEM. */
MW_API int mw_vti_write(const char *path, const struct mw_array *array, const char *const *names, size_t count,
                        double time, const double *spacing);

/* Returns the name of a kind: "gray", "gray and alpha", "RGB" or "RGBA"; see status.h. */
MW_API const char *mw_png_kind_name(int value);
/* Finds the kind of a name. Errors: MW_EINVAL. */
MW_API int mw_png_kind_find(const char *name, enum mw_png_kind *value);

/* Reads a PNG of any kind as a new 2D array; the caller frees it by mw_array_free. Gray of 1, 2 and 4 bits becomes 8
 * bits, a palette becomes RGB, and a transparent colour becomes alpha. Text, colour profiles and other data are
 * ignored. `*kind` receives the kind of the picture after these changes.
 * Errors:
 * - MW_EDATA: malformed or truncated; more than a million pixels per side; more pixels than the bytes of the file can
 *   contain, which is checked before memory is allocated.
 * - MW_ELIMIT: a file of more than 1 GiB, or pixels that are far larger than the file and than half of the host's
 *   memory.
 * - MW_ENOTSUP: the library was built without libpng.
 * - MW_EIO, MW_ENOMEM. */
MW_API int mw_png_read(const char *path, struct mw_array *pixels, enum mw_png_kind *kind);
/* Writes an array of pixels (enum mw_png_kind) as a PNG of kind `kind`. The array has at most 2 dimensions. The file is
 * written completely or not at all. Errors: MW_ENOTSUP (built without libpng), MW_EINVAL (wrong type for the kind,
 * more dimensions, no pixels), MW_ELIMIT (more than a million pixels per side), MW_EIO. */
MW_API int mw_png_write_pixels(const char *path, const struct mw_array *pixels, enum mw_png_kind kind);
/* Writes an 8-bit RGB PNG whose rows a function makes one by one, from the top. The file is written completely or not
 * at all.
 * - row: writes the 3 * `width` bytes of row `y` to `rgb`. Returns 0, or a negative status to stop writing.
 * - context: first argument of `row`.
 * Errors: those of mw_png_write_pixels, and the status that `row` returns. */
MW_API int mw_png_write_rows(const char *path, size_t width, size_t height,
                             int (*row)(void *context, size_t y, void *rgb), void *context);
/* Makes an array of the channels of pixels, with one element per channel: uint8 or uint16. Except for gray, it has an
 * additional dimension for the channels, the contiguous one. The caller frees it by mw_array_free. This does not need
 * libpng. Errors: MW_EINVAL (not pixels of that kind, more than MW_DIMS_MAX dimensions), MW_ENOMEM. */
MW_API int mw_png_to_channels(const struct mw_array *pixels, enum mw_png_kind kind, struct mw_array *channels);
/* Makes an array of pixels from an array of their channels, uint8 or uint16. In 1 or 2 dimensions, each element is a
 * gray pixel. In 3 dimensions, the contiguous one has the 1 to 4 channels of a pixel, which determine `*kind`: gray,
 * gray with alpha, RGB or RGBA. The caller frees `pixels` by mw_array_free. This does not need libpng. Errors:
 * MW_EINVAL (another type, or other dimensions), MW_ENOMEM. */
MW_API int mw_png_from_channels(const struct mw_array *channels, struct mw_array *pixels, enum mw_png_kind *kind);

/* Reads a Netpbm graymap (PGM: plain P2 or raw P5) or bitmap (PBM: P1 or P4, where 1 is black) as a new 2D array, which
 * the caller frees by mw_array_free. The type is MW_TYPE_U8, or MW_TYPE_U16 if the largest value in the header is above
 * 255. Values are not scaled. Path "-" is standard input.
 * Errors:
 * - MW_EDATA: malformed or truncated; a value above the largest value in the header; data after the picture; more
 *   pixels than the bytes of the file can contain, which is checked before memory is allocated.
 * - MW_ELIMIT: a file of more than 1 GiB.
 * - MW_EIO, MW_ENOMEM. */
MW_API int mw_pgm_read(const char *path, struct mw_array *gray);

/* Reads a file of elements without a header as a new array, which the caller frees by mw_array_free. The elements are
 * in the byte order of the host, x fastest. `dims` must be 1 to MW_DIMS_MAX, and each length at least 1. Path "-" is
 * standard input.
 * Errors: MW_EDATA (the size of the file does not match type and lengths), MW_EIO, MW_EINVAL (type, `dims` or a
 * length), MW_ELIMIT (the size overflows), MW_ENOMEM. */
MW_API int mw_raw_read(const char *path, enum mw_type type, unsigned dims, const size_t *length,
                       struct mw_array *array);
/* Reads elements as mw_raw_read does, after a header that is skipped.
 * - offset: bytes of the header.
 * - big_endian: true: the elements are big-endian; false: little-endian.
 * Errors: those of mw_raw_read. */
MW_API int mw_raw_read_after(const char *path, size_t offset, bool big_endian, enum mw_type type, unsigned dims,
                             const size_t *length, struct mw_array *array);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

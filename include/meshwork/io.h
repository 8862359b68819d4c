/* Files of arrays and pictures. */
#ifndef MESHWORK_IO_H
#define MESHWORK_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MW_DIMS_MAX 8

/* Element types that files hold. */
enum mw_type { MW_TYPE_BOOL, MW_TYPE_I8, MW_TYPE_U8, MW_TYPE_I16, MW_TYPE_U16, MW_TYPE_I32, MW_TYPE_U32, MW_TYPE_I64,
               MW_TYPE_U64, MW_TYPE_F32, MW_TYPE_F64, MW_TYPE_C64, MW_TYPE_C128 };
MW_API size_t mw_type_bytes(enum mw_type type);
MW_API const char *mw_type_name(enum mw_type type);  /* NumPy's: "float32" */

/* An array in host memory.  length[0] is x, the contiguous dimension: the reverse of NumPy's shape. */
struct mw_array {
    enum mw_type type;
    unsigned dims;               /* 0 (one element) to MW_DIMS_MAX */
    size_t length[MW_DIMS_MAX];
    size_t count;                /* product of the lengths */
    void *data;                  /* malloc'ed */
};
MW_API int mw_array_new(enum mw_type type, unsigned dims, const size_t *length, struct mw_array *array);
MW_API void mw_array_free(struct mw_array *array);  /* frees data and zeroes the struct */

/* NumPy .npy, format versions 1 to 3 (numpy.lib.format): reads C and Fortran order and either byte order into C order
 * and the host's; writes version 1, C order, little-endian.  A header over 64 KiB, a shape that overflows, or fewer
 * bytes than the shape needs is MW_EDATA, before anything of that size is allocated.  "-" is standard input or output.
 * Files are written whole or not at all. */
MW_API int mw_npy_read(const char *path, struct mw_array *array);
MW_API int mw_npy_write(const char *path, const struct mw_array *array);

/* Colour maps: "viridis", "coolwarm" (diverging, for fields about zero), "gray"; NULL-ended. */
MW_API extern const char *const mw_colour_maps[];

/* Writes a 2D array of real type (a plane of a higher one: the first) as an 8-bit RGB PNG, y downwards as in the array.
 * Values from lo to hi run through the colour map; lo == hi: from the array's own range; values that are not finite are
 * drawn magenta.  Errors: MW_ENOTSUP (built without libpng), MW_EINVAL (no such map, fewer than 1 cell), MW_ELIMIT,
 * MW_EIO. */
MW_API int mw_png_write(const char *path, const struct mw_array *array, const char *colour_map, double lo, double hi);

#ifdef __cplusplus
}
#endif
#endif

/* NumPy files: declarations shared by the readers of .npy and .npz.  Internal. */
#ifndef MW_NPY_INTERNAL_H
#define MW_NPY_INTERNAL_H

#include <meshwork/io.h>

#include "base/base.h"

/* A file or memory, and the maximum number of bytes to read; SIZE_MAX: to the end of the file. */
struct mw_npy_source {
    const char *path;
    int fd;
    const char *bytes;
    size_t left;
};
int mw_npy_read_source(struct mw_npy_source *from, struct mw_array *array);

/* npy_header.c */

enum { MW_NPY_MAGIC_LENGTH = 6 };

/* An element type in a file.  `part` is the unit of byte order: each half of a complex number. */
struct mw_npy_type {
    char kind;
    unsigned char bytes, part;
    enum mw_type type;
};
/* Returns how elements of a type are written; NULL: invalid type. */
const struct mw_npy_type *mw_npy_type_of(enum mw_type type);

/* A parsed header. */
struct mw_npy_header {
    const struct mw_npy_type *type; /* type of elements in the file */
    bool swapped, fortran;
    unsigned dims;
    size_t shape[MW_DIMS_MAX]; /* in NumPy's order */
    bool has_descr, has_order, has_shape;
};

/* Parses the text of a header. */
int mw_npy_header_parse(const char *path, const char *text, size_t length, struct mw_npy_header *header);
/* Writes the text of a header, padded so that elements start at a multiple of 64 bytes. */
int mw_npy_header_format(const struct mw_array *array, struct mw_text *text);
/* Fails with "PATH is not a valid .npy file: WHAT". */
int mw_npy_malformed(const char *path, const char *what);

/* npy_elements.c: _transpose converts Fortran order of `shape` (in NumPy's order) to C order; _widen converts 16-bit
 * floats to float32. */
int mw_npy_transpose(unsigned dims, const size_t *shape, size_t element, size_t count, void **data);
int mw_npy_widen(size_t count, void **data);

/* npz.c: whether a path names an archive or an array in one (FILE.npz:NAME); reads the array. */
bool mw_npz_is(const char *path);
int mw_npz_read(const char *path, struct mw_array *array);

#endif
/* SPDX-License-Identifier: MIT */

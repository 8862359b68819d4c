/* NumPy files: what the readers of .npy and of .npz share. */
#ifndef MW_NPY_INTERNAL_H
#define MW_NPY_INTERNAL_H

#include <meshwork/io.h>

#include "base/base.h"

/* A file, or memory, and how much may be read of it at most; SIZE_MAX: as far as the file goes. */
struct mw_npy_source { const char *path; int fd; const char *bytes; size_t left; };
int mw_npy_read_source(struct mw_npy_source *from, struct mw_array *array);

/* npy_header.c */

enum { MW_NPY_MAGIC_LENGTH = 6 };

/* Elements in a file.  `part` is what a change of the byte order reverses: each half of a complex number. */
struct mw_npy_type { char kind; unsigned char bytes, part; enum mw_type type; };
/* How elements of a type are written; NULL: there is no such type. */
const struct mw_npy_type *mw_npy_type_of(enum mw_type type);

/* A header as read. */
struct mw_npy_header {
    const struct mw_npy_type *type; /* of elements in the file */
    bool swapped, fortran;
    unsigned dims;
    size_t shape[MW_DIMS_MAX]; /* in NumPy's order */
    bool has_descr, has_order, has_shape;
};

/* Reads a header from its text. */
int mw_npy_header_parse(const char *path, const char *text, size_t length, struct mw_npy_header *header);
/* The text of a header, filled up so that the elements begin at a multiple of 64 bytes. */
int mw_npy_header_format(const struct mw_array *array, struct mw_text *text);
/* Fails with "PATH is not a valid .npy file: WHAT". */
int mw_npy_malformed(const char *path, const char *what);

/* npy_elements.c: turns Fortran order of `shape` (in NumPy's order) to C order; makes
 * float32 of 16-bit floating point. */
int mw_npy_transpose(unsigned dims, const size_t *shape, size_t element, size_t count, void **data);
int mw_npy_widen(size_t count, void **data);

/* npz.c: whether a path names an archive, or an array in one (FILE.npz:NAME), and its array. */
bool mw_npz_is(const char *path);
int mw_npz_read(const char *path, struct mw_array *array);

#endif
/* SPDX-License-Identifier: MIT */

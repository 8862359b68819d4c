/* NumPy files: declarations shared by the readers of .npy and .npz.  Internal. */
#ifndef MW_NPY_INTERNAL_H
#define MW_NPY_INTERNAL_H

#include <meshwork/io.h>

#include "base/base.h"

/* Input of a .npy file, from a descriptor or from memory. */
struct mw_npy_source {
    const char *path;  /* for messages */
    int fd;            /* used if `bytes` is NULL */
    const char *bytes; /* next bytes in memory; NULL: reads `fd` */
    size_t left;       /* maximum number of bytes to read; SIZE_MAX: to the end of the file */
};
/* Reads a .npy file from a source as a new array. */
int mw_npy_read_source(struct mw_npy_source *from, struct mw_array *array);

/* npy_header.c */

/* The first bytes of each file. */
#define MW_NPY_MAGIC "\x93NUMPY"
enum { MW_NPY_MAGIC_LENGTH = 6 };

/* An element type in a file. */
struct mw_npy_type {
    char kind;                 /* NumPy's letter: 'i', 'f', 'c', ... */
    unsigned char bytes, part; /* of an element, and of the unit of byte order: each half of a complex number */
    enum mw_type type;         /* in arrays */
};
/* Returns how elements of a type are written; NULL: invalid type. */
const struct mw_npy_type *mw_npy_type_of(enum mw_type type);

/* A parsed header. */
struct mw_npy_header {
    const struct mw_npy_type *type; /* type of elements in the file */
    bool swapped, fortran;
    unsigned dims;
    size_t shape[MW_DIMS_MAX];            /* in NumPy's order */
    bool has_descr, has_order, has_shape; /* keys that were found */
};

/* Parses the text of a header. */
int mw_npy_header_parse(const char *path, const char *text, size_t length, struct mw_npy_header *header);
/* Writes all bytes before the elements: format, version, length and the text of the header, padded so that elements
 * start at a multiple of 64 bytes. */
int mw_npy_header_format(const struct mw_array *array, struct mw_text *text);
/* Fails with MW_EDATA and "PATH is not a valid .npy file: WHAT". */
int mw_npy_malformed(const char *path, const char *what);

/* npy_elements.c: converts *data, `count` elements of `element` bytes, from Fortran order of `shape` (in NumPy's order)
 * to C order. Replaces the allocation. */
int mw_npy_transpose(unsigned dims, const size_t *shape, size_t element, size_t count, void **data);
/* npy_elements.c: converts *data from `count` 16-bit floats to float32. Replaces the allocation. */
int mw_npy_widen(size_t count, void **data);

/* ZIP archives: methods of compression, and the extra field with 64-bit sizes. */
enum { MW_ZIP_STORED = 0, MW_ZIP_DEFLATED = 8, MW_ZIP_64 = 1 };

/* npz.c: returns the length of the archive's part of a path FILE.npz or FILE.npz:NAME; 0: no archive. */
size_t mw_npz_length(const char *path);
/* npz.c: returns whether a path names an archive (FILE.npz) or an array in one (FILE.npz:NAME). */
bool mw_npz_is(const char *path);
/* npz.c: reads the array that such a path names; in FILE.npz the first one. */
int mw_npz_read(const char *path, struct mw_array *array);
/* npz_write.c: writes an archive by `write`, whose first argument is `to`; with `word`, also a text of that value. */
typedef int mw_npz_sink(void *to, const void *bytes, size_t n);
int mw_npz_put(mw_npz_sink *write, void *to, const struct mw_array *arrays, const char *const *names, size_t count,
               const char *word_name, const char *word);
/* npz_write.c: writes an archive of one array, called NAME (FILE.npz:NAME) or "arr_0". */
int mw_npz_save(const char *path, const struct mw_array *array);
/* npz.c: reads the array `name` of the archive at `path`, which may have any suffix. MW_EDATA: the array is missing. */
int mw_npz_read_array(const char *path, const char *name, struct mw_array *array);
/* npz.c: reads an array of one ASCII text, of bytes or of 32-bit characters. Cuts it off at capacity - 1 bytes. */
int mw_npz_read_word(const char *path, const char *name, char *word, size_t capacity);

#endif
/* SPDX-License-Identifier: MIT */

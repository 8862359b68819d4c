/* NumPy files: what the readers of .npy and of .npz share. */
#ifndef MW_NPY_INTERNAL_H
#define MW_NPY_INTERNAL_H

#include <meshwork/io.h>

/* A file, or memory, and how much may be read of it at most; SIZE_MAX: as far as the file goes. */
struct mw_npy_source { const char *path; int fd; const char *bytes; size_t left; };
int mw_npy_read_source(struct mw_npy_source *from, struct mw_array *array);

/* npy_elements.c: turns Fortran order of `shape` (in NumPy's order) to C order; makes
 * float32 of 16-bit floating point. */
int mw_npy_transpose(unsigned dims, const size_t *shape, size_t element, size_t count, void **data);
int mw_npy_widen(size_t count, void **data);

/* npz.c: whether a path names an archive, or an array in one (FILE.npz:NAME), and its array. */
bool mw_npz_is(const char *path);
int mw_npz_read(const char *path, struct mw_array *array);

#endif
/* SPDX-License-Identifier: MIT */

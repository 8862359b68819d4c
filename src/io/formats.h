/* Readers and writers of single formats, for the table in formats.c.  Internal. */
#ifndef MW_FORMATS_H
#define MW_FORMATS_H

#include <meshwork/io.h>

/* Without a place for something in the format, it is ignored.  `spacing`: distance of neighbouring elements along each
 * dimension of the array, 0 for dimensions that are not of space; NULL: not known.
 * Errors: MW_EINVAL (no values, or elements or dimensions that the format lacks), MW_EIO, MW_ENOMEM. */
int mw_nrrd_write(const char *path, const struct mw_array *array, const double *spacing);
int mw_meta_write(const char *path, const struct mw_array *array, const double *spacing);
int mw_tiff_write(const char *path, const struct mw_array *array);

/* Errors: MW_EDATA, MW_ELIMIT, MW_ENOTSUP (built without a library that the file needs), MW_EIO, MW_ENOMEM. */
int mw_nrrd_read(const char *path, struct mw_array *array);
int mw_meta_read(const char *path, struct mw_array *array);
/* Reads one page, or a volume of pages with equal sizes and types.  Colours become pixels (enum mw_png_kind). */
int mw_tiff_read(const char *path, struct mw_array *array, enum mw_png_kind *kind);
/* FILE.h5:/DATASET; without a name, the only dataset with the most dimensions. */
int mw_hdf5_read(const char *path, struct mw_array *array);

#endif
/* SPDX-License-Identifier: MIT */

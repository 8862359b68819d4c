/* Formats of arrays, by the suffix of the file. */
#include <meshwork/io.h>

#include "base/base.h"
#include "io/formats.h"
#include "io/npy_internal.h"

#include <math.h>
#include <string.h>

static int load_png(const char *path, struct mw_array *array, enum mw_png_kind *kind)
{
    return mw_png_read(strcmp(path, "-") ? path : "/dev/stdin", array, kind);
}

static int save_png(const char *path, const struct mw_array *array)
{
    if (array->type == MW_TYPE_U8 || array->type == MW_TYPE_U16)
        return mw_png_write_pixels(path, array, MW_PNG_GRAY);
    if (array->type == MW_TYPE_U32 || array->type == MW_TYPE_U64)
        return mw_png_write_pixels(path, array, MW_PNG_RGBA);
    return mw_png_write(path, array, "viridis", 0, 0);
}

static int save_vti(const char *path, const struct mw_array *array, const double *spacing)
{
    return mw_vti_write(path, array, (const char *const[]){ "values" }, 1, NAN, spacing);
}

/* A format has one of the two loading functions, and one of the two saving functions if it is written. */
static const struct format {
    struct mw_array_format shown;
    int (*load)(const char *path, struct mw_array *array);
    int (*load_pixels)(const char *path, struct mw_array *array, enum mw_png_kind *kind);
    int (*save)(const char *path, const struct mw_array *array);
    int (*save_spaced)(const char *path, const struct mw_array *array, const double *spacing);
} formats[] = {
    { { ".npy", "NumPy's arrays", true, true, false, NULL }, .load = mw_npy_read, .save = mw_npy_write },
    { { ".npz", "NumPy's archives", true, true, false, NULL }, .load = mw_npy_read, .save = mw_npz_save },
    { { ".png", "PNG pictures", true, true, true, NULL }, .load_pixels = load_png, .save = save_png },
    { { ".pgm", "Netpbm's graymaps", true, false, true, NULL }, .load = mw_pgm_read },
    { { ".pbm", "Netpbm's bitmaps", true, false, true, NULL }, .load = mw_pgm_read },
    { { ".tif", "TIFF", true, true, false, NULL }, .load_pixels = mw_tiff_read, .save = mw_tiff_write },
    { { ".tiff", "TIFF", true, true, false, NULL }, .load_pixels = mw_tiff_read, .save = mw_tiff_write },
    { { ".nrrd", "NRRD", true, true, false, NULL }, .load = mw_nrrd_read, .save_spaced = mw_nrrd_write },
    { { ".nhdr", "NRRD headers", true, true, false, ".raw" }, .load = mw_nrrd_read, .save_spaced = mw_nrrd_write },
    { { ".mha", "MetaImage", true, true, false, NULL }, .load = mw_meta_read, .save_spaced = mw_meta_write },
    { { ".mhd", "MetaImage headers", true, true, false, ".raw" }, .load = mw_meta_read, .save_spaced = mw_meta_write },
    { { ".h5", "HDF5", true, false, false, NULL }, .load = mw_hdf5_read },
    { { ".hdf5", "HDF5", true, false, false, NULL }, .load = mw_hdf5_read },
    { { ".nc", "NetCDF-4", true, false, false, NULL }, .load = mw_hdf5_read },
    { { ".vti", "VTK image data", false, true, false, NULL }, .save_spaced = save_vti },
};

const struct mw_array_format *mw_array_formats(size_t i) { return i < MW_COUNT(formats) ? &formats[i].shown : NULL; }

/* For files of several arrays, the name of one may follow the suffix and a colon. */
static bool has_suffix(const char *path, const char *suffix)
{
    static const char *const several[] = { ".npz", ".h5", ".hdf5", ".nc" };
    const size_t length = strlen(path), n = strlen(suffix);
    for (size_t i = 0; i < MW_COUNT(several); i++)
        for (const char *at = path; strcmp(suffix, several[i]) == 0 && (at = mw_find_word(at, suffix)) != NULL; at++)
            if (at[n] == ':' && at > path)
                return true;
    return length > n && mw_same_word(path + length - n, suffix);
}

/* `alone`: the path is only a suffix. */
static int io_formats_find(const char *path, bool writes, bool alone, const struct format **format)
{
    struct mw_text there = { 0 };
    int rc;
    for (size_t i = 0; i < MW_COUNT(formats); i++) {
        const struct mw_array_format *f = &formats[i].shown;
        if (!(writes ? f->writes : f->reads))
            continue;
        if (alone ? strcmp(path, f->suffix) == 0 : strcmp(path, "-") == 0 || has_suffix(path, f->suffix)) {
            *format = &formats[i];
            mw_text_free(&there);
            return 0;
        }
        mw_text_add(&there, "%s%s", there.length ? ", " : "", f->suffix);
    }
    TRY(mw_text_ok(&there));
    rc = mw_fail(MW_EINVAL, "cannot %s %s: unknown suffix (known: %s)", writes ? "write" : "read", path, there.data);
out:
    mw_text_free(&there);
    return rc;
}

int mw_array_format_find(const char *path, bool writes, const struct mw_array_format **format)
{
    const struct format *found;
    TRY_RETURN(io_formats_find(path, writes, false, &found));
    *format = &found->shown;
    return 0;
}

int mw_array_load_pixels(const char *path, const char *suffix, struct mw_array *array, enum mw_png_kind *kind)
{
    const struct format *format;
    enum mw_png_kind found = MW_PNG_GRAY;
    TRY_RETURN(io_formats_find(suffix ? suffix : path, false, suffix != NULL, &format));
    TRY_RETURN(format->load ? format->load(path, array) : format->load_pixels(path, array, &found));
    *kind = found;
    return 0;
}

int mw_array_load(const char *path, struct mw_array *array)
{
    enum mw_png_kind kind;
    return mw_array_load_pixels(path, NULL, array, &kind);
}

/* Checks an array that a program may have made itself: another number of elements gives a file that cannot be read. */
static int check_count(const char *path, const struct mw_array *array)
{
    size_t count = 1;
    bool fits = true;
    if (array->dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "cannot write %s: the array has %u dimensions (at most %d)", path, array->dims,
                       MW_DIMS_MAX);
    for (unsigned d = 0; d < array->dims; d++)
        fits = fits && mw_mul(count, array->length[d], &count);
    if (!fits || count != array->count)
        return mw_fail(MW_EINVAL, "cannot write %s: the array has count %zu, which is not the product of its lengths",
                       path, array->count);
    return 0;
}

int mw_array_save_spaced(const char *path, const struct mw_array *array, const double *spacing)
{
    const struct format *format;
    TRY_RETURN(io_formats_find(path, true, false, &format));
    TRY_RETURN(check_count(path, array));
    return format->save ? format->save(path, array) : format->save_spaced(path, array, spacing);
}

int mw_array_save(const char *path, const struct mw_array *array) { return mw_array_save_spaced(path, array, NULL); }
/* SPDX-License-Identifier: MIT */

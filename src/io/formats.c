/* Formats of arrays, by the suffix of the file. */
#include <meshwork/io.h>

#include "base/base.h"

#include <math.h>
#include <string.h>

static int load_png(const char *path, struct mw_array *array)
{
    enum mw_png_kind kind;
    return mw_png_read(strcmp(path, "-") ? path : "/dev/stdin", array, &kind);
}

static int save_png(const char *path, const struct mw_array *array)
{
    if (array->type == MW_TYPE_U8 || array->type == MW_TYPE_U16)
        return mw_png_write_pixels(path, array, MW_PNG_GRAY);
    if (array->type == MW_TYPE_U32 || array->type == MW_TYPE_U64)
        return mw_png_write_pixels(path, array, MW_PNG_RGBA);
    return mw_png_write(path, array, "viridis", 0, 0);
}

static int save_vti(const char *path, const struct mw_array *array)
{
    return mw_vti_write(path, array, (const char *const[]){ "values" }, 1, NAN, NULL);
}

static const struct format {
    struct mw_array_format shown;
    int (*load)(const char *path, struct mw_array *array);
    int (*save)(const char *path, const struct mw_array *array);
} formats[] = {
    { { ".npy", "NumPy's arrays", true, true }, mw_npy_read, mw_npy_write },
    { { ".npz", "NumPy's archives", true, false }, mw_npy_read, NULL },
    { { ".png", "PNG pictures", true, true }, load_png, save_png },
    { { ".pgm", "Netpbm's graymaps", true, false }, mw_pgm_read, NULL },
    { { ".pbm", "Netpbm's bitmaps", true, false }, mw_pgm_read, NULL },
    { { ".vti", "VTK image data", false, true }, NULL, save_vti },
};

const struct mw_array_format *mw_array_formats(size_t i) { return i < MW_COUNT(formats) ? &formats[i].shown : NULL; }

/* For archives, the name of a member may follow the suffix. */
static bool has_suffix(const char *path, const char *suffix)
{
    const size_t length = strlen(path), n = strlen(suffix);
    const char *member = strcmp(suffix, ".npz") ? NULL : strstr(path, ".npz:");
    return member || (length > n && strcmp(path + length - n, suffix) == 0);
}

static int io_formats_find(const char *path, bool writes, const struct format **format)
{
    struct mw_text there = { 0 };
    int rc;
    for (size_t i = 0; i < MW_COUNT(formats); i++) {
        const struct mw_array_format *f = &formats[i].shown;
        if (!(writes ? f->writes : f->reads))
            continue;
        if (strcmp(path, "-") == 0 || has_suffix(path, f->suffix)) {
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
    TRY_RETURN(io_formats_find(path, writes, &found));
    *format = &found->shown;
    return 0;
}

int mw_array_load(const char *path, struct mw_array *array)
{
    const struct format *format;
    TRY_RETURN(io_formats_find(path, false, &format));
    return format->load(path, array);
}

int mw_array_save(const char *path, const struct mw_array *array)
{
    const struct format *format;
    TRY_RETURN(io_formats_find(path, true, &format));
    return format->save(path, array);
}
/* SPDX-License-Identifier: MIT */

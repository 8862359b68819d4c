/* Colour maps: equidistant control points with linear interpolation.  viridis is by van der Walt and Smith (CC0),
 * magma by Smith and van der Walt (CC0), cividis by Nunez, Anderton and Renslow (PLOS ONE 13 (2018) e0199239), coolwarm
 * by Moreland, "Diverging color maps for scientific visualization", 2009.  kinds has ten colours that are easy to tell
 * apart, of equal widths. */
#include "io/colour.h"

#include <meshwork/io.h>

#include "base/base.h"
#include "io/order.h"

#include <math.h>
#include <string.h>

typedef unsigned char rgb[3];

static const rgb viridis[] = {
    { 68, 1, 84 },    { 72, 26, 108 },  { 71, 47, 125 },  { 65, 68, 135 },  { 57, 86, 140 },  { 49, 104, 142 },
    { 42, 120, 142 }, { 35, 136, 142 }, { 31, 152, 139 }, { 34, 168, 132 }, { 53, 183, 121 }, { 84, 197, 104 },
    { 122, 209, 81 }, { 165, 219, 54 }, { 210, 226, 27 }, { 253, 231, 37 },
};

static const rgb coolwarm[] = {
    { 59, 76, 192 },   { 77, 104, 215 },  { 98, 130, 234 },  { 119, 154, 247 }, { 141, 176, 254 }, { 163, 194, 255 },
    { 184, 208, 249 }, { 204, 217, 238 }, { 221, 221, 221 }, { 236, 211, 197 }, { 245, 196, 173 }, { 247, 177, 148 },
    { 244, 154, 123 }, { 236, 127, 99 },  { 222, 96, 77 },   { 203, 62, 56 },   { 180, 4, 38 },
};

static const rgb magma[] = {
    { 0, 0, 4 },       { 11, 9, 36 },     { 32, 17, 75 },    { 59, 15, 112 },   { 87, 21, 126 }, { 114, 31, 129 },
    { 140, 41, 129 },  { 168, 50, 125 },  { 196, 60, 117 },  { 222, 73, 104 },  { 241, 96, 93 }, { 250, 127, 94 },
    { 254, 159, 109 }, { 254, 191, 132 }, { 253, 222, 160 }, { 252, 253, 191 },
};

static const rgb cividis[] = {
    { 0, 34, 78 },     { 0, 46, 108 },    { 30, 58, 111 },   { 53, 69, 108 },   { 71, 81, 108 },   { 87, 93, 109 },
    { 102, 105, 112 }, { 117, 117, 117 }, { 132, 130, 121 }, { 148, 142, 119 }, { 165, 156, 116 }, { 183, 169, 110 },
    { 200, 184, 102 }, { 219, 199, 90 },  { 238, 214, 73 },  { 254, 232, 56 },
};

/* A circle of nearly constant lightness: both ends are equal. */
static const rgb hue[] = {
    { 214, 96, 84 },  { 194, 128, 48 },  { 142, 153, 50 }, { 66, 165, 104 }, { 48, 160, 168 },
    { 84, 140, 208 }, { 148, 114, 206 }, { 198, 96, 156 }, { 214, 96, 84 },
};

static const rgb gray[] = { { 0, 0, 0 }, { 255, 255, 255 } };

static const rgb kinds[] = {
    { 31, 119, 180 }, { 255, 127, 14 },  { 44, 160, 44 },   { 214, 39, 40 },  { 148, 103, 189 },
    { 140, 86, 75 },  { 227, 119, 194 }, { 127, 127, 127 }, { 188, 189, 34 }, { 23, 190, 207 },
};

static const struct {
    const char *name;
    const rgb *points;
    size_t count;
    bool steps; /* the colours are those of the points only */
} maps[] = {
    { "viridis", viridis, MW_COUNT(viridis), false },
    { "cividis", cividis, MW_COUNT(cividis), false },
    { "magma", magma, MW_COUNT(magma), false },
    { "coolwarm", coolwarm, MW_COUNT(coolwarm), false },
    { "hue", hue, MW_COUNT(hue), false },
    { "kinds", kinds, MW_COUNT(kinds), true },
    { "gray", gray, MW_COUNT(gray), false },
    { "gray16", gray, MW_COUNT(gray), false },
};

const char *mw_colour_maps(size_t i) { return i < MW_COUNT(maps) ? maps[i].name : NULL; }

static int no_such_map(const char *map)
{
    struct mw_text known = { 0 };
    int rc;
    for (size_t i = 0; i < MW_COUNT(maps); i++)
        mw_text_add(&known, "%s%s", i > 0 ? ", " : "", maps[i].name);
    TRY(mw_text_ok(&known));
    rc = mw_fail(MW_EINVAL, "unknown colour map \"%s\" (known: %s)", map != NULL ? map : "", known.data);
out:
    mw_text_free(&known);
    return rc;
}

static int fill_table(const char *map, unsigned char table[MW_COLOURS][3])
{
    size_t m = 0;
    while (m < MW_COUNT(maps) && (map == NULL || strcmp(map, maps[m].name) != 0))
        m++;
    if (m == MW_COUNT(maps))
        return no_such_map(map);
    for (size_t i = 0; i < MW_COLOURS; i++) {
        /* In integers: colour i of 255 is `part` / 255 of the way from point k to the next. */
        size_t position = i * (maps[m].count - 1), k = position / (MW_COLOURS - 1), part = position % (MW_COLOURS - 1);
        if (maps[m].steps)
            k = i * maps[m].count / MW_COLOURS, part = 0;
        for (int c = 0; c < 3; c++) {
            int from = maps[m].points[k][c], to = part > 0 ? maps[m].points[k + 1][c] : from;
            table[i][c] = (unsigned char)(from + ((to - from) * (int)part * 2 + (to < from ? -255 : 255)) / 510);
        }
    }
    return 0;
}

/* ---- elements ---- */

#define PART 256 /* elements that are converted at a time */
#define COPY_ELEMENTS(type)                                                                                            \
    for (size_t i = 0; i < n; i++)                                                                                     \
    to[i] = (double)((const type *)array->data)[first + i]

static void copy_elements(const struct mw_array *array, size_t first, size_t n, double *to)
{
    switch (array->type) {
    case MW_TYPE_BOOL:
        for (size_t i = 0; i < n; i++)
            to[i] = ((const unsigned char *)array->data)[first + i] != 0;
        break;
    case MW_TYPE_I8: COPY_ELEMENTS(int8_t); break;
    case MW_TYPE_U8: COPY_ELEMENTS(uint8_t); break;
    case MW_TYPE_I16: COPY_ELEMENTS(int16_t); break;
    case MW_TYPE_U16: COPY_ELEMENTS(uint16_t); break;
    case MW_TYPE_I32: COPY_ELEMENTS(int32_t); break;
    case MW_TYPE_U32: COPY_ELEMENTS(uint32_t); break;
    case MW_TYPE_I64: COPY_ELEMENTS(int64_t); break;
    case MW_TYPE_U64: COPY_ELEMENTS(uint64_t); break;
    case MW_TYPE_F32: COPY_ELEMENTS(float); break;
    default: COPY_ELEMENTS(double);
    }
}

/* Finds the range of the finite elements, and whether all are finite. */
static bool find_range(const struct mw_array *array, size_t count, double *lo, double *hi)
{
    bool finite = true;
    *lo = INFINITY;
    *hi = -INFINITY;
    for (size_t i = 0; i < count; i += PART) {
        const size_t n = count - i < PART ? count - i : PART;
        double values[PART];
        copy_elements(array, i, n, values);
        for (size_t k = 0; k < n; k++) {
            const double v = values[k];
            finite = finite && isfinite(v);
            *lo = isfinite(v) && v < *lo ? v : *lo;
            *hi = isfinite(v) && v > *hi ? v : *hi;
        }
    }
    return finite;
}

int mw_colour_scale_make(struct mw_colour_scale *scale, const struct mw_array *array, size_t count, const char *map,
                         double lo, double hi)
{
    double least, most;
    if (mw_type_bytes(array->type) == 0 || mw_type_parts(array->type) > 1)
        return mw_fail(MW_EINVAL, "values of a picture must be real numbers, not %s", mw_type_name(array->type));
    if (!isfinite(lo) || !isfinite(hi))
        return mw_fail(MW_EINVAL, "the range of a picture from %g to %g is not finite", lo, hi);
    *scale = (struct mw_colour_scale){ .lo = lo, .hi = hi };
    TRY_RETURN(fill_table(map, scale->table));
    scale->bytes = !find_range(array, count, &least, &most) ? 3 : strcmp(map, "gray16") == 0 ? 2 : 1;
    scale->is_gray = scale->bytes < 3 && strncmp(map, "gray", 4) == 0;
    if (lo == hi && least <= most) {
        scale->lo = least;
        scale->hi = most;
    }
    return 0;
}

void mw_colour_elements(const struct mw_colour_scale *scale, const struct mw_array *array, size_t first, size_t count,
                        unsigned char *to)
{
    static const unsigned char magenta[3] = { 255, 0, 255 };
    /* Halved, since the difference of two doubles may overflow. */
    const double half_lo = 0.5 * scale->lo, half_range = 0.5 * scale->hi - half_lo;
    for (size_t i = 0; i < count; i += PART) {
        const size_t n = count - i < PART ? count - i : PART;
        double values[PART];
        copy_elements(array, first + i, n, values);
        for (size_t k = 0; k < n; k++, to += scale->bytes) {
            const double v = values[k];
            double t = half_range != 0 ? (0.5 * v - half_lo) / half_range : 0.5;
            t = t > 0 ? (t < 1 ? t : 1) : 0; /* NaN: 0 */
            const unsigned char index = (unsigned char)(t * (MW_COLOURS - 1) + 0.5);
            const uint16_t level = (uint16_t)(t * UINT16_MAX + 0.5);
            const void *bytes = scale->bytes == 1   ? (const void *)&index
                                : scale->bytes == 2 ? (const void *)&level
                                : isfinite(v)       ? scale->table[index]
                                                    : magenta;
            memcpy(to, bytes, scale->bytes);
        }
    }
}

int mw_colour_pixels(const struct mw_array *array, const char *colour_map, double lo, double hi, unsigned char *rgb)
{
    struct mw_colour_scale scale;
    TRY_RETURN(mw_colour_scale_make(&scale, array, array->count, colour_map, lo, hi));
    scale.bytes = 3;
    mw_colour_elements(&scale, array, 0, array->count, rgb);
    return 0;
}
/* SPDX-License-Identifier: MIT */

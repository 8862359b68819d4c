/* Colour maps: equidistant control points with linear interpolation.  viridis is by van der Walt and Smith (CC0),
 * coolwarm by Moreland, "Diverging color maps for scientific visualization", 2009. */
#include "io/colour.h"

#include <meshwork/io.h>

#include "base/base.h"

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

/* A circle of nearly constant lightness: both ends are equal. */
static const rgb hue[] = {
    { 214, 96, 84 },  { 194, 128, 48 },  { 142, 153, 50 }, { 66, 165, 104 }, { 48, 160, 168 },
    { 84, 140, 208 }, { 148, 114, 206 }, { 198, 96, 156 }, { 214, 96, 84 },
};

static const rgb gray[] = { { 0, 0, 0 }, { 255, 255, 255 } };

static const struct {
    const char *name;
    const rgb *points;
    size_t count;
} maps[] = {
    { "viridis", viridis, MW_COUNT(viridis) },
    { "coolwarm", coolwarm, MW_COUNT(coolwarm) },
    { "hue", hue, MW_COUNT(hue) },
    { "gray", gray, MW_COUNT(gray) },
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

int mw_colour_table(const char *map, unsigned char table[MW_COLOURS][3])
{
    size_t m = 0;
    while (m < MW_COUNT(maps) && (map == NULL || strcmp(map, maps[m].name) != 0))
        m++;
    if (m == MW_COUNT(maps))
        return no_such_map(map);
    for (size_t i = 0; i < MW_COLOURS; i++) {
        /* In integers: colour i of 255 is `part` / 255 of the way from point k to the next. */
        size_t position = i * (maps[m].count - 1), k = position / (MW_COLOURS - 1), part = position % (MW_COLOURS - 1);
        for (int c = 0; c < 3; c++) {
            int from = maps[m].points[k][c], to = part > 0 ? maps[m].points[k + 1][c] : from;
            table[i][c] = (unsigned char)(from + ((to - from) * (int)part * 2 + (to < from ? -255 : 255)) / 510);
        }
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */

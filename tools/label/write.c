/* meshwork label: the files that it writes. */
#include "tools/label/label.h"
#include "tools/report/files.h"

#define STRIP_ROWS 32                    /* of the picture of one dimension */
#define HUES 6

int label_check_outputs(const struct label *l)
{
    const struct label_settings *set = l->set;
    int rc = 0;

    if (set->output && strcmp(set->output, "-") != 0 && !text_ends_in(set->output, ".npy"))
        return mw_fail(MW_EINVAL, "'%s' is no file for labels: its name ends in .npy, or it is -; --png draws them",
                       set->output);
    if (set->png && !text_ends_in(set->png, ".png"))
        return mw_fail(MW_EINVAL, "--png: '%s' does not end in .png", set->png);
    if (set->save_pattern && !text_ends_in(set->save_pattern, ".npy") && !text_ends_in(set->save_pattern, ".png"))
        return mw_fail(MW_EINVAL, "--save-pattern: '%s' ends neither in .npy nor in .png", set->save_pattern);
    if (set->components && !text_ends_in(set->components, ".csv"))
        return mw_fail(MW_EINVAL, "--components: '%s' does not end in .csv", set->components);
    if (set->cells && !text_ends_in(set->cells, ".npy"))
        return mw_fail(MW_EINVAL, "--cells: '%s' does not end in .npy", set->cells);
    if (set->output)
        TRY(file_array_writable(set->output));
    if (set->components)
        TRY(file_writable(set->components));
    if (set->cells)
        TRY(file_writable(set->cells));
    if (set->png)
        TRY(file_picture_writable(set->png));
    if (set->save_pattern)
        TRY(text_ends_in(set->save_pattern, ".png") ? file_picture_writable(set->save_pattern)
            : file_array_writable(set->save_pattern));
out:
    return rc;
}

/* ---- colours ---- */

/* Numbers that follow each other, as those of neighbours often do, are turned by the golden section around the circle
 * of hues, which keeps any few of them apart; how bright and how pale a colour is comes from a hash. */
static void colour_of(uint64_t label, uint64_t largest, unsigned char *rgba)
{
    static const struct { uint8_t most, least; } shades[] = { { 250, 60 }, { 215, 30 }, { 175, 40 }, { 210, 100 } };
    /* Red, green and blue along the circle: rising, falling, at the top or at the bottom. */
    static const char course[HUES][4] = { "+r-", "f+-", "-+r", "-f+", "r-+", "+-f" };
    static const unsigned char black[] = { 0, 0, 0, 255 }, white[] = { 255, 255, 255, 255 };
    uint64_t hash = label * 0x9E3779B97F4A7C15u;
    const unsigned hue = (unsigned)(hash >> 48) * HUES;  /* the sector in the upper 16 bits, the place in the lower */
    unsigned range, up;

    if (label == 0 || label == largest) {
        memcpy(rgba, label ? white : black, 4);
        return;
    }
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    const uint8_t most = shades[hash >> 62].most, least = shades[hash >> 62].least;
    range = (unsigned)(most - least);
    up = (hue & 0xFFFF) * range >> 16;
    for (unsigned c = 0; c < 3; c++) {
        const char way = course[hue >> 16][c];
        rgba[c] = (unsigned char)(way == '+' ? most : way == '-' ? least : way == 'r' ? least + up : most - up);
    }
    rgba[3] = 255;
}

/* Of one dimension a strip, of more than two the first plane. */
static int draw(const struct label *l)
{
    const struct mw_array *labels = &l->labels;
    const size_t width = labels->length[0], height = labels->dims > 1 ? labels->length[1] : STRIP_ROWS;
    const size_t length[] = { width, height };
    struct mw_array pixels = { 0 };
    int rc;

    TRY(mw_array_new(MW_TYPE_U32, 2, length, &pixels));
    for (size_t i = 0; i < pixels.count && labels->count; i++) {
        const size_t k = labels->dims > 1 ? i : i % width;
        const uint64_t label = labels->type == MW_TYPE_I64 ? (uint64_t)((const int64_t *)labels->data)[k]
                                                           : (uint64_t)((const int32_t *)labels->data)[k];
        colour_of(label, l->summary.largest_label, (unsigned char *)pixels.data + 4 * i);
    }
    TRY(mw_png_write_pixels(l->set->png, &pixels, MW_PNG_RGB));
out:
    mw_array_free(&pixels);
    return rc;
}

/* ---- the pattern ---- */

static int save_pattern(const struct label *l)
{
    const struct mw_array *cells = &l->source;
    struct mw_array pixels = { 0 };
    size_t length[2];
    int rc;

    if (!text_ends_in(l->set->save_pattern, ".png"))
        return mw_npy_write(l->set->save_pattern, cells);
    length[0] = cells->length[0];
    length[1] = cells->dims > 1 ? cells->length[1] : 1;
    TRY(mw_array_new(MW_TYPE_U8, 2, length, &pixels));
    for (size_t i = 0; i < pixels.count; i++)
        ((uint8_t *)pixels.data)[i] = ((const uint8_t *)cells->data)[i] ? 255 : 0;
    TRY(mw_png_write_pixels(l->set->save_pattern, &pixels, MW_PNG_GRAY));
out:
    mw_array_free(&pixels);
    return rc;
}

int label_write(struct label *l)
{
    const double start = seconds_now();
    int rc = 0;

    if (l->set->save_pattern)
        TRY(save_pattern(l));
    if (l->set->output)
        TRY(mw_npy_write(l->set->output, &l->labels));
    if (l->set->png)
        TRY(draw(l));
    if (l->set->components)
        TRY(label_write_components(l));
    if (l->set->cells)
        TRY(label_write_cells(l));
    l->output = seconds_now() - start;
out:
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* meshwork graph info: a picture of the degree histogram with logarithmic axes. */
#include <meshwork/io.h>

#include <math.h>
#include <stdio.h>

#include "tools/info/info.h"

enum { WIDTH = 800, HEIGHT = 600, LEFT = 90, RIGHT = 30, TOP = 48, BOTTOM = 70 }; /* margins of the axes */
enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7, SCALE = 2, DOT = 3 };

#define COLOUR(r, g, b)                                                                                                \
    {                                                                                                                  \
        (r), (g), (b), 255                                                                                             \
    }
static const unsigned char white[] = COLOUR(255, 255, 255), black[] = COLOUR(40, 40, 40),
                           light[] = COLOUR(225, 225, 225), blue[] = COLOUR(31, 90, 180);

struct plot {
    struct mw_array pixels;
    unsigned decades[2]; /* per axis */
};

/* Bitmaps of characters: one row per byte, pixels in the lowest five bits from left to right. */
static const struct {
    char letter;
    unsigned char rows[GLYPH_HEIGHT];
} glyphs[] = {
    { '0', { 14, 17, 19, 21, 25, 17, 14 } }, { '1', { 4, 12, 4, 4, 4, 4, 14 } },
    { 'c', { 0, 0, 14, 16, 16, 17, 14 } },   { 'd', { 1, 1, 13, 19, 17, 19, 13 } },
    { 'e', { 0, 0, 14, 17, 31, 16, 14 } },   { 'g', { 0, 15, 17, 17, 15, 1, 14 } },
    { 'i', { 4, 0, 12, 4, 4, 4, 14 } },      { 'k', { 16, 16, 18, 20, 24, 20, 18 } },
    { 'r', { 0, 0, 22, 25, 16, 16, 16 } },   { 's', { 0, 0, 15, 16, 14, 1, 30 } },
    { 't', { 8, 8, 28, 8, 8, 9, 6 } },       { 'v', { 0, 0, 17, 17, 17, 10, 4 } },
    { 'G', { 14, 17, 16, 23, 17, 17, 15 } }, { 'M', { 17, 27, 21, 21, 17, 17, 17 } },
};

static void set_pixel(struct plot *p, int x, int y, const unsigned char colour[4])
{
    if (x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT)
        memcpy((unsigned char *)p->pixels.data + 4 * ((size_t)y * WIDTH + (size_t)x), colour, 4);
}

static void info_plot_fill(struct plot *p, int x, int y, int width, int height, const unsigned char colour[4])
{
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            set_pixel(p, x + i, y + j, colour);
}

static int words_width(const char *words) { return (int)strlen(words) * (GLYPH_WIDTH + 1) * SCALE - SCALE; }

static void write_words(struct plot *p, int x, int y, const char *words)
{
    for (; *words; words++, x += (GLYPH_WIDTH + 1) * SCALE)
        for (size_t g = 0; g < MW_COUNT(glyphs); g++)
            for (int j = 0; glyphs[g].letter == *words && j < GLYPH_HEIGHT; j++)
                for (int i = 0; i < GLYPH_WIDTH; i++)
                    if (glyphs[g].rows[j] >> (GLYPH_WIDTH - 1 - i) & 1)
                        info_plot_fill(p, x + i * SCALE, y + j * SCALE, SCALE, SCALE, black);
}

/* ---- axes ---- */

static int place_x(const struct plot *p, double value)
{
    return LEFT + (int)lround(log10(value) / p->decades[0] * (WIDTH - LEFT - RIGHT));
}

static int place_y(const struct plot *p, double value)
{
    return HEIGHT - BOTTOM - (int)lround(log10(value) / p->decades[1] * (HEIGHT - TOP - BOTTOM));
}

/* Labels 1, 10, 100, 1k, ...: powers of ten. */
static void power_words(unsigned power, char words[8])
{
    static const char thousands[] = " kMG";
    const char suffix[2] = { power >= 3 && power < 12 ? thousands[power / 3] : 0, 0 };
    snprintf(words, 8, "1%.*s%s", (int)(power < 12 ? power % 3 : 2), "00", suffix);
}

static void draw_axes(struct plot *p)
{
    const int bottom = HEIGHT - BOTTOM, width = WIDTH - LEFT - RIGHT, height = HEIGHT - TOP - BOTTOM;
    char words[8];
    for (unsigned power = 0; power <= p->decades[0]; power++) {
        const int x = place_x(p, pow(10, power));
        info_plot_fill(p, x, TOP, 1, height, light);
        info_plot_fill(p, x, bottom, 1, 8, black);
        for (int k = 2; k < 10 && power < p->decades[0]; k++)
            info_plot_fill(p, place_x(p, k * pow(10, power)), bottom, 1, 4, black);
        power_words(power, words);
        write_words(p, x - words_width(words) / 2, bottom + 14, words);
    }
    for (unsigned power = 0; power <= p->decades[1]; power++) {
        const int y = place_y(p, pow(10, power));
        info_plot_fill(p, LEFT, y, width, 1, light);
        info_plot_fill(p, LEFT - 8, y, 8, 1, black);
        for (int k = 2; k < 10 && power < p->decades[1]; k++)
            info_plot_fill(p, LEFT - 4, place_y(p, k * pow(10, power)), 4, 1, black);
        power_words(power, words);
        write_words(p, LEFT - 14 - words_width(words), y - GLYPH_HEIGHT * SCALE / 2, words);
    }
    info_plot_fill(p, LEFT, TOP, 1, height + 1, black);
    info_plot_fill(p, LEFT, bottom, width + 1, 1, black);
    write_words(p, LEFT + (width - words_width("degree")) / 2, HEIGHT - 28, "degree");
    write_words(p, 8, 12, "vertices");
}

static void draw_dots(struct plot *p, const uint64_t *degrees, size_t count)
{
    for (size_t d = 1; d < count; d++) {
        const int x = degrees[d] ? place_x(p, (double)d) : 0, y = degrees[d] ? place_y(p, (double)degrees[d]) : 0;
        for (int j = -DOT; degrees[d] && j <= DOT; j++)
            for (int i = -DOT; i <= DOT; i++)
                if (i * i + j * j <= DOT * DOT + 1)
                    set_pixel(p, x + i, y + j, blue);
    }
}

static unsigned decades_to(double most) { return most > 1 ? (unsigned)ceil(log10(most) - 1e-12) : 1; }

int info_plot(const char *path, const uint64_t *degrees, size_t count)
{
    const size_t length[] = { WIDTH, HEIGHT };
    struct plot p = { .decades = { 1, 1 } };
    uint64_t most = 1;
    int rc;
    TRY(mw_array_new(MW_TYPE_U32, 2, length, &p.pixels));
    for (size_t d = 1; d < count; d++)
        most = degrees[d] > most ? degrees[d] : most;
    p.decades[0] = decades_to((double)(count - 1));
    p.decades[1] = decades_to((double)most);
    info_plot_fill(&p, 0, 0, WIDTH, HEIGHT, white);
    draw_axes(&p);
    draw_dots(&p, degrees, count);
    TRY(mw_png_write_pixels(path, &p.pixels, MW_PNG_RGB));
out:
    mw_array_free(&p.pixels);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Test patterns of 0 and 1, as in Hawick, Leist and Playne, "Parallel Graph Component Labelling with GPUs and CUDA",
 * section 6.3.  A seed gives the same cells on every machine. */
#include "tools/label/pattern.h"

#include <math.h>
#include "rng.clh"
#include "base/base.h"

#define BLUR_REACH 4
#define BLURS 4
#define BINS 65536

/* Returns 32 random bits of a cell, a function of cell and seed.  Four cells share a block. */
static void fill_random(size_t cells, uint64_t seed, void (*put)(void *context, size_t cell, uint32_t bits),
                        void *context)
{
    for (size_t k = 0; k < cells; k += 4) {
        const struct philox r = draw_words(k / 4, 0, 0, seed);
        for (size_t i = 0; i < 4 && k + i < cells; i++)
            put(context, k + i, r.word[i]);
    }
}

/* ---- random ---- */

struct site {
    uint8_t *cells;
    uint64_t below;
};

static void put_site(void *context, size_t cell, uint32_t bits)
{
    const struct site *s = context;
    s->cells[cell] = bits < s->below;
}

static int make_random(struct mw_array *cells, double density, uint64_t seed)
{
    struct site s = { cells->data, (uint64_t)(density * 0x1p32) };
    fill_random(cells->count, seed, put_site, &s);
    return 0;
}

/* ---- domains ---- */

static void put_real(void *context, size_t cell, uint32_t bits) { ((double *)context)[cell] = bits >> 20; }

/* Sums over 2 BLUR_REACH + 1 cells along a periodic dimension.  The sums are integers below 2^53, so they are exact. */
static void blur(double *value, const struct mw_array *cells, unsigned dim, double *line)
{
    const size_t n = cells->length[dim], reach = BLUR_REACH % n;
    size_t stride = 1;
    for (unsigned i = 0; i < dim; i++)
        stride *= cells->length[i];
    for (size_t block = 0; block < cells->count; block += n * stride)
        for (size_t start = block; start < block + stride; start++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                line[i] = value[start + i * stride];
            for (size_t i = 0; i <= 2 * BLUR_REACH; i++)
                sum += line[(n - reach + i) % n];
            for (size_t i = 0, first = n - reach, next = BLUR_REACH + 1; i < n; i++, first++, next++) {
                value[start + i * stride] = sum;
                sum += line[next % n] - line[first % n];
            }
        }
}

/* Returns the value exceeded by a fraction `above` of all values, to the resolution of BINS bins. */
static double quantile(const double *value, size_t cells, double above, size_t *count)
{
    double least = INFINITY, most = -INFINITY;
    size_t wanted = (size_t)(above * (double)cells + 0.5), bin = BINS, there = 0;
    for (size_t k = 0; k < cells; k++) {
        least = fmin(least, value[k]);
        most = fmax(most, value[k]);
    }
    const double scale = most > least ? (BINS - 1) / (most - least) : 0;
    for (size_t k = 0; k < cells; k++)
        count[(size_t)((value[k] - least) * scale)]++;
    while (bin > 0 && there + count[bin - 1] / 2 < wanted)
        there += count[--bin];
    return bin == 0 ? -INFINITY : scale > 0 ? least + (double)bin / scale : INFINITY;
}

/* Domains as in phase separation: smoothed noise with a threshold that gives the density. */
static int make_domains(struct mw_array *cells, double density, uint64_t seed)
{
    double *value = NULL, *line = NULL, cut;
    size_t *count = NULL, longest = 0;
    int rc;
    for (unsigned i = 0; i < cells->dims; i++)
        longest = cells->length[i] > longest ? cells->length[i] : longest;
    TRY(mw_new(cells->count, sizeof(*value), &value));
    TRY(mw_new(longest, sizeof(*line), &line));
    TRY(mw_new(BINS, sizeof(*count), &count));
    fill_random(cells->count, seed, put_real, value);
    for (int round = 0; round < BLURS; round++)
        for (unsigned dim = 0; dim < cells->dims; dim++)
            blur(value, cells, dim, line);
    cut = quantile(value, cells->count, density, count);
    for (size_t k = 0; k < cells->count; k++)
        ((uint8_t *)cells->data)[k] = value[k] >= cut;
out:
    free(value);
    free(line);
    free(count);
    return rc;
}

/* ---- spiral ---- */

struct walk {
    uint8_t *cells;
    int64_t width, height, x, y, dx, dy;
};

/* Returns whether the arm occupies the cell n steps ahead; false outside. */
static bool is_set(const struct walk *w, int64_t n)
{
    const int64_t x = w->x + n * w->dx, y = w->y + n * w->dy;
    return x >= 0 && y >= 0 && x < w->width && y < w->height && w->cells[y * w->width + x];
}

/* An arm one cell wide from a corner inwards, with a gap of one cell.  It continues while the cell after next is free,
 * and otherwise turns. */
static int make_spiral(struct mw_array *cells, double density, uint64_t seed)
{
    struct walk w = {
        .cells = cells->data, .width = (int64_t)cells->length[0], .height = (int64_t)cells->length[1], .dx = 1
    };
    if (cells->dims != 2)
        return mw_fail(MW_EINVAL, "--pattern spiral has two dimensions: give two lengths, as in --size 512x512");
    for (int turns = 0; turns < 2;) {
        const int64_t x = w.x + w.dx, y = w.y + w.dy, turned = w.dx;
        w.cells[w.y * w.width + w.x] = 1;
        if (x >= 0 && y >= 0 && x < w.width && y < w.height && !is_set(&w, 1) && !is_set(&w, 2)) {
            w.x = x;
            w.y = y;
            turns = 0;
        } else {
            w.dx = -w.dy;
            w.dy = turned;
            turns++;
        }
    }
    return 0;
}

const struct pattern patterns[] = {
    { "spiral", false, 0, make_spiral },
    { "random", true, 0, make_random },
    { "domains", true, sizeof(double), make_domains },
    { NULL, false, 0, NULL },
};
/* SPDX-License-Identifier: MIT */

/* Reference for walks: a plain loop over a box of places; random carpets from files of random generators. */
#ifndef MW_TESTS_WALK_REFERENCE_H
#define MW_TESTS_WALK_REFERENCE_H

#include <math.h>

#include <meshwork/walk.h>

#include "base/base.h"
#include "tests/device/device.h"
#include "tests/scratch.h"

/* ---- carpets ---- */

static inline void write_generators(FILE *file, unsigned dims, size_t side, size_t count, double filled)
{
    for (size_t g = 0; g < count; g++) {
        if (g > 0)
            fputc('\n', file);
        for (size_t z = 0; z < (dims == 3 ? side : 1); z++) {
            if (z > 0)
                fputs("-\n", file);
            for (size_t y = 0; y < side; y++) {
                for (size_t x = 0; x < side; x++)
                    fputc((double)random_below(1000) < 1000 * filled ? '#' : '.', file);
                fputc('\n', file);
            }
        }
    }
}

/* Returns a carpet with an accessible site at `start`; sometimes it is bounded. */
static inline struct mw_carpet *random_carpet(unsigned dims, int64_t *start)
{
    for (;;) {
        struct mw_carpet_options options = { .size = sizeof options,
                                             .generators = in("random.txt"),
                                             .seed = random_word(),
                                             .level = 1 + (unsigned)random_below(dims == 2 ? 4 : 2) };
        FILE *file = fopen(options.generators, "w");
        struct mw_carpet *carpet;
        assert_non_null(file);
        fprintf(file, "dims %u\n", dims);
        write_generators(file, dims, 2 + random_below(dims == 2 ? 4 : 3), 1 + random_below(3),
                         0.3 + 0.7 * (double)random_below(1000) / 1000);
        fclose(file);
        for (unsigned d = 0; d < dims; d++)
            options.extent[d] = random_below(2) ? 0 : 1 + random_below(3);
        if (mw_carpet_new(&options, &carpet) == 0) {
            if (mw_carpet_random_site(carpet, random_below(100), start) == 0)
                return carpet;
            mw_carpet_free(carpet);
        }
    }
}

/* ---- a walk of `steps` steps in the box of all places within reach, and one more on each side ---- */

struct reference {
    unsigned dims;
    bool fp64;
    uint64_t steps;
    int64_t edge; /* side of the box; places start at -steps - 1 */
    size_t cells;
    unsigned char *open;
    int32_t *distance; /* steps to each place; -1: too many */
    double *p, *next;  /* per place; exact floats in single precision */
};

static inline int64_t stride(const struct reference *r, unsigned d)
{
    return d == 0 ? 1 : d == 1 ? r->edge : r->edge * r->edge;
}

static inline size_t cell_at(const struct reference *r, const int32_t *place)
{
    size_t at = 0;
    for (unsigned d = r->dims; d-- > 0;)
        at = at * (size_t)r->edge + (size_t)(place[d] + (int64_t)r->steps + 1);
    return at;
}

static inline bool is_inside(const struct reference *r, size_t cell)
{
    for (unsigned d = 0; d < r->dims; d++) {
        const int64_t x = (int64_t)(cell / (size_t)stride(r, d)) % r->edge;
        if (x == 0 || x == r->edge - 1)
            return false;
    }
    return true;
}

static inline void find_distances(struct reference *r, size_t start)
{
    size_t *queue = room(r->cells, sizeof *queue), end = 1;
    memset(r->distance, 0xff, r->cells * sizeof *r->distance);
    r->distance[start] = 0;
    queue[0] = start;
    for (size_t at = 0; at < end; at++)
        for (unsigned j = 0; j < 2 * r->dims && is_inside(r, queue[at]); j++) {
            const size_t to = queue[at] + (size_t)(j % 2 ? stride(r, j / 2) : -stride(r, j / 2));
            if (r->open[to] && r->distance[to] < 0) {
                r->distance[to] = r->distance[queue[at]] + 1;
                queue[end++] = to;
            }
        }
    free(queue);
}

static inline struct reference reference_new(const struct mw_carpet *carpet, const int64_t *start, uint64_t steps,
                                             bool fp64)
{
    struct reference r = {
        .dims = mw_carpet_info(carpet)->dims, .fp64 = fp64, .steps = steps, .edge = 2 * (int64_t)steps + 3, .cells = 1
    };
    const int32_t middle[MW_CARPET_DIMS_MAX] = { 0 };
    for (unsigned d = 0; d < r.dims; d++)
        r.cells *= (size_t)r.edge;
    r.open = room(r.cells, 1);
    r.distance = room(r.cells, sizeof *r.distance);
    r.p = room(r.cells, sizeof *r.p);
    r.next = room(r.cells, sizeof *r.next);
    for (size_t i = 0; i < r.cells; i++) {
        int64_t site[MW_CARPET_DIMS_MAX] = { 0 };
        for (unsigned d = 0; d < r.dims; d++)
            site[d] = start[d] + (int64_t)(i / (size_t)stride(&r, d)) % r.edge - (int64_t)steps - 1;
        r.open[i] = mw_carpet_accessible(carpet, site);
    }
    r.p[cell_at(&r, middle)] = 1;
    find_distances(&r, cell_at(&r, middle));
    return r;
}

static inline void reference_free(struct reference *r)
{
    free(r->open);
    free(r->distance);
    free(r->p);
    free(r->next);
}

/* Returns a sum of all directions divided by their number, rounded to the precision of the walk. */
static inline double mean_of(const struct reference *r, double all)
{
    if (r->dims == 2)
        return all / 4;
    if (r->fp64) {
        const double about = all * (1.0 / 6);
        return about + ((all - 4 * about) - 2 * about) * (1.0 / 6);
    }
    const float sixth = (float)(1.0 / 6), about = (float)all * sixth;
    return about + (((float)all - 4 * about) - 2 * about) * sixth;
}

/* Rounds a sum to the precision of the walk. */
static inline double rounded(const struct reference *r, double sum) { return r->fp64 ? sum : (double)(float)sum; }

static inline void reference_step(struct reference *r)
{
    const double least = r->fp64 ? ldexp(1, -200) : ldexp(1, -64);
    double *const held = r->p;
    for (size_t i = 0; i < r->cells; i++) {
        double pair[3] = { 0 }, all;
        int closed = 0;
        r->next[i] = 0;
        if (!r->open[i] || !is_inside(r, i))
            continue;
        for (unsigned d = 0; d < r->dims; d++) {
            const size_t below = i - (size_t)stride(r, d), above = i + (size_t)stride(r, d);
            closed += !r->open[below] + !r->open[above];
            pair[d] = rounded(r, r->p[below] + r->p[above]);
        }
        all = rounded(r, pair[0] + pair[1]);
        if (r->dims == 3)
            all = rounded(r, all + pair[2]);
        all = mean_of(r, rounded(r, all + rounded(r, closed * r->p[i])));
        r->next[i] = all < least ? 0 : all;
    }
    r->p = r->next;
    r->next = held;
}

#endif
/* SPDX-License-Identifier: MIT */

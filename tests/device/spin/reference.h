/* Reference for spins: plain C loops over coordinates of cells. */
#ifndef MW_TESTS_SPIN_REFERENCE_H
#define MW_TESTS_SPIN_REFERENCE_H

#include <meshwork/run.h>
#include <meshwork/spin.h>

#include <math.h>

#include "base/base.h"
#include "rng.clh"

#include "tests/device/device.h"

struct mesh {
    unsigned dims;
    size_t length[MW_DIMS_MAX];
    enum mw_boundary boundary[MW_DIMS_MAX];
};
/* The installed model that all variants support. */
static struct mw_model *ising;

static inline int open_spins(void **unused)
{
    if (open_device(unused) != 0)
        return -1;
    OK(mw_model_load("ising", NULL, &ising));
    return 0;
}

static inline int close_spins(void **unused)
{
    mw_model_free(ising);
    return close_device(unused);
}

/* Number of the mesh's first row in the counter of random words. */
static uint32_t first_row;
/* Periodic is the default. */
static inline bool is_periodic(const struct mesh *m, unsigned d) { return m->boundary[d] <= MW_BOUNDARY_PERIODIC; }

static const enum mw_boundary P = MW_BOUNDARY_PERIODIC, M = MW_BOUNDARY_MIRROR, F = MW_BOUNDARY_FIXED;

static inline size_t cells_of(const struct mesh *m)
{
    size_t cells = 1;
    for (unsigned d = 0; d < m->dims; d++)
        cells *= m->length[d];
    return cells;
}

static inline struct mw_spin_options options_of(const struct mesh *m, const double *params)
{
    struct mw_spin_options o = { .size = sizeof o, .dims = m->dims, .params = params, .start = MW_SPIN_START_NOISE };
    memcpy(o.length, m->length, sizeof o.length);
    memcpy(o.boundary, m->boundary, sizeof o.boundary);
    return o;
}

/* A mesh on any kind of lattice. */
struct lattice_mesh {
    enum mw_lattice_kind lattice;
    struct mesh mesh;
};

static inline struct mw_spin_options options_on(const struct lattice_mesh *m, const double *params)
{
    struct mw_spin_options o = options_of(&m->mesh, params);
    o.lattice = m->lattice;
    return o;
}

/* ---- the reference ---- */

/* Parameters in the order of the model. */
enum { T, J, H, OUTSIDE };

static inline void coordinates(const struct mesh *m, size_t cell, int64_t *x)
{
    for (unsigned d = 0; d < m->dims; cell /= m->length[d++])
        x[d] = (int64_t)(cell % m->length[d]);
}

/* Returns the spin one step away in dimension d; 0: none, or its own image. */
static inline int neighbour(const struct mesh *m, const signed char *s, const int64_t *x, unsigned d, int step,
                            int outside)
{
    const int64_t L = (int64_t)m->length[d], to = x[d] + step;
    size_t cell = 0, stride = 1;
    if ((to < 0 || to >= L) && m->boundary[d] == F)
        return outside;
    if (((to < 0 || to >= L) && m->boundary[d] == M) || (L == 1 && is_periodic(m, d)))
        return 0;
    for (unsigned i = 0; i < m->dims; stride *= m->length[i++])
        cell += stride * (size_t)(i == d ? (to + L) % L : x[i]);
    return s[cell];
}

static inline int colours_of(const struct mesh *m)
{
    for (unsigned d = 0; d < m->dims; d++)
        if (is_periodic(m, d) && m->length[d] % 2 && m->length[d] > 1)
            return 3;
    return 2;
}

static inline int colour_of(const struct mesh *m, const int64_t *x)
{
    int64_t sum = 0;
    for (unsigned d = 0; d < m->dims; d++) {
        const bool odd = is_periodic(m, d) && m->length[d] % 2 && m->length[d] > 1;
        sum += odd && x[d] == (int64_t)m->length[d] - 1 ? 2 : x[d] % 2;
    }
    return (int)(sum % colours_of(m));
}

/* Returns the updated spin.  Heat bath: random words below a threshold mean up. */
static inline int updated(int old, int sum, uint32_t word, const struct mw_spin_options *o)
{
    const double *p = o->params, up = 1 / (1 + exp(-2 * (p[J] * sum + p[H]) / p[T]));
    const double flip = fmin(1, exp(-2 * old * (p[J] * sum + p[H]) / p[T]));
    if (o->update == MW_SPIN_UPDATE_HEAT_BATH)
        return word < up * 4294967296.0 ? 1 : -1;
    if (flip == 1)
        return -old;
    /* In both cases small words result in up. */
    return old < 0 ? (word < flip * 4294967296.0 ? 1 : -1) : (word < (1 - flip) * 4294967296.0 ? 1 : -1);
}

/* Random numbers of spins of one bit, which decide flips.  The first eight bits are one bit of eight random words each;
 * if these equal the threshold's, the spin gets the rest from words in the order of such spins within four words. */
struct bit_draw {
    const struct mw_spin_options *o;
    uint32_t row;
    uint64_t step;
    int colour;
};

static inline uint32_t bit_word(const struct bit_draw *d, uint32_t draw, uint32_t i)
{
    return philox4x32_10(d->row, (uint32_t)d->step, 1 + (uint32_t)d->colour + 4 * (uint32_t)(d->step >> 32), draw,
                         (uint32_t)d->o->seed, (uint32_t)(d->o->seed >> 32))
        .word[i];
}

static inline uint32_t change(int old, int sum, const struct mw_spin_options *o)
{
    const double *p = o->params, up = 1 / (1 + exp(-2 * (p[J] * sum + p[H]) / p[T]));
    const double flip = o->update == MW_SPIN_UPDATE_HEAT_BATH ? (old > 0 ? 1 - up : up)
                                                              : fmin(1, exp(-2 * old * (p[J] * sum + p[H]) / p[T]));
    const double scaled = nearbyint(flip * 4294967296.0);
    return scaled >= 4294967295.0 ? UINT32_MAX : (uint32_t)scaled;
}

/* Updates the sites of a row in order; `left` counts the spins of four words that the first bits left undecided. */
static inline int updated_bits(int old, int sum, uint32_t site, unsigned *left, const struct bit_draw *d)
{
    const uint32_t threshold = change(old, sum, d->o), word = site / 32, first = word / 4 * 64;
    uint32_t number = 0;
    if (site % 128 == 0)
        *left = 0;
    for (uint32_t bit = 0; bit < 8; bit++)
        number = number << 1 | (bit_word(d, first + word % 4 * 2 + bit / 4, bit % 4) >> site % 32 & 1);
    if (threshold == UINT32_MAX)
        return -old;
    if (number != threshold >> 24)
        return number < threshold >> 24 ? -old : old;
    const unsigned i = (*left)++;
    return bit_word(d, first + 8 + i / 4, i % 4) < threshold << 8 ? -old : old;
}

static inline void reference_start(const struct mesh *m, const struct mw_spin_options *o, signed char *s)
{
    for (size_t cell = 0; cell < cells_of(m); cell++) {
        const uint32_t x = (uint32_t)(cell % m->length[0]), row = first_row + (uint32_t)(cell / m->length[0]);
        const struct philox r = philox4x32_10(x / 128, row, 0, 3, (uint32_t)o->seed, (uint32_t)(o->seed >> 32));
        s[cell] = o->start == MW_SPIN_START_UP         ? 1
                  : o->start == MW_SPIN_START_DOWN     ? -1
                  : r.word[x % 128 / 32] >> x % 32 & 1 ? 1
                                                       : -1;
    }
}

static inline void reference_step(const struct mesh *m, const struct mw_spin_options *o, uint64_t step, signed char *s)
{
    unsigned left = 0;
    for (int colour = 0; colour < colours_of(m); colour++)
        for (size_t cell = 0; cell < cells_of(m); cell++) {
            int64_t x[MW_DIMS_MAX];
            int sum = 0;
            coordinates(m, cell, x);
            if (colour_of(m, x) != colour)
                continue;
            for (unsigned d = 0; d < m->dims; d++)
                sum += neighbour(m, s, x, d, 1, (int)o->params[OUTSIDE]) +
                       neighbour(m, s, x, d, -1, (int)o->params[OUTSIDE]);
            if (o->variant && !strcmp(o->variant, "bits")) {
                const struct bit_draw draw = { o, first_row + (uint32_t)(cell / m->length[0]), step, colour };
                s[cell] = (signed char)updated_bits(s[cell], sum, (uint32_t)x[0] / 2, &left, &draw);
                continue;
            }
            const struct philox r = philox4x32_10((uint32_t)x[0] / 8, first_row + (uint32_t)(cell / m->length[0]),
                                                  (uint32_t)step, (uint32_t)colour + 4 * (uint32_t)(step >> 32),
                                                  (uint32_t)o->seed, (uint32_t)(o->seed >> 32));
            s[cell] = (signed char)updated(s[cell], sum, r.word[x[0] / 2 % 4], o);
        }
}

/* Counts each bond once; bonds with the outside have one end. */
static inline double reference_energy(const struct mesh *m, const double *p, const signed char *s)
{
    double energy = 0;
    for (size_t cell = 0; cell < cells_of(m); cell++) {
        int64_t x[MW_DIMS_MAX];
        coordinates(m, cell, x);
        energy -= p[H] * s[cell];
        for (unsigned d = 0; d < m->dims; d++) {
            energy -= p[J] * s[cell] * neighbour(m, s, x, d, 1, (int)p[OUTSIDE]);
            if (x[d] == 0 && m->boundary[d] == F)
                energy -= p[J] * s[cell] * p[OUTSIDE];
        }
    }
    return energy;
}

static inline void random_params(double *params)
{
    params[T] = 0.5 + (double)random_below(100) / 20;
    params[J] = random_below(3) ? 1 : -0.75;
    params[H] = random_below(2) ? 0 : 0.375;
    params[OUTSIDE] = (double)random_below(3) - 1;
}

static inline bool reads_image(const char *variant) { return strstr(variant, "image") != NULL; }

/* Returns whether the device supports a variant, and the variant the mesh. */
static inline bool suits(const struct mesh *m, const char *variant)
{
    struct mw_spin_options o = options_of(m, NULL);
    uint64_t bytes;
    o.variant = variant;
    return mw_spins_bytes(ising, &o, &bytes) == 0 && (!reads_image(variant) || mw_device_info(device)->images);
}

/* Returns how many devices of a team support a variant. The team is the device twice, and a native device. */
static inline size_t team_of(const char *variant) { return reads_image(variant) ? 2 : 3; }

/* Returns whether a variant is compared with the reference: `model` is not, since it has its own random numbers. */
static inline bool is_compared(const struct mesh *m, const char *variant)
{
    return strcmp(variant, "model") != 0 && suits(m, variant);
}

/* Computes the weights of all states of a small mesh. */
static inline void enumerate(const struct mesh *m, const double *params, double *weight)
{
    const size_t n = cells_of(m), states = (size_t)1 << n;
    signed char s[16];
    double sum = 0;
    for (size_t state = 0; state < states; state++) {
        for (size_t i = 0; i < n; i++)
            s[i] = state >> i & 1 ? 1 : -1;
        sum += weight[state] = exp(-reference_energy(m, params, s) / params[T]);
    }
    for (size_t state = 0; state < states; state++)
        weight[state] /= sum;
}

#endif
/* SPDX-License-Identifier: MIT */

#include "hand-written.h"

#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

int hand_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

long hand_cells(const struct hand_lattice *l) { return (long)l->nx * l->ny * (l->nz ? l->nz : 1); }

static bool array_new(long n, float **array)
{
    float *a = aligned_alloc(64, ((size_t)n * sizeof(float) + 63) / 64 * 64);
    if (!a)
        return false;
#pragma omp parallel for schedule(static)
    for (long k = 0; k < n; k++)
        a[k] = 0;
    *array = a;
    return true;
}

bool hand_new(struct hand_lattice *l)
{
    const long n = hand_cells(l);
    l->c = l->half = l->mu = NULL;
    if (array_new(n, &l->c) && array_new(n, &l->half) && array_new(n, &l->mu))
        return true;
    hand_free(l);
    return false;
}

void hand_free(struct hand_lattice *l)
{
    free(l->c);
    free(l->half);
    free(l->mu);
    l->c = l->half = l->mu = NULL;
}

void hand_copy(float *restrict to, const float *restrict from, long n)
{
#pragma omp parallel for schedule(static)
    for (long k = 0; k < n; k++)
        to[k] = from[k];
}

/* ---- two dimensions ---- */

static inline float potential(const float *below, const float *row, const float *above, int w, int x, int e)
{
    const float v = row[x];
    return v * v * v - v - (row[w] + row[e] + below[x] + above[x] - 4 * v);
}

/* out = base + h lap(potential(in)) at one cell, its neighbours at w, ww, e and ee. */
#define UPDATE(x, ww, w, e, ee)                                                                                        \
    do {                                                                                                               \
        const float centre = potential(r1, r2, r3, w, x, e);                                                           \
        const float sum = potential(r1, r2, r3, ww, w, x) + potential(r1, r2, r3, x, e, ee) +                          \
                          potential(r0, r1, r2, w, x, e) + potential(r2, r3, r4, w, x, e);                             \
        to[x] = from[x] + h * (sum - 4 * centre);                                                                      \
    } while (0)

static void pass(float *out, const float *base, const float *in, int nx, int ny, float h)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < ny; y++) {
        const float *r0 = in + (long)((y + ny - 2) % ny) * nx, *r1 = in + (long)((y + ny - 1) % ny) * nx;
        const float *r2 = in + (long)y * nx, *r3 = in + (long)((y + 1) % ny) * nx;
        const float *r4 = in + (long)((y + 2) % ny) * nx, *from = base + (long)y * nx;
        float *to = out + (long)y * nx;
        for (int x = 0; x < 2; x++)
            UPDATE(x, (x + nx - 2) % nx, (x + nx - 1) % nx, (x + 1) % nx, (x + 2) % nx);
#pragma omp simd
        for (int x = 2; x < nx - 2; x++)
            UPDATE(x, x - 2, x - 1, x + 1, x + 2);
        for (int x = nx - 2; x < nx; x++)
            UPDATE(x, x - 2, x - 1, (x + 1) % nx, (x + 2) % nx);
    }
}

static void potential_pass(float *mu, const float *in, int nx, int ny)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < ny; y++) {
        const float *below = in + (long)((y + ny - 1) % ny) * nx, *row = in + (long)y * nx;
        const float *above = in + (long)((y + 1) % ny) * nx;
        float *to = mu + (long)y * nx;
        to[0] = potential(below, row, above, nx - 1, 0, 1 % nx);
#pragma omp simd
        for (int x = 1; x < nx - 1; x++)
            to[x] = potential(below, row, above, x - 1, x, x + 1);
        to[nx - 1] = potential(below, row, above, nx - 2, nx - 1, 0);
    }
}

static void update_pass(float *out, const float *base, const float *mu, int nx, int ny, float h)
{
#define LAPLACIAN(w, x, e) (row[w] + row[e] + below[x] + above[x] - 4 * row[x])
#pragma omp parallel for schedule(static)
    for (int y = 0; y < ny; y++) {
        const float *below = mu + (long)((y + ny - 1) % ny) * nx, *row = mu + (long)y * nx;
        const float *above = mu + (long)((y + 1) % ny) * nx, *from = base + (long)y * nx;
        float *to = out + (long)y * nx;
        to[0] = from[0] + h * LAPLACIAN(nx - 1, 0, 1 % nx);
#pragma omp simd
        for (int x = 1; x < nx - 1; x++)
            to[x] = from[x] + h * LAPLACIAN(x - 1, x, x + 1);
        to[nx - 1] = from[nx - 1] + h * LAPLACIAN(nx - 2, nx - 1, 0);
    }
}

/* ---- three dimensions ---- */

/* Returns the row at y and z; either may be beyond an end by less than a length. */
static inline const float *row_at(const float *a, const struct hand_lattice *l, int y, int z)
{
    return a + ((long)((z + l->nz) % l->nz) * l->ny + (y + l->ny) % l->ny) * l->nx;
}

/* r[2 + dz][2 + dy] is the row at y + dy and z + dz: the 13 rows within two steps of a cell. */
static inline void rows_about(const float *r[5][5], const float *in, const struct hand_lattice *l, int y, int z)
{
    for (int dz = -2; dz <= 2; dz++)
        for (int dy = abs(dz) - 2; dy <= 2 - abs(dz); dy++)
            r[2 + dz][2 + dy] = row_at(in, l, y + dy, z + dz);
}

#define LAPLACIAN_3D(row, south, north, below, above, w, x, e)                                                         \
    (row[w] + row[e] + south[x] + north[x] + below[x] + above[x] - 6 * row[x])

static inline float potential_3d(const float *row, const float *south, const float *north, const float *below,
                                 const float *above, int w, int x, int e)
{
    const float v = row[x];
    return v * v * v - v - LAPLACIAN_3D(row, south, north, below, above, w, x, e);
}

#define POTENTIAL(z, y, w, x, e) potential_3d(r[z][y], r[z][y - 1], r[z][y + 1], r[z - 1][y], r[z + 1][y], w, x, e)
#define UPDATE_3D(x, ww, w, e, ee)                                                                                     \
    do {                                                                                                               \
        const float centre = POTENTIAL(2, 2, w, x, e);                                                                 \
        const float sum = POTENTIAL(2, 2, ww, w, x) + POTENTIAL(2, 2, x, e, ee) + POTENTIAL(2, 1, w, x, e) +           \
                          POTENTIAL(2, 3, w, x, e) + POTENTIAL(1, 2, w, x, e) + POTENTIAL(3, 2, w, x, e);              \
        to[x] = from[x] + h * (sum - 6 * centre);                                                                      \
    } while (0)

static void pass_3d(float *out, const float *base, const float *in, const struct hand_lattice *l, float h)
{
    const int nx = l->nx, ny = l->ny, nz = l->nz;
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++) {
            const float *r[5][5], *from = row_at(base, l, y, z);
            float *to = out + ((long)z * ny + y) * nx;
            rows_about(r, in, l, y, z);
            for (int x = 0; x < 2; x++)
                UPDATE_3D(x, (x + nx - 2) % nx, (x + nx - 1) % nx, (x + 1) % nx, (x + 2) % nx);
#pragma omp simd
            for (int x = 2; x < nx - 2; x++)
                UPDATE_3D(x, x - 2, x - 1, x + 1, x + 2);
            for (int x = nx - 2; x < nx; x++)
                UPDATE_3D(x, x - 2, x - 1, (x + 1) % nx, (x + 2) % nx);
        }
}

static void potential_pass_3d(float *mu, const float *in, const struct hand_lattice *l)
{
    const int nx = l->nx, ny = l->ny, nz = l->nz;
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++) {
            const float *row = row_at(in, l, y, z), *south = row_at(in, l, y - 1, z), *north = row_at(in, l, y + 1, z);
            const float *below = row_at(in, l, y, z - 1), *above = row_at(in, l, y, z + 1);
            float *to = mu + ((long)z * ny + y) * nx;
            to[0] = potential_3d(row, south, north, below, above, nx - 1, 0, 1);
#pragma omp simd
            for (int x = 1; x < nx - 1; x++)
                to[x] = potential_3d(row, south, north, below, above, x - 1, x, x + 1);
            to[nx - 1] = potential_3d(row, south, north, below, above, nx - 2, nx - 1, 0);
        }
}

static void update_pass_3d(float *out, const float *base, const float *mu, const struct hand_lattice *l, float h)
{
    const int nx = l->nx, ny = l->ny, nz = l->nz;
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++) {
            const float *row = row_at(mu, l, y, z), *south = row_at(mu, l, y - 1, z), *north = row_at(mu, l, y + 1, z);
            const float *below = row_at(mu, l, y, z - 1), *above = row_at(mu, l, y, z + 1);
            const float *from = row_at(base, l, y, z);
            float *to = out + ((long)z * ny + y) * nx;
            to[0] = from[0] + h * LAPLACIAN_3D(row, south, north, below, above, nx - 1, 0, 1);
#pragma omp simd
            for (int x = 1; x < nx - 1; x++)
                to[x] = from[x] + h * LAPLACIAN_3D(row, south, north, below, above, x - 1, x, x + 1);
            to[nx - 1] = from[nx - 1] + h * LAPLACIAN_3D(row, south, north, below, above, nx - 2, nx - 1, 0);
        }
}

/* ---- steps ---- */

void hand_two_passes(struct hand_lattice *l, float dt)
{
    if (l->nz) {
        pass_3d(l->half, l->c, l->c, l, dt / 2);
        pass_3d(l->c, l->c, l->half, l, dt);
    } else {
        pass(l->half, l->c, l->c, l->nx, l->ny, dt / 2);
        pass(l->c, l->c, l->half, l->nx, l->ny, dt);
    }
}

void hand_four_passes(struct hand_lattice *l, float dt)
{
    if (l->nz) {
        potential_pass_3d(l->mu, l->c, l);
        update_pass_3d(l->half, l->c, l->mu, l, dt / 2);
        potential_pass_3d(l->mu, l->half, l);
        update_pass_3d(l->c, l->c, l->mu, l, dt);
    } else {
        potential_pass(l->mu, l->c, l->nx, l->ny);
        update_pass(l->half, l->c, l->mu, l->nx, l->ny, dt / 2);
        potential_pass(l->mu, l->half, l->nx, l->ny);
        update_pass(l->c, l->c, l->mu, l->nx, l->ny, dt);
    }
}
/* SPDX-License-Identifier: MIT */

#include "hand-written.h"

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

void hand_copy(float *restrict to, const float *restrict from, long n)
{
#pragma omp parallel for schedule(static)
    for (long k = 0; k < n; k++)
        to[k] = from[k];
}

static inline float potential(const float *below, const float *row, const float *above, int w, int x, int e)
{
    const float v = row[x];
    return v * v * v - v - (row[w] + row[e] + below[x] + above[x] - 4 * v);
}

/* out = base + h lap(potential(in)) at one cell, its neighbours at w, ww, e and ee. */
#define UPDATE(x, ww, w, e, ee)                                                                                      \
    do {                                                                                                             \
        const float centre = potential(r1, r2, r3, w, x, e);                                                         \
        const float sum = potential(r1, r2, r3, ww, w, x) + potential(r1, r2, r3, x, e, ee) +                        \
                          potential(r0, r1, r2, w, x, e) + potential(r2, r3, r4, w, x, e);                           \
        to[x] = from[x] + h * (sum - 4 * centre);                                                                    \
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

void hand_two_passes(struct hand_lattice *l, float dt)
{
    pass(l->half, l->c, l->c, l->nx, l->ny, dt / 2);
    pass(l->c, l->c, l->half, l->nx, l->ny, dt);
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

void hand_four_passes(struct hand_lattice *l, float dt)
{
    potential_pass(l->mu, l->c, l->nx, l->ny);
    update_pass(l->half, l->c, l->mu, l->nx, l->ny, dt / 2);
    potential_pass(l->mu, l->half, l->nx, l->ny);
    update_pass(l->c, l->c, l->mu, l->nx, l->ny, dt);
}

/* Exponential time differencing: coefficients per wave vector, and steps.  Internal.
 *
 *   phi.c        functions of small matrices
 *   tableau.c    the linear part of a model, and the coefficients of a method
 *   spectral.c   steps of a part */
#ifndef MW_FIELD_SPECTRAL_H
#define MW_FIELD_SPECTRAL_H

#include "fft/fft.h"
#include "field/program/program.h"

/* ---- phi.c ---- */

/* A complex matrix of 1 x 1 or 2 x 2. */
struct mw_small {
    int n;
    double a[2][2][2]; /* row, column, part */
};
/* Return the unit matrix times a number, a + factor b, and the product. */
static inline struct mw_small mw_small_unit(int n, double number)
{
    struct mw_small unit = { .n = n };
    for (int i = 0; i < n; i++)
        unit.a[i][i][0] = number;
    return unit;
}
static inline struct mw_small mw_small_sum(const struct mw_small *a, double factor, const struct mw_small *b)
{
    struct mw_small sum = { .n = a->n };
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < a->n; j++)
            for (int part = 0; part < 2; part++)
                sum.a[i][j][part] = a->a[i][j][part] + factor * b->a[i][j][part];
    return sum;
}
static inline struct mw_small mw_small_product(const struct mw_small *a, const struct mw_small *b)
{
    struct mw_small product = { .n = a->n };
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < a->n; j++)
            for (int k = 0; k < a->n; k++) {
                const double *x = a->a[i][k], *y = b->a[k][j];
                product.a[i][j][0] += x[0] * y[0] - x[1] * y[1];
                product.a[i][j][1] += x[0] * y[1] + x[1] * y[0];
            }
    return product;
}
/* Computes phi_0(z) = exp(z) to phi_3(z), where phi_k(z) = (phi_{k-1}(z) - 1 / (k - 1)!) / z, and the same of z / 2. */
#define MW_PHIS 4
void mw_phis(const struct mw_small *z, struct mw_small *phi, struct mw_small *phi_half);

/* ---- tableau.c ---- */

#define MW_STAGES_MAX 4
/* Returns the number of evaluations of the rates per step of a spectral integrator. */
int mw_tableau_stages(enum mw_integrator integrator);
/* Returns the number of coefficients before those of stage s, which has s + 1: the first method's row, and so on. */
static inline int mw_tableau_first(int stage) { return stage * (stage + 1) / 2; }

/* Fields that a matrix couples: one field twice, or two. `parts`: 2 if a factor is complex. */
struct mw_tableau_block {
    size_t field[2];
    int parts;
    size_t first; /* of its reals in the coefficients */
};
struct mw_tableau {
    struct mw_tableau_block block[MW_MODEL_NAMES_MAX];
    size_t blocks, reals;
};
/* Finds the blocks of a model on a mesh, and computes their coefficients for the time step dt, which the caller frees.
 * Per block, stage and coefficient they have the rows of the matrix, the columns, and the parts, each as a plane of
 * fft->numbers / 2 reals.  The factor of the backward transform is included.  MW_ENOMEM, MW_ENOTSUP (a linear part is
 * not finite), MW_EINVAL (the step is too long). */
int mw_tableau_make(const struct mw_problem *problem, const struct mw_fft *fft, const double *params, double dt,
                    struct mw_tableau *tableau, void **coefficients);

/* ---- spectral.c ---- */

struct mw_part;
struct mw_spectral;
/* Makes buffers, transforms and coefficients of a time step dt, for a part that is the whole field. The
 * parameters of the field, `params`, are read again after mw_spectral_renew. Errors: MW_ENOTSUP, those of mw_fft_new
 * and mw_tableau_make. */
int mw_spectral_new(const struct mw_part *part, const double *params, double dt, struct mw_spectral **spectral);
void mw_spectral_free(struct mw_spectral *spectral);
/* Marks the coefficients as outdated, since parameters changed. */
void mw_spectral_renew(struct mw_spectral *spectral);
/* Queues time steps of a part. */
int mw_spectral_advance(struct mw_part *part, double dt, uint64_t steps);
/* Returns the bytes of device memory that exponential steps need in addition to two states; about. */
uint64_t mw_spectral_bytes(const struct mw_problem *problem, size_t state_bytes);

#endif
/* SPDX-License-Identifier: MIT */

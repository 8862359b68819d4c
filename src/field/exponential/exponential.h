/* Exponential time differencing: coefficients per wave vector.  Internal.
 *
 *   phi.c       functions of small matrices
 *   linear.c    the linear part of a model
 *   mirror.c    transforms of meshes with mirrors
 *   tableau.c   the coefficients of a method */
#ifndef MW_FIELD_EXPONENTIAL_H
#define MW_FIELD_EXPONENTIAL_H

#include "fft/fft.h"
#include "field/mirror.clh"
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

/* ---- linear.c ---- */

/* The linear part of a model, whose matrix of factors depends on the wave vector. */
struct mw_linear_part {
    struct mw_owner owner; /* frees `wave` */
    const struct mw_problem *problem;
    const struct mw_fft *fft;
    size_t fields;
    double *wave[MW_DIMS_MAX];     /* per dimension: cos and -sin of 2 pi k / n, with mirrors of pi k / n */
    bool mirrors;                  /* a dimension has mirrors: factors of odd operators belong to the rest */
    struct mw_model_linear *at[2]; /* at 0 and in a phase; NULL: none */
};
/* Makes the linear part for parameters.  MW_ENOMEM, MW_ENOTSUP (it is not finite).  Clear it in any case. */
int mw_linear_part_make(const struct mw_problem *problem, const struct mw_fft *fft, const double *params,
                        struct mw_linear_part *part);
void mw_linear_part_clear(struct mw_linear_part *part);

/* A wave vector, and memory for its matrix: re and im of row f and column g are matrix[2 (f F + g)] and the next
 * number.  Belongs to one thread. */
struct mw_wave_vector {
    struct mw_owner owner; /* frees the memory */
    const struct mw_linear_part *part;
    size_t k[MW_DIMS_MAX];
    double symbols[MW_OP_COUNT][2], (*room[2])[2];
    double *matrix, *other;
};
int mw_wave_vector_make(const struct mw_linear_part *part, struct mw_wave_vector *wave);
/* Computes the matrix of the wave vector wave->k. */
void mw_wave_vector_find_matrix(struct mw_wave_vector *wave);

/* ---- mirror.c ---- */

/* Writes MIRROR_NUMBERS numbers per dimension: see cl/field/mirror.clh. */
void mw_mirror_axes(const struct mw_problem *problem, const struct mw_fft *fft, int64_t *axes);
/* Makes memory for cosine transforms by a Fourier transform, which must outlive it; leaves *mirror as it is without
 * mirrors. */
struct mw_mirror;
int mw_mirror_new(const struct mw_problem *problem, const struct mw_fft *fft, struct mw_mirror **mirror);
void mw_mirror_free(struct mw_mirror *mirror);
/* Queue the transforms of `array`, which keeps its numbers, to spectra from `first` on; and to = state + the array of
 * `spectra`, which are lost.  `set`: the kernels of spectral.cl. */
int mw_mirror_forward(struct mw_mirror *mirror, struct mw_fft *fft, const struct mw_kernel_set *set,
                      struct mw_buffer *array, struct mw_buffer *spectra, size_t first);
int mw_mirror_add(struct mw_mirror *mirror, struct mw_fft *fft, const struct mw_kernel_set *set,
                  struct mw_buffer *spectra, struct mw_buffer *state, struct mw_buffer *to);

/* ---- tableau.c ---- */

#define MW_STAGES_MAX 4
/* Returns the number of stages per step of a spectral integrator.  Each evaluates the rates; the first one of Strang's
 * splitting takes the state instead. */
int mw_tableau_stages(enum mw_integrator integrator);
/* Returns the number of coefficients before those of stage s, which has s + 1: the first method's row, and so on. */
static inline int mw_tableau_first(int stage) { return stage * (stage + 1) / 2; }

/* Fields that a matrix couples: one field twice, or two. `kind`: FACTOR_REAL, FACTOR_COMPLEX or, if the last dimension
 * has mirrors, FACTOR_APART. */
struct mw_tableau_block {
    size_t field[2];
    int kind;
    size_t first; /* index of its reals in the coefficients */
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

#endif
/* SPDX-License-Identifier: MIT */

/* The linear part of a model, per wave vector, and the coefficients of exponential time differencing.
 *
 * The linear part L is the derivative of the rates at the state 0, or at the means if it is not finite there.  A model
 * of one field with an energy that is lowest in another uniform state has its phases there.  L then is the mean of both
 * derivatives with the weights 1/3 and 2/3.  With a quartic energy, long waves of L decay at half the rate of the
 * phases.  The rest is no stiffer than L in a phase, as Eyre's method requires (MRS Proc. 529 (1998) 39).
 *
 * The methods are those of Cox and Matthews, J. Comput. Phys. 176 (2002) 430: ETD2RK and ETDRK4, for rates
 * r(u) = L u + N(u).  N is not evaluated.  With a = u + Q r(u) and Q = (exp(h L) - 1) / L, for example, exp(h L) u + Q
 * N(u) is the same.  So each stage is u plus a sum of rates r_i with coefficients. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/evolve/spectral.h"

#define PHASE_WEIGHT (2.0 / 3)
/* Uniform states that are searched for the lowest energy. */
#define SEARCH_MOST 4.0
#define SEARCH_STEP (1.0 / 64)
#define SEARCH_HALVINGS 50

int mw_tableau_stages(enum mw_integrator integrator) { return integrator == MW_INTEGRATOR_ETD4 ? 4 : 2; }

/* ---- the linear part ---- */

struct linear_part {
    const struct mw_problem *problem;
    const struct mw_fft *fft;
    size_t fields;
    double *wave[MW_DIMS_MAX];      /* per dimension: cos and -sin of 2 pi k / n */
    struct mw_model_linear *at[2];  /* at 0 and in a phase; NULL: none */
    double *matrix, *other;         /* J of a wave vector; room for a second one */
    double symbols[MW_OP_COUNT][2]; /* of a wave vector */
    size_t k[MW_DIMS_MAX];
};

static void linear_part_clear(struct linear_part *l)
{
    for (int d = 0; d < MW_DIMS_MAX; d++)
        free(l->wave[d]);
    for (int i = 0; i < 2; i++)
        mw_model_linear_free(l->at[i]);
    free(l->matrix);
    free(l->other);
}

/* Computes the Laplacian's symbol from cosines c and the distances of cells. */
static double laplacian(const struct mw_problem *p, const double *c, const double *curve, unsigned dims)
{
    double sum = 0, diagonal = 0, nearest = 0;
    for (unsigned d = 0; d < dims; d++) {
        const double twice = 2 * c[d] * c[d] - 1;
        nearest += 2 * c[d];
        for (unsigned e = 0; e < d; e++)
            diagonal += 4 * c[d] * c[e];
        sum += curve[d] * (p->laplacian == MW_LAPLACIAN_FOURTH ? 8.0 / 3 * c[d] - twice / 6 - 2.5 : 2 * c[d] - 2);
    }
    if (p->laplacian != MW_LAPLACIAN_ISOTROPIC)
        return sum;
    return curve[0] / 6 * (dims == 2 ? 4 * nearest + diagonal - 20 : 2 * nearest + diagonal - 24);
}

static void set_symbol(struct linear_part *l, int what, double re, double im)
{
    l->symbols[what][0] = re;
    l->symbols[what][1] = im;
}

/* Computes the symbols of the wave vector l->k. */
static void find_symbols(struct linear_part *l)
{
    const struct mw_problem *p = l->problem;
    double c[MW_DIMS_MAX], s[3] = { 0 }, slope[MW_DIMS_MAX] = { 0 }, curve[MW_DIMS_MAX], flux = 0, mean = 0,
                           differences = 0;
    for (unsigned d = 0; d < p->dims; d++) {
        slope[d] = p->spacing ? 1 / p->spacing[d] : 1;
        curve[d] = slope[d] * slope[d];
        c[d] = l->wave[d][2 * l->k[d]];
        flux += curve[d] * (2 * c[d] - 2);
        differences += slope[d] * (2 * c[d] - 2);
        mean += c[d] / p->dims;
    }
    const double lap = laplacian(p, c, curve, p->dims);
    set_symbol(l, MW_OP_AT, 1, 0);
    set_symbol(l, MW_OP_LAP, lap, 0);
    set_symbol(l, MW_OP_BIHARM, lap * lap, 0);
    set_symbol(l, MW_OP_AVG, mean, 0);
    set_symbol(l, MW_OP_DIV_GRAD, flux, 0);
    set_symbol(l, MW_OP_DIFFERENCES, differences, 0);
    for (unsigned d = 0; d < 3 && d < p->dims; d++) {
        s[d] = -l->wave[d][2 * l->k[d] + 1];
        set_symbol(l, MW_OP_GRAD_X + (int)d, 0, slope[d] * s[d]);
        set_symbol(l, MW_OP_D_XX + (int)d, curve[d] * (2 * c[d] - 2), 0);
        set_symbol(l, MW_OP_LOW_X + (int)d, slope[d] * (1 - c[d]), slope[d] * s[d]);
        set_symbol(l, MW_OP_HIGH_X + (int)d, slope[d] * (c[d] - 1), slope[d] * s[d]);
    }
    set_symbol(l, MW_OP_D_XY, -slope[0] * slope[1] * s[0] * s[1], 0);
    set_symbol(l, MW_OP_D_XZ, -slope[0] * slope[2] * s[0] * s[2], 0);
    set_symbol(l, MW_OP_D_YZ, -slope[1] * slope[2] * s[1] * s[2], 0);
}

/* Computes the matrix of the wave vector l->k. */
static void find_matrix(struct linear_part *l)
{
    find_symbols(l);
    mw_model_linear_at(l->at[0], l->symbols, l->matrix);
    if (!l->at[1])
        return;
    mw_model_linear_at(l->at[1], l->symbols, l->other);
    for (size_t i = 0; i < 2 * l->fields * l->fields; i++)
        l->matrix[i] = (1 - PHASE_WEIGHT) * l->matrix[i] + PHASE_WEIGHT * l->other[i];
}

/* Advances to the next wave vector of the half spectrum; returns false after the last one. */
static bool next_wave(struct linear_part *l)
{
    const struct mw_fft *f = l->fft;
    for (unsigned d = 0; d < f->dims; d++) {
        if (++l->k[d] < (d + 1 == f->dims ? f->length[d] / 2 + 1 : f->length[d]))
            return true;
        l->k[d] = 0;
    }
    return false;
}

/* Returns whether matrices are finite: only factors that are the same for all waves may not be. */
static bool is_finite(struct linear_part *l)
{
    bool finite = true;
    for (unsigned d = 0; d < l->fft->dims; d++)
        l->k[d] = l->fft->length[d] / 3;
    find_matrix(l);
    for (size_t i = 0; i < 2 * l->fields * l->fields; i++)
        finite = finite && isfinite(l->matrix[i]);
    memset(l->k, 0, sizeof l->k);
    return finite;
}

/* ---- phases ---- */

static int energy_of(const struct linear_part *l, const double *params, double state, double *energy)
{
    struct mw_model_linear *at;
    TRY_RETURN(mw_model_linear_new(l->problem->model, params, l->problem->dims, &state, &at));
    *energy = mw_model_linear_energy(at);
    mw_model_linear_free(at);
    return 0;
}

/* Finds the uniform state of a field with the lowest energy, unless it is near `from` or at an end of the search. */
static int find_phase(const struct linear_part *l, const double *params, double from, double *state, bool *found)
{
    double energy, lowest, step = SEARCH_STEP, best = from;
    *found = false;
    if (l->fields != 1)
        return 0;
    TRY_RETURN(energy_of(l, params, from, &lowest));
    for (double u = -SEARCH_MOST; u <= SEARCH_MOST; u += SEARCH_STEP) {
        TRY_RETURN(energy_of(l, params, u, &energy));
        if (energy < lowest) {
            lowest = energy;
            best = u;
        }
    }
    *found = fabs(best - from) > SEARCH_STEP && fabs(best) < SEARCH_MOST;
    for (int i = 0; i < SEARCH_HALVINGS && *found; i++) {
        double moved = best;
        step *= 0.5;
        for (int side = -1; side <= 1; side += 2) {
            TRY_RETURN(energy_of(l, params, best + side * step, &energy));
            if (energy < lowest) {
                lowest = energy;
                moved = best + side * step;
            }
        }
        best = moved;
    }
    *state = best;
    return 0;
}

/* Prepares the linear part. */
static int linear_part_make(struct linear_part *l, const double *params)
{
    const struct mw_model *m = l->problem->model;
    double state[MW_MODEL_NAMES_MAX] = { 0 };
    double phase;
    bool found = false;
    l->fields = m->info.field_count;
    TRY_RETURN(mw_new(2 * l->fields * l->fields, sizeof(double), &l->matrix));
    TRY_RETURN(mw_new(2 * l->fields * l->fields, sizeof(double), &l->other));
    for (unsigned d = 0; d < l->fft->dims; d++) {
        TRY_RETURN(mw_new(2 * l->fft->length[d], sizeof(double), &l->wave[d]));
        mw_fft_twiddles(l->fft->length[d], l->wave[d]);
    }
    TRY_RETURN(mw_model_linear_new(m, params, l->problem->dims, state, &l->at[0]));
    if (!is_finite(l)) {
        for (size_t f = 0; f < l->fields; f++)
            state[f] = m->info.fields[f].mean;
        mw_model_linear_free(l->at[0]);
        l->at[0] = NULL;
        TRY_RETURN(mw_model_linear_new(m, params, l->problem->dims, state, &l->at[0]));
        if (!is_finite(l))
            return mw_fail(MW_ENOTSUP, "model %s has no finite linear part: choose integrator rk2", m->info.name);
    }
    TRY_RETURN(find_phase(l, params, state[0], &phase, &found));
    if (found)
        TRY_RETURN(mw_model_linear_new(m, params, l->problem->dims, &phase, &l->at[1]));
    if (found && !is_finite(l)) {
        mw_model_linear_free(l->at[1]);
        l->at[1] = NULL;
    }
    return 0;
}

/* ---- blocks ---- */

/* Advances to the next sample of wave vectors, in which no symbol of an operator is 0 for all; returns false after the
 * last one. */
static bool next_sample(struct linear_part *l)
{
    for (unsigned d = 0; d < l->fft->dims; d++) {
        const size_t n = l->fft->length[d], samples[] = { 0, 1, n / 3, n / 2 };
        for (size_t i = 0; i < MW_COUNT(samples); i++)
            if (samples[i] > l->k[d] && samples[i] < n) {
                l->k[d] = samples[i];
                return true;
            }
        l->k[d] = 0;
    }
    return false;
}

/* Finds the pairs of fields that the linear part couples, and the blocks with complex numbers. */
static int find_blocks(struct linear_part *l, struct mw_tableau *t)
{
    const size_t n = l->fields;
    bool *coupled = NULL, *complex = NULL, used[MW_MODEL_NAMES_MAX] = { false };
    int rc;
    TRY(mw_new(n * n, sizeof *coupled, &coupled));
    TRY(mw_new(n * n, sizeof *complex, &complex));
    do {
        find_matrix(l);
        for (size_t i = 0; i < n * n; i++) {
            coupled[i] = coupled[i] || l->matrix[2 * i] != 0 || l->matrix[2 * i + 1] != 0;
            complex[i] = complex[i] || l->matrix[2 * i + 1] != 0;
        }
    } while (next_sample(l));
    for (size_t f = 0; f < n; f++) {
        struct mw_tableau_block *b = &t->block[t->blocks];
        size_t g = f + 1;
        if (used[f])
            continue;
        while (g < n && (used[g] || !(coupled[f * n + g] || coupled[g * n + f])))
            g++;
        *b = (struct mw_tableau_block){ .field = { f, g < n ? g : f } };
        g = b->field[1];
        used[f] = used[g] = true;
        b->parts = complex[f * n + f] || complex[f * n + g] || complex[g * n + f] || complex[g * n + g] ? 2 : 1;
        t->blocks++;
    }
out:
    free(coupled);
    free(complex);
    return rc;
}

/* ---- coefficients ---- */

/* Returns h times c[0] phi_1 + c[1] phi_2 + c[2] phi_3. */
static struct mw_small combine(double h, const struct mw_small *phi, const double *c)
{
    struct mw_small sum = mw_small_unit(phi[0].n, 0);
    for (int i = 0; i < 3; i++)
        sum = mw_small_sum(&sum, h * c[i], &phi[i + 1]);
    return sum;
}

static void etd2_coefficients(double h, const struct mw_small *phi, struct mw_small *c)
{
    const struct mw_small late = mw_small_product(&phi[2], &phi[0]), zero = mw_small_unit(phi[0].n, 0);
    struct mw_small early = mw_small_sum(&phi[1], -1, &late);
    c[0] = mw_small_sum(&zero, h, &phi[1]);
    c[1] = mw_small_sum(&zero, h, &early);
    c[2] = mw_small_sum(&zero, h, &phi[2]);
}

/* With e = exp(z / 2) - 1 = L Q. */
static void etd4_coefficients(double h, const struct mw_small *z, const struct mw_small *phi,
                              const struct mw_small *half, struct mw_small *c)
{
    const struct mw_small zero = mw_small_unit(z->n, 0), one = mw_small_unit(z->n, 1);
    const struct mw_small q = mw_small_sum(&zero, h / 2, &half[1]), ze = mw_small_product(z, &half[1]);
    const struct mw_small e = mw_small_sum(&zero, 0.5, &ze), ee = mw_small_product(&e, &e);
    const struct mw_small eq = mw_small_product(&e, &q), rest = mw_small_sum(&one, -1, &e);
    const struct mw_small more = mw_small_sum(&one, 2, &e); /* 1 + 2 e */
    const struct mw_small f1 = combine(h, phi, (double[]){ 1, -3, 4 });
    const struct mw_small f2 = combine(h, phi, (double[]){ 0, 2, -4 }); /* twice that of the paper */
    const struct mw_small f3 = combine(h, phi, (double[]){ 0, -1, 4 });
    const struct mw_small f2_rest = mw_small_product(&f2, &rest), f3_ee = mw_small_product(&f3, &ee);
    const struct mw_small f2_e = mw_small_product(&f2_rest, &e), f3_more = mw_small_product(&f3_ee, &more);
    const struct mw_small f3_e = mw_small_product(&f3, &e);
    c[0] = q;
    c[1] = mw_small_sum(&zero, -1, &eq);
    c[2] = q;
    c[3] = mw_small_product(&eq, &more);
    c[4] = mw_small_sum(&zero, -2, &eq);
    c[5] = mw_small_sum(&zero, 2, &q);
    c[6] = mw_small_sum(&f1, -1, &f2_e);
    c[6] = mw_small_sum(&c[6], -1, &f3_more);
    c[7] = mw_small_sum(&f2_rest, 2, &f3_ee);
    c[8] = mw_small_sum(&f2, -2, &f3_e);
    c[9] = f3;
}

static void store_number(bool fp64, void *to, size_t at, double number)
{
    if (fp64)
        ((double *)to)[at] = number;
    else
        ((float *)to)[at] = (float)number;
}

/* Returns the place of a wave vector's first number of a block; those of other coefficients follow a plane apart. */
static size_t place_of(const struct linear_part *l, const struct mw_tableau_block *b, const size_t *k)
{
    const size_t at = mw_fft_at(l->fft, k), row = 2 * l->fft->row;
    return b->first + at / row * l->fft->row + at % row;
}

/* Finds the wave vector with the same cosines that comes first; returns false if it is l->k itself. */
static bool find_image(const struct linear_part *l, size_t *image)
{
    bool other = false;
    memcpy(image, l->k, sizeof l->k);
    for (unsigned d = 0; d + 1 < l->fft->dims; d++)
        if (image[d] > l->fft->length[d] / 2) {
            image[d] = l->fft->length[d] - image[d];
            other = true;
        }
    return other;
}

/* Copies the coefficients of a block from another wave vector. */
static void copy_block(const struct linear_part *l, const struct mw_tableau_block *b, const size_t *image,
                       void *numbers)
{
    const int square = b->field[0] == b->field[1] ? 1 : 4;
    const int count = mw_tableau_first(mw_tableau_stages(l->problem->integrator)) * square * b->parts;
    const size_t plane = l->fft->numbers / 2, real = mw_problem_real_bytes(l->problem);
    const size_t from = place_of(l, b, image), to = place_of(l, b, l->k);
    for (size_t i = 0; i < (size_t)count; i++)
        memcpy((char *)numbers + (to + i * plane) * real, (char *)numbers + (from + i * plane) * real, real);
}

/* Stores the coefficients of a block for the wave vector l->k, whose matrix is known. */
static bool store_block(const struct linear_part *l, const struct mw_tableau_block *b, double dt, void *to)
{
    const int n = b->field[0] == b->field[1] ? 1 : 2, stages = mw_tableau_stages(l->problem->integrator);
    const size_t plane = l->fft->numbers / 2;
    struct mw_small z = { .n = n }, phi[MW_PHIS], half[MW_PHIS], c[MW_STAGES_MAX * (MW_STAGES_MAX + 1) / 2];
    size_t place = place_of(l, b, l->k);
    bool finite = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int part = 0; part < b->parts; part++)
                z.a[i][j][part] = dt * l->matrix[2 * (b->field[i] * l->fields + b->field[j]) + (size_t)part];
    mw_phis(&z, phi, half);
    if (stages == 2)
        etd2_coefficients(dt, phi, c);
    else
        etd4_coefficients(dt, &z, phi, half, c);
    for (int s = 0; s < mw_tableau_first(stages); s++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int part = 0; part < b->parts; part++, place += plane) {
                    store_number(l->problem->fp64, to, place, c[s].a[i][j][part] / (double)l->fft->cells);
                    finite = finite && isfinite(c[s].a[i][j][part]);
                }
    return finite;
}

int mw_tableau_make(const struct mw_problem *problem, const struct mw_fft *fft, const double *params, double dt,
                    struct mw_tableau *tableau, void **coefficients)
{
    struct linear_part l = { .problem = problem, .fft = fft };
    struct mw_tableau t = { .blocks = 0 };
    const size_t each = (size_t)mw_tableau_first(mw_tableau_stages(problem->integrator)) * fft->numbers / 2;
    const bool even = !mw_model_is_odd(problem->model);
    size_t image[MW_DIMS_MAX];
    void *numbers = NULL;
    bool finite = true;
    int rc;
    TRY(linear_part_make(&l, params));
    TRY(find_blocks(&l, &t));
    for (size_t b = 0; b < t.blocks; b++) {
        const size_t square = t.block[b].field[0] == t.block[b].field[1] ? 1 : 4;
        t.block[b].first = t.reals;
        t.reals += each * square * (size_t)t.block[b].parts;
    }
    TRY(mw_new(t.reals, mw_problem_real_bytes(problem), &numbers));
    do {
        const bool known = even && find_image(&l, image);
        if (!known)
            find_matrix(&l);
        for (size_t b = 0; b < t.blocks; b++)
            if (known)
                copy_block(&l, &t.block[b], image, numbers);
            else
                finite = store_block(&l, &t.block[b], dt, numbers) && finite;
    } while (next_wave(&l));
    if (!finite) {
        rc = mw_fail(MW_EINVAL, "time step %g is too long: linear waves of model %s grow beyond all numbers", dt,
                     problem->model->info.name);
        goto out;
    }
    *tableau = t;
    *coefficients = numbers;
    numbers = NULL;
out:
    linear_part_clear(&l);
    free(numbers);
    return rc;
}
/* SPDX-License-Identifier: MIT */

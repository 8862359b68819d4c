/* The linear part of a model's rates, per wave vector.
 *
 * The linear part L is the derivative of the rates at the state 0, or at the means if it is not finite there.  A model
 * of one field with an energy that is lowest in another uniform state has its phases there.  L then is the mean of both
 * derivatives with the weights 1/3 and 2/3.  With a quartic energy, long waves of L decay at half the rate of the
 * phases.  The rest is no stiffer than L in a phase, as Eyre's method requires (MRS Proc. 529 (1998) 39). */
#include <math.h>

#include "field/exponential/exponential.h"

#define PHASE_WEIGHT (2.0 / 3)
/* Uniform states that are searched for the lowest energy. */
#define SEARCH_MOST 4.0
#define SEARCH_STEP (1.0 / 64)
#define SEARCH_HALVINGS 50

void mw_linear_part_clear(struct mw_linear_part *l)
{
    mw_owner_drop(&l->owner);
    for (int i = 0; i < 2; i++)
        mw_model_linear_free(l->at[i]);
}

/* ---- wave vectors ---- */

int mw_wave_vector_make(const struct mw_linear_part *l, struct mw_wave_vector *w)
{
    *w = (struct mw_wave_vector){ .part = l };
    TRY_RETURN(mw_own_new(&w->owner, 2 * l->fields * l->fields, sizeof(double), &w->matrix));
    TRY_RETURN(mw_own_new(&w->owner, 2 * l->fields * l->fields, sizeof(double), &w->other));
    for (int i = 0; i < 2 && l->at[i]; i++)
        TRY_RETURN(mw_own_new(&w->owner, mw_model_linear_room(l->at[i]), sizeof *w->room[i], &w->room[i]));
    return 0;
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

static void set_symbol(struct mw_wave_vector *w, int what, double re, double im)
{
    w->symbols[what][0] = re;
    w->symbols[what][1] = im;
}

/* Computes the symbols of the wave vector w->k. */
static void find_symbols(struct mw_wave_vector *w)
{
    const struct mw_linear_part *l = w->part;
    const struct mw_problem *p = l->problem;
    double c[MW_DIMS_MAX], s[3] = { 0 }, slope[MW_DIMS_MAX] = { 0 }, curve[MW_DIMS_MAX], flux = 0, mean = 0,
                           differences = 0;
    for (unsigned d = 0; d < p->dims; d++) {
        slope[d] = p->spacing ? 1 / p->spacing[d] : 1;
        curve[d] = slope[d] * slope[d];
        c[d] = l->wave[d][2 * w->k[d]];
        flux += curve[d] * (2 * c[d] - 2);
        differences += slope[d] * (2 * c[d] - 2);
        mean += c[d] / p->dims;
    }
    const double lap = laplacian(p, c, curve, p->dims);
    set_symbol(w, MW_OP_AT, 1, 0);
    set_symbol(w, MW_OP_LAP, lap, 0);
    set_symbol(w, MW_OP_BIHARM, lap * lap, 0);
    set_symbol(w, MW_OP_AVG, mean, 0);
    set_symbol(w, MW_OP_DIV_GRAD, flux, 0);
    set_symbol(w, MW_OP_DIFFERENCES, differences, 0);
    for (unsigned d = 0; d < 3 && d < p->dims; d++) {
        s[d] = l->mirrors ? 0 : -l->wave[d][2 * w->k[d] + 1];
        set_symbol(w, MW_OP_GRAD_X + (int)d, 0, slope[d] * s[d]);
        set_symbol(w, MW_OP_D_XX + (int)d, curve[d] * (2 * c[d] - 2), 0);
        set_symbol(w, MW_OP_LOW_X + (int)d, slope[d] * (1 - c[d]), slope[d] * s[d]);
        set_symbol(w, MW_OP_HIGH_X + (int)d, slope[d] * (c[d] - 1), slope[d] * s[d]);
    }
    set_symbol(w, MW_OP_D_XY, -slope[0] * slope[1] * s[0] * s[1], 0);
    set_symbol(w, MW_OP_D_XZ, -slope[0] * slope[2] * s[0] * s[2], 0);
    set_symbol(w, MW_OP_D_YZ, -slope[1] * slope[2] * s[1] * s[2], 0);
}

void mw_wave_vector_find_matrix(struct mw_wave_vector *w)
{
    const struct mw_linear_part *l = w->part;
    find_symbols(w);
    mw_model_linear_at(l->at[0], w->symbols, w->room[0], w->matrix);
    if (!l->at[1])
        return;
    mw_model_linear_at(l->at[1], w->symbols, w->room[1], w->other);
    for (size_t i = 0; i < 2 * l->fields * l->fields; i++)
        w->matrix[i] = (1 - PHASE_WEIGHT) * w->matrix[i] + PHASE_WEIGHT * w->other[i];
}

/* Finds whether matrices are finite: only factors that are the same for all waves may not be. */
static int check_finite(const struct mw_linear_part *l, bool *finite)
{
    struct mw_wave_vector w;
    int rc;
    TRY(mw_wave_vector_make(l, &w));
    *finite = true;
    for (unsigned d = 0; d < l->fft->dims; d++)
        w.k[d] = l->fft->length[d] / 3;
    mw_wave_vector_find_matrix(&w);
    for (size_t i = 0; i < 2 * l->fields * l->fields; i++)
        *finite = *finite && isfinite(w.matrix[i]);
out:
    mw_owner_drop(&w.owner);
    return rc;
}

/* ---- phases ---- */

/* Makes the linear part of the model at a uniform state. */
static int linear_new(const struct mw_linear_part *l, const double *params, const double *state,
                      struct mw_model_linear **at)
{
    double spacing[MW_DIMS_MAX];
    const struct mw_model_row row = {
        .dims = l->problem->dims, .length = l->fft->length, .spacing = spacing, .params = params
    };
    for (unsigned d = 0; d < row.dims; d++)
        spacing[d] = l->problem->spacing ? l->problem->spacing[d] : 1;
    return mw_model_linear_new(l->problem->model, &row, state, at);
}

static int energy_of(const struct mw_linear_part *l, const double *params, double state, double *energy)
{
    struct mw_model_linear *at;
    TRY_RETURN(linear_new(l, params, &state, &at));
    *energy = mw_model_linear_energy(at);
    mw_model_linear_free(at);
    return 0;
}

/* Finds the uniform state of a field with the lowest energy, unless it is near `from` or at an end of the search. */
static int find_phase(const struct mw_linear_part *l, const double *params, double from, double *state, bool *found)
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

/* Computes the linear part at a uniform state. */
static int linear_at(struct mw_linear_part *l, const double *params, const double *state, int which, bool *finite)
{
    TRY_RETURN(linear_new(l, params, state, &l->at[which]));
    TRY_RETURN(check_finite(l, finite));
    if (*finite)
        return 0;
    mw_model_linear_free(l->at[which]);
    l->at[which] = NULL;
    return 0;
}

int mw_linear_part_make(const struct mw_problem *problem, const struct mw_fft *fft, const double *params,
                        struct mw_linear_part *l)
{
    const struct mw_model *m = problem->model;
    double state[MW_MODEL_NAMES_MAX] = { 0 };
    double phase;
    bool found = false, finite;
    *l = (struct mw_linear_part){ .problem = problem, .fft = fft, .fields = m->info.field_count };
    l->mirrors = mw_problem_count(problem, MW_BOUNDARY_MIRROR);
    for (unsigned d = 0; d < fft->dims; d++) {
        const size_t n = fft->length[d] * (problem->boundary[d] == MW_BOUNDARY_MIRROR ? 2 : 1);
        TRY_RETURN(mw_own_new(&l->owner, 2 * n, sizeof(double), &l->wave[d]));
        mw_fft_twiddles(n, l->wave[d]);
    }
    TRY_RETURN(linear_at(l, params, state, 0, &finite));
    if (!finite) {
        for (size_t f = 0; f < l->fields; f++)
            state[f] = m->info.fields[f].mean;
        TRY_RETURN(linear_at(l, params, state, 0, &finite));
        if (!finite)
            return mw_fail(MW_ENOTSUP, "model %s has no finite linear part: choose integrator rk2", m->info.name);
    }
    TRY_RETURN(find_phase(l, params, state[0], &phase, &found));
    return found ? linear_at(l, params, &phase, 1, &finite) : 0;
}
/* SPDX-License-Identifier: MIT */

/* The coefficients of exponential time differencing.
 *
 * The methods are those of Cox and Matthews, J. Comput. Phys. 176 (2002) 430: ETD2RK and ETDRK4, for rates
 * r(u) = L u + N(u).  N is not evaluated.  With a = u + Q r(u) and Q = (exp(h L) - 1) / L, for example, exp(h L) u + Q
 * N(u) is the same.  So each stage is u plus a sum of rates r_i with coefficients.
 *
 * Strang's splitting with P = exp(h L / 2) has the stages a = P u, b = a + h/2 N(a) and P (a + h N(b)).  They are sums
 * of u, r(a) and r(b).  All coefficients are bounded, and the last factor P damps errors of rounding.  Half steps of
 * the rest around a whole step of L would need twice the rates, and have coefficients that grow with (h L)^2. */
#include <math.h>
#include <stdatomic.h>

#include "dev/native/executor.h"
#include "field/exponential/exponential.h"

#define CELLS_ALONE ((size_t)1 << 14) /* fewer cells take less time than starting threads */

int mw_tableau_stages(enum mw_integrator integrator)
{
    return integrator == MW_INTEGRATOR_ETD2 ? 2 : integrator == MW_INTEGRATOR_ETD4 ? 4 : 3;
}

/* ---- blocks ---- */

/* Advances to the next sample of wave vectors, in which no symbol of an operator is 0 for all; returns false after the
 * last one. */
static bool next_sample(struct mw_wave_vector *w)
{
    const struct mw_fft *fft = w->part->fft;
    for (unsigned d = 0; d < fft->dims; d++) {
        const size_t n = fft->length[d], samples[] = { 0, 1, n / 3, n / 2 };
        for (size_t i = 0; i < MW_COUNT(samples); i++)
            if (samples[i] > w->k[d] && samples[i] < n) {
                w->k[d] = samples[i];
                return true;
            }
        w->k[d] = 0;
    }
    return false;
}

/* Finds the pairs of fields that the linear part couples, and the blocks with complex numbers. */
static int find_blocks(const struct mw_linear_part *l, struct mw_tableau *t)
{
    const struct mw_problem *p = l->problem;
    const size_t n = l->fields;
    struct mw_wave_vector w;
    bool *coupled = NULL, *complex = NULL, used[MW_MODEL_NAMES_MAX] = { false };
    int rc;
    TRY(mw_wave_vector_make(l, &w));
    TRY(mw_new(n * n, sizeof *coupled, &coupled));
    TRY(mw_new(n * n, sizeof *complex, &complex));
    do {
        mw_wave_vector_find_matrix(&w);
        for (size_t i = 0; i < n * n; i++) {
            coupled[i] = coupled[i] || w.matrix[2 * i] != 0 || w.matrix[2 * i + 1] != 0;
            complex[i] = complex[i] || w.matrix[2 * i + 1] != 0;
        }
    } while (next_sample(&w));
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
        b->kind = complex[f * n + f] || complex[f * n + g] || complex[g * n + f] || complex[g * n + g] ? FACTOR_COMPLEX
                  : p->boundary[p->dims - 1] == MW_BOUNDARY_MIRROR                                     ? FACTOR_APART
                                                                                                       : FACTOR_REAL;
        t->blocks++;
    }
out:
    mw_owner_drop(&w.owner);
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

static void strang_coefficients(double h, const struct mw_small *z, const struct mw_small *phi,
                                const struct mw_small *half, struct mw_small *c)
{
    const struct mw_small zero = mw_small_unit(z->n, 0), zp = mw_small_product(z, &half[0]);
    const struct mw_small z1 = mw_small_product(z, &half[1]), z2 = mw_small_product(z, &phi[1]);
    const struct mw_small ze = mw_small_product(z, &phi[0]), zze = mw_small_product(z, &ze);
    c[0] = mw_small_sum(&zero, 0.5, &z1); /* P - 1 */
    c[1] = mw_small_sum(&c[0], -0.5, &zp);
    c[2] = mw_small_unit(z->n, h / 2);
    c[3] = mw_small_sum(&z2, -1, &ze);
    c[3] = mw_small_sum(&c[3], 0.5, &zze);
    c[4] = mw_small_sum(&zero, -h / 2, &zp);
    c[5] = mw_small_sum(&zero, h, &half[0]);
}

/* ---- rows of wave vectors, which threads share ---- */

/* What threads need, and their own wave vectors.  Wave vectors with equal cosines have equal coefficients if the model
 * is even. */
struct making {
    const struct mw_linear_part *l;
    const struct mw_tableau *t;
    double dt;
    bool even;
    int64_t axes[MIRROR_NUMBERS * MW_DIMS_MAX];
    void *numbers;
    struct mw_wave_vector *wave; /* per thread */
    atomic_bool infinite;
};

static void store_number(const struct making *m, size_t at, double number)
{
    if (m->l->problem->fp64)
        ((double *)m->numbers)[at] = number;
    else
        ((float *)m->numbers)[at] = (float)number;
}

/* Returns the planes of a block. */
static size_t planes(const struct making *m, const struct mw_tableau_block *b)
{
    const size_t square = b->field[0] == b->field[1] ? 1 : 4;
    return (size_t)mw_tableau_first(mw_tableau_stages(m->l->problem->integrator)) * square * FACTOR_PLANES(b->kind);
}

/* Returns the place of a wave vector's first number of a block; those of other coefficients follow a plane apart. */
static size_t place_of(const struct mw_fft *f, const struct mw_tableau_block *b, const size_t *k)
{
    const size_t at = mw_fft_at(f, k), row = 2 * f->row;
    return b->first + at / row * f->row + at % row;
}

/* Stores the coefficients of a block at the place of k, from the matrix of a wave vector.  `apart`: the part of factors
 * of FACTOR_APART; else 0. */
static bool store_block(const struct making *m, const struct mw_tableau_block *b, const struct mw_wave_vector *w,
                        const size_t *k, int apart)
{
    const struct mw_linear_part *l = m->l;
    const int n = b->field[0] == b->field[1] ? 1 : 2, stages = mw_tableau_stages(l->problem->integrator);
    const size_t plane = l->fft->numbers / 2;
    struct mw_small z = { .n = n }, phi[MW_PHIS], half[MW_PHIS], c[MW_STAGES_MAX * (MW_STAGES_MAX + 1) / 2];
    const int parts = b->kind == FACTOR_COMPLEX ? 2 : 1;
    const size_t step = (size_t)(FACTOR_PLANES(b->kind) / parts) * plane;
    size_t place = place_of(l->fft, b, k) + (size_t)apart * plane;
    bool finite = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int part = 0; part < parts; part++)
                z.a[i][j][part] = m->dt * w->matrix[2 * (b->field[i] * l->fields + b->field[j]) + (size_t)part];
    mw_phis(&z, phi, half);
    if (stages == 2)
        etd2_coefficients(m->dt, phi, c);
    else if (stages == 4)
        etd4_coefficients(m->dt, &z, phi, half, c);
    else
        strang_coefficients(m->dt, &z, phi, half, c);
    for (int s = 0; s < mw_tableau_first(stages); s++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int part = 0; part < parts; part++, place += step) {
                    store_number(m, place, c[s].a[i][j][part] / (double)l->fft->cells);
                    finite = finite && isfinite(c[s].a[i][j][part]);
                }
    return finite;
}

/* Copies `count` numbers per plane of a block from the places of one wave vector on to the places of another. */
static void copy_block(const struct making *m, const struct mw_tableau_block *b, const size_t *from, const size_t *to,
                       size_t count)
{
    const struct mw_fft *f = m->l->fft;
    const size_t real = mw_problem_real_bytes(m->l->problem), plane = f->numbers / 2 * real;
    char *source = (char *)m->numbers + place_of(f, b, from) * real;
    char *target = (char *)m->numbers + place_of(f, b, to) * real;
    for (size_t i = planes(m, b); i > 0; i--, source += plane, target += plane)
        memcpy(target, source, count * real);
}

/* Advances to the next wave vector with the same k_0, in the order of memory; returns false after the last one. */
static bool next_of_row(const struct mw_fft *f, size_t *k)
{
    for (unsigned d = 1; d < f->dims; d++) {
        if (++k[d] < (d + 1 == f->dims ? f->length[d] / 2 + 1 : f->length[d]))
            return true;
        k[d] = 0;
    }
    return false;
}

/* Finds the wave vector of the same row with the same cosines that comes first; returns false if it is k itself. */
static bool find_image(const struct mw_fft *f, const size_t *k, size_t *image)
{
    bool other = false;
    memcpy(image, k, f->dims * sizeof *k);
    for (unsigned d = 1; d + 1 < f->dims; d++)
        if (image[d] > f->length[d] / 2) {
            image[d] = f->length[d] - image[d];
            other = true;
        }
    return other;
}

/* The last dimension has mirrors: computes the second parts, and both parts at the second place of a pair, which
 * contain the number n - k. */
static void make_other_parts(struct making *m, struct mw_wave_vector *w)
{
    const struct mw_fft *f = m->l->fft;
    const unsigned slow = f->dims - 1;
    const int64_t r = f->dims == 1 ? 0 : (int64_t)(mw_fft_at(f, w->k) - 2 * w->k[0] * f->row);
    const int64_t pair = mirror_partner(m->axes, (int)f->dims, (int)slow, (int64_t)w->k[0], r);
    const size_t k = w->k[slow];
    size_t place[MW_DIMS_MAX];
    memcpy(place, w->k, sizeof place);
    if (pair <= 0 && k > 0) {
        w->k[slow] = f->length[slow] - k;
        mw_wave_vector_find_matrix(w);
    }
    for (size_t b = 0; b < m->t->blocks; b++)
        for (int part = pair < 0 ? 0 : 1; part < 2; part++)
            if (!store_block(m, &m->t->block[b], w, place, part))
                atomic_store(&m->infinite, true);
    w->k[slow] = k;
}

/* Computes the coefficients of all wave vectors with one k_0, and copies them to the row with -k_0. */
static void make_row(struct making *m, size_t k_0, struct mw_wave_vector *w)
{
    const struct mw_fft *f = m->l->fft;
    const struct mw_tableau *t = m->t;
    const bool apart = MIRROR_IS(m->axes, f->dims - 1);
    size_t image[MW_DIMS_MAX];
    memset(w->k, 0, sizeof w->k);
    w->k[0] = k_0;
    do {
        const bool known = m->even && find_image(f, w->k, image);
        if (!known)
            mw_wave_vector_find_matrix(w);
        for (size_t b = 0; b < t->blocks; b++)
            if (known)
                copy_block(m, &t->block[b], image, w->k, 1);
            else if (!store_block(m, &t->block[b], w, w->k, 0))
                atomic_store(&m->infinite, true);
        if (apart)
            make_other_parts(m, w);
    } while (next_of_row(f, w->k));
    if (!m->even || k_0 == 0 || f->dims == 1)
        return;
    memcpy(image, w->k, sizeof image);
    image[0] = f->length[0] - k_0;
    for (size_t b = 0; b < t->blocks && image[0] > k_0; b++)
        copy_block(m, &t->block[b], w->k, image, f->row);
}

static void make_rows(void *context, size_t begin, size_t end, unsigned worker)
{
    struct making *m = context;
    for (size_t k = begin; k < end; k++)
        make_row(m, k, &m->wave[worker]);
}

/* Computes the coefficients by as many threads as there are cores, or as a native device has. */
static int make_all(struct making *m)
{
    const struct mw_fft *f = m->l->fft;
    const struct mw_device_info *info = mw_device_info(f->device);
    const bool small = f->cells < CELLS_ALONE;
    const size_t rows = m->even || f->dims == 1 ? f->length[0] / 2 + 1 : f->length[0];
    struct mw_executor *executor;
    size_t made = 0, threads = 0;
    int rc;
    TRY_RETURN(mw_executor_new(small ? "serial" : "pthreads", info->kind == MW_DEVICE_NATIVE ? info->compute_units : 0,
                               &executor));
    threads = mw_executor_threads(executor);
    TRY(mw_new(threads, sizeof *m->wave, &m->wave));
    for (; made < threads; made++)
        TRY(mw_wave_vector_make(m->l, &m->wave[made]));
    mw_parallel_for(executor, rows, 0, make_rows, m);
out:
    for (size_t i = 0; i <= made && i < threads && m->wave; i++)
        mw_owner_drop(&m->wave[i].owner);
    free(m->wave);
    mw_executor_free(executor);
    return rc;
}

int mw_tableau_make(const struct mw_problem *problem, const struct mw_fft *fft, const double *params, double dt,
                    struct mw_tableau *tableau, void **coefficients)
{
    struct mw_linear_part l = { 0 };
    struct mw_tableau t = { .blocks = 0 };
    struct making m = { .l = &l, .t = &t, .dt = dt };
    int rc;
    m.even = !mw_model_is_odd(problem->model) && !mw_problem_count(problem, MW_BOUNDARY_MIRROR);
    mw_mirror_axes(problem, fft, m.axes);
    TRY(mw_linear_part_make(problem, fft, params, &l));
    TRY(find_blocks(&l, &t));
    for (size_t b = 0; b < t.blocks; b++) {
        t.block[b].first = t.reals;
        t.reals += planes(&m, &t.block[b]) * (fft->numbers / 2);
    }
    TRY(mw_new(t.reals, mw_problem_real_bytes(problem), &m.numbers));
    TRY(make_all(&m));
    if (m.infinite)
        TRY(mw_fail(MW_EINVAL, "time step %g is too long: linear waves of model %s grow beyond all numbers", dt,
                    problem->model->info.name));
    *tableau = t;
    *coefficients = m.numbers;
    m.numbers = NULL;
out:
    mw_linear_part_clear(&l);
    free(m.numbers);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Steps of exponential time differencing, on one device and a periodic mesh.
 *
 * A stage evaluates the rates by the update kernels (base 0, step 1) and transforms them. It sums the spectra of all
 * rates so far with the coefficients of tableau.c, transforms the sum back and adds it to the state.  The first stage
 * of Strang's splitting transforms the state instead.  Noise is drawn
 * once per step, is part of every rate and thus constant during the step. */
#include "field/evolve/evolve.h"
#include "kernels/field/spectral.h"
#include "kernels/native.h"

#define GROUP 128
#define ADD_CELLS ((size_t)4096) /* cells per work-item on cores */

struct mw_spectral {
    const double *params;
    bool outdated;
    double dt; /* time step of the coefficients */
    struct mw_fft *fft;
    struct mw_mirror *mirror; /* NULL: periodic */
    struct mw_kernel_set *kernels;
    size_t lanes, fields;
    struct mw_tableau tableau;
    struct mw_buffer *coefficients;
    struct mw_buffer *zero, *rates;   /* states: 0; rates, and increments */
    struct mw_buffer *spectra, *sums; /* spectra: rates of all stages; the increment */
};

void mw_spectral_free(struct mw_spectral *s)
{
    if (!s)
        return;
    struct mw_buffer *const buffers[] = { s->coefficients, s->zero, s->rates, s->spectra, s->sums };
    for (size_t i = 0; i < MW_COUNT(buffers); i++)
        mw_buffer_free(buffers[i]);
    mw_mirror_free(s->mirror);
    mw_fft_free(s->fft);
    mw_kernel_set_free(s->kernels);
    free(s);
}

void mw_spectral_renew(struct mw_spectral *s) { s->outdated = true; }

uint64_t mw_spectral_bytes(const struct mw_problem *p, size_t state_bytes)
{
    const int stages = mw_tableau_stages(p->integrator), coefficients = mw_tableau_first(stages);
    /* States: 0, rates, the transforms' own array, sums, spectra; and a coefficient per complex number. */
    const int mirrors =
        mw_problem_count(p, MW_BOUNDARY_MIRROR) ? 1 : 0; /* a folded array; and up to two coefficients */
    return (uint64_t)state_bytes * (uint64_t)(4 + stages + mirrors) +
           (uint64_t)state_bytes * (uint64_t)(coefficients * (1 + mirrors)) / 2;
}

static int spectral_kernels(const struct mw_field_array *a, struct mw_spectral *s)
{
    const bool fp64 = a->problem->fp64, cores = mw_device_info(a->device)->traits->has_cores;
    const bool vectors = cores && a->problem->dims > 1;
    struct mw_kernel_options options = { .fp64 = fp64, .group = cores ? 0 : GROUP };
    struct mw_text defines = { 0 };
    int rc;
    s->lanes = !vectors ? 1 : fp64 ? 8 : 16;
    mw_text_add(&defines, "#define VEC %zu\n%s", s->lanes, fp64 ? "#define REAL_DOUBLE 1\n" : "");
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    options.native = vectors ? (fp64 ? mw_native_spectral_double : mw_native_spectral_single)
                             : (fp64 ? mw_native_spectral_double_1 : mw_native_spectral_single_1);
    rc = mw_kernel_set_new(a->device, &kernels_field_spectral, &options, &s->kernels);
out:
    mw_text_free(&defines);
    return rc;
}

static int zeros(struct mw_device *device, size_t bytes, struct mw_buffer **buffer)
{
    TRY_RETURN(mw_buffer_new(device, bytes, buffer));
    return mw_buffer_fill(*buffer, 0, bytes, 0);
}

/* Computes the coefficients for a time step and stores them on the device. */
static int renew(const struct mw_field_array *a, struct mw_spectral *s, double dt)
{
    const size_t real = mw_problem_real_bytes(a->problem);
    void *numbers = NULL;
    int rc;
    TRY(mw_tableau_make(a->problem, s->fft, s->params, dt, &s->tableau, &numbers));
    if (!s->coefficients || mw_buffer_bytes(s->coefficients) != s->tableau.reals * real) {
        mw_buffer_free(s->coefficients);
        s->coefficients = NULL;
        TRY(mw_buffer_new(a->device, s->tableau.reals * real, &s->coefficients));
    }
    TRY(mw_buffer_write(s->coefficients, 0, s->tableau.reals * real, numbers, NULL));
    s->dt = dt;
    s->outdated = false;
out:
    free(numbers);
    return rc;
}

int mw_spectral_new(const struct mw_part *part, const double *params, double dt, struct mw_spectral **result)
{
    const struct mw_field_array *a = &part->array;
    const size_t fields = a->problem->model->info.field_count, real = mw_problem_real_bytes(a->problem);
    const size_t stages = (size_t)mw_tableau_stages(a->problem->integrator);
    struct mw_spectral *s;
    int rc;
    TRY(mw_new(1, sizeof *s, &s));
    s->params = params;
    s->fields = fields;
    TRY(spectral_kernels(a, s));
    TRY(mw_fft_new(a->device, a->problem->dims, a->length, fields, a->problem->fp64, MW_FFT_AUTO, &s->fft));
    TRY(mw_mirror_new(a->problem, s->fft, &s->mirror));
    TRY(zeros(a->device, a->bytes, &s->zero));
    TRY(zeros(a->device, a->bytes, &s->rates));
    TRY(zeros(a->device, stages * fields * s->fft->numbers * real, &s->spectra));
    TRY(zeros(a->device, fields * s->fft->numbers * real, &s->sums));
    TRY(renew(a, s, dt));
    *result = s;
    s = NULL;
out:
    mw_spectral_free(s);
    return rc;
}

/* ---- steps ---- */

/* Returns the range of a kernel over n items. */
static struct mw_range over(const struct mw_spectral *s, size_t n)
{
    return s->kernels->group > 1 ? (struct mw_range){ 1, { n, 1, 1 }, { s->kernels->group, 1, 1 } } : mw_items(n);
}

/* Queues the transform of a stage's rates, or of the state. */
static int forward(const struct mw_spectral *s, struct mw_buffer *array, int stage)
{
    const size_t first = (size_t)stage * s->fields * s->fft->numbers;
    return s->mirror ? mw_mirror_forward(s->mirror, s->fft, s->kernels, array, s->spectra, first)
                     : mw_fft_forward(s->fft, array, s->spectra, first);
}

/* Queues the sum of the spectra of stages 0 to `stage`. */
static int sum_spectra(const struct mw_field_array *a, const struct mw_spectral *s, int stage)
{
    const struct mw_fft *f = s->fft;
    const size_t rows = f->numbers / (2 * f->row), plane = f->numbers / 2;
    for (size_t i = 0; i < s->tableau.blocks; i++) {
        const struct mw_tableau_block *b = &s->tableau.block[i];
        const size_t square = b->field[0] == b->field[1] ? 1 : 4;
        const size_t offset = b->first + (size_t)mw_tableau_first(stage) * square * FACTOR_PLANES(b->kind) * plane;
        TRY_RETURN(launch_spectral_sum(s->kernels, over(s, rows * f->row / s->lanes), s->spectra, s->sums,
                                       s->coefficients, (int64_t)offset, (int64_t)b->field[0], (int64_t)b->field[1],
                                       stage + 1, b->kind, (int64_t)rows, (int64_t)f->row, (int64_t)f->numbers,
                                       (int64_t)(f->numbers * s->fields)));
    }
    return 0;
}

/* Queues to = state + the increment with spectrum s->sums. */
static int add_increment(const struct mw_field_array *a, const struct mw_spectral *s, struct mw_buffer *state,
                         struct mw_buffer *to)
{
    if (s->mirror)
        return mw_mirror_add(s->mirror, s->fft, s->kernels, s->sums, state, to);
    TRY_RETURN(mw_fft_backward(s->fft, s->sums, s->rates));
    const size_t n = a->cells * s->fields, each = s->kernels->group > 1 ? s->kernels->group : ADD_CELLS;
    return launch_spectral_add(s->kernels, mw_parts(s->kernels, mw_ceil_div(n, each)), state, s->rates, to, (int64_t)n,
                               (int64_t)each);
}

static int spectral_step(struct mw_part *p)
{
    struct mw_spectral *s = p->spectral;
    const struct mw_slabs own = mw_place_own(&p->array.place);
    static const double times[][MW_STAGES_MAX] = { [MW_INTEGRATOR_ETD2] = { 0, 1 },
                                                   [MW_INTEGRATOR_ETD4] = { 0, 0.5, 0.5, 1 },
                                                   [MW_INTEGRATOR_STRANG] = { 0, 0, 0.5 } };
    const enum mw_integrator integrator = p->array.problem->integrator;
    const int stages = mw_tableau_stages(integrator);
    TRY_RETURN(mw_field_plan_draw(&p->plan, &p->array, own));
    for (int i = 0; i < stages; i++) {
        const struct mw_field_update rate = { .out = s->rates, .base = s->zero, .in = i ? p->temp : p->state, .h = 1 };
        const bool of_state = integrator == MW_INTEGRATOR_STRANG && i == 0;
        if (!of_state) {
            TRY_RETURN(mw_part_set_time(p, rate.in, mw_place_own(&p->array.place),
                                        ((double)p->array.step + times[integrator][i]) * s->dt));
            TRY_RETURN(mw_field_plan_update(&p->plan, &p->array, &rate, own));
        }
        TRY_RETURN(forward(s, of_state ? p->state : s->rates, i));
        TRY_RETURN(sum_spectra(&p->array, s, i));
        TRY_RETURN(add_increment(&p->array, s, p->state, i + 1 < stages ? p->temp : p->state));
    }
    return 0;
}

int mw_spectral_advance(struct mw_part *p, double dt, uint64_t steps)
{
    if (p->spectral->outdated || p->spectral->dt != dt)
        TRY_RETURN(renew(&p->array, p->spectral, dt));
    for (uint64_t i = 0; i < steps; i++) {
        TRY_RETURN(spectral_step(p));
        p->array.step++;
    }
    return mw_device_flush(p->array.device);
}
/* SPDX-License-Identifier: MIT */

/* Transforms of meshes with mirrors by Fourier transforms: see cl/field/mirror.clh. */
#include "field/exponential/exponential.h"
#include "kernels/field/spectral.h"

#define CELLS ((size_t)4096) /* per work-item on cores */

struct mw_mirror {
    struct mw_owner owner; /* frees the buffers */
    const struct mw_fft *fft;
    int64_t axis[MIRROR_NUMBERS * MW_DIMS_MAX];
    struct mw_buffer *axes, *folded;
    struct mw_buffer *table[MW_DIMS_MAX]; /* NULL: no mirrors */
};

void mw_mirror_axes(const struct mw_problem *p, const struct mw_fft *fft, int64_t *axes)
{
    int64_t below = 1;
    for (unsigned d = 0; d < fft->dims; d++) {
        int64_t *axis = axes + MIRROR_NUMBERS * d;
        axis[0] = (int64_t)fft->length[d];
        axis[1] = d == 0 ? 2 * (int64_t)fft->row : below;
        axis[2] = p->boundary[d] == MW_BOUNDARY_MIRROR;
        below *= d == 0 ? 1 : (int64_t)fft->length[d];
    }
}

void mw_mirror_free(struct mw_mirror *m)
{
    if (!m)
        return;
    mw_owner_drop(&m->owner);
    free(m);
}

static int make_table(struct mw_mirror *m, unsigned d)
{
    const size_t n = m->fft->length[d], real = m->fft->fp64 ? sizeof(double) : sizeof(float);
    double *table = NULL;
    int rc;
    TRY(mw_new(8 * n, sizeof *table, &table));
    mw_fft_twiddles(4 * n, table);
    for (size_t i = 0; i < 2 * n && !m->fft->fp64; i++)
        ((float *)table)[i] = (float)table[i];
    TRY(mw_own_buffer(&m->owner, m->fft->device, 2 * n * real, &m->table[d]));
    rc = mw_buffer_write(m->table[d], 0, 2 * n * real, table, NULL);
out:
    free(table);
    return rc;
}

int mw_mirror_new(const struct mw_problem *p, const struct mw_fft *fft, struct mw_mirror **mirror)
{
    struct mw_mirror *m = NULL;
    int rc;
    if (!mw_problem_count(p, MW_BOUNDARY_MIRROR))
        return 0;
    TRY(mw_new(1, sizeof *m, &m));
    m->fft = fft;
    mw_mirror_axes(p, fft, m->axis);
    for (unsigned d = 0; d < fft->dims; d++)
        if (MIRROR_IS(m->axis, d))
            TRY(make_table(m, d));
    TRY(mw_own_buffer(&m->owner, fft->device, sizeof m->axis, &m->axes));
    TRY(mw_buffer_write(m->axes, 0, sizeof m->axis, m->axis, NULL));
    TRY(mw_own_buffer(&m->owner, fft->device, fft->cells * fft->batch * mw_problem_real_bytes(p), &m->folded));
    *mirror = m;
    m = NULL;
out:
    mw_mirror_free(m);
    return rc;
}

/* ---- launches ---- */

static size_t each_of(const struct mw_kernel_set *set) { return set->group > 1 ? set->group : CELLS; }

/* Queues the transforms along dimension d. */
static int turn(const struct mw_mirror *m, const struct mw_kernel_set *set, unsigned d, bool back,
                struct mw_buffer *spectra, size_t first)
{
    const struct mw_fft *f = m->fft;
    const size_t lines = f->numbers / (2 * f->row), n = lines * f->row * f->batch, each = each_of(set);
    size_t used = 1;
    for (unsigned e = 1; e < f->dims; e++)
        used *= e + 1 == f->dims ? f->length[e] / 2 + 1 : f->length[e];
    return launch_mirror_turn(set, mw_parts(set, mw_ceil_div(n, each)), spectra, m->axes, m->table[d], (int)f->dims,
                              (int)d, back, (int64_t)lines, (int64_t)f->row, (int64_t)used, (int64_t)first, (int64_t)n,
                              (int64_t)each);
}

static int fold(const struct mw_mirror *m, const struct mw_kernel_set *set, bool back, struct mw_buffer *state,
                struct mw_buffer *to)
{
    const size_t n = m->fft->cells * m->fft->batch, each = each_of(set);
    return launch_mirror_fold(set, mw_parts(set, mw_ceil_div(n, each)), state, m->folded, to, m->axes,
                              (int)m->fft->dims, back, (int64_t)n, (int64_t)each);
}

int mw_mirror_forward(struct mw_mirror *m, struct mw_fft *fft, const struct mw_kernel_set *set, struct mw_buffer *array,
                      struct mw_buffer *spectra, size_t first)
{
    TRY_RETURN(fold(m, set, false, array, m->folded));
    TRY_RETURN(mw_fft_forward(fft, m->folded, spectra, first));
    for (unsigned d = 0; d < fft->dims; d++)
        if (m->table[d])
            TRY_RETURN(turn(m, set, d, false, spectra, first));
    return 0;
}

int mw_mirror_add(struct mw_mirror *m, struct mw_fft *fft, const struct mw_kernel_set *set, struct mw_buffer *spectra,
                  struct mw_buffer *state, struct mw_buffer *to)
{
    for (unsigned d = fft->dims; d-- > 0;)
        if (m->table[d])
            TRY_RETURN(turn(m, set, d, true, spectra, 0));
    TRY_RETURN(mw_fft_backward(fft, spectra, m->folded));
    return fold(m, set, true, state, to);
}
/* SPDX-License-Identifier: MIT */

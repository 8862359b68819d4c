/* The start of fields and maps that the model gives as functions of the place, and of fields without noise. */
#include "field/evolve/evolve.h"

/* A quantity of one system that is being set, in host memory; first: of the system's cells there. */
struct start {
    const struct mw_field *f;
    size_t quantity, first;
    void *cells;
    double *noise; /* numbers for the system; NULL: not read */
};

/* Copies the noise of a system, for a start that reads it; without noise it is 0. */
static int take_noise(struct start *s)
{
    const struct mw_field *f = s->f;
    if (!mw_model_start_reads_noise(f->model, s->quantity))
        return 0;
    if (!s->noise)
        TRY_RETURN(mw_new(f->cells, sizeof *s->noise, &s->noise));
    for (size_t i = 0; i < f->cells; i++)
        s->noise[i] = f->options.constant ? 0
                      : f->problem.fp64   ? ((double *)s->cells)[s->first + i]
                                          : ((float *)s->cells)[s->first + i];
    return 0;
}

/* Sets a row: the value by place, plus the difference of the noisy start from its mean. */
static void set_row(void *context, size_t row, const double *values)
{
    const struct start *s = context;
    const struct mw_model_field *m = &s->f->model->fields[s->quantity];
    const bool noise = mw_model_start_is_noisy(s->f->model, s->quantity) && !s->f->options.constant;
    const size_t n = s->f->options.length[0], first = s->first + row * n;
    for (size_t x = 0; x < n; x++) {
        if (s->f->problem.fp64) {
            double *to = (double *)s->cells + first + x;
            *to = values[x] + (noise ? *to - m->mean : 0);
        } else {
            float *to = (float *)s->cells + first + x;
            *to = (float)(values[x] + (noise ? (double)(*to - (float)m->mean) : 0));
        }
    }
}

static int set_system(struct start *s, size_t system, double *mean)
{
    const struct mw_field *f = s->f;
    const struct mw_field_options *o = &f->options;
    const size_t n = o->length[0], rows = f->cells / n;
    s->first = system * f->cells;
    TRY_RETURN(take_noise(s));
    if (mw_model_has_start(f->model, s->quantity))
        return mw_model_start_rows(f->model, s->quantity,
                                   (struct mw_model_row){ .dims = o->dims,
                                                          .length = o->length,
                                                          .spacing = o->spacing,
                                                          .noise = s->noise,
                                                          .params = f->params + system * f->model->info.param_count },
                                   rows, set_row, s);
    for (size_t x = 0; x < n; x++)
        mean[x] = f->model->fields[s->quantity].mean;
    for (size_t i = 0; i < rows; i++)
        set_row(s, i, mean);
    return 0;
}

/* Rates that divide by a map that is not finite would fail later, without a reason. */
static int check_map(const struct start *s, size_t cells)
{
    const size_t bad = mw_values_not_finite(s->cells, s->f->problem.fp64, cells);
    if (s->quantity < s->f->model->info.field_count || bad == cells)
        return 0;
    return mw_fail(MW_EDATA, "map %s of model %s is not finite in cell %zu: check its expression for a division by 0",
                   s->f->model->fields[s->quantity].name, s->f->model->info.name, bad % s->f->cells);
}

int mw_field_start(struct mw_field *f)
{
    const size_t fields = f->model->info.field_count, cells = f->cells * f->problem.systems;
    struct start s = { .f = f };
    double *mean = NULL;
    int rc;
    TRY(mw_new(f->options.length[0], sizeof *mean, &mean));
    for (; s.quantity < mw_model_quantities(f->model); s.quantity++) {
        const struct mw_quantities one = { s.quantity, 1 };
        if (!mw_model_has_start(f->model, s.quantity) && !(f->options.constant && s.quantity < fields))
            continue;
        if (!s.cells)
            TRY(mw_new(cells, mw_problem_real_bytes(&f->problem), &s.cells));
        TRY(mw_field_copy(f, one, s.cells, true));
        for (size_t i = 0; i < f->problem.systems; i++)
            TRY(set_system(&s, i, mean));
        TRY(check_map(&s, cells));
        TRY(mw_field_copy(f, one, s.cells, false));
    }
out:
    free(mean);
    free(s.cells);
    free(s.noise);
    return rc;
}
/* SPDX-License-Identifier: MIT */

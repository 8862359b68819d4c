/* The start of fields whose model gives it as a function of the place. */
#include <stdlib.h>
#include <string.h>

#include "field/evolve/evolve.h"

/* Sets a row: the value by place, plus the difference of the noisy start from its mean. */
static void set_row(const struct mw_field *f, size_t field, size_t first, const double *values, void *state)
{
    const struct mw_model_field *m = &f->model->info.fields[field];
    const bool noise = m->noise != 0 && !f->options.constant;
    for (size_t x = 0; x < f->options.length[0]; x++) {
        if (f->problem.fp64) {
            double *to = (double *)state + first + x;
            *to = values[x] + (noise ? *to - m->mean : 0);
        } else {
            float *to = (float *)state + first + x;
            *to = (float)(values[x] + (noise ? (double)(*to - (float)m->mean) : 0));
        }
    }
}

static int set_field(const struct mw_field *f, size_t system, size_t field, double *values, void *state)
{
    const struct mw_field_options *o = &f->options;
    const size_t nx = o->length[0], rows = f->cells / nx;
    const size_t first = (system * f->model->info.field_count + field) * f->cells;
    struct mw_model_row row = { .dims = o->dims,
                                .length = o->length,
                                .spacing = o->spacing,
                                .params = f->params + system * f->model->info.param_count };
    for (size_t i = 0; i < rows; i++) {
        size_t rest = i;
        for (unsigned d = 1; d < o->dims; rest /= o->length[d++])
            row.at[d] = rest % o->length[d];
        for (size_t x = 0; x < nx; x++)
            values[x] = f->model->info.fields[field].mean;
        if (mw_model_has_start(f->model, field))
            TRY_RETURN(mw_model_start_row(f->model, field, &row, values));
        set_row(f, field, first + i * nx, values, state);
    }
    return 0;
}

int mw_field_start(struct mw_field *f)
{
    struct mw_array state = { 0 };
    double *values = NULL;
    bool any = f->options.constant;
    int rc = 0;
    for (size_t i = 0; i < f->model->info.field_count; i++)
        any = any || mw_model_has_start(f->model, i);
    if (!any)
        goto out;
    TRY(mw_new(f->options.length[0], sizeof *values, &values));
    TRY(mw_field_get(f, &state));
    for (size_t s = 0; s < f->problem.systems; s++)
        for (size_t i = 0; i < f->model->info.field_count; i++)
            if (f->options.constant || mw_model_has_start(f->model, i))
                TRY(set_field(f, s, i, values, state.data));
    rc = mw_field_set(f, &state);
out:
    free(values);
    mw_array_free(&state);
    return rc;
}
/* SPDX-License-Identifier: MIT */

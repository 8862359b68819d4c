/* The start of fields whose model gives it as a function of the place, and of fields without noise. */
#include <stdlib.h>
#include <string.h>

#include "field/evolve/evolve.h"

/* A field of one system that is being set, in a state on the host. */
struct start {
    const struct mw_field *f;
    size_t field, first; /* first: of its cells in the state */
    void *state;
};

/* Sets a row: the value by place, plus the difference of the noisy start from its mean. */
static void set_row(void *context, size_t row, const double *values)
{
    const struct start *s = context;
    const struct mw_model_field *m = &s->f->model->info.fields[s->field];
    const bool noise = m->noise != 0 && !s->f->options.constant;
    const size_t n = s->f->options.length[0], first = s->first + row * n;
    for (size_t x = 0; x < n; x++) {
        if (s->f->problem.fp64) {
            double *to = (double *)s->state + first + x;
            *to = values[x] + (noise ? *to - m->mean : 0);
        } else {
            float *to = (float *)s->state + first + x;
            *to = (float)(values[x] + (noise ? (double)(*to - (float)m->mean) : 0));
        }
    }
}

static int set_field(struct start *s, size_t system, double *mean)
{
    const struct mw_field *f = s->f;
    const struct mw_model_info *info = &f->model->info;
    const size_t n = f->options.length[0], rows = f->cells / n;
    s->first = (system * info->field_count + s->field) * f->cells;
    if (mw_model_has_start(f->model, s->field))
        return mw_model_start_rows(f->model, s->field,
                                   (struct mw_model_row){ .dims = f->options.dims,
                                                          .length = f->options.length,
                                                          .spacing = f->options.spacing,
                                                          .params = f->params + system * info->param_count },
                                   rows, set_row, s);
    for (size_t x = 0; x < n; x++)
        mean[x] = info->fields[s->field].mean;
    for (size_t i = 0; i < rows && f->options.constant; i++)
        set_row(s, i, mean);
    return 0;
}

int mw_field_start(struct mw_field *f)
{
    struct mw_array state = { 0 };
    struct start s = { .f = f };
    double *mean = NULL;
    int rc = 0;
    if (!f->options.constant && !f->model->starts)
        goto out;
    TRY(mw_new(f->options.length[0], sizeof *mean, &mean));
    TRY(mw_field_get(f, &state));
    s.state = state.data;
    for (size_t i = 0; i < f->problem.systems; i++)
        for (s.field = 0; s.field < f->model->info.field_count; s.field++)
            TRY(set_field(&s, i, mean));
    rc = mw_field_set(f, &state);
out:
    free(mean);
    mw_array_free(&state);
    return rc;
}
/* SPDX-License-Identifier: MIT */

#include "bench/fields/case.h"

#include <stdio.h>
#include <string.h>

#include <meshwork/field.h>

size_t field_cells(const struct field_case *c)
{
    size_t cells = 1;
    for (unsigned d = 0; d < c->dims; d++)
        cells *= c->length[d];
    return cells;
}

double field_floor(const struct field_case *c, size_t field_count)
{
    static const int values[] = { [MW_INTEGRATOR_EULER] = 2, [MW_INTEGRATOR_RK2] = 5, [MW_INTEGRATOR_RK4] = 16 };
    return (double)field_cells(c) * (double)field_count * values[c->integrator] * (c->fp64 ? 8 : 4);
}

void field_case_name(const struct field_case *c, char *text, size_t size)
{
    static const char *const laplacians[] = { "", ", fourth order", ", isotropic" };
    /* clang-format off */
    static const char *const integrators[] = {
        [MW_INTEGRATOR_EULER] = ", Euler", [MW_INTEGRATOR_RK2] = "", [MW_INTEGRATOR_RK4] = ", RK4" };
    /* clang-format on */
    static const char *const boundaries[] = { [MW_BOUNDARY_DEFAULT] = "",
                                              [MW_BOUNDARY_PERIODIC] = "",
                                              [MW_BOUNDARY_MIRROR] = ", mirrors",
                                              [MW_BOUNDARY_FIXED] = ", fixed ends" };
    struct mw_text t = { 0 };
    mw_text_add(&t, "%s, ", c->model);
    for (unsigned d = 0; d < c->dims; d++)
        mw_text_add(&t, "%s%zu", d ? " x " : "", c->length[d]);
    mw_text_add(&t, "%s%s%s%s", c->fp64 ? ", double" : "", integrators[c->integrator], laplacians[c->laplacian],
                boundaries[c->boundary]);
    mw_copy_string(text, size, t.data ? t.data : "");
    mw_text_free(&t);
}

static int prepare(void *of)
{
    struct field_run *r = of;
    /* clang-format off */
    struct mw_field_options o = { .size = sizeof o, .dims = r->of->dims, .integrator = r->of->integrator,
                                  .fp64 = r->of->fp64,
                                  .laplacian = r->of->laplacian, .seed = 1, .shape = r->shape, .no_tune = r->no_tune,
                                  .retune = r->retune, .tune_budget = r->budget };
    /* clang-format on */
    const char *how;
    for (unsigned d = 0; d < r->of->dims; d++) {
        o.length[d] = r->of->length[d];
        o.boundary[d] = r->of->boundary;
    }
    const int rc = mw_field_new(r->devices, r->device_count, r->model, &o, &r->field);
    if (rc != 0)
        return r->shape ? MW_ENOTSUP : rc;
    mw_field_shape(r->field, &r->chosen, &how);
    mw_shape_format(&r->chosen, r->text);
    return 0;
}

static int run(void *of, int passes)
{
    struct field_run *r = of;
    int rc = 0;
    TRY(mw_field_advance(r->field, (uint64_t)passes));
    TRY(mw_field_sync(r->field));
out:
    return rc;
}

static void finish(void *of)
{
    struct field_run *r = of;
    mw_field_free(r->field);
    r->field = NULL;
}

struct bench_contender field_contender(struct field_run *r, const char *name)
{
    return (struct bench_contender){ .name = name,
                                     .of = r,
                                     .prepare = prepare,
                                     .run = run,
                                     .finish = finish,
                                     .moved = field_floor(r->of, mw_model_info(r->model)->field_count) };
}
/* SPDX-License-Identifier: MIT */

/* meshwork sweep: reads the points from --over and -p, and the sizes. */
#include <math.h>
#include <stdio.h>

#include "tools/cli/names.h"
#include "tools/cli/signals.h"
#include "tools/run/over.h"
#include "tools/spin/spin.h"
#include "tools/sweep/sweep.h"

/* ---- parameters ---- */

static bool is_bound(const struct mw_model_number *number, const char *name)
{
    return number->param && !strcmp(number->param, name);
}

static int read_values(struct sweep *s, const char *text)
{
    double *values = NULL, *fractions = NULL;
    int rc;
    s->fraction_count = 1;
    TRY(over_values("over", s->set->over, text, &values, &s->value_count));
    if (s->set->fraction)
        TRY(spin_fractions(s->set->fraction, &fractions, &s->fraction_count));
    if (__builtin_mul_overflow(s->value_count, s->fraction_count, &s->point_count))
        TRY(mw_fail(MW_ELIMIT, "%zu values and %zu fractions exceed the address space", s->value_count,
                    s->fraction_count));
    TRY(mw_own_new(&s->owner, s->point_count, sizeof(*s->points), &s->points));
    for (size_t i = 0; i < s->point_count; i++) {
        s->points[i].value = values[i % s->value_count];
        s->points[i].fraction = fractions ? fractions[i / s->value_count] : NAN;
    }
out:
    free(values);
    free(fractions);
    return rc;
}

/* The parameter of --over gets the values of the points. */
static int read_over(struct sweep *s, double *params, size_t *over)
{
    const struct words word = { .item = (const char *[]){ s->set->over }, .count = 1 };
    const struct mw_model_info *m = s->model;
    const char *values;
    char name[64];
    if (!s->set->over)
        return mw_fail(MW_EINVAL, "no parameter to sweep: give --over NAME=FIRST:LAST:STEP, as in --over T=2:2.6:0.05");
    TRY_RETURN(over_split(s->set->over, &s->set->params, name, &values));
    *over = spin_param(m, name);
    if (*over == m->param_count)
        return parameters_set(m->name, m->params, m->param_count, &word, params);
    s->over = m->params[*over].name;
    if (is_bound(&m->spin.least, s->over) || is_bound(&m->spin.most, s->over))
        return mw_fail(MW_EINVAL, "--over %s: all systems need the same number of spin values: run one sweep per value",
                       s->set->over);
    return read_values(s, values);
}

int sweep_points(struct sweep *s)
{
    const struct mw_model_info *m = s->model;
    double *params = NULL;
    size_t over = 0;
    int rc;
    TRY(mw_new(m->param_count, sizeof(*params), &params));
    for (size_t i = 0; i < m->param_count; i++)
        params[i] = m->params[i].value;
    TRY(parameters_set(m->name, m->params, m->param_count, &s->set->params, params));
    TRY(read_over(s, params, &over));
    for (size_t i = 0; i < s->point_count; i++) {
        struct sweep_point *p = &s->points[i];
        TRY(mw_own_new(&s->owner, m->param_count, sizeof(*p->params), &p->params));
        memcpy(p->params, params, m->param_count * sizeof(*params));
        p->params[over] = p->value;
        p->temperature = spin_temperature(m, p->params);
    }
    if ((s->set->temper || s->set->anneal) && s->fraction_count > 1)
        TRY(mw_fail(MW_EINVAL, "--%s changes the temperature of systems, but not their fraction: give one --fraction",
                    s->set->temper ? "temper" : "anneal"));
    if (s->set->temper && strcmp(s->over, "T") != 0)
        TRY(mw_fail(MW_EINVAL, "--temper exchanges temperatures: give --over T=FIRST:LAST:STEP"));
    if (s->set->temper && s->point_count < 2)
        TRY(mw_fail(MW_EINVAL, "--temper needs several temperatures: give --over more values"));
out:
    free(params);
    return rc;
}

/* ---- sizes ---- */

static int read_size(const char *text, struct size *size)
{
    const struct option option = { .name = "size", .type = OPTION_SIZE };
    const int rc = value_read(&(struct placed){ &option, size, 0 }, 1, text);
    return rc ? mw_fail_in(rc, "--size") : 0;
}

static int take_fractions(struct sweep *s, struct sweep_size *z)
{
    if (!s->set->fraction)
        return 0;
    TRY_RETURN(mw_own_new(&s->owner, z->options.systems, sizeof(double), &z->fractions));
    for (size_t i = 0; i < z->options.systems; i++)
        z->fractions[i] = s->points[i % s->point_count].fraction;
    z->options.fractions = z->fractions;
    return 0;
}

/* Each size has random numbers of its own, from a seed of its own. */
static int make_size(struct sweep *s, struct sweep_size *z, uint64_t number)
{
    const struct mesh_settings mesh = { .size = z->size, .boundary = s->set->boundary };
    size_t systems, series;
    bool up = true;
    struct mw_spin_options *o = &z->options;
    if (__builtin_mul_overflow(s->copies, s->point_count, &systems) ||
        __builtin_mul_overflow(systems, s->samples, &series) || series > SIZE_MAX / sizeof(double))
        return mw_fail(MW_ELIMIT, "%zu values, %zu systems and %llu measurements exceed the address space",
                       s->point_count, s->copies, (unsigned long long)s->samples);
    *o = (struct mw_spin_options){ .size = sizeof(struct mw_spin_options),
                                   .dims = z->size.dims,
                                   .update = (enum mw_spin_update)s->set->update,
                                   .lattice = (enum mw_lattice_kind)s->set->lattice,
                                   .seed = s->set->seed + number,
                                   .params = s->points[0].params,
                                   .variant = s->set->variant,
                                   .systems = s->set->anneal ? s->copies : systems };
    for (size_t i = 0; i < s->point_count; i++)
        up &= spin_starts_up(s->model, s->points[i].params, s->set->update);
    TRY_RETURN(spin_start(s->set->start, up, s->set->update, s->set->fraction != NULL, &o->start));
    TRY_RETURN(take_fractions(s, z));
    TRY_RETURN(mesh_boundaries(&mesh, o->boundary));
    z->cells = 1;
    for (unsigned d = 0; d < z->size.dims; d++)
        z->cells *= o->length[d] = z->size.length[d];
    TRY_RETURN(mw_spins_choice(s->file, o, &z->variant, NULL));
    if (s->set->dry_run)
        return 0;
    TRY_RETURN(mw_own_new(&s->owner, series, sizeof(double), &z->energy));
    TRY_RETURN(mw_own_new(&s->owner, series, sizeof(double), &z->magnetisation));
    for (size_t k = 0; k < SWEEP_LABELS && s->set->label_every; k++) {
        TRY_RETURN(mw_own_new(&s->owner, systems * sweep_label_samples(s), sizeof(double), &z->label[k]));
        TRY_RETURN(mw_own_new(&s->owner, s->point_count, sizeof(*z->components[k]), &z->components[k]));
    }
    TRY_RETURN(mw_own_new(&s->owner, s->point_count, sizeof(*z->labelled), &z->labelled));
    TRY_RETURN(mw_own_new(&s->owner, s->point_count, sizeof(*z->measured), &z->measured));
    TRY_RETURN(mw_own_new(&s->owner, s->point_count, sizeof(*z->found), &z->found));
    TRY_RETURN(mw_own_new(&s->owner, s->point_count, sizeof(*z->settling), &z->settling));
    TRY_RETURN(mw_own_new(&s->owner, s->point_count, sizeof(uint64_t), &z->exchanges.tried));
    return mw_own_new(&s->owner, s->point_count, sizeof(uint64_t), &z->exchanges.accepted);
}

int sweep_sizes(struct sweep *s)
{
    const struct words *sizes = &s->set->sizes;
    const size_t count = sizes->count ? sizes->count : 1;
    TRY_RETURN(mw_own_new(&s->owner, count, sizeof(*s->sizes), &s->sizes));
    for (size_t i = 0; i < count; i++) {
        struct sweep_size *z = &s->sizes[i];
        TRY_RETURN(read_size(sizes->count ? sizes->item[i] : "32x32", &z->size));
        s->size_count++;
        TRY_RETURN(make_size(s, z, i));
    }
    return 0;
}

void sweep_free(struct sweep *s)
{
    mw_owner_drop(&s->owner);
    signals_wait_begin(0); /* for devices, before they are closed */
    team_close(&s->team);
    signals_wait_end();
    mw_model_free(s->file);
}
/* SPDX-License-Identifier: MIT */

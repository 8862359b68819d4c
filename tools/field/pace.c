/* Fields: time steps, constant or chosen by the integrator, and the end of a run at a time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/cli/names.h"
#include "tools/field/field.h"

#define WHOLE 1e-6 /* part of a step by which an end may differ from a whole number of steps */
#define STEPS_MOST 1e15

static bool is_adaptive(const struct field_run *own)
{
    return own->options.integrator == MW_INTEGRATOR_BS3 || own->options.integrator == MW_INTEGRATOR_DP5;
}

/* ---- options ---- */

/* Reads REL[,ABS]; both are above 0 and below 1. */
static int read_tolerance(const char *text, struct mw_field_options *o)
{
    char *end = (char *)text;
    o->tolerance = strtod(text, &end);
    bool fine = end != text && o->tolerance > 0 && o->tolerance < 1;
    if (fine && *end == ',') {
        const char *second = end + 1;
        o->tolerance_absolute = strtod(second, &end);
        fine = end != second && o->tolerance_absolute > 0 && isfinite(o->tolerance_absolute);
    }
    if (!fine || *end)
        return mw_fail(MW_EINVAL,
                       "--tolerance %s: expected REL or REL,ABS, as in 1e-4,1e-6: REL must be above 0 and "
                       "below 1, ABS above 0",
                       text);
    return 0;
}

#define END "end time" /* setting in checkpoints: a time, or none if the run ends at a step */

/* Returns the time of --until, or of the checkpoint unless --steps is given; 0: none. */
static double asked_end(const struct run *r)
{
    const struct field_run *own = r->own;
    const char *theirs = r->resume.from ? mw_checkpoint_setting(r->resume.from, END) : NULL;
    if (own->set->until > 0)
        return own->set->until;
    return theirs && !option_is_given(r->command, "steps") ? strtod(theirs, NULL) : 0;
}

static int read_end(struct run *r, double *until)
{
    const struct field_run *own = r->own;
    const double dt = own->options.dt, end = asked_end(r), count = end / dt;
    *until = end;
    if (end > 0 && option_is_given(r->command, "steps"))
        return mw_fail(MW_EINVAL, "--steps and --until exclude each other: give one of them");
    if (end > 0 && is_adaptive(own))
        r->set->steps = RUN_STEPS_OPEN;
    if (!(end > 0) || is_adaptive(own))
        return 0;
    if (count > STEPS_MOST || fabs(count - round(count)) > WHOLE || count < 0.5)
        return mw_fail(MW_EINVAL,
                       "--until %g is not a multiple of the time step %g: use --dt %.15g, or --integrator bs3", end, dt,
                       end / ceil(count));
    r->set->steps = (uint64_t)round(count);
    return 0;
}

int field_read_pace(struct run *r)
{
    struct field_run *own = r->own;
    struct mw_field_options *o = &own->options;
    o->dt = own->set->dt ? own->set->dt : own->info->dt;
    r->model.dt = o->dt;
    r->model.adaptive = is_adaptive(own);
    if (own->set->tolerance && !is_adaptive(own))
        return mw_fail(MW_EINVAL, "--tolerance requires an integrator that chooses its steps: --integrator bs3 or dp5");
    if (own->set->tolerance)
        TRY_RETURN(read_tolerance(own->set->tolerance, o));
    else if (is_adaptive(own))
        o->tolerance = MW_FIELD_TOLERANCE;
    if (is_adaptive(own) && o->tolerance_absolute == 0)
        o->tolerance_absolute = MW_FIELD_ABSOLUTE_PART * o->tolerance;
    return read_end(r, &own->until);
}

void field_pace_settings(const struct run *r, struct setting_list *list)
{
    const struct field_run *own = r->own;
    setting_add(list, false, "dt", "%s", real_text(own->options.dt).text);
    if (own->set->tolerance)
        setting_add(list, false, "tolerance", "%s", own->set->tolerance);
    if (is_adaptive(own))
        setting_add(list, true, END, "%s", own->until > 0 ? real_text(own->until).text : "none");
}

/* ---- steps ---- */

int field_proceed(const struct field_run *own, uint64_t steps)
{
    return is_adaptive(own) && own->until > 0 ? mw_field_advance_to(own->field, own->until, steps)
                                              : mw_field_advance(own->field, steps);
}

/* Before there is a field, the plan gets the time of the end. */
double field_time(const struct run *r, uint64_t step)
{
    const struct field_run *own = r->own;
    if (!is_adaptive(own))
        return (double)step * own->options.dt;
    return own->field ? mw_field_time(own->field) : own->until > 0 ? own->until : NAN;
}

double field_left(const struct run *r)
{
    const struct field_run *own = r->own;
    const double time = own->field ? mw_field_time(own->field) : 0;
    if (!is_adaptive(own) || own->until == 0)
        return 1;
    return time >= own->until ? 0 : fmax(1 - time / own->until, 1e-9);
}

/* ---- checkpoints ---- */

#define PACE "pace" /* name of the record */
struct saved_pace {
    double time, next, error, least, most;
    uint64_t rejected, evaluations;
};

int field_save_pace(const struct run *r, struct mw_checkpoint_writer *writer)
{
    const struct field_run *own = r->own;
    struct mw_field_pace p = MW_INIT(p);
    if (!is_adaptive(own))
        return 0;
    TRY_RETURN(mw_field_get_pace(own->field, &p));
    const struct saved_pace saved = { p.time, p.next, p.error, p.least, p.most, p.rejected, p.evaluations };
    return mw_checkpoint_put(writer, PACE, &saved, sizeof(saved));
}

int field_load_pace(struct run *r, const struct mw_checkpoint *checkpoint)
{
    const struct field_run *own = r->own;
    struct mw_field_pace p = MW_INIT(p);
    struct saved_pace saved;
    if (!is_adaptive(own))
        return 0;
    TRY_RETURN(mw_checkpoint_get(checkpoint, PACE, &saved, sizeof(saved)));
    p.time = saved.time;
    p.next = saved.next;
    p.error = saved.error;
    p.least = saved.least;
    p.most = saved.most;
    p.rejected = saved.rejected;
    p.evaluations = saved.evaluations;
    return mw_field_set_pace(own->field, &p);
}

/* ---- report ---- */

void field_put_pace(const struct run *r, struct node *to)
{
    const struct field_run *own = r->own;
    struct mw_field_pace p = MW_INIT(p);
    if (!is_adaptive(own) || mw_field_get_pace(own->field, &p) != 0)
        return;
    const uint64_t steps = mw_field_step(own->field);
    const double mean = steps ? p.time / (double)steps : NAN;
    show_row(put_count(to, "rejected_steps", p.rejected), "pace", "%s of %.4g to %.4g, %.4g on average; %s, %s",
             COUNTED(steps, "step"), p.least, p.most, mean, COUNTED(p.rejected, "rejected step"),
             COUNTED(p.evaluations, "evaluation"));
    put_real(to, "tolerance", own->options.tolerance);
    put_real(to, "tolerance_absolute", own->options.tolerance_absolute);
    put_count(to, "evaluations", p.evaluations);
    put_real(to, "least_step", p.least);
    put_real(to, "most_step", p.most);
    put_real(to, "mean_step", mean);
}
/* SPDX-License-Identifier: MIT */

/* The evolution of a field on one device: integrators, as passes over the array. */
#include <string.h>

#include "dev/backend.h"
#include "field/evolve/split.h"

/* One launch over the mesh: an update, or two of them at once. */
struct pass { struct mw_field_update update; bool twice, from_middle; double h1; };

static int updates_a_step(enum mw_integrator integrator)
{
    return integrator == MW_INTEGRATE_RK4 ? 4 : integrator == MW_INTEGRATE_RK2 ? 2 : 1;
}

unsigned mw_field_round_steps(enum mw_integrator integrator)
{
    return integrator == MW_INTEGRATE_EULER ? 2 : 1;
}

int mw_field_halo(enum mw_integrator integrator, const struct mw_reach *reach)
{
    const int halo = reach->reach * updates_a_step(integrator) * (int)mw_field_round_steps(integrator);
    const int most = halo > reach->energy ? halo : reach->energy;
    return most > 0 ? most : 1;
}

static void swap(struct mw_buffer **a, struct mw_buffer **b)
{
    struct mw_buffer *const held = *a;
    *a = *b;
    *b = held;
}

/* ---- passes ---- */

static int launch(struct mw_field *f, const struct pass *p, int first, int end)
{
    if (first >= end)
        return 0;
    f->first = first;
    f->end = end;
    if (p->twice)
        return mw_field_plan_step(f, &f->plan, p->update.out, p->update.in, p->h1, p->update.h, p->from_middle);
    return mw_field_plan_update(f, &f->plan, &p->update);
}

/* The last pass of a part's round: what neighbours wait for first, so that it is on its way while the rest is computed.
 * Native devices compute within the call, so that their borders are posted before it. */
static int borders_first(struct mw_field *f, const struct pass *p)
{
    const bool at_once = mw_device_info(f->device)->kind == MW_DEVICE_NATIVE;
    const int first = f->place.lower, end = first + f->place.own, borders = f->place.lower + f->place.upper;
    const int low = borders < f->place.own ? first + f->place.lower : end;
    const int high = borders < f->place.own ? end - f->place.upper : end;
    int rc;
    TRY(launch(f, p, first, low));
    TRY(launch(f, p, high, end));
    TRY(mw_borders_collect(f, p->update.out));
    if (at_once)
        TRY(mw_borders_post(f));
    else
        TRY(mw_device_flush(f->device));
    TRY(launch(f, p, low, high));
    if (!at_once) {
        TRY(mw_device_flush(f->device));
        TRY(mw_borders_post(f));
    }
out:
    return rc;
}

/* A pass over the field's own slabs and, in a part, those beyond that the rest of the round looks at. */
static int run(struct mw_field *f, const struct pass *p)
{
    const int slabs = f->place.lower + f->place.own + f->place.upper;
    f->updates_left -= p->twice ? 2 : 1;
    if (f->borders && f->updates_left == 0)
        return borders_first(f, p);
    const int beyond = f->updates_left * f->reach.reach;
    const int first = f->place.lower - beyond, end = f->place.lower + f->place.own + beyond;
    return launch(f, p, first > 0 ? first : 0, end < slabs ? end : slabs);
}

/* out = base + h rate(in) */
static int update(struct mw_field *f, struct mw_buffer *out, struct mw_buffer *base, struct mw_buffer *in, double h)
{
    return run(f, &(struct pass){ .update = { out, base, in, NULL, h, 0, 0 } });
}

static int update_twice(struct mw_field *f, double h1, double h, bool from_middle)
{
    const int rc = run(f, &(struct pass){ { f->temp, NULL, f->state, NULL, h, 0, 0 }, true, from_middle, h1 });
    swap(&f->state, &f->temp);
    return rc;
}

/* ---- integrators ---- */

static int euler(struct mw_field *f, double dt)
{
    const int rc = update(f, f->temp, f->state, f->state, dt);
    swap(&f->state, &f->temp);
    return rc;
}

/* Midpoint.  Kernels read what they update only where they write it, so that the second goes back into the state. */
static int rk2(struct mw_field *f, double dt)
{
    int rc;
    if (f->plan.variant.temporal)
        return update_twice(f, dt / 2, dt, false);
    TRY(update(f, f->temp, f->state, f->state, dt / 2));
    TRY(update(f, f->state, f->state, f->temp, dt));
out:
    return rc;
}

/* The classical method.  Its weighted sum of rates is collected on the way. */
static int rk4(struct mw_field *f, double dt)
{
    const struct pass passes[] = {
        { .update = { f->temp, f->state, f->state, f->sum, dt / 2, dt / 6, 1 } },
        { .update = { f->third, f->state, f->temp, f->sum, dt / 2, dt / 3, 2 } },
        { .update = { f->temp, f->state, f->third, f->sum, dt, dt / 3, 2 } },
        { .update = { f->state, f->sum, f->temp, NULL, dt / 6, 0, 0 } },
    };
    int rc = 0;
    for (size_t i = 0; i < MW_COUNT(passes); i++)
        TRY(run(f, &passes[i]));
out:
    return rc;
}

int mw_field_round(struct mw_field *f, unsigned steps)
{
    static int (*const methods[])(struct mw_field *, double) = { euler, rk2, rk4 };
    /* Two steps of Euler's in one pass: the noise of the second would be that of the first. */
    const bool pair = f->plan.variant.temporal && f->options.integrator == MW_INTEGRATE_EULER &&
                      !f->model->info.has_noise && steps == 2;
    int rc = 0;
    f->updates_left = updates_a_step(f->options.integrator) * (int)steps;
    for (unsigned done = 0; done < steps;) {
        const unsigned n = pair ? 2 : 1;
        mw_field_put_words(f, MW_PARAMS_STEP, f->step);
        TRY(pair ? update_twice(f, f->options.dt, f->options.dt, true)
                 : methods[f->options.integrator](f, f->options.dt));
        done += n;
        f->step += n;
    }
out:
    f->first = f->place.lower;
    f->end = f->place.lower + f->place.own;
    return rc;
}

/* ---- what users call ---- */

int mw_field_advance(struct mw_field *f, uint64_t steps)
{
    const unsigned each = mw_field_round_steps(f->options.integrator);
    int rc = 0;
    if (f->split)
        return mw_split_advance(f, steps);
    for (uint64_t done = 0; done < steps; done += each)
        TRY(mw_field_round(f, steps - done < each ? (unsigned)(steps - done) : each));
    TRY(mw_device_flush(f->device));
out:
    return rc;
}

int mw_field_sync(struct mw_field *field)
{
    size_t count;
    struct mw_field *const *parts = mw_field_parts_of(&field, &count);
    int rc = 0;
    for (size_t i = 0; i < count; i++)
        TRY(mw_device_finish(parts[i]->device));
out:
    return rc;
}

uint64_t mw_field_step(const struct mw_field *field)
{
    return field->split ? (*mw_split_parts(field->split, NULL))->step : field->step;
}

void mw_field_set_step(struct mw_field *field, uint64_t step)
{
    size_t count;
    struct mw_field *const *parts = mw_field_parts_of(&field, &count);
    for (size_t i = 0; i < count; i++)
        parts[i]->step = step;
}

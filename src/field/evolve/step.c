/* The evolution of one part: integrators, as passes over its array, in rounds. */
#include "dev/backend.h"
#include "field/evolve/evolve.h"

/* Rounds of a part with neighbours are timed from the third on, since drivers compile in the first: some at once, for a
 * first impression, and then a few, since a device is waited for before and after. */
#define COLD_ROUNDS 2
#define FIRST_ROUNDS 10
#define TIMED_EVERY 8

/* One launch over the mesh: an update, or two of them at once. */
struct pass { bool twice; struct mw_field_update one; struct mw_field_two_updates two; };

/* A part at work.  `updates_left` of a round: as many times REACH slabs beyond its own it needs. */
struct work { struct mw_part *part; double dt; int updates_left; };

static int updates_a_step(enum mw_integrator integrator)
{
    return integrator == MW_INTEGRATE_RK4 ? 4 : integrator == MW_INTEGRATE_RK2 ? 2 : 1;
}

unsigned mw_round_steps(enum mw_integrator integrator)
{
    return integrator == MW_INTEGRATE_EULER ? 2 : 1;
}

int mw_round_halo(const struct mw_problem *problem)
{
    const struct mw_reach *reach = problem->reach;
    const int updates = updates_a_step(problem->integrator) * (int)mw_round_steps(problem->integrator);
    const int halo = reach->reach * updates, most = halo > reach->energy ? halo : reach->energy;
    return most > 0 ? most : 1;
}

/* ---- passes ---- */

static int launch(struct mw_part *p, const struct pass *pass, int first, int end)
{
    const struct mw_slabs slabs = { first, end };
    if (first >= end)
        return 0;
    return pass->twice ? mw_field_plan_step(&p->plan, &p->array, &pass->two, slabs)
                       : mw_field_plan_update(&p->plan, &p->array, &pass->one, slabs);
}

/* The last pass of a round: what neighbours wait for first, so that it is on its way while the rest is computed.
 * Native devices compute within the call, so that their borders are posted before it. */
static int borders_first(struct mw_part *p, const struct pass *pass)
{
    const bool at_once = mw_device_info(p->array.device)->kind == MW_DEVICE_NATIVE;
    const struct mw_place *place = &p->array.place;
    const struct mw_slabs own = mw_place_own(place);
    const bool apart = place->lower + place->upper < place->own;
    const int low = apart ? own.first + place->lower : own.end, high = apart ? own.end - place->upper : own.end;
    int rc;
    TRY(launch(p, pass, own.first, low));
    TRY(launch(p, pass, high, own.end));
    TRY(mw_borders_collect(p, pass->twice ? pass->two.out : pass->one.out));
    if (at_once)
        TRY(mw_borders_post(p));
    else
        TRY(mw_device_flush(p->array.device));
    TRY(launch(p, pass, low, high));
    if (!at_once) {
        TRY(mw_device_flush(p->array.device));
        TRY(mw_borders_post(p));
    }
out:
    return rc;
}

/* A pass over the part's own slabs and those beyond that the rest of the round looks at. */
static int run(struct work *w, const struct pass *pass)
{
    struct mw_part *p = w->part;
    const struct mw_slabs own = mw_place_own(&p->array.place);
    const int slabs = mw_place_slabs(&p->array.place);
    w->updates_left -= pass->twice ? 2 : 1;
    if (p->borders.exchange && w->updates_left == 0)
        return borders_first(p, pass);
    const int beyond = w->updates_left * p->array.problem->reach->reach;
    const int first = own.first - beyond, end = own.end + beyond;
    return launch(p, pass, first > 0 ? first : 0, end < slabs ? end : slabs);
}

/* out = base + h rate(in) */
static int update(struct work *w, struct mw_buffer *out, struct mw_buffer *base, struct mw_buffer *in, double h)
{
    return run(w, &(struct pass){ .one = { out, base, in, NULL, h, 0, 0 } });
}

static int update_twice(struct work *w, double h1, double h, bool from_middle)
{
    struct mw_part *p = w->part;
    const int rc = run(w, &(struct pass){ .twice = true, .two = { p->temp, p->state, h1, h, from_middle } });
    mw_buffer_swap(&p->state, &p->temp);
    return rc;
}

/* ---- integrators ---- */

static int euler(struct work *w)
{
    struct mw_part *p = w->part;
    const int rc = update(w, p->temp, p->state, p->state, w->dt);
    mw_buffer_swap(&p->state, &p->temp);
    return rc;
}

/* Midpoint.  Kernels read what they update only where they write it, so that the second goes back into the state. */
static int rk2(struct work *w)
{
    struct mw_part *p = w->part;
    int rc;
    if (p->plan.variant.temporal)
        return update_twice(w, w->dt / 2, w->dt, false);
    TRY(update(w, p->temp, p->state, p->state, w->dt / 2));
    TRY(update(w, p->state, p->state, p->temp, w->dt));
out:
    return rc;
}

/* The classical method.  Its weighted sum of rates is collected on the way. */
static int rk4(struct work *w)
{
    const struct mw_part *p = w->part;
    const double dt = w->dt;
    const struct pass passes[] = {
        { .one = { p->temp, p->state, p->state, p->sum, dt / 2, dt / 6, 1 } },
        { .one = { p->third, p->state, p->temp, p->sum, dt / 2, dt / 3, 2 } },
        { .one = { p->temp, p->state, p->third, p->sum, dt, dt / 3, 2 } },
        { .one = { p->state, p->sum, p->temp, NULL, dt / 6, 0, 0 } },
    };
    int rc = 0;
    for (size_t i = 0; i < MW_COUNT(passes); i++)
        TRY(run(w, &passes[i]));
out:
    return rc;
}

/* ---- rounds ---- */

static int one_round(struct mw_part *p, double dt, unsigned steps)
{
    static int (*const methods[])(struct work *) = { euler, rk2, rk4 };
    const enum mw_integrator integrator = p->array.problem->integrator;
    /* Not two steps of Euler's in one pass: the noise of the second would be that of the first. */
    const bool pair = p->plan.variant.temporal && integrator == MW_INTEGRATE_EULER && steps == 2 &&
                      !p->array.problem->model->info.has_noise;
    struct work w = { p, dt, updates_a_step(integrator) * (int)steps };
    int rc = 0;
    for (unsigned done = 0; done < steps;) {
        const unsigned n = pair ? 2 : 1;
        TRY(mw_part_draw(p));
        TRY(pair ? update_twice(&w, dt, dt, true) : methods[integrator](&w));
        done += n;
        p->step += n;
    }
out:
    return rc;
}

static bool is_timed(uint64_t round)
{
    return round >= COLD_ROUNDS && (round < FIRST_ROUNDS || round % TIMED_EVERY == 0);
}

static int round_with_neighbours(struct mw_part *p, double dt, unsigned steps)
{
    struct mw_speed *speed = &p->speed;
    const bool timed = is_timed(speed->rounds++);
    double start = 0;
    int rc;
    if (timed) {
        TRY(mw_device_finish(p->array.device));
        start = mw_now();
    }
    TRY(one_round(p, dt, steps));
    if (timed) {
        TRY(mw_device_finish(p->array.device));
        speed->seconds += mw_now() - start;
        speed->timed_steps += steps;
        speed->timed_rounds++;
    }
    TRY(mw_borders_receive(p));
out:
    return rc;
}

int mw_part_advance(struct mw_part *p, double dt, uint64_t steps)
{
    int (*const round)(struct mw_part *, double, unsigned) = p->borders.exchange ? round_with_neighbours : one_round;
    const unsigned each = mw_round_steps(p->array.problem->integrator);
    int rc = 0;
    for (uint64_t done = 0; done < steps; done += each)
        TRY(round(p, dt, steps - done < each ? (unsigned)(steps - done) : each));
    TRY(mw_device_flush(p->array.device));
out:
    return rc;
}

/* Time steps of one part, as passes over its array.
 *
 * Integrators are explicit: Euler, the midpoint method (rk2), the classical Runge-Kutta method (rk4), and pairs of
 * methods (adaptive.c).  Each update is one pass; some variants combine several updates, or steps, in one launch.
 *
 * Parts with neighbours use overlapping halos (ghost zone expansion): a round of several steps begins with halos wide
 * enough for all its updates.  Each update computes fewer slabs of the halo than the previous one; after the last one
 * borders are exchanged.  Fewer exchanges are paid for by computing halo slabs twice. */
#include <math.h>

#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

/* Rounds of a part with neighbours are timed from the third on, since drivers compile in the first ones: first all
 * rounds, later one per TIMED_APART seconds, since timing waits for the device twice. */
#define COLD_ROUNDS 2
#define FIRST_ROUNDS 10
#define TIMED_APART 0.05

/* Overhead of a round as the number of cells that are updated in the same time: launches for borders, and waiting. */
#define ROUND_CELLS_GPU ((double)((size_t)8 << 20))
#define ROUND_CELLS ((double)((size_t)32 << 10))
#define ROUND_STEPS_MAX 32
/* Updates of a cell in the time of its transfer from the host and back, with a margin. */
#define VISIT_UPDATES_GPU 128
#define VISIT_UPDATES 32
#define HALO_PART 4 /* halos are at most a part's share divided by this */
/* Steps per batch of systems, which need no exchange. */
#define SYSTEM_STEPS 64

/* One launch over the mesh: an update, two updates, or `steps` time steps of `dt` from the state to `temp`. */
struct pass {
    bool twice;
    struct mw_field_update one;
    struct mw_field_two_updates two;
    unsigned steps;
    double dt;
};

/* A round of a part, on some of its slabs.  It still needs `updates_left` times `reach` slabs on either side. */
struct work {
    struct mw_part *part;
    double dt;
    struct mw_slabs slabs;
    int reach, updates_left;
};

/* Returns the slabs of neighbours that a step needs. */
static int step_reach(const struct mw_problem *problem)
{
    return mw_update_reach(problem) * mw_problem_updates(problem);
}

int mw_round_halo(const struct mw_problem *problem, unsigned steps)
{
    if (mw_field_has_systems(problem))
        return 0;
    const int halo = step_reach(problem) * (int)steps, energy = problem->reach->energy;
    const int most = halo > energy ? halo : energy;
    return most > 0 ? most : 1;
}

/* Rounds down to 1, 2, 4 or a multiple of 8, which launches can combine. */
static unsigned whole_launches(double steps)
{
    const unsigned n = (unsigned)steps;
    return n >= 8 ? n / 8 * 8 : n >= 4 ? 4 : n >= 2 ? 2 : 1;
}

unsigned mw_visit_steps(const struct mw_problem *problem, int slabs, bool gpu)
{
    /* Windows have at least four times the slabs of a halo. */
    const int halo = mw_round_halo(problem, 1);
    const double room = halo ? slabs / 6.0 / halo : HUGE_VAL;
    const double pays = (gpu ? VISIT_UPDATES_GPU : VISIT_UPDATES) / (double)mw_problem_updates(problem);
    return whole_launches(fmin(pays, room));
}

unsigned mw_round_steps(const struct mw_problem *problem, size_t slab_cells, int share, bool gpus)
{
    if (mw_field_has_systems(problem))
        return SYSTEM_STEPS;
    if (mw_problem_is_adaptive(problem))
        return 1;
    const int reach = step_reach(problem) > 0 ? step_reach(problem) : 1;
    const double room = share / HALO_PART / reach, most = room < ROUND_STEPS_MAX ? room : ROUND_STEPS_MAX;
    const double pays = mw_exchange_steps(gpus ? ROUND_CELLS_GPU : ROUND_CELLS, (double)slab_cells, reach);
    const double least = problem->integrator == MW_INTEGRATOR_EULER && most >= 2 ? 2 : 1; /* `temporal` takes two */
    const double wanted = pays < 8 ? pays : 8 * round(pays / 8);
    return whole_launches(fmax(least, fmin(wanted, most)));
}

/* ---- passes ---- */

static int launch(struct mw_part *p, const struct pass *pass, int first, int end)
{
    const struct mw_slabs slabs = { first, end };
    if (first >= end)
        return 0;
    if (pass->steps)
        return mw_field_plan_steps(p->single.kernels && pass->steps == 1 ? &p->single : &p->plan, &p->array, p->temp,
                                   p->state, pass->dt, pass->steps, slabs);
    return pass->twice ? mw_field_plan_step(&p->plan, &p->array, &pass->two, slabs)
                       : mw_field_plan_update(&p->plan, &p->array, &pass->one, slabs);
}

/* Runs the last pass of a round: first the neighbours' halos, so that their transfer overlaps with the rest. */
static int borders_first(struct mw_part *p, const struct pass *pass)
{
    const struct mw_place *place = &p->array.place;
    const struct mw_slabs own = mw_place_own(place);
    const bool apart = place->lower + place->upper < place->own;
    const int low = apart ? own.first + place->lower : own.end, high = apart ? own.end - place->upper : own.end;
    TRY_RETURN(launch(p, pass, own.first, low));
    TRY_RETURN(launch(p, pass, high, own.end));
    TRY_RETURN(mw_borders_send(p, pass->steps ? p->temp : pass->twice ? pass->two.out : pass->one.out));
    TRY_RETURN(launch(p, pass, low, high));
    return mw_port_post(&p->borders.port);
}

/* Runs a pass over the part's own slabs and the halo slabs that the rest of the round needs. */
static int step_run(struct work *w, const struct pass *pass)
{
    struct mw_part *p = w->part;
    const int slabs = mw_place_slabs(&p->array.place);
    w->updates_left -= pass->steps ? (int)pass->steps * mw_problem_updates(p->array.problem) : pass->twice ? 2 : 1;
    const bool exchanges = p->borders.port.exchange && !p->stream && !mw_field_has_systems(p->array.problem);
    if (exchanges && w->updates_left == 0)
        return borders_first(p, pass);
    const int beyond = w->updates_left * w->reach;
    const int first = w->slabs.first - beyond, end = w->slabs.end + beyond;
    return launch(p, pass, first > 0 ? first : 0, end < slabs ? end : slabs);
}

static int update_twice(struct work *w, double h1, double h, bool from_middle)
{
    struct mw_part *p = w->part;
    const int rc = step_run(w, &(struct pass){ .twice = true, .two = { p->temp, p->state, h1, h, from_middle } });
    mw_buffer_swap(&p->state, &p->temp);
    return rc;
}

/* Runs several steps in one launch. */
static int whole_steps(struct work *w, unsigned steps)
{
    struct mw_part *p = w->part;
    const int rc = step_run(w, &(struct pass){ .steps = steps, .dt = w->dt });
    mw_buffer_swap(&p->state, &p->temp);
    return rc;
}

/* Returns the time of update i within a step, in steps. */
static double part_of_step(int i) { return i == 0 ? 0 : i < 3 ? 0.5 : 1; }

/* Runs one step, one launch per update. */
static int updates(struct work *w)
{
    struct mw_part *p = w->part;
    const struct mw_problem *problem = p->array.problem;
    for (int i = 0; i < mw_problem_updates(problem); i++) {
        const struct pass pass = { .one = mw_field_plan_nth(&p->plan, problem, i, w->dt, p->state, p->temp) };
        TRY_RETURN(mw_part_set_time(p, pass.one.in, w->slabs, ((double)p->array.step + part_of_step(i)) * w->dt));
        TRY_RETURN(step_run(w, &pass));
    }
    if (problem->integrator == MW_INTEGRATOR_EULER)
        mw_buffer_swap(&p->state, &p->temp);
    return 0;
}

/* Runs as many steps as the plan combines, or one. */
static int take_steps(struct work *w, unsigned steps)
{
    const struct mw_field_plan *plan = &w->part->plan;
    const struct mw_problem *problem = w->part->array.problem;
    if (plan->shape.steps)
        return whole_steps(w, steps);
    if (steps == 2)
        return update_twice(w, w->dt, w->dt, true);
    if (problem->integrator == MW_INTEGRATOR_RK2 && mw_field_plan_pairs(plan, problem))
        return update_twice(w, w->dt / 2, w->dt, false);
    return updates(w);
}

/* ---- rounds ---- */

static int step_round_of(struct mw_part *p, double dt, unsigned steps, struct mw_slabs slabs)
{
    const struct mw_problem *problem = p->array.problem;
    const unsigned together = mw_field_plan_together(&p->plan, problem);
    const struct mw_shape *shape = &p->plan.shape;
    struct work w = { p, dt, slabs, mw_update_reach(problem), mw_problem_updates(problem) * (int)steps };
    for (unsigned done = 0; done < steps;) {
        const unsigned left = steps - done, n = left >= together ? together : mw_field_is_alone(shape) ? left : 1;
        TRY_RETURN(mw_field_plan_draw(&p->plan, &p->array, slabs));
        TRY_RETURN(take_steps(&w, n));
        done += n;
        p->array.step += n;
    }
    return 0;
}

/* Copies the maps of the state to another buffer that updates read or write. */
static int copy_maps(const struct mw_part *p, struct mw_buffer *to)
{
    const struct mw_model_info *info = &p->array.problem->model->info;
    const struct mw_quantities maps = { info->field_count, info->map_count };
    const int slabs = mw_place_slabs(&p->array.place);
    const struct mw_stretch all = { .count = slabs };
    for (size_t i = 0; i < mw_field_array_pieces(&p->array, maps, slabs); i++) {
        const struct mw_piece piece = mw_field_array_piece(&p->array, maps, i, &all, slabs);
        struct mw_event *done = NULL;
        TRY_RETURN(mw_buffer_copy(p->state, piece.at, to, piece.at, piece.bytes, &done));
        mw_event_free(done);
    }
    return 0;
}

static int share_maps(struct mw_part *p)
{
    const struct mw_field_plan *const plans[] = { &p->plan, &p->single };
    if (p->maps_are_shared || p->array.problem->model->info.map_count == 0)
        return 0;
    TRY_RETURN(copy_maps(p, p->temp));
    for (size_t i = 0; i < MW_COUNT(plans); i++)
        for (size_t k = 0; k < plans[i]->more_states; k++)
            TRY_RETURN(copy_maps(p, plans[i]->more[k]));
    p->maps_are_shared = true;
    return 0;
}

/* With several systems, each batch completes all steps before the next batch, on the same buffers. */
int mw_part_round(struct mw_part *p, double dt, unsigned steps)
{
    const struct mw_slabs own = mw_place_own(&p->array.place);
    struct mw_buffer *const state = p->state, *const temp = p->temp;
    const int batch = mw_field_plan_batch(&p->plan, &p->array);
    const uint64_t step = p->array.step;
    TRY_RETURN(share_maps(p));
    for (int first = own.first; first < own.end; first += batch) {
        const int end = first + batch;
        p->state = state;
        p->temp = temp;
        p->array.step = step;
        TRY_RETURN(step_round_of(p, dt, steps, (struct mw_slabs){ first, end < own.end ? end : own.end }));
    }
    return 0;
}

static bool is_timed(const struct mw_part_speed *s)
{
    return s->rounds >= COLD_ROUNDS && (s->rounds < FIRST_ROUNDS || mw_work_now() - s->timed_at >= TIMED_APART);
}

static int round_with_neighbours(struct mw_part *p, double dt, unsigned steps)
{
    struct mw_part_speed *speed = &p->speed;
    const bool timed = is_timed(speed);
    double start = 0;
    speed->rounds++;
    if (timed) {
        TRY_RETURN(mw_device_finish(p->array.device));
        start = mw_work_now();
    }
    TRY_RETURN(mw_part_round(p, dt, steps));
    if (timed) {
        TRY_RETURN(mw_device_finish(p->array.device));
        speed->timed_at = mw_work_now();
        speed->seconds += speed->timed_at - start;
        speed->timed_steps += steps;
        speed->timed_rounds++;
    }
    if (!mw_field_has_systems(p->array.problem))
        TRY_RETURN(mw_borders_receive(p));
    return 0;
}

int mw_part_advance(struct mw_part *p, double dt, uint64_t steps)
{
    if (p->spectral)
        return mw_spectral_advance(p, dt, steps);
    int (*const round)(struct mw_part *, double, unsigned) =
        p->borders.port.exchange ? round_with_neighbours : mw_part_round;
    const unsigned together = p->plan.shape.steps, launches = together > 2 ? together : 2;
    const bool rounds = p->borders.port.exchange || mw_field_has_systems(p->array.problem);
    const unsigned each = rounds ? p->round_steps : launches;
    for (uint64_t done = 0; done < steps; done += each)
        TRY_RETURN(round(p, dt, steps - done < each ? (unsigned)(steps - done) : each));
    return mw_device_flush(p->array.device);
}
/* SPDX-License-Identifier: MIT */

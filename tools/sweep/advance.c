/* meshwork sweep: runs all points at one size and computes estimates from their series. */
#include <math.h>

#include "tools/cli/passes.h"
#include "tools/cli/signals.h"
#include "tools/report/progress.h"
#include "tools/spin/spin.h"
#include "tools/sweep/sweep.h"

#define LOOK_SECONDS 0.1 /* between checks for a stop */

/* The system that has the parameters of each point, by copy, then point; and the end of the range that each system
 * visited last. */
struct tempering {
    struct mw_owner owner;
    size_t *system;
    signed char *from;
    uint64_t rounds;
};

struct walk {
    struct sweep *s;
    struct sweep_size *z;
    struct mw_spins *spins;
    struct mw_spin_measures *now; /* one per system */
    struct sweep_labels labels;
    struct tempering tempering;
    uint64_t most; /* steps between checks for a stop */
};

/* ---- series ---- */

static double *series_at(const struct sweep *s, double *series, size_t point, size_t copy)
{
    return series + (point * s->copies + copy) * s->samples;
}

/* Records a measurement of `points` points from `first` on. */
static void record(struct walk *w, size_t first, size_t points)
{
    const struct sweep *s = w->s;
    struct sweep_size *z = w->z;
    for (size_t point = first; point < first + points; point++) {
        const size_t at = z->measured[point]++;
        for (size_t copy = 0; copy < s->copies; copy++) {
            const struct mw_spin_measures *m = &w->now[w->tempering.system[copy * points + point - first]];
            series_at(s, z->energy, point, copy)[at] = m->energy;
            series_at(s, z->magnetisation, point, copy)[at] = m->magnetisation;
        }
    }
}

/* Records a measurement of components. */
static void record_labels(struct walk *w, size_t first, size_t points)
{
    const struct sweep *s = w->s;
    struct sweep_size *z = w->z;
    const size_t n = sweep_label_samples(s);
    for (size_t point = first; point < first + points; point++) {
        const size_t at = z->labelled[point]++;
        for (size_t copy = 0; copy < s->copies; copy++)
            for (size_t k = 0; k < SWEEP_LABELS; k++)
                z->label[k][(point * s->copies + copy) * n + at] =
                    w->labels.now[w->tempering.system[copy * points + point - first]].value[k];
    }
}

/* Moves the first n of `samples` values of each copy together: the series of a stopped sweep are shorter. */
static void move_together(double *series, size_t n, size_t samples, size_t copies)
{
    for (size_t copy = 1; copy < copies && n < samples; copy++)
        memmove(series + copy * n, series + copy * samples, n * sizeof(double));
}

static int estimate_labels(const struct sweep *s, struct sweep_size *z, size_t point)
{
    const size_t n = z->labelled[point], samples = sweep_label_samples(s);
    for (size_t k = 0; k < SWEEP_LABELS; k++) {
        double *series = z->label[k] + point * s->copies * samples;
        move_together(series, n, samples, s->copies);
        TRY_RETURN(sweep_label_estimate(series, n, s->copies, &z->components[k][point]));
    }
    return 0;
}

/* Computes the estimates of all points. */
static int estimate(const struct sweep *s, struct sweep_size *z)
{
    struct mw_spin_options options = z->options;
    struct mw_spin_measures ground;
    bool known;
    for (size_t point = 0; point < s->point_count; point++) {
        const size_t n = z->measured[point];
        struct spin_settling *settling = &z->settling[point];
        double *energy = series_at(s, z->energy, point, 0), *magnetisation = series_at(s, z->magnetisation, point, 0);
        move_together(energy, n, s->samples, s->copies);
        move_together(magnetisation, n, s->samples, s->copies);
        if (s->set->label_every)
            TRY_RETURN(estimate_labels(s, z, point));
        options.params = s->points[point].params;
        z->found[point].size = sizeof z->found[point];
        settling->energy.size = settling->absolute.size = sizeof settling->energy;
        known = spin_ground(s->team.device, s->team.count, s->file, &options, energy, n, s->copies, &ground);
        TRY_RETURN(mw_spin_equilibrium_estimate(energy, magnetisation, n, s->copies, (double)z->cells,
                                                s->points[point].temperature, &z->found[point]));
        TRY_RETURN(mw_spin_equilibrium_settling(energy, magnetisation, n, s->copies, 0,
                                                z->options.update == MW_SPIN_UPDATE_EXCHANGE, known ? &ground : NULL,
                                                &z->found[point], &settling->energy, &settling->absolute));
    }
    return 0;
}

/* ---- parallel tempering ---- */

static int tempering_new(const struct sweep *s, struct tempering *t)
{
    const size_t count = s->copies * s->point_count;
    TRY_RETURN(mw_own_new(&t->owner, count, sizeof(*t->system), &t->system));
    TRY_RETURN(mw_own_new(&t->owner, count, sizeof(*t->from), &t->from));
    for (size_t i = 0; i < count; i++)
        t->system[i] = i;
    return 0;
}

static int exchange(const struct sweep *s, const struct tempering *t, struct mw_spins *spins, size_t place,
                    size_t point)
{
    size_t *system = &t->system[place];
    const size_t first = system[0];
    system[0] = system[1];
    system[1] = first;
    TRY_RETURN(mw_spins_set_params(spins, system[0], s->points[point].params));
    return mw_spins_set_params(spins, system[1], s->points[point + 1].params);
}

/* A system that returns to the first point from the last has made a round trip. */
static void count_trips(const struct sweep *s, struct sweep_size *z, struct tempering *t, size_t copy)
{
    const size_t *system = &t->system[copy * s->point_count];
    signed char *first = &t->from[system[0]], *last = &t->from[system[s->point_count - 1]];

    z->exchanges.trips += *first < 0;
    *first = 1;
    *last = *last ? -1 : 0;
}

/* Proposes exchanges between neighbouring points; every second pair, in turn. */
static int tempering_exchange(const struct sweep *s, struct sweep_size *z, struct tempering *t, struct mw_spins *spins,
                              const struct mw_spin_measures *now, uint64_t step)
{
    const double cells = (double)z->cells;
    for (size_t copy = 0; copy < s->copies; copy++) {
        for (size_t i = t->rounds % 2; i + 1 < s->point_count; i += 2) {
            const size_t place = copy * s->point_count + i, *system = &t->system[place];
            const double cold = 1 / s->points[i].temperature, warm = 1 / s->points[i + 1].temperature;
            const double energy = cells * (now[system[0]].energy - now[system[1]].energy);
            z->exchanges.tried[i]++;
            if (!mw_spin_exchanged(z->options.seed, step, place, (cold - warm) * energy))
                continue;
            z->exchanges.accepted[i]++;
            TRY_RETURN(exchange(s, t, spins, place, i));
        }
        count_trips(s, z, t, copy);
    }
    t->rounds++;
    return 0;
}

/* ---- steps ---- */

/* Returns the number of steps from `step` to the next one of a schedule that starts at `from`. */
static uint64_t until(uint64_t step, uint64_t from, uint64_t every)
{
    return !every ? UINT64_MAX : step < from ? from - step : every - (step - from) % every;
}

static int advance_advance(struct walk *w, uint64_t steps)
{
    struct sweep *s = w->s;
    const double start = mw_now();
    TRY_RETURN(mw_spins_advance(w->spins, steps));
    TRY_RETURN(mw_spins_sync(w->spins));
    if (steps == w->most && mw_now() - start < LOOK_SECONDS / 2)
        w->most *= 2;
    else if (mw_now() - start > LOOK_SECONDS && w->most > 1)
        w->most /= 2;
    s->done += (double)steps * (double)w->z->cells * (double)w->z->options.systems;
    progress_show(NULL, (uint64_t)ceil(s->done * 1e-6), (uint64_t)ceil(s->all * 1e-6));
    s->stopped = signals_stopped();
    return 0;
}

/* Warms up, then measures the points whose parameters the systems have. */
static int measure_points(struct walk *w, size_t first, size_t points)
{
    struct sweep *s = w->s;
    const uint64_t begun = mw_spins_step(w->spins), last = s->warm_up + s->samples * s->every;
    for (uint64_t step = 0; step < last && !s->stopped;) {
        const uint64_t to_measure = until(step, s->warm_up, s->every), to_exchange = until(step, 0, s->set->temper);
        TRY_RETURN(advance_advance(w, mw_min(mw_min(to_measure, to_exchange), mw_min(w->most, last - step))));
        step = mw_spins_step(w->spins) - begun;
        const bool measure = step > s->warm_up && until(step, s->warm_up, s->every) == s->every;
        const bool exchange = s->set->temper && step % s->set->temper == 0;
        if (measure || exchange)
            TRY_RETURN(mw_spins_measure(w->spins, w->now));
        if (measure)
            record(w, first, points);
        if (measure && s->set->label_every && until(step, s->warm_up, s->set->label_every) == s->set->label_every) {
            TRY_RETURN(sweep_label_measure(w->z, &w->labels, w->spins));
            record_labels(w, first, points);
        }
        if (exchange)
            TRY_RETURN(tempering_exchange(s, w->z, &w->tempering, w->spins, w->now, begun + step));
    }
    return 0;
}

/* Runs the points one after the other, with the same systems. */
static int anneal(struct walk *w)
{
    struct sweep *s = w->s;
    for (size_t point = 0; point < s->point_count && !s->stopped; point++) {
        for (size_t copy = 0; copy < s->copies; copy++)
            TRY_RETURN(mw_spins_set_params(w->spins, copy, s->points[point].params));
        TRY_RETURN(measure_points(w, point, 1));
    }
    return 0;
}

static int all_points(struct walk *w)
{
    struct sweep *s = w->s;
    for (size_t i = 0; i < w->z->options.systems; i++)
        TRY_RETURN(mw_spins_set_params(w->spins, i, s->points[i % s->point_count].params));
    return measure_points(w, 0, s->point_count);
}

int sweep_size_run(struct sweep *s, struct sweep_size *z)
{
    struct walk w = { .s = s, .z = z, .most = 1 };
    struct phase phase = phase_begin();
    double built = 0;
    int rc;
    TRY(mw_new(z->options.systems, sizeof(*w.now), &w.now));
    TRY(tempering_new(s, &w.tempering));
    TRY(mw_spins_new(s->team.device, s->team.count, s->file, &z->options, &w.spins));
    TRY(mw_spins_sync(w.spins));
    TRY(sweep_label_new(s, z, &w.labels));
    s->setup_seconds += phase_end(&phase, &built);
    if (output_verbose())
        print_note("%s: %s, variant %s", size_text(&z->size, "x").text, COUNTED(z->options.systems, "system"),
                   mw_spins_variant(w.spins));
    phase = phase_begin();
    TRY(s->set->anneal ? anneal(&w) : all_points(&w));
    z->seconds = phase_end(&phase, &built);
    s->setup_seconds += built;
    TRY(estimate(s, z));
out:
    sweep_label_free(&w.labels);
    mw_spins_free(w.spins);
    mw_owner_drop(&w.tempering.owner);
    free(w.now);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* meshwork sweep: parallel tempering. */
#include "tools/sweep/sweep.h"

int tempering_new(const struct sweep *s, struct tempering *t)
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

int tempering_exchange(const struct sweep *s, struct sweep_size *z, struct tempering *t, struct mw_spins *spins,
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
/* SPDX-License-Identifier: MIT */

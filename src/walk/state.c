/* The state of walks: copies to and from the host, as a field, and measures. */
#include <math.h>

#include "io/array.h"
#include "walk/walk_internal.h"

static enum mw_type walk_state_type_of(const struct mw_walk *w)
{
    return w->options.single ? MW_TYPE_F32 : MW_TYPE_F64;
}

static double value_of(const struct mw_walk *w, const void *values, size_t i)
{
    return w->options.single ? ((const float *)values)[i] : ((const double *)values)[i];
}

int mw_walk_get_into(struct mw_walk *w, struct mw_array *state)
{
    const size_t n = mw_walk_reached(w, w->step);
    TRY_RETURN(mw_walk_check(w));
    TRY_RETURN(mw_array_check(state, "probabilities", walk_state_type_of(w), 1, &n));
    for (size_t i = 0; i < w->count; i++)
        TRY_RETURN(mw_walk_device_read(&w->parts[i], n, state->data));
    return 0;
}

int mw_walk_get(struct mw_walk *w, struct mw_array *state)
{
    const size_t n = mw_walk_reached(w, w->step);
    struct mw_array array = { 0 };
    int rc;
    TRY(mw_array_new(walk_state_type_of(w), 1, &n, &array));
    TRY(mw_walk_get_into(w, &array));
    *state = array;
    array = (struct mw_array){ 0 };
out:
    mw_array_free(&array);
    return rc;
}

int mw_walk_put(struct mw_walk *w, uint64_t step, const void *values)
{
    const double least = ldexp(1, -(w->options.single ? WALK_LEAST_SINGLE : WALK_LEAST_DOUBLE));
    const size_t n = mw_walk_reached(w, step);
    for (size_t i = 0; i < n; i++) {
        const double value = value_of(w, values, i);
        if (value != 0 && !(value >= least && isfinite(value)))
            return mw_fail(MW_EINVAL, "the state has value %g at site %zu (must be 0, or at least %g)", value, i,
                           least);
    }
    w->failed = true; /* until all parts have their values */
    for (size_t i = 0; i < w->count; i++)
        TRY_RETURN(mw_walk_device_write(&w->parts[i], n, values));
    w->failed = false;
    w->step = step;
    return 0;
}

int mw_walk_set(struct mw_walk *w, uint64_t step, const struct mw_array *state)
{
    TRY_RETURN(mw_walk_check(w));
    if (step > w->options.steps)
        return mw_fail(MW_EINVAL, "the walk has %llu steps, but the state is from step %llu",
                       (unsigned long long)w->options.steps, (unsigned long long)step);
    if (state->type != walk_state_type_of(w) || state->dims != 1 || state->count != mw_walk_reached(w, step))
        return mw_fail(MW_EINVAL, "the state after %llu steps must be one-dimensional, with %zu numbers of type %s",
                       (unsigned long long)step, mw_walk_reached(w, step), mw_type_name(walk_state_type_of(w)));
    return mw_walk_put(w, step, state->data);
}

int mw_walk_field(struct mw_walk *w, int64_t *low, struct mw_array *field)
{
    const unsigned dims = w->sites.dims;
    int32_t least[MW_CARPET_DIMS_MAX] = { 0 }, most[MW_CARPET_DIMS_MAX] = { 0 };
    struct mw_array state = { 0 }, array = { 0 };
    size_t length[MW_CARPET_DIMS_MAX];
    int rc;
    TRY(mw_walk_get(w, &state));
    for (size_t i = 0; i < state.count * dims; i++) {
        const int32_t at = w->sites.places[i];
        least[i % dims] = at < least[i % dims] ? at : least[i % dims];
        most[i % dims] = at > most[i % dims] ? at : most[i % dims];
    }
    for (unsigned d = 0; d < dims; d++)
        length[d] = (size_t)(most[d] - least[d]) + 1;
    TRY(mw_array_new(state.type, dims, length, &array));
    for (size_t i = 0; i < state.count; i++) {
        size_t at = 0;
        for (unsigned d = dims; d-- > 0;)
            at = at * length[d] + (size_t)(w->sites.places[i * dims + d] - least[d]);
        memcpy((char *)array.data + at * w->real_bytes, (const char *)state.data + i * w->real_bytes, w->real_bytes);
    }
    for (unsigned d = 0; d < dims; d++)
        low[d] = least[d];
    *field = array;
    array = (struct mw_array){ 0 };
out:
    mw_array_free(&array);
    mw_array_free(&state);
    return rc;
}

/* Compensated sum: as accurate as in twice the precision, then rounded (Ogita, Rump and Oishi, SIAM Journal on
 * Scientific Computing 26 (2005) 1955). */
struct sum {
    double all, lost;
};

static inline void walk_state_add(struct sum *s, double number)
{
    const double all = s->all + number, added = all - s->all;
    s->lost += (s->all - (all - added)) + (number - added);
    s->all = all;
}

/* Sums in the order of sites, so that the split does not matter. */
int mw_walk_measure(struct mw_walk *w, struct mw_walk_measures *measures)
{
    const unsigned dims = w->sites.dims;
    const int32_t *place = w->sites.places;
    struct sum total = { 0, 0 }, squares = { 0, 0 };
    struct mw_array state = { 0 };
    int rc;
    TRY(MW_RESULT_GIVE(mw_walk_measures, NULL, square_displacement, measures));
    TRY(mw_walk_get(w, &state));
    for (size_t i = 0; i < state.count; i++) {
        const double value = value_of(w, state.data, i);
        int64_t square = 0;
        for (unsigned d = 0; d < dims; d++, place++)
            square += (int64_t)*place * *place;
        walk_state_add(&total, value);
        walk_state_add(&squares, value * (double)square);
    }
    const struct mw_walk_measures found = { .size = sizeof found,
                                            .total = total.all + total.lost,
                                            .square_displacement = squares.all + squares.lost };
    TRY(MW_RESULT_GIVE(mw_walk_measures, &found, square_displacement, measures));
out:
    mw_array_free(&state);
    return rc;
}
/* SPDX-License-Identifier: MIT */

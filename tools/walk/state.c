/* meshwork walk: states, their measurements and pictures. */
#include <math.h>

#include "tools/run/pictures/picture.h"
#include "tools/walk/walk.h"

#define PICTURE 512 /* minimum of about this many pixels along the longer side of a picture */
#define DECADES 12  /* decades of probability shown in a picture, from the largest downwards */

/* ---- states ---- */

int walk_init(struct run *r)
{
    struct walk_run *own = r->own;
    own->step = 0;
    return 0;
}

int walk_load(struct run *r, const struct mw_checkpoint *checkpoint)
{
    struct walk_run *own = r->own;
    const uint64_t step = mw_checkpoint_step(checkpoint);
    const size_t bytes = mw_type_bytes(walk_state_type(r));
    char *state = NULL;
    size_t count = 0;
    int rc;
    if (own->runs > 1 && strcmp(mw_checkpoint_setting(checkpoint, "steps"), own->steps_text) != 0)
        return mw_fail(MW_EINVAL,
                       "checkpoint %s has %zu walks of %s steps each, some of them complete: resume with "
                       "the same number of steps",
                       mw_checkpoint_path(checkpoint), own->runs, mw_checkpoint_setting(checkpoint, "steps"));
    TRY(walk_load_points(r, checkpoint));
    for (size_t i = 0; i < own->batch; i++)
        count += walk_one_elements(r, &own->one[i], step);
    TRY(mw_new(count, bytes, &state));
    TRY(mw_checkpoint_get(checkpoint, RUN_STATE, state, count * bytes));
    for (size_t i = 0, at = 0; i < own->batch; i++) {
        const size_t n = walk_one_elements(r, &own->one[i], step);
        TRY(walk_one_set(r, &own->one[i], step, state + at * bytes, n));
        at += n;
    }
    own->step = r->observe.state_step = step;
    own->loaded = true;
out:
    free(state);
    return rc;
}

/* The states of all current walks, one after the other. */
int walk_read(struct run *r, uint64_t step)
{
    struct walk_run *own = r->own;
    const size_t bytes = mw_type_bytes(walk_state_type(r));
    struct mw_array part = { 0 }, all = { 0 };
    size_t count = 0;
    int rc = 0;
    mw_array_free(&r->observe.state);
    for (size_t i = 0; i < own->batch; i++) {
        own->one[i].elements = walk_one_elements(r, &own->one[i], own->step);
        count += own->one[i].elements;
    }
    if (own->batch == 1)
        return walk_one_get(&own->one[0], &r->observe.state);
    TRY(mw_array_new(walk_state_type(r), 1, &count, &all));
    for (size_t i = 0, at = 0; i < own->batch; at += own->one[i++].elements) {
        mw_array_free(&part);
        TRY(walk_one_get(&own->one[i], &part));
        memcpy((char *)all.data + at * bytes, part.data, part.count * bytes);
    }
    r->observe.state = all;
    all.data = NULL;
out:
    mw_array_free(&part);
    mw_array_free(&all);
    return rc;
}

int walk_measure(struct run *r)
{
    struct walk_run *own = r->own;
    return walk_one_measure(r, &own->one[0], &own->now);
}

void walk_note_checksums(const struct run *r)
{
    struct walk_run *own = r->own;
    struct mw_array part = { .type = r->observe.state.type, .dims = 1 };
    const char *at = r->observe.state.data;
    for (size_t i = 0; i < own->batch; i++) {
        part.count = part.length[0] = own->one[i].elements;
        part.data = (void *)at;
        own->checksums[own->first + i] = mw_array_checksum(&part);
        at += part.count * mw_type_bytes(part.type);
    }
}

uint64_t walk_checksum(const struct run *r)
{
    const struct walk_run *own = r->own;
    const struct mw_array all = {
        .type = MW_TYPE_U64, .dims = 1, .length = { own->ended }, .count = own->ended, .data = own->checksums
    };
    return own->runs == 1 ? mw_array_checksum(&r->observe.state) : mw_array_checksum(&all);
}

/* ---- reports ---- */

void walk_print(const struct run *r, uint64_t step)
{
    const struct walk_run *own = r->own;
    print_note("step %llu: <r^2> %.9g, %zu %s", (unsigned long long)step, own->now.square_displacement,
               r->observe.state.count, own->set->method == WALK_MASTER ? "sites" : "coordinates");
}

void walk_row(const struct run *r, uint64_t step, struct series_row *row)
{
    const struct walk_run *own = r->own;
    series_row_add(row, own->now.square_displacement, "msd");
    if (own->set->method == WALK_MASTER)
        series_row_add(row, own->now.total, "total_probability");
    else
        series_row_add(row, own->now.error, "msd_error");
}

/* ---- fields and pictures of the first walk ---- */

static int places_of(struct run *r, struct mw_array *places)
{
    struct walk_run *own = r->own;
    const size_t length[] = { own->info->dims, own->one[0].elements };
    struct mw_array a = { 0 };
    int rc;
    if (!own->one[0].walk)
        return mw_walkers_get(own->one[0].walkers, places);
    TRY(mw_array_new(MW_TYPE_I32, 2, length, &a));
    TRY(mw_walk_places(own->one[0].walk, length[1], a.data));
    *places = a;
    a.data = NULL;
out:
    mw_array_free(&a);
    return rc;
}

/* Returns the probability of element k of the state; each walker has an equal share. */
static double probability(const struct run *r, size_t k)
{
    const struct walk_run *own = r->own;
    if (own->set->method != WALK_MASTER)
        return 1 / (double)own->set->walkers;
    const void *data = r->observe.state.data;

    return r->model.fp64 ? ((const double *)data)[k] : (double)((const float *)data)[k];
}

/* Finds the box of the start and of the elements with at least this probability. */
static void find_box(const struct run *r, const struct mw_array *places, double least, struct walk_box *box)
{
    const size_t dims = places->length[0];
    int32_t high[MW_CARPET_DIMS_MAX] = { 0 };
    *box = (struct walk_box){ { 0 }, { 1, 1, 1 } };
    for (size_t k = 0; k < places->length[1]; k++) {
        const int32_t *place = (const int32_t *)places->data + k * dims;
        for (size_t d = 0; d < dims && probability(r, k) >= least; d++) {
            box->low[d] = box->low[d] < place[d] ? box->low[d] : place[d];
            high[d] = high[d] > place[d] ? high[d] : place[d];
            box->length[d] = (size_t)((int64_t)high[d] - box->low[d]) + 1;
        }
    }
}

/* Returns the smallest probability shown in a picture. */
static double least_shown(const struct run *r, const struct mw_array *places)
{
    double most = 0;
    if (((const struct walk_run *)r->own)->set->method != WALK_MASTER)
        return 0;
    for (size_t k = 0; k < places->length[1]; k++)
        if (probability(r, k) > most) /* no fmax: gcc 12 for arm64 fails on it in this loop */
            most = probability(r, k);
    return most * pow(10, -DECADES);
}

int walk_shown_box(struct run *r, struct walk_box *box)
{
    struct mw_array places = { 0 };
    int rc;
    TRY(places_of(r, &places));
    find_box(r, &places, least_shown(r, &places), box);
out:
    mw_array_free(&places);
    return rc;
}

/* Sums probabilities in a box.  A plane of a three-dimensional carpet contains only the places in it. */
static void walk_state_fill(const struct run *r, const struct mw_array *places, const struct walk_box *box,
                            const struct mw_array *to)
{
    const size_t dims = places->length[0];
    for (size_t k = 0; k < places->length[1]; k++) {
        const int32_t *place = (const int32_t *)places->data + k * dims;
        size_t at = 0;
        bool within = dims == to->dims || place[dims - 1] == 0;
        for (size_t d = to->dims; d-- > 0;) {
            const int64_t x = (int64_t)place[d] - box->low[d];
            within = within && x >= 0 && x < (int64_t)to->length[d];
            at = at * to->length[d] + (within ? (size_t)x : 0);
        }
        if (within)
            ((double *)to->data)[at] += probability(r, k);
    }
}

int walk_field(struct run *r, struct mw_array *field)
{
    struct walk_run *own = r->own;
    struct mw_array places = { 0 };
    int64_t low[MW_CARPET_DIMS_MAX];
    struct walk_box box;
    int rc;
    if (own->one[0].walk)
        return mw_walk_field(own->one[0].walk, low, field);
    TRY(places_of(r, &places));
    find_box(r, &places, 0, &box);
    TRY(mw_array_new(MW_TYPE_F64, own->info->dims, box.length, field));
    walk_state_fill(r, &places, &box, field);
out:
    mw_array_free(&places);
    return rc;
}

/* Chooses the pixels per site, so that a short walk is not a speck. */
size_t walk_pixels_per_site(const struct walk_box *box)
{
    const size_t longest = box->length[0] > box->length[1] ? box->length[0] : box->length[1];
    return longest < PICTURE ? PICTURE / longest : 1;
}

/* Draws the plane through the start on a logarithmic scale, cut off some decades below the largest value. */
int walk_show(struct run *r, const char *what, struct shown *shown)
{
    struct walk_run *own = r->own;
    struct mw_array places = { 0 }, plane = { 0 };
    struct walk_box box;
    double most = 0;
    int rc;
    if (!shown)
        return 0;
    TRY(places_of(r, &places));
    find_box(r, &places, least_shown(r, &places), &box);
    TRY(mw_array_new(MW_TYPE_F64, 2, box.length, &plane));
    *shown = (struct shown){ .name = own->one[0].walk ? "log10 of the probability" : "log10 of the fraction of walkers",
                             .values = plane,
                             .owned = plane.data,
                             .systems = 1,
                             .is_plane = true,
                             .first = { (double)box.low[0], (double)box.low[1] } };
    shown->colours = "viridis";
    walk_state_fill(r, &places, &box, &plane);
    for (size_t i = 0; i < plane.count; i++)
        most = fmax(most, ((const double *)plane.data)[i]);
    shown->hi = most > 0 ? log10(most) : 0; /* in three dimensions all walkers may be outside the plane */
    shown->lo = own->one[0].walk ? shown->hi - DECADES : -log10((double)own->set->walkers) - 1;
    for (size_t i = 0; i < plane.count; i++)
        ((double *)plane.data)[i] = fmax(shown->lo, log10(((const double *)plane.data)[i]));
out:
    mw_array_free(&places);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* The sites that a walk can reach, in the order of a breadth-first search from the start. */
#include <math.h>

#include "walk/carpet_internal.h"
#include "walk/walk_internal.h"

/* ---- reach ---- */

/* A reversible walk, as this one, has p <= 2 exp(-d^2 / 2t) (Carne, Bulletin des Sciences Mathematiques 109 (1985)
 * 399).  Twice as much leaves a margin for rounding. */
uint64_t mw_walk_reach(uint64_t steps, bool fp64)
{
    const double bits = (fp64 ? WALK_LEAST_DOUBLE : WALK_LEAST_SINGLE) + 2;
    const double reach = sqrt(2 * (double)steps * bits * 0.6931471805599453) + 1;
    return reach < (double)steps ? (uint64_t)reach : steps;
}

/* ---- the search ----
 *
 * The key of a site packs its place into one number, ordered by (z, y, x).  For sites in order, their neighbours on one
 * side are in order too, so a level is merged from 2 dims such lists. */

enum { FIELD_2 = 32, FIELD_3 = 21 }; /* bits of a coordinate */

struct search {
    struct mw_walk_tiles *tiles;
    struct mw_walk_sites *sites;
    unsigned dims, field;
    int32_t farthest;       /* bound of the coordinates */
    uint64_t *level, *next; /* keys */
    size_t level_count, next_count, level_room, next_room;
    size_t place_room, within_room;
};

static void sites_place_of(const struct search *s, uint64_t key, int32_t *place)
{
    for (unsigned d = 0; d < s->dims; d++)
        place[d] = (int32_t)(key >> d * s->field & (((uint64_t)1 << s->field) - 1)) - s->farthest;
}

int mw_walk_grow(void *pointer_to_array, size_t count, size_t more, size_t size, size_t *room)
{
    const size_t least = count + more, larger = 2 * *room > least ? 2 * *room : least + 1024;
    void *array, *wider;
    size_t bytes;
    if (least <= *room)
        return 0;
    memcpy(&array, pointer_to_array, sizeof array);
    if (!mw_mul(larger, size, &bytes) || !(wider = realloc(array, bytes)))
        return mw_fail(MW_ENOMEM, "out of memory for a walk of more than %zu sites: use fewer steps", count);
    *room = larger;
    memcpy(pointer_to_array, &wider, sizeof wider);
    return 0;
}

/* Adds the site of a key if it is accessible and new. */
static int sites_visit(struct search *s, uint64_t key)
{
    struct mw_walk_sites *sites = s->sites;
    int32_t place[MW_CARPET_DIMS_MAX], *number;
    sites_place_of(s, key, place);
    TRY_RETURN(mw_walk_tiles_find(s->tiles, place, &number));
    if (!number || *number >= 0)
        return 0;
    if (sites->count >= INT32_MAX - 2)
        return mw_fail(MW_ELIMIT, "a walk of more than %zu sites is not supported (at most %d): use fewer steps",
                       sites->count, INT32_MAX - 2);
    TRY_RETURN(mw_walk_grow(&sites->places, sites->count, 1, s->dims * sizeof *sites->places, &s->place_room));
    TRY_RETURN(mw_walk_grow(&s->next, s->next_count, 1, sizeof *s->next, &s->next_room));
    memcpy(sites->places + sites->count * s->dims, place, s->dims * sizeof *place);
    s->next[s->next_count++] = key;
    *number = (int32_t)sites->count++;
    return 0;
}

/* Visits all neighbours of the level in the order of keys. */
static int visit_next(struct search *s)
{
    size_t at[WALK_ADJACENT] = { 0 };
    uint64_t head[WALK_ADJACENT], offset[WALK_ADJACENT];
    const unsigned lists = 2 * s->dims;
    for (unsigned j = 0; j < lists; j++) {
        offset[j] = (uint64_t)1 << j / 2 * s->field;
        offset[j] = j % 2 ? offset[j] : -offset[j];
        head[j] = s->level[0] + offset[j];
    }
    for (;;) {
        unsigned least = 0;
        for (unsigned j = 1; j < lists; j++)
            least = head[j] < head[least] ? j : least;
        if (head[least] == UINT64_MAX)
            break;
        TRY_RETURN(sites_visit(s, head[least]));
        at[least]++;
        head[least] = at[least] < s->level_count ? s->level[at[least]] + offset[least] : UINT64_MAX;
    }
    return 0;
}

/* Ends a level: stores the number of sites so far, and makes the new sites the level. */
static int end_level(struct search *s)
{
    struct mw_walk_sites *sites = s->sites;
    uint64_t *const level = s->level;
    const size_t room = s->level_room;
    TRY_RETURN(mw_walk_grow(&sites->within, sites->levels, 1, sizeof *sites->within, &s->within_room));
    sites->within[sites->levels++] = sites->count;
    s->level = s->next;
    s->level_count = s->next_count;
    s->level_room = s->next_room;
    s->next = level;
    s->next_count = 0;
    s->next_room = room;
    return 0;
}

static int search_levels(struct search *s, uint64_t steps)
{
    uint64_t key = 0;
    for (unsigned d = 0; d < s->dims; d++)
        key |= (uint64_t)s->farthest << d * s->field;
    TRY_RETURN(sites_visit(s, key));
    TRY_RETURN(end_level(s));
    for (uint64_t step = 0; step < steps && s->level_count > 0; step++) {
        if (step >= (uint64_t)s->farthest - 2)
            return mw_fail(MW_ELIMIT, "a walk reaches more than %d steps from its start: use fewer steps", s->farthest);
        TRY_RETURN(visit_next(s));
        if (s->next_count == 0)
            break;
        TRY_RETURN(end_level(s));
    }
    return 0;
}

/* ---- neighbours ---- */

static int find_neighbours(struct search *s)
{
    struct mw_walk_sites *sites = s->sites;
    const size_t n = sites->count;
    const int32_t absent = (int32_t)n, beyond = absent + 1;
    int32_t place[MW_CARPET_DIMS_MAX], *number;
    TRY_RETURN(mw_new(2 * s->dims * n, sizeof *sites->neighbours, &sites->neighbours));
    for (size_t i = 0; i < n; i++) {
        memcpy(place, sites->places + i * s->dims, s->dims * sizeof *place);
        for (unsigned j = 0; j < 2 * s->dims; j++) {
            place[j / 2] += j % 2 ? 1 : -1;
            TRY_RETURN(mw_walk_tiles_find(s->tiles, place, &number));
            sites->neighbours[j * n + i] = !number ? absent : *number < 0 ? beyond : *number;
            place[j / 2] -= j % 2 ? 1 : -1;
        }
    }
    return 0;
}

int mw_walk_sites_find(const struct mw_carpet *carpet, const int64_t *start, uint64_t steps,
                       struct mw_walk_sites *sites)
{
    struct search s = { .sites = sites, .dims = mw_carpet_info(carpet)->dims };
    int rc;
    *sites = (struct mw_walk_sites){ .dims = s.dims };
    TRY(mw_carpet_check_start(carpet, start));
    s.field = s.dims == 2 ? FIELD_2 : FIELD_3;
    s.farthest = s.dims == 2 ? (int32_t)1 << 30 : (int32_t)1 << (FIELD_3 - 1);
    TRY(mw_walk_tiles_new(carpet, start, &s.tiles));
    TRY(search_levels(&s, steps));
    TRY(find_neighbours(&s));
out:
    free(s.next);
    free(s.level);
    mw_walk_tiles_free(s.tiles);
    return rc;
}

void mw_walk_sites_clear(struct mw_walk_sites *sites)
{
    free(sites->neighbours);
    free(sites->places);
    free(sites->within);
}

size_t mw_walk_sites_within(const struct mw_walk_sites *sites, uint64_t steps)
{
    return sites->within[steps < sites->levels ? steps : sites->levels - 1];
}

void mw_walk_sites_distances(const struct mw_walk_sites *sites, const int32_t *number, size_t count, int32_t *distance)
{
    int32_t level = 0;
    for (size_t i = 0; i < count; i++) {
        while ((number ? (size_t)number[i] : i) >= sites->within[level])
            level++;
        distance[i] = level;
    }
}
/* SPDX-License-Identifier: MIT */

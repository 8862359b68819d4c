/* Divides the sites between devices.  Boxes of places are sorted by their direction from the start, so that at any
 * distance all devices have about as many sites.  Also lists the sites that devices exchange. */
#include <math.h>

#include "walk/walk_internal.h"

#define BOX 16 /* places along a dimension */

struct splitting {
    struct mw_walk *walk;
    int32_t *owner, *rank; /* per site: its part, and its number there */
    int32_t *local, *seen; /* per site: its number in the current part; the last part that has seen it */
};

/* ---- owners ---- */

struct direction {
    double angle;
    int32_t box;
    size_t sites;
};

static int by_angle(const void *left, const void *right)
{
    const struct direction *a = left, *b = right;
    return a->angle != b->angle ? (a->angle > b->angle) - (a->angle < b->angle) : (a->box > b->box) - (a->box < b->box);
}

static double middle_of_box(int32_t place) { return (floor(place / (double)BOX) + 0.5) * BOX; }

static int find_owners(struct splitting *s)
{
    const struct mw_walk_sites *sites = &s->walk->sites;
    struct mw_walk_boxes boxes = { .edge = { BOX, BOX, BOX } };
    struct direction *direction = NULL;
    int32_t *part = NULL;
    size_t before = 0;
    int rc;
    TRY(mw_walk_boxes_make(sites, NULL, sites->count, &boxes));
    TRY(mw_new(boxes.count, sizeof *direction, &direction));
    TRY(mw_new(boxes.count, sizeof *part, &part));
    for (size_t i = 0; i < sites->count; i++) {
        const int32_t *place = sites->places + i * sites->dims;
        struct direction *d = &direction[boxes.of[i]];
        d->box = boxes.of[i];
        d->angle = atan2(middle_of_box(place[1]), middle_of_box(place[0]));
        d->sites++;
    }
    qsort(direction, boxes.count, sizeof *direction, by_angle);
    for (size_t b = 0; b < boxes.count; b++) {
        const double middle = (double)before + (double)direction[b].sites / 2;
        part[direction[b].box] = (int32_t)(middle * (double)s->walk->count / (double)sites->count);
        before += direction[b].sites;
    }
    for (size_t i = 0; i < sites->count; i++) {
        s->owner[i] = part[boxes.of[i]];
        s->rank[i] = (int32_t)s->walk->parts[s->owner[i]].own++;
    }
out:
    free(part);
    free(direction);
    mw_walk_boxes_clear(&boxes);
    return rc;
}

/* ---- one part ---- */

struct foreign {
    int32_t owner, site;
};

static int by_owner(const void *left, const void *right)
{
    const struct foreign *a = left, *b = right;
    return a->owner != b->owner ? (a->owner > b->owner) - (a->owner < b->owner)
                                : (a->site > b->site) - (a->site < b->site);
}

/* Lists the sites of other parts that are neighbours of the part's sites. */
static int find_foreign(struct splitting *s, int32_t part, struct foreign **foreign, size_t *count)
{
    const struct mw_walk_sites *sites = &s->walk->sites;
    const size_t n = sites->count;
    size_t found = 0;
    for (int pass = 0; pass < 2; pass++) {
        memset(s->seen, 0xff, n * sizeof *s->seen);
        if (pass == 1)
            TRY_RETURN(mw_new(found, sizeof **foreign, foreign));
        found = 0;
        for (size_t i = 0; i < n; i++)
            for (unsigned j = 0; j < 2 * sites->dims && s->owner[i] == part; j++) {
                const size_t other = (size_t)sites->neighbours[j * n + i];
                if (other >= n || s->owner[other] == part || s->seen[other] == part)
                    continue;
                s->seen[other] = part;
                if (pass == 1)
                    (*foreign)[found] = (struct foreign){ s->owner[other], (int32_t)other };
                found++;
            }
    }
    qsort(*foreign, found, sizeof **foreign, by_owner);
    *count = found;
    return 0;
}

/* Returns a part's entry for a neighbouring part; adds it if it is missing. */
static struct mw_walk_neighbour *neighbour(struct mw_walk_device *p, size_t part)
{
    for (size_t i = 0; i < p->neighbour_count; i++)
        if (p->neighbour[i].part == part)
            return &p->neighbour[i];
    p->neighbour[p->neighbour_count] = (struct mw_walk_neighbour){ .part = part };
    return &p->neighbour[p->neighbour_count++];
}

/* Records that a part needs `count` sites of another part. */
static int agree(struct splitting *s, struct mw_walk_device *p, const struct foreign *foreign, size_t first,
                 size_t count)
{
    const size_t part = (size_t)(p - s->walk->parts), other = (size_t)foreign[first].owner;
    struct mw_walk_device *from = &s->walk->parts[other];
    struct mw_walk_neighbour *takes = neighbour(p, other), *gives = neighbour(from, part);
    int32_t *wider = realloc(from->give, (from->give_count + count) * sizeof *wider);
    if (!wider)
        return mw_fail(MW_ENOMEM, "out of memory for %zu sites exchanged between devices", count);
    from->give = wider;
    takes->at = p->own + first;
    takes->taken = count;
    takes->receive = other * s->walk->count + part;
    gives->first = from->give_count;
    gives->count = count;
    gives->send = takes->receive;
    for (size_t i = 0; i < count; i++)
        from->give[from->give_count++] = s->rank[foreign[first + i].site];
    return 0;
}

static int number_part(struct splitting *s, int32_t part)
{
    const struct mw_walk_sites *sites = &s->walk->sites;
    struct mw_walk_device *p = &s->walk->parts[part];
    const size_t n = sites->count;
    struct foreign *foreign = NULL;
    size_t count = 0, end;
    int rc;
    TRY(find_foreign(s, part, &foreign, &count));
    p->all = p->own + count;
    TRY(mw_new(p->all + 1, sizeof *p->number, &p->number));
    TRY(mw_new(2 * sites->dims * p->own, sizeof *p->neighbours, &p->neighbours));
    for (size_t i = 0; i < n; i++)
        if (s->owner[i] == part) {
            s->local[i] = s->rank[i];
            p->number[s->rank[i]] = (int32_t)i;
        }
    for (size_t i = 0; i < count; i++) {
        s->local[foreign[i].site] = (int32_t)(p->own + i);
        p->number[p->own + i] = foreign[i].site;
    }
    for (size_t i = 0; i < p->own; i++)
        for (unsigned j = 0; j < 2 * sites->dims; j++) {
            const size_t other = (size_t)sites->neighbours[j * n + (size_t)p->number[i]];
            p->neighbours[j * p->own + i] = other < n ? s->local[other] : (int32_t)(p->all + (other - n));
        }
    for (size_t i = 0; i < count; i = end) {
        for (end = i + 1; end < count && foreign[end].owner == foreign[i].owner; end++)
            ;
        TRY(agree(s, p, foreign, i, end - i));
    }
out:
    free(foreign);
    return rc;
}

int mw_walk_split(struct mw_walk *w)
{
    const size_t n = w->sites.count;
    struct splitting s = { .walk = w };
    struct mw_owner own = { 0 };
    int rc = 0;
    if (w->count == 1) {
        w->parts[0] = (struct mw_walk_device){ .own = n, .all = n, .neighbours = w->sites.neighbours };
        return 0;
    }
    TRY(mw_own_new(&own, n, sizeof *s.owner, &s.owner));
    TRY(mw_own_new(&own, n, sizeof *s.rank, &s.rank));
    TRY(mw_own_new(&own, n, sizeof *s.local, &s.local));
    TRY(mw_own_new(&own, n, sizeof *s.seen, &s.seen));
    TRY(find_owners(&s));
    for (size_t i = 0; i < w->count; i++)
        TRY(mw_new(w->count, sizeof *w->parts[i].neighbour, &w->parts[i].neighbour));
    for (size_t i = 0; i < w->count; i++)
        TRY(number_part(&s, (int32_t)i));
out:
    mw_owner_drop(&own);
    return rc;
}
/* SPDX-License-Identifier: MIT */

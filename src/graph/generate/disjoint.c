/* Edges within sets: vertices draw their sets and are sorted by them. Members of sets with two or more get records,
 * which are the only input of the edges. */
#include "graph/generate/generate_internal.h"

#include <stdlib.h>

#include "graph/generate/generate.clh"
#include "graph/generate/rewire.clh"
#include "prim/prim_internal.h"
#include "kernels/graph/generate/generate.h"

struct sets {
    struct mw_owner owner;
    struct mw_generation *g;
    const struct mw_kernel_set *set;
    struct mw_prim *prim;
    size_t n; /* vertices */
    uint32_t count;
    struct mw_buffer *keys, *members; /* set of each vertex, sorted; vertices in this order */
    struct mw_buffer *bounds;         /* per nonempty set: first place, and end */
    struct mw_buffer *flags, *places; /* members of sets with two or more */
};

static int draw_sets(struct sets *s)
{
    const uint32_t each = mw_generate_each(s->g, s->n);
    unsigned bits = 1;
    while (bits < 32 && (s->count - 1) >> bits)
        bits++;
    TRY_RETURN(mw_own_buffer(&s->owner, s->g->device, s->n * sizeof(uint32_t), &s->keys));
    TRY_RETURN(mw_own_buffer(&s->owner, s->g->device, s->n * sizeof(uint32_t), &s->members));
    TRY_RETURN(launch_generate_sets(s->set, mw_generate_range(s->n, each), s->keys, s->members, s->n, each, s->count,
                                    s->g->seed));
    return mw_prim_sort(s->prim, s->keys, MW_TYPE_U32, bits, s->members, sizeof(uint32_t), s->n);
}

static int find_members(struct sets *s, size_t *usable)
{
    const uint32_t each = mw_generate_each(s->g, s->n);
    TRY_RETURN(mw_own_buffer(&s->owner, s->g->device, 2 * sizeof(uint32_t) * (size_t)s->count, &s->bounds));
    TRY_RETURN(mw_own_buffer(&s->owner, s->g->device, s->n, &s->flags));
    TRY_RETURN(mw_own_buffer(&s->owner, s->g->device, s->n * sizeof(uint32_t), &s->places));
    TRY_RETURN(launch_generate_bounds(s->set, mw_generate_range(s->n, each), s->keys, s->bounds, s->flags, s->n, each));
    TRY_RETURN(mw_prim_select(s->prim, s->flags, s->n, s->places, usable));
    if (*usable == 0)
        return mw_fail(MW_EINVAL,
                       "disjoint: with this seed, none of the c = %u sets has two of the n = %zu vertices, so "
                       "no edge can be drawn: use fewer sets or more vertices",
                       s->count, s->n);
    return 0;
}

static int make_records(struct sets *s, size_t usable, struct mw_buffer **records)
{
    const uint32_t each = mw_generate_each(s->g, usable);
    struct mw_buffer *made = NULL;
    int rc;
    TRY(mw_buffer_new(s->g->device, RECORD * sizeof(uint32_t) * usable, &made));
    TRY(launch_generate_records(s->set, mw_generate_range(usable, each), s->places, s->keys, s->members, s->bounds,
                                made, usable, each));
    *records = MW_PASS(made);
out:
    mw_buffer_free(made);
    return rc;
}

static int make_sets(struct mw_generation *g, size_t *usable, struct mw_buffer **records)
{
    struct sets s = { .g = g, .n = (size_t)g->values[0], .count = (uint32_t)g->values[1] };
    int rc;
    TRY(mw_generate_set(g, &s.set));
    TRY(mw_own_prim(&s.owner, g->device, &s.prim));
    TRY(draw_sets(&s));
    TRY(find_members(&s, usable));
    TRY(make_records(&s, *usable, records));
out:
    mw_owner_drop(&s.owner);
    return rc;
}

struct drawn {
    struct mw_buffer *records;
    size_t usable;
};

static int launch_disjoint(const struct mw_edge_chunk *c)
{
    const struct drawn *drawn = c->context;
    return launch_generate_disjoint(c->set, c->range, c->ends, c->first, c->count, c->each, drawn->records,
                                    (uint32_t)drawn->usable, c->seed);
}

int mw_generate_disjoint(struct mw_generation *g)
{
    struct drawn drawn = { 0 };
    int rc = 0;
    if (g->edges->count == 0)
        goto out;
    TRY(make_sets(g, &drawn.usable, &drawn.records));
    TRY(mw_generate_edges(g, launch_disjoint, &drawn));
out:
    mw_buffer_free(drawn.records);
    return rc;
}
/* SPDX-License-Identifier: MIT */

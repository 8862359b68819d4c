/* The form with tiles, which are whole iterators of the carpet, nearest first: the kernels of cl/walk/iterators.cl. */
#include "walk/walk_internal.h"
#include "kernels/native.h"
#include "kernels/walk/iterators.h"

struct iterators {
    size_t count;
    int32_t *nearest; /* number of steps to the nearest site of each tile, ascending */
};

/* Data of the construction. */
struct making {
    struct mw_walk_device *part;
    struct mw_owner owner; /* frees the arrays that never grow */
    struct mw_walk_boxes boxes;
    int32_t *first; /* [tiles + 1] index in `site` of the first site of each tile */
    int32_t *site;  /* sites in the order of their tiles */
    int32_t *place; /* index of each site within its tile */
    int64_t *tiles;
    uint16_t *neighbours;
    int32_t *copied; /* sites, later their cells */
    size_t copies, copied_room;
    int32_t *copy; /* place of a site's copy in the current tile, valid if `of_tile` is that tile */
    int32_t *of_tile;
};

static int box_sites(struct making *m)
{
    const struct mw_walk *w = m->part->whole;
    const int32_t edge = mw_walk_tile_edge(w->carpet);
    int32_t *filled = NULL;
    int rc;
    for (unsigned d = 0; d < w->sites.dims; d++) {
        m->boxes.edge[d] = edge;
        m->boxes.first[d] = -(w->options.start[d] % edge);
    }
    TRY(mw_walk_boxes_make(&w->sites, NULL, m->part->all, &m->boxes));
    TRY(mw_own_new(&m->owner, m->boxes.count + 1, sizeof *m->first, &m->first));
    TRY(mw_new(m->boxes.count, sizeof *filled, &filled));
    TRY(mw_own_new(&m->owner, m->part->all, sizeof *m->site, &m->site));
    TRY(mw_own_new(&m->owner, m->part->all, sizeof *m->place, &m->place));
    for (size_t i = 0; i < m->part->all; i++)
        m->first[m->boxes.of[i] + 1]++;
    for (size_t t = 0; t < m->boxes.count; t++)
        m->first[t + 1] += m->first[t];
    for (size_t i = 0; i < m->part->all; i++) {
        const int32_t tile = m->boxes.of[i];
        m->place[i] = filled[tile]++;
        m->site[m->first[tile] + m->place[i]] = (int32_t)i;
    }
out:
    free(filled);
    return rc;
}

/* Returns the place of a tile's copy of a site of another tile; makes the copy if it does not exist. */
static int copy_of(struct making *m, int32_t tile, size_t first_copy, int32_t site, int32_t *place)
{
    const int32_t own = m->first[tile + 1] - m->first[tile];
    if (m->of_tile[site] != tile) {
        TRY_RETURN(mw_walk_grow(&m->copied, m->copies, 1, sizeof *m->copied, &m->copied_room));
        m->of_tile[site] = tile;
        m->copy[site] = own + (int32_t)(m->copies - first_copy);
        m->copied[m->copies++] = site;
    }
    *place = m->copy[site];
    return 0;
}

/* Makes the table of a tile.  Places of absent neighbours come after all copies, so they are filled in a second
 * pass. */
static int make_tile(struct making *m, int32_t tile)
{
    const struct mw_walk_device *p = m->part;
    const unsigned sides = 2 * p->whole->sites.dims;
    const int32_t own = m->first[tile + 1] - m->first[tile], *site = m->site + m->first[tile];
    const size_t first_copy = m->copies, table = (size_t)m->first[tile] * sides;
    uint16_t *neighbours = m->neighbours + table;
    int32_t place = 0;
    for (int32_t i = 0; i < own; i++)
        for (unsigned j = 0; j < sides; j++) {
            const int32_t other = p->neighbours[j * p->own + (size_t)site[i]];
            if ((size_t)other >= p->all)
                continue;
            if (m->boxes.of[other] == tile)
                place = m->place[other];
            else
                TRY_RETURN(copy_of(m, tile, first_copy, other, &place));
            neighbours[j * (size_t)own + (size_t)i] = (uint16_t)place;
        }
    const int32_t copies = (int32_t)(m->copies - first_copy);
    for (int32_t i = 0; i < own; i++)
        for (unsigned j = 0; j < sides; j++) {
            const size_t other = (size_t)p->neighbours[j * p->own + (size_t)site[i]];
            if (other >= p->all)
                neighbours[j * (size_t)own + (size_t)i] = (uint16_t)(own + copies + (other > p->all));
        }
    memcpy(m->tiles + (size_t)tile * WALK_TILE,
           (int64_t[WALK_TILE]){ (int64_t)p->cells, own, (int64_t)table, (int64_t)first_copy, copies },
           WALK_TILE * sizeof *m->tiles);
    return 0;
}

static int make_tiles(struct making *m)
{
    struct mw_walk_device *p = m->part;
    TRY_RETURN(mw_own_new(&m->owner, m->boxes.count * WALK_TILE, sizeof *m->tiles, &m->tiles));
    TRY_RETURN(mw_own_new(&m->owner, 2 * p->whole->sites.dims * p->all, sizeof *m->neighbours, &m->neighbours));
    TRY_RETURN(mw_own_new(&m->owner, p->all, sizeof *m->copy, &m->copy));
    TRY_RETURN(mw_own_new(&m->owner, p->all, sizeof *m->of_tile, &m->of_tile));
    TRY_RETURN(mw_new(p->all, sizeof *p->cell, &p->cell));
    memset(m->of_tile, 0xff, p->all * sizeof *m->of_tile);
    p->cells = 0;
    for (size_t t = 0; t < m->boxes.count; t++) {
        TRY_RETURN(make_tile(m, (int32_t)t));
        const int64_t *tile = m->tiles + t * WALK_TILE;
        for (int64_t i = 0; i < tile[1]; i++)
            p->cell[m->site[m->first[t] + i]] = (int32_t)(tile[0] + i);
        p->cells += (size_t)(tile[1] + tile[4] + 2);
        if (p->cells > INT32_MAX - UINT16_MAX)
            return mw_fail(
                MW_ELIMIT,
                "variant iterators supports at most %d elements (sites, and copies of neighbouring sites): use "
                "another variant",
                INT32_MAX - UINT16_MAX);
    }
    for (size_t i = 0; i < m->copies; i++)
        m->copied[i] = p->cell[m->copied[i]];
    return 0;
}

/* Tiles are in the order of their nearest sites. */
static int note_nearest(const struct making *m, struct iterators *own)
{
    int32_t *number = NULL;
    int rc;
    own->count = m->boxes.count;
    TRY(mw_own_new(&m->part->owner, own->count, sizeof *own->nearest, &own->nearest));
    TRY(mw_new(own->count, sizeof *number, &number));
    for (size_t t = 0; t < own->count; t++)
        number[t] = m->site[m->first[t]];
    mw_walk_sites_distances(&m->part->whole->sites, number, own->count, own->nearest);
out:
    free(number);
    return rc;
}

static int iterators_make(struct mw_walk_device *p, void **first)
{
    static mw_walk_native native = MW_WALK_NATIVE(iterators);
    const unsigned dims = p->whole->sites.dims;
    struct making m = { .part = p };
    struct iterators *own;
    int rc;
    TRY(mw_walk_device_build(p, &kernels_walk_iterators, native, NULL, 0, 0));
    TRY(mw_own_new(&p->owner, 1, sizeof *own, &own));
    p->own_form = own;
    TRY(box_sites(&m));
    TRY(make_tiles(&m));
    TRY(note_nearest(&m, own));
    TRY(mw_walk_device_send(p, 0, m.neighbours, 2 * dims * p->all * sizeof *m.neighbours));
    TRY(mw_walk_device_send(p, 1, m.tiles, own->count * WALK_TILE * sizeof *m.tiles));
    TRY(mw_walk_device_send(p, 2, m.copied, m.copies * sizeof *m.copied));
out:
    mw_walk_boxes_clear(&m.boxes);
    mw_owner_drop(&m.owner);
    free(m.copied);
    return rc;
}

static int iterators_step(struct mw_walk_device *p, size_t n, uint64_t distance, unsigned steps)
{
    const struct iterators *own = p->own_form;
    size_t tiles = own->count;
    while (tiles > 0 && (uint64_t)own->nearest[tiles - 1] > distance)
        tiles--;
    return launch_walk_iterators(p->set, mw_items(tiles), p->state[p->turn], p->state[1 - p->turn], p->tables[0],
                                 p->tables[1], p->tables[2], (int64_t)tiles, 1);
}

static double iterators_bytes(const struct mw_walk_size *size)
{
    return size->sites * (2.0 * (double)size->real_bytes + 4.0 * size->dims) * 1.1;
}

static double iterators_host_bytes(const struct mw_walk_size *size) { return size->sites * (24 + 4.0 * size->dims); }

const struct mw_walk_form mw_walk_iterators = {
    .make = iterators_make, .step = iterators_step, .bytes = iterators_bytes, .host_bytes = iterators_host_bytes
};
/* SPDX-License-Identifier: MIT */

/* Which sites around a start are accessible, and their numbers.  Tiles are made on first access: one bit per site, and
 * one number per accessible site. */
#include "walk/walk_internal.h"

enum {
    PLANE_EDGE = 128,
    SPACE_EDGE = 32, /* maximum edge of a tile */
    WORD = 64,       /* sites per word */
    LEAST_TILES = 8  /* initial size of the directory, in each dimension */
};
/* Coordinates of places are at least -2^30 and below 2^30. */
#define FARTHEST ((int32_t)1 << 30)

struct tile {
    uint64_t *accessible; /* one bit per site */
    uint32_t *before;     /* per word: number of accessible sites before it */
    int32_t *number;
};
struct mw_walk_tiles {
    struct mw_owner owner; /* frees the tiles and their arrays */
    const struct mw_carpet *carpet;
    unsigned dims;
    int64_t start[MW_CARPET_DIMS_MAX];
    uint32_t edge, words;
    /* Added to a place, so that all coordinates are positive and tiles start at multiples of `edge`. */
    uint32_t offset[MW_CARPET_DIMS_MAX];
    int64_t origin[MW_CARPET_DIMS_MAX]; /* coordinates of the carpet at 0 */
    /* The directory: a box of tiles; NULL: not made yet. */
    uint32_t first[MW_CARPET_DIMS_MAX], length[MW_CARPET_DIMS_MAX];
    struct tile **tile;
};

int32_t mw_walk_tile_edge(const struct mw_carpet *carpet)
{
    const struct mw_carpet_info *info = mw_carpet_info(carpet);
    const int32_t most = info->dims == 2 ? PLANE_EDGE : SPACE_EDGE;
    const size_t side = info->side;
    int32_t edge = 1;
    for (unsigned level = 0; level < info->level && side > 1 && (size_t)edge * side <= (size_t)most; level++)
        edge *= (int32_t)side;
    return edge * (edge > most / 2 ? 1 : most / 2 / edge);
}

int mw_walk_tiles_new(const struct mw_carpet *carpet, const int64_t *start, struct mw_walk_tiles **tiles)
{
    struct mw_walk_tiles *t = NULL;
    uint32_t cells = 1;
    size_t count = 1;
    int rc;
    TRY(mw_new(1, sizeof *t, &t));
    t->carpet = carpet;
    t->dims = mw_carpet_info(carpet)->dims;
    t->edge = (uint32_t)mw_walk_tile_edge(carpet);
    for (unsigned d = 0; d < MW_CARPET_DIMS_MAX; d++)
        t->length[d] = 1;
    for (unsigned d = 0; d < t->dims; d++) {
        const int64_t edge = t->edge, beyond = (start[d] % edge + edge) % edge;
        t->start[d] = start[d];
        t->offset[d] = (uint32_t)((FARTHEST / edge + 1) * edge + beyond);
        t->origin[d] = start[d] - t->offset[d];
        t->length[d] = LEAST_TILES;
        t->first[d] = t->offset[d] / t->edge - LEAST_TILES / 2;
        cells *= t->edge;
        count *= t->length[d];
    }
    t->words = (cells - 1) / WORD + 1;
    TRY(mw_new(count, sizeof(struct tile *), &t->tile));
    *tiles = t;
    t = NULL;
out:
    mw_walk_tiles_free(t);
    return rc;
}

void mw_walk_tiles_free(struct mw_walk_tiles *t)
{
    if (!t)
        return;
    mw_owner_drop(&t->owner);
    free(t->tile);
    free(t);
}

static int make_tile(struct mw_walk_tiles *t, const uint32_t *at, struct tile **made)
{
    size_t length[MW_CARPET_DIMS_MAX], open = 0;
    int64_t low[MW_CARPET_DIMS_MAX];
    struct mw_array sites = { 0 };
    struct tile *tile;
    int rc;
    for (unsigned d = 0; d < t->dims; d++) {
        low[d] = t->origin[d] + (int64_t)at[d] * t->edge;
        length[d] = t->edge;
    }
    TRY(mw_carpet_region(t->carpet, low, length, &sites));
    TRY(mw_own_new(&t->owner, 1, sizeof *tile, &tile));
    TRY(mw_own_new(&t->owner, t->words, sizeof *tile->accessible, &tile->accessible));
    TRY(mw_own_new(&t->owner, t->words, sizeof *tile->before, &tile->before));
    for (size_t i = 0; i < sites.count; i++) {
        if (i % WORD == 0)
            tile->before[i / WORD] = (uint32_t)open;
        if (((const unsigned char *)sites.data)[i]) {
            tile->accessible[i / WORD] |= (uint64_t)1 << i % WORD;
            open++;
        }
    }
    TRY(mw_own_new(&t->owner, open, sizeof *tile->number, &tile->number));
    memset(tile->number, 0xff, open * sizeof *tile->number);
    *made = tile;
out:
    mw_array_free(&sites);
    return rc;
}

/* Extends the directory to include a tile, by at least half its length. */
static int extend(struct mw_walk_tiles *t, const uint32_t *at)
{
    uint32_t first[MW_CARPET_DIMS_MAX], length[MW_CARPET_DIMS_MAX];
    struct tile **wider = NULL;
    size_t count;
    for (unsigned d = 0; d < MW_CARPET_DIMS_MAX; d++) {
        first[d] = t->first[d];
        length[d] = t->length[d];
        if (d >= t->dims || at[d] - first[d] < length[d])
            continue;
        if (at[d] < first[d])
            first[d] = at[d] > t->length[d] / 2 ? at[d] - t->length[d] / 2 : 0;
        length[d] = (at[d] > t->first[d] ? at[d] + t->length[d] / 2 + 1 : t->first[d] + t->length[d]) - first[d];
    }
    if (!mw_mul((size_t)length[0] * length[1], length[2], &count))
        return mw_fail(MW_ELIMIT, "the walk needs too many tiles: use fewer steps");
    TRY_RETURN(mw_new(count, sizeof(struct tile *), &wider));
    for (uint32_t z = 0; z < t->length[2]; z++)
        for (uint32_t y = 0; y < t->length[1]; y++) {
            const size_t row = (size_t)(z + t->first[2] - first[2]) * length[1] + (y + t->first[1] - first[1]);
            memcpy(wider + row * length[0] + (t->first[0] - first[0]),
                   t->tile + ((size_t)z * t->length[1] + y) * t->length[0], t->length[0] * sizeof(struct tile *));
        }
    free(t->tile);
    t->tile = wider;
    memcpy(t->first, first, sizeof first);
    memcpy(t->length, length, sizeof length);
    return 0;
}

int mw_walk_tiles_find(struct mw_walk_tiles *t, const int32_t *place, int32_t **number)
{
    uint32_t at[MW_CARPET_DIMS_MAX] = { 0 }, cell = 0;
    size_t slot = 0;
    bool outside = false;
    for (unsigned d = t->dims; d-- > 0;) {
        const uint32_t coordinate = (uint32_t)place[d] + t->offset[d];
        at[d] = coordinate / t->edge;
        cell = cell * t->edge + coordinate % t->edge;
        outside |= at[d] - t->first[d] >= t->length[d];
        slot = slot * t->length[d] + (at[d] - t->first[d]);
    }
    if (outside) {
        TRY_RETURN(extend(t, at));
        return mw_walk_tiles_find(t, place, number);
    }
    if (!t->tile[slot])
        TRY_RETURN(make_tile(t, at, &t->tile[slot]));
    const struct tile *tile = t->tile[slot];
    const uint64_t word = tile->accessible[cell / WORD], bit = (uint64_t)1 << cell % WORD;
    *number =
        word & bit ? &tile->number[tile->before[cell / WORD] + (uint32_t)__builtin_popcountll(word & (bit - 1))] : NULL;
    return 0;
}
/* SPDX-License-Identifier: MIT */

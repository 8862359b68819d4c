/* Walks: the sites that are reached, one device's part of them, the forms in which parts are stored and updated.
 * Internal.
 *
 * tiles.c knows which sites are accessible, sites.c puts those that are reached in order; variants.c has the table of
 * variants; part.c knows one part, walk.c all of them, state.c brings states in and out; forms/ are the forms. */
#ifndef MW_WALK_INTERNAL_H
#define MW_WALK_INTERNAL_H

#include <meshwork/walk.h>

#include "base/base.h"
#include "dev/core/backend.h"
#include "dev/core/team.h"
#include "dev/memory/exchange.h"
#include "dev/kernel_set.h"
#include "walk/sizes.clh"

/* ---- tiles.c: places, relative to a start, and what is there; squares or cubes that are made when asked for ---- */

struct mw_walk_tiles;
int mw_walk_tiles_new(const struct mw_carpet *carpet, const int64_t *start, struct mw_walk_tiles **tiles);
void mw_walk_tiles_free(struct mw_walk_tiles *tiles);
/* Where the number of the site at a place is kept, below 0 at first; NULL: it is not accessible. */
int mw_walk_tiles_find(struct mw_walk_tiles *tiles, const int32_t *place, int32_t **number);
/* The length of a tile; whole iterators of some level are tiles. */
int32_t mw_walk_tile_edge(const struct mw_carpet *carpet);

/* ---- sites.c ---- */

/* The sites that are reached in so many steps from a start, outwards. */
struct mw_walk_sites {
    unsigned dims;
    size_t count, levels;
    size_t *within;              /* of each number of steps below `levels`: how many sites are reached; no more later */
    int32_t *places;             /* [count][dims], relative to the start */
    /* [2 dims][count], neighbours left, right, below ...: `count` where they are not accessible, the number behind that
     * where they are not reached. */
    int32_t *beside;
};
/* MW_EINVAL: the start is not accessible. */
int mw_walk_sites_find(const struct mw_carpet *carpet, const int64_t *start, uint64_t steps,
                       struct mw_walk_sites *sites);
void mw_walk_sites_clear(struct mw_walk_sites *sites);
size_t mw_walk_sites_within(const struct mw_walk_sites *sites, uint64_t steps);
/* How many steps it takes to each of these sites, upwards: into `distance`. */
void mw_walk_sites_distances(const struct mw_walk_sites *sites, const int32_t *number, size_t count,
                             int32_t *distance);
/* Makes room for `more` elements behind `count` ones, in an array that doubles. */
int mw_walk_grow(void *pointer_to_array, size_t count, size_t more, size_t size, size_t *room);
/* How many steps away probabilities can be that do not count as nothing. */
uint64_t mw_walk_reach(uint64_t steps, bool fp64);

/* ---- forms/boxes.c: boxes of places in which there are sites, in the order in which these are reached ---- */

struct mw_walk_boxes {
    unsigned dims;
    int64_t first[MW_CARPET_DIMS_MAX];   /* a place where a box begins */
    int32_t edge[MW_CARPET_DIMS_MAX];
    size_t count;
    int32_t *of;                 /* of each site: its box */
    uint64_t *key;               /* of each box: where it is; counts upwards as (z, y, x) do */
    /* A table of boxes by keys. */
    int32_t *slot;
    size_t slots;
};
/* `number`: of these `count` sites, NULL: of the first ones. */
int mw_walk_boxes_make(const struct mw_walk_sites *sites, const int32_t *number, size_t count, struct mw_walk_boxes *b);
void mw_walk_boxes_clear(struct mw_walk_boxes *boxes);
/* Where the box of a key is, counted in boxes from some place that is outside of all; `dims` numbers. */
void mw_walk_boxes_place(const struct mw_walk_boxes *boxes, uint64_t key, uint32_t *place);
/* The box of a key, -1: there is none; and the key of the next one to one side: left, right, below ... */
int32_t mw_walk_boxes_find(const struct mw_walk_boxes *boxes, uint64_t key);
uint64_t mw_walk_boxes_beside(const struct mw_walk_boxes *boxes, uint64_t key, unsigned side);

/* ---- variants.c ---- */

struct mw_walk_form;
struct mw_walk_variant {
    struct mw_variant variant;
    const struct mw_walk_form *form;
    bool whole;                  /* also of sites where probabilities count as nothing so far: as the paper has it */
    bool splits;                 /* over several devices */
    bool chosen;                 /* by auto, on some devices */
};
const struct mw_walk_variant *mw_walk_variant_row(size_t i);
/* Whether the options name a variant. */
bool mw_walk_by_hand(const struct mw_walk_options *options);
/* NULL and "auto": the one that is best as a rule. */
int mw_walk_variant_find(struct mw_device *const *devices, size_t count, const char *name,
                         const struct mw_walk_variant **variant);
/* choose.c: the fastest one on a device where no rule tells, for a walk that is long enough; one that looks at the same
 * sites.  Its only part is not made yet. */
int mw_walk_choose(struct mw_walk *walk, struct mw_device *device);

/* ---- part.c: what one device has ---- */

/* What memory depends on: about how many sites, of how many cells of the box around all steps, and how many of the
 * places of rows.cl that stand together with one. */
struct mw_walk_size { unsigned dims; size_t real_bytes; double sites, box, in_row; };

struct mw_walk_device;
/* How sites are stored, in a buffer of `cells` reals of which `cell` tells where each local site is.  They queue. */
struct mw_walk_form {
    /* The set, tables, `cells` and `cell`, and what cells are at first where this is not 0 (a copy, to be freed). */
    int (*make)(struct mw_walk_device *part, void **first);
    /* From state[turn] to the other one: so many steps, at most part->together.  After them nothing is farther away
     * than local sites below n, which are those within `distance` steps. */
    int (*step)(struct mw_walk_device *part, size_t n, uint64_t distance, unsigned steps);
    void (*clear)(struct mw_walk_device *part);          /* may be NULL */
    double (*bytes)(const struct mw_walk_size *size);    /* on devices */
    double (*host_bytes)(const struct mw_walk_size *size);  /* beside what all have; may be NULL */
};
extern const struct mw_walk_form mw_walk_list, mw_walk_square, mw_walk_diamond, mw_walk_iterators, mw_walk_blocks,
    mw_walk_rows;

struct mw_walk_device {
    const struct mw_walk *whole;
    struct mw_device *device;
    struct mw_kernel_set *set;
    size_t own, all;             /* local sites: its own, then those of others beside them */
    int32_t *number;             /* of each, its number in the whole, own ones upwards; NULL: local ones are all */
    int32_t *beside;             /* as of all sites, with local numbers, and `all` where that has `count`; owned where
                                  * there is a `number` */
    size_t cells;
    int32_t *cell;               /* NULL: site i is at cell i */
    unsigned together;           /* steps that the form does at once, at most */
    struct mw_buffer *state[2];
    unsigned turn;
    void *own_form;              /* the form's */
    struct mw_buffer *tables[3]; /* the form's, freed with the part */

    /* What is exchanged: of its own sites, for one other part behind the other; and the channel with each of these
     * parts, which takes `count` from its `first` on, and of whose sites copies stand from site `at` on. */
    int32_t *give;
    size_t give_count;
    struct mw_buffer *give_on_device, *ahead;
    struct mw_port port;
    struct mw_walk_neighbour { size_t part, first, count, at, taken, send, receive; } *neighbour;
    size_t neighbour_count;
};

int mw_walk_device_new(const struct mw_walk *whole, struct mw_device *device, struct mw_walk_device *part);
void mw_walk_device_clear(struct mw_walk_device *part);
/* What programs of any form begin with. */
const char *mw_walk_defines(const struct mw_walk *walk);
/* Makes one of its tables. */
int mw_walk_device_send(struct mw_walk_device *part, unsigned table, const void *from, size_t bytes);
/* Its sites among the first n of all: to and from the values of all sites. */
int mw_walk_device_read(struct mw_walk_device *part, size_t n, void *values);
int mw_walk_device_write(struct mw_walk_device *part, size_t n, const void *values);
/* At least one step and at most `most`: *done.  Of one of several parts also what is exchanged. */
int mw_walk_device_step(struct mw_walk_device *part, uint64_t step, uint64_t most, uint64_t *done);
/* Elements of an item of a core, at most: some drivers end an item's loops after 65535 rounds. */
enum { MW_WALK_EACH = 16384 };
/* Elements of an item, where n of them are to be done, and the range of these items. */
struct mw_range mw_walk_range(const struct mw_walk_device *part, size_t n, size_t most, int64_t *each);

/* split.c: which part has which sites, and what parts give each other. */
int mw_walk_split(struct mw_walk *walk);

struct mw_walk {
    struct mw_walk_options options;
    struct mw_carpet *carpet;
    const struct mw_walk_variant *variant;
    bool by_hand;                /* the variant */
    struct mw_walk_sites sites;
    size_t real_bytes;
    struct mw_walk_device *parts;
    size_t count;
    struct mw_team *team;
    struct mw_exchange *exchange;
    uint64_t step;
    bool failed;
};
/* plan.c: MW_ELIMIT: there is no room for it. */
int mw_walk_plan(const struct mw_walk *walk, struct mw_device *const *devices, size_t count);
int mw_walk_check(const struct mw_walk *walk);
/* Sites that are reached in so many steps, of those where probabilities count. */
static inline size_t mw_walk_reached(const struct mw_walk *w, uint64_t steps)
{
    return mw_walk_sites_within(&w->sites, mw_walk_reach(steps, w->options.fp64));
}
/* Makes the state of a step: MW_EINVAL where values are no probabilities.  To all parts. */
int mw_walk_put(struct mw_walk *walk, uint64_t step, const void *values);

#endif
/* SPDX-License-Identifier: MIT */

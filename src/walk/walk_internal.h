/* Walks by the master equation: sites, parts of devices, and forms of storage and update.  Internal.
 *
 * tiles.c: accessibility of sites.  sites.c: reachable sites in order.  variants.c: table of variants.  part.c: one
 * part.  walk.c: all parts.  state.c: copies of states to and from the host.  forms/: forms of storage. */
#ifndef MW_WALK_INTERNAL_H
#define MW_WALK_INTERNAL_H

#include <meshwork/walk.h>

#include "base/base.h"
#include "dev/core/backend.h"
#include "dev/core/team.h"
#include "dev/memory/exchange.h"
#include "dev/kernel_set.h"
#include "walk/sizes.clh"

/* ---- tiles.c: accessible places relative to a start, in squares or cubes that are made on first access ---- */

struct mw_walk_tiles;
int mw_walk_tiles_new(const struct mw_carpet *carpet, const int64_t *start, struct mw_walk_tiles **tiles);
void mw_walk_tiles_free(struct mw_walk_tiles *tiles);
/* Sets *number to the storage of the site's number, initially negative; NULL: the place is not accessible. */
int mw_walk_tiles_find(struct mw_walk_tiles *tiles, const int32_t *place, int32_t **number);
/* Returns the length of a tile; a tile consists of whole iterators of some level. */
int32_t mw_walk_tile_edge(const struct mw_carpet *carpet);

/* ---- sites.c ---- */

/* The sites that can be reached from a start within a number of steps, outwards. */
struct mw_walk_sites {
    unsigned dims;
    size_t count, levels;
    size_t *within;  /* [levels] sites that are reached within each number of steps; later steps reach no more */
    int32_t *places; /* [count][dims], relative to the start */
    /* [2 dims][count] neighbours: left, right, below, ...  `count`: not accessible; `count` + 1: not reached. */
    int32_t *neighbours;
};
/* Returns MW_EINVAL if the start is not accessible. */
int mw_walk_sites_find(const struct mw_carpet *carpet, const int64_t *start, uint64_t steps,
                       struct mw_walk_sites *sites);
void mw_walk_sites_clear(struct mw_walk_sites *sites);
size_t mw_walk_sites_within(const struct mw_walk_sites *sites, uint64_t steps);
/* Computes the number of steps to each of these sites, which must be in ascending order. */
void mw_walk_sites_distances(const struct mw_walk_sites *sites, const int32_t *number, size_t count, int32_t *distance);
/* Makes room for `more` elements after `count`; doubles the array if necessary. */
int mw_walk_grow(void *pointer_to_array, size_t count, size_t more, size_t size, size_t *room);
/* Returns the distance beyond which probabilities are negligible. */
uint64_t mw_walk_reach(uint64_t steps, bool fp64);

/* ---- forms/boxes.c: boxes of places with sites, in the order in which these are reached ---- */

struct mw_walk_boxes {
    unsigned dims;
    int64_t first[MW_CARPET_DIMS_MAX]; /* a place where a box begins */
    int32_t edge[MW_CARPET_DIMS_MAX];
    size_t count;
    int32_t *of;   /* box of each site */
    uint64_t *key; /* position of each box; ordered by (z, y, x) */
    /* Hash table from keys to boxes. */
    int32_t *slot;
    size_t slots;
};
/* Makes the boxes of `count` sites: the sites in `number`, or the first ones if NULL. */
int mw_walk_boxes_make(const struct mw_walk_sites *sites, const int32_t *number, size_t count, struct mw_walk_boxes *b);
void mw_walk_boxes_clear(struct mw_walk_boxes *boxes);
/* Computes the position of a box in units of boxes, from an origin outside all of them; `dims` numbers. */
void mw_walk_boxes_place(const struct mw_walk_boxes *boxes, uint64_t key, uint32_t *place);
/* _find returns the box of a key, or -1.  _beside returns the key of the adjacent box: left, right, below, ... */
int32_t mw_walk_boxes_find(const struct mw_walk_boxes *boxes, uint64_t key);
uint64_t mw_walk_boxes_neighbours(const struct mw_walk_boxes *boxes, uint64_t key, unsigned side);

/* ---- variants.c ---- */

struct mw_walk_form;
struct mw_walk_variant {
    struct mw_variant variant;
    const struct mw_walk_form *form;
    bool whole;  /* updates sites of negligible probability, too, as in the paper */
    bool splits; /* supports several devices */
    bool chosen; /* `auto` may choose it */
};
const struct mw_walk_variant *mw_walk_variant_row(size_t i);
/* Returns whether the options name a variant. */
bool mw_walk_by_hand(const struct mw_walk_options *options);
/* Finds a variant by name; NULL and "auto": the default for the devices. */
int mw_walk_variant_find(struct mw_device *const *devices, size_t count, const char *name,
                         const struct mw_walk_variant **variant);
/* choose.c: chooses the fastest variant for one device, before its part is made.  Only variants that update the same
 * sites are considered, and only if the walk is long enough. */
int mw_walk_choose(struct mw_walk *walk, struct mw_device *device);

/* ---- part.c: the part of one device ---- */

/* Estimates on which the memory depends: number of sites, places in the box around all steps, and the density of sites
 * in rows of rows.cl. */
struct mw_walk_size {
    unsigned dims;
    size_t real_bytes;
    double sites, box, in_row;
};

struct mw_walk_device;
/* A form of storage: a buffer of `cells` reals; `cell` has the cell of each local site.  The functions queue work. */
struct mw_walk_form {
    /* Makes the kernels, tables, `cells` and `cell`.  *first: initial cells, which the caller frees; NULL: 0. */
    int (*make)(struct mw_walk_device *part, void **first);
    /* Advances by `steps` (at most part->together), from state[turn] to the other buffer.  All local sites within
     * `distance` steps are below n. */
    int (*step)(struct mw_walk_device *part, size_t n, uint64_t distance, unsigned steps);
    void (*clear)(struct mw_walk_device *part);            /* may be NULL */
    double (*bytes)(const struct mw_walk_size *size);      /* on devices */
    double (*host_bytes)(const struct mw_walk_size *size); /* besides the common part; may be NULL */
};
extern const struct mw_walk_form mw_walk_list, mw_walk_square, mw_walk_diamond, mw_walk_iterators, mw_walk_blocks,
    mw_walk_rows;

struct mw_walk_neighbour {
    size_t part, first, count, at, taken, send, receive;
};
struct mw_walk_device {
    const struct mw_walk *whole;
    struct mw_device *device;
    struct mw_kernel_set *set;
    size_t own, all; /* local sites: its own; with its neighbours' copies */
    int32_t *number; /* number of each local site in the whole, ascending for own ones; NULL: the part has all sites */
    /* as struct mw_walk_sites, with local numbers and `all` instead of `count`; owned if `number` is set */
    int32_t *neighbours;
    size_t cells;
    int32_t *cell;     /* NULL: site i is in cell i */
    unsigned together; /* maximum steps per launch */
    struct mw_buffer *state[2];
    unsigned turn;
    void *own_form;              /* data of the form */
    struct mw_buffer *tables[3]; /* tables of the form, freed with the part */

    /* Exchange with other parts.  `give` lists own sites, grouped by the part that receives them.  For each such part:
     * it gets `count` sites from `first` on, and copies of its sites are stored from local site `at` on. */
    int32_t *give;
    size_t give_count;
    struct mw_buffer *give_on_device, *ahead;
    struct mw_port port;
    struct mw_walk_neighbour *neighbour;
    size_t neighbour_count;
};

int mw_walk_device_new(const struct mw_walk *whole, struct mw_device *device, struct mw_walk_device *part);
void mw_walk_device_clear(struct mw_walk_device *part);
/* Returns the definitions that programs of all forms need. */
const char *mw_walk_defines(const struct mw_walk *walk);
/* Allocates and fills one of the tables. */
int mw_walk_device_send(struct mw_walk_device *part, unsigned table, const void *from, size_t bytes);
/* Copy the part's sites among the first n of all, from and to the values of all sites. */
int mw_walk_device_read(struct mw_walk_device *part, size_t n, void *values);
int mw_walk_device_write(struct mw_walk_device *part, size_t n, const void *values);
/* Advances by 1 to `most` steps, and exchanges sites with other parts; *done is the number of steps. */
int mw_walk_device_step(struct mw_walk_device *part, uint64_t step, uint64_t most, uint64_t *done);
/* Maximum elements per work-item on CPU cores: some drivers stop loops after 65535 iterations. */
enum { MW_WALK_EACH = 16384 };
/* Returns the range for n elements; sets the elements per work-item. */
struct mw_range mw_walk_range(const struct mw_walk_device *part, size_t n, size_t most, int64_t *each);

/* split.c: divides the sites between the parts and lists those they exchange. */
int mw_walk_split(struct mw_walk *walk);

struct mw_walk {
    struct mw_walk_options options;
    struct mw_carpet *carpet;
    const struct mw_walk_variant *variant;
    bool by_hand; /* the caller named the variant */
    struct mw_walk_sites sites;
    size_t real_bytes;
    struct mw_walk_device *parts;
    size_t count;
    struct mw_team *team;
    struct mw_exchange *exchange;
    uint64_t step;
    bool failed;
};
/* plan.c: returns MW_ELIMIT if the walk does not fit into memory. */
int mw_walk_plan(const struct mw_walk *walk, struct mw_device *const *devices, size_t count);
int mw_walk_check(const struct mw_walk *walk);
/* Returns the number of sites with non-negligible probability after `steps` steps. */
static inline size_t mw_walk_reached(const struct mw_walk *w, uint64_t steps)
{
    return mw_walk_sites_within(&w->sites, mw_walk_reach(steps, !w->options.single));
}
/* Sets the state of a step on all parts.  MW_EINVAL: a value is not a probability. */
int mw_walk_put(struct mw_walk *walk, uint64_t step, const void *values);

#endif
/* SPDX-License-Identifier: MIT */

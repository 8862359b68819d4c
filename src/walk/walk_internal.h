/* Walks by the master equation: sites, parts of devices, and forms of storage and update.  Internal.
 *
 * A place is a point of the mesh, given relative to the start of the walk; a site is an accessible place.  A part is
 * the sites that one device updates.  A form determines how the sites of a part are stored and updated. */
#ifndef MW_WALK_INTERNAL_H
#define MW_WALK_INTERNAL_H

#include <meshwork/walk.h>

#include "base/base.h"
#include "dev/core/backend.h"
#include "dev/core/team.h"
#include "dev/memory/exchange.h"
#include "dev/own.h"
#include "walk/sizes.clh"

/* ---- tiles.c: which places are accessible ---- */

/* The accessible places around a start, in tiles: squares or cubes that are made on first access. */
struct mw_walk_tiles;
/* Makes an empty set of tiles around the start. The carpet must outlive it. */
int mw_walk_tiles_new(const struct mw_carpet *carpet, const int64_t *start, struct mw_walk_tiles **tiles);
/* Frees the tiles; NULL is allowed. */
void mw_walk_tiles_free(struct mw_walk_tiles *tiles);
/* Finds the memory in which the caller keeps a place's number, initially negative. Stores its address in *number; NULL
 * if the place is not accessible. Makes the tile if necessary. */
int mw_walk_tiles_find(struct mw_walk_tiles *tiles, const int32_t *place, int32_t **number);
/* Returns the edge of a tile in places. A tile consists of whole blocks of a carpet's level, if these are small
 * enough. */
int32_t mw_walk_tile_edge(const struct mw_carpet *carpet);

/* ---- sites.c ---- */

/* The sites that a walk can reach from its start, numbered by the number of steps to them. */
struct mw_walk_sites {
    unsigned dims;
    size_t count, levels; /* number of sites; largest number of steps to a site, plus 1 */
    size_t *within;       /* [levels] sites that are reached within 0, 1, ... steps */
    int32_t *places;      /* [count][dims] relative to the start */
    /* [2 dims][count] neighbours: left, right, below, ...  `count`: not accessible; `count` + 1: not reached. */
    int32_t *neighbours;
};
/* Finds the sites that are reached from `start` within so many steps.  MW_EINVAL: the start is not accessible.
 * MW_ELIMIT: too many sites.  The caller clears *sites, also after a failure. */
int mw_walk_sites_find(const struct mw_carpet *carpet, const int64_t *start, uint64_t steps,
                       struct mw_walk_sites *sites);
/* Frees the arrays of the sites. */
void mw_walk_sites_clear(struct mw_walk_sites *sites);
/* Returns the number of sites that are reached within so many steps; these are the first ones. */
size_t mw_walk_sites_within(const struct mw_walk_sites *sites, uint64_t steps);
/* Stores the number of steps to each of `count` sites in `distance`: the sites in `number`, which must be ascending, or
 * the first ones if NULL. */
void mw_walk_sites_distances(const struct mw_walk_sites *sites, const int32_t *number, size_t count, int32_t *distance);
/* Makes room for `more` elements of `size` bytes after the first `count`; reallocates the array, to at least twice its
 * room, if necessary.  *room: elements for which the array has room. */
int mw_walk_grow(void *pointer_to_array, size_t count, size_t more, size_t size, size_t *room);
/* Returns the distance from the start beyond which probabilities are negligible after so many steps, in the precision
 * of the walk. */
uint64_t mw_walk_reach(uint64_t steps, bool fp64);

/* ---- forms/boxes.c: boxes of equal size that divide the mesh ---- */

/* The boxes that contain sites, numbered in the order of their first sites. */
struct mw_walk_boxes {
    unsigned dims;
    int64_t first[MW_CARPET_DIMS_MAX]; /* first place of some box; set by the caller */
    int32_t edge[MW_CARPET_DIMS_MAX];  /* places per box and dimension; set by the caller */
    size_t count;
    int32_t *of;   /* box of each site */
    uint64_t *key; /* coordinates of each box in one number, ordered by (z, y, x) */
    int32_t *slot; /* hash table from keys to boxes; -1: free */
    size_t slots;
};
/* Makes the boxes of `count` sites: the sites in `number`, or the first ones if NULL.  The caller clears them, also
 * after a failure. */
int mw_walk_boxes_make(const struct mw_walk_sites *sites, const int32_t *number, size_t count, struct mw_walk_boxes *b);
/* Frees the arrays of the boxes. */
void mw_walk_boxes_clear(struct mw_walk_boxes *boxes);
/* Converts a key to the coordinates of its box, in boxes from an origin below all of them; stores `dims` numbers. */
void mw_walk_boxes_place(const struct mw_walk_boxes *boxes, uint64_t key, uint32_t *place);
/* Returns the number of the box with a key, or -1 if no site is in it. */
int32_t mw_walk_boxes_find(const struct mw_walk_boxes *boxes, uint64_t key);
/* Returns the key of the adjacent box on a side: 0 is left, 1 right, 2 below, 3 above, ... */
uint64_t mw_walk_boxes_neighbours(const struct mw_walk_boxes *boxes, uint64_t key, unsigned side);

/* ---- variants.c ---- */

struct mw_walk_form;
/* A variant: an algorithm for updating the sites, as a row of the table in variants.c. */
struct mw_walk_variant {
    struct mw_variant variant; /* its name and description */
    const struct mw_walk_form *form;
    bool whole;  /* also updates sites of negligible probability, as in the paper */
    bool splits; /* supports several devices */
    bool chosen; /* `auto` may choose it */
};
/* Returns row i of the table of variants, which must exist. */
const struct mw_walk_variant *mw_walk_variant_row(size_t i);
/* Returns whether the options name a variant other than `auto`. */
bool mw_walk_by_hand(const struct mw_walk_options *options);
/* Stores the variant with a name in *variant; NULL and "auto": the default for the devices.  MW_EINVAL: no such
 * variant, or it does not support several devices. */
int mw_walk_variant_find(struct mw_device *const *devices, size_t count, const char *name,
                         const struct mw_walk_variant **variant);
/* Sets walk->variant to the fastest one for a single device, before its part is made (choose.c).  On GPUs it measures
 * the variants near and blocks, unless the walk is short or an earlier result is cached. */
int mw_walk_choose(struct mw_walk *walk, struct mw_device *device);

/* ---- part.c: the part of one device ---- */

/* Estimates of a walk's size, from which its memory is computed. */
struct mw_walk_size {
    unsigned dims;
    size_t real_bytes; /* bytes per probability */
    double sites,      /* number of sites */
        box,           /* places in the square or cube around all sites */
        in_row;        /* sites per place, in rows of rows.cl that have any */
};

struct mw_walk_device;
/* A form of storage, in which the state of a part is an array of cells: one number per site, and possibly others. */
struct mw_walk_form {
    /* Makes part->set, tables, `cells` and `cell`.  Stores in *first the initial cells, which the caller frees; NULL:
     * all are 0. */
    int (*make)(struct mw_walk_device *part, void **first);
    /* Queues an update by `steps` steps (at most part->together) from state[turn] to the other buffer.  All own sites
     * within `distance` steps from the start are below n. */
    int (*step)(struct mw_walk_device *part, size_t n, uint64_t distance, unsigned steps);
    /* Returns the bytes on all devices together. */
    double (*bytes)(const struct mw_walk_size *size);
    /* Returns the bytes on the host that only this form needs.  NULL: none. */
    double (*host_bytes)(const struct mw_walk_size *size);
};
/* The forms of storage that the files in forms/ implement. */
extern const struct mw_walk_form mw_walk_list, mw_walk_square, mw_walk_diamond, mw_walk_iterators, mw_walk_blocks,
    mw_walk_rows;

/* Another part with which a part exchanges sites after each step. */
struct mw_walk_neighbour {
    size_t part,      /* number of the other part */
        first, count, /* sent: `count` sites from index `first` of `give` on */
        at, taken,    /* received: copies of `taken` sites of the other part, as local sites from `at` on */
        send,         /* number of the channel that sends */
        receive;      /* number of the channel that receives */
};
/* A part: the sites that one device updates, and copies of their neighbours in other parts.  Together these are the
 * local sites, which have numbers of their own. */
struct mw_walk_device {
    const struct mw_walk *whole;
    struct mw_device *device;
    struct mw_owner owner; /* frees the kernels and buffers, and data of the form */
    struct mw_kernel_set *set;
    size_t own, all; /* sites that the part updates; all local sites, beginning with these */
    int32_t *number; /* number of each local site in the walk, ascending for own ones; NULL: the part has all sites */
    /* as struct mw_walk_sites, with local numbers and `all` instead of `count`; owned if `number` is set */
    int32_t *neighbours;
    size_t cells;                /* cells per state */
    int32_t *cell;               /* cell of each local site; NULL: site i is in cell i */
    unsigned together;           /* most steps per launch */
    struct mw_buffer *state[2];  /* the state and the previous one */
    unsigned turn;               /* index of the current state */
    void *own_form;              /* data of the form */
    struct mw_buffer *tables[3]; /* tables of the form */

    /* Exchange with other parts, if there are several. */
    int32_t *give; /* own sites that are sent, grouped by the part that receives them */
    size_t give_count;
    struct mw_buffer *give_on_device, /* copy of `give` */
        *ahead;                       /* values of these sites after the next step, computed before it */
    struct mw_port port;
    struct mw_walk_neighbour *neighbour;
    size_t neighbour_count;
};

/* Makes kernels and buffers of a part, whose sites mw_walk_split has listed.  The caller clears it, also after a
 * failure. */
int mw_walk_device_new(const struct mw_walk *whole, struct mw_device *device, struct mw_walk_device *part);
/* Frees the memory of a part; accepts a zeroed struct. */
void mw_walk_device_clear(struct mw_walk_device *part);
/* The native kernels of a form: by dimensions, 2 and 3, and by precision. */
typedef const struct mw_native_kernel *const mw_walk_native[2][2];
#define MW_WALK_NATIVE(form)                                                                                           \
    {                                                                                                                  \
        { mw_native_walk_##form##_2, mw_native_walk_##form##_2_double },                                               \
        {                                                                                                              \
            mw_native_walk_##form##_3, mw_native_walk_##form##_3_double                                                \
        }                                                                                                              \
    }
/* Builds part->set for the walk's dimensions and precision, with a further macro NAME VALUE (name NULL: none) and a
 * work-group of `group` items, a power of two (0: of any size). */
int mw_walk_device_build(struct mw_walk_device *part, const struct mw_kernel_list *kernels, mw_walk_native native,
                         const char *name, int value, size_t group);
/* Makes part->tables[table], a buffer of `bytes` bytes, and fills it. */
int mw_walk_device_send(struct mw_walk_device *part, unsigned table, const void *from, size_t bytes);
/* Copies the part's own sites among the first n of the walk to `values`, an array with an element per site of the
 * walk. */
int mw_walk_device_read(struct mw_walk_device *part, size_t n, void *values);
/* Sets the part's local sites: those among the first n of the walk from `values`, an array with an element per site of
 * the walk, and the others to 0. */
int mw_walk_device_write(struct mw_walk_device *part, size_t n, const void *values);
/* Queues 1 to `most` steps after step `step`, and the exchange of sites with other parts.  Stores the number of steps
 * in *done. */
int mw_walk_device_step(struct mw_walk_device *part, uint64_t step, uint64_t most, uint64_t *done);
/* Most elements per work-item on CPU cores: some drivers stop loops after 65535 iterations. */
enum { MW_WALK_EACH = 16384 };
/* Returns the launch range of a kernel on n elements (at least 1).  Stores the elements per work-item in *each: 1 on
 * GPUs, at most `most` on cores. */
struct mw_range mw_walk_range(const struct mw_walk_device *part, size_t n, size_t most, int64_t *each);

/* Divides the sites among walk->parts, and lists the sites that these exchange (split.c). */
int mw_walk_split(struct mw_walk *walk);

/* A walk: its sites, and the parts that hold its state. */
struct mw_walk {
    struct mw_walk_options options;
    struct mw_carpet *carpet;
    const struct mw_walk_variant *variant;
    bool by_hand; /* the caller named the variant */
    struct mw_walk_sites sites;
    size_t real_bytes;            /* bytes per probability */
    struct mw_walk_device *parts; /* `count` parts */
    size_t count;
    struct mw_team *team;         /* a thread per part */
    struct mw_exchange *exchange; /* transfers between parts; NULL: one part */
    uint64_t step;                /* steps done */
    bool failed;                  /* the parts have states of different steps: an earlier call failed */
};
/* Checks that the walk fits into the memory of the devices and the host (plan.c).  MW_ELIMIT: it does not; the message
 * has the number of steps that fit. */
int mw_walk_plan(const struct mw_walk *walk, struct mw_device *const *devices, size_t count);
/* Checks that the state is defined.  MW_EDEVICE: an earlier call failed on a device. */
int mw_walk_check(const struct mw_walk *walk);
/* Returns the number of sites with non-negligible probability after `steps` steps: the first ones. */
static inline size_t mw_walk_reached(const struct mw_walk *w, uint64_t steps)
{
    return mw_walk_sites_within(&w->sites, mw_walk_reach(steps, !w->options.single));
}
/* Sets the state after `step` steps on all parts; `values` has an element per site of mw_walk_reached.  MW_EINVAL: a
 * value is not finite, or below 2^-WALK_LEAST_SINGLE (double: 2^-WALK_LEAST_DOUBLE) and not 0. */
int mw_walk_put(struct mw_walk *walk, uint64_t step, const void *values);

#endif
/* SPDX-License-Identifier: MIT */

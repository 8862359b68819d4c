/* Spins: a model's row, a variant's, one device's part, and all of them.  Internal.
 *
 * models.c is the table of models; variants.c that of variants, with the forms of bytes.c and bits.c in which a part is
 * stored and updated; part.c knows one part, rounds.c how several move on together, spins.c all of them, state.c brings
 * states in and out. */
#ifndef MW_SPIN_INTERNAL_H
#define MW_SPIN_INTERNAL_H

#include <meshwork/prim.h>
#include <meshwork/spin.h>
#include <meshwork/transform.h>

#include "base/base.h"
#include "dev/core/team.h"
#include "dev/memory/exchange.h"
#include "dev/kernel_set.h"
#include "spin/mesh.clh"

/* ---- models.c ---- */

/* Of all spins: their sum, and that of the products of all pairs of neighbours. */
struct mw_spin_sums { int64_t spins, pairs; };

/* What the forms of one bit and of one byte know of an installed model; parameters are in the order of its file. */
struct mw_spin_kind {
    const char *name;
    const uint64_t *hash;        /* of its text: another one is a model of its own */
    /* MW_EINVAL: parameters that make no sense. */
    int (*check)(const double *params);
    double (*outside)(const double *params);
    /* Fills SPIN_RULE(dims) numbers, as cl/spin/sweep.clh has them. */
    void (*rule)(const double *params, enum mw_spin_update update, unsigned dims, uint32_t *rule);
    /* Of all spins together. */
    double (*energy)(const double *params, const struct mw_spin_sums *sums);
};
extern const uint64_t mw_spin_ising_hash;    /* from its file, when the library is built */
/* NULL: these forms are not for it. */
const struct mw_spin_kind *mw_spin_kind_find(const struct mw_model *model);

/* ---- variants.c ---- */

struct mw_spin_form;
struct mw_spin_variant {
    struct mw_variant variant;
    const struct mw_spin_form *form;
    bool powers, plane;          /* the meshes that it is for: lengths powers of two; two dimensions */
    bool crinkled;               /* rows as cl/spin/mesh.clh has them by SPIN_CRINKLED */
    const char *defines;
    const struct mw_native_kernel *native;
};
/* The variant that a mesh gets.  MW_EINVAL: there is none of that name, or it is not for this mesh. */
int mw_spin_variant_find(const struct mw_model *model, const struct mw_spin_options *options,
                         const struct mw_lattice *lattice, const struct mw_spin_variant **variant);

/* ---- part.c: what one device has: all slabs, or some, with copies of others' on either side ---- */

enum { MW_SPIN_BELOW, MW_SPIN_ABOVE, MW_SPIN_SIDES };
enum { MW_SPIN_CORE_SITES = 16384 };     /* of an item, at most: some drivers end an item's loops after 65535 rounds */

struct mw_spin_share { int32_t first, slabs; };   /* of the slowest dimension, or of several systems whole ones */

struct mw_spins;
struct mw_spin_device;
/* How spins are stored, and by which kernels: bytes.c, bits.c, model/.  They queue. */
struct mw_spin_form {
    int (*build)(struct mw_spin_device *part);           /* the set, and what is said of it below */
    int (*start)(struct mw_spin_device *part);           /* at random */
    /* From and to rows of bytes, with room for the halo; NULL: they are so. */
    int (*pack)(struct mw_spin_device *part, struct mw_buffer *plain);
    int (*unpack)(struct mw_spin_device *part, struct mw_buffer *plain);
    /* A phase of rows from `begin` to below `end`, of which 0 is the part's first; others are copies. */
    int (*sweep)(struct mw_spin_device *part, int32_t phase, uint64_t step, int32_t begin, int32_t end);
    double rate[2];                                      /* about so many updates a nanosecond: of cores, of GPUs */
    /* Several steps at once: *done of `most`, or none; NULL: never. */
    int (*several)(struct mw_spin_device *part, uint64_t step, uint64_t most, uint64_t *done);
    int (*measure)(struct mw_spin_device *part);         /* into the sums */
    /* From a system's rule to what the kernels have instead, and of how many signs; NULL: the rule as it is. */
    int32_t (*table)(unsigned dims, const uint32_t *rule, uint32_t *table);
    unsigned char up, down;                              /* bytes of memory where all spins are so */
    int (*bring)(struct mw_spin_device *part);           /* parameters to the device; NULL: rules as they are */
    /* Of spins of any model: memory beside the cells, and what is freed; `start` makes any start. */
    int (*memory)(struct mw_spin_device *part);
    void (*clear)(struct mw_spin_device *part);
};
extern const struct mw_spin_form mw_spin_plain, mw_spin_crinkled, mw_spin_bits, mw_spin_of_model;

/* Rows of a tile of bits, and steps that it is updated by a launch at most; 0: there are none. */
struct mw_spin_tile { int32_t rows, steps; size_t group; };

struct mw_spin_device {
    const struct mw_spin_form *form;
    const struct mw_spins *whole;
    struct mw_device *device;
    struct mw_spin_share share;
    struct spin_mesh mesh;
    size_t rows, slab_rows;      /* its own; of a slab */
    size_t first_system, systems;
    bool stale;                  /* the device has not the whole's rules */
    struct mw_kernel_set *set, *clusters, *state;    /* of bits: all but updates */
    void *own;                   /* of spins of any model */
    struct mw_prim *prim;
    struct mw_buffer *cells, *rule, *plan;       /* rules of its systems; the mesh as kernels read it */
    struct mw_transform *crinkle, *uncrinkle;    /* NULL: rows are plain */
    struct mw_buffer *sums[2];   /* of each measuring item: spins, pairs */
    size_t row_bytes;
    int32_t each, items;         /* what a sweeping item does, and such items of a row */
    int32_t vec, shape, tall, column;    /* of bits: words at a time; what kernels know; rows of an item, of a column */
    struct mw_spin_tile tile;
    struct mw_kernel_set *tiles;
    struct mw_buffer *beyond;    /* where these, and rules, write: it becomes the cells, and these it */
    int32_t measurable, measurers;       /* items that could measure a row, and do */
    struct mw_port port;         /* of parts that share a system */
    struct mw_spin_side { bool there; size_t send, receive; } side[MW_SPIN_SIDES];   /* a neighbour, and channels */
};
/* With those of others. */
static inline size_t mw_spin_device_rows(const struct mw_spin_device *p) { return p->rows + 2 * (size_t)p->mesh.halo; }
int mw_spin_device_new(struct mw_spins *whole, struct mw_device *device, struct mw_spin_share share,
                       struct mw_spin_device *part);
void mw_spin_device_clear(struct mw_spin_device *part);
/* Items of the first dimension share a row.  On cores each is a group, since some drivers compile anew for every size
 * of groups. */
struct mw_range mw_spin_device_range(const struct mw_spin_device *part, int32_t items);
/* The start that the options ask for. */
int mw_spin_device_start(struct mw_spin_device *part);
/* Its cells, from and to the whole's in host memory; without copies of others'. */
int mw_spin_device_read(struct mw_spin_device *part, void *whole);
int mw_spin_device_write(struct mw_spin_device *part, const void *whole);
/* Sends off the slabs at its ends that neighbours have copies of, from the state that comes (mw_port_post follows);
 * then waits for theirs and queues their writing into its copies. */
int mw_spin_device_send(struct mw_spin_device *part, struct mw_buffer *from);
int mw_spin_device_receive(struct mw_spin_device *part);
/* Of each of its systems. */
int mw_spin_device_sums(struct mw_spin_device *part, struct mw_spin_sums *sums);
/* Brings it the whole's rules, where these have changed. */
int mw_spin_device_rule(struct mw_spin_device *part);
int mw_spin_device_write_rule(struct mw_spin_device *part);

/* ---- tile.c ---- */

/* Whether several steps of bits by one launch are faster, and by which tiles; the kernels for these, and for p->shape;
 * what `several` of a form does. */
void mw_spin_tile_choose(struct mw_spin_device *part);
int mw_spin_tile_build(struct mw_spin_device *part);
int mw_spin_tile_steps(struct mw_spin_device *part, uint64_t step, uint64_t most, uint64_t *done);

/* ---- spins.c ---- */

struct mw_spins {
    struct mw_model *model;
    const struct mw_spin_kind *kind;     /* NULL: these forms are not for the model */
    struct mw_spin_options options;      /* without what its pointers point to: they are NULL */
    struct mw_lattice lattice;
    const struct mw_spin_variant *variant;
    struct spin_mesh mesh;       /* of the whole */
    size_t slab_rows;
    int32_t phases;              /* launches of a step, each of spins that do not look at each other */
    int32_t spacing;             /* of these, of spins of any model */
    bool elsewhere;              /* a phase writes `beyond`, not where it reads */
    int32_t reach, margin;       /* slabs that a phase looks at; that it has to update beyond those that count */
    int32_t round;               /* phases between two exchanges of borders, at most */
    int32_t halo_slabs;          /* that a part has of others on either side */
    enum mw_type type;           /* of a state's elements */
    unsigned components;         /* elements of a cell: one plane of the state each */
    size_t cell_bytes;           /* in a part, where they stand together */
    int values, least;           /* of spins that are whole numbers; 0: of none */
    size_t systems;
    double *params;              /* of each system */
    uint32_t *table;             /* their rules, as the form has them */
    int32_t *outside;            /* their spins beyond fixed ends */
    int32_t signs;               /* of the tables: 2 where one of them tells spins up from spins down */
    uint64_t step;
    size_t count;
    struct mw_spin_device *parts;
    struct mw_team *team;        /* of several parts */
    struct mw_exchange *exchange;
    bool borders;                /* they share a system */
    bool failed;                 /* parts are no whole any more */
};
/* Brings borders to all parts. */
int mw_spins_exchange(struct mw_spins *spins);
/* MW_EDEVICE: they failed. */
int mw_spins_check(const struct mw_spins *spins);

/* ---- rounds.c ---- */

/* Phases between two exchanges, of parts of so many slabs, and thus what parts have copies of; the channels between
 * parts; what a team does: sends borders and takes others', and advances by `steps`, a uint64_t.  Who fails there tells
 * its neighbours, which would wait for it. */
void mw_spins_choose_round(struct mw_spins *spins, struct mw_device *const *devices, size_t share);
int mw_spins_join(struct mw_spins *spins);
int mw_spins_exchange_part(void *part, void *unused);
int mw_spins_advance_part(void *part, void *steps);

#endif
/* SPDX-License-Identifier: MIT */

/* Spins on lattices: models, variants, the part of one device, and all parts.  Internal.
 *
 * models.c: table of built-in models.  variants.c: table of variants; bytes.c, bits.c and model/: forms of storage and
 * update.  part.c: one part.  rounds.c: how several parts advance together.  spins.c: public calls.  state.c: copies of
 * states to and from the host. */
#ifndef MW_SPIN_INTERNAL_H
#define MW_SPIN_INTERNAL_H

#include <meshwork/prim.h>
#include <meshwork/spin.h>
#include <meshwork/transform.h>

#include "base/base.h"
#include "dev/core/team.h"
#include "dev/memory/exchange.h"
#include "prim/prim_internal.h"
#include "spin/mesh.clh"

/* ---- models.c ---- */

/* Holds the sum of all spins of a system, and the sum of the products of all pairs of neighbours. */
struct mw_spin_sums {
    int64_t spins, pairs;
};

/* Describes an installed model that bits.c and bytes.c support.  Parameters are in the order of its file. */
struct mw_spin_kind {
    const char *name;
    const uint64_t *hash; /* hash of its text; a file with another text is treated as another model */
    /* Returns MW_EINVAL if a parameter is out of range. */
    int (*check)(const double *params);
    /* Returns the spin beyond fixed boundaries: -1, 0 or 1. */
    double (*outside)(const double *params);
    /* Fills the SPIN_RULE(dims) probabilities that spin_updated (cl/spin/sweep.clh) reads. */
    void (*rule)(const double *params, enum mw_spin_update update, unsigned dims, uint32_t *rule);
    /* Returns the total energy of a system. */
    double (*energy)(const double *params, const struct mw_spin_sums *sums);
};
extern const uint64_t mw_spin_ising_hash; /* computed from the model file at build time */
/* Finds the description of a model; NULL: the byte and bit forms do not support it. */
const struct mw_spin_kind *mw_spin_kind_find(const struct mw_model *model);

/* ---- variants.c ---- */

struct mw_spin_form;
/* A variant: a form of storage, and the macros and native kernels of its programs. */
struct mw_spin_variant {
    struct mw_variant variant;
    const struct mw_spin_form *form;
    bool powers, plane;                    /* needs lengths that are powers of two; needs two dimensions */
    bool crinkled;                         /* rows store their even cells first: SPIN_CRINKLED in cl/spin/mesh.clh */
    bool image;                            /* neighbours are read from an image */
    const char *defines;                   /* macros of its programs */
    const struct mw_native_kernel *native; /* its kernels for native devices */
};
/* Finds the variant for a mesh.  MW_EINVAL: unknown name, or a variant that does not support this mesh. */
int mw_spin_variant_find(const struct mw_model *model, const struct mw_spin_options *options,
                         const struct mw_lattice *lattice, const struct mw_spin_variant **variant);

/* ---- part.c: the slabs of one device, with a halo of slabs of its neighbours ---- */

/* The sides of a part: its neighbours have the slabs before and after its own. */
enum { MW_SPIN_BELOW, MW_SPIN_ABOVE, MW_SPIN_SIDES };
/* Maximum sites per work-item: some drivers stop the loops of a work-item after 65535 iterations. */
enum { MW_SPIN_CORE_SITES = 16384 };

/* The share of one device: `slabs` slabs along the slowest dimension, from `first` on.  Of several systems, it has
 * whole ones. */
struct mw_spin_share {
    int32_t first, slabs;
};

struct mw_spins;
struct mw_spin_device;
/* A form of storage and its kernels: bytes.c, bits.c, model/.  The functions queue work and do not wait. */
struct mw_spin_form {
    int (*build)(struct mw_spin_device *part); /* builds the kernels and fills the members of the part below */
    int (*start)(struct mw_spin_device *part); /* random initial state */
    /* Converts rows of bytes (with a halo) in `plain` to the form of storage.  NULL: the form stores plain bytes. */
    int (*pack)(struct mw_spin_device *part, struct mw_buffer *plain);
    /* Converts the stored rows (with a halo) to bytes in `plain`.  NULL: the form stores plain bytes. */
    int (*unpack)(struct mw_spin_device *part, struct mw_buffer *plain);
    /* Updates the sites of one phase in rows begin to end - 1.  Row 0 is the first of the part; rows of the halo have
     * numbers below 0 or after the last. */
    int (*sweep)(struct mw_spin_device *part, int32_t phase, uint64_t step, int32_t begin, int32_t end);
    double rate[2]; /* approximate updates per nanosecond: on CPU cores, on GPUs */
    /* Advances up to `most` steps in one launch; *done is unchanged if it does none.  NULL: not supported. */
    int (*several)(struct mw_spin_device *part, uint64_t step, uint64_t most, uint64_t *done);
    int (*measure)(struct mw_spin_device *part); /* computes the sums of each measuring work-item in part->sums */
    /* Converts the rule of a system for the kernels; returns the number of signs.  NULL: no conversion. */
    int32_t (*table)(unsigned dims, const uint32_t *rule, uint32_t *table);
    unsigned char up, down;                    /* bytes that fill memory if all spins are up; if all are down */
    int (*bring)(struct mw_spin_device *part); /* copies the parameters to the device; NULL: copies the rules */
    /* Allocates further memory of the form.  NULL: none; otherwise `start` handles every kind of start, not only
     * random ones. */
    int (*memory)(struct mw_spin_device *part);
};
/* Forms of storage: a byte per spin; the same in crinkled rows; a bit per spin; the states of any model. */
extern const struct mw_spin_form mw_spin_plain, mw_spin_crinkled, mw_spin_bits, mw_spin_of_model;

/* The tiles of bits that a work-group advances by several steps in local memory: rows of a tile, maximum steps per
 * launch (0: no tiles), work-group size. */
struct mw_spin_tile {
    int32_t rows, steps;
    size_t group;
};

/* The part of a mesh of spins, or of several systems, that one device updates. */
struct mw_spin_device {
    struct mw_owner owner; /* frees what is made for the part and never replaced */
    const struct mw_spin_form *form;
    const struct mw_spins *whole;
    struct mw_device *device;
    struct mw_spin_share share;
    struct spin_mesh mesh;
    size_t rows, slab_rows;       /* rows of the part; rows of a slab */
    size_t first_system, systems; /* number of its first system; number of its systems */
    bool stale;                   /* the device does not have the current rules */
    /* set: the kernels, for bits those of updates; clusters: those of cluster updates, for any model; state:
     * for bits, kernels other than updates */
    struct mw_kernel_set *set, *clusters, *state;
    void *own; /* extra data of the form of any model */
    struct mw_prim *prim;
    struct mw_image *image;                   /* cells, copied before each update; NULL: updates read `cells` */
    struct mw_buffer *cells, *rule, *plan;    /* state; rules of its systems; the mesh for the kernels */
    struct mw_transform *crinkle, *uncrinkle; /* conversions to and from crinkled rows; NULL: rows are not crinkled */
    struct mw_buffer *sums[2];                /* per measuring work-item: spins, pairs */
    size_t row_bytes;
    int32_t each, items; /* sites or words per work-item of an update; such work-items per row */
    /* for bits: words per vector; shape of the update (BITS_SHAPE_OF); rows per work-item; rows per column */
    int32_t vec, shape, tall, column;
    struct mw_spin_tile tile;    /* for bits: tiles for several steps per launch */
    struct mw_kernel_set *tiles; /* kernels of these tiles */
    struct mw_buffer *beyond;    /* output of tiles and of rules, swapped with `cells` after the launch */
    /* number of work-items that can share the measurement of a row at most; number that do */
    int32_t measurable, measurers;
    struct mw_port port; /* exchange of halos, between parts that share a system */
    int32_t left;        /* phases until the next exchange, for which the halo suffices */
    struct mw_spin_side {
        bool there;           /* there is a neighbour on this side */
        size_t send, receive; /* numbers of the channels to and from it */
    } side[MW_SPIN_SIDES];
};
/* Returns the number of rows of the part and of its halo. */
static inline size_t mw_spin_device_rows(const struct mw_spin_device *p) { return p->rows + 2 * (size_t)p->mesh.halo; }
/* Makes a part on a device: kernels and buffers. */
int mw_spin_device_new(struct mw_spins *whole, struct mw_device *device, struct mw_spin_share share,
                       struct mw_spin_device *part);
/* Frees what a part owns. */
void mw_spin_device_clear(struct mw_spin_device *part);
/* Returns the range of a launch over all rows of the part, with `items` work-items per row.  On CPU cores a work-group
 * has one work-item, since some drivers recompile for every work-group size. */
struct mw_range mw_spin_device_range(const struct mw_spin_device *part, int32_t items);
/* Sets the initial state that the options specify. */
int mw_spin_device_start(struct mw_spin_device *part);
/* Copies the part's cells, without its halo, to their place in the state of all parts in host memory. */
int mw_spin_device_read(struct mw_spin_device *part, void *whole);
/* Copies the part's cells, without its halo, from the state of all parts in host memory. */
int mw_spin_device_write(struct mw_spin_device *part, const void *whole);
/* Queues reads of the outermost slabs of `from` for the neighbours; the caller then calls mw_port_post. */
int mw_spin_device_send(struct mw_spin_device *part, struct mw_buffer *from);
/* Waits for the slabs of the neighbours, and queues their copies into the halo. Begins a round. */
int mw_spin_device_receive(struct mw_spin_device *part);
/* Computes the sums of each system of the part. */
int mw_spin_device_sums(struct mw_spin_device *part, struct mw_spin_sums *sums);
/* Copies the current rules to the device if they have changed. */
int mw_spin_device_rule(struct mw_spin_device *part);
/* Copies the current rules to the device. */
int mw_spin_device_write_rule(struct mw_spin_device *part);

/* ---- fraction.c: MW_SPIN_START_FRACTION ---- */

/* Checks that spins can start with the fractions of the options.  MW_EINVAL: they cannot. */
int mw_spin_fraction_check(const struct mw_model *model, const struct mw_spin_options *options);
/* Sets the start of a part. */
int mw_spin_fraction_start(struct mw_spin_device *part);

/* ---- tile.c ---- */

/* Sets part->tile: decides whether several steps per launch are faster, and with which tiles. */
void mw_spin_tile_choose(struct mw_spin_device *part);
/* Builds the kernels of the tiles that mw_spin_tile_choose has set, for part->shape. */
int mw_spin_tile_build(struct mw_spin_device *part);
/* Advances tiles of bits by up to `most` steps in one launch.  Sets *done to their number; leaves it unchanged if there
 * are no tiles. */
int mw_spin_tile_steps(struct mw_spin_device *part, uint64_t step, uint64_t most, uint64_t *done);

/* ---- spins.c ---- */

/* A simulation of spins on one or several devices. */
struct mw_spins {
    struct mw_owner owner; /* frees the arrays */
    struct mw_model *model;
    const struct mw_spin_kind *kind; /* NULL: the byte and bit forms do not support the model */
    struct mw_spin_options options;  /* its pointers are set to NULL */
    struct mw_lattice lattice;
    const struct mw_spin_variant *variant;
    struct spin_mesh mesh; /* mesh of all parts */
    size_t slab_rows;      /* rows of a slab */
    int32_t phases;        /* launches per step; spins of one phase are no neighbours of each other */
    int32_t spacing;       /* distance of sites of one phase, in the form of any model */
    bool elsewhere;        /* phases write to `beyond` instead of updating in place */
    /* slabs that a phase reads on either side of a slab; slabs of the halo that it must update on either side */
    int32_t reach, margin;
    int32_t round;       /* maximum number of phases between two exchanges of halos */
    int32_t halo_slabs;  /* halo of a part, in slabs, on either side */
    enum mw_type type;   /* type of an element of a state */
    unsigned components; /* components of a cell; a state stores one plane per component */
    size_t cell_bytes;   /* bytes of a cell in a part, where its components are adjacent */
    int values, least;   /* whole-number spins: count and minimum; 0 for continuous spins */
    size_t systems;
    double *params;    /* parameters of each system */
    uint32_t *table;   /* rule of each system, in the representation of the form */
    int32_t *outside;  /* spin beyond fixed boundaries of each system */
    double *fractions; /* of spins up at the start, of each system; NULL: another start */
    int32_t signs;     /* 2 if a rule distinguishes spins up and down, otherwise 1 */
    uint64_t step;
    size_t count; /* number of parts */
    struct mw_spin_device *parts;
    struct mw_team *team; /* host threads that advance the parts, if there are several */
    struct mw_exchange *exchange;
    bool borders; /* the parts share one system */
    bool failed;  /* a device failed, and the parts no longer match */
};
/* Exchanges the halos of all parts. */
int mw_spins_exchange(struct mw_spins *spins);
/* Returns MW_EDEVICE if a part has failed. */
int mw_spins_check(const struct mw_spins *spins);

/* ---- rounds.c ---- */

/* Sets the number of phases between two exchanges of halos, and the width of the halos, for parts of `share` slabs. */
void mw_spins_choose_round(struct mw_spins *spins, struct mw_device *const *devices, size_t share);
/* Makes the channels between parts that share a system. */
int mw_spins_join(struct mw_spins *spins);
/* Exchanges the halos of one part with its neighbours: a job of a team.  On failure it breaks the exchange, so that the
 * neighbours do not wait. */
int mw_spins_exchange_part(void *part, void *unused);
/* Advances one part by *(uint64_t *)steps steps: a job of a team.  On failure it breaks the exchange, so that the
 * neighbours do not wait. */
int mw_spins_advance_part(void *part, void *steps);

#endif
/* SPDX-License-Identifier: MIT */

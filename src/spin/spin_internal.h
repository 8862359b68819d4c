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
#include "dev/kernel_set.h"
#include "spin/mesh.clh"

/* ---- models.c ---- */

/* Sum of all spins, and sum of the products of all pairs of neighbours. */
struct mw_spin_sums {
    int64_t spins, pairs;
};

/* An installed model that bits.c and bytes.c support.  Parameters are in the order of its file. */
struct mw_spin_kind {
    const char *name;
    const uint64_t *hash; /* hash of its text; a file with another text is treated as another model */
    /* Returns MW_EINVAL if a parameter is out of range. */
    int (*check)(const double *params);
    double (*outside)(const double *params);
    /* Fills the SPIN_RULE(dims) probabilities that spin_updated (cl/spin/sweep.clh) reads. */
    void (*rule)(const double *params, enum mw_spin_update update, unsigned dims, uint32_t *rule);
    /* Total energy of a system. */
    double (*energy)(const double *params, const struct mw_spin_sums *sums);
};
extern const uint64_t mw_spin_ising_hash; /* computed from the model file at build time */
/* Returns NULL if the byte and bit forms do not support the model. */
const struct mw_spin_kind *mw_spin_kind_find(const struct mw_model *model);

/* ---- variants.c ---- */

struct mw_spin_form;
struct mw_spin_variant {
    struct mw_variant variant;
    const struct mw_spin_form *form;
    bool powers, plane; /* needs lengths that are powers of two; needs two dimensions */
    bool crinkled;      /* rows are stored as SPIN_CRINKLED in cl/spin/mesh.clh describes */
    const char *defines;
    const struct mw_native_kernel *native;
};
/* Finds the variant for a mesh.  MW_EINVAL: unknown name, or a variant that does not support this mesh. */
int mw_spin_variant_find(const struct mw_model *model, const struct mw_spin_options *options,
                         const struct mw_lattice *lattice, const struct mw_spin_variant **variant);

/* ---- part.c: the slabs of one device, with a halo of slabs of its neighbours ---- */

enum { MW_SPIN_BELOW, MW_SPIN_ABOVE, MW_SPIN_SIDES };
/* maximum per work-item: some drivers stop the loops of a work-item after 65535 iterations */
enum { MW_SPIN_CORE_SITES = 16384 };

/* slabs along the slowest dimension; whole systems if there are several */
struct mw_spin_share {
    int32_t first, slabs;
};

struct mw_spins;
struct mw_spin_device;
/* A form of storage and its kernels: bytes.c, bits.c, model/.  The functions queue work and do not wait. */
struct mw_spin_form {
    int (*build)(struct mw_spin_device *part); /* builds the kernels and fills the members of the part below */
    int (*start)(struct mw_spin_device *part); /* random initial state */
    /* Convert between rows of bytes (with a halo) and the form's own; NULL: the form stores plain bytes. */
    int (*pack)(struct mw_spin_device *part, struct mw_buffer *plain);
    int (*unpack)(struct mw_spin_device *part, struct mw_buffer *plain);
    /* Updates one phase of rows begin to end - 1.  Row 0 is the first of the part; the halo has rows outside. */
    int (*sweep)(struct mw_spin_device *part, int32_t phase, uint64_t step, int32_t begin, int32_t end);
    double rate[2]; /* approximate updates per nanosecond: on CPU cores, on GPUs */
    /* Advances up to `most` steps in one launch; *done is unchanged if it does none.  NULL: not supported. */
    int (*several)(struct mw_spin_device *part, uint64_t step, uint64_t most, uint64_t *done);
    int (*measure)(struct mw_spin_device *part); /* writes to `sums` */
    /* Converts the rule of a system for the kernels; returns the number of signs.  NULL: no conversion. */
    int32_t (*table)(unsigned dims, const uint32_t *rule, uint32_t *table);
    unsigned char up, down;                    /* byte that fills memory when all spins are up, or down */
    int (*bring)(struct mw_spin_device *part); /* copies the parameters to the device; NULL: copies the rules */
    /* Forms that allocate further memory: `memory` allocates it, `clear` frees it.  `start` then handles every kind of
     * start. */
    int (*memory)(struct mw_spin_device *part);
    void (*clear)(struct mw_spin_device *part);
};
extern const struct mw_spin_form mw_spin_plain, mw_spin_crinkled, mw_spin_bits, mw_spin_of_model;

/* Rows of a tile of bits, and maximum steps per launch; 0: no tiles. */
struct mw_spin_tile {
    int32_t rows, steps;
    size_t group;
};

struct mw_spin_device {
    const struct mw_spin_form *form;
    const struct mw_spins *whole;
    struct mw_device *device;
    struct mw_spin_share share;
    struct spin_mesh mesh;
    size_t rows, slab_rows; /* rows of the part; rows of a slab */
    size_t first_system, systems;
    bool stale; /* the device does not have the current rules */
    /* clusters: form of any model; state: form of bits, all kernels but updates */
    struct mw_kernel_set *set, *clusters, *state;
    void *own; /* extra data of the form of any model */
    struct mw_prim *prim;
    struct mw_buffer *cells, *rule, *plan;    /* state; rules of its systems; the mesh for the kernels */
    struct mw_transform *crinkle, *uncrinkle; /* NULL: rows are plain */
    struct mw_buffer *sums[2];                /* per measuring work-item: spins, pairs */
    size_t row_bytes;
    int32_t each, items;              /* sites or words per work-item of an update; such work-items per row */
    int32_t vec, shape, tall, column; /* for bits: words per vector; BITS_SHAPE_OF; rows per work-item; per column */
    struct mw_spin_tile tile;
    struct mw_kernel_set *tiles;
    struct mw_buffer *beyond;      /* output of tiles and of rules, swapped with `cells` after the launch */
    int32_t measurable, measurers; /* maximum useful and actual number of work-items that measure a row */
    struct mw_port port;           /* between parts that share a system */
    struct mw_spin_side {
        bool there;
        size_t send, receive;
    } side[MW_SPIN_SIDES]; /* neighbour and its channels */
};
/* Rows of the part and of its halo. */
static inline size_t mw_spin_device_rows(const struct mw_spin_device *p) { return p->rows + 2 * (size_t)p->mesh.halo; }
int mw_spin_device_new(struct mw_spins *whole, struct mw_device *device, struct mw_spin_share share,
                       struct mw_spin_device *part);
void mw_spin_device_clear(struct mw_spin_device *part);
/* Range over all rows; `items` work-items share a row.  On CPU cores a work-group has one work-item, since some drivers
 * recompile for every work-group size. */
struct mw_range mw_spin_device_range(const struct mw_spin_device *part, int32_t items);
/* Sets the initial state that the options specify. */
int mw_spin_device_start(struct mw_spin_device *part);
/* Copy the part's cells, without its halo, to or from the whole state in host memory. */
int mw_spin_device_read(struct mw_spin_device *part, void *whole);
int mw_spin_device_write(struct mw_spin_device *part, const void *whole);
/* _send queues reads of the outermost slabs of `from` for the neighbours; mw_port_post must follow.  _receive waits for
 * the slabs of the neighbours and queues their copies into the halo. */
int mw_spin_device_send(struct mw_spin_device *part, struct mw_buffer *from);
int mw_spin_device_receive(struct mw_spin_device *part);
/* Computes the sums of each system of the part. */
int mw_spin_device_sums(struct mw_spin_device *part, struct mw_spin_sums *sums);
/* _rule copies the current rules to the device if they have changed; _write_rule always copies them. */
int mw_spin_device_rule(struct mw_spin_device *part);
int mw_spin_device_write_rule(struct mw_spin_device *part);

/* ---- tile.c ---- */

/* _choose decides whether several steps per launch are faster, and with which tiles.  _build builds the kernels for
 * these and for p->shape.  _steps is `several` of the form of bits. */
void mw_spin_tile_choose(struct mw_spin_device *part);
int mw_spin_tile_build(struct mw_spin_device *part);
int mw_spin_tile_steps(struct mw_spin_device *part, uint64_t step, uint64_t most, uint64_t *done);

/* ---- spins.c ---- */

struct mw_spins {
    struct mw_model *model;
    const struct mw_spin_kind *kind; /* NULL: the byte and bit forms do not support the model */
    struct mw_spin_options options;  /* its pointers are set to NULL */
    struct mw_lattice lattice;
    const struct mw_spin_variant *variant;
    struct spin_mesh mesh; /* mesh of all parts */
    size_t slab_rows;
    int32_t phases;  /* launches per step; spins of one phase are no neighbours of each other */
    int32_t spacing; /* distance of sites of one phase, in the form of any model */
    bool elsewhere;  /* phases write to `beyond` instead of updating in place */
    /* slabs that a phase reads on either side; extra slabs that it must update on either side */
    int32_t reach, margin;
    int32_t round;       /* maximum number of phases between two exchanges of halos */
    int32_t halo_slabs;  /* halo of a part, in slabs, on either side */
    enum mw_type type;   /* type of an element of a state */
    unsigned components; /* components of a cell; a state stores one plane per component */
    size_t cell_bytes;   /* bytes of a cell in a part, where its components are adjacent */
    int values, least;   /* whole-number spins: count and minimum; 0 for continuous spins */
    size_t systems;
    double *params;   /* per system */
    uint32_t *table;  /* their rules, in the representation of the form */
    int32_t *outside; /* their spins beyond fixed boundaries */
    int32_t signs;    /* 2 if a table distinguishes spins up and down */
    uint64_t step;
    size_t count;
    struct mw_spin_device *parts;
    struct mw_team *team; /* if there are several parts */
    struct mw_exchange *exchange;
    bool borders; /* the parts share one system */
    bool failed;  /* a device failed, and the parts no longer match */
};
/* Exchanges the halos of all parts. */
int mw_spins_exchange(struct mw_spins *spins);
/* Returns MW_EDEVICE if a part has failed. */
int mw_spins_check(const struct mw_spins *spins);

/* ---- rounds.c ---- */

/* _choose_round sets the phases between two exchanges and the width of halos, for parts of `share` slabs.  _join makes
 * the channels between parts.  _exchange_part and _advance_part are jobs of a team: one exchanges halos, one advances
 * by *(uint64_t *)steps.  A part that fails breaks the exchange, so that its neighbours do not wait for it. */
void mw_spins_choose_round(struct mw_spins *spins, struct mw_device *const *devices, size_t share);
int mw_spins_join(struct mw_spins *spins);
int mw_spins_exchange_part(void *part, void *unused);
int mw_spins_advance_part(void *part, void *steps);

#endif
/* SPDX-License-Identifier: MIT */

/* Labelling of meshes: what label.c and the variants' files share. */
#ifndef MW_LABEL_INTERNAL_H
#define MW_LABEL_INTERNAL_H

#include <meshwork/label.h>
#include <meshwork/prim.h>

#include "base/base.h"

#include "label/joining.clh"

/* The threshold as an element: of integers rounded down, of reals to the nearest, or lower than all of them. */
struct mw_label_threshold {
    bool all;                    /* every value is above it */
    int64_t integer;             /* the bits, for an unsigned type */
    double real;
};

/* Up to so many cells the table of variant runs has an entry for each, which spares a wait and a launch. */
#define MW_LABEL_ROOMY (1 << 20)

/* By which work is cut. */
struct mw_label_limits {
    size_t strip_cells;          /* of a strip of rows, at least */
    size_t tile_items;           /* segments of a tile, a power of two; 0: as usual */
    unsigned tile_x;             /* 1 + the binary logarithm of those along x; 0: as usual */
    size_t sizes;                /* that a summary has room for at first; 0: as usual */
    bool beside;                 /* summaries go beside other work, on devices that are no GPUs too */
    size_t tiles_beside;         /* up to which there pairs are not listed; 0: as usual */
    unsigned hooks;              /* of the variant `bits` before it unites; 0: by what it found last */
};

struct mw_labelling {
    struct mw_device *device;
    struct mw_label_limits limits;
    struct mw_label_options options; /* a background that no element can have is none any more */
    struct mw_lattice lattice;
    size_t element_bytes;
    struct mw_label_threshold threshold;
    double tolerance;            /* as an element: the nearest one, at most the greatest finite */
    bool wide;                   /* labels are i64 */
    bool ordered;                /* float64 cells are compared as whole numbers: the device has no double precision */
    const struct mw_label_variant *variant;
    bool from_image;             /* the variant's programs read the values from an image ... */
    struct mw_image *image;      /* ... this one, which a run fills first; else NULL */
    struct mw_prim *prim;        /* NULL until a variant wants it */
    struct mw_buffer *labels;    /* of a summary; NULL until there is one */
    bool begun;                  /* a summary, and not ended yet */
    bool at_once;                /* whoever began it waits for it */
    struct mw_components_summary summary; /* this one, of variants without `begin` */
    void *state;                 /* the variant's own: programs, buffers */
};

/* How a variant does it on one kind of device: native ones, or others (label.c).  `refuses`, which may be NULL, gives
 * the reason why it cannot do what the options ask for on this device, as the end of a sentence ("is for the cores of
 * CPUs: use union-find"), or NULL where it can.  `make` sets state, `drop` frees it (NULL is legal) also after a make
 * that failed half-way; `run` as mw_labelling_run, with both counts wanted; `begin` and `end`, NULL where there is no
 * faster way than by labels, as mw_labelling_summary_begin and _end, with a buffer of labels to work in; with a NULL
 * summary `end` only waits; `beside`, whether `begin` does not wait, NULL: it does. */
struct mw_label_variant {
    const char *(*refuses)(const struct mw_labelling *labelling);
    int (*make)(struct mw_labelling *labelling);
    void (*drop)(struct mw_labelling *labelling);
    int (*run)(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
               size_t *iterations);
    int (*begin)(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels);
    int (*end)(struct mw_labelling *labelling, struct mw_components_summary *summary);
    bool (*beside)(const struct mw_labelling *labelling);
};
/* runs.c: runs of cells; serial.c: the papers' CPU I and II, on native devices. */
extern const struct mw_label_variant mw_label_runs, mw_label_raster, mw_label_equivalence_serial;
/* On others.  bits.c: tiles of words of bits; union_find.c: direct union-find, by cells and by blocks of cells;
 * propagation.c: the papers' kernels A to C; equivalence.c: D. */
extern const struct mw_label_variant mw_label_bits, mw_label_union_find, mw_label_blocks, mw_label_neighbour,
    mw_label_tile, mw_label_lines, mw_label_equivalence;

/* label.c. */
bool mw_label_is_real(enum mw_type type);
bool mw_label_is_unsigned(enum mw_type type);
/* A whole number that orders reals as their values do, and -0 with 0; NaNs are beyond the infinities.
 * cl/label/mesh.clh has the same. */
uint64_t mw_label_ordered(double value);
/* Whether a step leads to a larger k-index where nothing wraps around. */
bool mw_label_step_is_later(const signed char *step, unsigned dims);

/* source.c: the macros that programs of a labelling begin with (see cl/label/mesh.clh): element type, how cells join,
 * background, dimensions and lengths, connectivity or the lattice's steps, what is periodic, whether values are in an
 * image. */
int mw_label_defines(const struct mw_labelling *labelling, struct mw_text *defines);
/* Only ELEMENT, REAL_DOUBLE and JOIN, for programs that are good for any mesh; check mw_text_ok. */
void mw_label_cell_defines(const struct mw_labelling *labelling, struct mw_text *defines);
/* The background (with MW_JOIN_EQUAL), the threshold or the tolerance as an element, for those programs. */
void mw_label_value(const struct mw_labelling *labelling, void *value);

/* Boundaries with the default of labels in place of MW_BOUNDARY_DEFAULT and of NULL.  Errors: MW_EINVAL
 * (a mirror, or no boundary). */
int mw_label_boundaries_take(const enum mw_boundary *given, unsigned dims, enum mw_boundary *taken);
/* Whether a dimension's ends meet. */
static inline bool mw_label_wraps(const struct mw_label_options *o, unsigned d)
{
    return o->boundary[d] == MW_BOUNDARY_PERIODIC;
}

/* native-cells.c: what it takes for cells to join, for native programs that are for all types of them. */
void mw_label_joining(const struct mw_labelling *labelling, struct label_joining *joining);

/* sides.c: the largest of each side of the threshold, into a summary of these labels. */
int mw_label_sides(const struct mw_labelling *labelling, struct mw_components *components, struct mw_buffer *from,
                   struct mw_components_summary *summary);

/* plan.c: what kernels that go by rows know of the mesh (cl/label/plan.clh), in a buffer; `words` (to be freed) has it
 * as well. */
int mw_label_plan_new(const struct mw_labelling *labelling, struct mw_buffer **plan, int64_t **words);
/* bits.c: the macros of cl/label/bits/places.clh, for tiles of so many items; check mw_text_ok. */
void mw_label_cut_defines(const struct mw_labelling *labelling, size_t items, struct mw_text *defines);
/* label.c: the calls of label.h with other limits than the usual ones (NULL: with these), for tests. */
int mw_labelling_new_within(struct mw_device *device, const struct mw_label_options *options,
                            const struct mw_label_limits *limits, struct mw_labelling **labelling);
int mw_label_array_within(struct mw_device *device, const struct mw_label_options *options,
                          const struct mw_label_limits *limits, const struct mw_array *array, struct mw_array *labels,
                          struct mw_array *sizes, size_t *components);
/* geometry.c: how many cells an item measures from now on; 0: by the device.  For tests. */
void mw_geometry_limit(struct mw_geometry *geometry, size_t part_cells);

#endif
/* SPDX-License-Identifier: MIT */

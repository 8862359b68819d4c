/* Labelling of meshes: declarations shared by label.c and the variants.  Internal. */
#ifndef MW_LABEL_INTERNAL_H
#define MW_LABEL_INTERNAL_H

#include <meshwork/label.h>
#include <meshwork/prim.h>

#include "base/base.h"

#include "label/joining.clh"

/* The threshold as an element: integers rounded down, reals to the nearest one. */
struct mw_label_threshold {
    bool all;        /* every value is above it */
    int64_t integer; /* as bits, for an unsigned type */
    double real;
};

/* Meshes of up to this many cells have a table with an entry per cell in variant runs, which saves a wait and a
 * launch. */
#define MW_LABEL_ROOMY (1 << 20)

/* Limits that divide the work, for tests. */
struct mw_label_limits {
    size_t strip_cells;      /* minimum of a strip of rows */
    size_t tile_items;       /* segments of a tile, a power of two; 0: default */
    unsigned tile_x;         /* 1 + binary logarithm of the segments along x; 0: default */
    size_t sizes;            /* initial room for the sizes of a summary; 0: default */
    bool concurrent;         /* summaries run next to other work on all devices, not only on GPUs */
    size_t tiles_concurrent; /* in this case maximum tiles without lists of pairs; 0: default */
    unsigned hooks;          /* passes of hooks of variant `bits`; 0: depends on its last result */
};

struct mw_labelling {
    struct mw_device *device;
    struct mw_label_limits limits;
    struct mw_label_options options; /* without a background that no element can have */
    struct mw_lattice lattice;
    size_t element_bytes;
    struct mw_label_threshold threshold;
    double tolerance; /* as an element: nearest, at most the largest finite one */
    bool wide;        /* labels are i64 */
    bool ordered;     /* float64 cells are compared as integers, since the device has no double precision */
    const struct mw_label_variant *variant;
    bool from_image;                      /* the programs of the variant read values from an image ... */
    struct mw_image *image;               /* ... this one, which a run fills first; otherwise NULL */
    struct mw_prim *prim;                 /* NULL until a variant needs it */
    struct mw_buffer *labels;             /* for a summary; NULL before it exists */
    bool begun;                           /* a summary has been begun and not ended */
    bool at_once;                         /* the caller waits for the summary */
    struct mw_components_summary summary; /* for variants without `begin` */
    void *state;                          /* data of the variant: programs, buffers */
};

/* Implementation of a variant for native devices or for others (label.c).
 * - refuses, NULL if it supports everything: returns the reason why it does not support the options on this device, as
 *   the end of a sentence ("supports only hypercubic lattices (use union-find)"); NULL: it does.
 * - make sets `state`; drop frees it, also after make has failed (and if it is NULL).
 * - run is mw_labelling_run; both counts are required.
 * - begin and end are mw_labelling_summary_begin and _end, with a buffer of labels to work in; NULL if labels are the
 *   fastest way.  With a NULL summary `end` only waits.
 * - beside returns whether `begin` does not wait; NULL: it waits. */
struct mw_label_variant {
    const char *(*refuses)(const struct mw_labelling *labelling);
    int (*make)(struct mw_labelling *labelling);
    void (*drop)(struct mw_labelling *labelling);
    int (*run)(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
               size_t *iterations);
    int (*begin)(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels);
    int (*end)(struct mw_labelling *labelling, struct mw_components_summary *summary);
    bool (*concurrent)(const struct mw_labelling *labelling);
};
/* runs.c: runs of cells.  serial.c: CPU I and II of the papers.  For native devices. */
extern const struct mw_label_variant mw_label_runs, mw_label_raster, mw_label_equivalence_serial;
/* For other devices.  bits.c: tiles of words of bits.  union_find.c: direct union-find by cells and by blocks.
 * propagation.c: kernels A to C of the papers.  equivalence.c: kernel D. */
extern const struct mw_label_variant mw_label_bits, mw_label_union_find, mw_label_blocks, mw_label_neighbour,
    mw_label_tile, mw_label_lines, mw_label_equivalence;

/* label.c. */
bool mw_label_is_real(enum mw_type type);
bool mw_label_is_unsigned(enum mw_type type);
/* Maps reals to integers in the same order; -0 equals 0, and NaNs are beyond the infinities.  Same as in
 * cl/label/mesh.clh. */
uint64_t mw_label_ordered(double value);
/* Returns whether a step leads to a larger k-index if nothing wraps around. */
bool mw_label_step_is_later(const signed char *step, unsigned dims);

/* source.c: appends the macros of programs for a labelling (see cl/label/mesh.clh): element type, joining, background,
 * dimensions and lengths, connectivity or steps, periodic dimensions, images. */
int mw_label_defines(const struct mw_labelling *labelling, struct mw_text *defines);
/* Appends only ELEMENT, REAL_DOUBLE and JOIN, for programs that support any mesh; the caller checks mw_text_ok. */
void mw_label_cell_defines(const struct mw_labelling *labelling, struct mw_text *defines);
/* Stores the background (MW_JOIN_EQUAL), threshold or tolerance as an element, for those programs. */
void mw_label_value(const struct mw_labelling *labelling, void *value);

/* Copies boundaries; MW_BOUNDARY_DEFAULT and NULL become the default of labels.  Errors: MW_EINVAL (a mirror, or an
 * invalid boundary). */
int mw_label_boundaries_take(const enum mw_boundary *given, unsigned dims, enum mw_boundary *taken);
/* Returns whether a dimension is periodic. */
static inline bool mw_label_wraps(const struct mw_label_options *o, unsigned d)
{
    return o->boundary[d] == MW_BOUNDARY_PERIODIC;
}

/* native-cells.c: functions and value that join cells, for native programs that support all types. */
void mw_label_joining(const struct mw_labelling *labelling, struct label_joining *joining);

/* sides.c: finds the largest component on each side of the threshold, for a summary of these labels. */
int mw_label_sides(const struct mw_labelling *labelling, struct mw_components *components, struct mw_buffer *from,
                   struct mw_components_summary *summary);

/* plan.c: makes a buffer with the description of the mesh (cl/label/plan.clh) for kernels that process rows.  `words`
 * is a copy that the caller frees. */
int mw_label_plan_new(const struct mw_labelling *labelling, struct mw_buffer **plan, int64_t **words);
/* bits.c: appends the macros of cl/label/bits/places.clh, for tiles of `items` work-items; the caller checks
 * mw_text_ok. */
void mw_label_cut_defines(const struct mw_labelling *labelling, size_t items, struct mw_text *defines);
/* label.c: the calls of label.h with other limits, for tests; NULL: the defaults. */
int mw_labelling_new_within(struct mw_device *device, const struct mw_label_options *options,
                            const struct mw_label_limits *limits, struct mw_labelling **labelling);
int mw_label_array_within(struct mw_device *device, const struct mw_label_options *options,
                          const struct mw_label_limits *limits, const struct mw_array *array, bool into,
                          struct mw_array *labels, struct mw_array *sizes, size_t *components);
/* geometry.c: sets the cells per work-item, for tests; 0: depends on the device. */
void mw_geometry_limit(struct mw_geometry *geometry, size_t part_cells);

#endif
/* SPDX-License-Identifier: MIT */

/* Labelling of the connected components of meshes: declarations shared by label.c and the variants.  Internal. */
#ifndef MW_LABEL_INTERNAL_H
#define MW_LABEL_INTERNAL_H

#include <meshwork/label.h>
#include <meshwork/prim.h>

#include "dev/own.h"

#include "label/joining.clh"

/* Holds the threshold in the type of the cells. */
struct mw_label_threshold {
    bool all;        /* the threshold is below every value of the type */
    int64_t integer; /* for integer cells: rounded down; unsigned values are stored as their bits */
    double real;     /* for real cells: rounded to the nearest value of the type */
};

/* Limits the cells of meshes for which variant `runs` allocates one table entry per cell.  This saves a wait and a
 * launch. */
#define MW_LABEL_ROOMY (1 << 20)

/* Sets how the work is divided, for tests. */
struct mw_label_limits {
    size_t strip_cells;      /* minimum cells of a strip, a sequence of rows that one work-item labels */
    size_t tile_items;       /* segments (32 cells of a row) of a tile, a power of two; 0: default */
    unsigned tile_x;         /* 1 + binary logarithm of the segments along x; 0: default */
    size_t sizes;            /* initial room for the sizes of a summary; 0: default */
    bool concurrent;         /* summaries run next to other work on all devices, not only on GPUs */
    size_t tiles_concurrent; /* largest number of tiles for which concurrent summaries need no lists of pairs;
                              * 0: default */
    unsigned hooks;          /* hooking passes of variant `bits`; 0: depends on its last result */
};

/* Holds the options, the variant and the buffers of one labelling. */
struct mw_labelling {
    struct mw_device *device;
    struct mw_owner owner; /* frees what is made for the labelling */
    struct mw_label_limits limits;
    struct mw_label_options options; /* without a background that no element can have */
    struct mw_lattice lattice;
    size_t element_bytes;
    struct mw_label_threshold threshold;
    double tolerance; /* rounded to the type of the cells, at most its largest finite value */
    bool wide;        /* labels are i64 instead of i32 */
    bool ordered;     /* float64 cells are compared as integers, since the device has no double precision */
    const struct mw_label_variant *variant;
    bool from_image;                      /* the programs of the variant read values from `image` */
    struct mw_image *image;               /* a run first copies the values into it; NULL unless from_image */
    struct mw_prim *prim;                 /* NULL until a variant needs it */
    struct mw_buffer *labels;             /* work space of summaries; NULL before the first one */
    bool begun;                           /* a summary has been begun and not ended */
    bool at_once;                         /* the caller waits for the summary */
    struct mw_components_summary summary; /* the result, kept until it is asked for; for variants without `begin` */
    void *state;                          /* data of the variant: programs, buffers */
};

/* Implements a variant of labelling, either for native devices or for OpenCL and CUDA devices. */
struct mw_label_variant {
    /* Returns why the variant does not support the options on this device, as the end of a sentence ("supports only
     * hypercubic lattices (use union-find)"); NULL: it does.  A NULL function: it supports everything. */
    const char *(*refuses)(const struct mw_labelling *labelling);
    /* Makes the programs and buffers, which labelling->owner frees, and stores them in `state`. */
    int (*make)(struct mw_labelling *labelling);
    /* Implements mw_labelling_run; both counts must not be NULL. */
    int (*run)(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
               size_t *iterations);
    /* Begins a summary without final labels; `labels` is work space.  NULL: summaries are computed from labels. */
    int (*begin)(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels);
    /* Ends the summary that `begin` began, and stores it.  With a NULL summary it only waits. */
    int (*end)(struct mw_labelling *labelling, struct mw_components_summary *summary);
    /* Returns whether `begin` only queues its work.  A NULL function: `begin` waits for the work. */
    bool (*concurrent)(const struct mw_labelling *labelling);
};
/* Variants for native devices: runs of cells (runs.c); algorithms CPU I and II of the papers (serial.c). */
extern const struct mw_label_variant mw_label_runs, mw_label_raster, mw_label_equivalence_serial;
/* Variants for OpenCL and CUDA devices: tiles of words of bits (bits.c); direct union-find by cells and by blocks
 * (union_find.c); kernels A to C (propagation.c) and kernel D (equivalence.c) of the papers. */
extern const struct mw_label_variant mw_label_bits, mw_label_union_find, mw_label_blocks, mw_label_neighbour,
    mw_label_tile, mw_label_lines, mw_label_equivalence;

/* Makes labelling->prim unless it exists (passes.c). */
int mw_label_prim(struct mw_labelling *labelling);
/* Returns whether cells of a type are floating-point numbers (label.c). */
bool mw_label_is_real(enum mw_type type);
/* Returns whether cells of a type are unsigned integers (label.c). */
bool mw_label_is_unsigned(enum mw_type type);
/* Maps reals to integers in the same order; -0 equals 0, and NaNs are beyond the infinities.  Same as in
 * cl/label/mesh.clh. */
uint64_t mw_label_ordered(double value);
/* Returns whether a step (-1, 0 or 1 per dimension) leads to a larger k-index if no periodic boundary is crossed. */
bool mw_label_step_is_later(const signed char *step, unsigned dims);

/* Appends the macros of programs for one mesh (listed in cl/label/mesh.clh): element type, joining, background,
 * dimensions and lengths, connectivity or steps, periodic dimensions, images.  In source.c. */
int mw_label_defines(const struct mw_labelling *labelling, struct mw_text *defines);
/* Appends the macros ELEMENT, REAL_DOUBLE and JOIN, for programs that support any mesh; the caller checks
 * mw_text_ok. */
void mw_label_cell_defines(const struct mw_labelling *labelling, struct mw_text *defines);
/* Stores the background (MW_JOIN_EQUAL), threshold or tolerance in *value, in the type of the cells. */
void mw_label_value(const struct mw_labelling *labelling, void *value);

/* Copies the boundary condition of each dimension; MW_BOUNDARY_DEFAULT and a NULL array become the default of
 * labelling.  MW_EINVAL: a mirror, or an invalid value. */
int mw_label_boundaries_take(const enum mw_boundary *given, unsigned dims, enum mw_boundary *taken);
/* Returns whether a dimension is periodic. */
static inline bool mw_label_wraps(const struct mw_label_options *o, unsigned d)
{
    return o->boundary[d] == MW_BOUNDARY_PERIODIC;
}

/* Stores the functions that compare cells of the labelling's type, and the value that they need, for native programs
 * (native-cells.c). */
void mw_label_joining(const struct mw_labelling *labelling, struct label_joining *joining);

/* Sets cells_above, largest_above and largest_below of the summary: cells above the threshold, and of the largest
 * component on each side of it.  `from` has the values of the cells.  In sides.c. */
int mw_label_sides(const struct mw_labelling *labelling, struct mw_components *components, struct mw_buffer *from,
                   struct mw_components_summary *summary);

/* Makes a buffer with the description of the mesh (cl/label/plan.clh) for kernels that process rows, and *words, a copy
 * on the host.  The labelling's owner frees both.  In plan.c. */
int mw_label_plan_new(struct mw_labelling *labelling, struct mw_buffer **plan, const int64_t **words);
/* The size of a buffer: `count` elements of `bytes` bytes. */
struct mw_label_need {
    size_t count, bytes;
};
/* Makes n buffers of these sizes, which the labelling's owner frees.  In passes.c. */
int mw_label_buffers(struct mw_labelling *labelling, const struct mw_label_need *needs, size_t n,
                     struct mw_buffer **buffers);
/* Appends the macros of cl/label/bits/places.clh that describe tiles of `items` work-items.  The caller checks
 * mw_text_ok.  In bits.c. */
void mw_label_cut_defines(const struct mw_labelling *labelling, size_t items, struct mw_text *defines);
/* Makes a labelling like mw_labelling_new, with given limits (NULL: the defaults), for tests. */
int mw_labelling_new_within(struct mw_device *const *devices, size_t count, const struct mw_label_options *options,
                            const struct mw_label_limits *limits, struct mw_labelling **labelling);
/* Labels a mesh with cells as mw_labelling_run does, without checks and reports. */
int mw_labelling_pass(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                      size_t *components, size_t *iterations);
/* Labels an array like mw_label_array, with given limits (NULL: the defaults), for tests.  `into`: writes to the
 * existing array *labels, instead of making it.  In array.c. */
int mw_label_array_within(struct mw_device *const *devices, size_t device_count, const struct mw_label_options *options,
                          const struct mw_label_limits *limits, const struct mw_array *array, bool into,
                          struct mw_array *labels, struct mw_array *sizes, size_t *components);
/* Makes an array with the size of each of `count` components that the labelling has found.  In array.c. */
int mw_label_sizes(struct mw_labelling *labelling, struct mw_buffer *labels, size_t count, struct mw_array *sizes);
/* Sets how many cells a work-item sums, for tests; 0: depends on the device.  In geometry.c. */
void mw_geometry_limit(struct mw_geometry *geometry, size_t part_cells);

/* ---- for variants for devices with work-groups: passes.c ---- */

/* Builds a list of kernels for the mesh of a labelling: with the macros of mw_label_defines, and `options` (may be
 * NULL).  Without `takes`, the kernels take any size of group that the user gives.  The labelling's owner frees them,
 * and the buffers below. */
int mw_label_set_new(struct mw_labelling *labelling, const struct mw_kernel_list *list,
                     const struct mw_kernel_options *options, struct mw_kernel_set **set);

/* Returns the bytes of a root, the k-index of a component's first cell: 4 or 8.  Labels may be wider. */
size_t mw_label_root_bytes(const struct mw_labelling *labelling);
/* Allocates a buffer with a root per cell. */
int mw_label_roots_new(struct mw_labelling *labelling, struct mw_buffer **roots);
/* Allocates a buffer with a root per cell if roots are narrower than labels.  Otherwise sets it to NULL: the buffer of
 * labels then holds the roots. */
int mw_label_own_roots_new(struct mw_labelling *labelling, struct mw_buffer **roots);

/* Returns the kernel argument for a parameter of type VALUES (cl/label/mesh.clh): the image if the labelling has one,
 * otherwise the buffer. */
struct mw_arg mw_label_values(const struct mw_labelling *labelling, struct mw_buffer *from);
/* Converts the root of each cell to a label, 1 to *components (0: background).  `roots` may be the buffer of the
 * labels. */
int mw_label_number(struct mw_labelling *labelling, struct mw_buffer *roots, struct mw_buffer *labels,
                    size_t *components);

/* ---- labelling on several devices, in parts of the mesh: parts.c ---- */

/* Returns the number of parts that these devices label: one per device, but at most one per slab. */
size_t mw_label_part_count(const struct mw_labelling *labelling, size_t devices);
/* Makes a labelling of the first `count`, at least 2, of these devices, each with the variant of this name (NULL:
 * chosen).  Sets its variant to mw_label_parts, whose state the owner frees. */
int mw_label_parts_make(struct mw_labelling *labelling, struct mw_device *const *devices, size_t count,
                        const char *variant);
/* Labels values in host memory, part by part: no device holds the whole mesh.  Stores labels in host memory, and sizes
 * in a new array, unless these are NULL. */
int mw_label_parts_array(struct mw_labelling *labelling, const void *values, void *labels, struct mw_array *sizes,
                         size_t *components);
/* The variant of a labelling that has parts. */
extern const struct mw_label_variant mw_label_parts;

#endif
/* SPDX-License-Identifier: MIT */

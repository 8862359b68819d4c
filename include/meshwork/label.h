/* Component labelling of meshes and images.
 *
 * After Hawick, Leist and Playne, "Parallel graph component labelling with GPUs and CUDA" (Parallel Computing 36 (2010)
 * 655), sections 2, 5 and 6.3. Later methods are direct union-find (Komura, Comput. Phys. Commun. 194 (2015) 54;
 * Playne and Hawick, IEEE Trans. Parallel Distrib. Syst. 29 (2018) 1217), blocks of cells, runs of cells, and tiles of
 * runs (Hennequin, Lacassagne, Cabaret and Meunier, DASIP 2018).
 *
 * Threads: labellings and geometries belong to their device's thread (device.h). */
#ifndef MESHWORK_LABEL_H
#define MESHWORK_LABEL_H

#include <meshwork/components.h>
#include <meshwork/lattice.h>
#include <meshwork/program.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rules by which neighbouring cells belong to one component. */
enum mw_join {
    MW_JOIN_DEFAULT,   /* MW_JOIN_EQUAL for integers and booleans, MW_JOIN_THRESHOLD for reals */
    MW_JOIN_EQUAL,     /* joins cells of equal value; for integers and booleans */
    MW_JOIN_THRESHOLD, /* joins cells on the same side of the threshold: above it, or not above it (a NaN is not) */
    MW_JOIN_TOLERANCE  /* joins cells whose values differ by at most the tolerance; for reals; a NaN joins no cell */
};
MW_API const char *mw_join_name(int value); /* Name, see status.h: "default", "equal", ... */
MW_API int mw_join_find(const char *name, enum mw_join *value);

/* Selects the neighbours of a cell on a hypercubic lattice. */
enum mw_connectivity {
    MW_CONNECTIVITY_FACES, /* 2 * dims neighbours: cells that differ by 1 in one coordinate */
    MW_CONNECTIVITY_ALL    /* 3^dims - 1 neighbours: cells that differ by at most 1 in each coordinate */
};
MW_API const char *mw_connectivity_name(int value); /* Name, see status.h: "faces", "all" */
MW_API int mw_connectivity_find(const char *name, enum mw_connectivity *value);

/* Options of mw_labelling_new: the mesh, the rule that joins neighbouring cells, and the variant. */
struct mw_label_options {
    size_t size;                /* sizeof the struct: see status.h */
    unsigned dims;              /* number of dimensions, 1 to MW_DIMS_MAX */
    size_t length[MW_DIMS_MAX]; /* lengths in cells, x first */
    enum mw_type type;          /* type of a cell's value: an integer, boolean or real type */
    enum mw_join join;          /* joining rule */
    /* Threshold of MW_JOIN_THRESHOLD, which must be finite.  For float32 cells it is rounded to the nearest float32. */
    double threshold;
    /* Tolerance of MW_JOIN_TOLERANCE, which must be finite and 0 or more.  For float32 cells it is rounded to the
     * nearest float32.  Differences of cells are computed in the cells' type. */
    double tolerance;
    /* Value of background cells, which belong to no component; only for MW_JOIN_EQUAL.  With MW_JOIN_THRESHOLD, the
     * background is all cells that are not above the threshold.  With MW_JOIN_TOLERANCE there is no background. */
    int64_t background;
    /* true: there is no background, and `background` is ignored.  With MW_JOIN_THRESHOLD, neighbouring cells that are
     * not above the threshold then form components, too. */
    bool no_background;
    enum mw_lattice_kind lattice;           /* kind of lattice, which determines the neighbours */
    enum mw_connectivity connectivity;      /* neighbours on a hypercubic lattice; ignored on other lattices */
    enum mw_boundary boundary[MW_DIMS_MAX]; /* periodic: joins the ends of a dimension; fixed (default): does not */
    bool wide;                              /* true: labels are i64; meshes of 2^31 cells or more always have i64 */
    /* Name in mw_label_variants.  NULL or "auto": chosen by device, dimensions and options, among the variants that do
     * not read images. */
    const char *variant;
};

/* Returns row i of the table of variants: a name, a description and an alias.  Returns NULL beyond the last row.
 * Aliases are the letters of Hawick, Leist and Playne 2010. */
MW_API const struct mw_variant *mw_label_variants(size_t i);

/* Handle that labels meshes of one size and type on one device or several.  It owns their programs and memory. */
struct mw_labelling;
/* Makes a labelling, which can label any number of meshes, one after another.  On any device, float64 cells
 * can be joined by a threshold, with the same result.  A tolerance of float64 cells requires double precision.
 *
 * Several devices share the slabs of the slowest dimension that is longer than 1; at most one device per slab is used.
 * Buffers of calls are on the first device, which sends values to the others and gets their labels.  The host joins
 * components of neighbouring devices.  Labels are those of one device.
 * Errors: MW_EINVAL (invalid or contradictory options, an unknown variant, a device that is given twice); MW_ENOTSUP
 * (the variant does not support a device or the mesh; float64 with a tolerance on a device without double precision);
 * MW_ELIMIT (the labels exceed the address space); MW_ENOMEM; those of mw_program_new; for variants that read images
 * also those of mw_image_new.
 * Cost: variants that read images copy the values to an image in each mw_labelling_run. */
MW_API int mw_labelling_new(struct mw_device *const *devices, size_t count, const struct mw_label_options *options,
                            struct mw_labelling **labelling);
MW_API void mw_labelling_free(struct mw_labelling *labelling);
/* Returns the name of the chosen variant, with several devices that of the first. */
MW_API const char *mw_labelling_variant(const struct mw_labelling *labelling);
/* Returns the type of the labels that a labelling writes: MW_TYPE_I32 or MW_TYPE_I64. */
MW_API enum mw_type mw_labelling_type(const struct mw_labelling *labelling);

/* Labels the components of a mesh; waits.  Labels do not depend on the devices, the variant, work-groups or threads.
 *   - from: values of the cells.
 *   - labels: receives the label of each cell, of type mw_labelling_type.  It must be another buffer than `from`.
 *     Background cells have label 0.  Components are numbered from 1 in the order of their first cells in memory.
 *   - components: receives the number of components; may be NULL.
 *   - iterations: receives the number of passes; may be NULL.  It is 1 unless the variant repeats a pass until no label
 *     changes.  With several devices, it is the largest of theirs.
 * Errors: MW_EINVAL (a buffer is too small, or both are the same), MW_EDEVICE, those of mw_launch. */
MW_API int mw_labelling_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                            size_t *components, size_t *iterations);

/* Allocates the labels on the device that mw_labelling_summarise and mw_labelling_summary_begin use.  Optional: the
 * first of these calls does the same.  Call it first to learn early if memory is too small.
 * Errors: those of mw_buffer_new, MW_ENOMEM. */
MW_API int mw_labelling_reserve(struct mw_labelling *labelling);
/* Computes the component statistics of a mesh; waits.  The caller supplies no buffer for labels.
 *   - from: values of the cells, as in mw_labelling_run.
 *   - summary: receives the result of mw_labelling_run followed by mw_components_summarise.  With MW_JOIN_THRESHOLD it
 *     also has the largest components above and not above the threshold.
 * Errors: those of mw_labelling_run and components.h; MW_ELIMIT (2^32 cells or more).
 * Cost: variant bits is faster than those two calls, for meshes of at most INT32_MAX cells.  The labelling keeps device
 * memory for one label per cell.  Variant bits also keeps 5 bytes for each component found, and at least 20 KiB, but at
 * most 4 bytes per cell. */
MW_API int mw_labelling_summarise(struct mw_labelling *labelling, struct mw_buffer *from,
                                  struct mw_components_summary *summary);
/* Begins to compute the summary that mw_labelling_summarise computes.  `from` has the values of the cells.
 * mw_labelling_summary_end returns the summary.  After this call the caller may queue work that overwrites `from`.
 *
 * If mw_labelling_summary_waits returns true, this call waits until the labelling is done.  Otherwise it only queues
 * the labelling: later work on the device runs concurrently with it.
 *
 * A labelling holds one summary.  mw_labelling_run, mw_labelling_summarise and the next call of this function discard a
 * summary that mw_labelling_summary_end has not returned yet.
 * Errors: those of mw_labelling_summarise. */
MW_API int mw_labelling_summary_begin(struct mw_labelling *labelling, struct mw_buffer *from);
/* Waits for the summary of the last mw_labelling_summary_begin, and writes it to *summary.  Each summary is returned
 * once.  Errors: MW_EINVAL (there is no summary), those of mw_labelling_summarise. */
MW_API int mw_labelling_summary_end(struct mw_labelling *labelling, struct mw_components_summary *summary);
/* Returns whether mw_labelling_summary_begin waits until the labelling is done.  The result is false only if all of
 * these are true: the variant is bits, the only device is a GPU, the rule is MW_JOIN_THRESHOLD, and the mesh has 1 to
 * INT32_MAX cells. */
MW_API bool mw_labelling_summary_waits(const struct mw_labelling *labelling);

/* Labels an array in host memory in one call; waits.  Several devices label a part each, so that the whole array need
 * not fit on one device.
 *   - options: NULL means all defaults.  Dimensions, lengths and type are taken from `array`, not from the options.
 *   - array: values of the cells.
 *   - labels: receives a new array with the lengths of `array` and the labels of mw_labelling_run; may be NULL.
 *   - sizes: receives a new array of MW_TYPE_U32; may be NULL.  Element i, from 0 on, is the number of cells with label
 *     i + 1.
 *   - components: receives the number of components, which is the length of `sizes`; may be NULL.
 * The caller frees the new arrays by mw_array_free.
 * Errors: those of mw_labelling_new and mw_labelling_run; with `sizes` also those of components.h, such as MW_ELIMIT
 * (2^32 cells or more). */
MW_API int mw_label_array(struct mw_device *const *devices, size_t count, const struct mw_label_options *options,
                          const struct mw_array *array, struct mw_array *labels, struct mw_array *sizes,
                          size_t *components);
/* Labels an array as mw_label_array does, but writes the labels to the caller's array `labels`, which must not be NULL.
 * It must have the lengths of `array`.  Its type must be i64 if the option `wide` is true or the array has 2^31 cells
 * or more, otherwise i32.  `sizes` still receives a new array; it and `components` may be NULL.
 * Errors: those of mw_label_array; MW_EINVAL (`labels` has another type or other lengths). */
MW_API int mw_label_array_into(struct mw_device *const *devices, size_t count, const struct mw_label_options *options,
                               const struct mw_array *array, struct mw_array *labels, struct mw_array *sizes,
                               size_t *components);

/* Labels the objects of an image or a volume: calls mw_label_array with default options and without `sizes`.  The rules
 * depend on the type of `image`:
 *   - integers and booleans: neighbouring cells of equal value are joined; cells of value 0 are background.
 *   - reals: neighbouring cells above 0 are joined; all other cells are background.
 * Neighbours differ by 1 in one coordinate.  Boundaries are fixed.  Errors: those of mw_label_array. */
MW_API int mw_label_image(struct mw_device *const *devices, size_t count, const struct mw_array *image,
                          struct mw_array *labels, size_t *components);

/* ---- geometry of components ---- */

/* Handle that measures the components of one mesh: bounding boxes, centres, radii of gyration.  It owns the programs
 * and device memory for this, and the last result in host memory. */
struct mw_geometry;
/* Makes a geometry for meshes of these lengths; builds no program yet.  One thread at a time may use it.
 *   - prim: primitives of the device.  They must outlive the geometry.
 *   - dims: number of dimensions, 1 to MW_DIMS_MAX.
 *   - length: lengths in cells, x first.
 *   - boundary: boundaries of the labelling's options; NULL: fixed everywhere.
 * Errors: MW_EINVAL (invalid `dims` or boundary), MW_ELIMIT (2^32 cells or more), MW_ENOMEM. */
MW_API int mw_geometry_new(struct mw_prim *prim, unsigned dims, const size_t *length, const enum mw_boundary *boundary,
                           struct mw_geometry **geometry);
MW_API void mw_geometry_free(struct mw_geometry *geometry);

/* Measures all components on the device of the primitives; waits.  mw_geometry_component returns the results.  The
 * results of earlier calls are discarded, even if this call fails.  `components` may be freed afterwards.
 * Errors: MW_EINVAL (`components` has another number of cells than the mesh), MW_ENOMEM, those of components.h,
 * mw_program_new and mw_launch.
 * Cost:
 *   - Time: one pass over the labels.  A periodic dimension takes another pass if a component has cells at both its
 *     ends.
 *   - Memory of the results: 24 bytes per component and dimension, on the device during the call, then on the host. */
MW_API int mw_geometry_run(struct mw_geometry *geometry, struct mw_components *components);

/* Geometry of a component.  Coordinates and lengths are in cells of the array.  On a lattice other than hypercubic they
 * count primitive vectors.
 *
 * Periodic dimensions.  A gap is a range of coordinates in which the component has no cell.  A connected component has
 * at most one gap.  A component with cells at both ends of the dimension is cut open at its largest gap; on a tie, at
 * the first one.  A component without a gap wraps around: its bounding interval is the whole dimension.  A component
 * with cells at all coordinates therefore always wraps around, even a spiral that does not meet itself.
 *
 * All numbers are computed from exact integer sums, so they have the same bits on all devices. */
struct mw_component_geometry {
    size_t size;  /* sizeof the struct: see status.h */
    size_t cells; /* number of cells; 0: the component is empty, and the following members have no meaning */
    /* Bounding box: in each dimension it has `extent` coordinates, beginning with `first`.  In a periodic dimension the
     * box may continue from the last coordinate to coordinate 0. */
    size_t first[MW_DIMS_MAX], extent[MW_DIMS_MAX];
    /* Per dimension: whether `extent` is the length of the mesh.  If so, the component has cells at both ends of a
     * fixed dimension, and wraps around a periodic one. */
    bool spans[MW_DIMS_MAX];
    /* Mean coordinate of the cells, 0 or more and below the length.  NaN in a periodic dimension of length 2 or more if
     * the component wraps around. */
    double centre[MW_DIMS_MAX];
    /* Radius of gyration: the square root of the mean square distance of the cells from the centre.  NaN if a
     * coordinate of the centre is NaN, or if cells * extent^2 is 2^64 or more in a dimension. */
    double gyration;
};

/* Writes the geometry of a component to *component, from the results of the last mw_geometry_run.  `label` is the label
 * of the component, 1 or more.  Errors: MW_EINVAL (no component has this label, or there are no results). */
MW_API int mw_geometry_component(const struct mw_geometry *geometry, size_t label,
                                 struct mw_component_geometry *component);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

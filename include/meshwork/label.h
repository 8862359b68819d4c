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
    MW_JOIN_TOLERANCE  /* joins cells whose values differ by at most the tolerance; for reals; joins no NaN */
};
MW_API const char *mw_join_name(int value); /* Name, see status.h: "default", "equal", ... */
MW_API int mw_join_find(const char *name, enum mw_join *value);

/* Neighbours of a cell on a hypercubic lattice. */
enum mw_connectivity {
    MW_CONNECTIVITY_FACES, /* 2 * dims neighbours: cells that differ by 1 in one coordinate */
    MW_CONNECTIVITY_ALL    /* 3^dims - 1 neighbours: cells that differ by at most 1 in each coordinate */
};
MW_API const char *mw_connectivity_name(int value); /* Name, see status.h: "faces", "all" */
MW_API int mw_connectivity_find(const char *name, enum mw_connectivity *value);

/* The mesh, the joining rule and the variant of a labelling. */
struct mw_label_options {
    size_t size;                /* sizeof the struct: see status.h */
    unsigned dims;              /* number of dimensions, 1 to MW_DIMS_MAX */
    size_t length[MW_DIMS_MAX]; /* lengths in cells, x first */
    enum mw_type type;          /* type of a cell's value: an integer, boolean or real type */
    enum mw_join join;          /* joining rule */
    /* The threshold must be finite, the tolerance finite and 0 or more.  For float32 cells both are rounded to the
     * nearest float32 first. */
    double threshold; /* for MW_JOIN_THRESHOLD */
    double tolerance; /* for MW_JOIN_TOLERANCE; differences are computed in the cells' type */
    /* Value of background cells, which belong to no component (MW_JOIN_EQUAL).  With a threshold, cells that are not
     * above it are background.  With a tolerance there is no background. */
    int64_t background;
    bool no_background;                     /* every cell belongs to a component; `background` is ignored */
    enum mw_lattice_kind lattice;           /* kind of lattice, which determines the neighbours */
    enum mw_connectivity connectivity;      /* neighbours on a hypercubic lattice; ignored on other lattices */
    enum mw_boundary boundary[MW_DIMS_MAX]; /* periodic, or fixed (joins nothing); default: fixed */
    bool wide;                              /* true: labels are i64; from 2^31 cells on they always are */
    const char *variant; /* NULL or "auto": chosen by device, dimensions and options, among variants without images */
};

/* Returns row i of the table of variants: a name, a description and an alias.  Returns NULL beyond the last row.
 * Aliases are the letters of Hawick, Leist and Playne 2010. */
MW_API const struct mw_variant *mw_label_variants(size_t i);

/* The programs and memory for labelling meshes of one size and type on one device. */
struct mw_labelling;
/* Makes a labelling, which can be run any number of times.  On devices without double precision a threshold also works
 * for float64 values, with the same result; a tolerance does not.
 * Errors: MW_EINVAL (contradicting options, an unknown variant); MW_ENOTSUP (the variant does not support the device or
 * the mesh; a tolerance for float64 on a device without double precision); MW_ELIMIT (too many cells); MW_ENOMEM; those
 * of mw_program_new; for variants that read images also those of mw_image_new.
 * Cost: variants that read images copy the values to an image in each run. */
MW_API int mw_labelling_new(struct mw_device *device, const struct mw_label_options *options,
                            struct mw_labelling **labelling);
MW_API void mw_labelling_free(struct mw_labelling *labelling);
/* Returns the name of the chosen variant. */
MW_API const char *mw_labelling_variant(const struct mw_labelling *labelling);
/* Returns the type of labels: MW_TYPE_I32 or MW_TYPE_I64. */
MW_API enum mw_type mw_labelling_type(const struct mw_labelling *labelling);

/* Labels the components of a mesh; waits.  Labels do not depend on the device, the variant, work-groups or threads.
 *   - from: the values of the cells.
 *   - labels: receives one label of mw_labelling_type per cell; must be another buffer than `from`.  0 is background.
 *     Components have the labels 1 to `components`, in the order of their first cells in memory.
 *   - components: receives the number of components; may be NULL.
 *   - iterations: receives the number of passes of a variant that repeats passes until nothing changes, otherwise 1;
 *     may be NULL.
 * Errors: MW_EINVAL (a buffer is too small, or both are the same), MW_EDEVICE, those of mw_launch. */
MW_API int mw_labelling_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                            size_t *components, size_t *iterations);

/* Allocates the labels that mw_labelling_summarise needs, so that a lack of memory is reported before a run.  Errors:
 * those of mw_buffer_new, MW_ENOMEM. */
MW_API int mw_labelling_reserve(struct mw_labelling *labelling);
/* Computes component statistics of `from` without a buffer for the labels; waits.  The result is that of
 * mw_labelling_run followed by mw_components_summarise; variant bits computes it faster.
 * Errors: those of mw_labelling_run and components.h; MW_ELIMIT (2^32 cells or more).
 * Cost: the labelling keeps device memory for one label per cell, and up to 5 bytes per component. */
MW_API int mw_labelling_summarise(struct mw_labelling *labelling, struct mw_buffer *from,
                                  struct mw_components_summary *summary);
/* Begins to compute component statistics; mw_labelling_summary_end returns them.  Work that is queued afterwards may
 * write to `from`.  Variant bits on a GPU does not wait, if it uses a threshold and has at most INT32_MAX cells: later
 * work then runs concurrently with the labelling.  Otherwise the call waits.  Another begin, or a run, discards a
 * summary that was not read.  Errors: those of mw_labelling_summarise. */
MW_API int mw_labelling_summary_begin(struct mw_labelling *labelling, struct mw_buffer *from);
/* Waits for the summary of the last mw_labelling_summary_begin and writes it to *summary.  Errors: MW_EINVAL (no
 * summary was begun), those of mw_labelling_summarise. */
MW_API int mw_labelling_summary_end(struct mw_labelling *labelling, struct mw_components_summary *summary);
/* Returns whether mw_labelling_summary_begin waits for the labelling. */
MW_API bool mw_labelling_summary_waits(const struct mw_labelling *labelling);

/* Labels an array in host memory in one call.
 *   - options: NULL means all defaults; the array's dimensions, lengths and type replace the options'.
 *   - labels: receives a new array of the same lengths, with the labels of mw_labelling_run.
 *   - sizes: receives a new array of MW_TYPE_U32; element i is the number of cells of component i + 1.
 *   - components: receives the number of components, which is also the length of `sizes`.
 * Each result may be NULL.  The caller frees the new arrays by mw_array_free.
 * Errors: those of mw_labelling_new and mw_labelling_run; with `sizes` also those of components.h, such as MW_ELIMIT
 * (2^32 cells or more). */
MW_API int mw_label_array(struct mw_device *device, const struct mw_label_options *options,
                          const struct mw_array *array, struct mw_array *labels, struct mw_array *sizes,
                          size_t *components);
/* Labels an array as mw_label_array does, into the caller's array `labels`.  `labels` must have the lengths of `array`
 * and type i32, or i64 with the option `wide` or from 2^31 cells on.  `sizes` receives a new array.
 * Errors: those of mw_label_array; MW_EINVAL (another type or other lengths of `labels`), before any work. */
MW_API int mw_label_array_into(struct mw_device *device, const struct mw_label_options *options,
                               const struct mw_array *array, struct mw_array *labels, struct mw_array *sizes,
                               size_t *components);

/* Labels the objects of an image or a volume with default options.  Neighbouring cells of equal value are joined, and 0
 * is background.  For reals, neighbouring cells above 0 are joined, and all others are background.  Results and errors
 * are those of mw_label_array without `sizes`. */
MW_API int mw_label_image(struct mw_device *device, const struct mw_array *image, struct mw_array *labels,
                          size_t *components);

/* ---- geometry of components ---- */

/* Programs and memory that measure components on one mesh, and the last result in host memory. */
struct mw_geometry;
/* Prepares measuring components on one mesh.  One thread at a time uses the result.
 *   - prim: primitives of the device; must outlive the result.
 *   - boundary: the boundaries of the labelling's options; NULL: fixed everywhere.
 * Errors: MW_EINVAL (dimensions, a boundary), MW_ELIMIT (2^32 cells or more), MW_ENOMEM. */
MW_API int mw_geometry_new(struct mw_prim *prim, unsigned dims, const size_t *length, const enum mw_boundary *boundary,
                           struct mw_geometry **geometry);
MW_API void mw_geometry_free(struct mw_geometry *geometry);

/* Measures all components on the device of the primitives; waits.  `components` may be freed afterwards.  A failure
 * also discards earlier results.
 * Errors: MW_EINVAL (components of a mesh of another size), MW_ENOMEM, those of components.h, mw_program_new and
 * mw_launch.
 * Cost: one pass over the labels, and another for each periodic dimension with components at both ends; 24 bytes per
 * component and dimension. */
MW_API int mw_geometry_run(struct mw_geometry *geometry, struct mw_components *components);

/* Geometry of a component. Coordinates and lengths are in cells of the array; on a lattice other than hypercubic they
 * count primitive vectors.
 *
 * Periodic dimensions.  A gap is a range of coordinates in which the component has no cell; a connected component has
 * at most one.  A component with cells at both ends of the dimension is cut open at its largest gap, or the first of
 * equal ones.  A component without a gap wraps around: its bounding interval is the whole dimension.  This holds for
 * every component with cells at all coordinates, such as a spiral that does not meet itself.
 *
 * All numbers are computed from exact integer sums, so they have the same bits on all devices. */
struct mw_component_geometry {
    size_t size;  /* sizeof the struct: see status.h */
    size_t cells; /* number of cells; 0: the component is empty, and the other members have no meaning */
    /* The bounding box: per dimension, `extent` coordinates beginning with `first`.  In a periodic dimension the
     * coordinate after the last one is 0. */
    size_t first[MW_DIMS_MAX], extent[MW_DIMS_MAX];
    /* Per dimension: whether `extent` is the whole length.  The component then has cells at both ends; in a periodic
     * dimension it wraps around. */
    bool spans[MW_DIMS_MAX];
    /* Mean coordinate, from 0 to below the length.  NaN in a periodic dimension of two or more cells that the component
     * wraps around. */
    double centre[MW_DIMS_MAX];
    /* Radius of gyration: the root of the mean square distance from the centre.  NaN if a coordinate of the centre is
     * NaN, or if cells * extent^2 is 2^64 or more in a dimension. */
    double gyration;
};

/* Writes the geometry of the component with a label, 1 or more, to *component.  Call mw_geometry_run first.  Errors:
 * MW_EINVAL (no component has this label). */
MW_API int mw_geometry_component(const struct mw_geometry *geometry, size_t label,
                                 struct mw_component_geometry *component);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

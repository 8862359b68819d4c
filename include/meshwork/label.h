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
    MW_JOIN_EQUAL,     /* those of equal value: integers and booleans */
    MW_JOIN_THRESHOLD, /* cells on the same side of the threshold: above it, or not (including NaN) */
    MW_JOIN_TOLERANCE  /* cells whose values differ by at most the tolerance: reals; a NaN is alone */
};
MW_API const char *mw_join_name(int value); /* status.h: "default", "equal", ... */
MW_API int mw_join_find(const char *name, enum mw_join *value);

/* Neighbours of a cell on a hypercubic lattice. */
enum mw_connectivity {
    MW_CONNECTIVITY_FACES, /* 2 dims: cells that differ in one coordinate */
    MW_CONNECTIVITY_ALL    /* 3^dims - 1: cells that differ by at most 1 in each */
};
MW_API const char *mw_connectivity_name(int value); /* status.h: "faces", "all" */
MW_API int mw_connectivity_find(const char *name, enum mw_connectivity *value);

struct mw_label_options {
    size_t size;                /* sizeof the struct: see status.h */
    unsigned dims;              /* 1 to MW_DIMS_MAX */
    size_t length[MW_DIMS_MAX]; /* x first */
    enum mw_type type;          /* type of a cell's value: not complex */
    enum mw_join join;
    /* Both finite, the tolerance 0 or more; of float32 they are rounded to the nearest float32 first. */
    double threshold; /* for MW_JOIN_THRESHOLD */
    double tolerance; /* for MW_JOIN_TOLERANCE; differences are computed in the type */
    /* Cells of the background belong to no component: those of this value (MW_JOIN_EQUAL), or those not above the
     * threshold.  With a tolerance there is no background. */
    int64_t background;
    bool no_background;           /* all cells belong to components */
    enum mw_lattice_kind lattice; /* other than hypercubic: its neighbours; connectivity is ignored */
    enum mw_connectivity connectivity;
    enum mw_boundary boundary[MW_DIMS_MAX]; /* periodic or fixed, which joins nothing; default: fixed */
    bool wide;                              /* labels as i64, as they always are from 2^31 cells on */
    const char *variant; /* NULL or "auto": chosen by device, dimension and connectivity, never with images */
};

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. Aliases are the letters of
 * Hawick, Leist and Playne 2010. */
MW_API const struct mw_variant *mw_label_variants(size_t i);

/* A labelling of one form of input on one device. */
struct mw_labelling;
/* Makes a labelling of one form of input on one device, which can be run any number of times. Devices without double
 * precision compare float64 values with a threshold as whole numbers, with the same result.  Errors: MW_EINVAL
 * (contradicting options, an unknown or unsuitable variant); MW_ENOTSUP (a variant for other devices or meshes, a
 * tolerance of float64 without double precision); MW_ELIMIT (sizes that overflow); MW_ENOMEM; those of mw_program_new,
 * and for variants that read images, of mw_image_new.  Cost of images: a
 * second copy of the values on the device, made in each run. */
MW_API int mw_labelling_new(struct mw_device *device, const struct mw_label_options *options,
                            struct mw_labelling **labelling);
MW_API void mw_labelling_free(struct mw_labelling *labelling);
/* Returns the name of the chosen variant. */
MW_API const char *mw_labelling_variant(const struct mw_labelling *labelling);
/* Returns the type of labels: MW_TYPE_I32 or MW_TYPE_I64. */
MW_API enum mw_type mw_labelling_type(const struct mw_labelling *labelling);

/* Labels the cells of `from` into `labels` (of mw_labelling_type, one a cell): 0 for background, and 1 to `components`
 * in the order of the components' first cells, by k-index.  So labels do not depend on the device, the variant,
 * work-groups or threads.  `from` and `labels` must be different buffers.  Waits.  `iterations`: the number of
 * passes over the mesh, if the variant repeats passes until nothing changes; otherwise 1.  Both counts may be NULL.
 * Errors: MW_EINVAL (a buffer that is too small), MW_EDEVICE, and those of mw_launch. */
MW_API int mw_labelling_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                            size_t *components, size_t *iterations);

/* Allocates the memory of labels at once, so that a lack of memory is reported before a run. */
MW_API int mw_labelling_reserve(struct mw_labelling *labelling);
/* Computes component statistics of `from` without writing labels: the result of mw_labelling_run and
 * mw_components_summarise, faster by variant bits. Waits. Cost: memory on the device like the labels', and up to 5
 * bytes per component, kept by the labelling. Errors: those of mw_labelling_run and of components.h, MW_ELIMIT from
 * 2^32 cells on. */
MW_API int mw_labelling_summarise(struct mw_labelling *labelling, struct mw_buffer *from,
                                  struct mw_components_summary *summary);
/* Begins mw_labelling_summarise, for mw_labelling_summary_end. Work queued afterwards may write to `from`. If `bits`
 * labels up to INT32_MAX cells by a threshold on a GPU, that work runs concurrently with the labelling; otherwise the
 * call waits. Another begin, or a run, drops a summary that was not read. */
MW_API int mw_labelling_summary_begin(struct mw_labelling *labelling, struct mw_buffer *from);
/* Waits for the summary of the last mw_labelling_summary_begin and returns it. Errors: MW_EINVAL (none was begun). */
MW_API int mw_labelling_summary_end(struct mw_labelling *labelling, struct mw_components_summary *summary);
/* Returns whether mw_labelling_summary_begin waits for the labelling. */
MW_API bool mw_labelling_summary_waits(const struct mw_labelling *labelling);

/* Labels an array in host memory in one call; its dimensions, lengths and type replace the options'. `labels` are as
 * above, in an array of the same lengths. `sizes` has the cells of each component, as MW_TYPE_U32, from label 1 on. The
 * caller frees these two (mw_array_free). `components`: the number of components, and the length of `sizes`. Results
 * may be NULL; options NULL are all defaults.
 * Errors: those of mw_labelling_new and mw_labelling_run, and with sizes those of components.h: MW_ELIMIT from 2^32
 * cells on. */
MW_API int mw_label_array(struct mw_device *device, const struct mw_label_options *options,
                          const struct mw_array *array, struct mw_array *labels, struct mw_array *sizes,
                          size_t *components);
/* As mw_label_array, with labels in an array of the caller that has the lengths of `array` and the type of labels
 * (MW_EINVAL: of others, before any work).  `sizes` is a new array. */
MW_API int mw_label_array_into(struct mw_device *device, const struct mw_label_options *options,
                               const struct mw_array *array, struct mw_array *labels, struct mw_array *sizes,
                               size_t *components);

/* Labels the objects of an image or a volume, with all defaults: neighbouring cells of equal value, where 0 is
 * background, and of reals those above 0.  Results, and errors, are those of mw_label_array without sizes. */
MW_API int mw_label_image(struct mw_device *device, const struct mw_array *image, struct mw_array *labels,
                          size_t *components);

/* ---- geometry of components ---- */

/* Programs and memory for the geometry of components on one mesh, and the last result. */
struct mw_geometry;
/* The geometry of components on one mesh: programs, memory, and what was found last, in host memory.  Belongs to one
 * thread at a time; the primitives outlive it.  `boundary`: that of the labelling's options; NULL: the default.
 * Errors: MW_EINVAL (dimensions, a boundary), MW_ELIMIT (2^32 cells or more), MW_ENOMEM, those of mw_program_new. */
MW_API int mw_geometry_new(struct mw_prim *prim, unsigned dims, const size_t *length, const enum mw_boundary *boundary,
                           struct mw_geometry **geometry);
MW_API void mw_geometry_free(struct mw_geometry *geometry);

/* Measures all components, on the primitives' device; they may be freed afterwards. Waits. After a failure no component
 * is measured. Cost: a pass over the labels, and one more per periodic dimension if components touch both of its ends;
 * memory per component, 24 bytes per dimension.
 * Errors: MW_EINVAL (components of a mesh of another size), MW_ENOMEM, those of components.h and mw_launch. */
MW_API int mw_geometry_run(struct mw_geometry *geometry, struct mw_components *components);

/* Geometry of a component. Coordinates and lengths are in cells of the array; on a lattice other than hypercubic they
 * count primitive vectors.
 *
 * Along a periodic dimension, a component with cells at both ends is cut open at its largest empty gap, the first of
 * several. A gap is a stretch of coordinates without its cells (a connected component has at most one). Without a gap
 * it wraps around: its bounding interval is the whole dimension, and cannot be unwrapped. This applies to the
 * projection: a spiral with cells at all coordinates, which does not meet itself around the mesh, counts as wrapping
 * around.
 *
 * The numbers come from integer sums, exact and the same on all devices, by the same operations on the host. */
struct mw_component_geometry {
    size_t size;  /* sizeof the struct: see status.h */
    size_t cells; /* 0: an empty component, of which nothing else is known */
    /* The bounding box: `extent` coordinates from `first` on, beyond the end of a periodic dimension from 0 again. */
    size_t first[MW_DIMS_MAX], extent[MW_DIMS_MAX];
    /* It has cells at both ends of the dimension; periodic: it wraps around (as everything does around one cell). */
    bool spans[MW_DIMS_MAX];
    /* The mean coordinate, 0 to below the length.  NaN where it wraps around. */
    double centre[MW_DIMS_MAX];
    /* The root of the mean square distance from the centre. NaN without a centre, and if sums would exceed 64 bits: if
     * cells times extent^2 reach 2^64, which takes more than 2^21 cells and an extent above 2^16. */
    double gyration;
};

/* Returns the geometry of the component with a label, 1 or more, after mw_geometry_run. Errors: MW_EINVAL (no component
 * has this label). */
MW_API int mw_geometry_component(const struct mw_geometry *geometry, size_t label,
                                 struct mw_component_geometry *component);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

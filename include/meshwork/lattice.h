/* Lattices in any dimension: shapes, k-indices, neighbours.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * sections 4 to 6 (equations are numbered as there): a cell is named by its coordinates, the x-vector, x (dimension 0)
 * first and contiguous, or by one integer, its k-index.  Kernels have the same arithmetic in cl/lattice.clh.
 *
 * Threads: lattices and tables of neighbours are values, which any thread may read; objects on a device belong to its
 * thread (device.h). */
#ifndef MESHWORK_LATTICE_H
#define MESHWORK_LATTICE_H

#include <meshwork/device.h>
#include <meshwork/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dimensions and lengths of a lattice: a plain value. Array elements from `dims` on are 0, and so are bits, offset,
 * mask and inverse unless all lengths are powers of two. */
struct mw_lattice {    /* a fixed value */
    unsigned dims;     /* 1 to MW_DIMS_MAX */
    bool power_of_two; /* all lengths are powers of two */
    int64_t cells;
    int64_t length[MW_DIMS_MAX];
    int64_t stride[MW_DIMS_MAX];  /* k-indices between neighbours; 0 in a lattice without cells */
    unsigned bits[MW_DIMS_MAX];   /* log2 of the length */
    unsigned offset[MW_DIMS_MAX]; /* equation 11: where a dimension's bits start in a k-index */
    int64_t mask[MW_DIMS_MAX];    /* equation 12: a dimension's bits in a k-index */
    int64_t inverse[MW_DIMS_MAX]; /* equation 15: the bits of all other dimensions */
};

/* Makes a lattice of any lengths, including 0 and 1.  Errors: MW_EINVAL (dims, a negative length), MW_ELIMIT (more than
 * INT64_MAX cells). */
MW_API int mw_lattice_make(unsigned dims, const int64_t *length, struct mw_lattice *lattice);
/* Returns the bytes of a k-index in tables and programs for this lattice: 4, or 8 from 2^31 cells on. */
MW_API size_t mw_lattice_index_bytes(const struct mw_lattice *lattice);

/* Boundary conditions: the cells beyond the ends of a dimension of L cells. */
enum mw_boundary {
    MW_BOUNDARY_DEFAULT,  /* the call's default: fixed for labels, periodic elsewhere */
    MW_BOUNDARY_PERIODIC, /* cell -1 is cell L - 1, and cell L is cell 0 */
    MW_BOUNDARY_MIRROR,   /* half-sample symmetric, the mirror is the outer face of the last cell: cell -1
                                  * is cell 0, -2 is 1, L is L - 1; repeats after 2 L */
    MW_BOUNDARY_FIXED     /* nothing: the k-index is -1 */
};
MW_API const char *mw_boundary_name(int value); /* status.h: "default", "periodic", "mirror", "fixed" */
MW_API int mw_boundary_find(const char *name, enum mw_boundary *value);

/* In the following functions k is in [0, cells), x[i] in [0, length[i]) and dim < dims: nothing is checked. */

/* Returns the k-index of the cell with coordinates x (equation 9). */
MW_API int64_t mw_lattice_k(const struct mw_lattice *lattice, const int64_t *x);
/* Computes the coordinates of the cell with k-index k (equation 10), by `dims` divisions. */
MW_API void mw_lattice_x(const struct mw_lattice *lattice, int64_t k, int64_t *x);
/* Returns the k-index of the cell n cells from k in dimension `dim`, n of any sign and size (listing 2), or -1. */
MW_API int64_t mw_lattice_neighbour(const struct mw_lattice *lattice, int64_t k, unsigned dim, int64_t n,
                                    enum mw_boundary boundary);
/* Returns mw_lattice_k by shifts (equation 13), for a lattice with power_of_two. */
MW_API int64_t mw_lattice_k_bits(const struct mw_lattice *lattice, const int64_t *x);
/* Computes the coordinates as mw_lattice_x does, by masks (equation 14), for a lattice with power_of_two. */
MW_API void mw_lattice_x_bits(const struct mw_lattice *lattice, int64_t k, int64_t *x);
/* Returns mw_lattice_neighbour for periodic boundaries, by masks (equation 16), for a lattice with power_of_two. */
MW_API int64_t mw_lattice_neighbour_bits(const struct mw_lattice *lattice, int64_t k, unsigned dim, int64_t n);

/* Kinds of lattices: which cells are neighbours.
 *
 * All are stored on a rectangular array whose coordinates count primitive vectors: the site of cell x is at the sum of
 * x[i] basis[i]. A lattice that is not hypercubic therefore has the shape of a sheared box. Periodic boundaries are the
 * array's, and neighbours have the same steps everywhere. In dimensions shorter than 3 cells, neighbours coincide.
 */
enum mw_lattice_kind {
    MW_LATTICE_HYPERCUBIC,   /* any dimensions, 2 dims neighbours */
    MW_LATTICE_BODY_CENTRED, /* three dimensions, 8 neighbours */
    MW_LATTICE_FACE_CENTRED, /* three dimensions, 12 neighbours */
    MW_LATTICE_TRIANGULAR    /* two dimensions, 6 neighbours */
};
MW_API const char *mw_lattice_kind_name(int value); /* status.h: "hypercubic", "bcc", "fcc", "triangular" */
MW_API int mw_lattice_kind_find(const char *name, enum mw_lattice_kind *value);

/* Maximum number of neighbours of a cell. */
#define MW_COORDINATION_MAX (2 * MW_DIMS_MAX)
/* Properties of a kind of lattices. */
struct mw_lattice_kind_info { /* the library's, may grow */
    const char *name, *description;
    unsigned dims;         /* required number; 0: any */
    unsigned coordination; /* neighbours of a site; 0: 2 dims */
    /* The steps to the neighbours, in cells; step 2 i + 1 is opposite to step 2 i. */
    signed char step[MW_COORDINATION_MAX][MW_DIMS_MAX];
    double basis[MW_DIMS_MAX][MW_DIMS_MAX]; /* primitive vectors; unit: the edge of the (conventional) cell */
};
/* Returns the properties of a lattice kind (enum mw_lattice_kind); NULL beyond the last one. */
MW_API const struct mw_lattice_kind_info *mw_lattice_kinds(size_t kind);

/* A table of neighbours in host memory: entry j * cells + k is the k-index of neighbour j (by step[j] of the kind) of
 * cell k, or -1. Each neighbour has its own plane, so that work-items on consecutive cells
 * read consecutive entries. */
struct mw_neighbours { /* the library's, may grow */
    int64_t cells;
    unsigned coordination;
    size_t entry_bytes; /* mw_lattice_index_bytes: entries are int32_t or int64_t */
    void *entries;
};

/* Makes a table of neighbours. `boundary` has one element per dimension; NULL: periodic everywhere. A kind other than
 * hypercubic takes no mirror: a sheared box does not fit its mirror image. The lattice may be gone before the table.
 * Errors: MW_EINVAL (a kind, its dimensions, a boundary), MW_ELIMIT (bytes overflow), MW_ENOMEM. */
MW_API int mw_neighbours_new(const struct mw_lattice *lattice, enum mw_lattice_kind kind,
                             const enum mw_boundary *boundary, struct mw_neighbours **table);
MW_API void mw_neighbours_free(struct mw_neighbours *table);
/* Returns the k-index of neighbour j of cell k, or -1. */
static inline int64_t mw_neighbours_at(const struct mw_neighbours *table, int64_t k, unsigned j)
{
    const int64_t i = (int64_t)j * table->cells + k;
    return table->entry_bytes == 4 ? ((const int32_t *)table->entries)[i] : ((const int64_t *)table->entries)[i];
}

/* How a device's program computes indices: the same results, at different speed. */
enum mw_index_form {
    MW_INDEX_AUTO,    /* MW_INDEX_BITS if possible, otherwise MW_INDEX_GENERAL */
    MW_INDEX_GENERAL, /* divisions by lengths that are compile-time constants */
    MW_INDEX_BITS     /* masks and shifts: powers of two, periodic */
};

/* Makes a buffer with the entries of mw_neighbours_new, computed on the device; does not wait.  A program is built for
 * each lattice, kind and set of boundaries (native devices have one form and build nothing).
 * Errors: those of mw_neighbours_new, MW_EINVAL (MW_INDEX_BITS for lengths that are not powers of two or boundaries
 * that are not periodic), and those of mw_buffer_new, mw_program_new and mw_launch. */
MW_API int mw_neighbours_on_device(struct mw_device *device, const struct mw_lattice *lattice,
                                   enum mw_lattice_kind kind, const enum mw_boundary *boundary, enum mw_index_form form,
                                   struct mw_buffer **table);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

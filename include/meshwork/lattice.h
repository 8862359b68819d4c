/* Lattices in any dimension: shapes, k-indices, neighbours.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * sections 4 to 6; equation numbers below are the paper's.  A cell has coordinates, the x-vector, and a k-index: its
 * position in memory, counted in cells.  Dimension 0 (x) is contiguous.  cl/lattice.clh has the same arithmetic for
 * kernels.
 *
 * Threads: any thread may read lattices and tables of neighbours.  Buffers on a device belong to the device's thread
 * (device.h). */
#ifndef MESHWORK_LATTICE_H
#define MESHWORK_LATTICE_H

#include <meshwork/device.h>
#include <meshwork/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dimensions and lengths of a lattice.  Array elements from index `dims` on are 0.  `bits`, `offset`, `mask` and
 * `inverse` are 0 unless power_of_two is true. */
struct mw_lattice {               /* a fixed value */
    unsigned dims;                /* number of dimensions, 1 to MW_DIMS_MAX */
    bool power_of_two;            /* all lengths are powers of two */
    int64_t cells;                /* number of cells: the product of the lengths */
    int64_t length[MW_DIMS_MAX];  /* lengths in cells, x first */
    int64_t stride[MW_DIMS_MAX];  /* difference of k-indices of neighbours along a dimension; 0 if `cells` is 0 */
    unsigned bits[MW_DIMS_MAX];   /* log2 of the length */
    unsigned offset[MW_DIMS_MAX]; /* equation 11: the lowest bit of a dimension in a k-index */
    int64_t mask[MW_DIMS_MAX];    /* equation 12: a dimension's bits in a k-index */
    int64_t inverse[MW_DIMS_MAX]; /* equation 15: the bits of all other dimensions */
};

/* Makes a lattice of any lengths, including 0 and 1.  Errors: MW_EINVAL (dims, a negative length), MW_ELIMIT (more than
 * INT64_MAX cells). */
MW_API int mw_lattice_make(unsigned dims, const int64_t *length, struct mw_lattice *lattice);
/* Returns the bytes of a k-index in tables and programs for this lattice: 4, or 8 from 2^31 cells on. */
MW_API size_t mw_lattice_index_bytes(const struct mw_lattice *lattice);

/* Boundary conditions: which cell is beyond the ends of a dimension of L cells. */
enum mw_boundary {
    MW_BOUNDARY_DEFAULT,  /* fixed for labelling, periodic for all other calls */
    MW_BOUNDARY_PERIODIC, /* cell -1 is cell L - 1, and cell L is cell 0 */
    MW_BOUNDARY_MIRROR,   /* the mirror is the outer face of the last cell: cell -1 is cell 0, cell -2 is
                                  * cell 1, cell L is cell L - 1; periodic with 2 L */
    MW_BOUNDARY_FIXED     /* there is no cell: the k-index is -1 */
};
MW_API const char *mw_boundary_name(int value); /* Name, see status.h: "default", "periodic", "mirror", "fixed" */
MW_API int mw_boundary_find(const char *name, enum mw_boundary *value);

/* The following functions do not check their arguments: k must be 0 to cells - 1, x[i] 0 to length[i] - 1, and dim
 * below dims. */

/* Returns the k-index of the cell with coordinates x (equation 9). */
MW_API int64_t mw_lattice_k(const struct mw_lattice *lattice, const int64_t *x);
/* Computes the coordinates of the cell with k-index k (equation 10), by `dims` divisions. */
MW_API void mw_lattice_x(const struct mw_lattice *lattice, int64_t k, int64_t *x);
/* Returns the k-index of the cell at distance n from cell k along dimension `dim` (listing 2).  n may be negative or
 * larger than the length.  Returns -1 if there is no cell, beyond a fixed boundary. */
MW_API int64_t mw_lattice_neighbour(const struct mw_lattice *lattice, int64_t k, unsigned dim, int64_t n,
                                    enum mw_boundary boundary);
/* Returns the k-index as mw_lattice_k does, by shifts (equation 13).  The lattice must have power_of_two. */
MW_API int64_t mw_lattice_k_bits(const struct mw_lattice *lattice, const int64_t *x);
/* Computes the coordinates as mw_lattice_x does, by masks (equation 14).  The lattice must have power_of_two. */
MW_API void mw_lattice_x_bits(const struct mw_lattice *lattice, int64_t k, int64_t *x);
/* Returns the k-index as mw_lattice_neighbour does for periodic boundaries, by masks (equation 16).  The lattice must
 * have power_of_two. */
MW_API int64_t mw_lattice_neighbour_bits(const struct mw_lattice *lattice, int64_t k, unsigned dim, int64_t n);

/* Kinds of lattices: which cells are neighbours.
 *
 * Every kind is stored in a rectangular array.  The coordinates count primitive vectors: the site of cell x is at the
 * sum of x[i] * basis[i].  A lattice that is not hypercubic therefore fills a sheared box.  Periodic boundaries join
 * the ends of the array.  The steps to the neighbours are the same at every cell.  In a dimension of 1 or 2 cells,
 * several neighbours are the same cell. */
enum mw_lattice_kind {
    MW_LATTICE_HYPERCUBIC,   /* any number of dimensions; 2 * dims neighbours */
    MW_LATTICE_BODY_CENTRED, /* 3 dimensions; 8 neighbours */
    MW_LATTICE_FACE_CENTRED, /* 3 dimensions; 12 neighbours */
    MW_LATTICE_TRIANGULAR    /* 2 dimensions; 6 neighbours */
};
MW_API const char *mw_lattice_kind_name(int value); /* Name, see status.h: "hypercubic", "bcc", "fcc", "triangular" */
MW_API int mw_lattice_kind_find(const char *name, enum mw_lattice_kind *value);

/* Maximum number of neighbours of a cell. */
#define MW_COORDINATION_MAX (2 * MW_DIMS_MAX)
/* Properties of a kind of lattice. */
struct mw_lattice_kind_info { /* the library's, may grow */
    const char *name, *description;
    unsigned dims;         /* required number of dimensions; 0: any */
    unsigned coordination; /* number of neighbours of a site; 0: 2 * dims */
    /* step[j]: the step to neighbour j, in cells per dimension; step[2 i + 1] is opposite to step[2 i]. */
    signed char step[MW_COORDINATION_MAX][MW_DIMS_MAX];
    double basis[MW_DIMS_MAX][MW_DIMS_MAX]; /* primitive vectors, in edges of the conventional unit cell */
};
/* Returns the properties of a lattice kind (enum mw_lattice_kind); NULL beyond the last one. */
MW_API const struct mw_lattice_kind_info *mw_lattice_kinds(size_t kind);

/* A table of neighbours in host memory.  Entry j * cells + k is the k-index (position in memory) of neighbour j of cell
 * k, or -1 if there is none.  Neighbour j is one step[j] away (struct mw_lattice_kind_info).  Work-items on consecutive
 * cells thus read consecutive entries. */
struct mw_neighbours { /* the library's, may grow */
    int64_t cells;
    unsigned coordination; /* number of neighbours of a cell */
    size_t entry_bytes;    /* 4: entries are int32_t; 8: int64_t (mw_lattice_index_bytes) */
    void *entries;
};

/* Makes a table of neighbours; mw_neighbours_free frees it.  `boundary` has one element per dimension; NULL: periodic
 * everywhere.  Only hypercubic lattices support mirror boundaries.  The lattice may be freed before the table.
 * Errors: MW_EINVAL (kind, number of dimensions or boundary), MW_ELIMIT (too many bytes), MW_ENOMEM. */
MW_API int mw_neighbours_new(const struct mw_lattice *lattice, enum mw_lattice_kind kind,
                             const enum mw_boundary *boundary, struct mw_neighbours **table);
MW_API void mw_neighbours_free(struct mw_neighbours *table);
/* Returns the k-index of neighbour j of cell k, or -1 if there is none. */
static inline int64_t mw_neighbours_at(const struct mw_neighbours *table, int64_t k, unsigned j)
{
    const int64_t i = (int64_t)j * table->cells + k;
    return table->entry_bytes == 4 ? ((const int32_t *)table->entries)[i] : ((const int64_t *)table->entries)[i];
}

/* Methods by which kernels compute indices.  All give the same results, at different speeds. */
enum mw_index_form {
    MW_INDEX_AUTO,    /* MW_INDEX_BITS if possible, otherwise MW_INDEX_GENERAL */
    MW_INDEX_GENERAL, /* divisions by lengths that are compile-time constants */
    MW_INDEX_BITS     /* masks and shifts; all lengths must be powers of two, all boundaries periodic */
};

/* Makes a buffer with the entries of mw_neighbours_new, computed on the device; does not wait.  Native devices ignore
 * `form`.
 * Errors: those of mw_neighbours_new, mw_buffer_new, mw_program_new and mw_launch; MW_EINVAL (MW_INDEX_BITS with a
 * length that is not a power of two, or a boundary that is not periodic).
 * Cost: a program is built for each combination of lattice, kind and boundaries; native devices build none. */
MW_API int mw_neighbours_on_device(struct mw_device *device, const struct mw_lattice *lattice,
                                   enum mw_lattice_kind kind, const enum mw_boundary *boundary, enum mw_index_form form,
                                   struct mw_buffer **table);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

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

/* Describes a lattice in memory: its lengths, and the constants by which k-indices are computed.  mw_lattice_make fills
 * it in.  Array elements from index `dims` on are 0.  Unless power_of_two is true, `bits`, `offset`, `mask` and
 * `inverse` are 0. */
struct mw_lattice {               /* a fixed value */
    unsigned dims;                /* number of dimensions, 1 to MW_DIMS_MAX */
    bool power_of_two;            /* whether all lengths are powers of two */
    int64_t cells;                /* number of cells: the product of the lengths */
    int64_t length[MW_DIMS_MAX];  /* lengths in cells, x first */
    int64_t stride[MW_DIMS_MAX];  /* step in k-index to the next cell along the dimension; 0 if `cells` is 0 */
    unsigned bits[MW_DIMS_MAX];   /* log2 of the length: number of bits of the dimension in a k-index */
    unsigned offset[MW_DIMS_MAX]; /* equation 11: position of the lowest of these bits */
    int64_t mask[MW_DIMS_MAX];    /* equation 12: mask of the bits of the dimension in a k-index */
    int64_t inverse[MW_DIMS_MAX]; /* equation 15: mask of the bits of all other dimensions */
};

/* Fills in the struct for a lattice of these lengths, which may be 0 or more.  Errors: MW_EINVAL (`dims` is not 1 to
 * MW_DIMS_MAX, or a length is negative), MW_ELIMIT (more than INT64_MAX cells). */
MW_API int mw_lattice_make(unsigned dims, const int64_t *length, struct mw_lattice *lattice);
/* Returns the size in bytes of a k-index in tables and programs for this lattice: 8 if it has 2^31 cells or more,
 * otherwise 4. */
MW_API size_t mw_lattice_index_bytes(const struct mw_lattice *lattice);

/* Boundary conditions: they determine which cell follows after the ends of a dimension.  L is its length in cells. */
enum mw_boundary {
    MW_BOUNDARY_DEFAULT,  /* fixed in label.h, periodic in all other calls */
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
/* Returns the k-index of the cell n cells away from cell k along dimension `dim` (listing 2); -1 if that cell would be
 * beyond a fixed boundary.  n may be negative or larger than the length. */
MW_API int64_t mw_lattice_neighbour(const struct mw_lattice *lattice, int64_t k, unsigned dim, int64_t n,
                                    enum mw_boundary boundary);
/* Returns the k-index as mw_lattice_k does, by shifts (equation 13).  In the lattice, power_of_two must be true. */
MW_API int64_t mw_lattice_k_bits(const struct mw_lattice *lattice, const int64_t *x);
/* Computes the coordinates as mw_lattice_x does, by masks (equation 14).  In the lattice, power_of_two must be true. */
MW_API void mw_lattice_x_bits(const struct mw_lattice *lattice, int64_t k, int64_t *x);
/* Returns the k-index that mw_lattice_neighbour returns for a periodic boundary, computed by masks (equation 16).  In
 * the lattice, power_of_two must be true. */
MW_API int64_t mw_lattice_neighbour_bits(const struct mw_lattice *lattice, int64_t k, unsigned dim, int64_t n);

/* Kinds of lattices: the kind determines which cells are neighbours.
 *
 * Every kind is stored in a rectangular array.  The coordinates count primitive vectors: the cell with coordinates x is
 * at the point sum of x[i] * basis[i] (struct mw_lattice_kind_info).  A lattice that is not hypercubic therefore fills
 * a sheared box.  Periodic boundaries join the ends of the array.  The steps to the neighbours are the same at every
 * cell. In a periodic dimension of 1 or 2 cells, several steps lead to the same cell. */
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
/* Properties of a kind of lattice: its dimensions and neighbours. */
struct mw_lattice_kind_info { /* the library's, may grow */
    const char *name, *description;
    unsigned dims;         /* required number of dimensions; 0: any */
    unsigned coordination; /* number of neighbours of a cell; 0: 2 per dimension of the lattice */
    /* step[j]: coordinates of neighbour j less those of the cell.  step[2 i + 1] is opposite to step[2 i]. */
    signed char step[MW_COORDINATION_MAX][MW_DIMS_MAX];
    double basis[MW_DIMS_MAX][MW_DIMS_MAX]; /* primitive vectors; unit: edge of the conventional unit cell */
};
/* Returns the properties of a lattice kind; NULL beyond the last kind.  `kind` is a value of enum mw_lattice_kind. */
MW_API const struct mw_lattice_kind_info *mw_lattice_kinds(size_t kind);

/* A table of the neighbours of all cells, in host memory.  Entry j * cells + k is the k-index (position in memory) of
 * neighbour j of cell k.  It is -1 if that neighbour would be beyond a fixed boundary.  Neighbour j is one step[j] away
 * (struct mw_lattice_kind_info).  Work-items on consecutive cells thus read consecutive entries. */
struct mw_neighbours {     /* the library's, may grow */
    int64_t cells;         /* number of cells of the lattice */
    unsigned coordination; /* number of neighbours of a cell */
    size_t entry_bytes;    /* 4: entries are int32_t; 8: int64_t (mw_lattice_index_bytes) */
    void *entries;         /* coordination * cells entries */
};

/* Makes a table of neighbours; mw_neighbours_free frees it.
 *   - lattice: dimensions and lengths.  The table does not refer to it.
 *   - kind: kind of lattice.
 *   - boundary: one element per dimension; NULL: periodic everywhere.  Only hypercubic lattices support mirror.
 * Errors: MW_EINVAL (an invalid kind or boundary, or the kind has another number of dimensions), MW_ELIMIT (the table
 * exceeds the address space), MW_ENOMEM. */
MW_API int mw_neighbours_new(const struct mw_lattice *lattice, enum mw_lattice_kind kind,
                             const enum mw_boundary *boundary, struct mw_neighbours **table);
MW_API void mw_neighbours_free(struct mw_neighbours *table);
/* Returns the k-index of neighbour j of cell k; -1 if it would be beyond a fixed boundary. */
static inline int64_t mw_neighbours_at(const struct mw_neighbours *table, int64_t k, unsigned j)
{
    const int64_t i = (int64_t)j * table->cells + k;
    return table->entry_bytes == 4 ? ((const int32_t *)table->entries)[i] : ((const int64_t *)table->entries)[i];
}

/* Methods by which kernels compute the k-indices of neighbours.  All give the same results, at different speeds. */
enum mw_index_form {
    MW_INDEX_AUTO,    /* MW_INDEX_BITS if possible, otherwise MW_INDEX_GENERAL */
    MW_INDEX_GENERAL, /* divisions by lengths that are compile-time constants */
    MW_INDEX_BITS     /* masks and shifts; all lengths must be powers of two, all boundaries periodic */
};

/* Makes a buffer on a device with the entries of mw_neighbours_new, and queues their computation; does not wait.  The
 * caller frees it by mw_buffer_free.
 *   - lattice, kind, boundary: as in mw_neighbours_new.
 *   - form: how the kernel computes k-indices.  It changes nothing on native devices, which only check it.
 *   - table: receives the buffer.
 * Errors: those of mw_neighbours_new, mw_buffer_new, mw_program_new and mw_launch; MW_EINVAL (an invalid `form`; it is
 * MW_INDEX_BITS, but a length is not a power of two or a boundary is not periodic).
 * Cost: a device that is not native builds a program for each combination of lattice, kind, boundaries and form. */
MW_API int mw_neighbours_on_device(struct mw_device *device, const struct mw_lattice *lattice,
                                   enum mw_lattice_kind kind, const enum mw_boundary *boundary, enum mw_index_form form,
                                   struct mw_buffer **table);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

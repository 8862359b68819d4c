/* Shapes and k-indices.  The arithmetic is in cl/lattice.clh. */
#include "lattice/lattice_internal.h"

#include <inttypes.h>

#define INDEX_64 1
#include "lattice.clh"

static unsigned log2_of(int64_t power) { return (unsigned)__builtin_ctzll((unsigned long long)power); }

static void add_bit_form(struct mw_lattice *l)
{
    unsigned offset = 0;
    for (unsigned i = 0; i < l->dims; i++) {
        l->bits[i] = log2_of(l->length[i]);
        l->offset[i] = offset;
        l->mask[i] = bits_mask(l->length[i], (i32)offset);
        l->inverse[i] = bits_inverse(l->cells, l->mask[i]);
        offset += l->bits[i];
    }
}

int mw_lattice_make(unsigned dims, const int64_t *length, struct mw_lattice *lattice)
{
    struct mw_lattice l = { .dims = dims, .power_of_two = true };
    bool empty = false;
    if (dims < 1 || dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "lattice has %u dimensions (must be 1 to %d)", dims, MW_DIMS_MAX);
    for (unsigned i = 0; i < dims; i++) {
        if (length[i] < 0)
            return mw_fail(MW_EINVAL, "invalid length %" PRId64 " of the lattice in dimension %u (must be 0 or more)",
                           length[i], i);
        l.length[i] = length[i];
        empty = empty || length[i] == 0;
        l.power_of_two = l.power_of_two && length[i] > 0 && (length[i] & (length[i] - 1)) == 0;
    }
    if (!empty) {
        l.cells = 1;
        for (unsigned i = 0; i < dims; i++) {
            l.stride[i] = l.cells;
            if (__builtin_mul_overflow(l.cells, length[i], &l.cells))
                return mw_fail(MW_ELIMIT, "the lattice has too many cells from dimension %u on (at most %" PRId64 ")",
                               i, INT64_MAX);
        }
    }
    if (l.power_of_two)
        add_bit_form(&l);
    *lattice = l;
    return 0;
}

size_t mw_lattice_index_bytes(const struct mw_lattice *lattice)
{
    return lattice->cells > INT32_MAX ? sizeof(int64_t) : sizeof(int32_t);
}

int64_t mw_lattice_k(const struct mw_lattice *lattice, const int64_t *x)
{
    int64_t k = 0;
    for (unsigned i = 0; i < lattice->dims; i++)
        k += k_place(x[i], lattice->stride[i]);
    return k;
}

void mw_lattice_x(const struct mw_lattice *lattice, int64_t k, int64_t *x)
{
    for (unsigned i = 0; i < lattice->dims; i++)
        x[i] = k_digit(k, lattice->stride[i], lattice->length[i]);
}

int64_t mw_lattice_neighbour(const struct mw_lattice *lattice, int64_t k, unsigned dim, int64_t n,
                             enum mw_boundary boundary)
{
    const int64_t length = lattice->length[dim], stride = lattice->stride[dim];
    if (boundary == MW_BOUNDARY_DEFAULT)
        boundary = MW_BOUNDARY_PERIODIC;
    return k_neighbour(k, k_digit(k, stride, length), n, length, stride, (i32)boundary);
}

MW_ENUM_NAMES(boundary, "boundary", [MW_BOUNDARY_DEFAULT] = "default", [MW_BOUNDARY_PERIODIC] = "periodic",
              [MW_BOUNDARY_MIRROR] = "mirror", [MW_BOUNDARY_FIXED] = "fixed")

int mw_boundaries_take(const enum mw_boundary *given, unsigned dims, enum mw_boundary usual, enum mw_boundary *taken)
{
    for (unsigned d = 0; d < dims; d++) {
        const enum mw_boundary boundary = given ? given[d] : MW_BOUNDARY_DEFAULT;
        if ((unsigned)boundary > MW_BOUNDARY_FIXED)
            return mw_fail(MW_EINVAL, "dimension %u: invalid boundary %d (see enum mw_boundary)", d, (int)boundary);
        taken[d] = boundary == MW_BOUNDARY_DEFAULT ? usual : boundary;
    }
    return 0;
}

int64_t mw_lattice_k_bits(const struct mw_lattice *lattice, const int64_t *x)
{
    int64_t k = 0;
    for (unsigned i = 0; i < lattice->dims; i++)
        k |= bits_place(x[i], (i32)lattice->offset[i]);
    return k;
}

void mw_lattice_x_bits(const struct mw_lattice *lattice, int64_t k, int64_t *x)
{
    for (unsigned i = 0; i < lattice->dims; i++)
        x[i] = bits_digit(k, lattice->mask[i], (i32)lattice->offset[i]);
}

int64_t mw_lattice_neighbour_bits(const struct mw_lattice *lattice, int64_t k, unsigned dim, int64_t n)
{
    return bits_neighbour(k, n, lattice->stride[dim], lattice->mask[dim], lattice->inverse[dim]);
}

int mw_lattice_macros(const struct mw_lattice *lattice, struct mw_text *macros)
{
    const bool empty = lattice->cells == 0;
    if (mw_lattice_index_bytes(lattice) == sizeof(int64_t))
        mw_text_add(macros, "#define INDEX_64 1\n");
    if (lattice->power_of_two)
        mw_text_add(macros, "#define LATTICE_POWERS 1\n");
    mw_text_add(macros, "#define LATTICE_DIMS %u\n#define LATTICE_CELLS %" PRId64 "\n#define LATTICE_EACH(X)",
                lattice->dims, lattice->cells);
    for (unsigned i = 0; i < lattice->dims; i++)
        mw_text_add(macros, " X(%u, %" PRId64 ", %" PRId64 ", %u)", i, empty ? 1 : lattice->length[i],
                    empty ? 1 : lattice->stride[i], lattice->offset[i]);
    mw_text_add(macros, "\n");
    return mw_text_ok(macros);
}
/* SPDX-License-Identifier: MIT */

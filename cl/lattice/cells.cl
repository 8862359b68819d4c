/* Flips, shifts and crinkles as Hawick and Playne measured them ("Hypercubic Storage Layout and Transforms in Arbitrary
 * Dimensions using GPUs and CUDA", section 10.1). A work-item reads the cell at its own k-index and writes it at
 * another one. A program is built for one lattice and its operations (cl/lattice.clh, src/lattice/cells.c):
 *
 *   CELLS_EACH(X)  X(kind, dim, by) for each operation, in order (cells_plan.clh)
 *   LATTICE_BITS   variant powers (B): the k-index is moved by masks, equations 16, 20, 21 and 22
 *   CELLS_PLANE    variant plane (C): coordinates are those of the launch, in two dimensions
 *   USE_IMAGE      variant plane-image: cells are read from an image
 *
 * Otherwise variant lengths (A): coordinates are the digits of the k-index. Native devices compute the same with
 * lengths that the compiler does not have (D, on one thread). */
#if USE_IMAGE
#define IMAGE_INTEGER element
#define IMAGE_CELL_BYTES ELEMENT_BYTES
#define IMAGE_ADDRESS IMAGE_CLAMP
#endif
#include "lattice.clh"
#include "lattice/cells_plan.clh"
#include "lattice/shares.clh"
#include "lattice/vectors.clh"
#include "image.clh"

NATIVE_PROGRAM(transform_cells_1, ELEMENT_BYTES=1)
NATIVE_PROGRAM(transform_cells_2, ELEMENT_BYTES=2)
NATIVE_PROGRAM(transform_cells_4, ELEMENT_BYTES=4)
NATIVE_PROGRAM(transform_cells_8, ELEMENT_BYTES=8)
NATIVE_PROGRAM(transform_cells_16, ELEMENT_BYTES=16)

#if USE_IMAGE
#define CELLS_PARAMS , IMAGE2D image
#else
#define CELLS_PARAMS
#endif

/* MOVED defines NAME(kind, x, by, length), the new coordinate of x. */
#define MOVED(name, type)                                                                                            \
    INLINE type name(const int kind, const type x, const type by, const type length)                                 \
    {                                                                                                                \
        if (kind == CELLS_FLIP)                                                                                      \
            return by ? length - 1 - x : x;                                                                          \
        if (kind == CELLS_SHIFT)                                                                                     \
            return x < length - by ? x + by : x + by - length;                                                       \
        const type each = length / by, longer = length % by;                                                         \
        if (kind == CELLS_CRINKLE)                                                                                   \
            return x % by * each + (x % by < longer ? x % by : longer) + x / by;                                     \
        if (x < longer * (each + 1))                                                                                 \
            return x / (each + 1) + x % (each + 1) * by;                                                             \
        return longer + (x - longer * (each + 1)) / each + (x - longer * (each + 1)) % each * by;                    \
    }

#ifdef LATTICE_DIMS
MOVED(moved, ukindex)

#ifdef LATTICE_BITS
/* Returns the k-index of cell k after an operation along the dimension of a mask. */
INLINE kindex bits_moved(const int kind, const kindex k, const kindex by, const kindex length, const kindex stride,
                         const kindex mask)
{
    const kindex inverse = bits_inverse(LATTICE_CELLS, mask);
    if (kind == CELLS_FLIP)
        return (~k | ~mask) & (k | mask); /* equation 21 */
    if (kind == CELLS_SHIFT)
        return bits_neighbour(k, by, stride, mask, inverse);
    const ukindex digit = (ukindex)(k & mask), step = (ukindex)by * (ukindex)stride;
    return (kindex)(digit % step * ((ukindex)length / (ukindex)by) + digit / step * (ukindex)stride) | (k & inverse);
}

INLINE kindex bits_operation(const int kind, const int dim, const kindex by, const kindex k)
{
#define BITS_MOVED(i, length, stride, offset)                                                                        \
    if (i == dim)                                                                                                    \
        return bits_moved(kind, k, by, length, stride, bits_mask(length, offset));
    LATTICE_EACH(BITS_MOVED)
    return k;
}
#define CELLS_MOVE(kind, dim, by) moved_to = bits_operation(kind, dim, by, moved_to);
#elif defined(CELLS_PLANE)
#define CELLS_MOVE(kind, dim, by)                                                                                    \
    if (dim == 0)                                                                                                    \
        x = moved(kind, x, by, nx);                                                                                  \
    else                                                                                                             \
        y = moved(kind, y, by, ny);
#else
#define CELLS_MOVE(kind, dim, by)                                                                                    \
    x[dim] = (kindex)moved(kind, (ukindex)x[dim], (ukindex)(by), (ukindex)lattice_length(dim));
#endif

#else
MOVED(moved_32, u32)
MOVED(moved_64, u64)

/* CELLS_LOOP defines NAME, which moves the cells from `begin` to below `end`. `kind` is a constant, so that loops
 * without CELLS_MIXED have one operation per dimension and no choice. */
#define CELLS_LOOP(name, moved, type)                                                                                \
    INLINE void name(__global element *to, const __global element *from, const __global i64 *plan, const i64 begin,  \
                     const i64 end, const int kind)                                                                  \
    {                                                                                                                \
        const int dims = (int)plan[CELLS_DIMS], operations = (int)plan[CELLS_OPERATIONS];                            \
        const __global i64 *const dim = plan + CELLS_FIRST, *const operation = dim + dims * CELLS_WORDS;             \
        for (i64 k = begin; k < end; k++) {                                                                          \
            type rest = (type)k, x[CELLS_MOST], place = 0;                                                           \
            for (int d = 0; d < dims; d++) {                                                                         \
                const type length = (type)dim[d * CELLS_WORDS], left = d + 1 < dims ? rest / length : 0;             \
                x[d] = rest - left * length;                                                                         \
                rest = left;                                                                                         \
            }                                                                                                        \
            for (int o = 0; kind == CELLS_MIXED && o < operations; o++) {                                            \
                const __global i64 *const at = operation + o * CELLS_WORDS;                                          \
                x[at[1]] = moved((int)at[0], x[at[1]], (type)at[2], (type)dim[at[1] * CELLS_WORDS]);                 \
            }                                                                                                        \
            for (int d = 0; d < dims; d++) {                                                                         \
                const __global i64 *const at = dim + d * CELLS_WORDS;                                                \
                place += (kind == CELLS_MIXED ? x[d] : moved(kind, x[d], (type)at[2], (type)at[0])) * (type)at[1];   \
            }                                                                                                        \
            to[place] = from[k];                                                                                     \
        }                                                                                                            \
    }
CELLS_LOOP(loop_32, moved_32, u32)
CELLS_LOOP(loop_64, moved_64, u64)

#define CELLS_OF_KIND(kind)                                                                                          \
    if (plan[CELLS_KIND] == kind) {                                                                                  \
        if (plan[CELLS_NARROW])                                                                                      \
            loop_32(to, from, plan, begin, end, kind);                                                               \
        else                                                                                                         \
            loop_64(to, from, plan, begin, end, kind);                                                               \
    }
#endif

__kernel SHARES void transform_cells(__global element *to, const __global element *from, const __global i64 *plan,
                                     const i64 count, const i64 each CELLS_PARAMS)
{
#if !defined(LATTICE_DIMS)
    ITEM_RANGE;
    CELLS_OF_KIND(CELLS_FLIP)
    CELLS_OF_KIND(CELLS_SHIFT)
    CELLS_OF_KIND(CELLS_CRINKLE)
    CELLS_OF_KIND(CELLS_UNCRINKLE)
    CELLS_OF_KIND(CELLS_MIXED)
#elif defined(CELLS_PLANE)
    const ukindex own_x = (ukindex)get_global_id(0), own_y = (ukindex)get_global_id(1);
    const ukindex nx = (ukindex)lattice_length(0), ny = (ukindex)lattice_length(1);
    ukindex x = own_x, y = own_y;
    if (x >= nx || y >= ny)
        return;
    CELLS_EACH(CELLS_MOVE)
#if USE_IMAGE
    to[y * nx + x] = image_at2(image, (int)own_x, (int)own_y, (int)nx, (int)ny);
#else
    to[y * nx + x] = from[own_y * nx + own_x];
#endif
#else
    const u64 item = get_global_id(0);
    if (item >= LATTICE_CELLS)
        return;
    const kindex k = (kindex)item;
#ifdef LATTICE_BITS
    kindex moved_to = k;
    CELLS_EACH(CELLS_MOVE)
    to[moved_to] = from[k];
#else
    kindex x[LATTICE_DIMS];
    for (int i = 0; i < LATTICE_DIMS; i++)
        x[i] = lattice_x(k, i);
    CELLS_EACH(CELLS_MOVE)
    to[lattice_k(x)] = from[k];
#endif
#endif
}
/* SPDX-License-Identifier: MIT */

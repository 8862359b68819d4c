/* Kernels of geometry.clh, for DIMS dimensions; native ones for any number of them. */
#include "label/geometry.clh"

NATIVE_PROGRAM(geometry, )

/* RUN(d) by the mesh's number of dimensions, with a copy for each, so that compilers see through loops over them. */
#ifdef DIMS
#define BY_DIMS(mesh, RUN) RUN(DIMS);
#else
#define CASE(d, RUN) case d: RUN(d); break;
#define BY_DIMS(mesh, RUN)                                                                                           \
    switch ((mesh).dims) {                                                                                           \
        CASE(1, RUN) CASE(2, RUN) CASE(3, RUN) CASE(4, RUN) CASE(5, RUN) CASE(6, RUN) CASE(7, RUN) CASE(8, RUN)      \
    }
#endif

__kernel void geometry_measure(const __global u32 *cells, const __global u32 *offsets, __global u64 *sums,
                               __global u32 *bounds, __global u64 *piece_sums, __global u32 *piece_bounds,
                               const u32 count, const u32 total, const u32 each, const struct geometry_mesh mesh)
{
#define MEASURE(d)                                                                                                   \
    measure_part(cells, offsets, sums, bounds, piece_sums, piece_bounds, count, total, each, &mesh, part, d)
    const u32 part = (u32)get_global_id(0);
    if (part > (total - 1) / each)
        return;
    BY_DIMS(mesh, MEASURE)
}

__kernel void geometry_join(const __global u32 *offsets, const __global u64 *piece_sums,
                            const __global u32 *piece_bounds, __global u64 *sums, __global u32 *bounds,
                            const u32 count, const u32 total, const u32 each, const struct geometry_mesh mesh)
{
#define JOIN_PIECES(d) join_pieces(offsets, piece_sums, piece_bounds, sums, bounds, count, total, each, c, d)
    const u32 c = (u32)get_global_id(0);
    if (c >= count)
        return;
    BY_DIMS(mesh, JOIN_PIECES)
}

__kernel void geometry_mark(const __global u32 *offsets, const __global u32 *bounds, __global unsigned char *flags,
                            const u32 count, const u32 total, const u32 length, const i32 d)
{
    const u32 c = (u32)get_global_id(0);
    if (c < count)
        mark_touching(offsets, bounds, flags, count, total, length, d, c);
}

__kernel void geometry_rank(const __global u32 *places, __global u32 *ranks, const u32 n)
{
    const u32 r = (u32)get_global_id(0);
    if (r < n)
        ranks[places[r]] = r;
}

__kernel void geometry_keys(const __global u32 *cells, const __global u32 *offsets, const __global u32 *ranks,
                            __global u32 *keys, const u32 count, const u32 total, const u32 each, const u32 bins,
                            const u32 stride, const u32 length)
{
    const u32 part = (u32)get_global_id(0);
    if (part <= (total - 1) / each)
        coordinate_keys(cells, offsets, ranks, keys, count, total, each, bins, stride, length, part);
}

__kernel void geometry_gaps(const __global u32 *counts, __global struct geometry_gaps *gaps, const u32 length,
                            const u32 stretches, const u32 n)
{
    const u32 item = (u32)get_global_id(0);
    if (item < n)
        find_stretch_gaps(counts, gaps, length, stretches, item);
}

__kernel void geometry_unwrap(const __global u32 *places, const __global u32 *counts,
                              const __global struct geometry_gaps *gaps, const __global u32 *offsets,
                              __global u64 *sums, __global u32 *bounds, const u32 count, const u32 total,
                              const u32 length, const u32 stretches, const i32 d, const u32 n)
{
    const u32 r = (u32)get_global_id(0);
    if (r < n)
        unwrap(places, counts, gaps, offsets, sums, bounds, count, total, length, stretches, d, r);
}
/* SPDX-License-Identifier: MIT */

/* Kernels of geometry.clh for DIMS dimensions; native programs support any number of dimensions. */
#include "label/geometry.clh"

NATIVE_PROGRAM(geometry_32, )
NATIVE_PROGRAM(geometry_64, LABEL_64)

/* Runs RUN(d) for the number of dimensions, with a copy per number, so that compilers unroll loops over dimensions. */
#ifdef DIMS
#define BY_DIMS(mesh, RUN) RUN(DIMS);
#else
#define CASE(d, RUN) case d: RUN(d); break;
#define BY_DIMS(mesh, RUN)                                                                                           \
    switch ((mesh).dims) {                                                                                           \
        CASE(1, RUN) CASE(2, RUN) CASE(3, RUN) CASE(4, RUN) CASE(5, RUN) CASE(6, RUN) CASE(7, RUN) CASE(8, RUN)      \
    }
#endif

__kernel void geometry_measure(const __global label *labels, volatile __global u64 *sums,
                               volatile __global u32 *bounds, const u32 count, const u32 cells, const u32 each,
                               const struct geometry_mesh mesh)
{
#define MEASURE(d) measure_part(labels, sums, bounds, count, cells, each, &mesh, part, d)
    const u32 part = (u32)get_global_id(0);
    if (part > (cells - 1) / each)
        return;
    BY_DIMS(mesh, MEASURE)
}

__kernel void geometry_finish(const __global u32 *sizes, __global u64 *sums, __global u32 *bounds, const u32 count,
                              const struct geometry_mesh mesh)
{
    const u32 c = (u32)get_global_id(0);
    if (c < count)
        finish_component(sizes, sums, bounds, count, c, (int)mesh.dims);
}

__kernel void geometry_mark(const __global u32 *sizes, const __global u32 *bounds, __global unsigned char *flags,
                            const u32 count, const u32 length, const i32 d)
{
    const u32 c = (u32)get_global_id(0);
    if (c < count)
        mark_touching(sizes, bounds, flags, count, length, d, c);
}

__kernel void geometry_rank(const __global u32 *places, __global u32 *ranks, const u32 n)
{
    const u32 r = (u32)get_global_id(0);
    if (r < n)
        ranks[places[r]] = r;
}

__kernel void geometry_count(const __global label *labels, const __global u32 *ranks, volatile __global u32 *counts,
                             const u32 count, const u32 cells, const u32 each, const u32 stride, const u32 length)
{
    const u32 part = (u32)get_global_id(0);
    if (part <= (cells - 1) / each)
        count_part(labels, ranks, counts, count, cells, each, stride, length, part);
}

__kernel void geometry_gaps(const __global u32 *counts, __global struct geometry_gaps *gaps, const u32 length,
                            const u32 stretches, const u32 n)
{
    const u32 item = (u32)get_global_id(0);
    if (item < n)
        find_stretch_gaps(counts, gaps, length, stretches, item);
}

__kernel void geometry_unwrap(const __global u32 *places, const __global u32 *counts,
                              const __global struct geometry_gaps *gaps, const __global u32 *sizes,
                              __global u64 *sums, __global u32 *bounds, const u32 count, const u32 length,
                              const u32 stretches, const i32 d, const u32 n)
{
    const u32 r = (u32)get_global_id(0);
    if (r < n)
        unwrap(places, counts, gaps, sizes, sums, bounds, count, length, stretches, d, r);
}
/* SPDX-License-Identifier: MIT */

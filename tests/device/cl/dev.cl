/* Kernels for the test of devices. */
#include "dev.clh"

__kernel void axpy(__global int *y, __global const int *x, int a, ulong n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = axpy_one(a, x[i], y[i]);
}

/* Adds an item's number to a cell: shows that each item ran once. */
__kernel void number(__global uint *out, uint nx, uint ny, uint nz)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < nx && y < ny && z < nz)
        out[(z * ny + y) * nx + x] += (z * ny + y) * nx + x + 1;
}

__kernel void scalars(__global ulong *out, int i, uint u, long l, ulong ul, float f)
{
    out[0] = (ulong)(long)i;
    out[1] = u;
    out[2] = (ulong)l;
    out[3] = ul;
    out[4] = as_uint(f);
}

#ifdef WITH_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void scalar_double(__global ulong *out, double d)
{
    out[0] = as_ulong(d);
}
#endif

__kernel void structs(__global ulong *out, struct mixed m)
{
    out[0] = (ulong)(long)m.i;
    out[1] = as_uint(m.f);
    out[2] = m.u[0];
    out[3] = m.u[1];
}

/* More bytes of arguments, and more arguments, than the other kernels. */
__kernel void large(__global ulong *out, struct large l)
{
    out[0] = l.word[0];
    out[1] = l.word[LARGE / 2];
    out[2] = l.word[LARGE - 1];
}

__kernel void many(__global ulong *out,
                   uint a0, uint a1, uint a2, uint a3, uint a4, uint a5, uint a6, uint a7, uint a8, uint a9,
                   uint b0, uint b1, uint b2, uint b3, uint b4, uint b5, uint b6, uint b7, uint b8, uint b9,
                   uint c0, uint c1, uint c2, uint c3, uint c4, uint c5, uint c6, uint c7, uint c8, uint c9,
                   uint d0, uint d1, uint d2, uint d3, uint d4, uint d5, uint d6, uint d7, uint d8, uint d9)
{
    out[3] = a0;
    out[4] = d9;
}

__kernel void nulls(__global int *out, __global const int *may_be_null)
{
    out[0] = may_be_null ? may_be_null[0] : -1;
}

#ifndef SHARED
#define SHARED __local
#endif
__kernel void locals(__global int *out)
{
    SHARED int tile[LOCAL_INTS];
    for (size_t i = get_local_id(0); i < LOCAL_INTS; i += get_local_size(0))
        tile[i] = (int)i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[0] = tile[LOCAL_INTS - 1];
}
/* SPDX-License-Identifier: MIT */

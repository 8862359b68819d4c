/* Kernels in plain OpenCL C 1.2, without includes from cl/. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "plain.h"
#define SQUARE(x) ((x) * (x))

struct stencil { float centre; float side; int nx; unsigned int ny; };
typedef struct { int a; int b; } pair_t;

__constant float weights[3] = { 0.25f, 0.5f, 0.25f };

float twice(float x) { return 2.0f * x; }
inline float thrice(float x) { return x + twice(x); }

// saxpy
__kernel void saxpy(const float a, __global const float *x, __global float *y, const unsigned int n)
{
    int i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}

kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void stencil(const global float * restrict from, global float *restrict to, const struct stencil s)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= s.nx || y >= (int)s.ny)
        return;
    const int left = max(x - 1, 0), right = min(x + 1, s.nx - 1);
    const int up = clamp(y - 1, 0, (int)s.ny - 1), down = clamp(y + 1, 0, (int)s.ny - 1);
    to[y * s.nx + x] = s.centre * from[y * s.nx + x] + s.side * (from[y * s.nx + left] + from[y * s.nx + right] +
                       from[up * s.nx + x] + from[down * s.nx + x]);
}

/* a loop over the grid */
__kernel void squares(__global ulong* restrict to, const uint n, pair_t p)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        to[i] = SQUARE((ulong)i) + p.a - p.b + PLAIN_ONE;
}

__kernel void smooth(__constant float *from, __global float *to, int n)
{
    size_t gid = get_global_id(0);
    float sum = 0.0f;
    if (gid >= n) return;
    for (int k = -1; k <= 1; ++k) {
        int at = clamp((int)gid + k, 0, n - 1);
        sum += weights[k + 1] * from[at];
    }
    to[gid] = thrice(sqrt(fabs(mad(sum, 2.0f, 1.0f))));
}

#ifdef GROUPS
__kernel void reduce(__global const int *x, __global int *partial, const int n)
{
    __local int scratch[64];
    const int lid = get_local_id(0);
    scratch[lid] = get_global_id(0) < n ? x[get_global_id(0)] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s)
            scratch[lid] += scratch[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        partial[get_group_id(0)] = scratch[0];
}
#endif

#ifdef VECTORS
__kernel void lanes(__global const int4 *x, __global int4 *y)
{
    int4 v = x[get_global_id(0)];
    y[get_global_id(0)] = v + (int4)(1, 2, 3, 4);
}
#endif
/* SPDX-License-Identifier: MIT */

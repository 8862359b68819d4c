/* Reads an image at every cell up to `reach` beyond its ends. */
#include "image.clh"

#if USE_IMAGE
/* Returns the place for the value of cell (x, y, z): the read cells form rows of nx + 2 reach. */
INLINE size_t place_of(const int x, const int y, const int z, const int nx, const int ny, const int reach)
{
    const size_t row = (size_t)(ny + 2 * reach) * (size_t)z + (size_t)(y + reach);
    return row * (size_t)(nx + 2 * reach) + (size_t)(x + reach);
}

__kernel void sample2(__global image_value *out, IMAGE2D image, const int nx, const int ny, const int nz,
                      const int reach)
{
    const int x = (int)get_global_id(0) - reach, y = (int)get_global_id(1) - reach;
    if (x < nx + reach && y < ny + reach)
        out[place_of(x, y, 0, nx, ny, reach)] = image_at2(image, x, y, nx, ny);
}

__kernel void sample3(__global image_value *out, IMAGE3D image, const int nx, const int ny, const int nz,
                      const int reach)
{
    const int x = (int)get_global_id(0) - reach, y = (int)get_global_id(1) - reach, z = (int)get_global_id(2) - reach;
    if (x < nx + reach && y < ny + reach && z < nz + reach)
        out[place_of(x, y, z + reach, nx, ny, reach)] = image_at3(image, x, y, z, nx, ny, nz);
}
#endif
/* SPDX-License-Identifier: MIT */

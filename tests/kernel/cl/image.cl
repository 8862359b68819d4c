/* Reads an image of DIMS dimensions at every cell up to `reach` beyond its ends. */
#include "image.clh"

#if USE_IMAGE
#if DIMS == 2
__kernel void sample(__global real *out, IMAGE2D image, const int nx, const int ny, const int nz, const int reach)
#else
__kernel void sample(__global real *out, IMAGE3D image, const int nx, const int ny, const int nz, const int reach)
#endif
{
    const int x = (int)get_global_id(0) - reach, y = (int)get_global_id(1) - reach, z = (int)get_global_id(2) - reach;
    if (x >= nx + reach || y >= ny + reach || z >= nz + reach)
        return;
    const size_t row = (size_t)(ny + 2 * reach) * (size_t)(DIMS == 2 ? 0 : z + reach) + (size_t)(y + reach);
    out[row * (size_t)(nx + 2 * reach) + (size_t)(x + reach)] =
#if DIMS == 2
        image_at2(image, x, y, nx, ny);
#else
        image_at3(image, x, y, z, nx, ny, nz);
#endif
}
#endif

/* Conversion of elements of .npy files: byte order, Fortran order, 16-bit floats. */
#include "io/npy_internal.h"

#include "base/base.h"
#include "io/order.h"

#include <stdlib.h>
#include <string.h>

void mw_reverse_parts(char *data, size_t bytes, size_t part)
{
    if (part == 1)
        return;
    for (char *p = data, *end = data + bytes; p < end; p += part)
        for (size_t i = 0; i < part / 2; i++) {
            char kept = p[i];
            p[i] = p[part - 1 - i];
            p[part - 1 - i] = kept;
        }
}

/* Converts from Fortran order (axis 0 is contiguous) to C order. */
int mw_npy_transpose(unsigned dims, const size_t *shape, size_t element, size_t count, void **data)
{
    size_t stride[MW_DIMS_MAX], at[MW_DIMS_MAX] = { 0 }, step = element;
    const char *from = *data;
    char *to = NULL;
    TRY_RETURN(mw_new(count, element, &to));
    for (unsigned i = 0; i < dims; step *= shape[i++])
        stride[i] = step;
    for (size_t n = 0; n < count; n++) {
        memcpy(to + n * element, from, element);
        for (unsigned i = dims; i-- > 0; at[i] = 0) {
            from += stride[i];
            if (++at[i] < shape[i])
                break;
            from -= shape[i] * stride[i];
        }
    }
    free(*data);
    *data = to;
    return 0;
}

/* Widens 16-bit floats to 32 bits in place, from the last to the first. */
int mw_npy_widen(size_t count, void **data)
{
    float *wide = realloc(*data, count ? count * sizeof *wide : 1);
    if (!wide)
        return mw_fail(MW_ENOMEM, "out of memory for %zu numbers of float32", count);
    *data = wide;
    for (size_t i = count; i-- > 0;) {
        uint16_t half;
        memcpy(&half, (const char *)*data + i * sizeof half, sizeof half);
        const uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = half >> 10 & 31, fraction = half & 1023;
        const uint32_t top = exponent == 31 ? 255 : exponent + 112, bits = sign | top << 23 | fraction << 13;
        float value = (float)fraction * 0x1p-24f;
        if (exponent)
            memcpy(&value, &bits, sizeof value);
        else if (sign)
            value = -value;
        wide[i] = value;
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */

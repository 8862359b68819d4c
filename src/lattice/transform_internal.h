/* Transforms: what transform.c and the native kernels share. */
#ifndef MW_TRANSFORM_INTERNAL_H
#define MW_TRANSFORM_INTERNAL_H

#include "lattice/map_internal.h"

/* The native kernels, by element size 1, 2, 4, 8, 16 (native.c of each size from native.inc). */
extern const struct mw_native_kernel mw_native_transform_1[], mw_native_transform_2[], mw_native_transform_4[],
    mw_native_transform_8[], mw_native_transform_16[];

#endif

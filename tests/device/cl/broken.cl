/* Does not build, because of its include. */
#include "broken.clh"

__kernel void fine(__global int *out)
{
    out[0] = 1;
}
/* SPDX-License-Identifier: MIT */

/* Does not build, by what it includes. */
#include "broken.clh"

__kernel void fine(__global int *out)
{
    out[0] = 1;
}
/* SPDX-License-Identifier: MIT */

/* Parallel tempering: whether two systems exchange their parameters. */
#include <math.h>

#include "rng/draw.clh"
#include "spin/spin_internal.h"

/* Larger than the purposes of all other random numbers of spins. */
#define DRAW_EXCHANGE 0x80000000u

bool mw_spin_exchanged(uint64_t seed, uint64_t step, uint64_t pair, double exponent)
{
    const struct philox r = draw_words(pair, (uint32_t)step, DRAW_EXCHANGE + (uint32_t)(step >> 32), seed);
    return exponent >= 0 || ((double)r.word[0] + 0.5) * 0x1p-32 < exp(exponent);
}
/* SPDX-License-Identifier: MIT */

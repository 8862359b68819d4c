/* Roots of unity and factors. */
#define REAL_DOUBLE 1
#include "math.clh"

#include "fft/fft.h"

#define DIAGONAL 0.70710678118654752440 /* cos(pi / 4) */

/* Angles are reduced to an eighth of the circle in integers, so that equal numbers have equal bits. */
void mw_fft_twiddles(size_t n, double *table)
{
    for (size_t k = 0; k < n; k++) {
        const size_t eighth = 8 * k / n, rest = 8 * k - eighth * n, r = eighth % 2 ? n - rest : rest;
        const double angle = 0.78539816339744830962 * ((double)r / (double)n);
        const double c = r == n ? DIAGONAL : math_cos(angle), s = r == n ? DIAGONAL : math_sin(angle);
        const bool turned = (eighth + 1) / 2 % 2;
        const double x = turned ? s : c, y = turned ? c : s;
        table[2 * k] = eighth >= 2 && eighth < 6 ? 0 - x : x;
        table[2 * k + 1] = eighth < 4 ? 0 - y : y;
    }
}

int mw_fft_radices(size_t n, int32_t *radix)
{
    int count = 0, twos = 0;
    for (; n > 1 && n % 2 == 0; n /= 2)
        twos++;
    for (size_t factor = 3; n > 1; factor += 2) {
        if (factor > n / factor)
            factor = n;
        for (; n % factor == 0; n /= factor)
            radix[count++] = (int32_t)factor;
    }
    for (; twos > 4 || twos == 3; twos -= 3)
        radix[count++] = 8;
    for (; twos >= 2; twos -= 2)
        radix[count++] = 4;
    if (twos == 1)
        radix[count++] = 2;
    if (count == 0)
        radix[count++] = 1;
    return count;
}
/* SPDX-License-Identifier: MIT */

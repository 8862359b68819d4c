/* The functions phi_k of complex matrices of 1 x 1 or 2 x 2, by their series near 0 and formulas for the doubled
 * argument: Skaflestad and Wright, Appl. Numer. Math. 59 (2009) 783.  There are only sums and products, so the bits are
 * the same on all hosts, and no cancellation near 0. */
#include <math.h>

#include "field/exponential/exponential.h"

#define SERIES 16 /* terms for a norm of at most 1/2: the error is below 1e-18 */

/* Adds a number to the diagonal. */
static struct mw_small plus(struct mw_small a, double number)
{
    for (int i = 0; i < a.n; i++)
        a.a[i][i][0] += number;
    return a;
}

static struct mw_small times(struct mw_small a, double number)
{
    const struct mw_small zero = { .n = a.n };
    return mw_small_sum(&zero, number, &a);
}

/* phi_k(2 z) = (phi_0(z) phi_k(z) + sum_{j=1}^k phi_j(z) / (k - j)!) / 2^k. */
static void double_argument(struct mw_small *phi)
{
    struct mw_small p[MW_PHIS];
    for (int k = 0; k < MW_PHIS; k++)
        p[k] = mw_small_product(&phi[0], &phi[k]);
    p[1] = mw_small_sum(&p[1], 1, &phi[1]);
    p[2] = mw_small_sum(&p[2], 1, &phi[1]);
    p[2] = mw_small_sum(&p[2], 1, &phi[2]);
    p[3] = mw_small_sum(&p[3], 0.5, &phi[1]);
    p[3] = mw_small_sum(&p[3], 1, &phi[2]);
    p[3] = mw_small_sum(&p[3], 1, &phi[3]);
    for (int k = 0; k < MW_PHIS; k++)
        phi[k] = times(p[k], 1.0 / (1 << k));
}

/* The same for a real number, by the same operations: most models have such a linear part on meshes of many cells. */
static void real_phis(double z, struct mw_small *phi, struct mw_small *phi_half)
{
    double p[MW_PHIS], sum = 1, norm = fabs(z), half[MW_PHIS] = { 0 };
    int doublings = 1;
    for (; norm > 1 && doublings < 1000; norm *= 0.5)
        doublings++;
    const double small = ldexp(z, -doublings);
    for (int i = SERIES; i > 0; i--)
        sum = small * sum * (1.0 / (3 + i)) + 1;
    p[3] = sum * (1.0 / 6);
    for (int k = 2; k >= 0; k--)
        p[k] = small * p[k + 1] + (k == 2 ? 0.5 : 1);
    for (int i = 0; i < doublings; i++) {
        for (int k = 0; k < MW_PHIS; k++)
            half[k] = p[k];
        p[3] = (half[0] * half[3] + 0.5 * half[1] + half[2] + half[3]) * 0.125;
        p[2] = (half[0] * half[2] + half[1] + half[2]) * 0.25;
        p[1] = (half[0] * half[1] + half[1]) * 0.5;
        p[0] = half[0] * half[0];
    }
    for (int k = 0; k < MW_PHIS; k++) {
        phi[k] = mw_small_unit(1, p[k]);
        phi_half[k] = mw_small_unit(1, half[k]);
    }
}

void mw_phis(const struct mw_small *z, struct mw_small *phi, struct mw_small *phi_half)
{
    if (z->n == 1 && z->a[0][0][1] == 0) {
        real_phis(z->a[0][0][0], phi, phi_half);
        return;
    }
    double norm = 0;
    int doublings = 1;
    for (int i = 0; i < z->n; i++)
        for (int j = 0; j < z->n; j++)
            norm += fabs(z->a[i][j][0]) + fabs(z->a[i][j][1]);
    while (norm > 1 && doublings < 1000) {
        norm *= 0.5;
        doublings++;
    }
    const struct mw_small small = times(*z, ldexp(1, -doublings));
    struct mw_small sum = mw_small_unit(z->n, 1); /* phi_3 = 1/3! (1 + z/4 (1 + z/5 (1 + ...))) */
    for (int i = SERIES; i > 0; i--) {
        sum = mw_small_product(&small, &sum);
        sum = plus(times(sum, 1.0 / (3 + i)), 1);
    }
    phi[3] = times(sum, 1.0 / 6);
    phi[2] = plus(mw_small_product(&small, &phi[3]), 0.5);
    phi[1] = plus(mw_small_product(&small, &phi[2]), 1);
    phi[0] = plus(mw_small_product(&small, &phi[1]), 1);
    for (int i = 0; i < doublings; i++) {
        for (int k = 0; k < MW_PHIS; k++)
            phi_half[k] = phi[k];
        double_argument(phi);
    }
}
/* SPDX-License-Identifier: MIT */

/* Models of which forms of one bit or one byte know: a row each, with the numbers that decide on updates. */
#include <math.h>
#include <string.h>

#include "spin/spin_internal.h"

/* ---- the Ising model: E = -J sum of s s' over pairs of neighbours - h sum of s ---- */

enum { ISING_T, ISING_J, ISING_H, ISING_OUTSIDE };

static int ising_check(const double *p)
{
    if (!(p[ISING_T] >= 0))
        return mw_fail(MW_EINVAL, "a temperature of %g: T is 0 or more", p[ISING_T]);
    if (!isfinite(p[ISING_J]) || !isfinite(p[ISING_H]))
        return mw_fail(MW_EINVAL, "J and h are finite numbers");
    if (p[ISING_OUTSIDE] != 1 && p[ISING_OUTSIDE] != -1 && p[ISING_OUTSIDE] != 0)
        return mw_fail(MW_EINVAL, "outside=%g: the spin beyond fixed boundaries is 1, -1 or 0", p[ISING_OUTSIDE]);
    return 0;
}

static double ising_outside(const double *p) { return p[ISING_OUTSIDE]; }

/* A probability in 2^-32, rounded; 2^32 - 1 stands for certainty. */
static uint32_t threshold(double probability)
{
    const double scaled = nearbyint(probability * 4294967296.0);
    return scaled >= 4294967295.0 ? UINT32_MAX : (uint32_t)scaled;
}

/* exp(-cost / T), and what it tends to. */
static double weight(double cost, double T)
{
    return cost == 0 ? 1 : T > 0 ? exp(-cost / T) : cost > 0 ? 0 : INFINITY;
}

static void ising_rule(const double *p, enum mw_spin_update update, unsigned dims, uint32_t *rule)
{
    const int most = 2 * (int)dims;
    for (int sum = -most; sum <= most; sum++) {
        const double field = p[ISING_J] * sum + p[ISING_H];
        for (int up = 0; up < 2; up++) {
            /* Of being up then: after a flip from below, or for want of one. */
            const double flip = fmin(1, weight(up ? 2 * field : -2 * field, p[ISING_T]));
            const double glauber = 1 / (1 + weight(2 * field, p[ISING_T]));
            const uint32_t change = threshold(flip);
            uint32_t *to = &rule[up * SPIN_SUMS((int)dims) + most + sum];
            if (update == MW_SPIN_UPDATE_HEAT_BATH)
                *to = threshold(glauber);
            else if (!up)
                *to = change;
            else
                *to = change == UINT32_MAX ? 0 : change == 0 ? UINT32_MAX : (uint32_t)-change;
        }
    }
}

static double ising_energy(const double *p, const struct mw_spin_sums *sums)
{
    return -p[ISING_J] * (double)sums->pairs - p[ISING_H] * (double)sums->spins;
}

/* ---- the table ---- */

static const struct mw_spin_kind kinds[] = {
    { "ising", &mw_spin_ising_hash, ising_check, ising_outside, ising_rule, ising_energy },
};

const struct mw_spin_kind *mw_spin_kind_find(const struct mw_model *model)
{
    const struct mw_model_info *info = mw_model_info(model);
    for (size_t i = 0; i < MW_COUNT(kinds); i++)
        if (info->hash == *kinds[i].hash && strcmp(info->name, kinds[i].name) == 0)
            return &kinds[i];
    return NULL;
}
/* SPDX-License-Identifier: MIT */

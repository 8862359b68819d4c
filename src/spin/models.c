/* Table of the models that the forms of one bit and one byte support, with their probabilities of an update. */
#include <math.h>

#include "spin/spin_internal.h"

/* ---- the Ising model: E = -J sum of s s' over pairs of neighbours - h sum of s ---- */

enum { ISING_T, ISING_J, ISING_H, ISING_OUTSIDE };

static int ising_check(const double *p)
{
    if (!(p[ISING_T] >= 0))
        return mw_fail(MW_EINVAL, "invalid temperature T=%g (must be 0 or more)", p[ISING_T]);
    if (!isfinite(p[ISING_J]) || !isfinite(p[ISING_H]))
        return mw_fail(MW_EINVAL, "invalid J or h: both must be finite numbers");
    if (p[ISING_OUTSIDE] != 1 && p[ISING_OUTSIDE] != -1 && p[ISING_OUTSIDE] != 0)
        return mw_fail(MW_EINVAL, "invalid outside=%g: the spin beyond fixed boundaries must be 1, -1 or 0",
                       p[ISING_OUTSIDE]);
    return 0;
}

static double ising_outside(const double *p) { return p[ISING_OUTSIDE]; }

/* Converts a probability to units of 2^-32, rounded; 2^32 - 1 means certainty. */
static uint32_t threshold(double probability)
{
    const double scaled = nearbyint(probability * 4294967296.0);
    return scaled >= 4294967295.0 ? UINT32_MAX : (uint32_t)scaled;
}

/* exp(-cost / T), with its limits at T = 0. */
static double weight(double cost, double T) { return cost == 0 ? 1 : T > 0 ? exp(-cost / T) : cost > 0 ? 0 : INFINITY; }

static void ising_rule(const double *p, enum mw_spin_update update, unsigned dims, uint32_t *rule)
{
    const int most = 2 * (int)dims;
    for (int sum = -most; sum <= most; sum++) {
        const double field = p[ISING_J] * sum + p[ISING_H];
        for (int up = 0; up < 2; up++) {
            /* Probability of being up after the update: a flip from below, or no flip from above. */
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

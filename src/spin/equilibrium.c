/* Estimates of equilibrium values and their errors from series of energies and magnetisations. */
#include <math.h>

#include "rng/draw.clh"
#include "spin/spin_internal.h"

enum {
    BIN_TIMES = 20,  /* length of a bin, in autocorrelation times */
    BINS_LEAST = 16, /* minimum for an error, even if bins are then shorter */
    BINS_MOST = 4096
};

#define ROUNDING 1e-9 /* relative rounding error of an energy */

/* The quantities are functions of the means of these series. */
enum { E, E2, M, ABSOLUTE, M2, M4, SERIES };

struct system {
    double spins, temperature;
};

static double energy(const double *mean, const void *system) { return mean[E]; }

static double magnetisation(const double *mean, const void *system) { return mean[M]; }

static double absolute(const double *mean, const void *system) { return mean[ABSOLUTE]; }

static double specific_heat(const double *mean, const void *system)
{
    const struct system *s = system;
    return s->spins * (mean[E2] - mean[E] * mean[E]) / (s->temperature * s->temperature);
}

static double susceptibility(const double *mean, const void *system)
{
    const struct system *s = system;
    return s->spins * (mean[M2] - mean[ABSOLUTE] * mean[ABSOLUTE]) / s->temperature;
}

static double binder(const double *mean, const void *system) { return 1 - mean[M4] / (3 * mean[M2] * mean[M2]); }

static const struct {
    mw_of_means *of;
    size_t at;
} quantities[] = {
    { energy, offsetof(struct mw_spin_equilibrium, energy) },
    { magnetisation, offsetof(struct mw_spin_equilibrium, magnetisation) },
    { absolute, offsetof(struct mw_spin_equilibrium, absolute) },
    { specific_heat, offsetof(struct mw_spin_equilibrium, specific_heat) },
    { susceptibility, offsetof(struct mw_spin_equilibrium, susceptibility) },
    { binder, offsetof(struct mw_spin_equilibrium, binder) },
};

/* Computes one series for each product of the measured values. */
static int make_series(const double *e, const double *m, size_t n, double *memory[SERIES])
{
    for (size_t k = 0; k < SERIES; k++)
        TRY_RETURN(mw_new(n, sizeof *memory[k], &memory[k]));
    for (size_t i = 0; i < n; i++) {
        memory[E][i] = e[i];
        memory[E2][i] = e[i] * e[i];
        memory[M][i] = m[i];
        memory[ABSOLUTE][i] = fabs(m[i]);
        memory[M2][i] = m[i] * m[i];
        memory[M4][i] = m[i] * m[i] * m[i] * m[i];
    }
    return 0;
}

/* Returns the bins per copy: BIN_TIMES autocorrelation times long, unless too few bins remain. */
static size_t bins_of(size_t n, size_t copies, double time)
{
    const size_t length = time > 0 ? (size_t)fmin(ceil(BIN_TIMES * time), (double)n) : 1;
    const size_t least = (BINS_LEAST - 1) / copies + 1, most = BINS_MOST / copies > 1 ? BINS_MOST / copies : 1;
    size_t bins = n / length;
    bins = bins < least ? least : bins > most ? most : bins;
    return bins > n ? n : bins;
}

int mw_spin_equilibrium_estimate(const double *energies, const double *magnetisations, size_t n, size_t copies,
                                 double spins, double temperature, struct mw_spin_equilibrium *equilibrium)
{
    const struct system system = { spins, temperature };
    struct mw_spin_equilibrium all = { .size = sizeof all, .energy = { NAN, NAN } };
    double *memory[SERIES] = { 0 };
    const double *series[SERIES];
    size_t numbers;
    int rc;
    TRY(MW_RESULT_GIVE(mw_spin_equilibrium, NULL, bins, equilibrium));
    TRY(mw_numbers_of(n, copies, &numbers));
    TRY(make_series(energies, magnetisations, numbers, memory));
    memcpy(series, memory, sizeof series);
    TRY(mw_values_autocorrelation(series[E], n, copies, &all.energy_time.value, &all.energy_time.error));
    TRY(mw_values_autocorrelation(series[ABSOLUTE], n, copies, &all.absolute_time.value, &all.absolute_time.error));
    all.bins = n && copies ? copies * bins_of(n, copies, fmax(all.energy_time.value, all.absolute_time.value)) : 0;
    for (size_t k = 0; k < MW_COUNT(quantities); k++) {
        struct mw_spin_estimate *to = (struct mw_spin_estimate *)((char *)&all + quantities[k].at);
        TRY(mw_values_jackknife(series, SERIES, numbers, all.bins, quantities[k].of, &system, &to->value, &to->error));
    }
    TRY(MW_RESULT_GIVE(mw_spin_equilibrium, &all, bins, equilibrium));
out:
    for (size_t k = 0; k < SERIES; k++)
        free(memory[k]);
    return rc;
}

/* Raises the error to that from the autocorrelation time: with few bins their error is uncertain. */
static void widen_to(struct mw_spin_estimate *e, const struct mw_settling *s, size_t copies)
{
    const double by_time = s->deviation / sqrt((double)copies * s->independent);
    if (by_time > e->error)
        e->error = by_time;
}

/* Widens the error of both quantities if either has not settled: domains that hardly move leave the energy almost
 * constant. */
static void widen(struct mw_spin_estimate *e, const struct mw_settling *s)
{
    const double by = fmax(s->widening, s->deviation);
    e->error = isnan(e->error) ? by : hypot(e->error, by);
}

/* Detects frozen copies.  Above the ground state the energy of a copy in equilibrium fluctuates.  A frozen copy shifts
 * the means by its distance from the ground state, divided by the number of copies. */
static void find_frozen(struct mw_settling *of_energy, struct mw_settling *of_absolute,
                        const struct mw_spin_measures *ground, const double *energies, const double *absolute, size_t n,
                        size_t copies, size_t first)
{
    double energy = 0, magnetisation = 0;
    for (size_t copy = 0; copy < copies; copy++) {
        const double *e = energies + copy * n, above = e[first] - ground->energy;
        bool frozen = above > ROUNDING * fabs(ground->energy);
        double m = 0;
        for (size_t i = first; i < n && frozen; i++) {
            frozen = !(e[i] < e[first] || e[i] > e[first]);
            m += absolute[copy * n + i];
        }
        energy += frozen ? above : 0;
        magnetisation += frozen ? fabs(ground->magnetisation) - m / (double)(n - first) : 0;
    }
    if (!(energy > 0))
        return;
    of_energy->why = MW_UNSETTLED_FROZEN;
    of_energy->widening = energy / (double)copies;
    of_absolute->widening = fabs(magnetisation) / (double)copies;
}

int mw_spin_equilibrium_settling(const double *energies, const double *magnetisations, size_t n, size_t copies,
                                 size_t first, bool conserves, const struct mw_spin_measures *ground,
                                 struct mw_spin_equilibrium *equilibrium, struct mw_settling *energy,
                                 struct mw_settling *absolute)
{
    struct mw_settling of_energy = MW_INIT(of_energy), of_absolute = MW_INIT(of_absolute);
    double *sizes = NULL;
    size_t numbers;
    int rc;
    TRY(MW_RESULT_GIVE(mw_spin_equilibrium, NULL, bins, equilibrium));
    TRY(MW_RESULT_GIVE(mw_settling, NULL, widening, energy));
    TRY(MW_RESULT_GIVE(mw_settling, NULL, widening, absolute));
    TRY(mw_numbers_of(n, copies, &numbers));
    TRY(mw_new(numbers, sizeof *sizes, &sizes));
    for (size_t i = 0; i < numbers; i++)
        sizes[i] = fabs(magnetisations[i]);
    TRY(mw_values_settling(energies, n, copies, first, &of_energy));
    if (!conserves)
        TRY(mw_values_settling(sizes, n, copies, first, &of_absolute));
    if (ground && of_energy.why == MW_UNSETTLED_NONE)
        find_frozen(&of_energy, &of_absolute, ground, energies, sizes, n, copies, first);
    if (of_energy.why != MW_UNSETTLED_NONE || of_absolute.why != MW_UNSETTLED_NONE) {
        widen(&equilibrium->energy, &of_energy);
        widen(&equilibrium->magnetisation, &of_absolute);
        widen(&equilibrium->absolute, &of_absolute);
    }
    widen_to(&equilibrium->energy, &of_energy, copies);
    widen_to(&equilibrium->absolute, &of_absolute, copies);
    TRY(MW_RESULT_GIVE(mw_settling, &of_energy, widening, energy));
    TRY(MW_RESULT_GIVE(mw_settling, &of_absolute, widening, absolute));
out:
    free(sizes);
    return rc;
}

/* ---- parallel tempering ---- */

/* Larger than the purposes of all other random numbers of spins. */
#define DRAW_EXCHANGE 0x80000000u

bool mw_spin_exchanged(uint64_t seed, uint64_t step, uint64_t pair, double exponent)
{
    const struct philox r = draw_words(pair, (uint32_t)step, DRAW_EXCHANGE + (uint32_t)(step >> 32), seed);
    return exponent >= 0 || ((double)r.word[0] + 0.5) * 0x1p-32 < exp(exponent);
}
/* SPDX-License-Identifier: MIT */

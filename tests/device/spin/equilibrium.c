/* Spins of model files in equilibrium, on $MESHWORK_TEST_DEVICE. References are exact enumeration, with the test's own
 * energies and the library's tables of neighbours, and known chains.  All devices have the same bits, so native:serial
 * and native:pthreads share the cases.  A run has half of them, since each model and lattice is compiled. */
#include "rng/normal.clh"

#include "tests/device/spin/reference.h"

enum { MODEL_DRAW_FROZEN = 2, CELLS = 16, MOST_NEIGHBOURS = 16 };

/* ---- exact enumeration ---- */

/* Mesh for the enumeration: the neighbours of each site. */
struct graph {
    int sites, neighbours, at[CELLS][MOST_NEIGHBOURS];
    double bond[CELLS][MOST_NEIGHBOURS], field[CELLS];
};

static void find_neighbours(const struct lattice_mesh *m, struct graph *g)
{
    int64_t length[MW_DIMS_MAX];
    struct mw_lattice lattice;
    struct mw_neighbours *table;
    for (unsigned d = 0; d < MW_DIMS_MAX; d++)
        length[d] = (int64_t)m->mesh.length[d];
    OK(mw_lattice_make(m->mesh.dims, length, &lattice));
    OK(mw_neighbours_new(&lattice, m->lattice, m->mesh.boundary, &table));
    g->sites = (int)lattice.cells;
    g->neighbours = (int)table->coordination;
    for (int k = 0; k < g->sites; k++)
        for (unsigned j = 0; j < table->coordination; j++)
            g->at[k][j] = (int)mw_neighbours_at(table, k, j);
    mw_neighbours_free(table);
}

/* Draws the frozen numbers of sites, and of pairs at the site from which an even step leads to the other. */
static void find_frozen(struct graph *g, uint64_t seed)
{
    for (int k = 0; k < g->sites; k++)
        for (int j = 0; j < g->neighbours; j++) {
            const int from = j % 2 && g->at[k][j] >= 0 ? g->at[k][j] : k, plane = j / 2;
            const struct philox w = draw_words((uint64_t)from, 0, MODEL_DRAW_FROZEN + (uint32_t)plane / 4, seed);
            g->bond[k][j] = (double)normal_real(w.word[plane % 4]);
            g->field[k] = (double)normal_real(draw_words((uint64_t)k, 0, MODEL_DRAW_FROZEN, seed).word[0]);
        }
}

/* A model of the test: its values, and energies by the parameters in the order of the file.  T is for four neighbours,
 * and proportional to their number, so that no state is stuck. */
struct known {
    const char *name;
    int least, values, temperature; /* index of T among the parameters */
    double params[6];
    double (*pair)(const double *params, double bond, int s, int t);
    double (*own)(const double *params, double field, int s);
};
static double none(const double *p, double field, int s) { return (void)p, (void)field, (void)s, 0; }
static double ising_pair(const double *p, double bond, int s, int t) { return (void)bond, -p[1] * s * t; }
static double ising_own(const double *p, double field, int s) { return (void)field, -p[2] * s; }
static double potts_pair(const double *p, double bond, int s, int t) { return (void)bond, s == t ? -p[2] : 0; }
static double clock_pair(const double *p, double bond, int s, int t)
{
    return (void)bond, -p[2] * cos(2 * M_PI * (s - t) / p[0]);
}
static double capel_own(const double *p, double field, int s) { return (void)field, p[2] * s * s - p[3] * s; }
static double glass_pair(const double *p, double bond, int s, int t) { return -(p[1] + p[2] * bond) * s * t; }
static double glass_own(const double *p, double field, int s) { return (void)field, -p[3] * s; }
static double random_own(const double *p, double field, int s) { return -(p[2] + p[3] * field) * s; }

static const struct known known[] = {
    { "ising", -1, 2, 0, { 3, 1, 0.25, 1 }, ising_pair, ising_own },
    { "potts", 0, 3, 1, { 3, 1.25, 1 }, potts_pair, none },
    { "potts", 0, 1, 1, { 1, 1.25, 1 }, potts_pair, none },
    { "clock", 0, 4, 1, { 4, 1.5, 1 }, clock_pair, none },
    { "blume-capel", -1, 3, 0, { 1.5, 1, 0.5, 0.25 }, ising_pair, capel_own },
    { "edwards-anderson", -1, 2, 0, { 1.5, 0.25, 1, 0.125 }, glass_pair, glass_own },
    { "random-field", -1, 2, 0, { 2.5, 1, 0.25, 1 }, ising_pair, random_own },
};

static double energy_of(const struct known *k, const struct graph *g, const int *s)
{
    double energy = 0;
    for (int i = 0; i < g->sites; i++) {
        energy += k->own(k->params, g->field[i], s[i]);
        for (int j = 0; j < g->neighbours; j++)
            if (g->at[i][j] >= 0 && g->at[i][j] != i)
                energy += k->pair(k->params, g->bond[i][j], s[i], s[g->at[i][j]]) / 2;
    }
    return energy;
}

static int value_of(const struct known *k, size_t i)
{
    return k->values == 2 && k->least ? 2 * (int)i - 1 : k->least + (int)i;
}

/* Computes the mean energy per site and the mean of its square; for exchange only over states of the same
 * composition. */
static void enumerate_energies(const struct known *k, const struct graph *g, const int *counts, double *mean,
                               double *square)
{
    const double T = k->params[k->temperature];
    double sum = 0;
    size_t states = 1;
    int s[CELLS];
    *mean = *square = 0;
    for (int i = 0; i < g->sites; i++)
        states *= (size_t)k->values;
    for (size_t state = 0; state < states; state++) {
        int have[8] = { 0 };
        size_t left = state;
        for (int i = 0; i < g->sites; i++, left /= (size_t)k->values) {
            s[i] = value_of(k, left % (size_t)k->values);
            have[left % (size_t)k->values]++;
        }
        if (counts && memcmp(have, counts, (size_t)k->values * sizeof *have) != 0)
            continue;
        const double energy = energy_of(k, g, s), weight = exp(-(energy + 2 * g->sites) / T);
        sum += weight;
        *mean += weight * energy / g->sites;
        *square += weight * energy / g->sites * energy / g->sites;
    }
    *mean /= sum;
    *square /= sum;
}

enum { MANY = 600, WARM = 10, LOOKS = 20, BETWEEN = 3 };

/* Compares the mean over systems with the expected one, using the standard error of the systems. */
static void check_mean(const char *words, const double *of_systems, double expected)
{
    double mean = 0, variance = 0;
    for (int i = 0; i < MANY; i++)
        mean += of_systems[i] / MANY;
    for (int i = 0; i < MANY; i++)
        variance += (of_systems[i] - mean) * (of_systems[i] - mean) / (MANY - 1);
    const double error = sqrt(variance / MANY);
    if (!(fabs(mean - expected) <= 4.5 * error + 1e-7) || error > 0.03 * (1 + fabs(expected)))
        fail_msg("%s: %.9g +- %.2g instead of %.9g", words, mean, error, expected);
}

/* Gives all systems the same composition, for exchange. */
static void set_composition(struct mw_spins *spins, const struct known *k, const struct graph *g, int *counts)
{
    struct mw_array state;
    OK(mw_spins_get(spins, &state));
    memset(counts, 0, 8 * sizeof *counts);
    for (size_t i = 0; i < state.count; i++)
        ((signed char *)state.data)[i] = (signed char)value_of(k, i % (size_t)g->sites % (size_t)k->values);
    for (int i = 0; i < g->sites; i++)
        counts[i % k->values]++;
    OK(mw_spins_set(spins, &state));
    mw_array_free(&state);
}

static void check_equilibrium(const struct known *model_known, const struct lattice_mesh *m, enum mw_spin_update update)
{
    struct known warmer = *model_known, *k = &warmer;
    static struct mw_spin_measures measures[MANY];
    static double energies[MANY], squares[MANY];
    struct mw_spin_options o = options_on(m, k->params);
    struct graph g = { 0 };
    struct mw_spins *spins;
    struct mw_model *model;
    double mean, square;
    char words[160];
    int counts[8];
    o.update = update;
    o.variant = "model";
    o.systems = MANY;
    o.seed = 14;
    find_neighbours(m, &g);
    find_frozen(&g, o.seed);
    warmer.params[warmer.temperature] *= g.neighbours / 4.0;
    OK(mw_model_load(k->name, NULL, &model));
    OK(mw_spins_new(&device, 1, model, &o, &spins));
    mw_model_free(model);
    if (update == MW_SPIN_UPDATE_EXCHANGE)
        set_composition(spins, k, &g, counts);
    enumerate_energies(k, &g, update == MW_SPIN_UPDATE_EXCHANGE ? counts : NULL, &mean, &square);
    memset(energies, 0, sizeof energies);
    memset(squares, 0, sizeof squares);
    OK(mw_spins_advance(spins, WARM * BETWEEN));
    for (int look = 0; look < LOOKS; look++) {
        OK(mw_spins_advance(spins, BETWEEN));
        OK(mw_spins_measure(spins, measures));
        for (int i = 0; i < MANY; i++) {
            energies[i] += measures[i].energy / LOOKS;
            squares[i] += measures[i].energy * measures[i].energy / LOOKS;
        }
    }
    snprintf(words, sizeof words, "%s, lattice %d, %zu along x, update %d", k->name, (int)m->lattice, m->mesh.length[0],
             (int)update);
    check_mean(words, energies, mean);
    check_mean(words, squares, square);
    mw_spins_free(spins);
}

static void energies_are_those_of_enumeration(void **unused)
{
    static const struct lattice_mesh small[] = {
        { MW_LATTICE_HYPERCUBIC, { 2, { 3, 3 }, { 0 } } },
        { MW_LATTICE_TRIANGULAR, { 2, { 3, 3 }, { 0 } } },
        { MW_LATTICE_BODY_CENTRED, { 3, { 2, 2, 2 }, { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_PERIODIC } } },
        { MW_LATTICE_FACE_CENTRED, { 3, { 2, 2, 2 }, { 0 } } },
    };
    const bool serial = strcmp(info->id, "native:serial") == 0;
    const size_t part = one_in(2), turn = random_below(part);
    for (size_t i = 0; i < MW_COUNT(known); i++)
        for (size_t k = 0; k < MW_COUNT(small); k++)
            for (int update = 0; update <= MW_SPIN_UPDATE_WOLFF; update++)
                if ((i + k) % 2 == serial && (i + k / 2) % part == turn)
                    check_equilibrium(&known[i], &small[k], (enum mw_spin_update)update);
}

/* ---- chains, with independent bonds ---- */

static double chain_energy(const char *name, enum mw_spin_update update, double T, double *error)
{
    static struct mw_spin_measures measures[MANY];
    const struct lattice_mesh chain = { MW_LATTICE_HYPERCUBIC, { 1, { 40 }, { MW_BOUNDARY_MIRROR } } };
    const double params[] = { T, 1, 1 };
    struct mw_spin_options o = options_on(&chain, params);
    struct mw_spins *spins;
    struct mw_model *model;
    double mean = 0, square = 0;
    o.update = update;
    o.systems = MANY;
    o.seed = 41;
    OK(mw_model_load(name, NULL, &model));
    OK(mw_spins_new(&device, 1, model, &o, &spins));
    mw_model_free(model);
    OK(mw_spins_advance(spins, update == MW_SPIN_UPDATE_WOLFF ? 1500 : 150));
    OK(mw_spins_measure(spins, measures));
    for (int i = 0; i < MANY; i++) {
        const double bond = measures[i].energy * 40 / 39;
        mean += bond / MANY;
        square += bond * bond / MANY;
    }
    *error = sqrt((square - mean * mean) / MANY);
    mw_spins_free(spins);
    return mean;
}

/* I1(x) / I0(x), by their series. */
static double bessel_ratio(double x)
{
    double i0 = 0, i1 = 0, term = 1;
    for (int k = 0; k < 60; k++) {
        i0 += term;
        i1 += term * x / 2 / (k + 1);
        term *= x * x / 4 / (k + 1) / (k + 1);
    }
    return i1 / i0;
}

static void chains_have_their_known_energies(void **unused)
{
    static const enum mw_spin_update updates[] = { MW_SPIN_UPDATE_METROPOLIS, MW_SPIN_UPDATE_SWENDSEN_WANG,
                                                   MW_SPIN_UPDATE_WOLFF };
    const bool serial = strcmp(info->id, "native:serial") == 0;
    const double T = 0.75, langevin = 1 / tanh(1 / T) - T, planar = bessel_ratio(1 / T);
    for (size_t i = 0; i < MW_COUNT(updates); i++) {
        double error, mean;
        if ((i == 0) == serial) /* Metropolis takes as long as both of the others together */
            continue;
        mean = chain_energy("xy", updates[i], T, &error);
        if (!(fabs(mean + planar) <= 4.5 * error) || error > 0.01)
            fail_msg("xy, update %d: %g +- %g instead of %g", (int)updates[i], mean, error, -planar);
        mean = chain_energy("heisenberg", updates[i], T, &error);
        if (!(fabs(mean + langevin) <= 4.5 * error) || error > 0.01)
            fail_msg("heisenberg, update %d: %g +- %g instead of %g", (int)updates[i], mean, error, -langevin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_are_those_of_enumeration),
        cmocka_unit_test(chains_have_their_known_energies),
    };
    return cmocka_run_group_tests(tests, open_spins, close_spins);
}
/* SPDX-License-Identifier: MIT */

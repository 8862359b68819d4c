/* Spins of model files on $MESHWORK_TEST_DEVICE: the same bits as natively on one thread, on one device and split;
 * means by exact enumeration with energies of the test's own, over the library's tables of neighbours; known chains. */
#include "rng/normal.clh"

#include "tests/device/spin/reference.h"

enum { MODEL_DRAW_FROZEN = 2, CELLS = 16, MOST_NEIGHBOURS = 16 };

struct lattice_mesh {
    enum mw_lattice_kind lattice;
    struct mesh mesh;
};

static struct mw_spin_options options_on(const struct lattice_mesh *m, const double *params)
{
    struct mw_spin_options o = options_of(&m->mesh, params);
    o.lattice = m->lattice;
    return o;
}

/* ---- the same bits ---- */

static void same_state(struct mw_spins *a, struct mw_spins *b, const char *words)
{
    struct mw_spin_measures of_a, of_b;
    struct mw_array s, t;
    OK(mw_spins_get(a, &s));
    OK(mw_spins_get(b, &t));
    assert_true(s.type == t.type && s.count == t.count);
    if (memcmp(s.data, t.data, s.count * mw_type_bytes(s.type)) != 0)
        fail_msg("%s: other states", words);
    OK(mw_spins_measure(a, &of_a));
    OK(mw_spins_measure(b, &of_b));
    if (memcmp(&of_a, &of_b, sizeof of_a) != 0)
        fail_msg("%s: energy %.17g and %.17g, order %.17g and %.17g", words, of_a.energy, of_b.energy,
                 of_a.magnetisation, of_b.magnetisation);
    mw_array_free(&t);
    mw_array_free(&s);
}

static void check_same(const char *name, const struct lattice_mesh *m, enum mw_spin_update update, bool fp64,
                       struct mw_device *const *team, size_t count)
{
    struct mw_spin_options o = options_on(m, NULL);
    struct mw_device *serial;
    struct mw_spins *here, *there;
    struct mw_model *model;
    char words[160];
    o.update = update;
    o.fp64 = fp64;
    o.variant = "model";
    o.seed = random_word();
    o.start = (enum mw_spin_start)random_below(3);
    OK(mw_model_load(name, NULL, &model));
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    OK(mw_spins_new(team, count, model, &o, &here));
    OK(mw_spins_new(&serial, 1, model, &o, &there));
    mw_model_free(model);
    mw_spins_set_step(here, 0xFFFFFFFEu);
    mw_spins_set_step(there, 0xFFFFFFFEu);
    OK(mw_spins_advance(here, 3));
    OK(mw_spins_advance(there, 3));
    snprintf(words, sizeof words, "%s, lattice %d of %u dimensions, %zu along x, update %d, %zu devices", name,
             (int)m->lattice, m->mesh.dims, m->mesh.length[0], (int)update, count);
    same_state(here, there, words);
    mw_spins_free(there);
    mw_spins_free(here);
    mw_device_close(serial);
}

static const struct lattice_mesh meshes[] = {
    { MW_LATTICE_HYPERCUBIC, { 2, { 9, 7 }, { 0 } } },   /* two odd dimensions: three colours */
    { MW_LATTICE_HYPERCUBIC, { 3, { 6, 5, 8 }, { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_FIXED, MW_BOUNDARY_MIRROR } } },
    { MW_LATTICE_HYPERCUBIC, { 1, { 70 }, { MW_BOUNDARY_MIRROR } } },
    { MW_LATTICE_TRIANGULAR, { 2, { 8, 11 }, { 0 } } },
    { MW_LATTICE_TRIANGULAR, { 2, { 7, 6 }, { MW_BOUNDARY_FIXED, MW_BOUNDARY_PERIODIC } } },
    { MW_LATTICE_BODY_CENTRED, { 3, { 5, 4, 7 }, { 0 } } },
    { MW_LATTICE_FACE_CENTRED, { 3, { 4, 6, 6 }, { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_PERIODIC, MW_BOUNDARY_FIXED } } },
};
static const struct { const char *name; unsigned updates; } models[] = {      /* bit i: update i */
    { "ising", 31 }, { "potts", 31 }, { "clock", 31 }, { "xy", 29 }, { "heisenberg", 29 }, { "blume-capel", 31 },
    { "edwards-anderson", 31 }, { "random-field", 31 }, { "prisoners", 1 },
};

/* One in `part` of all cases, another share each time. */
static void states_are_those_of_one_thread(void **unused)
{
    const uint32_t part = slow ? 60 : native ? 4 : 30;
    const bool fp64 = info->fp64;
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(models); i++)
        for (int update = 0; update <= MW_SPIN_WOLFF; update++)
            for (size_t k = 0; k < MW_COUNT(meshes); k++)
                if (models[i].updates >> update & 1 && random_below(part) == 0)
                    check_same(models[i].name, &meshes[k], (enum mw_spin_update)update, fp64 && random_below(4) == 0,
                               &device, 1);
}

static void states_are_the_same_split(void **unused)
{
    static const struct lattice_mesh wide[] = {
        { MW_LATTICE_HYPERCUBIC, { 2, { 6, 13 }, { 0 } } },
        { MW_LATTICE_HYPERCUBIC, { 3, { 5, 4, 12 }, { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_FIXED, MW_BOUNDARY_FIXED } } },
        { MW_LATTICE_TRIANGULAR, { 2, { 8, 14 }, { 0 } } },
        { MW_LATTICE_BODY_CENTRED, { 3, { 5, 4, 11 }, { 0 } } },
    };
    struct mw_device *team[3] = { device, NULL, NULL };
    (void)unused;
    OK(mw_device_open_by_name("native:serial", NULL, &team[1]));
    OK(mw_device_open_by_name("native:pthreads", NULL, &team[2]));
    for (size_t i = 0; i < MW_COUNT(models); i++)
        for (int update = 0; update < MW_SPIN_SWENDSEN_WANG; update++)
            for (size_t k = 0; k < MW_COUNT(wide); k++)
                if (models[i].updates >> update & 1 && random_below(slow ? 40 : native ? 4 : 30) == 0)
                    check_same(models[i].name, &wide[k], (enum mw_spin_update)update, false, team,
                               2 + random_below(2));
    mw_device_close(team[2]);
    mw_device_close(team[1]);
}

/* ---- exact enumeration ---- */

/* What enumeration needs of a mesh: each site's neighbours. */
struct graph { int sites, neighbours, at[CELLS][MOST_NEIGHBOURS]; double bond[CELLS][MOST_NEIGHBOURS], field[CELLS]; };

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

/* Frozen numbers as they are drawn: of the pair that starts at a site by an even step, and of the site. */
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

/* A model as the test knows it: its values, and energies by the parameters in the file's order.  T is for four
 * neighbours, and in proportion to them, so that no state lasts. */
struct known {
    const char *name;
    int least, values, temperature;      /* the place of T among parameters */
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

/* Mean energy a site, and of its square; of exchange only states count that have as many of each value. */
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

enum { MANY = 600, WARM = 30, LOOKS = 20, BETWEEN = 3 };

/* Mean of what systems were, with the error that their differences tell, against what it should be. */
static void check_mean(const char *words, const double *of_systems, double expected)
{
    double mean = 0, variance = 0;
    for (int i = 0; i < MANY; i++)
        mean += of_systems[i] / MANY;
    for (int i = 0; i < MANY; i++)
        variance += (of_systems[i] - mean) * (of_systems[i] - mean) / (MANY - 1);
    const double error = sqrt(variance / MANY);
    if (!(fabs(mean - expected) <= 4.5 * error + 1e-7))
        fail_msg("%s: %.9g +- %.2g instead of %.9g", words, mean, error, expected);
}

/* Of exchange all systems have one composition. */
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

static void check_equilibrium(const struct known *model_known, const struct lattice_mesh *m,
                              enum mw_spin_update update)
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
    if (update == MW_SPIN_EXCHANGE)
        set_composition(spins, k, &g, counts);
    enumerate_energies(k, &g, update == MW_SPIN_EXCHANGE ? counts : NULL, &mean, &square);
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
    snprintf(words, sizeof words, "%s, lattice %d, %zu along x, update %d", k->name, (int)m->lattice,
             m->mesh.length[0], (int)update);
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
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(known); i++)
        for (size_t k = 0; k < MW_COUNT(small); k++)
            for (int update = 0; update <= MW_SPIN_WOLFF; update++)
                if (strcmp(info->id, "native:serial") == 0 || (native && random_below(8) == 0))
                    check_equilibrium(&known[i], &small[k], (enum mw_spin_update)update);
}

/* ---- chains, whose bonds are independent ---- */

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
    OK(mw_spins_advance(spins, update == MW_SPIN_WOLFF ? 1500 : 150));
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
    static const enum mw_spin_update updates[] = { MW_SPIN_METROPOLIS, MW_SPIN_SWENDSEN_WANG, MW_SPIN_WOLFF };
    const double T = 0.75, langevin = 1 / tanh(1 / T) - T, planar = bessel_ratio(1 / T);
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(updates); i++) {
        double error, mean;
        if (strcmp(info->id, "native:serial") != 0)    /* whose bits are those of all others */
            continue;
        mean = chain_energy("xy", updates[i], T, &error);
        if (!(fabs(mean + planar) <= 4.5 * error))
            fail_msg("xy, update %d: %g +- %g instead of %g", (int)updates[i], mean, error, -planar);
        mean = chain_energy("heisenberg", updates[i], T, &error);
        if (!(fabs(mean + langevin) <= 4.5 * error))
            fail_msg("heisenberg, update %d: %g +- %g instead of %g", (int)updates[i], mean, error, -langevin);
    }
}

/* ---- exchange keeps what there is; what is refused ---- */

static void exchange_conserves(void **unused)
{
    static const char *const names[] = { "ising", "potts", "blume-capel" };
    const struct lattice_mesh m = { MW_LATTICE_BODY_CENTRED, { 3, { 6, 5, 7 }, { 0 } } };
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(names) && (native || i == 0); i++) {
        struct mw_spin_options o = options_on(&m, NULL);
        struct mw_array before, after;
        struct mw_spins *spins;
        struct mw_model *model;
        int counts[256] = { 0 };
        o.update = MW_SPIN_EXCHANGE;
        o.seed = random_word();
        OK(mw_model_load(names[i], NULL, &model));
        OK(mw_spins_new(&device, 1, model, &o, &spins));
        mw_model_free(model);
        OK(mw_spins_get(spins, &before));
        OK(mw_spins_advance(spins, 5));
        OK(mw_spins_get(spins, &after));
        for (size_t k = 0; k < before.count; k++) {
            counts[((unsigned char *)before.data)[k]]++;
            counts[((unsigned char *)after.data)[k]]--;
        }
        for (int k = 0; k < 256; k++)
            assert_int_equal(counts[k], 0);
        assert_true(memcmp(before.data, after.data, before.count) != 0);
        mw_array_free(&before);
        mw_array_free(&after);
        mw_spins_free(spins);
    }
}

static void refuses(const char *name, const struct mw_spin_options *o, size_t count, const char *words)
{
    struct mw_device *team[2] = { device, NULL };
    struct mw_spins *spins = NULL;
    struct mw_model *model;
    OK(mw_device_open_by_name("native:serial", NULL, &team[1]));
    OK(mw_model_load(name, NULL, &model));
    FAILS(MW_EINVAL, words, mw_spins_new(team, count, model, o, &spins));
    assert_null(spins);
    mw_model_free(model);
    mw_device_close(team[1]);
}

static void refusals(void **unused)
{
    static const double many[] = { 200, 1, 1 }, half[] = { 2.5, 1, 1 };
    const struct mesh plane = { 2, { 8, 8 }, { P, P } }, mirrored = { 3, { 4, 4, 4 }, { P, P, M } };
    struct mw_spin_options o = options_of(&plane, NULL);
    (void)unused;
    refuses("heat", &o, 1, "one of fields");
    o.update = MW_SPIN_HEAT_BATH;
    refuses("xy", &o, 1, "continuous");
    refuses("prisoners", &o, 1, "rule of its own");
    o.update = MW_SPIN_WOLFF;
    refuses("ising", &o, 2, "one device");
    o.update = MW_SPIN_METROPOLIS;
    o.variant = "bits";
    refuses("potts", &o, 1, "installed model ising");
    o.variant = NULL;
    o.lattice = MW_LATTICE_FACE_CENTRED;
    refuses("ising", &o, 1, "3 dimensions");
    o = options_of(&mirrored, NULL);
    o.lattice = MW_LATTICE_BODY_CENTRED;
    refuses("ising", &o, 1, "mirror");
    o = options_of(&plane, many);
    refuses("potts", &o, 1, "128");
    o.params = half;
    refuses("potts", &o, 1, "whole numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_those_of_one_thread),
        cmocka_unit_test(states_are_the_same_split),
        cmocka_unit_test(energies_are_those_of_enumeration),
        cmocka_unit_test(chains_have_their_known_energies),
        cmocka_unit_test(exchange_conserves),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, open_spins, close_spins);
}

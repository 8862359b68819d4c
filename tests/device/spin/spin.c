/* Spins on $MESHWORK_TEST_DEVICE against a plain C loop over coordinates; on native devices also against exact
 * enumeration and the results of Onsager and Yang. */
#include "dev/core/traits.h"
#include "tests/device/spin/reference.h"

enum { MOST_CELLS = 4096 };

/* ---- the same bits ---- */

/* clang-format off */
static const struct mesh meshes[] = {
    { 2, { 16, 8 }, { P, P } }, { 2, { 9, 7 }, { P, P } }, { 2, { 70, 5 }, { M, F } }, { 1, { 301 }, { P } },
    { 2, { 261, 2 }, { P, M } }, { 3, { 4, 6, 5 }, { P, F, P } }, { 3, { 8, 4, 2 }, { F, M, P } }, { 1, { 1 }, { P } },
    { 4, { 5, 2, 3, 4 }, { F, P, M, P } }, { 2, { 1, 9 }, { P, P } }, { 3, { 16, 1, 4 }, { P, P, P } },
    { 2, { 1100, 2 }, { P, F } }, { 2, { 600, 4 }, { M, P } }, { 3, { 130, 2, 4 }, { P, P, P } },
    { 4, { 6, 4, 2, 3 }, { F, P, P, M } }, { 1, { 2 }, { P } },
    /* For bits: several rows per vector, and whole vectors. */
    { 2, { 64, 16 }, { P, P } }, { 3, { 256, 4, 3 }, { P, P, F } }, { 3, { 128, 8, 4 }, { M, P, P } },
    { 2, { 500, 4 }, { F, P } }, { 2, { 1024, 4 }, { P, P } }, { 3, { 1024, 2, 2 }, { P, P, P } },
    { 4, { 64, 16, 2, 2 }, { P, P, P, P } },
    { 8, { 3, 2, 2, 2, 3, 2, 1, 2 }, { P, P, M, F, P, P, P, P } }, { 1, { 64 }, { F } }, { 2, { 2, 2 }, { P, P } },
};
/* clang-format on */

static void check_state(const struct mesh *m, const struct mw_spin_options *o, struct mw_spins *spins,
                        const signed char *expected, const char *words)
{
    const double cells = (double)cells_of(m);
    struct mw_spin_measures measures;
    struct mw_array state;
    double sum = 0;
    OK(mw_spins_get(spins, &state));
    if (memcmp(state.data, expected, state.count) != 0)
        fail_msg("%s: other spins, variant %s, mesh of %u dimensions, %zu along x", words, o->variant, m->dims,
                 m->length[0]);
    for (size_t i = 0; i < state.count; i++)
        sum += expected[i];
    OK(mw_spins_measure(spins, &measures));
    assert_true(measures.magnetisation == sum / cells);
    const double energy = reference_energy(m, o->params, expected) / cells;
    if (fabs(measures.energy - energy) > 1e-12)
        fail_msg("%s: energy %.17g instead of %.17g, variant %s, mesh of %u dimensions, %zu along x, J %g, h %g, "
                 "outside %g",
                 words, measures.energy, energy, o->variant, m->dims, m->length[0], o->params[J], o->params[H],
                 o->params[OUTSIDE]);
    mw_array_free(&state);
}

/* Compares runs from the start, from another state, and at a much later step. Uses at most one of `devices` per slab.
 * */
static void check_mesh(const struct mesh *m, const struct mw_spin_options *o, struct mw_device *const *devices,
                       size_t count)
{
    static signed char s[MOST_CELLS];
    const uint64_t far = ((uint64_t)3 << 32) - 1;
    struct mw_array state = { .type = MW_TYPE_I8, .dims = m->dims, .count = cells_of(m), .data = s };
    struct mw_spins *spins;
    OK(mw_spins_new(devices, count, ising, o, &spins));
    reference_start(m, o, s);
    check_state(m, o, spins, s, "start");
    for (uint64_t step = 0; step < 3; step++)
        reference_step(m, o, step, s);
    OK(mw_spins_advance(spins, 3));
    check_state(m, o, spins, s, "three steps");
    memcpy(state.length, m->length, sizeof state.length);
    for (size_t i = 0; i < state.count; i++)
        s[i] = random_below(2) ? 1 : -1;
    OK(mw_spins_set(spins, &state));
    mw_spins_set_step(spins, far);
    for (uint64_t step = far; step < far + 2; step++)
        reference_step(m, o, step, s);
    OK(mw_spins_advance(spins, 2));
    assert_true(mw_spins_step(spins) == far + 2);
    check_state(m, o, spins, s, "put in");
    mw_spins_free(spins);
}

/* Returns the mesh on which a variant is tested in every run (in simulators one variant): the first suitable one from a
 * random one on. */
static size_t first_of(const char *variant)
{
    static size_t from = MW_COUNT(meshes);
    if (from == MW_COUNT(meshes))
        from = random_below(MW_COUNT(meshes));
    for (size_t i = 0; i < MW_COUNT(meshes); i++)
        if (is_compared(&meshes[(from + i) % MW_COUNT(meshes)], variant))
            return (from + i) % MW_COUNT(meshes);
    return MW_COUNT(meshes);
}

/* Tests all variants on all meshes; with drivers some of these, and fewer for bits, which are compiled for each mesh.
 * Several devices include this one twice. */
static void trajectories_are_those_of_the_loop(void **unused)
{
    struct mw_device *team[3] = { device, NULL, NULL };
    size_t compared = 0;
    OK(mw_device_open_by_name(info->id, NULL, &team[1]));
    OK(mw_device_open_by_name("native:serial", NULL, &team[2]));
    for (size_t i = 0; i < MW_COUNT(meshes); i++)
        for (size_t v = 0; mw_spin_variants(v); v++) {
            double params[4];
            random_params(params);
            struct mw_spin_options o = options_of(&meshes[i], params);
            o.variant = mw_spin_variants(v)->name;
            const bool bits = strcmp(o.variant, "bits") == 0;
            const bool always = i == first_of(o.variant) && (!slow || strcmp(o.variant, "lengths") == 0);
            if (!is_compared(&meshes[i], o.variant) || (left_out(slow ? 16 : bits ? 12 : 5) && !always))
                continue;
            o.seed = random_word();
            o.update = random_below(2) ? MW_SPIN_UPDATE_METROPOLIS : MW_SPIN_UPDATE_HEAT_BATH;
            o.start = random_below(3) ? MW_SPIN_START_NOISE : random_below(2) ? MW_SPIN_START_UP : MW_SPIN_START_DOWN;
            check_mesh(&meshes[i], &o, team, 1);
            if (!slow && random_below(2))
                check_mesh(&meshes[i], &o, team, 2 + random_below(team_of(o.variant) - 1));
            compared++;
        }
    assert_true(compared > (slow ? 0 : 4));
    mw_device_close(team[2]);
    mw_device_close(team[1]);
}

/* Planes that take several steps per launch if that is faster, in tiles or as a whole, with interruptions.  The
 * reference is a native device without tiles, which was compared with the loop. */
static void several_steps_are_as_one_by_one(void **unused)
{
    static const struct {
        struct mesh mesh;
        size_t systems;
    } cases[] = {
        { { 2, { 64, 4 }, { P, P } }, 3 },      { { 2, { 128, 16 }, { P, P } }, 1 },
        { { 2, { 256, 2 }, { P, P } }, 2 },     { { 2, { 768, 34 }, { P, P } }, 1 },
        { { 2, { 512, 516 }, { P, P } }, 1 },   { { 2, { 2048, 300 }, { P, P } }, 2 },
        { { 2, { 1024, 1030 }, { P, P } }, 1 },
    };
    struct mw_device *other;
    OK(mw_device_open_by_name("native:serial", NULL, &other));
    for (size_t i = 0; i < (slow ? 5 : MW_COUNT(cases)); i++) {
        if (left_out(info->traits->has_cores ? 4 : 2))
            continue; /* CPU cores have no tiles: tested with all meshes */
        const bool large = slow && cells_of(&cases[i].mesh) > 100000;
        uint64_t steps = large ? 2 : 1 + random_below(45);
        double params[4];
        struct mw_spins *spins, *expected;
        struct mw_array state, right;
        random_params(params);
        struct mw_spin_options o = options_of(&cases[i].mesh, params);
        o.systems = cases[i].systems;
        o.seed = random_word();
        o.update = random_below(2) ? MW_SPIN_UPDATE_METROPOLIS : MW_SPIN_UPDATE_HEAT_BATH;
        OK(mw_spins_new(&device, 1, ising, &o, &spins));
        OK(mw_spins_new(&other, 1, ising, &o, &expected));
        OK(mw_spins_advance(expected, steps));
        for (uint64_t part; steps > 0; steps -= part) {
            part = 1 + random_below(steps);
            OK(mw_spins_advance(spins, part));
        }
        OK(mw_spins_get(spins, &state));
        OK(mw_spins_get(expected, &right));
        if (memcmp(state.data, right.data, state.count) != 0)
            fail_msg("other spins than of native:serial, %zu systems of %zux%zu", o.systems, o.length[0], o.length[1]);
        mw_array_free(&right);
        mw_array_free(&state);
        mw_spins_free(expected);
        mw_spins_free(spins);
    }
    mw_device_close(other);
}

/* At temperature 0 the energy never rises; at very high temperatures it is almost 0.  Each rule is its own program. */
static void extreme_temperatures(void **unused)
{
    const struct mesh m = { 2, { 32, slow ? 4 : 32 }, { P, P } };
    double params[] = { 0, 1, 0, 1 };
    struct mw_spin_options o = options_of(&m, params);
    struct mw_spin_measures now, before;
    struct mw_spins *spins;
    for (int update = 0; update < 2; update++) {
        if (left_out(4))
            continue;
        o.update = (enum mw_spin_update)update;
        params[T] = 0;
        OK(mw_spins_new(&device, 1, ising, &o, &spins));
        OK(mw_spins_measure(spins, &before));
        for (int step = 0; step < 20; step++, before = now) {
            OK(mw_spins_advance(spins, 1));
            OK(mw_spins_measure(spins, &now));
            assert_true(now.energy <= before.energy);
        }
        assert_true(now.energy < -1.25);
        mw_spins_free(spins);
    }
    if (left_out(4))
        return;
    params[T] = 1e300;
    o.update = MW_SPIN_UPDATE_HEAT_BATH;
    OK(mw_spins_new(&device, 1, ising, &o, &spins));
    OK(mw_spins_advance(spins, 5));
    OK(mw_spins_measure(spins, &now));
    assert_true(fabs(now.energy) < 4 * sqrt(2.0 / (double)cells_of(&m)));
    mw_spins_free(spins);
}

/* ---- equilibrium: on one thread, which has the bits of all others ---- */

/* Means per spin of a small mesh. */
static void exact_means(const struct mesh *m, const double *params, double *energy, double *magnetisation)
{
    static double weight[65536];
    const size_t n = cells_of(m);
    signed char s[16];
    enumerate(m, params, weight);
    *energy = *magnetisation = 0;
    for (size_t state = 0; state < (size_t)1 << n; state++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += s[i] = state >> i & 1 ? 1 : -1;
        *energy += weight[state] * reference_energy(m, params, s) / (double)n;
        *magnetisation += weight[state] * sum / (double)n;
    }
}

/* Compares the mean energy and magnetisation, from a start with all spins up, with the expected ones.  NaN: not
 * compared, as for clusters, which flip as a whole. */
static void check_means(const struct mesh *m, const struct mw_spin_options *o, double energy, double magnetisation)
{
    enum { SAMPLES = 1000, STEPS = 4 };
    const size_t samples = cells_of(m) > 1000 ? SAMPLES / 2 : SAMPLES;
    double e[SAMPLES], s[SAMPLES], mean, error;
    struct mw_spin_measures measures;
    struct mw_spins *spins;
    OK(mw_spins_new(&device, 1, ising, o, &spins));
    OK(mw_spins_advance(spins, 400));
    for (size_t i = 0; i < samples; i++) {
        OK(mw_spins_advance(spins, STEPS));
        OK(mw_spins_measure(spins, &measures));
        e[i] = measures.energy;
        s[i] = measures.magnetisation;
    }
    mw_spins_free(spins);
    OK(mw_values_binning(e, samples, &mean, &error));
    if (!(fabs(mean - energy) < 4 * error) || error > 0.04)
        fail_msg("%s, %u dimensions, update %d: energy %g +- %g instead of %g", o->variant, m->dims, (int)o->update,
                 mean, error, energy);
    OK(mw_values_binning(s, samples, &mean, &error));
    if (!isnan(magnetisation) && (!(fabs(mean - magnetisation) < 4 * error) || error > 0.04))
        fail_msg("%s, %u dimensions, update %d: magnetisation %g +- %g instead of %g", o->variant, m->dims,
                 (int)o->update, mean, error, magnetisation);
}

/* A chain; Onsager's and Yang's plane above and below the critical temperature; a block in three dimensions, by
 * enumeration. */
static void means_are_the_known_ones(void **unused)
{
    static const struct mesh chain = { 1, { 4096 }, { P } }, plane = { 2, { 64, 64 }, { P, P } },
                             block = { 3, { 4, 2, 2 }, { P, M, F } };
    double params[] = { 4.5, 1, 0, 1 }, energy, magnetisation;
    exact_means(&block, params, &energy, &magnetisation);
    for (size_t v = 0; strcmp(info->id, "native:serial") == 0 && mw_spin_variants(v); v++)
        for (int update = 0; update <= MW_SPIN_UPDATE_WOLFF; update++) {
            struct mw_spin_options o = options_of(&plane, params);
            const bool clusters = update > MW_SPIN_UPDATE_EXCHANGE;
            o.variant = mw_spin_variants(v)->name;
            if (update == MW_SPIN_UPDATE_EXCHANGE || (clusters && strcmp(o.variant, "model") != 0) ||
                reads_image(o.variant))
                continue;
            o.update = (enum mw_spin_update)update;
            o.start = MW_SPIN_START_UP;
            o.seed = 1925;
            params[T] = 2.0;
            check_means(&plane, &o, -1.745564575, clusters ? NAN : 0.911319378);
            if (update == MW_SPIN_UPDATE_WOLFF) /* above it clusters are small */
                continue;
            params[T] = 3.0;
            check_means(&plane, &o, -0.817309593, clusters ? NAN : 0);
            if (!suits(&block, o.variant))
                continue;
            o = options_of(&chain, params);
            o.variant = mw_spin_variants(v)->name;
            o.update = (enum mw_spin_update)update;
            params[T] = 1.5;
            check_means(&chain, &o, -tanh(1 / 1.5), clusters ? NAN : 0);
            o = options_of(&block, params);
            o.variant = mw_spin_variants(v)->name;
            o.update = (enum mw_spin_update)update;
            params[T] = 4.5;
            check_means(&block, &o, energy, magnetisation);
        }
}

/* ---- correlation ---- */

/* Over pairs within the mesh and across periodic ends. */
static double reference_correlation(const struct mesh *m, const signed char *s, unsigned d, size_t apart)
{
    size_t pairs = 0, stride = 1;
    double sum = 0;
    for (unsigned i = 0; i < d; i++)
        stride *= m->length[i];
    for (size_t cell = 0; apart < m->length[d] && cell < cells_of(m); cell++) {
        const size_t x = cell / stride % m->length[d], to = (x + apart) % m->length[d];
        if (to < x && !is_periodic(m, d))
            continue;
        sum += s[cell] * s[cell - x * stride + to * stride];
        pairs++;
    }
    return sum / (double)pairs;
}

static void check_domains(const struct mesh *m, const signed char *s, struct mw_spins *spins)
{
    static float values[MOST_CELLS];
    double size;
    for (size_t i = 0; i < cells_of(m); i++)
        values[i] = s[i];
    OK(mw_spins_domain_size(spins, &size));
    assert_true(size == mw_values_domain_size(values, false, m->dims, m->length, m->boundary));
}

static void check_correlations(const struct mesh *m, const signed char *s, struct mw_spins *spins)
{
    enum { RANGE = 9 };
    double values[MW_DIMS_MAX * RANGE];
    OK(mw_spins_correlation(spins, RANGE, values));
    for (unsigned d = 0; d < m->dims; d++)
        for (size_t apart = 1; apart <= RANGE; apart++) {
            const double expected = reference_correlation(m, s, d, apart);
            const double found = values[d * RANGE + apart - 1];
            if (!(fabs(found - expected) < 1e-12) && !(isnan(found) && isnan(expected)))
                fail_msg("%zu along x, dimension %u, distance %zu: %g instead of %g", m->length[0], d, apart, found,
                         expected);
        }
}

static void correlations_are_those_of_the_loop(void **unused)
{
    struct mw_device *team[2] = { device, NULL };
    const double params[] = { 2.5, 1, 0.25, 1 };
    OK(mw_device_open_by_name("native:serial", NULL, &team[1]));
    for (size_t i = 0; i < MW_COUNT(meshes); i += slow ? 5 : 1) {
        const struct mesh *m = &meshes[i];
        struct mw_spin_options o = options_of(m, params);
        struct mw_buffer *cells;
        struct mw_spins *spins;
        struct mw_array state;
        o.seed = random_word();
        o.variant = left_out(6) ? "crinkled" : NULL; /* bits are compiled for each mesh */
        OK(mw_spins_new(team, 1 + random_below(2), ising, &o, &spins));
        OK(mw_spins_advance(spins, native ? 3 : 0));
        OK(mw_spins_get(spins, &state));
        check_correlations(m, state.data, spins);
        static signed char there[MOST_CELLS];
        OK(mw_buffer_new(device, state.count, &cells));
        OK(mw_spins_cells(spins, cells));
        OK(mw_buffer_read(cells, 0, state.count, there, NULL));
        assert_memory_equal(there, state.data, state.count);
        check_domains(m, state.data, spins);
        mw_buffer_free(cells);
        mw_array_free(&state);
        mw_spins_free(spins);
    }
    mw_device_close(team[1]);
}

/* Rows and lines longer than the loops of some drivers, which several work-items share. */
static void correlations_of_long_rows(void **unused)
{
    const struct mesh m = { 2, { slow ? 9001 : 70001, 2 }, { P, P } };
    struct mw_spin_options o = options_of(&m, NULL);
    struct mw_spins *spins;
    struct mw_array state;
    o.seed = random_word();
    OK(mw_spins_new(&device, 1, ising, &o, &spins));
    OK(mw_spins_get(spins, &state));
    check_correlations(&m, state.data, spins);
    mw_array_free(&state);
    mw_spins_free(spins);
}

/* ---- errors ---- */

static void refusals(void **unused)
{
    const struct mesh m = { 2, { 8, 6 }, { P, P } };
    double params[] = { -1, 1, 0, 1 };
    struct mw_spin_options o = options_of(&m, params);
    struct mw_device *twice[] = { device, device };
    struct mw_spins *spins = NULL;
    struct mw_array state;
    FAILS(MW_EINVAL, "temperature", mw_spins_new(&device, 1, ising, &o, &spins));
    params[T] = 2;
    params[OUTSIDE] = 0.5;
    FAILS(MW_EINVAL, "outside", mw_spins_new(&device, 1, ising, &o, &spins));
    params[OUTSIDE] = 1;
    o.variant = "powers";
    FAILS(MW_EINVAL, "powers of two", mw_spins_new(&device, 1, ising, &o, &spins));
    o.variant = NULL;
    FAILS(MW_EINVAL, "twice", mw_spins_new(twice, 2, ising, &o, &spins));
    o.length[1] = 0;
    FAILS(MW_EINVAL, "length 0", mw_spins_new(&device, 1, ising, &o, &spins));
    o.length[1] = (size_t)1 << 40;
    FAILS(MW_ELIMIT, "rows", mw_spins_new(&device, 1, ising, &o, &spins));
    o.length[1] = 6;
    assert_null(spins);
    OK(mw_spins_new(&device, 1, ising, &o, &spins));
    OK(mw_spins_get(spins, &state));
    ((signed char *)state.data)[7] = 0;
    FAILS(MW_EINVAL, "-1 or 1", mw_spins_set(spins, &state));
    state.length[0] = 6;
    state.length[1] = 8;
    FAILS(MW_EINVAL, "lengths", mw_spins_set(spins, &state));
    mw_array_free(&state);
    mw_spins_free(spins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trajectories_are_those_of_the_loop),
        cmocka_unit_test(several_steps_are_as_one_by_one),
        cmocka_unit_test(extreme_temperatures),
        cmocka_unit_test(means_are_the_known_ones),
        cmocka_unit_test(correlations_are_those_of_the_loop),
        cmocka_unit_test(correlations_of_long_rows),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, open_spins, close_spins);
}
/* SPDX-License-Identifier: MIT */

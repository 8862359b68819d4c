/* Many systems of spins on $MESHWORK_TEST_DEVICE: each equals a plain C loop of that system alone, and together they
 * have the frequencies of states from exact enumeration. */
#include "tests/device/spin/reference.h"

enum { CELLS = 1024, SYSTEMS = 5 };

static const struct mesh meshes[] = {
    { 2, { 16, 8 }, { P, P } }, { 2, { 9, 7 }, { P, F } },
    { 1, { 70 }, { F } },       { 3, { 4, 6, 2 }, { P, F, P } },
    { 2, { 2, 2 }, { P, P } },  { 3, { 8, 4, 2 }, { F, M, P } },
    { 1, { 1 }, { P } },        { 4, { 4, 2, 3, 2 }, { F, P, M, P } },
};

/* ---- each as if it were alone ---- */

static void check_systems(const struct mesh *m, struct mw_spins *spins, signed char s[SYSTEMS][CELLS],
                          double params[SYSTEMS][4], const char *words)
{
    struct mw_spin_measures measures[SYSTEMS];
    const size_t cells = cells_of(m);
    struct mw_array state;
    OK(mw_spins_get(spins, &state));
    OK(mw_spins_measure(spins, measures));
    assert_true(state.dims == m->dims + 1 && state.length[m->dims] == SYSTEMS && state.count == SYSTEMS * cells);
    for (size_t i = 0; i < SYSTEMS; i++) {
        const double energy = reference_energy(m, params[i], s[i]) / (double)cells;
        double sum = 0;
        for (size_t k = 0; k < cells; k++)
            sum += s[i][k];
        if (memcmp((signed char *)state.data + i * cells, s[i], cells) != 0)
            fail_msg("%s: other spins in system %zu, %s, mesh of %u dimensions, %zu along x", words, i,
                     mw_spins_variant(spins), m->dims, m->length[0]);
        if (fabs(measures[i].energy - energy) > 1e-12 || measures[i].magnetisation != sum / (double)cells)
            fail_msg("%s: system %zu has energy %.17g instead of %.17g, magnetisation %.17g instead of %.17g, %s",
                     words, i, measures[i].energy, energy, measures[i].magnetisation, sum / (double)cells,
                     mw_spins_variant(spins));
    }
    mw_array_free(&state);
}

/* Sets the parameters of a system, all at once or by name. */
static void set_params(struct mw_spins *spins, size_t system, const double *params)
{
    const struct mw_model_info *info = mw_model_info(ising);
    double value;
    if (random_below(2))
        OK(mw_spins_set_params(spins, system, params));
    else
        for (size_t i = 0; i < info->param_count; i++)
            OK(mw_spins_set_param(spins, system, info->params[i].name, params[i]));
    for (size_t i = 0; i < info->param_count; i++) {
        OK(mw_spins_param(spins, system, info->params[i].name, &value));
        assert_true(value == params[i]);
    }
}

/* From a start with equal parameters, with other parameters later, and from states that were set. */
static void check_mesh(const struct mesh *m, struct mw_spin_options *o, struct mw_device *const *devices, size_t count)
{
    static signed char s[SYSTEMS][CELLS];
    double params[SYSTEMS][4];
    const size_t rows = cells_of(m) / m->length[0];
    struct mw_spins *spins;
    struct mw_array state;
    random_params(params[0]);
    o->params = params[0];
    o->systems = SYSTEMS;
    OK(mw_spins_new(devices, count, ising, o, &spins));
    OK(mw_spins_advance(spins, 2));
    for (size_t i = 0; i < SYSTEMS; i++) {
        first_row = (uint32_t)(i * rows);
        memcpy(params[i], params[0], sizeof params[i]);
        reference_start(m, o, s[i]);
        for (uint64_t step = 0; step < 2; step++)
            reference_step(m, o, step, s[i]);
    }
    check_systems(m, spins, s, params, "alike");
    OK(mw_spins_get(spins, &state));
    OK(mw_spins_set(spins, &state));
    mw_array_free(&state);
    for (size_t i = 0; i < SYSTEMS; i++) {
        first_row = (uint32_t)(i * rows);
        if (i != 2) {
            random_params(params[i]);
            set_params(spins, i, params[i]);
        }
        o->params = params[i];
        reference_step(m, o, 2, s[i]);
    }
    OK(mw_spins_advance(spins, 1));
    check_systems(m, spins, s, params, "each its own");
    mw_spins_free(spins);
}

static void each_is_as_if_alone(void **unused)
{
    struct mw_device *team[3] = { device, NULL, NULL };
    OK(mw_device_open_by_name(info->id, NULL, &team[1]));
    OK(mw_device_open_by_name("native:serial", NULL, &team[2]));
    for (size_t i = 0; i < MW_COUNT(meshes); i++)
        for (size_t v = 0; mw_spin_variants(v); v++) {
            struct mw_spin_options o = options_of(&meshes[i], NULL);
            o.variant = mw_spin_variants(v)->name;
            const bool bits = strcmp(o.variant, "bits") == 0; /* a program for each mesh */
            if (!is_compared(&meshes[i], o.variant) || left_out(slow ? 14 : bits ? 8 : 3))
                continue;
            o.seed = random_word();
            o.update = random_below(2) ? MW_SPIN_UPDATE_METROPOLIS : MW_SPIN_UPDATE_HEAT_BATH;
            check_mesh(&meshes[i], &o, team, 1 + random_below(slow ? 2 : team_of(o.variant)));
        }
    mw_device_close(team[2]);
    mw_device_close(team[1]);
}

/* ---- equilibrium ---- */

/* Compares the states of many systems, some of them at distant times: chi-square in standard deviations. */
static void check_states(const struct mesh *m, const char *variant, enum mw_spin_update update)
{
    /* Images of the last mesh have twice as many layers as systems; every device has 2048. */
    enum { MANY = 1000, STEPS = 8, LOOKS = 22 };
    static double weight[512], found[512];
    const size_t cells = cells_of(m), states = (size_t)1 << cells;
    const double params[] = { 5, 1, 0.5, 1 };
    struct mw_spin_options o = options_of(m, params);
    struct mw_array state;
    struct mw_spins *spins;
    double chi = 0;
    o.variant = variant;
    o.update = update;
    o.seed = 2026;
    o.systems = MANY;
    enumerate(m, params, weight);
    memset(found, 0, sizeof found);
    OK(mw_spins_new(&device, 1, ising, &o, &spins));
    OK(mw_spins_advance(spins, 4 * STEPS));
    OK(mw_spins_get(spins, &state));
    for (int look = 0; look < LOOKS; look++) {
        OK(mw_spins_advance(spins, STEPS));
        OK(mw_spins_get_into(spins, &state));
        for (size_t i = 0; i < MANY; i++) {
            size_t number = 0;
            for (size_t c = 0; c < cells; c++)
                number |= (size_t)(((signed char *)state.data)[i * cells + c] > 0) << c;
            found[number]++;
        }
    }
    for (size_t k = 0; k < states; k++) {
        const double expected = weight[k] * MANY * LOOKS;
        chi += (found[k] - expected) * (found[k] - expected) / expected;
    }
    const double off = (chi - (double)(states - 1)) / sqrt(2.0 * (double)(states - 1));
    if (fabs(off) > 4)
        fail_msg("%s, update %d, %zu cells along x: chi-square %g of %zu states", variant, (int)update, m->length[0],
                 chi, states);
    mw_array_free(&state);
    mw_spins_free(spins);
}

static void states_occur_by_their_weights(void **unused)
{
    static const struct mesh small[] = { { 2, { 2, 2 }, { P, P } },
                                         { 2, { 3, 3 }, { F, F } },
                                         { 2, { 3, 3 }, { M, M } },
                                         { 2, { 3, 3 }, { P, P } },
                                         { 3, { 2, 2, 2 }, { M, P, F } } };
    for (size_t i = 0; !slow && i < MW_COUNT(small); i++)
        for (size_t v = 0; mw_spin_variants(v); v++)
            for (int update = 0; update <= MW_SPIN_UPDATE_WOLFF; update++)
                if (suits(&small[i], mw_spin_variants(v)->name) && update != MW_SPIN_UPDATE_EXCHANGE &&
                    (strcmp(mw_spin_variants(v)->name, "model") == 0 ? native : update <= MW_SPIN_UPDATE_HEAT_BATH) &&
                    !left_out(30))
                    check_states(&small[i], mw_spin_variants(v)->name, (enum mw_spin_update)update);
}

/* Compares the moments of many systems of nine spins with those of all their states. */
static void fluctuations(void **unused)
{
    enum { MANY = 400, LOOKS = 50 };
    static double e[MANY * LOOKS], m[MANY * LOOKS], weight[512];
    static struct mw_spin_measures now[MANY];
    const struct mesh mesh = { 2, { 3, 3 }, { P, P } };
    const double params[] = { 3, 1, 0, 1 };
    struct mw_spin_options o = options_of(&mesh, params);
    double moment[6] = { 0 };
    struct mw_spin_equilibrium found = MW_INIT(found);
    struct mw_spins *spins;
    o.systems = MANY;
    o.seed = 3;
    enumerate(&mesh, params, weight);
    for (size_t state = 0; state < 512; state++) {
        signed char s[9];
        double sum = 0;
        for (size_t i = 0; i < 9; i++)
            sum += s[i] = state >> i & 1 ? 1 : -1;
        const double energy = reference_energy(&mesh, params, s) / 9;
        const double of[] = { energy, energy * energy, sum / 9, fabs(sum) / 9, pow(sum / 9, 2), pow(sum / 9, 4) };
        for (size_t k = 0; k < 6; k++)
            moment[k] += weight[state] * of[k];
    }
    if (slow || left_out(3))
        return;
    OK(mw_spins_new(&device, 1, ising, &o, &spins));
    OK(mw_spins_advance(spins, 50));
    for (size_t look = 0; look < LOOKS; look++) {
        OK(mw_spins_advance(spins, 2));
        OK(mw_spins_measure(spins, now));
        for (size_t i = 0; i < MANY; i++) {
            e[i * LOOKS + look] = now[i].energy;
            m[i * LOOKS + look] = now[i].magnetisation;
        }
    }
    mw_spins_free(spins);
    OK(mw_spin_equilibrium_estimate(e, m, LOOKS, MANY, 9, params[T], &found));
    const struct {
        struct mw_spin_estimate found;
        double exact;
    } all[] = { { found.energy, moment[0] },
                { found.magnetisation, 0 },
                { found.absolute, moment[3] },
                { found.specific_heat, 9 * (moment[1] - moment[0] * moment[0]) / 9 },
                { found.susceptibility, 9 * (moment[4] - moment[3] * moment[3]) / 3 },
                { found.binder, 1 - moment[5] / (3 * moment[4] * moment[4]) } };
    for (size_t k = 0; k < MW_COUNT(all); k++)
        if (!(fabs(all[k].found.value - all[k].exact) < 4 * all[k].found.error) || all[k].found.error > 0.02)
            fail_msg("quantity %zu: %g +- %g instead of %g", k, all[k].found.value, all[k].found.error, all[k].exact);
    assert_true(found.energy_time.value >= 0.5 && found.absolute_time.error < 0.5);
}

/* ---- errors ---- */

static void refusals(void **unused)
{
    const struct mesh m = { 2, { 8, 6 }, { P, P } };
    const double params[] = { 2, 1, 0, 1 }, cold[] = { -1, 1, 0, 1 };
    struct mw_spin_options o = options_of(&m, params);
    struct mw_spins *spins = NULL;
    uint64_t one, several;
    double value;
    OK(mw_spins_bytes(ising, &o, &one));
    o.systems = 3;
    OK(mw_spins_bytes(ising, &o, &several));
    assert_true(several == 3 * one);
    OK(mw_spins_new(&device, 1, ising, &o, &spins));
    FAILS(MW_EINVAL, "system 3 is out of range", mw_spins_set_params(spins, 3, params));
    FAILS(MW_EINVAL, "temperature", mw_spins_set_params(spins, 1, cold));
    FAILS(MW_EINVAL, "temperature", mw_spins_set_param(spins, 1, "T", -1));
    FAILS(MW_EINVAL, "system 3 is out of range", mw_spins_set_param(spins, 3, "T", 1));
    FAILS(MW_EINVAL, "system 3 is out of range", mw_spins_param(spins, 3, "T", &value));
    FAILS(MW_EINVAL, "no parameter 't'; its parameters: T, ", mw_spins_set_param(spins, 0, "t", 1));
    OK(mw_spins_param(spins, 1, "T", &value));
    assert_true(value == params[0]);
    mw_spins_free(spins);
    o.systems = (size_t)1 << 40;
    FAILS(MW_ELIMIT, "systems", mw_spins_new(&device, 1, ising, &o, &spins));
    o.systems = 2;
    o.dims = MW_DIMS_MAX;
    for (unsigned d = 0; d < o.dims; d++)
        o.length[d] = 2;
    FAILS(MW_EINVAL, "more dimension", mw_spins_new(&device, 1, ising, &o, &spins));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_as_if_alone),
        cmocka_unit_test(states_occur_by_their_weights),
        cmocka_unit_test(fluctuations),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, open_spins, close_spins);
}
/* SPDX-License-Identifier: MIT */

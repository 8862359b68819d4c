/* Starts with a fraction of spins up on $MESHWORK_TEST_DEVICE: exact numbers, the same places in every form of storage
 * and on several devices, all choices of places equally often. */
#include "tests/device/spin/reference.h"

enum { SYSTEMS = 5 };

static const struct mesh meshes[] = {
    { 2, { 16, 8 }, { P, P } },
    { 2, { 9, 7 }, { P, F } },
    { 1, { 70 }, { F } },
    { 3, { 4, 6, 2 }, { P, F, P } },
    { 3, { 130, 2, 4 }, { P, P, P } },
    { 1, { 1 }, { P } },
    { 2, { 600, 13 }, { M, P } },
    { 4, { 6, 4, 2, 3 }, { F, P, P, M } },
    { 1, { 2 }, { P } },
};

/* Returns the start, which the caller frees. */
static struct mw_array start_of(const struct mw_spin_options *o, struct mw_device *const *team, size_t count)
{
    struct mw_spins *spins;
    struct mw_array state;
    OK(mw_spins_new(team, count, ising, o, &spins));
    OK(mw_spins_get(spins, &state));
    mw_spins_free(spins);
    return state;
}

/* Counts the spins up of a system, and checks that the others are down. */
static int64_t spins_up(const struct mw_array *state, size_t cells, size_t system)
{
    const signed char *s = (const signed char *)state->data + system * cells;
    int64_t up = 0;
    for (size_t i = 0; i < cells; i++) {
        assert_true(s[i] == 1 || s[i] == -1);
        up += s[i] > 0;
    }
    return up;
}

static void check_mesh(const struct mesh *m, struct mw_device *const *team, size_t count)
{
    static const char *const variants[] = { "model", "lengths", "crinkled", "auto" };
    const double params[] = { 2, 1, 0, 1 };
    const size_t cells = cells_of(m);
    struct mw_spin_options o = options_of(m, params);
    double fractions[SYSTEMS];
    for (size_t i = 0; i < SYSTEMS; i++)
        fractions[i] = i == 1 || i == 2 ? (double)(i - 1) : (double)random_below(1001) / 1000;
    o.start = MW_SPIN_START_FRACTION;
    o.seed = random_word();
    o.fractions = fractions;
    o.systems = SYSTEMS;
    o.variant = "lengths";
    struct mw_array first = start_of(&o, team + count - 1, 1);
    for (size_t i = 0; i < SYSTEMS; i++)
        if (spins_up(&first, cells, i) != llround(fractions[i] * (double)cells))
            fail_msg("%lld of %zu spins up instead of the fraction %g, %zu along x",
                     (long long)spins_up(&first, cells, i), cells, fractions[i], m->length[0]);
    for (size_t v = 0; v < 2 * MW_COUNT(variants); v++) {
        if (left_out(3))
            continue;
        o.variant = variants[v / 2];
        o.systems = v % 2 ? SYSTEMS : 1; /* the first system is that of a single one */
        struct mw_array state = start_of(&o, team, count);
        if (memcmp(first.data, state.data, state.count) != 0)
            fail_msg("other places: %s, %zu systems, %zu devices, %zu along x", o.variant, o.systems, count,
                     m->length[0]);
        mw_array_free(&state);
    }
    mw_array_free(&first);
}

static void numbers_and_places(void **unused)
{
    struct mw_device *serial;
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    struct mw_device *const team[] = { device, serial };
    for (size_t i = 0; i < MW_COUNT(meshes); i++) {
        check_mesh(&meshes[i], team, 1);
        check_mesh(&meshes[i], team, 2);
    }
    mw_device_close(serial);
    (void)unused;
}

/* The 495 choices of 4 among 12 cells are equally likely: chi-squared, 494 +- 31 expected. */
static void all_choices_are_equally_likely(void **unused)
{
    enum { CELLS = 12, UP = 4, CHOICES = 495, EACH = 60, MANY = CHOICES * EACH };
    const struct mesh m = { 2, { 4, 3 }, { P, P } };
    const double params[] = { 2, 1, 0, 1 };
    struct mw_spin_options o = options_of(&m, params);
    static unsigned seen[1 << CELLS];
    static double fractions[MANY];
    size_t choices = 0;
    double chi = 0;
    for (size_t i = 0; i < MANY; i++)
        fractions[i] = (double)UP / CELLS;
    o.start = MW_SPIN_START_FRACTION;
    o.seed = random_word();
    o.systems = MANY;
    o.fractions = fractions;
    o.variant = "lengths";
    struct mw_array state = start_of(&o, &device, 1);
    for (size_t i = 0; i < MANY; i++) {
        unsigned set = 0;
        for (size_t k = 0; k < CELLS; k++)
            set |= (unsigned)(((signed char *)state.data)[i * CELLS + k] > 0) << k;
        seen[set]++;
    }
    for (size_t set = 0; set < (size_t)1 << CELLS; set++) {
        choices += seen[set] > 0;
        chi += seen[set] ? ((double)seen[set] - EACH) * ((double)seen[set] - EACH) / EACH : 0;
    }
    assert_int_equal(choices, CHOICES);
    if (!(chi > 300 && chi < 700))
        fail_msg("chi-squared of %d choices is %g", CHOICES, chi);
    mw_array_free(&state);
    (void)unused;
}

static void refusals(void **unused)
{
    const struct mesh m = { 2, { 8, 6 }, { P, P } };
    struct mw_spin_options o = options_of(&m, NULL);
    struct mw_model *model;
    struct mw_spins *spins;
    o.start = MW_SPIN_START_FRACTION;
    FAILS(MW_EINVAL, "missing fractions", mw_spins_new(&device, 1, ising, &o, &spins));
    o.systems = 2;
    for (size_t i = 0; i < 3; i++) {
        const double wrong[] = { -0.1, 1.1, NAN };
        o.fractions = (const double[]){ 0.5, wrong[i] };
        FAILS(MW_EINVAL, "must be 0 to 1", mw_spins_new(&device, 1, ising, &o, &spins));
    }
    o.fractions = (const double[]){ 0.5, 0.5 };
    for (o.update = MW_SPIN_UPDATE_SWENDSEN_WANG; o.update <= MW_SPIN_UPDATE_WOLFF; o.update++)
        FAILS(MW_EINVAL, "whole clusters", mw_spins_new(&device, 1, ising, &o, &spins));
    o.update = MW_SPIN_UPDATE_METROPOLIS;
    for (size_t i = 0; i < 4; i++) {
        OK(mw_model_load((const char *const[]){ "potts", "xy", "blume-capel", "heisenberg" }[i], NULL, &model));
        FAILS(MW_EINVAL, "spins of two values", mw_spins_new(&device, 1, model, &o, &spins));
        mw_model_free(model);
    }
    (void)unused;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_places),
        cmocka_unit_test(all_choices_are_equally_likely),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, open_spins, close_spins);
}
/* SPDX-License-Identifier: MIT */

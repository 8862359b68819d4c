/* One system of spins on several devices, in rounds of several phases: the same bits as on one device, for any devices
 * in any order and parts of any thickness.  Uses $MESHWORK_TEST_DEVICE twice, and native devices. */
#include "spin/spin_internal.h"
#include "tests/device/spin/reference.h"

enum { TEAM = 4 };

/* `phases`: minimum phases of a round on three devices. */
static const struct test_case {
    const char *model, *variant;
    enum mw_spin_update update;
    int32_t phases;
    struct lattice_mesh on;
} cases[] = {
    { "ising", "bits", MW_SPIN_UPDATE_METROPOLIS, 1, { 0, { 2, { 64, 3 }, { P, M } } } },
    { "ising", "bits", MW_SPIN_UPDATE_METROPOLIS, 8, { 0, { 2, { 1024, 103 }, { P, F } } } },
    { "ising", "bits", MW_SPIN_UPDATE_HEAT_BATH, 3, { 0, { 2, { 70, 38 }, { M, P } } } },
    { "ising", "bits", MW_SPIN_UPDATE_METROPOLIS, 3, { 0, { 3, { 128, 8, 38 }, { P, P, P } } } },
    { "ising", "bits", MW_SPIN_UPDATE_METROPOLIS, 2, { 0, { 4, { 6, 3, 4, 26 }, { F, M, P, P } } } },
    { "ising", "lengths", MW_SPIN_UPDATE_METROPOLIS, 4, { 0, { 2, { 33, 49 }, { P, P } } } }, /* three colours */
    { "ising", "crinkled", MW_SPIN_UPDATE_HEAT_BATH, 2, { 0, { 3, { 9, 3, 25 }, { F, P, M } } } },
    { "ising", "powers", MW_SPIN_UPDATE_METROPOLIS, 5, { 0, { 2, { 32, 64 }, { P, P } } } },
    { "ising", "plane-crinkled", MW_SPIN_UPDATE_METROPOLIS, 4, { 0, { 2, { 21, 50 }, { P, F } } } },
    { "potts", "model", MW_SPIN_UPDATE_HEAT_BATH, 2, { MW_LATTICE_TRIANGULAR, { 2, { 9, 28 }, { P, P } } } },
    { "blume-capel", "model", MW_SPIN_UPDATE_EXCHANGE, 2, { 0, { 2, { 8, 85 }, { P, P } } } },
    { "edwards-anderson", "model", MW_SPIN_UPDATE_EXCHANGE, 1, { 0, { 2, { 9, 21 }, { P, F } } } },
    { "prisoners", "model", MW_SPIN_UPDATE_METROPOLIS, 2, { 0, { 2, { 7, 50 }, { P, P } } } },
};

static void must_be_the_same(struct mw_spins *one, struct mw_spins *several, const struct test_case *c,
                             const char *when)
{
    struct mw_spin_measures of_one, of_several;
    struct mw_array a, b;
    OK(mw_spins_measure(one, &of_one));
    OK(mw_spins_measure(several, &of_several));
    OK(mw_spins_get(one, &a));
    OK(mw_spins_get(several, &b));
    if (memcmp(a.data, b.data, a.count * mw_type_bytes(a.type)) != 0)
        fail_msg("%s: other states of %s, %s, update %d, %u dimensions", when, c->model, c->variant, (int)c->update,
                 c->on.mesh.dims);
    assert_memory_equal(&of_one, &of_several, sizeof of_one);
    mw_array_free(&b);
    mw_array_free(&a);
}

static void check(const struct test_case *c, struct mw_device *serial, struct mw_device *const *team, size_t count)
{
    struct mw_spin_options o = options_on(&c->on, NULL);
    struct mw_spins *one, *several;
    struct mw_model *model;
    struct mw_array state;
    o.variant = c->variant;
    o.update = c->update;
    o.seed = random_word();
    OK(mw_model_load(c->model, NULL, &model));
    OK(mw_spins_new(&serial, 1, model, &o, &one));
    OK(mw_spins_new(team, count, model, &o, &several));
    assert_true(several->count == count);
    if (count <= 3)
        assert_true(several->round >= c->phases);
    must_be_the_same(one, several, c, "start");
    for (uint64_t steps = 1; steps < (slow ? 3 : 10); steps += 1 + random_below(6)) {
        OK(mw_spins_advance(one, steps));
        OK(mw_spins_advance(several, steps));
        must_be_the_same(one, several, c, "steps");
    }
    OK(mw_spins_get(one, &state));
    OK(mw_spins_advance(one, 1));
    OK(mw_spins_set(one, &state));
    OK(mw_spins_set(several, &state));
    mw_array_free(&state);
    mw_spins_set_step(one, 0xFFFFFFFFu);
    mw_spins_set_step(several, 0xFFFFFFFFu);
    OK(mw_spins_advance(one, 2));
    OK(mw_spins_advance(several, 2));
    must_be_the_same(one, several, c, "put in");
    mw_spins_free(several);
    mw_spins_free(one);
    mw_model_free(model);
}

/* All cases on native devices; on others some, since each is compiled, one of them every time. */
static void several_devices_give_the_bits_of_one(void **unused)
{
    const size_t always = random_below(MW_COUNT(cases));
    struct mw_device *devices[TEAM] = { device }, *team[TEAM], *serial;
    OK(mw_device_open_by_name(info->id, NULL, &devices[1]));
    OK(mw_device_open_by_name("native:serial", NULL, &devices[2]));
    OK(mw_device_open_by_name("native:pthreads", NULL, &devices[3]));
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        const bool left = left_out(slow ? 12 : 4) && i != always;
        const size_t slabs = cases[i].on.mesh.length[cases[i].on.mesh.dims - 1];
        memcpy(team, devices, sizeof team);
        shuffle_devices(team, TEAM);
        if (!left)
            check(&cases[i], serial, team, 2 + random_below(slabs > 2 * TEAM ? TEAM - 1 : TEAM - 2));
    }
    for (size_t i = 1; i < TEAM; i++)
        mw_device_close(devices[i]);
    mw_device_close(serial);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(several_devices_give_the_bits_of_one) };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

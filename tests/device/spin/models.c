/* Spins of model files on $MESHWORK_TEST_DEVICE: the same bits as native:serial, on one device and split. */
#include "tests/device/spin/reference.h"

/* ---- the same bits ---- */

/* A case; with several systems each has its own temperature. */
struct same {
    const char *name;
    const struct lattice_mesh *m;
    enum mw_spin_update update;
    bool fp64;
    size_t systems;
};
enum { SYSTEMS = 5 };

static void same_state(struct mw_spins *a, struct mw_spins *b, const char *words)
{
    static struct mw_spin_measures of_a[SYSTEMS], of_b[SYSTEMS];
    struct mw_array s, t;
    OK(mw_spins_get(a, &s));
    OK(mw_spins_get(b, &t));
    assert_true(s.type == t.type && s.count == t.count);
    if (memcmp(s.data, t.data, s.count * mw_type_bytes(s.type)) != 0)
        fail_msg("%s: other states", words);
    OK(mw_spins_measure(a, of_a));
    OK(mw_spins_measure(b, of_b));
    for (size_t i = 0; i < SYSTEMS; i++)
        if (memcmp(&of_a[i], &of_b[i], sizeof of_a[i]) != 0)
            fail_msg("%s: system %zu has energy %.17g and %.17g, order %.17g and %.17g", words, i, of_a[i].energy,
                     of_b[i].energy, of_a[i].magnetisation, of_b[i].magnetisation);
    mw_array_free(&t);
    mw_array_free(&s);
}

/* Starts at a step beyond 32 bits. */
static struct mw_spins *advanced(const struct same *same, const struct mw_spin_options *o,
                                 struct mw_device *const *team, size_t count)
{
    struct mw_spins *spins;
    struct mw_model *model;
    OK(mw_model_load(same->name, NULL, &model));
    OK(mw_spins_new(team, count, model, o, &spins));
    for (size_t i = 0; i < same->systems && same->systems > 1; i++) {
        const struct mw_model_info *of = mw_model_info(model);
        double params[8];
        for (size_t k = 0; k < of->param_count; k++)
            params[k] = of->params[k].value * (strcmp(of->params[k].name, "T") ? 1 : 1 + 0.25 * (double)i);
        OK(mw_spins_set_params(spins, i, params));
    }
    mw_model_free(model);
    mw_spins_set_step(spins, 0xFFFFFFFEu);
    OK(mw_spins_advance(spins, 3));
    return spins;
}

static void check_same(const struct same *same, struct mw_device *const *team, size_t count)
{
    struct mw_spin_options o = options_on(same->m, NULL);
    struct mw_device *serial;
    struct mw_spins *here, *there;
    char words[160];
    o.update = same->update;
    o.fp64 = same->fp64;
    o.systems = same->systems;
    o.variant = "model";
    o.seed = random_word();
    o.start = (enum mw_spin_start)random_below(4);
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    here = advanced(same, &o, team, count);
    there = advanced(same, &o, &serial, 1);
    snprintf(words, sizeof words, "%s, lattice %d of %u dimensions, %zu along x, update %d, %zu systems, %zu devices",
             same->name, (int)same->m->lattice, same->m->mesh.dims, same->m->mesh.length[0], (int)same->update,
             same->systems, count);
    same_state(here, there, words);
    mw_spins_free(there);
    mw_spins_free(here);
    mw_device_close(serial);
}

static const struct lattice_mesh meshes[] = {
    { MW_LATTICE_HYPERCUBIC, { 2, { 9, 7 }, { 0 } } }, /* two odd dimensions: three colours */
    { MW_LATTICE_HYPERCUBIC, { 3, { 6, 5, 8 }, { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_FIXED, MW_BOUNDARY_MIRROR } } },
    { MW_LATTICE_HYPERCUBIC, { 1, { 70 }, { MW_BOUNDARY_MIRROR } } },
    { MW_LATTICE_TRIANGULAR, { 2, { 8, 11 }, { 0 } } },
    { MW_LATTICE_TRIANGULAR, { 2, { 7, 6 }, { MW_BOUNDARY_FIXED, MW_BOUNDARY_PERIODIC } } },
    { MW_LATTICE_BODY_CENTRED, { 3, { 5, 4, 7 }, { 0 } } },
    { MW_LATTICE_FACE_CENTRED, { 3, { 4, 6, 6 }, { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_PERIODIC, MW_BOUNDARY_FIXED } } },
};
/* clang-format off */
static const struct { const char *name; unsigned updates; } models[] = {      /* bit i: update i */
    { "ising", 31 }, { "potts", 31 }, { "clock", 31 }, { "xy", 29 }, { "heisenberg", 29 }, { "blume-capel", 31 },
    { "edwards-anderson", 31 }, { "random-field", 31 }, { "prisoners", 1 },
};
/* clang-format on */

static bool has(size_t model, int update) { return models[model].updates >> update & 1; }

/* Tests one in `part` of the combinations of models and meshes, starting with another one each time, since each is
 * compiled.  Not on native:serial, which is the reference. */
static void states_are_those_of_one_thread(void **unused)
{
    const size_t part = one_in(slow || slow_compiler ? 30 : native ? 8 : 15);
    const bool fp64 = info->fp64;
    size_t turn = random_below(part);
    for (size_t i = 0; i < MW_COUNT(models); i++)
        for (size_t k = 0; k < MW_COUNT(meshes) && strcmp(info->id, "native:serial") != 0; k++) {
            if (turn++ % part != 0)
                continue;
            const bool precise = fp64 && random_below(4) == 0;
            for (int update = 0; update <= MW_SPIN_UPDATE_WOLFF; update++) {
                const struct same same = { models[i].name, &meshes[k], (enum mw_spin_update)update, precise, 1 };
                if (has(i, update) && !left_out(3))
                    check_same(&same, &device, 1);
            }
        }
}

static void open_others(struct mw_device **team)
{
    team[0] = device;
    OK(mw_device_open_by_name("native:serial", NULL, &team[1]));
    OK(mw_device_open_by_name("native:pthreads", NULL, &team[2]));
}

static void close_others(struct mw_device **team)
{
    mw_device_close(team[2]);
    mw_device_close(team[1]);
}

static void states_are_the_same_split(void **unused)
{
    static const struct lattice_mesh wide[] = {
        { MW_LATTICE_HYPERCUBIC, { 2, { 6, 13 }, { 0 } } },
        { MW_LATTICE_HYPERCUBIC, { 3, { 5, 4, 12 }, { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_FIXED, MW_BOUNDARY_FIXED } } },
        { MW_LATTICE_TRIANGULAR, { 2, { 8, 14 }, { 0 } } },
        { MW_LATTICE_BODY_CENTRED, { 3, { 5, 4, 11 }, { 0 } } },
    };
    const size_t part = one_in(slow ? 20 : slow_compiler ? 30 : native ? 9 : 18);
    struct mw_device *team[3];
    size_t turn = random_below(part);
    open_others(team);
    for (size_t i = 0; i < MW_COUNT(models); i++)
        for (size_t k = 0; k < MW_COUNT(wide); k++) {
            if (turn++ % part != 0)
                continue;
            for (int update = 0; update < MW_SPIN_UPDATE_SWENDSEN_WANG; update++) {
                const struct same same = { models[i].name, &wide[k], (enum mw_spin_update)update, false, 1 };
                if (has(i, update) && !left_out(2))
                    check_same(&same, team, 2 + random_below(2));
            }
        }
    close_others(team);
}

/* Splits whole systems over devices, for all updates; where compilation is slow, for one update of spins and one of
 * clusters. */
static void systems_are_the_same_split(void **unused)
{
    const struct lattice_mesh *plane = &meshes[0];
    const int one = (int)random_below(MW_SPIN_UPDATE_SWENDSEN_WANG),
              cluster = MW_SPIN_UPDATE_SWENDSEN_WANG + (int)random_below(2);
    const size_t i = random_below(MW_COUNT(models) - 1); /* not prisoners, which has one update */
    struct mw_device *team[3];
    open_others(team);
    for (int update = 0; update <= MW_SPIN_UPDATE_WOLFF; update++) {
        const size_t model = has(i, update) ? i : 0;
        const struct same same = { models[model].name, plane, (enum mw_spin_update)update, false, SYSTEMS };
        if (native || update == cluster || (!slow && update == one))
            check_same(&same, team, 2 + random_below(2));
    }
    close_others(team);
}

/* ---- exchange conserves the composition; errors ---- */

static void exchange_conserves(void **unused)
{
    static const char *const names[] = { "ising", "potts", "blume-capel" };
    const struct lattice_mesh m = { MW_LATTICE_BODY_CENTRED, { 3, { 6, 5, 7 }, { 0 } } };
    const size_t part = one_in(MW_COUNT(names)), turn = random_below(part);
    for (size_t i = 0; i < MW_COUNT(names); i++) {
        struct mw_spin_options o = options_on(&m, NULL);
        struct mw_array before, after;
        struct mw_spins *spins;
        struct mw_model *model;
        int counts[256] = { 0 };
        if (i % part != turn || left_out(4))
            continue; /* tested in other runs, since each is compiled */
        o.update = MW_SPIN_UPDATE_EXCHANGE;
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
    refuses("heat", &o, 1, "is a field model");
    o.update = MW_SPIN_UPDATE_HEAT_BATH;
    refuses("xy", &o, 1, "continuous");
    refuses("prisoners", &o, 1, "updated by its RULE");
    o.update = MW_SPIN_UPDATE_WOLFF;
    refuses("ising", &o, 2, "single device");
    o.update = MW_SPIN_UPDATE_METROPOLIS;
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
        cmocka_unit_test(systems_are_the_same_split),
        cmocka_unit_test(exchange_conserves),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, open_spins, close_spins);
}
/* SPDX-License-Identifier: MIT */

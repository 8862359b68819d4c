/* Several systems of a field on one device, $MESHWORK_TEST_DEVICE: each has the bits of a single one computed by
 * native:serial, for any variant, parameters of the other systems, windows and devices. */
#include "base/base.h"
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

#include "tests/device/device.h"
#include "tests/device/field/models.h"

#define COOK "cahn-hilliard-cook"
#define EULER MW_INTEGRATOR_EULER
#define RK2 MW_INTEGRATOR_RK2
#define RK4 MW_INTEGRATOR_RK4
enum { SYSTEMS_MOST = 40, NAMES_MOST = 16 };

static bool wide; /* a device with a driver that compiles vectors in acceptable time */

/* Returns whether a shape fits; native devices lack shapes with cooperating groups. */
enum { ANYWHERE, ON_NATIVE, ON_WIDE, ON_GROUPS };
static const struct test_case {
    int where;
    const char *model, *variant, *shape;
    unsigned dims;
    enum mw_integrator integrator;
    bool any_boundary, fp64;
} cases[] = {
    { ANYWHERE, "cahn-hilliard", "auto", NULL, 2, RK2, false, false },
    { ANYWHERE, SHAKEN, "auto", NULL, 2, RK4, true, false },
    { ANYWHERE, HEAT, "fused", NULL, 1, EULER, true, false },
    { ANYWHERE, "cahn-hilliard", "staged", NULL, 2, RK4, true, false },
    { ANYWHERE, HEAT, "fused", NULL, 7, EULER, true, false },
    { ANYWHERE, COOK, "staged", NULL, 3, RK2, true, false },
    { ANYWHERE, HEAT, "fused", NULL, 3, RK4, true, true },
    { ANYWHERE, MAPPED, "auto", NULL, 2, RK2, true, false },
    { ANYWHERE, MASKED, "staged", NULL, 3, RK4, true, false },
    { ANYWHERE, AVERAGED, "auto", NULL, 2, RK4, true, false },
    { ANYWHERE, AVERAGED, "fused", NULL, 3, EULER, true, true },
    { ON_NATIVE, MAPPED, "temporal", "steps=3", 2, RK2, false, false },
    { ON_NATIVE, MASKED, "temporal", "steps=2", 2, RK2, false, false },
    { ON_GROUPS, MASKED, "registers", "vec=4,per_item=1,rows=5,group=12x1,steps=1", 2, EULER, false, false },
    { ON_GROUPS, MAPPED, "registers", "vec=4,per_item=1,rows=5,group=12x1", 2, RK2, true, false },
    { ON_NATIVE, "cahn-hilliard", "temporal", "steps=3", 2, RK2, false, false },
    { ON_NATIVE, "cahn-hilliard", "temporal", NULL, 2, EULER, false, true },
    { ON_NATIVE, SHAKEN, "temporal", NULL, 2, RK2, false, false },
    { ON_NATIVE, "gray-scott", "rolling", "per_item=2", 3, RK2, true, false },
    { ON_WIDE, "cahn-hilliard", "temporal", "vec=8,per_item=8,steps=4", 2, RK2, false, false },
    { ON_WIDE, COOK, "rolling", "vec=8,per_item=2,rows=3", 2, RK2, true, false },
    { ON_GROUPS, "cahn-hilliard", "tile", "vec=1,per_item=1,rows=2,group=16x12", 2, RK2, true, false },
    { ON_GROUPS, HEAT, "async", "vec=4,per_item=3,rows=5,group=2x1", 2, EULER, true, false },
    { ON_GROUPS, COOK, "registers", "vec=4,per_item=3,rows=1,group=4x8,steps=1", 2, EULER, true, false },
    { ON_GROUPS, COOK, "registers", "vec=4,per_item=1,rows=5,group=12x1", 2, RK2, true, false },
    { ON_GROUPS, "gray-scott", "registers", "vec=4,per_item=1,rows=7,group=16x1,steps=2", 2, EULER, false, false },
    { ON_GROUPS, COOK, "registers", "vec=4,per_item=1,rows=1,group=24x1,steps=1", 1, RK2, true, false },
    { ON_GROUPS, HEAT, "registers", "vec=2,per_item=2,rows=4,group=8x8", 3, RK2, true, false },
};

/* ---- cases ---- */

static bool is_for_here(const struct test_case *c)
{
    return (c->where == ANYWHERE || (c->where == ON_NATIVE && native) || (c->where == ON_WIDE && !native && wide) ||
            (c->where == ON_GROUPS && !native)) &&
           (!c->fp64 || info->fp64);
}

static struct mw_field_options options_of(const struct test_case *c)
{
    static const size_t most[] = { 0, 90, 36, 13, 7, 5, 4, 3 };
    struct mw_field_options o = { .size = sizeof o,
                                  .dims = c->dims,
                                  .dt = 0.001,
                                  .integrator = c->integrator,
                                  .fp64 = c->fp64,
                                  .variant = c->variant,
                                  .shape = c->shape,
                                  .no_tune = true };
    /* Near the upper end, so that seeds carry or wrap around. */
    o.seed = random_below(3) ? UINT32_MAX - random_below(3) : UINT64_MAX - random_below(3);
    o.systems = 2 + random_below(slow ? 2 : SYSTEMS_MOST - 2);
    for (unsigned d = 0; d < o.dims; d++) {
        o.length[d] = 1 + random_below(slow && most[o.dims] > 12 ? 12 : most[o.dims]);
        o.boundary[d] = (enum mw_boundary)(c->any_boundary ? random_below(4) : 0);
    }
    return o;
}

static void say(const struct test_case *c, const struct mw_field_options *o)
{
    print_message("%s, %s, %s, integrator %d, %zu systems of", c->model, c->variant, c->shape ? c->shape : "by rule",
                  o->integrator, o->systems);
    for (unsigned d = 0; d < o->dims; d++)
        print_message(" %zu%c", o->length[d], "dpmf"[o->boundary[d]]);
    print_message("\n");
}

/* Parameters of a system by its number: the model's, all different, or without noise. */
static const double *params_of(const struct mw_model_info *model, size_t system, double *params)
{
    for (size_t i = 0; i < model->param_count; i++) {
        params[i] = model->params[i].value * (system % 3 == 1 ? 0.75 + 0.01 * (double)system : 1);
        if (system % 3 == 2 && strcmp(model->params[i].name, "a") == 0)
            params[i] = 0;
    }
    return params;
}

/* The result of a single system, and its statistics. */
struct alone {
    struct mw_array state;
    struct mw_statistics statistics[NAMES_MOST];
    double energy;
};

/* Sets all parameters of a system, or one after the other by name. */
static void set_params(struct mw_field *many, const struct mw_model_info *model, size_t system)
{
    double params[NAMES_MOST], value;
    params_of(model, system, params);
    if (random_below(2))
        OK(mw_field_set_params(many, system, params));
    else
        for (size_t i = 0; i < model->param_count; i++)
            OK(mw_field_set_param(many, system, model->params[i].name, params[i]));
    for (size_t i = 0; i < model->param_count; i++) {
        OK(mw_field_param(many, system, model->params[i].name, &value));
        assert_true(value == params[i]);
    }
}

/* After `first` steps the system gets its own parameters, and `then` more steps follow. */
static void compute_alone(const struct mw_model *model, const struct mw_field_options *all, size_t system,
                          uint64_t first, uint64_t then, struct alone *alone)
{
    struct mw_field_options o = *all;
    struct mw_field *field = NULL;
    double params[NAMES_MOST];
    o.systems = 0;
    o.seed += system;
    if (!native) { /* natively by the same program, so that only one is compiled */
        o.variant = model->domain || (mw_model_info(model)->has_noise && o.dims == 3) ? "staged" : "fused";
        o.shape = NULL;
    }
    OK(mw_field_new(&serial, 1, model, &o, &field));
    OK(mw_field_advance(field, first));
    OK(mw_field_set_params(field, 0, params_of(mw_model_info(model), system, params)));
    OK(mw_field_advance(field, then));
    OK(mw_field_get(field, &alone->state));
    OK(mw_field_statistics(field, alone->statistics));
    if (mw_model_info(model)->has_energy)
        OK(mw_field_energy(field, &alone->energy));
    mw_field_free(field);
}

static void compare(const struct mw_model *model, const struct mw_field_options *o, struct mw_field *many,
                    uint64_t first, uint64_t then)
{
    const size_t fields = mw_model_info(model)->field_count;
    struct mw_statistics *statistics = room(o->systems * fields, sizeof *statistics);
    double *energies = room(o->systems, sizeof *energies);
    struct mw_array states = { 0 };
    OK(mw_field_get(many, &states));
    must_be_numbers(&states);
    OK(mw_field_statistics(many, statistics));
    if (mw_model_info(model)->has_energy)
        OK(mw_field_energy(many, energies));
    assert_int_equal(states.dims, o->dims + 1 + (fields > 1));
    assert_int_equal(states.length[states.dims - 1], o->systems);
    for (size_t i = 0; i < o->systems; i++) {
        struct alone alone = { .energy = 0 };
        compute_alone(model, o, i, first, then, &alone);
        const size_t bytes = alone.state.count * mw_type_bytes(alone.state.type);
        assert_int_equal(states.count, alone.state.count * o->systems);
        if (memcmp((char *)states.data + i * bytes, alone.state.data, bytes) != 0)
            fail_msg("system %zu of %zu is not what it is alone", i, o->systems);
        assert_memory_equal(statistics + i * fields, alone.statistics, fields * sizeof *statistics);
        assert_memory_equal(energies + i, &alone.energy, sizeof *energies);
        mw_array_free(&alone.state);
    }
    mw_array_free(&states);
    free(statistics);
    free(energies);
}

/* Own parameters from the second stretch on. */
static void set_all_params(const struct mw_model *model, const struct mw_field_options *o, struct mw_field *many)
{
    for (size_t i = 0; i < o->systems; i++)
        set_params(many, mw_model_info(model), i);
}

static void run_case(const struct test_case *c)
{
    struct mw_field_options o = options_of(c);
    struct mw_model *model = load(c->model);
    struct mw_field *many = NULL;
    say(c, &o);
    const int rc = mw_field_new(&device, 1, model, &o, &many);
    if (rc == MW_ELIMIT && o.shape && !native) {
        print_message("%s\n", mw_errmsg()); /* too large a group for this driver */
        goto out;
    }
    OK(rc);
    OK(mw_field_advance(many, 2));
    OK(mw_field_advance(many, 1));
    set_all_params(model, &o, many);
    OK(mw_field_advance(many, 5));
    compare(model, &o, many, 3, 5);
out:
    mw_field_free(many);
    mw_model_free(model);
}

/* ---- tests ---- */

static void each_system_is_as_if_alone(void **unused)
{
    /* Drivers compile for each case: others run each time. */
    const size_t part = native ? one_in(7) : one_in(slow || !wide ? 9 : 5), turn = random_below(part);
    size_t count = 0;
    for (size_t i = 0; i < MW_COUNT(cases); i++)
        if (is_for_here(&cases[i]) && count++ % part == turn)
            run_case(&cases[i]);
    assert_true(count > part);
}

/* More systems than fit into caches, whose launches are for some of them; and fewer systems than threads. */
static void systems_go_in_batches(void **unused)
{
    if (!native)
        skip();
    static const struct mw_field_options large = { .size = sizeof large,
                                                   .dims = 2,
                                                   .length = { 90, 70 },
                                                   .integrator = RK2,
                                                   .systems = 53,
                                                   .seed = 5,
                                                   .no_tune = true },
                                         few = { .size = sizeof few,
                                                 .dims = 2,
                                                 .length = { 200, 190 },
                                                 .integrator = RK2,
                                                 .systems = 3,
                                                 .seed = 5,
                                                 .no_tune = true,
                                                 .variant = "fused" };
    const struct mw_field_options *const both[] = { &large, &few };
    struct mw_model *model = load("cahn-hilliard");
    for (size_t i = 0; i < MW_COUNT(both); i++) {
        struct mw_field *many = NULL;
        OK(mw_field_new(&device, 1, model, both[i], &many));
        const int batch = mw_field_plan_batch(&many->parts[0].plan, &many->parts[0].array);
        assert_true(batch >= 1 && (size_t)batch < both[i]->systems);
        OK(mw_field_advance(many, 70));
        set_all_params(model, both[i], many);
        OK(mw_field_advance(many, 1));
        compare(model, both[i], many, 70, 1);
        mw_field_free(many);
    }
    mw_model_free(model);
}

/* Limits the device's memory while a field is made. */
static void systems_stream(void **unused)
{
    struct mw_field_options o = { .size = sizeof o,
                                  .dims = 2,
                                  .length = { slow ? 7 : 24, slow ? 5 : 19 },
                                  .integrator = RK2,
                                  .systems = slow ? 7 : 33,
                                  .seed = 11,
                                  .boundary = { MW_BOUNDARY_MIRROR, MW_BOUNDARY_FIXED },
                                  .variant = "fused",
                                  .no_tune = true };
    const struct mw_device_info before = device->info;
    struct mw_model *model = load(COOK);
    struct mw_field *many = NULL;
    uint64_t bytes;
    unsigned steps;
    OK(mw_field_bytes(model, &o, &bytes));
    device->info.memory_bytes = device->allocated + bytes / 2;
    const int rc = mw_field_new(&device, 1, model, &o, &many);
    device->info = before;
    OK(rc);
    assert_true(mw_field_windows(many, &steps) > 1);
    OK(mw_field_advance(many, 3));
    set_all_params(model, &o, many);
    const uint64_t more = slow ? 1 : steps + 1;
    OK(mw_field_advance(many, more));
    compare(model, &o, many, 3, more);
    mw_field_free(many);
    mw_model_free(model);
}

/* The second device computes natively. */
static void systems_are_split_over_devices(void **unused)
{
    struct mw_field_options o = { .size = sizeof o,
                                  .dims = 2,
                                  .length = { slow ? 6 : 21, slow ? 4 : 18 },
                                  .integrator = RK2,
                                  .systems = 7,
                                  .seed = 3,
                                  .boundary = { MW_BOUNDARY_MIRROR, MW_BOUNDARY_FIXED },
                                  .variant = "fused",
                                  .no_tune = true };
    struct mw_device *const both[] = { device, serial };
    struct mw_model *model = load(SHAKEN);
    struct mw_field *many = NULL;
    OK(mw_field_new(both, 2, model, &o, &many));
    assert_int_equal(mw_field_parts(many, 0, NULL), 2);
    OK(mw_field_advance(many, 3));
    OK(mw_balance_move(many, (const int[]){ 2, 5 }));
    set_all_params(model, &o, many);
    const uint64_t then = slow ? 1 : 130; /* rounds */
    OK(mw_field_advance(many, then));
    OK(mw_balance_move(many, (const int[]){ 6, 1 }));
    OK(mw_field_advance(many, 1));
    compare(model, &o, many, 3, then + 1);
    mw_field_free(many);
    mw_model_free(model);
}

static void a_state_is_put_in(void **unused)
{
    const struct mw_field_options o = { .size = sizeof o,
                                        .dims = 2,
                                        .length = { 12, 10 },
                                        .systems = 3,
                                        .integrator = EULER,
                                        .variant = "fused",
                                        .no_tune = true };
    struct mw_model *model = load(HEAT);
    struct mw_array state = { 0 }, again = { 0 };
    struct mw_field *one = NULL, *other = NULL;
    OK(mw_field_new(&device, 1, model, &o, &one));
    OK(mw_field_new(&device, 1, model, &o, &other));
    OK(mw_field_advance(one, 4));
    OK(mw_field_get(one, &state));
    OK(mw_field_set(other, &state));
    mw_field_set_step(other, 4);
    OK(mw_field_advance(one, 3));
    OK(mw_field_advance(other, 3));
    OK(mw_field_get_into(one, &state));
    OK(mw_field_get(other, &again));
    assert_memory_equal(state.data, again.data, state.count * sizeof(float));
    mw_array_free(&state);
    mw_array_free(&again);
    mw_field_free(one);
    mw_field_free(other);
    mw_model_free(model);
}

static void what_does_not_go_is_said(void **unused)
{
    struct mw_field_options o = { .size = sizeof o, .dims = 8, .systems = 2, .integrator = EULER, .no_tune = true };
    struct mw_model *model = load("heat");
    struct mw_field *field = NULL;
    double params = 0;
    for (unsigned d = 0; d < o.dims; d++)
        o.length[d] = 2;
    FAILS(MW_EINVAL, "systems add one dimension", mw_field_new(&device, 1, model, &o, &field));
    o.dims = 2;
    o.systems = SIZE_MAX / 64;
    FAILS(MW_ELIMIT, "systems", mw_field_new(&device, 1, model, &o, &field));
    o.systems = 2;
    o.variant = "image";
    FAILS(native ? MW_ENOTSUP : MW_EINVAL, native ? "OpenCL" : "one system",
          mw_field_new(&device, 1, model, &o, &field));
    o.variant = "fused";
    OK(mw_field_new(&device, 1, model, &o, &field));
    FAILS(MW_EINVAL, "system 2 does not exist", mw_field_set_params(field, 2, &params));
    FAILS(MW_EINVAL, "system 2 does not exist", mw_field_set_param(field, 2, "D", 1));
    FAILS(MW_EINVAL, "system 2 does not exist", mw_field_param(field, 2, "D", &params));
    FAILS(MW_EINVAL, "no parameter 'E'; its parameters: D", mw_field_set_param(field, 1, "E", 1));
    FAILS(MW_EINVAL, "D", mw_field_set_param(field, 1, "D", NAN));
    OK(mw_field_param(field, 1, "D", &params));
    assert_true(params == mw_model_info(model)->params[0].value);
    mw_field_free(field);
    o.values = &(struct mw_value){ "E", 1 };
    o.value_count = 1;
    FAILS(MW_EINVAL, "no parameter 'E'", mw_field_new(&device, 1, model, &o, &field));
    mw_model_free(model);
}

static int open_both(void **unused)
{
    const int rc = open_with_serial(unused);
    wide = rc == 0 && info->vector_width >= 4;
    return rc;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_system_is_as_if_alone),
        cmocka_unit_test(systems_go_in_batches),
        cmocka_unit_test(systems_stream),
        cmocka_unit_test(systems_are_split_over_devices),
        cmocka_unit_test(a_state_is_put_in),
        cmocka_unit_test(what_does_not_go_is_said),
    };
    return cmocka_run_group_tests(tests, open_both, close_with_serial);
}
/* SPDX-License-Identifier: MIT */

/* Time steps that choose themselves, on $MESHWORK_TEST_DEVICE: orders, tolerances, bits, resuming, ends and errors. */
#include "tests/device/field/evolve.h"

#include <math.h>

static const enum mw_integrator pairs[] = { MW_INTEGRATOR_BS3, MW_INTEGRATOR_DP5 };

static struct mw_field *make(struct mw_device *on, const struct mw_model *model, const struct mw_field_options *o)
{
    struct mw_field *field = NULL;
    OK(mw_field_new(&on, 1, model, o, &field));
    return field;
}

static struct mw_array state_of(struct mw_field *field)
{
    struct mw_array state = { 0 };
    OK(mw_field_get(field, &state));
    must_be_numbers(&state);
    return state;
}

static struct mw_field_pace pace_of(const struct mw_field *field)
{
    struct mw_field_pace pace = MW_INIT(pace);
    OK(mw_field_get_pace(field, &pace));
    return pace;
}

static double largest_difference(const struct mw_array *a, const struct mw_array *b)
{
    double most = 0;
    for (size_t k = 0; k < a->count; k++)
        most = fmax(most, fabs(((double *)a->data)[k] - ((double *)b->data)[k]));
    return most;
}

static bool same_states(struct mw_field *a, struct mw_field *b)
{
    struct mw_array one = state_of(a), other = state_of(b);
    const bool same =
        one.count == other.count && memcmp(one.data, other.data, one.count * mw_type_bytes(one.type)) == 0;
    mw_array_free(&one);
    mw_array_free(&other);
    return same;
}

static bool same_paces(const struct mw_field *a, const struct mw_field *b)
{
    const struct mw_field_pace one = pace_of(a), other = pace_of(b);
    return memcmp(&one, &other, sizeof one) == 0 && mw_field_step(a) == mw_field_step(b);
}

/* ---- accuracy ---- */

/* Returns the state after a time in equal steps; those of pairs are forced. */
static struct mw_array in_equal_steps(const struct mw_model *model, struct mw_field_options o, double time, int steps)
{
    const bool pairs = o.integrator != MW_INTEGRATOR_RK4;
    o.dt = time / steps;
    o.tolerance = pairs ? 1e6 : 0;
    struct mw_field *field = make(device, model, &o);
    for (int i = 0; i < steps; i++) {
        struct mw_field_pace pace = pace_of(field);
        pace.next = o.dt;
        if (pairs && i % 3) /* the first rate is evaluated again */
            OK(mw_field_set_pace(field, &pace));
        OK(pairs && i % 3 == 0 ? mw_field_advance_to(field, o.dt * (i + 1), 1) : mw_field_advance(field, 1));
    }
    if (!(fabs(mw_field_time(field) - time) < 1e-12 * time))
        fail_msg("the time is %.17g", mw_field_time(field));
    struct mw_array state = state_of(field);
    mw_field_free(field);
    return state;
}

static void methods_have_their_orders(void **unused)
{
    static const int orders[] = { 3, 5 };
    if (!info->fp64 || slow)
        skip();
    struct mw_model *model = load("sine-gordon");
    for (size_t k = 0; k < MW_COUNT(pairs); k++) {
        struct mw_field_options o = options_of(1, 1, NULL, true);
        double error[3];
        o.integrator = MW_INTEGRATOR_RK4;
        struct mw_array exact = in_equal_steps(model, o, 8, 8000);
        o.integrator = pairs[k];
        for (int i = 0; i < 3; i++) {
            struct mw_array state = in_equal_steps(model, o, 8, 96 << i);
            error[i] = largest_difference(&state, &exact);
            mw_array_free(&state);
        }
        print_message("%s: errors %.3g, %.3g, %.3g\n", mw_integrator_name((int)pairs[k]), error[0], error[1], error[2]);
        for (int i = 0; i < 2; i++) {
            const double found = log2(error[i] / error[i + 1]);
            if (!(fabs(found - orders[k]) < 0.3))
                fail_msg("%s has order %g, not %d", mw_integrator_name((int)pairs[k]), found, orders[k]);
        }
        mw_array_free(&exact);
    }
    mw_model_free(model);
}

/* A tenth of the tolerance divides the error by about ten. */
static void errors_follow_the_tolerance(void **unused)
{
    if (!info->fp64 || slow)
        skip();
    struct mw_model *model = load("brusselator");
    for (size_t k = 0; k < MW_COUNT(pairs); k++) {
        struct mw_field_options o = options_of(2, 1, NULL, true);
        double error[3];
        uint64_t evaluations[3];
        o.integrator = MW_INTEGRATOR_RK4;
        struct mw_array exact = in_equal_steps(model, o, 8, 8000);
        o.integrator = pairs[k];
        for (int i = 0; i < 3; i++) {
            o.tolerance = pow(10, -5 - 2 * i);
            struct mw_field *field = make(device, model, &o);
            OK(mw_field_advance_to(field, 8, UINT64_MAX));
            assert_true(mw_field_time(field) == 8);
            struct mw_array state = state_of(field);
            error[i] = largest_difference(&state, &exact);
            evaluations[i] = pace_of(field).evaluations;
            print_message("%s, tolerance %g: error %.3g, %llu evaluations\n", mw_integrator_name((int)pairs[k]),
                          o.tolerance, error[i], (unsigned long long)evaluations[i]);
            mw_array_free(&state);
            mw_field_free(field);
        }
        for (int i = 0; i < 2; i++)
            assert_true(error[i + 1] < error[i] / 15 && error[i + 1] > error[i] / 600 &&
                        evaluations[i + 1] > evaluations[i]);
        assert_true(error[0] < 1e-2);
        mw_array_free(&exact);
    }
    mw_model_free(model);
}

/* ---- bits ---- */

static struct mw_field_options random_options(void)
{
    static const size_t lengths[] = { 1, 2, 7, 13, 20, 31 };
    struct mw_field_options o = options_of(1, 1, NULL, info->fp64 && random_below(2));
    o.dims = 1 + (unsigned)random_below(3);
    for (unsigned d = 0; d < o.dims; d++) {
        o.length[d] = lengths[random_below(slow ? 4 : MW_COUNT(lengths))];
        o.boundary[d] = (enum mw_boundary)(MW_BOUNDARY_PERIODIC + random_below(3));
    }
    o.seed = random_below(1000);
    o.integrator = pairs[random_below(2)];
    o.tolerance = random_below(2) ? 1e-2 : 1e-5;
    o.dt = 0.5;
    return o;
}

static void describe(const char *model, const struct mw_field_options *o)
{
    print_message("%s, %s, %s, tolerance %g:", model, mw_integrator_name((int)o->integrator),
                  o->fp64 ? "double" : "single", o->tolerance);
    for (unsigned d = 0; d < o->dims; d++)
        print_message(" %zu (%s)", o->length[d], mw_boundary_name((int)o->boundary[d]));
    print_message("\n");
}

static const char *const models[] = { HEAT, CHAIN, "gray-scott", "cahn-hilliard" };

/* Steps and bits are those of native:serial, also if several devices share the field. */
static void devices_take_the_same_steps(void **unused)
{
    struct mw_device *serial = NULL, *second = NULL;
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    OK(mw_device_open_by_name("native:serial", NULL, &second));
    for (int turn = 0; turn < (slow ? 2 : slow_compiler ? 3 : native ? 12 : 4); turn++) {
        const char *name = models[random_below(MW_COUNT(models))];
        struct mw_model *model = load(name);
        struct mw_field_options o = random_options();
        const bool split = random_below(2) != 0;
        const int steps = slow ? 3 : 12;
        struct mw_device *const both[] = { device, second };
        struct mw_field *one = NULL, *other = NULL;
        if (split)
            o.length[o.dims - 1] = 40 + random_below(slow ? 10 : 60);
        describe(name, &o);
        one = make(serial, model, &o);
        OK(mw_field_new(both, split ? 2 : 1, model, &o, &other));
        for (int i = 0; i < steps; i += 3) {
            OK(mw_field_advance(one, 3));
            OK(mw_field_advance(other, 3));
        }
        assert_true(same_paces(one, other));
        assert_true(same_states(one, other));
        mw_field_free(one);
        mw_field_free(other);
        mw_model_free(model);
    }
    mw_device_close(serial);
    mw_device_close(second);
}

static void a_resumed_field_has_the_same_bits(void **unused)
{
    struct mw_model *model = load("gray-scott");
    for (size_t k = 0; k < (slow ? 1 : MW_COUNT(pairs)); k++) {
        struct mw_field_options o = options_of(17, 11, NULL, false);
        const uint64_t before = 1 + random_below(6), after = 1 + random_below(slow ? 3 : 9);
        o.integrator = pairs[k];
        struct mw_field *one = make(device, model, &o), *other = make(device, model, &o);
        OK(mw_field_advance(one, before));
        struct mw_array state = state_of(one);
        struct mw_field_pace pace = pace_of(one);
        OK(mw_field_set(other, &state));
        mw_field_set_step(other, mw_field_step(one));
        OK(mw_field_set_pace(other, &pace));
        pace.evaluations++; /* of the first rate */
        OK(mw_field_advance(one, after));
        OK(mw_field_advance(other, after));
        assert_true(same_states(one, other));
        assert_true(pace_of(other).time == pace_of(one).time && pace_of(other).next == pace_of(one).next);
        assert_true(pace_of(other).evaluations == pace_of(one).evaluations + 1);
        mw_array_free(&state);
        mw_field_free(one);
        mw_field_free(other);
    }
    mw_model_free(model);
}

/* Parameters and states that change between steps count from the next step on, and are not taken from the last one. */
static void changes_count_at_once(void **unused)
{
    struct mw_model *model = load("gray-scott");
    struct mw_field_options o = options_of(9, 8, NULL, false);
    o.integrator = MW_INTEGRATOR_BS3;
    struct mw_field *one = make(device, model, &o), *other = make(device, model, &o);
    OK(mw_field_advance(one, 3));
    OK(mw_field_set_param(one, 0, "F", 0.05));
    struct mw_array state = state_of(one);
    const struct mw_field_pace pace = pace_of(one);
    OK(mw_field_set_param(other, 0, "F", 0.05));
    OK(mw_field_set(other, &state));
    OK(mw_field_set_pace(other, &pace));
    OK(mw_field_advance(one, 2));
    OK(mw_field_advance(other, 2));
    assert_true(same_states(one, other));
    mw_array_free(&state);
    mw_field_free(one);
    mw_field_free(other);
    mw_model_free(model);
}

/* ---- ends ---- */

static void times_are_hit_exactly(void **unused)
{
    struct mw_model *model = load(HEAT);
    struct mw_field_options o = options_of(8, 6, NULL, false);
    o.integrator = MW_INTEGRATOR_BS3;
    o.dt = 0.01;
    struct mw_field *field = make(device, model, &o);
    const double times[] = { 0.1, 0.1001, 0.3, 2 };
    for (size_t i = 0; i < MW_COUNT(times); i++) {
        const double next = pace_of(field).next, left = times[i] - mw_field_time(field);
        OK(mw_field_advance_to(field, times[i], UINT64_MAX));
        assert_true(mw_field_time(field) == times[i]);
        if (left < next) /* a shortened step does not shorten the following ones */
            assert_true(pace_of(field).next == next);
    }
    const uint64_t step = mw_field_step(field);
    OK(mw_field_advance_to(field, 1, UINT64_MAX));
    assert_true(mw_field_step(field) == step && mw_field_time(field) == 2);
    OK(mw_field_advance_to(field, 100, 2));
    assert_true(mw_field_step(field) == step + 2 && mw_field_time(field) < 100);
    FAILS(MW_EINVAL, "must be finite", mw_field_advance_to(field, NAN, 1));
    mw_field_free(field);

    o.integrator = MW_INTEGRATOR_RK2;
    field = make(device, model, &o);
    OK(mw_field_advance_to(field, 0.07, UINT64_MAX));
    assert_int_equal(mw_field_step(field), 7);
    assert_true(mw_field_time(field) == 7 * 0.01 && pace_of(field).next == 0.01 && pace_of(field).evaluations == 14);
    FAILS(MW_EINVAL, "not a multiple", mw_field_advance_to(field, 0.123, UINT64_MAX));
    FAILS(MW_EINVAL, "constant time step",
          mw_field_set_pace(field, &(struct mw_field_pace){ .size = sizeof(struct mw_field_pace), .next = 1 }));
    mw_field_free(field);
    mw_model_free(model);
}

/* du/dt = u^2 from 1 ends at time 1. */
static void a_pole_is_reported(void **unused)
{
    struct mw_model *model = NULL;
    OK(mw_model_from_text("pole",
                          "//@ model pole \"du/dt = u^2\"\n//@ field quiet noise=0 mean=2\n"
                          "//@ field u noise=0 mean=1\nRATE(quiet) { return splat(R(0.0)); }\n"
                          "RATE(u) { return AT(u) * AT(u); }\n",
                          &model));
    struct mw_field_options o = options_of(3, 2, NULL, false);
    o.integrator = MW_INTEGRATOR_BS3;
    o.dt = 0.1;
    struct mw_field *field = make(device, model, &o);
    FAILS(MW_EDATA, "because of field u", mw_field_advance_to(field, 2, UINT64_MAX));
    assert_true(fabs(mw_field_time(field) - 1) < 1e-3);
    struct mw_array state = state_of(field);
    mw_array_free(&state);
    mw_field_free(field);
    mw_model_free(model);
}

static void wrong_options_are_refused(void **unused)
{
    struct mw_model *heat = load(HEAT), *shaken = load(SHAKEN);
    struct mw_field_options o = options_of(8, 6, NULL, false);
    struct mw_field *field = NULL;
    o.integrator = (enum mw_integrator)77;
    FAILS(MW_EINVAL, "invalid integrator 77", mw_field_new(&device, 1, heat, &o, &field));
    o.integrator = MW_INTEGRATOR_RK2;
    o.laplacian = (enum mw_laplacian)9;
    FAILS(MW_EINVAL, "Laplacian 9", mw_field_new(&device, 1, heat, &o, &field));
    o.laplacian = MW_LAPLACIAN_SECOND;
    o.dt = -0.1;
    FAILS(MW_EINVAL, "invalid dt -0.1", mw_field_new(&device, 1, heat, &o, &field));
    o.dt = 0;
    o.tune_budget = NAN;
    FAILS(MW_EINVAL, "invalid tune_budget", mw_field_new(&device, 1, heat, &o, &field));
    o.tune_budget = 0;
    o.tolerance = 1e-3;
    FAILS(MW_EINVAL, "requires an integrator", mw_field_new(&device, 1, heat, &o, &field));
    o.integrator = MW_INTEGRATOR_BS3;
    FAILS(MW_EINVAL, "has noise", mw_field_new(&device, 1, shaken, &o, &field));
    o.tolerance = -1;
    FAILS(MW_EINVAL, "invalid tolerances", mw_field_new(&device, 1, heat, &o, &field));
    o.tolerance = 0;
    o.tolerance_absolute = NAN;
    FAILS(MW_EINVAL, "invalid tolerances", mw_field_new(&device, 1, heat, &o, &field));
    o.tolerance_absolute = 0;
    o.systems = 2;
    FAILS(MW_EINVAL, "single system", mw_field_new(&device, 1, heat, &o, &field));
    o.systems = 0;
    OK(mw_field_new(&device, 1, heat, &o, &field));
    struct mw_field_pace pace = pace_of(field);
    pace.next = 0;
    FAILS(MW_EINVAL, "next time step", mw_field_set_pace(field, &pace));
    mw_field_free(field);
    mw_model_free(heat);
    mw_model_free(shaken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_have_their_orders),   cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(devices_take_the_same_steps), cmocka_unit_test(a_resumed_field_has_the_same_bits),
        cmocka_unit_test(changes_count_at_once),       cmocka_unit_test(times_are_hit_exactly),
        cmocka_unit_test(a_pole_is_reported),          cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

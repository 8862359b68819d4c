/* Exponential time steps on one device, $MESHWORK_TEST_DEVICE: exact decay of single waves, bits, orders, the energy,
 * and refusals. */
#include "tests/device/field/evolve.h"

#define PI 3.14159265358979323846

static double number(const struct mw_array *a, size_t i)
{
    return a->type == MW_TYPE_F64 ? ((double *)a->data)[i] : (double)((float *)a->data)[i];
}

static void set_number(struct mw_array *a, size_t i, double value)
{
    if (a->type == MW_TYPE_F64)
        ((double *)a->data)[i] = value;
    else
        ((float *)a->data)[i] = (float)value;
}

static double distance(const struct mw_array *a, const struct mw_array *b)
{
    double sum = 0;
    for (size_t i = 0; i < a->count; i++)
        sum += (number(a, i) - number(b, i)) * (number(a, i) - number(b, i));
    return sqrt(sum / (double)a->count);
}

/* ---- heat: a product of waves decays by exp(D lap(q) t), in one step or many ---- */

static double decay(const struct mw_field_options *o, const double *angle)
{
    double sum = 0;
    for (unsigned d = 0; d < o->dims; d++) {
        const double h = o->spacing[d] ? o->spacing[d] : 1, c = cos(angle[d]);
        sum += (o->laplacian == MW_LAPLACIAN_FOURTH ? 8.0 / 3 * c - cos(2 * angle[d]) / 6 - 2.5 : 2 * c - 2) / (h * h);
    }
    if (o->laplacian != MW_LAPLACIAN_ISOTROPIC)
        return sum;
    const double x = cos(angle[0]), y = cos(angle[1]);
    return (8 * (x + y) + 4 * x * y - 20) / 6;
}

static void check_wave(const struct mw_model *heat, const struct mw_field_options *o)
{
    struct mw_field_options still = *o;
    struct mw_array start, end;
    double angle[MW_DIMS_MAX], largest = 0;
    const uint64_t steps = 1 + random_below(5);
    still.constant = true;
    start = evolve(heat, &still, NULL, 0);
    for (unsigned d = 0; d < o->dims; d++)
        angle[d] = (o->boundary[d] == MW_BOUNDARY_MIRROR ? PI : 2 * PI) * (double)random_below(o->length[d]) /
                   (double)o->length[d];
    for (size_t i = 0; i < start.count; i++) {
        double wave = 1;
        size_t rest = i;
        for (unsigned d = 0; d < o->dims; rest /= o->length[d++])
            wave *= cos(angle[d] * ((double)(rest % o->length[d]) + 0.5) +
                        (o->boundary[d] == MW_BOUNDARY_MIRROR ? 0 : 0.4));
        set_number(&start, i, wave);
    }
    end = evolve(heat, o, &start, steps);
    const double factor = exp(0.2 * decay(o, angle) * o->dt * (double)steps); /* D = 0.2 */
    for (size_t i = 0; i < start.count; i++)
        largest = fmax(largest, fabs(number(&end, i) - factor * number(&start, i)));
    if (largest > (o->fp64 ? 1e-13 : 1e-5))
        fail_msg("%s, %zu x %zu x %zu, %s, mirrors %d %d %d, dt %g: a wave is wrong by %g",
                 mw_integrator_name((int)o->integrator), o->length[0], o->length[1], o->length[2],
                 mw_laplacian_name((int)o->laplacian), o->boundary[0], o->boundary[1], o->boundary[2], o->dt, largest);
    mw_array_free(&start);
    mw_array_free(&end);
}

static void waves_of_heat_are_exact(void **unused)
{
    struct mw_model *heat = load("heat");
    for (size_t i = 0; i < (native ? 40u / (unsigned)one_in(4) : slow || slow_compiler ? 3u : 8u); i++) {
        struct mw_field_options o = options_of(0, 0, NULL, info->fp64 && random_below(2));
        o.dims = 1 + (unsigned)random_below(3);
        o.integrator = (enum mw_integrator)(MW_INTEGRATOR_ETD2 + random_below(3));
        o.dt = pow(10, (double)random_below(4) - 2);
        o.laplacian = o.dims == 2 ? (enum mw_laplacian)random_below(3) : (enum mw_laplacian)random_below(2);
        for (unsigned d = 0; d < o.dims; d++) {
            o.length[d] = 5 + random_below(slow ? 4 : 14);
            o.boundary[d] = random_below(2) ? MW_BOUNDARY_MIRROR : MW_BOUNDARY_PERIODIC;
            o.spacing[d] = o.laplacian == MW_LAPLACIAN_ISOTROPIC ? 1 : 0.5 + (double)random_below(4) / 4;
        }
        check_wave(heat, &o);
    }
    mw_model_free(heat);
}

/* ---- all operators: linear equations are exact, compared with many short steps ---- */

static void linear_equations_are_exact(void **unused)
{
    static const char *const equations[][2] = {
        { "a: -0.3 * a + 0.2 * lap(a) + 0.3 * d_x(a) - 0.2 * d_z(b) - upwind_y(0.2, a)",
          "b: 0.1 * avg(b) - 0.02 * lap(lap(b)) + 0.1 * div(0.5 * grad(b)) + 0.3 * d_y(a)" },
        { "a: 0.2 * d_xx(a) + 0.1 * d_xy(a) + 0.3 * d_yy(b) + 0.5 * lap(w)",
          "w = 0.02 * biharm(a) + 0.2 * a + 0.1 * b" },
        { "b complex: (0.1 + 0.2 * i) * lap(b) - 0.1 * d_xz(b) + 0.3 * i * d_yz(b)", NULL },
        { "a: b / 2", "b: 0.3 * (lap(a) - a * cos(0.5)) + 0.1 * d_zz(b) + (0.2 < 0.1 ? 1 : 0.1) * b" },
    };
    if (!native)
        skip();
    const size_t first = random_below(MW_COUNT(equations));
    for (size_t i = first; i < first + MW_COUNT(equations) / one_in(2); i++) { /* the compiler takes seconds */
        const char *const *e = equations[i % MW_COUNT(equations)];
        struct mw_field_options o = options_of(0, 0, NULL, true);
        struct mw_model *model;
        const char *texts[] = { e[0], e[1], "b: -0.1 * b" };
        const size_t count = !e[1] ? 1 : strncmp(e[1], "b:", 2) == 0 ? 2 : 3;
        OK(mw_model_from_equations(texts, count, NULL, 0, &model));
        o.dims = 1 + (unsigned)random_below(3);
        o.laplacian = o.dims > 1 ? (enum mw_laplacian)random_below(3) : (enum mw_laplacian)random_below(2);
        for (unsigned d = 0; d < o.dims; d++) {
            o.length[d] = 4 + random_below(5);
            o.spacing[d] = o.laplacian == MW_LAPLACIAN_ISOTROPIC ? 1.25 : 0.75 + (double)random_below(3) / 4;
        }
        o.integrator = MW_INTEGRATOR_RK4;
        o.dt = 1.0 / 2048;
        struct mw_array expected = evolve(model, &o, NULL, 2048), got;
        o.integrator = (enum mw_integrator)(MW_INTEGRATOR_ETD2 + random_below(3));
        o.dt = 1;
        got = evolve(model, &o, NULL, 1);
        if (distance(&got, &expected) > 1e-10)
            fail_msg("%s, %u dimensions, %s: wrong by %g", e[0], o.dims, mw_laplacian_name((int)o.laplacian),
                     distance(&got, &expected));
        mw_array_free(&expected);
        mw_array_free(&got);
        mw_model_free(model);
    }
}

/* ---- bits ---- */

static void bits_are_those_of_one_core(void **unused)
{
    static const struct {
        const char *model;
        unsigned dims;
        size_t length[3];
        double dt;
    } cases[] = { { "cahn-hilliard", 2, { 37, 21 }, 1 },    { "schroedinger", 2, { 16, 24 }, 0.1 },
                  { "gray-scott", 3, { 9, 6, 8 }, 1 },      { "cahn-hilliard-cook", 2, { 20, 18 }, 0.5 },
                  { "swift-hohenberg", 1, { 61 }, 0.5 },    { "kuramoto-sivashinsky", 2, { 32, 32 }, 0.2 },
                  { "advection", 2, { 17, 12 }, 1 },        { "cahn-hilliard", 3, { 12, 7, 10 }, 0.5 },
                  { "cahn-hilliard", 3, { 31, 26, 24 }, 1 } }; /* threads share the coefficients of the last one */
    for (size_t i = 0; i < MW_COUNT(cases) - (slow ? 1 : 0); i++)
        for (int method = MW_INTEGRATOR_ETD2; method <= MW_INTEGRATOR_STRANG; method++) {
            struct mw_field_options o = options_of(0, 0, NULL, info->fp64 && random_below(2));
            struct mw_model *model;
            if (native ? random_below(one_in(3)) != 0 : left_out(8))
                continue;
            model = load(cases[i].model);
            o.dims = cases[i].dims;
            for (unsigned d = 0; d < o.dims; d++)
                o.boundary[d] = random_below(3) ? MW_BOUNDARY_PERIODIC : MW_BOUNDARY_MIRROR;
            memcpy(o.length, cases[i].length, sizeof cases[i].length);
            o.integrator = (enum mw_integrator)method;
            o.dt = cases[i].dt;
            struct mw_array expected = evolve_on(&serial, 1, model, &o, NULL, 5), got = evolve(model, &o, NULL, 5);
            must_be_numbers(&got);
            if (memcmp(got.data, expected.data, got.count * mw_type_bytes(got.type)) != 0)
                fail_msg("%s by %s: other bits", cases[i].model, mw_integrator_name(method));
            mw_array_free(&expected);
            mw_array_free(&got);
            mw_model_free(model);
        }
}

/* ---- orders, and the energy ---- */

static void errors_fall_with_the_order(void **unused)
{
    static const struct {
        const char *model;
        double time, dt, least_2, least_4; /* steps are stiff in the first one, whose order is reduced */
    } cases[] = { { "cahn-hilliard", 2, 0.25, 1.6, 2.5 },
                  { "schroedinger", 1, 0.1, 1.9, 3.8 },
                  { "gray-scott", 20, 1, 1.8, 3.8 },
                  { "burgers", 1, 0.2, 1.9, 3.8 } };
    if (!native)
        skip();
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_field_options o = options_of(20, 16, NULL, true);
        struct mw_model *model = load(cases[i].model);
        struct mw_array start, exact;
        o.integrator = MW_INTEGRATOR_RK4;
        o.dt = 0.004;
        start = evolve(model, &o, NULL, 1000);
        exact = evolve(model, &o, &start, (uint64_t)(cases[i].time / o.dt + 0.5));
        for (int method = MW_INTEGRATOR_ETD2; method <= MW_INTEGRATOR_ETD4; method++) {
            double error[2];
            o.integrator = (enum mw_integrator)method;
            for (int half = 0; half < 2; half++) {
                o.dt = cases[i].dt / (1 + half);
                struct mw_array got = evolve(model, &o, &start, (uint64_t)(cases[i].time / o.dt + 0.5));
                error[half] = distance(&got, &exact);
                mw_array_free(&got);
            }
            const double order = log2(error[0] / error[1]);
            print_message("%s, %s: errors %.2g and %.2g, order %.2f\n", cases[i].model, mw_integrator_name(method),
                          error[0], error[1], order);
            assert_true(order > (method == MW_INTEGRATOR_ETD2 ? cases[i].least_2 : cases[i].least_4));
            assert_true(error[1] < 0.01);
        }
        mw_array_free(&start);
        mw_array_free(&exact);
        mw_model_free(model);
    }
}

static void energies_never_rise(void **unused)
{
    struct mw_model *model = load("cahn-hilliard");
    for (int method = MW_INTEGRATOR_ETD2; method <= MW_INTEGRATOR_ETD4 && native; method++)
        for (double dt = 0.5; dt < 100; dt *= 4) {
            struct mw_field_options o = options_of(32, 28, NULL, true);
            struct mw_field *field;
            double before = HUGE_VAL, energy;
            o.integrator = (enum mw_integrator)method;
            o.dt = dt;
            OK(mw_field_new(&device, 1, model, &o, &field));
            for (int step = 0; step < 60; step++, before = energy) {
                OK(mw_field_energy(field, &energy));
                assert_true(energy <= before + 1e-9);
                OK(mw_field_advance(field, 1));
            }
            assert_true(energy < -10);
            mw_field_free(field);
        }
    mw_model_free(model);
}

/* ---- parameters and refusals ---- */

static void parameters_may_change(void **unused)
{
    struct mw_model *heat = load("heat");
    struct mw_field_options o = options_of(12, 9, NULL, false);
    struct mw_field *field;
    struct mw_array first, both, again;
    o.integrator = MW_INTEGRATOR_ETD2;
    o.dt = 3;
    first = evolve(heat, &o, NULL, 2);
    OK(mw_field_new(&device, 1, heat, &o, &field));
    OK(mw_field_advance(field, 2));
    OK(mw_field_set_param(field, 0, "D", 0.05));
    OK(mw_field_advance(field, 3));
    OK(mw_field_get(field, &both));
    mw_field_free(field);
    const double D = 0.05;
    o.params = &D;
    again = evolve(heat, &o, &first, 3);
    assert_memory_equal(both.data, again.data, both.count * sizeof(float));
    mw_array_free(&first);
    mw_array_free(&both);
    mw_array_free(&again);
    mw_model_free(heat);
}

/* Without other terms a step adds the noise, as a step by Euler does. */
static void noise_is_as_by_euler(void **unused)
{
    static const enum mw_integrator integrators[] = { MW_INTEGRATOR_EULER, MW_INTEGRATOR_ETD2, MW_INTEGRATOR_ETD4 };
    struct mw_model *kpz = load("kpz");
    struct mw_array state[MW_COUNT(integrators)], zero;
    for (size_t i = 0; i < MW_COUNT(integrators); i++) {
        struct mw_field_options o = options_of(20, 14, NULL, false);
        struct mw_field *field;
        o.integrator = integrators[i];
        o.dt = 0.25;
        OK(mw_field_new(&device, 1, kpz, &o, &field));
        OK(mw_field_set_param(field, 0, "n", 0));
        OK(mw_field_set_param(field, 0, "l", 0));
        OK(mw_field_get(field, &zero));
        OK(mw_field_advance(field, 3));
        OK(mw_field_get(field, &state[i]));
        mw_field_free(field);
        assert_true(distance(&state[i], &zero) > 0.01);
        assert_true(distance(&state[i], &state[0]) < 1e-5);
        mw_array_free(&zero);
    }
    for (size_t i = 0; i < MW_COUNT(integrators); i++)
        mw_array_free(&state[i]);
    mw_model_free(kpz);
}

static void others_are_refused(void **unused)
{
    struct mw_model *heat = load("heat");
    struct mw_device *const both[] = { device, serial };
    struct mw_field *field;
    struct mw_field_options o = options_of(16, 16, NULL, false), fixed, many;
    o.integrator = MW_INTEGRATOR_ETD4;
    fixed = many = o;
    fixed.boundary[1] = MW_BOUNDARY_FIXED;
    many.systems = 2;
    FAILS(MW_ENOTSUP, "requires periodic or mirror", mw_field_new(&device, 1, heat, &fixed, &field));
    FAILS(MW_ENOTSUP, "one system", mw_field_new(&device, 1, heat, &many, &field));
    FAILS(MW_ENOTSUP, "uses one device", mw_field_new(both, 2, heat, &o, &field));
    mw_model_free(heat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_of_heat_are_exact),    cmocka_unit_test(linear_equations_are_exact),
        cmocka_unit_test(bits_are_those_of_one_core), cmocka_unit_test(errors_fall_with_the_order),
        cmocka_unit_test(energies_never_rise),        cmocka_unit_test(parameters_may_change),
        cmocka_unit_test(noise_is_as_by_euler),       cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, open_with_serial, close_with_serial);
}
/* SPDX-License-Identifier: MIT */

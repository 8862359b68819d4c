/* Field equations on one device, $MESHWORK_TEST_DEVICE: compared with known properties of the equations; and errors. */
#include "dev/core/backend.h"

#include "tests/device/field/evolve.h"
#include "tests/device/rng/expected.h"

#include <math.h>

/* ---- tests: known properties ---- */

static void the_mean_is_conserved(void **unused)
{
    struct mw_model *model = load("cahn-hilliard");
    const size_t n = slow ? 24 : 128;
    const struct mw_field_options o = options_of(n, n, NULL, false);
    struct mw_array start = evolve(model, &o, NULL, 0), end = evolve(model, &o, NULL, slow ? 5 : native ? 1000 : 100);
    double before, after;
    assert_int_equal(mw_field_means(&start, 1, &before), 0);
    assert_int_equal(mw_field_means(&end, 1, &after), 0);
    if (!(fabs(after - before) < 1e-6))
        fail_msg("the mean went from %.9g to %.9g", before, after);
    if (memcmp(start.data, end.data, start.count * 4) == 0)
        fail_msg("nothing happened");
    mw_array_free(&start);
    mw_array_free(&end);
    mw_model_free(model);
}

static void put(struct mw_array *a, size_t k, double v)
{
    if (a->type == MW_TYPE_F32)
        ((float *)a->data)[k] = (float)v;
    else
        ((double *)a->data)[k] = v;
}

static double get(const struct mw_array *a, size_t k)
{
    return a->type == MW_TYPE_F32 ? (double)((float *)a->data)[k] : ((double *)a->data)[k];
}

/* A small wave on a flat state grows by exp(sigma t), sigma = m q (b - 3 u c0^2 - K q). */
static void a_single_mode_grows_at_its_rate(void **unused)
{
    static const struct {
        int kx, ky;
        double c0;
    } modes[] = { { 1, 0, 0 }, { 0, 2, 0 }, { 2, 1, 0.3 }, { 3, 3, 0.1 }, { 5, 0, 0 } };
    struct mw_model *model = load("cahn-hilliard");
    const size_t nx = 32, ny = 16;
    const double pi = acos(-1), amplitude = 1e-4;
    const int steps = slow ? 20 : 400;
    for (size_t i = 0; i < MW_COUNT(modes); i += native ? 1 : 2) {
        struct mw_field_options o = options_of(nx, ny, NULL, info->fp64);
        const double wx = 2 * pi * modes[i].kx / (double)nx, wy = 2 * pi * modes[i].ky / (double)ny;
        const double q = 2 - 2 * cos(wx) + 2 - 2 * cos(wy), t = 0.01 * steps;
        const double expected = q * (1 - 3 * modes[i].c0 * modes[i].c0 - q);
        struct mw_array start = { 0 }, end;
        double before = 0, after = 0;
        assert_int_equal(mw_array_new(info->fp64 ? MW_TYPE_F64 : MW_TYPE_F32, 2, o.length, &start), 0);
        for (size_t k = 0; k < nx * ny; k++)
            put(&start, k, modes[i].c0 + amplitude * cos(wx * (double)(k % nx) + wy * (double)(k / nx)));
        end = evolve(model, &o, &start, (uint64_t)steps);
        for (size_t k = 0; k < nx * ny; k++) {
            const double wave = cos(wx * (double)(k % nx) + wy * (double)(k / nx));
            before += get(&start, k) * wave;
            after += get(&end, k) * wave;
        }
        const double rate = log(after / before) / t;
        if (!(fabs(rate - expected) < 0.01 * fabs(expected)))
            fail_msg("mode %d,%d about %g grew at %g, not %g", modes[i].kx, modes[i].ky, modes[i].c0, rate, expected);
        mw_array_free(&start);
        mw_array_free(&end);
    }
    mw_model_free(model);
}

static double largest_difference(const struct mw_array *a, const struct mw_array *b)
{
    double most = 0;
    for (size_t k = 0; k < a->count; k++)
        most = fmax(most, fabs(get(a, k) - get(b, k)));
    return most;
}

/* Halving dt divides the error of RK2 by four, and halves that of Euler. */
static void integrators_converge_at_their_order(void **unused)
{
    if (!info->fp64 || slow || left_out(4))
        skip();
    struct mw_model *model = load("cahn-hilliard");
    for (int order = 1; order <= 2; order++) {
        struct mw_field_options o = options_of(32, 32, NULL, true);
        struct mw_array exact;
        double error[3];
        o.dt = 0.4 / 4096;
        exact = evolve(model, &o, NULL, 4096);
        o.integrator = order == 2 ? MW_INTEGRATOR_RK2 : MW_INTEGRATOR_EULER;
        for (int i = 0; i < 3; i++) {
            const uint64_t steps = (uint64_t)64 << i;
            o.dt = 0.4 / (double)steps;
            struct mw_array state = evolve(model, &o, NULL, steps);
            error[i] = largest_difference(&state, &exact);
            mw_array_free(&state);
        }
        for (int i = 0; i < 2; i++) {
            const double found = log2(error[i] / error[i + 1]);
            if (!(fabs(found - order) < 0.15))
                fail_msg("order %g where %d was expected (errors %g, %g)", found, order, error[i], error[i + 1]);
        }
        mw_array_free(&exact);
    }
    mw_model_free(model);
}

/* Shifting the start shifts the end, bit for bit. */
static void a_shifted_start_gives_a_shifted_end(void **unused)
{
    struct mw_model *model = load("cahn-hilliard");
    const size_t nx = 37, ny = 22;
    const struct mw_field_options o = options_of(nx, ny, NULL, false);
    struct mw_array start = evolve(model, &o, NULL, 0), shifted = { 0 }, end = evolve(model, &o, NULL, 4), other;
    assert_int_equal(mw_array_new(MW_TYPE_F32, 2, o.length, &shifted), 0);
    for (size_t k = 0; k < nx * ny; k++)
        put(&shifted, (k / nx + 5) % ny * nx + (k % nx + 11) % nx, get(&start, k));
    other = evolve(model, &o, &shifted, 4);
    for (size_t k = 0; k < nx * ny; k++)
        if (get(&end, k) != get(&other, (k / nx + 5) % ny * nx + (k % nx + 11) % nx))
            fail_msg("cell %zu differs", k);
    mw_array_free(&start);
    mw_array_free(&shifted);
    mw_array_free(&end);
    mw_array_free(&other);
    mw_model_free(model);
}

/* Each number of the noise is in its place, and all have the moments of a uniform distribution. */
static void noise_is_uniform(void **unused)
{
    struct mw_model *model = load("cahn-hilliard");
    const struct mw_field_options o = options_of(slow ? 64 : 512, 64, NULL, false);
    struct mw_array state = evolve(model, &o, NULL, 0);
    double sum = 0, squares = 0;
    for (size_t k = 0; k < state.count; k++) {
        const double v = get(&state, k) / 0.1;
        assert_true(v >= -1.0000001 && v <= 1.0000001);
        sum += v;
        squares += v * v;
    }
    /* Five standard deviations of the means of n uniform numbers and of their squares. */
    const double n = (double)state.count;
    assert_true(fabs(sum / n) < 5 * sqrt(1.0 / 3 / n));
    assert_true(fabs(squares / n - 1.0 / 3) < 5 * sqrt(4.0 / 45 / n));
    mw_array_free(&state);
    mw_model_free(model);
}

/* The value of a noise term at a cell in a step: a word's bytes minus their mean, in units of their deviation. */
static double noise_at(uint64_t cell, uint64_t length, uint64_t step, uint32_t term, uint64_t seed)
{
    const uint64_t x = cell % length, block = cell / length * ((length + 3) / 4) + x / 4;
    const uint32_t purpose = (term + 1) << 24 | (uint32_t)(step >> 32);
    uint32_t c[4] = { (uint32_t)block, (uint32_t)(block >> 32), (uint32_t)step, purpose };
    const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    philox_words(c, key);
    const uint32_t word = c[x % 4];
    return ((double)(word >> 24) + (word >> 16 & 255) + (word >> 8 & 255) + (word & 255) - 510) / sqrt(21845);
}

/* Two steps from a late step on; the second one has another upper half of its number. */
static void check_noise(const struct mw_model *model, size_t nx, size_t ny, const char *shape)
{
    const uint64_t first = ((uint64_t)1 << 32) - 1;
    const size_t cells = nx * ny;
    struct mw_field_options o = options_of(nx, ny, shape, false);
    struct mw_array state = { 0 };
    struct mw_field *field;
    o.seed = (uint64_t)3 << 40 | 5;
    o.boundary[0] = o.boundary[1] = MW_BOUNDARY_MIRROR;
    OK(mw_field_new(&device, 1, model, &o, &field));
    mw_field_set_step(field, first);
    OK(mw_field_advance(field, 2));
    OK(mw_field_get(field, &state));
    for (size_t k = 0; k < cells; k++) {
        const double x = noise_at(k, nx, first, 0, o.seed) + noise_at(k, nx, first + 1, 0, o.seed);
        const double z = noise_at(k, nx, first, 1, o.seed) + noise_at(k, nx, first + 1, 1, o.seed);
        /* Noise of variance 1 / dt, and of variance 1, for two steps of dt = 1/4. */
        if (!(fabs(get(&state, k) - 0.5 * x) < 1e-5 && fabs(get(&state, 2 * cells + k) - 0.25 * z) < 1e-5))
            fail_msg("%zux%zu, %s: cell %zu", nx, ny, shape ? shape : "auto", k);
    }
    mw_array_free(&state);
    mw_field_free(field);
}

static void noise_terms_are_words_of_their_cells(void **unused)
{
    static const size_t lengths[][2] = { { 37, 9 }, { 5, 3 }, { 128, 2 } };
    static const char *const shapes[] = { "variant=registers,vec=4,per_item=1,rows=5,group=16x1,steps=0",
                                          "variant=registers,vec=4,per_item=1,rows=5,group=16x1,steps=2",
                                          "variant=registers,vec=2,per_item=1,rows=9,group=12x1,steps=1",
                                          "variant=registers,vec=1,per_item=1,rows=5,group=16x1,steps=1",
                                          "variant=registers,vec=4,per_item=2,rows=1,group=4x6,steps=2" };
    struct mw_model *model = load("tests/device/models/noise.cl");
    for (size_t i = 0; i < MW_COUNT(lengths); i++) {
        check_noise(model, lengths[i][0], lengths[i][1], NULL);
        if (!native && !left_out(2))
            check_noise(model, lengths[i][0], lengths[i][1], shapes[random_below(MW_COUNT(shapes))]);
    }
    mw_model_free(model);
}

/* Noise does not depend on where it is computed: in registers also far beyond a mesh narrower than a group. */
static void noise_is_the_same_in_registers(void **unused)
{
    static const char *const shapes[] = { "variant=registers,vec=4,per_item=1,rows=5,group=16x1,steps=0",
                                          "variant=registers,vec=4,per_item=1,rows=5,group=16x1,steps=1",
                                          "variant=registers,vec=4,per_item=1,rows=5,group=20x1,steps=2",
                                          "variant=registers,vec=4,per_item=4,rows=1,group=8x4,steps=1" };
    if (mw_device_info(device)->kind == MW_DEVICE_NATIVE)
        skip();
    struct mw_model *cook = load("cahn-hilliard-cook");
    for (int i = 0; i < 4; i++) {
        const size_t across = random_below(2) ? 13 : 16; /* rows of whole vectors, and others */
        if (left_out(slow_compiler ? 6 : 2))
            continue;
        const enum mw_boundary boundary = (enum mw_boundary)(1 + (i < 3 ? (size_t)i : random_below(3)));
        struct mw_field_options o = options_of(across, 9, "variant=staged,vec=1,per_item=1,rows=1,group=4x1", false);
        o.boundary[0] = o.boundary[1] = boundary;
        o.dims = i < 3 ? 2 : 1;
        struct mw_array expected = evolve(cook, &o, NULL, 3);
        o.shape = i < 3 ? shapes[random_below(MW_COUNT(shapes))]
                        : "variant=registers,vec=4,per_item=1,rows=1,group=16x1,steps=2";
        struct mw_array state = evolve(cook, &o, NULL, 3);
        for (size_t k = 0; state.data && k < expected.count; k++)
            if (get(&state, k) != get(&expected, k))
                fail_msg("boundary %d, %s: cell %zu differs", boundary, o.shape, k);
        mw_array_free(&expected);
        mw_array_free(&state);
    }
    mw_model_free(cook);
}

/* A model with noise of amplitude 0 equals the one without noise. */
static void noise_without_amplitude_is_none(void **unused)
{
    static const double params[] = { 1, 1, 1, 1, 0 };
    struct mw_model *cook = load("cahn-hilliard-cook"), *plain = load("cahn-hilliard");
    struct mw_field_options o = options_of(40, 24, NULL, false);
    struct mw_array with, without = evolve(plain, &o, NULL, slow ? 3 : 20);
    o.params = params;
    with = evolve(cook, &o, NULL, slow ? 3 : 20);
    for (size_t k = 0; k < with.count; k++)
        assert_true(get(&with, k) == get(&without, k));
    mw_array_free(&with);
    mw_array_free(&without);
    mw_model_free(cook);
    mw_model_free(plain);
}

/* The memory of a field equals the prediction; for whole steps in registers it is at most two states. */
static void memory_is_what_was_said(void **unused)
{
    static const char *const shapes[] = { "variant=fused", "variant=registers,vec=4,per_item=1,group=16x1,steps=0",
                                          "variant=registers,vec=4,per_item=1,group=16x1,steps=1" };
    struct mw_model *model = load(native ? "cahn-hilliard" : HEAT);
    for (size_t i = 0; i < (native ? 1 : MW_COUNT(shapes)); i++) {
        struct mw_field_options o = options_of(20, 12, shapes[i], false);
        const uint64_t before = device->allocated, state = 20 * 12 * sizeof(float);
        struct mw_field *field;
        uint64_t said;
        o.integrator = MW_INTEGRATOR_RK4;
        OK(mw_field_bytes(model, &o, &said));
        OK(mw_field_new(&device, 1, model, &o, &field));
        if (device->allocated - before != said || said != (i < 2 ? 4 : 2) * state)
            fail_msg("%s: %llu bytes, but %llu were reported", shapes[i],
                     (unsigned long long)(device->allocated - before), (unsigned long long)said);
        mw_field_free(field);
        assert_int_equal(device->allocated, before);
    }
    mw_model_free(model);
}

/* ---- tests: errors ---- */

static void refuse(const struct mw_model *model, const struct mw_field_options *o, int status)
{
    struct mw_field *field = (struct mw_field *)&field;
    const int rc = mw_field_new(&device, 1, model, o, &field);
    if (rc != status)
        fail_msg("%zux%zu, %s: %d instead of %d (%s)", o->length[0], o->length[1], o->shape ? o->shape : "auto", rc,
                 status, mw_errmsg());
    assert_ptr_equal(field, &field);
    assert_true(strlen(mw_errmsg()) > 10);
    assert_null(strchr(mw_errmsg(), '\n'));
}

static void bad_options_are_refused(void **unused)
{
    struct mw_model *model = load("cahn-hilliard"), *heat = load(HEAT);
    struct mw_field_options o = options_of(8, 8, NULL, false), bad;
    bad = o, bad.dims = MW_DIMS_MAX + 1, refuse(model, &bad, MW_EINVAL);
    bad = o, bad.dims = 0, refuse(model, &bad, MW_EINVAL);
    bad = o, bad.length[0] = 0, refuse(model, &bad, MW_EINVAL);
    bad = o, bad.length[1] = (size_t)1 << 40, refuse(model, &bad, MW_ELIMIT);
    bad = o, bad.length[0] = bad.length[1] = 2000000000, refuse(model, &bad, MW_ELIMIT);
    bad = o, bad.variant = "fastest", refuse(model, &bad, MW_EINVAL);
    bad = o, bad.shape = "vec=3", refuse(model, &bad, MW_EINVAL);
    bad = o, bad.shape = "nonsense", refuse(model, &bad, MW_EINVAL);
    bad = o, bad.shape = "variant=fused,rows=0", refuse(model, &bad, MW_EINVAL);
    bad = o, bad.shape = "variant=staged", refuse(heat, &bad, MW_EINVAL);
    bad = o, bad.shape = "variant=rolling,per_item=0", refuse(model, &bad, MW_EINVAL);
    if (!info->fp64)
        bad = o, bad.fp64 = true, refuse(model, &bad, MW_ENOTSUP);
    mw_model_free(model);
    mw_model_free(heat);
}

/* Variants that need properties of a device or a mesh. */
static void variants_are_refused_where_they_cannot_be(void **unused)
{
    static const char *const names[] = { "tile", "image", "image-tile", "async" };
    struct mw_model *model = load("cahn-hilliard");
    struct mw_field_options o = options_of(8, 8, NULL, false);
    for (size_t i = 0; i < MW_COUNT(names); i++) {
        o.variant = names[i];
        o.dims = 1, refuse(model, &o, MW_EINVAL);
        o.dims = 2;
        if (info->kind == MW_DEVICE_NATIVE)
            refuse(model, &o, MW_ENOTSUP);
    }
    if (info->kind != MW_DEVICE_NATIVE) {
        static const char *const bad[] = { "variant=tile,vec=1,per_item=1,group=4x16",
                                           "variant=tile,group=16x4,rows=1",
                                           "variant=tile,per_item=0",
                                           "variant=async,group=4x2",
                                           "variant=async,group=5000x1",
                                           "variant=tile,rows=5000",
                                           "variant=tile,group=0x0" };
        for (size_t i = 0; i < MW_COUNT(bad); i++) {
            o.variant = strstr(bad[i], "tile") ? "tile" : "async";
            o.shape = bad[i], refuse(model, &o, MW_EINVAL);
        }
        o.variant = "tile";
        o.shape = "per_item=64,rows=64,group=32x8", refuse(model, &o, MW_ELIMIT);
        o.variant = "image";
        o.shape = "vec=2", refuse(model, &o, info->images ? MW_EINVAL : MW_ENOTSUP);
    }
    mw_model_free(model);
}

static void too_large_a_group_fails_cleanly(void **unused)
{
    if (info->kind == MW_DEVICE_NATIVE)
        skip();
    struct mw_model *model = load("cahn-hilliard");
    const char *shape = "variant=fused,vec=1,per_item=1,rows=1,group=65536x65536";
    const struct mw_field_options o = options_of(64, 64, shape, false);
    struct mw_field *field = NULL;
    int rc = mw_field_new(&device, 1, model, &o, &field);
    if (rc == 0)
        rc = mw_field_advance(field, 1);
    assert_int_equal(rc, MW_ELIMIT);
    mw_field_free(field);
    mw_model_free(model);
}

static void a_state_of_another_shape_is_refused(void **unused)
{
    struct mw_model *model = load("cahn-hilliard");
    const struct mw_field_options o = options_of(8, 4, NULL, false);
    const size_t turned[2] = { 4, 8 };
    struct mw_array wrong = { 0 }, other = { 0 };
    struct mw_field *field = NULL;
    assert_int_equal(mw_field_new(&device, 1, model, &o, &field), 0);
    assert_int_equal(mw_array_new(MW_TYPE_F32, 2, turned, &wrong), 0);
    assert_int_equal(mw_array_new(MW_TYPE_I32, 2, o.length, &other), 0);
    assert_int_equal(mw_field_set(field, &wrong), MW_EINVAL);
    assert_int_equal(mw_field_set(field, &other), MW_EINVAL);
    mw_array_free(&wrong);
    mw_array_free(&other);
    mw_field_free(field);
    mw_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_conserved),
        cmocka_unit_test(a_single_mode_grows_at_its_rate),
        cmocka_unit_test(integrators_converge_at_their_order),
        cmocka_unit_test(a_shifted_start_gives_a_shifted_end),
        cmocka_unit_test(noise_is_uniform),
        cmocka_unit_test(noise_terms_are_words_of_their_cells),
        cmocka_unit_test(noise_is_the_same_in_registers),
        cmocka_unit_test(noise_without_amplitude_is_none),
        cmocka_unit_test(memory_is_what_was_said),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(variants_are_refused_where_they_cannot_be),
        cmocka_unit_test(too_large_a_group_fails_cleanly),
        cmocka_unit_test(a_state_of_another_shape_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

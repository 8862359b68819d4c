/* Field equations on the device named by $MESHWORK_TEST_DEVICE: against references written here in plain C, in every
 * variant and shape, and against what is known of the equation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork.h>

#include <cmocka.h>

#include "base/base.h"

static struct mw_device *device;
static const struct mw_device_info *info;
static bool slow;                /* a simulator: fewer and smaller cases */

static char *source_path(const char *name, char *path, size_t size)
{
    const char *srcdir = getenv("srcdir");
    snprintf(path, size, "%s/%s", srcdir ? srcdir : ".", name);
    return path;
}

static struct mw_model *load(const char *name)
{
    struct mw_model *model = NULL;
    char path[4096];
    const int rc = strchr(name, '/') ? mw_model_load(source_path(name, path, sizeof path), NULL, &model)
                                     : mw_model_load(name, NULL, &model);
    if (rc != 0)
        fail_msg("%s", mw_errmsg());
    return model;
}

#define CHAIN "tests/device/models/chain.cl"
#define HEAT "tests/device/models/heat.cl"
#define BROKEN "tests/device/models/broken.cl"

/* ---- shapes ---- */

static const char *const shapes[] = {
    "variant=fused,vec=1,per_item=1,rows=1,group=8x2",
    "variant=fused,vec=1,per_item=3,rows=2,group=0x0",
    "variant=fused,vec=4,per_item=2,rows=3,group=2x4",
    "variant=fused,vec=16,per_item=0,rows=5,group=1x1",
    "variant=staged,vec=1,per_item=1,rows=1,group=16x1",
    "variant=staged,vec=8,per_item=0,rows=2,group=1x2",
    "variant=rolling,vec=1,per_item=5,rows=4,group=1x1",
    "variant=rolling,vec=2,per_item=64,rows=64,group=1x1",
    "variant=rolling,vec=16,per_item=2,rows=7,group=1x1",
    "variant=temporal,vec=1,per_item=100,rows=6,group=1x1",
    "variant=temporal,vec=4,per_item=3,rows=5,group=1x1",
    "variant=temporal,vec=16,per_item=4,rows=64,group=1x1",
    "variant=tile,vec=1,per_item=1,rows=1,group=16x16",
    "variant=tile,vec=1,per_item=2,rows=3,group=12x8",
    "variant=tile,vec=4,per_item=1,rows=2,group=8x8",
    "variant=tile,vec=1,per_item=1,rows=6,group=24x1",
    "variant=image,vec=1,per_item=1,rows=1,group=8x4",
    "variant=image-tile,vec=1,per_item=1,rows=2,group=16x8",
    "variant=image-tile,vec=1,per_item=1,rows=9,group=32x1",
    "variant=async,vec=1,per_item=9,rows=5,group=3x1",
    "variant=async,vec=4,per_item=3,rows=6,group=4x1",
    "variant=async,vec=16,per_item=2,rows=64,group=1x1",
};
static const char *const native_shapes[] = { "variant=fused", "variant=staged,rows=3", "variant=rolling,per_item=2,rows=5",
                                             "variant=temporal,per_item=64,rows=128", "variant=temporal,per_item=3,rows=7" };

static bool has_what_it_needs(const char *shape, bool fp64)
{
    const size_t length[2] = { 4, 4 };
    return !strstr(shape, "variant=image") || mw_image_check(device, 2, length, fp64 ? 8 : 4) == 0;
}

/* rusticl's compiler takes minutes over long vectors, which its device does not have. */
static bool usable(const char *shape)
{
    return (info->vector_width >= 4 || !strstr(shape, "vec=16")) && has_what_it_needs(shape, false);
}

/* Evaluated in place, the chain looks at cells hundreds of times: long vectors of that take minutes to compile, and
 * rusticl takes as long over anything but single lanes of its simpler variants. */
static bool usable_for_chain(const char *shape)
{
    const bool fused = strstr(shape, "fused") || strstr(shape, "image,"), single = strstr(shape, "vec=1,") != NULL;
    return has_what_it_needs(shape, false) && (info->vector_width >= 4 ? !fused || single : !fused && single);
}

static size_t shape_count(void)
{
    return info->kind == MW_DEVICE_NATIVE ? MW_COUNT(native_shapes) : MW_COUNT(shapes);
}

static const char *shape_at(size_t i)
{
    return info->kind == MW_DEVICE_NATIVE ? native_shapes[i] : shapes[i];
}

/* ---- running ---- */

static struct mw_field_options options_of(size_t nx, size_t ny, const char *shape, bool fp64)
{
    return (struct mw_field_options){ .dims = 2, .length = { nx, ny }, .integrator = MW_INTEGRATE_RK2, .fp64 = fp64,
                                      .seed = 7, .shape = shape, .no_tune = true };
}

/* Runs from `start` (NULL: from noise) and gives the final state; no data where the shape is beyond the device's limits. */
static struct mw_array evolve(const struct mw_model *model, const struct mw_field_options *o,
                              const struct mw_array *start, uint64_t steps)
{
    struct mw_field *field = NULL;
    struct mw_array state = { 0 };
    int rc;
    TRY(mw_field_new(device, model, o, &field));
    if (start)
        TRY(mw_field_set(field, start));
    TRY(mw_field_advance(field, steps));
    TRY(mw_field_get(field, &state));
out:
    if (rc != 0 && !(rc == MW_ELIMIT && o->shape))
        fail_msg("%zux%zu, %s: %s", o->length[0], o->length[1], o->shape ? o->shape : "auto", mw_errmsg());
    mw_field_free(field);
    return state;
}

/* ---- references: one cell after the other, modulo at every look ---- */

#define REFERENCE(real, suffix)                                                                                      \
    static real cell_##suffix(const real *f, long nx, long ny, long x, long y)                                       \
    {                                                                                                                \
        return f[((y % ny + ny) % ny) * nx + (x % nx + nx) % nx];                                                    \
    }                                                                                                                \
    static real lap_##suffix(const real *f, long nx, long ny, long x, long y)                                        \
    {                                                                                                                \
        const real sum = (cell_##suffix(f, nx, ny, x - 1, y) + cell_##suffix(f, nx, ny, x + 1, y)) +                 \
                         (cell_##suffix(f, nx, ny, x, y - 1) + cell_##suffix(f, nx, ny, x, y + 1));                  \
        return sum - 4 * cell_##suffix(f, nx, ny, x, y);                                                             \
    }                                                                                                                \
    static void hilliard_rate_##suffix(real *rate, const real *c, real *mu, long nx, long ny)                        \
    {                                                                                                                \
        for (long k = 0; k < nx * ny; k++)                                                                           \
            mu[k] = c[k] * c[k] * c[k] - c[k] - lap_##suffix(c, nx, ny, k % nx, k / nx);                             \
        for (long k = 0; k < nx * ny; k++)                                                                           \
            rate[k] = lap_##suffix(mu, nx, ny, k % nx, k / nx);                                                      \
    }                                                                                                                \
    static void chain_rate_##suffix(real *rate, const real *ab, real *work, long nx, long ny)                        \
    {                                                                                                                \
        const long n = nx * ny;                                                                                      \
        const real *a = ab, *b = ab + n;                                                                             \
        real *p = work, *q = work + n, *r = work + 2 * n;                                                            \
        for (long k = 0; k < n; k++)                                                                                 \
            p[k] = lap_##suffix(a, nx, ny, k % nx, k / nx) + b[k] * b[k];                                            \
        for (long k = 0; k < n; k++)                                                                                 \
            q[k] = (real)0.5 * p[k] - (real)0.25 * lap_##suffix(p, nx, ny, k % nx, k / nx);                          \
        for (long k = 0; k < n; k++)                                                                                 \
            r[k] = a[k] * p[k];                                                                                      \
        for (long k = 0; k < n; k++) {                                                                               \
            rate[k] = (real)0.5 * lap_##suffix(q, nx, ny, k % nx, k / nx);                                           \
            rate[n + k] = lap_##suffix(r, nx, ny, k % nx, k / nx) - (real)0.25 * p[k];                               \
        }                                                                                                            \
    }                                                                                                                \
    static void reference_##suffix(bool chain, real *state, long nx, long ny, double dt, int steps)                  \
    {                                                                                                                \
        const long n = nx * ny, all = chain ? 2 * n : n;                                                             \
        real *rate = calloc((size_t)all, sizeof *rate), *half = calloc((size_t)all, sizeof *half);                   \
        real *work = calloc((size_t)(3 * n), sizeof *work);                                                          \
        for (int s = 0; s < steps; s++) {                                                                            \
            (chain ? chain_rate_##suffix : hilliard_rate_##suffix)(rate, state, work, nx, ny);                       \
            for (long k = 0; k < all; k++)                                                                           \
                half[k] = state[k] + (real)(dt / 2) * rate[k];                                                       \
            (chain ? chain_rate_##suffix : hilliard_rate_##suffix)(rate, half, work, nx, ny);                        \
            for (long k = 0; k < all; k++)                                                                           \
                state[k] += (real)dt * rate[k];                                                                      \
        }                                                                                                            \
        free(rate);                                                                                                  \
        free(half);                                                                                                  \
        free(work);                                                                                                  \
    }
REFERENCE(float, single)
REFERENCE(double, double)

static void reference(bool chain, struct mw_array *state, size_t nx, size_t ny, double dt, int steps)
{
    if (state->type == MW_TYPE_F32)
        reference_single(chain, state->data, (long)nx, (long)ny, dt, steps);
    else
        reference_double(chain, state->data, (long)nx, (long)ny, dt, steps);
}

static void assert_same_bits(const struct mw_array *a, const struct mw_array *b, size_t nx, size_t ny, const char *what)
{
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->count, b->count);
    const size_t word = mw_type_bytes(a->type);
    for (size_t k = 0; k < a->count; k++)
        if (memcmp((char *)a->data + k * word, (char *)b->data + k * word, word) != 0)
            fail_msg("%zux%zu, %s: cell %zu differs", nx, ny, what, k);
}

static int checked;              /* cases that the device did not refuse */

/* From the device's own noise, a few steps on the device and in the reference. */
static void check_bits(const struct mw_model *model, bool chain, const struct mw_field_options *o, int steps)
{
    struct mw_array expected = evolve(model, o, NULL, 0), state = evolve(model, o, NULL, (uint64_t)steps);
    if (state.data) {
        reference(chain, &expected, o->length[0], o->length[1], mw_model_info(model)->dt, steps);
        assert_same_bits(&state, &expected, o->length[0], o->length[1], o->shape ? o->shape : "auto");
        checked++;
    }
    mw_array_free(&state);
    mw_array_free(&expected);
}

/* CPU drivers take seconds to compile a shape: there every run takes a fifth of them, and other ones each time. */
static bool taken(void)
{
    return slow || info->kind != MW_DEVICE_CPU || checked == 0 || rand() % 5 == 0;
}

static void must_have_checked(void)
{
    assert_true(checked > 0);
    checked = 0;
}

/* ---- tests: bits ---- */

static const size_t small_sizes[][2] = { { 1, 1 },  { 2, 1 },   { 1, 5 },   { 3, 2 },   { 2, 9 },   { 15, 4 },
                                         { 16, 3 }, { 17, 5 },  { 18, 18 }, { 31, 37 }, { 33, 16 }, { 64, 20 },
                                         { 97, 2 }, { 130, 11 } };

static void every_shape_gives_the_reference_bits(void **unused)
{
    (void)unused;
    struct mw_model *model = load("cahn-hilliard");
    for (size_t s = 0; s < shape_count(); s++)
        for (size_t i = 0; i < MW_COUNT(small_sizes) && usable(shape_at(s)); i += slow ? 3 : 1) {
            const struct mw_field_options o = options_of(small_sizes[i][0], small_sizes[i][1], shape_at(s), false);
            check_bits(model, false, &o, 2);
        }
    must_have_checked();
    mw_model_free(model);
}

static void double_precision_gives_the_reference_bits(void **unused)
{
    (void)unused;
    if (!info->fp64)
        skip();
    struct mw_model *model = load("cahn-hilliard");
    for (size_t s = 0; s < shape_count(); s++) {
        if (strstr(shape_at(s), "vec=16") || !has_what_it_needs(shape_at(s), true) || !taken())
            continue;
        for (size_t i = 0; i < MW_COUNT(small_sizes); i += slow ? 5 : 2) {
            const struct mw_field_options o = options_of(small_sizes[i][0], small_sizes[i][1], shape_at(s), true);
            check_bits(model, false, &o, 2);
        }
    }
    must_have_checked();
    mw_model_free(model);
}

static void random_sizes_give_the_reference_bits(void **unused)
{
    (void)unused;
    struct mw_model *model = load("cahn-hilliard");
    for (int i = 0; i < (slow ? 3 : 60); i++) {
        const char *shape = shape_at((size_t)rand() % shape_count());
        const size_t nx = 1 + (size_t)rand() % (slow ? 40 : 200), ny = 1 + (size_t)rand() % (slow ? 10 : 100);
        struct mw_field_options o = options_of(nx, ny, shape, false);
        o.seed = (uint64_t)rand();
        if (usable(shape))
            check_bits(model, false, &o, 1 + rand() % 3);
    }
    must_have_checked();
    mw_model_free(model);
}

/* 192x128 cells, 200 steps, seed 7: one checksum everywhere, that of the reference. */
static void a_longer_run_has_the_checksum_of_the_reference(void **unused)
{
    (void)unused;
    struct mw_model *model = load("cahn-hilliard");
    struct mw_field_options o = options_of(192, 128, NULL, false);
    struct mw_array expected = evolve(model, &o, NULL, 0);
    reference(false, &expected, 192, 128, 0.01, 200);
    for (size_t s = 0; s < shape_count(); s++) {
        const bool single = strstr(shape_at(s), "vec=1,") && strstr(shape_at(s), "fused");
        o.shape = shape_at(s);
        if ((slow ? !strstr(o.shape, "rows=7") : info->vector_width < 4 && !single) || !usable(o.shape))
            continue;
        struct mw_array state = evolve(model, &o, NULL, 200);
        if (state.data && mw_array_checksum(&state) != mw_array_checksum(&expected))
            fail_msg("%s: checksum %016llx instead of %016llx", o.shape, (unsigned long long)mw_array_checksum(&state),
                     (unsigned long long)mw_array_checksum(&expected));
        mw_array_free(&state);
    }
    print_message("checksum %016llx\n", (unsigned long long)mw_array_checksum(&expected));
    mw_array_free(&expected);
    mw_model_free(model);
}

static void stages_of_stages_and_several_fields(void **unused)
{
    (void)unused;
    struct mw_model *model = load(CHAIN);
    for (size_t s = 0; s < shape_count(); s++) {
        if (!usable_for_chain(shape_at(s)) || !taken())
            continue;
        for (size_t i = 0; i < MW_COUNT(small_sizes); i += slow ? 7 : 2) {
            const struct mw_field_options o = options_of(small_sizes[i][0], small_sizes[i][1], shape_at(s), false);
            check_bits(model, true, &o, 2);
        }
    }
    must_have_checked();
    mw_model_free(model);
}

static void tuning_does_not_touch_the_state(void **unused)
{
    (void)unused;
    struct mw_model *model = load("cahn-hilliard");
    struct mw_field_options o = options_of(48, 24, NULL, false);
    o.no_tune = false;
    o.tune_budget = 0.2;
    check_bits(model, false, &o, 3);
    check_bits(model, false, &o, 3);  /* remembered now */
    mw_model_free(model);
}

/* ---- tests: what is known of the equation ---- */

static void the_mean_is_conserved(void **unused)
{
    (void)unused;
    struct mw_model *model = load("cahn-hilliard");
    const size_t n = slow ? 24 : 128;
    const struct mw_field_options o = options_of(n, n, NULL, false);
    struct mw_array start = evolve(model, &o, NULL, 0), end = evolve(model, &o, NULL, slow ? 5 : 1000);
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

/* A small wave about a flat state grows by exp(sigma t), sigma = m q (b - 3 u c0^2 - K q). */
static void a_single_mode_grows_at_its_rate(void **unused)
{
    (void)unused;
    static const struct { int kx, ky; double c0; } modes[] = { { 1, 0, 0 }, { 0, 2, 0 }, { 2, 1, 0.3 }, { 3, 3, 0.1 },
                                                               { 5, 0, 0 } };
    struct mw_model *model = load("cahn-hilliard");
    const size_t nx = 32, ny = 16;
    const double pi = acos(-1), amplitude = 1e-4;
    const int steps = slow ? 20 : 400;
    for (size_t i = 0; i < MW_COUNT(modes); i += slow ? 2 : 1) {
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

/* Halving dt quarters the error of RK2 and halves Euler's. */
static void integrators_converge_at_their_order(void **unused)
{
    (void)unused;
    if (!info->fp64 || slow)
        skip();
    struct mw_model *model = load("cahn-hilliard");
    for (int order = 1; order <= 2; order++) {
        struct mw_field_options o = options_of(32, 32, NULL, true);
        struct mw_array exact;
        double error[3];
        o.dt = 0.4 / 4096;
        exact = evolve(model, &o, NULL, 4096);
        o.integrator = order == 2 ? MW_INTEGRATE_RK2 : MW_INTEGRATE_EULER;
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
    (void)unused;
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

/* Each number of the noise lies where it should, and the whole has the moments of a uniform distribution. */
static void noise_is_uniform(void **unused)
{
    (void)unused;
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

/* ---- tests: refusals ---- */

static void refuse(const struct mw_model *model, const struct mw_field_options *o, int status)
{
    struct mw_field *field = (struct mw_field *)&field;
    const int rc = mw_field_new(device, model, o, &field);
    if (rc != status)
        fail_msg("%zux%zu, %s: %d instead of %d (%s)", o->length[0], o->length[1], o->shape ? o->shape : "auto", rc,
                 status, mw_errmsg());
    assert_ptr_equal(field, &field);
    assert_true(strlen(mw_errmsg()) > 10);
    assert_null(strchr(mw_errmsg(), '\n'));
}

static void bad_options_are_refused(void **unused)
{
    (void)unused;
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
    bad = o, bad.shape = "rows=0", refuse(model, &bad, MW_EINVAL);
    bad = o, bad.shape = "variant=staged", refuse(heat, &bad, MW_EINVAL);
    bad = o, bad.shape = "variant=rolling,per_item=0", refuse(model, &bad, MW_EINVAL);
    if (!info->fp64)
        bad = o, bad.fp64 = true, refuse(model, &bad, MW_ENOTSUP);
    mw_model_free(model);
    mw_model_free(heat);
}

/* Variants that live off what only some devices and meshes have. */
static void variants_are_refused_where_they_cannot_be(void **unused)
{
    (void)unused;
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
        static const char *const bad[] = { "variant=tile,vec=1,group=4x16", "variant=tile,group=16x4,rows=1",
                                           "variant=tile,per_item=0", "variant=async,group=4x2",
                                           "variant=async,group=5000x1", "variant=tile,rows=5000",
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
    (void)unused;
    if (info->kind == MW_DEVICE_NATIVE)
        skip();
    struct mw_model *model = load("cahn-hilliard");
    const char *shape = "variant=fused,vec=1,per_item=1,rows=1,group=65536x65536";
    const struct mw_field_options o = options_of(64, 64, shape, false);
    struct mw_field *field = NULL;
    int rc = mw_field_new(device, model, &o, &field);
    if (rc == 0)
        rc = mw_field_advance(field, 1);
    assert_int_equal(rc, MW_ELIMIT);
    mw_field_free(field);
    mw_model_free(model);
}

static void a_broken_model_names_its_line(void **unused)
{
    (void)unused;
    if (info->kind == MW_DEVICE_NATIVE)
        skip();
    struct mw_model *model = load(BROKEN);
    const struct mw_field_options o = options_of(8, 8, "variant=fused,vec=1,per_item=1,rows=1", false);
    refuse(model, &o, MW_EBUILD);
    if (!strstr(mw_errmsg(), "broken.cl:5"))
        fail_msg("the message does not name broken.cl:5: %s", mw_errmsg());
    mw_model_free(model);
}

static void a_state_of_another_shape_is_refused(void **unused)
{
    (void)unused;
    struct mw_model *model = load("cahn-hilliard");
    const struct mw_field_options o = options_of(8, 4, NULL, false);
    const size_t turned[2] = { 4, 8 };
    struct mw_array wrong = { 0 }, other = { 0 };
    struct mw_field *field = NULL;
    assert_int_equal(mw_field_new(device, model, &o, &field), 0);
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
        cmocka_unit_test(every_shape_gives_the_reference_bits),
        cmocka_unit_test(double_precision_gives_the_reference_bits),
        cmocka_unit_test(random_sizes_give_the_reference_bits),
        cmocka_unit_test(a_longer_run_has_the_checksum_of_the_reference),
        cmocka_unit_test(stages_of_stages_and_several_fields),
        cmocka_unit_test(tuning_does_not_touch_the_state),
        cmocka_unit_test(the_mean_is_conserved),
        cmocka_unit_test(a_single_mode_grows_at_its_rate),
        cmocka_unit_test(integrators_converge_at_their_order),
        cmocka_unit_test(a_shifted_start_gives_a_shifted_end),
        cmocka_unit_test(noise_is_uniform),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(variants_are_refused_where_they_cannot_be),
        cmocka_unit_test(too_large_a_group_fails_cleanly),
        cmocka_unit_test(a_broken_model_names_its_line),
        cmocka_unit_test(a_state_of_another_shape_is_refused),
    };
    const char *given = getenv("MESHWORK_TEST_SEED");
    const unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)(mw_now() * 1e6);
    if (mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &device) != 0) {
        fprintf(stderr, "%s\n", mw_errmsg());
        return 1;
    }
    info = mw_device_info(device);
    slow = strstr(info->name, "Oclgrind") != NULL;
    print_message("%s: %s\nseed %u\n", info->id, info->name, seed);
    srand(seed);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mw_device_close(device);
    return failed;
}

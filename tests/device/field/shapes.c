/* Shapes of the field update on one device, $MESHWORK_TEST_DEVICE: every variant gives the bits of references in plain
 * C. */
#include "tests/device/field/evolve.h"

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
    "variant=temporal,vec=4,per_item=50,rows=9,group=1x1,steps=2",
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
    "variant=registers,vec=1,per_item=1,rows=3,group=24x1,steps=0",
    "variant=registers,vec=2,per_item=1,rows=5,group=16x1,steps=1",
    "variant=registers,vec=4,per_item=1,rows=9,group=8x1,steps=2",
    "variant=registers,vec=4,per_item=1,rows=0,group=8x1,steps=1",
    "variant=registers,vec=1,per_item=4,rows=1,group=10x3,steps=0",
    "variant=registers,vec=4,per_item=4,rows=1,group=6x5,steps=1",
    "variant=registers,vec=4,per_item=4,rows=1,group=8x8,steps=2",
};
static const char *const native_shapes[] = {
    "variant=fused",
    "variant=staged,rows=3",
    "variant=rolling,per_item=2,rows=5",
    "variant=temporal,per_item=64,rows=128",
    "variant=temporal,per_item=3,rows=7",
    "variant=temporal,per_item=64,rows=128,steps=2",
};

static bool has_what_it_needs(const char *shape, bool fp64)
{
    const size_t length[2] = { 4, 4 };
    return !strstr(shape, "variant=image") || mw_image_check(device, 2, length, fp64 ? 8 : 4) == 0;
}

/* rusticl's compiler takes minutes for long vectors, which its device lacks, and long for all others. */
static bool usable(const char *shape)
{
    return (info->vector_width >= 4 || !strstr(shape, "vec=16")) && has_what_it_needs(shape, false);
}

/* Evaluated in place, the chain reads cells hundreds of times.  Long vectors of it take minutes to compile; rusticl
 * takes as long for anything but single lanes of its simpler variants. */
static bool usable_for_chain(const char *shape)
{
    const bool fused = strstr(shape, "fused") || strstr(shape, "image,"), single = strstr(shape, "vec=1,") != NULL;
    return has_what_it_needs(shape, false) && (info->vector_width >= 4 ? !fused || single : !fused && single);
}

static size_t shape_count(void) { return native ? MW_COUNT(native_shapes) : MW_COUNT(shapes); }

static const char *shape_at(size_t i) { return native ? native_shapes[i] : shapes[i]; }

/* ---- references: one cell at a time, modulo at every read ---- */

#define REFERENCE(real, suffix)                                                                                        \
    static real cell_##suffix(const real *f, long nx, long ny, long x, long y)                                         \
    {                                                                                                                  \
        return f[((y % ny + ny) % ny) * nx + (x % nx + nx) % nx];                                                      \
    }                                                                                                                  \
    static real lap_##suffix(const real *f, long nx, long ny, long x, long y)                                          \
    {                                                                                                                  \
        const real sum = (cell_##suffix(f, nx, ny, x - 1, y) + cell_##suffix(f, nx, ny, x + 1, y)) +                   \
                         (cell_##suffix(f, nx, ny, x, y - 1) + cell_##suffix(f, nx, ny, x, y + 1));                    \
        return sum - 4 * cell_##suffix(f, nx, ny, x, y);                                                               \
    }                                                                                                                  \
    static void hilliard_rate_##suffix(real *rate, const real *c, real *mu, long nx, long ny)                          \
    {                                                                                                                  \
        for (long k = 0; k < nx * ny; k++)                                                                             \
            mu[k] = c[k] * c[k] * c[k] - c[k] - lap_##suffix(c, nx, ny, k % nx, k / nx);                               \
        for (long k = 0; k < nx * ny; k++)                                                                             \
            rate[k] = lap_##suffix(mu, nx, ny, k % nx, k / nx);                                                        \
    }                                                                                                                  \
    static void chain_rate_##suffix(real *rate, const real *ab, real *work, long nx, long ny)                          \
    {                                                                                                                  \
        const long n = nx * ny;                                                                                        \
        const real *a = ab, *b = ab + n;                                                                               \
        real *p = work, *q = work + n, *r = work + 2 * n;                                                              \
        for (long k = 0; k < n; k++)                                                                                   \
            p[k] = lap_##suffix(a, nx, ny, k % nx, k / nx) + b[k] * b[k];                                              \
        for (long k = 0; k < n; k++)                                                                                   \
            q[k] = (real)0.5 * p[k] - (real)0.25 * lap_##suffix(p, nx, ny, k % nx, k / nx);                            \
        for (long k = 0; k < n; k++)                                                                                   \
            r[k] = a[k] * p[k];                                                                                        \
        for (long k = 0; k < n; k++) {                                                                                 \
            rate[k] = (real)0.5 * lap_##suffix(q, nx, ny, k % nx, k / nx);                                             \
            rate[n + k] = lap_##suffix(r, nx, ny, k % nx, k / nx) - (real)0.25 * p[k];                                 \
        }                                                                                                              \
    }                                                                                                                  \
    static void reference_##suffix(bool chain, real *state, long nx, long ny, double dt, int steps)                    \
    {                                                                                                                  \
        const long n = nx * ny, all = chain ? 2 * n : n;                                                               \
        real *rate = calloc((size_t)all, sizeof *rate), *half = calloc((size_t)all, sizeof *half);                     \
        real *work = calloc((size_t)(3 * n), sizeof *work);                                                            \
        for (int s = 0; s < steps; s++) {                                                                              \
            (chain ? chain_rate_##suffix : hilliard_rate_##suffix)(rate, state, work, nx, ny);                         \
            for (long k = 0; k < all; k++)                                                                             \
                half[k] = state[k] + (real)(dt / 2) * rate[k];                                                         \
            (chain ? chain_rate_##suffix : hilliard_rate_##suffix)(rate, half, work, nx, ny);                          \
            for (long k = 0; k < all; k++)                                                                             \
                state[k] += (real)dt * rate[k];                                                                        \
        }                                                                                                              \
        free(rate);                                                                                                    \
        free(half);                                                                                                    \
        free(work);                                                                                                    \
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

static int checked; /* cases that the device did not reject */

/* Some steps on the device and in the reference, from the device's own noise. */
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

static size_t turn;
static bool used[MW_COUNT(shapes)];

static bool all_shapes(void) { return (info->kind != MW_DEVICE_CPU && !slow) || getenv("MESHWORK_TEST_ALL"); }

/* Drivers take seconds to compile or interpret a shape: there each variant runs in one of its shapes, a different one
 * each time. */
static bool is_turn(size_t s)
{
    const size_t word = strcspn(shape_at(s), ",");
    size_t first = s, end = s;
    while (first > 0 && strncmp(shape_at(first - 1), shape_at(s), word + 1) == 0)
        first--;
    while (end < shape_count() && strncmp(shape_at(end), shape_at(s), word + 1) == 0)
        end++;
    if (s == first)
        for (int tries = 0; tries == 0 || (tries < 20 && !usable(shape_at(turn))); tries++)
            turn = first + random_below(end - first);
    return all_shapes() || s == turn;
}

/* A seventh of the slowest shapes on such devices. */
static bool is_rare_turn(void) { return all_shapes() || checked == 0 || random_below(7) == 0; }

static void must_have_checked(void)
{
    assert_true(checked > 0);
    checked = 0;
}

/* ---- tests: bits ---- */

static const size_t small_sizes[][2] = { { 1, 1 },   { 2, 1 },   { 1, 5 },  { 3, 2 },   { 2, 9 },
                                         { 15, 4 },  { 16, 3 },  { 17, 5 }, { 18, 18 }, { 31, 37 },
                                         { 33, 16 }, { 64, 20 }, { 97, 2 }, { 130, 11 } };

static void every_shape_gives_the_reference_bits(void **unused)
{
    const size_t each = slow ? 3 : native ? 1 : one_in(2); /* drivers compile for each size */
    struct mw_model *model = load("cahn-hilliard");
    for (size_t s = 0; s < shape_count(); s++) {
        if (!is_turn(s) || !usable(shape_at(s)) || (info->vector_width < 4 && checked > 0 && left_out(2)))
            continue;
        for (size_t i = random_below(each); i < MW_COUNT(small_sizes); i += each) {
            const struct mw_field_options o = options_of(small_sizes[i][0], small_sizes[i][1], shape_at(s), false);
            check_bits(model, false, &o, 2);
        }
        used[s] = true;
    }
    must_have_checked();
    mw_model_free(model);
}

static void double_precision_gives_the_reference_bits(void **unused)
{
    if (!info->fp64)
        skip();
    struct mw_model *model = load("cahn-hilliard");
    for (size_t s = 0; s < shape_count(); s++) {
        if (strstr(shape_at(s), "vec=16") || !has_what_it_needs(shape_at(s), true) || !is_rare_turn())
            continue;
        for (size_t i = 0; i < MW_COUNT(small_sizes); i += slow ? 5 : 2) {
            const struct mw_field_options o = options_of(small_sizes[i][0], small_sizes[i][1], shape_at(s), true);
            check_bits(model, false, &o, 2);
        }
    }
    must_have_checked();
    mw_model_free(model);
}

/* One of the shapes that have already been compiled. */
static size_t random_used(void)
{
    size_t s = random_below(shape_count());
    for (size_t k = 0; k < shape_count() && !used[s]; k++)
        s = (s + 1) % shape_count();
    return s;
}

static void random_sizes_give_the_reference_bits(void **unused)
{
    struct mw_model *model = load("cahn-hilliard");
    for (int i = 0; i < (slow ? 10 : 60); i++) {
        const size_t s = random_used();
        const size_t nx = 1 + (size_t)rand() % (slow ? 40 : 200), ny = 1 + (size_t)rand() % (slow ? 10 : 100);
        struct mw_field_options o = options_of(nx, ny, shape_at(s), false);
        o.seed = (uint64_t)rand();
        check_bits(model, false, &o, 1 + rand() % 3);
    }
    must_have_checked();
    mw_model_free(model);
}

/* 192x128 cells, 200 steps, seed 7: one checksum everywhere, that of the reference; in simulators a smaller case of one
 * shape. */
static void a_longer_run_has_the_checksum_of_the_reference(void **unused)
{
    struct mw_model *model = load("cahn-hilliard");
    const size_t nx = slow ? 96 : 192, ny = slow ? 32 : 128;
    struct mw_field_options o = options_of(nx, ny, NULL, false);
    struct mw_array expected = evolve(model, &o, NULL, 0);
    const int steps = slow ? 25 : 200;
    size_t ran = 0;
    reference(false, &expected, nx, ny, 0.01, steps);
    for (size_t s = 0; s < shape_count() && !(slow && ran > 0); s++) {
        const bool single = strstr(shape_at(s), "vec=1,") && strstr(shape_at(s), "fused");
        o.shape = shape_at(s);
        if ((!slow && info->vector_width < 4 && !single) || !used[s])
            continue;
        struct mw_array state = evolve(model, &o, NULL, (uint64_t)steps);
        if (state.data && mw_array_checksum(&state) != mw_array_checksum(&expected))
            fail_msg("%s: checksum %016llx instead of %016llx", o.shape, (unsigned long long)mw_array_checksum(&state),
                     (unsigned long long)mw_array_checksum(&expected));
        ran += state.data != NULL;
        mw_array_free(&state);
    }
    print_message("%zu shapes, checksum %016llx\n", ran, (unsigned long long)mw_array_checksum(&expected));
    mw_array_free(&expected);
    mw_model_free(model);
    if (ran == 0)
        skip();
}

static void stages_of_stages_and_several_fields(void **unused)
{
    struct mw_model *model = load(CHAIN);
    for (size_t s = 0; s < shape_count(); s++) {
        if (!usable_for_chain(shape_at(s)) || !is_rare_turn())
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
    struct mw_model *model = load("cahn-hilliard");
    struct mw_field_options o = options_of(48, 24, NULL, false);
    o.no_tune = false;
    o.tune_budget = 0.2;
    check_bits(model, false, &o, 3);
    check_bits(model, false, &o, 3); /* stored now */
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
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

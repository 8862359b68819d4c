/* Fields larger than their device's memory: the bits of a field that fits, for any windows and visits.
 *
 * The device reports less memory than it has, as with memory_limit. */
#include "base/base.h"
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

#include "tests/device/device.h"
#include "tests/device/field/models.h"

#define P MW_BOUNDARY_PERIODIC
#define M MW_BOUNDARY_MIRROR
#define F MW_BOUNDARY_FIXED

/* Memory as a fraction of the whole field's. */
/* clang-format off */
static const struct test_case { const char *model; double memory; struct mw_field_options options; } cases[] = {
    { "cahn-hilliard", 0.6, { .dims = 2, .length = { 33, 150 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", 0.9, { .dims = 2, .length = { 33, 151 }, .boundary = { P, M },
                              .integrator = MW_INTEGRATOR_EULER } },
    { HEAT, 0.97, { .dims = 2, .length = { 20, 67 }, .boundary = { M, F }, .integrator = MW_INTEGRATOR_RK4 } },
    { HEAT, 0.3, { .dims = 3, .length = { 9, 7, 190 }, .integrator = MW_INTEGRATOR_RK2 } },
    { HEAT, 0.5, { .dims = 3, .length = { 5, 4, 101 }, .boundary = { P, M, F }, .integrator = MW_INTEGRATOR_RK4,
                   .laplacian = MW_LAPLACIAN_ISOTROPIC } },
    { SHAKEN, 0.5, { .dims = 2, .length = { 21, 230 }, .integrator = MW_INTEGRATOR_RK2 } },
    { SHAKEN, 0.7, { .dims = 2, .length = { 19, 300 }, .boundary = { P, F }, .integrator = MW_INTEGRATOR_EULER } },
    { "cahn-hilliard", 0.4, { .dims = 1, .length = { 9973 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "gray-scott", 0.5, { .dims = 2, .length = { 17, 141 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", 0.5, { .dims = 2, .length = { 33, 170 }, .integrator = MW_INTEGRATOR_RK2, .fp64 = true } },
    { MAPPED, 0.5, { .dims = 2, .length = { 21, 230 }, .boundary = { P, M }, .integrator = MW_INTEGRATOR_RK2 } },
    { MASKED, 0.6, { .dims = 3, .length = { 9, 7, 130 }, .boundary = { F, P, M }, .integrator = MW_INTEGRATOR_RK2 } },
    { MAPPED, 0.7, { .dims = 3, .length = { 5, 4, 101 }, .boundary = { M, P, F }, .integrator = MW_INTEGRATOR_RK4 } },
};
/* clang-format on */

/* Returns whether a test runs: with slow drivers half of them do, others the next time. */
static bool has_turn(void) { return !left_out(2) || !(slow || slow_compiler); }

struct pair {
    const struct test_case *of;
    struct mw_field *whole, *streamed;
};

enum { TEAM = 3 };

/* Limits the devices' memory while a field is made. */
static int make_within(struct mw_device *const *team, size_t count, const struct mw_model *model,
                       const struct mw_field_options *o, double part, struct mw_field **field)
{
    struct mw_device_info before[TEAM];
    uint64_t bytes;
    OK(mw_field_bytes(model, o, &bytes));
    for (size_t i = 0; i < count; i++) {
        before[i] = team[i]->info;
        team[i]->info.memory_bytes = team[i]->allocated + (uint64_t)(part * (double)bytes / (double)count);
    }
    const int rc = mw_field_new(team, count, model, o, field);
    for (size_t i = 0; i < count; i++)
        team[i]->info = before[i];
    return rc;
}

static struct pair make_on(struct mw_device *const *team, size_t count, const struct test_case *c,
                           const struct mw_model *model)
{
    struct mw_field_options o = c->options;
    struct pair pair = { .of = c };
    unsigned steps;
    o.size = sizeof o;
    o.seed = 7;
    o.no_tune = true;
    /* Small programs, and small compared with the state. */
    o.variant = strcmp(c->model, MASKED) == 0 ? "staged" : "fused";
    OK(mw_field_new(&device, 1, model, &o, &pair.whole));
    assert_int_equal(mw_field_windows(pair.whole, &steps), 1);
    assert_int_equal(steps, 1);
    OK(make_within(team, count, model, &o, c->memory, &pair.streamed));
    assert_true(mw_field_windows(pair.streamed, &steps) > 2 * count - 1);
    assert_null(mw_field_buffer(pair.streamed));
    return pair;
}

static struct pair make(const struct test_case *c, const struct mw_model *model)
{
    return make_on(&device, 1, c, model);
}

static void drop(struct pair *pair)
{
    mw_field_free(pair->whole);
    mw_field_free(pair->streamed);
}

static void same_state(const struct pair *pair)
{
    const size_t *length = pair->of->options.length;
    struct mw_array a = { 0 }, b = { 0 };
    unsigned steps;
    OK(mw_field_get(pair->whole, &a));
    OK(mw_field_get(pair->streamed, &b));
    assert_int_equal(mw_field_step(pair->whole), mw_field_step(pair->streamed));
    assert_int_equal(a.count, b.count);
    must_be_numbers(&a);
    for (size_t k = 0, width = mw_type_bytes(a.type); k < a.count; k++)
        if (memcmp((char *)a.data + k * width, (char *)b.data + k * width, width) != 0)
            fail_msg("%s, %u dimensions, %zu windows: cell %zu (x=%zu, row %zu) differs at step %llu", pair->of->model,
                     pair->of->options.dims, mw_field_windows(pair->streamed, &steps), k, k % length[0], k / length[0],
                     (unsigned long long)mw_field_step(pair->whole));
    mw_array_free(&a);
    mw_array_free(&b);
}

static void same_looks(const struct pair *pair, const struct mw_model *model)
{
    struct mw_statistics a[8], b[8];
    double one, other;
    OK(mw_field_statistics(pair->whole, a));
    OK(mw_field_statistics(pair->streamed, b));
    assert_memory_equal(a, b, mw_model_info(model)->field_count * sizeof *a);
    if (!mw_model_info(model)->has_energy)
        return;
    OK(mw_field_energy(pair->whole, &one));
    OK(mw_field_energy(pair->streamed, &other));
    assert_memory_equal(&one, &other, sizeof one);
}

static void advance(const struct pair *pair, uint64_t steps)
{
    OK(mw_field_advance(pair->whole, steps));
    OK(mw_field_advance(pair->streamed, steps));
    same_state(pair);
}

/* ---- tests ---- */

/* Visits of all lengths, and sweeps that are adjacent or not. */
static void run_case(const struct test_case *c)
{
    struct mw_model *model = load(c->model);
    struct pair pair = make(c, model);
    unsigned steps;
    const size_t windows = mw_field_windows(pair.streamed, &steps);
    print_message("case %zu: %zu windows, %u steps per visit\n", (size_t)(c - cases), windows, steps);
    same_state(&pair);
    same_looks(&pair, model);
    advance(&pair, 1);
    advance(&pair, 0);
    advance(&pair, (slow ? 1 : 3) * steps + 1);
    same_looks(&pair, model);
    advance(&pair, slow ? 1 : steps * windows);
    drop(&pair);
    mw_model_free(model);
}

static void windows_give_the_bits_of_a_field_that_fits(void **unused)
{
    if (!has_turn())
        skip();
    /* Drivers compile for each case: some run, others the next time.  The last is in double precision. */
    const size_t count = MW_COUNT(cases) - (info->fp64 ? 0 : 1);
    const size_t part = one_in(native ? 4 : slow || slow_compiler ? count : 4), turn = random_below(part);
    for (size_t i = turn; i < count; i += part)
        run_case(&cases[i]);
}

static void a_state_is_put_in(void **unused)
{
    struct mw_model *model = load(cases[0].model);
    struct pair pair = make(&cases[0], model);
    struct mw_array state = { 0 };
    OK(mw_array_new(MW_TYPE_F32, 2, cases[0].options.length, &state));
    for (size_t k = 0; k < state.count; k++)
        ((float *)state.data)[k] = (float)(rand() % 2001 - 1000) / 1000;
    advance(&pair, 2);
    OK(mw_field_set(pair.whole, &state));
    OK(mw_field_set(pair.streamed, &state));
    mw_field_set_step(pair.whole, 12345);
    mw_field_set_step(pair.streamed, 12345);
    same_state(&pair);
    advance(&pair, 3);
    mw_array_free(&state);
    drop(&pair);
    mw_model_free(model);
}

/* Transfers and kernels are long enough to overlap; from two windows to more than are in flight. */
static void concurrent_transfers_change_nothing(void **unused)
{
    if (!has_turn())
        skip();
    static const double memories[] = { 0.95, 0.6, 0.35, 0.2 };
    struct mw_model *model = load("cahn-hilliard");
    for (size_t i = random_below(slow ? 1 : 2); i < MW_COUNT(memories); i += native ? 1 : 2) {
        const struct test_case c = {
            "cahn-hilliard",
            memories[i],
            { .dims = 2, .length = { slow ? 40 : 400, slow ? 120 : 900 }, .integrator = MW_INTEGRATOR_RK2 }
        };
        struct pair pair = make(&c, model);
        advance(&pair, slow ? 4 : 90);
        drop(&pair);
        if (slow || slow_compiler)
            break;
    }
    mw_model_free(model);
}

/* Parts with different numbers of windows, which then move. */
static void check_several(struct mw_device *const *team, size_t count, const struct test_case *c)
{
    struct mw_model *model = load(c->model);
    struct pair pair = make_on(team, count, c, model);
    struct mw_field *f = pair.streamed;
    double weights[TEAM];
    int shares[TEAM];
    unsigned steps;
    const size_t windows = mw_field_windows(f, &steps);
    print_message("%zu devices: %zu windows, %u steps per visit\n", count, windows, steps);
    same_state(&pair);
    advance(&pair, 1);
    same_looks(&pair, model);
    advance(&pair, (slow ? 2 : 11) * steps + 1);
    do {
        for (size_t i = 0; i < count; i++)
            weights[i] = 1 + (double)random_below(20) / 10;
        OK(mw_balance_shares(count, f->slabs, mw_least_share(f), weights, NULL, shares));
    } while (!mw_stream_can_move(f, shares));
    OK(mw_balance_move(f, shares));
    same_state(&pair);
    advance(&pair, (slow ? 1 : 7) * steps);
    same_looks(&pair, model);
    drop(&pair);
    mw_model_free(model);
}

static void several_devices_stream(void **unused)
{
    static const struct test_case several[] = {
        { "cahn-hilliard", 0.7, { .dims = 2, .length = { 33, 210 }, .integrator = MW_INTEGRATOR_RK2 } },
        { "cahn-hilliard",
          0.9,
          { .dims = 2, .length = { 33, 211 }, .boundary = { P, M }, .integrator = MW_INTEGRATOR_EULER } },
        { SHAKEN, 0.8, { .dims = 2, .length = { 19, 300 }, .boundary = { P, F }, .integrator = MW_INTEGRATOR_EULER } },
        { "gray-scott", 0.6, { .dims = 2, .length = { 17, 141 }, .integrator = MW_INTEGRATOR_RK2 } },
        { MAPPED, 0.7, { .dims = 2, .length = { 21, 230 }, .boundary = { P, M }, .integrator = MW_INTEGRATOR_RK2 } },
        { MASKED, 0.7, { .dims = 2, .length = { 21, 330 }, .boundary = { M, F }, .integrator = MW_INTEGRATOR_RK2 } },
    };
    struct mw_device *team[TEAM] = { device }, *others[TEAM];
    if (!has_turn())
        skip();
    OK(mw_device_open_by_name("native:serial", NULL, &others[1]));
    OK(mw_device_open_by_name("native:pthreads", NULL, &others[2]));
    const size_t part = one_in(slow || slow_compiler ? MW_COUNT(several) : 2);
    for (size_t i = random_below(part); i < MW_COUNT(several); i += part) {
        memcpy(team, (struct mw_device *[]){ device, others[1], others[2] }, sizeof team);
        shuffle_devices(team, TEAM);
        check_several(team, 2 + i % 2, &several[i]);
    }
    mw_device_close(others[2]);
    mw_device_close(others[1]);
}

static void too_little_memory_is_said(void **unused)
{
    const struct mw_field_options o = {
        .size = sizeof o, .dims = 2, .length = { 64, 64 }, .integrator = MW_INTEGRATOR_EULER, .no_tune = true
    };
    struct mw_model *model = load("cahn-hilliard");
    const uint64_t before = device->allocated;
    struct mw_field *field = NULL;
    assert_int_equal(make_within(&device, 1, model, &o, 0.05, &field), MW_ELIMIT);
    assert_non_null(strstr(mw_errmsg(), "windows of at least"));
    assert_null(field);
    assert_int_equal(device->allocated, before);
    mw_model_free(model);
    model = load(AVERAGED);
    assert_int_equal(make_within(&device, 1, model, &o, 0.5, &field), MW_ELIMIT);
    assert_non_null(strstr(mw_errmsg(), "reads means over all cells before each update"));
    mw_model_free(model);
}

static void devices_keep_to_their_limit(void **unused)
{
    const struct mw_device_options o = { .size = sizeof o, .memory_limit = 1 << 20 };
    struct mw_device *limited;
    struct mw_buffer *buffer = NULL;
    OK(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), &o, &limited));
    assert_int_equal(mw_device_info(limited)->memory_bytes, 1 << 20);
    assert_int_equal(mw_buffer_new(limited, (1 << 20) + 1, &buffer), MW_ELIMIT);
    OK(mw_buffer_new(limited, 1 << 20, &buffer));
    mw_buffer_free(buffer);
    mw_device_close(limited);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_give_the_bits_of_a_field_that_fits),
        cmocka_unit_test(a_state_is_put_in),
        cmocka_unit_test(concurrent_transfers_change_nothing),
        cmocka_unit_test(too_little_memory_is_said),
        cmocka_unit_test(several_devices_stream),
        cmocka_unit_test(devices_keep_to_their_limit),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

/* The device layer on one device, $MESHWORK_TEST_DEVICE.  Kernels: launches, arguments, events. */
#include <meshwork/speed.h>

#include "tests/device/dev/dev.h"

#include <pthread.h>

static void ranges_need_not_divide_groups(void **state)
{
    static const size_t sizes[] = { 1, 2, 3, 31, 64, 100, 257, 1000 };
    static const size_t groups[] = { 0, 1, 7, 16, 64 };
    struct mw_kernel *axpy = kernel_of("axpy");
    struct mw_kernel_limits limits = MW_INIT(limits);
    mw_kernel_limits(axpy, &limits);
    for (size_t s = 0; s < MW_COUNT(sizes); s++) {
        size_t n = sizes[s];
        int32_t x[1000 + 64], y[1000 + 64], back[1000 + 64];
        for (size_t i = 0; i < MW_COUNT(x); i++) {
            x[i] = rand() % 1000;
            y[i] = rand() % 1000;
        }
        for (size_t g = 0; g < MW_COUNT(groups) && groups[g] <= limits.max_group; g++) {
            struct mw_buffer *bx = buffer_with(x, sizeof(x)), *by = buffer_with(y, sizeof(y));
            const struct mw_arg args[] = { mw_arg_buffer(by), mw_arg_buffer(bx), mw_arg_i32(-3), mw_arg_u64(n) };
            run(axpy, (struct mw_range){ 1, { n }, { groups[g] } }, args, 4);
            OK(mw_buffer_read(by, 0, sizeof(back), back, NULL));
            for (size_t i = 0; i < MW_COUNT(x); i++)
                assert_int_equal(back[i], i < n ? y[i] - 3 * x[i] : y[i]);
            mw_buffer_free(bx);
            mw_buffer_free(by);
        }
    }
    mw_kernel_free(axpy);
    mw_kernel_free(NULL);
}

static void ranges_have_one_to_three_dimensions(void **state)
{
    static const struct mw_range ranges[] = {
        { 1, { 37 }, { 0 } },
        { 1, { 37, 5, 5 }, { 8, 9, 9 } },
        { 2, { 13, 11 }, { 0 } },
        { 2, { 13, 11 }, { 4, 2 } },
        { 2, { 1, 50 }, { 1, 16 } },
        { 3, { 5, 4, 3 }, { 0 } },
        { 3, { 5, 7, 3 }, { 2, 2, 2 } },
        { 3, { 1, 1, 29 }, { 0 } },
    };
    struct mw_kernel *number = kernel_of("number");
    for (size_t r = 0; r < MW_COUNT(ranges); r++) {
        uint32_t n[3] = { 1, 1, 1 }, out[256] = { 0 }, cells = 1;
        for (unsigned d = 0; d < ranges[r].dims; d++)
            cells *= n[d] = (uint32_t)ranges[r].global[d];
        struct mw_buffer *buffer = buffer_with(out, sizeof(out));
        const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_u32(n[0]), mw_arg_u32(n[1]), mw_arg_u32(n[2]) };
        run(number, ranges[r], args, 4);
        OK(mw_buffer_read(buffer, 0, sizeof(out), out, NULL));
        for (uint32_t i = 0; i < MW_COUNT(out); i++)
            assert_int_equal(out[i], i < cells ? i + 1 : 0);
        mw_buffer_free(buffer);
    }
    mw_kernel_free(number);
}

/* Every item runs once, in launches of any size that a grid allows. */
static void grids_have_limits(void **state)
{
    static const struct mw_grid grids[] = { { .items = { 8, 8, 8 } },
                                            { .items = { 7, 3, 1 } },
                                            { .groups = { 1, 1, 1 } },
                                            { .groups = { 3, 0, 2 } },
                                            { .items = { 0, 5, 0 }, .groups = { 2, 0, 0 } } };
    static const struct mw_range ranges[] = {
        { 1, { 199 }, { 4 } }, { 2, { 13, 11 }, { 4, 2 } }, { 3, { 5, 7, 3 }, { 2, 1, 2 } }, { 3, { 5, 7, 3 }, { 0 } }
    };
    const struct mw_grid before = device->grid;
    struct mw_kernel *number = kernel_of("number");
    for (size_t g = 0; g < MW_COUNT(grids); g++) {
        device->grid = grids[g];
        for (size_t r = 0; r < MW_COUNT(ranges); r++) {
            uint32_t n[3] = { 1, 1, 1 }, out[256] = { 0 }, cells = 1;
            struct mw_event *event = NULL;
            for (unsigned d = 0; d < ranges[r].dims; d++)
                cells *= n[d] = (uint32_t)ranges[r].global[d];
            struct mw_buffer *buffer = buffer_with(out, sizeof(out));
            const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_u32(n[0]), mw_arg_u32(n[1]),
                                           mw_arg_u32(n[2]) };
            OK(mw_launch(number, &ranges[r], args, 4, &event));
            OK(mw_event_wait(event));
            mw_event_free(event);
            OK(mw_buffer_read(buffer, 0, sizeof(out), out, NULL));
            for (uint32_t i = 0; i < MW_COUNT(out); i++)
                assert_int_equal(out[i], i < cells ? i + 1 : 0);
            mw_buffer_free(buffer);
        }
    }
    device->grid = before;
    mw_kernel_free(number);
}

static void empty_ranges_do_nothing(void **state)
{
    uint32_t out[4] = { 0 };
    struct mw_kernel *number = kernel_of("number");
    struct mw_buffer *buffer = buffer_with(out, sizeof(out));
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_u32(4), mw_arg_u32(1), mw_arg_u32(1) };
    struct mw_event *event = NULL;
    OK(mw_launch(number, &(struct mw_range){ 2, { 4, 0 }, { 0 } }, args, 4, &event));
    OK(mw_event_wait(event));
    mw_event_free(event);
    run(number, (struct mw_range){ 1, { 0 }, { 64 } }, args, 4);
    OK(mw_buffer_read(buffer, 0, sizeof(out), out, NULL));
    for (size_t i = 0; i < MW_COUNT(out); i++)
        assert_int_equal(out[i], 0);
    mw_buffer_free(buffer);
    mw_kernel_free(number);
}

static void arguments_arrive(void **state)
{
    uint64_t out[8] = { 0 };
    struct mw_kernel *scalars = kernel_of("scalars"), *structs = kernel_of("structs");
    struct mw_buffer *buffer = buffer_with(out, sizeof(out));
    const struct mixed mixed = { -7, -0.375f, { UINT64_C(0x0123456789abcdef), UINT64_MAX } };
    const struct mw_range one = { 1, { 1 }, { 1 } };
    const struct mw_arg args[] = { mw_arg_buffer(buffer),      mw_arg_i32(-5),
                                   mw_arg_u32(UINT32_MAX),     mw_arg_i64(INT64_MIN),
                                   mw_arg_u64(UINT64_MAX - 1), mw_arg_f32(-1.5f) };
    run(scalars, one, args, 6);
    OK(mw_buffer_read(buffer, 0, sizeof(out), out, NULL));
    assert_true(out[0] == (uint64_t)-5 && out[1] == UINT32_MAX && out[2] == UINT64_C(1) << 63);
    assert_true(out[3] == UINT64_MAX - 1 && out[4] == float_bits(-1.5f));
    run(structs, one, (const struct mw_arg[]){ mw_arg_buffer(buffer), mw_arg_struct(&mixed, sizeof(mixed)) }, 2);
    OK(mw_buffer_read(buffer, 0, sizeof(out), out, NULL));
    assert_true(out[0] == (uint64_t)-7 && out[1] == float_bits(-0.375f));
    assert_true(out[2] == mixed.u[0] && out[3] == mixed.u[1]);
    if (mw_device_info(device)->fp64) {
        struct mw_kernel *scalar_double = kernel_of("scalar_double");
        double pi = 3.141592653589793, back;
        run(scalar_double, one, (const struct mw_arg[]){ mw_arg_buffer(buffer), mw_arg_f64(pi) }, 2);
        OK(mw_buffer_read(buffer, 0, sizeof(back), &back, NULL));
        assert_memory_equal(&back, &pi, sizeof(pi));
        mw_kernel_free(scalar_double);
    }
    mw_kernel_free(scalars);
    mw_kernel_free(structs);
    mw_buffer_free(buffer);
}

static void buffers_may_be_null(void **state)
{
    int32_t value = 42, out = 0;
    struct mw_kernel *nulls = kernel_of("nulls");
    struct mw_buffer *result = buffer_with(&out, sizeof(out)), *given = buffer_with(&value, sizeof(value));
    struct mw_buffer *none = NULL;
    const struct mw_range one = { 1, { 1 }, { 1 } };
    OK(mw_buffer_new(device, 0, &none));
    const struct {
        struct mw_buffer *buffer;
        int32_t expected;
    } cases[] = { { given, 42 }, { NULL, -1 }, { given, 42 }, { none, -1 } };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        run(nulls, one, (const struct mw_arg[]){ mw_arg_buffer(result), mw_arg_buffer(cases[i].buffer) }, 2);
        OK(mw_buffer_read(result, 0, sizeof(out), &out, NULL));
        assert_int_equal(out, cases[i].expected);
    }
    mw_kernel_free(nulls);
    mw_buffer_free(result);
    mw_buffer_free(given);
    mw_buffer_free(none);
}

static void wrong_launches_are_refused(void **state)
{
    struct mw_kernel *scalars = kernel_of("scalars"), *none = NULL;
    uint64_t out[8] = { 0 };
    struct mw_device *other = NULL;
    struct mw_buffer *buffer = buffer_with(out, sizeof(out)), *foreign = NULL;
    const struct mw_range one = { 1, { 1 }, { 1 } };
    struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_i32(1), mw_arg_u32(1),
                             mw_arg_i64(1),         mw_arg_u64(1), mw_arg_f32(1.0f) };
    struct mw_event *event = NULL;
    FAILS(MW_EINVAL, "no_such_kernel", mw_kernel_new(the_program(), "no_such_kernel", &none));
    assert_null(none);
    FAILS(MW_EINVAL, "scalars", mw_launch(scalars, &(struct mw_range){ 0, { 1 }, { 1 } }, args, 6, NULL));
    FAILS(MW_EINVAL, "scalars", mw_launch(scalars, &(struct mw_range){ 4, { 1 }, { 1 } }, args, 6, &event));
    FAILS(MW_EINVAL, "scalars", mw_launch(scalars, &(struct mw_range){ 2, { 4, 4 }, { 4, 0 } }, args, 6, NULL));
    args[1] = mw_arg_struct(NULL, 4);
    FAILS(MW_EINVAL, "argument 1", mw_launch(scalars, &one, args, 6, NULL));
    args[1] = mw_arg_i32(1);
    OK(mw_device_open_by_name("native:serial", NULL, &other));
    OK(mw_buffer_new(other, 64, &foreign));
    args[0] = mw_arg_buffer(foreign);
    FAILS(MW_EINVAL, "native:serial", mw_launch(scalars, &one, args, 6, &event));
    args[0] = mw_arg_buffer(buffer);
    assert_null(event);
    run(scalars, one, args, 6); /* and the device still works */
    mw_buffer_free(foreign);
    mw_device_close(other);
    mw_buffer_free(buffer);
    mw_kernel_free(scalars);
}

static void too_large_groups_are_refused(void **state)
{
    struct mw_kernel *number = kernel_of("number");
    struct mw_kernel_limits limits = MW_INIT(limits);
    uint32_t out[4] = { 0 };
    struct mw_buffer *buffer = buffer_with(out, sizeof(out));
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_u32(4), mw_arg_u32(1), mw_arg_u32(1) };
    mw_kernel_limits(number, &limits);
    assert_true(limits.max_group >= 1 && limits.group_multiple >= 1);
    const struct mw_range ranges[] = { { 1, { 4 }, { limits.max_group + 1 } },
                                       { 2, { 4, 1 }, { limits.max_group, 2 } },
                                       { 3, { 4, 1, 1 }, { 1, 1, SIZE_MAX } } };
    for (size_t r = 0; r < MW_COUNT(ranges); r++)
        FAILS(MW_ELIMIT, "work-group", mw_launch(number, &ranges[r], args, 4, NULL));
    if (compiles)
        FAILS(MW_ELIMIT, "number", mw_launch(number, &(struct mw_range){ 1, { SIZE_MAX }, { 2 } }, args, 4, NULL));
    OK(mw_device_finish(device));
    mw_buffer_free(buffer);
    mw_kernel_free(number);
}

/* Returns the last of so many numbers in a kernel's local memory. */
static int last_of_locals(uint64_t numbers, int32_t *last)
{
    char defines[64];
    struct mw_program *made = NULL;
    struct mw_kernel *locals = NULL;
    int rc;
    *last = 0;
    snprintf(defines, sizeof(defines), "#define LOCAL_INTS %llu", (unsigned long long)numbers);
    struct mw_source source = source_with(defines);
    struct mw_buffer *buffer = buffer_with(last, sizeof(*last));
    TRY(mw_program_new(device, &source, &made));
    TRY(mw_kernel_new(made, "locals", &locals));
    TRY(mw_launch(locals, &(struct mw_range){ 1, { 8 }, { 8 } }, (struct mw_arg[]){ mw_arg_buffer(buffer) }, 1, NULL));
    TRY(mw_buffer_read(buffer, 0, sizeof(*last), last, NULL));
out:
    mw_buffer_free(buffer);
    mw_kernel_free(locals);
    mw_program_free(made);
    return rc;
}

/* A kernel can use all local memory, and no more: PoCL would end the process at such a launch. */
static void local_memory_is_what_it_is_said_to_be(void **state)
{
    const uint64_t all = mw_device_info(device)->local_bytes / 4;
    int32_t last;
    if (!compiles)
        skip();
    OK(last_of_locals(all, &last));
    assert_int_equal(last, all - 1);
    if (last_of_locals(all + 1024, &last) == 0)
        fail_msg("a kernel with more local memory than there is was launched");
    assert_true(mw_errmsg()[0] != '\0');
}

/* ---- several devices ---- */

struct counting {
    struct mw_device *device;
    const char *wrong;
};

/* Adds 1 to all numbers repeatedly, with small groups. cmocka's assertions work only in its own thread. */
static void *count_up(void *argument)
{
    enum { N = 64, ROUNDS = 40 };
    struct counting *c = argument;
    struct mw_source source = source_with("#define LOCAL_INTS 16");
    struct mw_program *made = NULL;
    struct mw_kernel *axpy = NULL;
    struct mw_buffer *x = NULL, *y = NULL;
    int32_t ones[N], counts[N] = { 0 };
    int rc;
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    TRY(mw_program_new(c->device, &source, &made));
    TRY(mw_kernel_new(made, "axpy", &axpy));
    TRY(mw_buffer_new(c->device, sizeof(ones), &x));
    TRY(mw_buffer_new(c->device, sizeof(counts), &y));
    TRY(mw_buffer_write(x, 0, sizeof(ones), ones, NULL));
    TRY(mw_buffer_write(y, 0, sizeof(counts), counts, NULL));
    for (int round = 1; round <= ROUNDS; round++) {
        const struct mw_arg args[] = { mw_arg_buffer(y), mw_arg_buffer(x), mw_arg_i32(1), mw_arg_u64(N) };
        TRY(mw_launch(axpy, &(struct mw_range){ 1, { N }, { 4 } }, args, 4, NULL));
        TRY(mw_buffer_read(y, 0, sizeof(counts), counts, NULL));
        for (int i = 0; i < N; i++)
            c->wrong = counts[i] == round ? c->wrong : "numbers are wrong";
    }
out:
    c->wrong = rc == 0 ? c->wrong : "a call failed";
    mw_buffer_free(y);
    mw_buffer_free(x);
    mw_kernel_free(axpy);
    mw_program_free(made);
    return NULL;
}

/* Each in its own thread. */
static void devices_compute_at_once(void **state)
{
    const struct mw_device_options options = { .size = sizeof options, .kernel_path = kernel_path };
    struct counting c[2] = { { NULL, NULL }, { NULL, NULL } };
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        OK(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), &options, &c[i].device));
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, count_up, &c[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < 2; i++) {
        mw_device_close(c[i].device);
        if (c[i].wrong)
            fail_msg("thread %d: %s", i, c[i].wrong);
    }
}

static void unknown_speeds_are_refused(void **state)
{
    struct mw_speed speed = MW_INIT(speed);
    FAILS(MW_EINVAL, "parts 0x42", mw_speed_measure(device, 2 * MW_SPEED_TRANSFERS + MW_SPEED_TRIAD, 4096, &speed));
}

static void launches_are_timed(void **state)
{
    enum { N = 1 << 16 };
    int32_t *zeros = calloc(N, sizeof(*zeros));
    struct mw_kernel *axpy = kernel_of("axpy");
    struct mw_buffer *x = buffer_with(zeros, N * sizeof(*zeros)), *y = buffer_with(zeros, N * sizeof(*zeros));
    const struct mw_arg args[] = { mw_arg_buffer(y), mw_arg_buffer(x), mw_arg_i32(2), mw_arg_u64(N) };
    struct mw_event *event = NULL;
    double seconds = -1.0;
    OK(mw_launch(axpy, &(struct mw_range){ 1, { N }, { 0 } }, args, 4, &event));
    OK(mw_event_wait(event));
    OK(mw_event_seconds(event, &seconds));
    assert_true(seconds >= 0.0 && seconds < 600.0);
    mw_event_free(event);
    mw_buffer_free(x);
    mw_buffer_free(y);
    mw_kernel_free(axpy);
    free(zeros);
}

/* ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_need_not_divide_groups),
        cmocka_unit_test(ranges_have_one_to_three_dimensions),
        cmocka_unit_test(empty_ranges_do_nothing),
        cmocka_unit_test(grids_have_limits),
        cmocka_unit_test(arguments_arrive),
        cmocka_unit_test(buffers_may_be_null),
        cmocka_unit_test(wrong_launches_are_refused),
        cmocka_unit_test(too_large_groups_are_refused),
        cmocka_unit_test(local_memory_is_what_it_is_said_to_be),
        cmocka_unit_test(devices_compute_at_once),
        cmocka_unit_test(unknown_speeds_are_refused),
        cmocka_unit_test(launches_are_timed),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

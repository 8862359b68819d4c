/* The device layer on one device, $MESHWORK_TEST_DEVICE.  Buffers, staging memory, and copies. */
#include "dev/memory/pieces.h"
#include "tests/device/dev/dev.h"

static void buffers_hold_what_is_written(void **state)
{
    enum { N = 100003 };
    unsigned char *mirror = malloc(N), *back = malloc(N);
    random_bytes(mirror, N);
    struct mw_buffer *a = buffer_with(mirror, N), *b = NULL;
    OK(mw_buffer_new(device, N, &b));
    assert_int_equal(mw_buffer_bytes(a), N);
    for (int round = 0; round < 50; round++) {
        size_t offset = (size_t)rand() % N, n = (size_t)rand() % (N - offset + 1);
        random_bytes(mirror + offset, n);
        OK(mw_buffer_write(a, offset, n, mirror + offset, NULL));
        OK(mw_buffer_copy(a, 0, b, 0, N, NULL));
        offset = (size_t)rand() % N;
        n = (size_t)rand() % (N - offset + 1);
        memset(back, 0, N);
        OK(mw_buffer_read(b, offset, n, back + offset, NULL));
        assert_memory_equal(back + offset, mirror + offset, n);
    }
    /* Within one buffer: the first half over the second. */
    OK(mw_buffer_copy(a, 0, a, N / 2, N / 2, NULL));
    memcpy(mirror + N / 2, mirror, N / 2);
    OK(mw_buffer_read(a, 0, N, back, NULL));
    assert_memory_equal(back, mirror, N);
    mw_buffer_free(a);
    mw_buffer_free(b);
    free(mirror);
    free(back);
}

static void transfers_may_be_asynchronous(void **state)
{
    enum { N = 1 << 20 };
    unsigned char *out = malloc(N), *back = malloc(N);
    struct mw_event *events[3] = { NULL };
    struct mw_buffer *a = NULL, *b = NULL;
    random_bytes(out, N);
    memset(back, 0, N);
    OK(mw_buffer_new(device, N, &a));
    OK(mw_buffer_new(device, N, &b));
    OK(mw_buffer_write(a, 0, N, out, &events[0]));
    OK(mw_buffer_copy(a, 0, b, 0, N, &events[1]));
    OK(mw_buffer_read(b, 0, N, back, &events[2]));
    OK(mw_device_flush(device));
    for (int i = 2; i >= 0; i--)
        OK(mw_event_wait(events[i]));
    assert_memory_equal(back, out, N);
    for (int i = 0; i < 3; i++) {
        double seconds = -1.0;
        OK(mw_event_seconds(events[i], &seconds)); /* the device was opened with profiling */
        assert_true(seconds >= 0.0 && seconds < 60.0);
        mw_event_free(events[i]);
    }
    mw_event_free(NULL);
    mw_buffer_free(a);
    mw_buffer_free(b);
    free(out);
    free(back);
}

static void staging_memory_is_memory(void **state)
{
    enum { N = 300001 };
    unsigned char *mirror = malloc(N);
    struct mw_staging *staging = NULL, *none = NULL;
    struct mw_event *event = NULL;
    random_bytes(mirror, N);
    OK(mw_staging_new(device, N, &staging));
    unsigned char *memory = mw_staging_memory(staging);
    assert_true((uintptr_t)memory % _Alignof(max_align_t) == 0);
    memcpy(memory, mirror, N);
    struct mw_buffer *a = buffer_with(memory, N);
    memset(memory, 0, N);
    OK(mw_buffer_read(a, 0, N, memory, &event));
    OK(mw_event_wait(event));
    assert_memory_equal(memory, mirror, N);
    OK(mw_buffer_read(a, N / 2, 1000, memory, NULL));
    assert_memory_equal(memory, mirror + N / 2, 1000);
    OK(mw_staging_new(device, 0, &none));
    mw_event_free(event);
    mw_staging_free(none);
    mw_staging_free(staging);
    mw_staging_free(NULL);
    mw_buffer_free(a);
    free(mirror);
}

/* Transfers overlapping with other work: both directions each time, between two launches on other bytes of the same
 * buffer. */
static void transfers_run_concurrently(void **state)
{
    enum { N = 70000, BORDER = 5000, ROUNDS = 20 };
    struct mw_kernel *axpy = kernel_of("axpy");
    int32_t *x = malloc(N * sizeof *x), *back = malloc(N * sizeof *back);
    struct mw_staging *out = NULL, *in = NULL;
    struct mw_event *read = NULL, *written = NULL;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        back[i] = 1;
    }
    struct mw_buffer *a = buffer_with(x, N * sizeof *x), *ones = buffer_with(back, N * sizeof *back);
    const struct mw_arg args[] = { mw_arg_buffer(a), mw_arg_buffer(ones), mw_arg_i32(1), mw_arg_u64(N - BORDER) };
    OK(mw_staging_new(device, BORDER * sizeof *x, &out));
    OK(mw_staging_new(device, BORDER * sizeof *x, &in));
    int32_t *const lower = mw_staging_memory(out), *const upper = mw_staging_memory(in);
    for (int32_t round = 0; round < ROUNDS; round++) {
        OK(mw_launch(axpy, &(struct mw_range){ 1, { N }, { 0 } }, args, 4, NULL)); /* a += 1 below upper */
        OK(mw_second_after_first(device));
        OK(mw_second_read(a, 0, BORDER * sizeof *x, lower, &read));
        OK(mw_device_flush(device));
        OK(mw_event_wait(read));
        mw_event_free(read);
        for (int i = 0; i < BORDER; i++) {
            assert_int_equal(lower[i], i + round + 1);
            upper[i] = i * round;
        }
        OK(mw_second_write(a, (N - BORDER) * sizeof *x, BORDER * sizeof *x, upper, &written));
        mw_event_free(written);
        OK(mw_first_after_second(device));
        OK(mw_buffer_read(a, 0, N * sizeof *x, back, NULL));
        for (int i = 0; i < N; i++)
            assert_int_equal(back[i], i < N - BORDER ? i + round + 1 : (i - N + BORDER) * round);
    }
    mw_staging_free(out);
    mw_staging_free(in);
    mw_buffer_free(a);
    mw_buffer_free(ones);
    mw_kernel_free(axpy);
    free(x);
    free(back);
}

/* Overlapping launches: those of each buffer run in order, next to those of the other, and join at the end. */
static void launches_run_concurrently(void **state)
{
    enum { N = 70000, ROUNDS = 10 };
    struct mw_kernel *axpy = kernel_of("axpy");
    int32_t *x = malloc(N * sizeof *x), *back = malloc(N * sizeof *back);
    struct mw_staging *staging = NULL;
    struct mw_event *read = NULL;
    for (int i = 0; i < N; i++)
        x[i] = 1;
    struct mw_buffer *a = buffer_with(x, N * sizeof *x), *b = buffer_with(x, N * sizeof *x);
    const struct mw_arg a_to_b[] = { mw_arg_buffer(b), mw_arg_buffer(a), mw_arg_i32(1), mw_arg_u64(N) };
    const struct mw_arg b_to_a[] = { mw_arg_buffer(a), mw_arg_buffer(b), mw_arg_i32(1), mw_arg_u64(N) };
    const struct mw_arg twice_b[] = { mw_arg_buffer(b), mw_arg_buffer(b), mw_arg_i32(1), mw_arg_u64(N) };
    const struct mw_arg twice_a[] = { mw_arg_buffer(a), mw_arg_buffer(a), mw_arg_i32(1), mw_arg_u64(N) };
    const struct mw_range all = { 1, { N }, { 0 } };
    uint32_t of_a = 1, of_b = 1;
    OK(mw_staging_new(device, N * sizeof *x, &staging));
    for (int round = 0; round < ROUNDS; round++) {
        OK(mw_launch(axpy, &all, a_to_b, 4, NULL));
        OK(mw_second_enter(device));
        for (int i = 0; i < 3; i++)
            OK(mw_launch(axpy, &all, twice_b, 4, NULL));
        OK(mw_buffer_read(b, 0, N * sizeof *x, mw_staging_memory(staging), &read));
        OK(mw_second_leave(device));
        for (int i = 0; i < 3; i++)
            OK(mw_launch(axpy, &all, twice_a, 4, NULL));
        of_b = 8 * (of_b + of_a), of_a *= 8;
        OK(mw_first_after_second(device));
        OK(mw_launch(axpy, &all, b_to_a, 4, NULL));
        of_a += of_b;
        OK(mw_event_wait(read));
        mw_event_free(read);
        OK(mw_buffer_read(a, 0, N * sizeof *x, back, NULL));
        for (int i = 0; i < N; i++) {
            assert_int_equal(((uint32_t *)mw_staging_memory(staging))[i], of_b);
            assert_int_equal((uint32_t)back[i], of_a);
        }
    }
    mw_staging_free(staging);
    mw_buffer_free(a);
    mw_buffer_free(b);
    mw_kernel_free(axpy);
    free(x);
    free(back);
}

/* Large transfers by several threads in pieces, between launches: bytes outside the range are unchanged. */
static void large_transfers_go_in_pieces(void **state)
{
    enum { MOST = 5 };
    const size_t count = strstr(device->info.name, "Oclgrind") ? 5003 : 100003;
    const struct mw_piece_limits limits = { .piece = 4096 };
    struct mw_kernel *axpy = kernel_of("axpy");
    uint32_t *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y), *back = malloc(count * sizeof *back);
    random_bytes((unsigned char *)x, count * sizeof *x);
    memcpy(y, x, count * sizeof *x);
    struct mw_buffer *a = buffer_with(x, count * sizeof *x), *other = buffer_with(y, count * sizeof *y);
    const struct mw_arg args[] = { mw_arg_buffer(a), mw_arg_buffer(other), mw_arg_i32(1), mw_arg_u64(count) };
    for (size_t threads = 1; threads <= MOST; threads++) {
        struct mw_copy_pool *copy_pool = NULL;
        OK(mw_copy_pool_new(device, &limits, threads, &copy_pool));
        for (int round = 0; round < 8; round++) {
            const size_t offset = round ? (size_t)rand() % count : 0;
            const size_t n = round == 1 ? 0 : round == 2 ? limits.piece : (size_t)rand() % (count - offset) + 1;
            char *const bytes = (char *)x + offset;
            OK(mw_launch(axpy, &(struct mw_range){ 1, { count }, { 0 } }, args, 4, NULL)); /* a += y */
            for (size_t i = 0; i < count; i++)
                x[i] += y[i];
            random_bytes((unsigned char *)bytes, n);
            OK(mw_copy_pool_move(copy_pool, a, offset, n, bytes, NULL));
            OK(mw_launch(axpy, &(struct mw_range){ 1, { count }, { 0 } }, args, 4, NULL));
            for (size_t i = 0; i < count; i++)
                x[i] += y[i];
            memset(back, 0x55, count * sizeof *back);
            OK(mw_copy_pool_move(copy_pool, a, offset, n, NULL, (char *)back + offset));
            assert_memory_equal((char *)back + offset, bytes, n);
            for (size_t i = 0; i < count * sizeof *back; i++)
                if (((char *)back)[i] != 0x55 && (i < offset || i >= offset + n))
                    fail_msg("byte %zu is outside of %zu bytes from %zu on", i, n, offset);
            OK(mw_buffer_read(a, 0, count * sizeof *x, back, NULL));
            assert_memory_equal(back, x, count * sizeof *x);
        }
        mw_copy_pool_free(copy_pool);
    }
    mw_buffer_free(a);
    mw_buffer_free(other);
    mw_kernel_free(axpy);
    free(x);
    free(y);
    free(back);
}

/* Neighbouring bytes are unchanged, in either order. */
static void pages_are_made_beforehand(void **state)
{
    const size_t most = (size_t)3 << 20;
    unsigned char *memory = malloc(most + 2);
    assert_non_null(memory);
    for (size_t threads = 0; threads < 10; threads++) {
        const size_t bytes = threads == 1 ? 0 : (size_t)rand() % most;
        memset(memory, 0x55, most + 2);
        struct mw_pages *pages = mw_pages_begin_by(threads, memory + 1, bytes);
        mw_pages_end(pages);
        mw_pages_end(NULL);
        for (size_t at = 0; threads > 0 && at < bytes; at += 4096)
            if (memory[1 + at] != 0)
                fail_msg("the page at %zu of %zu bytes was not used", at, bytes);
        assert_int_equal(memory[0], 0x55);
        for (size_t i = bytes + 1; i < most + 2; i++)
            if (memory[i] != 0x55)
                fail_msg("byte %zu is beyond %zu", i, bytes);
    }
    free(memory);
}

static const struct mw_backend *usual;

static int write_first_pieces(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                              struct mw_event *event)
{
    return offset < 12288 ? usual->memory->transfer(buffer, offset, bytes, from, to, event)
                          : mw_fail(MW_EDEVICE, "the piece at %zu is refused", offset);
}

static void refused_pieces_are_a_failure(void **state)
{
    enum { N = 50000 };
    const struct mw_piece_limits limits = { .piece = 4096 };
    struct mw_backend refusing = *device->backend;
    struct mw_memory_calls calls = *refusing.memory;
    struct mw_copy_pool *copy_pool = NULL;
    char *bytes = calloc(N, 1);
    struct mw_buffer *a = buffer_with(bytes, N);
    OK(mw_copy_pool_new(device, &limits, 3, &copy_pool));
    usual = device->backend;
    calls.transfer = write_first_pieces;
    refusing.memory = &calls;
    device->backend = &refusing;
    FAILS(MW_EDEVICE, "is refused", mw_copy_pool_move(copy_pool, a, 0, N, bytes, NULL));
    device->backend = usual;
    OK(mw_copy_pool_move(copy_pool, a, 0, N, bytes, NULL));
    mw_copy_pool_free(copy_pool);
    mw_buffer_free(a);
    free(bytes);
}

/* Copies from one device to the other and back, between work on both, by any path that they have. */
static void copy_there_and_back(struct mw_device *other, size_t n)
{
    struct mw_kernel *axpy = kernel_of("axpy");
    int32_t *x = malloc(n * sizeof(*x)), *back = malloc(n * sizeof(*back));
    struct mw_buffer *there = NULL;
    struct mw_event *event = NULL;
    double seconds = -1.0;
    for (size_t i = 0; i < n; i++)
        x[i] = (int32_t)i;
    struct mw_buffer *here = buffer_with(x, n * sizeof(*x)), *result = buffer_with(x, n * sizeof(*x));
    const struct mw_arg args[] = { mw_arg_buffer(here), mw_arg_buffer(result), mw_arg_i32(2), mw_arg_u64(n) };
    OK(mw_buffer_new(other, (n + 1) * sizeof(*x), &there));
    OK(mw_buffer_fill(there, 0, (n + 1) * sizeof(*x), 0xff));
    OK(mw_launch(axpy, &(struct mw_range){ 1, { n }, { 0 } }, args, 4, NULL)); /* here = 3 i, without waiting */
    OK(mw_buffer_copy(here, sizeof(*x), there, 2 * sizeof(*x), (n - 1) * sizeof(*x), NULL));
    OK(mw_buffer_fill(here, 0, n * sizeof(*x), 0));
    OK(mw_buffer_copy(there, sizeof(*x), result, 0, n * sizeof(*x), &event));
    OK(mw_event_wait(event));
    OK(mw_event_seconds(event, &seconds));
    mw_event_free(event);
    OK(mw_buffer_read(result, 0, n * sizeof(*x), back, NULL));
    assert_int_equal(back[0], -1);
    for (size_t i = 1; i < n; i++)
        if (back[i] != 3 * x[i])
            fail_msg("%zu of %zu: %d", i, n, (int)back[i]);
    FAILS(MW_EINVAL, "copied to", mw_buffer_copy(here, 0, there, 8, n * sizeof(*x), NULL));
    mw_kernel_free(axpy);
    mw_buffer_free(here);
    mw_buffer_free(there);
    mw_buffer_free(result);
    free(x);
    free(back);
}

static int nothing_mapped(struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory)
{
    return 0;
}

/* CUDA devices reach each other's memory or, with the emulated driver, do not. */
static void devices_copy_to_each_other(void **state)
{
    enum { ALWAYS = 3 };
    const char *const others[] = { "native:serial", "native:pthreads", getenv("MESHWORK_TEST_DEVICE"), "cuda:1",
                                   "cuda:3" };
    const bool slow = strstr(device->info.name, "Oclgrind") != NULL;
    const bool cuda = strcmp(device->info.backend, "cuda") == 0;
    for (size_t o = 0; o < (cuda ? MW_COUNT(others) : ALWAYS); o++) {
        struct mw_device *other = NULL;
        const int rc = mw_device_open_by_name(others[o], &device->options, &other);
        if (rc == MW_ENODEV && o >= ALWAYS)
            continue;
        OK(rc);
        copy_there_and_back(other, 2);
        copy_there_and_back(other, slow ? 5000 : 50000);
        /* As between devices with separate memories, in several pieces. */
        struct mw_backend far = *device->backend, far_other = *other->backend;
        const struct mw_backend *near = device->backend, *near_other = other->backend;
        struct mw_memory_calls calls = *far.memory, calls_other = *far_other.memory;
        calls.map = calls_other.map = nothing_mapped;
        far.peer = NULL;
        far.memory = &calls;
        far_other.memory = &calls_other;
        device->backend = &far;
        other->backend = &far_other;
        copy_there_and_back(other, slow ? 5000 : 3500000);
        device->backend = near;
        other->backend = near_other;
        mw_device_close(other);
    }
}

static void ranges_of_buffers_are_checked(void **state)
{
    char bytes[64] = { 0 };
    struct mw_buffer *a = buffer_with(bytes, 64), *b = buffer_with(bytes, 32);
    struct mw_event *event = NULL;
    FAILS(MW_EINVAL, "64", mw_buffer_write(a, 0, 65, bytes, NULL));
    FAILS(MW_EINVAL, "64", mw_buffer_write(a, 65, 0, bytes, NULL));
    FAILS(MW_EINVAL, "64", mw_buffer_write(a, 1, SIZE_MAX, bytes, NULL));
    FAILS(MW_EINVAL, "64", mw_buffer_read(a, 60, 5, bytes, &event));
    FAILS(MW_EINVAL, "32", mw_buffer_copy(a, 0, b, 0, 33, NULL));
    FAILS(MW_EINVAL, "32", mw_buffer_copy(b, 0, a, 0, 33, NULL));
    FAILS(MW_EINVAL, "overlaps", mw_buffer_copy(a, 0, a, 15, 16, &event));
    FAILS(MW_EINVAL, "overlaps", mw_buffer_copy(a, 15, a, 0, 16, NULL));
    FAILS(MW_EINVAL, "64", mw_buffer_fill(a, 1, 64, 0));
    assert_null(event);
    OK(mw_buffer_copy(a, 0, a, 16, 16, NULL));
    mw_buffer_free(a);
    mw_buffer_free(b);
}

static void nothing_is_a_legal_size(void **state)
{
    char byte = 'x';
    double seconds = -1.0;
    struct mw_event *event = NULL;
    struct mw_buffer *none = NULL;
    OK(mw_buffer_new(device, 0, &none));
    assert_int_equal(mw_buffer_bytes(none), 0);
    OK(mw_buffer_write(none, 0, 0, NULL, NULL));
    OK(mw_buffer_read(none, 0, 0, &byte, &event));
    OK(mw_event_wait(event));
    OK(mw_event_seconds(event, &seconds));
    assert_true(seconds == 0.0);
    mw_event_free(event);
    OK(mw_buffer_copy(none, 0, none, 0, 0, NULL));
    OK(mw_buffer_fill(none, 0, 0, 1));
    FAILS(MW_EINVAL, "0 bytes", mw_buffer_read(none, 0, 1, &byte, NULL));
    assert_int_equal(byte, 'x');
    mw_buffer_free(none);
    mw_buffer_free(NULL);
}

static void fills_reach_their_range_only(void **state)
{
    enum { N = 4099 };
    unsigned char mirror[N], back[N];
    random_bytes(mirror, N);
    struct mw_buffer *a = buffer_with(mirror, N);
    for (int round = 0; round < 40; round++) {
        unsigned char value = (unsigned char)rand();
        size_t grain = (size_t)1 << rand() % 6; /* aligned and unaligned ones */
        size_t offset = (size_t)rand() % N / grain * grain;
        size_t n = (size_t)rand() % (N - offset + 1) / grain * grain;
        OK(mw_buffer_fill(a, offset, n, value));
        memset(mirror + offset, value, n);
        OK(mw_buffer_read(a, 0, N, back, NULL));
        assert_memory_equal(back, mirror, N);
    }
    mw_buffer_free(a);
}

static void memory_is_a_budget(void **state)
{
    const struct mw_device_info *info = mw_device_info(device);
    struct mw_buffer *a = NULL;
    uint64_t before = device->allocated;
    assert_true(info->memory_bytes > 0 && info->max_alloc_bytes > 0);
    FAILS(MW_ELIMIT, info->id, mw_buffer_new(device, (size_t)info->max_alloc_bytes + 1, &a));
    FAILS(MW_ELIMIT, "iB", mw_buffer_new(device, SIZE_MAX, &a));
    assert_null(a);
    assert_int_equal(device->allocated, before);
    /* As if most memory were in use. */
    device->allocated = info->memory_bytes - 1000;
    FAILS(MW_ELIMIT, "1000 bytes left", mw_buffer_new(device, 1001, &a));
    OK(mw_buffer_new(device, 1000, &a));
    assert_int_equal(device->allocated, info->memory_bytes);
    mw_buffer_free(a);
    device->allocated = before;
}

/* Times are added while they are measured, each to its own sum. */
static void memory_calls_are_timed(void **unused)
{
    enum { BYTES = 1 << 22 };
    struct mw_memory_seconds s = { 0 }, before;
    struct mw_buffer *a = NULL;
    char *data = calloc(1, BYTES);
    assert_non_null(data);
    mw_device_time_memory(device, &s);
    OK(mw_buffer_new(device, BYTES, &a));
    assert_true(s.allocate > 0 && s.upload == 0 && s.download == 0 && s.free == 0);
    OK(mw_buffer_write(a, 0, BYTES, data, NULL));
    assert_true(s.upload > 0 && s.download == 0);
    OK(mw_buffer_read(a, 0, BYTES, data, NULL));
    assert_true(s.download > 0 && s.free == 0);
    before = s;
    mw_device_time_memory(device, NULL);
    OK(mw_buffer_write(a, 0, BYTES, data, NULL));
    assert_memory_equal(&before, &s, sizeof s);
    mw_device_time_memory(device, &s);
    mw_buffer_free(a);
    assert_true(s.free > 0 && s.upload == before.upload && s.allocate == before.allocate);
    mw_device_time_memory(device, NULL);
    free(data);
    (void)unused;
}

/* ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_hold_what_is_written), cmocka_unit_test(transfers_may_be_asynchronous),
        cmocka_unit_test(staging_memory_is_memory),     cmocka_unit_test(transfers_run_concurrently),
        cmocka_unit_test(launches_run_concurrently),    cmocka_unit_test(large_transfers_go_in_pieces),
        cmocka_unit_test(pages_are_made_beforehand),    cmocka_unit_test(refused_pieces_are_a_failure),
        cmocka_unit_test(devices_copy_to_each_other),   cmocka_unit_test(ranges_of_buffers_are_checked),
        cmocka_unit_test(nothing_is_a_legal_size),      cmocka_unit_test(fills_reach_their_range_only),
        cmocka_unit_test(memory_is_a_budget),           cmocka_unit_test(memory_calls_are_timed),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

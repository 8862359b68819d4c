/* The device layer on one device, $MESHWORK_TEST_DEVICE: buffers, programs, kernels, launches, events, the cache of
 * programs.  Kernels are in tests/device/cl and, for native devices, below as C. */
#include "dev/backend.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/scratch.h"

/* ---- the same kernels in C ---- */

#define VALUE(type, i) (*(const type *)call->args[i])
#define BUFFER(type, i) ((type *)call->args[i])

struct mixed { int32_t i; float f; uint64_t u[2]; };

static void native_axpy(const struct mw_native_call *call)
{
    int32_t *y = BUFFER(int32_t, 0);
    const int32_t *x = BUFFER(int32_t, 1), a = VALUE(int32_t, 2);
    for (size_t i = call->begin; i < call->end && i < VALUE(uint64_t, 3); i++)
        y[i] += a * x[i];
}

static void native_number(const struct mw_native_call *call)
{
    uint32_t *out = BUFFER(uint32_t, 0);
    uint32_t nx = VALUE(uint32_t, 1), ny = VALUE(uint32_t, 2), nz = VALUE(uint32_t, 3);
    size_t from[3] = { 0, 0, 0 }, to[3] = { call->global[0], call->global[1], call->global[2] };
    from[call->dims - 1] = call->begin;
    to[call->dims - 1] = call->end;
    for (size_t z = from[2]; z < to[2] && z < nz; z++)
        for (size_t y = from[1]; y < to[1] && y < ny; y++)
            for (size_t x = from[0]; x < to[0] && x < nx; x++)
                out[(z * ny + y) * nx + x] += (uint32_t)((z * ny + y) * nx + x + 1);
}

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static void native_scalars(const struct mw_native_call *call)
{
    uint64_t *out = BUFFER(uint64_t, 0);
    out[0] = (uint64_t)(int64_t)VALUE(int32_t, 1);
    out[1] = VALUE(uint32_t, 2);
    out[2] = (uint64_t)VALUE(int64_t, 3);
    out[3] = VALUE(uint64_t, 4);
    out[4] = float_bits(VALUE(float, 5));
}

static void native_scalar_double(const struct mw_native_call *call)
{
    memcpy(call->args[0], call->args[1], 8);
}

static void native_structs(const struct mw_native_call *call)
{
    const struct mixed *m = call->args[1];
    uint64_t *out = BUFFER(uint64_t, 0);
    out[0] = (uint64_t)(int64_t)m->i;
    out[1] = float_bits(m->f);
    out[2] = m->u[0];
    out[3] = m->u[1];
}

static void native_nulls(const struct mw_native_call *call)
{
    const int32_t *may_be_null = BUFFER(int32_t, 1);
    *BUFFER(int32_t, 0) = may_be_null ? may_be_null[0] : -1;
}

static const struct mw_native_kernel native_kernels[] = {
    { "axpy", native_axpy }, { "number", native_number }, { "scalars", native_scalars },
    { "scalar_double", native_scalar_double }, { "structs", native_structs }, { "nulls", native_nulls }, { NULL, NULL }
};

/* ---- what the tests share ---- */

static char kernel_path[1024];
static struct mw_device *device;
static struct mw_program *program;
static bool compiles;
static unsigned seed;
static struct { int compiling, cached; } logged;

static void count_logs(void *context, enum mw_log_level level, const char *message)
{
    (void)context;
    logged.compiling += level == MW_LOG_NOTICE && strstr(message, "compiling (first run)") != NULL;
    logged.cached += strstr(message, "from the cache") != NULL;
}

#define OK(call) do { \
        int ok_rc_ = (call); \
        if (ok_rc_ != 0) \
            fail_msg("%s: %d: %s", #call, ok_rc_, mw_errmsg()); \
    } while (0)
#define FAILS(status, words, call) do { \
        int fails_rc_ = (call); \
        if (fails_rc_ != (status) || !strstr(mw_errmsg(), words)) \
            fail_msg("%s: %d: %s", #call, fails_rc_, mw_errmsg()); \
    } while (0)

static struct mw_source source_with(const char *defines)
{
    return (struct mw_source) { .file = "dev.cl", .defines = defines, .native = native_kernels };
}

static const char *default_defines(void)
{
    return mw_device_info(device)->fp64 ? "#define LOCAL_INTS 16\n#define WITH_DOUBLE 1" : "#define LOCAL_INTS 16";
}

static struct mw_kernel *kernel_of(const char *name)
{
    struct mw_kernel *kernel = NULL;
    OK(mw_kernel_new(program, name, &kernel));
    return kernel;
}

static struct mw_buffer *buffer_with(const void *bytes, size_t n)
{
    struct mw_buffer *buffer = NULL;
    OK(mw_buffer_new(device, n, &buffer));
    OK(mw_buffer_write(buffer, 0, n, bytes, NULL));
    return buffer;
}

/* Launches and waits. */
static void run(struct mw_kernel *kernel, struct mw_range range, const struct mw_arg *args, size_t count)
{
    OK(mw_launch(kernel, &range, args, count, NULL));
    OK(mw_device_finish(device));
}

static void random_bytes(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)rand_r(&seed);
}

/* ---- buffers ---- */

static void buffers_hold_what_is_written(void **state)
{
    enum { N = 100003 };
    unsigned char *mirror = malloc(N), *back = malloc(N);
    (void)state;
    random_bytes(mirror, N);
    struct mw_buffer *a = buffer_with(mirror, N), *b = NULL;
    OK(mw_buffer_new(device, N, &b));
    assert_int_equal(mw_buffer_bytes(a), N);
    for (int round = 0; round < 50; round++) {
        size_t offset = (size_t)rand_r(&seed) % N, n = (size_t)rand_r(&seed) % (N - offset + 1);
        random_bytes(mirror + offset, n);
        OK(mw_buffer_write(a, offset, n, mirror + offset, NULL));
        OK(mw_buffer_copy(a, 0, b, 0, N, NULL));
        offset = (size_t)rand_r(&seed) % N;
        n = (size_t)rand_r(&seed) % (N - offset + 1);
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
    (void)state;
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
    (void)state;
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

/* From one to the other and back, between work on both; by whatever way the two have. */
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
    OK(mw_launch(axpy, &(struct mw_range) { 1, { n }, { 0 } }, args, 4, NULL)); /* here = 3 i, and nobody waits */
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
    (void)buffer;
    (void)offset;
    (void)bytes;
    (void)writes;
    (void)memory;
    return 0;
}

static void devices_copy_to_each_other(void **state)
{
    const char *const others[] = { "native:serial", "native:pthreads", getenv("MESHWORK_TEST_DEVICE") };
    const bool slow = strstr(device->info.name, "Oclgrind") != NULL;
    (void)state;
    for (size_t o = 0; o < MW_COUNT(others); o++) {
        struct mw_device *other = NULL;
        OK(mw_device_open_by_name(others[o], &device->options, &other));
        copy_there_and_back(other, 2);
        copy_there_and_back(other, slow ? 5000 : 50000);
        /* As between devices with memories of their own, in several pieces. */
        struct mw_backend far = *device->backend, far_other = *other->backend;
        const struct mw_backend *near = device->backend, *near_other = other->backend;
        far.reaches = NULL;
        far.map = far_other.map = nothing_mapped;
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
    (void)state;
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
    (void)state;
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
    (void)state;
    random_bytes(mirror, N);
    struct mw_buffer *a = buffer_with(mirror, N);
    for (int round = 0; round < 40; round++) {
        unsigned char value = (unsigned char)rand_r(&seed);
        size_t grain = (size_t)1 << rand_r(&seed) % 6; /* aligned ones and others */
        size_t offset = (size_t)rand_r(&seed) % N / grain * grain;
        size_t n = (size_t)rand_r(&seed) % (N - offset + 1) / grain * grain;
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
    (void)state;
    assert_true(info->memory_bytes > 0 && info->max_alloc_bytes > 0);
    FAILS(MW_ELIMIT, info->id, mw_buffer_new(device, (size_t)info->max_alloc_bytes + 1, &a));
    FAILS(MW_ELIMIT, "iB", mw_buffer_new(device, SIZE_MAX, &a));
    assert_null(a);
    assert_int_equal(device->allocated, before);
    /* As if most were taken. */
    device->allocated = info->memory_bytes - 1000;
    FAILS(MW_ELIMIT, "1000 bytes left", mw_buffer_new(device, 1001, &a));
    OK(mw_buffer_new(device, 1000, &a));
    assert_int_equal(device->allocated, info->memory_bytes);
    mw_buffer_free(a);
    device->allocated = before;
}

/* ---- kernels ---- */

static void ranges_need_not_divide_groups(void **state)
{
    static const size_t sizes[] = { 1, 2, 3, 31, 64, 100, 257, 1000 };
    static const size_t groups[] = { 0, 1, 7, 16, 64 };
    struct mw_kernel *axpy = kernel_of("axpy");
    struct mw_kernel_limits limits;
    (void)state;
    mw_kernel_limits(axpy, &limits);
    for (size_t s = 0; s < MW_COUNT(sizes); s++) {
        size_t n = sizes[s];
        int32_t x[1000 + 64], y[1000 + 64], back[1000 + 64];
        for (size_t i = 0; i < MW_COUNT(x); i++) {
            x[i] = rand_r(&seed) % 1000;
            y[i] = rand_r(&seed) % 1000;
        }
        for (size_t g = 0; g < MW_COUNT(groups) && groups[g] <= limits.max_group; g++) {
            struct mw_buffer *bx = buffer_with(x, sizeof(x)), *by = buffer_with(y, sizeof(y));
            const struct mw_arg args[] = { mw_arg_buffer(by), mw_arg_buffer(bx), mw_arg_i32(-3), mw_arg_u64(n) };
            run(axpy, (struct mw_range) { 1, { n }, { groups[g] } }, args, 4);
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
        { 1, { 37 }, { 0 } }, { 1, { 37, 5, 5 }, { 8, 9, 9 } }, { 2, { 13, 11 }, { 0 } }, { 2, { 13, 11 }, { 4, 2 } },
        { 2, { 1, 50 }, { 1, 16 } }, { 3, { 5, 4, 3 }, { 0 } }, { 3, { 5, 7, 3 }, { 2, 2, 2 } },
        { 3, { 1, 1, 29 }, { 0 } },
    };
    struct mw_kernel *number = kernel_of("number");
    (void)state;
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

/* Every item once, in launches of whatever a grid takes. */
static void grids_have_limits(void **state)
{
    static const struct mw_grid grids[] = { { .items = { 8, 8, 8 } }, { .items = { 7, 3, 1 } },
                                            { .groups = { 1, 1, 1 } }, { .groups = { 3, 0, 2 } },
                                            { .items = { 0, 5, 0 }, .groups = { 2, 0, 0 } } };
    static const struct mw_range ranges[] = { { 1, { 199 }, { 4 } }, { 2, { 13, 11 }, { 4, 2 } },
                                              { 3, { 5, 7, 3 }, { 2, 1, 2 } }, { 3, { 5, 7, 3 }, { 0 } } };
    const struct mw_grid before = device->grid;
    struct mw_kernel *number = kernel_of("number");
    (void)state;
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
    (void)state;
    OK(mw_launch(number, &(struct mw_range) { 2, { 4, 0 }, { 0 } }, args, 4, &event));
    OK(mw_event_wait(event));
    mw_event_free(event);
    run(number, (struct mw_range) { 1, { 0 }, { 64 } }, args, 4);
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
    (void)state;
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_i32(-5), mw_arg_u32(UINT32_MAX), mw_arg_i64(INT64_MIN),
                                   mw_arg_u64(UINT64_MAX - 1), mw_arg_f32(-1.5f) };
    run(scalars, one, args, 6);
    OK(mw_buffer_read(buffer, 0, sizeof(out), out, NULL));
    assert_true(out[0] == (uint64_t)-5 && out[1] == UINT32_MAX && out[2] == UINT64_C(1) << 63);
    assert_true(out[3] == UINT64_MAX - 1 && out[4] == float_bits(-1.5f));
    run(structs, one, (const struct mw_arg[]) { mw_arg_buffer(buffer), mw_arg_struct(&mixed, sizeof(mixed)) }, 2);
    OK(mw_buffer_read(buffer, 0, sizeof(out), out, NULL));
    assert_true(out[0] == (uint64_t)-7 && out[1] == float_bits(-0.375f));
    assert_true(out[2] == mixed.u[0] && out[3] == mixed.u[1]);
    if (mw_device_info(device)->fp64) {
        struct mw_kernel *scalar_double = kernel_of("scalar_double");
        double pi = 3.141592653589793, back;
        run(scalar_double, one, (const struct mw_arg[]) { mw_arg_buffer(buffer), mw_arg_f64(pi) }, 2);
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
    (void)state;
    OK(mw_buffer_new(device, 0, &none));
    const struct { struct mw_buffer *buffer; int32_t expected; } cases[] = { { given, 42 }, { NULL, -1 }, { given, 42 },
                                                                             { none, -1 } };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        run(nulls, one, (const struct mw_arg[]) { mw_arg_buffer(result), mw_arg_buffer(cases[i].buffer) }, 2);
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
    struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_i32(1), mw_arg_u32(1), mw_arg_i64(1), mw_arg_u64(1),
                             mw_arg_f32(1.0f) };
    struct mw_event *event = NULL;
    (void)state;
    FAILS(MW_EINVAL, "no_such_kernel", mw_kernel_new(program, "no_such_kernel", &none));
    assert_null(none);
    FAILS(MW_EINVAL, "scalars", mw_launch(scalars, &(struct mw_range) { 0, { 1 }, { 1 } }, args, 6, NULL));
    FAILS(MW_EINVAL, "scalars", mw_launch(scalars, &(struct mw_range) { 4, { 1 }, { 1 } }, args, 6, &event));
    FAILS(MW_EINVAL, "scalars", mw_launch(scalars, &(struct mw_range) { 2, { 4, 4 }, { 4, 0 } }, args, 6, NULL));
    args[1] = mw_arg_struct(NULL, 4);
    FAILS(MW_EINVAL, "argument 1", mw_launch(scalars, &one, args, 6, NULL));
    args[1] = mw_arg_i32(1);
    OK(mw_device_open_by_name("native:serial", NULL, &other));
    OK(mw_buffer_new(other, 64, &foreign));
    args[0] = mw_arg_buffer(foreign);
    FAILS(MW_EINVAL, "native:serial", mw_launch(scalars, &one, args, 6, &event));
    args[0] = mw_arg_buffer(buffer);
    if (compiles) { /* C functions cannot tell */
        FAILS(MW_EINVAL, "takes 6 arguments", mw_launch(scalars, &one, args, 5, NULL));
        FAILS(MW_EINVAL, "takes 6 arguments", mw_launch(scalars, &one, NULL, 0, &event));
        args[1] = mw_arg_i64(1);
        FAILS(MW_EINVAL, "rgument 1", mw_launch(scalars, &one, args, 6, NULL));
        args[1] = mw_arg_i32(1);
        args[3] = mw_arg_u32(1);
        FAILS(MW_EINVAL, "rgument 3", mw_launch(scalars, &one, args, 6, NULL));
        args[3] = mw_arg_i64(1);
    }
    assert_null(event);
    run(scalars, one, args, 6); /* and the device is as good as before */
    mw_buffer_free(foreign);
    mw_device_close(other);
    mw_buffer_free(buffer);
    mw_kernel_free(scalars);
}

static void too_large_groups_are_refused(void **state)
{
    struct mw_kernel *number = kernel_of("number");
    struct mw_kernel_limits limits;
    uint32_t out[4] = { 0 };
    struct mw_buffer *buffer = buffer_with(out, sizeof(out));
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_u32(4), mw_arg_u32(1), mw_arg_u32(1) };
    (void)state;
    mw_kernel_limits(number, &limits);
    assert_true(limits.max_group >= 1 && limits.group_multiple >= 1);
    const struct mw_range ranges[] = { { 1, { 4 }, { limits.max_group + 1 } }, { 2, { 4, 1 }, { limits.max_group, 2 } },
                                       { 3, { 4, 1, 1 }, { 1, 1, SIZE_MAX } } };
    for (size_t r = 0; r < MW_COUNT(ranges); r++)
        FAILS(MW_ELIMIT, "work-group", mw_launch(number, &ranges[r], args, 4, NULL));
    if (compiles)
        FAILS(MW_ELIMIT, "number", mw_launch(number, &(struct mw_range) { 1, { SIZE_MAX }, { 2 } }, args, 4, NULL));
    OK(mw_device_finish(device));
    mw_buffer_free(buffer);
    mw_kernel_free(number);
}

/* PoCL ends the process when such a kernel is launched. */
static void too_much_local_memory_is_refused(void **state)
{
    char defines[64];
    struct mw_program *hungry = NULL;
    struct mw_kernel *locals = NULL;
    int32_t out = 0;
    (void)state;
    if (!compiles)
        skip();
    snprintf(defines, sizeof(defines), "#define LOCAL_INTS %llu",
             (unsigned long long)mw_device_info(device)->local_bytes / 4 + 1024);
    struct mw_source source = source_with(defines);
    struct mw_buffer *buffer = buffer_with(&out, sizeof(out));
    int rc = mw_program_new(device, &source, &hungry);
    if (rc == 0)
        rc = mw_kernel_new(hungry, "locals", &locals);
    if (rc == 0)
        rc = mw_launch(locals, &(struct mw_range) { 1, { 16 }, { 16 } }, (struct mw_arg[]) { mw_arg_buffer(buffer) }, 1,
                       NULL);
    if (rc == 0)
        fail_msg("a kernel with more local memory than there is was launched");
    assert_true(mw_errmsg()[0] != '\0');
    mw_kernel_free(locals);
    mw_program_free(hungry);
    /* One that fits runs. */
    locals = kernel_of("locals");
    run(locals, (struct mw_range) { 1, { 8 }, { 8 } }, (struct mw_arg[]) { mw_arg_buffer(buffer) }, 1);
    OK(mw_buffer_read(buffer, 0, sizeof(out), &out, NULL));
    assert_int_equal(out, 15);
    mw_kernel_free(locals);
    mw_buffer_free(buffer);
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
    (void)state;
    OK(mw_launch(axpy, &(struct mw_range) { 1, { N }, { 0 } }, args, 4, &event));
    OK(mw_event_wait(event));
    OK(mw_event_seconds(event, &seconds));
    assert_true(seconds >= 0.0 && seconds < 600.0);
    mw_event_free(event);
    mw_buffer_free(x);
    mw_buffer_free(y);
    mw_kernel_free(axpy);
    free(zeros);
}

/* ---- programs ---- */

static void broken_kernels_are_named_with_their_place(void **state)
{
    struct mw_program *made = NULL;
    struct mw_source source = { .file = "broken.cl" };
    (void)state;
    if (!compiles) {
        FAILS(MW_ENOTSUP, "broken.cl", mw_program_new(device, &source, &made));
        return;
    }
    FAILS(MW_EBUILD, "broken.clh:4: ", mw_program_new(device, &source, &made));
    assert_non_null(strstr(mw_errmsg(), "not_declared"));
    assert_non_null(strstr(mw_build_log(), "not_declared"));
    static const struct mw_source_text text = { "model", "int f(int a);\n\nint f(int a) { return ; + }\n",
                                                "/home/me/my model.cl" };
    source = (struct mw_source) { .file = "model", .texts = &text, .text_count = 1 };
    FAILS(MW_EBUILD, "/home/me/my model.cl:3: ", mw_program_new(device, &source, &made));
    assert_null(strstr(mw_build_log(), "not_declared"));
    source = (struct mw_source) { .file = "missing.cl" };
    FAILS(MW_EIO, "missing.cl", mw_program_new(device, &source, &made));
    assert_null(made);
    mw_program_free(NULL);
}

static void double_precision_is_asked_for_first(void **state)
{
    struct mw_program *made = NULL;
    struct mw_source source = source_with(default_defines());
    bool fp64 = device->info.fp64;
    (void)state;
    source.fp64 = true;
    if (fp64) {
        OK(mw_program_new(device, &source, &made));
        mw_program_free(made);
        made = NULL;
    }
    device->info.fp64 = false;
    int rc = mw_program_new(device, &source, &made);
    device->info.fp64 = fp64;
    FAILS(MW_ENOTSUP, "--precision single", rc);
    assert_null(made);
}

static void hashes_tell_programs_apart(void **state)
{
    struct mw_program *made = NULL;
    struct mw_source source = source_with(default_defines());
    (void)state;
    OK(mw_program_new(device, &source, &made));
    assert_true(mw_program_hash(made) == mw_program_hash(program));
    mw_program_free(made);
    source.defines = "#define LOCAL_INTS 17";
    OK(mw_program_new(device, &source, &made));
    assert_true(mw_program_hash(made) != mw_program_hash(program));
    mw_program_free(made);
}

/* Whether a program that was just made works. */
static void check_program(struct mw_program *made)
{
    struct mw_kernel *nulls = NULL;
    int32_t out = 0;
    struct mw_buffer *buffer = buffer_with(&out, sizeof(out));
    OK(mw_kernel_new(made, "nulls", &nulls));
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_buffer(NULL) };
    run(nulls, (struct mw_range) { 1, { 1 }, { 1 } }, args, 2);
    OK(mw_buffer_read(buffer, 0, sizeof(out), &out, NULL));
    assert_int_equal(out, -1);
    mw_kernel_free(nulls);
    mw_buffer_free(buffer);
}

static void build_again(const struct mw_source *source, int compiling, int cached)
{
    struct mw_program *made = NULL;
    logged.compiling = logged.cached = 0;
    OK(mw_program_new(device, source, &made));
    check_program(made);
    mw_program_free(made);
    assert_int_equal(logged.compiling, compiling);
    assert_int_equal(logged.cached, cached);
}

/* Flips a byte in the middle of each entry. */
static int damage_entries(void)
{
    char programs[256], path[512];
    int damaged = 0;
    snprintf(programs, sizeof(programs), "%s/cache/programs", folder);
    DIR *dir = opendir(programs);
    assert_non_null(dir);
    for (const struct dirent *d; (d = readdir(dir)); ) {
        if (d->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", programs, d->d_name);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, 0, SEEK_END), 0);
        long middle = ftell(file) / 2;
        assert_int_equal(fseek(file, middle, SEEK_SET), 0);
        int byte = fgetc(file);
        assert_int_equal(fseek(file, middle, SEEK_SET), 0);
        assert_true(fputc(byte ^ 0x40, file) != EOF);
        assert_int_equal(fclose(file), 0);
        damaged++;
    }
    closedir(dir);
    return damaged;
}

static void programs_are_cached(void **state)
{
    struct mw_source source = source_with("#define LOCAL_INTS 19\n");
    (void)state;
    if (!compiles)
        skip();
    build_again(&source, 1, 0);
    build_again(&source, 0, 1);
    source.defines = "#define LOCAL_INTS 20\n";
    build_again(&source, 1, 0);
    assert_true(damage_entries() >= 2);
    build_again(&source, 1, 0);
    build_again(&source, 0, 1);
    source.fast_math = true;
    build_again(&source, 1, 0);
    /* Without a cache, as on a read-only system, all goes on. */
    char *before = strdup(getenv("MESHWORK_CACHE_DIR"));
    setenv("MESHWORK_CACHE_DIR", "/dev/null/nowhere", 1);
    build_again(&source, 1, 0);
    setenv("MESHWORK_CACHE_DIR", before, 1);
    build_again(&source, 0, 1);
    free(before);
}

static void programs_of_one_text_share_their_code(void **state)
{
    struct mw_source source = source_with("#define LOCAL_INTS 21\n");
    struct mw_program *first = NULL, *second = NULL, *other = NULL;
    struct mw_device *again = NULL;
    (void)state;
    OK(mw_program_new(device, &source, &first));
    logged.compiling = logged.cached = 0;
    OK(mw_program_new(device, &source, &second));
    assert_int_equal(logged.compiling + logged.cached, 0);
    assert_ptr_equal(first->code.impl, second->code.impl);
    mw_program_free(first);
    check_program(second);
    /* A device that is opened again has code of its own. */
    OK(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), &device->options, &again));
    OK(mw_program_new(again, &source, &other));
    assert_int_equal(logged.cached, compiles);
    mw_program_free(second);
    mw_program_free(other);
    mw_device_close(again);
}

/* Some compilers count errors on standard error: not where a program has asked for quiet. */
static void compilers_are_quiet_when_asked(void **state)
{
    struct mw_program *made = NULL;
    struct mw_source source = { .file = "broken.cl" };
    struct stat heard, before, after;
    char path[300];
    (void)state;
    snprintf(path, sizeof(path), "%s/heard", folder);
    mw_process_prepare(MW_PROCESS_QUIET);
    assert_int_equal(fstat(STDERR_FILENO, &before), 0);
    fflush(stderr);
    int kept = dup(STDERR_FILENO), file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(kept >= 0 && file >= 0);
    dup2(file, STDERR_FILENO);
    int rc = mw_program_new(device, &source, &made);
    fstat(STDERR_FILENO, &heard);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(file);
    assert_true(rc != 0);
    assert_int_equal(heard.st_size, 0);
    assert_int_equal(fstat(STDERR_FILENO, &after), 0);
    assert_true(before.st_dev == after.st_dev && before.st_ino == after.st_ino);
}

static void unprofiled_devices_record_no_times(void **state)
{
    struct mw_device *other = NULL;
    struct mw_buffer *buffer = NULL;
    struct mw_event *event = NULL;
    char byte = 0;
    double seconds = -1.0;
    (void)state;
    OK(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &other));
    OK(mw_buffer_new(other, 1, &buffer));
    OK(mw_buffer_write(buffer, 0, 1, &byte, &event));
    OK(mw_event_wait(event));
    if (compiles)
        FAILS(MW_ENOTSUP, "profiling", mw_event_seconds(event, &seconds));
    else
        OK(mw_event_seconds(event, &seconds));
    mw_event_free(event);
    mw_buffer_free(buffer);
    mw_device_close(other);
}

/* ---- */

static int close_device(void **state)
{
    mw_program_free(program);
    uint64_t left = device ? device->allocated : 0;
    mw_device_close(device);
    remove_scratch(state);
    return left == 0 ? 0 : -1;
}

static int open_device(void **state)
{
    const char *srcdir = getenv("srcdir");
    char cache[64];
    seed = (unsigned)time(NULL);
    print_message("seed %u\n", seed);
    if (!mkdtemp(folder))
        return -1;
    snprintf(cache, sizeof(cache), "%s/cache", folder);
    setenv("HOME", folder, 1);
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("MESHWORK_CACHE_DIR", cache, 1);
    snprintf(kernel_path, sizeof(kernel_path), "%s/tests/device/cl", srcdir ? srcdir : ".");
    mw_log_to(count_logs, NULL);
    const struct mw_device_options options = { .profile = true, .kernel_path = kernel_path };
    int rc = mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), &options, &device);
    if (rc == 0) {
        struct mw_source source = source_with(default_defines());
        compiles = device->backend->compiles;
        print_message("on %s (%s)\n", device->info.id, device->info.name);
        rc = mw_program_new(device, &source, &program);
    }
    if (rc != 0) {
        print_error("%s\n%s\n", mw_errmsg(), mw_build_log());
        close_device(state); /* cmocka does not when this fails */
    }
    return rc;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_hold_what_is_written),
        cmocka_unit_test(transfers_may_be_asynchronous),
        cmocka_unit_test(staging_memory_is_memory),
        cmocka_unit_test(devices_copy_to_each_other),
        cmocka_unit_test(ranges_of_buffers_are_checked),
        cmocka_unit_test(nothing_is_a_legal_size),
        cmocka_unit_test(fills_reach_their_range_only),
        cmocka_unit_test(memory_is_a_budget),
        cmocka_unit_test(ranges_need_not_divide_groups),
        cmocka_unit_test(ranges_have_one_to_three_dimensions),
        cmocka_unit_test(empty_ranges_do_nothing),
        cmocka_unit_test(grids_have_limits),
        cmocka_unit_test(arguments_arrive),
        cmocka_unit_test(buffers_may_be_null),
        cmocka_unit_test(wrong_launches_are_refused),
        cmocka_unit_test(too_large_groups_are_refused),
        cmocka_unit_test(too_much_local_memory_is_refused),
        cmocka_unit_test(launches_are_timed),
        cmocka_unit_test(broken_kernels_are_named_with_their_place),
        cmocka_unit_test(double_precision_is_asked_for_first),
        cmocka_unit_test(hashes_tell_programs_apart),
        cmocka_unit_test(programs_are_cached),
        cmocka_unit_test(programs_of_one_text_share_their_code),
        cmocka_unit_test(compilers_are_quiet_when_asked),
        cmocka_unit_test(unprofiled_devices_record_no_times),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}

/* Queues and memory of the program's own, on one device, $MESHWORK_TEST_DEVICE: values that it has there are reduced,
 * labelled and advanced in place, and read by the program's own calls of OpenCL and CUDA. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/device.h"

#ifdef HAVE_OPENCL
#include "dev/opencl/opencl_internal.h"
#endif
#ifdef HAVE_CUDA
#include "dev/cuda/driver.h"
#endif

enum { NX = 37, NY = 16, N = NX * NY, BYTES = N * sizeof(int32_t) };
static int32_t values[N], labels[N], expected[N];
static size_t expected_count;
static int64_t sum;

/* By the library's own memory, on one thread. */
static void draw(void)
{
    const struct mw_label_options options = { .size = sizeof options };
    struct mw_device *serial = NULL;
    struct mw_array image = { 0 }, label = { 0 };
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    OK(mw_array_new(MW_TYPE_I32, 2, (const size_t[]){ NX, NY }, &image));
    sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += ((int32_t *)image.data)[i] = values[i] = (int32_t)random_below(3) - 1;
    OK(mw_label_array(&serial, 1, &options, &image, &label, NULL, &expected_count));
    assert_int_equal(label.type, MW_TYPE_I32);
    memcpy(expected, label.data, BYTES);
    mw_array_free(&image);
    mw_array_free(&label);
    mw_device_close(serial);
}

/* Some of a field's steps have the same bits as on any device. */
static void check_steps(struct mw_device *on)
{
    const struct mw_field_options options = { .size = sizeof options, .dims = 2, .length = { 20, 12 }, .seed = 3 };
    struct mw_array state[2] = { { 0 }, { 0 } };
    struct mw_device *serial = NULL;
    struct mw_model *model = NULL;
    OK(mw_model_load("heat", NULL, &model));
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    for (int i = 0; i < 2; i++) {
        struct mw_field *field = NULL;
        OK(mw_field_new(i ? &serial : &on, 1, model, &options, &field));
        OK(mw_field_advance(field, 5));
        OK(mw_field_get(field, &state[i]));
        mw_field_free(field);
    }
    assert_memory_equal(state[0].data, state[1].data, state[0].count * mw_type_bytes(state[0].type));
    mw_array_free(&state[0]);
    mw_array_free(&state[1]);
    mw_model_free(model);
    mw_device_close(serial);
}

static void use(struct mw_device *on, struct mw_buffer *from, struct mw_buffer *to)
{
    const struct mw_label_options options = {
        .size = sizeof options, .dims = 2, .length = { NX, NY }, .type = MW_TYPE_I32
    };
    struct mw_labelling *labelling = NULL;
    struct mw_prim *prim = NULL;
    int64_t found = 0;
    size_t count = 0;
    OK(mw_prim_new(on, &prim));
    OK(mw_prim_reduce(prim, from, N, MW_TYPE_I32, MW_REDUCTION_SUM, &found));
    assert_int_equal(found, sum);
    OK(mw_labelling_new(&on, 1, &options, &labelling));
    OK(mw_labelling_run(labelling, from, to, &count, NULL));
    assert_int_equal(count, expected_count);
    OK(mw_device_flush(on));
    mw_labelling_free(labelling);
    mw_prim_free(prim);
    check_steps(on);
}

/* ---- memory of the host ---- */

static void memory_of_the_host(void **state)
{
    enum { ROOM = (BYTES + 4095) / 4096 * 4096 };
    int32_t *in = aligned_alloc(4096, ROOM), *out = aligned_alloc(4096, ROOM);
    struct mw_buffer *from = NULL, *to = NULL;
    draw();
    memcpy(in, values, BYTES);
    memset(out, 0xff, BYTES);
    const int rc = mw_buffer_from_host(device, in, BYTES, &from);
    if (rc == MW_ENOTSUP) {
        assert_false(native);
        assert_non_null(strstr(mw_errmsg(), "does not work in the host's memory"));
    } else {
        OK(rc);
        OK(mw_buffer_from_host(device, out, BYTES, &to));
        FAILS(MW_EINVAL, "multiple of", mw_buffer_from_host(device, (char *)in + 4, 64, &(struct mw_buffer *){ NULL }));
        use(device, from, to);
        OK(mw_device_finish(device));
        assert_memory_equal(out, expected, BYTES);
        assert_memory_equal(in, values, BYTES);
        in[0] = 7; /* seen where it is */
        int32_t first = 0;
        OK(mw_buffer_read(from, 0, sizeof first, &first, NULL));
        assert_int_equal(first, 7);
    }
    mw_buffer_free(from);
    mw_buffer_free(to);
    free(in); /* whose it is */
    free(out);
}

static void nothing_is_refused(void **state)
{
    struct mw_buffer *buffer = NULL;
    struct mw_device *other = NULL;
    FAILS(MW_EINVAL, "memory for a buffer is NULL", mw_buffer_from_memory(device, NULL, 4, &buffer));
    FAILS(MW_EINVAL, "\"native\"", mw_device_from_queue("native", &buffer, NULL, &other));
    const int rc = mw_device_from_queue(info->backend, NULL, NULL, &other);
    assert_int_equal(rc, MW_EINVAL);
    assert_true(!buffer && !other);
}

/* ---- OpenCL ---- */

#ifdef HAVE_OPENCL

static cl_context make_context(cl_device_id *id, cl_command_queue *queue, cl_command_queue_properties properties)
{
    cl_platform_id platform = NULL;
    cl_int error = 0;
    assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, id, NULL), CL_SUCCESS);
    cl_context context = clCreateContext(NULL, 1, id, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    *queue = clCreateCommandQueue(context, *id, properties, &error);
    if (error != CL_SUCCESS)
        *queue = NULL;
    return context;
}

static void opencl(void **state)
{
    cl_device_id id = NULL;
    cl_command_queue queue = NULL, unordered = NULL;
    cl_int error = 0;
    struct mw_device *on = NULL, *none = NULL;
    struct mw_buffer *from = NULL, *to = NULL, *wrong = NULL;
    if (strcmp(info->backend, "opencl") != 0)
        skip();
    draw();
    cl_context context = make_context(&id, &queue, 0);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    assert_int_equal(clEnqueueWriteBuffer(queue, in, CL_FALSE, 0, BYTES, values, 0, NULL, NULL), CL_SUCCESS);
    OK(mw_device_from_queue("opencl", queue, NULL, &on));
    assert_string_equal(mw_device_info(on)->name, info->name);
    OK(mw_buffer_from_memory(on, in, BYTES, &from));
    OK(mw_buffer_from_memory(on, out, BYTES, &to));
    use(on, from, to);
    assert_int_equal(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, BYTES, labels, 0, NULL, NULL), CL_SUCCESS);
    assert_memory_equal(labels, expected, BYTES);
    FAILS(MW_EINVAL, "too few for a buffer", mw_buffer_from_memory(on, in, BYTES + 1, &wrong));
    FAILS(MW_EINVAL, "another context", mw_buffer_from_memory(device, in, BYTES, &wrong));
    clReleaseContext(make_context(&id, &unordered, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    if (unordered) { /* not all drivers have one */
        FAILS(MW_EINVAL, "out of order", mw_device_from_queue("opencl", unordered, NULL, &none));
        clReleaseCommandQueue(unordered);
    }
    FAILS(MW_EINVAL, "profiling",
          mw_device_from_queue("opencl", queue,
                               &(struct mw_device_options){ .size = sizeof(struct mw_device_options), .profile = true },
                               &none));
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_device_close(on);
    /* The program's things are as they were. */
    memset(labels, 0, BYTES);
    assert_int_equal(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, BYTES, labels, 0, NULL, NULL), CL_SUCCESS);
    assert_memory_equal(labels, expected, BYTES);
    assert_int_equal(clReleaseMemObject(in) | clReleaseMemObject(out), CL_SUCCESS);
    assert_int_equal(clReleaseCommandQueue(queue) | clReleaseContext(context), CL_SUCCESS);
}

#else
static void opencl(void **state) { (void)state; }
#endif

/* ---- CUDA ---- */

#ifdef HAVE_CUDA

static void cuda(void **state)
{
    mw_cu_context context = NULL, popped;
    mw_cu_stream stream = NULL;
    mw_cu_address in = 0, out = 0;
    struct mw_device *on = NULL;
    struct mw_buffer *from = NULL, *to = NULL, *wrong = NULL;
    if (strcmp(info->backend, "cuda") != 0)
        skip();
    draw();
    assert_int_equal(mw_cu.DevicePrimaryCtxRetain(&context, 0) | mw_cu.CtxPushCurrent(context), 0);
    assert_int_equal(mw_cu.StreamCreate(&stream, MW_CU_STREAM_CONCURRENT), 0);
    assert_int_equal(mw_cu.MemAlloc(&in, BYTES) | mw_cu.MemAlloc(&out, BYTES), 0);
    assert_int_equal(mw_cu.MemcpyHtoDAsync(in, values, BYTES, stream), 0);
    OK(mw_device_from_queue("cuda", stream, NULL, &on));
    OK(mw_buffer_from_memory(on, (void *)(uintptr_t)in, BYTES, &from));
    OK(mw_buffer_from_memory(on, (void *)(uintptr_t)out, BYTES, &to));
    use(on, from, to);
    assert_int_equal(mw_cu.MemcpyDtoHAsync(labels, out, BYTES, stream) | mw_cu.StreamSynchronize(stream), 0);
    assert_memory_equal(labels, expected, BYTES);
    FAILS(MW_EINVAL, "too few for a buffer", mw_buffer_from_memory(on, (void *)(uintptr_t)(in + 4), BYTES, &wrong));
    FAILS(MW_EINVAL, "another CUDA context", mw_buffer_from_memory(on, values, BYTES, &wrong));
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_device_close(on);
    assert_int_equal(mw_cu.MemFree(in) | mw_cu.MemFree(out) | mw_cu.StreamDestroy(stream), 0);
    assert_int_equal(mw_cu.CtxPopCurrent(&popped) | mw_cu.DevicePrimaryCtxRelease(0), 0);
}

#else
static void cuda(void **state) { (void)state; }
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_host),
        cmocka_unit_test(nothing_is_refused),
        cmocka_unit_test(opencl),
        cmocka_unit_test(cuda),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

/* Fills of buffers too large for the driver's own fill.  The OpenCL functions that they call are defined below. */
#include <stdlib.h>
#include <string.h>

#include "dev/opencl/opencl_internal.h"

#include "tests/check.h"

/* The filled parts of the buffer in order, and of the buffer from which parts are copied. */
enum { VALUE = 0x5a };
struct _cl_mem {
    size_t bytes, filled;
};
static struct {
    struct _cl_mem *of;
    size_t begin, end;
    int calls, copies, made;
} seen;

static void reached(size_t offset, size_t bytes)
{
    assert_true(seen.calls + seen.copies == 0 || offset == seen.end);
    seen.begin = seen.calls + seen.copies == 0 ? offset : seen.begin;
    seen.end = offset + bytes;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem to, const void *pattern, size_t size, size_t offset,
                           size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event)
{
    for (size_t i = 0; i < size; i++)
        assert_int_equal(((const unsigned char *)pattern)[i], VALUE);
    assert_true(bytes > 0 && bytes % size == 0 && offset % size == 0 && offset + bytes <= to->bytes);
    assert_true((offset + bytes) / size <= INT32_MAX);
    if (to == seen.of) {
        reached(offset, bytes);
        seen.calls++;
    } else {
        assert_int_equal(offset, 0);
        to->filled = bytes;
    }
    return CL_SUCCESS;
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t offset, size_t bytes,
                           cl_uint waits, const cl_event *wait, cl_event *event)
{
    assert_true(to == seen.of && from != to && at + bytes <= from->filled && bytes > 0 && offset + bytes <= to->bytes);
    reached(offset, bytes);
    seen.copies++;
    return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *memory, cl_int *error)
{
    cl_mem made = NULL;
    OK(mw_new(1, sizeof *made, &made));
    made->bytes = bytes;
    seen.made++;
    *error = CL_SUCCESS;
    return made;
}

cl_int clReleaseMemObject(cl_mem buffer)
{
    free(buffer);
    seen.made--;
    return CL_SUCCESS;
}

static void long_fills_are_copied(void **unused)
{
    static const size_t g = (size_t)1 << 30;
    const struct {
        size_t offset, bytes;
        int calls, copies;
    } cases[] = {
        { 0, 16, 1, 0 },
        { 3, 5, 1, 0 },
        { 0, 32 * g - 16, 1, 0 },
        { 0, 32 * g, 1, 1 },
        { 48, 32 * g, 1, 1 },
        { 16 * g, 17 * g + 16, 1, 17 },
        { 32 * g, 128 * g, 0, 128 * 16 },
        { 16 * g + 8, 8, 0, 1 },
        { 1, 2 * g - 2, 1, 0 },
        { 1, 3 * g + 1, 1, 17 },
    };
    struct mw_cl_device cl = { 0 };
    struct mw_device device = { .impl = &cl };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct _cl_mem memory = { .bytes = cases[i].offset + cases[i].bytes };
        struct mw_buffer buffer = { .device = &device, .impl = &memory };
        memset(&seen, 0, sizeof seen);
        seen.of = &memory;
        OK(mw_cl_buffers.fill(&buffer, cases[i].offset, cases[i].bytes, VALUE));
        assert_int_equal(seen.begin, cases[i].offset);
        assert_int_equal(seen.end, cases[i].offset + cases[i].bytes);
        assert_int_equal(seen.calls, cases[i].calls);
        assert_int_equal(seen.copies, cases[i].copies);
        assert_int_equal(seen.made, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(long_fills_are_copied) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

/* Fills of buffers larger than drivers fill in one call: the function of OpenCL that is called for them is below. */
#include "dev/opencl/opencl_internal.h"

#include "tests/check.h"

static struct { size_t offset, bytes, pattern; int calls; } seen;

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes,
                           size_t offset, size_t bytes, cl_uint waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)buffer, (void)waits, (void)wait, (void)event;
    for (size_t i = 0; i < pattern_bytes; i++)
        assert_int_equal(((const unsigned char *)pattern)[i], 0x5a);
    assert_true(bytes > 0 && bytes % pattern_bytes == 0 && offset % pattern_bytes == 0);
    assert_true(bytes / pattern_bytes < (size_t)1 << 31);
    assert_true(seen.calls == 0 || offset == seen.offset + seen.bytes);
    seen.offset = seen.calls++ == 0 ? offset : seen.offset;
    seen.bytes = offset + bytes - seen.offset;
    seen.pattern = pattern_bytes;
    return CL_SUCCESS;
}

static void long_fills_are_of_pieces(void **unused)
{
    static const struct { size_t offset, bytes, pattern; int calls; } cases[] = {
        { 0, 16, 16, 1 },
        { 3, 5, 1, 1 },
        { 0, (size_t)1 << 34, 16, 1 },
        { 0, (size_t)3 << 34, 16, 3 },
        { 48, ((size_t)1 << 36) + 16, 16, 5 },
        { 8, ((size_t)1 << 36) + 8, 8, 9 },
        { 1, ((size_t)1 << 31) + 1, 1, 3 },
    };
    struct mw_cl_device cl = { 0 };
    struct mw_device device = { .impl = &cl };
    struct mw_buffer buffer = { .device = &device };
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        seen.calls = 0;
        OK(mw_cl_fill(&buffer, cases[i].offset, cases[i].bytes, 0x5a));
        assert_int_equal(seen.offset, cases[i].offset);
        assert_int_equal(seen.bytes, cases[i].bytes);
        assert_int_equal(seen.pattern, cases[i].pattern);
        assert_int_equal(seen.calls, cases[i].calls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(long_fills_are_of_pieces) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

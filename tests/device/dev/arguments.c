/* Checks of launch arguments against the kernel's parameters as reported by the device's compiler or driver, on one
 * device, $MESHWORK_TEST_DEVICE.  All devices use one source; native devices compile it with the system's C
 * compiler. */
#include "dev/core/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"

static const struct mw_source_text text = {
    "arguments.cl",
    "#include \"prelude.clh\"\n"
    "#define LENGTH 3\n"
    "struct pair { i32 a; u32 b[LENGTH]; };\n"
    "#define NUMBERS const i32 i, const u64 w\n"
    /* Declared first, and with either spelling of OpenCL's keywords. */
    "kernel void take(global u32 *to, NUMBERS, const struct pair pair, const real x, const u32 n);\n"
    "kernel void take(global u32 *to, NUMBERS, const struct pair pair, const real x, const u32 n)\n"
    "{\n"
    "    to[0] = (u32)i;\n"
    "    to[1] = (u32)(w >> 32);\n"
    "    to[2] = pair.b[2];\n"
    "    to[3] = (u32)x;\n"
    "    to[4] = n;\n"
    "}\n"
    /* Only a compiler can determine these. */
    "#if defined(__clang__) && __clang__ > 1000\n"
    "#define NUMBER u64\n"
    "#else\n"
    "#define NUMBER u32\n"
    "#endif\n"
    "__kernel void take_unknown(__global u32 *to, const NUMBER n)\n"
    "{\n"
    "    to[0] = (u32)n;\n"
    "}\n"
    "#ifdef MW_OPENCL\n"
    "__kernel void take_local(__global u32 *to, __local u32 *room)\n"
    "{\n"
    "    room[0] = to[0];\n"
    "}\n"
    "#endif\n",
    NULL
};
struct pair {
    int32_t a;
    uint32_t b[3];
};

static struct mw_device *device;
static struct mw_program *program;
static struct mw_kernel *take;
static bool takes_double;
static struct mw_buffer *to;
static const struct mw_range one = { 1, { 1 }, { 1 } };
static const struct pair pair = { 1, { 2, 3, UINT32_MAX } };

enum { TO, I, W, PAIR, X, N, COUNT };
static void right(struct mw_arg args[COUNT])
{
    args[TO] = mw_arg_buffer(to);
    args[I] = mw_arg_i32(-5);
    args[W] = mw_arg_u64((uint64_t)7 << 32);
    args[PAIR] = mw_arg_struct(&pair, sizeof pair);
    args[X] = takes_double ? mw_arg_f64(3.0) : mw_arg_f32(3.0f);
    args[N] = mw_arg_u32(11);
}

static void arrives(const struct mw_arg *args)
{
    uint32_t back[5] = { 0 };
    OK(mw_buffer_fill(to, 0, sizeof back, 0));
    OK(mw_launch(take, &one, args, COUNT, NULL));
    OK(mw_buffer_read(to, 0, sizeof back, back, NULL));
    assert_int_equal((int32_t)back[0], -5);
    assert_int_equal(back[1], 7);
    assert_int_equal(back[2], UINT32_MAX);
    assert_int_equal(back[3], 3);
    assert_int_equal(back[4], 11);
}

static void build(const char *defines, bool fp64)
{
    const struct mw_source source = { .size = sizeof source,
                                      .file = text.name,
                                      .native_file = text.name,
                                      .texts = &text,
                                      .text_count = 1,
                                      .defines = defines,
                                      .fp64 = fp64 };
    mw_kernel_free(take);
    mw_program_free(program);
    take = NULL;
    program = NULL;
    OK(mw_program_new(device, &source, &program));
    OK(mw_kernel_new(program, "take", &take));
    takes_double = fp64;
}

static void refused_by(struct mw_kernel *kernel, const struct mw_arg *args, size_t count, const char *words)
{
    struct mw_event *event = NULL;
    const int rc = mw_launch(kernel, &one, args, count, &event);
    if (rc != MW_EINVAL || !strstr(mw_errmsg(), kernel->name) || !strstr(mw_errmsg(), words))
        fail_msg("%d, %s: not '%s'", rc, mw_errmsg(), words);
    assert_null(event);
}

static void refused(const struct mw_arg *args, size_t count, const char *words)
{
    refused_by(take, args, count, words);
}

static void another_count_is_refused(void **state)
{
    struct mw_arg args[COUNT + 1];
    right(args);
    args[COUNT] = mw_arg_i32(0);
    refused(args, COUNT - 1, "takes 6 arguments, but 5 are given");
    refused(args, COUNT + 1, "takes 6 arguments, but 7 are given");
    refused(NULL, 0, "takes 6 arguments, but 0 are given");
    refused(NULL, COUNT, "takes 6 arguments, but 0 are given");
    arrives(args);
}

/* Information that a device needs to reject an argument.  CUDA's driver reports sizes but no types.  Older versions of
 * PoCL report types, and only the sizes of OpenCL C's own types. */
enum knowledge { NOTHING, TYPES, SIZES };
static bool knows(enum knowledge what)
{
    const struct mw_device_info *info = mw_device_info(device);
    return what == TYPES   ? strcmp(info->backend, "cuda") != 0
           : what == SIZES ? !strstr(info->platform, "Portable Computing Language")
                           : true;
}

static void another_type_is_refused(void **state)
{
    const struct pair larger[2] = { pair, pair };
    const struct {
        int i;
        struct mw_arg arg;
        enum knowledge by;
    } wrong[] = {
        { TO, mw_arg_i32(1), NOTHING }, /* a value for a buffer */
        { TO, mw_arg_u64(1), TYPES },
        { TO, mw_arg_struct(&pair, sizeof pair), NOTHING },
        { TO, mw_arg_struct(NULL, 256), NOTHING }, /* as local memory is passed to OpenCL */
        { I, mw_arg_buffer(to), NOTHING },         /* a buffer for a value */
        { I, mw_arg_buffer(NULL), NOTHING },
        { PAIR, mw_arg_buffer(to), NOTHING },
        { X, mw_arg_buffer(to), takes_double ? TYPES : NOTHING },
        { I, mw_arg_u32(1), TYPES }, /* same width */
        { I, mw_arg_f32(1.0f), TYPES },
        { N, mw_arg_i32(1), TYPES },
        { N, mw_arg_f32(1.0f), TYPES },
        { W, mw_arg_i64(1), TYPES },
        { W, mw_arg_f64(1.0), TYPES },
        { X, mw_arg_i32(1), TYPES },
        { X, mw_arg_u64(1), TYPES },
        { I, mw_arg_i64(1), NOTHING }, /* another width */
        { W, mw_arg_u32(1), NOTHING },
        { X, takes_double ? mw_arg_f32(1.0f) : mw_arg_f64(1.0), SIZES },
        { I, mw_arg_struct(&pair, sizeof pair), NOTHING }, /* another size */
        { W, mw_arg_struct(&pair, 4), NOTHING },
        { PAIR, mw_arg_struct(&pair, sizeof pair - 4), SIZES },
        { PAIR, mw_arg_struct(larger, sizeof larger), SIZES },
        { PAIR, mw_arg_struct(NULL, sizeof pair), NOTHING },
        { PAIR, mw_arg_i32(1), NOTHING },
    };
    struct mw_arg args[COUNT];
    for (size_t i = 0; i < MW_COUNT(wrong); i++) {
        char words[32];
        if (!knows(wrong[i].by))
            continue;
        right(args);
        args[wrong[i].i] = wrong[i].arg;
        snprintf(words, sizeof words, "rgument %d", wrong[i].i);
        refused(args, COUNT, words);
    }
    right(args);
    arrives(args); /* and the device still works */
}

/* A program loaded from the cache. */
static void and_when_it_is_built_again(void **state)
{
    build(NULL, false);
    another_type_is_refused(state);
    another_count_is_refused(state);
}

static void and_in_double_precision(void **state)
{
    if (!mw_device_info(device)->fp64)
        skip();
    build("#define REAL_DOUBLE 1\n", true);
    another_type_is_refused(state);
    build(NULL, false);
}

/* A struct of a value's size may replace it, for callers that do not have the type. */
static void values_may_come_as_bytes(void **state)
{
    const int32_t i = -5;
    const uint64_t w = (uint64_t)7 << 32;
    const float x = 3.0f;
    struct mw_arg args[COUNT];
    right(args);
    args[I] = mw_arg_struct(&i, sizeof i);
    args[W] = mw_arg_struct(&w, sizeof w);
    args[X] = mw_arg_struct(&x, sizeof x);
    arrives(args);
}

static void a_type_may_depend_on_the_compiler(void **state)
{
    const struct mw_arg args[] = { mw_arg_buffer(to), mw_arg_u32(12), mw_arg_u32(0) };
    const struct mw_arg value[] = { mw_arg_u32(1), mw_arg_u32(12) };
    const struct mw_arg buffer[] = { mw_arg_buffer(to), mw_arg_buffer(to) };
    struct mw_kernel *kernel = NULL;
    uint32_t back = 0;
    OK(mw_kernel_new(program, "take_unknown", &kernel));
    refused_by(kernel, args, 1, "takes 2 arguments, but 1 are given");
    refused_by(kernel, args, 3, "takes 2 arguments, but 3 are given");
    refused_by(kernel, value, 2, "rgument 0");
    refused_by(kernel, buffer, 2, "rgument 1");
    OK(mw_launch(kernel, &one, args, 2, NULL));
    OK(mw_buffer_read(to, 0, sizeof back, &back, NULL));
    assert_int_equal(back, 12);
    mw_kernel_free(kernel);
}

static void local_memory_is_no_argument(void **state)
{
    const struct mw_arg wrong[] = { mw_arg_buffer(to), mw_arg_buffer(NULL), mw_arg_u32(256), mw_arg_struct(NULL, 256),
                                    mw_arg_struct(&pair, sizeof pair) };
    struct mw_kernel *kernel = NULL;
    if (!device->backend->compiles)
        skip();
    if (strcmp(mw_device_info(device)->backend, "cuda") == 0)
        skip(); /* its compiler does not support this argument */
    OK(mw_kernel_new(program, "take_local", &kernel));
    for (size_t i = 0; i < MW_COUNT(wrong); i++)
        refused_by(kernel, (const struct mw_arg[]){ mw_arg_buffer(to), wrong[i] }, 2, "rgument 1");
    mw_kernel_free(kernel);
}

static int close_device(void **state)
{
    mw_kernel_free(take);
    mw_buffer_free(to);
    mw_program_free(program);
    mw_device_close(device);
    return 0;
}

static int open_device(void **state)
{
    int rc;
    TRY(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &device));
    TRY(mw_buffer_new(device, 5 * sizeof(uint32_t), &to));
    build(NULL, false);
    return 0;
out:
    print_error("%s\n%s\n", mw_errmsg(), mw_build_log());
    close_device(state); /* cmocka skips this if the test fails */
    return rc;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_count_is_refused),    cmocka_unit_test(another_type_is_refused),
        cmocka_unit_test(and_when_it_is_built_again),  cmocka_unit_test(and_in_double_precision),
        cmocka_unit_test(values_may_come_as_bytes),    cmocka_unit_test(a_type_may_depend_on_the_compiler),
        cmocka_unit_test(local_memory_is_no_argument),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

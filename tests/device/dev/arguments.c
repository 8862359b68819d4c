/* What a kernel's prototype says is what a launch is checked against, on one device, $MESHWORK_TEST_DEVICE: one text
 * for all of them, which native devices have the system's C compiler make. */
#include "dev/backend.h"

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
    "struct pair { i32 a; u32 b[3]; };\n"
    "__kernel void take(__global u32 *to, const i32 i, const u64 w, const struct pair pair, const real x)\n"
    "{\n"
    "    to[0] = (u32)i;\n"
    "    to[1] = (u32)(w >> 32);\n"
    "    to[2] = pair.b[2];\n"
    "    to[3] = (u32)x;\n"
    "}\n",
    NULL
};
struct pair { int32_t a; uint32_t b[3]; };

static struct mw_device *device;
static struct mw_program *program;
static struct mw_kernel *take;
static struct mw_buffer *to;
static const struct mw_range one = { 1, { 1 }, { 1 } };
static const struct pair pair = { 1, { 2, 3, UINT32_MAX } };

enum { TO, I, W, PAIR, X, COUNT };
static void right(struct mw_arg args[COUNT])
{
    args[TO] = mw_arg_buffer(to);
    args[I] = mw_arg_i32(-5);
    args[W] = mw_arg_u64((uint64_t)7 << 32);
    args[PAIR] = mw_arg_struct(&pair, sizeof pair);
    args[X] = mw_arg_f32(3.0f);
}

static void arrives(const struct mw_arg *args)
{
    uint32_t back[4] = { 0 };
    OK(mw_buffer_fill(to, 0, sizeof back, 0));
    OK(mw_launch(take, &one, args, COUNT, NULL));
    OK(mw_buffer_read(to, 0, sizeof back, back, NULL));
    assert_int_equal((int32_t)back[0], -5);
    assert_int_equal(back[1], 7);
    assert_int_equal(back[2], UINT32_MAX);
    assert_int_equal(back[3], 3);
}

static void refused(const struct mw_arg *args, size_t count, const char *words)
{
    struct mw_event *event = NULL;
    const int rc = mw_launch(take, &one, args, count, &event);
    if (rc != MW_EINVAL || !strstr(mw_errmsg(), "take") || !strstr(mw_errmsg(), words))
        fail_msg("%d, %s: not '%s'", rc, mw_errmsg(), words);
    assert_null(event);
}

static void another_count_is_refused(void **state)
{
    struct mw_arg args[COUNT + 1];
    (void)state;
    right(args);
    args[COUNT] = mw_arg_i32(0);
    refused(args, COUNT - 1, "takes 5 arguments, and 4 are given");
    refused(args, COUNT + 1, "takes 5 arguments, and 6 are given");
    refused(NULL, 0, "takes 5 arguments, and 0 are given");
    arrives(args);
}

static void another_type_is_refused(void **state)
{
    const struct pair larger[2] = { pair, pair };
    /* PoCL looks at no size of a type that is a program's own. */
    const bool sizes = !strstr(mw_device_info(device)->platform, "Portable Computing Language");
    const struct { int i; struct mw_arg arg; } wrong[] = {
        { TO, mw_arg_i32(1) },                                   /* a value for a buffer */
        { TO, mw_arg_u64(1) },
        { TO, mw_arg_struct(&pair, sizeof pair) },
        { I, mw_arg_buffer(to) },                                /* a buffer for a value */
        { I, mw_arg_buffer(NULL) },
        { PAIR, mw_arg_buffer(to) },
        { X, mw_arg_buffer(to) },
        { I, mw_arg_u32(1) },                                    /* of the same width */
        { I, mw_arg_f32(1.0f) },
        { X, mw_arg_i32(1) },
        { I, mw_arg_i64(1) },                                    /* of another width */
        { W, mw_arg_u32(1) },
        { W, mw_arg_i64(1) },
        { X, mw_arg_f64(1.0) },
        { I, mw_arg_struct(&pair, sizeof pair) },                /* of another size */
        { W, mw_arg_struct(&pair, 4) },
        { PAIR, mw_arg_struct(&pair, sizeof pair - 4) },
        { PAIR, mw_arg_struct(larger, sizeof larger) },
        { PAIR, mw_arg_struct(NULL, sizeof pair) },
        { PAIR, mw_arg_i32(1) },
    };
    struct mw_arg args[COUNT];
    (void)state;
    for (size_t i = 0; i < MW_COUNT(wrong); i++) {
        char words[32];
        const struct mw_arg *arg = &wrong[i].arg;
        if (!sizes && (arg->type == MW_ARG_F64 || (wrong[i].i == PAIR && arg->type != MW_ARG_BUFFER &&
                                                   arg->bytes != sizeof pair)))
            continue;
        right(args);
        args[wrong[i].i] = *arg;
        snprintf(words, sizeof words, "rgument %d", wrong[i].i);
        refused(args, COUNT, words);
    }
    right(args);
    arrives(args); /* and the device is as good as before */
}

/* A struct of a value's size stands for it: what a caller has who does not know the type. */
static void values_may_come_as_bytes(void **state)
{
    const int32_t i = -5;
    const uint64_t w = (uint64_t)7 << 32;
    const float x = 3.0f;
    struct mw_arg args[COUNT];
    (void)state;
    right(args);
    args[I] = mw_arg_struct(&i, sizeof i);
    args[W] = mw_arg_struct(&w, sizeof w);
    args[X] = mw_arg_struct(&x, sizeof x);
    arrives(args);
}

static int close_device(void **state)
{
    (void)state;
    mw_kernel_free(take);
    mw_buffer_free(to);
    mw_program_free(program);
    mw_device_close(device);
    return 0;
}

static int open_device(void **state)
{
    const struct mw_source source = { .file = text.name, .native_file = text.name, .texts = &text, .text_count = 1 };
    int rc;
    TRY(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &device));
    TRY(mw_program_new(device, &source, &program));
    TRY(mw_kernel_new(program, "take", &take));
    TRY(mw_buffer_new(device, 4 * sizeof(uint32_t), &to));
    return 0;
out:
    print_error("%s\n%s\n", mw_errmsg(), mw_build_log());
    close_device(state); /* cmocka does not when this fails */
    return rc;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_count_is_refused),
        cmocka_unit_test(another_type_is_refused),
        cmocka_unit_test(values_may_come_as_bytes),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}

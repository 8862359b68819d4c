/* Plain OpenCL C kernels from a file, on one device, $MESHWORK_TEST_DEVICE: results compared with loops in C, and
 * messages for unsupported kernels. */
#include "dev/core/backend.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/device.h"

enum { NX = 45, NY = 7, N = NX * NY, GROUP = 16 };
struct stencil {
    float centre, side;
    int nx;
    unsigned ny;
};
struct pair {
    int a, b;
};
static bool opencl;
static char path[1024];
static float x[N], y[N];

static int build(const char *defines, struct mw_program **program)
{
    const struct mw_source source = { .size = sizeof source, .file = path, .defines = defines };
    return mw_program_new(device, &source, program);
}

static struct mw_buffer *buffer_of(const void *from, size_t bytes)
{
    struct mw_buffer *buffer = NULL;
    OK(mw_buffer_new(device, bytes, &buffer));
    OK(mw_buffer_write(buffer, 0, bytes, from, NULL));
    return buffer;
}

static void run(const char *defines, const char *name, struct mw_range range, const struct mw_arg *args, size_t count)
{
    struct mw_program *program = NULL;
    struct mw_kernel *kernel = NULL;
    OK(build(defines, &program));
    OK(mw_kernel_new(program, name, &kernel));
    OK(mw_launch(kernel, &range, args, count, NULL));
    OK(mw_device_finish(device));
    mw_kernel_free(kernel);
    mw_program_free(program);
}

static void take(struct mw_buffer *buffer, size_t bytes, void *to)
{
    OK(mw_buffer_read(buffer, 0, bytes, to, NULL));
    mw_buffer_free(buffer);
}

/* Small integers: sums and products of a few are exact, even if a compiler contracts them. */
static void draw(void)
{
    for (size_t i = 0; i < N; i++) {
        x[i] = (float)random_below(100) - 50;
        y[i] = (float)random_below(100) - 50;
    }
}

static void saxpy(void **state)
{
    float got[N];
    draw();
    struct mw_buffer *from = buffer_of(x, sizeof x), *to = buffer_of(y, sizeof y);
    run(NULL, "saxpy", (struct mw_range){ 1, { N }, { 0 } },
        (struct mw_arg[]){ mw_arg_f32(3), mw_arg_buffer(from), mw_arg_buffer(to), mw_arg_u32(N) }, 4);
    take(to, sizeof got, got);
    mw_buffer_free(from);
    for (size_t i = 0; i < N; i++)
        assert_true(got[i] == 3 * x[i] + y[i]);
}

static float at(int i, int k)
{
    i = i < 0 ? 0 : i >= NX ? NX - 1 : i;
    k = k < 0 ? 0 : k >= NY ? NY - 1 : k;
    return x[k * NX + i];
}

static void stencil_with_a_struct(void **state)
{
    static const struct stencil s = { 2, 0.25f, NX, NY };
    float got[N];
    draw();
    struct mw_buffer *from = buffer_of(x, sizeof x), *to = buffer_of(y, sizeof y);
    run(NULL, "stencil", (struct mw_range){ 2, { NX, NY }, { 4, 2 } },
        (struct mw_arg[]){ mw_arg_buffer(from), mw_arg_buffer(to), mw_arg_struct(&s, sizeof s) }, 3);
    take(to, sizeof got, got);
    mw_buffer_free(from);
    for (int k = 0; k < NY; k++)
        for (int i = 0; i < NX; i++)
            assert_true(got[k * NX + i] ==
                        2 * at(i, k) + 0.25f * (at(i - 1, k) + at(i + 1, k) + at(i, k - 1) + at(i, k + 1)));
}

static void loops_over_the_range(void **state)
{
    static const struct pair p = { 7, 3 };
    uint64_t got[N] = { 0 };
    struct mw_buffer *to = buffer_of(got, sizeof got);
    run(NULL, "squares", (struct mw_range){ 1, { 64 }, { GROUP } },
        (struct mw_arg[]){ mw_arg_buffer(to), mw_arg_u32(N), mw_arg_struct(&p, sizeof p) }, 3);
    take(to, sizeof got, got);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(got[i], i * i + 5);
}

static void functions_and_constants(void **state)
{
    float got[N];
    draw();
    struct mw_buffer *from = buffer_of(x, sizeof x), *to = buffer_of(y, sizeof y);
    run(NULL, "smooth", (struct mw_range){ 1, { N }, { 0 } },
        (struct mw_arg[]){ mw_arg_buffer(from), mw_arg_buffer(to), mw_arg_i32(N) }, 3);
    take(to, sizeof got, got);
    mw_buffer_free(from);
    for (int i = 0; i < N; i++) {
        const float sum = 0.25f * x[i > 0 ? i - 1 : 0] + 0.5f * x[i] + 0.25f * x[i < N - 1 ? i + 1 : N - 1];
        const double expected = 3 * sqrt(fabs(2.0 * sum + 1.0));
        assert_true(fabs(got[i] - expected) <= 1e-5 * (1 + expected));
    }
}

static void refused(const char *defines, const char *place, const char *word)
{
    struct mw_program *program = NULL;
    FAILS(MW_EBUILD, place, build(defines, &program));
    assert_non_null(strstr(mw_errmsg(), word));
    assert_non_null(strstr(mw_errmsg(), "\"Kernels of your own\" in doc/library.md"));
    assert_null(program);
}

static void groups(void **state)
{
    enum { GROUPS = (N + GROUP - 1) / GROUP };
    int32_t in[N], got[GROUPS];
    if (native) {
        refused("#define GROUPS", "plain.cl:55: ", "__local");
        return;
    }
    for (size_t i = 0; i < N; i++)
        in[i] = (int32_t)random_below(1000);
    struct mw_buffer *from = buffer_of(in, sizeof in), *to = buffer_of(in, sizeof got);
    run("#define GROUPS", "reduce", (struct mw_range){ 1, { N }, { GROUP } },
        (struct mw_arg[]){ mw_arg_buffer(from), mw_arg_buffer(to), mw_arg_i32(N) }, 3);
    take(to, sizeof got, got);
    mw_buffer_free(from);
    for (size_t g = 0; g < GROUPS; g++) {
        int32_t sum = 0;
        for (size_t i = g * GROUP; i < (g + 1) * GROUP && i < N; i++)
            sum += in[i];
        assert_int_equal(got[g], sum);
    }
}

static void vectors(void **state)
{
    int32_t in[4 * N], got[4 * N];
    if (!opencl) {
        refused("#define VECTORS", "plain.cl:7", "int4"); /* CUDA has the type, but not its operators */
        return;
    }
    for (size_t i = 0; i < 4 * N; i++)
        in[i] = (int32_t)random_below(1000);
    struct mw_buffer *from = buffer_of(in, sizeof in), *to = buffer_of(in, sizeof in);
    run("#define VECTORS", "lanes", (struct mw_range){ 1, { N }, { 1 } },
        (struct mw_arg[]){ mw_arg_buffer(from), mw_arg_buffer(to) }, 2);
    take(to, sizeof got, got);
    mw_buffer_free(from);
    for (size_t i = 0; i < 4 * N; i++)
        assert_int_equal(got[i], in[i] + 1 + (int32_t)(i % 4));
}

static void what_is_wrong_in_any_dialect_is_said_plainly(void **state)
{
    struct mw_program *program = NULL;
    const struct mw_source missing = { .size = sizeof missing, .file = "./no/such.cl" };
    FAILS(MW_EIO, "./no/such.cl", mw_program_new(device, &missing, &program));
    FAILS(MW_EBUILD, "defines:1: #include \"/plain.h\"", build("#include \"/plain.h\"\n", &program));
    FAILS(MW_EBUILD, "defines:1: ", build("#error wrong\n", &program));
    assert_null(strstr(mw_errmsg(), "library.md"));
    assert_null(program);
}

/* A text given by the program is built like a file. */
static void texts_need_no_file(void **state)
{
    static const struct mw_source_text text = {
        "count", "__kernel void count(__global int *to, int n) { int i = get_global_id(0); if (i < n) to[i] = n - i; }",
        NULL
    };
    const struct mw_source source = { .size = sizeof source, .file = "count", .texts = &text, .text_count = 1 };
    struct mw_program *program = NULL;
    struct mw_kernel *kernel = NULL;
    int32_t got[3] = { 0 };
    struct mw_buffer *to = buffer_of(got, sizeof got);
    OK(mw_program_new(device, &source, &program));
    OK(mw_kernel_new(program, "count", &kernel));
    OK(mw_launch(kernel, &(struct mw_range){ 1, { 3 }, { 0 } }, (struct mw_arg[]){ mw_arg_buffer(to), mw_arg_i32(3) },
                 2, NULL));
    take(to, sizeof got, got);
    assert_int_equal(got[0] * 100 + got[1] * 10 + got[2], 321);
    mw_kernel_free(kernel);
    mw_program_free(program);
}

static int start(void **state)
{
    const char *folder = getenv("srcdir");
    snprintf(path, sizeof path, "%s/tests/device/cl/plain.cl", folder ? folder : ".");
    if (open_device(state) != 0)
        return -1;
    opencl = strcmp(info->backend, "opencl") == 0;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saxpy),
        cmocka_unit_test(stencil_with_a_struct),
        cmocka_unit_test(loops_over_the_range),
        cmocka_unit_test(functions_and_constants),
        cmocka_unit_test(groups),
        cmocka_unit_test(vectors),
        cmocka_unit_test(what_is_wrong_in_any_dialect_is_said_plainly),
        cmocka_unit_test(texts_need_no_file),
    };
    return cmocka_run_group_tests(tests, start, close_device);
}
/* SPDX-License-Identifier: MIT */

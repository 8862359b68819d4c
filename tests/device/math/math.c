/* Elementary functions (cl/math.clh) on $MESHWORK_TEST_DEVICE: the bits of native:serial with single lanes, which
 * tests/unit/math compares with references. */
#include "dev/core/backend.h"
#include "tests/device/device.h"

#include <math.h>

static const char *const functions[] = { "exp",   "log",    "sin",  "cos", "tan",    "atan",        "tanh",
                                         "sinh",  "cosh",   "sqrt", "abs", "sign",   "floor",       "pow",
                                         "atan2", "divide", "min",  "max", "select", "comparisons", "conditions" };
static const double specials[] = { 0,      1,        0.5,       2,      3,      10,       88,    104,
                                   709,    745,      1e10,      1e-5,   1e-38,  1e-40,    1e-45, 1e300,
                                   5e-324, 0x1p-126, 0x1p-1022, 0x1p20, 0x1p10, INFINITY, NAN };
enum { SPECIALS = 2 * sizeof specials / sizeof *specials, LANES = 16 };

/* Number k of all special values with either sign. */
static double special(size_t k) { return k & 1 ? -specials[k / 2] : specials[k / 2]; }

/* All pairs of special values, then random bits and random values of ordinary size. */
static double argument(size_t i, bool second, bool wide)
{
    const uint64_t word = random_word();
    const uint32_t half = (uint32_t)word;
    double value;
    float single;
    if (i < SPECIALS * SPECIALS)
        return special(second ? i / SPECIALS : i % SPECIALS);
    if (i & 1)
        return (double)(int64_t)word * 0x1p-63 * (i & 2 ? 20 : i & 4 ? 1 : 800);
    memcpy(&single, &half, sizeof single);
    memcpy(&value, &word, sizeof value);
    return wide ? value : (double)single;
}

/* Runs each function on a device; with `simple`, as if its single precision were not exact and without fma. */
static void compute(struct mw_device *on, bool wide, unsigned lanes, bool simple, size_t n, const void *from,
                    const void *second, char *results)
{
    const size_t bytes = n * (wide ? 8 : 4);
    char path[1024], defines[100];
    struct mw_program *program;
    struct mw_kernel *kernel;
    struct mw_buffer *buffers[3];
    const struct mw_source source = { .size = sizeof source, .file = path, .defines = defines, .fp64 = wide };
    snprintf(path, sizeof path, "%s/tests/device/cl/math.cl", getenv("srcdir") ? getenv("srcdir") : ".");
    snprintf(defines, sizeof defines, "#define VEC %u\n%s%s", lanes, wide ? "#define REAL_DOUBLE 1\n" : "",
             simple ? "#undef MW_IEEE_SINGLE\n#undef MW_FMA_SINGLE\n" : "");
    OK(mw_program_new(on, &source, &program));
    for (size_t b = 0; b < 3; b++)
        OK(mw_buffer_new(on, bytes, &buffers[b]));
    OK(mw_buffer_write(buffers[1], 0, bytes, from, NULL));
    OK(mw_buffer_write(buffers[2], 0, bytes, second, NULL));
    OK(mw_kernel_new(program, "take", &kernel));
    for (size_t f = 0; f < MW_COUNT(functions); f++) {
        const struct mw_arg args[] = { mw_arg_buffer(buffers[0]), mw_arg_buffer(buffers[1]), mw_arg_buffer(buffers[2]),
                                       mw_arg_u32((uint32_t)n), mw_arg_u32((uint32_t)f) };
        const struct mw_range range = { 1, { n / lanes }, { 16 } };
        OK(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
        OK(mw_buffer_read(buffers[0], 0, bytes, results + f * bytes, NULL));
    }
    mw_kernel_free(kernel);
    for (size_t b = 0; b < 3; b++)
        mw_buffer_free(buffers[b]);
    mw_program_free(program);
}

static double value_at(const void *numbers, bool wide, size_t i)
{
    return wide ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

/* NaN payloads are exempt. */
static void compare(const char *expected, const char *got, bool wide, unsigned lanes, size_t n, const void *from,
                    const void *second)
{
    const size_t bytes = wide ? 8 : 4;
    for (size_t f = 0; f < MW_COUNT(functions); f++, expected += n * bytes, got += n * bytes)
        for (size_t i = 0; i < n; i++)
            if (memcmp(expected + i * bytes, got + i * bytes, bytes) != 0 &&
                !(isnan(value_at(expected, wide, i)) && isnan(value_at(got, wide, i))))
                fail_msg("%s, %u lanes: %s(%a, %a) is %a instead of %a", wide ? "double" : "single", lanes,
                         functions[f], value_at(from, wide, i), value_at(second, wide, i), value_at(got, wide, i),
                         value_at(expected, wide, i));
}

static void check_precision(bool wide)
{
    const size_t bytes = wide ? 8 : 4, n = (slow ? 4096 : 100000) / LANES * LANES;
    const unsigned most = native || (info->kind == MW_DEVICE_CPU && !slow && !slow_compiler) ? (wide ? 8 : LANES)
                          : strncmp(info->id, "cuda", 4) == 0 || (slow && !wide)             ? 2
                                                                                             : 1;
    struct mw_device *serial;
    char *from = room(n, bytes), *second = room(n, bytes), *expected = room(n, bytes * MW_COUNT(functions)),
         *got = room(n, bytes * MW_COUNT(functions));
    for (size_t i = 0; i < n; i++)
        for (int s = 0; s < 2; s++) {
            const double value = argument(i, s, wide);
            const float single = (float)value;
            memcpy((s ? second : from) + i * bytes, wide ? (const void *)&value : &single, bytes);
        }
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    compute(serial, wide, 1, false, n, from, second, expected);
    for (unsigned lanes = 1; lanes <= most; lanes *= 2) {
        if (lanes > 1 && lanes < most && left_out(2))
            continue;
        compute(device, wide, lanes, false, n, from, second, got);
        compare(expected, got, wide, lanes, n, from, second);
    }
    if (!wide && !native) {
        compute(device, wide, most, true, n, from, second, got);
        compare(expected, got, wide, most, n, from, second);
    }
    mw_device_close(serial);
    free(from);
    free(second);
    free(expected);
    free(got);
}

static void single_precision_has_the_bits_of_native_devices(void **unused) { check_precision(false); }

static void double_precision_has_the_bits_of_native_devices(void **unused)
{
    if (!info->fp64)
        skip();
    check_precision(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_precision_has_the_bits_of_native_devices),
        cmocka_unit_test(double_precision_has_the_bits_of_native_devices),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

/* Common parts of the tests of the device layer.  They run on one device, $MESHWORK_TEST_DEVICE, with the kernels of
 * tests/device/cl; native devices use the same kernels in C, below. */
#ifndef TESTS_DEVICE_DEV_H
#define TESTS_DEVICE_DEV_H

#include "dev/core/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"
#include "tests/scratch.h"

/* ---- the same kernels in C ---- */

#define VALUE(type, i) (*(const type *)call->args[i])
#define BUFFER(type, i) ((type *)call->args[i])

struct mixed {
    int32_t i;
    float f;
    uint64_t u[2];
};
enum { LARGE = 90, MANY = 40 };
struct large {
    uint64_t word[LARGE];
};

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

static void native_scalar_double(const struct mw_native_call *call) { memcpy(call->args[0], call->args[1], 8); }

static void native_structs(const struct mw_native_call *call)
{
    const struct mixed *m = call->args[1];
    uint64_t *out = BUFFER(uint64_t, 0);
    out[0] = (uint64_t)(int64_t)m->i;
    out[1] = float_bits(m->f);
    out[2] = m->u[0];
    out[3] = m->u[1];
}

static void native_large(const struct mw_native_call *call)
{
    const struct large *l = call->args[1];
    uint64_t *out = BUFFER(uint64_t, 0);
    out[0] = l->word[0];
    out[1] = l->word[LARGE / 2];
    out[2] = l->word[LARGE - 1];
}

static void native_many(const struct mw_native_call *call)
{
    uint64_t *out = BUFFER(uint64_t, 0);
    out[3] = VALUE(uint32_t, 1);
    out[4] = VALUE(uint32_t, MANY);
}

static void native_nulls(const struct mw_native_call *call)
{
    const int32_t *may_be_null = BUFFER(int32_t, 1);
    *BUFFER(int32_t, 0) = may_be_null ? may_be_null[0] : -1;
}

/* Parameters of each kernel: the count, then the parameters. */
#define TAKES(name, ...) static const struct mw_native_parameter name##_takes[] = { __VA_ARGS__ }
#define COUNT(n)                                                                                                       \
    {                                                                                                                  \
        0, n                                                                                                           \
    }
#define A_BUFFER                                                                                                       \
    {                                                                                                                  \
        MW_ARG_BUFFER, 0                                                                                               \
    }
#define I32                                                                                                            \
    {                                                                                                                  \
        MW_ARG_I32, 4                                                                                                  \
    }
#define U32                                                                                                            \
    {                                                                                                                  \
        MW_ARG_U32, 4                                                                                                  \
    }
#define U64                                                                                                            \
    {                                                                                                                  \
        MW_ARG_U64, 8                                                                                                  \
    }
TAKES(axpy, COUNT(4), A_BUFFER, A_BUFFER, I32, U64);
TAKES(number, COUNT(4), A_BUFFER, U32, U32, U32);
TAKES(scalars, COUNT(6), A_BUFFER, I32, U32, { MW_ARG_I64, 8 }, U64, { MW_ARG_F32, 4 });
TAKES(scalar_double, COUNT(2), A_BUFFER, { MW_ARG_F64, 8 });
TAKES(structs, COUNT(2), A_BUFFER, { MW_ARG_STRUCT, sizeof(struct mixed) });
TAKES(large, COUNT(2), A_BUFFER, { MW_ARG_STRUCT, sizeof(struct large) });
#define FIVE_U32 U32, U32, U32, U32, U32
TAKES(many, COUNT(1 + MANY), A_BUFFER, FIVE_U32, FIVE_U32, FIVE_U32, FIVE_U32, FIVE_U32, FIVE_U32, FIVE_U32, FIVE_U32);
TAKES(nulls, COUNT(2), A_BUFFER, A_BUFFER);

#define ROW(kernel)                                                                                                    \
    {                                                                                                                  \
#kernel, native_##kernel, kernel##_takes                                                                       \
    }
static const struct mw_native_kernel native_kernels[] = { ROW(axpy),          ROW(number),  ROW(scalars),
                                                          ROW(scalar_double), ROW(structs), ROW(large),
                                                          ROW(many),          ROW(nulls),   { .name = NULL } };

/* ---- common parts of the tests ---- */

static char kernel_path[1024];
static struct mw_device *device;
static struct mw_program *program;
static bool compiles;
static struct {
    int compiling, cached;
} logged;

static void count_logs(void *context, enum mw_log_level level, const char *message)
{
    logged.compiling += level == MW_LOG_WAIT && strstr(message, "compiling (first run)") != NULL;
    logged.cached += strstr(message, "from the cache") != NULL;
}

static inline struct mw_source source_with(const char *defines)
{
    return (struct mw_source){
        .size = sizeof(struct mw_source), .file = "dev.cl", .defines = defines, .native = native_kernels
    };
}

static inline const char *default_defines(void)
{
    return mw_device_info(device)->fp64 ? "#define LOCAL_INTS 16\n#define WITH_DOUBLE 1" : "#define LOCAL_INTS 16";
}

/* Made when first needed, so that memory is tested before anything compiles. */
static inline struct mw_program *the_program(void)
{
    const struct mw_source source = source_with(default_defines());
    if (!program)
        OK(mw_program_new(device, &source, &program));
    return program;
}

static inline struct mw_kernel *kernel_of(const char *name)
{
    struct mw_kernel *kernel = NULL;
    OK(mw_kernel_new(the_program(), name, &kernel));
    return kernel;
}

static inline struct mw_buffer *buffer_with(const void *bytes, size_t n)
{
    struct mw_buffer *buffer = NULL;
    OK(mw_buffer_new(device, n, &buffer));
    OK(mw_buffer_write(buffer, 0, n, bytes, NULL));
    return buffer;
}

/* Launches and waits. */
static inline void run(struct mw_kernel *kernel, struct mw_range range, const struct mw_arg *args, size_t count)
{
    OK(mw_launch(kernel, &range, args, count, NULL));
    OK(mw_device_finish(device));
}

static inline void random_bytes(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)rand();
}

static int close_device(void **state)
{
    mw_program_free(program);
    program = NULL;
    const uint64_t left = device ? device->allocated : 0;
    mw_device_close(device);
    device = NULL;
    remove_scratch(state);
    return left == 0 ? 0 : -1;
}

static int open_device(void **state)
{
    const char *srcdir = getenv("srcdir");
    char cache[64];
    seed_random();
    if (!mkdtemp(folder))
        return -1;
    snprintf(cache, sizeof(cache), "%s/cache", folder);
    setenv("HOME", folder, 1);
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("MESHWORK_CACHE_DIR", cache, 1);
    snprintf(kernel_path, sizeof(kernel_path), "%s/tests/device/cl", srcdir ? srcdir : ".");
    mw_log_to(count_logs, NULL);
    const struct mw_device_options options = { .size = sizeof options, .profile = true, .kernel_path = kernel_path };
    int rc = mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), &options, &device);
    if (rc == 0) {
        compiles = device->backend->compiles;
        print_message("on %s (%s)\n", device->info.id, device->info.name);
    } else {
        print_error("%s\n", mw_errmsg());
        close_device(state); /* cmocka skips this if the test fails */
    }
    return rc;
}

#endif
/* SPDX-License-Identifier: MIT */

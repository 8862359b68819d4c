/* The OpenCL backend: programs from source or from a binary.
 *
 * For devices with a `room`, the compiler's register counts are read from the build log; OpenCL has no query for them.
 * Binaries in the cache begin with these counts, because a log lacks them if the driver takes the program from its own
 * cache. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int program_identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key)
{
    const struct mw_cl_device *cl = device->impl;
    const struct mw_device_info *info = &device->info;
    mw_text_add(key, "%s\n%s\n%s\n%s\n", cl->platform, info->name, info->version, info->driver);
    return mw_text_ok(key);
}

/* The compiler's log, "" where it is silent. */
static int build_log(const struct mw_device *device, cl_program program, char **log)
{
    enum { LOG_MAX = 1 << 24 };
    const struct mw_cl_device *cl = device->impl;
    size_t n = 0;
    if (clGetProgramBuildInfo(program, cl->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) != CL_SUCCESS || n > LOG_MAX)
        n = 0;
    TRY_RETURN(mw_new(n + 1, 1, log));
    if (n && clGetProgramBuildInfo(program, cl->id, CL_PROGRAM_BUILD_LOG, n, *log, NULL) != CL_SUCCESS)
        (*log)[0] = '\0';
    return 0;
}

/* Nothing where a driver gives none, or there is no memory for it: then it is not cached. */
static void take_binary(cl_program program, struct mw_binary *binary)
{
    size_t n = 0;
    unsigned char *bytes = NULL;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(n), &n, NULL) != CL_SUCCESS || n == 0 ||
        mw_new(n, 1, &bytes) != 0)
        return;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, NULL) == CL_SUCCESS)
        *binary = (struct mw_binary){ (char *)bytes, n };
    else
        free(bytes);
}

/* ---- registers ---- */

/* Bytes of a binary that are ours. */
static size_t front_bytes(const struct mw_cl_device *cl, const char *registers)
{
    return cl->room ? strlen(registers) + 1 : 0;
}

/* Without memory for it nothing is left to be cached. */
static void put_in_front(const char *registers, struct mw_binary *binary)
{
    const size_t front = strlen(registers) + 1, n = binary->n ? front + binary->n : 0;
    char *bytes = NULL;
    const bool made = n > 0 && mw_new(n, 1, &bytes) == 0;
    if (made) {
        memcpy(bytes, registers, front);
        memcpy(bytes + front, binary->bytes, binary->n);
    }
    free(binary->bytes);
    *binary = (struct mw_binary){ bytes, made ? n : 0 };
}

static int read_registers(const struct mw_device *device, cl_program program, char **registers)
{
    char *log = NULL;
    int rc;
    TRY(build_log(device, program, &log));
    TRY(mw_registers_read(log, registers));
out:
    free(log);
    return rc;
}

/* Returns whether a binary is text for the assembler, as NVIDIA's is. */
static bool is_text(const struct mw_binary *binary)
{
    return binary->n >= 2 && memcmp(binary->bytes, "//", 2) == 0 && memchr(binary->bytes, '\0', binary->n);
}

/* Assembles a text.  *program is NULL if the driver rejects it. */
static int assemble(const struct mw_device *device, const struct mw_build *build, const struct mw_text *text,
                    cl_program *program)
{
    const struct mw_cl_device *cl = device->impl;
    const size_t n = text->length + 1;
    const unsigned char *bytes = (const unsigned char *)text->data;
    cl_int error, status = CL_SUCCESS;
    *program = NULL;
    TRY_RETURN(mw_text_ok(text));
    cl_program made = clCreateProgramWithBinary(cl->context, 1, &cl->id, &n, &bytes, &status, &error);
    if (error != CL_SUCCESS)
        return 0;
    if (status == CL_SUCCESS && mw_cl_build_quietly(device, build, made) == CL_SUCCESS)
        *program = made;
    else
        clReleaseProgram(made);
    return 0;
}

/* Reads the registers of a program from the driver's cache, for which there is no log.  With another comment the text
 * is new to the driver.  If the binary is not text, or is rejected, `registers` stays as it is, also in our cache:
 * asking a driver that reports nothing would cost time at each start. */
static int assemble_anew(const struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                         char **registers)
{
    struct mw_text text = { 0 };
    cl_program program = NULL;
    int rc;
    mw_text_add(&text, "%s\n// %.9f\n", binary->bytes, mw_now());
    TRY(assemble(device, build, &text, &program));
    if (program) {
        free(*registers);
        *registers = NULL;
        TRY(read_registers(device, program, registers));
    }
out:
    if (program)
        clReleaseProgram(program);
    mw_text_free(&text);
    return rc;
}

/* Returns the groups to request for the last kernel whose entry is before `size`, its ".reqntid X, Y, Z", or 0. */
static size_t groups_to_ask_for(const struct mw_cl_device *cl, const struct mw_cl_code *code, const char *text,
                                const char *size)
{
    static const char entry[] = ".entry ";
    char name[256];
    unsigned x, y, z;
    cl_ulong local = 0;
    cl_int error;
    const char *begins = NULL;
    for (const char *at = text; (at = strstr(at, entry)) && at < size; at += sizeof entry - 1)
        begins = at + sizeof entry - 1;
    if (!begins || sscanf(size, ".reqntid %u, %u, %u", &x, &y, &z) != 3)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(begins, "( \n"), begins);
    const size_t registers = mw_registers_of(code->registers, name), items = (size_t)x * y * z;
    cl_kernel kernel = registers && items ? clCreateKernel(code->program, name, &error) : NULL;
    if (!kernel)
        return 0;
    error = clGetKernelWorkGroupInfo(kernel, cl->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    clReleaseKernel(kernel);
    if (error != CL_SUCCESS)
        return 0;
    return mw_another_group(registers, items, mw_unit_groups(cl->room, registers, local, items));
}

/* Assembles the program again if a kernel of fixed groups can save registers for another group per unit: see
 * src/dev/cuda/exact.c.  Replaces program, registers and binary. */
static int ask_for_groups(const struct mw_device *device, const struct mw_build *build, struct mw_cl_code *code,
                          struct mw_binary *binary)
{
    struct mw_text text = { 0 };
    struct mw_cl_code better = { 0 };
    const char *from = binary->bytes;
    bool asks = false;
    int rc;
    for (const char *size; (size = strstr(from, ".reqntid ")) != NULL;) {
        const size_t groups = groups_to_ask_for(device->impl, code, binary->bytes, size);
        const char *end = size + strcspn(size, "\n");
        mw_text_append(&text, from, (size_t)(end - from));
        if (groups)
            mw_text_add(&text, "\n.minnctapersm %zu", groups);
        asks |= groups > 0;
        from = end;
    }
    mw_text_add(&text, "%s", from);
    TRY(asks ? assemble(device, build, &text, &better.program) : 0);
    if (!better.program)
        goto out;
    TRY(read_registers(device, better.program, &better.registers));
    if (!better.registers[0])
        goto out;
    free(binary->bytes);
    *binary = (struct mw_binary){ text.data, text.length + 1 };
    text = (struct mw_text){ 0 };
    const struct mw_cl_code before = *code;
    *code = better;
    better = before;
out:
    free(better.registers);
    if (better.program)
        clReleaseProgram(better.program);
    mw_text_free(&text);
    return rc;
}

/* ---- code ---- */

static void free_code(struct mw_cl_code *code)
{
    if (code && code->program)
        clReleaseProgram(code->program);
    if (code)
        free(code->registers);
    free(code);
}

static int program_compile(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                           struct mw_binary *binary)
{
    const struct mw_cl_device *cl = device->impl;
    struct mw_cl_code *made = NULL;
    char *log = NULL;
    cl_int error = CL_SUCCESS;
    int rc;
    TRY(mw_new(1, sizeof *made, &made));
    made->program = clCreateProgramWithSource(cl->context, 1, (const char *[]){ build->text }, &build->length, &error);
    if (error != CL_SUCCESS)
        made->program = NULL;
    TRY(mw_cl_check(device, error, "handing kernels to the compiler"));
    error = mw_cl_build_quietly(device, build, made->program);
    if (error == CL_BUILD_PROGRAM_FAILURE) {
        TRY(build_log(device, made->program, &log));
        TRY(mw_build_failed(device, build, log));
    }
    TRY(mw_cl_check(device, error, "compiling kernels"));
    if (!device->info.traits->keeps_programs)
        take_binary(made->program, binary);
    if (cl->room) {
        TRY(read_registers(device, made->program, &made->registers));
        if (!made->registers[0] && is_text(binary))
            TRY(assemble_anew(device, build, binary, &made->registers));
        if (is_text(binary))
            TRY(ask_for_groups(device, build, made, binary));
        put_in_front(made->registers, binary);
    }
    code->impl = MW_PASS(made);
out:
    free(log);
    free_code(made);
    return rc;
}

static int program_load(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                        struct mw_code *code)
{
    const struct mw_cl_device *cl = device->impl;
    struct mw_cl_code *made = NULL;
    cl_int error, status = CL_SUCCESS;
    int rc;
    if (cl->room && !memchr(binary->bytes, '\0', binary->n))
        return mw_fail(MW_EDEVICE, "%s: a cached binary lacks its register counts: clear the cache", device->info.id);
    const size_t front = front_bytes(cl, binary->bytes), n = binary->n - front;
    const unsigned char *drivers = (const unsigned char *)binary->bytes + front;
    TRY(mw_new(1, sizeof *made, &made));
    if (front)
        TRY(mw_strdup(binary->bytes, &made->registers));
    made->program = clCreateProgramWithBinary(cl->context, 1, &cl->id, &n, &drivers, &status, &error);
    if (error != CL_SUCCESS)
        made->program = NULL;
    TRY(mw_cl_check(device, error, "taking a binary"));
    TRY(mw_cl_check(device, status, "taking a binary"));
    TRY(mw_cl_check(device, mw_cl_build_quietly(device, build, made->program), "linking a binary"));
    code->impl = MW_PASS(made);
out:
    free_code(made);
    return rc;
}

static void program_unload(struct mw_code *code) { free_code(code->impl); }

const struct mw_compile_calls mw_cl_programs = {
    .identify = program_identify,
    .compile = program_compile,
    .load = program_load,
    .unload = program_unload,
};
/* SPDX-License-Identifier: MIT */

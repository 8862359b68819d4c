/* The OpenCL backend: programs from source or from a binary. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <stdlib.h>

int mw_cl_identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key)
{
    const struct mw_cl_device *cl = device->impl;
    const struct mw_device_info *info = &device->info;
    (void)build;
    mw_text_add(key, "%s\n%s\n%s\n%s\n", cl->platform, info->name, info->version, info->driver);
    return mw_text_ok(key);
}

/* The compiler's log, "" where it is silent. */
static int build_log(const struct mw_device *device, cl_program program, char **log)
{
    enum { LOG_MAX = 1 << 24 };
    const struct mw_cl_device *cl = device->impl;
    size_t n = 0;
    int rc;
    if (clGetProgramBuildInfo(program, cl->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) != CL_SUCCESS || n > LOG_MAX)
        n = 0;
    TRY(mw_new(n + 1, 1, log));
    if (n && clGetProgramBuildInfo(program, cl->id, CL_PROGRAM_BUILD_LOG, n, *log, NULL) != CL_SUCCESS)
        (*log)[0] = '\0';
out:
    return rc;
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
        *binary = (struct mw_binary) { (char *)bytes, n };
    else
        free(bytes);
}

int mw_cl_compile(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                  struct mw_binary *binary)
{
    const struct mw_cl_device *cl = device->impl;
    cl_program program = NULL;
    char *log = NULL;
    cl_int error = CL_SUCCESS;
    int rc = 0;
    program = clCreateProgramWithSource(cl->context, 1, (const char *[]) { build->text }, &build->length, &error);
    if (error != CL_SUCCESS)
        program = NULL;
    CL_TRY(device, error, "handing kernels to the compiler");
    error = mw_cl_build_quietly(device, build, program);
    if (error == CL_BUILD_PROGRAM_FAILURE) {
        TRY(build_log(device, program, &log));
        TRY(mw_build_failed(device, build, log));
    }
    CL_TRY(device, error, "compiling kernels");
    if (!device->info.traits.keeps_programs)
        take_binary(program, binary);
    code->impl = program;
    program = NULL;
out:
    free(log);
    if (program)
        clReleaseProgram(program);
    return rc;
}

int mw_cl_load(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
               struct mw_code *code)
{
    const struct mw_cl_device *cl = device->impl;
    const unsigned char *bytes = (const unsigned char *)binary->bytes;
    cl_int error, status = CL_SUCCESS;
    int rc = 0;
    cl_program program = clCreateProgramWithBinary(cl->context, 1, &cl->id, &binary->n, &bytes, &status, &error);
    if (error != CL_SUCCESS)
        program = NULL;
    CL_TRY(device, error, "taking a binary");
    CL_TRY(device, status, "taking a binary");
    CL_TRY(device, mw_cl_build_quietly(device, build, program), "linking a binary");
    code->impl = program;
    program = NULL;
out:
    if (program)
        clReleaseProgram(program);
    return rc;
}

void mw_cl_unload(struct mw_code *code)
{
    clReleaseProgram(code->impl);
}
/* SPDX-License-Identifier: MIT */

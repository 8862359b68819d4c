/* The CUDA backend: from a text to a binary, and from that to loaded code. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int program_identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key)
{
    const struct mw_cuda_device *cuda = device->impl;
    mw_text_add(key, "driver of CUDA %d, NVRTC %d.%d, sm_%d\n", mw_cu.version, mw_rtc.major, mw_rtc.minor,
                cuda->architecture);
    return mw_text_ok(key);
}

static int program_compile(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                           struct mw_binary *binary)
{
    const struct mw_cuda_device *cuda = device->impl;
    char *log = NULL;
    (void)code; /* loaded from the binary */
    if (mw_cuda_compile_exact(device, build, binary) == 0)
        return 0;
    int rc = mw_cuda_compile_text(build, cuda->architecture, false, binary, &log);
    if (log)
        rc = mw_build_failed(device, build, log);
    free(log);
    return rc;
}

/* ---- code ---- */

/* Which of the variables that image.clh may have is there. */
static unsigned find_image_address(mw_cu_module module)
{
    static const char *const names[] = { "", "mw_image_repeat", "mw_image_mirror" };
    mw_cu_address address;
    size_t bytes;
    unsigned i = MW_COUNT(names) - 1;
    while (i > 0 && mw_cu.ModuleGetGlobal(&address, &bytes, module, names[i]) != 0)
        i--;
    return i;
}

static int program_load(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                        struct mw_code *result)
{
    struct mw_cuda_code *code = NULL;
    size_t bytes;
    int rc;
    TRY(mw_new(1, sizeof *code, &code));
    TRY(mw_cuda_check(device, mw_cu.ModuleLoadData(&code->module, binary->bytes), "loading kernels"));
    if (mw_cu.ModuleGetGlobal(&code->first_group, &bytes, code->module, "mw_first_group") != 0)
        code->first_group = 0;
    code->image_address = find_image_address(code->module);
    result->impl = MW_PASS(code);
out:
    free(code);
    return rc;
}

static void program_unload(struct mw_code *code)
{
    struct mw_cuda_code *it = code->impl;
    (void)mw_cu.ModuleUnload(it->module);
    free(it);
}

const struct mw_compile_calls mw_cuda_programs = {
    .preamble = "cuda.clh",
    .identify = program_identify,
    .compile = program_compile,
    .load = program_load,
    .unload = program_unload,
};
/* SPDX-License-Identifier: MIT */

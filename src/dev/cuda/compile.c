/* The CUDA backend: from a text to a binary by NVRTC. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 16 };

/* Returns the newest architecture of NVRTC that a device of `architecture` runs. */
static int newest_for(int architecture)
{
    int newest = mw_rtc.architectures[0];
    for (int i = 0; i < mw_rtc.architecture_count; i++) {
        if (mw_rtc.architectures[i] <= architecture)
            newest = mw_rtc.architectures[i];
    }
    return newest;
}

static int take_log(mw_rtc_program program, char **log)
{
    size_t n = 0;
    if (mw_rtc.GetProgramLogSize(program, &n) != 0)
        n = 0;
    TRY_RETURN(mw_new(n + 1, 1, log));
    if (n && mw_rtc.GetProgramLog(program, *log) != 0)
        (*log)[0] = '\0';
    return 0;
}

static int take_binary(mw_rtc_program program, bool as_text, struct mw_binary *result)
{
    struct mw_binary binary = { 0 };
    if ((as_text ? mw_rtc.GetPTXSize : mw_rtc.GetCUBINSize)(program, &binary.n) != 0 || binary.n == 0)
        return mw_fail(MW_EDEVICE, "NVRTC %d.%d returned no code", mw_rtc.major, mw_rtc.minor);
    TRY_RETURN(mw_new(binary.n + 1, 1, &binary.bytes));
    if ((as_text ? mw_rtc.GetPTX : mw_rtc.GetCUBIN)(program, binary.bytes) != 0) {
        free(binary.bytes);
        return mw_fail(MW_EDEVICE, "NVRTC %d.%d returned no code", mw_rtc.major, mw_rtc.minor);
    }
    *result = binary;
    return 0;
}

/* A build's options, one by one, and the architecture; `words` holds them. */
static int split_options(char *words, char *target, bool exact, const char *options[OPTIONS_MAX])
{
    int count = 0;
    for (char *rest = words, *word; (word = strtok_r(NULL, " ", &rest)) && count < OPTIONS_MAX - 2;)
        options[count++] = word;
    options[count++] = target;
    if (exact)
        options[count++] = MW_CUDA_EXACT_OPTION;
    return count;
}

int mw_cuda_compile_text(const struct mw_build *build, int architecture, bool exact, struct mw_binary *binary,
                         char **log)
{
    const int newest = newest_for(architecture);
    const bool as_text = exact || newest != architecture;
    const char *options[OPTIONS_MAX];
    mw_rtc_program program = NULL;
    char target[40], *words = NULL;
    int rc;
    TRY(mw_strdup(build->options, &words));
    snprintf(target, sizeof target, "--gpu-architecture=%s_%d", as_text ? "compute" : "sm", newest);
    const int count = split_options(words, target, exact, options);
    mw_cu_result error = mw_rtc.CreateProgram(&program, build->text, build->label, 0, NULL, NULL);
    if (error == 0)
        error = mw_rtc.CompileProgram(program, count, options);
    if (error == MW_RTC_REFUSED) {
        TRY(take_log(program, log));
        rc = MW_EBUILD;
    } else if (error) {
        rc = mw_fail(MW_EDEVICE, "%s: NVRTC %d.%d failed with error %u and options %s %s", build->label, mw_rtc.major,
                     mw_rtc.minor, error, build->options, target);
    } else {
        rc = take_binary(program, as_text, binary);
    }
out:
    if (program)
        (void)mw_rtc.DestroyProgram(&program);
    free(words);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* The CUDA backend: programs whose kernels have groups of one size (EXACT_GROUPS in cl/prelude.clh).  NVIDIA's
 * assembler uses fewer registers for an exact number of items per group than for a maximum: Cahn-Hilliard in strips 141
 * instead of 165, heat 72 instead of 79.  OpenCL kernels state it.  NVRTC states it only
 * for clusters of groups (__block_size__).  Therefore the backend takes NVRTC's assembler text, blanks the clusters,
 * and lets the driver assemble it.  If a fifth fewer registers make room for another group per unit, the text requests
 * that as well: eight groups of 128 registers instead of six of 157. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"
#include "dev/core/registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_WITH_CLUSTERS = 90 };

/* ---- the text ---- */

/* A directive takes a line. */
static void put_line(char *line, const char *words)
{
    for (; *line && *line != '\n'; line++)
        *line = *words ? *words++ : ' ';
}

char *mw_cuda_exact_next(char *text, struct mw_cuda_exact *kernel)
{
    static const char entry[] = ".entry ";
    char *line = strstr(text, MW_CUDA_CLUSTERS), *name = NULL;
    for (char *at = text; line && (at = strstr(at, entry)) && at < line; at += sizeof entry - 1)
        name = at + sizeof entry - 1;
    if (!name)
        return NULL;
    const size_t n = strcspn(name, "( \n");
    char *size = strstr(line, ".reqntid"), *cluster = strstr(line, ".reqnctapercluster");
    const char *another = strstr(line, entry);
    if (!size || !cluster || (another && (size > another || cluster > another)) || n >= sizeof kernel->name ||
        sscanf(size, ".reqntid %u, %u, %u", &kernel->items[0], &kernel->items[1], &kernel->items[2]) != 3)
        return NULL;
    snprintf(kernel->name, sizeof kernel->name, "%.*s", (int)n, name);
    kernel->clusters = line;
    kernel->cluster = cluster;
    return cluster;
}

void mw_cuda_exact_put(const struct mw_cuda_exact *kernel, size_t groups)
{
    char words[48] = "";
    if (groups)
        snprintf(words, sizeof words, ".minnctapersm %zu", groups);
    put_line(kernel->clusters, "");
    put_line(kernel->cluster, words);
}

/* ---- the assembler ---- */

static bool can_assemble(const struct mw_cuda_device *cuda)
{
    return cuda->architecture >= FIRST_WITH_CLUSTERS && mw_cu.LinkCreate && mw_cu.LinkAddData && mw_cu.LinkComplete &&
           mw_cu.LinkDestroy;
}

static int assemble(struct mw_device *device, const struct mw_build *build, const struct mw_binary *text,
                    struct mw_binary *code)
{
    mw_cu_link link = NULL;
    void *bytes = NULL;
    size_t n = 0;
    int rc = 0;
    TRY(mw_cuda_check(device, mw_cu.LinkCreate(0, NULL, NULL, &link), "assembling kernels"));
    TRY(mw_cuda_check(device,
                      mw_cu.LinkAddData(link, MW_CU_LINK_TEXT, text->bytes, text->n, build->label, 0, NULL, NULL),
                      "assembling kernels"));
    TRY(mw_cuda_check(device, mw_cu.LinkComplete(link, &bytes, &n), "assembling kernels"));
    TRY(mw_new(n, 1, &code->bytes));
    code->n = n;
    memcpy(code->bytes, bytes, n);
out:
    if (link)
        (void)mw_cu.LinkDestroy(link);
    return rc;
}

static size_t groups_to_ask_for(mw_cu_module module, const struct mw_cuda_exact *kernel)
{
    const unsigned items = kernel->items[0] * kernel->items[1] * kernel->items[2];
    mw_cu_function function;
    int each = 0, groups = 0;
    if (items == 0 || mw_cu.ModuleGetFunction(&function, module, kernel->name) != 0 ||
        mw_cu.FuncGetAttribute(&each, MW_CU_FUNCTION_REGISTERS, function) != 0 ||
        mw_cu.OccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, (int)items, 0) != 0 || each <= 0)
        return 0;
    return mw_another_group((size_t)each, items, (size_t)groups);
}

/* Writes the requested groups into the text; returns whether there are any. */
static bool ask_for_groups(const struct mw_binary *code, const struct mw_cuda_exact *kernels, size_t count)
{
    mw_cu_module module = NULL;
    bool asked = false;
    if (mw_cu.ModuleLoadData(&module, code->bytes) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        const size_t groups = groups_to_ask_for(module, &kernels[i]);
        mw_cuda_exact_put(&kernels[i], groups);
        asked = asked || groups > 0;
    }
    (void)mw_cu.ModuleUnload(module);
    return asked;
}

int mw_cuda_compile_exact(struct mw_device *device, const struct mw_build *build, struct mw_binary *binary)
{
    const struct mw_cuda_device *cuda = device->impl;
    struct mw_cuda_exact kernels[MW_CUDA_EXACT_MOST];
    struct mw_binary text = { 0 }, code = { 0 }, better = { 0 };
    size_t count = 0;
    char *log = NULL;
    int rc = MW_ENOTSUP;
    if (!strstr(build->text, MW_CUDA_EXACT_MARK) || !can_assemble(cuda))
        goto out;
    TRY(mw_cuda_compile_text(build, cuda->architecture, true, &text, &log));
    for (char *at = text.bytes; count < MW_COUNT(kernels) && (at = mw_cuda_exact_next(at, &kernels[count])); count++)
        mw_cuda_exact_put(&kernels[count], 0);
    if (count == 0 || strstr(text.bytes, MW_CUDA_CLUSTERS)) {
        rc = MW_ENOTSUP;
        goto out;
    }
    TRY(assemble(device, build, &text, &code));
    if (ask_for_groups(&code, kernels, count) && assemble(device, build, &text, &better) == 0) {
        free(code.bytes);
        code = better;
    }
    *binary = MW_PASS(code);
out:
    free(log);
    free(text.bytes);
    free(code.bytes);
    return rc;
}
/* SPDX-License-Identifier: MIT */

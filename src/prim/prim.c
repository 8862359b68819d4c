/* The primitives of a device: their form, built programs, and scratch memory. */
#include <stdlib.h>
#include <string.h>

#include "dev/core/given.h"
#include "prim/prim_internal.h"
#include "prim/rounds.h"

#define PART_BYTES ((size_t)64 << 10) /* per work-item, on cores */
#define FEW ((size_t)16 << 10)        /* elements that are a single part */
#define GROUP_EACH ((size_t)16)       /* elements per work-item, in groups */

int mw_prim_new_form(struct mw_device *device, bool cores, size_t group, struct mw_prim **result)
{
    const struct mw_device_info *info = mw_device_info(device);
    struct mw_prim *prim = NULL;
    TRY_RETURN(mw_new(1, sizeof *prim, &prim));
    prim->device = device;
    prim->cores = cores;
    prim->units = info->compute_units ? info->compute_units : 1;
    prim->group = cores ? 1 : 256;
    prim->once = !cores && info->traits->groups_progress;
    while (prim->group > group || (info->max_group && prim->group > info->max_group) ||
           (info->max_group_dims[0] && prim->group > info->max_group_dims[0]))
        prim->group /= 2;
    *result = prim;
    return 0;
}

int mw_prim_new(struct mw_device *device, struct mw_prim **prim)
{
    TRY_RETURN(mw_device_given(&device));
    return mw_prim_new_form(device, mw_device_info(device)->traits->has_cores, 256, prim);
}

void mw_prim_free(struct mw_prim *prim)
{
    if (!prim)
        return;
    for (size_t i = 0; i < prim->built_count; i++)
        mw_kernel_set_free(prim->built[i].set);
    free(prim->built);
    for (size_t i = 0; i < MW_PRIM_SCRATCHES; i++)
        mw_buffer_free(prim->scratch[i]);
    free(prim);
}

static void prim_drop(void *prim) { mw_prim_free(prim); }

int mw_own_prim(struct mw_owner *owner, struct mw_device *device, struct mw_prim **prim)
{
    TRY_RETURN(mw_prim_new(device, prim));
    return mw_own(owner, *prim, prim_drop);
}

/* ---- programs ---- */

static int prim_build(struct mw_prim *prim, const struct mw_prim_program *program, struct mw_kernel_set **set)
{
    const bool wide = mw_device_info(prim->device)->vector_width >= 16;
    struct mw_kernel_options options = { .fp64 = program->fp64,
                                         .native = program->native,
                                         .group = prim->cores ? 0 : prim->group };
    struct mw_text defines = { 0 };
    int rc;
    const uint64_t local = mw_device_info(prim->device)->local_bytes;
    while (program->local_bytes && local > 0 && options.group > 1 && program->local_bytes(options.group) > local)
        options.group /= 2;
    mw_text_add(&defines, "%s%s", program->defines, mw_strict_atomics(prim->device));
    if (prim->cores && program->vectors)
        mw_text_add(&defines, "#define VEC %d\n", program->fp64 ? (wide ? 8 : 4) : (wide ? 16 : 8));
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    TRY(mw_kernel_set_new(prim->device, program->list, &options, set));
out:
    mw_text_free(&defines);
    return rc;
}

int mw_prim_set(struct mw_prim *prim, const struct mw_prim_program *program, const struct mw_kernel_set **set)
{
    struct mw_prim_built *grown = NULL, made = { .program = program };
    int rc = 0;
    for (size_t i = 0; i < prim->built_count; i++)
        if (prim->built[i].program == program) {
            *set = prim->built[i].set;
            goto out;
        }
    TRY(mw_new(prim->built_count + 1, sizeof *grown, &grown));
    TRY(prim_build(prim, program, &made.set));
    if (prim->built_count > 0)
        memcpy(grown, prim->built, prim->built_count * sizeof *grown);
    grown[prim->built_count++] = made;
    free(prim->built);
    prim->built = MW_PASS(grown);
    *set = made.set;
out:
    free(grown);
    return rc;
}

bool mw_prim_on_host(const struct mw_prim *prim, size_t n, size_t most)
{
    const struct mw_device_info *info = mw_device_info(prim->device);
    return prim->cores && info->in_host_memory && info->kind != MW_DEVICE_NATIVE && n <= most;
}

int mw_prim_run(struct mw_prim *prim, const struct mw_prim_program *program, size_t n, size_t bytes,
                struct mw_prim_run *run)
{
    const size_t each = mw_prim_each(prim, n, bytes);
    TRY_RETURN(mw_prim_set(prim, program, &run->set));
    run->range = mw_parts(run->set, mw_prim_parts(n, each));
    run->n = (int64_t)n;
    run->each = (int64_t)each;
    return 0;
}

/* ---- memory ---- */

/* Rounds up to a power of two, so that gradual growth rarely reallocates. */
static size_t prim_round_up(size_t bytes)
{
    size_t capacity = 4096;
    while (capacity < bytes && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    return capacity < bytes ? bytes : capacity;
}

int mw_prim_reserve(struct mw_prim *prim, enum mw_prim_scratch kind, size_t count, size_t bytes,
                    struct mw_buffer **buffer)
{
    struct mw_buffer *grown = NULL;
    size_t needed;
    if (!mw_mul(count, bytes, &needed))
        return mw_fail(MW_ELIMIT, "scratch memory for %zu elements of %zu bytes is too large to address", count, bytes);
    if (!prim->scratch[kind] || mw_buffer_bytes(prim->scratch[kind]) < needed) {
        mw_buffer_free(prim->scratch[kind]);
        prim->scratch[kind] = NULL;
        /* Large buffers are exact: a problem may need half of a device's memory. */
        TRY_RETURN(mw_buffer_new(prim->device, needed < (size_t)1 << 20 ? prim_round_up(needed) : needed, &grown));
        prim->scratch[kind] = grown;
    }
    *buffer = prim->scratch[kind];
    return 0;
}

int mw_prim_check(const struct mw_prim *prim, const char *call, const char *what, const struct mw_buffer *buffer,
                  size_t n, size_t bytes)
{
    size_t needed;
    if (mw_mul(n, bytes, &needed) && buffer && mw_buffer_bytes(buffer) >= needed)
        return 0;
    return mw_fail(MW_EINVAL,
                   "%s on %s: the buffer of %s has %zu bytes, but %zu elements of %zu bytes are needed: make it larger",
                   call, mw_device_info(prim->device)->id, what, buffer ? mw_buffer_bytes(buffer) : 0, n, bytes);
}

/* On cores, a part is about 64 KiB, or more if that gave more than 64 parts per core. */
size_t mw_prim_each(const struct mw_prim *prim, size_t n, size_t bytes)
{
    const size_t least = prim->cores ? PART_BYTES / bytes : prim->group * GROUP_EACH;
    const size_t parts = prim->cores ? 64 * prim->units : 2048;
    const size_t share = (n + parts - 1) / parts;
    if (prim->cores && n <= FEW)
        return n;
    return share <= least ? least : (share + least - 1) / least * least;
}
/* SPDX-License-Identifier: MIT */

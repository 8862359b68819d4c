/* The primitives of a device: their form, built programs, and scratch memory. */
#include <stdlib.h>

#include "dev/core/given.h"
#include "prim/prim_internal.h"
#include "prim/rounds.h"
#include "prim/sizes.clh"

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
    mw_owner_drop(&prim->owner);
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
                                         .defines = program->defines,
                                         .group = prim->cores ? 0 : prim->group };
    struct mw_text vectors = { 0 };
    const uint64_t local = mw_device_info(prim->device)->local_bytes;
    while (program->local_bytes && local > 0 && options.group > 1 && program->local_bytes(options.group) > local)
        options.group /= 2;
    if (prim->cores && program->vectors)
        mw_text_add(&vectors, "#define VEC %d\n", program->fp64 ? (wide ? 8 : 4) : (wide ? 16 : 8));
    return mw_own_kernels_text(&prim->owner, prim->device, program->list, &options, &vectors, set);
}

int mw_prim_set(struct mw_prim *prim, const struct mw_prim_program *program, const struct mw_kernel_set **set)
{
    struct mw_prim_built made = { .program = program };
    for (size_t i = 0; i < prim->built_count; i++)
        if (prim->built[i].program == program) {
            *set = prim->built[i].set;
            return 0;
        }
    TRY_RETURN(mw_grow(prim->built_count, sizeof made, &prim->built));
    TRY_RETURN(prim_build(prim, program, &made.set));
    prim->built[prim->built_count++] = made;
    *set = made.set;
    return 0;
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
    size_t needed;
    if (!mw_mul(count, bytes, &needed))
        return mw_fail(MW_ELIMIT, "scratch memory for %zu elements of %zu bytes is too large to address", count, bytes);
    /* Large buffers are exact: a problem may need half of a device's memory. */
    TRY_RETURN(mw_buffer_reserve(prim->device, needed < (size_t)1 << 20 ? prim_round_up(needed) : needed,
                                 &prim->scratch[kind]));
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

/* ---- words that parts publish within one launch: cl/prim/once/look_back.clh ---- */

int mw_prim_once(struct mw_prim *prim, size_t parts, size_t bytes, struct mw_prim_once *once)
{
    struct mw_buffer *words = prim->scratch[MW_PRIM_TOLD];
    const size_t had = words ? mw_buffer_bytes(words) : 0;
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_TOLD, ONCE_HEAD + parts * bytes / 2, sizeof(uint32_t), &words));
    /* Clear new words; also when call numbers start over, or after a launch failed. */
    if (mw_buffer_bytes(words) != had || prim->calls == 0 || prim->calls == ONCE_CALLS) {
        TRY_RETURN(mw_buffer_fill(words, 0, mw_buffer_bytes(words), 0));
        prim->calls = prim->parts = 0;
    }
    *once = (struct mw_prim_once){ words, prim->calls + 1, prim->parts, (uint32_t)parts };
    prim->calls = 0;
    return 0;
}

int mw_prim_once_done(struct mw_prim *prim, const struct mw_prim_once *once, int rc)
{
    if (rc == 0) {
        prim->calls = once->call;
        prim->parts = once->first + once->parts;
    }
    return rc;
}

/* ---- rounds ---- */

int mw_rounds_new(struct mw_owner *owner, struct mw_device *device, struct mw_buffer **changed)
{
    return mw_own_buffer(owner, device, (MW_ROUNDS_MOST + 1) * sizeof(int32_t), changed);
}

int mw_rounds_repeat(struct mw_buffer *changed, int (*round)(void *context, int32_t r), void *context, size_t *rounds)
{
    int32_t flags[MW_ROUNDS_MOST + 1];
    size_t done = 0;
    /* Larger batches save more waits, but may queue more useless rounds. */
    for (int32_t batch = 4;; batch = batch < MW_ROUNDS_MOST ? 2 * batch : batch) {
        TRY_RETURN(mw_buffer_fill(changed, 0, sizeof flags, 0));
        TRY_RETURN(mw_buffer_fill(changed, 0, 1, 1));
        for (int32_t r = 0; r < batch; r++)
            TRY_RETURN(round(context, r));
        TRY_RETURN(mw_buffer_read(changed, 0, ((size_t)batch + 1) * sizeof *flags, flags, NULL));
        for (int32_t r = 1; r <= batch; r++) {
            done++;
            if (!flags[r]) {
                *rounds = done;
                return 0;
            }
        }
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */

/* Differences and errors of drivers. Only this file refers to drivers by name; other code uses a device's traits. */
#include "dev/core/backend.h"

#include <string.h>

static void oclgrind(struct mw_device_traits *t)
{
    t->strict_atomics = true;
    t->one_thread = true;       /* version 21.10 has one count of finished groups for all threads */
    t->items_are_lanes = false; /* it runs an item after the other */
}

static void pocl(struct mw_device_traits *t)
{
    t->links_with_ld = true;
    t->keeps_programs = true;
    t->shapes_are_known = true;
}

/* NVIDIA's GPUs keep a group on its unit until it ends, and all started groups make progress. Volatile loads return the
 * stores of other groups. Other GPUs may do so as well, but were not tested. */
static void cuda(struct mw_device_traits *t)
{
    t->groups_progress = t->items_are_lanes;
    t->shapes_are_known = true; /* on an H100, in both precisions, by OpenCL and CUDA */
}

/* OpenCL, of driver 580. */
static void nvidia(struct mw_device_traits *t) { t->local_beside = 4; }

/* As Mesa 22.3 has it. */
static void rusticl(struct mw_device_traits *t)
{
    t->keeps_copies = true;
    t->forgets_flushed = true;
    t->counts_local_twice = true;
    t->loop_rounds = 60000; /* less than 65535, since the compiler may add some */
}

/* Mesa's device that is made of a CPU's vectors. */
static void llvmpipe(struct mw_device_traits *t)
{
    t->lanes_load_alone = true;
    t->copy_lanes = 8;
    t->unrolled_dims = 2; /* in three it works for many minutes, on most models; 2-D takes it 1 to 5 s */
}

/* A row is for platforms and devices with that word in their names. */
static const struct {
    const char *word;
    void (*learn)(struct mw_device_traits *traits);
    const char *remedy; /* where the platform has no devices */
} drivers[] = {
    { "Oclgrind", oclgrind, NULL },
    { "Portable Computing Language", pocl, NULL },
    { "CUDA", cuda, NULL },
    { "NVIDIA CUDA", nvidia, NULL },
    { "rusticl", rusticl, "to use it, set RUSTICL_ENABLE to a driver of Mesa, such as radeonsi, iris or llvmpipe" },
    { "llvmpipe", llvmpipe, NULL },
};

void mw_quirks_learn(struct mw_device_info *info)
{
    struct mw_device_traits *t = &info->traits;
    *t = (struct mw_device_traits){ 0 };
    /* CPU drivers that prefer vectors of one lane put items into lanes. */
    t->has_cores = info->kind == MW_DEVICE_NATIVE || (info->kind == MW_DEVICE_CPU && info->vector_width >= 4);
    t->items_are_lanes = !t->has_cores;
    t->shapes_are_known = info->kind == MW_DEVICE_NATIVE;
    for (size_t d = 0; d < MW_COUNT(drivers); d++) {
        if (strstr(info->platform, drivers[d].word) || strstr(info->name, drivers[d].word))
            drivers[d].learn(t);
    }
    if (t->counts_local_twice)
        info->local_bytes /= 2;
}

const char *mw_quirks_remedy(const char *platform)
{
    for (size_t d = 0; d < MW_COUNT(drivers); d++) {
        if (strstr(platform, drivers[d].word))
            return drivers[d].remedy;
    }
    return NULL;
}
/* SPDX-License-Identifier: MIT */

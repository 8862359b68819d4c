/* Differences and faults of drivers.  Only this file names drivers; other code uses the traits of a device. */
#include "dev/core/traits.h"

#include <pthread.h>
#include <string.h>

#include "base/base.h"

static void oclgrind(struct mw_device_traits *t)
{
    t->strict_atomics = true;
    t->one_thread = true;       /* version 21.10 has one count of finished groups for all threads */
    t->items_are_lanes = false; /* it runs an item after the other */
    t->wrong_extensions = true;
}

static void pocl(struct mw_device_traits *t)
{
    t->links_with_ld = true;
    t->keeps_programs = true;
    t->shapes_are_known = true;
    t->uneven_barriers = true; /* version 3.1 */
}

/* NVIDIA's GPUs keep a group on its unit until it ends, and all started groups make progress. Volatile loads return the
 * stores of other groups. Other GPUs may do so as well, but were not tested. */
static void cuda(struct mw_device_traits *t)
{
    t->groups_progress = t->items_are_lanes;
    t->shapes_are_known = true; /* on an H100, in both precisions, by OpenCL and CUDA */
}

/* OpenCL, of driver 580. */
static void nvidia(struct mw_device_traits *t) { t->local_extra = 4; }

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

/* A row for each combination of these bits: has_cores, native, and the matching drivers. */
enum { HAS_CORES = 1, IS_NATIVE = 2, FIRST_DRIVER = 4 };
static struct mw_device_traits rows[FIRST_DRIVER << MW_COUNT(drivers)];

static void fill_rows(void)
{
    for (unsigned row = 0; row < MW_COUNT(rows); row++) {
        rows[row].has_cores = row & HAS_CORES;
        rows[row].items_are_lanes = !(row & HAS_CORES);
        rows[row].shapes_are_known = row & IS_NATIVE;
        for (unsigned d = 0; d < MW_COUNT(drivers); d++)
            if (row & (unsigned)FIRST_DRIVER << d)
                drivers[d].learn(&rows[row]);
    }
}

void mw_traits_detect(struct mw_device_info *info)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const bool native = info->kind == MW_DEVICE_NATIVE;
    /* CPU drivers that ask for vectors of one lane make lanes of work-items. */
    const bool cores = native || (info->kind == MW_DEVICE_CPU && info->vector_width >= 4);
    unsigned row = (cores ? HAS_CORES : 0) | (native ? IS_NATIVE : 0);
    for (unsigned d = 0; d < MW_COUNT(drivers); d++)
        if (strstr(info->platform, drivers[d].word) || strstr(info->name, drivers[d].word))
            row |= (unsigned)FIRST_DRIVER << d;
    pthread_once(&once, fill_rows);
    info->traits = &rows[row];
    info->cores = info->traits->has_cores;
    info->in_host_memory = native || (info->kind == MW_DEVICE_CPU && !info->traits->items_are_lanes);
    info->calls = info->traits->links_with_ld ? "ld" : NULL;
    if (info->traits->counts_local_twice)
        info->local_bytes /= 2;
}

const char *mw_traits_remedy(const char *platform)
{
    for (size_t d = 0; d < MW_COUNT(drivers); d++) {
        if (strstr(platform, drivers[d].word))
            return drivers[d].remedy;
    }
    return NULL;
}
/* SPDX-License-Identifier: MIT */

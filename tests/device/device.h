/* The device that a test runs on, $MESHWORK_TEST_DEVICE, and what tests ask of it. */
#ifndef MW_TESTS_DEVICE_H
#define MW_TESTS_DEVICE_H

#include <meshwork/device.h>

#include "tests/check.h"

static struct mw_device *device;
static const struct mw_device_info *info;
static bool native, slow;        /* slow: a simulator, for which there are fewer and smaller cases */
static bool slow_compiler;       /* llvmpipe's, which works on a kernel for seconds, and launches as slowly */

/* As group functions of cmocka; random numbers begin here, too. */
static inline int open_device(void **unused)
{
    (void)unused;
    if (mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &device) != 0) {
        print_error("%s\n", mw_errmsg());
        return -1;
    }
    info = mw_device_info(device);
    native = info->kind == MW_DEVICE_NATIVE;
    slow = strcmp(info->platform, "Oclgrind") == 0;
    slow_compiler = info->traits.lanes_load_alone;
    print_message("%s: %s\n", info->id, info->name);
    seed_random();
    return 0;
}

static inline int close_device(void **unused)
{
    (void)unused;
    mw_device_close(device);
    return 0;
}

/* Whether a case is left to another run.  Drivers compile for each case, which takes longer than computing it: on them
 * a run tries about one case in `n` of a product of cases, others each time.  Native devices try them all, and so does
 * every device with MESHWORK_TEST_ALL=1. */
static inline bool left_out(unsigned n)
{
    const bool out = random_below(n) != 0;    /* drawn in any case: a seed means the same numbers everywhere */
    return out && !native && !getenv("MESHWORK_TEST_ALL");
}

/* The same of compilers that work natively, too: of cases counted by turns, one in so many. */
static inline size_t one_in(size_t n)
{
    return getenv("MESHWORK_TEST_ALL") ? 1 : n;
}

/* Devices in any order. */
static inline void shuffle_devices(struct mw_device **devices, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t k = random_below(i);
        struct mw_device *const held = devices[i - 1];
        devices[i - 1] = devices[k];
        devices[k] = held;
    }
}

#endif
/* SPDX-License-Identifier: MIT */

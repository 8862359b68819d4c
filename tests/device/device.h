/* The device of a test, $MESHWORK_TEST_DEVICE, and functions for tests on it. */
#ifndef MW_TESTS_DEVICE_H
#define MW_TESTS_DEVICE_H

#include <meshwork/device.h>

#include "dev/core/traits.h"
#include "tests/check.h"

static struct mw_device *device;
static const struct mw_device_info *info;
static struct mw_device *serial; /* native:serial, after open_with_serial */
static bool native, slow;        /* slow: a simulator, with fewer and smaller cases */
static bool slow_compiler;       /* llvmpipe's, which compiles a kernel for seconds, and launches slowly */

/* Group functions for cmocka; they also seed the random numbers. */
static inline int open_device(void **unused)
{
    if (mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &device) != 0) {
        print_error("%s\n", mw_errmsg());
        return -1;
    }
    info = mw_device_info(device);
    native = info->kind == MW_DEVICE_NATIVE;
    slow = strcmp(info->platform, "Oclgrind") == 0;
    slow_compiler = info->traits->lanes_load_alone;
    print_message("%s: %s\n", info->id, info->name);
    seed_random();
    return 0;
}

static inline int close_device(void **unused)
{
    mw_device_close(device);
    return 0;
}

/* The same, for tests that compare the device with native:serial. */
static inline int open_with_serial(void **unused)
{
    return open_device(unused) || mw_device_open_by_name("native:serial", NULL, &serial);
}

static inline int close_with_serial(void **unused)
{
    mw_device_close(serial);
    return close_device(unused);
}

/* Returns whether to skip a case in this run.  Drivers compile for each case, which takes longer than computing it.  A
 * run therefore tries about one in `n` cases of a product, different ones each time.  Native devices try all cases, and
 * with MESHWORK_TEST_ALL=1 all devices do. */
static inline bool left_out(unsigned n)
{
    const bool out = random_below(n) != 0; /* drawn in any case: a seed gives the same numbers on every device */
    return out && !native && !getenv("MESHWORK_TEST_ALL");
}

/* Returns n, for tests that try one of `n` cases in turn, also on native devices; 1 with MESHWORK_TEST_ALL. */
static inline size_t one_in(size_t n) { return getenv("MESHWORK_TEST_ALL") ? 1 : n; }

/* Puts devices in a random order. */
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

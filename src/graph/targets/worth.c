/* How many of several devices take part: as many as are predicted to be fastest. Results do not depend on it. */
#include "graph/targets/targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/core/backend.h"
#include "dev/core/traits.h"
#include "dev/host/host.h"

/* Visits per second of a core and of a GPU's unit, seconds per wait, and bytes per second between devices. An H100
 * visits 13e9 heads of random vertices a second, and reads a flag in 20 us. Transfers through pageable memory are slow.
 * A factor of two in these matters only if the predicted times are nearly equal. */
#define CORE_VISITS 1e8
#define UNIT_VISITS 1e8
#define WAIT 40e-6
#define LINK 8e9
/* A further device must save this part of the time. */
#define GAIN 0.1

bool mw_devices_all(void)
{
    const char *all = getenv("MESHWORK_ALL_DEVICES");
    return all && strcmp(all, "1") == 0;
}

/* Returns the seconds of the first `count` devices. Devices on the host's cores share these. */
static double predict(struct mw_device *const *devices, size_t count, const struct mw_worth *work)
{
    const double others = (double)(count - 1), batches = (double)work->batches;
    double cores = 0, sum = 0, slowest = INFINITY, each = work->visits / (double)count, seconds;
    for (size_t d = 0; d < count; d++)
        cores += mw_device_info(devices[d])->traits->has_cores ? mw_device_info(devices[d])->compute_units : 0;
    const double crowd = fmax(cores / mw_core_count(), 1);
    for (size_t d = 0; d < count; d++) {
        const struct mw_device_info *info = mw_device_info(devices[d]);
        const double units = fmax(info->compute_units, 1);
        const double speed = info->traits->has_cores ? units * CORE_VISITS / crowd : units * UNIT_VISITS;
        sum += speed;
        slowest = fmin(slowest, speed);
    }
    if (work->batches > 0)
        each = ceil(batches / (double)count) * work->visits / batches;
    seconds = each / slowest;
    if (work->batches > 0) /* a slow device takes fewer */
        seconds = fmin(seconds, work->visits / sum + (count > 1 ? work->visits / batches / slowest : 0));
    seconds += work->repeated / slowest;
    return count == 1 ? seconds : seconds + work->waits * WAIT + others * work->bytes / LINK;
}

size_t mw_devices_worth(struct mw_device *const *devices, size_t count, const struct mw_worth *work)
{
    size_t best = 1;
    if (count < 2 || mw_devices_all())
        return count;
    const double one = predict(devices, 1, work);
    double least = one;
    for (size_t n = 2; n <= count; n++) {
        const double seconds = predict(devices, n, work);
        if (seconds < least * (1 - GAIN)) {
            least = seconds;
            best = n;
        }
    }
    if (best < count)
        mw_log(MW_LOG_INFO,
               "%s: %zu of %zu devices, since more would take longer (predicted: %.2g s, with one %.2g "
               "s, with all %.2g s)",
               work->what, best, count, least, one, predict(devices, count, work));
    return best;
}
/* SPDX-License-Identifier: MIT */

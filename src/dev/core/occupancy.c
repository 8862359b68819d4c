/* Chooses the work-group by a rule, as the occupancy function of Leist, Playne, Hawick 2008 (section 2.1, listing 1)
 * does. That function tries block sizes from the largest down and keeps the one that fills most of a multiprocessor's
 * warps. It uses registers, warps and blocks of a multiprocessor. OpenCL reports less. Unless better numbers are
 * available,
 *
 *   warp size          is the kernel's preferred multiple;
 *   shared memory      is the kernel's local memory against the device's;
 *   registers          show in the kernel's largest group, where it is smaller than the device's: that many items fit;
 *   warps of a unit    are not reported: twice the largest group, and at least 32 warps, as on most GPUs since 2008;
 *   blocks of a unit   are not reported: 16.
 *
 * CUDA's driver reports how many blocks of a size run at once on a multiprocessor. For OpenCL, the number follows from
 * the registers that NVIDIA's compiler reports (registers.c). These numbers take precedence.
 *
 * The choice follows the paper's further advice: whole warps, and more blocks than multiprocessors. Blocks of more than
 * 256 items are chosen only if smaller ones fill less, since a block's resources are free only after its last item.
 * (Union-find of 4096 x 4096 cells on an H100: 1.01 ms by 1024 items, 0.91 by 256.) The choice takes 0.5, 7, 25 us in
 * one, two, three dimensions. */
#include <meshwork/tune.h>

#include "dev/core/registers.h"

#define UNIT_MAX 1024 /* the largest group by which a unit's room is guessed; some simulators report far more */
#define GROUP_MAX 256
#define RESIDENT_GROUPS 16.0 /* per unit */
#define RESIDENT_WARPS 32.0
#define EQUAL 0.98 /* scores within 2 % count as equal: the rule is not more accurate */

/* Differences between kinds of devices. */
static const struct kind {
    double groups_wanted; /* for each unit: a share of work for balance */
    double partial_warp;  /* worth of an empty lane of a warp: on a CPU, one item is often a vector by itself */
} kinds[] = {
    [MW_DEVICE_GPU] = { 2.0, 0.0 },
    [MW_DEVICE_ACCELERATOR] = { 2.0, 0.0 },
    [MW_DEVICE_CPU] = { 4.0, 0.75 },
    [MW_DEVICE_NATIVE] = { 4.0, 0.75 },
};

static double least_real(double a, double b) { return a < b ? a : b; }

static size_t occupancy_round_up(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

/* Limits, with values for unknown ones (0). */
struct limits {
    size_t device_group, group, warp, units;
};

static struct limits limits_of(const struct mw_device_info *device, const struct mw_kernel_limits *kernel)
{
    struct limits l = { .device_group = device->max_group, .group = kernel->max_group };
    if (l.device_group == 0)
        l.device_group = l.group ? l.group : 1;
    if (l.group == 0 || l.group > l.device_group)
        l.group = l.device_group;
    l.warp = kernel->group_multiple ? kernel->group_multiple : 1;
    l.units = device->compute_units ? device->compute_units : 1;
    return l;
}

size_t mw_resident_items(const struct mw_kernel_limits *kernel, unsigned i)
{
    const size_t items = (size_t)1 << i;
    return items < 2 * kernel->max_group ? mw_min(items, kernel->max_group) : 0;
}

size_t mw_resident_groups(const struct mw_kernel_limits *kernel, size_t group_items)
{
    size_t i = 0;
    while (i + 1 < MW_COUNT(kernel->resident_groups) && (size_t)1 << i < group_items)
        i++;
    return kernel->resident_groups[i];
}

double mw_occupancy(const struct mw_device_info *device, const struct mw_kernel_limits *kernel, size_t group_items,
                    size_t groups)
{
    struct limits l = limits_of(device, kernel);
    double items = (double)occupancy_round_up(group_items, l.warp), available = (double)groups / (double)l.units;
    double slots, resident;
    if (group_items == 0 || group_items > l.group || groups == 0)
        return 0.0;
    if (device->local_bytes && kernel->local_bytes > device->local_bytes)
        return 0.0;
    if (device->kind == MW_DEVICE_CPU || device->kind == MW_DEVICE_NATIVE)
        return least_real(available, 1.0);

    slots = 2.0 * (double)mw_min(l.device_group, UNIT_MAX);
    if (slots < RESIDENT_WARPS * (double)l.warp)
        slots = RESIDENT_WARPS * (double)l.warp;
    resident = least_real(RESIDENT_GROUPS, (double)(size_t)(slots / items));
    if (l.group < l.device_group)
        resident = least_real(resident, (double)(l.group / group_items));
    if (kernel->local_bytes && device->local_bytes)
        resident = least_real(resident, (double)(device->local_bytes / kernel->local_bytes));
    if (mw_resident_groups(kernel, group_items) > 0)
        resident = (double)mw_resident_groups(kernel, group_items);
    if (resident < 1.0)
        resident = 1.0; /* it was built for such a group: then at least one fits */
    return least_real(least_real(resident, available) * (double)group_items / slots, 1.0);
}

struct choice {
    const struct mw_device_info *device;
    const struct mw_kernel_limits *kernel;
    const struct kind *kind;
    struct limits limits;
    const struct mw_range *range;
};

static double score(const struct choice *c, const size_t group[3])
{
    size_t items = group[0] * group[1] * group[2], groups = 1, warp = c->limits.warp;
    /* Neighbours in x are neighbours in memory: where the range has whole warps along x, a group should. */
    size_t run = c->range->global[0] >= warp ? group[0] : items;
    double used = 1.0, spread, filled;
    for (unsigned d = 0; d < c->range->dims; d++) {
        size_t along = (c->range->global[d] - 1) / group[d] + 1;
        used *= (double)c->range->global[d] / ((double)along * (double)group[d]);
        if (!mw_mul(groups, along, &groups))
            groups = SIZE_MAX;
    }
    spread = least_real((double)groups / (c->kind->groups_wanted * (double)c->limits.units), 1.0);
    filled = (double)run / (double)occupancy_round_up(run, warp);
    filled += c->kind->partial_warp * (1.0 - filled);
    return mw_occupancy(c->device, c->kernel, items, groups) * used * spread * filled;
}

/* The longest edge worth trying: the first that reaches over the range. */
static size_t longest(const struct choice *c, unsigned d, size_t room)
{
    size_t most = c->device->max_group_dims[d] ? mw_min(room, c->device->max_group_dims[d]) : room;
    size_t edge = 1;
    if (d >= c->range->dims)
        return 1;
    while (edge < c->range->global[d] && edge < most)
        edge *= 2;
    return mw_min(edge, most);
}

/* The next longer edge in x: doubled, but warps are met exactly where they are no power of two. */
static size_t next_edge(size_t edge, size_t warp) { return edge < warp && 2 * edge > warp ? warp : 2 * edge; }

/* Walks all groups, edges doubling, the shortest x first.  Returns the best score; with `best`, it also finds a group
 * that scores at least `wanted`: the one with the most items, then the widest in x, then in y. */
static double walk(const struct choice *c, double wanted, size_t best[3])
{
    size_t room = mw_min(c->limits.group, GROUP_MAX), most = longest(c, 0, room), best_items = 0;
    double best_score = 0.0;
    size_t g[3];
    for (g[0] = 1; g[0] <= most; g[0] = next_edge(g[0], c->limits.warp)) {
        for (g[1] = 1; g[1] <= longest(c, 1, room / g[0]); g[1] *= 2) {
            for (g[2] = 1; g[2] <= longest(c, 2, room / g[0] / g[1]); g[2] *= 2) {
                double s = score(c, g);
                size_t items = g[0] * g[1] * g[2];
                best_score = s > best_score ? s : best_score;
                /* With equal items a later group is wider in x, and within one x wider in y. */
                if (best && s >= wanted && items >= best_items) {
                    best_items = items;
                    for (unsigned d = 0; d < 3; d++)
                        best[d] = g[d];
                }
            }
        }
    }
    return best_score;
}

void mw_group_by_rule(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                      struct mw_range *range)
{
    struct choice c = { .device = device,
                        .kernel = kernel,
                        .kind = &kinds[device->kind],
                        .limits = limits_of(device, kernel),
                        .range = range };
    size_t group[3] = { 1, 1, 1 };
    bool empty = false;
    for (unsigned d = 0; d < range->dims; d++)
        empty = empty || range->global[d] == 0;
    if (!empty && device->kind != MW_DEVICE_NATIVE)
        walk(&c, EQUAL * walk(&c, 0.0, NULL), group);
    for (unsigned d = 0; d < 3; d++)
        range->group[d] = group[d];
}
/* SPDX-License-Identifier: MIT */

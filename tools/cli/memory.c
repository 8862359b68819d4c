/* Memory plans: the largest of several phases, compared with the device's memory. */
#include "tools/cli/memory.h"

/* Every C library header defines __GLIBC__. */
#ifdef __GLIBC__
#include <malloc.h>
#endif

void memory_phase(struct memory_plan *plan, double host, double device)
{
    plan->device = (uint64_t)device > plan->device ? (uint64_t)device : plan->device;
    plan->host = (uint64_t)host > plan->host ? (uint64_t)host : plan->host;
    plan->both = (uint64_t)(host + device) > plan->both ? (uint64_t)(host + device) : plan->both;
}

bool memory_is_shared(const struct mw_device_info *device)
{
    return device->kind == MW_DEVICE_NATIVE || device->shares_host_memory;
}

bool memory_has_cores(const struct mw_device_info *device) { return device->in_host_memory; }

uint64_t memory_planned(const struct memory_plan *plan, const struct mw_device_info *device)
{
    return memory_is_shared(device) ? plan->both : plan->device;
}

void memory_put(const struct memory_plan *plan, const struct mw_device_info *device, struct node *to)
{
    const uint64_t bytes = memory_planned(plan, device);
    if (memory_is_shared(device))
        show_row(put_bytes(to, "memory_bytes", bytes), "memory", "%s at most, with the host's, of %s",
                 bytes_text(bytes).text, bytes_text(device->memory_bytes).text);
    else
        show_row(put_bytes(to, "memory_bytes", bytes), "memory", "%s at most, of %s on the device, and %s on the host",
                 bytes_text(bytes).text, bytes_text(device->memory_bytes).text, bytes_text(plan->host).text);
    put_bytes(to, "device_memory_bytes", device->memory_bytes);
    put_bytes(to, "host_memory_bytes", plan->host);
}

int memory_check_limit(const struct device_settings *settings, const struct mw_device_info *device,
                       const struct memory_plan *plan)
{
    return settings->memory_limit ? device_holds(device, memory_planned(plan, device)) : 0;
}

void memory_give_back_early(void)
{
#ifdef M_MMAP_THRESHOLD
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 18);
#endif
}
/* SPDX-License-Identifier: MIT */

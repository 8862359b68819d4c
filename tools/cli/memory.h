/* Memory plans.  A subcommand adds the host and device memory of each of its phases; the largest phase counts.
 * --dry-run and --memory-limit use the same plan. */
#ifndef TOOLS_MEMORY_H
#define TOOLS_MEMORY_H

#include "tools/cli/groups.h"
#include "tools/report/report.h"

/* Bytes of the largest phase: on the device, on the host, and both together. */
struct memory_plan {
    uint64_t device, host, both;
};

/* Adds a phase that needs these bytes of host and device memory. */
void memory_phase(struct memory_plan *plan, double host, double device);
/* Returns whether the device uses the host's memory. */
bool memory_is_shared(const struct mw_device_info *device);
/* Returns whether the device uses the kernels for CPU cores, such as the runs of cells in labelling. */
bool memory_has_cores(const struct mw_device_info *device);
/* Returns the bytes that count against the device's memory; these include the host's if the memory is shared. */
uint64_t memory_planned(const struct memory_plan *plan, const struct mw_device_info *device);
/* Puts "memory_bytes", "device_memory_bytes" and "host_memory_bytes", and prints a row. */
void memory_put(const struct memory_plan *plan, const struct mw_device_info *device, struct node *to);
/* Rejects work that exceeds --memory-limit: MW_ELIMIT.  Without the option all work passes. */
int memory_check_limit(const struct device_settings *settings, const struct mw_device_info *device,
                       const struct memory_plan *plan);
/* Makes free() return memory to the system at once, as plans assume; by default glibc keeps it. */
void memory_give_back_early(void);

#endif
/* SPDX-License-Identifier: MIT */

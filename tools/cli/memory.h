/* Plans of memory: a subcommand lists its phases, each with what the host and the device hold then; the largest counts.
 * The plan of --dry-run and the check of --memory-limit come from the same list. */
#ifndef TOOLS_MEMORY_H
#define TOOLS_MEMORY_H

#include "tools/cli/groups.h"
#include "tools/report/report.h"

/* Bytes of the largest phase: of the device, of the host, and of both together. */
struct memory_plan { uint64_t device, host, both; };

/* Adds a phase. */
void memory_phase(struct memory_plan *plan, double host, double device);
/* Whether the device's memory is the host's. */
bool memory_is_shared(const struct mw_device_info *device);
/* Whether kernels for the cores of CPUs are taken, as runs of cells in labelling. */
bool memory_has_cores(const struct mw_device_info *device);
/* Bytes that count against the device's memory: with those of the host if they share it. */
uint64_t memory_planned(const struct memory_plan *plan, const struct mw_device_info *device);
/* Puts "memory_bytes", "device_memory_bytes" and "host_memory_bytes", and a row of them. */
void memory_put(const struct memory_plan *plan, const struct mw_device_info *device, struct node *to);
/* Refuses work that --memory-limit leaves no room for; without the option, any work passes.  MW_ELIMIT. */
int memory_check_limit(const struct device_settings *settings, const struct mw_device_info *device,
                       const struct memory_plan *plan);
/* Returns freed memory to the system at once, as plans assume.  Otherwise glibc keeps it. */
void memory_give_back_early(void);

#endif
/* SPDX-License-Identifier: MIT */

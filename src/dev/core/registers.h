/* Computes how many groups of a kernel run at once on a compute unit of NVIDIA's, from the compiler's register counts.
 * For drivers that do not report it. */
#ifndef MW_DEV_REGISTERS_H
#define MW_DEV_REGISTERS_H

#include <meshwork/program.h>

#include "base/base.h"

enum {
    MW_WARP = 32,              /* work-items of a warp */
    MW_SCHEDULERS = 4,         /* schedulers of a unit, each with a quarter of its registers */
    MW_UNIT_REGISTERS = 65536, /* registers of a unit */
    MW_REGISTERS_AT_ONCE = 256 /* a warp's registers are allocated in multiples of this */
};

/* Maxima of a compute unit of NVIDIA GPUs with a compute capability. */
struct mw_unit_room {
    int capability;         /* 10 * major + minor */
    unsigned warps, groups; /* that run at once */
    unsigned local_kib;     /* local memory in KiB */
};

/* Returns the row of this compute capability, or of the latest earlier one; NULL if it is older than all rows. */
const struct mw_unit_room *mw_unit_room(int capability);
/* Returns the number of groups that a unit runs at once: groups of `items` work-items with so many registers per item
 * (at least 1) and bytes of local memory per group. */
size_t mw_unit_groups(const struct mw_unit_room *room, size_t registers, size_t local_bytes, size_t items);

/* Returns groups + 1 if that many groups of `items` items fit when at most a fifth of the kernel's registers are saved:
 * the assembler should then be asked for it.  Otherwise 0.  `groups`: how many a unit runs at once now. */
size_t mw_another_group(size_t registers, size_t items, size_t groups);

/* occupancy.c: returns how many groups of so many items of a kernel run at once on a compute unit; 0: unknown. Sizes
 * count as the next power of two. */
size_t mw_resident_groups(const struct mw_kernel_limits *kernel, size_t items);
/* Returns the size of group that limits.resident_groups[i] is about; 0 if that entry is unused. */
size_t mw_resident_items(const struct mw_kernel_limits *kernel, unsigned i);

/* Extracts register counts from a build log (made with -cl-nv-verbose): one line per kernel with its name and their
 * number; "" without any. The caller frees it. Errors: MW_ENOMEM. */
int mw_registers_read(const char *log, char **told);
/* Returns a kernel's number in such a text, or 0. */
unsigned mw_registers_of(const char *told, const char *kernel);

/* Computes limits->resident_groups for a kernel with so many registers per item (0: unknown, sets nothing known).
 * limits->max_group must be set. */
void mw_registers_limit(const struct mw_unit_room *room, unsigned registers, size_t local_bytes,
                        struct mw_kernel_limits *limits);

#endif
/* SPDX-License-Identifier: MIT */

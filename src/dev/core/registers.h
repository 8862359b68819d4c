/* Computes how many groups of a kernel run at once on a compute unit of NVIDIA's, from the compiler's register counts.
 * For drivers that do not report it. */
#ifndef MW_DEV_REGISTERS_H
#define MW_DEV_REGISTERS_H

#include <meshwork/program.h>

#include "base/base.h"

/* Registers of a unit are shared out among its schedulers, and come to a warp in pieces. */
enum { MW_WARP = 32, MW_SCHEDULERS = 4, MW_UNIT_REGISTERS = 65536, MW_REGISTERS_AT_ONCE = 256 };

/* Capacity of a unit. */
struct mw_unit_room {
    int capability; /* 10 times the major number of its compute capability, and the minor one */
    unsigned warps, groups;
    unsigned local_kib;
};

/* The row of this capability or of the latest before it; NULL: it is older than all. */
const struct mw_unit_room *mw_unit_room(int capability);
/* Groups at once, of so many items, registers of an item (at least 1) and bytes of local memory. */
size_t mw_unit_groups(const struct mw_unit_room *room, size_t registers, size_t local_bytes, size_t items);

/* Returns groups + 1 if that many groups of `items` items fit when at most a fifth of the kernel's registers are saved:
 * the assembler should then be asked for it.  Otherwise 0.  `groups`: how many a unit runs at once now. */
size_t mw_another_group(size_t registers, size_t items, size_t groups);

/* occupancy.c: returns how many groups of so many items of a kernel run at once on a compute unit; 0: unknown. Sizes
 * count as the next power of two. */
size_t mw_resident_groups(const struct mw_kernel_limits *kernel, size_t items);
/* The items of which resident_groups[i] is the number of groups; 0: of none. */
size_t mw_resident_items(const struct mw_kernel_limits *kernel, unsigned i);

/* Extracts register counts from a build log (made with -cl-nv-verbose): one line per kernel with its name and their
 * number; "" without any. The caller frees it. Errors: MW_ENOMEM. */
int mw_registers_read(const char *log, char **told);
/* Returns a kernel's number in such a text, or 0. */
unsigned mw_registers_of(const char *told, const char *kernel);

/* Fills in resident_groups, of which nothing is known without `registers`; the limits' group is known. */
void mw_registers_limit(const struct mw_unit_room *room, unsigned registers, size_t local_bytes,
                        struct mw_kernel_limits *limits);

#endif
/* SPDX-License-Identifier: MIT */

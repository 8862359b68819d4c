/* How many groups of a kernel a compute unit of NVIDIA's runs at once, where the driver does not count them: by what
 * its compiler says of registers. */
#ifndef MW_DEV_REGISTERS_H
#define MW_DEV_REGISTERS_H

#include <meshwork/program.h>

#include "base/base.h"

/* Registers of a unit are shared out among its schedulers, and come to a warp in pieces. */
enum { MW_WARP = 32, MW_SCHEDULERS = 4, MW_UNIT_REGISTERS = 65536, MW_REGISTERS_AT_ONCE = 256 };

/* What a unit has room for. */
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

/* occupancy.c: groups of so many items that a compute unit runs at once of a kernel, of other sizes than powers of two
 * as of the next one; 0: not known. */
size_t mw_resident_groups(const struct mw_kernel_limits *kernel, size_t items);
/* The items of which resident_groups[i] is the number of groups; 0: of none. */
size_t mw_resident_items(const struct mw_kernel_limits *kernel, unsigned i);

/* What a build log has of registers (made with -cl-nv-verbose): for each kernel a line of its name and their number,
 * "" where the log has none.  To be freed.  Errors: MW_ENOMEM. */
int mw_registers_read(const char *log, char **told);
/* A kernel's number in such a text; 0: it has none. */
unsigned mw_registers_of(const char *told, const char *kernel);

/* Fills in resident_groups, of which nothing is known without `registers`; the limits' group is known. */
void mw_registers_limit(const struct mw_unit_room *room, unsigned registers, size_t local_bytes,
                        struct mw_kernel_limits *limits);

#endif
/* SPDX-License-Identifier: MIT */

/* How many groups of a kernel a compute unit of NVIDIA's runs at once, where the driver does not count them: by what
 * its compiler says of registers. */
#ifndef MW_DEV_REGISTERS_H
#define MW_DEV_REGISTERS_H

#include <meshwork/program.h>

/* What a unit has room for. */
struct mw_unit_room {
    int capability;          /* 10 times the major number of its compute capability, and the minor one */
    unsigned warps, groups;
    unsigned local_kib;
};

/* Of the latest known capability that is no later; NULL where that is older than all. */
const struct mw_unit_room *mw_unit_room(int capability);

/* What a build log has of registers (made with -cl-nv-verbose): for each kernel a line of its name and their number,
 * "" where the log has none.  To be freed.  Errors: MW_ENOMEM. */
int mw_registers_read(const char *log, char **told);
/* A kernel's number in such a text; 0: it has none. */
unsigned mw_registers_of(const char *told, const char *kernel);

/* Fills in resident_groups, of which nothing is known without `registers`; the limits' group and local memory are
 * known. */
void mw_registers_limit(const struct mw_unit_room *room, unsigned registers, struct mw_kernel_limits *limits);

#endif
/* SPDX-License-Identifier: MIT */

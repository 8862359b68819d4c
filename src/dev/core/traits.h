/* Properties of drivers that OpenCL and CUDA do not report: from a device's kind, and from a table of drivers. */
#ifndef MW_DEV_TRAITS_H
#define MW_DEV_TRAITS_H

#include <meshwork/device.h>

/* Traits of a device, found by mw_traits_detect. */
struct mw_device_traits {
    bool has_cores;          /* a work-item's loops run at full speed, so that few long work-items are best: native
                              * devices, and CPU drivers except those with items_are_lanes */
    bool items_are_lanes;    /* work-items are the lanes of a vector: one that loops delays the others */
    bool groups_progress;    /* a group that has started proceeds independently: other groups may wait for it */
    bool strict_atomics;     /* follows OpenCL 1.2 literally: no plain loads that race with atomic operations */
    bool one_thread;         /* wrong results or crashes if several threads call the driver at once */
    bool lanes_load_alone;   /* loads and stores of lanes are serialised: shapes with the fewest loads are best */
    bool wrong_extensions;   /* true conditions of vectors become the integer 255 instead of 1 */
    bool uneven_barriers;    /* wrong results of some kernels with barriers in loops and branches */
    bool keeps_copies;       /* works on a copy, although it reports memory shared with the host */
    bool forgets_flushed;    /* waits only for work that was not flushed before */
    unsigned local_extra;    /* bytes of local memory that it reports in addition to a kernel's */
    bool counts_local_twice; /* kernels have each local array twice; one of the two is unused */
    bool keeps_programs;     /* has a cache of programs on disk, and recompiles everything when asked for a binary */
    bool links_with_ld;      /* the driver ends the process if there is no ld in PATH */
    unsigned loop_rounds;    /* all loops of a work-item together end silently after this many rounds; 0: no limit */
    unsigned unrolled_dims;  /* maximum dimensions for which kernels with rows in registers compile in useful time; one
                              * more if stages are evaluated in place; 0: no limit */
    bool shapes_are_known;   /* the fastest shapes of fields were measured on this kind, and a rule has them */
    unsigned copy_lanes;     /* copies by a group skip cells unless it has 1 work-item or a multiple of this number;
                              * 0: never */
};

/* Sets info->traits (valid until the process ends), cores, in_host_memory and calls, and corrects local_bytes. The
 * kind, the names and the vector width must be set. */
void mw_traits_detect(struct mw_device_info *info);
/* Returns a remedy if a platform has no devices; NULL: none is known. */
const char *mw_traits_remedy(const char *platform);

#endif
/* SPDX-License-Identifier: MIT */

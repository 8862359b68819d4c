/* Tuning: the shape in which a kernel's work is cut, by rule and by measurement.
 *
 * The rule is the counterpart of the occupancy function of Leist, Playne, Hawick 2008, section 2.1, listing 1: from
 * what the device and the built kernel report, without running anything.  The measurement times candidates on the
 * device at hand and remembers the winner in a text file in the cache folder ("tune.txt"), one line an entry, signed by
 * the hash of the kernel's source.  Processes that write it at the same time take turns.
 *
 * Threads: any; entries are added and removed by one at a time. */
#ifndef MESHWORK_TUNE_H
#define MESHWORK_TUNE_H

#include <meshwork/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A variant of an algorithm, as users choose it.  `alias`: what else it is called, as by the number or letter of a
 * paper, and taken for the name everywhere; NULL: nothing. */
struct mw_variant { /* the library's, may grow */
    const char *name, *description, *alias;
};
/* A table of variants: its row i, from 0 on, or NULL beyond the last one.  The library's tables are functions, so that
 * they can grow; rows stay where they are for as long as the process runs. */
typedef const struct mw_variant *mw_variant_table(size_t i);
/* The row of a table with that name or alias.  MW_EINVAL: there is none; the reason lists those that there are. */
MW_API int mw_variant_find(mw_variant_table *variants, const char *name, size_t *row);

/* How a lattice of cells is cut into work-items: an item owns `per_item` runs of `vec` cells along x (0: the whole
 * row), on `rows` consecutive rows (0: as many as suit the device, where a variant has that); items stand in
 * work-groups of group[0] x group[1].  `steps` is for variants that move on by whole time steps in one launch: how
 * many, 0 by less than one. */
struct mw_shape {     /* a fixed value */
    char variant[16]; /* of the algorithm: a row of its table */
    unsigned vec, per_item, rows, steps;
    size_t group[2];
};
#define MW_SHAPE_TEXT 160
/* "variant=rolling,vec=16,per_item=0,rows=64,group=1x1" (no variant part when it is "", and ",steps=2" behind it unless
 * it is 0); writes at most MW_SHAPE_TEXT
 * bytes. */
MW_API void mw_shape_format(const struct mw_shape *shape, char *text);
/* Reads that form; parts that are absent keep their value in *shape.  MW_EINVAL names the part. */
MW_API int mw_shape_parse(const char *text, struct mw_shape *shape);

/* The fraction of a compute unit's item slots that groups of `group_items` keep busy, by what the device and the
 * kernel report (local memory, largest group, preferred multiple) and the number of groups that the range yields.
 * 0 for a group that the device or the kernel cannot take.  On CPU devices, whose units run one group at a time: the
 * fraction of the units that have a group. */
MW_API double mw_occupancy(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                           size_t group_items, size_t groups);
/* The group of the best occupancy for a range, weighed with what padding and partly filled warps waste and with the
 * number of groups for each unit (at least two on GPUs, four on CPU devices, where the range has them); of equals the
 * larger one, at most 256 items; wide along x first.  Fills range->group, 1 in unused dimensions.  Native devices:
 * always 1.  Cost: 0.5, 7, 25 us in one, two, three dimensions. */
MW_API void mw_group_by_rule(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                             struct mw_range *range);

/* Looks an entry up, and remembers one in the place of an older one.  `key` names kernel, precision and size class, in
 * one line without tabs; the device is part of the entry.  mw_tune_get returns false when there is none, or when it was
 * signed by another hash.  Errors of mw_tune_put: MW_EINVAL (key or seconds), MW_EIO (no usable cache folder),
 * MW_ENOMEM; not being able to remember is no reason to stop. */
MW_API bool mw_tune_get(const struct mw_device_info *device, const char *key, uint64_t hash, struct mw_shape *shape);
MW_API int mw_tune_put(const struct mw_device_info *device, const char *key, uint64_t hash,
                       const struct mw_shape *shape, double seconds);
/* Visits the remembered entries in the order of the file; `device` is as the file has it: id, name, driver, units.
 * Errors: MW_EIO (no usable cache folder), MW_ENOMEM. */
MW_API int mw_tune_each(void (*visit)(void *context, const char *device, const char *key, const struct mw_shape *shape,
                                      double seconds),
                        void *context);
/* Forgets all entries.  Errors: MW_EIO. */
MW_API int mw_tune_clear(void);

/* Times candidates in order while another, taking as long as the last one, would be done within `budget` seconds (but
 * at least until one could be timed), and gives the fastest; an earlier one stays unless a later one is faster by 3 per
 * cent; where twenty passes are within the budget, the winner is measured again beside the first, and has to be
 * faster by the least of its times as well.  measure() prepares and times one
 * candidate: seconds of one pass, warm; a candidate whose measure fails is passed over, except that MW_ESTOPPED ends
 * the tuning.  `seconds` and `tried` may be NULL.
 * Errors: that of the last candidate when all failed; MW_EINVAL (no candidates); MW_ESTOPPED. */
struct mw_tuning {
    size_t size; /* sizeof the struct: see status.h */
    const struct mw_shape *candidates;
    size_t count;
    double budget;
    int (*measure)(void *context, const struct mw_shape *shape, double *seconds);
    void *context;
};
MW_API int mw_tune(const struct mw_tuning *tuning, struct mw_shape *best, double *seconds, size_t *tried);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

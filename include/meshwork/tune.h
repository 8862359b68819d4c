/* Tuning: the shape in which a kernel's work is cut, by rule and by measurement.
 *
 * The rule follows the occupancy function of Leist, Playne, Hawick 2008, section 2.1, listing 1. It uses the reports of
 * the device and the built kernel, without running anything. The measurement times candidates on the device and stores
 * the fastest in a text file in the cache folder ("tune.txt"). An entry is one line with the hash of the kernel's
 * source. Processes that write it at the same time take turns.
 *
 * Threads: any; entries are added and removed by one thread at a time. */
#ifndef MESHWORK_TUNE_H
#define MESHWORK_TUNE_H

#include <meshwork/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A variant of an algorithm, which users select by name.  `alias`: a second name, such as the number or letter in a
 * paper; NULL: none. */
struct mw_variant { /* the library's, may grow */
    const char *name, *description, *alias;
};
/* A table of variants as a function: returns row i, from 0 on, or NULL beyond the last one. Rows are valid until the
 * process ends. */
typedef const struct mw_variant *mw_variant_table(size_t i);
/* Finds the row of a table whose name or alias is `name`. MW_EINVAL: unknown name; the message lists all names. */
MW_API int mw_variant_find(mw_variant_table *variants, const char *name, size_t *row);

/* The division of a lattice of cells into work-items. An item owns `per_item` runs of `vec` cells along x (0: the whole
 * row), on `rows` consecutive rows (0: chosen for the device, if a variant supports it), in work-groups of group[0] x
 * group[1]. `steps`: number of time steps per launch, for variants with whole time steps; 0: less than one. */
struct mw_shape {     /* a fixed value */
    char variant[16]; /* name of the variant in the algorithm's table */
    unsigned vec, per_item, rows, steps;
    size_t group[2];
};
#define MW_SHAPE_TEXT 160 /* bytes of a shape as text */
/* Writes a shape as text, such as "variant=rolling,vec=16,per_item=0,rows=64,group=1x1"; without the variant if it is
 * "", and with ",steps=2" at the end unless it is 0. Writes at most MW_SHAPE_TEXT bytes. */
MW_API void mw_shape_format(const struct mw_shape *shape, char *text);
/* Reads a shape from the text of mw_shape_format; absent parts keep their value in *shape. MW_EINVAL: the message names
 * the invalid part. */
MW_API int mw_shape_parse(const char *text, struct mw_shape *shape);

/* Returns the fraction of a compute unit's item slots that groups of `group_items` keep busy. It follows from the
 * reports of the device and the kernel (local memory, largest group, preferred multiple) and the range's number of
 * groups. 0: the group is too large for the device or the kernel. On CPU devices, whose units run one group at a time:
 * the fraction of the units that have a group. */
MW_API double mw_occupancy(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                           size_t group_items, size_t groups);
/* Finds the group with the best occupancy for a range.  The score includes the waste by padding and partly filled
 * warps, and the number of groups per unit.  That should be at least two on GPUs and four on CPU devices, if the range
 * has them.  Ties go to the larger group, up to 256 items, then to the wider one along x.  Fills range->group, 1 in
 * unused dimensions. Native devices: always 1. */
MW_API void mw_group_by_rule(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                             struct mw_range *range);

/* Finds the stored shape for a device and a key: kernel, precision and size class in one line without tabs. Returns
 * false without an entry for this hash of the kernel's source. */
MW_API bool mw_tune_get(const struct mw_device_info *device, const char *key, uint64_t hash, struct mw_shape *shape);
/* Stores a shape for mw_tune_get, with the seconds of a pass; replaces an older entry. Errors: MW_EINVAL (key or
 * seconds), MW_EIO (no usable cache folder), MW_ENOMEM; a failure can be ignored. */
MW_API int mw_tune_put(const struct mw_device_info *device, const char *key, uint64_t hash,
                       const struct mw_shape *shape, double seconds);
/* Calls `visit` for each stored shape, in the order of the file; `device` is a text with id, name, driver and units.
 * Errors: MW_EIO (no usable cache folder), MW_ENOMEM. */
MW_API int mw_tune_each(void (*visit)(void *context, const char *device, const char *key, const struct mw_shape *shape,
                                      double seconds),
                        void *context);
/* Removes all stored shapes.  Errors: MW_EIO. */
MW_API int mw_tune_clear(void);

/* Candidates of mw_tune, and how to time them. */
struct mw_tuning {
    size_t size;                       /* sizeof the struct: see status.h */
    const struct mw_shape *candidates; /* `count` shapes */
    size_t count;
    double budget; /* seconds */
    /* Prepares and times one candidate: seconds of one pass, after a warm-up pass. */
    int (*measure)(void *context, const struct mw_shape *shape, double *seconds);
    void *context;
};
/* Times candidates in order, and returns the fastest. It stops before a candidate that, with the last one's time, would
 * exceed `budget` seconds, but times at least one. A later candidate must be faster by 3 per cent. If twenty passes are
 * within the budget, the winner is measured again next to the first candidate, and must also have the smaller minimum.
 * Candidates whose measure fails are skipped, except that MW_ESTOPPED ends the tuning. `seconds` and `tried` may be
 * NULL. Errors: the last candidate's if all fail; MW_EINVAL (no candidates); MW_ESTOPPED. */
MW_API int mw_tune(const struct mw_tuning *tuning, struct mw_shape *best, double *seconds, size_t *tried);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

/* Tuning: the choice of a shape, which is the division of a kernel's work into work-items, by rule or by measurement.
 *
 * The rule follows the occupancy function of Leist, Playne, Hawick 2008, section 2.1, listing 1.  It uses the limits
 * that the device and the built kernel report, and runs nothing.  A measurement times candidates on the device.  The
 * fastest is stored as a line of the text file tune.txt in the cache folder, with a hash of the kernel's source.
 * Processes that write the file take turns.
 *
 * Threads: any number; one thread at a time may add or remove entries. */
#ifndef MESHWORK_TUNE_H
#define MESHWORK_TUNE_H

#include <meshwork/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A variant of an algorithm, which users select by name. */
struct mw_variant { /* the library's, may grow */
    /* alias: a second name, such as the letter in a paper; NULL: none */
    const char *name, *description, *alias;
};
/* Returns row i of a table of variants, counted from 0; NULL beyond the last row.  Rows are always valid. */
typedef const struct mw_variant *mw_variant_table(size_t i);
/* Finds the row of a table whose name or alias is `name`.  Errors: MW_EINVAL (unknown name; the message lists all
 * names). */
MW_API int mw_variant_find(mw_variant_table *variants, const char *name, size_t *row);

/* The division of a mesh into work-items. */
struct mw_shape {     /* a fixed value */
    char variant[16]; /* name of the variant in the algorithm's table */
    /* vec: length of a vector, in cells along x
     * per_item: vectors per work-item along x; 0: the whole row
     * rows: consecutive rows per work-item; 0: chosen for the device, if the variant supports it
     * steps: time steps per launch, for variants that compute whole steps; otherwise 0 */
    unsigned vec, per_item, rows, steps;
    size_t group[2]; /* size of a work-group in work-items */
};
#define MW_SHAPE_TEXT 160 /* maximum size in bytes of a shape as text, with the final NUL */
/* Writes a shape as text, such as "variant=rolling,vec=16,per_item=0,rows=64,group=1x1".  The text has no variant if
 * that is "", and ends with ",steps=N" if `steps` is not 0.  `text` must have room for MW_SHAPE_TEXT bytes. */
MW_API void mw_shape_format(const struct mw_shape *shape, char *text);
/* Reads a shape from the text of mw_shape_format.  Members that are not in the text keep their value in *shape.
 * Errors: MW_EINVAL (the message has the invalid part). */
MW_API int mw_shape_parse(const char *text, struct mw_shape *shape);

/* Returns the occupancy of a device: the fraction of a compute unit's slots for work-items that are busy.
 *   - group_items: number of work-items of a group.
 *   - groups: number of groups of the range.
 * It is computed from the local memory, the largest group and the preferred multiple that the device and the kernel
 * report.  On CPU devices a unit runs one group at a time; the result is the fraction of units with a group.  0: the
 * group is too large for the device or the kernel. */
MW_API double mw_occupancy(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                           size_t group_items, size_t groups);
/* Sets range->group to the work-group size with the best occupancy; 1 in unused dimensions, and on native devices.  The
 * score includes the waste by padding and by partly filled warps.  It prefers at least two groups per compute unit on
 * GPUs, and four on CPU devices, if the range is large enough.  In a tie it takes the larger group, up to 256 items,
 * then the group that is longer along x. */
MW_API void mw_group_by_rule(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                             struct mw_range *range);

/* Reads the stored shape for a device, a key and a hash of the kernel's source.  The key is one line of text without
 * tabs, such as kernel, precision and size class.  Returns false if there is no such entry, or the file cannot be
 * read. */
MW_API bool mw_tune_get(const struct mw_device_info *device, const char *key, uint64_t hash, struct mw_shape *shape);
/* Stores a shape for mw_tune_get, and the seconds of one pass; replaces an earlier entry for the device and key.  A
 * program may ignore a failure.  Errors: MW_EINVAL (invalid key or seconds), MW_EIO (no usable cache folder),
 * MW_ENOMEM. */
MW_API int mw_tune_put(const struct mw_device_info *device, const char *key, uint64_t hash,
                       const struct mw_shape *shape, double seconds);
/* Calls `visit` for each stored shape, in the order of the file.  Its argument `device` is a text: id, name, driver and
 * number of compute units.  Errors: MW_EIO (no usable cache folder), MW_ENOMEM. */
MW_API int mw_tune_each(void (*visit)(void *context, const char *device, const char *key, const struct mw_shape *shape,
                                      double seconds),
                        void *context);
/* Removes all stored shapes.  Errors: MW_EIO (no usable cache folder, or the file cannot be removed). */
MW_API int mw_tune_clear(void);

/* Candidates of mw_tune, and the function that times them. */
struct mw_tuning {
    size_t size;                       /* sizeof the struct: see status.h */
    const struct mw_shape *candidates; /* `count` shapes, the fastest by rule first */
    size_t count;
    double budget; /* seconds for all measurements */
    /* Prepares a candidate, runs a warm-up pass, and writes the seconds of one more pass to *seconds.  Returns 0 or a
     * negative enum mw_status. */
    int (*measure)(void *context, const struct mw_shape *shape, double *seconds);
    void *context; /* first argument of `measure` */
};
/* Times candidates in order, and writes the fastest to *best.
 *
 * It ends when another candidate would exceed the budget, if it took as long as the last one; at least one is timed.  A
 * later candidate wins only if it is faster by 3 per cent.  A winner that is not the first candidate is timed again,
 * alternating with the first, if twenty passes are within the budget.  Its minimum must also be smaller by 3 per cent.
 * Candidates whose `measure` fails are skipped.
 *   - seconds: receives the time of the fastest; may be NULL.
 *   - tried: receives the number of candidates that were timed; may be NULL.
 * Errors: the error of the last candidate, if all fail; MW_EINVAL (no candidates); MW_ESTOPPED of `measure`, which ends
 * the tuning. */
MW_API int mw_tune(const struct mw_tuning *tuning, struct mw_shape *best, double *seconds, size_t *tried);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

/* Tuning: chooses the shape of a kernel, which is the division of its work into work-items.  There are two ways:
 * - The rule (mw_group_by_rule) follows the occupancy function of Leist, Playne, Hawick 2008, section 2.1, listing 1.
 *   It uses the limits that the device and the built kernel report, and runs nothing.
 * - A measurement (mw_tune) times several shapes on the device.
 *
 * mw_tune_put stores the fastest shape as a line of the text file tune.txt in the cache folder, with a hash of the
 * kernel's source.  A process that writes the file waits up to 1 s for another one that does.
 *
 * Threads: any number; one thread at a time may add or remove entries. */
#ifndef MESHWORK_TUNE_H
#define MESHWORK_TUNE_H

#include <meshwork/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Describes a variant of an algorithm, which users select by name. */
struct mw_variant { /* the library's, may grow */
    /* description: one line for users
     * alias: a second name, such as the letter in a paper; NULL: none */
    const char *name, *description, *alias;
};
/* Type of the functions that list the variants of an algorithm.  Such a function returns row i of its table, counted
 * from 0, or NULL beyond the last row.  Rows are always valid. */
typedef const struct mw_variant *mw_variant_table(size_t i);
/* Finds the variant whose name or alias is `name`, and writes the number of its row to *row.  Errors: MW_EINVAL
 * (unknown name; the message lists the names). */
MW_API int mw_variant_find(mw_variant_table *variants, const char *name, size_t *row);

/* Shape: states how a kernel divides a mesh into work-items and work-groups. */
struct mw_shape {     /* a fixed value */
    char variant[16]; /* name of the variant in the algorithm's table */
    /* vec: number of cells of a vector, which are consecutive along x
     * per_item: number of vectors of a work-item along x; 0: the whole row
     * rows: number of consecutive rows of a work-item; 0: chosen for the device, if the variant supports it
     * steps: number of time steps per launch, for variants that compute whole steps; otherwise 0 */
    unsigned vec, per_item, rows, steps;
    size_t group[2]; /* work-items of a work-group along x and y */
};
#define MW_SHAPE_TEXT 160 /* maximum size in bytes of a shape as text, with the final NUL */
/* Writes a shape as text, such as "variant=rolling,vec=16,per_item=0,rows=64,group=1x1".  An empty `variant` is left
 * out.  If `steps` is not 0, the text ends with ",steps=N".  `text` must have room for MW_SHAPE_TEXT bytes. */
MW_API void mw_shape_format(const struct mw_shape *shape, char *text);
/* Reads a shape from the text of mw_shape_format; group=N is group=Nx1.
 * Members that are not in the text keep their value in *shape.
 * Errors: MW_EINVAL (the message quotes the text from the first invalid member on). */
MW_API int mw_shape_parse(const char *text, struct mw_shape *shape);

/* Returns the occupancy of a device, from 0 to 1: the busy fraction of the work-items that a compute unit can hold.
 *   - device, kernel: limits from which the result is computed: local memory, largest work-group, preferred multiple,
 *     and resident work-groups.
 *   - group_items: number of work-items of a work-group.
 *   - groups: number of work-groups of the launch.
 * A unit is assumed to hold twice the largest work-group of the device (at most 2048 work-items), and at least 32
 * preferred multiples.  On CPU and native devices a unit runs one work-group at a time.  There, the result is the
 * fraction of units that have a work-group.  0: there is no work-item, or the work-group or the kernel's local memory
 * exceeds a limit. */
MW_API double mw_occupancy(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                           size_t group_items, size_t groups);
/* Sets range->group to the work-group of at most 256 work-items that has the highest score.  Unused dimensions get 1,
 * as do all dimensions on native devices and for an empty range.
 *
 * The score is the occupancy (mw_occupancy), reduced by work-items beyond the range and by partly filled sub-groups.
 * It is also reduced if a compute unit gets fewer than two work-groups, or four on CPU devices.  Scores within 2 per
 * cent of the highest are a tie.  It is broken by the most work-items, then by the longest edge along x. */
MW_API void mw_group_by_rule(const struct mw_device_info *device, const struct mw_kernel_limits *kernel,
                             struct mw_range *range);

/* Reads the shape that mw_tune_put has stored for the same arguments.  It returns false if there is no such entry, or
 * the file cannot be read.
 *   - device: entries match by id, name, driver and number of compute units.
 *   - key: a text that the program chooses for the kernel, its precision and its size class.
 *   - hash: hash of the kernel's source (mw_program_hash).  An entry with another hash is out of date and not returned.
 *   - shape: receives the shape; unchanged if the result is false. */
MW_API bool mw_tune_get(const struct mw_device_info *device, const char *key, uint64_t hash, struct mw_shape *shape);
/* Stores a shape for mw_tune_get, and replaces an earlier entry for the same device and key.
 *   - key: one line of text, not empty, without tabs and other control characters.
 *   - hash: hash of the kernel's source (mw_program_hash).
 *   - seconds: time of one pass, which mw_tune_each reports: at least 0, and less than 2^32 - 1.
 * A program may ignore a failure.  Errors: MW_EINVAL (invalid key or seconds), MW_EIO (no usable cache folder, or the
 * file cannot be written), MW_ENOMEM. */
MW_API int mw_tune_put(const struct mw_device_info *device, const char *key, uint64_t hash,
                       const struct mw_shape *shape, double seconds);
/* Calls `visit` for each stored shape, in the order of the file.  Errors: MW_EIO (no usable cache folder, or the file
 * cannot be read), MW_ENOMEM.  Arguments of `visit`, which are valid during its call only:
 *   - context: the last argument of mw_tune_each.
 *   - device: id, name, driver and number of compute units of the device, as one text.
 *   - key, shape, seconds: the arguments of mw_tune_put. */
MW_API int mw_tune_each(void (*visit)(void *context, const char *device, const char *key, const struct mw_shape *shape,
                                      double seconds),
                        void *context);
/* Removes all stored shapes.  Errors: MW_EIO (no usable cache folder, or the file cannot be removed). */
MW_API int mw_tune_clear(void);

/* Argument of mw_tune: the shapes to choose from, and the function that times one of them. */
struct mw_tuning {
    size_t size;                       /* sizeof the struct: see status.h */
    const struct mw_shape *candidates; /* shapes to be timed, the expected fastest first */
    size_t count;                      /* number of candidates */
    double budget;                     /* seconds that mw_tune may take; see there */
    /* Times a candidate: prepares it, runs a warm-up pass, and writes the seconds of one more pass to *seconds.  The
     * program provides this function, which returns 0 or a negative enum mw_status. */
    int (*measure)(void *context, const struct mw_shape *shape, double *seconds);
    void *context; /* first argument of `measure` */
};
/* Times candidates in order, and writes the fastest to *best.
 *
 * - Candidates whose `measure` fails are skipped.  The first that succeeds is the expected one.
 * - A later candidate becomes the fastest only if its time is below 97 per cent of the fastest time so far.
 * - Before each further candidate, its duration is assumed to be that of the previous call of `measure`.  If it would
 *   end after the budget, no further candidate is timed.  Until one has succeeded, the budget is ignored.
 * - If the fastest is not the expected one, both are then timed three more times, alternating.  The expected one wins
 *   unless the minimum of the other is below 97 per cent of its minimum.  This comparison is left out if 20 times the
 *   fastest time is at least the budget.
 *
 *   - seconds: receives the minimum of the times of *best; may be NULL.
 *   - tried: receives the number of candidates tried, including failed ones; may be NULL.
 * Errors: MW_EINVAL (no candidates); the error of the last candidate, if all fail (MW_EDEVICE: its time is negative or
 * not finite); MW_ESTOPPED if `measure` returns it, which ends the tuning. */
MW_API int mw_tune(const struct mw_tuning *tuning, struct mw_shape *best, double *seconds, size_t *tried);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

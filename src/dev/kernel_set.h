/* Kernel sets: a program and its kernels, built together for a work-group that all of them take.
 *
 * The kernels of cl/FOLDER/FILE.cl have a header, "kernels/FOLDER/FILE.h", that the build makes from their prototypes:
 * `kernels_FOLDER_FILE`, the list that a set is made from, KERNEL_NAME, a kernel's number in it, and for each kernel
 *
 *   int launch_NAME(const struct mw_kernel_set *set, struct mw_range range, ...its parameters...);
 *
 * with buffers as struct mw_buffer *, numbers as C's types of their widths, and `real` as double. Structs are const
 * pointers (include the .clh that declares them first). Types that differ between programs are struct mw_arg. The
 * parameters of X_PARAMS are a list of struct mw_arg and its length. */
#ifndef MW_KERNEL_SET_H
#define MW_KERNEL_SET_H

#include <meshwork/program.h>

#include "dev/core/traits.h"
#include "base/base.h"

/* A kernel, and the forms of the program that contain it (cl/prim/groups.clh): for cores, for groups. */
struct mw_kernel_row {
    const char *name;
    bool cores, groups;
};
/* The kernels of a .cl file. */
struct mw_kernel_list {
    const char *file;
    const struct mw_kernel_row *rows;
    size_t count;
};

/* Returns whether work-groups may have so many items: sub-groups must be whole (cl/prim/groups.clh). */
#define MW_GROUP_IS_VALID(n) ((n) % 32 == 0 || (n) == 1 || (n) == 2 || (n) == 4 || (n) == 8 || (n) == 16)
/* States which of these sizes, given by the user (`group` of struct mw_device_options), a kernel set takes. */
enum mw_group_taken {
    MW_GROUP_CHOSEN, /* none: its groups are always chosen here */
    MW_GROUP_ANY,    /* all */
    MW_GROUP_POWER   /* powers of two */
};

/* Options of mw_kernel_set_new.  Everything is read during the call only, except `native`. */
struct mw_kernel_options {
    const char *defines;                /* lines before the file, usually #define; NULL: none */
    const struct mw_source_text *texts; /* `text_count` texts that replace included files */
    size_t text_count;
    bool fp64, fast_math;                  /* as in struct mw_source */
    const struct mw_native_kernel *native; /* the kernels compiled as C, ended by a NULL name; NULL: none */
    bool compiles_native;                  /* without `native`, native devices compile the file at run time */
    /* Maximum items of a group, a power of two. Builds the form for groups, with GROUP defined as the largest size up
     * to this that the device and all kernels accept. 0: builds the form for cores. */
    size_t group;
    /* With a size given by the user, GROUP is this size instead, and so are the groups of all launches. These leave the
     * group to the set, or compute it from the set's. */
    enum mw_group_taken takes;
    /* More defines, which depend on the group (0 in the form for cores); NULL: none. */
    void (*add_defines)(struct mw_text *defines, size_t group, void *context);
    void *context;
    /* Requested kernels, bit i for number i, without kernels that the defines omit. 0: all of the form. */
    uint64_t wanted;
};

/* A built program with its kernels. Belongs to one thread at a time. */
struct mw_kernel_set {
    struct mw_device *device;
    struct mw_program *program;
    const struct mw_kernel_list *list;
    size_t group; /* items of a group; 1 in the form for cores */
    size_t given; /* items of a group that the user gave; 0: chosen here */
    bool fp64;
    struct mw_kernel *kernels[]; /* in the order of `list`; NULL: not in this form, or not wanted */
};

/* Builds a program and its kernels. If a built kernel accepts only smaller groups, builds again for these.
 * Errors: those of mw_program_new and mw_kernel_new; MW_EINVAL, MW_ELIMIT: the kernels do not support the group size
 * that the user gave. */
int mw_kernel_set_new(struct mw_device *device, const struct mw_kernel_list *list,
                      const struct mw_kernel_options *options, struct mw_kernel_set **set);
/* Frees the kernels and their program. */
void mw_kernel_set_free(struct mw_kernel_set *set);

/* Returns the largest group that all kernels of the set accept, by halving `group`. For sets whose group depends on
 * more than GROUP. */
size_t mw_kernel_set_group(const struct mw_kernel_set *set, size_t group);
/* Returns how many groups of `items` work-items of a kernel (a number of the list) run at once on a compute unit; 0:
 * unknown. */
size_t mw_kernel_set_resident(const struct mw_kernel_set *set, unsigned kernel, size_t items);

/* Queues a kernel by its number; for the generated functions. MW_EINVAL: its group is not the one that the user
 * gave. */
int mw_kernel_set_launch(const struct mw_kernel_set *set, unsigned kernel, struct mw_range range,
                         const struct mw_arg *args, size_t count);
/* Queues a kernel by its number, with `more` as arguments for X_PARAMS after the others. MW_ELIMIT: too many. */
int mw_kernel_set_launch_more(const struct mw_kernel_set *set, unsigned kernel, struct mw_range range,
                              const struct mw_arg *args, size_t count, const struct mw_arg *more, size_t more_count);
/* Returns a launch argument of type `real`: a double if the set has fp64, otherwise a float. */
struct mw_arg mw_kernel_set_real(const struct mw_kernel_set *set, double value);

/* Returns the range of a launch with one work-group per part, or in the form for cores one work-item per part. */
struct mw_range mw_parts(const struct mw_kernel_set *set, size_t parts);
/* Returns the range of a launch with n work-items, whose group is chosen by rule (struct mw_range). */
struct mw_range mw_items(size_t n);

#endif
/* SPDX-License-Identifier: MIT */

/* The primitives: shared by src/prim, src/components and tests. Internal. */
#ifndef MW_PRIM_INTERNAL_H
#define MW_PRIM_INTERNAL_H

#include <meshwork/prim.h>

#include "base/base.h"
#include "dev/kernel_set.h"

/* A file of kernels and its build options; each device that uses it has a set. Programs are constants defined next to
 * the launches, in the primitives and in higher modules that share their form and memory. */
struct mw_prim_program {
    const struct mw_kernel_list *list;
    const char *defines;
    const struct mw_native_kernel *native;
    bool fp64;
    bool vectors; /* defines VEC in the form for cores */
    /* Local memory that a group of this size needs: groups are smaller if the device has less. NULL: little. */
    size_t (*local_bytes)(size_t group);
};

/* Scratch memory, by contents; guests are higher modules that share it. */
enum mw_prim_scratch {
    MW_PRIM_PARTS,
    MW_PRIM_CARRY,
    MW_PRIM_COUNTS,
    MW_PRIM_KEYS,
    MW_PRIM_VALUES,
    MW_PRIM_TOLD,
    MW_PRIM_GUEST_1,
    MW_PRIM_GUEST_2,
    MW_PRIM_SCRATCHES
};

struct mw_prim_built {
    const struct mw_prim_program *program;
    struct mw_kernel_set *set;
};
struct mw_prim {
    struct mw_device *device;
    bool cores; /* form of the kernels: see cl/prim/groups.clh */
    size_t units;
    size_t group;          /* work-items per group; 1 on cores */
    bool wide;             /* sorts always use 64-bit counts: for tests */
    bool once;             /* groups may wait for earlier ones: cl/prim/once/ */
    uint32_t calls, parts; /* calls and parts launched this way since the words were cleared */
    struct mw_prim_built *built;
    size_t built_count;
    struct mw_buffer *scratch[MW_PRIM_SCRATCHES];
};

/* As mw_prim_new, in a given form, with groups of at most `group` work-items, which wait for each other if the device
 * has that trait. For tests: native devices support only the form for cores. */
int mw_prim_new_form(struct mw_device *device, bool cores, size_t group, struct mw_prim **prim);

/* Returns the kernels of a program, built at the first call; owned by the primitives. */
int mw_prim_set(struct mw_prim *prim, const struct mw_prim_program *program, const struct mw_kernel_set **set);
/* Returns scratch memory of a kind, for at least `count` elements of `bytes`; owned by the primitives. Its contents are
 * lost when it grows. */
int mw_prim_reserve(struct mw_prim *prim, enum mw_prim_scratch kind, size_t count, size_t bytes,
                    struct mw_buffer **buffer);
/* Prepares a launch of `parts` parts that publish sums of `bytes` (2 to 8) bytes: stores the kernel's arguments.
 * mw_prim_once_done records that it was queued; after a failed launch, the words are cleared. */
struct mw_prim_once {
    struct mw_buffer *words;
    uint32_t call, first;
};
int mw_prim_once(struct mw_prim *prim, size_t parts, size_t bytes, struct mw_prim_once *once);
void mw_prim_once_done(struct mw_prim *prim, const struct mw_prim_once *once, size_t parts);
/* Returns MW_EINVAL if a buffer has fewer than n elements of `bytes`; `call` and `what` name it in the message. */
int mw_prim_check(const struct mw_prim *prim, const char *call, const char *what, const struct mw_buffer *buffer,
                  size_t n, size_t bytes);

/* mw_prim_histogram of keys counted from `first` on; smaller keys are not counted. */
int mw_prim_histogram_from(struct mw_prim *prim, struct mw_buffer *keys, size_t n, uint32_t first, size_t bins,
                           struct mw_buffer *counts);

/* Returns the elements per part, for one launch over n elements of `bytes` with independent parts. */
size_t mw_prim_each(const struct mw_prim *prim, size_t n, size_t bytes);
static inline size_t mw_prim_parts(size_t n, size_t each) { return each ? (n + each - 1) / each : 0; }

/* Returns whether the host processes n elements, at most MW_PRIM_FEW: a driver would first compile a program, and the
 * device's memory is the host's. Native programs are compiled already. */
#define MW_PRIM_FEW ((size_t)1024)
bool mw_prim_on_host(const struct mw_prim *prim, size_t n);

/* Prepares a launch over n elements with independent parts: the set, the range of parts, the elements per part. */
struct mw_prim_run {
    const struct mw_kernel_set *set;
    struct mw_range range;
    int64_t n, each;
};
int mw_prim_run(struct mw_prim *prim, const struct mw_prim_program *program, size_t n, size_t bytes,
                struct mw_prim_run *run);

#endif
/* SPDX-License-Identifier: MIT */

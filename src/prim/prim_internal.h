/* The primitives: shared by src/prim, src/components and tests. Internal. */
#ifndef MW_PRIM_INTERNAL_H
#define MW_PRIM_INTERNAL_H

#include <meshwork/prim.h>

#include "base/base.h"
#include "dev/own.h"

/* A file of kernels and its build options; each device that uses it has a set. Programs are constants defined next to
 * the launches, in the primitives and in higher modules that share their form and memory. */
struct mw_prim_program {
    const struct mw_kernel_list *list;
    const char *defines;
    const struct mw_native_kernel *native;
    bool fp64;
    bool vectors; /* defines VEC in the form for cores */
    /* Returns the bytes of local memory of a group of this size; groups are smaller if the device has less. NULL: few
     * bytes. */
    size_t (*local_bytes)(size_t group);
};

/* Kinds of scratch memory: a buffer each. */
enum mw_prim_scratch {
    MW_PRIM_PARTS,    /* a result per part */
    MW_PRIM_CARRY,    /* results of parts of MW_PRIM_PARTS */
    MW_PRIM_COUNTS,   /* counts of a sort's digits per part */
    MW_PRIM_KEYS,     /* a copy of a sort's keys */
    MW_PRIM_VALUES,   /* a copy of a sort's values */
    MW_PRIM_TOLD,     /* words that groups publish for later groups: mw_prim_once */
    MW_PRIM_GUEST_1,  /* for higher modules */
    MW_PRIM_GUEST_2,  /* for higher modules */
    MW_PRIM_SCRATCHES /* number of kinds */
};

/* The primitives of a device. */
struct mw_prim {
    struct mw_device *device;
    bool cores;            /* form of the kernels: see cl/prim/groups.clh */
    size_t units;          /* compute units */
    size_t group;          /* work-items per group; 1 on cores */
    bool wide;             /* sorts always use 64-bit counts: for tests */
    bool once;             /* groups may wait for earlier ones, so that one launch suffices: cl/prim/once/ */
    uint32_t calls, parts; /* launches with `once`, and their parts, since the words of MW_PRIM_TOLD were cleared */
    struct mw_owner owner; /* frees the sets of `built` */
    struct mw_prim_built {
        const struct mw_prim_program *program;
        struct mw_kernel_set *set;
    } * built; /* programs that were built for the device */
    size_t built_count;
    struct mw_buffer *scratch[MW_PRIM_SCRATCHES];
};

/* Makes primitives as mw_prim_new does, with kernels in a given form and groups of at most `group` work-items. For
 * tests. Native devices support only the form for cores. */
int mw_prim_new_form(struct mw_device *device, bool cores, size_t group, struct mw_prim **prim);
/* Makes primitives as mw_prim_new does, which the owner frees. */
int mw_own_prim(struct mw_owner *owner, struct mw_device *device, struct mw_prim **prim);

/* Returns the kernels of a program, built at the first call; owned by the primitives. */
int mw_prim_set(struct mw_prim *prim, const struct mw_prim_program *program, const struct mw_kernel_set **set);
/* Returns scratch memory of a kind, for at least `count` elements of `bytes` bytes; owned by the primitives. Its
 * contents are lost when it grows. */
int mw_prim_reserve(struct mw_prim *prim, enum mw_prim_scratch kind, size_t count, size_t bytes,
                    struct mw_buffer **buffer);
/* Arguments of a kernel whose work-groups wait for sums that earlier groups publish (cl/prim/once/look_back.clh). */
struct mw_prim_once {
    struct mw_buffer *words; /* for the sums */
    uint32_t call, first;    /* number of the launch, and of its first part, since `words` was cleared */
    uint32_t parts;          /* number of parts of the launch */
};
/* Prepares a launch in which each of `parts` groups stores a sum of `bytes` (2 to 8) bytes for later groups: makes room
 * for the sums, clears it if needed, and sets *once, the kernel's arguments. */
int mw_prim_once(struct mw_prim *prim, size_t parts, size_t bytes, struct mw_prim_once *once);
/* Records that the launch was queued if its status `rc` is 0, and returns that. Without this call, after a failed
 * launch, the next one clears the words. */
int mw_prim_once_done(struct mw_prim *prim, const struct mw_prim_once *once, int rc);
/* Fails with MW_EINVAL if a buffer is NULL or has room for fewer than n elements of `bytes` bytes. The message names
 * the function `call` and the buffer `what`. */
int mw_prim_check(const struct mw_prim *prim, const char *call, const char *what, const struct mw_buffer *buffer,
                  size_t n, size_t bytes);

/* Counts keys as mw_prim_histogram does, with counts[b] for keys equal to first + b; other keys are not counted. */
int mw_prim_histogram_from(struct mw_prim *prim, struct mw_buffer *keys, size_t n, uint32_t first, size_t bins,
                           struct mw_buffer *counts);

/* Returns the number of elements per part for a launch over n elements of `bytes` bytes with independent parts. */
size_t mw_prim_each(const struct mw_prim *prim, size_t n, size_t bytes);
/* Returns the number of parts for n elements with `each` elements per part; 0 if `each` is 0. */
static inline size_t mw_prim_parts(size_t n, size_t each) { return each ? (n + each - 1) / each : 0; }

/* Few elements to scan or to add up. */
#define MW_PRIM_FEW ((size_t)1024)
/* Returns whether the host should process n elements itself, at most `most`. That saves compiling a program for few
 * elements, on OpenCL devices with cores whose buffers are in host memory. Native programs are compiled already. */
bool mw_prim_on_host(const struct mw_prim *prim, size_t n, size_t most);

/* A launch over n elements with independent parts. */
struct mw_prim_run {
    const struct mw_kernel_set *set;
    struct mw_range range; /* of the parts */
    int64_t n, each;       /* elements, and elements per part */
};
/* Prepares a launch of a program over n elements of `bytes` bytes, in parts of mw_prim_each elements. */
int mw_prim_run(struct mw_prim *prim, const struct mw_prim_program *program, size_t n, size_t bytes,
                struct mw_prim_run *run);

#endif
/* SPDX-License-Identifier: MIT */

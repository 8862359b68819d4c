/* The primitives: what their files, src/components and the tests share. */
#ifndef MW_PRIM_INTERNAL_H
#define MW_PRIM_INTERNAL_H

#include <meshwork/prim.h>

#include "base/base.h"
#include "dev/kernel_set.h"

/* A file of kernels with what it is built for; a set of it is built for each device that uses it.  Constants beside the
 * calls that launch them, of primitives and of modules above that share their form and memory. */
struct mw_prim_program {
    const struct mw_kernel_list *list;
    const char *defines;
    const struct mw_native_kernel *native;
    bool fp64;
    bool vectors;                /* defines VEC, in the form for cores */
    /* Local memory that such a group needs: where there is less, groups are smaller.  NULL: little. */
    size_t (*local_bytes)(size_t group);
};

/* Memory that calls use, by what it holds; guests are modules above that share it. */
enum mw_prim_scratch { MW_PRIM_PARTS, MW_PRIM_CARRY, MW_PRIM_COUNTS, MW_PRIM_KEYS, MW_PRIM_VALUES, MW_PRIM_TOLD,
                       MW_PRIM_GUEST_1, MW_PRIM_GUEST_2, MW_PRIM_SCRATCHES };

struct mw_prim {
    struct mw_device *device;
    bool cores;                  /* the form of the kernels: see cl/prim/groups.clh */
    size_t units;
    size_t group;                /* items of a group; 1 of cores */
    bool wide;                   /* sorts count in 64 bits, however few keys there are: for tests */
    bool once;                   /* groups may wait for those before them: cl/prim/once/ */
    uint32_t calls, parts;       /* that were launched so, since their words were cleared */
    struct mw_prim_built { const struct mw_prim_program *program; struct mw_kernel_set *set; } *built;
    size_t built_count;
    struct mw_buffer *scratch[MW_PRIM_SCRATCHES];
};

/* The same as mw_prim_new, in the form that the caller chooses; groups of at most `group` items, which wait for each
 * other where that is the device's trait.  For tests: native devices have the form for cores only. */
int mw_prim_new_form(struct mw_device *device, bool cores, size_t group, struct mw_prim **prim);

/* The kernels of a program, built when they are first asked for; owned by the primitives. */
int mw_prim_set(struct mw_prim *prim, const struct mw_prim_program *program, const struct mw_kernel_set **set);
/* The scratch memory of a kind, for `count` things of `bytes` at least; owned by the primitives.  What was in it is
 * lost where it grows. */
int mw_prim_reserve(struct mw_prim *prim, enum mw_prim_scratch kind, size_t count, size_t bytes,
                    struct mw_buffer **buffer);
/* One launch over so many parts that tell each other sums of `bytes`, 2 to 8: what its kernel is told; and that it has
 * been queued.  A launch that was not leaves its numbers to nobody. */
struct mw_prim_once { struct mw_buffer *words; uint32_t call, first; };
int mw_prim_once(struct mw_prim *prim, size_t parts, size_t bytes, struct mw_prim_once *once);
void mw_prim_once_done(struct mw_prim *prim, const struct mw_prim_once *once, size_t parts);
/* MW_EINVAL where a buffer holds fewer than n things of `bytes`; `call` and `what` name it. */
int mw_prim_check(const struct mw_prim *prim, const char *call, const char *what, const struct mw_buffer *buffer,
                  size_t n, size_t bytes);

/* mw_prim_histogram of keys that count from `first` on; those below are not counted. */
int mw_prim_histogram_from(struct mw_prim *prim, struct mw_buffer *keys, size_t n, uint32_t first, size_t bins,
                           struct mw_buffer *counts);

/* How n elements of `bytes` are shared out in one launch without order between its parts: elements of a part. */
size_t mw_prim_each(const struct mw_prim *prim, size_t n, size_t bytes);
static inline size_t mw_prim_parts(size_t n, size_t each) { return each ? (n + each - 1) / each : 0; }

/* A launch over n elements without order between them: the set, the range of its parts, and the elements of a part. */
struct mw_prim_run { const struct mw_kernel_set *set; struct mw_range range; int64_t n, each; };
int mw_prim_run(struct mw_prim *prim, const struct mw_prim_program *program, size_t n, size_t bytes,
                struct mw_prim_run *run);

#endif
/* SPDX-License-Identifier: MIT */

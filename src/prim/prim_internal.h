/* The primitives: what their files, components.c and the tests share. */
#ifndef MW_PRIM_INTERNAL_H
#define MW_PRIM_INTERNAL_H

#include <meshwork/prim.h>

#include "base/base.h"

/* Programs: a file of cl/prim with defines.  Those of one file stand in the order of types that they name. */
enum mw_prim_program {
    MW_PRIM_REDUCE_I32, MW_PRIM_REDUCE_U32, MW_PRIM_REDUCE_I64, MW_PRIM_REDUCE_U64, MW_PRIM_REDUCE_F32,
    MW_PRIM_REDUCE_F64,
    MW_PRIM_SCAN_U32, MW_PRIM_SCAN_U64,
    MW_PRIM_SELECT,
    MW_PRIM_HISTOGRAM,
    MW_PRIM_SORT_U32, MW_PRIM_SORT_U64, MW_PRIM_SORT_U32_WIDE, MW_PRIM_SORT_U64_WIDE, /* wide: counts of 64 bits */
    MW_PRIM_COMPONENTS_I32, MW_PRIM_COMPONENTS_I64,
    MW_PRIM_NUMBER_32, MW_PRIM_NUMBER_32_64, MW_PRIM_NUMBER_64, /* roots, then labels where those are wider */
    MW_PRIM_PROGRAMS
};

/* Memory that calls use, by what it holds. */
enum mw_prim_scratch { MW_PRIM_PARTS, MW_PRIM_CARRY, MW_PRIM_COUNTS, MW_PRIM_KEYS, MW_PRIM_VALUES, MW_PRIM_NUMBERS,
                       MW_PRIM_CHUNKS, MW_PRIM_SCRATCHES };

#define MW_PRIM_KERNELS_MAX 12

struct mw_prim {
    struct mw_device *device;
    bool cores;                  /* the form of the kernels: see cl/prim/groups.clh */
    size_t units;
    size_t group;                /* items of a group; 1 of cores */
    bool wide;                   /* sorts count in 64 bits, however few keys there are: for tests */
    struct mw_prim_built {
        struct mw_program *program;
        size_t group;            /* that it is built for */
        struct mw_kernel *kernels[MW_PRIM_KERNELS_MAX];
    } built[MW_PRIM_PROGRAMS];
    struct mw_buffer *scratch[MW_PRIM_SCRATCHES];
};

/* The same as mw_prim_new, in the form that the caller chooses; groups of at most `group` items.  For tests: native
 * devices have the form for cores only. */
int mw_prim_new_form(struct mw_device *device, bool cores, size_t group, struct mw_prim **prim);

/* Makes a program and its kernels, where that has not been done; `group`, which may be NULL: items of its groups. */
int mw_prim_build(struct mw_prim *prim, enum mw_prim_program program, size_t *group);
/* Queues kernel `kernel` (a number in the program's list) for so many parts. */
int mw_prim_launch(struct mw_prim *prim, enum mw_prim_program program, unsigned kernel, size_t parts,
                   const struct mw_arg *args, size_t arg_count);
/* The scratch memory of a kind, with room for `count` things of `bytes`; owned by the primitives.  What was in it is
 * lost where it grows. */
int mw_prim_room(struct mw_prim *prim, enum mw_prim_scratch kind, size_t count, size_t bytes,
                 struct mw_buffer **buffer);
/* MW_EINVAL where a buffer holds fewer than n things of `bytes`; `call` and `what` name it. */
int mw_prim_check(const struct mw_prim *prim, const char *call, const char *what, const struct mw_buffer *buffer,
                  size_t n, size_t bytes);

/* How n elements of `bytes` are shared out in one launch without order between its parts: elements of a part. */
size_t mw_prim_each(const struct mw_prim *prim, size_t n, size_t bytes);
static inline size_t mw_prim_parts(size_t n, size_t each) { return each ? (n + each - 1) / each : 0; }

/* Places of kernels in their programs' lists; those of reduce stand by enum mw_reduction. */
enum { MW_SCAN_SUMS, MW_SCAN_PARTS, MW_SCAN_ALONE };
enum { MW_SELECT_COUNT, MW_SELECT_WRITE };
enum { MW_HISTOGRAM_PARTS, MW_HISTOGRAM_SHARED, MW_HISTOGRAM_JOIN };
enum { MW_SORT_COUNT, MW_SORT_SCATTER };
enum { MW_COMPONENTS_KEYS, MW_COMPONENTS_PLACES, MW_COMPONENTS_FIRST, MW_COMPONENTS_SIZE_KEYS, MW_COMPONENTS_MARK_RUNS,
       MW_COMPONENTS_MEASURE_RUNS, MW_COMPONENTS_MARK_SIZES, MW_COMPONENTS_GATHER, MW_COMPONENTS_NUMBER,
       MW_COMPONENTS_RELABEL, MW_COMPONENTS_LABELS };
enum { MW_NUMBER_COUNT, MW_NUMBER_ASSIGN, MW_NUMBER_WRITE };

/* Elements of a tile of the kernels' form for groups: EACH of the .cl files. */
#define MW_SCAN_EACH 8
#define MW_SELECT_EACH 16
#define MW_SORT_EACH 8
#define MW_NUMBER_EACH 8         /* PER_ITEM of cl/components/number.cl */
#define MW_REDUCE_BLOCK 4096     /* BLOCK of cl/prim/reduce.clh */
#define MW_HISTOGRAM_LOCAL 4096  /* LOCAL_BINS of cl/prim/histogram.cl */
#define MW_SORT_DIGITS 256

/* Tables of the native forms: native-*.c. */
extern const struct mw_native_kernel mw_native_reduce_i32[], mw_native_reduce_u32[], mw_native_reduce_i64[],
    mw_native_reduce_u64[], mw_native_reduce_f32[], mw_native_reduce_f64[], mw_native_scan_u32[], mw_native_scan_u64[],
    mw_native_select[], mw_native_histogram[], mw_native_sort_u32[], mw_native_sort_u64[],
    mw_native_components_i32[], mw_native_components_i64[], mw_native_number_32[], mw_native_number_32_64[],
    mw_native_number_64[];

#endif

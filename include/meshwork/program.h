/* Programs and kernels: from a .cl file to a launch.
 *
 * Threads: programs and kernels belong to their device's thread (device.h).  mw_cache_stats, mw_cache_clear and
 * mw_native_check can be called from any. */
#ifndef MESHWORK_PROGRAM_H
#define MESHWORK_PROGRAM_H

#include <meshwork/device.h>
#include <meshwork/image.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

/* Types of kernel arguments. */
enum mw_arg_type {
    MW_ARG_BUFFER,
    MW_ARG_I32,
    MW_ARG_U32,
    MW_ARG_I64,
    MW_ARG_U64,
    MW_ARG_F32,
    MW_ARG_F64,
    MW_ARG_STRUCT,
    MW_ARG_IMAGE
};
/* An argument of a kernel, made by mw_arg_buffer and the functions after it. */
struct mw_arg { /* a fixed value */
    enum mw_arg_type type;
    union {
        struct mw_buffer *buffer; /* NULL is a null pointer on the device */
        struct mw_image *image;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
        const void *data; /* MW_ARG_STRUCT: read during the call only */
    } as;
    size_t bytes; /* size of a number or struct; 0 for buffers and images */
};

/* Makes a kernel argument of a buffer; NULL is a null pointer on the device. */
static inline struct mw_arg mw_arg_buffer(struct mw_buffer *b)
{
    struct mw_arg a = { MW_ARG_BUFFER, { 0 }, 0 };
    a.as.buffer = b;
    return a;
}
/* Makes a kernel argument of an image. */
static inline struct mw_arg mw_arg_image(struct mw_image *i)
{
    struct mw_arg a = { MW_ARG_IMAGE, { 0 }, 0 };
    a.as.image = i;
    return a;
}
/* Makes a kernel argument of type i32 or int. */
static inline struct mw_arg mw_arg_i32(int32_t v)
{
    struct mw_arg a = { MW_ARG_I32, { 0 }, 4 };
    a.as.i32 = v;
    return a;
}
/* Makes a kernel argument of type u32 or uint. */
static inline struct mw_arg mw_arg_u32(uint32_t v)
{
    struct mw_arg a = { MW_ARG_U32, { 0 }, 4 };
    a.as.u32 = v;
    return a;
}
/* Makes a kernel argument of type i64 or long. */
static inline struct mw_arg mw_arg_i64(int64_t v)
{
    struct mw_arg a = { MW_ARG_I64, { 0 }, 8 };
    a.as.i64 = v;
    return a;
}
/* Makes a kernel argument of type u64 or ulong. */
static inline struct mw_arg mw_arg_u64(uint64_t v)
{
    struct mw_arg a = { MW_ARG_U64, { 0 }, 8 };
    a.as.u64 = v;
    return a;
}
/* Makes a kernel argument of type float. */
static inline struct mw_arg mw_arg_f32(float v)
{
    struct mw_arg a = { MW_ARG_F32, { 0 }, 4 };
    a.as.f32 = v;
    return a;
}
/* Makes a kernel argument of type double. */
static inline struct mw_arg mw_arg_f64(double v)
{
    struct mw_arg a = { MW_ARG_F64, { 0 }, 8 };
    a.as.f64 = v;
    return a;
}
/* Makes a kernel argument of a struct by value, laid out as the kernel declares it; *data is read during mw_launch. */
static inline struct mw_arg mw_arg_struct(const void *data, size_t bytes)
{
    struct mw_arg a = { MW_ARG_STRUCT, { 0 }, 0 };
    a.as.data = data;
    a.bytes = bytes;
    return a;
}

/* A range of work-items.  `global` need not be a multiple of `group`: the launch rounds it up, and every kernel
 * returns at once for items beyond its data.  A group of zeros is chosen by rule from the device and the kernel. */
struct mw_range {  /* a fixed value */
    unsigned dims; /* 1 to 3 */
    size_t global[3];
    size_t group[3];
};

/* Arguments of a call of a native kernel: a share [begin, end) of the last dimension of the range. cl/native.clh
 * declares the same for code that is compiled at run time, with helpers for arguments. */
struct mw_native_call {   /* a fixed value */
    void *const *args;    /* where the value of each argument is; of a buffer: its memory (NULL of a null buffer) */
    const size_t *global; /* items of the range in three dimensions; missing dimensions are 1 */
    size_t begin, end;
    unsigned dims;   /* the range's */
    unsigned worker; /* below the device's number of threads; two concurrent calls never share one */
};
/* The native form of a kernel: threads call it with shares that contain every position exactly once. */
typedef void mw_native_fn(const struct mw_native_call *call);
/* A parameter of a native kernel. The first element of an array is not a parameter: its `bytes` are the number that
 * follow. */
struct mw_native_parameter { /* a fixed value */
    unsigned type;           /* enum mw_arg_type */
    unsigned bytes;          /* size of a value; 0 for a buffer */
};
/* A kernel that was compiled as C. */
struct mw_native_kernel { /* a fixed value */
    const char *name;     /* the kernel's name in the .cl file */
    mw_native_fn *run;
    const struct mw_native_parameter *parameters; /* element 0 has their number in `bytes` */
};

/* Text that replaces an included file: `#include "NAME"` searches here before any folder. */
struct mw_source_text { /* a fixed value */
    const char *name;
    const char *text;
    const char *path; /* its name in compiler messages; NULL: the name */
};

/* Source of a program. All pointers are read during the call only, except `native`, which must live as long as the
 * program. */
struct mw_source {
    size_t size; /* sizeof the struct: see status.h */
    /* Name below the kernel folder, "field/update.cl", or a path that begins with "/", "./" or "../".  Files that such
     * a path's file includes are looked up in its folder first, then in the kernel folder. */
    const char *file;
    const char *defines; /* lines put before it, usually #define; NULL: none */
    const struct mw_source_text *texts;
    size_t text_count;
    bool fp64;                             /* uses double precision: refused before the build if the device lacks it */
    bool fast_math;                        /* compiler may change results: bits are not reproducible */
    const struct mw_native_kernel *native; /* the same kernels compiled as C, ended by a NULL name; NULL: none */
    /* Without `native`: the file below the kernel folder that native devices compile by the system's C compiler, with
     * the same defines and texts. It is a .cl file, mostly `file` itself, to whose kernels the library adds wrappers;
     * or a C file that includes "native.clh" and defines the table mw_kernels. NULL: `file` itself if it is given by
     * its path or is one of `texts`; otherwise there is no native form. */
    const char *native_file;
};

/* A built program: the kernels of one file on one device. */
struct mw_program;
/* A kernel of a program. */
struct mw_kernel;

/* Builds a program, or takes it from the cache of built programs.  With a cold cache this takes up to seconds, and is
 * announced as "compiling (first run)" through the log.  Native devices use the compiler of $MESHWORK_CC, otherwise cc,
 * gcc or clang; they need none if `native` is given.  Programs of one text share the loaded code.  The latest 64 texts
 * stay loaded until their device (natively: any) is closed, so that making a freed program again takes well below a
 * millisecond.  Errors: MW_EBUILD (the message has the first error with the name and line of its own file, also for an
 * #include that is not found; mw_build_log has the whole log), MW_EIO (kernel file not found: the message lists where
 * it was looked for), MW_ENOTSUP (fp64; no native form; no C compiler for it). */
MW_API int mw_program_new(struct mw_device *device, const struct mw_source *source, struct mw_program **program);
/* Frees a program. Its kernels must have been freed before. */
MW_API void mw_program_free(struct mw_program *program);
/* Returns the seconds that this process has spent on building programs, or loading them from the cache. Subtract them
 * when timing calls that build programs. */
MW_API double mw_build_seconds(void);
/* Returns the complete compiler log of this thread's last failed build; "" without one. */
MW_API const char *mw_build_log(void);
/* Returns a hash of the flattened source and the options of a program, which identifies it in tuning tables. */
MW_API uint64_t mw_program_hash(const struct mw_program *program);

/* Size of the cache of built programs on disk. */
struct mw_cache_stats {
    size_t size; /* sizeof the struct: see status.h */
    size_t entries;
    uint64_t bytes;
};
/* Computes the size of the cache of built programs, below mw_cache_folder.  Errors: MW_EIO (no usable cache folder). */
MW_API int mw_cache_stats(struct mw_cache_stats *stats);
/* Removes all entries of the cache of built programs, and PoCL's files there, after waiting for processes that use
 * them.  Errors: MW_EIO (no usable cache folder). */
MW_API int mw_cache_clear(void);
/* PoCL's files in a folder, which is $POCL_CACHE_DIR, or "pocl" in the folder of caches. A file is damaged if it is a
 * truncated library or bitcode. */
struct mw_kept_stats {
    size_t size; /* sizeof the struct: see status.h */
    size_t files, damaged;
    uint64_t bytes;
    char first[512]; /* path of the first damaged file; cut to fit */
};
/* Counts PoCL's files in a folder, and checks them for damage. A missing folder has none.  Errors: MW_ENOMEM. */
MW_API int mw_kept_look(const char *folder, struct mw_kept_stats *stats);
/* Tests the C compiler that native devices use for programs that were not built in. Writes "PATH: VERSION" to
 * `compiler`, at most `size` bytes. Errors:
 * MW_ENOTSUP, MW_EBUILD, MW_EIO: it is missing or does not work; the message has the remedy. */
MW_API int mw_native_check(char *compiler, size_t size);

/* Limits of a built kernel, used to choose a work-group. */
struct mw_kernel_limits {
    size_t size;            /* sizeof the struct: see status.h */
    size_t max_group;       /* items */
    size_t group_multiple;  /* preferred multiple (warp, wavefront, SIMD width) */
    uint64_t local_bytes;   /* per group, static */
    uint64_t private_bytes; /* per item */
    /* resident_groups[i]: number of groups of min(2^i, max_group) items that a compute unit runs at once. 0: unknown,
     * or max_group is at most 2^(i - 1). */
    unsigned resident_groups[11];
};

/* Makes a kernel of a program by its name in the .cl file. Errors: MW_EINVAL (no such kernel). */
MW_API int mw_kernel_new(struct mw_program *program, const char *name, struct mw_kernel **kernel);
MW_API void mw_kernel_free(struct mw_kernel *kernel);
/* Writes the limits of a kernel. Errors: MW_EINVAL (the size of the struct). */
MW_API int mw_kernel_limits(const struct mw_kernel *kernel, struct mw_kernel_limits *limits);

/* Queues a launch; does not wait (`done` may be NULL: no event). An empty range is legal and does nothing. Devices may
 * begin only at the next other call on them, such as mw_device_flush.
 *
 * The arguments match the kernel's prototype on every device: buffers for pointers, images for images, numbers of its
 * types (mw_arg_u32 for a u32 or a uint) and structs of its sizes. mw_arg_struct may be any value of that many bytes. A
 * pointer to local memory has no argument. The checks before the launch depend on the device:
 *   - native devices check all of it;
 *   - OpenCL devices check the number of arguments, and the types that the driver reports by name: buffers, images, and
 *     numbers by OpenCL C's words and the prelude's (u32, real).  Sizes of structs, and of `real`, are left to the
 *     driver.  If it reports no types, as it may for programs from the cache, only the number is checked.  Some drivers
 *     refuse a wrong size, and others, such as PoCL 3.1, read past it;
 *   - CUDA devices check the number of arguments and their bytes.  They do not distinguish numbers of one size, nor
 *     numbers of 8 bytes, buffers and images.  Drivers before CUDA 12.4 report neither, and nothing is checked.
 * A wrong argument that passes is reinterpreted, and a wrong pointer may crash the device.
 * Errors: MW_EINVAL (argument count or type), MW_ELIMIT (a work-group or local memory beyond the device),
 * MW_EDEVICE. */
MW_API int mw_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args,
                     size_t arg_count, struct mw_event **done);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

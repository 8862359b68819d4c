/* Programs and kernels: from a .cl file to a launch.
 *
 * Threads: programs and kernels belong to their device's thread (device.h).  Any thread may call mw_cache_stats,
 * mw_cache_clear and mw_native_check. */
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
    MW_ARG_STRUCT, /* a struct by value */
    MW_ARG_IMAGE
};
/* An argument of a kernel, made by mw_arg_buffer, mw_arg_image, mw_arg_i32 and so on. */
struct mw_arg { /* a fixed value */
    enum mw_arg_type type;
    union {                       /* the member for `type` */
        struct mw_buffer *buffer; /* NULL is a null pointer on the device */
        struct mw_image *image;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
        const void *data; /* for MW_ARG_STRUCT: the struct, which mw_launch copies */
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
/* Makes a kernel argument of a struct by value.  `data` points to `bytes` bytes in the layout of the kernel's struct;
 * mw_launch copies them. */
static inline struct mw_arg mw_arg_struct(const void *data, size_t bytes)
{
    struct mw_arg a = { MW_ARG_STRUCT, { 0 }, 0 };
    a.as.data = data;
    a.bytes = bytes;
    return a;
}

/* The work-items of a launch. */
struct mw_range {     /* a fixed value */
    unsigned dims;    /* number of dimensions, 1 to 3 */
    size_t global[3]; /* work-items per dimension; rounded up to a multiple of `group`, so kernels must return at once
                       * for work-items beyond their data */
    size_t group[3];  /* work-items of a work-group per dimension; all 0: chosen from the limits of device and kernel */
};

/* Arguments of a call of a native kernel: positions begin to end - 1 of the last dimension of the range.  cl/native.clh
 * declares the same struct for code that is compiled at run time, and helpers for arguments. */
struct mw_native_call {   /* a fixed value */
    void *const *args;    /* args[i] points to the value of argument i; for a buffer: to its memory, or NULL */
    const size_t *global; /* work-items of the range in three dimensions; missing dimensions are 1 */
    size_t begin, end;    /* first position, and the position after the last one */
    unsigned dims;        /* number of dimensions of the range */
    unsigned worker;      /* below the number of threads of the device; concurrent calls have different ones */
};
/* The native form of a kernel.  Threads call it with intervals that together contain each position once. */
typedef void mw_native_fn(const struct mw_native_call *call);
/* A parameter of a native kernel.  Element 0 of an array is no parameter: its `bytes` is the number of parameters that
 * follow. */
struct mw_native_parameter { /* a fixed value */
    unsigned type;           /* enum mw_arg_type */
    unsigned bytes;          /* size of a value; 0 for a buffer */
};
/* A kernel that was compiled as C. */
struct mw_native_kernel { /* a fixed value */
    const char *name;     /* the kernel's name in the .cl file */
    mw_native_fn *run;
    const struct mw_native_parameter *parameters; /* element 0 has the number of parameters in `bytes` */
};

/* A text in place of an included file: `#include "NAME"` takes it before any file of that name. */
struct mw_source_text { /* a fixed value */
    const char *name;   /* NAME of the #include */
    const char *text;
    const char *path; /* path in compiler messages; NULL: `name` */
};

/* Source of a program.  Pointers are read during mw_program_new only, except `native`, which must stay valid as long as
 * the program. */
struct mw_source {
    size_t size; /* sizeof the struct: see status.h */
    /* The .cl file: a name in the kernel folder, such as "field/update.cl", or a path that begins with "/", "./" or
     * "../".  The #include lines of a file with a path search the file's folder first, then the kernel folder. */
    const char *file;
    const char *defines;                   /* lines inserted before the file, usually #define; NULL: none */
    const struct mw_source_text *texts;    /* texts in place of included files; may be NULL if text_count is 0 */
    size_t text_count;                     /* number of elements of `texts` */
    bool fp64;                             /* uses double precision; MW_ENOTSUP if the device lacks it */
    bool fast_math;                        /* allows the compiler to change results: bits are not reproducible */
    const struct mw_native_kernel *native; /* the kernels compiled as C; the last element has name NULL; NULL: none */
    /* If `native` is NULL: the file in the kernel folder that native devices compile by the system's C compiler, with
     * the same defines and texts.  It is one of:
     *   - a .cl file, usually the same as `file`; the library adds wrappers to its kernels.
     *   - a C file that includes "native.clh" and defines the table mw_kernels.
     *   - NULL: `file` itself, if it is a path or one of `texts`; otherwise native devices cannot run the program. */
    const char *native_file;
};

/* A built program: the kernels of one file on one device. */
struct mw_program;
/* A kernel of a program. */
struct mw_kernel;

/* Builds a program, or loads it from the cache of built programs.  Native devices compile by $MESHWORK_CC, otherwise by
 * cc, gcc or clang; they need no compiler if `native` is given.
 * Errors:
 *   - MW_EBUILD: a compiler error, or an #include that is not found.  The message has the first error with its file and
 *     line; mw_build_log returns the whole log.
 *   - MW_EIO: the kernel file was not found; the message lists the folders.
 *   - MW_ENOTSUP: no double precision on this device; no native form; no C compiler.
 * Cost: up to seconds for a program that is not in the cache; a message of MW_LOG_WAIT announces this.  The last 64
 * programs stay loaded after they are freed, until a device is closed.  Making one of these again takes well below a
 * millisecond. */
MW_API int mw_program_new(struct mw_device *device, const struct mw_source *source, struct mw_program **program);
/* Frees a program. Its kernels must have been freed before. */
MW_API void mw_program_free(struct mw_program *program);
/* Returns the seconds that this process has spent on building programs, or on loading them from the cache.  To time a
 * call that builds programs, subtract the increase. */
MW_API double mw_build_seconds(void);
/* Returns the complete compiler log of this thread's last failed build; "" if no build has failed. */
MW_API const char *mw_build_log(void);
/* Returns a hash of a program: of its source with all included files, and of its options.  mw_tune_get uses it. */
MW_API uint64_t mw_program_hash(const struct mw_program *program);

/* Size of the cache of built programs on disk. */
struct mw_cache_stats {
    size_t size;    /* sizeof the struct: see status.h */
    size_t entries; /* number of programs */
    uint64_t bytes; /* size of their files */
};
/* Computes the size of the cache of built programs, below mw_cache_folder.  Errors: MW_EIO (no usable cache folder). */
MW_API int mw_cache_stats(struct mw_cache_stats *stats);
/* Removes all entries of the cache of built programs, and PoCL's files in the cache folder.  Waits for processes that
 * use them.  Errors: MW_EIO (no usable cache folder). */
MW_API int mw_cache_clear(void);
/* Result of mw_kept_look: the files in the cache of PoCL, an OpenCL driver for CPUs. */
struct mw_kept_stats {
    size_t size; /* sizeof the struct: see status.h */
    /* Number of files, and of truncated libraries and truncated LLVM bitcode among them. */
    size_t files, damaged;
    uint64_t bytes;  /* size of all files */
    char first[512]; /* path of the first damaged file, truncated to fit; "" if none is damaged */
};
/* Counts PoCL's files in a folder, and checks them for damage.  The folder is usually $POCL_CACHE_DIR, or the folder
 * "pocl" in the cache folder.  A missing folder counts as empty.  Errors: MW_ENOMEM. */
MW_API int mw_kept_look(const char *folder, struct mw_kept_stats *stats);
/* Tests the C compiler that native devices use at run time.  Writes "PATH: VERSION" to `compiler`, which has `size`
 * bytes.  Errors: MW_ENOTSUP, MW_EBUILD, MW_EIO (the compiler is missing or does not work; the message has the
 * remedy). */
MW_API int mw_native_check(char *compiler, size_t size);

/* Limits of a built kernel, from which a work-group is chosen. */
struct mw_kernel_limits {
    size_t size;            /* sizeof the struct: see status.h */
    size_t max_group;       /* maximum number of work-items of a work-group */
    size_t group_multiple;  /* preferred multiple of work-items: warp, wavefront or SIMD width */
    uint64_t local_bytes;   /* local memory per work-group that the kernel declares */
    uint64_t private_bytes; /* private memory per work-item */
    /* resident_groups[i]: number of work-groups of min(2^i, max_group) work-items that a compute unit runs at once.
     * 0: unknown, or max_group is at most 2^(i - 1). */
    unsigned resident_groups[11];
};

/* Makes a kernel of a program by its name in the .cl file. Errors: MW_EINVAL (no such kernel). */
MW_API int mw_kernel_new(struct mw_program *program, const char *name, struct mw_kernel **kernel);
MW_API void mw_kernel_free(struct mw_kernel *kernel);
/* Writes the limits of a kernel to *limits.  Errors: MW_EINVAL (the `size` of *limits). */
MW_API int mw_kernel_limits(const struct mw_kernel *kernel, struct mw_kernel_limits *limits);

/* Queues a launch; does not wait.
 *   - range: the work-items; an empty range does nothing.
 *   - args: the arguments, which must match the kernel's prototype: buffers for pointers, images, numbers of the same
 *     type (mw_arg_u32 for u32 or uint), structs of the same size.  mw_arg_struct also passes other values of its size.
 *     Kernels declare local memory themselves, so no argument is a pointer to it.
 *   - done: receives an event for the end of the launch; NULL: no event.
 * A device may begin only at the next call on it, such as mw_device_flush.
 *
 * The checks of arguments depend on the device.  A wrong argument that is not detected is reinterpreted; a wrong
 * pointer may crash the device.
 *   - Native devices check number, types and sizes.
 *   - OpenCL devices check the number, and the types of buffers, images and numbers if the driver reports them.  It may
 *     report none for programs from the cache.  The driver checks sizes of structs and of `real`: some drivers reject
 *     a wrong size, others, such as PoCL 3.1, read beyond the argument.
 *   - CUDA devices check the number and the sizes, but nothing with drivers before CUDA 12.4.
 * Errors: MW_EINVAL (number or type of arguments, range), MW_ELIMIT (the work-group or the local memory exceeds the
 * device's), MW_EDEVICE. */
MW_API int mw_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args,
                     size_t arg_count, struct mw_event **done);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

/* Programs and kernels: builds a program from a .cl file, and launches its kernels.
 *
 * Threads: only the thread that uses a device may use its programs and kernels (device.h).  Any thread may call
 * mw_build_seconds, mw_cache_stats, mw_cache_clear, mw_kept_look and mw_native_check. */
#ifndef MESHWORK_PROGRAM_H
#define MESHWORK_PROGRAM_H

#include <meshwork/device.h>
#include <meshwork/image.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

/* Selects the type of a kernel argument. */
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
/* Holds an argument for mw_launch, with its type.  mw_arg_buffer, mw_arg_image, mw_arg_i32 and so on make it. */
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

/* States how many work-items a launch has, and the size of their work-groups. */
struct mw_range {  /* a fixed value */
    unsigned dims; /* number of dimensions, 1 to 3 */
    /* Work-items per dimension.  OpenCL and CUDA devices round them up to a multiple of `group`, so kernels must return
     * at once for work-items beyond their data. */
    size_t global[3];
    size_t group[3]; /* work-items of a work-group per dimension; all 0: chosen by mw_group_by_rule (tune.h) */
};

/* Passes a native kernel its arguments and its part of a launch: the work-items at positions begin to end - 1 of the
 * last dimension.  cl/native.clh declares the same struct for code that is compiled at run time, and helpers for
 * arguments. */
struct mw_native_call {   /* a fixed value */
    void *const *args;    /* args[i] points to the value of argument i; for a buffer: to its memory, or NULL */
    const size_t *global; /* work-items of the range in three dimensions; missing dimensions are 1 */
    size_t begin, end;    /* first position, and the position after the last one */
    unsigned dims;        /* number of dimensions of the range */
    unsigned worker;      /* number of the calling thread, from 0; concurrent calls have different ones */
};
/* The native form of a kernel.  Each call runs the work-items at positions call->begin to call->end - 1 of the last
 * dimension.  The calls of one launch, by one or more threads, cover each position once. */
typedef void mw_native_fn(const struct mw_native_call *call);
/* Describes a parameter of a native kernel, so that mw_launch can check arguments.  Element 0 of an array of these is
 * no parameter: its `bytes` is the number of parameters that follow. */
struct mw_native_parameter { /* a fixed value */
    unsigned type;           /* enum mw_arg_type */
    unsigned bytes;          /* size of a value; 0 for a buffer */
};
/* Describes a kernel that was compiled as C together with the program that uses it. */
struct mw_native_kernel {                         /* a fixed value */
    const char *name;                             /* the kernel's name in the .cl file */
    mw_native_fn *run;                            /* its native form */
    const struct mw_native_parameter *parameters; /* element 0 has the number of parameters in `bytes` */
};

/* Holds a text that replaces an included file: `#include "NAME"` includes the text, even if there is a file NAME. */
struct mw_source_text { /* a fixed value */
    const char *name;   /* NAME of the #include */
    const char *text;   /* the text, as in a file */
    const char *path;   /* path in compiler messages; NULL: `name` */
};

/* Argument of mw_program_new: the source of a program, and how to compile it.  What the pointers refer to is read
 * during the call only, except `native`, which must stay valid as long as the program. */
struct mw_source {
    size_t size; /* sizeof the struct: see status.h */
    /* The .cl file: a name in the kernel folder, such as "field/update.cl", or a path that begins with "/", "./" or
     * "../".  The #include lines of a file with a path search the file's folder first, then the kernel folder. */
    const char *file;
    const char *defines;                   /* lines inserted before the file, usually #define; NULL: none */
    const struct mw_source_text *texts;    /* texts in place of included files; may be NULL if text_count is 0 */
    size_t text_count;                     /* number of elements of `texts` */
    bool fp64;                             /* the program uses double precision */
    bool fast_math;                        /* the compiler may use faster arithmetic with less accurate results */
    const struct mw_native_kernel *native; /* the kernels compiled as C; the last element has name NULL; NULL: none */
    /* File in the kernel folder that native devices compile by the system's C compiler, with the same defines and
     * texts.  It is ignored if `native` is not NULL.  It is one of:
     *   - a .cl file, usually the same as `file`; the library adds wrappers to its kernels.
     *   - a C file that includes "native.clh" and defines the table mw_kernels.
     *   - NULL: `file` itself, if it is a path or one of `texts`; otherwise native devices cannot run the program. */
    const char *native_file;
};

/* Handle of a built program: the compiled kernels of one file for one device. */
struct mw_program;
/* Handle of one kernel of a program, to be launched. */
struct mw_kernel;

/* Builds a program, or loads it from the cache of built programs on disk.  The caller frees it by mw_program_free.
 * Native devices compile by $MESHWORK_CC, otherwise by cc, gcc or clang.  If `native` of the source is given, they
 * compile nothing.
 * Errors:
 *   - MW_EBUILD: a compiler error, or an #include that is not found.  The message has the first error with its file and
 *     line; mw_build_log returns the whole log.
 *   - MW_EIO: the kernel file was not found; the message names the folder.
 *   - MW_ENOTSUP: the device has no double precision; the program has no native form; there is no C compiler.
 *   - MW_EINVAL: `file` of the source is NULL.
 * Cost: often seconds for a program that is not in the cache on disk.  A message of MW_LOG_WAIT announces a build.  The
 * 64 programs that were freed last stay in memory until their device is closed, and are made again without a build. */
MW_API int mw_program_new(struct mw_device *device, const struct mw_source *source, struct mw_program **program);
/* Frees a program; NULL is allowed. Its kernels must have been freed before. */
MW_API void mw_program_free(struct mw_program *program);
/* Returns the seconds that this process has spent on building programs and on loading them from the cache, in all
 * threads.  A program that times other work calls it before and after, and subtracts the difference. */
MW_API double mw_build_seconds(void);
/* Returns the complete compiler log of this thread's last failed build; "" if no build has failed.  It is owned by the
 * library, and valid until this thread's next failed build. */
MW_API const char *mw_build_log(void);
/* Returns a hash of a program's source with all included files and of its compiler options, for mw_tune_get.  If
 * `native` was given, native devices hash the library's version, the file's name, the defines and the texts instead. */
MW_API uint64_t mw_program_hash(const struct mw_program *program);

/* Result of mw_cache_stats: the size of the cache of built programs on disk. */
struct mw_cache_stats {
    size_t size;    /* sizeof the struct: see status.h */
    size_t entries; /* number of programs */
    uint64_t bytes; /* size of the files of these programs */
};
/* Computes the size of the cache of built programs, which is in the cache folder (mw_cache_folder).  Errors: MW_EIO (no
 * usable cache folder), MW_ENOMEM. */
MW_API int mw_cache_stats(struct mw_cache_stats *stats);
/* Removes from the cache folder all built programs, PoCL's files, and the records of working OpenCL drivers.  Stored
 * shapes remain (mw_tune_clear).  It waits while other processes build programs.  Errors: MW_EIO (no usable cache
 * folder, or a file cannot be removed), MW_ENOMEM. */
MW_API int mw_cache_clear(void);
/* Result of mw_kept_look: number, size and damage of files in the cache of PoCL, an OpenCL driver for CPUs. */
struct mw_kept_stats {
    size_t size; /* sizeof the struct: see status.h */
    /* files: number of files
     * damaged: number of damaged files among these: incomplete libraries (.so) and LLVM bitcode (.bc) */
    size_t files, damaged;
    uint64_t bytes;  /* size of all files */
    char first[512]; /* path of the first damaged file, truncated to fit; "" if none is damaged */
};
/* Counts PoCL's files in a folder, and tests whether they are damaged; changes nothing.  `folder` is usually
 * $POCL_CACHE_DIR, or the subfolder "pocl" of the cache folder.  A missing folder counts as empty.  Errors: MW_EINVAL
 * (the `size` of *stats), MW_ENOMEM. */
MW_API int mw_kept_look(const char *folder, struct mw_kept_stats *stats);
/* Tests the C compiler that native devices use at run time, by building a small program.
 *   - compiler: receives "PATH: VERSION", truncated to fit.
 *   - size: number of bytes of `compiler`.
 * Errors: MW_ENOTSUP (there is no compiler), MW_EBUILD (the compiler does not work), MW_EIO (no temporary folder or
 * process), MW_EINVAL (invalid $MESHWORK_CC).  The message contains the remedy. */
MW_API int mw_native_check(char *compiler, size_t size);

/* Result of mw_kernel_limits: the limits of a built kernel, from which a work-group is chosen. */
struct mw_kernel_limits {
    size_t size;            /* sizeof the struct: see status.h */
    size_t max_group;       /* maximum number of work-items of a work-group */
    size_t group_multiple;  /* a work-group should be a multiple of so many work-items: the sub-group (warp) */
    uint64_t local_bytes;   /* local memory per work-group that the kernel declares */
    uint64_t private_bytes; /* private memory per work-item */
    /* resident_groups[i]: number of work-groups that a compute unit runs at once, if each has min(2^i, max_group)
     * work-items.  0: unknown, or 2^(i - 1) is already max_group or more. */
    unsigned resident_groups[11];
};

/* Finds a kernel of a program by its name in the .cl file, and makes a handle of it. The caller frees the handle by
 * mw_kernel_free, before it frees the program. Errors: MW_EINVAL (no such kernel), MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_kernel_new(struct mw_program *program, const char *name, struct mw_kernel **kernel);
/* Frees a kernel; NULL is allowed. Launches that are already queued still complete. */
MW_API void mw_kernel_free(struct mw_kernel *kernel);
/* Writes the limits of a kernel to *limits.  Errors: MW_EINVAL (the `size` of *limits). */
MW_API int mw_kernel_limits(const struct mw_kernel *kernel, struct mw_kernel_limits *limits);

/* Queues a launch of a kernel.  OpenCL and CUDA devices return before it is complete, except that PoCL may wait when it
 * launches a kernel for the first time.  Native devices run the launch during the call.
 *   - range: the work-items.  Without work-items, nothing is run.
 *   - args: the arguments, which must match the kernel's prototype.  A pointer takes mw_arg_buffer, an image
 *     mw_arg_image, and a number the function of its type, such as mw_arg_u32 for u32 or uint.  A struct or any other
 *     value takes mw_arg_struct of the same size.  Kernels declare local memory themselves, so it is no argument.
 *   - arg_count: number of arguments.
 *   - done: receives an event for the end of the launch; NULL: no event.
 * The device may not begin before mw_device_flush or another call that submits or waits for work.
 *
 * The checks of arguments depend on the device.  If a wrong argument is not detected, its bytes are taken as a value of
 * the expected type; a wrong pointer may crash the device.
 *   - Native devices check number, types and sizes.
 *   - OpenCL devices check the number.  They check the types of buffers, images and numbers if the driver reports them;
 *     for programs from the cache it may report none.  The driver checks the sizes of structs.  Some drivers reject a
 *     wrong size; others, such as PoCL 3.1, read beyond the argument.
 *   - CUDA devices check the number and the sizes; with drivers before CUDA 12.4 they check neither.
 * Errors: MW_EINVAL (wrong number or type of arguments, or an invalid range), MW_ELIMIT (the work-group or the local
 * memory is too large), MW_EDEVICE. */
MW_API int mw_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args,
                     size_t arg_count, struct mw_event **done);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

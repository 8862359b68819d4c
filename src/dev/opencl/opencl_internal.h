/* Common declarations of the OpenCL backend. Internal to this folder. */
#ifndef MW_OPENCL_INTERNAL_H
#define MW_OPENCL_INTERNAL_H

#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

#include "dev/core/backend.h"
#include "dev/core/registers.h"

/* A mw_device's impl. */
struct mw_cl_device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_command_queue second;         /* the second: NULL before it is needed; `queue` where one has to do */
    bool host_buffers;               /* the device works on the host's memory as it is: buffers are ours */
    unsigned next_turn;              /* for the next such buffer */
    char platform[256];              /* name and version: part of a cached program's key */
    const struct mw_unit_room *room; /* NULL: the compiler is not asked for registers (build.c) */
    char options[2][160];            /* where build_options lead */
};

/* A mw_code's impl. */
struct mw_cl_code {
    cl_program program;
    char *registers; /* see mw_registers_of; of a device that has a room */
};

/* error.c: fails with the meaning of an error code; `what` completes "... failed". */
int mw_cl_fail(const struct mw_device *device, cl_int error, const char *what);
/* The code's name and its meaning. */
const char *mw_cl_error_name(cl_int error);
const char *mw_cl_error_words(cl_int error);
bool mw_cl_error_is_known(cl_int error);
#define CL_TRY(device, call, what)                                                                                     \
    do {                                                                                                               \
        cl_int cl_try_error_ = (call);                                                                                 \
        if (cl_try_error_ != CL_SUCCESS) {                                                                             \
            rc = mw_cl_fail((device), cl_try_error_, (what));                                                          \
            goto out;                                                                                                  \
        }                                                                                                              \
    } while (0)

/* environment.c: what drivers find when they are first called, where the program has asked for it. */
void mw_cl_prepare_environment(void);
/* Makes a folder for temporary files by a pattern that ends in XXXXXX.  Errors: MW_EIO. */
int mw_cl_temporary_folder(const char *pattern, char **path);

/* $POCL_CACHE_DIR where it cannot be written to, with the reason; else NULL. */
const char *mw_cl_unwritable(const char **why);
/* For a device that is opened: looks through what PoCL keeps on disk, once.  Errors: MW_EIO. */
int mw_cl_check_kept(const struct mw_device *device);

/* trial.c: logs that the listing of drivers begins, or is over. */
void mw_cl_say_listing(bool begins);
/* Lists all devices, without those drivers that do not survive it, for each of which there is a note.  A child
 * process finds out, by listing them as well, unless the cache remembers. */
typedef int mw_cl_list_fn(const struct mw_backend *self, struct mw_device_list *list);
int mw_cl_list_tried(mw_cl_list_fn *list_all, const struct mw_backend *self, struct mw_device_list *list);

/* remember.c: which drivers there are: the folder of the files that name them, or such a file. */
#define MW_CL_VENDORS "OCL_ICD_VENDORS"
const char *mw_cl_vendors_folder(void);
bool mw_cl_is_driver_file(const char *name);
/* The cache folder's record of these drivers, in this environment. */
struct mw_cl_memory {
    char *path, *aside; /* path NULL: there is no cache */
    char words[17];
    bool is_aside;
};
void mw_cl_memory_find(struct mw_cl_memory *memory);
void mw_cl_memory_free(struct mw_cl_memory *memory);
/* Whether it is known which drivers are to be passed over, and which: lines "NAME<tab>WHY". */
bool mw_cl_memory_recall(const struct mw_cl_memory *memory, struct mw_text *lost);
void mw_cl_memory_keep(const struct mw_cl_memory *memory, const struct mw_text *lost);
/* While a process lists devices nothing is remembered: after one that a driver ends, or that is killed because a driver
 * hangs, the next process tries them again. */
void mw_cl_memory_put_aside(struct mw_cl_memory *memory);
void mw_cl_memory_put_back(const struct mw_cl_memory *memory);

/* text.c: a text that a driver gives, allocated; NULL where it does not.  Its control characters are replaced. */
char *mw_cl_device_text(cl_device_id device, cl_device_info what);
char *mw_cl_platform_text(cl_platform_id platform, cl_platform_info what);
bool mw_cl_has_extension(cl_device_id device, const char *wanted);

/* Functions of the table: see struct mw_backend. */

/* list.c */
int mw_cl_list(const struct mw_backend *self, struct mw_device_list *list);

/* device.c */
int mw_cl_open(struct mw_device *device, const void *handle);
void mw_cl_close(struct mw_device *device);
int mw_cl_device_of(void *queue, const void **handle);
int mw_cl_flush(struct mw_device *device);
int mw_cl_finish(struct mw_device *device);
int mw_cl_event_wait(struct mw_event *event);
int mw_cl_event_seconds(const struct mw_event *event, double *seconds);
void mw_cl_event_free(struct mw_event *event);

/* buffer.c */
int mw_cl_buffer_new(struct mw_buffer *buffer);
void mw_cl_buffer_free(struct mw_buffer *buffer);
int mw_cl_borrow(struct mw_buffer *buffer, void *memory, bool host);
int mw_cl_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event);
int mw_cl_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event);
int mw_cl_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
               struct mw_event *event);
int mw_cl_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value);
int mw_cl_map(struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory);
int mw_cl_unmap(struct mw_buffer *buffer, void *memory);
int mw_cl_staging_new(struct mw_staging *staging);
void mw_cl_staging_free(struct mw_staging *staging);

/* second_queue.c */
int mw_cl_second_after_first(struct mw_device *device);
int mw_cl_first_after_second(struct mw_device *device);
int mw_cl_swap_queues(struct mw_device *device);
int mw_cl_second_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event);
int mw_cl_second_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event);

/* image.c */
int mw_cl_image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes);
int mw_cl_image_new(struct mw_image *image);
void mw_cl_image_free(struct mw_image *image);
int mw_cl_image_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event);
int mw_cl_image_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event);

/* build.c */
int mw_cl_identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key);
int mw_cl_compile(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                  struct mw_binary *binary);
int mw_cl_load(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
               struct mw_code *code);
void mw_cl_unload(struct mw_code *code);

/* quiet.c: clBuildProgram.  Compilers in drivers write a count of errors to standard error ("1 error generated."), with
 * no option against it.  If the program has requested quiet, standard error is redirected during the build.  If a
 * driver then ends the program, its output is logged. */
cl_int mw_cl_build_quietly(const struct mw_device *device, const struct mw_build *build, cl_program program);
/* The device's driver may call abort() because of its files in that folder.  mw_cl_watch_signals is called before and
 * after each call that may read them, or that starts LLVM: then alone the receiver (mw_process_when_aborted) is called,
 * and the program gets its handler of SIGUSR1 back, which LLVM replaces by one that does nothing. */
void mw_cl_suspect(const struct mw_device *device, const char *folder, const char *remedy);
void mw_cl_watch_signals(bool begins);

/* kernel.c */
int mw_cl_kernel_new(struct mw_kernel *kernel);
void mw_cl_kernel_free(struct mw_kernel *kernel);
int mw_cl_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                 struct mw_event *event);

#endif
/* SPDX-License-Identifier: MIT */

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

/* State of an open OpenCL device: `impl` of struct mw_device. */
struct mw_cl_device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_command_queue second;         /* for concurrent transfers; NULL before the first; `queue` if no second works */
    bool host_buffers;               /* the device uses host memory in place: we allocate its buffers there */
    unsigned next_turn;              /* number of such buffers so far: `turn` of mw_host_memory_new */
    char platform[256];              /* name and version: part of a cached program's key */
    const struct mw_unit_room *room; /* of an NVIDIA GPU; NULL: build.c does not request register counts */
    char options[2][200];            /* storage of mw_device.build_options */
};

/* A loaded OpenCL program: `impl` of struct mw_code. */
struct mw_cl_code {
    cl_program program;
    char *registers; /* register counts per kernel, by mw_registers_read; NULL if the device has no `room` */
};

/* error.c: sets the message for an OpenCL error code ("WHAT failed: ...") and returns the matching status. */
int mw_cl_fail(const struct mw_device *device, cl_int error, const char *what);
/* Returns the name of an error code, such as "CL_OUT_OF_RESOURCES". */
const char *mw_cl_error_name(cl_int error);
/* Returns the meaning of an error code in words. */
const char *mw_cl_error_words(cl_int error);
/* Returns whether the table of error.c has this error code. */
bool mw_cl_error_is_known(cl_int error);
/* Returns 0, or for an error of OpenCL what mw_cl_fail returns. */
static inline int mw_cl_check(const struct mw_device *device, cl_int error, const char *what)
{
    return error == CL_SUCCESS ? 0 : mw_cl_fail(device, error, what);
}

/* environment.c: sets the variables of MW_PROCESS_ENVIRONMENT once, if the program has requested that. */
void mw_cl_prepare_environment(void);
/* Makes a folder in $TMPDIR or /tmp, named by a pattern that ends in XXXXXX. The caller frees *path.
 * Errors: MW_EIO, MW_ENOMEM. */
int mw_cl_temporary_folder(const char *pattern, char **path);

/* Returns $POCL_CACHE_DIR if that folder cannot be made or written to, with the reason in *why; otherwise NULL. */
const char *mw_cl_unwritable(const char **why);
/* Removes damaged files from PoCL's cache on disk, once per process, when a PoCL device is opened. Does nothing for
 * other drivers.  Errors: MW_EIO ($POCL_CACHE_DIR cannot be written to). */
int mw_cl_check_kept(const struct mw_device *device);

/* trial.c: logs "starting the drivers of OpenCL" when listing begins, and the end of that wait (MW_LOG_WAIT). */
void mw_cl_say_listing(bool begins);
/* Adds the devices of all drivers to a list. */
typedef int mw_cl_list_fn(const struct mw_backend *self, struct mw_device_list *list);
/* Lists all devices by `list_all`, without drivers that crash or hang while listing; each of these gets a note. Child
 * processes find such drivers by listing first, unless the cache folder has a record of them. */
int mw_cl_list_tried(mw_cl_list_fn *list_all, const struct mw_backend *self, struct mw_device_list *list);

/* Variable of the ICD loader: the folder of the .icd files that name drivers, or one such file. */
#define MW_CL_VENDORS "OCL_ICD_VENDORS"
/* remember.c: returns $OCL_ICD_VENDORS, or the loader's default folder. */
const char *mw_cl_vendors_folder(void);
/* Returns whether a file name ends in ".icd". */
bool mw_cl_is_driver_file(const char *name);
/* The cache folder's record of drivers that failed, for the installed drivers, variables and limits. */
struct mw_cl_memory {
    char *path, *aside; /* the record's file (NULL: no cache folder), and its name while a process lists devices */
    char words[17];     /* hash of drivers, variables and limits, in hexadecimal */
    bool is_aside;      /* the file has been renamed to `aside` */
};
/* Computes the hash and the file names of a record; reads nothing from it. */
void mw_cl_memory_find(struct mw_cl_memory *memory);
/* Frees the file names. */
void mw_cl_memory_free(struct mw_cl_memory *memory);
/* Reads a record and returns whether there is a valid one. Appends a line "NAME<tab>WHY" per failed driver to *lost.
 * Records of failures are valid for a day. */
bool mw_cl_memory_recall(const struct mw_cl_memory *memory, struct mw_text *lost);
/* Writes the record, with these lines of failed drivers; ignores failures. */
void mw_cl_memory_keep(const struct mw_cl_memory *memory, const struct mw_text *lost);
/* Hides the record while this process lists devices. If a driver then ends or hangs the process, the next process finds
 * no record and tries all drivers again. */
void mw_cl_memory_put_aside(struct mw_cl_memory *memory);
/* Restores the record after the listing. */
void mw_cl_memory_put_back(const struct mw_cl_memory *memory);

/* text.c: returns a string property of a device, which the caller frees; NULL on failure. Control characters and
 * non-ASCII bytes become '?'. */
char *mw_cl_device_text(cl_device_id device, cl_device_info what);
/* Returns a string property of a platform, like mw_cl_device_text. */
char *mw_cl_platform_text(cl_platform_id platform, cl_platform_info what);
/* Returns whether a device reports this extension. */
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

/* buffer.c, image.c, build.c */
extern const struct mw_memory_calls mw_cl_buffers;
extern const struct mw_queue_calls mw_cl_queues;
extern const struct mw_image_calls mw_cl_images;
extern const struct mw_compile_calls mw_cl_programs;

/* quiet.c: calls clBuildProgram and returns its result. With MW_PROCESS_QUIET, standard error is discarded during the
 * build, since compilers in drivers write there. If a driver ends the process, its last output is logged. */
cl_int mw_cl_build_quietly(const struct mw_device *device, const struct mw_build *build, cl_program program);
/* Sets the folder and the remedy for the message of mw_process_when_aborted: the device's driver may call abort() if
 * its files in that folder are damaged. */
void mw_cl_suspect(const struct mw_device *device, const char *folder, const char *remedy);
/* Encloses (`begins`: before, otherwise after) a driver's call that may read these files or start LLVM. Only in between
 * is abort() reported. Afterwards restores the program's handler of SIGUSR1, which LLVM replaces. */
void mw_cl_watch_signals(bool begins);

/* kernel.c */
int mw_cl_kernel_new(struct mw_kernel *kernel);
void mw_cl_kernel_free(struct mw_kernel *kernel);
int mw_cl_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                 struct mw_event *event);

#endif
/* SPDX-License-Identifier: MIT */

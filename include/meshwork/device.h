/* Devices: list, choose, open; memory on them; what runs on them.
 *
 * A device is a native executor of this process (native:serial, native:pthreads, native:tbb), an OpenCL device
 * (opencl:P.D) or one of CUDA's (cuda:N).  All work on one device goes through one in-order queue: calls take effect in
 * the order in which they were made.  Where a function takes `struct mw_event **done`, NULL means that the call returns
 * when its work is complete; otherwise it may return before, *done is an event to be waited for and freed, and memory
 * handed to it stays untouched until then.
 *
 * Calls that can use several devices take `devices` and their number `count`.  NULL and 0 are the default device
 * (mw_device_default).  Calls that make or compute something on one device take NULL as the default device.
 *
 * Threads: a device and everything made on it are used by one thread at a time, also for reading. Several threads may
 * open the same device, each for itself. Lists and choices may be used by any thread.
 *
 * Processes: drivers and threads do not work in a child that fork() makes of a process that has used them.  There,
 * every call on a device that was open before fails with MW_EDEVICE, and frees return no memory of the device.
 * OpenCL's and CUDA's devices are not listed if the parent has listed them. native:serial works, and so do native
 * devices that the child opens.  Call fork() before the first device is listed, or start processes by posix_spawn(). */
#ifndef MESHWORK_DEVICE_H
#define MESHWORK_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/status.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

/* Kinds of devices: those of OpenCL, and MW_DEVICE_NATIVE for threads of this process. */
enum mw_device_kind { MW_DEVICE_GPU, MW_DEVICE_ACCELERATOR, MW_DEVICE_CPU, MW_DEVICE_NATIVE };
MW_API const char *mw_device_kind_name(int value); /* status.h: "gpu", "accelerator", "cpu", "native" */
MW_API int mw_device_kind_find(const char *name, enum mw_device_kind *value);

/* Properties of drivers, for the library only. */
struct mw_device_traits;

/* The driver's description of a device. Sizes are bytes; 0 or "": not reported. */
struct mw_device_info { /* the library's, may grow */
    char id[24];        /* exactly as a selector takes it: "opencl:0.1", "native:pthreads" */
    char name[128];
    enum mw_device_kind kind;
    char also[24];       /* its second id, if two backends list it: "cuda:0" */
    const char *backend; /* name of the backend, which ids begin with: "native", "opencl", "cuda" */
    char platform[128];
    char vendor[128];
    char driver[128];         /* driver version */
    char version[128];        /* version of the interface, as in "OpenCL 3.0 ..." */
    char uuid[40];            /* hexadecimal */
    char pci[16];             /* "0000:01:00.0" */
    uint64_t memory_bytes;    /* memory of the device; of the host's, at most the limit of control groups */
    uint64_t max_alloc_bytes; /* largest single buffer */
    uint64_t local_bytes;     /* local memory of one work-group, all of which a kernel can have */
    unsigned compute_units;
    size_t max_group; /* largest work-group of any kernel */
    size_t max_group_dims[3];
    unsigned vector_width; /* preferred lanes of a float vector */
    bool fp64;
    bool images;
    bool shares_host_memory;
    bool cores;                            /* a work-item has a CPU core, so that few long work-items are best */
    bool in_host_memory;                   /* buffers are memory of this process */
    const char *calls;                     /* a program that its driver runs and must be in PATH: "ld"; NULL: none */
    const struct mw_device_traits *traits; /* for the library */
};

/* Changes that the library makes in its process if the program requests them, and never otherwise. */
enum mw_process_change {
    /* Sets environment variables that are unset when OpenCL devices are first listed. PoCL's cache of kernels moves to
     * our folder of caches. (Without HOME it is /tmp/pocl, where any user may plant a library that PoCL then runs.) If
     * that is not possible or its disk is nearly full, it is in a temporary folder, removed at exit. PoCL starts one
     * thread per core that this process may use, instead of all cores. */
    MW_PROCESS_ENVIRONMENT = 1,
    /* Discards standard error while a driver compiles, since some write a count of errors there. Output of other
     * threads is lost during that time. If a driver then calls exit(), its last output is logged as MW_LOG_FAILURE. */
    MW_PROCESS_QUIET = 2,
    /* Lists the OpenCL devices in a child process (fork) first, so that a driver that ends the listing process becomes
     * a note. To skip such a driver, OCL_ICD_VENDORS is changed during the listing. The cache folder records which
     * drivers survived, until they, limits or variables change, and for a day, which did not. The limit is 10 s. */
    MW_PROCESS_TRIAL = 4
};

/* Requests changes, a sum of enum mw_process_change, from now on. Call it before other threads use the library or the
 * environment. A request cannot be withdrawn. */
MW_API void mw_process_prepare(unsigned changes);
/* Reports that a driver has called abort(). `words` is one line without its end. Called by a handler of SIGABRT; if it
 * returns, the process ends by the signal. */
typedef void mw_abort_fn(const char *words);
/* Sets a function that is called if abort() is called while a driver compiles or loads a kernel (NULL: none). PoCL does
 * so if one of its files is damaged. At other times the program's own handler is active. The next process makes PoCL's
 * files in the folder of caches anew. */
MW_API void mw_process_when_aborted(mw_abort_fn *receiver);

/* A snapshot of the machine's devices.  Positions start at 0 and are stable until the machine's set-up changes: first
 * OpenCL devices in platform order, then further CUDA devices, then the native executors.  After them, not counted,
 * follow the second ids of devices. */
struct mw_device_list;

/* Lists the devices.  Broken or empty platforms are passed over and noted (mw_device_list_notes).  Never empty:
 * native:serial always exists.  Errors: MW_ENOMEM. */
MW_API int mw_device_list_new(struct mw_device_list **list);
/* Lists devices for a selector of mw_device_select. If it names native devices only, just these are listed, and no
 * OpenCL driver is called. */
MW_API int mw_device_list_for(const char *selector, struct mw_device_list **list);
MW_API void mw_device_list_free(struct mw_device_list *list);
/* Returns the number of positions of a list. */
MW_API size_t mw_device_list_count(const struct mw_device_list *list);
/* Returns the device at a position, or NULL; owned by the list. */
MW_API const struct mw_device_info *mw_device_list_info(const struct mw_device_list *list, size_t i);
/* Returns one line per skipped platform with the reason, and after "; " the remedy, if any; owned by the list. */
MW_API const char *mw_device_list_notes(const struct mw_device_list *list);

/* Chooses devices by a selector: terms separated by commas.  A term is `cpu`, `gpu`, `accelerator`, `native`, `all`, an
 * index, an id ("opencl:0.0"; "native" is native:pthreads), `pci:ADDRESS` or `uuid:HEX`.  Any other term is a part of a
 * name, of the platform's name or of the id (in this order, ignoring case).  A kind or a name selects the first device
 * that matches; `all` selects every device except the slower native executors.  NULL or "": a GPU, otherwise an
 * accelerator, otherwise native:pthreads.  Writes at most `max` positions to `chosen` and their number to `count`.  A
 * device named twice counts once.  Errors: MW_ENODEV (nothing matches a term; the message lists the devices), MW_EINVAL
 * (an empty term). */
MW_API int mw_device_select(const struct mw_device_list *list, const char *selector, size_t max, size_t *chosen,
                            size_t *count);

/* An open device. */
struct mw_device;

#define MW_THREADS_MAX 4096 /* maximum of a native device */

/* Options of mw_device_open; zero everywhere is the default. */
struct mw_device_options {
    size_t size;             /* sizeof the struct: see status.h */
    unsigned threads;        /* native: number of threads; 0: one a core that this process may use */
    bool profile;            /* record device times in events */
    const char *kernel_path; /* folder of the .cl files; NULL: $MESHWORK_KERNEL_PATH, then where they are installed */
    uint64_t memory_limit;   /* bytes of its memory to use at most; 0: all. mw_device_info has the rest */
};

/* Opens a device.  `options` may be NULL.  The device keeps no reference to the list.
 * Errors: MW_EINVAL (no such position; $MESHWORK_THREADS is not a number), MW_ELIMIT (more than MW_THREADS_MAX
 * threads), MW_EDEVICE (its driver refuses; or it is not native, and the list is of the parent process), MW_ENOTSUP
 * (options of a later version). If the system starts fewer threads than requested, a native device uses these, with a
 * message. */
MW_API int mw_device_open(const struct mw_device_list *list, size_t position, const struct mw_device_options *options,
                          struct mw_device **device);
/* Opens the one device that a selector names: list, select, open; native devices without touching any OpenCL
 * driver.  Errors: also MW_ENODEV, and MW_EINVAL when the selector names several. */
MW_API int mw_device_open_by_name(const char *selector, const struct mw_device_options *options,
                                  struct mw_device **device);
/* Returns the calling thread's default device, for a NULL selector. The first call of a thread opens it. It is closed
 * by mw_device_close or at the end of the thread, except the main thread; everything made on it is freed before.
 * Errors: those of mw_device_open_by_name. */
MW_API int mw_device_default(struct mw_device **device);
/* Waits for all work and closes.  Everything that belongs to the device is freed before.  NULL is legal. */
MW_API void mw_device_close(struct mw_device *device);
/* Returns the properties of a device, which owns them. */
MW_API const struct mw_device_info *mw_device_info(const struct mw_device *device);
/* Hands queued work to the device without waiting. */
MW_API int mw_device_flush(struct mw_device *device);
/* Waits until all queued work is done.  Errors: MW_EDEVICE: some of it failed, and the device is to be closed. */
MW_API int mw_device_finish(struct mw_device *device);

/* Completion event of queued work. Free it before its device is closed. */
struct mw_event;

/* Waits until the work of an event is complete.  Errors: MW_EDEVICE (the work failed). */
MW_API int mw_event_wait(struct mw_event *event);
/* Computes the seconds that the device spent on a completed event's work.
 * Errors: MW_ENOTSUP (an OpenCL device that was opened without `profile`). */
MW_API int mw_event_seconds(const struct mw_event *event, double *seconds);
/* Frees an event; does not wait.  NULL is legal. */
MW_API void mw_event_free(struct mw_event *event);

/* Device memory, uninitialised.  Zero bytes are legal and make a buffer that no call can address. */
struct mw_buffer;

/* Allocates a buffer of so many bytes on a device. Errors: MW_ELIMIT (more than the device's largest buffer, or more
 * than is left of its memory), MW_EDEVICE. */
MW_API int mw_buffer_new(struct mw_device *device, size_t bytes, struct mw_buffer **buffer);
/* Frees a buffer after the queued work on it has completed. */
MW_API void mw_buffer_free(struct mw_buffer *buffer);
/* Returns the size of a buffer in bytes. */
MW_API size_t mw_buffer_bytes(const struct mw_buffer *buffer);
/* Copies from host memory to a buffer, from byte `offset` on. `done`: see above. Errors: MW_EINVAL (the range),
 * MW_EDEVICE. */
MW_API int mw_buffer_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done);
/* Copies from a buffer, from byte `offset` on, to host memory. `done`: see above. Errors: MW_EINVAL (the range),
 * MW_EDEVICE. */
MW_API int mw_buffer_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done);
/* Copies between two buffers, on one device or on two devices of the calling thread. The ranges must not overlap. A
 * copy between devices waits for earlier work on both. If neither can access the other's memory, it goes through the
 * host's and is complete when the call returns. Errors: MW_EINVAL (a range), MW_EDEVICE. */
MW_API int mw_buffer_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset,
                          size_t bytes, struct mw_event **done);
/* Sets every byte of the range to `value`; queued, does not wait. */
MW_API int mw_buffer_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value);

/* Host memory with the fastest transfers to and from a device: page-locked if the device has memory of its own. */
struct mw_staging;
/* Allocates staging memory, which takes long. Free it before its device is closed. Transfers work with any other host
 * memory too.  Errors: MW_ENOMEM, MW_ELIMIT, MW_EDEVICE. */
MW_API int mw_staging_new(struct mw_device *device, size_t bytes, struct mw_staging **staging);
/* Returns the address of staging memory, which is aligned for any type and initially undefined. */
MW_API void *mw_staging_memory(const struct mw_staging *staging);
MW_API void mw_staging_free(struct mw_staging *staging);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

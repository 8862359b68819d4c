/* Devices: list, choose and open them; their memory and their events.
 *
 * A device is one of these; the text in parentheses is its id:
 * - a native executor: threads of this process (native:serial, native:pthreads, native:tbb);
 * - an OpenCL device (opencl:PLATFORM.DEVICE);
 * - a CUDA device (cuda:NUMBER).
 * All work on one device goes through one in-order queue: calls take effect in the order in which they are made.
 *
 * Events. Some functions have a parameter `struct mw_event **done`. If it is NULL, the call returns when its work is
 * complete. Otherwise the call may return earlier, and *done receives an event that the caller waits for and frees.
 * Until the event is complete, the caller must not change or free the memory passed to the call.
 *
 * Default device. Calls that can use several devices take an array `devices` and its length `count`; NULL and 0 are the
 * default device (mw_device_default). Calls that use one device take NULL as the default device.
 *
 * Threads: a device, and every object made on it, is used by one thread at a time, also for reading. Several threads
 * may each open the same device. Any thread may use a device list.
 *
 * Processes: OpenCL and CUDA drivers, and threads, do not work in a child of fork() if the parent has used them. In
 * such a child:
 * - Every call on a device opened before fork() fails with MW_EDEVICE, and freeing its objects releases no device
 *   memory.
 * - OpenCL and CUDA devices are not listed if the parent has listed them.
 * - native:serial works, and so do native devices that the child opens.
 * To use all devices in a child, call fork() before the first device is listed, or start the child by posix_spawn(). */
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

/* Kinds of devices. MW_DEVICE_NATIVE: threads of this process. CUDA devices are MW_DEVICE_GPU. */
enum mw_device_kind { MW_DEVICE_GPU, MW_DEVICE_ACCELERATOR, MW_DEVICE_CPU, MW_DEVICE_NATIVE };
MW_API const char *mw_device_kind_name(int value); /* "gpu", "accelerator", "cpu", "native": see status.h */
/* Finds the kind of a name. Errors: MW_EINVAL. */
MW_API int mw_device_kind_find(const char *name, enum mw_device_kind *value);

/* Properties of a driver; used only inside the library. */
struct mw_device_traits;

/* Properties of a device, as its driver reports them. Sizes are in bytes. 0 or "": not reported. */
struct mw_device_info { /* the library's, may grow */
    char id[24];        /* unique in the list, valid as a selector: "opencl:0.1", "native:pthreads" */
    char name[128];     /* name of the device */
    enum mw_device_kind kind;
    /* Second id, valid as a selector, if two backends list the device: "cuda:0"; otherwise "". */
    char also[24];
    const char *backend; /* "native", "opencl" or "cuda"; ids begin with it */
    char platform[128];  /* platform of OpenCL; "CUDA"; description of a native executor */
    char vendor[128];    /* manufacturer */
    char driver[128];    /* driver version */
    char version[128];   /* version of the programming interface: "OpenCL 3.0 ..." */
    char uuid[40];       /* UUID in hexadecimal */
    char pci[16];        /* PCI address: "0000:01:00.0" */
    /* Device memory; for host memory at most the limit of its control group (cgroup). */
    uint64_t memory_bytes;
    uint64_t max_alloc_bytes;              /* largest single buffer */
    uint64_t local_bytes;                  /* local memory that one work-group can use */
    unsigned compute_units;                /* number of multiprocessors or CPU cores */
    size_t max_group;                      /* largest work-group, in work-items */
    size_t max_group_dims[3];              /* largest work-group per dimension */
    unsigned vector_width;                 /* preferred number of elements of a float vector */
    bool fp64;                             /* supports double precision */
    bool images;                           /* supports images (image.h) */
    bool shares_host_memory;               /* has no memory of its own, but works in the memory of the host */
    bool cores;                            /* each work-item runs on one CPU core: few long work-items are fastest */
    bool in_host_memory;                   /* buffers are in the memory of this process */
    const char *calls;                     /* program that the driver runs, which must be in PATH: "ld"; NULL: none */
    const struct mw_device_traits *traits; /* used only inside the library */
};

/* Changes to the process. The library makes them only if the program requests them by mw_process_prepare. */
enum mw_process_change {
    /* Sets environment variables of the OpenCL driver PoCL, unless they are already set, when OpenCL devices are first
     * listed:
     * - PoCL's kernel cache moves to the cache folder of meshwork. Its default without HOME is /tmp/pocl, where any
     *   user could plant a library that PoCL would load.
     * - If the cache folder cannot be used or its disk is nearly full, the cache is a temporary folder, removed at
     *   exit.
     * - PoCL starts one thread per core that this process may use, instead of one per core of the machine. */
    MW_PROCESS_ENVIRONMENT = 1,
    /* Discards standard error while a driver compiles, since some drivers print the number of errors there. Output
     * of other threads during that time is lost as well. If a driver calls exit() while it compiles, its last output
     * is logged as MW_LOG_FAILURE. */
    MW_PROCESS_QUIET = 2,
    /* Lists the OpenCL devices first in a child process (fork). If a driver ends that child, the driver is skipped
     * and noted (mw_device_list_notes). To skip a driver, the library changes OCL_ICD_VENDORS while it lists. The
     * time limit is 10 s. The cache folder records which drivers failed, for one day, and which ones worked, until
     * drivers, limits or variables change. */
    MW_PROCESS_TRIAL = 4
};

/* Requests changes: a sum of values of enum mw_process_change. A request cannot be withdrawn. Call this before other
 * threads use the library or the environment. */
MW_API void mw_process_prepare(unsigned changes);
/* Type of a function that receives the message of a driver that calls abort(). `words` is one line without line
 * break. It is called in a handler of SIGABRT: use async-signal-safe functions only. When it returns, SIGABRT ends
 * the process. */
typedef void mw_abort_fn(const char *words);
/* Sets the function to be called if a driver calls abort() while it compiles or loads a kernel; NULL: none. PoCL
 * does so if one of its files is damaged; the next process recreates the files of PoCL in the cache folder. At other
 * times the program's own handler of SIGABRT is active. */
MW_API void mw_process_when_aborted(mw_abort_fn *receiver);

/* List of the machine's devices. Positions start at 0: first OpenCL devices in platform order, then CUDA devices that
 * OpenCL does not list, then the native executors. Positions are the same in every list until the machine changes.
 * A device that two backends list has one position. Its second id (`also` in mw_device_info) has an entry after the
 * last position, which is not included in the count. */
struct mw_device_list;

/* Lists the devices. Platforms that fail or have no devices are skipped and noted (mw_device_list_notes). The list
 * always has native:serial. The caller frees it by mw_device_list_free. Errors: MW_ENOMEM. */
MW_API int mw_device_list_new(struct mw_device_list **list);
/* Lists devices for a selector of mw_device_select. If the selector names only native devices, only native devices
 * are listed, and no OpenCL or CUDA driver is called. Errors: MW_ENOMEM. */
MW_API int mw_device_list_for(const char *selector, struct mw_device_list **list);
/* Frees a list; NULL is allowed. Devices opened from it stay open. */
MW_API void mw_device_list_free(struct mw_device_list *list);
/* Returns the number of devices in a list. */
MW_API size_t mw_device_list_count(const struct mw_device_list *list);
/* Returns the properties of the device at position `i`. They belong to the list. Positions from the count on give
 * the second ids; NULL: no such position. */
MW_API const struct mw_device_info *mw_device_list_info(const struct mw_device_list *list, size_t i);
/* Returns one line per skipped platform: the reason and, if there is one, "; " and the remedy. "" if none was
 * skipped. The text belongs to the list. */
MW_API const char *mw_device_list_notes(const struct mw_device_list *list);

/* Chooses devices by a selector: terms separated by commas. NULL or "": a GPU, otherwise an accelerator, otherwise
 * native:pthreads. A term is one of these:
 * - `cpu`, `gpu`, `accelerator`: the first device of that kind; `native`: native:pthreads;
 * - `all`: every device, except the slower native executors;
 * - a position, an id ("opencl:0.0"), `pci:ADDRESS` or `uuid:HEX`;
 * - any other text: the first device of which it is a part of the name, otherwise of the platform, otherwise of the id.
 *   Case is ignored.
 * Writes at most `max` positions to `chosen`, and the number of written ones to `count`. A device named twice counts
 * once.
 * Errors: MW_ENODEV (a term matches no device; the message lists the devices), MW_EINVAL (an empty term). */
MW_API int mw_device_select(const struct mw_device_list *list, const char *selector, size_t max, size_t *chosen,
                            size_t *count);

/* Handle of an open device. */
struct mw_device;

#define MW_THREADS_MAX 4096 /* maximum number of threads of a native device */

/* Options of mw_device_open; all zero is the default. */
struct mw_device_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Number of threads of a native device; 0: $MESHWORK_THREADS, otherwise one per usable core. */
    unsigned threads;
    bool profile; /* record times on the device: see mw_event_seconds */
    /* Folder of the .cl files; NULL: $MESHWORK_KERNEL_PATH, then the installed folder. */
    const char *kernel_path;
    /* Maximum device memory to use, in bytes; 0: all. Reported as mw_device_info.memory_bytes. */
    uint64_t memory_limit;
};

/* Opens the device at a position of a list. `options` may be NULL. The list may be freed afterwards. The caller closes
 * the device by mw_device_close. If the system starts fewer threads than requested, a native device uses fewer and logs
 * a message.
 * Errors: MW_EINVAL (no such position; $MESHWORK_THREADS is not a number), MW_ELIMIT (more than MW_THREADS_MAX
 * threads), MW_EDEVICE (the driver fails; or the list was made before fork() and the device is not native),
 * MW_ENOTSUP (options of a later version), MW_ENOMEM. */
MW_API int mw_device_open(const struct mw_device_list *list, size_t position, const struct mw_device_options *options,
                          struct mw_device **device);
/* Opens the device that a selector names: lists, selects and opens. For a native device no OpenCL or CUDA driver is
 * called. Errors: those of mw_device_select and mw_device_open; MW_EINVAL (the selector names several devices). */
MW_API int mw_device_open_by_name(const char *selector, const struct mw_device_options *options,
                                  struct mw_device **device);
/* Returns the default device of the calling thread, the one for a NULL selector. The first call of a thread opens it.
 * The end of the thread closes it; in the main thread only mw_device_close does. Free everything made on it before
 * that. Errors: those of mw_device_open_by_name. */
MW_API int mw_device_default(struct mw_device **device);
/* Waits for all work on a device and closes it; NULL is allowed. Free all objects made on the device before. */
MW_API void mw_device_close(struct mw_device *device);
/* Returns the properties of a device. They belong to the device. */
MW_API const struct mw_device_info *mw_device_info(const struct mw_device *device);
/* Submits queued work to the device; does not wait. Errors: MW_EDEVICE. */
MW_API int mw_device_flush(struct mw_device *device);
/* Waits until all queued work is complete. Errors: MW_EDEVICE (some of the work failed; close the device). */
MW_API int mw_device_finish(struct mw_device *device);

/* Completion event of queued work. The caller frees it before its device is closed. */
struct mw_event;

/* Waits until the work of an event is complete.  Errors: MW_EDEVICE (the work failed). */
MW_API int mw_event_wait(struct mw_event *event);
/* Computes the time, in seconds, that the device spent on the work of a completed event. Errors: MW_ENOTSUP (an
 * OpenCL or CUDA device opened without `profile`). */
MW_API int mw_event_seconds(const struct mw_event *event, double *seconds);
/* Frees an event without waiting; NULL is allowed. */
MW_API void mw_event_free(struct mw_event *event);

/* Handle of device memory, initially undefined. A buffer of 0 bytes is allowed. */
struct mw_buffer;

/* Allocates a buffer of `bytes` bytes on a device. The caller frees it before the device is closed. Errors:
 * MW_ELIMIT (more than max_alloc_bytes of mw_device_info, or more than the free device memory), MW_ENOMEM,
 * MW_EDEVICE. */
MW_API int mw_buffer_new(struct mw_device *device, size_t bytes, struct mw_buffer **buffer);
/* Frees a buffer after the queued work on it has completed; NULL is allowed. */
MW_API void mw_buffer_free(struct mw_buffer *buffer);
/* Returns the size of a buffer in bytes. */
MW_API size_t mw_buffer_bytes(const struct mw_buffer *buffer);
/* Copies `bytes` bytes from host memory to a buffer, beginning at its byte `offset`. `done`: see the top of this
 * file. Errors: MW_EINVAL (the range exceeds the buffer), MW_EDEVICE. */
MW_API int mw_buffer_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done);
/* Copies `bytes` bytes from a buffer, beginning at its byte `offset`, to host memory. `done`: see the top of this
 * file. Errors: MW_EINVAL (the range exceeds the buffer), MW_EDEVICE. */
MW_API int mw_buffer_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done);
/* Copies between two buffers, on one device or on two devices of the calling thread. Ranges in the same buffer must
 * not overlap. Between two devices, the copy waits for earlier work on both. If neither device can access the memory
 * of the other, the copy goes through host memory and is complete when the call returns. `done`: see the top of this
 * file. Errors: MW_EINVAL (a range exceeds its buffer, or the ranges overlap), MW_EDEVICE. */
MW_API int mw_buffer_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset,
                          size_t bytes, struct mw_event **done);
/* Queues a command that sets `bytes` bytes, beginning at byte `offset`, to `value`; does not wait. Errors: MW_EINVAL
 * (the range exceeds the buffer), MW_EDEVICE. */
MW_API int mw_buffer_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value);

/* Host memory with the fastest transfers to and from a device. It is page-locked if the device has its own memory. */
struct mw_staging;
/* Allocates staging memory. The caller frees it before the device is closed. Transfers also work with any other host
 * memory. Cost: page-locking takes long; reuse the memory. Errors: MW_ENOMEM, MW_ELIMIT, MW_EDEVICE. */
MW_API int mw_staging_new(struct mw_device *device, size_t bytes, struct mw_staging **staging);
/* Returns the address of staging memory. It is aligned for any type, and its contents are initially undefined. */
MW_API void *mw_staging_memory(const struct mw_staging *staging);
/* Frees staging memory; NULL is allowed. Wait for transfers that use it first. */
MW_API void mw_staging_free(struct mw_staging *staging);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

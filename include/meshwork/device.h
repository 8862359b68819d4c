/* Devices: list, choose and open them; their memory and their events.
 *
 * A device is one of these; the text in parentheses is its id:
 * - a native executor: threads of this process (native:serial, native:pthreads, native:tbb);
 * - an OpenCL device (opencl:PLATFORM.DEVICE);
 * - a CUDA device (cuda:NUMBER).
 * All work on one device goes through one in-order queue: calls take effect in the order in which they are made.
 *
 * Events. Copies have a parameter `struct mw_event **done`. If it is NULL, the call returns when its copy is
 * complete. Otherwise the call may return earlier, and *done receives an event, which the caller frees. Until the event
 * is complete (mw_event_wait), the caller must not change or free the memory passed to the call. mw_launch also has
 * `done`, but never waits for the launch (program.h). Native devices complete all work during the call.
 *
 * Default device. Calls that can use several devices take an array `devices` and its length `count`; NULL and 0 are the
 * default device (mw_device_default). Calls that use one device take NULL as the default device.
 *
 * Threads: only one thread at a time may use a device or an object made on it, even if the call takes it as const.
 * Several threads may each open the same device. Any thread may use a device list.
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

/* States the kind of a device. MW_DEVICE_NATIVE: threads of this process. CUDA devices are of kind MW_DEVICE_GPU. */
enum mw_device_kind { MW_DEVICE_GPU, MW_DEVICE_ACCELERATOR, MW_DEVICE_CPU, MW_DEVICE_NATIVE };
/* Returns the name of a kind: "gpu", "accelerator", "cpu" or "native"; NULL for any other value. */
MW_API const char *mw_device_kind_name(int value);
/* Finds the kind that has a name of mw_device_kind_name. Errors: MW_EINVAL (no kind has this name). */
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
    /* Size of the device memory. If the device shares host memory, at most the limit of this process's cgroup. */
    uint64_t memory_bytes;
    uint64_t max_alloc_bytes;              /* largest single buffer */
    uint64_t local_bytes;                  /* local memory that one work-group can use */
    unsigned compute_units;                /* number of multiprocessors or CPU cores */
    size_t max_group;                      /* largest work-group, in work-items */
    size_t max_group_dims[3];              /* largest work-group per dimension */
    unsigned vector_width;                 /* preferred number of floats per vector */
    bool fp64;                             /* supports double precision */
    bool images;                           /* supports images (image.h) */
    bool shares_host_memory;               /* has no memory of its own, but works in the memory of the host */
    bool cores;                            /* each work-item runs alone on a CPU core and should be long */
    bool in_host_memory;                   /* buffers are in the memory of this process */
    const char *calls;                     /* program in PATH that the driver starts, such as "ld"; NULL: none */
    const struct mw_device_traits *traits; /* used only inside the library */
};

/* Changes that the library may make to the whole process, such as setting environment variables. It makes only changes
 * that the program has allowed by mw_process_prepare. */
enum mw_process_change {
    /* Sets environment variables of the OpenCL driver PoCL, unless they are already set, when OpenCL devices are first
     * listed:
     * - PoCL's kernel cache moves to the cache folder of meshwork. Its default without HOME is /tmp/pocl, where any
     *   user could plant a library that PoCL would load.
     * - If the cache folder cannot be used, or its disk has less than 64 MiB free, PoCL's cache is a temporary folder.
     *   That folder is removed at exit.
     * - PoCL starts one thread per core that this process may use, instead of one per core of the machine. */
    MW_PROCESS_ENVIRONMENT = 1,
    /* Discards what is written to standard error while an OpenCL driver compiles, since some drivers print messages
     * there. Text that other threads write during that time is lost as well. If the driver calls exit(), a line of its
     * output is logged as MW_LOG_FAILURE. */
    MW_PROCESS_QUIET = 2,
    /* Tests the OpenCL drivers before their first use. The library forks child processes, which list the devices.
     * - A driver that ends its child, or has not listed its devices after 10 s, is skipped and noted
     *   (mw_device_list_notes).
     * - To skip a driver, the library sets OCL_ICD_VENDORS while it lists the devices, and restores it afterwards.
     * - The cache folder stores the result, so that later processes need no test. The test is repeated when the
     *   drivers, the resource limits or the variables of OpenCL change. It is also repeated one day after a driver
     *   failed. */
    MW_PROCESS_TRIAL = 4
};

/* Allows the library to change the process. `changes` is a sum of values of enum mw_process_change. The call itself
 * changes nothing: the library makes each change later, when it lists OpenCL devices or compiles. Further calls allow
 * more changes, and none can be forbidden again. Call this before other threads use the library or the environment. */
MW_API void mw_process_prepare(unsigned changes);
/* Receives the message about an OpenCL driver that has called abort(); see mw_process_when_aborted. `words` is one line
 * without line break. The library calls this function in a handler of SIGABRT, so it may use only async-signal-safe
 * functions. When it returns, SIGABRT ends the process. */
typedef void mw_abort_fn(const char *words);
/* Sets the function that the library calls if the OpenCL driver PoCL calls abort() while it compiles or loads a kernel.
 * NULL, the default: none. PoCL calls abort() if one of its cached files is damaged. The next process removes these
 * files if they are in the cache folder of meshwork, and PoCL compiles them again. At other times the program's own
 * handler of SIGABRT is active. */
MW_API void mw_process_when_aborted(mw_abort_fn *receiver);

/* List of the machine's devices, from which a program chooses and opens some. Positions start at 0:
 * - first the OpenCL devices in platform order;
 * - then the CUDA devices that OpenCL does not list;
 * - then the native executors.
 * Every list of mw_device_list_new has the same positions, until devices or drivers change. A device that OpenCL and
 * CUDA list has one position. Its second id (`also` in mw_device_info) has an extra entry after all devices.
 * mw_device_list_count does not count these extra entries. */
struct mw_device_list;

/* Lists the devices. Platforms that fail or have no devices are skipped and noted (mw_device_list_notes). The list
 * always has native:serial. The caller frees it by mw_device_list_free. Errors: MW_ENOMEM. */
MW_API int mw_device_list_new(struct mw_device_list **list);
/* Lists the devices from which mw_device_select chooses by a selector. If the selector names only native devices that
 * exist, the list has only native devices, with positions from 0. Then no OpenCL or CUDA driver is called. Otherwise
 * the list is that of mw_device_list_new. The caller frees it by mw_device_list_free. Errors: MW_ENOMEM. */
MW_API int mw_device_list_for(const char *selector, struct mw_device_list **list);
/* Frees a list; NULL is allowed. Devices opened from it stay open. */
MW_API void mw_device_list_free(struct mw_device_list *list);
/* Returns the number of devices in a list, without the extra entries for second ids. */
MW_API size_t mw_device_list_count(const struct mw_device_list *list);
/* Returns the properties of the device at position `i`, from 0. They belong to the list. If `i` is
 * mw_device_list_count or more, it returns those of an extra entry, under the second id. NULL: no such entry. */
MW_API const struct mw_device_info *mw_device_list_info(const struct mw_device_list *list, size_t i);
/* Returns the notes of a list: a line for each platform, driver or device that was skipped, with the reason and a
 * remedy if there is one. Line breaks separate the lines; "": no notes. The text belongs to the list. */
MW_API const char *mw_device_list_notes(const struct mw_device_list *list);

/* Chooses devices by a selector: terms separated by commas. NULL or "": a GPU, otherwise an accelerator, otherwise
 * native:pthreads. A term is one of these:
 * - `cpu`, `gpu`, `accelerator`: the first device of that kind; `native`: native:pthreads;
 * - `all`: every device, except the slower native executors;
 * - a position, an id ("opencl:0.0"), `pci:ADDRESS` or `uuid:HEX`;
 * - any other text: the first device whose name contains the text; otherwise the first whose platform contains it;
 *   otherwise the first whose id contains it.
 * Case is ignored. A device that several terms choose is chosen once.
 * - chosen: receives the positions, in the order of the terms; has room for `max` of them. Further ones are dropped.
 * - count: receives the number of positions in `chosen`.
 * Errors: MW_ENODEV (a term matches no device; the message lists the devices), MW_EINVAL (an empty term). */
MW_API int mw_device_select(const struct mw_device_list *list, const char *selector, size_t max, size_t *chosen,
                            size_t *count);

/* Handle of an open device, on which a program makes buffers, programs and other objects. */
struct mw_device;

#define MW_THREADS_MAX 4096 /* maximum number of threads of a native device */

/* Options of mw_device_open; all zero is the default. */
struct mw_device_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Number of threads of a native device; 0: $MESHWORK_THREADS, otherwise one per usable core. */
    unsigned threads;
    bool profile; /* OpenCL and CUDA devices record the times of work, for mw_event_seconds */
    /* Folder of the .cl files; NULL: $MESHWORK_KERNEL_PATH, then the installed folder. */
    const char *kernel_path;
    /* Maximum number of bytes of device memory to use; 0: all. If it is less than memory_bytes or max_alloc_bytes of
     * mw_device_info, it replaces them. */
    uint64_t memory_limit;
    /* Work-items per work-group of the library's algorithms for networks, meshes, walks, spins and random numbers; 0:
     * chosen per kernel. 1, 2, 4, 8, 16 or a multiple of 32. Results have the same bits for every size. Primitives,
     * transforms, generators and field equations (shapes: tune.h) choose their own groups. A CPU by OpenCL then runs
     * the kernels for work-groups, not the form for cores. Building a kernel that does not support this size fails with
     * MW_EINVAL or MW_ELIMIT. */
    size_t group;
};

/* Opens the device at a position of a list. `options` may be NULL. The list may be freed afterwards. The caller closes
 * the device by mw_device_close. If the system cannot start all threads of a native device, the device works with
 * fewer, and a message is logged.
 * Errors:
 * - MW_EINVAL: no such position; $MESHWORK_THREADS is not a number from 1 on; an invalid `group`, or any on a native
 *   device, which has no work-groups;
 * - MW_ELIMIT: more than MW_THREADS_MAX threads; a `group` of more than max_group work-items;
 * - MW_EDEVICE: the driver fails; or the device is not native, and its list was made before fork();
 * - MW_ENOTSUP: options of a later version;
 * - MW_EIO: PoCL cannot write to its cache folder;
 * - MW_ENOMEM. */
MW_API int mw_device_open(const struct mw_device_list *list, size_t position, const struct mw_device_options *options,
                          struct mw_device **device);
/* Opens the device that a selector names: calls mw_device_list_for, mw_device_select and mw_device_open. `options` may
 * be NULL. Errors: those of these calls; MW_EINVAL (the selector names several devices). */
MW_API int mw_device_open_by_name(const char *selector, const struct mw_device_options *options,
                                  struct mw_device **device);
/* Returns the default device of the calling thread: the one that mw_device_select chooses for NULL. The first call of a
 * thread opens it. It is closed when the thread ends; in the main thread only mw_device_close closes it. Free
 * everything made on it before it is closed. Errors: those of mw_device_open_by_name. */
MW_API int mw_device_default(struct mw_device **device);
/* Waits for all work on a device and closes it; NULL is allowed. Free all objects made on the device before. */
MW_API void mw_device_close(struct mw_device *device);
/* Returns the properties of a device. They belong to the device. */
MW_API const struct mw_device_info *mw_device_info(const struct mw_device *device);
/* Submits all queued work to the device, so that it begins; does not wait for it. Errors: MW_EDEVICE. */
MW_API int mw_device_flush(struct mw_device *device);
/* Waits until all work queued on a device is complete. Errors: MW_EDEVICE (some of this work failed; then close the
 * device). */
MW_API int mw_device_finish(struct mw_device *device);

/* Event of one queued copy or launch, to wait for its completion or to get its time. The caller frees it before its
 * device is closed. */
struct mw_event;

/* Waits until the copy or launch of an event is complete. Errors: MW_EDEVICE (it failed). */
MW_API int mw_event_wait(struct mw_event *event);
/* Writes the seconds that the device spent on the copy or launch of an event. Call mw_event_wait before. 0: nothing was
 * queued on the device, as for 0 bytes. Errors: MW_ENOTSUP (an OpenCL or CUDA device opened without `profile`),
 * MW_EDEVICE. */
MW_API int mw_event_seconds(const struct mw_event *event, double *seconds);
/* Frees an event without waiting; NULL is allowed. */
MW_API void mw_event_free(struct mw_event *event);

/* Handle of a range of device memory, which kernels and copies read and write. Its contents are initially undefined. */
struct mw_buffer;

/* Allocates a buffer of `bytes` bytes on a device; 0 is allowed. The caller frees it before the device is closed.
 * Errors: MW_ELIMIT (more than max_alloc_bytes of mw_device_info, or more than the buffers and images of this device
 * leave of memory_bytes), MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_buffer_new(struct mw_device *device, size_t bytes, struct mw_buffer **buffer);
/* Frees a buffer; NULL is allowed. Work already queued on the buffer still completes; the call may wait for it. */
MW_API void mw_buffer_free(struct mw_buffer *buffer);
/* Returns the size of a buffer in bytes. */
MW_API size_t mw_buffer_bytes(const struct mw_buffer *buffer);
/* Copies `bytes` bytes from host memory to a buffer, in which they begin at byte `offset`. It waits if `done` is NULL:
 * see the top of this file. Errors: MW_EINVAL (the range exceeds the buffer), MW_EDEVICE. */
MW_API int mw_buffer_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done);
/* Copies `bytes` bytes from a buffer, in which they begin at byte `offset`, to host memory. It waits if `done` is NULL:
 * see the top of this file. Errors: MW_EINVAL (the range exceeds the buffer), MW_EDEVICE. */
MW_API int mw_buffer_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done);
/* Copies `bytes` bytes from one buffer to another, on one device or on two devices of the calling thread.
 * - from_offset, to_offset: first byte in `from` and in `to`. Both may be the same buffer, if the ranges do not
 *   overlap.
 * - done: NULL: the call waits for the copy; see the top of this file.
 * Between two devices, the copy begins after earlier work on both. If the devices cannot copy directly, the copy goes
 * through host memory and is complete when the call returns.
 * Errors: MW_EINVAL (a range exceeds its buffer, or the ranges overlap), MW_EDEVICE. */
MW_API int mw_buffer_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset,
                          size_t bytes, struct mw_event **done);
/* Sets `bytes` bytes of a buffer to `value`, from byte `offset` on. It queues this work and does not wait for it.
 * Errors: MW_EINVAL (the range exceeds the buffer), MW_EDEVICE. */
MW_API int mw_buffer_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value);

/* Seconds of calls for the memory of a device: mw_buffer_new, mw_buffer_write, mw_buffer_read, mw_buffer_free. */
struct mw_memory_seconds { /* a fixed value */
    double allocate, upload, download, free;
};
/* Adds the time of these calls to the sums in *seconds from now on, also of calls within the library. The caller zeroes
 * it, and keeps it until a call with `seconds` NULL, which ends the measurement. Devices of one thread may share it.
 * Each measured call waits for all queued work, before its time begins and before it ends, so that nothing overlaps.
 * Images and staging memory are not measured. */
MW_API void mw_device_time_memory(struct mw_device *device, struct mw_memory_seconds *seconds);

/* Handle of staging memory: host memory from and to which a device copies fastest. It is page-locked if the device has
 * its own memory. */
struct mw_staging;
/* Allocates `bytes` bytes of staging memory, for use in mw_buffer_write and mw_buffer_read. These also accept any other
 * host memory. The caller frees it before the device is closed. Errors: MW_ENOMEM, MW_ELIMIT, MW_EDEVICE.
 * Cost: page-locking may take longer than a copy of the same size, so reuse the memory. */
MW_API int mw_staging_new(struct mw_device *device, size_t bytes, struct mw_staging **staging);
/* Returns the address of staging memory. It is aligned for any type, and its contents are initially undefined. */
MW_API void *mw_staging_memory(const struct mw_staging *staging);
/* Frees staging memory; NULL is allowed. Copies that use it must be complete. */
MW_API void mw_staging_free(struct mw_staging *staging);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

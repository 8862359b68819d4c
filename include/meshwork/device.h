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
 * Threads: a device and all that was made on it are used by one thread at a time, even to look at them; several threads
 * open a device each, if it is the same one.  Lists and choices are everybody's.
 *
 * Processes: drivers and threads do not work in a child that fork() makes of a process that has used them.  There,
 * every call on a device that was open before fails with MW_EDEVICE, frees give back no memory of the device, and
 * OpenCL's and CUDA's devices are not listed if the parent has listed them.  native:serial works, and so do native
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

/* The native executors are a kind of their own. */
enum mw_device_kind { MW_DEVICE_GPU, MW_DEVICE_ACCELERATOR, MW_DEVICE_CPU, MW_DEVICE_NATIVE };
MW_API const char *mw_device_kind_name(int value); /* status.h: "gpu", "accelerator", "cpu", "native" */
MW_API int mw_device_kind_find(const char *name, enum mw_device_kind *value);

/* What the library knows of a device beyond what its driver says: from its kind, and from a table of drivers. */
struct mw_device_traits {    /* the library's, may grow */
    bool has_cores;          /* an item's loops run at full speed, so that few long items are best: native devices and
                              * CPU drivers, but not those that make items lanes, nor GPUs */
    bool items_are_lanes;    /* items are the lanes of a vector: one that loops holds up others */
    bool groups_progress;    /* a group that has started gets on, whatever others do: others may wait for it */
    bool strict_atomics;     /* takes the letter of OpenCL 1.2, which has no loads that race with atomic operations */
    bool one_thread;         /* computes wrongly, or crashes, where several threads call it at once */
    bool lanes_load_alone;   /* each lane's load and store takes a turn: shapes that load least are best */
    bool keeps_copies;       /* works on a copy of its own, though it says that it shares the host's memory */
    bool forgets_flushed;    /* waits only for work that was not flushed before */
    unsigned local_beside;   /* bytes of local memory that it reports beside a kernel's, and that nothing uses */
    bool counts_local_twice; /* its kernels have each local array twice, of which one is of no use */
    bool keeps_programs;     /* keeps on disk what it compiles, and compiles all of it again for who wants a binary */
    bool links_with_ld;      /* its driver ends the process where there is no ld in PATH */
    unsigned loop_rounds;    /* an item's loops end after so many rounds, in all, without a word; 0: never */
    unsigned unrolled_dims;  /* most dimensions for which its compiler can compile kernels that keep rows of cells in
                              * registers, in useful time; one more if stages are evaluated in place; 0: no limit */
    bool shapes_are_known;   /* the fastest shapes of fields were measured on its kind, and a rule knows them */
    unsigned copy_lanes;     /* copies by a group leave cells out unless it has 1 or a multiple of so many
                              * items; 0: they never do */
};

/* What a device says of itself.  Sizes are bytes; 0 or "" where the driver does not say. */
struct mw_device_info { /* the library's, may grow */
    char id[24];        /* exactly as a selector takes it: "opencl:0.1", "native:pthreads" */
    char name[128];
    enum mw_device_kind kind;
    char also[24];       /* its other id, where two backends have it: "cuda:0" */
    const char *backend; /* its name, which ids begin with: "native", "opencl", "cuda" */
    char platform[128];
    char vendor[128];
    char driver[128];         /* driver version */
    char version[128];        /* version of the interface, as in "OpenCL 3.0 ..." */
    char uuid[40];            /* hexadecimal */
    char pci[16];             /* "0000:01:00.0" */
    uint64_t memory_bytes;    /* of one that shares the host's: at most what control groups leave to this process */
    uint64_t max_alloc_bytes; /* largest single buffer */
    uint64_t local_bytes;     /* local memory of one work-group, all of which a kernel can have */
    unsigned compute_units;
    size_t max_group; /* largest work-group of any kernel */
    size_t max_group_dims[3];
    unsigned vector_width; /* preferred lanes of a float vector */
    bool fp64;
    bool images;
    bool shares_host_memory;
    struct mw_device_traits traits;
};

/* What the library may change in its process where a program asks for it; it changes nothing by itself. */
enum mw_process_change {
    /* Variables that are not set yet, when OpenCL devices are first listed: PoCL's cache of kernels goes to the folder
     * of our caches (without HOME it is /tmp/pocl, where everybody may plant a library that PoCL then runs), or else,
     * also where that disk is nearly full, to a temporary one that is removed at exit; and PoCL starts a thread for
     * each core that this process may use, instead of each that the machine has. */
    MW_PROCESS_ENVIRONMENT = 1,
    /* Standard error leads nowhere while a driver compiles: some count their errors there, whatever they are told.
     * What other threads write there meanwhile is lost.  Where a driver then calls exit(), its last words are logged
     * as MW_LOG_FAILURE. */
    MW_PROCESS_QUIET = 2,
    /* A child process (fork) lists the OpenCL devices before this one does, so that a driver which ends the process
     * that lists them becomes a note; where something is done about it, OCL_ICD_VENDORS is another meanwhile.  The
     * cache folder remembers which drivers survived, as long as they, limits and variables stay the same, and which did
     * not, for a day.  A driver has ten seconds. */
    MW_PROCESS_TRIAL = 4
};

/* Asks for changes, a sum of the above, from now on.  Call it before other threads use the library or the environment;
 * a change once asked for stays. */
MW_API void mw_process_prepare(unsigned changes);
/* Asks for a call, within a handler of SIGABRT, if abort() is called while a driver compiles or loads a kernel, as PoCL
 * does if a file of its own is damaged.  At other times the program's own handler stands.  `words` is one line without
 * its end.  PoCL's files in the folder of caches are made anew by the next process.  If the receiver returns, the
 * process ends by the signal.  NULL: no call. */
typedef void mw_abort_fn(const char *words);
MW_API void mw_process_when_aborted(mw_abort_fn *receiver);

/* A snapshot of the machine's devices.  Positions start at 0 and stand for as long as the machine's set-up stands:
 * OpenCL devices in platform order first, then CUDA's that are none of these, the native executors last.  Behind them,
 * not counted, stand devices by their second ids. */
struct mw_device_list;

/* Lists the devices.  Broken or empty platforms are passed over and noted (mw_device_list_notes).  Never empty:
 * native:serial always exists.  Errors: MW_ENOMEM. */
MW_API int mw_device_list_new(struct mw_device_list **list);
/* The same for a selector as mw_device_select takes it: where it names native devices and no others, these alone are
 * listed, and no OpenCL driver is touched. */
MW_API int mw_device_list_for(const char *selector, struct mw_device_list **list);
MW_API void mw_device_list_free(struct mw_device_list *list);
MW_API size_t mw_device_list_count(const struct mw_device_list *list);
/* The device at a position; NULL where there is none; owned by the list. */
MW_API const struct mw_device_info *mw_device_list_info(const struct mw_device_list *list, size_t i);
/* One line for each platform that was passed over and why, "" when there is none; owned by the list.  Where there is
 * something to do about it, that follows "; ". */
MW_API const char *mw_device_list_notes(const struct mw_device_list *list);

/* Chooses devices by a selector: terms separated by commas, each `cpu`, `gpu`, `accelerator`, `native`, `all`, an
 * index, an id ("opencl:0.0"; "native" is native:pthreads), `pci:ADDRESS`, `uuid:HEX`, or a part of a name, of the
 * platform's name or of the id (in this order, without regard to case).  A kind or a name names the first device that
 * matches; `all` every device but the slower native executors.  NULL or "": a GPU, else an accelerator, else
 * native:pthreads.
 * Writes at most `max` positions to `chosen` and their number to `count`.  A device named twice counts once.
 * Errors: MW_ENODEV (nothing matches a term; the message lists what there is), MW_EINVAL (an empty term). */
MW_API int mw_device_select(const struct mw_device_list *list, const char *selector, size_t max, size_t *chosen,
                            size_t *count);

struct mw_device;

#define MW_THREADS_MAX 4096 /* of a native device */

/* Options of mw_device_open; zero everywhere is the default. */
struct mw_device_options {
    size_t size;             /* sizeof the struct: see status.h */
    unsigned threads;        /* native: number of threads; 0: one a core that this process may use */
    bool profile;            /* record device times in events */
    const char *kernel_path; /* folder of the .cl files; NULL: $MESHWORK_KERNEL_PATH, then where they are installed */
    uint64_t memory_limit;   /* bytes of its memory to use at most; 0: all.  mw_device_info says what is left to use */
};

/* Opens a device.  `options` may be NULL.  The device keeps no reference to the list.
 * Errors: MW_EINVAL (no such position; $MESHWORK_THREADS is no number), MW_ELIMIT (more than MW_THREADS_MAX threads),
 * MW_EDEVICE (its driver refuses; or it is not native, and the list was made before fork() made this process),
 * MW_ENOTSUP (options of a later version).  Where the system starts fewer threads than asked for, a native device has
 * fewer, and a message says so. */
MW_API int mw_device_open(const struct mw_device_list *list, size_t position, const struct mw_device_options *options,
                          struct mw_device **device);
/* Opens the one device that a selector names: list, select, open; native devices without touching any OpenCL
 * driver.  Errors: also MW_ENODEV, and MW_EINVAL when the selector names several. */
MW_API int mw_device_open_by_name(const char *selector, const struct mw_device_options *options,
                                  struct mw_device **device);
/* The calling thread's default device, which a NULL selector names.  The first call opens it; later calls of the thread
 * return it.  It is closed when the thread ends, except the main thread's, or by mw_device_close; everything made on it
 * is freed before.  Errors: those of mw_device_open_by_name. */
MW_API int mw_device_default(struct mw_device **device);
/* Waits for all work and closes.  Everything that belongs to the device is freed before.  NULL is legal. */
MW_API void mw_device_close(struct mw_device *device);
/* Owned by the device. */
MW_API const struct mw_device_info *mw_device_info(const struct mw_device *device);
/* Hands queued work to the device without waiting. */
MW_API int mw_device_flush(struct mw_device *device);
/* Waits until all queued work is done.  Errors: MW_EDEVICE: some of it failed, and the device is to be closed. */
MW_API int mw_device_finish(struct mw_device *device);

/* That some work was queued.  To be freed before its device is closed. */
struct mw_event;

/* Waits for an event; at once where its work is done.  Errors: MW_EDEVICE: it failed. */
MW_API int mw_event_wait(struct mw_event *event);
/* Seconds that the device spent on a completed event's work; needs `profile` on OpenCL devices.
 * Errors: MW_ENOTSUP. */
MW_API int mw_event_seconds(const struct mw_event *event, double *seconds);
/* Frees an event; does not wait.  NULL is legal. */
MW_API void mw_event_free(struct mw_event *event);

/* Device memory, uninitialised.  Zero bytes are legal and make a buffer that no call can address. */
struct mw_buffer;

/* Errors: MW_ELIMIT (more than the device's largest buffer, or more than is left of its memory), MW_EDEVICE. */
MW_API int mw_buffer_new(struct mw_device *device, size_t bytes, struct mw_buffer **buffer);
/* Work on it that is queued is done before its memory is given back. */
MW_API void mw_buffer_free(struct mw_buffer *buffer);
MW_API size_t mw_buffer_bytes(const struct mw_buffer *buffer);
/* Copies between host and device, within one device, and between two, which the calling thread uses both.  Ranges are
 * checked: MW_EINVAL.  The two ranges of mw_buffer_copy must not overlap.  A copy between devices waits for what was
 * queued on both before; where neither reaches the other's memory, it goes through the host's and is complete when the
 * call returns. */
MW_API int mw_buffer_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done);
MW_API int mw_buffer_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done);
MW_API int mw_buffer_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset,
                          size_t bytes, struct mw_event **done);
/* Sets every byte of the range to `value`; queued, does not wait. */
MW_API int mw_buffer_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value);

/* Memory of the host that transfers with this device are fastest to and from: page-locked where the device has memory
 * of its own.  Dear to make, and to be freed before the device is closed.  For reads and writes of any size; transfers
 * with other memory work as well.  Errors: MW_ENOMEM, MW_ELIMIT, MW_EDEVICE. */
struct mw_staging;
MW_API int mw_staging_new(struct mw_device *device, size_t bytes, struct mw_staging **staging);
/* Its bytes, aligned for any type, not cleared. */
MW_API void *mw_staging_memory(const struct mw_staging *staging);
MW_API void mw_staging_free(struct mw_staging *staging);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */

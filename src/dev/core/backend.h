/* The interface of backends; each is one folder with one table. Internal.
 *
 * device.c, memory/, program.c and kernel.c check arguments and own the structs below; a backend gets only legal calls
 * and keeps its own state in the `impl` pointers. Every function returns 0 or a status with its message set. */
#ifndef MW_BACKEND_H
#define MW_BACKEND_H

#include <meshwork/device.h>
#include <meshwork/image.h>
#include <meshwork/program.h>

#include "dev/core/traits.h"
#include "base/base.h"

#include <sys/types.h>

struct mw_backend;

/* Maximum work-items and work-groups of one launch per dimension, set by a backend's `open`; 0: no limit. */
struct mw_grid {
    size_t items[3], groups[3];
};

/* An open device. */
struct mw_device {
    const struct mw_backend *backend;
    struct mw_device_info info;
    struct mw_device_options options;
    struct mw_device_traits traits; /* info.traits points here if options.group changes them */
    char *kernel_path;              /* resolved copy of options.kernel_path, or NULL */
    const char *build_options[2];   /* options of the compiler, set by `open`: [0] reproducible bits, [1] fast math */
    uint64_t allocated;             /* bytes in live buffers and images: our own memory budget */
    struct mw_grid grid;
    struct mw_staging *pieces;       /* buffer for copies to other devices; NULL before the first one */
    struct mw_copy_pool *copy_pool;  /* threads for large transfers; NULL before the first one */
    bool without_copy_pool;          /* the threads of copy_pool could not be started */
    struct mw_memory_seconds *timed; /* of mw_device_time_memory; NULL: not measured */
    void *queue;                     /* queue of mw_device_from_queue, for `open`; NULL: `open` makes one */
    struct mw_device *next_open;     /* list of all open devices: forked.c */
    void *impl;
};

/* A buffer in device memory. */
struct mw_buffer {
    struct mw_device *device;
    size_t bytes;
    void *impl;
    bool borrowed; /* its memory is the caller's */
};
/* Exchanges two pointers to buffers. */
static inline void mw_buffer_swap(struct mw_buffer **a, struct mw_buffer **b)
{
    struct mw_buffer *const held = *a;
    *a = *b;
    *b = held;
}
/* Host memory that transfers fast to and from a device (mw_staging_new). */
struct mw_staging {
    struct mw_device *device;
    size_t bytes;
    void *memory, *impl;
};
/* An image in device memory. */
struct mw_image {
    struct mw_device *device;
    unsigned dims;
    size_t length[3];  /* 1 beyond dims */
    size_t cell_bytes; /* 1, 2, 4 or 8 */
    size_t bytes;
    void *impl;
};
/* Loaded code, from which kernels are made. */
struct mw_code {
    void *impl;                            /* the backend's; NULL for kernels that were compiled with the library */
    const struct mw_native_kernel *native; /* for native devices: table of kernels, ended by a NULL name */
};
/* The known properties of a kernel's parameter. */
struct mw_parameter {
    unsigned types;      /* accepted types: a sum of MW_TAKES(enum mw_arg_type or MW_ARG_LOCAL); 0: unknown */
    size_t bytes;        /* size of a value; 0: unknown */
    unsigned image_dims; /* for an image */
};
enum { MW_ARG_LOCAL = MW_ARG_IMAGE + 1 }; /* local memory, which cannot be an argument */
/* Bit of an argument type in mw_parameter.types. */
#define MW_TAKES(type) (1u << (type))
/* Bits of all numbers and structs. */
#define MW_TAKES_VALUES (MW_TAKES(MW_ARG_IMAGE) - MW_TAKES(MW_ARG_I32))
/* Value of parameter_count if the driver does not report the parameters. */
#define MW_PARAMETERS_UNKNOWN SIZE_MAX
/* A built program of one device. */
struct mw_program {
    struct mw_device *device;
    uint64_t hash;
    struct mw_object *object; /* owner of its code; NULL: compiled with the library */
    struct mw_code code;
};
/* A kernel of a program, with what launches need and remember. */
struct mw_kernel {
    struct mw_device *device;
    struct mw_program *program;
    char *name;
    struct mw_parameter *parameters; /* owned */
    size_t parameter_count;          /* MW_PARAMETERS_UNKNOWN: the driver does not report it */
    struct mw_kernel_limits limits;
    struct mw_range asked, ruled; /* the last range without a group, and that range with the group by rule */
    uint64_t launches;
    uint64_t loaded[8];      /* hashes of groups that were launched, for drivers that load a kernel per group */
    unsigned loads;          /* entries in `loaded` */
    struct mw_event *sample; /* a launch whose time is not yet added (devices opened with `profile`) */
    unsigned samples;        /* launches whose times are added */
    double sample_seconds;   /* sum of their times */
    void *impl;
};
/* Completion event of queued work; complete if impl is NULL. */
struct mw_event {
    struct mw_device *device;
    void *impl;
    void *first; /* if one launch became several commands: the first one's, otherwise NULL */
};

/* Input of a backend's compiler. */
struct mw_build {
    const char *text; /* flattened: defines, prelude, everything included, with #line marks */
    size_t length;
    const char *options; /* compiler options, without -I */
    const char *label;   /* the file's name, for messages */
};
/* Compiled code as bytes, for the cache on disk. */
struct mw_binary {
    char *bytes;
    size_t n;
};

/* device_list.c: makes an empty list, for mw_device_list_add and mw_device_list_note. */
int mw_device_list_empty(struct mw_device_list **list);
/* Adds a copy of a device to a list, with its backend and traits. `handle` is passed to the backend's `open`. If the
 * list has a device with this UUID or PCI address from the same backend, the new one is omitted with a note; if from
 * another backend, it becomes a second id. */
int mw_device_list_add(struct mw_device_list *list, const struct mw_backend *backend, const struct mw_device_info *info,
                       const void *handle);
/* Adds a note to a list: the fact, and after "; " the remedy, if there is one. */
void mw_device_list_note(struct mw_device_list *list, const char *format, ...) MW_PRINTF(2, 3);
/* Lists the devices of the backend of this name; NULL: of all backends. */
int mw_device_list_of(const char *backend, struct mw_device_list **list);
/* An entry of a device list. */
struct mw_listed {
    struct mw_device_info info;
    const struct mw_backend *backend;
    const void *handle; /* the backend's, for `open` */
    pid_t process;      /* process that has listed it */
};
/* Returns entry i of a list, or NULL beyond the end. */
const struct mw_listed *mw_device_listed(const struct mw_device_list *list, size_t i);

/* forked.c: registers an open device, so that calls on it fail in forked children. */
void mw_device_opened(struct mw_device *device);
/* Unregisters a device that is closed. */
void mw_device_closed(struct mw_device *device);
/* Returns whether a device was opened by a parent process, so that this process cannot use it. */
bool mw_device_is_lost(const struct mw_device *device);

/* Kinds of calls of a backend, for `enter`. */
enum mw_backend_entry {
    MW_ENTRY_WORK,   /* queues or waits: delayed launches are submitted first */
    MW_ENTRY_LAUNCH, /* launches a kernel, which may be delayed */
    MW_ENTRY_FREE    /* frees an object, and cannot fail */
};

/* Copies bytes to a buffer if `from` is not NULL, otherwise from it to `to`, both in host memory. Asynchronous if event
 * is not NULL: event->impl is set. */
typedef int mw_transfer_fn(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                           struct mw_event *event);

/* A backend's functions for buffers and staging memory. */
struct mw_memory_calls {
    int (*buffer_new)(struct mw_buffer *buffer);
    void (*buffer_free)(struct mw_buffer *buffer);
    /* Makes a buffer of memory that stays the caller's, on the device or (`host`) the host. */
    int (*borrow)(struct mw_buffer *buffer, void *memory, bool host);
    /* With an event, `transfer`, `flush` and event_wait are also called by several threads at once if there is a
     * `staging_new` (memory/pieces.c). `copy` has events like those of `transfer`. */
    mw_transfer_fn *transfer;
    int (*copy)(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                struct mw_event *event);
    int (*fill)(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value);
    /* Sets *memory to a buffer's bytes without a copy, after all queued work; it stays NULL if the host cannot access
     * them. `writes`: the host will write there. Until `unmap` nothing else uses the buffer. NULL: the host cannot
     * access buffers. */
    int (*map)(struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory);
    int (*unmap)(struct mw_buffer *buffer, void *memory);
    /* Sets ->memory, and ->impl if there is more to free. NULL: ordinary memory of the host is as fast. */
    int (*staging_new)(struct mw_staging *staging);
    void (*staging_free)(struct mw_staging *staging);
};

/* A backend's functions for a second queue of a device, used for transfers that overlap with work. */
struct mw_queue_calls {
    /* Makes later commands of the second queue wait for all earlier work. */
    int (*second_after_first)(struct mw_device *device);
    /* Makes later work wait for all earlier commands of the second queue. */
    int (*first_after_second)(struct mw_device *device);
    /* Exchanges the queues of work and of concurrent transfers. */
    int (*swap_queues)(struct mw_device *device);
    /* Transfers by the second queue. */
    mw_transfer_fn *transfer;
};

/* A backend's functions for images, called on devices whose info has images. */
struct mw_image_calls {
    int (*check)(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes);
    int (*new)(struct mw_image *image);
    void (*free)(struct mw_image *image);
    /* Copy all cells between the image and the same number of bytes of the buffer. */
    int (*from)(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event);
    int (*to)(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event);
};

/* A backend's functions for compilation. build/build.c handles the cache, sharing and messages. */
struct mw_compile_calls {
    /* The file in the kernel folder that defines the words of OpenCL C, included before all .cl files; NULL: not
     * needed. */
    const char *preamble;
    bool common_code; /* all devices of the process share code */
    /* Appends everything besides text and options that determines a binary: the compiler and its target. */
    int (*identify)(const struct mw_device *device, const struct mw_build *build, struct mw_text *key);
    /* Compiles to loaded code, or to a binary to be loaded, or (so that it is cached) both. bytes are malloc'ed. Calls
     * mw_build_failed if the compiler refuses the text. */
    int (*compile)(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                   struct mw_binary *binary);
    /* Loads a binary. One from the cache may be unusable; `compile` is called after such a failure. */
    int (*load)(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                struct mw_code *code);
    void (*unload)(struct mw_code *code);
};

/* A backend's functions for copies between two of its devices. */
struct mw_peer_calls {
    /* Returns whether `copy` of the memory calls also accepts buffers of these two devices. */
    bool (*reaches)(const struct mw_device *from, const struct mw_device *to);
    /* Copies in the order of from's second queue, to a buffer of that device or of a reachable one, without ordering on
     * the latter. NULL: not available. */
    int (*second_copy)(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                       struct mw_event *event);
};

/* The table of a backend's functions. */
struct mw_backend {
    const char *name;
    int priority;  /* for hardware of two backends: the larger one's id is shown first */
    bool compiles; /* compiles kernels for separate devices; false: runs C functions */
    /* Adds the backend's devices.  Trouble with one platform is a note, never an error. */
    int (*list)(const struct mw_backend *self, struct mw_device_list *list);
    /* Opens the device of a handle that `list` gave to mw_device_list_add. */
    int (*open)(struct mw_device *device, const void *handle);
    void (*close)(struct mw_device *device);
    /* Finds the handle of the listed device of a caller's queue. NULL: no queues. */
    int (*device_of)(void *queue, const void **handle);
    /* Called before and after each call by MW_CALL and similar macros: set contexts and take locks for the calling
     * thread. If `enter` fails, `leave` is not called. Both NULL: not needed. */
    int (*enter)(struct mw_device *device, enum mw_backend_entry entry);
    void (*leave)(struct mw_device *device);
    int (*flush)(struct mw_device *device);
    int (*finish)(struct mw_device *device);
    /* Returns whether an open device also works in a forked child. NULL: never, and the child cannot list the backend's
     * devices if its parent has. */
    bool (*survives_fork)(const struct mw_device *device);

    const struct mw_memory_calls *memory;
    const struct mw_queue_calls *queue;     /* NULL: all work is done within its call */
    const struct mw_image_calls *images;    /* NULL: no device has images */
    const struct mw_compile_calls *compile; /* NULL: runs kernels that were compiled with the library */
    const struct mw_peer_calls *peer;       /* NULL: no device reaches another one's memory */

    /* Makes a kernel, and fills kernel->limits and ->parameters, which are used to check launches. */
    int (*kernel_new)(struct mw_kernel *kernel);
    void (*kernel_free)(struct mw_kernel *kernel);
    /* Queues a launch. The caller has checked the arguments against the parameters; if the backend `compiles`,
     * range->group is set and range->global is a multiple of it. */
    int (*launch)(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                  struct mw_event *event);

    int (*event_wait)(struct mw_event *event);
    int (*event_seconds)(const struct mw_event *event, double *seconds);
    void (*event_free)(struct mw_event *event);
};

/* Calls the backend's `enter`, if there is one; returns its status. */
static inline int mw_enter(struct mw_device *device, enum mw_backend_entry entry)
{
    return device->backend->enter ? device->backend->enter(device, entry) : 0;
}
/* Calls the backend's `leave`, if there is one; returns rc. */
static inline int mw_leave(struct mw_device *device, int rc)
{
    if (device->backend->leave)
        device->backend->leave(device);
    return rc;
}
/* Calls a device's backend between `enter` and `leave`; returns the status. Must not be nested. Not needed for
 * `identify`, image_check and event_seconds, which only query the driver, nor for `open` and `close`. */
#define MW_CALL_AS(entry, device, call)                                                                                \
    __extension__({                                                                                                    \
        const int mw_entered_ = mw_enter(device, entry);                                                               \
        mw_entered_ ? mw_entered_ : mw_leave(device, call);                                                            \
    })
/* Calls a device's backend for work, as MW_CALL_AS does. */
#define MW_CALL(device, call) MW_CALL_AS(MW_ENTRY_WORK, device, call)
/* Calls a function of a device's backend that has no status, even if `enter` fails. */
#define MW_CALL_FREE(device, call)                                                                                     \
    do {                                                                                                               \
        const int mw_entered_ = mw_enter(device, MW_ENTRY_FREE);                                                       \
        call;                                                                                                          \
        if (mw_entered_ == 0)                                                                                          \
            (void)mw_leave(device, 0);                                                                                 \
    } while (0)

/* All backends, in the order of listing, ended by NULL (src/dev/backends.c). */
extern const struct mw_backend *const mw_backends[];

/* event.c: makes an event, to be filled by a backend; if impl stays NULL, it is complete. */
int mw_event_new(struct mw_device *device, struct mw_event **event);

/* build/build.c: a reference to loaded code, which equal builds share. */
struct mw_object;
/* Returns a reference to the code of a build, compiled or loaded if needed. Concurrent requests compile it once.
 * Errors: those of the backend. */
int mw_object_get(struct mw_device *device, const struct mw_build *build, struct mw_object **object);
/* Returns the code of a reference. */
const struct mw_code *mw_object_code(const struct mw_object *object);
/* Releases a reference. The most recent unused codes are kept until their device is closed. */
void mw_object_put(struct mw_object *object);
/* Unloads the kept codes of a device that is closed. */
void mw_objects_forget(const struct mw_device *device);
/* Makes the key under which the binary of a build is cached on disk; the caller frees *key. */
int mw_build_key(const struct mw_device *device, const struct mw_build *build, char **key);

/* build/log.c: reports a compiler's failure. Keeps the log for mw_build_log, and fails with MW_EBUILD, the log's first
 * error and the place in the user's file. */
int mw_build_failed(const struct mw_device *device, const struct mw_build *build, char *log);
/* core/build_log.c: removes and returns the text of this thread's mw_build_log: malloc'ed, or NULL without one. */
char *mw_build_log_take(void);
/* Sets this thread's mw_build_log and takes ownership, such as of another thread's log. */
void mw_build_log_give(char *log);

/* memory/image.c: fails with MW_ELIMIT, since an image's dimension has more than `most` cells. */
int mw_image_too_long(const struct mw_device *device, unsigned dims, unsigned d, size_t length, size_t most);
/* kernel.c: fails with MW_EINVAL, since a compiled program has no kernel of this name. */
int mw_kernel_missing(const struct mw_kernel *kernel);

/* memory/transfer.c: copies between devices through the host; returns when it is done. */
int mw_copy_between(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes);

/* memory/buffer.c: makes later commands of the device's second queue wait for all work queued so far. Without a second
 * queue, its commands are in the order of all work. */
int mw_second_after_first(struct mw_device *device);
/* Makes later work wait for all commands queued so far on the second queue. */
int mw_first_after_second(struct mw_device *device);
/* Calls mw_second_after_first, and directs all queued work and launches to the second queue until mw_second_leave. Must
 * not be nested. */
int mw_second_enter(struct mw_device *device);
/* Directs work to the first queue again; does not wait: use mw_first_after_second, or an event. */
int mw_second_leave(struct mw_device *device);
/* Queues a transfer to host memory on the second queue. Until *done is complete, nothing else may write to these bytes.
 * mw_device_flush submits it, and mw_device_finish waits for it. */
int mw_second_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done);
/* Queues a transfer from host memory on the second queue, like mw_second_read. */
int mw_second_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done);
/* Returns whether mw_second_copy can copy between these devices. */
bool mw_second_reaches(const struct mw_device *from, const struct mw_device *to);
/* Queues a copy on the second queue of from's device, to a device that mw_second_reaches. Work on the receiving device
 * is not ordered with it. */
int mw_second_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                   struct mw_event **done);

/* A part of a range of work-items that one launch can process: its first item and its size. */
struct mw_slice {
    size_t offset[3], global[3];
};
/* slices.c: computes the next slice of a range of whole groups within the device's limits. Start with { 0 }; returns
 * false after the last slice. */
bool mw_slice_next(const struct mw_grid *grid, const struct mw_range *range, struct mw_slice *slice);

/* Returns the free bytes of a device's memory; UINT64_MAX if its size is unknown. */
static inline uint64_t mw_memory_left(const struct mw_device *device)
{
    const uint64_t all = device->info.memory_bytes, taken = device->allocated;
    return all == 0 ? UINT64_MAX : all > taken ? all - taken : 0;
}
/* memory/buffer.c: fails with MW_ELIMIT if a device's memory has no room for `bytes` more; `what` is the word for the
 * object in the message ("a buffer"). */
int mw_budget_check(const struct mw_device *device, const char *what, size_t bytes);

/* build/flatten.c: writes a source with all its includes as one text, which the caller frees by mw_text_free. Includes
 * are searched in the source's texts, then in the kernel folder, and included once. #line marks make compiler messages
 * name the user's files. #include <...> is kept if the source's file is its native_file, and an error elsewhere. */
int mw_flatten(const char *kernel_path, const struct mw_source *source, struct mw_text *flat);
/* Returns whether a source's file is the caller's: given by its path, or as one of its texts. */
bool mw_source_is_own(const struct mw_source *source);

/* build/cache.c: reads the built program of a key from the cache on disk, otherwise from the cache for all users; the
 * caller frees *bytes. Returns false if the entry is missing, damaged or foreign. A key is any text: its hash is the
 * file name, and the file contains it. */
bool mw_cache_get(const char *key, char **bytes, size_t *n);
/* Writes a built program to the cache on disk; ignores failures. */
void mw_cache_put(const char *key, const void *bytes, size_t n);
/* Locks an entry, so that only one process makes it: some drivers fail if two compile the same program at once. False:
 * another process is making it; call mw_cache_wait. *lock -1: locking failed; make the entry without a lock. */
bool mw_cache_lock(const char *key, int *lock);
/* Waits until the process that makes an entry has unlocked it, after mw_cache_lock returned false. */
void mw_cache_wait(const char *key, int lock);
/* Waits for all processes that make or load entries, and keeps others from it, so that files can be removed. */
void mw_cache_lock_all(int *lock);
/* Releases a lock of mw_cache_lock or mw_cache_lock_all. */
void mw_cache_unlock(int lock);
/* build/kept.c: compares PoCL's cached files in a folder with the record in our cache folder. Removes programs that
 * have a damaged or changed file; *removed is their number. */
int mw_kept_check(const char *folder, size_t *removed);
/* Makes the next process remove all of PoCL's cached files. Async-signal-safe. */
void mw_kept_distrust(void);

/* Removes the least recently used entries of the cache of built programs until the others take at most `bytes`. */
int mw_cache_trim(uint64_t bytes);

#endif
/* SPDX-License-Identifier: MIT */

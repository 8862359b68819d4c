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

/* Limits of one launch per dimension, set by `open`; 0: no limit. */
struct mw_grid {
    size_t items[3], groups[3];
};

struct mw_device {
    const struct mw_backend *backend;
    struct mw_device_info info;
    struct mw_device_options options;
    char *kernel_path;            /* resolved copy of options.kernel_path, or NULL */
    const char *build_options[2]; /* for the compiler, set by `open`: for reproducible bits, for fast math */
    uint64_t allocated;           /* bytes in live buffers and images: our own memory budget */
    struct mw_grid grid;
    struct mw_staging *pieces;      /* buffer for copies to other devices; NULL before the first one */
    struct mw_copy_pool *copy_pool; /* threads for large transfers; NULL before the first one */
    bool without_copy_pool;         /* they could not be started */
    void *queue;                    /* the caller's, used by `open`; NULL: it makes its own */
    struct mw_device *next_open;    /* list of all open devices: forked.c */
    void *impl;
};

struct mw_buffer {
    struct mw_device *device;
    size_t bytes;
    void *impl;
    bool borrowed; /* its memory is the caller's */
};
static inline void mw_buffer_swap(struct mw_buffer **a, struct mw_buffer **b)
{
    struct mw_buffer *const held = *a;
    *a = *b;
    *b = held;
}
struct mw_staging {
    struct mw_device *device;
    size_t bytes;
    void *memory, *impl;
};
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
    unsigned types;      /* bits (MW_TAKES) per enum mw_arg_type or MW_ARG_LOCAL; 0: unknown */
    size_t bytes;        /* size of a value; 0: unknown */
    unsigned image_dims; /* for an image */
};
enum { MW_ARG_LOCAL = MW_ARG_IMAGE + 1 }; /* local memory, which cannot be an argument */
#define MW_TAKES(type) (1u << (type))
#define MW_TAKES_VALUES (MW_TAKES(MW_ARG_IMAGE) - MW_TAKES(MW_ARG_I32))
#define MW_PARAMETERS_UNKNOWN SIZE_MAX
struct mw_program {
    struct mw_device *device;
    uint64_t hash;
    struct mw_object *object; /* owner of its code; NULL: compiled with the library */
    struct mw_code code;
};
struct mw_kernel {
    struct mw_device *device;
    struct mw_program *program;
    char *name;
    struct mw_parameter *parameters; /* owned */
    size_t parameter_count;          /* MW_PARAMETERS_UNKNOWN: the driver does not report it */
    struct mw_kernel_limits limits;
    struct mw_range asked, ruled; /* the last range without a group, and the same with the rule's group */
    uint64_t launches;
    uint64_t loaded[8]; /* hashes of groups, for drivers that load a kernel per group */
    unsigned loads;
    struct mw_event *sample; /* a launch whose time is not yet added (devices opened with `profile`) */
    unsigned samples;
    double sample_seconds;
    void *impl;
};
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
/* Code as bytes, which the cache keeps. */
struct mw_binary {
    char *bytes;
    size_t n;
};

/* device_list.c: makes an empty list, to be filled by the two functions below. */
int mw_device_list_empty(struct mw_device_list **list);
/* For a backend's `list`: adds a device (copied, with its backend and traits filled in) with an opaque word that `open`
 * gets back.  A device that another platform has listed already (same UUID or PCI address) is omitted with a note.  If
 * another backend has listed it, it becomes a second id. */
int mw_device_list_add(struct mw_device_list *list, const struct mw_backend *backend, const struct mw_device_info *info,
                       const void *handle);
/* Adds a note: the fact, and after "; " the remedy, if there is one. */
void mw_device_list_note(struct mw_device_list *list, const char *format, ...) MW_PRINTF(2, 3);
/* Lists the devices of one backend, of all for NULL. */
int mw_device_list_of(const char *backend, struct mw_device_list **list);
/* An entry of a list, and the function that returns it (NULL beyond the end). */
struct mw_listed {
    struct mw_device_info info;
    const struct mw_backend *backend;
    const void *handle;
    pid_t process; /* process that has listed it */
};
const struct mw_listed *mw_device_listed(const struct mw_device_list *list, size_t i);

/* forked.c: make calls on an open device fail in forked children, until it is closed. */
void mw_device_opened(struct mw_device *device);
void mw_device_closed(struct mw_device *device);
/* Returns whether the device is of a parent process. */
bool mw_device_is_lost(const struct mw_device *device);

/* Kinds of calls of a backend. Work comes after delayed launches; a launch may be delayed itself; a free has no
 * status. */
enum mw_backend_entry { MW_ENTRY_WORK, MW_ENTRY_LAUNCH, MW_ENTRY_FREE };

struct mw_memory_calls {
    int (*buffer_new)(struct mw_buffer *buffer);
    void (*buffer_free)(struct mw_buffer *buffer);
    /* Like buffer_new, with memory that stays the caller's, on the device or the host. */
    int (*borrow)(struct mw_buffer *buffer, void *memory, bool host);
    /* Asynchronous when event is not NULL: event->impl is set.  With an event, `write`, `read`, `flush` and event_wait
     * are also called by several threads at once if there is a `staging_new` (memory/pieces.c). */
    int (*write)(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event);
    int (*read)(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event);
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

/* A second queue, for concurrent transfers, and between two swaps for all work. After `fork`, its commands wait for all
 * earlier work; after `join`, work waits for all its commands. */
struct mw_queue_calls {
    int (*second_after_first)(struct mw_device *device);
    int (*first_after_second)(struct mw_device *device);
    /* Exchanges the queues of work and of concurrent transfers. */
    int (*swap_queues)(struct mw_device *device);
    int (*read)(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event);
    int (*write)(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event);
};

/* Called on devices whose info has images. */
struct mw_image_calls {
    int (*check)(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes);
    int (*new)(struct mw_image *image);
    void (*free)(struct mw_image *image);
    /* Copy all cells between the image and the same number of bytes of the buffer. */
    int (*from)(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event);
    int (*to)(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event);
};

/* Compilation for build/build.c, which handles the cache, sharing and messages. */
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

/* Between devices of the backend. */
struct mw_peer_calls {
    /* Returns whether `copy` of the memory calls also accepts buffers of these two devices. */
    bool (*reaches)(const struct mw_device *from, const struct mw_device *to);
    /* Copies in the order of from's second queue, to a buffer of that device or of a reachable one, without ordering on
     * the latter. NULL: not available. */
    int (*second_copy)(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                       struct mw_event *event);
};

struct mw_backend {
    const char *name;
    int priority;  /* for hardware of two backends: the larger one's id is shown first */
    bool compiles; /* compiles kernels for separate devices; false: runs C functions */
    /* Adds the backend's devices.  Trouble with one platform is a note, never an error. */
    int (*list)(const struct mw_backend *self, struct mw_device_list *list);
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

    /* Also fills kernel->limits and ->parameters, which are used to check launches. */
    int (*kernel_new)(struct mw_kernel *kernel);
    void (*kernel_free)(struct mw_kernel *kernel);
    /* Count and types of the arguments match the parameters. In compiling backends range->group is set, and
     * range->global is a multiple of it. */
    int (*launch)(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                  struct mw_event *event);

    int (*event_wait)(struct mw_event *event);
    int (*event_seconds)(const struct mw_event *event, double *seconds);
    void (*event_free)(struct mw_event *event);
};

static inline int mw_enter(struct mw_device *device, enum mw_backend_entry entry)
{
    return device->backend->enter ? device->backend->enter(device, entry) : 0;
}
/* Returns rc. */
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
#define MW_CALL(device, call) MW_CALL_AS(MW_ENTRY_WORK, device, call)
/* The same for a call without a status, which is made even if `enter` fails. */
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

/* build/build.c: returns the code of a build. Equal builds share it, and concurrent requests compile it once. The most
 * recent unused codes are kept until their device is closed. Errors: those of the backend. */
struct mw_object;
int mw_object_get(struct mw_device *device, const struct mw_build *build, struct mw_object **object);
const struct mw_code *mw_object_code(const struct mw_object *object);
void mw_object_put(struct mw_object *object);
/* Drops the codes of a device that is closed. */
void mw_objects_forget(const struct mw_device *device);
/* Returns the key under which its binary is cached. */
int mw_build_key(const struct mw_device *device, const struct mw_build *build, char **key);

/* build/log.c: reports a compiler's failure. Keeps the log for mw_build_log, and fails with MW_EBUILD, the log's first
 * error and the place in the user's file. */
int mw_build_failed(const struct mw_device *device, const struct mw_build *build, char *log);
/* core/build_log.c: moves this thread's mw_build_log to another thread: malloc'ed, or NULL. */
char *mw_build_log_take(void);
void mw_build_log_give(char *log);

/* memory/transfer.c: copies between devices through the host; returns when it is done. */
int mw_copy_between(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes);

/* memory/buffer.c: concurrent work on the backend's second queue. During a transfer nothing else writes to these bytes,
 * on either side, until the event is complete. mw_device_flush submits transfers, mw_device_finish waits for them. */
int mw_second_after_first(struct mw_device *device);
int mw_first_after_second(struct mw_device *device);
/* Forks: until mw_second_leave, all queued work, launches as well, goes to the second queue. mw_second_leave does not
 * wait for it: use mw_first_after_second, or an event. Must not be nested. */
int mw_second_enter(struct mw_device *device);
int mw_second_leave(struct mw_device *device);
int mw_second_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done);
int mw_second_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done);
/* Returns whether mw_second_copy copies between these devices. */
bool mw_second_reaches(const struct mw_device *from, const struct mw_device *to);
int mw_second_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                   struct mw_event **done);

/* slices.c: splits a range of whole groups into launches within the device's grid. Start with { 0 }; returns false
 * after the last slice. */
struct mw_slice {
    size_t offset[3], global[3];
};
bool mw_slice_next(const struct mw_grid *grid, const struct mw_range *range, struct mw_slice *slice);

/* Returns the free bytes of a device's memory; UINT64_MAX if its size is unknown. */
static inline uint64_t mw_memory_left(const struct mw_device *device)
{
    const uint64_t all = device->info.memory_bytes, taken = device->allocated;
    return all == 0 ? UINT64_MAX : all > taken ? all - taken : 0;
}
/* memory/buffer.c: checks that a device has room for another `what` (a buffer, an image) of so many bytes.
 * MW_ELIMIT. */
int mw_budget_check(const struct mw_device *device, const char *what, size_t bytes);

/* build/flatten.c: resolves #include by texts, then by the kernel folder; every file at most once; marks lines with
 * #line so that compiler messages name the user's files.  NULL-safe free by mw_text_free. #include <...> is for the
 * host's compiler: it is kept if the source's file is its native_file, and is an error elsewhere. */
int mw_flatten(const char *kernel_path, const struct mw_source *source, struct mw_text *flat);
/* Returns whether the file is the caller's: given by its path, or as a text. */
bool mw_source_is_own(const struct mw_source *source);

/* build/cache.c: built programs on disk.  A key is any text; a hash of it names the file and the whole key is stored
 * inside and compared.  A missing, damaged or foreign entry is "not found" (returns false), never an error. */
bool mw_cache_get(const char *key, char **bytes, size_t *n);
void mw_cache_put(const char *key, const void *bytes, size_t n);
/* Locks an entry, so that only one process makes it: some drivers fail if two compile the same at once. False: another
 * process is making it; call mw_cache_wait. *lock -1: locking failed, and the entry should be made without it. */
bool mw_cache_lock(const char *key, int *lock);
void mw_cache_wait(const char *key, int lock);
/* Waits for all processes that make or load entries, to remove files. */
void mw_cache_lock_all(int *lock);
void mw_cache_unlock(int lock);
/* build/kept.c: compares PoCL's files in a folder with the record in the folder of caches. Removes programs with a
 * damaged or changed file, and returns their number. */
int mw_kept_check(const char *folder, size_t *removed);
/* Makes the next process remove all of them. Async-signal-safe. */
void mw_kept_distrust(void);

/* Removes the least recently used entries until the rest takes at most so many bytes. */
int mw_cache_trim(uint64_t bytes);

#endif
/* SPDX-License-Identifier: MIT */

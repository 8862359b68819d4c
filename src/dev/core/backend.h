/* The interface that a backend fills: one folder, one table.  Internal.
 *
 * device.c, memory/, program.c and kernel.c check arguments and own the structs below; a backend sees only legal calls
 * and keeps its own state behind the `impl` pointers.  Every function returns 0 or a status with its sentence set. */
#ifndef MW_BACKEND_H
#define MW_BACKEND_H

#include <meshwork/device.h>
#include <meshwork/image.h>
#include <meshwork/program.h>

#include "base/base.h"

#include <sys/types.h>

struct mw_backend;

/* What one launch may have at most in each dimension, set by `open`; 0: no limit. */
struct mw_grid {
    size_t items[3], groups[3];
};

struct mw_device {
    const struct mw_backend *backend;
    struct mw_device_info info;
    struct mw_device_options options;
    char *kernel_path;            /* resolved copy of options.kernel_path, or NULL */
    const char *build_options[2]; /* of the compiler, set by `open`: for reproducible bits, for fast math */
    uint64_t allocated;           /* bytes in live buffers and images: our own memory budget */
    struct mw_grid grid;
    struct mw_staging *pieces;      /* what copies to other devices go through; NULL until there was one */
    struct mw_copy_pool *copy_pool; /* threads for large transfers; NULL until there was one */
    bool without_copy_pool;         /* they could not be had */
    void *queue;                    /* the caller's, for `open` to take; NULL: it makes its own */
    struct mw_device *next_open;    /* of all open devices: forked.c */
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
/* Code that is loaded: what kernels are made from. */
struct mw_code {
    void *impl;                            /* the backend's; NULL only of kernels that were compiled with the library */
    const struct mw_native_kernel *native; /* of native devices: their table, ended by a NULL name */
};
/* What a kernel's parameter takes, as far as it is known. */
struct mw_parameter {
    unsigned types;      /* a bit (MW_TAKES) an enum mw_arg_type or MW_ARG_LOCAL; 0: not known */
    size_t bytes;        /* of a value; 0: not known */
    unsigned image_dims; /* of an image */
};
enum { MW_ARG_LOCAL = MW_ARG_IMAGE + 1 }; /* local memory, which no argument is */
#define MW_TAKES(type) (1u << (type))
#define MW_TAKES_VALUES (MW_TAKES(MW_ARG_IMAGE) - MW_TAKES(MW_ARG_I32))
#define MW_PARAMETERS_UNKNOWN SIZE_MAX
struct mw_program {
    struct mw_device *device;
    uint64_t hash;
    struct mw_object *object; /* that its code is of; NULL: compiled with the library */
    struct mw_code code;
};
struct mw_kernel {
    struct mw_device *device;
    struct mw_program *program;
    char *name;
    struct mw_parameter *parameters; /* owned */
    size_t parameter_count;          /* MW_PARAMETERS_UNKNOWN: the driver does not report it */
    struct mw_kernel_limits limits;
    struct mw_range asked, ruled; /* the last range without a group, and what the rule made of it */
    uint64_t launches;
    uint64_t loaded[8]; /* hashes of groups, for drivers that load it for each of them */
    unsigned loads;
    struct mw_event *sample; /* of a launch whose time is not yet added (devices opened with `profile`) */
    unsigned samples;
    double sample_seconds;
    void *impl;
};
struct mw_event {
    struct mw_device *device;
    void *impl;
    void *first; /* where one launch became several commands: the first one's, else NULL */
};

/* What a backend compiles. */
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

/* device_list.c: a list to be filled by the two functions below. */
int mw_device_list_empty(struct mw_device_list **list);
/* For a backend's `list`: adds a device (copied, with its backend and traits filled in) with an opaque word that `open`
 * gets back.  A device that another platform has listed already (same UUID or PCI address) is noted and left out, or,
 * of another backend, another id of that. */
int mw_device_list_add(struct mw_device_list *list, const struct mw_backend *backend, const struct mw_device_info *info,
                       const void *handle);
/* A note says what there is; where there is something to do about it, that follows "; ". */
void mw_device_list_note(struct mw_device_list *list, const char *format, ...) MW_PRINTF(2, 3);
/* Lists the devices of one backend, of all for NULL. */
int mw_device_list_of(const char *backend, struct mw_device_list **list);
/* What a list holds at a position, NULL beyond its end. */
struct mw_listed {
    struct mw_device_info info;
    const struct mw_backend *backend;
    const void *handle;
    pid_t process; /* that has listed it */
};
const struct mw_listed *mw_device_listed(const struct mw_device_list *list, size_t i);

/* forked.c: an open device, until it is closed, fails in children that are forked. */
void mw_device_opened(struct mw_device *device);
void mw_device_closed(struct mw_device *device);
/* Whether that has happened to it. */
bool mw_device_is_lost(const struct mw_device *device);

/* quirks.c: fills info->traits from the rest of it, which is as a driver says it, and puts that right. */
void mw_quirks_learn(struct mw_device_info *info);
/* What makes a platform that has no devices show some; NULL: not known. */
const char *mw_quirks_remedy(const char *platform);

/* What a call of a backend does.  Work comes after the launches that wait; a launch may wait itself; a free has no
 * status. */
enum mw_backend_entry { MW_ENTRY_WORK, MW_ENTRY_LAUNCH, MW_ENTRY_FREE };

struct mw_memory_calls {
    int (*buffer_new)(struct mw_buffer *buffer);
    void (*buffer_free)(struct mw_buffer *buffer);
    /* In place of buffer_new, of memory that stays the caller's: the device's, or the host's. */
    int (*borrow)(struct mw_buffer *buffer, void *memory, bool host);
    /* Asynchronous when event is not NULL: event->impl is set.  With an event, `write`, `read`, `flush` and event_wait
     * are also called by several threads at once, where there is a `staging_new` (memory/pieces.c). */
    int (*write)(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event);
    int (*read)(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event);
    int (*copy)(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                struct mw_event *event);
    int (*fill)(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value);
    /* Where the host finds a buffer's bytes without a copy, once all work queued before is done; *memory stays NULL
     * where it does not.  `writes`: the host will write there.  Until the end nothing else uses the buffer.  NULL: the
     * host reaches no buffer. */
    int (*map)(struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory);
    int (*unmap)(struct mw_buffer *buffer, void *memory);
    /* Sets ->memory, and ->impl where there is more to free.  NULL: any memory of the host is as good. */
    int (*staging_new)(struct mw_staging *staging);
    void (*staging_free)(struct mw_staging *staging);
};

/* A second queue, for transfers beside other work, and between two swaps for all that is queued.  What is queued there
 * after `fork` waits for all work queued before it, and after `join` work waits for all that is there. */
struct mw_queue_calls {
    int (*fork)(struct mw_device *device);
    int (*join)(struct mw_device *device);
    /* From now on all work goes where transfers beside went, and these where it went. */
    int (*swap)(struct mw_device *device);
    int (*read)(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event);
    int (*write)(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event);
};

/* Called on devices whose info says that they have images. */
struct mw_image_calls {
    int (*check)(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes);
    int (*new)(struct mw_image *image);
    void (*free)(struct mw_image *image);
    /* All cells, between the image and as many bytes of the buffer. */
    int (*from)(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event);
    int (*to)(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event);
};

/* What build/build.c makes code by; it asks the cache, shares code, and says what is done. */
struct mw_compile_calls {
    /* The file below the kernel folder that has the words of OpenCL C, before all .cl files; NULL: it takes them. */
    const char *preamble;
    bool common_code; /* code is of the process, not of a device */
    /* Appends what decides, beside text and options, what a binary is: who compiles it, for what. */
    int (*identify)(const struct mw_device *device, const struct mw_build *build, struct mw_text *key);
    /* Compiles: gives loaded code, or a binary to be loaded, or (so that it is cached) both.  bytes are malloc'ed.
     * mw_build_failed where the compiler refuses the text. */
    int (*compile)(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                   struct mw_binary *binary);
    /* A binary that is from the cache may be of no use any more; a failure then leads to `compile`. */
    int (*load)(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                struct mw_code *code);
    void (*unload)(struct mw_code *code);
};

/* Between devices of the backend. */
struct mw_peer_calls {
    /* Whether `copy` of the memory calls also takes buffers of these two devices. */
    bool (*reaches)(const struct mw_device *from, const struct mw_device *to);
    /* In the order of from's second queue, to a buffer of that device or of one within reach, of whose own order it
     * knows nothing.  NULL: there is no such way. */
    int (*copy_beside)(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                       struct mw_event *event);
};

struct mw_backend {
    const char *name;
    int priority;  /* of hardware that two backends have, the one of the larger is shown first */
    bool compiles; /* kernels, for a device of its own; false: it runs C functions */
    /* Adds the backend's devices.  Trouble with one platform is a note, never an error. */
    int (*list)(const struct mw_backend *self, struct mw_device_list *list);
    int (*open)(struct mw_device *device, const void *handle);
    void (*close)(struct mw_device *device);
    /* The handle of the listed device that a caller's queue is of.  NULL: it has no queues. */
    int (*device_of)(void *queue, const void **handle);
    /* Before and after each call that is made by MW_CALL and its like: takes up contexts and locks of the calling
     * thread.  If `enter` fails there is no `leave`.  Both NULL: there are none. */
    int (*enter)(struct mw_device *device, enum mw_backend_entry entry);
    void (*leave)(struct mw_device *device);
    int (*flush)(struct mw_device *device);
    int (*finish)(struct mw_device *device);
    /* Whether an open device also works in a child that fork() made.  NULL: none does, nor can the child list the
     * backend's devices once its parent has. */
    bool (*survives_fork)(const struct mw_device *device);

    const struct mw_memory_calls *memory;
    const struct mw_queue_calls *queue;     /* NULL: all work is done within its call */
    const struct mw_image_calls *images;    /* NULL: no device has images */
    const struct mw_compile_calls *compile; /* NULL: it runs kernels that were compiled with the library */
    const struct mw_peer_calls *peer;       /* NULL: no device reaches another one's memory */

    /* Also fills kernel->limits and ->parameters, which launches are checked against. */
    int (*kernel_new)(struct mw_kernel *kernel);
    void (*kernel_free)(struct mw_kernel *kernel);
    /* Count and types of the arguments are the kernel's parameters'; range->group is filled in and range->global is a
     * multiple of it (compiling backends). */
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
/* A call of a device's backend with what it takes up, and its status.  Not within one another.  `identify`,
 * image_check and event_seconds only ask the driver, and `open` and `close` see to themselves: these are called as they
 * are. */
#define MW_CALL_AS(entry, device, call)                                                                                \
    __extension__({                                                                                                    \
        const int mw_entered_ = mw_enter(device, entry);                                                               \
        mw_entered_ ? mw_entered_ : mw_leave(device, call);                                                            \
    })
#define MW_CALL(device, call) MW_CALL_AS(MW_ENTRY_WORK, device, call)
/* Of a call without a status, which is made whether or not the device can be entered. */
#define MW_CALL_FREE(device, call)                                                                                     \
    do {                                                                                                               \
        const int mw_entered_ = mw_enter(device, MW_ENTRY_FREE);                                                       \
        call;                                                                                                          \
        if (mw_entered_ == 0)                                                                                          \
            (void)mw_leave(device, 0);                                                                                 \
    } while (0)

/* All backends, in the order of listing, ended by NULL (src/dev/backends.c). */
extern const struct mw_backend *const mw_backends[];

/* event.c: an event to be filled by a backend; one whose impl stays NULL is complete. */
int mw_event_new(struct mw_device *device, struct mw_event **event);

/* build/build.c: code for a build, shared by all that ask for the same; two threads that want it at once compile it
 * once.  What nobody uses any more stays for who asks again: the latest of it, until its device is closed.
 * Errors: those of the backend. */
struct mw_object;
int mw_object_get(struct mw_device *device, const struct mw_build *build, struct mw_object **object);
const struct mw_code *mw_object_code(const struct mw_object *object);
void mw_object_put(struct mw_object *object);
/* For a device that closes. */
void mw_objects_forget(const struct mw_device *device);
/* The key under which its binary is cached. */
int mw_build_key(const struct mw_device *device, const struct mw_build *build, char **key);

/* build/log.c: for a backend whose compiler refused: keeps the log for mw_build_log, and fails with MW_EBUILD, the
 * log's first error and the place in the user's file. */
int mw_build_failed(const struct mw_device *device, const struct mw_build *build, char *log);
/* core/build_log.c: what mw_build_log has in this thread, on its way to another: malloc'ed, or NULL. */
char *mw_build_log_take(void);
void mw_build_log_give(char *log);

/* memory/transfer.c: copies between devices whose backend does not; returns when it is done. */
int mw_copy_between(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes);

/* memory/buffer.c: what goes beside other work, as the backend has it.  Of transfers: nothing else writes to these
 * bytes, on either side, until the event is complete.  mw_device_flush hands them over, mw_device_finish waits for
 * them. */
int mw_beside_fork(struct mw_device *device);
int mw_beside_join(struct mw_device *device);
/* A fork, behind which all that is queued goes beside other work, launches as well, until mw_beside_leave, which does
 * not wait for it: that takes mw_beside_join, or an event.  Not in one another. */
int mw_beside_enter(struct mw_device *device);
int mw_beside_leave(struct mw_device *device);
int mw_beside_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done);
int mw_beside_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done);
/* Whether mw_beside_copy goes from the one to the other. */
bool mw_beside_reaches(const struct mw_device *from, const struct mw_device *to);
int mw_beside_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                   struct mw_event **done);

/* slices.c: a range of whole groups in launches that the device's grid takes, one after the other: start with { 0 };
 * false behind the last. */
struct mw_slice {
    size_t offset[3], global[3];
};
bool mw_slice_next(const struct mw_grid *grid, const struct mw_range *range, struct mw_slice *slice);

/* Bytes of a device's memory that are not taken yet; UINT64_MAX where it is not known how much there is. */
static inline uint64_t mw_memory_left(const struct mw_device *device)
{
    const uint64_t all = device->info.memory_bytes, taken = device->allocated;
    return all == 0 ? UINT64_MAX : all > taken ? all - taken : 0;
}
/* memory/buffer.c: whether a device has room for another `what` (a buffer, an image) of so many bytes.  MW_ELIMIT. */
int mw_budget_check(const struct mw_device *device, const char *what, size_t bytes);

/* build/flatten.c: resolves #include by texts, then by the kernel folder; every file at most once; marks lines with
 * #line so that compiler messages name the user's files.  NULL-safe free by mw_text_free.  #include <...> is for the
 * host's compiler: it stays where the source's file is its native_file, and is an error elsewhere. */
int mw_flatten(const char *kernel_path, const struct mw_source *source, struct mw_text *flat);
/* Whether the file is the caller's: given by its path, or as a text. */
bool mw_source_is_own(const struct mw_source *source);

/* build/cache.c: built programs on disk.  A key is any text; a hash of it names the file and the whole key is stored
 * inside and compared.  A missing, damaged or foreign entry is "not found" (returns false), never an error. */
bool mw_cache_get(const char *key, char **bytes, size_t *n);
void mw_cache_put(const char *key, const void *bytes, size_t n);
/* Processes that make one entry take turns, so that the second finds it made: some drivers fail where two compile the
 * same at once.  False: another one is at it, for which mw_cache_wait waits.  *lock -1: there is no lock to be had,
 * which is no reason not to make the entry. */
bool mw_cache_lock(const char *key, int *lock);
void mw_cache_wait(const char *key, int lock);
/* For the removal of files that processes may be making or loading: waits for all of them. */
void mw_cache_lock_all(int *lock);
void mw_cache_unlock(int lock);
/* build/kept.c: PoCL's files in a folder, as the record in the folder of caches has them: removes programs of which a
 * file is damaged or has changed, and says how many. */
int mw_kept_check(const char *folder, size_t *removed);
/* All of them are to be removed by the next process.  Async-signal-safe. */
void mw_kept_distrust(void);

/* Removes the entries that were not used for longest until the rest takes at most so many bytes. */
int mw_cache_trim(uint64_t bytes);

#endif
/* SPDX-License-Identifier: MIT */

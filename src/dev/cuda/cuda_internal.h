/* Common declarations of the CUDA backend. Internal to this folder. */
#ifndef MW_CUDA_INTERNAL_H
#define MW_CUDA_INTERNAL_H

#include "dev/core/backend.h"
#include "dev/cuda/driver.h"

#include <pthread.h>
#include <stdint.h>

#ifndef CUDA_PREFIX
#define CUDA_PREFIX "" /* --with-cuda=PREFIX: folder of a toolkit, which is searched for NVRTC */
#endif

enum { MW_CUDA_DEVICES_MAX = 64 };

/* A list of unused events for reuse, since making one takes as long as launching a kernel. Threads that share a large
 * transfer (memory/pieces.c) use it concurrently. */
struct mw_cuda_events {
    pthread_mutex_t lock;
    mw_cu_event *idle;
    size_t count, room; /* events in `idle`, and its capacity */
};

/* pool.c: the driver's memory pool from which buffers are allocated; NULL: buffers are allocated by cuMemAlloc. */
struct mw_cuda_pool {
    mw_cu_pool pool;
    mw_cu_stream stream; /* for allocations and frees only */
};

/* One kernel launch, as cuLaunchKernel takes it. */
struct mw_cuda_launch {
    mw_cu_function function;
    unsigned groups[3], items[3]; /* work-groups of the launch, and work-items of a group */
    void **values;                /* address of each parameter's value */
};
/* chain.c: chains have 2^0 to 2^(POWERS - 1) = MOST launches. */
enum { MW_CUDA_CHAIN_POWERS = 5, MW_CUDA_CHAIN_MOST = 1 << (MW_CUDA_CHAIN_POWERS - 1) };
/* A delayed launch with copies of its parameters' values. */
struct mw_cuda_kept {
    struct mw_cuda_launch launch;
    void *values[40];             /* addresses in `bytes` */
    _Alignas(16) char bytes[640]; /* the values, each at a multiple of 16 bytes */
};
/* A CUDA graph of consecutive kernels, reused for all chains of that length; exec is NULL before the first. */
struct mw_cuda_graph {
    mw_cu_graph graph;
    mw_cu_graph_exec exec;
    mw_cu_node nodes[MW_CUDA_CHAIN_MOST];
};
/* chain.c: the delayed launches of a device, which are submitted together as graphs. */
struct mw_cuda_chain {
    pthread_mutex_t lock;
    bool none;           /* the driver supports no graphs: nothing is delayed */
    bool launched_since; /* a kernel was launched since the last flush; the first launch after one is not delayed */
    mw_cu_result failed; /* failure to submit, not reported yet */
    uint64_t launched;   /* launches that were not delayed, so far */
    /* Number of delayed launches in `kept`, and the number at which they are submitted: 2 to MW_CUDA_CHAIN_MOST. */
    size_t waiting, most;
    struct mw_cuda_kept kept[MW_CUDA_CHAIN_MOST];
    /* graphs[way][i] has 2^i kernels. Each stream has its own: a graph waits for its last launch on any stream. */
    struct mw_cuda_graph graphs[2][MW_CUDA_CHAIN_POWERS];
    unsigned way; /* index of the current stream's graphs */
};

/* State of an open CUDA device: `impl` of struct mw_device. `enter` of cuda.c makes its context current for each call,
 * and `leave` restores the thread's own. */
struct mw_cuda_device {
    mw_cu_device device;
    mw_cu_context context; /* the device's primary context, shared by the process, or that of the caller's queue */
    mw_cu_stream stream, second; /* for all work, in order; for concurrent transfers: NULL before the first */
    mw_cu_event mark;            /* recorded on one stream so that the other can wait for it */
    struct mw_cuda_events events;
    struct mw_cuda_pool pool;
    struct mw_cuda_chain chain;
    int architecture;                         /* 90: compute capability 9.0 */
    unsigned char peers[MW_CUDA_DEVICES_MAX]; /* per device: MW_CUDA_PEER_UNKNOWN, _FAR or _NEAR */
};
/* Access to another device's memory: not yet queried, impossible, enabled. */
enum { MW_CUDA_PEER_UNKNOWN, MW_CUDA_PEER_FAR, MW_CUDA_PEER_NEAR };

/* error.c: writes the meaning of a driver's error, with its name and number, to `words` of `room` bytes. */
void mw_cuda_error_words(mw_cu_result error, char *words, size_t room);
/* Sets the message for a driver's error ("WHAT failed: ...") and returns the matching status. */
int mw_cuda_fail(const struct mw_device *device, mw_cu_result error, const char *what);
/* Returns 0, or for an error of the driver what mw_cuda_fail returns. */
static inline int mw_cuda_check(const struct mw_device *device, mw_cu_result error, const char *what)
{
    return error ? mw_cuda_fail(device, error, what) : 0;
}

/* event.c: prepares `event` (NULL: none) before work is queued on a stream. */
int mw_cuda_event_start(struct mw_device *device, mw_cu_stream stream, struct mw_event *event);
/* Records `event` after the work was queued, so that it completes with the work. */
int mw_cuda_event_finish(struct mw_device *device, mw_cu_stream stream, struct mw_event *event);
/* Undoes mw_cuda_event_start if the driver refused the work. */
void mw_cuda_event_drop(struct mw_device *device, struct mw_event *event);
/* Calls mw_cuda_event_finish, or if queueing failed with `error`, mw_cuda_event_drop and mw_cuda_fail with `what`. */
int mw_cuda_event_queued(struct mw_device *device, mw_cu_stream stream, struct mw_event *event, mw_cu_result error,
                         const char *what);
/* Initialises the list of unused events. */
void mw_cuda_events_begin(struct mw_cuda_device *cuda);
/* Destroys the unused events and the list. */
void mw_cuda_events_end(struct mw_cuda_device *cuda);

/* Options of NVRTC for all programs: helper functions need no __device__. */
#define MW_CUDA_OPTIONS "--std=c++14 -default-device"
/* Further option for reproducible bits: products and sums are not fused. */
#define MW_CUDA_SAME_BITS " --fmad=false"

/* A loaded CUDA module: `impl` of struct mw_code. */
struct mw_cuda_code {
    mw_cu_module module;
    mw_cu_address first_group; /* variable of prelude.clh with the start of a slice; 0: absent */
    unsigned image_address;    /* address mode of images (image.clh) */
};
/* compile.c: compiles for an architecture to code, or to assembler text (PTX) if NVRTC does not support it. `exact`:
 * always to assembler text, in which kernels with one group size are clusters of one group. If the text is refused,
 * sets *log, which the caller frees, and returns MW_EBUILD. */
int mw_cuda_compile_text(const struct mw_build *build, int architecture, bool exact, struct mw_binary *binary,
                         char **log);

/* exact.c: compiles a program that contains MW_CUDA_EXACT_MARK for exactly its sizes of groups. Any other status than
 * 0 means that the program should be compiled as usual. */
int mw_cuda_compile_exact(struct mw_device *device, const struct mw_build *build, struct mw_binary *binary);
#define MW_CUDA_EXACT_MARK "#define EXACT_GROUPS 1" /* line of programs that request this */
#define MW_CUDA_EXACT_OPTION "-DMW_CUDA_EXACT=1"    /* option under which kernels declare clusters */
#define MW_CUDA_CLUSTERS ".blocksareclusters"       /* PTX directive of such kernels */
/* Maximum number of such kernels per program. */
enum { MW_CUDA_EXACT_MOST = 16 };
/* A kernel in PTX text that is declared as a cluster of one group. */
struct mw_cuda_exact {
    char name[64], *clusters, *cluster; /* lines with .blocksareclusters and .reqnctapercluster, in the text */
    unsigned items[3];                  /* of a group */
};
/* Finds the next such kernel in a text; returns the position after it, or NULL. */
char *mw_cuda_exact_next(char *text, struct mw_cuda_exact *kernel);
/* Blanks both lines of a kernel. groups > 0: writes .minnctapersm instead, so that this many groups fit a unit. */
void mw_cuda_exact_put(const struct mw_cuda_exact *kernel, size_t groups);

/* image.c: returns the texture object of an image for an address mode, a number of image.clh. */
int mw_cuda_image_texture(struct mw_image *image, unsigned address, mw_cu_texture *texture);

/* Returns the device address of byte `offset` of a buffer. */
static inline mw_cu_address mw_cuda_address(const struct mw_buffer *buffer, size_t offset)
{
    return (mw_cu_address)(uintptr_t)buffer->impl + offset;
}

/* pool.c: opens the GPU's default memory pool; without one, buffers are allocated by cuMemAlloc. */
void mw_cuda_pool_begin(struct mw_cuda_device *cuda);
/* Returns unused memory to the driver and closes the pool. */
void mw_cuda_pool_end(struct mw_cuda_device *cuda);
/* Allocates device memory; waits until it can be used on any stream. */
mw_cu_result mw_cuda_pool_take(struct mw_cuda_device *cuda, size_t bytes, mw_cu_address *address);
/* Frees device memory. The caller has waited for all work that uses it. */
void mw_cuda_pool_give(struct mw_cuda_device *cuda, mw_cu_address address);
/* Returns unused memory to the driver. */
void mw_cuda_pool_trim(struct mw_cuda_device *cuda);
/* Lets `from` access the pool's memory on `to`; false on failure. Peer access of the contexts must be enabled. */
bool mw_cuda_pool_reach(const struct mw_cuda_device *from, const struct mw_cuda_device *to);

/* chain.c: initialises a chain without launches. */
void mw_cuda_chain_begin(struct mw_cuda_chain *chain);
/* Destroys the graphs of a chain. The caller has submitted and completed all launches. */
void mw_cuda_chain_end(struct mw_cuda_chain *chain);
/* Submits the delayed launches; does not wait for them. */
int mw_cuda_chain_flush(struct mw_device *device);
/* Submits the delayed launches for callers that cannot fail: a failure is reported by the next flush or launch. */
void mw_cuda_chain_pass(struct mw_device *device);
/* Makes chains short again, after a wait for the device, so that it is soon busy. They grow again. */
void mw_cuda_chain_restart(struct mw_cuda_device *cuda);
/* Launches a kernel at once, or delays it and copies its `count` values, of bytes[i] bytes each. On failure, *others is
 * whether an earlier launch failed. */
mw_cu_result mw_cuda_chain_add(struct mw_cuda_device *cuda, const struct mw_cuda_launch *launch, const size_t *bytes,
                               size_t count, bool *others);

/* Functions of the table: see struct mw_backend. */

/* cuda.c: may be nested for different devices. */
int mw_cuda_enter(struct mw_device *device, enum mw_backend_entry entry);
void mw_cuda_leave(struct mw_device *device);

/* list.c */
int mw_cuda_list(const struct mw_backend *self, struct mw_device_list *list);

/* device.c */
int mw_cuda_open(struct mw_device *device, const void *handle);
void mw_cuda_close(struct mw_device *device);
int mw_cuda_device_of(void *queue, const void **handle);
int mw_cuda_finish(struct mw_device *device);

/* event.c */
int mw_cuda_event_wait(struct mw_event *event);
int mw_cuda_event_seconds(const struct mw_event *event, double *seconds);
void mw_cuda_event_free(struct mw_event *event);

/* memory.c, copy.c, image.c, program.c */
extern const struct mw_memory_calls mw_cuda_buffers;
extern const struct mw_queue_calls mw_cuda_queues;
extern const struct mw_peer_calls mw_cuda_peers;
extern const struct mw_image_calls mw_cuda_images;
extern const struct mw_compile_calls mw_cuda_programs;
int mw_cuda_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                 struct mw_event *event);
/* Returns the stream of concurrent transfers; makes it at the first call. */
int mw_cuda_second_take(struct mw_device *device, mw_cu_stream *stream);

/* kernel.c */
int mw_cuda_kernel_new(struct mw_kernel *kernel);
void mw_cuda_kernel_free(struct mw_kernel *kernel);
int mw_cuda_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                   struct mw_event *event);

#endif
/* SPDX-License-Identifier: MIT */

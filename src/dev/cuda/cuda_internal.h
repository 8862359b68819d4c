/* Common declarations of the CUDA backend. Internal to this folder. */
#ifndef MW_CUDA_INTERNAL_H
#define MW_CUDA_INTERNAL_H

#include "dev/core/backend.h"
#include "dev/cuda/driver.h"

#include <pthread.h>
#include <stdint.h>

#ifndef CUDA_PREFIX
#define CUDA_PREFIX "" /* --with-cuda=PREFIX: a toolkit's folder, where NVRTC is looked for */
#endif

enum { MW_CUDA_DEVICES_MAX = 64 };

/* Unused events, since making one takes as long as launching a kernel. Threads that share a large transfer
 * (memory/pieces.c) use this list concurrently. */
struct mw_cuda_events {
    pthread_mutex_t lock;
    mw_cu_event *idle;
    size_t count, room;
};

/* pool.c: where buffers' memory comes from, in the order of the stream; NULL: from the driver, each by itself. */
struct mw_cuda_pool {
    mw_cu_pool pool;
    mw_cu_stream stream;
};

/* chain.c: launches that wait to be handed over together. */
struct mw_cuda_launch {
    mw_cu_function function;
    unsigned groups[3], items[3];
    void **values; /* address of each parameter's value */
};
enum { MW_CUDA_CHAIN_POWERS = 5, MW_CUDA_CHAIN_MOST = 1 << (MW_CUDA_CHAIN_POWERS - 1) };
struct mw_cuda_kept {
    struct mw_cuda_launch launch;
    void *values[40];
    _Alignas(16) char bytes[640];
};
/* A chain of 2^i kernels, for i > 0; exec is NULL until there was one. */
struct mw_cuda_graph {
    mw_cu_graph graph;
    mw_cu_graph_exec exec;
    mw_cu_node nodes[MW_CUDA_CHAIN_MOST];
};
struct mw_cuda_chain {
    pthread_mutex_t lock;
    bool none;            /* the driver makes no graphs */
    bool launched_since;  /* there was a launch since all were handed over */
    mw_cu_result failed;  /* failure to submit, not reported yet */
    uint64_t launched;    /* one by one */
    size_t waiting, most; /* when there are `most`, they are handed over */
    struct mw_cuda_kept kept[MW_CUDA_CHAIN_MOST];
    /* Per stream: a graph waits for its own last launch, on either stream. */
    struct mw_cuda_graph graphs[2][MW_CUDA_CHAIN_POWERS];
    unsigned way; /* whose are in use */
};

/* A mw_device's impl.  All calls are made with its context on the calling thread (`enter` of cuda.c), and leave the
 * thread's own as it was. */
struct mw_cuda_device {
    mw_cu_device device;
    mw_cu_context context;       /* the primary one, which all of the process share */
    mw_cu_stream stream, second; /* all work in order; concurrent transfers: NULL before the first */
    mw_cu_event mark;            /* where one stream waits for another */
    struct mw_cuda_events events;
    struct mw_cuda_pool pool;
    struct mw_cuda_chain chain;
    int architecture;                         /* 90: compute capability 9.0 */
    unsigned char peers[MW_CUDA_DEVICES_MAX]; /* whether that device's memory is in reach: PEER_UNKNOWN ... */
};
enum { MW_CUDA_PEER_UNKNOWN, MW_CUDA_PEER_FAR, MW_CUDA_PEER_NEAR };

/* error.c: what an error means, with its name and number. */
void mw_cuda_error_words(mw_cu_result error, char *words, size_t room);
/* Fails with an error's meaning; `what` completes "... failed". */
int mw_cuda_fail(const struct mw_device *device, mw_cu_result error, const char *what);
#define CU_TRY(device, call, what)                                                                                     \
    do {                                                                                                               \
        const mw_cu_result cu_try_error_ = (call);                                                                     \
        if (cu_try_error_ != 0) {                                                                                      \
            rc = mw_cuda_fail((device), cu_try_error_, (what));                                                        \
            goto out;                                                                                                  \
        }                                                                                                              \
    } while (0)

/* event.c: enclose the queueing of work on a stream; `event`, if not NULL, completes with it. If the work was refused,
 * call `drop` instead of `finish`. */
int mw_cuda_event_start(struct mw_device *device, mw_cu_stream stream, struct mw_event *event);
int mw_cuda_event_finish(struct mw_device *device, mw_cu_stream stream, struct mw_event *event);
void mw_cuda_event_drop(struct mw_device *device, struct mw_event *event);
/* One or the other, by the result of the call; `what` completes "... failed". */
int mw_cuda_event_queued(struct mw_device *device, mw_cu_stream stream, struct mw_event *event, mw_cu_result error,
                         const char *what);
void mw_cuda_events_begin(struct mw_cuda_device *cuda);
void mw_cuda_events_end(struct mw_cuda_device *cuda);

/* NVRTC's options: helpers need no annotation, and products and sums are not fused. */
#define MW_CUDA_OPTIONS "--std=c++14 -default-device"
#define MW_CUDA_SAME_BITS " --fmad=false"

/* program.c: loaded code. */
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

/* exact.c: compiles a program that has MW_CUDA_EXACT_MARK, for exact sizes of groups.  Any status but 0: it is to be
 * compiled as others are. */
int mw_cuda_compile_exact(struct mw_device *device, const struct mw_build *build, struct mw_binary *binary);
#define MW_CUDA_EXACT_MARK "#define EXACT_GROUPS 1"
#define MW_CUDA_EXACT_OPTION "-DMW_CUDA_EXACT=1"
#define MW_CUDA_CLUSTERS ".blocksareclusters"
enum { MW_CUDA_EXACT_MOST = 16 };
/* A kernel of assembler text that is a cluster of one group: its name, its group, and the two lines that declare it. */
struct mw_cuda_exact {
    char name[64], *clusters, *cluster;
    unsigned items[3];
};
/* Finds the next such kernel in a text; returns the position after it, or NULL. */
char *mw_cuda_exact_next(char *text, struct mw_cuda_exact *kernel);
/* Blanks both lines; groups > 0: so many of it are to have room on a unit. */
void mw_cuda_exact_put(const struct mw_cuda_exact *kernel, size_t groups);

/* image.c: the texture through which a kernel reads an image, by the numbers of image.clh. */
int mw_cuda_image_texture(struct mw_image *image, unsigned address, mw_cu_texture *texture);

static inline mw_cu_address mw_cuda_address(const struct mw_buffer *buffer, size_t offset)
{
    return (mw_cu_address)(uintptr_t)buffer->impl + offset;
}

/* pool.c.  The caller has waited for all that uses what it gives back. */
void mw_cuda_pool_begin(struct mw_cuda_device *cuda);
void mw_cuda_pool_end(struct mw_cuda_device *cuda);
mw_cu_result mw_cuda_pool_take(struct mw_cuda_device *cuda, size_t bytes, mw_cu_address *address);
void mw_cuda_pool_give(struct mw_cuda_device *cuda, mw_cu_address address);
/* Returns unused memory to the driver. */
void mw_cuda_pool_trim(struct mw_cuda_device *cuda);
/* Buffers of `to` are in reach of `from`, of which contexts are so already. */
bool mw_cuda_pool_reach(const struct mw_cuda_device *from, const struct mw_cuda_device *to);

/* chain.c */
void mw_cuda_chain_begin(struct mw_cuda_chain *chain);
/* Waits for all queued work. */
void mw_cuda_chain_end(struct mw_cuda_chain *chain);
/* Hands over what waits. */
int mw_cuda_chain_flush(struct mw_device *device);
/* The same for callers that cannot fail: the next call that can reports it. */
void mw_cuda_chain_pass(struct mw_device *device);
/* The device has nothing to do: chains are short again, and grow. */
void mw_cuda_chain_restart(struct mw_cuda_device *cuda);
/* Launches, now or when what waits is handed over; values have so many bytes.  *others: whether it was another launch
 * that failed. */
mw_cu_result mw_cuda_chain_add(struct mw_cuda_device *cuda, const struct mw_cuda_launch *launch, const size_t *bytes,
                               size_t count, bool *others);

/* Functions of the table: see struct mw_backend. */

/* cuda.c: also for calls within a call of another device. */
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

/* memory.c */
int mw_cuda_buffer_new(struct mw_buffer *buffer);
void mw_cuda_buffer_free(struct mw_buffer *buffer);
int mw_cuda_borrow(struct mw_buffer *buffer, void *memory, bool host);
int mw_cuda_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event);
int mw_cuda_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event);
int mw_cuda_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value);
int mw_cuda_staging_new(struct mw_staging *staging);
void mw_cuda_staging_free(struct mw_staging *staging);
/* Returns the stream of concurrent transfers, which is made at the first use. */
int mw_cuda_second_take(struct mw_device *device, mw_cu_stream *stream);
int mw_cuda_second_after_first(struct mw_device *device);
int mw_cuda_first_after_second(struct mw_device *device);
int mw_cuda_swap_queues(struct mw_device *device);
int mw_cuda_second_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event);
int mw_cuda_second_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event);

/* copy.c */
bool mw_cuda_reaches(const struct mw_device *from, const struct mw_device *to);
int mw_cuda_second_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset,
                        size_t bytes, struct mw_event *event);
int mw_cuda_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                 struct mw_event *event);

/* image.c */
int mw_cuda_image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes);
int mw_cuda_image_new(struct mw_image *image);
void mw_cuda_image_free(struct mw_image *image);
int mw_cuda_image_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event);
int mw_cuda_image_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event);

/* program.c */
int mw_cuda_identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key);
int mw_cuda_compile(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                    struct mw_binary *binary);
int mw_cuda_load(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                 struct mw_code *code);
void mw_cuda_unload(struct mw_code *code);

/* kernel.c */
int mw_cuda_kernel_new(struct mw_kernel *kernel);
void mw_cuda_kernel_free(struct mw_kernel *kernel);
int mw_cuda_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                   struct mw_event *event);

#endif
/* SPDX-License-Identifier: MIT */

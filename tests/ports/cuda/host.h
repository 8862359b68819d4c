/* CUDA emulation on the host, for tests: a driver library and an NVRTC with everything that the backend uses.  Memory
 * is the host's, and kernels are compiled by the system's C++ compiler.  Work is done as late as possible, one stream
 * after the other, which exposes missing synchronisation.  Misuse that NVIDIA's driver would not tolerate, and objects
 * that are never freed, are written to $MESHWORK_CUDA_LOG.
 *
 *   MESHWORK_CUDA_DEVICES=N    number of devices (1); any two have peer access, except the fourth and later ones
 *   MESHWORK_CUDA_FAIL=NAME:K  the K-th call of a function fails; K+: and all later ones
 *   MESHWORK_CUDA_CALLS=FILE   appends the name of each call to a file
 *   MESHWORK_CUDA_ONLY=driver  without NVRTC */
#ifndef CUDA_HOST_H
#define CUDA_HOST_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dev/cuda/driver.h"

enum { DEVICES_MAX = 8 };
enum {
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NO_DEVICE = 100,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500
};

/* Assembler text: these lines, then the code after its end. */
#define HOST_TEXT ".entry field_steps(\n)\n.blocksareclusters\n.reqntid 64, 1, 1\n.reqnctapercluster 1, 1, 1\n{\n}\n"

/* Live objects by kind, for the report at the end. */
enum kind {
    CONTEXT,
    STREAM,
    EVENT,
    MEMORY,
    HOST_MEMORY,
    MODULE,
    ARRAY,
    TEXTURE,
    PROGRAM,
    GRAPH,
    GRAPH_EXEC,
    LINK,
    KINDS
};
void host_count(enum kind kind, int change);
void host_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* All calls are serialised.  Begins one: 0, or the error to return. */
mw_cu_result host_begin(const char *name);
void host_end(const char *const *name);
#define BEGIN(name)                                                                                                    \
    const char *const held __attribute__((cleanup(host_end))) = #name;                                                 \
    const mw_cu_result failure = host_begin(held)
#define TRY_BEGIN(name)                                                                                                \
    BEGIN(name);                                                                                                       \
    if (failure)                                                                                                       \
    return failure

struct CUctx_st {
    mw_cu_device device;
    unsigned users;
    size_t used;
};
/* Returns the calling thread's context, or NULL, which is reported. */
mw_cu_context host_context(const char *call);

/* An allocation of a device, or page-locked memory. */
struct memory {
    char *at;
    size_t bytes;
    mw_cu_context context;
    bool locked, pooled;
    struct memory *next;
};
/* Takes bytes of a device's memory, if available. */
bool host_take(mw_cu_context context, size_t bytes);
void host_give(mw_cu_context context, size_t bytes);
/* Returns whether a device may access another's pool. */
bool host_pool_is_open(mw_cu_context to, mw_cu_context from);
/* Returns the allocation that contains these bytes; NULL: none. */
const struct memory *host_memory_of(const void *at, size_t bytes);

/* Operations of streams, in order. */
struct work {
    void (*run)(struct work *work);
    void *to;
    const void *from;
    size_t bytes;
    int value;
    struct CUevent_st *event;
    struct CUstream_st *other; /* waited for, until it has done `until` */
    uint64_t until;
    void *owned; /* freed with it */
    struct work *next;
};
struct CUstream_st {
    mw_cu_context context;
    struct work *first, *last;
    uint64_t queued, done;
    struct CUstream_st *next;
};
struct CUevent_st {
    mw_cu_context context;
    bool timed;
    mw_cu_stream stream;
    uint64_t place;
    double seconds;
};
mw_cu_result host_queue(mw_cu_stream stream, struct work work);
void host_run_until(mw_cu_stream stream, uint64_t place);
/* Returns whether queued work uses the memory. */
bool host_is_in_use(const char *at, size_t bytes);

/* Queues a kernel; copies its values. host_value_bytes returns the size of value i, 0 after the last. */
mw_cu_result host_launch(const char *call, mw_cu_stream stream, const struct mw_cu_node_kernel *kernel);
size_t host_value_bytes(mw_cu_function function, size_t i);

struct CUarray_st {
    mw_cu_context context;
    size_t length[3], cell;
    char *cells;
};
/* As in items.h. */
struct texture {
    const char *cells;
    size_t length[3], cell;
    unsigned address, from_0_to_1;
};

/* Output of NVRTC and input of the driver. */
struct binary {
    char magic[8];
    uint64_t bytes;
};
#define BINARY_MAGIC "ONHOST1"

#endif
/* SPDX-License-Identifier: MIT */

/* CUDA on the host, for tests: a driver library and an NVRTC that do all that the backend asks of them, with memory of
 * the host and kernels compiled by the system's C++ compiler.  Work is done as late as waiting allows, stream by
 * stream, so that order which nobody asked for is missing; whatever NVIDIA's driver would not forgive, and what is
 * never freed, is written to $MESHWORK_CUDA_LOG.
 *
 *   MESHWORK_CUDA_DEVICES=N    as many devices (1); each two reach each other, but for the fourth and later ones
 *   MESHWORK_CUDA_FAIL=NAME:K  the K-th call of a function fails; K+: and all behind it
 *   MESHWORK_CUDA_CALLS=FILE   the name of each call is added to a file
 *   MESHWORK_CUDA_ONLY=driver  there is no NVRTC */
#ifndef CUDA_HOST_H
#define CUDA_HOST_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dev/cuda/driver.h"

enum { DEVICES_MAX = 8 };
enum {
    INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500
};

/* Assembler text: these lines, and behind its end the code. */
#define HOST_TEXT ".entry field_steps(\n)\n.blocksareclusters\n.reqntid 64, 1, 1\n.reqnctapercluster 1, 1, 1\n{\n}\n"

/* What is alive, by kinds, for the end's account. */
enum kind { CONTEXT, STREAM, EVENT, MEMORY, HOST_MEMORY, MODULE, ARRAY, TEXTURE, PROGRAM, GRAPH, GRAPH_EXEC, LINK,
            KINDS };
void host_count(enum kind kind, int change);
void host_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* All calls take turns.  Begins one: 0, or the error that it is to give. */
mw_cu_result host_begin(const char *name);
void host_end(const char *const *name);
#define BEGIN(name)                                                                                                  \
    const char *const held __attribute__((cleanup(host_end))) = #name;                                               \
    const mw_cu_result failure = host_begin(held)
#define TRY_BEGIN(name)                                                                                              \
    BEGIN(name);                                                                                                     \
    if (failure)                                                                                                     \
    return failure

struct CUctx_st { mw_cu_device device; unsigned users; size_t used; };
/* The calling thread's, or NULL, which is reported. */
mw_cu_context host_context(const char *call);

/* An allocation of a device's, or page-locked. */
struct memory { char *at; size_t bytes; mw_cu_context context; bool locked, pooled; struct memory *next; };
/* Takes bytes of a device's memory, if it has as many. */
bool host_take(mw_cu_context context, size_t bytes);
void host_give(mw_cu_context context, size_t bytes);
/* Whether a device may use what lies in the pool of another. */
bool host_pool_is_open(mw_cu_context to, mw_cu_context from);
/* The one that holds these bytes, whole; NULL. */
const struct memory *host_memory_of(const void *at, size_t bytes);

/* What streams do, in order. */
struct work {
    void (*run)(struct work *work);
    void *to;
    const void *from;
    size_t bytes;
    int value;
    struct CUevent_st *event;
    struct CUstream_st *other;        /* waited for, until it has done `until` */
    uint64_t until;
    void *owned;                      /* freed with it */
    struct work *next;
};
struct CUstream_st {
    mw_cu_context context;
    struct work *first, *last;
    uint64_t queued, done;
    struct CUstream_st *next;
};
struct CUevent_st { mw_cu_context context; bool timed; mw_cu_stream stream; uint64_t place; double seconds; };
mw_cu_result host_queue(mw_cu_stream stream, struct work work);
void host_run_until(mw_cu_stream stream, uint64_t place);
/* Whether queued work has something to do with memory. */
bool host_is_in_use(const char *at, size_t bytes);

/* Queues a kernel, whose values are taken at once; bytes of the i-th of them, 0 behind the last. */
mw_cu_result host_launch(const char *call, mw_cu_stream stream, const struct mw_cu_node_kernel *kernel);
size_t host_value_bytes(mw_cu_function function, size_t i);

struct CUarray_st { mw_cu_context context; size_t length[3], cell; char *cells; };
/* As items.h has it. */
struct texture { const char *cells; size_t length[3], cell; unsigned address, from_0_to_1; };

/* What NVRTC makes, and the driver takes. */
struct binary { char magic[8]; uint64_t bytes; };
#define BINARY_MAGIC "ONHOST1"

#endif
/* SPDX-License-Identifier: MIT */

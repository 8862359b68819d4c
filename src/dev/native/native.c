/* The backend of native executors: kernels are C functions, of the library or compiled at run time; buffers are memory;
 * work is done when a call returns. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dev/core/backend.h"
#include "dev/host/host.h"
#include "dev/native/executor.h"
#include "dev/native/compiler.h"

#define PARALLEL_COPY ((size_t)1 << 20) /* below, a copy is over before other threads have come */
#define COPY_BLOCK ((size_t)64 << 10)
#define MAX_GROUP ((size_t)1 << 20) /* groups mean nothing here: large enough never to be in the way */

static int native_list(const struct mw_backend *self, struct mw_device_list *list)
{
    struct mw_device_info info = { .kind = MW_DEVICE_NATIVE,
                                   .version = "native",
                                   .max_group = MAX_GROUP,
                                   .max_group_dims = { MAX_GROUP, MAX_GROUP, MAX_GROUP },
                                   .fp64 = true,
                                   .shares_host_memory = true };
    unsigned threads;
    int rc = 0;
    mw_cpu_describe(&info);
    mw_copy_string(info.driver, sizeof info.driver, mw_version());
    info.memory_bytes = info.max_alloc_bytes = mw_host_bytes();
    info.vector_width = mw_cpu_lanes();
    /* A list has no place for a failure that opening a device will name. */
    if (mw_thread_count(0, &threads) != 0)
        threads = mw_core_count();
    for (const struct mw_executor_kind *kind = mw_executor_kinds; kind->name && rc == 0; kind++) {
        snprintf(info.id, sizeof info.id, "native:%s", kind->name);
        mw_copy_string(info.platform, sizeof info.platform, kind->description);
        info.compute_units = strcmp(kind->name, "serial") == 0 ? 1 : threads;
        rc = mw_device_list_add(list, self, &info, kind);
    }
    return rc;
}

/* A device's impl. */
struct native {
    struct mw_executor *executor;
    unsigned next_turn;
};

static struct mw_executor *executor_of(const struct mw_device *device)
{
    return ((const struct native *)device->impl)->executor;
}

static int native_open(struct mw_device *device, const void *handle)
{
    const struct mw_executor_kind *kind = handle;
    struct native *native = NULL;
    int rc;
    TRY(mw_new(1, sizeof *native, &native));
    TRY(mw_executor_new(kind->name, device->options.threads, &native->executor));
    device->info.compute_units = mw_executor_threads(native->executor);
    for (size_t i = 0; i < MW_COUNT(device->build_options); i++)
        device->build_options[i] = mw_native_options[i];
    device->impl = MW_PASS(native);
out:
    free(native);
    return rc;
}

static void native_close(struct mw_device *device)
{
    mw_executor_free(executor_of(device));
    free(device->impl);
}

/* The caller's own thread is in the child as well. */
static bool native_survives_fork(const struct mw_device *device) { return mw_executor_is_alone(executor_of(device)); }

static int native_nothing_queued(struct mw_device *device) { return 0; }

struct times {
    double start, end;
};

/* Work that is timed when an event is wanted: memory for the times first, so that nothing fails after the work. */
static int event_start(struct mw_event *event, struct times **times)
{
    *times = NULL;
    if (!event)
        return 0;
    TRY_RETURN(mw_new(1, sizeof **times, times));
    (*times)->start = mw_now();
    return 0;
}

static void event_end(struct mw_event *event, struct times *times)
{
    if (!event)
        return;
    times->end = mw_now();
    event->impl = times;
}

struct copy {
    char *to;
    const char *from;
    size_t bytes;
    unsigned char value;
};

/* A share of blocks; without a source, of filling. */
static void copy_blocks(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct copy *copy = context;
    size_t first = begin * COPY_BLOCK, bytes = copy->bytes - first;
    if (bytes > (end - begin) * COPY_BLOCK)
        bytes = (end - begin) * COPY_BLOCK;
    if (copy->from)
        memcpy(copy->to + first, copy->from + first, bytes);
    else
        memset(copy->to + first, copy->value, bytes);
}

static void copy_all(struct mw_device *device, struct copy *copy)
{
    if (copy->bytes == 0)
        return;
    size_t blocks = (copy->bytes - 1) / COPY_BLOCK + 1;

    mw_parallel_for(executor_of(device), blocks, copy->bytes < PARALLEL_COPY ? blocks : 0, copy_blocks, copy);
}

static int native_buffer_new(struct mw_buffer *buffer)
{
    struct native *native = buffer->device->impl;
    if (mw_host_memory_new(buffer->bytes, native->next_turn++, &buffer->impl) != 0)
        return mw_fail_in(MW_ELIMIT, "%s", buffer->device->info.id);
    /* A page is on the node of the thread that writes it first: the one that has the same share of each launch. */
    if (mw_executor_is_bound(native->executor) && buffer->bytes >= PARALLEL_COPY)
        copy_all(buffer->device, &(struct copy){ .to = buffer->impl, .bytes = buffer->bytes });
    return 0;
}

static void native_buffer_free(struct mw_buffer *buffer)
{
    if (!buffer->borrowed)
        mw_host_memory_free(buffer->impl, buffer->bytes);
}

/* Kernels take lines of so many bytes at once. */
static int native_borrow(struct mw_buffer *buffer, void *memory, bool host)
{
    enum { LINE = 64 };

    if ((uintptr_t)memory % LINE != 0)
        return mw_fail(MW_EINVAL,
                       "%s: memory for a buffer begins at %p, which is not a multiple of %d bytes: allocate "
                       "it by aligned_alloc(%d, ...)",
                       buffer->device->info.id, memory, LINE, LINE);
    buffer->impl = memory;
    return 0;
}

static int copy_timed(struct mw_device *device, void *to, const void *from, size_t bytes, struct mw_event *event)
{
    struct copy copy = { .to = to, .from = from, .bytes = bytes };
    struct times *times;
    TRY_RETURN(event_start(event, &times));
    copy_all(device, &copy);
    event_end(event, times);
    return 0;
}

static int native_transfer(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                           struct mw_event *event)
{
    char *const at = (char *)buffer->impl + offset;
    return copy_timed(buffer->device, from ? at : to, from ? from : at, bytes, event);
}

static int native_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                       struct mw_event *event)
{
    return copy_timed(to->device, (char *)to->impl + to_offset, (char *)from->impl + from_offset, bytes, event);
}

static bool native_reaches(const struct mw_device *from, const struct mw_device *to) { return true; }

static int native_map(struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory)
{
    *memory = (char *)buffer->impl + offset;
    return 0;
}

static int native_unmap(struct mw_buffer *buffer, void *memory) { return 0; }

static int native_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value)
{
    struct copy copy = { .to = (char *)buffer->impl + offset, .bytes = bytes, .value = value };
    copy_all(buffer->device, &copy);
    return 0;
}

/* A kernel's impl.  A kernel belongs to one thread, and a launch is over when the call returns: so the list of
 * arguments is the kernel's own. */
struct native_kernel {
    mw_native_fn *run;
    void **args;
    size_t capacity;
};

_Static_assert(MW_ARG_BUFFER == 0 && MW_ARG_I32 == 1 && MW_ARG_U32 == 2 && MW_ARG_I64 == 3 && MW_ARG_U64 == 4 &&
                   MW_ARG_F32 == 5 && MW_ARG_F64 == 6 && MW_ARG_STRUCT == 7,
               "NATIVE_TAKES of cl/native.clh");

static int take_parameters(struct mw_kernel *kernel, const struct mw_native_parameter *takes)
{
    TRY_RETURN(mw_new(takes[0].bytes, sizeof *kernel->parameters, &kernel->parameters));
    kernel->parameter_count = takes[0].bytes;
    for (size_t i = 0; i < kernel->parameter_count; i++)
        kernel->parameters[i] =
            (struct mw_parameter){ .types = MW_TAKES(takes[i + 1].type), .bytes = takes[i + 1].bytes };
    return 0;
}

static int native_kernel_new(struct mw_kernel *kernel)
{
    const struct mw_native_kernel *k = kernel->program->code.native;
    struct native_kernel *native = NULL;
    while (k->name && strcmp(k->name, kernel->name) != 0)
        k++;
    if (!k->name)
        return mw_fail(MW_EINVAL, "%s: the program has no native kernel \"%s\": check the name",
                       kernel->device->info.id, kernel->name);
    if (!k->parameters)
        return mw_fail(MW_EINVAL,
                       "%s: the native kernel \"%s\" declares no parameters: see NATIVE_PARAMETERS in "
                       "cl/native.clh",
                       kernel->device->info.id, kernel->name);
    TRY_RETURN(take_parameters(kernel, k->parameters));
    TRY_RETURN(mw_new(1, sizeof *native, &native));
    native->run = k->run;
    kernel->impl = native;
    kernel->limits = (struct mw_kernel_limits){ .max_group = MAX_GROUP, .group_multiple = 1 };
    return 0;
}

static void native_kernel_free(struct mw_kernel *kernel)
{
    struct native_kernel *native = kernel->impl;
    free(native->args);
    free(native);
}

/* Where the values of arguments are: for a buffer, its memory. */
static int place_arguments(struct native_kernel *native, const struct mw_arg *args, size_t count)
{
    if (count > native->capacity) {
        void **grown = NULL;
        TRY_RETURN(mw_new(count, sizeof *grown, &grown));
        free(native->args);
        native->args = grown;
        native->capacity = count;
    }
    for (size_t i = 0; i < count; i++)
        native->args[i] = args[i].type == MW_ARG_BUFFER   ? (args[i].as.buffer ? args[i].as.buffer->impl : NULL)
                          : args[i].type == MW_ARG_STRUCT ? (void *)args[i].as.data
                                                          : (void *)&args[i].as;
    return 0;
}

struct launch {
    mw_native_fn *run;
    struct mw_native_call call;
};

static void launch_share(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct launch *launch = context;
    struct mw_native_call call = launch->call;
    call.begin = begin;
    call.end = end;
    call.worker = worker;
    launch->run(&call);
}

static int native_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args,
                         size_t count, struct mw_event *event)
{
    struct native_kernel *native = kernel->impl;
    struct launch launch = { .run = native->run, .call = { .global = range->global, .dims = range->dims } };
    struct times *times;
    TRY_RETURN(place_arguments(native, args, count));
    launch.call.args = native->args;
    TRY_RETURN(event_start(event, &times));
    mw_parallel_for(executor_of(kernel->device), range->global[range->dims - 1], 0, launch_share, &launch);
    event_end(event, times);
    return 0;
}

static int native_event_wait(struct mw_event *event) { return 0; }

static int native_event_seconds(const struct mw_event *event, double *seconds)
{
    const struct times *times = event->impl;
    *seconds = times->end - times->start;
    return 0;
}

static void native_event_free(struct mw_event *event) { free(event->impl); }

static const struct mw_memory_calls memory = {
    .buffer_new = native_buffer_new,
    .buffer_free = native_buffer_free,
    .borrow = native_borrow,
    .transfer = native_transfer,
    .copy = native_copy,
    .fill = native_fill,
    .map = native_map,
    .unmap = native_unmap,
};

static const struct mw_compile_calls compile = {
    .preamble = "opencl.clh",
    .common_code = true,
    .identify = mw_native_identify,
    .compile = mw_native_build,
    .load = mw_native_load,
    .unload = mw_native_unload,
};

static const struct mw_peer_calls peer = { .reaches = native_reaches };

const struct mw_backend mw_backend_native = {
    .name = "native",
    .list = native_list,
    .open = native_open,
    .close = native_close,
    .flush = native_nothing_queued,
    .finish = native_nothing_queued,
    .survives_fork = native_survives_fork,
    .memory = &memory,
    .compile = &compile,
    .peer = &peer,
    .kernel_new = native_kernel_new,
    .kernel_free = native_kernel_free,
    .launch = native_launch,
    .event_wait = native_event_wait,
    .event_seconds = native_event_seconds,
    .event_free = native_event_free,
};
/* SPDX-License-Identifier: MIT */

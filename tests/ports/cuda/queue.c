/* CUDA emulation on the host: streams and events.  Work is done when a caller waits for it, and no other stream's work
 * earlier. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROTOTYPE(name, symbol, parameters) mw_cu_result symbol parameters;
MW_CU_FUNCTIONS(PROTOTYPE)

static mw_cu_stream streams;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_alive(mw_cu_stream stream)
{
    mw_cu_stream s = streams;
    while (s && s != stream)
        s = s->next;
    if (!s)
        host_report("work for a stream that is not there");
    return s != NULL;
}

mw_cu_result host_queue(mw_cu_stream stream, struct work work)
{
    struct work *w = malloc(sizeof *w);
    if (!w || !is_alive(stream)) {
        free(w);
        free(work.owned);
        return w ? INVALID_HANDLE : OUT_OF_MEMORY;
    }
    *w = work;
    w->next = NULL;
    if (stream->last)
        stream->last->next = w;
    else
        stream->first = w;
    stream->last = w;
    stream->queued++;
    return 0;
}

void host_run_until(mw_cu_stream stream, uint64_t place)
{
    while (stream->done < place && stream->first) {
        struct work *w = stream->first;
        w->run(w);
        stream->first = w->next;
        if (!stream->first)
            stream->last = NULL;
        stream->done++;
        free(w->owned);
        free(w);
    }
}

static bool overlaps(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return a && b && (const char *)a < (const char *)b + b_bytes && (const char *)b < (const char *)a + a_bytes;
}

bool host_is_in_use(const char *at, size_t bytes)
{
    for (mw_cu_stream s = streams; s; s = s->next)
        for (struct work *w = s->first; w; w = w->next) {
            if (overlaps(at, bytes, w->to, w->bytes) || overlaps(at, bytes, w->from, w->bytes))
                return true;
        }
    return false;
}

/* ---- streams ---- */

mw_cu_result cuStreamCreate(mw_cu_stream *stream, unsigned flags)
{
    TRY_BEGIN(cuStreamCreate);
    const mw_cu_context context = host_context(held);
    mw_cu_stream made = context && flags == MW_CU_STREAM_CONCURRENT ? calloc(1, sizeof *made) : NULL;
    if (!made)
        return INVALID_VALUE;
    made->context = context;
    made->next = streams;
    streams = made;
    host_count(STREAM, 1);
    *stream = made;
    return 0;
}

mw_cu_result cuStreamDestroy_v2(mw_cu_stream stream)
{
    BEGIN(cuStreamDestroy_v2);
    if (!is_alive(stream))
        return INVALID_HANDLE;
    host_run_until(stream, stream->queued);
    mw_cu_stream *at = &streams;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    free(stream);
    host_count(STREAM, -1);
    return failure;
}

mw_cu_result cuStreamGetCtx(mw_cu_stream stream, mw_cu_context *context)
{
    TRY_BEGIN(cuStreamGetCtx);
    if (!is_alive(stream))
        return INVALID_HANDLE;
    *context = stream->context;
    return 0;
}

mw_cu_result cuStreamSynchronize(mw_cu_stream stream)
{
    BEGIN(cuStreamSynchronize);
    if (!is_alive(stream))
        return INVALID_HANDLE;
    host_run_until(stream, stream->queued);
    return failure;
}

static void wait_for(struct work *w)
{
    for (mw_cu_stream s = streams; s; s = s->next) {
        if (s == w->other)
            host_run_until(s, w->until);
    }
}

mw_cu_result cuStreamWaitEvent(mw_cu_stream stream, mw_cu_event event, unsigned flags)
{
    TRY_BEGIN(cuStreamWaitEvent);
    if (flags)
        return INVALID_VALUE;
    return event->stream
               ? host_queue(stream, (struct work){ .run = wait_for, .other = event->stream, .until = event->place })
               : 0;
}

/* ---- events ---- */

mw_cu_result cuEventCreate(mw_cu_event *event, unsigned flags)
{
    TRY_BEGIN(cuEventCreate);
    const mw_cu_context context = host_context(held);
    mw_cu_event made = context ? calloc(1, sizeof *made) : NULL;
    if (!made || (flags & ~(unsigned)MW_CU_EVENT_UNTIMED))
        return INVALID_VALUE;
    made->context = context;
    made->timed = !(flags & MW_CU_EVENT_UNTIMED);
    host_count(EVENT, 1);
    *event = made;
    return 0;
}

/* Queued work may set its time. */
static void forget_event(mw_cu_event event)
{
    for (mw_cu_stream s = streams; s; s = s->next)
        for (struct work *w = s->first; w; w = w->next) {
            if (w->event == event)
                w->event = NULL;
        }
}

mw_cu_result cuEventDestroy_v2(mw_cu_event event)
{
    BEGIN(cuEventDestroy_v2);
    forget_event(event);
    free(event);
    host_count(EVENT, -1);
    return failure;
}

static void set_time(struct work *w)
{
    if (w->event)
        w->event->seconds = now();
}

mw_cu_result cuEventRecord(mw_cu_event event, mw_cu_stream stream)
{
    TRY_BEGIN(cuEventRecord);
    if (event->context != stream->context)
        host_report("cuEventRecord: an event of another context than the stream's");
    const mw_cu_result queued = host_queue(stream, (struct work){ .run = set_time, .event = event });
    event->stream = stream;
    event->place = stream->queued;
    return queued;
}

static bool event_is_there(mw_cu_event event)
{
    mw_cu_stream s = streams;
    while (s && s != event->stream)
        s = s->next;
    return s != NULL;
}

mw_cu_result cuEventSynchronize(mw_cu_event event)
{
    BEGIN(cuEventSynchronize);
    if (event_is_there(event))
        host_run_until(event->stream, event->place);
    return failure;
}

mw_cu_result cuEventElapsedTime(float *milliseconds, mw_cu_event start, mw_cu_event end)
{
    TRY_BEGIN(cuEventElapsedTime);
    if (!start->timed || !end->timed || !start->stream || !end->stream || end->stream->done < end->place) {
        host_report("cuEventElapsedTime: an event without time, or one that is not reached");
        return INVALID_HANDLE;
    }
    *milliseconds = (float)(1e3 * (end->seconds - start->seconds));
    return 0;
}

/* ---- copies ---- */

static void copy(struct work *w) { memcpy(w->to, w->from, w->bytes); }

/* On the device's side, all bytes are in one allocation of the context. */
static bool is_on_device(const void *at, size_t bytes, mw_cu_context context, const char *call)
{
    const struct memory *m = host_memory_of(at, bytes);
    const bool is = m && !m->locked && m->context == context;
    if (!is)
        host_report("%s: %zu bytes that are not in a buffer of the device", call, bytes);
    return is;
}

mw_cu_result cuMemcpyHtoDAsync_v2(mw_cu_address to, const void *from, size_t bytes, mw_cu_stream stream)
{
    TRY_BEGIN(cuMemcpyHtoDAsync_v2);
    void *const target = (void *)(uintptr_t)to;
    void *kept = NULL;
    if (!host_context(held) || !is_on_device(target, bytes, stream->context, held))
        return INVALID_VALUE;
    /* The driver performs copies of pageable memory at once. */
    if (!host_memory_of(from, bytes)) {
        if (!(kept = malloc(bytes)))
            return OUT_OF_MEMORY;
        memcpy(kept, from, bytes);
    }
    return host_queue(stream,
                      (struct work){
                          .run = copy, .to = target, .from = kept ? kept : from, .bytes = bytes, .owned = kept });
}

mw_cu_result cuMemcpyDtoHAsync_v2(void *to, mw_cu_address from, size_t bytes, mw_cu_stream stream)
{
    TRY_BEGIN(cuMemcpyDtoHAsync_v2);
    const void *const source = (const void *)(uintptr_t)from;
    if (!host_context(held) || !is_on_device(source, bytes, stream->context, held))
        return INVALID_VALUE;
    return host_queue(stream, (struct work){ .run = copy, .to = to, .from = source, .bytes = bytes });
}

static mw_cu_result copy_between(mw_cu_address to, mw_cu_context to_context, mw_cu_address from,
                                 mw_cu_context from_context, size_t bytes, mw_cu_stream stream, const char *call)
{
    void *const target = (void *)(uintptr_t)to;
    const void *const source = (const void *)(uintptr_t)from;
    if (!host_context(call) || !is_on_device(target, bytes, to_context, call) ||
        !is_on_device(source, bytes, from_context, call))
        return INVALID_VALUE;
    return host_queue(stream, (struct work){ .run = copy, .to = target, .from = source, .bytes = bytes });
}

mw_cu_result cuMemcpyDtoDAsync_v2(mw_cu_address to, mw_cu_address from, size_t bytes, mw_cu_stream stream)
{
    TRY_BEGIN(cuMemcpyDtoDAsync_v2);
    return copy_between(to, stream->context, from, stream->context, bytes, stream, held);
}

mw_cu_result cuMemcpyPeerAsync(mw_cu_address to, mw_cu_context to_context, mw_cu_address from,
                               mw_cu_context from_context, size_t bytes, mw_cu_stream stream)
{
    TRY_BEGIN(cuMemcpyPeerAsync);
    const struct memory *m = host_memory_of((const void *)(uintptr_t)to, bytes);
    if (m && m->pooled && !host_pool_is_open(to_context, from_context))
        host_report("cuMemcpyPeerAsync: to a pool that is not in reach");
    return copy_between(to, to_context, from, from_context, bytes, stream, held);
}

static void set_bytes(struct work *w) { memset(w->to, w->value, w->bytes); }

mw_cu_result cuMemsetD8Async(mw_cu_address to, unsigned char value, size_t n, mw_cu_stream stream)
{
    TRY_BEGIN(cuMemsetD8Async);
    if (!host_context(held) || !is_on_device((void *)(uintptr_t)to, n, stream->context, held))
        return INVALID_VALUE;
    return host_queue(stream,
                      (struct work){ .run = set_bytes, .to = (void *)(uintptr_t)to, .bytes = n, .value = value });
}

static void set_words(struct work *w)
{
    for (size_t i = 0; i < w->bytes; i += sizeof w->value)
        memcpy((char *)w->to + i, &w->value, sizeof w->value);
}

/* Also a variable of a module, which is in no buffer. */
mw_cu_result cuMemsetD32Async(mw_cu_address to, unsigned value, size_t n, mw_cu_stream stream)
{
    TRY_BEGIN(cuMemsetD32Async);
    if (!host_context(held) || to % 4 != 0 ||
        (n > 1 && !is_on_device((void *)(uintptr_t)to, 4 * n, stream->context, held)))
        return INVALID_VALUE;
    return host_queue(stream, (struct work){
                                  .run = set_words, .to = (void *)(uintptr_t)to, .bytes = 4 * n, .value = (int)value });
}
/* SPDX-License-Identifier: MIT */

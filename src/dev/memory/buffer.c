/* Device memory: checks, the budget, and the call of the backend. */
#include "dev/core/given.h"
#include "dev/memory/pieces.h"

#include <meshwork/interop.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Some drivers accept more than there is and fail at the first launch, others swap: so the budget is our own. */
int mw_budget_check(const struct mw_device *device, const char *what, size_t bytes)
{
    const struct mw_device_info *info = &device->info;
    if (info->max_alloc_bytes && bytes > info->max_alloc_bytes)
        return mw_fail(MW_ELIMIT, "%s (%s) supports at most %s in one %s, but %s are needed: make it smaller", info->id,
                       info->name, mw_amount(info->max_alloc_bytes).text, what, mw_amount(bytes).text);
    const uint64_t left = mw_memory_left(device);
    if (bytes > left)
        return mw_fail(MW_ELIMIT,
                       "%s (%s) has %s left of its %s of memory, but %s are needed: make it smaller, or use "
                       "another device",
                       info->id, info->name, mw_amount(left).text, mw_amount(info->memory_bytes).text,
                       mw_amount(bytes).text);
    return 0;
}

/* ---- measured calls ---- */

void mw_device_time_memory(struct mw_device *device, struct mw_memory_seconds *seconds) { device->timed = seconds; }

/* Returns when a call begins.  A failure of earlier work is left to the call. */
static double timed_begin(struct mw_device *device)
{
    if (!device->timed)
        return 0;
    (void)mw_device_finish(device);
    return mw_now();
}

/* Adds the time of a call to a member of struct mw_memory_seconds. */
static void timed_end(struct mw_device *device, double start, size_t member)
{
    if (!device->timed)
        return;
    (void)mw_device_finish(device);
    *(double *)((char *)device->timed + member) += mw_now() - start;
}

#define TIMED(member) offsetof(struct mw_memory_seconds, member)

/* ---- buffers ---- */

int mw_buffer_new(struct mw_device *device, size_t bytes, struct mw_buffer **result)
{
    struct mw_buffer *buffer = NULL;
    double start;
    int rc;
    TRY(mw_device_given(&device));
    TRY(mw_budget_check(device, "buffer", bytes));
    TRY(mw_new(1, sizeof(*buffer), &buffer));
    buffer->device = device;
    buffer->bytes = bytes;
    start = timed_begin(device);
    if (bytes)
        TRY(MW_CALL(device, device->backend->memory->buffer_new(buffer)));
    timed_end(device, start, TIMED(allocate));
    device->allocated += bytes;
    *result = MW_PASS(buffer);
out:
    free(buffer);
    return rc;
}

static int borrow(struct mw_device *device, void *memory, size_t bytes, bool host, struct mw_buffer **result)
{
    struct mw_buffer *buffer = NULL;
    int rc;
    TRY(mw_device_given(&device));
    if (!memory)
        return mw_fail(MW_EINVAL, "%s: the memory for a buffer is NULL: pass valid memory", device->info.id);
    TRY(mw_new(1, sizeof *buffer, &buffer));
    *buffer = (struct mw_buffer){ .device = device, .bytes = bytes, .borrowed = true };
    if (bytes)
        TRY(MW_CALL(device, device->backend->memory->borrow(buffer, memory, host)));
    *result = MW_PASS(buffer);
out:
    free(buffer);
    return rc;
}

int mw_buffer_from_memory(struct mw_device *device, void *memory, size_t bytes, struct mw_buffer **buffer)
{
    return borrow(device, memory, bytes, false, buffer);
}

int mw_buffer_from_host(struct mw_device *device, void *memory, size_t bytes, struct mw_buffer **buffer)
{
    return borrow(device, memory, bytes, true, buffer);
}

void mw_buffer_free(struct mw_buffer *buffer)
{
    struct mw_device *device;
    double start;
    if (!buffer)
        return;
    device = buffer->device;
    start = timed_begin(device);
    if (buffer->bytes)
        MW_CALL_FREE(buffer->device, buffer->device->backend->memory->buffer_free(buffer));
    buffer->device->allocated -= buffer->borrowed ? 0 : buffer->bytes;
    free(buffer);
    timed_end(device, start, TIMED(free));
}

size_t mw_buffer_bytes(const struct mw_buffer *buffer) { return buffer->bytes; }

static int check_range(const struct mw_buffer *buffer, size_t offset, size_t bytes, const char *what)
{
    if (offset <= buffer->bytes && bytes <= buffer->bytes - offset)
        return 0;
    return mw_fail(MW_EINVAL,
                   "%s: the range to be %s begins at byte %zu and exceeds the buffer of %zu bytes (%zu bytes "
                   "requested)",
                   buffer->device->info.id, what, offset, buffer->bytes, bytes);
}

/* Gives an event to the caller after work was accepted. */
static int hand_over(int rc, struct mw_event **done, struct mw_event *event)
{
    if (rc != 0)
        free(event);
    else if (done)
        *done = event;
    return rc;
}

static int transfer_by(mw_transfer_fn *transfer, struct mw_buffer *buffer, size_t offset, size_t bytes,
                       const void *from, void *to, struct mw_event **done)
{
    struct mw_event *event = NULL;
    TRY_RETURN(check_range(buffer, offset, bytes, to ? "read" : "written"));
    if (done)
        TRY_RETURN(mw_event_new(buffer->device, &event));
    return hand_over(bytes ? MW_CALL(buffer->device, transfer(buffer, offset, bytes, from, to, event)) : 0, done,
                     event);
}

/* Blocking transfers may use several threads. */
static int memory_buffer_transfer(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                                  struct mw_event **done)
{
    struct mw_copy_pool *const copy_pool = done ? NULL : mw_copy_pool_for(buffer->device, bytes);
    if (!copy_pool)
        return transfer_by(buffer->device->backend->memory->transfer, buffer, offset, bytes, from, to, done);
    TRY_RETURN(check_range(buffer, offset, bytes, to ? "read" : "written"));
    return mw_copy_pool_move(copy_pool, buffer, offset, bytes, from, to);
}

int mw_buffer_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done)
{
    const double start = timed_begin(to->device);
    const int rc = memory_buffer_transfer(to, offset, bytes, from, NULL, done);
    timed_end(to->device, start, TIMED(upload));
    return rc;
}

int mw_buffer_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done)
{
    const double start = timed_begin(from->device);
    const int rc = memory_buffer_transfer(from, offset, bytes, NULL, to, done);
    timed_end(from->device, start, TIMED(download));
    return rc;
}

static bool is_within_reach(const struct mw_device *from, const struct mw_device *to)
{
    const struct mw_peer_calls *const peer = from->backend->peer;
    return from == to || (from->backend == to->backend && peer && peer->reaches(from, to));
}

typedef int copy_fn(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                    struct mw_event *event);

/* Through the host without a function; it is done when the call returns, and so its event is. */
static int copy_by(copy_fn *copy, struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset,
                   size_t bytes, struct mw_event **done)
{
    struct mw_event *event = NULL;
    int rc = 0;
    TRY_RETURN(check_range(from, from_offset, bytes, "copied"));
    TRY_RETURN(check_range(to, to_offset, bytes, "copied to"));
    if (from == to && from_offset < to_offset + bytes && to_offset < from_offset + bytes)
        return mw_fail(MW_EINVAL,
                       "%s: a copy within one buffer from offset %zu to %zu overlaps itself (%zu "
                       "bytes): use another buffer",
                       from->device->info.id, from_offset, to_offset, bytes);
    if (done)
        TRY_RETURN(mw_event_new(from->device, &event));
    if (bytes)
        rc = copy ? MW_CALL(from->device, copy(from, from_offset, to, to_offset, bytes, event))
                  : mw_copy_between(from, from_offset, to, to_offset, bytes);
    return hand_over(rc, done, event);
}

int mw_buffer_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                   struct mw_event **done)
{
    return copy_by(is_within_reach(from->device, to->device) ? from->device->backend->memory->copy : NULL, from,
                   from_offset, to, to_offset, bytes, done);
}

int mw_buffer_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value)
{
    TRY_RETURN(check_range(buffer, offset, bytes, "filled"));
    if (bytes)
        return MW_CALL(buffer->device, buffer->device->backend->memory->fill(buffer, offset, bytes, value));
    return 0;
}

/* ---- concurrent work ---- */

/* Without a second queue transfers are in the order of all work. */
static int nothing(struct mw_device *device) { return 0; }

static struct mw_queue_calls queue_of(const struct mw_device *device)
{
    const struct mw_backend *const b = device->backend;
    return b->queue ? *b->queue : (struct mw_queue_calls){ nothing, nothing, nothing, b->memory->transfer };
}

int mw_second_after_first(struct mw_device *device)
{
    return MW_CALL(device, queue_of(device).second_after_first(device));
}

int mw_first_after_second(struct mw_device *device)
{
    return MW_CALL(device, queue_of(device).first_after_second(device));
}

static int swap(struct mw_device *device) { return MW_CALL(device, queue_of(device).swap_queues(device)); }

int mw_second_enter(struct mw_device *device)
{
    TRY_RETURN(mw_second_after_first(device));
    return swap(device);
}

int mw_second_leave(struct mw_device *device)
{
    const int flushed = mw_device_flush(device), rc = swap(device);
    return rc ? rc : flushed;
}

int mw_second_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event **done)
{
    return transfer_by(queue_of(from->device).transfer, from, offset, bytes, NULL, to, done);
}

int mw_second_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event **done)
{
    return transfer_by(queue_of(to->device).transfer, to, offset, bytes, from, NULL, done);
}

bool mw_second_reaches(const struct mw_device *from, const struct mw_device *to)
{
    return from->backend->peer && from->backend->peer->second_copy && is_within_reach(from, to);
}

int mw_second_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                   struct mw_event **done)
{
    return copy_by(from->device->backend->peer->second_copy, from, from_offset, to, to_offset, bytes, done);
}
/* SPDX-License-Identifier: MIT */

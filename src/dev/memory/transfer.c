/* Copies from device to device, through the host. */
#include "dev/core/backend.h"

struct job {
    struct mw_buffer *from, *to;
    size_t from_offset, to_offset, bytes;
};

static int map(struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory)
{
    const struct mw_memory_calls *const calls = buffer->device->backend->memory;
    *memory = NULL;
    return calls->map ? MW_CALL(buffer->device, calls->map(buffer, offset, bytes, writes, memory)) : 0;
}

static int move(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                struct mw_event *event)
{
    return MW_CALL(buffer->device, buffer->device->backend->memory->transfer(buffer, offset, bytes, from, to, event));
}

/* Copies by one transfer if the host can access one of the buffers; *done: whether it did. */
static int copy_mapped(const struct job *j, bool *done)
{
    struct mw_buffer *mapped = j->from;
    void *memory = NULL;
    int rc = 0;
    TRY_RETURN(map(j->from, j->from_offset, j->bytes, false, &memory));
    if (memory) {
        rc = move(j->to, j->to_offset, j->bytes, memory, NULL, NULL);
    } else {
        mapped = j->to;
        TRY_RETURN(map(j->to, j->to_offset, j->bytes, true, &memory));
        if (memory)
            rc = move(j->from, j->from_offset, j->bytes, NULL, memory, NULL);
    }
    if (memory) {
        int unmapped = MW_CALL(mapped->device, mapped->device->backend->memory->unmap(mapped, memory));
        rc = rc ? rc : unmapped;
    }
    *done = memory != NULL;
    return rc;
}

enum { PIECES = 2 };
static const size_t piece_bytes = (size_t)4 << 20;

static int wait_and_free(struct mw_event **event)
{
    int rc = *event ? mw_event_wait(*event) : 0;
    mw_event_free(*event);
    *event = NULL;
    return rc;
}

/* In pieces by turns: one is written to its device while the next is read from the other. */
static int copy_staged(const struct job *j)
{
    struct mw_device *const device = j->from->device;
    struct mw_event *writes[PIECES] = { NULL };
    int rc = 0;
    if (!device->pieces)
        TRY(mw_staging_new(device, PIECES * piece_bytes, &device->pieces));
    unsigned turn = 0;
    for (size_t at = 0; at < j->bytes; at += piece_bytes, turn = (turn + 1) % PIECES) {
        const size_t n = j->bytes - at < piece_bytes ? j->bytes - at : piece_bytes;
        char *const piece = (char *)device->pieces->memory + turn * piece_bytes;
        TRY(wait_and_free(&writes[turn]));
        TRY(move(j->from, j->from_offset + at, n, NULL, piece, NULL));
        TRY(mw_event_new(j->to->device, &writes[turn]));
        TRY(move(j->to, j->to_offset + at, n, piece, NULL, writes[turn]));
        TRY(mw_device_flush(j->to->device));
    }
out:
    for (unsigned t = 0; t < PIECES; t++) {
        int waited = wait_and_free(&writes[t]);
        rc = rc ? rc : waited;
    }
    return rc;
}

int mw_copy_between(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes)
{
    const struct job j = { from, to, from_offset, to_offset, bytes };
    bool done = false;
    TRY_RETURN(copy_mapped(&j, &done));
    return done ? 0 : copy_staged(&j);
}
/* SPDX-License-Identifier: MIT */

/* Large transfers with memory that is not page-locked: drivers copy it to such memory of theirs by one thread, which
 * takes several times as long as the way to the device.  Here a few threads do that, a piece each at a time, while
 * other pieces are on their way. */
#include "dev/memory/pieces.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dev/host/host.h"
#include "dev/core/team.h"

enum { TURNS = 2 }; /* pieces of a thread: one is copied while the other is on its way */

const struct mw_piece_limits mw_piece_limits_usual = {
    .least = (size_t)64 << 20,
    .least_again = (size_t)4 << 20,
    .piece = (size_t)1 << 20,
    .threads_least = 4,
    .threads_most = 8,
};

/* A thread's. */
struct copier {
    struct mw_staging *staging;
    struct copier_turn {
        struct mw_event *event;
        size_t at, bytes;
    } turn[TURNS];
};

struct mw_copy_pool {
    struct mw_piece_limits limits;
    struct mw_team *team;
    size_t count;
    struct copier copier[];
};

struct transfer {
    const struct mw_piece_limits *limits;
    struct mw_buffer *buffer;
    size_t offset, bytes;
    const char *from;   /* NULL: to the host's memory, */
    char *to;           /* which is here */
    atomic_size_t next; /* piece */
    atomic_bool failed;
};

/* ---- one piece ---- */

static int wait(struct copier_turn *turn)
{
    const int rc = turn->event ? mw_event_wait(turn->event) : 0;
    mw_event_free(turn->event);
    turn->event = NULL;
    return rc;
}

static char *memory_of(const struct transfer *t, struct copier *p, unsigned turn)
{
    return (char *)p->staging->memory + turn * t->limits->piece;
}

/* Completes a turn: the piece is on the device, or at its place in the host's memory. */
static int end(const struct transfer *t, struct copier *p, unsigned number)
{
    struct copier_turn *turn = &p->turn[number];
    const bool arrives = turn->event && !t->from;
    TRY_RETURN(wait(turn));
    if (arrives)
        memcpy(t->to + turn->at, memory_of(t, p, number), turn->bytes);
    return 0;
}

static int memory_pieces_begin(const struct transfer *t, struct copier *p, unsigned number)
{
    struct mw_device *const device = t->buffer->device;
    struct copier_turn *turn = &p->turn[number];
    char *const memory = memory_of(t, p, number);
    int rc;
    TRY(mw_event_new(device, &turn->event));
    if (t->from)
        memcpy(memory, t->from + turn->at, turn->bytes);
    TRY(MW_CALL(device,
                device->backend->memory->transfer(t->buffer, t->offset + turn->at, turn->bytes, t->from ? memory : NULL,
                                                  t->from ? NULL : memory, turn->event)));
    TRY(mw_device_flush(device));
out:
    if (rc != 0)
        (void)wait(turn); /* it may have been queued all the same */
    return rc;
}

/* ---- a thread's ---- */

/* Transfers pieces until none is left. */
static int port(void *part, void *context)
{
    struct copier *p = part;
    struct transfer *t = context;
    const size_t piece = t->limits->piece;
    unsigned number = 0;
    int rc = 0;
    while (!atomic_load(&t->failed)) {
        const size_t taken = atomic_fetch_add(&t->next, 1);
        if (taken > (t->bytes - 1) / piece)
            break;
        const size_t at = taken * piece, left = t->bytes - at;
        TRY(end(t, p, number));
        p->turn[number] = (struct copier_turn){ .at = at, .bytes = left < piece ? left : piece };
        TRY(memory_pieces_begin(t, p, number));
        number = (number + 1) % TURNS;
    }
out:
    if (rc != 0)
        atomic_store(&t->failed, true);
    for (unsigned i = 0; i < TURNS; i++) {
        const int ended = end(t, p, (number + i) % TURNS);
        rc = rc ? rc : ended;
    }
    return rc;
}

/* ---- all ---- */

void mw_copy_pool_free(struct mw_copy_pool *copy_pool)
{
    if (!copy_pool)
        return;
    mw_team_free(copy_pool->team);
    for (size_t i = 0; i < copy_pool->count; i++)
        mw_staging_free(copy_pool->copier[i].staging);
    free(copy_pool);
}

int mw_copy_pool_new(struct mw_device *device, const struct mw_piece_limits *limits, size_t threads,
                     struct mw_copy_pool **result)
{
    struct mw_copy_pool *p = NULL;
    int rc;
    TRY(mw_new(1, sizeof *p + threads * sizeof *p->copier, &p));
    p->limits = *limits;
    for (; p->count < threads; p->count++)
        TRY(mw_staging_new(device, TURNS * limits->piece, &p->copier[p->count].staging));
    TRY(mw_team_new(p->copier, sizeof *p->copier, threads, &p->team));
    *result = MW_PASS(p);
out:
    mw_copy_pool_free(p);
    return rc;
}

int mw_copy_pool_move(struct mw_copy_pool *copy_pool, struct mw_buffer *buffer, size_t offset, size_t bytes,
                      const void *from, void *to)
{
    struct transfer t = {
        .limits = &copy_pool->limits, .buffer = buffer, .offset = offset, .bytes = bytes, .from = from, .to = to
    };
    return bytes ? mw_team_run(copy_pool->team, port, &t) : 0;
}

struct mw_copy_pool *mw_copy_pool_for(struct mw_device *device, size_t bytes)
{
    const struct mw_piece_limits *const limits = &mw_piece_limits_usual;
    unsigned cores;
    /* Cores are counted last: that takes the system microseconds, which small transfers do not. */
    if (device->info.shares_host_memory || !device->backend->memory->staging_new ||
        bytes < (device->copy_pool ? limits->least_again : limits->least) ||
        (cores = mw_core_count()) < limits->threads_least)
        return NULL;
    /* Without them transfers go as the driver makes them. */
    if (!device->copy_pool && !device->without_copy_pool)
        device->without_copy_pool =
            mw_copy_pool_new(device, limits, cores < limits->threads_most ? cores : limits->threads_most,
                             &device->copy_pool) != 0;
    return device->copy_pool;
}

/* ---- pages ---- */

/* The system takes about as long to allocate pages as a transfer takes to fill them.  They are therefore requested
 * while the device still computes the data. */
enum { THREADS_MOST = 8, PAGE = 4096 /* the smallest that there are */, TOUCHED = 1 << 20 };

struct mw_pages {
    char *memory;
    size_t bytes;
    atomic_size_t next; /* piece */
    size_t count;
    pthread_t thread[THREADS_MOST];
};

static void *touch(void *argument)
{
    struct mw_pages *pages = argument;
    size_t at;
    while ((at = atomic_fetch_add(&pages->next, 1) * TOUCHED) < pages->bytes) {
        const size_t end = pages->bytes - at < TOUCHED ? pages->bytes : at + TOUCHED;
        for (; at < end; at += PAGE)
            *(volatile char *)(pages->memory + at) = 0;
    }
    return NULL;
}

struct mw_pages *mw_pages_begin_by(size_t threads, void *memory, size_t bytes)
{
    struct mw_pages *pages = calloc(1, sizeof *pages);
    if (!pages)
        return NULL;
    pages->memory = memory;
    pages->bytes = bytes;
    while (pages->count < threads && pages->count < THREADS_MOST &&
           pthread_create(&pages->thread[pages->count], NULL, touch, pages) == 0)
        pages->count++;
    return pages;
}

struct mw_pages *mw_pages_begin(struct mw_device *device, void *memory, size_t bytes)
{
    return mw_copy_pool_for(device, bytes) ? mw_pages_begin_by(mw_core_count() / 2, memory, bytes) : NULL;
}

void mw_pages_end(struct mw_pages *pages)
{
    if (!pages)
        return;
    for (size_t i = 0; i < pages->count; i++)
        (void)pthread_join(pages->thread[i], NULL);
    free(pages);
}
/* SPDX-License-Identifier: MIT */

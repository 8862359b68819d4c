/* Blocks on their way from part to part, from device to device or through the host's memory. */
#include "dev/memory/exchange.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "dev/core/backend.h"

#define LINE 64        /* bytes: what must not share a cache line */
#define PATIENCE 50e-6 /* seconds of waiting before sleeping: most blocks are there already */
#define NEAR_SHARE 16  /* a block may take this part of a device's free memory */

struct channel {
    _Alignas(LINE) atomic_ullong posted; /* rounds */
    bool filled;                         /* the round's block is to be posted; used by its part's thread only */
    struct mw_device *from;
    struct mw_staging *blocks[2];
    struct mw_buffer *near[2]; /* in their place, on the device that they go to; NULL: through the host */
};

struct mw_exchange {
    size_t count;
    struct channel *channels;
    const char *what;
    atomic_ullong met; /* calls of mw_exchange_meet */
    atomic_bool broken;
    atomic_uint sleepers;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
};

/* To whose transfers it matters in which memory a block is: native devices copy from any. */
static struct mw_device *who_transfers(const struct mw_channel *c)
{
    return mw_device_info(c->from)->kind == MW_DEVICE_NATIVE ? c->to : c->from;
}

/* Makes blocks on the receiving device, unless that would leave too little memory. */
static bool make_near(const struct mw_channel *from, struct channel *c)
{
    bool made = !from->by_host && mw_second_reaches(from->from, from->to) &&
                from->bytes <= mw_memory_left(from->to) / NEAR_SHARE;
    for (size_t k = 0; k < 2 && made; k++)
        made = mw_buffer_new(from->to, from->bytes, &c->near[k]) == 0;
    for (size_t k = 0; k < 2 && !made; k++) {
        mw_buffer_free(c->near[k]);
        c->near[k] = NULL;
    }
    return made;
}

static int exchange_make_blocks(const struct mw_channel *from, struct channel *c)
{
    c->from = from->from;
    if (make_near(from, c))
        return 0;
    for (size_t k = 0; k < 2; k++)
        TRY_RETURN(mw_staging_new(who_transfers(from), from->bytes, &c->blocks[k]));
    return 0;
}

int mw_exchange_new(const struct mw_channel *channels, size_t count, const char *what, struct mw_exchange **exchange)
{
    struct mw_exchange *x = NULL;
    int rc;
    TRY(mw_new(1, sizeof *x, &x));
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->arrived, NULL);
    TRY(mw_new_aligned(count, sizeof *x->channels, &x->channels));
    x->count = count;
    x->what = what;
    for (size_t i = 0; i < count; i++)
        TRY(exchange_make_blocks(&channels[i], &x->channels[i]));
    *exchange = MW_PASS(x);
out:
    mw_exchange_free(x);
    return rc;
}

void mw_exchange_free(struct mw_exchange *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; k < 2; k++) {
            mw_staging_free(x->channels[i].blocks[k]);
            mw_buffer_free(x->channels[i].near[k]);
        }
    pthread_cond_destroy(&x->arrived);
    pthread_mutex_destroy(&x->lock);
    free(x->channels);
    free(x);
}

void mw_exchange_restart(struct mw_exchange *x)
{
    for (size_t i = 0; i < x->count; i++)
        atomic_store(&x->channels[i].posted, 0);
}

unsigned char *mw_exchange_block(const struct mw_exchange *x, size_t channel, uint64_t round)
{
    return mw_staging_memory(x->channels[channel].blocks[round & 1]);
}

static void wake(struct mw_exchange *x)
{
    /* Either the sleeper reads the earlier store, or this read finds the sleeper. */
    if (atomic_load(&x->sleepers) > 0) {
        pthread_mutex_lock(&x->lock);
        pthread_cond_broadcast(&x->arrived);
        pthread_mutex_unlock(&x->lock);
    }
}

void mw_exchange_post(struct mw_exchange *x, size_t channel, uint64_t round)
{
    atomic_store(&x->channels[channel].posted, round + 1);
    wake(x);
}

void mw_exchange_break(struct mw_exchange *x)
{
    atomic_store(&x->broken, true);
    wake(x);
}

int mw_exchange_check(const struct mw_exchange *x)
{
    if (x && atomic_load(&x->broken))
        return mw_fail(MW_EDEVICE, "%s cannot continue because one of its devices failed: make a new one", x->what);
    return 0;
}

static bool is_over(struct mw_exchange *x, atomic_ullong *count, uint64_t least)
{
    return atomic_load(count) >= least || atomic_load(&x->broken);
}

static int exchange_wait_for(struct mw_exchange *x, atomic_ullong *count, uint64_t least)
{
    const double start = mw_now();
    while (!is_over(x, count, least) && mw_now() - start < PATIENCE)
        sched_yield();
    if (!is_over(x, count, least)) {
        pthread_mutex_lock(&x->lock);
        atomic_fetch_add(&x->sleepers, 1);
        while (!is_over(x, count, least))
            pthread_cond_wait(&x->arrived, &x->lock);
        atomic_fetch_sub(&x->sleepers, 1);
        pthread_mutex_unlock(&x->lock);
    }
    if (atomic_load(&x->broken))
        return mw_fail(MW_ESTOPPED, "%s stopped because another of its devices failed: make a new one", x->what);
    return 0;
}

int mw_exchange_wait(struct mw_exchange *x, size_t channel, uint64_t round)
{
    return exchange_wait_for(x, &x->channels[channel].posted, round + 1);
}

int mw_exchange_meet(struct mw_exchange *x, size_t parts)
{
    const uint64_t before = atomic_fetch_add(&x->met, 1);
    wake(x);
    return exchange_wait_for(x, &x->met, (before / parts + 1) * parts);
}

/* ---- one part's ends ---- */

int mw_port_read(struct mw_port *port, struct mw_buffer *from, size_t offset, size_t bytes, size_t channel, size_t at)
{
    struct channel *const c = &port->exchange->channels[channel];
    struct mw_buffer *const near = c->near[port->round & 1];
    struct mw_event *event = NULL;
    if (near)
        TRY_RETURN(mw_second_copy(from, offset, near, at, bytes, &event));
    else
        TRY_RETURN(
            mw_second_read(from, offset, bytes, mw_exchange_block(port->exchange, channel, port->round) + at, &event));
    /* Transfers are done in their order. */
    mw_event_free(port->read);
    port->read = event;
    c->filled = true;
    return 0;
}

static int post(struct mw_port *port)
{
    struct mw_exchange *x = port->exchange;
    if (port->read)
        TRY_RETURN(mw_event_wait(port->read));
    mw_event_free(port->read);
    port->read = NULL;
    for (size_t i = 0; i < x->count; i++)
        if (x->channels[i].from == port->device && x->channels[i].filled) {
            x->channels[i].filled = false;
            mw_exchange_post(x, i, port->round);
        }
    return 0;
}

static bool computes_at_once(const struct mw_port *port)
{
    return mw_device_info(port->device)->kind == MW_DEVICE_NATIVE;
}

int mw_port_send(struct mw_port *port) { return computes_at_once(port) ? post(port) : mw_device_flush(port->device); }

int mw_port_post(struct mw_port *port)
{
    if (computes_at_once(port))
        return 0;
    TRY_RETURN(mw_device_flush(port->device));
    return post(port);
}

int mw_port_write(struct mw_port *port, struct mw_buffer *to, size_t offset, size_t bytes, size_t channel, size_t at)
{
    struct mw_buffer *const near = port->exchange->channels[channel].near[port->round & 1];
    struct mw_event *event = NULL;
    TRY_RETURN(mw_exchange_wait(port->exchange, channel, port->round));
    if (near)
        TRY_RETURN(mw_second_copy(near, at, to, offset, bytes, &event));
    else
        TRY_RETURN(
            mw_second_write(to, offset, bytes, mw_exchange_block(port->exchange, channel, port->round) + at, &event));
    /* It is not waited for: the block is written to again only after this part's next reading of borders, and that
     * comes later in the same order. */
    mw_event_free(event);
    return 0;
}

int mw_port_turn(struct mw_port *port)
{
    port->round++;
    return mw_first_after_second(port->device);
}

void mw_port_clear(struct mw_port *port)
{
    mw_event_free(port->read);
    port->read = NULL;
}

double mw_exchange_steps(double round_cells, double slab_cells, int reach)
{
    /* With n steps per round, each step has an n-th of the cost of a round. Both neighbours update n times `reach`
     * slabs on either side, on average half of them. */
    return sqrt(round_cells / (reach * slab_cells));
}
/* SPDX-License-Identifier: MIT */

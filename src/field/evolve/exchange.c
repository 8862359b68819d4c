/* Borders on their way from part to part, through the host's memory. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "dev/backend.h"
#include "field/evolve/split.h"

#define LINE 64                      /* bytes: what must not share a cache line */
#define PATIENCE 50e-6               /* seconds of waiting before sleeping: most blocks are there already */

struct channel {
    _Alignas(LINE) atomic_ullong posted; /* rounds */
    unsigned char *blocks[2];
};

struct mw_exchange {
    size_t count;
    struct channel *channels;
    atomic_bool broken;
    atomic_uint sleepers;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
};

int mw_exchange_new(size_t channels, size_t block_bytes, struct mw_exchange **exchange)
{
    struct mw_exchange *x = NULL;
    int rc;
    TRY(mw_new(1, sizeof *x, &x));
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->arrived, NULL);
    TRY(mw_new_aligned(channels, sizeof *x->channels, &x->channels));
    x->count = channels;
    for (size_t i = 0; i < channels; i++)
        for (size_t k = 0; k < 2; k++)
            TRY(mw_new_aligned(1, block_bytes, &x->channels[i].blocks[k]));
    *exchange = x;
    x = NULL;
out:
    mw_exchange_free(x);
    return rc;
}

void mw_exchange_free(struct mw_exchange *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; k < 2; k++)
            free(x->channels[i].blocks[k]);
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
    return x->channels[channel].blocks[round & 1];
}

static void wake(struct mw_exchange *x)
{
    /* Either the sleeper sees what was stored before this look, or this look sees the sleeper. */
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

bool mw_exchange_is_broken(const struct mw_exchange *x)
{
    return atomic_load(&x->broken);
}

static bool is_over(struct mw_exchange *x, size_t channel, uint64_t round)
{
    return atomic_load(&x->channels[channel].posted) > round || atomic_load(&x->broken);
}

int mw_exchange_wait(struct mw_exchange *x, size_t channel, uint64_t round)
{
    const double start = mw_now();
    while (!is_over(x, channel, round) && mw_now() - start < PATIENCE)
        sched_yield();
    if (!is_over(x, channel, round)) {
        pthread_mutex_lock(&x->lock);
        atomic_fetch_add(&x->sleepers, 1);
        while (!is_over(x, channel, round))
            pthread_cond_wait(&x->arrived, &x->lock);
        atomic_fetch_sub(&x->sleepers, 1);
        pthread_mutex_unlock(&x->lock);
    }
    if (mw_exchange_is_broken(x))
        return mw_fail(MW_ESTOPPED, "the field stopped because another of its devices failed: make a new one");
    return 0;
}

/* ---- a part's borders ---- */

/* A border: as many slabs as the neighbour has copies of, and the other way round. */
static int slabs_of(const struct mw_field *f, enum mw_side side)
{
    return side == MW_LOWER ? f->place.lower : f->place.upper;
}

static size_t slab_bytes(const struct mw_field *f)
{
    return f->slab_rows * f->options.length[0] * f->real_bytes;
}

static size_t offset_of(const struct mw_field *f, size_t field, int slab)
{
    return field * f->cells * f->real_bytes + (size_t)slab * slab_bytes(f);
}

int mw_borders_collect(const struct mw_field *f, struct mw_buffer *buffer)
{
    const int first[MW_SIDES] = { f->place.lower, f->place.lower + f->place.own - f->place.upper };
    struct mw_borders *borders = f->borders;
    int rc = 0;
    for (int side = 0; side < MW_SIDES; side++) {
        const size_t bytes = (size_t)slabs_of(f, side) * slab_bytes(f);
        for (size_t i = 0; i < f->model->info.field_count && bytes; i++) {
            unsigned char *to = mw_exchange_block(borders->exchange, borders->send[side], borders->round) + i * bytes;
            TRY(mw_buffer_read(buffer, offset_of(f, i, first[side]), bytes, to, &borders->reads[borders->read_count]));
            borders->read_count++;
        }
    }
out:
    return rc;
}

int mw_borders_post(const struct mw_field *f)
{
    struct mw_borders *borders = f->borders;
    int rc = 0;
    for (size_t i = 0; i < borders->read_count; i++) {
        if (rc == 0)
            rc = mw_event_wait(borders->reads[i]);
        mw_event_free(borders->reads[i]);
    }
    borders->read_count = 0;
    for (int side = 0; side < MW_SIDES && rc == 0; side++)
        if (slabs_of(f, side))
            mw_exchange_post(borders->exchange, borders->send[side], borders->round);
    return rc;
}

int mw_borders_receive(const struct mw_field *f)
{
    const int first[MW_SIDES] = { 0, f->place.lower + f->place.own };
    struct mw_borders *borders = f->borders;
    int rc = 0;
    for (int side = 0; side < MW_SIDES; side++) {
        const size_t bytes = (size_t)slabs_of(f, side) * slab_bytes(f);
        if (bytes)
            TRY(mw_exchange_wait(borders->exchange, borders->receive[side], borders->round));
        for (size_t i = 0; i < f->model->info.field_count && bytes; i++) {
            const unsigned char *block = mw_exchange_block(borders->exchange, borders->receive[side], borders->round);
            struct mw_event *event = NULL;
            TRY(mw_buffer_write(f->state, offset_of(f, i, first[side]), bytes, block + i * bytes, &event));
            /* It is not waited for: the block is written to again only after this part's next reading of borders, and
             * that comes later in the same queue. */
            mw_event_free(event);
        }
    }
    borders->round++;
out:
    return rc;
}

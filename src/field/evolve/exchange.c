/* Blocks on their way from part to part, through the host's memory. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/base.h"
#include "field/evolve/exchange.h"

#define LINE 64                      /* bytes: what must not share a cache line */
#define PATIENCE 50e-6               /* seconds of waiting before sleeping: most blocks are there already */

struct channel {
    _Alignas(LINE) atomic_ullong posted; /* rounds */
    struct mw_staging *blocks[2];
};

struct mw_exchange {
    size_t count;
    struct channel *channels;
    atomic_bool broken;
    atomic_uint sleepers;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
};

int mw_exchange_new(struct mw_device *const *devices, size_t channels, size_t block_bytes,
                    struct mw_exchange **exchange)
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
            TRY(mw_staging_new(devices[i], block_bytes, &x->channels[i].blocks[k]));
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
            mw_staging_free(x->channels[i].blocks[k]);
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

int mw_exchange_check(const struct mw_exchange *x)
{
    if (x && atomic_load(&x->broken))
        return mw_fail(MW_EDEVICE, "the field cannot go on since one of its devices failed: make a new one");
    return 0;
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
    if (atomic_load(&x->broken))
        return mw_fail(MW_ESTOPPED, "the field stopped because another of its devices failed: make a new one");
    return 0;
}

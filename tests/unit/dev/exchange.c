/* Blocks between the threads of several devices. */
#include "base/base.h"
#include "dev/memory/exchange.h"

#include <pthread.h>
#include <stdatomic.h>

#include "tests/check.h"

struct waiting {
    struct mw_exchange *exchange;
    atomic_int received;
    int rc[3];
    unsigned char got[2];
};

static void *receive(void *argument)
{
    struct waiting *w = argument;
    for (uint64_t round = 0; round < 3; round++) {
        w->rc[round] = mw_exchange_wait(w->exchange, 1, round);
        if (round < 2)
            w->got[round] = *mw_exchange_block(w->exchange, 1, round);
        atomic_fetch_add(&w->received, 1);
    }
    return NULL;
}

static void blocks_arrive_in_their_round_and_a_failure_ends_waiting(void **unused)
{
    struct waiting w = { .rc = { 1, 1, 1 } };
    pthread_t thread;
    struct mw_device *device;
    assert_int_equal(mw_device_open_by_name("native:serial", NULL, &device), 0);
    const struct mw_channel channel = { device, device, 16, false };
    assert_int_equal(mw_exchange_new((struct mw_channel[]){ channel, channel }, 2, "it", &w.exchange), 0);
    assert_int_equal(pthread_create(&thread, NULL, receive, &w), 0);
    for (uint64_t round = 0; round < 2; round++) {
        *mw_exchange_block(w.exchange, 1, round) = (unsigned char)(5 + round);
        mw_exchange_post(w.exchange, 1, round);
    }
    assert_int_equal(mw_exchange_check(w.exchange), 0);
    while (atomic_load(&w.received) < 2)
        ;
    for (const double start = mw_now(); mw_now() - start < 0.002;)
        ; /* so that the other thread usually sleeps */
    mw_exchange_break(w.exchange);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(mw_exchange_check(w.exchange), MW_EDEVICE);
    assert_int_equal(w.rc[2], MW_ESTOPPED);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(w.rc[i], 0);
        assert_int_equal(w.got[i], 5 + i);
    }
    mw_exchange_free(w.exchange);
    mw_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_arrive_in_their_round_and_a_failure_ends_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

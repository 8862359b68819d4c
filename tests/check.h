/* Common helpers of tests: calls that must succeed or fail, random numbers, memory. */
#ifndef MW_TESTS_CHECK_H
#define MW_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <meshwork/status.h>

/* Requires that a call returns 0. */
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        int ok_rc_ = (call);                                                                                           \
        if (ok_rc_ != 0)                                                                                               \
            fail_msg("%s: %d: %s", #call, ok_rc_, mw_errmsg());                                                        \
    } while (0)

/* Returns a pointer to a struct of options with its size and these members. */
#define GIVEN(name, ...) (&(struct name){ .size = sizeof(struct name), __VA_ARGS__ })

/* Requires that a call fails with this status and a message that contains these words. */
#define FAILS(status, words, call)                                                                                     \
    do {                                                                                                               \
        int fails_rc_ = (call);                                                                                        \
        if (fails_rc_ != (status) || !strstr(mw_errmsg(), words))                                                      \
            fail_msg("%s: %d: %s", #call, fails_rc_, mw_errmsg());                                                     \
    } while (0)

/* The seed and the state of random numbers. */
static unsigned seed;
static uint64_t random_state;

/* Seeds random_word and rand: differently each time, or by $MESHWORK_TEST_SEED. */
static inline void seed_random(void)
{
    const char *given = getenv("MESHWORK_TEST_SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)(now.tv_sec * 1000000 + now.tv_nsec / 1000);
    random_state = seed;
    srand(seed);
    print_message("MESHWORK_TEST_SEED=%u\n", seed);
}

/* Returns a random number of 64 bits, by splitmix64 (Steele, Lea, Flood 2014). */

static inline uint64_t random_word(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline size_t random_below(size_t n) { return (size_t)(random_word() % n); }

/* Allocates zeroed memory for n elements; fails the test if there is none. */
static inline void *room(size_t n, size_t bytes)
{
    void *p = calloc(n + 1, bytes);
    assert_non_null(p);
    return p;
}

#endif
/* SPDX-License-Identifier: MIT */

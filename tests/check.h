/* What tests of devices share: calls that must succeed, random numbers, memory. */
#ifndef MW_TESTS_CHECK_H
#define MW_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <meshwork/status.h>

#define OK(call) do { \
        int ok_rc_ = (call); \
        if (ok_rc_ != 0) \
            fail_msg("%s: %d: %s", #call, ok_rc_, mw_errmsg()); \
    } while (0)

/* splitmix64 (Steele, Lea, Flood 2014), from where the test sets its state. */
static uint64_t random_state;

static inline uint64_t random_word(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline size_t random_below(size_t n) { return (size_t)(random_word() % n); }

/* Zeroed memory, never NULL. */
static inline void *room(size_t n, size_t bytes)
{
    void *p = calloc(n + 1, bytes);
    assert_non_null(p);
    return p;
}

#endif

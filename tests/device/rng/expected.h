/* Reference generators, as written in their papers. */
#ifndef MW_TESTS_RNG_EXPECTED_H
#define MW_TESTS_RNG_EXPECTED_H

#include <stdint.h>
#include <stdlib.h>

#include "tests/check.h"

static inline void philox_words(uint32_t c[4], const uint32_t key[2])
{
    for (uint32_t round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53 * c[0], b = (uint64_t)0xCD9E8D57 * c[2];
        const uint32_t k0 = key[0] + round * 0x9E3779B9, k1 = key[1] + round * 0xBB67AE85;
        const uint32_t next[4] = { (uint32_t)(b >> 32) ^ c[1] ^ k0, (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k1,
                                   (uint32_t)a };
        memcpy(c, next, sizeof next);
    }
}

static inline void threefry_words(uint32_t x[4], const uint32_t key[4])
{
    static const unsigned rotation[8][2] = { { 10, 26 }, { 11, 21 }, { 13, 27 }, { 23, 5 },
                                             { 6, 20 },  { 17, 11 }, { 25, 10 }, { 18, 20 } };
    const uint32_t keys[5] = { key[0], key[1], key[2], key[3], 0x1BD11BDA ^ key[0] ^ key[1] ^ key[2] ^ key[3] };
    for (uint32_t round = 0; round <= 20; round++) {
        if (round % 4 == 0)
            for (uint32_t w = 0; w < 4; w++)
                x[w] += keys[(round / 4 + w) % 5] + (w == 3 ? round / 4 : 0);
        if (round == 20)
            break;
        for (int pair = 0; pair < 2; pair++) {
            const int a = 2 * pair, b = round % 2 ? 3 - a : a + 1;
            const unsigned by = rotation[round % 8][pair];
            x[a] += x[b];
            x[b] = (x[b] << by | x[b] >> (32 - by)) ^ x[a];
        }
    }
}

/* Marsaglia, Zaman and Tsang in doubles, as in the paper: uniform numbers, c, d and m are fractions. */
struct lagged {
    double *u, c;
    size_t length, i, j;
};

static inline void lagged_start(struct lagged *g, size_t length, uint64_t number)
{
    unsigned ij = (unsigned)(number / 30082), kl = (unsigned)(number % 30082);
    unsigned i = ij / 177 % 177 + 2, j = ij % 177 + 2, k = kl / 169 % 178 + 1, l = kl % 169;
    *g = (struct lagged){ room(length, sizeof(double)), 362436.0 / 16777216.0, length, length - 1, length / 3 };
    for (size_t n = 0; n < length; n++) {
        double t = 0.5;
        for (int bit = 0; bit < 24; bit++, t *= 0.5) {
            const unsigned m = i * j % 179 * k % 179;
            i = j;
            j = k;
            k = m;
            l = (53 * l + 1) % 169;
            if (l * m % 64 >= 32)
                g->u[n] += t;
        }
    }
}

static inline uint32_t lagged_next(struct lagged *g)
{
    double result = g->u[g->i] - g->u[g->j];
    if (result < 0)
        result += 1;
    g->u[g->i] = result;
    g->i = (g->i + g->length - 1) % g->length;
    g->j = (g->j + g->length - 1) % g->length;
    g->c -= 7654321.0 / 16777216.0;
    if (g->c < 0)
        g->c += 16777213.0 / 16777216.0;
    result -= g->c;
    if (result < 0)
        result += 1;
    return (uint32_t)(result * 16777216.0);
}

#endif
/* SPDX-License-Identifier: MIT */

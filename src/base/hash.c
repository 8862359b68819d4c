/* XXH64 by its public specification (Yann Collet, "xxHash fast digest algorithm", algorithm description, section
 * XXH64): four lanes over stripes of 32 bytes, merged, then the rest in words of 8, 4 and 1 bytes. */
#include "base/base.h"

#include <string.h>

#define STRIPE 32

static const uint64_t P1 = 0x9E3779B185EBCA87u, P2 = 0xC2B2AE3D27D4EB4Fu, P3 = 0x165667B19E3779F9u,
                      P4 = 0x85EBCA77C2B2AE63u, P5 = 0x27D4EB2F165667C5u;

static inline uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

/* The specification reads little-endian words wherever it runs. */
static inline uint64_t word8(const unsigned char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

static inline uint64_t word4(const unsigned char *p)
{
    uint32_t w;
    memcpy(&w, p, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap32(w);
#endif
    return w;
}

static inline uint64_t hash_round_of(uint64_t lane, uint64_t word) { return rotate(lane + word * P2, 31) * P1; }

static inline uint64_t merge(uint64_t hash, uint64_t lane) { return (hash ^ hash_round_of(0, lane)) * P1 + P4; }

/* Takes all whole stripes from p and returns how many bytes that were. */
static size_t take_stripes(uint64_t lane[4], const unsigned char *p, size_t n)
{
    uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];
    size_t taken = n - n % STRIPE;
    for (const unsigned char *end = p + taken; p < end; p += STRIPE) {
        a = hash_round_of(a, word8(p));
        b = hash_round_of(b, word8(p + 8));
        c = hash_round_of(c, word8(p + 16));
        d = hash_round_of(d, word8(p + 24));
    }
    lane[0] = a;
    lane[1] = b;
    lane[2] = c;
    lane[3] = d;
    return taken;
}

void mw_hasher_start(struct mw_hasher *h, uint64_t seed)
{
    *h = (struct mw_hasher){ .lane = { seed + P1 + P2, seed + P2, seed, seed - P1 }, .seed = seed };
}

void mw_hasher_add(struct mw_hasher *h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    size_t taken;

    if (n == 0)
        return;
    h->total += n;
    if (h->tail_length > 0) {
        size_t missing = STRIPE - h->tail_length, part = n < missing ? n : missing;
        memcpy(h->tail + h->tail_length, p, part);
        h->tail_length += part;
        p += part;
        n -= part;
        if (h->tail_length < STRIPE)
            return;
        take_stripes(h->lane, h->tail, STRIPE);
    }
    taken = take_stripes(h->lane, p, n);
    h->tail_length = n - taken;
    memcpy(h->tail, p + taken, h->tail_length);
}

void mw_hasher_add_words(struct mw_hasher *h, const void *words, size_t count, size_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const unsigned char *word = words;
    unsigned char swapped[8];

    for (; bytes > 1 && count > 0; count--, word += bytes) {
        for (size_t i = 0; i < bytes; i++)
            swapped[i] = word[bytes - 1 - i];
        mw_hasher_add(h, swapped, bytes);
    }
    words = word;
#endif
    mw_hasher_add(h, words, count * bytes);
}

uint64_t mw_hasher_end(const struct mw_hasher *h)
{
    const unsigned char *p = h->tail, *end = p + h->tail_length;
    uint64_t hash = h->seed + P5;

    if (h->total >= STRIPE) {
        hash = rotate(h->lane[0], 1) + rotate(h->lane[1], 7) + rotate(h->lane[2], 12) + rotate(h->lane[3], 18);
        for (int i = 0; i < 4; i++)
            hash = merge(hash, h->lane[i]);
    }
    hash += h->total;
    for (; end - p >= 8; p += 8)
        hash = rotate(hash ^ hash_round_of(0, word8(p)), 27) * P1 + P4;
    if (end - p >= 4) {
        hash = rotate(hash ^ word4(p) * P1, 23) * P2 + P3;
        p += 4;
    }
    for (; p < end; p++)
        hash = rotate(hash ^ *p * P5, 11) * P1;
    hash = (hash ^ hash >> 33) * P2;
    hash = (hash ^ hash >> 29) * P3;
    return hash ^ hash >> 32;
}

uint64_t mw_hash64(const void *bytes, size_t n, uint64_t seed)
{
    struct mw_hasher h;
    mw_hasher_start(&h, seed);
    mw_hasher_add(&h, bytes, n);
    return mw_hasher_end(&h);
}
/* SPDX-License-Identifier: MIT */

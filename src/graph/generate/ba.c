/* Barabasi-Albert growth with preferential attachment, by the method of Batagelj and Brandes (Phys. Rev. E 71 (2005)
 * 036113): the list of all endpoints so far has each vertex as often as its degree. So a uniformly drawn endpoint is a
 * vertex drawn with probability proportional to its degree.
 *
 * The position of the drawn endpoint is known early, so it is prefetched a batch ahead. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "graph/generate/generate_internal.h"

#include "native.clh"
#include "graph/generate/generate.clh"

#define BATCH 256 /* edges; even */

/* Draws 64 bits for each edge's first attempt: one call of Philox per two edges, from an even one on. */
CLONES static void mw_ba_draw(uint64_t *bits, uint64_t first, uint64_t seed)
{
    for (uint64_t x = 0; x < BATCH / 2; x++) {
        const struct philox r = draw_words(first / 2 + x, 0, DRAW_ATTACH, seed);
        bits[2 * x] = (uint64_t)r.word[0] << 32 | r.word[1];
        bits[2 * x + 1] = (uint64_t)r.word[2] << 32 | r.word[3];
    }
}

/* Uniform below n: the upper half of the product. */
static uint64_t below(uint64_t bits, uint64_t n)
{
    const uint64_t high = (bits >> 32) * (n >> 32), low = (bits & UINT32_MAX) * (n & UINT32_MAX);
    const uint64_t one = (bits >> 32) * (n & UINT32_MAX), other = (bits & UINT32_MAX) * (n >> 32);
    const uint64_t middle = (low >> 32) + (one & UINT32_MAX) + (other & UINT32_MAX);
    return high + (one >> 32) + (other >> 32) + (middle >> 32);
}

struct growth {
    uint32_t *ends;
    uint64_t seed, m, start; /* edges per new vertex; first such edge */
};

/* An edge, the vertex that adds it, and that vertex's first edge `base`. */
struct place {
    uint64_t edge, base;
    uint32_t vertex;
};

static void ba_step(const struct growth *w, struct place *at)
{
    at->edge++;
    if (at->edge - at->base == w->m) {
        at->base = at->edge;
        at->vertex++;
    }
}

/* Makes a batch of edges from the positions of the endpoints to copy. A vertex is not attached to the same vertex
 * twice. */
static void attach(const struct growth *w, struct place *at, const uint64_t *position, uint64_t count)
{
    for (uint64_t x = 0; x < count; x++) {
        uint32_t target = w->ends[position[x]];
        for (uint32_t draw = 1;; draw++) {
            uint32_t taken = 0;
            for (uint64_t e = at->base; e < at->edge; e++)
                taken |= w->ends[2 * e + 1] == target;
            if (!taken)
                break;
            const struct philox r = draw_words(at->edge, draw, DRAW_ATTACH_AGAIN, w->seed);
            target = w->ends[below((uint64_t)r.word[0] << 32 | r.word[1], 2 * at->base)];
        }
        w->ends[2 * at->edge] = at->vertex;
        w->ends[2 * at->edge + 1] = target;
        ba_step(w, at);
    }
}

/* Draws and prefetches the positions of the next batch, which ends at an even edge. Returns its number of edges. */
static uint64_t look_ahead(const struct growth *w, struct place *at, uint64_t all, uint64_t *position)
{
    const uint64_t odd = at->edge & 1, left = all - at->edge, count = left < BATCH - odd ? left : BATCH - odd;
    uint64_t bits[BATCH];
    mw_ba_draw(bits, at->edge - odd, w->seed);
    for (uint64_t x = 0; x < count; x++) {
        position[x] = below(bits[odd + x], 2 * at->base);
        PREFETCH(w->ends + position[x]);
        ba_step(w, at);
    }
    return count;
}

static void clique(uint32_t *ends, uint32_t vertices)
{
    for (uint32_t v = 1; v < vertices; v++)
        for (uint32_t u = 0; u < v; u++) {
            *ends++ = v;
            *ends++ = u;
        }
}

int mw_generate_ba(struct mw_generation *g)
{
    const uint32_t m = (uint32_t)g->values[1];
    const struct growth w = { g->edges->ends, g->seed, m, (uint64_t)m * (m + 1) / 2 };
    struct place now = { w.start, w.start, m + 1 }, ahead = now;
    uint64_t position[2][BATCH], count, next;
    clique(w.ends, m + 1);
    next = look_ahead(&w, &ahead, g->edges->count, position[0]);
    for (unsigned turn = 0; (count = next) > 0; turn ^= 1) {
        next = look_ahead(&w, &ahead, g->edges->count, position[turn ^ 1]);
        attach(&w, &now, position[turn], count);
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */

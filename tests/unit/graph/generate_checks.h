/* Common helpers of the tests of generators: they make graphs, count them, and compare them with expectations. */
#ifndef MW_TESTS_GENERATE
#define MW_TESTS_GENERATE

#include "graph/generate/generate_internal.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "rng.clh"

#define VALUES(...) ((const double[MW_GENERATOR_PARAMETERS_MAX]){ __VA_ARGS__ })
#define NOWHERE UINT32_MAX

static struct mw_device *device;

static inline struct mw_edges make(const char *generator, const double *values, uint64_t from_seed)
{
    struct mw_edges edges;
    OK(mw_generate_values(device, generator, values, from_seed, 0, &edges));
    assert_false(edges.directed);
    assert_null(edges.names);
    return edges;
}

/* ---- counts ---- */

static inline uint64_t pair_of(const struct mw_edges *g, uint64_t e)
{
    const uint32_t a = g->ends[2 * e], b = g->ends[2 * e + 1];
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static inline int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns all edges, sorted upwards, as numbers with the smaller endpoint first. */
static inline uint64_t *sorted_pairs(const struct mw_edges *g)
{
    uint64_t *pairs = room(g->count, sizeof *pairs);
    for (uint64_t e = 0; e < g->count; e++)
        pairs[e] = pair_of(g, e);
    qsort(pairs, g->count, sizeof *pairs, by_value);
    return pairs;
}

static inline void check_ends(const struct mw_edges *g, const char *what)
{
    for (uint64_t e = 0; e < 2 * g->count; e++)
        if (g->ends[e] >= g->vertices)
            fail_msg("%s: end %lu is vertex %u of %zu (seed %u)", what, (unsigned long)e, g->ends[e], g->vertices,
                     seed);
}

static inline void check_simple(const struct mw_edges *g, const char *what)
{
    uint64_t *pairs = sorted_pairs(g);
    check_ends(g, what);
    for (uint64_t e = 0; e < g->count; e++) {
        if (pairs[e] >> 32 == (uint32_t)pairs[e])
            fail_msg("%s: vertex %u has an edge to itself (seed %u)", what, (uint32_t)pairs[e], seed);
        if (e > 0 && pairs[e] == pairs[e - 1])
            fail_msg("%s: two edges between %u and %u (seed %u)", what, (uint32_t)(pairs[e] >> 32), (uint32_t)pairs[e],
                     seed);
    }
    free(pairs);
}

static inline uint32_t *degrees(const struct mw_edges *g)
{
    uint32_t *degree = room(g->vertices, sizeof *degree);
    for (uint64_t e = 0; e < 2 * g->count; e++)
        degree[g->ends[e]]++;
    return degree;
}

/* Returns the adjacency matrix, one byte per pair of vertices, for small graphs. */
static inline unsigned char *matrix(const struct mw_edges *g)
{
    unsigned char *m = room(g->vertices * g->vertices, 1);
    for (uint64_t e = 0; e < g->count; e++)
        m[g->ends[2 * e] * g->vertices + g->ends[2 * e + 1]] = m[g->ends[2 * e + 1] * g->vertices + g->ends[2 * e]] = 1;
    return m;
}

struct triangles {
    double closed, triples;
};

static inline struct triangles count_triangles(const struct mw_edges *g)
{
    const size_t n = g->vertices;
    unsigned char *m = matrix(g);
    uint32_t *degree = degrees(g);
    struct triangles t = { 0, 0 };
    for (uint64_t e = 0; e < g->count; e++) {
        const unsigned char *a = m + g->ends[2 * e] * n, *b = m + g->ends[2 * e + 1] * n;
        unsigned both = 0;
        for (size_t v = 0; v < n; v++)
            both += a[v] & b[v];
        t.closed += both;
    }
    for (size_t v = 0; v < n; v++)
        t.triples += 0.5 * degree[v] * (degree[v] - 1.0);
    free(m);
    free(degree);
    return t; /* each triangle was found from its three edges, and has three triples */
}

/* Returns the number of vertices that can be reached from vertex 0. */
static inline size_t reached(const struct mw_edges *g)
{
    unsigned char *seen = room(g->vertices, 1);
    size_t count = 1;
    bool more = true;
    for (seen[0] = 1; more;) {
        more = false;
        for (uint64_t e = 0; e < g->count; e++) {
            const uint32_t a = g->ends[2 * e], b = g->ends[2 * e + 1];
            if (seen[a] != seen[b]) {
                seen[a] = seen[b] = 1;
                count++;
                more = true;
            }
        }
    }
    free(seen);
    return count;
}

/* Requires that chi-square of the counts is at most about 7 standard deviations above its mean.  Cells with fewer than
 * 10 expected are taken together. */
static inline void check_counts(const char *what, const double *counts, const double *expected, size_t cells)
{
    double sum = 0.0, few = 0.0, few_expected = 0.0, degrees_of_freedom = -1.0;
    for (size_t c = 0; c <= cells; c++) {
        double got = few, wanted = few_expected;
        if (c < cells && expected[c] < 10.0) {
            few += counts[c];
            few_expected += expected[c];
            continue;
        }
        if (c < cells) {
            got = counts[c];
            wanted = expected[c];
        }
        if (wanted > 1e-3) {
            sum += (got - wanted) * (got - wanted) / wanted;
            degrees_of_freedom += 1.0;
        } else if (got > 0.0) {
            fail_msg("%s: %g where none are expected (seed %u)", what, got, seed);
        }
    }
    assert_true(degrees_of_freedom >= 1.0);
    if (sum > degrees_of_freedom + 7.0 * sqrt(2.0 * degrees_of_freedom) + 12.0)
        fail_msg("%s: chi-square is %.1f for %g degrees of freedom (seed %u)", what, sum, degrees_of_freedom, seed);
}

static inline void check_near(const char *what, double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%s: %g, and %g +- %g is expected (seed %u)", what, got, expected, within, seed);
}

/* Counts the vertices of each degree 0, 1, ... below `cells` - 1; the last cell counts all larger degrees. */
static inline void degree_counts(const struct mw_edges *g, double *counts, size_t cells)
{
    uint32_t *degree = degrees(g);
    memset(counts, 0, cells * sizeof *counts);
    for (size_t v = 0; v < g->vertices; v++)
        counts[degree[v] < cells ? degree[v] : cells - 1] += 1.0;
    free(degree);
}

/* Computes the expected counts of degrees d: n times the Poisson probability of d - shift. */
static inline void poisson(double n, double mean, size_t shift, double *expected, size_t cells)
{
    double p = exp(-mean), left = 1.0;
    for (size_t d = 0; d < cells; d++) {
        expected[d] = d < shift ? 0.0 : d + 1 < cells ? n * p : n * left;
        if (d >= shift) {
            left -= p;
            p *= mean / (double)(d - shift + 1);
        }
    }
}

/* ---- random numbers, numbered as in generate.clh ---- */

static inline struct philox words(uint64_t at, uint32_t draw, uint32_t purpose, uint64_t key)
{
    return draw_words(at, draw, purpose, key);
}

static inline uint64_t below(uint32_t high, uint32_t low, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)((uint64_t)high << 32 | low) * n) >> 64);
}

static inline void check_same(const char *what, const struct mw_edges *g, const uint32_t *ends, uint64_t count)
{
    assert_int_equal(g->count, count);
    for (uint64_t e = 0; e < count; e++)
        if (g->ends[2 * e] != ends[2 * e] || g->ends[2 * e + 1] != ends[2 * e + 1])
            fail_msg("%s: edge %lu is %u-%u, and has to be %u-%u (seed %u)", what, (unsigned long)e, g->ends[2 * e],
                     g->ends[2 * e + 1], ends[2 * e], ends[2 * e + 1], seed);
}

/* For main() of the tests. */
static inline int open_device(void **state) { return mw_device_open_by_name("native:serial", NULL, &device); }

static inline int close_device(void **state)
{
    mw_device_close(device);
    return 0;
}

#endif
/* SPDX-License-Identifier: MIT */

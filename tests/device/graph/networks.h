/* Networks for tests of algorithms: shapes of vertices and edges, random ones, and their components by a plain
 * union-find. */
#ifndef MW_TESTS_NETWORKS
#define MW_TESTS_NETWORKS

#include "graph/graph_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

/* ---- graphs ---- */

/* Edges in the order in which they were added, and the graph made of them. */
struct network {
    struct mw_graph graph;
    size_t vertices;
    uint64_t edges, capacity;
    uint32_t *ends, *expected;
};

static inline void add(struct network *n, size_t a, size_t b)
{
    if (n->edges == n->capacity) {
        n->capacity = n->capacity ? 2 * n->capacity : 64;
        n->ends = realloc(n->ends, n->capacity * 2 * sizeof *n->ends);
        assert_non_null(n->ends);
    }
    n->ends[2 * n->edges] = (uint32_t)a;
    n->ends[2 * n->edges + 1] = (uint32_t)b;
    n->edges++;
}

static inline uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static inline void find_components(struct network *n)
{
    uint32_t *parent = n->expected = room(n->vertices, sizeof *parent);
    for (size_t v = 0; v < n->vertices; v++)
        parent[v] = (uint32_t)v;
    for (uint64_t e = 0; e < n->edges; e++) {
        const uint32_t a = root_of(parent, n->ends[2 * e]), b = root_of(parent, n->ends[2 * e + 1]);
        parent[a > b ? a : b] = a < b ? a : b;
    }
    for (size_t v = 0; v < n->vertices; v++)
        parent[v] = root_of(parent, (uint32_t)v);
}

static int upwards(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Builds the graph from the edges; the heads of each vertex are sorted upwards, or in the order of the edges. */
static inline void build(struct network *n, bool directed, bool sorted)
{
    const uint64_t arcs = directed ? n->edges : 2 * n->edges;
    uint64_t *offsets = room(n->vertices + 1, sizeof *offsets), *place = room(n->vertices + 1, sizeof *place);
    uint32_t *heads = room(arcs, sizeof *heads);
    for (uint64_t i = 0; i < 2 * n->edges; i++)
        if (!directed || i % 2 == 0)
            offsets[n->ends[i] + 1]++;
    for (size_t v = 0; v < n->vertices; v++)
        offsets[v + 1] += offsets[v];
    memcpy(place, offsets, (n->vertices + 1) * sizeof *place);
    for (uint64_t i = 0; i < 2 * n->edges; i++)
        if (!directed || i % 2 == 0)
            heads[place[n->ends[i]]++] = n->ends[i ^ 1];
    for (size_t v = 0; sorted && v < n->vertices; v++)
        qsort(heads + offsets[v], offsets[v + 1] - offsets[v], sizeof *heads, upwards);
    free(place);
    n->graph = (struct mw_graph){
        .vertices = n->vertices, .arcs = arcs, .directed = directed, .offsets = offsets, .heads = heads
    };
    find_components(n);
}

static inline void network_free(struct network *n)
{
    free((void *)n->graph.offsets);
    free((void *)n->graph.heads);
    free(n->ends);
    free(n->expected);
}

static inline void renumber(struct network *n)
{
    uint32_t *to = room(n->vertices, sizeof *to);
    for (size_t v = 0; v < n->vertices; v++) {
        const size_t other = random_below(v + 1);
        to[v] = to[other];
        to[other] = (uint32_t)v;
    }
    for (uint64_t i = 0; i < 2 * n->edges; i++)
        n->ends[i] = to[n->ends[i]];
    free(to);
}

/* ---- shapes: each adds vertices and their edges ---- */

static inline void isolated(struct network *n, size_t size) { n->vertices += size; }

static inline void line(struct network *n, size_t size)
{
    for (size_t i = 1; i < size; i++)
        add(n, n->vertices + i - 1, n->vertices + i);
    n->vertices += size;
}

static inline void cycle(struct network *n, size_t size)
{
    add(n, n->vertices, n->vertices + size - 1);
    line(n, size);
}

static inline void star(struct network *n, size_t size)
{
    const size_t middle = random_below(size);
    for (size_t i = 0; i < size; i++)
        if (i != middle)
            add(n, n->vertices + middle, n->vertices + i);
    n->vertices += size;
}

static inline void clique(struct network *n, size_t size)
{
    size = size > 40 ? 40 : size;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++)
            add(n, n->vertices + i, n->vertices + j);
    n->vertices += size;
}

/* Adds random edges, at most a few times as many as vertices, including loops and multi-edges. */
static inline void random_edges(struct network *n, size_t size)
{
    for (size_t e = random_below(4 * size); e > 0; e--)
        add(n, n->vertices + random_below(size), n->vertices + random_below(size));
    n->vertices += size;
}

static inline void tree(struct network *n, size_t size)
{
    for (size_t i = 1; i < size; i++)
        add(n, n->vertices + i, n->vertices + random_below(i));
    n->vertices += size;
}

/* Adds two dense halves joined by one edge.  An algorithm that skips each half at a different place loses that edge. */
static inline void halves(struct network *n, size_t size)
{
    const size_t half = size / 2 + 1;
    for (size_t e = 0; e < 4 * size; e++) {
        const size_t at = n->vertices + (e % 2) * half;
        add(n, at + random_below(half), at + random_below(half));
    }
    add(n, n->vertices + random_below(half), n->vertices + half + random_below(half));
    n->vertices += 2 * half;
}

/* Adds a line with leaves at its end. */
static inline void kite(struct network *n, size_t size)
{
    const size_t end = n->vertices + size / 2;
    line(n, size / 2 + 1);
    for (size_t i = 0; i < size / 2; i++)
        add(n, end, n->vertices + i);
    n->vertices += size / 2;
}

/* Joins each vertex to the vertices whose numbers differ in one bit. */
static inline void cube(struct network *n, size_t size)
{
    size_t bits = 0;
    while ((size_t)2 << bits <= size)
        bits++;
    for (size_t i = 0; i < (size_t)1 << bits; i++)
        for (size_t b = 0; b < bits; b++)
            if (i >> b & 1)
                add(n, n->vertices + i, n->vertices + (i ^ (size_t)1 << b));
    n->vertices += (size_t)1 << bits;
}

static void (*const shapes[])(struct network *, size_t) = { isolated,     line, cycle,  star, clique,
                                                            random_edges, tree, halves, kite, cube };

/* Adds `count` hubs with adjacent numbers, which have up to `arcs` edges each to `size` other vertices. */
static inline void hubs(struct network *n, size_t count, size_t arcs, size_t size)
{
    for (size_t hub = 0; hub < count; hub++)
        for (size_t e = 1 + random_below(arcs); e > 0; e--)
            add(n, n->vertices + hub, n->vertices + random_below(count + size));
    n->vertices += count + size;
}

/* Returns a network of `count` random shapes, each with up to about `size` vertices. */
static inline struct network random_network(size_t count, size_t size, bool directed)
{
    struct network n = { 0 };
    for (size_t s = 0; s < count; s++)
        shapes[random_below(MW_COUNT(shapes))](&n, 1 + random_below(size));
    for (size_t e = n.vertices ? random_below(4) : 0; e > 0; e--)
        add(&n, random_below(n.vertices), random_below(n.vertices));
    if (random_below(2))
        renumber(&n);
    build(&n, directed, random_below(2));
    return n;
}

#endif
/* SPDX-License-Identifier: MIT */

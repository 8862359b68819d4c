/* Components of a graph with as many vertices as vertex numbers allow, without the memory: of the arrays of that length
 * only the end is touched. */
#include "tests/check.h"

#include <sys/mman.h>

#include <meshwork/graph.h>

#include "graph/components/components.clh"

#include "last_vertices.h"

enum { PART = 1024 };

void link_on_cores(const struct last_vertices *l)
{
    const struct arcs g = LAST_ARCS(l);
    const i32 begin = (l->vertices - 1) / PART * PART;
    graph_first(l->parents, l->next, &g, 1, begin, l->vertices, 1);
    graph_second(l->parents, l->next, &g, begin, l->vertices, 1);
    graph_link(l->parents, &g, begin, l->vertices, 1);
    graph_rest(l->parents, &g, -1, 1, 0, 1);
}

/* Memory that is allocated when it is touched. */
static void *reserve(size_t n, size_t bytes)
{
    void *memory = mmap(NULL, n * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        skip();
    return memory;
}

static void check(void (*link)(const struct last_vertices *g))
{
    const size_t n = MW_VERTICES_MAX;
    uint32_t heads[2 * 600], *to = heads;
    struct last_vertices g = { .vertices = (int32_t)n, .linked = 600, .heads = heads };
    const size_t first = n - (size_t)g.linked;
    g.parents = reserve(n, sizeof *g.parents);
    g.next = reserve(n, sizeof *g.next);
    g.offsets = reserve(n + 1, sizeof *g.offsets);
    for (size_t v = first; v < n; v++) {
        if (v > first)
            *to++ = (uint32_t)v - 1;
        if (v + 1 < n)
            *to++ = (uint32_t)v + 1;
        g.offsets[v + 1] = (uint64_t)(to - heads);
    }
    link(&g);
    for (size_t v = first; v < n; v++) {
        int32_t root = (int32_t)v;
        while (g.parents[root] != root)
            root = g.parents[root];
        assert_int_equal(root, first);
    }
    munmap(g.parents, n * sizeof *g.parents);
    munmap(g.next, n * sizeof *g.next);
    munmap(g.offsets, (n + 1) * sizeof *g.offsets);
}

static void cores_link_the_last_vertices(void **unused) { check(link_on_cores); }

static void groups_link_the_last_vertices(void **unused) { check(link_in_groups); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_link_the_last_vertices),
        cmocka_unit_test(groups_link_the_last_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

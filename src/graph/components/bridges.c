/* Bridges, articulation points and biconnected components, by one depth-first search (Hopcroft and Tarjan,
 * Communications of the ACM 16 (1973) 372), with a stack instead of recursion. */
#include <stdlib.h>

#include "graph/components/shares.h"

struct search {
    const struct mw_graph *graph;  /* with edges */
    uint64_t *next;                /* the arc of a vertex to be looked at */
    uint32_t *number, *low;        /* in the order of the search, 0: not met yet; the first that is led to from below */
    uint32_t *above, *path, *open; /* above: where a vertex was met from; open: not in a component with those above */
    bool *came;                    /* the arc back to where it was met from has been passed over */
    size_t depth, open_count, bridge_room;
    uint32_t met;
    struct mw_graph_bridges found;
};

static void enter(struct search *s, uint32_t v, uint32_t above)
{
    s->number[v] = s->low[v] = ++s->met;
    s->next[v] = s->graph->offsets[v];
    s->above[v] = above;
    s->path[s->depth++] = v;
    s->open[s->open_count++] = v;
}

static int add_bridge(struct search *s, uint32_t a, uint32_t b)
{
    struct mw_graph_bridges *f = &s->found;
    if (f->bridges == s->bridge_room) {
        const size_t larger = s->bridge_room ? 2 * s->bridge_room : 64;
        uint32_t *grown = realloc(f->ends, larger * 2 * sizeof *grown);
        if (!grown)
            return mw_fail(MW_ENOMEM, "no memory for %zu bridges", larger);
        f->ends = grown;
        s->bridge_room = larger;
    }
    f->ends[2 * f->bridges] = a < b ? a : b;
    f->ends[2 * f->bridges++ + 1] = a < b ? b : a;
    return 0;
}

/* Those that were met from v on, and v's upper neighbour, are a component. */
static void close_component(struct search *s, uint32_t v)
{
    struct mw_graph_bridges *f = &s->found;
    size_t size = 1;
    uint32_t member;
    do {
        member = s->open[--s->open_count];
        f->memberships[member]++;
        size++;
    } while (member != v);
    f->memberships[s->above[v]]++;
    f->components++;
    f->largest = size > f->largest ? size : f->largest;
}

static int leave(struct search *s, uint32_t v)
{
    const uint32_t above = s->above[v];
    s->depth--;
    if (s->depth == 0) {
        s->open_count = 0;
        return 0;
    }
    if (s->low[v] >= s->number[above])
        close_component(s, v);
    s->low[above] = s->low[v] < s->low[above] ? s->low[v] : s->low[above];
    return s->low[v] > s->number[above] ? add_bridge(s, above, v) : 0;
}

static int search_from(struct search *s, uint32_t source)
{
    int rc = 0;
    enter(s, source, source);
    while (s->depth > 0) {
        const uint32_t v = s->path[s->depth - 1];
        if (s->next[v] == s->graph->offsets[v + 1]) {
            TRY(leave(s, v));
            continue;
        }
        const uint32_t head = s->graph->heads[s->next[v]++];
        if (s->number[head] == 0)
            enter(s, head, v);
        else if (head == s->above[v] && !s->came[v]) /* a second edge between the two is another way */
            s->came[v] = true;
        else if (s->number[head] < s->low[v])
            s->low[v] = s->number[head];
    }
out:
    return rc;
}

/* ---- results ---- */

static int upwards(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static int search_all(struct search *s)
{
    const size_t n = s->graph->vertices;
    int rc;
    TRY(mw_new(n, sizeof *s->next, &s->next));
    TRY(mw_new(n, sizeof *s->number, &s->number));
    TRY(mw_new(n, sizeof *s->low, &s->low));
    TRY(mw_new(n, sizeof *s->above, &s->above));
    TRY(mw_new(n, sizeof *s->path, &s->path));
    TRY(mw_new(n, sizeof *s->open, &s->open));
    TRY(mw_new(n, sizeof *s->came, &s->came));
    TRY(mw_new(n, sizeof *s->found.memberships, &s->found.memberships));
    for (size_t v = 0; v < n; v++)
        if (s->number[v] == 0)
            TRY(search_from(s, (uint32_t)v));
    for (size_t v = 0; v < n; v++)
        s->found.articulations += s->found.memberships[v] > 1;
    if (s->found.bridges > 0)
        qsort(s->found.ends, s->found.bridges, 2 * sizeof *s->found.ends, upwards);
out:
    return rc;
}

int mw_graph_bridges(struct mw_device *device, const struct mw_graph *graph, struct mw_graph_bridges *bridges)
{
    struct search s = { .found.vertices = graph->vertices };
    struct mw_graph made = { 0 };
    const double before = mw_now();
    double began;
    int rc;
    TRY(mw_graph_check_given(graph, device));
    TRY(mw_graph_with_edges(device, graph, &made, &s.graph));
    began = mw_now();
    TRY(search_all(&s));
    s.found.preparing = began - before;
    s.found.seconds = mw_now() - began;
    *bridges = s.found;
    s.found = (struct mw_graph_bridges){ 0 };
out:
    mw_graph_bridges_free(&s.found);
    mw_graph_free(&made);
    free(s.next);
    free(s.number);
    free(s.low);
    free(s.above);
    free(s.path);
    free(s.open);
    free(s.came);
    return rc;
}

void mw_graph_bridges_free(struct mw_graph_bridges *bridges)
{
    free(bridges->memberships);
    free(bridges->ends);
    *bridges = (struct mw_graph_bridges){ 0 };
}

/* Generators that rewire or grow: compared with plain implementations, and checked against the properties of their
 * models. */
#include "generate_checks.h"

/* ---- ws ---- */

struct plain {
    uint64_t n, half, count;
    uint32_t *target;
};

static uint32_t home_of(const struct plain *w, uint64_t e)
{
    return (uint32_t)((e / w->half + e % w->half + 1) % w->n);
}

/* Uniform among all vertices except two. */
static uint32_t other_than(const struct plain *w, uint32_t high, uint32_t low, uint64_t e)
{
    uint64_t drawn = below(high, low, w->n - 2);
    for (uint64_t v = 0;; v++)
        if (v != e / w->half && v != home_of(w, e) && drawn-- == 0)
            return (uint32_t)v;
}

static bool meet(const struct plain *w, uint64_t e, uint64_t f)
{
    const uint64_t i = e / w->half, j = f / w->half;
    return w->target[e] != NOWHERE && w->target[f] != NOWHERE &&
           ((i == j && w->target[e] == w->target[f]) || (w->target[e] == j && w->target[f] == i));
}

/* Returns the only other edge that joins the same vertices, or `count`. */
static uint64_t who_meets(const struct plain *w, uint64_t e)
{
    for (uint64_t f = 0; f < w->count; f++)
        if (f != e && meet(w, e, f))
            return f;
    return w->count;
}

static void place_again(const struct plain *w, uint64_t e, uint64_t key)
{
    for (uint32_t draw = 0; draw < 64; draw++) {
        const struct philox r = words(e, draw, 6, key);
        w->target[e] = other_than(w, r.word[0], r.word[1], e);
        if (who_meets(w, e) == w->count)
            return;
    }
    while (e < w->count) {
        w->target[e] = home_of(w, e);
        e = who_meets(w, e);
    }
}

static struct plain plain_small_world(uint64_t n, uint64_t k, double p, uint64_t key)
{
    struct plain w = { n, k / 2, n * k / 2, room(n * k / 2, 4) };
    bool *gives_way = room(w.count, sizeof *gives_way);
    for (uint64_t e = 0; e < w.count; e++) {
        const struct philox r = words(e, 0, 5, key);
        const bool rewired = r.word[0] < floor(p * 4294967296.0 + 0.5);
        w.target[e] = rewired ? other_than(&w, r.word[1], r.word[2], e) : home_of(&w, e);
    }
    for (uint64_t e = 0; e < w.count; e++)
        for (uint64_t f = 0; f < w.count; f++)
            if (f != e && w.target[e] != home_of(&w, e) && meet(&w, e, f) && (f < e || w.target[f] == home_of(&w, f)))
                gives_way[e] = true;
    for (uint64_t e = 0; e < w.count; e++)
        if (gives_way[e])
            w.target[e] = NOWHERE;
    for (uint64_t e = 0; e < w.count; e++)
        if (gives_way[e])
            place_again(&w, e, key);
    free(gives_way);
    return w;
}

static void check_small_world(uint64_t n, uint64_t k, double p)
{
    const uint64_t key = random_word();
    struct plain w = plain_small_world(n, k, p, key);
    struct mw_edges g = make("ws", VALUES((double)n, (double)k, p), key);
    uint32_t *ends = room(w.count, 8);
    for (uint64_t e = 0; e < w.count; e++) {
        ends[2 * e] = (uint32_t)(e / w.half);
        ends[2 * e + 1] = w.target[e];
    }
    check_simple(&g, "ws");
    check_same("ws", &g, ends, w.count);
    free(ends);
    free(w.target);
    mw_edges_free(&g);
}

static void small_worlds_are_rewired_rings(void **state)
{
    static const double chances[] = { 0.0, 0.01, 0.3, 0.9, 1.0 };
    for (int i = 0; i < 400; i++) {
        const uint64_t n = 3 + random_below(30), k = 2 + 2 * random_below((n - 1) / 2);
        check_small_world(n, k, chances[random_below(5)]);
    }
    for (uint64_t n = 3; n < 26; n++)
        check_small_world(n, (n - 1) / 2 * 2, 1.0); /* complete, or almost */
    check_small_world(300, 4, 0.5);
}

static void large_small_worlds_are_simple(void **state)
{
    static const struct {
        double n, k, p;
    } cases[] = { { 100000, 10, 0.01 }, { 100000, 10, 1 }, { 700, 600, 1 }, { 3000, 200, 0.5 } };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        const double n = cases[i].n, half = cases[i].k / 2, p = cases[i].p;
        struct mw_edges g = make("ws", VALUES(n, cases[i].k, p), random_word());
        double kept = 0.0;
        check_simple(&g, "ws");
        assert_int_equal(g.count, (uint64_t)(n * half));
        for (uint64_t e = 0; e < g.count; e++) {
            assert_int_equal(g.ends[2 * e], e / (uint64_t)half);
            kept += g.ends[2 * e + 1] == (g.ends[2 * e] + e % (uint64_t)half + 1) % (uint64_t)n;
        }
        if (half * 10 < n)
            check_near("edges of ws that stay", kept, (1 - p) * n * half, 7 * sqrt(n * half * p * (1 - p)) + 0.01);
        mw_edges_free(&g);
    }
}

/* p = 0: the ring. p = 1: each vertex has its own k / 2 edges, and the others are random. */
static void ends_of_rewiring_are_ring_and_random_graph(void **state)
{
    double counts[40], expected[40];
    struct mw_edges g = make("ws", VALUES(500, 12, 0), 3), ring = make("ring", VALUES(500, 12), 4);
    assert_int_equal(g.count, ring.count);
    assert_memory_equal(g.ends, ring.ends, 8 * g.count);
    mw_edges_free(&g);
    mw_edges_free(&ring);
    g = make("ws", VALUES(60000, 10, 1), random_word());
    degree_counts(&g, counts, 40);
    poisson(60000, 5.0, 5, expected, 40);
    check_counts("degrees of ws", counts, expected, 40);
    mw_edges_free(&g);
}

/* ---- ba ---- */

static void check_growth(uint64_t n, uint64_t m)
{
    const uint64_t key = random_word(), count = m * (m + 1) / 2 + (n - m - 1) * m;
    uint32_t *ends = room(count, 8);
    struct mw_edges g = make("ba", VALUES((double)n, (double)m), key);
    uint64_t e = 0;
    for (uint32_t v = 1; v < n; v++) {
        const uint64_t base = e;
        for (uint32_t j = 0; j < (v <= m ? v : m); j++, e++) {
            uint32_t target = j, draw = 0;
            for (bool taken = v > m; taken; draw++) {
                const struct philox r = draw == 0 ? words(e / 2, 0, 7, key) : words(e, draw, 8, key);
                const unsigned half = draw == 0 && e % 2 ? 2 : 0;
                target = ends[below(r.word[half], r.word[half + 1], 2 * base)];
                taken = false;
                for (uint64_t f = base; f < e; f++)
                    taken = taken || ends[2 * f + 1] == target;
            }
            ends[2 * e] = v;
            ends[2 * e + 1] = target;
        }
    }
    check_same("ba", &g, ends, count);
    check_simple(&g, "ba");
    assert_int_equal(reached(&g), n);
    free(ends);
    mw_edges_free(&g);
}

static void growth_is_by_preferential_attachment(void **state)
{
    for (uint64_t m = 1; m < 12; m++)
        for (int i = 0; i < 6; i++)
            check_growth(m + 1 + random_below(300), m);
    check_growth(400, 90);
    check_growth(20000, 3);
}

/* The distribution in the limit of many vertices (Krapivsky, Redner, Leyvraz 2000; Dorogovtsev, Mendes, Samukhin 2000)
 * is 2 m (m + 1) / (d (d + 1) (d + 2)), whose tail falls with exponent 3. */
static void degrees_of_growth_have_the_tail(void **state)
{
    const double n = 200000, m = 5;
    double counts[60], logarithms = 0.0, tail = 0.0;
    struct mw_edges g = make("ba", VALUES(n, m), random_word());
    uint32_t *degree = degrees(&g);
    degree_counts(&g, counts, 60);
    for (size_t d = 0; d < 59; d++) {
        const double share = d < m ? 0.0 : 2.0 * m * (m + 1) / ((double)d * (d + 1.0) * (d + 2.0));
        check_near("degree of ba", counts[d], n * share, 7.0 * sqrt(n * share) + (d < m ? 0.0 : 30.0));
    }
    for (size_t v = 0; v < g.vertices; v++)
        if (degree[v] >= 40) {
            logarithms += log(degree[v] / 39.5);
            tail += 1.0;
        }
    check_near("tail exponent of ba", 1.0 + tail / logarithms, 3.0, 0.35);
    free(degree);
    mw_edges_free(&g);
}

/* ---- alpha ---- */

static void powers_are_those_of_the_library(void **state)
{
    for (int i = 0; i < 20000; i++) {
        const double any = (double)(1 + random_below(1000)) / (double)(1000 + random_below(100));
        const double x = i < 100 ? (i + 1) / 100.0 : any;
        const double y = i % 3 == 0 ? (double)random_below(20) : (double)random_below(100000) / 5000.0;
        check_near("power", mw_generate_power(x, y) / pow(x, y), 1.0, 1e-12);
    }
    assert_true(mw_generate_power(1.0, 7.5) == 1.0 && mw_generate_power(0.1, 0.0) == 1.0);
    assert_true(mw_generate_power(0.1, 1000.0) == 0.0);
}

static bool has(const struct mw_edges *g, uint32_t a, uint32_t b)
{
    for (uint64_t e = 0; e < g->count; e++)
        if ((g->ends[2 * e] == a && g->ends[2 * e + 1] == b) || (g->ends[2 * e] == b && g->ends[2 * e + 1] == a))
            return true;
    return false;
}

static void friends_of_friends_make_simple_graphs(void **state)
{
    for (int i = 0; i < 300; i++) {
        const uint32_t n = 3 + (uint32_t)random_below(40), k = 2 + (uint32_t)random_below(n - 2);
        const bool ring = random_below(2);
        const double chances[] = { 0.0, 1e-10, 0.01, 1.0 };
        struct mw_edges g =
            make("alpha", VALUES(n, k, (double)random_below(12), chances[random_below(4)], ring), random_word());
        check_simple(&g, "alpha");
        assert_int_equal(g.count, (uint64_t)n * k / 2);
        for (uint32_t v = 0; ring && v < n; v++)
            assert_true(has(&g, v, (v + 1) % n));
        mw_edges_free(&g);
    }
}

/* One graph of the model, by examining all vertices. */
enum { FRIENDS = 12 };
struct friends {
    bool joined[FRIENDS][FRIENDS];
};

static unsigned common_friends(const struct friends *f, unsigned i, unsigned j)
{
    unsigned common = 0;
    for (unsigned l = 0; l < FRIENDS; l++)
        common += f->joined[i][l] && f->joined[j][l];
    return common;
}

static bool befriend(struct friends *f, unsigned i, unsigned k, double alpha, double p)
{
    double weight[FRIENDS], sum = 0.0, drawn;
    for (unsigned j = 0; j < FRIENDS; j++) {
        const unsigned m = common_friends(f, i, j);
        const double r = m >= k ? 1.0 : m > 0 ? pow((double)m / k, alpha) * (1.0 - p) + p : p;
        weight[j] = j == i || f->joined[i][j] ? 0.0 : r;
        sum += weight[j];
    }
    drawn = (double)(random_word() >> 11) / 9007199254740992.0 * sum;
    for (unsigned j = 0; j < FRIENDS && sum > 0.0; j++) {
        if (weight[j] > 0.0 && drawn < weight[j]) {
            f->joined[i][j] = f->joined[j][i] = true;
            return true;
        }
        drawn -= weight[j];
    }
    return false;
}

static struct friends plain_alpha(unsigned k, double alpha, double p)
{
    struct friends f = { { { false } } };
    unsigned order[FRIENDS];
    for (unsigned i = 0; i < FRIENDS; i++)
        order[i] = i;
    for (unsigned turn = 0, edges = 0; edges < FRIENDS * k / 2; turn++) {
        for (unsigned left = FRIENDS; left > 1 && turn % FRIENDS == 0; left--) {
            const size_t other = random_below(left);
            const unsigned moved = order[left - 1];
            order[left - 1] = order[other];
            order[other] = moved;
        }
        edges += befriend(&f, order[turn % FRIENDS], k, alpha, p);
    }
    return f;
}

static struct friends made_alpha(unsigned k, double alpha, double p)
{
    struct mw_edges g = make("alpha", VALUES(FRIENDS, k, alpha, p, 0), random_word());
    struct friends f = { { { false } } };
    for (uint64_t e = 0; e < g.count; e++)
        f.joined[g.ends[2 * e]][g.ends[2 * e + 1]] = f.joined[g.ends[2 * e + 1]][g.ends[2 * e]] = true;
    mw_edges_free(&g);
    return f;
}

/* Counts a graph in two tables: of triangles, and of sums of squares of degrees. */
enum { TABLE = 1024 };
static void tell(const struct friends *f, double *triangles, double *squares)
{
    unsigned closed = 0, sum = 0;
    for (unsigned i = 0; i < FRIENDS; i++) {
        const unsigned degree = common_friends(f, i, i);
        for (unsigned j = 0; j < i; j++)
            closed += f->joined[i][j] ? common_friends(f, i, j) : 0;
        sum += degree * degree;
    }
    triangles[closed / 3] += 1.0;
    squares[sum < TABLE ? sum : TABLE - 1] += 1.0;
}

static void check_alike(const char *what, const double *a, const double *b)
{
    double sum = 0.0, cells = -1.0;
    for (size_t c = 0; c < TABLE; c++)
        if (a[c] + b[c] >= 20.0) {
            sum += (a[c] - b[c]) * (a[c] - b[c]) / (a[c] + b[c]);
            cells += 1.0;
        }
    assert_true(cells >= 3.0);
    if (sum > cells + 7.0 * sqrt(2.0 * cells) + 12.0)
        fail_msg("%s: chi-square is %.1f for %g kinds of graphs (seed %u)", what, sum, cells, seed);
}

/* As many graphs of each kind as by examining all vertices. */
static void friends_are_chosen_by_watts_formula(void **state)
{
    static const struct {
        unsigned k;
        double alpha, p;
    } cases[] = {
        { 4, 1.0, 0.3 }, { 4, 3.0, 0.01 }, { 5, 0.5, 1e-3 }, { 3, 0.0, 0.5 }, { 4, 6.0, 1e-4 },
    };
    for (size_t c = 0; c < MW_COUNT(cases); c++) {
        double tables[4][TABLE] = { { 0 } };
        for (int i = 0; i < 20000; i++) {
            const struct friends made = made_alpha(cases[c].k, cases[c].alpha, cases[c].p);
            const struct friends plain = plain_alpha(cases[c].k, cases[c].alpha, cases[c].p);
            tell(&made, tables[0], tables[1]);
            tell(&plain, tables[2], tables[3]);
        }
        check_alike("triangles of alpha", tables[0], tables[2]);
        check_alike("degrees of alpha", tables[1], tables[3]);
    }
}

/* The mean distance from some vertices to all that can be reached. */
static double mean_distance(const struct mw_edges *g)
{
    uint32_t *distance = room(g->vertices, sizeof *distance);
    double sum = 0.0, pairs = 0.0;
    for (uint32_t source = 0; source < g->vertices; source += (uint32_t)g->vertices / 4) {
        bool more = true;
        for (size_t v = 0; v < g->vertices; v++)
            distance[v] = v == source ? 0 : NOWHERE;
        for (uint32_t step = 0; more; step++) {
            more = false;
            for (uint64_t a = 0; a < 2 * g->count; a++)
                if (distance[g->ends[a]] == step && distance[g->ends[a ^ 1]] == NOWHERE) {
                    distance[g->ends[a ^ 1]] = step + 1;
                    more = true;
                }
        }
        for (size_t v = 0; v < g->vertices; v++)
            if (distance[v] != NOWHERE && v != source) {
                sum += distance[v];
                pairs += 1.0;
            }
    }
    free(distance);
    return sum / pairs;
}

/* The two sets of parameters: both give strong clustering; one gives long paths in one component, the other short
 * paths. */
static void sets_of_parameters_make_long_and_short_paths(void **state)
{
    static const struct {
        double alpha, p, substrate, distance, within;
    } sets[] = {
        { 2, 1e-12, 1, 40, 15 },
        { 7, 1e-10, 0, 5.5, 2.5 },
    };
    for (size_t s = 0; s < MW_COUNT(sets); s++) {
        struct mw_edges g = make("alpha", VALUES(1000, 10, sets[s].alpha, sets[s].p, sets[s].substrate), random_word());
        const struct triangles t = count_triangles(&g);
        check_near("clustering of alpha", t.closed / t.triples, 0.66, 0.08);
        check_near("distance in alpha", mean_distance(&g), sets[s].distance, sets[s].within);
        assert_true(reached(&g) >= (sets[s].substrate != 0.0 ? 1000 : 900));
        mw_edges_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_worlds_are_rewired_rings),
        cmocka_unit_test(large_small_worlds_are_simple),
        cmocka_unit_test(ends_of_rewiring_are_ring_and_random_graph),
        cmocka_unit_test(growth_is_by_preferential_attachment),
        cmocka_unit_test(degrees_of_growth_have_the_tail),
        cmocka_unit_test(powers_are_those_of_the_library),
        cmocka_unit_test(friends_of_friends_make_simple_graphs),
        cmocka_unit_test(friends_are_chosen_by_watts_formula),
        cmocka_unit_test(sets_of_parameters_make_long_and_short_paths),
    };
    seed_random();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

/* Generators: compared with plain implementations of the descriptions in generate.h, and checked against the properties
 * of their models. Generators that rewire or grow are in tests/unit/graph/generate_growth.c;
 * tests/device/graph/generate.c
 * checks that other devices make the same edges. */
#include "generate_checks.h"

/* ---- line, ring, grid ---- */

static void lines_and_rings_are_what_they_are_called(void **state)
{
    for (size_t n = 1; n < 40; n++) {
        struct mw_edges line = make("line", VALUES((double)n), 1);
        assert_int_equal(line.vertices, n);
        assert_int_equal(line.count, n - 1);
        for (size_t e = 0; e + 1 < n; e++)
            assert_true(line.ends[2 * e] == e && line.ends[2 * e + 1] == e + 1);
        mw_edges_free(&line);
        for (size_t k = 0; k < n; k += 2) {
            struct mw_edges ring = make("ring", VALUES((double)n, (double)k), 1);
            check_simple(&ring, "ring");
            assert_int_equal(ring.count, n * k / 2);
            for (uint64_t e = 0; e < ring.count; e++) {
                const size_t d = (ring.ends[2 * e + 1] + n - ring.ends[2 * e]) % n;
                assert_true(d >= 1 && d <= k / 2);
            }
            mw_edges_free(&ring);
        }
    }
}

static void rings_of_degree_50_have_their_clustering(void **state)
{
    struct mw_edges ring = make("ring", VALUES(400, 50), 1);
    const struct triangles t = count_triangles(&ring);
    check_near("clustering of a ring", t.closed / t.triples, 0.734694, 1e-6);
    mw_edges_free(&ring);
}

static bool are_neighbours(size_t a, size_t b, size_t length, bool periodic)
{
    return a + 1 == b || b + 1 == a || (periodic && length > 2 && (a + b + 1 == length && (a == 0 || b == 0)));
}

static void check_grid(const size_t *n, bool periodic)
{
    struct mw_edges g = make("grid", VALUES((double)n[0], (double)n[1], (double)n[2], periodic), 1);
    const size_t all = n[0] * n[1] * n[2];
    unsigned char *m = matrix(&g);
    check_simple(&g, "grid");
    assert_int_equal(g.vertices, all);
    for (size_t v = 0; v < all; v++)
        for (size_t u = 0; u < all; u++) {
            const size_t a[3] = { v % n[0], v / n[0] % n[1], v / n[0] / n[1] },
                         b[3] = { u % n[0], u / n[0] % n[1], u / n[0] / n[1] };
            unsigned differ = 0, neighbours = 0;
            for (int d = 0; d < 3; d++) {
                differ += a[d] != b[d];
                neighbours += are_neighbours(a[d], b[d], n[d], periodic);
            }
            if (m[v * all + u] != (differ == 1 && neighbours == 1))
                fail_msg("grid %zu x %zu x %zu, periodic %d: %zu-%zu", n[0], n[1], n[2], periodic, v, u);
        }
    free(m);
    mw_edges_free(&g);
}

static void grids_join_neighbours(void **state)
{
    for (size_t x = 1; x < 6; x++)
        for (size_t y = 1; y < 5; y++)
            for (size_t z = 1; z < 4; z++)
                for (int periodic = 0; periodic < 2; periodic++)
                    check_grid((const size_t[]){ x, y, z }, periodic);
}

/* ---- er ---- */

/* The Feistel network, in plain C. */
static uint32_t er_hash(uint32_t x, uint32_t n)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return (uint32_t)((uint64_t)x * n >> 32);
}

static void check_er(uint64_t n, uint64_t m, uint64_t from_seed)
{
    const uint64_t width = n % 2 ? n : n - 1;
    uint32_t *ends = room(m, 8);
    struct mw_edges g = make("er", VALUES((double)n, (double)m), from_seed);
    for (uint64_t e = 0; e < m; e++) {
        uint64_t p = e / width, q = e % width;
        for (uint32_t round = 0; round < 8; round += 2) {
            const struct philox key = words(round / 4, 0, 1, from_seed);
            p = (p + er_hash((uint32_t)q ^ key.word[round % 4], (uint32_t)(n / 2))) % (n / 2);
            q = (q + er_hash((uint32_t)p ^ key.word[round % 4 + 1], (uint32_t)width)) % width;
        }
        ends[2 * e] = (uint32_t)(q < n - 1 - p ? n - 1 - p : n % 2 ? p + 1 : p);
        ends[2 * e + 1] = (uint32_t)(q < n - 1 - p ? q : q - (n - 1 - p));
    }
    check_same("er", &g, ends, m);
    check_simple(&g, "er");
    free(ends);
    mw_edges_free(&g);
}

static void random_graphs_are_simple_up_to_complete_ones(void **state)
{
    check_er(0, 0, 1);
    for (uint64_t n = 1; n < 60; n++)
        for (int i = 0; i < 4; i++)
            check_er(n, i == 0 ? n * (n - 1) / 2 : random_below(n * (n - 1) / 2 + 1), random_word());
    check_er(100000, 300000, random_word());
    check_er(99999, 300000, random_word());
}

/* All subsets of 2 of the 6 edges between 4 vertices are equally likely. */
static void small_random_graphs_are_uniform(void **state)
{
    double counts[64] = { 0 }, seen[15], equal[15];
    size_t found = 0;
    for (int i = 0; i < 15000; i++) {
        struct mw_edges g = make("er", VALUES(4, 2), random_word());
        unsigned set = 0;
        for (uint64_t e = 0; e < 2; e++) {
            const uint64_t pair = pair_of(&g, e);
            const unsigned a = (unsigned)(pair >> 32), b = (unsigned)pair;
            set |= 1u << (a == 0 ? b - 1 : a + b);
        }
        counts[set] += 1.0;
        mw_edges_free(&g);
    }
    for (size_t s = 0; s < 64; s++)
        if (counts[s] > 0.0) {
            assert_true(found < 15);
            equal[found] = 1000.0;
            seen[found++] = counts[s];
        }
    assert_int_equal(found, 15);
    check_counts("subsets of edges", seen, equal, 15);
}

static void random_graphs_have_poisson_degrees_and_few_triangles(void **state)
{
    double counts[40], expected[40], triangles = 0.0;
    struct mw_edges g = make("er", VALUES(50000, 250000), random_word());
    degree_counts(&g, counts, 40);
    poisson(50000, 10.0, 0, expected, 40);
    check_counts("degrees of er", counts, expected, 40);
    mw_edges_free(&g);
    for (int i = 0; i < 20; i++) {
        g = make("er", VALUES(300, 4485), random_word());
        triangles += count_triangles(&g).closed / 3.0;
        mw_edges_free(&g);
    }
    check_near("triangles of er", triangles / 20.0, 4453.0, 7.0 * sqrt(4453.0 / 20.0));
}

/* ---- rmat ---- */

static void quadrants_have_their_shares(void **state)
{
    static const struct {
        double q[3];
        unsigned scale, factor;
    } sets[] = {
        { { 0.57, 0.19, 0.19 }, 11, 64 },
        { { 0.25, 0.25, 0.25 }, 10, 64 },
        { { 0.1, 0.6, 0.05 }, 19, 2 },
    };
    for (size_t s = 0; s < MW_COUNT(sets); s++) {
        const unsigned scale = sets[s].scale;
        const double *q = sets[s].q, share[4] = { q[0], q[1], q[2], 1.0 - q[0] - q[1] - q[2] };
        struct mw_edges g = make("rmat", VALUES(scale, sets[s].factor, q[0], q[1], q[2], 0), random_word());
        assert_int_equal(g.vertices, 1 << scale);
        assert_int_equal(g.count, (uint64_t)sets[s].factor << scale);
        check_ends(&g, "rmat");
        /* Each level, also combined with the next one and with the one four levels on. */
        for (unsigned level = 0; level < scale; level++)
            for (unsigned other = level + 1; other < scale; other += other == level + 1 ? 3 : 7) {
                double counts[16] = { 0 }, expected[16];
                for (uint64_t e = 0; e < g.count; e++) {
                    const unsigned row = g.ends[2 * e], column = g.ends[2 * e + 1];
                    counts[(row >> level & 1) << 3 | (column >> level & 1) << 2 | (row >> other & 1) << 1 |
                           (column >> other & 1)] += 1.0;
                }
                for (unsigned c = 0; c < 16; c++)
                    expected[c] = (double)g.count * share[c >> 2] * share[c & 3];
                check_counts("quadrants", counts, expected, 16);
            }
        mw_edges_free(&g);
    }
}

static int by_degree(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Random numbering changes the numbers and nothing else. */
static void numbers_of_rmat_are_permuted(void **state)
{
    for (unsigned scale = 0; scale < 14; scale++) {
        const uint64_t from_seed = random_word();
        struct mw_edges plain = make("rmat", VALUES(scale, 16, 0.57, 0.19, 0.19, 0), from_seed);
        struct mw_edges mixed = make("rmat", VALUES(scale, 16, 0.57, 0.19, 0.19, 1), from_seed);
        uint32_t *new_number = room(plain.vertices, sizeof *new_number), *used = room(plain.vertices, sizeof *used);
        uint32_t *a = degrees(&plain), *b = degrees(&mixed);
        for (uint64_t e = 0; e < 2 * plain.count; e++) {
            uint32_t *number = &new_number[plain.ends[e]];
            if (*number == 0) {
                *number = mixed.ends[e] + 1;
                assert_int_equal(used[mixed.ends[e]]++, 0);
            }
            assert_int_equal(*number, mixed.ends[e] + 1);
        }
        if (scale > 9)
            assert_int_not_equal(memcmp(a, b, plain.vertices * sizeof *a), 0);
        qsort(a, plain.vertices, sizeof *a, by_degree);
        qsort(b, plain.vertices, sizeof *b, by_degree);
        assert_memory_equal(a, b, plain.vertices * sizeof *a);
        free(a);
        free(b);
        free(new_number);
        free(used);
        mw_edges_free(&plain);
        mw_edges_free(&mixed);
    }
}

static void certain_quadrants_are_certain(void **state)
{
    static const struct {
        double a, b, c;
        uint32_t tail, head;
    } cases[] = {
        { 1, 0, 0, 0, 0 },
        { 0, 1, 0, 0, 1023 },
        { 0, 0, 1, 1023, 0 },
        { 0, 0, 0, 1023, 1023 },
    };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_edges g = make("rmat", VALUES(10, 4, cases[i].a, cases[i].b, cases[i].c, 0), random_word());
        for (uint64_t e = 0; e < g.count; e++)
            assert_true(g.ends[2 * e] == cases[i].tail && g.ends[2 * e + 1] == cases[i].head);
        mw_edges_free(&g);
    }
}

/* ---- disjoint ---- */

/* The sets that vertices draw, and the edges within them, in plain C: members of a set upwards, sets one after the
 * other. */
static void check_disjoint(uint32_t n, uint32_t c, uint64_t m, uint64_t from_seed)
{
    uint32_t *set = room(n, 4), *size = room(c, 4), *first = room(c + 1, 4), *member = room(n, 4), *usable = room(n, 4);
    uint32_t *ends = room(m, 8), *place = room(c, 4), count = 0;
    struct mw_edges g;
    for (uint32_t v = 0; v < n; v++) {
        const struct philox r = words(v, 0, 3, from_seed);
        set[v] = (uint32_t)below(r.word[0], r.word[1], c);
        size[set[v]]++;
    }
    for (uint32_t s = 0; s < c; s++)
        first[s + 1] = first[s] + size[s];
    for (uint32_t v = 0; v < n; v++)
        member[first[set[v]] + place[set[v]]++] = v;
    for (uint32_t p = 0; p < n; p++)
        if (size[set[member[p]]] > 1)
            usable[count++] = p;
    if (count == 0) {
        const double values[] = { n, c, (double)m };
        if (m > 0)
            assert_int_equal(mw_generate_values(device, "disjoint", values, from_seed, 0, &g), MW_EINVAL);
    } else {
        g = make("disjoint", VALUES(n, c, (double)m), from_seed);
        for (uint64_t e = 0; e < m; e++) {
            const struct philox r = words(e, 0, 4, from_seed);
            const uint32_t p = usable[below(r.word[0], r.word[1], count)], s = set[member[p]];
            const uint32_t other = first[s] + (uint32_t)below(r.word[2], r.word[3], size[s] - 1);
            ends[2 * e] = member[p];
            ends[2 * e + 1] = member[other < p ? other : other + 1];
            assert_true(ends[2 * e] != ends[2 * e + 1] && set[ends[2 * e]] == set[ends[2 * e + 1]]);
        }
        check_same("disjoint", &g, ends, m);
        mw_edges_free(&g);
    }
    free(set);
    free(size);
    free(first);
    free(member);
    free(usable);
    free(ends);
    free(place);
}

static void edges_of_disjoint_stay_within_sets(void **state)
{
    for (int i = 0; i < 300; i++) {
        const uint32_t n = 1 + (uint32_t)random_below(i < 200 ? 12 : 3000);
        check_disjoint(n, 1 + (uint32_t)random_below(n), random_below(2000), random_word());
    }
    check_disjoint(100000, 300, 200000, random_word());
}

/* One set: both ends are uniform. Many sets: their sizes are those of balls in boxes, as seen from the vertices that
 * are joined. */
static void sets_and_ends_are_uniform(void **state)
{
    double counts[50] = { 0 }, expected[50];
    struct mw_edges g = make("disjoint", VALUES(50, 1, 200000), random_word());
    uint32_t *lowest;
    for (uint64_t e = 0; e < 2 * g.count; e++)
        counts[g.ends[e]] += 1.0;
    for (size_t v = 0; v < 50; v++)
        expected[v] = 2.0 * 200000 / 50;
    check_counts("ends of disjoint", counts, expected, 50);
    mw_edges_free(&g);

    g = make("disjoint", VALUES(20000, 40, 400000), random_word());
    lowest = room(g.vertices, sizeof *lowest);
    for (uint32_t v = 0; v < g.vertices; v++)
        lowest[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t e = 0; e < g.count; e++) {
            const uint32_t a = lowest[g.ends[2 * e]], b = lowest[g.ends[2 * e + 1]], least = a < b ? a : b;
            changed = changed || a != b;
            lowest[g.ends[2 * e]] = lowest[g.ends[2 * e + 1]] = least;
        }
    }
    memset(counts, 0, sizeof counts);
    for (size_t v = 0, box = 0; v < g.vertices; v++) {
        if (lowest[v] == v) {
            assert_true(box < 40);
            lowest[v] = (uint32_t)box++;
        } else {
            lowest[v] = lowest[lowest[v]];
        }
        counts[lowest[v]] += 1.0;
    }
    for (size_t s = 0; s < 40; s++)
        expected[s] = 20000.0 / 40;
    check_counts("sizes of sets", counts, expected, 40);
    free(lowest);
    mw_edges_free(&g);
}

/* ---- all generators ---- */

static void defaults_are_legal_and_seeds_matter(void **state)
{
    const struct mw_generator *g;
    for (size_t number = 0; (g = mw_generators(number)) != NULL; number++) {
        double values[MW_GENERATOR_PARAMETERS_MAX] = { 0 };
        struct mw_edges a, b, c;
        for (size_t i = 0; i < g->parameter_count; i++) {
            const struct mw_generator_parameter *p = &g->parameters[i];
            values[i] = p->value;
            assert_true(p->least <= p->value && p->value <= p->most && p->help);
        }
        a = make(g->name, values, 5);
        b = make(g->name, values, 5);
        c = make(g->name, values, (uint64_t)1 << 32 | 5);
        assert_true(a.vertices > 0 && a.count > 0);
        check_ends(&a, g->name);
        assert_memory_equal(a.ends, b.ends, 8 * a.count);
        if (strcmp(g->name, "line") != 0 && strcmp(g->name, "ring") != 0 && strcmp(g->name, "grid") != 0)
            assert_memory_not_equal(a.ends, c.ends, 8 * a.count);
        mw_edges_free(&a);
        mw_edges_free(&b);
        mw_edges_free(&c);
    }
}

static void bad_values_are_refused_with_their_name(void **state)
{
    /* clang-format off */
    static const struct { const char *generator; double values[6]; int status; const char *says; } bad[] = {
        { "smallworld", { 10 }, MW_EINVAL, "ws, ba, alpha" },
        { "ws", { 10, 3, 0.5 }, MW_EINVAL, "k is 3" },         { "ws", { 10, 10, 0.5 }, MW_EINVAL, "larger than k" },
        { "ws", { 10, 4, 1.5 }, MW_EINVAL, "p is 1.5" },       { "ws", { 10, 4, -0.1 }, MW_EINVAL, "p is -0.1" },
        { "ws", { 10, 4, NAN }, MW_EINVAL, "p is" },           { "ws", { 10.5, 4, 0.1 }, MW_EINVAL, "n is 10.5" },
        { "ws", { 4294967296.0, 4, 0.1 }, MW_EINVAL, "n is" }, { "ba", { 5, 5 }, MW_EINVAL, "larger than m" },
        { "ba", { 5, 0 }, MW_EINVAL, "m is 0" },
        { "alpha", { 10, 10, 1, 0, 0 }, MW_EINVAL, "larger than k" },
        { "alpha", { 10, 1, 1, 0, 1 }, MW_EINVAL, "substrate" },
        { "alpha", { 10, 4, -1, 0, 1 }, MW_EINVAL, "alpha is -1" },
        { "disjoint", { 10, 11, 5 }, MW_EINVAL, "c is 11" },   { "disjoint", { 1, 1, 5 }, MW_EINVAL, "no" },
        { "er", { 10, 46 }, MW_EINVAL, "only 45" },            { "er", { 0, 1 }, MW_EINVAL, "only 0" },
        { "line", { 0 }, MW_EINVAL, "n is 0" },                { "ring", { 5, 5 }, MW_EINVAL, "k is 5" },
        { "grid", { 1e5, 1e5, 1e5, 0 }, MW_ELIMIT, "smaller mesh" }, { "grid", { 0, 1, 1, 0 }, MW_EINVAL, "x is 0" },
        { "rmat", { 31, 1, 0.5, 0.1, 0.1, 0 }, MW_EINVAL, "scale is 31" },
        { "rmat", { 5, 1, 0.5, 0.5, 0.1, 0 }, MW_EINVAL, "a + b + c" },
    };
    /* clang-format on */
    struct mw_edges untouched = { .vertices = 77 };
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        const int rc = mw_generate_values(device, bad[i].generator, bad[i].values, 1, 0, &untouched);
        if (rc != bad[i].status || !strstr(mw_errmsg(), bad[i].says))
            fail_msg("%s, case %zu: %d, \"%s\"", bad[i].generator, i, rc, mw_errmsg());
        assert_true(untouched.vertices == 77 && !untouched.ends);
    }
}

static void parameters_go_by_their_names(void **state)
{
    const struct mw_value given[] = { { "p", 0.5 }, { "n", 1 }, { "k", 4 }, { "n", 100 } };
    const struct mw_value unknown = { "q", 1 };
    const struct mw_generator *generator;
    struct mw_edges a, b = make("ws", VALUES(100, 4, 0.5), 3), untouched = { .vertices = 77 };
    OK(mw_generator_find("ws", &generator));
    assert_ptr_equal(generator, mw_generators(0));
    assert_int_equal(mw_generator_find("sw", &generator), MW_EINVAL);
    OK(mw_generate(device, "ws", given, MW_COUNT(given), 3, &a));
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.ends, b.ends, 8 * a.count);
    mw_edges_free(&a);
    mw_edges_free(&b);
    a = make("er", VALUES(1000, 5000), 3);
    OK(mw_generate(device, "er", NULL, 0, 3, &b));
    assert_memory_equal(a.ends, b.ends, 8 * a.count);
    mw_edges_free(&a);
    mw_edges_free(&b);
    assert_int_equal(mw_generate(device, "ws", &unknown, 1, 3, &untouched), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "no parameter \"q\": use one of n, k, p, weights"));
    assert_int_equal(untouched.vertices, 77);
}

/* Threads and chunks change nothing. */
static void threads_and_chunks_do_not_matter(void **state)
{
    /* clang-format off */
    static const struct { const char *generator; double values[6]; } graphs[] = {
        { "line", { 70000 } }, { "ring", { 9001, 14 } }, { "grid", { 31, 37, 29, 1 } }, { "er", { 5000, 70001 } },
        { "rmat", { 13, 9, 0.57, 0.19, 0.19, 1 } }, { "disjoint", { 20000, 3000, 70000 } }, { "ws", { 9001, 14, 0.3 } },
        { "ws", { 101, 90, 0.9 } }, { "ba", { 9001, 7 } }, { "alpha", { 2000, 10, 3, 1e-6, 0 } },
    };
    /* clang-format on */
    const struct mw_device_options three = { .size = sizeof three, .threads = 3 };
    struct mw_device *pool;
    OK(mw_device_open_by_name("native:pthreads", &three, &pool));
    for (size_t i = 0; i < MW_COUNT(graphs); i++) {
        struct mw_edges a = make(graphs[i].generator, graphs[i].values, seed), b;
        OK(mw_generate_values(pool, graphs[i].generator, graphs[i].values, seed, 0, &b));
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.ends, b.ends, 8 * a.count);
        mw_edges_free(&b);
        OK(mw_generate_values(pool, graphs[i].generator, graphs[i].values, seed, 1 + random_below(a.count), &b));
        assert_memory_equal(a.ends, b.ends, 8 * a.count);
        mw_edges_free(&b);
        mw_edges_free(&a);
    }
    mw_device_close(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_rings_are_what_they_are_called),
        cmocka_unit_test(rings_of_degree_50_have_their_clustering),
        cmocka_unit_test(grids_join_neighbours),
        cmocka_unit_test(random_graphs_are_simple_up_to_complete_ones),
        cmocka_unit_test(small_random_graphs_are_uniform),
        cmocka_unit_test(random_graphs_have_poisson_degrees_and_few_triangles),
        cmocka_unit_test(quadrants_have_their_shares),
        cmocka_unit_test(numbers_of_rmat_are_permuted),
        cmocka_unit_test(certain_quadrants_are_certain),
        cmocka_unit_test(edges_of_disjoint_stay_within_sets),
        cmocka_unit_test(sets_and_ends_are_uniform),
        cmocka_unit_test(defaults_are_legal_and_seeds_matter),
        cmocka_unit_test(bad_values_are_refused_with_their_name),
        cmocka_unit_test(parameters_go_by_their_names),
        cmocka_unit_test(threads_and_chunks_do_not_matter),
    };
    seed_random();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */

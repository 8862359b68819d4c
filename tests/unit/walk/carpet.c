/* Carpets against ones built as in the paper: site by site replaced by iterators, from generators. */
#include <meshwork/carpet.h>

#include <math.h>
#include <unistd.h>

#include "cl/rng/draw.clh"
#include "tests/check.h"
#include "tests/scratch.h"

enum { GENERATORS_MAX = 4, SIDE_MAX = 4 };

/* Random generators: open[g][site], x fastest. */
struct generators {
    int dims, side, count;
    char open[GENERATORS_MAX][SIDE_MAX * SIDE_MAX * SIDE_MAX];
};

static int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

static struct generators random_generators(void)
{
    struct generators g = {
        2 + (int)random_below(2), 1 + (int)random_below(SIDE_MAX), 1 + (int)random_below(GENERATORS_MAX), { { 0 } }
    };
    for (int i = 0; i < g.count; i++)
        for (int site = 0; site < power(g.side, g.dims); site++)
            g.open[i][site] = random_below(3) > 0;
    g.open[0][0] = 1;
    return g;
}

static const char *write_generators(const struct generators *g)
{
    const char *path = in("random.txt");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "// made at random\ndims %d\n", g->dims);
    for (int i = 0; i < g->count; i++) {
        fputs("\n", file);
        for (int row = 0; row < power(g->side, g->dims - 1); row++) {
            if (row > 0 && row % g->side == 0)
                fputs("-\n", file);
            for (int x = 0; x < g->side; x++)
                fputc(g->open[i][row * g->side + x] ? '#' : '.', file);
            fputs("\n", file);
        }
    }
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Builds an iterator of a level at a position as an array of sites.  Each accessible site of a generator becomes an
 * iterator of the next lower level, all others are empty. */
static char *build(const struct generators *g, int level, const int *place, uint64_t seed_of_carpet)
{
    const int edge = power(g->side, level), part = edge / g->side, planes = g->dims == 3 ? edge : 1;
    const struct philox words = draw_words((uint32_t)place[0] | (uint64_t)(uint32_t)place[1] << 32, (uint32_t)place[2],
                                           64 + (uint32_t)level, seed_of_carpet);
    const char *open = g->open[(uint64_t)words.word[0] * (uint64_t)g->count >> 32];
    char *sites = room((size_t)edge * (size_t)edge * (size_t)planes, 1);
    for (int site = 0; site < power(g->side, g->dims); site++) {
        const int at[3] = { site % g->side, site / g->side % g->side, site / g->side / g->side };
        const int below[3] = { place[0] * g->side + at[0], place[1] * g->side + at[1],
                               g->dims == 3 ? place[2] * g->side + at[2] : 0 };
        char one = 1, *inner = !open[site] ? NULL : level == 1 ? &one : build(g, level - 1, below, seed_of_carpet);
        for (int z = 0; inner && z < (g->dims == 3 ? part : 1); z++)
            for (int y = 0; y < part; y++)
                for (int x = 0; x < part; x++)
                    sites[((at[2] * part + z) * edge + at[1] * part + y) * edge + at[0] * part + x] =
                        inner[(z * part + y) * part + x];
        if (inner != &one)
            free(inner);
    }
    return sites;
}

static int floor_of(int x, int n) { return x >= 0 ? x / n : -((n - 1 - x) / n); }

/* Returns whether a site is accessible, in iterators built as needed. */
struct built {
    char *sites;
    int place[3];
};
static bool expected(const struct generators *g, int level, const struct mw_carpet_options *o, const int *at,
                     struct built *last)
{
    const int edge = power(g->side, level);
    int place[3], in_it[3];
    for (int d = 0; d < 3; d++) {
        place[d] = floor_of(at[d], edge);
        in_it[d] = at[d] - place[d] * edge;
        if (o->extent[d] != 0 && (place[d] < 0 || place[d] >= (int)o->extent[d]))
            return false;
    }
    if (!last->sites || memcmp(place, last->place, sizeof place) != 0) {
        free(last->sites);
        last->sites = build(g, level, place, o->seed);
        memcpy(last->place, place, sizeof place);
    }
    return last->sites[(in_it[2] * edge + in_it[1]) * edge + in_it[0]];
}

static void sites_are_those_of_iterators(void **unused)
{
    for (int round = 0; round < 60; round++) {
        const struct generators g = random_generators();
        const int level = 1 + (int)random_below(g.dims == 3 ? 2 : 4), edge = power(g.side, level);
        struct mw_carpet_options o = {
            .size = sizeof o, .generators = write_generators(&g), .level = (unsigned)level, .seed = random_word()
        };
        struct mw_carpet *carpet;
        int64_t low[3] = { 0 };
        size_t length[3] = { 1, 1, 1 }, k = 0;
        struct mw_array region;
        struct built last = { 0 };
        for (int d = 0; d < g.dims; d++) {
            o.extent[d] = random_below(3) == 0 ? 1 + random_below(2) : 0;
            low[d] = (int64_t)random_below(4 * (size_t)edge) - 2 * edge;
            length[d] = 1 + random_below(2 * (size_t)edge);
        }
        OK(mw_carpet_new(&o, &carpet));
        OK(mw_carpet_region(carpet, low, length, &region));
        assert_int_equal(region.count, length[0] * length[1] * length[2]);
        for (int z = 0; z < (int)length[2]; z++)
            for (int y = 0; y < (int)length[1]; y++)
                for (int x = 0; x < (int)length[0]; x++, k++) {
                    const int at[3] = { (int)low[0] + x, (int)low[1] + y, (int)low[2] + z };
                    const int64_t site[3] = { at[0], at[1], at[2] };
                    const bool open = expected(&g, level, &o, at, &last);
                    assert_int_equal(((uint8_t *)region.data)[k], open);
                    assert_int_equal(mw_carpet_accessible(carpet, site), open);
                }
        free(last.sites);
        mw_array_free(&region);
        mw_carpet_free(carpet);
    }
}

static struct mw_carpet *installed(const char *name, unsigned level, uint64_t seed_of_carpet)
{
    const struct mw_carpet_options options = {
        .size = sizeof options, .generators = name, .level = level, .seed = seed_of_carpet
    };
    struct mw_carpet *carpet;
    OK(mw_carpet_new(&options, &carpet));
    return carpet;
}

/* Counts the accessible sites of an iterator; the caller frees the sites. */
static size_t count_iterator(const struct mw_carpet *carpet, int64_t x, int64_t y, struct mw_array *sites)
{
    const struct mw_carpet_info *info = mw_carpet_info(carpet);
    const int64_t n = (int64_t)info->period, low[3] = { x * n, y * n, 0 };
    const size_t length[3] = { info->period, info->period, info->period };
    size_t open = 0;
    OK(mw_carpet_region(carpet, low, length, sites));
    for (size_t i = 0; i < sites->count; i++)
        open += ((uint8_t *)sites->data)[i];
    return open;
}

static void standard_carpets_have_their_counts(void **unused)
{
    static const struct {
        const char *name;
        unsigned dims;
        size_t side, open;
    } standard[] = {
        { "full", 2, 1, 1 },  { "full3", 3, 1, 1 }, { "sc31", 2, 3, 8 },   { "sc42", 2, 4, 12 },
        { "sc51", 2, 5, 24 }, { "sc53", 2, 5, 16 }, { "vicsek", 2, 3, 5 }, { "menger", 3, 3, 20 },
    };
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        for (unsigned level = 1; level <= (standard[i].dims == 3 ? 3 : 4); level++) {
            struct mw_carpet *carpet = installed(standard[i].name, level, 0);
            const struct mw_carpet_info *info = mw_carpet_info(carpet);
            struct mw_array sites;
            assert_string_equal(info->name, standard[i].name);
            assert_int_equal(info->dims, standard[i].dims);
            assert_int_equal(info->side, standard[i].side);
            assert_int_equal(info->generators, 1);
            assert_int_equal(count_iterator(carpet, -1, 3, &sites), pow((double)standard[i].open, level));
            assert_true(fabs(info->occupancy * (double)sites.count - pow((double)standard[i].open, level)) < 1e-6);
            mw_array_free(&sites);
            mw_carpet_free(carpet);
        }
}

/* Compares the mean over independent iterators, by their standard error. */
static void random_carpets_have_their_occupancy(void **unused)
{
    static const struct {
        const char *name;
        unsigned dims;
        double sites, in;
    } sets[] = {
        { "random", 2, 34, 75 },
        { "random35", 2, 53, 75 },
        { "random59", 2, 63, 75 },
        { "random3", 3, 36, 81 },
    };
    enum { ITERATORS = 400 };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct mw_carpet *carpet = installed(sets[i].name, 3, random_word());
        const double wanted = pow(sets[i].sites / sets[i].in, 3);
        double sum = 0, squares = 0;
        assert_int_equal(mw_carpet_info(carpet)->dims, sets[i].dims);
        assert_true(fabs(mw_carpet_info(carpet)->occupancy - wanted) < 1e-12);
        for (int n = 0; n < ITERATORS; n++) {
            struct mw_array sites;
            const double open = (double)count_iterator(carpet, n % 20 - 10, n / 20, &sites) / (double)sites.count;
            sum += open;
            squares += open * open;
            mw_array_free(&sites);
        }
        const double mean = sum / ITERATORS, variance = squares / ITERATORS - mean * mean;
        assert_true(variance > 0);
        assert_true(fabs(mean - wanted) < 4 * sqrt(variance / ITERATORS));
        mw_carpet_free(carpet);
    }
}

static size_t flood(uint8_t *sites, const size_t *length, size_t from)
{
    const size_t strides[3] = { 1, length[0], length[0] * length[1] }, count = strides[2] * length[2];
    size_t *stack = room(count, sizeof *stack), top = 0, reached = 0;
    stack[top++] = from;
    sites[from] = 0;
    while (top > 0) {
        const size_t k = stack[--top];
        reached++;
        for (int d = 0; d < 3; d++) {
            const size_t x = k / strides[d] % length[d];
            for (int up = 0; up < 2; up++) {
                const size_t to = up ? k + strides[d] : k - strides[d];
                if ((up ? x + 1 < length[d] : x > 0) && sites[to]) {
                    sites[to] = 0;
                    stack[top++] = to;
                }
            }
        }
    }
    free(stack);
    return reached;
}

static void random_carpets_are_connected(void **unused)
{
    static const char *const names[] = { "random", "random35", "random59", "random3" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct mw_carpet *carpet = installed(names[i], 2, random_word());
        const struct mw_carpet_info *info = mw_carpet_info(carpet);
        const int64_t low[3] = { -2 * (int64_t)info->period, 0, 0 };
        const size_t length[3] = { 4 * info->period, 3 * info->period, info->dims == 3 ? 3 * info->period : 1 };
        struct mw_array sites;
        size_t open = 0, first = 0;
        OK(mw_carpet_region(carpet, low, length, &sites));
        for (size_t k = 0; k < sites.count; k++)
            open += ((uint8_t *)sites.data)[k];
        while (!((uint8_t *)sites.data)[first])
            first++;
        assert_int_equal(flood(sites.data, length, first), open);
        mw_array_free(&sites);
        mw_carpet_free(carpet);
    }
}

/* Draws each accessible site of an iterator about equally often, and no other. */
static void random_sites_are_accessible_ones(void **unused)
{
    enum { DRAWS = 40000 };
    struct mw_carpet *carpet = installed("random", 2, random_word());
    struct mw_array sites;
    const size_t open = count_iterator(carpet, 0, 0, &sites);
    unsigned *drawn = room(sites.count, sizeof *drawn);
    double squares = 0;
    for (uint64_t n = 0; n < DRAWS; n++) {
        int64_t site[3], again[3];
        OK(mw_carpet_random_site(carpet, n, site));
        OK(mw_carpet_random_site(carpet, n, again));
        assert_memory_equal(site, again, 2 * sizeof *site);
        assert_true(site[0] >= 0 && site[0] < 25 && site[1] >= 0 && site[1] < 25);
        drawn[site[1] * 25 + site[0]]++;
    }
    for (size_t k = 0; k < sites.count; k++) {
        const double mean = (double)DRAWS / (double)open;
        assert_true(((uint8_t *)sites.data)[k] || drawn[k] == 0);
        squares += ((uint8_t *)sites.data)[k] ? (drawn[k] - mean) * (drawn[k] - mean) / mean : 0;
    }
    /* Chi-square with open - 1 degrees of freedom. */
    assert_true(fabs(squares - (double)(open - 1)) < 5 * sqrt(2 * (double)(open - 1)));
    free(drawn);
    mw_array_free(&sites);
    mw_carpet_free(carpet);
}

static void hashes_tell_carpets_apart(void **unused)
{
    struct mw_carpet *a = installed("random", 3, 1), *b = installed("random", 3, 1), *c = installed("random", 3, 2),
                     *d = installed("sc31", 3, 1), *e = installed("sc31", 3, 2), *f = installed("sc31", 4, 2);
    assert_true(mw_carpet_info(a)->hash == mw_carpet_info(b)->hash);
    assert_true(mw_carpet_info(a)->hash != mw_carpet_info(c)->hash);
    assert_true(mw_carpet_info(d)->hash == mw_carpet_info(e)->hash); /* it has no random choice */
    assert_true(mw_carpet_info(e)->hash != mw_carpet_info(f)->hash);
    for (struct mw_carpet **each = (struct mw_carpet *[]){ a, b, c, d, e, f, NULL }; *each; each++)
        mw_carpet_free(*each);
}

static void nothing_is_beyond_32_bits(void **unused)
{
    const int64_t far[] = { (int64_t)INT32_MAX + 1, 0 }, last[] = { INT32_MAX, INT32_MIN };
    const int64_t low[] = { INT32_MAX - 1, -1 }, beyond[] = { INT64_MAX - 1, 0 };
    const size_t length[] = { 4, 2 };
    struct mw_carpet *carpet = installed(NULL, 0, 0);
    struct mw_array sites;
    assert_false(mw_carpet_accessible(carpet, far));
    assert_true(mw_carpet_accessible(carpet, last));
    OK(mw_carpet_region(carpet, low, length, &sites));
    assert_memory_equal(sites.data, "\1\1\0\0\1\1\0\0", 8);
    mw_array_free(&sites);
    OK(mw_carpet_region(carpet, beyond, length, &sites));
    assert_memory_equal(sites.data, "\0\0\0\0\0\0\0\0", 8);
    mw_array_free(&sites);
    mw_carpet_free(carpet);
}

static void slips_are_named_by_line(void **unused)
{
    static const struct {
        const char *text, *words;
    } slips[] = {
        { "", "no generator found" },
        { "// nothing\nlevel 2\n", "no generator found" },
        { "...\n...\n...\n", "the generators have no accessible site" },
        { "#.\n", "bad.txt:1: generator ends after 1 row;" },
        { "##\n#.\n\n##\n\n", "bad.txt:5: generator ends after 1 row" },
        { "##\n#\n", "bad.txt:2: row has 1 site; expected 2" },
        { "##\n#.\n##\n", "bad.txt:3: too many rows" },
        { "##\n-\n", "bad.txt:2: unexpected '-'" },
        { "dims 3\n##\n-\n", "bad.txt:3: plane ends after 1 row; expected 2" },
        { "dims 3\n##\n##\n-\n##\n##\n-\n", "bad.txt:7: too many planes" },
        { "dims 3\n##\n##\n", "of side 2" },
        { "dims 4\n#\n", "bad.txt:1: dims must be 2 or 3" },
        { "dims\n#\n", "bad.txt:1: dims must be 2 or 3" },
        { "level 0\n#\n", "bad.txt:1: level must be 1 to" },
        { "level 3x\n#\n", "bad.txt:1: level must be 1 to" },
        { "#\nlevel 3\n", "bad.txt:2: dims and level must" },
        { "##\n#x\n", "bad.txt:2: expected a row" },
        { "levels 3\n#\n", "bad.txt:1: expected a row" },
    };
    const struct mw_carpet_options options = { .size = sizeof options, .generators = in("bad.txt") };
    struct mw_carpet *carpet;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        put_bytes(options.generators, slips[i].text, strlen(slips[i].text));
        FAILS(MW_EDATA, slips[i].words, mw_carpet_new(&options, &carpet));
    }
    put_bytes(options.generators, "#\0", 2);
    FAILS(MW_EDATA, "a NUL byte", mw_carpet_new(&options, &carpet));
    put_bytes(options.generators,
              "\xef\xbb\xbf"
              "about x\r\n## \r\n.#\t\r\n",
              21);
    OK(mw_carpet_new(&options, &carpet));
    assert_string_equal(mw_carpet_info(carpet)->name, "bad");
    assert_string_equal(mw_carpet_info(carpet)->about, "x");
    mw_carpet_free(carpet);
}

/* A carpet like another has its own generators, even after the file and the other carpet are gone. */
static void like_another_needs_no_file(void **unused)
{
    for (int round = 0; round < 20; round++) {
        const struct generators g = random_generators();
        struct mw_carpet_options o = {
            .size = sizeof o, .generators = write_generators(&g), .level = 1, .seed = random_word()
        };
        struct mw_carpet *first, *wanted, *made, *same;
        OK(mw_carpet_new(&o, &first));
        o.level = 2;
        o.seed = random_word();
        o.extent[0] = random_below(3);
        OK(mw_carpet_new(&o, &wanted));
        assert_int_equal(unlink(o.generators), 0);
        o.like = first;
        OK(mw_carpet_new(&o, &made));
        OK(mw_carpet_new(&(struct mw_carpet_options){ .size = sizeof o, .like = first }, &same));
        mw_carpet_free(first);
        assert_int_equal(mw_carpet_info(made)->hash, mw_carpet_info(wanted)->hash);
        assert_true(mw_carpet_info(made)->occupancy == mw_carpet_info(wanted)->occupancy);
        assert_string_equal(mw_carpet_info(made)->name, "random");
        assert_string_equal(mw_carpet_info(made)->path, mw_carpet_info(wanted)->path);
        assert_int_equal(mw_carpet_info(same)->level, 1);
        mw_carpet_free(wanted);
        mw_carpet_free(made);
        mw_carpet_free(same);
    }
}

static void what_there_is_not_is_refused(void **unused)
{
    const struct mw_carpet_options unknown = { .size = sizeof unknown, .generators = "sc32" };
    const struct mw_carpet_options absent = { .size = sizeof absent, .generators = "/no/such/file.txt" };
    const struct mw_carpet_options deep = { .size = sizeof deep, .generators = "sc31", .level = 20 };
    const struct mw_carpet_options deeper = { .size = sizeof deeper, .generators = "full", .level = 32 };
    struct mw_carpet *carpet;
    char **names;
    size_t n = 0;
    FAILS(MW_EINVAL, "no carpet is called sc32; there are: full, full3,", mw_carpet_new(&unknown, &carpet));
    FAILS(MW_EIO, "/no/such/file.txt", mw_carpet_new(&absent, &carpet));
    FAILS(MW_ELIMIT, "3^20 sites per dimension", mw_carpet_new(&deep, &carpet));
    FAILS(MW_ELIMIT, "level 32 is too large", mw_carpet_new(&deeper, &carpet));
    OK(mw_carpet_names(NULL, &names));
    for (; names[n]; n++)
        mw_carpet_free(installed(names[n], 0, 0));
    assert_true(n >= 12);
    mw_carpet_names_free(names);
    carpet = installed("sc31", 19, 0);
    assert_int_equal(mw_carpet_info(carpet)->period, 1162261467);
    mw_carpet_free(carpet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_are_those_of_iterators),        cmocka_unit_test(standard_carpets_have_their_counts),
        cmocka_unit_test(random_carpets_have_their_occupancy), cmocka_unit_test(random_carpets_are_connected),
        cmocka_unit_test(random_sites_are_accessible_ones),    cmocka_unit_test(hashes_tell_carpets_apart),
        cmocka_unit_test(nothing_is_beyond_32_bits),           cmocka_unit_test(slips_are_named_by_line),
        cmocka_unit_test(like_another_needs_no_file),          cmocka_unit_test(what_there_is_not_is_refused),
    };
    seed_random();
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

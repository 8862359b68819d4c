/* Neighbours on all kinds of lattices: geometry of lattices that are not simple, and tables. */
#include "tests/lattice.h"

#include <math.h>

static double squared_length(const struct mw_lattice_kind_info *kind, unsigned dims, const int *n)
{
    double sum = 0;
    for (unsigned c = 0; c < dims; c++) {
        double at = 0;
        for (unsigned i = 0; i < dims; i++)
            at += n[i] * kind->basis[i][c];
        sum += at * at;
    }
    return sum;
}

static bool is_a_step(const struct mw_lattice_kind_info *kind, unsigned dims, unsigned coordination, const int *n)
{
    for (unsigned j = 0; j < coordination; j++) {
        bool same = true;
        for (unsigned i = 0; i < dims; i++)
            same = same && kind->step[j][i] == n[i];
        if (same)
            return true;
    }
    return false;
}

/* The steps are exactly the shortest vectors of the lattice. */
static void check_shortest(const struct mw_lattice_kind_info *kind, unsigned dims, unsigned coordination)
{
    enum { REACH = 2, SPAN = 2 * REACH + 1 };
    double shortest = INFINITY;
    unsigned found = 0;
    int count = 1, n[MW_DIMS_MAX];
    for (unsigned i = 0; i < dims; i++)
        count *= SPAN;
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < count; v++) {
            for (int i = 0, rest = v; i < (int)dims; i++, rest /= SPAN)
                n[i] = rest % SPAN - REACH;
            const double length = squared_length(kind, dims, n);
            if (pass == 0 && length > 1e-9)
                shortest = fmin(shortest, length);
            if (pass == 1) {
                const bool neighbour = fabs(length - shortest) < 1e-9;
                assert_true(neighbour == is_a_step(kind, dims, coordination, n));
                found += neighbour;
            }
        }
    assert_int_equal(found, coordination);
}

static void steps_lead_to_the_nearest_sites(void **unused)
{
    const struct mw_lattice_kind_info *kind;
    for (unsigned dims = 1; dims <= 5; dims++)
        check_shortest(mw_lattice_kinds(MW_LATTICE_HYPERCUBIC), dims, 2 * dims);
    check_shortest(mw_lattice_kinds(MW_LATTICE_BODY_CENTRED), 3, 8);
    check_shortest(mw_lattice_kinds(MW_LATTICE_FACE_CENTRED), 3, 12);
    check_shortest(mw_lattice_kinds(MW_LATTICE_TRIANGULAR), 2, 6);
    for (size_t k = 0; (kind = mw_lattice_kinds(k)) != NULL; k++)
        for (unsigned j = 0; j < MW_COORDINATION_MAX; j += 2)
            for (unsigned i = 0; i < MW_DIMS_MAX; i++)
                assert_int_equal(kind->step[j][i], -kind->step[j + 1][i]);
    assert_null(mw_lattice_kinds(MW_LATTICE_TRIANGULAR + 1));
}

static double volume(const double b[MW_DIMS_MAX][MW_DIMS_MAX])
{
    return b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[2][1]) - b[0][1] * (b[1][0] * b[2][2] - b[1][2] * b[2][0]) +
           b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0]);
}

/* As in textbooks: centred lattices have corners and centres of unit cubes, 2 and 4 sites per cube. */
static void bases_are_those_of_the_textbook(void **unused)
{
    const struct mw_lattice_kind_info *bcc = mw_lattice_kinds(MW_LATTICE_BODY_CENTRED);
    const struct mw_lattice_kind_info *fcc = mw_lattice_kinds(MW_LATTICE_FACE_CENTRED);
    assert_true(fabs(volume(bcc->basis)) == 0.5);
    assert_true(fabs(volume(fcc->basis)) == 0.25);
    for (int i = 0; i < 3; i++) {
        long halves[2][3];
        for (int c = 0; c < 3; c++) {
            halves[0][c] = lround(2 * bcc->basis[i][c]);
            halves[1][c] = lround(2 * fcc->basis[i][c]);
        }
        assert_true((halves[0][0] & 1) == (halves[0][1] & 1) && (halves[0][1] & 1) == (halves[0][2] & 1));
        assert_int_equal((halves[1][0] + halves[1][1] + halves[1][2]) & 1, 0);
    }
}

/* Returns where step j leads from x, one coordinate at a time. */
static int64_t expected_entry(const struct mw_lattice *l, const struct mw_lattice_kind_info *kind,
                              const enum mw_boundary *boundary, int64_t k, unsigned j)
{
    int64_t x[MW_DIMS_MAX];
    mw_lattice_x(l, k, x);
    for (unsigned i = 0; i < l->dims; i++) {
        x[i] = walk(x[i], kind->step[j][i], l->length[i], boundary[i]);
        if (x[i] < 0)
            return -1;
    }
    return mw_lattice_k(l, x);
}

static void check_table(const struct mw_lattice *l, enum mw_lattice_kind kind, const enum mw_boundary *boundary)
{
    struct mw_neighbours *t;
    bool mirrors = false;
    if (mw_neighbours_new(l, kind, boundary, &t) != 0)
        fail_msg("%s", mw_errmsg());
    assert_int_equal(t->cells, l->cells);
    assert_int_equal(t->entry_bytes, 4);
    assert_int_equal(t->coordination,
                     kind == MW_LATTICE_HYPERCUBIC ? 2 * l->dims : mw_lattice_kinds(kind)->coordination);
    for (unsigned i = 0; i < l->dims; i++)
        mirrors = mirrors || boundary[i] == MW_BOUNDARY_MIRROR;
    for (unsigned j = 0; j < t->coordination; j++)
        for (int64_t k = 0; k < l->cells; k++) {
            const int64_t to = mw_neighbours_at(t, k, j);
            assert_int_equal(to, expected_entry(l, mw_lattice_kinds(kind), boundary, k, j));
            if (kind == MW_LATTICE_HYPERCUBIC)
                assert_int_equal(to, mw_lattice_neighbour(l, k, j / 2, j % 2 ? -1 : 1, boundary[j / 2]));
            if (to >= 0 && !mirrors)
                assert_int_equal(mw_neighbours_at(t, to, j ^ 1), k);
            if (to >= 0 && mirrors) /* a site at a mirror is its own neighbour */
                assert_true(mw_neighbours_at(t, to, j ^ 1) == k || to == k);
        }
    mw_neighbours_free(t);
}

static void tables_hold_what_steps_lead_to(void **unused)
{
    for (int round = 0; round < 150; round++) {
        const enum mw_lattice_kind kind = (enum mw_lattice_kind)(round % 4);
        const unsigned need = mw_lattice_kinds(kind)->dims;
        const struct mw_lattice l =
            random_lattice(need ? need : 1 + (unsigned)below(MW_DIMS_MAX), 1500, round % 3 == 0);
        enum mw_boundary boundary[MW_DIMS_MAX];
        for (unsigned i = 0; i < l.dims; i++)
            boundary[i] = kind == MW_LATTICE_HYPERCUBIC ? (enum mw_boundary)below(4)
                          : below(2)                    ? MW_BOUNDARY_FIXED
                                                        : MW_BOUNDARY_PERIODIC;
        check_table(&l, kind, boundary);
    }
}

/* Every site has the full number of different neighbours, without itself, and can be reached from the first. */
static void periodic_lattices_are_regular_and_connected(void **unused)
{
    static const int64_t lengths[][3] = { { 3, 4, 5 }, { 8, 8, 8 }, { 7, 3, 11 } };
    for (size_t s = 0; s < MW_COUNT(lengths); s++)
        for (int kind = MW_LATTICE_HYPERCUBIC; kind <= MW_LATTICE_TRIANGULAR; kind++) {
            const struct mw_lattice l = make(kind == MW_LATTICE_TRIANGULAR ? 2 : 3, lengths[s]);
            struct mw_neighbours *t;
            int64_t queue[512], head = 0, tail = 0;
            bool seen[512] = { true };
            assert_int_equal(mw_neighbours_new(&l, (enum mw_lattice_kind)kind, NULL, &t), 0);
            assert_true(l.cells <= 512);
            for (queue[tail++] = 0; head < tail; head++)
                for (unsigned j = 0; j < t->coordination; j++) {
                    const int64_t to = mw_neighbours_at(t, queue[head], j);
                    assert_in_range(to, 0, l.cells - 1);
                    assert_int_not_equal(to, queue[head]);
                    for (unsigned i = 0; i < j; i++)
                        assert_int_not_equal(to, mw_neighbours_at(t, queue[head], i));
                    if (!seen[to])
                        queue[tail++] = to;
                    seen[to] = true;
                }
            assert_int_equal(tail, l.cells);
            mw_neighbours_free(t);
        }
}

static void entries_of_64_bits_are_read(void **unused)
{
    int64_t entries[] = { 1, 2, 3, (int64_t)1 << 40, -1, 6 };
    const struct mw_neighbours t = { .cells = 3, .coordination = 2, .entry_bytes = 8, .entries = entries };
    assert_true(mw_neighbours_at(&t, 0, 1) == (int64_t)1 << 40);
    assert_int_equal(mw_neighbours_at(&t, 1, 1), -1);
    assert_int_equal(mw_neighbours_at(&t, 2, 0), 3);
}

static void impossible_tables_are_refused(void **unused)
{
    const struct mw_lattice flat = make(2, (const int64_t[]){ 4, 4 }), cube = make(3, (const int64_t[]){ 4, 4, 4 });
    const struct mw_lattice odd = make(2, (const int64_t[]){ 5, 4 });
    const struct mw_lattice huge = make(1, (const int64_t[]){ (int64_t)1 << 62 });
    const enum mw_boundary mirror[] = { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_MIRROR, MW_BOUNDARY_PERIODIC };
    const enum mw_boundary unknown[] = { MW_BOUNDARY_PERIODIC, (enum mw_boundary)4, MW_BOUNDARY_PERIODIC };
    struct mw_neighbours *t = NULL;
    struct mw_text text = { 0 };
    struct mw_source source;
    assert_int_equal(mw_neighbours_new(&flat, MW_LATTICE_BODY_CENTRED, NULL, &t), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "bcc"));
    assert_int_equal(mw_neighbours_new(&cube, MW_LATTICE_TRIANGULAR, NULL, &t), MW_EINVAL);
    assert_int_equal(mw_neighbours_new(&cube, (enum mw_lattice_kind)4, NULL, &t), MW_EINVAL);
    assert_int_equal(mw_neighbours_new(&cube, (enum mw_lattice_kind) - 1, NULL, &t), MW_EINVAL);
    assert_int_equal(mw_neighbours_new(&cube, MW_LATTICE_FACE_CENTRED, mirror, &t), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "dimension 1"));
    assert_int_equal(mw_neighbours_new(&cube, MW_LATTICE_HYPERCUBIC, unknown, &t), MW_EINVAL);
    assert_int_equal(mw_neighbours_new(&huge, MW_LATTICE_HYPERCUBIC, NULL, &t), MW_ELIMIT);
    assert_null(t);
    assert_int_equal(mw_neighbours_source(&odd, MW_LATTICE_HYPERCUBIC, NULL, MW_INDEX_BITS, &text, &source), MW_EINVAL);
    assert_int_equal(mw_neighbours_source(&flat, MW_LATTICE_HYPERCUBIC, mirror, MW_INDEX_BITS, &text, &source),
                     MW_EINVAL);
    mw_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_lead_to_the_nearest_sites),
        cmocka_unit_test(bases_are_those_of_the_textbook),
        cmocka_unit_test(tables_hold_what_steps_lead_to),
        cmocka_unit_test(periodic_lattices_are_regular_and_connected),
        cmocka_unit_test(entries_of_64_bits_are_read),
        cmocka_unit_test(impossible_tables_are_refused),
    };
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

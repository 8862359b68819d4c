/* Geometry of components on $MESHWORK_TEST_DEVICE against plain C. */
#include <meshwork/label.h>

#include "base/base.h"
#include "label/label_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/prim.h"

static size_t part_cells; /* 0: depends on the device */

/* ---- labelled meshes ---- */

struct mesh {
    unsigned dims;
    size_t length[MW_DIMS_MAX], cells, count;
    enum mw_boundary boundary[MW_DIMS_MAX];
    int64_t *label;
};

static bool is_periodic(const struct mesh *m, unsigned d) { return m->boundary[d] == MW_BOUNDARY_PERIODIC; }

static size_t coordinate(const struct mesh *m, size_t k, unsigned d)
{
    for (unsigned i = 0; i < d; i++)
        k /= m->length[i];
    return k % m->length[d];
}

static struct mesh new_mesh(unsigned dims, const size_t *length, unsigned periodic)
{
    struct mesh m = { .dims = dims, .cells = 1 };
    for (unsigned d = 0; d < dims; d++) {
        m.length[d] = length[d];
        m.cells *= length[d];
        m.boundary[d] = periodic >> d & 1 ? MW_BOUNDARY_PERIODIC : MW_BOUNDARY_DEFAULT;
    }
    m.label = room(m.cells, sizeof *m.label);
    return m;
}

static struct mesh random_mesh(unsigned dims, size_t most, unsigned periodic)
{
    static const size_t longest[] = { 0, 1, 2, 3, 4 };
    size_t length[MW_DIMS_MAX], cells = 1;
    for (unsigned d = 0; d < dims; d++) {
        const size_t left = most / cells;
        size_t side = 1 + random_below(d + 1 == dims ? left : (size_t)pow((double)left, 1.0 / (dims - d)) * 2);
        if (random_below(8) == 0)
            side = longest[random_below(MW_COUNT(longest))];
        length[d] = side;
        cells *= side ? side : 1;
    }
    return new_mesh(dims, length, periodic);
}

/* Returns the neighbour in dimension d; SIZE_MAX: none. */
static size_t neighbour(const struct mesh *m, size_t k, unsigned d, bool up)
{
    const size_t x = coordinate(m, k, d);
    size_t stride = 1;
    for (unsigned i = 0; i < d; i++)
        stride *= m->length[i];
    if (up ? x + 1 < m->length[d] : x > 0)
        return up ? k + stride : k - stride;
    if (!is_periodic(m, d))
        return SIZE_MAX;
    return up ? k - x * stride : k + (m->length[d] - 1) * stride;
}

/* Labels the cells that are -1, with connectivity faces. */
static void flood(struct mesh *m)
{
    size_t *stack = room(m->cells, sizeof *stack);
    for (size_t first = 0; first < m->cells; first++) {
        size_t depth = 0;
        if (m->label[first] != -1)
            continue;
        m->label[first] = (int64_t)++m->count;
        stack[depth++] = first;
        while (depth > 0) {
            const size_t k = stack[--depth];
            for (unsigned j = 0; j < 2 * m->dims; j++) {
                const size_t to = neighbour(m, k, j / 2, j % 2);
                if (to != SIZE_MAX && m->label[to] == -1) {
                    m->label[to] = (int64_t)m->count;
                    stack[depth++] = to;
                }
            }
        }
    }
    free(stack);
}

/* Percolating noise; boxes, often across an end; labels that are not connected, some without cells; a single label. */
static void fill_mesh(struct mesh *m)
{
    const unsigned kind = (unsigned)random_below(8);
    const size_t density = random_below(101);
    size_t corner[MW_DIMS_MAX], side[MW_DIMS_MAX];
    for (unsigned d = 0; d < m->dims; d++) {
        corner[d] = random_below(m->length[d] + 1);
        side[d] = random_below(m->length[d] + 1);
    }
    if (kind >= 5)
        m->count = 1 + random_below(kind == 5 ? 3 : m->cells + 5);
    for (size_t k = 0; k < m->cells; k++) {
        bool inside = true;
        for (unsigned d = 0; d < m->dims; d++)
            inside = inside && (coordinate(m, k, d) + m->length[d] - corner[d]) % m->length[d] < side[d];
        m->label[k] = kind < 3    ? -(int64_t)(random_below(100) < density)
                      : kind == 3 ? -(int64_t)inside
                      : kind == 4 ? -1
                                  : (int64_t)random_below(m->count + 1);
    }
    if (kind < 5)
        flood(m);
}

/* ---- reference ---- */

struct expected {
    size_t size, first[MW_DIMS_MAX], extent[MW_DIMS_MAX];
    long double centre[MW_DIMS_MAX], gyration;
};

/* Finds where the occupied coordinates start, and their number up to the end. */
static void interval(const bool *taken, size_t length, bool periodic, size_t *first, size_t *extent)
{
    size_t least = 0, most = length - 1, gap = 0;
    while (!taken[least])
        least++;
    while (!taken[most])
        most--;
    *first = least;
    *extent = most - least + 1;
    if (!periodic || least > 0 || most + 1 < length)
        return;
    for (size_t begin = 0, end; begin < length; begin = end + 1) {
        for (end = begin; end < length && !taken[end];)
            end++;
        if (end - begin > gap) {
            gap = end - begin;
            *first = end;
            *extent = length - gap;
        }
    }
}

/* Computes one dimension of one component with the cells `cells`. */
static void expect_dimension(const struct mesh *m, const size_t *cells, unsigned d, struct expected *e)
{
    const size_t length = m->length[d];
    bool *taken = room(length, sizeof *taken);
    unsigned __int128 sum = 0, squares = 0;
    for (size_t i = 0; i < e->size; i++)
        taken[coordinate(m, cells[i], d)] = true;
    interval(taken, length, is_periodic(m, d), &e->first[d], &e->extent[d]);
    for (size_t i = 0; i < e->size; i++) {
        const size_t u = (coordinate(m, cells[i], d) + length - e->first[d]) % length;
        sum += u;
        squares += (unsigned __int128)u * u;
    }
    const long double n = (long double)e->size, mean = (long double)sum / n;
    e->centre[d] = e->first[d] + mean;
    if (e->centre[d] >= (long double)length)
        e->centre[d] -= (long double)length;
    /* n squares - sum^2 below 2^127: the meshes are small enough */
    e->gyration += (long double)(squares * e->size - sum * sum) / (n * n);
    if (is_periodic(m, d) && length > 1 && e->extent[d] == length)
        e->centre[d] = e->gyration = NAN;
    free(taken);
}

static bool near(double got, long double wanted)
{
    return isnan(wanted) ? isnan(got) : fabsl((long double)got - wanted) <= 1e-13L * (1 + fabsl(wanted));
}

static void check_component(const struct mesh *m, const struct mw_geometry *g, const size_t *cells, size_t size,
                            size_t label)
{
    struct expected e = { .size = size };
    struct mw_component_geometry got = MW_INIT(got);
    OK(mw_geometry_component(g, label, &got));
    assert_int_equal(got.cells, size);
    if (size == 0) {
        assert_true(isnan(got.gyration));
        return;
    }
    for (unsigned d = 0; d < m->dims; d++) {
        expect_dimension(m, cells, d, &e);
        if (got.first[d] != e.first[d] || got.extent[d] != e.extent[d] || !near(got.centre[d], e.centre[d]))
            fail_msg("component %zu of %zu cells, dimension %u of %zu%s: %zu from %zu, centre %.17g; expected %zu from "
                     "%zu, centre %.17Lg (seed %u)",
                     label, size, d, m->length[d], is_periodic(m, d) ? ", periodic" : "", got.extent[d], got.first[d],
                     got.centre[d], e.extent[d], e.first[d], e.centre[d], seed);
        assert_int_equal(got.spans[d], e.extent[d] == m->length[d]);
    }
    if (!near(got.gyration, sqrtl(e.gyration)))
        fail_msg("component %zu of %zu cells: radius %.17g, expected %.17Lg (seed %u)", label, size, got.gyration,
                 sqrtl(e.gyration), seed);
}

/* ---- on the device ---- */

static void measure(const struct mesh *m, struct mw_geometry *g, enum mw_type type)
{
    const size_t bytes = m->cells * mw_type_bytes(type);
    int32_t *narrow = room(m->cells, sizeof *narrow);
    struct mw_components *components;
    struct mw_buffer *labels;
    for (size_t k = 0; k < m->cells; k++)
        narrow[k] = (int32_t)m->label[k];
    OK(mw_buffer_new(device, bytes, &labels));
    if (bytes)
        OK(mw_buffer_write(labels, 0, bytes, type == MW_TYPE_I64 ? (void *)m->label : (void *)narrow, NULL));
    OK(mw_components_new(prim, labels, m->cells, type, m->count, &components));
    OK(mw_geometry_run(g, components));
    mw_components_free(components);
    mw_buffer_free(labels);
    free(narrow);
}

static void check_mesh(struct mesh *m, enum mw_type type)
{
    size_t *cells = room(m->cells, sizeof *cells), *next = room(m->count + 1, sizeof *next);
    struct mw_component_geometry none = MW_INIT(none);
    struct mw_geometry *g;
    for (size_t k = 0; k < m->cells; k++)
        next[m->label[k]]++;
    for (size_t c = 1, before = next[0]; c <= m->count; c++) {
        const size_t size = next[c];
        next[c] = before;
        before += size;
    }
    next[0] = 0;
    for (size_t k = 0; k < m->cells; k++)
        cells[next[m->label[k]]++] = k;
    OK(mw_geometry_new(prim, m->dims, m->length, m->boundary, &g));
    mw_geometry_limit(g, part_cells);
    measure(m, g, type);
    for (size_t c = 1; c <= m->count; c++)
        check_component(m, g, cells + next[c - 1], next[c] - next[c - 1], c);
    assert_int_equal(mw_geometry_component(g, 0, &none), MW_EINVAL);
    assert_int_equal(mw_geometry_component(g, m->count + 1, &none), MW_EINVAL);
    mw_geometry_free(g);
    free(cells);
    free(next);
}

static void shapes_are_those_of_plain_loops(void **unused)
{
    const size_t rounds = slow ? 1 : native ? 40 : 6;
    for (unsigned dims = 1; dims <= 4; dims++)
        for (unsigned periodic = 0; periodic < 1u << dims; periodic++)
            for (size_t i = 0; i < rounds; i++) {
                struct mesh m = random_mesh(dims, slow ? 120 : 1000, periodic);
                fill_mesh(&m);
                part_cells = random_below(3) ? 1 + random_below(40) : 0;
                check_mesh(&m, random_below(2) ? MW_TYPE_I64 : MW_TYPE_I32);
                free(m.label);
            }
    part_cells = 0;
}

/* Enough cells for the default division of work. */
static void large_meshes_are_shared_out(void **unused)
{
    static const size_t lengths[][3] = { { 300007, 1, 1 }, { 613, 719, 1 }, { 67, 71, 73 } };
    static const size_t taken[] = { 9999, 6000, 3300 };
    if (slow)
        skip();
    for (unsigned dims = 1; dims <= 3; dims++) {
        struct mesh m = new_mesh(dims, lengths[dims - 1], 5);
        for (size_t k = 0; k < m.cells; k++)
            m.label[k] = -(int64_t)(random_below(10000) < taken[dims - 1]);
        flood(&m);
        check_mesh(&m, MW_TYPE_I32);
        free(m.label);
    }
}

/* Gaps within the stretches of a long dimension, across several of them, and of equal length. */
static void gaps_of_long_dimensions_are_found(void **unused)
{
    const size_t length = 20011;
    for (size_t i = 0; i < (slow ? 1 : 20); i++) {
        struct mesh m = new_mesh(1, &length, 1);
        m.count = 2;
        for (size_t k = 0, left = 0; k < m.cells; k++, left--) {
            const bool turn = left == 0, taken = k > 0 && m.label[k - 1] == 1;
            left = turn ? 300 * (1 + random_below(3)) : left;
            m.label[k] = !turn && k > 0 ? m.label[k - 1] : taken ? 2 * (int64_t)random_below(2) : 1;
        }
        m.label[length - 1] = 1;
        check_mesh(&m, MW_TYPE_I32);
        free(m.label);
    }
}

/* n cells in a row: n variance = n (n^2 - 1) / 12. */
static void sums_are_exact_up_to_64_bits(void **unused)
{
    static const struct {
        size_t cells;
        bool fits;
    } rows[] = { { 2642245, true }, { 2642246, false } };
    if (slow)
        skip();
    for (size_t i = 0; i < MW_COUNT(rows); i++) {
        const double n = (double)rows[i].cells;
        struct mesh m = new_mesh(1, &rows[i].cells, 0);
        struct mw_component_geometry s = MW_INIT(s);
        struct mw_geometry *g;
        m.count = 1;
        for (size_t k = 0; k < m.cells; k++)
            m.label[k] = 1;
        OK(mw_geometry_new(prim, 1, m.length, NULL, &g));
        measure(&m, g, MW_TYPE_I32);
        OK(mw_geometry_component(g, 1, &s));
        assert_true(s.spans[0] && s.first[0] == 0 && s.extent[0] == m.cells);
        assert_true(near(s.centre[0], (n - 1) / 2));
        assert_true(near(s.gyration, rows[i].fits ? sqrtl(((long double)n * n - 1) / 12) : NAN));
        mw_geometry_free(g);
        free(m.label);
    }
}

static void impossible_meshes_are_refused(void **unused)
{
    static const size_t square[] = { 4, 4 }, huge[] = { 65536, 65536 }, nothing[] = { 65536, 65536, 0 };
    static const enum mw_boundary mirrors[] = { MW_BOUNDARY_FIXED, MW_BOUNDARY_MIRROR };
    struct mw_component_geometry s = MW_INIT(s);
    struct mw_geometry *g = NULL;
    struct mw_components *components;
    struct mw_buffer *labels;
    assert_int_equal(mw_geometry_new(prim, 0, square, NULL, &g), MW_EINVAL);
    assert_int_equal(mw_geometry_new(prim, MW_DIMS_MAX + 1, square, NULL, &g), MW_EINVAL);
    assert_int_equal(mw_geometry_new(prim, 2, huge, NULL, &g), MW_ELIMIT);
    FAILS(MW_EINVAL, "dimension 1: labels do not support mirror", mw_geometry_new(prim, 2, square, mirrors, &g));
    assert_null(g);
    OK(mw_geometry_new(prim, 3, nothing, NULL, &g));
    OK(mw_buffer_new(device, sizeof(int32_t), &labels));
    OK(mw_components_new(prim, labels, 0, MW_TYPE_I32, 1, &components));
    OK(mw_geometry_run(g, components));
    OK(mw_geometry_component(g, 1, &s));
    assert_true(s.cells == 0 && s.first[0] == 0 && s.extent[0] == 0);
    mw_components_free(components);
    mw_buffer_free(labels);
    mw_geometry_free(g);
    mw_geometry_free(NULL);
    OK(mw_geometry_new(prim, 2, square, NULL, &g));
    assert_int_equal(mw_geometry_component(g, 1, &s), MW_EINVAL);
    OK(mw_buffer_new(device, 15 * sizeof(int32_t), &labels));
    OK(mw_buffer_fill(labels, 0, 15 * sizeof(int32_t), 0));
    OK(mw_components_new(prim, labels, 15, MW_TYPE_I32, 1, &components));
    assert_int_equal(mw_geometry_run(g, components), MW_EINVAL);
    mw_components_free(components);
    mw_geometry_free(g);
    mw_buffer_free(labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_those_of_plain_loops),   cmocka_unit_test(large_meshes_are_shared_out),
        cmocka_unit_test(gaps_of_long_dimensions_are_found), cmocka_unit_test(sums_are_exact_up_to_64_bits),
        cmocka_unit_test(impossible_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, open_prim, close_prim);
}
/* SPDX-License-Identifier: MIT */

/* Lattices: shapes, k-indices and neighbours against other arithmetic (odometers, walks of single steps, 128-bit
 * remainders). */
#include "tests/lattice.h"

/* A lattice as in kernels, with 32 bits; mw_lattice_macros must write these macros for it. */
#define LATTICE_DIMS 3
#define LATTICE_CELLS 420
#define LATTICE_EACH(X) X(0, 12, 1, 0) X(1, 5, 12, 0) X(2, 7, 60, 0)
#include "lattice.clh"
#define BUILT_LENGTHS                                                                                                  \
    {                                                                                                                  \
        12, 5, 7                                                                                                       \
    }

/* The same by 128-bit remainders, for steps of any size. */
static int64_t leap(int64_t x, int64_t n, int64_t length, enum mw_boundary boundary)
{
    const __int128 to = (__int128)x + n, period = (__int128)length * (boundary == MW_BOUNDARY_MIRROR ? 2 : 1);
    const __int128 at = (to % period + period) % period;
    if (boundary == MW_BOUNDARY_FIXED && (to < 0 || to >= length))
        return -1;
    return (int64_t)(at < length ? at : period - 1 - at);
}

static void the_paper_s_examples(void **unused)
{
    const struct mw_lattice cube = make(3, (const int64_t[]){ 16, 16, 16 });
    const int64_t mask[] = { 0x00F, 0x0F0, 0xF00 }, inverse[] = { 0xFF0, 0xF0F, 0x0FF }, lp[] = { 0x001, 0x010, 0x100 };
    const int64_t k = 0xD35; /* 110100110101 */
    int64_t x[3];
    assert_true(cube.power_of_two);
    assert_int_equal(cube.cells, 4096);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(cube.bits[i], 4);
        assert_int_equal(cube.offset[i], 4 * i);
        assert_int_equal(cube.mask[i], mask[i]);
        assert_int_equal(cube.inverse[i], inverse[i]);
        assert_int_equal(cube.stride[i], lp[i]);
    }
    mw_lattice_x_bits(&cube, k, x);
    assert_int_equal(x[0], 5);
    assert_int_equal(x[1], 3);
    assert_int_equal(x[2], 13);
    assert_int_equal(mw_lattice_k_bits(&cube, x), k);
    assert_int_equal(mw_lattice_neighbour_bits(&cube, 0xD3F, 0, 1), 0xD30);
    assert_int_equal(mw_lattice_neighbour_bits(&cube, 0x035, 2, -1), 0xF35);

    /* Figure 1. */
    const struct mw_lattice sheet = make(2, (const int64_t[]){ 12, 6 });
    assert_false(sheet.power_of_two);
    assert_int_equal(sheet.cells, 72);
    assert_int_equal(mw_lattice_k(&sheet, (const int64_t[]){ 0, 1 }), 12);
    assert_int_equal(mw_lattice_k(&sheet, (const int64_t[]){ 7, 3 }), 43);
    assert_int_equal(mw_lattice_k(&sheet, (const int64_t[]){ 11, 5 }), 71);
    assert_int_equal(mw_lattice_neighbour(&sheet, 11, 0, 1, MW_BOUNDARY_PERIODIC), 0);
    assert_int_equal(mw_lattice_neighbour(&sheet, 5, 1, -1, MW_BOUNDARY_PERIODIC), 65);
}

static void mirrors_stand_on_the_outer_face(void **unused)
{
    const struct mw_lattice row = make(1, (const int64_t[]){ 4 });
    const struct {
        int64_t n, to;
    } known[] = { { -1, 0 }, { -2, 1 }, { -4, 3 }, { -5, 3 }, { -8, 0 }, { -9, 0 },
                  { 3, 3 },  { 4, 3 },  { 5, 2 },  { 7, 0 },  { 8, 0 },  { 9, 1 } };
    for (size_t i = 0; i < MW_COUNT(known); i++)
        assert_int_equal(mw_lattice_neighbour(&row, 0, 0, known[i].n, MW_BOUNDARY_MIRROR), known[i].to);
}

/* All cells of a lattice, counted by an odometer. */
static void check_cells(const struct mw_lattice *l)
{
    int64_t count[MW_DIMS_MAX] = { 0 }, x[MW_DIMS_MAX];
    for (int64_t k = 0; k < l->cells; k++) {
        mw_lattice_x(l, k, x);
        assert_memory_equal(x, count, l->dims * sizeof *x);
        assert_int_equal(mw_lattice_k(l, count), k);
        if (l->power_of_two) {
            memset(x, -1, sizeof x);
            mw_lattice_x_bits(l, k, x);
            assert_memory_equal(x, count, l->dims * sizeof *x);
            assert_int_equal(mw_lattice_k_bits(l, count), k);
        }
        for (unsigned i = 0; i < l->dims && ++count[i] == l->length[i]; i++)
            count[i] = 0;
    }
}

/* Neighbours of all cells at several distances, in every dimension, by every boundary. */
static void check_neighbours(const struct mw_lattice *l)
{
    int64_t x[MW_DIMS_MAX];
    for (unsigned i = 0; i < l->dims; i++) {
        const int64_t n[] = { 1, -1, below(3 * l->length[i] + 1), -below(3 * l->length[i] + 1) };
        for (int64_t k = 0; k < l->cells; k++)
            for (size_t s = 0; s < MW_COUNT(n); s++) {
                mw_lattice_x(l, k, x);
                const int64_t from = x[i];
                for (int b = MW_BOUNDARY_PERIODIC; b <= MW_BOUNDARY_FIXED; b++) {
                    x[i] = walk(from, n[s], l->length[i], (enum mw_boundary)b);
                    const int64_t expected = x[i] < 0 ? -1 : mw_lattice_k(l, x);
                    assert_int_equal(mw_lattice_neighbour(l, k, i, n[s], (enum mw_boundary)b), expected);
                    if (b == MW_BOUNDARY_PERIODIC && l->power_of_two)
                        assert_int_equal(mw_lattice_neighbour_bits(l, k, i, n[s]), expected);
                }
            }
    }
}

static void random_shapes_in_all_dimensions(void **unused)
{
    for (int round = 0; round < 200; round++) {
        const struct mw_lattice l = random_lattice(1 + (unsigned)round % MW_DIMS_MAX, 3000, round % 3 == 0);
        bool powers = true;
        for (unsigned i = 0; i < l.dims; i++)
            powers = powers && __builtin_popcountll((unsigned long long)l.length[i]) == 1;
        assert_true(l.power_of_two == powers);
        check_cells(&l);
        check_neighbours(&l);
    }
}

/* Some cells of a lattice that is too large to visit all. */
static void check_large(const struct mw_lattice *l)
{
    static const int64_t far[] = { 0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1 };
    int64_t x[MW_DIMS_MAX], back[MW_DIMS_MAX];
    for (int sample = 0; sample < 400; sample++) {
        __int128 k = 0;
        for (unsigned i = l->dims; i-- > 0;) {
            const int64_t some[] = { 0, l->length[i] - 1, below(l->length[i]) };
            x[i] = some[below(3)];
            k = k * l->length[i] + x[i];
        }
        assert_true(mw_lattice_k(l, x) == k);
        mw_lattice_x(l, (int64_t)k, back);
        assert_memory_equal(x, back, l->dims * sizeof *x);
        const unsigned i = (unsigned)below(l->dims);
        const int64_t n = sample % 2 ? (int64_t)random_word() >> below(63) : far[below(MW_COUNT(far))];
        for (int b = MW_BOUNDARY_PERIODIC; b <= MW_BOUNDARY_FIXED; b++) {
            const int64_t to = leap(x[i], n, l->length[i], (enum mw_boundary)b);
            const __int128 expected = to < 0 ? -1 : k + (__int128)(to - x[i]) * l->stride[i];
            assert_true(mw_lattice_neighbour(l, (int64_t)k, i, n, (enum mw_boundary)b) == expected);
            if (b == MW_BOUNDARY_PERIODIC && l->power_of_two)
                assert_true(mw_lattice_neighbour_bits(l, (int64_t)k, i, n) == expected);
        }
        if (l->power_of_two) {
            mw_lattice_x_bits(l, (int64_t)k, back);
            assert_memory_equal(x, back, l->dims * sizeof *x);
            assert_true(mw_lattice_k_bits(l, x) == k);
        }
    }
}

static void large_shapes_without_their_memory(void **unused)
{
    static const struct {
        unsigned dims;
        int64_t length[MW_DIMS_MAX], cells;
        size_t index;
    } shapes[] = {
        { 2, { 1 << 20, 1 }, 1 << 20, 4 },
        { 2, { 1, 1 << 20 }, 1 << 20, 4 },
        { 1, { INT32_MAX }, INT32_MAX, 4 },
        { 1, { (int64_t)INT32_MAX + 1 }, (int64_t)INT32_MAX + 1, 8 },
        { 2, { 65537, 65539 }, (int64_t)65537 * 65539, 8 },
        { 3, { 1 << 20, 1 << 20, 3 }, (int64_t)3 << 40, 8 },
        { 8, { 128, 128, 128, 128, 128, 128, 128, 128 }, (int64_t)1 << 56, 8 },
        { 8, { 127, 113, 131, 101, 103, 107, 109, 97 }, 0, 8 },
        { 2, { 1 << 30, (int64_t)1 << 32 }, (int64_t)1 << 62, 8 },
        { 1, { INT64_MAX }, INT64_MAX, 8 },
        { 2, { 7, INT64_MAX / 7 }, INT64_MAX, 8 },
    };
    for (size_t s = 0; s < MW_COUNT(shapes); s++) {
        const struct mw_lattice l = make(shapes[s].dims, shapes[s].length);
        if (shapes[s].cells)
            assert_true(l.cells == shapes[s].cells);
        assert_int_equal(mw_lattice_index_bytes(&l), shapes[s].index);
        check_large(&l);
    }
}

static void empty_and_impossible_shapes(void **unused)
{
    static const struct {
        unsigned dims;
        int64_t length[MW_DIMS_MAX + 1];
        int rc;
    } wrong[] = {
        { 0, { 4 }, MW_EINVAL },
        { MW_DIMS_MAX + 1, { 1, 1, 1, 1, 1, 1, 1, 1, 1 }, MW_EINVAL },
        { 2, { 4, -1 }, MW_EINVAL },
        { 2, { 0, -1 }, MW_EINVAL },
        { 1, { INT64_MIN }, MW_EINVAL },
        { 2, { INT64_MAX, 2 }, MW_ELIMIT },
        { 2, { (int64_t)1 << 32, (int64_t)1 << 31 }, MW_ELIMIT },
        { 3, { (int64_t)1 << 32, (int64_t)1 << 32, 1 }, MW_ELIMIT },
    };
    static const struct {
        unsigned dims;
        int64_t length[3];
    } empty[] = {
        { 1, { 0 } },
        { 3, { 0, 5, 3 } },
        { 3, { 5, 0, 4 } },
        { 3, { INT64_MAX, INT64_MAX, 0 } },
    };
    struct mw_lattice l, before;
    memset(&l, 0x5a, sizeof l);
    before = l;
    for (size_t i = 0; i < MW_COUNT(wrong); i++) {
        assert_int_equal(mw_lattice_make(wrong[i].dims, wrong[i].length, &l), wrong[i].rc);
        assert_memory_equal(&l, &before, sizeof l);
    }
    for (size_t i = 0; i < MW_COUNT(empty); i++) {
        struct mw_neighbours *table;
        l = make(empty[i].dims, empty[i].length);
        assert_int_equal(l.cells, 0);
        assert_false(l.power_of_two);
        assert_int_equal(mw_neighbours_new(&l, MW_LATTICE_HYPERCUBIC, NULL, &table), 0);
        assert_int_equal(table->cells, 0);
        assert_int_equal(table->coordination, 2 * l.dims);
        mw_neighbours_free(table);
    }
    mw_neighbours_free(NULL);
}

static void kernels_have_the_same_arithmetic_in_32_bits(void **unused)
{
    const struct mw_lattice l = make(3, (const int64_t[])BUILT_LENGTHS);
    assert_int_equal(l.cells, LATTICE_CELLS);
    assert_int_equal(sizeof(kindex), 4);
    for (int64_t k = 0; k < l.cells; k++) {
        int64_t x[3];
        kindex at[3];
        mw_lattice_x(&l, k, x);
        for (unsigned i = 0; i < 3; i++) {
            at[i] = lattice_x((kindex)k, (int)i);
            assert_int_equal(at[i], x[i]);
            assert_int_equal(lattice_length((int)i), l.length[i]);
            for (int b = MW_BOUNDARY_PERIODIC; b <= MW_BOUNDARY_FIXED; b++) {
                const kindex n[] = { (kindex)random_word(), (kindex)below(40) - 20, INT32_MAX, INT32_MIN };
                for (size_t s = 0; s < MW_COUNT(n); s++)
                    assert_int_equal(lattice_neighbour((kindex)k, (int)i, n[s], b),
                                     mw_lattice_neighbour(&l, k, i, n[s], (enum mw_boundary)b));
            }
        }
        assert_int_equal(lattice_k(at), k);
    }
    /* The largest lattice with 32-bit indices, and the largest of the bit form. */
    for (int sample = 0; sample < 2000; sample++) {
        const kindex length = INT32_MAX, x = (kindex)below(length), n = (kindex)random_word();
        const kindex bits = 1 << 30, y = (kindex)below(bits);
        for (int b = MW_BOUNDARY_PERIODIC; b <= MW_BOUNDARY_FIXED; b++)
            assert_int_equal(k_neighbour(x, x, n, length, 1, b), leap(x, n, length, (enum mw_boundary)b));
        assert_int_equal(bits_neighbour(y, n, 1, bits_mask(bits, 0), bits_inverse(bits, bits_mask(bits, 0))),
                         leap(y, n, bits, MW_BOUNDARY_PERIODIC));
    }
}

static void check_macros(unsigned dims, const int64_t *length, const char *expected)
{
    const struct mw_lattice l = make(dims, length);
    struct mw_text t = { 0 };
    assert_int_equal(mw_lattice_macros(&l, &t), 0);
    assert_string_equal(t.data, expected);
    mw_text_free(&t);
}

#define TEXT_(...) #__VA_ARGS__
#define TEXT(...) TEXT_(__VA_ARGS__)

static void macros_say_what_a_lattice_is(void **unused)
{
    check_macros(3, (const int64_t[])BUILT_LENGTHS,
                 "#define LATTICE_DIMS " TEXT(LATTICE_DIMS) "\n#define LATTICE_CELLS " TEXT(
                     LATTICE_CELLS) "\n#define LATTICE_EACH(X) X(0, 12, 1, 0) X(1, 5, 12, 0) X(2, 7, 60, 0)\n");
    check_macros(2, (const int64_t[]){ 8, 4 },
                 "#define LATTICE_POWERS 1\n#define LATTICE_DIMS 2\n"
                 "#define LATTICE_CELLS 32\n#define LATTICE_EACH(X) X(0, 8, 1, 0) X(1, 4, 8, 3)\n");
    check_macros(2, (const int64_t[]){ 65536, 32768 },
                 "#define INDEX_64 1\n#define LATTICE_POWERS 1\n"
                 "#define LATTICE_DIMS 2\n#define LATTICE_CELLS 2147483648\n"
                 "#define LATTICE_EACH(X) X(0, 65536, 1, 0) X(1, 32768, 65536, 16)\n");
    check_macros(2, (const int64_t[]){ 3, 0 },
                 "#define LATTICE_DIMS 2\n#define LATTICE_CELLS 0\n"
                 "#define LATTICE_EACH(X) X(0, 1, 1, 0) X(1, 1, 1, 0)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_s_examples),
        cmocka_unit_test(mirrors_stand_on_the_outer_face),
        cmocka_unit_test(random_shapes_in_all_dimensions),
        cmocka_unit_test(large_shapes_without_their_memory),
        cmocka_unit_test(empty_and_impossible_shapes),
        cmocka_unit_test(kernels_have_the_same_arithmetic_in_32_bits),
        cmocka_unit_test(macros_say_what_a_lattice_is),
    };
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

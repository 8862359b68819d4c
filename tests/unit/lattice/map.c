/* Index maps against operations on whole arrays, written the obvious way. */
#include <meshwork/transform.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

#define CELLS_MAX 4096
#define FILL (-7)

/* An array whose cells hold their number in the source, or FILL. */
struct plain { unsigned dims; size_t length[MW_DIMS_MAX]; long cell[CELLS_MAX]; };

static size_t cells_of(const struct plain *p)
{
    size_t n = 1;
    for (unsigned d = 0; d < p->dims; d++)
        n *= p->length[d];
    return n;
}

static void position(const struct plain *p, size_t k, size_t *x)
{
    for (unsigned d = 0; d < p->dims; d++) {
        x[d] = k % p->length[d];
        k /= p->length[d];
    }
}

static size_t index_of(const struct plain *p, const size_t *x)
{
    size_t k = 0;
    for (unsigned d = p->dims; d-- > 0;)
        k = k * p->length[d] + x[d];
    return k;
}

/* ---- operations on plain arrays; each moves cells forward, from where they are to where they go ---- */

static void plain_flip(struct plain *p, unsigned d)
{
    const struct plain old = *p;
    size_t x[MW_DIMS_MAX];
    for (size_t k = 0; k < cells_of(p); k++) {
        position(p, k, x);
        x[d] = p->length[d] - 1 - x[d];
        p->cell[index_of(p, x)] = old.cell[k];
    }
}

static void plain_shift(struct plain *p, unsigned d, long by)
{
    const struct plain old = *p;
    const long n = (long)p->length[d];
    size_t x[MW_DIMS_MAX];
    for (size_t k = 0; k < cells_of(p); k++) {
        position(p, k, x);
        x[d] = (size_t)((((long)x[d] + by) % n + n) % n);
        p->cell[index_of(p, x)] = old.cell[k];
    }
}

/* Where the crinkle puts cell x: counted, not calculated. */
static size_t crinkle_counted(size_t x, size_t n, size_t step)
{
    size_t place = 0;
    for (size_t other = 0; other < n; other++)
        place += other % step < x % step || (other % step == x % step && other < x);
    return place;
}

static void plain_crinkle(struct plain *p, unsigned d, size_t step, bool back)
{
    const struct plain old = *p;
    size_t x[MW_DIMS_MAX], y[MW_DIMS_MAX];
    for (size_t k = 0; k < cells_of(p); k++) {
        position(p, k, x);
        memcpy(y, x, sizeof y);
        y[d] = crinkle_counted(x[d], p->length[d], step);
        p->cell[index_of(p, back ? x : y)] = old.cell[index_of(p, back ? y : x)];
    }
}

static void plain_permute(struct plain *p, const unsigned *order)
{
    const struct plain old = *p;
    size_t x[MW_DIMS_MAX], y[MW_DIMS_MAX];
    for (unsigned d = 0; d < p->dims; d++)
        p->length[d] = old.length[order[d]];
    for (size_t k = 0; k < cells_of(p); k++) {
        position(&old, k, x);
        for (unsigned d = 0; d < p->dims; d++)
            y[d] = x[order[d]];
        p->cell[index_of(p, y)] = old.cell[k];
    }
}

static void plain_window(struct plain *p, unsigned d, long first, size_t count)
{
    const struct plain old = *p;
    size_t x[MW_DIMS_MAX];
    p->length[d] = count;
    for (size_t k = 0; k < cells_of(p); k++) {
        position(p, k, x);
        const long from = (long)x[d] + first;
        x[d] = (size_t)from;
        p->cell[k] = from < 0 || from >= (long)old.length[d] ? FILL : old.cell[index_of(&old, x)];
    }
}

static void plain_split(struct plain *p, unsigned d, size_t radix)
{
    memmove(&p->length[d + 1], &p->length[d], (p->dims++ - d) * sizeof *p->length);
    p->length[d] = radix;
    p->length[d + 1] /= radix;
}

static void plain_merge(struct plain *p, unsigned d)
{
    p->length[d] *= p->length[d + 1];
    memmove(&p->length[d + 1], &p->length[d + 2], (--p->dims - d - 1) * sizeof *p->length);
}

/* ---- random chains ---- */

static size_t below(size_t n)
{
    return (size_t)rand() % n;
}

static size_t random_divisor(size_t n)
{
    size_t f = 1 + below(n);
    while (n % f)
        f--;
    return f;
}

/* One random operation on both; the text says what was done. */
static void random_operation(struct mw_map *m, struct plain *p, char *text, size_t size)
{
    const unsigned d = (unsigned)below(p->dims);
    const size_t n = p->length[d], length = strlen(text);
    unsigned order[MW_DIMS_MAX];
    int rc = 0;
    char *at = text + length;
    size -= length;
    switch (below(9)) {
    case 0:
        snprintf(at, size, " flip=%u", d);
        rc = mw_map_flip(m, d);
        plain_flip(p, d);
        break;
    case 1: {
        const long by = (long)below(4 * n + 1) - 2 * (long)n;
        snprintf(at, size, " shift %u by %ld", d, by);
        rc = mw_map_shift(m, d, by);
        plain_shift(p, d, by);
        break;
    }
    case 2: case 3: {
        const bool back = below(2);
        const size_t step = below(3) ? random_divisor(n) : 1 + below(n + 3);
        snprintf(at, size, " %scrinkle=%u:%zu", back ? "un" : "", d, step);
        rc = back ? mw_map_uncrinkle(m, d, step) : mw_map_crinkle(m, d, step);
        plain_crinkle(p, d, step, back);
        break;
    }
    case 4:
        for (unsigned i = 0; i < p->dims; i++) {
            const unsigned j = (unsigned)below(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        snprintf(at, size, " permute");
        rc = mw_map_permute(m, order);
        plain_permute(p, order);
        break;
    case 5: {
        const size_t before = below(3), after = below(3);
        if (cells_of(p) / n * (n + before + after) > CELLS_MAX)
            return;
        snprintf(at, size, " pad=%u:%zu:%zu", d, before, after);
        rc = mw_map_pad(m, d, before, after);
        plain_window(p, d, -(long)before, n + before + after);
        break;
    }
    case 6: {
        const size_t first = below(n), count = 1 + below(n - first);
        snprintf(at, size, " crop=%u:%zu:%zu", d, first, count);
        rc = mw_map_crop(m, d, first, count);
        plain_window(p, d, (long)first, count);
        break;
    }
    case 7: {
        const size_t radix = random_divisor(n);
        if (p->dims == MW_DIMS_MAX)
            return;
        snprintf(at, size, " split=%u:%zu", d, radix);
        rc = mw_map_split(m, d, radix);
        plain_split(p, d, radix);
        break;
    }
    default:
        if (d + 1 == p->dims)
            return;
        snprintf(at, size, " merge=%u", d);
        rc = mw_map_merge(m, d);
        plain_merge(p, d);
    }
    if (rc != 0)
        fail_msg("%s: %s", text, mw_errmsg());
}

static struct mw_map *random_start(struct plain *p, unsigned dims_max)
{
    struct mw_map *m = NULL;
    p->dims = 1 + (unsigned)below(dims_max);
    do {
        for (unsigned d = 0; d < p->dims; d++)
            p->length[d] = below(4) ? 1 + below(12) : (size_t)1 << below(5);
    } while (cells_of(p) > CELLS_MAX / 8);
    for (size_t k = 0; k < cells_of(p); k++)
        p->cell[k] = (long)k;
    assert_int_equal(mw_map_new(p->dims, p->length, &m), 0);
    return m;
}

static void assert_same(const struct mw_map *m, const struct plain *p, const char *text)
{
    size_t length[MW_DIMS_MAX];
    unsigned dims;
    mw_map_lengths(m, &dims, length);
    assert_int_equal(dims, p->dims);
    assert_memory_equal(length, p->length, dims * sizeof *length);
    for (size_t k = 0; k < cells_of(p); k++)
        if (mw_map_source(m, (int64_t)k) != (p->cell[k] == FILL ? -1 : p->cell[k]))
            fail_msg("%s: cell %zu comes from %ld, not %ld", text, k, (long)mw_map_source(m, (int64_t)k), p->cell[k]);
}

static void chains_equal_one_after_the_other(void **unused)
{
    (void)unused;
    const unsigned seed = (unsigned)(mw_now() * 1e6);
    print_message("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < 20000; i++) {
        struct plain p;
        char text[1024] = "";
        struct mw_map *m = random_start(&p, 4);
        for (size_t n = 1 + below(6); n > 0; n--)
            random_operation(m, &p, text, sizeof text);
        assert_same(m, &p, text);
        mw_map_free(m);
    }
}

static void the_inverse_undoes_a_chain(void **unused)
{
    (void)unused;
    const unsigned seed = (unsigned)(mw_now() * 1e6);
    print_message("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < 5000; i++) {
        struct plain p;
        char text[1024] = "";
        struct mw_map *m = random_start(&p, 4), *inverse = NULL, *copy = NULL;
        const size_t cells = cells_of(&p);
        for (size_t n = 1 + below(6); n > 0; n--)
            random_operation(m, &p, text, sizeof text);
        assert_int_equal(mw_map_copy(m, &copy), 0);
        assert_same(copy, &p, text);
        if (mw_map_inverse(copy, &inverse) != 0)
            fail_msg("%s: %s", text, mw_errmsg());
        for (size_t k = 0; k < cells; k++) {
            /* Cell k of the source, through the inverse, stands in the result where the map finds it again. */
            const int64_t at = mw_map_source(inverse, (int64_t)k);
            if (at >= 0 && mw_map_source(m, at) != (int64_t)k && mw_map_source(m, at) != -1)
                fail_msg("%s: cell %zu comes back from %ld", text, k, (long)at);
        }
        for (size_t k = 0; k < cells_of(&p); k++)
            if (p.cell[k] != FILL && mw_map_source(inverse, p.cell[k]) != (int64_t)k)
                fail_msg("%s: cell %zu is not found by the inverse", text, k);
        mw_map_free(m);
        mw_map_free(copy);
        mw_map_free(inverse);
    }
}

/* ---- known answers ---- */

static void expect(const char *operation, unsigned dims, const size_t *length, const int *source, size_t n)
{
    struct mw_map *m = NULL;
    assert_int_equal(mw_map_new(dims, length, &m), 0);
    if (mw_map_parse(m, operation) != 0)
        fail_msg("%s: %s", operation, mw_errmsg());
    for (size_t k = 0; k < n; k++)
        if (mw_map_source(m, (int64_t)k) != source[k])
            fail_msg("%s: cell %zu comes from %ld", operation, k, (long)mw_map_source(m, (int64_t)k));
    mw_map_free(m);
}
#define EXPECT(operation, dims, length, ...) \
    expect(operation, dims, (size_t[]) length, (int[]){ __VA_ARGS__ }, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int))
#define L(...) { __VA_ARGS__ }

static void known_answers(void **unused)
{
    (void)unused;
    EXPECT("flip=0", 2, L(3, 2), 2, 1, 0, 5, 4, 3);
    EXPECT("shift=1", 1, L(5), 4, 0, 1, 2, 3);
    EXPECT("shift=0,-1", 2, L(2, 3), 2, 3, 4, 5, 0, 1);
    EXPECT("crinkle=0:2", 1, L(4), 0, 2, 1, 3);
    EXPECT("crinkle=0:2", 1, L(5), 0, 2, 4, 1, 3);
    EXPECT("uncrinkle=0:2", 1, L(4), 0, 2, 1, 3);
    EXPECT("crinkle=0:9", 1, L(3), 0, 1, 2);
    EXPECT("permute=1,0", 2, L(3, 2), 0, 3, 1, 4, 2, 5);
    EXPECT("pad=0:1:2", 1, L(2), -1, 0, 1, -1, -1);
    EXPECT("crop=0:1:2", 1, L(4), 1, 2);
    EXPECT("reverse=0", 1, L(8), 0, 4, 2, 6, 1, 5, 3, 7);
    EXPECT("reverse=0", 1, L(6), 0, 2, 4, 1, 3, 5);
    EXPECT("reverse=0", 1, L(1), 0);
    EXPECT("tile=2,2", 2, L(4, 2), 0, 1, 4, 5, 2, 3, 6, 7);
    EXPECT("morton", 2, L(4, 4), 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
    EXPECT("morton", 2, L(1, 2), 0, 1);
}

static const struct { const char *operation; int status; const char *words; } wrong[] = {
    { "flip=0,2", MW_EINVAL, "no dimension 2" },    { "flip=2", MW_EINVAL, "no dimension 2" },
    { "flip", MW_EINVAL, "the form is flip=" },     { "flip=0,0,0,5", MW_EINVAL, "no dimension 5" },
    { "flip=", MW_EINVAL, "form" },                 { "flip=-1", MW_EINVAL, "negative" },
    { "flip=0,", MW_EINVAL, "','" },                { "flip=x", MW_EINVAL, "'x'" },
    { "flip=0:1", MW_EINVAL, "form" },              { "flip=99999999999999999999", MW_EINVAL, "number" },
    { "flip=4294967296", MW_EINVAL, "no dimension" }, { "flop=0", MW_EINVAL, "'flop'" },
    { "shift=1,2,3", MW_EINVAL, "3 amounts" },      { "crinkle=0:0", MW_EINVAL, "step of 0" },
    { "crinkle=0", MW_EINVAL, "form" },             { "permute=0,0", MW_EINVAL, "twice" },
    { "permute=0", MW_EINVAL, "1 dimensions" },     { "crop=0:3:4", MW_EINVAL, "not all" },
    { "split=0:4", MW_EINVAL, "does not divide" },  { "split=0:0", MW_EINVAL, "does not divide" },
    { "merge=1", MW_EINVAL, "no dimension 2" },     { "tile=4,2", MW_EINVAL, "does not divide" },
    { "morton", MW_EINVAL, "not a power of two" },  { "pad=0:9223372036854775807:1", MW_ELIMIT, "counted" },
    { "", MW_EINVAL, "''" },
};

static void wrong_operations_are_named(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(wrong); i++) {
        const size_t length[] = { 6, 4 };
        struct mw_map *m = NULL;
        assert_int_equal(mw_map_new(2, length, &m), 0);
        const int rc = mw_map_parse(m, wrong[i].operation);
        if (rc != wrong[i].status || !strstr(mw_errmsg(), wrong[i].words))
            fail_msg("'%s': %d, %s", wrong[i].operation, rc, mw_errmsg());
        assert_int_equal(mw_map_source(m, 23), 23);
        mw_map_free(m);
    }
}

/* More than 2^32 cells, and none: nothing of that size is allocated. */
static void huge_and_empty_arrays(void **unused)
{
    (void)unused;
    const size_t huge[] = { (size_t)1 << 20, (size_t)1 << 20, 3 }, empty[] = { 4, 0, 3 };
    const size_t long_thin[] = { (size_t)1 << 20, 1 }, too_many[] = { SIZE_MAX / 2, 4 };
    struct mw_map *m = NULL, *inverse = NULL;
    assert_int_equal(mw_map_new(3, huge, &m), 0);
    assert_int_equal(mw_map_parse(m, "flip=0,1"), 0);
    assert_int_equal(mw_map_parse(m, "permute=2,1,0"), 0);
    assert_int_equal(mw_map_parse(m, "crinkle=2:4"), 0);
    assert_int_equal(mw_map_source(m, 0), ((int64_t)1 << 40) - 1);
    assert_int_equal(mw_map_source(m, 1), ((int64_t)1 << 41) - 1);
    assert_int_equal(mw_map_inverse(m, &inverse), 0);
    for (int64_t k = 0; k < 3 * ((int64_t)1 << 40); k += 12345678901)
        assert_int_equal(mw_map_source(inverse, mw_map_source(m, k)), k);
    mw_map_free(m);
    mw_map_free(inverse);

    m = NULL;
    assert_int_equal(mw_map_new(3, empty, &m), 0);
    assert_int_equal(mw_map_parse(m, "flip=0,1,2"), 0);
    assert_int_equal(mw_map_parse(m, "shift=1,1,1"), 0);
    assert_int_equal(mw_map_parse(m, "crinkle=1:2"), 0);
    assert_int_equal(mw_map_parse(m, "permute=2,0,1"), 0);
    assert_int_equal(mw_map_parse(m, "pad=2:1:1"), 0);
    for (int64_t k = 0; k < 24; k++)
        assert_int_equal(mw_map_source(m, k), -1);
    mw_map_free(m);

    m = NULL;
    assert_int_equal(mw_map_new(2, long_thin, &m), 0);
    assert_int_equal(mw_map_parse(m, "reverse=0"), 0);
    assert_int_equal(mw_map_source(m, 1), 1 << 19);
    assert_true(mw_map_is_involution(m));
    assert_int_equal(mw_map_parse(m, "shift=1"), 0);
    assert_false(mw_map_is_involution(m));
    mw_map_free(m);
    assert_int_equal(mw_map_new(2, too_many, &m), MW_ELIMIT);
    assert_int_equal(mw_map_new(0, huge, &m), MW_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(chains_equal_one_after_the_other),
        cmocka_unit_test(the_inverse_undoes_a_chain),
        cmocka_unit_test(wrong_operations_are_named),
        cmocka_unit_test(huge_and_empty_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

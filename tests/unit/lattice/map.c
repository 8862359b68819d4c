/* Index maps against straightforward operations on whole arrays. */
#include <meshwork/transform.h>

#include "base/base.h"

#include "tests/check.h"

#define CELLS_MAX 4096
#define FILL (-7)

/* An array of cells that hold their number in the source, or FILL. */
struct plain {
    unsigned dims;
    size_t length[MW_DIMS_MAX];
    long cell[CELLS_MAX];
};

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

/* ---- operations on plain arrays; each moves cells from their old to their new place ---- */

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

/* Returns where a crinkle puts cell x, by counting. */
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

static size_t random_divisor(size_t n)
{
    size_t f = 1 + random_below(n);
    while (n % f)
        f--;
    return f;
}

/* An operation on dimension d, of length n, of both arrays; the text describes it. */
struct step {
    struct mw_map *map;
    struct plain *plain;
    unsigned d;
    size_t n;
    char *text;
    size_t size;
};

static int flip(const struct step *s)
{
    snprintf(s->text, s->size, " flip=%u", s->d);
    plain_flip(s->plain, s->d);
    return mw_map_flip(s->map, s->d);
}

static int shift(const struct step *s)
{
    const long by = (long)random_below(4 * s->n + 1) - 2 * (long)s->n;
    snprintf(s->text, s->size, " shift %u by %ld", s->d, by);
    plain_shift(s->plain, s->d, by);
    return mw_map_shift(s->map, s->d, by);
}

static int crinkle(const struct step *s)
{
    const bool back = random_below(2);
    const size_t by = random_below(3) ? random_divisor(s->n) : 1 + random_below(s->n + 3);
    snprintf(s->text, s->size, " %scrinkle=%u:%zu", back ? "un" : "", s->d, by);
    plain_crinkle(s->plain, s->d, by, back);
    return back ? mw_map_uncrinkle(s->map, s->d, by) : mw_map_crinkle(s->map, s->d, by);
}

static int permute(const struct step *s)
{
    unsigned order[MW_DIMS_MAX] = { 0 };
    for (unsigned i = 0; i < s->plain->dims; i++) {
        const unsigned j = (unsigned)random_below(i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    snprintf(s->text, s->size, " permute");
    plain_permute(s->plain, order);
    return mw_map_permute(s->map, order);
}

static int pad(const struct step *s)
{
    const size_t before = random_below(3), after = random_below(3);
    if (cells_of(s->plain) / s->n * (s->n + before + after) > CELLS_MAX)
        return 0;
    snprintf(s->text, s->size, " pad=%u:%zu:%zu", s->d, before, after);
    plain_window(s->plain, s->d, -(long)before, s->n + before + after);
    return mw_map_pad(s->map, s->d, before, after);
}

static int crop(const struct step *s)
{
    const size_t first = random_below(s->n), count = 1 + random_below(s->n - first);
    snprintf(s->text, s->size, " crop=%u:%zu:%zu", s->d, first, count);
    plain_window(s->plain, s->d, (long)first, count);
    return mw_map_crop(s->map, s->d, first, count);
}

static int split(const struct step *s)
{
    const size_t radix = random_divisor(s->n);
    if (s->plain->dims == MW_DIMS_MAX)
        return 0;
    snprintf(s->text, s->size, " split=%u:%zu", s->d, radix);
    plain_split(s->plain, s->d, radix);
    return mw_map_split(s->map, s->d, radix);
}

static int merge(const struct step *s)
{
    if (s->d + 1 == s->plain->dims)
        return 0;
    snprintf(s->text, s->size, " merge=%u", s->d);
    plain_merge(s->plain, s->d);
    return mw_map_merge(s->map, s->d);
}

static void random_operation(struct mw_map *map, struct plain *plain, char *text, size_t size)
{
    static int (*const operations[])(const struct step *s) = { flip, shift, crinkle, crinkle, permute,
                                                               pad,  crop,  split,   merge };
    const unsigned d = (unsigned)random_below(plain->dims);
    const size_t length = strlen(text);
    const struct step s = { map, plain, d, plain->length[d], text + length, size - length };
    if (operations[random_below(MW_COUNT(operations))](&s) != 0)
        fail_msg("%s: %s", text, mw_errmsg());
}

static struct mw_map *random_start(struct plain *p, unsigned dims_max)
{
    struct mw_map *m = NULL;
    p->dims = 1 + (unsigned)random_below(dims_max);
    do {
        for (unsigned d = 0; d < p->dims; d++)
            p->length[d] = random_below(4) ? 1 + random_below(12) : (size_t)1 << random_below(5);
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
    for (int i = 0; i < 20000; i++) {
        struct plain p;
        char text[1024] = "";
        struct mw_map *m = random_start(&p, 4);
        for (size_t n = 1 + random_below(6); n > 0; n--)
            random_operation(m, &p, text, sizeof text);
        assert_same(m, &p, text);
        mw_map_free(m);
    }
}

static void the_inverse_undoes_a_chain(void **unused)
{
    for (int i = 0; i < 5000; i++) {
        struct plain p;
        char text[1024] = "";
        struct mw_map *m = random_start(&p, 4), *inverse = NULL, *copy = NULL;
        const size_t cells = cells_of(&p);
        for (size_t n = 1 + random_below(6); n > 0; n--)
            random_operation(m, &p, text, sizeof text);
        assert_int_equal(mw_map_copy(m, &copy), 0);
        assert_same(copy, &p, text);
        if (mw_map_inverse(copy, &inverse) != 0)
            fail_msg("%s: %s", text, mw_errmsg());
        for (size_t k = 0; k < cells; k++) {
            /* Cell k of the source, through the inverse, is in the result where the map finds it again. */
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

/* ---- known results ---- */

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
#define EXPECT(operation, dims, length, ...)                                                                           \
    expect(operation, dims, (size_t[])length, (int[]){ __VA_ARGS__ }, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int))
#define L(...)                                                                                                         \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void known_answers(void **unused)
{
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

/* clang-format off */
static const struct { const char *operation; int status; const char *words; } wrong[] = {
    { "flip=0,2", MW_EINVAL, "dimension 2 does not exist" },    { "flip=2", MW_EINVAL, "dimension 2 does not exist" },
    { "flip", MW_EINVAL, "the form flip=" },     { "flip=0,0,0,5", MW_EINVAL, "dimension 5 does not exist" },
    { "flip=", MW_EINVAL, "form" },                 { "flip=-1", MW_EINVAL, "negative" },
    { "flip=0,", MW_EINVAL, "','" },                { "flip=x", MW_EINVAL, "'x'" },
    { "flip=0:1", MW_EINVAL, "form" },              { "flip=99999999999999999999", MW_EINVAL, "number" },
    { "flip=4294967296", MW_EINVAL, "does not exist" }, { "flop=0", MW_EINVAL, "'flop'" },
    { "shift=1,2,3", MW_EINVAL, "3 amounts" },      { "crinkle=0:0", MW_EINVAL, "step is 0" },
    { "crinkle=0", MW_EINVAL, "form" },             { "permute=0,0", MW_EINVAL, "twice" },
    { "permute=0", MW_EINVAL, "1 dimensions" },     { "crop=0:3:4", MW_EINVAL, "exceed dimension 0" },
    { "split=0:4", MW_EINVAL, "does not divide" },  { "split=0:0", MW_EINVAL, "does not divide" },
    { "merge=1", MW_EINVAL, "dimension 2 does not exist" },     { "tile=4,2", MW_EINVAL, "does not divide" },
    { "morton", MW_EINVAL, "not a power of two" },  { "pad=0:9223372036854775807:1", MW_ELIMIT, "too many cells" },
    { "", MW_EINVAL, "''" },
};
/* clang-format on */

static void wrong_operations_are_named(void **unused)
{
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
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */

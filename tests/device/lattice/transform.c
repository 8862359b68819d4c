/* Layout transforms on the device named by $MESHWORK_TEST_DEVICE: every variant and element size moves every cell to
 * where the map says, in place too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork.h>

#include <cmocka.h>

#include "dev/backend.h"
#include "lattice/transform_internal.h"

static struct mw_device *device;
static const struct mw_device_info *info;
static bool slow;                /* a simulator: fewer and smaller cases */
static bool compiles;            /* each map takes programs of its own: fewer of them */

static const size_t element_sizes[] = { 1, 2, 4, 8, 16 };

static void fill_with_noise(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(rand() >> 7);
}

/* Runs a map on noise and compares every element with its place by mw_map_source. */
static void check_within(const struct mw_map *map, size_t element, const char *variant, bool in_place,
                         const struct mw_transform_limits *limits, const char *what)
{
    static const unsigned char fill[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    size_t length[MW_DIMS_MAX], cells = 1, source = 1;
    struct mw_transform *t = NULL;
    struct mw_buffer *from = NULL, *to = NULL;
    unsigned char *in = NULL, *out = NULL;
    unsigned dims;
    int rc;
    mw_map_lengths(map, &dims, length);
    for (unsigned d = 0; d < dims; d++)
        cells *= length[d];
    mw_map_source_lengths(map, &dims, length);
    for (unsigned d = 0; d < dims; d++)
        source *= length[d];
    TRY(mw_new(source + 1, element, &in));
    TRY(mw_new(cells + 1, element, &out));
    fill_with_noise(in, source * element);
    TRY(mw_transform_new_within(device, map, element, variant, limits, &t));
    TRY(mw_buffer_new(device, source * element, &from));
    TRY(mw_buffer_new(device, cells * element, &to));
    if (source)
        TRY(mw_buffer_write(from, 0, source * element, in, NULL));
    TRY(mw_transform_run(t, from, in_place ? from : to, fill));
    if (cells)
        TRY(mw_buffer_read(in_place ? from : to, 0, cells * element, out, NULL));
    for (size_t k = 0; k < cells; k++) {
        const int64_t at = mw_map_source(map, (int64_t)k);
        if (memcmp(out + k * element, at < 0 ? fill : in + (size_t)at * element, element) != 0)
            fail_msg("%s, %zu bytes, %s: cell %zu", what, element, variant ? variant : "auto", k);
    }
out:
    if (rc != 0)
        fail_msg("%s, %zu bytes, %s: %s", what, element, variant ? variant : "auto", mw_errmsg());
    mw_transform_free(t);
    mw_buffer_free(from);
    mw_buffer_free(to);
    free(in);
    free(out);
}

static void check(const struct mw_map *map, size_t element, const char *variant, bool in_place, const char *what)
{
    check_within(map, element, variant, in_place, NULL, what);
}

/* Whether the device has the variant for this map; that it was right to say no is tested elsewhere. */
static bool has_variant(const struct mw_map *map, size_t element, const char *variant)
{
    struct mw_transform *t = NULL;
    const int rc = mw_transform_new(device, map, element, variant, &t);
    mw_transform_free(t);
    assert_true(rc == 0 || rc == MW_EINVAL);
    return rc == 0;
}

static bool is_for_cpus(const char *variant)
{
    return strcmp(variant, "rows") == 0 || strcmp(variant, "tiles") == 0;
}

/* `large`: as arrays that are larger than caches are moved. */
static void check_cpu_variants(const struct mw_map *map, size_t element, bool large, const char *what)
{
    const struct mw_variant *v;
    const struct mw_transform_limits limits = { large ? 0 : SIZE_MAX };
    for (size_t i = 0; (v = mw_transform_variants(i)) != NULL; i++)
        if (is_for_cpus(v->name) && has_variant(map, element, v->name))
            check_within(map, element, v->name, false, &limits, what);
}

/* Those that take a program for each map. */
static void check_other_variants(const struct mw_map *map, size_t element, const char *what)
{
    const struct mw_variant *v;
    check(map, element, NULL, false, what);
    for (size_t i = 0; (v = mw_transform_variants(i)) != NULL; i++)
        if (!is_for_cpus(v->name) && has_variant(map, element, v->name))
            check(map, element, v->name, false, what);
    if (mw_map_is_involution(map))
        check(map, element, NULL, true, what);
}

static struct mw_map *map_of(unsigned dims, const size_t *length, const char *operations)
{
    struct mw_map *map = NULL;
    char text[256], *word = text, *next;
    if (mw_map_new(dims, length, &map) != 0)
        fail_msg("%s", mw_errmsg());
    mw_copy_string(text, sizeof text, operations);
    for (; word && *word; word = next) {
        if ((next = strchr(word, ' ')))
            *next++ = 0;
        if (mw_map_parse(map, word) != 0)
            fail_msg("%s: %s", operations, mw_errmsg());
    }
    return map;
}

/* Shapes that reach every path: long and short rows, whole tiles and rests of them, weaves by 2, 4, 8 and others. */
static const struct { unsigned dims; size_t length[4]; const char *operations; } cases[] = {
    { 1, { 1 }, "flip=0" },
    { 1, { 0 }, "flip=0 pad=0:2:1" },
    { 2, { 3, 0 }, "permute=1,0" },
    { 1, { 40000 }, "flip=0" },
    { 1, { 33000 }, "shift=-12345" },
    { 1, { 4099 }, "crinkle=0:7" },
    { 2, { 193, 5 }, "flip=0,1" },
    { 2, { 193, 5 }, "shift=3,-1" },
    { 2, { 256, 3 }, "crinkle=0:2" },
    { 2, { 256, 3 }, "crinkle=0:4" },
    { 2, { 264, 3 }, "crinkle=0:8" },
    { 2, { 256, 3 }, "uncrinkle=0:2" },
    { 2, { 256, 3 }, "uncrinkle=0:4" },
    { 2, { 264, 3 }, "uncrinkle=0:8" },
    { 2, { 255, 3 }, "uncrinkle=0:3" },
    { 2, { 512, 3 }, "crinkle=0:8" },
    { 2, { 500, 3 }, "crinkle=0:3" },
    { 2, { 800, 2 }, "uncrinkle=0:5" },
    { 2, { 851, 2 }, "uncrinkle=0:6" },
    { 2, { 1001, 2 }, "uncrinkle=0:7" },
    { 2, { 900, 2 }, "crinkle=0:5 shift=1" },
    { 2, { 901, 2 }, "crinkle=0:6" },
    { 2, { 902, 2 }, "crinkle=0:7" },
    { 2, { 255, 4 }, "crinkle=0:3 crinkle=1:2" },
    { 2, { 320, 2 }, "crinkle=0:64" },
    { 2, { 70, 90 }, "permute=1,0" },
    { 2, { 128, 64 }, "permute=1,0" },
    { 2, { 67, 66 }, "permute=1,0 flip=0" },
    { 2, { 67, 66 }, "flip=0 permute=1,0" },
    { 2, { 40, 50 }, "pad=0:3:5 permute=1,0 crop=1:2:40" },
    { 2, { 37, 700 }, "permute=1,0" },
    { 2, { 48, 1024 }, "permute=1,0" },
    { 2, { 48, 530 }, "permute=1,0 flip=1" },
    { 3, { 33, 3, 140 }, "permute=2,1,0 pad=0:1:0" },
    { 3, { 32, 2, 144 }, "permute=1,2,0" },
    { 3, { 17, 18, 19 }, "permute=2,1,0" },
    { 3, { 17, 18, 19 }, "permute=1,2,0" },
    { 3, { 16, 16, 16 }, "permute=0,2,1 crinkle=0:2,1:2,2:2" },
    { 3, { 20, 9, 4 }, "pad=0:1:2,1:0:3,2:1:1 flip=0 shift=5,-1" },
    { 2, { 32, 16 }, "tile=8,4" },
    { 2, { 64, 64 }, "morton" },
    { 2, { 64, 64 }, "morton shift=100 split=0:64" },
    { 1, { 2048 }, "reverse=0" },
    { 1, { 2310 }, "reverse=0" },
    { 4, { 5, 7, 3, 4 }, "merge=1 shift=0,5 split=1:7 permute=3,0,2,1" },
};

static void every_path_moves_every_cell(void **unused)
{
    (void)unused;
    srand(1);
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_map *map = map_of(cases[i].dims, cases[i].length, cases[i].operations);
        for (size_t e = 0; e < MW_COUNT(element_sizes); e++) {
            for (int large = 0; large < 2 && (!slow || e == i % 5); large++)
                check_cpu_variants(map, element_sizes[e], large, cases[i].operations);
            if (!compiles || i % 10 == 2 * e)
                check_other_variants(map, element_sizes[e], cases[i].operations);
        }
        mw_map_free(map);
    }
}

/* Groups that share local memory: whole blocks and tiles, and rests of them, on either side; short rows; outer axes,
 * several and with tables, and outside.  The first of each variant by all element sizes, the others by one. */
static const struct { const char *variant; unsigned dims; size_t length[4]; const char *operations; } shared[] = {
    { "blocks", 2, { 3000, 3 }, "flip=0" },
    { "blocks", 2, { 2048, 3 }, "flip=0" },
    { "blocks", 2, { 300, 11 }, "flip=0" },
    { "blocks", 4, { 5, 7, 90, 4 }, "permute=0,2,1,3 flip=0,3 shift=0,1" },
    { "blocks", 3, { 600, 3, 4 }, "flip=0 pad=1:1:2,2:1:0" },
    { "local", 2, { 135, 150 }, "permute=1,0 flip=0" },
    { "local", 2, { 128, 64 }, "permute=1,0" },
    { "local", 2, { 31, 70 }, "permute=1,0 flip=1" },
    { "local", 4, { 40, 2, 3, 17 }, "permute=3,2,0,1 flip=0,1" },
    { "local", 3, { 37, 4, 75 }, "permute=2,1,0 pad=1:1:2" },
};

static void shared_memory_moves_every_cell(void **unused)
{
    (void)unused;
    srand(2);
    for (size_t i = 0; i < MW_COUNT(shared); i++) {
        struct mw_map *map = map_of(shared[i].dims, shared[i].length, shared[i].operations);
        const bool first = i == 0 || strcmp(shared[i].variant, shared[i - 1].variant) != 0;
        for (size_t e = 0; e < MW_COUNT(element_sizes); e++) {
            if (!compiles) {
                assert_false(has_variant(map, element_sizes[e], shared[i].variant));
                assert_non_null(strstr(mw_errmsg(), "needs an OpenCL device"));
            } else if (first || e == i % 5) {
                check(map, element_sizes[e], shared[i].variant, false, shared[i].operations);
            }
        }
        mw_map_free(map);
    }
}

/* A launch of more items than a device takes at once is several. */
static void slices_move_every_cell(void **unused)
{
    static const struct { const char *variant; size_t length[2]; const char *operations; bool in_place; } sliced[] = {
        { "points", { 135, 150 }, "permute=1,0", false }, { "points", { 135, 150 }, "flip=0", true },
        { "local", { 135, 150 }, "permute=1,0 flip=0", false }, { "blocks", { 300, 31 }, "flip=0", false },
    };
    const struct mw_grid before = device->grid;
    (void)unused;
    if (!compiles)
        skip();
    srand(4);
    device->grid.items[0] = 512;
    for (size_t i = 0; i < MW_COUNT(sliced); i++) {
        struct mw_map *map = map_of(2, sliced[i].length, sliced[i].operations);
        check(map, 4, sliced[i].variant, sliced[i].in_place, sliced[i].operations);
        mw_map_free(map);
    }
    device->grid = before;
}

static size_t below(size_t n)
{
    return (size_t)rand() % n;
}

static void random_operation(struct mw_text *text, unsigned dims)
{
    static const char *const words[] = { "crinkle", "uncrinkle", "pad" };
    const unsigned d = (unsigned)below(dims);
    const size_t form = below(5), n = 1 + below(9);
    if (text->length)
        mw_text_add(text, " ");
    if (form < 3)
        mw_text_add(text, "%s=%u:%zu%s", words[form], d, n, form == 2 ? ":1" : "");
    else if (form == 3)
        mw_text_add(text, "flip=%u", d);
    else
        mw_text_add(text, "shift=%zu", below(50));
}

static void random_chains_move_every_cell(void **unused)
{
    (void)unused;
    const unsigned seed = (unsigned)(mw_now() * 1e6);
    print_message("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < (slow ? 10 : compiles ? 100 : 400); i++) {
        const unsigned dims = 1 + (unsigned)below(4);
        struct mw_text text = { 0 };
        size_t length[4];
        for (unsigned d = 0; d < dims; d++)
            length[d] = 1 + below(dims == 1 ? 3000 : dims == 2 ? (below(4) ? 90 : 700) : 14);
        for (size_t n = 1 + below(4); n > 0; n--)
            random_operation(&text, dims);
        struct mw_map *map = map_of(dims, length, text.data);
        const size_t element = element_sizes[below(5)];
        check_cpu_variants(map, element, below(2), text.data);
        if (!compiles || i % 10 == 0)
            check_other_variants(map, element, text.data);
        else
            check(map, element, NULL, false, text.data);
        mw_map_free(map);
        mw_text_free(&text);
    }
}

/* ---- in place ---- */

static struct mw_plan plan_of(const struct mw_map *map)
{
    struct mw_plan plan;
    mw_plan_make(map, 4, &plan);
    assert_int_equal(mw_plan_points(&plan, false), 0);
    return plan;
}

/* By the map's definition. */
static bool undoes_itself(const struct mw_map *map)
{
    size_t length[MW_DIMS_MAX], cells = 1;
    unsigned dims;
    mw_map_lengths(map, &dims, length);
    for (unsigned d = 0; d < dims; d++)
        cells *= length[d];
    for (size_t k = 0; k < cells; k++) {
        const int64_t once = mw_map_source(map, (int64_t)k);
        if (once < 0 || mw_map_source(map, once) != (int64_t)k)
            return false;
    }
    return true;
}

static void involutions_are_known(void **unused)
{
    static const struct { unsigned dims; size_t length[4]; const char *operations; bool is; } maps[] = {
        { 2, { 12, 5 }, "flip=0", true },
        { 3, { 12, 5, 3 }, "flip=0,2", true },
        { 3, { 8, 5, 8 }, "permute=2,1,0", true },
        { 3, { 8, 5, 8 }, "permute=2,1,0 flip=0,2", true },
        { 3, { 8, 5, 8 }, "permute=2,1,0 flip=1", true },
        { 2, { 8, 8 }, "permute=1,0 flip=0", false },
        { 2, { 8, 9 }, "permute=1,0", false },
        { 3, { 4, 4, 4 }, "permute=1,2,0", false },
        { 1, { 64 }, "reverse=0", true },
        { 1, { 36 }, "reverse=0", false },
        { 1, { 10 }, "shift=5", true },
        { 1, { 10 }, "shift=4", false },
        { 1, { 9 }, "crinkle=0:3", true },
        { 1, { 10 }, "crinkle=0:3", false },
        { 2, { 4, 4 }, "pad=0:1:0 crop=0:0:4", false },
        { 1, { 12 }, "shift=3 shift=-3", true },
        { 2, { 8, 8 }, "morton split=0:8", false },
    };
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(maps); i++) {
        struct mw_map *map = map_of(maps[i].dims, maps[i].length, maps[i].operations);
        struct mw_plan plan = plan_of(map);
        if (mw_plan_is_involution(&plan) != maps[i].is || undoes_itself(map) != maps[i].is ||
            mw_map_is_involution(map) != maps[i].is)
            fail_msg("%s", maps[i].operations);
        mw_plan_free(&plan);
        mw_map_free(map);
    }
}

static void others_are_refused_in_place(void **unused)
{
    (void)unused;
    const size_t length[] = { 7, 3 };
    unsigned char bytes[21], again[21];
    struct mw_map *map = map_of(2, length, "shift=1");
    struct mw_transform *t = NULL;
    struct mw_buffer *data = NULL;
    fill_with_noise(bytes, sizeof bytes);
    assert_int_equal(mw_transform_new(device, map, 1, NULL, &t), 0);
    assert_int_equal(mw_buffer_new(device, sizeof bytes, &data), 0);
    assert_int_equal(mw_buffer_write(data, 0, sizeof bytes, bytes, NULL), 0);
    mw_map_free(map);
    for (int times = 0; times < 2; times++) {
        assert_int_equal(mw_transform_run(t, data, data, NULL), MW_EINVAL);
        assert_non_null(strstr(mw_errmsg(), "in place"));
    }
    assert_int_equal(mw_buffer_read(data, 0, sizeof again, again, NULL), 0);
    assert_memory_equal(bytes, again, sizeof again);
    mw_transform_free(t);
    mw_buffer_free(data);
}

/* The map is gone by then, and a second time undoes the first. */
static void in_place_twice_is_nothing(void **unused)
{
    (void)unused;
    const size_t length[] = { 10, 3 };
    unsigned char bytes[60], once[60], twice[60];
    struct mw_map *map = map_of(2, length, "shift=5 flip=1");
    struct mw_transform *t = NULL;
    struct mw_buffer *data = NULL;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    assert_int_equal(mw_transform_new(device, map, 2, NULL, &t), 0);
    assert_int_equal(mw_buffer_new(device, sizeof bytes, &data), 0);
    assert_int_equal(mw_buffer_write(data, 0, sizeof bytes, bytes, NULL), 0);
    mw_map_free(map);
    assert_int_equal(mw_transform_run(t, data, data, NULL), 0);
    assert_int_equal(mw_buffer_read(data, 0, sizeof once, once, NULL), 0);
    assert_int_equal(mw_transform_run(t, data, data, NULL), 0);
    assert_int_equal(mw_buffer_read(data, 0, sizeof twice, twice, NULL), 0);
    assert_memory_not_equal(bytes, once, sizeof once);
    assert_memory_equal(bytes, twice, sizeof twice);
    mw_transform_free(t);
    mw_buffer_free(data);
}

/* ---- plans as macros ---- */

static void macros_know_the_plan(void **unused)
{
    (void)unused;
    const size_t length[] = { 3, 5, 4 };
    struct mw_map *map = map_of(3, length, "flip=0 pad=1:1:0 permute=0,2,1");
    struct mw_plan plan = plan_of(map);
    struct mw_text macros = { 0 };
    assert_int_equal(mw_plan_macros(&plan, &macros), 0);
    const char *table = strstr(macros.data, "FIXED_LAST(X) X(2, 6, 0, ");
    assert_non_null(table);
    const int64_t *words = plan.word + strtoll(table + strlen("FIXED_LAST(X) X(2, 6, 0, "), NULL, 10);
    assert_true(words[0] == MW_OUTSIDE && words[5] - words[1] == 12);
    assert_non_null(strstr(table, ", 12)\n"));
    assert_non_null(strstr(macros.data, "#define FIXED_EACH(X) X(0, 3, -1, 0, 1) X(1, 4, 15, 0, 3)\n"));
    assert_non_null(strstr(macros.data, "#define FIXED_CELLS 72\n#define FIXED_FROM 2\n#define FIXED_TO 0\n"));
    assert_null(strstr(macros.data, "INDEX_64"));
    assert_null(strstr(macros.data, "GROUP"));
    mw_text_free(&macros);
    mw_plan_free(&plan);
    mw_map_free(map);
}

/* Nothing of this size is made. */
static void wide_indices_from_two_to_the_31(void **unused)
{
    static const struct { size_t length[2]; const char *operations; bool wide; } maps[] = {
        { { 1 << 16, 1 << 15 }, "flip=0", true },
        { { (1 << 16) - 1, 1 << 15 }, "flip=0", false },
        { { 1 << 16, 1 << 15 }, "crop=0:0:10", true },
        { { 1 << 16, 1 << 15 }, "crop=0:0:10 crop=1:7:9", true },
        { { INT32_MAX, 1 }, "flip=0", false },
        { { (size_t)1 << 40, 8 }, "permute=1,0", true },
    };
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(maps); i++) {
        struct mw_map *map = map_of(2, maps[i].length, maps[i].operations);
        struct mw_plan plan = plan_of(map);
        struct mw_text macros = { 0 };
        assert_int_equal(mw_plan_macros(&plan, &macros), 0);
        if ((strstr(macros.data, "#define INDEX_64 1\n") != NULL) != maps[i].wide)
            fail_msg("%zu x %zu, %s:\n%s", maps[i].length[0], maps[i].length[1], maps[i].operations, macros.data);
        mw_text_free(&macros);
        mw_plan_free(&plan);
        mw_map_free(map);
    }
}

/* Whatever the device allows: blocks and tiles that their items can have, and enough groups for all cells. */
static void groups_of_any_size_have_work(void **unused)
{
    (void)unused;
    const size_t length[] = { 100, 37, 5 };
    for (size_t group = 1; group <= 256; group *= 2)
        for (size_t element = 1; element <= 16; element *= 2) {
            struct mw_map *flip = map_of(3, length, "flip=0"), *turn = map_of(3, length, "permute=1,0,2");
            struct mw_plan blocks, local;
            mw_plan_make(flip, element, &blocks);
            mw_plan_make(turn, element, &local);
            blocks.group = local.group = group;
            assert_int_equal(mw_plan_blocks(&blocks, false), 0);
            assert_int_equal(mw_plan_local(&local, false), 0);
            const size_t block = blocks.tile[0] * blocks.tile[1], tile = local.tile[0] * local.tile[1];
            assert_true(block > 0 && block % group == 0 && tile > 0 && tile % group == 0);
            assert_true((size_t)blocks.count * block >= blocks.cells && (size_t)local.count * tile >= local.cells);
            assert_true(block * element < 16384 && (local.tile[0] + 1) * local.tile[1] * element < 16384);
            mw_plan_free(&blocks);
            mw_plan_free(&local);
            mw_map_free(flip);
            mw_map_free(turn);
        }
}

static void only_transpositions_of_some_size_suit_local_memory(void **unused)
{
    static const struct { unsigned dims; size_t length[3]; const char *operations; size_t element; bool suits; }
    maps[] = {
        { 2, { 4096, 4096 }, "permute=1,0", 4, true },
        { 2, { 4096, 4096 }, "permute=1,0 flip=0,1", 16, true },
        { 2, { 4096, 4096 }, "flip=0", 4, false },
        { 2, { 4096, 4096 }, "crinkle=0:8", 4, false },
        { 2, { 12, 100000 }, "permute=1,0", 4, true },
        { 2, { 100000, 12 }, "permute=1,0", 4, false },
        { 3, { 32, 32, 1000 }, "permute=1,0,2", 4, true },
        { 3, { 16, 48, 1000 }, "permute=1,0,2", 4, false },
        { 3, { 32, 32, 1000 }, "permute=1,0,2", 1, false },
        { 3, { 16, 16, 1000 }, "permute=1,0,2", 16, true },
    };
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(maps); i++) {
        struct mw_map *map = map_of(maps[i].dims, maps[i].length, maps[i].operations);
        struct mw_plan plan;
        mw_plan_make(map, maps[i].element, &plan);
        if (mw_plan_suits_local(&plan) != maps[i].suits)
            fail_msg("%s of %zu bytes", maps[i].operations, maps[i].element);
        mw_map_free(map);
    }
}

static void wrong_uses_are_refused(void **unused)
{
    (void)unused;
    const size_t length[] = { 8, 4 };
    struct mw_map *map = map_of(2, length, "flip=0");
    struct mw_transform *t = NULL;
    struct mw_buffer *small = NULL;
    assert_int_equal(mw_transform_new(device, map, 3, NULL, &t), MW_EINVAL);
    assert_int_equal(mw_transform_new(device, map, 4, "fast", &t), MW_EINVAL);
    assert_int_equal(mw_transform_new(device, map, 4, "tiles", &t), MW_EINVAL);
    assert_int_equal(mw_transform_new(device, map, 4, "local", &t), MW_EINVAL);
    mw_map_free(map);
    map = map_of(2, length, "flip=1");
    assert_int_equal(mw_transform_new(device, map, 4, "blocks", &t), MW_EINVAL);
    assert_null(t);
    assert_int_equal(mw_transform_new(device, map, 4, NULL, &t), 0);
    assert_int_equal(mw_buffer_new(device, 100, &small), 0);
    assert_int_equal(mw_transform_run(t, small, small, NULL), MW_EINVAL);
    mw_transform_free(t);
    mw_buffer_free(small);
    mw_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_moves_every_cell),
        cmocka_unit_test(shared_memory_moves_every_cell),
        cmocka_unit_test(slices_move_every_cell),
        cmocka_unit_test(random_chains_move_every_cell),
        cmocka_unit_test(involutions_are_known),
        cmocka_unit_test(others_are_refused_in_place),
        cmocka_unit_test(in_place_twice_is_nothing),
        cmocka_unit_test(macros_know_the_plan),
        cmocka_unit_test(wide_indices_from_two_to_the_31),
        cmocka_unit_test(groups_of_any_size_have_work),
        cmocka_unit_test(only_transpositions_of_some_size_suit_local_memory),
        cmocka_unit_test(wrong_uses_are_refused),
    };
    if (mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &device) != 0) {
        fprintf(stderr, "%s\n", mw_errmsg());
        return 1;
    }
    info = mw_device_info(device);
    slow = strstr(info->name, "Oclgrind") != NULL;
    compiles = info->kind != MW_DEVICE_NATIVE;
    print_message("%s: %s\n", info->id, info->name);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mw_device_close(device);
    return failed;
}

/* Layout transforms on the device named by $MESHWORK_TEST_DEVICE: every variant and element size moves every cell to
 * where the map says, in place too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork.h>

#include <cmocka.h>

#include "lattice/transform_internal.h"

static struct mw_device *device;
static const struct mw_device_info *info;
static bool slow;                /* a simulator: fewer and smaller cases */

static const size_t element_sizes[] = { 1, 2, 4, 8, 16 };

static void fill_with_noise(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(rand() >> 7);
}

/* Runs a map on noise and compares every element with its place by mw_map_source. */
static void check(const struct mw_map *map, size_t element, const char *variant, bool in_place, const char *what)
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
    TRY(mw_transform_new(device, map, element, variant, &t));
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

/* `large`: as arrays that are larger than caches are moved. */
static void check_variants(const struct mw_map *map, size_t element, bool large, const char *what)
{
    mw_plan_stream_bytes = large ? 0 : SIZE_MAX;
    check(map, element, NULL, false, what);
    for (const struct mw_variant *v = mw_transform_variants; v->name; v++) {
        struct mw_transform *t = NULL;
        const int rc = mw_transform_new(device, map, element, v->name, &t);
        mw_transform_free(t);
        if (rc == 0)
            check(map, element, v->name, false, what);
        else
            assert_int_equal(rc, MW_EINVAL);  /* tiles, where nothing is transposed */
    }
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
        for (size_t e = slow ? i % 5 : 0; e < MW_COUNT(element_sizes); e += slow ? 5 : 1)
            for (int large = 0; large < 2; large++)
                check_variants(map, element_sizes[e], large, cases[i].operations);
        mw_map_free(map);
    }
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
    for (int i = 0; i < (slow ? 10 : 400); i++) {
        const unsigned dims = 1 + (unsigned)below(4);
        struct mw_text text = { 0 };
        size_t length[4];
        for (unsigned d = 0; d < dims; d++)
            length[d] = 1 + below(dims == 1 ? 3000 : dims == 2 ? (below(4) ? 90 : 700) : 14);
        for (size_t n = 1 + below(4); n > 0; n--)
            random_operation(&text, dims);
        struct mw_map *map = map_of(dims, length, text.data);
        check_variants(map, element_sizes[below(5)], below(2), text.data);
        mw_map_free(map);
        mw_text_free(&text);
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
        cmocka_unit_test(random_chains_move_every_cell),
        cmocka_unit_test(wrong_uses_are_refused),
    };
    if (mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &device) != 0) {
        fprintf(stderr, "%s\n", mw_errmsg());
        return 1;
    }
    info = mw_device_info(device);
    slow = strstr(info->name, "Oclgrind") != NULL;
    print_message("%s: %s\n", info->id, info->name);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mw_device_close(device);
    return failed;
}

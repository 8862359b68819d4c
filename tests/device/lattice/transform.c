/* Layout transforms on $MESHWORK_TEST_DEVICE: every variant and element size moves every cell to its place in the map,
 * also in place. */
#include "dev/core/backend.h"
#include "lattice/transform_internal.h"

#include "tests/device/device.h"
#include "tests/map.h"

static const size_t element_sizes[] = { 1, 2, 4, 8, 16 };

static void fill_with_noise(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(rand() >> 7);
}

static struct mw_device *again, *threads;

/* Runs a map on noise and compares every element with its place by mw_map_source. */
static void check_on(struct mw_device *const *devices, size_t count, const struct mw_map *map, size_t element,
                     const char *variant, bool in_place, const struct mw_transform_limits *limits, const char *what)
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
    TRY(count > 1 ? mw_transform_new(devices, count, map, element, variant, &t)
                  : mw_transform_new_within(devices, 1, map, element, variant, limits, &t));
    TRY(mw_buffer_new(devices[0], source * element, &from));
    TRY(mw_buffer_new(devices[0], cells * element, &to));
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

static void check_within(const struct mw_map *map, size_t element, const char *variant, bool in_place,
                         const struct mw_transform_limits *limits, const char *what)
{
    check_on(&device, 1, map, element, variant, in_place, limits, what);
}

static void check(const struct mw_map *map, size_t element, const char *variant, bool in_place, const char *what)
{
    check_within(map, element, variant, in_place, NULL, what);
}

/* Returns whether the device supports the variant for this map; refusals are tested elsewhere. */
static bool has_variant(const struct mw_map *map, size_t element, const char *variant)
{
    struct mw_transform *t = NULL;
    const int rc = mw_transform_new(&device, 1, map, element, variant, &t);
    mw_transform_free(t);
    assert_true(rc == 0 || rc == MW_EINVAL);
    return rc == 0;
}

static bool is_for_cpus(const char *variant) { return strcmp(variant, "rows") == 0 || strcmp(variant, "tiles") == 0; }

/* `large`: like arrays larger than the caches. */
static void check_cpu_variants(const struct mw_map *map, size_t element, bool large, const char *what)
{
    const struct mw_variant *v;
    const struct mw_transform_limits limits = { large ? 0 : SIZE_MAX };
    for (size_t i = 0; (v = mw_transform_variants(i)) != NULL; i++)
        if (is_for_cpus(v->name) && has_variant(map, element, v->name))
            check_within(map, element, v->name, false, &limits, what);
}

/* Variants that are compiled for each map. */
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

/* Shapes for every path: long and short rows, whole and partial tiles, interleaving by 2, 4, 8 and others. */
static const struct {
    unsigned dims;
    size_t length[4];
    const char *operations;
} cases[] = {
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
    { 3, { 70, 90, 3 }, "permute=1,0,2 pad=2:1:1" },
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
    srand(1);
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_map *map = map_of(cases[i].dims, cases[i].length, cases[i].operations);
        for (size_t e = 0; e < MW_COUNT(element_sizes); e++) {
            /* Each is a program of its own: all on native devices, elsewhere each size for a fifth of the cases, and
             * some of the combinations of map and variant that are compiled. */
            for (size_t large = 0; large < 2; large++)
                if (native || (e == (i + 2 * large) % 5 && !(left_out(3) && slow)))
                    check_cpu_variants(map, element_sizes[e], large != 0, cases[i].operations);
            if (!left_out(15))
                check_other_variants(map, element_sizes[e], cases[i].operations);
        }
        mw_map_free(map);
    }
}

/* Work-groups with local memory: whole and partial blocks and tiles on either side; short rows; outer axes, several,
 * with tables, and outside.  Each with one element size, and the first of each variant with others. */
static const struct {
    const char *variant;
    unsigned dims;
    size_t length[4];
    const char *operations;
} shared[] = {
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
    srand(2);
    for (size_t i = 0; i < MW_COUNT(shared); i++) {
        struct mw_map *map = map_of(shared[i].dims, shared[i].length, shared[i].operations);
        const bool first = i == 0 || strcmp(shared[i].variant, shared[i - 1].variant) != 0;
        for (size_t e = 0; e < MW_COUNT(element_sizes); e++) {
            if (native) {
                assert_false(has_variant(map, element_sizes[e], shared[i].variant));
                assert_non_null(strstr(mw_errmsg(), "needs a device with work-groups"));
            } else if (e == i % 5 || (first && !left_out(3))) {
                check(map, element_sizes[e], shared[i].variant, false, shared[i].operations);
            }
        }
        mw_map_free(map);
    }
}

/* The variants of Hawick and Playne: each operation, with lengths and steps of powers of two and others, and chains; in
 * two dimensions and in others.  Their results do not depend on each other: every cell is compared with the map. */
static void single_cells_are_moved(void **unused)
{
    static const char *const variants[] = { "lengths", "powers", "plane", "plane-image" };
    static const struct {
        unsigned dims;
        size_t length[4];
        const char *operations;
        bool powers;
    } moved[] = {
        { 2, { 64, 32 }, "flip=0", true },
        { 2, { 64, 32 }, "flip=0,1", true },
        { 2, { 64, 32 }, "shift=100,-37", true },
        { 2, { 64, 32 }, "crinkle=0:4,1:8", true },
        { 2, { 64, 32 }, "uncrinkle=0:4,1:8", true },
        { 2, { 64, 32 }, "crinkle=0:4,1:3 shift=5", false },
        { 2, { 61, 35 }, "flip=1", false },
        { 2, { 61, 35 }, "shift=-3,77", false },
        { 2, { 61, 35 }, "crinkle=0:4,1:6", false },
        { 2, { 61, 35 }, "uncrinkle=0:4,1:6", false },
        { 2, { 60, 35 }, "crinkle=0:4 flip=0,1 shift=7,1 uncrinkle=0:7,1:5", false },
        { 2, { 16, 8 }, "crinkle=0:4 flip=0,1 shift=7,1 uncrinkle=0:8", true },
        { 3, { 8, 16, 4 }, "shift=3,-1,2 flip=1 crinkle=1:2", true },
        { 4, { 5, 8, 3, 4 }, "flip=2 uncrinkle=3:3 shift=1", false },
        { 1, { 509 }, "crinkle=0:9", false },
    };
    srand(3);
    for (size_t i = 0; i < MW_COUNT(moved); i++) {
        struct mw_map *map = map_of(moved[i].dims, moved[i].length, moved[i].operations);
        for (size_t v = 0; v < MW_COUNT(variants); v++) {
            const size_t element = element_sizes[(i + v) % 4];
            const bool fits = v == 0 || (!native && (v == 1 ? moved[i].powers : moved[i].dims == 2));
            if (v == 3 && !(info->images && has_variant(map, element, variants[v])))
                continue; /* devices need not have images of all cell sizes */
            assert_true(has_variant(map, element, variants[v]) == fits);
            if (fits && !((slow || slow_compiler) && left_out(4)))
                check(map, element, variants[v], false, moved[i].operations);
        }
        mw_map_free(map);
    }
    struct mw_map *map = map_of(2, (size_t[]){ 12, 20 }, "permute=1,0");
    for (size_t v = 0; v < MW_COUNT(variants); v++) {
        assert_false(has_variant(map, 4, variants[v]));
        if (v == 0 || (v < 3 && !native))
            assert_non_null(strstr(mw_errmsg(), "supports only flips, shifts"));
    }
    mw_map_free(map);
}

/* Launches with more work-items than a device supports are split. */
static void slices_move_every_cell(void **unused)
{
    /* clang-format off */
    static const struct { const char *variant; size_t length[2]; const char *operations; bool in_place; } sliced[] = {
        { "points", { 135, 150 }, "permute=1,0", false }, { "points", { 135, 150 }, "flip=0", true },
        { "local", { 135, 150 }, "permute=1,0 flip=0", false }, { "blocks", { 300, 31 }, "flip=0", false },
    };
    /* clang-format on */
    const struct mw_grid before = device->grid;
    if (native)
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

static void random_operation(struct mw_text *text, unsigned dims)
{
    static const char *const words[] = { "crinkle", "uncrinkle", "pad" };
    const unsigned d = (unsigned)random_below(dims);
    const size_t form = random_below(5), n = 1 + random_below(9);
    if (text->length)
        mw_text_add(text, " ");
    if (form < 3)
        mw_text_add(text, "%s=%u:%zu%s", words[form], d, n, form == 2 ? ":1" : "");
    else if (form == 3)
        mw_text_add(text, "flip=%u", d);
    else
        mw_text_add(text, "shift=%zu", random_below(50));
}

static void random_chains_move_every_cell(void **unused)
{
    for (int i = 0; i < (slow ? 6 : native ? 400 : 20); i++) {
        const unsigned dims = 1 + (unsigned)random_below(4);
        struct mw_text text = { 0 };
        size_t length[4];
        for (unsigned d = 0; d < dims; d++)
            length[d] = 1 + random_below(dims == 1 ? 3000 : dims == 2 ? (random_below(4) ? 90 : 700) : 14);
        for (size_t n = 1 + random_below(4); n > 0; n--)
            random_operation(&text, dims);
        struct mw_map *map = map_of(dims, length, text.data);
        const size_t element = element_sizes[random_below(5)];
        check_cpu_variants(map, element, random_below(2), text.data);
        if (native || i % 10 == 1)
            check_other_variants(map, element, text.data);
        else
            check(map, element, NULL, false, text.data);
        mw_map_free(map);
        mw_text_free(&text);
    }
}

/* ---- several devices ---- */

/* By mw_transform_array, which sends the source to each device; the fill value is zero. */
static void check_array(struct mw_device *const *devices, size_t count, const struct mw_map *map, const char *what)
{
    struct mw_array source = { 0 }, result = { 0 };
    size_t length[MW_DIMS_MAX];
    double seconds = -1;
    unsigned dims;
    mw_map_source_lengths(map, &dims, length);
    OK(mw_array_new(MW_TYPE_U16, dims, length, &source));
    fill_with_noise(source.data, source.count * sizeof(uint16_t));
    OK(mw_transform_array(devices, count, map, &source, NULL, &result, random_below(2) ? &seconds : NULL));
    for (size_t k = 0; k < result.count; k++) {
        const int64_t at = mw_map_source(map, (int64_t)k);
        if (((uint16_t *)result.data)[k] != (at < 0 ? 0 : ((uint16_t *)source.data)[at]))
            fail_msg("%s, %zu devices: cell %zu", what, count, k);
    }
    mw_array_free(&source);
    mw_array_free(&result);
}

/* Chains on 2 to 4 devices, often with fewer slabs than devices; also results of one dimension. */
static void several_devices_move_every_cell(void **unused)
{
    struct mw_device *devices[] = { device, again, serial, threads };
    for (size_t i = 0; i < (native ? 2000 : slow ? 2 : 15); i++) {
        const unsigned dims = 1 + (unsigned)random_below(4);
        struct mw_text text = { 0 };
        size_t length[4];
        for (unsigned d = 0; d < dims; d++)
            length[d] = random_below(50) == 0 ? 0 : 1 + random_below(random_below(2) ? 4 : dims == 1 ? 300 : 20);
        for (size_t n = 1 + random_below(4); n > 0; n--)
            random_operation(&text, dims);
        struct mw_map *map = map_of(dims, length, text.data);
        const size_t count = 2 + random_below(3);
        for (size_t merges = random_below(2) ? dims - 1 : 0; merges > 0; merges--)
            OK(mw_map_merge(map, 0));
        shuffle_devices(devices, MW_COUNT(devices));
        check_on(devices, count, map, element_sizes[random_below(5)], NULL, false, NULL, text.data);
        check_array(devices, count, map, text.data);
        mw_map_free(map);
        mw_text_free(&text);
    }
}

static void several_devices_refuse(void **unused)
{
    struct mw_device *const two[] = { device, again };
    const size_t length[] = { 8, 4 };
    struct mw_map *map = map_of(2, length, "flip=0");
    struct mw_transform *t = NULL;
    struct mw_buffer *data;
    FAILS(MW_EINVAL, "single device", mw_transform_new(two, 2, map, 4, "lengths", &t));
    FAILS(MW_EINVAL, "given twice", mw_transform_new((struct mw_device *[]){ device, device }, 2, map, 4, NULL, &t));
    FAILS(MW_EINVAL, "must be 1, 2, 4", mw_transform_new(two, 2, map, 3, NULL, &t));
    FAILS(MW_EINVAL, "fast", mw_transform_new(two, 2, map, 4, "fast", &t));
    OK(mw_transform_new(two, 2, map, 4, "points", &t));
    assert_string_equal(mw_transform_variant(t), "points");
    OK(mw_buffer_new(device, 128, &data));
    FAILS(MW_EINVAL, "in place", mw_transform_run(t, data, data, NULL));
    mw_buffer_free(data);
    mw_transform_free(t);
    mw_map_free(map);
}

/* ---- in place ---- */

static void others_are_refused_in_place(void **unused)
{
    const size_t length[] = { 7, 3 };
    unsigned char bytes[21], again[21];
    struct mw_map *map = map_of(2, length, "shift=1");
    struct mw_transform *t = NULL;
    struct mw_buffer *data = NULL;
    fill_with_noise(bytes, sizeof bytes);
    assert_int_equal(mw_transform_new(&device, 1, map, 1, NULL, &t), 0);
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

/* The map has been freed; a second transform undoes the first. */
static void in_place_twice_is_nothing(void **unused)
{
    const size_t length[] = { 10, 3 };
    unsigned char bytes[60], once[60], twice[60];
    struct mw_map *map = map_of(2, length, "shift=5 flip=1");
    struct mw_transform *t = NULL;
    struct mw_buffer *data = NULL;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    assert_int_equal(mw_transform_new(&device, 1, map, 2, NULL, &t), 0);
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

static void wrong_uses_are_refused(void **unused)
{
    const size_t length[] = { 8, 4 };
    struct mw_map *map = map_of(2, length, "flip=0");
    struct mw_transform *t = NULL;
    struct mw_buffer *small = NULL;
    assert_int_equal(mw_transform_new(&device, 1, map, 3, NULL, &t), MW_EINVAL);
    assert_int_equal(mw_transform_new(&device, 1, map, 4, "fast", &t), MW_EINVAL);
    assert_int_equal(mw_transform_new(&device, 1, map, 4, "tiles", &t), MW_EINVAL);
    assert_int_equal(mw_transform_new(&device, 1, map, 4, "local", &t), MW_EINVAL);
    mw_map_free(map);
    map = map_of(2, length, "flip=1");
    assert_int_equal(mw_transform_new(&device, 1, map, 4, "blocks", &t), MW_EINVAL);
    assert_null(t);
    assert_int_equal(mw_transform_new(&device, 1, map, 4, NULL, &t), 0);
    assert_int_equal(mw_buffer_new(device, 100, &small), 0);
    assert_int_equal(mw_transform_run(t, small, small, NULL), MW_EINVAL);
    mw_transform_free(t);
    mw_buffer_free(small);
    mw_map_free(map);
}

static int open_devices(void **state)
{
    return open_with_serial(state) || mw_device_open_by_name(info->id, NULL, &again) ||
           mw_device_open_by_name("native:pthreads", NULL, &threads);
}

static int close_devices(void **state)
{
    mw_device_close(again);
    mw_device_close(threads);
    return close_with_serial(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_moves_every_cell),     cmocka_unit_test(shared_memory_moves_every_cell),
        cmocka_unit_test(single_cells_are_moved),          cmocka_unit_test(slices_move_every_cell),
        cmocka_unit_test(random_chains_move_every_cell),   cmocka_unit_test(others_are_refused_in_place),
        cmocka_unit_test(in_place_twice_is_nothing),       cmocka_unit_test(wrong_uses_are_refused),
        cmocka_unit_test(several_devices_move_every_cell), cmocka_unit_test(several_devices_refuse),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
/* SPDX-License-Identifier: MIT */

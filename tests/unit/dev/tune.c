/* Tuning: shapes as text, and the file that stores them. */
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

#include <meshwork/tune.h>

#include "tests/check.h"

static char folder[] = "/tmp/meshwork-tune-XXXXXX";

static const struct mw_shape rolling = { "rolling", 16, 0, 64, 0, { 1, 1 } };
static const struct mw_shape staged = { "staged", 4, 2, 1, 3, { 64, 4 } };
static const struct mw_device_info fast = {
    .id = "opencl:0.0", .name = "Fast GPU", .driver = "1.2.3", .compute_units = 8
};
static const struct mw_device_info slow = {
    .id = "opencl:0.1", .name = "Slow\tCPU\n", .driver = "1.2.3", .compute_units = 2
};

static void assert_shape(const struct mw_shape *got, const struct mw_shape *expected)
{
    assert_string_equal(got->variant, expected->variant);
    assert_int_equal(got->vec, expected->vec);
    assert_int_equal(got->per_item, expected->per_item);
    assert_int_equal(got->rows, expected->rows);
    assert_int_equal(got->steps, expected->steps);
    assert_true(got->group[0] == expected->group[0] && got->group[1] == expected->group[1]);
}

static void tune_path(char *path, size_t size) { assert_true(snprintf(path, size, "%s/tune.txt", folder) < (int)size); }

static void write_file(const char *bytes, size_t n)
{
    char path[256];
    FILE *file;
    tune_path(path, sizeof path);
    assert_non_null(file = fopen(path, "wb"));
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(char *bytes, size_t size)
{
    char path[256];
    FILE *file;
    size_t n;
    tune_path(path, sizeof path);
    assert_non_null(file = fopen(path, "rb"));
    n = fread(bytes, 1, size - 1, file);
    bytes[n] = '\0';
    fclose(file);
    return n;
}

static int make_folder(void **state)
{
    return mkdtemp(folder) && setenv("MESHWORK_CACHE_DIR", folder, 1) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = { "tune.txt", "tune.lock" };
    char path[256];
    for (size_t i = 0; i < MW_COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static int forget(void **state) { return mw_tune_clear(); }

static void test_shape_text(void **state)
{
    const struct mw_shape extreme = { "fifteen-letters", ~0u, ~0u, ~0u, ~0u, { SIZE_MAX, SIZE_MAX } };
    const struct mw_shape nameless = { "", 1, 2, 3, 0, { 4, 5 } };
    const struct mw_shape *const shapes[] = { &rolling, &staged, &extreme, &nameless };
    char text[MW_SHAPE_TEXT];
    mw_shape_format(&rolling, text);
    assert_string_equal(text, "variant=rolling,vec=16,per_item=0,rows=64,group=1x1");
    for (size_t i = 0; i < MW_COUNT(shapes); i++) {
        struct mw_shape read = { 0 };
        mw_shape_format(shapes[i], text);
        assert_int_equal(mw_shape_parse(text, &read), 0);
        assert_shape(&read, shapes[i]);
    }
}

static void test_shape_parts(void **state)
{
    struct mw_shape shape = rolling, expected = rolling;
    assert_int_equal(mw_shape_parse("vec=8", &shape), 0);
    expected.vec = 8;
    assert_shape(&shape, &expected);
    assert_int_equal(mw_shape_parse("group=96", &shape), 0);
    assert_true(shape.group[0] == 96 && shape.group[1] == 1);
    assert_int_equal(mw_shape_parse("group=32x2,rows=7", &shape), 0);
    expected.group[0] = 32;
    expected.group[1] = 2;
    expected.rows = 7;
    assert_shape(&shape, &expected);
    assert_int_equal(mw_shape_parse("variant=a", &shape), 0);
    assert_string_equal(shape.variant, "a");
}

static void test_shape_refused(void **state)
{
    /* clang-format off */
    static const char *const texts[] = {
        "", ",", "vec", "vec=", "vec=8,", ",vec=8", "vec=8,,rows=1", "vec=-1", "vec=+1", "vec= 1", "vec=1 ", "vec=0x4",
        "vec=4294967296", "vec=99999999999999999999999", "group=8x", "group=x8", "group=8x8x8", "group=8*8",
        "group=18446744073709551616x1", "variant=", "variant=sixteen-letters!", "variant=abcdefghijklmnop",
        "variant=a b", "variant=a\tb", "Vec=8", "lanes=8", "vec=8;rows=1",
    };
    /* clang-format on */
    for (size_t i = 0; i < MW_COUNT(texts); i++) {
        struct mw_shape shape = rolling;
        if (mw_shape_parse(texts[i], &shape) != MW_EINVAL)
            fail_msg("\"%s\" was taken for a shape", texts[i]);
        assert_shape(&shape, &rolling);
    }
    struct mw_shape shape = rolling;
    assert_int_equal(mw_shape_parse("rows=1,lanes=8", &shape), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "\"lanes=8\""));
}

static void test_remembers(void **state)
{
    struct mw_shape shape = { .vec = 77 };
    struct mw_device_info other = fast;
    char text[4096];
    assert_false(mw_tune_get(&fast, "field f32", 1, &shape));
    assert_int_equal(mw_tune_put(&fast, "field f32", 0x123456789abcdef0u, &rolling, 0.00123), 0);
    assert_int_equal(mw_tune_put(&slow, "field f32", 7, &staged, 4e9), 0);
    assert_int_equal(mw_tune_put(&fast, "field f64", 7, &staged, 0.0), 0);
    assert_true(mw_tune_get(&fast, "field f32", 0x123456789abcdef0u, &shape));
    assert_shape(&shape, &rolling);
    assert_true(mw_tune_get(&slow, "field f32", 7, &shape));
    assert_shape(&shape, &staged);

    shape.vec = 77;
    assert_false(mw_tune_get(&fast, "field f32", 0x123456789abcdef1u, &shape));
    assert_false(mw_tune_get(&fast, "field", 7, &shape));
    strcpy(other.driver, "1.2.4");
    assert_false(mw_tune_get(&other, "field f64", 7, &shape));
    other = fast;
    other.compute_units = 9;
    assert_false(mw_tune_get(&other, "field f64", 7, &shape));
    assert_int_equal(shape.vec, 77);

    assert_int_equal(mw_tune_put(&fast, "field f32", 2, &staged, 1.5), 0);
    assert_false(mw_tune_get(&fast, "field f32", 0x123456789abcdef0u, &shape));
    assert_true(mw_tune_get(&fast, "field f32", 2, &shape));
    assert_shape(&shape, &staged);
    read_file(text, sizeof text);
    assert_int_equal(text[0], '#');
    assert_non_null(strstr(text, "\nopencl:0.0, Fast GPU, 1.2.3, 8\tfield f32\t0000000000000002\t"
                                 "variant=staged,vec=4,per_item=2,rows=1,group=64x4,steps=3\t1.500000000\n"
                                 "opencl:0.1, Slow CPU , 1.2.3, 2\tfield f32\t"));
}

struct visited {
    size_t count;
    double seconds[8];
    char keys[8][32];
};

static void visit(void *context, const char *device, const char *key, const struct mw_shape *shape, double seconds)
{
    struct visited *v = context;
    assert_true(v->count < 8);
    assert_string_equal(device, "opencl:0.0, Fast GPU, 1.2.3, 8");
    assert_shape(shape, &rolling);
    v->seconds[v->count] = seconds;
    strcpy(v->keys[v->count++], key);
}

static void test_each_and_clear(void **state)
{
    struct visited v = { 0 };
    struct mw_shape shape;
    assert_int_equal(mw_tune_each(visit, &v), 0);
    assert_int_equal(v.count, 0);
    assert_int_equal(mw_tune_put(&fast, "b", 1, &rolling, 0.5), 0);
    assert_int_equal(mw_tune_put(&fast, "a", 1, &rolling, 1e-9), 0);
    assert_int_equal(mw_tune_put(&fast, "b", 2, &rolling, 0.25), 0);
    assert_int_equal(mw_tune_each(visit, &v), 0);
    assert_int_equal(v.count, 2);
    assert_string_equal(v.keys[0], "b");
    assert_string_equal(v.keys[1], "a");
    assert_true(v.seconds[0] == 0.25 && v.seconds[1] == 1e-9);
    assert_int_equal(mw_tune_clear(), 0);
    assert_int_equal(mw_tune_clear(), 0);
    assert_false(mw_tune_get(&fast, "a", 1, &shape));
}

static void test_put_refused(void **state)
{
    static const char *const keys[] = { "", "a\tb", "a\nb", "\n" };
    static const double times[] = { -1.0, NAN, INFINITY, 1e18 };
    for (size_t i = 0; i < MW_COUNT(keys); i++)
        assert_int_equal(mw_tune_put(&fast, keys[i], 1, &rolling, 1.0), MW_EINVAL);
    for (size_t i = 0; i < MW_COUNT(times); i++)
        assert_int_equal(mw_tune_put(&fast, "a", 1, &rolling, times[i]), MW_EINVAL);
}

#define DEVICE "opencl:0.0, Fast GPU, 1.2.3, 8"
#define SHAPE "variant=rolling,vec=16,per_item=0,rows=64,group=1x1"

static void test_damaged_lines(void **state)
{
    static const char good[] = DEVICE "\tgood\t0000000000000001\t" SHAPE "\t0.000001000\n";
    static const char *const damaged[] = {
        "\n",
        "nonsense\n",
        "\t\t\t\t\n",
        DEVICE "\n",
        DEVICE "\tbad\n",
        DEVICE "\tbad\t0000000000000001\t" SHAPE "\n",
        DEVICE "\tbad\t000000000000001\t" SHAPE "\t0.000001000\n",
        DEVICE "\tbad\t000000000000000X\t" SHAPE "\t0.000001000\n",
        DEVICE "\tbad\t0000000000000001\tvec=many\t0.000001000\n",
        DEVICE "\tbad\t0000000000000001\t" SHAPE "\t1\n",
        DEVICE "\tbad\t0000000000000001\t" SHAPE "\t0,000001000\n",
        DEVICE "\tbad\t0000000000000001\t" SHAPE "\t1e3\n",
        DEVICE "\tbad\t0000000000000001\t" SHAPE "\t-0.000001000\n",
        DEVICE "\tbad\t0000000000000001\t" SHAPE "\t0.000001000\tmore\n",
        "\tbad\t0000000000000001\t" SHAPE "\t0.000001000\n",
        "#" DEVICE "\tbad\t0000000000000001\t" SHAPE "\t0.000001000\n",
    };
    struct mw_shape shape;
    struct visited v;
    char text[4096];
    for (size_t i = 0; i < MW_COUNT(damaged); i++) {
        size_t n = (size_t)snprintf(text, sizeof text, "%s%s", damaged[i], good);
        write_file(text, n);
        v = (struct visited){ 0 };
        assert_int_equal(mw_tune_each(visit, &v), 0);
        if (v.count != 1 || strcmp(v.keys[0], "good") != 0)
            fail_msg("a damaged line was read, or a good one was not: %s", damaged[i]);
    }
    /* a NUL byte, no newline at the end, an empty file, not text */
    write_file("a\0b\n"
               "x",
               5);
    assert_false(mw_tune_get(&fast, "good", 1, &shape));
    write_file(good, sizeof good - 2);
    assert_true(mw_tune_get(&fast, "good", 1, &shape));
    write_file("", 0);
    assert_false(mw_tune_get(&fast, "good", 1, &shape));
    memset(text, 0xff, sizeof text);
    write_file(text, sizeof text);
    assert_false(mw_tune_get(&fast, "good", 1, &shape));
    assert_int_equal(mw_tune_put(&fast, "good", 1, &rolling, 1.0), 0);
    assert_true(mw_tune_get(&fast, "good", 1, &shape));
    assert_true(read_file(text, sizeof text) < 1000); /* the damage is gone */
    assert_null(strchr(text, '\xff'));
}

static void test_damaged_anywhere(void **state)
{
    struct mw_shape shape;
    char text[4096], copy[4096];
    size_t n;
    seed_random();
    assert_int_equal(mw_tune_put(&fast, "a", 1, &rolling, 0.5), 0);
    assert_int_equal(mw_tune_put(&fast, "b", 2, &staged, 0.5), 0);
    n = read_file(text, sizeof text);
    for (size_t i = 0; i < n; i++) { /* cut anywhere, and one byte changed */
        memcpy(copy, text, n);
        write_file(copy, i);
        assert_false(mw_tune_get(&fast, "b", 2, &shape) && i + 1 < n);
        copy[i] = (char)rand();
        write_file(copy, n);
        if (mw_tune_get(&fast, "b", 2, &shape) && mw_tune_get(&fast, "a", 1, &shape))
            assert_int_equal(mw_tune_put(&fast, "c", 3, &rolling, 0.5), 0);
    }
    write_file(text, n);
    assert_true(mw_tune_get(&fast, "b", 2, &shape));
}

static void test_huge_file(void **state)
{
    size_t n = (size_t)5 << 20;
    char *bytes = malloc(n);
    struct mw_shape shape;
    assert_non_null(bytes);
    memset(bytes, 'x', n);
    write_file(bytes, n);
    free(bytes);
    assert_false(mw_tune_get(&fast, "a", 1, &shape));
    assert_int_equal(mw_tune_put(&fast, "a", 1, &rolling, 0.5), 0);
    assert_true(mw_tune_get(&fast, "a", 1, &shape));
}

static void test_locale(void **state)
{
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8" };
    struct mw_shape shape;
    bool found = false;
    for (size_t i = 0; i < MW_COUNT(names) && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found)
        skip();
    assert_int_equal(mw_tune_put(&fast, "a", 1, &rolling, 0.5), 0);
    assert_true(mw_tune_get(&fast, "a", 1, &shape));
    setlocale(LC_ALL, "C");
}

static void test_no_cache(void **state)
{
    struct mw_shape shape;
    assert_int_equal(setenv("MESHWORK_CACHE_DIR", "/dev/null/no/such", 1), 0);
    assert_int_equal(mw_tune_put(&fast, "a", 1, &rolling, 1.0), MW_EIO);
    assert_false(mw_tune_get(&fast, "a", 1, &shape));
    assert_int_equal(mw_tune_each(visit, NULL), MW_EIO);
    assert_int_equal(mw_tune_clear(), MW_EIO);
    assert_int_equal(setenv("MESHWORK_CACHE_DIR", folder, 1), 0);
}

/* Processes that write at the same time lose nothing, because they take turns. */
static void test_processes(void **state)
{
    enum { WRITERS = 4, ENTRIES = 15 };
    struct mw_shape shape;
    char key[64];
    pid_t children[WRITERS];

    for (int w = 0; w < WRITERS; w++) {
        children[w] = fork();
        assert_true(children[w] >= 0);
        for (int i = 0; children[w] == 0 && i < ENTRIES; i++) {
            snprintf(key, sizeof key, "writer %d entry %d", w, i);
            if (mw_tune_put(&fast, key, (uint64_t)i, &rolling, 1.0) != 0)
                _exit(1);
        }
        if (children[w] == 0)
            _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status = -1;
        assert_int_equal(waitpid(children[w], &status, 0), children[w]);
        assert_int_equal(status, 0);
    }
    for (int w = 0; w < WRITERS; w++) {
        for (int i = 0; i < ENTRIES; i++) {
            snprintf(key, sizeof key, "writer %d entry %d", w, i);
            assert_true(mw_tune_get(&fast, key, (uint64_t)i, &shape));
        }
    }
}

/* Another user's link could lead to reading or overwriting someone's file. */
static void test_foreign_link(void **state)
{
    char path[128], target[128];
    struct mw_shape shape;
    if (geteuid() != 0)
        skip(); /* no other user can make it for us */
    tune_path(path, sizeof path);
    snprintf(target, sizeof target, "%s/target", folder);
    OK(mw_tune_put(&fast, "key", 7, &rolling, 1.0));
    assert_int_equal(rename(path, target), 0);
    assert_int_equal(symlink("target", path), 0);
    assert_true(mw_tune_get(&fast, "key", 7, &shape));
    assert_int_equal(lchown(path, 65534, 65534), 0);
    assert_false(mw_tune_get(&fast, "key", 7, &shape));
    FAILS(MW_EIO, "symbolic link", mw_tune_put(&fast, "other", 7, &rolling, 1.0));
    FAILS(MW_EIO, "symbolic link", mw_tune_clear());
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rename(target, path), 0);
    assert_false(mw_tune_get(&fast, "other", 7, &shape));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_text),
        cmocka_unit_test(test_shape_parts),
        cmocka_unit_test(test_shape_refused),
        cmocka_unit_test_setup(test_remembers, forget),
        cmocka_unit_test_setup(test_each_and_clear, forget),
        cmocka_unit_test_setup(test_put_refused, forget),
        cmocka_unit_test_setup(test_damaged_lines, forget),
        cmocka_unit_test_setup(test_damaged_anywhere, forget),
        cmocka_unit_test_setup(test_huge_file, forget),
        cmocka_unit_test_setup(test_locale, forget),
        cmocka_unit_test_setup(test_no_cache, forget),
        cmocka_unit_test_setup(test_processes, forget),
        cmocka_unit_test_setup(test_foreign_link, forget),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
/* SPDX-License-Identifier: MIT */

/* Failures, memory, the log, strings, paths. */
#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/scratch.h"

/* Makes AddressSanitizer, if it is built in, fail like malloc. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static void fail_records_one_line(void **state)
{
    errno = ENOENT;
    assert_int_equal(mw_fail(MW_EIO, "cannot read %s: %d", "a\nb\033[31m", 7), MW_EIO);
    assert_string_equal(mw_errmsg(), "cannot read a b [31m: 7");
    assert_int_equal(errno, ENOENT);
    assert_int_equal(mw_fail_in(MW_EIO, "model %s", "x"), MW_EIO);
    assert_string_equal(mw_errmsg(), "model x: cannot read a b [31m: 7");
}

static void fail_takes_its_own_message_as_argument(void **state)
{
    mw_fail(MW_EIO, "first");
    mw_fail(MW_EDEVICE, "second after %s", mw_errmsg());
    assert_string_equal(mw_errmsg(), "second after first");
    mw_fail_in(MW_EDEVICE, "third (%s)", mw_errmsg());
    assert_string_equal(mw_errmsg(), "third (second after first): second after first");
}

static void fail_cuts_what_is_too_long(void **state)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    mw_fail(MW_EIO, "%s", text);
    assert_int_equal(strlen(mw_errmsg()), 1023);
    assert_string_equal(mw_errmsg() + 1019, "x...");
    for (size_t i = 0; i + 1 < sizeof text; i += 2)
        memcpy(text + i, "\xC3\xA9", 2); /* e with an accent */
    text[sizeof text - 2] = '\0';
    for (int shift = 0; shift < 2; shift++) {
        const char *m = mw_errmsg();
        mw_fail(MW_EIO, "%s%s", shift ? "x" : "", text);
        assert_string_equal(m + strlen(m) - 3, "...");
        assert_int_equal((strlen(m) - 3 - (size_t)shift) % 2, 0); /* no half of a character */
    }
}

static void *fail_elsewhere(void *before)
{
    *(bool *)before = mw_errmsg()[0] == '\0';
    mw_fail(MW_EIO, "elsewhere");
    return NULL;
}

static void each_thread_has_its_message(void **state)
{
    bool was_empty = false;
    pthread_t t;
    mw_fail(MW_EIO, "here");
    assert_int_equal(pthread_create(&t, NULL, fail_elsewhere, &was_empty), 0);
    pthread_join(t, NULL);
    assert_true(was_empty);
    assert_string_equal(mw_errmsg(), "here");
}

struct heard {
    enum mw_log_level level;
    char text[64];
    int times;
};

static void hear(void *context, enum mw_log_level level, const char *message)
{
    struct heard *h = context;
    h->level = level;
    h->times++;
    mw_copy_string(h->text, sizeof h->text, message);
}

static void log_goes_to_the_receiver(void **state)
{
    struct heard h = { 0 };
    mw_log(MW_LOG_INFO, "nobody listens");
    mw_log_to(hear, &h);
    mw_log(MW_LOG_INFO, "built in %d ms", 12);
    mw_log_to(NULL, NULL);
    mw_log(MW_LOG_NOTICE, "nobody listens");
    assert_int_equal(h.times, 1);
    assert_int_equal(h.level, MW_LOG_INFO);
    assert_string_equal(h.text, "built in 12 ms");
}

/* mw_version() is the version in configure.ac. */
static void the_version_is_the_same_everywhere(void **state)
{
    char header[40];
    snprintf(header, sizeof header, "%d.%d.%d", MESHWORK_VERSION_MAJOR, MESHWORK_VERSION_MINOR, MESHWORK_VERSION_PATCH);
    assert_string_equal(mw_version(), header);
    assert_int_equal(mw_version_number(), MESHWORK_VERSION_NUMBER);
    assert_int_equal(MESHWORK_VERSION_NUMBER,
                     MESHWORK_VERSION_MAJOR * 1000000 + MESHWORK_VERSION_MINOR * 1000 + MESHWORK_VERSION_PATCH);
}

static void memory_is_zeroed_and_aligned(void **state)
{
    static const size_t sizes[] = { 0, 1, 63, 64, 65, 4096, 100003 };
    for (size_t i = 0; i < MW_COUNT(sizes); i++) {
        unsigned char *plain = NULL, *aligned = NULL;
        assert_int_equal(mw_new(sizes[i], 1, &plain), 0);
        assert_int_equal(mw_new_aligned(1, sizes[i], &aligned), 0);
        assert_non_null(plain);
        assert_non_null(aligned);
        assert_int_equal((uintptr_t)aligned % 64, 0);
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(plain[j] | aligned[j], 0);
        free(plain);
        free(aligned);
    }
}

static void memory_that_overflows_is_refused(void **state)
{
    int there;
    void *p = &there;
    assert_int_equal(mw_new(SIZE_MAX / 2, 3, &p), MW_ENOMEM);
    assert_int_equal(mw_new_aligned(SIZE_MAX / 2, 3, &p), MW_ENOMEM);
    assert_int_equal(mw_new_aligned(SIZE_MAX, 1, &p), MW_ENOMEM);
    assert_int_equal(mw_new(SIZE_MAX / 2, 1, &p), MW_ENOMEM);
    assert_ptr_equal(p, &there);
}

static void memory_grows_by_one_thing(void **state)
{
    uint64_t *p = NULL;
    void *q = NULL;
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(mw_grow(i, sizeof(*p), &p), 0);
        p[i] = i;
    }
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(p[i], i);
    free(p);
    assert_int_equal(mw_grow(SIZE_MAX / 2 + 1, 16, &q), MW_ENOMEM);
    assert_null(q);
}

static void memory_grows_by_several_things(void **state)
{
    size_t capacity = 0, before = 0, grown = 0;
    uint32_t *p = NULL;
    for (size_t i = 0; i < 1000; i += i % 7 + 1, before = capacity) {
        assert_int_equal(mw_reserve(i, i % 7 + 1, sizeof *p, &capacity, &p), 0);
        assert_true(i + i % 7 + 1 <= capacity);
        grown += capacity != before;
        for (size_t k = i; k <= i + i % 7; k++)
            p[k] = (uint32_t)k;
    }
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(p[i], i);
    assert_true(grown <= 12);
    assert_int_equal(mw_reserve(1000, SIZE_MAX - 1000, sizeof *p, &capacity, &p), MW_ENOMEM);
    assert_int_equal(mw_reserve(1000, SIZE_MAX, sizeof *p, &capacity, &p), MW_ENOMEM);
    assert_int_equal(p[999], 999);
    free(p);
}

static void strings_are_copied(void **state)
{
    char to[4], *copy = NULL;
    assert_true(mw_copy_string(to, sizeof to, "abc"));
    assert_string_equal(to, "abc");
    assert_false(mw_copy_string(to, sizeof to, "wxyz"));
    assert_string_equal(to, "wxy");
    assert_true(mw_copy_string(to, 1, ""));
    assert_string_equal(to, "");
    to[0] = 'k';
    assert_false(mw_copy_string(to, 0, "a"));
    assert_int_equal(to[0], 'k');
    assert_int_equal(mw_strdup("hello", &copy), 0);
    assert_string_equal(copy, "hello");
    free(copy);
}

static void clock_does_not_go_back(void **state)
{
    double last = mw_now();
    for (int i = 0; i < 1000; i++) {
        double now = mw_now();
        assert_true(now >= last);
        last = now;
    }
}

/* Compilations that overlap take their time once. */
static void compilations_overlap(void **state)
{
    const double before = mw_compile_seconds();
    mw_compile_seconds_add(1000);
    assert_true(fabs(mw_compile_seconds() - before - 1000) < 1);
    mw_compile_seconds_add(500); /* within the first */
    assert_true(fabs(mw_compile_seconds() - before - 1000) < 1);
    mw_compile_seconds_add(2000); /* around both */
    assert_true(fabs(mw_compile_seconds() - before - 2000) < 1);
    mw_compile_seconds_add(0);
    mw_compile_seconds_add(-1);
    assert_true(fabs(mw_compile_seconds() - before - 2000) < 1);
    assert_true(fabs(mw_now() - mw_work_now() - mw_compile_seconds()) < 1);
}

static void paths_are_joined(void **state)
{
    static const char *const rows[][3] = {
        { "a", "b", "a/b" }, { "a/", "b", "a/b" }, { "/", "b", "/b" },
        { "", "b", "b" },    { "a", "", "a" },     { "", "", "" },
    };
    for (size_t i = 0; i < MW_COUNT(rows); i++) {
        char *path = NULL;
        assert_int_equal(mw_path_join(rows[i][0], rows[i][1], &path), 0);
        assert_string_equal(path, rows[i][2]);
        free(path);
    }
}

static void write_file(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fclose(f), 0);
}

static void assert_cache(const char *below, const char *wanted)
{
    char *path = NULL;
    struct stat st;
    if (mw_cache_folder(below, &path) != 0)
        fail_msg("%s", mw_errmsg());
    assert_string_equal(path, wanted);
    assert_int_equal(stat(path, &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(st.st_mode & 0777, 0700);
    free(path);
}

static void assert_no_cache(const char *word)
{
    char *path = folder;
    assert_int_equal(mw_cache_folder("", &path), MW_EIO);
    assert_non_null(strstr(mw_errmsg(), word));
    assert_ptr_equal(path, folder);
}

static void cache_folder_follows_the_environment(void **state)
{
    setenv("HOME", in("home"), 1);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("MESHWORK_CACHE_DIR");
    assert_cache("", in("home/.cache/meshwork"));
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_cache("pocl", in("home/.cache/meshwork/pocl"));
    setenv("XDG_CACHE_HOME", in("xdg"), 1);
    assert_cache("a/b", in("xdg/meshwork/a/b"));
    setenv("MESHWORK_CACHE_DIR", in("ours"), 1);
    assert_cache("", in("ours"));
    assert_cache("", in("ours"));
    unsetenv("HOME");
    unsetenv("XDG_CACHE_HOME");
    assert_cache("x", in("ours/x"));
    unsetenv("MESHWORK_CACHE_DIR");
    assert_no_cache("HOME");
}

static void cache_folder_must_be_ours_alone(void **state)
{
    char *path = NULL;
    setenv("MESHWORK_CACHE_DIR", in("shared"), 1);
    assert_int_equal(mkdir(in("shared"), 0700), 0);
    assert_int_equal(chmod(in("shared"), 0770), 0);
    assert_no_cache("other users may write");
    assert_int_equal(chmod(in("shared"), 0702), 0);
    assert_no_cache("other users may write");
    assert_int_equal(chmod(in("shared"), 0755), 0);
    assert_int_equal(mw_cache_folder("", &path), 0);
    free(path);
    setenv("MESHWORK_CACHE_DIR", in("file"), 1);
    write_file(in("file"));
    assert_no_cache("not a folder");
    setenv("MESHWORK_CACHE_DIR", in("file/below"), 1);
    assert_no_cache("cannot make");
    if (geteuid() == 0) {
        assert_int_equal(mkdir(in("theirs"), 0700), 0);
        assert_int_equal(chown(in("theirs"), 12345, 12345), 0);
        setenv("MESHWORK_CACHE_DIR", in("theirs"), 1);
        assert_no_cache("belongs to another user");
        assert_int_equal(symlink(in("shared"), in("planted")), 0);
        assert_int_equal(lchown(in("planted"), 12345, 12345), 0);
        setenv("MESHWORK_CACHE_DIR", in("planted"), 1);
        assert_no_cache("symbolic link");
    }
    assert_int_equal(symlink(in("shared"), in("link")), 0);
    setenv("MESHWORK_CACHE_DIR", in("link"), 1);
    path = NULL;
    assert_int_equal(mw_cache_folder("", &path), 0); /* the user's own link is allowed */
    free(path);
    unsetenv("MESHWORK_CACHE_DIR");
}

static void cache_folder_keeps_below(void **state)
{
    static const char *const bad[] = { "..", "../x", "a/..", "a/../b", "/etc", "a//../b" };
    char *path = NULL;
    setenv("MESHWORK_CACHE_DIR", in("ours"), 1);
    for (size_t i = 0; i < MW_COUNT(bad); i++)
        assert_int_equal(mw_cache_folder(bad[i], &path), MW_EINVAL);
    assert_cache("..a/b..", in("ours/..a/b.."));
    unsetenv("MESHWORK_CACHE_DIR");
}

static void kernel_files_are_found(void **state)
{
    static const char *const bad[] = { "", "/etc/passwd", "../a.cl", "field/../../a.cl", ".." };
    char *path = NULL;
    assert_int_equal(mkdir(in("cl"), 0700), 0);
    assert_int_equal(mkdir(in("cl/field"), 0700), 0);
    write_file(in("cl/field/a.cl"));
    unsetenv("MESHWORK_KERNEL_PATH");
    assert_int_equal(mw_kernel_folder(NULL, &path), 0);
    assert_string_equal(path, PKGDATADIR "/cl");
    free(path);
    setenv("MESHWORK_KERNEL_PATH", in("cl"), 1);
    assert_int_equal(mw_kernel_file(NULL, "field/a.cl", &path), 0);
    assert_string_equal(path, in("cl/field/a.cl"));
    free(path);
    path = NULL;
    assert_int_equal(mw_kernel_file(in("nowhere"), "field/a.cl", &path), MW_EIO); /* a given value takes precedence */
    assert_non_null(strstr(mw_errmsg(), in("nowhere")));
    assert_non_null(strstr(mw_errmsg(), "field/a.cl"));
    assert_int_equal(mw_kernel_file(NULL, "field", &path), MW_EIO);
    for (size_t i = 0; i < MW_COUNT(bad); i++)
        assert_int_equal(mw_kernel_file(NULL, bad[i], &path), MW_EINVAL);
    setenv("MESHWORK_KERNEL_PATH", in("elsewhere"), 1);
    assert_int_equal(mw_kernel_file(NULL, "field/a.cl", &path), MW_EIO);
    assert_non_null(strstr(mw_errmsg(), "MESHWORK_KERNEL_PATH"));
    assert_null(path);
    assert_int_equal(mw_kernel_file(in("cl"), "field/a.cl", &path), 0);
    free(path);
    unsetenv("MESHWORK_KERNEL_PATH");
}

static void statuses_have_names(void **state)
{
    int status = 1;
    for (int i = 0; mw_status_name(i); i--) {
        assert_int_equal(mw_status_find(mw_status_name(i), &status), 0);
        assert_int_equal(status, i);
    }
    assert_int_equal(status, MW_EVERIFY);
    assert_string_equal(mw_status_name(MW_EINVAL), "MW_EINVAL");
    assert_null(mw_status_name(1));
    assert_int_equal(mw_status_find("EINVAL", &status), MW_EINVAL);
}

static int dropped[3], drop_count;
static void note_drop(void *number) { dropped[drop_count++] = *(int *)number; }

static void owners_free_the_last_object_first(void **state)
{
    int number[] = { 1, 2, 3 }, *array;
    struct mw_owner owner = { 0 };
    drop_count = 0;
    mw_owner_drop(&owner);
    for (size_t i = 0; i < MW_COUNT(number); i++)
        assert_int_equal(mw_own(&owner, &number[i], note_drop), 0);
    assert_int_equal(mw_own_new(&owner, 100, sizeof *array, &array), 0);
    assert_int_equal(array[0] | array[99], 0);
    assert_int_equal(mw_own_new(&owner, SIZE_MAX, 2, &array), MW_ENOMEM);
    assert_int_equal(drop_count, 0);
    mw_owner_drop(&owner);
    mw_owner_drop(&owner);
    assert_int_equal(drop_count, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(dropped[i], 3 - i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_have_names),
        cmocka_unit_test(fail_records_one_line),
        cmocka_unit_test(fail_takes_its_own_message_as_argument),
        cmocka_unit_test(fail_cuts_what_is_too_long),
        cmocka_unit_test(each_thread_has_its_message),
        cmocka_unit_test(log_goes_to_the_receiver),
        cmocka_unit_test(the_version_is_the_same_everywhere),
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(memory_that_overflows_is_refused),
        cmocka_unit_test(memory_grows_by_one_thing),
        cmocka_unit_test(memory_grows_by_several_things),
        cmocka_unit_test(owners_free_the_last_object_first),
        cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(clock_does_not_go_back),
        cmocka_unit_test(compilations_overlap),
        cmocka_unit_test(paths_are_joined),
        cmocka_unit_test(cache_folder_follows_the_environment),
        cmocka_unit_test(cache_folder_must_be_ours_alone),
        cmocka_unit_test(cache_folder_keeps_below),
        cmocka_unit_test(kernel_files_are_found),
    };

    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

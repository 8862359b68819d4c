/* Time series: rows read back, and files that are truncated or refused. */
#include "run/run_internal.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"

static char folder[] = "/tmp/meshwork-series-XXXXXX", *file;
static const char *const titles[] = { "time", "c_mean" };

/* Replaces the C library's calls: a disk that fails late. */
static bool sync_fails, close_fails;

int fsync(int descriptor)
{
    errno = EIO;
    return sync_fails ? -1 : (int)syscall(SYS_fsync, descriptor);
}

int close(int descriptor)
{
    const int rc = (int)syscall(SYS_close, descriptor);
    errno = close_fails ? EDQUOT : errno;
    return close_fails ? -1 : rc;
}

static int setup(void **state) { return mkdtemp(folder) == NULL || mw_path_join(folder, "a.csv", &file) != 0; }

static int clear(void **state)
{
    unlink(file);
    return 0;
}

static int teardown(void **state)
{
    clear(state);
    free(file);
    return rmdir(folder);
}

static struct mw_series *new_series(void)
{
    struct mw_series *s = NULL;
    if (mw_series_new(file, titles, 2, &s) != 0)
        fail_msg("%s", mw_errmsg());
    return s;
}

static struct mw_series *started(void)
{
    struct mw_series *s = new_series();
    if (mw_series_start(s, 0) != 0)
        fail_msg("%s", mw_errmsg());
    return s;
}

static char *contents(size_t *n)
{
    char *bytes = NULL;
    if (mw_file_read(file, SIZE_MAX, &bytes, n) != 0)
        fail_msg("%s", mw_errmsg());
    return bytes;
}

static void holds(const char *expected)
{
    size_t n;
    char *bytes = contents(&n);
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void put_contents(const char *bytes, size_t n)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void rows_are_there_at_once(void **state)
{
    struct mw_series *s = new_series();
    assert_int_equal(access(file, F_OK), -1);
    assert_int_equal(mw_series_add(s, 0, (double[]){ 0, 0 }), MW_EINVAL);
    assert_int_equal(mw_series_start(s, 0), 0);
    holds("step,time,c_mean\n");
    assert_int_equal(mw_series_add(s, 0, (double[]){ 0, -0.5 }), 0);
    holds("step,time,c_mean\n0,0,-0.5\n");
    assert_int_equal(mw_series_add(s, UINT64_MAX, (double[]){ 0.1, 1.0 / 3 }), 0);
    holds("step,time,c_mean\n0,0,-0.5\n18446744073709551615,0.1,0.3333333333333333\n");
    assert_int_equal(mw_series_add(s, 3, (double[]){ INFINITY, NAN }), 0);
    holds("step,time,c_mean\n0,0,-0.5\n18446744073709551615,0.1,0.3333333333333333\n3,,\n");
    mw_series_free(s);
    s = started(); /* anew */
    holds("step,time,c_mean\n");
    mw_series_free(s);
}

/* Two random numbers of any magnitude are read back unchanged. */
static void check_row(struct mw_series *s, uint64_t step, const char *locale)
{
    double wrote[2], read[2];
    size_t n;
    char *bytes, *row;
    for (int k = 0; k < 2; k++) {
        const uint64_t bits = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
        memcpy(&wrote[k], &bits, sizeof bits);
        wrote[k] = isfinite(wrote[k]) ? wrote[k] : 0.5 * rand();
    }
    assert_int_equal(mw_series_add(s, step, wrote), 0);
    bytes = contents(&n);
    for (row = bytes + n - 1; row[-1] != '\n';)
        row--;
    setlocale(LC_NUMERIC, "C");
    assert_int_equal(sscanf(row, "%*u,%lf,%lf", &read[0], &read[1]), 2);
    setlocale(LC_NUMERIC, locale);
    assert_memory_equal(read, wrote, sizeof read);
    free(bytes);
}

static void numbers_come_back(void **state)
{
    static const char *const locales[] = { "C", "de_DE.UTF-8", "fr_FR.UTF-8" };
    seed_random();
    for (size_t l = 0; l < MW_COUNT(locales); l++) {
        struct mw_series *s;
        if (setlocale(LC_NUMERIC, locales[l]) == NULL)
            continue;
        s = started();
        for (uint64_t i = 0; i < 300; i++)
            check_row(s, i, locales[l]);
        mw_series_free(s);
    }
    setlocale(LC_NUMERIC, "C");
}

static void titles_are_checked(void **state)
{
    static const char *const bad[] = { "a,b", "\"", "a\n", "\r" };
    struct mw_series *s = NULL;
    for (size_t i = 0; i < MW_COUNT(bad); i++)
        assert_int_equal(mw_series_new(file, &bad[i], 1, &s), MW_EINVAL);
    assert_null(s);
}

static void a_series_is_cut_back(void **state)
{
    struct mw_series *s = started();
    struct mw_series_position position[4];
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(mw_series_sync(s, &position[i]), 0);
        assert_int_equal(mw_series_add(s, i, (double[]){ (double)i, 7 }), 0);
    }
    mw_series_free(s);
    for (int i = 3; i >= 0; i--) {
        struct mw_series_position again;
        s = new_series();
        assert_int_equal(mw_series_resume(s, &position[i]), 0);
        assert_int_equal(mw_series_sync(s, &again), 0);
        assert_memory_equal(&again, &position[i], sizeof again);
        if (i > 0)
            assert_int_equal(mw_series_add(s, 9, (double[]){ 9, 9 }), 0);
        mw_series_free(s);
        if (i == 2)
            holds("step,time,c_mean\n0,0,7\n1,1,7\n9,9,9\n");
    }
    holds("step,time,c_mean\n");
}

/* Any changed or missing byte before the position is found; bytes after it do not matter. */
static void other_files_are_refused(void **state)
{
    struct mw_series *s = started();
    struct mw_series_position position;
    size_t n;
    char *bytes;
    for (uint64_t i = 0; i < 5; i++)
        assert_int_equal(mw_series_add(s, i, (double[]){ (double)i, 7 }), 0);
    assert_int_equal(mw_series_sync(s, &position), 0);
    assert_int_equal(mw_series_add(s, 5, (double[]){ 5, 7 }), 0);
    mw_series_free(s);
    bytes = contents(&n);
    for (size_t i = 0; i < n; i++) {
        const bool matters = i < position.bytes;
        for (int cut = 0; cut < 2; cut++) {
            bytes[i] = (char)(bytes[i] ^ 1);
            put_contents(bytes, cut ? i : n);
            bytes[i] = (char)(bytes[i] ^ 1);
            s = new_series();
            assert_int_equal(mw_series_resume(s, &position), matters ? MW_EDATA : 0);
            if (matters) {
                struct stat st;
                assert_non_null(strstr(mw_errmsg(), file));
                assert_int_equal(stat(file, &st), 0);
                assert_int_equal(st.st_size, cut ? i : n); /* unchanged */
            }
            mw_series_free(s);
        }
    }
    unlink(file);
    s = new_series();
    assert_int_equal(mw_series_resume(s, &position), MW_EIO);
    mw_series_free(s);
    assert_int_equal(access(file, F_OK), -1);
    free(bytes);
}

static void a_file_belongs_to_one_run(void **state)
{
    struct mw_series *first = started(), *second = new_series();
    assert_int_equal(mw_series_start(second, 0), MW_EIO);
    assert_non_null(strstr(mw_errmsg(), "another run"));
    mw_series_free(second);
    assert_int_equal(mw_series_add(first, 0, (double[]){ 1, 2 }), 0);
    holds("step,time,c_mean\n0,1,2\n");
    mw_series_free(first);
}

/* Only data that the run computes again may be replaced. */
static void what_is_no_such_series_is_kept(void **state)
{
    /* clang-format off */
    static const struct { const char *there; uint64_t step; int expected; } cases[] = {
        { "", 5, 0 }, { "step,ti", 5, 0 }, { "step,time,c_mean\n", 5, 0 },
        { "step,time,c_mean\n5,1,2\n6,1,2\n", 5, 0 },
        { "step,time,c_mean\n4,1,2\n6,1,2\n", 5, MW_EDATA }, { "step,time,c_mean\n0,1,2\n", 0, 0 },
        { "a,b\n1,2\n", 0, MW_EDATA }, { "step,time,u_mean,v_mean\n0,1,2,3\n", 0, 0 },
        { "step,value\n3,1\n", 0, MW_EDATA },
        { "x", 0, MW_EDATA }, { "step,time,u_mean\n4,1,2\n", 5, MW_EDATA },
        { "step,time,c_mean\n18446744073709551614,1,2\n", UINT64_MAX, MW_EDATA } };

    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_series *s = new_series();
        put_contents(cases[i].there, strlen(cases[i].there));
        assert_int_equal(mw_series_start(s, cases[i].step), cases[i].expected);
        if (cases[i].expected != 0)
            assert_non_null(strstr(mw_errmsg(), file));
        mw_series_free(s);
        holds(cases[i].expected != 0 ? cases[i].there : "step,time,c_mean\n");
    }
    /* clang-format on */
}

static void only_files_are_written(void **state)
{
    struct mw_series *s = NULL;
    assert_int_equal(mw_series_new("/dev/null", titles, 2, &s), 0);
    assert_int_equal(mw_series_start(s, 0), MW_EIO);
    mw_series_free(s);
    assert_int_equal(mw_series_new(folder, titles, 2, &s), 0);
    assert_int_equal(mw_series_start(s, 0), MW_EIO);
    mw_series_free(s);
}

/* Out of space in the middle of a row: the file ends with the previous row, and takes the row when there is space
 * again. */
static void a_row_is_whole_or_not_there(void **state)
{
    struct mw_series *s = started();
    struct rlimit before, small;
    assert_int_equal(mw_series_add(s, 0, (double[]){ 1, 2 }), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (rlim_t room = 0; room < 7; room++) {
        int rc;
        small = before;
        small.rlim_cur = strlen("step,time,c_mean\n0,1,2\n") + room;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        rc = mw_series_add(s, 1, (double[]){ 3, 4.5 });
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(rc, MW_EIO);
        holds("step,time,c_mean\n0,1,2\n");
    }
    assert_int_equal(mw_series_add(s, 1, (double[]){ 3, 4.5 }), 0);
    holds("step,time,c_mean\n0,1,2\n1,3,4.5\n");
    mw_series_free(s);
    signal(SIGXFSZ, SIG_DFL);
}

static int do_nothing(void *context) { return 0; }

static int go_on(void *context, uint64_t steps) { return 0; }

static int add_row(void *series, uint64_t step) { return mw_series_add(series, step, (double[]){ 1, 2 }); }

static void a_run_has_its_rows_on_the_disk_or_fails(void **state)
{
    for (int fails = 0; fails < 3; fails++) {
        struct mw_series *s = new_series();
        const struct mw_run_simulation simulation = {
            .size = sizeof simulation, .context = s, .init = do_nothing, .advance = go_on, .observe = add_row
        };
        const struct mw_run_options options = { .size = sizeof options, .steps = 3, .series = s };
        sync_fails = fails == 1;
        close_fails = fails == 2;
        assert_int_equal(mw_run(&simulation, &options, NULL), fails ? MW_EIO : 0);
        sync_fails = close_fails = false;
        if (fails)
            assert_non_null(strstr(mw_errmsg(), "cannot write series"));
        mw_series_free(s);
        holds("step,time,c_mean\n0,1,2\n3,1,2\n");
    }
}

static void an_output_is_on_the_disk_or_what_was_there_stays(void **state)
{
    for (int fails = 0; fails < 2; fails++) {
        struct mw_file *output = NULL;
        char *text = NULL;
        size_t n;
        assert_int_equal(mw_file_create(file, true, &output), 0);
        assert_int_equal(mw_file_write(output, fails ? "new" : "old", 3), 0);
        sync_fails = fails;
        assert_int_equal(mw_file_commit(output), fails ? MW_EIO : 0);
        sync_fails = false;
        assert_int_equal(mw_file_read(file, 100, &text, &n), 0);
        assert_true(n == 3 && memcmp(text, "old", n) == 0);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rows_are_there_at_once, clear),
        cmocka_unit_test_teardown(numbers_come_back, clear),
        cmocka_unit_test_teardown(titles_are_checked, clear),
        cmocka_unit_test_teardown(a_series_is_cut_back, clear),
        cmocka_unit_test_teardown(other_files_are_refused, clear),
        cmocka_unit_test_teardown(a_file_belongs_to_one_run, clear),
        cmocka_unit_test_teardown(what_is_no_such_series_is_kept, clear),
        cmocka_unit_test_teardown(only_files_are_written, clear),
        cmocka_unit_test_teardown(a_row_is_whole_or_not_there, clear),
        cmocka_unit_test_teardown(a_run_has_its_rows_on_the_disk_or_fails, clear),
        cmocka_unit_test_teardown(an_output_is_on_the_disk_or_what_was_there_stays, clear),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
/* SPDX-License-Identifier: MIT */

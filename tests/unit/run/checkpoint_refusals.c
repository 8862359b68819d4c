/* Checkpoints that cannot be resumed: damaged ones, and those of other runs. */
#include "tests/unit/run/counter.h"

static void refused(const char *path, int status, const char *word)
{
    struct mw_checkpoint *c = NULL;
    assert_int_equal(mw_checkpoint_open(path, &c), status);
    assert_null(c);
    if (strstr(mw_errmsg(), word) == NULL || strstr(mw_errmsg(), path) == NULL)
        fail_msg("no '%s' and '%s' in: %s", word, path, mw_errmsg());
}

/* A damaged file is refused, or the other generation is used; it is never misread. */
static void damage_is_found(void **state)
{
    struct counter c = new_counter();
    struct mw_checkpoint *opened = NULL;
    size_t n;
    char *bytes, *changed;
    seed_random();
    c.block_bytes = 40;
    assert_int_equal(run(&c, 20, 3, 10, NULL, NULL), 0);
    bytes = contents(file, &n);
    changed = malloc(n + 16);
    assert_non_null(changed);
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 1)
            assert_int_equal(unlink(file_old), 0);
        for (size_t i = 0; i < 2 * n + 8; i++) {
            size_t m = i < n ? n : i < 2 * n ? i - n : n + i - 2 * n + 1;
            memcpy(changed, bytes, n);
            memset(changed + n, rand(), 16);
            if (i < n)
                changed[i] = (char)(changed[i] ^ (1 + rand() % 255));
            put_bytes(file, changed, m);
            if (kind == 0) {
                assert_int_equal(mw_checkpoint_open(file, &opened), 0);
                assert_string_equal(mw_checkpoint_path(opened), file_old);
                assert_int_equal(mw_checkpoint_step(opened), 10);
                mw_checkpoint_close(opened);
                opened = NULL;
            } else {
                refused(file, MW_EDATA, i >= 8 && i < n ? "damaged" : "checkpoint");
            }
        }
    }
    put_bytes(file_old, bytes, n / 2);
    refused(file, MW_EDATA, "; and checkpoint");
    assert_int_equal(unlink(file), 0);
    refused(file, MW_EDATA, file_old);
    assert_int_equal(unlink(file_old), 0);
    refused(file, MW_EIO, "No such file");
    assert_int_equal(mkdir(file, 0700), 0);
    refused(file, MW_EDATA, "not a regular file");
    assert_int_equal(rmdir(file), 0);
    free(bytes);
    free(changed);
}

/* Lengths are checked even if the checksum is correct. */
static void lengths_are_not_believed(void **state)
{
    static const uint64_t lengths[] = { 0, 1, 64, 1000, UINT32_MAX, (uint64_t)1 << 40, UINT64_MAX - 20, UINT64_MAX };
    struct counter c = new_counter();
    struct mw_checkpoint *opened = NULL;
    size_t n;
    char *bytes;
    c.block_bytes = 40;
    assert_int_equal(run(&c, 20, 3, 0, NULL, NULL), 0);
    bytes = contents(file, &n);
    for (size_t at = 8; at + 12 + 8 <= n; at++)
        for (size_t i = 0; i < MW_COUNT(lengths); i++) {
            char *changed = malloc(n);
            uint64_t sum;
            assert_non_null(changed);
            memcpy(changed, bytes, n);
            for (size_t b = 0; b < 8; b++)
                changed[at + b] = (char)(lengths[i] >> 8 * b);
            sum = mw_hash64(changed, n - 8, 0);
            for (size_t b = 0; b < 8; b++)
                changed[n - 8 + b] = (char)(sum >> 8 * b);
            put_bytes(file, changed, n);
            if (mw_checkpoint_open(file, &opened) == 0) {
                unsigned char block[40];
                if (mw_checkpoint_get(opened, "block", block, sizeof block) == 0)
                    assert_int_not_equal(mw_checkpoint_get(opened, "block", block, sizeof block - 1), 0);
                mw_checkpoint_compare(opened, settings);
                mw_checkpoint_close(opened);
                opened = NULL;
            } else {
                assert_string_not_equal(mw_errmsg(), "");
            }
            free(changed);
        }
    free(bytes);
}

/* Replaces a text in the file by another of the same length, and corrects the checksum. */
static void forge(const char *from, const char *to)
{
    size_t n;
    char *bytes = contents(file, &n), *at = memmem(bytes, n, from, strlen(from));
    uint64_t sum;
    assert_non_null(at);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(at, to, strlen(to));
    sum = mw_hash64(bytes, n - 8, 0);
    for (size_t b = 0; b < 8; b++)
        bytes[n - 8 + b] = (char)(sum >> 8 * b);
    put_bytes(file, bytes, n);
    free(bytes);
}

/* Version and byte order of this machine, and others. */
#define BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define OURS (BIG ? "1 big" : "1 little")
#define NEWER (BIG ? "2 big" : "2 little")
#define NOBODYS (BIG ? "1 bug" : "1 biggle")
#define NO_NUMBER (BIG ? "one b" : "one    l")

static void other_formats_are_refused_by_name(void **state)
{
    struct counter c = new_counter();
    assert_int_equal(run(&c, 20, 3, 0, NULL, NULL), 0);
    forge(OURS, NEWER);
    refused(file, MW_ENOTSUP, "version 2");
    forge(NEWER, NOBODYS);
    refused(file, MW_ENOTSUP, BIG ? "bug-endian" : "biggle-endian");
    forge(NOBODYS, NO_NUMBER);
    refused(file, MW_EDATA, "format");
    forge(NO_NUMBER, OURS);
    assert_int_equal(step_of(file), 20);
    forge("step20", "step2x");
    refused(file, MW_EDATA, "step");
}

static void a_damaged_file_takes_no_place(void **state)
{
    struct counter c = new_counter();
    struct mw_run_result r = MW_INIT(r);
    size_t n;
    char *bytes;
    assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    bytes = contents(file, &n);
    bytes[n / 2] ^= 1;
    put_bytes(file, bytes, n);
    c = new_counter();
    c.stop_at = 11;
    assert_int_equal(run(&c, 40, 0, 0, file, &r), MW_ESTOPPED);
    assert_int_equal(step_of(file), r.steps);
    assert_int_equal(step_of(file_old), 10); /* not the damaged one */
    free(bytes);
}

/* Files that are no checkpoints, or that cannot be read here, are not replaced. */
static void what_is_not_ours_is_not_replaced(void **state)
{
    struct counter c = new_counter();
    struct stat st;
    size_t n;
    char *bytes;
    assert_int_equal(run(&c, 20, 0, 0, NULL, NULL), 0);
    for (int place = 0; place < 2; place++) {
        const char *path = place ? file_old : file;
        put_bytes(path, "words\n", 6);
        assert_int_equal(run(&c, 20, 0, 0, NULL, NULL), MW_EINVAL);
        assert_non_null(strstr(mw_errmsg(), "is not a checkpoint and is not replaced"));
        bytes = contents(path, &n);
        assert_int_equal(n, 6);
        assert_memory_equal(bytes, "words\n", 6);
        free(bytes);
        assert_int_equal(unlink(path), 0);
        put_bytes(path, "", 0); /* as created by mktemp */
        assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    }
    forge(OURS, NEWER);
    assert_int_equal(run(&c, 20, 0, 0, NULL, NULL), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "version 2"));
    forge(NEWER, OURS);
    /* A link in the place of the new file is not followed. */
    put_bytes(table, "", 0);
    assert_int_equal(symlink(table, file_new), 0);
    assert_int_equal(run(&c, 20, 0, 0, NULL, NULL), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), file_new));
    assert_int_equal(stat(table, &st), 0);
    assert_int_equal(st.st_size, 0);
    assert_int_equal(unlink(file_new), 0);
    put_bytes(file_new, "left by a killed run", 20);
    assert_int_equal(run(&c, 20, 0, 0, NULL, NULL), 0);
    assert_int_equal(step_of(file), 20);
    put_bytes(file_new, "left by one whose file is for reading alone", 43);
    assert_int_equal(chmod(file_new, 0444), 0);
    assert_int_equal(run(&c, 30, 0, 0, file, NULL), 0);
    assert_int_equal(step_of(file), 30);
}

static void a_damaged_file_is_kept_where_there_is_no_older_one(void **state)
{
    struct counter c = new_counter();
    size_t n;
    char *bytes;
    assert_int_equal(run(&c, 20, 0, 0, NULL, NULL), 0);
    bytes = contents(file, &n);
    put_bytes(file, bytes, n / 2);
    free(bytes);
    c = new_counter();
    assert_int_equal(run(&c, 30, 0, 0, NULL, NULL), 0);
    assert_int_equal(step_of(file), 30);
    free(contents(file_old, &n));
    assert_true(n > 0);
}

static void other_runs_are_refused_by_name(void **state)
{
    /* clang-format off */
    const struct { struct mw_setting settings[6]; const char *words[4]; } cases[] = {
        { { { "size", "64x48", false }, { "dt", "0.01", false }, { "empty", "", false }, { "steps", "7", true } },
          { NULL } },
        { { { "size", "64x49", false }, { "dt", "0.01", false }, { "empty", "", false }, { "steps", "100", true } },
          { "size 64x48 (here 64x49)" } },
        { { { "size", "64x4", false }, { "dt", "0.0", false }, { "empty", "x", false }, { "steps", "100", true } },
          { "size 64x48 (here 64x4)", "dt 0.01 (here 0.0)", "empty  (here x)" } },
        { { { "size", "64x48", false }, { "dt", "0.01", false }, { "empty", "", false }, { "seed", "1", false },
            { "steps", "100", true } }, { "seed none (here 1)" } },
        { { { "size", "64x48", false }, { "empty", "", false }, { "steps", "100", true } }, { "dt 0.01 (here none)" } },
    };
    /* clang-format on */
    struct counter c = new_counter();
    struct mw_checkpoint *opened = NULL;

    assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    assert_int_equal(mw_checkpoint_open(file, &opened), 0);
    assert_string_equal(mw_checkpoint_setting(opened, "dt"), "0.01");
    assert_string_equal(mw_checkpoint_setting(opened, "empty"), "");
    assert_null(mw_checkpoint_setting(opened, "d"));
    assert_null(mw_checkpoint_setting(opened, "dt="));
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        assert_int_equal(mw_checkpoint_compare(opened, cases[i].settings), cases[i].words[0] ? MW_EINVAL : 0);
        for (size_t k = 0; cases[i].words[k] != NULL; k++)
            if (strstr(mw_errmsg(), cases[i].words[k]) == NULL)
                fail_msg("no '%s' in: %s", cases[i].words[k], mw_errmsg());
    }
    mw_checkpoint_close(opened);
    c.block_bytes = 4999;
    assert_int_equal(run(&c, 30, 0, 0, file, NULL), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "4999"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(damage_is_found, clear),
        cmocka_unit_test_teardown(lengths_are_not_believed, clear),
        cmocka_unit_test_teardown(other_formats_are_refused_by_name, clear),
        cmocka_unit_test_teardown(a_damaged_file_takes_no_place, clear),
        cmocka_unit_test_teardown(what_is_not_ours_is_not_replaced, clear),
        cmocka_unit_test_teardown(a_damaged_file_is_kept_where_there_is_no_older_one, clear),
        cmocka_unit_test_teardown(other_runs_are_refused_by_name, clear),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
/* SPDX-License-Identifier: MIT */

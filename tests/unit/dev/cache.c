/* The cache of built programs: finds entries, never returns wrong ones, never blocks, stays within its limit. */
#include "dev/core/backend.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"
#include "tests/scratch.h"

static int make_folder(void **state)
{
    return mkdtemp(folder) && setenv("MESHWORK_CACHE_DIR", folder, 1) == 0 ? 0 : -1;
}

static int start_empty(void **state) { return mw_cache_clear(); }

static void expect(const char *key, const char *payload, size_t length)
{
    char *bytes = NULL;
    size_t n = 0;
    assert_true(mw_cache_get(key, &bytes, &n));
    assert_int_equal(n, length);
    if (n)
        assert_memory_equal(bytes, payload, n);
    free(bytes);
}

static void expect_nothing(const char *key)
{
    char *bytes = (char *)1;
    size_t n = 7;
    assert_false(mw_cache_get(key, &bytes, &n));
    assert_ptr_equal(bytes, (char *)1);
    assert_int_equal(n, 7);
}

/* Calls a function for each entry's file; returns their number. */
static int each_entry(void (*call)(const char *path))
{
    char programs[128];
    snprintf(programs, sizeof(programs), "%s/programs", folder);
    return each_file(programs, call);
}

static char entry[512];

static void keep_path(const char *path) { mw_copy_string(entry, sizeof(entry), path); }

/* Returns the path of the only entry. */
static void only_entry(char *path, size_t size)
{
    assert_int_equal(each_entry(keep_path), 1);
    mw_copy_string(path, size, entry);
}

static void what_is_put_is_found(void **state)
{
    expect_nothing("a");
    mw_cache_put("a", "payload\0with a NUL", 18);
    mw_cache_put("b", "", 0);
    mw_cache_put("", "no key", 6);
    expect("a", "payload\0with a NUL", 18);
    expect("b", "", 0);
    expect("", "no key", 6);
    expect_nothing("c");
    mw_cache_put("a", "new", 3);
    expect("a", "new", 3);
    struct mw_cache_stats stats = MW_INIT(stats);
    assert_int_equal(mw_cache_stats(&stats), 0);
    assert_int_equal(stats.entries, 3);
    assert_true(stats.bytes > 9);
    assert_int_equal(mw_cache_clear(), 0);
    assert_int_equal(mw_cache_stats(&stats), 0);
    assert_int_equal(stats.entries, 0);
    assert_int_equal(stats.bytes, 0);
    expect_nothing("a");
}

static void long_keys_and_payloads_are_whole(void **state)
{
    enum { KEY = 300000, PAYLOAD = 2000003 };
    char *key = malloc(KEY + 1), *payload = malloc(PAYLOAD);
    seed_random();
    for (int i = 0; i < KEY; i++)
        key[i] = (char)('a' + rand() % 26);
    key[KEY] = '\0';
    for (int i = 0; i < PAYLOAD; i++)
        payload[i] = (char)rand();
    mw_cache_put(key, payload, PAYLOAD);
    expect(key, payload, PAYLOAD);
    key[KEY - 1]++;
    expect_nothing(key);
    free(key);
    free(payload);
}

/* Every byte of an entry matters: change each one, remove each one, add one. */
static void damaged_entries_are_not_found(void **state)
{
    char path[512], *bytes = NULL;
    size_t n = 0;
    mw_cache_put("key", "payload", 7);
    only_entry(path, sizeof(path));
    assert_int_equal(mw_file_read(path, 1 << 20, &bytes, &n), 0);
    assert_true(n > 10);
    for (size_t i = 0; i < n; i++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
            put_bytes(path, bytes, n);
            expect_nothing("key");
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
        }
        put_bytes(path, bytes, i);
        expect_nothing("key");
    }
    char *longer = malloc(n + 1);
    memcpy(longer, bytes, n);
    longer[n] = 0;
    put_bytes(path, longer, n + 1);
    expect_nothing("key");
    put_bytes(path, bytes, n);
    expect("key", "payload", 7);
    /* A damaged entry is replaced. */
    put_bytes(path, "MWPROG", 6);
    mw_cache_put("key", "again", 5);
    expect("key", "again", 5);
    free(longer);
    free(bytes);
}

/* An entry stored under another key, as after a collision of hashes. */
static void foreign_entries_are_not_found(void **state)
{
    char mine[512], *bytes = NULL;
    size_t n = 0;
    mw_cache_put("other", "foreign", 7);
    only_entry(mine, sizeof(mine));
    assert_int_equal(mw_file_read(mine, 1 << 20, &bytes, &n), 0);
    assert_int_equal(mw_cache_clear(), 0);
    mw_cache_put("owner", "mine", 4);
    only_entry(mine, sizeof(mine));
    put_bytes(mine, bytes, n);
    expect_nothing("owner");
    free(bytes);
}

/* Ages by a minute, since file systems may store time coarsely. */
static void make_older(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    const struct timespec times[2] = { { st.st_mtime - 60, 0 }, { st.st_mtime - 60, 0 } };
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void the_unused_go_first(void **state)
{
    static const char *const keys[] = { "one", "two", "three", "four" };
    char payload[1000];
    struct mw_cache_stats stats = MW_INIT(stats);
    memset(payload, 'p', sizeof(payload));
    for (size_t i = 0; i < MW_COUNT(keys); i++) {
        mw_cache_put(keys[i], payload, sizeof(payload));
        each_entry(make_older);
    }
    expect("one", payload, sizeof(payload)); /* a use makes it the youngest */
    assert_int_equal(mw_cache_stats(&stats), 0);
    assert_int_equal(mw_cache_trim(stats.bytes), 0);
    assert_int_equal(mw_cache_stats(&stats), 0);
    assert_int_equal(stats.entries, 4);
    assert_int_equal(mw_cache_trim(stats.bytes - 1), 0);
    expect_nothing("two");
    assert_int_equal(mw_cache_trim(stats.bytes / 2), 0);
    expect_nothing("three");
    expect("one", payload, sizeof(payload));
    expect("four", payload, sizeof(payload));
    assert_int_equal(mw_cache_trim(0), 0);
    assert_int_equal(mw_cache_stats(&stats), 0);
    assert_int_equal(stats.entries, 0);
}

static void other_files_are_not_counted(void **state)
{
    char path[512];
    struct mw_cache_stats stats = MW_INIT(stats);
    mw_cache_put("key", "payload", 7);
    snprintf(path, sizeof(path), "%s/programs/README", folder);
    put_bytes(path, "hello", 5);
    assert_int_equal(mw_cache_stats(&stats), 0);
    assert_int_equal(stats.entries, 1);
    assert_int_equal(mw_cache_trim(0), 0);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(mw_cache_clear(), 0);
    assert_int_equal(access(path, F_OK), -1);
}

static void without_a_folder_there_is_no_cache(void **state)
{
    struct mw_cache_stats stats = MW_INIT(stats);
    setenv("MESHWORK_CACHE_DIR", "/dev/null/nowhere", 1);
    mw_cache_put("key", "payload", 7);
    expect_nothing("key");
    assert_int_equal(mw_cache_stats(&stats), MW_EIO);
    assert_int_equal(mw_cache_clear(), MW_EIO);
    setenv("MESHWORK_CACHE_DIR", folder, 1);
}

/* Another process finds what was built under the lock; locks on different keys are independent. */
static void who_comes_second_finds_it_made(void **state)
{
    char *bytes = NULL;
    size_t n = 0;
    int status = 0, lock, other;
    assert_true(mw_cache_lock("key", &lock));
    assert_true(lock >= 0);
    const pid_t child = fork();
    if (child == 0) {
        if (!mw_cache_lock("another key", &other))
            _exit(2);
        mw_cache_unlock(other);
        if (mw_cache_lock("key", &other))
            _exit(3);
        mw_cache_wait("key", other);
        mw_cache_unlock(other);
        _exit(mw_cache_get("key", &bytes, &n) && n == 7 ? 0 : 1);
    }
    assert_true(child > 0);
    usleep(50000); /* without locks the child reads at the same time */
    mw_cache_put("key", "payload", 7);
    mw_cache_unlock(lock);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The cache for all users is read after the user's, and never written. Others must not be able to write to it. */
static void a_shared_cache_is_only_read(void **state)
{
    char *const shared = strdup(in("shared")), *const programs = strdup(in("shared/programs"));
    assert_int_equal(setenv("MESHWORK_CACHE_DIR", shared, 1), 0);
    mw_cache_put("both", "shared", 6);
    mw_cache_put("common", "payload", 7);
    assert_int_equal(setenv("MESHWORK_CACHE_DIR", folder, 1), 0);
    expect_nothing("common");
    assert_int_equal(setenv("MESHWORK_SHARED_CACHE_DIR", shared, 1), 0);
    mw_cache_put("both", "own", 3);
    mw_cache_put("mine", "mine", 4);
    expect("both", "own", 3);
    expect("common", "payload", 7);
    assert_int_equal(each_file(programs, NULL), 2);
    const char *const folders[] = { shared, programs };
    for (size_t i = 0; i < MW_COUNT(folders); i++) {
        assert_int_equal(chmod(folders[i], 0777), 0);
        expect_nothing("common");
        assert_int_equal(chmod(folders[i], 0500), 0);
        expect("common", "payload", 7);
        if (geteuid() == 0) {
            assert_int_equal(chown(folders[i], 65534, 65534), 0);
            expect_nothing("common");
            assert_int_equal(chown(folders[i], 0, 0), 0);
        }
    }
    assert_int_equal(mw_cache_clear(), 0);
    expect("both", "shared", 6);
    expect_nothing("mine");
    assert_int_equal(setenv("MESHWORK_SHARED_CACHE_DIR", "", 1), 0);
    expect_nothing("common");
    for (size_t i = 0; i < MW_COUNT(folders); i++)
        assert_int_equal(chmod(folders[i], 0700), 0);
    free(programs);
    free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_put_is_found, start_empty),
        cmocka_unit_test_setup(long_keys_and_payloads_are_whole, start_empty),
        cmocka_unit_test_setup(damaged_entries_are_not_found, start_empty),
        cmocka_unit_test_setup(foreign_entries_are_not_found, start_empty),
        cmocka_unit_test_setup(the_unused_go_first, start_empty),
        cmocka_unit_test_setup(other_files_are_not_counted, start_empty),
        cmocka_unit_test_setup(who_comes_second_finds_it_made, start_empty),
        cmocka_unit_test_setup(a_shared_cache_is_only_read, start_empty),
        cmocka_unit_test_setup(without_a_folder_there_is_no_cache, start_empty),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

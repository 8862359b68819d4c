/* Files: read completely; written completely or not at all. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"
#include "tests/scratch.h"

#define PLENTY ((size_t)1 << 30)

/* Counts the names in the folder, and the temporary files among them. */
static int count_names(int *temporary)
{
    DIR *d = opendir(folder);
    int n = 0;
    assert_non_null(d);
    *temporary = 0;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        n += e->d_name[0] != '.';
        *temporary += strncmp(e->d_name, ".meshwork-", 10) == 0;
    }
    closedir(d);
    return n;
}

static void assert_clean(void)
{
    int temporary;
    count_names(&temporary);
    assert_int_equal(temporary, 0);
}

static void put(const char *path, const void *bytes, size_t n, bool durable)
{
    struct mw_file *f = NULL;
    if (mw_file_create(path, durable, &f) != 0 || mw_file_write(f, bytes, n) != 0 || mw_file_commit(f) != 0)
        fail_msg("%s", mw_errmsg());
}

static void assert_holds(const char *path, const void *bytes, size_t n)
{
    size_t length = 0;
    char *data = NULL;
    if (mw_file_read(path, PLENTY, &data, &length) != 0)
        fail_msg("%s", mw_errmsg());
    assert_int_equal(length, n);
    assert_memory_equal(data, bytes, n);
    assert_int_equal(data[length], '\0');
    free(data);
}

static void what_is_written_is_read(void **state)
{
    static const size_t lengths[] = { 0, 1, 32767, 32768, 32769, 65535, 65536, 65537, 1000003 };
    char *bytes = NULL;
    assert_int_equal(mw_new(1000003, 1, &bytes), 0);
    for (size_t i = 0; i < 1000003; i++)
        bytes[i] = (char)(i * i >> 7);
    for (size_t i = 0; i < MW_COUNT(lengths); i++) {
        put(in("round"), bytes, lengths[i], i % 2 == 0);
        assert_holds(in("round"), bytes, lengths[i]);
    }
    assert_clean();
    free(bytes);
}

/* Random pieces, smaller and larger than the buffer. */
static void pieces_are_written_in_order(void **state)
{
    enum { BYTES = 400000 };
    struct mw_file *f = NULL;
    char *bytes = NULL;

    seed_random();
    assert_int_equal(mw_new(BYTES, 1, &bytes), 0);
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (char)rand();
    assert_int_equal(mw_file_create(in("pieces"), false, &f), 0);
    for (size_t at = 0, n; at < BYTES; at += n) {
        n = (size_t)rand() % (rand() % 4 == 0 ? 70000 : 100);
        n = n < BYTES - at ? n : BYTES - at;
        assert_int_equal(mw_file_write(f, bytes + at, n), 0);
    }
    assert_int_equal(mw_file_commit(f), 0);
    assert_holds(in("pieces"), bytes, BYTES);
    free(bytes);
}

static void readers_see_the_old_file_until_the_commit(void **state)
{
    struct mw_file *f = NULL;
    int temporary;
    put(in("old"), "old", 3, false);
    assert_int_equal(mw_file_create(in("old"), true, &f), 0);
    assert_int_equal(mw_file_write(f, "new contents", 12), 0);
    assert_holds(in("old"), "old", 3);
    count_names(&temporary);
    assert_int_equal(temporary, 1);
    assert_int_equal(mw_file_commit(f), 0);
    assert_holds(in("old"), "new contents", 12);
    assert_int_equal(mw_file_create(in("old"), true, &f), 0);
    assert_int_equal(mw_file_write(f, "x", 1), 0);
    mw_file_abandon(f);
    mw_file_abandon(NULL);
    assert_holds(in("old"), "new contents", 12);
    assert_clean();
}

static void permissions_are_as_expected(void **state)
{
    mode_t before = umask(027);
    struct stat st;
    put(in("fresh"), "x", 1, false);
    assert_int_equal(stat(in("fresh"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(chmod(in("fresh"), 0600), 0); /* a private file stays private */
    put(in("fresh"), "y", 1, false);
    assert_int_equal(stat(in("fresh"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    umask(before);
}

static void links_are_followed(void **state)
{
    struct stat st;
    assert_int_equal(mkdir(in("sub"), 0700), 0);
    put(in("sub/real"), "old", 3, false);
    assert_int_equal(symlink("sub/real", in("link")), 0);
    put(in("link"), "new", 3, true);
    assert_holds(in("sub/real"), "new", 3);
    assert_int_equal(lstat(in("link"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(symlink("sub/second", in("first")), 0); /* through a link to a file that does not exist */
    assert_int_equal(symlink("fresh", in("sub/second")), 0);
    put(in("first"), "made", 4, false);
    assert_holds(in("sub/fresh"), "made", 4);
    assert_int_equal(lstat(in("first"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(in("sub/second"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

static void the_current_folder_needs_no_prefix(void **state)
{
    char before[4096], name[256];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    put("plain", "x", 1, true);
    memset(name, 'n', 255); /* the maximum length of a name */
    name[255] = '\0';
    put(name, "long", 4, false);
    assert_holds(in("plain"), "x", 1);
    assert_holds(in(name), "long", 4);
    assert_int_equal(chdir(before), 0);
    assert_clean();
}

static void assert_not_created(const char *path, const char *word)
{
    struct mw_file *f = NULL;
    assert_int_equal(mw_file_create(path, false, &f), MW_EIO);
    assert_null(f);
    if (strstr(mw_errmsg(), path) == NULL || strstr(mw_errmsg(), word) == NULL)
        fail_msg("\"%s\" does not name %s and \"%s\"", mw_errmsg(), path, word);
}

static void what_cannot_be_created_is_said(void **state)
{
    assert_not_created(in("nowhere/file"), "No such file");
    assert_not_created(folder, "Is a directory");
    put(in("file"), "x", 1, false);
    assert_not_created(in("file/below"), "Not a directory");
    if (geteuid() != 0) {
        assert_int_equal(chmod(in("file"), 0400), 0);
        assert_not_created(in("file"), "Permission denied");
    }
    assert_clean();
}

/* /dev/full is not regular, so it is written directly; a limit of the file size replaces a full disk. */
static void a_full_disk_leaves_nothing(void **state)
{
    struct rlimit before, limit;
    struct mw_file *f = NULL;
    char bytes[20000] = { 0 };
    int rc = 0;
    put(in("kept"), "kept", 4, false);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100000;
    assert_int_equal(mw_file_create(in("kept"), true, &f), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int i = 0; i < 10 && rc == 0; i++)
        rc = mw_file_write(f, bytes, sizeof bytes);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(rc, MW_EIO);
    assert_non_null(strstr(mw_errmsg(), in("kept")));
    assert_non_null(strstr(mw_errmsg(), "File too large"));
    assert_int_equal(mw_file_commit(f), MW_EIO); /* the error is kept */
    assert_holds(in("kept"), "kept", 4);
    assert_clean();
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(mw_file_create("/dev/full", false, &f), 0);
        assert_int_equal(mw_file_write(f, bytes, 10), 0);
        assert_int_equal(mw_file_commit(f), MW_EIO);
        assert_non_null(strstr(mw_errmsg(), "No space left"));
    }
}

static void a_commit_that_cannot_rename_cleans_up(void **state)
{
    struct mw_file *f = NULL;
    assert_int_equal(mw_file_create(in("becomes"), false, &f), 0);
    assert_int_equal(mkdir(in("becomes"), 0700), 0);
    assert_int_equal(mw_file_commit(f), MW_EIO);
    assert_clean();
}

static void devices_and_pipes_are_written_directly(void **state)
{
    static char bytes[300000];
    struct stat st;
    int fd[2], status;
    pid_t child;
    memset(bytes, 'p', sizeof bytes);
    put("/dev/null", bytes, sizeof bytes, true);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_int_equal(mkfifo(in("fifo"), 0600), 0);
    assert_int_equal(pipe(fd), 0);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        char path[32];
        put(in("fifo"), bytes, sizeof bytes, true);
        fcntl(fd[1], F_SETFL, O_NONBLOCK); /* short writes and EAGAIN */
        snprintf(path, sizeof path, "/dev/fd/%d", fd[1]);
        put(path, bytes, sizeof bytes, false);
        _exit(0);
    }
    close(fd[1]);
    assert_holds(in("fifo"), bytes, sizeof bytes);
    for (size_t n = 0, got = 1; got > 0; n += got) {
        char some[7000];
        assert_true(mw_read_fully(fd[0], some, sizeof some, &got));
        assert_memory_equal(some, bytes, got);
        if (got == 0)
            assert_int_equal(n, sizeof bytes);
    }
    close(fd[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(stat(in("fifo"), &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
}

/* Output to /dev/stdout is appended, even if it is a regular file. */
static void standard_output_is_continued(void **state)
{
    int status;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        int fd = open(in("out"), O_WRONLY | O_CREAT, 0600);
        if (dup2(fd, STDOUT_FILENO) < 0 || write(STDOUT_FILENO, "one ", 4) != 4)
            _exit(1);
        put("/dev/stdout", "two ", 4, false);
        put("/proc/self/fd/1", "three", 5, true);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_holds(in("out"), "one two three", 13);
}

static void on_signal(int number)
{
    mw_file_abandon_all();
    _exit(number);
}

static void a_signal_leaves_nothing(void **state)
{
    int status;
    pid_t child;
    put(in("safe"), "safe", 4, false);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        struct mw_file *a = NULL, *b = NULL;
        signal(SIGTERM, on_signal);
        if (mw_file_create(in("safe"), false, &a) == 0 && mw_file_create(in("other"), false, &b) == 0)
            raise(SIGTERM);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), SIGTERM);
    assert_clean();
    assert_holds(in("safe"), "safe", 4);
    assert_int_not_equal(access(in("other"), F_OK), 0);
}

static void abandoned_files_cannot_be_committed(void **state)
{
    struct mw_file *f = NULL;
    assert_int_equal(mw_file_create(in("late"), false, &f), 0);
    mw_file_abandon_all();
    assert_int_equal(mw_file_write(f, "x", 1), 0);
    assert_int_equal(mw_file_commit(f), MW_EIO);
    assert_int_not_equal(access(in("late"), F_OK), 0);
}

static void many_files_at_once_have_a_limit(void **state)
{
    struct mw_file *f[200] = { NULL };
    int n = 0, rc = 0;
    while (n < 200 && (rc = mw_file_create(in("same"), false, &f[n])) == 0)
        n++;
    assert_int_equal(rc, MW_ELIMIT);
    assert_true(n >= 64);
    for (int i = 0; i < n; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        assert_int_equal(mw_file_write(f[i], text, strlen(text)), 0);
        if (i % 2 == 0)
            mw_file_abandon(f[i]);
        else
            assert_int_equal(mw_file_commit(f[i]), 0);
    }
    assert_clean();
    put(in("same"), "free again", 10, false);
    assert_holds(in("same"), "free again", 10);
}

static void reading_has_a_limit(void **state)
{
    char *data = NULL;
    size_t n = 77;
    put(in("ten"), "0123456789", 10, false);
    assert_int_equal(mw_file_read(in("ten"), 9, &data, &n), MW_ELIMIT);
    assert_int_equal(mw_file_read(in("ten"), 0, &data, &n), MW_ELIMIT);
    assert_int_equal(mw_file_read("/dev/zero", 100000, &data, &n), MW_ELIMIT); /* reports no length */
    assert_int_equal(mw_file_read(in("absent"), PLENTY, &data, &n), MW_EIO);
    assert_non_null(strstr(mw_errmsg(), in("absent")));
    assert_int_equal(mw_file_read(folder, PLENTY, &data, &n), MW_EIO);
    assert_null(data);
    assert_int_equal(n, 77);
    assert_int_equal(mw_file_read(in("ten"), 10, &data, &n), 0);
    assert_string_equal(data, "0123456789");
    free(data);
    assert_int_equal(mw_file_read(in("ten"), SIZE_MAX, &data, &n), 0);
    assert_int_equal(n, 10);
    free(data);
    assert_int_equal(mw_file_read("/dev/null", 0, &data, &n), 0);
    assert_string_equal(data, "");
    free(data);
    assert_int_equal(mw_file_read("/proc/self/status", PLENTY, &data, &n), 0); /* a regular file of 0 bytes, according
                                                                                * to stat */
    assert_true(n > 100);
    free(data);
}

static void a_folder_is_cleared_and_what_links_lead_to_stays(void **state)
{
    int temporary, before = count_names(&temporary);
    assert_int_equal(mkdir(in("full"), 0700), 0);
    assert_int_equal(mkdir(in("full/inner"), 0700), 0);
    assert_int_equal(mkdir(in("other"), 0700), 0);
    assert_int_equal(close(open(in("full/inner/file"), O_CREAT | O_WRONLY, 0600)), 0);
    assert_int_equal(close(open(in("other/kept"), O_CREAT | O_WRONLY, 0600)), 0);
    assert_int_equal(symlink("../other", in("full/link")), 0);
    assert_int_equal(symlink("nowhere", in("full/inner/dangling")), 0);
    assert_true(mw_folder_clear(in("full")));
    assert_true(mw_folder_clear(in("full")));
    assert_int_equal(rmdir(in("full")), 0);
    assert_false(mw_folder_clear(in("full")));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(access(in("other/kept"), F_OK), 0);
    assert_true(mw_folder_clear(in("other")));
    assert_int_equal(rmdir(in("other")), 0);
    assert_int_equal(count_names(&temporary), before);
}

/* Two processes clear one folder: in the end both find it empty. */
static void a_folder_is_cleared_by_two(void **state)
{
    for (int round = 0; round < 20; round++) {
        int status = 1;
        assert_int_equal(mkdir(in("full"), 0700), 0);
        for (int i = 0; i < 200; i++) {
            char name[40];
            snprintf(name, sizeof name, "full/%d", i);
            assert_int_equal(mkdir(in(name), 0700), 0);
        }
        const pid_t child = fork();
        if (child == 0)
            _exit(mw_folder_clear(in("full")) ? 0 : 1);
        const bool cleared = mw_folder_clear(in("full"));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(cleared);
        assert_int_equal(status, 0);
        assert_int_equal(rmdir(in("full")), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(pieces_are_written_in_order),
        cmocka_unit_test(readers_see_the_old_file_until_the_commit),
        cmocka_unit_test(permissions_are_as_expected),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(the_current_folder_needs_no_prefix),
        cmocka_unit_test(what_cannot_be_created_is_said),
        cmocka_unit_test(a_full_disk_leaves_nothing),
        cmocka_unit_test(a_commit_that_cannot_rename_cleans_up),
        cmocka_unit_test(devices_and_pipes_are_written_directly),
        cmocka_unit_test(standard_output_is_continued),
        cmocka_unit_test(a_signal_leaves_nothing),
        cmocka_unit_test(abandoned_files_cannot_be_committed),
        cmocka_unit_test(many_files_at_once_have_a_limit),
        cmocka_unit_test(reading_has_a_limit),
        cmocka_unit_test(a_folder_is_cleared_by_two),
        cmocka_unit_test(a_folder_is_cleared_and_what_links_lead_to_stays),
    };

    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */

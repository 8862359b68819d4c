/* The system's C compiler, replaced by test programs: found only in the right places, and read to its end whatever it
 * does. */
#include "dev/native/compiler.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
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

#define PATIENT 60.0

static char *path_before;

/* Writes a file with this text and mode; returns its path. */
static const char *put(const char *name, mode_t mode, const char *text)
{
    const char *path = in(name);
    put_bytes(path, text, strlen(text));
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static char *contents(const char *name)
{
    char *text = NULL;
    size_t n;
    OK(mw_file_read(in(name), 1 << 20, &text, &n));
    return text;
}

static int start_clean(void **state)
{
    unsetenv("MESHWORK_CC");
    return setenv("PATH", path_before, 1);
}

static void find(struct mw_compiler *c, const char *command)
{
    assert_int_equal(setenv("MESHWORK_CC", command, 1), 0);
    OK(mw_compiler_find(c));
}

/* Returns the output of a shell script used as the compiler, to be freed. */
static char *run(const char *script, const char *const *arguments, bool expect_refused)
{
    struct mw_compiler c;
    bool refused = !expect_refused;
    char *log = NULL;
    find(&c, put("script", 0755, script));
    OK(mw_compiler_run(&c, arguments, NULL, PATIENT, &refused, &log));
    assert_int_equal(refused, expect_refused);
    mw_compiler_free(&c);
    return log;
}

static const char *const nothing[] = { NULL };

/* ---- finding ---- */

static void it_is_looked_for_in_path(void **state)
{
    struct mw_compiler c = { .word_count = 77 };
    char path[600];
    mkdir(in("a"), 0755);
    mkdir(in("b"), 0755);
    mkdir(in("b/gcc"), 0755); /* a folder is not a program */
    setenv("PATH", in("a"), 1);
    FAILS(MW_ENOTSUP, "no C compiler", mw_compiler_find(&c));
    assert_non_null(strstr(mw_errmsg(), "install gcc"));
    assert_int_equal(c.word_count, 77);
    put("a/clang", 0755, "");
    put("b/cc", 0644, ""); /* nor is a file without execute permission */
    snprintf(path, sizeof(path), "%s:%s", in("b"), in("a"));
    setenv("PATH", path, 1);
    OK(mw_compiler_find(&c));
    assert_string_equal(c.words[0], in("a/clang"));
    mw_compiler_free(&c);
    put("a/gcc", 0755, "");
    OK(mw_compiler_find(&c));
    assert_string_equal(c.words[0], in("a/gcc"));
    mw_compiler_free(&c);
    assert_int_equal(chmod(in("b/cc"), 0755), 0);
    OK(mw_compiler_find(&c));
    assert_string_equal(c.words[0], in("b/cc"));
    assert_int_equal(c.word_count, 1);
    mw_compiler_free(&c);
    mw_compiler_free(&c);
}

/* Other users may be able to write to the current folder, so programs in it must not run. */
static void the_current_folder_does_not_count(void **state)
{
    static const char *const paths[] = { ".", ":", "./", "here:.::" };
    struct mw_compiler c;
    char before[1024];
    assert_non_null(getcwd(before, sizeof(before)));
    mkdir(in("here"), 0755);
    put("here/cc", 0755, "");
    put("cc", 0755, "");
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < MW_COUNT(paths); i++) {
        setenv("PATH", paths[i], 1);
        FAILS(MW_ENOTSUP, "no C compiler", mw_compiler_find(&c));
    }
    assert_int_equal(chdir(before), 0);
}

static void the_user_may_name_one(void **state)
{
    struct mw_compiler c;
    char command[1024];
    setenv("MESHWORK_CC", "no-such-compiler -O2", 1);
    FAILS(MW_ENOTSUP, "MESHWORK_CC is no-such-compiler -O2", mw_compiler_find(&c));
    setenv("MESHWORK_CC", "  ", 1);
    FAILS(MW_ENOTSUP, "MESHWORK_CC", mw_compiler_find(&c));
    snprintf(command, sizeof(command), "%s  -m64\t-DX", put("mine", 0755, ""));
    find(&c, command);
    assert_int_equal(c.word_count, 3);
    assert_string_equal(c.words[0], in("mine"));
    assert_string_equal(c.words[1], "-m64");
    assert_string_equal(c.words[2], "-DX");
    mw_compiler_free(&c);
    /* A blank in a path does not separate words. */
    find(&c, put("mine too", 0755, ""));
    assert_int_equal(c.word_count, 1);
    assert_string_equal(c.words[0], in("mine too"));
    mw_compiler_free(&c);
    snprintf(command, sizeof(command), "%s 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", in("mine"));
    find(&c, command);
    assert_int_equal(c.word_count, MW_COMPILER_WORDS_MAX);
    mw_compiler_free(&c);
    strcat(command, " 16");
    setenv("MESHWORK_CC", command, 1);
    FAILS(MW_EINVAL, "16 words", mw_compiler_find(&c));
}

static void another_one_has_another_identity(void **state)
{
    struct mw_compiler a, b;
    const struct timespec old[2] = { { 1000, 1 }, { 1000, 1 } };
    find(&a, put("one", 0755, "12"));
    find(&b, in("one"));
    assert_string_equal(a.identity, b.identity);
    mw_compiler_free(&b);
    assert_int_equal(utimensat(AT_FDCWD, in("one"), old, 0), 0);
    find(&b, in("one"));
    assert_string_not_equal(a.identity, b.identity);
    mw_compiler_free(&a);
    find(&a, put("one", 0755, "123"));
    assert_int_equal(utimensat(AT_FDCWD, in("one"), old, 0), 0);
    mw_compiler_free(&a);
    find(&a, in("one"));
    assert_string_not_equal(a.identity, b.identity);
    mw_compiler_free(&b);
    assert_int_equal(symlink("one", in("link")), 0);
    find(&b, in("link"));
    assert_string_not_equal(a.identity, b.identity);
    assert_non_null(strstr(b.identity, in("one"))); /* the target of the link */
    mw_compiler_free(&a);
    mw_compiler_free(&b);
}

/* ---- running ---- */

static void words_arrive_as_they_are(void **state)
{
    const char *const arguments[] = { "-o", "a b", "$HOME;*\"'", "", NULL };
    struct mw_compiler c;
    bool refused = true;
    char *log = NULL;
    snprintf(c.text = malloc(300), 300, "%s -first", put("script", 0755, "#!/bin/sh\nprintf '<%s>' \"$@\"\n"));
    setenv("MESHWORK_CC", c.text, 1);
    free(c.text);
    OK(mw_compiler_find(&c));
    OK(mw_compiler_run(&c, arguments, NULL, PATIENT, &refused, &log));
    assert_false(refused);
    assert_string_equal(log, "<-first><-o><a b><$HOME;*\"'><>");
    free(log);
    mw_compiler_free(&c);
}

static void both_streams_are_heard(void **state)
{
    char *log = run("#!/bin/sh\necho out; printf 'err\\r\\001\\n' >&2; cat; exit 3\n", nothing, true);
    assert_string_equal(log, "out\nerr  \n"); /* no control characters, and nothing to read */
    free(log);
    log = run("#!/bin/sh\n", nothing, false);
    assert_string_equal(log, "");
    free(log);
}

/* More than any pipe holds. */
static void long_logs_do_not_block(void **state)
{
    char *log = run("#!/bin/sh\ni=0\nwhile [ $i -lt 300 ]; do printf '%08000d\\n' $i >&2; i=$((i + 1)); done\nexit 1\n",
                    nothing, true);
    assert_true(strlen(log) >= 1 << 20);
    assert_true(strlen(log) < 300 * 8001);
    free(log);
}

static void its_surroundings_are_prepared(void **state)
{
    struct mw_compiler c;
    bool refused = true;
    char *log = NULL, expected[600], *has;
    sigset_t some, before;
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    setenv("DEPENDENCIES_OUTPUT", in("dependencies"), 1);
    setenv("MESHWORK_TEST_WORD", "kept", 1);
    setenv("TMPDIR", "/elsewhere", 1);
    sigemptyset(&some);
    sigaddset(&some, SIGINT);
    sigaddset(&some, SIGTERM);
    assert_int_equal(sigprocmask(SIG_BLOCK, &some, &before), 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    find(&c, put("script", 0755,
                 "#!/bin/sh\necho \"$LC_ALL|$TMPDIR|$DEPENDENCIES_OUTPUT|$MESHWORK_TEST_WORD\"\n"
                 "read -r line </proc/$$/stat\nset -- $line\necho group $5 of $$\n"
                 "exec grep -E '^Sig(Blk|Ign)' /proc/self/status\n"));
    OK(mw_compiler_run(&c, nothing, in("work"), PATIENT, &refused, &log));
    signal(SIGPIPE, SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    snprintf(expected, sizeof(expected), "C|%s||kept\n", in("work"));
    assert_ptr_equal(strstr(log, expected), log);
    assert_non_null(strstr(log, "SigBlk:\t0000000000000000\n"));
    has = strstr(log, "SigIgn:\t");
    assert_non_null(has);
    assert_int_equal(strtoull(has + 8, NULL, 16) & 0x7fffffff, 0); /* glibc's own come after them */
    has = strstr(log, "group ");
    assert_non_null(has);
    long group = 0, process = -1;
    assert_int_equal(sscanf(has, "group %ld of %ld", &group, &process), 2);
    assert_int_not_equal(group, 0);
    assert_int_not_equal(group, getpgrp());
    free(log);
    OK(mw_compiler_run(&c, nothing, NULL, PATIENT, &refused, &log));
    assert_non_null(strstr(log, "C|/elsewhere||kept\n"));
    free(log);
    mw_compiler_free(&c);
    unsetenv("LC_ALL");
    unsetenv("DEPENDENCIES_OUTPUT");
    unsetenv("TMPDIR");
}

static void what_cannot_start_is_named(void **state)
{
    static const char *const scripts[] = { "#!/no/such/interpreter\n", "neither script nor program\n", "" };
    pid_t pid;
    if (posix_spawn(&pid, "/no/such", NULL, NULL, (char *[]){ NULL }, environ) == 0) /* a wrong emulator */
        skip();
    for (size_t i = 0; i < MW_COUNT(scripts); i++) {
        struct mw_compiler c;
        bool refused;
        char *log = NULL;
        find(&c, put("broken", 0755, scripts[i]));
        FAILS(MW_ENOTSUP, "cannot be started", mw_compiler_run(&c, nothing, NULL, PATIENT, &refused, &log));
        assert_non_null(strstr(mw_errmsg(), in("broken")));
        assert_null(log);
        mw_compiler_free(&c);
    }
}

static void a_crash_is_told(void **state)
{
    struct mw_compiler c;
    bool refused;
    char *log = NULL;
    find(&c, put("script", 0755, "#!/bin/sh\nkill -SEGV $$\n"));
    FAILS(MW_EBUILD, "signal", mw_compiler_run(&c, nothing, NULL, PATIENT, &refused, &log));
    assert_null(log);
    mw_compiler_free(&c);
}

static bool runs(long process)
{
    char path[64], *text = NULL;
    size_t n;
    bool is = false;
    snprintf(path, sizeof(path), "/proc/%ld/stat", process);
    if (mw_file_read(path, 4096, &text, &n) == 0)
        is = strstr(text, ") Z ") == NULL;
    free(text);
    return is;
}

/* The compiler and its helpers are killed after the time limit. */
static void what_hangs_is_ended(void **state)
{
    static const char *const scripts[] = {
        "#!/bin/sh\nsleep 1000 & echo $! >helper; echo $$ >compiler; wait\n",
        "#!/bin/sh\nsleep 1000 & echo $! >helper; echo $$ >compiler; exec >/dev/null 2>&1; wait\n",
        "#!/bin/sh\nsleep 1000 & echo $! >helper; echo $$ >compiler; trap '' TERM; while :; do echo more; done\n",
    };
    char before[1024];
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < MW_COUNT(scripts); i++) {
        struct mw_compiler c;
        bool refused;
        char *log = NULL;
        find(&c, put("script", 0755, scripts[i]));
        FAILS(MW_EBUILD, "did not finish within", mw_compiler_run(&c, nothing, NULL, 1.0, &refused, &log));
        assert_null(log);
        mw_compiler_free(&c);
        char *helper = contents("helper"), *compiler = contents("compiler");
        /* The kill has been sent; the helper is not our child. */
        for (int k = 0; k < 1000 && runs(atol(helper)); k++)
            usleep(10000);
        assert_false(runs(atol(helper)));
        assert_false(runs(atol(compiler)));
        free(helper);
        free(compiler);
    }
    assert_int_equal(chdir(before), 0);
}

/* They do not outlive this process either. */
static void what_compiles_ends_with_us(void **state)
{
    static const char *const files[] = { "helper", "compiler" };
    char before[1024], work[] = "work-XXXXXX";
    long processes[MW_COUNT(files)];
    struct mw_compiler c;
    int status;
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(folder), 0);
    find(&c, put("script", 0755,
                 "#!/bin/sh\nsleep 1000 & echo $! >helper; : >\"$TMPDIR/part\"; echo $$ >new; "
                 "mv new compiler; wait\n"));
    unlink("compiler");
    assert_non_null(mkdtemp(work));
    pid_t us = fork();
    if (us == 0) {
        bool refused;
        char *log = NULL;
        mw_compiler_run(&c, nothing, work, PATIENT, &refused, &log);
        _exit(1);
    }
    assert_true(us > 0);
    while (access("compiler", F_OK) != 0 && waitpid(us, &status, WNOHANG) == 0)
        usleep(10000);
    kill(us, SIGKILL);
    assert_int_equal(waitpid(us, &status, 0), us);
    assert_true(WIFSIGNALED(status));
    for (size_t i = 0; i < MW_COUNT(files); i++) {
        char *text = contents(files[i]);
        processes[i] = atol(text);
        free(text);
    }
    for (int k = 0; k < 1000 && (runs(processes[0]) || runs(processes[1]) || access(work, F_OK) == 0); k++)
        usleep(10000);
    assert_int_not_equal(access(work, F_OK), 0);
    const bool left = runs(processes[0]) || runs(processes[1]);
    for (size_t i = 0; i < MW_COUNT(files) && left; i++)
        kill((pid_t)processes[i], SIGKILL);
    assert_false(left);
    mw_compiler_free(&c);
    assert_int_equal(chdir(before), 0);
}

/* Compiler caches start servers that keep the pipe open: the compiler's own end counts. */
static void helpers_in_the_background_do_not_hold_us(void **state)
{
    char before[1024];
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(folder), 0);
    char *log = run("#!/bin/sh\nsleep 1000 & echo $! >server; echo done; exit 1\n", nothing, true);
    assert_string_equal(log, "done\n");
    free(log);
    assert_int_equal(chdir(before), 0);
    char *server = contents("server");
    assert_int_equal(kill((pid_t)atol(server), SIGKILL), 0); /* it still ran */
    free(server);
}

/* If another part of the program collects the status of all children, the result has to show success. */
static void an_unknown_end_is_no_failure(void **state)
{
    signal(SIGCHLD, SIG_IGN);
    char *log = run("#!/bin/sh\necho said; exit 1\n", nothing, false);
    signal(SIGCHLD, SIG_DFL);
    assert_string_equal(log, "said\n");
    free(log);
}

static void other_children_are_not_waited_for(void **state)
{
    int status = 0;
    pid_t other = fork();
    if (other == 0)
        _exit(7);
    assert_true(other > 0);
    free(run("#!/bin/sh\n", nothing, false));
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

/* ---- folders ---- */

static void folders_are_private_and_go_whole(void **state)
{
    char *work = NULL, *other = NULL;
    struct stat st;
    mkdir(in("tmp"), 0755);
    setenv("TMPDIR", in("tmp"), 1);
    OK(mw_work_folder_new(&work));
    OK(mw_work_folder_new(&other));
    assert_string_not_equal(work, other);
    assert_ptr_equal(strstr(work, in("tmp/")), work);
    assert_int_equal(stat(work, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    char inside[600];
    snprintf(inside, sizeof(inside), "%s/sub", work);
    assert_int_equal(mkdir(inside, 0700), 0);
    strcat(inside, "/file");
    fclose(fopen(inside, "w"));
    mw_work_folder_free(work);
    mw_work_folder_free(other);
    mw_work_folder_free(NULL);
    assert_int_equal(rmdir(in("tmp")), 0);
    /* An unusable TMPDIR, and one that is relative to the current folder. */
    static const char *const bad[] = { "/dev/null/nowhere", ".", "" };
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        setenv("TMPDIR", bad[i], 1);
        OK(mw_work_folder_new(&work));
        assert_ptr_equal(strstr(work, "/tmp/meshwork-"), work);
        mw_work_folder_free(work);
    }
    unsetenv("TMPDIR");
}

static int make_folder(void **state)
{
    const char *path = getenv("PATH");
    path_before = strdup(path ? path : "/usr/bin:/bin");
    return path_before && mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    free(path_before);
    return remove_scratch(state);
}

#define CASE(name) cmocka_unit_test_setup(name, start_clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(it_is_looked_for_in_path),
        CASE(the_current_folder_does_not_count),
        CASE(the_user_may_name_one),
        CASE(another_one_has_another_identity),
        CASE(words_arrive_as_they_are),
        CASE(both_streams_are_heard),
        CASE(long_logs_do_not_block),
        CASE(its_surroundings_are_prepared),
        CASE(what_cannot_start_is_named),
        CASE(a_crash_is_told),
        CASE(what_hangs_is_ended),
        CASE(what_compiles_ends_with_us),
        CASE(helpers_in_the_background_do_not_hold_us),
        CASE(an_unknown_end_is_no_failure),
        CASE(other_children_are_not_waited_for),
        CASE(folders_are_private_and_go_whole),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
/* SPDX-License-Identifier: MIT */

/* The system's C compiler: finding it, and running it. */
#include "dev/native/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INSTALL "install gcc (Debian package gcc), set MESHWORK_CC to a C compiler, or choose an OpenCL or CUDA device"

/* ---- finding it ---- */

static bool is_program(const char *path)
{
    struct stat st;
    return access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Finds the path of a program; names without a slash are searched in PATH. *path NULL: not found. */
static int find_program(const char *name, char **path)
{
    const char *folders = getenv("PATH");
    struct mw_text file = { 0 };
    int rc = 0;
    *path = NULL;
    if (strchr(name, '/'))
        return is_program(name) ? mw_strdup(name, path) : 0;
    if (!folders || !*folders)
        folders = "/usr/local/bin:/usr/bin:/bin";
    for (size_t n; *folders && !*path; folders += n + (folders[n] == ':')) {
        n = strcspn(folders, ":");
        if (folders[0] != '/')
            continue;
        file.length = 0;
        mw_text_add(&file, "%.*s/%s", (int)n, folders, name);
        TRY(mw_text_ok(&file));
        if (is_program(file.data))
            TRY(mw_strdup(file.data, path));
    }
out:
    mw_text_free(&file);
    return rc;
}

/* Takes a command as the words between its blanks, or whole where a program has that name. */
static int take_command(const char *command, struct mw_compiler *c)
{
    char *path = NULL, *rest = NULL;
    int rc;
    TRY(mw_strdup(command, &c->text));
    TRY(find_program(command, &path));
    c->word_count = 1;
    if (!path) {
        const char *name = strtok_r(c->text, " \t\n", &rest);
        for (char *word; (word = strtok_r(NULL, " \t\n", &rest)); c->words[c->word_count++] = word)
            if (c->word_count == MW_COMPILER_WORDS_MAX)
                TRY(mw_fail(MW_EINVAL, "MESHWORK_CC has more than %d words: set it to a C compiler",
                            MW_COMPILER_WORDS_MAX));
        if (name)
            TRY(find_program(name, &path));
    }
    c->words[0] = MW_PASS(path);
out:
    free(path);
    return rc;
}

/* Its place, size and time of change: asking it for its version would take longer than all else of a start.  Paths of
 * the same name on several machines differ in these as well. */
static int identify(struct mw_compiler *c)
{
    char *whole = realpath(c->words[0], NULL);
    struct mw_text text = { 0 };
    struct stat st = { 0 };
    int rc;
    if (stat(c->words[0], &st) != 0)
        TRY(mw_fail(MW_ENOTSUP, "the C compiler %s no longer exists: " INSTALL, c->words[0]));
    mw_text_add(&text, "%s %lld %lld.%09ld", whole ? whole : "", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                st.st_mtim.tv_nsec);
    for (size_t i = 0; i < c->word_count; i++)
        mw_text_add(&text, " %s", c->words[i]);
    TRY(mw_text_ok(&text));
    c->identity = MW_PASS(text.data);
out:
    mw_text_free(&text);
    free(whole);
    return rc;
}

int mw_compiler_find(struct mw_compiler *compiler)
{
    static const char *const names[] = { "cc", "gcc", "clang" };
    const char *asked = getenv("MESHWORK_CC");
    struct mw_compiler c = { .word_count = 0 };
    int rc = 0;
    if (getauxval(AT_SECURE))
        return mw_fail(MW_ENOTSUP,
                       "kernels are not compiled in a program with set-user-ID or extra capabilities: run it "
                       "without these rights");
    if (asked && *asked) {
        TRY(take_command(asked, &c));
        if (!c.words[0])
            TRY(mw_fail(MW_ENOTSUP, "MESHWORK_CC is %s, which is not an executable program: set it to a C compiler",
                        asked));
    }
    for (size_t i = 0; i < MW_COUNT(names) && !c.words[0]; i++) {
        mw_compiler_free(&c);
        TRY(take_command(names[i], &c));
    }
    if (!c.words[0])
        TRY(mw_fail(MW_ENOTSUP, "there is no C compiler in PATH: " INSTALL));
    TRY(identify(&c));
    *compiler = c;
    c = (struct mw_compiler){ .word_count = 0 };
out:
    mw_compiler_free(&c);
    return rc;
}

void mw_compiler_free(struct mw_compiler *compiler)
{
    free(compiler->words[0]);
    free(compiler->text);
    free(compiler->identity);
    *compiler = (struct mw_compiler){ .word_count = 0 };
}

/* ---- running it ---- */

struct child {
    pid_t pid;
    pid_t guard;       /* process that leads its group; 0: absent */
    int life;          /* our end of the guard's pipe */
    int output;        /* our end of a pipe */
    double end;        /* when patience ends */
    bool ended, known; /* status is unknown if another thread of this process waits for all children */
    int status;
};

/* The environment for the compiler, to be freed: ours, with messages in English, and temporary files in `folder` (as
 * "TMPDIR=..."; NULL: its default). Without DEPENDENCIES_OUTPUT, to which gcc would write. */
static int make_environment(char *folder, char ***result)
{
    static const char *const dropped[] = { "LC_ALL=", "TMPDIR=", "DEPENDENCIES_OUTPUT=", "SUNPRO_DEPENDENCIES=" };
    static char english[] = "LC_ALL=C";
    size_t count = 0, kept = 0;
    char **made;
    while (environ && environ[count])
        count++;
    TRY_RETURN(mw_new(count + 3, sizeof(*made), &made));
    for (size_t i = 0; i < count; i++) {
        bool drop = false;
        for (size_t k = 0; k < MW_COUNT(dropped); k++)
            drop |= strncmp(environ[i], dropped[k], strlen(dropped[k])) == 0 && (folder || k != 1);
        if (!drop)
            made[kept++] = environ[i];
    }
    made[kept++] = english;
    made[kept] = folder;
    *result = made;
    return 0;
}

static int redirect(posix_spawn_file_actions_t *actions, int from, int to)
{
    return from >= 0 ? posix_spawn_file_actions_adddup2(actions, from, to)
                     : posix_spawn_file_actions_addopen(actions, to, "/dev/null", O_RDWR, 0);
}

/* Starts a program with its input and output there (-1: /dev/null) and the state of signals that a program expects.  In
 * another group than ours (0: one of its own): what a terminal sends to ours (control-C) is ours to answer, and all
 * helpers of a compiler end with it. */
static int spawn(char *const *words, char **environment, int input, int output, pid_t group, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    if ((error = posix_spawnattr_init(&attributes)) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, group);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if ((error = redirect(&actions, input, STDIN_FILENO)) == 0 &&
        (error = redirect(&actions, output, STDOUT_FILENO)) == 0 &&
        (error = redirect(&actions, output, STDERR_FILENO)) == 0)
        error = posix_spawn(pid, words[0], &actions, &attributes, words, environment);
    /* The child joins its group before posix_spawn() returns, but perhaps later under emulators without vfork(), and
     * the next child needs the group. */
    if (!error && !group)
        setpgid(*pid, *pid);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Starts the guard before the compiler. When this process ends in any way, the guard's pipe closes. The guard then ends
 * its group and removes the folder (NULL: no folder), into which a compiler may still write. Without a guard, compilers
 * run to their end. */
static void start_guard(char *folder, char **environment, struct child *c)
{
    char shell[] = "/bin/sh", option[] = "-c", name[] = "guard", none[] = "";
    char script[] = "read nothing; trap '' TERM; kill -TERM 0; [ -z \"$1\" ] || rm -rf \"$1\" || { sleep 1; "
                    "rm -rf \"$1\"; }; kill -KILL 0";
    char *const words[] = { shell, option, script, name, folder ? folder : none, NULL };
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    c->life = ends[1];
    if (spawn(words, environment, ends[0], -1, 0, &c->guard) != 0)
        c->guard = 0;
    close(ends[0]);
}

/* By itself: what the compiler has left in the background goes on. */
static void end_guard(struct child *c)
{
    if (c->guard > 0) {
        kill(c->guard, SIGKILL);
        while (waitpid(c->guard, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (c->life >= 0)
        close(c->life);
}

static bool has_ended(struct child *c)
{
    pid_t got = 0;
    if (c->ended)
        return true;
    do
        got = waitpid(c->pid, &c->status, WNOHANG);
    while (got < 0 && errno == EINTR);
    c->known = got == c->pid;
    return c->ended = got != 0;
}

/* Takes what it wrote; false at the end of all that will come. */
static bool take_output(struct child *c, struct mw_text *log)
{
    enum { LOG_MAX = 1 << 20 };
    char chunk[4096];
    ssize_t n = read(c->output, chunk, sizeof(chunk));
    if (n <= 0)
        return n < 0 && errno == EINTR;
    for (ssize_t i = 0; i < n; i++)
        if (((unsigned char)chunk[i] < ' ' && chunk[i] != '\n' && chunk[i] != '\t') || chunk[i] == 127)
            chunk[i] = ' ';
    if (log->length < LOG_MAX)
        mw_text_append(log, chunk, (size_t)n);
    return true;
}

/* Reads all that it writes until it has ended, or patience has.  A helper that goes on in the background, as some
 * compiler caches start one, may hold the pipe open for ever: so its own end counts, not the pipe's. */
static void follow(struct child *c, struct mw_text *log)
{
    enum { LOOK_MS = 50 };
    const struct timespec moment = { 0, 500000 };
    bool open = true;
    for (;;) {
        struct pollfd from = { .fd = c->output, .events = POLLIN };
        bool ended = has_ended(c); /* asked first: what it wrote before its end is there to be read */
        if (!open && ended)
            return;
        if (mw_now() > c->end)
            return;
        if (!open) {
            nanosleep(&moment, NULL);
            continue;
        }
        if (poll(&from, 1, ended ? 0 : LOOK_MS) > 0)
            open = take_output(c, log);
        else if (ended)
            return;
    }
}

/* Ends it and its helpers. */
static void end_group(struct child *c)
{
    kill(c->guard > 0 ? -c->guard : -c->pid, SIGKILL);
    while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
        continue;
}

static int compiler_start(const struct mw_compiler *compiler, const char *const *arguments, char *folder,
                          char **environment, struct child *c)
{
    size_t count = 0;
    char **words = NULL;
    int ends[2] = { -1, -1 }, error, rc;
    while (arguments[count])
        count++;
    TRY(mw_new(compiler->word_count + count + 1, sizeof(*words), &words));
    memcpy(words, compiler->words, compiler->word_count * sizeof(*words));
    memcpy(words + compiler->word_count, arguments, count * sizeof(*words));
    if (pipe2(ends, O_CLOEXEC) != 0)
        TRY(mw_fail(MW_EIO, "no pipe for the C compiler: %s", strerror(errno)));
    start_guard(folder, environment, c);
    error = spawn(words, environment, -1, ends[1], c->guard, &c->pid);
    if (error)
        TRY(mw_fail(MW_ENOTSUP, "the C compiler %s cannot be started: %s; " INSTALL, words[0], strerror(error)));
    c->output = ends[0];
    ends[0] = -1;
out:
    if (ends[0] >= 0)
        close(ends[0]);
    if (ends[1] >= 0)
        close(ends[1]);
    free(words);
    return rc;
}

int mw_compiler_run(const struct mw_compiler *compiler, const char *const *arguments, const char *folder,
                    double seconds, bool *refused, char **log)
{
    struct child c = { .output = -1, .life = -1, .end = mw_now() + seconds };
    struct mw_text text = { 0 }, temporary = { 0 };
    char **environment = NULL;
    int rc;
    if (folder)
        mw_text_add(&temporary, "TMPDIR=%s", folder);
    TRY(mw_text_ok(&temporary));
    TRY(make_environment(temporary.data, &environment));
    TRY(compiler_start(compiler, arguments, temporary.data ? strchr(temporary.data, '=') + 1 : NULL, environment, &c));
    follow(&c, &text);
    if (!c.ended) {
        end_group(&c);
        TRY(mw_fail(MW_EBUILD,
                    "the C compiler %s did not finish within %.0f s and was stopped: check that it works, or set "
                    "MESHWORK_CC to another",
                    compiler->words[0], seconds));
    }
    if (c.known && WIFSIGNALED(c.status))
        TRY(mw_fail(MW_EBUILD,
                    "the C compiler %s was ended by a signal (%s): check that it works, or set MESHWORK_CC "
                    "to another",
                    compiler->words[0], strsignal(WTERMSIG(c.status))));
    TRY(mw_text_ok(&text));
    if (!text.data)
        TRY(mw_strdup("", &text.data));
    *refused = c.known && c.status != 0;
    *log = MW_PASS(text.data);
out:
    end_guard(&c);
    if (c.output >= 0)
        close(c.output);
    free(environment);
    mw_text_free(&text);
    mw_text_free(&temporary);
    return rc;
}

/* ---- a folder to work in ---- */

static int make_folder_in(const char *place, char **folder)
{
    char *path = NULL;
    int rc;
    TRY(mw_path_join(place, "meshwork-XXXXXX", &path));
    if (!mkdtemp(path))
        TRY(mw_fail(MW_EIO, "cannot make a temporary folder in %s: %s; set TMPDIR to a folder of your own", place,
                    strerror(errno)));
    *folder = MW_PASS(path);
out:
    free(path);
    return rc;
}

int mw_work_folder_new(char **folder)
{
    const char *wanted = getenv("TMPDIR");
    char *cache = NULL;
    int rc;
    if (wanted && wanted[0] == '/' && make_folder_in(wanted, folder) == 0)
        return 0;
    if (make_folder_in("/tmp", folder) == 0)
        return 0;
    TRY(mw_cache_folder("programs", &cache));
    TRY(make_folder_in(cache, folder));
out:
    free(cache);
    return rc;
}

int mw_work_file_new(const char *folder, const char *name, const void *bytes, size_t n, char **result)
{
    char *path = NULL;
    int rc;
    TRY(mw_path_join(folder, name, &path));
    TRY(mw_file_put(path, false, bytes, n));
    *result = MW_PASS(path);
out:
    free(path);
    return rc;
}

void mw_work_folder_free(char *folder)
{
    if (folder && mw_folder_clear(folder))
        rmdir(folder);
    free(folder);
}
/* SPDX-License-Identifier: MIT */

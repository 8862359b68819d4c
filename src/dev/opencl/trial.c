/* The OpenCL backend: tests in a child process whether drivers survive being listed. Some end the process that lists
 * their devices, such as PoCL without /sys or without threads; others hang. The cache folder records which drivers to
 * skip, so that the test runs once. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/host/host.h"
#include "dev/opencl/opencl_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- children ---- */

static const int crashes[] = { SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE };

#define PATIENCE 10.0 /* seconds that drivers have to list their devices */

/* A child that lists devices; once it has ended, `why` it did not survive that, "" if it did. */
struct attempt {
    pid_t child;
    int end;
    double until;
    bool ended;
    char why[200];
};

void mw_cl_say_listing(bool begins) { mw_log(MW_LOG_WAIT, "%s", begins ? "starting the drivers of OpenCL" : ""); }

static void close_ends(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

static void list_in_child(mw_cl_list_fn *list_all, const struct mw_backend *self, const char *vendors, int end)
{
    const struct rlimit no_core = { 0, 0 };
    struct mw_device_list *list = NULL;
    mw_log_to(NULL, NULL);
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(nowhere, fd);
    setrlimit(RLIMIT_CORE, &no_core);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a driver that hangs ends with this process */
    /* The program's own crash handlers are not for these crashes. */
    for (size_t i = 0; i < MW_COUNT(crashes); i++)
        signal(crashes[i], SIG_DFL);
    if (vendors)
        setenv(MW_CL_VENDORS, vendors, 1);
    if (mw_device_list_empty(&list) == 0 && list_all(self, list) == 0)
        _exit(write(end, "y", 1) != 1);
    _exit(1);
}

/* Starts the test of the drivers in that folder; NULL: of the environment's. The child reports through a pipe, because
 * there is no exit code if SIGCHLD is ignored or another thread waits for all children. */
static void attempt_start(struct attempt *a, mw_cl_list_fn *list_all, const struct mw_backend *self,
                          const char *vendors)
{
    int ends[2] = { -1, -1 };
    *a = (struct attempt){ .end = -1, .until = mw_now() + PATIENCE };
    a->child = pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? fork() : -1;
    if (a->child == 0)
        list_in_child(list_all, self, vendors, ends[1]);
    if (a->child < 0) {
        snprintf(a->why, sizeof(a->why), "no process can be started to try it (%s)", strerror(errno));
        close_ends(ends);
        a->ended = true;
        return;
    }
    close(ends[1]); /* so that the other end closes with the child */
    a->end = ends[0];
}

/* Waits at most until that time; returns whether the child has reported or ended. Checks once even after that time. */
static bool attempt_tells(const struct attempt *a, double until)
{
    struct pollfd told = { .fd = a->end, .events = POLLIN };
    bool tells = a->ended;
    double left = 1;
    while (!tells && left > 0) {
        left = until - mw_now();
        tells = poll(&told, 1, left > 0 ? (int)(1000 * left) + 1 : 0) > 0;
    }
    return tells;
}

/* Waits for its end.  A child that is late is killed, unless it was waited for elsewhere: its number may be another
 * process's by now. */
static pid_t attempt_reap(const struct attempt *a, bool in_time, int *status)
{
    pid_t got = in_time ? 0 : waitpid(a->child, status, WNOHANG);
    if (!in_time && got == 0)
        kill(a->child, SIGKILL);
    while (got == 0 || (got < 0 && errno == EINTR))
        got = waitpid(a->child, status, 0);
    return got;
}

static void attempt_end(struct attempt *a)
{
    static const char ends[] = "it ends the process that lists its devices";
    const bool in_time = attempt_tells(a, a->until);
    char word = 0;
    int status = 0;
    if (a->ended)
        return;
    a->ended = true;
    const pid_t got = attempt_reap(a, in_time, &status);
    const bool survived = read(a->end, &word, 1) == 1;
    close(a->end);
    if (survived)
        return;
    if (!in_time)
        snprintf(a->why, sizeof(a->why), "it did not list its devices within %.0f seconds", PATIENCE);
    else if (got < 0)
        snprintf(a->why, sizeof(a->why), "%s", ends);
    else if (WIFSIGNALED(status))
        snprintf(a->why, sizeof(a->why), "%s (%s)", ends, strsignal(WTERMSIG(status)));
    else
        snprintf(a->why, sizeof(a->why), "%s (exit code %d)", ends, WEXITSTATUS(status));
}

/* ---- skipping drivers that do not survive ---- */

static struct {
    pthread_mutex_t lock;
    bool tried;
    bool none;           /* no driver may be loaded */
    struct mw_text lost; /* a line for each that is passed over */
} trial = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* A file that names a driver, where it leads, and a folder with a link to it alone. */
struct driver {
    char *name, *target, *alone;
    struct attempt attempt;
};
enum { DRIVERS_MAX = 64 };

static void lose(const char *name, const char *why) { mw_text_add(&trial.lost, "%s\t%s\n", name, why); }

static bool is_lost(const char *name)
{
    const size_t n = strlen(name);
    for (const char *line = trial.lost.data; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, name, n) == 0 && line[n] == '\t')
            return true;
    return false;
}

static void free_drivers(struct driver *drivers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(drivers[i].name);
        free(drivers[i].target);
        free(drivers[i].alone);
    }
}

/* Lists drivers that are not skipped already. */
static size_t find_drivers(struct driver *drivers)
{
    DIR *files = opendir(mw_cl_vendors_folder());
    struct dirent *entry;
    size_t count = 0;
    while (files && count < DRIVERS_MAX && (entry = readdir(files))) {
        struct driver *const d = &drivers[count];
        char *file = NULL;
        *d = (struct driver){ 0 };
        if (!mw_cl_is_driver_file(entry->d_name) || mw_path_join(mw_cl_vendors_folder(), entry->d_name, &file) != 0)
            continue;
        d->target = realpath(file, NULL);
        if (d->target && !is_lost(entry->d_name) && mw_strdup(entry->d_name, &d->name) == 0)
            count++;
        else
            free(d->target);
        free(file);
    }
    if (files)
        closedir(files);
    return count;
}

/* Puts a link to a driver's file into a folder inside another, which is made.  The folder's name ends in a slash: some
 * loaders append file names without one. */
static bool link_driver(const char *top, const char *below, const struct driver *d, char **folder)
{
    char *link = NULL, *made = NULL;
    const bool done = mw_path_join(top, below, &made) == 0 && (mkdir(made, 0700) == 0 || errno == EEXIST) &&
                      mw_path_join(made, d->name, &link) == 0 && symlink(d->target, link) == 0 &&
                      mw_path_join(made, "/", folder) == 0;
    free(link);
    free(made);
    return done;
}

/* Tries each driver in a child of its own, all at once. */
static void try_each(mw_cl_list_fn *list_all, const struct mw_backend *self, const char *top, struct driver *drivers,
                     size_t count)
{
    size_t started = 0;
    while (started < count && link_driver(top, drivers[started].name, &drivers[started], &drivers[started].alone)) {
        attempt_start(&drivers[started].attempt, list_all, self, drivers[started].alone);
        started++;
    }
    for (size_t i = 0; i < started; i++) {
        attempt_end(&drivers[i].attempt);
        if (drivers[i].attempt.why[0])
            lose(drivers[i].name, drivers[i].attempt.why);
    }
}

/* Shows the loader only drivers that are not skipped; it reads its variable at the first call. */
static void leave_good(const char *top, char **good)
{
    struct driver drivers[DRIVERS_MAX];
    size_t linked = 0;
    const size_t count = find_drivers(drivers);
    for (size_t i = 0; i < count; i++) {
        free(*good);
        *good = NULL;
        linked += link_driver(top, "good", &drivers[i], good);
    }
    free_drivers(drivers, count);
    trial.none = linked == 0 || !*good;
}

/* The common test failed, or takes so long that each driver is tested separately. */
static void find_lost(mw_cl_list_fn *list_all, const struct mw_backend *self, const char *top, struct attempt *together)
{
    struct driver drivers[DRIVERS_MAX];
    struct attempt again = { .why = "" };
    char *good = NULL;
    const size_t count = find_drivers(drivers);
    if (count > 1)
        try_each(list_all, self, top, drivers, count);
    attempt_end(together);
    if (!together->why[0]) { /* they were slow, and none is passed over */
        mw_text_free(&trial.lost);
        goto out;
    }
    if (count < 2)
        lose(count ? drivers[0].name : mw_cl_vendors_folder(), together->why);
    leave_good(top, &good);
    if (!trial.none) {
        attempt_start(&again, list_all, self, good);
        attempt_end(&again);
    }
    for (size_t i = 0; i < count && again.why[0]; i++)
        if (!is_lost(drivers[i].name))
            lose(drivers[i].name, again.why);
out:
    free_drivers(drivers, count);
    free(good);
}

/* ---- the listing ---- */

#define TEMPORARY "meshwork-drivers-XXXXXX"

static void remove_folder(char *top)
{
    if (top && mw_folder_clear(top))
        rmdir(top);
    free(top);
}

static int list_good(mw_cl_list_fn *list_all, const struct mw_backend *self, struct mw_device_list *list,
                     const char *top)
{
    char *before = NULL, *good = NULL;
    int rc = 0;
    if (getenv(MW_CL_VENDORS))
        TRY(mw_strdup(getenv(MW_CL_VENDORS), &before));
    leave_good(top, &good);
    if (!trial.none) {
        setenv(MW_CL_VENDORS, good, 1);
        rc = list_all(self, list);
    }
    if (before)
        setenv(MW_CL_VENDORS, before, 1);
    else
        unsetenv(MW_CL_VENDORS);
out:
    free(before);
    free(good);
    return rc;
}

/* Finds the drivers to skip. The wait is announced after the first child has started: a receiver may start a thread,
 * and forking a process with one thread is safe from other threads' locks. */
static int try_drivers(mw_cl_list_fn *list_all, const struct mw_backend *self)
{
    struct attempt together;
    char *top = NULL;
    int rc = 0;
    attempt_start(&together, list_all, self, NULL);
    mw_cl_say_listing(true);
    if (attempt_tells(&together, together.until - PATIENCE * 3 / 4))
        attempt_end(&together);
    if (!together.ended || together.why[0]) {
        TRY(mw_cl_temporary_folder(TEMPORARY, &top));
        find_lost(list_all, self, top, &together);
    }
out:
    attempt_end(&together);
    mw_cl_say_listing(false);
    remove_folder(top);
    return rc;
}

/* The first listing of this process. */
static int list_first(mw_cl_list_fn *list_all, const struct mw_backend *self, struct mw_device_list *list)
{
    struct mw_cl_memory memory;
    char *top = NULL;
    int rc = 0;
    mw_cl_memory_find(&memory);
    const bool known = mw_cl_memory_recall(&memory, &trial.lost);
    if (!known)
        TRY(try_drivers(list_all, self));
    if (trial.lost.length)
        TRY(mw_cl_temporary_folder(TEMPORARY, &top));
    trial.tried = true;
    mw_cl_memory_put_aside(&memory);
    rc = top ? list_good(list_all, self, list, top) : list_all(self, list);
    mw_cl_memory_put_back(&memory);
    if (!known && rc == 0)
        mw_cl_memory_keep(&memory, &trial.lost);
out:
    remove_folder(top);
    mw_cl_memory_free(&memory);
    return rc;
}

static void note_lost(struct mw_device_list *list)
{
    for (const char *line = trial.lost.data, *end; line && *line; line = end + (*end == '\n')) {
        const size_t name = strcspn(line, "\t");
        end = line + strcspn(line, "\n");
        mw_device_list_note(list,
                            "%.*s is passed over: %.*s; update or remove it, or raise the limits of this process "
                            "(`ulimit -a`), then run `meshwork cache clear`, so that it is tried again",
                            (int)name, line, (int)(end - line - (ptrdiff_t)name - 1), line + name + 1);
    }
}

int mw_cl_list_tried(mw_cl_list_fn *list_all, const struct mw_backend *self, struct mw_device_list *list)
{
    int rc = 0;
    pthread_mutex_lock(&trial.lock);
    if (!trial.tried)
        rc = list_first(list_all, self, list);
    else if (!trial.none)
        rc = list_all(self, list);
    note_lost(list);
    if (rc == 0)
        rc = mw_text_ok(&trial.lost);
    pthread_mutex_unlock(&trial.lock);
    return rc;
}
/* SPDX-License-Identifier: MIT */

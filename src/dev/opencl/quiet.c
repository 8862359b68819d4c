/* The OpenCL backend: what drivers write on standard error while they compile, and when they end the program. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/host/host.h"
#include "dev/opencl/opencl_internal.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One build at a time, so that two threads do not restore each other's standard error. */
static pthread_mutex_t mute = PTHREAD_MUTEX_INITIALIZER;

/* The current build: the saved standard error, its replacement, and the program. Used if a driver ends the program
 * during a build. */
static struct {
    int before, words;
    const struct mw_device *device;
    const char *label;
} now = { -1, -1, NULL, NULL };

/* Returns the line of a driver's output with "error", or the last one, terminated in place. */
static const char *telling_line(char *text)
{
    char *best = NULL, *next;
    bool error = false;
    for (char *line = text; *line && !error; line = next) {
        const size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        line[n] = '\0';
        error = mw_find_word(line, "error") != NULL;
        if (n)
            best = line;
    }
    return best ? best : "it gave no reason";
}

/* At exit, which LLVM calls where it cannot write a file. */
static void print_last_words(void)
{
    const char *folder = getenv("POCL_CACHE_DIR");
    char text[4096];
    if (!now.device)
        return;
    mw_kept_distrust();
    dup2(now.before, STDERR_FILENO);
    const ssize_t n = pread(now.words, text, sizeof(text) - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    mw_log(MW_LOG_FAILURE, "%s (%s): the driver ended the program while it compiled %s: %s%s%s", now.device->info.id,
           now.device->info.name, now.label, telling_line(text), folder ? "; it writes to " : "", folder ? folder : "");
}

static void register_last_words(void) { atexit(print_last_words); }

/* ---- the end by abort(), which PoCL calls where a file of its own is damaged ---- */

static char suspicion[1024];

/* Calls of drivers in progress, and the program's own handlers, which are replaced during them. */
static struct {
    pthread_mutex_t lock;
    unsigned calls;
    bool replaced, has_user;
    struct sigaction own, user;
} watch = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void on_abort(int number)
{
    mw_abort_fn *receiver = mw_process_abort_receiver();
    mw_kept_distrust();
    if (now.device)
        dup2(now.before, STDERR_FILENO);
    if (receiver)
        receiver(suspicion);
    signal(number, SIG_DFL);
}

void mw_cl_suspect(const struct mw_device *device, const char *folder, const char *remedy)
{
    snprintf(suspicion, sizeof suspicion,
             "%s (%s): the driver ended the program; files that it keeps in %s may be "
             "damaged: %s (`meshwork doctor` checks them)",
             device->info.id, device->info.name, folder, remedy);
}

void mw_cl_watch_signals(bool begins)
{
    struct sigaction ours = { .sa_handler = on_abort };
    sigemptyset(&ours.sa_mask);
    pthread_mutex_lock(&watch.lock);
    if (begins && watch.calls++ == 0) {
        watch.replaced = suspicion[0] && mw_process_abort_receiver() && !sigaction(SIGABRT, &ours, &watch.own);
        watch.has_user = !sigaction(SIGUSR1, NULL, &watch.user);
    } else if (!begins && --watch.calls == 0) {
        if (watch.replaced)
            sigaction(SIGABRT, &watch.own, NULL);
        if (watch.has_user)
            sigaction(SIGUSR1, &watch.user, NULL);
    }
    pthread_mutex_unlock(&watch.lock);
}

/* ---- builds ---- */

static cl_int build_watched(cl_device_id id, const struct mw_build *build, cl_program program)
{
    mw_cl_watch_signals(true);
    const cl_int error = clBuildProgram(program, 1, &id, build->options, NULL, NULL);
    mw_cl_watch_signals(false);
    return error;
}

cl_int mw_cl_build_quietly(const struct mw_device *device, const struct mw_build *build, cl_program program)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct mw_cl_device *cl = device->impl;
    if (!mw_process_may(MW_PROCESS_QUIET))
        return build_watched(cl->id, build, program);
    pthread_once(&once, register_last_words);
    pthread_mutex_lock(&mute);
    int words = memfd_create("meshwork-quiet", MFD_CLOEXEC);
    if (words < 0)
        words = open("/dev/null", O_RDWR | O_CLOEXEC);
    now.before = words >= 0 ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (now.before >= 0) {
        dup2(words, STDERR_FILENO);
        now.words = words;
        now.label = build->label;
        now.device = device;
    }
    cl_int error = build_watched(cl->id, build, program);
    now.device = NULL;
    if (now.before >= 0) {
        dup2(now.before, STDERR_FILENO);
        close(now.before);
    }
    if (words >= 0)
        close(words);
    pthread_mutex_unlock(&mute);
    return error;
}
/* SPDX-License-Identifier: MIT */

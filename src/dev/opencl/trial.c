/* The OpenCL backend: whether drivers survive being listed.  Some end the process that asks what they have: PoCL where
 * there is no /sys, or where it can start no thread.  A child process finds out, and the cache folder remembers of
 * drivers that they survived, so that nothing is found out twice.  One that hangs is ended after a minute. */
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

#define VENDORS "OCL_ICD_VENDORS"

extern char **environ;

/* ---- what may decide whether they survive ---- */

static void add_file(struct mw_text *key, const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        mw_text_add(key, "%s %lld %lld.%09ld\n", path, (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                    (long)st.st_mtim.tv_nsec);
}

static bool is_driver_file(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

/* Where the loader finds the files that name drivers. */
static const char *vendors_folder(void)
{
    const char *folder = getenv(VENDORS);
    return folder && *folder ? folder : "/etc/OpenCL/vendors";
}

/* A driver's file, and the library that it names where that is a path. */
static void add_driver(struct mw_text *key, const char *path)
{
    char *line = NULL;
    size_t n;
    add_file(key, path);
    if (mw_file_read(path, 4096, &line, &n) == 0) {
        line[strcspn(line, "\r\n")] = '\0';
        add_file(key, line);
    }
    free(line);
}

static void add_variables(struct mw_text *key)
{
    static const char *const beginnings[] = { "OCL_", "OPENCL_", "POCL_", "RUSTICL_", "CUDA_", "LD_" };
    for (char **variable = environ; variable && *variable; variable++)
        for (size_t i = 0; i < MW_COUNT(beginnings); i++) {
            if (strncmp(*variable, beginnings[i], strlen(beginnings[i])) == 0 &&
                strncmp(*variable, "POCL_CACHE_DIR=", 15) != 0) /* it may be another one each time */
                mw_text_add(key, "%s\n", *variable);
        }
}

static void add_limits(struct mw_text *key)
{
    static const int limits[] = { RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MEMLOCK,
                                  RLIMIT_FSIZE };
    static const char *const needed[] = { "/sys/devices/system/cpu", "/proc/cpuinfo", "/dev/shm" };
    for (size_t i = 0; i < MW_COUNT(limits); i++) {
        struct rlimit limit = { 0, 0 };
        getrlimit(limits[i], &limit);
        mw_text_add(key, "%llu ", (unsigned long long)limit.rlim_cur);
    }
    for (size_t i = 0; i < MW_COUNT(needed); i++)
        mw_text_add(key, "%d", access(needed[i], R_OK) == 0);
}

/* What the cache remembers: in the file at `path` (NULL where there is no cache) the text `words`. */
struct memory { char *path, words[17]; };

/* Few names, so that they need no clearing: who has another machine's or limit's name takes its place. */
static void find_memory(struct memory *memory)
{
    struct mw_text key = { 0 };
    struct dirent *entry;
    char name[3], *file;
    DIR *files = opendir(vendors_folder());
    while (files && (entry = readdir(files))) {
        if (is_driver_file(entry->d_name) && mw_path_join(vendors_folder(), entry->d_name, &file) == 0) {
            add_driver(&key, file);
            free(file);
        }
    }
    if (files)
        closedir(files);
    add_driver(&key, vendors_folder());
    add_variables(&key);
    add_limits(&key);
    memory->path = NULL;
    if (mw_text_ok(&key) == 0) {
        snprintf(memory->words, sizeof(memory->words), "%016llx",
                 (unsigned long long)mw_hash64(key.data, key.length, 0));
        mw_copy_string(name, sizeof(name), memory->words);
        if (mw_cache_file("drivers", name, &memory->path) != 0)
            memory->path = NULL;
    }
    mw_text_free(&key);
}

static bool remembers(const struct memory *memory)
{
    char *words = NULL;
    size_t n;
    const bool same = memory->path && access(memory->path, F_OK) == 0 &&
                      mw_file_read(memory->path, 64, &words, &n) == 0 && strcmp(words, memory->words) == 0;
    free(words);
    return same;
}

static void remember(const struct memory *memory)
{
    struct mw_file *file = NULL;
    if (!memory->path || mw_file_create(memory->path, false, &file) != 0)
        return;
    if (mw_file_write(file, memory->words, strlen(memory->words)) == 0)
        mw_file_commit(file);
    else
        mw_file_abandon(file);
}

/* ---- a child process ---- */

static const int crashes[] = { SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE };

#define PATIENCE 60.0            /* seconds that a driver has to list its devices */

/* Waits until a child has told something or is gone; one that takes too long is ended.  False: it was. */
static bool wait_for(pid_t child, int end)
{
    struct pollfd told = { .fd = end, .events = POLLIN };
    const double until = mw_now() + PATIENCE;
    bool in_time = false;
    mw_cl_say_listing(true);
    for (double left = PATIENCE; left > 0 && !in_time; left = until - mw_now())
        in_time = poll(&told, 1, (int)(1000 * left) + 1) > 0;
    mw_cl_say_listing(false);
    if (!in_time)
        kill(child, SIGKILL);
    return in_time;
}

static void close_ends(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

/* Lists in a child, by the drivers of that folder (NULL: as the environment has it).  0: it survived; else why not, for
 * `why`.  It tells by a pipe: where SIGCHLD is ignored, or somebody else waits for all children, no exit code comes.
 * That somebody waits is said once the child is there, as a receiver may start a thread for that, and a process that
 * has only one is copied without another's locks. */
static int try_drivers(mw_cl_list_fn *list_all, const struct mw_backend *self, const char *vendors, char *why,
                       size_t size)
{
    const struct rlimit no_core = { 0, 0 };
    char word = 0;
    int ends[2] = { -1, -1 }, status = 0;
    pid_t child = pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? fork() : -1, got;
    if (child < 0) {
        snprintf(why, size, "no process can be started to try it (%s)", strerror(errno));
        close_ends(ends);
        return -1;
    }
    if (child == 0) {
        struct mw_device_list *list = NULL;
        mw_log_to(NULL, NULL);
        const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
        for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
            dup2(nowhere, fd);
        setrlimit(RLIMIT_CORE, &no_core);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a driver that hangs does not stay behind */
        /* What the program does about crashes of its own, as a report, is not for these. */
        for (size_t i = 0; i < MW_COUNT(crashes); i++)
            signal(crashes[i], SIG_DFL);
        if (vendors)
            setenv(VENDORS, vendors, 1);
        if (mw_device_list_empty(&list) == 0 && list_all(self, list) == 0)
            _exit(write(ends[1], "y", 1) != 1);
        _exit(1);
    }
    close(ends[1]); /* so that the other end tells when the child is gone */
    const bool in_time = wait_for(child, ends[0]);
    do
        got = waitpid(child, &status, 0);
    while (got < 0 && errno == EINTR);
    const bool survived = read(ends[0], &word, 1) == 1;
    close(ends[0]);
    if (survived)
        return 0;
    if (!in_time)
        snprintf(why, size, "it did not list its devices within %.0f seconds", PATIENCE);
    else if (got < 0)
        snprintf(why, size, "it ends the process that lists its devices");
    else if (WIFSIGNALED(status))
        snprintf(why, size, "it ends the process that lists its devices (%s)", strsignal(WTERMSIG(status)));
    else
        snprintf(why, size, "it ends the process that lists its devices (exit code %d)", WEXITSTATUS(status));
    return -1;
}

/* ---- passing over those that do not survive ---- */

static struct {
    pthread_mutex_t lock;
    bool tried;
    bool none;               /* no driver may be loaded */
    struct mw_text notes;    /* a line for each that is passed over */
} trial = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void note_lost(const char *what, const char *why)
{
    mw_text_add(&trial.notes, "%s%s is passed over: %s; update or remove it, or raise the limits of this process "
                "(`ulimit -a`)", trial.notes.length ? "\n" : "", what, why);
}

/* Puts a link to a driver's file into a folder inside another, which is made. */
static bool link_driver(const char *top, const char *below, const char *target, const char *name, char **folder)
{
    char *link = NULL;
    bool done = mw_path_join(top, below, folder) == 0 && (mkdir(*folder, 0700) == 0 || errno == EEXIST) &&
                mw_path_join(*folder, name, &link) == 0 && symlink(target, link) == 0;
    free(link);
    return done;
}

/* Tries each driver by itself, and collects those that survive in "good" of a temporary folder. */
static size_t collect_good(mw_cl_list_fn *list_all, const struct mw_backend *self, const char *top)
{
    char why[200];
    size_t good = 0;
    struct dirent *entry;
    DIR *files = opendir(vendors_folder());
    while (files && (entry = readdir(files))) {
        char *file = NULL, *target = NULL, *alone = NULL, *among = NULL, *slashed = NULL;
        if (is_driver_file(entry->d_name) && mw_path_join(vendors_folder(), entry->d_name, &file) == 0 &&
            (target = realpath(file, NULL)) && link_driver(top, entry->d_name, target, entry->d_name, &alone) &&
            mw_path_join(alone, "/", &slashed) == 0) { /* some loaders put names right behind the folder's */
            if (try_drivers(list_all, self, slashed, why, sizeof(why)) != 0)
                note_lost(entry->d_name, why);
            else
                good += link_driver(top, "good", target, entry->d_name, &among);
        }
        free(file);
        free(target);
        free(alone);
        free(among);
        free(slashed);
    }
    if (files)
        closedir(files);
    return good;
}

/* Leaves the good drivers to the loader, which reads its variable when it is first called. */
static void leave_good(mw_cl_list_fn *list_all, const struct mw_backend *self, const char *top, const char *why)
{
    char *good = NULL, again[200];
    DIR *files = opendir(vendors_folder());
    if (!files)
        note_lost(vendors_folder(), why);
    else
        closedir(files);
    trial.none = !files || collect_good(list_all, self, top) == 0 || mw_path_join(top, "good/", &good) != 0;
    if (!trial.none && try_drivers(list_all, self, good, again, sizeof(again)) != 0) {
        note_lost("what is left of the drivers", again);
        trial.none = true;
    }
    if (!trial.none)
        setenv(VENDORS, good, 1);
    free(good);
}

/* ---- the listing ---- */

/* Of a driver that has survived so far and does not now: the next process is to try it again. */
static char *volatile to_forget;

static void forget(void)
{
    if (to_forget)
        unlink(to_forget);
}

static void on_crash(int number)
{
    forget();
    raise(number); /* and now by default */
}

static void register_forget(void)
{
    atexit(forget);
}

static int list_watched(mw_cl_list_fn *list_all, const struct mw_backend *self, struct mw_device_list *list, char *path)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct sigaction action = { .sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND };
    struct sigaction before[MW_COUNT(crashes)];
    pthread_once(&once, register_forget);
    to_forget = path;
    for (size_t i = 0; i < MW_COUNT(crashes); i++)
        sigaction(crashes[i], &action, &before[i]);
    const int rc = list_all(self, list);
    for (size_t i = 0; i < MW_COUNT(crashes); i++)
        sigaction(crashes[i], &before[i], NULL);
    to_forget = NULL;
    return rc;
}

/* The first listing of this process. */
static int list_first(mw_cl_list_fn *list_all, const struct mw_backend *self, struct mw_device_list *list)
{
    struct memory memory;
    char *top = NULL, *vendors = NULL, why[200];
    int rc = 0;
    find_memory(&memory);
    if (!remembers(&memory)) {
        if (try_drivers(list_all, self, NULL, why, sizeof(why)) == 0) {
            remember(&memory);
        } else {
            if (getenv(VENDORS))
                TRY(mw_strdup(getenv(VENDORS), &vendors));
            TRY(mw_cl_temporary_folder("meshwork-drivers-XXXXXX", &top));
            leave_good(list_all, self, top, why);
        }
    }
    trial.tried = true;
    if (!trial.none)
        rc = list_watched(list_all, self, list, memory.path);
out:
    if (vendors)
        setenv(VENDORS, vendors, 1);
    else if (top)
        unsetenv(VENDORS);
    if (top && mw_folder_clear(top))
        rmdir(top);
    free(vendors);
    free(top);
    free(memory.path);
    return rc;
}

int mw_cl_list_tried(mw_cl_list_fn *list_all, const struct mw_backend *self, struct mw_device_list *list)
{
    int rc = 0;
    pthread_mutex_lock(&trial.lock);
    if (!trial.tried)
        rc = list_first(list_all, self, list);
    else if (!trial.none)
        rc = list_all(self, list);
    for (const char *note = trial.notes.data; note && *note; note += strcspn(note, "\n"), note += *note == '\n')
        mw_device_list_note(list, "%.*s", (int)strcspn(note, "\n"), note);
    if (rc == 0)
        rc = mw_text_ok(&trial.notes);
    pthread_mutex_unlock(&trial.lock);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Reads whole files.  Writes files so that a reader finds the old contents or all of the new contents. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_CHUNK 65536
#define BUFFER_SIZE 32768
#define NAME_TRIES 1000

struct mw_file {
    char *path;      /* the caller's, for messages */
    char *target;    /* the path with symbolic links resolved; NULL: written directly */
    char *temporary; /* in the target's folder; owned by `live` while it is listed there */
    int descriptor;
    int error; /* errno of the first failed write */
    bool durable;
    size_t buffered;
    char buffer[BUFFER_SIZE];
};

/* Names of live temporary files.  A name is removed by an atomic exchange, and the remover owns the string.  A signal
 * handler therefore never reads a string that another thread frees. */
static _Atomic(char *) live[128];
static char in_handler[] = ""; /* replaces a name while a handler uses it */
static atomic_uint name_count;
static _Thread_local bool syncs_later;

static bool live_add(char *temporary)
{
    for (size_t i = 0; i < MW_COUNT(live); i++) {
        char *nothing = NULL;
        if (atomic_compare_exchange_strong(&live[i], &nothing, temporary))
            return true;
    }
    return false;
}

/* Returns false if a signal handler is using the name; its memory must not be freed then. */
static bool live_remove(char *temporary)
{
    for (size_t i = 0; i < MW_COUNT(live); i++) {
        char *wanted = temporary;
        if (atomic_compare_exchange_strong(&live[i], &wanted, NULL))
            return true;
    }
    return false;
}

void mw_file_abandon_all(void)
{
    for (size_t i = 0; i < MW_COUNT(live); i++) {
        char *temporary = atomic_load(&live[i]);
        if (temporary == NULL || temporary == in_handler ||
            !atomic_compare_exchange_strong(&live[i], &temporary, in_handler))
            continue;
        unlink(temporary);
        atomic_store(&live[i], temporary);
    }
}

/* Returns the descriptor that a path such as /dev/stdout names, or -1.  The caller duplicates it: opening the path
 * fails for sockets, and starts at the beginning of a file that others append to. */
static int named_descriptor(const char *path)
{
    static const struct {
        const char *path;
        int descriptor;
    } names[] = {
        { "/dev/stdin", STDIN_FILENO },
        { "/dev/stdout", STDOUT_FILENO },
        { "/dev/stderr", STDERR_FILENO },
    };
    static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

    for (size_t i = 0; i < MW_COUNT(names); i++)
        if (strcmp(path, names[i].path) == 0)
            return names[i].descriptor;
    for (size_t i = 0; i < MW_COUNT(folders); i++) {
        size_t length = strlen(folders[i]);
        const char *digits = path + length;
        if (strncmp(path, folders[i], length) == 0 && digits[0] != '\0' && strlen(digits) < 7 &&
            strspn(digits, "0123456789") == strlen(digits))
            return atoi(digits);
    }
    return -1;
}

static int open_again(const char *path, int flags, mode_t mode)
{
    int descriptor;
    do
        descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

static int cannot_write(const char *path, int reason) { return mw_fail_write("", path, reason); }

/* Returns the folder part of a path with its '/', or "". */
static int folder_of(const char *path, char **folder)
{
    const char *slash = strrchr(path, '/');
    int rc = mw_strdup(path, folder);
    if (rc == 0)
        (*folder)[slash != NULL ? slash - path + 1 : 0] = '\0';
    return rc;
}

/* Creates a temporary file in the target's folder.  Signals are blocked until the file is listed in `live`. */
static int open_temporary(struct mw_file *f, const char *folder)
{
    sigset_t all, before;
    int rc = 0, reason = EEXIST;
    sigfillset(&all);
    for (int i = 0; i < NAME_TRIES && f->descriptor < 0 && reason == EEXIST; i++) {
        struct mw_text name = { 0 };
        /* The name does not contain the target's, which may be as long as the file system allows. */
        mw_text_add(&name, "%s.meshwork-%ld-%u.tmp", folder, (long)getpid(), atomic_fetch_add(&name_count, 1));
        if ((rc = mw_text_ok(&name)) != 0) {
            mw_text_free(&name);
            return rc;
        }
        pthread_sigmask(SIG_SETMASK, &all, &before);
        f->descriptor = open_again(name.data, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
        reason = errno;
        if (f->descriptor >= 0 && live_add(name.data)) {
            f->temporary = MW_PASS(name.data);
        } else if (f->descriptor >= 0) {
            unlink(name.data);
            rc = mw_fail(MW_ELIMIT, "cannot write %s: %zu files are being written already, the maximum", f->path,
                         MW_COUNT(live));
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        mw_text_free(&name);
    }
    if (rc == 0 && f->descriptor < 0)
        rc = mw_fail(MW_EIO, "cannot write %s: cannot make a temporary file in %s: %s", f->path,
                     folder[0] != '\0' ? folder : "the current folder", strerror(reason));
    return rc;
}

/* Opens a temporary file for a target that is a regular file or does not exist. */
static int open_next_to(struct mw_file *f, const struct stat *existing)
{
    char *folder = NULL;
    int rc;
    if (existing != NULL) {
        /* rename() ignores the permissions of the file that it replaces. */
        if (faccessat(AT_FDCWD, f->path, W_OK, AT_EACCESS) != 0)
            return cannot_write(f->path, errno);
    }
    TRY(mw_path_target(f->path, &f->target));
    TRY(folder_of(f->target, &folder));
    TRY(open_temporary(f, folder));
    if (existing != NULL && fchmod(f->descriptor, existing->st_mode & 0777) != 0)
        rc = cannot_write(f->path, errno);
out:
    free(folder);
    return rc;
}

static int open_directly(struct mw_file *f, int named)
{
    f->descriptor = named >= 0 ? fcntl(named, F_DUPFD_CLOEXEC, 3) : open_again(f->path, O_WRONLY, 0);
    return f->descriptor >= 0 ? 0 : cannot_write(f->path, errno);
}

int mw_file_create(const char *path, bool durable, struct mw_file **file)
{
    struct mw_file *f = NULL;
    struct stat st;
    int named, rc;
    path = strcmp(path, "-") == 0 ? "/dev/stdout" : path;
    named = named_descriptor(path);
    TRY(mw_new(1, sizeof *f, &f));
    f->descriptor = -1;
    f->durable = durable && !syncs_later;
    TRY(mw_strdup(path, &f->path));
    if (named >= 0)
        TRY(open_directly(f, named));
    else if (stat(path, &st) == 0)
        TRY(S_ISREG(st.st_mode) ? open_next_to(f, &st) : open_directly(f, -1));
    else if (errno == ENOENT)
        TRY(open_next_to(f, NULL));
    else
        TRY(cannot_write(path, errno));
    *file = MW_PASS(f);
out:
    mw_file_abandon(f);
    return rc;
}

bool mw_write_fully(int descriptor, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(descriptor, bytes, n);
        if (written > 0) {
            bytes += written;
            n -= (size_t)written;
        } else if (written == 0) {
            errno = EIO;
            return false;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) { /* the pipe is non-blocking */
            struct pollfd wanted = { .fd = descriptor, .events = POLLOUT };
            poll(&wanted, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

static int write_out(struct mw_file *f, const char *bytes, size_t n)
{
    if (f->error == 0 && !mw_write_fully(f->descriptor, bytes, n))
        f->error = errno;
    return f->error == 0 ? 0 : cannot_write(f->path, f->error);
}

static int flush(struct mw_file *f)
{
    size_t n = f->buffered;
    f->buffered = 0;
    return write_out(f, f->buffer, n);
}

int mw_file_write(struct mw_file *file, const void *bytes, size_t n)
{
    if (n > BUFFER_SIZE - file->buffered)
        TRY_RETURN(flush(file));
    if (n > BUFFER_SIZE - file->buffered)
        return write_out(file, bytes, n);
    if (n > 0)
        memcpy(file->buffer + file->buffered, bytes, n);
    file->buffered += n;
    return file->error == 0 ? 0 : cannot_write(file->path, file->error);
}

/* Calls `sync_it` for a file's folder.  Some file systems cannot be synced, nor folders without read permission;
 * therefore only a failing or full disk is an error. */
static int with_folder_of(const char *file, int (*sync_it)(int descriptor))
{
    char *folder = NULL;
    int rc, descriptor;
    TRY(folder_of(file, &folder));
    descriptor = open_again(folder[0] != '\0' ? folder : ".", O_RDONLY | O_DIRECTORY, 0);
    if (descriptor >= 0) {
        if (sync_it(descriptor) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
            rc = cannot_write(file, errno);
        close(descriptor);
    } else if (errno != EACCES) {
        rc = cannot_write(file, errno);
    }
out:
    free(folder);
    return rc;
}

int mw_folder_sync(const char *file) { return with_folder_of(file, fsync); }

void mw_file_sync_later(bool later) { syncs_later = later; }

int mw_file_system_sync(const char *path) { return with_folder_of(path, syncfs); }

bool mw_sync(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS; }

static int close_descriptor(struct mw_file *f)
{
    int descriptor = f->descriptor;
    f->descriptor = -1;
    /* On Linux the descriptor is closed even after EINTR, and another thread may already use its number. */
    if (close(descriptor) != 0 && errno != EINTR)
        return cannot_write(f->path, errno);
    return 0;
}

int mw_file_commit(struct mw_file *file)
{
    int rc;
    TRY(flush(file));
    if (file->durable && !mw_sync(file->descriptor))
        TRY(cannot_write(file->path, errno));
    TRY(close_descriptor(file));
    if (file->target == NULL)
        goto out;
    if (rename(file->temporary, file->target) != 0)
        TRY(cannot_write(file->path, errno));
    if (live_remove(file->temporary))
        free(file->temporary);
    file->temporary = NULL;
    if (file->durable)
        rc = mw_folder_sync(file->target);
out:
    mw_file_abandon(file);
    return rc;
}

void mw_file_abandon(struct mw_file *file)
{
    if (file == NULL)
        return;
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->temporary != NULL) {
        unlink(file->temporary); /* first: a signal may arrive before live_remove */
        if (live_remove(file->temporary))
            free(file->temporary);
    }
    free(file->target);
    free(file->path);
    free(file);
}

bool mw_read_fully(int descriptor, void *to, size_t n, size_t *got)
{
    size_t have = 0;
    while (have < n) {
        ssize_t r = read(descriptor, (char *)to + have, n - have);
        if (r == 0)
            break;
        if (r > 0) {
            have += (size_t)r;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wanted = { .fd = descriptor, .events = POLLIN };
            poll(&wanted, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    *got = have;
    return true;
}

/* Reads to the end in growing pieces.  Reading one byte more than `max` detects files that are too long. */
static int read_all(int descriptor, const char *path, size_t expected, size_t max, char **bytes, size_t *n)
{
    size_t wanted, capacity = expected, have = 0, got = 0;
    char *data = NULL;
    int rc = 0;
    do {
        char *grown;
        wanted = capacity > max ? max : capacity;
        grown = realloc(data, wanted + 2);
        if (grown == NULL)
            TRY(mw_fail(MW_ENOMEM, "out of memory: cannot read %s, of %zu bytes or more", path, wanted));
        data = grown;
        if (!mw_read_fully(descriptor, data + have, wanted + 1 - have, &got))
            TRY(mw_fail(MW_EIO, "cannot read %s: %s", path, strerror(errno)));
        have += got;
        if (have > max)
            TRY(mw_fail(MW_ELIMIT, "%s is too long: such a file must have at most %zu bytes", path, max));
        capacity = wanted > SIZE_MAX / 4 ? max : 2 * wanted + FIRST_CHUNK;
    } while (have > wanted);
    data[have] = '\0';
    *bytes = data;
    *n = have;
    data = NULL;
out:
    free(data);
    return rc;
}

int mw_file_read(const char *path, size_t max, char **bytes, size_t *n)
{
    int descriptor = open_again(path, O_RDONLY, 0), rc = 0;
    size_t expected = 0;
    struct stat st;
    if (descriptor < 0)
        return mw_fail(MW_EIO, "cannot read %s: %s", path, strerror(errno));
    if (max > SIZE_MAX - 2)
        max = SIZE_MAX - 2;
    if (fstat(descriptor, &st) == 0 && S_ISREG(st.st_mode)) {
        expected = (size_t)st.st_size;
        if (expected > max)
            TRY(mw_fail(MW_ELIMIT, "%s is too long: it has %zu bytes, such a file must have at most %zu", path,
                        expected, max));
    }
    TRY(read_all(descriptor, path, expected > 0 ? expected : FIRST_CHUNK, max, bytes, n));
out:
    close(descriptor);
    return rc;
}

int mw_file_put(const char *path, bool durable, const void *bytes, size_t n)
{
    struct mw_file *file = NULL;
    int rc;
    TRY(mw_file_create(path, durable, &file));
    TRY(mw_file_write(file, bytes, n));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    return rc;
}
/* SPDX-License-Identifier: MIT */

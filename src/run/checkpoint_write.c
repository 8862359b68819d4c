/* Writing checkpoints.  A file is complete or absent, and the previous checkpoint is kept as FILE.old. */
#include "run/run_internal.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct mw_checkpoint_writer {
    const char *path;           /* as given by the user */
    char *target, *fresh, *old; /* FILE with symbolic links resolved, FILE.new, FILE.old */
    int descriptor;
    struct mw_hasher hasher;
};

static void put_number(unsigned char *to, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static int cannot_write(const char *path, int reason) { return mw_fail_write("checkpoint ", path, reason); }

static int with_suffix(const char *path, const char *suffix, char **name)
{
    struct mw_text text = { 0 };
    int rc;
    mw_text_add(&text, "%s%s", path, suffix);
    TRY(mw_text_ok(&text));
    *name = text.data;
    text.data = NULL;
out:
    mw_text_free(&text);
    return rc;
}

static int write_bytes(struct mw_checkpoint_writer *w, const void *bytes, size_t n)
{
    const char *at = bytes;
    mw_hasher_add(&w->hasher, bytes, n);
    while (n > 0) {
        const ssize_t written = write(w->descriptor, at, n);
        if (written < 0 && errno != EINTR)
            return cannot_write(w->path, errno);
        if (written == 0)
            return cannot_write(w->path, EIO);
        at += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    return 0;
}

int mw_checkpoint_put(struct mw_checkpoint_writer *w, const char *name, const void *bytes, size_t n)
{
    const size_t length = strlen(name);
    unsigned char head[MW_CHECKPOINT_HEAD_LENGTH];

    if (length == 0 || length > MW_CHECKPOINT_NAME_MAX)
        return mw_fail(MW_EINVAL, "checkpoint %s: invalid record name \"%s\" (must have 1 to %d characters)", w->path,
                       name, MW_CHECKPOINT_NAME_MAX);
    put_number(head, length, 4);
    put_number(head + 4, n, 8);
    TRY_RETURN(write_bytes(w, head, MW_CHECKPOINT_HEAD_LENGTH));
    TRY_RETURN(write_bytes(w, name, length));
    return write_bytes(w, bytes, n);
}

static int put_text(struct mw_checkpoint_writer *w, const char *name, struct mw_text *text)
{
    int rc;
    TRY(mw_text_ok(text));
    TRY(mw_checkpoint_put(w, name, text->data != NULL ? text->data : "", text->length));
out:
    mw_text_free(text);
    return rc;
}

static int put_contents(struct mw_checkpoint_writer *w, const struct mw_run_simulation *simulation,
                        const struct mw_setting *settings, const struct mw_run_position *p)
{
    struct mw_text format = { 0 }, lines = { 0 }, step = { 0 }, observed = { 0 }, series = { 0 };
    unsigned char sum[MW_CHECKPOINT_SUM_LENGTH];
    int rc;

    TRY(write_bytes(w, MW_CHECKPOINT_MAGIC, MW_CHECKPOINT_MAGIC_LENGTH));
    mw_text_add(&format, "%d %s", MW_CHECKPOINT_VERSION, MW_CHECKPOINT_ORDER);
    TRY(put_text(w, "format", &format));
    for (const struct mw_setting *s = settings; s != NULL && s->name != NULL; s++) {
        if (strpbrk(s->name, "=\n") != NULL || strchr(s->value, '\n') != NULL)
            TRY(mw_fail(MW_EINVAL, "checkpoint %s: setting %s contains a line break or '='", w->path, s->name));
        mw_text_add(&lines, "%s=%s\n", s->name, s->value);
    }
    TRY(put_text(w, "settings", &lines));
    mw_text_add(&step, "%" PRIu64, p->step);
    TRY(put_text(w, "step", &step));
    mw_text_add(&observed, "%" PRIu64, p->observed);
    TRY(put_text(w, "observed", &observed));
    if (p->has_series) {
        mw_text_add(&series, "%" PRIu64 " %016" PRIx64, p->series.bytes, p->series.hash);
        TRY(put_text(w, "series", &series));
    }
    TRY(simulation->save(simulation->context, w));
    put_number(sum, mw_hasher_end(&w->hasher), MW_CHECKPOINT_SUM_LENGTH);
    TRY(write_bytes(w, sum, MW_CHECKPOINT_SUM_LENGTH));
    if (fsync(w->descriptor) != 0)
        TRY(cannot_write(w->path, errno));
out:
    mw_text_free(&lines);
    return rc;
}

static int busy(const char *path)
{
    return mw_fail(MW_EIO, "cannot write checkpoint %s: another run is writing it (use a file per run)", path);
}

/* Returns whether the file was left by a run of this user. */
static bool is_left_by_us(const struct stat *st) { return S_ISREG(st->st_mode) && st->st_uid == geteuid(); }

static int not_ours(int status, const char *path, const char *fresh)
{
    return mw_fail(status,
                   "cannot write checkpoint %s: %s exists and belongs to another user or is no regular file "
                   "(remove it, or "
                   "give another name)",
                   path, fresh);
}

static bool is_called(int descriptor, const char *name)
{
    struct stat held, named;
    return fstat(descriptor, &held) == 0 && lstat(name, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

/* Removes FILE.new, unless a run has locked it, or it belongs to another user and could still be written. */
static int remove_left(const struct mw_checkpoint_writer *w)
{
    const int flags = O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK;
    int descriptor = open(w->fresh, O_WRONLY | flags), rc = 0;
    struct stat st;
    if (descriptor < 0 && errno == EACCES) /* it has FILE's permissions, which may be read-only */
        descriptor = open(w->fresh, O_RDONLY | flags);
    if (descriptor < 0)
        return errno == ENOENT || errno == EINTR ? 0 : not_ours(MW_EIO, w->path, w->fresh);
    if (fstat(descriptor, &st) != 0 || !is_left_by_us(&st))
        rc = not_ours(MW_EIO, w->path, w->fresh);
    else if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EBADF))
        rc = busy(w->path); /* EBADF: NFS returns it for files that are open for reading */
    else if (is_called(descriptor, w->fresh) && unlink(w->fresh) != 0 && errno != ENOENT)
        rc = cannot_write(w->path, errno);
    close(descriptor);
    return rc;
}

/* Creates and locks FILE.new, so that two runs do not mix their bytes.  Removes the file of a killed run first.  Before
 * it is locked, another run may remove it for this reason; then creates another. */
static int open_fresh(struct mw_checkpoint_writer *w)
{
    for (;;) {
        w->descriptor = open(w->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0666);
        if (w->descriptor < 0 && errno == EEXIST)
            TRY_RETURN(remove_left(w));
        else if (w->descriptor < 0 && errno != EINTR)
            TRY_RETURN(cannot_write(w->path, errno));
        if (w->descriptor < 0)
            continue;
        const bool locked = flock(w->descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (locked && is_called(w->descriptor, w->fresh))
            break;
        close(w->descriptor);
        w->descriptor = -1;
        if (!locked)
            TRY_RETURN(busy(w->path));
    }
    return 0;
}

/* Makes the present file FILE.old, by a hard link if possible, so that FILE is never missing.  A damaged file does not
 * replace an older one. */
static int keep_old(const struct mw_checkpoint_writer *w, bool ours)
{
    enum mw_checkpoint_kind kind = MW_CHECKPOINT_SOUND;
    struct mw_checkpoint *present = NULL;
    if (!ours)
        (void)mw_checkpoint_open_one(w->target, &present, &kind);
    else if (access(w->target, F_OK) != 0 && errno == ENOENT)
        kind = MW_CHECKPOINT_MISSING;
    mw_checkpoint_close(present);
    if (kind == MW_CHECKPOINT_MISSING || (kind == MW_CHECKPOINT_DAMAGED && access(w->old, F_OK) == 0))
        return 0;
    if (unlink(w->old) != 0 && errno != ENOENT)
        return cannot_write(w->path, errno);
    if (link(w->target, w->old) != 0 && rename(w->target, w->old) != 0)
        return cannot_write(w->path, errno);
    return 0;
}

static int writer_open(const char *path, struct mw_checkpoint_writer *w)
{
    struct stat st;
    int rc = 0;
    if (stat(path, &st) == 0) {
        if (!S_ISREG(st.st_mode))
            return mw_fail(MW_EIO, "cannot write checkpoint %s: not a regular file (give another name)", path);
    } else {
        st.st_mode = 0;
    }
    TRY(mw_path_target(path, &w->target));
    TRY(with_suffix(w->target, ".new", &w->fresh));
    TRY(with_suffix(w->target, ".old", &w->old));
    TRY(open_fresh(w));
    if (st.st_mode != 0 && fchmod(w->descriptor, st.st_mode & 0777) != 0)
        rc = cannot_write(path, errno);
out:
    return rc;
}

/* Returns 0 if one generation may be replaced. */
static int check_generation(const char *path)
{
    enum mw_checkpoint_kind kind;
    const int rc = mw_checkpoint_look(path, &kind);
    if (rc == MW_ENOMEM)
        return rc;
    if (kind == MW_CHECKPOINT_OTHER)
        return mw_fail(MW_EINVAL, "%s is not a checkpoint and is not replaced (give another name, or remove it)", path);
    if (kind == MW_CHECKPOINT_UNREADABLE)
        return mw_fail_in(MW_EINVAL, "%s is not replaced (give another name, or remove it)", path);
    return 0;
}

int mw_checkpoint_replaceable(const char *path)
{
    struct mw_checkpoint_writer w = { .path = path };
    struct stat st;
    int rc;
    TRY(mw_path_target(path, &w.target));
    TRY(with_suffix(w.target, ".old", &w.old));
    TRY(with_suffix(w.target, ".new", &w.fresh));
    TRY(check_generation(path));
    TRY(check_generation(w.old));
    if (lstat(w.fresh, &st) == 0 && !is_left_by_us(&st))
        rc = not_ours(MW_EINVAL, path, w.fresh);
out:
    free(w.target);
    free(w.old);
    free(w.fresh);
    return rc;
}

int mw_checkpoint_write(const char *path, const struct mw_run_simulation *simulation, const struct mw_setting *settings,
                        const struct mw_run_position *position, bool *ours)
{
    struct mw_checkpoint_writer w = { .path = path, .descriptor = -1 };
    bool written = false;
    int rc;
    mw_hasher_start(&w.hasher, 0);
    TRY(writer_open(path, &w));
    TRY(put_contents(&w, simulation, settings, position));
    TRY(keep_old(&w, *ours));
    if (rename(w.fresh, w.target) != 0)
        TRY(cannot_write(path, errno));
    written = true;
    *ours = true;
    TRY(mw_folder_sync(w.target));
out:
    if (w.descriptor >= 0) {
        if (!written)
            unlink(w.fresh); /* while it is locked */
        close(w.descriptor);
    }
    free(w.target);
    free(w.fresh);
    free(w.old);
    return rc;
}
/* SPDX-License-Identifier: MIT */

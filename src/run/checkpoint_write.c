/* Checkpoints: files that are whole or not there, and two generations of them. */
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
    const char *path;            /* as the user calls it */
    char *target, *fresh, *old;  /* with symbolic links resolved; FILE.new, FILE.old */
    int descriptor;
    struct mw_hasher hasher;
};

static void put_number(unsigned char *to, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static int cannot_write(const char *path, int reason)
{
    return mw_fail_write("checkpoint ", path, reason);
}

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
    int rc;

    if (length == 0 || length > MW_CHECKPOINT_NAME_MAX)
        return mw_fail(MW_EINVAL, "checkpoint %s: \"%s\" is no name of 1 to %d characters", w->path, name,
                       MW_CHECKPOINT_NAME_MAX);
    put_number(head, length, 4);
    put_number(head + 4, n, 8);
    TRY(write_bytes(w, head, MW_CHECKPOINT_HEAD_LENGTH));
    TRY(write_bytes(w, name, length));
    TRY(write_bytes(w, bytes, n));
out:
    return rc;
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
            TRY(mw_fail(MW_EINVAL, "checkpoint %s: the setting %s has a line break or = in it", w->path, s->name));
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

/* Opens FILE.new, and locks it: two runs that write the same file must not mix their bytes.  What a killed run left of
 * it is written over.  The one that was opened may meanwhile have been renamed by its owner: then there is another. */
static int open_fresh(struct mw_checkpoint_writer *w)
{
    struct stat held, named;

    for (;;) {
        w->descriptor = open(w->fresh, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (w->descriptor < 0 && errno == EINTR)
            continue;
        if (w->descriptor < 0)
            return cannot_write(w->path, errno);
        if (flock(w->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            close(w->descriptor);
            w->descriptor = -1;
            return mw_fail(MW_EIO, "cannot write checkpoint %s: another run is writing it, give each its own", w->path);
        }
        if (fstat(w->descriptor, &held) == 0 && stat(w->fresh, &named) == 0 && held.st_ino == named.st_ino &&
            held.st_dev == named.st_dev)
            break;
        close(w->descriptor);
    }
    if (!S_ISREG(held.st_mode))
        return mw_fail(MW_EIO, "cannot write checkpoint %s: %s is not a regular file", w->path, w->fresh);
    return ftruncate(w->descriptor, 0) == 0 ? 0 : cannot_write(w->path, errno);
}

/* Syncs the folder, so that new names outlive a power cut.  Some file systems cannot: only a failing disk counts. */
static int sync_folder(const struct mw_checkpoint_writer *w)
{
    const char *slash = strrchr(w->target, '/');
    char *folder = NULL;
    int rc, descriptor;

    TRY(mw_strdup(slash != NULL ? w->target : ".", &folder));
    if (slash != NULL)
        folder[slash == w->target ? 1 : slash - w->target] = '\0';
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        if (fsync(descriptor) != 0 && errno == EIO)
            rc = cannot_write(w->path, EIO);
        close(descriptor);
    }
out:
    free(folder);
    return rc;
}

/* The present file becomes FILE.old: by a second name, so that FILE is never missing, where there are such.  A file
 * that is not sound does not take the place of an older one. */
static int keep_old(const struct mw_checkpoint_writer *w, bool ours)
{
    struct mw_checkpoint *present = NULL;
    bool missing = false;

    if (ours ? access(w->target, F_OK) != 0 : mw_checkpoint_open_one(w->target, &present, &missing) != 0)
        return 0;
    mw_checkpoint_close(present);
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
            return mw_fail(MW_EIO, "cannot write checkpoint %s: it is not a regular file, give another name", path);
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

int mw_checkpoint_write(const char *path, const struct mw_run_simulation *simulation,
                        const struct mw_setting *settings, const struct mw_run_position *position, bool *ours)
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
    TRY(sync_folder(&w));
out:
    if (w.descriptor >= 0) {
        if (!written)
            unlink(w.fresh);     /* while the lock on it is held */
        close(w.descriptor);
    }
    free(w.target);
    free(w.fresh);
    free(w.old);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Time series: a table in a file, which can be truncated to the position of a checkpoint, or rows on standard
 * output. */
#include "run/run_internal.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 65536

struct mw_series {
    char *path;
    struct mw_text titles; /* first line */
    size_t count;          /* columns after "step" */
    int descriptor;        /* -1: not started */
    uint64_t bytes;
    struct mw_hasher hasher; /* hash of these bytes */
};

static int cannot_write(const struct mw_series *s, int reason) { return mw_fail_write("series ", s->path, reason); }

int mw_series_new(const char *path, const char *const *titles, size_t count, struct mw_series **series)
{
    struct mw_series *s = NULL;
    int rc;
    TRY(mw_new(1, sizeof *s, &s));
    s->descriptor = -1;
    s->count = count;
    TRY(mw_strdup(path, &s->path));
    mw_text_add(&s->titles, "step");
    for (size_t i = 0; i < count; i++) {
        if (strpbrk(titles[i], ",\"\r\n") != NULL)
            TRY(mw_fail(MW_EINVAL, "series %s: title '%s' contains a comma, quote or line break", path, titles[i]));
        mw_text_add(&s->titles, ",%s", titles[i]);
    }
    mw_text_add(&s->titles, "\n");
    TRY(mw_text_ok(&s->titles));
    *series = s;
    s = NULL;
out:
    mw_series_free(s);
    return rc;
}

bool mw_series_is_file(const struct mw_series *s) { return strcmp(s->path, "-") != 0; }

int mw_series_finish(struct mw_series *s)
{
    const int descriptor = s->descriptor;
    int reason = 0;
    if (descriptor < 0)
        return 0;
    if (!mw_sync(descriptor))
        reason = errno;
    s->descriptor = -1;
    if (close(descriptor) != 0 && errno != EINTR && reason == 0)
        reason = errno;
    return reason == 0 ? 0 : cannot_write(s, reason);
}

void mw_series_free(struct mw_series *s)
{
    if (s == NULL)
        return;
    (void)mw_series_finish(s); /* a completed run has done this */
    mw_text_free(&s->titles);
    free(s->path);
    free(s);
}

static int open_standard(struct mw_series *s)
{
    int rc;
    TRY(mw_series_finish(s));
    s->descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (s->descriptor < 0)
        rc = cannot_write(s, errno);
out:
    return rc;
}

/* Opens and locks the file, since rows of two runs would mix.  Closes that of an earlier run and so releases its
 * lock. */
static int open_file(struct mw_series *s, int flags)
{
    struct stat st;
    TRY_RETURN(mw_series_finish(s));
    do
        s->descriptor = open(s->path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags, 0666);
    while (s->descriptor < 0 && errno == EINTR);
    if (s->descriptor < 0 || fstat(s->descriptor, &st) != 0)
        return cannot_write(s, errno);
    if (!S_ISREG(st.st_mode))
        return mw_fail(MW_EIO, "cannot write series %s: not a regular file (give another name)", s->path);
    if (flock(s->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return mw_fail(MW_EIO, "cannot write series %s: another run is writing it (use a file per run)", s->path);
    return 0;
}

/* Appends all bytes, or none after an error; standard output cannot be restored. */
static int series_append(struct mw_series *s, const char *bytes, size_t n)
{
    if (!mw_write_fully(s->descriptor, bytes, n)) {
        const int reason = errno;
        while (mw_series_is_file(s) && ftruncate(s->descriptor, (off_t)s->bytes) != 0 && errno == EINTR)
            continue;
        return cannot_write(s, reason);
    }
    mw_hasher_add(&s->hasher, bytes, n);
    s->bytes += n;
    return 0;
}

/* Checks that the file may be replaced.  It may be empty, a series begun by a killed run, or a series with rows that
 * this run computes again.  A series is recognised by its first two titles, since other columns depend on the run. */
static int check_replaceable(struct mw_series *s, uint64_t step)
{
    const size_t titles = s->titles.length, first = strcspn(s->titles.data, ",");
    const size_t known = s->count > 0 ? first + 1 + strcspn(s->titles.data + first + 1, ",\n") : titles;
    const char *rows;
    char *there = NULL;
    uint64_t at;
    ssize_t n;
    int rc;
    TRY(mw_new(CHUNK + 1, 1, &there));
    n = pread(s->descriptor, there, CHUNK, 0);
    if (n < 0)
        TRY(mw_fail(MW_EIO, "cannot read series %s: %s", s->path, strerror(errno)));
    if (memcmp(there, s->titles.data, (size_t)n < known ? (size_t)n : known) != 0)
        TRY(mw_fail(MW_EDATA, "%s is not a series of this run and is not replaced (give another name, or remove it)",
                    s->path));
    rows = strchr(there, '\n');
    if (rows != NULL && sscanf(rows, "%" SCNu64, &at) == 1 && at < step)
        rc =
            mw_fail(MW_EDATA,
                    "series %s begins at step %" PRIu64 ", before the checkpoint (step %" PRIu64 "), which was written "
                    "without a series: give another name, or remove the file",
                    s->path, at, step);
out:
    free(there);
    return rc;
}

int mw_series_start(struct mw_series *s, uint64_t step)
{
    TRY_RETURN(mw_series_is_file(s) ? open_file(s, O_CREAT) : open_standard(s));
    if (mw_series_is_file(s))
        TRY_RETURN(check_replaceable(s, step));
    if (mw_series_is_file(s) && ftruncate(s->descriptor, 0) != 0)
        TRY_RETURN(cannot_write(s, errno));
    s->bytes = 0;
    mw_hasher_start(&s->hasher, 0);
    return series_append(s, s->titles.data, s->titles.length);
}

/* Hashes the first bytes of the file; *got is their number. */
static int hash_file(struct mw_series *s, uint64_t bytes, uint64_t *got)
{
    char chunk[CHUNK];
    mw_hasher_start(&s->hasher, 0);
    for (*got = 0; *got < bytes;) {
        const size_t wanted = bytes - *got < CHUNK ? (size_t)(bytes - *got) : CHUNK;
        const ssize_t n = pread(s->descriptor, chunk, wanted, (off_t)*got);
        if (n < 0 && errno != EINTR)
            return mw_fail(MW_EIO, "cannot read series %s: %s", s->path, strerror(errno));
        if (n == 0)
            break;
        if (n > 0) {
            mw_hasher_add(&s->hasher, chunk, (size_t)n);
            *got += (uint64_t)n;
        }
    }
    return 0;
}

/* All rows of a file have the same columns. */
static int check_titles(struct mw_series *s)
{
    char *there = NULL;
    int rc;
    TRY(mw_new(s->titles.length, 1, &there));
    if (pread(s->descriptor, there, s->titles.length, 0) != (ssize_t)s->titles.length ||
        memcmp(there, s->titles.data, s->titles.length) != 0)
        rc = mw_fail(MW_EDATA,
                     "series %s has other columns than this run (use the same columns, another file, or no "
                     "series)",
                     s->path);
out:
    free(there);
    return rc;
}

int mw_series_resume(struct mw_series *s, const struct mw_series_position *position)
{
    uint64_t got;
    if (access(s->path, F_OK) != 0 && errno == ENOENT)
        TRY_RETURN(mw_fail(MW_EIO, "series %s of the checkpoint is missing (give its file, or no series)", s->path));
    TRY_RETURN(open_file(s, 0));
    TRY_RETURN(hash_file(s, position->bytes, &got));
    if (got < position->bytes || mw_hasher_end(&s->hasher) != position->hash)
        TRY_RETURN(mw_fail(MW_EDATA, "series %s does not match the checkpoint, %s (give its file, or no series)",
                           s->path, got < position->bytes ? "which was longer" : "which began with other rows"));
    TRY_RETURN(check_titles(s));
    if (ftruncate(s->descriptor, (off_t)position->bytes) != 0)
        TRY_RETURN(cannot_write(s, errno));
    s->bytes = position->bytes;
    return 0;
}

int mw_series_sync(struct mw_series *s, struct mw_series_position *position)
{
    if (!mw_sync(s->descriptor))
        return cannot_write(s, errno);
    *position = (struct mw_series_position){ s->bytes, mw_hasher_end(&s->hasher) };
    return 0;
}

/* Appends the shortest decimal form that reads back as the same number. */
static void add_number(struct mw_text *text, double value)
{
    mw_text_add(text, ",");
    const size_t at = text->length;
    for (int precision = 15; isfinite(value) && precision <= 17; precision++) {
        text->length = at;
        mw_text_add(text, "%.*g", precision, value);
        if (text->failed || mw_number_read(text->data + at, NULL) == value)
            break;
    }
}

int mw_series_add(struct mw_series *s, uint64_t step, const double *values)
{
    struct mw_text row = { 0 };
    int rc;
    if (s->descriptor < 0)
        return mw_fail(MW_EINVAL, "series %s is not open: add rows during mw_run, from observe", s->path);
    mw_text_add(&row, "%" PRIu64, step);
    for (size_t i = 0; i < s->count; i++)
        add_number(&row, values[i]);
    mw_text_add(&row, "\n");
    TRY(mw_text_ok(&row));
    TRY(series_append(s, row.data, row.length));
out:
    mw_text_free(&row);
    return rc;
}
/* SPDX-License-Identifier: MIT */

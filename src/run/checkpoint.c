/* Reading checkpoints, which may be damaged, truncated or from another run. */
#include "run/run_internal.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 20)

static uint64_t get_number(const unsigned char *from, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;)
        value = value << 8 | from[i];
    return value;
}

static int cannot_read(const char *path, int reason)
{
    return mw_fail(MW_EIO, "cannot read checkpoint %s: %s", path, strerror(reason));
}

struct record {
    char name[MW_CHECKPOINT_NAME_MAX + 1];
    uint64_t at, length;
};

struct mw_checkpoint {
    char *path;
    int descriptor;
    struct record *records;
    size_t count, capacity;
    char *settings; /* each line ends with NUL; an empty line follows the last */
    struct mw_run_position position;
    enum mw_checkpoint_kind kind;
};

static int damaged(const char *path, const char *how)
{
    return mw_fail(MW_EDATA, "checkpoint %s is damaged: %s", path, how);
}

/* Reads n bytes at an offset. */
static int read_at(const struct mw_checkpoint *c, uint64_t at, void *to, size_t n)
{
    for (size_t have = 0; have < n;) {
        const ssize_t got = pread(c->descriptor, (char *)to + have, n - have, (off_t)(at + have));
        if (got == 0)
            return damaged(c->path, "unexpected end of file");
        if (got < 0 && errno != EINTR)
            return cannot_read(c->path, errno);
        have += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

/* Reads the whole file and compares its checksum, the last bytes of the file. */
static int check_sum(const struct mw_checkpoint *c, uint64_t size)
{
    unsigned char sum[MW_CHECKPOINT_SUM_LENGTH];
    struct mw_hasher h;
    char *chunk = NULL;
    int rc;

    TRY(mw_new(CHUNK, 1, &chunk));
    mw_hasher_start(&h, 0);
    for (uint64_t at = 0; at < size - MW_CHECKPOINT_SUM_LENGTH; at += CHUNK) {
        const uint64_t left = size - MW_CHECKPOINT_SUM_LENGTH - at;
        const size_t n = left < CHUNK ? (size_t)left : CHUNK;
        TRY(read_at(c, at, chunk, n));
        mw_hasher_add(&h, chunk, n);
    }
    TRY(read_at(c, size - MW_CHECKPOINT_SUM_LENGTH, sum, MW_CHECKPOINT_SUM_LENGTH));
    if (mw_hasher_end(&h) != get_number(sum, MW_CHECKPOINT_SUM_LENGTH))
        TRY(damaged(c->path, "wrong checksum"));
out:
    free(chunk);
    return rc;
}

static const struct record *find_record(const struct mw_checkpoint *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->records[i].name, name) == 0)
            return &c->records[i];
    return NULL;
}

static int add_record(struct mw_checkpoint *c, const struct record *r)
{
    struct record *more;
    if (c->count == c->capacity) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 16;
        TRY_RETURN(mw_new(capacity, sizeof *more, &more));
        if (c->count > 0)
            memcpy(more, c->records, c->count * sizeof *more);
        free(c->records);
        c->records = more;
        c->capacity = capacity;
    }
    c->records[c->count++] = *r;
    return 0;
}

/* Reads the names and places of the records.  All lengths are checked, since a manipulated file may have a valid
 * checksum. */
static int read_table(struct mw_checkpoint *c, uint64_t size)
{
    const uint64_t end = size - MW_CHECKPOINT_SUM_LENGTH;
    for (uint64_t at = MW_CHECKPOINT_MAGIC_LENGTH; at < end;) {
        unsigned char head[MW_CHECKPOINT_HEAD_LENGTH];
        struct record r = { .at = 0 };
        if (end - at < MW_CHECKPOINT_HEAD_LENGTH)
            return damaged(c->path, "its records exceed the file");
        TRY_RETURN(read_at(c, at, head, MW_CHECKPOINT_HEAD_LENGTH));
        const uint64_t name_length = get_number(head, 4);
        r.length = get_number(head + 4, 8);
        at += MW_CHECKPOINT_HEAD_LENGTH;
        if (name_length == 0 || name_length > MW_CHECKPOINT_NAME_MAX || name_length > end - at ||
            r.length > end - at - name_length)
            return damaged(c->path, "its records exceed the file");
        TRY_RETURN(read_at(c, at, r.name, (size_t)name_length));
        r.at = at + name_length;
        at = r.at + r.length;
        TRY_RETURN(add_record(c, &r));
    }
    return 0;
}

/* Reads a text record; appends a NUL. */
static int read_text(const struct mw_checkpoint *c, const char *name, char **text)
{
    const struct record *r = find_record(c, name);
    char *data = NULL;
    int rc;
    if (r == NULL)
        return mw_fail(MW_EDATA, "checkpoint %s is damaged: record '%s' is missing", c->path, name);
    TRY(mw_new((size_t)r->length + 2, 1, &data));
    TRY(read_at(c, r->at, data, (size_t)r->length));
    *text = data;
    data = NULL;
out:
    free(data);
    return rc;
}

static int check_format(const struct mw_checkpoint *c)
{
    char *text = NULL, order[8] = "";
    unsigned version = 0;
    int rc;
    TRY(read_text(c, "format", &text));
    if (sscanf(text, "%u %7s", &version, order) != 2)
        TRY(damaged(c->path, "invalid record 'format'"));
    if (version != MW_CHECKPOINT_VERSION)
        rc = mw_fail(MW_ENOTSUP,
                     "checkpoint %s has format version %u, but this program reads %d: use the version of "
                     "meshwork that wrote it",
                     c->path, version, MW_CHECKPOINT_VERSION);
    else if (strcmp(order, MW_CHECKPOINT_ORDER) != 0)
        rc = mw_fail(MW_ENOTSUP, "checkpoint %s was written on a %s-endian machine: resume on such a machine", c->path,
                     order);
out:
    free(text);
    return rc;
}

static int read_count(const struct mw_checkpoint *c, const char *name, uint64_t *count)
{
    char *text = NULL, end;
    int rc;
    TRY(read_text(c, name, &text));
    if (sscanf(text, "%" SCNu64 "%c", count, &end) != 1)
        TRY(mw_fail(MW_EDATA, "checkpoint %s is damaged: record '%s' is not a number", c->path, name));
out:
    free(text);
    return rc;
}

static int read_position(struct mw_checkpoint *c)
{
    struct mw_run_position p = { .has_series = find_record(c, "series") != NULL };
    char *text = NULL, end;
    int rc;
    TRY(read_count(c, "step", &p.step));
    TRY(read_count(c, "observed", &p.observed));
    if (p.has_series) {
        TRY(read_text(c, "series", &text));
        if (sscanf(text, "%" SCNu64 " %" SCNx64 "%c", &p.series.bytes, &p.series.hash, &end) != 2)
            TRY(damaged(c->path, "invalid record 'series'"));
    }
    c->position = p;
out:
    free(text);
    return rc;
}

/* Returns whether the first n bytes agree with the magic number. */
static bool has_magic(const unsigned char *begins, size_t n)
{
    return memcmp(begins, MW_CHECKPOINT_MAGIC, n < MW_CHECKPOINT_MAGIC_LENGTH ? n : MW_CHECKPOINT_MAGIC_LENGTH) == 0;
}

/* Returns whether a file begins as a checkpoint: a damaged one has either its magic number or the name of its first
 * record. */
static bool begins_as_one(const unsigned char *begins, size_t n)
{
    static const char name[] = "format";
    const size_t at = MW_CHECKPOINT_MAGIC_LENGTH + MW_CHECKPOINT_HEAD_LENGTH, length = sizeof name - 1;
    return has_magic(begins, n) || (n >= at + length && memcmp(begins + at, name, length) == 0);
}

/* Opens the file and checks its beginning. */
static int open_file(struct mw_checkpoint *c, uint64_t *size)
{
    unsigned char begins[MW_CHECKPOINT_MAGIC_LENGTH + MW_CHECKPOINT_HEAD_LENGTH + 8];
    size_t n = sizeof begins;
    struct stat st;

    do
        c->descriptor = open(c->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    while (c->descriptor < 0 && errno == EINTR);
    c->kind = c->descriptor < 0 && errno == ENOENT ? MW_CHECKPOINT_MISSING : MW_CHECKPOINT_UNREADABLE;
    if (c->descriptor < 0 || fstat(c->descriptor, &st) != 0)
        TRY_RETURN(cannot_read(c->path, errno));
    *size = (uint64_t)st.st_size;
    if (S_ISREG(st.st_mode))
        TRY_RETURN(read_at(c, 0, begins, n = *size < n ? (size_t)*size : n));
    if (!S_ISREG(st.st_mode) || !begins_as_one(begins, n)) {
        c->kind = MW_CHECKPOINT_OTHER;
        TRY_RETURN(mw_fail(MW_EDATA, "%s is not a checkpoint: it %s", c->path,
                           S_ISREG(st.st_mode) ? "has no checkpoint header" : "is not a regular file"));
    }
    if (*size == 0) {
        c->kind = MW_CHECKPOINT_MISSING;
        TRY_RETURN(damaged(c->path, "empty file"));
    }
    if (!has_magic(begins, n))
        TRY_RETURN(damaged(c->path, "invalid header"));
    if (*size < MW_CHECKPOINT_MAGIC_LENGTH + MW_CHECKPOINT_SUM_LENGTH)
        TRY_RETURN(damaged(c->path, "unexpected end of file"));
    return 0;
}

static int read_contents(struct mw_checkpoint *c, bool whole)
{
    uint64_t size;
    TRY_RETURN(open_file(c, &size));
    if (whole)
        TRY_RETURN(check_sum(c, size));
    TRY_RETURN(read_table(c, size));
    TRY_RETURN(check_format(c));
    TRY_RETURN(read_position(c));
    TRY_RETURN(read_text(c, "settings", &c->settings));
    for (char *s = c->settings; (s = strchr(s, '\n')) != NULL;)
        *s++ = '\0';
    return 0;
}

static int open_one(const char *path, bool whole, struct mw_checkpoint **checkpoint, enum mw_checkpoint_kind *kind)
{
    struct mw_checkpoint *c = NULL;
    int rc;
    *kind = MW_CHECKPOINT_UNREADABLE;
    TRY(mw_new(1, sizeof *c, &c));
    c->descriptor = -1;
    c->kind = *kind;
    TRY(mw_strdup(path, &c->path));
    rc = read_contents(c, whole);
    if (c->kind == MW_CHECKPOINT_UNREADABLE && (rc == 0 || rc == MW_EDATA))
        c->kind = rc == 0 ? MW_CHECKPOINT_SOUND : MW_CHECKPOINT_DAMAGED;
    *kind = c->kind;
    TRY(rc);
    *checkpoint = c;
    c = NULL;
out:
    mw_checkpoint_close(c);
    return rc;
}

int mw_checkpoint_open_one(const char *path, struct mw_checkpoint **checkpoint, enum mw_checkpoint_kind *kind)
{
    return open_one(path, true, checkpoint, kind);
}

int mw_checkpoint_look(const char *path, enum mw_checkpoint_kind *kind)
{
    struct mw_checkpoint *c = NULL;
    const int rc = open_one(path, false, &c, kind);
    mw_checkpoint_close(c);
    return rc;
}

/* Finds FILE.old.  For a symbolic link it is next to the target, where the writer puts it. */
static int name_of_old(const char *path, struct mw_text *name)
{
    char *target = NULL;
    struct stat st;
    int rc = 0;
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
        TRY(mw_path_target(path, &target));
    mw_text_add(name, "%s.old", target != NULL ? target : path);
    TRY(mw_text_ok(name));
out:
    free(target);
    return rc;
}

int mw_checkpoint_open(const char *path, struct mw_checkpoint **checkpoint)
{
    char *why = NULL;
    const char *old;
    struct mw_text name = { 0 };
    enum mw_checkpoint_kind kind;
    int rc, older;
    rc = mw_checkpoint_open_one(path, checkpoint, &kind);
    if (rc == 0 || (rc != MW_EDATA && kind != MW_CHECKPOINT_MISSING))
        return rc;
    older = mw_strdup(mw_errmsg(), &why);
    if (older != 0 || (older = name_of_old(path, &name)) != 0) {
        rc = older;
        goto out;
    }
    old = name.data;
    older = mw_checkpoint_open_one(old, checkpoint, &kind);
    if (older == 0) {
        mw_log(MW_LOG_NOTICE, "%s; resuming from the previous checkpoint, %s, at step %" PRIu64, why, old,
               (*checkpoint)->position.step);
        rc = 0;
    } else if (kind == MW_CHECKPOINT_MISSING) {
        rc = mw_fail(rc, "%s", why);
    } else {
        char *and = NULL;
        rc = mw_strdup(mw_errmsg(), &and);
        if (rc == 0)
            rc = mw_fail(older, "%s; and %s", why, and);
        free(and);
    }
out:
    free(why);
    mw_text_free(&name);
    return rc;
}

void mw_checkpoint_close(struct mw_checkpoint *c)
{
    if (c == NULL)
        return;
    if (c->descriptor >= 0)
        close(c->descriptor);
    free(c->settings);
    free(c->records);
    free(c->path);
    free(c);
}

const char *mw_checkpoint_path(const struct mw_checkpoint *c) { return c->path; }

uint64_t mw_checkpoint_step(const struct mw_checkpoint *c) { return c->position.step; }

const struct mw_run_position *mw_checkpoint_position(const struct mw_checkpoint *c) { return &c->position; }

const char *mw_checkpoint_setting(const struct mw_checkpoint *c, const char *name)
{
    const size_t length = strlen(name);
    for (const char *s = c->settings; *s != '\0'; s += strlen(s) + 1)
        if (strncmp(s, name, length) == 0 && s[length] == '=')
            return s + length + 1;
    return NULL;
}

int mw_checkpoint_compare(const struct mw_checkpoint *c, const struct mw_setting *settings)
{
    struct mw_text text = { 0 };
    int rc;
    for (const struct mw_setting *s = settings; s->name != NULL; s++) {
        const char *theirs = mw_checkpoint_setting(c, s->name);
        if (s->may_differ || (theirs != NULL && strcmp(theirs, s->value) == 0))
            continue;
        mw_text_add(&text, "%s%s %s (here %s)", text.length > 0 ? ", " : "", s->name, theirs != NULL ? theirs : "none",
                    s->value);
    }
    for (const char *s = c->settings; *s != '\0'; s += strlen(s) + 1) {
        const size_t length = strcspn(s, "=");
        bool known = false;
        for (const struct mw_setting *own = settings; own->name != NULL; own++)
            known = known || (strncmp(own->name, s, length) == 0 && own->name[length] == '\0');
        if (!known)
            mw_text_add(&text, "%s%.*s %s (here none)", text.length > 0 ? ", " : "", (int)length, s,
                        s[length] == '=' ? s + length + 1 : "");
    }
    TRY(mw_text_ok(&text));
    if (text.length > 0)
        rc = mw_fail(MW_EINVAL, "checkpoint %s belongs to another run: %s", c->path, text.data);
out:
    mw_text_free(&text);
    return rc;
}

int mw_checkpoint_get(const struct mw_checkpoint *c, const char *name, void *bytes, size_t n)
{
    const struct record *r = find_record(c, name);
    if (r == NULL)
        return mw_fail(MW_EDATA, "checkpoint %s has no record \"%s\": it is from another kind of run", c->path, name);
    if (r->length != n)
        return mw_fail(MW_EDATA,
                       "checkpoint %s has %" PRIu64 " bytes of \"%s\", expected %zu: it is from a run of "
                       "another "
                       "size",
                       c->path, r->length, name, n);
    return read_at(c, r->at, bytes, n);
}
/* SPDX-License-Identifier: MIT */

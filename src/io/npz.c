/* NumPy's .npz: a ZIP archive of .npy files, stored or deflated (PKWARE's APPNOTE, 4.3 and 4.5.3). */
#include "io/formats/deflate.h"
#include "io/npy_internal.h"

#include "dev/host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".npz"
#define END_BYTES 22 /* length of the end record, without the comment after it */
#define END_MOST (END_BYTES + 65535)
#define END_64_BYTES 56
#define LOCATOR_BYTES 20
#define ENTRY_BYTES 46
#define LOCAL_BYTES 30
#define DIRECTORY_MOST ((uint64_t)1 << 24)
#define NPY_PREFIX_BYTES 10 /* bytes of a .npy file before its header */
#define WORD_MEMBER_MOST 4096

struct member {
    unsigned method;
    uint64_t packed, size, local;
    uint32_t crc;
};

struct archive {
    char *path;       /* path of the file, without :NAME */
    const char *name; /* NULL: the first array */
    int fd;
    uint64_t bytes;
    unsigned char *directory;
    uint64_t directory_bytes;
    struct mw_text names;
};

size_t mw_npz_length(const char *path)
{
    const size_t length = strlen(path), suffix = sizeof SUFFIX - 1;
    const char *colon = strrchr(path, ':');
    if (length >= suffix && mw_same_word(path + length - suffix, SUFFIX))
        return length;
    if (colon && (size_t)(colon - path) >= suffix && mw_same_start(colon - suffix, SUFFIX, suffix))
        return (size_t)(colon - path);
    return 0;
}

bool mw_npz_is(const char *path) { return mw_npz_length(path) > 0; }

static uint64_t npz_number(const unsigned char *at, unsigned bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static int npz_malformed(const struct archive *a, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid .npz file: %s", a->path, what);
}

static int read_at(const struct archive *a, uint64_t offset, void *to, size_t n)
{
    size_t got;
    if (offset > a->bytes || n > a->bytes - offset)
        return npz_malformed(a, "unexpected end of file");
    if (lseek(a->fd, (off_t)offset, SEEK_SET) < 0 || !mw_read_fully(a->fd, to, n, &got))
        return mw_fail(MW_EIO, "cannot read %s: %s", a->path, strerror(errno));
    return got == n ? 0 : npz_malformed(a, "unexpected end of file");
}

/* ---- the directory ---- */

static int find_directory(struct archive *a)
{
    const size_t tail = a->bytes < END_MOST ? (size_t)a->bytes : END_MOST;
    unsigned char *end = NULL, more[END_64_BYTES];
    size_t at = tail < END_BYTES ? 0 : tail - END_BYTES + 1;
    uint64_t offset, place;
    int rc;

    TRY(mw_new(tail, 1, &end));
    TRY(read_at(a, a->bytes - tail, end, tail));
    while (at > 0 && memcmp(end + at - 1, "PK\5\6", 4) != 0)
        at--;
    if (at-- == 0)
        TRY(npz_malformed(a, "no directory found at the end"));
    a->directory_bytes = npz_number(end + at + 12, 4);
    offset = npz_number(end + at + 16, 4);
    if (at >= LOCATOR_BYTES && memcmp(end + at - LOCATOR_BYTES, "PK\6\7", 4) == 0) {
        place = npz_number(end + at - LOCATOR_BYTES + 8, 8);
        TRY(read_at(a, place, more, sizeof more));
        a->directory_bytes = npz_number(more + 40, 8);
        offset = npz_number(more + 48, 8);
    }
    if (a->directory_bytes > DIRECTORY_MOST || a->directory_bytes > a->bytes)
        TRY(npz_malformed(a, "the directory is too long"));
    TRY(mw_new((size_t)a->directory_bytes, 1, &a->directory));
    TRY(read_at(a, offset, a->directory, (size_t)a->directory_bytes));
out:
    free(end);
    return rc;
}

/* Sizes that do not fit into 32 bits are in an extra field, in this order; only those. */
static void read_wide(const unsigned char *extra, size_t length, struct member *m)
{
    uint64_t *const wide[] = { &m->size, &m->packed, &m->local };
    while (length >= 4) {
        size_t bytes = (size_t)npz_number(extra + 2, 2), at = 4;
        if (bytes > length - 4)
            return;
        for (size_t i = 0; i < MW_COUNT(wide) && npz_number(extra, 2) == MW_ZIP_64; i++)
            if (*wide[i] == UINT32_MAX && at + 8 <= bytes + 4) {
                *wide[i] = npz_number(extra + at, 8);
                at += 8;
            }
        extra += bytes + 4;
        length -= bytes + 4;
    }
}

/* Returns whether a member is the requested array; names of members end in .npy. */
static bool is_wanted(struct archive *a, const char *name, size_t length)
{
    if (length < 4 || strncmp(name + length - 4, ".npy", 4) != 0)
        return false;
    mw_text_add(&a->names, "%s%.*s", a->names.length ? ", " : "", (int)(length < 256 ? length - 4 : 0), name);
    return !a->name || (strlen(a->name) == length - 4 && strncmp(a->name, name, length - 4) == 0) ||
           (strlen(a->name) == length && strncmp(a->name, name, length) == 0);
}

static int find_member(struct archive *a, struct member *m)
{
    for (uint64_t at = 0; at + ENTRY_BYTES <= a->directory_bytes;) {
        const unsigned char *e = a->directory + at;
        const size_t name = (size_t)npz_number(e + 28, 2), extra = (size_t)npz_number(e + 30, 2);
        const uint64_t whole = ENTRY_BYTES + name + extra + npz_number(e + 32, 2);
        if (memcmp(e, "PK\1\2", 4) != 0 || whole > a->directory_bytes - at)
            return npz_malformed(a, "the directory is damaged");
        if (is_wanted(a, (const char *)e + ENTRY_BYTES, name)) {
            *m = (struct member){ .method = (unsigned)npz_number(e + 10, 2),
                                  .crc = (uint32_t)npz_number(e + 16, 4),
                                  .packed = npz_number(e + 20, 4),
                                  .size = npz_number(e + 24, 4),
                                  .local = npz_number(e + 42, 4) };
            read_wide(e + ENTRY_BYTES + name, extra, m);
            if (npz_number(e + 8, 2) & 1)
                return mw_fail(MW_EDATA, "%s is encrypted (decrypt it first)", a->path);
            return 0;
        }
        at += whole;
    }
    return a->name ? mw_fail(MW_EDATA, "%s has no array '%s' (arrays: %s)", a->path, a->name,
                             a->names.length ? a->names.data : "none")
                   : mw_fail(MW_EDATA, "%s contains no arrays", a->path);
}

/* ---- members ---- */

static int compare_checksum(const struct archive *a, const struct member *m, uint32_t crc)
{
    return crc == m->crc ? 0 : npz_malformed(a, "wrong checksum of a member");
}

/* Reads an uncompressed member to verify its checksum.  Its elements are then read directly into the array. */
static int check_stored(const struct archive *a, const struct member *m, uint64_t offset)
{
    unsigned char piece[1 << 14];
    uint32_t crc = 0;

    for (uint64_t at = 0; at < m->size; at += sizeof piece) {
        const size_t n = m->size - at < sizeof piece ? (size_t)(m->size - at) : sizeof piece;
        TRY_RETURN(read_at(a, offset + at, piece, n));
        crc = mw_crc32(crc, piece, n);
    }
    return compare_checksum(a, m, crc);
}

/* Reads the bytes of a deflated member; the caller frees them. */
static int inflate_member(const struct archive *a, const struct member *m, uint64_t offset, unsigned char **unpacked)
{
    unsigned char *packed = NULL, *bytes = NULL;
    int rc;

    if (m->packed > a->bytes || m->size / MW_DEFLATE_RATIO > m->packed)
        return npz_malformed(a, "the stated size of a member exceeds its data");
    TRY(mw_host_takes_unpacked(a->path, m->packed, m->size, 0));
    TRY(mw_new((size_t)m->packed, 1, &packed));
    TRY(read_at(a, offset, packed, (size_t)m->packed));
    TRY(mw_new((size_t)m->size, 1, &bytes));
    TRY(mw_inflate(a->path, MW_DEFLATE_RAW, packed, (size_t)m->packed, bytes, (size_t)m->size));
    TRY(compare_checksum(a, m, mw_crc32(0, bytes, (size_t)m->size)));
    *unpacked = bytes;
    bytes = NULL;
out:
    free(packed);
    free(bytes);
    return rc;
}

/* Finds where the data of a member begin. */
static int find_data(const struct archive *a, const struct member *m, uint64_t *offset)
{
    unsigned char local[LOCAL_BYTES];
    TRY_RETURN(read_at(a, m->local, local, sizeof local));
    if (memcmp(local, "PK\3\4", 4) != 0)
        return npz_malformed(a, "the directory has a wrong offset of a member");
    *offset = m->local + LOCAL_BYTES + npz_number(local + 26, 2) + npz_number(local + 28, 2);
    if (m->method == MW_ZIP_DEFLATED)
        return 0;
    if (m->method != MW_ZIP_STORED)
        return mw_fail(MW_EDATA, "%s is compressed by unsupported method %u (use numpy.savez or savez_compressed)",
                       a->path, m->method);
    if (m->packed != m->size || *offset > a->bytes || m->size > a->bytes - *offset)
        return npz_malformed(a, "the stated size of a member exceeds its data");
    return check_stored(a, m, *offset);
}

static int read_member(const struct archive *a, const struct member *m, struct mw_array *array)
{
    struct mw_npy_source from = { .path = a->path, .fd = a->fd, .left = (size_t)m->size };
    unsigned char *bytes = NULL;
    uint64_t offset;
    int rc;
    TRY(find_data(a, m, &offset));
    if (m->method == MW_ZIP_DEFLATED)
        TRY(inflate_member(a, m, offset, &bytes));
    else
        TRY(read_at(a, offset, NULL, 0));
    from.bytes = (const char *)bytes;
    TRY(mw_npy_read_source(&from, array));
out:
    free(bytes);
    return rc;
}

/* Opens the archive whose path has `length` bytes, and finds the member `name` (NULL: the first array). */
static int open_archive(const char *path, size_t length, const char *name, struct archive *a, struct member *m)
{
    struct stat st;
    a->path = strndup(path, length);
    a->name = name;
    if (!a->path)
        return mw_fail(MW_ENOMEM, "out of memory: cannot read %s", path);
    a->fd = open(a->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (a->fd < 0 || fstat(a->fd, &st) != 0)
        return mw_fail(MW_EIO, "cannot read %s: %s", a->path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return npz_malformed(a, "not a regular file");
    a->bytes = (uint64_t)st.st_size;
    TRY_RETURN(find_directory(a));
    return find_member(a, m);
}

static void close_archive(struct archive *a)
{
    if (a->fd >= 0)
        close(a->fd);
    free(a->path);
    free(a->directory);
    mw_text_free(&a->names);
}

static int read_array(const char *path, size_t length, const char *name, struct mw_array *array)
{
    struct archive a = { .fd = -1 };
    struct member m = { 0 };
    int rc;
    TRY(open_archive(path, length, name, &a, &m));
    TRY(read_member(&a, &m, array));
out:
    close_archive(&a);
    return rc;
}

int mw_npz_read(const char *path, struct mw_array *array)
{
    const size_t length = mw_npz_length(path);
    return read_array(path, length, path[length] ? path + length + 1 : NULL, array);
}

int mw_npz_read_word(const char *path, const char *name, char *word, size_t capacity)
{
    struct archive a = { .fd = -1 };
    struct member m = { 0 };
    unsigned char *bytes = NULL;
    size_t length = 0;
    uint64_t offset;
    int rc;
    TRY(open_archive(path, strlen(path), name, &a, &m));
    TRY(find_data(&a, &m, &offset));
    if (m.size < NPY_PREFIX_BYTES || m.size > WORD_MEMBER_MOST)
        TRY(npz_malformed(&a, "a member is not a word"));
    if (m.method == MW_ZIP_DEFLATED) {
        TRY(inflate_member(&a, &m, offset, &bytes));
    } else {
        TRY(mw_new((size_t)m.size, 1, &bytes));
        TRY(read_at(&a, offset, bytes, (size_t)m.size));
    }
    for (size_t i = NPY_PREFIX_BYTES + (size_t)npz_number(bytes + 8, 2); i < m.size && length + 1 < capacity; i++)
        if (bytes[i])
            word[length++] = (char)bytes[i];
    word[length] = '\0';
out:
    free(bytes);
    close_archive(&a);
    return rc;
}

int mw_npz_read_array(const char *path, const char *name, struct mw_array *array)
{
    return read_array(path, strlen(path), name, array);
}
/* SPDX-License-Identifier: MIT */

/* Built programs on disk: one file per entry, checked before use.
 *
 * An entry is: magic, format version, length of the key, key, length of the payload, payload, XXH64 of all before;
 * numbers are little-endian.  Drivers crash on damaged binaries, so anything unexpected makes an entry "not found". */
#include "dev/core/backend.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "MWPROG\r\n" /* a transfer as text shows */
#define SUFFIX ".program"
#define LOCK_NAME "build.lock"
#define LOCK_PATIENCE 300.0 /* seconds; builds that take longer are not known */

enum { FORMAT = 1, HEX = 32, NUMBER = 8, NAME_BYTES = HEX + sizeof(SUFFIX) };
static const uint64_t total_max = UINT64_C(256) << 20;
static const uint64_t second_seed = UINT64_C(0x6d657368776f726b);

static void put_number(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < NUMBER; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_number(const unsigned char *from)
{
    uint64_t value = 0;
    for (int i = 0; i < NUMBER; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static int entry_path(const char *key, bool shared, char **path)
{
    char name[NAME_BYTES];
    size_t n = strlen(key);
    snprintf(name, sizeof(name), "%016llx%016llx" SUFFIX, (unsigned long long)mw_hash64(key, n, 0),
             (unsigned long long)mw_hash64(key, n, second_seed));
    return (shared ? mw_cache_shared_file : mw_cache_file)("programs", name, path);
}

/* The rest of an entry as it is read. */
struct reader {
    const unsigned char *at;
    size_t left;
};

static bool build_cache_take(struct reader *r, uint64_t n, const unsigned char **bytes)
{
    if (n > r->left)
        return false;
    *bytes = r->at;
    r->at += n;
    r->left -= n;
    return true;
}

static bool build_cache_take_number(struct reader *r, uint64_t *value)
{
    const unsigned char *bytes;
    if (!build_cache_take(r, NUMBER, &bytes))
        return false;
    *value = get_number(bytes);
    return true;
}

/* Finds the payload of an entry that is whole and belongs to the key. */
static bool open_entry(const char *bytes, size_t n, const char *key, const unsigned char **payload, uint64_t *length)
{
    struct reader r = { (const unsigned char *)bytes, n };
    const unsigned char *magic, *stored_key;
    uint64_t version, key_length, sum;
    return build_cache_take(&r, strlen(MAGIC), &magic) && memcmp(magic, MAGIC, strlen(MAGIC)) == 0 &&
           build_cache_take_number(&r, &version) && version == FORMAT && build_cache_take_number(&r, &key_length) &&
           key_length == strlen(key) && build_cache_take(&r, key_length, &stored_key) &&
           memcmp(stored_key, key, key_length) == 0 && build_cache_take_number(&r, length) &&
           build_cache_take(&r, *length, payload) && build_cache_take_number(&r, &sum) && r.left == 0 &&
           sum == mw_hash64(bytes, n - NUMBER, 0);
}

static bool get_entry(const char *key, bool shared, char **result, size_t *n)
{
    char *path = NULL, *bytes = NULL, *copy = NULL;
    const unsigned char *payload;
    size_t read = 0;
    uint64_t length;
    bool found = false;
    if (entry_path(key, shared, &path) != 0 || mw_file_read(path, (size_t)total_max, &bytes, &read) != 0)
        goto out;
    if (!open_entry(bytes, read, key, &payload, &length) || mw_new((size_t)length, 1, &copy) != 0)
        goto out;
    memcpy(copy, payload, (size_t)length);
    /* The oldest entries are removed first: a use makes one young. */
    if (!shared)
        utimensat(AT_FDCWD, path, NULL, 0);
    *result = copy;
    *n = (size_t)length;
    found = true;
out:
    free(bytes);
    free(path);
    return found;
}

bool mw_cache_get(const char *key, char **result, size_t *n)
{
    return get_entry(key, false, result, n) || get_entry(key, true, result, n);
}

static int write_entry(const char *path, const char *key, const void *bytes, size_t n)
{
    struct mw_file *file = NULL;
    struct mw_hasher hasher;
    unsigned char version[NUMBER], key_length[NUMBER], length[NUMBER], sum[NUMBER];
    const struct {
        const void *bytes;
        size_t n;
    } parts[] = {
        { MAGIC, strlen(MAGIC) }, { version, NUMBER }, { key_length, NUMBER },
        { key, strlen(key) },     { length, NUMBER },  { bytes, n },
    };
    int rc;
    put_number(version, FORMAT);
    put_number(key_length, strlen(key));
    put_number(length, n);
    mw_hasher_start(&hasher, 0);
    TRY(mw_file_create(path, false, &file));
    for (size_t i = 0; i < MW_COUNT(parts); i++) {
        mw_hasher_add(&hasher, parts[i].bytes, parts[i].n);
        TRY(mw_file_write(file, parts[i].bytes, parts[i].n));
    }
    put_number(sum, mw_hasher_end(&hasher));
    TRY(mw_file_write(file, sum, sizeof(sum)));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    return rc;
}

void mw_cache_put(const char *key, const void *bytes, size_t n)
{
    char *path = NULL;
    if (n < total_max && entry_path(key, false, &path) == 0 && write_entry(path, key, bytes, n) == 0)
        mw_cache_trim(total_max);
    free(path);
}

/* Each key is locked by one byte of a common file, and no key locks all bytes. Locks leave no files. */
static bool lock_byte(int lock, const char *key)
{
    struct flock range = { .l_type = F_WRLCK,
                           .l_whence = SEEK_SET,
                           .l_len = key ? 1 : 0,
                           .l_start = key ? (off_t)(mw_hash64(key, strlen(key), 0) >> 2) : 0 };
    return fcntl(lock, F_OFD_SETLK, &range) == 0 || (errno != EAGAIN && errno != EACCES && errno != EINTR);
}

bool mw_cache_lock(const char *key, int *lock)
{
    char *path = NULL;
    *lock = -1;
    if (mw_cache_file("", LOCK_NAME, &path) == 0)
        *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    free(path);
    return *lock < 0 || lock_byte(*lock, key);
}

/* A process that waits too long, for one that hangs or was stopped, continues without the lock. */
void mw_cache_wait(const char *key, int lock)
{
    const struct timespec pause = { .tv_nsec = 5000000 };
    const double until = mw_now() + LOCK_PATIENCE;
    while (!lock_byte(lock, key) && mw_now() < until)
        nanosleep(&pause, NULL);
}

void mw_cache_lock_all(int *lock)
{
    if (mw_cache_lock(NULL, lock))
        return;
    mw_log(MW_LOG_WAIT, "waiting for other processes that compile");
    mw_cache_wait(NULL, *lock);
    mw_log(MW_LOG_WAIT, "%s", "");
}

void mw_cache_unlock(int lock)
{
    struct flock all = { .l_type = F_UNLCK, .l_whence = SEEK_SET };
    if (lock >= 0) {
        fcntl(lock, F_OFD_SETLK, &all); /* a process forked since then has the descriptor as well */
        close(lock);
    }
}

static bool is_entry(const char *name)
{
    return strlen(name) == HEX + strlen(SUFFIX) && strspn(name, "0123456789abcdef") == HEX &&
           strcmp(name + HEX, SUFFIX) == 0;
}

struct entry {
    char name[NAME_BYTES];
    uint64_t bytes;
    struct timespec used;
};
struct entries {
    char *folder;
    struct entry *entry;
    size_t count;
};

static int add_entry(struct entries *all, const char *name, const struct stat *st)
{
    TRY_RETURN(mw_grow(all->count, sizeof *all->entry, &all->entry));
    struct entry *e = &all->entry[all->count++];
    mw_copy_string(e->name, sizeof(e->name), name);
    e->bytes = (uint64_t)st->st_size;
    e->used = st->st_mtim;
    return 0;
}

static void free_entries(struct entries *all)
{
    free(all->folder);
    free(all->entry);
}

static int list_entries(struct entries *all)
{
    DIR *dir = NULL;
    int rc;
    TRY(mw_cache_folder_look("programs", &all->folder));
    dir = opendir(all->folder);
    if (!dir && errno != ENOENT) {
        rc = errno == ENOMEM
                 ? mw_fail(MW_ENOMEM, "out of memory: the cache folder %s cannot be listed", all->folder)
                 : mw_fail(MW_EIO, "the cache folder %s cannot be listed: %s", all->folder, strerror(errno));
        goto out;
    }
    for (const struct dirent *d; dir && (d = readdir(dir));) {
        struct stat st;
        if (is_entry(d->d_name) && fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
            TRY(add_entry(all, d->d_name, &st));
    }
out:
    if (dir)
        closedir(dir);
    return rc;
}

static int older_first(const void *left, const void *right)
{
    const struct timespec *a = &((const struct entry *)left)->used, *b = &((const struct entry *)right)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

static int remove_entry(const struct entries *all, const struct entry *e)
{
    char *path = NULL;
    int rc;
    TRY(mw_path_join(all->folder, e->name, &path));
    if (unlink(path) != 0 && access(path, F_OK) == 0)
        rc = mw_fail(MW_EIO, "%s cannot be removed from the cache: check its permissions", path);
out:
    free(path);
    return rc;
}

int mw_cache_trim(uint64_t bytes)
{
    struct entries all = { 0 };
    uint64_t total = 0;
    int rc;
    TRY(list_entries(&all));
    for (size_t i = 0; i < all.count; i++)
        total += all.entry[i].bytes;
    if (total > bytes)
        qsort(all.entry, all.count, sizeof(*all.entry), older_first);
    for (size_t i = 0; i < all.count && total > bytes; i++) {
        TRY(remove_entry(&all, &all.entry[i]));
        total -= all.entry[i].bytes;
    }
out:
    free_entries(&all);
    return rc;
}

int mw_cache_stats(struct mw_cache_stats *stats)
{
    struct entries all = { 0 };
    struct mw_cache_stats sum = MW_INIT(sum);
    int rc;
    TRY(list_entries(&all));
    sum.entries = all.count;
    for (size_t i = 0; i < all.count; i++)
        sum.bytes += all.entry[i].bytes;
    TRY(MW_RESULT_GIVE(mw_cache_stats, &sum, bytes, stats));
out:
    free_entries(&all);
    return rc;
}

int mw_cache_clear(void)
{
    static const char *const folders[] = { "programs", "pocl", "drivers" };
    int rc = 0, lock;
    mw_cache_lock_all(&lock);
    /* PoCL's own cache lies in ours, and it is the one whose damaged entries end the process. */
    for (size_t i = 0; i < MW_COUNT(folders); i++) {
        char *folder = NULL;
        TRY(mw_cache_folder(folders[i], &folder));
        if (!mw_folder_clear(folder))
            rc = mw_fail(errno == ENOMEM ? MW_ENOMEM : MW_EIO, "the cache folder %s cannot be cleared: %s", folder,
                         strerror(errno));
        free(folder);
        TRY(rc);
    }
out:
    mw_cache_unlock(lock);
    return rc;
}
/* SPDX-License-Identifier: MIT */

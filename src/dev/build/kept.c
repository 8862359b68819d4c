/* Checks PoCL's files in our folder of caches. PoCL ends the process if a file is damaged, and keeps the file.
 * Therefore programs are removed before PoCL reads them if one of their files has changed since the last check, or is
 * new and truncated. PoCL compiles them again.
 *
 * A record has two hashes for each file: of its name, and of its size and times.  One of the times is that of the last
 * change, which programs cannot set.  An empty record, as after a crash, means that no file is trusted. */
#include "dev/core/backend.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "MWKEPT2\n"
#define RECORD_MOST ((size_t)64 << 20)

struct kept {
    uint64_t name, state;
};
struct record {
    struct kept *item;
    size_t count;
    bool distrust;
};

/* State of a walk through the folder, since nftw passes no argument. */
struct walk {
    size_t prefix; /* bytes of the folder's name */
    const struct record *before;
    struct record now;
    char **doomed; /* programs to be removed, each a folder below the folder */
    size_t doomed_count;
    struct mw_kept_stats stats;
    int rc;
};
static _Thread_local struct walk *walk;

/* ---- files that are cut short ---- */

/* A library's table of sections is at its end. */
static bool is_whole_library(int file, uint64_t size)
{
    Elf64_Ehdr head;
    if (pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    return head.e_ident[EI_CLASS] != ELFCLASS64 ||
           (head.e_shoff <= size && (uint64_t)head.e_shnum * head.e_shentsize <= size - head.e_shoff);
}

/* LLVM's bitcode is a magic number and blocks, each with its length in words. */
static bool is_whole_bitcode(int file, uint64_t size)
{
    enum { WRAPPER = 0x0B17C0DE, ENTER_BLOCK = 1 };
    static const unsigned char magic[4] = { 'B', 'C', 0xC0, 0xDE };
    uint32_t head[2];
    uint64_t at = sizeof magic;
    if (pread(file, head, sizeof head, 0) != (ssize_t)sizeof head)
        return false;
    if (head[0] == WRAPPER)
        return true;
    if (memcmp(head, magic, sizeof magic) != 0)
        return false;
    while (at < size) {
        if (pread(file, head, sizeof head, (off_t)at) != (ssize_t)sizeof head || (head[0] & 3) != ENTER_BLOCK)
            return false;
        at += sizeof head + 4 * (uint64_t)head[1];
    }
    return at == size;
}

static bool is_whole(const char *path, uint64_t size)
{
    static const struct {
        const char *end;
        bool (*test)(int file, uint64_t size);
    } kinds[] = {
        { ".so", is_whole_library },
        { ".bc", is_whole_bitcode },
    };
    const size_t n = strlen(path);
    bool whole = true;
    for (size_t i = 0; i < MW_COUNT(kinds); i++) {
        const size_t end = strlen(kinds[i].end);
        if (n < end || strcmp(path + n - end, kinds[i].end) != 0)
            continue;
        const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        whole = file >= 0 && kinds[i].test(file, size);
        if (file >= 0)
            close(file);
    }
    return whole;
}

/* ---- the record ---- */

static int kept_by_name(const void *left, const void *right)
{
    const struct kept *a = left, *b = right;
    return (a->name > b->name) - (a->name < b->name);
}

static int record_add(struct record *r, struct kept kept)
{
    TRY_RETURN(mw_grow(r->count, sizeof *r->item, &r->item));
    r->item[r->count++] = kept;
    return 0;
}

static void record_read(const char *path, struct record *r)
{
    const size_t head = strlen(MAGIC);
    char *bytes = NULL;
    size_t n = 0;
    if (access(path, F_OK) != 0 || mw_file_read(path, RECORD_MOST, &bytes, &n) != 0)
        return;
    r->distrust = n == 0;
    if (n >= head && memcmp(bytes, MAGIC, head) == 0 && (n - head) % sizeof *r->item == 0 &&
        mw_new((n - head) / sizeof *r->item + 1, sizeof *r->item, &r->item) == 0) {
        r->count = (n - head) / sizeof *r->item;
        memcpy(r->item, bytes + head, n - head);
    }
    free(bytes);
}

static void record_write(const char *path, const struct record *r)
{
    struct mw_file *file = NULL;
    if (mw_file_create(path, false, &file) != 0)
        return;
    if (mw_file_write(file, MAGIC, strlen(MAGIC)) == 0 &&
        (r->count == 0 || mw_file_write(file, r->item, r->count * sizeof *r->item) == 0))
        mw_file_commit(file);
    else
        mw_file_abandon(file);
}

/* ---- the walk ---- */

/* The program that a file belongs to is the folder two levels down. */
static int doom(const char *path)
{
    const char *end = strchr(path + walk->prefix, '/');
    end = end ? strchr(end + 1, '/') : NULL;
    if (!end)
        return 0;
    const size_t n = (size_t)(end - path);
    const char *last = walk->doomed_count ? walk->doomed[walk->doomed_count - 1] : "";
    if (strncmp(last, path, n) == 0 && last[n] == '\0')
        return 0;
    TRY_RETURN(mw_grow(walk->doomed_count, sizeof *walk->doomed, &walk->doomed));
    if (!(walk->doomed[walk->doomed_count] = strndup(path, n)))
        return mw_fail(MW_ENOMEM, "out of memory while checking PoCL's files");
    walk->doomed_count++;
    return 0;
}

static int kept_visit(const char *path, const struct stat *st, int type, struct FTW *where)
{
    const char *const name = path + walk->prefix;
    int rc = 0;
    if (type != FTW_F)
        return 0;
    walk->stats.files++;
    walk->stats.bytes += (uint64_t)st->st_size;
    if (where->level < 3 || strcmp(path + where->base, "last_accessed") == 0)
        return 0;
    const int64_t state[] = { st->st_size, st->st_mtim.tv_sec, st->st_mtim.tv_nsec, st->st_ctim.tv_sec,
                              st->st_ctim.tv_nsec };
    const struct kept kept = { mw_hash64(name, strlen(name), 0), mw_hash64(state, sizeof state, 0) };
    const struct record *const before = walk->before;
    const struct kept *const known =
        before && before->count ? bsearch(&kept, before->item, before->count, sizeof kept, kept_by_name) : NULL;
    const bool sound =
        !(before && before->distrust) && (known ? known->state == kept.state : is_whole(path, (uint64_t)st->st_size));
    if (!sound && walk->stats.damaged++ == 0)
        mw_copy_string(walk->stats.first, sizeof walk->stats.first, path);
    if (before)
        TRY(sound ? record_add(&walk->now, kept) : doom(path));
out:
    walk->rc = rc;
    return rc;
}

static int walk_through(const char *folder, struct walk *w)
{
    const size_t n = strlen(folder);
    w->prefix = n + (n > 0 && folder[n - 1] != '/');
    walk = w;
    const int walked = nftw(folder, kept_visit, 16, FTW_PHYS);
    walk = NULL;
    return w->rc                           ? w->rc
           : walked < 0 && errno == ENOMEM ? mw_fail(MW_ENOMEM, "out of memory: %s cannot be listed", folder)
                                           : 0;
}

/* Returns whether the record equals the files. */
static bool is_same(const struct record *a, const struct record *b)
{
    return !a->distrust && a->count == b->count &&
           (a->count == 0 || memcmp(a->item, b->item, a->count * sizeof *a->item) == 0);
}

/* Removes deleted programs from the record; another walk finds their remaining files. */
static int look_again(const char *folder, struct walk *w)
{
    const struct record nothing = { 0 };
    struct walk again = { .before = &nothing };
    int rc;
    TRY(walk_through(folder, &again));
    free(w->now.item);
    w->now = MW_PASS(again.now);
out:
    free(again.now.item);
    for (size_t i = 0; i < again.doomed_count; i++)
        free(again.doomed[i]);
    free(again.doomed);
    return rc;
}

/* Walks through the folder with the record of that path. */
static int kept_look(const char *folder, const char *path, struct record *before, struct walk *w)
{
    *before = (struct record){ 0 };
    *w = (struct walk){ .before = before };
    record_read(path, before);
    return walk_through(folder, w);
}

static void forget(struct record *before, struct walk *w)
{
    for (size_t i = 0; i < w->doomed_count; i++)
        free(w->doomed[i]);
    free(w->doomed);
    free(w->now.item);
    free(before->item);
}

/* Removes damaged programs while no other process compiles or loads. */
static int kept_check(const char *folder, const char *path, size_t *removed)
{
    struct record before;
    struct walk w;
    int rc, lock = -1;
    TRY(kept_look(folder, path, &before, &w));
    if (w.doomed_count) {
        mw_cache_lock_all(&lock);
        forget(&before, &w); /* another process may have compiled it again */
        TRY(kept_look(folder, path, &before, &w));
    }
    for (size_t i = 0; i < w.doomed_count; i++)
        *removed += mw_folder_clear(w.doomed[i]) && rmdir(w.doomed[i]) == 0;
    if (w.doomed_count)
        TRY(look_again(folder, &w));
    if (w.now.count)
        qsort(w.now.item, w.now.count, sizeof *w.now.item, kept_by_name);
    if (!is_same(&before, &w.now))
        record_write(path, &w.now);
out:
    mw_cache_unlock(lock);
    forget(&before, &w);
    return rc;
}

/* ---- interface ---- */

static char *volatile record_path;

int mw_kept_check(const char *folder, size_t *removed)
{
    char *path = NULL;
    int rc;
    *removed = 0;
    TRY(mw_cache_file("drivers", "pocl.files", &path));
    TRY(kept_check(folder, path, removed));
    if (!record_path)
        record_path = MW_PASS(path);
out:
    free(path);
    return rc;
}

void mw_kept_distrust(void)
{
    const int file = record_path ? open(record_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    if (file >= 0)
        close(file);
}

int mw_kept_look(const char *folder, struct mw_kept_stats *stats)
{
    struct walk w = { .before = NULL };
    TRY_RETURN(MW_RESULT_GIVE(mw_kept_stats, NULL, first, stats));
    TRY_RETURN(walk_through(folder, &w));
    return MW_RESULT_GIVE(mw_kept_stats, &w.stats, first, stats);
}
/* SPDX-License-Identifier: MIT */

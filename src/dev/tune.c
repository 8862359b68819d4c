/* Tuning: the measuring of candidates, and the file that remembers winners. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "dev/shape.h"

#include <meshwork/tune.h>

/* --- measuring --- */

/* Candidates are in the rule's order of expected speed: a later one must win by more than noise. */
#define CLEARLY 0.97
/* As often, by turns, where seconds of so many passes are within the budget. */
#define REMATCHES 3
#define REMATCH_PASSES 20

/* Other programs may slow one measurement. A winner is therefore measured again next to the rule's choice, and must
 * also have the smaller minimum. */
static int rematch(const struct mw_tuning *tuning, size_t expected, double expected_least, size_t *winner,
                   double *least)
{
    const size_t who[] = { expected, *winner };
    double *const leasts[] = { &expected_least, least };
    for (size_t i = 0; i < 2 * REMATCHES; i++) {
        double again = NAN;
        if (tuning->measure(tuning->context, &tuning->candidates[who[i % 2]], &again) == MW_ESTOPPED)
            return MW_ESTOPPED;
        if (again >= 0 && again < *leasts[i % 2])
            *leasts[i % 2] = again;
    }
    if (*least >= expected_least * CLEARLY) {
        *winner = expected;
        *least = expected_least;
    }
    return 0;
}

int mw_tune(const struct mw_tuning *given, struct mw_shape *best, double *seconds, size_t *tried)
{
    struct mw_tuning asked;
    const struct mw_tuning *const tuning = &asked;
    double start = mw_now(), least = INFINITY, expected_least = INFINITY, last = 0;
    size_t winner = 0, expected = 0, i;
    int rc = MW_OPTIONS_TAKE(mw_tuning, given, context, &asked);
    if (rc != 0)
        return rc;
    if (tuning->count == 0)
        return mw_fail(MW_EINVAL, "there is nothing to tune: give at least one candidate that fits the device");
    /* No candidate is begun that would not be done in time, taking as long as the last one: most of it is spent on
     * compiling. */
    for (i = 0; i < tuning->count && (isinf(least) || mw_now() + last - start < tuning->budget); i++) {
        const double begin = mw_now();
        double taken = NAN;
        rc = tuning->measure(tuning->context, &tuning->candidates[i], &taken);
        if (rc == MW_ESTOPPED)
            return rc;
        if (rc == 0 && !(taken >= 0.0 && isfinite(taken)))
            rc = mw_fail(MW_EDEVICE,
                         "a tuning candidate was timed at %g seconds, which is invalid: choose a shape "
                         "without tuning",
                         taken);
        if (rc == 0 && (isinf(least) || taken < least * CLEARLY)) {
            if (isinf(least)) {
                expected = i;
                expected_least = taken;
            }
            least = taken;
            winner = i;
        }
        last = mw_now() - begin;
    }
    if (isinf(least))
        return rc;
    if (winner != expected && REMATCH_PASSES * least < tuning->budget &&
        (rc = rematch(tuning, expected, expected_least, &winner, &least)) != 0)
        return rc;
    *best = tuning->candidates[winner];
    if (seconds)
        *seconds = least;
    if (tried)
        *tried = i;
    return 0;
}

/* --- the file of winners --- */

#define FILE_NAME "tune.txt"
#define LOCK_NAME "tune.lock"
#define FILE_MAX ((size_t)4 << 20) /* bytes; a larger file is damaged, and the next entry starts a new one */
#define DEVICE_TEXT 320
#define LOCK_TRIES 200 /* 5 ms each; then another process's change may be lost, which costs a measurement */

static const char header[] = "# Measured by meshwork: the fastest shape of a kernel on a device. Safe to remove.\n"
                             "# device (id, name, driver, units)\tkey\thash of the source\tshape\tseconds\n";

struct entry {
    const char *device, *key; /* in the text that was read */
    uint64_t hash;
    struct mw_shape shape;
    double seconds;
};

struct book {
    char *path, *text;
    struct entry *entries;
    size_t count;
};

/* The device as entries name it; the units because the best shape depends on the number of threads as well. */
static void device_text(const struct mw_device_info *device, char *text)
{
    snprintf(text, DEVICE_TEXT, "%.23s, %.127s, %.127s, %u", device->id, device->name, device->driver,
             device->compute_units);
    for (char *c = text; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? ' ' : *c;
}

static bool key_ok(const char *key)
{
    const char *c = key;
    while ((unsigned char)*c >= ' ')
        c++;
    return c != key && *c == '\0';
}

/* Nine decimals: fewer are a damaged line. */
static bool read_seconds(const char *text, double *seconds)
{
    const char *point = strchr(text, '.');
    char *end;
    *seconds = mw_number_read(text, &end);
    return point && end - point == 10 && *end == '\0' && *seconds >= 0;
}

static bool read_hash(const char *text, uint64_t *hash)
{
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return false;
    *hash = strtoull(text, NULL, 16);
    return true;
}

/* Reads one line, which it cuts at its tabs; false where it is damaged. */
static bool read_line(char *line, struct entry *entry)
{
    char *column[5];
    size_t n = 0;
    for (char *at = line; at && n < MW_COUNT(column); n++) {
        column[n] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
        if (at && n + 1 == MW_COUNT(column))
            return false;
    }
    if (n != MW_COUNT(column) || !*column[0] || !*column[1])
        return false;
    *entry = (struct entry){ .device = column[0], .key = column[1] };
    return read_hash(column[2], &entry->hash) && !mw_shape_read(column[3], &entry->shape) &&
           read_seconds(column[4], &entry->seconds);
}

static int book_parse(struct book *book, size_t bytes)
{
    size_t lines = 2; /* the last line may lack its newline; and mw_tune_put adds one */
    char *end = book->text + bytes, *next;
    for (const char *c = book->text; c < end; c++)
        lines += *c == '\n';
    TRY_RETURN(mw_new(lines, sizeof *book->entries, &book->entries));
    for (char *line = book->text; line < end; line = next) {
        char *newline = memchr(line, '\n', (size_t)(end - line)), *stop = newline ? newline : end;
        next = stop + 1;
        *stop = '\0';
        if (*line != '#' && strlen(line) == (size_t)(stop - line) && read_line(line, &book->entries[book->count]))
            book->count++;
    }
    return 0;
}

/* Reads the stored measurements; nothing if the file is missing or not a tuning file. */
static int book_open(struct book *book)
{
    size_t bytes = 0;
    int rc;
    TRY(mw_cache_file("", FILE_NAME, &book->path));
    if (access(book->path, F_OK) == 0)
        rc = mw_file_read(book->path, FILE_MAX, &book->text, &bytes);
    if (rc != 0 && rc != MW_ELIMIT)
        goto out;
    if (!book->text)
        TRY(mw_strdup("", &book->text));
    TRY(book_parse(book, bytes));
out:
    return rc;
}

static void book_close(struct book *book)
{
    free(book->entries);
    free(book->text);
    free(book->path);
}

static struct entry *book_find(const struct book *book, const char *device, const char *key)
{
    for (size_t i = 0; i < book->count; i++) {
        if (strcmp(book->entries[i].device, device) == 0 && strcmp(book->entries[i].key, key) == 0)
            return &book->entries[i];
    }
    return NULL;
}

static int book_write(const struct book *book)
{
    struct mw_text text = { 0 };
    char shape[MW_SHAPE_TEXT];
    int rc;
    mw_text_add(&text, "%s", header);
    for (size_t i = 0; i < book->count; i++) {
        const struct entry *e = &book->entries[i];
        mw_shape_format(&e->shape, shape);
        mw_text_add(&text, "%s\t%s\t%016" PRIx64 "\t%s\t%.9f\n", e->device, e->key, e->hash, shape, e->seconds);
    }
    TRY(mw_text_ok(&text));
    rc = mw_file_put(book->path, false, text.data, text.length);
out:
    mw_text_free(&text);
    return rc;
}

/* Locks a file next to the entries, so that processes take turns. Returns -1 if that fails; writing is still safe: the
 * file is replaced as a whole, and at worst another process's new entry is lost. */
static int lock_take(void)
{
    const struct timespec pause = { .tv_nsec = 5000000 };
    char *path = NULL;
    int lock = -1;
    if (mw_cache_file("", LOCK_NAME, &path) == 0)
        lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    for (int i = 0; lock >= 0 && i < LOCK_TRIES && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; i++)
        nanosleep(&pause, NULL);
    free(path);
    return lock;
}

static void lock_release(int lock)
{
    if (lock >= 0)
        close(lock);
}

bool mw_tune_get(const struct mw_device_info *device, const char *key, uint64_t hash, struct mw_shape *shape)
{
    struct book book = { 0 };
    char name[DEVICE_TEXT];
    const struct entry *entry = NULL;
    bool found;
    device_text(device, name);
    if (book_open(&book) == 0)
        entry = book_find(&book, name, key);
    found = entry && entry->hash == hash;
    if (found)
        *shape = entry->shape;
    book_close(&book);
    return found;
}

int mw_tune_put(const struct mw_device_info *device, const char *key, uint64_t hash, const struct mw_shape *shape,
                double seconds)
{
    struct book book = { 0 };
    char name[DEVICE_TEXT];
    struct entry *entry;
    int rc, lock = -1;
    if (!key_ok(key))
        return mw_fail(MW_EINVAL, "\"%.60s\" is not a valid key of a tuning entry: use one line of text without tabs",
                       key);
    if (!(seconds >= 0.0 && seconds < (double)UINT32_MAX))
        return mw_fail(MW_EINVAL, "invalid tuning entry of %g seconds: must be 0 to 2^32 - 2", seconds);
    device_text(device, name);
    lock = lock_take();
    TRY(book_open(&book));
    entry = book_find(&book, name, key);
    if (!entry)
        entry = &book.entries[book.count++];
    *entry = (struct entry){ .device = name, .key = key, .hash = hash, .shape = *shape, .seconds = seconds };
    TRY(book_write(&book));
out:
    lock_release(lock);
    book_close(&book);
    return rc;
}

int mw_tune_each(void (*visit)(void *context, const char *device, const char *key, const struct mw_shape *shape,
                               double seconds),
                 void *context)
{
    struct book book = { 0 };
    int rc;
    TRY(book_open(&book));
    for (size_t i = 0; i < book.count; i++) {
        const struct entry *e = &book.entries[i];
        visit(context, e->device, e->key, &e->shape, e->seconds);
    }
out:
    book_close(&book);
    return rc;
}

int mw_tune_clear(void)
{
    char *path = NULL;
    int rc, lock = lock_take();
    TRY(mw_cache_file("", FILE_NAME, &path));
    if (unlink(path) != 0 && errno != ENOENT)
        rc = mw_fail(MW_EIO, "%s cannot be removed: %s", path, strerror(errno));
out:
    lock_release(lock);
    free(path);
    return rc;
}
/* SPDX-License-Identifier: MIT */

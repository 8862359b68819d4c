/* What every module stands on: failures, memory, text, hashing, files.  Internal; knows no other module.  The command
 * has failures, memory, text, hashes and the clock of it. */
#ifndef MW_BASE_H
#define MW_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork/file.h>
#include <meshwork/status.h>

#include "base/ascii.h"

/* A message for the receiver that mw_log_to sets. */
void mw_log(enum mw_log_level level, const char *format, ...) MW_PRINTF(2, 3);

/* A call that fails ends the function: where something is to be freed by way of `out:`, with the status in `rc`; else
 * at once. */
#define TRY(e) do { if ((rc = (e)) != 0) goto out; } while (0)
#define TRY_RETURN(e) do { const int status_ = (e); if (status_ != 0) return status_; } while (0)

/* Sizes: false when the result does not fit. */
static inline bool mw_mul(size_t a, size_t b, size_t *product) { return !__builtin_mul_overflow(a, b, product); }
static inline bool mw_add(size_t a, size_t b, size_t *sum) { return !__builtin_add_overflow(a, b, sum); }
static inline size_t mw_ceil_div(size_t a, size_t b) { return a / b + (a % b != 0); }
/* What the word for n things ends in. */
#define MW_S(n) ((n) == 1 ? "" : "s")
#define MW_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Zeroed memory for n things of a size; 64-byte aligned if `mw_new_aligned` (freed by free() as well).
 * Errors: MW_ENOMEM, also when n * size overflows.  n * size == 0 yields a pointer that may be freed. */
int mw_new(size_t n, size_t size, void *pointer_to_pointer);
int mw_new_aligned(size_t n, size_t size, void *pointer_to_pointer);
/* Makes room for one more thing of a size after `count` of them, in memory that was NULL before the first and grows by
 * this alone: it doubles at each power of two.  The caller's memory stays as it is on failure. */
int mw_grow(size_t count, size_t size, void *pointer_to_pointer);
int mw_strdup(const char *s, char **copy);
/* How many numbers `copies` of n are; MW_ENOMEM where no memory has so many. */
int mw_numbers_of(size_t n, size_t copies, size_t *numbers);
/* Copies at most size - 1 bytes and always ends the string; false when it was cut. */
bool mw_copy_string(char *to, size_t size, const char *from);

/* Takes a caller's options, of whichever version, as this library has them, by the rules of status.h: *taken is a whole
 * struct, with all that was not given 0.  `given` NULL: all of it.  `last`: the last member that the struct's first
 * version has, which never changes.  Errors: MW_EINVAL, MW_ENOTSUP. */
#define MW_OPTIONS_TAKE(name, given, last, taken)                                                                     \
    mw_options_take(#name, 1 ? (given) : (const struct name *)0,                                                      \
                    offsetof(struct name, last) + sizeof ((const struct name *)0)->last,                              \
                    1 ? (taken) : (struct name *)0, sizeof(struct name))
int mw_options_take(const char *name, const void *given, size_t first, void *taken, size_t bytes);

/* Gives a caller a result, in a struct of whichever version: the members that it has, and 0 for those that only later
 * versions know.  `known`: a whole struct; NULL: only checks the caller's size, before the work.  `given` NULL: the
 * result is not wanted.  `last`: as above.  Errors: MW_EINVAL (the size). */
#define MW_RESULT_GIVE(name, known, last, given)                                                                      \
    mw_result_give(#name, 1 ? (known) : (const struct name *)0,                                                       \
                   offsetof(struct name, last) + sizeof ((const struct name *)0)->last, sizeof(struct name),          \
                   1 ? (given) : (struct name *)0)
int mw_result_give(const char *name, const void *known, size_t first, size_t bytes, void *given);
/* Zeroes a result as far as its size says, for functions that free what it holds.  Its size stays. */
void mw_result_clear(void *given);

/* A string that grows.  Start with { 0 }.  A failed append is remembered: check `mw_text_ok` once at the end
 * (MW_ENOMEM).  `data` is NULL while nothing was appended.  Numbers have a decimal point, whatever the program's
 * locale. */
struct mw_text { char *data; size_t length, capacity; bool failed; };
void mw_text_add(struct mw_text *t, const char *format, ...) MW_PRINTF(2, 3);
void mw_text_append(struct mw_text *t, const char *bytes, size_t n);
int mw_text_ok(const struct mw_text *t);
void mw_text_free(struct mw_text *t);
/* strtod, with a decimal point whatever the program's locale. */
double mw_number_read(const char *text, char **end);

/* Finds the value, from 0 on, of a name that `name_of` gives it; `what`: what has names.  MW_EINVAL: there is none. */
int mw_value_find(const char *what, const char *(*name_of)(int value), const char *name, int *value);
/* Defines mw_X_name and mw_X_find of enum mw_X (status.h), by the names as designated initialisers. */
#define MW_ENUM_NAMES(noun, what, ...)                                                                                \
    const char *mw_##noun##_name(int value)                                                                           \
    {                                                                                                                 \
        static const char *const names[] = { __VA_ARGS__ };                                                           \
        return value >= 0 && (size_t)value < MW_COUNT(names) ? names[value] : NULL;                                   \
    }                                                                                                                 \
    MW_ENUM_FIND(noun, what)
/* The second alone, where names are rows of a table. */
#define MW_ENUM_FIND(noun, what)                                                                                      \
    int mw_##noun##_find(const char *name, enum mw_##noun *value)                                                     \
    {                                                                                                                 \
        int found;                                                                                                    \
        TRY_RETURN(mw_value_find(what, mw_##noun##_name, name, &found));                                              \
        *value = (enum mw_##noun)found;                                                                               \
        return 0;                                                                                                     \
    }

/* Bytes for people: "1.50 GiB"; use within one expression. */
struct mw_amount { char text[24]; };
struct mw_amount mw_amount(uint64_t bytes);

/* XXH64 (Collet, the public specification), as the command xxhsum -H64 prints it: identifies sources and results.
 * Not for security.  The streaming form gives the same value as the one-call form. */
uint64_t mw_hash64(const void *bytes, size_t n, uint64_t seed);
struct mw_hasher { uint64_t lane[4], seed, total; unsigned char tail[32]; size_t tail_length; };
void mw_hasher_start(struct mw_hasher *h, uint64_t seed);
void mw_hasher_add(struct mw_hasher *h, const void *bytes, size_t n);
/* Words of so many bytes each, 8 at most: as the bytes that they have on little-endian machines. */
void mw_hasher_add_words(struct mw_hasher *h, const void *words, size_t count, size_t bytes);
uint64_t mw_hasher_end(const struct mw_hasher *h);

double mw_now(void);                       /* monotonic seconds */
/* The same without what this process has spent on compiling and loading code, by which work is timed; and what adds to
 * that.  Both of any thread. */
double mw_work_now(void);
double mw_compile_seconds(void);
void mw_compile_seconds_add(double seconds);

/* Files.  Paths are malloc'ed and owned by the caller. */
int mw_path_join(const char *folder, const char *name, char **path);
/* Where a path leads by symbolic links; nothing need be there.  MW_ENOMEM, MW_EIO. */
int mw_path_target(const char *path, char **target);
/* Removes all that can be removed in a folder; links, not what they lead to.  What others remove meanwhile is no
 * failure.  False: errno says why something is left. */
bool mw_folder_clear(const char *path);
/* Syncs the folder of a file, so that the file's name outlives a power cut.  MW_EIO: the disk fails; MW_ENOMEM. */
int mw_folder_sync(const char *file);
/* Fails with MW_EIO and "cannot write WHAT PATH: ...", for an errno; of EFBIG with the limit. */
int mw_fail_write(const char *what, const char *path, int reason);
/* Reads a whole file, NUL behind its end.  MW_EIO; MW_ELIMIT beyond `max` bytes. */
int mw_file_read(const char *path, size_t max, char **bytes, size_t *n);
/* Reads until n bytes are there or the input ends; *got may be short only at its end.  False: errno says why. */
bool mw_read_fully(int descriptor, void *to, size_t n, size_t *got);
/* Writes all bytes, also to a pipe that does not wait.  False: errno says why. */
bool mw_write_fully(int descriptor, const char *bytes, size_t n);
/* Puts a file on the disk; true also of pipes and terminals, which cannot be synced.  False: errno says why. */
bool mw_sync(int descriptor);
/* A file in the cache folder, or in one below it, which may be read-only.  MW_EIO: also a link there that somebody else
 * made. */
int mw_cache_file(const char *below, const char *name, char **path);
/* Finds a kernel file: in `folder` if not NULL, else $MESHWORK_KERNEL_PATH, else where the package installed them:
 * as far from the library as PKGDATADIR "/cl" is from LIBDIR if there is such a folder, so that an installation can be
 * moved, else PKGDATADIR "/cl".  The name is relative and without "..".  MW_EIO lists the places looked at. */
int mw_kernel_file(const char *folder, const char *name, char **path);

#endif
/* SPDX-License-Identifier: MIT */

/* Failures, memory, text, hashes, clocks and files, for all modules.  Internal.  The command uses all of it but
 * files. */
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

/* Sends a message to the receiver that mw_log_to has set. */
void mw_log(enum mw_log_level level, const char *format, ...) MW_PRINTF(2, 3);

/* Stores the status of a call in `rc`, and if it is not 0, goes to `out:`, where the function frees its objects. */
#define TRY(e)                                                                                                         \
    do {                                                                                                               \
        if ((rc = (e)) != 0)                                                                                           \
            goto out;                                                                                                  \
    } while (0)
/* Returns from the function with the status of a call if that is not 0. For functions that own nothing. */
#define TRY_RETURN(e)                                                                                                  \
    do {                                                                                                               \
        const int status_ = (e);                                                                                       \
        if (status_ != 0)                                                                                              \
            return status_;                                                                                            \
    } while (0)
/* Returns a pointer or struct and zeroes it, so that what `out:` frees does not include the result. */
#define MW_PASS(made)                                                                                                  \
    __extension__({                                                                                                    \
        const __typeof__(made) passed_ = (made);                                                                       \
        memset(&(made), 0, sizeof(made));                                                                              \
        passed_;                                                                                                       \
    })

/* Multiplies two sizes; returns false if the product overflows. */
static inline bool mw_mul(size_t a, size_t b, size_t *product) { return !__builtin_mul_overflow(a, b, product); }
/* Adds two sizes; returns false if the sum overflows. */
static inline bool mw_add(size_t a, size_t b, size_t *sum) { return !__builtin_add_overflow(a, b, sum); }
static inline uint64_t mw_min(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t mw_max(uint64_t a, uint64_t b) { return a > b ? a : b; }
/* Returns a / b, rounded up. */
static inline size_t mw_ceil_div(size_t a, size_t b) { return a / b + (a % b != 0); }
/* Expands to the plural ending of a word for n things. */
#define MW_S(n) ((n) == 1 ? "" : "s")
/* Expands to the number of elements of an array. */
#define MW_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Allocates zeroed memory for n elements of a size; free() frees it. n * size == 0 yields a pointer that may be freed.
 * Errors: MW_ENOMEM, also if n * size overflows. */
int mw_new(size_t n, size_t size, void *pointer_to_pointer);
/* Allocates memory as mw_new does, aligned to 64 bytes. */
int mw_new_aligned(size_t n, size_t size, void *pointer_to_pointer);
/* Zeroes a caller's array and points to it, or if it is NULL allocates n zeroed elements, which mw_free_own frees. */
int mw_new_unless(void *callers, size_t n, size_t size, void *pointer_to_pointer);
/* Frees an array of mw_new_unless, unless it is the caller's. */
static inline void mw_free_own(const void *callers, void *array)
{
    if (array != callers)
        free(array);
}
/* Moves a result of n elements to a caller's array: copies it, frees it and sets its pointer to NULL. Does nothing if
 * `callers` is NULL. */
void mw_move_to(void *callers, size_t n, size_t size, void *pointer_to_pointer);
/* Makes room for one more element after `count` elements.  The pointer starts as NULL, and only this function
 * reallocates it, at each power of two.  On failure the memory is unchanged. */
int mw_grow(size_t count, size_t size, void *pointer_to_pointer);
/* Makes room for `more` elements after `count` in an array of *capacity elements, and for twice as many if `count` is
 * not 0.  On failure the memory is unchanged.  Errors: MW_ENOMEM. */
int mw_reserve(size_t count, size_t more, size_t size, size_t *capacity, void *pointer_to_pointer);
/* Objects that are freed together, the last one first.  A zeroed struct owns nothing. */
struct mw_owner {
    struct mw_owned *last;
};
/* Adds an object, which `drop` frees.  Frees it at once if there is no memory for the list.  Errors: MW_ENOMEM. */
int mw_own(struct mw_owner *owner, void *object, void (*drop)(void *object));
/* Adds another owner, whose objects are freed with this owner's. It is in memory that is valid until then, for example
 * an array that this owner took before. */
int mw_own_owner(struct mw_owner *owner, struct mw_owner *other);
/* Allocates memory as mw_new does, which the owner frees. */
int mw_own_new(struct mw_owner *owner, size_t n, size_t size, void *pointer_to_pointer);
/* Frees all objects, and empties the owner. */
void mw_owner_drop(struct mw_owner *owner);
/* Makes a copy of a string, which free() frees.  Errors: MW_ENOMEM. */
int mw_strdup(const char *s, char **copy);
/* Computes *numbers = copies * n.  MW_ENOMEM: the product overflows. */
int mw_numbers_of(size_t n, size_t copies, size_t *numbers);
/* Copies at most size - 1 bytes of a string and terminates the copy.  Returns false if it was truncated. */
bool mw_copy_string(char *to, size_t size, const char *from);

/* Converts a caller's options of any version to this library's struct, by the rules of status.h.  Members that were
 * not given are 0 in *taken; `given` NULL gives none.  `last` is the last member of the struct's first version and
 * never changes.  Errors: MW_EINVAL, MW_ENOTSUP. */
#define MW_OPTIONS_TAKE(name, given, last, taken)                                                                      \
    mw_options_take(#name, 1 ? (given) : (const struct name *)0,                                                       \
                    offsetof(struct name, last) + sizeof((const struct name *)0)->last,                                \
                    1 ? (taken) : (struct name *)0, sizeof(struct name))
/* The function of MW_OPTIONS_TAKE; `first` is the size of the struct's first version, `bytes` that of this one. */
int mw_options_take(const char *name, const void *given, size_t first, void *taken, size_t bytes);

/* Copies a result to a caller's struct of any version.  Members of later versions become 0.  `known` is the result;
 * NULL only checks the caller's size, before the work.  `given` NULL discards the result.  `last` is the last member of
 * the struct's first version.
 * Errors: MW_EINVAL (the size). */
#define MW_RESULT_GIVE(name, known, last, given)                                                                       \
    mw_result_give(#name, 1 ? (known) : (const struct name *)0,                                                        \
                   offsetof(struct name, last) + sizeof((const struct name *)0)->last, sizeof(struct name),            \
                   1 ? (given) : (struct name *)0)
/* The function of MW_RESULT_GIVE; `first` is the size of the struct's first version, `bytes` that of this one. */
int mw_result_give(const char *name, const void *known, size_t first, size_t bytes, void *given);
/* Zeroes a result except for its size, for functions that free the members. */
void mw_result_clear(void *given);

/* A string that grows, initialised by { 0 }.  A failed append is recorded: check mw_text_ok once at the end
 * (MW_ENOMEM). `data` is NULL until the first append.  Numbers have a decimal point in every locale. */
struct mw_text {
    char *data;
    size_t length, capacity;
    bool failed;
};
/* Appends formatted text. */
void mw_text_add(struct mw_text *t, const char *format, ...) MW_PRINTF(2, 3);
/* Appends n bytes. */
void mw_text_append(struct mw_text *t, const char *bytes, size_t n);
/* Appends a path without the suffix of its name. */
void mw_text_add_stem(struct mw_text *t, const char *path);
/* Returns MW_ENOMEM if an append has failed, otherwise 0. */
int mw_text_ok(const struct mw_text *t);
/* Frees the string and leaves it empty. */
void mw_text_free(struct mw_text *t);

/* Returns the part of a text of n characters that is around position `at`, for messages. */
struct mw_excerpt {
    char text[72];
};
struct mw_excerpt mw_excerpt(const char *text, size_t n, size_t at);
/* Reads a number as strtod does, with a decimal point in every locale. */
double mw_number_read(const char *text, char **end);

/* Finds the enum value with this name. `name_of` returns the names of 0, 1, ... and NULL after the last one. `what` is
 * the word for such values in messages.  MW_EINVAL: unknown name. */
int mw_value_find(const char *what, const char *(*name_of)(int value), const char *name, int *value);
/* Defines mw_X_name and mw_X_find of enum mw_X (status.h) from designated initialisers. */
#define MW_ENUM_NAMES(noun, what, ...)                                                                                 \
    const char *mw_##noun##_name(int value)                                                                            \
    {                                                                                                                  \
        static const char *const names[] = { __VA_ARGS__ };                                                            \
        return value >= 0 && (size_t)value < MW_COUNT(names) ? names[value] : NULL;                                    \
    }                                                                                                                  \
    MW_ENUM_FIND(noun, what)
/* Defines mw_X_find alone, for names that are in a table. */
#define MW_ENUM_FIND(noun, what)                                                                                       \
    int mw_##noun##_find(const char *name, enum mw_##noun *value)                                                      \
    {                                                                                                                  \
        int found;                                                                                                     \
        TRY_RETURN(mw_value_find(what, mw_##noun##_name, name, &found));                                               \
        *value = (enum mw_##noun)found;                                                                                \
        return 0;                                                                                                      \
    }

/* A number of bytes as text. */
struct mw_amount {
    char text[24];
};
/* Formats a number of bytes as "1.50 GiB". The struct, and so its text, is valid within one expression. */
struct mw_amount mw_amount(uint64_t bytes);

/* Computes XXH64 (Collet, the public specification), as xxhsum -H64 prints it.  It identifies sources and results and
 * is not for security. */
uint64_t mw_hash64(const void *bytes, size_t n, uint64_t seed);
/* State of an XXH64 of bytes that come in pieces, with the same value as mw_hash64. */
struct mw_hasher {
    uint64_t lane[4], seed, total;
    unsigned char tail[32];
    size_t tail_length;
};
/* Begins a hash. */
void mw_hasher_start(struct mw_hasher *h, uint64_t seed);
/* Adds n bytes to a hash. */
void mw_hasher_add(struct mw_hasher *h, const void *bytes, size_t n);
/* Adds words of `bytes` bytes each (at most 8), in little-endian order on every machine. */
void mw_hasher_add_words(struct mw_hasher *h, const void *words, size_t count, size_t bytes);
/* Returns the hash of all added bytes; more may be added afterwards. */
uint64_t mw_hasher_end(const struct mw_hasher *h);

double mw_now(void); /* monotonic seconds */
/* Returns mw_now() - mw_compile_seconds(), a clock that excludes compilation. Any thread may call it. */
double mw_work_now(void);
/* Returns the seconds that this process has spent on compiling and loading code. Any thread may call it. */
double mw_compile_seconds(void);
/* Adds to mw_compile_seconds. Any thread may call it. */
void mw_compile_seconds_add(double seconds);

/* ---- files: returned paths are allocated and owned by the caller ---- */

/* Joins a folder and a name by a '/'. */
int mw_path_join(const char *folder, const char *name, char **path);
/* Resolves the symbolic links of a path.  The file need not exist.  Errors: MW_ENOMEM, MW_EIO. */
int mw_path_target(const char *path, char **target);
/* Removes the contents of a folder.  Links are removed, not their targets.  Files that other processes remove at the
 * same time are no failure.  Returns false with errno if something is left. */
bool mw_folder_clear(const char *path);
/* Syncs the folder of a file, so that the file's name survives a power cut.  Errors: MW_EIO, MW_ENOMEM. */
int mw_folder_sync(const char *file);
/* Fails with MW_EIO and "cannot write WHAT PATH: ..." for an errno; for EFBIG the message has the limit. */
int mw_fail_write(const char *what, const char *path, int reason);
/* Reads a whole file and adds a NUL.  Errors: MW_EIO; MW_ELIMIT (more than `max` bytes). */
int mw_file_read(const char *path, size_t max, char **bytes, size_t *n);
/* Writes a file of n bytes, as mw_file_create to mw_file_commit do.  MW_EIO, MW_ELIMIT, MW_ENOMEM. */
int mw_file_put(const char *path, bool durable, const void *bytes, size_t n);
/* Reads n bytes, or fewer if the input ends.  Returns false with errno on failure. */
bool mw_read_fully(int descriptor, void *to, size_t n, size_t *got);
/* Writes all bytes, also to a non-blocking pipe.  Returns false with errno on failure. */
bool mw_write_fully(int descriptor, const char *bytes, size_t n);
/* Syncs a file.  Returns true for pipes and terminals, which cannot be synced, and false with errno on failure. */
bool mw_sync(int descriptor);
/* Makes the path of a file in folder `below` of the cache folder ("": in itself), which may be read-only. Errors:
 * MW_ENOMEM, MW_EIO (no cache folder; the file is a link that another user made). */
int mw_cache_file(const char *below, const char *name, char **path);
/* Makes the path of an existing file in folder `below` of the cache that all users read. It is
 * $MESHWORK_SHARED_CACHE_DIR ("": none), otherwise SHARED_CACHE. Its folders must belong to root or the user, and no
 * other user may write to them. Errors: MW_ENOMEM, MW_EIO. */
int mw_cache_shared_file(const char *below, const char *name, char **path);
/* Finds a kernel file in `folder`, or if that is NULL in $MESHWORK_KERNEL_PATH, or if that is unset in the installed
 * folder.  Relative to the library, the installed folder is where PKGDATADIR "/cl" is relative to LIBDIR, so that an
 * installation can be moved; if it does not exist, PKGDATADIR "/cl" is used.  The name is relative and without "..".
 * MW_EIO lists the folders. */
int mw_kernel_file(const char *folder, const char *name, char **path);

#endif
/* SPDX-License-Identifier: MIT */

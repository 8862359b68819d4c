/* Loaded before the command: lets its allocations fail on request, for tests.  Allocations count after the start of
 * main.
 *   MESHWORK_FAIL_COUNT=FILE   none fails; their number is written to the file
 *   MESHWORK_FAIL_AT=N         the N-th fails, counted from 1
 *   MESHWORK_FAIL_FROM=N       the N-th and all later ones fail
 * Processes started by the command are not affected. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

/* The C library's own functions, under the names that it provides for this purpose. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_bool counting;
static atomic_ulong count;
static unsigned long at, from;

static int fails(void)
{
    if (!atomic_load(&counting))
        return 0;
    const unsigned long n = atomic_fetch_add(&count, 1) + 1;
    if (n != at && (from == 0 || n < from))
        return 0;
    errno = ENOMEM;
    return 1;
}

EXPORT void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }

EXPORT void *calloc(size_t n, size_t bytes) { return fails() ? NULL : __libc_calloc(n, bytes); }

EXPORT void *realloc(void *memory, size_t bytes) { return fails() ? NULL : __libc_realloc(memory, bytes); }

EXPORT void *memalign(size_t alignment, size_t bytes) { return fails() ? NULL : __libc_memalign(alignment, bytes); }

EXPORT void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

EXPORT int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    void *made = memalign(alignment, bytes);
    if (!made)
        return ENOMEM;
    *memory = made;
    return 0;
}

static int (*real_main)(int argc, char **argv, char **environment);
static char file[4096];

static void tell_count(void)
{
    atomic_store(&counting, 0);
    FILE *to = fopen(file, "w");
    if (to) {
        fprintf(to, "%lu\n", atomic_load(&count));
        fclose(to);
    }
}

static unsigned long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : 0;
}

static int main_with_failures(int argc, char **argv, char **environment)
{
    const char *to = getenv("MESHWORK_FAIL_COUNT");
    at = number("MESHWORK_FAIL_AT");
    from = number("MESHWORK_FAIL_FROM");
    unsetenv("LD_PRELOAD");
    if (to) {
        snprintf(file, sizeof file, "%s", to);
        atexit(tell_count);
    }
    atomic_store(&counting, 1);
    return real_main(argc, argv, environment);
}

typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                       void *);

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    start_main *const start = (start_main *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return start(main_with_failures, argc, argv, init, fini, loader_fini, stack_end);
}
/* SPDX-License-Identifier: MIT */

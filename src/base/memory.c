/* Memory and copies of strings. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ALIGNMENT 64 /* a cache line, and the widest vector of CPUs */

static int no_memory(size_t n, size_t size)
{
    return mw_fail(MW_ENOMEM, "out of memory: cannot allocate %zu x %zu bytes; make the problem smaller", n, size);
}

/* The caller's variable may be a pointer to any type, so its bytes are copied and not accessed as a void *. */
static void hand_out(void *memory, void *pointer_to_pointer) { memcpy(pointer_to_pointer, &memory, sizeof memory); }

int mw_new(size_t n, size_t size, void *pointer_to_pointer)
{
    size_t bytes;
    void *memory;
    if (!mw_mul(n, size, &bytes))
        return no_memory(n, size);
    memory = calloc(1, bytes > 0 ? bytes : 1);
    if (memory == NULL)
        return no_memory(n, size);
    hand_out(memory, pointer_to_pointer);
    return 0;
}

int mw_new_unless(void *callers, size_t n, size_t size, void *pointer_to_pointer)
{
    if (!callers)
        return mw_new(n, size, pointer_to_pointer);
    memset(callers, 0, n * size);
    hand_out(callers, pointer_to_pointer);
    return 0;
}

void mw_move_to(void *callers, size_t n, size_t size, void *pointer_to_pointer)
{
    void *memory;
    if (!callers)
        return;
    memcpy(&memory, pointer_to_pointer, sizeof memory);
    memcpy(callers, memory, n * size);
    free(memory);
    hand_out(NULL, pointer_to_pointer);
}

int mw_numbers_of(size_t n, size_t copies, size_t *numbers)
{
    if (!mw_mul(n, copies, numbers))
        return mw_fail(MW_ENOMEM, "out of memory: %zu copies of %zu numbers exceed the address space of this machine",
                       copies, n);
    return 0;
}

int mw_new_aligned(size_t n, size_t size, void *pointer_to_pointer)
{
    size_t bytes, capacity;
    void *memory;
    if (!mw_mul(n, size, &bytes) || !mw_add(bytes, ALIGNMENT - 1, &capacity))
        return no_memory(n, size);
    capacity -= capacity % ALIGNMENT; /* aligned_alloc requires a multiple of the alignment */
    memory = aligned_alloc(ALIGNMENT, capacity > 0 ? capacity : ALIGNMENT);
    if (memory == NULL)
        return no_memory(n, size);
    memset(memory, 0, bytes);
    hand_out(memory, pointer_to_pointer);
    return 0;
}

int mw_reserve(size_t count, size_t more, size_t size, size_t *capacity, void *pointer_to_pointer)
{
    size_t wanted, bytes;
    void *memory;
    if (more <= *capacity - count)
        return 0;
    memcpy(&memory, pointer_to_pointer, sizeof memory);
    if (!mw_add(count, more, &wanted) || !mw_mul(count > 0 ? 2 : 1, wanted, &wanted) || !mw_mul(wanted, size, &bytes) ||
        (memory = realloc(memory, bytes)) == NULL)
        return no_memory(wanted, size);
    *capacity = wanted;
    hand_out(memory, pointer_to_pointer);
    return 0;
}

int mw_grow(size_t count, size_t size, void *pointer_to_pointer)
{
    size_t capacity = count;
    return (count & (count - 1)) ? 0 : mw_reserve(count, 1, size, &capacity, pointer_to_pointer);
}

int mw_strdup(const char *s, char **copy)
{
    size_t bytes = strlen(s) + 1;
    char *new = NULL;
    int rc = mw_new(bytes, 1, &new);
    if (rc != 0)
        return rc;
    memcpy(new, s, bytes);
    *copy = new;
    return 0;
}

bool mw_copy_string(char *to, size_t size, const char *from)
{
    size_t length = strlen(from), fits = length;
    if (size == 0)
        return false;
    if (fits > size - 1)
        fits = size - 1;
    memcpy(to, from, fits);
    to[fits] = '\0';
    return fits == length;
}

double mw_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
/* SPDX-License-Identifier: MIT */
